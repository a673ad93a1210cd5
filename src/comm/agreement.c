#include "comm/agreement.h"

#include "base/hash.h"
#include "base/names.h"
#include "comm/cores.h"
#include "comm/differences.h"
#include "comm/location.h"
#include "comm/progress.h"
#include "engine/memory/memory.h"
#include "engine/transport/mpi_library.h"
#include "mpi/mpi_calls.h"
#include "mpi/world.h"
#include "network/sub_torus.h"
#include "report/problems.h"
#include "report/verbose.h"
#include "report/warn.h"

#include <stdlib.h>
#include <string.h>

void bine_agreement_free(struct bine_agreement *agreed) {
    bine_groups_free(agreed->levels);
    bine_lineup_free(agreed->order);
    bine_lineup_free(agreed->seats);
    free(agreed->node);
    agreed->levels = NULL;
    agreed->node = NULL;
    agreed->order = agreed->seats = NULL;
    agreed->dims = (struct bine_shape){0};
}

/* One rank among all. */
struct seat {
    uint64_t group, node;
    const char *host;
    int rank;
};

static int by_node(const void *a, const void *b) {
    const struct seat *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_host(const void *a, const void *b) {
    const struct seat *x = a, *y = b;
    int order = bine_names_compare(x->host, y->host);
    return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sorted seats: number the groups and nodes in `name`, and count them. */
static void number(const struct seat *seat, int p, int32_t *group_of, int32_t *node_of,
                   struct bine_agreement *agreed) {
    int32_t group = -1, node = -1;
    int run = 0;
    for (int i = 0; i < p; i++) {
        int new_group = i == 0 || seat[i].group != seat[i - 1].group;
        int new_node = new_group || seat[i].node != seat[i - 1].node;
        group += new_group;
        node += new_node;
        run = new_node ? 1 : run + 1;
        agreed->per_node = run > agreed->per_node ? run : agreed->per_node;
        group_of[seat[i].rank] = group;
        node_of[seat[i].rank] = node;
    }
    agreed->nodes = node + 1;
    agreed->groups = seat[0].group == 0 ? 0 : group + 1;
}

/* One rank's report on itself; all fields are numbers of one type. */
struct spot {
    uint64_t group, node, torus, torus_node; /* torus: 0 if it is on none */
    uint64_t address;                        /* by Slurm, or 0 */
    uint64_t wider[BINE_WIDER_MOST];         /* larger groups; 0: no more */
    struct bine_quota quota;
};
enum { SPOT = sizeof(struct spot) / sizeof(uint64_t) };

/* The reports of all ranks. */
struct said {
    struct spot *where;
    uint64_t *cores; /* the masks of comm/cores.h: this number of words for each rank */
    int words;
    char *host; /* names, MPI_MAX_PROCESSOR_NAME + 1 bytes each; or NULL */
    struct seat *seat;
    int32_t *name; /* groups, nodes, larger groups; and the orders */
};

static int open_said(struct said *x, int p, int words, int hosts) {
    size_t n = (size_t)p;
    *x = (struct said){malloc(n * sizeof *x->where),
                       malloc(n * (size_t)words * sizeof *x->cores + 1),
                       words,
                       hosts ? malloc(n * (MPI_MAX_PROCESSOR_NAME + 1)) : NULL,
                       malloc(n * sizeof *x->seat),
                       malloc((2 + BINE_WIDER_MOST) * n * sizeof *x->name)};
    return x->where != NULL && x->cores != NULL && (x->host != NULL || !hosts) && x->seat != NULL &&
           x->name != NULL;
}

static void close_said(struct said *x) {
    free(x->where);
    free(x->cores);
    free(x->host);
    free(x->seat);
    free(x->name);
}

/* Whether all ranks know their groups: one that one rank does not know is not known to any. That
 * may be a setting which did not reach all ranks, or a host that the machine does not have. */
static int groups_are_known(const struct said *x, int p, int reports, int *none) {
    int unknown = 0, one = 0;
    for (int r = 0; r < p; r++)
        if (x->where[r].group == 0) {
            unknown++;
            one = r;
        }
    if (unknown > 0 && unknown < p)
        bine_warn(reports, 0,
                  "%d of %d ranks of a communicator do not know their group, rank %d for one (see "
                  "BINE_GROUPS and BINE_MACHINE): its groups are not known",
                  unknown, p, one);
    *none = unknown == p;
    return unknown == 0;
}

/* Whether Slurm has told every rank of its own node. A launcher may have handed one node's
 * environment to all ranks: then several hosts have one address, and the groups are not known. */
static int addresses_are_own(struct said *x, int p, int reports) {
    int own = 1;
    for (int r = 0; r < p; r++)
        x->seat[r] = (struct seat){x->where[r].address, x->where[r].node, NULL, r};
    qsort(x->seat, (size_t)p, sizeof *x->seat, by_node);
    for (int i = 1; i < p && own; i++)
        own = x->seat[i].group == 0 || x->seat[i].group != x->seat[i - 1].group ||
              x->seat[i].node == x->seat[i - 1].node;
    if (!own)
        bine_warn(reports, 0,
                  "ranks on several hosts have one SLURM_TOPOLOGY_ADDR or SLURMD_NODENAME, which "
                  "their launcher has copied: groups are not known (see BINE_MACHINE)");
    return own;
}

/* Count a node with its ranks, the cores that they may run on, and the thousandths of cores whose
 * time they have together; 0: of all. */
static void add_node(struct bine_agreement *agreed, int ranks, const uint64_t *cores, int words,
                     uint64_t quota) {
    int n = bine_cores_count(cores, words);
    if (quota > 0 && (n == 0 || quota / 1000 < (uint64_t)n))
        n = quota < 1000 ? 1 : (int)(quota / 1000);
    if (n == 0)
        return;
    agreed->cores = agreed->cores == 0 || n < agreed->cores ? n : agreed->cores;
    agreed->crowded |= ranks > n;
}

/* The quotas of a node's ranks together; 0: some rank has none. Ranks in a container share one. */
static uint64_t quota_of(const struct said *x, const struct seat *seat, int ranks) {
    uint64_t sum = 0;
    for (int i = 0; i < ranks; i++) {
        const struct bine_quota *q = &x->where[seat[i].rank].quota;
        int k = 0;
        if (q->cores == 0)
            return 0;
        while (k < i && (x->where[seat[k].rank].quota.owner != q->owner || q->owner == 0))
            k++;
        sum += k == i ? q->cores : 0;
    }
    return sum;
}

/* The cores of a node are the cores of all its ranks together. Seats are sorted. */
static void count_cores(struct said *x, int p, const int32_t *node_of,
                        struct bine_agreement *agreed) {
    for (int i = 0, ranks; i < p; i += ranks) {
        uint64_t *all = x->cores + (size_t)x->seat[i].rank * (size_t)x->words;
        int32_t node = node_of[x->seat[i].rank];
        for (ranks = 1; i + ranks < p && node_of[x->seat[i + ranks].rank] == node; ranks++)
            for (int w = 0; w < x->words; w++)
                all[w] |= x->cores[(size_t)x->seat[i + ranks].rank * (size_t)x->words + (size_t)w];
        add_node(agreed, ranks, all, x->words, quota_of(x, x->seat + i, ranks));
    }
}

/* Which ranks can share boards, though not all of them; 0 when out of memory. */
static int keep_nodes(const int32_t *node_of, int p, struct bine_agreement *agreed) {
    size_t bytes = (size_t)p * sizeof *agreed->node;
    if (agreed->nodes < 2 || agreed->per_node < 2)
        return 1;
    agreed->node = malloc(bytes);
    if (agreed->node == NULL)
        return 0;
    memcpy(agreed->node, node_of, bytes);
    return 1;
}

/* Nodes, where one that is in several groups counts once. */
static int count_hosts(struct said *x, int p) {
    int hosts = 1;
    for (int r = 0; r < p; r++)
        x->seat[r] = (struct seat){.node = x->where[r].node, .rank = r};
    qsort(x->seat, (size_t)p, sizeof *x->seat, by_node);
    for (int i = 1; i < p; i++)
        hosts += x->seat[i].node != x->seat[i - 1].node;
    return hosts;
}

/* Number the larger groups of a level in `name`; how many there are, 0 if a rank is in none. */
static int number_wider(struct said *x, int p, int level, int32_t *name) {
    int32_t number = 0;
    for (int r = 0; r < p; r++) {
        if (x->where[r].wider[level] == 0)
            return 0;
        x->seat[r] = (struct seat){.group = x->where[r].wider[level], .rank = r};
    }
    qsort(x->seat, (size_t)p, sizeof *x->seat, by_node);
    for (int i = 0; i < p; i++) {
        number += i > 0 && x->seat[i].group != x->seat[i - 1].group;
        name[x->seat[i].rank] = number;
    }
    return number + 1;
}

/* The larger groups, if groups are known: levels with several of them, and fewer than of the level
 * below. `level` gets them, the outermost first; returns how many. */
static int settle_wider(struct said *x, int p, struct bine_agreement *agreed,
                        const int32_t *level[BINE_WIDER_MOST]) {
    int below = agreed->groups, n = 0;
    const int32_t *kept[BINE_WIDER_MOST];
    for (int k = 0; k < BINE_WIDER_MOST && below > 1; k++) {
        int32_t *name = x->name + (size_t)(2 + k) * (size_t)p;
        int count = number_wider(x, p, k, name);
        if (count == 0)
            break;
        if (count == 1 || count >= below)
            continue;
        kept[n] = name;
        agreed->wider_level[n++] = k + 2;
        below = count;
    }
    for (int k = 0; k < n; k++)
        level[k] = kept[n - 1 - k];
    agreed->wider = n;
    return n;
}

/* One seat for each rank, with its group if groups are known. */
static void fill_seats(struct said *x, int p, int known) {
    for (int r = 0; r < p; r++)
        x->seat[r] = (struct seat){
            known ? x->where[r].group : 0, x->where[r].node,
            x->host == NULL ? NULL : x->host + (size_t)r * (MPI_MAX_PROCESSOR_NAME + 1), r};
}

/* From reports to levels and order; 0 when out of memory. */
static int settle(struct said *x, int p, int reports, enum bine_reordering reorder,
                  struct bine_agreement *agreed) {
    const int32_t *level[BINE_WIDER_MOST + 2];
    int known = groups_are_known(x, p, reports, &agreed->none_grouped);
    known = addresses_are_own(x, p, reports) && known;
    int hosts = known ? count_hosts(x, p) : 0;
    fill_seats(x, p, known);
    qsort(x->seat, (size_t)p, sizeof *x->seat, by_node);
    number(x->seat, p, x->name, x->name + p, agreed);
    agreed->hosts = known ? hosts : agreed->nodes;
    count_cores(x, p, x->name + p, agreed);
    if (!keep_nodes(x->name + p, p, agreed))
        return 0;
    if (known)
        settle_wider(x, p, agreed, level);
    if (agreed->groups > 1 || (agreed->nodes > 1 && agreed->per_node > 1)) {
        level[agreed->wider] = x->name;
        level[agreed->wider + 1] = x->name + p;
        agreed->levels = bine_groups_new(p, agreed->wider + 1 + (agreed->per_node > 1), level);
        if (agreed->levels == NULL)
            return 0;
    }
    if (reorder == BINE_REORDERING_OFF ||
        (reorder == BINE_REORDERING_GROUP && agreed->levels == NULL))
        return 1;
    if (reorder == BINE_REORDERING_HOSTNAME) {
        fill_seats(x, p, known);
        qsort(x->seat, (size_t)p, sizeof *x->seat, by_host);
    }
    for (int i = 0; i < p; i++)
        x->name[i] = reorder == BINE_REORDERING_GROUP ? agreed->levels->member[i] : x->seat[i].rank;
    agreed->order = bine_lineup_new(p, x->name);
    return agreed->order != NULL;
}

static int is_in_order(const int32_t *rank_at, int p) {
    int i = 0;
    while (i < p && rank_at[i] == i)
        i++;
    return i == p;
}

/* The torus, if all ranks are on one torus; 0 when out of memory. */
static int settle_torus(struct said *x, int p, const struct bine_shape *torus,
                        struct bine_agreement *agreed) {
    int32_t *node = x->name, *rank_at = x->name + p;
    for (int r = 0; r < p; r++) {
        if (x->where[r].torus == 0 || x->where[r].torus != x->where[0].torus)
            return 1;
        node[r] = (int32_t)x->where[r].torus_node;
    }
    int found = bine_sub_torus_find(torus, p, node, &agreed->dims, rank_at);
    if (found != BINE_SUB_TORUS_YES)
        agreed->dims = (struct bine_shape){0};
    else if (!is_in_order(rank_at, p) && (agreed->seats = bine_lineup_new(p, rank_at)) == NULL)
        found = BINE_SUB_TORUS_MEMORY;
    return found != BINE_SUB_TORUS_MEMORY;
}

/* Whether all say yes. */
static int all_agree(MPI_Comm comm, int yes, int *all) {
    return bine_mpi->allreduce(&yes, all, 1, MPI_INT, MPI_MIN, comm);
}

/* Not all ranks are at one place. A rank without memory must not be the only one that knows less.
 */
static int compare_places(MPI_Comm comm, int p, int rank, const struct bine_process_location *me,
                          enum bine_reordering reorder, struct bine_agreement *agreed) {
    struct said x;
    uint64_t torus = bine_hash(BINE_HASH, &me->torus, sizeof me->torus) | 1;
    const struct spot mine = {me->group,
                              me->node,
                              me->torus.dims > 0 ? torus : 0,
                              (uint64_t)me->torus_node,
                              me->address,
                              {me->wider[0], me->wider[1], me->wider[2], me->wider[3]},
                              me->quota};
    int hosts = reorder == BINE_REORDERING_HOSTNAME, n = MPI_MAX_PROCESSOR_NAME + 1;
    int able = open_said(&x, p, me->words, hosts), all = 0, rc = all_agree(comm, able, &all);
    if (rc == MPI_SUCCESS && all)
        rc = bine_mpi->allgather(&mine, SPOT, MPI_UINT64_T, x.where, SPOT, MPI_UINT64_T, comm);
    if (rc == MPI_SUCCESS && all && me->words > 0)
        rc = bine_mpi->allgather(me->cores, me->words, MPI_UINT64_T, x.cores, me->words,
                                 MPI_UINT64_T, comm);
    if (rc == MPI_SUCCESS && all && hosts)
        rc = bine_mpi->allgather(me->host, n, MPI_CHAR, x.host, n, MPI_CHAR, comm);
    if (rc == MPI_SUCCESS && all) {
        able = settle(&x, p, rank == agreed->speaker, reorder, agreed) &&
               settle_torus(&x, p, &me->torus, agreed);
        rc = all_agree(comm, able, &all);
    }
    close_said(&x);
    if (rc != MPI_SUCCESS || !all)
        bine_agreement_free(agreed);
    if (rc == MPI_SUCCESS && !all)
        bine_warn(
            rank == agreed->speaker, 0,
            "not enough memory on all %d ranks of a communicator: its calls are forwarded to MPI",
            p);
    agreed->alike &= all;
    return rc;
}

/* All x together, and all ~x, by "or": all x are equal if these are each other's complement. */
struct both {
    uint64_t x, not_x;
};

static struct both both(uint64_t x) {
    return (struct both){x, ~x};
}

static int is_same(struct both all) {
    return all.x == ~all.not_x;
}

/* The numbers that ranks compare first, of one type, combined by bitwise "or". */
struct vote {
    struct both policy, node, group, problems, quota;
    uint64_t cores[BINE_CORES_WORDS];
    uint64_t no_cores; /* some rank does not know its own */
    uint64_t no_room, no_cards;
    uint64_t devices;    /* some rank has one */
    uint64_t foreign;    /* some rank may have buffers that MPI cannot touch */
    uint64_t no_reduce;  /* some rank has no MPI_Reduce_local */
    uint64_t quiet;      /* some rank is without BINE_VERBOSE */
    uint64_t unrecorded; /* some rank records no profile */
    uint64_t threads;    /* some rank may call MPI from several at once */
    uint64_t before_end; /* ranks from rank 0 of MPI_COMM_WORLD to the end, if it is there */
};
enum { VOTE = sizeof(struct vote) / sizeof(uint64_t) };

/* Open MPI 5 and 6 crash in MPI_Reduce_local of a program that has sessions and no MPI_Init. */
static int has_reduce(void) {
    return bine_has_world() || !bine_mpi_is(BINE_LIBRARY_OPENMPI);
}

/* A rank without memory for a policy has none that is like another's. */
static struct vote make_vote(const struct bine_policy *policy,
                             const struct bine_process_location *me, struct bine_means has) {
    uint64_t problem[BINE_PROBLEMS];
    struct vote v = {.policy = {UINT64_MAX, UINT64_MAX},
                     .node = both(me->node),
                     .group = both(me->group),
                     .quota = both(bine_hash(BINE_HASH, &me->quota, sizeof me->quota)),
                     .problems = both(bine_problems(problem)),
                     .no_cores = me->words == 0,
                     .no_room = !has.room,
                     .no_cards = !has.cards,
                     .devices = (uint64_t)bine_memory_has_device(),
                     .foreign = (uint64_t)bine_memory_is_foreign(),
                     .no_reduce = !has_reduce(),
                     .quiet = !bine_verbose_is_on(),
                     .unrecorded = !has.recorder,
                     .threads = !bine_progress_is_by_one()};
    memcpy(v.cores, me->cores, sizeof v.cores);
    if (policy != NULL)
        v.policy = both(policy->hash);
    return v;
}

int bine_agree(MPI_Comm comm, int p, const struct bine_policy *policy, struct bine_means has,
               struct bine_agreement *agreed) {
    struct bine_process_location me;
    struct vote mine, all;
    int rank, first = bine_world_rank() == 0, rc = PMPI_Comm_rank(comm, &rank);
    *agreed = (struct bine_agreement){.alike = policy != NULL,
                                      .room = has.room,
                                      .cards = has.cards,
                                      .reduces = 1,
                                      .speaker = first ? 0 : -1,
                                      .nodes = 1,
                                      .hosts = 1,
                                      .per_node = p};
    if (p == 1 || rc != MPI_SUCCESS) {
        if (!bine_has_world())
            bine_problems_tell(1);
        return rc;
    }
    bine_location_find(&me);
    mine = make_vote(policy, &me, has);
    mine.before_end = first ? (uint64_t)(p - rank) : 0;
    rc = bine_mpi->allreduce(&mine, &all, VOTE, MPI_UINT64_T, MPI_BOR, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    agreed->alike = is_same(all.policy);
    agreed->room = all.no_room == 0;
    agreed->cards = all.no_cards == 0;
    agreed->foreign = all.foreign != 0;
    agreed->reduces = all.no_reduce == 0;
    agreed->verbose = all.quiet == 0 && (comm == MPI_COMM_WORLD || all.threads == 0);
    agreed->recorded = all.unrecorded == 0 && (comm == MPI_COMM_WORLD || all.threads == 0);
    agreed->devices = agreed->alike && all.devices != 0 && policy->settings.device != 0;
    agreed->speaker = all.before_end > 0 ? p - (int)all.before_end : 0;
    agreed->groups = me.group != 0; /* if all are in one */
    agreed->none_grouped = me.group == 0 && is_same(all.group);
    if (!bine_has_world() && is_same(all.problems))
        bine_problems_tell(rank == agreed->speaker);
    struct bine_differences d = {p, agreed->speaker, !agreed->alike, !is_same(all.problems)};
    if (d.settings || d.problems)
        rc = bine_differences_report(comm, policy, &d);
    if (rc != MPI_SUCCESS || !agreed->alike)
        return rc;
    me.words = all.no_cores == 0 ? bine_cores_words(all.cores) : 0;
    if (is_same(all.node) && is_same(all.group) && is_same(all.quota)) {
        add_node(agreed, p, all.cores, me.words, me.quota.cores);
        return rc;
    }
    agreed->nodes = agreed->per_node = agreed->groups = 0;
    return compare_places(comm, p, rank, &me, (enum bine_reordering)policy->settings.reorder,
                          agreed);
}
