/* The model's view of a call that was recorded: how long it takes on the job's network, and when
 * the messages of each step have arrived. */
#include "cli/command.h"
#include "model/pick.h"
#include "model/time.h"
#include "schedule/walk/messages.h"
#include "timeline/timeline.h"

#include <math.h>
#include <stdlib.h>

/* The ranks of the communicator as the model knows them. */
struct team {
    struct bine_allocation allocation;
    struct bine_links links;
    struct bine_groups *groups;
    struct bine_shape dims;
    struct bine_picker picker;
};

static int open_team(struct team *t, const struct bine_timeline_call *c,
                     const struct bine_allocation *job, const struct bine_machine *machine) {
    static const struct bine_place_words none;
    struct bine_reason why;
    int32_t *rank = malloc((size_t)c->ranks * sizeof *rank);
    *t = (struct team){.groups = NULL};
    for (int64_t i = 0; rank != NULL && i < c->ranks; i++)
        rank[i] = -1;
    for (size_t i = 0; rank != NULL && i < c->parts; i++)
        if (c->part[i].place >= 0 && c->part[i].place < c->ranks)
            rank[c->part[i].place] = (int32_t)c->part[i].rank;
    int rc = rank != NULL ? 0 : -1;
    for (int64_t i = 0; rc == 0 && i < c->ranks; i++)
        rc = rank[i] >= 0 && rank[i] < job->p ? 0 : -1;
    if (rc == 0)
        rc = bine_allocation_part(&t->allocation, job, rank, (int)c->ranks, &why);
    free(rank);
    if (rc != 0)
        return -1;
    t->groups = bine_allocation_levels(&t->allocation);
    if (t->groups == NULL || bine_place_dims(&none, &t->allocation, &t->dims) != 0 ||
        bine_links_make(&t->links, &t->allocation, machine) != 0)
        return -1;
    int torus = t->dims.dims > 0;
    return bine_picker_open(&t->picker, &t->links, torus ? NULL : t->groups,
                            torus ? &t->dims : NULL);
}

static void close_team(struct team *t) {
    bine_picker_close(&t->picker);
    bine_links_free(&t->links);
    bine_groups_free(t->groups);
    bine_allocation_free(&t->allocation);
}

/* When messages arrive, by their numbers. */
static void note_arrival(void *self, size_t number, double left, double arrived) {
    (void)left;
    ((double *)self)[number] = arrived;
}

static void note_step(struct bine_timeline_model *m, int time, double arrived) {
    if (time < 0 || (size_t)time >= m->steps || !(arrived >= 0))
        return;
    if (!(m->step[time] >= arrived))
        m->step[time] = arrived;
}

static int collect_steps(struct bine_timeline_model *m, const struct bine_messages *all,
                         const double *arrived) {
    m->steps = 0;
    for (int r = 0; r < all->p; r++)
        if ((size_t)all->schedule[r]->times > m->steps)
            m->steps = (size_t)all->schedule[r]->times;
    m->step = malloc((m->steps + 1) * sizeof *m->step);
    if (m->step == NULL)
        return -1;
    for (size_t i = 0; i < m->steps; i++)
        m->step[i] = NAN;
    for (int r = 0; r < all->p; r++) {
        const struct bine_schedule *s = all->schedule[r];
        for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++)
            if (bine_op_receives(&s->op[v.op]) && all->of_op[r][v.op] != BINE_NO_MAIL &&
                bine_kind_is_message(s->op[v.op].kind))
                note_step(m, v.step->time, arrived[all->of_op[r][v.op]]);
    }
    return 0;
}

static int execute(struct bine_timeline_model *m, const struct team *t,
                   const struct bine_spec *spec, int64_t bytes) {
    struct bine_messages all;
    struct bine_time time;
    if (bine_messages_collect(&all, spec, bytes) != 0)
        return -1;
    double *arrived = malloc((all.count + 1) * sizeof *arrived);
    struct bine_time_watch watch = {note_arrival, arrived};
    for (size_t i = 0; arrived != NULL && i < all.count; i++)
        arrived[i] = NAN;
    int rc = arrived != NULL ? bine_time_watched(spec, bytes, &t->links, &watch, &time) : -1;
    if (rc == 0)
        rc = collect_steps(m, &all, arrived);
    m->seconds = rc == 0 ? time.seconds : NAN;
    free(arrived);
    bine_messages_free(&all);
    return rc;
}

/* Of MPI's own calls, of boards, whose reads have no times, and of calls that are not recorded on
 * all ranks, it knows nothing. */
int bine_timeline_predict(const struct bine_timeline_call *c, const struct bine_allocation *job,
                          const struct bine_machine *machine, struct bine_timeline_model *m) {
    struct team t;
    char why[200];
    int k = bine_collective_find(c->collective);
    int l = c->layout != NULL ? bine_layout_find(c->layout) : -1;
    const struct bine_algorithm *a = NULL;
    if (k >= 0 && c->algorithm != NULL)
        a = bine_algorithm_find((enum bine_collective)k, c->algorithm);
    if (a == NULL || l < 0 || c->bytes < 0 || c->ranks < 2 || (int64_t)c->parts < c->ranks ||
        bine_algorithm_needs(a) == BINE_NEEDS_BOARDS)
        return 0;
    int rc = open_team(&t, c, job, machine);
    if (rc == 0) {
        struct bine_spec spec = bine_picker_spec(&t.picker, a, (enum bine_layout)l,
                                                 c->root > 0 ? (int)c->root : 0, c->bytes);
        spec.segments = bine_segments_for(a, (int)c->ranks, c->bytes);
        if (bine_spec_error(&spec, why, sizeof why) == NULL)
            rc = execute(m, &t, &spec, c->bytes);
    }
    close_team(&t);
    return rc == 0 ? 0
                   : bine_complain("call %lld: no memory, or its ranks are not those of --hosts",
                                   (long long)c->number);
}

void bine_timeline_model_free(struct bine_timeline_model *m) {
    free(m->step);
    m->step = NULL;
}
