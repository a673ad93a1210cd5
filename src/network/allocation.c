#include "network/allocation.h"

#include "network/allocation_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bine_allocation_free(struct bine_allocation *a) {
    free(a->group);
    free(a->node);
    free(a->inner);
    bine_names_free(&a->names);
    for (int k = 0; k < BINE_WIDER_MOST; k++) {
        free(a->outer[k].group);
        bine_names_free(&a->outer[k].names);
    }
    *a = (struct bine_allocation){0};
}

static int fail(struct bine_allocation *a) {
    bine_allocation_free(a);
    return -1;
}

static int open(struct bine_allocation *a, int p, int with_nodes, int with_inner,
                struct bine_reason *why) {
    *a = (struct bine_allocation){.p = p};
    a->group = malloc((size_t)p * sizeof *a->group);
    a->node = with_nodes ? malloc((size_t)p * sizeof *a->node) : NULL;
    a->inner = with_inner ? malloc((size_t)p * sizeof *a->inner) : NULL;
    if (a->group != NULL && (!with_nodes || a->node != NULL) && (!with_inner || a->inner != NULL))
        return 0;
    bine_reason_memory(why);
    return fail(a);
}

/* A rank of a job that is being ordered. */
struct seat {
    int rank, place; /* the place so far */
    const char *key; /* the host's or the group's name */
};

