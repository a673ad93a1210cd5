#include "report/problems.h"
#include "base/hash.h"

#include "mpi/world.h"
#include "report/warn.h"
#include "select/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static uint64_t keys[BINE_PROBLEMS];
static char texts[BINE_PROBLEMS][BINE_PROBLEM_TEXT];

/* Problems without a place are reported by rank 0 only. */
static void keep(uint64_t key, const char *text) {
    int i = 0;
    bine_report_lock();
    while (i < BINE_PROBLEMS && keys[i] != 0 && keys[i] != key)
        i++;
    if (i < BINE_PROBLEMS && keys[i] == 0) {
        keys[i] = key;
        strcpy(texts[i], text);
    }
    bine_report_unlock();
}

void bine_problem(const char *key, const char *format, ...) {
    char text[BINE_PROBLEM_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (key == NULL)
        key = text;
    uint64_t hash = bine_hash(BINE_HASH, key, strlen(key)) | 1;
    keep(hash, text);
    if (bine_world_rank() == 0)
        bine_warn(1, hash, "%s", text);
}

void bine_problems_tell(int speaks) {
    uint64_t key[BINE_PROBLEMS];
    bine_problems(key);
    for (int i = 0; i < BINE_PROBLEMS && key[i] != 0; i++)
        bine_warn(speaks, key[i], "%s", texts[i]);
}

void bine_problem_of(void *unused, const char *text) {
    (void)unused;
    bine_problem(NULL, "%s", text);
}

uint64_t bine_problems(uint64_t key[BINE_PROBLEMS]) {
    uint64_t sum = 0;
    bine_report_lock();
    memcpy(key, keys, sizeof keys);
    bine_report_unlock();
    for (int i = 0; i < BINE_PROBLEMS; i++)
        sum += key[i];
    return sum;
}

const char *bine_problem_text(int place) {
    return texts[place];
}
