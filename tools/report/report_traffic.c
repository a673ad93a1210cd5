/* Where the ranks were, and the traffic that follows from it. */
#include "report/report.h"

#include "cli/command.h"
#include "cli/options/machines.h"
#include "cli/options/place.h"
#include "traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

/* `file` is whose ranks they are, -1 for those of all. */
static int keep(struct bine_report *r, struct bine_allocation *a, int file) {
    struct bine_report_ranks *more = realloc(r->ranks, (r->runs + 1) * sizeof *more);
    if (more == NULL) {
        bine_allocation_free(a);
        return bine_complain("out of memory");
    }
    r->ranks = more;
    r->ranks[r->runs++] =
        (struct bine_report_ranks){.allocation = *a,
                                   .root = r->files > 0 ? r->file[file < 0 ? 0 : file].root : 0,
                                   .file = file};
    return 0;
}

/* "a*4,b" with the place of each host: the group of each rank, a line each. */
static char *spread(const char *list, const struct bine_hosts *hosts,
                    const struct bine_allocation *of_hosts, size_t *size) {
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    for (const char *at = list; f != NULL && *at != '\0';
         at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, "*,");
        int host = bine_names_find(&hosts->names, at, length);
        int n = at[length] == '*' ? atoi(at + length + 1) : 1;
        for (int i = 0; i < n && host >= 0; i++)
            fprintf(f, "%s\n", bine_names_text(&of_hosts->names, of_hosts->group[host]));
    }
    if (f != NULL)
        fclose(f);
    return text;
}

/* The hosts of a list, each once. */
static int unique_hosts(const char *list, struct bine_hosts *hosts, struct bine_reason *why) {
    for (const char *at = list; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, "*,");
        if (bine_names_find(&hosts->names, at, length) < 0 &&
            bine_hosts_add(hosts, at, length, BINE_HOSTS_MOST, why) != 0)
            return -1;
    }
    return 0;
}

/* The hosts that a file names, on a machine. */
static int place_hosts(const struct bine_report_file *f, const char *machine,
                       struct bine_allocation *of_ranks) {
    struct bine_machine *m = bine_machine_load(machine, 0);
    const char *list = f->fact[BINE_FACT_HOSTS];
    struct bine_hosts hosts = {0};
    struct bine_allocation of_hosts = {0};
    struct bine_reason why;
    size_t size = 0;
    char *text = NULL;
    int rc = m == NULL ? BINE_EXIT_USAGE : 0;
    if (rc == 0 && (unique_hosts(list, &hosts, &why) != 0 ||
                    bine_allocation_place(&of_hosts, m, &hosts, BINE_REORDER_OFF, &why) != 0))
        rc = bine_complain("%s: hosts: %s", f->path, why.text);
    if (rc == 0) {
        text = spread(list, &hosts, &of_hosts, &size);
        if (text == NULL || bine_allocation_read(of_ranks, text, size, f->path, &why) != 0)
            rc = bine_complain("%s", text == NULL ? "out of memory" : why.text);
    }
    free(text);
    bine_allocation_free(&of_hosts);
    bine_hosts_free(&hosts);
    bine_machine_free(m);
    return rc;
}

/* A cell of other than p ranks, of a file or (-1) of all; NULL if all have p. */
static const struct bine_cell *other_ranks(const struct bine_report *r, int file, int p) {
    for (size_t i = 0; i < r->cells; i++)
        if ((file < 0 || r->cell[i].file == file) && r->cell[i].ranks != p)
            return &r->cell[i];
    return NULL;
}

static int has_ranks(const struct bine_report *r, int p) {
    for (size_t i = 0; i < r->cells; i++)
        if (r->cell[i].ranks == p)
            return 1;
    return 0;
}

/* What a file itself says of its ranks: hosts, on a machine that is given, or groups. */
static int place_file(struct bine_report *r, int file, const char *machine) {
    const struct bine_report_file *f = &r->file[file];
    struct bine_allocation a;
    struct bine_reason why;
    int by_hosts = machine != NULL && f->fact[BINE_FACT_HOSTS] != NULL;
    if (!by_hosts && f->fact[BINE_FACT_GROUPS] == NULL)
        return 0;
    if (by_hosts && place_hosts(f, machine, &a) != 0)
        return BINE_EXIT_USAGE;
    if (!by_hosts && bine_allocation_sizes(&a, f->fact[BINE_FACT_GROUPS], &why) != 0)
        return bine_complain("%s: groups: %s", f->path, why.text);
    const struct bine_cell *wrong = other_ranks(r, file, a.p);
    if (wrong == NULL)
        return keep(r, &a, file);
    int rc =
        bine_complain("%s: %s '%.60s': %d ranks in all, but the file has times of %d", f->path,
                      by_hosts ? "hosts" : "groups",
                      f->fact[by_hosts ? BINE_FACT_HOSTS : BINE_FACT_GROUPS], a.p, wrong->ranks);
    bine_allocation_free(&a);
    return rc;
}

