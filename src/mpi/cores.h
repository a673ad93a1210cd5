/* The cores that processes may run on, as the system counts them (hardware threads), one bit each.
 */
#ifndef BINE_MPI_CORES_H
#define BINE_MPI_CORES_H

#include <stdint.h>

enum { BINE_CORES_WORDS = 128 }; /* 8192 cores, the most that Linux is built for */

/* Those that this process may run on. Returns how many words have bits; 0: not known. */
int bine_cores_find(uint64_t mask[BINE_CORES_WORDS]);
/* How many there are in so many words. */
int bine_cores_count(const uint64_t *mask, int words);

#endif
