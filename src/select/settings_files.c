#include "select/settings_files.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef BINE_SYSCONFDIR
#define BINE_SYSCONFDIR "/etc"
#endif

static struct bine_conf files[BINE_CONF_FILES];

int bine_setting_find(const char *name) {
    for (int k = 0; k < BINE_SETTINGS; k++)
        if (strcmp(name, bine_setting_table[k].name) == 0)
            return k;
    return -1;
}

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

/* NAME = VALUE, or nothing, or a comment. */
static void read_line(struct bine_conf *f, int line, char *text, int cut) {
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
    int k = bine_setting_find(name);
    /* A file cannot name the file. */
    if (k < 0 || k == BINE_SETTING_CONFIG || cut || strlen(value) >= BINE_CONF_VALUE) {
        note_wrong(f, line, name);
        return;
    }
    f->line[k] = line;
    strcpy(f->value[k], value);
}

static void read_conf(struct bine_conf *f, int wanted) {
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
        read_line(f, line, text, cut);
    fclose(in);
}

static void read_all(void) {
    const char *config = getenv("BINE_CONFIG"), *home = getenv("HOME");
    if (config != NULL)
        snprintf(files[0].path, sizeof files[0].path, "%s", config);
    if (home != NULL && *home != '\0')
        snprintf(files[1].path, sizeof files[1].path, "%s/.config/bine/bine.conf", home);
    snprintf(files[2].path, sizeof files[2].path, "%s/bine/bine.conf", BINE_SYSCONFDIR);
    for (int i = 0; i < BINE_CONF_FILES; i++)
        read_conf(&files[i], i == 0);
}

const struct bine_conf *bine_conf_files(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_all);
    return files;
}
