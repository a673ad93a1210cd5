/* What every unit test includes: cmocka and the headers it needs before it. */
#ifndef BINE_TESTS_UNIT_H
#define BINE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* With sanitizers a test takes several times as long, and they see in the small cases what they see
 * in all: those above this many ranks are for the build without. */
#ifdef __SANITIZE_ADDRESS__
#define UNIT_MOST_RANKS 24
#else
#define UNIT_MOST_RANKS 4096
#endif
#define UNIT_TO(most) ((most) < UNIT_MOST_RANKS ? (most) : UNIT_MOST_RANKS)

#endif
