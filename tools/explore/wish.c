#include "explore/wish.h"

#include "base/words.h"
#include "cli/bytes.h"
#include "cli/command.h"
#include "cli/shapes.h"
#include "traffic/traffic.h"

#include <string.h>

/* Options that are kept as they are typed: where. */
static const char **word_of(struct bine_explore_wish *w, int letter) {
    switch (letter) {
    case 'a':
        return &w->against;
    case 'r':
        return &w->root;
    case 'l':
        return &w->layout;
    case 's':
        return &w->segments;
    case 'P':
        return &w->ports;
    case 'B':
        return &w->bytes;
    case 'b':
        return &w->block;
    case 'v':
        return &w->view;
    case 'o':
        return &w->file;
    case 'n':
        return &w->where.ranks;
    default:
        return NULL;
    }
}

static int take_option(struct bine_explore_wish *w, int letter) {
    const char **word = word_of(w, letter);
    if (letter == 'N')
        w->negabinary = 1;
    else if (word != NULL)
        *word = optarg;
    else
        return bine_place_option(&w->where, letter);
    return 0;
}

int bine_explore_read(int argc, char **argv, struct bine_explore_wish *w) {
    static const struct option options[] = {{"ranks", required_argument, NULL, 'n'},
                                            {"against", required_argument, NULL, 'a'},
                                            {"groups", required_argument, NULL, 'g'},
                                            {"dims", required_argument, NULL, 'd'},
                                            {"ports", required_argument, NULL, 'P'},
                                            {"machine", required_argument, NULL, 'm'},
                                            {"hosts", required_argument, NULL, 'H'},
                                            {"ranks-per-node", required_argument, NULL, 'K'},
                                            {"segments", required_argument, NULL, 's'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"block", required_argument, NULL, 'b'},
                                            {"layout", required_argument, NULL, 'l'},
                                            {"bytes", required_argument, NULL, 'B'},
                                            {"view", required_argument, NULL, 'v'},
                                            {"negabinary", no_argument, NULL, 'N'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    int letter, rc = 0;
    while (rc == 0 && (letter = bine_option_next(argc, argv, "ho:", options)) != -1)
        rc = letter == 'h' ? -1 : take_option(w, letter);
    if (rc == 0)
        rc = bine_arguments_count(argc, argv, 0, 2, "[COLLECTIVE [ALGORITHM]]");
    if (rc == 0) {
        w->collective = optind < argc ? argv[optind] : NULL;
        w->algorithm = optind + 1 < argc ? argv[optind + 1] : NULL;
    }
    return rc;
}

/* The groups that are shown if nothing is said of the ranks. */
static void set_usual_place(struct bine_place_words *where) {
    if (where->machine != NULL || where->groups != NULL || where->dims != NULL ||
        where->ranks != NULL)
        return;
    where->ranks = BINE_EXPLORE_RANKS;
    where->groups = BINE_EXPLORE_GROUPS;
}

/* The algorithm that stands first where none is named: the first of the collective, but for the
 * collective that is shown if none is named either. */
static const char *usual_algorithm(enum bine_collective c) {
    if (c == (enum bine_collective)bine_collective_find(BINE_EXPLORE_COLLECTIVE))
        return BINE_EXPLORE_ALGORITHM;
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (bine_catalogue[i].collective == c)
            return bine_catalogue[i].name;
    return "";
}

static int read_root(const char *word, struct bine_request *rq) {
    long root = 0;
    if (word != NULL && bine_word_number("root", word, 0, rq->p - 1, &root) != 0)
        return BINE_EXIT_USAGE;
    if (bine_collective_is_rooted(rq->algorithm->collective))
        rq->root = (int)root;
    return 0;
}

static int read_layout(const char *word, struct bine_request *rq) {
    if (word != NULL)
        return bine_word_layout(word, &rq->layout);
    if (bine_algorithm_takes(rq->algorithm, rq->p))
        rq->layout = bine_algorithm_layout(rq->algorithm, rq->p);
    return 0;
}

/* What only some algorithms have: the other one, which stands beside it, may have it. */
static int read_shape(const struct bine_explore_wish *w, struct bine_request *rq) {
    int takes_dims = bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_DIMS, ports = 0;
    if (w->ports != NULL && bine_word_ports(w->ports, &ports) != 0)
        return BINE_EXIT_USAGE;
    rq->ports = takes_dims ? ports : 0;
    if (w->segments == NULL || bine_segments_most(rq->algorithm, rq->p) <= 1)
        return 0;
    return bine_word_segments(w->segments, rq->algorithm, &rq->segments);
}

int bine_explore_ask(const struct bine_explore_wish *w, const char *algorithm,
                     struct bine_explore_request *x) {
    const char *collective = w->collective != NULL ? w->collective : BINE_EXPLORE_COLLECTIVE;
    const char *bytes = w->bytes != NULL ? w->bytes : BINE_EXPLORE_BYTES;
    struct bine_place_words where = w->where;
    struct bine_request *rq = &x->request;
    enum bine_collective c;
    *x = (struct bine_explore_request){0};
    set_usual_place(&where);
    if (bine_word_collective(collective, &c) != 0 ||
        bine_word_algorithm(c, algorithm != NULL ? algorithm : usual_algorithm(c),
                            &rq->algorithm) != 0 ||
        bine_place_find(&where, bine_algorithm_needs(rq->algorithm), &x->place) != 0)
        return BINE_EXIT_USAGE;
    bine_place_tell(&x->place, rq);
    if (rq->p > BINE_EXPLORE_MOST)
        return bine_complain("%d ranks: the explorer shows at most %d", rq->p, BINE_EXPLORE_MOST);
    if (read_root(w->root, rq) != 0 || read_layout(w->layout, rq) != 0 || read_shape(w, rq) != 0 ||
        bine_word_bytes("bytes", bytes, bine_traffic_most_bytes(rq->p), &x->bytes) != 0)
        return BINE_EXIT_USAGE;
    return bine_request_complain(rq);
}

void bine_explore_free(struct bine_explore_request *x) {
    bine_place_free(&x->place);
    *x = (struct bine_explore_request){0};
}
