/* bine: one table of subcommands; each lives in a file of its own. */
#include "base/words.h"
#include "cli/command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} subcommands[] = {
    {"try", bine_command_try, "run a program without and with Bine: does it help?"},
    {"profile", bine_command_profile, "what a program's collectives took, from BINE_PROFILE"},
    {"timeline", bine_command_timeline, "steps of calls as they ran, from BINE_TIMELINE"},
    {"list", bine_command_list, "every algorithm of every collective"},
    {"show", bine_command_show, "a schedule, step by step"},
    {"draw", bine_command_draw, "a picture of a tree, a butterfly or a schedule"},
    {"check", bine_command_check, "prove schedules, all ranks together"},
    {"distance", bine_command_distance, "how far the bytes travel, over binomial trees"},
    {"traffic", bine_command_traffic, "bytes between groups of a network, for one job or many"},
    {"predict", bine_command_predict, "how long each algorithm would take on a network"},
    {"explore", bine_command_explore, "a page for a browser: algorithms step by step"},
    {"simulate", bine_command_simulate, "the benchmark on a simulated machine"},
    {"report", bine_command_report, "tables and pictures from measurements"},
    {"tune", bine_command_tune, "rules from measurements"},
    {"export", bine_command_export, "schedules for other simulators and runtimes"},
    {"machines", bine_command_machines, "the machine descriptions that are known"},
    {"lab", bine_command_lab, "an emulated cluster on this computer, to run MPI programs on"},
    {"wisdom", bine_command_wisdom, "what programs have learnt: show, merge, forget"},
    {"choose", bine_command_choose, "which algorithm a call would get, and why"},
    {"info", bine_command_info, "the version, and every setting with its value and origin"},
    {"preload", bine_command_preload, "the path of the drop-in library for MPI programs"},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static int print_help(void) {
    printf("usage: bine COMMAND [ARGUMENT...]\n\n"
           "Collective operations on Bine trees: look at the algorithms, draw them, prove them.\n\n"
           "commands:\n");
    for (int i = 0; i < SUBCOMMANDS; i++)
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].help);
    printf("  %-10s %s\n\n", "help", "'bine help COMMAND' is 'bine COMMAND --help'");
    printf("options:\n"
           "  --help     this page\n"
           "  --version  the version\n\n"
           "exit code: 0 done and good, 1 a proof failed, 2 bad usage or bad input\n\n"
           "examples:\n"
           "  bine list allreduce\n"
           "  bine show bcast bine-small --ranks 8\n"
           "  bine draw tree --ranks 16\n"
           "  bine check --ranks 2-300 --random 200\n");
    return BINE_EXIT_GOOD;
}

static int print_version(void) {
    printf("bine %s\n", BINE_VERSION);
    return BINE_EXIT_GOOD;
}

static const struct subcommand *find_subcommand(const char *word) {
    const char *names[SUBCOMMANDS];
    for (int i = 0; i < SUBCOMMANDS; i++) {
        names[i] = subcommands[i].name;
        if (strcmp(word, names[i]) == 0)
            return &subcommands[i];
    }
    bine_complain_near(bine_nearest_word(word, names, SUBCOMMANDS),
                       "unknown command '%s': see 'bine --help'", word);
    return NULL;
}

static int print_help_of(int argc, char **argv) {
    static char dash_help[] = "--help";
    if (argc == 1)
        return print_help();
    if (argc > 2)
        return bine_complain("extra argument '%s': expected 'bine help COMMAND'", argv[2]);
    const struct subcommand *s = find_subcommand(argv[1]);
    char *words[] = {argv[1], dash_help, NULL};
    return s == NULL ? BINE_EXIT_USAGE : s->run(2, words);
}

static int run(int argc, char **argv) {
    if (argc < 2)
        return bine_complain("missing command: see 'bine --help'");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help();
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    if (strcmp(argv[1], "help") == 0)
        return print_help_of(argc - 1, argv + 1);
    if (argv[1][0] == '-')
        return bine_complain("unknown option %s: see 'bine --help'", argv[1]);
    const struct subcommand *s = find_subcommand(argv[1]);
    if (s == NULL)
        return BINE_EXIT_USAGE;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--version") == 0)
            return print_version();
    return s->run(argc - 1, argv + 1);
}

static void carry_on(int number) {
    (void)number;
}

/* Catch the signal for files that exceed the limit, so that writing fails with an error instead.
 * Ignoring it would make programs that are started here ignore it, too. */
static void outlive_large_files(void) {
    struct sigaction action = {.sa_handler = carry_on, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &action, NULL);
}

int main(int argc, char **argv) {
    outlive_large_files();
    int rc = run(argc, argv);
    int broken = ferror(stdout);
    /* Only closing tells whether everything has arrived, on a full disk for example. */
    if ((fclose(stdout) != 0 || broken) && rc != BINE_EXIT_USAGE)
        return bine_complain("cannot write to standard output");
    return rc;
}
