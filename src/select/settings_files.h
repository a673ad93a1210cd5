/* Settings that stand in files. */
#ifndef BINE_SELECT_SETTINGS_FILES_H
#define BINE_SELECT_SETTINGS_FILES_H

#include "select/settings.h"

enum { BINE_CONF_FILES = 3, BINE_CONF_PATH = 256, BINE_CONF_VALUE = 256, BINE_CONF_WRONG = 4 };

struct bine_conf {
    char path[BINE_CONF_PATH]; /* empty: there is none */
    int unreadable;            /* it was asked for, and cannot be read */
    int line[BINE_SETTINGS];   /* where each setting stands, or 0 */
    char value[BINE_SETTINGS][BINE_CONF_VALUE];
    int wrongs; /* lines that mean nothing, the first few of which are kept */
    int wrong_line[BINE_CONF_WRONG];
    char wrong[BINE_CONF_WRONG][64]; /* the name, or empty where there is no '=' */
};

/* In the order of precedence; read on the first call in the process. */
const struct bine_conf *bine_conf_files(void);

/* The row of a name, or -1. */
int bine_setting_find(const char *name);

#endif
