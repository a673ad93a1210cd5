#!/usr/bin/env bash
# The library finds the torus of a lab from its machine description, with the ranks in any order: it chooses torus algorithms, and their
# messages go along its links as `bine traffic` counts.
#   torus.sh BIN
. "$(dirname "$0")/common.sh"
flavour=openmpi
has openmpi || flavour=mpich

# The rules choose: the model would take other ways on so small a torus.
export BINE_MODEL=0

# measure OPTION...: what Bine chooses for an allgather of 1 MiB and what crossed the links, as "ALGORITHM PAYLOAD".
measure() {
    run --timeout "$(limit 60)" "$@" -- "bine-bench-$flavour" allgather -a best -m 1M -i 1 -x 0 --uplinks "$work/uplinks.csv" > "$work/out" 2>&1 ||
        fail "a run: $*"
    awk -F, '/^allgather/ && $2 !~ /^mpi/ { sub(/:.*/, "", $2); print $2, $8 }' "$work/uplinks.csv"
}

up --topology torus --dims 2x3 --rate 1gbit
# Every message goes one hop: five blocks to each of six ranks.
expected=$("$bine" traffic allgather bine-torus --dims 2x3 --links --bytes 1048560 --format csv | awk -F, 'NR == 2 { print $7 }')
[ "$expected" -eq $((5 * 1048560)) ] || fail "$expected bytes times hops are counted"
for order in 'h[0-5]' 'h[5,0,3,2,4,1]'; do
    read -r algorithm payload < <(measure --hosts "$order")
    echo "torus 2x3, ranks on $order: $algorithm, $payload bytes times hops, $expected counted"
    [ "$algorithm" = bine-torus ] || fail "$order: $algorithm is chosen"
    awk -v got="$payload" -v counted="$expected" 'BEGIN { exit !(got > counted && got < 1.02 * counted) }' || fail "$order: more than 2 % off"
done
# What a program that knows nothing of Bine gets is what `bine choose` says of the machine and the hosts.
for order in 'h[0-5]' 'h[5,0,3,2,4,1]' 'h[0-4]'; do
    BINE_ALWAYS=1 BINE_VERBOSE=1 run --timeout "$(limit 100)" --hosts "$order" --preload "$("$bine" preload --mpi "$flavour")" -- \
        "$(realpath "$bin/../tests/preload-calls-$flavour")" --sizes > "$work/out" 2> "$work/err" || fail "a program on $order"
    BINE_ALWAYS=1 "$(dirname "$0")/../mpi/preload/agree" "$bine" "$work/err" --machine "$(field machine)" --hosts "$order" --mpi "$flavour" ||
        fail "$order: the table and bine choose differ"
done
# A row is a ring, which suits flat Bine; four hosts of six are two columns next to each other; five are no torus.
for case in 'h[3-5] bine-4' 'h[0-1,3-4] bine-torus' 'h[0-4] bine-4'; do
    read -r hosts expected <<< "$case"
    read -r algorithm _ < <(measure --hosts "$hosts")
    echo "$hosts: $algorithm"
    [ "$algorithm" = "$expected" ] || fail "$hosts: $algorithm is chosen, expected $expected"
    run --timeout "$(limit 60)" --hosts "$hosts" -- "bine-bench-$flavour" allgather -a all --list > "$work/list" 2> /dev/null || fail "the list on $hosts"
    grep -q bine-torus "$work/list" && torus=yes || torus=no
    [ "$torus" = "$([ "$hosts" = 'h[0-4]' ] && echo no || echo yes)" ] || fail "$hosts: torus algorithms are there: $torus"
done
down
echo "torus: passed"
