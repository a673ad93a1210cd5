/* The place of a context's ranks in the network: their torus, and the model that knows it. */
#include "comm/agreement.h"
#include "comm/context.h"
#include "comm/tuning/prediction.h"
#include "model/prediction.h"

void bine_context_find_torus(struct bine_context *c, MPI_Comm comm) {
    int kind = MPI_UNDEFINED, dims = 0, periods[BINE_DIMS_MOST], here[BINE_DIMS_MOST];
    const struct bine_shape *given = &c->choosing.policy.settings.dims;
    if (given->dims > 0 && bine_shape_nodes(given) == c->id.p) {
        c->place.dims = *given;
        c->place.wired = 1;
        return;
    }
    if (given->dims > 0)
        bine_policy_warn_of_dims(given, c->id.p);
    if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS || kind != MPI_CART ||
        PMPI_Cartdim_get(comm, &dims) != MPI_SUCCESS || dims < 1 || dims > BINE_DIMS_MOST ||
        PMPI_Cart_get(comm, dims, c->place.dims.size, periods, here) != MPI_SUCCESS)
        return;
    c->place.dims.dims = dims;
}

void bine_context_settle_torus(struct bine_context *c, struct bine_agreement *agreed) {
    int same = agreed->seats == NULL && bine_shape_same(&c->place.dims, &agreed->dims);
    if (agreed->dims.dims > 0 && (c->place.dims.dims == 0 || same)) {
        c->place.dims = agreed->dims;
        c->place.wired = 1;
        c->place.seats = agreed->seats;
        return;
    }
    bine_lineup_free(agreed->seats);
}

void bine_context_find_predictor(struct bine_context *c, MPI_Comm comm, int p,
                                 const struct bine_agreement *agreed) {
    struct bine_prediction_place at = {p,
                                       agreed->nodes,
                                       agreed->groups,
                                       agreed->levels,
                                       agreed->wider,
                                       agreed->wider_level,
                                       NULL,
                                       0,
                                       c->choosing.policy.settings.effort == BINE_EFFORT_PATIENT};
    if (!agreed->alike || c->id.forward_reason != NULL || !c->choosing.policy.settings.model ||
        agreed->nodes < 2 || p > BINE_ADVISED_RANKS)
        return;
    if (agreed->dims.dims > 0) {
        if (agreed->nodes != p || c->place.seats != NULL ||
            !bine_shape_same(&c->place.dims, &agreed->dims))
            return;
        at = (struct bine_prediction_place){
            p, p, 0, NULL, 0, NULL, &c->place.dims, c->choosing.policy.settings.ports, at.patient};
    } else if (agreed->levels == NULL || agreed->groups < 1)
        return;
    c->choosing.predictor = bine_predictor_open(comm, c->id.rank, &at);
}
