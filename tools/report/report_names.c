/* Names: of collectives, however they are spelt, and of foreign algorithms and families. */
#include "report/report.h"

#include "cli/command.h"
#include "cli/input_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* EACH(ROW): ROW(name, title without its first letter, that letter large and small, kind) */
#define EACH(ROW)                                                                                  \
    ROW("allreduce", "llreduce", "A", "a", ALLREDUCE)                                              \
    ROW("allgather", "llgather", "A", "a", ALLGATHER)                                              \
    ROW("reduce_scatter", "educe-scatter", "R", "r", REDUCE_SCATTER)                               \
    ROW("reduce_scatter_block", "educe-scatter-block", "R", "r", REDUCE_SCATTER)                   \
    ROW("alltoall", "lltoall", "A", "a", ALLTOALL)                                                 \
    ROW("bcast", "cast", "B", "b", BCAST)                                                          \
    ROW("reduce", "educe", "R", "r", REDUCE)                                                       \
    ROW("gather", "ather", "G", "g", GATHER)                                                       \
    ROW("scatter", "catter", "S", "s", SCATTER)                                                    \
    ROW("barrier", "arrier", "B", "b", BARRIER)                                                    \
    ROW("allgatherv", "llgatherv", "A", "a", ALLGATHERV)                                           \
    ROW("alltoallv", "lltoallv", "A", "a", ALLTOALLV)                                              \
    ROW("alltoallw", "lltoallw", "A", "a", ALLTOALLV)                                              \
    ROW("gatherv", "atherv", "G", "g", GATHERV)                                                    \
    ROW("scatterv", "catterv", "S", "s", SCATTERV)                                                 \
    ROW("scan", "can", "S", "s", SCAN)                                                             \
    ROW("exscan", "xscan", "E", "e", EXSCAN)
#define BLOCKING(NAME, REST, LARGE, SMALL, KIND) {NAME, LARGE REST, BINE_##KIND, 0},
#define STARTED(NAME, REST, LARGE, SMALL, KIND) {"i" NAME, "I" SMALL REST, BINE_##KIND, 1},
const struct bine_report_collective bine_report_collectives[BINE_REPORT_COLLECTIVES] = {
    EACH(BLOCKING) EACH(STARTED)};

int bine_report_collective_find(const char *name, size_t length) {
    if (length > 4 && strncasecmp(name, "MPI_", 4) == 0) {
        name += 4;
        length -= 4;
    }
    for (int i = 0; i < BINE_REPORT_COLLECTIVES; i++) {
        const char *known = bine_report_collectives[i].name;
        size_t k = 0;
        while (k < length && known[k] != '\0' &&
               (tolower((unsigned char)name[k]) == known[k] || (name[k] == '-' && known[k] == '_')))
            k++;
        if (k == length && known[k] == '\0')
            return i;
    }
    return -1;
}

/* Remember that `foreign` is of a family and is called `name`. 0, or -1 when out of memory. */
static int remember(struct bine_mapping *m, const char *foreign, const char *family,
                    const char *name) {
    int number = bine_names_add(&m->names, foreign, strlen(foreign));
    int called = name == NULL ? number : bine_names_add(&m->names, name, strlen(name));
    int kin = bine_names_add(&m->family, family, strlen(family));
    if (number < 0 || called < 0 || kin < 0)
        return -1;
    if (m->names.count > m->room) {
        int room = 2 * m->names.count;
        int *families = realloc(m->family_of, (size_t)room * sizeof *families);
        m->family_of = families != NULL ? families : m->family_of;
        int *names = realloc(m->name_of, (size_t)room * sizeof *names);
        m->name_of = names != NULL ? names : m->name_of;
        if (families == NULL || names == NULL)
            return -1;
        for (int i = m->room; i < room; i++)
            m->name_of[i] = i, m->family_of[i] = -1;
        m->room = room;
    }
    m->name_of[number] = called;
    m->family_of[number] = m->family_of[called] = kin;
    return 0;
}

/* "FOREIGN FAMILY [NAME]", blanks between them; '#' begins a comment. */
static int read_line(struct bine_mapping *m, char *line, const char *path, int number) {
    char *word[4] = {NULL, NULL, NULL, NULL}, *rest = line;
    int n = 0;
    line[strcspn(line, "#")] = '\0';
    for (char *at = strtok_r(rest, " \t\r", &rest); at != NULL && n < 4;
         at = strtok_r(NULL, " \t\r", &rest))
        word[n++] = at;
    if (n == 0)
        return 0;
    if (n == 1 || n == 4)
        return bine_complain("%s:%d: expected 'FOREIGN-NAME FAMILY [NAME]', found %s", path, number,
                             n == 1 ? "one word" : "more");
    return remember(m, word[0], word[1], word[2]) == 0 ? 0 : bine_complain("out of memory");
}

int bine_mapping_read(struct bine_mapping *m, const char *path) {
    size_t size;
    char *text = bine_file_read(path, &size), *at = text;
    int rc = text == NULL ? BINE_EXIT_USAGE : 0;
    for (int number = 1; rc == 0 && *at != '\0'; number++) {
        char *end = at + strcspn(at, "\n");
        int more = *end == '\n';
        *end = '\0';
        rc = read_line(m, at, path, number);
        at = end + more;
    }
    free(text);
    return rc;
}

void bine_mapping_free(struct bine_mapping *m) {
    bine_names_free(&m->names);
    bine_names_free(&m->family);
    free(m->family_of);
    free(m->name_of);
    *m = (struct bine_mapping){0};
}

const char *bine_mapping_name(const struct bine_mapping *m, const char *name) {
    int number = bine_names_find(&m->names, name, strlen(name));
    return number < 0 ? name : bine_names_text(&m->names, m->name_of[number]);
}

const char *bine_mapping_family(const struct bine_mapping *m, enum bine_collective c,
                                const char *name) {
    char bare[128];
    int number = bine_names_find(&m->names, name, strlen(name));
    if (number >= 0 && m->family_of[number] >= 0)
        return bine_names_text(&m->family, m->family_of[number]);
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, ":"), name);
    if (strcmp(bare, "mpi") == 0)
        return "mpi";
    const struct bine_algorithm *a = bine_algorithm_find(c, bare);
    if (a == NULL)
        return "other";
    /* Trees with more children are not what the paper calls binomial. */
    return a->radix > 2 && strcmp(a->family, "binomial") == 0 ? "k-nomial" : a->family;
}
