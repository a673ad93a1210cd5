/* The cores that processes may run on, as the system counts them (hardware threads), one bit each.
 */
#ifndef BINE_COMM_CORES_H
#define BINE_COMM_CORES_H

#include <stdint.h>

enum { BINE_CORES_WORDS = 16 }; /* 1024 cores; of a node with more, they are not known */

/* The cores that this process may run on. Returns the number of words with bits; 0: not known. */
int bine_cores_find(uint64_t mask[BINE_CORES_WORDS]);
/* How many words have bits. */
int bine_cores_words(const uint64_t mask[BINE_CORES_WORDS]);
/* The number of cores in `words` words. */
int bine_cores_count(const uint64_t *mask, int words);

#endif
