#!/usr/bin/env bash
# Several ranks on each host: boards inside hosts, messages between them, right in every algorithm that knows nodes. Hosts of a lab share
# memory, and are not one node.
#   nodes.sh FLAVOUR BIN TESTS
flavour=$1
shift
. "$(dirname "$0")/common.sh"
conform=$2/conform-$flavour
[ -x "$conform" ] || { echo "skipped: no $conform"; exit 77; }

export OMPI_MCA_op=^avx # the AVX reductions of Open MPI 4.1 saturate sums of 8- and 16-bit numbers
# MPI_Reduce of MPICH 4.0 adds up what the receive buffer held before, from 2 KiB on, where the root is alone on its node.
export MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE=0
# Rates are high: results are compared, not times.
up --leaves 2,2 --rate 1gbit --mpi "$flavour"
run --timeout "$(limit 120)" --mpi "$flavour" --ranks-per-host 4 -- "$conform" --nodes 2 --calls "${3:-240}" > "$work/out" 2>&1 || fail "on 4 hosts of 4 ranks under $flavour"
grep -E '^[1-9][0-9]* calls used boards' "$work/out" || fail "boards were not used"
down
echo "nodes: passed"
