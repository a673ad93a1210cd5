/* bine try: does Bine help this program here? */
#include "try/try.h"

#include "cli/command.h"
#include "cli/options/option_table.h"
#include "cli/program_file.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: bine try [OPTION...] -- LAUNCHER... PROGRAM...\n\n"
    "Runs a program without and with Bine, in turn, and says in five lines whether Bine helps:\n"
    "times, how many times as fast, the share of the run in collectives, which calls made the\n"
    "difference, and whether the output is the same. The program runs several times, in the "
    "current\n"
    "folder, and may overwrite its files: --scratch gives each run a folder.\n\n"
    "The launcher may be Open MPI's mpirun, MPICH's mpiexec, srun or bine lab run, or a script or\n"
    "a wrapper that starts one of these; Bine's library gets into the ranks alone. A program's "
    "own\n"
    "LD_PRELOAD stays. Standard input is stored, and every run reads it; a terminal gives none.\n"
    "What the program prints is kept for the comparison, and shown where it fails.\n\n"
    "After a warm-up of each side come runs in the order without, with, with, without, until the\n"
    "95 % interval of the ratio is within 2 % or the time is up; one pair is always run. Calls "
    "are\n"
    "counted in the warm-ups and in two more runs at the end, not in timed ones, unless a run\n"
    "takes an eighth of the time or more.\n\n"
    "options:\n"
    "  --runs N          so many timed runs of each side, however long they take\n"
    "  --time S          seconds in all, about (600)\n"
    "  --compare         output that differs is a failure: exit code 1\n"
    "  --compare-file F  compare a file that the program writes, too; may be repeated\n"
    "  --tolerance X     numbers that differ relatively by so much are the same (1e-9); this is "
    "said\n"
    "  --scratch DIR     each run works in a folder of its own in DIR, a copy of the current one\n"
    "                    (1 GiB at most); the folders stay\n"
    "  --null            without Bine on both sides: what noise looks like\n"
    "  --report F.html   a page with all runs and calls\n"
    "  --json            print the result as JSON\n"
    "  --help            this page\n\n"
    "exit code: the program's, 0 if all runs were good; 99 if it fails only with Bine; 1 if\n"
    "--compare finds a difference, or Bine did not get into the program; 2 bad usage; 130 after "
    "^C,\nwhen results so far are printed\n\n"
    "examples:\n"
    "  bine try -- mpirun -n 8 ./program input.txt\n"
    "  bine try --compare --report page.html -- srun -n 64 ./program < input.txt\n"
    "  bine try --null --runs 5 -- mpiexec -n 4 ./program\n";

static int take_file(const struct bine_option *o, const char *word) {
    struct bine_try_wish *w = o->to;
    if (w->files == BINE_TRY_FILES)
        return bine_complain("--compare-file: expected at most %d files", BINE_TRY_FILES);
    w->file[w->files++] = word;
    w->compare = 1;
    return 0;
}

static int take_tolerance(const struct bine_option *o, const char *word) {
    char *end;
    double x = strtod(word, &end);
    if (end == word || *end != '\0' || !(x >= 0 && x < 1))
        return bine_complain("--tolerance '%s': expected a number from 0 to 1, as 1e-9", word);
    *(double *)o->to = x;
    return 0;
}

static int gather(const struct bine_try *t, struct bine_try_result *r) {
    int rc = bine_try_calls(t, &r->calls);
    bine_try_times(t, &r->times);
    for (int k = -1; k < t->wish.files && rc == 0; k++)
        rc = bine_try_compare(t, k, &r->output[r->outputs++]);
    return rc;
}

static int differs(const struct bine_try_result *r) {
    for (int i = 0; i < r->outputs; i++)
        if (r->output[i].wrong > 0 || r->output[i].missing)
            return 1;
    return 0;
}

static int tell(const struct bine_try *t) {
    struct bine_try_result r = {0};
    int rc = gather(t, &r);
    if (rc == 0 && t->wish.json)
        rc = bine_try_print_json(t, &r);
    else if (rc == 0)
        bine_try_print(t, &r);
    if (rc == 0 && t->wish.page != NULL)
        rc = bine_try_write_page(t, &r);
    if (rc == 0 && (!bine_try_was_loaded(t, &r.calls) || (t->wish.compare && differs(&r))))
        rc = BINE_EXIT_FAILED;
    bine_try_calls_free(&r.calls);
    return rc;
}

