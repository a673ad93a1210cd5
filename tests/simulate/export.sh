#!/usr/bin/env bash
# Every export, read back, has the messages that 'bine show' prints: export.sh BINE [EVERY]
# EVERY: a number; of 7, only every seventh algorithm is tried, as with sanitizers, where each takes long.
# Blocks are given 1024 bytes each, so that bytes tell how many there are.
set -u
bine=$1 every=${2:-1} seen=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
cases=0

# "FROM TO BLOCKS TRANSFERS", a line for each operation; from the sends of 'bine show --format csv'.
shown() {
    awk 'function pieces(text, part, n, i, ends) {
            sum = 0
            gsub(/"/, "", text)
            n = split(text, part, /[ ,]/)
            for (i = 1; i <= n; i++)
                sum += split(part[i], ends, "-") == 2 ? ends[2] - ends[1] + 1 : 1
            return sum
        }
        NR > 1 {
            line = $0
            while (match(line, /"[^"]*"/)) { # commas inside quotes
                inside = substr(line, RSTART + 1, RLENGTH - 2)
                gsub(/,/, " ", inside)
                line = substr(line, 1, RSTART - 1) inside substr(line, RSTART + RLENGTH)
            }
            split(line, f, ",")
            if (f[3] == "send")
                print f[1], f[4], pieces(f[7]), (f[12] > 0 ? f[12] : 1) # of a barrier: one without blocks
        }'
}

# The same from each format, a line for each transfer: of sends, then of receives, which must be the same.
goal() {
    awk -v kind="$1" '$1 == "rank" { rank = $2 }
        $2 == kind { sub(/b$/, "", $3); print (kind == "send" ? rank " " $5 : $5 " " rank), $3 / 1024, 1 }'
}
ti() {
    awk -v kind="i$1" '$2 == kind { print (kind == "isend" ? $1 " " $3 : $3 " " $1), $5 / 1024, 1 }'
}
# Chunks come one by one; transfers cannot be told.
msccl() {
    awk -v kind="$1" -F'"' '/<gpu / { rank = $2 }
        /<tb / { peer = kind == "send" ? $4 : $6 }
        /<step / && (kind == "send" ? $4 == "s" : $4 ~ /^r(rc)?$/) {
            print (kind == "send" ? rank " " peer : peer " " rank), $14, 0
        }'
}
summed() { # for each pair; with "chunks", only these
    awk -v only="${1:-}" '{ sum[$1 " " $2] += $3; n[$1 " " $2] += $4 }
        END { for (pair in sum) print pair, sum[pair], only == "" ? n[pair] : "" }' | sort
}

try() { # COLLECTIVE ALGORITHM OPTION...
    local format kind blocks
    # Of a pipeline, show takes 4 segments, and export what suits the size.
    "$bine" show "$@" --rank 0 --segments 4 > "$work/pipeline" 2>&1 && set -- "$@" --segments 4
    blocks=$("$bine" show "$@" --rank 0 | sed -n '1s/.* \([0-9]*\) blocks\{0,1\}$/\1/p')
    "$bine" show "$@" --format csv | shown > "$work/shown" || return
    [ -s "$work/shown" ] || { echo "$*: shows no messages"; failed=1; }
    for format in goal ti msccl; do
        [ "$1-$format" != barrier-msccl ] || continue # it has no chunks
        local only=
        [ $format = msccl ] && only=chunks
        summed $only < "$work/shown" > "$work/expected"
        "$bine" export "$@" --format $format --bytes $((1024 * blocks)) -o "$work/exported" || failed=1
        for kind in send recv; do
            $format $kind < "$work/exported" | summed $only > "$work/got"
            cases=$((cases + 1))
            cmp -s "$work/expected" "$work/got" || { echo "FAILED: $*: $format has other messages ($kind)"; failed=1; }
        done
    done
}

while IFS=, read -r collective algorithm _ ranks _; do
    case $collective-$algorithm in
    *-linear) ;;
    gatherv-* | scatterv-*) continue ;; # refused: sizes are sent first
    esac
    seen=$((seen + 1))
    [ $((seen % every)) -eq 0 ] || continue
    case $ranks in
    *board*) ;; # no messages
    *groups*) try "$collective" "$algorithm" --groups 5,3 ;;
    *dims*) try "$collective" "$algorithm" --dims 2x4 ;;
    any*) try "$collective" "$algorithm" --ranks 13 ;;
    *) try "$collective" "$algorithm" --ranks 8 ;;
    esac
done < <("$bine" list --format csv | tail -n +2)
echo "$cases lists of messages compared"
exit $failed
