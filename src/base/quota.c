#include "base/quota.h"

#include "base/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = BINE_PATH_ROOM };

/* The control group of this process, as far as it is known while the files are read. */
struct place {
    const char *root;
    char group[PATH]; /* its path by /proc/self/cgroup */
    char mount[PATH]; /* where its hierarchy is mounted, */
    char top[PATH];   /* and the group that is mounted there */
};

/* One version of control groups: how its line begins in /proc/self/cgroup, its file system, an
 * option of its mount, or NULL, and the files of the limit, and of the period where that is apart.
 */
static const struct version {
    const char *controller, *type, *option, *limit, *period;
} versions[] = {
    {"", "cgroup2", NULL, "cpu.max", NULL},
    {"cpu", "cgroup", "cpu", "cpu.cfs_quota_us", "cpu.cfs_period_us"},
};

/* Whether a word is in a list with commas. */
static int is_listed(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return 1;
    }
    return 0;
}

/* The text of a file, or NULL. */
static char *text_of(const char *root, const char *folder, const char *name) {
    char path[2 * PATH];
    size_t size;
    int n = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    return n < (int)sizeof path ? bine_file_text(path, &size) : NULL;
}

/* Lines are "NUMBER:CONTROLLERS:PATH". */
static int find_group(struct place *p, const struct version *v) {
    char *text = text_of(p->root, "/proc/self", "cgroup"), *rest = NULL;
    int found = 0;
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL && !found;
         line = strtok_r(NULL, "\n", &rest)) {
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL)
            continue;
        *path = '\0';
        found = *v->controller == '\0' ? controllers[1] == '\0'
                                       : is_listed(controllers + 1, v->controller);
        snprintf(p->group, sizeof p->group, "%s", path + 1);
    }
    free(text);
    return found;
}

/* Lines are "NUMBER PARENT DEVICE TOP MOUNT OPTIONS [FIELDS...] - TYPE SOURCE OPTIONS". */
static int find_mount(struct place *p, const struct version *v) {
    char *text = text_of(p->root, "/proc/self", "mountinfo"), *rest = NULL;
    int found = 0;
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL && !found;
         line = strtok_r(NULL, "\n", &rest)) {
        char type[64], options[1024];
        const char *end = strstr(line, " - ");
        found = end != NULL && sscanf(line, "%*s %*s %*s %4095s %4095s", p->top, p->mount) == 2 &&
                sscanf(end, " - %63s %*s %1023s", type, options) == 2 &&
                strcmp(type, v->type) == 0 && (v->option == NULL || is_listed(options, v->option));
    }
    free(text);
    return found;
}

/* A number of a file, or -1 ("max", too). */
static long number_of(const char *root, const char *folder, const char *name, long *second) {
    char *text = text_of(root, folder, name);
    long first = -1;
    if (text == NULL || sscanf(text, "%ld %ld", &first, second) < 1)
        first = -1;
    free(text);
    return first;
}

/* The limit of one group becomes the quota, if it is tighter. */
static void look_at(struct bine_quota *q, const char *root, const char *folder,
                    const struct version *v) {
    char path[2 * PATH];
    struct stat about;
    long period = 100000, none, time = number_of(root, folder, v->limit, &period);
    if (v->period != NULL && time > 0)
        period = number_of(root, folder, v->period, &none);
    if (time <= 0 || period <= 0)
        return;
    uint64_t cores = (uint64_t)time * 1000 / (uint64_t)period;
    if (q->cores > 0 && q->cores <= cores)
        return;
    snprintf(path, sizeof path, "%s%s", root, folder);
    *q = (struct bine_quota){cores > 0 ? cores : 1, 0};
    if (stat(path, &about) == 0)
        q->owner = (uint64_t)about.st_dev << 48 ^ (uint64_t)about.st_ino;
}

/* From the group of this process up to the mount, where the part of its path begins that a
 * container does not see. */
static void look_along(struct bine_quota *q, const struct place *p, const struct version *v) {
    char folder[2 * PATH];
    size_t top = strcmp(p->top, "/") == 0 ? 0 : strlen(p->top), mount = strlen(p->mount);
    int inside = strncmp(p->group, p->top, top) == 0 &&
                 (p->group[top] == '/' || p->group[top] == '\0') && strstr(p->group, "..") == NULL;
    snprintf(folder, sizeof folder, "%s%s", p->mount, inside ? p->group + top : "");
    for (char *slash = folder; slash != NULL && strlen(folder) >= mount;) {
        look_at(q, p->root, folder, v);
        slash = strrchr(folder, '/');
        if (slash != NULL)
            *slash = '\0';
    }
}

struct bine_quota bine_quota_find(const char *root) {
    struct bine_quota q = {0, 0};
    struct place *p = calloc(1, sizeof *p);
    if (p == NULL)
        return q;
    p->root = root;
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++)
        if (find_group(p, &versions[k]) && find_mount(p, &versions[k]))
            look_along(&q, p, &versions[k]);
    free(p);
    return q;
}
