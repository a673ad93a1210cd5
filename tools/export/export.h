/* bine export: schedules as other programs read them. */
#ifndef BINE_TOOLS_EXPORT_EXPORT_H
#define BINE_TOOLS_EXPORT_EXPORT_H

#include "network/rates.h"
#include "schedule/build/build.h"
#include "simulate/script.h"

#include <stdio.h>

struct bine_export_job {
    struct bine_spec request; /* its rank is ignored */
    int64_t bytes;
    struct bine_rates rates; /* for local work */
    const char *command;     /* as typed, for the file's first line */
};

/* A format: writes everything; 0, or BINE_EXIT_USAGE after complaining. */
typedef int bine_export_write(FILE *to, const struct bine_export_job *job);

/* GOAL, for LogGOPSim and ATLAHS: for each rank its sends, receives and calculations (nanoseconds),
 * and which of them require which. */
bine_export_write bine_export_goal;
/* Time-independent traces of SimGrid: for each rank what it does, in order. */
bine_export_write bine_export_ti;
/* MSCCL's XML, for runtimes on GPUs: threadblocks, each with one peer to send to and one to receive
 * from; chunks instead of bytes. */
bine_export_write bine_export_msccl;

/* Seconds of a step's local work. */
static inline double bine_export_work(const struct bine_export_job *job,
                                      const struct bine_script *script,
                                      const struct bine_script_step *step) {
    double reduced = step->reduced, copied = step->copied;
    for (uint32_t i = step->first; i < step->first + step->count; i++) {
        double bytes = (double)script->message[script->post[i].message].bytes;
        reduced += script->post[i].reduces ? bytes : 0;
        copied += script->post[i].copies ? bytes : 0;
    }
    return reduced / job->rates.reduce + copied / job->rates.copy;
}

#endif
