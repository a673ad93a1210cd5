/* Slurm's topology.yaml: the part of YAML that such files are written in.
 *
 *     - topology: name                 several; the first with cluster_default: true counts, or
 *       cluster_default: true          the first one
 *       tree:                          or: flat: true
 *         switches:                    or: block:
 *           - switch: s1                       block_sizes: ...
 *             nodes: n[1-4]                    blocks:
 *           - switch: top                        - block: b1
 *             children: s[1-2]                     nodes: n[1-4]
 *
 * Every line is a key and a value, or an item of block_sizes. Lists in brackets are read where
 * nodes, children or sizes stand. Keys say all, so indentation is looked at for one thing only: a
 * key beside "topology" that is not known is a kind of topology that tells of no groups (a ring, a
 * torus), and so is flat. If such a one would count, the first that tells of groups counts instead,
 * and the machine's note says so. */
#include "network/slurm/slurm.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

enum key {
    TOPOLOGY,
    CLUSTER_DEFAULT,
    TREE,
    BLOCK,
    FLAT,
    SWITCHES,
    SWITCH,
    CHILDREN,
    NODES,
    BLOCKS,
    BLOCK_SIZES,
    KEYS,
    ITEM,  /* of a list of numbers */
    OTHER, /* a kind that tells of no groups; the value is its name */
    NOTHING,
};

static const char *const keys[KEYS] = {"topology", "cluster_default", "tree",       "block",
                                       "flat",     "switches",        "switch",     "children",
                                       "nodes",    "blocks",          "block_sizes"};

/* One switch or block, until the next one begins. */
struct item {
    struct bine_word name, nodes, children;
    int line;
};

/* One topology of the file. */
struct topology {
    struct bine_word name, kind; /* the kind where it tells of no groups */
    int line;
};

struct yaml {
    struct bine_reading *reading;
    struct bine_switches switches;
    struct item item;
    char *list[2];      /* nodes and children of the item that were written in brackets */
    int number, chosen; /* the topology being read, and the one that counts */
    size_t column;      /* of the key "topology" */
    int skips;          /* in such a kind: until the next topology */
};

static void unquote(struct bine_word *w) {
    if (w->length >= 2 && (w->at[0] == '"' || w->at[0] == '\'') && w->at[w->length - 1] == w->at[0])
        *w = (struct bine_word){w->at + 1, w->length - 2};
}

static void trim(struct bine_word *w) {
    while (w->length > 0 && (w->at[0] == ' ' || w->at[0] == '\t'))
        *w = (struct bine_word){w->at + 1, w->length - 1};
    while (w->length > 0 && (w->at[w->length - 1] == ' ' || w->at[w->length - 1] == '\t'))
        w->length--;
}

static int is_number(const struct bine_word *w) {
    long value;
    return bine_word_count(w, 0, 1 << 24, &value) == 0;
}

/* Brackets and braces only where lists of words stand: a list of switches must be in lines. */
static int check_value(struct bine_reading *r, enum key key, const struct bine_word *value) {
    int list = key == NODES || key == CHILDREN || key == BLOCK_SIZES;
    if (bine_word_is(value, "[]"))
        return 0;
    if (value->length > 0 && (value->at[0] == '{' || (value->at[0] == '[' && !list)))
        return bine_reason_set(r->why, "'%.*s': expected a key and its value in a line each",
                               bine_reason_cut(value->length), value->at);
    if (value->length > 0 && value->at[0] == '[' && value->at[value->length - 1] != ']')
        return bine_reason_set(r->why, "'%.*s': a list in brackets must end in its line",
                               bine_reason_cut(value->length), value->at);
    return 0;
}

/* Which key it is; one beside "topology" that is not near any known one is a kind. */
static int find_key(struct yaml *y, const struct bine_word *word, size_t column, enum key *key,
                    struct bine_word *value) {
    char text[64];
    int beside = y->number > 0 && column == y->column; /* beside the key "topology" */
    for (int i = 0; i < KEYS; i++)
        if (bine_word_is(word, keys[i]) &&
            (!y->skips || i == TOPOLOGY || (i == CLUSTER_DEFAULT && beside))) {
            *key = (enum key)i;
            return check_value(y->reading, *key, value);
        }
    *key = NOTHING;
    if (y->skips)
        return 0;
    size_t n = word->length < sizeof text ? word->length : sizeof text - 1;
    memcpy(text, word->at, n);
    text[n] = '\0';
    if (!beside || bine_nearest_word(text, keys, KEYS) != NULL)
        return bine_reason_unknown(y->reading->why, "key", word->at, word->length, keys, KEYS);
    *key = OTHER;
    *value = *word;
    return 0;
}

