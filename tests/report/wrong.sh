#!/usr/bin/env bash
# A run with a wrong algorithm in it: -c finds it, no times are written for it, the report refuses its cells.
#   tests/report/wrong.sh openmpi|mpich BIN
. "$(dirname "$0")/bench.sh"

# The right one first: every collective, everything checked, files that the report takes.
BINE_TEST_TIMEOUT=60 "$launch" "$flavour" 2 "$bin/bine-bench-$flavour" -a best,binomial -m 4K -i 3 -c \
    --csv "$work/right.csv" --summary "$work/short.csv" > "$work/out" 2>&1 || fail "a run with checks"
grep -q WRONG "$work/out" && fail "right results are called wrong"
grep -q '^# complete: 17 cells' "$work/right.csv" || fail "not all cells were measured"
for file in right short; do
    "$bin/bine" report "$work/$file.csv" -o "$work/$file" > "$work/out" 2>&1 || fail "a report of $file.csv"
done
cmp -s "$work/right/tables.csv" "$work/short/tables.csv" || fail "samples and summary differ"

BINE_TEST_TIMEOUT=60 "$launch" "$flavour" 2 "$bin/../tests/bench-wrong-$flavour" allreduce -a bine-small,bine-large,mpi -m 64:1K --step 16 -i 2 -c \
    --csv "$work/wrong.csv" > "$work/out" 2>&1
[ $? -eq 1 ] || fail "exit code of a run with wrong results"
[ "$(grep -c 'bine-large .*WRONG' "$work/out")" -eq 2 ] || fail "the table does not say what is wrong"
grep -q 'bine-bench: 2 measurements with WRONG results' "$work/out" || fail "no message"
[ "$(grep -c '^# wrong: allreduce,bine-large,' "$work/wrong.csv")" -eq 2 ] || fail "no note in the CSV"
grep -q '^allreduce,bine-large' "$work/wrong.csv" && fail "times of wrong results"
"$bin/bine" report "$work/wrong.csv" "$work/right.csv" -o "$work/report" > "$work/out" 2>&1 || fail "the report"
grep -q '2 measurements are refused' "$work/out" || fail "the report refuses nothing"
echo "wrong: passed"
