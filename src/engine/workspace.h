/* Workspaces: the memory of calls beyond the caller's buffers.
 *
 * A workspace keeps up to BINE_WORKSPACE_KEPT bytes from call to call, so that small calls allocate
 * nothing. A larger block is borrowed for the call from a store that all workspaces of the process
 * share, and that keeps one block, the largest. So the bound is BINE_WORKSPACE_KEPT for each
 * communicator, and the largest call's block once for the process (once for each thread that makes
 * large calls at one time, while they last). The workspace of a Bine_Plan keeps its memory until
 * the plan is freed. */
#ifndef BINE_ENGINE_WORKSPACE_H
#define BINE_ENGINE_WORKSPACE_H

#include "device/pool.h"
#include "engine/transport/transport.h"

#include <stddef.h>
#include <stdint.h>

#define BINE_WORKSPACE_KEPT ((size_t)1 << 22)

struct bine_workspace_block {
    struct bine_workspace_block *next; /* of the blocks left on a channel */
    size_t size;
    bine_request_handle *request; /* left on a channel: the messages that may still use it */
    int nrequests;
    char *memory; /* aligned to 64 */
};

struct bine_workspace {
    struct bine_workspace_block *kept, *borrowed;    /* or NULL */
    struct bine_workspace_block *words;              /* see bine_workspace_words; or NULL */
    struct bine_pool_block *pooled[BINE_POOL_KINDS]; /* for vectors on devices; or NULL */
    int keeps_all;                                   /* borrows nothing */
    int tries_again; /* without memory, the call is bound once more: no error is reported yet */
};

/* Memory of `size` bytes, aligned to 64, until the next call; NULL if there is none. */
char *bine_workspace_take(struct bine_workspace *w, size_t size);
/* Memory of the pool, which may have none: NULL. */
char *bine_workspace_reach(struct bine_workspace *w, const struct bine_device *device,
                           void *context, enum bine_pool_kind kind, size_t size);
/* Whether a call has memory that goes at its end. */
int bine_workspace_borrows(const struct bine_workspace *w);
/* Words beside that memory, until more are asked for; NULL if there are none. */
int64_t *bine_workspace_words(struct bine_workspace *w, size_t words);
/* The call is over: give back the borrowed memory. */
void bine_workspace_return(struct bine_workspace *w);
/* The call is over, but these requests are not: leave the memory to the channel's list. */
void bine_workspace_leave(struct bine_workspace *w, struct bine_workspace_block **left,
                          bine_request_handle *request, int n);
void bine_workspace_free(struct bine_workspace *w);
/* Free the block that the store keeps; and, at the end, all that is kept. */
void bine_workspace_trim(void);
void bine_workspace_end(void);

#endif
