#include "model/fair_queue.h"

static void go_on(struct bine_fair_queue *s, double at) {
    double bytes = (at - s->at) * s->rate;
    if (s->clients > 0)
        s->served += bytes / s->clients;
    else
        s->ahead = s->ahead + bytes < s->burst ? s->ahead + bytes : s->burst;
    s->at = at;
}

static void look_ahead(struct bine_fair_queue *s, const struct bine_fair_queue_client *client) {
    if (s->clients > 0)
        s->due = s->at + (client[s->first].through - s->served) * s->clients / s->rate;
}

/* Most come in the order in which they will be through. */
static void line_up(struct bine_fair_queue *s, struct bine_fair_queue_client *client,
                    uint32_t number) {
    uint32_t *place = &s->first;
    if (s->clients > 0 && client[s->last].through <= client[number].through)
        place = &client[s->last].next;
    else
        while (*place != BINE_SHARE_NOBODY && client[*place].through <= client[number].through)
            place = &client[*place].next;
    client[number].next = *place;
    if (*place == BINE_SHARE_NOBODY)
        s->last = number;
    *place = number;
}

int bine_fair_queue_enter(struct bine_fair_queue *s, struct bine_fair_queue_client *client,
                          uint32_t number, double at, double bytes) {
    go_on(s, at);
    double passes = bytes < s->ahead ? bytes : s->ahead;
    s->ahead -= passes;
    if (bytes <= passes)
        return 1;
    client[number].through = s->served + (bytes - passes);
    if (s->clients == 0)
        s->first = BINE_SHARE_NOBODY;
    line_up(s, client, number);
    s->clients++;
    look_ahead(s, client);
    return 0;
}

uint32_t bine_fair_queue_through(struct bine_fair_queue *s, struct bine_fair_queue_client *client) {
    uint32_t number = s->first;
    go_on(s, s->due);
    s->served = client[number].through;
    s->first = client[number].next;
    s->clients--;
    look_ahead(s, client);
    return number;
}
