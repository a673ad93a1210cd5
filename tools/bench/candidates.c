/* From the words of -a to the list of what is measured. */
#include "base/grow.h"
#include "bench/bench.h"
#include "cli/command.h"

#include <bine.h>
#include <stdlib.h>
#include <string.h>

struct asking {
    struct bench_entries *all;
    const struct bench_wish *w;
    const struct bench_collective *c;
    const struct bench_world *world;
};

/* Append an entry, unless one of that name is there; NULL when out of memory. */
static struct bench_entry *add(struct asking *q, const char *name) {
    struct bench_entries *all = q->all;
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->entry[i].name, name) == 0)
            return &all->entry[i];
    if (bine_grow(&all->entry, &all->room, (size_t)all->count + 1, sizeof *all->entry) != 0)
        return NULL;
    struct bench_entry *e = &all->entry[all->count++];
    *e = (struct bench_entry){.how = BENCH_OWN, .forced = -1, .segment = -1, .comm = MPI_COMM_NULL};
    snprintf(e->name, sizeof e->name, "%s", name);
    return e;
}

static int commutes(const struct bench_wish *w) {
    return w->op.action != BENCH_FIRST;
}

/* Whether the library knows what the algorithm needs to know of the ranks. All ranks ask together.
 */
static int is_known(const struct asking *q, const struct bine_algorithm *a) {
    MPI_Comm comm;
    if (bine_algorithm_needs(a) == BINE_NEEDS_NOTHING)
        return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int rc = Bine_Set(comm, bine_collective_name(q->c->kind), a->name);
    MPI_Comm_free(&comm);
    return rc == MPI_SUCCESS;
}

static int serves(const struct asking *q, const struct bine_algorithm *a) {
    return bine_algorithm_takes(a, q->world->p) && is_known(q, a) &&
           (!a->commutative || commutes(q->w) || !bine_collective_reduces(q->c->kind));
}

/* An algorithm in a layout, in all ("all") or in its own (NULL). */
static int add_algorithm(struct asking *q, const struct bine_algorithm *a, const char *layout) {
    char name[96];
    if (layout == NULL)
        return add(q, a->name) == NULL ? bine_complain("out of memory") : 0;
    for (int i = 0; a->layouts[i] >= 0; i++) {
        enum bine_layout l = (enum bine_layout)a->layouts[i];
        if (!bine_algorithm_has_layout(a, l, q->world->p) ||
            (strcmp(layout, "all") != 0 && strcmp(layout, bine_layout_name(l)) != 0))
            continue;
        snprintf(name, sizeof name, "%s:%s", a->name, bine_layout_name(l));
        if (add(q, name) == NULL)
            return bine_complain("out of memory");
    }
    return 0;
}

/* All algorithms of a family, or all that there are (NULL); *found counts them. */
static int add_family(struct asking *q, const char *family, const char *layout, int *found) {
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        if (a->collective != q->c->kind || (family != NULL && strcmp(a->family, family) != 0))
            continue;
        ++*found;
        if (serves(q, a) && add_algorithm(q, a, layout) != 0)
            return BINE_EXIT_USAGE;
    }
    return 0;
}

static struct bench_entry *add_library(struct asking *q, const char *name, int forced) {
    char full[96];
    snprintf(full, sizeof full, "%s%s%s",
             q->w->library_name != NULL && name == NULL ? q->w->library_name : "mpi",
             name == NULL ? "" : ":", name == NULL ? "" : name);
    struct bench_entry *e = add(q, full);
    if (e != NULL) {
        e->how = BENCH_LIBRARY;
        e->forced = forced;
    }
    return e;
}

/* mpi:NAME, mpi:NAME@SEGMENT or mpi:all. */
static int add_library_word(struct asking *q, const char *word) {
    struct bench_library_list list;
    char *end = NULL;
    const char *at = strchr(word, '@');
    size_t length = at == NULL ? strlen(word) : (size_t)(at - word);
    int all = strcmp(word, "all") == 0, found = all;
    if (q->w->nonblocking)
        return bine_complain(
            "mpi:%s: expected mpi, with --nonblocking: only algorithms of blocking "
            "calls can be forced",
            word);
    bench_library_list(q->c, &list);
    for (int i = 0; i < list.count; i++) {
        const char *name = list.item[i].name;
        if (!all && (strlen(name) != length || strncmp(name, word, length) != 0))
            continue;
        struct bench_entry *e = add_library(q, all ? name : word, list.item[i].value);
        if (e == NULL)
            return bine_complain("out of memory");
        if (at != NULL)
            e->segment = strtol(at + 1, &end, 10);
        if (end != NULL && (*end == 'K' || *end == 'M'))
            e->segment <<= *end == 'K' ? 10 : 20;
        found = 1;
    }
    /* One list of words serves several collectives: a name of another collective is no mistake. */
    return found || q->w->collectives > 1
               ? 0
               : bine_complain("mpi:%s: this MPI library has no such %s algorithm that can be "
                               "forced; see bine-bench %s -a mpi:all --list",
                               word, q->c->name, q->c->name);
}

/* What an algorithm lacks that is not known of the ranks. */
static const char *const missing[] = {
    [BINE_NEEDS_NOTHING] = "nothing",
    [BINE_NEEDS_GROUPS] = "groups, and none are known: see BINE_GROUPS and BINE_MACHINE",
    [BINE_NEEDS_DIMS] = "the dimensions of a torus: see --dims",
    [BINE_NEEDS_BOARDS] = "boards: all ranks on one node, which share memory",
};

