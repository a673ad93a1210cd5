#include "comm/node.h"

#include "base/lock.h"
#include "base/numbers.h"
#include "board/arena.h"
#include "comm/progress.h"
#include "engine/channel.h"
#include "mpi/mpi_calls.h"

#include <stdlib.h>

/* Slots of a board. The largest ones that there is room for are taken. */
enum { SLOTS = 8 };
/* Boards for one call are taken as long as one part in so many of the memory is free after that. */
enum { PARTS = 2 };

/* All of it numbers of one type. */
struct bine_node_card {
    struct bine_arena_card arena;
    uint64_t holds, slots; /* bytes of its slots; 0: it has none; and how many */
};
enum { CARD = sizeof(struct bine_node_card) / sizeof(uint64_t) };

/* A node and the resources to give back. */
struct made {
    struct bine_node node;
    struct bine_arena_region *region;
    struct bine_arena_attached *attached; /* by seat */
    void **memory;                        /* likewise */
    int n, me;                            /* seats, and this rank's */
    int agreed;
};

static struct bine_arena *arena;

static struct bine_arena *find_arena(uint64_t most, struct bine_reason *why) {
    bine_lock();
    if (arena == NULL)
        arena = bine_arena_new(most, NULL, why);
    bine_unlock();
    return arena;
}

void bine_node_end(void) {
    bine_lock();
    bine_arena_free(arena);
    arena = NULL;
    bine_unlock();
}

/* Ranks that the launcher has put on this node, of all communicators; 0 if it does not say. */
static int ranks_here(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                        "SLURM_NTASKS_PER_NODE"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = getenv(names[k]);
        if (value != NULL && atoi(value) > 0)
            return atoi(value);
    }
    return 0;
}

struct bine_node_card *bine_node_cards_new(int p) {
    return malloc((size_t)p * sizeof(struct bine_node_card));
}

_Static_assert((int)BINE_NODE_HOLDS <= (int)BINE_BOARD_HOLDS_MOST,
               "a slot says its bytes in 16 bits");

static void take_shape(struct made *m, const struct bine_board_shape *shape,
                       struct bine_node_card *mine, struct bine_reason *why) {
    m->region = bine_arena_take(arena, bine_board_bytes(shape), m->n - 1, why);
    mine->holds = m->region != NULL ? shape->holds : 0;
    mine->slots = shape->slots;
}

/* The largest board that there is room for. */
static void take_largest(struct made *m, struct bine_node_card *mine, struct bine_reason *why) {
    struct bine_board_shape shape = {SLOTS, BINE_NODE_HOLDS};
    for (; shape.holds >= BINE_BOARD_HOLDS && m->region == NULL; shape.holds /= 2)
        take_shape(m, &shape, mine, why);
}

/* A board for one call, or none. */
static void take_wanted(struct made *m, const struct bine_board_shape *shape,
                        struct bine_node_card *mine, struct bine_reason *why) {
    if (shape->slots == 0) {
        bine_reason_memory(why);
        return;
    }
    take_shape(m, shape, mine, why);
    struct bine_arena_use use = bine_arena_use(arena);
    if (m->region == NULL || use.taken <= use.most - use.most / PARTS)
        return;
    bine_arena_give_now(arena, m->region);
    m->region = NULL;
    mine->holds = 0;
    bine_reason_set(why, "shared memory: half of %llu bytes is in use (BINE_SHARED)",
                    (unsigned long long)use.most);
}

static void take_region(struct made *m, const struct bine_node_place *at, uint64_t most,
                        struct bine_node_card *mine, struct bine_reason *why) {
    if (find_arena(most, why) == NULL)
        return;
    if (at->wanted != NULL)
        take_wanted(m, at->wanted, mine, why);
    else
        take_largest(m, mine, why);
    if (m->region == NULL)
        return;
    bine_arena_card(arena, m->region, &mine->arena);
    why->text[0] = '\0';
}

/* All ranks, of all nodes, use the smallest and fewest slots that anybody has: rounds depend on it.
 */
static struct bine_board_shape agreed_shape(const struct bine_node_card *card, int p) {
    struct bine_board_shape shape = {SLOTS, BINE_NODE_HOLDS};
    for (int k = 0; k < p; k++) {
        shape.holds = (uint32_t)bine_min((uint64_t)shape.holds, card[k].holds);
        shape.slots = (uint32_t)bine_min((uint64_t)shape.slots, card[k].slots);
    }
    return shape;
}

/* 0, or -1, with the reason if it is this rank's. No peer looks at this rank's board before all
 * have agreed, which comes after this: until then the board is initialised. */
static int attach(struct made *m, const struct bine_node_card *card, int p,
                  struct bine_reason *why) {
    struct bine_board_shape shape = agreed_shape(card, p);
    m->node.can_expose = 1;
    if (shape.holds == 0)
        return -1;
    bine_board_init(m->region->memory, &shape);
    for (int r = 0; r < p; r++) {
        int k = m->node.seat[r];
        if (k < 0)
            continue;
        m->node.pid[k] = (int64_t)card[r].arena.pid;
        m->memory[k] = m->region->memory;
        if (k == m->me)
            continue;
        if (bine_arena_attach(arena, &card[r].arena, &m->attached[k], why) != 0)
            return -1;
        m->memory[k] = m->attached[k].memory;
        m->node.can_expose &= bine_arena_can_read(&card[r].arena);
    }
    m->node.boards = bine_boards_new(m->n, m->me, m->memory, &shape);
    return m->node.boards != NULL ? 0 : bine_reason_memory(why);
}

