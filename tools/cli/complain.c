/* Complaints, of the command bine and of bine-bench. */
#include "cli/command.h"

#include <stdarg.h>
#include <stdio.h>

const char *bine_complainer = "bine";

/* A complaint is one line whatever was typed: control characters in a word are shown as '?'. */
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
