// SimGrid's own zones cannot describe what machines/ does (several links for each pair of groups,
// tori with a node's own rate, memory inside a node), and a table of all routes is too large. A
// zone of our own asks model/links.h for each route when it is needed, so that SimGrid, the model
// and bine traffic speak of the same links.
//
// SimGrid 3.32 computes rates anew only on links that are connected with those that have changed,
// and finds these by the first link of a message: if that was found already, by another message of
// the same moment, it forgets the others, and for a while the new message is as fast as its first
// link allows. That is right where a node's own link is the narrowest of the way. On a torus it is
// not, so there every way begins with a link without limit that hardly any other way has.
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
    std::vector<int> rank_on; // a rank of each node
    std::vector<StandardLinkImpl *> link;
    std::vector<size_t> way;
    enum { OWN_LINKS = 1 << 16 };
    unsigned own_bits = 0; // of each node, by destination
    std::vector<StandardLinkImpl *> own;

    StandardLinkImpl *make_link(const std::string &name, double rate, bool wide = false) {
        sg4::Link *l = create_link(name, std::vector<double>{rate});
        if (wide)
            l->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE);
        return get_link_list_impl({sg4::LinkInRoute(l)}, false).front();
    }

    StandardLinkImpl *own_of(uint32_t from, uint32_t to) const {
        uint64_t mixed = (to - from) * UINT32_C(2654435769);
        uint64_t slot = network.nodes <= 1 << own_bits ? to : mixed >> (32 - own_bits);
        return own[(size_t(from) << own_bits) + slot];
    }

  public:
    explicit Zone(const bine_simgrid_network &n)
        : NetZoneImpl("machine"), network(n), rank_on(size_t(n.nodes)), way(size_t(n.longest)) {
        for (int r = n.ranks - 1; r >= 0; r--)
            rank_on[size_t(n.node[r])] = r;
        for (size_t i = 0; i < n.links; i++)
            link.push_back(make_link("l" + std::to_string(i), n.rate[i], i == n.wide));
        while (n.torus && 2 << own_bits <= OWN_LINKS / n.nodes && 1 << own_bits < n.nodes)
            own_bits++;
        for (size_t i = 0; n.torus && i < size_t(n.nodes) << own_bits; i++)
            own.push_back(make_link("own" + std::to_string(i), 1e15));
    }

    void get_local_route(const NetPoint *from, const NetPoint *to, Route *into,
                         double *latency) override {
        double takes = 0;
        int a = rank_on[from->id()], b = rank_on[to->id()];
        int n = network.route(network.self, a, b, way.data(), &takes);
        if (network.torus)
            into->link_list_.push_back(own_of(uint32_t(from->id()), uint32_t(to->id())));
        for (int i = 0; i < n; i++)
            into->link_list_.push_back(link[way[size_t(i)]]);
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
