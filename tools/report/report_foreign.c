/* What other benchmarks print, as the CSV of measurements: OSU's, Intel's and NVIDIA's.
 *
 * None of them says which algorithm ran: that is the name of the file, without folder and ending.
 * OSU's do not say how many ranks there were: that is `ranks`. Sizes become those of the whole
 * vector: OSU and IMB count one rank's block where there is a block for each rank. */
#include "report/report.h"

#include "cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct source {
    const char *path;
    char algorithm[64];
    char collective[32]; /* of the lines that follow; empty: none that Bine has */
    int started;         /* its nonblocking form */
    int ranks;
    FILE *to;
};

/* How collectives are called elsewhere. The longer of two names with the same beginning is first.
 */
static const struct {
    const char *theirs, *ours;
    int a_block_each; /* whether OSU and IMB count one rank's block */
} titles[] = {
    {"all-to-all personalized exchange", "alltoall", 1},
    {"all_reduce", "allreduce", 0},
    {"all_gather", "allgather", 1},
    {"allreduce", "allreduce", 0},
    {"allgather", "allgather", 1},
    {"alltoall", "alltoall", 1},
    {"broadcast", "bcast", 0},
    {"bcast", "bcast", 0},
    {"reduce_scatter_block", "reduce_scatter_block", 0},
    {"reduce_scatter", "reduce_scatter", 0},
    {"reduce", "reduce", 0},
    {"gather", "gather", 1},
    {"scatter", "scatter", 1},
};
enum { TITLES = sizeof titles / sizeof *titles };

/* The collective whose name begins here and ends with its word, or -1. */
static int title_at(const char *text) {
    for (int i = 0; i < TITLES; i++) {
        size_t n = strlen(titles[i].theirs);
        if (strncasecmp(text, titles[i].theirs, n) == 0 && !isalnum((unsigned char)text[n]) &&
            text[n] != '-')
            return i;
    }
    return -1;
}

/* The first collective that is named anywhere in a text, as in a file's name, or -1. */
static int title_in(const char *text) {
    for (int i = 0; i < TITLES; i++)
        for (const char *at = text; *at != '\0'; at++)
            if (strncasecmp(at, titles[i].theirs, strlen(titles[i].theirs)) == 0)
                return i;
    return -1;
}

static void set_title(struct source *s, int title) {
    snprintf(s->collective, sizeof s->collective, "%s", title < 0 ? "" : titles[title].ours);
}

static int is_a_block_each(const struct source *s) {
    for (int i = 0; i < TITLES; i++)
        if (strcmp(titles[i].ours, s->collective) == 0)
            return titles[i].a_block_each;
    return 0;
}

static void write_row(struct source *s, long long bytes, double microseconds) {
    if (s->collective[0] != '\0' && bytes > 0 && microseconds > 0)
        fprintf(s->to, "%s%s,%s,%d,%lld,%.9g\n", s->started ? "i" : "", s->collective, s->algorithm,
                s->ranks, bytes, microseconds * 1e-6);
}

/* "# OSU MPI Allreduce Latency Test v7.4", then "SIZE AVERAGE [MIN MAX ITERATIONS]". */
static int read_osu(struct source *s, const char *line) {
    long long bytes;
    double average;
    const char *title = strstr(line, "OSU MPI");
    if (line[0] == '#' && title != NULL) {
        title += strcspn(title + 7, " -") + 7; /* "MPI", "MPI-CUDA" */
        title += strcspn(title, " ");
        title += strspn(title, " ");
        if (strncasecmp(title, "Non-blocking ", 13) == 0)
            title = "";
        set_title(s, title_at(title));
        return s->ranks > 0 ? 0
                            : bine_complain("%s: OSU's benchmarks do not print the number of "
                                            "ranks: expected --ranks",
                                            s->path);
    }
    if (sscanf(line, "%lld %lf", &bytes, &average) == 2)
        write_row(s, is_a_block_each(s) ? bytes * s->ranks : bytes, average);
    return 0;
}

