/* The parts of report.html. */
#ifndef BINE_TOOLS_REPORT_REPORT_PAGE_H
#define BINE_TOOLS_REPORT_REPORT_PAGE_H

#include "report/report.h"

/* Text as HTML wants it. */
void bine_html_text(FILE *f, const char *text);
/* The page's style. */
extern const char bine_report_style[];

/* A setting: ranks and nodes on a system. */
struct bine_setting_key {
    int ranks, nodes;
};
enum { BINE_SETTINGS_MOST = 64 };
/* The settings of a system (of a collective, or -1: of all), ascending; returns how many. */
int bine_report_settings(const struct bine_report *r, int system, int collective,
                         struct bine_setting_key key[BINE_SETTINGS_MOST]);

/* A size to sort cells by: where p is no power of two, vectors are a little smaller than asked. */
int64_t bine_nominal_bytes(int64_t bytes);
/* "16 ranks on 4 nodes". */
void bine_setting_text(const struct bine_setting_key *key, char text[64]);

/* Heat maps of a system: Bine against all others, and layouts against each other. */
int bine_heat_write(FILE *f, const struct bine_report *r, int system);
int bine_layouts_write(FILE *f, const struct bine_report *r, int system);

/* The plots of a system, in FOLDER/plots: sources, data and pictures. */
enum { BINE_PLOT_NAME = 160 };
void bine_plot_name(char name[BINE_PLOT_NAME], const struct bine_report *r, const char *what,
                    int system, int collective, const struct bine_setting_key *key);
int bine_plots_draw(const struct bine_report *r, const char *folder);

#endif
