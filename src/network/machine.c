#include "network/machine.h"

#include "base/grow.h"
#include "network/address.h"
#include "network/machine_make.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const topology_names[] = {"dragonfly", "dragonfly+", "fat-tree",
                                             "torus",     "map",        "addresses"};

const char *bine_topology_name(enum bine_topology t) {
    return topology_names[t];
}

void bine_machine_free(struct bine_machine *m) {
    if (m == NULL)
        return;
    free(m->name);
    free(m->about);
    free(m->pattern);
    free(m->group);
    free(m->note);
    free(m->level_name);
    for (int k = 0; k < BINE_WIDER_MOST; k++)
        bine_wider_free(&m->above[k]);
    bine_names_free(&m->hosts);
    bine_names_free(&m->groups);
    free(m);
}

long bine_machine_nodes(const struct bine_machine *m) {
    if (m->nodes > 0)
        return m->nodes;
    return m->hosts.count > 0 || m->shape.dims == 0 ? m->hosts.count : bine_shape_nodes(&m->shape);
}

long bine_machine_groups(const struct bine_machine *m) {
    if (m->topology == BINE_TORUS)
        return bine_machine_nodes(m);
    return m->declared_groups > 0 ? m->declared_groups : m->groups.count;
}

char *bine_word_copy(const struct bine_word *word) {
    char *copy = malloc(word->length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, word->at, word->length);
    copy[word->length] = '\0';
    return copy;
}

int bine_machine_check_name(struct bine_reading *r, const char *what,
                            const struct bine_word *word) {
    if (word->length == 0)
        return bine_reason_set(r->why, "an empty %s", what);
    if (word->length > BINE_HOST_LENGTH)
        return bine_reason_set(r->why, "a %s of more than %d characters", what, BINE_HOST_LENGTH);
    for (size_t i = 0; i < word->length; i++)
        if (!isalnum((unsigned char)word->at[i]) &&
            (word->at[i] == '\0' || strchr("-_.:+/@", word->at[i]) == NULL))
            return bine_reason_set(r->why, "unexpected character '%c' in a %s", word->at[i], what);
    return 0;
}

/* Hosts being added to one group. */
struct adding {
    struct bine_reading *reading;
    int group;
};

static int add_host(void *self, const char *host, size_t length) {
    struct adding *a = self;
    struct bine_machine *m = a->reading->machine;
    int before = m->hosts.count, number = bine_names_add(&m->hosts, host, length);
    if (number < 0 ||
        bine_grow(&m->group, &m->group_room, (size_t)number + 1, sizeof *m->group) != 0)
        return bine_reason_memory(a->reading->why);
    if (number >= before)
        m->group[number] = a->group;
    if (number >= before || (a->reading->first_counts && m->group[number] == a->group))
        return 0;
    const char *other = bine_names_text(&m->groups, m->group[number]);
    if (!a->reading->first_counts)
        return bine_reason_set(a->reading->why, "host '%.60s' is in group '%.60s' already", host,
                               other);
    a->reading->doubled++;
    return bine_machine_note(a->reading, a->reading->text.line,
                             "node '%.60s' is below '%.60s', too: '%.60s' counts", host,
                             bine_names_text(&m->groups, a->group), other);
}

int bine_machine_note(struct bine_reading *r, int line, const char *format, ...) {
    struct bine_reason note;
    char text[sizeof note.text];
    va_list list;
    if (r->machine->note != NULL)
        return 0;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    bine_reason_set(&note, "%s", text);
    bine_reason_at(&note, r->file, line);
    r->machine->note = bine_word_copy(&(struct bine_word){note.text, strlen(note.text)});
    return r->machine->note == NULL ? bine_reason_memory(r->why) : 0;
}

int bine_machine_add(struct bine_reading *r, const char *group, size_t length,
                     const struct bine_word *list) {
    struct bine_machine *m = r->machine;
    struct bine_word name = {group, length};
    if (bine_machine_check_name(r, "group name", &name) != 0)
        return -1;
    struct adding a = {r, bine_names_add(&m->groups, group, length)};
    if (a.group < 0)
        return bine_reason_memory(r->why);
    return bine_hostlist_expand(list->at, list->length, r->most - (size_t)m->hosts.count, add_host,
                                &a, r->why);
}

/* Does the name end with this ending? */
static int ends_with(const char *name, const char *ending) {
    size_t n = strlen(name), e = strlen(ending);
    return n >= e && strcmp(name + n - e, ending) == 0;
}

