/* bine-bench and the real library on SimGrid's MPI. */
#define _GNU_SOURCE /* memfd_create */
#include "base/files.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/libraries.h"
#include "simulate/simulate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* smpirun, a script, takes the lowest file descriptors for itself. */
enum { WORDS_MOST = 1024, HOSTS_FD = 20 };

/* What SimGrid is told; platform.cpp has the same for replays. Up to the machine's threshold
 * senders do not wait for their messages, as in a replay. */
static const char *const settings[] = {
    "--log=root.thresh:critical",
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/TCP-gamma:0",
    "--cfg=network/weight-S:0",
    "--cfg=network/loopback-bw:1e15",
    "--cfg=network/loopback-lat:0",
    "--cfg=surf/precision:1e-12",
    "--cfg=smpi/simulate-computation:no",
    "--cfg=smpi/host-speed:1Gf",
    "--cfg=smpi/privatization:dlopen",
    "--cfg=smpi/test:0",
    "--cfg=smpi/iprobe:0",
    "--cfg=smpi/wtime:0",
    "--cfg=smpi/init:0",
    "--cfg=smpi/async-small-thresh:0",
    "--cfg=contexts/stack-size:256",
};

/* The host of each rank, a line each, in a file without a name: smpirun takes this process's
 * place, so that a name would stay behind. Its path holds for this process and its children. */
static int write_hosts(const struct bine_simulate_place *p, char *path, size_t size) {
    int memory = memfd_create("bine-hosts", 0), fd = fcntl(memory, F_DUPFD, HOSTS_FD);
    FILE *to = fd < 0 ? NULL : fdopen(memory, "w");
    if (to == NULL)
        return bine_complain("the list of hosts: %s", strerror(errno));
    for (int r = 0; r < p->known.p; r++)
        fprintf(to, "%s\n", p->network.host(p, p->links.node[r]));
    int broken = ferror(to);
    snprintf(path, size, "/proc/self/fd/%d", fd);
    return (fclose(to) != 0) | broken ? bine_complain("the list of hosts could not be written") : 0;
}

static void set_number(const char *name, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    setenv(name, text, 1);
}

/* What the platform, the hooks and the library read. */
static void set_environment(const struct bine_simulate_place *p, const struct bine_simulate_wish *w,
                            const char *hosts) {
    char segment[32];
    setenv("SIMULATED_MACHINE", w->where.machine, 1);
    if (w->where.dims != NULL) {
        setenv("SIMULATED_DIMS", w->where.dims, 1);
        setenv("BINE_DIMS", w->where.dims, 1);
    } else {
        setenv("SIMULATED_HOSTS", hosts, 1);
        setenv("BINE_MACHINE", w->where.machine, 1);
    }
    if (w->busy > 0)
        set_number("SIMULATED_BUSY", w->busy);
    setenv("BINE_SHARED", "off", 1); /* their waits would spin: all ranks are one process */
    set_number("SIMULATED_MESSAGE", p->network.message);
    set_number("SIMULATED_COPY", p->network.copy);
    set_number("SIMULATED_CACHE", p->network.cache);
    set_number("SIMULATED_CACHE_BYTES", p->network.cache_bytes);
    set_number("SIMULATED_REDUCE", p->network.reduce);
    snprintf(segment, sizeof segment, "%lld", (long long)w->segment);
    setenv("BINE_SEGMENT", segment, 1);
    setenv("PMI_RANK", "1", 1); /* no watcher for each rank: all are one process */
    setenv("SMPI_PRIVATIZATION", "dlopen", 1);
}

/* "ompi" for all collectives, "allreduce:rdb" for one. */
static void select_collectives(const struct bine_simulate_wish *w, char *text, size_t size) {
    const char *s = w->selector != NULL ? w->selector : "ompi";
    snprintf(text, size, strchr(s, ':') != NULL ? "--cfg=smpi/%s" : "--cfg=smpi/coll-selector:%s",
             s);
}

static int run(const struct bine_simulate_place *p, const struct bine_simulate_wish *w,
               char **bench) {
    static char platform[BINE_PATH_ROOM], program[BINE_PATH_ROOM], ranks[32], eager[64],
        chosen[128];
    char hosts[32];
    const char *word[WORDS_MOST] = {"smpirun", "-np",       ranks, "-platform",
                                    platform,  "-hostfile", hosts};
    int n = 7;
    if (bine_library_path("libbine-simgrid.so", platform) != 0 ||
        bine_library_path("libbine-bench-smpi.so", program) != 0)
        return bine_complain("SimGrid's MPI was not there when Bine was built: install SimGrid "
                             "(Debian: libsimgrid-dev) and build again");
    if (write_hosts(p, hosts, sizeof hosts) != 0)
        return BINE_EXIT_USAGE;
    snprintf(ranks, sizeof ranks, "%d", p->known.p);
    snprintf(eager, sizeof eager, "--cfg=smpi/send-is-detached-thresh:%d",
             (int)p->network.eager + 1);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        word[n++] = settings[i];
    word[n++] = eager;
    select_collectives(w, chosen, sizeof chosen);
    word[n++] = chosen;
    word[n++] = program;
    for (; *bench != NULL && n < WORDS_MOST - 1; bench++)
        word[n++] = *bench;
    set_environment(p, w, hosts);
    fflush(stdout);
    execvp(word[0], (char **)(void *)word);
    return bine_complain("smpirun: %s: SimGrid's MPI is missing (Debian: libsimgrid-dev)",
                         strerror(errno));
}

int bine_simulate_smpi(const struct bine_simulate_wish *w, char **bench) {
    struct bine_simulate_place p;
    int rc = bine_simulate_settle(&p, w);
    if (rc == 0)
        rc = run(&p, w, bench);
    bine_simulate_leave(&p);
    return rc;
}
