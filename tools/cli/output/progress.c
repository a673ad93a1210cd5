#include "cli/output/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* "20 s", "3 min 20 s", "2 h 5 min": seconds that are left. */
static void text_of_rest(double rest, char *text, size_t room) {
    long seconds = (long)(rest + 0.5), minutes = (seconds + 30) / 60;
    if (seconds < 60)
        snprintf(text, room, "%ld s", seconds);
    else if (seconds < 3600)
        snprintf(text, room, "%ld min %ld s", seconds / 60, seconds % 60);
    else
        snprintf(text, room, "%ld h %ld min", minutes / 60, minutes % 60);
}

const char *bine_progress_text(double share, double took, char text[BINE_PROGRESS_TEXT]) {
    char left[32];
    if (share < 0.001 || took < 1)
        snprintf(text, BINE_PROGRESS_TEXT, "%.0f %%", 100 * share);
    else {
        text_of_rest(took / share * (1 - share), left, sizeof left);
        snprintf(text, BINE_PROGRESS_TEXT, "%.0f %%, %s left", 100 * share, left);
    }
    return text;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bine_progress_show(struct bine_progress *p, double share, const char *format, ...) {
    char text[BINE_PROGRESS_TEXT];
    va_list list;
    if (!p->shown)
        p->begin = now();
    p->shown = 1;
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K");
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, ": %s", bine_progress_text(share, now() - p->begin, text));
    fflush(stderr);
}

void bine_progress_end(struct bine_progress *p) {
    if (p->shown && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    p->shown = 0;
}
