/* bine predict --profile: its options, and where the ranks are. */
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/hosts_option.h"
#include "cli/options/machines.h"
#include "predict/predict.h"

#include <stdlib.h>
#include <string.h>

/* One of two words: its number. */
static int take_one(const struct bine_option *o, const char *word, const char *const names[2]) {
    for (int i = 0; i < 2; i++)
        if (strcmp(word, names[i]) == 0) {
            *(int *)o->to = i;
            return 0;
        }
    return bine_complain_near(bine_nearest_word(word, names, 2), "--%s '%s': expected %s or %s",
                              o->name, word, names[0], names[1]);
}

int bine_take_scale(const struct bine_option *o, const char *word) {
    static const char *const names[] = {"strong", "weak"};
    return take_one(o, word, names);
}

int bine_take_parts(const struct bine_option *o, const char *word) {
    static const char *const names[] = {"grow", "stay"};
    return take_one(o, word, names);
}

int bine_take_placement(const struct bine_option *o, const char *word) {
    return bine_word_placement(word, o->to);
}

int bine_what_if_check(const struct bine_predict_wish *w) {
    const struct bine_host_draw *d = &w->draw;
    if (w->profile == NULL) {
        const char *lost = d->nodes != NULL                         ? "--nodes"
                           : d->how != 0 || d->among != NULL        ? "--placement and --among"
                           : w->what_if.scale || w->what_if.parts   ? "--scale and --parts"
                           : w->what_if.library != BINE_LIBRARY_ANY ? "--mpi"
                                                                    : NULL;
        return lost == NULL ? 0 : bine_complain("%s: expected --profile FILE", lost);
    }
    if (w->sizes > 0 || w->root > 0 || w->ports > 0 || w->plot != NULL)
        return bine_complain("--profile: the profile says which calls there are: no --bytes, "
                             "--root, --ports or --plot");
    if (w->where.groups != NULL || w->where.dims != NULL || w->where.machine == NULL)
        return bine_complain("--profile: on which machine? expected --machine M and --nodes N or "
                             "--hosts H");
    if (d->nodes != NULL && w->where.hosts != NULL)
        return bine_complain("--nodes with --hosts: expected one of them");
    if (d->nodes == NULL && (d->among != NULL || d->how != 0))
        return bine_complain("--placement and --among: expected --nodes N, how many to draw");
    return 0;
}

/* As many ranks on a node as in the profile, unless that is of one node, as a trial is. */
static int usual_per_node(const struct bine_profile *f) {
    int64_t most = 1;
    for (size_t i = 0; f->nodes > 1 && i < f->nodes; i++)
        most = f->node[i].ranks > most ? f->node[i].ranks : most;
    return most < BINE_HOSTS_MOST ? (int)most : 1;
}

/* Hosts that were drawn become those that words name. */
static int place(const struct bine_predict_wish *w, const struct bine_profile *f,
                 struct bine_allocation *a, struct bine_machine **m) {
    struct bine_place_words words = w->where;
    char *drawn = NULL;
    int rc = 0;
    if (w->draw.nodes != NULL) {
        struct bine_machine *all = bine_machine_load(words.machine, words.level);
        rc = all == NULL ? BINE_EXIT_USAGE : bine_simulate_draw(&w->draw, all, &drawn);
        bine_machine_free(all);
        words.hosts = drawn;
        if (words.per_node == 0)
            words.per_node = usual_per_node(f);
    }
    if (rc == 0)
        rc = bine_place_job(&words, a, m);
    free(drawn);
    return rc;
}

int bine_predict_profile(int argc, char **argv, const struct bine_predict_wish *w) {
    struct bine_profile f;
    struct bine_allocation a;
    struct bine_machine *m;
    struct bine_what_if_wish wish = w->what_if;
    wish.first = w->first;
    wish.format = w->format;
    if (bine_arguments_count(argc, argv, 0, 0, "--profile") != 0 ||
        bine_profile_read(w->profile, &f) != 0)
        return BINE_EXIT_USAGE;
    int rc = place(w, &f, &a, &m);
    if (rc == 0) {
        struct bine_what_if x = {.profile = &f, .wish = &wish, .job = {&a, m, w->busy}};
        rc = bine_what_if_run(&x);
        if (rc == 0)
            rc = bine_what_if_print(&x, m->name);
        bine_what_if_free(&x);
        bine_allocation_free(&a);
        bine_machine_free(m);
    }
    bine_profile_free(&f);
    return rc;
}
