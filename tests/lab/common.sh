# For the tests of labs: sourced with BIN (the folder of the programs) as the first argument.
set -uo pipefail
bin=$1
bine=$bin/bine
lab=check-$$
work=$(mktemp -d)
export BINE_TEST_LAB=$lab.$RANDOM # every process of these labs has it in its environment
finish() {
    "$bine" lab down --name "$lab" > /dev/null 2>&1
    "$bine" lab down --name "$lab-2" > /dev/null 2>&1
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' TERM INT HUP

fail() {
    echo "FAILED: $1"
    [ ! -e "$work/out" ] || tail -n 30 "$work/out"
    exit 1
}

# up OPTION...: the lab, or the end of the test where there can be none.
up() {
    "$bine" lab up --name "$lab" "$@" > "$work/out" 2>&1 && return
    if grep -q 'does not allow labs' "$work/out"; then
        echo "skipped: $(grep 'does not allow labs' "$work/out")"
        exit 77
    fi
    fail "bine lab up $*"
}

run() { "$bine" lab run --name "$lab" "$@"; }
# limit SECONDS: on a slow machine more of them (tests/slow).
limit() { echo $(($1 * ${BINE_TEST_SLOW:-1})); }
down() { "$bine" lab down --name "$lab" > "$work/out" 2>&1 || fail "bine lab down"; }
# field NAME: of the lab's status.
field() {
    "$bine" lab status --name "$lab" --format csv |
        awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i } NR == 2 { print $n }'
}
has() { [ -x "$bin/bine-bench-$1" ]; }
