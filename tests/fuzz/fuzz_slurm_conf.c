/* Slurm's topology.conf. */
#include "fuzz_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bine_fuzz_machine(data, size, "topology.conf");
    return 0;
}
