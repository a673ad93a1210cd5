#include "simulate/replay.hpp"

#include <algorithm>

namespace sg4 = simgrid::s4u;
using simgrid::kernel::timer::Timer;

Replay::Replay(const bine_simgrid_network &n, const bine_script &s,
               const std::vector<sg4::Host *> &all, int64_t *loads)
    : network(n), script(s), hosts(all), rank(size_t(s.ranks)), runner(s.runners),
      message(s.messages), unread(s.readers, s.readers + s.publications), published(s.publications),
      way(size_t(n.longest)), left(size_t(s.ranks)), load(loads), end(now()) {
    for (uint32_t i = 0; i < s.runners; i++) {
        Rank &x = rank[size_t(s.runner[i].rank)];
        x.first = x.count == 0 ? i : x.first;
        x.count++;
        x.running += s.runner[i].count > 0;
    }
    for (size_t i = 0; i < s.messages && lane.empty(); i++)
        if (parts_of(s.message[i]) > 1)
            lane.resize(s.posts);
    if (s.publications > 0) {
        on_node.resize(size_t(n.nodes));
        for (uint32_t r = 0; r < rank.size(); r++)
            on_node[size_t(n.node[r])].push_back(r);
    }
}

// Where there are several strands, the work at their beginning comes before any message.
void Replay::start(const sg4::ActorPtr &who) {
    waiter = who;
    for (Rank &x : rank)
        for (uint32_t i = x.first; i < x.first + x.count && x.count > 1; i++)
            while (runner[i].step < script.runner[i].count && step_of(i).time < 0)
                settle(x, i);
    for (uint32_t r = 0; r < rank.size(); r++)
        go(r);
}

uint32_t Replay::parts_of(const bine_script_message &m) const {
    return m.bytes <= script.part ? 1 : uint32_t((m.bytes + script.part - 1) / script.part);
}

int64_t Replay::part_of(const bine_script_message &m, uint32_t k) const {
    return m.bytes <= script.part ? m.bytes : std::min(script.part, m.bytes - k * script.part);
}

// Until it has to wait, for messages or for its own work.
void Replay::go(uint32_t r) {
    Rank &x = rank[r];
    for (;;)
        switch (x.state) {
        case ADVANCES:
            if (!advances(r))
                return;
            break;
        case POSTS:
            if (pays(r))
                return;
            x.state = x.after;
            post(x.post);
            break;
        case WAITS:
            if (pays(r) || waits(r))
                return;
            break;
        case USES:
            uses(x);
            break;
        }
}

// What it has worked takes time. Returns whether it has to wait.
bool Replay::pays(uint32_t r) {
    // A moment later, before it looks what has come: SimGrid's timers are earlier than messages.
    double glance = rank[r].state == WAITS ? 1e-12 : 0, until = now() + rank[r].debt + glance;
    if (rank[r].debt <= 0)
        return false;
    rank[r].debt = 0;
    Timer::set(until, [this, r] { go(r); });
    return true;
}

// Takes the strand in hand as far as it gets, then the next one. Returns whether to go on.
bool Replay::advances(uint32_t r) {
    Rank &x = rank[r];
    if (x.at == x.count) {
        if (x.running > 0) {
            x.state = WAITS;
            return true;
        }
        if (!pays(r))
            finish();
        return false;
    }
    uint32_t which = x.first + x.at;
    Runner &y = runner[which];
    if (y.step == script.runner[which].count || (!y.in_step && must_wait(which))) {
        x.at++;
        return true;
    }
    const bine_script_step &step = step_of(which);
    if (!y.in_step)
        enter(which);
    if (step.boards == 0 && posts_next(x, y, which))
        return true;
    if (step.boards > 0 && y.next < step.board + step.boards && pays(r))
        return false;
    if (y.open > 0 || (step.boards > 0 && !boards_go_on(r, y, step)))
        x.at++;
    else
        settle(x, which);
    return true;
}

bool Replay::must_wait(uint32_t which) const {
    const bine_script_runner &r = script.runner[which];
    return r.staggered && runner[which - 1].step < script.runner[which - 1].count &&
           step_of(which - 1).time <= step_of(which).time;
}

void Replay::enter(uint32_t which) {
    Runner &y = runner[which];
    const bine_script_step &step = step_of(which);
    y.in_step = true;
    y.in_parts = false;
    y.next = step.boards > 0 ? step.board : step.first;
    for (uint32_t i = step.first; i < step.first + step.count; i++) {
        const bine_script_post &p = script.post[i];
        Message &m = message[p.message];
        m.runner[p.receives ? RECEIVER : SENDER] = which;
        m.post[p.receives ? RECEIVER : SENDER] = i;
        if (lane.empty())
            continue;
        y.in_parts = y.in_parts || parts_of(script.message[p.message]) > 1;
        lane[p.lane].next = p.lane;
        lane[p.lane].open = 0;
    }
}

