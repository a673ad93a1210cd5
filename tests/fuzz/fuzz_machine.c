/* Machine files, and whatever format else their first line announces. */
#include "fuzz_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bine_fuzz_machine(data, size, "m.machine");
    return 0;
}
