/* The arguments of a kernel: the operands, and where their sum goes. C and CUDA both read this. */
#ifndef BINE_DEVICE_JOB_H
#define BINE_DEVICE_JOB_H

/* Ranks that one kernel serves, at most. Its arguments are limited to 4 KiB. */
#define BINE_JOB_RANKS 64

/* to[j][i] = from[0][i] op from[1][i] op ... for i below n and j below `m`; or, by the kernel
 * `pairs`, to[j][i] = from[j][i]. The elements from `head` on lie in `body` vectors of 16 bytes
 * that are aligned in all buffers; the elements before and behind are taken one by one. */
struct bine_job {
    const void *from[BINE_JOB_RANKS];
    void *to[BINE_JOB_RANKS];
    int k, m;
    long long head, body, n;
};

#endif
