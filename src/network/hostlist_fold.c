/* Folding: names that differ in their last number only, one after the other, become a range. */
#include "network/hostlist.h"

#include "base/grow.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name taken apart: before its last number, the number, behind it. */
struct parts {
    const char *name;
    int before, digits, behind; /* lengths; no digits: the name has no number that can be folded */
    long long value;
};

struct writer {
    char *text;
    size_t length, room;
    int failed;
};

static struct parts take_apart(const char *name) {
    struct parts x = {name, (int)strlen(name), 0, 0, 0};
    int end = x.before;
    while (end > 0 && !isdigit((unsigned char)name[end - 1]))
        end--;
    int begin = end;
    while (begin > 0 && isdigit((unsigned char)name[begin - 1]))
        begin--;
    if (end == begin || end - begin > 18)
        return x;
    x.behind = x.before - end;
    x.before = begin;
    x.digits = end - begin;
    x.value = strtoll(name + begin, NULL, 10);
    return x;
}

static int same_frame(const struct parts *a, const struct parts *b) {
    return a->digits > 0 && b->digits > 0 && a->before == b->before && a->behind == b->behind &&
           memcmp(a->name, b->name, (size_t)a->before) == 0 &&
           strcmp(a->name + a->before + a->digits, b->name + b->before + b->digits) == 0;
}

/* Whether b is the number after a, and padded like it. */
static int follows(const struct parts *a, const struct parts *b) {
    int padded = a->name[a->before] == '0' || b->name[b->before] == '0';
    return b->value == a->value + 1 && (!padded || a->digits == b->digits);
}

static void append(struct writer *w, const char *text, size_t length) {
    if (!w->failed)
        w->failed = bine_grow(&w->text, &w->room, w->length + length + 1, 1) != 0;
    if (w->failed)
        return;
    memcpy(w->text + w->length, text, length);
    w->length += length;
    w->text[w->length] = '\0';
}

static void append_digits(struct writer *w, const struct parts *x) {
    append(w, x->name + x->before, (size_t)x->digits);
}

static const char *name_of(const struct bine_names *names, const int32_t *number, size_t i) {
    return bine_names_text(names, number[i]);
}

/* One bracket: all names from i on that fit in its frame. Returns how many. */
static size_t fold_frame(struct writer *w, const struct bine_names *names, const int32_t *number,
                         size_t i, size_t count) {
    struct parts first = take_apart(name_of(names, number, i)), last = first, next;
    size_t end = i + 1;
    while (end < count &&
           (next = take_apart(name_of(names, number, end)), same_frame(&last, &next)))
        end++;
    if (end == i + 1) {
        append(w, first.name, strlen(first.name));
        return 1;
    }
    append(w, first.name, (size_t)first.before);
    append(w, "[", 1);
    for (size_t k = i, run; k < end; k = run) {
        first = last = take_apart(name_of(names, number, k));
        for (run = k + 1; run < end; run++) {
            next = take_apart(name_of(names, number, run));
            if (!follows(&last, &next))
                break;
            last = next;
        }
        append(w, ",", k > i);
        append_digits(w, &first);
        if (run > k + 1) {
            append(w, "-", 1);
            append_digits(w, &last);
        }
    }
    append(w, "]", 1);
    append(w, first.name + first.before + first.digits, (size_t)first.behind);
    return end - i;
}

char *bine_hostlist_fold(const struct bine_names *names, const int32_t *number, size_t count) {
    struct writer w = {0};
    append(&w, "", 0);
    for (size_t i = 0; i < count;) {
        append(&w, ",", i > 0);
        i += fold_frame(&w, names, number, i, count);
    }
    if (w.failed) {
        free(w.text);
        return NULL;
    }
    return w.text;
}
