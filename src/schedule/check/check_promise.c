/* The promises of catalogue and composition: steps, and pieces sent and received. */
#include "pattern/teams.h"
#include "schedule/check/check_state.h"
#include "schedule/volume.h"

/* Nothing takes a detour: a rank receives only blocks that it keeps or sends on. */
static int check_kept(struct bine_check_state *st, int rank, int64_t kept) {
    if (kept == BINE_NOT_PROMISED || (int64_t)(st->received[rank] - st->sent[rank]) == kept)
        return 0;
    return bine_check_fail(st, rank, -1, "sends %llu pieces and receives %llu, %d of them its own",
                           (unsigned long long)st->sent[rank],
                           (unsigned long long)st->received[rank], (int)(kept < 0 ? -kept : kept));
}

/* An allreduce by a reduce-scatter and an allgather moves every block but one in each half. */
static int check_halves(struct bine_check_state *st, int rank) {
    if (st->sent_early[rank] * 2 == st->sent[rank] &&
        st->received_early[rank] * 2 == st->received[rank])
        return 0;
    return bine_check_fail(
        st, rank, -1, "sends %llu and receives %llu of its pieces in the first half",
        (unsigned long long)st->sent_early[rank], (unsigned long long)st->received_early[rank]);
}

static int check_rank(struct bine_check_state *st, const struct bine_volume *promised, int rank) {
    struct bine_rank_volume v = promised->of_rank(st->algorithm, st->rank[rank], rank);
    if (v.sent != BINE_NOT_PROMISED && (uint64_t)v.sent != st->sent[rank])
        return bine_check_fail(st, rank, -1, "sends %llu pieces, but %lld were promised",
                               (unsigned long long)st->sent[rank], (long long)v.sent);
    if (v.received != BINE_NOT_PROMISED && (uint64_t)v.received != st->received[rank])
        return bine_check_fail(st, rank, -1, "receives %llu pieces, but %lld were promised",
                               (unsigned long long)st->received[rank], (long long)v.received);
    if (check_kept(st, rank, v.kept) != 0)
        return 1;
    return promised->two_halves ? check_halves(st, rank) : 0;
}

static int check_total(struct bine_check_state *st, const struct bine_volume *promised) {
    struct bine_total_volume v;
    int64_t total = 0;
    if (promised->of_all(st->algorithm, st->rank[0], &v) != 0)
        return -1;
    for (int r = 0; r < st->p; r++)
        total += (int64_t)st->received[r];
    if (total >= v.least && total <= v.most)
        return 0;
    return bine_check_fail(st, -1, -1, "%lld pieces are received, but %lld were promised",
                           (long long)total, (long long)v.least);
}

/* In teams, no rank reads from more boards than there are teams and ranks in the largest of them,
 * which has at most two more than there are teams. */
static int check_readings(struct bine_check_state *st, int rank) {
    const struct bine_schedule *s = st->rank[rank];
    int most = 2 * bine_teams(s->p) + 3, n = 0;
    for (uint32_t j = 0; j < s->nops; j++)
        n += bine_reads_board(&s->op[j]);
    if (st->algorithm->steps != BINE_STEPS_TEAMS || n <= most)
        return 0;
    return bine_check_fail(st, rank, -1, "reads %d times, but %d were promised", n, most);
}

static int check_steps(struct bine_check_state *st) {
    const struct bine_algorithm *a = st->algorithm;
    const struct bine_schedule *s = st->rank[0];
    int promised = bine_promised_steps(a, s);
    /* A scatter that sends as if permuted ends a step early where nothing is out of place, and so
     * does a sum that is at its root. */
    int one_less =
        a->steps == BINE_STEPS_LOG_ONE || (s->collective == BINE_SCATTER && s->layout == BINE_SEND);
    if (promised == BINE_STEPS_NO_MEMORY)
        return -1;
    if (promised == BINE_STEPS_UNKNOWN) { /* groups are not known here */
        promised = s->times;
        for (int t = 0; t < promised; t++)
            if (!st->met[t])
                return bine_check_fail(st, -1, t, "a step without a message");
    }
    if (st->last_time + 1 != promised && !(one_less && st->last_time + 2 == promised))
        return bine_check_fail(st, -1, -1, "takes %d steps, but %d were promised",
                               st->last_time + 1, promised);
    return 0;
}

int bine_check_promises(struct bine_check_state *st) {
    const struct bine_volume *promised = bine_compositions[st->algorithm->composition].volume;
    int rc = check_steps(st);
    for (int r = 0; r < st->p && rc == 0 && promised->of_rank != NULL; r++)
        rc = check_rank(st, promised, r);
    for (int r = 0; r < st->p && rc == 0; r++)
        rc = check_readings(st, r);
    return rc == 0 && promised->of_all != NULL ? check_total(st, promised) : rc;
}
