/* The first thing that the ranks of a job do together: find out whether each has a library of Bine.
 *
 * Programs of one job may use different ABIs of its MPI library, and a computer may lack files that
 * others have. A rank without a library of Bine forwards its calls to MPI; the others would wait
 * for its part in Bine's algorithms. It is a reduction of MPI's own, with handles by number, since
 * nothing here includes mpi.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "dropin/preload/find.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef uintptr_t word;

/* MPI_COMM_WORLD, MPI_INT and MPI_MAX. */
struct handles {
    word world, integer, greatest;
};

/* Those of the standard's ABI (MPI 5.0, appendix A), and of MPICH's mpi.h, whose kin share them. */
static const struct handles standard = {0x101, 0x209, 0x23};
static const struct handles mpich = {0x44000000, 0x4c000405, 0x58000001};

/* Open MPI's are addresses of its variables: the linker may have moved them into the program. */
static word address(const struct bine_mpi *mpi, const char *name) {
    void *found = bine_real_dlsym(RTLD_DEFAULT, name);
    return (word)(found != NULL ? found : bine_real_dlsym(mpi->handle, name));
}

static struct handles openmpi(const struct bine_mpi *mpi) {
    return (struct handles){address(mpi, "ompi_mpi_comm_world"), address(mpi, "ompi_mpi_int"),
                            address(mpi, "ompi_mpi_op_max")};
}

static int find(const struct bine_mpi *mpi, struct handles *h) {
    int abi = bine_mpi_standard_abi(mpi);
    if (abi > 1) /* not known */
        return 0;
    if (abi >= 0)
        *h = standard;
    else if (mpi->flavour != NULL && strcmp(mpi->flavour, "openmpi") == 0)
        *h = openmpi(mpi);
    else if (mpi->flavour != NULL)
        *h = mpich;
    else
        return 0;
    return h->world != 0 && h->integer != 0 && h->greatest != 0;
}

/* --- A line for people, where the reduction takes so long: a rank on another computer may have no
 * drop-in library, and then it never comes. */

enum { LATE_SECONDS = 30 };

struct watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int runs, is_over;
};

static void *say_late(void *state) {
    struct watch *w = state;
    struct timespec until;
    int rc = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LATE_SECONDS;
    pthread_mutex_lock(&w->lock);
    while (!w->is_over && rc == 0)
        rc = pthread_cond_timedwait(&w->ended, &w->lock, &until);
    if (!w->is_over)
        fprintf(stderr,
                "bine: MPI_Init has waited %d seconds for other ranks: those of a job must all "
                "have the drop-in library, or none\n",
                LATE_SECONDS);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Signals go to the program's own threads. */
static void watch_begin(struct watch *w) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->runs = pthread_create(&w->thread, NULL, say_late, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void watch_end(struct watch *w) {
    if (!w->runs)
        return;
    pthread_mutex_lock(&w->lock);
    w->is_over = 1;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
}

int bine_mpi_any(const struct bine_mpi *mpi, bine_function *allreduce, int mine, int tells) {
    struct watch w = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    int any = mine;
    struct handles h;
    if (allreduce == NULL || !find(mpi, &h))
        return mine;
    if (tells)
        watch_begin(&w);
    ((int (*)(const void *, void *, int, word, word, word))allreduce)(&mine, &any, 1, h.integer,
                                                                      h.greatest, h.world);
    watch_end(&w);
    return any;
}
