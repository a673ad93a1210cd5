/* The datatypes of the conformance test: kinds of elements, and forms in which elements lie in
 * memory. Any form can be made of any kind; forms of one kind whose elements add up to the same
 * number have equal signatures. */
#ifndef BINE_TESTS_TYPES_H
#define BINE_TESTS_TYPES_H

#include "../check.h"

#include <stddef.h>

/* How the packed bytes of an element are to be read. */
enum value {
    VALUE_INT,
    VALUE_FLOAT,
    VALUE_COMPLEX,
    VALUE_PAIR,    /* a value and an index */
    VALUE_LOGICAL, /* 0 or 1 */
    VALUE_RAW      /* bytes that no predefined operator takes */
};

struct kind {
    const char *name;
    MPI_Datatype base;
    enum value value;
    int bytes; /* packed */
    int part;  /* packed bytes of the number in a pair or complex */
};

enum {
    FORM_PLAIN,       /* the kind itself */
    FORM_CONTIGUOUS,  /* 4 in a row */
    FORM_VECTOR,      /* 3 times 2, with gaps */
    FORM_INDEXED,     /* 4, the later ones first */
    FORM_WIDE,        /* 2, then a long gap at the end */
    FORM_INTERLEAVED, /* 2, the second behind the next element's first: extent less than span */
    FORM_COLUMN,      /* 2, a column of a matrix: extent less than span, and further columns beyond
                         the last lie on the first */
    FORM_BELOW,       /* 4, beginning before the element's address */
    FORM_BACKWARDS,   /* 2; each element lies before the one before it */
    FORM_LATE,        /* 1, beginning behind the element's address */
    FORM_DUP,         /* a duplicate of contiguous, which is as good as plain */
    FORM_EMPTY,       /* nothing */
    FORMS
};

enum { COLUMNS = 32 }; /* of the matrix: the most elements of FORM_COLUMN in a buffer */

struct form {
    const char *name;
    int per; /* elements of the kind in one of the form */
};

extern const struct form form_table[FORMS];

/* Types are made when they are first asked for. They should be forgotten from time to time: with
 * more than 512 of them, MPICH 4.0.2 packs wrongly; and handles should be used again for others. */
void types_make(void);
void types_forget(void);
void types_free(void);
int types_kinds(void);
const struct kind *types_kind(int k);
MPI_Datatype types_form(int kind, int form);
/* The same elements in a row, and the same as plain bytes: for the MPI library, which is not what
 * is tested here. (Open MPI 4.1.4 fails in MPI_Gather with a type of negative extent; MPICH 4.0.2
 * in MPI_Scatter with 8 KiB of a struct.) */
MPI_Datatype types_dense(int kind, int form);
MPI_Datatype types_bytes(int kind, int form);

#endif
