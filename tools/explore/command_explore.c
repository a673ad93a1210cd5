/* bine explore: the page that shows algorithms in a browser, opened at what is asked for. */
#include "base/files.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/machines.h"
#include "cli/output/output_file.h"
#include "explore/explore_options.h"
#include "explore/explore_recorded.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: bine explore [COLLECTIVE [ALGORITHM]] [options] [-o FILE.html]\n"
    "       bine explore --timeline TRACE --call N [options] [-o FILE.html]\n\n"
    "Writes one page for a browser: ranks, messages, what every rank holds, step by step, two\n"
    "algorithms side by side; the proof, the bytes between groups and the model's times. The core\n"
    "of the library is compiled into it: it needs no server and no network. Everything can be\n"
    "changed in the page; the options say what it opens with.\n\n"
    "options:\n"
    "  --against A     the algorithm beside it (unless told: a binomial one), or none\n"
    "  --ranks P       number of ranks, at most 1024\n"
    "  --groups G      the groups of the ranks: sizes, as in 5,5,6, or a file with a name for "
    "each\n"
    "                  rank\n"
    "  --machine M, --hosts H, --ranks-per-node K\n"
    "                  a machine or its file, and the hosts of the ranks on it, a file or a list\n"
    "  --dims D        the torus of the ranks, row-major, as in 4x4\n"
    "  --ports N       of a torus algorithm: parts of the vector that travel at once\n"
    "  --segments N    of a pipelined algorithm (default 4)\n"
    "  --root R        the root (default 0)\n"
    "  --layout L      blocks, pack, permute or send (default: the one that would be taken)\n"
    "  --bytes N       of the vector (default 1M)\n"
    "  --block B       the block that is followed\n"
    "  --negabinary    the paper's names of the ranks; powers of two\n"
    "  --view V        ring (default), tree, butterfly, torus or time\n"
    "  --timeline T, --call N\n"
    "                  beside the model, a call as it ran: number N of the trace T that\n"
    "                  BINE_TIMELINE made, on the --machine and --hosts that it ran on\n"
    "  -o, --output F  the file (default explorer.html)\n"
    "  --help          this page\n\n"
    "examples:\n"
    "  bine explore\n"
    "  bine explore bcast bine-small --against binomial-far --ranks 16 --view tree -o tree.html\n"
    "  bine explore allreduce bine-group --machine leonardo --hosts 'lrdn[0170-0201]'\n";

/* The mark in the page where what it opens with is put. */
static const char mark[] = "type=\"application/json\">{}</script>";
enum { MARK_BEFORE = sizeof "type=\"application/json\">" - 1 };

static const char *const view_names[] = {"ring", "tree", "butterfly", "torus", "time"};

static int check_view(const char *word) {
    for (size_t i = 0; word != NULL && i < sizeof view_names / sizeof *view_names; i++)
        if (strcmp(word, view_names[i]) == 0)
            return 0;
    return word == NULL ? 0
                        : bine_complain("unknown view '%s': expected ring, tree, butterfly, torus "
                                        "or time",
                                        word);
}

/* The page is checked before it is written: what it opens with can be shown. Of a collective that
 * is named alone it is told the algorithm, too. */
static int check_options(struct bine_explore_options *o) {
    struct bine_explore_options other = *o;
    struct bine_explore_spec x;
    int rc = check_view(o->view);
    if (rc == 0) {
        rc = bine_explore_ask(o, o->algorithm, &x);
        long block = 0;
        if (rc == 0 && o->block != NULL)
            rc = bine_word_number("block", o->block, 0, BINE_PIECES_MOST, &block);
        if (rc == 0 && o->collective != NULL)
            o->algorithm = x.request.algorithm->name;
        bine_explore_free(&x);
    }
    other.schedule.layout = NULL;
    if (rc == 0 && o->against != NULL && strcmp(o->against, "none") != 0) {
        rc = bine_explore_ask(&other, o->against, &x);
        bine_explore_free(&x);
    }
    return rc;
}

static int add(cJSON *to, const char *name, const char *word) {
    return word == NULL || cJSON_AddStringToObject(to, name, word) != NULL ? 0 : -1;
}

/* A word that may name a file: the page gets what is in it. */
static int add_contents(cJSON *to, const char *name, const char *word) {
    size_t size;
    if (word == NULL || !bine_file_is_regular(word))
        return add(to, name, word);
    char *text = bine_file_read(word, &size);
    int rc = text == NULL ? -1 : add(to, name, text);
    free(text);
    return rc;
}

static int add_machine(cJSON *to, const char *word) {
    char *path = word == NULL ? NULL : bine_machine_path(word);
    int rc = path != NULL ? add(to, "machine", word) : add_contents(to, "machine", word);
    free(path);
    return rc;
}

