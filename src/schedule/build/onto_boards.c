/* Why a transformation, and not another composition for each collective: what crosses between nodes
 * does not depend on boards, nor does what each rank of a node must get. Only the last
 * level of the trees is another one (flat: pattern/groups.h); then all that a rank sends to its
 * node at one time becomes one publication, and what the others receive becomes readings of it.
 *
 * A publication is a run of blocks. Where the blocks sent are no run, the messages stay; it may
 * have gaps where all that is in them is known to be there: in `in`, in its copy (alltoall), and in
 * `out` of an allgather the blocks of the node, which come first. A reader has to know what the
 * other end publishes, and both must agree on what stays a message: so it looks at the other's own
 * schedule, which costs as many schedules as a rank has senders in its node. */
#include "schedule/build/onto_boards.h"

#include <stdlib.h>
#include <string.h>

/* The publication of a rank at one time; no pieces: nothing, or it stays messages. In a barrier
 * they stand for the publication itself, which is empty. */
struct post {
    int space, place, count;
    int first; /* block */
};

struct conversion {
    const struct bine_spec *request;
    struct bine_schedule *from, *to;
    struct bine_schedule **other; /* the schedules of the other ranks, as far as needed */
    unsigned char *seen;          /* pieces of a space; zero before and after */
    size_t room;                  /* of `seen` */
    struct bine_schedule *(*build)(const struct bine_spec *spec);
    int failed;
};

static int is_near(const struct conversion *x, int a, int b) {
    return x->request->node[a] == x->request->node[b];
}

/* The pieces of a list of runs, one by one. */
struct pieces {
    const struct bine_run *run;
    uint32_t done;
};

static struct bine_run next_piece(struct pieces *p) {
    struct bine_run one = bine_pieces(p->run->space, p->run->first + (int)p->done, 1);
    if (++p->done == p->run->count) {
        p->run++;
        p->done = 0;
    }
    return one;
}

static int count_pieces(const struct bine_schedule *s, const struct bine_op *op) {
    int n = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        n += (int)s->run[i].count;
    return n;
}

/* Whether the places from..to-1 hold blocks that follow each other. */
static int is_row(const struct bine_schedule *s, int space, int from, int to) {
    struct bine_seek at = {0, 0};
    int first = bine_schedule_seek(s, space, from, &at);
    for (int k = from + 1; k < to; k++)
        if (bine_schedule_seek(s, space, k, &at) != first + k - from)
            return 0;
    return 1;
}

/* Whether blocks not seen from `low` on may be published too. */
static int may_fill(const struct conversion *x, const struct bine_schedule *s, int space, int low,
                    int high) {
    if (space == BINE_IN || s->collective == BINE_ALLTOALL)
        return 1;
    for (int k = low; k < high; k++)
        if (!x->seen[k] && (s->collective != BINE_ALLGATHER || space != BINE_OUT ||
                            !is_near(x, s->rank, bine_schedule_block(s, space, k))))
            return 0;
    return 1;
}

/* Room to mark all pieces of a space. 0 when out of memory. */
static int make_room(struct conversion *x, const struct bine_schedule *s) {
    size_t most = 1;
    for (int k = 0; k < BINE_SPACES; k++)
        if ((size_t)s->space[k].pieces > most)
            most = (size_t)s->space[k].pieces;
    if (most > x->room) {
        free(x->seen);
        x->seen = calloc(most, 1);
        x->room = x->seen != NULL ? most : 0;
    }
    x->failed |= x->seen == NULL;
    return !x->failed;
}

/* In a barrier, whether a step sends to ranks of the node. */
static struct post signal_of(const struct conversion *x, const struct bine_schedule *s,
                             const struct bine_step *step) {
    struct post post = {0};
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (s->op[j].kind == BINE_OP_SEND && is_near(x, s->rank, s->op[j].peer))
            post.count = 1;
    return post;
}

