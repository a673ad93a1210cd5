#include "direct.h"
#include "base/numbers.h"

#include "pattern/bine_family.h"
#include "pattern/negabinary.h"

#include <stddef.h>
#include <string.h>

enum { TAG = 1 };

/* Where block k of the vector begins: the first blocks are one element larger if they must. */
static int offset(const struct direct *x, int k) {
    int each = x->count / x->p, more = x->count % x->p;
    return each * k + (k < more ? k : more);
}

/* The partners of all steps, near-first or far-first; returns the number of steps. */
static int partners(const struct direct *x, enum bine_order order, int partner[BINE_MAX_STEPS]) {
    int d[BINE_MAX_STEPS], steps = bine_distance_list(x->p, order, BINE_SCALED, d);
    for (int j = 0; j < steps; j++)
        partner[j] = bine_partner(x->rank, d[j], x->p);
    return steps;
}

/* Reduce-scatter near-first, then allgather far-first. Each exchange halves the run of blocks that
 * this rank is in charge of; the way back doubles it. With block reverse(nu(r)) for rank r every
 * half is a run, and as both ways go through the same runs nothing need be permuted. */
void direct_allreduce_bine_large(const struct direct *x) {
    int partner[BINE_MAX_STEPS], steps = partners(x, BINE_NEAR_FIRST, partner);
    int mine = (int)bine_bits_reverse(bine_nu(x->rank, x->p), steps), first = 0;
    const float *from = x->in;
    if (steps == 0)
        memcpy(x->out, x->in, (size_t)x->count * sizeof *x->out);
    for (int j = 0, half = x->p / 2; j < steps; j++, half /= 2) {
        int upper = (mine & half) != 0;
        int keep = first + (upper ? half : 0), give = first + (upper ? 0 : half);
        int at = offset(x, keep), n = offset(x, keep + half) - at;
        int to = offset(x, give), m = offset(x, give + half) - to;
        float *into = j == 0 ? x->out + at : x->scratch;
        MPI_Sendrecv(from + to, m, MPI_FLOAT, partner[j], TAG, into, n, MPI_FLOAT, partner[j], TAG,
                     x->comm, MPI_STATUS_IGNORE);
        MPI_Reduce_local(j == 0 ? x->in + at : x->scratch, x->out + at, n, MPI_FLOAT, MPI_SUM);
        from = x->out;
        first = keep;
    }
    for (int j = steps - 1, half = 1; j >= 0; j--, half *= 2) {
        int other = first ^ half;
        int at = offset(x, first), to = offset(x, other);
        MPI_Sendrecv(x->out + at, offset(x, first + half) - at, MPI_FLOAT, partner[j], TAG,
                     x->out + to, offset(x, other + half) - to, MPI_FLOAT, partner[j], TAG, x->comm,
                     MPI_STATUS_IGNORE);
        first &= ~half;
    }
}

/* Whole vectors on the hypercube. The lower rank's part is always the left operand, so that all
 * ranks get the same bits: where that is ours, the sum is made in what was received, and the
 * buffers change places. Which of them to begin with follows from where the sum must be at the end.
 */
void direct_allreduce_doubling(const struct direct *x) {
    int swaps = 0;
    for (int bit = 1; bit < x->p; bit *= 2)
        swaps += (x->rank & bit) == 0;
    const float *own = x->in;
    float *other = swaps % 2 == 1 ? x->out : x->scratch,
          *third = swaps % 2 == 1 ? x->scratch : x->out;
    if (x->p == 1)
        memcpy(x->out, x->in, (size_t)x->count * sizeof *x->out);
    for (int bit = 1; bit < x->p; bit *= 2) {
        int partner = x->rank ^ bit;
        MPI_Sendrecv(own, x->count, MPI_FLOAT, partner, TAG, other, x->count, MPI_FLOAT, partner,
                     TAG, x->comm, MPI_STATUS_IGNORE);
        float *sum = partner < x->rank ? third : other;
        if (sum == third && own == x->in)
            memcpy(third, x->in, (size_t)x->count * sizeof *third);
        MPI_Reduce_local(sum == third ? other : own, sum, x->count, MPI_FLOAT, MPI_SUM);
        other = sum == third ? other : third;
        third = sum;
        own = sum;
    }
}

/* Along the split tree, to one child after the other. */
void direct_bcast_bine_small(const struct direct *x) {
    struct bine_split_node node;
    bine_split_find(x->p, x->rank, &node);
    if (node.parent >= 0)
        MPI_Recv(x->out, x->count, MPI_FLOAT, node.parent, TAG, x->comm, MPI_STATUS_IGNORE);
    for (int k = 0; k < node.kids; k++)
        MPI_Send(x->out, x->count, MPI_FLOAT, node.kid[k].node, TAG, x->comm);
}

/* A circular run of blocks goes as one piece, or as two where it passes the end. */
static int post_run(const struct direct *x, int first, int blocks, int peer, int send,
                    MPI_Request *request) {
    int n = 0, each = x->count / x->p;
    for (int left = blocks; left > 0; n++) {
        int part = left < x->p - first ? left : x->p - first;
        float *at = x->out + (size_t)first * (size_t)each;
        if (send)
            MPI_Isend(at, part * each, MPI_FLOAT, peer, TAG, x->comm, &request[n]);
        else
            MPI_Irecv(at, part * each, MPI_FLOAT, peer, TAG, x->comm, &request[n]);
        first = 0;
        left -= part;
    }
    return n;
}

/* Near-first: what a rank holds is a circular run, which doubles with every step. */
void direct_allgather_bine_near(const struct direct *x) {
    int d[BINE_MAX_STEPS], steps = bine_distance_list(x->p, BINE_NEAR_FIRST, BINE_SCALED, d);
    int each = x->count / x->p, low = 0; /* where an even rank's run begins, seen from the rank */
    memcpy(x->out + (size_t)x->rank * (size_t)each, x->in, (size_t)each * sizeof *x->out);
    for (int j = 0, length = 1; j < steps; j++, length *= 2) {
        MPI_Request request[4];
        int q = bine_partner(x->rank, d[j], x->p), odd = x->rank & 1;
        int high = -low - length + 1; /* where an odd rank's run begins: mirrored */
        int mine = (x->rank + (odd ? high : low) + 2 * x->p) % x->p;
        int theirs = (q + (odd ? low : high) + 2 * x->p) % x->p;
        int n = post_run(x, theirs, length, q, 0, request);
        n += post_run(x, mine, length, q, 1, request + n);
        MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
        low = d[j] + high < low ? d[j] + high : low;
    }
}
