/* The parts of report.html. */
#ifndef BINE_TOOLS_REPORT_REPORT_PAGE_H
#define BINE_TOOLS_REPORT_REPORT_PAGE_H

#include "report/report.h"

/* A setup: so many ranks and nodes, under these conditions. */
struct bine_report_setup {
    int ranks, nodes, conditions;
};
enum { BINE_SETUPS_MOST = 128 };
/* The setups of a system (of a collective, or -1: of all), ascending; returns how many. */
int bine_report_setups(const struct bine_report *r, int system, int collective,
                       struct bine_report_setup setup[BINE_SETUPS_MOST]);

/* Whether a cell is of a setup. */
int bine_setup_has(const struct bine_report_setup *setup, const struct bine_cell *c);
/* "dims 4x4", or a number if that would be long; "" if all is measured under the same conditions.
 */
enum { BINE_CONDITIONS_TEXT = 40, BINE_SETUP_TEXT = 96 };
void bine_conditions_text(const struct bine_report *r, int conditions,
                          char text[BINE_CONDITIONS_TEXT]);
/* "16 ranks on 4 nodes, dims 4x4". */
void bine_setup_text(const struct bine_report *r, const struct bine_report_setup *setup,
                     char text[BINE_SETUP_TEXT]);

/* Heat maps of a system: Bine against all others, and layouts against each other. */
int bine_heat_write(FILE *f, const struct bine_report *r, int system);
int bine_layouts_write(FILE *f, const struct bine_report *r, int system);

/* The plots of a system, in FOLDER/plots: sources, data and pictures. */
enum { BINE_PLOT_NAME = 160 };
void bine_plot_name(char name[BINE_PLOT_NAME], const struct bine_report *r, const char *what,
                    int system, int collective, const struct bine_report_setup *setup);
/* Whether there are boxes of gains: of one to three cells there are none. */
int bine_report_has_boxes(const struct bine_report *r, int system);
int bine_plots_draw(const struct bine_report *r, const char *folder);

#endif
