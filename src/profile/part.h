/* The part of one rank: its records, in a file that is mapped, so that nothing is lost where
 * the program is killed. All of it has a place from the beginning; where records do not fit, they
 * are joined. */
#ifndef BINE_PROFILE_PART_H
#define BINE_PROFILE_PART_H

#include "profile/align.h"
#include "profile/ticks.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BINE_PART_COMMS = 24, /* the last is for all that found no place */
    BINE_PART_ROWS = 80,
    BINE_PART_STEPS = 32,
    BINE_PART_SAMPLES = 240,
    BINE_PART_SITES = 31, /* site 0: none */
    BINE_PART_SITE_TEXT = 72,
    BINE_PART_MOST = 10 * 1024 /* bytes, without sites */
};

enum bine_form { BINE_FORM_BLOCKING, BINE_FORM_NONBLOCKING, BINE_FORM_PERSISTENT, BINE_FORMS };

enum bine_datatype {
    BINE_DATATYPE_NONE,
    BINE_DATATYPE_BYTE,
    BINE_DATATYPE_INTEGER,
    BINE_DATATYPE_FLOAT,
    BINE_DATATYPE_COMPLEX,
    BINE_DATATYPE_OTHER,
    BINE_DATATYPE_DERIVED,
    BINE_DATATYPE_SEVERAL,
    BINE_DATATYPES
};

enum bine_part_comm_kind {
    BINE_PART_WORLD,
    BINE_PART_PART,
    BINE_PART_INTER,
    BINE_PART_SEVERAL,
    BINE_PART_KINDS
};

/* Classes of sizes: k for bytes from 2^k on. */
enum { BINE_CLASS_EMPTY = 64, BINE_CLASS_NONE = 65, BINE_CLASSES };

/* Algorithms: numbers in the catalogue, and then these. */
enum { BINE_PART_BY_MPI = 0xffff, BINE_PART_BY_DEVICE = 0xfffe, BINE_PART_BY_SEVERAL = 0xfffd };

enum { BINE_ROOT_NONE = -1, BINE_ROOT_VARIES = -2 };

/* The kind of a call, and as one number: rows are looked up by it. */
struct bine_call_kind {
    unsigned comm, collective, form, class, datatype, algorithm, layout, site;
};

static inline uint64_t bine_call_kind_pack(const struct bine_call_kind *k) {
    return (uint64_t)k->comm << 48 | (uint64_t)k->collective << 40 | (uint64_t)k->class << 32 |
           (uint64_t)k->algorithm << 16 | (uint64_t)k->site << 8 | (uint64_t)k->layout << 5 |
           (uint64_t)k->datatype << 2 | k->form;
}

static inline struct bine_call_kind bine_call_kind_of(uint64_t key) {
    return (struct bine_call_kind){.comm = key >> 48 & 0xff,
                                   .collective = key >> 40 & 0xff,
                                   .class = key >> 32 & 0xff,
                                   .algorithm = key >> 16 & 0xffff,
                                   .site = key >> 8 & 0xff,
                                   .layout = key >> 5 & 7,
                                   .datatype = key >> 2 & 7,
                                   .form = key & 3};
}

struct bine_part_comm {
    uint64_t key;  /* of its ranks in their order: equal on all of them */
    int32_t ranks; /* how many */
    int32_t rank;  /* this process among them; -1: of several communicators */
    uint32_t made; /* of how many communicators calls were recorded */
    uint32_t kind; /* enum bine_part_comm_kind */
};

struct bine_part_row {
    uint64_t key;
    int32_t root;
    uint32_t thin; /* calls are sampled whose hash has none of these bits */
    uint64_t calls, ticks, longest;
    double bytes;
};

/* The run in steps of equal length, which double when it gets longer. */
struct bine_part_step {
    uint64_t calls, ticks;
    double bytes;
};

/* The arrival at a call: ticks from the beginning, and the row in the lowest 8 bits. */
struct bine_part_sample {
    uint64_t at_row;
    uint32_t call;
    float took; /* ticks */
};

struct bine_part_head {
    char magic[8];
    uint32_t version, bytes;
    uint64_t words;       /* the hash of this version's words */
    uint64_t job;         /* a number that all ranks of the job have; 0: they never met */
    uint64_t node, group; /* hashes of their names; group 0: not known */
    int32_t rank, ranks;  /* in MPI_COMM_WORLD */
    uint32_t off, finished;
    uint32_t comms, rows, samples, sites; /* how many there are */
    uint32_t shift;                       /* a step is 2^shift ticks */
    struct bine_ticks_pair begin, last;
    uint64_t end;                     /* ticks when the last call returned */
    uint64_t calls, ticks;            /* all of them */
    uint64_t lost, lost_ticks;        /* of which these have no row */
    struct bine_alignment clock[2];   /* at the beginning and the end */
    char bine[16], mpi[64], host[64]; /* host: only if it was asked for */
};

struct bine_part {
    struct bine_part_head head;
    struct bine_part_comm comm[BINE_PART_COMMS];
    struct bine_part_row row[BINE_PART_ROWS];
    struct bine_part_step step[BINE_PART_STEPS];
    struct bine_part_sample sample[BINE_PART_SAMPLES];
};

_Static_assert(sizeof(struct bine_part) <= BINE_PART_MOST, "the promise of docs/profile.md");

/* Behind the part, where sites are asked for. */
struct bine_part_sites {
    char text[BINE_PART_SITES][BINE_PART_SITE_TEXT];
};

#define BINE_PART_MAGIC "BINEPART"
enum { BINE_PART_VERSION = 1 };

/* The bytes of a part. */
static inline size_t bine_part_bytes(int sites) {
    return sizeof(struct bine_part) + (sites ? sizeof(struct bine_part_sites) : 0);
}

/* The hash of the words that numbers in parts stand for. */
uint64_t bine_part_words(void);

/* A part as it was found: NULL if it is sound; otherwise why not. Strings end afterwards, and
 * numbers are within their bounds. */
const char *bine_part_check(struct bine_part *p, size_t bytes);
typedef const char *bine_part_checker(struct bine_part *p, size_t bytes);
/* The head alone, which other files begin with, too (timeline/tape.h). */
const char *bine_part_check_head(const struct bine_part_head *h, const char *magic,
                                 uint32_t version, size_t bytes);

/* The text of a site, or "". */
const char *bine_part_site(const struct bine_part *p, unsigned site);

#endif
