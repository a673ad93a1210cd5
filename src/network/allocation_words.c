/* Allocations from words: sizes of groups, or files with the names of each rank's groups. */
#include "network/allocation.h"

#include "base/files.h"
#include "base/grow.h"
#include "base/text.h"
#include "network/allocation_make.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An allocation whose number of ranks is not yet known. */
struct growing {
    struct bine_allocation *a;
    size_t room[BINE_WIDER_MOST + 1]; /* of the groups, and of larger ones */
    struct bine_names whole;          /* names with the parts nested in the groups */
    int nested;                       /* some name has such a part */
};

static int fail(struct bine_allocation *a) {
    bine_allocation_free(a);
    return -1;
}

/* The array of a level, 0 being the groups. */
static int32_t **array_of(struct bine_allocation *a, int level) {
    return level == 0 ? &a->group : &a->outer[level - 1].group;
}

/* Append ranks that are all in one group at each level: number[k] at each level. */
static int extend(struct growing *x, const int *number, long count, struct bine_reason *why) {
    struct bine_allocation *a = x->a;
    for (int k = 0; k <= a->wider; k++) {
        int32_t **group = array_of(a, k);
        if (number[k] < 0 ||
            bine_grow(group, &x->room[k], (size_t)(a->p + count), sizeof **group) != 0)
            return bine_reason_memory(why);
        for (long i = 0; i < count; i++)
            (*group)[a->p + i] = number[k];
    }
    a->p += (int)count;
    return 0;
}

/* The number of a group that is new at its level: its name. */
static int new_group(struct bine_allocation *a, int level) {
    struct bine_names *names = level == 0 ? &a->names : &a->outer[level - 1].names;
    char name[24];
    int n = snprintf(name, sizeof name, "%d", names->count);
    return bine_names_add(names, name, (size_t)n);
}

static int refuse_sizes(const char *sizes, struct bine_reason *why) {
    return bine_reason_set(why,
                           "group sizes '%.60s': expected sizes from 1 on, as in 5,5,6 or, in "
                           "larger groups, (3,2),(4), of at most %d ranks in all",
                           sizes, BINE_HOSTS_MOST);
}

/* How deep brackets are: 0, 1, ...; -1 if they do not match, or are too deep. */
static int depth_of(const char *sizes) {
    int depth = 0, most = 0;
    for (; *sizes != '\0' && depth >= 0; sizes++) {
        depth += (*sizes == '(') - (*sizes == ')');
        most = depth > most ? depth : most;
    }
    return depth == 0 && most <= BINE_WIDER_MOST ? most : -1;
}

/* One size, at a depth of brackets: a group, and larger ones around it that have no brackets. */
static int add_size(struct growing *x, const struct bine_word *word, int depth, int *number,
                    struct bine_reason *why) {
    long size;
    if (bine_word_count(word, 1, BINE_HOSTS_MOST - x->a->p, &size) != 0)
        return 1;
    for (int level = x->a->wider - depth; level >= 0; level--)
        number[level] = new_group(x->a, level);
    return extend(x, number, size, why);
}

/* 0, -1 with *why, or 1 if the sizes are none. */
static int read_sizes(struct growing *x, const char *at, struct bine_reason *why) {
    int number[BINE_WIDER_MOST + 1] = {0}, depth = 0;
    for (;; at++) {
        for (; *at == '('; at++, depth++)
            number[x->a->wider - depth] = new_group(x->a, x->a->wider - depth);
        struct bine_word word = {at, strcspn(at, ",()")};
        int rc = add_size(x, &word, depth, number, why);
        if (rc != 0)
            return rc;
        for (at += word.length; *at == ')'; at++)
            depth--;
        if (*at != ',')
            return *at == '\0' ? 0 : 1;
    }
}

int bine_allocation_sizes(struct bine_allocation *a, const char *sizes, struct bine_reason *why) {
    struct growing x = {.a = a};
    int depth = depth_of(sizes);
    *a = (struct bine_allocation){.wider = depth};
    for (int k = 0; k < depth; k++)
        a->outer[k].level = k + 2;
    int rc = depth < 0 ? 1 : read_sizes(&x, sizes, why);
    if (rc > 0)
        refuse_sizes(sizes, why);
    if (rc != 0)
        return fail(a);
    bine_allocation_trim(a);
    return 0;
}

/* The whole name of the last rank's group, which names the groups nested in it. */
static int nest(struct growing *x, const char *name, size_t length, struct bine_reason *why) {
    struct bine_allocation *a = x->a;
    if (((a->p - 1) & a->p) == 0 || a->inner == NULL) { /* p is a power of two: double it */
        int32_t *more = realloc(a->inner, 2 * (size_t)a->p * sizeof *more);
        if (more == NULL)
            return bine_reason_memory(why);
        a->inner = more;
    }
    a->inner[a->p - 1] = bine_names_add(&x->whole, name, length);
    return a->inner[a->p - 1] < 0 ? bine_reason_memory(why) : 0;
}

