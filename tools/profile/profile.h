/* bine profile: what a program's collectives took, as text, as a table and as a page. */
#ifndef BINE_TOOLS_PROFILE_PROFILE_H
#define BINE_TOOLS_PROFILE_PROFILE_H

#include "cli/command.h"
#include "cli/output/table.h"
#include "cli/profile_calls.h"

struct bine_profile_options {
    enum bine_format format;
    int rows; /* of a table as text, at most */
    const char *page;
};

/* One profile, with its name. */
struct bine_profile_view {
    const char *name;
    struct bine_profile profile;
    struct bine_profile_calls calls;
};

/* The facts in a few lines, which are also the beginning of the page. */
enum { BINE_PROFILE_LINES = 4 };
int bine_profile_lines(const struct bine_profile_view *v, char line[BINE_PROFILE_LINES][BINE_LINE]);

/* Print one, or two beside each other: an exit code. */
int bine_profile_print(const struct bine_profile_view *v, const struct bine_profile_options *o);
int bine_profile_print_both(const struct bine_profile_view v[2],
                            const struct bine_profile_options *o);
/* Write the page of one. */
int bine_profile_write_page(const struct bine_profile_view *v, const char *path);

/* Whether the program was asked to record where its calls are. */
int bine_profile_has_sites(const struct bine_profile_calls *c);

#endif
