/* Warnings: one line on stderr, each once in a process.
 *
 * What all ranks of a communicator know, one of them says. All call bine_warn: the others then know
 * that it has been said, and do not repeat it for another communicator. */
#ifndef BINE_MPI_WARN_H
#define BINE_MPI_WARN_H

#include <stdint.h>

/* Warnings with the same key are the same one; 0: the text is the key. */
void bine_warn(int speaks, uint64_t key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
