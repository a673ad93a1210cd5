#include "comm/tuning/prediction.h"

#include "base/hash.h"
#include "base/lock.h"
#include "comm/location.h"
#include "comm/tuning/effort.h"
#include "mpi/mpi_calls.h"

#include <stdio.h>
#include <stdlib.h>

struct bine_predictor {
    int rank;
    /* On rank 0: the inputs of the model. */
    struct bine_allocation ranks;
    struct bine_links links;
    struct bine_picker picker;
    int assumes;    /* rates are not known */
    uint64_t shape; /* a number made of all that its answers depend on */
    struct bine_predictions answers;
};

/* Answers of rank 0, kept for other communicators of equal shape. */
enum { KEPT = 256 };
static struct kept {
    uint64_t key; /* a number made of the shape and the query; 0: a free place, the last ones */
    struct bine_prediction prediction;
} kept[KEPT];

void bine_size_class_range(const struct bine_predictor *x, int64_t bytes, int64_t *from,
                           int64_t *below) {
    int64_t least = x != NULL ? x->answers.least : BINE_ADVISED_LEAST;
    int large = bytes >= least;
    *from = large ? INT64_C(1) << bine_size_class(bytes) : 0;
    *below = large ? 2 * *from : least;
}

/* Names for numbered groups: 0, 1, ... 0, or -1 when out of memory. */
static int name_groups(struct bine_names *names, int groups) {
    int good = 1;
    for (int i = 0; i < groups && good; i++) {
        char name[16];
        int n = snprintf(name, sizeof name, "%d", i);
        good = bine_names_add(names, name, (size_t)n) >= 0;
    }
    return good ? 0 : -1;
}

/* Larger groups are the outermost levels. */
static int make_wider(struct bine_allocation *a, const struct bine_prediction_place *at) {
    for (int k = 0; k < at->wider; k++) {
        const struct bine_level *l = &at->levels->level[at->wider - k];
        struct bine_outer *o = &a->outer[k];
        o->group = malloc((size_t)at->p * sizeof *o->group);
        o->level = at->wider_level[k];
        a->wider = k + 1;
        if (o->group == NULL || name_groups(&o->names, l->sets) != 0)
            return -1;
        memcpy(o->group, l->set_of, (size_t)at->p * sizeof *o->group);
    }
    return 0;
}

/* Levels that change nothing are dropped: nodes may be the groups, and groups all there is. */
static int make_allocation(struct bine_predictor *x, const struct bine_prediction_place *at) {
    struct bine_allocation *a = &x->ranks;
    int groups = at->groups > 1 ? at->wider + 1 : 0, nodes = groups + (at->nodes > at->groups);
    a->p = at->p;
    a->group = calloc((size_t)at->p, sizeof *a->group);
    a->inner = at->nodes < at->p ? calloc((size_t)at->p, sizeof *a->inner) : NULL;
    if (a->group == NULL || (at->nodes < at->p && a->inner == NULL) ||
        name_groups(&a->names, groups > 0 ? at->groups : 1) != 0 || make_wider(a, at) != 0)
        return -1;
    for (int r = 0; r < at->p; r++) {
        a->group[r] = groups > 0 ? at->levels->level[groups].set_of[r] : 0;
        if (a->inner != NULL)
            a->inner[r] = at->levels->level[nodes].set_of[r];
    }
    return 0;
}

static uint64_t shape_of(const struct bine_links *l) {
    uint64_t h = bine_hash(BINE_HASH, &l->p, sizeof l->p);
    h = bine_hash(h, &l->shape, sizeof l->shape);
    h = bine_hash(h, l->node, (size_t)l->p * sizeof *l->node);
    h = bine_hash(h, l->group, (size_t)l->p * sizeof *l->group);
    for (int k = 0; k < l->wider; k++)
        h = bine_hash(h, l->level[k].group, (size_t)l->p * sizeof *l->level[k].group);
    h = bine_hash(h, &l->rates, sizeof l->rates);
    return bine_hash(h, l->rate, l->count * sizeof *l->rate);
}

