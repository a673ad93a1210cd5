// The platform that SimGrid's MPI loads: the job that SIMULATED_* describe.
#include "simulate/platform.hpp"
#include "simulate/smpi_job.h"

#include <cstdlib>

extern "C" void load_platform(const simgrid::s4u::Engine &);

void load_platform(const simgrid::s4u::Engine &) {
    const bine_simgrid_network *network = bine_smpi_network();
    if (network == nullptr)
        std::exit(2);
    bine_platform_make(*network);
}
