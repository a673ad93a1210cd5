/* Time-independent traces: one list for each rank, in which strands cannot be told apart. So the
 * steps of all strands that have the same time become one: their messages, a wait for all, a
 * calculation. Both ends of a message have the same time, so that nobody waits for ever. */
#include "cli/command.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

/* SimGrid's number of the datatype MPI_BYTE, and the speed of its hosts that calculations are
 * written for. */
enum { TI_BYTE = 6 };
#define TI_FLOPS 1e9

struct writer {
    FILE *to;
    const struct bine_export_job *job;
    const struct bine_script *script;
    uint32_t *at; /* the step that each runner of the rank comes to */
};

static const struct bine_script_step *next_of(const struct writer *w, size_t runner, size_t first) {
    const struct bine_script_runner *r = &w->script->runner[runner];
    uint32_t at = w->at[runner - first];
    return at == r->count ? NULL : &w->script->step[r->first + at];
}

static void write_post(struct writer *w, int rank, const struct bine_script_post *p) {
    const struct bine_script_message *m = &w->script->message[p->message];
    fprintf(w->to, "%d %s %d %u %" PRId64 " %d\n", rank, p->receives ? "irecv" : "isend",
            p->receives ? m->from : m->to, m->strand, m->bytes, TI_BYTE);
}

/* The earliest steps that the rank's runners have left. 0 if there are none. */
static int write_time(struct writer *w, size_t first, size_t end) {
    int32_t time = INT32_MAX;
    int rank = w->script->runner[first].rank;
    unsigned posts = 0;
    double work = 0;
    for (size_t i = first; i < end; i++)
        if (next_of(w, i, first) != NULL && next_of(w, i, first)->time < time)
            time = next_of(w, i, first)->time;
    for (size_t i = first; i < end; i++) {
        const struct bine_script_step *s = next_of(w, i, first);
        if (s == NULL || s->time != time)
            continue;
        for (uint32_t k = s->first; k < s->first + s->count; k++)
            write_post(w, rank, &w->script->post[k]);
        posts += s->count;
        work += bine_export_work(w->job, w->script, s);
        w->at[i - first]++;
    }
    if (posts > 0)
        fprintf(w->to, "%d waitall %u\n", rank, posts);
    if (work > 0)
        fprintf(w->to, "%d compute %.0f\n", rank, work * TI_FLOPS);
    return time < INT32_MAX;
}

static int write_ranks(struct writer *w) {
    const struct bine_script *s = w->script;
    for (size_t first = 0, end; first < s->runners; first = end) {
        int rank = s->runner[first].rank;
        for (end = first; end < s->runners && s->runner[end].rank == rank; end++) {
        }
        w->at = calloc(end - first, sizeof *w->at);
        if (w->at == NULL)
            return bine_complain("out of memory");
        fprintf(w->to, "%d init\n", rank);
        while (write_time(w, first, end)) {
        }
        fprintf(w->to, "%d finalize\n", rank);
        free(w->at);
    }
    return 0;
}

int bine_export_ti(FILE *to, const struct bine_export_job *job) {
    struct bine_script script;
    if (bine_script_write(&script, &job->request, job->bytes) != 0)
        return bine_complain("out of memory");
    struct writer w = {to, job, &script, NULL};
    fprintf(to, "# %s\n", job->command);
    int rc = write_ranks(&w);
    bine_script_free(&script);
    return rc;
}
