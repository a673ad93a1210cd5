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
    int wider;        /* larger groups are asked for, too */
};

struct bine_wider;
void bine_wider_free(struct bine_wider *w);
/* Begin another level of larger groups, whose members are the groups of the last one; the level
 * has a name, or NULL. 0, or -1 with *why. */
int bine_machine_begin_level(struct bine_reading *r, const struct bine_word *name);
/* Put the groups of a list into a larger one of the last level, which is made if it is new. */
int bine_machine_join(struct bine_reading *r, const char *wider, size_t length,
                      const struct bine_word *list);
/* 0 if every group of the level below is in one of the last level's; otherwise -1 with *why. */
int bine_machine_check_joined(struct bine_reading *r);
/* The machine's level alone: its groups become the groups, all other levels go. Nothing where the
 * reader has taken the groups of that level itself. */
int bine_machine_keep_level(struct bine_reading *r);

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
