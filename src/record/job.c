#include "record/job.h"

#include "base/hash.h"
#include "bine.h"
#include "comm/location.h"
#include "engine/transport/mpi_library.h"
#include "mpi/mpi_calls.h"
#include "mpi/process.h"
#include "mpi/world.h"
#include "profile/folder.h"
#include "record/clocks.h"
#include "record/gather.h"
#include "record/kinds.h"
#include "report/verbose.h"
#include "report/warn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bine_record_job bine_record_job;

static atomic_int wanted = -1;
static char file[BINE_PARTS_PATH]; /* absolute: a program may change its folder */
static struct bine_part_file part;
static MPI_Comm everyone = MPI_COMM_NULL; /* all ranks, in the order of MPI_COMM_WORLD */
static struct bine_clocks clocks = {MPI_COMM_NULL, MPI_COMM_NULL};

/* --- The beginning */

int bine_record_is_wanted(void) {
    int is = atomic_load_explicit(&wanted, memory_order_relaxed);
    if (is >= 0)
        return is;
    is = *bine_setting_value(BINE_SETTING_PROFILE, NULL) != '\0';
    if (is)
        bine_ticks_choose();
    atomic_store(&wanted, is);
    return is;
}

/* FILE as an absolute path: 0, or -1 with the reason. */
static int find_file(const char *host, char why[BINE_PARTS_WHY]) {
    char name[BINE_PARTS_PATH], here[BINE_PARTS_PATH];
    const char *pattern = bine_setting_value(BINE_SETTING_PROFILE, NULL);
    if (bine_parts_name(pattern, host, name, why) != 0)
        return -1;
    if (name[0] == '/' || getcwd(here, sizeof here) == NULL)
        here[0] = '\0';
    size_t folder = strlen(here), n = strlen(name);
    if (folder + n + sizeof "/.parts/rank-2147483647" > sizeof file) {
        snprintf(why, BINE_PARTS_WHY, "%.900s: the name is too long", name);
        return -1;
    }
    memcpy(file, here, folder);
    if (folder > 0)
        file[folder++] = '/';
    memcpy(file + folder, name, n + 1);
    return 0;
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
    bine_mpi_library_text(mpi, sizeof mpi);
    snprintf(h->mpi, sizeof h->mpi, "%.63s", mpi);
    if (names)
        snprintf(h->host, sizeof h->host, "%.63s", w->host);
}

/* Processes outside MPI_COMM_WORLD may have the setting, too: spawned ones would write to the files
 * of their parents. */
static int open_part(char why[BINE_PARTS_WHY]) {
    MPI_Comm parent = MPI_COMM_NULL;
    struct bine_process_location w;
    int provided = MPI_THREAD_SINGLE;
    if (PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL) {
        snprintf(why, BINE_PARTS_WHY, "processes that MPI_Comm_spawn has started are left out");
        return -1;
    }
    bine_location_find(&w);
    bine_setting_flag(BINE_SETTING_PROFILE_SITES, &bine_record_job.sites);
    if (find_file(w.host, why) != 0 ||
        bine_part_file_open(&part, file, bine_world_rank(), bine_part_bytes(bine_record_job.sites),
                            why) != 0)
        return -1;
    PMPI_Query_thread(&provided);
    bine_record_job.threads = provided == MPI_THREAD_MULTIPLE;
    bine_recorder_begin(&bine_record_job.recorder, part.part, bine_record_job.sites);
    fill_head(&part.part->head, &w);
    return 0;
}

void bine_record_begin(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char why[BINE_PARTS_WHY];
    if (!bine_record_is_wanted() || !bine_has_world() || bine_process_begin() != MPI_SUCCESS)
        return;
    pthread_mutex_lock(&lock);
    if (part.part == NULL && !bine_record_job.over && open_part(why) != 0) {
        bine_record_job.over = 1;
        bine_warn(bine_world_rank() == 0, 0, "BINE_PROFILE: %s; no profile is recorded", why);
    }
    pthread_mutex_unlock(&lock);
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
    uint64_t job = make_number();
    bine_mpi->bcast(&job, 1, MPI_UINT64_T, 0, everyone);
    bine_clocks_open(&clocks, everyone);
    bine_clocks_align(&clocks, &a);
    if (part.part != NULL) {
        part.part->head.job = job;
        part.part->head.clock[0] = a;
    }
}

/* --- The end */

static void finish_part(void) {
    struct bine_alignment a = bine_alignment_unknown();
    if (everyone != MPI_COMM_NULL)
        bine_clocks_align(&clocks, &a);
    if (part.part == NULL)
        return;
    struct bine_part_head *h = &part.part->head;
    h->clock[1] = a;
    h->last = bine_ticks_now();
    h->finished = 1;
}

/* A child that this process has forked leaves the parent's files alone. */
void bine_record_end(void) {
    if (atomic_load(&wanted) <= 0)
        return;
    int mine = part.part != NULL && part.process == (int)getpid(), merged = 0;
    bine_record_job.over = 1;
    bine_record_job.recorder.part = NULL;
    finish_part();
    bine_recorded_comms_end();
    if (everyone != MPI_COMM_NULL || bine_world_size() == 1)
        merged = bine_record_gather(everyone, part.part, file);
    if (merged && mine)
        bine_part_file_remove(&part);
    if (part.part != NULL)
        bine_part_file_close(&part);
    bine_clocks_close(&clocks);
    if (everyone != MPI_COMM_NULL)
        PMPI_Comm_free(&everyone);
}
