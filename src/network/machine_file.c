/* Machine files and maps; the formats are described in machine.h. */
#include "network/machine.h"
#include "network/machine_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_text(struct bine_reading *r, char **to, const char *key,
                    const struct bine_word *value) {
    if (*to != NULL)
        return bine_reason_set(r->why, "'%s' is there twice", key);
    *to = bine_word_copy(value);
    return *to == NULL ? bine_reason_memory(r->why) : 0;
}

static int read_name(struct bine_reading *r, struct bine_word *value) {
    if (bine_machine_check_name(r, "name", value) != 0)
        return -1;
    return set_text(r, &r->machine->name, "name", value);
}

static int read_about(struct bine_reading *r, struct bine_word *value) {
    return set_text(r, &r->machine->about, "about", value);
}

static int read_topology(struct bine_reading *r, struct bine_word *value) {
    const char *names[BINE_ADDRESSES]; /* addresses have no file */
    for (int i = 0; i < BINE_ADDRESSES; i++) {
        names[i] = bine_topology_name((enum bine_topology)i);
        if (bine_word_is(value, names[i])) {
            r->machine->topology = (enum bine_topology)i;
            return 0;
        }
    }
    return bine_reason_unknown(r->why, "topology", value->at, value->length, names, BINE_ADDRESSES);
}

static int set_count(struct bine_reading *r, long *to, const struct bine_word *value) {
    if (bine_word_count(value, 1, 1 << 24, to) == 0)
        return 0;
    return bine_reason_set(r->why, "'%.*s': expected a whole number from 1 to %d",
                           bine_reason_cut(value->length), value->at, 1 << 24);
}

static int read_nodes(struct bine_reading *r, struct bine_word *value) {
    return set_count(r, &r->machine->nodes, value);
}

/* The level that is being described, if it is above the groups. */
static struct bine_wider *last_level(const struct bine_reading *r) {
    return r->machine->wider > 0 ? &r->machine->above[r->machine->wider - 1] : NULL;
}

static int read_groups(struct bine_reading *r, struct bine_word *value) {
    struct bine_wider *w = last_level(r);
    return set_count(r, w != NULL ? &w->declared : &r->machine->declared_groups, value);
}

static int read_level(struct bine_reading *r, struct bine_word *value) {
    struct bine_machine *m = r->machine;
    if (bine_machine_check_name(r, "level name", value) != 0)
        return -1;
    if (m->groups.count == 0 && m->pattern == NULL && m->level_name != NULL)
        return bine_reason_set(r->why, "'level' twice ahead of all groups");
    if (m->groups.count == 0 && m->pattern == NULL)
        return set_text(r, &m->level_name, "level", value);
    if (m->pattern != NULL)
        return bine_reason_set(r->why, "'level' with 'pattern': expected groups that are listed");
    return bine_machine_check_joined(r) == 0 ? bine_machine_begin_level(r, value) : -1;
}

/* To the groups, or to larger ones. */
static int add_members(struct bine_reading *r, const char *name, size_t length,
                       const struct bine_word *list) {
    return last_level(r) != NULL ? bine_machine_join(r, name, length, list)
                                 : bine_machine_add(r, name, length, list);
}

static int read_nics(struct bine_reading *r, struct bine_word *value) {
    return set_count(r, &r->machine->nics, value);
}

/* A decimal number above 0 at the start of a text; *behind: the text after it. */
static int parse_decimal(const char *text, double *value, const char **behind) {
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return -1;
    *value = strtod(text, &end);
    *behind = end;
    return *value > 0 && *value < 1e9 ? 0 : -1;
}

static void to_text(const struct bine_word *value, char text[32]) {
    snprintf(text, 32, "%.*s", value->length < 31 ? (int)value->length : 31, value->at);
}

static int read_nic_gbits(struct bine_reading *r, struct bine_word *value) {
    char text[32];
    const char *behind;
    to_text(value, text);
    if (parse_decimal(text, &r->machine->nic_gbits, &behind) != 0 || *behind != '\0')
        return bine_reason_set(r->why, "'%s': expected a number of Gbit/s, as in 54.4", text);
    return 0;
}

static int read_oversubscription(struct bine_reading *r, struct bine_word *value) {
    char text[32];
    const char *behind;
    double above, below;
    to_text(value, text);
    if (parse_decimal(text, &above, &behind) != 0 || *behind != ':' ||
        parse_decimal(behind + 1, &below, &behind) != 0 || *behind != '\0')
        return bine_reason_set(r->why, "'%s': expected a ratio, as in 2:1", text);
    struct bine_wider *w = last_level(r);
    *(w != NULL ? &w->oversubscription : &r->machine->oversubscription) = above / below;
    return 0;
}

