#!/usr/bin/env bash
# What a simulation says: of algorithms that tie all are marked; one that is interrupted says so in its file, and does not exit
# like a failed proof.
#   words.sh BINE
. "$(dirname "$0")/../cli/common.sh"
cd "$work" || exit 2
"$bine" simulate allreduce allgather -a all --machine lumi --nodes 64 -m 1K:16M --csv run.csv > out 2>&1 &
job=$!
for _ in $(seq $((300 * ${BINE_TEST_SLOW:-1}))); do # until a cell is there
    grep -qs '^allreduce,' run.csv && break
    sleep 0.1
done
kill -INT $job
wait $job
same "exit code" 130 $?
[[ $(tail -n 1 run.csv) =~ ^'# incomplete: '[0-9]+' of '[0-9]+' cells'$ ]] || { echo "FAILED: no mark: $(tail -n 1 run.csv)"; failed=1; }
grep -q '^bine: simulate: interrupted: ' out || { echo "FAILED: nothing is said"; tail -n 5 out; failed=1; }
"$bine" report run.csv -o report > said 2>&1
same "bine report" 0 $?
grep -q 'the run ended early' said || { echo "FAILED: the report does not say so"; cat said; failed=1; }

# Four nodes in one group: both have the same messages, one after the other.
"$bine" simulate allreduce -a bine-large,rabenseifner --machine lumi --nodes 4 -m 1K > out 2>&1
same "the heading" "# 4 ranks on 4 nodes of lumi, 1 group; simulated by SimGrid" "$(sed -n 1p out)"
same "marks of two that tie" 2 "$(grep -c ' \*$' out)"
exit $failed
