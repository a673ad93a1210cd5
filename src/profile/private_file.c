#include "profile/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int close_file(FILE *f) {
    int bad = fflush(f) != 0 || ferror(f) ? (errno != 0 ? errno : EIO) : 0;
    if (fclose(f) != 0 && bad == 0)
        bad = errno;
    return bad;
}

static int print_to(int file, void (*print)(FILE *f, const void *with), const void *with) {
    FILE *f = fdopen(file, "w");
    if (f == NULL) {
        int bad = errno;
        close(file);
        return bad;
    }
    errno = 0;
    print(f, with);
    return close_file(f);
}

/* A device such as /dev/stdout cannot be replaced. */
static int is_special(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

int bine_private_file_write(const char *path, void (*print)(FILE *f, const void *with),
                            const void *with) {
    char beside[4096];
    int special = is_special(path);
    int n = snprintf(beside, sizeof beside, special ? "%s" : "%s.new", path);
    if (n < 0 || (size_t)n >= sizeof beside) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!special)
        unlink(beside);
    int file = open(beside,
                    special ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    int bad = print_to(file, print, with);
    if (bad == 0 && !special && rename(beside, path) != 0)
        bad = errno;
    if (bad != 0 && !special)
        unlink(beside);
    errno = bad;
    return bad != 0 ? -1 : 0;
}
