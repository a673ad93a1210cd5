/* Profiles: the file, and the parts of ranks that a program has left. The first bytes of an input
 * say which of them it is. */
#include "cli/profile_file.h"
#include "profile/folder.h"
#include "profile/merged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Input that is shorter than a part gets the rest of zeros. */
static void merge(const uint8_t *data, size_t size) {
    size_t bytes = bine_part_bytes(1);
    struct bine_part *part = calloc(1, bytes);
    struct bine_parts parts;
    struct bine_merged m;
    memcpy(part, data, size < bytes ? size : bytes);
    part->head.version = BINE_PART_VERSION;
    part->head.words = bine_part_words();
    part->head.bytes = (uint32_t)bytes;
    if (bine_part_check(part, bytes) != NULL || part->head.ranks > 64 ||
        bine_parts_new(&parts, part->head.ranks) != 0) {
        free(part);
        return;
    }
    parts.part[part->head.rank] = part;
    FILE *f = fopen("/dev/null", "w");
    if (bine_merge(&parts, &m) == 0) {
        bine_merged_print(f, &m);
        bine_merged_free(&m);
    }
    fclose(f);
    bine_parts_free(&parts);
}

static void parse(const uint8_t *data, size_t size) {
    struct bine_profile p;
    struct bine_reason why;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    if (bine_profile_parse("FILE", text, &p, &why) == 0)
        bine_profile_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size >= 8 && memcmp(data, BINE_PART_MAGIC, 8) == 0)
        merge(data, size);
    else
        parse(data, size);
    return 0;
}