static int by_key(const void *a, const void *b) {
    const struct seat *x = a, *y = b;
    int order = bine_names_compare(x->key, y->key);
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Number groups anew in the order of ranks. */
static int renumber(int p, int32_t *group, struct bine_names *names, struct bine_reason *why) {
    struct bine_names old = *names;
    int good = 1;
    *names = (struct bine_names){0};
    for (int r = 0; r < p && good; r++) {
        const char *name = bine_names_text(&old, group[r]);
        group[r] = bine_names_add(names, name, strlen(name));
        good = group[r] >= 0;
    }
    bine_names_free(&old);
    return good ? 0 : bine_reason_memory(why);
}

static void permute(int32_t *values, int32_t *room, const struct seat *seat, int p) {
    for (int r = 0; r < p; r++)
        room[r] = values[seat[r].rank];
    memcpy(values, room, (size_t)p * sizeof *values);
}

/* Sort by one key, and leave ranks of equal ones in the order that they have. */
static void sort_by(struct seat *seat, int p, const int32_t *group,
                    const struct bine_names *names) {
    for (int i = 0; i < p; i++) {
        seat[i].place = i;
        if (group != NULL)
            seat[i].key = bine_names_text(names, group[seat[i].rank]);
    }
    qsort(seat, (size_t)p, sizeof *seat, by_key);
}

/* Put everything that is known of a rank into the new order. */
static int follow(struct bine_allocation *a, const struct seat *seat, int32_t *room,
                  struct bine_reason *why) {
    permute(a->group, room, seat, a->p);
    if (a->node != NULL)
        permute(a->node, room, seat, a->p);
    if (a->inner != NULL)
        permute(a->inner, room, seat, a->p);
    int rc = renumber(a->p, a->group, &a->names, why);
    for (int k = 0; k < a->wider && rc == 0; k++) {
        permute(a->outer[k].group, room, seat, a->p);
        rc = renumber(a->p, a->outer[k].group, &a->outer[k].names, why);
    }
    return rc;
}

/* Sort the ranks by their hosts' names, or by their groups' names if there are no hosts: the
 * largest groups first. */
static int sort(struct bine_allocation *a, const struct bine_hosts *hosts,
                struct bine_reason *why) {
    struct seat *seat = malloc((size_t)a->p * sizeof *seat);
    int32_t *room = malloc((size_t)a->p * sizeof *room);
    int rc = seat != NULL && room != NULL ? 0 : bine_reason_memory(why);
    for (int r = 0; r < a->p && rc == 0; r++)
        seat[r] = (struct seat){r, r, hosts != NULL ? bine_hosts_text(hosts, r) : NULL};
    if (rc == 0) {
        sort_by(seat, a->p, hosts != NULL ? NULL : a->group, &a->names);
        for (int k = 0; k < a->wider && hosts == NULL; k++)
            sort_by(seat, a->p, a->outer[k].group, &a->outer[k].names);
        rc = follow(a, seat, room, why);
    }
    free(seat);
    free(room);
    return rc == 0 ? 0 : fail(a);
}

int bine_allocation_sort(struct bine_allocation *a, struct bine_reason *why) {
    return sort(a, NULL, why);
}

/* The group of one rank. */
static int place_rank(struct bine_allocation *a, const struct bine_machine *m, const char *host,
                      int rank, struct bine_reason *why) {
    struct bine_group_name group;
    int node;
    if (bine_machine_find(m, host, &group, &node) != 0)
        return bine_reason_set(why, "unknown host '%.60s' (rank %d): it is not in machine '%.60s'",
                               host, rank, m->name);
    a->group[rank] = bine_names_add(&a->names, group.at, group.length);
    if (a->node != NULL)
        a->node[rank] = node;
    return a->group[rank] < 0 ? bine_reason_memory(why) : 0;
}

/* The larger groups of all ranks, level by level, as far as all of them are in one. */
static int place_wider(struct bine_allocation *a, const struct bine_machine *m,
                       const struct bine_hosts *h, struct bine_reason *why) {
    for (int k = 0; k < m->wider; k++) {
        struct bine_outer *o = &a->outer[k];
        if ((o->group = malloc((size_t)a->p * sizeof *o->group)) == NULL)
            return bine_reason_memory(why);
        for (int r = 0; r < a->p; r++) {
            struct bine_group_name group;
            if (bine_machine_find_wider(m, bine_hosts_text(h, r), k + 1, &group) != 0)
                return 0;
            o->group[r] = bine_names_add(&o->names, group.at, group.length);
            if (o->group[r] < 0)
                return bine_reason_memory(why);
        }
        o->level = k + 2;
        a->wider = k + 1;
    }
    return 0;
}

int bine_allocation_place(struct bine_allocation *a, const struct bine_machine *m,
                          const struct bine_hosts *h, enum bine_reorder reorder,
                          struct bine_reason *why) {
    int shared = h->p > h->names.count; /* some ranks are on one host */
    if (open(a, h->p, m->shape.dims > 0, shared, why) != 0)
        return -1;
    a->shape = m->shape;
    for (int r = 0; r < a->p; r++)
        if (place_rank(a, m, bine_hosts_text(h, r), r, why) != 0)
            return fail(a);
    if (place_wider(a, m, h, why) != 0)
        return fail(a);
    bine_allocation_trim(a);
    if (shared)
        memcpy(a->inner, h->host, (size_t)a->p * sizeof *a->inner);
    if (reorder == BINE_REORDER_OFF)
        return 0;
    return sort(a, reorder == BINE_REORDER_HOSTNAME ? h : NULL, why);
}

int bine_allocation_torus(struct bine_allocation *a, const struct bine_shape *shape,
                          struct bine_reason *why) {
    char name[16];
    if (open(a, bine_shape_nodes(shape), 1, 0, why) != 0)
        return -1;
    a->shape = *shape;
    for (int r = 0; r < a->p; r++) {
        int n = snprintf(name, sizeof name, "%d", r);
        a->node[r] = r;
        a->group[r] = bine_names_add(&a->names, name, (size_t)n);
        if (a->group[r] < 0) {
            bine_reason_memory(why);
            return fail(a);
        }
    }
    return 0;
}

void bine_allocation_trim(struct bine_allocation *a) {
    int kept = 0, below = a->names.count;
    for (int k = 0; k < BINE_WIDER_MOST; k++) {
        struct bine_outer *o = &a->outer[k];
        int count = o->names.count, keep = k < a->wider && count > 1 && count < below;
        if (!keep) {
            free(o->group);
            bine_names_free(&o->names);
        } else {
            below = count;
        }
        struct bine_outer one = keep ? *o : (struct bine_outer){0};
        *o = (struct bine_outer){0};
        if (keep)
            a->outer[kept++] = one;
    }
    a->wider = kept;
}

int bine_allocation_keep_level(struct bine_allocation *a, int level, struct bine_reason *why) {
    struct bine_outer *o = NULL;
    for (int k = 0; k < a->wider; k++)
        if (a->outer[k].level == level)
            o = &a->outer[k];
    if (level > 1 && o == NULL)
        return a->wider == 0 ? bine_reason_set(why, "no level %d: its groups have only one", level)
                             : bine_reason_set(why, "no level %d: expected 1 to %d", level,
                                               a->outer[a->wider - 1].level);
    if (o != NULL) {
        struct bine_outer groups = {a->group, a->names, 1};
        a->group = o->group;
        a->names = o->names;
        *o = groups;
    }
    a->wider = 0;
    bine_allocation_trim(a);
    return 0;
}

struct bine_groups *bine_allocation_levels(const struct bine_allocation *a) {
    const int32_t *name[BINE_WIDER_MOST + 2];
    int n = 0;
    for (int k = a->wider; k > 0; k--)
        name[n++] = a->outer[k - 1].group;
    name[n++] = a->group;
    int most = 1, nodes = bine_allocation_nodes(a, &most);
    if (nodes < 0)
        return NULL;
    if (most > 1)
        name[n++] = a->inner;
    return bine_groups_new(a->p, n, name);
}

int bine_allocation_nodes(const struct bine_allocation *a, int *most) {
    int nodes = 0;
    *most = 1;
    if (a->inner == NULL)
        return a->p;
    int *ranks = calloc((size_t)a->p, sizeof *ranks);
    if (ranks == NULL)
        return -1;
    for (int r = 0; r < a->p; r++) {
        int n = ++ranks[a->inner[r]];
        nodes += n == 1;
        *most = n > *most ? n : *most;
    }
    free(ranks);
    return nodes;
}
