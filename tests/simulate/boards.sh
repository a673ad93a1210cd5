#!/usr/bin/env bash
# Boards are replayed as memory traffic: boards.sh BINE
set -u
bine=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
seconds() { "$bine" simulate --machine leonardo "$@" --format csv | awk -F, 'NR == 2 { print $8 }'; }
is() { # WHAT GOT EXPECTED
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > b * 0.9999 && a < b * 1.0001) }' || fail "$1: $2 seconds, $3 expected"
}
# Leonardo copies 10 GB/s, the first 524,288 bytes 25 GB/s: 1 MB takes 68.5427 us. It adds up 6 GB/s, and others of a node see a
# publication after 0.5 us.
node="--hosts lrdn0001 --ranks-per-node"
# The root copies 1 MB, the other one reads it.
is "bcast board-flat" "$(seconds $node 2 bcast -a board-flat -m 1000000)" 137.585e-6
# Nothing is copied: the other one reads it from where it lies.
is "bcast board-direct" "$(seconds $node 2 bcast -a board-direct -m 1000000)" 69.0427e-6
# Everyone publishes, reads the first vector and adds the three others to it.
is "allreduce board-flat" "$(seconds $node 4 allreduce -a board-flat -m 1000000)" 637.585e-6

# Every algorithm on boards comes to an end, and what it reads and writes counts as memory traffic.
# (Those of barriers move nothing.)
rows=$("$bine" simulate --machine leonardo $node 9 -a board -m 9K --links "$work/links" --format csv | tail -n +2 | grep -vc '^barrier,')
counted=$(grep -c 'memory of the node' "$work/links")
[ "$rows" -ge 23 ] && [ "$rows" = "$counted" ] || fail "$rows algorithms on boards, $counted with memory traffic"

# Inside nodes, with messages between them: what crosses stays as it is, and it is faster. Reduce and reduce_scatter are compared
# with a third of the bytes: messages inside a node keep no processor busy here, publications do, and from about 70 KB on that is
# more than the steps which boards save.
for c in bcast reduce allreduce allgather alltoall reduce_scatter gather scatter; do
    case $c in reduce | reduce_scatter) bytes=30K ;; *) bytes=90K ;; esac
    place="--hosts lrdn[0001-0002,0300-0302] --ranks-per-node 6 $c -a bine-group -m $bytes -d char"
    crossed() { "$bine" simulate --machine leonardo $place "$@" --format csv | awk -F, 'NR == 2 { print $11, $8 }'; }
    without=$(crossed) with=$(crossed --boards)
    [ "${with% *}" = "${without% *}" ] || fail "$c: ${with% *} bytes between groups with boards, ${without% *} without"
    [ $c = alltoall ] || awk -v a="${with#* }" -v b="${without#* }" 'BEGIN { exit !(a <= b) }' || fail "$c: ${with#* } with boards, ${without#* } without"
done
exit $failed
