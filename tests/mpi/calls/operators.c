#include "operators.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static MPI_Op handles[OPERATORS];
static MPI_Datatype expected = MPI_DATATYPE_NULL, expected_form;
static MPI_Aint expected_at;
static int unexpected, any;

static const char *const names[OPERATORS] = {"sum",    "prod",   "max",      "min",        "band",
                                             "bor",    "bxor",   "land",     "lor",        "lxor",
                                             "maxloc", "minloc", "user-xor", "user-affine"};

/* --- User-defined operators: on packed bytes, so that they take any datatype */

typedef void combine(const char *in, char *inout, int bytes);

static void apply(void *in, void *inout, const int *len, const MPI_Datatype *type, combine *f) {
    int size, at = 0;
    MPI_Datatype form = *type;
    if (expected != MPI_DATATYPE_NULL && !any) {
        unexpected += *type != expected;
        form = expected_form;
        in = (void *)((uintptr_t)in + (uintptr_t)expected_at);
        inout = (void *)((uintptr_t)inout + (uintptr_t)expected_at);
    }
    MPI_Type_size(form, &size);
    int bytes = size * *len;
    char *a = malloc((size_t)bytes + 1), *b = malloc((size_t)bytes + 1);
    if (a == NULL || b == NULL)
        abort();
    MPI_Pack(in, *len, form, a, bytes, &at, MPI_COMM_SELF);
    at = 0;
    MPI_Pack(inout, *len, form, b, bytes, &at, MPI_COMM_SELF);
    f(a, b, bytes);
    at = 0;
    MPI_Unpack(b, bytes, &at, inout, *len, form, MPI_COMM_SELF);
    free(a);
    free(b);
}

static void combine_xor(const char *in, char *inout, int bytes) {
    for (int i = 0; i < bytes; i++)
        inout[i] = (char)(inout[i] ^ in[i]);
}

/* First `in`, then `inout`: a2 (a1 x + b1) + b2. */
static void combine_affine(const char *in, char *inout, int bytes) {
    for (int i = 0; i + 8 <= bytes; i += 8) {
        uint32_t one[2], two[2];
        memcpy(one, in + i, 8);
        memcpy(two, inout + i, 8);
        uint32_t both[2] = {one[0] * two[0], two[0] * one[1] + two[1]};
        memcpy(inout + i, both, 8);
    }
}

static void user_xor(void *in, void *inout, int *len, MPI_Datatype *type) {
    apply(in, inout, len, type, combine_xor);
}

static void user_affine(void *in, void *inout, int *len, MPI_Datatype *type) {
    apply(in, inout, len, type, combine_affine);
}

void operators_make(void) {
    const MPI_Op predefined[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_BAND,   MPI_BOR,
                                 MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MAXLOC, MPI_MINLOC};
    memcpy(handles, predefined, sizeof predefined);
    MPI_Op_create(user_xor, 1, &handles[OP_USER_XOR]);
    MPI_Op_create(user_affine, 0, &handles[OP_USER_AFFINE]);
}

void operators_free(void) {
    MPI_Op_free(&handles[OP_USER_XOR]);
    MPI_Op_free(&handles[OP_USER_AFFINE]);
}

MPI_Op operators_handle(int op) {
    return handles[op];
}

const char *operators_name(int op) {
    return names[op];
}

int operators_commutes(int op) {
    return op != OP_USER_AFFINE;
}

void operators_take_any(void) {
    any = 1;
}

int operators_expect(MPI_Datatype type, MPI_Datatype form, MPI_Aint at) {
    int n = unexpected;
    expected = type;
    expected_form = form;
    expected_at = at;
    unexpected = 0;
    return n;
}

int operators_takes(int op, const struct kind *kind, int form) {
    int is_real = kind->value == VALUE_INT || kind->value == VALUE_FLOAT;
    if (op == OP_USER_XOR)
        return 1;
    if (op == OP_USER_AFFINE)
        return kind->bytes * form_table[form].per % 8 == 0;
    if (form != FORM_PLAIN)
        return 0;
    if (op == OP_SUM || op == OP_PROD)
        return is_real || kind->value == VALUE_COMPLEX;
    if (op == OP_MAX || op == OP_MIN)
        return is_real;
    if (op == OP_MAXLOC || op == OP_MINLOC)
        return kind->value == VALUE_PAIR;
    if (op == OP_LAND || op == OP_LOR || op == OP_LXOR)
        return kind->value == VALUE_INT || kind->value == VALUE_LOGICAL;
    return kind->value == VALUE_INT || kind->base == MPI_BYTE;
}

/* --- Values */

static void put_real(char *to, int bytes, double x) {
    float f = (float)x;
    if (bytes == 4)
        memcpy(to, &f, 4);
    else
        memcpy(to, &x, 8);
}

static void put_int(char *to, int bytes, int64_t x) {
    memcpy(to, &x, (size_t)bytes); /* little-endian, as everything these tests run on */
}

/* Small whole numbers add up exactly in any order; so do powers of two multiply. */
static double exact(int op, struct rng *r) {
    static const double factors[] = {1, 1, 1, 1, -1, -1, 2, 0.5};
    return op == OP_PROD ? factors[rng_below(r, 8)] : rng_below(r, 101) - 50;
}

/* Products of other numbers would have zeros whose signs depend on the order. */
static void value_complex(int op, struct rng *r, const struct kind *k, char *to) {
    static const double factors[] = {1, 1, 2, 0.5};
    put_real(to, k->part, op == OP_PROD ? factors[rng_below(r, 4)] : exact(op, r));
    put_real(to + k->part, k->part, op == OP_PROD ? 0 : exact(op, r));
}

/* Few different values, so that there are ties. */
static void value_pair(struct rng *r, const struct kind *k, char *to) {
    int number = rng_below(r, 4), index = rng_below(r, 100);
    if (k->base == MPI_FLOAT_INT || k->base == MPI_DOUBLE_INT)
        put_real(to, k->part, number);
    else
        put_int(to, k->part, number);
    put_int(to + k->part, 4, index);
}

static void value_bytes(struct rng *r, int bytes, char *to) {
    for (int i = 0; i < bytes; i++)
        to[i] = (char)rng_next(r);
}

static void value(int op, const struct kind *k, struct rng *r, char *to) {
    int logical = op == OP_LAND || op == OP_LOR || op == OP_LXOR;
    if (logical || k->value == VALUE_LOGICAL)
        put_int(to, k->bytes, rng_below(r, 2));
    else if (op < OP_USER_XOR && k->value == VALUE_FLOAT)
        put_real(to, k->bytes, exact(op, r));
    else if (op < OP_USER_XOR && k->value == VALUE_COMPLEX)
        value_complex(op, r, k, to);
    else if (op < OP_USER_XOR && k->value == VALUE_PAIR)
        value_pair(r, k, to);
    else
        value_bytes(r, k->bytes, to);
}

void operators_values(int op, const struct kind *kind, struct rng *r, long n, char *packed) {
    for (long i = 0; i < n; i++)
        value(op, kind, r, packed + i * kind->bytes);
}

void operators_inexact(struct rng *r, long n, char *packed) {
    for (long i = 0; i < n; i++) {
        double x = (double)(int64_t)rng_next(r) / (double)(1 + rng_below(r, 1000000));
        memcpy(packed + i * 8, &x, 8);
    }
}
