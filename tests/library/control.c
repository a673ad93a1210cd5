/* Control variables of the MPI library, through MPI_T. */
#include "library.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct control {
    MPI_Datatype type;
    MPI_T_enum words;
    char name[200], about[4000];
};

static int control_info(int number, struct control *c) {
    int name = sizeof c->name, about = sizeof c->about, verbosity, bind, scope;
    return MPI_T_cvar_get_info(number, c->name, &name, &verbosity, &c->type, &c->words, c->about,
                               &about, &bind, &scope) == MPI_SUCCESS
               ? 0
               : -1;
}

static int control_find(const char *name) {
    static struct control c;
    int n = 0;
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++)
        if (control_info(i, &c) == 0 && strcmp(c.name, name) == 0)
            return i;
    return -1;
}

static int control_write(int number, int value) {
    MPI_T_cvar_handle handle;
    int count, rc;
    if (MPI_T_cvar_handle_alloc(number, NULL, &handle, &count) != MPI_SUCCESS)
        return -1;
    rc = MPI_T_cvar_write(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    return rc == MPI_SUCCESS ? 0 : -1;
}

/* Open MPI: an enumeration of MPI_T. */
static int enumerated(MPI_T_enum words, const char *word, int *value) {
    char name[200];
    int n = 0, length = sizeof name;
    MPI_T_enum_get_info(words, &n, name, &length);
    for (int i = 0; i < n; i++) {
        length = sizeof name;
        if (MPI_T_enum_get_item(words, i, value, name, &length) == MPI_SUCCESS &&
            strcmp(name, word) == 0)
            return 0;
    }
    return -1;
}

/* MPICH: "...WORD - meaning" in the description for each value, from 0; lines are run together. */
static int described(const char *about, const char *word, int *value) {
    size_t length = strlen(word);
    int n = 0;
    for (const char *dash = about; (dash = strstr(dash, " - ")) != NULL; dash += 3, n++) {
        const char *end = dash;
        while (end > about && end[-1] == ' ')
            end--;
        if ((size_t)(end - about) >= length && strncmp(end - length, word, length) == 0) {
            *value = n;
            return 0;
        }
    }
    return -1;
}

static int control_value(int number, const char *word, int *value) {
    static struct control c;
    if (isdigit((unsigned char)*word)) {
        *value = (int)strtol(word, NULL, 10);
        return 0;
    }
    if (control_info(number, &c) != 0)
        return -1;
    if (c.words != MPI_T_ENUM_NULL && enumerated(c.words, word, value) == 0)
        return 0;
    return described(c.about, word, value);
}

/* "NAME=WORD" or, to take it back, the value 0, which means no choice in both libraries. */
static int force_one(const char *setting, size_t length, int back) {
    char name[200], word[200];
    size_t equals = strcspn(setting, "=");
    int value = 0;
    if (equals >= length)
        return -1;
    snprintf(name, sizeof name, "%s%.*s", library_prefix, (int)equals, setting);
    snprintf(word, sizeof word, "%.*s", (int)(length - equals - 1), setting + equals + 1);
    int number = control_find(name);
    if (number < 0 || (!back && control_value(number, word, &value) != 0))
        return -1;
    return control_write(number, value);
}

int control_force(const char *settings, int back) {
    int rc = 0;
    while (*settings != '\0') {
        size_t length = strcspn(settings, " ");
        if (force_one(settings, length, back) != 0)
            rc = -1;
        settings += length;
        settings += strspn(settings, " ");
    }
    return rc;
}
