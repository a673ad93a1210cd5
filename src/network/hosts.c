#include "network/hosts.h"

#include "base/grow.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int bine_hosts_append(struct bine_hosts *h, int host) {
    if (bine_grow(&h->host, &h->room, (size_t)h->p + 1, sizeof *h->host) != 0)
        return -1;
    h->host[h->p++] = host;
    return 0;
}

/* Hosts being added, `ranks` ranks on each. */
struct appending {
    struct bine_hosts *hosts;
    long ranks;
    size_t most;
    struct bine_reason *why;
};

static int too_many(size_t most, struct bine_reason *why) {
    return bine_reason_set(why, "more than %zu ranks", most);
}

static int append(void *self, const char *host, size_t length) {
    struct appending *a = self;
    int number = bine_names_add(&a->hosts->names, host, length);
    if ((size_t)a->hosts->p + (size_t)a->ranks > a->most)
        return too_many(a->most, a->why);
    for (long k = 0; k < a->ranks && number >= 0; k++)
        if (bine_hosts_append(a->hosts, number) != 0)
            number = -1;
    return number < 0 ? bine_reason_memory(a->why) : 0;
}

/* One item of a list: hosts, or hosts*K. */
static int add_item(struct appending *a, const char *item, size_t length) {
    const char *star = memchr(item, '*', length);
    size_t before = star == NULL ? length : (size_t)(star - item);
    long slots = a->ranks;
    if (star != NULL) {
        struct bine_word count = {star + 1, length - before - 1};
        if (bine_word_count(&count, 1, BINE_HOSTS_MOST, &a->ranks) != 0)
            return bine_reason_set(a->why,
                                   "'%.*s': expected a number of ranks behind '*', as in "
                                   "n[1-4]*2",
                                   bine_reason_cut(length), item);
        if (slots != 1)
            return bine_reason_set(a->why, "both '*' and 'slots=': expected one of them");
    }
    int rc = bine_hostlist_expand(item, before, a->most - (size_t)a->hosts->p, append, a, a->why);
    a->ranks = slots;
    return rc;
}

static int add_list(struct appending *a, const char *list, size_t length) {
    const char *end = list + length;
    for (const char *at = list, *next; at <= end; at = next + 1) {
        next = bine_hostlist_item_end(at, end);
        int rc = add_item(a, at, (size_t)(next - at));
        if (rc != 0)
            return rc;
    }
    return 0;
}

int bine_hosts_add(struct bine_hosts *h, const char *list, size_t length, size_t most,
                   struct bine_reason *why) {
    struct appending a = {h, 1, most, why};
    return length == 0 ? bine_reason_set(why, "an empty host list") : add_list(&a, list, length);
}

/* Does the word begin so? Then cut it to the rest behind that. */
static int cut_key(struct bine_word *word, const char *key) {
    struct bine_word head = {word->at, strlen(key)};
    if (word->length < head.length || !bine_word_is_like(&head, key))
        return 0;
    *word = (struct bine_word){word->at + head.length, word->length - head.length};
    return 1;
}

/* A list, and the options of launchers behind a host: slots=4 max_slots=8. */
static int add_line(struct appending *a, struct bine_word *line) {
    struct bine_word list, word;
    bine_text_word(line, &list);
    while (bine_text_word(line, &word)) {
        struct bine_word count = word;
        long most;
        if (cut_key(&count, "slots=")
                ? bine_word_count(&count, 1, BINE_HOSTS_MOST, &a->ranks) != 0
                : (!cut_key(&count, "max_slots=") && !cut_key(&count, "max-slots=")) ||
                      bine_word_count(&count, 1, BINE_HOSTS_MOST, &most) != 0)
            return bine_reason_set(a->why,
                                   "'%.*s' behind a host: expected slots=K, or one host a "
                                   "line",
                                   bine_reason_cut(word.length), word.at);
    }
    int rc = add_list(a, list.at, list.length);
    a->ranks = 1;
    return rc;
}

