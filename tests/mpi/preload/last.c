/* Which algorithm calls get that were taken over, as Bine_Last tells, where handles are used again
 * and where calls are handed on. Expects rules by which bcast is bine-small from 1 KiB on and MPI's
 * below, and allreduce recursive-doubling always; or, with --untaken, none: MPI makes all calls;
 * or, with --huge, that allreduce is board-flat where it can be. */
#include "../check.h"

#include "bine.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 8, LARGE = 4096 };

static char data[LARGE], more[LARGE];
static int rank, p;

static void expect(MPI_Comm comm, const char *begin, const char *what, int round) {
    char text[200];
    Bine_Last(comm, text, (int)sizeof text);
    check_that(strncmp(text, begin, strlen(begin)) == 0, "%s, round %d: '%s', expected '%s'", what,
               round, text, begin);
}

/* Data that is right on one rank only if all ran the same. */
static void bcast(MPI_Comm comm, int count, MPI_Datatype type, int bytes, const char *begin,
                  const char *what, int round) {
    int ok = 1, me;
    MPI_Comm_rank(comm, &me);
    memset(data, me == 0 ? round + 1 : 0, sizeof data);
    MPI_Bcast(data, count, type, 0, comm);
    for (int i = 0; i < bytes; i++)
        ok = ok && data[i] == (char)(round + 1);
    check_that(ok, "%s, round %d: wrong data", what, round);
    expect(comm, begin, what, round);
}

/* One element of a type of the program's, small and large in turn; the handle is often the same. */
static void types(MPI_Comm comm) {
    for (int i = 0; i < 40; i++) {
        int bytes = i % 2 == 0 ? SMALL : LARGE;
        MPI_Datatype type;
        MPI_Type_contiguous(bytes, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        for (int k = 0; k < 4; k++)
            bcast(comm, 1, type, bytes, i % 2 == 0 ? "bcast mpi" : "bcast bine-small", "types", i);
        MPI_Type_free(&type);
    }
}

static void sizes(MPI_Comm comm) {
    for (int i = 0; i < 40; i++) {
        int bytes = 1020 + i % 8;
        bcast(comm, bytes, MPI_BYTE, bytes, bytes < 1024 ? "bcast mpi" : "bcast bine-small",
              "sizes", i);
        bcast(comm, bytes / 4, MPI_INT, bytes / 4 * 4,
              bytes / 4 * 4 < 1024 ? "bcast mpi" : "bcast bine-small", "sizes of ints", i);
    }
}

static int calls_at_end;

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {
    (void)key;
    (void)value;
    (void)extra;
    for (int i = 0; i < calls_at_end; i++)
        MPI_Bcast(data, SMALL, MPI_BYTE, 0, comm);
    return MPI_SUCCESS;
}

/* Communicators that come and go, with an algorithm of their own and without, of all ranks and of
 * one; and are used while they are freed. */
static void communicators(void) {
    int before, after;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &before, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &after, NULL);
    for (int i = 0; i < 60; i++) {
        MPI_Comm comm;
        /* MPICH 4.0 would look among attributes that it has freed. */
        calls_at_end = check_is_openmpi() ? i % 5 : 0;
        MPI_Comm_split(MPI_COMM_WORLD, i % 3 == 2 ? rank : 0, rank, &comm);
        MPI_Comm_set_attr(comm, before, NULL);
        if (i % 3 == 1)
            Bine_Set(comm, "bcast", "binomial-far");
        for (int k = 0; k < 3; k++)
            if (i % 3 == 2)
                MPI_Bcast(data, SMALL, MPI_BYTE, 0, comm);
            else
                bcast(comm, SMALL, MPI_BYTE, SMALL, i % 3 == 1 ? "bcast binomial-far" : "bcast mpi",
                      "communicators", i);
        MPI_Comm_set_attr(comm, after, NULL);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_free_keyval(&before);
    MPI_Comm_free_keyval(&after);
}

/* MPI finds the error, so Bine made nothing. */
static void overlapping(MPI_Comm comm) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* Open MPI's goes there */
    MPI_Allreduce(data, more, 4, MPI_INT, MPI_SUM, comm);
    expect(comm, "allreduce recursive-doubling", "apart", 0);
    int rc = MPI_Allreduce(data, data, 4, MPI_INT, MPI_SUM, comm);
    check_that(rc != MPI_SUCCESS, "overlapping buffers are an error");
    expect(comm, "allreduce mpi (the buffers overlap", "overlapping", 0);
    MPI_Allreduce(data, more, 4, MPI_INT, MPI_SUM, comm);
    expect(comm, "allreduce recursive-doubling", "apart again", 0);
}

/* MPI makes all calls, but for those of a communicator with an algorithm of its own; whoever knows
 * of that communicator chooses like the others on all others. */
static void untaken(void) {
    MPI_Comm half, all;
    MPI_Bcast(data, SMALL, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank < p / 2, rank, &half);
    if (rank < p / 2) {
        Bine_Set(half, "bcast", "bine-small");
        bcast(half, SMALL, MPI_BYTE, SMALL, "bcast bine-small", "set", 0);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    for (int i = 0; i < 5; i++) {
        MPI_Bcast(data, SMALL, MPI_BYTE, i % p, all);
        MPI_Bcast(data, LARGE, MPI_BYTE, i % p, MPI_COMM_WORLD);
    }
    if (rank < p / 2) {
        bcast(half, SMALL, MPI_BYTE, SMALL, "bcast bine-small", "still set", 0);
        Bine_Set(half, "bcast", "");
        bcast(half, SMALL, MPI_BYTE, SMALL, "bcast mpi", "no more", 0);
    }
    Bine_Bcast(data, LARGE, MPI_BYTE, 0, all);
    expect(all, "bcast bine", "Bine's own call", 0);
    MPI_Comm_free(&all);
    MPI_Comm_free(&half);
}

static void add_nothing(void *in, void *inout, int *len, MPI_Datatype *type) {
    (void)in;
    (void)inout;
    (void)len;
    (void)type;
}

/* No board holds an element of 3 GiB for each rank. */
static void huge(void) {
    MPI_Datatype type;
    MPI_Op op;
    char text[200];
    MPI_Allreduce(data, more, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(MPI_COMM_WORLD, "allreduce board-flat", "elements of 4 bytes", 0);
    MPI_Type_contiguous(3 << 28, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_nothing, 1, &op);
    MPI_Allreduce(data, more, 0, type, op, MPI_COMM_WORLD);
    Bine_Last(MPI_COMM_WORLD, text, (int)sizeof text);
    check_that(strncmp(text, "allreduce ", 10) == 0 && strstr(text, "board") == NULL,
               "elements of 3 GiB: %s", text);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (argc > 1 && strcmp(argv[1], "--untaken") == 0) {
        untaken();
    } else if (argc > 1 && strcmp(argv[1], "--huge") == 0) {
        huge();
    } else {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        sizes(comm);
        types(comm);
        communicators();
        overlapping(comm);
        MPI_Comm_free(&comm);
    }
    int status = check_end();
    MPI_Finalize();
    return status;
}
