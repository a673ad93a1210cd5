# For tests of the command line: sourced with BINE as the first argument. They run in a folder of their own, which goes at
# the end, and count on `failed` as their exit code.
set -uo pipefail
bine=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# same NAME EXPECTED GOT
same() {
    [ "$2" = "$3" ] && return
    echo "FAILED: $1"
    diff <(echo "$2") <(echo "$3")
    failed=1
}
