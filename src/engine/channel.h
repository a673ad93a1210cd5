/* A channel: a private communicator, and the number of the call that is made on it.
 *
 * All ranks count alike, so that the number can be part of every tag, and boards begin a call with
 * a number that follows from it. A message or a publication that a call which failed has left
 * behind then never meets a later call, and calls may be pending together. */
#ifndef BINE_ENGINE_CHANNEL_H
#define BINE_ENGINE_CHANNEL_H

#include "engine/transport/transport.h"

enum {
    BINE_TAG_FIRST = 16,    /* the first strand of the first call; the others follow */
    BINE_TAGS_OF_CALL = 64, /* more strands a schedule never has */
};

struct bine_workspace_block; /* memory: see workspace.h */
struct bine_node;            /* boards: see node.h */

struct bine_channel {
    bine_comm_handle comm;
    uint64_t calls;         /* so far */
    uint32_t tags;          /* calls that tags can tell apart, a power of two; 0: it is not open */
    uint32_t lasting;       /* more tags, for persistent calls; and their number */
    uint32_t given;         /* of these have been given */
    struct bine_node *node; /* the boards of the ranks on this node, or NULL */
    void *stream;           /* of a device, that calls come after; NULL: the default one */
    struct bine_workspace_block *left; /* memory that messages which never ended may still use */
};

/* On a communicator that returns its errors; the caller frees it after the channel is closed. */
void bine_channel_open(struct bine_channel *ch, bine_comm_handle comm);
void bine_channel_close(struct bine_channel *ch);

/* A call begins. This must be counted on all ranks or on none, whatever becomes of the call. */
static inline void bine_channel_count(struct bine_channel *ch) {
    ch->calls++;
}

/* The tag of the call's first strand. */
static inline int bine_channel_tag(const struct bine_channel *ch) {
    return BINE_TAG_FIRST + (int)((uint32_t)ch->calls & (ch->tags - 1)) * BINE_TAGS_OF_CALL;
}

/* A tag for a call that will be started again and again: started in any order, such calls keep
 * apart by when they were made ready. All ranks ask for it together. -1: there is none left. */
static inline int bine_channel_lasting_tag(struct bine_channel *ch) {
    if (ch->given >= ch->lasting)
        return -1;
    return BINE_TAG_FIRST + (int)(ch->tags + ch->given++) * BINE_TAGS_OF_CALL;
}

#endif
