/* Reading the memory of another process of this user: process_vm_readv. */
#ifndef BINE_BOARD_EXPOSE_H
#define BINE_BOARD_EXPOSE_H

#include <stddef.h>
#include <stdint.h>

/* Copy bytes from an address of another process; 0, or -1 with errno set. */
int bine_expose_read(int64_t pid, uint64_t address, void *to, size_t bytes);

#endif
