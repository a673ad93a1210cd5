/* Slurm's topology.conf: SwitchName=s1 Nodes=n[1-4], SwitchName=top Switches=s[1-2], or
 * BlockName=b1 Nodes=n[1-4]. Names of parameters in any case; a backslash at the end continues a
 * line. */
#include "network/slurm.h"

#include <string.h>

enum parameter { SWITCH_NAME, BLOCK_NAME, NODES, SWITCHES, LINK_SPEED, BLOCK_SIZES, PARAMETERS };

static const char *const parameters[PARAMETERS] = {"SwitchName", "BlockName", "Nodes",
                                                   "Switches",   "LinkSpeed", "BlockSizes"};

/* One Name=Value. */
static int read_parameter(struct bine_reading *r, const struct bine_word *word,
                          struct bine_word value[PARAMETERS]) {
    const char *equals = memchr(word->at, '=', word->length);
    int cut = bine_reason_cut(word->length);
    if (equals == NULL)
        return bine_reason_set(r->why, "'%.*s': expected Name=Value", cut, word->at);
    struct bine_word name = {word->at, (size_t)(equals - word->at)};
    for (int i = 0; i < PARAMETERS; i++) {
        if (!bine_word_is_like(&name, parameters[i]))
            continue;
        if (value[i].length > 0)
            return bine_reason_set(r->why, "%s is there twice", parameters[i]);
        value[i] = (struct bine_word){equals + 1, word->length - name.length - 1};
        if (value[i].length == 0)
            return bine_reason_set(r->why, "%s= without a value", parameters[i]);
        return 0;
    }
    return bine_reason_unknown(r->why, "parameter", name.at, name.length, parameters, PARAMETERS);
}

static int read_line(struct bine_reading *r, struct bine_switches *s, struct bine_word value[]) {
    const struct bine_word *name = &value[value[BLOCK_NAME].length > 0 ? BLOCK_NAME : SWITCH_NAME];
    if (value[BLOCK_SIZES].length > 0 && name->length == 0)
        return 0; /* how Slurm plans its blocks; the blocks themselves are in other lines */
    if (name->length == 0)
        return bine_reason_set(r->why, "expected SwitchName= or BlockName=");
    if (value[BLOCK_NAME].length > 0 && value[SWITCHES].length + value[SWITCH_NAME].length > 0)
        return bine_reason_set(r->why, "a block has nodes, not switches");
    return bine_switches_define(s, r, name, &value[NODES], &value[SWITCHES]);
}

/* The parameters of a line and of those that continue it. */
static int read_lines(struct bine_reading *r, struct bine_switches *s) {
    struct bine_word line, word, value[PARAMETERS] = {{0}};
    int some = 0;
    while (bine_text_line(&r->text, &line)) {
        int continues = 0;
        while (bine_text_word(&line, &word)) {
            some = 1;
            continues = line.length == 0 && word.at[word.length - 1] == '\\';
            word.length -= (size_t)continues;
            if (word.length > 0 && read_parameter(r, &word, value) != 0)
                return -1;
        }
        if (continues)
            continue;
        if (some && read_line(r, s, value) != 0)
            return -1;
        memset(value, 0, sizeof value);
        some = 0;
    }
    return some ? bine_reason_set(r->why, "the last line is continued, but nothing follows") : 0;
}

int bine_machine_read_slurm_conf(struct bine_reading *r) {
    struct bine_switches s = {0};
    int rc = read_lines(r, &s), line = r->text.line;
    if (rc == 0) {
        rc = bine_switches_finish(&s, r);
        line = 0;
    }
    bine_switches_free(&s);
    return rc == 0 ? 0 : bine_reason_at(r->why, r->file, line);
}
