/* A list of schedules to prove, and proving it on all cores.
 *
 * A proof is one (algorithm, layout, p, root), and a shape where the algorithm needs one: the
 * schedules of all ranks, in place and not. Proofs are numbered 0..count-1 in groups that share all
 * but root and shape, so that millions of those need no memory. */
#ifndef BINE_TOOLS_CHECK_PROOFS_H
#define BINE_TOOLS_CHECK_PROOFS_H

#include "cli/options/range.h"
#include "cli/options/shapes.h"
#include "schedule/prove.h"

struct bine_proof_group {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int p;
    size_t first; /* the number of its first proof */
    size_t roots; /* proofs of one shape */
};

struct bine_proofs {
    struct bine_proof_group *group; /* p ascending */
    size_t ngroups, room;
    size_t count;
    const struct bine_range *roots;   /* NULL: every rank is a root */
    const struct bine_groups *groups; /* of the ranks, if they were given; otherwise groupings are
                                         taken by their numbers */
    const struct bine_tori *tori;     /* those that algorithms that need dims are proved on */
    int segments; /* of pipelines, which alone are proved then; 0: the usual number, and one */
    int draws;    /* there will be a draw: list all groupings that there are, not a few */
    size_t *pick; /* if not NULL, only these proofs, ascending: picks of them */
    size_t picks;
};

/* A proof that failed. Small enough to be written to a pipe in one piece. */
struct bine_failure {
    size_t number;
    int segments; /* 0: it is no pipeline */
    int in_place;
    int nodes; /* the smallest groups are nodes, whose boards are used */
    int rc;    /* of bine_check_both */
    struct bine_verdict verdict;
};

/* Append the proofs of an algorithm in a layout at p. 0, or -1 when out of memory. */
int bine_proofs_add(struct bine_proofs *all, const struct bine_algorithm *a, enum bine_layout l,
                    int p);
/* What proof `number` asks for; its rank is 0, it is not in place and has no shape. */
struct bine_spec bine_proofs_request(const struct bine_proofs *all, size_t number);
/* The number of its grouping, if it has one; otherwise -1. */
int bine_proofs_grouping(const struct bine_proofs *all, size_t number);
/* Whether it has a torus, and which. */
int bine_proofs_torus(const struct bine_proofs *all, size_t number, struct bine_torus_case *torus);
/* Give the request its shape: what has to be freed, and what it points to. 0, or -1 when out of
 * memory. */
int bine_proofs_shape(const struct bine_proofs *all, size_t number, struct bine_spec *spec,
                      struct bine_groups **made, struct bine_torus_case *torus);
/* The numbers of segments that it is proved with (0: it is no pipeline), and how many those are. */
int bine_proofs_segments(const struct bine_proofs *all, const struct bine_spec *spec,
                         int segments[2]);
/* How many will be proved, and the number of the i-th of them. */
size_t bine_proofs_total(const struct bine_proofs *all);
size_t bine_proofs_number(const struct bine_proofs *all, size_t i);
/* Keep `n` picks, drawn from `seed`: p first, then algorithm, layout and root, each as likely as
 * any other. All of them if there are no more than n. 0, or -1 when out of memory. */
int bine_proofs_draw(struct bine_proofs *all, size_t n, uint64_t seed);
void bine_proofs_free(struct bine_proofs *all);

/* Prove them with so many processes at once, fewer where memory is short. The failures, sorted, in
 * an array that the caller frees. 0, or BINE_EXIT_USAGE after complaining. */
int bine_proofs_run(const struct bine_proofs *all, int jobs, struct bine_failure **failures,
                    size_t *nfailures);

#endif
