#include "model/messages.h"
#include "simulate/script.h"

#include <stdlib.h>

/* Who publishes it, and when. A rank publishes once at a time of a strand. */
struct bine_script_publication {
    int32_t rank, time;
    uint32_t strand;
};

static int compare(const void *a, const void *b) {
    const struct bine_script_publication *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->strand != y->strand)
        return x->strand < y->strand ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

static int publishes(const struct bine_op *op) {
    return op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_EXPOSE;
}

/* The publications of a rank, in the order of `compare`: the times of a strand ascend. */
static void list_rank(struct bine_script *x, const struct bine_schedule *s) {
    for (uint32_t i = 0; i < s->nstrands; i++)
        for (uint32_t k = 0; k < s->strand[i].nsteps; k++) {
            const struct bine_step *step = &s->step[s->strand[i].steps + k];
            for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
                if (publishes(&s->op[j]))
                    x->publication[x->publications++] =
                        (struct bine_script_publication){s->rank, step->time, i};
        }
}

int bine_script_boards_make(struct bine_script *x, const struct bine_messages *m) {
    size_t boards = 1, publications = 1;
    for (int r = 0; r < m->p; r++)
        for (uint32_t k = 0; k < m->schedule[r]->nops; k++) {
            boards += (size_t)bine_kind_is_board(m->schedule[r]->op[k].kind);
            publications += (size_t)publishes(&m->schedule[r]->op[k]);
        }
    x->board = malloc(boards * sizeof *x->board);
    x->readers = calloc(publications, sizeof *x->readers);
    x->publication = malloc(publications * sizeof *x->publication);
    if (x->board == NULL || x->readers == NULL || x->publication == NULL)
        return -1;
    for (int r = 0; r < m->p; r++)
        list_rank(x, m->schedule[r]);
    return 0;
}

void bine_script_board_add(struct bine_script *x, const struct bine_op *op, int rank,
                           uint32_t strand, int32_t time, int64_t bytes) {
    int reads = !publishes(op);
    struct bine_script_publication key = {reads ? op->peer : rank, time, strand};
    const struct bine_script_publication *found =
        bsearch(&key, x->publication, x->publications, sizeof key, compare);
    if (found == NULL) /* nothing is read that nobody publishes: schedules are proved */
        return;
    uint32_t number = (uint32_t)(found - x->publication);
    x->readers[number] += (uint32_t)reads;
    x->board[x->boards++] = (struct bine_script_board){.number = number,
                                                       .reads = (uint8_t)reads,
                                                       .exposes = op->kind == BINE_OP_EXPOSE,
                                                       .reduces = op->kind == BINE_OP_READ_REDUCE,
                                                       .bytes = bytes};
}

void bine_script_boards_free(struct bine_script *x) {
    free(x->board);
    free(x->readers);
    free(x->publication);
}
