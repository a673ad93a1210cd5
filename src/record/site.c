#define _GNU_SOURCE /* dladdr */
#include "record/site.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Names of functions that a program does not export are not known at run time: then it is the
 * distance from where the object is loaded. */
static void write_site(const void *address, char text[BINE_PART_SITE_TEXT]) {
    Dl_info info;
    uintptr_t at = (uintptr_t)address;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        text[0] = '\0';
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const char *object = slash != NULL ? slash + 1 : info.dli_fname;
    if (info.dli_sname != NULL)
        snprintf(text, BINE_PART_SITE_TEXT, "%.50s+0x%lx", info.dli_sname,
                 (unsigned long)(at - (uintptr_t)info.dli_saddr));
    else
        snprintf(text, BINE_PART_SITE_TEXT, "%.50s+0x%lx", object,
                 (unsigned long)(at - (uintptr_t)info.dli_fbase));
}

unsigned bine_record_site(struct bine_recorder *r, const void *address) {
    enum { KNOWN = 64 };
    static struct {
        const void *address;
        unsigned number;
    } known[KNOWN];
    unsigned at = bine_hash_number((uint64_t)(uintptr_t)address) % KNOWN;
    char text[BINE_PART_SITE_TEXT];
    if (known[at].address == address)
        return known[at].number;
    write_site(address, text);
    known[at].address = address;
    known[at].number = text[0] != '\0' ? bine_recorder_site(r, text) : 0;
    return known[at].number;
}
