#!/usr/bin/env bash
# Rules from measurements with known truth, and what they choose.
#   tests/report/tune.sh BINE DATA
data=$(realpath "$2")
. "$(dirname "$0")/common.sh"
row() { echo "$1,$2,openmpi-4.1.4,16,4,$3,12,$4e-6,$5e-6,$6e-6"; }
{
    echo "collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high"
    # 1 KiB: nobody is faster. 4 KiB: faster, but within the noise. 64 KiB and 1 MiB: ring, twice.
    row allreduce mpi 1024 10 9 11; row allreduce ring 1024 20 19 21
    row allreduce mpi 4096 10 9 11; row allreduce ring 4096 9.5 9 10
    row allreduce mpi 65536 100 99 101; row allreduce ring 65536 50 49 51; row allreduce bine-large 65536 60 59 61
    row allreduce mpi 1048576 100 99 101; row allreduce ring 1048576 50 49 51; row allreduce bine-large 1048576 49.9 49 51
    # Faster than mpi, but inside the MPI library: no rule can name it. bcast: mpi was not measured.
    row reduce mpi 1024 10 9 11; row reduce mpi:chain 1024 1 0.9 1.1; row reduce bine-small 1024 9 8.9 9.1
    row bcast ring 1024 10 9 11; row bcast bine-large 1024 1 0.9 1.1
} >made.csv
chosen() { "$bine" choose --rules rules.json "$1" --ranks 16 --nodes 4 --bytes "$2" | sed -n '1p;3p' | tr '\n' '|'; }

got=$("$bine" tune made.csv -o rules.json --format csv 2>&1) || failed=1
same "what is expected" 'note: 1 cell not decided: mpi, or everything but mpi, was not measured there
collective,cells,own,gain,least,best,within_5,within_20
allreduce,4,2,1.41,1.00,1.43,75,100
reduce,1,0,1.00,1.00,10.00,0,0
all,5,2,1.32,1.00,2.11,60,80' "$got"
same "1 KiB: mpi" 'mpi|by rule 1 of the file: rules.json:3: measured: nothing faster beyond the noise at 2 sizes|' "$(chosen allreduce 1K)"
same "half-way: mpi still" mpi "$(chosen allreduce 15K | cut -d'|' -f1)"
same "64 KiB: ring" 'ring:blocks|by rule 2 of the file: rules.json:4: measured: 2.00 times as fast as mpi at 2 sizes, at least 2.00|' "$(chosen allreduce 64K)"
same "2 MiB was not measured" 0 "$(chosen allreduce 2M | grep -c 'rule . of the file')"
same "within the noise: mpi" mpi "$(chosen reduce 1K | cut -d'|' -f1)"
same "no mpi, no rule" 0 "$(chosen bcast 1K | grep -c 'of the file')"

# Blocking and nonblocking calls are measured apart, and each has its own rules. No algorithm is in both.
{
    echo "collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high,computed,with,overlap"
    for b in 1024 65536; do
        echo "allreduce,mpi,openmpi-4.1.4,16,4,$b,12,10e-6,9e-6,11e-6,,,"; echo "allreduce,ring,openmpi-4.1.4,16,4,$b,12,5e-6,4e-6,6e-6,,,"
        echo "iallreduce,mpi,openmpi-4.1.4,16,4,$b,12,1e-6,1e-6,1e-6,1e-6,1e-6,100"; echo "iallreduce,bine-small,openmpi-4.1.4,16,4,$b,12,3e-6,2e-6,4e-6,3e-6,4e-6,66.7"
    done
} >both.csv
"$bine" tune both.csv -o both.json >/dev/null 2>&1 || failed=1
same "both: blocking" ring:blocks "$("$bine" choose --rules both.json allreduce --ranks 16 --nodes 4 --bytes 64K | head -1)"
same "both: nonblocking" mpi "$("$bine" choose --rules both.json allreduce --nonblocking --ranks 16 --nodes 4 --bytes 64K | head -1)"
"$bine" report both.csv --baseline mpi -o both >out 2>&1 || failed=1
same "both: two rows of the tables" "allreduce iallreduce" "$(tail -n +2 both/tables.csv | cut -d, -f2 | sort -u | xargs)"
same "both: four cells" 4 "$(tail -n +2 both/cells.csv | cut -d, -f1,6 | sort -u | wc -l)"

