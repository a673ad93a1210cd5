#include "try/words.h"

#include "base/grow.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char variable[] = "LD_PRELOAD", ours[] = "libbine-preload.so";

/* Out of memory in a process that is about to become another one. */
static void *must(void *p) {
    if (p != NULL)
        return p;
    fprintf(stderr, "bine: out of memory\n");
    exit(2);
}

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *s = must(malloc((size_t)(n < 0 ? 0 : n) + 1));
    va_start(list, format);
    vsprintf(s, format, list);
    va_end(list);
    return s;
}

static void add(struct bine_words *w, char *word) {
    if (bine_grow(&w->word, &w->room, w->used + 2, sizeof *w->word) != 0)
        must(NULL);
    w->word[w->used++] = word;
    w->word[w->used] = NULL;
}

static int is_ours(const char *path, size_t length) {
    size_t name = length;
    while (name > 0 && path[name - 1] != '/')
        name--;
    return length - name >= sizeof ours - 1 && strncmp(path + name, ours, sizeof ours - 1) == 0;
}

char *bine_words_theirs(const char *value) {
    static const char between[] = ": ";
    char *s = must(malloc(strlen(value) + 1));
    size_t n = 0;
    for (value += strspn(value, between); *value != '\0'; value += strspn(value, between)) {
        size_t length = strcspn(value, between);
        if (!is_ours(value, length)) {
            if (n > 0)
                s[n++] = ':';
            memcpy(s + n, value, length);
            n += length;
        }
        value += length;
    }
    s[n] = '\0';
    return s;
}

char *bine_words_preload(const char *value, const struct bine_launch *x) {
    char *theirs = bine_words_theirs(value);
    return x->preload == NULL ? theirs
                              : text("%s%s%s", x->preload, *theirs != '\0' ? ":" : "", theirs);
}

static char *from_environment(const struct bine_launch *x) {
    const char *value = getenv(variable);
    return bine_words_preload(value != NULL ? value : "", x);
}

/* Where a word sets the variable for a program behind it, as words of env and lines of shells do:
 * the value's beginning, or NULL. */
static const char *setting_in(const char *word) {
    for (const char *at = strstr(word, variable); at != NULL; at = strstr(at + 1, variable)) {
        int inside = at > word && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!inside && at[sizeof variable - 1] == '=')
            return at + sizeof variable;
    }
    return NULL;
}

/* A word that is no option of the launcher's. */
static char *changed(char *word, const struct bine_launch *x) {
    const char *value = setting_in(word);
    if (value == NULL)
        return word;
    /* A value alone; blanks may separate files, or be of a line of a shell's. */
    if (strncmp(word, variable, sizeof variable - 1) == 0 && strpbrk(word, " \t\n;&|") == NULL)
        return text("%s=%s", variable, bine_words_preload(value, x));
    if (x->preload == NULL)
        return word;
    return text("%.*s%s:%s", (int)(value - word), word, x->preload, value);
}

static int is_one_of(const char *word, const char *const *names) {
    while (*names != NULL && (word == NULL || strcmp(word, *names) != 0))
        names++;
    return *names != NULL;
}

/* NAME and VALUE of each setting but LD_PRELOAD. */
struct pair {
    const char *name, *value;
};
static size_t pairs_of(const struct bine_launch *x, struct pair pair[2]) {
    size_t n = 0;
    if (x->off)
        pair[n++] = (struct pair){"BINE_OFF", "1"};
    if (x->report != NULL)
        pair[n++] = (struct pair){"BINE_PROFILE", x->report};
    return n;
}

/* Whether a launcher's own options, up to the end of this program's words, set the variable. */
static int sets_it(char **word, const char *const *options, const char *end) {
    for (; *word != NULL && (end == NULL || strcmp(*word, end) != 0); word++)
        if (is_one_of(*word, options) && word[1] != NULL &&
            strncmp(word[1], variable, sizeof variable - 1) == 0)
            return 1;
    return 0;
}

static const char *const openmpi_options[] = {"-x", "--x", NULL};

static void openmpi_front(struct bine_words *out, char **rest, const struct bine_launch *x) {
    struct pair pair[2];
    size_t n = pairs_of(x, pair);
    char *preload = from_environment(x);
    for (size_t i = 0; i < n; i++) {
        add(out, text("-x"));
        add(out, text("%s=%s", pair[i].name, pair[i].value));
    }
    if (*preload != '\0' && !sets_it(rest, openmpi_options, ":")) {
        add(out, text("-x"));
        add(out, text("%s=%s", variable, preload));
    }
}

