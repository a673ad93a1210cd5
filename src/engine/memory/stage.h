/* Staging: elements on their way between a caller's buffer, in any kind of memory, and the host's.
 *
 * `memory` is that of the caller's buffer; NULL: the host's own. Elements with gaps on a device are
 * read and written with their gaps. Each returns an MPI error code. */
#ifndef BINE_ENGINE_STAGE_H
#define BINE_ENGINE_STAGE_H

#include "engine/memory/memory.h"
#include "engine/transport/elements.h"

/* The kind of memory that a buffer is in. The data of a type may begin far from the address that
 * the caller gives. */
static inline const struct bine_memory *bine_memory_of(const void *buffer,
                                                       const struct bine_type *t) {
    return bine_memory_at(bine_at(buffer, t->true_lb));
}

/* To and from packed bytes. */
int bine_stage_pack(const struct bine_memory *memory, const struct bine_type *t, const void *from,
                    ptrdiff_t n, char *to, bine_comm_handle comm);
int bine_stage_unpack(const struct bine_memory *memory, const struct bine_type *t, const char *from,
                      ptrdiff_t n, void *to, bine_comm_handle comm);

/* To and from elements of one type. `self`: see bine_type_copy. */
int bine_stage_read(const struct bine_memory *memory, const struct bine_type *t, const void *from,
                    char *to, ptrdiff_t n, bine_comm_handle comm, int self);
int bine_stage_write(const struct bine_memory *memory, const struct bine_type *t, const char *from,
                     void *to, ptrdiff_t n, bine_comm_handle comm, int self);

#endif
