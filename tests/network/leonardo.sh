#!/usr/bin/env bash
# The published saving of every power-of-two job on Leonardo, to the last digit: leonardo.sh BINE
#
# The data is not part of the project: exit 77, which ctest counts as skipped, where it is not there.
set -euo pipefail
bine=${1:?usage: leonardo.sh BINE}
data=$(cd "$(dirname "$0")/../.." && pwd)/../shared/data/leonardo
data=${BINE_TEST_DATA:-$data}
[ -r "$data/jobs.tar.gz" ] || {
    echo "skipped: $data/jobs.tar.gz is not there"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bine" traffic allreduce bine-large --machine leonardo --jobs "$data/jobs.tar.gz" --baseline rabenseifner \
    --format csv > "$work/ours" 2> "$work/skipped"
# Ranks, groups and saving of the jobs whose rank count is a power of two, as numbers.
pow2() { awk -F, -v r="$1" -v g="$2" -v s="$3" 'NR > 1 { n = $r; while (n % 2 == 0) n /= 2; if (n == 1) printf "%d %d %.2f\n", $r, $g, $s }' "$4"; }
pow2 2 3 7 "$work/ours" > "$work/got"
pow2 1 2 3 "$data/allreduce_reduction_published.csv" > "$work/expected"
diff "$work/expected" "$work/got" > "$work/diff" || {
    echo "FAILED: the savings differ:"
    head -n 20 "$work/diff"
    exit 1
}
# The machine file against the table that it was made from.
awk '{ print "lrdn" $2, "cell" $6 }' "$data/nodes.txt" > "$work/nodes.map"
"$bine" traffic allreduce bine-large --machine "$work/nodes.map" --jobs "$data/jobs.tar.gz" --baseline rabenseifner \
    --format csv 2> /dev/null | cmp - "$work/ours" || {
    echo "FAILED: machines/leonardo.machine is not what nodes.txt says"
    exit 1
}
echo "$(wc -l < "$work/got") jobs as published"
[ "$(wc -l < "$work/got")" -eq 1116 ]
