/* Ranks of this job on this computer: whether one runs MPI without the drop-in library. */
#ifndef BINE_DROPIN_PRELOAD_PEERS_H
#define BINE_DROPIN_PRELOAD_PEERS_H

struct bine_peers {
    int lacking; /* ranks that were seen without it */
    int first;   /* this rank is the first here that has it */
};

/* To be asked behind MPI_Init: by then every rank has its libraries. Nothing is said to other
 * ranks. Where the launcher or /proc do not tell, none is lacking. */
struct bine_peers bine_peers_find(void);
/* The variable by which the launcher tells this rank its number, or NULL. */
const char *bine_peers_variable(void);

#endif
