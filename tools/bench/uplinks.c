/* Bytes that cross some network devices in one call, by the kernel's counters.
 *
 * BINE_UPLINKS, which `bine lab run` sets, says FILE:DEVICE,DEVICE,...: a file like /proc/net/dev
 * and the devices whose sent bytes are added up. Only rank 0 reads it. Around a call there are
 * barriers, which send something too; so the same is done once without a call, and that is
 * subtracted.
 *
 * Payload is what is left of the bytes without the headers of the network: 14 of Ethernet, 20 of
 * IP, 32 of TCP with time stamps, for each packet. So acknowledgements, which may come late, do not
 * count. */
#include "bench/bench.h"
#include "cli/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEADERS = 14 + 20 + 32, PAUSE = 5, TRIES_MOST = 400 };

static char file[256];
static const char *devices; /* NULL: none */

/* Whether a name is in the list. */
static int is_counted(const char *name, size_t length) {
    for (const char *at = devices; *at != '\0'; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return 1;
    }
    return 0;
}

/* A line is "name: received bytes and seven more, sent bytes, sent packets, ...". */
static int read_counters(struct bench_crossed *sum) {
    char line[512];
    FILE *f = fopen(file, "r");
    int found = 0;
    *sum = (struct bench_crossed){0};
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char *name = line + strspn(line, " "), *colon = strchr(name, ':');
        int64_t bytes, packets;
        if (colon == NULL || !is_counted(name, (size_t)(colon - name)) ||
            sscanf(colon + 1, "%*s %*s %*s %*s %*s %*s %*s %*s %" SCNd64 " %" SCNd64, &bytes,
                   &packets) != 2)
            continue;
        sum->bytes += bytes;
        sum->payload += bytes - HEADERS * packets;
        found++;
    }
    if (f != NULL)
        fclose(f);
    return found;
}

int bench_uplinks_open(void) {
    const char *set = getenv("BINE_UPLINKS"), *colon = set == NULL ? NULL : strchr(set, ':');
    struct bench_crossed unused;
    if (colon == NULL || (size_t)(colon - set) >= sizeof file)
        return bine_complain("--uplinks: BINE_UPLINKS is not set: expected FILE:DEVICE,..., as "
                             "'bine lab run' sets it");
    snprintf(file, sizeof file, "%.*s", (int)(colon - set), set);
    devices = colon + 1;
    if (bench_is_speaker && read_counters(&unused) == 0)
        return bine_complain("--uplinks: none of the devices '%s' is in %s", devices, file);
    return 0;
}

/* Wait until everything has arrived: until the counters rest for a while. */
static void settle(struct bench_crossed *now) {
    struct bench_crossed before;
    struct timespec pause = {0, PAUSE * 1000000};
    int tries = 0;
    read_counters(now);
    do {
        before = *now;
        nanosleep(&pause, NULL);
        read_counters(now);
    } while (now->bytes != before.bytes && tries++ < TRIES_MOST);
}

struct bench_crossed bench_uplinks_count(int rank, void (*action)(void *), void *self) {
    struct bench_crossed before = {0}, after = {0};
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        settle(&before);
    action(self);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        settle(&after);
    /* The other ranks wait in this barrier while rank 0 reads. */
    MPI_Barrier(MPI_COMM_WORLD);
    return (struct bench_crossed){after.bytes - before.bytes, after.payload - before.payload};
}
