/* bine machines --merge: several calibrations of one machine as one description, the median of each
 * speed. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "machines_merge.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/options/machines.h"
#include "cli/output/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MOST = 40, FILES_MOST = 64, VALUE = 64 };

/* The speeds of all files. */
struct speeds {
    const char *key[KEYS_MOST];
    double value[KEYS_MOST][FILES_MOST];
    int keys, values[KEYS_MOST];
};

static int key_of(const struct speeds *s, const struct bine_word *word) {
    for (int k = 0; k < s->keys; k++)
        if (bine_word_is(word, s->key[k]))
            return k;
    return -1;
}

/* The speed that a line gives: its key, or -1. */
static int read_line(const struct speeds *s, const char *at, size_t length, double *value) {
    struct bine_text t = bine_text_open(at, length);
    struct bine_word line, word, number;
    char text[VALUE], *end;
    if (!bine_text_line(&t, &line) || !bine_text_word(&line, &word))
        return -1;
    int k = key_of(s, &word);
    if (k < 0 || !bine_text_word(&line, &number) || number.length >= VALUE)
        return -1;
    snprintf(text, sizeof text, "%.*s", (int)number.length, number.at);
    *value = strtod(text, &end);
    return *end == '\0' ? k : -1;
}

static void collect(struct speeds *s, const char *text) {
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        double value;
        int k = read_line(s, at, length, &value);
        if (k >= 0 && s->values[k] < FILES_MOST)
            s->value[k][s->values[k]++] = value;
        at += length + (at[length] == '\n');
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean of the two in the middle where there is no middle. */
static double median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, by_value);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* The first description, with the medians in place of its speeds. */
static void write_merged(FILE *f, struct speeds *s, const char *text, int files) {
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        double value;
        if (read_line(s, at, length, &value) < 0)
            fprintf(f, "%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    fprintf(f, "# medians of %d calibrations\n", files);
    for (int k = 0; k < s->keys; k++)
        if (s->values[k] > 0) {
            double x = median(s->value[k], s->values[k]);
            fprintf(f, x >= 1000 ? "%s %.0f\n" : "%s %.4g\n", s->key[k], x);
        }
}

/* Files of one machine have the same hosts in the same groups. */
static int is_same(const struct bine_machine *a, const struct bine_machine *b) {
    if (a->hosts.count != b->hosts.count || a->groups.count != b->groups.count ||
        a->topology != b->topology)
        return 0;
    for (int i = 0; i < a->hosts.count; i++) {
        const char *host = bine_names_text(&a->hosts, i);
        int at = bine_names_find(&b->hosts, host, strlen(host));
        if (at < 0)
            return 0;
        if (a->group != NULL && strcmp(bine_names_text(&a->groups, a->group[i]),
                                       bine_names_text(&b->groups, b->group[at])) != 0)
            return 0;
    }
    return 1;
}

static int check(int files, char **file) {
    struct bine_machine *first = bine_machine_load(file[0], 1);
    int rc = first == NULL ? BINE_EXIT_USAGE : 0;
    for (int i = 1; i < files && rc == 0; i++) {
        struct bine_machine *m = bine_machine_load(file[i], 1);
        rc = m == NULL ? BINE_EXIT_USAGE
             : is_same(first, m)
                 ? 0
                 : bine_complain("%s: expected the hosts and groups of %s", file[i], file[0]);
        bine_machine_free(m);
    }
    bine_machine_free(first);
    return rc;
}

static void fill_keys(struct speeds *s) {
    const char *key;
    s->key[s->keys++] = "nic-gbits";
    for (int i = 0; (key = bine_rates_key(i)) != NULL && s->keys < KEYS_MOST; i++)
        s->key[s->keys++] = key;
}

static int save(struct speeds *s, const char *text, int files, const char *output) {
    char *made = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&made, &size);
    if (f == NULL)
        return bine_complain("out of memory");
    write_merged(f, s, text, files);
    int error = fclose(f) != 0 ? -1 : bine_output_file_write(output, made, size);
    free(made);
    return error == 0  ? 0
           : error < 0 ? bine_complain("out of memory")
                       : bine_complain("%s: %s", output, strerror(error));
}

int bine_machines_merge(int files, char **file, const char *output) {
    struct speeds s = {0};
    char *first = NULL;
    if (files < 2 || files > FILES_MOST)
        return bine_complain("--merge: expected 2 to %d machine files", FILES_MOST);
    int rc = check(files, file);
    fill_keys(&s);
    for (int i = 0; i < files && rc == 0; i++) {
        size_t size;
        char *text = bine_file_read(file[i], &size);
        if (text == NULL)
            rc = BINE_EXIT_USAGE;
        else
            collect(&s, text);
        if (i == 0)
            first = text;
        else
            free(text);
    }
    rc = rc != 0 ? rc : save(&s, first, files, output);
    free(first);
    return rc;
}
