/* What every unit test includes: cmocka and the headers it needs before it. */
#ifndef BINE_TESTS_UNIT_H
#define BINE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
