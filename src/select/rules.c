#include "select/rules.h"
#include "base/numbers.h"

#include "pattern/torus.h"

#include <stdlib.h>
#include <string.h>

static const char *const libraries[] = {"any", "openmpi", "mpich"};

const char *bine_library_name(int library) {
    return libraries[library];
}

int bine_library_find(const char *name) {
    for (int k = 0; k < BINE_LIBRARIES; k++)
        if (strcmp(name, libraries[k]) == 0)
            return k;
    return -1;
}

/* An unknown number is in no range. */
static int lies_in(const struct bine_intervals *s, int64_t x) {
    for (int i = 0; i < s->n; i++)
        if (x >= s->interval[i].low && x <= s->interval[i].high && x > 0)
            return 1;
    return s->n == 0;
}

static int is_of_class(int class, int p) {
    return class == 0 || (class == BINE_CLASS_POW2 && bine_is_pow2(p)) ||
           (class == BINE_CLASS_EVEN && p % 2 == 0) || (class == BINE_CLASS_ODD && p % 2 == 1);
}

static int agrees(int condition, int fact) {
    return condition == 0 || (condition == BINE_IF_YES) == (fact != 0);
}

static int dims_of(const struct bine_query *q) {
    return q->dims.dims == 0 ? 0 : bine_torus_ports(&q->dims) / 2;
}

/* With one port and the ranks in order, the distances of flat Bine, 1, -1, 3, -5, ..., suit a ring,
 * and rows of four in all dimensions but the first, if all is a power of two. */
static int torus_bends(const struct bine_query *q) {
    int seen = 0, bends = !bine_is_pow2(q->p);
    for (int d = 0; d < q->dims.dims; d++)
        if (q->dims.size[d] > 1)
            bends |= seen++ > 0 && q->dims.size[d] != 4;
    return q->ports > 1 || q->seats || (seen > 1 && bends);
}

static int torus_fits(const struct bine_rule *r, const struct bine_query *q) {
    return agrees(r->torus_known, q->dims.dims > 0) && agrees(r->torus_wired, q->wired) &&
           agrees(r->torus_in_order, !q->seats) &&
           (r->torus_bends == 0 || agrees(r->torus_bends, torus_bends(q)));
}

/* One after the other: calls are waiting, and most rules are for other collectives or sizes. */
const char *bine_rule_misses(const struct bine_rule *r, const struct bine_query *q) {
    if (r->collectives != 0 && !(r->collectives >> q->collective & 1))
        return "collective";
    if (q->bytes < r->from || (r->below > 0 && q->bytes >= r->below))
        return "bytes";
    if (!agrees(r->drop_in, q->drop_in && !q->always))
        return "drop-in";
    if (!agrees(r->nonblocking, q->nonblocking))
        return "nonblocking";
    if (r->library != BINE_LIBRARY_ANY && r->library != q->library)
        return "library";
    if (!lies_in(&r->ranks, q->p))
        return "ranks";
    if (!is_of_class(r->ranks_class, q->p))
        return "ranks_class";
    if (!agrees(r->commutative, q->commutative))
        return "commutative";
    if (!agrees(r->uneven, q->uneven))
        return "uneven";
    if (!lies_in(&r->nodes, q->nodes))
        return "nodes";
    if (!lies_in(&r->per_node, q->per_node))
        return "ranks_per_node";
    if (!agrees(r->cores_suffice, !q->crowded) || !agrees(r->crowded_left, q->leaves_crowded))
        return "cores";
    if (!agrees(r->groups_known, q->groups > 0) || !agrees(r->groups_several, q->groups > 1) ||
        !lies_in(&r->groups, q->groups))
        return "groups";
    if (!torus_fits(r, q))
        return "torus";
    if (!lies_in(&r->dims, dims_of(q)))
        return "dims";
    if (!lies_in(&r->ports, q->ports))
        return "ports";
    return NULL;
}

static int parse_number(const char **text, int64_t *x) {
    char *end;
    if (**text < '0' || **text > '9')
        return -1;
    *x = strtoll(*text, &end, 10);
    *text = end;
    return 0;
}

int bine_intervals_parse(const char *text, struct bine_intervals *s) {
    s->n = 0;
    for (;; text++) {
        struct bine_interval *x = &s->interval[s->n];
        if (s->n == BINE_INTERVALS || parse_number(&text, &x->low) != 0)
            return -1;
        x->high = x->low;
        if (*text == '-') {
            text++;
            x->high = INT64_MAX;
            if (*text != '\0' && *text != ',' && parse_number(&text, &x->high) != 0)
                return -1;
        }
        if (x->low < 1 || x->high < x->low)
            return -1;
        s->n++;
        if (*text == '\0')
            return 0;
        if (*text != ',')
            return -1;
    }
}

void bine_rules_free(struct bine_rules *rules) {
    free((void *)(uintptr_t)rules->rule);
    free(rules->found);
    free(rules->memory);
    *rules = (struct bine_rules){0};
}
