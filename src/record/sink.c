#include "record/sink.h"

#include "mpi/world.h"
#include "report/warn.h"
#include "select/settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct bine_sink sinks[BINE_SINKS] = {
    [BINE_SINK_PROFILE] = {.kind = &bine_gather_profile, .setting = BINE_SETTING_PROFILE},
    [BINE_SINK_TIMELINE] = {.kind = &bine_gather_timeline, .setting = BINE_SETTING_TIMELINE},
};

int bine_sinks_ask(void) {
    int any = 0;
    for (int k = 0; k < BINE_SINKS; k++) {
        sinks[k].wanted = *bine_setting_value(sinks[k].setting, NULL) != '\0';
        any |= sinks[k].wanted;
    }
    return any;
}

struct bine_sink *bine_sink_of(int which) {
    return &sinks[which];
}

/* The file as an absolute path: 0, or -1 with the reason. */
static int find_file(struct bine_sink *s, const char *host, char why[BINE_PARTS_WHY]) {
    char name[BINE_PARTS_PATH], here[BINE_PARTS_PATH];
    if (bine_parts_name(bine_setting_value(s->setting, NULL), host, name, why) != 0)
        return -1;
    if (name[0] == '/' || getcwd(here, sizeof here) == NULL)
        here[0] = '\0';
    size_t folder = strlen(here), n = strlen(name);
    if (folder + n + sizeof "/.parts/rank-2147483647" > sizeof s->file) {
        snprintf(why, BINE_PARTS_WHY, "%.900s: the name is too long", name);
        return -1;
    }
    memcpy(s->file, here, folder);
    if (folder > 0)
        s->file[folder++] = '/';
    memcpy(s->file + folder, name, n + 1);
    return 0;
}

int bine_sink_open(struct bine_sink *s, const char *host, size_t bytes) {
    char why[BINE_PARTS_WHY];
    if (find_file(s, host, why) == 0 &&
        bine_part_file_open(&s->part, s->file, bine_world_rank(), bytes, why) == 0)
        return 0;
    bine_warn(bine_world_rank() == 0, 0, "%s: %s; nothing is recorded for it", s->kind->setting,
              why);
    return -1;
}

/* A child that this process has forked leaves the parent's files alone. */
void bine_sink_end(struct bine_sink *s, MPI_Comm everyone, size_t most) {
    int mine = s->part.part != NULL && s->part.process == (int)getpid(), merged = 0;
    if (everyone != MPI_COMM_NULL ? s->everywhere : bine_world_size() == 1 && s->wanted)
        merged = bine_record_gather(everyone, s->kind, most, s->part.part, s->file);
    if (merged && mine)
        bine_part_file_remove(&s->part);
    if (s->part.part != NULL)
        bine_part_file_close(&s->part);
}
