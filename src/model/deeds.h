/* Deeds: what ranks do in a collective, as the quick forms of the model need it: message by
 * message, with shares of the vector in place of bytes, so that they serve all sizes.
 *
 * Schedules of all ranks take long to build where there are many. So, where possible, one rank
 * stands for all: most algorithms are symmetric (rank r does what rank 0 does, with its peers
 * shifted, mirrored for odd r, by exclusive or, or in each dimension of a grid). Those that know
 * groups are counted edge by edge (model/deeds_groups.c). For others the schedules of all ranks are
 * built, or of a sample. */
#ifndef BINE_MODEL_DEEDS_H
#define BINE_MODEL_DEEDS_H

#include "model/links.h"
#include "pattern/tree.h"
#include "schedule/build/build.h"

/* What a rank does at one time with one peer, or by itself. */
struct bine_deed {
    int32_t rank, peer; /* the peer is -1 for local work */
    int32_t time;
    uint16_t strand;
    uint16_t receives;
    uint32_t transfers; /* of the message */
    float share;        /* of the vector */
    float work;         /* seconds for each byte of the vector */
};

struct bine_deeds {
    struct bine_deed *deed;
    size_t count, room;
    /* These are rank 0's, and those of the others are like it, as the action of this tree carries it
     * to other roots (it has no nodes); or else of each rank itself. */
    int symmetric;
    struct bine_tree like;
    int32_t *rank;  /* in which ranks they are looked at: a sample, or all */
    double *stands; /* for so many ranks each of them stands */
    size_t ranks;
    int strands, staggered; /* of all ranks */
    int complete;           /* no rank is left out */
    /* In units of about 25 ns: what it took to make these, and what it takes to make those of all
     * ranks and look at each once. */
    double cost, expected;
    double all; /* deeds of all ranks, where none is left out */
};

/* What a deed costs to be looked at once in waves on these links, in the same units. */
double bine_deeds_look_cost(const struct bine_links *links);
/* Of all ranks, where making them and looking at each once costs no more than `most`, or else of a
 * sample. The request must be valid. 0, or -1 when out of memory. */
int bine_deeds_make(struct bine_deeds *d, const struct bine_request *rq,
                    const struct bine_links *links, double most);
void bine_deeds_free(struct bine_deeds *d);

int bine_deeds_add(struct bine_deeds *d, struct bine_deed x);
/* The peer that rank r has where rank 0 has `peer`. */
static inline int bine_deed_carried(const struct bine_tree *like, int peer, int r) {
    return peer < 0 ? peer : bine_tree_rank(like, r, peer);
}

/* Whether an algorithm's edges are known without schedules; about what it costs to count them all
 * and to look at them once, where a deed costs `look`; and all its deeds. */
int bine_deeds_by_groups(const struct bine_request *rq);
double bine_deeds_groups_cost(const struct bine_request *rq, double look);
int bine_deeds_add_groups(struct bine_deeds *d, const struct bine_request *rq,
                          const struct bine_rates *rates);

#endif
