#!/usr/bin/env bash
# With --early a simulation has the model's rules: a small message arrives whether or not its receive is posted, and a rank takes one
# every message-us. So 'bine predict' and SimGrid, which share no code that counts time, must agree: early.sh BINE
# Every algorithm that serves, 4 KiB, 16 nodes. What is left: a reduction adds up while other messages come, which the model puts after
# them; rates of links are shared in another way. Without --early a direct gather waits for its receives one after the other.
set -u
bine=$1
failed=0
for c in bcast reduce gather scatter allreduce allgather alltoall reduce_scatter barrier; do
    "$bine" simulate --machine leonardo --nodes 16 --placement fragmented --seed 2 "$c" -a all -m 4K --early --predict --format csv |
        awk -F, -v c="$c" 'BEGIN { limit = c == "reduce" ? 0.07 : 0.025 }
            /^[a-z_]+,/ && $1 != "collective" { n++; d = $12 > $8 ? $12 / $8 - 1 : $8 / $12 - 1; if (d > most) { most = d; which = $2 }
                if (d > limit) { print "FAILED: " c " " $2 ": simulated " $8 ", predicted " $12; bad = 1 } }
            END { printf "%s: %d algorithms, at most %.1f %% apart (%s)\n", c, n, 100 * most, which; exit bad || n == 0 }' || failed=1
done
exit $failed