static int read_group(struct bine_reading *r, struct bine_word *value) {
    struct bine_word name;
    if (!bine_text_word(value, &name) || value->length == 0)
        return bine_reason_set(r->why, "expected 'group NAME HOSTLIST'");
    return add_members(r, name.at, name.length, value);
}

/* Hosts being dealt out to groups of one size. */
struct splitting {
    struct bine_reading *reading;
    const struct bine_word *prefix;
    long size, done;
};

static int split_host(void *self, const char *host, size_t length) {
    struct splitting *s = self;
    char name[BINE_HOST_LENGTH + 24];
    int n = snprintf(name, sizeof name, "%.*s%ld", (int)s->prefix->length, s->prefix->at,
                     s->done++ / s->size + 1);
    return add_members(s->reading, name, (size_t)n, &(struct bine_word){host, length});
}

static int read_split(struct bine_reading *r, struct bine_word *value) {
    struct bine_word prefix, number;
    struct splitting s = {r, &prefix, 0, 0};
    if (!bine_text_word(value, &prefix) || !bine_text_word(value, &number) || value->length == 0)
        return bine_reason_set(r->why, "expected 'split PREFIX SIZE HOSTLIST'");
    if (prefix.length > BINE_HOST_LENGTH - 20 || set_count(r, &s.size, &number) != 0)
        return bine_reason_set(r->why, "'split %.*s %.*s': expected a short prefix and a size",
                               bine_reason_cut(prefix.length), prefix.at,
                               bine_reason_cut(number.length), number.at);
    return bine_hostlist_expand(value->at, value->length, r->most, split_host, &s, r->why);
}

/* Every < has its >, and there is one <group>. */
static int read_pattern(struct bine_reading *r, struct bine_word *value) {
    if (last_level(r) != NULL)
        return bine_reason_set(r->why, "'pattern' with 'level': expected groups that are listed");
    if (set_text(r, &r->machine->pattern, "pattern", value) != 0)
        return -1;
    const char *group = strstr(r->machine->pattern, "<group>");
    int good = group != NULL && strstr(group + 1, "<group>") == NULL;
    for (const char *at = r->machine->pattern; good && *at != '\0'; at++) {
        if (*at == '<')
            at += strcspn(at + 1, "<>") + 1;
        good = *at != '\0' && *at != '<';
    }
    if (good)
        return 0;
    return bine_reason_set(r->why, "pattern '%.60s': expected one <group>, as in as<group>r<rack>",
                           r->machine->pattern);
}

static int read_dims(struct bine_reading *r, struct bine_word *value) {
    if (bine_shape_parse(value->at, value->length, &r->machine->shape) == 0)
        return 0;
    return bine_reason_set(r->why, "dims '%.*s': expected sizes, as in 4x4x8",
                           bine_reason_cut(value->length), value->at);
}

static int add_torus_host(void *self, const char *host, size_t length) {
    struct bine_reading *r = self;
    int before = r->machine->hosts.count, number = bine_names_add(&r->machine->hosts, host, length);
    if (number < 0)
        return bine_reason_memory(r->why);
    return number == before ? 0 : bine_reason_set(r->why, "host '%.60s' is there twice", host);
}

static int read_hosts(struct bine_reading *r, struct bine_word *value) {
    return bine_hostlist_expand(value->at, value->length, r->most - (size_t)r->machine->hosts.count,
                                add_torus_host, r, r->why);
}

