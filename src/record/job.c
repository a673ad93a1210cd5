#include "record/job.h"

#include "base/hash.h"
#include "bine.h"
#include "comm/location.h"
#include "engine/transport/mpi_library.h"
#include "mpi/mpi_calls.h"
#include "mpi/process.h"
#include "mpi/world.h"
#include "record/clocks.h"
#include "record/kinds.h"
#include "record/sink.h"
#include "record/tape_call.h"
#include "report/verbose.h"
#include "report/warn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bine_record_job bine_record_job;

static atomic_int wanted = -1;
static struct bine_part *unwritten;       /* of a timeline alone */
static MPI_Comm everyone = MPI_COMM_NULL; /* all ranks, in the order of MPI_COMM_WORLD */
static struct bine_clocks clocks = {MPI_COMM_NULL, MPI_COMM_NULL};

/* --- The beginning */

int bine_record_is_wanted(void) {
    int is = atomic_load_explicit(&wanted, memory_order_relaxed);
    if (is >= 0)
        return is;
    is = bine_sinks_ask();
    bine_record_job.taped = bine_sink_of(BINE_SINK_TIMELINE)->wanted;
    if (is)
        bine_ticks_choose();
    atomic_store(&wanted, is);
    return is;
}

static void fill_head(struct bine_part_head *h, const struct bine_process_location *w) {
    int off, names;
    char mpi[BINE_MPI_LIBRARY_TEXT];
    bine_setting_flag(BINE_SETTING_OFF, &off);
    bine_setting_flag(BINE_SETTING_PROFILE_NAMES, &names);
    h->off = (uint32_t)off;
    h->rank = bine_world_rank();
    h->ranks = bine_world_size();
    h->node = w->node;
    h->group = w->group;
    snprintf(h->bine, sizeof h->bine, "%d.%d.%d", BINE_VERSION_MAJOR, BINE_VERSION_MINOR,
             BINE_VERSION_PATCH);
    bine_mpi_library_text(mpi, sizeof mpi, 0);
    snprintf(h->mpi, sizeof h->mpi, "%.63s", mpi);
    if (names)
        snprintf(h->host, sizeof h->host, "%.63s", w->host);
}

/* Processes outside MPI_COMM_WORLD may have the setting, too: spawned ones would write to the files
 * of their parents. */
static int is_spawned(void) {
    MPI_Comm parent = MPI_COMM_NULL;
    int is = PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
    if (is)
        bine_warn(
            bine_world_rank() == 0, 0,
            "processes that MPI_Comm_spawn has started are left out of profiles and timelines");
    return is;
}

static struct bine_tape_part *tape_of(const struct bine_sink *s) {
    return (void *)s->part.part;
}

static int open_timeline(const struct bine_process_location *w) {
    struct bine_sink *s = bine_sink_of(BINE_SINK_TIMELINE);
    int ranks = bine_world_size();
    if (!s->wanted || bine_sink_open(s, w->host, bine_tape_bytes(ranks)) != 0)
        return -1;
    bine_tape_begin(&bine_tape, tape_of(s), ranks, !bine_record_job.threads);
    fill_head(&s->part.part->head, w);
    bine_record_tape_begin();
    return 0;
}

/* The kinds of calls are counted in the part of the profile, which is none of a file where only a
 * timeline is recorded. */
static int open_profile(const struct bine_process_location *w, int needed) {
    struct bine_sink *s = bine_sink_of(BINE_SINK_PROFILE);
    struct bine_part *part = NULL;
    int sites = bine_record_job.sites;
    if (s->wanted && bine_sink_open(s, w->host, bine_part_bytes(sites)) == 0)
        part = s->part.part;
    if (part == NULL && needed)
        part = unwritten = calloc(1, bine_part_bytes(sites));
    if (part == NULL)
        return -1;
    bine_recorder_begin(&bine_record_job.recorder, part, sites);
    fill_head(&part->head, w);
    return 0;
}

