#include "cli/command.h"
#include "base/words.h"
#include "network/rates.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bine_complainer = "bine";

/* A complaint is one line, whatever the word in it: control characters become '?'. */
static void say(const char *nearest, const char *format, va_list args) {
    char line[512];
    if (bine_complainer == NULL)
        return;
    vsnprintf(line, sizeof line, format, args);
    for (char *c = line; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    if (nearest != NULL)
        fprintf(stderr, "%s: %s; did you mean '%s'?\n", bine_complainer, line, nearest);
    else
        fprintf(stderr, "%s: %s\n", bine_complainer, line);
}

int bine_complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(NULL, format, args);
    va_end(args);
    return BINE_EXIT_USAGE;
}

int bine_complain_near(const char *nearest, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(nearest, format, args);
    va_end(args);
    return BINE_EXIT_USAGE;
}

/* "a, b, c" of the names numbered 0..n-1. */
static void join_names(char *text, size_t size, const char *const *names, size_t n) {
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i == 0 ? "" : ", ", names[i]);
}

int bine_word_collective(const char *word, enum bine_collective *c) {
    const char *names[2 * BINE_COLLECTIVES];
    char all[300];
    int n = BINE_COLLECTIVES;
    int found = bine_collective_find(word);
    if (found >= 0) {
        *c = (enum bine_collective)found;
        return 0;
    }
    for (int i = 0; i < BINE_COLLECTIVES; i++)
        names[i] = bine_collective_name((enum bine_collective)i);
    for (int i = 0; i < BINE_COLLECTIVES; i++)
        if (bine_collectives[i].alias != NULL)
            names[n++] = bine_collectives[i].alias;
    join_names(all, sizeof all, names, (size_t)n);
    return bine_complain_near(bine_nearest_word(word, names, (size_t)n),
                              "unknown collective '%s': expected one of %s", word, all);
}

int bine_word_algorithm(enum bine_collective c, const char *word, const struct bine_algorithm **a) {
    const char *collective = bine_collective_name(c);
    *a = bine_algorithm_find(c, word);
    if (*a != NULL)
        return 0;
    return bine_complain_near(bine_algorithm_suggest(c, word),
                              "unknown algorithm '%s': expected one that 'bine list %s' prints",
                              word, collective);
}

int bine_word_layout(const char *word, enum bine_layout *l) {
    const char *names[BINE_LAYOUTS];
    char all[64];
    int found = bine_layout_find(word);
    if (found >= 0) {
        *l = (enum bine_layout)found;
        return 0;
    }
    for (int i = 0; i < BINE_LAYOUTS; i++)
        names[i] = bine_layout_name((enum bine_layout)i);
    join_names(all, sizeof all, names, BINE_LAYOUTS);
    return bine_complain_near(bine_nearest_word(word, names, BINE_LAYOUTS),
                              "unknown layout '%s': expected one of %s", word, all);
}

int bine_word_number(const char *what, const char *word, long low, long high, long *value) {
    char *end;
    errno = 0;
    *value = strtol(word, &end, 10);
    /* strtol skips blanks and takes a sign; a number here starts with a digit or a minus. */
    int starts = (word[0] >= '0' && word[0] <= '9') || word[0] == '-';
    if (!starts || end == word || *end != '\0')
        return bine_complain("%s '%s': expected a whole number from %ld to %ld", what, word, low,
                             high);
    if (errno == ERANGE || *value < low || *value > high)
        return bine_complain("%s %s: expected %ld to %ld", what, word, low, high);
    return 0;
}

int bine_word_share(const char *what, const char *word, double *share) {
    return bine_rates_read_share(word, share) == 0
               ? 0
               : bine_complain("%s '%s': expected " BINE_SHARE_EXPECTED, what, word);
}

int bine_word_int(const char *what, const char *word, long low, long high, int *value) {
    long number;
    if (bine_word_number(what, word, low, high, &number) != 0)
        return BINE_EXIT_USAGE;
    *value = (int)number;
    return 0;
}

int bine_word_segments(const char *word, const struct bine_algorithm *a, int *segments) {
    if (bine_word_int("segments", word, 1, BINE_SEGMENTS_MOST, segments) != 0)
        return BINE_EXIT_USAGE;
    return a->trees > 0 ? 0
                        : bine_complain("--segments: %s %s is not a pipeline",
                                        bine_collective_name(a->collective), a->name);
}

int bine_name_is_known(const char *name) {
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (bine_algorithm_find(bine_catalogue[i].collective, name) != NULL ||
            strcmp(bine_catalogue[i].family, name) == 0)
            return 1;
    return 0;
}

int bine_words_each(const char *list, int (*take)(void *self, char *word), void *self) {
    const char *at = list;
    int rc = 0;
    for (int more = 1; more && rc == 0;) {
        char word[96];
        size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof word)
            return bine_complain("-a %s: expected names with commas between them", list);
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        rc = take(self, word);
        more = at[length] == ',';
        at += length + 1;
    }
    return rc;
}

