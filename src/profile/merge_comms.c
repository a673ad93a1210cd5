/* Communicators by the keys that their ranks have in common, with the places of their ranks. */
#include "profile/merge.h"

#include <stdlib.h>

/* One rank in a communicator. */
struct member {
    uint64_t key;
    int32_t rank, place; /* of MPI_COMM_WORLD; in its part */
    const struct bine_part_comm *comm;
};

/* A communicator: its members stand together. */
struct group {
    const struct member *member;
    size_t members;
    int made;
};

static int by_key(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->comm->rank != y->comm->rank)
        return x->comm->rank < y->comm->rank ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int lowest(const struct group *g) {
    int low = g->member[0].rank;
    for (size_t i = 1; i < g->members; i++)
        low = g->member[i].rank < low ? g->member[i].rank : low;
    return low;
}

/* Communicators of all ranks first, then the larger ones. */
static int by_size(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    const struct bine_part_comm *c = x->member->comm, *d = y->member->comm;
    if (c->kind != d->kind)
        return c->kind < d->kind ? -1 : 1;
    if (c->ranks != d->ranks)
        return c->ranks > d->ranks ? -1 : 1;
    int low = lowest(x), other = lowest(y);
    if (low != other)
        return low < other ? -1 : 1;
    return (x->member->key > y->member->key) - (x->member->key < y->member->key);
}

static size_t list_members(const struct bine_parts *parts, struct member *to) {
    size_t n = 0;
    for (int r = 0; r < parts->ranks; r++)
        for (unsigned i = 0; parts->part[r] != NULL && i < parts->part[r]->head.comms; i++) {
            const struct bine_part_comm *c = &parts->part[r]->comm[i];
            to[n++] = (struct member){c->key, r, (int32_t)i, c};
        }
    return n;
}

static size_t list_groups(const struct member *member, size_t members, struct group *group) {
    size_t n = 0;
    for (size_t i = 0; i < members; i++) {
        if (i == 0 || member[i].key != member[i - 1].key)
            group[n++] = (struct group){&member[i], 0, 0};
        group[n - 1].members++;
    }
    return n;
}

/* All ranks are there, each once: then the places are known. */
static int is_whole(const struct group *g) {
    int ranks = g->member->comm->ranks;
    for (size_t i = 0; i < g->members; i++)
        if (g->member[i].comm->rank != (int32_t)i)
            return 0;
    return g->members == (size_t)ranks;
}

static int find_places(const struct bine_merge *m, const struct group *g,
                       struct bine_merged_comm *c) {
    if (!is_whole(g))
        return 0;
    c->place = malloc(g->members * sizeof *c->place);
    if (c->place == NULL)
        return -1;
    for (size_t i = 0; i < g->members; i++) {
        int node = m->node[g->member[i].rank];
        if (i == 0 || c->place[c->places - 1].node != node)
            c->place[c->places++] = (struct bine_merged_run){node, 0};
        c->place[c->places - 1].ranks++;
    }
    return 0;
}

static int describe(const struct bine_merge *m, const struct group *g, size_t id) {
    struct bine_merged_comm *c = &m->to->comm[id];
    *c = (struct bine_merged_comm){.kind = (enum bine_part_comm_kind)g->member->comm->kind};
    for (size_t i = 0; i < g->members; i++) {
        const struct bine_part_comm *x = g->member[i].comm;
        c->ranks = x->ranks > c->ranks ? x->ranks : c->ranks;
        c->made = x->made > c->made ? x->made : c->made;
        m->comm[(size_t)g->member[i].rank * BINE_PART_COMMS + (size_t)g->member[i].place] =
            (int32_t)id;
    }
    return c->kind == BINE_PART_SEVERAL ? 0 : find_places(m, g, c);
}

int bine_merge_comms(struct bine_merge *m) {
    size_t places = (size_t)m->parts->ranks * BINE_PART_COMMS, most = 1;
    for (int r = 0; r < m->parts->ranks; r++)
        most += m->parts->part[r] != NULL ? m->parts->part[r]->head.comms : 0;
    struct member *member = malloc(most * sizeof *member);
    struct group *group = malloc(most * sizeof *group);
    m->comm = malloc(places * sizeof *m->comm);
    m->to->comm = malloc(most * sizeof *m->to->comm);
    int rc = member != NULL && group != NULL && m->comm != NULL && m->to->comm != NULL ? 0 : -1;
    size_t members = rc == 0 ? list_members(m->parts, member) : 0, groups = 0;
    if (members > 0) {
        qsort(member, members, sizeof *member, by_key);
        groups = list_groups(member, members, group);
        qsort(group, groups, sizeof *group, by_size);
    }
    for (size_t i = 0; i < groups && rc == 0; i++) {
        m->to->comms = i + 1;
        rc = describe(m, &group[i], i);
    }
    free(member);
    free(group);
    return rc;
}
