#include "mpi/wisdom.h"

#include "base/files.h"
#include "mpi/warn.h"
#include "mpi/world.h"

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
    size_t size;
    char *text = state == UNREAD && *path != '\0' ? bine_file_text(path, &size) : NULL;
    if (state != UNREAD)
        return;
    state = ABSENT;
    free(text);
    if (text == NULL)
        return;
    state = bine_rules_load(path, &rules, why, sizeof why) == 0 ? GOOD : BAD;
    if (state == BAD)
        bine_warn(bine_world_rank() == 0, 0, "%s; it is neither followed nor changed (BINE_WISDOM)",
                  why);
}

int bine_wisdom_find(const struct bine_question *q) {
    int found = BINE_FORCED_NOTHING;
    pthread_mutex_lock(&lock);
    load();
    int i = state == GOOD ? bine_rules_match(&rules, q) : -1;
    if (i >= 0)
        found = rules.found[(size_t)i * BINE_COLLECTIVES + q->collective].algorithm;
    pthread_mutex_unlock(&lock);
    return found;
}

void bine_wisdom_note(const struct bine_question *q, const struct bine_forced *f, const char *why) {
    char text[BINE_WISDOM_TEXT];
    if (*path_of() == '\0' || bine_world_rank() != 0)
        return;
    char *line = strdup(bine_wisdom_line(q, f, why, text));
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
