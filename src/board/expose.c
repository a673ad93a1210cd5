#define _GNU_SOURCE /* process_vm_readv */

#include "board/expose.h"

#include "base/numbers.h"

#include <errno.h>
#include <sys/types.h>
#include <sys/uio.h>

/* One call moves less than 2 GiB. */
#define MOST_AT_ONCE ((size_t)1 << 30)

int bine_expose_read(int64_t pid, uint64_t address, void *to, size_t bytes) {
    char *at = to;
    while (bytes > 0) {
        size_t n = bine_min(bytes, MOST_AT_ONCE);
        struct iovec here = {at, n}, there = {(void *)(uintptr_t)address, n};
        ssize_t got = process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0);
        if (got == 0)
            errno = EFAULT;
        if (got <= 0)
            return -1;
        at += got;
        address += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return 0;
}
