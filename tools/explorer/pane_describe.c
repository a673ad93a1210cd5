/* What the page is told in words: JSON, and lines of schedules. */
#include "explorer/pane.h"

#include "cli/output/table.h"
#include "pattern/negabinary.h"
#include "show/show.h"

#include <stdlib.h>
#include <string.h>

void bine_json_text(FILE *to, const char *text) {
    fputc('"', to);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else if (*c < ' ')
            fprintf(to, "\\u%04x", *c);
        else
            fputc(*c, to);
    fputc('"', to);
}

static void put_word(FILE *to, const char *name, const char *text) {
    fprintf(to, ",\"%s\":", name);
    bine_json_text(to, text);
}

static void put_list(FILE *to, const char *name, const int32_t *list, int n) {
    fprintf(to, ",\"%s\":[", name);
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%d", i == 0 ? "" : ",", list[i]);
    fputc(']', to);
}

static void put_bits(FILE *to, uint32_t bits, int p) {
    fputc('"', to);
    for (int b = p / 2; b > 0; b /= 2)
        fputc(bits & (uint32_t)b ? '1' : '0', to);
    fputc('"', to);
}

/* The paper's names of the ranks, where there are some: powers of two. */
static void put_names(FILE *to, int p) {
    if (p < 2 || (p & (p - 1)) != 0)
        return;
    fputs(",\"rank2nb\":[", to);
    for (int r = 0; r < p; r++) {
        fputs(r == 0 ? "" : ",", to);
        put_bits(to, bine_rank2nb(r, p), p);
    }
    fputs("],\"nu\":[", to);
    for (int r = 0; r < p; r++) {
        fputs(r == 0 ? "" : ",", to);
        put_bits(to, bine_nu(r, p), p);
    }
    fputc(']', to);
}

static void put_groups(FILE *to, const struct bine_allocation *a, const struct bine_shape *dims) {
    put_list(to, "group", a->group, a->p);
    fputs(",\"groups\":[", to);
    for (int i = 0; i < a->names.count; i++) {
        fputs(i == 0 ? "" : ",", to);
        bine_json_text(to, bine_names_text(&a->names, i));
    }
    fputc(']', to);
    if (a->inner != NULL)
        put_list(to, "node", a->inner, a->p);
    put_list(to, "dims", dims->size, dims->dims);
}

void bine_pane_describe(const struct bine_pane *x, FILE *to) {
    const struct bine_spec *spec = &x->asked.request;
    const struct bine_algorithm *a = spec->algorithm;
    const struct bine_schedule *s = x->messages.schedule[0];
    enum bine_collective c = a->collective;
    fprintf(to, "{\"p\":%d,\"root\":%d,\"steps\":%d,\"blocks\":%d,\"parts\":%d,\"strands\":%u",
            spec->p, spec->root, s->times, s->blocks, s->parts, s->nstrands);
    put_word(to, "collective", bine_collective_name(c));
    put_word(to, "algorithm", a->name);
    put_word(to, "family", a->family);
    put_word(to, "about", a->about);
    put_word(to, "layout", bine_layout_name(spec->layout));
    fprintf(to, ",\"rooted\":%d,\"reduces\":%d,\"segments\":%d,\"ports\":%d",
            bine_collective_is_rooted(c), bine_collective_reduces(c), bine_spec_segments(spec),
            spec->ports);
    fprintf(to, ",\"bytes\":%lld,\"bound\":%lld,\"messages\":%zu", (long long)x->asked.bytes,
            (long long)bine_traffic_bound(c, x->asked.bytes, spec->root, &x->allocation),
            x->messages.count);
    fprintf(to, ",\"seconds\":%.9g,\"busy\":%.9g", x->time.seconds, x->time.busy);
    put_word(to, "busiest", x->bottleneck);
    fprintf(to, ",\"cells\":%d,\"stuck\":%d", x->holds ? x->hold.cells : 0, x->hold.stuck);
    put_groups(to, &x->allocation,
               x->asked.place.dims.dims > 0 ? &x->asked.place.dims : &x->allocation.shape);
    put_names(to, spec->p);
    fputc('}', to);
}

void bine_pane_line(const struct bine_pane *x, int rank, uint32_t op, FILE *to) {
    struct bine_schedule one = *x->messages.schedule[rank];
    struct bine_strand strand = {0, 1};
    struct bine_step step = {-1, op, 1};
    for (uint32_t i = 0; i < one.nsteps; i++)
        if (op >= one.step[i].ops && op < one.step[i].ops + one.step[i].nops)
            step.time = one.step[i].time;
    one.nstrands = one.nsteps = 1;
    one.strand = &strand;
    one.step = &step;
    bine_show_text(to, &one);
}

/* Numbers of ranks, as in 0-3,7. */
static void put_ranks(FILE *to, const struct bine_hold_value *v, int p) {
    const char *comma = "";
    fputc('"', to);
    for (int r = 0; r < p; r++) {
        int last = r;
        if (!(v->from[r / 32] >> r % 32 & 1))
            continue;
        while (last + 1 < p && v->from[(last + 1) / 32] >> (last + 1) % 32 & 1)
            last++;
        fprintf(to, last > r ? "%s%d-%d" : "%s%d", comma, r, last);
        comma = ",";
        r = last;
    }
    fputc('"', to);
}

void bine_pane_holds(struct bine_pane *x, int rank, int time, FILE *to) {
    const char *comma = "";
    fputc('[', to);
    if (x->holds) {
        bine_hold_at(&x->hold, time);
        for (int b = 0; b < x->hold.cells; b++) {
            uint32_t v = x->hold.best[(size_t)rank * (size_t)x->hold.cells + (size_t)b];
            if (v == 0)
                continue;
            fprintf(to, "%s[%d,", comma, b);
            put_ranks(to, &x->hold.value[v], x->hold.p);
            fputc(']', to);
            comma = ",";
        }
    }
    fputc(']', to);
}

/* Their names are those of `bine show`: a schedule of one operation of each kind is asked. */
void bine_kinds_describe(FILE *to) {
    struct bine_op op[BINE_OP_KINDS];
    struct bine_step step = {0, 0, BINE_OP_KINDS};
    struct bine_strand strand = {0, 1};
    struct bine_schedule s = {.nstrands = 1, .nsteps = 1, .nops = BINE_OP_KINDS};
    struct bine_table t = {.column = bine_show_columns, .columns = bine_show_columns_count};
    size_t column = 0;
    memset(op, 0, sizeof op);
    for (int i = 0; i < BINE_OP_KINDS; i++)
        op[i].kind = (uint8_t)i;
    s.op = op;
    s.step = &step;
    s.strand = &strand;
    while (column < t.columns && strcmp(t.column[column].name, "op") != 0)
        column++;
    fputc('[', to);
    if (bine_show_rows(&t, &s) == 0)
        for (size_t i = column; i < t.cells; i += t.columns) {
            fputs(i == column ? "" : ",", to);
            bine_json_text(to, t.cell[i]);
        }
    fputc(']', to);
    bine_table_free(&t);
}
