/* Moves along stretches (pattern/stretches.h): crossings between the sets of each level, and rounds
 * inside the smallest ones.
 *
 * When. With two lines, groups and ranks, line 0 begins its rounds at once, and a crossing may
 * leave after any of them: after t rounds a rank can send what w(t) ranks had at first in one
 * message. Between large groups there is no need for that; a small group, whose ranks own much,
 * takes it in few messages. With more lines the crossings follow each other, each after the rounds
 * of the lines before it, or, where messages may be many, all of them before any round.
 * (Crossings: moves_crossing.c.) */
#include "schedule/build/moves/moves_stretch.h"
#include "schedule/build/moves/moves_list.h"

#include "schedule/build/moves/moves_listing.h"

#include <stdlib.h>

int bine_stretch_class(const struct bine_groups *g, int rank) {
    int level = g->levels > 2, size = bine_groups_size(g, level, g->level[level].set_of[rank]),
        n = 0;
    while (n + 1 < BINE_STRETCH_CLASSES && size >> (n + 1) > 0)
        n++;
    return n;
}

static void add(struct bine_listing *x, int time, enum bine_direction direction, int place,
                struct bine_interval pieces) {
    if (x->count == x->room)
        x->entry = bine_moves_grown(x->entry, &x->room, sizeof *x->entry, &x->failed);
    if (x->failed || pieces.count == 0)
        return;
    int peer = x->g->member[place], p = x->g->p;
    int receiver = direction == BINE_TO ? peer : x->rank;
    if (x->way->of_class >= 0 && bine_stretch_class(x->g, receiver) != x->way->of_class)
        return;
    int turn = direction == BINE_TO ? (place - x->place + p) % p : (x->place - place + p) % p;
    /* What goes over boards is done before the messages of its time. */
    int level = x->g->levels - 2, near = x->g->level[level].set_of[peer];
    turn += x->s->flat && near != x->g->level[level].set_of[x->rank] ? p : 0;
    x->entry[x->count++] = (struct bine_listed){time, (int32_t)direction, peer, turn, pieces};
}

/* The next of some pieces that are in zones, or not, as the way wants them: they are taken off. */
static struct bine_interval next_wanted(const struct bine_listing *x, struct bine_interval *rest) {
    int each = bine_stretch_each(x->s);
    struct bine_interval found = *rest;
    if (x->way->zones == BINE_ZONES_ALL) {
        rest->count = 0;
        return found;
    }
    for (found.count = 0; rest->count > 0 && found.count == 0;) {
        int at = rest->first, group = bine_listing_set(x, 1, at / each);
        int zones = x->g->level[1].begin[group] * each + bine_relays_zones(x->way->relays, group);
        int inside = at < zones, until = inside ? zones : x->g->level[1].begin[group + 1] * each;
        int n = until - at < rest->count ? until - at : rest->count;
        if (inside == (x->way->zones == BINE_ZONES_ONLY))
            found = (struct bine_interval){at, n};
        rest->first += n;
        rest->count -= n;
    }
    return found;
}

void bine_listing_add(struct bine_listing *x, int time, enum bine_direction direction, int place,
                      struct bine_interval pieces) {
    while (pieces.count > 0)
        add(x, time, direction, place, next_wanted(x, &pieces));
}

void bine_listing_places(struct bine_listing *x, int time, enum bine_direction direction, int peer,
                         const struct bine_line *line, int a, int z) {
    struct bine_interval some[BINE_LINE_PARTS];
    int n = bine_line_pieces(line, a, z, some);
    for (int i = 0; i < n; i++)
        bine_listing_add(x, time, direction, peer, some[i]);
}

/* --- Rounds inside a smallest set */

/* The ranks of a smallest set in a circle, without a root that has everything already. */
struct ring {
    int first, size, without; /* places of `member`; without: -1: none */
};

static struct ring ring_of(const struct bine_listing *x, int set) {
    struct ring r = {bine_listing_first(x, x->base, set), bine_listing_size(x, x->base, set), -1};
    if (bine_stretch_has_root(x->s, x->base, set) && !x->way->root_adds) {
        r.without = x->g->level[x->g->levels - 1].set_of[x->s->root];
        r.size--;
    }
    return r;
}

static int ring_place(const struct ring *r, int position) {
    int place = r->first + position;
    return place + (r->without >= 0 && place >= r->without);
}

static int ring_position(const struct ring *r, int place) {
    return place - r->first - (r->without >= 0 && place > r->without);
}

