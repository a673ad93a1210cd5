#include "base/numbers.h"
#include "schedule/check/check.h"
#include "schedule/check/check_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int bine_check_fail(struct bine_check_state *st, int rank, int time, const char *format, ...) {
    va_list args;
    st->verdict->rank = rank;
    st->verdict->time = time;
    va_start(args, format);
    vsnprintf(st->verdict->message, sizeof st->verdict->message, format, args);
    va_end(args);
    return 1;
}

static int at_most(int count, int most) {
    return count < most ? count : most;
}

/* In place, the own block in `out` of a gather is `in`: pieces up to its beginning or end. */
static size_t number_around_own(const struct bine_schedule *s, int place, int *count) {
    int own = s->rank * s->parts, in = s->space[BINE_IN].pieces;
    if (in == s->parts && place >= own && place < own + s->parts) {
        *count = at_most(*count, own + s->parts - place);
        return (size_t)(place - own);
    }
    if (in == s->parts && place < own)
        *count = at_most(*count, own - place);
    return (size_t)in + (size_t)place;
}

/* The number of a piece among the pieces of its rank, and how many after it are numbered on; in
 * place, `in` and `out` share theirs. */
static size_t number_of(const struct bine_schedule *s, int space, int place, int *count) {
    const struct bine_space *x = s->space;
    size_t in = (size_t)x[BINE_IN].pieces, out = (size_t)x[BINE_OUT].pieces;
    if (s->collective == BINE_BCAST && s->rank == s->root && space == BINE_OUT && in > 0)
        return (size_t)place; /* a broadcast has one buffer */
    if (s->in_place && space == BINE_OUT) {
        switch (s->collective) {
        case BINE_ALLREDUCE:
        case BINE_SCAN:
        case BINE_EXSCAN:
        case BINE_ALLTOALL:
            return (size_t)place;
        case BINE_REDUCE:
            return s->rank == s->root ? (size_t)place : in + (size_t)place;
        case BINE_GATHER:
        case BINE_ALLGATHER:
            return number_around_own(s, place, count);
        case BINE_SCATTER:
            return (s->rank == s->root ? (size_t)s->rank * (size_t)s->parts : in) + (size_t)place;
        case BINE_REDUCE_SCATTER:
            return (s->p == 1 ? 0 : in) + (size_t)place;
        default:
            break;
        }
    }
    return space == BINE_IN    ? (size_t)place
           : space == BINE_OUT ? in + (size_t)place
                               : in + out + (size_t)place;
}

/* In an alltoall, the part of a piece, and how many after it are of that part. */
static int part_of(const struct bine_schedule *s, int space, int place, int *count) {
    const struct bine_space *x = &s->space[space];
    if (s->parts == 1)
        return 0;
    if (x->arrangement == BINE_SLOTS) {
        int slots = x->pieces / s->parts;
        *count = at_most(*count, slots - place % slots);
        return place / slots;
    }
    *count = 1;
    return place % s->parts;
}

/* The block of a piece, and how many after it are of the blocks that follow, or of that one if
 * *next is 0. */
static int block_of(const struct bine_schedule *s, int space, int place, struct bine_seek *at,
                    int *count, int *next) {
    const struct bine_space *x = &s->space[space];
    *next = 1;
    if (x->arrangement == BINE_NATURAL || x->arrangement == BINE_ONE)
        return x->arrangement == BINE_ONE ? x->base + place : place;
    if (x->arrangement == BINE_SLOTS && s->parts == 1) {
        *next = 0;
        return x->base;
    }
    if (x->arrangement == BINE_SUBSET) {
        int more, block = bine_subset_block(s, space, place, at, &more);
        *count = at_most(*count, more + 1);
        return block;
    }
    *count = 1;
    return bine_schedule_block(s, space, place);
}

struct bine_stretch bine_stretch_cut(const struct bine_schedule *s, int space, int place, int count,
                                     struct bine_seek *at) {
    struct bine_stretch x = {.space = space, .place = place};
    x.number = number_of(s, space, place, &count);
    x.block = s->collective == BINE_ALLTOALL ? part_of(s, space, place, &count)
                                             : block_of(s, space, place, at, &count, &x.next);
    x.count = count;
    return x;
}

static struct bine_view view_of(const struct bine_schedule *s, int space) {
    int gathers = s->collective == BINE_GATHER || s->collective == BINE_ALLGATHER;
    int kind = s->space[space].arrangement;
    int through = kind == BINE_NATURAL || kind == BINE_ONE || (kind == BINE_SLOTS && s->parts == 1);
    if (s->collective == BINE_ALLTOALL)
        through = s->parts == 1;
    if (!through || (gathers && s->in_place && space == BINE_OUT))
        return (struct bine_view){0};
    struct bine_seek at = {0, 0};
    struct bine_stretch x = bine_stretch_cut(s, space, 0, 1, &at);
    return (struct bine_view){1, x.next, x.block, x.number};
}

