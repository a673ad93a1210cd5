/* Complaints of the command bine. bine-bench has its own: of many ranks only one speaks. */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>

/* A complaint is one line whatever was typed: control characters in a word are shown as '?'. */
static int say(const char *nearest, const char *format, va_list args) {
    char line[512];
    vsnprintf(line, sizeof line, format, args);
    for (char *c = line; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    if (nearest != NULL)
        fprintf(stderr, "bine: %s; did you mean '%s'?\n", line, nearest);
    else
        fprintf(stderr, "bine: %s\n", line);
    return BINE_EXIT_USAGE;
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
