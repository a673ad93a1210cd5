/* The job that `bine simulate --engine smpi` has started this process for. */
#ifndef BINE_TOOLS_SIMULATE_SMPI_JOB_H
#define BINE_TOOLS_SIMULATE_SMPI_JOB_H

#include "simulate/simgrid.h"

#ifdef __cplusplus
extern "C" {
#endif
/* NULL after complaining. */
const struct bine_simgrid_network *bine_smpi_network(void);
#ifdef __cplusplus
}
#endif

#endif
