#include "rounds.h"

#include "calls.h"
#include "shapes.h"

void rounds_begin(struct rounds *x, int argc, char **argv, long seed) {
    *x = (struct rounds){
        (uint64_t)check_option(argc, argv, "seed", seed), check_option(argc, argv, "calls", 1200),
        check_option(argc, argv, "round", -1), (int)check_option(argc, argv, "max-count", 3000)};
    types_make();
    operators_make();
}

void rounds_run(const struct rounds *x, int calls_of_a_round, void (*round)(long number)) {
    long n = (x->calls + calls_of_a_round - 1) / calls_of_a_round;
    for (long i = 0; i < n; i++)
        if (x->only < 0 || x->only == i)
            round(i);
}

int rounds_end(void) {
    operators_free();
    types_free();
    shapes_end();
    int status = check_end();
    MPI_Finalize();
    return status;
}
