/* Settings of the library: one table says the name, the default and the meaning of each.
 *
 * A value comes from the environment, from the file that BINE_CONFIG names, from
 * ~/.config/bine/bine.conf, from the system's bine.conf, or from the table, in this order. The
 * environment is read when a communicator is first used, the files once in a process. All ranks of
 * a communicator compare their values before they choose anything by them. */
#ifndef BINE_SELECT_SETTINGS_H
#define BINE_SELECT_SETTINGS_H

#include "schedule/catalogue.h"

/* A selection: an algorithm by its number in the catalogue, or one of these. */
enum { BINE_SELECTION_NONE = -1, BINE_SELECTION_MPI = -3 };

struct bine_selection {
    int32_t algorithm;
    int32_t layout; /* or -1: the algorithm's own */
};

/* In which order flat algorithms take the ranks. */
enum bine_reordering {
    BINE_REORDERING_OFF,
    BINE_REORDERING_HOSTNAME,
    BINE_REORDERING_GROUP,
    BINE_REORDERINGS
};

/* How much may be tried. */
enum bine_effort { BINE_EFFORT_MEASURE, BINE_EFFORT_ESTIMATE, BINE_EFFORT_PATIENT, BINE_EFFORTS };

/* The inputs other than its data that the bits of a reduction depend on. */
enum bine_reproducible {
    BINE_REPRODUCIBLE_OFF,
    BINE_REPRODUCIBLE_RUN,       /* on the program and the shape of its job: not on the run */
    BINE_REPRODUCIBLE_PLACEMENT, /* on the number of ranks: nor on where they are */
    BINE_REPRODUCIBLES
};

/* The settings that choices depend on. Numbers without gaps: ranks compare them by their bytes. */
struct bine_settings {
    struct bine_selection forced[BINE_COLLECTIVES];
    int64_t segment;        /* bytes */
    int64_t always;         /* drop-in: Bine's own choice for every call */
    int64_t nonblocking;    /* drop-in: nonblocking and persistent calls are intercepted */
    int64_t crowded;        /* drop-in: calls where ranks have no core each, too */
    int64_t off;            /* MPI's own for every call */
    int64_t model;          /* it is asked, where there is ground for it */
    int64_t learn;          /* drop-in: calls that come again may try several algorithms */
    int64_t effort;         /* enum bine_effort: how many, and how closely the model looks */
    int64_t effort_time;    /* microseconds for that, in all; INT64_MAX: no limit */
    int64_t reorder;        /* enum bine_reordering */
    int64_t reproducible;   /* enum bine_reproducible */
    int64_t shared;         /* bytes of shared memory of a process, at most; 0: none */
    int64_t device;         /* devices make calls on their memory by themselves */
    struct bine_shape dims; /* of the torus that ranks are on; no dims: not given */
    int32_t ports;          /* of torus algorithms, at most */
};

/* Larger nodes have no boards: everybody would have to look at everybody's. */
enum { BINE_BOARDS_MOST = 1024 };

/* Whether nodes of up to `per_node` ranks have boards, if the system permits it. */
static inline int bine_settings_allow_boards(const struct bine_settings *s, int per_node) {
    return s->shared > 0 && per_node > 1 && per_node <= BINE_BOARDS_MOST;
}

struct bine_setting {
    const char *name, *value, *takes, *meaning; /* the value is the default */
};

/* Rows of the table: one for each collective, one for each collective's layout, then these. */
enum {
    BINE_SETTING_LAYOUTS = BINE_COLLECTIVES,
    BINE_SETTING_SEGMENT = 2 * BINE_COLLECTIVES,
    BINE_SETTING_GROUPS,
    BINE_SETTING_MACHINE,
    BINE_SETTING_MACHINES,
    BINE_SETTING_LEVEL,
    BINE_SETTING_REORDER,
    BINE_SETTING_REPRODUCIBLE,
    BINE_SETTING_RULES,
    BINE_SETTING_ALWAYS,
    BINE_SETTING_NONBLOCKING,
    BINE_SETTING_CROWDED,
    BINE_SETTING_MODEL,
    BINE_SETTING_LEARN,
    BINE_SETTING_EFFORT,
    BINE_SETTING_EFFORT_SECONDS,
    BINE_SETTING_WISDOM,
    BINE_SETTING_WISDOM_READONLY,
    BINE_SETTING_DIMS,
    BINE_SETTING_PORTS,
    BINE_SETTING_SHARED,
    BINE_SETTING_DEVICE,
    BINE_SETTING_DEVICE_POINTERS,
    BINE_SETTING_VERBOSE,
    BINE_SETTING_PROFILE,
    BINE_SETTING_PROFILE_SITES,
    BINE_SETTING_PROFILE_NAMES,
    BINE_SETTING_TIMELINE,
    BINE_SETTING_TIMELINE_CALLS,
    BINE_SETTING_OFF,
    BINE_SETTING_CONFIG,
    BINE_SETTINGS
};

extern const struct bine_setting bine_setting_table[];

/* The value of a row, and where it comes from: "environment", "built in" or FILE:LINE. */
enum { BINE_ORIGIN_TEXT = 300 };
const char *bine_setting_value(int row, char origin[BINE_ORIGIN_TEXT]);

/* Called with one line for each thing that is wrong. */
typedef void bine_complaint(void *context, const char *text);

/* A setting that cannot be followed is complained of, and counts as not set. */
void bine_settings_read(struct bine_settings *s, bine_complaint *complain, void *context);
/* Names that no setting has, in the environment and in the files, and files that cannot be read. */
void bine_settings_check_names(bine_complaint *complain, void *context);

/* BINE_VERBOSE and such: whether it is on. 0, or -1 where that cannot be told: then it is not. */
int bine_setting_flag(int row, int *on);

/* BINE_DEVICE_POINTERS: 0 or 1; or -1: auto, or it cannot be told. */
int bine_setting_pointers(void);

/* BINE_LEVEL; 0: all levels, or it is no level. */
int bine_setting_level(void);

/* "mpi", "NAME" or "NAME:LAYOUT" for a collective; 0, or -1 with the reason. */
int bine_selection_parse(enum bine_collective c, const char *text, struct bine_selection *f,
                         char *why, size_t size);
#endif
