#include "draw/machine_map.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* The name of the part that a host is in: its group; on a torus the plane of its last two
 * coordinates. */
static int name_of(const struct bine_machine *m, const char *host, char name[64], long *all) {
    struct bine_group_name group = {0};
    int node;
    *all = 0;
    if (bine_machine_find(m, host, &group, &node) != 0)
        return -1;
    if (node < 0) {
        snprintf(name, 64, "%.*s", (int)group.length, group.at);
        return 0;
    }
    const struct bine_shape *s = &m->shape;
    int planes = 1, inside = 1, n = 0;
    for (int d = 0; d < s->dims; d++)
        *(d < s->dims - 2 ? &planes : &inside) *= s->size[d];
    int plane = node / inside;
    name[0] = '\0';
    for (int d = 0; d < s->dims - 2; d++) {
        planes /= s->size[d];
        n += snprintf(name + n, 64 - (size_t)n, "%d,", plane / planes % s->size[d]);
        n = n < 60 ? n : 60;
    }
    snprintf(name + n, 64 - (size_t)n, s->dims > 1 ? "*,*" : "*");
    *all = inside;
    return 0;
}

/* How many hosts of the machine are in a group; 0: not known. */
static long count_hosts(const struct bine_machine *m, const char *name) {
    int group = bine_names_find(&m->groups, name, strlen(name));
    long n = 0;
    for (int i = 0; group >= 0 && m->group != NULL && i < m->hosts.count; i++)
        n += m->group[i] == group;
    return n;
}

/* The number of a part, which may be new. */
static int find_part(const struct bine_machine *m, const char *name, long all, int above,
                     struct bine_map_part *part, int *parts) {
    for (int i = 0; i < *parts; i++)
        if (strcmp(part[i].name, name) == 0 && part[i].above == above)
            return i;
    struct bine_map_part *p = &part[*parts];
    *p = (struct bine_map_part){.above = above};
    snprintf(p->name, sizeof p->name, "%s", name);
    p->all = all > 0 ? all : count_hosts(m, name);
    return (*parts)++;
}

/* "0-3,8": a rank at the end of a list whose last run is from `begin` to `end`. */
static void write_ranks(char text[BINE_MAP_RANKS], const int *rank, int n) {
    int used = 0;
    text[0] = '\0';
    for (int i = 0, next; i < n; i = next) {
        char run[24];
        for (next = i + 1; next < n && rank[next] == rank[next - 1] + 1;)
            next++;
        snprintf(run, sizeof run, next - i > 1 ? "%s%d-%d" : "%s%d", i > 0 ? "," : "", rank[i],
                 rank[next - 1]);
        if (used + (int)strlen(run) > BINE_MAP_RANKS - 5) {
            strcpy(text + used, ",...");
            return;
        }
        used += sprintf(text + used, "%s", run);
    }
}

/* The ranks of every node: sorted by node, since ranks come in order. */
static int fill_ranks(struct bine_map *m, const struct bine_hosts *h) {
    int *rank = malloc((size_t)h->p * sizeof *rank),
        *begin = calloc((size_t)m->nodes + 1, sizeof *begin);
    int good = rank != NULL && begin != NULL;
    for (int i = 0; i < h->p && good; i++)
        begin[h->host[i] + 1]++;
    for (int i = 0; i < m->nodes && good; i++)
        begin[i + 1] += begin[i];
    for (int i = h->p - 1; i >= 0 && good; i--)
        rank[--begin[h->host[i] + 1]] = i;
    for (int i = 0; i < m->nodes && good; i++) { /* begin[i + 1] is where node i begins now */
        int from = begin[i + 1], to = i + 1 < m->nodes ? begin[i + 2] : h->p;
        m->node[i].first = to > from ? rank[from] : 0;
        write_ranks(m->node[i].ranks, rank + from, to - from);
        struct bine_map_part *p = &m->part[m->node[i].part];
        p->nodes++;
        p->ranks += to - from;
        if (p->above >= 0) {
            m->above[p->above].nodes++;
            m->above[p->above].ranks += to - from;
        }
    }
    free(rank);
    free(begin);
    return good ? 0 : -1;
}