# Rules from half of the sizes, judged by the other half: what was measured on one node.
"$bine" tune "$data/sixteen.csv" --cross --format csv | tail -1 >cross
IFS=, read -r _ cells _ gain _ _ within5 within20 <cross
awk -v c="$cells" -v g="$gain" -v f="$within5" -v t="$within20" 'BEGIN { exit !(c >= 150 && g >= 1.08 && f >= 80 && t >= 93) }' ||
    { echo "FAILED: cross-validation: $(cat cross)"; failed=1; }

# The same at two numbers of ranks next to each other holds between; not where a third lies between.
ranks() { for p in "$@"; do for b in 1024 65536; do echo "bcast,mpi,openmpi-4.1.4,$p,1,$b,12,10e-6,9e-6,11e-6"; echo "bcast,$([ "$p" = 12 ] && echo linear || echo ring),openmpi-4.1.4,$p,1,$b,12,5e-6,4e-6,6e-6"; done; done; }
{ echo "collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high"; ranks 8 16; } >two.csv
{ echo "collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high"; ranks 8 12 16; } >three.csv
sed -i 's/^bcast,ring/bcast,chain/' two.csv three.csv
"$bine" tune two.csv -o two.json >/dev/null 2>&1 && "$bine" tune three.csv -o three.json >/dev/null 2>&1 || failed=1
same "two numbers of ranks" '"ranks": "8-16"' "$(grep -o '"ranks": "[^"]*"' two.json | tr '\n' ' ' | sed 's/ $//')"
same "three numbers of ranks" '"ranks": "8" "ranks": "12" "ranks": "16"' "$(grep -o '"ranks": "[^"]*"' three.json | tr '\n' ' ' | sed 's/ $//')"

# Collectives that no file has are measured, within the time, and once.
cat >fake <<'END'
for summary; do :; done
echo "$2" >>called
{
    echo "collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high"
    echo "$2,mpi,openmpi-4.1.4,4,1,1024,12,10e-6,9e-6,11e-6"
    echo "$2,ring,openmpi-4.1.4,4,1,1024,12,20e-6,19e-6,21e-6"
} >"$summary"
END
mkdir beside && cp "$bine" beside/bine && touch beside/bine-bench && bine=$work/beside/bine # which 'sh fake' does not run
"$bine" tune made.csv --run 'sh fake' --budget 100 --measured m.csv -o run.json >out 2>err || { echo "FAILED: --run"; cat err; failed=1; }
same "what is measured" 'allgather reduce_scatter reduce_scatter_block alltoall bcast gather scatter barrier allgatherv alltoallv alltoallw gatherv scatterv scan exscan' "$(tr '\n' ' ' <called | sed 's/ $//')"
same "progress" 'allgather: 1 of 15, 0 of 100 s' "$(head -1 err)"
"$bine" tune made.csv --run 'sh fake' --measured m.csv -o run.json >out 2>err || failed=1
same "measured once" 15 "$(wc -l <called)"
same "the time is up" 'note: the time is up: 0 of 17 collectives measured' "$("$bine" tune --run 'sh fake' --measured none.csv --budget 1 -o run.json 2>&1 | head -1)"
same "a run that fails" 2 "$("$bine" tune --run 'sh -c "exit 3"' --measured none.csv -o run.json >out 2>&1; echo $?)"

same "neither -o nor --cross" "bine: expected either -o RULES.json or --cross" "$("$bine" tune made.csv 2>&1)"
same "cannot be written" "bine: /nowhere/rules.json: No such file or directory" "$("$bine" tune made.csv -o /nowhere/rules.json 2>&1)"
exit $failed
