/* Where this process records: a part for the profile, a tape for the timeline, either or both. */
#ifndef BINE_RECORD_SINK_H
#define BINE_RECORD_SINK_H

#include "record/gather.h"

enum { BINE_SINK_PROFILE, BINE_SINK_TIMELINE, BINE_SINKS };

struct bine_sink {
    const struct bine_gathering *kind;
    int setting;                /* its row; */
    int wanted;                 /* it is set */
    int everywhere;             /* rank 0 has it set: all ranks gather it */
    char file[BINE_PARTS_PATH]; /* absolute: a program may change its folder */
    struct bine_part_file part;
};

/* Ask for the settings. Returns whether any is set. */
int bine_sinks_ask(void);
struct bine_sink *bine_sink_of(int which);
/* Open the file of this rank's part, `bytes` long: 0, or -1 after a warning. */
int bine_sink_open(struct bine_sink *s, const char *host, size_t bytes);
/* Merge the parts of all ranks, and remove them. Collective. */
void bine_sink_end(struct bine_sink *s, MPI_Comm everyone, size_t most);

#endif
