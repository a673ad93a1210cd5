/* One way to print a table: text for people, csv, json.
 *
 * Text fits a terminal of 100 columns. A table that is too wide for it stands closer; then the last
 * column, if it is of words, goes to lines of its own; then the widest columns of words are broken
 * between words. */
#ifndef BINE_TOOLS_CLI_TABLE_H
#define BINE_TOOLS_CLI_TABLE_H

#include <stddef.h>

enum bine_format { BINE_FORMAT_TEXT, BINE_FORMAT_CSV, BINE_FORMAT_JSON };

enum bine_column_kind { BINE_COLUMN_WORDS, BINE_COLUMN_NUMBER };

struct bine_column {
    const char *name;
    enum bine_column_kind kind; /* numbers stand at the right, and are numbers in json */
};

/* Cells are kept row after row. An empty number is null in json. */
struct bine_table {
    const struct bine_column *column;
    const char *const *title; /* of the columns as text, shorter than their names; or NULL */
    size_t columns;
    char **cell;
    size_t cells, room;
    int failed; /* out of memory */
};

/* A word of --format: 0, or BINE_EXIT_USAGE after complaining. */
int bine_word_format(const char *word, enum bine_format *format);

/* Append the next cell. */
void bine_table_add(struct bine_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Print to stdout; 0, or BINE_EXIT_USAGE after complaining that memory ran out. */
int bine_table_print(const struct bine_table *t, enum bine_format format);
void bine_table_free(struct bine_table *t);

#endif