static int starts_with(const struct bine_word *line, const char *start) {
    struct bine_word head = {line->at, strlen(start)};
    return line->length >= head.length && bine_word_is_like(&head, start);
}

/* A parameter of topology.conf, or an Include, in any case. */
static int starts_as_slurm_conf(const struct bine_word *line) {
    static const char *const names[] = {"SwitchName", "BlockName", "BlockSizes", "AggregatedBlock"};
    struct bine_word rest = *line, word;
    bine_text_word(&rest, &word);
    const char *equals = memchr(word.at, '=', word.length);
    size_t length = equals == NULL ? word.length : (size_t)(equals - word.at);
    struct bine_word name = {word.at, length};
    int has_value = equals != NULL || (rest.length > 0 && rest.at[0] == '=');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_value && bine_word_is_like(&name, names[i]))
            return 1;
    return !has_value && rest.length > 0 && bine_word_is_like(&word, "Include");
}

/* Formats are told apart by the file's ending or its first line that is not empty. */
static int (*reader_of(const struct bine_reading *r))(struct bine_reading *) {
    struct bine_text t = r->text;
    struct bine_word line = {"", 0};
    if (ends_with(r->file, ".map"))
        return bine_machine_read_map;
    while (bine_text_line(&t, &line) && line.length == 0) {
    }
    if (ends_with(r->file, "topology.conf") || starts_as_slurm_conf(&line))
        return bine_machine_read_slurm_conf;
    if (ends_with(r->file, ".yaml") || ends_with(r->file, ".yml") || starts_with(&line, "---") ||
        starts_with(&line, "- topology"))
        return bine_machine_read_slurm_yaml;
    return bine_machine_read_file;
}

/* The name of a machine whose file states none: that of the file, without folders and ending. */
static char *name_from_file(const char *file) {
    const char *slash = strrchr(file, '/');
    const char *base = slash == NULL ? file : slash + 1;
    return bine_word_copy(&(struct bine_word){base, strcspn(base, ".")});
}

static int check_level(struct bine_reading *r) {
    const struct bine_machine *m = r->machine;
    if (m->level <= m->levels)
        return 0;
    if (m->levels == 1)
        bine_reason_set(r->why, "no level %d: its groups have only one", m->level);
    else
        bine_reason_set(r->why, "no level %d: expected 1 to %d", m->level, m->levels);
    return bine_reason_at(r->why, r->file, 0);
}

struct bine_machine *bine_machine_read(const char *text, size_t size, const char *file,
                                       const struct bine_machine_options *options,
                                       struct bine_reason *why) {
    struct bine_machine *m = calloc(1, sizeof *m);
    struct bine_reading r = {m,    bine_text_open(text, size),
                             file, options->most > 0 ? options->most : BINE_HOSTS_MOST,
                             why,  0,
                             0,    0};
    if (m == NULL) {
        bine_reason_memory(why);
        return NULL;
    }
    m->level = options->level > 0 ? options->level : 1;
    m->levels = 1;
    r.wider = options->level == 0;
    if (reader_of(&r)(&r) != 0 || check_level(&r) != 0 ||
        (options->level > 0 && bine_machine_keep_level(&r) != 0)) {
        bine_machine_free(m);
        return NULL;
    }
    if (m->name == NULL && (m->name = name_from_file(file)) == NULL) {
        bine_reason_memory(why);
        bine_machine_free(m);
        return NULL;
    }
    return m;
}

struct bine_machine *bine_machine_addresses(const char *pattern, int level,
                                            struct bine_reason *why) {
    int wider = level == 0 ? bine_address_wider(pattern) : 0;
    level = level > 0 ? level : 1;
    if (!bine_address_has_groups(pattern, level)) {
        bine_reason_set(why, "addresses of the pattern '%.60s': expected a switch or a block %s",
                        pattern, level == 1 ? "before the node" : "of that level");
        return NULL;
    }
    struct bine_machine *m = calloc(1, sizeof *m);
    if (m != NULL) {
        m->name = bine_word_copy(&(struct bine_word){"addresses", 9});
        m->pattern =
            pattern == NULL ? NULL : bine_word_copy(&(struct bine_word){pattern, strlen(pattern)});
    }
    if (m == NULL || m->name == NULL || (pattern != NULL && m->pattern == NULL)) {
        bine_reason_memory(why);
        bine_machine_free(m);
        return NULL;
    }
    m->topology = BINE_ADDRESSES;
    m->level = level;
    m->wider = wider;
    return m;
}
