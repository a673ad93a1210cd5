/* bine-bench: see bench.h. */
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/options/bytes.h"

#include <stdlib.h>
#include <string.h>

/* Whether a word is on the command line: asked before MPI_Init. */
static int has_word(char **argv, const char *word, int within) {
    for (int i = 1; argv[i] != NULL; i++)
        if (within ? strstr(argv[i], word) != NULL : strcmp(argv[i], word) == 0)
            return 1;
    return 0;
}

/* --timeline FILE is a setting of the library, which looks before options are read. */
static void take_timeline(char **argv) {
    static const char option[] = "--timeline";
    size_t n = sizeof option - 1;
    for (int i = 1; argv[i] != NULL; i++) {
        const char *file = strcmp(argv[i], option) == 0 ? argv[i + 1] : NULL;
        if (strncmp(argv[i], option, n) == 0 && argv[i][n] == '=')
            file = argv[i] + n + 1;
        if (file != NULL)
            setenv("BINE_TIMELINE", file, 1);
    }
}

/* The rank as launchers tell it to their processes; NULL if there is no launcher. */
static const char *rank_by_launcher(void) {
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMI_RANK",       "PMIX_RANK",   "PALS_RANKID", "MPIRUN_RANK",
        "MV2_COMM_WORLD_RANK",  "FLUX_TASK_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            return getenv(names[i]);
    return NULL;
}

/* The next size above `bytes` that differs from it; -1 for the first. -1: there is none. */
static int64_t next_size(const struct bench_wish *w, const struct bench_collective *c, int p,
                         int64_t *wanted, int64_t bytes) {
    int64_t size;
    do {
        *wanted = *wanted == 0 ? w->least : *wanted * w->step;
        size = bench_size(c, &w->type, p, *wanted);
    } while (*wanted <= w->most && size == bytes);
    return *wanted > w->most ? -1 : size;
}

static int count_sizes(const struct bench_wish *w, const struct bench_collective *c, int p) {
    int64_t wanted = 0, size = -1;
    int n = 0;
    while ((size = next_size(w, c, p, &wanted, size)) >= 0)
        n++;
    return n;
}

/* What a cell may take: its own limit, and its share of what is left of the whole. */
static double budget_of(const struct bench_wish *w, const struct bench_world *world,
                        int cells_left) {
    double budget = w->budget;
    if (w->total > 0) {
        double share =
            (w->total - (bench_now() - world->begin)) / (cells_left > 0 ? cells_left : 1);
        share = share > 1e-3 ? share : 1e-3;
        budget = budget > 0 && budget < share ? budget : share;
    }
    return budget;
}

struct bench {
    struct bench_wish w;
    struct bench_world world;
    struct bench_output *output; /* on rank 0 */
    int cells, done, wrong;
};