static int refuse(const struct asking *q, const struct bine_algorithm *a, const char *layout) {
    if (!bine_algorithm_takes(a, q->world->p))
        return bine_complain("%s %s does not take %d rank%s", q->c->name, a->name, q->world->p,
                             bine_plural(q->world->p));
    if (!is_known(q, a))
        return bine_complain("%s %s needs %s", q->c->name, a->name,
                             missing[bine_algorithm_needs(a)]);
    if (layout != NULL)
        return bine_complain("%s %s has no layout '%s' for %d rank%s", q->c->name, a->name, layout,
                             q->world->p, bine_plural(q->world->p));
    return bine_complain("%s %s needs an operator that commutes", q->c->name, a->name);
}

/* The name of an algorithm, else of a family, with or without a layout. */
static int add_named(struct asking *q, const char *name, const char *layout) {
    const struct bine_algorithm *a = bine_algorithm_find(q->c->kind, name);
    int found = 0;
    if (a == NULL || strcmp(a->name, name) != 0) /* families before other names of algorithms */
        if (add_family(q, name, layout, &found) != 0)
            return BINE_EXIT_USAGE;
    if (found > 0)
        return 0;
    if (a == NULL && q->w->collectives > 1 && bine_name_is_known(name))
        return 0;
    if (a == NULL)
        return bine_complain_near(
            bine_algorithm_suggest(q->c->kind, name),
            "unknown algorithm '%s': expected one that 'bine list %s' prints, "
            "a family, all, best, mpi or mpi:NAME",
            name, q->c->name);
    int lacks =
        layout != NULL && strcmp(layout, "all") != 0 &&
        !bine_algorithm_has_layout(a, (enum bine_layout)bine_layout_find(layout), q->world->p);
    if (!serves(q, a) || lacks)
        return q->w->collectives > 1 ? 0 : refuse(q, a, lacks ? layout : NULL);
    return add_algorithm(q, a, layout);
}

/* Beside others (`asked` is 0), a line says once why it is not there. */
static int add_nccl(struct asking *q, int asked) {
    static int said;
    const char *why = q->w->list ? NULL : bench_nccl_refuses(q->w, q->c, q->world);
    if (why != NULL && asked && q->w->collectives == 1)
        return bine_complain("%s nccl: %s", q->c->name, why);
    if (why != NULL) {
        if (!said && bench_is_speaker)
            fprintf(stderr, "bine-bench: %s without nccl: %s\n", q->c->name, why);
        said = 1;
        return 0;
    }
    struct bench_entry *e = add(q, "nccl");
    if (e != NULL)
        e->how = BENCH_NCCL;
    return e != NULL ? 0 : bine_complain("out of memory");
}

/* Bine's own choice and the library's; and NCCL's, where vectors are on devices. */
static int add_best(struct asking *q) {
    struct bench_entry *e = add(q, "best");
    if (e != NULL)
        e->how = BENCH_CHOSEN;
    if (e == NULL || add_library(q, NULL, -1) == NULL)
        return bine_complain("out of memory");
    return q->w->on_device ? add_nccl(q, 0) : 0;
}

static int add_word(void *self, char *word) {
    struct asking *q = self;
    char *colon = strchr(word, ':');
    int found = 0;
    if (colon != NULL)
        *colon = '\0';
    const char *layout = colon == NULL ? NULL : colon + 1;
    if (strcmp(word, "mpi") == 0 && layout != NULL)
        return add_library_word(q, layout);
    if (strcmp(word, "mpi") == 0)
        return add_library(q, NULL, -1) == NULL ? bine_complain("out of memory") : 0;
    if (strcmp(word, "nccl") == 0 && layout == NULL)
        return add_nccl(q, 1);
    if (layout != NULL && strcmp(layout, "all") != 0 && bine_layout_find(layout) < 0)
        return bine_complain("unknown layout '%s': expected blocks, pack, permute, send or all",
                             layout);
    if (strcmp(word, "all") == 0 && add_family(q, NULL, layout, &found) != 0)
        return BINE_EXIT_USAGE;
    if (strcmp(word, "all") == 0)
        return add_library(q, NULL, -1) == NULL ? bine_complain("out of memory") : 0;
    return strcmp(word, "best") == 0 ? add_best(q) : add_named(q, word, layout);
}

/* Each entry gets a communicator on which calls take its algorithm. */
static int open_entry(struct bench_entry *e, const struct bench_collective *c) {
    int rc = MPI_SUCCESS;
    if (bench_library_dup(c, e, &e->comm) != 0)
        return bine_complain("%s: this MPI library does not let it be chosen", e->name);
    MPI_Comm_set_errhandler(e->comm, MPI_ERRORS_RETURN);
    if (e->how == BENCH_OWN)
        rc = Bine_Set(e->comm, bine_collective_name(c->kind), e->name);
    return rc == MPI_SUCCESS ? 0 : bine_complain("%s %s cannot be chosen", c->name, e->name);
}

int bench_entries_list(struct bench_entries *all, const struct bench_wish *w,
                       const struct bench_collective *c, const struct bench_world *world) {
    struct asking q = {all, w, c, world};
    *all = (struct bench_entries){0};
    return bine_words_each(w->algorithms, add_word, &q);
}

int bench_entries_open(struct bench_entries *all, const struct bench_collective *c) {
    int rc = 0;
    for (int i = 0; i < all->count && rc == 0; i++)
        rc = open_entry(&all->entry[i], c);
    return rc;
}

void bench_entries_free(struct bench_entries *all) {
    for (int i = 0; i < all->count; i++) {
        if (all->entry[i].comm != MPI_COMM_NULL)
            MPI_Comm_free(&all->entry[i].comm);
        for (int f = 0; f < BENCH_FIGURES; f++)
            free(all->entry[i].sample[f]);
    }
    free(all->entry);
    *all = (struct bench_entries){0};
}
