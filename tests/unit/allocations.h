/* For programs of one file that are linked with --wrap for malloc, calloc, realloc and free. */
#ifndef BINE_TESTS_ALLOCATIONS_H
#define BINE_TESTS_ALLOCATIONS_H

#include <stddef.h>

/* Allocations, counted; the one numbered `fail_at` fails. The linker sends all calls here. */
static long calls, fail_at, live;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static int fails(void) {
    return ++calls == fail_at;
}

void *__wrap_malloc(size_t size) {
    void *x = fails() ? NULL : __real_malloc(size);
    live += x != NULL;
    return x;
}

void *__wrap_calloc(size_t n, size_t size) {
    void *x = fails() ? NULL : __real_calloc(n, size);
    live += x != NULL;
    return x;
}

void *__wrap_realloc(void *old, size_t size) {
    void *x = fails() ? NULL : __real_realloc(old, size);
    live += old == NULL && x != NULL;
    return x;
}

void __wrap_free(void *old) {
    live -= old != NULL;
    __real_free(old);
}

#endif
