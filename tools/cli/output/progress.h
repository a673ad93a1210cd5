/* Progress on stderr, on a terminal only: how much is done, and about how long the rest will take.
 */
#ifndef BINE_TOOLS_CLI_PROGRESS_H
#define BINE_TOOLS_CLI_PROGRESS_H

enum { BINE_PROGRESS_TEXT = 64 };

/* "12 %, 3 min 20 s left", from the share that is done (0 to 1) and the seconds that it took. Less
 * than a second, or than a thousandth of the work, tells nothing of the rest. */
const char *bine_progress_text(double share, double took, char text[BINE_PROGRESS_TEXT]);

/* All zero: nothing is shown yet. */
struct bine_progress {
    int shown;
    double begin;
};

/* A line in place of the one before: what is being done, and the share that is done. */
void bine_progress_show(struct bine_progress *p, double share, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The line goes. */
void bine_progress_end(struct bine_progress *p);

#endif
