/* What Bine's library takes for a row of a profile: the selector, as 'bine choose' asks it. Where
 * the program would learn by trying, it is the candidate that the model finds fastest. */
#include "base/numbers.h"
#include "choose/choose_model.h"
#include "choose/choose_place.h"
#include "cli/command.h"
#include "predict/what_if.h"
#include "select/select.h"
#include "select/tuning.h"

#include <math.h>
#include <stdio.h>

static struct bine_query query_of(const struct bine_what_if *x, const struct bine_team *t,
                                  const struct bine_what_if_row *row) {
    struct bine_query q = {.collective = row->collective,
                           .p = t->p,
                           .bytes = row->bytes,
                           .commutative = 1,
                           .drop_in = 1,
                           .root = (int)row->root,
                           .library = x->library};
    return q;
}

static void keep(struct bine_what_if_row *row, const char *name, double seconds) {
    snprintf(row->name[BINE_ANSWER_BINE], BINE_WHAT_IF_NAME, "%s", name);
    row->seconds[BINE_ANSWER_BINE] = seconds;
}

static int time_selection(struct bine_team *t, const struct bine_selection *f,
                          const struct bine_query *q, double usual, double *seconds) {
    *seconds = usual;
    if (f->algorithm == BINE_SELECTION_MPI)
        return 0;
    struct bine_choice c = bine_selection_choice(f, q);
    struct bine_team_way way = {c.algorithm, c.layout,
                                c.segments,  bine_collective_is_rooted(q->collective) ? q->root : 0,
                                q->bytes,    0};
    return bine_team_seconds(t, &way, seconds);
}

/* The fastest of the candidates of learning. MPI's own is the first, and wins ties. */
static int learn(struct bine_team *t, const struct bine_query *q, const struct bine_decision *d,
                 struct bine_what_if_row *row) {
    struct bine_selection f[BINE_LEARN_CANDIDATES];
    int n = bine_tuning_candidates(q, d->prediction, f);
    for (int i = 0; i < n; i++) {
        double seconds, best = row->seconds[BINE_ANSWER_BINE];
        if (time_selection(t, &f[i], q, row->seconds[BINE_ANSWER_USUAL], &seconds) != 0)
            return -1;
        if (i == 0 || seconds < best)
            keep(row, bine_selection_name(&f[i]), seconds);
    }
    return 0;
}

static struct bine_selection selection_of(const struct bine_choice *c) {
    int32_t none = BINE_SELECTION_MPI;
    return (struct bine_selection){
        c->algorithm == NULL ? none : (int32_t)(c->algorithm - bine_catalogue), (int32_t)c->layout};
}

static int follow(struct bine_team *t, const struct bine_query *q, const struct bine_decision *d,
                  struct bine_what_if_row *row) {
    struct bine_selection f = selection_of(&d->choice);
    double seconds;
    if (time_selection(t, &f, q, row->seconds[BINE_ANSWER_USUAL], &seconds) != 0)
        return -1;
    keep(row, bine_selection_name(&f), seconds);
    return d->counts && row->calls > BINE_LEARN_FROM ? learn(t, q, d, row) : 0;
}

static void complain(void *unused, const char *text) {
    (void)unused;
    bine_complain("%s", text);
}

/* Settings, and the rules of BINE_RULES: read, and complained of, once. */
struct policy {
    struct bine_settings settings;
    struct bine_rules file;
    const struct bine_rules *rules; /* or NULL */
};

static const struct policy *policy(void) {
    static struct policy p;
    static int read;
    const char *path = bine_setting_value(BINE_SETTING_RULES, NULL);
    char why[600];
    if (read++)
        return &p;
    bine_settings_read(&p.settings, complain, NULL);
    if (*path != '\0' && bine_rules_load(path, &p.file, why, sizeof why) == 0)
        p.rules = &p.file;
    else if (*path != '\0')
        bine_complain("%s; none of its rules are followed (BINE_RULES)", why);
    return &p;
}

/* The model is asked when a size comes for the second time on a communicator: the first call gets
 * what was known before. */
static int count_first(const struct bine_what_if *x, struct bine_team *t,
                       const struct bine_query *q, const struct bine_choice *before,
                       struct bine_what_if_row *row) {
    double *seconds = &row->seconds[BINE_ANSWER_BINE], first;
    double made = (double)x->profile->communicator[row->communicator].made;
    double share = bine_max(made, 1) < row->calls ? bine_max(made, 1) / row->calls : 1;
    struct bine_selection f = selection_of(before);
    if (time_selection(t, &f, q, row->seconds[BINE_ANSWER_USUAL], &first) != 0)
        return -1;
    if (!isnan(first))
        *seconds += share * (first - *seconds);
    return 0;
}

int bine_what_if_choose(struct bine_what_if *x, struct bine_team *t, struct bine_what_if_row *row) {
    static const struct bine_tuning none;
    const struct policy *mine = policy();
    const struct bine_settings *s = &mine->settings;
    struct bine_query q = query_of(x, t, row);
    struct bine_prediction p;
    struct bine_decision d;
    struct bine_choice before;
    int asks;
    if (bine_choose_ranks(&q, &t->allocation) != 0)
        return -1;
    bine_choose_settings(&q, NULL, s);
    q.always = s->always != 0;
    struct bine_selector selector = {.forward_reason = bine_settings_forward(s),
                                     .program = bine_selection_none(),
                                     .setting = s->forced[row->collective],
                                     .rules = mine->rules,
                                     .reproducible = (enum bine_reproducible)s->reproducible,
                                     .tuning = s->learn ? &none : NULL,
                                     .predictions = s->model ? t->predictions : NULL};
    bine_select(&selector, &q, &d);
    before = d.choice;
    asks = d.wants_prediction;
    if (asks) {
        p = (struct bine_prediction){0};
        t->picker.patience = q.patient ? BINE_ADVISED_PATIENCE : 0;
        if (bine_choose_knows(&q, x->job.machine))
            bine_predict(&t->picker, q.collective, q.root, q.bytes, &p);
        p.assumed = !bine_rates_known(&x->job.machine->rates);
        bine_predictions_add(t->predictions, &q, &p);
        bine_select(&selector, &q, &d);
    }
    if (follow(t, &q, &d, row) != 0 || (asks && count_first(x, t, &q, &before, row) != 0))
        return -1;
    row->boards = isnan(row->seconds[BINE_ANSWER_BINE]);
    if (row->boards)
        row->seconds[BINE_ANSWER_BINE] = row->seconds[BINE_ANSWER_USUAL];
    return 0;
}
