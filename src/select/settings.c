#include "select/settings.h"
#include "base/numbers.h"
#include "base/words.h"

#include "select/call_list.h"
#include "select/settings_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAMES "NAME, NAME:LAYOUT or mpi"
#define FLAG "0 or 1, or one of off, on, no, yes, false, true"
#define LAYOUTS "blocks, pack, permute or send"

/* One row for each collective, in their order; then one for each collective's layout. */
const struct bine_setting bine_setting_table[BINE_SETTINGS] = {
#define COLLECTIVE(NAME, WORD, ALSO, ...)                                                          \
    {"BINE_" #NAME, "", NAMES,                                                                     \
     "the algorithm of " WORD ALSO ", as `bine list` names it; empty: chosen for each call"},
#include "schedule/collectives.def"
#undef COLLECTIVE
#define COLLECTIVE(NAME, WORD, ALSO, ...)                                                          \
    {"BINE_" #NAME "_LAYOUT", "", LAYOUTS,                                                         \
     "the layout of " WORD ALSO "; empty: the algorithm's own"},
#include "schedule/collectives.def"
#undef COLLECTIVE
    {"BINE_SEGMENT", "256K", "bytes, or with K, M or G",
     "the parts in which reductions send large messages, so that adding up overlaps with "
     "receiving"},
    {"BINE_GROUPS", "", "sizes, a file or off",
     "the network groups of the ranks of MPI_COMM_WORLD: their sizes in rank order, as in 5,5,6, "
     "or (3,2),(4) in larger groups, or a file with the name of a group for each rank (group/node, "
     "if nodes are not to be told by their hosts), after those of the larger groups around it; "
     "empty: what BINE_MACHINE or Slurm says; off: not known"},
    {"BINE_MACHINE", "", "a machine or a file",
     "the machine description, as `bine machines` lists, that says which group a host is in, or "
     "where it is on a torus; empty: what Slurm says in SLURM_TOPOLOGY_ADDR"},
    {"BINE_MACHINES", "", "folders, with colons between them",
     "where to look for machine descriptions by their names, before those that come with Bine: "
     "NAME.machine is the machine NAME"},
    {"BINE_LEVEL", "all", "a number from 1 to 64, or all",
     "one level of groups alone: 1 the leaf switches of Slurm's topology, 2 the switches above "
     "them, and so on; for BINE_GROUPS, BINE_MACHINE and SLURM_TOPOLOGY_ADDR, as --level for `bine "
     "traffic`; all: every level that these tell of"},
    {"BINE_REORDER", "off", "off, hostname or group",
     "let algorithms that know nothing of groups run as if ranks were sorted by their hosts' "
     "names, "
     "or by group and node"},
    {"BINE_REPRODUCIBLE", "off", "off, run or placement",
     "reductions get the same bits: run: in every run of a program on a job of one shape (rules "
     "alone choose, nothing that is measured or learnt); placement: also wherever the ranks are "
     "(groups, nodes, boards, tori and BINE_REORDER do not count, and the drop-in library leaves "
     "no "
     "reduction to MPI that it can make)"},
    {"BINE_RULES", "", "a file", "rules that choose algorithms, before the built-in ones"},
    {"BINE_ALWAYS", "0", FLAG,
     "drop-in: 1 takes Bine's own choice for every call, also where MPI's own is not known to be "
     "slower"},
    {"BINE_NONBLOCKING", "1", FLAG,
     "drop-in: nonblocking and persistent calls are chosen for as blocking ones are; 0 leaves them "
     "all to MPI, whatever else is set"},
    {"BINE_CROWDED", "1", FLAG,
     "0: where a node has more ranks than cores for them, the drop-in library leaves calls to MPI, "
     "and Bine's own go by messages"},
    {"BINE_MODEL", "1", FLAG,
     "where several groups are known, or the machine's description says how fast its network is, "
     "the algorithm that is fastest by the model of `bine predict`, once a size comes again on a "
     "communicator: at every size where speeds are known, else from 4 KiB on; 0: the model is not "
     "asked"},
    {"BINE_LEARN", "1", FLAG,
     "drop-in, on several nodes, from 4 KiB on, unless you force an algorithm or a rule of yours "
     "chooses: calls that come again and again try a few algorithms, MPI's own and the model's "
     "among them, and keep the fastest; 0: rules and the model choose, so that every run adds up "
     "in the same order"},
    {"BINE_EFFORT", "measure", "estimate, measure or patient",
     "how much may be tried: estimate: nothing, as BINE_LEARN=0; measure: up to four algorithms "
     "for "
     "each kind of calls; patient: up to eight, and the model looks at more of them closely, eight "
     "times as long"},
    {"BINE_EFFORT_SECONDS", "", "seconds, as in 0.5 or 60",
     "the time for that in each process, all calls that try an algorithm and all answers of the "
     "model together: then calls go on with what is known; empty: no limit"},
    {"BINE_WISDOM", "", "a file",
     "what was learnt is taken from it and added to it at MPI_Finalize; it has the form of "
     "BINE_RULES, and need not be there yet"},
    {"BINE_WISDOM_READONLY", "0", FLAG,
     "1: the file of BINE_WISDOM is only read; what this program learns is not kept"},
    {"BINE_DIMS", "", "sizes, as in 4x4x8",
     "the torus that the ranks of a communicator of so many are on, row-major; otherwise that of a "
     "Cartesian communicator, or of the machine that BINE_MACHINE names"},
    {"BINE_PORTS", "1", "a number from 1 to 16",
     "torus algorithms: parts of the vector that travel at once, at most two for each dimension"},
    {"BINE_SHARED", "4M", "off, or bytes, also with K, M or G",
     "the most shared memory that a process takes for the boards on which ranks of a node find "
     "each other's data; off: messages only"},
    {"BINE_DEVICE", "1", FLAG,
     "1 lets the devices of a node make calls on vectors in their memory; 0: such vectors are "
     "copied to the host's memory and back"},
    {"BINE_DEVICE_POINTERS", "auto", "auto, or " FLAG,
     "whether the MPI library takes pointers to the memory of devices, so that vectors there need "
     "not be copied for it; auto: what it says of itself (MPIX_Query_cuda_support, "
     "MPIX_GPU_query_support)"},
    {"BINE_VERBOSE", "0", FLAG,
     "1 prints a line of facts at the first collective call, and at MPI_Finalize where the groups "
     "came from, which algorithms ran, how often, for how many bytes, how long (set it on all "
     "ranks) and why, and what was forwarded to MPI"},
    {"BINE_PROFILE", "", "a file",
     "record a profile of the program's collectives, all ranks, for `bine profile`; %j is the "
     "number of the batch job, %h the host of rank 0; also with BINE_OFF=1"},
    {"BINE_PROFILE_SITES", "0", FLAG,
     "1: the profile says which functions of the program made the calls"},
    {"BINE_PROFILE_NAMES", "0", FLAG, "1: the profile has the names of the hosts"},
    {"BINE_TIMELINE", "", "a file",
     "record steps, waits, messages and copies of some calls on all ranks, as a trace for "
     "Perfetto, "
     "chrome://tracing and `bine timeline`; %j and %h as in BINE_PROFILE"},
    {"BINE_TIMELINE_CALLS", "", "COLLECTIVE[:BYTES[-BYTES]][@N[-M]], with commas between",
     "the calls that BINE_TIMELINE records, as in allreduce:64K-1M@100-109; without numbers, and "
     "for all collectives if it is empty, the first, second, fourth, eighth ... of a kind"},
    {"BINE_OFF", "0", FLAG,
     "1 switches Bine off for good: every call is MPI's own, whatever else is set"},
    {"BINE_CONFIG", "", "a file", "settings, one NAME = VALUE a line (environment only)"},
};