/* The union of the sends of a step to ranks of the node. */
static struct post post_of(struct conversion *x, const struct bine_schedule *s,
                           const struct bine_step *step) {
    int space = -1, low = 0, high = 0, one = 1, any = s->collective == BINE_ALLTOALL;
    if (s->collective == BINE_BARRIER)
        return signal_of(x, s, step);
    if (!make_room(x, s))
        return (struct post){0};
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        if (op->kind != BINE_OP_SEND || !is_near(x, s->rank, op->peer))
            continue;
        for (uint32_t i = op->runs; i < op->runs + op->nruns; i++) {
            const struct bine_run *r = &s->run[i];
            int end = r->first + (int)r->count;
            one &= space < 0 || space == (int)r->space;
            low = space < 0 || r->first < low ? r->first : low;
            high = space < 0 || end > high ? end : high;
            space = (int)r->space;
            if (one)
                memset(x->seen + r->first, 1, r->count);
        }
    }
    int good = space >= 0 && one && may_fill(x, s, space, low, high) &&
               (any || is_row(s, space, low, high));
    if (space >= 0)
        memset(x->seen + (one ? low : 0), 0, one ? (size_t)(high - low) : x->room);
    if (!good)
        return (struct post){0};
    return (struct post){space, low, high - low, any ? 0 : bine_schedule_block(s, space, low)};
}

/* The schedule of another rank of the node; NULL when out of memory. */
static const struct bine_schedule *other_of(struct conversion *x, int rank) {
    if (x->other[rank] == NULL) {
        struct bine_spec spec = *x->request;
        spec.rank = rank;
        if (bine_collective_is_rooted(spec.algorithm->collective))
            spec.in_place = 0; /* the root alone could be, and sends equal blocks */
        x->other[rank] = x->build(&spec);
        x->failed |= x->other[rank] == NULL;
    }
    return x->other[rank];
}

/* The publication in place of a message, and the sender's end of the message. */
static struct post post_for(struct conversion *x, const struct bine_op *op, int time,
                            const struct bine_op **send) {
    const struct bine_schedule *s = other_of(x, op->peer);
    for (uint32_t i = 0; s != NULL && i < s->nsteps; i++)
        for (uint32_t j = 0; j < s->step[i].nops && s->step[i].time == time; j++) {
            *send = &s->op[s->step[i].ops + j];
            if ((*send)->kind == BINE_OP_SEND && (*send)->peer == x->from->rank)
                return post_of(x, s, &s->step[i]);
        }
    return (struct post){0};
}

/* Some pieces of a receive, which follow each other where they are published, as one reading. */
static void put_reading(struct conversion *x, const struct bine_op *op, const struct post *post,
                        int block, struct pieces to, struct pieces with, int count) {
    int adds = op->kind == BINE_OP_RECV_REDUCE;
    struct bine_schedule *s = x->to;
    if (adds)
        bine_schedule_read_reduce(s, (enum bine_side)op->side, op->peer, post->first, block);
    else
        bine_schedule_read(s, op->peer, post->first, block);
    for (int k = 0; k < count; k++) {
        struct bine_run r = next_piece(&to);
        bine_schedule_run(s, (int)r.space, r.first, 1, 1);
    }
    for (int k = 0; k < count && adds; k++) {
        struct bine_run r = next_piece(&with);
        bine_schedule_with(s, (int)r.space, r.first, 1);
    }
}

static void put_readings(struct conversion *x, const struct bine_op *op, const struct post *post,
                         const struct bine_op *send) {
    const struct bine_schedule *s = x->from, *q = x->other[op->peer];
    int n = count_pieces(s, op);
    if (n == 0)
        bine_schedule_read(x->to, op->peer, 0, 0);
    struct pieces to = {s->run + op->runs, 0}, with = {s->run + op->with, 0},
                  from = {q->run + send->runs, 0};
    for (int k = 0, count; k < n; k += count) {
        struct pieces first = to, beside = with, ahead;
        int place = next_piece(&from).first;
        count = 0;
        do {
            next_piece(&to);
            if (op->nwith > 0)
                next_piece(&with);
            count++;
            ahead = from;
        } while (k + count < n && next_piece(&ahead).first == place + count && (from = ahead, 1));
        put_reading(x, op, post, post->first + place - post->place, first, beside, count);
    }
}

