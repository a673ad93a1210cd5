/* Bad input to the collectives with uneven blocks, by one rank: it gets the error class that MPI
 * has for it, the others an error or none, as with messages from everyone to everyone; nothing is
 * written where it should not be, and the communicator works afterwards.
 *
 *     uneven-errors
 *
 * Run with every algorithm of gatherv and scatterv, with small blocks, and with blocks that go
 * directly where the others go along trees. */
#include "../check.h"

#include "bine.h"
#include "schedule/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, LARGE = 3000, GUARD = 0x5a5a5a5a };

struct scene {
    MPI_Comm comm;
    int p, rank, root;
    const struct bine_algorithm *algorithm;
    int n; /* elements of a block */
    int counts[RANKS], displs[RANKS];
    int *all, *own; /* blocks of all ranks with room between them; a block and room behind it */
};

/* Of a block and the room behind it. */
static int room(const struct scene *s) {
    return 2 * s->n;
}

static void reset(struct scene *s) {
    for (int r = 0; r < s->p; r++) {
        s->counts[r] = s->n;
        s->displs[r] = r * room(s);
    }
    for (int i = 0; i < s->p * room(s); i++)
        s->all[i] = GUARD;
    for (int i = 0; i < room(s); i++)
        s->own[i] = s->rank * 100000 + i;
}

static int gathers(const struct scene *s) {
    return s->algorithm->collective == BINE_GATHERV;
}

/* A call with so many elements of its own on this rank, of this type. */
static int call(const struct scene *s, int mine, MPI_Datatype type, MPI_Datatype at_root) {
    Bine_Next(s->comm, s->algorithm->name);
    return gathers(s) ? Bine_Gatherv(s->own, mine, type, s->all, s->counts, s->displs, at_root,
                                     s->root, s->comm)
                      : Bine_Scatterv(s->all, s->counts, s->displs, at_root, s->own, mine, type,
                                      s->root, s->comm);
}

/* Everyone has come back: no message of the call is met by the next one. */
static void works(const struct scene *s, const char *after) {
    int x = s->rank + 1, sum = 0;
    MPI_Barrier(s->comm);
    int rc = Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, s->comm);
    check_that(rc == MPI_SUCCESS && sum == s->p * (s->p + 1) / 2, "after %s: %d, %d", after, rc,
               sum);
}

static void expect(const struct scene *s, const char *what, int class, int rc) {
    check_that(check_class(rc) == class,
               "%s %s, root %d, %d elements, rank %d, %s: class %d, not %d",
               bine_collective_name(s->algorithm->collective), s->algorithm->name, s->root, s->n,
               s->rank, what, check_class(rc), class);
}

/* The rank whose block is wrong: any but the root. */
static int wrong_rank(const struct scene *s) {
    return (s->root + s->p / 2) % s->p;
}

/* A block is longer than the rank that gets it expects, or shorter: the getter has an error in the
 * first case, and nothing behind its room is written. */
static void test_lengths(struct scene *s, int longer) {
    int wrong = wrong_rank(s), other = longer ? s->n + 1 : s->n - 1, mine = s->n;
    int gets = s->rank == (gathers(s) ? s->root : wrong);
    const char *what = longer ? "too long" : "too short";
    reset(s);
    if (gathers(s) && s->rank == wrong)
        mine = other;
    if (!gathers(s))
        s->counts[wrong] = other;
    if (!gathers(s)) {
        for (int r = 0; r < s->p && s->rank == s->root; r++)
            for (int i = 0; i < s->n + 1; i++)
                s->all[s->displs[r] + i] = r * 100000 + i;
        for (int i = 0; i < room(s); i++)
            s->own[i] = GUARD;
    }
    int rc = call(s, mine, MPI_INT, MPI_INT);
    expect(s, what, gets && longer ? MPI_ERR_TRUNCATE : MPI_SUCCESS, rc);
    const int *got = gathers(s) ? s->all : s->own;
    for (int r = 0; r < s->p && (!gathers(s) || s->rank == s->root); r++) {
        int from = gathers(s) ? r : s->rank, n = from == wrong && !longer ? s->n - 1 : s->n;
        const int *x = gathers(s) ? got + s->displs[r] : got;
        for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
            check_that(x[i] == from * 100000 + i, "%s: wrong data, block %d", what, from);
        for (int i = s->n; i < room(s); i++)
            check_that(x[i] == GUARD, "%s: written behind block %d", what, from);
    }
    works(s, what);
}

/* The root's own arguments: it finds out before anything is sent, and the others only send. */
static void test_root(struct scene *s) {
    int at_root = s->rank == s->root;
    if (!gathers(s) && s->p > 1) /* the others would wait for it, as they do with MPI */
        return;
    reset(s);
    s->counts[s->p - 1] = at_root ? -1 : 1;
    int rc = call(s, s->n, MPI_INT, MPI_INT);
    expect(s, "a negative count", at_root ? MPI_ERR_COUNT : MPI_SUCCESS, rc);
    works(s, "a negative count");
    reset(s);
    rc = call(s, s->n, MPI_INT, at_root ? MPI_DATATYPE_NULL : MPI_INT);
    expect(s, "no type", at_root ? MPI_ERR_TYPE : MPI_SUCCESS, rc);
    works(s, "no type");
    reset(s);
    Bine_Next(s->comm, s->algorithm->name);
    rc = gathers(s) ? Bine_Gatherv(s->own, s->n, MPI_INT, s->all, s->counts, NULL, MPI_INT, s->root,
                                   s->comm)
                    : Bine_Scatterv(s->all, s->counts, NULL, MPI_INT, s->own, s->n, MPI_INT,
                                    s->root, s->comm);
    expect(s, "no displacements", at_root ? MPI_ERR_ARG : MPI_SUCCESS, rc);
    works(s, "no displacements");
}

