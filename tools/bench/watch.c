/* The message of a run that ends early.
 *
 * A signal that can be caught is answered by rank 0 itself. A rank that is killed cannot speak, and
 * some launchers then kill all others at once; so a small process beside rank 0 waits on a pipe for
 * its end. It is made before MPI_Init, because MPI programs should not fork later. */
#include "bench/bench.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct farewell {
    int over; /* the run has ended well: no message */
    char csv[300], text[600], note[100];
};

static int to_watcher = -1;
static int csv_now = -1;
/* A signal handler may not format text, so the message is written beforehand. */
static struct farewell words[2];
static volatile sig_atomic_t current;

static void put(int fd, const char *text, size_t n) {
    ssize_t k;
    while (n > 0 && ((k = write(fd, text, n)) > 0 || errno == EINTR)) {
        text += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
}

/* Does the file end with the note? Rank 0 can be killed between its note and its word to the
 * watcher. */
static int has_note(FILE *file, const char *note) {
    char end[sizeof((struct farewell *)0)->note] = "";
    size_t length = strlen(note);
    return fseek(file, -(long)length, SEEK_END) == 0 && fread(end, 1, length, file) == length &&
           memcmp(end, note, length) == 0;
}

static void append_note(const struct farewell *f) {
    FILE *file = f->csv[0] == '\0' ? NULL : fopen(f->csv, "a+");
    if (file == NULL)
        return;
    if (!has_note(file, f->note)) {
        fseek(file, 0, SEEK_END);
        fputs(f->note, file);
    }
    fclose(file);
}

/* The watcher keeps the newest message and prints it when rank 0 is gone before its time. */
static void watch(int from) {
    static struct farewell f, next;
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    f.over = 1;
    for (;;) {
        ssize_t n = read(from, &next, sizeof next);
        if (n == (ssize_t)sizeof next)
            f = next;
        else if (n >= 0 || errno != EINTR)
            break;
    }
    if (!f.over) {
        append_note(&f);
        put(STDERR_FILENO, f.text, strlen(f.text));
    }
    _exit(0);
}

void bench_watch_begin(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        watch(ends[0]);
    }
    close(ends[0]);
    if (pid < 0)
        close(ends[1]);
    else
        to_watcher = ends[1];
}

static void leave(int number) {
    static const struct farewell over = {.over = 1};
    const struct farewell *f = &words[current];
    if (csv_now >= 0)
        put(csv_now, f->note, strlen(f->note));
    put(STDERR_FILENO, f->text, strlen(f->text));
    /* Last, because a launcher may kill this process at any moment: the watcher speaks then. */
    if (to_watcher >= 0)
        put(to_watcher, (const char *)&over, sizeof over);
    _exit(128 + number);
}

static void answer_signals(void (*handler)(int)) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* the watcher may be gone */
}

void bench_watch_update(const char *csv, int fd, int done, int cells) {
    int next = !current;
    struct farewell *f = &words[next];
    *f = (struct farewell){0};
    snprintf(f->csv, sizeof f->csv, "%s", csv == NULL ? "" : csv);
    snprintf(f->text, sizeof f->text,
             "\nbine-bench: stopped early (interrupted, or a rank was ended): %d of %d cells were "
             "measured%s%.290s%s\n",
             done, cells, csv == NULL ? "" : " and are in ", csv == NULL ? "" : csv,
             csv == NULL ? "" : ", which is valid");
    snprintf(f->note, sizeof f->note, "# incomplete: %d of %d cells\n", done, cells);
    csv_now = fd;
    current = next;
    if (to_watcher >= 0)
        put(to_watcher, (const char *)f, sizeof *f);
    answer_signals(leave);
}

void bench_watch_end(void) {
    static const struct farewell over = {.over = 1};
    answer_signals(SIG_DFL);
    if (to_watcher < 0)
        return;
    put(to_watcher, (const char *)&over, sizeof over);
    close(to_watcher);
    to_watcher = -1;
}
