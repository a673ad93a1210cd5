/* GOAL: a graph for each rank. A step is its messages and then one calculation, which requires all
 * of them; the messages of the next step require that. So strands stay independent. The tag is the
 * strand: messages of one pair and strand meet in their order. */
#include "cli/command.h"
#include "export/export.h"

#include <inttypes.h>

struct writer {
    FILE *to;
    const struct bine_export_job *job;
    const struct bine_script *script;
    size_t label; /* the last one of the rank */
};

static void write_post(struct writer *w, const struct bine_script_post *p, size_t after) {
    const struct bine_script_message *m = &w->script->message[p->message];
    fprintf(w->to, "l%zu: %s %" PRId64 "b %s %d tag %u\n", ++w->label,
            p->receives ? "recv" : "send", m->bytes, p->receives ? "from" : "to",
            p->receives ? m->from : m->to, m->strand);
    if (after > 0)
        fprintf(w->to, "l%zu requires l%zu\n", w->label, after);
}

/* Returns the label of what the next step requires. */
static size_t write_step(struct writer *w, const struct bine_script_step *step, size_t after) {
    size_t first = w->label + 1;
    for (uint32_t i = step->first; i < step->first + step->count; i++)
        write_post(w, &w->script->post[i], after);
    size_t last = w->label;
    fprintf(w->to, "l%zu: calc %.0f\n", ++w->label,
            1e9 * bine_export_work(w->job, w->script, step));
    for (size_t l = first; l <= last; l++)
        fprintf(w->to, "l%zu requires l%zu\n", w->label, l);
    if (last < first && after > 0)
        fprintf(w->to, "l%zu requires l%zu\n", w->label, after);
    return w->label;
}

static void write_runner(struct writer *w, const struct bine_script_runner *r) {
    size_t after = 0;
    for (uint32_t i = 0; i < r->count; i++)
        after = write_step(w, &w->script->step[r->first + i], after);
}

int bine_export_goal(FILE *to, const struct bine_export_job *job) {
    struct bine_script script;
    if (bine_script_write(&script, &job->request, job->bytes) != 0)
        return bine_complain("out of memory");
    struct writer w = {to, job, &script, 0};
    fprintf(to, "// %s\nnum_ranks %d\n", job->command, script.ranks);
    for (size_t i = 0; i < script.runners;) {
        int rank = script.runner[i].rank;
        w.label = 0;
        fprintf(to, "\nrank %d {\n", rank);
        for (; i < script.runners && script.runner[i].rank == rank; i++)
            write_runner(&w, &script.runner[i]);
        fprintf(to, "}\n");
    }
    bine_script_free(&script);
    return 0;
}
