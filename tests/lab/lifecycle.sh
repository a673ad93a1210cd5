#!/usr/bin/env bash
# Labs come and go, and leave nothing behind: no links, no namespaces, no processes, no files.
#   lifecycle.sh BIN
. "$(dirname "$0")/common.sh"

# Names of devices and namespaces that labs have; seen from here there must be none of them.
visible() { { ls /sys/class/net /run/netns 2> /dev/null; } | grep -xE 'leaf[0-9]+|core|ctl|up[0-9]+|dn[0-9]+|[hc][0-9]+|switch[0-9]+|l[0-9]+-[0-9]+' || true; }
# The command lines of the processes of this test's labs. This script and its subshells carry the mark, too.
processes() {
    local file line
    for file in $(grep -lsxzF "BINE_TEST_LAB=$BINE_TEST_LAB" /proc/[0-9]*/environ); do
        line=$(tr '\0' ' ' 2> /dev/null < "${file%environ}cmdline") || continue
        case $line in
        '' | *lifecycle.sh*) ;;
        *) echo "$line" ;;
        esac
    done
}
# await COMMAND...: until it succeeds, a minute at most.
await() {
    local end=$((SECONDS + $(limit 60)))
    while [ $SECONDS -lt $end ]; do
        "$@" && return
        sleep 0.05
    done
    return 1
}
none() { [ -z "$(processes)" ]; }
sleeping() { [ "$(processes | grep -cxE '/[^ ]*sleep 1000 ')" -eq "$1" ]; }
dead() { [ "$(field state)" = dead ]; }

visible > "$work/before"
# gone WHAT: all is as before. The kernel may take a moment to end processes.
gone() {
    await none || fail "$1: processes are left: $(processes | head -n 5)"
    visible | cmp -s - "$work/before" || fail "$1: devices or namespaces are left: $(visible | tr '\n' ' ')"
    [ ! -e "/tmp/bine-lab-$(id -u)/$lab" ] || fail "$1: the folder is left"
}

for time in 1 2; do
    up --leaves 2,2
    visible | cmp -s - "$work/before" || fail "the lab shows outside: $(visible | tr '\n' ' ')"
    [ "$(run -- hostname 2> /dev/null | sort | tr '\n' ' ')" = "h0 h1 h2 h3 " ] || fail "four hosts, time $time"
    down
    gone "up and down, time $time"
done

# A lab that is up stays as it is; another one beside it has its own hosts.
up --leaves 2,2
"$bine" lab up --name "$lab" > "$work/out" 2>&1 && fail "a second lab of the same name"
"$bine" lab up --name "$lab-2" --topology ring --dims 3 > "$work/out" 2>&1 || fail "a second lab"
run -- sh -c 'sleep 1; hostname' 2> /dev/null | sort > "$work/one" &
one=$!
"$bine" lab run --name "$lab-2" -- hostname 2> /dev/null | sort > "$work/two"
wait $one || fail "two labs at once"
[ "$(tr '\n' ' ' < "$work/one")" = "h0 h1 h2 h3 " ] && [ "$(tr '\n' ' ' < "$work/two")" = "h0 h1 h2 " ] || fail "hosts of two labs at once"
"$bine" lab down --name "$lab-2" > "$work/out" 2>&1 || fail "down of the second lab"
[ "$(field state)" = up ] || fail "the first lab went with the second"

# The runner is killed: its ranks go with it, the lab stays and works.
"$bine" lab run --name "$lab" -- sleep 1000 > "$work/out" 2>&1 &
runner=$!
await sleeping 4 || fail "a run of four ranks: $(processes)"
kill -KILL $runner
wait $runner 2> /dev/null
await sleeping 0 || fail "kill -9 of the runner: its ranks are left"
[ "$(run -n 1 -- hostname 2> /dev/null)" = h0 ] || fail "the lab after kill -9 of a runner"

# A rank that is killed is not one that took too long.
run -n 1 --timeout "$(limit 100)" -- sh -c 'kill -KILL $$' > "$work/out" 2>&1
[ $? -eq 137 ] && ! grep -q 'not finished' "$work/out" || fail "a rank that is killed, with a timeout"
run -n 1 --timeout 1 -- sleep 1000 > "$work/out" 2>&1
[ $? -eq 124 ] && grep -q 'not finished after 1 s' "$work/out" || fail "a run that takes too long"

# `down` in the middle of a run.
"$bine" lab run --name "$lab" -- sleep 1000 > "$work/out" 2>&1 &
runner=$!
await sleeping 4 || fail "a run of four ranks: $(processes)"
down
wait $runner && fail "a run that was taken down ends well"
gone "down in the middle of a run"

# The keeper is killed: nothing is left but the folder, which status shows and up and down take away.
for after in up down; do
    up --leaves 2,2
    kill -KILL "$(field keeper)"
    await dead || fail "the state after kill -9 of the keeper"
    run -- hostname > "$work/out" 2>&1
    [ $? -eq 2 ] && grep -q "is not up" "$work/out" || fail "a run on a dead lab"
    [ $after = down ] || up --leaves 1,1
    down
    gone "kill -9 of the keeper, then $after"
done
echo "lifecycle: passed"
