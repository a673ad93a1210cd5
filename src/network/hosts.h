/* The hosts of a job, in the order of ranks. */
#ifndef BINE_NETWORK_HOSTS_H
#define BINE_NETWORK_HOSTS_H

#include "network/hostlist.h"

/* A host may have several ranks. All zero is an empty job. */
struct bine_hosts {
    struct bine_names names; /* of the hosts, each once */
    int32_t *host;           /* of each rank: a number of that table */
    int p;
    size_t room;
};

/* Append a rank for each host of a list, or several: n[1-4]*2 is two each, one after the other.
 * Hosts may be repeated. At most `most` ranks in all. 0, or -1: malformed, or too long. */
int bine_hosts_add(struct bine_hosts *h, const char *list, size_t length, size_t most,
                   struct bine_reason *why);
/* A host file: in each line a list as above, or a host and slots=K; blank lines and comments (#)
 * are skipped. Where the lines are labelled with ranks, as "srun -l" does (7: host), their order
 * does not matter. On failure *why names the file and the line. A job without hosts is a failure
 * too. */
int bine_hosts_read(struct bine_hosts *h, const char *text, size_t size, const char *file,
                    size_t most, struct bine_reason *why);
/* K ranks on each host, where there is one on each: 0, or -1. */
int bine_hosts_fill(struct bine_hosts *h, int ranks_per_host, size_t most, struct bine_reason *why);
void bine_hosts_free(struct bine_hosts *h);

/* One rank more, on a host of the table. 0, or -1 when out of memory. */
int bine_hosts_append(struct bine_hosts *h, int host);

static inline const char *bine_hosts_text(const struct bine_hosts *h, int rank) {
    return bine_names_text(&h->names, h->host[rank]);
}

#endif
