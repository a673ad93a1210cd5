/* A team: the ranks of a communicator on the nodes of a job, as the model and the selector know
 * them, and how long collectives take there. Times are kept: a question that comes again costs
 * nothing. */
#ifndef BINE_TOOLS_PREDICT_TEAM_H
#define BINE_TOOLS_PREDICT_TEAM_H

#include "model/pick.h"
#include "network/allocation.h"
#include "predict/usual.h"
#include "select/predictions.h"

/* The job, for all teams. */
struct bine_team_job {
    const struct bine_allocation *allocation;
    const struct bine_machine *machine;
    double busy; /* share of the links between groups that is left; 0: as the machine says */
    double idle; /* seconds between calls: links may let a burst through again */
};

/* One way to do a collective. */
struct bine_team_way {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int segments;
    int root;
    int64_t bytes;
    int at_once; /* sends are waited for at the end */
};

struct bine_team {
    const struct bine_team_job *job;
    int p, nodes, per_node; /* per_node: the most on a node */
    int32_t *rank;          /* in the job */
    struct bine_allocation allocation;
    struct bine_links links;
    struct bine_groups *groups;
    struct bine_shape dims;
    int in_order; /* ranks of a torus */
    struct bine_picker picker;
    struct bine_predictions *predictions;
    struct bine_team *some[BINE_USUAL_RANKS]; /* those of its ranks that were asked for */
    struct bine_team_time {
        struct bine_team_way way;
        struct bine_until {
            double mean, last; /* seconds until a rank is done, mean of the ranks; until all are */
        } until;
    } * time;
    size_t times, room;
};

/* Its ranks become the team's. NULL when out of memory. */
struct bine_team *bine_team_open(const struct bine_team_job *job, int32_t *rank, int p);
void bine_team_close(struct bine_team *t);
/* Some of its ranks; NULL when out of memory. */
struct bine_team *bine_team_some(struct bine_team *t, enum bine_usual_ranks which);

/* Messages that are executed for one time; the times of what has more are estimated in waves. */
enum { BINE_TEAM_MESSAGES = 1000000 };

/* Seconds of the mean rank by the model (of the slowest, where it is estimated in waves): 0, or -1
 * when out of memory. NAN: the model does not know it. */
int bine_team_seconds(struct bine_team *t, const struct bine_team_way *way, double *seconds);
/* What an MPI library takes usually, part after part. `u` becomes its name for it. */
int bine_team_usual(struct bine_team *t, const struct bine_usual_query *q, int root,
                    struct bine_usual *u, double *seconds);
/* The fastest of all algorithms. */
int bine_team_least(struct bine_team *t, enum bine_collective c, int root, int64_t bytes,
                    struct bine_team_way *way, double *seconds);

#endif
