/* A description that is read must be whole: every host is found, in one of its groups. */
#ifndef BINE_TESTS_FUZZ_MACHINE_H
#define BINE_TESTS_FUZZ_MACHINE_H

#include "network/machine.h"

#include <stdlib.h>
#include <string.h>

enum { BINE_FUZZ_HOSTS = 60 };

static inline void bine_fuzz_machine(const uint8_t *data, size_t size, const char *file) {
    struct bine_machine_options options = {(int)(size % 4), BINE_FUZZ_HOSTS};
    struct bine_reason why = {""};
    struct bine_machine *m = bine_machine_read((const char *)data, size, file, &options, &why);
    if (m == NULL) {
        if (strncmp(why.text, file, strlen(file)) != 0)
            abort(); /* a failure that does not name the file */
        return;
    }
    for (int i = 0; i < m->hosts.count; i++) {
        struct bine_group_name group;
        int node;
        if (bine_machine_find(m, bine_names_text(&m->hosts, i), &group, &node) != 0 ||
            group.length == 0 || (m->shape.dims > 0 && node != i))
            abort();
        for (int up = 1; up <= m->wider; up++)
            if (bine_machine_find_wider(m, bine_names_text(&m->hosts, i), up, &group) != 0 ||
                group.length == 0)
                abort();
    }
    if (bine_machine_groups(m) < (m->pattern == NULL && m->shape.dims == 0))
        abort();
    bine_machine_free(m);
}

#endif
