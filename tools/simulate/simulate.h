/* bine simulate: what was asked for, and its parts. */
#ifndef BINE_TOOLS_SIMULATE_SIMULATE_H
#define BINE_TOOLS_SIMULATE_SIMULATE_H

#include "cli/options/place.h"
#include "cli/output/table.h"
#include "model/links.h"
#include "simulate/simgrid.h"

enum { BINE_SIMULATE_ENTRIES = 128 };

enum bine_placement { BINE_CONTIGUOUS, BINE_FRAGMENTED, BINE_RANDOM, BINE_PLACEMENTS };

/* Hosts drawn from a machine. */
struct bine_host_draw {
    const char *nodes;       /* how many, as typed, or NULL: none are drawn */
    const char *among;       /* from these hosts only, as typed, or NULL: from all */
    enum bine_placement how; /* where they lie */
    long seed;
};

struct bine_simulate_wish {
    enum bine_collective collective[BINE_COLLECTIVES];
    int collectives;
    const char *algorithms; /* as typed */
    int64_t least, most, step;
    int element; /* bytes */
    const char *type;
    int commutative; /* the operator is */
    int root, ports, in_place;
    int iterations, warmup;
    int list, predict;
    double busy;     /* share of the links between groups that is left; 0: as the machine says */
    int boards;      /* inside nodes, where algorithms can */
    int early;       /* small messages do not wait for their receive */
    int64_t segment; /* bytes of the parts in which reductions send large messages */
    struct bine_host_draw draw;
    struct bine_place_words where;
    const char *selector;              /* of SMPI's own collectives, or NULL */
    const char *csv, *summary, *links; /* files, or NULL */
    enum bine_format format;
    long limit; /* messages of a collective */
    int argc;
    char **argv; /* as typed */
};

/* One way to do a collective. */
struct bine_simulate_entry {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int asked;     /* for that layout; else the size decides */
    char name[96]; /* with its layout where that was asked for */
};

struct bine_simulate_entries {
    struct bine_simulate_entry entry[BINE_SIMULATE_ENTRIES];
    int count;
};

/* What the ranks are on. */
struct bine_simulate_place {
    struct bine_allocation allocation;
    struct bine_machine *machine;
    struct bine_place known; /* what algorithms are told of it */
    struct bine_links links;
    struct bine_hosts hosts; /* empty on a torus of --dims */
    struct bine_simgrid_network network;
};

/* Each returns 0, or BINE_EXIT_USAGE after complaining. */

/* simulate_entries.c: the algorithms of a collective that -a names and that serve. */
int bine_simulate_list(struct bine_simulate_entries *all, const struct bine_simulate_wish *w,
                       enum bine_collective c, const struct bine_place *known);
/* What an algorithm is asked for, but for segments. */
void bine_simulate_spec(const struct bine_simulate_wish *w, const struct bine_place *known,
                        const struct bine_algorithm *a, enum bine_layout l, struct bine_spec *spec);
/* The size that is taken for a wish of so many bytes: a whole number of elements. */
int64_t bine_simulate_size(enum bine_collective c, int element, int p, int64_t bytes);

/* simulate_draw.c: N hosts of a machine, as a host list to be freed. */
int bine_simulate_draw(const struct bine_host_draw *d, const struct bine_machine *m, char **list);
int bine_word_placement(const char *word, enum bine_placement *how);

/* simulate_place.c */
int bine_simulate_settle(struct bine_simulate_place *p, const struct bine_simulate_wish *w);
void bine_simulate_leave(struct bine_simulate_place *p);

/* simulate_simgrid.c: the part that knows SimGrid. */
struct bine_simgrid {
    bine_simgrid_open_call *open;
    bine_simgrid_replay_call *replay;
};
int bine_simgrid_find(struct bine_simgrid *s);

/* simulate_run.c: everything that was asked for, by replay. */
int bine_simulate_run(const struct bine_simulate_wish *w);

/* simulate_smpi.c: the same with the real library and bine-bench. */
int bine_simulate_smpi(const struct bine_simulate_wish *w, char **bench);

/* simulate_output.c */
struct bine_simulate_output;
struct bine_simulate_row {
    enum bine_collective collective;
    const char *algorithm;
    int ranks, nodes;
    int64_t bytes;
    int64_t global;            /* bytes between groups */
    int64_t copied;            /* bytes, of the rank that copies most */
    double seconds, predicted; /* predicted: with --predict */
};
struct bine_simulate_output *bine_simulate_output_begin(const struct bine_simulate_wish *w,
                                                        const struct bine_simulate_place *p,
                                                        int cells);
void bine_simulate_output_row(struct bine_simulate_output *o, const struct bine_simulate_row *row);
void bine_simulate_output_links(struct bine_simulate_output *o, const struct bine_simulate_row *row,
                                const struct bine_links *links, const int64_t *load);
void bine_simulate_output_skip(struct bine_simulate_output *o, const struct bine_simulate_row *row,
                               size_t messages);
void bine_simulate_output_cell(struct bine_simulate_output *o);
int bine_simulate_output_end(struct bine_simulate_output *o);

#endif
