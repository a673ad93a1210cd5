#!/usr/bin/env bash
# Replays against the real library, at the sizes that docs/systems.md speaks of: long.sh BINE. All results are checked.
set -u
bine=$1
agree=$(dirname "$0")/agree.sh
failed=0
[ -e "$(dirname "$bine")/../lib/libbine-bench-smpi.so" ] || { echo "skipped: SimGrid's MPI is not there"; exit 0; }
try() { echo "== $*"; "$agree" "$bine" "$@" || failed=1; }
try 64 4K
try 64 64K
try 64 1M allreduce reduce bcast reduce_scatter # reductions in parts of 256 KiB
try 4x4x4 4K
try 256 4K
exit $failed
