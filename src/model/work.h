/* Work items: the ranks' work in a collective, as the short forms of the model need it: message by
 * message, with fractions of the vector in place of bytes, so that they serve all sizes.
 *
 * Schedules of all ranks take long to build where there are many. So, where possible, one rank
 * stands for all: most algorithms are symmetric (rank r does as rank 0 does, with its peers
 * shifted, mirrored for odd r, by exclusive or, or in each dimension of a grid). Group algorithms
 * are counted edge by edge (model/work_groups.c). For others the schedules of all ranks are built,
 * or of a sample. */
#ifndef BINE_MODEL_WORK_H
#define BINE_MODEL_WORK_H

#include "model/links.h"
#include "pattern/tree.h"
#include "schedule/build/build.h"

/* The kind of an operation's work on a processor. */
enum bine_local_work { BINE_NO_WORK, BINE_WORK_COPIES, BINE_WORK_ADDS };
enum bine_local_work bine_op_work(const struct bine_schedule *s, const struct bine_op *op);
/* How long it takes for `bytes`. */
double bine_work_takes(enum bine_local_work work, const struct bine_rates *r, double bytes);

/* The work of a rank at one time with one peer, or by itself. */
struct bine_work_item {
    int32_t rank, peer; /* the peer is -1 for local work */
    int32_t time;
    uint16_t strand;
    uint16_t receives;
    uint32_t transfers; /* of the message */
    float share;        /* of the vector */
    float work;         /* seconds for each byte of the vector; */
    uint16_t copies;    /* it copies: what caches hold takes less (bine_work_item_cost) */
};

struct bine_work_list {
    struct bine_work_item *item;
    size_t count, room;
    /* These are rank 0's, and items of other ranks are like it, as the action of this tree carries
     * it to other roots (it has no nodes); or else of each rank itself. */
    int symmetric;
    struct bine_tree like;
    int32_t *rank;  /* in which ranks they are looked at: a sample, or all */
    double *stands; /* the number of ranks that each of them stands for */
    size_t ranks;
    int strands, staggered; /* of all ranks */
    int complete;           /* no rank is left out */
    /* In units of about 25 ns: the cost of making these, and of making the items of all ranks and
     * estimating each once. */
    double cost, expected;
    double all; /* work items of all ranks, where none is left out */
};

/* The cost of estimating a work item once in the stepwise model on these links, in these units. */
double bine_work_list_estimate_cost(const struct bine_links *links);
/* Of all ranks, where making them and looking at each once costs no more than `most`, or else of a
 * sample. The spec must be valid. 0, or -1 when out of memory. */
int bine_work_list_make(struct bine_work_list *d, const struct bine_spec *spec,
                        const struct bine_links *links, double most);
void bine_work_list_free(struct bine_work_list *d);

int bine_work_list_add(struct bine_work_list *d, struct bine_work_item x);
/* The time of the processor for a work item of a vector of `bytes`. */
static inline double bine_work_item_cost(const struct bine_work_item *d, double bytes,
                                         const struct bine_rates *r) {
    return d->copies ? bine_rates_copy_takes(r, d->share * bytes) : d->work * bytes;
}
/* The peer that rank r has where rank 0 has `peer`. */
static inline int bine_work_item_carried(const struct bine_tree *like, int peer, int r) {
    return peer < 0 ? peer : bine_tree_rank(like, r, peer);
}

/* Whether an algorithm's edges are known without schedules; about the cost of counting them all and
 * estimating them once, where an item costs `look`; and all its items. */
int bine_work_list_by_groups(const struct bine_spec *spec);
double bine_work_list_groups_cost(const struct bine_spec *spec, double look);
int bine_work_list_add_groups(struct bine_work_list *d, const struct bine_spec *spec,
                              const struct bine_rates *rates);

#endif
