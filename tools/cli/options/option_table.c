#include "cli/options/option_table.h"

#include "cli/command.h"
#include "cli/options/bytes.h"
#include "cli/options/shapes.h"
#include "cli/output/table.h"
#include "select/rules.h"

#include <stdio.h>

/* Options without a letter have numbers behind all letters. */
enum { OPTIONS_MOST = 30, FIRST_NUMBER = 256 };

static const char *name_of(const struct bine_option *o) {
    return o->what != NULL ? o->what : o->name;
}

int bine_take_flag(const struct bine_option *o, const char *word) {
    (void)word;
    *(int *)o->to = 1;
    return 0;
}

int bine_take_word(const struct bine_option *o, const char *word) {
    *(const char **)o->to = word;
    return 0;
}

int bine_take_long(const struct bine_option *o, const char *word) {
    return bine_word_number(name_of(o), word, (long)o->low, (long)o->high, o->to);
}

int bine_take_int(const struct bine_option *o, const char *word) {
    return bine_word_int(name_of(o), word, (long)o->low, (long)o->high, o->to);
}

int bine_take_bytes(const struct bine_option *o, const char *word) {
    return bine_word_bytes(name_of(o), word, o->high, o->to);
}

int bine_take_layout(const struct bine_option *o, const char *word) {
    enum bine_layout l;
    if (bine_word_layout(word, &l) != 0)
        return BINE_EXIT_USAGE;
    *(int *)o->to = (int)l;
    return 0;
}

int bine_take_ports(const struct bine_option *o, const char *word) {
    return bine_word_ports(word, o->to);
}

int bine_take_format(const struct bine_option *o, const char *word) {
    return bine_word_format(word, o->to);
}

int bine_take_share(const struct bine_option *o, const char *word) {
    return bine_word_share(name_of(o), word, o->to);
}

int bine_take_library(const struct bine_option *o, const char *word) {
    int k = bine_library_find(word);
    if (k <= BINE_LIBRARY_ANY)
        return bine_complain("--mpi '%s': expected openmpi or mpich", word);
    *(int *)o->to = k;
    return 0;
}

/* The table as getopt_long wants it. */
static void convert(const struct bine_option *rows, struct option *longs, char *shorts) {
    int n = 0;
    for (; rows[n].name != NULL && n < OPTIONS_MOST; n++) {
        const struct bine_option *o = &rows[n];
        int flag = o->read == bine_take_flag;
        longs[n] = (struct option){o->name, flag ? no_argument : required_argument, NULL,
                                   o->letter != 0 ? o->letter : FIRST_NUMBER + n};
        if (o->letter != 0)
            shorts += sprintf(shorts, "%c%s", o->letter, flag ? "" : ":");
    }
    longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
    longs[n] = (struct option){0};
    sprintf(shorts, "h");
}

static const struct bine_option *find(const struct bine_option *rows, int value) {
    if (value >= FIRST_NUMBER)
        return &rows[value - FIRST_NUMBER];
    while (rows->letter != value)
        rows++;
    return rows;
}

int bine_options_read(int argc, char **argv, const struct bine_option *rows) {
    struct option longs[OPTIONS_MOST + 2];
    char shorts[2 * OPTIONS_MOST + 2];
    int value, rc = 0;
    convert(rows, longs, shorts);
    while (rc == 0 && (value = bine_option_next(argc, argv, shorts, longs)) != -1) {
        if (value == '?')
            return BINE_EXIT_USAGE;
        if (value == 'h')
            return BINE_OPTIONS_HELP;
        const struct bine_option *o = find(rows, value);
        rc = o->read(o, optarg);
    }
    return rc;
}

int bine_options_help(const char *page) {
    return printf("%s", page) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
}
