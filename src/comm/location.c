#define _GNU_SOURCE /* dladdr */

#include "comm/location.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/lock.h"

#include "mpi/world.h"
#include "network/address.h"
#include "network/allocation.h"
#include "network/machine_folders.h"
#include "report/problems.h"
#include "select/settings.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By the values that settings had last, the files read for them: most programs never change them.
 */
static struct {
    uint64_t key;
    struct bine_allocation ranks; /* of MPI_COMM_WORLD; p is 0 if it could not be read */
} groups;
static struct {
    uint64_t key;
    struct bine_machine *machine; /* NULL if it could not be read */
} known;

/* A name as a number that is not 0. */
static uint64_t number_of(const char *name, size_t length) {
    return bine_hash(BINE_HASH, name, length) | 1;
}

/* The values of settings as a number that is not 0. */
static uint64_t key_of(const char *word, const char *folders) {
    int level = bine_setting_level();
    uint64_t key = bine_hash(BINE_HASH, word, strlen(word) + 1);
    key = bine_hash(key, folders, strlen(folders) + 1);
    return bine_hash(key, &level, sizeof level) | 1;
}

static void forget_groups(void) {
    bine_allocation_free(&groups.ranks);
    groups.key = 0;
}

static void forget_machine(void) {
    bine_machine_free(known.machine);
    known.machine = NULL;
    known.key = 0;
}

void bine_location_end(void) {
    bine_lock();
    forget_groups();
    forget_machine();
    bine_unlock();
}

static const struct bine_allocation *groups_of(const char *word) {
    struct bine_reason why;
    int p = 0, level = bine_setting_level();
    uint64_t key = key_of(word, "");
    if (groups.key == key)
        return &groups.ranks;
    forget_groups();
    groups.key = key;
    int rc = bine_allocation_load(&groups.ranks, word, &why);
    if (rc == 0 && level > 0 && bine_allocation_keep_level(&groups.ranks, level, &why) != 0) {
        bine_allocation_free(&groups.ranks);
        rc = -1;
    }
    if (rc != 0) {
        bine_problem(NULL, "BINE_GROUPS=%.200s: %s; groups are not known", word, why.text);
        return &groups.ranks;
    }
    if (!bine_has_world()) {
        bine_problem(NULL,
                     "BINE_GROUPS=%.200s: the program has no MPI_COMM_WORLD, whose ranks these "
                     "are; groups are not known",
                     word);
        bine_allocation_free(&groups.ranks);
    } else if (PMPI_Comm_size(MPI_COMM_WORLD, &p) != MPI_SUCCESS || groups.ranks.p != p) {
        bine_problem(
            NULL, "BINE_GROUPS=%.200s: the groups of %d ranks, expected %d; groups are not known",
            word, groups.ranks.p, p);
        bine_allocation_free(&groups.ranks);
    }
    return &groups.ranks;
}

/* The folder of this library. */
static void library_folder(char folder[BINE_PATH_ROOM]) {
    Dl_info info;
    folder[0] = '\0';
    if (dladdr(&known, &info) == 0 || info.dli_fname == NULL ||
        strlen(info.dli_fname) >= BINE_PATH_ROOM)
        return;
    strcpy(folder, info.dli_fname);
    char *slash = strrchr(folder, '/');
    *(slash != NULL ? slash : folder) = '\0';
}

static struct bine_machine *read_machine(const char *word, const char *folders, int level,
                                         struct bine_reason *why) {
    struct bine_machine_options options = {level, 0};
    char beside[BINE_PATH_ROOM];
    size_t size;
    library_folder(beside);
    char *path = strchr(word, '/') == NULL ? bine_machine_locate(word, folders, beside) : NULL;
    char *text = bine_file_text(path != NULL ? path : word, &size);
    struct bine_machine *m = NULL;
    if (text == NULL)
        bine_reason_set(why, "neither a machine that is known nor a file that can be read");
    else
        m = bine_machine_read(text, size, path != NULL ? path : word, &options, why);
    free(text);
    free(path);
    return m;
}

static const struct bine_machine *machine_of(const char *word) {
    const char *folders = bine_setting_value(BINE_SETTING_MACHINES, NULL);
    struct bine_reason why;
    uint64_t key = key_of(word, folders);
    if (known.key == key)
        return known.machine;
    forget_machine();
    known.key = key;
    known.machine = read_machine(word, folders, bine_setting_level(), &why);
    if (known.machine == NULL)
        bine_problem(NULL, "BINE_MACHINE=%.200s: %s; it is not followed", word, why.text);
    return known.machine;
}

/* The host's entry in the machine: by its name with or without the domain, or by Slurm's name. 0,
 * or -1 if it is not there. */
static int find_host(const struct bine_machine *m, struct bine_process_location *w,
                     struct bine_group_name *group, int *node, char name[BINE_ADDRESS_ROOM]) {
    int from_launcher;
    if (bine_machine_find(m, w->host, group, node) == 0)
        return 0;
    snprintf(name, BINE_ADDRESS_ROOM, "%.*s", (int)strcspn(w->host, "."), w->host);
    if (bine_machine_find(m, name, group, node) == 0)
        return 0;
    if (bine_slurm_own("SLURMD_NODENAME", w->host, name, BINE_ADDRESS_ROOM, &from_launcher) != 0 ||
        bine_machine_find(m, name, group, node) != 0)
        return -1;
    w->address = number_of(name, strlen(name));
    return 0;
}