/* The ranks of this one's node sit there in their order. */
static void take_seats(struct made *m, const struct bine_node_place *at) {
    for (int r = 0; r < at->p; r++) {
        int here = at->node == NULL || at->node[r] == at->node[at->rank];
        if (r == at->rank)
            m->me = m->n;
        m->node.seat[r] = here ? m->n++ : -1;
    }
}

static struct made *made_new(const struct bine_node_place *at) {
    struct made *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->node.seat = calloc((size_t)at->p, sizeof *m->node.seat);
    if (m->node.seat != NULL)
        take_seats(m, at);
    size_t n = (size_t)m->n;
    m->attached = calloc(n, sizeof *m->attached);
    m->memory = calloc(n, sizeof *m->memory);
    m->node.pid = calloc(n, sizeof *m->node.pid);
    if (m->attached != NULL && m->memory != NULL && m->node.seat != NULL && m->node.pid != NULL)
        return m;
    bine_node_free(&m->node);
    return NULL;
}

/* Where not all ranks agreed, no rank looks at any board: all memory goes back at once. A peer that
 * still waits for this rank made another number of calls: that was a mistake of the program. */
void bine_node_free(struct bine_node *node) {
    struct made *m = (struct made *)(void *)node;
    if (m == NULL)
        return;
    if (node->boards != NULL && m->agreed)
        bine_boards_leave(node->boards);
    bine_boards_free(node->boards);
    for (int k = 0; m->attached != NULL && k < m->n; k++)
        if (m->attached[k].memory != NULL && m->agreed)
            bine_arena_release(arena, &m->attached[k]);
        else if (m->attached[k].memory != NULL)
            bine_arena_detach(arena, &m->attached[k]);
    if (m->region != NULL && m->agreed)
        bine_arena_give(arena, m->region);
    else if (m->region != NULL)
        bine_arena_give_now(arena, m->region);
    free(m->attached);
    free(m->memory);
    free(node->seat);
    free(node->pid);
    free(m);
}

/* All messages of this process make progress while it waits at a board; so do pending calls. It
 * probes for a message that is never sent: MPI stops looking once it has found one. */
static int poll_mpi(void *comm) {
    int flag;
    return PMPI_Iprobe(MPI_ANY_SOURCE, BINE_TAG_NEVER, *(MPI_Comm *)comm, &flag, MPI_STATUS_IGNORE);
}

void bine_node_wait_on(struct bine_node *node, MPI_Comm *comm) {
    node->wait.progress = poll_mpi;
    node->wait.with = comm;
}

/* Whether the ranks of this node have a core each, to wait on it. */
static int is_roomy(const struct made *m, int cores) {
    int ranks = ranks_here();
    return (ranks > m->n ? ranks : m->n) <= cores;
}

static int is_busy(void) {
    return atomic_load_explicit(&bine_pending_calls, memory_order_relaxed) > 0;
}

/* Alike on all ranks: a rank that sleeps must be woken. */
static void set_wait(struct made *m, int roomy) {
    if (!roomy)
        bine_boards_let_sleep(m->node.boards);
    m->node.wait.spins = roomy ? BINE_WAIT_SPINS : 0;
    m->node.wait.boards = roomy ? NULL : m->node.boards;
    m->node.wait.is_busy = is_busy;
}

/* The reason of the first rank that has one, on all ranks. */
static int share_reason(MPI_Comm comm, int rank, int p, struct bine_reason *why) {
    int first = why->text[0] != '\0' ? rank : p, least = p;
    int rc = bine_mpi->allreduce(&first, &least, 1, MPI_INT, MPI_MIN, comm);
    if (rc == MPI_SUCCESS && least < p)
        rc = bine_mpi->bcast(why->text, sizeof why->text, MPI_CHAR, least, comm);
    return rc;
}

/* Properties of all ranks: boards, ways to read each other's memory, a core each. */
struct can {
    int boards, expose, roomy;
};

/* A rank without memory must not be the only one that does without: it has no slots, and all know.
 */
int bine_node_make(MPI_Comm comm, const struct bine_node_place *at, int64_t most,
                   struct bine_node_card *cards, struct bine_node **node, struct bine_reason *why) {
    struct bine_node_card mine = {.holds = 0};
    struct made *m = made_new(at);
    struct can can = {0, 0, 0}, all = {0, 0, 0};
    *node = NULL;
    why->text[0] = '\0';
    if (m != NULL)
        take_region(m, at, (uint64_t)most, &mine, why);
    else
        bine_reason_memory(why);
    int rc = bine_mpi->allgather(&mine, CARD, MPI_UINT64_T, cards, CARD, MPI_UINT64_T, comm);
    if (rc == MPI_SUCCESS) {
        can.boards = m != NULL && attach(m, cards, at->p, why) == 0;
        can.expose = can.boards && m->node.can_expose;
        can.roomy = m != NULL && is_roomy(m, at->cores);
        rc = bine_mpi->allreduce(&can, &all, 3, MPI_INT, MPI_MIN, comm);
    }
    if (rc == MPI_SUCCESS && !all.boards)
        rc = share_reason(comm, at->rank, at->p, why);
    if (rc != MPI_SUCCESS || !all.boards) {
        bine_node_free(m != NULL ? &m->node : NULL);
        return rc;
    }
    m->agreed = 1;
    m->node.can_expose = all.expose;
    set_wait(m, all.roomy);
    *node = &m->node;
    return MPI_SUCCESS;
}
