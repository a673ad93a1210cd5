/* bine-bench --calibrate: how fast the network is that the ranks are on, as a machine file.
 *
 * Latency and the cost of a message: small messages between two ranks, one after the other and many
 * at once. Rates: everybody sends at the same time, inside the groups for that of a node, from one
 * group to another for that of an uplink; a rate is the bytes by which two sizes differ over the
 * time by which they do, so that neither latency nor a burst that passes at once counts. Bursts:
 * what one message after a pause takes less than its bytes over the rate. */
#include "bench/calibrate.h"
#include "base/numbers.h"
#include "cli/command.h"
#include "network/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 7, SMALL = 8, ROUNDS = 7, FLOWS = 15, PAUSES = 25, PINGS = 60, BURST = 200 };
enum { EAGER_FROM = 256, EAGER_MOST = 1 << 20 };
enum { LEAST_BYTES = 64 << 10, MOST_BYTES = 16 << 20, LOCAL_BYTES = 4 << 20 };
static const double long_enough = 0.06; /* seconds, for a rate */
/* Before a burst, and of a message, if its rate allows that; a smaller share of it is noise. */
static const double pause_before = 0.06, burst_takes = 0.004, burst_share = 0.15;
/* A group that is slower than its nodes by less is not an oversubscribed one. */
static const double taper = 0.9;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, by_value);
    return x[n / 2];
}

/* The same number on all ranks: that of one of them. */
static double told_by(int rank, double x) {
    MPI_Bcast(&x, 1, MPI_DOUBLE, rank, MPI_COMM_WORLD);
    return x;
}

