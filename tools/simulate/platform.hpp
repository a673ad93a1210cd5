// The network of a job as a SimGrid platform: one zone, whose routes are those of model/links.h.
#ifndef BINE_TOOLS_SIMULATE_PLATFORM_HPP
#define BINE_TOOLS_SIMULATE_PLATFORM_HPP

#include "simulate/simgrid.h"

#include <simgrid/s4u.hpp>
#include <vector>

// The hosts, by node. The network must outlive the platform.
std::vector<simgrid::s4u::Host *> bine_platform_make(const bine_simgrid_network &network);

// What both ways of simulating tell SimGrid: bandwidths and latencies as described, nothing fitted.
void bine_platform_configure();

#endif
