/* A small reader of JSON that knows where everything stands, so that a wrong value can be pointed
 * at. It needs nothing else: the library lives inside other people's programs. */
#ifndef BINE_SELECT_JSON_H
#define BINE_SELECT_JSON_H

#include <stddef.h>

enum bine_json_kind {
    BINE_JSON_NULL,
    BINE_JSON_FALSE,
    BINE_JSON_TRUE,
    BINE_JSON_NUMBER,
    BINE_JSON_STRING,
    BINE_JSON_ARRAY,
    BINE_JSON_OBJECT
};

struct bine_json {
    enum bine_json_kind kind;
    int line, column; /* of the value, from 1 */
    const char *key;  /* in an object, else NULL */
    const char *text; /* of a string */
    double number;    /* of a number */
    struct bine_json *child, *next;
};

/* A document: its text, which strings point into, and its values. */
struct bine_json_document {
    char *text;
    struct bine_json *value; /* the first is the root */
    size_t used, room;
    char error[160]; /* "LINE:COLUMN: the mistake" */
};

/* Takes over the text (allocated, ending in a zero byte), also if it fails. 0, or -1 with the
 * error. Free it in both cases. */
int bine_json_parse(struct bine_json_document *d, char *text);
void bine_json_free(struct bine_json_document *d);

#endif
