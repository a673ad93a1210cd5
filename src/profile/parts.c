/* The parts in a folder, as a killed program has left them. */
#include "profile/folder.h"

#include "base/files.h"
#include "base/grow.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bine_parts_new(struct bine_parts *p, int ranks) {
    *p = (struct bine_parts){.part = calloc((size_t)ranks, sizeof(struct bine_part *))};
    p->ranks = p->part != NULL ? ranks : 0;
    return p->part != NULL ? 0 : -1;
}

void bine_parts_free(struct bine_parts *p) {
    for (int r = 0; r < p->ranks; r++)
        free(p->part[r]);
    free(p->part);
    *p = (struct bine_parts){.ranks = 0};
}

/* Whether a is of a later run than b, or of one run and to be kept beside it. Ranks that never
 * met have no number in common: parts that began within a minute are one run. */
static int is_one_run(const struct bine_part_head *a, const struct bine_part_head *b) {
    const int64_t minute = INT64_C(60000000000);
    int64_t apart = a->begin.ns - b->begin.ns;
    if (a->ranks != b->ranks)
        return 0;
    if (a->job != 0 && b->job != 0)
        return a->job == b->job;
    return a->node != b->node || (apart < minute && apart > -minute);
}

struct list {
    struct bine_part **part;
    size_t used, room;
};

static int append(struct list *l, struct bine_part *part) {
    if (bine_grow(&l->part, &l->room, l->used + 1, sizeof(struct bine_part *)) != 0)
        return -1;
    l->part[l->used++] = part;
    return 0;
}

static void note_damage(struct bine_parts *p, const char *path, const char *why) {
    if (p->damaged++ == 0)
        snprintf(p->damage, sizeof p->damage, "%.900s: %.200s", path, why);
}

/* A file that is no part is no reason to leave the others aside. */
static int read_one(const char *folder, const char *name, bine_part_checker *check, struct list *l,
                    struct bine_parts *p) {
    char path[BINE_PARTS_PATH + 300];
    size_t bytes;
    if (strncmp(name, "rank-", 5) != 0)
        return 0;
    snprintf(path, sizeof path, "%.1000s/%s", folder, name);
    char *text = bine_file_text(path, &bytes);
    if (text == NULL) {
        note_damage(p, path, strerror(errno));
        return 0;
    }
    struct bine_part *part = (void *)text;
    const char *why = check(part, bytes);
    if (why != NULL)
        note_damage(p, path, why);
    if (why == NULL && append(l, part) == 0)
        return 0;
    free(text);
    return why != NULL ? 0 : -1;
}

static int read_all(DIR *d, const char *folder, bine_part_checker *check, struct list *l,
                    struct bine_parts *p) {
    const struct dirent *e;
    int rc = 0;
    while (rc == 0 && (e = readdir(d)) != NULL)
        rc = read_one(folder, e->d_name, check, l, p);
    if (rc != 0)
        errno = ENOMEM;
    return rc;
}

/* Clocks of hosts begin when these do: the last run is that of the most parts, and of these the one
 * of rank 0's. */
static const struct bine_part_head *find_last(const struct list *l) {
    const struct bine_part_head *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < l->used; i++) {
        const struct bine_part_head *h = &l->part[i]->head;
        size_t alike = 0;
        for (size_t k = 0; k < l->used && (best == NULL || !is_one_run(h, best)); k++)
            alike += (size_t)is_one_run(h, &l->part[k]->head);
        if (best == NULL || (!is_one_run(h, best) && alike > most)) {
            best = h;
            most = alike;
        }
    }
    return best;
}

static void put_in_order(struct list *l, struct bine_parts *p) {
    const struct bine_part_head head = *find_last(l);
    int has_room = bine_parts_new(p, head.ranks) == 0;
    for (size_t i = 0; i < l->used; i++) {
        const struct bine_part_head *h = &l->part[i]->head;
        if (has_room && is_one_run(h, &head) && p->part[h->rank] == NULL) {
            p->part[h->rank] = l->part[i];
            p->found++;
        } else {
            p->others++;
            free(l->part[i]);
        }
    }
}

int bine_parts_read(const char *folder, bine_part_checker *check, struct bine_parts *p) {
    struct list l = {NULL, 0, 0};
    *p = (struct bine_parts){.ranks = 0};
    DIR *d = opendir(folder);
    if (d == NULL)
        return -1;
    int rc = read_all(d, folder, check, &l, p), damaged = p->damaged;
    char damage[sizeof p->damage];
    memcpy(damage, p->damage, sizeof damage);
    closedir(d);
    if (rc == 0 && l.used > 0) {
        put_in_order(&l, p);
        p->damaged = damaged;
        memcpy(p->damage, damage, sizeof damage);
        l.used = 0;
    }
    for (size_t i = 0; i < l.used; i++)
        free(l.part[i]);
    free(l.part);
    return rc;
}
