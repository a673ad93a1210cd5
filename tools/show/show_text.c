#include "show/show.h"

#include <string.h>

static int is_permuted(const struct bine_schedule *s, int space) {
    return s->space[space].arrangement == BINE_NU_PLACES;
}

/* "block 3" or "blocks 1-2,5", and the places where those are not plain from the blocks. */
static void put_pieces(FILE *to, const struct bine_schedule *s, const struct bine_segment *g) {
    int many = g->nruns > 1 || g->run->count > 1;
    if (s->space[g->space].arrangement == BINE_SLOTS) {
        fputs(many ? "slots " : "slot ", to);
        bine_segment_places(to, g);
        return;
    }
    fputs(many ? "blocks " : "block ", to);
    bine_segment_blocks(to, s, g);
    if (is_permuted(s, g->space)) {
        fputs(many ? " (places " : " (place ", to);
        bine_segment_places(to, g);
        fputc(')', to);
    }
}

/* All pieces of a list, each segment followed by `of` or `->` and its space. */
static void put_list(FILE *to, const struct bine_schedule *s, uint32_t at, uint32_t n,
                     const char *word) {
    struct bine_segment g;
    if (n == 0)
        fputs("nothing", to);
    for (uint32_t begin = at, end = at + n; at < end;) {
        fputs(at == begin ? "" : ", ", to);
        at = bine_segment_at(s, at, end, &g);
        put_pieces(to, s, &g);
        fprintf(to, " %s %s", word, bine_space_word(g.space));
    }
}

/* The spaces of a list only. */
static void put_spaces(FILE *to, const struct bine_schedule *s, uint32_t at, uint32_t n) {
    struct bine_segment g;
    for (uint32_t begin = at, end = at + n; at < end;) {
        fputs(at == begin ? "" : ", ", to);
        at = bine_segment_at(s, at, end, &g);
        fputs(bine_space_word(g.space), to);
    }
}

/* Whether both lists of an operation name the same pieces, the second one in one space: then that
 * space says it all. */
static int is_same_pieces(const struct bine_schedule *s, const struct bine_op *op) {
    if (op->nruns != op->nwith)
        return 0;
    for (uint32_t i = 0; i < op->nruns; i++) {
        const struct bine_run *a = &s->run[op->runs + i], *b = &s->run[op->with + i];
        int slots = s->space[a->space].arrangement == BINE_SLOTS ||
                    s->space[b->space].arrangement == BINE_SLOTS;
        if (slots || a->count != b->count || b->space != s->run[op->with].space ||
            bine_schedule_block(s, a->space, a->first) !=
                bine_schedule_block(s, b->space, b->first))
            return 0;
    }
    return 1;
}

/* What is added up, in the order of the operands. */
static void put_sum(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    int reads = op->kind == BINE_OP_READ_REDUCE;
    int receives = op->kind == BINE_OP_RECV_REDUCE || reads;
    int with_first = op->side != (receives ? BINE_SIDE_LEFT : BINE_SIDE_RIGHT);
    int brief = is_same_pieces(s, op);
    for (int i = 0; i < 2; i++) {
        int with = with_first == (i == 0);
        uint32_t at = with ? op->with : op->runs, n = with ? op->nwith : op->nruns;
        fputs(i == 0 ? ": " : " + ", to);
        if (!with && receives)
            fputs(reads ? "read" : "received", to);
        else if (brief)
            put_spaces(to, s, at, n);
        else
            put_list(to, s, at, n, "of");
    }
}

static void put_send(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    fprintf(to, "send to %d ", op->peer);
    put_list(to, s, op->runs, op->nruns, "of");
}

static void put_recv(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    fprintf(to, "recv from %d ", op->peer);
    put_list(to, s, op->runs, op->nruns, "->");
}

static void put_recv_reduce(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    put_recv(to, s, op);
    put_sum(to, s, op);
}

static void put_copy(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    struct bine_segment g;
    fputs("copy ", to);
    put_list(to, s, op->with, op->nwith, "of");
    fputs(" -> ", to);
    bine_segment_at(s, op->runs, op->runs + op->nruns, &g);
    if (is_permuted(s, g.space) || s->space[g.space].arrangement == BINE_SLOTS) {
        put_pieces(to, s, &g);
        fputs(" of ", to);
    }
    put_spaces(to, s, op->runs, op->nruns);
}

static void put_permute(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    struct bine_segment g;
    fputs("permute ", to);
    put_spaces(to, s, op->with, op->nwith);
    fputs(" -> ", to);
    put_spaces(to, s, op->runs, op->nruns);
    fputs(": ", to);
    bine_segment_at(s, op->runs, op->runs + op->nruns, &g);
    put_pieces(to, s, &g);
}

static void put_reduce(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    fputs("reduce ", to);
    put_list(to, s, op->runs, op->nruns, "->");
    put_sum(to, s, op);
}

static void put_publish(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    fputs(op->kind == BINE_OP_EXPOSE ? "expose " : "publish ", to);
    put_list(to, s, op->runs, op->nruns, "of");
}

/* In an alltoall the blocks of a publication are not those of the places that they go to. */
static void put_published(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    int last = op->block - 1;
    for (uint32_t i = 0; i < op->nruns; i++)
        last += (int)s->run[op->runs + i].count;
    if (last > op->block)
        fprintf(to, "its blocks %d-%d as ", op->block, last);
    else
        fprintf(to, "its block %d as ", op->block);
}

static void put_read(FILE *to, const struct bine_schedule *s, const struct bine_op *op) {
    fprintf(to, "read from %d ", op->peer);
    if (s->collective == BINE_ALLTOALL)
        put_published(to, s, op);
    put_list(to, s, op->runs, op->nruns, "->");
    if (op->kind == BINE_OP_READ_REDUCE)
        put_sum(to, s, op);
}

static void (*const writers[])(FILE *, const struct bine_schedule *, const struct bine_op *) = {
    [BINE_OP_SEND] = put_send,
    [BINE_OP_RECV] = put_recv,
    [BINE_OP_RECV_REDUCE] = put_recv_reduce,
    [BINE_OP_COPY] = put_copy,
    [BINE_OP_PERMUTE] = put_permute,
    [BINE_OP_REDUCE] = put_reduce,
    [BINE_OP_PUBLISH] = put_publish,
    [BINE_OP_EXPOSE] = put_publish,
    [BINE_OP_READ] = put_read,
    [BINE_OP_READ_REDUCE] = put_read,
};

static void put_step(FILE *to, const struct bine_schedule *s, const struct bine_step *step) {
    char label[32] = "local: ";
    if (step->time >= 0)
        snprintf(label, sizeof label, "step %d: ", step->time);
    for (uint32_t i = 0; i < step->nops; i++) {
        fprintf(to, "  %*s", (int)strlen(label), i == 0 ? label : "");
        writers[s->op[step->ops + i].kind](to, s, &s->op[step->ops + i]);
        fputc('\n', to);
    }
}

void bine_show_text(FILE *to, const struct bine_schedule *s) {
    fprintf(to, "rank %d\n", s->rank);
    if (s->nops == 0)
        fprintf(to, "  nothing to do\n");
    for (uint32_t k = 0; k < s->nstrands; k++) {
        if (s->nstrands > 1)
            fprintf(to, " strand %u\n", k);
        for (uint32_t i = 0; i < s->strand[k].nsteps; i++)
            put_step(to, s, &s->step[s->strand[k].steps + i]);
    }
}
