#!/usr/bin/env bash
# Open MPI makes an allreduce of 8 bytes on 256 ranks of a reduce and a broadcast, which begins when rank 0 has the sum:
# 'bine predict --profile' counts the reduce as long as SimGrid takes for it, until its last rank is done. composed.sh BINE
set -uo pipefail
bine=$1 where="--machine leonardo --nodes 256 --placement fragmented"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
profile=$(dirname "$0")/../cli/profiles/small.json
# shellcheck disable=SC2086 # one word each
"$bine" predict --profile "$profile" $where --format csv > "$work/predicted" || exit 1
# shellcheck disable=SC2086
simulated=$("$bine" simulate $where reduce -m 8 -a binomial-near --format csv | awk -F, 'NR == 2 { print $8 }')
awk -F, -v simulated="$simulated" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { each[$(at["collective"])] = $(at["usual_seconds"]) / 100; name[$(at["collective"])] = $(at["usual_algorithm"]) }
    END {
        reduce = each["allreduce"] - each["bcast"]
        printf "%s %.3g s, of which the reduce %.3g s; SimGrid: %.3g s\n", name["allreduce"], each["allreduce"], reduce, simulated
        exit !(name["allreduce"] == "nonoverlapping" && reduce > 0.7 * simulated && reduce < 1.3 * simulated)
    }' "$work/predicted"