// The processor takes a moment for each message of the step, or part of one.
bool Replay::posts_next(Rank &x, Runner &y, uint32_t which) {
    const bine_script_step &step = step_of(which);
    x.after = ADVANCES;
    while (y.next < step.first + step.count) {
        if (!y.in_parts) {
            const bine_script_post &p = script.post[y.next];
            x.post = y.next++;
            x.debt += network.message;
            if (!p.receives)
                x.debt += work_of(p, script.message[p.message].bytes);
            x.state = POSTS;
            return true;
        }
        if (posts_lane(x, script.post[y.next].lane))
            return true;
        uint32_t done = script.post[y.next].lane;
        while (y.next < step.first + step.count && script.post[y.next].lane == done)
            y.next++;
    }
    return false;
}

// The next part of a lane, if it may be pending now: a few parts of a message may be.
bool Replay::posts_lane(Rank &x, uint32_t number) {
    Lane &l = lane[number];
    for (; l.next < script.posts && script.post[l.next].lane == number; l.next++) {
        const bine_script_post &p = script.post[l.next];
        const bine_script_message &m = script.message[p.message];
        uint32_t parts = parts_of(m), posted = message[p.message].posted[p.receives];
        if (posted == parts)
            continue;
        if (parts > 1 && l.open >= uint32_t(script.window))
            return false;
        if (posted == 0 && !p.receives)
            x.debt += work_of(p, m.bytes);
        x.debt += network.message;
        x.post = l.next;
        x.state = POSTS;
        return true;
    }
    return false;
}

void Replay::post(uint32_t number) {
    const bine_script_post &p = script.post[number];
    Message &x = message[p.message];
    int side = p.receives ? RECEIVER : SENDER;
    uint32_t k = x.posted[side]++;
    int64_t bytes = part_of(script.message[p.message], k);
    runner[x.runner[side]].open++;
    if (!lane.empty())
        lane[p.lane].open++;
    if (side == SENDER && is_eager(bytes))
        complete(x.runner[SENDER], number, bytes); // found out when the rank next waits
    if (!is_early(bytes) ? x.posted[!side] > k : side == SENDER)
        leave(p.message, bytes);
    else if (is_early(bytes) && x.early > k)
        take(p.message, bytes);
}

void Replay::count(int from, int to, int64_t bytes) {
    double latency = 0;
    if (load == nullptr)
        return;
    int n = network.route(network.self, from, to, way.data(), &latency);
    for (int i = 0; i < n; i++)
        load[way[size_t(i)]] += bytes;
}

// It goes over the links now.
void Replay::leave(uint32_t number, int64_t bytes) {
    const bine_script_message &m = script.message[number];
    if (landed.empty()) {
        flights.emplace_back(new Flight);
        landed.push_back(flights.back().get());
    }
    Flight *f = landed.back();
    landed.pop_back();
    f->message = number;
    f->bytes = bytes;
    count(m.from, m.to, bytes);
    f->comm = sg4::Comm::sendto_init(hosts[size_t(network.node[m.from])],
                                     hosts[size_t(network.node[m.to])]);
    f->comm->set_payload_size(uint64_t(bytes) + BINE_SIMGRID_ENVELOPE);
    f->comm->set_data(f);
    f->comm->start();
}

// It has come. The sender of a small one has not waited.
void Replay::arrive(Flight &f) {
    spent = f.comm;
    f.comm = nullptr;
    landed.push_back(&f);
    Message &x = message[f.message];
    int64_t bytes = f.bytes;
    if (is_early(bytes)) {
        if (x.posted[RECEIVER] > x.early++)
            take(f.message, bytes);
        return;
    }
    if (!is_eager(bytes))
        complete(x.runner[SENDER], x.post[SENDER], bytes);
    complete(x.runner[RECEIVER], x.post[RECEIVER], bytes);
}

// An early message is there, and its receive is posted. The receiver takes one after the other, as
// in model/time.c.
void Replay::take(uint32_t number, int64_t bytes) {
    Rank &x = rank[size_t(script.message[number].to)];
    x.taken = std::max(now(), x.taken + network.message);
    Timer::set(x.taken, [this, number, bytes] {
        complete(message[number].runner[RECEIVER], message[number].post[RECEIVER], bytes);
    });
}

