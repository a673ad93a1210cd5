/* Recording a profile and merging it: bounds, sums, waiting, clocks, damaged files. */
#include "profile/folder.h"
#include "profile/merged.h"
#include "profile/recorder.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A part whose ticks are nanoseconds, so that expected times can be written down. */
static struct bine_part *part_of(struct bine_recorder *r, int rank, int ranks) {
    struct bine_part *p = calloc(1, bine_part_bytes(1));
    assert_non_null(p);
    bine_recorder_begin(r, p, 1);
    p->head.rank = rank;
    p->head.ranks = ranks;
    p->head.node = 7;
    p->head.begin = (struct bine_ticks_pair){1000, 1000};
    p->head.end = r->begin = 1000;
    return p;
}

/* Sampling reads the real clocks, whose ticks are others. */
static void settle(struct bine_part *p, uint64_t end) {
    p->head.last = (struct bine_ticks_pair){end, (int64_t)end};
    p->head.finished = 1;
}

static unsigned world_of(struct bine_recorder *r, int rank, int ranks) {
    struct bine_part_comm c = {.key = 11, .ranks = ranks, .rank = rank, .kind = BINE_PART_WORLD};
    return bine_recorder_comm(r, &c);
}

static struct bine_recorded_call call_of(unsigned comm, unsigned collective, int64_t bytes,
                                         uint64_t begin, uint64_t end) {
    struct bine_call_kind k = {.comm = comm,
                               .collective = collective,
                               .class = bine_recorded_class(bytes),
                               .datatype = BINE_DATATYPE_FLOAT,
                               .algorithm = BINE_PART_BY_MPI};
    return (struct bine_recorded_call){bine_call_kind_pack(&k), BINE_ROOT_NONE, (double)bytes,
                                       begin, end};
}

static uint64_t calls_in_rows(const struct bine_part *p, double *bytes, uint64_t *ticks) {
    uint64_t calls = 0;
    *bytes = 0;
    *ticks = 0;
    for (unsigned i = 0; i < p->head.rows; i++) {
        calls += p->row[i].calls;
        *bytes += p->row[i].bytes;
        *ticks += p->row[i].ticks;
    }
    return calls;
}

/* However many kinds of calls there are: nothing is lost of the sums, and no place is left. */
static void test_bounds(void **state) {
    struct bine_recorder r;
    struct bine_part *p = part_of(&r, 0, 4);
    double bytes, expected = 0;
    uint64_t ticks, made = 0, at = 2000;
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct bine_part_comm c = {
            .key = 100 + i % 1000, .ranks = 4, .rank = 0, .kind = BINE_PART_PART};
        unsigned comm = bine_recorder_comm(&r, &c);
        struct bine_recorded_call call =
            call_of(comm, i % BINE_COLLECTIVES, (int64_t)1 << i % 40, at, at + 10);
        bine_record(&r, &call);
        expected += call.bytes;
        made++;
        at += 1000000;
    }
    assert_true(p->head.comms <= BINE_PART_COMMS && p->head.rows <= BINE_PART_ROWS);
    assert_true(p->head.samples <= BINE_PART_SAMPLES);
    assert_true(calls_in_rows(p, &bytes, &ticks) + p->head.lost == made);
    assert_true(ticks + p->head.lost_ticks == 10 * made && p->head.ticks == 10 * made);
    assert_true(p->head.lost == 0 ? bytes >= expected && bytes <= expected : bytes < expected);
    assert_int_equal(p->comm[BINE_PART_COMMS - 1].kind, BINE_PART_SEVERAL);
    settle(p, at);
    assert_null(bine_part_check(p, p->head.bytes));
    free(p);
}

/* Steps double: what is in them stays. A call over several steps is in all of them. */
static void test_steps(void **state) {
    struct bine_recorder r;
    struct bine_part *p = part_of(&r, 0, 1);
    unsigned comm = world_of(&r, 0, 1);
    uint64_t calls = 0, ticks = 0, step = UINT64_C(1) << BINE_FIRST_SHIFT;
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        struct bine_recorded_call c =
            call_of(comm, 2, 8, 1000 + i * step, 1000 + i * step + 3 * step);
        bine_record(&r, &c);
    }
    for (int i = 0; i < BINE_PART_STEPS; i++) {
        calls += p->step[i].calls;
        ticks += p->step[i].ticks;
    }
    assert_true(calls == 1000 && ticks == 3000 * step);
    assert_true(p->head.shift == BINE_FIRST_SHIFT + 5); /* 1003 steps in 32: 32 of the first each */
    free(p);
}

