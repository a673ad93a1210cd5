#include "model/events.h"

#include <stdlib.h>

static int before(const struct bine_event *a, const struct bine_event *b) {
    return a->time < b->time || (!(a->time > b->time) && a->number < b->number);
}

static int make_room(struct bine_events *q) {
    if (q->count < q->room)
        return 0;
    size_t room = q->room == 0 ? 1024 : 2 * q->room;
    struct bine_event *more = realloc(q->heap, room * sizeof *more);
    if (more == NULL) {
        q->failed = 1;
        return -1;
    }
    q->heap = more;
    q->room = room;
    return 0;
}

void bine_events_put(struct bine_events *q, double time, uint32_t kind, uint32_t what) {
    struct bine_event e = {time, q->numbers++, kind, what};
    if (make_room(q) != 0)
        return;
    size_t i = q->count++;
    for (; i > 0 && before(&e, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = e;
}

int bine_events_take(struct bine_events *q, struct bine_event *e) {
    if (q->count == 0)
        return 0;
    *e = q->heap[0];
    struct bine_event last = q->heap[--q->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < q->count; i = child) {
        if (child + 1 < q->count && before(&q->heap[child + 1], &q->heap[child]))
            child++;
        if (!before(&q->heap[child], &last))
            break;
        q->heap[i] = q->heap[child];
    }
    q->heap[i] = last;
    return 1;
}

void bine_events_free(struct bine_events *q) {
    free(q->heap);
    *q = (struct bine_events){0};
}
