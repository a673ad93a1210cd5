/* bine check --sequences: sequences of three calls on boards, drawn at random. */
#ifndef BINE_TOOLS_CHECK_SEQUENCES_H
#define BINE_TOOLS_CHECK_SEQUENCES_H

#include "cli/options/range.h"
#include "schedule/catalogue.h"

/* Prove so many of each number of ranks, of the algorithms on boards that are wanted; up to three
 * ranks in all interleavings, above in some at random. An exit code of the command. */
int bine_sequences_prove(const struct bine_range *ranks, const struct bine_algorithm *const *list,
                         size_t count, long sequences, uint64_t seed);

#endif
