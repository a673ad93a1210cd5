/* The fake device's memory, for the test. */
#ifndef BINE_TESTS_FAKE_DEVICE_H
#define BINE_TESTS_FAKE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

void *fake_device_new(size_t bytes);
void fake_device_free_all(void);
void fake_device_copy(void *to, const void *from, size_t bytes);
void fake_device_free(void *memory);
/* Copies between the device and the host that the library under test has asked for, those of them
 * from and to memory of the host that it had from the runtime (pinned), and kernels. */
long fake_device_copies(void);
long fake_device_pinned(void);
long fake_device_launches(void);
/* Whether memory that is made from now on has no handles for other processes. */
void fake_device_pooled(int pooled);
/* Whether all of it can be touched by anybody: as an MPI library does that takes such memory. 0, or
 * -1 where that cannot be had. */
int fake_device_open(int open);
/* Begin a copy that is done later: in a stream of its own, which is returned, or (0) in the default
 * one. */
void *fake_device_later(void *to, const void *from, size_t bytes, int own);

#endif