void bine_words_openmpi(struct bine_words *out, char **command, const struct bine_launch *x) {
    add(out, command[0]);
    openmpi_front(out, command + 1, x);
    for (char **at = command + 1; *at != NULL; at++) {
        if (is_one_of(at[-1], openmpi_options) && strcmp(*at, variable) == 0)
            add(out, text("%s=%s", variable, from_environment(x)));
        else
            add(out, changed(*at, x));
        if (strcmp(*at, ":") == 0)
            openmpi_front(out, at + 1, x);
    }
}

static const char *const hydra_options[] = {"-genv", "--genv", "-env", "--env", NULL};

void bine_words_hydra(struct bine_words *out, char **command, const struct bine_launch *x) {
    struct pair pair[3];
    size_t n = pairs_of(x, pair);
    char *preload = from_environment(x);
    if (*preload != '\0' && !sets_it(command, hydra_options, NULL))
        pair[n++] = (struct pair){variable, preload};
    add(out, command[0]);
    for (size_t i = 0; i < n; i++) {
        add(out, text("-genv"));
        add(out, text("%s", pair[i].name));
        add(out, text("%s", pair[i].value));
    }
    for (char **at = command + 1; *at != NULL; at++) {
        int value =
            at - command >= 3 && is_one_of(at[-2], hydra_options) && strcmp(at[-1], variable) == 0;
        add(out, value ? bine_words_preload(*at, x) : changed(*at, x));
    }
}

/* The words of --export: what they have of LD_PRELOAD, and the rest. */
static char *srun_export(const char *list, const struct bine_launch *x) {
    struct pair pair[2];
    size_t n = pairs_of(x, pair);
    char *s = text("%s", ""), *preload = from_environment(x);
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        const char *value = setting_in(list);
        if (value == list + sizeof variable && length >= sizeof variable)
            preload = bine_words_preload(
                text("%.*s", (int)(length - sizeof variable), list + sizeof variable), x);
        else if (length > 0)
            s = text("%s%s%.*s", s, *s != '\0' ? "," : "", (int)length, list);
        list += length + (list[length] == ',');
    }
    for (size_t i = 0; i < n; i++)
        s = text("%s,%s=%s", s, pair[i].name, pair[i].value);
    return *preload != '\0' ? text("%s,%s=%s", s, variable, preload) : s;
}

void bine_words_srun(struct bine_words *out, char **command, const struct bine_launch *x) {
    static const char option[] = "--export=";
    const char *always = getenv("SLURM_EXPORT_ENV");
    int given = 0;
    for (char **at = command + 1; *at != NULL; at++)
        given |= strncmp(*at, option, sizeof option - 1) == 0 || strcmp(*at, "--export") == 0;
    add(out, command[0]);
    if (!given)
        add(out, text("%s%s", option, srun_export(always != NULL ? always : "ALL", x)));
    for (char **at = command + 1; *at != NULL; at++) {
        if (strncmp(*at, option, sizeof option - 1) == 0)
            add(out, text("%s%s", option, srun_export(*at + sizeof option - 1, x)));
        else if (strcmp(at[-1], "--export") == 0)
            add(out, srun_export(*at, x));
        else
            add(out, changed(*at, x));
    }
}

void bine_words_lab(struct bine_words *out, char **command, const struct bine_launch *x) {
    const char *theirs = "";
    char **rest = command + 3;
    for (char **at = rest; *at != NULL && strcmp(*at, "--") != 0; at++)
        if (strcmp(*at, "--preload") == 0 && at[1] != NULL)
            theirs = at[1];
    char *preload = bine_words_preload(theirs, x);
    for (int i = 0; i < 3; i++)
        add(out, command[i]);
    if (*preload != '\0') {
        add(out, text("--preload"));
        add(out, preload);
    }
    for (int ended = 0; *rest != NULL; rest++) {
        ended |= strcmp(*rest, "--") == 0;
        if (!ended && strcmp(*rest, "--preload") == 0 && rest[1] != NULL)
            rest++;
        else
            add(out, changed(*rest, x));
    }
}

void bine_words_bare(struct bine_words *out, char **command, const struct bine_launch *x) {
    for (; *command != NULL; command++)
        add(out, changed(*command, x));
}
