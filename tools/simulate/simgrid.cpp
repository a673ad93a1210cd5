// What `bine simulate` calls: see simgrid.h.
#include "simulate/replay.hpp"

namespace sg4 = simgrid::s4u;
using simgrid::kernel::timer::Timer;

namespace {

Replay *pending = nullptr;
const bine_simgrid_network *network = nullptr;
sg4::Engine *engine = nullptr;
std::vector<sg4::Host *> hosts;

} // namespace

int bine_simgrid_open(const bine_simgrid_network *n) {
    static char name[] = "bine", log[] = "--log=root.thresh:critical",
                *argv[] = {name, log, nullptr};
    static int argc = 2;
    network = n;
    engine = new sg4::Engine(&argc, argv);
    bine_platform_configure();
    hosts = bine_platform_make(*n);
    sg4::Activity::on_completion_cb([](const sg4::Activity &a) {
        if (pending != nullptr && a.get_data<void>() != nullptr)
            pending->completed(a);
    });
    return 0;
}

int bine_simgrid_replay(const bine_script *script, bine_simgrid_result *result) {
    double begin = sg4::Engine::get_clock();
    Replay replay(*network, *script, hosts, result->load);
    pending = &replay;
    sg4::Actor::create("director", hosts[0], [&replay] {
        sg4::ActorPtr self = sg4::Actor::self();
        Timer::set(sg4::Engine::get_clock(), [&replay, self] { replay.start(self); });
        sg4::this_actor::suspend();
    });
    engine->run();
    pending = nullptr;
    result->seconds = replay.end - begin;
    return replay.done() ? 0 : 1;
}
