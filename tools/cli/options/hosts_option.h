/* Hosts on the command line. */
#ifndef BINE_TOOLS_CLI_HOSTS_OPTION_H
#define BINE_TOOLS_CLI_HOSTS_OPTION_H

#include "network/hosts.h"

/* A host file or a host list: the hosts in the order of ranks. 0, or BINE_EXIT_USAGE after
 * complaining. */
int bine_word_hosts(const char *word, struct bine_hosts *h);
/* The same where hosts are Slurm's topology addresses. */
int bine_word_addresses(const char *word, struct bine_hosts *h);

#endif
