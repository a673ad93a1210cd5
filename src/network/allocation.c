#include "network/allocation.h"
#include "base/files.h"
#include "base/grow.h"

#include "base/text.h"
#include "network/machine_folders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bine_allocation_free(struct bine_allocation *a) {
    free(a->group);
    free(a->node);
    free(a->inner);
    bine_names_free(&a->names);
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
    int rank;
    const char *key; /* the host's or the group's name */
};

static int by_key(const void *a, const void *b) {
    const struct seat *x = a, *y = b;
    int order = bine_names_compare(x->key, y->key);
    return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Number the groups anew in the order of ranks. */
static int renumber(struct bine_allocation *a, struct bine_reason *why) {
    struct bine_names old = a->names;
    a->names = (struct bine_names){0};
    for (int r = 0; r < a->p; r++) {
        const char *name = bine_names_text(&old, a->group[r]);
        a->group[r] = bine_names_add(&a->names, name, strlen(name));
        if (a->group[r] < 0) {
            bine_names_free(&old);
            bine_reason_memory(why);
            return fail(a);
        }
    }
    bine_names_free(&old);
    return 0;
}

static void permute(int32_t *values, int32_t *room, const struct seat *seat, int p) {
    for (int r = 0; r < p; r++)
        room[r] = values[seat[r].rank];
    memcpy(values, room, (size_t)p * sizeof *values);
}

/* Sort the ranks by their hosts' names, or by their groups' names if there are no hosts. */
static int sort(struct bine_allocation *a, const struct bine_hosts *hosts,
                struct bine_reason *why) {
    struct seat *seat = malloc((size_t)a->p * sizeof *seat);
    int32_t *room = malloc((size_t)a->p * sizeof *room);
    int good = seat != NULL && room != NULL;
    for (int r = 0; r < a->p && good; r++) {
        seat[r].rank = r;
        seat[r].key =
            hosts != NULL ? bine_hosts_text(hosts, r) : bine_names_text(&a->names, a->group[r]);
    }
    if (good) {
        qsort(seat, (size_t)a->p, sizeof *seat, by_key);
        permute(a->group, room, seat, a->p);
        if (a->node != NULL)
            permute(a->node, room, seat, a->p);
        if (a->inner != NULL)
            permute(a->inner, room, seat, a->p);
    }
    free(seat);
    free(room);
    if (good)
        return renumber(a, why);
    bine_reason_memory(why);
    return fail(a);
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

/* Append ranks of one group while the number of ranks is not yet known. */
static int extend(struct bine_allocation *a, size_t *room, const char *group, size_t length,
                  long count, struct bine_reason *why) {
    int number = bine_names_add(&a->names, group, length);
    if (number < 0 || bine_grow(&a->group, room, (size_t)(a->p + count), sizeof *a->group) != 0)
        return bine_reason_memory(why);
    for (; count > 0; count--)
        a->group[a->p++] = number;
    return 0;
}

int bine_allocation_sizes(struct bine_allocation *a, const char *sizes, struct bine_reason *why) {
    size_t room = 0;
    *a = (struct bine_allocation){0};
    for (const char *at = sizes;; at++) {
        char name[24];
        long size;
        struct bine_word word = {at, strcspn(at, ",")};
        if (bine_word_count(&word, 1, BINE_HOSTS_MOST - a->p, &size) != 0) {
            bine_reason_set(why,
                            "group sizes '%.60s': expected sizes from 1 on, as in 5,5,6, of at "
                            "most %d ranks in all",
                            sizes, BINE_HOSTS_MOST);
            return fail(a);
        }
        int n = snprintf(name, sizeof name, "%d", a->names.count);
        if (extend(a, &room, name, (size_t)n, size, why) != 0)
            return fail(a);
        at += word.length;
        if (*at == '\0')
            return 0;
    }
}

/* The whole name of the last rank's group, which names the groups nested in it. */
static int nest(struct bine_allocation *a, struct bine_names *whole, const struct bine_word *name,
                struct bine_reason *why) {
    if (((a->p - 1) & a->p) == 0 || a->inner == NULL) { /* p is a power of two: double it */
        int32_t *more = realloc(a->inner, 2 * (size_t)a->p * sizeof *more);
        if (more == NULL)
            return bine_reason_memory(why);
        a->inner = more;
    }
    a->inner[a->p - 1] = bine_names_add(whole, name->at, name->length);
    return a->inner[a->p - 1] < 0 ? bine_reason_memory(why) : 0;
}

/* The name up to a slash is the group's. */
static size_t outer_length(const struct bine_word *name) {
    const char *slash = memchr(name->at, '/', name->length);
    return slash != NULL && slash > name->at ? (size_t)(slash - name->at) : name->length;
}

struct bine_groups *bine_allocation_levels(const struct bine_allocation *a) {
    const int32_t *const name[] = {a->group, a->inner};
    return bine_groups_new(a->p, a->inner != NULL ? 2 : 1, name);
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

static int read_names(struct bine_allocation *a, struct bine_names *whole, const char *text,
                      size_t size, const char *file, struct bine_reason *why) {
    struct bine_text t = bine_text_open(text, size);
    struct bine_word line, name;
    size_t room = 0;
    while (bine_text_line(&t, &line)) {
        if (!bine_text_word(&line, &name))
            continue;
        int rc = 0;
        if (line.length > 0)
            rc = bine_reason_set(why, "expected one word, the name of the rank's group");
        else if (memchr(name.at, '\0', name.length) != NULL || name.length > BINE_HOST_LENGTH)
            rc = bine_reason_set(why, "a group name that is no text, or longer than %d characters",
                                 BINE_HOST_LENGTH);
        else if (a->p == BINE_HOSTS_MOST)
            rc = bine_reason_set(why, "more than %d ranks", BINE_HOSTS_MOST);
        if (rc != 0 || extend(a, &room, name.at, outer_length(&name), 1, why) != 0 ||
            nest(a, whole, &name, why) != 0) {
            bine_reason_at(why, file, t.line);
            return -1;
        }
    }
    return 0;
}

int bine_allocation_read(struct bine_allocation *a, const char *text, size_t size, const char *file,
                         struct bine_reason *why) {
    struct bine_names whole = {0};
    *a = (struct bine_allocation){0};
    int rc = read_names(a, &whole, text, size, file, why), nested = 0;
    for (int i = 0; i < whole.count && !nested; i++)
        nested = strchr(bine_names_text(&whole, i), '/') != NULL;
    bine_names_free(&whole);
    if (rc != 0)
        return fail(a);
    if (!nested) { /* nothing is said of nodes */
        free(a->inner);
        a->inner = NULL;
    }
    if (a->p > 0)
        return 0;
    bine_reason_set(why, "no ranks in it: expected the name of a group for each rank");
    bine_reason_at(why, file, 0);
    return fail(a);
}

int bine_allocation_load(struct bine_allocation *a, const char *word, struct bine_reason *why) {
    size_t size;
    if (strspn(word, "0123456789,") == strlen(word))
        return bine_allocation_sizes(a, word, why);
    char *text = bine_file_text(word, &size);
    if (text == NULL)
        return bine_reason_set(why, "%.200s: %s", word, strerror(errno));
    int rc = bine_allocation_read(a, text, size, word, why);
    free(text);
    return rc;
}