void bine_check_views(struct bine_check_state *st) {
    for (int r = 0; r < st->p; r++)
        for (int space = 0; space < BINE_SPACES; space++)
            st->view[r * BINE_SPACES + space] = view_of(st->rank[r], space);
}

size_t bine_piece_count(const struct bine_schedule *s) {
    return (size_t)s->space[BINE_IN].pieces + (size_t)s->space[BINE_OUT].pieces +
           (size_t)s->space[BINE_TMP].pieces;
}

int64_t bine_count_pieces(const struct bine_schedule *s, uint32_t first, uint32_t count) {
    int64_t n = 0;
    for (uint32_t i = first; i < first + count; i++)
        n += s->run[i].count;
    return n;
}

/* Check that every number in a schedule is in range before anything uses it. */
static int check_runs(struct bine_check_state *st, const struct bine_schedule *s, int time,
                      uint32_t first, uint32_t count, int writes) {
    if ((uint64_t)first + count > s->nruns)
        return bine_check_fail(st, s->rank, time, "runs %u to %u, but there are %u", first,
                               first + count, s->nruns);
    for (uint32_t i = first; i < first + count; i++) {
        const struct bine_run *r = &s->run[i];
        if (r->space >= BINE_SPACES)
            return bine_check_fail(st, s->rank, time, "a run in space %d", r->space);
        if (r->first < 0 || r->count < 1 || r->first > s->space[r->space].pieces - r->count)
            return bine_check_fail(st, s->rank, time, "places %d to %d of %s, which has %d pieces",
                                   r->first, r->first + r->count - 1, bine_space_word(r->space),
                                   s->space[r->space].pieces);
        if (writes && r->space == BINE_IN)
            return bine_check_fail(st, s->rank, time, "writes to in");
    }
    return 0;
}

static int check_op(struct bine_check_state *st, const struct bine_schedule *s, int time,
                    const struct bine_op *op) {
    int writes = bine_writes_runs(op);
    int adds = op->kind == BINE_OP_RECV_REDUCE || op->kind == BINE_OP_REDUCE ||
               op->kind == BINE_OP_READ_REDUCE;
    int two = adds || op->kind == BINE_OP_COPY || op->kind == BINE_OP_PERMUTE;
    if (op->kind >= BINE_OP_KINDS)
        return bine_check_fail(st, s->rank, time, "operation of kind %d", op->kind);
    if (bine_is_message(op) && (op->peer < 0 || op->peer >= s->p || op->peer == s->rank))
        return bine_check_fail(st, s->rank, time, "a message to or from rank %d", op->peer);
    if (check_runs(st, s, time, op->runs, op->nruns, writes) != 0 ||
        check_runs(st, s, time, op->with, op->nwith, 0) != 0)
        return 1;
    int64_t n = bine_count_pieces(s, op->runs, op->nruns);
    int signal = s->collective == BINE_BARRIER && !two && op->kind != BINE_OP_EXPOSE;
    if ((n == 0) != signal)
        return bine_check_fail(st, s->rank, time,
                               signal ? "a barrier with data" : "an operation on no pieces");
    if (two != (op->nwith > 0) || (two && bine_count_pieces(s, op->with, op->nwith) != n))
        return bine_check_fail(st, s->rank, time, "operands of %lld and %lld pieces", (long long)n,
                               (long long)bine_count_pieces(s, op->with, op->nwith));
    if (st->algorithm != NULL && !st->algorithm->commutative && op->side == BINE_SIDE_ANY && adds)
        return bine_check_fail(st, s->rank, time,
                               "a reduction without sides, for an operator that need not commute");
    return 0;
}

/* Where `out` lies on top of `in`, a strand that is through first overwrites data that the others
 * have yet to read: several strands must read `in`, and not write `out`, before any message. */
static int check_covered(struct bine_check_state *st, const struct bine_schedule *s,
                         const struct bine_step *step, int space, int writes, int begun) {
    if (!bine_out_covers_in(s) ||
        (writes ? space != BINE_OUT || begun : space != BINE_IN || !begun))
        return 0;
    return bine_check_fail(st, s->rank, step->time,
                           writes
                               ? "a strand writes out, which lies on top of in, before the first "
                                 "message"
                               : "a strand reads in while another may write out, which lies on "
                                 "top of it");
}

/* A piece that one strand writes may not be touched by another. mark: strand + 1, the highest bit
 * if written. */
