/* Where the ranks are. */
#include "cli/options/place.h"

#include "cli/command.h"
#include "cli/options/groups_option.h"
#include "cli/options/hosts_option.h"
#include "cli/options/machines.h"
#include "cli/options/shapes.h"
#include "network/slurm/slurm_job.h"
#include "network/sub_torus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain_why(const struct bine_reason *why) {
    return bine_complain("%s", why->text);
}

/* The hosts of the Slurm job that this runs in. */
static int slurm_hosts(int one_each, struct bine_hosts *h) {
    struct bine_slurm_job job;
    struct bine_reason why;
    bine_slurm_job_find(&job);
    if (job.nodes == NULL)
        return bine_complain("which hosts? expected --hosts FILE|HOSTLIST (or, in a Slurm job, "
                             "SLURM_JOB_NODELIST)");
    return bine_slurm_job_hosts(&job, one_each, h, &why) == 0 ? 0 : complain_why(&why);
}

/* As typed; or what Slurm says. A process knows only its own address, not those of the others. */
static int find_hosts(const struct bine_place_words *w, const struct bine_machine *m,
                      struct bine_hosts *h) {
    struct bine_reason why;
    int addresses = m->topology == BINE_ADDRESSES;
    if (addresses && w->hosts == NULL)
        return bine_complain("--machine addresses: which hosts? expected --hosts FILE with the "
                             "address of each rank, as 'srun -l printenv SLURM_TOPOLOGY_ADDR' "
                             "prints them");
    int rc = w->hosts == NULL ? slurm_hosts(w->per_node > 0, h)
             : addresses      ? bine_word_addresses(w->hosts, h)
                              : bine_word_hosts(w->hosts, h);
    if (rc == 0 && w->per_node > 0 && bine_hosts_fill(h, w->per_node, BINE_HOSTS_MOST, &why) != 0)
        rc = bine_complain("--ranks-per-node %d: %s", w->per_node, why.text);
    return rc;
}

static int place_torus(const struct bine_place_words *w, const struct bine_machine *m,
                       struct bine_allocation *a) {
    struct bine_shape shape;
    struct bine_reason why;
    if (bine_word_dims(w->dims, 0, &shape) != 0)
        return BINE_EXIT_USAGE;
    if (m != NULL && m->topology != BINE_TORUS)
        return bine_complain("--dims: machine '%s' is no torus", m->name);
    if (m != NULL && bine_shape_nodes(&shape) > bine_machine_nodes(m))
        return bine_complain("dims %s: machine '%s' has only %ld nodes", w->dims, m->name,
                             bine_machine_nodes(m));
    return bine_allocation_torus(a, &shape, &why) == 0 ? 0 : complain_why(&why);
}

static int place_machine(const struct bine_place_words *w, struct bine_allocation *a,
                         struct bine_machine **machine) {
    struct bine_machine *m = bine_machine_load(w->machine, w->level);
    struct bine_hosts h = {0};
    struct bine_reason why;
    int rc;
    if (m == NULL)
        return BINE_EXIT_USAGE;
    if (w->dims != NULL)
        rc = place_torus(w, m, a);
    else {
        rc = find_hosts(w, m, &h);
        if (rc == 0 && bine_allocation_place(a, m, &h, w->reorder, &why) != 0)
            rc = complain_why(&why);
    }
    bine_hosts_free(&h);
    if (rc == 0 && machine != NULL)
        *machine = m;
    else
        bine_machine_free(m);
    return rc;
}

static int place_groups(const struct bine_place_words *w, struct bine_allocation *a) {
    struct bine_reason why;
    int rc = bine_word_groups(w->groups, a);
    if (rc == 0 && w->level > 0 && bine_allocation_keep_level(a, w->level, &why) != 0) {
        bine_allocation_free(a);
        rc = bine_complain("groups '%.200s': %s", w->groups, why.text);
    }
    if (rc == 0 && w->reorder == BINE_REORDER_GROUP && bine_allocation_sort(a, &why) != 0)
        rc = complain_why(&why);
    return rc;
}

int bine_word_per_node(const char *word, int *per_node) {
    return bine_word_int("--ranks-per-node", word, 1, BINE_HOSTS_MOST, per_node);
}

int bine_take_per_node(const struct bine_option *o, const char *word) {
    return bine_word_per_node(word, o->to);
}

int bine_place_check(const struct bine_place_words *w) {
    if (w->machine != NULL && w->groups != NULL)
        return bine_complain("--groups with --machine: expected one of them");
    if (w->hosts != NULL && w->machine == NULL)
        return bine_complain("--hosts without --machine: expected a machine that has these hosts");
    if (w->hosts != NULL && w->dims != NULL)
        return bine_complain("--hosts with --dims: expected one of them");
    if (w->per_node > 0 && (w->machine == NULL || w->dims != NULL))
        return bine_complain("--ranks-per-node: expected --machine and hosts");
    return 0;
}

const char *bine_place_name(const struct bine_place_words *w, char text[BINE_PLACE_NAME]) {
    const char *option = w->dims != NULL ? "dims" : w->machine != NULL ? "hosts" : "groups";
    const char *word = w->dims != NULL ? w->dims : w->machine != NULL ? w->hosts : w->groups;
    if (word == NULL)
        return "hosts of this Slurm job";
    snprintf(text, BINE_PLACE_NAME, "%s '%.200s'", option, word);
    return text;
}

