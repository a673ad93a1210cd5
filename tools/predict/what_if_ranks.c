/* From the ranks of a profile to those of another job: which ranks a communicator has there, and
 * how large its calls are. */
#include "base/numbers.h"
#include "predict/what_if.h"

#include <math.h>
#include <stdlib.h>

/* The node of each rank of MPI_COMM_WORLD: as its communicator says, or as many as each node has in
 * a row. */
static int64_t *find_nodes(const struct bine_profile *f) {
    int64_t *node = calloc((size_t)f->ranks + 1, sizeof *node), r = 0;
    const struct bine_profile_communicator *world = NULL;
    for (size_t i = 0; i < f->communicators && world == NULL; i++)
        if (f->communicator[i].kind == BINE_PROFILE_WORLD && f->communicator[i].place != NULL)
            world = &f->communicator[i];
    size_t places = world != NULL ? world->places : f->nodes;
    for (size_t i = 0; i < places && node != NULL; i++) {
        int64_t n = world != NULL ? world->place[i].ranks : f->node[i].ranks;
        for (; n > 0 && r < f->ranks; n--)
            node[r++] = world != NULL ? world->place[i].node : (int64_t)i;
    }
    return node;
}

/* The ranks of a part: on each of its nodes the first ones that it does not have yet. Which they
 * are is not in the profile. */
static void take_places(const struct bine_profile *f, const struct bine_profile_communicator *c,
                        const int64_t *node, char *taken, int32_t *rank) {
    int64_t n = 0;
    for (size_t i = 0; i < c->places; i++)
        for (int64_t left = c->place[i].ranks, r = 0; left > 0 && r < f->ranks; r++)
            if (!taken[r] && node[r] == c->place[i].node) {
                taken[r] = 1;
                rank[n++] = (int32_t)r;
                left--;
            }
    for (int64_t r = 0; r < f->ranks && n < c->ranks; r++)
        if (!taken[r]) {
            taken[r] = 1;
            rank[n++] = (int32_t)r;
        }
}

/* In the profile's job; NULL when out of memory. */
static int32_t *ranks_there(const struct bine_profile *f,
                            const struct bine_profile_communicator *c) {
    int32_t *rank = malloc((size_t)c->ranks * sizeof *rank);
    int64_t *node = find_nodes(f);
    char *taken = calloc((size_t)f->ranks + 1, 1);
    if (rank != NULL && node != NULL && taken != NULL)
        take_places(f, c, node, taken, rank);
    int good = node != NULL && taken != NULL;
    free(node);
    free(taken);
    if (good)
        return rank;
    free(rank);
    return NULL;
}

/* Every rank of the profile stands for the ranks r with r * from / to, rounded down, its number; of
 * fewer ranks than in the profile each stands for several. */
static int spread(const int32_t *rank, int64_t count, int64_t from, int to, int32_t *out) {
    int n = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t low = (rank[i] * (int64_t)to + from - 1) / from,
                high = ((rank[i] + 1) * (int64_t)to + from - 1) / from;
        if (to < from) {
            low = rank[i] * (int64_t)to / from;
            high = low + 1;
        }
        for (int64_t r = low; r < high; r++) {
            int known = 0;
            for (int k = 0; k < n && to < from && !known; k++)
                known = out[k] == r;
            if (!known)
                out[n++] = (int32_t)r;
        }
    }
    return n;
}

int32_t *bine_what_if_ranks(const struct bine_profile *f, size_t communicator, int p,
                            enum bine_parts parts, int *count) {
    const struct bine_profile_communicator *c = &f->communicator[communicator];
    int64_t ranks = c->ranks < f->ranks ? c->ranks : f->ranks;
    int32_t *rank = ranks_there(f, c), *out = malloc((size_t)p * sizeof *out);
    if (rank == NULL || out == NULL) {
        free(rank);
        free(out);
        return NULL;
    }
    int stays = parts == BINE_PARTS_STAY && c->kind != BINE_PROFILE_WORLD && p >= f->ranks;
    *count = spread(rank, ranks, stays ? p : f->ranks, p, out);
    free(rank);
    return out;
}

int64_t bine_what_if_bytes(enum bine_collective c, enum bine_scale scale, double bytes,
                           int64_t from, int to) {
    static const struct {
        uint32_t collectives;
        int by[BINE_SCALES]; /* the bytes grow with this power of the number of ranks */
    } rule[] = {
        {UINT32_C(1) << BINE_ALLTOALL | UINT32_C(1) << BINE_ALLTOALLV, {-1, 0}},
        {UINT32_C(1) << BINE_GATHER | UINT32_C(1) << BINE_SCATTER | UINT32_C(1) << BINE_ALLGATHER |
             UINT32_C(1) << BINE_REDUCE_SCATTER | UINT32_C(1) << BINE_GATHERV |
             UINT32_C(1) << BINE_SCATTERV | UINT32_C(1) << BINE_ALLGATHERV,
         {0, 1}},
    };
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
        if (rule[i].collectives >> c & 1)
            bytes *= pow((double)to / (double)from, rule[i].by[scale]);
    return bytes < 9e15 ? llround(bytes) : INT64_C(9000000000000000);
}

int bine_what_if_root(int64_t root, int64_t from, int to) {
    return root <= 0 ? 0 : (int)bine_min(root * to / from, (int64_t)to - 1);
}
