/* Datatypes and operators. */
#include "bench/bench.h"
#include "cli/command.h"

#include <string.h>

int bench_type_find(const char *name, struct bench_wish *w) {
    static const char device[] = "cuda:";
    const char *text = name;
    w->on_device = strncmp(name, device, strlen(device)) == 0;
    name += w->on_device ? strlen(device) : 0;
    const struct bench_type types[] = {
        {"int", MPI_INT, sizeof(int), BENCH_INT},
        {"unsigned", MPI_UNSIGNED, sizeof(unsigned), BENCH_UNSIGNED},
        {"long", MPI_LONG, sizeof(long), BENCH_LONG},
        {"float", MPI_FLOAT, sizeof(float), BENCH_FLOAT},
        {"double", MPI_DOUBLE, sizeof(double), BENCH_DOUBLE},
        {"char", MPI_CHAR, sizeof(char), BENCH_CHAR},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0) {
            w->type = types[i];
            return 0;
        }
    return bine_complain("-d '%s': expected int, unsigned, long, float, double or char, or one of "
                         "these behind cuda:",
                         text);
}

/* An operator that does not commute: the left operand. */
static void take_first(void *in, void *inout, int *count, MPI_Datatype *type) {
    int size;
    MPI_Type_size(*type, &size);
    memcpy(inout, in, (size_t)*count * (size_t)size);
}

int bench_operator_find(const char *name, struct bench_operator *op) {
    const struct bench_operator operators[] = {
        {"sum", MPI_SUM, BENCH_SUM},    {"prod", MPI_PROD, BENCH_PROD},
        {"max", MPI_MAX, BENCH_MAX},    {"min", MPI_MIN, BENCH_MIN},
        {"band", MPI_BAND, BENCH_BAND}, {"bor", MPI_BOR, BENCH_BOR},
        {"bxor", MPI_BXOR, BENCH_BXOR}, {"land", MPI_LAND, BENCH_LAND},
        {"lor", MPI_LOR, BENCH_LOR},    {"first", MPI_OP_NULL, BENCH_FIRST},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(name, operators[i].name) == 0) {
            *op = operators[i];
            if (op->action == BENCH_FIRST)
                MPI_Op_create(take_first, 0, &op->op);
            return 0;
        }
    return bine_complain(
        "-o '%s': expected sum, prod, max, min, band, bor, bxor, land, lor or first", name);
}

int bench_type_reduces(const struct bench_type *t, const struct bench_operator *op) {
    int real = t->kind == BENCH_FLOAT || t->kind == BENCH_DOUBLE;
    if (t->kind == BENCH_CHAR) /* MPI_CHAR is a letter, not a number */
        return op->action == BENCH_FIRST;
    return !real || op->action <= BENCH_MIN || op->action == BENCH_FIRST;
}