/* Not settings of the library, but no mistakes. */
static const char *const others[] = {"BINE_UPLINKS"};

/* The row of a name, or -1. */
static int row_of(const char *name) {
    for (int k = 0; k < BINE_SETTINGS; k++)
        if (strcmp(name, bine_setting_table[k].name) == 0)
            return k;
    return -1;
}

/* A file cannot name the file. */
static int row_in_file(const char *name) {
    int k = row_of(name);
    return k != BINE_SETTING_CONFIG ? k : -1;
}

const char *bine_setting_value(int row, char origin[BINE_ORIGIN_TEXT]) {
    char text[BINE_ORIGIN_TEXT];
    const struct bine_setting *s = &bine_setting_table[row];
    const struct bine_conf *files = bine_conf_files(row_in_file);
    if (origin == NULL)
        origin = text;
    const char *v = getenv(s->name);
    if (v != NULL) {
        strcpy(origin, "environment");
        return v;
    }
    for (int i = 0; i < BINE_CONF_FILES; i++) {
        const struct bine_conf_line *x = bine_conf_find(&files[i], row);
        if (x != NULL) {
            snprintf(origin, BINE_ORIGIN_TEXT, "%s:%d", files[i].path, x->line);
            return x->value;
        }
    }
    strcpy(origin, "built in");
    return s->value;
}