static int fill(cJSON *to, const struct bine_explore_options *o) {
    const struct bine_place_words *where = &o->schedule.where;
    char number[16];
    snprintf(number, sizeof number, "%d", where->per_node);
    int placed = where->ranks != NULL || where->groups != NULL || where->dims != NULL ||
                 where->machine != NULL;
    /* What the page has of its own if nothing is said. */
    int rc = placed && where->groups == NULL ? add(to, "groups", "") : 0;
    rc |= add(to, "collective", o->collective) | add(to, "algorithm", o->algorithm) |
          add(to, "against", o->against) | add(to, "ranks", where->ranks) |
          add_contents(to, "groups", where->groups) | add(to, "dims", where->dims) |
          add_machine(to, where->machine) | add_contents(to, "hosts", where->hosts) |
          add(to, "perNode", where->per_node > 0 ? number : NULL) |
          add(to, "ports", o->schedule.ports) | add(to, "segments", o->schedule.segments) |
          add(to, "root", o->schedule.root) | add(to, "layout", o->schedule.layout) |
          add(to, "bytes", o->bytes) | add(to, "block", o->block) |
          add(to, "negabinary", o->negabinary ? "yes" : NULL) | add(to, "view", o->view);
    return rc;
}

/* As JSON that can stand in a page: "<" could end the script that it is in. To be freed; NULL when
 * out of memory. */
static char *opening_of(const struct bine_explore_options *o,
                        const struct bine_explore_recorded *r) {
    cJSON *json = cJSON_CreateObject();
    int rc = json == NULL ? -1 : fill(json, o);
    if (rc == 0 && r->call != NULL)
        rc = bine_explore_recorded_add(json, r);
    char *text = rc != 0 ? NULL : cJSON_PrintUnformatted(json);
    char *safe = text == NULL ? NULL : malloc(6 * strlen(text) + 1), *at = safe;
    for (const char *c = text; safe != NULL && *c != '\0'; c++)
        if (*c == '<')
            at += sprintf(at, "\\u003c");
        else
            *at++ = *c;
    if (safe != NULL)
        *at = '\0';
    cJSON_free(text);
    cJSON_Delete(json);
    return safe;
}

/* Beside the program, or where it is installed. */
static int find_page(char path[BINE_PATH_ROOM]) {
    static const char *const places[] = {"explorer.html", "../share/bine/explorer.html"};
    char program[BINE_PATH_ROOM];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    for (size_t i = 0; slash != NULL && i < sizeof places / sizeof *places; i++) {
        int length =
            snprintf(path, BINE_PATH_ROOM, "%.*s/%s", (int)(slash - program), program, places[i]);
        if (length > 0 && length < BINE_PATH_ROOM && bine_file_is_regular(path))
            return 0;
    }
    return bine_complain("explore: the page explorer.html is not beside the program or in "
                         "share/bine: build it with 'make explorer', which needs emscripten");
}

static int write_page(const char *page, size_t size, const char *opening, const char *file) {
    const char *at = strstr(page, mark);
    size_t length = strlen(opening), before = at == NULL ? 0 : (size_t)(at - page) + MARK_BEFORE;
    char *text = malloc(size + length);
    if (at == NULL || text == NULL) {
        free(text);
        return at == NULL ? bine_complain("explorer.html is not the page of this version")
                          : bine_complain("out of memory");
    }
    memcpy(text, page, before);
    memcpy(text + before, opening, length);
    memcpy(text + before + length, page + before + 2, size - before - 2);
    int error = bine_output_file_write(file, text, size + length - 2);
    free(text);
    if (error != 0)
        return bine_complain("cannot write %s: %s", bine_file_shown(file), strerror(error));
    printf("%s: open it in a browser\n", file);
    return BINE_EXIT_GOOD;
}

static int explore(struct bine_explore_options *o, const struct bine_explore_recorded *r) {
    char path[BINE_PATH_ROOM];
    size_t size;
    int rc = BINE_EXIT_USAGE;
    if (check_options(o) != 0 || find_page(path) != 0)
        return BINE_EXIT_USAGE;
    char *page = bine_file_read(path, &size), *opening = page == NULL ? NULL : opening_of(o, r);
    if (page != NULL && opening == NULL)
        rc = bine_complain("out of memory");
    else if (page != NULL)
        rc = write_page(page, size, opening, o->file != NULL ? o->file : "explorer.html");
    free(page);
    free(opening);
    return rc;
}

int bine_command_explore(int argc, char **argv) {
    struct bine_explore_options o = {.call = -1};
    struct bine_explore_recorded recorded = {.call = NULL};
    int rc = bine_explore_read(argc, argv, &o);
    if (rc == BINE_OPTIONS_HELP)
        return bine_options_help(help);
    if (rc == 0 && (o.timeline != NULL) != (o.call >= 0))
        rc = bine_complain("--timeline and --call: expected both or neither");
    if (rc == 0 && o.timeline != NULL)
        rc = bine_explore_recorded_read(&recorded, &o);
    if (rc == 0)
        rc = explore(&o, &recorded);
    bine_explore_recorded_free(&recorded);
    return rc;
}