/* The larger groups around the host's, by its own name or the one that was found. */
static void find_wider(const struct bine_machine *m, const char *found,
                       struct bine_process_location *w) {
    struct bine_group_name group;
    for (int k = 0; k < m->wider; k++) {
        if (bine_machine_find_wider(m, w->host, k + 1, &group) != 0 &&
            (*found == '\0' || bine_machine_find_wider(m, found, k + 1, &group) != 0))
            return;
        w->wider[k] = number_of(group.at, group.length);
    }
}

/* The machine's entry for the host. On a torus every node is a group of its own, which carries no
 * information. */
static void by_machine(const struct bine_machine *m, int for_groups,
                       struct bine_process_location *w) {
    struct bine_group_name group;
    char name[BINE_ADDRESS_ROOM] = ""; /* that the group's may be a part of */
    int node;
    if (m == NULL || (m->topology != BINE_TORUS && !for_groups))
        return;
    if (find_host(m, w, &group, &node, name) != 0) {
        bine_problem(m->name, "host %s is not in the machine '%s': %s not known", w->host, m->name,
                     m->topology == BINE_TORUS ? "the torus is" : "groups are");
        return;
    }
    if (m->topology == BINE_TORUS) {
        w->torus = m->shape;
        w->torus_node = node;
    } else {
        w->group = number_of(group.at, group.length);
        find_wider(m, name, w);
    }
}

/* Slurm's topology address of this node. */
static void by_slurm(struct bine_process_location *w) {
    char address[BINE_ADDRESS_ROOM];
    struct bine_group_name group;
    int from_launcher, one = bine_setting_level(), level = one > 0 ? one : 1;
    if (bine_slurm_own("SLURM_TOPOLOGY_ADDR", w->host, address, sizeof address, &from_launcher) !=
        0)
        return;
    bine_address_settle(address);
    if (bine_address_group(address, getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), level, &group) != 0) {
        if (level > 1)
            bine_problem("BINE_LEVEL",
                         "BINE_LEVEL=%d: SLURM_TOPOLOGY_ADDR=%.200s has no such level; groups are "
                         "not known",
                         level, address);
        return;
    }
    w->group = number_of(group.at, group.length);
    for (int k = 0; one == 0 && k < BINE_WIDER_MOST; k++)
        if (bine_address_group(address, getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), k + 2, &group) == 0)
            w->wider[k] = number_of(group.at, group.length);
    w->address = number_of(address, strlen(address));
}

/* By the rank in MPI_COMM_WORLD; nodes, too, where names are nested. */
static void by_groups(const char *word, struct bine_process_location *w) {
    const struct bine_allocation *a = groups_of(word);
    int rank = bine_world_rank();
    if (a->p == 0 || rank < 0)
        return;
    const char *name = bine_names_text(&a->names, a->group[rank]);
    w->group = number_of(name, strlen(name));
    memset(w->wider, 0, sizeof w->wider);
    for (int k = 0; k < a->wider; k++) {
        name = bine_names_text(&a->outer[k].names, a->outer[k].group[rank]);
        w->wider[k] = number_of(name, strlen(name));
    }
    if (a->inner != NULL)
        w->node = bine_hash(w->node, &a->inner[rank], sizeof a->inner[rank]);
    w->address = 0; /* nodes are no hosts here, so nothing can be said of copies */
}

/* Its files take as long to read as a communicator to open: once. */
static struct {
    int asked;
    struct bine_quota found;
} quota;

static const struct bine_quota *find_quota(void) {
    if (!quota.asked)
        quota.found = bine_quota_find("");
    quota.asked = 1;
    return &quota.found;
}

void bine_location_find(struct bine_process_location *w) {
    const char *word = bine_setting_value(BINE_SETTING_GROUPS, NULL);
    const char *machine = bine_setting_value(BINE_SETTING_MACHINE, NULL);
    int n = 0;
    memset(w, 0, sizeof *w);
    if (PMPI_Get_processor_name(w->host, &n) != MPI_SUCCESS)
        w->host[0] = '\0';
    w->node = bine_hash(BINE_HASH, w->host, strlen(w->host));
    w->words = bine_cores_find(w->cores);
    bine_lock();
    w->quota = *find_quota();
    if (*machine != '\0')
        by_machine(machine_of(machine), *word == '\0', w);
    else if (*word == '\0')
        by_slurm(w);
    if (*word != '\0' && strcmp(word, "off") != 0)
        by_groups(word, w);
    bine_unlock();
}

int bine_location_has_rates(void) {
    bine_lock();
    const struct bine_machine *m = known.machine;
    int has = m != NULL && bine_rates_known(&m->rates);
    bine_unlock();
    return has;
}

int bine_location_links(struct bine_links *l, const struct bine_allocation *a) {
    bine_lock();
    int rc = bine_links_make(l, a, known.machine);
    bine_unlock();
    return rc;
}
