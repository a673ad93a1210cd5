/* The tables of usual.h, read. They are words; that each means something is for the test. */
#include "predict/usual.h"

#include "base/numbers.h"

#include <stdio.h>
#include <string.h>

/* --- Conditions */

static int64_t elements(const struct bine_usual_query *q) {
    return q->bytes / (q->element > 0 ? q->element : 1);
}

#define CONDITION(name, holds)                                                                     \
    static int name(const struct bine_usual_query *q) {                                            \
        return holds;                                                                              \
    }
CONDITION(if_any, q->p > 0)
CONDITION(if_several, q->several)
CONDITION(if_power, bine_is_pow2(q->p))
CONDITION(if_several_power, q->several &&bine_is_pow2(q->p))
CONDITION(if_even, q->p % 2 == 0)
CONDITION(if_fewer_than_ranks, elements(q) < q->p)
CONDITION(if_few, elements(q) < 1 << bine_log_floor(q->p, 2)) /* than the power of two below p */

/* --- Bands: ranks, then bytes */

struct band {
    enum bine_collective collective;
    int below; /* ranks; 0: all */
    int (*holds)(const struct bine_usual_query *q);
    const char *sizes; /* "NAME <BYTES NAME <=BYTES NAME" */
};

#define ANY if_any
#define POW2 if_power
#define SEVERAL if_several
#define SEVERAL_POW2 if_several_power
#define BAND(c, ranks, when, text) {BINE_##c, ranks, when, text},
static const struct band openmpi[] = {
#include "predict/usual_openmpi.def"
};
static const struct band mpich[] = {
#include "predict/usual_mpich.def"
};
#undef BAND

#define BIT(c) (UINT32_C(1) << BINE_##c)

static const struct library {
    const struct band *band;
    size_t bands;
    uint32_t by_block; /* collectives whose limits are of the block of one rank, not of the whole */
} libraries[BINE_LIBRARIES] = {
    [BINE_LIBRARY_OPENMPI] = {openmpi, sizeof openmpi / sizeof *openmpi,
                              BIT(GATHER) | BIT(SCATTER) | BIT(ALLGATHER) | BIT(ALLGATHERV) |
                                  BIT(ALLTOALL)},
    [BINE_LIBRARY_MPICH] = {mpich, sizeof mpich / sizeof *mpich, BIT(ALLTOALL)},
};

static const struct band *find_band(const struct library *l, const struct bine_usual_query *q) {
    for (size_t i = 0; i < l->bands; i++) {
        const struct band *b = &l->band[i];
        if (b->collective == q->collective && (b->below == 0 || q->p < b->below) && b->holds(q))
            return b;
    }
    return NULL;
}

/* The name in a band's sizes whose limit is the first above the bytes. */
static void find_name(const char *sizes, int64_t bytes, char name[BINE_USUAL_TEXT]) {
    char word[BINE_USUAL_TEXT];
    int n;
    while (sscanf(sizes, "%63s%n", word, &n) == 1) {
        sizes += n;
        if (word[0] != '<') {
            strcpy(name, word);
            continue;
        }
        int included = word[1] == '=';
        int64_t limit;
        if (bine_size_parse(word + 1 + included, &limit) == 0 && bytes < limit + included)
            return;
    }
}

/* --- Algorithms: of which rows of the catalogue they are made */

#define ALWAYS if_any
#define POWER if_power
#define EVEN if_even
#define FEW if_few
#define FEWER_THAN_RANKS if_fewer_than_ranks
#define MADE(library, c, name, when, parts) {BINE_LIBRARY_##library, BINE_##c, name, when, parts},
static const struct made {
    int library;
    enum bine_collective collective;
    const char *name;
    int (*holds)(const struct bine_usual_query *q);
    const char *parts;
} made[] = {
#include "predict/usual_algorithms.def"
};
#undef MADE

static const struct made *find_made(const struct bine_usual_query *q, const char *name) {
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (made[i].library == q->library && made[i].collective == q->collective &&
            strcmp(made[i].name, name) == 0 && made[i].holds(q))
            return &made[i];
    return NULL;
}

/* Takes the word up to `end` off the front of a text: its rest, or NULL if it has no such end. */
static char *cut(char *text, char end) {
    char *at = strchr(text, end);
    if (at != NULL)
        *at++ = '\0';
    return at;
}

/* [RANKS.][COLLECTIVE/]ALGORITHM[:LAYOUT][+] */
static int read_part(char *word, enum bine_collective c, int p, struct bine_usual_part *part) {
    static const char *const names[BINE_USUAL_RANKS] = {"all", "leaders", "node", "folded", "pair"};
    int at_once = cut(word, '+') != NULL;
    char *rest = cut(word, '.'), *layout;
    *part = (struct bine_usual_part){.collective = c, .at_once = at_once};
    for (int i = 0; i < BINE_USUAL_RANKS && rest != NULL; i++)
        if (strcmp(word, names[i]) == 0)
            part->ranks = (enum bine_usual_ranks)i;
    word = rest != NULL ? rest : word;
    if ((rest = cut(word, '/')) != NULL) {
        int found = bine_collective_find(word);
        if (found < 0)
            return -1;
        part->collective = (enum bine_collective)found;
        word = rest;
    }
    layout = cut(word, ':');
    if (strcmp(word, "decided") == 0)
        return 0;
    part->algorithm = bine_algorithm_find(part->collective, word);
    if (part->algorithm == NULL)
        return -1;
    part->layout = bine_algorithm_layout(part->algorithm, p);
    if (layout != NULL)
        part->layout = (enum bine_layout)bine_layout_find(layout);
    return bine_algorithm_has_layout(part->algorithm, part->layout, p) ? 0 : -1;
}

int bine_usual_find(const struct bine_usual_query *q, struct bine_usual *u) {
    *u = (struct bine_usual){.parts = 0};
    if (q->p < 2 || q->library <= BINE_LIBRARY_ANY || q->library >= BINE_LIBRARIES)
        return -1;
    const struct library *l = &libraries[q->library];
    const struct band *band = find_band(l, q);
    if (band == NULL)
        return -1;
    find_name(band->sizes, l->by_block >> q->collective & 1 ? q->bytes / q->p : q->bytes, u->name);
    const struct made *m = find_made(q, u->name);
    if (m == NULL)
        return -1;
    char word[BINE_USUAL_TEXT];
    const char *parts = m->parts;
    u->like = *parts == '~';
    parts += u->like;
    for (int n; sscanf(parts, "%63s%n", word, &n) == 1 && u->parts < BINE_USUAL_PARTS; parts += n)
        if (read_part(word, q->collective, q->p, &u->part[u->parts++]) != 0)
            return -1;
    return 0;
}
