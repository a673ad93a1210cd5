/* Rates: how fast the links and the hosts of a machine are. Traffic does not ask for them; the
 * model, the lab and simulations do. Lines of a machine file, each optional:
 *
 *     latency-node-us 0.5     of a message inside a node, in microseconds
 *     latency-us 1.5          of a message between nodes of one group
 *     latency-global-us 3     of a message between groups
 *     message-us 0.3          what a message costs the processor at each end
 *     uplink-gbits 1600       out of each group, and as much into it
 *     pair-gbits 800          from each group to each other one (Dragonfly)
 *     link-gbits 54.4         of a torus: each link, each direction
 *     copy-gbytes 10          one rank copies so many GB/s
 *     reduce-gbytes 6         one rank adds up so many GB/s
 *     eager 8192              messages of up to so many bytes do not wait for their receive
 *     message-bytes 90        what links carry for a message beside its own bytes: headers
 *     nic-burst 18100         a node's link lets so many bytes through at once after a pause, as a
 *                             token bucket does
 *     uplink-burst 36100      and a link between groups
 *
 * A node's own rate is nics x nic-gbits. Where there is neither uplink-gbits nor pair-gbits, the
 * uplink of a group follows from oversubscription: its nodes' rates together over that. */
#ifndef BINE_NETWORK_RATES_H
#define BINE_NETWORK_RATES_H

#include <stdint.h>

struct bine_rates {
    double latency_node, latency_near, latency_far; /* seconds */
    double message;                                 /* seconds */
    double node, uplink, pair, link;                /* bytes a second */
    double copy, reduce;                            /* bytes a second */
    double eager, headers, nic_burst, uplink_burst; /* bytes */
};

/* The line of a key: 0, -1 if the value is none, 1 if the key is not one of rates. `value` ends
 * with a zero. */
int bine_rates_read(struct bine_rates *r, const char *key, const char *value);
/* What people see of a key whose value is wrong: "a number of microseconds, as in 1.5". */
const char *bine_rates_expected(const char *key);
/* The keys, for complaints: number i, or NULL. */
const char *bine_rates_key(int i);

/* Whether a description says how fast its network is. */
int bine_rates_known(const struct bine_rates *r);
/* Fill in what is not known: what is usual for a network of 100 Gbit/s. */
void bine_rates_default(struct bine_rates *r);

#endif