static int run_cell(struct bench *b, const struct bench_collective *c, struct bench_entries *all,
                    int64_t bytes) {
    struct bench_call call = {.wish = &b->w, .world = &b->world, .collective = c, .bytes = bytes};
    struct bench_cell cell = {.call = &call, .entries = all, .output = b->output};
    int mine = bench_call_begin(&call) == 0, good;
    MPI_Allreduce(&mine, &good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    cell.budget = budget_of(&b->w, &b->world, b->cells - b->done);
    int rc = good && bench_measure(&cell) == 0 ? 0 : bine_complain("out of memory at this size");
    if (rc == 0 && b->output != NULL)
        bench_output_cell(b->output, &cell);
    b->wrong += cell.wrong;
    b->done++;
    bench_call_end(&call);
    return rc;
}

/* Rank 0 looks at the clock. When time is up, the rest is left out and the run ends. */
static int time_is_up(struct bench *b) {
    int up = b->w.total > 0 && bench_now() - b->world.begin > b->w.total;
    MPI_Bcast(&up, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return up;
}

static int run_collective(struct bench *b, const struct bench_collective *c) {
    struct bench_entries all;
    int64_t wanted = 0, size = -1;
    if (time_is_up(b))
        return 0;
    int rc = bench_entries_list(&all, &b->w, c, &b->world);
    if (rc == 0)
        rc = bench_entries_open(&all, c);
    if (rc == 0 && all.count > 0) {
        if (b->output != NULL)
            bench_output_section(b->output, c);
        while (rc == 0 && (size = next_size(&b->w, c, b->world.p, &wanted, size)) >= 0 &&
               !time_is_up(b))
            rc = run_cell(b, c, &all, size);
    }
    bench_entries_free(&all);
    return rc;
}

/* What will be measured: finds mistakes before a file is touched, and counts the cells. */
static int plan(struct bench *b) {
    int rc = 0;
    for (int i = 0; i < b->w.collectives && rc == 0; i++) {
        const struct bench_collective *c = b->w.collective[i];
        struct bench_entries all;
        char name[BENCH_NAME];
        rc = bench_entries_list(&all, &b->w, c, &b->world);
        for (int k = 0; k < all.count && rc == 0 && b->w.list && bench_is_speaker; k++)
            printf("%s %s\n", bench_collective_name(&b->w, c, name), all.entry[k].name);
        b->cells += all.count > 0 ? count_sizes(&b->w, c, b->world.p) : 0;
        bench_entries_free(&all);
    }
    return rc != 0 || b->cells > 0 ? rc
                                   : bine_complain("-a %s: nothing to measure", b->w.algorithms);
}

/* Rank 0 opens the files; all ranks learn whether that went well. */
static int open_output(struct bench *b) {
    int good = 1;
    if (b->world.rank == 0) {
        good = b->w.uplinks == NULL || bench_uplinks_open() == 0;
        b->output = good ? bench_output_begin(&b->w, &b->world, b->cells) : NULL;
        good = b->output != NULL;
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return good ? 0 : BINE_EXIT_USAGE;
}

static int run(struct bench *b, int argc, char **argv) {
    int rc = bench_wish_read(&b->w, argc, argv);
    rc = rc != 0 ? rc : bench_wish_fits(&b->w, &b->world);
    rc = rc != 0 || b->w.list ? rc : bench_device_begin(&b->w);
    if (rc == 0 && b->w.calibrate != NULL)
        return bench_calibrate(&b->w, &b->world);
    rc = rc != 0 ? rc : plan(b);
    if (rc != 0 || b->w.list)
        return rc;
    rc = open_output(b);
    for (int i = 0; i < b->w.collectives && rc == 0; i++)
        rc = run_collective(b, b->w.collective[i]);
    if (b->output != NULL) {
        int end = bench_output_end(b->output);
        rc = rc != 0 ? rc : end;
    }
    if (rc == 0 && b->wrong > 0 && bench_is_speaker)
        fprintf(stderr,
                "bine-bench: %d measurements with WRONG results: no times were written for "
                "them\n",
                b->wrong);
    return rc != 0 ? rc : b->wrong > 0 ? BINE_EXIT_FAILED : 0;
}

int main(int argc, char **argv) {
    static struct bench b;
    const char *rank = rank_by_launcher();               /* Open MPI sets it itself in MPI_Init */
    bench_speak(rank == NULL || strcmp(rank, "0") == 0); /* of many, the first rank speaks */
    if (has_word(argv, "--help", 0) || has_word(argv, "-h", 0) || has_word(argv, "--version", 0)) {
        bench_wish_read(&b.w, argc, argv);
        return 0;
    }
    if (bench_is_speaker)
        bench_watch_begin();
    bench_library_begin(has_word(argv, "mpi:", 1));
    take_timeline(argv);
    MPI_Init(&argc, &argv);
    bench_world_begin(&b.world);
    bench_speak(b.world.rank == 0);
    int rc = rank == NULL && b.world.p == 1
                 ? bine_complain("one rank, and no launcher: expected 'mpirun -n N bine-bench ...'")
                 : run(&b, argc, argv);
    fflush(stdout);
    bench_world_end(&b.world);
    MPI_Barrier(MPI_COMM_WORLD);
    bench_library_end();
    MPI_Finalize();
    return rc;
}
