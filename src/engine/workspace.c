#include "engine/workspace.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(struct bine_workspace_block *) stored; /* the spare block, or NULL */

static struct bine_workspace_block *block_new(size_t size) {
    struct bine_workspace_block *b = malloc(sizeof *b + 63 + size);
    if (b != NULL)
        *b = (struct bine_workspace_block){
            .size = size, .memory = (char *)(((uintptr_t)(b + 1) + 63) & ~(uintptr_t)63)};
    return b;
}

static struct bine_workspace_block *borrow(size_t size) {
    struct bine_workspace_block *b = atomic_exchange(&stored, NULL);
    if (b != NULL && b->size >= size)
        return b;
    free(b); /* before the larger one is made */
    return block_new(size);
}

/* The store keeps the larger block of two. */
static void give_back(struct bine_workspace_block *b) {
    struct bine_workspace_block *other = atomic_exchange(&stored, NULL);
    int keeps = other != NULL && other->size >= b->size;
    free(keeps ? b : other);
    free(atomic_exchange(&stored, keeps ? other : b));
}

char *bine_workspace_take(struct bine_workspace *w, size_t size) {
    int borrows = size > BINE_WORKSPACE_KEPT && !w->keeps_all;
    struct bine_workspace_block **b = borrows ? &w->borrowed : &w->kept;
    if (*b != NULL && (*b)->size >= size)
        return (*b)->memory;
    struct bine_workspace_block *bigger = borrows ? borrow(size) : block_new(size);
    if (bigger == NULL)
        return NULL;
    free(*b);
    *b = bigger;
    return bigger->memory;
}

int64_t *bine_workspace_words(struct bine_workspace *w, size_t words) {
    if (w->words == NULL || w->words->size < words * sizeof(int64_t)) {
        free(w->words);
        w->words = block_new(words * sizeof(int64_t));
    }
    return w->words == NULL ? NULL : (int64_t *)(void *)w->words->memory;
}

char *bine_workspace_reach(struct bine_workspace *w, const struct bine_device *device,
                           void *context, enum bine_pool_kind kind, size_t size) {
    struct bine_pool_block **b = &w->pooled[kind];
    if (*b != NULL && (*b)->size >= size && (*b)->context == context)
        return (*b)->memory;
    bine_pool_give(*b);
    *b = bine_pool_take(device, context, kind, size);
    return *b != NULL ? (*b)->memory : NULL;
}

static int is_pooled(const struct bine_workspace *w) {
    return w->pooled[BINE_POOL_PINNED] != NULL || w->pooled[BINE_POOL_ON_DEVICE] != NULL;
}

int bine_workspace_borrows(const struct bine_workspace *w) {
    return w->borrowed != NULL || (is_pooled(w) && !w->keeps_all);
}

static void give_pooled(struct bine_workspace *w) {
    for (int k = 0; k < BINE_POOL_KINDS; k++) {
        bine_pool_give(w->pooled[k]);
        w->pooled[k] = NULL;
    }
}

void bine_workspace_return(struct bine_workspace *w) {
    if (w->borrowed != NULL)
        give_back(w->borrowed);
    w->borrowed = NULL;
    if (!w->keeps_all)
        give_pooled(w);
}

static void leave(struct bine_workspace_block **b, struct bine_workspace_block **left,
                  bine_request_handle *request, int n) {
    if (*b == NULL)
        return;
    (*b)->request = request;
    (*b)->nrequests = n;
    (*b)->next = *left;
    *left = *b;
    *b = NULL;
}

/* The borrowed block belongs to the current call. The requests lie in it, so it must be freed after
 * the words: it comes first here. Blocks of the pool are lost. */
void bine_workspace_leave(struct bine_workspace *w, struct bine_workspace_block **left,
                          bine_request_handle *request, int n) {
    w->pooled[BINE_POOL_PINNED] = w->pooled[BINE_POOL_ON_DEVICE] = NULL;
    leave(w->borrowed != NULL ? &w->borrowed : &w->kept, left, request, n);
    leave(&w->words, left, request, n);
}

void bine_workspace_free(struct bine_workspace *w) {
    bine_workspace_return(w);
    give_pooled(w);
    free(w->kept);
    free(w->words);
    w->kept = w->words = NULL;
}

void bine_workspace_trim(void) {
    free(atomic_exchange(&stored, NULL));
}

void bine_workspace_end(void) {
    bine_workspace_trim();
    bine_pool_end();
}
