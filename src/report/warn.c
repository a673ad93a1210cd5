#include "report/warn.h"
#include "base/hash.h"

#include "select/settings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Apart from the lock of base/lock.h, which holders of problems may have. */
void bine_report_lock(void) {
    pthread_mutex_lock(&lock);
}

void bine_report_unlock(void) {
    pthread_mutex_unlock(&lock);
}

/* Whether the warning is new: no key is 0. The table has enough room for one program. */
static int is_new(uint64_t key) {
    static uint64_t said[WARNINGS];
    int n = 0;
    bine_report_lock();
    while (n < WARNINGS && said[n] != 0 && said[n] != key)
        n++;
    int fresh = n < WARNINGS && said[n] == 0;
    if (fresh)
        said[n] = key;
    bine_report_unlock();
    return fresh;
}

void bine_warn(int speaks, uint64_t key, const char *format, ...) {
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (is_new(key != 0 ? key : bine_hash(BINE_HASH, text, strlen(text)) | 1) && speaks)
        fprintf(stderr, "bine: %s\n", text);
}
