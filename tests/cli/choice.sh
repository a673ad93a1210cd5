#!/usr/bin/env bash
# Where the model chooses, `bine choose` is the first row of `bine predict`, layout included: choice.sh BINE
# Algorithms whose bits may differ between ranks are never chosen.
set -u
bine=$1
failed=0
differ=$("$bine" list --format csv | awk -F, '/bits may differ/ { printf "%s/%s ", $1, $2 }')
cells=0
compare() { # COLLECTIVE BYTES WHERE...
    local c=$1 bytes=$2 chosen first
    shift 2
    chosen=$("$bine" choose "$c" --bytes "$bytes" "$@" --explicit --format csv | awk -F, 'NR == 2 { print ($7 ~ /MODEL/ ? "" : "not the model: ") $5 ":" $6 }')
    first=$("$bine" predict "$c" --bytes "$bytes" "$@" --first 3 --format csv |
        awk -F, -v not=" $differ " 'NR > 1 && !index(not, " " $1 "/" $2 " ") && !n++ { print $2 ":" $NF }')
    cells=$((cells + 1))
    [ "$chosen" = "$first" ] || { echo "FAILED: $c of $bytes, $*: chosen $chosen, predicted $first"; failed=1; }
}
for c in allreduce allgather reduce_scatter bcast reduce gather scatter alltoall; do
    for bytes in 4K 64K 1M 16M; do
        compare $c $bytes --machine lumi --hosts 'nid[005000-005003,005200-005206]'
        compare $c $bytes --machine leonardo --hosts 'lrdn[0001-0005,0300-0308,0700-0701]' --busy 0.05
        compare $c $bytes --machine marenostrum5-acc --hosts 'as01r1b[01-12],as02r1b[01-04]'
    done
done
# Groups are known, rates are not: usual ones are taken, the same in both.
for c in allreduce allgather reduce_scatter bcast reduce; do
    for bytes in 4K 64K 1M 16M; do compare $c $bytes --groups 9,4,3; done
done
echo "$cells choices"
exit $failed
