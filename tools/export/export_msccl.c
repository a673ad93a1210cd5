/* MSCCL's XML. A threadblock does its steps one after the other and has at most one peer to send to
 * and one to receive from; a step may wait for one step of another threadblock of its GPU. Here
 * each peer of a rank has a threadblock for each direction, and local work has one more. Between
 * two steps of the schedule every threadblock that goes on waits for the last step of all that have
 * done something: by an empty step (nop) for each, as a step can wait for one only. A reduction of
 * what is received waits for the sends of its own step, which may read what it writes.
 *
 * A chunk is a piece of the schedule's space: in is buffer i, out is o, tmp is s. */
#include "cli/command.h"
#include "export/export.h"
#include "schedule/walk/ranks.h"
#include "schedule/walk/visit.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL = -1 };

struct block {
    int peer; /* LOCAL: local work */
    int receives;
    uint32_t strand;
    char *text; /* its steps */
    size_t size;
    FILE *to;
    int steps;    /* so far */
    int prologue; /* of these: the work before all messages, which every strand waits for */
};

struct gpu {
    const struct bine_schedule *s;
    struct block *block;
    int count;
    int *seen; /* of each pair of blocks: the steps of the second that the first has waited for */
    int failed;
};

static const char letter[BINE_SPACES] = {'i', 'o', 's'};

static int find_block(struct gpu *g, uint32_t strand, int peer, int receives) {
    for (int i = 0; i < g->count; i++)
        if (g->block[i].strand == strand && g->block[i].peer == peer &&
            (peer == LOCAL || g->block[i].receives == receives))
            return i;
    struct block *b = &g->block[g->count];
    *b = (struct block){.peer = peer, .receives = receives, .strand = strand};
    b->to = open_memstream(&b->text, &b->size);
    g->failed |= b->to == NULL;
    return g->count++;
}

struct piece {
    int space, place;
};

/* Piece number k of a list of runs. */
static struct piece piece_of(const struct bine_schedule *s, uint32_t runs, uint32_t k) {
    while (k >= s->run[runs].count)
        k -= s->run[runs++].count;
    return (struct piece){(int)s->run[runs].space, s->run[runs].first + (int)k};
}

static uint32_t pieces_of(const struct bine_schedule *s, const struct bine_op *op) {
    uint32_t n = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        n += s->run[i].count;
    return n;
}

static void write_step(struct block *b, const char *type, struct piece from, struct piece to,
                       int dep_block, int dep_step) {
    fprintf(b->to,
            "      <step s=\"%d\" type=\"%s\" srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" "
            "dstoff=\"%d\" cnt=\"1\" depid=\"%d\" deps=\"%d\" hasdep=\"1\"/>\n",
            b->steps++, type, letter[from.space], from.place, letter[to.space], to.place, dep_block,
            dep_step);
}

/* Wait until another block has done what it has to do so far. */
static void wait_for(struct gpu *g, int which, int other, int steps) {
    static const struct piece nothing = {0, 0};
    int *seen = &g->seen[which * g->count + other];
    if (which == other || steps == 0 || *seen >= steps)
        return;
    *seen = steps;
    write_step(&g->block[which], "nop", nothing, nothing, other, steps - 1);
}

static void write_op(struct gpu *g, const struct bine_op *op, int which) {
    static const char *const types[BINE_OP_KINDS] = {
        [BINE_OP_SEND] = "s",   [BINE_OP_RECV] = "r",      [BINE_OP_RECV_REDUCE] = "rrc",
        [BINE_OP_COPY] = "cpy", [BINE_OP_PERMUTE] = "cpy", [BINE_OP_REDUCE] = "re",
    };
    struct block *b = &g->block[which];
    for (uint32_t k = 0; k < pieces_of(g->s, op); k++) {
        struct piece to = piece_of(g->s, op->runs, k);
        struct piece from = op->nwith > 0 ? piece_of(g->s, op->with, k) : to;
        write_step(b, types[op->kind], from, to, -1, -1);
    }
}

static int block_of(struct gpu *g, uint32_t strand, const struct bine_op *op) {
    int message = op->kind <= BINE_OP_RECV_REDUCE;
    return find_block(g, strand, message ? op->peer : LOCAL, op->kind != BINE_OP_SEND);
}

/* What the blocks of a strand have done so far, and of the others their prologue. */
static void look(const struct gpu *g, uint32_t strand, int *done) {
    for (int i = 0; i < g->count; i++)
        done[i] = g->block[i].strand == strand ? g->block[i].steps : g->block[i].prologue;
}

/* The operations of a step: sends, which wait for the step before; then receives, as what is
 * received may be written over what is sent; then local work. */
