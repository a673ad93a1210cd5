#include "cli/options/range.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

void bine_range_free(struct bine_range *r) {
    free(r->value);
    *r = (struct bine_range){0};
}

int bine_range_has(const struct bine_range *r, int n) {
    for (size_t i = 0; i < r->count; i++)
        if (r->value[i] == n)
            return 1;
    return 0;
}

/* One whole number at *at, which moves behind it; -1 if there is none. Numbers too large to matter
 * stay too large. */
static long read_number(const char **at) {
    const char *c = *at;
    long n = 0;
    if (*c < '0' || *c > '9')
        return -1;
    for (; *c >= '0' && *c <= '9'; c++)
        n = n > 100000000 ? n : n * 10 + (*c - '0');
    *at = c;
    return n;
}

/* The next part, "a" or "a-b", of a range; 0, or -1 if it is neither. */
static int read_part(const char **at, long *first, long *last) {
    *first = read_number(at);
    *last = *first;
    if (*first >= 0 && **at == '-') {
        ++*at;
        *last = read_number(at);
    }
    if (*first < 0 || *last < 0 || (**at != ',' && **at != '\0'))
        return -1;
    if (**at == ',' && *++*at == '\0')
        return -1;
    return 0;
}

static int check_part(const char *what, const char *word, long first, long last, int low,
                      int high) {
    if (last < first)
        return bine_complain("%s '%s': the range %ld-%ld runs backwards: expected %ld-%ld", what,
                             word, first, last, last, first);
    if (first < low || last > high)
        return bine_complain("%s '%s': expected numbers from %d to %d", what, word, low, high);
    return 0;
}

/* The numbers whose marks are set. */
static int collect(const char *marked, int low, int high, size_t count, struct bine_range *r) {
    r->value = malloc((count + 1) * sizeof *r->value);
    r->count = 0;
    if (r->value == NULL)
        return bine_complain("out of memory");
    for (int n = low; n <= high; n++)
        if (marked[n - low])
            r->value[r->count++] = n;
    return 0;
}

int bine_word_range(const char *what, const char *word, int low, int high, struct bine_range *r) {
    char *marked = calloc((size_t)(high - low) + 1, 1);
    const char *at = word;
    size_t count = 0;
    int rc = marked == NULL ? bine_complain("out of memory") : 0;
    do {
        long first, last;
        if (rc != 0)
            break;
        if (read_part(&at, &first, &last) != 0) {
            rc = bine_complain("%s '%s': expected whole numbers from %d on, as in 1-64,100,128",
                               what, word, low);
            break;
        }
        rc = check_part(what, word, first, last, low, high);
        for (long n = first; n <= last && rc == 0; n++) {
            count += marked[n - low] == 0;
            marked[n - low] = 1;
        }
    } while (*at != '\0');
    if (rc == 0)
        rc = collect(marked, low, high, count, r);
    free(marked);
    return rc;
}
