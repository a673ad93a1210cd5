/* The fake device's memory, for the test. */
#ifndef BINE_TESTS_FAKE_DEVICE_H
#define BINE_TESTS_FAKE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

void *fake_device_new(size_t bytes);
void fake_device_free_all(void);
void fake_device_copy(void *to, const void *from, size_t bytes);
void fake_device_free(void *memory);
/* Copies that the library under test has asked for, and kernels. */
long fake_device_copies(void);
long fake_device_launches(void);
/* Whether memory that is made from now on has handles for other processes. */
void fake_device_pooled(int pooled);

#endif
