/* Output files: formats by name, and writing without ever leaving half a file. */
#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* Write it all and close the file; returns errno of the first thing that went wrong, or 0. */
static int write_all(int fd, const char *text, size_t size) {
    int why = 0;
    for (size_t at = 0; at < size && why == 0;) {
        ssize_t n = write(fd, text + at, size - at);
        if (n >= 0)
            at += (size_t)n;
        else if (errno != EINTR)
            why = errno;
    }
    if (close(fd) != 0 && why == 0)
        why = errno;
    return why;
}

/* Write to a new file beside the named one, and put it there when it is complete. */
static int replace(const char *name, const char *text, size_t content) {
    size_t size = strlen(name) + sizeof ".XXXXXX";
    char *draft = malloc(size);
    if (draft == NULL)
        return ENOMEM;
    snprintf(draft, size, "%s.XXXXXX", name);
    int fd = mkstemp(draft), why = fd < 0 ? errno : 0;
    if (fd >= 0) {
        open_to_others(fd);
        why = write_all(fd, text, content);
        if (why == 0 && rename(draft, name) != 0)
            why = errno;
        if (why != 0)
            unlink(draft);
    }
    free(draft);
    return why;
}

/* The file that a name leads to, through links, whether it is there or not; to be freed. NULL with
 * errno set. */
static char *follow(const char *name) {
    enum { MOST_LINKS = 40 };
    char *path = strdup(name), link[PATH_MAX];
    for (int i = 0; i < MOST_LINKS && path != NULL; i++) {
        ssize_t n = readlink(path, link, sizeof link - 1);
        if (n < 0)
            return path;
        link[n] = '\0';
        /* A link is seen from the folder that it is in. */
        const char *slash = link[0] == '/' ? NULL : strrchr(path, '/');
        int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
        size_t size = (size_t)folder + (size_t)n + 1;
        char *next = malloc(size);
        if (next != NULL)
            snprintf(next, size, "%.*s%s", folder, path, link);
        free(path);
        path = next;
    }
    errno = path == NULL ? ENOMEM : ELOOP;
    free(path);
    return NULL;
}

/* A pipe or a device is written to; a plain file is replaced, not the link that leads to it. */
static int write_out(const char *name, const char *text, size_t size) {
    struct stat s;
    if (stat(name, &s) == 0 && !S_ISREG(s.st_mode)) {
        int fd = open(name, O_WRONLY | O_CLOEXEC);
        return fd < 0 ? errno : write_all(fd, text, size);
    }
    char *path = follow(name);
    int why = path == NULL ? errno : replace(path, text, size);
    free(path);
    return why;
}

int bine_draw_save(const struct bine_drawing *d, const struct bine_draw_format *format,
                   const char *name) {
    size_t size = 0;
    char *text = make(d, format, &size);
    int why = text == NULL ? errno : write_out(name, text, size);
    free(text);
    errno = why;
    return why == 0 ? 0 : -1;
}
