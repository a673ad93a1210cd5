/* Profiles, read value by value by tables of members; a wrong one is pointed at. Members that no
 * table has are those of later versions. */
#include "cli/profile_file.h"

#include "base/numbers.h"
#include "cli/command.h"
#include "cli/input_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[BINE_PROFILE_KINDS] = {"world", "part", "inter", "several"};
static const char *const forms[BINE_PROFILE_FORMS] = {"blocking", "nonblocking", "persistent"};
static const char *const bys[BINE_PROFILE_BYS] = {"mpi", "bine"};

const char *bine_profile_form_name(enum bine_profile_form form) {
    return forms[form];
}

/* The file that is being read, and what it has come to. */
struct reading {
    const char *name;
    struct bine_profile *p;
    struct bine_reason *why;
};

static int wrong(const struct reading *in, const struct bine_json *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int wrong(const struct reading *in, const struct bine_json *at, const char *format, ...) {
    char text[200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return bine_reason_set(in->why, "%s:%d:%d: %s", in->name, at->line, at->column, text);
}

static const struct bine_json *member(const struct bine_json *of, const char *key) {
    for (const struct bine_json *x = of->child; x != NULL; x = x->next)
        if (strcmp(x->key, key) == 0)
            return x;
    return NULL;
}

/* --- The kinds of values, a function each. */

struct field {
    const char *name;
    int (*read)(const struct reading *, const struct bine_json *, const struct field *, void *to);
    size_t at;    /* where the value goes in the struct */
    int optional; /* it may be null or missing */
    const char *const *words;
    int count; /* of the words */
};

static int take_number(const struct reading *in, const struct bine_json *v, const struct field *f,
                       void *to) {
    if (v->kind != BINE_JSON_NUMBER || !(v->number >= 0))
        return wrong(in, v, "\"%s\": expected a number of 0 or more%s", f->name,
                     f->optional ? ", or null" : "");
    *(double *)to = v->number;
    return 0;
}

static int take_whole(const struct reading *in, const struct bine_json *v, const struct field *f,
                      void *to) {
    double most = 9e15;
    if (v->kind != BINE_JSON_NUMBER || !(v->number >= 0 && v->number < most) ||
        v->number > floor(v->number))
        return wrong(in, v, "\"%s\": expected a whole number of 0 or more%s", f->name,
                     f->optional ? ", or null" : "");
    *(int64_t *)to = (int64_t)v->number;
    return 0;
}

static int take_flag(const struct reading *in, const struct bine_json *v, const struct field *f,
                     void *to) {
    if (v->kind != BINE_JSON_TRUE && v->kind != BINE_JSON_FALSE)
        return wrong(in, v, "\"%s\": expected true or false", f->name);
    *(int *)to = v->kind == BINE_JSON_TRUE;
    return 0;
}

static int take_text(const struct reading *in, const struct bine_json *v, const struct field *f,
                     void *to) {
    if (v->kind != BINE_JSON_STRING)
        return wrong(in, v, "\"%s\": expected a word in quotes%s", f->name,
                     f->optional ? ", or null" : "");
    *(const char **)to = v->text;
    return 0;
}

/* One of the words of the row: its number. */
static int take_word(const struct reading *in, const struct bine_json *v, const struct field *f,
                     void *to) {
    for (int i = 0; i < f->count && v->kind == BINE_JSON_STRING; i++)
        if (strcmp(v->text, f->words[i]) == 0) {
            *(int *)to = i;
            return 0;
        }
    return wrong(in, v, "\"%s\": expected \"%s\" or another of its words in docs/profile.md",
                 f->name, f->words[0]);
}

static int take_collective(const struct reading *in, const struct bine_json *v,
                           const struct field *f, void *to) {
    int c = v->kind == BINE_JSON_STRING ? bine_collective_find(v->text) : -1;
    if (c < 0)
        return wrong(in, v, "\"%s\": expected a word of 'bine list', such as \"allreduce\"",
                     f->name);
    *(int *)to = c;
    return 0;
}

static int take_root(const struct reading *in, const struct bine_json *v, const struct field *f,
                     void *to) {
    if (v->kind == BINE_JSON_STRING && strcmp(v->text, "varies") == 0) {
        *(int64_t *)to = BINE_PROFILE_VARIES;
        return 0;
    }
    if (v->kind == BINE_JSON_STRING)
        return wrong(in, v, "\"%s\": expected a rank, \"varies\" or null", f->name);
    return take_whole(in, v, f, to);
}

/* The value of a member that is not there or null. */
static void leave_unknown(const struct field *f, void *to) {
    if (f->read == take_number)
        *(double *)to = NAN;
    else if (f->read == take_text)
        *(const char **)to = NULL;
    else
        *(int64_t *)to = BINE_PROFILE_UNKNOWN;
}

static int read_members(const struct reading *in, const struct bine_json *v,
                        const struct field *field, size_t fields, void *into) {
    if (v->kind != BINE_JSON_OBJECT)
        return wrong(in, v, "expected {\"%s\": ..., ...}", field[0].name);
    for (size_t i = 0; i < fields; i++) {
        const struct field *f = &field[i];
        const struct bine_json *x = member(v, f->name);
        void *to = (char *)into + f->at;
        if (x == NULL && !f->optional)
            return wrong(in, v, "\"%s\" is missing", f->name);
        if (f->optional && (x == NULL || x->kind == BINE_JSON_NULL))
            leave_unknown(f, to);
        else if (f->read(in, x, f, to) != 0)
            return -1;
    }
    return 0;
}

#define FIELD(take, of, member)                                                                    \
    { .name = #member, .read = (take), .at = offsetof(struct of, member) }
#define OPTIONAL(take, of, member)                                                                 \
    { .name = #member, .read = (take), .at = offsetof(struct of, member), .optional = 1 }
#define WORDS(of, member, list)                                                                    \
    {                                                                                              \
        .name = #member, .read = take_word, .at = offsetof(struct of, member), .words = (list),    \
        .count = (int)(sizeof(list) / sizeof *(list))                                              \
    }
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* --- Lists */

/* Reads each value of a list into the items of an array. */
typedef int read_item(const struct reading *in, const struct bine_json *v, void *item);

static int read_list(const struct reading *in, const struct bine_json *v, read_item *read,
                     size_t size, void *array, size_t *count) {
    char **items = array, *item;
    size_t n = 0;
    if (v->kind != BINE_JSON_ARRAY)
        return wrong(in, v, "expected a list: [...]");
    for (const struct bine_json *x = v->child; x != NULL; x = x->next)
        n++;
    *items = item = calloc(n + 1, size);
    if (item == NULL)
        return bine_reason_memory(in->why);
    for (const struct bine_json *x = v->child; x != NULL; x = x->next, item += size) {
        ++*count; /* what a wrong item holds is freed, too */
        if (read(in, x, item) != 0)
            return -1;
    }
    return 0;
}

static int read_member_list(const struct reading *in, const struct bine_json *of, const char *name,
                            read_item *read, size_t size, void *array, size_t *count) {
    const struct bine_json *v = member(of, name);
    if (v == NULL)
        return wrong(in, of, "\"%s\" is missing", name);
    return read_list(in, v, read, size, array, count);
}

static int read_node(const struct reading *in, const struct bine_json *v, void *item) {
    static const struct field fields[] = {FIELD(take_whole, bine_profile_node, ranks),
                                          OPTIONAL(take_whole, bine_profile_node, group),
                                          OPTIONAL(take_text, bine_profile_node, name)};
    return read_members(in, v, fields, COUNT(fields), item);
}

/* [node, n] */
static int read_place(const struct reading *in, const struct bine_json *v, void *item) {
    static const struct field node = {.name = "places", .read = take_whole};
    struct bine_profile_place *place = item;
    if (v->kind != BINE_JSON_ARRAY || v->child == NULL || v->child->next == NULL ||
        v->child->next->next != NULL)
        return wrong(in, v, "\"places\": expected [node, number of ranks]");
    if (take_whole(in, v->child, &node, &place->node) != 0 ||
        take_whole(in, v->child->next, &node, &place->ranks) != 0)
        return -1;
    if ((size_t)place->node >= in->p->nodes)
        return wrong(in, v, "\"places\": there are %zu nodes", in->p->nodes);
    return 0;
}

static int check_places(const struct reading *in, const struct bine_json *v,
                        const struct bine_profile_communicator *c) {
    int64_t ranks = 0;
    for (size_t i = 0; i < c->places; i++)
        ranks += c->place[i].ranks;
    if (ranks != c->ranks)
        return wrong(in, v, "\"places\" are of %lld ranks: expected %lld", (long long)ranks,
                     (long long)c->ranks);
    return 0;
}

static int read_communicator(const struct reading *in, const struct bine_json *v, void *item) {
    static const struct field fields[] = {FIELD(take_whole, bine_profile_communicator, ranks),
                                          FIELD(take_whole, bine_profile_communicator, made),
                                          WORDS(bine_profile_communicator, kind, kinds)};
    struct bine_profile_communicator *c = item;
    if (read_members(in, v, fields, COUNT(fields), c) != 0)
        return -1;
    if (c->ranks < 1 || c->ranks > BINE_RANKS_MOST)
        return wrong(in, v, "\"ranks\": expected 1 to %d", BINE_RANKS_MOST);
    const struct bine_json *places = member(v, "places");
    if (places == NULL || places->kind == BINE_JSON_NULL)
        return 0;
    if (read_list(in, places, read_place, sizeof *c->place, &c->place, &c->places) != 0)
        return -1;
    return check_places(in, places, c);
}

static int read_late(const struct reading *in, const struct bine_json *v, void *item) {
    static const struct field fields[] = {
        {.name = "rank", .read = take_whole, .at = offsetof(struct bine_profile_row, late)},
        FIELD(take_number, bine_profile_row, share)};
    struct bine_profile_row *r = item;
    const struct bine_json *late = member(v, "late");
    r->late = BINE_PROFILE_UNKNOWN;
    r->share = NAN;
    return late == NULL || late->kind == BINE_JSON_NULL
               ? 0
               : read_members(in, late, fields, COUNT(fields), r);
}

static int read_row(const struct reading *in, const struct bine_json *v, void *item) {
#define ROW(take, name) FIELD(take, bine_profile_row, name)
#define ROW_OR_NULL(take, name) OPTIONAL(take, bine_profile_row, name)
    static const struct field fields[] = {
        ROW(take_whole, communicator),
        ROW(take_collective, collective),
        WORDS(bine_profile_row, form, forms),
        WORDS(bine_profile_row, by, bys),
        ROW_OR_NULL(take_whole, bytes_from),
        ROW_OR_NULL(take_whole, bytes_below),
        ROW_OR_NULL(take_number, bytes_mean),
        ROW_OR_NULL(take_text, datatype),
        ROW_OR_NULL(take_text, algorithm),
        ROW_OR_NULL(take_text, layout),
        ROW_OR_NULL(take_text, site),
        ROW_OR_NULL(take_root, root),
        ROW(take_whole, calls),
        ROW(take_whole, recorded),
        ROW(take_whole, samples),
        ROW(take_number, seconds_mean),
        ROW(take_number, seconds_slowest),
        ROW(take_number, seconds_least),
        ROW(take_number, longest),
        ROW_OR_NULL(take_number, wait_mean),
        ROW_OR_NULL(take_number, wait_slowest),
    };
    struct bine_profile_row *r = item;
    if (read_members(in, v, fields, COUNT(fields), r) != 0)
        return -1;
    if ((size_t)r->communicator >= in->p->communicators)
        return wrong(in, v, "\"communicator\": there are %zu", in->p->communicators);
    return read_late(in, v, r);
}

static int read_step(const struct reading *in, const struct bine_json *v, void *item) {
    static const struct field fields[] = {FIELD(take_number, bine_profile_step, calls),
                                          FIELD(take_number, bine_profile_step, bytes),
                                          FIELD(take_number, bine_profile_step, mean),
                                          FIELD(take_number, bine_profile_step, slowest)};
    return read_members(in, v, fields, COUNT(fields), item);
}

/* --- The whole */

/* A member that is an object of two numbers. */
static int read_inner(const struct reading *in, const struct bine_json *root, const char *name,
                      const struct field *field, size_t fields) {
    const struct bine_json *v = member(root, name);
    if (v == NULL)
        return wrong(in, root, "\"%s\" is missing", name);
    return read_members(in, v, field, fields, in->p);
}

static int read_timeline(const struct reading *in, const struct bine_json *root) {
    static const struct field step[] = {FIELD(take_number, bine_profile, step)};
    const struct bine_json *v = member(root, "timeline");
    if (v == NULL || v->kind == BINE_JSON_NULL)
        return 0;
    if (read_members(in, v, step, COUNT(step), in->p) != 0)
        return -1;
    return read_member_list(in, v, "steps", read_step, sizeof *in->p->timeline, &in->p->timeline,
                            &in->p->steps);
}

static int read_header(const struct reading *in, const struct bine_json *root) {
    static const struct field fields[] = {FIELD(take_whole, bine_profile, version),
                                          FIELD(take_text, bine_profile, bine),
                                          FIELD(take_text, bine_profile, mpi),
                                          FIELD(take_flag, bine_profile, off),
                                          FIELD(take_whole, bine_profile, ranks),
                                          FIELD(take_whole, bine_profile, recorded),
                                          FIELD(take_whole, bine_profile, finished),
                                          FIELD(take_number, bine_profile, seconds),
                                          OPTIONAL(take_number, bine_profile, clock_error)};
    static const struct field collectives[] = {FIELD(take_number, bine_profile, mean),
                                               FIELD(take_number, bine_profile, slowest)};
    static const struct field others[] = {
        {"calls", take_number, offsetof(struct bine_profile, others_calls), 0, NULL, 0},
        {"seconds", take_number, offsetof(struct bine_profile, others_seconds), 0, NULL, 0}};
    const struct bine_json *format = root->kind == BINE_JSON_OBJECT ? member(root, "format") : NULL;
    if (format == NULL || format->kind != BINE_JSON_STRING ||
        strcmp(format->text, "bine-profile") != 0)
        return wrong(in, root,
                     "expected {\"format\": \"bine-profile\", ...}, as BINE_PROFILE "
                     "writes it");
    if (read_members(in, root, fields, COUNT(fields), in->p) != 0)
        return -1;
    if (in->p->version != 1)
        return wrong(in, member(root, "version"),
                     "\"version\": expected 1; has a newer Bine "
                     "written it?");
    return read_inner(in, root, "collectives", collectives, COUNT(collectives)) != 0
               ? -1
               : read_inner(in, root, "others", others, COUNT(others));
}

static int read_profile(const struct reading *in, const struct bine_json *root) {
    struct bine_profile *p = in->p;
    if (read_header(in, root) != 0 ||
        read_member_list(in, root, "nodes", read_node, sizeof *p->node, &p->node, &p->nodes) != 0)
        return -1;
    if (read_member_list(in, root, "communicators", read_communicator, sizeof *p->communicator,
                         &p->communicator, &p->communicators) != 0)
        return -1;
    if (read_member_list(in, root, "rows", read_row, sizeof *p->row, &p->row, &p->rows) != 0)
        return -1;
    return read_timeline(in, root);
}

int bine_profile_parse(const char *name, char *text, struct bine_profile *p,
                       struct bine_reason *why) {
    struct reading in = {name, p, why};
    *p = (struct bine_profile){0};
    int rc = bine_json_parse(&p->document, text);
    if (rc != 0)
        bine_reason_set(why, "%s:%s", name, p->document.error);
    else
        rc = read_profile(&in, p->document.value);
    if (rc != 0)
        bine_profile_free(p);
    return rc;
}

int bine_profile_read(const char *path, struct bine_profile *p) {
    struct bine_reason why;
    char *text = bine_profile_text(path);
    *p = (struct bine_profile){0};
    if (text == NULL)
        return BINE_EXIT_USAGE;
    return bine_profile_parse(path, text, p, &why) == 0 ? 0 : bine_complain("%s", why.text);
}

void bine_profile_free(struct bine_profile *p) {
    for (size_t i = 0; p->communicator != NULL && i < p->communicators; i++)
        free(p->communicator[i].place);
    free(p->node);
    free(p->communicator);
    free(p->row);
    free(p->timeline);
    bine_json_free(&p->document);
    *p = (struct bine_profile){0};
}
