/* bine preload: where the drop-in library is. */
#include "base/files.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/options/option_table.h"

#include <stdio.h>

static const char help[] =
    "usage: bine preload [--mpi M]\n\n"
    "The path of the drop-in library, which makes an MPI program use Bine as it is:\n\n"
    "  mpirun -n 8 env LD_PRELOAD=$(bine preload) ./program\n\n"
    "It is the same for all MPI libraries: it finds out which one the program has. With --mpi it\n"
    "is also made sure that Bine was built for that one: docs/mpi-libraries.md. docs/choosing.md\n"
    "says which calls get which algorithm; BINE_VERBOSE=1 prints at the end what they got.\n\n"
    "options:\n"
    "  --mpi M     openmpi, mpich, or abi: MPI's standard ABI; openmpi-5.0 and the like where\n"
    "              Bine was built for several of a family (bine info lists all)\n"
    "  --help      this page\n\n"
    "examples:\n"
    "  bine preload\n"
    "  mpirun -n 8 env LD_PRELOAD=$(bine preload) BINE_VERBOSE=1 ./program\n";

static int print_path(const struct bine_mpi_build *mpi) {
    char path[BINE_PATH_ROOM], file[64];
    if (mpi != NULL) {
        snprintf(file, sizeof file, "libbine-%s.so", mpi->name);
        if (bine_library_path(file, path) != 0)
            return bine_complain("%s is not where it was installed", file);
    }
    if (bine_library_path("libbine-preload.so", path) != 0)
        return bine_complain("libbine-preload.so is not where it was installed");
    return printf("%s\n", path) < 0 ? BINE_EXIT_USAGE : BINE_EXIT_GOOD;
}

static int take_mpi(const struct bine_option *o, const char *word) {
    const struct bine_mpi_build **mpi = o->to;
    *mpi = bine_word_mpi(word);
    return *mpi != NULL ? 0 : BINE_EXIT_USAGE;
}

int bine_command_preload(int argc, char **argv) {
    const struct bine_mpi_build *mpi = NULL;
    const struct bine_option rows[] = {{.name = "mpi", .read = take_mpi, .to = &mpi}, {0}};
    int rc = bine_options_read(argc, argv, rows);
    if (rc != 0)
        return rc == BINE_OPTIONS_HELP ? bine_options_help(help) : rc;
    if (bine_arguments_count(argc, argv, 0, 0, "[--mpi M]") != 0)
        return BINE_EXIT_USAGE;
    return print_path(mpi);
}
