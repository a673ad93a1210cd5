#include "record/own.h"

#include "record/job.h"
#include "record/record.h"

static int recorded_now(const struct bine_arguments *a) {
    struct bine_recorded x = {.form = BINE_FORM_BLOCKING};
    bine_recorded_begin(&x, 1);
    int rc = bine_call_now(a);
    if (rc == MPI_SUCCESS)
        bine_record_call(a, &x);
    return rc;
}

static int recorded_start(const struct bine_arguments *a, struct bine_request **request) {
    struct bine_recorded x = {.form = BINE_FORM_NONBLOCKING, .begin = bine_ticks()};
    int rc = bine_call_start(a, request);
    if (rc == MPI_SUCCESS)
        bine_record_call(a, &x);
    return rc;
}

static void choose(void) {
    int records = bine_record_is_wanted();
    bine_own = (struct bine_own_calls){records ? recorded_now : bine_call_now,
                                       records ? recorded_start : bine_call_start};
}

static int first_now(const struct bine_arguments *a) {
    choose();
    return bine_own.now(a);
}

static int first_start(const struct bine_arguments *a, struct bine_request **request) {
    choose();
    return bine_own.start(a, request);
}

struct bine_own_calls bine_own = {first_now, first_start};

int bine_own_is_recorded(void) {
    return bine_record_is_wanted();
}
