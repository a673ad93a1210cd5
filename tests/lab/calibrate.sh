#!/usr/bin/env bash
# Rates and bursts that the lab was given are found by bine-bench --calibrate, within 10 %, and the file it writes can be used.
#   calibrate.sh BIN
. "$(dirname "$0")/common.sh"
flavour=openmpi
has openmpi || flavour=mpich
up --leaves 4,3 --rate 40mbit --uplink 60mbit
run --timeout "$(limit 100)" -- "bine-bench-$flavour" --calibrate "$work/found.machine" --groups 4,3 > "$work/out" 2>&1 || fail "calibration"
cp "$work/found.machine" "$work/out"
# within KEY GBITS: what was found is that, -+ 10 %
within() {
    awk -v key="$1" -v set="$2" '$1 == key { found = 1; if ($2 < 0.9 * set || $2 > 1.1 * set) exit 1 } END { if (!found) exit 1 }' "$work/found.machine" ||
        fail "$1: expected $2, within 10 %"
}
within nic-gbits 0.04
within uplink-gbits 0.06
within nic-burst 18100
grep -q '^eager [1-9]' "$work/found.machine" || fail "no eager limit"
grep -q '^latency-us [0-9]' "$work/found.machine" || fail "no latency"
"$bine" predict allreduce --machine "$work/found.machine" --hosts 'h[0-6]' --bytes 1M --first 1 > "$work/out" 2>&1 || fail "bine predict by the file"
# What comes again is chosen by the model, with this file: a lab has a BINE_MACHINE of its own.
run --timeout "$(limit 60)" --mpi "$flavour" -- env BINE_MODEL=1 BINE_MACHINE="$work/found.machine" BINE_VERBOSE=1 "$bin/bine-bench-$flavour" allreduce -a best -m 64K -i 4 > "$work/out" 2>&1 ||
    fail "a run with the file"
grep -q 'model: ' "$work/out" || fail "the model is not asked"
down
# Where uplinks are the slower ones, their bursts are seen, too.
up --leaves 2,2 --rate 100mbit --uplink 25mbit
run --timeout "$(limit 100)" -- "bine-bench-$flavour" --calibrate "$work/found.machine" --groups 2,2 > "$work/out" 2>&1 || fail "calibration"
cp "$work/found.machine" "$work/out"
within uplink-gbits 0.025
within nic-burst 18100
within uplink-burst 36100
down
# A machine that a topology.conf describes, measured on half of its hosts: all of them are in the file.
printf '%s\n' 'SwitchName=core Switches=leaf[1-3]' 'SwitchName=leaf1 Nodes=h[0-3]' 'SwitchName=leaf2 Nodes=h[4-7]' 'SwitchName=leaf3 Nodes=h[8-9]' > "$work/topology.conf"
up --leaves 4,4,2 --rate 40mbit --uplink 60mbit
run --timeout "$(limit 100)" --hosts 'h[0-2,4-5]' -- "bine-bench-$flavour" --calibrate "$work/found.machine" --machine "$work/topology.conf" > "$work/out" 2>&1 || fail "calibration of a topology.conf"
grep -q '^measured on 5 of 10 nodes, in 2 of 3 groups:$' "$work/out" || fail "what was measured is not said"
cp "$work/found.machine" "$work/out"
within nic-gbits 0.04
within uplink-gbits 0.06
grep -qE '^eager [0-9]+$' "$work/found.machine" || fail "eager is no whole number"
"$bine" machines "$work/found.machine" --format csv > "$work/out" || fail "the file cannot be read"
[ "$(sed 1d "$work/out" | tr '\n' ' ')" = 'leaf1,4,h[0-3] leaf2,4,h[4-7] leaf3,2,h[8-9] ' ] || fail "hosts and groups"
# Speeds of a machine file are replaced, the rest of it stays.
sed 's/^nic-gbits .*/nic-gbits 7/; s/^name .*/name site/' "$work/found.machine" > "$work/site.machine"
echo 'busy 0.5' >> "$work/site.machine"
run --timeout "$(limit 100)" --hosts 'h[0-2,4-5]' -- "bine-bench-$flavour" --calibrate "$work/found.machine" --machine "$work/site.machine" > "$work/out" 2>&1 || fail "calibration of a machine file"
cp "$work/found.machine" "$work/out"
within nic-gbits 0.04
[ "$(grep -c '^nic-gbits' "$work/found.machine")" -eq 1 ] && grep -q '^busy 0.5$' "$work/found.machine" && grep -q '^name site$' "$work/found.machine" || fail "merging into a machine file"
down
echo "calibrate: passed"
