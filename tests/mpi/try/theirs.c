/* A library of the program's own in LD_PRELOAD: it says on standard output that it is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void say(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank != NULL ? rank : getenv("PMI_RANK");
    if (rank != NULL && strcmp(rank, "0") == 0)
        puts("theirs");
}
