#!/usr/bin/env bash
# A prediction that would need more memory than most computers have: 64 MiB on 1,024 ranks in 256 segments.
#   memory.sh BINE
. "$(dirname "$0")/common.sh"
ulimit -v $((2 << 20)) # KiB
"$bine" predict allreduce ring-segmented --groups 256,256,256,256 --bytes 64M --format csv > "$work/out" 2> "$work/err"
same "exit code" 0 $?
same "stderr" "" "$(cat "$work/err")"
same "rows" 2 "$(wc -l < "$work/out")"
exit $failed
