/* bine draw machine: the machine and the job's ranks on it. */
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/hosts_option.h"
#include "cli/options/machines.h"
#include "cli/options/place.h"
#include "draw/machine_map.h"

#include <errno.h>
#include <string.h>

static const char help[] =
    "usage: bine draw machine --machine M --hosts H [-o FILE]\n\n"
    "The machine and the job's ranks on it, by group, switch and node: only groups with ranks are\n"
    "drawn; a dot is a node that the job does not have.\n\n"
    "options:\n"
    "  --machine M         a machine or its file, Slurm's topology.conf among them\n"
    "  --hosts H           the hosts of the ranks, a file or a list, as in n[1-4]*2\n"
    "  --ranks-per-node K  ranks on each host (default 1, or as the hosts say)\n"
    "  -o, --output FILE   .svg, .png, .pdf or .txt by the file's ending; otherwise the terminal\n"
    "  --help              this page\n\n"
    "examples:\n"
    "  bine draw machine --machine leonardo --hosts 'lrdn[0170-0189]*4' -o job.svg\n"
    "  bine draw machine --machine /etc/slurm/topology.conf --hosts hosts.txt\n";

struct wish {
    const char *machine, *hosts, *file;
    int per_node;
};

/* The level above the leaves, where there are several switches at it. */
static struct bine_machine *load_upper(const struct wish *w, const struct bine_machine *m) {
    struct bine_machine *upper = m->levels > 1 ? bine_machine_load(w->machine, 2) : NULL;
    if (upper != NULL && bine_machine_groups(upper) < 2) {
        bine_machine_free(upper);
        upper = NULL;
    }
    return upper;
}

static int read_hosts(const struct wish *w, const struct bine_machine *m, struct bine_hosts *h) {
    struct bine_reason why;
    int rc = m->topology == BINE_ADDRESSES ? bine_word_addresses(w->hosts, h)
                                           : bine_word_hosts(w->hosts, h);
    if (rc == 0 && w->per_node > 0 && bine_hosts_fill(h, w->per_node, BINE_HOSTS_MOST, &why) != 0)
        rc = bine_complain("%s", why.text);
    if (rc == 0 && h->names.count > BINE_MAP_NODES)
        rc = bine_complain("%d nodes: a drawing takes at most %d", h->names.count, BINE_MAP_NODES);
    return rc;
}

static int show(const struct bine_map *map, const char *file) {
    if (file == NULL) {
        bine_map_text(map, stdout);
        return 0;
    }
    int failed = bine_map_save(map, file);
    if (failed == -2)
        return bine_complain("%s: expected a name ending in .svg, .png, .pdf or .txt",
                             bine_file_shown(file));
    return failed != 0 ? bine_complain("cannot write %s: %s", file, strerror(errno)) : 0;
}

static int draw(const struct wish *w) {
    struct bine_machine *m = bine_machine_load(w->machine, 1), *upper = NULL;
    struct bine_hosts h = {0};
    struct bine_map map = {0};
    struct bine_reason why;
    int rc = m == NULL ? BINE_EXIT_USAGE : read_hosts(w, m, &h);
    if (rc == 0) {
        upper = load_upper(w, m);
        rc = bine_map_make(&map, m, upper, &h, &why) != 0 ? bine_complain("%s", why.text)
                                                          : show(&map, w->file);
    }
    bine_map_free(&map);
    bine_hosts_free(&h);
    bine_machine_free(upper);
    bine_machine_free(m);
    return rc;
}

int bine_command_draw_machine(int argc, char **argv) {
    struct wish w = {0};
    const struct bine_option rows[] = {
        BINE_HOST_OPTIONS(&w),
        {.name = "output", .letter = 'o', .read = bine_take_word, .to = &w.file},
        {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 1, 1, "machine --machine M --hosts H") != 0)
        return BINE_EXIT_USAGE;
    if (w.machine == NULL || w.hosts == NULL)
        return bine_complain("missing --%s: expected 'bine draw machine --machine M --hosts H'",
                             w.machine == NULL ? "machine" : "hosts");
    return draw(&w);
}
