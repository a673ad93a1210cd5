/* Nonblocking and persistent collectives of a program that knows nothing of Bine go on in every
 * function of MPI that can block.
 *
 *     progress [--taken 0|1]
 *
 * Rank 0 starts a call and is in the function when the others come: who wait for the call before
 * they go there. So nobody gets anywhere if the call does not go on meanwhile. With
 * BINE_ALLREDUCE=mpi in the environment, MPI_Allreduce is handed on to MPI. */
#include "../check.h"
#include "persistent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 100, LONG = 1 << 19 };

static int rank, p, last, taken = 1;
static MPI_Comm comm, other, ring;
static MPI_Win window;
static int *in_window, *much;

static void rest(int milliseconds) {
    nanosleep(&(struct timespec){0, 1000000L * milliseconds}, NULL);
}

/* --- Messages: between rank 0 and the last one, who comes later */

static void meet(int n) {
    if (rank == 0)
        MPI_Recv(much, n, MPI_INT, last, 1, other, MPI_STATUS_IGNORE);
    else if (rank == last)
        MPI_Send(much, n, MPI_INT, 0, 1, other);
}

static void by_recv(void) {
    meet(1);
}

static void by_long_recv(void) {
    meet(LONG);
}

static void by_long_send(void) {
    if (rank == 0)
        MPI_Send(much, LONG, MPI_INT, last, 1, other);
    else if (rank == last)
        MPI_Recv(much, LONG, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
}

static void by_ssend(void) {
    int x = rank;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, last, 1, other);
    else if (rank == last)
        MPI_Recv(&x, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
}

static void by_sendrecv(void) {
    int x = rank, y;
    MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % p, 1, &y, 1, MPI_INT, (rank + p - 1) % p, 1, other,
                 MPI_STATUS_IGNORE);
}

static void by_probe(void) {
    MPI_Status s;
    if (rank == 0)
        MPI_Probe(last, 1, other, &s);
    meet(1);
}

static void by_mprobe(void) {
    MPI_Message m;
    int x = 1;
    if (rank == 0) {
        MPI_Mprobe(last, 1, other, &m, MPI_STATUS_IGNORE);
        MPI_Mrecv(&x, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    } else if (rank == last) {
        MPI_Send(&x, 1, MPI_INT, 0, 1, other);
    }
}

static void by_iprobe(void) {
    int found = 0;
    while (rank == 0 && !found)
        MPI_Iprobe(last, 1, other, &found, MPI_STATUS_IGNORE);
    meet(1);
}

/* The end of a message that is not of the call; rank 0 completes two of them. */
static void with_requests(void (*complete)(MPI_Request r[2])) {
    int x[2] = {rank, rank};
    MPI_Request r[2];
    if (rank == 0) {
        MPI_Irecv(&x[0], 1, MPI_INT, last, 1, other, &r[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, last, 2, other, &r[1]);
        complete(r);
    } else if (rank == last) {
        MPI_Send(&x[0], 1, MPI_INT, 0, 1, other);
        MPI_Send(&x[1], 1, MPI_INT, 0, 2, other);
    }
}

static void wait_each(MPI_Request r[2]) {
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
}

static void wait_all(MPI_Request r[2]) {
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void wait_any(MPI_Request r[2]) {
    int i;
    MPI_Waitany(2, r, &i, MPI_STATUS_IGNORE);
    MPI_Waitany(2, r, &i, MPI_STATUS_IGNORE);
}

static void wait_some(MPI_Request r[2]) {
    int n, i[2];
    while (r[0] != MPI_REQUEST_NULL || r[1] != MPI_REQUEST_NULL)
        MPI_Waitsome(2, r, &n, i, MPI_STATUSES_IGNORE);
}

static void test_all(MPI_Request r[2]) {
    int over = 0;
    while (!over)
        MPI_Testall(2, r, &over, MPI_STATUSES_IGNORE);
}

static void by_wait(void) {
    with_requests(wait_each);
}

static void by_waitall(void) {
    with_requests(wait_all);
}

static void by_waitany(void) {
    with_requests(wait_any);
}

static void by_waitsome(void) {
    with_requests(wait_some);
}

static void by_testall(void) {
    with_requests(test_all);
}

/* --- Collectives: Bine's, and such as are handed on */

static void by_barrier(void) {
    MPI_Barrier(other);
}

static void by_allreduce(void) {
    int x = 1, sum;
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, other);
    check_that(sum == p, "MPI_Allreduce: %d", sum);
}

static void by_same_allreduce(void) {
    int x = 1, sum;
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm);
    check_that(sum == p, "MPI_Allreduce: %d", sum);
}

static void by_alltoall(void) {
    int x[64] = {0}, y[64];
    MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, other);
}

