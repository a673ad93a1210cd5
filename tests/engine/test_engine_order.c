/* The order in which a rank posts messages and adds up. Whoever receives a long vector in parts
 * asks for the next part, and sends on what it can, before it adds up what has come: else its links
 * are idle meanwhile. Every call of the transport is recorded on its way to the loopback. */
#include "ranks.h"
#include "unit.h"

#include "base/numbers.h"
#include "engine/transport/loopback_parts.h"
#include "schedule/alone.h"
#include "schedule/catalogue.h"

enum { RANKS = 4, PARTS = 12, PART_BYTES = 120 };

/* The linker gives the engine this transport, and the loopback's by the other name. */
struct bine_transport __wrap_bine_transport;
extern const struct bine_transport __real_bine_transport;

/* Parts of messages, of each rank: those of its sends that are over as far as it knows. */
static int asked[RANKS], sent[RANKS], gone[RANKS], added[RANKS];
static int running, sums, late;
static int to_send; /* parts, of each rank that adds up */

static int record_receive(void *to, int n, bine_type_handle type, int peer, int tag,
                          bine_comm_handle comm, bine_request_handle *request) {
    asked[comm->self]++;
    return __real_bine_transport.irecv(to, n, type, peer, tag, comm, request);
}

static int record_send(const void *from, int n, bine_type_handle type, int peer, int tag,
                       bine_comm_handle comm, bine_request_handle *request) {
    sent[comm->self]++;
    return __real_bine_transport.isend(from, n, type, peer, tag, comm, request);
}

static int record_some(int n, bine_request_handle *request, int *index, int wait) {
    int is_send[4 * RANKS * BINE_PARTS_PENDING], self = -1;
    for (int i = 0; i < n; i++) {
        is_send[i] = request[i]->from != NULL;
        self = request[i]->owner->self;
    }
    int rc = __real_bine_transport.some(n, request, index, wait);
    for (int i = 0; i < n; i++)
        gone[self] += is_send[i] && request[i] == BINE_NO_REQUEST;
    running = self;
    return rc;
}

/* Windows are full again: that of the part that is added up, and those of all parts that went. */
static int record_sum(const void *from, void *to, int n, bine_type_handle type, bine_op_handle op) {
    added[running]++;
    late += asked[running] < bine_min(PARTS, BINE_PARTS_PENDING + added[running]);
    late += sent[running] < bine_min(to_send, BINE_PARTS_PENDING + gone[running]);
    sums++;
    return __real_bine_transport.reduce(from, to, n, type, op);
}

static int open_transport(void **state) {
    (void)state;
    __wrap_bine_transport = __real_bine_transport;
    __wrap_bine_transport.irecv = record_receive;
    __wrap_bine_transport.isend = record_send;
    __wrap_bine_transport.some = record_some;
    __wrap_bine_transport.reduce = record_sum;
    return 0;
}

static struct test_call wanted;

static void run_call(bine_comm_handle comm, void *with) {
    struct member m;
    struct rank_call c;
    struct test_world *w = with;
    int failed = member_open(&m, w, comm, NULL) != BINE_OK;
    bine_channel_count(&m.channel);
    failed |= rank_call_make(&c, &wanted, &m) != BINE_OK;
    if (!failed)
        failed = rank_call_run(&c, comm, 0) != BINE_OK;
    atomic_fetch_add(&w->wrong, failed ? 1 : rank_call_check(&c));
    rank_call_end(&c);
    member_close(&m);
}

/* Blocks of so many parts, of elements of 12 bytes that the loopback adds up. */
static void run_parts(const char *collective, const char *algorithm, int p, uint64_t seed) {
    enum bine_collective c = (enum bine_collective)bine_collective_find(collective);
    struct bine_loopback_setup setup = {.p = p, .seed = seed, .messages = 1000};
    struct test_world w;
    wanted = (struct test_call){.algorithm = bine_algorithm_find(c, algorithm),
                                .p = p,
                                .count = PARTS * PART_BYTES / 12,
                                .segment = PART_BYTES,
                                .elements = GAPPED,
                                .salt = seed};
    wanted.layout = bine_algorithm_layout(wanted.algorithm, p);
    for (int r = 0; r < RANKS; r++)
        asked[r] = sent[r] = gone[r] = added[r] = 0;
    struct bine_loopback *loopback = bine_loopback_new(&setup);
    world_open(&w, p, 0, 0);
    assert_int_equal(bine_loopback_run(loopback, run_call, &w), 0);
    assert_int_equal(atomic_load(&w.wrong), 0);
    world_close(&w);
    bine_loopback_free(loopback);
}

/* Two ranks exchange halves of a vector; each sends PARTS parts and adds up as many. */
static void asks_and_sends_before_it_adds(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        sums = late = 0;
        to_send = PARTS;
        run_parts("reduce_scatter", "bine-near", 2, seed);
        assert_int_equal(sums, 2 * PARTS);
        assert_int_equal(late, 0);
    }
}

/* Only the root adds up. */
static void asks_before_it_adds(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        sums = late = to_send = 0;
        run_parts("reduce", "bine-small", 2, seed);
        assert_int_equal(sums, PARTS);
        assert_int_equal(late, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_and_sends_before_it_adds),
        cmocka_unit_test(asks_before_it_adds),
    };
    return cmocka_run_group_tests(tests, open_transport, NULL);
}
