#include "comm/policy.h"
#include "base/hash.h"
#include "base/lock.h"

#include "engine/memory/memory.h"
#include "report/problems.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Files of rules that were read, whether or not they were good. */
struct rules_file {
    struct rules_file *next;
    int good;
    struct bine_rules rules;
    char path[];
};

static struct rules_file *read_files;

static struct rules_file *load(const char *path) {
    char why[600];
    struct rules_file *f = calloc(1, sizeof *f + strlen(path) + 1);
    if (f == NULL)
        return NULL;
    strcpy(f->path, path);
    f->good = bine_rules_load(path, &f->rules, why, sizeof why) == 0;
    if (!f->good)
        bine_problem(NULL, "%s; none of its rules are followed (BINE_RULES)", why);
    f->next = read_files;
    read_files = f;
    return f;
}

/* Once for each path. NULL if there are none, or they are wrong. */
static const struct bine_rules *rules_of(const char *path) {
    if (*path == '\0')
        return NULL;
    bine_lock();
    struct rules_file *f = read_files;
    while (f != NULL && strcmp(f->path, path) != 0)
        f = f->next;
    if (f == NULL)
        f = load(path);
    bine_unlock();
    return f != NULL && f->good ? &f->rules : NULL;
}

void bine_policy_read(struct bine_policy *p) {
    bine_settings_check_names(bine_problem_of, NULL);
    bine_settings_read(&p->settings, bine_problem_of, NULL);
    if (bine_setting_pointers() >= 0)
        bine_memory_set_mpi_aware(bine_setting_pointers());
    p->rules = rules_of(bine_setting_value(BINE_SETTING_RULES, NULL));
    p->hash = bine_hash(BINE_HASH, &p->settings, sizeof p->settings);
    if (p->rules != NULL)
        p->hash = bine_hash(p->hash, &p->rules->hash, sizeof p->rules->hash);
}

void bine_policy_warn_of_dims(const struct bine_shape *dims, int p) {
    char text[BINE_SHAPE_TEXT];
    int world;
    if (PMPI_Comm_size(MPI_COMM_WORLD, &world) == MPI_SUCCESS && p == world)
        bine_problem("BINE_DIMS",
                     "BINE_DIMS=%s: a torus of %d ranks, but MPI_COMM_WORLD has %d: it is not "
                     "followed there",
                     bine_shape_text(dims, text), bine_shape_nodes(dims), p);
}

/* A forced algorithm by the words that name it: they may have a layout, which is told apart. */
void bine_policy_signs(const struct bine_policy *p, uint64_t sign[BINE_SETTINGS]) {
    const struct bine_settings *s = &p->settings;
    memset(sign, 0, BINE_SETTINGS * sizeof *sign);
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        const char *words = bine_setting_value(c, NULL);
        if (s->forced[c].algorithm != BINE_SELECTION_NONE)
            sign[c] = bine_hash(BINE_HASH, words, strlen(words));
        sign[BINE_SETTING_LAYOUTS + c] = (uint64_t)s->forced[c].layout;
    }
    sign[BINE_SETTING_SEGMENT] = (uint64_t)s->segment;
    sign[BINE_SETTING_REORDER] = (uint64_t)s->reorder;
    sign[BINE_SETTING_REPRODUCIBLE] = (uint64_t)s->reproducible;
    sign[BINE_SETTING_RULES] = p->rules != NULL ? p->rules->hash : 0;
    sign[BINE_SETTING_ALWAYS] = (uint64_t)s->always;
    sign[BINE_SETTING_NONBLOCKING] = (uint64_t)s->nonblocking;
    sign[BINE_SETTING_CROWDED] = (uint64_t)s->crowded;
    sign[BINE_SETTING_MODEL] = (uint64_t)s->model;
    sign[BINE_SETTING_LEARN] = (uint64_t)s->learn;
    sign[BINE_SETTING_EFFORT] = (uint64_t)s->effort;
    sign[BINE_SETTING_EFFORT_SECONDS] = (uint64_t)s->effort_time;
    sign[BINE_SETTING_OFF] = (uint64_t)s->off;
    sign[BINE_SETTING_DIMS] = bine_hash(BINE_HASH, &s->dims, sizeof s->dims);
    sign[BINE_SETTING_PORTS] = (uint64_t)s->ports;
    sign[BINE_SETTING_SHARED] = (uint64_t)s->shared;
    sign[BINE_SETTING_DEVICE] = (uint64_t)s->device;
}

void bine_policy_end(void) {
    bine_lock();
    while (read_files != NULL) {
        struct rules_file *f = read_files;
        read_files = f->next;
        bine_rules_free(&f->rules);
        free(f);
    }
    bine_unlock();
}

int bine_policy_has_nonblocking_rules(const struct bine_policy *p) {
    return p->rules != NULL && p->rules->starts;
}
