/* Where the ranks were, and what that says of the traffic. */
#include "report/report.h"

#include "cli/command.h"
#include "cli/machines.h"
#include "cli/place.h"
#include "traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

static int keep(struct bine_report *r, struct bine_allocation *a, int root) {
    struct bine_report_place *more = realloc(r->place, (r->places + 1) * sizeof *more);
    if (more == NULL) {
        bine_allocation_free(a);
        return bine_complain("out of memory");
    }
    r->place = more;
    r->place[r->places++] = (struct bine_report_place){.allocation = *a, .root = root};
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
static int place_file(struct bine_report *r, const struct bine_report_file *f,
                      const char *machine) {
    struct bine_machine *m = bine_machine_load(machine, 0);
    struct bine_hosts hosts = {0};
    struct bine_allocation of_hosts = {0}, of_ranks = {0};
    struct bine_reason why;
    size_t size = 0;
    char *text = NULL;
    int rc = m == NULL ? BINE_EXIT_USAGE : 0;
    if (rc == 0 && (unique_hosts(f->hosts, &hosts, &why) != 0 ||
                    bine_allocation_place(&of_hosts, m, &hosts, BINE_REORDER_OFF, &why) != 0))
        rc = bine_complain("%s: hosts: %s", f->path, why.text);
    if (rc == 0) {
        text = spread(f->hosts, &hosts, &of_hosts, &size);
        if (text == NULL || bine_allocation_read(&of_ranks, text, size, f->path, &why) != 0)
            rc = bine_complain("%s", text == NULL ? "out of memory" : why.text);
    }
    if (rc == 0)
        rc = keep(r, &of_ranks, f->root);
    free(text);
    bine_allocation_free(&of_hosts);
    bine_hosts_free(&hosts);
    bine_machine_free(m);
    return rc;
}

static int find_places(struct bine_report *r, const struct bine_report_wish *w) {
    struct bine_place_words place = {.machine = w->machine, .hosts = w->hosts, .groups = w->groups};
    struct bine_allocation a;
    struct bine_reason why;
    int rc = 0, root = r->files > 0 ? r->file[0].root : 0;
    if (w->groups != NULL || (w->machine != NULL && w->hosts != NULL)) {
        rc = bine_place_job(&place, &a);
        return rc != 0 ? rc : keep(r, &a, root);
    }
    for (size_t i = 0; i < r->files && rc == 0; i++) {
        const struct bine_report_file *f = &r->file[i];
        if (w->machine != NULL && f->hosts[0] != '\0')
            rc = place_file(r, f, w->machine);
        else if (f->groups[0] != '\0')
            rc = bine_allocation_sizes(&a, f->groups, &why) != 0
                     ? bine_complain("%s: groups: %s", f->path, why.text)
                     : keep(r, &a, f->root);
    }
    return rc;
}

/* Bytes between groups; -1 if the algorithm is not one of ours. */
static int64_t count(const struct bine_report *r, const struct bine_cell *c,
                     const struct bine_measure *m, const struct bine_report_place *p) {
    enum bine_collective kind = bine_report_collectives[c->collective].kind;
    const char *name = bine_measure_name(r, m), *colon = strchr(name, ':');
    struct bine_traffic_options options = {0};
    struct bine_traffic t;
    char bare[96], why[200];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, ":"), name);
    struct bine_request rq = {.algorithm = bine_algorithm_find(kind, bare), .p = c->ranks};
    if (rq.algorithm == NULL || !bine_algorithm_serves(rq.algorithm, c->ranks))
        return -1;
    rq.layout = bine_algorithm_layout(rq.algorithm, c->ranks);
    if (colon != NULL && bine_layout_find(colon + 1) >= 0)
        rq.layout = (enum bine_layout)bine_layout_find(colon + 1);
    rq.root = bine_collective_is_rooted(kind) && p->root < c->ranks ? p->root : 0;
    if (bine_request_error(&rq, why, sizeof why) != NULL ||
        bine_traffic_count(&t, &rq, c->bytes, &p->allocation, &options) != BINE_FLOWS_GOOD)
        return -1;
    int64_t global = t.global;
    bine_traffic_free(&t);
    return global;
}

/* What Bine's algorithm saves over the other's. */
static void count_cell(const struct bine_report *r, struct bine_cell *c,
                       enum bine_report_side side) {
    struct bine_duel d;
    const struct bine_report_place *p = NULL;
    for (size_t i = 0; i < r->places && p == NULL; i++)
        if (r->place[i].allocation.p == c->ranks)
            p = &r->place[i];
    if (p == NULL || !bine_cell_duel(r, c, side, &d))
        return;
    int64_t mine = count(r, c, d.bine, p), theirs = mine < 0 ? -1 : count(r, c, d.other, p);
    if (theirs <= 0)
        return;
    c->saving[side] = 100.0 * (1 - (double)mine / (double)theirs);
    c->counted[side] = 1;
}

int bine_report_locate(struct bine_report *r, const struct bine_report_wish *w) {
    int rc = find_places(r, w);
    for (size_t i = 0; i < r->cells && rc == 0 && r->places > 0; i++) {
        count_cell(r, &r->cell[i], BINE_SIDE_BASELINE);
        count_cell(r, &r->cell[i], BINE_SIDE_OTHERS);
    }
    return rc;
}
