/* The reports that the library wrote in counted runs (BINE_VERBOSE_FILE), added up. */
#include "try/try.h"

#include "base/grow.h"
#include "cli/command.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const cJSON *object, const char *name) {
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(x) ? x->valuedouble : 0;
}

static const char *word(const cJSON *object, const char *name) {
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(x) ? x->valuestring : "";
}

static struct bine_try_call *find(struct bine_try_calls *c, const struct bine_try_call *x) {
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].ranks == x->ranks && c->call[i].from == x->from &&
            strcmp(c->call[i].collective, x->collective) == 0)
            return &c->call[i];
    if (bine_grow(&c->call, &c->room, c->used + 1, sizeof *c->call) != 0)
        return NULL;
    c->call[c->used] = *x;
    return &c->call[c->used++];
}

static int add_row(struct bine_try_calls *c, const cJSON *row, enum bine_try_side side) {
    struct bine_try_call x = {.ranks = (int)number(row, "ranks"),
                              .from = (int64_t)number(row, "bytes_from"),
                              .below = (int64_t)number(row, "bytes_below")};
    snprintf(x.collective, sizeof x.collective, "%s", word(row, "collective"));
    struct bine_try_call *call = find(c, &x);
    if (call == NULL)
        return -1;
    double calls = number(row, "calls"), seconds = number(row, "mean_seconds");
    call->calls[side] += calls;
    call->seconds[side] += seconds;
    if (side == BINE_TRY_WITH && calls > call->most) {
        call->most = calls;
        snprintf(call->algorithm, sizeof call->algorithm, "%s", word(row, "algorithm"));
    }
    c->inside[side] += seconds;
    return 0;
}

static int add_report(struct bine_try_calls *c, const cJSON *report, enum bine_try_side side) {
    const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(report, "calls");
    if (strcmp(word(report, "format"), "bine-verbose") != 0)
        return 0;
    c->reports[side]++;
    c->ranks = (int)number(report, "ranks");
    c->nodes = (int)number(report, "nodes");
    c->groups = (int)number(report, "groups");
    snprintf(c->mpi, sizeof c->mpi, "%s", word(report, "mpi"));
    c->run[side] += number(report, "run_seconds");
    cJSON_ArrayForEach(row, rows) {
        if (add_row(c, row, side) != 0)
            return bine_complain("out of memory");
    }
    return 0;
}

/* The difference in seconds is what a row is worth. */
static double worth(const struct bine_try_call *c) {
    return fabs(c->seconds[BINE_TRY_WITHOUT] - c->seconds[BINE_TRY_WITH]);
}

static int by_worth(const void *a, const void *b) {
    double x = worth(a), y = worth(b);
    return (x < y) - (x > y);
}

/* Sums become means over the reports of a side. */
static void divide(struct bine_try_calls *c) {
    for (int side = 0; side < BINE_TRY_SIDES; side++) {
        double n = c->reports[side] > 0 ? c->reports[side] : 1;
        c->run[side] /= n;
        c->inside[side] /= n;
        for (size_t i = 0; i < c->used; i++) {
            c->call[i].calls[side] /= n;
            c->call[i].seconds[side] /= n;
        }
    }
    if (c->used > 0)
        qsort(c->call, c->used, sizeof *c->call, by_worth);
}

int bine_try_calls(const struct bine_try *t, struct bine_try_calls *c) {
    char path[BINE_PATH_ROOM + 64];
    int rc = 0;
    *c = (struct bine_try_calls){0};
    for (size_t i = 0; i < t->runs && rc == 0; i++) {
        size_t size;
        if (!t->run[i].counted || t->run[i].status != 0)
            continue;
        c->counted[t->run[i].side]++;
        bine_try_path(t, i, BINE_TRY_REPORT, 0, path);
        char *text = bine_file_text(path, &size);
        cJSON *report = text != NULL ? cJSON_Parse(text) : NULL;
        if (report != NULL)
            rc = add_report(c, report, t->run[i].side);
        cJSON_Delete(report);
        free(text);
    }
    divide(c);
    return rc;
}

void bine_try_calls_free(struct bine_try_calls *c) {
    free(c->call);
    c->call = NULL;
    c->used = c->room = 0;
}