static void warn(const struct bine_try *t) {
    fprintf(stderr, "bine: the program runs several times%s\n",
            t->wish.scratch != NULL ? ", each in a folder of its own"
                                    : " in this folder and may overwrite its files (--scratch)");
}

/* Ends as the signal would have ended it. */
static void end_by(int number) {
    fflush(stdout);
    signal(number, SIG_DFL);
    raise(number);
}

static int has_pair(const struct bine_try *t) {
    struct bine_try_times x;
    bine_try_times(t, &x);
    return x.pairs > 0;
}

static int try_it(struct bine_try *t) {
    char file[BINE_PROGRAM_FILE];
    const char *off = getenv("BINE_OFF");
    if (bine_program_file(t->wish.command[0], file) != 0)
        return bine_complain("'%s' was not found, or cannot be run", t->wish.command[0]);
    if (off != NULL && *off != '\0' && strcmp(off, "0") != 0 && !t->wish.null)
        return bine_complain("BINE_OFF=%s: both sides would run without Bine: unset it, or use "
                             "--null",
                             off);
    t->launcher = bine_launcher_of(t->wish.command);
    int rc = t->wish.page != NULL ? bine_try_page_check(t) : 0;
    if (rc == 0 && t->wish.scratch != NULL)
        rc = bine_try_scratch_check(t);
    rc = rc != 0 ? rc : bine_try_open(t);
    if (rc == 0) {
        warn(t);
        rc = bine_try_all(t);
        if (t->signal != 0)
            fprintf(stderr, "bine: interrupted in run %zu\n", t->runs);
        if (rc == 0 || (t->signal != 0 && has_pair(t))) {
            int told = tell(t);
            rc = rc != 0 ? rc : told;
        }
    }
    int number = t->signal;
    bine_try_close(t);
    if (number != 0)
        end_by(number);
    return rc;
}

/* The options of a launcher are not for bine try. */
static int lacks_dashes(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (bine_launcher_is_called(argv[i]))
            return bine_complain("'%s': expected '--' in front of the launcher: bine try -- %s ...",
                                 argv[i], argv[i]);
    return 0;
}

int bine_command_try(int argc, char **argv) {
    struct bine_try t = {.wish = {.time = 600, .tolerance = 1e-9}};
    struct bine_try_wish *w = &t.wish;
    int launch = 0;
    const struct bine_option rows[] = {
        {.name = "runs", .read = bine_take_int, .to = &w->runs, .low = 1, .high = 10000},
        {.name = "time", .read = bine_take_int, .to = &w->time, .low = 1, .high = 1000000},
        {.name = "compare", .read = bine_take_flag, .to = &w->compare},
        {.name = "compare-file", .read = take_file, .to = w},
        {.name = "tolerance", .read = take_tolerance, .to = &w->tolerance},
        {.name = "scratch", .read = bine_take_word, .to = &w->scratch},
        {.name = "null", .read = bine_take_flag, .to = &w->null},
        {.name = "report", .read = bine_take_word, .to = &w->page},
        {.name = "json", .read = bine_take_flag, .to = &w->json},
        {.name = "launch", .read = bine_take_flag, .to = &launch}, /* scripts of launcher.c */
        {0}};
    int rc = lacks_dashes(argc, argv);
    rc = rc != 0 ? rc : bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (launch)
        return bine_launch_from_shim(argc - optind, argv + optind);
    if (bine_arguments_count(argc, argv, 1, argc, "[OPTION...] -- LAUNCHER... PROGRAM...") != 0)
        return BINE_EXIT_USAGE;
    if (strcmp(argv[optind - 1], "--") != 0)
        return bine_complain("'%s': expected '--' in front of the launcher: bine try -- mpirun ...",
                             argv[optind]);
    w->command = argv + optind;
    return try_it(&t);
}