int bine_setting_flag(int row, int *on) {
    static const char *const words[][2] = {
        {"0", "1"}, {"off", "on"}, {"no", "yes"}, {"false", "true"}};
    const char *v = bine_setting_value(row, NULL);
    *on = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int k = 0; k < 2; k++)
            if (strcasecmp(v, words[i][k]) == 0) {
                *on = k;
                return 0;
            }
    return *v == '\0' ? 0 : -1;
}

int bine_selection_parse(enum bine_collective c, const char *text, struct bine_selection *f,
                         char *why, size_t size) {
    char name[64];
    size_t n = strcspn(text, ":");
    f->algorithm = f->layout = -1;
    if (strcmp(text, "mpi") == 0) {
        f->algorithm = BINE_SELECTION_MPI;
        return 0;
    }
    if (n >= sizeof name) {
        snprintf(why, size, "%.40s...: not an algorithm of %s", text, bine_collective_name(c));
        return -1;
    }
    memcpy(name, text, n);
    name[n] = '\0';
    const struct bine_algorithm *a = bine_algorithm_find(c, name);
    if (a == NULL) {
        const char *near = bine_algorithm_suggest(c, name);
        snprintf(why, size, "%s: not an algorithm of %s%s%s%s", name, bine_collective_name(c),
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
        return -1;
    }
    if (text[n] == ':' && (f->layout = bine_layout_find(text + n + 1)) < 0) {
        snprintf(why, size, "%s: not a layout; expected " LAYOUTS, text + n + 1);
        return -1;
    }
    f->algorithm = (int32_t)(a - bine_catalogue);
    return 0;
}

/* "NAME=VALUE (ORIGIN): reason". */
static void complain_of(int row, const char *reason, bine_complaint *complain, void *context) {
    char origin[BINE_ORIGIN_TEXT], text[BINE_ORIGIN_TEXT + 800];
    const char *value = bine_setting_value(row, origin);
    snprintf(text, sizeof text, "%s=%.80s (%s): %s", bine_setting_table[row].name, value, origin,
             reason);
    complain(context, text);
}

static void read_forced(struct bine_settings *s, int c, bine_complaint *complain, void *context) {
    char why[160];
    const char *name = bine_setting_value(c, NULL),
               *layout = bine_setting_value(BINE_SETTING_LAYOUTS + c, NULL);
    struct bine_selection *f = &s->forced[c];
    *f = (struct bine_selection){BINE_SELECTION_NONE, -1};
    if (*name != '\0' &&
        bine_selection_parse((enum bine_collective)c, name, f, why, sizeof why) != 0) {
        complain_of(c, why, complain, context);
        *f = (struct bine_selection){BINE_SELECTION_NONE, -1};
    }
    if (*layout == '\0')
        return;
    f->layout = bine_layout_find(layout);
    if (f->layout < 0)
        complain_of(BINE_SETTING_LAYOUTS + c, "expected " LAYOUTS, complain, context);
}

static void read_torus(struct bine_settings *s, bine_complaint *complain, void *context) {
    const char *dims = bine_setting_value(BINE_SETTING_DIMS, NULL);
    const char *ports = bine_setting_value(BINE_SETTING_PORTS, NULL);
    int64_t n;
    if (*dims != '\0' && bine_shape_parse(dims, strlen(dims), &s->dims) != 0) {
        complain_of(BINE_SETTING_DIMS, "expected sizes, as in 4x4x8", complain, context);
        s->dims = (struct bine_shape){0};
    }
    s->ports = 1;
    if (bine_size_parse(ports, &n) != 0 || n < 1 || n > 2 * BINE_DIMS_MOST)
        complain_of(BINE_SETTING_PORTS, "expected a number from 1 to 16", complain, context);
    else
        s->ports = (int32_t)n;
}

/* Less than this has no room for one board. */
#define LEAST_SHARED (64 << 10)

static void read_shared(struct bine_settings *s, bine_complaint *complain, void *context) {
    const char *word = bine_setting_value(BINE_SETTING_SHARED, NULL);
    if (strcmp(word, "off") == 0)
        return;
    if (bine_size_parse(word, &s->shared) == 0 && s->shared >= LEAST_SHARED)
        return;
    complain_of(BINE_SETTING_SHARED, "expected off, or a size from 64K on", complain, context);
    bine_size_parse(bine_setting_table[BINE_SETTING_SHARED].value, &s->shared);
}

/* Which of the words a setting is; the first where it is none. */
static int read_word(int row, const char *const *words, int n, const char *expected,
                     bine_complaint *complain, void *context) {
    const char *word = bine_setting_value(row, NULL);
    for (int k = 0; k < n; k++)
        if (strcmp(word, words[k]) == 0)
            return k;
    complain_of(row, expected, complain, context);
    return 0;
}

static void read_reorder(struct bine_settings *s, bine_complaint *complain, void *context) {
    static const char *const words[BINE_REORDERINGS] = {"off", "hostname", "group"};
    s->reorder = read_word(BINE_SETTING_REORDER, words, BINE_REORDERINGS,
                           "expected off, hostname or group", complain, context);
}

static void read_reproducible(struct bine_settings *s, bine_complaint *complain, void *context) {
    static const char *const words[BINE_REPRODUCIBLES] = {"off", "run", "placement"};
    s->reproducible = read_word(BINE_SETTING_REPRODUCIBLE, words, BINE_REPRODUCIBLES,
                                "expected off, run or placement", complain, context);
    if (s->reproducible == BINE_REPRODUCIBLE_PLACEMENT)
        s->reorder = BINE_REORDERING_OFF;
}

static int parse_level(int *level) {
    int64_t n;
    const char *value = bine_setting_value(BINE_SETTING_LEVEL, NULL);
    *level = 0;
    if (strcmp(value, "all") == 0)
        return 0;
    int good = bine_size_parse(value, &n) == 0 && n >= 1 && n <= 64;
    *level = good ? (int)n : 0;
    return good ? 0 : -1;
}

int bine_setting_level(void) {
    int level;
    parse_level(&level);
    return level;
}

int bine_setting_pointers(void) {
    int on, row = BINE_SETTING_DEVICE_POINTERS;
    const char *value = bine_setting_value(row, NULL);
    return *value != '\0' && bine_setting_flag(row, &on) == 0 ? on : -1;
}

/* Every rank's own business, and nothing to choose by. */
static void check_pointers(bine_complaint *complain, void *context) {
    int row = BINE_SETTING_DEVICE_POINTERS;
    const char *value = bine_setting_value(row, NULL);
    if (bine_setting_pointers() < 0 && *value != '\0' && strcmp(value, "auto") != 0)
        complain_of(row, "expected auto, or " FLAG, complain, context);
}

static int read_flag(int row, bine_complaint *complain, void *context) {
    int on;
    if (bine_setting_flag(row, &on) != 0)
        complain_of(row, "expected " FLAG, complain, context);
    return on;
}

/* Without trying anything, nothing is learnt. */
static void read_effort(struct bine_settings *s, bine_complaint *complain, void *context) {
    static const char *const words[BINE_EFFORTS] = {"measure", "estimate", "patient"};
    const char *limit = bine_setting_value(BINE_SETTING_EFFORT_SECONDS, NULL);
    char *end;
    s->effort = read_word(BINE_SETTING_EFFORT, words, BINE_EFFORTS,
                          "expected estimate, measure or patient", complain, context);
    s->learn = s->learn && s->effort != BINE_EFFORT_ESTIMATE;
    s->effort_time = INT64_MAX;
    double seconds = strtod(limit, &end);
    if (*limit == '\0')
        return;
    if (*end == '\0' && seconds >= 0 && seconds <= 1e9)
        s->effort_time = (int64_t)(seconds * 1e6);
    else
        complain_of(BINE_SETTING_EFFORT_SECONDS, "expected seconds, as in 0.5 or 60", complain,
                    context);
}

static void check_calls(bine_complaint *complain, void *context) {
    struct bine_call_list calls;
    struct bine_reason why;
    if (bine_call_list_parse(bine_setting_value(BINE_SETTING_TIMELINE_CALLS, NULL), &calls, &why) !=
        0)
        complain_of(BINE_SETTING_TIMELINE_CALLS, why.text, complain, context);
}

void bine_settings_read(struct bine_settings *s, bine_complaint *complain, void *context) {
    memset(s, 0, sizeof *s);
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        read_forced(s, c, complain, context);
    if (bine_size_parse(bine_setting_value(BINE_SETTING_SEGMENT, NULL), &s->segment) != 0 ||
        s->segment < 1) {
        complain_of(BINE_SETTING_SEGMENT, "expected a size such as 256K", complain, context);
        bine_size_parse(bine_setting_table[BINE_SETTING_SEGMENT].value, &s->segment);
    }
    s->always = read_flag(BINE_SETTING_ALWAYS, complain, context);
    s->nonblocking = read_flag(BINE_SETTING_NONBLOCKING, complain, context);
    s->crowded = read_flag(BINE_SETTING_CROWDED, complain, context);
    s->model = read_flag(BINE_SETTING_MODEL, complain, context);
    s->learn = read_flag(BINE_SETTING_LEARN, complain, context);
    read_effort(s, complain, context);
    s->device = read_flag(BINE_SETTING_DEVICE, complain, context);
    s->off = read_flag(BINE_SETTING_OFF, complain, context);
    read_flag(BINE_SETTING_VERBOSE, complain, context);         /* not a thing to choose by, */
    read_flag(BINE_SETTING_WISDOM_READONLY, complain, context); /* nor are these */
    read_flag(BINE_SETTING_PROFILE_SITES, complain, context);
    read_flag(BINE_SETTING_PROFILE_NAMES, complain, context);
    check_calls(complain, context);
    check_pointers(complain, context);
    int level; /* which decides on the groups, and groups are compared */
    if (parse_level(&level) != 0)
        complain_of(BINE_SETTING_LEVEL, "expected a number from 1 to 64, or all", complain,
                    context);
    read_torus(s, complain, context);
    read_shared(s, complain, context);
    read_reorder(s, complain, context);
    read_reproducible(s, complain, context);
}

/* The setting that a wrong name may have meant, without BINE_, or NULL. MPI's reduce_scatter_block
 * has the settings of reduce_scatter. */
static const char *meant(const char *name) {
    char word[64];
    const char *names[BINE_SETTINGS], *block = strstr(name, "_BLOCK");
    for (int k = 0; k < BINE_SETTINGS; k++)
        names[k] = bine_setting_table[k].name + 5; /* all begin alike */
    if (block != NULL)
        snprintf(word, sizeof word, "%.*s%s", (int)(block - name), name, block + 6);
    else
        snprintf(word, sizeof word, "%s", name);
    return bine_nearest_word(word, names, BINE_SETTINGS);
}

/* Whether a name is a mistake, and the complaint's end: the name that was probably meant. */
static int is_mistake(const char *name, char *hint, size_t size) {
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(name, others[k]) == 0)
            return 0;
    if (row_of(name) >= 0 || strncmp(name, "BINE_TEST_", 10) == 0)
        return 0;
    const char *near = meant(name + (strncmp(name, "BINE_", 5) == 0 ? 5 : 0));
    snprintf(hint, size, "%s%s%s", near ? "; did you mean BINE_" : "", near ? near : "",
             near ? "?" : "");
    return 1;
}

