#!/usr/bin/env bash
# Tables and help as text fit a terminal of 100 columns.
#   tests/cli/width.sh BINE
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2
fits() {
    local widest
    "$bine" "$@" > out 2> /dev/null || { echo "FAILED: bine $*: exit code $?"; failed=1; }
    widest=$(awk '{ if (length($0) > length(most)) most = $0 } END { print most }' out)
    [ ${#widest} -le 100 ] && return
    echo "FAILED: bine $*: ${#widest} columns: $widest"
    failed=1
}
for command in list show draw check distance traffic machines report lab choose info preload predict explore tune simulate export; do fits "$command" --help; done
fits list
fits choose --list
fits distance --ranks 2-100
fits distance --ranks 4096 --each
fits machines
fits machines lumi
fits info
for collective in $("$bine" list --format csv | cut -d, -f1 | sed 1d | sort -u); do
    fits list "$collective"
    fits traffic "$collective" --dims 4x4x8 --links
    fits traffic "$collective" --groups 5,5,6 --baseline "$("$bine" list "$collective" --format csv | sed -n "2s/[^,]*,\([^,]*\),.*/\1/p")"
done
mkdir jobs
for i in 1 2 3; do printf 'lrdn000%d\nlrdn0999\nlrdn0500\nlrdn0501\n' "$i" > "jobs/1485785$i.txt"; done
fits traffic allreduce bine-large-two recursive-multiplying-3 --machine leonardo --jobs jobs --baseline rabenseifner
for bytes in 8 16777216; do
    for algorithm in bine-large recursive-doubling; do echo "reduce_scatter,$algorithm,openmpi-4.1.4,4,$bytes,$([ $algorithm = bine-large ] && echo 3e-6 || echo 1e-3)"; done
done | sed '1i collective,algorithm,mpi,ranks,bytes,seconds' | sed 's/bine-large/bine-near/; s/recursive-doubling/recursive-halving/' > times.csv
fits report times.csv --groups 2,2
[ "$failed" -eq 0 ] && echo "width: passed"
exit "$failed"
