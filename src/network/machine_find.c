/* From a host's name to its group. */
#include "network/machine.h"

#include "network/address.h"

#include <ctype.h>
#include <string.h>

/* Match a host against as<group>r<rack>: text matches itself, <anything> matches digits. */
static int match_pattern(const char *pattern, const char *host, struct bine_group_name *group) {
    while (*pattern != '\0') {
        if (*pattern != '<') {
            if (*pattern++ != *host++)
                return -1;
            continue;
        }
        size_t digits = 0;
        while (isdigit((unsigned char)host[digits]))
            digits++;
        if (digits == 0)
            return -1;
        if (strncmp(pattern, "<group>", 7) == 0)
            *group = (struct bine_group_name){host, digits};
        host += digits;
        pattern += strcspn(pattern, ">") + 1;
    }
    return *host == '\0' ? 0 : -1;
}

static int find_listed(const struct bine_machine *m, const char *host, size_t length,
                       struct bine_group_name *group, int *node) {
    int number = bine_names_find(&m->hosts, host, length);
    if (number < 0)
        return -1;
    const char *name = m->group == NULL ? bine_names_text(&m->hosts, number)
                                        : bine_names_text(&m->groups, m->group[number]);
    *group = (struct bine_group_name){name, strlen(name)};
    *node = m->shape.dims > 0 ? number : -1;
    return 0;
}

int bine_machine_find(const struct bine_machine *m, const char *host, struct bine_group_name *group,
                      int *node) {
    *node = -1;
    if (m->topology == BINE_ADDRESSES)
        return bine_address_group(host, m->pattern, m->level, group);
    size_t length = strlen(host), bare = strcspn(host, ".");
    if (find_listed(m, host, length, group, node) == 0 ||
        find_listed(m, host, bare, group, node) == 0) /* node1.domain is node1 */
        return 0;
    return m->pattern == NULL ? -1 : match_pattern(m->pattern, host, group);
}

int bine_machine_find_wider(const struct bine_machine *m, const char *host, int up,
                            struct bine_group_name *group) {
    if (up > m->wider)
        return -1;
    if (m->topology == BINE_ADDRESSES)
        return bine_address_group(host, m->pattern, m->level + up, group);
    int number = bine_names_find(&m->hosts, host, strlen(host));
    if (number < 0)
        number = bine_names_find(&m->hosts, host, strcspn(host, "."));
    if (number < 0 || m->group == NULL)
        return -1;
    number = m->group[number];
    for (int k = 0; k < up; k++)
        number = m->above[k].of[number];
    const char *name = bine_names_text(&m->above[up - 1].groups, number);
    *group = (struct bine_group_name){name, strlen(name)};
    return 0;
}
