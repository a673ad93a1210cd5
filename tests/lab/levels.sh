#!/usr/bin/env bash
# A lab of three levels: hosts, leaves, pods. The counters of the uplinks of each level show the least bytes that must cross
# between its groups, within 1 %: uneven leaves, ranks in order and not.
#   levels.sh FLAVOUR BIN
flavour=$1
shift
. "$(dirname "$0")/common.sh"
has "$flavour" || { echo "skipped: no bine-bench-$flavour"; exit 77; }
collectives=(allgather reduce_scatter allreduce bcast reduce gather scatter alltoall)
bytes=4M

# measure LEVEL HOSTS COLLECTIVE...: one call of each, as the counters of a level see it.
measure() {
    local level=$1 hosts=$2
    shift 2
    run --timeout "$(limit 100)" --level "$level" --hosts "$hosts" -- "bine-bench-$flavour" "$@" -a bine-group -m $bytes -i 1 -x 0 \
        --uplinks "$work/uplinks.csv" > "$work/out" 2>&1 || fail "a run under $flavour, level $level: $*"
}

# bounds LEVEL HOSTS: COLLECTIVE and the least bytes between the groups of that level.
bounds() {
    local collective
    for collective in "${collectives[@]}"; do
        "$bine" traffic "$collective" bine-group --machine "$(field machine)" --hosts "$2" --bytes $bytes --levels --format csv |
            awk -F, -v level="$1" '$4 == level { print $1, $8 }'
    done
}

# judge: a line for each collective; OFF where the payload is more than 1 % from the bound.
judge() {
    awk -F'[ ,]' 'FILENAME == ARGV[1] { bound[$1] = $2; next }
        /^#/ || $1 == "collective" { next }
        {
            kind = $1; sub(/_block$/, "", kind)
            off = 100 * ($8 / bound[kind] - 1); seen++
            word = ""
            if (off > 1 || off < -1) { word = "OFF: "; bad++ }
            printf "%s%s: %d bytes crossed, at least %d must: %+.2f %%\n", word, $1, $8, bound[kind], off
        }
        END { exit bad > 0 || seen == 0 }' "$work/bounds" "$work/uplinks.csv" > "$work/judged"
}

# check LEVEL HOSTS: when this computer stalls, TCP sends some packets twice, and the counters see both. So what is off is
# measured again, twice at most: a wrong schedule stays off.
check() {
    local level=$1 hosts=$2 again=("${collectives[@]}")
    echo "level $level, hosts $hosts, $flavour:"
    bounds "$level" "$hosts" > "$work/bounds"
    [ "$(wc -l < "$work/bounds")" -eq ${#collectives[@]} ] || fail "bounds of level $level"
    for _ in 1 2 3; do
        measure "$level" "$hosts" "${again[@]}"
        judge && { cat "$work/judged"; return; }
        cat "$work/judged"
        mapfile -t again < <(sed -n 's/^OFF: \([a-z_]*\):.*/\1/p' "$work/judged" | sed 's/_block$//' | sort -u)
        [ ${#again[@]} -gt 0 ] || break
    done
    fail "level $level: the counters are not at the bound"
}

up --leaves '(3,2),(2,1)' --rate 1gbit
[ "$(field shape)" = "(3+2)+(2+1)" ] || fail "shape $(field shape)"
for level in 1 2; do check $level 'h[0-7]'; done
# In another order, one host left out.
for level in 1 2; do check $level 'h[5,0,7,2,3,1,6]'; done
run --level 3 -- true > "$work/out" 2>&1 && fail "--level 3 of a lab of two"
grep -q 'no such uplinks' "$work/out" || fail "what --level 3 says"
down
echo "levels: passed"
