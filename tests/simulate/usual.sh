#!/usr/bin/env bash
# The usual algorithms of Open MPI in `bine predict --profile` are those that SimGrid's selector ompi takes, which has Open MPI's rules
# in its own words: a collective takes as long as with that algorithm alone, but for the barrier before it, which is another one then.
#   usual.sh BINE RANKS [COLLECTIVE...]
set -uo pipefail
bine=$1 ranks=$2
shift 2
[ $# -gt 0 ] || set -- allreduce bcast reduce allgather alltoall gather scatter
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
# COLLECTIVE/NAME in Open MPI, and SimGrid's name of it. In SimGrid segmented_ring is in segments, Open MPI's rules have none: left out.
cat > "$work/names" <<'END'
allreduce/nonoverlapping redbcast
allreduce/recursive_doubling rdb
allreduce/ring lr
allreduce/rabenseifner rab_rdb
bcast/basic_linear NTSL
bcast/pipeline ompi_pipeline
bcast/split_binary_tree ompi_split_bintree
bcast/binary_tree NTSB
bcast/binomial binomial_tree
bcast/knomial mvapich2_knomial_intra_node
bcast/scatter_allgather scatter_rdb_allgather
reduce/linear ompi_basic_linear
reduce/chain ompi_chain
reduce/pipeline ompi_pipeline
reduce/binary ompi_binary
reduce/binomial ompi_binomial
reduce/in-order_binary ompi_in_order_binary
allgather/bruck bruck
allgather/recursive_doubling rdb
allgather/ring ring
allgather/neighbor ompi_neighborexchange
alltoall/linear basic_linear
alltoall/pairwise pair
alltoall/modified_bruck bruck
alltoall/linear_sync basic_linear
gather/basic_linear ompi_basic_linear
gather/binomial ompi_binomial
gather/linear_sync ompi_linear_sync
scatter/basic_linear ompi_basic_linear
scatter/binomial ompi_binomial
scatter/linear_nb ompi_linear_nb
END
sizes="512 4096 32768 262144 2097152"

profile() { # COLLECTIVE RANKS: a profile with a row for each size.
    local bytes separator=
    printf '{"format": "bine-profile", "version": 1, "bine": "0", "mpi": "Open MPI", "off": true, "ranks": %d, "recorded": %d, "finished": %d, "seconds": 1, ' "$2" "$2" "$2"
    printf '"collectives": {"mean": 1, "slowest": 1}, "clock_error": 0, "others": {"calls": 0, "seconds": 0}, "nodes": [{"ranks": %d}], ' "$2"
    printf '"communicators": [{"ranks": %d, "kind": "world", "made": 1}], "rows": [' "$2"
    for bytes in $sizes; do
        printf '%s{"communicator": 0, "collective": "%s", "form": "blocking", "bytes_from": %d, "bytes_mean": %d, "datatype": "integer", "root": 0, "by": "mpi", "calls": 1, ' "$separator" "$1" "$bytes" "$bytes"
        printf '"recorded": %d, "samples": 0, "seconds_mean": 1, "seconds_slowest": 1, "seconds_least": 1, "longest": 1}' "$2"
        separator=', '
    done
    printf ']}\n'
}

# smpi COLLECTIVE RANKS SELECTOR: bytes and seconds, a line each.
smpi() {
    "$bine" simulate --machine leonardo --nodes "$2" --engine smpi --selector "$3" "$1" -a mpi -m 512:2M --step 8 -i 1 -x 1 --format csv 2> "$work/err" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i; next } !/^#/ && NF > 5 { print $n["bytes"], $n["seconds"] }' | sort -n
}

for c in "$@"; do
    profile "$c" "$ranks" > "$work/profile.json"
    "$bine" predict --profile "$work/profile.json" --machine leonardo --nodes "$ranks" --format csv |
        awk -F, -v c="$c" 'NR > 1 && $1 == c { sub(/~/, "", $7); print $3, $7 }' | sort -n > "$work/usual"
    smpi "$c" "$ranks" ompi > "$work/selected"
    checked=0
    for name in $(awk '{ print $2 }' "$work/usual" | sort -u); do
        theirs=$(awk -v name="$c/$name" '$1 == name { print $2 }' "$work/names")
        [ -n "$theirs" ] || continue
        smpi "$c" "$ranks" "$c:$theirs" > "$work/forced"
        while read -r bytes; do
            selected=$(awk -v b="$bytes" '$1 == b { print $2 }' "$work/selected")
            forced=$(awk -v b="$bytes" '$1 == b { print $2 }' "$work/forced")
            checked=$((checked + 1))
            awk -v a="$selected" -v b="$forced" 'BEGIN { exit !(a > 0 && a < 1.02 * b && b < 1.02 * a) }' || { echo "FAILED: $c, $ranks ranks, $bytes bytes: $name ($theirs) takes $forced s, what SimGrid chooses $selected s"; failed=1; }
        done < <(awk -v name="$name" '$2 == name { print $1 }' "$work/usual")
    done
    echo "$c, $ranks ranks: $checked sizes"
    [ "$checked" -gt 0 ] || failed=1
done
exit $failed
