#!/usr/bin/env bash
# Replays and the real library on SimGrid's MPI agree: [MACHINE=M] [PORTS=N] agree.sh BINE [NODES | DIMS [BYTES [COLLECTIVE...]]]
# Results are checked, with real data; times are within 1 %; bytes are the same. bine-bench makes every call once before it
# measures: it sends twice what a replay does. Every algorithm of the catalogue runs that serves and has no boards.
set -u
bine=$1
where=${2:-16}
bytes=${3:-4K}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- bcast reduce allreduce gather scatter allgather alltoall reduce_scatter \
    barrier scan exscan allgatherv alltoallv gatherv scatterv
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
touch "$work/begin"
failed=0
case $where in
*x*)
    place="--machine fugaku --dims $where"
    ports="--ports ${PORTS:-1}"
    ;;
*) place="--machine ${MACHINE:-leonardo} --nodes $where --placement fragmented --seed 2" ports= ;;
esac
key() { tail -n +2 | grep -v -e ',mpi,' -e '^#' | awk -F, '{ print $1 "," $2 " " $8 }' | sort; }
for c in "$@"; do
    a=all
    case $c in gatherv | scatterv) a=linear ;; esac # others send sizes first, which a replay does not
    # shellcheck disable=SC2086 # words
    "$bine" simulate $place $ports $c -a $a -m "$bytes" --links "$work/links" --format csv > "$work/out" 2> "$work/err" ||
        { echo "FAILED: replay of $c: $(tail -1 "$work/err")"; failed=1; }
    key < "$work/out" > "$work/replayed"
    # "all" has SimGrid's own collective among them. Its scan takes hours on 256 ranks: there the same ones, by name.
    case $c in *scan) a=$(sed 's/^[^,]*,//; s/ .*//' "$work/replayed" | paste -sd,) ;; esac
    rm -f "$work/sent"
    # shellcheck disable=SC2086 # words
    SIMULATED_SENT=$work/sent "$bine" simulate $place --engine smpi $ports $c -a $a -m "$bytes" -i 1 -x 0 -c --format csv > "$work/out" 2> "$work/err" ||
        { echo "FAILED: $c: $(tail -1 "$work/err")"; failed=1; }
    key < "$work/out" > "$work/run"
    join "$work/replayed" "$work/run" | awk -v c="$c" '
        { n++; d = $2 > $3 ? $2 / $3 - 1 : $3 / $2 - 1; if (d > most) { most = d; which = $1 }
          if (d > 0.01) { print "FAILED: " $1 ": replayed " $2 ", run " $3; bad = 1 } }
        END { printf "%s: %d algorithms, right, at most %.2f %% apart (%s)\n", c, n, 100 * most, which; exit bad || n == 0 }' || failed=1
    replayed=$(awk -F, '/"out of/ { sum += $(NF - 1) } END { printf "%d", 2 * sum }' "$work/links")
    run=$(awk '{ sum += $1 } END { printf "%d", sum }' "$work/sent")
    [ "$replayed" = "$run" ] || { echo "FAILED: $c: $run bytes sent, $replayed expected"; failed=1; }
    [ "$(wc -l < "$work/replayed")" = "$(wc -l < "$work/run")" ] || { echo "FAILED: $c: not the same algorithms"; failed=1; }
done
left=$(find /tmp -maxdepth 1 -name 'bine-hosts*' -newer "$work/begin" | wc -l) # a list of hosts for smpirun, once a run
[ "$left" -eq 0 ] || { echo "FAILED: $left lists of hosts are left in /tmp"; failed=1; }
exit $failed
