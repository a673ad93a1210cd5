#include "cli/options/algorithms.h"

#include "cli/command.h"

#include <string.h>

static int read_names(char **name, int n, struct bine_algorithms *asked) {
    for (int i = 0; i < n; i++)
        if (bine_word_algorithm(asked->collective, name[i], &asked->algorithm[asked->count++]) != 0)
            return BINE_EXIT_USAGE;
    return 0;
}

int bine_algorithms_read(int argc, char **argv, struct bine_algorithms *asked) {
    if (bine_arguments_count(argc, argv, 1, 1 + BINE_ALGORITHMS_MOST,
                             "COLLECTIVE [ALGORITHM...]") != 0 ||
        bine_word_collective(argv[optind++], &asked->collective) != 0)
        return BINE_EXIT_USAGE;
    int n = argc - optind;
    asked->named = n > 1 || (n == 1 && strcmp(argv[optind], "all") != 0);
    if (asked->named)
        return read_names(argv + optind, n, asked);
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (bine_catalogue[i].collective == asked->collective &&
            asked->count < BINE_ALGORITHMS_MOST)
            asked->algorithm[asked->count++] = &bine_catalogue[i];
    return 0;
}
