#define _POSIX_C_SOURCE 200809L /* getpid */

#include "choose/wisdom.h"

#include "base/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "{\"bine\": 1,\n \"rules\": [\n", tail[] = " ]}\n";
static const char begins[] = "  {\"collective\": ", ends[] = "\"algorithm\": ";

const char *bine_wisdom_line(const struct bine_question *q, const struct bine_forced *f,
                             const char *why, char text[BINE_WISDOM_TEXT]) {
    int64_t from = INT64_C(1) << bine_advised_class(q->bytes);
    char groups[24] = "\"unknown\"";
    if (q->groups > 0)
        snprintf(groups, sizeof groups, "%d", q->groups);
    snprintf(text, BINE_WISDOM_TEXT,
             "%s\"%s\", \"library\": \"%s\", \"ranks\": %d, \"nodes\": %d, \"ranks_per_node\": %d, "
             "\"groups\": %s, \"bytes\": {\"from\": %" PRId64 ", \"below\": %" PRId64
             "}, %s\"%s\", \"why\": \"%s\"}",
             begins, bine_collective_name(q->collective), bine_library_name(q->library), q->p,
             q->nodes, q->per_node, groups, from, 2 * from, ends, bine_forced_name(f), why);
    return text;
}

/* Whether two lines speak of the same calls. */
static int is_same(const char *a, const char *b) {
    const char *end = strstr(a, ends);
    return end != NULL && strncmp(a, b, (size_t)(end - a)) == 0;
}

/* The lines of a file that Bine wrote, cut at their ends; returns how many, or -1 if it is none. */
static int cut(char *text, const char **line, int most) {
    int n = 0;
    size_t length = strlen(text);
    if (length < sizeof head + sizeof tail - 2 || strncmp(text, head, sizeof head - 1) != 0 ||
        strcmp(text + length - (sizeof tail - 1), tail) != 0)
        return -1;
    text[length - (sizeof tail - 1)] = '\0';
    for (char *at = text + sizeof head - 1, *next; *at != '\0'; at = next) {
        next = at + strcspn(at, "\n");
        if (*next != '\n' || n == most || strncmp(at, begins, sizeof begins - 1) != 0)
            return -1;
        char *last = next[-1] == ',' ? next - 1 : next;
        *last = '\0';
        line[n++] = at;
        next++;
    }
    return n;
}

static int write_all(FILE *f, const char **old, int olds, char *const *line, size_t lines) {
    int n = 0;
    fputs(head, f);
    for (int i = 0; i < olds; i++) {
        int replaced = 0;
        for (size_t k = 0; k < lines; k++)
            replaced |= is_same(line[k], old[i]);
        if (!replaced)
            fprintf(f, "%s%s", n++ > 0 ? ",\n" : "", old[i]);
    }
    for (size_t k = 0; k < lines; k++) {
        int replaced = 0;
        for (size_t m = k + 1; m < lines; m++)
            replaced |= is_same(line[k], line[m]);
        if (!replaced)
            fprintf(f, "%s%s", n++ > 0 ? ",\n" : "", line[k]);
    }
    fprintf(f, "\n%s", tail);
    int failed = ferror(f);
    return fclose(f) != 0 || failed ? -1 : 0;
}

/* A draft beside it takes its place. */
static int replace(const char *path, const char **old, int olds, char *const *line, size_t lines) {
    char draft[BINE_PATH_ROOM];
    if (snprintf(draft, sizeof draft, "%s.%ld", path, (long)getpid()) >= (int)sizeof draft) {
        errno = ENAMETOOLONG;
        return -1;
    }
    FILE *f = fopen(draft, "w");
    if (f == NULL)
        return -1;
    if (write_all(f, old, olds, line, lines) == 0 && rename(draft, path) == 0)
        return 0;
    int error = errno;
    remove(draft);
    errno = error;
    return -1;
}

static int most_lines(const char *text) {
    int n = 1;
    for (; text != NULL && *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

int bine_wisdom_add(const char *path, char *const *line, size_t lines, char *why, size_t size) {
    size_t length;
    char *text = bine_file_text(path, &length);
    if (text == NULL && errno != ENOENT) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        return -1;
    }
    int most = most_lines(text), olds = 0, rc = -1;
    const char **old = malloc((size_t)most * sizeof *old);
    if (old != NULL && text != NULL)
        olds = cut(text, old, most);
    if (old == NULL)
        snprintf(why, size, "%s: out of memory", path);
    else if (olds < 0)
        snprintf(why, size, "%s: expected a file that Bine wrote, with a rule on each line", path);
    else if ((rc = replace(path, old, olds, line, lines)) != 0)
        snprintf(why, size, "%s: %s", path, strerror(errno));
    free(old);
    free(text);
    return rc;
}
