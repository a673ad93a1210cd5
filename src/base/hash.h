/* One hash for whatever is compared or looked up by its bytes. */
#ifndef BINE_BASE_HASH_H
#define BINE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Mixes bytes into a number that differs where they do (FNV-1a). Begin with BINE_HASH. */
#define BINE_HASH UINT64_C(0xcbf29ce484222325)
uint64_t bine_hash(uint64_t hash, const void *data, size_t size);

/* A number of 32 bits from one of 64: numbers near each other come far apart. */
static inline uint32_t bine_hash_number(uint64_t x) {
    return (uint32_t)((x * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

#endif
