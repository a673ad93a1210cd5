/* Labels of arrows. */
#include "draw.h"

#include <string.h>

/* A list of blocks is a label as long as it is short. */
enum { SHORT_LIST = 7 };

/* "0-3,6"; returns its length, however little of it fits. */
static size_t list_blocks(const struct bine_drawing *d, const struct bine_arrow *a, char *text,
                          size_t size) {
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = a->runs; i < a->runs + a->nruns; i++) {
        int first = d->run[i].first, last = first + d->run[i].count - 1;
        char piece[32];
        const char *comma = n > 0 ? "," : "";
        if (first == last)
            snprintf(piece, sizeof piece, "%s%d", comma, first);
        else
            snprintf(piece, sizeof piece, "%s%d%c%d", comma, first, last > first + 1 ? '-' : ',',
                     last);
        n += strlen(piece);
        if (n < size)
            strcat(text, piece);
    }
    return n;
}

static enum bine_draw_labels choose(const struct bine_drawing *d) {
    char text[BINE_DRAW_LABEL];
    if (d->wish->labels != BINE_LABEL_AUTO)
        return d->wish->labels;
    if (d->wish->kind != BINE_DRAW_SCHEDULE)
        return BINE_LABEL_NONE;
    if (d->wish->request.algorithm->collective == BINE_ALLTOALL)
        return BINE_LABEL_COUNT;
    for (uint32_t i = 0; i < d->narrows; i++)
        if (list_blocks(d, &d->arrow[i], text, sizeof text) > SHORT_LIST)
            return BINE_LABEL_COUNT;
    return BINE_LABEL_BLOCKS;
}

void bine_draw_label(struct bine_drawing *d) {
    enum bine_draw_labels kind = d->labels = choose(d);
    for (uint32_t i = 0; i < d->narrows; i++) {
        struct bine_arrow *a = &d->arrow[i];
        if (kind == BINE_LABEL_DISTANCE)
            snprintf(a->label, sizeof a->label, "%d", bine_mod_distance(a->from, a->to, d->p));
        /* A list that does not fit is its number. */
        else if (kind == BINE_LABEL_COUNT ||
                 (kind == BINE_LABEL_BLOCKS &&
                  list_blocks(d, a, a->label, sizeof a->label) >= sizeof a->label))
            snprintf(a->label, sizeof a->label, "%d", a->blocks);
    }
}

const char *bine_draw_label_meaning(const struct bine_drawing *d) {
    int alltoall = d->wish->request.algorithm->collective == BINE_ALLTOALL;
    switch (d->labels) {
    case BINE_LABEL_DISTANCE:
        return "modular distance";
    case BINE_LABEL_COUNT:
        return "number of blocks";
    case BINE_LABEL_BLOCKS:
        return alltoall ? "ranks whose blocks are sent" : "blocks";
    default:
        return NULL;
    }
}

/* Where everyone spreads what is his own, that is the tree of a rank; otherwise a block's way. */
void bine_draw_way_name(const struct bine_drawing *d, char *text, size_t size) {
    const struct bine_algorithm *a = d->wish->request.algorithm;
    int of_rank = a->collective == BINE_ALLTOALL || a->collective == BINE_ALLGATHER ||
                  a->composition == BINE_MAKE_BUTTERFLY;
    snprintf(text, size, "%s %d", of_rank ? "tree of rank" : "block", d->wish->block);
}

int bine_draw_adds(const struct bine_drawing *d) {
    for (uint32_t i = 0; i < d->narrows; i++)
        if (d->arrow[i].adds)
            return 1;
    return 0;
}
