#!/usr/bin/env bash
# bine-bench --nonblocking: every collective, results checked, files that the report and the tuner take for what they are.
#   tests/report/started.sh openmpi|mpich BIN
. "$(dirname "$0")/bench.sh"
bench() {
    BINE_TEST_TIMEOUT=60 "$launch" "$flavour" 3 "$bin/bine-bench-$flavour" --nonblocking "$@" > "$work/out" 2>&1
}

bench -a best,binomial -m 3K -i 3 -c --csv "$work/samples.csv" --summary "$work/short.csv" || fail "a run with checks"
grep -q WRONG "$work/out" && fail "right results are called wrong"
grep -q '^# complete: 17 cells' "$work/samples.csv" || fail "not all cells were measured"
grep -q '^collective,algorithm,mpi,ranks,nodes,bytes,samples,seconds,low,high,computed,with,overlap,copied_bytes$' "$work/short.csv" || fail "the columns"
[ "$(grep -c '^iallreduce,mpi,' "$work/samples.csv")" -eq 3 ] || fail "the samples"
# The time with a computation is no shorter than the computation; overlap is what IMB-NBC makes of the three.
awk -F, '/^i/ { hidden = 100 * ($8 + $11 - $12) / ($8 < $11 ? $8 : $11); hidden = hidden < 0 ? 0 : hidden > 100 ? 100 : hidden
    if ($12 < 0.99 * $11 || hidden - $13 > 0.5 || $13 - hidden > 0.5) { print; bad = 1 } n++ } END { exit bad || n < 17 }' "$work/short.csv" ||
    fail "computation, time with it, overlap"
awk -F, '$1 == "iallreduce" && $2 != "mpi" { found = 1 } END { exit !found }' "$work/short.csv" || fail "nothing of Bine's"
awk -F, '$1 == "ialltoallw" && $2 != "mpi" { found = 1 } END { exit !found }' "$work/short.csv" || fail "no ialltoallw of Bine's"
"$bin/bine" report "$work/short.csv" -o "$work/report" > "$work/out" 2>&1 || fail "a report"
grep -q ',iallreduce,' "$work/report/tables.csv" && ! grep -q ',allreduce,' "$work/report/tables.csv" || fail "the report's tables"
"$bin/bine" tune "$work/short.csv" -o "$work/rules.json" > "$work/out" 2>&1 || fail "rules"
grep -q '"nonblocking": true' "$work/rules.json" && ! grep -q '"nonblocking": false' "$work/rules.json" || fail "rules for nonblocking calls"
bench allreduce -a mpi:all -m 64 -i 1 && fail "mpi:all"
grep -q 'expected mpi, with --nonblocking' "$work/out" || fail "no line on mpi:all"
bench allreduce bcast -a board-flat -m 64:64K --step 32 -i 3 -c --summary "$work/boards.csv" || fail "board-flat"
[ "$(grep -c 'board-flat,' "$work/boards.csv")" -eq 6 ] || fail "nothing at boards"
bench allreduce --calibrate "$work/m.machine" && fail "--calibrate"
grep -q -- '--nonblocking: expected vectors of the host and no --calibrate' "$work/out" || fail "no line on --calibrate"
echo "started: passed"
