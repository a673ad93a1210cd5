# For the tests of bine-bench: sourced with the flavour of MPI and BIN (the folder of the programs) as arguments.
set -uo pipefail
flavour=$1 bin=$2
launch=$(cd "$(dirname "$0")/../mpi" && pwd)/launch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $1"
    tail -n 30 "$work/out"
    exit 1
}