static int check_strands(struct bine_check_state *st, const struct bine_schedule *s, uint32_t k) {
    const struct bine_strand *strand = &s->strand[k];
    int begun = 0;
    for (uint32_t i = strand->steps; i < strand->steps + strand->nsteps; i++) {
        begun |= s->step[i].time >= 0;
        for (uint32_t j = s->step[i].ops; j < s->step[i].ops + s->step[i].nops; j++)
            for (int with = 0; with < 2; with++) {
                const struct bine_op *op = &s->op[j];
                struct bine_walk w = with ? bine_walk_runs(st, s, op->with, op->nwith)
                                          : bine_walk_runs(st, s, op->runs, op->nruns);
                int writes = !with && bine_writes_runs(op);
                for (; bine_walk_more(&w); bine_walk_take(&w, 1)) {
                    if (check_covered(st, s, &s->step[i], w.x.space, writes, begun) != 0)
                        return 1;
                    uint32_t *m = &st->mark[w.x.number];
                    uint32_t owner = *m & 0x7fffffffu, was_written = *m >> 31;
                    if (owner != 0 && owner != k + 1 && (writes || was_written))
                        return bine_check_fail(st, s->rank, s->step[i].time,
                                               "place %d of %s is touched by strands %u and %u",
                                               w.x.place, bine_space_word(w.x.space), owner - 1, k);
                    *m = (k + 1) | (writes || was_written ? 1u << 31 : 0);
                }
            }
    }
    return 0;
}

/* A strand passes through times in their order: otherwise it would take longer than promised. Its
 * work on boards comes before its messages of the same time: a rank that waits for the one and one
 * that waits for the other would wait for each other. `before` counts both, two for each time. */
static int check_times(struct bine_check_state *st, const struct bine_schedule *s,
                       const struct bine_step *step, int *before) {
    int messages = 0, boards = bine_is_board_step(s, step);
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        messages += bine_is_message(&s->op[j]);
    if (messages == 0 && !boards)
        return 0;
    const char *what = boards ? "a publication or a reading" : "a message";
    if (messages > 0 && boards)
        return bine_check_fail(st, s->rank, step->time,
                               "messages and operations on boards in one step");
    if (step->time >= s->times)
        return bine_check_fail(st, s->rank, step->time, "%s at step %d, but %d steps were promised",
                               what, step->time, s->times);
    if (step->time < 0)
        return bine_check_fail(st, s->rank, step->time, "%s before the first step", what);
    if (2 * step->time + (messages > 0) <= *before)
        return bine_check_fail(st, s->rank, step->time, "step %d after step %d", step->time,
                               *before / 2);
    *before = 2 * step->time + (messages > 0);
    if (step->time > st->last_time)
        st->last_time = step->time;
    return 0;
}

/* A message may be cut into parts, which are told apart by their order alone: two of one step
 * between the same ranks would mix. */
static int check_one_message(struct bine_check_state *st, const struct bine_schedule *s,
                             const struct bine_step *step) {
    struct bine_values *v = &st->values;
    for (int sends = 0; sends < 2; sends++) {
        v->stamp++;
        for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
            const struct bine_op *op = &s->op[j];
            if (!bine_is_message(op) || (op->kind == BINE_OP_SEND) != sends)
                continue;
            if (v->mark[op->peer] == v->stamp)
                return bine_check_fail(st, s->rank, step->time,
                                       "two messages %s rank %d in one step", sends ? "to" : "from",
                                       op->peer);
            v->mark[op->peer] = v->stamp;
        }
    }
    return 0;
}

/* How many pieces a rank has in one of the caller's buffers, and the block of the first of them. */
static int pieces_given(const struct bine_schedule *s, int space, int *first) {
    enum bine_collective c = s->collective;
    int in = space == BINE_IN;
    int at_root_only =
        in ? c == BINE_BCAST || c == BINE_SCATTER : c == BINE_REDUCE || c == BINE_GATHER;
    int own = in ? c == BINE_GATHER || c == BINE_ALLGATHER
                 : c == BINE_SCATTER || c == BINE_REDUCE_SCATTER;
    *first = own ? s->rank * s->parts : 0;
    return at_root_only && s->rank != s->root ? 0 : own ? s->parts : s->blocks;
}

/* The caller's buffers are as the collective has them, in the order of the blocks; one that is not
 * used may be left out. */
static int check_buffer(struct bine_check_state *st, const struct bine_schedule *s, int space) {
    const struct bine_space *x = &s->space[space];
    int first, n = pieces_given(s, space, &first);
    int plain = x->arrangement == BINE_NATURAL || x->arrangement == BINE_ONE;
    if (x->pieces == 0 || (x->pieces == n && plain && bine_schedule_block(s, space, 0) == first))
        return 0;
    return bine_check_fail(st, s->rank, -1, "%s is not %d pieces from block %d on",
                           bine_space_word(space), n, first);
}

