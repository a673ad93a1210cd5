/* Rules from a file: JSON, checked value by value; whatever is wrong is pointed at. */
#include "base/hash.h"
#include "base/numbers.h"
#include "base/words.h"
#include "select/json.h"
#include "select/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, WISDOM = 2, FILE_MOST = 4 << 20 };

/* A file that is being read, and the place for complaints. */
struct reading {
    const char *name;
    char *why;
    size_t size;
};

static int wrong(const struct reading *in, const struct bine_json *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int wrong(const struct reading *in, const struct bine_json *at, const char *format, ...) {
    va_list list;
    int n = snprintf(in->why, in->size, "%s:%d:%d: ", in->name, at->line, at->column);
    va_start(list, format);
    if (n > 0 && (size_t)n < in->size)
        vsnprintf(in->why + n, in->size - (size_t)n, format, list);
    va_end(list);
    return -1;
}

/* --- The conditions, a function each. They get the value and the rule. */

static int is_string(const struct bine_json *v) {
    return v->kind == BINE_JSON_STRING;
}

static int read_one_collective(const struct reading *in, const struct bine_json *v,
                               struct bine_rule *r) {
    int c = is_string(v) ? bine_collective_find(v->text) : -1;
    if (c < 0)
        return wrong(in, v, "expected the name of a collective, such as \"allreduce\"");
    r->collectives |= UINT32_C(1) << c;
    return 0;
}

static int read_collective(const struct reading *in, const struct bine_json *v,
                           struct bine_rule *r) {
    if (v->kind != BINE_JSON_ARRAY)
        return read_one_collective(in, v, r);
    if (v->child == NULL)
        return wrong(in, v, "expected at least one collective");
    for (const struct bine_json *x = v->child; x != NULL; x = x->next)
        if (read_one_collective(in, x, r) != 0)
            return -1;
    return 0;
}

static int is_whole(const struct bine_json *v, double low) {
    return v->kind == BINE_JSON_NUMBER && v->number >= low && v->number < 9e15 &&
           v->number == (double)(int64_t)v->number;
}

static int read_intervals(const struct reading *in, const struct bine_json *v,
                          struct bine_intervals *s) {
    if (is_whole(v, 1)) {
        *s = (struct bine_intervals){1, {{(int64_t)v->number, (int64_t)v->number}}};
        return 0;
    }
    if (!is_string(v) || bine_intervals_parse(v->text, s) != 0)
        return wrong(in, v, "expected a number or ranges such as \"1-64,100,256-\" (at most %d)",
                     BINE_INTERVALS);
    return 0;
}

static int read_ranks(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    return read_intervals(in, v, &r->ranks);
}

static int read_nodes(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    return read_intervals(in, v, &r->nodes);
}

static int read_per_node(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    return read_intervals(in, v, &r->per_node);
}

static int read_cores(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    const char *word = is_string(v) ? v->text : "";
    if (strcmp(word, "enough") != 0 && strcmp(word, "short") != 0)
        return wrong(in, v, "expected \"enough\" or \"short\"");
    r->cores_suffice = *word == 'e' ? BINE_IF_YES : BINE_IF_NO;
    return 0;
}

static int read_groups(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    if (is_string(v) && strcmp(v->text, "known") == 0)
        r->groups_known = BINE_IF_YES;
    else if (is_string(v) && strcmp(v->text, "unknown") == 0)
        r->groups_known = BINE_IF_NO;
    else if (read_intervals(in, v, &r->groups) != 0)
        return wrong(in, v, "expected \"known\", \"unknown\" or ranges such as \"2-16\"");
    return 0;
}

static int read_torus(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    const char *word = is_string(v) ? v->text : "";
    if (strcmp(word, "known") == 0)
        r->torus_known = BINE_IF_YES;
    else if (strcmp(word, "unknown") == 0)
        r->torus_known = BINE_IF_NO;
    else if (strcmp(word, "wired") == 0)
        r->torus_wired = BINE_IF_YES;
    else
        return wrong(in, v, "expected \"known\", \"wired\" or \"unknown\"");
    return 0;
}

static int read_dims(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    return read_intervals(in, v, &r->dims);
}

static int read_class(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    static const char *const names[] = {"", "pow2", "even", "odd"};
    for (int k = BINE_CLASS_POW2; k <= BINE_CLASS_ODD && is_string(v); k++)
        if (strcmp(v->text, names[k]) == 0) {
            r->ranks_class = k;
            return 0;
        }
    return wrong(in, v, "expected \"pow2\", \"even\" or \"odd\"");
}

static int read_size(const struct reading *in, const struct bine_json *v, int64_t *bytes) {
    if (is_whole(v, 0)) {
        *bytes = (int64_t)v->number;
        return 0;
    }
    if (!is_string(v) || bine_size_parse(v->text, bytes) != 0)
        return wrong(in, v, "expected bytes, such as 4096 or \"4K\"");
    return 0;
}

static int read_bytes(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    if (v->kind != BINE_JSON_OBJECT)
        return wrong(in, v, "expected {\"from\": SIZE, \"below\": SIZE}, or one of the two");
    for (const struct bine_json *x = v->child; x != NULL; x = x->next) {
        int from = strcmp(x->key, "from") == 0;
        if (!from && strcmp(x->key, "below") != 0)
            return wrong(in, x, "unknown name \"%s\": expected \"from\" or \"below\"", x->key);
        if (read_size(in, x, from ? &r->from : &r->below) != 0)
            return -1;
        if (!from && r->below == 0)
            return wrong(in, x, "no vector has fewer than 0 bytes");
    }
    if (r->below > 0 && r->from >= r->below)
        return wrong(in, v, "\"from\" is not less than \"below\": this never holds");
    return 0;
}

static int read_truth(const struct reading *in, const struct bine_json *v, int *condition) {
    if (v->kind != BINE_JSON_TRUE && v->kind != BINE_JSON_FALSE)
        return wrong(in, v, "expected true or false");
    *condition = v->kind == BINE_JSON_TRUE ? BINE_IF_YES : BINE_IF_NO;
    return 0;
}

static int read_commutative(const struct reading *in, const struct bine_json *v,
                            struct bine_rule *r) {
    return read_truth(in, v, &r->commutative);
}

static int read_uneven(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    return read_truth(in, v, &r->uneven);
}

static int read_nonblocking(const struct reading *in, const struct bine_json *v,
                            struct bine_rule *r) {
    return read_truth(in, v, &r->nonblocking);
}

static int read_library(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    int k = is_string(v) ? bine_library_find(v->text) : -1;
    if (k <= BINE_LIBRARY_ANY)
        return wrong(in, v, "expected \"openmpi\" or \"mpich\"");
    r->library = k;
    return 0;
}

static int read_algorithm(const struct reading *in, const struct bine_json *v,
                          struct bine_rule *r) {
    if (!is_string(v))
        return wrong(in, v, "expected the name of an algorithm, or \"mpi\"");
    r->algorithm = v->text;
    return 0;
}

static int read_why(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    if (!is_string(v))
        return wrong(in, v, "expected text");
    r->reason = v->text;
    return 0;
}

/* A number of the evidence: its place, or NULL. */
static double *evidence_of(struct bine_evidence *e, const char *name) {
    const struct {
        const char *name;
        double *place;
    } row[] = {
        {"tries", &e->tries}, {"lead", &e->lead}, {"spread", &e->spread}, {"gain", &e->gain}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (strcmp(row[k].name, name) == 0)
            return row[k].place;
    return NULL;
}

static int read_learnt(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    static const char form[] = "expected {\"date\": \"YYYY-MM-DD\", \"tries\": NUMBER, \"lead\": "
                               "NUMBER, \"spread\": NUMBER, \"gain\": NUMBER}";
    if (v->kind != BINE_JSON_OBJECT)
        return wrong(in, v, "%s", form);
    for (const struct bine_json *x = v->child; x != NULL; x = x->next) {
        double *place = evidence_of(&r->learnt, x->key);
        int dated = strcmp(x->key, "date") == 0 && is_string(x);
        if (dated ? bine_day_parse(x->text, &r->learnt.day) != 0
                  : place == NULL || x->kind != BINE_JSON_NUMBER)
            return wrong(in, x, "%s", form);
        if (place != NULL)
            *place = x->number;
    }
    return 0;
}

static const struct {
    const char *name;
    int (*read)(const struct reading *, const struct bine_json *, struct bine_rule *);
} members[] = {
    {"collective", read_collective},
    {"ranks", read_ranks},
    {"ranks_class", read_class},
    {"bytes", read_bytes},
    {"nodes", read_nodes},
    {"ranks_per_node", read_per_node},
    {"cores", read_cores},
    {"groups", read_groups},
    {"torus", read_torus},
    {"dims", read_dims},
    {"commutative", read_commutative},
    {"uneven", read_uneven},
    {"nonblocking", read_nonblocking},
    {"library", read_library},
    {"algorithm", read_algorithm},
    {"learnt", read_learnt},
    {"why", read_why},
};
enum { MEMBERS = sizeof members / sizeof *members };

static int unknown_member(const struct reading *in, const struct bine_json *v) {
    const char *names[MEMBERS];
    for (int k = 0; k < MEMBERS; k++)
        names[k] = members[k].name;
    const char *near = bine_nearest_word(v->key, names, MEMBERS);
    return wrong(in, v, "unknown name \"%s\"%s%s%s", v->key, near ? "; did you mean " : "",
                 near ? near : "", near ? "?" : "");
}

static int read_member(const struct reading *in, const struct bine_json *v, struct bine_rule *r) {
    for (int k = 0; k < MEMBERS; k++)
        if (strcmp(v->key, members[k].name) == 0)
            return members[k].read(in, v, r);
    return unknown_member(in, v);
}

/* The name must mean something to each collective that the rule names; without names, to one. */
static int look_up(const struct reading *in, const struct bine_json *v, const struct bine_rule *r,
                   struct bine_selection *found) {
    char why[160];
    int served = 0;
    if (r->algorithm == NULL)
        return wrong(in, v, "the rule has no \"algorithm\"");
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        found[c] = (struct bine_selection){BINE_SELECTION_NONE, -1};
        if (r->collectives != 0 && !(r->collectives >> c & 1))
            continue;
        if (bine_selection_parse((enum bine_collective)c, r->algorithm, &found[c], why,
                                 sizeof why) == 0)
            served++;
        else if (r->collectives != 0)
            return wrong(in, v, "%s", why);
    }
    return served > 0 ? 0 : wrong(in, v, "%s: no collective has this algorithm", r->algorithm);
}

static int read_rule(const struct reading *in, const struct bine_json *v, struct bine_rule *r,
                     struct bine_selection *found) {
    if (v->kind != BINE_JSON_OBJECT)
        return wrong(in, v, "expected a rule: {\"collective\": ..., \"algorithm\": ...}");
    for (const struct bine_json *x = v->child; x != NULL; x = x->next)
        if (read_member(in, x, r) != 0)
            return -1;
    return look_up(in, v, r, found);
}

static const struct bine_json *member(const struct bine_json *of, const char *key) {
    for (const struct bine_json *x = of->child; x != NULL; x = x->next)
        if (strcmp(x->key, key) == 0)
            return x;
    return NULL;
}

/* The array of rules; everything around it is checked. */
static const struct bine_json *find_rules(const struct reading *in, const struct bine_json *root) {
    if (root->kind != BINE_JSON_OBJECT) {
        wrong(in, root, "expected {\"bine\": %d, \"rules\": [...]}", SCHEMA);
        return NULL;
    }
    const struct bine_json *schema = member(root, "bine"), *rules = member(root, "rules"),
                           *wisdom = member(root, "wisdom");
    for (const struct bine_json *x = root->child; x != NULL; x = x->next)
        if (x != schema && x != rules && x != wisdom) {
            wrong(in, x, "unknown name \"%s\": expected \"bine\" and \"rules\"", x->key);
            return NULL;
        }
    if (schema == NULL || !is_whole(schema, SCHEMA) || schema->number > SCHEMA) {
        wrong(in, schema != NULL ? schema : root, "expected \"bine\": %d, the schema's number",
              SCHEMA);
        return NULL;
    }
    if (wisdom != NULL && (!is_whole(wisdom, 1) || wisdom->number > WISDOM)) {
        wrong(in, wisdom, "expected \"wisdom\": %d or less; has a newer Bine written it?", WISDOM);
        return NULL;
    }
    if (rules == NULL || rules->kind != BINE_JSON_ARRAY) {
        wrong(in, rules != NULL ? rules : root, "expected \"rules\": [...]");
        return NULL;
    }
    return rules;
}

/* "FILE:LINE: why" into the texts, which have the room. */
static void keep_texts(const struct reading *in, const struct bine_rules *rules,
                       struct bine_rule *rule, const int *line) {
    char *to = rules->memory;
    for (size_t i = 0; i < rules->count; i++) {
        struct bine_rule *r = &rule[i];
        const char *algorithm = r->algorithm, *why = r->reason;
        r->algorithm = strcpy(to, algorithm);
        to += strlen(to) + 1;
        r->reason = to;
        to += sprintf(to, "%s:%d%s%s", in->name, line[i], why ? ": " : "", why ? why : "") + 1;
    }
}

static size_t text_bytes(const struct reading *in, const struct bine_rules *rules) {
    size_t n = 1;
    for (size_t i = 0; i < rules->count; i++) {
        const struct bine_rule *r = &rules->rule[i];
        n += strlen(r->algorithm) + strlen(in->name) + 20;
        n += r->reason != NULL ? strlen(r->reason) : 0;
    }
    return n;
}

static int read_rules(const struct reading *in, const struct bine_json *list,
                      struct bine_rules *rules, struct bine_rule *rule, int *line) {
    size_t i = 0;
    for (const struct bine_json *v = list->child; v != NULL; v = v->next, i++) {
        struct bine_rule *r = &rule[i];
        line[i] = v->line;
        if (read_rule(in, v, r, &rules->found[i * BINE_COLLECTIVES]) != 0)
            return -1;
        rules->needs_nodes |= r->nodes.n > 0 || r->per_node.n > 0;
        rules->starts |= r->nonblocking != BINE_IF_NO && strcmp(r->algorithm, "mpi") != 0;
    }
    rules->memory = malloc(text_bytes(in, rules));
    if (rules->memory == NULL)
        return wrong(in, list, "out of memory");
    keep_texts(in, rules, rule, line);
    return 0;
}

static int read_document(const struct reading *in, const struct bine_json *root,
                         struct bine_rules *rules) {
    const struct bine_json *list = find_rules(in, root);
    if (list == NULL)
        return -1;
    for (const struct bine_json *v = list->child; v != NULL; v = v->next)
        rules->count++;
    struct bine_rule *rule = calloc(rules->count + 1, sizeof *rule);
    rules->rule = rule;
    rules->found = calloc((rules->count + 1) * BINE_COLLECTIVES, sizeof *rules->found);
    int *line = calloc(rules->count + 1, sizeof *line);
    int rc = rule == NULL || rules->found == NULL || line == NULL
                 ? wrong(in, list, "out of memory")
                 : read_rules(in, list, rules, rule, line);
    free(line);
    return rc;
}

int bine_rules_parse(const char *name, char *text, struct bine_rules *rules, char *why,
                     size_t size) {
    struct reading in = {name, why, size};
    struct bine_json_document d;
    *rules = (struct bine_rules){.hash = bine_hash(BINE_HASH, text, strlen(text))};
    int rc = bine_json_parse(&d, text);
    if (rc != 0)
        snprintf(why, size, "%s:%s", name, d.error);
    else
        rc = read_document(&in, d.value, rules);
    if (rc != 0)
        bine_rules_free(rules);
    bine_json_free(&d);
    return rc;
}

static char *read_file(FILE *f) {
    size_t room = 1 << 16, n = 0;
    char *text = malloc(room);
    while (text != NULL && (n += fread(text + n, 1, room - n, f)) == room && room < FILE_MOST) {
        char *more = realloc(text, room *= 2);
        if (more == NULL)
            free(text);
        text = more;
    }
    if (text == NULL || n == room || ferror(f)) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

int bine_rules_load(const char *path, struct bine_rules *rules, char *why, size_t size) {
    FILE *f = fopen(path, "r");
    char *text = f == NULL ? NULL : read_file(f);
    if (f != NULL)
        fclose(f);
    *rules = (struct bine_rules){0};
    if (text == NULL) {
        snprintf(why, size, "%s: cannot be read", path);
        return -1;
    }
    return bine_rules_parse(path, text, rules, why, size);
}
