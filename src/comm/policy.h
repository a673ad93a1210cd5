/* The policy of this process: its settings, and the rules that they name. Choices follow it. */
#ifndef BINE_COMM_POLICY_H
#define BINE_COMM_POLICY_H

#include "select/selection.h"

struct bine_policy {
    struct bine_settings settings;
    const struct bine_rules *rules; /* or NULL; they stay until MPI_Finalize */
    uint64_t hash;                  /* differs from that of another policy */
};

/* Read settings and rules as they are now. Mistakes in them become problems (report/problems.h). */
void bine_policy_read(struct bine_policy *p);
/* A number for each setting; where policies differ, one of these does. */
void bine_policy_signs(const struct bine_policy *p, uint64_t sign[BINE_SETTINGS]);
/* Say that BINE_DIMS is of another number of ranks than a communicator of p, if that is as large as
 * MPI_COMM_WORLD: on a smaller one it may well be meant for others. */
void bine_policy_warn_of_dims(const struct bine_shape *dims, int p);
/* Whether rules give nonblocking calls to Bine. Such calls open no communicator: the first blocking
 * call on it does so for them. */
int bine_policy_has_nonblocking_rules(const struct bine_policy *p);
/* Free the rules. */
void bine_policy_end(void);

#endif
