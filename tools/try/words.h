/* The words of a launcher's command line, with settings for the ranks put in. */
#ifndef BINE_TOOLS_TRY_WORDS_H
#define BINE_TOOLS_TRY_WORDS_H

#include <stddef.h>

/* What a run sets for the ranks of the program. */
struct bine_launch {
    const char *preload; /* libbine-preload.so; NULL: the ranks run without it */
    int off;             /* BINE_OFF=1 */
    const char *report;  /* BINE_PROFILE, or NULL */
};

/* Words that grow; they are never freed: the process becomes another program. */
struct bine_words {
    char **word;
    size_t used, room;
};

/* How launchers are told of the ranks' environment. */
typedef void bine_words_change(struct bine_words *out, char **command, const struct bine_launch *x);
bine_words_change bine_words_openmpi; /* -x NAME=VALUE, for each program of the line */
bine_words_change bine_words_hydra;   /* -genv NAME VALUE */
bine_words_change bine_words_srun;    /* --export=ALL,NAME=VALUE */
bine_words_change bine_words_lab;     /* bine lab run --preload FILE */
bine_words_change bine_words_bare;    /* the ranks have the environment of the command */

/* The value of LD_PRELOAD for ranks that would have `value`: without Bine's library, and with it in
 * front if the run has it. */
char *bine_words_preload(const char *value, const struct bine_launch *x);
/* LD_PRELOAD as it was before bine try: without Bine's library. */
char *bine_words_theirs(const char *value);

#endif
