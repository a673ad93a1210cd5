/* Warnings: one line on stderr, each once in a process.
 *
 * A warning that all ranks of a communicator share is printed by one of them. All call bine_warn:
 * the others then know that it was printed, and do not repeat it for another communicator. */
#ifndef BINE_REPORT_WARN_H
#define BINE_REPORT_WARN_H

#include <stdint.h>

/* Warnings with equal keys are one warning; 0: the text is the key. */
void bine_warn(int speaks, uint64_t key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The lock of the tables of warnings and problems. */
void bine_report_lock(void);
void bine_report_unlock(void);

#endif