static int check_steps(struct bine_check_state *st, const struct bine_schedule *s, uint32_t k) {
    const struct bine_strand *strand = &s->strand[k];
    int before = -1;
    if ((uint64_t)strand->steps + strand->nsteps > s->nsteps)
        return bine_check_fail(st, s->rank, -1, "strand %u has steps that are not there", k);
    for (uint32_t i = strand->steps; i < strand->steps + strand->nsteps; i++) {
        const struct bine_step *step = &s->step[i];
        if ((uint64_t)step->ops + step->nops > s->nops)
            return bine_check_fail(st, s->rank, step->time, "operations that are not there");
        for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
            if (check_op(st, s, step->time, &s->op[j]) != 0)
                return 1;
        if (check_times(st, s, step, &before) != 0 || check_one_message(st, s, step) != 0 ||
            bine_check_board_form(st, s, step) != 0)
            return 1;
    }
    return 0;
}

/* Whether the schedule has the runs that list the blocks of `tmp`, and blocks in range in them. */
static int is_listed(const struct bine_schedule *s, const struct bine_space *x) {
    int one_by_one = x->arrangement == BINE_LISTED;
    int64_t runs = one_by_one ? x->pieces : x->runs, pieces = 0;
    if (x->base < 0 || runs < 0 || x->base + runs > (int64_t)s->nruns)
        return 0;
    for (const struct bine_run *r = s->run + x->base; r < s->run + x->base + runs; r++) {
        int count = one_by_one ? 1 : (int)r->count;
        if (r->first < 0 || r->first > s->blocks - count)
            return 0;
        pieces += count;
    }
    return pieces == x->pieces;
}

/* Check that the schedule says which block lies at each place of `tmp`. */
static int check_scratch(struct bine_check_state *st, const struct bine_schedule *s) {
    const struct bine_space *x = &s->space[BINE_TMP];
    int fits = x->pieces == 0;
    if (!fits && x->pieces > 0)
        switch (x->arrangement) {
        case BINE_NATURAL:
            fits = x->pieces <= s->blocks;
            break;
        case BINE_ONE:
            fits = x->base >= 0 && x->base <= s->blocks - x->pieces;
            break;
        case BINE_SLOTS:
            fits = !s->uneven && x->pieces % s->parts == 0 && x->base >= 0 && x->base < s->blocks;
            break;
        case BINE_NU_PLACES:
            fits = x->pieces <= s->blocks && bine_is_pow2(x->pieces);
            break;
        case BINE_LISTED:
        case BINE_SUBSET:
            fits = is_listed(s, x);
            break;
        }
    return fits ? 0 : bine_check_fail(st, s->rank, -1, "tmp does not say where its blocks are");
}

/* Only the root of a rooted collective can be in place. */
static int is_in_place_like(const struct bine_schedule *s, const struct bine_schedule *first) {
    return bine_collective_is_rooted(s->collective) ? !s->in_place || s->rank == s->root
                                                    : s->in_place == first->in_place;
}

int bine_check_form(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank], *first = st->rank[0];
    int whole = bine_cuts_a_vector(s->collective);
    if (s->rank != rank)
        return bine_check_fail(st, rank, -1, "the schedule of rank %d", s->rank);
    if (s->p != first->p || s->collective != first->collective || s->uneven != first->uneven ||
        s->layout != first->layout || s->blocks != first->blocks ||
        s->nstrands != first->nstrands || s->staggered != first->staggered ||
        s->whole != first->whole || !is_in_place_like(s, first) || s->root != first->root ||
        s->parts != first->parts || s->parts < 1 || (!whole && s->blocks != s->p * s->parts))
        return bine_check_fail(st, s->rank, -1,
                               "not a schedule of the same collective as rank 0's");
    if (s->times != first->times)
        return bine_check_fail(st, s->rank, -1, "has %d steps, rank 0 has %d", s->times,
                               first->times);
    if (check_buffer(st, s, BINE_IN) != 0 || check_buffer(st, s, BINE_OUT) != 0 ||
        check_scratch(st, s) != 0)
        return 1;
    for (uint32_t k = 0; k < s->nstrands; k++)
        if (check_steps(st, s, k) != 0)
            return 1;
    if (s->nstrands > 1) {
        memset(st->mark, 0, bine_piece_count(s) * sizeof *st->mark);
        for (uint32_t k = 0; k < s->nstrands; k++)
            if (check_strands(st, s, k) != 0)
                return 1;
        memset(st->mark, 0, bine_piece_count(s) * sizeof *st->mark);
    }
    return 0;
}
