#include "network/rates.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum unit { MICROSECONDS, GBITS, GBYTES, BYTES, SHARE };

static const struct {
    const char *expected;
    double factor; /* from the written unit to seconds, bytes a second or bytes */
    double most;   /* that may be written */
} units[] = {
    [MICROSECONDS] = {"a number of microseconds, as in 1.5", 1e-6, 1e12},
    [GBITS] = {"a number of Gbit/s, as in 54.4", 1e9 / 8, 1e12},
    [GBYTES] = {"a number of GB/s, as in 10", 1e9, 1e12},
    [BYTES] = {"a number of bytes, as in 8192", 1, 1e12},
    [SHARE] = {BINE_SHARE_EXPECTED, 1, 1},
};

static const struct {
    const char *key;
    enum unit unit;
    size_t at;
    double usual; /* 0: follows from others, or there is none */
} keys[] = {
    {"latency-node-us", MICROSECONDS, offsetof(struct bine_rates, latency_node), 0.5e-6},
    {"latency-us", MICROSECONDS, offsetof(struct bine_rates, latency_near), 1.5e-6},
    {"latency-global-us", MICROSECONDS, offsetof(struct bine_rates, latency_far), 0},
    {"message-us", MICROSECONDS, offsetof(struct bine_rates, message), 0.3e-6},
    {"uplink-gbits", GBITS, offsetof(struct bine_rates, uplink), 0},
    {"pair-gbits", GBITS, offsetof(struct bine_rates, pair), 0},
    {"link-gbits", GBITS, offsetof(struct bine_rates, link), 0},
    {"copy-gbytes", GBYTES, offsetof(struct bine_rates, copy), 10e9},
    {"cache-gbytes", GBYTES, offsetof(struct bine_rates, cache), 0},
    {"cache-bytes", BYTES, offsetof(struct bine_rates, cache_bytes), 512 << 10},
    {"memory-gbytes", GBYTES, offsetof(struct bine_rates, memory), 50e9},
    {"hop-us", MICROSECONDS, offsetof(struct bine_rates, hop), 0},
    {"reduce-gbytes", GBYTES, offsetof(struct bine_rates, reduce), 6e9},
    {"eager", BYTES, offsetof(struct bine_rates, eager), 8192},
    {"message-bytes", BYTES, offsetof(struct bine_rates, headers), 0},
    {"nic-burst", BYTES, offsetof(struct bine_rates, nic_burst), 0},
    {"uplink-burst", BYTES, offsetof(struct bine_rates, uplink_burst), 0},
    {"busy", SHARE, offsetof(struct bine_rates, busy), 1},
};
enum { KEYS = sizeof keys / sizeof *keys };

static double *field(struct bine_rates *r, int i) {
    return (double *)(void *)((char *)r + keys[i].at);
}

static int find(const char *key) {
    for (int i = 0; i < KEYS; i++)
        if (strcmp(keys[i].key, key) == 0)
            return i;
    return -1;
}

static int read_number(const char *text, enum unit unit, double *x) {
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return -1;
    *x = strtod(text, &end);
    return *end == '\0' && *x <= units[unit].most && *x > 0 ? 0 : -1;
}

int bine_rates_read_share(const char *text, double *share) {
    return read_number(text, SHARE, share);
}

int bine_rates_read(struct bine_rates *r, const char *key, const char *value) {
    int i = find(key);
    double x;
    if (i < 0)
        return 1;
    if (read_number(value, keys[i].unit, &x) != 0)
        return -1;
    *field(r, i) = x * units[keys[i].unit].factor;
    return 0;
}

int bine_rates_of_level(const char *key) {
    int i = find(key);
    return i >= 0 && (keys[i].at == offsetof(struct bine_rates, uplink) ||
                      keys[i].at == offsetof(struct bine_rates, pair) ||
                      keys[i].at == offsetof(struct bine_rates, latency_far));
}

const char *bine_rates_expected(const char *key) {
    int i = find(key);
    return i < 0 ? "" : units[keys[i].unit].expected;
}

const char *bine_rates_key(int i) {
    return i < KEYS ? keys[i].key : NULL;
}

int bine_rates_known(const struct bine_rates *r) {
    return r->latency_near > 0 || r->uplink > 0 || r->pair > 0 || r->link > 0;
}

void bine_rates_default(struct bine_rates *r) {
    for (int i = 0; i < KEYS; i++)
        if (*field(r, i) == 0)
            *field(r, i) = keys[i].usual;
    if (r->node == 0)
        r->node = 100e9 / 8;
    if (r->latency_far == 0)
        r->latency_far = 2 * r->latency_near;
    if (r->cache == 0)
        r->cache = 2.5 * r->copy;
    if (r->link == 0)
        r->link = r->node;
}
