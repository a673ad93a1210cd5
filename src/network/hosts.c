#include "network/hosts.h"

#include "base/text.h"

struct appending {
    struct bine_hosts *hosts;
    struct bine_reason *why;
};

static int append(void *self, const char *host, size_t length) {
    struct appending *a = self;
    int before = a->hosts->names.count;
    int number = bine_names_add(&a->hosts->names, host, length);
    if (number < 0)
        return bine_reason_memory(a->why);
    if (number < before)
        return bine_reason_set(a->why, "host '%.*s' is there twice: it is rank %d already",
                               bine_reason_cut(length), host, number);
    return 0;
}

int bine_hosts_add(struct bine_hosts *h, const char *list, size_t length, size_t most,
                   struct bine_reason *why) {
    struct appending a = {h, why};
    return bine_hostlist_expand(list, length, most - (size_t)h->names.count, append, &a, why);
}

int bine_hosts_read(struct bine_hosts *h, const char *text, size_t size, const char *file,
                    size_t most, struct bine_reason *why) {
    struct bine_text t = bine_text_open(text, size);
    struct bine_word line;
    while (bine_text_line(&t, &line))
        if (line.length > 0 && bine_hosts_add(h, line.at, line.length, most, why) != 0)
            return bine_reason_at(why, file, t.line);
    if (h->names.count == 0) {
        bine_reason_set(why, "no hosts in it");
        return bine_reason_at(why, file, 0);
    }
    return 0;
}

void bine_hosts_free(struct bine_hosts *h) {
    bine_names_free(&h->names);
}
