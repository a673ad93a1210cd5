/* The processor time that the system grants a process (cgroups, version 1 and 2): a container or a
 * job may have many cores to run on, and the time of a few. */
#ifndef BINE_BASE_QUOTA_H
#define BINE_BASE_QUOTA_H

#include <stdint.h>

struct bine_quota {
    uint64_t cores; /* in thousandths; 0: as many as there are */
    uint64_t owner; /* names the control group that has them: its processes share them */
};

/* The tightest of the limits on this process and on the control groups around it. `root`: before
 * the paths of /proc and of the mounts; "", or a folder of a test's. */
struct bine_quota bine_quota_find(const char *root);

#endif
