/* bine timeline: the calls of a program that BINE_TIMELINE recorded, beside the model. */
#include "cli/command.h"
#include "cli/options/option_table.h"
#include "timeline/timeline.h"

#include <limits.h>
#include <stdio.h>

static const char help[] =
    "usage: bine timeline FILE|FOLDER [OPTION...]\n\n"
    "The calls that a program made while BINE_TIMELINE=FILE was set, all ranks on one clock\n"
    "(docs/timeline.md). FILE itself is a trace: open it with ui.perfetto.dev or\n"
    "chrome://tracing. Of a program that was killed, FILE.parts is read.\n\n"
    "options:\n"
    "  --call N         the steps of one call\n"
    "  --machine M, --hosts H, --ranks-per-node K\n"
    "                   the network that the program ran on, and the hosts of its ranks: what the\n"
    "                   model says of each call, and of each step\n"
    "  -o, --output F   write the trace to F: of a killed program\n"
    "  --format F       text (default), csv or json\n"
    "  --help           this page\n\n"
    "columns of calls: nth: which of its kind; f: form (b blocking, n nonblocking, p persistent);\n"
    "time: from when the last rank came to when the last one left; late: how long before the last\n"
    "rank the first had come; wait, work: of the mean rank, waiting for messages or boards, and\n"
    "copying and adding up. Of steps: through: when the last rank was through; arrived: when the\n"
    "last message was found; lost: how much longer the step took than by the model\n\n"
    "examples:\n"
    "  mpirun -n 8 env LD_PRELOAD=$(bine preload) BINE_TIMELINE=t.json ./program\n"
    "  bine timeline t.json\n"
    "  bine timeline t.json --machine site.machine --hosts 'n[1-8]' --call 12\n";

int bine_command_timeline(int argc, char **argv) {
    struct bine_timeline_options o = {.call = -1};
    struct bine_timeline t;
    const struct bine_option rows[] = {
        BINE_HOST_OPTIONS(&o.where),
        {.name = "call", .read = bine_take_int, .to = &o.call, .low = 0, .high = INT_MAX},
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &o.output},
        {.name = "format", .read = bine_take_format, .to = &o.format},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 1, 1, "FILE");
    if (rc != 0)
        return rc;
    if (o.output != NULL) {
        rc = bine_timeline_merge(argv[optind], o.output);
        if (rc == 0)
            printf("%s: open it with ui.perfetto.dev or chrome://tracing\n", o.output);
        return rc;
    }
    rc = bine_timeline_read(argv[optind], &t);
    if (rc == 0)
        rc = bine_timeline_print(&t, &o);
    bine_timeline_free(&t);
    return rc;
}
