/* Labs: emulated clusters on this computer, in namespaces of their own.
 *
 * A lab is a process, its keeper, the first one of a process namespace, and what it has made in
 * namespaces that belong to it alone. When it ends, the kernel takes everything away: hosts, links,
 * running programs. What is left to remember is a folder with the lab's name, settings and machine
 * description, and the number of the keeper. */
#ifndef BINE_TOOLS_LAB_LAB_H
#define BINE_TOOLS_LAB_LAB_H

#include "cli/output/table.h"

#include <stdint.h>
#include <sys/types.h>

enum {
    BINE_LAB_HOSTS = 128, /* at most */
    BINE_LAB_NAME = 32,
    BINE_LAB_SHAPE = 1200,
    BINE_LAB_PATH = 4096,
};

enum bine_lab_topology { BINE_LAB_TREE, BINE_LAB_GROUPS, BINE_LAB_RING, BINE_LAB_TORUS };

struct bine_lab {
    char name[BINE_LAB_NAME + 1];
    char folder[128];
    enum bine_lab_topology topology;
    char sizes[600]; /* "5 5 6": hosts of each leaf, or dimensions */
    char
        around[600]; /* "0 0 1/0 0": the pod of each leaf, what is around each pod, ...; "": none */
    int hosts;
    int64_t rate, uplink, pods; /* bits per second; pods: of the uplinks of pods */
    char mpi[16];               /* for programs that do not show which one they are linked with */
    int user;                   /* has a user namespace: made without root */
    pid_t keeper;               /* 0: it is not up */
};

/* What `bine lab run` was asked for. */
struct bine_lab_run {
    const char *hosts, *preload, *csv, *mpi; /* as typed, or NULL */
    long ranks, each, timeout;               /* 0: all hosts; ranks of a host; seconds, 0: none */
    long level;                              /* whose uplinks bine-bench counts; 0: 1, the leaves */
    char **program;
};

extern const char *const bine_lab_topologies[];

/* lab_words.c: each returns 0, or BINE_EXIT_USAGE after complaining. */
int bine_lab_word_name(const char *word, char name[BINE_LAB_NAME + 1]);
int bine_lab_word_rate(const char *option, const char *word, int64_t *rate);
int bine_lab_word_topology(const char *word, enum bine_lab_topology *topology);
int bine_lab_word_mpi(const char *word, const char **mpi);
int bine_lab_word_leaves(const char *word, struct bine_lab *lab);
int bine_lab_word_dims(const char *word, struct bine_lab *lab);
/* The shape of a lab as one word, "(3+2)+(4)" or "4x4". */
void bine_lab_shape(const struct bine_lab *lab, char text[BINE_LAB_SHAPE]);

/* lab_state.c */
/* The folder of all labs of this user: made if need be. 0, or BINE_EXIT_USAGE after complaining. */
int bine_lab_base(char path[64]);
/* Only one `up` or `down` at a time: a descriptor to close, or -1. */
int bine_lab_lock(void);
/* Find a lab by its name: 0; -1 if there is none. Its keeper is 0 if only the folder is left. */
int bine_lab_find(struct bine_lab *lab, const char *name);
/* Whether its keeper lives, from what it wrote into the folder; sets lab->keeper. */
int bine_lab_look(struct bine_lab *lab);
int bine_lab_save(const struct bine_lab *lab);
void bine_lab_forget(const struct bine_lab *lab); /* removes the folder */

/* lab_up.c, lab_run.c, lab_status.c: exit codes. */
int bine_lab_up(struct bine_lab *lab);
int bine_lab_run(const struct bine_lab *lab, const struct bine_lab_run *run);
int bine_lab_down(const char *name); /* NULL: all */
int bine_lab_status(const char *name, enum bine_format format);
/* The folder of the lab's scripts, beside this program; and that of this program. 0, or
 * BINE_EXIT_USAGE. */
int bine_lab_scripts(char scripts[BINE_LAB_PATH], char programs[BINE_LAB_PATH]);

#endif
