/* What is remembered of a lab: its folder. */
#include "cli/command.h"
#include "lab/lab.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int bine_lab_base(char path[64]) {
    struct stat s;
    /* Not below $TMPDIR or $XDG_RUNTIME_DIR: they may differ from shell to shell, and /run is
     * another one inside a lab. */
    snprintf(path, 64, "/tmp/bine-lab-%ld", (long)getuid());
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return bine_complain("%s: %s", path, strerror(errno));
    if (lstat(path, &s) != 0 || !S_ISDIR(s.st_mode) || s.st_uid != getuid())
        return bine_complain("%s: expected a folder of your own", path);
    return 0;
}

int bine_lab_lock(void) {
    char path[96];
    if (bine_lab_base(path) != 0)
        return -1;
    strcat(path, "/.lock");
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fcntl(fd, F_SETLKW, &whole) != 0) {
        bine_complain("%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

/* When a process began, in the kernel's ticks; 0 if there is none, or only its remains. */
static unsigned long long began(long pid) {
    char path[64], line[1024];
    unsigned long long ticks = 0;
    char state = 'Z';
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    size_t n = f == NULL ? 0 : fread(line, 1, sizeof line - 1, f);
    line[n] = '\0';
    if (f != NULL)
        fclose(f);
    const char *end = strrchr(line, ')'); /* the name in brackets may hold anything */
    if (end != NULL)
        sscanf(end + 1,
               " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %llu",
               &state, &ticks);
    return state == 'Z' || state == 'X' ? 0 : ticks;
}

static FILE *open_file(const struct bine_lab *lab, const char *name, const char *mode) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", lab->folder, name);
    return fopen(path, mode);
}

int bine_lab_look(struct bine_lab *lab) {
    long pid = 0;
    unsigned long long start = 0;
    FILE *f = open_file(lab, "keeper", "r");
    if (f != NULL && fscanf(f, "%ld %llu", &pid, &start) != 2)
        pid = 0;
    if (f != NULL)
        fclose(f);
    /* The number may have gone to another process since. */
    lab->keeper = pid > 1 && start > 0 && began(pid) == start ? (pid_t)pid : 0;
    return lab->keeper != 0;
}

int bine_lab_save(const struct bine_lab *lab) {
    FILE *f = open_file(lab, "settings", "w");
    if (f == NULL)
        return bine_complain("%s/settings: %s", lab->folder, strerror(errno));
    fprintf(f, "%d %d %" PRId64 " %" PRId64 " %s %d %" PRId64 "\n%s\n%s\n", (int)lab->topology,
            lab->hosts, lab->rate, lab->uplink, lab->mpi, lab->user, lab->pods, lab->sizes,
            lab->around);
    return fclose(f) == 0 ? 0 : bine_complain("%s/settings: %s", lab->folder, strerror(errno));
}

int bine_lab_find(struct bine_lab *lab, const char *name) {
    char base[64];
    struct stat s;
    int topology = 0;
    *lab = (struct bine_lab){0};
    if (bine_lab_base(base) != 0)
        return -1;
    snprintf(lab->name, sizeof lab->name, "%.*s", BINE_LAB_NAME, name);
    snprintf(lab->folder, sizeof lab->folder, "%s/%s", base, lab->name);
    if (stat(lab->folder, &s) != 0)
        return -1;
    FILE *f = open_file(lab, "settings", "r");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%d %d %" SCNd64 " %" SCNd64 " %15s %d %" SCNd64 " %599[0-9 ] %599[0-9 /]",
               &topology, &lab->hosts, &lab->rate, &lab->uplink, lab->mpi, &lab->user, &lab->pods,
               lab->sizes, lab->around) >= 8 &&
        topology >= 0 && topology <= BINE_LAB_TORUS) {
        lab->topology = (enum bine_lab_topology)topology;
        bine_lab_look(lab);
    }
    fclose(f);
    return 0;
}

void bine_lab_forget(const struct bine_lab *lab) {
    char path[512];
    DIR *folder = opendir(lab->folder);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", lab->folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (folder != NULL)
        closedir(folder);
    rmdir(lab->folder);
}
