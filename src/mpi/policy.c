#include "mpi/policy.h"

#include "mpi/warn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Files of rules that were read, whether or not they were good. */
struct rules_file {
    struct rules_file *next;
    int good;
    struct bine_rules rules;
    char path[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rules_file *read_files;
static int names_checked;

static struct rules_file *load(const char *path) {
    char why[600];
    struct rules_file *f = calloc(1, sizeof *f + strlen(path) + 1);
    if (f == NULL)
        return NULL;
    strcpy(f->path, path);
    f->good = bine_rules_load(path, &f->rules, why, sizeof why) == 0;
    if (!f->good)
        bine_warn("%s; none of its rules are followed", why);
    f->next = read_files;
    read_files = f;
    return f;
}

/* Once for each path. NULL if there are none, or they are wrong. */
static const struct bine_rules *rules_of(const char *path) {
    if (*path == '\0')
        return NULL;
    pthread_mutex_lock(&lock);
    struct rules_file *f = read_files;
    while (f != NULL && strcmp(f->path, path) != 0)
        f = f->next;
    if (f == NULL)
        f = load(path);
    pthread_mutex_unlock(&lock);
    return f != NULL && f->good ? &f->rules : NULL;
}

void bine_policy_read(struct bine_policy *p) {
    pthread_mutex_lock(&lock);
    int checked = names_checked;
    names_checked = 1;
    pthread_mutex_unlock(&lock);
    if (!checked)
        bine_settings_check_names(bine_warn_of, NULL);
    bine_settings_read(&p->settings, bine_warn_of, NULL);
    p->rules = rules_of(bine_setting_value(BINE_SETTING_RULES, NULL));
    p->hash = bine_hash(BINE_HASH, &p->settings, sizeof p->settings);
    if (p->rules != NULL)
        p->hash = bine_hash(p->hash, &p->rules->hash, sizeof p->rules->hash);
}

void bine_policy_end(void) {
    pthread_mutex_lock(&lock);
    while (read_files != NULL) {
        struct rules_file *f = read_files;
        read_files = f->next;
        bine_rules_free(&f->rules);
        free(f);
    }
    pthread_mutex_unlock(&lock);
}
