#include "network/hostlist.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 18, MOST_DEPTH = 16 };

struct expansion {
    char host[BINE_HOST_LENGTH + 1];
    size_t left; /* hosts that may still come */
    int depth;   /* of brackets, open or passed on the way to this host */
    bine_host_taker take;
    void *self;
    struct bine_reason *why;
};

/* The rest that is written behind a piece inside brackets. */
struct rest {
    const char *at, *end;
    const struct rest *up;
};

static int expand(struct expansion *x, size_t length, const char *at, const char *end,
                  const struct rest *rest);

static int finish(struct expansion *x, size_t length, const struct rest *rest) {
    if (rest != NULL)
        return expand(x, length, rest->at, rest->end, rest->up);
    if (length == 0)
        return bine_reason_set(x->why, "an empty host name in the list");
    if (x->left-- == 0) {
        x->left = 0;
        return bine_reason_set(x->why, "too many hosts in the list");
    }
    x->host[length] = '\0';
    return x->take(x->self, x->host, length);
}

/* The bracket that closes the one before `at`, or NULL. */
static const char *closing(const char *at, const char *end) {
    int depth = 1;
    for (; at < end; at++) {
        depth += (*at == '[') - (*at == ']');
        if (depth == 0)
            return at;
    }
    return NULL;
}

const char *bine_hostlist_item_end(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        depth += (*at == '[') - (*at == ']');
        if (*at == ',' && depth == 0)
            return at;
    }
    return end;
}

static const char *digits_end(const char *at, const char *end) {
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return at;
}

/* Lists are not terminated by a zero, so strtoll may not read them. */
static long long value_of(const char *at, const char *end) {
    long long value = 0;
    for (; at < end; at++)
        value = 10 * value + (*at - '0');
    return value;
}

/* low or low-high, both of digits: 1; something else: 0; a bad one: -1. *width: to be padded to. */
static int parse_range(struct expansion *x, const char *at, const char *end, long long *low,
                       long long *high, int *width) {
    const char *first_end = digits_end(at, end), *second = first_end;
    if (first_end == at)
        return 0;
    if (first_end < end && *first_end == '-')
        second = first_end + 1;
    const char *second_end = digits_end(second, end);
    if (second_end != end || (second > first_end && second == end))
        return 0;
    if (first_end - at > MOST_DIGITS || second_end - second > MOST_DIGITS)
        return bine_reason_set(x->why, "a number of more than %d digits", MOST_DIGITS);
    *low = value_of(at, first_end);
    *high = second > first_end ? value_of(second, second_end) : *low;
    *width = *at == '0' ? (int)(first_end - at) : 0;
    int text = bine_reason_cut((size_t)(end - at));
    if (*high < *low)
        return bine_reason_set(x->why, "range '%.*s' goes down", text, at);
    if (second > first_end && *second == '0' && second_end - second != first_end - at)
        return bine_reason_set(x->why, "range '%.*s' is padded differently at its ends", text, at);
    return 1;
}

static int expand_range(struct expansion *x, size_t length, long long low, long long high,
                        int width, const struct rest *after) {
    for (long long k = low; k <= high; k++) {
        char digits[32];
        int n = snprintf(digits, sizeof digits, "%0*lld", width, k);
        if (length + (size_t)n > BINE_HOST_LENGTH)
            return bine_reason_set(x->why, "a host name of more than %d characters",
                                   BINE_HOST_LENGTH);
        memcpy(x->host + length, digits, (size_t)n);
        int rc = expand(x, length + (size_t)n, after->at, after->end, after->up);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* The alternatives between brackets, one after the other, each with the text behind. */
static int expand_bracket(struct expansion *x, size_t length, const char *at, const char *close,
                          const struct rest *after) {
    for (const char *next; at <= close; at = next + 1) {
        long long low = 0, high = 0;
        int width = 0;
        next = bine_hostlist_item_end(at, close);
        if (next == at)
            return bine_reason_set(x->why, "nothing between '[', ',' and ']': expected a number, "
                                           "as in n[1,3-5]");
        int rc = parse_range(x, at, next, &low, &high, &width);
        if (rc == 1)
            rc = expand_range(x, length, low, high, width, after);
        else if (rc == 0 && memchr(at, '[', (size_t)(next - at)) != NULL)
            rc = expand(x, length, at, next, after);
        else if (rc == 0)
            rc = bine_reason_set(x->why, "'%.*s' in brackets: expected a number or a range",
                                 bine_reason_cut((size_t)(next - at)), at);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int is_host_character(char c) {
    return isalnum((unsigned char)c) || (c != '\0' && strchr("-_.:+", c) != NULL);
}

/* Write the text at `at` behind the first `length` characters of the host, then the rest. */
static int expand(struct expansion *x, size_t length, const char *at, const char *end,
                  const struct rest *rest) {
    for (; at < end && *at != '['; at++) {
        if (*at == ']')
            return bine_reason_set(x->why, "']' without '['");
        if (!is_host_character(*at))
            return bine_reason_set(x->why, "unexpected character '%c' in a host name", *at);
        if (length == BINE_HOST_LENGTH)
            return bine_reason_set(x->why, "a host name of more than %d characters",
                                   BINE_HOST_LENGTH);
        x->host[length++] = *at;
    }
    if (at == end)
        return finish(x, length, rest);
    const char *close = closing(at + 1, end);
    if (close == NULL)
        return bine_reason_set(x->why, "'[' without ']'");
    if (x->depth == MOST_DEPTH)
        return bine_reason_set(x->why, "more than %d brackets in a host", MOST_DEPTH);
    struct rest after = {close + 1, end, rest};
    x->depth++;
    int rc = expand_bracket(x, length, at + 1, close, &after);
    x->depth--;
    return rc;
}

int bine_hostlist_expand(const char *list, size_t length, size_t most, bine_host_taker take,
                         void *self, struct bine_reason *why) {
    struct expansion x = {.left = most, .take = take, .self = self, .why = why};
    const char *end = list + length;
    if (length == 0)
        return bine_reason_set(why, "an empty host list");
    for (const char *at = list, *next; at <= end; at = next + 1) {
        next = bine_hostlist_item_end(at, end);
        int rc = expand(&x, 0, at, next, NULL);
        if (rc != 0)
            return rc;
    }
    return 0;
}
