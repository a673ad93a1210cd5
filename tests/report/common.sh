# For the tests of bine report and bine tune: sourced with BINE as the first argument.
. "$(dirname "$0")/../cli/common.sh"
cd "$work" || exit 2
# refuses EXPECTED ARGUMENT...: exit code 2, one line on stderr, nothing on stdout
refuses() {
    local expected=$1
    shift
    "$bine" report "$@" -o refused > stdout 2> stderr
    same "$* : exit code" 2 $?
    same "$*" "$expected" "$(cat stderr)"
    same "$* : stdout" "" "$(cat stdout)"
}
