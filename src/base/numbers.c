#include "base/numbers.h"

#include <stdio.h>
#include <stdlib.h>

int bine_log2_ceil(int p) {
    int s = 0;
    while (((int64_t)1 << s) < p)
        s++;
    return s;
}

int bine_is_pow2(int p) {
    return p > 0 && (p & (p - 1)) == 0;
}

int bine_log_ceil(int p, int radix) {
    int s = 0;
    for (int64_t n = 1; n < p; n *= radix)
        s++;
    return s;
}

int bine_log_floor(int p, int radix) {
    int s = 0;
    for (int64_t n = radix; n <= p; n *= radix)
        s++;
    return s;
}

uint32_t bine_bits_reverse(uint32_t x, int s) {
    uint32_t y = 0;
    for (int i = 0; i < s; i++)
        y |= ((x >> i) & 1u) << (s - 1 - i);
    return y;
}

int bine_size_parse(const char *text, int64_t *bytes) {
    char *end;
    long long n = strtoll(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    end += shift > 0;
    if (end == text || *end != '\0' || n < 0 || n > (long long)(INT64_MAX >> 31))
        return -1;
    *bytes = (int64_t)n << shift;
    return 0;
}

const char *bine_seconds_text(double seconds, char text[BINE_SECONDS_TEXT]) {
    static const struct {
        double factor;
        const char *unit;
    } units[] = {{1e6, "us"}, {1e3, "ms"}, {1, "s"}};
    size_t i = 0;
    while (i < 2 && seconds * units[i].factor >= 999.5) /* 3 digits, rounded */
        i++;
    snprintf(text, BINE_SECONDS_TEXT, "%.3g %s", seconds * units[i].factor, units[i].unit);
    return text;
}
