#!/usr/bin/env bash
# A host's link is taken down in the middle of a run: it ends, with an error or when its time is up.
#   linkdown.sh openmpi|mpich BIN
flavour=$1
shift
. "$(dirname "$0")/common.sh"
PATH=$PATH:/usr/sbin:/sbin

sent() { awk '/ up0:/ { print $10 }' "/proc/$keeper/net/dev"; }

# attempt SECONDS: 1 if the ranks have not sent anything between leaves in this time, on a slow computer.
attempt() {
    up --leaves 2,2
    keeper=$(field keeper)
    inside=(nsenter --target "$keeper" --net)
    [ "$(readlink /proc/self/ns/user)" = "$(readlink "/proc/$keeper/ns/user")" ] || inside+=(--user --preserve-credentials)
    # More rounds than there is time for.
    timeout --kill-after=10 $(($1 + 40)) "$bine" lab run --name "$lab" --timeout "$1" -- \
        "bine-bench-$flavour" allreduce -a bine-large -m 1M -i 1000000 > "$work/out" 2>&1 &
    runner=$!
    while kill -0 $runner 2> /dev/null && [ "$(sent)" -lt 1000000 ]; do sleep 0.05; done
    going=$(($(sent) >= 1000000))
    "${inside[@]}" ip link set dev h3 down || fail "the link of h3 cannot be taken down"
    wait $runner
    status=$?
    [ $status -ne 0 ] || fail "a run without one of its hosts ends well"
    [ $status -ne 137 ] || fail "the run did not end by itself"
    down
    [ $going = 1 ]
}

attempt 15 || attempt 60 || fail "the run does not get going"
echo "the run ended with status $status"
echo "linkdown under $flavour: passed"