/* The stretches of `count` ranks of a ring, the last of which is at a position. */
static void add_ring(struct bine_listing *x, int time, enum bine_direction direction,
                     const struct bine_line *line, const struct ring *r, int peer, int last,
                     int count) {
    int low = last - count + 1, to = ring_place(r, peer);
    if (low < 0) {
        bine_listing_places(x, time, direction, to, line,
                            bine_stretch_begin(x->s, line, ring_place(r, low + r->size)),
                            bine_stretch_begin(x->s, line, r->first + r->size + (r->without >= 0)));
        low = 0;
    }
    bine_listing_places(x, time, direction, to, line,
                        bine_stretch_begin(x->s, line, ring_place(r, low)),
                        bine_stretch_begin(x->s, line, ring_place(r, last) + 1));
}

static void add_round(struct bine_listing *x, int time, const struct bine_line *line,
                      const struct ring *r, int width, int next) {
    int me = ring_position(r, x->place), n = r->size;
    for (int k = width; k < next; k += width) {
        int count = next - k < width ? next - k : width, from = (me - k + n) % n;
        add_ring(x, time, BINE_FROM, line, r, from, from, count);
        add_ring(x, time, BINE_TO, line, r, (me + k) % n, me, count);
    }
}

/* One part of a line after the other, from each rank to all others. */
static void add_flat(struct bine_listing *x, int time, const struct bine_line *line,
                     const struct ring *r) {
    for (int i = 0, at = 0; i < line->parts; at += line->part[i++].count)
        for (int k = 0; k < r->size; k++) {
            int there = ring_place(r, k), end = at + line->part[i].count;
            for (int to = 0; to < 2 && there != x->place; to++) {
                int owner = to ? x->place : there, a = bine_stretch_begin(x->s, line, owner),
                    z = bine_stretch_begin(x->s, line, owner + 1);
                bine_listing_places(x, time + i, to ? BINE_TO : BINE_FROM, there, line,
                                    a > at ? a : at, z < end ? z : end);
            }
        }
}

static void add_rounds(struct bine_listing *x, int k, int time) {
    int width[BINE_ROUNDS_MOST + 1];
    struct bine_line line;
    struct ring r = ring_of(x, bine_listing_set(x, x->base, x->place));
    if (x->place == r.without)
        return;
    bine_line_make(x->s, k, bine_listing_set(x, k, x->place), &line);
    if (x->s->flat) {
        add_flat(x, time, &line, &r);
        return;
    }
    int rounds = bine_listing_widths(x, r.size, width);
    for (int t = 0; t < rounds; t++)
        add_round(x, time + t, &line, &r, width[t], width[t + 1]);
}

/* --- The way out from a root */

/* Who has the pieces at a point of the way: the owners of a line of the root's sets, or the root.
 */
struct holders {
    int level; /* -1: the root */
    struct bine_line line;
};

static struct holders holders_at(const struct bine_listing *x, int level) {
    struct holders h = {.level = level};
    if (level >= 0)
        bine_line_make(x->s, level, x->g->level[level].set_of[x->s->root], &h.line);
    return h;
}

/* The pieces of this rank among them: lines of the root's sets hold the vector as it is. */
static struct bine_interval held(const struct bine_listing *x, const struct holders *h) {
    if (h->level < 0)
        return (struct bine_interval){0, x->rank == x->s->root ? x->s->pieces : 0};
    if (bine_listing_set(x, h->level, x->place) != h->line.set)
        return (struct bine_interval){0, 0};
    int a = bine_stretch_begin(x->s, &h->line, x->place);
    return (struct bine_interval){a, bine_stretch_begin(x->s, &h->line, x->place + 1) - a};
}

/* Between this rank's pieces and whoever has them at the other end. */
static void add_ends(struct bine_listing *x, int time, enum bine_direction direction,
                     const struct holders *h, struct bine_interval mine) {
    int a = mine.first, z = a + mine.count;
    if (h->level < 0) {
        add(x, time, direction, x->g->level[x->g->levels - 1].set_of[x->s->root], mine);
        return;
    }
    int low = bine_listing_first(x, h->level, h->line.set),
        high = low + bine_listing_size(x, h->level, h->line.set);
    while (a < z) {
        int owner = bine_stretch_owner(x->s, &h->line, a, low, high);
        int end = bine_stretch_begin(x->s, &h->line, owner + 1);
        end = end < z ? end : z;
        add(x, time, direction, owner, (struct bine_interval){a, end - a});
        a = end;
    }
}

/* One step of the way: from the root, or from the owners of an inner line, to those of a line. */
static void add_step_out(struct bine_listing *x, int time, int from, int level) {
    struct holders before = holders_at(x, from), after = holders_at(x, level);
    add_ends(x, time, BINE_TO, &after, held(x, &before));
    add_ends(x, time, BINE_FROM, &before, held(x, &after));
}

