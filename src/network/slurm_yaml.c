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
 * Every line is a key and a value, or an item of block_sizes; indentation is not looked at, because
 * the keys say all. */
#include "network/slurm.h"

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
    ITEM, /* of a list of numbers */
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

struct yaml {
    struct bine_reading *reading;
    struct bine_switches switches;
    struct item item;
    int number, chosen; /* the topology being read, and the one that counts */
    int flat;           /* the chosen one has no groups */
};

static void unquote(struct bine_word *w) {
    if (w->length >= 2 && (w->at[0] == '"' || w->at[0] == '\'') && w->at[w->length - 1] == w->at[0])
        *w = (struct bine_word){w->at + 1, w->length - 2};
}

static int is_number(const struct bine_word *w) {
    long value;
    return bine_word_count(w, 0, 1 << 24, &value) == 0;
}

/* What a line says. */
static int read_key(struct bine_reading *r, struct bine_word *line, enum key *key,
                    struct bine_word *value) {
    struct bine_word word;
    *key = NOTHING;
    if (line->length == 0 || bine_word_is(line, "---") || bine_word_is(line, "..."))
        return 0;
    int dash = line->at[0] == '-' && line->length > 1 && line->at[1] == ' ';
    if (dash)
        bine_text_word(line, &word);
    *key = ITEM;
    if (dash && is_number(line))
        return 0;
    const char *colon = memchr(line->at, ':', line->length);
    int cut = bine_reason_cut(line->length);
    if (colon == NULL)
        return bine_reason_set(r->why, "'%.*s': expected 'key: value'", cut, line->at);
    word = (struct bine_word){line->at, (size_t)(colon - line->at)};
    *value = (struct bine_word){colon + 1, line->length - word.length - 1};
    while (value->length > 0 && (value->at[0] == ' ' || value->at[0] == '\t')) {
        value->at++;
        value->length--;
    }
    unquote(value);
    for (int i = 0; i < KEYS; i++)
        if (bine_word_is(&word, keys[i])) {
            *key = (enum key)i;
            return 0;
        }
    return bine_reason_unknown(r->why, "key", word.at, word.length, keys, KEYS);
}

/* Which topology counts: the number of the first default one, or 1. */
static int choose(struct bine_reading *r) {
    struct bine_text begin = r->text;
    struct bine_word line, value;
    int number = 0, chosen = 0;
    enum key key;
    while (chosen == 0 && bine_text_line(&r->text, &line)) {
        if (read_key(r, &line, &key, &value) != 0)
            return -1;
        number += key == TOPOLOGY;
        if (key == CLUSTER_DEFAULT && bine_word_is_like(&value, "true"))
            chosen = number;
    }
    r->text = begin;
    return chosen == 0 ? 1 : chosen;
}

/* The item is complete. */
static int close_item(struct yaml *y) {
    struct item it = y->item;
    int line = y->reading->text.line;
    y->item = (struct item){0};
    if (it.name.length == 0 || y->number != y->chosen)
        return 0;
    y->reading->text.line = it.line; /* where a fault of it is to be found */
    if (bine_switches_define(&y->switches, y->reading, &it.name, &it.nodes, &it.children) != 0)
        return -1;
    y->reading->text.line = line;
    return 0;
}

static int open_item(struct yaml *y, const struct bine_word *name) {
    if (close_item(y) != 0)
        return -1;
    if (y->number == 0)
        return bine_reason_set(y->reading->why, "expected '- topology: NAME' before this");
    y->item = (struct item){.name = *name, .line = y->reading->text.line};
    return name->length > 0 ? 0 : bine_reason_set(y->reading->why, "a switch without a name");
}

static int set_list(struct yaml *y, struct bine_word *to, const struct bine_word *value) {
    if (y->item.name.length == 0)
        return bine_reason_set(y->reading->why, "nodes or children of no switch or block");
    if (to->length > 0 || value->length == 0)
        return bine_reason_set(y->reading->why, "expected one list");
    *to = *value;
    return 0;
}

static int read_line(struct yaml *y, enum key key, const struct bine_word *value) {
    switch (key) {
    case TOPOLOGY:
        if (close_item(y) != 0)
            return -1;
        y->number++;
        return 0;
    case BLOCK:
        return value->length == 0 ? 0 : open_item(y, value); /* else the section of that name */
    case SWITCH:
        return open_item(y, value);
    case CHILDREN:
        return set_list(y, &y->item.children, value);
    case NODES:
        return set_list(y, &y->item.nodes, value);
    case FLAT:
        y->flat |= y->number == y->chosen && bine_word_is_like(value, "true");
        return 0;
    default:
        return 0;
    }
}

static int read_lines(struct yaml *y) {
    struct bine_reading *r = y->reading;
    struct bine_word line, value = {"", 0};
    enum key key;
    y->chosen = choose(r);
    if (y->chosen < 0)
        return -1;
    while (bine_text_line(&r->text, &line))
        if (read_key(r, &line, &key, &value) != 0 || read_line(y, key, &value) != 0)
            return -1;
    return close_item(y);
}

int bine_machine_read_slurm_yaml(struct bine_reading *r) {
    struct yaml y = {.reading = r};
    int rc = read_lines(&y), line = r->text.line;
    if (rc == 0) {
        line = 0;
        rc = y.flat ? bine_reason_set(r->why, "a flat topology has no groups")
                    : bine_switches_finish(&y.switches, r);
    }
    bine_switches_free(&y.switches);
    return rc == 0 ? 0 : bine_reason_at(r->why, r->file, line);
}
