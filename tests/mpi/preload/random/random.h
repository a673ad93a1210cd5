/* Random MPI programs, each driven by a seed: collectives of all kinds and forms on communicators
 * that come and go, with requests completed in every way. All ranks derive a program from its seed;
 * the result of each call is worked out here, without a call of MPI's that moves data.
 *
 * random.c    the steps of a program, and the watchdog
 * comms.c     communicators and their members
 * draw.c      a call: collective, form, types, sizes
 * data.c      which data every rank has, and must end with
 * issue.c     the calls of MPI
 * complete.c  completion of requests */
#ifndef BINE_TESTS_RANDOM_H
#define BINE_TESTS_RANDOM_H

#include "../../calls/operators.h"

enum { RANKS = 16, COMMS = 6, SCENES = 12, TEXT = 400 };

/* --- Communicators */

/* All ranks know of every communicator; those that are in it have its handle. */
struct group {
    MPI_Comm comm;     /* MPI_COMM_NULL: none, or this rank is not in it */
    int n, rank;       /* rank: this one's there, or -1 */
    int member[RANKS]; /* ranks of MPI_COMM_WORLD; n = 0: there is no such communicator */
    int is_world;      /* which is never freed */
};

extern struct group groups[COMMS];

void comms_begin(void);
void comms_end(void);
/* Make one from another, in some way; nothing where all places are taken. */
void comms_make(struct rng *all);
/* Free one: not MPI_COMM_WORLD, and not where persistent requests are. */
void comms_free(struct rng *all);
/* One that exists. */
struct group *comms_draw(struct rng *all);

/* --- Calls */

enum kind_of_call {
    BCAST,
    REDUCE,
    ALLREDUCE,
    SCAN,
    EXSCAN,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    BARRIER,
    RING, /* not a collective: a message to the next rank, among the other requests */
    CALLS
};
enum form_of_call { BLOCKING, NONBLOCKING, PERSISTENT };

/* A buffer as blocks, each of elements of a type at a place. Where MPI wants one count or one type,
 * all blocks have it. */
struct side {
    int blocks;                     /* 0: no buffer */
    int count[RANKS], place[RANKS]; /* place: in extents of the type, of alltoallw in bytes */
    int form[RANKS];
    MPI_Datatype type[RANKS];
    size_t bytes;
    char *memory, *base;
    char *image; /* of the memory, as it must be after the call */
};

/* All ranks know of every call; those in its communicator have buffers. */
struct scene {
    int used, active; /* active: started, and not known to be complete */
    enum kind_of_call kind;
    enum form_of_call form;
    struct group group; /* as it was: the program may free it */
    int which;          /* of the groups; -1: freed */
    int element, op, root, in_place, own_types;
    int unit, n;         /* elements in each block, or in the vector: a multiple of the unit */
    uint64_t seed;       /* of its sizes and data */
    int starts;          /* each has other data */
    int peers[2][RANKS]; /* of each block of the sides: the rank it goes to or comes from */
    struct side send, recv;
    MPI_Op handle;
    MPI_Request request, message;
};

extern struct scene scenes[SCENES];

int is_reduction(enum kind_of_call k);
int is_rooted(enum kind_of_call k);
int opens_by_barrier(void);
/* What can be drawn: where calls may come to the MPI library, not its known faults. */
int persistent_works(int p);
int types_work(void);
int idup_works(void);
int split_type_works(void);
/* started: a nonblocking call with uneven blocks */
int in_place_works(enum kind_of_call k, int started, int p);
int freeing_works(void); /* of a communicator on which calls are pending */
int scene_is_mine(const struct scene *x);
/* Draw a call into a free place; NULL: there is none. */
struct scene *scene_draw(struct rng *all);
const char *scene_text(const struct scene *x);

/* Elements that rank `from` of the group has for rank `to`. */
int length(const struct scene *x, int from, int to);
void scene_make_buffers(struct scene *x);
void scene_free_buffers(struct scene *x);
/* This rank's data for the next start, and the result that it must have. */
void scene_fill(struct scene *x);
void scene_compare(struct scene *x);

/* Make the call. Of a persistent one: its request. */
void scene_issue(struct scene *x);
void scene_start(struct scene *x);

/* Some of the active ones, in a way of this rank's own; all of them; one. */
void complete_some(struct rng *own);
void complete_all(struct rng *own);
void complete_one(struct scene *x);

#endif
