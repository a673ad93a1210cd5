/* Some of the ranks of an allocation, as ranks of a communicator of their own. */
#include "network/allocation.h"

#include "network/allocation_make.h"

#include <stdlib.h>
#include <string.h>

/* The names of some ranks' groups, numbered in the order in which these ranks meet them. */
static int take_names(int32_t **to, struct bine_names *names, const int32_t *group,
                      const struct bine_names *from, const int32_t *rank, int p) {
    *to = malloc((size_t)p * sizeof **to);
    for (int i = 0; i < p && *to != NULL; i++) {
        const char *name = bine_names_text(from, group[rank[i]]);
        (*to)[i] = bine_names_add(names, name, strlen(name));
        if ((*to)[i] < 0)
            return -1;
    }
    return *to == NULL ? -1 : 0;
}

/* Numbers of nodes, below p again. */
static int take_inner(struct bine_allocation *a, const struct bine_allocation *of,
                      const int32_t *rank) {
    int32_t *number = malloc((size_t)of->p * sizeof *number), count = 0;
    a->inner = malloc((size_t)a->p * sizeof *a->inner);
    int good = number != NULL && a->inner != NULL;
    for (int i = 0; i < of->p && good; i++)
        number[i] = -1;
    for (int i = 0; i < a->p && good; i++) {
        int32_t *n = &number[of->inner[rank[i]]];
        *n = *n < 0 ? count++ : *n;
        a->inner[i] = *n;
    }
    free(number);
    return good ? 0 : -1;
}

static int take_node(struct bine_allocation *a, const struct bine_allocation *of,
                     const int32_t *rank) {
    a->node = malloc((size_t)a->p * sizeof *a->node);
    for (int i = 0; i < a->p && a->node != NULL; i++)
        a->node[i] = of->node[rank[i]];
    return a->node == NULL ? -1 : 0;
}

int bine_allocation_part(struct bine_allocation *a, const struct bine_allocation *of,
                         const int32_t *rank, int p, struct bine_reason *why) {
    *a = (struct bine_allocation){.p = p, .shape = of->shape, .wider = of->wider};
    int rc = take_names(&a->group, &a->names, of->group, &of->names, rank, p);
    for (int k = 0; k < of->wider && rc == 0; k++) {
        const struct bine_outer *o = &of->outer[k];
        a->outer[k].level = o->level;
        rc = take_names(&a->outer[k].group, &a->outer[k].names, o->group, &o->names, rank, p);
    }
    if (rc == 0 && of->inner != NULL)
        rc = take_inner(a, of, rank);
    if (rc == 0 && of->node != NULL)
        rc = take_node(a, of, rank);
    if (rc != 0) {
        bine_allocation_free(a);
        return bine_reason_memory(why);
    }
    bine_allocation_trim(a);
    return 0;
}
