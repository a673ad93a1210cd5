#include "choose/choose_place.h"

#include "cli/command.h"
#include "cli/options/groups_option.h"
#include "cli/options/place.h"
#include "cli/options/shapes.h"

#include <stdlib.h>
#include <string.h>

/* The nodes that the ranks are on: hosts, or what names of groups such as cell3/node7 tell apart.
 */
static int count_nodes(struct bine_query *q, const struct bine_allocation *a) {
    q->nodes = bine_allocation_nodes(a, &q->per_node);
    return q->nodes < 0 ? -1 : 0;
}

/* Sizes or a file; every rank is on a node of its own unless something else is said. */
static int read_groups(struct bine_query *q, const char *word) {
    struct bine_allocation a;
    int rc = 0;
    if (bine_word_groups(word, &a) != 0)
        return BINE_EXIT_USAGE;
    if (q->p != 0 && q->p != a.p)
        rc = bine_complain("--groups '%s' are of %d ranks: expected %d", word, a.p, q->p);
    else if (a.inner != NULL && (q->nodes > 0 || q->per_node > 0))
        rc = bine_complain("--groups %s: its names say how many nodes there are", word);
    else if (a.inner != NULL)
        rc = count_nodes(q, &a) == 0 ? 0 : bine_complain("out of memory");
    else if (q->nodes == 0)
        q->nodes = q->per_node > 0 ? (a.p + q->per_node - 1) / q->per_node : a.p;
    q->p = a.p;
    q->groups = bine_allocation_groups(&a);
    bine_allocation_free(&a);
    return rc;
}

/* The groups: how many there are, or all of them. */
static int place_groups(struct bine_query *q, const char *word) {
    long n;
    if (strspn(word, "-0123456789") < strlen(word))
        return read_groups(q, word);
    if (bine_word_number("--groups", word, 1, BINE_RANKS_MOST, &n) != 0)
        return BINE_EXIT_USAGE;
    q->groups = (int)n;
    return 0;
}

/* Whether groups or nodes say something. */
static void find_levels(struct bine_query *q) {
    q->levels = q->groups > 1 || (q->nodes > 1 && q->per_node > 1);
}

int bine_choose_ranks(struct bine_query *q, const struct bine_allocation *a) {
    int in_order, torus = a->shape.dims > 0;
    if (bine_place_torus(a, &q->dims, &in_order) != 0 || count_nodes(q, a) != 0)
        return -1;
    q->p = a->p;
    q->groups = torus ? 0 : bine_allocation_groups(a);
    q->wired = q->dims.dims > 0;
    q->seats = q->wired && !in_order;
    find_levels(q);
    return 0;
}

/* The ranks on the hosts of a machine. */
static int place_hosts(struct bine_query *q, const struct bine_choose_where *w) {
    struct bine_place_words words = {
        .machine = w->machine, .hosts = w->hosts, .per_node = q->per_node};
    struct bine_allocation a;
    if (bine_place_job(&words, &a, NULL) != 0)
        return BINE_EXIT_USAGE;
    int rc = bine_choose_ranks(q, &a);
    bine_allocation_free(&a);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

/* The ranks on a torus of their own, or as a Cartesian communicator sees them. */
static int place_dims(struct bine_query *q, const struct bine_choose_where *w) {
    struct bine_shape dims;
    if (bine_word_dims(w->dims, q->p, &dims) != 0)
        return BINE_EXIT_USAGE;
    q->p = bine_shape_nodes(&dims);
    if (q->nodes == 0 && !w->cartesian)
        q->nodes = q->p;
    if (w->cartesian && q->wired && !q->seats && bine_shape_same(&dims, &q->dims))
        return 0;
    q->dims = dims;
    q->wired = !w->cartesian;
    q->seats = 0;
    return 0;
}

static int check_words(const struct bine_query *q, const struct bine_choose_where *w) {
    if (w->machine == NULL && w->hosts != NULL)
        return bine_complain("missing --machine: --machine and --hosts go together");
    if (w->machine != NULL && (q->p > 0 || q->nodes > 0 || w->groups != NULL))
        return bine_complain("--machine: the hosts say how many ranks, nodes and groups there are");
    if (w->machine != NULL && w->dims != NULL && !w->cartesian)
        return bine_complain("--dims %s: the machine says whether it is a torus", w->dims);
    if (w->machine == NULL && w->groups == NULL && w->busy > 0)
        return bine_complain("--busy: which links are they? expected --machine or --groups");
    if (w->cartesian && w->dims == NULL)
        return bine_complain("missing --dims: which are those of the Cartesian communicator?");
    return 0;
}

int bine_choose_place(struct bine_query *q, const struct bine_choose_where *w) {
    if (check_words(q, w) != 0 || (w->groups != NULL && place_groups(q, w->groups) != 0) ||
        (w->machine != NULL && place_hosts(q, w) != 0) ||
        (w->dims != NULL && place_dims(q, w) != 0))
        return BINE_EXIT_USAGE;
    if (q->p == 0)
        return bine_complain("missing --ranks: how many are in the communicator?");
    if (q->bytes < 0)
        return bine_complain("missing --bytes: how long is the whole vector?");
    if (q->nodes > q->p)
        return bine_complain("--nodes %d: there are only %d ranks", q->nodes, q->p);
    if (q->nodes == 0)
        q->nodes = 1;
    int least = (q->p + q->nodes - 1) / q->nodes;
    if (q->per_node == 0)
        q->per_node = least;
    if (q->per_node < least || q->per_node > q->p)
        return bine_complain("--ranks-per-node %d: expected %d to %d for %d ranks on %d nodes",
                             q->per_node, least, q->p, q->p, q->nodes);
    find_levels(q);
    return 0;
}

void bine_choose_settings(struct bine_query *q, const struct bine_choose_where *w,
                          const struct bine_settings *settings) {
    int given = w != NULL && w->dims != NULL && !w->cartesian;
    q->boards = q->exposes = q->nodes == 1 && bine_settings_allow_boards(settings, q->per_node);
    q->ports = settings->ports;
    q->patient = settings->effort == BINE_EFFORT_PATIENT;
    q->reorders = settings->reorder == BINE_REORDERING_GROUP
                      ? q->levels
                      : settings->reorder == BINE_REORDERING_HOSTNAME && q->nodes > 1;
    if (given || settings->dims.dims == 0 || bine_shape_nodes(&settings->dims) != q->p)
        return;
    q->dims = settings->dims;
    q->wired = 1;
    q->seats = 0;
}
