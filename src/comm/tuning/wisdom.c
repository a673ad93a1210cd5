#include "comm/tuning/wisdom.h"

#include "mpi/world.h"
#include "report/warn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { UNREAD, GOOD, BAD, ABSENT } state;
static struct bine_rules rules;
static char **noted;
static size_t notes;

static const char *path_of(void) {
    return bine_setting_value(BINE_SETTING_WISDOM, NULL);
}

/* Once. A file that is not there yet is none; of a bad one rank 0 warns, and leaves it alone. */
static void load(void) {
    char why[600];
    const char *path = path_of();
    if (state != UNREAD)
        return;
    int found = *path == '\0' ? 0 : bine_wisdom_load(path, &rules, why, sizeof why);
    state = found > 0 ? GOOD : found < 0 ? BAD : ABSENT;
    if (state == BAD)
        bine_warn(bine_world_rank() == 0, 0, "%s; it is neither followed nor changed (BINE_WISDOM)",
                  why);
}

int bine_wisdom_find(const struct bine_query *q, struct bine_evidence *e) {
    int found = BINE_SELECTION_NONE;
    pthread_mutex_lock(&lock);
    load();
    int i = state == GOOD ? bine_rules_match(&rules, q) : -1;
    if (i >= 0) {
        found = rules.found[(size_t)i * BINE_COLLECTIVES + q->collective].algorithm;
        *e = rules.rule[i].learnt;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void bine_wisdom_note(const struct bine_query *q, const struct bine_selection *f,
                      const struct bine_evidence *e, const char *why) {
    char text[BINE_WISDOM_TEXT];
    int read_only;
    bine_setting_flag(BINE_SETTING_WISDOM_READONLY, &read_only);
    if (*path_of() == '\0' || read_only || bine_world_rank() != 0)
        return;
    char *line = strdup(bine_wisdom_line(q, f, e, why, text));
    pthread_mutex_lock(&lock);
    char **more = realloc(noted, (notes + 1) * sizeof *noted);
    if (more != NULL)
        noted = more;
    if (more != NULL && line != NULL)
        noted[notes++] = line;
    else
        free(line);
    pthread_mutex_unlock(&lock);
}

void bine_wisdom_end(void) {
    char why[600];
    pthread_mutex_lock(&lock);
    if (notes > 0)
        load();
    if (notes > 0 && state != BAD && bine_wisdom_add(path_of(), noted, notes, why, sizeof why) != 0)
        bine_warn(1, 0, "%s: what was learnt is not kept (BINE_WISDOM)", why);
    for (size_t i = 0; i < notes; i++)
        free(noted[i]);
    free(noted);
    noted = NULL;
    notes = 0;
    bine_rules_free(&rules);
    state = UNREAD;
    pthread_mutex_unlock(&lock);
}
