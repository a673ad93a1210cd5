/* Crossings between the sets of a level, along stretches: when they leave, and who sends what.
 *
 * Both ends of a message compute it from the receiver: its stretch, the ranks of the other set that
 * have it, and which of them sends. */
#include "schedule/build/moves/moves_listing.h"

/* The messages that all groups send out after t rounds to a single rank. */
static int64_t messages_after(const struct bine_listing *x, int t) {
    int width[BINE_ROUNDS_MOST + 1];
    int64_t messages = 0;
    for (int set = 0; set < x->g->level[1].sets; set++) {
        int n = bine_listing_size(x, 1, set), rounds = bine_listing_widths(x, n, width);
        int w = width[t < rounds ? t : rounds];
        messages += (n + w - 1) / w;
    }
    return messages;
}

void bine_crossing_rounds_before(struct bine_listing *x) {
    int sets = x->g->level[1].sets, width[BINE_ROUNDS_MOST + 1];
    for (int t = x->rounds - 1; t >= 0 && x->way->few > 0; t--) {
        int64_t all = messages_after(x, t);
        for (int set = 0; set < sets; set++) {
            int n = bine_listing_size(x, 1, set), rounds = bine_listing_widths(x, n, width);
            int w = width[t < rounds ? t : rounds];
            if (all - (n + w - 1) / w > (int64_t)x->way->few * n && x->before[set] == 0)
                x->before[set] = t + 1;
        }
    }
}

/* When a crossing of a level leaves a set for another, and how many ranks of a ring of n have
 * brought together what they had by then. */
struct departure {
    int time, rounds; /* rounds -1: all */
};

static struct departure departure_of(const struct bine_listing *x, int level, int from, int into) {
    int time = x->out + level + (level > 0 ? bine_listing_relays(x) : 0);
    if (x->way->few == 0)
        return (struct departure){time, 0};
    if (x->lines == 2) {
        int t = x->before[into], most = x->rounds_of[from];
        t = t < most ? t : most;
        return (struct departure){x->out + t, t};
    }
    for (int k = 0; k <= level; k++)
        time += bine_listing_times(x, k);
    return (struct departure){time, -1};
}

int bine_crossing_rounds_begin(const struct bine_listing *x, int k, int own) {
    int last = x->out, time = x->out;
    if (k == 0 && (x->lines <= 2 || x->way->few > 0))
        return x->out;
    if (x->lines == 2) {
        for (int set = 0; set < x->g->level[1].sets && x->way->few > 0; set++) {
            int leaves = set == own ? 0 : departure_of(x, 0, set, own).time;
            last = leaves > last ? leaves : last;
        }
        return bine_stretch_has_root(x->s, 1, own) ? x->out : last + 1 + bine_listing_relays(x);
    }
    /* A publication of blocks may have gaps where those of the node are: these come first. */
    for (int i = 0; i < k; i++)
        time += (x->way->few > 0) + (x->way->few > 0 || x->s->flat ? bine_listing_times(x, i) : 0);
    return time + (x->way->few == 0 ? x->lines - 1 + bine_listing_relays(x) : 0);
}

/* The receiver of a crossing. */
struct taker {
    int level; /* of its set, which the line is of */
    int place;
    const struct bine_line *line;
};

/* What a rank takes from a set out of one line: from whom, and which places of that line. A rank
 * that is not the receiver is one of the senders, and lists only what it sends. */
static void add_chunks(struct bine_listing *x, const struct taker *to, const struct bine_line *line,
                       int from, int a, int z) {
    int width[BINE_ROUNDS_MOST + 1], level = to->level;
    int low = bine_listing_first(x, level, from), high = low + bine_listing_size(x, level, from);
    struct departure d = departure_of(x, level - 1, from, bine_listing_set(x, level, to->place));
    while (a < z) {
        int owner = bine_stretch_owner(x->s, line, a, low, high);
        int smallest = bine_listing_set(x, x->base, owner),
            n = bine_listing_size(x, x->base, smallest);
        int begin = bine_listing_first(x, x->base, smallest),
            rounds = bine_listing_widths(x, n, width);
        int w = width[d.rounds < 0 ? rounds : d.rounds < rounds ? d.rounds : rounds];
        /* For each set that takes it the stretches of other ranks are together: else one rank
         * would send them to all sets. */
        int taken = w - (owner - begin + bine_listing_set(x, level, to->place)) % w;
        int most = owner + taken < begin + n ? owner + taken : begin + n;
        int end = bine_stretch_begin(x->s, line, most);
        end = end < z ? end : z;
        int last = bine_stretch_owner(x->s, line, end - 1, owner, most);
        /* Of those that have all of it, another one for each receiver. */
        int spare = w - (last - owner), sender = last + to->place % spare;
        sender = sender < begin + n ? sender : sender - n;
        if (to->place == x->place)
            bine_listing_places(x, d.time, BINE_FROM, sender, line, a, end);
        else if (sender == x->place)
            bine_listing_places(x, d.time, BINE_TO, to->place, line, a, end);
        a = end;
    }
}

