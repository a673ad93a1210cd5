/* Whether one thread at a time runs Bine's code. Then shared numbers are counted without locked
 * operations: a call that is started would come to several of them, and each takes as long as some
 * twenty other instructions. */
#ifndef BINE_BASE_ONE_THREAD_H
#define BINE_BASE_ONE_THREAD_H

#include <stdatomic.h>

extern atomic_int bine_one_thread; /* 0 until it is known */

static inline int bine_is_one_thread(void) {
    return atomic_load_explicit(&bine_one_thread, memory_order_relaxed);
}

static inline void bine_count_held(atomic_int *x, int more) {
    if (bine_is_one_thread())
        atomic_store_explicit(x, atomic_load_explicit(x, memory_order_relaxed) + more,
                              memory_order_relaxed);
    else
        atomic_fetch_add(x, more);
}

#endif
