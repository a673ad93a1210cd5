// A script replayed as SimGrid communications, with no actors but one: ranks are cursors, driven by
// timers and by the ends of communications. That is many times as fast as an actor for each rank.
#include "simulate/platform.hpp"

#include <algorithm>
#include <simgrid/kernel/Timer.hpp>

namespace sg4 = simgrid::s4u;
using simgrid::kernel::timer::Timer;

namespace {

enum { SENDER, RECEIVER };

struct Runner {
    uint32_t step = 0;    // that it is at, or comes to
    uint32_t waiting = 0; // for so many messages of it
    bool held = false;    // it lets the runner before it go first
};

struct Message {
    bool posted[2] = {false, false};
    uint32_t runner[2] = {0, 0};
    double work = 0; // seconds, as soon as it has come
    sg4::CommPtr comm;
};

class Replay {
    const bine_simgrid_network &network;
    const bine_script &script;
    const std::vector<sg4::Host *> &hosts;
    std::vector<Runner> runner;
    std::vector<Message> message;
    std::vector<double> processor; // of each rank: when it is free
    std::vector<size_t> way;
    size_t left; // runners that are under way
    int64_t *load;
    double begin;
    sg4::ActorPtr waiter;
    sg4::CommPtr spent;

    static double now() { return sg4::Engine::get_clock(); }

    template <class Deed> void at(double time, Deed deed) {
        if (time <= now())
            deed();
        else
            Timer::set(time, deed);
    }

    void leave(uint32_t number);
    void arrive(uint32_t number);
    void post(uint32_t number, int end);
    void less(uint32_t which);
    void begin_step(uint32_t which);
    void post_next(uint32_t which, uint32_t post);
    void end_step(uint32_t which);
    bool must_wait(uint32_t which) const;
    void count(const bine_script_message &m);
    double work_of(double reduced, double copied) const {
        return reduced / network.reduce + copied / network.copy;
    }
    const bine_script_step &step_of(uint32_t which) const {
        return script.step[script.runner[which].first + runner[which].step];
    }

  public:
    double end;

    Replay(const bine_simgrid_network &n, const bine_script &s, const std::vector<sg4::Host *> &all,
           int64_t *loads)
        : network(n), script(s), hosts(all), runner(s.runners), message(s.messages),
          processor(size_t(s.ranks), 0.0), way(size_t(n.longest)), left(s.runners), load(loads),
          begin(now()), end(now()) {}

