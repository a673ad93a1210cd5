#include "schedule/walk/messages.h"

#include <stdlib.h>

/* State of one collection. */
struct collecting {
    struct bine_messages *m;
    int64_t bytes;
    int lean;    /* runs are not kept */
    size_t most; /* messages */
    struct bine_longer_blocks places;
    size_t *first; /* of each rank: its first message as a sender; and the end of the last rank's */
    uint32_t *next; /* of each peer of the rank at hand: its next message, or FRESH */
    int *peer;      /* these peers */
    int peers;
};

#define FRESH UINT32_MAX

/* Measures the operations of a rank's schedule, and counts its messages and publications. */
static int measure(void *self, struct bine_schedule *s) {
    struct collecting *c = self;
    uint32_t *of_op = c->m->of_op[s->rank] = malloc((s->nops + 1) * sizeof *of_op);
    int64_t *bytes = c->m->op_bytes[s->rank] = malloc((s->nops + 1) * sizeof *bytes);
    if (of_op == NULL || bytes == NULL)
        return -1;
    for (uint32_t k = 0; k < s->nops; k++) {
        of_op[k] = BINE_NO_MAIL;
        bytes[k] = bine_bytes_of_op(s, &s->op[k], c->bytes, &c->places);
        if (bytes[k] < 0)
            return -1;
        c->m->count += (size_t)bine_op_sends(&s->op[k]);
        c->m->publications += (size_t)bine_op_publishes(&s->op[k]);
    }
    if (c->lean)
        bine_schedule_drop_runs(s);
    return c->m->count > c->most;
}

static int compare_peers(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void forget_peers(struct collecting *c) {
    for (int i = 0; i < c->peers; i++)
        c->next[c->peer[i]] = FRESH;
    c->peers = 0;
}

/* Numbers the messages that a rank sends: by receiver, then as its schedule has them. */
static void number_sends(struct collecting *c, const struct bine_schedule *s) {
    struct bine_messages *m = c->m;
    uint32_t number = (uint32_t)c->first[s->rank];
    for (uint32_t k = 0; k < s->nops; k++)
        if (bine_op_sends(&s->op[k])) {
            uint32_t *sends = &c->next[s->op[k].peer];
            if (*sends == FRESH)
                c->peer[c->peers++] = s->op[k].peer;
            *sends = *sends == FRESH ? 1 : *sends + 1;
        }
    qsort(c->peer, (size_t)c->peers, sizeof *c->peer, compare_peers);
    for (int i = 0; i < c->peers; i++) {
        uint32_t sends = c->next[c->peer[i]];
        c->next[c->peer[i]] = number;
        number += sends;
    }
    c->first[s->rank + 1] = number;
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++) {
        const struct bine_op *op = &s->op[v.op];
        if (!bine_op_sends(op))
            continue;
        number = m->of_op[s->rank][v.op] = c->next[op->peer]++;
        m->message[number] = (struct bine_message){.rank = {s->rank, op->peer},
                                                   .op = {v.op, v.op},
                                                   .strand = v.strand,
                                                   .transfers = bine_op_transfers(s, op),
                                                   .bytes = m->op_bytes[s->rank][v.op]};
    }
    forget_peers(c);
}

