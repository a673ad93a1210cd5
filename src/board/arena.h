/* The arena: the shared memory of a process, and the way to that of others.
 *
 * It is a file that has no name (memfd_create): it goes with the last process that has mapped it,
 * however that one ends. Others open it through /proc, which permits that to this user alone,
 * and compare a random number that came to them by message: a process of that number in another
 * container, or a file that came later under that descriptor, is found out.
 *
 * Regions are taken from it up to a bound. Their memory is reserved when they are taken: writing to
 * memory that is only promised may end a program with SIGBUS. A process that has attached to a
 * region releases it when it has looked at it for the last time; it is used again when its owner
 * has given it back and all others have released it.
 *
 * All calls may come from several threads. */
#ifndef BINE_BOARD_ARENA_H
#define BINE_BOARD_ARENA_H

#include "base/reason.h"
#include "board/arena_card.h"

#include <stdint.h>

struct bine_arena;

/* Calls of the system. Tests refuse some of them. */
struct bine_arena_ways {
    int (*make)(void);                                     /* a file, or -1 with errno set */
    int (*reserve)(int file, uint64_t at, uint64_t bytes); /* 0, or an error number */
};

/* An arena of at most `most` bytes, or NULL with the reason. `ways`: NULL for the system's own. */
struct bine_arena *bine_arena_new(uint64_t most, const struct bine_arena_ways *ways,
                                  struct bine_reason *why);
/* Whatever is still taken or attached: the process ends its use of it all. */
void bine_arena_free(struct bine_arena *a);

struct bine_arena_region {
    char *memory; /* begins at a cache line */
    uint64_t bytes;
    uint64_t offset;
    int sharers; /* processes that must release it */
    struct bine_arena_region *next;
};

/* A region that `sharers` others will attach to, or NULL with the reason. Its contents are
 * undefined. */
struct bine_arena_region *bine_arena_take(struct bine_arena *a, uint64_t bytes, int sharers,
                                          struct bine_reason *why);
void bine_arena_card(const struct bine_arena *a, const struct bine_arena_region *region,
                     struct bine_arena_card *card);
/* Use it no more. It goes back when all others have released it; or at once, if it has come out
 * that no process uses it. */
void bine_arena_give(struct bine_arena *a, struct bine_arena_region *region);
void bine_arena_give_now(struct bine_arena *a, struct bine_arena_region *region);

struct bine_arena_peer;

/* The region of another process. */
struct bine_arena_attached {
    char *memory;
    struct bine_arena_peer *peer;
};

/* 0, or -1 with the reason. */
int bine_arena_attach(struct bine_arena *a, const struct bine_arena_card *card,
                      struct bine_arena_attached *x, struct bine_reason *why);
/* Look at it no more, and tell the owner so; or do not tell, if it has come out that no process
 * uses it. */
void bine_arena_release(struct bine_arena *a, struct bine_arena_attached *x);
void bine_arena_detach(struct bine_arena *a, struct bine_arena_attached *x);

/* Whether the memory of the other process can be read (expose.h). */
int bine_arena_can_read(const struct bine_arena_card *card);

/* Bytes in regions, in pages, and of the whole. */
struct bine_arena_use {
    uint64_t taken, most;
    int regions, peers; /* peers whose arenas are mapped */
};
struct bine_arena_use bine_arena_use(struct bine_arena *a);

#endif