static void check_file(const struct bine_conf *f, bine_complaint *complain, void *context) {
    char text[BINE_CONF_PATH + 200], hint[80] = "";
    if (f->unreadable) {
        snprintf(text, sizeof text, "BINE_CONFIG=%s: cannot be read", f->path);
        complain(context, text);
    }
    for (int i = 0; i < f->wrongs && i < BINE_CONF_WRONG; i++) {
        if (f->wrong[i][0] == '\0')
            snprintf(text, sizeof text, "%s:%d: expected NAME = VALUE", f->path, f->wrong_line[i]);
        else if (is_mistake(f->wrong[i], hint, sizeof hint))
            snprintf(text, sizeof text, "%s:%d: unknown setting %s%s", f->path, f->wrong_line[i],
                     f->wrong[i], hint);
        else
            snprintf(text, sizeof text, "%s:%d: %s cannot be set in a file, or is too long",
                     f->path, f->wrong_line[i], f->wrong[i]);
        complain(context, text);
    }
}

void bine_settings_check_names(bine_complaint *complain, void *context) {
    extern char **environ;
    char text[200], name[64], hint[80];
    for (char **e = environ; e != NULL && *e != NULL; e++) {
        size_t n = strcspn(*e, "=");
        if (strncmp(*e, "BINE_", 5) != 0 || n >= sizeof name)
            continue;
        memcpy(name, *e, n);
        name[n] = '\0';
        if (!is_mistake(name, hint, sizeof hint))
            continue;
        snprintf(text, sizeof text, "unknown setting %s%s", name, hint);
        complain(context, text);
    }
    for (int i = 0; i < BINE_CONF_FILES; i++)
        check_file(&bine_conf_files(row_in_file)[i], complain, context);
}
