#include "schedule/walk/visit.h"
#include "show/show.h"

#include <stdlib.h>

uint32_t bine_segment_at(const struct bine_schedule *s, uint32_t at, uint32_t end,
                         struct bine_segment *segment) {
    uint32_t next = at;
    while (next < end && s->run[next].space == s->run[at].space)
        next++;
    *segment = (struct bine_segment){s->run[at].space, s->run + at, next - at};
    return next;
}

/* Numbers are written late, so that consecutive ones become first-last. */
struct number_list {
    FILE *to;
    int first, last, count;
};

static void put_numbers(struct number_list *l, int comma) {
    if (l->first == l->last)
        fprintf(l->to, "%d", l->first);
    else
        fprintf(l->to, "%d-%d", l->first, l->last);
    if (comma)
        fputc(',', l->to);
}

static void put_number(struct number_list *l, int n) {
    if (l->count++ > 0 && n == l->last + 1) {
        l->last = n;
        return;
    }
    if (l->count > 1)
        put_numbers(l, 1);
    l->first = l->last = n;
}

int bine_segment_blocks(FILE *to, const struct bine_schedule *s, const struct bine_segment *g) {
    struct number_list l = {.to = to};
    for (uint32_t i = 0; i < g->nruns; i++)
        for (int k = 0; k < g->run[i].count; k++)
            put_number(&l, bine_schedule_block(s, g->space, g->run[i].first + k));
    put_numbers(&l, 0);
    return l.count;
}

int bine_segment_places(FILE *to, const struct bine_segment *g) {
    struct number_list l = {.to = to};
    for (uint32_t i = 0; i < g->nruns; i++)
        for (int k = 0; k < g->run[i].count; k++)
            put_number(&l, g->run[i].first + k);
    put_numbers(&l, 0);
    return l.count;
}

const struct bine_column bine_show_columns[] = {
    {"rank", BINE_COLUMN_NUMBER},       {"step", BINE_COLUMN_NUMBER},
    {"op", BINE_COLUMN_WORDS},          {"peer", BINE_COLUMN_NUMBER},
    {"space", BINE_COLUMN_WORDS},       {"blocks", BINE_COLUMN_WORDS},
    {"places", BINE_COLUMN_WORDS},      {"side", BINE_COLUMN_WORDS},
    {"with_space", BINE_COLUMN_WORDS},  {"with_blocks", BINE_COLUMN_WORDS},
    {"with_places", BINE_COLUMN_WORDS}, {"transfers", BINE_COLUMN_NUMBER},
    {"strand", BINE_COLUMN_NUMBER},
};
const size_t bine_show_columns_count = sizeof bine_show_columns / sizeof *bine_show_columns;

enum { SPACES, BLOCKS, PLACES };

/* One cell about a list of runs: its spaces, blocks or places, segment after segment. What lies in
 * a slot changes, so that its block has no number. */
static void put_cell(FILE *to, const struct bine_schedule *s, uint32_t at, uint32_t end, int what) {
    struct bine_segment g;
    for (uint32_t begin = at; at < end;) {
        fputs(at == begin ? "" : " ", to);
        at = bine_segment_at(s, at, end, &g);
        if (what == SPACES)
            fputs(bine_space_word(g.space), to);
        else if (what == PLACES)
            bine_segment_places(to, &g);
        else if (s->space[g.space].arrangement == BINE_SLOTS)
            fputc('-', to);
        else
            bine_segment_blocks(to, s, &g);
    }
}

static int add_list(struct bine_table *t, const struct bine_schedule *s, uint32_t at, uint32_t n,
                    int what) {
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return -1;
    put_cell(to, s, at, at + n, what);
    int rc = fclose(to);
    if (rc == 0)
        bine_table_add(t, "%s", text);
    free(text);
    return rc == 0 && !t->failed ? 0 : -1;
}

/* Local work has no step of the algorithm and no peer. */
static void add_number(struct bine_table *t, int n) {
    if (n < 0)
        bine_table_add(t, "%s", "");
    else
        bine_table_add(t, "%d", n);
}

/* The blocks of a publication that are read, by their numbers there. */
static void add_published(struct bine_table *t, const struct bine_schedule *s,
                          const struct bine_op *op) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < op->nruns; i++)
        count += s->run[op->runs + i].count;
    bine_table_add(t, "board");
    if (count > 1)
        bine_table_add(t, "%d-%d", op->block, op->block + (int)count - 1);
    else
        bine_table_add(t, "%d", op->block);
    bine_table_add(t, "%s", "");
}

static int add_row(struct bine_table *t, const struct bine_schedule *s, uint32_t strand,
                   const struct bine_step *step, const struct bine_op *op) {
    static const char *const kinds[] = {"send",   "recv",    "recv_reduce", "copy", "permute",
                                        "reduce", "publish", "expose",      "read", "read_reduce"};
    static const char *const sides[] = {"any", "left", "right"};
    int reduces = op->kind == BINE_OP_RECV_REDUCE || op->kind == BINE_OP_REDUCE ||
                  op->kind == BINE_OP_READ_REDUCE;
    int sends = bine_kind_is_message(op->kind);
    int rc = 0;
    bine_table_add(t, "%d", s->rank);
    add_number(t, step->time);
    bine_table_add(t, "%s", kinds[op->kind]);
    add_number(t, op->peer);
    for (int what = SPACES; what <= PLACES; what++)
        rc |= add_list(t, s, op->runs, op->nruns, what);
    bine_table_add(t, "%s", reduces ? sides[op->side] : "");
    if (op->kind == BINE_OP_READ)
        add_published(t, s, op);
    for (int what = SPACES; what <= PLACES && op->kind != BINE_OP_READ; what++)
        rc |= add_list(t, s, op->with, op->nwith, what);
    bine_table_add(t, "%u", !sends ? 0 : s->layout == BINE_PACK ? 1 : op->nruns);
    bine_table_add(t, "%u", strand);
    return rc;
}

int bine_show_rows(struct bine_table *t, const struct bine_schedule *s) {
    int rc = 0;
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v) && rc == 0; v.op++)
        rc = add_row(t, s, v.strand, v.step, &s->op[v.op]);
    return rc;
}
