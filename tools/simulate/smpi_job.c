#include "simulate/smpi_job.h"
#include "simulate/simulate.h"

#include <stdlib.h>

const struct bine_simgrid_network *bine_smpi_network(void) {
    static struct bine_simulate_place place;
    struct bine_simulate_wish w = {0};
    w.where.machine = getenv("SIMULATED_MACHINE");
    w.where.hosts = getenv("SIMULATED_HOSTS");
    w.where.dims = getenv("SIMULATED_DIMS");
    const char *busy = getenv("SIMULATED_BUSY");
    w.busy = busy == NULL ? 0 : strtod(busy, NULL);
    if (w.where.machine == NULL || bine_simulate_settle(&place, &w) != 0)
        return NULL;
    return &place.network;
}
