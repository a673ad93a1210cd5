/* The name of a group inside a longer text: in an address, or in a host's name. */
#ifndef BINE_NETWORK_GROUP_NAME_H
#define BINE_NETWORK_GROUP_NAME_H

#include <stddef.h>

/* Levels of larger groups above the groups, at most. */
enum { BINE_WIDER_MOST = 4 };

struct bine_group_name {
    const char *at;
    size_t length;
};

#endif
