/* Drawings: arrows and boxes, made from the schedules of all ranks, then written as text or as a
 * picture.
 *
 * A drawing is a grid. Ranks are columns, left to right; levels 0..steps are rows, downwards: level
 * j is the state before step j. An arrow of step j leaves its sender at level j and reaches its
 * receiver at level j + 1. What is drawn is what runs: arrows are read from the sends of the
 * schedules, and from what they read from the boards of others. */
#ifndef BINE_TOOLS_DRAW_DRAW_H
#define BINE_TOOLS_DRAW_DRAW_H

#include "schedule/build/build.h"

#include <stdio.h>

enum bine_draw_kind { BINE_DRAW_TREE, BINE_DRAW_BUTTERFLY, BINE_DRAW_SCHEDULE, BINE_DRAW_TORUS };

enum bine_draw_labels {
    BINE_LABEL_AUTO, /* schedules: the blocks where they are few, otherwise their number */
    BINE_LABEL_NONE,
    BINE_LABEL_DISTANCE, /* modular distance */
    BINE_LABEL_COUNT,    /* number of blocks */
    BINE_LABEL_BLOCKS,   /* which blocks */
};

/* What was asked for. */
struct bine_draw_wish {
    enum bine_draw_kind kind;
    struct bine_spec request; /* its rank is ignored */
    int rank;                 /* the one that is named as the root; -1: none */
    int block;                /* whose way to draw or to highlight; -1: the natural one */
    int first;                /* the leftmost rank; -1: what suits the drawing */
    enum bine_draw_labels labels;
    int negabinary; /* write the paper's numbers of the ranks below them */
    int ascii;
    int colour;
};

#define BINE_DRAW_LABEL 24
#define BINE_DRAW_ABOUT 160

/* What a rank sends to another in a step, in one message or several. */
struct bine_arrow {
    int step, from, to;
    int part;             /* of the vector, where they are told apart; else 0 */
    int blocks;           /* pieces in it */
    uint32_t runs, nruns; /* the blocks, or for an alltoall the ranks that they come from */
    int adds;             /* the receiver adds up */
    int marked;           /* on the way of the block that is asked for */
    int sent, received;   /* messages of its sender and of its receiver in this step */
    int below, above;     /* in this step, some sender has no other message; some receiver, where
                             the sender has others */
    char label[BINE_DRAW_LABEL];
};

struct bine_draw_run {
    int first, count;
};

struct bine_drawing {
    const struct bine_draw_wish *wish;
    int p, steps, first;
    int parts;     /* of each rank's block */
    int source;    /* the rank that stands out: the root, or where the block is at home; or -1 */
    int highlight; /* marked arrows stand out among the others */
    enum bine_draw_labels labels; /* as chosen */
    struct bine_arrow *arrow;
    struct bine_draw_run *run;
    uint32_t narrows, nruns;
    size_t arrow_room, run_room;
    unsigned char *alive, *box; /* [level * p + rank]: has data; gets a box */
    uint32_t *note;             /* the negabinary number below each rank, or NULL */
    const char *note_name;
    char title[160];
    char about[BINE_DRAW_ABOUT]; /* what the algorithm is */
};

/* The key to a drawing: "blocks", "modular distance", ... on the arrows; whose way is highlighted.
 * The first is NULL where there are no labels. */
const char *bine_draw_label_meaning(const struct bine_drawing *d);
void bine_draw_way_name(const struct bine_drawing *d, char *text, size_t size);
/* The ranks of a group, "0-2,5", the rest as "..." where they do not fit. */
enum { BINE_DRAW_RANKS = 40, BINE_DRAW_GROUPS = 12 }; /* so many are named in a key */
const char *bine_draw_group_ranks(const struct bine_drawing *d, int group,
                                  char text[BINE_DRAW_RANKS]);
/* A shorter label of an arrow: the first blocks of the list and how many there are more, "4-7 +4";
 * empty if there is none. */
void bine_draw_label_shorten(const struct bine_drawing *d, const struct bine_arrow *a,
                             char text[BINE_DRAW_LABEL]);
