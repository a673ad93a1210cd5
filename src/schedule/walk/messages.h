/* The mail of a collective: the schedules of all ranks, every send with its receive, and every read
 * of a board with the publication that it reads. */
#ifndef BINE_SCHEDULE_WALK_MESSAGES_H
#define BINE_SCHEDULE_WALK_MESSAGES_H

#include "schedule/piece_bytes.h"
#include "schedule/walk/ranks.h"
#include "schedule/walk/visit.h"

enum { BINE_SENDER, BINE_RECEIVER, BINE_ENDS };

struct bine_message {
    int32_t rank[BINE_ENDS];
    uint32_t op[BINE_ENDS];
    uint32_t strand; /* equal at both ends */
    uint32_t transfers;
    int64_t bytes;
};

/* A rank publishes once at a time of a strand. */
struct bine_publication {
    int32_t rank, time;
    uint32_t strand, op;
    uint32_t readers; /* reads of it */
};

/* The number of an operation that is neither a message nor on boards. */
#define BINE_NO_MAIL UINT32_MAX

struct bine_messages {
    int p;
    struct bine_schedule **schedule; /* of each rank */
    uint32_t **of_op;                /* of each rank: the number of each operation's message or
                                        publication, or BINE_NO_MAIL */
    int64_t **op_bytes;              /* of each rank: the bytes of each operation's pieces */
    struct bine_message *message;    /* by sender, receiver, strand and time */
    size_t count;
    struct bine_publication *publication; /* by rank, strand and time */
    size_t publications;
};

/* 0, or -1 when out of memory. Transfers of no bytes are none: their messages have no bytes. */
int bine_messages_collect(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes);
/* Collects without the runs of the schedules, which take most of their memory; 1 if there are more
 * than `most` messages. */
int bine_messages_collect_lean(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes,
                               size_t most);
void bine_messages_free(struct bine_messages *m);

#endif
