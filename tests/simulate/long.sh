#!/usr/bin/env bash
# Replays against the real library, as docs/systems.md has it: long.sh BINE ['NODES|DIMS BYTES [COLLECTIVE...]'...]
# All results are checked, all bytes are the same, and times are within 1 %. The table at the end says how far they are apart.
set -u
bine=$1
shift
agree=$(dirname "$0")/agree.sh
[ -e "$(dirname "$bine")/../lib/libbine-bench-smpi.so" ] || { echo "skipped: SimGrid's MPI is not there"; exit 0; }
# The third: reductions in parts of 256 KiB.
[ $# -gt 0 ] || set -- "64 4K" "64 64K" "64 1M allreduce reduce bcast reduce_scatter" "256 4K" "4x4x4 4K" "4x4x4 64K"
said=$(mktemp) || exit 2
trap 'rm -f "$said" "$said.part"' EXIT
failed=0
for run in "$@"; do
    # shellcheck disable=SC2086 # words
    "$agree" "$bine" $run > "$said.part" || failed=1
    cat "$said.part"
    sed "s/^/$run: /" "$said.part" >> "$said"
done
awk -F': ' '
    / algorithms, right/ {
        split($1, words, " ")
        run = words[1] " ranks, " words[2]
        if (!(run in seen)) { seen[run] = 1; runs[++n] = run }
        if (!($2 in known)) { known[$2] = 1; names[++m] = $2 }
        count = $3; sub(/ .*/, "", count)
        worst = $3; sub(/.*at most /, "", worst); sub(/ % apart.*/, "", worst)
        cell[$2, run] = worst " % (" count ")"
    }
    END {
        printf "\n| collective |"; for (i = 1; i <= n; i++) printf " %s |", runs[i]; printf "\n|---|"
        for (i = 1; i <= n; i++) printf "---|"
        for (k = 1; k <= m; k++) {
            printf "\n| %s |", names[k]
            for (i = 1; i <= n; i++) printf " %s |", (names[k], runs[i]) in cell ? cell[names[k], runs[i]] : ""
        }
        print ""
    }' "$said"
exit $failed
