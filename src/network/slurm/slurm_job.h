/* The ranks of the Slurm job, or of the step of it, that a process runs in, as Slurm tells in the
 * environment. */
#ifndef BINE_NETWORK_SLURM_JOB_H
#define BINE_NETWORK_SLURM_JOB_H

#include "network/hosts.h"

/* As the variables have it; NULL where there is none. */
struct bine_slurm_job {
    const char *nodes, *nodes_variable; /* a host list; NULL: this is no Slurm job */
    const char *tasks, *tasks_variable; /* of each node, as in 4(x2),3; NULL: one */
    const char *distribution;           /* block, cyclic, plane, arbitrary; NULL: block */
    const char *plane;                  /* tasks that stay together, of a plane */
    const char *host_file;              /* with the order of an arbitrary distribution */
};

/* The step's, in one; else the job's. The shell of an allocation counts as the job. */
void bine_slurm_job_find(struct bine_slurm_job *job);
/* The hosts in the order of ranks, as Slurm distributes them; or a rank on each node. 0, or -1:
 * *why names the variable. */
int bine_slurm_job_hosts(const struct bine_slurm_job *job, int one_each, struct bine_hosts *h,
                         struct bine_reason *why);

#endif
