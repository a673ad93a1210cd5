#include "comm/differences.h"
#include "base/hash.h"

#include "mpi/mpi_calls.h"
#include "mpi/world.h"
#include "report/problems.h"
#include "report/warn.h"

#include <stdio.h>
#include <string.h>

/* One rank's values; all fields are numbers of one type. */
struct card {
    uint64_t sign[BINE_SETTINGS + 1]; /* of each setting's meaning; then whether there are any */
    uint64_t problem[BINE_PROBLEMS];
};
enum { CARD = sizeof(struct card) / sizeof(uint64_t), MEMORY = BINE_SETTINGS, ROWS };

/* One rank's words for everybody. */
struct note {
    uint64_t key;
    char text[BINE_PROBLEM_TEXT + 200];
};

static int first_difference(const struct card *a, const struct card *b) {
    int row = 0;
    if (a->sign[MEMORY] != b->sign[MEMORY])
        return MEMORY;
    while (row < BINE_SETTINGS && a->sign[row] == b->sign[row])
        row++;
    return row < BINE_SETTINGS ? row : -1;
}

/* A problem that is mine, but not another's. */
static int first_problem(const struct card *mine, const struct card *other) {
    for (int i = 0; i < BINE_PROBLEMS && mine->problem[i] != 0; i++) {
        int k = 0;
        while (k < BINE_PROBLEMS && other->problem[k] != mine->problem[i])
            k++;
        if (k == BINE_PROBLEMS)
            return i;
    }
    return -1;
}

/* "rank 2 on HOST for one", by that rank. */
static int name_me(char *text, size_t size) {
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int n;
    if (PMPI_Get_processor_name(host, &n) != MPI_SUCCESS)
        host[0] = '\0';
    return snprintf(text, size, "rank %d of MPI_COMM_WORLD on %.64s for one", bine_world_rank(),
                    host);
}

static void write_setting(int row, struct note *note) {
    char origin[BINE_ORIGIN_TEXT] = "";
    const char *name = row == MEMORY ? "" : bine_setting_table[row].name;
    const char *value = row == MEMORY ? "" : bine_setting_value(row, origin);
    int n = name_me(note->text, sizeof note->text);
    char *to = note->text + n;
    size_t room = sizeof note->text - (size_t)n;
    note->key = bine_hash(BINE_HASH + 1, &row, sizeof row) | 1;
    if (row == MEMORY)
        snprintf(to, room, " (it has memory for them, or another has none)");
    else if (*value == '\0')
        snprintf(to, room, " (%s is not set)", name);
    else
        snprintf(to, room, " (%s=%.200s, %s)", name, value, origin);
}

static void write_problem(int place, struct note *note) {
    uint64_t key[BINE_PROBLEMS];
    int n = name_me(note->text, sizeof note->text);
    bine_problems(key);
    note->key = key[place];
    snprintf(note->text + n, sizeof note->text - (size_t)n, ": %s", bine_problem_text(place));
}

static int share(MPI_Comm comm, int from, struct note *note) {
    return bine_mpi->bcast(note, sizeof *note, MPI_BYTE, from, comm);
}

/* The least over all ranks of each field, or `no_rank`. */
struct finding {
    int64_t setting; /* rank and row: one that differs from the speaker's */
    int64_t problem; /* a rank that has one which the speaker does not have */
    int64_t own;     /* the place of one that only the speaker has, as far as a rank knows */
};
enum { FINDING = sizeof(struct finding) / sizeof(int64_t) };

static int find(MPI_Comm comm, int rank, const struct card *mine, const struct card *speakers,
                int64_t no_rank, struct finding *found) {
    int row = first_difference(mine, speakers), place = first_problem(mine, speakers),
        own = first_problem(speakers, mine);
    struct finding here = {row < 0 ? no_rank : (int64_t)rank * ROWS + row,
                           place < 0 ? no_rank : rank, own < 0 ? no_rank : own};
    return bine_mpi->allreduce(&here, found, FINDING, MPI_INT64_T, MPI_MIN, comm);
}

static int tell_setting(MPI_Comm comm, const struct bine_differences *d, int rank, int64_t found) {
    struct note note = {0};
    int from = (int)(found / ROWS);
    if (rank == from)
        write_setting((int)(found % ROWS), &note);
    int rc = share(comm, from, &note);
    if (rc == MPI_SUCCESS)
        bine_warn(rank == d->speaker, note.key,
                  "the settings (environment, files, rules) are not the same on all %d ranks of a "
                  "communicator, %s: its calls are forwarded to MPI",
                  d->p, note.text);
    return rc;
}

static int tell_problem(MPI_Comm comm, const struct bine_differences *d, int rank, int from,
                        int place) {
    struct note note = {0};
    if (rank == from)
        write_problem(place, &note);
    int rc = share(comm, from, &note);
    if (rc == MPI_SUCCESS)
        bine_warn(rank == d->speaker, note.key, "on some ranks only, %s", note.text);
    return rc;
}

int bine_differences_report(MPI_Comm comm, const struct bine_policy *policy,
                            const struct bine_differences *d) {
    struct card mine = {0}, speakers;
    struct finding found;
    int64_t no_rank = (int64_t)d->p * ROWS;
    int rank, rc = PMPI_Comm_rank(comm, &rank);
    if (policy != NULL) {
        bine_policy_signs(policy, mine.sign);
        mine.sign[MEMORY] = 1;
    }
    bine_problems(mine.problem);
    speakers = mine;
    if (rc == MPI_SUCCESS)
        rc = bine_mpi->bcast(&speakers, CARD, MPI_UINT64_T, d->speaker, comm);
    if (rc == MPI_SUCCESS)
        rc = find(comm, rank, &mine, &speakers, no_rank, &found);
    if (rc == MPI_SUCCESS && d->settings && found.setting < no_rank)
        rc = tell_setting(comm, d, rank, found.setting);
    if (rc != MPI_SUCCESS || !d->problems)
        return rc;
    if (found.problem < no_rank)
        return tell_problem(comm, d, rank, (int)found.problem, first_problem(&mine, &speakers));
    if (found.own < no_rank)
        return tell_problem(comm, d, rank, d->speaker, (int)found.own);
    return rc;
}
