#include "report/verbose_file.h"

#include "bine.h"

#include <errno.h>
#include <stdio.h>

/* A string of JSON. */
static void write_text(FILE *f, const char *text) {
    fputc('"', f);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c < ' ')
            fprintf(f, "\\u%04x", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

static void write_row(FILE *f, const struct bine_verbose_row *r) {
    long long from = r->class < 0 ? 0 : 1LL << r->class;
    fprintf(f,
            "{\"ranks\": %d, \"collective\": \"%s\", \"bytes_from\": %lld, \"bytes_below\": %lld, "
            "\"algorithm\": \"%s\", \"layout\": \"%s\", \"calls\": %lld, \"bytes\": %lld, "
            "\"mean_seconds\": %.9g, \"slowest_seconds\": %.9g, \"reason\": ",
            r->p, bine_collective_name(r->collective), from, r->class < 0 ? 1 : 2 * from,
            r->algorithm != NULL ? r->algorithm->name : "mpi",
            r->algorithm != NULL ? bine_layout_name(r->layout) : "", (long long)r->calls,
            (long long)r->bytes, r->time.mean, r->time.slowest);
    write_text(f, r->reason);
    fputc('}', f);
}

static void write_facts(FILE *f, const struct bine_verbose_facts *x) {
    fprintf(f,
            "{\"format\": \"bine-verbose\", \"version\": 1, \"bine\": \"%d.%d\", \"drop_in\": %s, "
            "\"off\": %s, \"mpi\": ",
            BINE_VERSION_MAJOR, BINE_VERSION_MINOR, x->drop_in ? "true" : "false",
            x->off ? "true" : "false");
    write_text(f, x->mpi);
    fprintf(
        f,
        ", \"ranks\": %d, \"nodes\": %d, \"groups\": %d, \"of_all_ranks\": %s, \"run_seconds\": "
        "%.9g, \"calls\": [",
        x->world, x->nodes, x->groups, x->of_all ? "true" : "false", x->run);
    for (size_t i = 0; i < x->rows; i++) {
        fprintf(f, i > 0 ? ",\n" : "\n");
        write_row(f, &x->row[i]);
    }
    fprintf(f, "]}\n");
}

int bine_verbose_file_write(const char *path, const struct bine_verbose_facts *facts) {
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return -1;
    write_facts(f, facts);
    int bad = ferror(f) ? (errno != 0 ? errno : EIO) : 0;
    if (fclose(f) != 0)
        bad = errno;
    if (bad != 0)
        remove(path);
    errno = bad;
    return bad != 0 ? -1 : 0;
}