/* "# Benchmarking Allreduce", "# #processes = 16", then "BYTES REPETITIONS T_MIN T_MAX T_AVG": the
 * slowest rank's. Of a nonblocking call "Iallreduce_pure" has the same, and "Iallreduce" has "BYTES
 * REPETITIONS T_OVRL T_PURE T_CPU OVERLAP": the time without a computation. */
static int read_imb(struct source *s, const char *line) {
    long long bytes, repetitions;
    double other, time;
    if (strncmp(line, "# Benchmarking ", 15) == 0) {
        int title = title_at(line + 15);
        s->started = title < 0 && line[15] == 'I';
        set_title(s, s->started ? title_at(line + 16) : title);
    }
    sscanf(line, "# #processes = %d", &s->ranks);
    if (sscanf(line, "%lld %lld %lf %lf", &bytes, &repetitions, &other, &time) == 4)
        write_row(s, is_a_block_each(s) ? bytes * s->ranks : bytes, time);
    return 0;
}

/* "#  Rank  0 Group  0 Pid ...", then "SIZE COUNT TYPE REDOP ROOT TIME ...": not in place. */
static int read_nccl(struct source *s, const char *line) {
    long long bytes, count;
    int rank;
    double time;
    if (sscanf(line, "# Rank %d", &rank) == 1)
        s->ranks++;
    const char *named = strstr(line, "Collective test starting: ");
    if (named != NULL)
        set_title(s, title_in(named + 26));
    if (sscanf(line, "%lld %lld %*s %*s %*s %lf", &bytes, &count, &time) != 3)
        return 0;
    if (s->ranks == 0)
        return bine_complain("%s: no line '# Rank 0 ...': expected all that nccl-tests prints",
                             s->path);
    if (s->collective[0] == '\0')
        return bine_complain("%s: nccl-tests does not print the collective here: expected it in "
                             "the file's name, as in all_reduce.txt",
                             s->path);
    write_row(s, bytes, time);
    return 0;
}

static const struct {
    const char *mark; /* at the beginning of a line */
    int (*read)(struct source *s, const char *line);
} kinds[] = {
    {"# OSU MPI", read_osu},
    {"# Benchmarking ", read_imb},
    {"# nThread ", read_nccl},
};

static int kind_of(const char *text) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (const char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n')) {
            at += *at == '\n';
            if (strncmp(at, kinds[i].mark, strlen(kinds[i].mark)) == 0)
                return (int)i;
        }
    return -1;
}

static void name_algorithm(struct source *s) {
    const char *slash = strrchr(s->path, '/'), *name = slash == NULL ? s->path : slash + 1;
    snprintf(s->algorithm, sizeof s->algorithm, "%.*s", (int)strcspn(name, ".,\""), name);
}

static int read_lines(struct source *s, char *text, int kind) {
    int rc = 0;
    for (char *at = text; rc == 0 && at != NULL && *at != '\0';) {
        char *end = strchr(at, '\n');
        if (end != NULL)
            *end = '\0';
        rc = kinds[kind].read(s, at);
        at = end == NULL ? NULL : end + 1;
    }
    return rc;
}

int bine_report_translate(const char *path, int ranks, char **text, size_t *size) {
    int kind = kind_of(*text);
    struct source s = {.path = path, .ranks = ranks};
    char *csv = NULL;
    size_t length = 0;
    if (kind < 0)
        return 0;
    s.to = open_memstream(&csv, &length);
    if (s.to == NULL)
        return bine_complain("out of memory");
    name_algorithm(&s);
    if (kinds[kind].read == read_nccl) {
        const char *slash = strrchr(path, '/');
        s.ranks = 0;
        set_title(&s, title_in(slash == NULL ? path : slash + 1));
    }
    fprintf(s.to, "collective,algorithm,ranks,bytes,seconds\n");
    int rc = read_lines(&s, *text, kind), failed = fclose(s.to) != 0;
    if (rc != 0 || failed) {
        free(csv);
        return rc != 0 ? rc : bine_complain("out of memory");
    }
    free(*text);
    *text = csv;
    *size = length;
    return 0;
}
