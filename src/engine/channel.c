#include "engine/channel.h"

#include "engine/workspace.h"

#include <stdlib.h>

void bine_channel_open(struct bine_channel *ch, bine_comm_handle comm) {
    ch->comm = comm;
    uint32_t all = (uint32_t)(bine_transport.last_tag() - BINE_TAG_FIRST) / BINE_TAGS_OF_CALL;
    for (ch->tags = 1; 2 * ch->tags <= all - all / 8;)
        ch->tags *= 2;
    ch->lasting = all - ch->tags;
}

/* Memory that a message may still read or write is lost rather than freed. */
void bine_channel_close(struct bine_channel *ch) {
    if (ch->tags > 0)
        bine_transport.drain(ch->comm);
    while (ch->left != NULL) {
        struct bine_workspace_block *b = ch->left;
        int over = 0;
        ch->left = b->next;
        if (bine_transport.test_all(b->nrequests, b->request, &over) == BINE_OK && over)
            free(b);
    }
    ch->comm = BINE_NO_COMM;
    ch->tags = 0;
}
