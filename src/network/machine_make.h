/* Functions that the readers of machine descriptions share. */
#ifndef BINE_NETWORK_MACHINE_MAKE_H
#define BINE_NETWORK_MACHINE_MAKE_H

#include "base/text.h"

struct bine_machine;
struct bine_reason;

/* Where a reader is. */
struct bine_reading {
    struct bine_machine *machine;
    struct bine_text text;
    const char *file;
    size_t most; /* hosts */
    struct bine_reason *why;
    int first_counts; /* a host that is in a group already stays there */
    int doubled;      /* hosts of which that was so */
};

/* Add the hosts of a list to a group, which is made if it is new. A host may be in one group only.
 * 0, or -1 with *why. */
int bine_machine_add(struct bine_reading *r, const char *group, size_t length,
                     const struct bine_word *list);
/* A copy of a word, to be freed; NULL when out of memory. */
char *bine_word_copy(const struct bine_word *word);
/* Set the machine's note, unless there is one; of the line that is being read if that is not 0. 0,
 * or -1 with *why when out of memory. */
int bine_machine_note(struct bine_reading *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A name may not hold characters that would break a table: 0, or -1 with *why. */
int bine_machine_check_name(struct bine_reading *r, const char *what, const struct bine_word *word);

/* The readers. Each fills r->machine: 0, or -1 with *why, the line included. */
int bine_machine_read_file(struct bine_reading *r);
int bine_machine_read_map(struct bine_reading *r);
int bine_machine_read_slurm_conf(struct bine_reading *r);
int bine_machine_read_slurm_yaml(struct bine_reading *r);

#endif
