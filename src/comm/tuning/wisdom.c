#include "comm/tuning/wisdom.h"

#include "base/lock.h"
#include "mpi/world.h"
#include "report/warn.h"

#include <stdlib.h>
#include <string.h>

/* The rules of the file, and the lines to add to it. */
struct wisdom {
    enum { GOOD, BAD, ABSENT } state;
    struct bine_rules rules;
    char **noted;
    size_t notes;
};

static struct wisdom *wisdom; /* NULL before the file was asked for, without one, and at the end */

static const char *path_of(void) {
    return bine_setting_value(BINE_SETTING_WISDOM, NULL);
}

/* NULL where no file is named, or without memory. A file that is not there yet has no rules; of a
 * bad one rank 0 warns, and leaves it alone. */
static struct wisdom *load(void) {
    char why[600];
    const char *path = path_of();
    if (wisdom != NULL || *path == '\0')
        return wisdom;
    wisdom = calloc(1, sizeof *wisdom);
    if (wisdom == NULL)
        return NULL;
    int found = bine_wisdom_load(path, &wisdom->rules, why, sizeof why);
    wisdom->state = found > 0 ? GOOD : found < 0 ? BAD : ABSENT;
    if (wisdom->state == BAD)
        bine_warn(bine_world_rank() == 0, 0, "%s; it is neither followed nor changed (BINE_WISDOM)",
                  why);
    return wisdom;
}

int bine_wisdom_find(const struct bine_query *q, struct bine_evidence *e) {
    int found = BINE_SELECTION_NONE;
    bine_lock();
    const struct wisdom *w = load();
    int i = w != NULL && w->state == GOOD ? bine_rules_match(&w->rules, q) : -1;
    if (i >= 0) {
        found = w->rules.found[(size_t)i * BINE_COLLECTIVES + q->collective].algorithm;
        *e = w->rules.rule[i].learnt;
    }
    bine_unlock();
    return found;
}

void bine_wisdom_note(const struct bine_query *q, const struct bine_selection *f,
                      const struct bine_evidence *e, const char *why) {
    char text[BINE_WISDOM_TEXT];
    int read_only;
    bine_setting_flag(BINE_SETTING_WISDOM_READONLY, &read_only);
    if (read_only || bine_world_rank() != 0)
        return;
    char *line = strdup(bine_wisdom_line(q, f, e, why, text));
    bine_lock();
    struct wisdom *w = load();
    char **more =
        w != NULL && line != NULL ? realloc(w->noted, (w->notes + 1) * sizeof *more) : NULL;
    if (more != NULL) {
        w->noted = more;
        w->noted[w->notes++] = line;
    } else {
        free(line);
    }
    bine_unlock();
}

void bine_wisdom_end(void) {
    char why[600];
    bine_lock();
    struct wisdom *w = wisdom;
    wisdom = NULL;
    bine_unlock();
    if (w == NULL)
        return;
    if (w->notes > 0 && w->state != BAD &&
        bine_wisdom_add(path_of(), w->noted, w->notes, why, sizeof why) != 0)
        bine_warn(1, 0, "%s: what was learnt is not kept (BINE_WISDOM)", why);
    for (size_t i = 0; i < w->notes; i++)
        free(w->noted[i]);
    free(w->noted);
    bine_rules_free(&w->rules);
    free(w);
}
