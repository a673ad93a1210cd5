#include "record/tape_call.h"

#include "select/call_list.h"
#include "select/settings.h"

#include <string.h>

/* Calls are counted by kind: communicators of equal ranks in one order are one here, and
 * each algorithm is a kind. Of kinds that find no room nothing is kept. */
enum { KINDS = 1024, TRIES = 16 };

static struct bine_call_list asked;
static struct { uint64_t comm, kind, calls; /* calls 0: free */ } kinds[KINDS];

void bine_record_tape_begin(void) {
    struct bine_reason why; /* which the library has warned of: settings.c */
    bine_call_list_parse(bine_setting_value(BINE_SETTING_TIMELINE_CALLS, NULL), &asked, &why);
    memset(kinds, 0, sizeof kinds);
}

/* Without the parts that may differ from rank to rank: the place of the communicator on this one,
 * the type of the elements, the place in the program. */
static uint64_t kind_of(uint64_t key) {
    struct bine_call_kind k = bine_call_kind_of(key);
    k.comm = k.site = k.datatype = 0;
    return bine_call_kind_pack(&k);
}

/* Which of its kind a call is, from 1; 0: there is no room to count it. */
static uint64_t count(uint64_t comm, uint64_t kind) {
    uint64_t both[] = {comm, kind};
    unsigned at = (unsigned)(bine_hash(BINE_HASH, both, sizeof both) % KINDS);
    for (unsigned i = 0; i < TRIES; i++, at = (at + 1) % KINDS) {
        if (kinds[at].calls > 0 && (kinds[at].comm != comm || kinds[at].kind != kind))
            continue;
        kinds[at].comm = comm;
        kinds[at].kind = kind;
        return ++kinds[at].calls;
    }
    return 0;
}

/* Communicators whose ranks are not known by number cannot be told from each other on other ranks.
 */
void bine_record_tape_call(const struct bine_recorded_comm *c, const struct bine_part_comm *comm,
                           const struct bine_recorded_call *call) {
    struct bine_call_kind k = bine_call_kind_of(call->key);
    int64_t bytes = k.class == BINE_CLASS_NONE ? -1 : (int64_t)call->bytes;
    if (comm->kind >= BINE_PART_INTER || comm->rank < 0)
        return;
    uint64_t number = count(comm->key, kind_of(call->key));
    if (number == 0 ||
        !bine_call_list_has(&asked, (enum bine_collective)k.collective, bytes, number))
        return;
    struct bine_tape_call t = {
        .begin = call->begin,
        .end = call->end,
        .comm = comm->key,
        .number = number,
        .bytes = bytes,
        .rank = c->rank,
        .ranks = c->local,
        .root = call->root,
        .algorithm = (uint16_t)k.algorithm,
        .collective = (uint8_t)k.collective,
        .form = (uint8_t)k.form,
        .class = (uint8_t)k.class,
        .layout = (uint8_t)k.layout,
    };
    bine_tape_keep(&bine_tape, &t);
}
