#!/usr/bin/env bash
# A host's link is taken down in the middle of a run: it ends, with an error or when its time is up.
#   linkdown.sh openmpi|mpich BIN
flavour=$1
shift
. "$(dirname "$0")/common.sh"
PATH=$PATH:/usr/sbin:/sbin

sent() { awk '/ up0:/ { print $10 }' "/proc/$keeper/net/dev"; }

# Time to get going, which takes longer on a slow machine, and time to see that the link is down.
seconds=$((10 + $(limit 10)))

up --leaves 2,2
keeper=$(field keeper)
inside=(nsenter --target "$keeper" --net)
[ "$(readlink /proc/self/ns/user)" = "$(readlink "/proc/$keeper/ns/user")" ] || inside+=(--user --preserve-credentials)
# More rounds than there is time for.
timeout --kill-after=10 $((seconds + $(limit 40))) "$bine" lab run --name "$lab" --timeout $seconds -- \
    "bine-bench-$flavour" allreduce -a bine-large -m 1M -i 1000000 > "$work/out" 2>&1 &
runner=$!
while kill -0 $runner 2> /dev/null && [ "$(sent)" -lt 1000000 ]; do sleep 0.05; done
[ "$(sent)" -ge 1000000 ] || fail "the run does not get going in $seconds s"
"${inside[@]}" ip link set dev h3 down || fail "the link of h3 cannot be taken down"
wait $runner
status=$?
[ $status -ne 0 ] || fail "a run without one of its hosts ends well"
[ $status -ne 137 ] || fail "the run did not end by itself"
down
echo "the run ended with status $status"
echo "linkdown under $flavour: passed"