static int place_ranks(struct bine_predictor *x, const struct bine_prediction_place *at) {
    struct bine_reason why;
    return at->dims != NULL ? bine_allocation_torus(&x->ranks, at->dims, &why)
                            : make_allocation(x, at);
}

/* Rank 0: whether the model can be asked. Where rates are not known, groups are enough. */
static int make_model(struct bine_predictor *x, const struct bine_prediction_place *at) {
    x->assumes = !bine_location_has_rates();
    if ((x->assumes && (at->dims != NULL || at->groups < 2)) || place_ranks(x, at) != 0 ||
        bine_location_links(&x->links, &x->ranks) != 0)
        return 0;
    x->shape = shape_of(&x->links);
    if (bine_picker_open(&x->picker, &x->links, at->levels, at->dims) != 0)
        return 0;
    x->picker.ports = at->ports;
    x->picker.patience = at->patient ? BINE_ADVISED_PATIENCE : 0;
    return 1;
}

void bine_predictor_close(struct bine_predictor *x) {
    if (x == NULL)
        return;
    bine_picker_close(&x->picker);
    bine_links_free(&x->links);
    bine_allocation_free(&x->ranks);
    bine_predictions_free(&x->answers);
    free(x);
}

struct bine_predictor *bine_predictor_open(MPI_Comm comm, int rank,
                                           const struct bine_prediction_place *at) {
    enum { NONE, ASSUMES, KNOWS };
    struct bine_predictor *x = calloc(1, sizeof *x);
    int mine = x != NULL ? KNOWS : NONE, all;
    if (rank == 0 && x != NULL)
        mine = !make_model(x, at) ? NONE : x->assumes ? ASSUMES : KNOWS;
    if (bine_mpi->allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || all == NONE) {
        bine_predictor_close(x);
        return NULL;
    }
    x->rank = rank;
    x->answers.least = bine_predictions_least(all == ASSUMES);
    return x;
}

/* The place of a key, which may be free; or NULL. */
static struct kept *find_kept(uint64_t key) {
    for (int i = 0; i < KEPT; i++)
        if (kept[i].key == key || kept[i].key == 0)
            return &kept[i];
    return NULL;
}

static int look_up(uint64_t key, struct bine_prediction *a) {
    bine_lock();
    const struct kept *k = find_kept(key);
    int found = k != NULL && k->key == key;
    if (found)
        *a = k->prediction;
    bine_unlock();
    return found;
}

static void keep(uint64_t key, const struct bine_prediction *a) {
    bine_lock();
    struct kept *k = a->count > 0 ? find_kept(key) : NULL;
    if (k != NULL)
        *k = (struct kept){key, *a};
    bine_unlock();
}

/* On rank 0. */
static void ask_model(struct bine_predictor *x, const struct bine_query *q, int class,
                      struct bine_prediction *a) {
    const int64_t words[] = {(int64_t)x->shape, (int64_t)q->collective, q->root, class};
    uint64_t key = bine_hash(BINE_HASH, words, sizeof words) | 1;
    double begin = PMPI_Wtime();
    int known = look_up(key, a);
    if (!known)
        bine_predict(&x->picker, q->collective, q->root, q->bytes, a);
    bine_effort_spend(PMPI_Wtime() - begin);
    a->assumed = x->assumes;
    if (!known)
        keep(key, a);
}

const struct bine_predictions *bine_predictor_answers(const struct bine_predictor *x) {
    return x != NULL ? &x->answers : NULL;
}

int bine_predictor_ask(struct bine_predictor *x, const struct bine_query *q,
                       const struct bine_settings *s, MPI_Comm comm) {
    int class = bine_size_class(q->bytes);
    struct bine_class_prediction *answer = &x->answers.class[q->collective][class];
    struct bine_prediction a = {0};
    if (answer->state == BINE_UNSEEN) {
        answer->state = BINE_SEEN;
        return 0;
    }
    if (x->rank == 0 && !bine_effort_is_spent(s))
        ask_model(x, q, class, &a);
    if (bine_mpi->bcast(&a, (int)sizeof a, MPI_BYTE, 0, comm) != MPI_SUCCESS)
        a.count = 0;
    bine_predictions_add(&x->answers, q, &a);
    return 1;
}