/* Two ranks that make the same calls of a row have samples of the same ones, whatever else they do.
 */
static void test_samples(void **state) {
    struct bine_recorder a, b;
    struct bine_part *p = part_of(&a, 0, 2), *q = part_of(&b, 1, 2);
    unsigned ca = world_of(&a, 0, 2), cb = world_of(&b, 1, 2), both = 0, kept = 0;
    (void)state;
    for (uint64_t i = 0; i < 50000; i++) {
        struct bine_recorded_call c = call_of(ca, 2, 8, 2000 + i, 2001 + i);
        bine_record(&a, &c);
        c = call_of(cb, 2, 8, 2000 + i, 2001 + i);
        bine_record(&b, &c);
        c = call_of(cb, 3, 1 << i % 12, 2000 + i, 2001 + i);
        bine_record(&b, &c);
    }
    for (unsigned i = 0; i < q->head.samples; i++)
        for (unsigned k = 0; (q->sample[i].at_row & 0xff) == 0 && k < p->head.samples; k++)
            both += p->sample[k].call == q->sample[i].call;
    for (unsigned i = 0; i < q->head.samples; i++)
        kept += (q->sample[i].at_row & 0xff) == 0;
    assert_true(kept >= 8 && p->head.samples >= 60);
    assert_int_equal(both, kept < p->head.samples ? kept : p->head.samples);
    free(p);
    free(q);
}

static void read_back(const struct bine_parts *parts, struct bine_merged *m) {
    assert_int_equal(bine_merge(parts, m), 0);
    assert_int_equal(m->rows > 0, 1);
}

/* Rank 1 of three is late by 500 ns at each of 100 calls, which takes 100 ns from then on. */
static void test_waiting(void **state) {
    struct bine_parts parts;
    struct bine_merged m;
    (void)state;
    assert_int_equal(bine_parts_new(&parts, 3), 0);
    for (int rank = 0; rank < 3; rank++) {
        struct bine_recorder r;
        parts.part[rank] = part_of(&r, rank, 3);
        unsigned comm = world_of(&r, rank, 3);
        for (uint64_t i = 0; i < 100; i++) {
            uint64_t come = 2000 + 1000 * i;
            struct bine_recorded_call c =
                call_of(comm, 2, 8, come + (rank == 1 ? 500 : 0), come + 600);
            bine_record(&r, &c);
        }
        settle(parts.part[rank], 1000 + 1000000);
    }
    read_back(&parts, &m);
    const struct bine_merged_row *row = &m.row[0];
    assert_int_equal(m.rows, 1);
    assert_true(row->calls == 100 && row->recorded == 3 && row->samples == 100);
    assert_true(row->late == 1 && row->late_share > 0.999);
    /* 60 us in two ranks, 10 us in the late one; the two wait 50 us of them. */
    assert_true(row->mean > 43.3e-6 && row->mean < 43.4e-6 && row->slowest > 59.9e-6);
    assert_true(row->wait_mean > 33.2e-6 && row->wait_mean < 33.4e-6);
    assert_true(row->wait_slowest > 49.9e-6 && row->wait_slowest < 50.1e-6);
    assert_true(m.seconds > 0.00099 && m.seconds < 0.00101 && m.clock_error == 0);
    assert_true(m.comm[0].places == 1 && m.comm[0].place[0].ranks == 3);
    bine_merged_free(&m);
    bine_parts_free(&parts);
}

/* The second node's clock: 1 ms behind when it shows 1000 ns, 3 ms behind a second later. */
static uint64_t second_clock(uint64_t time) {
    return (uint64_t)(((double)time - 1e6 + 2) / 1.002);
}