int bine_place_job(const struct bine_place_words *w, struct bine_allocation *a,
                   struct bine_machine **machine) {
    if (machine != NULL)
        *machine = NULL;
    if (w->machine != NULL)
        return place_machine(w, a, machine);
    return w->groups != NULL ? place_groups(w, a) : place_torus(w, NULL, a);
}

int bine_place_torus(const struct bine_allocation *a, struct bine_shape *dims, int *in_order) {
    int32_t *rank_at = malloc((size_t)a->p * sizeof *rank_at);
    int found = rank_at == NULL || a->shape.dims == 0 || a->p < 2
                    ? BINE_SUB_TORUS_NO
                    : bine_sub_torus_find(&a->shape, a->p, a->node, dims, rank_at);
    int good = rank_at != NULL && found != BINE_SUB_TORUS_MEMORY;
    *in_order = found == BINE_SUB_TORUS_YES;
    for (int i = 0; i < a->p && *in_order; i++)
        *in_order = rank_at[i] == i;
    if (found != BINE_SUB_TORUS_YES)
        *dims = (struct bine_shape){0};
    free(rank_at);
    return good ? 0 : -1;
}

int bine_place_dims(const struct bine_place_words *w, const struct bine_allocation *a,
                    struct bine_shape *dims) {
    int in_order = 1, rc = 0;
    if (w->dims != NULL || a->shape.dims == 0)
        *dims = a->shape;
    else if (a->p == 1)
        *dims = (struct bine_shape){.dims = 1, .size = {1}};
    else
        rc = bine_place_torus(a, dims, &in_order);
    if (!in_order)
        *dims = (struct bine_shape){0};
    return rc;
}

/* The torus of a job on a machine that is one. */
static int tell_torus(const struct bine_place_words *w, const struct bine_allocation *a,
                      struct bine_shape *dims) {
    char name[BINE_PLACE_NAME];
    if (bine_place_dims(w, a, dims) != 0)
        return bine_complain("out of memory");
    return dims->dims > 0 ? 0
                          : bine_complain("%s: expected a torus of machine '%s' in row-major order",
                                          bine_place_name(w, name), w->machine);
}

static int find_on_machine(const struct bine_place_words *w, enum bine_needs needs,
                           struct bine_place *place) {
    struct bine_allocation a;
    char name[BINE_PLACE_NAME];
    int rc = 0, ranks = place->p;
    if (bine_place_job(w, &a, &place->machine) != 0)
        return BINE_EXIT_USAGE;
    place->p = a.p;
    if (ranks != 0 && a.p != ranks)
        rc = bine_complain("%s: %d ranks, expected %d", bine_place_name(w, name), a.p, ranks);
    else if (a.shape.dims > 0 && needs == BINE_NEEDS_DIMS)
        rc = tell_torus(w, &a, &place->dims);
    else if ((a.shape.dims == 0 || needs == BINE_NEEDS_GROUPS) &&
             (place->groups = bine_allocation_levels(&a)) == NULL)
        rc = bine_complain("out of memory");
    bine_allocation_free(&a);
    return rc;
}

static int find_in_words(const struct bine_place_words *w, struct bine_place *place) {
    if (w->dims != NULL) {
        if (bine_word_dims(w->dims, place->p, &place->dims) != 0)
            return BINE_EXIT_USAGE;
        place->p = bine_shape_nodes(&place->dims);
    }
    if (w->groups != NULL) {
        if (bine_word_levels(w->groups, place->p, &place->groups) != 0)
            return BINE_EXIT_USAGE;
        place->p = place->groups->p;
    }
    return place->p > 0
               ? 0
               : bine_complain("missing --ranks: expected the number of ranks, as in --ranks 8");
}

int bine_place_find(const struct bine_place_words *w, enum bine_needs needs,
                    struct bine_place *place) {
    long ranks = 0;
    if ((w->ranks != NULL &&
         bine_word_number("ranks", w->ranks, 1, BINE_RANKS_MOST, &ranks) != 0) ||
        bine_place_check(w) != 0)
        return BINE_EXIT_USAGE;
    *place = (struct bine_place){.p = (int)ranks};
    return w->machine != NULL ? find_on_machine(w, needs, place) : find_in_words(w, place);
}

void bine_place_tell(const struct bine_place *place, struct bine_spec *spec) {
    spec->p = place->p;
    spec->groups = place->groups;
    spec->dims = place->dims.dims > 0 ? &place->dims : NULL;
    if (bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_BOARDS)
        spec->node = place->node;
}

int bine_place_boards(struct bine_spec *spec) {
    const struct bine_algorithm *a = spec->algorithm;
    spec->node = spec->groups != NULL ? bine_groups_smallest(spec->groups) : NULL;
    return bine_spec_uses_boards(spec)
               ? 0
               : bine_complain("--boards: %s %s has no boards in these groups and segments",
                               bine_collective_name(a->collective), a->name);
}

void bine_place_free(struct bine_place *place) {
    bine_groups_free(place->groups);
    bine_machine_free(place->machine);
    *place = (struct bine_place){0};
}
