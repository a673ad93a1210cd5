/* Host lists: whatever is expanded must fold to a list that expands to the same hosts. */
#include "network/hosts.h"

#include <stdlib.h>
#include <string.h>

/* Few enough for many executions a second, enough for several brackets. */
enum { MOST = 60 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *fold(const struct bine_hosts *h) {
    int32_t all[MOST];
    for (int i = 0; i < h->names.count; i++)
        all[i] = i;
    return bine_hostlist_fold(&h->names, all, (size_t)h->names.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bine_hosts h = {0}, again = {0};
    struct bine_reason why = {""};
    if (bine_hosts_add(&h, (const char *)data, size, MOST, &why) == 0) {
        char *list = fold(&h);
        if (bine_hosts_add(&again, list, strlen(list), MOST, &why) != 0 ||
            again.names.used != h.names.used ||
            memcmp(again.names.text, h.names.text, h.names.used) != 0)
            abort();
        free(list);
    } else if (why.text[0] == '\0') {
        abort(); /* a failure without a reason */
    }
    bine_hosts_free(&h);
    bine_hosts_free(&again);
    return 0;
}
