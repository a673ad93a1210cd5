/* The file of a profile. */
#include "profile/merged.h"

#include "profile/private_file.h"

#include <stdlib.h>
#include <string.h>

static void print_text(FILE *f, const char *text) {
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

/* A member that may be null: words are empty then, numbers negative. */
static void print_word(FILE *f, const char *name, const char *word) {
    fprintf(f, ", \"%s\": ", name);
    if (*word == '\0')
        fputs("null", f);
    else
        print_text(f, word);
}

static void print_number(FILE *f, const char *name, double x) {
    if (x < 0)
        fprintf(f, ", \"%s\": null", name);
    else
        fprintf(f, ", \"%s\": %.9g", name, x);
}

static void print_size(FILE *f, const char *name, int64_t x) {
    if (x < 0)
        fprintf(f, ", \"%s\": null", name);
    else
        fprintf(f, ", \"%s\": %lld", name, (long long)x);
}

static void print_nodes(FILE *f, const struct bine_merged *p) {
    fprintf(f, ",\n \"nodes\": [");
    for (size_t i = 0; i < p->nodes; i++) {
        const struct bine_merged_node *n = &p->node[i];
        fprintf(f, "%s{\"ranks\": %d", i > 0 ? ", " : "", n->ranks);
        print_size(f, "group", n->group);
        if (n->host[0] != '\0')
            print_word(f, "name", n->host);
        fputc('}', f);
    }
    fputc(']', f);
}

static void print_comm(FILE *f, const struct bine_merged_comm *c, size_t id) {
    fprintf(f, "%s{\"id\": %zu, \"kind\": \"%s\", \"ranks\": %d, \"made\": %lld, \"places\": ",
            id > 0 ? ",\n  " : "", id, bine_comm_words[c->kind], c->ranks, (long long)c->made);
    for (size_t i = 0; i < c->places; i++)
        fprintf(f, "%s[%d, %d]", i > 0 ? ", " : "[", c->place[i].node, c->place[i].ranks);
    fputs(c->place == NULL ? "null}" : "]}", f);
}

static void print_root(FILE *f, int root) {
    if (root == BINE_ROOT_VARIES)
        fputs(", \"root\": \"varies\"", f);
    else
        print_size(f, "root", root);
}

static void print_row(FILE *f, const struct bine_merged_row *r, int first) {
    fprintf(f, "%s{\"communicator\": %d, \"collective\": \"%s\", \"form\": \"%s\"",
            first ? "" : ",\n  ", r->comm, bine_collective_name(r->collective),
            bine_form_words[r->form]);
    print_size(f, "bytes_from", r->bytes_from);
    print_size(f, "bytes_below", r->bytes_below);
    fprintf(f, ", \"bytes_mean\": %.9g, \"datatype\": \"%s\"", r->bytes_mean,
            bine_datatype_words[r->datatype]);
    print_root(f, r->root);
    fprintf(f, ", \"by\": \"%s\"", r->by_bine ? "bine" : "mpi");
    print_word(f, "algorithm", r->algorithm);
    print_word(f, "layout", r->layout);
    print_word(f, "site", r->site);
    fprintf(f, ", \"calls\": %lld, \"recorded\": %d", (long long)r->calls, r->recorded);
    print_number(f, "seconds_mean", r->mean);
    print_number(f, "seconds_slowest", r->slowest);
    print_number(f, "seconds_least", r->least);
    print_number(f, "longest", r->longest);
    print_number(f, "wait_mean", r->wait_mean);
    print_number(f, "wait_slowest", r->wait_slowest);
    fprintf(f, ", \"samples\": %lld, \"late\": ", (long long)r->samples);
    if (r->late < 0)
        fputs("null}", f);
    else
        fprintf(f, "{\"rank\": %d, \"share\": %.3g}}", r->late, r->late_share);
}

static void print_steps(FILE *f, const struct bine_merged *p) {
    fprintf(f, ",\n \"timeline\": {\"step\": %.9g, \"steps\": [", p->step);
    for (size_t i = 0; i < p->step_count; i++)
        fprintf(f, "%s{\"calls\": %.9g, \"bytes\": %.9g, \"mean\": %.9g, \"slowest\": %.9g}",
                i > 0 ? ",\n  " : "", p->steps[i].calls, p->steps[i].bytes, p->steps[i].mean,
                p->steps[i].slowest);
    fputs("]}", f);
}

void bine_merged_print(FILE *f, const struct bine_merged *p) {
    fprintf(f, "{\"format\": \"bine-profile\",\n \"version\": %d", BINE_PROFILE_VERSION);
    print_word(f, "bine", p->bine);
    print_word(f, "mpi", p->mpi);
    fprintf(f, ",\n \"off\": %s, \"ranks\": %d, \"recorded\": %d, \"finished\": %d",
            p->off ? "true" : "false", p->ranks, p->recorded, p->finished);
    fprintf(f, ", \"seconds\": %.9g, \"collectives\": {\"mean\": %.9g, \"slowest\": %.9g}",
            p->seconds, p->mean, p->slowest);
    print_number(f, "clock_error", p->clock_error);
    print_nodes(f, p);
    fprintf(f, ",\n \"communicators\": [");
    for (size_t i = 0; i < p->comms; i++)
        print_comm(f, &p->comm[i], i);
    fprintf(f, "],\n \"rows\": [");
    for (size_t i = 0; i < p->rows; i++)
        print_row(f, &p->row[i], i == 0);
    fprintf(f, "],\n \"others\": {\"calls\": %lld, \"seconds\": %.9g}", (long long)p->other_calls,
            p->other_seconds);
    print_steps(f, p);
    fputs("}\n", f);
}

static void print(FILE *f, const void *p) {
    bine_merged_print(f, p);
}

int bine_merged_write(const char *path, const struct bine_merged *p) {
    return bine_private_file_write(path, print, p);
}
