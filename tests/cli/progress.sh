#!/usr/bin/env bash
# Progress: on a terminal a share of the work in per cent; elsewhere nothing.
#   progress.sh BINE
. "$(dirname "$0")/common.sh"
command -v script > /dev/null || { echo "skipped: no script(1), which makes a terminal"; exit 77; }
cd "$work" || exit 2
# shows PATTERN ARGUMENT...
shows() {
    script -qec "'$bine' ${*:2}" /dev/null < /dev/null > shown
    tr '\r' '\n' < shown > lines
    grep -qE "$1" lines || { echo "FAILED: bine ${*:2} shows no '$1' on a terminal"; cat lines; failed=1; }
    "$bine" "${@:2}" > /dev/null 2> said
    same "bine ${*:2}, elsewhere" "" "$(cat said)"
}
shows 'checked [0-9]+ of 40 schedules: [0-9]+ %' check allreduce bine-small --ranks 2-41 --layout blocks
shows 'ring 1 KiB: 0 %' predict allreduce ring --groups 4,4 --bytes 1K,1M
shows 'ring 1 MiB: 50 %' predict allreduce ring --groups 4,4 --bytes 1K,1M
exit $failed
