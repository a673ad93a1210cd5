// A script replayed as SimGrid communications, with no actors but one: ranks are cursors, driven by
// timers and by the ends of communications. That is many times as fast as an actor for each rank.
//
// A rank is one processor. It goes as the engine does (src/engine/execution.c): it takes one strand
// after the other as far as that gets; then it waits for messages, for all of the step where there
// is one strand, for some of them where there are several or messages come in parts; uses those
// that have come, in order; and takes the strands on. Meanwhile it sees nothing.
#ifndef BINE_TOOLS_SIMULATE_REPLAY_HPP
#define BINE_TOOLS_SIMULATE_REPLAY_HPP

#include "simulate/platform.hpp"

#include <memory>
#include <simgrid/kernel/Timer.hpp>

class Replay {
    enum { SENDER, RECEIVER };
    enum State { ADVANCES, POSTS, WAITS, USES };

    struct Runner {
        uint32_t step = 0; // that it is at, or comes to
        uint32_t next = 0; // what of it is to be posted next, or to be done on boards
        uint32_t open = 0; // messages of it, or parts, that are pending
        bool in_step = false, in_parts = false;
    };
    struct Message {
        uint32_t posted[2] = {0, 0}; // parts
        uint32_t runner[2] = {0, 0}, post[2] = {0, 0};
        uint32_t early = 0; // parts that have come
    };
    struct Lane { // of messages that come in parts
        uint32_t next, open;
    };
    // What has come or gone, and was not used yet.
    struct Arrival {
        uint32_t runner, post;
        int64_t bytes;
    };
    struct Rank {
        uint32_t first = 0, count = 0; // its runners
        uint32_t running = 0;          // those that are pending
        State state = ADVANCES, after = ADVANCES;
        bool idle = false, at_boards = false, news = false;
        uint32_t at = 0;   // the runner in hand
        uint32_t post = 0; // that is in hand
        double debt = 0;   // seconds of work, done but not yet waited for
        double owed = 0;   // the same, as soon as all messages have come
        std::vector<Arrival> came, used;
        size_t next = 0;   // of those that are used
        double taken = -1; // when it took its last message, of those that come early
    };
    // A communication of SimGrid's: a message, or part of one.
    struct Flight {
        uint32_t message = 0;
        int64_t bytes = 0;
        simgrid::s4u::CommPtr comm;
    };

    const bine_simgrid_network &network;
    const bine_script &script;
    const std::vector<simgrid::s4u::Host *> &hosts;
    std::vector<Rank> rank;
    std::vector<Runner> runner;
    std::vector<Message> message;
    std::vector<Lane> lane; // of each post that begins one; empty if nothing comes in parts
    std::vector<std::unique_ptr<Flight>> flights;
    std::vector<Flight *> landed;
    std::vector<uint32_t> unread; // of each publication, and
    std::vector<char> published;
    std::vector<std::vector<uint32_t>> on_node; // the ranks of each, where there are boards
    std::vector<size_t> way;
    size_t left; // ranks that are pending
    int64_t *load;
    simgrid::s4u::ActorPtr waiter;
    simgrid::s4u::CommPtr spent; // the last one that has come: SimGrid has not done with it yet

    static double now() { return simgrid::s4u::Engine::get_clock(); }

    void go(uint32_t r);
    bool pays(uint32_t r);
    bool advances(uint32_t r);
    void enter(uint32_t which);
    bool posts_next(Rank &x, Runner &y, uint32_t which);
    bool posts_lane(Rank &x, uint32_t lane_number);
    bool boards_go_on(uint32_t r, Runner &y, const bine_script_step &step);
    void publish(uint32_t r, const bine_script_board &b);
    void read(uint32_t r, const bine_script_board &b);
    void tell_node(uint32_t r);
    void settle(Rank &x, uint32_t which);
    bool makes_work(const Arrival &a) const;
    bool waits(uint32_t r);
    void uses(Rank &x);
    void post(uint32_t number);
    void leave(uint32_t number, int64_t bytes);
    void count(int from, int to, int64_t bytes);
    void arrive(Flight &f);
    void take(uint32_t number, int64_t bytes);
    void complete(uint32_t which, uint32_t number, int64_t bytes);
    bool must_wait(uint32_t which) const;
    void finish();

    bool is_eager(int64_t bytes) const { return double(bytes) <= network.eager; }
    bool is_early(int64_t bytes) const { return network.early && is_eager(bytes); }
    int64_t part_of(const bine_script_message &m, uint32_t k) const;
    uint32_t parts_of(const bine_script_message &m) const;
    // Caches hold the beginning of every copy.
    double work_of(double reduced, double copied, int copies = 1) const {
        double caches = copies * network.cache_bytes, held = copied < caches ? copied : caches;
        return reduced / network.reduce + held / network.cache + (copied - held) / network.copy;
    }
    double work_of(const bine_script_post &p, int64_t bytes) const {
        return work_of(p.reduces ? double(bytes) : 0, p.copies ? double(bytes) : 0);
    }
    const bine_script_step &step_of(uint32_t which) const {
        return script.step[script.runner[which].first + runner[which].step];
    }

  public:
    double end;

    Replay(const bine_simgrid_network &n, const bine_script &s,
           const std::vector<simgrid::s4u::Host *> &all, int64_t *loads);
    void start(const simgrid::s4u::ActorPtr &who);
    bool done() const { return left == 0; }
    void completed(const simgrid::s4u::Activity &a) { arrive(*a.get_data<Flight>()); }
};

#endif
