#include "schedule/copies.h"

int64_t bine_schedule_copied(const struct bine_schedule *s, int64_t bytes,
                             struct bine_longer_blocks *places) {
    int64_t sum = 0;
    for (uint32_t k = 0; k < s->nops; k++) {
        int64_t n =
            bine_op_copies(s, &s->op[k]) ? bine_bytes_of_op(s, &s->op[k], bytes, places) : 0;
        if (n < 0)
            return -1;
        sum += n;
    }
    return sum;
}
