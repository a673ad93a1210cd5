/* Elements of more than 2^31 bytes, on one rank, in little memory: a few pages are mapped again and
 * again, one behind the other. The engine's types are built into this program. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "../check.h"

#include "engine/transport/elements.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 20, PIECES = 2050, GAP = 1 << 16, OWN = 4 };

/* `size` bytes of address space (whole pieces), of which all but the last OWN pieces are the same
 * one.
 */
static char *fold(size_t size) {
    char name[64], *space = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    snprintf(name, sizeof name, "/bine-huge.%ld", (long)getpid());
    int file = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (space == MAP_FAILED || file < 0 || ftruncate(file, PIECE) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    shm_unlink(name);
    for (size_t at = 0; at + OWN * PIECE < size; at += PIECE)
        if (mmap(space + at, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
            MPI_Abort(MPI_COMM_WORLD, 1);
    close(file);
    return space;
}

/* Pieces at a distance; 0: all are the same. */
static struct bine_type describe(MPI_Aint distance) {
    MPI_Datatype type;
    struct bine_type t;
    MPI_Type_create_hvector(PIECES, PIECE, distance, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    check_that(bine_type_describe(type, &t) == MPI_SUCCESS && !t.dense &&
                   t.size == (MPI_Aint)PIECES * PIECE,
               "an element of %ld bytes", (long)t.size);
    return t;
}

static void fill(char *piece, int seed) {
    for (int i = 0; i < PIECE; i++)
        piece[i] = (char)(i * 31 + (i >> 8) + seed);
}

static void test_pack(MPI_Comm comm) {
    static char piece[PIECE];
    struct bine_type t = describe(0);
    size_t size = (size_t)t.size;
    char *packed = fold(size);
    fill(piece, 1);
    int rc = bine_type_pack(&t, piece, 1, packed, comm);
    check_that(rc == MPI_SUCCESS && memcmp(packed, piece, PIECE) == 0 &&
                   memcmp(packed + size - PIECE, piece, PIECE) == 0,
               "pack: %d", rc);
    munmap(packed, size);
    MPI_Type_free(&t.handle);
}

static void test_unpack(MPI_Comm comm) {
    struct bine_type t = describe(PIECE + GAP);
    size_t size = (size_t)t.size, room = (size_t)PIECES * (PIECE + GAP) + PIECE;
    room -= room % PIECE;
    char *packed = fold(size), *out = fold(room), *last = out + t.true_extent - PIECE;
    fill(packed, 2);
    fill(packed + size - PIECE, 3);
    last[-1] = 'g'; /* in the gap */
    int rc = bine_type_unpack(&t, packed, 1, out, comm);
    check_that(rc == MPI_SUCCESS && memcmp(last, packed + size - PIECE, PIECE) == 0, "unpack: %d",
               rc);
    check_that(last[-1] == 'g', "unpack into a gap");
    munmap(packed, size);
    munmap(out, room);
    MPI_Type_free(&t.handle);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    test_pack(MPI_COMM_WORLD);
    test_unpack(MPI_COMM_WORLD);
    int status = check_end();
    MPI_Finalize();
    return status;
}