static void test_clocks(void **state) {
    struct bine_parts parts;
    struct bine_merged m;
    (void)state;
    assert_int_equal(bine_parts_new(&parts, 2), 0);
    for (int rank = 0; rank < 2; rank++) {
        struct bine_recorder r;
        struct bine_part *p = parts.part[rank] = part_of(&r, rank, 2);
        unsigned comm = world_of(&r, rank, 2);
        for (uint64_t i = 0; i < 9; i++) {
            uint64_t come = 1000 + 100000000 * (i + 1);
            struct bine_recorded_call c = call_of(comm, 2, 8, come, come + 50000);
            if (rank == 1) /* it comes 20 us later */
                c = call_of(comm, 2, 8, second_clock(come + 20000), second_clock(come + 50000));
            bine_record(&r, &c);
        }
        settle(p, 1000001000);
        p->head.node = 7 + (uint64_t)rank;
        p->head.clock[0] = (struct bine_alignment){1000, rank * 1000000, rank * 300};
        p->head.clock[1] = (struct bine_alignment){1000001000, rank * 3000000, rank * 500};
    }
    read_back(&parts, &m);
    assert_true(m.clock_error > 499e-9 && m.clock_error < 501e-9);
    assert_true(m.row[0].samples == 9 && m.row[0].late == 1);
    assert_true(m.row[0].wait_slowest > 9 * 19.9e-6 && m.row[0].wait_slowest < 9 * 20.1e-6);
    parts.part[1]->head.clock[0] = parts.part[1]->head.clock[1] = bine_alignment_unknown();
    bine_merged_free(&m);
    read_back(&parts, &m);
    assert_true(m.clock_error < 0 && m.row[0].wait_mean < 0 && m.row[0].late < 0);
    bine_merged_free(&m);
    bine_parts_free(&parts);
}

static void test_alignment(void **state) {
    struct bine_alignment a = bine_alignment_unknown(), none = bine_alignment_unknown();
    (void)state;
    bine_alignment_answer(&a, 100, 300, 1250); /* read at 200, give or take 100 */
    bine_alignment_answer(&a, 400, 420, 1464); /* at 410, give or take 10: better */
    bine_alignment_answer(&a, 500, 600, 9999);
    assert_true(a.at_ns == 410 && a.ahead_ns == 1054 && a.error_ns == 10);
    assert_true(bine_alignment_apply(&a, &none, 1000) == 2054);
    assert_true(bine_alignment_apply(&none, &none, 1000) == 1000);
    assert_true(bine_alignment_error(&none, &none, 5) == -1);
    assert_true(bine_alignment_error(&a, &none, 410 + 10000000) == 10 + 1000);
    struct bine_alignment later = {1410, 1154, 20};
    assert_true(bine_alignment_apply(&a, &later, 910) == 910 + 1104);
    bine_alignment_chain(&later, &a);
    assert_true(later.ahead_ns == 2208 && later.error_ns == 30);
    bine_alignment_chain(&later, &none);
    assert_true(!bine_alignment_is_known(&later));
}

/* A call of one rank with another datatype than the others' is still one call. */
static void test_datatypes(void **state) {
    struct bine_parts parts;
    struct bine_merged m;
    (void)state;
    assert_int_equal(bine_parts_new(&parts, 2), 0);
    for (int rank = 0; rank < 2; rank++) {
        struct bine_recorder r;
        parts.part[rank] = part_of(&r, rank, 2);
        unsigned comm = world_of(&r, rank, 2);
        struct bine_recorded_call c = call_of(comm, 0, 64, 2000, 2500);
        struct bine_call_kind k = bine_call_kind_of(c.key);
        k.datatype = rank == 0 ? BINE_DATATYPE_DERIVED : BINE_DATATYPE_BYTE;
        c.key = bine_call_kind_pack(&k);
        c.root = 1;
        bine_record(&r, &c);
        c.root = 0;
        bine_record(&r, &c);
        settle(parts.part[rank], 9000);
    }
    read_back(&parts, &m);
    assert_int_equal(m.rows, 1);
    assert_true(m.row[0].calls == 2 && m.row[0].recorded == 2);
    assert_int_equal(m.row[0].datatype, BINE_DATATYPE_SEVERAL);
    assert_int_equal(m.row[0].root, BINE_ROOT_VARIES);
    bine_merged_free(&m);
    bine_parts_free(&parts);
}

static struct bine_part *some_part(void) {
    struct bine_recorder r;
    struct bine_part *p = part_of(&r, 0, 1);
    unsigned comm = world_of(&r, 0, 1);
    for (uint64_t i = 0; i < 30; i++) {
        struct bine_recorded_call c =
            call_of(comm, (unsigned)i % 4, 1 << i % 3, 2000 + 50 * i, 2030 + 50 * i);
        bine_record(&r, &c);
    }
    bine_recorder_site(&r, "main+0x1c");
    settle(p, 100000);
    return p;
}