int bine_spec_complain(const struct bine_spec *spec) {
    const char *names[BINE_LAYOUTS] = {0};
    char why[200], all[64];
    size_t n = 0;
    const struct bine_algorithm *a = spec->algorithm;
    if (bine_spec_error(spec, why, sizeof why) == NULL)
        return 0;
    if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS && spec->groups == NULL)
        return bine_complain("%s: expected --groups, or --machine and --hosts", why);
    if (bine_algorithm_needs(a) == BINE_NEEDS_DIMS && spec->dims == NULL)
        return bine_complain("%s: expected --dims, or --machine and --hosts of a torus", why);
    if (spec->p < 1 || !bine_algorithm_takes(a, spec->p) ||
        bine_algorithm_has_layout(a, spec->layout, spec->p))
        return bine_complain("%s", why);
    /* It is the layout: say which ones there are. */
    for (int i = 0; a->layouts[i] >= 0; i++)
        if (bine_algorithm_has_layout(a, (enum bine_layout)a->layouts[i], spec->p))
            names[n++] = bine_layout_name((enum bine_layout)a->layouts[i]);
    join_names(all, sizeof all, names, n);
    return bine_complain("%s: expected %s%s", why, n > 1 ? "one of " : "", all);
}

/* The name of a long option that was typed, "ranks" of "--ranks=8". */
struct name {
    const char *at;
    size_t length;
};

static struct name long_name(const char *word) {
    return (struct name){word + 2, strcspn(word + 2, "=")};
}

static const struct option *find_long(const struct name *name, const struct option *longs) {
    for (; longs->name != NULL; longs++)
        if (strlen(longs->name) == name->length && memcmp(longs->name, name->at, name->length) == 0)
            return longs;
    return NULL;
}

/* The long option that a wrong name was meant to be, or NULL: the first that it begins or,
 * otherwise, the nearest. */
static const char *guess_long(const struct name *name, const struct option *longs) {
    const char *names[32];
    char bare[64];
    size_t n = 0;
    for (; longs[n].name != NULL && n < 32; n++) {
        names[n] = longs[n].name;
        if (name->length > 0 && strncmp(names[n], name->at, name->length) == 0)
            return names[n];
    }
    snprintf(bare, sizeof bare, "%.*s", (int)name->length, name->at);
    return bine_nearest_word(bare, names, n);
}

/* `word` is an unknown long option, or one letter. */
static int complain_unknown(char **argv, const char *word, const struct option *longs) {
    const char *help_of = bine_complainer == NULL ? "" : bine_complainer;
    int is_long = strncmp(word, "--", 2) == 0, has_subcommands = strcmp(help_of, "bine") == 0;
    struct name name = is_long ? long_name(word) : (struct name){"", 0};
    const char *guess = is_long ? guess_long(&name, longs) : NULL;
    char dashed[64];
    snprintf(dashed, sizeof dashed, "--%s", guess == NULL ? "" : guess);
    bine_complain_near(guess == NULL ? NULL : dashed, "unknown option %s: see '%s%s%s --help'",
                       word, help_of, has_subcommands ? " " : "", has_subcommands ? argv[0] : "");
    return '?';
}

/* Whether getopt_long failed at this long option: it is unknown, or has a value too few or too
 * many. If it failed at a letter in the middle of a word, this is an earlier word, and a good one.
 */
static int is_failed_long(const char *word, int letter, const struct option *longs) {
    if (strncmp(word, "--", 2) != 0)
        return 0;
    struct name name = long_name(word);
    const struct option *o = find_long(&name, longs);
    return letter == ':' || optopt == 0 ||
           (strchr(word, '=') != NULL && (o == NULL || o->has_arg == no_argument));
}

/* The word that getopt_long took last, if that is a long option; otherwise NULL. It lies before
 * its value, where that is a word of its own. */
static const char *last_long(char **argv, int letter, int index, const struct option *longs) {
    int apart = index >= 0 && optarg != NULL && optarg == argv[optind - 1];
    const char *word = argv[optind - 1 - apart];
    if (letter == '?' || letter == ':')
        return is_failed_long(word, letter, longs) ? word : NULL;
    return index >= 0 ? word : NULL;
}

int bine_option_next(int argc, char **argv, const char *shorts, const struct option *longs) {
    char with_colon[64];
    int plus = shorts[0] == '+', index = -1;
    /* A colon in front makes getopt tell a missing value from an unknown option. */
    snprintf(with_colon, sizeof with_colon, "%s:%s", plus ? "+" : "", shorts + plus);
    opterr = 0;
    int letter = getopt_long(argc, argv, with_colon, longs, &index);
    if (letter == -1)
        return -1;
    const char *word = last_long(argv, letter, index, longs);
    if (word != NULL) {
        /* getopt_long takes the beginning of a name for the name. */
        struct name name = long_name(word);
        if (find_long(&name, longs) == NULL)
            return complain_unknown(argv, word, longs);
    }
    if (letter != '?' && letter != ':')
        return letter;
    /* A short option may be in the middle of a word: optopt is it. */
    char one[3] = {'-', (char)optopt, '\0'};
    if (word == NULL && letter == '?')
        return complain_unknown(argv, one, longs);
    if (letter == ':')
        bine_complain("option %s needs a value", word != NULL ? word : one);
    else
        bine_complain("option %s: it takes no value", word);
    return '?';
}

int bine_arguments_count(int argc, char **argv, int low, int high, const char *expected) {
    int n = argc - optind;
    if (n < low)
        return bine_complain("missing argument: expected 'bine %s %s'; see 'bine %s --help'",
                             argv[0], expected, argv[0]);
    if (n > high)
        return bine_complain("extra argument '%s': expected 'bine %s %s'", argv[optind + high],
                             argv[0], expected);
    return 0;
}

void bine_line_append(char line[BINE_LINE], const char *format, ...) {
    size_t n = strlen(line);
    va_list list;
    va_start(list, format);
    vsnprintf(line + n, BINE_LINE - n, format, list);
    va_end(list);
}
