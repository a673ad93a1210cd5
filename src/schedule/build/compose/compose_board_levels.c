/* Collectives on the boards of one node in two steps, for few bytes and many ranks: no rank reads
 * from more than about 2 sqrt(p) others, one line of memory after the other, and no board is read
 * by more. See pattern/teams.h for the teams.
 *
 * To and from a root each team has a leader, the root in its own: step 0 between it and the root
 * (backwards: and its team), step 1 the other one. Between all ranks, step 0 is in the team, with
 * everyone; step 1 is with one rank of every team, each reader with another one. Teams are runs of
 * ranks, so that sums in the team, then over the teams, are in rank order. */
#include "schedule/build/compose/compose_board.h"

#include "pattern/teams.h"

struct levels {
    const struct bine_spec *request;
    int p, r, root, teams;
    struct bine_team mine;
    int at; /* place in the own team */
};

static struct levels levels_of(const struct bine_spec *spec) {
    int p = spec->p, r = spec->rank;
    struct bine_team mine = bine_team_at(p, bine_team_of(p, r));
    return (struct levels){spec, p, r, spec->root, bine_teams(p), mine, r - mine.first};
}

static int is_in(struct bine_team t, int rank) {
    return rank >= t.first && rank < t.first + t.size;
}

/* The rank of a team that stands for it: the root in its own. */
static int leader_of(const struct levels *x, struct bine_team t) {
    return is_in(t, x->root) ? x->root : t.first;
}

/* The rank of a team that the own rank turns to: all of a team are turned to by about as many. */
static int opposite(const struct levels *x, struct bine_team t) {
    return t.first + x->at % t.size;
}

static void levels_bcast(struct bine_schedule *s, const struct levels *x) {
    int leader = leader_of(x, x->mine), direct = x->r == leader || leader == x->root;
    struct bine_lot in = {BINE_IN, 0, 1}, out = {BINE_OUT, 0, 1};
    if (x->r == x->root)
        bine_board_show(s, 0, 0, 0, in);
    else
        bine_board_read(s, direct ? 0 : 1, leader == x->r ? x->root : leader, 0, 0, out);
    if (x->r == leader && x->r != x->root && x->mine.size > 1)
        bine_board_show(s, 1, 0, 0, out);
}

/* The sum of a team by its leader, and of the teams by the root. */
static void levels_reduce(struct bine_schedule *s, const struct levels *x) {
    int leads = x->r == leader_of(x, x->mine), at_root = x->r == x->root;
    struct bine_lot sum = {at_root ? BINE_OUT : BINE_TMP, 0, 1};
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, 1});
    if (!leads)
        return;
    if (!at_root)
        bine_schedule_space(s, BINE_TMP, 1, BINE_NATURAL, 0);
    for (int k = 0; k < x->mine.size; k++)
        bine_board_add(s, 0, k == 0, x->mine.first + k, 0, 0, sum);
    if (x->teams > 1)
        bine_board_show(s, 1, 0, 0, sum);
    for (int i = 0; i < x->teams && at_root && x->teams > 1; i++)
        bine_board_add(s, 1, i == 0, leader_of(x, bine_team_at(x->p, i)), 0, 0, sum);
}

static void levels_allreduce(struct bine_schedule *s, const struct levels *x) {
    struct bine_lot sum = {BINE_OUT, 0, 1};
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, 1});
    for (int k = 0; k < x->mine.size; k++)
        bine_board_add(s, 0, k == 0, x->mine.first + k, 0, 0, sum);
    if (x->teams > 1)
        bine_board_show(s, 1, 0, 0, sum);
    for (int i = 0; i < x->teams && x->teams > 1; i++)
        bine_board_add(s, 1, i == 0, opposite(x, bine_team_at(x->p, i)), 0, 0, sum);
}