static int open_parts(void) {
    struct bine_process_location w;
    int provided = MPI_THREAD_SINGLE;
    if (is_spawned())
        return -1;
    bine_location_find(&w);
    bine_setting_flag(BINE_SETTING_PROFILE_SITES, &bine_record_job.sites);
    PMPI_Query_thread(&provided);
    bine_record_job.threads = provided == MPI_THREAD_MULTIPLE;
    int timeline = open_timeline(&w) == 0;
    return open_profile(&w, timeline);
}

void bine_record_begin(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (!bine_record_is_wanted() || !bine_has_world() || bine_process_begin() != MPI_SUCCESS)
        return;
    pthread_mutex_lock(&lock);
    if (bine_record_job.recorder.part == NULL && !bine_record_job.over && open_parts() != 0)
        bine_record_job.over = 1;
    pthread_mutex_unlock(&lock);
}

void bine_record_expect(void) {
    if (bine_record_is_wanted() && bine_record_job.recorder.part == NULL && !bine_record_job.over)
        bine_record_begin();
}

/* --- All ranks together, ranks without a part as well. */

/* A number that no other run has. */
static uint64_t make_number(void) {
    struct bine_ticks_pair now = bine_ticks_now();
    int64_t process = getpid();
    uint64_t hash = bine_hash(bine_hash(BINE_HASH, &now, sizeof now), &process, sizeof process);
    return hash != 0 ? hash : 1;
}

void bine_record_meet(MPI_Comm comm) {
    struct bine_alignment a;
    bine_record_begin();
    if (PMPI_Comm_split(comm, 0, bine_world_rank(), &everyone) != MPI_SUCCESS) {
        everyone = MPI_COMM_NULL;
        return;
    }
    PMPI_Comm_set_errhandler(everyone, MPI_ERRORS_RETURN);
    uint64_t told[1 + BINE_SINKS] = {make_number()}; /* by rank 0: the number, and its settings */
    for (int k = 0; k < BINE_SINKS; k++)
        told[1 + k] = (uint64_t)bine_sink_of(k)->wanted;
    bine_mpi->bcast(told, 1 + BINE_SINKS, MPI_UINT64_T, 0, everyone);
    bine_clocks_open(&clocks, everyone);
    bine_clocks_align(&clocks, &a);
    for (int k = 0; k < BINE_SINKS; k++) {
        struct bine_sink *s = bine_sink_of(k);
        s->everywhere = told[1 + k] != 0;
        if (s->part.part != NULL) {
            s->part.part->head.job = told[0];
            s->part.part->head.clock[0] = a;
        }
    }
}

/* --- The end */

static void finish_parts(void) {
    struct bine_alignment a = bine_alignment_unknown();
    if (everyone != MPI_COMM_NULL)
        bine_clocks_align(&clocks, &a);
    for (int k = 0; k < BINE_SINKS; k++) {
        struct bine_part *part = bine_sink_of(k)->part.part;
        if (part == NULL)
            continue;
        part->head.clock[1] = a;
        part->head.last = bine_ticks_now();
        part->head.finished = 1;
    }
}

void bine_record_end(void) {
    if (atomic_load(&wanted) <= 0)
        return;
    bine_record_job.over = 1;
    bine_record_job.recorder.part = NULL;
    bine_tape = (struct bine_tape){.part = NULL};
    finish_parts();
    bine_recorded_comms_end();
    bine_sink_end(bine_sink_of(BINE_SINK_PROFILE), everyone, bine_part_bytes(1));
    bine_sink_end(bine_sink_of(BINE_SINK_TIMELINE), everyone, bine_tape_bytes(bine_world_size()));
    free(unwritten);
    unwritten = NULL;
    bine_clocks_close(&clocks);
    if (everyone != MPI_COMM_NULL)
        PMPI_Comm_free(&everyone);
}
