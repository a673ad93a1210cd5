/* Allgather and reduce-scatter with no more on any link between groups than must be: along
 * stretches of pieces of blocks, some of which are relayed (pattern/groups/relays.h). Pieces in
 * zones go in a strand of their own, which takes a time longer, so that relays pass on while the
 * other pieces cross. */
#include "schedule/build/compose/compose.h"

/* The ways of the strands, and the plan that they share. */
struct balance {
    struct bine_relays relays;
    struct bine_stretch_way way[2];
    int strands;
};

static int balance_open(struct balance *b, const struct bine_spec *spec) {
    struct bine_stretch_way way = bine_request_way(spec, BINE_STRETCH_RANKS);
    way.few = 0;
    way.stretches.each = way.stretches.pieces / spec->p;
    if (bine_relays_open(&b->relays, spec->groups, way.stretches.each) != 0)
        return -1;
    b->strands = b->relays.groups > 0 ? 2 : 1;
    way.relays = &b->relays;
    for (int k = 0; k < b->strands; k++) {
        way.zones = b->strands == 1 ? BINE_ZONES_ALL
                    : k == 0        ? BINE_ZONES_ONLY
                                    : BINE_ZONES_WITHOUT;
        b->way[k] = way;
    }
    return 0;
}

/* The pieces of a rank's block that strand k moves: those in zones come first. */
static struct bine_interval own_pieces(const struct balance *b, const struct bine_groups *g, int k,
                                       int rank) {
    int each = b->way[0].stretches.each;
    if (b->strands == 1)
        return (struct bine_interval){0, each};
    int group = g->level[1].set_of[rank];
    int before = (g->level[g->levels - 1].set_of[rank] - g->level[1].begin[group]) * each;
    int inside = bine_relays_zones(&b->relays, group) - before;
    inside = inside < 0 ? 0 : inside < each ? inside : each;
    return k == 0 ? (struct bine_interval){0, inside}
                  : (struct bine_interval){inside, each - inside};
}

/* Consecutive pieces, as a local operation of the last step. */
static void copy_pieces(struct bine_schedule *s, struct bine_run to, struct bine_run from) {
    bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
    bine_schedule_run(s, to.space, to.first, (int)to.count, 0);
    bine_schedule_with(s, from.space, from.first, (int)from.count);
}

/* Begin strand k; its moves. 0, or -1 when out of memory. */
static int begin_strand(struct bine_schedule *s, const struct balance *b, int k,
                        struct bine_moves *m) {
    if (bine_moves_stretches(m, &b->way[k], s->rank) != 0)
        return -1;
    if (k > 0)
        bine_schedule_strand(s);
    s->times = k == 0 || m->times > s->times ? m->times : s->times;
    return 0;
}

int bine_compose_balanced_allgather(struct bine_schedule *s, const struct bine_spec *spec) {
    struct balance b;
    int rc = bine_spec_uses_boards(spec) ? 1 : balance_open(&b, spec);
    if (rc != 0)
        return rc > 0 ? bine_compose_group_allgather(s, spec) : -1;
    int each = b.way[0].stretches.each, own = spec->rank * each;
    s->parts = each;
    bine_schedule_space(s, BINE_IN, each, BINE_ONE, own);
    bine_schedule_space(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
    for (int k = 0; k < b.strands && rc == 0; k++) {
        struct bine_moves m;
        if ((rc = begin_strand(s, &b, k, &m)) != 0)
            break;
        struct bine_interval mine = own_pieces(&b, spec->groups, k, spec->rank);
        if (mine.count > 0 && !spec->in_place) {
            bine_schedule_step(s, -1);
            copy_pieces(s, bine_pieces(BINE_OUT, own + mine.first, mine.count),
                        bine_pieces(BINE_IN, mine.first, mine.count));
        }
        bine_emit_forward(s, &m, 0, (struct bine_store){BINE_OUT, 0});
        bine_moves_free(&m);
    }
    bine_relays_close(&b.relays);
    return rc;
}

/* All pieces that strand k moves, from `in` to tmp. */
static void copy_input(struct bine_schedule *s, const struct bine_spec *spec,
                       const struct balance *b, int k) {
    int each = b->way[0].stretches.each;
    bine_schedule_step(s, -1);
    bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
    for (int with = 0; with < 2; with++)
        for (int r = 0; r < spec->p; r++) {
            struct bine_interval x = own_pieces(b, spec->groups, k, r);
            if (x.count > 0 && with)
                bine_schedule_with(s, BINE_IN, r * each + x.first, x.count);
            else if (x.count > 0)
                bine_schedule_run(s, BINE_TMP, r * each + x.first, x.count, 1);
        }
}

/* In place, `out` lies on top of `in`: a strand that is through first would overwrite what the
 * other one has yet to read, so that both begin with a copy. */
int bine_compose_balanced_reduce_scatter(struct bine_schedule *s, const struct bine_spec *spec) {
    struct balance b;
    int rc = bine_spec_uses_boards(spec) ? 1 : balance_open(&b, spec);
    if (rc != 0)
        return rc > 0 ? bine_compose_reduce_scatter(s, spec) : -1;
    int each = b.way[0].stretches.each, copied = b.strands > 1 && spec->in_place;
    s->parts = each;
    s->whole = 1;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, each, BINE_ONE, spec->rank * each);
    bine_schedule_space(s, BINE_TMP, s->blocks, BINE_NATURAL, 0);
    for (int k = 0; k < b.strands && rc == 0; k++) {
        struct bine_moves m;
        if ((rc = begin_strand(s, &b, k, &m)) != 0)
            break;
        if (copied)
            copy_input(s, spec, &b, k);
        bine_emit_reduce(s, &m, 0, BINE_TMP, copied ? BINE_TMP : BINE_IN, -1);
        struct bine_interval own = own_pieces(&b, spec->groups, k, spec->rank);
        int from = spec->rank * each + own.first, alone = spec->p == 1;
        if (alone)
            bine_schedule_step(s, -1);
        if (own.count > 0 && !(alone && spec->in_place))
            copy_pieces(s, bine_pieces(BINE_OUT, own.first, own.count),
                        bine_pieces(alone ? BINE_IN : BINE_TMP, from, own.count));
        bine_moves_free(&m);
    }
    bine_relays_close(&b.relays);
    return rc;
}