/* The levels of the root's sets that have owners, from the innermost out. */
static int levels_out(const struct bine_listing *x, int level[BINE_LEVELS_MOST + 2]) {
    int n = 0;
    for (int k = x->lines - 1; k >= 0 && x->s->kind == BINE_STRETCH_HUNG; k--)
        if (bine_line_owners(x->s, k, x->g->level[k].set_of[x->s->root]) > 0)
            level[n++] = k;
    return n;
}

/* Whether a sum is complete before it comes to the root: other ranks of its smallest set have it.
 */
static int is_complete(const struct bine_listing *x) {
    return x->way->root_adds &&
           bine_line_owners(x->s, x->base, x->g->level[x->base].set_of[x->s->root]) > 0;
}

/* --- Times at which any rank sends: alike on all of them */

/* Whether any of the pieces at some places of a line is wanted. */
static int has_wanted(const struct bine_listing *x, const struct bine_line *line, int a, int z) {
    struct bine_interval some[BINE_LINE_PARTS];
    int n = bine_line_pieces(line, a, z, some);
    for (int i = 0; i < n; i++)
        if (next_wanted(x, &some[i]).count > 0)
            return 1;
    return 0;
}

int bine_listing_has(const struct bine_listing *x, int k, int level, int set) {
    struct bine_line line;
    int first = bine_listing_first(x, level, set), end = first + bine_listing_size(x, level, set);
    bine_line_make(x->s, k, bine_listing_set(x, k, first), &line);
    return has_wanted(x, &line, bine_stretch_begin(x->s, &line, first),
                      bine_stretch_begin(x->s, &line, end));
}

/* Each part of a line at a time of its own. */
static void mark_flat(const struct bine_listing *x, int set, int k, int time, int *used) {
    struct bine_line line;
    int first = bine_listing_first(x, x->base, set), at = 0;
    bine_line_make(x->s, k, bine_listing_set(x, k, first), &line);
    int low = bine_stretch_begin(x->s, &line, first);
    int high = bine_stretch_begin(x->s, &line, first + bine_listing_size(x, x->base, set));
    for (int i = 0; i < line.parts; at += line.part[i++].count)
        if (low < at + line.part[i].count && high > at && low < high)
            used[time + i] = 1;
}

static void mark_rounds(const struct bine_listing *x, int set, int k, int *used) {
    int width[BINE_ROUNDS_MOST + 1], first = bine_listing_first(x, x->base, set);
    int time = bine_crossing_rounds_begin(x, k, bine_listing_set(x, x->lines > 1, first));
    int size = ring_of(x, set).size;
    if (size < 2)
        return;
    if (x->s->flat) {
        mark_flat(x, set, k, time, used);
        return;
    }
    int rounds = bine_listing_has(x, k, x->base, set) ? bine_listing_widths(x, size, width) : 0;
    for (int t = 0; t < rounds; t++)
        used[time + t] = 1;
}

/* 0 when out of memory. */
static int number_times(struct bine_listing *x) {
    int most = x->out + x->lines - 1 + bine_listing_relays(x);
    for (int k = 0; k < x->lines; k++)
        most += bine_listing_times(x, k);
    x->number = calloc((size_t)most + 1, sizeof *x->number);
    if (x->number == NULL)
        return 0;
    for (int i = is_complete(x); i < x->out; i++)
        x->number[i] = 1;
    for (int k = 0; k < x->lines; k++) {
        for (int set = 0; set < x->g->level[x->base].sets; set++)
            mark_rounds(x, set, k, x->number);
        if (k + 1 < x->lines)
            bine_crossing_mark(x, k, x->number);
    }
    for (int t = 0; t <= most; t++) {
        int used = x->number[t];
        x->number[t] = x->times;
        x->times += used;
    }
    return 1;
}

/* --- From entries to messages */

static int by_message(const void *a, const void *b) {
    const struct bine_listed *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return (x->pieces.first > y->pieces.first) - (x->pieces.first < y->pieces.first);
}

static void list_moves(struct bine_listing *x, struct bine_moves *m) {
    bine_moves_open(m, x->times);
    if (x->count > 0)
        qsort(x->entry, x->count, sizeof *x->entry, by_message);
    for (uint32_t i = 0; i < x->count && !x->failed; i++) {
        const struct bine_listed *e = &x->entry[i];
        if (i == 0 || e->time != e[-1].time || e->direction != e[-1].direction ||
            e->peer != e[-1].peer)
            bine_moves_add(m, x->number[e->time], (enum bine_direction)e->direction, e->peer);
        bine_moves_span(m, e->pieces.first, e->pieces.count, 0);
    }
    m->failed |= x->failed;
    bine_moves_mark_fresh(m);
    free(x->entry);
    free(x->before);
    free(x->number);
}

