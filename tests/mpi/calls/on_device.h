/* Buffers of the conformance test in the memory of a device, by a library that is named in the
 * environment (BINE_TEST_DEVICE): the fake runtime, or cuda_device.c for a real one. */
#ifndef BINE_TESTS_ON_DEVICE_H
#define BINE_TESTS_ON_DEVICE_H

#include <stddef.h>

/* Load it; 0 where none is named. */
int on_device_begin(void);

int on_device_is_there(void);

/* A copy of so many bytes on the device, or NULL: there is none. */
char *on_device_copy(const char *memory, size_t bytes);
void on_device_write(char *there, const char *memory, size_t bytes);
void on_device_read(char *memory, const char *there, size_t bytes);
void on_device_free(char *there);

/* Kernels that the library has run; -1 if it does not count them. */
long on_device_launches(void);

#endif
