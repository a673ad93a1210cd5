/* The options of a subcommand as a table: a row says what an option is called, what it takes and
 * where that goes. */
#ifndef BINE_TOOLS_CLI_OPTION_TABLE_H
#define BINE_TOOLS_CLI_OPTION_TABLE_H

#include <stdint.h>

struct bine_option;
/* Reads the word behind an option (NULL behind a flag). 0, or BINE_EXIT_USAGE after complaining. */
typedef int bine_option_read(const struct bine_option *o, const char *word);

struct bine_option {
    const char *name; /* "ranks": --ranks */
    char letter;      /* 'o': -o means the same; 0: there is no letter */
    bine_option_read *read;
    void *to;
    int64_t low, high; /* what a number may be */
    const char *what;  /* complaints of a number call it that; NULL: as its name */
};

/* What options take, and what `to` points to. */
bine_option_read bine_take_flag;    /* int: becomes 1 */
bine_option_read bine_take_word;    /* const char *: as typed */
bine_option_read bine_take_int;     /* int, from low to high */
bine_option_read bine_take_long;    /* long, from low to high */
bine_option_read bine_take_bytes;   /* int64_t: 64K, 1M, up to high */
bine_option_read bine_take_layout;  /* int: an enum bine_layout */
bine_option_read bine_take_ports;   /* int */
bine_option_read bine_take_format;  /* enum bine_format */
bine_option_read bine_take_share;   /* double: above 0, up to 1 */
bine_option_read bine_take_library; /* int: an enum bine_library, openmpi or mpich */

/* Read the options of a command line; the last row is all zero, and --help needs none. The
 * arguments left are those from argv[optind] on. 0, BINE_EXIT_USAGE after complaining, or
 * BINE_OPTIONS_HELP if help was asked for. */
enum { BINE_OPTIONS_HELP = -1 };
int bine_options_read(int argc, char **argv, const struct bine_option *rows);
/* Print the page of help; returns the exit code. */
int bine_options_help(const char *page);

#endif
