#!/usr/bin/env bash
# A run that is interrupted, or loses a rank, leaves a valid CSV of what was measured and a clear message.
#   tests/report/interrupt.sh openmpi|mpich BIN
. "$(dirname "$0")/bench.sh"

# The process of rank $1 of this run, found by its environment and the name of its file; the watcher beside rank 0 has no
# launcher above it.
rank_of() {
    local pid
    for pid in $(pgrep -f "bine-bench-$flavour .*$work/run.csv"); do
        [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = "bine-bench-$flavour" ] || [ "$(head -c 10 "/proc/$pid/comm" 2> /dev/null)" = bine-bench ] || continue
        grep -qszxE "(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1" "/proc/$pid/environ" && { echo "$pid"; return; }
    done
}

# Open MPI's launcher, when it is stopped, drops the last words of its ranks now and then: they go to a file of their own.
printf '#!/bin/sh\nexec "$@" 2>> %s\n' "$work/words" > "$work/aside"
chmod +x "$work/aside"

spoke() { grep -qE '^bine-bench: stopped early .* of 40 cells were measured and are in' "$work/words"; }
# One run that is stopped by a signal to the launcher or loses a rank. Large vectors, so that no machine is through before
# that, and the first cell is there soon.
stopped() {
    rm -f "$work/run.csv" "$work/words"
    BINE_TEST_WRAPPER=$work/aside BINE_TEST_TIMEOUT=60 "$launch" "$flavour" 2 "$bin/bine-bench-$flavour" bcast allreduce -m 8:4M -i 3000 \
        --csv "$work/run.csv" > "$work/out" 2>&1 &
    job=$!
    for _ in $(seq $((400 * ${BINE_TEST_SLOW:-1}))); do # until a cell is there
        grep -q '^bcast,' "$work/run.csv" 2> /dev/null && break
        sleep 0.1
    done
    # What Ctrl-C does: the launcher gets SIGINT. It is a child of `timeout`, which is a child of the script.
    if [ "$1" = interrupt ]; then
        launcher=$(pgrep -P "$(pgrep -P "$job" -x timeout)" | head -n 1)
        kill -INT "$launcher"
    else
        kill -KILL "$(rank_of 1)"
    fi
    wait "$job"
    for _ in $(seq $((100 * ${BINE_TEST_SLOW:-1}))); do
        grep -q '^# incomplete' "$work/run.csv" && spoke && break
        sleep 0.1
    done
    grep -q '^# incomplete: ' <<< "$(tail -n 1 "$work/run.csv")" || fail "$1: the CSV does not say that it is incomplete"
}

for how in interrupt kill; do
    stopped "$how"
    spoke || fail "$how: no message"
    "$bin/bine" report "$work/run.csv" -o "$work/report" > "$work/out" 2>&1 || fail "$how: the report"
    grep -q 'the run ended early' "$work/out" || fail "$how: the report does not say so"
done
echo "interrupt: passed"
