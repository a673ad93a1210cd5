#!/usr/bin/env bash
# Simulated times of a machine with round numbers, against sums that were made by hand: rates.sh BINE
set -u
bine=$(realpath -e "$1") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
cat > round.machine <<'END'
name              round
topology          dragonfly
nic-gbits         80
pair-gbits        80
latency-us        1
latency-global-us 2
message-us        0.5
group a a[1-4]
group b b[1-4]
END

# is EXPECTED WORDS...: the microseconds of the one row that these words simulate.
is() {
    local expected=$1 got
    shift
    got=$("$bine" simulate --machine round.machine --format csv "$@" | awk -F, 'NR == 2 { printf "%.1f", 1e6 * $8 }')
    [ "$got" = "$expected" ] || { echo "FAILED: simulate $*: $got us, expected $expected"; failed=1; }
}

# copies BYTES WORDS...: what the rank with most of it copies, the last column.
copies() {
    local expected=$1 got
    shift
    got=$("$bine" simulate --machine round.machine --format csv "$@" | awk -F, 'NR == 2 { print $NF }')
    [ "$got" = "$expected" ] || { echo "FAILED: simulate $*: $got bytes copied, expected $expected"; failed=1; }
}

# One message of a million bytes at 10 GB/s: 0.5 us to post it, 100 us, 1 or 2 us of latency.
is 101.5 --hosts a1,a2 bcast -a linear -d char -m 1000000
is 102.5 --hosts a1,b1 bcast -a linear -d char -m 1000000
# The link between the groups is busy for 100 us of that.
"$bine" simulate --machine round.machine --hosts a1,b1 bcast -a linear -d char -m 1000000 --links links --format csv > /dev/null
grep -q '^bcast,linear,2,1000000,"a to b",1000000,0.976$' links || { echo "FAILED: links: $(cat links)"; failed=1; }
# Other jobs leave a tenth of the links between groups: 1,000 us there, and nothing changes inside a group.
is 1002.5 --hosts a1,b1 --busy 0.1 bcast -a linear -d char -m 1000000
is 101.5 --hosts a1,a2 --busy 0.1 bcast -a linear -d char -m 1000000
# The description may say it, too; the option comes first.
echo "busy 0.5" >> round.machine
is 202.5 --hosts a1,b1 bcast -a linear -d char -m 1000000
is 102.5 --hosts a1,b1 --busy 1 bcast -a linear -d char -m 1000000

# Inside a node one message goes as fast as one rank copies, 10 GB/s: 0.5 us to post it, 0.5 us of latency, 100 us. Two at once,
# each in a direction, are as fast as long as the node's memory takes both: 50 GB/s unless it is said. At 10 GB/s they share it.
is 101.0 --hosts 'a1*2' bcast -a linear -d char -m 1000000
is 101.5 --hosts 'a1*2' --in-place allgather -a ring -d char -m 2000000
echo "memory-gbytes 10" >> round.machine
is 101.0 --hosts 'a1*2' bcast -a linear -d char -m 1000000
is 201.5 --hosts 'a1*2' --in-place allgather -a ring -d char -m 2000000
# A rank's own half is copied, then the whole vector permuted: 500,000 bytes at 25 GB/s, within caches; of 1,000,000
# the first 524,288 at 25 GB/s, the rest at 10: 88.5 us; 200,000 and 400,000 at 25 GB/s: 24 us; 60 us where caches hold it all.
took() { "$bine" simulate --machine round.machine --hosts a1,a2 --in-place allgather -a bine-far:"$1" -d char -m "$2" --format csv | awk -F, 'NR == 2 { print 1e6 * $8 }'; }
more() { awk -v a="$(took permute "$2")" -v b="$(took blocks "$2")" -v e="$1" 'BEGIN { d = a - b - e; exit !(d > -0.06 && d < 0.06) }' ||
    { echo "FAILED: permuting $2 bytes: $(took permute "$2") us, expected $1 more than $(took blocks "$2")"; failed=1; }; }
more 88.54 1000000
more 24 400000
echo "cache-bytes 1000000" >> round.machine
more 60 1000000

# Permuted once, the whole vector; not at all around a ring. Elements count, not pieces.
copies 8000 --hosts 'a[1-4],b[1-4]' allgather -a bine-far:permute -d char -m 8000
copies 8000 --hosts 'a[1-4],b[1-4]' reduce_scatter -a bine-near:permute -d double -m 8000
copies 8000 --hosts 'a[1-4],b[1-4]' --predict allgather -a bine-far:permute -d char -m 8000
copies 0 --hosts 'a[1-4],b[1-4]' allgather -a ring -d char -m 8000

# On a torus each link after the first adds its latency: three links on.
cat > ring.machine <<'END'
name       ring
topology   torus
dims       8
nic-gbits  80
latency-us 1
hop-us     0.25
message-us 0.5
hosts      n[0-7]
END
mv ring.machine round.machine
is 101.5 --hosts n0,n1 bcast -a linear -d char -m 1000000
is 102.0 --hosts n0,n3 bcast -a linear -d char -m 1000000
is 101.8 --hosts n0,n6 bcast -a linear -d char -m 1000000
exit $failed
