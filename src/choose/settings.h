/* Settings of the library: one table says the name, the default and the meaning of each.
 *
 * They are read from the environment once, on rank 0 of each communicator, and handed to the others
 * when the communicator is first used, so that all ranks always make the same choices. */
#ifndef BINE_CHOOSE_SETTINGS_H
#define BINE_CHOOSE_SETTINGS_H

#include "schedule/catalogue.h"

struct bine_forced {
    int32_t algorithm; /* in the catalogue, or -1: choose; -2: something unknown */
    int32_t layout;    /* or -1: the algorithm's own; -2: something unknown */
};

/* Plain numbers only: it travels as bytes. */
struct bine_settings {
    struct bine_forced forced[BINE_COLLECTIVES];
    int64_t segment; /* bytes */
    int32_t bad;     /* the number of the setting that could not be read + 1, or 0 */
};

struct bine_setting {
    const char *name, *value, *meaning; /* the value is the default */
};

extern const struct bine_setting bine_setting_table[];
extern const size_t bine_setting_count;

/* From the environment. If a value is wrong, says so in `why`: calls of a collective whose
 * algorithm or layout is unknown are refused, of sizes the default is kept. */
void bine_settings_read(struct bine_settings *s, char *why, size_t size);

/* "NAME" or "NAME:LAYOUT" for a collective; 0, or -1 with the reason. */
int bine_forced_parse(enum bine_collective c, const char *text, struct bine_forced *f, char *why,
                      size_t size);

#endif