/* The first message from a rank to another: messages of a sender are in the order of receivers. */
static uint32_t first_between(const struct collecting *c, int from, int to) {
    size_t low = c->first[from], high = c->first[from + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->m->message[middle].rank[BINE_RECEIVER] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* Both ends list the messages of a pair in one order: strand by strand, by time. */
static void match_receives(struct collecting *c, const struct bine_schedule *s) {
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++) {
        const struct bine_op *op = &s->op[v.op];
        if (!bine_op_receives(op))
            continue;
        uint32_t *next = &c->next[op->peer];
        if (*next == FRESH) {
            c->peer[c->peers++] = op->peer;
            *next = first_between(c, op->peer, s->rank);
        }
        c->m->of_op[s->rank][v.op] = *next;
        c->m->message[(*next)++].op[BINE_RECEIVER] = v.op;
    }
    forget_peers(c);
}

static int match_messages(struct collecting *c) {
    size_t p = (size_t)c->m->p;
    c->m->message = malloc((c->m->count + 1) * sizeof *c->m->message);
    c->first = calloc(p + 1, sizeof *c->first);
    c->next = malloc(p * sizeof *c->next);
    c->peer = malloc(p * sizeof *c->peer);
    if (c->m->message == NULL || c->first == NULL || c->next == NULL || c->peer == NULL)
        return -1;
    for (size_t r = 0; r < p; r++)
        c->next[r] = FRESH;
    for (size_t r = 0; r < p; r++)
        number_sends(c, c->m->schedule[r]);
    for (size_t r = 0; r < p; r++)
        match_receives(c, c->m->schedule[r]);
    return 0;
}

static int compare_publications(const void *a, const void *b) {
    const struct bine_publication *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->strand != y->strand)
        return x->strand < y->strand ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

/* The publications of a rank, or its reads once all publications are listed. */
static void match_board(struct bine_messages *m, const struct bine_schedule *s, int reads) {
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++) {
        const struct bine_op *op = &s->op[v.op];
        struct bine_publication key = {.rank = reads ? op->peer : s->rank,
                                       .time = v.step->time,
                                       .strand = v.strand,
                                       .op = v.op};
        if (!reads && bine_op_publishes(op)) {
            m->of_op[s->rank][v.op] = (uint32_t)m->publications;
            m->publication[m->publications++] = key;
        } else if (reads && bine_op_reads(op)) {
            struct bine_publication *found =
                bsearch(&key, m->publication, m->publications, sizeof key, compare_publications);
            if (found != NULL) { /* schedules are proved: it is there */
                m->of_op[s->rank][v.op] = (uint32_t)(found - m->publication);
                found->readers++;
            }
        }
    }
}

static int match_boards(struct bine_messages *m) {
    m->publication = malloc((m->publications + 1) * sizeof *m->publication);
    if (m->publication == NULL || m->publications == 0)
        return m->publication == NULL ? -1 : 0;
    m->publications = 0;
    for (int reads = 0; reads <= 1; reads++)
        for (int r = 0; r < m->p; r++)
            match_board(m, m->schedule[r], reads);
    return 0;
}

static int collect(struct collecting *c, const struct bine_spec *spec) {
    struct bine_messages *m = c->m;
    int rc = 0;
    *m = (struct bine_messages){.p = spec->p};
    m->of_op = calloc((size_t)spec->p, sizeof(uint32_t *));
    m->op_bytes = calloc((size_t)spec->p, sizeof(int64_t *));
    if (m->of_op == NULL || m->op_bytes == NULL)
        rc = -1;
    if (rc == 0)
        m->schedule = bine_ranks_build(spec, measure, c, &rc);
    if (rc == 0)
        rc = match_messages(c);
    if (rc == 0)
        rc = match_boards(m);
    bine_longer_blocks_free(&c->places);
    free(c->first);
    free(c->next);
    free(c->peer);
    if (rc != 0)
        bine_messages_free(m);
    return rc;
}

int bine_messages_collect(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes) {
    return collect(&(struct collecting){.m = m, .bytes = bytes, .most = SIZE_MAX}, spec);
}

int bine_messages_collect_lean(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes,
                               size_t most) {
    return collect(&(struct collecting){.m = m, .bytes = bytes, .lean = 1, .most = most}, spec);
}

void bine_messages_free(struct bine_messages *m) {
    for (int r = 0; r < m->p; r++) {
        if (m->of_op != NULL)
            free(m->of_op[r]);
        if (m->op_bytes != NULL)
            free(m->op_bytes[r]);
    }
    bine_ranks_free(m->schedule, m->p);
    free(m->of_op);
    free(m->op_bytes);
    free(m->message);
    free(m->publication);
    *m = (struct bine_messages){0};
}
