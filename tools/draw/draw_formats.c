/* The formats of drawings, by the ending of the file, and the files themselves. */
#include "cli/output/output_file.h"
#include "draw/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct bine_draw_format bine_draw_text_format = {".txt", 64, 4096, 16384, bine_draw_text};

/* Above 256 ranks boxes and arrows cannot be told apart; 128 steps are already as tall as cairo's
 * images get. */
static const struct bine_draw_format pictures[] = {
    {".svg", 256, 128, 16384, bine_draw_svg},
    {".png", 256, 128, 16384, bine_draw_png},
    {".pdf", 256, 128, 16384, bine_draw_pdf},
};

static int ends_with(const char *name, const char *ending) {
    size_t n = strlen(name), e = strlen(ending);
    return n > e && strcmp(name + n - e, ending) == 0;
}

const struct bine_draw_format *bine_draw_format_find(const char *file) {
    if (ends_with(file, bine_draw_text_format.ending))
        return &bine_draw_text_format;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (ends_with(file, pictures[i].ending))
            return &pictures[i];
    return NULL;
}

/* The drawing in memory, to be freed. A picture is made by a library that does not pass on every
 * error of the stream it writes to, so it gets one whose only error is a lack of memory. */
static char *make(const struct bine_drawing *d, const struct bine_draw_format *format,
                  size_t *size) {
    char *text = NULL;
    FILE *memory = open_memstream(&text, size);
    int failed = memory == NULL || format->write(d, memory) != 0 || ferror(memory);
    if (memory != NULL && fclose(memory) != 0)
        failed = 1;
    if (failed) {
        free(text);
        errno = ENOMEM;
        return NULL;
    }
    return text;
}

int bine_draw_save(const struct bine_drawing *d, const struct bine_draw_format *format,
                   const char *name) {
    size_t size = 0;
    char *text = make(d, format, &size);
    int why = text == NULL ? errno : bine_output_file_write(name, text, size);
    free(text);
    errno = why;
    return why == 0 ? 0 : -1;
}
