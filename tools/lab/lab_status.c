/* bine lab status and bine lab down. */
#include "cli/command.h"
#include "lab/lab.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LABS_MOST = 256 };

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct bine_lab *)a)->name, ((const struct bine_lab *)b)->name);
}

/* All labs of this user, or the one named; their number, or -1 after complaining. */
static int list_labs(const char *name, struct bine_lab *labs) {
    char base[64];
    int n = 0;
    struct dirent *entry;
    if (bine_lab_base(base) != 0)
        return -1;
    DIR *folder = opendir(base);
    while (folder != NULL && (entry = readdir(folder)) != NULL && n < LABS_MOST)
        if (entry->d_name[0] != '.' && (name == NULL || strcmp(name, entry->d_name) == 0))
            n += bine_lab_find(&labs[n], entry->d_name) == 0;
    if (folder != NULL)
        closedir(folder);
    if (name != NULL && n == 0) {
        bine_complain("lab '%s' is not up: see 'bine lab status'", name);
        return -1;
    }
    qsort(labs, (size_t)n, sizeof *labs, by_name);
    return n;
}

static const struct bine_column columns[] = {
    {"name", BINE_COLUMN_WORDS},         {"state", BINE_COLUMN_WORDS},
    {"topology", BINE_COLUMN_WORDS},     {"shape", BINE_COLUMN_WORDS},
    {"hosts", BINE_COLUMN_NUMBER},       {"rate_mbit", BINE_COLUMN_NUMBER},
    {"uplink_mbit", BINE_COLUMN_NUMBER}, {"mpi", BINE_COLUMN_WORDS},
    {"keeper", BINE_COLUMN_NUMBER},      {"machine", BINE_COLUMN_WORDS},
};

static void add_row(struct bine_table *t, const struct bine_lab *lab) {
    char shape[BINE_LAB_SHAPE];
    bine_lab_shape(lab, shape);
    bine_table_add(t, "%s", lab->name);
    bine_table_add(t, "%s", lab->keeper != 0 ? "up" : "dead");
    bine_table_add(t, "%s", bine_lab_topologies[lab->topology]);
    bine_table_add(t, "%s", shape);
    bine_table_add(t, "%d", lab->hosts);
    bine_table_add(t, "%g", (double)lab->rate / 1e6);
    bine_table_add(t, "%g", (double)lab->uplink / 1e6);
    bine_table_add(t, "%s", lab->mpi);
    bine_table_add(t, "%ld", (long)lab->keeper);
    bine_table_add(t, "%s/lab.machine", lab->folder);
}

int bine_lab_status(const char *name, enum bine_format format) {
    struct bine_table t = {.column = columns, .columns = sizeof columns / sizeof *columns};
    struct bine_lab *labs = calloc(LABS_MOST, sizeof *labs);
    if (labs == NULL)
        return bine_complain("out of memory");
    int n = list_labs(name, labs), rc = n < 0 ? BINE_EXIT_USAGE : 0;
    for (int i = 0; i < n; i++)
        add_row(&t, &labs[i]);
    if (n == 0 && format == BINE_FORMAT_TEXT)
        printf("no lab is up\n");
    else if (rc == 0)
        rc = bine_table_print(&t, format);
    bine_table_free(&t);
    free(labs);
    return rc;
}

/* The kernel ends everything in the lab together with its keeper. */
static int take_down(struct bine_lab *lab) {
    struct timespec pause = {0, 10000000};
    for (int i = 0; lab->keeper != 0; i++) {
        if (i == 3000)
            return bine_complain("lab '%s': process %ld does not end", lab->name,
                                 (long)lab->keeper);
        kill(lab->keeper, SIGKILL);
        nanosleep(&pause, NULL);
        bine_lab_look(lab);
    }
    bine_lab_forget(lab);
    printf("lab '%s' is down\n", lab->name);
    return 0;
}

int bine_lab_down(const char *name) {
    struct bine_lab *labs = calloc(LABS_MOST, sizeof *labs);
    int lock = labs == NULL ? -1 : bine_lab_lock();
    if (lock < 0) {
        free(labs);
        return BINE_EXIT_USAGE;
    }
    int n = list_labs(name, labs), rc = n < 0 ? BINE_EXIT_USAGE : 0;
    for (int i = 0; i < n; i++) {
        int one = take_down(&labs[i]);
        rc = rc != 0 ? rc : one;
    }
    close(lock);
    free(labs);
    return rc;
}
