#include "types.h"

#include <stdlib.h>

const struct form form_table[FORMS] = {
    {"plain", 1},     {"contiguous", 4},  {"vector", 6}, {"indexed", 4},
    {"wide", 2},      {"interleaved", 2}, {"column", 2}, {"below", 4},
    {"backwards", 2}, {"late", 1},        {"dup", 4},    {"empty", 0},
};

/* A struct with padding inside and at the end. */
struct mixed {
    char a;
    double b;
    int c;
    char d;
};

#define MOST_KINDS 32
static struct kind kinds[MOST_KINDS];
static MPI_Datatype forms[MOST_KINDS][FORMS], dense[MOST_KINDS][FORMS], bytes[MOST_KINDS][FORMS];
static MPI_Datatype mixed_type;
static int nkinds;

static void add(const char *name, MPI_Datatype base, enum value value, int size, int part) {
    kinds[nkinds++] = (struct kind){name, base, value, size, part};
}

static void make_mixed(void) {
    MPI_Datatype inner, types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_CHAR};
    int lengths[4] = {1, 1, 1, 1};
    MPI_Aint at[4] = {offsetof(struct mixed, a), offsetof(struct mixed, b),
                      offsetof(struct mixed, c), offsetof(struct mixed, d)};
    MPI_Type_create_struct(4, lengths, at, types, &inner);
    MPI_Type_create_resized(inner, 0, sizeof(struct mixed), &mixed_type);
    MPI_Type_commit(&mixed_type);
    MPI_Type_free(&inner);
}

static void make_kinds(void) {
    make_mixed();
    add("int", MPI_INT, VALUE_INT, 4, 4);
    add("double", MPI_DOUBLE, VALUE_FLOAT, 8, 8);
    add("float", MPI_FLOAT, VALUE_FLOAT, 4, 4);
    add("signed char", MPI_SIGNED_CHAR, VALUE_INT, 1, 1);
    add("unsigned char", MPI_UNSIGNED_CHAR, VALUE_INT, 1, 1);
    add("short", MPI_SHORT, VALUE_INT, 2, 2);
    add("unsigned short", MPI_UNSIGNED_SHORT, VALUE_INT, 2, 2);
    add("unsigned", MPI_UNSIGNED, VALUE_INT, 4, 4);
    add("long", MPI_LONG, VALUE_INT, 8, 8);
    add("unsigned long long", MPI_UNSIGNED_LONG_LONG, VALUE_INT, 8, 8);
    add("int16", MPI_INT16_T, VALUE_INT, 2, 2);
    add("complex float", MPI_C_FLOAT_COMPLEX, VALUE_COMPLEX, 8, 4);
    add("complex double", MPI_C_DOUBLE_COMPLEX, VALUE_COMPLEX, 16, 8);
    add("2int", MPI_2INT, VALUE_PAIR, 8, 4);
    add("double_int", MPI_DOUBLE_INT, VALUE_PAIR, 12, 8);
    add("float_int", MPI_FLOAT_INT, VALUE_PAIR, 8, 4);
    add("short_int", MPI_SHORT_INT, VALUE_PAIR, 6, 2);
    add("long_int", MPI_LONG_INT, VALUE_PAIR, 12, 8);
    add("bool", MPI_C_BOOL, VALUE_LOGICAL, 1, 1);
    add("byte", MPI_BYTE, VALUE_RAW, 1, 1);
    add("char", MPI_CHAR, VALUE_RAW, 1, 1);
    add("mixed", mixed_type, VALUE_RAW, 14, 1);
}

static MPI_Datatype resized(MPI_Datatype inner, MPI_Aint lb, MPI_Aint extent) {
    MPI_Datatype type;
    MPI_Type_create_resized(inner, lb, extent, &type);
    MPI_Type_free(&inner);
    return type;
}

static MPI_Datatype at_places(int n, const int *places, MPI_Datatype base) {
    MPI_Datatype type;
    MPI_Type_create_indexed_block(n, 1, places, base, &type);
    return type;
}

static MPI_Datatype make_form(int form, MPI_Datatype base) {
    static const int mixed_up[4] = {5, 0, 3, 2}, apart[2] = {0, 3}, below[4] = {-3, -1, 0, 2},
                     two[2] = {0, 1}, late[1] = {3};
    static const int column[2] = {0, COLUMNS};
    MPI_Datatype type, inner;
    MPI_Aint lb, e;
    MPI_Type_get_extent(base, &lb, &e);
    switch (form) {
    case FORM_CONTIGUOUS:
        MPI_Type_contiguous(4, base, &type);
        return type;
    case FORM_VECTOR:
        MPI_Type_vector(3, 2, 3, base, &type);
        return type;
    case FORM_INDEXED:
        return at_places(4, mixed_up, base);
    case FORM_WIDE:
        return resized(at_places(2, two, base), 0, 7 * e);
    case FORM_INTERLEAVED:
        return resized(at_places(2, apart, base), 0, 2 * e);
    case FORM_COLUMN:
        return resized(at_places(2, column, base), 0, e);
    case FORM_BELOW:
        return at_places(4, below, base);
    case FORM_BACKWARDS:
        return resized(at_places(2, two, base), 0, -3 * e);
    case FORM_LATE:
        return at_places(1, late, base);
    case FORM_DUP:
        MPI_Type_contiguous(4, base, &inner);
        MPI_Type_dup(inner, &type);
        MPI_Type_free(&inner);
        return type;
    case FORM_EMPTY:
        MPI_Type_contiguous(0, base, &type);
        return type;
    default:
        return base;
    }
}

void types_make(void) {
    make_kinds();
    for (int k = 0; k < nkinds; k++)
        for (int f = 0; f < FORMS; f++)
            forms[k][f] = dense[k][f] = bytes[k][f] = MPI_DATATYPE_NULL;
}

static void forget(MPI_Datatype *type) {
    if (*type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
}

void types_forget(void) {
    for (int k = 0; k < nkinds; k++)
        for (int f = 0; f < FORMS; f++) {
            forget(&forms[k][f]);
            forget(&dense[k][f]);
            forget(&bytes[k][f]);
        }
}

void types_free(void) {
    types_forget();
    MPI_Type_free(&mixed_type);
}

int types_kinds(void) {
    return nkinds;
}

const struct kind *types_kind(int k) {
    return &kinds[k];
}

MPI_Datatype types_form(int kind, int form) {
    MPI_Datatype *type = &forms[kind][form];
    if (form == FORM_PLAIN)
        return kinds[kind].base;
    if (*type == MPI_DATATYPE_NULL) {
        *type = make_form(form, kinds[kind].base);
        MPI_Type_commit(type);
    }
    return *type;
}

static MPI_Datatype contiguous(MPI_Datatype *type, int n, MPI_Datatype base) {
    if (*type == MPI_DATATYPE_NULL) {
        MPI_Type_contiguous(n, base, type);
        MPI_Type_commit(type);
    }
    return *type;
}

MPI_Datatype types_dense(int kind, int form) {
    if (form == FORM_PLAIN)
        return kinds[kind].base;
    return contiguous(&dense[kind][form], form_table[form].per, kinds[kind].base);
}

MPI_Datatype types_bytes(int kind, int form) {
    return contiguous(&bytes[kind][form], form_table[form].per * kinds[kind].bytes, MPI_BYTE);
}
