/* A program for bine try: it sums and broadcasts, says what it read, and does as it is told.
 *
 *   program [fail CODE] [fail-with CODE] [last-bits] [wrong] [file NAME] [wait]
 *
 * fail-with, last-bits and wrong happen only where Bine's library makes the calls, which is seen
 * from outside: it is preloaded, and BINE_OFF is not set. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 1000, ROUNDS = 10 };

static int has_bine(void) {
    const char *preload = getenv("LD_PRELOAD"), *off = getenv("BINE_OFF");
    return preload != NULL && strstr(preload, "libbine-preload.so") != NULL && off == NULL;
}

static int has(int argc, char **argv, const char *word) {
    int i = 1;
    while (i < argc && strcmp(argv[i], word) != 0)
        i++;
    return i < argc ? i : 0;
}

static double work(int rank) {
    double in[COUNT], out[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = rank + i;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    return out[COUNT - 1];
}

static void say(FILE *f, int argc, char **argv, double sum) {
    char line[100] = "nothing\n";
    if (fgets(line, sizeof line, stdin) == NULL)
        strcpy(line, "nothing\n");
    if (has_bine() && has(argc, argv, "last-bits"))
        sum *= 1 + 1e-14;
    if (has_bine() && has(argc, argv, "wrong"))
        sum += 1;
    fprintf(f, "read %s", line);
    fprintf(f, "sum %.16g\n", sum);
    fprintf(f, "process %d\n", (int)getpid()); /* another one in each run */
}

int main(int argc, char **argv) {
    int rank, fail, with;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double sum = work(rank);
    int file = has(argc, argv, "file");
    FILE *f = rank != 0 ? NULL : file ? fopen(argv[file + 1], "w") : stdout;
    if (f != NULL)
        say(f, argc, argv, sum);
    if (file && f != NULL)
        fclose(f);
    if (rank == 0)
        fprintf(stderr, "a line on stderr\n");
    if (has(argc, argv, "wait"))
        sleep(1000);
    MPI_Finalize();
    fail = has(argc, argv, "fail");
    with = has_bine() ? has(argc, argv, "fail-with") : 0;
    return fail ? atoi(argv[fail + 1]) : with ? atoi(argv[with + 1]) : 0;
}
