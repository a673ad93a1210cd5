#define _GNU_SOURCE /* F_GET_SEALS */

#include "board/arena_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct bine_arena_peer {
    uint64_t token[2];
    char *memory;
    uint64_t bytes;
    int uses;
    struct bine_arena_peer *next;
};

enum { PATH = 64 };
/* Up to this many arenas stay mapped, in use or not. */
enum { IDLE_FROM = 512 };

static int refuse(struct bine_reason *why, const struct bine_arena_card *card, const char *what) {
    return bine_reason_set(why, "shared memory of process %" PRIu64 ": %s", card->pid, what);
}

/* Where there is another process of that number, or the descriptor is of something else, opening it
 * could have effects: look at its name first. */
static int is_an_arena(const char *path) {
    static const char begin[] = "/memfd:" BINE_ARENA_NAME;
    char name[PATH];
    ssize_t n = readlink(path, name, sizeof name - 1);
    return n >= (ssize_t)sizeof begin - 1 && strncmp(name, begin, sizeof begin - 1) == 0;
}

/* A file that can neither be cut short nor grow, has the region, and is this user's. */
static int is_sound(int file, const struct bine_arena_card *card, uint64_t *bytes) {
    struct stat s;
    int must = F_SEAL_SHRINK | F_SEAL_GROW;
    if (fstat(file, &s) != 0 || s.st_uid != geteuid() || (fcntl(file, F_GET_SEALS) & must) != must)
        return 0;
    *bytes = (uint64_t)s.st_size;
    return card->offset < *bytes && card->bytes <= *bytes - card->offset;
}

/* Its memory if it is the one that the card is of; NULL with the reason. */
static char *map_file(int file, const struct bine_arena_card *card, uint64_t *bytes,
                      struct bine_reason *why) {
    if (!is_sound(file, card, bytes)) {
        refuse(why, card, "not an arena of this user");
        return NULL;
    }
    void *memory = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        refuse(why, card, strerror(errno));
        return NULL;
    }
    if (memcmp(memory, card->token, sizeof card->token) == 0)
        return memory;
    munmap(memory, *bytes);
    refuse(why, card, "it belongs to another process");
    return NULL;
}

static char *map_card(const struct bine_arena_card *card, uint64_t *bytes,
                      struct bine_reason *why) {
    char path[PATH];
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/fd/%" PRIu64, card->pid, card->file);
    if (!is_an_arena(path)) {
        refuse(why, card, "there is none to be seen (another container?)");
        return NULL;
    }
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) {
        refuse(why, card, strerror(errno));
        return NULL;
    }
    char *memory = map_file(file, card, bytes, why);
    close(file); /* the mapping stays */
    return memory;
}

struct bine_arena_peer *bine_arena_map(struct bine_arena_peer **list,
                                       const struct bine_arena_card *card,
                                       struct bine_reason *why) {
    for (struct bine_arena_peer *x = *list; x != NULL; x = x->next)
        if (memcmp(x->token, card->token, sizeof x->token) == 0) {
            if (card->offset >= x->bytes || card->bytes > x->bytes - card->offset) {
                refuse(why, card, "it has no such region");
                return NULL;
            }
            x->uses++;
            return x;
        }
    struct bine_arena_peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL) {
        bine_reason_memory(why);
        return NULL;
    }
    peer->memory = map_card(card, &peer->bytes, why);
    if (peer->memory == NULL) {
        free(peer);
        return NULL;
    }
    memcpy(peer->token, card->token, sizeof peer->token);
    peer->uses = 1;
    peer->next = *list;
    *list = peer;
    return peer;
}

static void unmap_first(struct bine_arena_peer **list) {
    struct bine_arena_peer *peer = *list;
    *list = peer->next;
    munmap(peer->memory, peer->bytes);
    free(peer);
}

void bine_arena_unmap(struct bine_arena_peer **list, struct bine_arena_peer *peer) {
    if (peer == NULL || --peer->uses > 0 || bine_arena_mappings(*list) <= IDLE_FROM)
        return;
    while (*list != peer)
        list = &(*list)->next;
    unmap_first(list);
}

void bine_arena_unmap_all(struct bine_arena_peer **list) {
    while (*list != NULL)
        unmap_first(list);
}

char *bine_arena_mapped(const struct bine_arena_peer *peer, const struct bine_arena_card *card) {
    return peer->memory + card->offset;
}

int bine_arena_mappings(const struct bine_arena_peer *list) {
    int n = 0;
    for (; list != NULL; list = list->next)
        n++;
    return n;
}
