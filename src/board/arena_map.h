/* The arenas of other processes, as far as this one has mapped them: each once, however many of its
 * regions are attached. One that is not in use any more stays mapped, as the next communicator of
 * these ranks will want it again; unless there are very many. */
#ifndef BINE_BOARD_ARENA_MAP_H
#define BINE_BOARD_ARENA_MAP_H

#include "base/reason.h"
#include "board/arena_card.h"

/* By this others know the file, before they open it. */
#define BINE_ARENA_NAME "bine"

struct bine_arena_peer;

/* The arena that a card is of, mapped if it was not; counts one use more. NULL with the reason. */
struct bine_arena_peer *bine_arena_map(struct bine_arena_peer **list,
                                       const struct bine_arena_card *card, struct bine_reason *why);
/* One use less. */
void bine_arena_unmap(struct bine_arena_peer **list, struct bine_arena_peer *peer);
void bine_arena_unmap_all(struct bine_arena_peer **list);
/* Where the card's region lies. */
char *bine_arena_mapped(const struct bine_arena_peer *peer, const struct bine_arena_card *card);
int bine_arena_mappings(const struct bine_arena_peer *list);

#endif
