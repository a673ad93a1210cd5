/* Warnings: one line on stderr, each once, from rank 0 of MPI_COMM_WORLD only. */
#ifndef BINE_MPI_WARN_H
#define BINE_MPI_WARN_H

void bine_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same as a bine_complaint of choose/settings.h. */
void bine_warn_of(void *unused, const char *text);

#endif