static void by_neighbours(void) {
    int x = 1, y[2];
    MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring);
}

static void by_started_neighbours(void) {
    int x = 1, y[2];
    MPI_Request r;
    MPI_Ineighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* --- Making communicators */

static void by_split(void) {
    MPI_Comm c;
    MPI_Comm_split(other, rank % 2, rank, &c);
    MPI_Comm_free(&c);
}

static void by_split_type(void) {
    MPI_Comm c;
    MPI_Comm_split_type(other, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &c);
    MPI_Comm_free(&c);
}

static void by_dup(void) {
    MPI_Comm c;
    MPI_Comm_dup(other, &c);
    MPI_Comm_free(&c);
}

static void with_group(int (*make)(MPI_Comm from, MPI_Group group, MPI_Comm *c)) {
    MPI_Comm c;
    MPI_Group all;
    MPI_Comm_group(other, &all);
    make(other, all, &c);
    MPI_Group_free(&all);
    MPI_Comm_free(&c);
}

static int create_group(MPI_Comm from, MPI_Group group, MPI_Comm *c) {
    return MPI_Comm_create_group(from, group, 3, c);
}

static void by_create(void) {
    with_group(MPI_Comm_create);
}

static void by_create_group(void) {
    with_group(create_group);
}

static void by_cart(void) {
    MPI_Comm c;
    int all = 1;
    MPI_Cart_create(other, 1, &p, &all, 0, &c);
    MPI_Comm_free(&c);
}

static void by_intercomm(void) {
    MPI_Comm half, inter, merged;
    MPI_Comm_split(MPI_COMM_SELF, 0, 0, &half);
    if (rank == 0 || rank == last) {
        MPI_Intercomm_create(half, 0, other, rank == 0 ? last : 0, 4, &inter);
        MPI_Intercomm_merge(inter, rank != 0, &merged);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
}

/* --- Windows */

static void by_window(void) {
    int *x;
    MPI_Win w;
    MPI_Win_allocate(sizeof *x, sizeof *x, MPI_INFO_NULL, other, &x, &w);
    MPI_Win_fence(0, w);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % p, 0, 1, MPI_INT, w);
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
}

static void by_fence(void) {
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % p, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
}

/* Rank 0 waits for the last one to expose its memory. */
static void by_exposure(void) {
    MPI_Group all, peer;
    int whom = rank == 0 ? last : 0;
    if (rank != 0 && rank != last)
        return;
    MPI_Comm_group(other, &all);
    MPI_Group_incl(all, 1, &whom, &peer);
    if (rank == 0) {
        MPI_Win_start(peer, 0, window);
        MPI_Put(&rank, 1, MPI_INT, last, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(peer, 0, window);
        MPI_Win_wait(window);
    }
    MPI_Group_free(&peer);
    MPI_Group_free(&all);
}

static void by_lock(void) {
    int x = rank;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, 0, window);
        MPI_Put(&x, 1, MPI_INT, last, 0, 1, MPI_INT, window);
        MPI_Win_flush(last, window);
        MPI_Win_unlock(last, window);
    }
    meet(1);
}

