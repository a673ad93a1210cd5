#include "network/address.h"

#include "base/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The part number k of a dotted text. */
static struct bine_group_name part(const char *text, int k) {
    for (; k > 0; k--) {
        text += strcspn(text, ".");
        text += *text == '.';
    }
    return (struct bine_group_name){text, strcspn(text, ".")};
}

static int parts(const char *text) {
    int n = 1;
    for (; *text != '\0'; text++)
        n += *text == '.';
    return n;
}

static int is(const struct bine_group_name *part, const char *word) {
    return part->length == strlen(word) && memcmp(part->at, word, part->length) == 0;
}

int bine_address_has_groups(const char *pattern, int level) {
    if (pattern == NULL)
        return 1;
    int k = parts(pattern) - 1 - level;
    if (k < 0)
        return 0;
    struct bine_group_name p = part(pattern, k);
    return is(&p, "switch") || is(&p, "block");
}

int bine_address_wider(const char *pattern) {
    int n = 0;
    while (n < BINE_WIDER_MOST && (pattern == NULL || bine_address_has_groups(pattern, n + 2)))
        n++;
    return n;
}

int bine_address_group(const char *address, const char *pattern, int level,
                       struct bine_group_name *group) {
    int before = parts(pattern == NULL ? address : pattern) - level; /* parts of the group */
    if (before < 1 || !bine_address_has_groups(pattern, level) || parts(address) <= before)
        return -1;
    struct bine_group_name last = part(address, before - 1);
    *group = (struct bine_group_name){address, (size_t)(last.at + last.length - address)};
    return group->length > 0 ? 0 : -1;
}

int bine_address_settle(char *text) {
    int changed = 0;
    char *to = text;
    for (char *at = text; *at != '\0';) {
        char *close = *at == '[' ? strchr(at, ']') : NULL;
        size_t rest = close == NULL ? 0 : strcspn(close, ".,# \t\r\n");
        if (close == NULL || close[rest] != '.') {
            *to++ = *at++;
            continue;
        }
        size_t first = strcspn(at + 1, ",-]");
        memmove(to, at + 1, first);
        to += first;
        at = close + 1;
        changed++;
    }
    *to = '\0';
    return changed;
}

/* The parent of a process, 0 if that is not to be seen. The name of a program stands in brackets
 * and may have brackets and blanks in it. */
static long parent_of(long pid) {
    char path[64];
    size_t size;
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    char *text = bine_file_text(path, &size);
    const char *end = text == NULL ? NULL : strrchr(text, ')');
    if (end == NULL || sscanf(end + 1, " %*c %ld", &parent) != 1)
        parent = 0;
    free(text);
    return parent;
}

/* A variable in the environment that a process was started with. */
static int variable_of(long pid, const char *name, char *value, size_t room) {
    char path[64];
    size_t size = 0, length = strlen(name);
    int rc = -1;
    snprintf(path, sizeof path, "/proc/%ld/environ", pid);
    char *text = bine_file_text(path, &size);
    for (char *at = text; rc != 0 && at != NULL && at < text + size; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=' && strlen(at + length + 1) < room) {
            strcpy(value, at + length + 1);
            rc = 0;
        }
    free(text);
    return rc;
}

/* Does an address or a node's name on that host end with this? */
static int is_of_host(const char *value, const char *host) {
    size_t n = strcspn(host, "."), length = strlen(value);
    const char *tail = length >= n ? value + length - n : value;
    return n > 0 && length >= n && strncmp(tail, host, n) == 0 &&
           (tail == value || tail[-1] == '.');
}

int bine_slurm_own(const char *variable, const char *host, char *value, size_t room,
                   int *from_launcher) {
    enum { MOST_ANCESTORS = 8 };
    char other[BINE_ADDRESS_ROOM];
    const char *own = getenv(variable);
    *from_launcher = 0;
    if (own == NULL || *own == '\0' || strlen(own) >= room)
        return -1;
    strcpy(value, own);
    if (is_of_host(value, host))
        return 0;
    long pid = (long)getppid();
    for (int k = 0; k < MOST_ANCESTORS && pid > 1; k++, pid = parent_of(pid)) {
        if (variable_of(pid, variable, other, sizeof other) != 0)
            return 0;
        if (strcmp(other, value) == 0 || strlen(other) >= room)
            continue;
        strcpy(value, other);
        *from_launcher = 1;
        return 0;
    }
    return 0;
}