/* What one rank takes from another set, out of all lines above. */
static void add_taken(struct bine_listing *x, const struct taker *to, int from) {
    struct bine_interval piece[BINE_LINE_PARTS], some[BINE_LINE_PARTS];
    int a = bine_stretch_begin(x->s, to->line, to->place);
    int n = bine_line_pieces(to->line, a, bine_stretch_begin(x->s, to->line, to->place + 1), piece);
    for (int k = 0; k < to->level && n > 0; k++) {
        struct bine_line line;
        int first = bine_listing_first(x, to->level, from);
        bine_line_make(x->s, k, bine_listing_set(x, k, first), &line);
        int low = bine_stretch_begin(x->s, &line, first);
        int high = bine_stretch_begin(x->s, &line, first + bine_listing_size(x, to->level, from));
        for (int i = 0; i < n; i++) {
            int parts = bine_line_places(&line, piece[i], some);
            for (int j = 0; j < parts; j++) {
                int end = some[j].first + some[j].count;
                add_chunks(x, to, &line, from, some[j].first > low ? some[j].first : low,
                           end < high ? end : high);
            }
        }
    }
}

/* The ranks of another set that can take something from this rank's one: between the first and the
 * last piece that it, or all of its set, has in the lines above. */
static void add_given(struct bine_listing *x, int level, int own, int into) {
    struct bine_interval piece[BINE_LINE_PARTS], some[BINE_LINE_PARTS];
    struct bine_line theirs;
    struct departure d = departure_of(x, level - 1, own, into);
    int low = d.rounds == 0 ? x->place : bine_listing_first(x, level, own), first = -1, last = -1;
    int high = d.rounds == 0 ? x->place + 1 : low + bine_listing_size(x, level, own);
    int begin = bine_listing_first(x, level, into), end = begin + bine_listing_size(x, level, into);
    bine_line_make(x->s, level, into, &theirs);
    for (int k = 0; k < level; k++) {
        struct bine_line line;
        bine_line_make(x->s, k, bine_listing_set(x, k, x->place), &line);
        int n = bine_line_pieces(&line, bine_stretch_begin(x->s, &line, low),
                                 bine_stretch_begin(x->s, &line, high), piece);
        for (int i = 0; i < n; i++) {
            int parts = bine_line_places(&theirs, piece[i], some);
            for (int j = 0; j < parts; j++) {
                int a = some[j].first, z = a + some[j].count - 1;
                first = first < 0 || a < first ? a : first;
                last = z > last ? z : last;
            }
        }
    }
    if (first < 0)
        return;
    int y = bine_stretch_owner(x->s, &theirs, first, begin, end);
    for (; y < end && bine_stretch_begin(x->s, &theirs, y) <= last; y++) {
        struct taker to = {level, y, &theirs};
        add_taken(x, &to, own);
    }
}

void bine_crossing_add(struct bine_listing *x, int level) {
    const struct bine_level *l = &x->g->level[level];
    int around = bine_listing_set(x, level, x->place),
        own = bine_listing_set(x, level + 1, x->place);
    struct bine_line mine;
    if (level == 0 && bine_listing_relays(x)) {
        bine_relay_add(x);
        return;
    }
    if (bine_stretch_has_root(x->s, level + 1, own))
        return;
    bine_line_make(x->s, level + 1, own, &mine);
    for (int set = l->inside[around]; set < l->inside[around + 1]; set++) {
        struct taker me = {level + 1, x->place, &mine};
        if (set == own || bine_stretch_has_root(x->s, level + 1, set))
            continue;
        add_taken(x, &me, set);
        add_given(x, level + 1, own, set);
    }
}

/* Whether a set inside one of a level has anything that crosses to the others in it: pieces of the
 * lines above. */
static int sends_any(const struct bine_listing *x, int level, int from) {
    if (bine_stretch_has_root(x->s, level + 1, from))
        return 0;
    for (int k = 0; k <= level; k++)
        if (bine_listing_has(x, k, level + 1, from))
            return 1;
    return 0;
}

/* Returns whether every departure of the level is at that time. */
static int mark_departures(const struct bine_listing *x, int level, int around, int from,
                           int *used) {
    const struct bine_level *l = &x->g->level[level];
    for (int into = l->inside[around]; into < l->inside[around + 1]; into++) {
        if (from == into || bine_stretch_has_root(x->s, level + 1, into))
            continue;
        int time = departure_of(x, level, from, into).time;
        used[time] = 1;
        if (level == 0 && bine_listing_relays(x))
            used[time + 1] = 1;
        if (x->lines > 2 || x->way->few == 0)
            return 1;
    }
    return 0;
}

void bine_crossing_mark(const struct bine_listing *x, int level, int *used) {
    const struct bine_level *l = &x->g->level[level];
    for (int around = 0; around < l->sets; around++)
        for (int from = l->inside[around]; from < l->inside[around + 1]; from++)
            if (sends_any(x, level, from) && mark_departures(x, level, around, from, used))
                return;
}