/* Started: the error comes when the call is waited for. */
static void test_started(struct scene *s) {
    Bine_Request request = NULL;
    int wrong = wrong_rank(s), gets = s->rank == (gathers(s) ? s->root : wrong);
    reset(s);
    s->counts[wrong] += !gathers(s);
    int mine = s->n + (gathers(s) && s->rank == wrong);
    Bine_Next(s->comm, s->algorithm->name);
    int rc = gathers(s) ? Bine_Igatherv(s->own, mine, MPI_INT, s->all, s->counts, s->displs,
                                        MPI_INT, s->root, s->comm, &request)
                        : Bine_Iscatterv(s->all, s->counts, s->displs, MPI_INT, s->own, mine,
                                         MPI_INT, s->root, s->comm, &request);
    expect(s, "started", MPI_SUCCESS, rc);
    rc = Bine_Wait(&request);
    expect(s, "started, too long", gets ? MPI_ERR_TRUNCATE : MPI_SUCCESS, rc);
    works(s, "started, too long");
}

/* In an alltoallv, the two ends of one block differ. */
static void test_alltoallv(struct scene *s) {
    int gives[RANKS], gets[RANKS], from = 0, to = s->p - 1;
    if (s->p == 1)
        return;
    reset(s);
    for (int r = 0; r < s->p; r++) {
        gives[r] = s->rank == from && r == to ? 2 : 1;
        gets[r] = 1;
    }
    int *out = malloc((size_t)s->p * (size_t)room(s) * sizeof *out);
    if (out == NULL)
        abort();
    int rc =
        Bine_Alltoallv(s->all, gives, s->displs, MPI_INT, out, gets, s->displs, MPI_INT, s->comm);
    check_that(check_class(rc) == (s->rank == to ? MPI_ERR_TRUNCATE : MPI_SUCCESS),
               "alltoallv, rank %d: class %d", s->rank, check_class(rc));
    works(s, "an alltoallv that was truncated");
    free(out);
}

/* In an allgatherv, a rank sends more than its own block of the results has room for, or less: it
 * has an error in the first case, and nobody waits for ever. */
static void test_allgatherv(struct scene *s, int more, int started) {
    int wrong = s->p / 2, mine = s->rank == wrong ? s->n + more : s->n, rc;
    Bine_Request request = NULL;
    reset(s);
    Bine_Next(s->comm, s->algorithm->name);
    if (started) {
        rc = Bine_Iallgatherv(s->own, mine, MPI_INT, s->all, s->counts, s->displs, MPI_INT, s->comm,
                              &request);
        expect(s, "a misfit, started", MPI_SUCCESS, rc);
        rc = Bine_Wait(&request);
    } else {
        rc = Bine_Allgatherv(s->own, mine, MPI_INT, s->all, s->counts, s->displs, MPI_INT, s->comm);
    }
    expect(s, "a misfit", more > 0 && s->rank == wrong ? MPI_ERR_TRUNCATE : MPI_SUCCESS, rc);
    for (int r = 0; r < s->p; r++) {
        const int *x = s->all + s->displs[r];
        for (int i = 0; i < (r == wrong && more < 0 ? s->n + more : s->n); i++)
            check_that(x[i] == r * 100000 + i, "a misfit: wrong data, block %d", r);
        for (int i = s->n; i < room(s); i++)
            check_that(x[i] == GUARD, "a misfit: written behind block %d", r);
    }
    works(s, "a misfit");
}

static void test_misfits(struct scene *s) {
    static const int lengths[] = {5, LARGE};
    for (int k = 0; k < 2; k++)
        for (int started = 0; started < 2; started++) {
            s->n = lengths[k];
            test_allgatherv(s, 1, started);
            test_allgatherv(s, -1, started);
        }
}

static void test_algorithm(struct scene *s) {
    static const int lengths[] = {5, LARGE};
    for (int k = 0; k < 2; k++)
        for (s->root = 0; s->root < s->p; s->root += 1 + s->p / 3) {
            s->n = lengths[k];
            if (s->p > 1) {
                test_lengths(s, 1);
                test_lengths(s, 0);
                test_started(s);
            }
            if (k == 0)
                test_root(s);
        }
}

int main(int argc, char **argv) {
    struct scene s = {.n = 5};
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
    MPI_Comm_set_errhandler(s.comm, MPI_ERRORS_RETURN);
    /* Errors are those of that communicator: the handler of this one would end the program. */
    MPI_Errhandler handler;
    MPI_Comm_size(s.comm, &s.p);
    MPI_Comm_rank(s.comm, &s.rank);
    s.all = malloc((size_t)s.p * 2 * LARGE * sizeof *s.all);
    s.own = malloc(2 * LARGE * sizeof *s.own);
    if (s.p > RANKS || s.all == NULL || s.own == NULL)
        abort();
    Bine_Barrier(s.comm); /* calls can be started from here on */
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        s.algorithm = &bine_catalogue[i];
        enum bine_collective c = s.algorithm->collective;
        if ((c == BINE_GATHERV || c == BINE_SCATTERV) && bine_algorithm_serves(s.algorithm, s.p))
            test_algorithm(&s);
        if (c == BINE_ALLGATHERV && bine_algorithm_serves(s.algorithm, s.p) &&
            bine_algorithm_needs(s.algorithm) != BINE_NEEDS_BOARDS)
            test_misfits(&s);
    }
    s.n = 5;
    test_alltoallv(&s);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    check_that(handler == MPI_ERRORS_ARE_FATAL, "the handler of MPI_COMM_WORLD has changed");
    free(s.all);
    free(s.own);
    MPI_Comm_free(&s.comm);
    int status = check_end();
    MPI_Finalize();
    return status;
}
