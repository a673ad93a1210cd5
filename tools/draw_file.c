/* Output files: formats by name, and writing without ever leaving half a file. */
#include "draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A temporary file is private; the finished one has the permissions of any new file. */
static void open_to_others(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(fd, 0666 & ~mask);
}

/* errno of the first thing that went wrong, or 0. A drawing that fails with its file in good order
 * has run out of memory. */
static int write_all(const struct bine_drawing *d, const struct bine_draw_format *format,
                     FILE *file) {
    int why = 0;
    if (format->write(d, file) != 0)
        why = ferror(file) && errno != 0 ? errno : ENOMEM;
    if (fclose(file) != 0 && why == 0)
        why = errno;
    return why;
}

int bine_draw_save(const struct bine_drawing *d, const struct bine_draw_format *format,
                   const char *name) {
    size_t size = strlen(name) + sizeof ".XXXXXX";
    char *draft = malloc(size);
    if (draft == NULL)
        return -1;
    snprintf(draft, size, "%s.XXXXXX", name);
    int fd = mkstemp(draft), why = fd < 0 ? errno : 0;
    if (fd >= 0) {
        open_to_others(fd);
        FILE *file = fdopen(fd, "wb");
        why = file == NULL ? errno : write_all(d, format, file);
        if (file == NULL)
            close(fd);
        if (why == 0 && rename(draft, name) != 0)
            why = errno;
        if (why != 0)
            unlink(draft);
    }
    free(draft);
    errno = why;
    return why == 0 ? 0 : -1;
}