static const struct key {
    const char *name;
    int (*read)(struct bine_reading *r, struct bine_word *value);
    int torus; /* 1: for tori only, -1: not for tori, 0: for all */
} keys[] = {
    {"name", read_name, 0},           {"about", read_about, 0},
    {"topology", read_topology, 0},   {"nodes", read_nodes, 0},
    {"groups", read_groups, -1},      {"nics", read_nics, 0},
    {"nic-gbits", read_nic_gbits, 0}, {"oversubscription", read_oversubscription, 0},
    {"group", read_group, -1},        {"split", read_split, -1},
    {"pattern", read_pattern, -1},    {"dims", read_dims, 1},
    {"hosts", read_hosts, 1},         {"level", read_level, -1},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* A rate, or an unknown key. */
static int read_rate(struct bine_reading *r, const struct bine_word *word,
                     const struct bine_word *value) {
    const char *names[KEYS + 32];
    char key[32], text[32];
    int n = KEYS;
    to_text(word, key);
    to_text(value, text);
    struct bine_wider *w = last_level(r);
    int rc = bine_rates_read(w != NULL && bine_rates_of_level(key) ? &w->rates : &r->machine->rates,
                             key, text);
    if (rc < 0)
        return bine_reason_set(r->why, "%s '%s': expected %s", key, text, bine_rates_expected(key));
    if (rc == 0)
        return 0;
    for (int i = 0; i < KEYS; i++)
        names[i] = keys[i].name;
    for (int i = 0; n < KEYS + 32 && bine_rates_key(i) != NULL; i++)
        names[n++] = bine_rates_key(i);
    return bine_reason_unknown(r->why, "key", word->at, word->length, names, (size_t)n);
}

static int read_line(struct bine_reading *r, struct bine_word *line, int *has_topology) {
    struct bine_word word;
    bine_text_word(line, &word);
    for (int i = 0; i < KEYS; i++) {
        if (!bine_word_is(&word, keys[i].name))
            continue;
        int torus = r->machine->topology == BINE_TORUS;
        if (line->length == 0)
            return bine_reason_set(r->why, "'%s' has no value", keys[i].name);
        if (keys[i].torus != 0 && !*has_topology)
            return bine_reason_set(r->why, "'%s' before 'topology'", keys[i].name);
        if (keys[i].torus != 0 && torus != (keys[i].torus > 0))
            return bine_reason_set(r->why, "'%s' is %s", keys[i].name,
                                   torus ? "not for a torus" : "for a torus only");
        if (keys[i].read == read_topology && (*has_topology)++)
            return bine_reason_set(r->why, "'topology' is there twice");
        return keys[i].read(r, line);
    }
    return read_rate(r, &word, line);
}

/* Checks that need the whole file. */
static int check(struct bine_reading *r, int has_topology) {
    const struct bine_machine *m = r->machine;
    int torus = m->topology == BINE_TORUS;
    if (!has_topology)
        return bine_reason_set(r->why, "no line 'topology ...' in it");
    if (torus && m->shape.dims == 0)
        return bine_reason_set(r->why, "a torus without a line 'dims ...'");
    if (torus && m->hosts.count > 0 && m->hosts.count != bine_shape_nodes(&m->shape))
        return bine_reason_set(r->why, "%d hosts do not fill a torus of %d nodes", m->hosts.count,
                               bine_shape_nodes(&m->shape));
    if (!torus && m->hosts.count == 0 && m->pattern == NULL)
        return bine_reason_set(r->why, "no hosts in it: expected lines 'group NAME HOSTLIST'");
    if (m->nodes > 0 && m->hosts.count > 0 && m->pattern == NULL && m->nodes != m->hosts.count)
        return bine_reason_set(r->why, "'nodes %ld', but %d hosts are listed", m->nodes,
                               m->hosts.count);
    if (bine_machine_check_joined(r) != 0)
        return -1;
    for (int k = 0; k < m->wider; k++)
        if (m->above[k].declared > 0 && m->above[k].declared < m->above[k].groups.count)
            return bine_reason_set(r->why, "level '%.40s': 'groups %ld', but %d are listed",
                                   m->above[k].name, m->above[k].declared,
                                   m->above[k].groups.count);
    if (m->declared_groups > 0 && m->declared_groups < m->groups.count)
        return bine_reason_set(r->why, "'groups %ld', but %d are listed", m->declared_groups,
                               m->groups.count);
    return 0;
}

int bine_machine_read_file(struct bine_reading *r) {
    struct bine_word line;
    int has_topology = 0;
    while (bine_text_line(&r->text, &line))
        if (line.length > 0 && read_line(r, &line, &has_topology) != 0)
            return bine_reason_at(r->why, r->file, r->text.line);
    return check(r, has_topology) == 0 ? 0 : bine_reason_at(r->why, r->file, 0);
}

static int read_map_line(struct bine_reading *r, struct bine_word *line) {
    struct bine_word list, group;
    if (!bine_text_word(line, &list) || !bine_text_word(line, &group) || line->length > 0)
        return bine_reason_set(r->why, "expected 'HOSTLIST GROUP'");
    return bine_machine_add(r, group.at, group.length, &list);
}

int bine_machine_read_map(struct bine_reading *r) {
    struct bine_word line;
    r->machine->topology = BINE_MAP;
    while (bine_text_line(&r->text, &line))
        if (line.length > 0 && read_map_line(r, &line) != 0)
            return bine_reason_at(r->why, r->file, r->text.line);
    if (r->machine->hosts.count > 0)
        return 0;
    bine_reason_set(r->why, "no hosts in it: expected lines 'HOSTLIST GROUP'");
    return bine_reason_at(r->why, r->file, 0);
}
