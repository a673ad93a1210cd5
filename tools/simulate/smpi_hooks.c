/* The library under SimGrid's MPI: the engine's messages, copies and reductions are charged as the
 * machine's description says. The linker puts these functions in front of the engine's own. */
#include "bench/bench.h"
#include "engine/code.h"
#include "engine/run.h"

#include <simgrid/actor.h>
#include <stdlib.h>

static double setting(const char *name) {
    const char *text = getenv(name);
    return text == NULL ? 0 : strtod(text, NULL);
}

static void charge(double seconds) {
    if (seconds > 0)
        sg_actor_sleep_for(seconds);
}

static void charge_bytes(int64_t bytes, const char *rate) {
    double r = setting(rate);
    if (r > 0)
        charge((double)bytes / r);
}

static void charge_message(void) {
    charge(setting("SIMULATED_MESSAGE"));
}

/* The engine posts its messages by these. */
int __real_PMPI_Isend(const void *data, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
                      MPI_Request *request) {
    charge_message();
    return __real_PMPI_Isend(data, n, t, to, tag, comm, request);
}

int __real_PMPI_Irecv(void *data, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Irecv(void *data, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Irecv(void *data, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm,
                      MPI_Request *request) {
    charge_message();
    return __real_PMPI_Irecv(data, n, t, from, tag, comm, request);
}

int __real_PMPI_Reduce_local(const void *in, void *inout, int n, MPI_Datatype t, MPI_Op op);
int __wrap_PMPI_Reduce_local(const void *in, void *inout, int n, MPI_Datatype t, MPI_Op op);
int __wrap_PMPI_Reduce_local(const void *in, void *inout, int n, MPI_Datatype t, MPI_Op op) {
    int size = 0;
    PMPI_Type_size(t, &size);
    charge_bytes((int64_t)n * size, "SIMULATED_REDUCE");
    return __real_PMPI_Reduce_local(in, inout, n, t, op);
}

/* Copies that the schedule asks for, and packing. */
int __real_bine_run_local(struct bine_run_state *run, const struct bine_op *op);
int __wrap_bine_run_local(struct bine_run_state *run, const struct bine_op *op);
int __wrap_bine_run_local(struct bine_run_state *run, const struct bine_op *op) {
    if (op->kind == BINE_OP_COPY || op->kind == BINE_OP_PERMUTE)
        charge_bytes(bine_run_elements(run, op) * run->type.size, "SIMULATED_COPY");
    return __real_bine_run_local(run, op);
}

int __real_bine_run_pack(struct bine_run_state *run, const struct bine_op *op, char *to);
int __wrap_bine_run_pack(struct bine_run_state *run, const struct bine_op *op, char *to);
int __wrap_bine_run_pack(struct bine_run_state *run, const struct bine_op *op, char *to) {
    charge_bytes(bine_run_elements(run, op) * run->type.size, "SIMULATED_COPY");
    return __real_bine_run_pack(run, op, to);
}

int __real_bine_run_unpack(struct bine_run_state *run, const struct bine_op *op,
                           const struct bine_slot *at);
int __wrap_bine_run_unpack(struct bine_run_state *run, const struct bine_op *op,
                           const struct bine_slot *at);
int __wrap_bine_run_unpack(struct bine_run_state *run, const struct bine_op *op,
                           const struct bine_slot *at) {
    charge_bytes(at->count * run->type.size, "SIMULATED_COPY");
    return __real_bine_run_unpack(run, op, at);
}

/* Written-out code copies by itself: without it, the engine goes through the functions above. */
size_t __wrap_bine_code_room(const struct bine_plan *plan);
size_t __wrap_bine_code_room(const struct bine_plan *plan) {
    (void)plan;
    return 0;
}

/* All clocks are one. */
void __wrap_bench_clock_begin(MPI_Comm comm);
void __wrap_bench_clock_begin(MPI_Comm comm) {
    (void)comm;
}

/* Barriers let ranks go one after the other; here all start at an agreed moment. */
double __wrap_bench_clock_start(enum bench_start start, MPI_Comm comm, int crowded, int *late);
double __wrap_bench_clock_start(enum bench_start start, MPI_Comm comm, int crowded, int *late) {
    double when = bench_now() + 0.1;
    (void)start, (void)crowded;
    *late = 0;
    MPI_Bcast(&when, 1, MPI_DOUBLE, 0, comm);
    charge(when - bench_now());
    return when;
}

#undef PMPI_Comm_call_errhandler
int bine_smpi_call_errhandler(MPI_Comm comm, int code) {
    MPI_Errhandler handler = MPI_ERRORS_RETURN;
    MPI_Comm_get_errhandler(comm, &handler);
    if (handler == MPI_ERRORS_RETURN)
        return code;
    if (handler == MPI_ERRORS_ARE_FATAL)
        return MPI_Abort(comm, code);
    return PMPI_Comm_call_errhandler(comm, code);
}
