/* Communicators and their members. A rank that is not in a communicator takes no part in what is
 * made of it, but knows what comes out. */
#include "random.h"

#include <string.h>

struct group groups[COMMS];
static int me;

static void find_rank(struct group *g) {
    g->rank = -1;
    for (int i = 0; i < g->n; i++)
        if (g->member[i] == me)
            g->rank = i;
}

/* Where every call is to be Bine's, a blocking one comes first. */
static void comms_open(const struct group *g) {
    if (opens_by_barrier() && g->rank >= 0)
        MPI_Barrier(g->comm);
}

void comms_begin(void) {
    memset(groups, 0, sizeof groups);
    for (int k = 0; k < COMMS; k++)
        groups[k].comm = MPI_COMM_NULL;
    groups[0].is_world = 1;
    groups[0].comm = MPI_COMM_WORLD;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &groups[0].n);
    for (int i = 0; i < groups[0].n; i++)
        groups[0].member[i] = i;
    find_rank(&groups[0]);
    comms_open(&groups[0]);
}

static struct group *free_place(void) {
    for (int k = 0; k < COMMS; k++)
        if (groups[k].n == 0)
            return &groups[k];
    return NULL;
}

struct group *comms_draw(struct rng *all) {
    struct group *g;
    do
        g = &groups[rng_below(all, COMMS)];
    while (g->n == 0);
    return g;
}

/* The ranks with a colour, in the order of their keys: the first group of new members. */
static void pick(const struct group *from, struct group *to, const int colour[], const int key[],
                 int which) {
    to->n = 0;
    for (int k = 0; k < RANKS; k++)
        for (int i = 0; i < from->n; i++)
            if (colour[i] == which && key[i] == k)
                to->member[to->n++] = from->member[i];
    find_rank(to);
}

/* One half becomes a communicator of the program's. The other frees its own at once. */
static void split(struct rng *all, const struct group *from, struct group *to) {
    int colour[RANKS], key[RANKS], turned = rng_once_in(all, 3), by_group = rng_once_in(all, 3);
    for (int i = 0; i < from->n; i++) {
        colour[i] = !rng_once_in(all, 3);
        key[i] = turned ? RANKS - 1 - i : i;
    }
    int kept = colour[rng_below(all, from->n)];
    pick(from, to, colour, key, kept);
    if (from->rank < 0)
        return;
    if (!by_group) {
        MPI_Comm_split(from->comm, colour[from->rank], key[from->rank], &to->comm);
        if (to->rank < 0)
            MPI_Comm_free(&to->comm);
        return;
    }
    int list[RANKS];
    MPI_Group whole, some;
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    for (int i = 0; i < to->n; i++)
        list[i] = to->member[i];
    MPI_Group_incl(whole, to->n, list, &some);
    MPI_Comm_create(from->comm, some, &to->comm);
    MPI_Group_free(&some);
    MPI_Group_free(&whole);
}

static void duplicate(struct rng *all, const struct group *from, struct group *to) {
    int way = idup_works() ? rng_below(all, 4) : 1 + rng_below(all, 3),
        periodic = rng_below(all, 2);
    *to = *from;
    to->is_world = 0;
    to->comm = MPI_COMM_NULL;
    if (from->rank < 0)
        return;
    if (way == 1 && !split_type_works())
        way = 3;
    MPI_Request r;
    switch (way) {
    case 0:
        MPI_Comm_idup(from->comm, &to->comm, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Comm_split_type(from->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &to->comm);
        break;
    case 2:
        MPI_Cart_create(from->comm, 1, &from->n, &periodic, 0, &to->comm);
        break;
    default:
        MPI_Comm_dup(from->comm, &to->comm);
    }
}

void comms_make(struct rng *all) {
    struct group *to = free_place(), *from = comms_draw(all);
    if (to == NULL)
        return;
    if (rng_once_in(all, 2))
        split(all, from, to);
    else
        duplicate(all, from, to);
    comms_open(to);
}

/* Whether it has a call on account of which it is not freed. */
static int stays(int which) {
    for (int i = 0; i < SCENES; i++)
        if (scenes[i].used && scenes[i].which == which &&
            (scenes[i].form == PERSISTENT || !freeing_works()))
            return 1;
    return 0;
}

/* Calls may be pending. */
static void let_go(int which) {
    struct group *g = &groups[which];
    for (int i = 0; i < SCENES; i++)
        if (scenes[i].used && scenes[i].which == which)
            scenes[i].which = -1;
    if (g->comm != MPI_COMM_NULL)
        MPI_Comm_free(&g->comm);
    g->n = 0;
}

void comms_free(struct rng *all) {
    int which = rng_below(all, COMMS);
    if (groups[which].n > 0 && !groups[which].is_world && !stays(which))
        let_go(which);
}

void comms_end(void) {
    for (int k = 0; k < COMMS; k++)
        if (groups[k].n > 0 && !groups[k].is_world)
            let_go(k);
}