/* Whether some receiver adds up. */
int bine_draw_adds(const struct bine_drawing *d);

static inline int bine_draw_column(const struct bine_drawing *d, int rank) {
    return bine_mod_sub(rank, d->first, d->p);
}

static inline int bine_draw_alive(const struct bine_drawing *d, int level, int rank) {
    return d->alive[level * d->p + rank];
}

static inline int bine_draw_has_box(const struct bine_drawing *d, int level, int rank) {
    return d->box[level * d->p + rank];
}

/* The group of a rank; -1 where none are known. */
static inline int bine_draw_group(const struct bine_drawing *d, int rank) {
    const struct bine_groups *g = d->wish->request.groups;
    return g == NULL ? -1 : g->level[1].set_of[rank];
}

static inline int bine_draw_crosses(const struct bine_drawing *d, const struct bine_arrow *a) {
    return bine_draw_group(d, a->from) != bine_draw_group(d, a->to);
}

/* Whether parts of the vector that travel at once have colours of their own: not if those show the
 * way of a block, or groups. */
static inline int bine_draw_has_parts(const struct bine_draw_wish *w) {
    return w->request.ports > 1 && w->request.groups == NULL && w->block < 0;
}

/* Whether what is followed is the contribution of a rank, not a block: it is mixed with others, or
 * there are different ones for each receiver. */
static inline int bine_draw_follows_ranks(const struct bine_algorithm *a) {
    return a->collective == BINE_ALLTOALL || a->composition == BINE_MAKE_BUTTERFLY ||
           a->composition == BINE_MAKE_MULTIPLYING || a->composition == BINE_MAKE_MULTIPLYING_BINE;
}

/* How many blocks can be followed, and how many of them each rank has where every rank has its own;
 * and how many steps there are. 0, or -1 when out of memory. The request has its tree. */
int bine_draw_measure(const struct bine_spec *request, int *blocks, int *parts, int *steps);

/* Make a drawing; the wish must be valid and outlive it. 0, or -1 when out of memory. */
int bine_drawing_make(struct bine_drawing *d, const struct bine_draw_wish *wish);
void bine_drawing_free(struct bine_drawing *d);

/* The stages of making it. Each returns 0, or -1 when out of memory. */
int bine_draw_read(struct bine_drawing *d);   /* arrows from schedules, in the order of steps */
int bine_draw_mark(struct bine_drawing *d);   /* the way of a block; for a tree, only that stays */
int bine_draw_live(struct bine_drawing *d);   /* who has data when */
int bine_draw_count(struct bine_drawing *d);  /* for each arrow, the other messages of its ranks */
void bine_draw_order(struct bine_drawing *d); /* the leftmost rank */
void bine_draw_label(struct bine_drawing *d);
int bine_draw_note(struct bine_drawing *d);
/* What the catalogue says of the algorithm, without what holds for other numbers of ranks only. */
void bine_draw_about(const struct bine_spec *spec, char text[BINE_DRAW_ABOUT]);

/* Whether negabinary numbers are defined for it: Bine, powers of two. */
int bine_draw_has_notes(const struct bine_spec *spec);

/* The output formats, by the ending of the file's name. */
struct bine_draw_format {
    const char *ending;
    int most_ranks, most_steps, most_arrows;
    int (*write)(const struct bine_drawing *d, FILE *file); /* 0, or -1 */
};

/* NULL if the ending is not known. */
const struct bine_draw_format *bine_draw_format_find(const char *file);
extern const struct bine_draw_format bine_draw_text_format;

int bine_draw_text(const struct bine_drawing *d, FILE *file);
int bine_draw_svg(const struct bine_drawing *d, FILE *file);
int bine_draw_png(const struct bine_drawing *d, FILE *file);
int bine_draw_pdf(const struct bine_drawing *d, FILE *file);

/* Write to a new file beside the named one and put it there when it is complete; links are
 * followed, and what is not a plain file is written to. 0, or -1 with errno set. */
int bine_draw_save(const struct bine_drawing *d, const struct bine_draw_format *format,
                   const char *name);

#endif
