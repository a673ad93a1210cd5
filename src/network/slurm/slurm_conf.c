/* Slurm's topology.conf: SwitchName=s1 Nodes=n[1-4], SwitchName=top Switches=s[1-2], or
 * BlockName=b1 Nodes=n[1-4]; and what "scontrol show topology" prints, in which switches above
 * leaves have Nodes=, too.
 *
 * As Slurm reads it: names of parameters in any case, blanks around =, values in quotes, # begins a
 * comment anywhere, a backslash at the end of a line joins the next one to it, also inside a value,
 * and "Include FILE" takes in another file, from the folder of this one. A node may be in several
 * leaves; here the first one counts. */
#include "network/slurm/slurm.h"

#include "base/files.h"
#include "base/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INCLUDES = 8 };

enum parameter {
    SWITCH_NAME,
    BLOCK_NAME,
    NODES,
    SWITCHES,
    LINK_SPEED,
    BLOCK_SIZES,
    LEVEL, /* this and the rest: of scontrol */
    AGGREGATED,
    BLOCK_INDEX,
    BLOCK_SIZE,
    PARAMETERS
};

static const char *const parameters[PARAMETERS] = {
    "SwitchName", "BlockName", "Nodes",           "Switches",   "LinkSpeed",
    "BlockSizes", "Level",     "AggregatedBlock", "BlockIndex", "BlockSize"};

struct conf {
    struct bine_reading *reading;
    struct bine_switches *switches;
    int depth; /* of includes */
    char *line;
    size_t length, room;
};

/* Append to the line; 0, or -1 when out of memory. */
static int append(struct conf *c, const char *text, size_t length) {
    if (bine_grow(&c->line, &c->room, c->length + length + 1, 1) != 0)
        return bine_reason_memory(c->reading->why);
    memcpy(c->line + c->length, text, length);
    c->length += length;
    c->line[c->length] = '\0';
    return 0;
}

/* One line of the file, without its end and its comment; whether it goes on in the next one. */
static struct bine_word raw_line(struct bine_text *t, int *goes_on) {
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    struct bine_word line = {t->at, (size_t)((end == NULL ? t->end : end) - t->at)};
    const char *comment = memchr(line.at, '#', line.length);
    t->at = end == NULL ? t->end : end + 1;
    t->line++;
    if (comment != NULL)
        line.length = (size_t)(comment - line.at);
    while (line.length > 0 && isspace((unsigned char)line.at[line.length - 1]))
        line.length--;
    *goes_on = line.length > 0 && line.at[line.length - 1] == '\\';
    line.length -= (size_t)*goes_on;
    return line;
}

/* The next line with all that continue it: 1, 0 at the end, or -1 with *why. */
static int next_line(struct conf *c, int *first) {
    struct bine_text *t = &c->reading->text;
    int goes_on = t->at < t->end, some = goes_on;
    c->length = 0;
    *first = t->line + 1;
    while (goes_on && t->at < t->end) {
        struct bine_word line = raw_line(t, &goes_on);
        if (append(c, line.at, line.length) != 0)
            return -1;
    }
    if (some && goes_on)
        return bine_reason_set(c->reading->why, "the last line is continued, but nothing follows");
    return some;
}

static void skip_blanks(struct bine_word *line) {
    while (line->length > 0 && isspace((unsigned char)line->at[0])) {
        line->at++;
        line->length--;
    }
}

static void cut(struct bine_word *line, size_t n) {
    line->at += n;
    line->length -= n;
}

/* Take "Name = Value" or Name="Value" off the line. */
static int take_parameter(struct bine_reading *r, struct bine_word *line, struct bine_word *name,
                          struct bine_word *value) {
    size_t n = 0;
    struct bine_word all = *line;
    while (n < line->length && line->at[n] != '=' && !isspace((unsigned char)line->at[n]))
        n++;
    *name = (struct bine_word){line->at, n};
    cut(line, n);
    skip_blanks(line);
    if (line->length == 0 || line->at[0] != '=' || n == 0)
        return bine_reason_set(r->why, "'%.*s': expected Name=Value",
                               bine_reason_cut(n == 0 ? all.length : n), all.at);
    cut(line, 1);
    skip_blanks(line);
    char end = line->length > 0 && line->at[0] == '"' ? '"' : '\0';
    if (end != '\0')
        cut(line, 1);
    for (n = 0; n < line->length; n++)
        if (end != '\0' ? line->at[n] == end : isspace((unsigned char)line->at[n]))
            break;
    *value = (struct bine_word){line->at, n};
    if (end != '\0' && n == line->length)
        return bine_reason_set(r->why, "a quote that does not end");
    cut(line, n + (end != '\0'));
    skip_blanks(line);
    return 0;
}