/* "7: host", as "srun -l" labels its output: the rank, cut off the line; -1: no label. */
static long cut_label(struct bine_word *line) {
    struct bine_word label = {line->at, 0}, rest;
    long rank;
    while (label.length < line->length && isdigit((unsigned char)line->at[label.length]))
        label.length++;
    rest = (struct bine_word){line->at + label.length, line->length - label.length};
    if (rest.length < 2 || rest.at[0] != ':' || rest.at[1] != ' ' ||
        bine_word_count(&label, 0, BINE_HOSTS_MOST, &rank) != 0)
        return -1;
    *line = (struct bine_word){rest.at + 2, rest.length - 2};
    return rank;
}

/* Lines in any order, each with its rank: a host for each of 0, 1, ..., p - 1. */
static int sort_labelled(struct bine_hosts *h, const int32_t *label, struct bine_reason *why) {
    int32_t *sorted = malloc((size_t)h->p * sizeof *sorted);
    int rc = sorted == NULL ? bine_reason_memory(why) : 0;
    for (int i = 0; i < h->p && rc == 0; i++)
        sorted[i] = -1;
    for (int i = 0; i < h->p && rc == 0; i++) {
        if (label[i] >= h->p)
            rc = bine_reason_set(why,
                                 "a line of rank %d among %d lines: expected the ranks 0 to "
                                 "%d",
                                 (int)label[i], h->p, h->p - 1);
        else if (sorted[label[i]] >= 0)
            rc = bine_reason_set(why, "two lines of rank %d", (int)label[i]);
        else
            sorted[label[i]] = h->host[i];
    }
    if (rc == 0)
        memcpy(h->host, sorted, (size_t)h->p * sizeof *sorted);
    free(sorted);
    return rc;
}

static int read_labelled(struct bine_hosts *h, struct bine_text *t, const char *file, size_t most,
                         struct bine_reason *why) {
    struct bine_hosts labels = {0}; /* its numbers are the labels */
    struct bine_word line;
    int rc = 0;
    while (rc == 0 && bine_text_line(t, &line)) {
        long rank = line.length > 0 ? cut_label(&line) : 0;
        int before = h->p;
        if (line.length == 0)
            continue;
        rc = rank < 0 ? bine_reason_set(why, "expected 'RANK: HOST', as in the lines before")
                      : bine_hosts_add(h, line.at, line.length, most, why);
        if (rc == 0 && h->p != before + 1)
            rc = bine_reason_set(why, "expected one host behind 'RANK:'");
        if (rc == 0 && bine_hosts_append(&labels, (int)rank) != 0)
            rc = bine_reason_memory(why);
        if (rc != 0)
            bine_reason_at(why, file, t->line);
    }
    if (rc == 0 && (rc = sort_labelled(h, labels.host, why)) != 0)
        bine_reason_at(why, file, 0);
    bine_hosts_free(&labels);
    return rc;
}

/* Is the first line that is not empty labelled? */
static int is_labelled(struct bine_text t) {
    struct bine_word line = {"", 0};
    while (bine_text_line(&t, &line) && line.length == 0) {
    }
    return cut_label(&line) >= 0;
}

int bine_hosts_read(struct bine_hosts *h, const char *text, size_t size, const char *file,
                    size_t most, struct bine_reason *why) {
    struct bine_text t = bine_text_open(text, size);
    struct appending a = {h, 1, most, why};
    struct bine_word line;
    if (is_labelled(t))
        return read_labelled(h, &t, file, most, why);
    while (bine_text_line(&t, &line))
        if (line.length > 0 && add_line(&a, &line) != 0)
            return bine_reason_at(why, file, t.line);
    if (h->p > 0)
        return 0;
    bine_reason_set(why, "no hosts in it");
    return bine_reason_at(why, file, 0);
}

int bine_hosts_fill(struct bine_hosts *h, int ranks_per_host, size_t most,
                    struct bine_reason *why) {
    int hosts = h->names.count;
    if (h->p != hosts)
        return bine_reason_set(why, "the hosts say how many ranks each of them has");
    if ((size_t)hosts * (size_t)ranks_per_host > most)
        return too_many(most, why);
    h->p = 0;
    for (int i = 0; i < hosts; i++)
        for (int k = 0; k < ranks_per_host; k++)
            if (bine_hosts_append(h, i) != 0)
                return bine_reason_memory(why);
    return 0;
}

void bine_hosts_free(struct bine_hosts *h) {
    bine_names_free(&h->names);
    free(h->host);
    *h = (struct bine_hosts){0};
}
