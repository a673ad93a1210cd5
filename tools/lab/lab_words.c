/* Words of the command line about labs. */
#include "base/words.h"
#include "cli/command.h"
#include "lab/lab.h"
#include "network/torus_links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bine_lab_topologies[] = {"tree", "groups", "ring", "torus"};
enum { TOPOLOGIES = sizeof bine_lab_topologies / sizeof *bine_lab_topologies };

int bine_lab_word_name(const char *word, char name[BINE_LAB_NAME + 1]) {
    size_t n = strlen(word);
    if (n == 0 || n > BINE_LAB_NAME || word[0] == '-' ||
        strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") != n)
        return bine_complain("--name '%s': expected up to %d small letters, digits and dashes",
                             word, BINE_LAB_NAME);
    strcpy(name, word);
    return 0;
}

int bine_lab_word_rate(const char *option, const char *word, int64_t *rate) {
    static const struct unit {
        const char *name;
        double bits;
    } units[] = {{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}};
    char *end;
    double number = word[0] >= '0' && word[0] <= '9' ? strtod(word, &end) : 0;
    for (size_t i = 0; number > 0 && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0 && number * units[i].bits >= 1e5 &&
            number * units[i].bits <= 1e11) {
            *rate = (int64_t)(number * units[i].bits);
            return 0;
        }
    return bine_complain("%s '%s': expected 100kbit to 100gbit, as in 100mbit", option, word);
}

int bine_lab_word_topology(const char *word, enum bine_lab_topology *topology) {
    for (int i = 0; i < TOPOLOGIES; i++)
        if (strcmp(word, bine_lab_topologies[i]) == 0) {
            *topology = (enum bine_lab_topology)i;
            return 0;
        }
    return bine_complain_near(bine_nearest_word(word, bine_lab_topologies, TOPOLOGIES),
                              "--topology '%s': expected tree, groups, ring or torus", word);
}

int bine_lab_word_mpi(const char *word, const char **mpi) {
    static const char *const names[] = {"openmpi", "mpich"};
    for (size_t i = 0; i < 2; i++)
        if (strcmp(word, names[i]) == 0) {
            *mpi = names[i];
            return 0;
        }
    return bine_complain_near(bine_nearest_word(word, names, 2),
                              "--mpi '%s': expected openmpi or mpich", word);
}

static int check_hosts(const char *option, const char *word, long hosts) {
    if (hosts >= 2 && hosts <= BINE_LAB_HOSTS)
        return 0;
    return bine_complain("%s '%s': expected 2 to %d hosts, not %ld", option, word, BINE_LAB_HOSTS,
                         hosts);
}

/* A comma or an x becomes a blank. */
static void keep_sizes(struct bine_lab *lab, const char *word) {
    snprintf(lab->sizes, sizeof lab->sizes, "%s", word);
    for (char *c = lab->sizes; *c != '\0'; c++)
        *c = *c >= '0' && *c <= '9' ? *c : ' ';
}

int bine_lab_word_leaves(const char *word, struct bine_lab *lab) {
    const char *at = word;
    long hosts = 0;
    for (int more = 1; more;) {
        char *end;
        long n = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;
        if (n < 1 || (*end != ',' && *end != '\0'))
            return bine_complain("--leaves '%s': expected hosts of each leaf, as in 5,5,6", word);
        hosts = n > BINE_LAB_HOSTS ? n : hosts + n;
        if (hosts > BINE_LAB_HOSTS)
            break;
        more = *end == ',';
        at = end + 1;
    }
    if (check_hosts("--leaves", word, hosts) != 0)
        return BINE_EXIT_USAGE;
    lab->hosts = (int)hosts;
    keep_sizes(lab, word);
    return 0;
}

int bine_lab_word_dims(const char *word, struct bine_lab *lab) {
    struct bine_shape shape;
    int ring = lab->topology == BINE_LAB_RING;
    if (bine_shape_parse(word, strlen(word), &shape) != 0 || (shape.dims == 1) != ring)
        return bine_complain("--dims '%s': expected %s", word,
                             ring ? "the hosts of the ring, as in 16" : "sizes, as in 4x4");
    if (check_hosts("--dims", word, bine_shape_nodes(&shape)) != 0)
        return BINE_EXIT_USAGE;
    lab->hosts = bine_shape_nodes(&shape);
    keep_sizes(lab, word);
    return 0;
}
