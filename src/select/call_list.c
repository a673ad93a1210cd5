#include "select/call_list.h"

#include "base/numbers.h"
#include "schedule/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 96 };

/* "A-B" or "A": both ends. 0, or -1. */
static int parse_range(char *text, int (*parse)(const char *, int64_t *), int64_t *from,
                       int64_t *to) {
    char *dash = strchr(text, '-');
    if (dash != NULL)
        *dash = '\0';
    if (parse(text, from) != 0 || parse(dash != NULL ? dash + 1 : text, to) != 0)
        return -1;
    return *from <= *to ? 0 : -1;
}

static int parse_number(const char *text, int64_t *n) {
    char *end;
    *n = strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && *n > 0 ? 0 : -1;
}

/* A word, which is written into. */
static int parse_word(char *text, struct bine_call_list_word *w, struct bine_reason *why) {
    char *numbers = strchr(text, '@'), whole[WORD];
    int64_t first = 0, last = 0;
    snprintf(whole, sizeof whole, "%s", text);
    if (numbers != NULL)
        *numbers++ = '\0';
    char *bytes = strchr(text, ':');
    if (bytes != NULL)
        *bytes++ = '\0';
    *w = (struct bine_call_list_word){.collective = -1, .from = -1};
    if (strcmp(text, "all") != 0)
        w->collective = bine_collective_find(text);
    if (w->collective < 0 && strcmp(text, "all") != 0)
        return bine_reason_set(why, "'%s': no such collective; expected all or one of `bine list`",
                               text);
    if (bytes != NULL && parse_range(bytes, bine_size_parse, &w->from, &w->to) != 0)
        return bine_reason_set(why, "'%s': expected bytes behind the colon, as in 1M or 64K-1M",
                               whole);
    if (numbers != NULL && parse_range(numbers, parse_number, &first, &last) != 0)
        return bine_reason_set(why, "'%s': expected numbers of calls behind @, as in 100 or 1-20",
                               whole);
    w->first = (uint64_t)first;
    w->last = (uint64_t)last;
    return 0;
}

int bine_call_list_parse(const char *text, struct bine_call_list *l, struct bine_reason *why) {
    char word[WORD];
    *l = (struct bine_call_list){.count = 0};
    while (*text != '\0') {
        size_t n = strcspn(text, ",");
        int rc = -1;
        snprintf(word, sizeof word, "%.*s", (int)(n < WORD ? n : WORD - 1), text);
        if (n >= WORD || l->count == BINE_CALL_LIST_WORDS)
            bine_reason_set(why, "'%s': expected at most %d words of %d characters", word,
                            BINE_CALL_LIST_WORDS, WORD - 1);
        else
            rc = parse_word(word, &l->word[l->count++], why);
        if (rc != 0) {
            l->count = 0;
            return -1;
        }
        text += n + (text[n] == ',');
    }
    return 0;
}

static int has_number(const struct bine_call_list_word *w, uint64_t number) {
    if (w->first == 0)
        return (number & (number - 1)) == 0;
    return number >= w->first && number <= w->last;
}

int bine_call_list_has(const struct bine_call_list *l, enum bine_collective c, int64_t bytes,
                       uint64_t number) {
    static const struct bine_call_list_word any = {.collective = -1, .from = -1};
    if (l->count == 0)
        return has_number(&any, number);
    for (int i = 0; i < l->count; i++) {
        const struct bine_call_list_word *w = &l->word[i];
        if ((w->collective < 0 || w->collective == (int)c) &&
            (w->from < 0 || (bytes >= w->from && bytes <= w->to)) && has_number(w, number))
            return 1;
    }
    return 0;
}
