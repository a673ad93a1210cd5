/* bine traffic: what was asked for, and the parts of the command. */
#ifndef BINE_TOOLS_TRAFFIC_COMMAND_TRAFFIC_H
#define BINE_TOOLS_TRAFFIC_COMMAND_TRAFFIC_H

#include "cli/options/algorithms.h"
#include "cli/options/place.h"
#include "cli/output/table.h"
#include "traffic/traffic.h"

struct bine_traffic_wish {
    struct bine_algorithms asked;
    const struct bine_algorithm *baseline; /* or NULL */
    int layout;                            /* -1: what each algorithm prefers */
    int64_t bytes;
    int root;
    struct bine_place_words where;
    const char *jobs, *report;
    int pairs, links, busiest, levels;
    int ports; /* of torus algorithms; 0: one */
    int workers;
    enum bine_format format;
    const char *command; /* as typed, for the report */
};

/* The request for an algorithm on the ranks of a job; `place` is theirs. */
struct bine_spec bine_traffic_spec(const struct bine_traffic_wish *w,
                                   const struct bine_algorithm *a, const struct bine_place *place);
/* The groups and dims of a job, as algorithms need them: 0, or -1 when out of memory. */
int bine_traffic_place(const struct bine_traffic_wish *w, const struct bine_allocation *job,
                       struct bine_place *place);
/* The root and the bytes must fit p: 0, or BINE_EXIT_USAGE after complaining. */
int bine_traffic_fits(const struct bine_traffic_wish *w, int p);
/* Complain of what bine_traffic_count returned; returns BINE_EXIT_USAGE. */
int bine_traffic_complain(enum bine_flow_result rc, const struct bine_spec *spec);
/* A saving in hundredths of a percent as text, "-2.36". */
enum { BINE_SAVING_TEXT = 32 };
const char *bine_saving_text(int64_t saving, char text[BINE_SAVING_TEXT]);

/* One job: print the table. Returns an exit code. */
int bine_traffic_single(const struct bine_traffic_wish *w);
/* The same, level by level. */
int bine_traffic_by_levels(const struct bine_traffic_wish *w, const struct bine_allocation *a);
/* Many jobs. */
int bine_traffic_jobs(const struct bine_traffic_wish *w);

#endif