static int place_nodes(struct bine_map *m, const struct bine_machine *machine,
                       const struct bine_machine *upper, const struct bine_hosts *h,
                       struct bine_reason *why) {
    for (int i = 0; i < m->nodes; i++) {
        char name[64], over[64];
        long all, all_over;
        const char *host = bine_names_text(&h->names, i);
        if (name_of(machine, host, name, &all) != 0 ||
            (upper != NULL && name_of(upper, host, over, &all_over) != 0)) {
            bine_reason_set(why, "host '%s' is not of machine '%s'", host, machine->name);
            return -1;
        }
        int above = upper == NULL ? -1 : find_part(upper, over, all_over, -1, m->above, &m->aboves);
        m->node[i] = (struct bine_map_node){
            .host = host, .part = find_part(machine, name, all, above, m->part, &m->parts)};
    }
    return 0;
}

int bine_map_make(struct bine_map *m, const struct bine_machine *machine,
                  const struct bine_machine *upper, const struct bine_hosts *h,
                  struct bine_reason *why) {
    size_t n = (size_t)h->names.count + 1;
    *m = (struct bine_map){.machine = machine->name,
                           .ranks = h->p,
                           .groups =
                               machine->topology == BINE_TORUS ? 0 : bine_machine_groups(machine),
                           .nodes = h->names.count,
                           .node = calloc(n, sizeof *m->node),
                           .part = calloc(n, sizeof *m->part),
                           .above = calloc(n, sizeof *m->above)};
    int rc = -1;
    if (m->node == NULL || m->part == NULL || m->above == NULL)
        bine_reason_set(why, "out of memory");
    else
        rc = place_nodes(m, machine, upper, h, why);
    if (rc == 0 && (rc = fill_ranks(m, h)) != 0)
        bine_reason_set(why, "out of memory");
    if (rc != 0)
        bine_map_free(m);
    return rc;
}

void bine_map_free(struct bine_map *m) {
    free(m->node);
    free(m->part);
    free(m->above);
    *m = (struct bine_map){0};
}

void bine_map_title(const struct bine_map *m, char text[BINE_MAP_TITLE]) {
    char groups[64];
    snprintf(groups, sizeof groups, m->groups > 0 ? "%d of %ld groups" : "%d parts", m->parts,
             m->groups);
    snprintf(text, BINE_MAP_TITLE, "%s: %d rank%s on %d node%s in %s", m->machine, m->ranks,
             bine_plural(m->ranks), m->nodes, bine_plural(m->nodes), groups);
}

void bine_map_part_title(const struct bine_map_part *p, char text[BINE_MAP_TITLE]) {
    char all[32] = "";
    if (p->all > 0)
        snprintf(all, sizeof all, " of %ld", p->all);
    snprintf(text, BINE_MAP_TITLE, "%s: %d%s node%s, %d rank%s", p->name, p->nodes, all,
             bine_plural(p->all > 0 ? p->all : p->nodes), p->ranks, bine_plural(p->ranks));
}

/* Nodes of a part as HOST:RANKS, in lines of a terminal. */
static void print_nodes(const struct bine_map *m, int part, int indent, FILE *f) {
    int column = 100;
    for (int i = 0; i < m->nodes; i++) {
        const struct bine_map_node *n = &m->node[i];
        int length = (int)(strlen(n->host) + strlen(n->ranks)) + 2;
        if (n->part != part)
            continue;
        if (column + length > 100) {
            fprintf(f, "%s%*s", column < 100 ? "\n" : "", indent, "");
            column = indent;
        }
        fprintf(f, "%s%s:%s", column > indent ? " " : "", n->host, n->ranks);
        column += length;
    }
    fprintf(f, "\n");
}

void bine_map_text(const struct bine_map *m, FILE *f) {
    char title[BINE_MAP_TITLE];
    bine_map_title(m, title);
    fprintf(f, "%s\n", title);
    for (int a = m->aboves > 0 ? 0 : -1; a < m->aboves; a++) {
        int indent = a >= 0 ? 2 : 0;
        if (a >= 0) {
            bine_map_part_title(&m->above[a], title);
            fprintf(f, "%s\n", title);
        }
        for (int i = 0; i < m->parts; i++) {
            if (m->part[i].above != a)
                continue;
            bine_map_part_title(&m->part[i], title);
            fprintf(f, "%*s%s\n", indent, "", title);
            print_nodes(m, i, indent + 2, f);
        }
    }
}
