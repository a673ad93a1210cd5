#include "engine/workspace.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bine_workspace_block *stored; /* the block that nobody borrows now, or NULL */

static struct bine_workspace_block *block_new(size_t size) {
    struct bine_workspace_block *b = malloc(sizeof *b + 63 + size);
    if (b != NULL)
        *b = (struct bine_workspace_block){
            .size = size, .memory = (char *)(((uintptr_t)(b + 1) + 63) & ~(uintptr_t)63)};
    return b;
}

/* Swap the block in the store for another one, or for none. */
static struct bine_workspace_block *exchange(struct bine_workspace_block *b) {
    pthread_mutex_lock(&lock);
    struct bine_workspace_block *old = stored;
    stored = b;
    pthread_mutex_unlock(&lock);
    return old;
}

static struct bine_workspace_block *borrow(size_t size) {
    struct bine_workspace_block *b = exchange(NULL);
    if (b != NULL && b->size >= size)
        return b;
    free(b); /* before the larger one is made */
    return block_new(size);
}

/* The store keeps the larger block of two. */
static void give_back(struct bine_workspace_block *b) {
    pthread_mutex_lock(&lock);
    if (stored == NULL || stored->size < b->size) {
        struct bine_workspace_block *smaller = stored;
        stored = b;
        b = smaller;
    }
    pthread_mutex_unlock(&lock);
    free(b);
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

void bine_workspace_return(struct bine_workspace *w) {
    if (w->borrowed != NULL)
        give_back(w->borrowed);
    w->borrowed = NULL;
}

static void leave(struct bine_workspace_block **b, struct bine_channel *ch, MPI_Request *request,
                  int n) {
    if (*b == NULL)
        return;
    (*b)->request = request;
    (*b)->nrequests = n;
    (*b)->next = ch->left;
    ch->left = *b;
    *b = NULL;
}

/* What was borrowed is for the call that is being made. The requests lie in it, so it must be freed
 * after the words: it comes first here. */
void bine_workspace_leave(struct bine_workspace *w, struct bine_channel *ch, MPI_Request *request,
                          int n) {
    leave(w->borrowed != NULL ? &w->borrowed : &w->kept, ch, request, n);
    leave(&w->words, ch, request, n);
}

void bine_workspace_free(struct bine_workspace *w) {
    bine_workspace_return(w);
    free(w->kept);
    free(w->words);
    w->kept = w->words = NULL;
}

void bine_workspace_end(void) {
    free(exchange(NULL));
}
