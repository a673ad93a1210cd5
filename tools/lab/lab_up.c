/* bine lab up: starts the keeper in namespaces of its own and waits until the network is built. */
#include "base/files.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/program_file.h"
#include "lab/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int bine_lab_scripts(char scripts[BINE_LAB_PATH], char programs[BINE_LAB_PATH]) {
    char build[BINE_LAB_PATH + 64];
    ssize_t n = readlink("/proc/self/exe", programs, BINE_LAB_PATH - 64);
    programs[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(programs, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(scripts, BINE_LAB_PATH, "%.*s/../libexec/bine/lab", BINE_LAB_PATH - 64, programs);
    snprintf(build, sizeof build, "%s/build", scripts);
    return bine_file_is_regular(build)
               ? 0
               : bine_complain("%s is not there: expected it beside this program", build);
}

/* Programs that the scripts need are often where only root looks for them. */
static int check_programs(void) {
    static const char *const needed[] = {"ip", "tc", "bridge", "unshare", "nsenter", "setpriv"};
    char file[BINE_PROGRAM_FILE];
    bine_program_path(NULL);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (bine_program_file(needed[i], file) != 0)
            return bine_complain(
                "the program '%s' was not found: labs need the packages iproute2 and util-linux",
                needed[i]);
    return 0;
}

static void set_number(const char *name, int64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    setenv(name, text, 1);
}

/* In the child: becomes unshare, which becomes the keeper's parent. */
static void become_keeper(const struct bine_lab *lab, const char *scripts) {
    char build[BINE_LAB_PATH + 64], log[200];
    const char *words[16] = {"unshare", "--net",  "--mount",      "--uts",         "--ipc",
                             "--pid",   "--fork", "--kill-child", "--propagation", "private"};
    size_t n = 10;
    snprintf(log, sizeof log, "%s/log", lab->folder);
    snprintf(build, sizeof build, "%s/build", scripts);
    int to = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), from = open("/dev/null", O_RDONLY);
    if (to < 0 || from < 0 || dup2(from, 0) < 0 || dup2(to, 1) < 0 || dup2(to, 2) < 0)
        _exit(127);
    close(to);
    close(from);
    setsid();
    if (lab->user) {
        words[n++] = "--user";
        words[n++] = "--map-root-user";
    }
    words[n] = build;
    setenv("LAB_DIR", lab->folder, 1);
    setenv("LAB_NAME", lab->name, 1);
    setenv("LAB_TOPOLOGY", bine_lab_topologies[lab->topology], 1);
    setenv("LAB_SIZES", lab->sizes, 1);
    set_number("LAB_RATE", lab->rate);
    setenv("LAB_AROUND", lab->around, 1);
    set_number("LAB_UPLINK", lab->uplink);
    set_number("LAB_PODS", lab->pods);
    execvp("unshare", (char **)(uintptr_t)words);
    _exit(127);
}

/* The first line of what the keeper wrote: what comes later are consequences. */
static void first_words(const struct bine_lab *lab, char text[300]) {
    char path[200];
    snprintf(path, sizeof path, "%s/log", lab->folder);
    FILE *f = fopen(path, "r");
    if (f == NULL || fgets(text, 300, f) == NULL)
        snprintf(text, 300, "it said nothing");
    text[strcspn(text, "\n")] = '\0';
    if (f != NULL)
        fclose(f);
}

/* Whether the system refuses, or lacks, what labs are made of. */
static int is_refusal(const char *why) {
    static const char *const signs[] = {"unshare:", "not permitted", "ermission denied",
                                        "Unknown device type", "is unknown"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(why, signs[i]) != NULL)
            return 1;
    return 0;
}

/* 0 when the network is built; -1 when the keeper has ended before. */
static int wait_until_ready(const struct bine_lab *lab, pid_t child) {
    char ready[200];
    struct timespec pause = {0, 10000000};
    snprintf(ready, sizeof ready, "%s/ready", lab->folder);
    while (!bine_file_is_regular(ready)) {
        if (waitpid(child, NULL, WNOHANG) == child)
            return -1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* 0; or -1, and why. */
static int start(struct bine_lab *lab, const char *scripts, char why[300]) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_keeper(lab, scripts);
    if (child > 0 && wait_until_ready(lab, child) == 0 && bine_lab_look(lab))
        return 0;
    first_words(lab, why);
    return -1;
}

static int build(struct bine_lab *lab, const char *scripts) {
    char why[300];
    int root = getuid() == 0, rc = -1;
    /* Root may do without a user namespace, and has to where they are switched off; in a container
     * it may be the other way round. */
    for (lab->user = !root; rc != 0 && lab->user < 2; lab->user++) {
        rc = bine_lab_save(lab) == 0 ? start(lab, scripts, why) : BINE_EXIT_USAGE;
        if (rc == 0)
            return 0;
        if (rc > 0 || !is_refusal(why))
            break;
    }
    bine_lab_forget(lab);
    if (rc > 0)
        return rc;
    if (is_refusal(why))
        return bine_complain("this computer does not allow labs, which need network namespaces, "
                             "bridges and rate limits: %s",
                             why);
    return bine_complain("the network could not be built: %s", why);
}

/* Above this the computer, not the links, sets the pace. */
static void warn_about_rate(const struct bine_lab *lab) {
    double sum = (double)lab->rate * lab->hosts;
    if (sum > 1.6e9 * 1.001)
        fprintf(stderr,
                "bine: lab: %d hosts at %g Mbit/s are %.1f Gbit/s: above 1.6 in all, believe bytes "
                "but not times\n",
                lab->hosts, (double)lab->rate / 1e6, sum / 1e9);
}

static int make(struct bine_lab *lab) {
    char scripts[BINE_LAB_PATH], programs[BINE_LAB_PATH];
    struct bine_lab there;
    if (bine_lab_scripts(scripts, programs) != 0 || check_programs() != 0)
        return BINE_EXIT_USAGE;
    if (bine_lab_find(&there, lab->name) == 0) {
        if (there.keeper != 0)
            return bine_complain(
                "lab '%s' is up: take it down first with 'bine lab down --name %s'", lab->name,
                lab->name);
        bine_lab_forget(&there);
    }
    memcpy(lab->folder, there.folder, sizeof lab->folder);
    if (mkdir(lab->folder, 0700) != 0)
        return bine_complain("%s: %s", lab->folder, strerror(errno));
    return build(lab, scripts);
}

int bine_lab_up(struct bine_lab *lab) {
    int lock = bine_lab_lock();
    if (lock < 0)
        return BINE_EXIT_USAGE;
    int rc = make(lab);
    close(lock);
    if (rc != 0)
        return rc;
    warn_about_rate(lab);
    printf("lab '%s' is up: %d hosts, h0 to h%d; machine description: %s/lab.machine\n", lab->name,
           lab->hosts, lab->hosts - 1, lab->folder);
    return 0;
}
