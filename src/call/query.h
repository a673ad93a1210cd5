/* The inputs of the selector: the knowledge of a communicator, and the query of a call. */
#ifndef BINE_CALL_QUERY_H
#define BINE_CALL_QUERY_H

#include "comm/context.h"
#include "select/select.h"

/* Whether a call may use boards. A nonblocking call takes the boards that a blocking call has made;
 * not where two threads may advance calls at once, since one at a time uses the boards of a rank. A
 * persistent call has boards of its own: ranks may start such calls in different orders, and at
 * boards that calls share all must count alike. */
int bine_may_use_boards(const struct bine_context *c, const struct bine_arguments *a);

/* The knowledge of a communicator about the algorithms of a collective. */
struct bine_selector bine_selector_make(const struct bine_context *c, enum bine_collective k);
/* The query of a call of this many bytes. */
struct bine_query bine_query_make(const struct bine_context *c, const struct bine_arguments *a,
                                  int64_t bytes, int commutative);

#endif
