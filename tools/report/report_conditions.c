/* Which rows are of one cell: what tells measurements apart that are equal in all columns. */
#include "report/report.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

static const char *const fact_names[BINE_FACTS] = {
    [BINE_FACT_COLUMNS] = "", /* they name themselves */
    [BINE_FACT_HOSTS] = "hosts ", [BINE_FACT_GROUPS] = "groups ", [BINE_FACT_DIMS] = "dims ",
    [BINE_FACT_PORTS] = "ports ", [BINE_FACT_CALL] = "",          [BINE_FACT_FILE] = "",
};

#define ORDER(FIELD)                                                                               \
    if (x->FIELD != y->FIELD)                                                                      \
    return x->FIELD < y->FIELD ? -1 : 1

int bine_sample_compare_cells(const struct bine_sample *x, const struct bine_sample *y) {
    ORDER(system);
    ORDER(collective);
    ORDER(ranks);
    ORDER(nodes);
    ORDER(conditions);
    ORDER(bytes);
    return 0;
}

int bine_sample_compare(const void *a, const void *b) {
    const struct bine_sample *x = a, *y = b;
    int order = bine_sample_compare_cells(x, y);
    if (order != 0)
        return order;
    ORDER(algorithm);
    ORDER(file);
    ORDER(line);
    return 0;
}

static int is_same(const struct bine_sample *x, const struct bine_sample *y) {
    return bine_sample_compare_cells(x, y) == 0 && x->algorithm == y->algorithm;
}

static const char *fact_of(const struct bine_report *r, const struct bine_sample *s,
                           enum bine_fact fact) {
    const char *text = fact == BINE_FACT_COLUMNS ? bine_names_text(&r->columns, s->columns)
                       : fact == BINE_FACT_FILE  ? r->file[s->file].path
                                                 : r->file[s->file].fact[fact];
    return text == NULL ? "" : text;
}

/* "dims 2x2, ports 2": the facts that count. */
static int set_conditions(struct bine_report *r) {
    for (size_t i = 0; i < r->samples; i++) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        if (f == NULL)
            return bine_complain("out of memory");
        for (int k = 0; k < BINE_FACTS; k++) {
            const char *fact = fact_of(r, &r->sample[i], (enum bine_fact)k);
            if (r->told_apart[k] && fact[0] != '\0')
                fprintf(f, "%s%s%s", ftell(f) > 0 ? ", " : "", fact_names[k], fact);
        }
        fclose(f);
        r->sample[i].conditions = bine_names_add(&r->conditions, text, size);
        free(text);
        if (r->sample[i].conditions < 0)
            return bine_complain("out of memory");
    }
    qsort(r->sample, r->samples, sizeof *r->sample, bine_sample_compare);
    return 0;
}

/* Mark every fact in which two samples of one algorithm in one cell differ. */
static void compare_facts(struct bine_report *r) {
    for (size_t i = 1; i < r->samples; i++) {
        const struct bine_sample *x = &r->sample[i - 1], *y = &r->sample[i];
        for (int k = 0; k < BINE_FACT_FILE && is_same(x, y); k++)
            r->told_apart[k] |=
                strcmp(fact_of(r, x, (enum bine_fact)k), fact_of(r, y, (enum bine_fact)k)) != 0;
    }
}

/* Samples of one thing can be added to each other; medians cannot. Nor can samples from files that
 * do not say how they were made. */
static int can_be_pooled(const struct bine_report *r, const struct bine_sample *x,
                         const struct bine_sample *y) {
    if (x->wrong || y->wrong)
        return 1;
    int plain = x->low <= 0 && y->low <= 0;
    return plain && (x->file == y->file || (r->file[x->file].own && r->file[y->file].own));
}

/* Complain of two medians of one measurement: neither may be dropped silently. */
static int complain_twice(const struct bine_report *r, const struct bine_sample *x,
                          const struct bine_sample *y) {
    return bine_complain("%s:%d: %s %s, %d rank%s, %lld bytes: line %d has it, too; expected one "
                         "median, or a column 'setup' that tells them apart",
                         r->file[y->file].path, y->line,
                         bine_report_collectives[y->collective].name,
                         bine_names_text(&r->algorithms, y->algorithm), y->ranks,
                         bine_plural(y->ranks), (long long)y->bytes, x->line);
}

/* Two rows differ only in a column that the report does not know. */
static int complain_remark(const struct bine_report *r, const struct bine_sample *x,
                           const struct bine_sample *y) {
    return bine_complain("%s:%d: %.80s, but line %d: %.80s, and all else is equal: call the column "
                         "'setup' if that makes two measurements of them, or leave it out",
                         r->file[y->file].path, y->line, bine_names_text(&r->remarks, y->remarks),
                         x->line, bine_names_text(&r->remarks, x->remarks));
}

/* Measurements that cannot be pooled are told apart by their files, if these differ. */
static int compare_files(struct bine_report *r) {
    for (size_t i = 1; i < r->samples; i++) {
        const struct bine_sample *x = &r->sample[i - 1], *y = &r->sample[i];
        if (!is_same(x, y))
            continue;
        if (x->file == y->file && x->remarks != y->remarks && !x->wrong && !y->wrong)
            return complain_remark(r, x, y);
        if (can_be_pooled(r, x, y))
            continue;
        if (strcmp(r->file[x->file].path, r->file[y->file].path) == 0)
            return complain_twice(r, x, y);
        r->told_apart[BINE_FACT_FILE] = 1;
    }
    return 0;
}

int bine_report_tell_apart(struct bine_report *r) {
    int rc = set_conditions(r);
    if (rc != 0)
        return rc;
    compare_facts(r);
    bine_names_free(&r->conditions);
    rc = set_conditions(r);
    rc = rc != 0 ? rc : compare_files(r);
    if (rc == 0 && r->told_apart[BINE_FACT_FILE]) {
        bine_names_free(&r->conditions);
        rc = set_conditions(r);
        rc = rc != 0 ? rc : compare_files(r);
    }
    return rc;
}
