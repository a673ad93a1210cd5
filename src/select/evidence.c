#define _POSIX_C_SOURCE 200809L /* gmtime_r */

#include "select/evidence.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY = 24 * 60 * 60 };

/* Clocks of hosts, and the times at which their days begin, differ: tomorrow is no wrong date. */
int bine_evidence_is_due(const struct bine_evidence *e, int64_t today) {
    int64_t age = today - e->day;
    return e->tries <= 0 || age > BINE_EVIDENCE_DAYS || age < -1 || e->lead < e->spread;
}

int64_t bine_day_today(void) {
    return (int64_t)time(NULL) / DAY;
}

const char *bine_day_text(int64_t day, char text[BINE_DAY_TEXT]) {
    time_t seconds = (time_t)day * DAY;
    struct tm t;
    if (gmtime_r(&seconds, &t) == NULL || strftime(text, BINE_DAY_TEXT, "%Y-%m-%d", &t) == 0)
        strcpy(text, "1970-01-01");
    return text;
}

/* Days before a year, from year 0 on; leap years follow the Gregorian calendar. */
static int64_t days_before(int64_t year) {
    int64_t y = year - 1;
    return 365 * y + y / 4 - y / 100 + y / 400;
}

/* The text of the day that comes out must be the one that was given. */
int bine_day_parse(const char *text, int64_t *day) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    char again[BINE_DAY_TEXT];
    int y, m, d;
    if (sscanf(text, "%4d-%2d-%2d", &y, &m, &d) != 3 || y < 1970 || m < 1 || m > 12)
        return -1;
    int leap = m > 2 && (y % 400 == 0 || (y % 4 == 0 && y % 100 != 0));
    *day = days_before(y) - days_before(1970) + before[m - 1] + leap + d - 1;
    return strcmp(bine_day_text(*day, again), text) == 0 ? 0 : -1;
}
