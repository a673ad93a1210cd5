// SimGrid's own zones cannot describe what machines/ does (several links for each pair of groups,
// tori with a node's own rate, memory inside a node), and a table of all routes is too large. A
// zone of our own asks model/links.h for each route when it is needed, so that SimGrid, the model
// and bine traffic speak of the same links.
#include "simulate/platform.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <string>

namespace sg4 = simgrid::s4u;
using simgrid::kernel::resource::StandardLinkImpl;
using simgrid::kernel::routing::NetPoint;
using simgrid::kernel::routing::NetZoneImpl;
using simgrid::kernel::routing::Route;

namespace {

class Zone : public NetZoneImpl {
    const bine_simgrid_network &network;
    std::vector<int> rank_on;                          // a rank of each node
    std::vector<std::vector<StandardLinkImpl *>> link; // as routes want them
    std::vector<size_t> way;

  public:
    explicit Zone(const bine_simgrid_network &n)
        : NetZoneImpl("machine"), network(n), rank_on(size_t(n.nodes)), way(size_t(n.longest)) {
        for (int r = n.ranks - 1; r >= 0; r--)
            rank_on[size_t(n.node[r])] = r;
        for (size_t i = 0; i < n.links; i++) {
            const sg4::Link *l =
                create_link("l" + std::to_string(i), std::vector<double>{n.rate[i]});
            link.push_back(get_link_list_impl({sg4::LinkInRoute(l)}, false));
        }
    }

    void get_local_route(const NetPoint *from, const NetPoint *to, Route *into,
                         double *latency) override {
        double takes = 0;
        int a = rank_on[from->id()], b = rank_on[to->id()];
        int n = network.route(network.self, a, b, way.data(), &takes);
        for (int i = 0; i < n; i++)
            into->link_list_.push_back(link[way[size_t(i)]].front());
        if (latency != nullptr)
            *latency += takes;
    }
};

} // namespace

std::vector<sg4::Host *> bine_platform_make(const bine_simgrid_network &network) {
    auto *zone = new Zone(network); // SimGrid's, from here on
    std::vector<sg4::Host *> hosts;
    for (int i = 0; i < network.nodes; i++)
        hosts.push_back(zone->create_host(network.host(network.self, i), std::vector<double>{1e9}));
    zone->seal();
    return hosts;
}

void bine_platform_configure() {
    // SimGrid takes what is a nanosecond apart for one moment unless told: messages of a kilobyte
    // then end up to a tenth of a microsecond early, now and then.
    static const char *const settings[] = {
        "network/model:CM02",   "network/crosstraffic:0",   "network/TCP-gamma:0",
        "network/weight-S:0",   "network/loopback-bw:1e15", "network/loopback-lat:0",
        "surf/precision:1e-12",
    };
    for (const char *s : settings)
        sg4::Engine::set_config(s);
}
