#!/usr/bin/env bash
# bine-bench on a torus: --dims and --ports bring torus algorithms into the run; shapes and groups that do not fit are
# refused in one line.
#   tests/report/torus.sh openmpi|mpich BIN
. "$(dirname "$0")/bench.sh"
bench() { BINE_TEST_TIMEOUT=60 "$launch" "$flavour" 4 "$bin/bine-bench-$flavour" "$@" > "$work/out" 2>&1; }

bench allgather -a all --list || fail "a list"
grep -q torus "$work/out" && fail "torus algorithms without a torus"
bench allgather -a all --list --dims 2x2 || fail "a list with --dims"
[ "$(grep -c 'allgather .*-torus' "$work/out")" -ge 4 ] || fail "torus algorithms are missing"
bench allreduce gather --dims 2x2 --ports 4 -a bine-torus,mpi -m 16K -i 2 -c --csv "$work/run.csv" || fail "a run"
for word in 'setting: BINE_DIMS=2x2' 'setting: BINE_PORTS=4' 'allreduce,bine-torus,' 'gather,bine-torus,'; do
    grep -q "$word" "$work/run.csv" || fail "the CSV has no '$word'"
done

# refused MESSAGE OPTION...
refused() {
    bench allgather "${@:2}"
    [ $? -eq 2 ] || fail "exit code with ${*:2}"
    [ "$(grep '^bine-bench:' "$work/out")" = "bine-bench: $1" ] || fail "expected '$1'"
}
refused 'dims 2x3: 6 ranks, expected 4' --dims 2x3
refused "dims '2x': expected sizes, as in 4x4x8, of at most 16777216 nodes in all" --dims 2x
refused 'ports 0: expected 1 to 16' --ports 0
refused '5 ports: expected 1 to 4, two for each dimension' --dims 2x2 --ports 5
BINE_DIMS=4x1 refused '3 ports: expected 1 to 2, two for each dimension' --ports 3
refused '2 ports: there is no torus: see --dims' --ports 2
BINE_DIMS=3x3 refused 'BINE_DIMS=3x3: 9 ranks, expected 4'
BINE_DIMS=2x refused 'BINE_DIMS=2x: expected sizes, as in 4x4x8'
refused "--groups '2,1': 3 ranks in all, expected 4" --groups 2,1
refused "--groups '2,x': group sizes '2,x': expected sizes from 1 on, as in 5,5,6 or, in larger groups, (3,2),(4), of at most 1048576 ranks in all" --groups 2,x
# Without a launcher there would be one rank, and nothing to measure.
"$bin/bine-bench-$flavour" allgather > "$work/out" 2>&1
[ $? -eq 2 ] || fail "exit code without a launcher"
[ "$(cat "$work/out")" = "bine-bench: one rank, and no launcher: expected 'mpirun -n N bine-bench ...'" ] || fail "no launcher"
refused 'allgather bine-torus needs the dimensions of a torus: see --dims' -a bine-torus
echo "torus: passed"
