#include "mpi/warn.h"

#include "choose/settings.h"

#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS = 64 };

/* Whether it has not been said before. So many different ones are enough for anybody. */
static int is_new(const char *text) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t said[WARNINGS];
    static int n;
    uint64_t hash = bine_hash(BINE_HASH, text, strlen(text));
    int fresh = 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n; i++)
        fresh = fresh && said[i] != hash;
    fresh = fresh && n < WARNINGS;
    if (fresh)
        said[n++] = hash;
    pthread_mutex_unlock(&lock);
    return fresh;
}

void bine_warn_of(void *unused, const char *text) {
    int rank;
    (void)unused;
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0 && is_new(text))
        fprintf(stderr, "bine: %s\n", text);
}

void bine_warn(const char *format, ...) {
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    bine_warn_of(NULL, text);
}