/* So many bytes from one rank to another, and a small message back. */
static double round_trip(const struct calibration *c, int a, int b, int bytes) {
    double begin = bench_now();
    if (c->rank == a) {
        MPI_Send(c->send, bytes, MPI_BYTE, b, TAG, MPI_COMM_WORLD);
        MPI_Recv(c->receive, SMALL, MPI_BYTE, b, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (c->rank == b) {
        MPI_Recv(c->receive, bytes, MPI_BYTE, a, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(c->send, SMALL, MPI_BYTE, a, TAG, MPI_COMM_WORLD);
    }
    return bench_now() - begin;
}

/* Half of a small round trip between two ranks. */
static double ping(const struct calibration *c, int a, int b) {
    double x[PINGS];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < PINGS; i++)
        x[i] = round_trip(c, a, b, SMALL) / 2;
    return told_by(a, median(x, PINGS));
}

/* What one of many messages takes that are pending together. */
static double burst(const struct calibration *c, int a, int b) {
    double x[ROUNDS];
    MPI_Request request[BURST];
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = bench_now();
        for (int k = 0; k < BURST && c->rank == b; k++)
            MPI_Irecv(c->receive + k * SMALL, SMALL, MPI_BYTE, a, TAG, MPI_COMM_WORLD, &request[k]);
        for (int k = 0; k < BURST && c->rank == a; k++)
            MPI_Isend(c->send, SMALL, MPI_BYTE, b, TAG, MPI_COMM_WORLD, &request[k]);
        if (c->rank == a || c->rank == b)
            MPI_Waitall(BURST, request, MPI_STATUSES_IGNORE);
        x[i] = (bench_now() - begin) / BURST;
    }
    return told_by(b, c->rank == b ? median(x, ROUNDS) : 0);
}

/* Everybody sends to its `to` and receives from its `from`, if it has one (-1: none). One of the
 * shorter times: whoever loses its core for a moment, or comes late, only makes it longer, and what
 * a link lets through at once after a pause makes the least ones unequal. */
static double flow(const struct calibration *c, int to, int from, int bytes) {
    double x[FLOWS];
    for (int i = 0; i < FLOWS; i++) {
        MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = bench_now(), mine, most;
        if (from >= 0)
            MPI_Irecv(c->receive, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request[0]);
        if (to >= 0)
            MPI_Isend(c->send, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        mine = bench_now() - begin;
        MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        x[i] = most;
    }
    qsort(x, FLOWS, sizeof *x, by_value);
    return x[FLOWS / 4];
}

/* Bytes a second of each of these flows. */
static double rate_of(const struct calibration *c, int to, int from) {
    int bytes = LEAST_BYTES;
    double one = flow(c, to, from, bytes);
    while (one < long_enough && bytes < MOST_BYTES / 2) {
        bytes *= 2;
        one = flow(c, to, from, bytes);
    }
    double two = flow(c, to, from, 2 * bytes);
    return two > one ? bytes / (two - one) : 0;
}

/* The number of a rank among those of its node, or the rank with a number on a node; -1: none. */
static int place_on_node(const struct calibration *c, int rank) {
    int n = 0;
    for (int r = 0; r < rank; r++)
        n += c->node[r] == c->node[rank];
    return n;
}

static int rank_on_node(const struct calibration *c, int node, int place) {
    for (int r = 0; r < c->p; r++)
        if (c->node[r] == node && place-- == 0)
            return r;
    return -1;
}

/* The next node (by its first rank) of the same group, in a circle; direction 1 or -1. */
static int next_node(const struct calibration *c, int node, int direction) {
    for (int i = 1; i <= c->p; i++) {
        int r = ((node + direction * i) % c->p + c->p) % c->p;
        if (c->node[r] == r && c->group[r] == c->group[node])
            return r;
    }
    return node;
}

/* All nodes send round their group. */
static double node_rate(const struct calibration *c) {
    int node = c->node[c->rank], place = place_on_node(c, c->rank), fullest, flows = 0;
    int next = next_node(c, node, 1), before = next_node(c, node, -1);
    int to = next == node ? -1 : rank_on_node(c, next, place);
    int from = before == node ? -1 : rank_on_node(c, before, place);
    int mine = to >= 0 ? place + 1 : 0;
    MPI_Allreduce(&mine, &fullest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    flows = fullest;
    return flows == 0 ? 0 : flows * rate_of(c, to, from);
}

static int count_ranks(const struct calibration *c, int group, int rank) {
    int n = 0;
    for (int r = 0; r < rank; r++)
        n += c->group[r] == group;
    return n;
}

static int rank_in_group(const struct calibration *c, int group, int place) {
    for (int r = 0; r < c->p; r++)
        if (c->group[r] == group && place-- == 0)
            return r;
    return -1;
}

/* From the largest group to the next: each rank to the one with its number there. */
static void uplink_rate(struct calibration *c) {
    int a = 0, b, flows, to = -1, from = -1, place = count_ranks(c, c->group[c->rank], c->rank);
    for (int g = 1; g < c->groups; g++)
        a = count_ranks(c, g, c->p) > count_ranks(c, a, c->p) ? g : a;
    b = a == 0 ? 1 : 0;
    for (int g = 0; g < c->groups; g++)
        b = g != a && count_ranks(c, g, c->p) > count_ranks(c, b, c->p) ? g : b;
    flows = count_ranks(c, b, c->p);
    if (c->group[c->rank] == a && place < flows)
        to = rank_in_group(c, b, place);
    if (c->group[c->rank] == b)
        from = rank_in_group(c, a, place);
    c->uplink = flows * rate_of(c, to, from);
    int nodes = 0;
    for (int r = 0; r < c->p; r++)
        nodes += c->node[r] == r && c->group[r] == b;
    c->tapered = c->uplink < taper * nodes * c->rate;
}

static void sleep_for(double seconds) {
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

/* Whether so many bytes leave while their receiver sleeps. */
static int leaves_early(const struct calibration *c, int a, int b, int bytes) {
    double wait = 0.004 + 4 * bytes / (c->rate > 0 ? c->rate : 1e9);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_now();
    if (c->rank == b) {
        sleep_for(wait);
        MPI_Recv(c->receive, bytes, MPI_BYTE, a, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (c->rank == a)
        MPI_Send(c->send, bytes, MPI_BYTE, b, TAG, MPI_COMM_WORLD);
    return told_by(a, bench_now() - begin) < 0.7 * wait;
}

/* Again, as a rank that has lost its core for a moment may look as if it waited. */
static int is_eager(const struct calibration *c, int a, int b, int bytes) {
    return leaves_early(c, a, b, bytes) || leaves_early(c, a, b, bytes);
}

/* The most bytes that do, within an eighth: a power of two first, then between it and the next. */
static double eager_limit(const struct calibration *c, int a, int b) {
    int least = 0, most = EAGER_FROM;
    while (most <= EAGER_MOST && is_eager(c, a, b, most)) {
        least = most;
        most *= 2;
    }
    for (int step = least / 2; least < EAGER_MOST && step >= least / 8 && step > 0; step /= 2)
        least += is_eager(c, a, b, least + step) ? step : 0;
    return least;
}

/* Bytes that pass at once between two ranks after a pause, as token buckets let them, where the
 * rate is this and half of a small round trip takes so long. */
static double at_once(const struct calibration *c, int a, int b, double rate, double trip) {
    double took = HUGE_VAL, bytes = bine_max(LEAST_BYTES, burst_takes * rate);
    int n = (int)(bine_min(bytes, MOST_BYTES));
    /* The least: whoever loses its core for a moment only makes it longer. */
    for (int i = 0; i < PAUSES; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        sleep_for(pause_before);
        took = fmin(took, round_trip(c, a, b, n));
    }
    int trips = n > c->eager ? 4 : 2; /* large messages are asked for first */
    double passed = n - rate * (told_by(a, took) - trips * trip);
    return passed > burst_share * n && passed < n ? passed : 0;
}

static void measure_memory(struct calibration *c) {
    double copy[ROUNDS], add[ROUNDS];
    for (int i = 0; i < ROUNDS && c->rank == 0; i++) {
        double begin = bench_now();
        memcpy(c->receive, c->send, LOCAL_BYTES);
        copy[i] = bench_now() - begin;
        begin = bench_now();
        MPI_Reduce_local(c->send, c->receive, LOCAL_BYTES / (int)sizeof(double), MPI_DOUBLE,
                         MPI_SUM);
        add[i] = bench_now() - begin;
    }
    c->copy = told_by(0, c->rank == 0 ? LOCAL_BYTES / median(copy, ROUNDS) : 0);
    c->reduce = told_by(0, c->rank == 0 ? LOCAL_BYTES / median(add, ROUNDS) : 0);
}

/* Two ranks of the same node, of the same group or of two groups; 0: there are none. */
enum distance { SAME_NODE, NEAR, FAR };

static int find_pair(const struct calibration *c, enum distance d, int *a, int *b) {
    for (*a = 0; *a < c->p; ++*a)
        for (*b = *a + 1; *b < c->p; ++*b) {
            int node = c->node[*a] == c->node[*b], group = c->group[*a] == c->group[*b];
            if (d == (node ? SAME_NODE : group ? NEAR : FAR))
                return 1;
        }
    return 0;
}

static void measure(struct calibration *c) {
    int a, b;
    if (find_pair(c, NEAR, &a, &b) || find_pair(c, FAR, &a, &b)) {
        double trip = ping(c, a, b);
        c->message = burst(c, a, b);
        c->latency_near = bine_max(trip - c->message, 0.1 * c->message);
        c->rate = node_rate(c);
        c->eager = eager_limit(c, a, b);
        c->nic_burst = at_once(c, a, b, c->rate, trip);
    }
    if (find_pair(c, FAR, &a, &b)) {
        double trip = ping(c, a, b);
        c->latency_far = bine_max(trip - c->message, 0.1 * c->message);
        uplink_rate(c);
        c->uplink_burst = at_once(c, a, b, bine_min(c->uplink, c->rate), trip);
    }
    if (find_pair(c, SAME_NODE, &a, &b))
        c->latency_node = ping(c, a, b);
    measure_memory(c);
}

static int find_places(struct calibration *c, const struct bench_wish *w) {
    const char *groups = w->groups;
    char name[NAME] = "";
    int length;
    struct bine_allocation a;
    struct bine_reason why;
    MPI_Get_processor_name(name, &length);
    MPI_Allgather(name, NAME, MPI_CHAR, c->host, NAME, MPI_CHAR, MPI_COMM_WORLD);
    for (int r = 0; r < c->p; r++) {
        int first = 0;
        while (strcmp(c->host + (size_t)first * NAME, c->host + (size_t)r * NAME) != 0)
            first++;
        c->node[r] = first;
        c->nodes += first == r;
    }
    c->groups = 1;
    if (w->machine != NULL)
        return bench_calibration_machine(c, w->machine);
    if (groups == NULL)
        return 0;
    if (bine_allocation_sizes(&a, groups, &why) != 0)
        return bine_complain("--groups '%.60s': %s", groups, why.text);
    for (int r = 0; r < c->p; r++) {
        c->group[r] = a.group[r];
        c->groups = a.group[r] >= c->groups ? a.group[r] + 1 : c->groups;
    }
    bine_allocation_free(&a);
    for (int r = 0; r < c->p; r++)
        if (c->group[r] != c->group[c->node[r]])
            return bine_complain("--groups '%.60s': node %.60s is in two groups", groups,
                                 c->host + (size_t)r * NAME);
    return 0;
}

int bench_calibrate(const struct bench_wish *w, const struct bench_world *world) {
    struct calibration c = {.rank = world->rank, .p = world->p};
    c.host = calloc((size_t)c.p, NAME);
    c.node = calloc((size_t)c.p, sizeof *c.node);
    c.group = calloc((size_t)c.p, sizeof *c.group);
    c.send = calloc(1, MOST_BYTES);
    c.receive = calloc(1, MOST_BYTES);
    int good =
        c.host != NULL && c.node != NULL && c.group != NULL && c.send != NULL && c.receive != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    int rc = good ? find_places(&c, w) : bine_complain("out of memory");
    if (rc == 0 && c.nodes == 1)
        rc = bine_complain("--calibrate: all ranks are on one node: expected several");
    if (rc == 0) {
        measure(&c);
        if (c.rank == 0)
            rc = bench_calibration_write(&c, w);
        MPI_Bcast(&rc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    free(c.host);
    free(c.node);
    free(c.group);
    free(c.send);
    free(c.receive);
    free(c.text);
    bine_machine_free(c.machine);
    return rc;
}