static void levels_barrier(struct bine_schedule *s, const struct levels *x) {
    struct bine_lot nothing = {BINE_IN, 0, 0};
    bine_board_show(s, 0, 0, 0, nothing);
    for (int i = 1; i < x->mine.size; i++)
        bine_board_read(s, 0, x->mine.first + (x->at + i) % x->mine.size, 0, 0, nothing);
    if (x->teams > 1)
        bine_board_show(s, 1, 0, 0, nothing);
    for (int i = 1; i < x->teams; i++) {
        struct bine_team t = bine_team_at(x->p, (bine_team_of(x->p, x->r) + i) % x->teams);
        bine_board_read(s, 1, opposite(x, t), 0, 0, nothing);
    }
}

/* A leader's own block is in `in`, the blocks of its team are in tmp. */
static void lead_gather(struct bine_schedule *s, const struct levels *x) {
    struct bine_team t = x->mine;
    if (t.size > 1) {
        bine_schedule_space(s, BINE_TMP, 0, BINE_SUBSET, 0);
        bine_schedule_subset(s, BINE_TMP, t.first + 1, t.size - 1);
    }
    for (int k = 1; k < t.size; k++)
        bine_board_read(s, 0, t.first + k, t.first + k, t.first + k,
                        (struct bine_lot){BINE_TMP, k - 1, 1});
    bine_board_show(s, 1, 0, t.first, (struct bine_lot){BINE_IN, 0, 1});
    if (t.size > 1)
        bine_schedule_run(s, BINE_TMP, 0, t.size - 1, 0);
}

static void levels_gather(struct bine_schedule *s, const struct levels *x) {
    if (x->r != leader_of(x, x->mine)) {
        bine_board_show(s, 0, 0, x->r, (struct bine_lot){BINE_IN, 0, 1});
        return;
    }
    if (x->r != x->root) {
        lead_gather(s, x);
        return;
    }
    for (int k = x->mine.first; k < x->mine.first + x->mine.size; k++)
        if (k != x->r)
            bine_board_read(s, 0, k, k, k, (struct bine_lot){BINE_OUT, k, 1});
    for (int i = 0; i < x->teams; i++) {
        struct bine_team t = bine_team_at(x->p, i);
        if (!is_in(t, x->r))
            bine_board_read(s, 1, t.first, t.first, t.first,
                            (struct bine_lot){BINE_OUT, t.first, t.size});
    }
    bine_board_keep(s, x->request);
}

static void levels_scatter(struct bine_schedule *s, const struct levels *x) {
    int leader = leader_of(x, x->mine), first = x->mine.first, others = x->mine.size - 1;
    struct bine_lot own = {BINE_OUT, 0, 1}, rest = {BINE_TMP, 0, others};
    if (x->r == x->root) {
        bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, x->p});
        bine_board_keep(s, x->request);
    } else if (x->r != leader) {
        int direct = leader == x->root;
        bine_board_read(s, direct ? 0 : 1, leader, direct ? 0 : first + 1, x->r, own);
    } else {
        if (others > 0) {
            bine_schedule_space(s, BINE_TMP, 0, BINE_SUBSET, 0);
            bine_schedule_subset(s, BINE_TMP, first + 1, others);
        }
        bine_board_read(s, 0, x->root, 0, x->r, own);
        if (others > 0) {
            bine_board_read(s, 0, x->root, 0, first + 1, rest);
            bine_board_show(s, 1, 0, first + 1, rest);
        }
    }
}

static void levels_allgather(struct bine_schedule *s, const struct levels *x) {
    bine_board_show(s, 0, 0, x->r, (struct bine_lot){BINE_IN, 0, 1});
    for (int i = 1; i < x->mine.size; i++) {
        int q = x->mine.first + (x->at + i) % x->mine.size;
        bine_board_read(s, 0, q, q, q, (struct bine_lot){BINE_OUT, q, 1});
    }
    bine_board_keep(s, x->request);
    if (x->teams > 1)
        bine_board_show(s, 1, 0, x->mine.first,
                        (struct bine_lot){BINE_OUT, x->mine.first, x->mine.size});
    for (int i = 1; i < x->teams; i++) {
        struct bine_team t = bine_team_at(x->p, (bine_team_of(x->p, x->r) + i) % x->teams);
        bine_board_read(s, 1, opposite(x, t), t.first, t.first,
                        (struct bine_lot){BINE_OUT, t.first, t.size});
    }
}

