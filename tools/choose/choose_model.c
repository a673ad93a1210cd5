#include "choose/choose_model.h"

#include "cli/command.h"
#include "cli/place.h"

static int ask(const struct bine_question *q, const struct bine_allocation *a,
               const struct bine_machine *m, struct bine_advised *advice) {
    struct bine_groups *levels = bine_allocation_levels(a);
    struct bine_links links = {0};
    struct bine_picker picker;
    int rc = levels == NULL || bine_links_make(&links, a, m) != 0 ||
             bine_picker_open(&picker, &links, levels, NULL) != 0;
    if (rc == 0) {
        bine_advise(&picker, q->collective, q->bytes, advice);
        bine_picker_close(&picker);
    }
    bine_links_free(&links);
    bine_groups_free(levels);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

int bine_choose_model(const struct bine_question *q, const struct bine_choose_where *w,
                      struct bine_advised *advice) {
    struct bine_place_words words = {
        .machine = w->machine, .hosts = w->hosts, .per_node = w->per_node};
    struct bine_allocation a;
    *advice = (struct bine_advised){0};
    if (w->machine == NULL || !q->levels || q->nodes < 2 || q->groups < 1 ||
        q->p > BINE_ADVISED_RANKS || !q->commutative || q->bytes < BINE_ADVISED_LEAST || q->off ||
        (q->crowded && q->drop_in))
        return 0;
    struct bine_machine *m;
    if (bine_place_job(&words, &a, &m) != 0)
        return BINE_EXIT_USAGE;
    int rc = m->topology != BINE_TORUS && bine_rates_known(&m->rates) ? ask(q, &a, m, advice) : 0;
    bine_allocation_free(&a);
    bine_machine_free(m);
    return rc;
}
