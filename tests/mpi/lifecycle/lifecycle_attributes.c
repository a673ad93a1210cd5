/* Attributes that the user keeps on communicators: their functions are called for the user's
 * communicators only, and may themselves call Bine. */
#include "lifecycle.h"

#include "bine.h"

#include <stdio.h>

static int copies, deletions, failures;

static int on_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    (void)comm;
    (void)key;
    (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void test_not_copied(void) {
    int key;
    MPI_Comm comm, twice;
    MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, &key);
    copies = deletions = 0;
    agree(comm, "with an attribute");
    check_that(copies == 0, "Bine copied the user's attributes");
    MPI_Comm_dup(comm, &twice);
    check_that(copies == 1, "a duplicate copies them");
    agree(twice, "a duplicate of a communicator that Bine knows");
    MPI_Comm_free(&comm);
    check_that(deletions == 1, "%d deletions after one free", deletions);
    agree(twice, "a duplicate that outlives what it was made of");
    MPI_Comm_free(&twice);
    check_that(deletions == 2, "%d deletions after two", deletions);
    MPI_Comm_free_keyval(&key);
}

/* A user's delete function that calls Bine: on another communicator, or on the very one that is
 * being freed. */
static int call_other(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)extra;
    deletions++;
    agree(*(MPI_Comm *)value, "from a delete function, on another communicator");
    return MPI_SUCCESS;
}

static int call_same(MPI_Comm comm, int key, void *value, void *extra) {
    (void)key;
    (void)value;
    (void)extra;
    deletions++;
    agree(comm, "from a delete function, on the same communicator");
    return MPI_SUCCESS;
}

/* The attribute is set before or after Bine sets its own, so that it is deleted after or before. */
static void test_calls_inside(MPI_Comm_delete_attr_function *f, int before) {
    int key;
    MPI_Comm comm, other = MPI_COMM_WORLD;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, f, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (!before)
        agree(comm, "before an attribute is set");
    MPI_Comm_set_attr(comm, key, &other);
    agree(comm, "after it is set");
    deletions = 0;
    MPI_Comm_free(&comm);
    check_that(deletions == 1, "%d calls of the delete function", deletions);
    MPI_Comm_free_keyval(&key);
    agree(MPI_COMM_WORLD, "after calls from delete functions");
}

void test_attributes(void) {
    test_not_copied();
    for (int before = 0; before < 2; before++) {
        test_calls_inside(call_other, before);
        test_calls_inside(call_same, before);
    }
}

/* On MPI_COMM_SELF: called at the beginning of MPI_Finalize, when MPI can still be used, and, since
 * it is set before Bine's own, after Bine has cleaned up. */
static int at_finalize(MPI_Comm comm, int key, void *value, void *extra) {
    int x = 1, sum = 0, p;
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS || sum != p)
        failures++;
    return MPI_SUCCESS;
}

void attributes_before_finalize(void) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

int attributes_after_finalize(void) {
    if (failures > 0)
        fprintf(stderr, "FAIL: a call from inside MPI_Finalize\n");
    return failures;
}
