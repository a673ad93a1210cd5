#include "network/slurm/slurm.h"

#include "base/grow.h"
#include "base/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of a switch, which may be new; -1 when out of memory. */
static int number_of(struct bine_switches *s, const struct bine_reading *r, const char *name,
                     size_t length) {
    int before = s->names.count, number = bine_names_add(&s->names, name, length);
    int file = bine_names_add(&s->files, r->file, strlen(r->file));
    if (number < 0 || file < 0)
        return -1;
    if (bine_grow(&s->at, &s->room, (size_t)number + 1, sizeof *s->at) != 0)
        return -1;
    if (number == before)
        s->at[number] = (struct bine_switch){BINE_SWITCH_TOP, file, r->text.line, 0};
    return number;
}

struct children {
    struct bine_switches *switches;
    struct bine_reading *reading;
    int parent;
};

static int add_child(void *self, const char *name, size_t length) {
    struct children *c = self;
    int child = number_of(c->switches, c->reading, name, length);
    if (child < 0)
        return bine_reason_memory(c->reading->why);
    if (child == c->parent)
        return bine_reason_set(c->reading->why, "switch '%.60s' is below itself", name);
    int32_t *above = &c->switches->at[child].parent;
    *above = *above == BINE_SWITCH_TOP || *above == c->parent ? c->parent : BINE_SWITCH_SEVERAL;
    return 0;
}

int bine_switches_define(struct bine_switches *s, struct bine_reading *r,
                         const struct bine_word *name, const struct bine_word *hosts,
                         const struct bine_word *children) {
    if (bine_machine_check_name(r, "switch name", name) != 0)
        return -1;
    int number = number_of(s, r, name->at, name->length), cut = bine_reason_cut(name->length);
    if (number < 0)
        return bine_reason_memory(r->why);
    struct bine_switch *it = &s->at[number];
    if (it->defined)
        return bine_reason_set(r->why, "'%.*s' is defined twice", cut, name->at);
    it->defined = 1;
    it->file = bine_names_find(&s->files, r->file, strlen(r->file));
    it->line = r->text.line;
    if (hosts->length > 0 && children->length > 0)
        return bine_reason_set(r->why, "'%.*s': expected nodes or switches below it, and not both",
                               cut, name->at);
    if (hosts->length > 0)
        return bine_machine_add(r, name->at, name->length, hosts);
    if (children->length == 0)
        return 0; /* a switch that nothing is connected to yet */
    struct children c = {s, r, number};
    return bine_hostlist_expand(children->at, children->length, r->most, add_child, &c, r->why);
}

/* Add the file and line of a switch to the complaint; returns -1. */
static int at_switch(const struct bine_switches *s, struct bine_reading *r, int number) {
    const struct bine_switch *it = &s->at[number];
    return bine_reason_at(r->why, bine_names_text(&s->files, it->file), it->line);
}

/* The switch `level` - 1 above a leaf, or the topmost one if it is lower. -1 with *why. */
static int ancestor(const struct bine_switches *s, struct bine_reading *r, const char *leaf) {
    int at = bine_names_find(&s->names, leaf, strlen(leaf));
    for (int up = 1; up < r->machine->level && s->at[at].parent != BINE_SWITCH_TOP; up++) {
        if (s->at[at].parent == BINE_SWITCH_SEVERAL) {
            bine_reason_set(r->why,
                            "switch '%.60s' is below several others: level %d is not one group",
                            bine_names_text(&s->names, at), r->machine->level);
            return at_switch(s, r, at);
        }
        at = s->at[at].parent;
    }
    return at;
}

/* How many levels of switches there are, from the leaves up. */
static int count_levels(const struct bine_switches *s) {
    int most = 1;
    for (int i = 0; i < s->names.count; i++) {
        int levels = 1;
        for (int at = s->at[i].parent; at != BINE_SWITCH_TOP; at = s->at[at].parent) {
            levels++;
            if (at == BINE_SWITCH_SEVERAL) /* several switches are above it */
                break;
        }
        most = bine_max(levels, most);
    }
    return most;
}