/* An operation as it is. */
static void put_same(struct conversion *x, const struct bine_op *op) {
    bine_schedule_op(x->to, (enum bine_op_kind)op->kind, (enum bine_side)op->side, op->peer);
    if (!x->to->failed)
        x->to->op[x->to->nops - 1] = *op;
}

/* One step: what goes over boards, then the messages that are left, and the local work after that
 * which comes last. */
static void convert_step(struct conversion *x, const struct bine_step *step) {
    const struct bine_schedule *s = x->from;
    struct post own = post_of(x, s, step);
    uint32_t left = 0;
    int open = 0;
    if (own.count > 0) {
        bine_schedule_step(x->to, step->time);
        bine_schedule_publish(x->to, own.first);
        if (s->collective != BINE_BARRIER)
            bine_schedule_run(x->to, own.space, own.place, own.count, 0);
        open = 1;
    }
    for (int boards = 1; boards >= 0; boards--)
        for (uint32_t j = step->ops; j < step->ops + step->nops && !x->failed; j++) {
            const struct bine_op *op = &s->op[j], *send = NULL;
            int message = bine_kind_is_message(op->kind);
            int near = message && is_near(x, s->rank, op->peer), sends = op->kind == BINE_OP_SEND;
            struct post post = near && sends ? own : (struct post){0};
            if (near && !sends)
                post = post_for(x, op, step->time, &send);
            if (boards && post.count > 0 && !sends) {
                if (!open)
                    bine_schedule_step(x->to, step->time);
                open = 1;
                put_readings(x, op, &post, send);
            } else if (!boards && message && post.count == 0) {
                if (left++ == 0)
                    bine_schedule_step(x->to, step->time);
                put_same(x, op);
            }
        }
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (!bine_kind_is_message(s->op[j].kind)) {
            if (!open && left == 0)
                bine_schedule_step(x->to, step->time);
            open = 1;
            put_same(x, &s->op[j]);
        }
}

/* An empty schedule like another one, with its runs, which spaces and operations refer to. */
static struct bine_schedule *like(const struct bine_schedule *s) {
    struct bine_schedule *t = bine_schedule_new();
    struct bine_run *room = t == NULL ? NULL : bine_schedule_room(t, s->nruns + 1);
    if (room == NULL) {
        bine_schedule_free(t);
        return NULL;
    }
    struct bine_schedule kept = *t;
    *t = *s;
    t->strand = kept.strand;
    t->step = NULL;
    t->op = NULL;
    t->run = kept.run;
    t->run_room = kept.run_room;
    t->step_room = t->op_room = t->nsteps = t->nops = 0;
    if (s->nruns > 0)
        memcpy(room, s->run, s->nruns * sizeof *room);
    return t;
}

struct bine_schedule *
bine_schedule_onto_boards(struct bine_schedule *s, const struct bine_spec *spec,
                          struct bine_schedule *(*build)(const struct bine_spec *spec)) {
    struct conversion x = {.request = spec, .from = s, .to = like(s), .build = build};
    x.other = calloc((size_t)spec->p, sizeof(struct bine_schedule *));
    x.failed = x.to == NULL || x.other == NULL;
    for (uint32_t i = 0; i < s->nsteps && !x.failed; i++)
        convert_step(&x, &s->step[i]);
    for (int r = 0; r < spec->p && x.other != NULL; r++)
        bine_schedule_free(x.other[r]);
    free(x.other);
    free(x.seen);
    bine_schedule_free(s);
    if (!x.failed && !x.to->failed)
        return x.to;
    bine_schedule_free(x.to);
    return NULL;
}
