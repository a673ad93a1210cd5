/* bine profile: what BINE_PROFILE recorded of a program; or two of them compared. */
#include "cli/command.h"
#include "cli/options/option_table.h"
#include "profile/profile.h"

static const char help[] =
    "usage: bine profile FILE|FOLDER [FILE2] [OPTION...]\n\n"
    "What a program's collectives took, of all ranks, as recorded by running it with\n"
    "BINE_PROFILE=FILE (docs/profile.md). Of a program that was killed, FILE.parts is read:\n"
    "what its ranks had recorded until then. Two profiles are compared call by call.\n\n"
    "options:\n"
    "  --html PAGE   write a page: what took longest, waiting and moving, sizes, the run in time\n"
    "  --rows N      of the table as text, at most (default 10; 0: all)\n"
    "  --format F    text (default), csv or json: all rows\n"
    "  --help        this page\n\n"
    "columns: ranks of the communicators, form (b blocking, n nonblocking, p persistent: of the\n"
    "last two, the time in the call that starts it), bytes of a call as `bine predict --bytes`\n"
    "has them, calls and seconds of the mean rank, seconds of the slowest, share of the run,\n"
    "imbalance (slowest over mean of the ranks with such calls), how much of the time ranks\n"
    "waited for the last to arrive (from samples; empty: not known), and who made most of it:\n"
    "mpi or an algorithm\n\n"
    "examples:\n"
    "  mpirun -n 8 env LD_PRELOAD=$(bine preload) BINE_PROFILE=prof.json ./program\n"
    "  bine profile prof.json --html prof.html\n"
    "  bine profile without.json with.json\n";

static int load(const char *path, struct bine_profile_view *v) {
    v->name = path;
    int rc = bine_profile_read(path, &v->profile);
    return rc == 0 ? bine_profile_calls(&v->profile, &v->calls) : rc;
}

static int run(char **file, int files, const struct bine_profile_options *o) {
    struct bine_profile_view v[2] = {{0}};
    int rc = 0;
    for (int i = 0; i < files && rc == 0; i++)
        rc = load(file[i], &v[i]);
    if (rc == 0 && files == 2)
        bine_profile_calls_join(&v[0].calls, &v[1].calls);
    if (rc == 0 && o->page != NULL)
        rc = bine_profile_write_page(&v[0], o->page);
    else if (rc == 0)
        rc = files == 2 ? bine_profile_print_both(v, o) : bine_profile_print(&v[0], o);
    for (int i = 0; i < files; i++) {
        bine_profile_calls_free(&v[i].calls);
        bine_profile_free(&v[i].profile);
    }
    return rc;
}

int bine_command_profile(int argc, char **argv) {
    struct bine_profile_options o = {.rows = 10};
    const struct bine_option rows[] = {
        {"html", 0, bine_take_word, &o.page, 0, 0, NULL},
        {"rows", 0, bine_take_int, &o.rows, 0, 1000000, NULL},
        {"format", 0, bine_take_format, &o.format, 0, 0, NULL},
        {0},
    };
    int rc = bine_options_read(argc, argv, rows);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 1, 2, "FILE [FILE2]");
    if (rc == 0 && o.page != NULL && argc - optind == 2)
        rc = bine_complain("--html: for one profile, and there are two");
    return rc == 0 ? run(argv + optind, argc - optind, &o) : rc;
}
