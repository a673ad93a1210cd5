/* Counts and displacements as int, for the parameters of mpi/entries.def. May be included again. */
#undef BINE_COUNT
#undef BINE_DISPL
#undef BINE_ARRAY
#define BINE_COUNT int
#define BINE_DISPL int
#define BINE_ARRAY(x)                                                                              \
    { .narrow = (x) }
