#include "choose/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct bine_setting bine_setting_table[] = {
    {"BINE_BCAST", "",
     "the algorithm of every broadcast, NAME or NAME:LAYOUT; empty: chosen for each call"},
    {"BINE_REDUCE", "", "the same for reduce"},
    {"BINE_ALLREDUCE", "", "the same for allreduce"},
    {"BINE_GATHER", "", "the same for gather"},
    {"BINE_SCATTER", "", "the same for scatter"},
    {"BINE_ALLGATHER", "", "the same for allgather"},
    {"BINE_ALLTOALL", "", "the same for alltoall"},
    {"BINE_REDUCE_SCATTER", "", "the same for reduce_scatter and reduce_scatter_block"},
    {"BINE_BCAST_LAYOUT", "",
     "the layout of every broadcast: blocks, pack, permute or send; empty: the algorithm's own"},
    {"BINE_REDUCE_LAYOUT", "", "the same for reduce"},
    {"BINE_ALLREDUCE_LAYOUT", "", "the same for allreduce"},
    {"BINE_GATHER_LAYOUT", "", "the same for gather"},
    {"BINE_SCATTER_LAYOUT", "", "the same for scatter"},
    {"BINE_ALLGATHER_LAYOUT", "", "the same for allgather"},
    {"BINE_ALLTOALL_LAYOUT", "", "the same for alltoall"},
    {"BINE_REDUCE_SCATTER_LAYOUT", "", "the same for reduce_scatter and reduce_scatter_block"},
    {"BINE_SEGMENT", "256K",
     "bytes (K, M, G) of the parts in which reductions send large messages, so that adding up "
     "overlaps with receiving"},
};
const size_t bine_setting_count = sizeof bine_setting_table / sizeof *bine_setting_table;

enum { FIRST_LAYOUT = BINE_COLLECTIVES, SEGMENT = 2 * BINE_COLLECTIVES };

static const char *value_of(size_t k) {
    const char *v = getenv(bine_setting_table[k].name);
    return v != NULL ? v : bine_setting_table[k].value;
}

int bine_forced_parse(enum bine_collective c, const char *text, struct bine_forced *f, char *why,
                      size_t size) {
    char name[64];
    size_t n = strcspn(text, ":");
    f->algorithm = f->layout = -1;
    if (n >= sizeof name) {
        snprintf(why, size, "%.40s...: not an algorithm of %s", text, bine_collective_name(c));
        return -1;
    }
    memcpy(name, text, n);
    name[n] = '\0';
    const struct bine_algorithm *a = bine_algorithm_find(c, name);
    if (a == NULL) {
        const char *near = bine_algorithm_suggest(c, name);
        snprintf(why, size, "%s: not an algorithm of %s%s%s", name, bine_collective_name(c),
                 near ? "; did you mean " : "", near ? near : "");
        return -1;
    }
    f->algorithm = (int32_t)(a - bine_catalogue);
    if (text[n] == ':' && (f->layout = bine_layout_find(text + n + 1)) < 0) {
        snprintf(why, size, "%s: not a layout; expected blocks, pack, permute or send",
                 text + n + 1);
        return -1;
    }
    return 0;
}

static int parse_size(const char *text, int64_t *bytes) {
    char *end;
    long long n = strtoll(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    end += shift > 0;
    if (end == text || *end != '\0' || n < 1 || n > (long long)(INT64_MAX >> 31))
        return -1;
    *bytes = (int64_t)n << shift;
    return 0;
}

static int read_layout(struct bine_settings *s, int c) {
    const char *text = value_of((size_t)(FIRST_LAYOUT + c));
    if (*text == '\0')
        return 0;
    s->forced[c].layout = bine_layout_find(text);
    if (s->forced[c].layout >= 0)
        return 0;
    s->forced[c].layout = -2;
    return -1;
}

void bine_settings_read(struct bine_settings *s, char *why, size_t size) {
    char reason[160];
    memset(s, 0, sizeof *s);
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        const char *text = value_of((size_t)c);
        s->forced[c] = (struct bine_forced){-1, -1};
        if (*text != '\0' && bine_forced_parse((enum bine_collective)c, text, &s->forced[c], reason,
                                               sizeof reason) != 0) {
            snprintf(why, size, "%s=%s", bine_setting_table[c].name, reason);
            s->forced[c] = (struct bine_forced){-2, -1};
            s->bad = c + 1;
        }
        if (read_layout(s, c) != 0) {
            snprintf(why, size, "%s: expected blocks, pack, permute or send",
                     bine_setting_table[FIRST_LAYOUT + c].name);
            s->bad = FIRST_LAYOUT + c + 1;
        }
    }
    if (parse_size(value_of(SEGMENT), &s->segment) != 0) {
        snprintf(why, size, "%s=%s: expected a size such as 256K", bine_setting_table[SEGMENT].name,
                 value_of(SEGMENT));
        s->bad = SEGMENT + 1;
        parse_size(bine_setting_table[SEGMENT].value, &s->segment);
    }
}
