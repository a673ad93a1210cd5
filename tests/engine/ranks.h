/* One rank of the loopback as a test drives it: a channel, perhaps boards, and calls whose results
 * are compared with values that are computed from the definition of the collective. */
#ifndef BINE_TESTS_ENGINE_RANKS_H
#define BINE_TESTS_ENGINE_RANKS_H

#include "engine/bind/bind.h"
#include "engine/channel.h"
#include "engine/transport/loopback.h"

#include <stdatomic.h>

/* Elements: of 8 bytes; with gaps, 12 of 24 bytes; of 16 bytes, reduced by composing functions,
 * which does not commute. */
enum elements { WORDS, GAPPED, FUNCTIONS, ELEMENTS };

/* A call of all ranks. */
struct test_call {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int p, root, in_place, count;
    enum elements elements;
    size_t segment;
    const struct bine_groups *groups; /* or NULL */
    const int32_t *node;              /* of each rank; NULL: no boards */
    uint64_t salt;                    /* of the values */
};

/* A call as one rank makes it. */
struct rank_call {
    struct test_call test;
    int self;
    struct bine_type type;
    struct bine_call call;
    char *in, *out; /* the buffers */
    struct bine_plan *plan;
    struct bine_workspace workspace;
    struct bine_bound bound;
};

/* The boards of all ranks, and the number of wrong results. */
struct test_world {
    int p;
    struct bine_board_shape shape;
    void *taken[64], *memory[64]; /* as allocated, and from a cache line on */
    atomic_int wrong, failed;
    void *with;
};

/* A rank that takes part: its channel and node. */
struct member {
    struct test_world *world;
    struct bine_channel channel;
    struct bine_node node;
    int32_t seat[64];
    int64_t pid[64];
};

/* With boards for the ranks of each node, or (NULL) without. An error code. */
int member_open(struct member *m, struct test_world *w, bine_comm_handle comm, const int32_t *node);
void member_close(struct member *m);

void world_open(struct test_world *w, int p, uint32_t slots, uint32_t holds);
void world_close(struct test_world *w);

/* Whether the algorithm has such a schedule. */
int call_is_possible(const struct test_call *t);
/* Buffers, plan and binding. An error code; rank_call_end is due in any case. */
int rank_call_make(struct rank_call *c, const struct test_call *t, struct member *m);
/* Blocking, or started and asked for progress until it is complete. An error code. */
int rank_call_run(struct rank_call *c, bine_comm_handle comm, int nonblocking);
void rank_call_end(struct rank_call *c);
/* New values, for a run with the buffers as they are. */
void rank_call_fill(struct rank_call *c, uint64_t salt);
/* The number of wrong elements. */
int rank_call_check(const struct rank_call *c);

#endif
