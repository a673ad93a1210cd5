/* The name of a group inside a longer text: in an address, or in a host's name. */
#ifndef BINE_NETWORK_GROUP_NAME_H
#define BINE_NETWORK_GROUP_NAME_H

#include <stddef.h>

struct bine_group_name {
    const char *at;
    size_t length;
};

#endif
