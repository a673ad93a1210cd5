#!/usr/bin/env bash
# Results of others, and input that is no good.
#   tests/report/foreign.sh BINE
. "$(dirname "$0")/common.sh"

# Columns in any order, more of them, names of another benchmark, quotes, no newline at the end.
printf 'seconds,comment,bytes,algorithm,collective,ranks\r\n2e-5,"a, ""b""",1024,Tree2,MPI_Allreduce,8\r\n1e-5,,1024,NegaTree,Allreduce,8\r\n3e-5,x,4096,Tree2,allreduce,8\r\n1e-5,x,4096,NegaTree,ALLREDUCE,8' > foreign.csv
printf '# foreign   family    name\nNegaTree    bine\nTree2       binomial  tree-of-theirs\n' > names.map
"$bine" report foreign.csv --map names.map -o out > /dev/null 2> stderr || failed=1
# 2 and 3: the geometric mean is 2.44949.
same "foreign names" ,allreduce,binomial,2,100.00,144.95,200.00,0.00,0.00,0.00,0.00,, "$(sed -n 2p out/tables.csv)"
same "no notes" "" "$(cat stderr)"
same "renamed" 2 "$(grep -c tree-of-theirs out/cells.csv)"
printf 'NegaTree bine\n' > one.map
"$bine" report foreign.csv --map one.map -o out > /dev/null 2> stderr || failed=1
same "an unknown family is noted" "note: the family of 'Tree2' is not known; see --map" "$(cat stderr)"
refuses "bine: foreign.csv: no algorithm of family bine, so nothing to compare; --map says which foreign ones are of it" foreign.csv

head=collective,algorithm,ranks,bytes,seconds
: > empty.csv
refuses "bine: empty.csv: no measurements: expected a CSV with the columns $head" empty.csv
echo $head > bare.csv
refuses "bine: bare.csv: it has a head line, but no measurements" bare.csv
printf 'collective,algorithm,ranks,bytes\nbcast,x,4,8\n' > missing.csv
refuses "bine: missing.csv:1: no column 'seconds': expected at least $head" missing.csv
printf '# a comment\n%s\nbcast,x,4,8,1\nbcast,x,4,8\n' $head > short.csv
refuses "bine: short.csv:4: 4 fields: expected 5, as in the head line" short.csv
printf '%s\nbcast,x,four,8,1\n' $head > ranks.csv
refuses "bine: ranks.csv:2: ranks 'four': expected a whole number above 0" ranks.csv
printf '%s\nbcast,x,4,8,-1\n' $head > time.csv
refuses "bine: time.csv:2: seconds '-1': expected a time in seconds above 0" time.csv
printf '%s\nbcast,x,4,8,nan\n' $head > nan.csv
refuses "bine: nan.csv:2: seconds 'nan': expected a time in seconds above 0" nan.csv
printf '%s\nneighbor_allgather,x,4,8,1\n' $head > neighbor.csv
refuses "bine: neighbor.csv:2: collective 'neighbor_allgather': expected one that 'bine list' knows" neighbor.csv
printf '%s\nbcast,"x,4,8,1\n' $head > quote.csv
refuses "bine: quote.csv:2: a quote is not closed" quote.csv
printf '%s\nbcast,bine-small,4,8,1\n' $head > good.csv
refuses "bine: baseline 'bine-smal': expected binomial, best or an algorithm that was measured; did you mean 'bine-small'?" good.csv --baseline bine-smal
printf 'one\n' > bad.map
refuses "bine: bad.map:1: expected 'FOREIGN-NAME FAMILY [NAME]', found one word" good.csv --map bad.map
refuses "bine: nowhere.csv: No such file or directory" nowhere.csv
refuses "bine: missing argument: expected 'bine report FILE.csv...'; see 'bine report --help'"
[ -e refused ] && { echo "FAILED: something was written although nothing could be read"; failed=1; }

# A file of bine-bench whose last line was cut off by a kill.
printf '# bine-bench x\n%s\nbcast,bine-small,4,8,1\nbcast,bine-small,4,8,1\nbcast,bine-small,4,8,0.' $head > cut.csv
"$bine" report cut.csv -o cut > /dev/null 2> stderr || failed=1
same "cut off" "note: cut.csv: the run ended early; what was measured is reported" "$(cat stderr)"
same "two samples" 2 "$(sed -n 2p cut/cells.csv | cut -d, -f7)"
[ "$failed" -eq 0 ] && echo "foreign: passed"
exit "$failed"
