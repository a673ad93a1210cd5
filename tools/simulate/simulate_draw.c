/* Hosts for a job, drawn from a machine: as they might be given to one. */
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/hosts_option.h"
#include "pattern/groups/groupings.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const placements[BINE_PLACEMENTS] = {"contiguous", "fragmented", "random"};

int bine_word_placement(const char *word, enum bine_placement *how) {
    for (int i = 0; i < BINE_PLACEMENTS; i++)
        if (strcmp(word, placements[i]) == 0) {
            *how = (enum bine_placement)i;
            return 0;
        }
    return bine_complain_near(bine_nearest_word(word, placements, BINE_PLACEMENTS),
                              "--placement '%s': expected contiguous, fragmented or random", word);
}

/* A host of a machine whose hosts are known by a pattern only: as<group>r<rack>b<blade>. The first
 * field is the group, the last counts inside it, those between are 1. */
static void name_by_pattern(const struct bine_machine *m, long number, char *name, size_t size) {
    long in_group = bine_machine_nodes(m) / bine_machine_groups(m);
    size_t at = 0;
    int field = 0;
    for (const char *c = m->pattern; *c != '\0' && at + 24 < size; c++) {
        if (*c != '<') {
            name[at++] = *c;
            continue;
        }
        c = strchr(c, '>');
        int last = strchr(c, '<') == NULL;
        long value = field == 0 ? number / in_group + 1 : last ? number % in_group + 1 : 1;
        at += (size_t)snprintf(name + at, size - at, field == 0 || last ? "%02ld" : "%ld", value);
        field++;
    }
    name[at] = '\0';
}

/* All hosts to draw from, in the machine's order. */
static int list_hosts(const struct bine_host_draw *d, const struct bine_machine *m,
                      struct bine_hosts *all) {
    char name[256];
    if (d->among != NULL)
        return bine_word_hosts(d->among, all);
    long n = m->pattern != NULL ? bine_machine_nodes(m) : m->hosts.count;
    for (long i = 0; i < n; i++) {
        if (m->pattern != NULL)
            name_by_pattern(m, i, name, sizeof name);
        else
            snprintf(name, sizeof name, "%s", bine_names_text(&m->hosts, (int)i));
        int number = bine_names_add(&all->names, name, strlen(name));
        if (number < 0 || bine_hosts_append(all, number) != 0)
            return bine_complain("out of memory");
    }
    return n > 0 ? 0
                 : bine_complain("--nodes: machine '%s' does not list its hosts: expected --hosts",
                                 m->name);
}

/* How many nodes of others lie between two nodes of a job on Leonardo: in 5.9 % of all cases none,
 * else these numbers of them, each twentieth of the cases between two. From the 461 jobs of 16
 * nodes and more of the week of jobs that was published with the PICO benchmark suite: 21,930 runs
 * of neighbouring nodes, 1.06 nodes long on average. */
static const int gaps[] = {1,  1,  3,  4,  4,  5,  6,  7,  8,  9,   11,
                           12, 13, 14, 16, 19, 23, 30, 45, 86, 1763};
enum { GAPS = sizeof gaps / sizeof *gaps - 1, NONE_OF_1000 = 59, GAP_MEAN = 24 };

static double draw_gap(uint64_t *seed) {
    if (bine_draw(seed, 1000) < NONE_OF_1000)
        return 0;
    int i = (int)bine_draw(seed, GAPS);
    double part = (double)bine_draw(seed, 1 << 20) / (1 << 20);
    return gaps[i] + part * (gaps[i + 1] - gaps[i]);
}

/* From node to node with gaps, from a random place on; nodes that come up again are passed over.
 * Large jobs have smaller gaps: there is no room for more. */
static void take_fragments(char *taken, int all, int n, uint64_t *seed) {
    double room = (double)all / n - 1, rest = 0;
    double scale = room < GAP_MEAN ? room / GAP_MEAN : 1;
    int at = (int)bine_draw(seed, (uint64_t)all);
    for (int k = 0; k < n; k++) {
        while (taken[at])
            at = (at + 1) % all;
        taken[at] = 1;
        rest += draw_gap(seed) * scale;
        int skip = (int)rest;
        rest -= skip;
        at = (at + 1 + skip) % all;
    }
}

static void take(const struct bine_host_draw *d, char *taken, int all, int n) {
    uint64_t seed = (uint64_t)d->seed;
    if (d->how == BINE_FRAGMENTED) {
        take_fragments(taken, all, n, &seed);
        return;
    }
    int first = (int)bine_draw(&seed, (uint64_t)(all - n + 1));
    for (int k = 0; k < n; k++) {
        int at = d->how == BINE_CONTIGUOUS ? first + k : (int)bine_draw(&seed, (uint64_t)all);
        while (taken[at])
            at = (at + 1) % all;
        taken[at] = 1;
    }
}

/* Ranks go to the hosts in the machine's order, as Slurm does it. */
static char *write_list(const struct bine_hosts *all, const char *taken) {
    size_t size = 1, at = 0;
    for (int i = 0; i < all->p; i++)
        size += taken[i] ? strlen(bine_hosts_text(all, i)) + 1 : 0;
    char *list = malloc(size);
    for (int i = 0; i < all->p && list != NULL; i++)
        if (taken[i])
            at += (size_t)sprintf(list + at, "%s%s", at == 0 ? "" : ",", bine_hosts_text(all, i));
    return list;
}

int bine_simulate_draw(const struct bine_host_draw *d, const struct bine_machine *m, char **list) {
    struct bine_hosts all = {0};
    long n;
    *list = NULL;
    if (m->topology == BINE_TORUS)
        return bine_complain("--nodes: machine '%s' is a torus: expected --dims, as in 4x4x4, or "
                             "--hosts",
                             m->name);
    if (bine_word_number("--nodes", d->nodes, 1, BINE_RANKS_MOST, &n) != 0)
        return BINE_EXIT_USAGE;
    int rc = list_hosts(d, m, &all);
    if (rc == 0 && n > all.p)
        rc = bine_complain("--nodes %ld: %s has only %d nodes", n,
                           d->among != NULL ? d->among : m->name, all.p);
    char *taken = rc == 0 ? calloc((size_t)all.p, 1) : NULL;
    if (taken != NULL) {
        take(d, taken, all.p, (int)n);
        *list = write_list(&all, taken);
    }
    free(taken);
    bine_hosts_free(&all);
    return rc != 0 || *list != NULL ? rc : bine_complain("out of memory");
}
