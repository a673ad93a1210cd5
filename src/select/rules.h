/* Rules: which algorithm for which calls. The first that holds is followed. They come from a file
 * (BINE_RULES; docs/choosing.md has the schema) or are built in, in one form. */
#ifndef BINE_SELECT_RULES_H
#define BINE_SELECT_RULES_H

#include "select/evidence.h"
#include "select/settings.h"

/* The query for the algorithm of a call: all fields are equal on all ranks. */
struct bine_query {
    enum bine_collective collective;
    int p;
    int64_t bytes; /* of the whole vector */
    int commutative;
    int uneven;             /* allgatherv: one block has more than a quarter of all bytes */
    int root;               /* of a rooted collective */
    int drop_in;            /* an MPI call that was intercepted, not one of Bine's own */
    int always;             /* as if it were one of Bine's own */
    int handed_back;        /* BINE_NONBLOCKING=0 */
    int patient;            /* many candidates are tried (BINE_EFFORT) */
    int nonblocking;        /* it is started, and goes on while the program does something else */
    int library;            /* enum bine_library */
    int nodes;              /* with ranks of the communicator; 0: not known */
    int per_node;           /* the most ranks on a node; 0: not known */
    int crowded;            /* some node has more ranks than cores that they may use; */
    int leaves_crowded;     /* then calls are MPI's, if they were intercepted */
    int groups;             /* of the network that nodes lie in; 0: not known */
    struct bine_shape dims; /* of the torus that the ranks are on; no dims: not known */
    int wired;              /* the network is this torus, not only the program's idea of it */
    int seats;              /* torus algorithms take the ranks in another order */
    int ports;              /* that they may use; 0: one */
    int boards;             /* all ranks are on one node, and their boards are there */
    int exposes;            /* they can read each other's memory, too */
    int levels;   /* groups or nodes are known, and say something: algorithms can use them */
    int reorders; /* flat algorithms take the ranks in another order */
};

enum bine_library { BINE_LIBRARY_ANY, BINE_LIBRARY_OPENMPI, BINE_LIBRARY_MPICH, BINE_LIBRARIES };
const char *bine_library_name(int library);
int bine_library_find(const char *name); /* or -1 */

/* Numbers from low to high, both included. */
struct bine_interval {
    int64_t low, high;
};

enum { BINE_INTERVALS = 8 };
struct bine_intervals {
    int n; /* 0: any number */
    struct bine_interval interval[BINE_INTERVALS];
};

enum { BINE_CLASS_POW2 = 1, BINE_CLASS_EVEN, BINE_CLASS_ODD };
enum { BINE_IF_YES = 1, BINE_IF_NO };

/* Conditions that are zero hold always. */
struct bine_rule {
    uint32_t collectives; /* a bit for each */
    struct bine_intervals ranks, nodes, per_node, groups;
    struct bine_intervals dims;  /* of the torus, without dimensions of one rank */
    struct bine_intervals ports; /* that torus algorithms may use */
    int ranks_class;
    int64_t from, below; /* bytes */
    int commutative, groups_known, drop_in, nonblocking;
    int uneven;         /* one block has more than a quarter of all bytes */
    int cores_suffice;  /* no node has more ranks than cores, as far as is known */
    int crowded_left;   /* BINE_CROWDED=0 */
    int groups_several; /* more than one is known: there is something to save between them */
    int torus_known, torus_wired; /* the program or a setting says so; the network is so */
    int torus_in_order;           /* its nodes are in the order of ranks */
    int torus_bends; /* flat Bine algorithms load its links more than one that knows it */
    int library;
    const char *algorithm; /* NAME, NAME:LAYOUT or mpi */
    const char *reason;
    struct bine_evidence learnt;
};

struct bine_rules {
    size_t count;
    const struct bine_rule *rule;
    struct bine_selection
        *found;   /* of each rule and collective: the meaning of the algorithm's name */
    char *memory; /* of the texts */
    uint64_t hash;
    int needs_nodes; /* some rule asks for them */
    int starts;      /* some rule may give a nonblocking call to Bine */
};

/* The built-in ones. */
const struct bine_rules *bine_rules_built_in(void);

/* NULL if the rule holds, or the name of the first condition that does not. */
const char *bine_rule_misses(const struct bine_rule *r, const struct bine_query *q);

/* Rules of a file. 0, or -1 with "FILE:LINE:COLUMN: the mistake". */
int bine_rules_load(const char *path, struct bine_rules *rules, char *why, size_t size);
/* Rules of a text, which becomes theirs; `name` is the file's. */
int bine_rules_parse(const char *name, char *text, struct bine_rules *rules, char *why,
                     size_t size);
void bine_rules_free(struct bine_rules *rules);

/* "1-64,100,256-": 0, or -1. */
int bine_intervals_parse(const char *text, struct bine_intervals *s);

#endif