static int by_block(const void *a, const void *b) {
    const struct bine_span *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* How many of the pieces from one on, of blocks of ranks, follow each other in natural order. */
static int natural_run(const int32_t *member, int each, int at, int end) {
    int n = each - at % each;
    while (at + n < end && member[(at + n) / each] == member[(at + n) / each - 1] + 1)
        n += each;
    return at + n < end ? n : end - at;
}

/* Pieces that are of blocks of ranks: those of a span are of the blocks of its places of `member`.
 */
static void name_blocks(struct bine_moves *m, const int32_t *member, int each) {
    struct bine_moves old = *m;
    bine_moves_open(m, old.times);
    m->failed = old.failed;
    for (uint32_t k = 0; k < old.nmoves && !m->failed; k++) {
        const struct bine_move *mv = &old.move[k];
        bine_moves_add(m, mv->time, (enum bine_direction)mv->direction, mv->peer);
        for (uint32_t i = mv->spans; i < mv->spans + mv->nspans; i++)
            for (int32_t at = old.span[i].first, end = at + old.span[i].count, n; at < end;
                 at += n) {
                n = natural_run(member, each, at, end);
                bine_moves_span(m, member[at / each] * each + at % each, n, old.span[i].fresh);
            }
        if (!m->failed && m->nmoves > 0)
            qsort(m->span + m->move[m->nmoves - 1].spans, m->move[m->nmoves - 1].nspans,
                  sizeof *m->span, by_block);
    }
    bine_moves_free(&old);
}

static struct bine_listing listing_of(const struct bine_stretch_way *way, int rank) {
    struct bine_listing x = {
        .way = way, .s = &way->stretches, .g = way->stretches.groups, .rank = rank};
    int width[BINE_ROUNDS_MOST + 1], level[BINE_LEVELS_MOST + 2];
    x.place = x.g->level[x.g->levels - 1].set_of[rank];
    x.lines = bine_stretch_lines(x.s);
    x.base = x.lines - 1;
    x.before = calloc(2 * (size_t)bine_groups_count(x.g), sizeof *x.before);
    x.rounds_of = x.before != NULL ? x.before + bine_groups_count(x.g) : NULL;
    for (int i = 0; i < x.g->level[x.base].sets; i++) {
        int rounds = bine_listing_widths(&x, bine_listing_size(&x, x.base, i), width);
        x.rounds = rounds > x.rounds ? rounds : x.rounds;
        if (x.lines == 2 && x.rounds_of != NULL)
            x.rounds_of[i] = rounds;
    }
    x.out = levels_out(&x, level);
    if (x.before != NULL && x.lines == 2)
        bine_crossing_rounds_before(&x);
    x.failed = x.before == NULL || !number_times(&x);
    return x;
}

int bine_moves_stretches(struct bine_moves *m, const struct bine_stretch_way *way, int rank) {
    if (way->stretches.groups->p == 1) {
        bine_moves_open(m, 0);
        return 0;
    }
    struct bine_listing x = listing_of(way, rank);
    int level[BINE_LEVELS_MOST + 2], n = levels_out(&x, level);
    for (int i = is_complete(&x); i < n && !x.failed; i++)
        add_step_out(&x, i, i > 0 ? level[i - 1] : -1, level[i]);
    for (int k = 0; k < x.lines && !x.failed; k++) {
        add_rounds(&x, k,
                   bine_crossing_rounds_begin(&x, k, bine_listing_set(&x, x.lines > 1, x.place)));
        if (k + 1 < x.lines)
            bine_crossing_add(&x, k);
    }
    list_moves(&x, m);
    if (way->stretches.kind == BINE_STRETCH_RANKS)
        name_blocks(m, x.g->member, bine_stretch_each(x.s));
    return bine_moves_close(m);
}

int bine_moves_stretch_last(struct bine_moves *m, const struct bine_stretch_way *way, int rank) {
    if (way->stretches.groups->p == 1) {
        bine_moves_open(m, 0);
        return 0;
    }
    struct bine_listing x = listing_of(way, rank);
    if (!x.failed && is_complete(&x)) {
        x.number[0] = 0;
        add_step_out(&x, 0, -1, x.base);
    }
    x.times = is_complete(&x);
    list_moves(&x, m);
    return bine_moves_close(m);
}
