#include "shapes.h"

#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1024 };

/* Of every rank of MPI_COMM_WORLD; groups -1: not known. */
static int group_of[MOST], node_of[MOST], known, nested;
static int larger; /* levels of larger groups around the groups: 0, 1 or 2 */
static char file[64];

static void write_file(int world) {
    static int files; /* a file is read once, whatever becomes of it */
    shapes_end();
    snprintf(file, sizeof file, "/tmp/bine-groups.%ld.%d", (long)getpid(), files++);
    FILE *f = fopen(file, "w");
    check_that(f != NULL, "%s cannot be written", file);
    for (int i = 0; i < world && f != NULL; i++) {
        if (larger > 1)
            fprintf(f, "island%d ", group_of[i] % 2);
        if (larger > 0)
            fprintf(f, "pod%d ", group_of[i] % 4);
        if (nested)
            fprintf(f, "cell%d/%d\n", group_of[i], node_of[i]);
        else
            fprintf(f, "cell%d\n", group_of[i]);
    }
    if (f != NULL)
        fclose(f);
}

int shapes_draw(struct rng *r, int nodes) {
    static const char *const orders[] = {"off", "off", "group", "hostname"};
    int world, groups;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    known = rng_below(r, 4) > 0 || nodes;
    nested = rng_below(r, 2) || nodes;
    groups = 1 + rng_below(r, nodes ? 3 : 1 + rng_below(r, world));
    larger = (groups + world) % 3;
    int in_rows = nodes && rng_once_in(r, 2), row = in_rows ? 2 + rng_below(r, 4) : 1;
    for (int i = 0; i < world; i++) {
        group_of[i] = in_rows ? i / row / 3 : rng_below(r, groups);
        node_of[i] = in_rows ? i / row : rng_below(r, 3);
    }
    const char *order = orders[rng_below(r, 4)];
    setenv("BINE_REORDER", order, 1);
    if (known)
        write_file(world);
    setenv("BINE_GROUPS", known ? file : "off", 1);
    return strcmp(order, "off") != 0;
}

/* Ranks on one node have boards. Whether they can read each other's memory, the system says. */
int shapes_boards(MPI_Comm comm) {
    int p, both;
    MPI_Comm_size(comm, &p);
    if (p == 1 || !shapes_one_node(comm))
        return 0;
    both = Bine_Set(comm, "bcast", "board-direct") == MPI_SUCCESS;
    Bine_Set(comm, "bcast", NULL);
    return 1 + both;
}

void shapes_none(void) {
    known = 0;
    setenv("BINE_GROUPS", "off", 1);
}

struct shape {
    int groups, nodes, shared; /* shared: some node has several ranks */
};

static struct shape shape_of(MPI_Comm comm) {
    MPI_Group world, ours;
    int p, all[MOST], here[MOST];
    struct shape x = {0, 0, 0};
    MPI_Comm_size(comm, &p);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &ours);
    for (int i = 0; i < p; i++)
        all[i] = i;
    MPI_Group_translate_ranks(ours, p, all, world, here);
    MPI_Group_free(&world);
    MPI_Group_free(&ours);
    for (int i = 0; i < p; i++) {
        int new_group = 1, new_node = 1;
        for (int j = 0; j < i; j++)
            if (group_of[here[j]] == group_of[here[i]]) {
                new_group = 0;
                new_node &= nested && node_of[here[j]] != node_of[here[i]];
            }
        x.groups += new_group;
        x.nodes += new_node;
        x.shared |= !new_node;
    }
    return x;
}

/* As the library decides it: more than one group, or several ranks on some of several nodes. */
int shapes_levels(MPI_Comm comm) {
    struct shape x = shape_of(comm);
    return known && (x.groups > 1 || (x.nodes > 1 && x.shared));
}

int shapes_one_node(MPI_Comm comm) {
    return !known || shape_of(comm).nodes == 1;
}

void shapes_end(void) {
    if (file[0] != '\0')
        unlink(file);
}
