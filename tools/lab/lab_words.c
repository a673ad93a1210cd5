/* Words of the command line about labs. */
#include "base/words.h"
#include "cli/command.h"
#include "lab/lab.h"
#include "network/allocation.h"

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

/* For each group of a level, the one around it that its first rank is in: "0 0 1". */
static void put_around(const struct bine_allocation *a, int level, char *text, size_t room) {
    int groups, wider, seen = 0;
    const int32_t *in = bine_allocation_level(a, level, &groups),
                  *around = bine_allocation_level(a, level + 1, &wider);
    size_t n = strlen(text);
    for (int r = 0; r < a->p; r++)
        if (in[r] == seen && n < room) {
            n += (size_t)snprintf(text + n, room - n, "%s%d", seen > 0 ? " " : "", (int)around[r]);
            seen++;
        }
}

/* Hosts of leaves in pods, which may be in larger ones. Ranks are in the order of their groups. */
static int keep_pods(const struct bine_allocation *a, struct bine_lab *lab) {
    size_t n = 0;
    lab->hosts = a->p;
    for (int r = 0, size = 0; r < a->p; r++) {
        size++;
        if (r + 1 < a->p && a->group[r + 1] == a->group[r])
            continue;
        n +=
            (size_t)snprintf(lab->sizes + n, sizeof lab->sizes - n, "%s%d", n > 0 ? " " : "", size);
        size = 0;
    }
    for (int k = 0; k < a->wider; k++) {
        if (k > 0)
            strcat(lab->around, "/");
        put_around(a, k, lab->around, sizeof lab->around);
    }
    return 0;
}

static int read_pods(const char *word, struct bine_lab *lab) {
    struct bine_allocation a;
    struct bine_reason why;
    if (bine_allocation_sizes(&a, word, &why) != 0)
        return bine_complain("--leaves '%s': expected hosts of each leaf, in pods as in (3,2),(4)",
                             word);
    int rc = check_hosts("--leaves", word, a.p);
    if (rc == 0)
        rc = keep_pods(&a, lab);
    bine_allocation_free(&a);
    return rc;
}

/* The group around a leaf, `up` levels above it: a number out of lab->around. */
static int around_of(const struct bine_lab *lab, int leaf, int up) {
    const char *at = lab->around;
    int number = leaf;
    for (int k = 0; k < up; k++) {
        for (int i = 0; i < number; i++)
            at += strcspn(at, " ") + 1;
        number = atoi(at);
        at += strcspn(at, "/");
        at += *at == '/';
    }
    return number;
}

void bine_lab_shape(const struct bine_lab *lab, char text[BINE_LAB_SHAPE]) {
    int levels = lab->around[0] != '\0', leaf = 0, open = 0;
    char between = lab->topology == BINE_LAB_TORUS ? 'x' : '+', *to = text;
    for (const char *at = lab->around; *at != '\0'; at++)
        levels += *at == '/';
    for (const char *at = lab->sizes; *at != '\0' && to < text + BINE_LAB_SHAPE - 16; leaf++) {
        int same = levels; /* the levels from which on it is in the groups of the leaf before */
        while (leaf > 0 && same > 0 && around_of(lab, leaf, same) == around_of(lab, leaf - 1, same))
            same--;
        for (; leaf > 0 && open > levels - same; open--)
            *to++ = ')';
        if (leaf > 0)
            *to++ = between;
        for (; open < levels; open++)
            *to++ = '(';
        for (; *at >= '0' && *at <= '9'; at++)
            *to++ = *at;
        at += *at == ' ';
    }
    for (; open > 0; open--)
        *to++ = ')';
    *to = '\0';
}

int bine_lab_word_leaves(const char *word, struct bine_lab *lab) {
    const char *at = word;
    long hosts = 0;
    if (strpbrk(word, "()") != NULL)
        return read_pods(word, lab);
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
