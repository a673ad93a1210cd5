/* A link that serves the connections of its sender in turns, as operating systems and network cards
 * do: of n busy connections, each gets an n-th of the rate. So a long message is through last even
 * if it was sent first. Messages of one connection, to one rank, follow one another. */
#ifndef BINE_MODEL_FAIR_QUEUE_H
#define BINE_MODEL_FAIR_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#define BINE_SHARE_NOBODY UINT32_MAX

/* A message on its way out. */
struct bine_fair_queue_client {
    double through;  /* once the served connections have had this many bytes */
    uint32_t next;   /* of the served connections: the next to be through */
    uint32_t behind; /* of its connection: the one that waits for this one */
};

struct bine_fair_queue {
    double rate;         /* bytes a second */
    double burst, ahead; /* bytes that may pass at once after a pause; that may now */
    double
        served; /* the bytes that a connection would have had, had it been there from the start */
    double at;  /* that was then */
    double due; /* when the first of them will be through */
    uint32_t clients; /* with bytes left */
    uint32_t first, last;
};

/* A message comes to the link: 1 if it is through at once, 0 if it will be told by
 * bine_fair_queue_through at s->due, or later if others come. */
int bine_fair_queue_enter(struct bine_fair_queue *s, struct bine_fair_queue_client *client,
                          uint32_t number, double at, double bytes);
/* At s->due: the message that is through. */
uint32_t bine_fair_queue_through(struct bine_fair_queue *s, struct bine_fair_queue_client *client);

#endif
