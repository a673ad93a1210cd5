/* The hosts of a job, in the order of ranks. */
#ifndef BINE_NETWORK_HOSTS_H
#define BINE_NETWORK_HOSTS_H

#include "network/hostlist.h"

/* One host a rank: the numbers of the table are the ranks. All zero is an empty job. */
struct bine_hosts {
    struct bine_names names;
};

/* Append the hosts of a list. 0, or -1: malformed, too long, or a host that is there already. */
int bine_hosts_add(struct bine_hosts *h, const char *list, size_t length, size_t most,
                   struct bine_reason *why);
/* A host file: one host a line, or one list a line; blank lines and comments (#) are skipped. On
 * failure *why names the file and the line. A job without hosts is a failure too. */
int bine_hosts_read(struct bine_hosts *h, const char *text, size_t size, const char *file,
                    size_t most, struct bine_reason *why);
void bine_hosts_free(struct bine_hosts *h);

#endif
