/* From the words of -a to the algorithms that are simulated. */
#include "cli/command.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <string.h>

struct asking {
    struct bine_simulate_entries *all;
    const struct bine_simulate_wish *w;
    enum bine_collective collective;
    const struct bine_place *known;
    int found; /* that serve, for the word at hand */
};

void bine_simulate_spec(const struct bine_simulate_wish *w, const struct bine_place *known,
                        const struct bine_algorithm *a, enum bine_layout l,
                        struct bine_spec *spec) {
    *spec = (struct bine_spec){.algorithm = a,
                               .layout = l,
                               .root = bine_collective_is_rooted(a->collective) ? w->root : 0,
                               .in_place = w->in_place};
    spec->ports = bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? w->ports : 0;
    bine_place_tell(known, spec);
    if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS)
        spec->groups = NULL; /* nodes are what counts */
    if (w->boards && bine_algorithm_needs(a) == BINE_NEEDS_GROUPS)
        spec->node = known->node;
}

static int serves(const struct asking *q, const struct bine_algorithm *a, enum bine_layout l) {
    struct bine_spec spec;
    char why[200];
    bine_simulate_spec(q->w, q->known, a, l, &spec);
    return bine_spec_error(&spec, why, sizeof why) == NULL && !a->exchanges_sizes &&
           (!a->commutative || q->w->commutative || !bine_collective_reduces(q->collective));
}

static int add(struct asking *q, const struct bine_algorithm *a, enum bine_layout l, int shown) {
    struct bine_simulate_entry e = {.algorithm = a, .layout = l, .asked = shown};
    q->found++;
    snprintf(e.name, sizeof e.name, "%s%s%s", a->name, shown ? ":" : "",
             shown ? bine_layout_name(l) : "");
    for (int i = 0; i < q->all->count; i++)
        if (strcmp(q->all->entry[i].name, e.name) == 0)
            return 0;
    if (q->all->count == BINE_SIMULATE_ENTRIES)
        return bine_complain("-a: more than %d algorithms", BINE_SIMULATE_ENTRIES);
    q->all->entry[q->all->count++] = e;
    return 0;
}

/* In one layout, in all ("all") or in its own (NULL). */
static int add_algorithm(struct asking *q, const struct bine_algorithm *a, const char *layout) {
    int rc = 0;
    if (layout == NULL) {
        enum bine_layout own = bine_algorithm_layout(a, q->known->p);
        return serves(q, a, own) ? add(q, a, own, 0) : 0;
    }
    for (int i = 0; a->layouts[i] >= 0 && rc == 0; i++) {
        enum bine_layout l = (enum bine_layout)a->layouts[i];
        if ((strcmp(layout, "all") == 0 || strcmp(layout, bine_layout_name(l)) == 0) &&
            serves(q, a, l))
            rc = add(q, a, l, 1);
    }
    return rc;
}

/* All of a family, or all that there are (NULL). Returns how many there are, or -1. */
static int add_family(struct asking *q, const char *family, const char *layout) {
    int found = 0;
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        if (a->collective != q->collective || (family != NULL && strcmp(a->family, family) != 0))
            continue;
        found++;
        if (add_algorithm(q, a, layout) != 0)
            return -1;
    }
    return found;
}

/* Somebody asked for one algorithm of one collective, and it does not serve. */
static int refuse(struct asking *q, const struct bine_algorithm *a, const char *layout) {
    struct bine_spec spec;
    enum bine_layout l = bine_algorithm_layout(a, q->known->p);
    int number = layout == NULL ? (int)l : bine_layout_find(layout);
    bine_simulate_spec(q->w, q->known, a, number < 0 ? l : (enum bine_layout)number, &spec);
    if (bine_spec_complain(&spec) != 0)
        return BINE_EXIT_USAGE;
    if (a->exchanges_sizes)
        return bine_complain("%s %s sends sizes before blocks, and a replay runs once: expected "
                             "--engine smpi",
                             bine_collective_name(q->collective), a->name);
    return bine_complain("%s %s needs an operator that commutes",
                         bine_collective_name(q->collective), a->name);
}

static int add_named(struct asking *q, const char *name, const char *layout) {
    const struct bine_algorithm *a = bine_algorithm_find(q->collective, name);
    if (a == NULL || strcmp(a->name, name) != 0) {
        int found = add_family(q, name, layout);
        if (found != 0)
            return found < 0 ? BINE_EXIT_USAGE : 0;
    }
    if (a == NULL && q->w->collectives > 1 && bine_name_is_known(name))
        return 0;
    if (a == NULL)
        return bine_complain_near(bine_algorithm_suggest(q->collective, name),
                                  "unknown algorithm '%s': expected one that 'bine list %s' "
                                  "prints, a family or all",
                                  name, bine_collective_name(q->collective));
    q->found = 0;
    if (add_algorithm(q, a, layout) != 0)
        return BINE_EXIT_USAGE;
    return q->found > 0 || q->w->collectives > 1 ? 0 : refuse(q, a, layout);
}

static int add_word(void *self, char *word) {
    struct asking *q = self;
    char *colon = strchr(word, ':');
    if (strcmp(word, "mpi") == 0 || strncmp(word, "mpi:", 4) == 0 || strcmp(word, "best") == 0)
        return bine_complain("-a %s: a replay knows no MPI library: expected --engine smpi", word);
    if (colon != NULL)
        *colon++ = '\0';
    if (colon != NULL && strcmp(colon, "all") != 0 && bine_layout_find(colon) < 0)
        return bine_complain("unknown layout '%s': expected blocks, pack, permute, send or all",
                             colon);
    if (strcmp(word, "all") == 0)
        return add_family(q, NULL, colon) < 0 ? BINE_EXIT_USAGE : 0;
    return add_named(q, word, colon);
}

int bine_simulate_list(struct bine_simulate_entries *all, const struct bine_simulate_wish *w,
                       enum bine_collective c, const struct bine_place *known) {
    struct asking q = {all, w, c, known, 0};
    all->count = 0;
    return bine_words_each(w->algorithms, add_word, &q);
}

int64_t bine_simulate_size(enum bine_collective c, int element, int p, int64_t bytes) {
    int64_t unit = (int64_t)element * (bine_cuts_a_vector(c) ? 1 : p);
    if (c == BINE_BARRIER)
        return 0;
    return bytes < unit ? unit : bytes / unit * unit;
}