static void write_ops(struct gpu *g, uint32_t strand, const struct bine_step *step, int *done) {
    for (int turn = 0; turn < 3; turn++) {
        look(g, strand, done);
        for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
            const struct bine_op *op = &g->s->op[k];
            int kind = op->kind == BINE_OP_SEND ? 0 : op->kind <= BINE_OP_RECV_REDUCE ? 1 : 2;
            if (kind != turn)
                continue;
            int which = block_of(g, strand, op);
            for (int i = 0; i < g->count; i++)
                wait_for(g, which, i, done[i]);
            write_op(g, op, which);
        }
    }
}

/* The steps of a strand that come before all messages, or the others. */
static void write_strand(struct gpu *g, uint32_t strand, int prologue) {
    const struct bine_strand *x = &g->s->strand[strand];
    int *done = malloc((size_t)g->count * sizeof *done + 1);
    if (done == NULL) {
        g->failed = 1;
        return;
    }
    for (uint32_t i = 0; i < x->nsteps; i++) {
        const struct bine_step *step = &g->s->step[x->steps + i];
        if ((step->time < 0) == prologue)
            write_ops(g, strand, step, done);
    }
    for (int i = 0; i < g->count && prologue; i++)
        g->block[i].prologue = g->block[i].steps;
    free(done);
}

/* Blocks are numbered before their steps are written. */
static int open_gpu(struct gpu *g, const struct bine_schedule *s) {
    *g = (struct gpu){.s = s};
    g->block = calloc(s->nops + 1, sizeof *g->block);
    if (g->block == NULL)
        return -1;
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++)
        block_of(g, v.strand, &s->op[v.op]);
    g->seen = calloc((size_t)g->count * (size_t)g->count + 1, sizeof *g->seen);
    return g->seen == NULL || g->failed ? -1 : 0;
}

static void close_gpu(struct gpu *g) {
    for (int i = 0; g->block != NULL && i < g->count; i++)
        free(g->block[i].text);
    free(g->block);
    free(g->seen);
}

/* The steps that others wait for are marked in the format by hasdep; all are, which costs little.
 */
static int write_gpu(FILE *to, struct gpu *g) {
    const struct bine_schedule *s = g->s;
    fprintf(to, "  <gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n", s->rank,
            s->space[BINE_IN].pieces, s->space[BINE_OUT].pieces, s->space[BINE_TMP].pieces);
    for (int i = 0; i < g->count; i++) {
        struct block *b = &g->block[i];
        g->failed |= b->to == NULL || fclose(b->to) != 0;
        b->to = NULL;
        int sends = b->peer != LOCAL && !b->receives;
        fprintf(to, "    <tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%u\">\n%s    </tb>\n", i,
                sends ? b->peer : -1, b->peer != LOCAL && !sends ? b->peer : -1, b->strand,
                b->text == NULL ? "" : b->text);
    }
    fprintf(to, "  </gpu>\n");
    return g->failed ? -1 : 0;
}

/* Where an export goes, and what it is of. */
struct writer {
    FILE *to;
    const struct bine_export_job *job;
};

static void write_head(const struct writer *w, const struct bine_schedule *s) {
    const struct bine_spec *spec = &w->job->request;
    const char *collective = bine_collective_name(spec->algorithm->collective);
    fprintf(w->to,
            "<!-- %s -->\n<algo name=\"%s-%s\" proto=\"Simple\" nchannels=\"%u\" "
            "nchunksperloop=\"%d\" ngpus=\"%d\" coll=\"%s\" inplace=\"%d\" "
            "outofplace=\"%d\" minBytes=\"0\" maxBytes=\"0\">\n",
            w->job->command, collective, spec->algorithm->name, s->nstrands, s->blocks, spec->p,
            collective, spec->in_place, !spec->in_place);
}

static int write_rank(void *self, const struct bine_schedule *s) {
    const struct writer *w = self;
    struct gpu g;
    if (s->rank == 0)
        write_head(w, s);
    int rc = open_gpu(&g, s);
    for (int prologue = 1; prologue >= 0 && rc == 0; prologue--)
        for (uint32_t x = 0; x < s->nstrands; x++)
            write_strand(&g, x, prologue);
    if (rc == 0)
        rc = write_gpu(w->to, &g);
    close_gpu(&g);
    return rc;
}

int bine_export_msccl(FILE *to, const struct bine_export_job *job) {
    struct writer w = {to, job};
    int rc = bine_ranks_visit(&job->request, write_rank, &w);
    fprintf(to, "</algo>\n");
    return rc == 0 ? 0 : bine_complain("out of memory");
}
