#!/usr/bin/env bash
# Rows that are equal in collective, algorithm, ranks and bytes, but not of one measurement: nothing is dropped silently.
#   tests/report/apart.sh BINE
. "$(dirname "$0")/common.sh"
# of ALGORITHM FOLDER: its medians in microseconds, in the order of cells.csv
of() { awk -F, -v a="$1" '$2 == a { printf "%s%g", n++ ? " " : "", $8 * 1e6 }' "$2/cells.csv"; }

# Two shapes in one file, as the labs write them: Bine wins by 2 in one and loses by 2 in the other.
head=collective,algorithm,ranks,bytes,seconds,low,high
cat > shapes.csv << EOF
shape,$head
5+5+6,allreduce,bine-large,16,1024,10e-6,10e-6,10e-6
8+8,allreduce,bine-large,16,1024,20e-6,20e-6,20e-6
5+5+6,allreduce,ring,16,1024,20e-6,20e-6,20e-6
8+8,allreduce,ring,16,1024,10e-6,10e-6,10e-6
EOF
"$bine" report shapes.csv -o shapes --baseline best > /dev/null 2> stderr || failed=1
same "two shapes" ,allreduce,best,2,50.00,100.00,100.00,50.00,100.00,100.00,0.00,, "$(sed -n 2p shapes/tables.csv)"
same "the note" "note: measured under 2 conditions, which are kept apart: report.html lists them" "$(cat stderr)"
same "in the maps" 2 "$(grep -c '<th>16 ranks, shape ' <(sed 's/<th>16/\n&/g' shapes/report.html))"
same "in the list" 2 "$(grep -c '<li>shape ' shapes/report.html)"
"$bine" report shapes/cells.csv -o again --baseline best > /dev/null 2>&1
same "cells.csv again" "$(cat shapes/tables.csv)" "$(cat again/tables.csv)"

# bench NAME MICROSECONDS COMMENT...: a file of bine-bench with one cell
bench() {
    local name=$1 time=$2
    shift 2
    echo "# bine-bench made up"
    printf '# %s\n' "$@"
    echo collective,algorithm,mpi,ranks,nodes,bytes,iteration,seconds
    for i in 1 2 3; do echo "bcast,bine-small,lib,4,2,1024,$i,${time}e-6"; done
    for i in 1 2 3; do echo "bcast,linear,lib,4,2,1024,$i,30e-6"; done
}
bench a 10 'hosts: n1*2,n2*2' 'call: datatype int, operator sum, root 0; buffers stay' > a.csv
bench b 20 'hosts: n3*2,n4*2' 'call: datatype int, operator sum, root 0; buffers stay' > b.csv
bench c 40 'hosts: n1*2,n2*2' 'setting: BINE_DIMS=2x2' > c.csv
"$bine" report a.csv b.csv -o hosts > /dev/null 2>&1
same "two allocations" "10 20" "$(of bine-small hosts)"
grep -q 'hosts n3\*2,n4\*2' hosts/report.html || { echo "FAILED: the page does not name the hosts"; failed=1; }
"$bine" report a.csv c.csv -o dims > /dev/null 2>&1
same "two shapes of the ranks" "10 40" "$(of bine-small dims)"
cat a.csv b.csv > both.csv
"$bine" report both.csv -o both > /dev/null 2>&1
same "files put together" "10 20" "$(of bine-small both)"
# Runs of the same thing are pooled.
bench d 12 'hosts: n1*2,n2*2' 'call: datatype int, operator sum, root 0; buffers stay' > d.csv
"$bine" report a.csv d.csv -o pooled > /dev/null 2> stderr
same "pooled" "11" "$(of bine-small pooled)"
same "no note" "" "$(cat stderr)"
refuses "bine: ./a.csv: the file is given twice" a.csv ./a.csv

# Medians of two files that say nothing else; two medians in one file; a column that nobody knows.
printf '%s\nbcast,bine-small,4,8,1e-6,1e-6,1e-6\nbcast,linear,4,8,2e-6,2e-6,2e-6\n' $head > m1.csv
printf '%s\nbcast,bine-small,4,8,3e-6,3e-6,3e-6\nbcast,linear,4,8,2e-6,2e-6,2e-6\n' $head > m2.csv
"$bine" report m1.csv m2.csv -o files > /dev/null 2>&1
same "two files of medians" "1 3" "$(of bine-small files)"
grep -q '4 ranks, m2.csv' files/report.html || { echo "FAILED: the page does not name the file"; failed=1; }
printf '%s\nbcast,bine-small,4,8,1e-6,1e-6,1e-6\nbcast,bine-small,4,8,2e-6,2e-6,2e-6\n' $head > twice.csv
refuses "bine: twice.csv:3: bcast bine-small, 4 ranks, 8 bytes: line 2 has it, too; expected one median, or a column 'setup' that tells them apart" twice.csv
printf 'collective,algorithm,ranks,bytes,seconds,fabric\nbcast,bine-small,4,8,1e-6,fast\nbcast,bine-small,4,8,2e-6,slow\n' > remark.csv
refuses "bine: remark.csv:3: fabric slow, but line 2: fabric fast, and all else is equal: call the column 'setup' if that makes two measurements of them, or leave it out" remark.csv
sed 's/fabric/setup/' remark.csv > setup.csv
"$bine" report setup.csv -o setup > /dev/null 2>&1
same "a column 'setup'" "1 2" "$(of bine-small setup)"

# Sizes that are near each other keep rows of their own in the maps.
printf '%s\n' collective,algorithm,ranks,bytes,seconds bcast,{bine-small,linear},4,{1000,1024},1e-6 > near.csv
"$bine" report near.csv -o near > /dev/null 2>&1
same "rows of the map" 2 "$(grep -c '^<tr><th>1000 B\|^<tr><th>1 KiB' near/report.html)"

# No Bine; groups that are not of these ranks.
printf 'collective,algorithm,ranks,bytes,seconds\nbcast,linear,4,8,1e-6\n' > none.csv
refuses "bine: none.csv: no algorithm of family bine, so nothing to compare; --map says which foreign ones are of it" none.csv
refuses "bine: --groups '3,3': 6 ranks in all, but the files have times of 4" a.csv --groups 3,3
bench e 10 'groups: 3,3' > e.csv
refuses "bine: e.csv: groups '3,3': 6 ranks in all, but the file has times of 4" e.csv
[ "$failed" -eq 0 ] && echo "apart: passed"
exit "$failed"
