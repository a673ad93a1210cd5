#include "report/warn.h"
#include "base/hash.h"

#include "select/settings.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS = 64 };

/* Whether the warning is new. The table has enough room for one program. */
static int is_new(uint64_t key) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t said[WARNINGS];
    static int n;
    int fresh = 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n; i++)
        fresh = fresh && said[i] != key;
    fresh = fresh && n < WARNINGS;
    if (fresh)
        said[n++] = key;
    pthread_mutex_unlock(&lock);
    return fresh;
}

void bine_warn(int speaks, uint64_t key, const char *format, ...) {
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (is_new(key != 0 ? key : bine_hash(BINE_HASH, text, strlen(text))) && speaks)
        fprintf(stderr, "bine: %s\n", text);
}
