#include "select/settings_files.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef BINE_SYSCONFDIR
#define BINE_SYSCONFDIR "/etc"
#endif

/* Without blanks at both ends, in place. */
static char *trim(char *text) {
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL)
        n--;
    text[n] = '\0';
    return text;
}

static void note_wrong(struct bine_conf *f, int line, const char *name) {
    if (f->wrongs < BINE_CONF_WRONG) {
        f->wrong_line[f->wrongs] = line;
        snprintf(f->wrong[f->wrongs], sizeof f->wrong[0], "%s", name);
        for (char *c = f->wrong[f->wrongs]; *c != '\0'; c++) /* of a file that is no text */
            *c = *c > ' ' && *c <= '~' ? *c : '?';
    }
    f->wrongs++;
}

/* The next line, or its beginning: the rest of a long one is skipped, and it is `cut`. 0 at the
 * end.
 */
static int next_line(FILE *in, char *text, int size, int *cut) {
    if (fgets(text, size, in) == NULL)
        return 0;
    size_t n = strlen(text);
    int c = n > 0 && text[n - 1] == '\n' ? '\n' : getc(in);
    *cut = c != '\n' && c != EOF;
    while (c != '\n' && c != EOF)
        c = getc(in);
    return 1;
}

static void add_line(struct bine_conf *f, int row, int line, const char *value) {
    struct bine_conf_line *x = malloc(sizeof *x + strlen(value) + 1);
    if (x == NULL)
        return;
    *x = (struct bine_conf_line){f->last, row, line};
    strcpy(x->value, value);
    f->last = x;
}

/* NAME = VALUE, or nothing, or a comment. */
static void read_line(struct bine_conf *f, bine_conf_row *row_of, int line, char *text, int cut) {
    text = trim(text);
    if (*text == '\0' || *text == '#')
        return;
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        note_wrong(f, line, "");
        return;
    }
    *equals = '\0';
    char *name = trim(text), *value = trim(equals + 1);
    int row = row_of(name);
    if (row < 0 || cut || strlen(value) >= BINE_CONF_VALUE)
        note_wrong(f, line, name);
    else
        add_line(f, row, line, value);
}

static void read_conf(struct bine_conf *f, bine_conf_row *row_of, int wanted) {
    char text[BINE_CONF_VALUE + 128];
    struct stat what;
    FILE *in = f->path[0] == '\0' ? NULL : fopen(f->path, "r");
    if (in != NULL && fstat(fileno(in), &what) == 0 && S_ISDIR(what.st_mode)) {
        fclose(in); /* a folder can be opened, and has no lines */
        in = NULL;
    }
    if (in == NULL) {
        f->unreadable = wanted && f->path[0] != '\0';
        if (!f->unreadable)
            f->path[0] = '\0';
        return;
    }
    int cut;
    for (int line = 1; next_line(in, text, sizeof text, &cut); line++)
        read_line(f, row_of, line, text, cut);
    fclose(in);
}

static struct bine_conf *read_all(bine_conf_row *row_of) {
    const char *config = getenv("BINE_CONFIG"), *home = getenv("HOME");
    struct bine_conf *f = calloc(BINE_CONF_FILES, sizeof *f);
    if (f == NULL)
        return NULL;
    if (config != NULL)
        snprintf(f[0].path, sizeof f[0].path, "%s", config);
    if (home != NULL && *home != '\0')
        snprintf(f[1].path, sizeof f[1].path, "%s/.config/bine/bine.conf", home);
    snprintf(f[2].path, sizeof f[2].path, "%s/bine/bine.conf", BINE_SYSCONFDIR);
    for (int i = 0; i < BINE_CONF_FILES; i++)
        read_conf(&f[i], row_of, i == 0);
    return f;
}

static void free_all(struct bine_conf *f) {
    for (int i = 0; i < BINE_CONF_FILES; i++)
        for (struct bine_conf_line *x; (x = f[i].last) != NULL;) {
            f[i].last = x->earlier;
            free(x);
        }
    free(f);
}

const struct bine_conf *bine_conf_files(bine_conf_row *row_of) {
    static const struct bine_conf none[BINE_CONF_FILES];
    static _Atomic(struct bine_conf *) files;
    struct bine_conf *f = atomic_load_explicit(&files, memory_order_acquire), *first = NULL;
    if (f != NULL)
        return f;
    f = read_all(row_of);
    if (f == NULL)
        return none;
    if (atomic_compare_exchange_strong(&files, &first, f))
        return f;
    free_all(f); /* another thread has read them, too */
    return first;
}

const struct bine_conf_line *bine_conf_find(const struct bine_conf *f, int row) {
    const struct bine_conf_line *x = f->last;
    while (x != NULL && x->row != row)
        x = x->earlier;
    return x;
}
