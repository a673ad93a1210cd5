#include "cli/options/machines.h"
#include "base/files.h"
#include "base/words.h"
#include "network/machine_folders.h"

#include "cli/command.h"
#include "cli/input_file.h"
#include "select/settings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of this program; "" if the system does not say. */
static void program_folder(char folder[BINE_PATH_ROOM]) {
    ssize_t n = readlink("/proc/self/exe", folder, BINE_PATH_ROOM - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
}

char *bine_machine_path(const char *name) {
    char beside[BINE_PATH_ROOM];
    program_folder(beside);
    return bine_machine_locate(name, bine_setting_value(BINE_SETTING_MACHINES, NULL), beside);
}

/* The machines of one folder. */
static int list_folder(const char *path, struct bine_names *names) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    int rc = 0;
    if (folder == NULL)
        return 0;
    while (rc == 0 && (entry = readdir(folder)) != NULL) {
        size_t n = strlen(entry->d_name), e = strlen(BINE_MACHINE_ENDING);
        if (n > e && strcmp(entry->d_name + n - e, BINE_MACHINE_ENDING) == 0 &&
            entry->d_name[0] != '.')
            rc = bine_names_add(names, entry->d_name, n - e) < 0 ? -1 : 0;
    }
    closedir(folder);
    return rc;
}

static int by_name(const void *a, const void *b) {
    return bine_names_compare(*(const char *const *)a, *(const char *const *)b);
}

static int sort_names(const struct bine_names *from, struct bine_names *to) {
    const char **text = malloc(((size_t)from->count + 1) * sizeof *text);
    int rc = text == NULL ? -1 : 0;
    for (int i = 0; rc == 0 && i < from->count; i++)
        text[i] = bine_names_text(from, i);
    if (rc == 0)
        qsort(text, (size_t)from->count, sizeof *text, by_name);
    for (int i = 0; rc == 0 && i < from->count; i++)
        rc = bine_names_add(to, text[i], strlen(text[i])) < 0 ? -1 : 0;
    free(text);
    return rc;
}

int bine_machine_list(struct bine_names *names) {
    struct bine_machine_folders *f = malloc(sizeof *f);
    struct bine_names found = {0};
    char beside[BINE_PATH_ROOM];
    int rc = f == NULL ? -1 : 0;
    program_folder(beside);
    if (rc == 0)
        bine_machine_folders_find(f, bine_setting_value(BINE_SETTING_MACHINES, NULL), beside);
    for (int i = 0; rc == 0 && i < f->count; i++)
        rc = list_folder(f->path[i], &found);
    if (rc == 0)
        rc = sort_names(&found, names);
    bine_names_free(&found);
    free(f);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

static void complain_unknown(const char *word) {
    struct bine_names names = {0};
    const char *known[64];
    size_t n = 0;
    if (bine_machine_list(&names) != 0)
        return;
    for (; n < 64 && (int)n < names.count; n++)
        known[n] = bine_names_text(&names, (int)n);
    bine_complain_near(bine_nearest_word(word, known, n),
                       "unknown machine '%s': expected a file or one that 'bine machines' lists",
                       word);
    bine_names_free(&names);
}

static struct bine_machine *load_file(const char *path, int level) {
    struct bine_machine_options options = {level, 0};
    struct bine_reason why;
    size_t size;
    char *text = bine_file_read(path, &size);
    if (text == NULL)
        return NULL;
    struct bine_machine *m = bine_machine_read(text, size, path, &options, &why);
    if (m == NULL)
        bine_complain("%s", why.text);
    else if (m->note != NULL)
        bine_complain("%s", m->note);
    free(text);
    return m;
}

struct bine_machine *bine_machine_load(const char *word, int level) {
    struct bine_reason why;
    if (strcmp(word, "addresses") == 0) {
        struct bine_machine *m =
            bine_machine_addresses(getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), level, &why);
        if (m == NULL)
            bine_complain("--machine addresses: %s", why.text);
        return m;
    }
    char *path = strchr(word, '/') == NULL ? bine_machine_path(word) : NULL;
    struct bine_machine *m = NULL;
    if (path != NULL)
        m = load_file(path, level);
    else if (strchr(word, '/') != NULL || bine_file_is_regular(word))
        m = load_file(word, level);
    else
        complain_unknown(word);
    free(path);
    return m;
}
