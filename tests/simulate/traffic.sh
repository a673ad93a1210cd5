#!/usr/bin/env bash
# The bytes on simulated links are those that 'bine traffic' counts: traffic.sh BINE
set -u
bine=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
compared=0
hosts='lrdn[0001-0007,0200-0203,0900-0904]'

# Between groups, by all algorithms of a collective. Elements of one byte, as traffic cuts bytes.
for c in bcast reduce allreduce gather scatter allgather alltoall reduce_scatter; do
    "$bine" traffic $c --machine leonardo --hosts "$hosts" --bytes 64K --format csv | tail -n +2 | cut -d, -f2,7 | sort > "$work/counted"
    "$bine" simulate $c --machine leonardo --hosts "$hosts" -m 64K -d char --links "$work/links" --format csv > "$work/simulated" || failed=1
    tail -n +2 "$work/simulated" | cut -d, -f2,11 | sort > "$work/crossed"
    # The same once more, from the links between cells.
    awk -F, '$5 ~ /^"cell.* to cell/ { sum[$2] += $6 } END { for (a in sum) print a "," sum[a] }' "$work/links" | sort > "$work/on-links"
    join -t, "$work/counted" "$work/crossed" > "$work/both"
    compared=$((compared + $(wc -l < "$work/both")))
    awk -F, -v c=$c '$2 != $3 { print "FAILED: " c " " $0; bad = 1 } END { exit bad }' "$work/both" || failed=1
    join -t, "$work/crossed" "$work/on-links" | awk -F, -v c=$c '$2 != $3 { print "FAILED: links of " c " " $0; bad = 1 } END { exit bad }' || failed=1
    [ -s "$work/both" ] && [ "$(wc -l < "$work/both")" -ge "$(wc -l < "$work/crossed")" ] || { echo "FAILED: $c: algorithms are missing"; failed=1; }
done

# The busiest link of a torus.
for a in bine-torus bucket-torus; do
    counted=$("$bine" traffic allreduce $a --machine fugaku --dims 4x4 --bytes 64K --links --format csv | awk -F, 'NR == 2 { print $NF }')
    "$bine" simulate allreduce -a $a --machine fugaku --dims 4x4 -m 64K -d char --links "$work/links" --format csv > /dev/null || failed=1
    simulated=$(awk -F, '/"torus node/ { if ($(NF - 1) > most) most = $(NF - 1) } END { print most + 0 }' "$work/links")
    compared=$((compared + 1))
    [ "$counted" = "$simulated" ] || { echo "FAILED: busiest link, $a: $counted counted, $simulated simulated"; failed=1; }
done

# The same run gives the same figures.
again() { "$bine" simulate allreduce -a bine --machine lumi --nodes 32 --placement "$1" --seed 3 -m 1K:1M --step 32 --format csv; }
for how in contiguous fragmented random; do
    cmp <(again $how) <(again $how) || failed=1
done

# Its files say where the ranks were, so that 'bine report' counts the same bytes.
for where in "--hosts $hosts" "--hosts $hosts --ranks-per-node 3" "--nodes 48 --placement random"; do
    # shellcheck disable=SC2086
    "$bine" simulate allreduce -a bine-group,ring --machine leonardo $where -m 48K -d char --csv "$work/sim.csv" --summary "$work/sim-summary.csv" > /dev/null || failed=1
    saved=$(awk -F, '/^allreduce/ { sent[$2] = $11 } END { printf "%.2f", 100 * (1 - sent["bine-group"] / sent["ring"]) }' "$work/sim-summary.csv")
    for words in "" "--machine leonardo"; do
        # shellcheck disable=SC2086
        reported=$("$bine" report "$work/sim.csv" -o "$work/report" --baseline ring --format csv $words 2>&1 | awk -F, '$3 == "ring" { print $12 } END { if (NR < 2) print }')
        [ "$reported" = "$saved" ] || { echo "FAILED: report of $where $words: saves '$reported', expected $saved"; failed=1; }
        compared=$((compared + 1))
    done
done
# Ranks of a group that stand apart: their sizes would say something else, so it takes the machine.
"$bine" simulate allreduce -a bine-group,ring --machine leonardo --hosts lrdn0001,lrdn0900,lrdn0002,lrdn0901 -m 48K --csv "$work/sim.csv" > /dev/null || failed=1
! grep '^# groups' "$work/sim.csv" || failed=1
"$bine" report "$work/sim.csv" -o "$work/report" --baseline ring > /dev/null || failed=1
echo "$compared numbers compared"
exit $failed
