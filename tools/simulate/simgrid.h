/* The part that knows SimGrid, in C++, in a library of its own: `bine` opens it when it is asked to
 * simulate, and works without it otherwise. */
#ifndef BINE_TOOLS_SIMULATE_SIMGRID_H
#define BINE_TOOLS_SIMULATE_SIMGRID_H

#include "simulate/script.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The network of a job: its links, and the way between two ranks. */
struct bine_simgrid_network {
    int ranks, nodes;
    const int32_t *node; /* of each rank */
    size_t links;
    int torus;          /* the links between nodes are narrower than those out of them */
    const double *rate; /* of each link, bytes a second */
    /* The links of a message in order, and its latency in seconds; returns how many. */
    int (*route)(const void *self, int from, int to, size_t *route, double *latency);
    const void *self;
    int longest;                  /* route */
    double message, copy, reduce; /* seconds; bytes a second */
    double cache, cache_bytes;    /* the first bytes of a copy, so many: bytes a second */
    size_t wide;                  /* a link that each message has to itself */
    double eager;                 /* bytes */
    int early; /* such small messages leave when they are sent, whether or not they are waited for */
    double memory; /* seconds until others of a node see what was written */
    const char *(*host)(const void *self, int node); /* its name */
};

/* Bytes of a message besides its data: tag, sender and communicator. As many as SimGrid's MPI
 * takes. They take time; traffic does not count them. */
enum { BINE_SIMGRID_ENVELOPE = 16 };

/* What one collective took. */
struct bine_simgrid_result {
    double seconds;
    int64_t *load; /* bytes on each link: the caller's room, or NULL */
};

/* Once, before anything else. 0, or -1. */
typedef int bine_simgrid_open_call(const struct bine_simgrid_network *network);
/* 0; 1 if ranks wait for each other for ever. */
typedef int bine_simgrid_replay_call(const struct bine_script *script,
                                     struct bine_simgrid_result *result);

bine_simgrid_open_call bine_simgrid_open;
bine_simgrid_replay_call bine_simgrid_replay;

#ifdef __cplusplus
}
#endif

#endif
