/* Places in the program, as "function+0x1c". */
#ifndef BINE_RECORD_SITE_H
#define BINE_RECORD_SITE_H

#include "profile/recorder.h"

/* The number of the place at an address; 0: unknown, or no room for more. */
unsigned bine_record_site(struct bine_recorder *r, const void *address);

#endif
