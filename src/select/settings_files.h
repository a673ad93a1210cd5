/* Settings that stand in files. */
#ifndef BINE_SELECT_SETTINGS_FILES_H
#define BINE_SELECT_SETTINGS_FILES_H

enum { BINE_CONF_FILES = 3, BINE_CONF_PATH = 256, BINE_CONF_VALUE = 256, BINE_CONF_WRONG = 4 };

/* NAME = VALUE, in a list. */
struct bine_conf_line {
    struct bine_conf_line *earlier;
    int row, line;
    char value[];
};

struct bine_conf {
    char path[BINE_CONF_PATH]; /* empty: there is none */
    int unreadable;            /* it was asked for, and cannot be read */
    struct bine_conf_line *last;
    int wrongs; /* lines that mean nothing, the first few of which are kept */
    int wrong_line[BINE_CONF_WRONG];
    char wrong[BINE_CONF_WRONG][64]; /* the name, or empty where there is no '=' */
};

/* The row of a name that may stand in a file, or -1. */
typedef int bine_conf_row(const char *name);

/* In the order of precedence: BINE_CONF_FILES of them, read on the first call in the process and
 * kept to its end. Empty ones when out of memory. */
const struct bine_conf *bine_conf_files(bine_conf_row *row_of);

/* The line that holds for a row, or NULL. */
const struct bine_conf_line *bine_conf_find(const struct bine_conf *f, int row);

#endif