/* Read the next line: 1, 0 at the end, or -1 with *why. */
static int next_key(struct yaml *y, enum key *key, struct bine_word *value) {
    struct bine_reading *r = y->reading;
    struct bine_word line, word;
    const char *begin = r->text.at;
    *key = NOTHING;
    if (!bine_text_line(&r->text, &line))
        return 0;
    if (line.length == 0 || bine_word_is(&line, "---") || bine_word_is(&line, "..."))
        return 1;
    int dash = line.at[0] == '-' && line.length > 1 && line.at[1] == ' ';
    if (dash)
        bine_text_word(&line, &word);
    *key = ITEM;
    const char *colon = memchr(line.at, ':', line.length);
    int is_key = colon != NULL && line.at[0] != '{';
    if ((dash && is_number(&line)) || (y->skips && !is_key))
        return 1;
    if (!is_key)
        return bine_reason_set(r->why, "'%.*s': expected 'key: value'",
                               bine_reason_cut(line.length), line.at);
    word = (struct bine_word){line.at, (size_t)(colon - line.at)};
    *value = (struct bine_word){colon + 1, line.length - word.length - 1};
    trim(value);
    unquote(value);
    size_t column = (size_t)(line.at - begin);
    if (find_key(y, &word, column, key, value) != 0)
        return -1;
    if (*key == FLAT) { /* true, or details of it in lines of their own */
        *key = bine_word_is_like(value, "false") ? NOTHING : OTHER;
        *value = word;
    }
    if (*key == TOPOLOGY) {
        y->column = column;
        y->number++;
    }
    y->skips = *key == OTHER || (y->skips && *key != TOPOLOGY);
    return 1;
}

/* Of all topologies, the one that would count, and the first that tells of groups. */
struct survey {
    struct topology now, counts, serves;
    int counts_number, serves_number; /* 0: none yet */
    int is_default;                   /* the one that counts is named as such */
};

/* The end of a topology: decide whether it is the one that counts. */
static void close_topology(struct survey *s, int number, int is_default) {
    if (number == 0)
        return;
    if (s->counts_number == 0 || (is_default && !s->is_default)) {
        s->counts = s->now;
        s->counts_number = number;
        s->is_default = is_default;
    }
    if (s->now.kind.length == 0 && s->serves_number == 0) {
        s->serves = s->now;
        s->serves_number = number;
    }
}

static int survey(struct yaml *y, struct survey *s) {
    struct bine_word value = {"", 0};
    int rc, is_default = 0;
    enum key key;
    while ((rc = next_key(y, &key, &value)) > 0) {
        if (key == TOPOLOGY) {
            close_topology(s, y->number - 1, is_default);
            s->now = (struct topology){value, {"", 0}, y->reading->text.line};
            is_default = 0;
        } else if (key == OTHER) {
            s->now.kind = value;
        } else if (key == CLUSTER_DEFAULT) {
            is_default = bine_word_is_like(&value, "true");
        }
    }
    close_topology(s, y->number, is_default);
    return rc;
}

/* The topology that counts is known when all have been seen: 0, or -1 with *why. */
static int choose(struct yaml *y) {
    struct bine_reading *r = y->reading;
    struct bine_text begin = r->text;
    struct survey s = {.counts_number = 0};
    if (survey(y, &s) != 0)
        return -1;
    r->text = begin;
    y->number = y->skips = 0;
    y->chosen = s.counts_number;
    if (s.counts_number == 0 || s.counts.kind.length == 0)
        return 0;
    int name = bine_reason_cut(s.counts.name.length), kind = bine_reason_cut(s.counts.kind.length);
    if (s.serves_number == 0) {
        r->text.line = s.counts.line;
        return bine_reason_set(r->why,
                               "topology '%.*s' is of kind '%.*s', which tells of no groups: "
                               "expected a tree or blocks",
                               name, s.counts.name.at, kind, s.counts.kind.at);
    }
    y->chosen = s.serves_number;
    return bine_machine_note(r, s.counts.line,
                             "topology '%.*s' is of kind '%.*s', which tells of no groups: "
                             "topology '%.*s' counts",
                             name, s.counts.name.at, kind, s.counts.kind.at,
                             bine_reason_cut(s.serves.name.length), s.serves.name.at);
}

