/* Completion of requests, in all ways that MPI has, in any order, with some that are null, are
 * inactive, or are messages. */
#include "random.h"

#include <string.h>

/* The requests of one call of MPI's: for each, the scene, and whether it is that of its message. */
struct list {
    int n;
    MPI_Request request[2 * SCENES];
    struct scene *scene[2 * SCENES];
    MPI_Status status[2 * SCENES];
};

static void end(struct scene *x) {
    x->active = 0;
    scene_compare(x);
    if (x->form == NONBLOCKING)
        scene_free_buffers(x);
}

static void take(struct list *l, struct scene *x, MPI_Request r) {
    l->scene[l->n] = x;
    l->request[l->n++] = r;
}

/* Requests that MPI has completed are null or, of persistent calls, named by it. A message has two:
 * both must be over. */
static void put_back(struct list *l, const int *over) {
    for (int i = 0; i < l->n; i++) {
        struct scene *x = l->scene[i];
        if (x == NULL)
            continue;
        int is_message = x->kind == RING && i > 0 && l->scene[i - 1] == x;
        *(is_message ? &x->message : &x->request) = l->request[i];
        if (!x->active || (x->form == PERSISTENT && !over[i]))
            continue;
        if (x->form == PERSISTENT ||
            (x->request == MPI_REQUEST_NULL &&
             (is_message ? l->request[i] : x->message) == MPI_REQUEST_NULL &&
             (x->kind != RING || is_message)))
            end(x);
    }
}

static void draw_list(struct list *l, struct rng *own, int one_in) {
    l->n = 0;
    int turn = rng_below(own, SCENES);
    for (int i = 0; i < SCENES; i++) {
        struct scene *x = &scenes[(i + turn) % SCENES];
        if (!x->used || !scene_is_mine(x) || (!x->active && x->form != PERSISTENT) ||
            !rng_once_in(own, one_in))
            continue;
        take(l, x, x->request);
        if (x->kind == RING)
            take(l, x, x->message);
        if (rng_once_in(own, 8))
            take(l, NULL, MPI_REQUEST_NULL);
    }
}

static void all_over(struct list *l, int *over) {
    for (int i = 0; i < l->n; i++)
        over[i] = 1;
}

static int wait_each(struct list *l, struct rng *own, int *over) {
    int rc = MPI_SUCCESS;
    (void)own;
    for (int i = 0; i < l->n && rc == MPI_SUCCESS; i++)
        rc = MPI_Wait(&l->request[i], i % 2 == 0 ? MPI_STATUS_IGNORE : &l->status[i]);
    all_over(l, over);
    return rc;
}

static int test_each(struct list *l, struct rng *own, int *over) {
    int rc = MPI_SUCCESS, often = 1 + rng_below(own, 30);
    for (int k = 0; k < often; k++)
        for (int i = 0; i < l->n && rc == MPI_SUCCESS; i++)
            if (!over[i])
                rc = MPI_Test(&l->request[i], &over[i], &l->status[i]);
    return rc;
}

static int wait_all(struct list *l, struct rng *own, int *over) {
    all_over(l, over);
    return MPI_Waitall(l->n, l->request, rng_once_in(own, 2) ? MPI_STATUSES_IGNORE : l->status);
}

static int test_all(struct list *l, struct rng *own, int *over) {
    int rc = MPI_SUCCESS, flag = 0, often = 1 + rng_below(own, 30);
    for (int k = 0; k < often && !flag && rc == MPI_SUCCESS; k++)
        rc = MPI_Testall(l->n, l->request, &flag, l->status);
    if (flag)
        all_over(l, over);
    return rc;
}

static int wait_any(struct list *l, struct rng *own, int *over) {
    int i = 0, rc = MPI_SUCCESS, often = 1 + rng_below(own, l->n + 1);
    for (int k = 0; k < often && i != MPI_UNDEFINED && rc == MPI_SUCCESS; k++) {
        rc = MPI_Waitany(l->n, l->request, &i, MPI_STATUS_IGNORE);
        if (i != MPI_UNDEFINED)
            over[i] = 1;
    }
    return rc;
}

static int test_any(struct list *l, struct rng *own, int *over) {
    int i = 0, flag, rc = MPI_SUCCESS, often = 1 + rng_below(own, 30);
    for (int k = 0; k < often && rc == MPI_SUCCESS; k++) {
        rc = MPI_Testany(l->n, l->request, &i, &flag, &l->status[0]);
        if (flag && i != MPI_UNDEFINED)
            over[i] = 1;
    }
    return rc;
}

static int some(struct list *l, int waits, int *over) {
    int n = 0, which[2 * SCENES];
    int rc = waits ? MPI_Waitsome(l->n, l->request, &n, which, l->status)
                   : MPI_Testsome(l->n, l->request, &n, which, MPI_STATUSES_IGNORE);
    for (int k = 0; n != MPI_UNDEFINED && k < n; k++)
        over[which[k]] = 1;
    return rc;
}

static int wait_some(struct list *l, struct rng *own, int *over) {
    (void)own;
    return some(l, 1, over);
}

static int test_some(struct list *l, struct rng *own, int *over) {
    (void)own;
    return some(l, 0, over);
}

/* Asked without an end, and completed when it is over. */
static int get_status(struct list *l, struct rng *own, int *over) {
    int rc = MPI_SUCCESS, often = 1 + rng_below(own, 10);
    for (int i = 0; i < l->n && rc == MPI_SUCCESS; i++)
        for (int k = 0, flag = 0; k < often && !flag && rc == MPI_SUCCESS; k++) {
            if (l->request[i] != MPI_REQUEST_NULL)
                rc = MPI_Request_get_status(l->request[i], &flag, &l->status[i]);
            if (flag && rc == MPI_SUCCESS)
                rc = MPI_Test(&l->request[i], &over[i], MPI_STATUS_IGNORE);
        }
    return rc;
}

static void complete(struct list *l, struct rng *own,
                     int (*way)(struct list *, struct rng *, int *)) {
    int over[2 * SCENES] = {0};
    for (int i = 0; i < l->n; i++) /* inactive ones are over, but end nothing */
        over[i] = l->scene[i] != NULL && !l->scene[i]->active;
    int rc = way(l, own, over);
    check_that(rc == MPI_SUCCESS, "completion: %d", rc);
    put_back(l, over);
}

void complete_some(struct rng *own) {
    static int (*const way[])(struct list *, struct rng *,
                              int *) = {wait_each, test_each, wait_all,  test_all,  wait_any,
                                        test_any,  wait_some, test_some, get_status};
    struct list l;
    draw_list(&l, own, 2);
    complete(&l, own, way[rng_below(own, (int)(sizeof way / sizeof *way))]);
}

void complete_all(struct rng *own) {
    struct list l;
    draw_list(&l, own, 1);
    complete(&l, own, wait_all);
}

void complete_one(struct scene *x) {
    struct list l = {0};
    take(&l, x, x->request);
    if (x->kind == RING)
        take(&l, x, x->message);
    complete(&l, NULL, wait_each);
}