// One message less to wait for. Where a rank waits for some, it finds all that came at this moment.
void Replay::complete(uint32_t which, uint32_t number, int64_t bytes) {
    uint32_t r = uint32_t(script.runner[which].rank);
    Rank &x = rank[r];
    bool is_some = x.count > 1 || runner[which].in_parts;
    if (is_some)
        x.came.push_back({which, number, bytes});
    else {
        runner[which].open--;
        x.owed += script.post[number].receives ? work_of(script.post[number], bytes) : 0;
    }
    if (!x.idle || (!is_some && runner[which].open > 0))
        return;
    x.idle = false;
    if (is_some)
        Timer::set(now(), [this, r] { go(r); });
    else
        go(r);
}

bool Replay::makes_work(const Arrival &a) const {
    const bine_script_post &p = script.post[a.post];
    return p.receives && (p.reduces || p.copies);
}

// Returns whether it has to wait.
bool Replay::waits(uint32_t r) {
    Rank &x = rank[r];
    x.at = 0;
    if (!x.came.empty()) {
        // What makes no work comes first: peers wait for more of it.
        std::stable_sort(x.came.begin(), x.came.end(), [this](const Arrival &a, const Arrival &b) {
            bool of_a = makes_work(a), of_b = makes_work(b);
            return of_a != of_b ? of_b : a.post < b.post;
        });
        x.used.swap(x.came);
        x.next = 0;
        x.state = USES;
        return false;
    }
    const Runner &y = runner[x.first];
    if (x.at_boards && x.news) {
        x.at_boards = x.news = false;
        x.state = ADVANCES;
        return false;
    }
    if (x.at_boards || x.count > 1 || y.in_parts || y.open > 0) {
        x.idle = true;
        return true;
    }
    x.state = ADVANCES;
    return false;
}

// Uses what has come, one after the other.
void Replay::uses(Rank &x) {
    x.after = USES;
    for (; x.next < x.used.size(); x.next++) {
        Arrival &a = x.used[x.next];
        const bine_script_post &p = script.post[a.post];
        if (a.bytes >= 0) { // more of its lane is posted before it is used
            runner[a.runner].open--;
            x.owed += p.receives ? work_of(p, a.bytes) : 0;
            if (!lane.empty())
                lane[p.lane].open--;
            a.bytes = -1;
        }
        if (runner[a.runner].in_parts && posts_lane(x, p.lane))
            return;
        x.debt += x.owed;
        x.owed = 0;
    }
    x.used.clear();
    x.at_boards = false;
    x.state = ADVANCES;
}

// The step is through: what is left to do of it, and on to the next one.
void Replay::settle(Rank &x, uint32_t which) {
    Runner &y = runner[which];
    const bine_script_step &step = step_of(which);
    x.debt += x.owed + work_of(step.reduced, step.copied, step.copies);
    x.owed = 0;
    y.in_step = false;
    y.step++;
    x.running -= y.step == script.runner[which].count;
}

void Replay::finish() {
    end = now();
    if (--left == 0)
        waiter->resume();
}

// Published and read memory costs the processor its time, and counts as the traffic of its node's.
void Replay::publish(uint32_t r, const bine_script_board &b) {
    if (!b.exposes) {
        rank[r].debt += work_of(0, double(b.bytes));
        count(int(r), int(r), b.bytes);
    }
    // Others see it a moment after it was written.
    Timer::set(now() + rank[r].debt + network.memory, [this, r, b] {
        published[b.number] = 1;
        tell_node(r);
    });
}

void Replay::read(uint32_t r, const bine_script_board &b) {
    rank[r].debt += work_of(b.reduces ? double(b.bytes) : 0, b.reduces ? 0 : double(b.bytes));
    count(int(r), int(r), b.bytes);
    if (--unread[b.number] == 0)
        Timer::set(now() + rank[r].debt, [this, r] { tell_node(r); });
}

// Those of the node that wait at boards look again.
void Replay::tell_node(uint32_t r) {
    for (uint32_t other : on_node[size_t(network.node[r])]) {
        Rank &x = rank[other];
        x.news = x.at_boards;
        if (!x.news || !x.idle)
            continue;
        x.idle = false;
        go(other);
    }
}

// What a step does on boards, as far as others have published. Whoever has exposed something waits
// until all have read it. Returns whether the step is through.
bool Replay::boards_go_on(uint32_t r, Runner &y, const bine_script_step &step) {
    for (; y.next < step.board + step.boards; y.next++) {
        const bine_script_board &b = script.board[y.next];
        if (!b.reads)
            publish(r, b);
        else if (published[b.number])
            read(r, b);
        else {
            rank[r].at_boards = true;
            return false;
        }
    }
    for (uint32_t i = step.board; i < y.next; i++)
        if (script.board[i].exposes && unread[script.board[i].number] > 0) {
            rank[r].at_boards = true;
            return false;
        }
    return true;
}