static void free_lists(struct yaml *y) {
    for (int i = 0; i < 2; i++) {
        free(y->list[i]);
        y->list[i] = NULL;
    }
}

/* The item is complete. */
static int close_item(struct yaml *y) {
    struct item it = y->item;
    int line = y->reading->text.line, rc = 0;
    y->item = (struct item){0};
    if (it.name.length > 0) {
        y->reading->text.line = it.line; /* where a fault of it is to be found */
        rc = bine_switches_define(&y->switches, y->reading, &it.name, &it.nodes, &it.children);
        if (rc == 0)
            y->reading->text.line = line;
    }
    free_lists(y);
    return rc;
}

static int open_item(struct yaml *y, const struct bine_word *name, int is_switch) {
    y->item = (struct item){.name = *name, .line = y->reading->text.line};
    y->reading->first_counts = is_switch;
    return name->length > 0 ? 0 : bine_reason_set(y->reading->why, "a switch without a name");
}

/* [a, "b", c] as a,b,c; to be freed, NULL when out of memory. */
static char *without_brackets(const struct bine_word *value) {
    char *list = malloc(value->length + 1), *to = list;
    const char *end = value->at + value->length - 1;
    if (list == NULL)
        return NULL;
    for (const char *at = value->at + 1, *next; at <= end; at = next + 1) {
        next = bine_hostlist_item_end(at, end);
        struct bine_word word = {at, (size_t)(next - at)};
        trim(&word);
        unquote(&word);
        memcpy(to, word.at, word.length);
        to += word.length;
        *to++ = ',';
    }
    to[to > list ? -1 : 0] = '\0';
    return list;
}

static int set_list(struct yaml *y, int k, const struct bine_word *value) {
    struct bine_word *to = k == 0 ? &y->item.nodes : &y->item.children;
    if (y->item.name.length == 0)
        return bine_reason_set(y->reading->why, "nodes or children of no switch or block");
    if (to->length > 0 || value->length == 0)
        return bine_reason_set(y->reading->why, "expected one list");
    if (bine_word_is(value, "[]"))
        return 0;
    *to = *value;
    if (value->at[0] != '[')
        return 0;
    y->list[k] = without_brackets(value);
    if (y->list[k] == NULL)
        return bine_reason_memory(y->reading->why);
    *to = (struct bine_word){y->list[k], strlen(y->list[k])};
    return to->length > 0 ? 0 : bine_reason_set(y->reading->why, "an empty list");
}

static int read_line(struct yaml *y, enum key key, const struct bine_word *value) {
    int opens = key == SWITCH || (key == BLOCK && value->length > 0); /* else that section */
    if ((key == TOPOLOGY || opens) && close_item(y) != 0)
        return -1;
    if (opens && y->number == 0)
        return bine_reason_set(y->reading->why, "expected '- topology: NAME' before this");
    if (y->number != y->chosen)
        return 0;
    if (opens)
        return open_item(y, value, key == SWITCH);
    if (key == NODES || key == CHILDREN)
        return set_list(y, key == CHILDREN, value);
    return 0;
}

static int read_lines(struct yaml *y) {
    struct bine_word value = {"", 0};
    enum key key;
    int rc;
    if (choose(y) != 0)
        return -1;
    while ((rc = next_key(y, &key, &value)) > 0)
        if (read_line(y, key, &value) != 0)
            return -1;
    return rc == 0 ? close_item(y) : -1;
}

int bine_machine_read_slurm_yaml(struct bine_reading *r) {
    struct yaml y = {.reading = r};
    int rc = read_lines(&y);
    if (rc != 0)
        bine_reason_at(r->why, r->file, r->text.line);
    else
        rc = bine_switches_finish(&y.switches, r);
    free_lists(&y);
    bine_switches_free(&y.switches);
    return rc;
}
