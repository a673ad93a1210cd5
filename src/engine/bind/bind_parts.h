/* Shared between the files that bind a call: bind_call.c, bind_sizes.c, bind_data.c. */
#ifndef BINE_ENGINE_BIND_PARTS_H
#define BINE_ENGINE_BIND_PARTS_H

#include "base/numbers.h"
#include "engine/bind/bind.h"
#include "engine/memory/stage.h"

/* The memory that a call needs besides the caller's buffers, in bytes unless a comment says
 * otherwise. */
struct bine_bind_needs {
    size_t execution, tables, packed_in, packed_out, scratch, staging, board;
    int64_t tmp;          /* elements */
    int64_t piece, total; /* elements of the largest piece; of the whole vector */
    int64_t block;        /* elements of a rank's block, where all blocks are equal; else of the
                             whole vector */
    int64_t in, out;      /* uneven blocks: bytes of these spaces */
    size_t slot;          /* of tmp, where it is cut into slots that lie apart, */
    int slots;            /* and how many there are; or 1 */
    int roomy;            /* there is scratch for all messages of a step at once */
    int apart;            /* uneven blocks are worked on where the caller has them */
};

/* Where that memory is: pinned and away are of the pool, or NULL. */
struct bine_bind_memory {
    char *host, *pinned, *on_device;
};

static inline size_t bine_room_of(size_t n) {
    return (n + 63) & ~(size_t)63;
}

/* bine_bind of one run. */
int bine_bind_run(struct bine_bound *bound, const struct bine_plan *plan,
                  const struct bine_call *call, struct bine_channel *channel, size_t segment,
                  struct bine_workspace *w);

/* The counts of a reduce-scatter, where they are not one; or NULL. */
const struct bine_counts *bine_counts_of(const struct bine_call *call);

/* The number of elements of everything, and the cuts of the spaces: first the part that needs no
 * memory for tables; then the tables. */
void bine_bind_measure(const struct bine_plan *plan, const struct bine_call *call,
                       struct bine_bind_needs *n);
void bine_bind_measure_aside(const struct bine_plan *plan, const struct bine_type *t,
                             struct bine_bind_needs *n);
void bine_bind_maps(struct bine_execution *x, const struct bine_call *call,
                    struct bine_bind_needs *n);
void bine_bind_tables(struct bine_bound *b, const struct bine_bind_needs *n, char *tables);
/* The bytes of tables of where the caller has uneven blocks; and set them up. */
size_t bine_bind_place_tables(const struct bine_schedule *s);
void bine_bind_places(struct bine_bound *b, char *places);

/* Where the spaces begin; and, on boards, the elements that are packed and unpacked there directly.
 */
static inline void bine_bind_bases(struct bine_bound *b) {
    /* Addresses are not changed here, only carried: the cast away of const ends where MPI takes
     * over. */
    const struct bine_call *call = &b->call;
    char *in = b->packed_in, *out = b->packed_out;
    if (out == NULL) /* the root of a packed broadcast may receive, too */
        out =
            in != NULL && call->collective == BINE_BCAST ? in : bine_at(call->recvbuf, b->out_from);
    if (in == NULL)
        in = bine_at(call->sendbuf, b->in_from);
    b->execution.map[BINE_IN].base = b->in_is_out ? bine_at(out, b->in_behind) : in;
    b->execution.map[BINE_OUT].base = out;
}
void bine_bind_direct(struct bine_bound *b);

/* The element of `out` under which `in` begins, in place. */
int64_t bine_in_place_offset(const struct bine_bound *b);

/* Whether the caller's data comes piece by piece as the call runs: from where to where. */
int bine_bind_copies_in(const struct bine_bound *b, struct bine_copy_in *x);
/* Whether some of the call is in pinned memory: else it never does. */
static inline int bine_bind_is_pinned(const struct bine_bound *b) {
    return b->pinned_in || b->pinned_out;
}
/* The caller's data to where the engine works on it, and back. Return MPI error codes. */
int bine_bind_read(const struct bine_bound *b);
int bine_bind_write(const struct bine_bound *b);

#endif
