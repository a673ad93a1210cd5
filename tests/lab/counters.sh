#!/usr/bin/env bash
# Every algorithm of every collective on a lab: its uplinks' counters show what `bine traffic` counts, within 2 %.
#   counters.sh BIN
. "$(dirname "$0")/common.sh"
compare=$(dirname "$0")/compare

hosts=() # where the ranks are, unless in the order of the lab

# measure FLAVOUR OPTION...: one call of each, as the counters see it.
measure() {
    local flavour=$1
    shift
    run --timeout "$(limit 120)" ${hosts[@]+"${hosts[@]}"} -- "bine-bench-$flavour" -m 1M -i 1 -x 0 --uplinks "$work/uplinks.csv" "$@" > "$work/out" 2>&1 ||
        fail "a run under $flavour: bine-bench $*"
}

# check FLAVOUR OPTION...: the counters against the prediction. When this computer stalls, TCP sends some packets twice, and the
# counters see both. So what is off is measured again, twice at most: a wrong prediction stays off.
check() {
    local flavour=$1 try collective
    shift
    for try in 1 2 3; do
        "$compare" "$bine" "$work/uplinks.csv" "$@" > "$work/compared" && break
        cat "$work/compared"
        [ "$try" -lt 3 ] && grep -q '^OFF: ' "$work/compared" && ! grep -q 'not counted' "$work/compared" ||
            fail "counters and prediction differ: $*"
        : > "$work/again"
        for collective in $(sed -n 's/^OFF: \([a-z_]*\) .*/\1/p' "$work/compared" | sort -u); do
            measure "$flavour" "$collective" -a "$(sed -n "s/^OFF: $collective \([^ ]*\) .*/\1/p" "$work/compared" | paste -sd,)"
            cat "$work/uplinks.csv" >> "$work/again"
        done
        mv "$work/again" "$work/uplinks.csv"
    done
    cat "$work/compared"
}

# All algorithms that there are, on uneven leaves. Rates are high: bytes are compared, not times.
up --leaves 3,2,3 --rate 1gbit
for flavour in openmpi mpich; do
    has $flavour || continue
    echo "tree 3,2,3, $flavour:"
    measure $flavour -a all
    check $flavour --machine "$(field machine)" --hosts 'h[0-7]'
    break
done
# The other library, ranks in another order, not a power of two.
if has openmpi && has mpich; then
    echo "tree 3,2,3, mpich, seven ranks in another order:"
    hosts=(--hosts 'h[5,0,7,2,3,1,6]')
    measure mpich allreduce allgather bcast -a bine,binomial
    check mpich --machine "$(field machine)" "${hosts[@]}"
    hosts=()
fi
down

# Every link of other topologies.
flavour=openmpi
has openmpi || flavour=mpich
echo "groups 2,1,3, $flavour:"
up --topology groups --leaves 2,1,3 --rate 1gbit
measure $flavour allreduce -a all
check $flavour --machine "$(field machine)" --hosts 'h[0-5]'
down
echo "torus 2x3, $flavour: bytes times hops"
up --topology torus --dims 2x3 --rate 1gbit
measure $flavour allgather reduce_scatter -a all
check $flavour --machine "$(field machine)" --hosts 'h[0-5]' --links
down
echo "counters: passed"
