/* Rates: how fast the links and the hosts of a machine are. Traffic does not ask for them; the
 * model, the lab and simulations do. Lines of a machine file, each optional:
 *
 *     latency-node-us 0.5     of a message inside a node, in microseconds
 *     latency-us 1.5          of a message between nodes of one group
 *     latency-global-us 3     of a message between groups
 *     message-us 0.3          time of the processor for a message, at each end
 *     uplink-gbits 1600       out of each group, and as much into it
 *     pair-gbits 800          from each group to each other one (Dragonfly)
 *     link-gbits 54.4         of a torus: each link, each direction
 *     copy-gbytes 10          rate at which one rank copies, in GB/s,
 *     cache-gbytes 25         and the rate for data that its caches hold: the first
 *     cache-bytes 524288      bytes of a copy
 *     memory-gbytes 50        the memory of a node: messages between its ranks, all together
 *     hop-us 0.1              of a torus: each link of a message's way after the first
 *     reduce-gbytes 6         rate at which one rank adds up, in GB/s
 *     eager 8192              messages up to this many bytes do not wait for their receive
 *     message-bytes 90        bytes of headers that links carry for a message
 *     nic-burst 18100         bytes that a node's link lets through at once after a pause, as a
 *                             token bucket does
 *     uplink-burst 36100      and a link between groups
 *     busy 0.05               other jobs leave so much of the links between groups (of a torus: of
 *                             all its links): a share of their rate; 1 unless it is said
 *
 * Each level of larger groups (network/machine.h) has uplink-gbits, pair-gbits and
 * latency-global-us of its own.
 *
 * A node's own rate is nics x nic-gbits. Where there is neither uplink-gbits nor pair-gbits, the
 * uplink of a group follows from oversubscription: its nodes' rates together over that. Where a
 * description says neither that nor any rate, as Slurm's do, BINE_ASSUMED_TAPER is taken for it. */
#ifndef BINE_NETWORK_RATES_H
#define BINE_NETWORK_RATES_H

#include <stdint.h>

/* Links inside a group to links out of it where nothing is known but the groups: between 1:1, where
 * bytes between groups cost nothing, and the 8:1 of cheap trees. */
#define BINE_ASSUMED_TAPER 2

struct bine_rates {
    double latency_node, latency_near, latency_far; /* seconds */
    double message;                                 /* seconds */
    double node, uplink, pair, link;                /* bytes a second */
    double copy, reduce;                            /* bytes a second */
    double cache, memory;                           /* bytes a second */
    double cache_bytes;                             /* bytes */
    double hop;                                     /* seconds */
    double eager, headers, nic_burst, uplink_burst; /* bytes */
    double busy;                                    /* share of a rate */
};

/* Whether a key is of the links between groups: each level has its own. */
int bine_rates_of_level(const char *key);
/* The line of a key: 0, -1 if the value is none, 1 if the key is not one of rates. `value` ends
 * with a zero. */
int bine_rates_read(struct bine_rates *r, const char *key, const char *value);
/* A share of a rate, above 0 and up to 1: 0, or -1 if the text is none. */
int bine_rates_read_share(const char *text, double *share);
#define BINE_SHARE_EXPECTED "a number above 0 and up to 1, as in 0.05"
/* The expected value of a key, for people: "a number of microseconds, as in 1.5". */
const char *bine_rates_expected(const char *key);
/* The keys, for complaints: number i, or NULL. */
const char *bine_rates_key(int i);

/* How long a rank copies `bytes` at once: what its caches hold fast, the rest from memory. So
 * nothing jumps where they are full. */
static inline double bine_rates_copy_takes(const struct bine_rates *r, double bytes) {
    double held = bytes < r->cache_bytes ? bytes : r->cache_bytes;
    return held / r->cache + (bytes - held) / r->copy;
}

/* Whether a description says how fast its network is. */
int bine_rates_known(const struct bine_rates *r);
/* Fill in unknown rates: the usual ones of a network of 100 Gbit/s. */
void bine_rates_default(struct bine_rates *r);

#endif
