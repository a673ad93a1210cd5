/* Large counts and displacements, for the parameters of mpi/entries.def. May be included again. */
#undef BINE_COUNT
#undef BINE_DISPL
#undef BINE_ARRAY
#define BINE_COUNT MPI_Count
#define BINE_DISPL MPI_Aint
#define BINE_ARRAY(x)                                                                              \
    { .wide = (x) }
