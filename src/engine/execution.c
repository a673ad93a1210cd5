#include "engine/execution.h"

#include "schedule/alone.h"

enum { WINDOW = BINE_PARTS_PENDING };

static size_t aligned(size_t n) {
    return (n + 15) & ~(size_t)15;
}

static uint32_t slots_of(const struct bine_plan *plan) {
    return plan->max_transfers + WINDOW * plan->max_messages;
}

size_t bine_execution_bytes(const struct bine_plan *plan) {
    size_t slots = slots_of(plan), strands = plan->schedule->nstrands;
    struct bine_strand_state *one = NULL;
    return aligned(strands * sizeof *one) +
           strands * (aligned(plan->max_messages * sizeof *one->lane) +
                      aligned(slots * sizeof *one->slot) + aligned(slots * sizeof *one->free_slot) +
                      2 * aligned(slots * sizeof(bine_request_handle)) +
                      2 * aligned(slots * sizeof(int)));
}

void bine_execution_place(struct bine_execution *x, char *memory) {
    const struct bine_plan *plan = x->plan;
    size_t slots = slots_of(plan);
    x->nstrands = plan->schedule->nstrands;
    x->slot_room = (uint32_t)slots;
    x->strand = (struct bine_strand_state *)memory;
    memory += aligned(x->nstrands * sizeof *x->strand);
    x->request = (bine_request_handle *)memory;
    memory += x->nstrands * aligned(slots * sizeof *x->request);
    x->pending = (bine_request_handle *)memory;
    memory += x->nstrands * aligned(slots * sizeof *x->pending);
    x->index = (int *)memory;
    memory += x->nstrands * aligned(slots * sizeof *x->index);
    x->place = (uint32_t *)memory;
    memory += x->nstrands * aligned(slots * sizeof *x->place);
    for (uint32_t k = 0; k < x->nstrands; k++) {
        struct bine_strand_state *st = &x->strand[k];
        st->lane = (struct bine_lane *)memory;
        memory += aligned(plan->max_messages * sizeof *st->lane);
        st->slot = (struct bine_slot *)memory;
        memory += aligned(slots * sizeof *st->slot);
        st->free_slot = (uint32_t *)memory;
        memory += aligned(slots * sizeof *st->free_slot);
        st->request = x->request + k * slots;
    }
}

void bine_execution_give_up(struct bine_execution *x) {
    for (uint32_t k = 0; k < x->nstrands; k++)
        for (uint32_t i = x->strand[k].nslots; i < x->slot_room; i++)
            x->strand[k].request[i] = BINE_NO_REQUEST; /* never used */
    x->given_up = 1;
}