static int keep_parameter(struct bine_reading *r, const struct bine_word *name,
                          const struct bine_word *word, struct bine_word value[PARAMETERS]) {
    for (int i = 0; i < PARAMETERS; i++) {
        if (!bine_word_is_like(name, parameters[i]))
            continue;
        if (value[i].length > 0)
            return bine_reason_set(r->why, "%s is there twice", parameters[i]);
        if (word->length == 0)
            return bine_reason_set(r->why, "%s= without a value", parameters[i]);
        value[i] = *word;
        return 0;
    }
    return bine_reason_unknown(r->why, "parameter", name->at, name->length, parameters, PARAMETERS);
}

/* The parameters of a line. */
static int define(struct bine_reading *r, struct bine_switches *s, struct bine_word value[]) {
    static const struct bine_word nothing = {"", 0};
    const struct bine_word *name = &value[value[BLOCK_NAME].length > 0 ? BLOCK_NAME : SWITCH_NAME];
    if (value[BLOCK_SIZES].length + value[AGGREGATED].length > 0 && name->length == 0)
        return 0; /* how Slurm plans its blocks; the blocks themselves are in other lines */
    if (name->length == 0)
        return bine_reason_set(r->why, "expected SwitchName= or BlockName=");
    if (value[BLOCK_NAME].length > 0 && value[SWITCHES].length + value[SWITCH_NAME].length > 0)
        return bine_reason_set(r->why, "a block has nodes, not switches");
    int printed = value[LEVEL].length > 0 && value[SWITCHES].length > 0;
    r->first_counts = value[SWITCH_NAME].length > 0;
    return bine_switches_define(s, r, name, printed ? &nothing : &value[NODES], &value[SWITCHES]);
}

static int read_file(struct conf *c);

/* The file that is included, in the folder of the one that includes it; to be freed. */
static char *included_path(const char *file, const struct bine_word *name) {
    const char *slash = name->length > 0 && name->at[0] == '/' ? NULL : strrchr(file, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - file) + 1;
    char *path = malloc(folder + name->length + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, file, folder);
    memcpy(path + folder, name->at, name->length);
    path[folder + name->length] = '\0';
    return path;
}

/* Why a file cannot be included; returns -1. */
static int cannot_include(const struct conf *c, const char *path) {
    struct bine_reading *r = c->reading;
    if (path == NULL)
        bine_reason_memory(r->why);
    else if (c->depth == MOST_INCLUDES)
        bine_reason_set(r->why, "Include in Include, more than %d deep", MOST_INCLUDES);
    else
        bine_reason_set(r->why, "Include: there is no file '%.200s' that can be read", path);
    return bine_reason_at(r->why, r->file, r->text.line);
}

/* Read another file in the place of this line. Its faults are reported there. */
static int include(struct conf *c, const struct bine_word *name) {
    struct bine_reading *r = c->reading;
    struct bine_text rest = r->text;
    const char *file = r->file;
    size_t size = 0;
    char *path = included_path(file, name);
    int able = path != NULL && c->depth < MOST_INCLUDES && bine_file_is_regular(path), rc;
    char *text = able ? bine_file_text(path, &size) : NULL;
    if (text != NULL) {
        struct conf inner = {r, c->switches, c->depth + 1, NULL, 0, 0};
        r->text = bine_text_open(text, size);
        r->file = path;
        rc = read_file(&inner);
        r->text = rest;
        r->file = file;
    } else {
        rc = cannot_include(c, path);
    }
    free(text);
    free(path);
    return rc;
}

/* 1: it is an Include, of that file. */
static int is_include(const struct bine_word *line, struct bine_word *name) {
    struct bine_word word;
    *name = *line;
    return bine_text_word(name, &word) && bine_word_is_like(&word, "Include") && name->length > 0 &&
           name->at[0] != '=';
}

static int read_line(struct conf *c, struct bine_word line) {
    struct bine_word name, word, value[PARAMETERS] = {{0}};
    skip_blanks(&line);
    if (line.length == 0)
        return 0;
    while (line.length > 0)
        if (take_parameter(c->reading, &line, &name, &word) != 0 ||
            keep_parameter(c->reading, &name, &word, value) != 0)
            return -1;
    return define(c->reading, c->switches, value);
}

static int read_file(struct conf *c) {
    struct bine_reading *r = c->reading;
    struct bine_word name;
    int first, rc;
    while ((rc = next_line(c, &first)) > 0) {
        struct bine_word line = {c->line, c->length};
        int last = r->text.line;
        r->text.line = first; /* faults are found from the beginning of a line on */
        if (is_include(&line, &name)) {
            if (include(c, &name) != 0)
                break;
        } else if (read_line(c, line) != 0) {
            bine_reason_at(r->why, r->file, r->text.line);
            break;
        }
        r->text.line = last;
    }
    if (rc < 0)
        bine_reason_at(r->why, r->file, r->text.line);
    free(c->line);
    return rc == 0 ? 0 : -1;
}

int bine_machine_read_slurm_conf(struct bine_reading *r) {
    struct bine_switches s = {0};
    struct conf c = {r, &s, 0, NULL, 0, 0};
    int rc = read_file(&c) == 0 ? bine_switches_finish(&s, r) : -1;
    bine_switches_free(&s);
    return rc;
}