/* Place the ranks of all files as the options say. */
static int place_all(struct bine_report *r, const struct bine_report_options *w) {
    struct bine_place_words place = {.machine = w->machine, .hosts = w->hosts, .groups = w->groups};
    struct bine_allocation a;
    if (bine_place_job(&place, &a, NULL) != 0)
        return BINE_EXIT_USAGE;
    const struct bine_cell *other = other_ranks(r, -1, a.p);
    if (!has_ranks(r, a.p)) {
        int rc = bine_complain("--%s '%.60s': %d rank%s in all, but the files have times of %d",
                               w->groups != NULL ? "groups" : "hosts",
                               w->groups != NULL ? w->groups : w->hosts, a.p, bine_plural(a.p),
                               other->ranks);
        bine_allocation_free(&a);
        return rc;
    }
    if (other != NULL)
        fprintf(stderr,
                "note: the traffic between groups is counted for %d rank%s only: where the other "
                "ranks were is not said\n",
                a.p, bine_plural(a.p));
    return keep(r, &a, -1);
}

static int find_ranks(struct bine_report *r, const struct bine_report_options *w) {
    int rc = 0;
    if (w->groups != NULL || (w->machine != NULL && w->hosts != NULL))
        return place_all(r, w);
    for (size_t i = 0; i < r->files && rc == 0; i++)
        rc = place_file(r, (int)i, w->machine);
    return rc;
}

/* Bytes between groups; -1 if the algorithm is not one of ours. */
static int64_t count(const struct bine_report *r, const struct bine_cell *c,
                     const struct bine_measure *m, const struct bine_report_ranks *p) {
    enum bine_collective kind = bine_report_collectives[c->collective].kind;
    const char *name = bine_measure_name(r, m), *colon = strchr(name, ':');
    struct bine_traffic_options options = {0};
    struct bine_traffic t;
    char bare[96], why[200];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, ":"), name);
    struct bine_spec spec = {.algorithm = bine_algorithm_find(kind, bare), .p = c->ranks};
    enum bine_needs needs =
        spec.algorithm == NULL ? BINE_NEEDS_NOT_SAID : bine_algorithm_needs(spec.algorithm);
    if ((needs != BINE_NEEDS_NOTHING && needs != BINE_NEEDS_GROUPS) ||
        !bine_algorithm_takes(spec.algorithm, c->ranks))
        return -1;
    spec.segments = bine_segments_for(spec.algorithm, c->ranks, c->bytes);
    spec.layout = bine_algorithm_layout(spec.algorithm, c->ranks);
    if (colon != NULL && bine_layout_find(colon + 1) >= 0)
        spec.layout = (enum bine_layout)bine_layout_find(colon + 1);
    spec.root = bine_collective_is_rooted(kind) && p->root < c->ranks ? p->root : 0;
    struct bine_groups *groups =
        needs == BINE_NEEDS_GROUPS ? bine_allocation_levels(&p->allocation) : NULL;
    spec.groups = groups;
    int64_t global = -1;
    if (bine_spec_error(&spec, why, sizeof why) == NULL &&
        bine_traffic_count(&t, &spec, c->bytes, &p->allocation, &options) == BINE_FLOWS_GOOD) {
        global = t.global;
        bine_traffic_free(&t);
    }
    bine_groups_free(groups);
    return global;
}

/* What Bine's algorithm saves over the other's. */
static void count_cell(const struct bine_report *r, struct bine_cell *c,
                       enum bine_report_side side) {
    struct bine_duel d;
    const struct bine_report_ranks *p = NULL;
    for (size_t i = 0; i < r->runs && p == NULL; i++)
        if (r->ranks[i].allocation.p == c->ranks &&
            (r->ranks[i].file < 0 || r->ranks[i].file == c->file))
            p = &r->ranks[i];
    if (p == NULL || !bine_cell_duel(r, c, side, &d))
        return;
    int64_t mine = count(r, c, d.bine, p), theirs = mine < 0 ? -1 : count(r, c, d.other, p);
    if (theirs <= 0)
        return;
    c->saving[side] = 100.0 * (1 - (double)mine / (double)theirs);
    c->counted[side] = 1;
}

int bine_report_count_traffic(struct bine_report *r, const struct bine_report_options *w) {
    int rc = find_ranks(r, w);
    for (size_t i = 0; i < r->cells && rc == 0 && r->runs > 0; i++) {
        count_cell(r, &r->cell[i], BINE_SIDE_BASELINE);
        count_cell(r, &r->cell[i], BINE_SIDE_OTHERS);
    }
    return rc;
}
