#include "network/slurm.h"

#include <stdlib.h>
#include <string.h>

static int grow(struct bine_switches *s) {
    int room = s->room == 0 ? 16 : 2 * s->room;
    int32_t *parent = realloc(s->parent, (size_t)room * sizeof *parent);
    if (parent != NULL)
        s->parent = parent;
    unsigned char *defined = realloc(s->defined, (size_t)room);
    if (defined != NULL)
        s->defined = defined;
    if (parent == NULL || defined == NULL)
        return -1;
    s->room = room;
    return 0;
}

/* The number of a switch, which may be new. */
static int number_of(struct bine_switches *s, const char *name, size_t length) {
    int before = s->names.count, number = bine_names_add(&s->names, name, length);
    if (number < 0 || (number == s->room && grow(s) != 0))
        return -1;
    if (number == before) {
        s->parent[number] = BINE_SWITCH_TOP;
        s->defined[number] = 0;
    }
    return number;
}

struct children {
    struct bine_switches *switches;
    struct bine_reason *why;
    int parent;
};

static int add_child(void *self, const char *name, size_t length) {
    struct children *c = self;
    int child = number_of(c->switches, name, length);
    if (child < 0)
        return bine_reason_memory(c->why);
    if (child == c->parent)
        return bine_reason_set(c->why, "switch '%.60s' is below itself", name);
    int32_t *above = &c->switches->parent[child];
    *above = *above == BINE_SWITCH_TOP || *above == c->parent ? c->parent : BINE_SWITCH_SEVERAL;
    return 0;
}

int bine_switches_define(struct bine_switches *s, struct bine_reading *r,
                         const struct bine_word *name, const struct bine_word *hosts,
                         const struct bine_word *children) {
    if (bine_machine_check_name(r, "switch name", name) != 0)
        return -1;
    int number = number_of(s, name->at, name->length), cut = bine_reason_cut(name->length);
    if (number < 0)
        return bine_reason_memory(r->why);
    if (s->defined[number])
        return bine_reason_set(r->why, "'%.*s' is defined twice", cut, name->at);
    s->defined[number] = 1;
    if ((hosts->length > 0) == (children->length > 0))
        return bine_reason_set(r->why, "'%.*s': expected nodes or switches below it, and not both",
                               cut, name->at);
    if (hosts->length > 0)
        return bine_machine_add(r, name->at, name->length, hosts);
    struct children c = {s, r->why, number};
    return bine_hostlist_expand(children->at, children->length, r->most, add_child, &c, r->why);
}

/* The switch `level` - 1 above a leaf, or the topmost one if it is lower. -1 with *why. */
static int ancestor(const struct bine_switches *s, struct bine_reading *r, const char *leaf) {
    int at = bine_names_find(&s->names, leaf, strlen(leaf));
    for (int up = 1; up < r->machine->level && s->parent[at] != BINE_SWITCH_TOP; up++) {
        if (s->parent[at] == BINE_SWITCH_SEVERAL)
            return bine_reason_set(r->why,
                                   "switch '%.60s' is below several others: level %d is "
                                   "not one group",
                                   bine_names_text(&s->names, at), r->machine->level);
        at = s->parent[at];
    }
    return at;
}

/* How many levels of switches there are, from the leaves up. */
static int count_levels(const struct bine_switches *s) {
    int most = 1;
    for (int i = 0; i < s->names.count; i++) {
        int levels = 1;
        for (int at = s->parent[i]; at != BINE_SWITCH_TOP; at = s->parent[at]) {
            levels++;
            if (at == BINE_SWITCH_SEVERAL) /* there is one above, but not a single one */
                break;
        }
        most = levels > most ? levels : most;
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
        if (number >= 0)
            m->group[i] = number;
        else
            rc = at < 0 ? -1 : bine_reason_memory(r->why);
    }
    bine_names_free(&leaves);
    return rc;
}

/* Going up from any switch must come to an end. */
static int check_ends(const struct bine_switches *s, struct bine_reading *r) {
    for (int i = 0; i < s->names.count; i++) {
        int at = i, steps = 0;
        while (at >= 0 && steps++ <= s->names.count)
            at = s->parent[at];
        if (at >= 0)
            return bine_reason_set(r->why, "switch '%.60s' is below itself",
                                   bine_names_text(&s->names, at));
    }
    return 0;
}

int bine_switches_finish(struct bine_switches *s, struct bine_reading *r) {
    r->machine->topology = BINE_FAT_TREE;
    for (int i = 0; i < s->names.count; i++)
        if (!s->defined[i])
            return bine_reason_set(r->why, "switch '%.60s' is below another, but never defined",
                                   bine_names_text(&s->names, i));
    if (r->machine->hosts.count == 0)
        return bine_reason_set(r->why, "no hosts in it");
    if (check_ends(s, r) != 0)
        return -1;
    r->machine->levels = count_levels(s);
    return r->machine->level > 1 ? climb(s, r) : 0;
}

void bine_switches_free(struct bine_switches *s) {
    bine_names_free(&s->names);
    free(s->parent);
    free(s->defined);
    *s = (struct bine_switches){0};
}