    void start(const sg4::ActorPtr &who) {
        waiter = who;
        for (uint32_t i = 0; i < runner.size(); i++)
            begin_step(i);
    }
    bool done() const { return left == 0; }
    void completed(const sg4::Activity &a) { arrive(uint32_t(*a.get_data<uint32_t>())); }
    std::vector<uint32_t> numbers; // what communications carry
};

Replay *under_way = nullptr;
const bine_simgrid_network *network = nullptr;
sg4::Engine *engine = nullptr;
std::vector<sg4::Host *> hosts;

void Replay::count(const bine_script_message &m) {
    double latency = 0;
    if (load == nullptr)
        return;
    int n = network.route(network.self, m.from, m.to, way.data(), &latency);
    for (int i = 0; i < n; i++)
        load[way[size_t(i)]] += m.bytes;
}

// It goes over the links now.
void Replay::leave(uint32_t number) {
    const bine_script_message &m = script.message[number];
    sg4::CommPtr comm = sg4::Comm::sendto_init(hosts[size_t(network.node[m.from])],
                                               hosts[size_t(network.node[m.to])]);
    comm->set_payload_size(uint64_t(m.bytes));
    comm->set_data(&numbers[number]);
    count(m);
    message[number].comm = comm;
    comm->start();
}

// Both ends have posted it, and it has come. The sender of a small one has not waited.
void Replay::arrive(uint32_t number) {
    Message &x = message[number];
    bool eager = double(script.message[number].bytes) <= network.eager;
    spent = x.comm; // SimGrid has not done with it yet
    x.comm = nullptr;
    if (!eager)
        less(x.runner[SENDER]);
    if (x.work == 0) {
        less(x.runner[RECEIVER]);
        return;
    }
    double &busy = processor[size_t(script.message[number].to)];
    busy = std::max(busy, now()) + x.work;
    at(busy, [this, number] { less(message[number].runner[RECEIVER]); });
}

void Replay::post(uint32_t number, int who) {
    Message &x = message[number];
    bool eager = double(script.message[number].bytes) <= network.eager;
    x.posted[who] = true;
    if (x.posted[!who])
        leave(number);
    if (eager && who == SENDER)
        less(x.runner[SENDER]);
}

// One message less to wait for.
void Replay::less(uint32_t which) {
    if (--runner[which].waiting == 0)
        end_step(which);
}

bool Replay::must_wait(uint32_t which) const {
    const bine_script_runner &r = script.runner[which];
    return r.staggered && runner[which - 1].step < script.runner[which - 1].count &&
           step_of(which - 1).time <= step_of(which).time;
}

void Replay::begin_step(uint32_t which) {
    Runner &x = runner[which];
    const bine_script_runner &r = script.runner[which];
    if (x.step == r.count) {
        left--;
        end = now();
        if (left == 0)
            waiter->resume();
        return;
    }
    if (must_wait(which)) {
        x.held = true;
        return;
    }
    const bine_script_step &step = step_of(which);
    x.waiting = step.count + 1; // and one for posting
    for (uint32_t i = step.first; i < step.first + step.count; i++) {
        Message &m = message[script.post[i].message];
        m.runner[script.post[i].receives ? RECEIVER : SENDER] = which;
        if (script.post[i].receives)
            m.work = work_of(script.post[i].reduced, script.post[i].copied);
    }
    post_next(which, step.first);
}

// The processor takes a moment for each message of the step.
void Replay::post_next(uint32_t which, uint32_t post_number) {
    const bine_script_step &step = step_of(which);
    if (post_number == step.first + step.count) {
        less(which);
        return;
    }
    const bine_script_post &p = script.post[post_number];
    double &busy = processor[size_t(script.runner[which].rank)];
    double packs = p.receives ? 0 : work_of(0, p.copied);
    busy = std::max(busy, now()) + packs + network.message;
    at(busy, [this, which, post_number, p] {
        post(p.message, p.receives ? RECEIVER : SENDER);
        post_next(which, post_number + 1);
    });
}

void Replay::end_step(uint32_t which) {
    const bine_script_step &step = step_of(which);
    double work = work_of(step.reduced, step.copied);
    double &busy = processor[size_t(script.runner[which].rank)];
    double until = now();
    if (work > 0)
        busy = until = std::max(busy, until) + work;
    runner[which].step++;
    at(until, [this, which] { begin_step(which); });
    uint32_t next = which + 1;
    if (next < runner.size() && script.runner[next].staggered && runner[next].held) {
        runner[next].held = false;
        at(now(), [this, next] { begin_step(next); });
    }
}

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
        if (under_way != nullptr && a.get_data<uint32_t>() != nullptr)
            under_way->completed(a);
    });
    return 0;
}

int bine_simgrid_replay(const bine_script *script, bine_simgrid_result *result) {
    double begin = sg4::Engine::get_clock();
    Replay replay(*network, *script, hosts, result->load);
    for (uint32_t i = 0; i < script->messages; i++)
        replay.numbers.push_back(i);
    under_way = &replay;
    sg4::Actor::create("director", hosts[0], [&replay] {
        sg4::ActorPtr self = sg4::Actor::self();
        Timer::set(sg4::Engine::get_clock(), [&replay, self] { replay.start(self); });
        sg4::this_actor::suspend();
    });
    engine->run();
    under_way = nullptr;
    result->seconds = replay.end - begin;
    return replay.done() ? 0 : 1;
}
