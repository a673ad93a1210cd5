/* Levels of larger groups: groups of groups. */
#include "base/grow.h"
#include "network/hostlist.h"
#include "network/machine.h"
#include "network/machine_make.h"

#include <stdlib.h>
#include <string.h>

void bine_wider_free(struct bine_wider *w) {
    free(w->name);
    free(w->of);
    bine_names_free(&w->groups);
    *w = (struct bine_wider){0};
}

/* The groups of the level below the last one. */
static const struct bine_names *members_of(const struct bine_machine *m) {
    return m->wider > 1 ? &m->above[m->wider - 2].groups : &m->groups;
}

int bine_machine_begin_level(struct bine_reading *r, const struct bine_word *name) {
    struct bine_machine *m = r->machine;
    if (m->wider == BINE_WIDER_MOST)
        return bine_reason_set(r->why, "more than %d levels", BINE_WIDER_MOST + 1);
    struct bine_wider *w = &m->above[m->wider++];
    int n = members_of(m)->count;
    if ((name != NULL && (w->name = bine_word_copy(name)) == NULL) ||
        bine_grow(&w->of, &w->room, (size_t)n, sizeof *w->of) != 0)
        return bine_reason_memory(r->why);
    for (int i = 0; i < n; i++)
        w->of[i] = -1;
    m->levels = 1 + m->wider;
    return 0;
}

struct joining {
    struct bine_reading *reading;
    int wider;
};

static int join_one(void *self, const char *name, size_t length) {
    struct joining *j = self;
    struct bine_machine *m = j->reading->machine;
    struct bine_wider *w = &m->above[m->wider - 1];
    int number = bine_names_find(members_of(m), name, length);
    if (number < 0)
        return bine_reason_set(j->reading->why,
                               "no group '%.60s': expected groups of the level before", name);
    if (w->of[number] >= 0)
        return bine_reason_set(j->reading->why, "group '%.60s' is in '%.60s' already", name,
                               bine_names_text(&w->groups, w->of[number]));
    w->of[number] = j->wider;
    return 0;
}

int bine_machine_join(struct bine_reading *r, const char *wider, size_t length,
                      const struct bine_word *list) {
    struct bine_word name = {wider, length};
    struct bine_machine *m = r->machine;
    if (bine_machine_check_name(r, "group name", &name) != 0)
        return -1;
    struct joining j = {r, bine_names_add(&m->above[m->wider - 1].groups, wider, length)};
    if (j.wider < 0)
        return bine_reason_memory(r->why);
    return bine_hostlist_expand(list->at, list->length, r->most, join_one, &j, r->why);
}

int bine_machine_check_joined(struct bine_reading *r) {
    const struct bine_machine *m = r->machine;
    const struct bine_names *members = members_of(m);
    for (int i = 0; m->wider > 0 && i < members->count; i++)
        if (m->above[m->wider - 1].of[i] < 0)
            return bine_reason_set(
                r->why, "group '%.60s' is in none of the next level%s%.40s",
                bine_names_text(members, i), m->above[m->wider - 1].name != NULL ? ", " : "",
                m->above[m->wider - 1].name != NULL ? m->above[m->wider - 1].name : "");
    return 0;
}

/* The links between the groups are the links of a level. */
static void take_rates(struct bine_machine *m, const struct bine_wider *w) {
    m->oversubscription = w->oversubscription;
    m->rates.uplink = w->rates.uplink;
    m->rates.pair = w->rates.pair;
    if (w->rates.latency_far > 0)
        m->rates.latency_far = w->rates.latency_far;
    m->declared_groups = w->declared;
}

int bine_machine_keep_level(struct bine_reading *r) {
    struct bine_machine *m = r->machine;
    int up = m->wider > 0 ? m->level - 1 : 0;
    for (int h = 0; up > 0 && h < m->hosts.count; h++)
        for (int k = 0; k < up; k++)
            m->group[h] = m->above[k].of[m->group[h]];
    if (up > 0) {
        struct bine_names old = m->groups;
        m->groups = m->above[up - 1].groups;
        m->above[up - 1].groups = old;
        char *name = m->level_name;
        m->level_name = m->above[up - 1].name;
        m->above[up - 1].name = name;
        take_rates(m, &m->above[up - 1]);
    }
    for (int k = 0; k < BINE_WIDER_MOST; k++)
        bine_wider_free(&m->above[k]);
    m->wider = 0;
    return 0;
}
