/* Collectives that a program calls in a function of an attribute, while the communicator of the
 * attribute is freed or disconnected: they are right, and so are those on the next communicators,
 * which get the same handles. */
#include "../check.h"

#include <mpi.h>
#include <stddef.h>

enum { ROUNDS = 240, KEYS = 6 };

static int rank, p, deletions;

static void is_right(MPI_Comm comm, const char *what, int round) {
    int one = rank + 1, mine, n, sum, from = -1, expected = 0, last;
    MPI_Group group, world;
    MPI_Comm_rank(comm, &mine);
    MPI_Comm_size(comm, &n);
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < n; i++) {
        MPI_Group_translate_ranks(group, 1, &i, world, &last);
        expected += last + 1;
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    check_that(sum == expected, "%s, round %d: sum %d, expected %d", what, round, sum, expected);
    from = mine == n - 1 ? rank : -1;
    MPI_Bcast(&from, 1, MPI_INT, n - 1, comm);
    check_that(from == last, "%s, round %d: from %d, expected %d", what, round, from, last);
    MPI_Request r;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_that(sum == expected, "%s, round %d: started: sum %d", what, round, sum);
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {
    (void)key;
    (void)extra;
    deletions++;
    is_right(comm, "in the function of an attribute", *(int *)value);
    return MPI_SUCCESS;
}

/* Attributes that come before others of Bine's or after them, of which every other one goes. */
static void come_and_go(MPI_Comm comm, const int *keys, int n) {
    for (int i = 0; i < n; i++)
        MPI_Comm_set_attr(comm, keys[i], NULL);
    for (int i = 0; i < n; i += 2)
        MPI_Comm_delete_attr(comm, keys[i]);
}

/* Attributes that were set later go first, and the function makes the first calls. MPICH must not
 * be asked for an attribute then: it would look at those that are gone. */
static void first_in_function(int key, const int *keys) {
    for (int i = 0; i < 8 * KEYS; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_attr(comm, key, &i);
        for (int k = 0; k < i / 8; k++)
            MPI_Comm_set_attr(comm, keys[k], NULL);
        MPI_Comm_free(&comm);
    }
}

static void round_of(int i, int key, const int *keys) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD,
                   i % 3 == 0   ? 0
                   : i % 3 == 1 ? rank % 2
                                : rank / 2,
                   i % 2 == 0 ? rank : p - rank, &comm);
    come_and_go(comm, keys, i % KEYS);
    if (i / 4 % 3 == 0)
        is_right(comm, "before the attribute", i);
    MPI_Comm_set_attr(comm, key, &i);
    come_and_go(comm, keys, i / 2 % KEYS);
    if (i / 4 % 3 == 1)
        is_right(comm, "after the attribute", i);
    if (i / 2 % 2 == 0)
        MPI_Comm_free(&comm);
    else
        MPI_Comm_disconnect(&comm);
}

int main(int argc, char **argv) {
    int key, keys[KEYS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    for (int i = 0; i < KEYS; i++)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys[i], NULL);
    first_in_function(key, keys);
    for (int i = 0; i < ROUNDS; i++)
        round_of(i, key, keys);
    check_that(deletions == ROUNDS + 8 * KEYS, "%d deletions", deletions);
    for (int i = 0; i < KEYS; i++)
        MPI_Comm_free_keyval(&keys[i]);
    MPI_Comm_free_keyval(&key);
    int status = check_end();
    MPI_Finalize();
    return status;
}
