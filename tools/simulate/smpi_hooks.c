/* The library under SimGrid's MPI: the engine's messages, copies and reductions are charged as the
 * machine's description says. The linker puts these functions in front of the engine's own. */
#include "bench/bench.h"
#include "engine/walk.h"

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

static int64_t sent; /* bytes that this rank's engine has sent */

/* With SIMULATED_SENT=FILE, every rank writes there what it has sent. */
int __real_MPI_Finalize(void);
int __wrap_MPI_Finalize(void);
int __wrap_MPI_Finalize(void) {
    const char *path = getenv("SIMULATED_SENT");
    FILE *to = path == NULL ? NULL : fopen(path, "a");
    if (to != NULL) {
        fprintf(to, "%lld\n", (long long)sent);
        fclose(to);
    }
    return __real_MPI_Finalize();
}

/* The engine posts its messages by these. */
int __real_PMPI_Isend(const void *data, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
                      MPI_Request *request) {
    int size = 0;
    PMPI_Type_size(t, &size);
    sent += (int64_t)n * size;
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
static void charge_copy(const struct bine_op_walk *w, int64_t elements) {
    int64_t bytes = elements * w->x->type.size;
    int64_t caches = (int64_t)setting("SIMULATED_CACHE_BYTES"),
            held = bytes < caches ? bytes : caches;
    charge_bytes(held, "SIMULATED_CACHE");
    charge_bytes(bytes - held, "SIMULATED_COPY");
}

void __real_bine_op_walk_pack(struct bine_op_walk *w, const struct bine_op *op,
                              struct bine_location aside);
void __wrap_bine_op_walk_pack(struct bine_op_walk *w, const struct bine_op *op,
                              struct bine_location aside);
void __wrap_bine_op_walk_pack(struct bine_op_walk *w, const struct bine_op *op,
                              struct bine_location aside) {
    charge_copy(w, bine_elements_of_op(w->x, op));
    __real_bine_op_walk_pack(w, op, aside);
}

void __real_bine_op_walk_use(struct bine_op_walk *w, const struct bine_op *op,
                             const struct bine_op_part *part, const struct bine_location *aside);
void __wrap_bine_op_walk_use(struct bine_op_walk *w, const struct bine_op *op,
                             const struct bine_op_part *part, const struct bine_location *aside);
void __wrap_bine_op_walk_use(struct bine_op_walk *w, const struct bine_op *op,
                             const struct bine_op_part *part, const struct bine_location *aside) {
    if (op->kind == BINE_OP_RECV && aside != NULL)
        charge_copy(w, part->count);
    __real_bine_op_walk_use(w, op, part, aside);
}

void __real_bine_op_walk_local(struct bine_op_walk *w, const struct bine_step *step);
void __wrap_bine_op_walk_local(struct bine_op_walk *w, const struct bine_step *step);
void __wrap_bine_op_walk_local(struct bine_op_walk *w, const struct bine_step *step) {
    const struct bine_schedule *s = w->x->plan->schedule;
    for (uint32_t i = step->ops; i < step->ops + step->nops; i++)
        if (s->op[i].kind == BINE_OP_COPY || s->op[i].kind == BINE_OP_PERMUTE)
            charge_copy(w, bine_elements_of_op(w->x, &s->op[i]));
    __real_bine_op_walk_local(w, step);
}

/* Written-out code copies by itself: without it, the engine goes through the functions above. */
size_t __wrap_bine_code_room(const struct bine_schedule *s);
size_t __wrap_bine_code_room(const struct bine_schedule *s) {
    (void)s;
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
