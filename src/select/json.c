#include "select/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 16 };

struct reader {
    struct bine_json_document *document;
    char *at;
    char *line_begin;
    int line, depth;
};

static int fail(struct reader *r, const char *what) {
    snprintf(r->document->error, sizeof r->document->error, "%d:%d: %s", r->line,
             (int)(r->at - r->line_begin) + 1, what);
    return -1;
}

static void skip_blanks(struct reader *r) {
    for (;; r->at++) {
        if (*r->at == '\n') {
            r->line++;
            r->line_begin = r->at + 1;
        } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
            return;
        }
    }
}

static int hex_digit(char c) {
    const char *digits = "0123456789abcdef0123456789ABCDEF", *found = strchr(digits, c);
    return c == '\0' || found == NULL ? -1 : (int)((found - digits) % 16);
}

/* Strings are shown in lines of text, which these would break. */
static const char no_control[] = "a control character has no place in a string here";

static int is_control(int code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/* The four digits behind \u, as UTF-8. Half of a surrogate pair stands for itself: names and
 * reasons do not have such letters, and it does no harm. */
static int read_unicode(struct reader *r, char **to) {
    int code = 0;
    for (int i = 1; i <= 4; i++) {
        int digit = hex_digit(r->at[i]);
        if (digit < 0)
            return fail(r, "expected four hexadecimal digits after \\u");
        code = code * 16 + digit;
    }
    if (is_control(code))
        return fail(r, no_control);
    r->at += 4;
    if (code < 0x80) {
        *(*to)++ = (char)code;
        return 0;
    }
    if (code < 0x800) {
        *(*to)++ = (char)(0xC0 | code >> 6);
    } else {
        *(*to)++ = (char)(0xE0 | code >> 12);
        *(*to)++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *(*to)++ = (char)(0x80 | (code & 0x3F));
    return 0;
}

static int read_escape(struct reader *r, char **to) {
    r->at++;
    if (*r->at == 'u')
        return read_unicode(r, to);
    if (*r->at == '\0' || strchr("\"\\/bfnrt", *r->at) == NULL)
        return fail(r, "unknown escape in a string");
    if (strchr("bfnrt", *r->at) != NULL)
        return fail(r, no_control);
    *(*to)++ = *r->at;
    return 0;
}

/* In place: the decoded text is never longer than the encoded one. */
static int read_string(struct reader *r, const char **text) {
    char *to = ++r->at;
    *text = to;
    for (; *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < 0x20)
            return fail(r, "expected '\"' at the end of the string");
        if (*r->at == 0x7F)
            return fail(r, no_control);
        if (*r->at != '\\')
            *to++ = *r->at;
        else if (read_escape(r, &to) != 0)
            return -1;
    }
    r->at++;
    *to = '\0';
    return 0;
}

static int read_number(struct reader *r, struct bine_json *v) {
    char *end;
    if (strspn(r->at, "-0123456789.eE+") == 0)
        return fail(r, "expected a value");
    v->number = strtod(r->at, &end);
    if (end == r->at || end != r->at + strspn(r->at, "-0123456789.eE+"))
        return fail(r, "expected a number");
    v->kind = BINE_JSON_NUMBER;
    r->at = end;
    return 0;
}

static int read_word(struct reader *r, struct bine_json *v) {
    static const char *const words[] = {"null", "false", "true"};
    for (int k = 0; k < 3; k++)
        if (strncmp(r->at, words[k], strlen(words[k])) == 0) {
            v->kind = (enum bine_json_kind)k;
            r->at += strlen(words[k]);
            return 0;
        }
    return read_number(r, v);
}

static int read_value(struct reader *r, struct bine_json **made);

static int read_key(struct reader *r, const char **key) {
    if (*r->at != '"')
        return fail(r, "expected a name in double quotes");
    if (read_string(r, key) != 0)
        return -1;
    skip_blanks(r);
    if (*r->at != ':')
        return fail(r, "expected ':'");
    r->at++;
    skip_blanks(r);
    return 0;
}

static int has_key(const struct bine_json *of, const char *key) {
    for (const struct bine_json *x = of->child; x != NULL; x = x->next)
        if (key != NULL && strcmp(x->key, key) == 0)
            return 1;
    return 0;
}

/* The elements of an array or the members of an object. */
static int read_many(struct reader *r, struct bine_json *v, char close) {
    struct bine_json **link = &v->child;
    r->at++;
    skip_blanks(r);
    if (*r->at == close) {
        r->at++;
        return 0;
    }
    for (;;) {
        const char *key = NULL;
        struct bine_json *made = NULL;
        if (close == '}' && read_key(r, &key) != 0)
            return -1;
        if (has_key(v, key))
            return fail(r, "this name is there already");
        if (read_value(r, &made) != 0)
            return -1;
        made->key = key;
        *link = made;
        link = &made->next;
        skip_blanks(r);
        if (*r->at == close) {
            r->at++;
            return 0;
        }
        if (*r->at != ',')
            return fail(r, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
        r->at++;
        skip_blanks(r);
    }
}

static int read_nested(struct reader *r, struct bine_json *v, char close) {
    if (++r->depth > DEPTH_MOST)
        return fail(r, "nested too deeply");
    int rc = read_many(r, v, close);
    r->depth--;
    return rc;
}

static int read_value(struct reader *r, struct bine_json **made) {
    struct bine_json_document *d = r->document;
    if (d->used == d->room)
        return fail(r, "expected a value");
    struct bine_json *v = *made = &d->value[d->used++];
    v->line = r->line;
    v->column = (int)(r->at - r->line_begin) + 1;
    if (*r->at == '{') {
        v->kind = BINE_JSON_OBJECT;
        return read_nested(r, v, '}');
    }
    if (*r->at == '[') {
        v->kind = BINE_JSON_ARRAY;
        return read_nested(r, v, ']');
    }
    if (*r->at == '"') {
        v->kind = BINE_JSON_STRING;
        return read_string(r, &v->text);
    }
    return read_word(r, v);
}

int bine_json_parse(struct bine_json_document *d, char *text) {
    struct reader r = {d, text, text, 1, 0};
    struct bine_json *root;
    *d = (struct bine_json_document){.text = text, .room = 1};
    /* Every value but the root stands behind one of these. */
    for (const char *c = text; *c != '\0'; c++)
        d->room += *c == '[' || *c == '{' || *c == ',';
    d->value = calloc(d->room, sizeof *d->value);
    if (d->value == NULL)
        return fail(&r, "out of memory");
    skip_blanks(&r);
    if (read_value(&r, &root) != 0)
        return -1;
    skip_blanks(&r);
    return *r.at == '\0' ? 0 : fail(&r, "expected the end of the file");
}

void bine_json_free(struct bine_json_document *d) {
    free(d->value);
    free(d->text);
    *d = (struct bine_json_document){0};
}
