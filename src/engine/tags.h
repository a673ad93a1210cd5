/* Tags on the private communicator. Calls follow each other on it in the same order on all ranks,
 * so those of one kind need no number of the call: messages between two ranks meet in the order in
 * which they are posted. */
#ifndef BINE_ENGINE_TAGS_H
#define BINE_ENGINE_TAGS_H

enum {
    BINE_TAG_SELF = 1,   /* a rank's copies to itself */
    BINE_TAG_STRAND = 16 /* the first strand; the others follow */
};

#endif