/* The name up to a slash is the group's. */
static size_t outer_length(const struct bine_word *name) {
    const char *slash = memchr(name->at, '/', name->length);
    return slash != NULL && slash > name->at ? (size_t)(slash - name->at) : name->length;
}

/* The words of a rank, the largest group first. */
struct words {
    struct bine_word word[BINE_WIDER_MOST + 1];
    int count;
};

static int split_line(struct bine_word line, struct words *w, struct bine_reason *why) {
    for (w->count = 0; bine_text_word(&line, &w->word[w->count]); w->count++) {
        const struct bine_word *name = &w->word[w->count];
        if (memchr(name->at, '\0', name->length) != NULL || name->length > BINE_HOST_LENGTH)
            return bine_reason_set(why,
                                   "a group name that is no text, or longer than %d characters",
                                   BINE_HOST_LENGTH);
        if (w->count == BINE_WIDER_MOST && line.length > 0)
            return bine_reason_set(why, "more than %d names of groups", BINE_WIDER_MOST + 1);
    }
    return 0;
}

/* A rank's groups: each is named with the larger ones around it, pod1/leaf3, so that two of them
 * may have groups of one name. */
static int add_rank(struct growing *x, const struct words *w, struct bine_reason *why) {
    char path[(BINE_WIDER_MOST + 1) * (BINE_HOST_LENGTH + 1) + 1];
    size_t at = 0;
    int number[BINE_WIDER_MOST + 1];
    for (int i = 0; i < w->count; i++) {
        int level = w->count - 1 - i;
        const struct bine_word *name = &w->word[i];
        if (i > 0)
            path[at++] = '/';
        memcpy(path + at, name->at, name->length);
        at += level == 0 ? outer_length(name) : name->length;
        number[level] =
            bine_names_add(level == 0 ? &x->a->names : &x->a->outer[level - 1].names, path, at);
    }
    if (extend(x, number, 1, why) != 0)
        return -1;
    const struct bine_word *last = &w->word[w->count - 1];
    x->nested |= memchr(last->at, '/', last->length) != NULL;
    return nest(x, path, at + last->length - outer_length(last), why);
}

static int read_line(struct growing *x, const struct words *w, struct bine_reason *why) {
    struct bine_allocation *a = x->a;
    if (a->p == 0)
        a->wider = w->count - 1;
    if (w->count != a->wider + 1)
        return a->wider == 0
                   ? bine_reason_set(why, "expected one word, the name of the rank's group")
                   : bine_reason_set(why, "expected %d words, the names of the rank's groups",
                                     a->wider + 1);
    if (a->p == BINE_HOSTS_MOST)
        return bine_reason_set(why, "more than %d ranks", BINE_HOSTS_MOST);
    return add_rank(x, w, why);
}

static int read_names(struct growing *x, const char *text, size_t size, const char *file,
                      struct bine_reason *why) {
    struct bine_text t = bine_text_open(text, size);
    struct bine_word line;
    while (bine_text_line(&t, &line)) {
        struct words w;
        if (line.length == 0)
            continue;
        if (split_line(line, &w, why) != 0 || (w.count > 0 && read_line(x, &w, why) != 0)) {
            bine_reason_at(why, file, t.line);
            return -1;
        }
    }
    for (int k = 0; k < x->a->wider; k++)
        x->a->outer[k].level = k + 2;
    return 0;
}

int bine_allocation_read(struct bine_allocation *a, const char *text, size_t size, const char *file,
                         struct bine_reason *why) {
    struct growing x = {.a = a};
    *a = (struct bine_allocation){0};
    int rc = read_names(&x, text, size, file, why);
    bine_names_free(&x.whole);
    if (rc != 0)
        return fail(a);
    if (!x.nested) { /* nothing is said of nodes */
        free(a->inner);
        a->inner = NULL;
    }
    bine_allocation_trim(a);
    if (a->p > 0)
        return 0;
    bine_reason_set(why, "no ranks in it: expected the name of a group for each rank");
    bine_reason_at(why, file, 0);
    return fail(a);
}

int bine_allocation_is_sizes(const char *word) {
    return strspn(word, "0123456789,()") == strlen(word);
}

int bine_allocation_load(struct bine_allocation *a, const char *word, struct bine_reason *why) {
    size_t size;
    if (bine_allocation_is_sizes(word))
        return bine_allocation_sizes(a, word, why);
    char *text = bine_file_text(word, &size);
    if (text == NULL)
        return bine_reason_set(why, "%.200s: %s", word, strerror(errno));
    int rc = bine_allocation_read(a, text, size, word, why);
    free(text);
    return rc;
}
