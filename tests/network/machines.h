/* Machine descriptions of a test: read from text, asked for groups, expected to be refused. */
#ifndef BINE_TESTS_NETWORK_MACHINES_H
#define BINE_TESTS_NETWORK_MACHINES_H

#include "../unit/unit.h"

#include "network/machine.h"

#include <stdio.h>
#include <string.h>

static inline struct bine_machine *read_text(const char *file, int level, const char *text) {
    struct bine_machine_options options = {level, 0};
    struct bine_reason why;
    struct bine_machine *m = bine_machine_read(text, strlen(text), file, &options, &why);
    if (m == NULL)
        fail_msg("%s", why.text);
    return m;
}

/* The group of a host, or "-". */
static inline const char *group_of(const struct bine_machine *m, const char *host) {
    static char text[64];
    struct bine_group_name g;
    int node;
    if (bine_machine_find(m, host, &g, &node) != 0)
        return "-";
    snprintf(text, sizeof text, "%.*s", (int)g.length, g.at);
    return text;
}

static inline void expect_fault(const char *file, const char *text, const char *expected) {
    struct bine_machine_options options = {2, 0};
    struct bine_reason why;
    struct bine_machine *m = bine_machine_read(text, strlen(text), file, &options, &why);
    assert_null(m);
    assert_string_equal(why.text, expected);
}

/* The larger group around that of a host, or "-". */
static inline const char *wider_of(const struct bine_machine *m, const char *host, int up) {
    static char text[64];
    struct bine_group_name g;
    if (bine_machine_find_wider(m, host, up, &g) != 0)
        return "-";
    snprintf(text, sizeof text, "%.*s", (int)g.length, g.at);
    return text;
}

#endif
