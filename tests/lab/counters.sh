#!/usr/bin/env bash
# Every algorithm of every collective on a lab: its uplinks' counters show what `bine traffic` counts, within 2 %.
#   counters.sh BIN
. "$(dirname "$0")/common.sh"
compare=$(dirname "$0")/compare

# measure FLAVOUR OPTION...: one call of each, as the counters see it.
measure() {
    local flavour=$1
    shift
    run --timeout 120 -- "bine-bench-$flavour" -m 1M -i 1 -x 0 --uplinks "$work/uplinks.csv" "$@" > "$work/out" 2>&1 ||
        fail "a run under $flavour: bine-bench $*"
}
check() { "$compare" "$bine" "$work/uplinks.csv" "$@" || fail "counters and prediction differ: $*"; }

# All algorithms that there are, on uneven leaves. Rates are high: bytes are compared, not times.
up --leaves 3,2,3 --rate 1gbit
for flavour in openmpi mpich; do
    has $flavour || continue
    echo "tree 3,2,3, $flavour:"
    measure $flavour -a all
    check --machine "$(field machine)" --hosts 'h[0-7]'
    break
done
# The other library, ranks in another order, not a power of two.
if has openmpi && has mpich; then
    echo "tree 3,2,3, mpich, seven ranks in another order:"
    run --timeout 120 --hosts 'h[5,0,7,2,3,1,6]' -- bine-bench-mpich allreduce allgather bcast -a bine,binomial -m 1M -i 1 -x 0 \
        --uplinks "$work/uplinks.csv" > "$work/out" 2>&1 || fail "a run under mpich"
    check --machine "$(field machine)" --hosts 'h[5,0,7,2,3,1,6]'
fi
down

# Every link of other topologies.
flavour=openmpi
has openmpi || flavour=mpich
echo "groups 2,1,3, $flavour:"
up --topology groups --leaves 2,1,3 --rate 1gbit
measure $flavour allreduce -a all
check --machine "$(field machine)" --hosts 'h[0-5]'
down
echo "torus 2x3, $flavour: bytes times hops"
up --topology torus --dims 2x3 --rate 1gbit
measure $flavour allgather reduce_scatter -a all
check --machine "$(field machine)" --hosts 'h[0-5]' --links
down
echo "counters: passed"
