#!/usr/bin/env bash
# A host's link is taken down in the middle of a run: it ends, with an error or when its time is up.
#   linkdown.sh openmpi|mpich BIN
flavour=$1
shift
. "$(dirname "$0")/common.sh"
limit=20 # seconds for the run; nothing is said about how long anything takes

up --leaves 2,2
keeper=$(field keeper)
inside=(nsenter --target "$keeper" --net)
[ "$(readlink /proc/self/ns/user)" = "$(readlink "/proc/$keeper/ns/user")" ] || inside+=(--user --preserve-credentials)
PATH=$PATH:/usr/sbin:/sbin

# More rounds than there is time for.
timeout --kill-after=10 $((limit + 60)) "$bine" lab run --name "$lab" --timeout $limit -- \
    "bine-bench-$flavour" allreduce -a bine-large -m 1M -i 1000000 > "$work/out" 2>&1 &
runner=$!
sent() { awk '/ up0:/ { print $10 }' "/proc/$keeper/net/dev"; }
for i in {1..400}; do # until the ranks have sent something between leaves
    [ "$(sent)" -lt 1000000 ] || break
    sleep 0.05
done
[ "$(sent)" -ge 1000000 ] || fail "the run does not get going"
"${inside[@]}" ip link set dev h3 down || fail "the link of h3 cannot be taken down"
wait $runner
status=$?
echo "the run ended with status $status"
[ $status -ne 0 ] || fail "a run without one of its hosts ends well"
[ $status -ne 137 ] || fail "the run did not end by itself"
down
echo "linkdown under $flavour: passed"