/* The blocks that the k-th rank of a team takes from all of it: the blocks of a run of ranks. */
static struct bine_team share_of(const struct levels *x, struct bine_team t, int k) {
    int first = bine_part_begin(x->p, t.size, k);
    return (struct bine_team){first, bine_part_begin(x->p, t.size, k + 1) - first};
}

/* The rank of a team that has the blocks of the own rank. */
static int keeper_of(const struct levels *x, struct bine_team t, struct bine_team *share) {
    int k = bine_part_of(x->p, t.size, x->r);
    *share = share_of(x, t, k);
    return t.first + k;
}

static void levels_reduce_scatter(struct bine_schedule *s, const struct levels *x) {
    struct bine_team share = share_of(x, x->mine, x->at);
    struct bine_lot own = {BINE_OUT, 0, 1}, sums = {BINE_TMP, 0, share.size};
    if (x->teams == 1) { /* everyone's share is its own block */
        sums = own;
    } else {
        bine_schedule_space(s, BINE_TMP, 0, BINE_SUBSET, 0);
        bine_schedule_subset(s, BINE_TMP, share.first, share.size);
    }
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, x->p});
    for (int k = 0; k < x->mine.size; k++)
        bine_board_add(s, 0, k == 0, x->mine.first + k, 0, share.first, sums);
    if (x->teams == 1)
        return;
    bine_board_show(s, 1, 0, share.first, sums);
    for (int i = 0; i < x->teams; i++) {
        int q = keeper_of(x, bine_team_at(x->p, i), &share);
        bine_board_add(s, 1, i == 0, q, share.first, x->r, own);
    }
}

/* Step 0: of everyone in the team, the blocks for the own share of the ranks, put down such that
 * blocks for one rank lie together. */
static void levels_alltoall(struct bine_schedule *s, const struct levels *x) {
    struct bine_team share = share_of(x, x->mine, x->at);
    int size = x->mine.size, collects = x->teams > 1;
    if (collects)
        bine_schedule_space(s, BINE_TMP, share.size * size, BINE_SLOTS, 0);
    bine_board_show(s, 0, 0, 0, (struct bine_lot){BINE_IN, 0, x->p});
    for (int i = 0; i < size; i++) {
        int k = (x->at + i) % size, q = x->mine.first + k;
        bine_schedule_read(s, q, 0, share.first);
        for (int j = 0; j < share.size; j++)
            bine_schedule_run(s, collects ? BINE_TMP : BINE_OUT, collects ? j * size + k : q, 1, 0);
    }
    if (!collects)
        return;
    bine_board_show(s, 1, 0, 0, (struct bine_lot){BINE_TMP, 0, share.size * size});
    for (int i = 0; i < x->teams; i++) {
        struct bine_team t = bine_team_at(x->p, (bine_team_of(x->p, x->r) + i) % x->teams);
        int q = keeper_of(x, t, &share);
        bine_board_read(s, 1, q, 0, (x->r - share.first) * t.size,
                        (struct bine_lot){BINE_OUT, t.first, t.size});
    }
}

static void (*const levels[BINE_COLLECTIVES])(struct bine_schedule *, const struct levels *) = {
    [BINE_BCAST] = levels_bcast,         [BINE_REDUCE] = levels_reduce,
    [BINE_ALLREDUCE] = levels_allreduce, [BINE_GATHER] = levels_gather,
    [BINE_SCATTER] = levels_scatter,     [BINE_ALLGATHER] = levels_allgather,
    [BINE_ALLTOALL] = levels_alltoall,   [BINE_REDUCE_SCATTER] = levels_reduce_scatter,
    [BINE_BARRIER] = levels_barrier,
};

int bine_compose_board_levels(struct bine_schedule *s, const struct bine_spec *spec) {
    bine_board_spaces(s, spec);
    struct levels x = levels_of(spec);
    if (spec->p > 1)
        levels[s->collective](s, &x);
    else
        bine_board_keep(s, spec);
    return 0;
}
