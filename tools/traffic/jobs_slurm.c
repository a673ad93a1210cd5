/* Jobs from Slurm's own logs: what "sacct -P" prints, with the columns JobID (or JobIDRaw) and
 * NodeList among any others, and the text file of jobcomp/filetxt, a line of JobId=... NodeList=...
 * a job. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/input_file.h"
#include "traffic/jobs.h"

#include <stdlib.h>
#include <string.h>

/* The next line, whatever is in it: names of jobs may have # in them. 0 at the end. */
static int take_line(struct bine_text *t, struct bine_word *line) {
    if (t->at == t->end)
        return 0;
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    *line = (struct bine_word){t->at, (size_t)((end == NULL ? t->end : end) - t->at)};
    t->at = end == NULL ? t->end : end + 1;
    t->line++;
    if (line->length > 0 && line->at[line->length - 1] == '\r')
        line->length--;
    return 1;
}

/* The next field of a line of sacct; 0 if there is none. */
static int take_field(struct bine_word *line, struct bine_word *field) {
    if (line->at == NULL)
        return 0;
    const char *bar = memchr(line->at, '|', line->length);
    size_t n = bar == NULL ? line->length : (size_t)(bar - line->at);
    *field = (struct bine_word){line->at, n};
    line->length -= bar == NULL ? n : n + 1;
    line->at = bar == NULL ? NULL : bar + 1;
    return 1;
}

/* The number of a column, or -1. */
static int column_of(struct bine_word header, const char *name) {
    struct bine_word field;
    for (int i = 0; take_field(&header, &field); i++)
        if (bine_word_is_like(&field, name))
            return i;
    return -1;
}

/* The columns of the job and its hosts; -1 if one is not there. */
struct columns {
    int job, hosts;
};

static struct columns columns_of(struct bine_word header) {
    int job = column_of(header, "JobID");
    return (struct columns){job < 0 ? column_of(header, "JobIDRaw") : job,
                            column_of(header, "NodeList")};
}

static int split_row(struct bine_word line, const struct columns *c, struct bine_word *job,
                     struct bine_word *hosts) {
    struct bine_word field;
    int found = 0;
    for (int i = 0; take_field(&line, &field); i++) {
        if (i == c->job)
            *job = field;
        if (i == c->hosts)
            *hosts = field;
        found += i == c->job || i == c->hosts;
    }
    return found == 2 ? 0 : -1;
}

/* A word of a line of jobcomp that begins with this key: what is behind it. */
static int take_value(struct bine_word line, const char *key, struct bine_word *value) {
    size_t n = strlen(key);
    while (bine_text_word(&line, value))
        if (value->length >= n && memcmp(value->at, key, n) == 0) {
            *value = (struct bine_word){value->at + n, value->length - n};
            return 0;
        }
    return -1;
}

static int split_line(struct bine_word line, const struct columns *c, struct bine_word *job,
                      struct bine_word *hosts) {
    (void)c;
    return take_value(line, "JobId=", job) == 0 && take_value(line, "NodeList=", hosts) == 0 ? 0
                                                                                             : -1;
}

static char *copy(const struct bine_word *word) {
    char *text = malloc(word->length + 1);
    if (text != NULL) {
        memcpy(text, word->at, word->length);
        text[word->length] = '\0';
    }
    return text;
}

/* A job that never ran has no hosts: that is an empty host file. Steps are parts of a job. */
static int add_job(struct bine_job_log *log, const struct bine_word *job, struct bine_word hosts) {
    if (memchr(job->at, '.', job->length) != NULL)
        return 0;
    if (bine_word_is_like(&hosts, "None assigned") || bine_word_is(&hosts, "(null)"))
        hosts.length = 0;
    char *name = copy(job), *text = copy(&hosts);
    int rc = name == NULL || text == NULL ? -1 : bine_job_log_add(log, name, text, hosts.length);
    if (name == NULL)
        free(text);
    free(name);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

enum format { NO_LOG, SACCT, JOBCOMP };

static enum format format_of(const struct bine_word *first) {
    struct columns c = columns_of(*first);
    if (memchr(first->at, '|', first->length) != NULL && (c.job >= 0 || c.hosts >= 0))
        return SACCT;
    return first->length > 6 && memcmp(first->at, "JobId=", 6) == 0 ? JOBCOMP : NO_LOG;
}

static int read_log(struct bine_job_log *log, const char *path, const char *text, size_t size) {
    struct bine_text t = bine_text_open(text, size);
    struct bine_word line = {"", 0}, job, hosts;
    take_line(&t, &line);
    struct columns c = columns_of(line);
    enum format format = format_of(&line);
    if (format == SACCT && (c.job < 0 || c.hosts < 0))
        return bine_complain("%s:1: no column %s: expected 'sacct -P -o JobID,NodeList'", path,
                             c.job < 0 ? "JobID" : "NodeList");
    if (format == JOBCOMP)
        t = bine_text_open(text, size);
    while (take_line(&t, &line)) {
        if (line.length == 0)
            continue;
        if ((format == SACCT ? split_row : split_line)(line, &c, &job, &hosts) != 0)
            return bine_complain("%s:%d: expected a job and its hosts, as in the lines before",
                                 path, t.line);
        if (add_job(log, &job, hosts) != 0)
            return BINE_EXIT_USAGE;
    }
    return 0;
}

int bine_job_log_is_slurm(const char *text, size_t size) {
    struct bine_text t = bine_text_open(text, size);
    struct bine_word line = {"", 0};
    take_line(&t, &line);
    return format_of(&line) != NO_LOG;
}

int bine_job_log_read_slurm(struct bine_job_log *log, const char *path) {
    size_t size;
    char *text = bine_file_read(path, &size);
    int rc = text == NULL ? BINE_EXIT_USAGE : read_log(log, path, text, size);
    free(text);
    return rc;
}
