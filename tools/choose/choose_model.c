#include "choose/choose_model.h"

#include "cli/command.h"
#include "cli/options/place.h"

#include <string.h>

/* On a torus, dims are those of the ranks, and there are no levels. */
static int ask(const struct bine_query *q, const struct bine_allocation *a,
               const struct bine_machine *m, const struct bine_shape *dims, double busy,
               struct bine_prediction *prediction) {
    struct bine_groups *levels = dims == NULL ? bine_allocation_levels(a) : NULL;
    struct bine_links links = {0};
    struct bine_picker picker;
    int rc = (dims == NULL && levels == NULL) || bine_links_make(&links, a, m) != 0 ||
             bine_picker_open(&picker, &links, levels, dims) != 0;
    if (rc == 0) {
        if (busy > 0)
            bine_links_set_busy(&links, busy);
        picker.ports = q->ports;
        picker.patience = q->patient ? BINE_ADVISED_PATIENCE : 0;
        bine_predict(&picker, q->collective, q->root, q->bytes, prediction);
        bine_picker_close(&picker);
    }
    bine_links_free(&links);
    bine_groups_free(levels);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

/* The ranks of a torus stand in the order of its nodes, one on each; elsewhere rules choose. */
static int ask_torus(const struct bine_query *q, const struct bine_machine *m, double busy,
                     struct bine_prediction *prediction) {
    struct bine_allocation a;
    struct bine_reason why;
    if (bine_allocation_torus(&a, &q->dims, &why) != 0)
        return bine_complain("%s", why.text);
    int rc = ask(q, &a, m, &q->dims, busy, prediction);
    bine_allocation_free(&a);
    return rc;
}

/* Whether each rank's node is known: of a machine, or one of its own in the groups typed. */
static int is_placed(const struct bine_query *q, const struct bine_choose_where *w) {
    int sizes = w->groups != NULL && w->groups[strspn(w->groups, "0123456789")] != '\0';
    return w->machine != NULL || (sizes && q->nodes == q->p);
}

static int is_torus(const struct bine_query *q) {
    return q->dims.dims > 0 && q->wired;
}

/* A torus, or groups; and not too many ranks. */
static int is_asked(const struct bine_query *q) {
    return (is_torus(q) || (q->levels && q->groups > 0)) && q->nodes > 1 &&
           q->p <= BINE_ADVISED_RANKS;
}

int bine_choose_knows(const struct bine_query *q, const struct bine_machine *m) {
    int known = m != NULL && bine_rates_known(&m->rates), torus = is_torus(q);
    if (!is_asked(q))
        return 0;
    if (known && m->topology == BINE_TORUS)
        return torus && !q->seats && q->nodes == q->p;
    return !torus && (known || q->groups > 1);
}

int bine_choose_model(const struct bine_query *q, const struct bine_choose_where *w,
                      struct bine_prediction *prediction) {
    struct bine_place_words words = {
        .machine = w->machine, .hosts = w->hosts, .per_node = w->per_node, .groups = w->groups};
    struct bine_allocation a;
    *prediction = (struct bine_prediction){0};
    if (!is_placed(q, w) || !is_asked(q))
        return 0;
    struct bine_machine *m = NULL;
    if (bine_place_job(&words, &a, &m) != 0)
        return BINE_EXIT_USAGE;
    int rc = 0;
    if (bine_choose_knows(q, m))
        rc = is_torus(q) ? ask_torus(q, m, w->busy, prediction)
                         : ask(q, &a, m, NULL, w->busy, prediction);
    prediction->assumed = m == NULL || !bine_rates_known(&m->rates);
    bine_allocation_free(&a);
    bine_machine_free(m);
    return rc;
}
