/* The file of rules, as docs/choosing.md describes it. */
#include "tune/tune.h"

#include "base/grow.h"
#include "cli/command.h"
#include "cli/output/output_file.h"
#include "select/rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *at;
    size_t used, room;
    int failed;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *format, ...) {
    char line[600];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (bine_grow(&t->at, &t->room, t->used + (size_t)n + 1, 1) != 0) {
        t->failed = 1;
        return;
    }
    memcpy(t->at + t->used, line, (size_t)n + 1);
    t->used += (size_t)n;
}

static void put_rule(struct text *t, const struct bine_tune *x, const struct bine_tune_rule *r) {
    const struct bine_report_collective *c = &bine_report_collectives[r->collective];
    put(t, "  {\"collective\": \"%s\", \"nonblocking\": %s, ", bine_collective_name(c->kind),
        c->nonblocking ? "true" : "false");
    if (r->library != BINE_LIBRARY_ANY)
        put(t, "\"library\": \"%s\", ", bine_library_name(r->library));
    if (r->nodes > 0)
        put(t, "\"nodes\": \"%d\", ", r->nodes);
    put(t, r->ranks == r->ranks_high ? "\"ranks\": \"%d\", " : "\"ranks\": \"%d-%d\", ", r->ranks,
        r->ranks_high);
    put(t, "\"bytes\": {\"from\": %" PRId64 ", \"below\": %" PRId64 "}, ", r->from, r->below);
    if (r->algorithm < 0)
        put(t,
            "\"algorithm\": \"mpi\", \"why\": \"measured: nothing faster beyond the noise at %d "
            "size%s\"}",
            r->points, bine_plural(r->points));
    else
        put(t,
            "\"algorithm\": \"%s\", \"why\": \"measured: %.2f times as fast as mpi at %d "
            "size%s, at least %.2f\"}",
            bine_names_text(&x->report->algorithms, r->algorithm), r->gain, r->points,
            bine_plural(r->points), r->least);
}

int bine_tune_write(const struct bine_tune *t, const char *path) {
    struct text text = {0};
    put(&text, "{\"bine\": 1,\n \"rules\": [\n");
    for (size_t i = 0; i < t->rules; i++) {
        put_rule(&text, t, &t->rule[i]);
        put(&text, i + 1 < t->rules ? ",\n" : "\n");
    }
    put(&text, " ]}\n");
    int rc = text.failed ? bine_complain("out of memory") : 0;
    int error = rc == 0 ? bine_output_file_write(path, text.at, text.used) : 0;
    free(text.at);
    return error != 0 ? bine_complain("%s: %s", path, strerror(error)) : rc;
}
