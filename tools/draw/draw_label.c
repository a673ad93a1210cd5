/* Labels of arrows. */
#include "draw/draw.h"

#include <string.h>

/* A list of blocks is a label as long as it is short, of few ranks less so. */
enum { SHORT_LIST = 7, SHORT_LIST_OF_FEW = 11, FEW = 8 };

/* "0-3", with a comma in front unless it is the first. */
static size_t say_run(const struct bine_draw_run *run, int first, char text[32]) {
    int last = run->first + run->count - 1;
    const char *comma = first ? "" : ",";
    if (run->count == 1)
        return (size_t)snprintf(text, 32, "%s%d", comma, last);
    return (size_t)snprintf(text, 32, "%s%d%c%d", comma, run->first, run->count > 2 ? '-' : ',',
                            last);
}

static size_t list_length(const struct bine_drawing *d, const struct bine_arrow *a) {
    char run[32];
    size_t n = 0;
    for (uint32_t i = 0; i < a->nruns; i++)
        n += say_run(&d->run[a->runs + i], i == 0, run);
    return n;
}

/* "0-3,6"; if that is longer than `most`, as many of its runs as fit, but one at least, and how
 * many blocks there are more: "0-3 +1". */
static void list_blocks(const struct bine_drawing *d, const struct bine_arrow *a, size_t most,
                        char text[BINE_DRAW_LABEL]) {
    int all = list_length(d, a) <= most, left = 0;
    char run[32], more[16];
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < a->nruns; i++)
        left += d->run[a->runs + i].count;
    for (uint32_t i = 0; i < a->nruns; i++) {
        size_t length = say_run(&d->run[a->runs + i], i == 0, run);
        int after = left - d->run[a->runs + i].count;
        size_t rest = (size_t)snprintf(more, sizeof more, " +%d", after);
        if (!all && i > 0 && n + length + rest > most)
            break;
        n += (size_t)snprintf(text + n, BINE_DRAW_LABEL - n, "%s", run);
        left = after;
    }
    if (left > 0)
        snprintf(text + n, BINE_DRAW_LABEL - n, " +%d", left);
}

void bine_draw_label_shorten(const struct bine_drawing *d, const struct bine_arrow *a,
                             char text[BINE_DRAW_LABEL]) {
    text[0] = '\0';
    if (d->labels == BINE_LABEL_BLOCKS && a->nruns > 1)
        list_blocks(d, a, 0, text);
    if (strlen(text) >= strlen(a->label))
        text[0] = '\0';
}

static enum bine_draw_labels choose(const struct bine_drawing *d) {
    size_t most = d->p <= FEW ? SHORT_LIST_OF_FEW : SHORT_LIST;
    if (d->wish->labels != BINE_LABEL_AUTO)
        return d->wish->labels;
    if (d->wish->kind != BINE_DRAW_SCHEDULE)
        return BINE_LABEL_NONE;
    if (d->wish->request.algorithm->collective == BINE_ALLTOALL)
        return BINE_LABEL_COUNT;
    for (uint32_t i = 0; i < d->narrows; i++)
        if (list_length(d, &d->arrow[i]) > most)
            return BINE_LABEL_COUNT;
    return BINE_LABEL_BLOCKS;
}

void bine_draw_label(struct bine_drawing *d) {
    enum bine_draw_labels kind = d->labels = choose(d);
    for (uint32_t i = 0; i < d->narrows; i++) {
        struct bine_arrow *a = &d->arrow[i];
        if (kind == BINE_LABEL_DISTANCE)
            snprintf(a->label, sizeof a->label, "%d", bine_mod_distance(a->from, a->to, d->p));
        else if (kind == BINE_LABEL_COUNT)
            snprintf(a->label, sizeof a->label, "%d", a->blocks);
        else if (kind == BINE_LABEL_BLOCKS)
            list_blocks(d, a, sizeof a->label - 1, a->label);
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
    int of_rank = bine_draw_follows_ranks(a) || (a->collective == BINE_ALLGATHER && d->parts == 1);
    snprintf(text, size, "%s %d", of_rank ? "tree of rank" : "block", d->wish->block);
}

int bine_draw_adds(const struct bine_drawing *d) {
    for (uint32_t i = 0; i < d->narrows; i++)
        if (d->arrow[i].adds)
            return 1;
    return 0;
}

const char *bine_draw_group_ranks(const struct bine_drawing *d, int group,
                                  char text[BINE_DRAW_RANKS]) {
    enum { ROOM = BINE_DRAW_RANKS - 24 }; /* for one more run, and the dots */
    int n = 0;
    text[0] = '\0';
    for (int r = 0, last; r < d->p; r = last + 1) {
        last = r;
        if (bine_draw_group(d, r) != group)
            continue;
        while (last + 1 < d->p && bine_draw_group(d, last + 1) == group)
            last++;
        const char *comma = n == 0 ? "" : ",";
        if (n > ROOM) {
            snprintf(text + n, BINE_DRAW_RANKS - (size_t)n, ",...");
            break;
        }
        n += last == r ? snprintf(text + n, BINE_DRAW_RANKS - (size_t)n, "%s%d", comma, r)
                       : snprintf(text + n, BINE_DRAW_RANKS - (size_t)n, "%s%d-%d", comma, r, last);
    }
    return text;
}
