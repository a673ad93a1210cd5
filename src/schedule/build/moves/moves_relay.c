/* The crossing between groups of pieces in zones (pattern/groups/relays.h): at the first time
 * directly from their ranks, to relays above all, and at the second one on from the relays.
 *
 * Both ends of a message find its pieces from the plan: which group sends them, which rank of it
 * has them, and who owns them in the other group. */
#include "schedule/build/moves/moves_listing.h"

/* The group of a piece, and how many pieces from it on are of the group, up to an end. */
static int group_of(const struct bine_listing *x, int piece, int end, int *count) {
    int each = bine_stretch_each(x->s), group = bine_listing_set(x, 1, piece / each);
    int next = x->g->level[1].begin[group + 1] * each;
    *count = (next < end ? next : end) - piece;
    return group;
}

/* Which group sends a piece into a group, and how many pieces from it on, up to an end. */
static int sender_of(const struct bine_listing *x, int piece, int end, int into, int *count) {
    int group = group_of(x, piece, end, count), n;
    int first = x->g->level[1].begin[group] * bine_stretch_each(x->s);
    int sender =
        group == into ? -1 : bine_relays_sender(x->way->relays, group, piece - first, into, &n);
    *count = sender >= 0 && n < *count ? n : *count;
    return sender;
}

/* Consecutive pieces of one group to or from their owners in another one, by its line. */
static void add_owned(struct bine_listing *x, int time, enum bine_direction direction,
                      const struct bine_line *line, struct bine_interval pieces) {
    struct bine_interval some[BINE_LINE_PARTS];
    int low = bine_listing_first(x, 1, line->set), high = low + bine_listing_size(x, 1, line->set);
    int n = bine_line_places(line, pieces, some);
    for (int i = 0; i < n; i++)
        for (int a = some[i].first, z = a + some[i].count, end; a < z; a = end) {
            int owner = bine_stretch_owner(x->s, line, a, low, high);
            end = bine_stretch_begin(x->s, line, owner + 1);
            end = end < z ? end : z;
            bine_listing_places(x, time, direction, owner, line, a, end);
        }
}

/* Pieces that come directly from their ranks. */
static void add_homes(struct bine_listing *x, int time, struct bine_interval pieces) {
    int each = bine_stretch_each(x->s);
    for (int at = pieces.first, end = at + pieces.count, n; at < end; at += n) {
        n = each - at % each < end - at ? each - at % each : end - at;
        bine_listing_add(x, time, BINE_FROM, at / each, (struct bine_interval){at, n});
    }
}

/* What this rank owns of its group's line. */
static int owned(const struct bine_listing *x, struct bine_line *line,
                 struct bine_interval some[BINE_LINE_PARTS]) {
    bine_line_make(x->s, 1, bine_listing_set(x, 1, x->place), line);
    return bine_line_pieces(line, bine_stretch_begin(x->s, line, x->place),
                            bine_stretch_begin(x->s, line, x->place + 1), some);
}

static void add_arrivals(struct bine_listing *x, int time, int own, struct bine_interval mine) {
    for (int at = mine.first, end = at + mine.count, n; at < end; at += n) {
        int count, group = group_of(x, at, end, &count);
        int sender = sender_of(x, at, end, own, &n);
        struct bine_interval pieces = {at, n};
        if (sender == group) {
            add_homes(x, time, pieces);
        } else {
            struct bine_line theirs;
            bine_line_make(x->s, 1, sender, &theirs);
            add_owned(x, time + 1, BINE_FROM, &theirs, pieces);
        }
    }
}

/* Of some pieces, those that this rank's group sends into a group. */
static void add_departures(struct bine_listing *x, int time, int own, const struct bine_line *into,
                           struct bine_interval mine) {
    for (int at = mine.first, end = at + mine.count, n; at < end; at += n)
        if (sender_of(x, at, end, into->set, &n) == own)
            add_owned(x, time, BINE_TO, into, (struct bine_interval){at, n});
}

void bine_relay_add(struct bine_listing *x) {
    struct bine_line mine, theirs;
    struct bine_interval some[BINE_LINE_PARTS];
    int each = bine_stretch_each(x->s), own = bine_listing_set(x, 1, x->place), time = x->out;
    int n = owned(x, &mine, some);
    for (int i = 0; i < n; i++)
        add_arrivals(x, time, own, some[i]);
    for (int into = 0; into < x->g->level[1].sets; into++) {
        if (into == own)
            continue;
        bine_line_make(x->s, 1, into, &theirs);
        add_departures(x, time, own, &theirs, (struct bine_interval){x->place * each, each});
        for (int i = 0; i < n; i++)
            add_departures(x, time + 1, own, &theirs, some[i]);
    }
}
