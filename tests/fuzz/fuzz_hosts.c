/* Job files, placed on a machine and counted: every rank must end up in a group. */
#include "traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct bine_machine *machine(void) {
    static const char text[] = "name m\ntopology dragonfly\nsplit g 4 n[01-32]\n"
                               "pattern as<group>r<rack>\n";
    static struct bine_machine *m;
    struct bine_machine_options options = {1, 0};
    struct bine_reason why;
    if (m == NULL)
        m = bine_machine_read(text, sizeof text - 1, "m", &options, &why);
    return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bine_hosts h = {0};
    struct bine_allocation a;
    struct bine_reason why = {""};
    enum bine_reorder reorder = (enum bine_reorder)(size % 3);
    int rc = bine_hosts_read(&h, (const char *)data, size, "job", MOST, &why);
    if (rc == 0 && (h.p == 0 || h.p < h.names.count || h.p > MOST))
        abort();
    if (rc == 0 && bine_allocation_place(&a, machine(), &h, reorder, &why) == 0) {
        for (int r = 0; r < a.p; r++)
            if (a.group[r] < 0 || a.group[r] >= bine_allocation_groups(&a))
                abort();
        int most;
        if (a.p != h.p || bine_traffic_bound(BINE_ALLTOALL, 1000, 0, &a) < 0 ||
            bine_allocation_nodes(&a, &most) != h.names.count)
            abort();
        bine_allocation_free(&a);
    } else if (why.text[0] == '\0') {
        abort();
    }
    bine_hosts_free(&h);
    return 0;
}