static int climb(const struct bine_switches *s, struct bine_reading *r) {
    struct bine_machine *m = r->machine;
    struct bine_names leaves = m->groups;
    int rc = 0;
    m->groups = (struct bine_names){0};
    for (int i = 0; i < m->hosts.count && rc == 0; i++) {
        int at = ancestor(s, r, bine_names_text(&leaves, m->group[i]));
        const char *group = at < 0 ? "" : bine_names_text(&s->names, at);
        int number = at < 0 ? -1 : bine_names_add(&m->groups, group, strlen(group));
        if (number >= 0) {
            m->group[i] = number;
        } else {
            rc = -1;
            if (at >= 0) {
                bine_reason_memory(r->why);
                bine_reason_at(r->why, r->file, 0);
            }
        }
    }
    bine_names_free(&leaves);
    return rc;
}

/* Check that the way up from every switch ends: no switch is below itself. */
static int check_ends(const struct bine_switches *s, struct bine_reading *r) {
    for (int i = 0; i < s->names.count; i++) {
        int at = i, steps = 0;
        while (at >= 0 && steps++ <= s->names.count)
            at = s->at[at].parent;
        if (at < 0)
            continue;
        bine_reason_set(r->why, "switch '%.60s' is below itself: it is below '%.60s'",
                        bine_names_text(&s->names, at),
                        bine_names_text(&s->names, s->at[at].parent));
        return at_switch(s, r, at);
    }
    return 0;
}

static int check_defined(const struct bine_switches *s, struct bine_reading *r) {
    for (int i = 0; i < s->names.count; i++)
        if (!s->at[i].defined) {
            bine_reason_set(r->why, "switch '%.60s' is below another, but never defined",
                            bine_names_text(&s->names, i));
            return at_switch(s, r, i);
        }
    return 0;
}

/* The note of the first node that is in two leaves speaks for all of them. */
static int count_doubled(struct bine_reading *r) {
    if (r->doubled < 2)
        return 0;
    size_t length = strlen(r->machine->note);
    char *note = realloc(r->machine->note, length + 48);
    if (note == NULL)
        return bine_reason_memory(r->why);
    snprintf(note + length, 48, " (and so for %d more)", r->doubled - 1);
    r->machine->note = note;
    return 0;
}

/* Whether every switch of the last level has one switch above it, or none, and some have one. */
static int can_widen(const struct bine_switches *s, const struct bine_names *groups) {
    int above = 0;
    for (int i = 0; i < groups->count; i++) {
        const char *name = bine_names_text(groups, i);
        int parent = s->at[bine_names_find(&s->names, name, strlen(name))].parent;
        if (parent == BINE_SWITCH_SEVERAL)
            return 0;
        above |= parent != BINE_SWITCH_TOP;
    }
    return above;
}

/* The switches above the groups, level by level, as far as each has one above it. The topmost ones
 * are above themselves. */
static int widen(const struct bine_switches *s, struct bine_reading *r) {
    struct bine_machine *m = r->machine;
    const struct bine_names *below = &m->groups;
    while (m->wider < BINE_WIDER_MOST && can_widen(s, below)) {
        if (bine_machine_begin_level(r, NULL) != 0)
            return -1;
        struct bine_wider *w = &m->above[m->wider - 1];
        for (int i = 0; i < below->count; i++) {
            const char *name = bine_names_text(below, i);
            int at = bine_names_find(&s->names, name, strlen(name));
            if (s->at[at].parent != BINE_SWITCH_TOP)
                name = bine_names_text(&s->names, s->at[at].parent);
            w->of[i] = bine_names_add(&w->groups, name, strlen(name));
            if (w->of[i] < 0)
                return bine_reason_memory(r->why);
        }
        below = &w->groups;
    }
    return 0;
}

int bine_switches_finish(struct bine_switches *s, struct bine_reading *r) {
    r->machine->topology = BINE_FAT_TREE;
    if (check_defined(s, r) != 0 || check_ends(s, r) != 0)
        return -1;
    if (r->machine->hosts.count == 0) {
        bine_reason_set(r->why, "no hosts in it");
        return bine_reason_at(r->why, r->file, 0);
    }
    if (count_doubled(r) != 0)
        return bine_reason_at(r->why, r->file, 0);
    if (r->wider && widen(s, r) != 0)
        return bine_reason_at(r->why, r->file, 0);
    r->machine->levels = count_levels(s);
    return r->machine->level > 1 ? climb(s, r) : 0;
}

void bine_switches_free(struct bine_switches *s) {
    bine_names_free(&s->names);
    bine_names_free(&s->files);
    free(s->at);
    *s = (struct bine_switches){0};
}
