/* The algorithms inside the MPI library, chosen through its control variables (MPI_T).
 *
 * Open MPI has coll_tuned_allreduce_algorithm and so on, which count when a communicator is made,
 * provided that coll_tuned_use_dynamic_rules was set when the library started. MPICH has
 * MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM, which counts when a call is made. So both can be measured
 * beside everything else in one run. */
#include "bench/bench.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int ready; /* MPI_T could be started */

void bench_library_begin(int forcing) {
    int provided;
    if (forcing)
        setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    ready = forcing && MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
}

void bench_library_end(void) {
    if (ready)
        MPI_T_finalize();
}

/* Write a whole number to a variable; 0, or -1 if it is not there or refuses. */
static int put(const char *name, int value) {
    MPI_T_cvar_handle handle;
    int index, count, back = 0;
    if (!ready || MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return -1;
    int good = MPI_T_cvar_write(handle, &value) == MPI_SUCCESS &&
               MPI_T_cvar_read(handle, &back) == MPI_SUCCESS && back == value;
    MPI_T_cvar_handle_free(&handle);
    return good ? 0 : -1;
}

static void add(struct bench_library_list *list, const char *name, size_t length, int value) {
    if (list->count == BENCH_LIBRARY_MOST)
        return;
    snprintf(list->item[list->count].name, sizeof list->item->name, "%.*s", (int)length, name);
    list->item[list->count++].value = value;
}

/* --- Open MPI */

static void openmpi_variable(const struct bench_collective *c, const char *end, char name[128]) {
    snprintf(name, 128, "coll_tuned_%s_algorithm%s", c->name, end);
}

/* The variable's enumeration; 0 is "ignore". */
static void openmpi_list(const struct bench_collective *c, struct bench_library_list *list) {
    char name[128], text[64];
    int index, verbosity, binding, scope, items = 0, length = 0, value;
    MPI_Datatype type;
    MPI_T_enum values = MPI_T_ENUM_NULL;
    list->count = 0;
    openmpi_variable(c, "", name);
    if (!ready || MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_get_info(index, NULL, &length, &verbosity, &type, &values, NULL, &length,
                            &binding, &scope) != MPI_SUCCESS ||
        values == MPI_T_ENUM_NULL)
        return;
    length = (int)sizeof text;
    MPI_T_enum_get_info(values, &items, text, &length);
    for (int i = 0; i < items; i++) {
        length = (int)sizeof text;
        if (MPI_T_enum_get_item(values, i, &value, text, &length) == MPI_SUCCESS && value != 0)
            add(list, text, strlen(text), value);
    }
}

static int openmpi_dup(const struct bench_collective *c, const struct bench_entry *e,
                       MPI_Comm *comm) {
    char algorithm[128], segment[128];
    openmpi_variable(c, "", algorithm);
    openmpi_variable(c, "_segmentsize", segment);
    int good = e->forced < 0 || put(algorithm, e->forced) == 0;
    good = good && (e->segment < 0 || put(segment, (int)e->segment) == 0);
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    if (e->forced >= 0)
        put(algorithm, 0);
    if (e->segment >= 0)
        put(segment, 0);
    return good ? 0 : -1;
}

/* --- MPICH */

static void mpich_variable(const struct bench_collective *c, char name[128]) {
    snprintf(name, 128, "MPIR_CVAR_%s_INTRA_ALGORITHM", c->name);
    for (char *at = name; *at != '\0'; at++)
        *at = (char)toupper((unsigned char)*at);
}

/* Older versions glue the lines of a description together: "...Force Binomial Treenb - Force". Of
 * such a word, the longest ending that is a name. */
static const char *unglue(const char *word, size_t length) {
    static const char *const names[] = {"auto",
                                        "nb",
                                        "smp",
                                        "binomial",
                                        "tree",
                                        "ring",
                                        "brucks",
                                        "k_brucks",
                                        "pairwise",
                                        "pairwise_sendrecv_replace",
                                        "scattered",
                                        "recexch",
                                        "pipelined_tree",
                                        "noncommutative",
                                        "recursive_doubling",
                                        "recursive_halving",
                                        "recursive_multiplying",
                                        "reduce_scatter_allgather",
                                        "reduce_scatter_gather",
                                        "scatter_ring_allgather",
                                        "scatter_recursive_doubling_allgather"};
    size_t best = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (n <= length && n > best && strncmp(word + length - n, names[i], n) == 0)
            best = n;
    }
    return best > 0 ? word + length - best : word;
}

/* The description lists "NAME - what it does" in the order of the values; 0 is "auto". */
static void parse(const char *text, struct bench_library_list *list) {
    int value = 0;
    for (const char *dash = strstr(text, " - "); dash != NULL; dash = strstr(dash + 3, " - ")) {
        const char *end = dash, *begin;
        while (end > text && end[-1] == ' ')
            end--;
        begin = end;
        while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
            begin--;
        begin = unglue(begin, (size_t)(end - begin));
        if (value > 0)
            add(list, begin, (size_t)(end - begin), value);
        value++;
    }
}

static void mpich_list(const struct bench_collective *c, struct bench_library_list *list) {
    static char text[16384];
    char name[128];
    int index, verbosity, binding, scope, none = 0, length = (int)sizeof text;
    MPI_Datatype type;
    MPI_T_enum values = MPI_T_ENUM_NULL;
    list->count = 0;
    mpich_variable(c, name);
    if (ready && MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
        MPI_T_cvar_get_info(index, NULL, &none, &verbosity, &type, &values, text, &length, &binding,
                            &scope) == MPI_SUCCESS)
        parse(text, list);
}

static int mpich_dup(const struct bench_collective *c, const struct bench_entry *e,
                     MPI_Comm *comm) {
    (void)c;
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    return e->segment >= 0 ? -1 : 0;
}

/* --- Either */

/* The library that runs. */
static int is_openmpi(void) {
    char said[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n = 0;
    return MPI_Get_library_version(said, &n) == MPI_SUCCESS && strncmp(said, "Open MPI ", 9) == 0;
}

void bench_library_list(const struct bench_collective *c, struct bench_library_list *list) {
    (is_openmpi() ? openmpi_list : mpich_list)(c, list);
}

int bench_library_dup(const struct bench_collective *c, const struct bench_entry *e,
                      MPI_Comm *comm) {
    return (is_openmpi() ? openmpi_dup : mpich_dup)(c, e, comm);
}

/* MPICH: device collectives would go past the choice; 1 is "none" of them, 2 the default. */
void bench_library_set(const struct bench_collective *c, const struct bench_entry *e) {
    char name[128];
    if (e->forced < 0 || is_openmpi())
        return;
    mpich_variable(c, name);
    put("MPIR_CVAR_DEVICE_COLLECTIVES", 1);
    put(name, e->forced);
}

void bench_library_reset(const struct bench_collective *c, const struct bench_entry *e) {
    char name[128];
    if (e->forced < 0 || is_openmpi())
        return;
    mpich_variable(c, name);
    put(name, 0);
    put("MPIR_CVAR_DEVICE_COLLECTIVES", 2);
}