/* --- Files */

static void by_file(void) {
    MPI_File f;
    char name[64];
    int x = rank;
    MPI_Status s;
    snprintf(name, sizeof name, "/tmp/bine-progress-%ld", (long)getppid());
    if (MPI_File_open(other, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &f) != MPI_SUCCESS)
        return;
    MPI_File_write_at_all(f, rank * (MPI_Offset)sizeof x, &x, 1, MPI_INT, &s);
    MPI_File_close(&f);
}

static const struct {
    const char *name;
    void (*block)(void);
} blocking[] = {{"recv", by_recv},
                {"a long recv", by_long_recv},
                {"a long send", by_long_send},
                {"ssend", by_ssend},
                {"sendrecv", by_sendrecv},
                {"probe", by_probe},
                {"mprobe", by_mprobe},
                {"iprobe", by_iprobe},
                {"wait", by_wait},
                {"waitall", by_waitall},
                {"waitany", by_waitany},
                {"waitsome", by_waitsome},
                {"testall", by_testall},
                {"barrier", by_barrier},
                {"allreduce", by_allreduce},
                {"allreduce on the same communicator", by_same_allreduce},
                {"alltoall", by_alltoall},
                {"neighbours", by_neighbours},
                {"neighbours, started", by_started_neighbours},
                {"comm_split", by_split},
                {"comm_split_type", by_split_type},
                {"comm_dup", by_dup},
                {"comm_create", by_create},
                {"comm_create_group", by_create_group},
                {"cart_create", by_cart},
                {"intercomm_create", by_intercomm},
                {"window", by_window},
                {"fence", by_fence},
                {"exposure", by_exposure},
                {"lock", by_lock},
                {"file", by_file}};

static void start_gather(int *all, MPI_Request *r) {
    MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm, r);
}

static void start_barrier(int *all, MPI_Request *r) {
    for (int i = 0; i < p; i++)
        all[i] = i;
    MPI_Ibarrier(comm, r);
}

static void start_persistent(int *all, MPI_Request *r) {
    INIT(Allgather)(&rank, 1, MPI_INT, all, 1, MPI_INT, comm, MPI_INFO_NULL, r);
    MPI_Start(r);
}

static void check(const char *name, void (*start)(int *, MPI_Request *), void (*block)(void)) {
    int all[64], wrong = 0;
    MPI_Request r;
    MPI_Status s = {.MPI_SOURCE = -77};
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        rest(10);
    start(all, &r);
    if (rank != 0)
        MPI_Wait(&r, &s);
    block();
    if (rank == 0)
        MPI_Wait(&r, &s);
    if (r != MPI_REQUEST_NULL)
        MPI_Request_free(&r);
    for (int i = 0; i < p; i++)
        wrong += all[i] != i;
    check_that(wrong == 0, "%s: %d wrong", name, wrong);
    check_that(!taken || (s.MPI_SOURCE == 0 && s.MPI_TAG > 0), "%s: not taken", name);
}

int main(int argc, char **argv) {
    int all = 1, mine = 0, of_all[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    last = p - 1;
    taken = (int)check_option(argc, argv, "taken", 1);
    much = calloc(LONG, sizeof *much);
    if (much == NULL || p > 64)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &all, 0, &ring);
    MPI_Win_allocate(sizeof *in_window, sizeof *in_window, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &in_window, &window);
    MPI_Barrier(comm); /* from here on calls are taken */
    MPI_Allgather(&mine, 1, MPI_INT, of_all, 1, MPI_INT, comm);
    for (size_t i = 0; i < sizeof blocking / sizeof *blocking; i++) {
        check(blocking[i].name, start_barrier, blocking[i].block);
        check(blocking[i].name, start_gather, blocking[i].block);
        check(blocking[i].name, start_persistent, blocking[i].block);
    }
    MPI_Win_free(&window);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Comm_free(&ring);
    free(much);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