/* Whatever byte is wrong: the part is refused, or merged without harm. */
static void test_damage(void **state) {
    struct bine_part *good = some_part();
    size_t bytes = good->head.bytes;
    int refused = 0;
    (void)state;
    assert_null(bine_part_check(good, bytes));
    assert_string_equal(bine_part_check(good, bytes - 1), "cut off");
    for (size_t i = 0; i < bytes; i++) {
        struct bine_parts parts = {.ranks = 0};
        struct bine_part *p = malloc(bytes);
        struct bine_merged m;
        memcpy(p, good, bytes);
        ((unsigned char *)p)[i] ^= (unsigned char)(1 + i % 255);
        if (bine_part_check(p, bytes) != NULL) {
            refused++;
            free(p);
            continue;
        }
        assert_int_equal(bine_parts_new(&parts, p->head.ranks < 100 ? p->head.ranks : 1), 0);
        parts.part[0] = p;
        assert_int_equal(bine_merge(&parts, &m), 0);
        bine_merged_free(&m);
        bine_parts_free(&parts);
    }
    assert_true(refused > 50);
    free(good);
}

static void write_part(const char *folder, const char *name, const struct bine_part *p,
                       size_t bytes) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, bytes, f), bytes);
    assert_int_equal(fclose(f), 0);
}

/* Parts of another run, cut ones, and files that are none. */
static void test_folder(void **state) {
    char folder[] = "/tmp/bine-test-profile-XXXXXX", command[100];
    struct bine_part *p = some_part();
    struct bine_parts parts;
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(bine_parts_read(folder, bine_part_check, &parts), 0);
    assert_int_equal(parts.found, 0);
    p->head.ranks = 3;
    p->head.job = 5;
    write_part(folder, "rank-0", p, p->head.bytes);
    p->head.rank = 2;
    write_part(folder, "rank-2", p, p->head.bytes);
    p->head.rank = 1;
    p->head.job = 4;
    write_part(folder, "rank-1", p, p->head.bytes);
    p->head.job = 5;
    write_part(folder, "rank-7", p, 2000);
    write_part(folder, "notes", p, 10);
    assert_int_equal(bine_parts_read(folder, bine_part_check, &parts), 0);
    assert_true(parts.ranks == 3 && parts.found == 2 && parts.others == 1 && parts.damaged == 1);
    assert_non_null(strstr(parts.damage, "rank-7: cut off"));
    assert_true(parts.part[0] != NULL && parts.part[1] == NULL && parts.part[2] != NULL);
    bine_parts_free(&parts);
    assert_int_equal(bine_parts_read("/nowhere/at/all", bine_part_check, &parts), -1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(p);
}

static void test_names(void **state) {
    char path[BINE_PARTS_PATH], why[BINE_PARTS_WHY];
    (void)state;
    setenv("SLURM_JOB_ID", "4711", 1);
    assert_int_equal(bine_parts_name("/a/%j-%h.%%", "n17", path, why), 0);
    assert_string_equal(path, "/a/4711-n17.%");
    assert_int_equal(bine_parts_name("a%z", "n17", path, why), -1);
    assert_string_equal(why, "a%z: expected %j, %h or %% behind %");
    char *longest = malloc(5000);
    memset(longest, 'x', 4999);
    longest[4999] = '\0';
    assert_int_equal(bine_parts_name(longest, "n17", path, why), -1);
    free(longest);
}

/* The part of a rank: for this user alone, and not of two processes at once. */
static void test_files(void **state) {
    char folder[] = "/tmp/bine-test-profile-XXXXXX", file[100], why[BINE_PARTS_WHY];
    struct bine_part_file f, g;
    struct stat s;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/prof.json", folder);
    assert_int_equal(bine_part_file_open(&f, file, 3, bine_part_bytes(0), why), 0);
    assert_int_equal(stat(f.path, &s), 0);
    assert_true((s.st_mode & 0777) == 0600 && s.st_size <= BINE_PART_MOST);
    assert_true(f.part->head.version == 0);
    bine_part_file_remove(&f);
    bine_part_file_close(&f);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(bine_part_file_open(&g, file, 3, bine_part_bytes(0), why), -1);
    assert_non_null(strstr(why, "No such file"));
    assert_null(g.part);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),    cmocka_unit_test(test_steps),
        cmocka_unit_test(test_samples),   cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_clocks),    cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_datatypes), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_folder),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
