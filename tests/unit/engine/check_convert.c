/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_convert.c - traces through ezt-gtg, judged by pj_dump where it is. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/convert.h"
#include "engine/fxt_out.h"

static char dir[64], in[128], out[128];

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static void setup(void)
{
    setenv("EZT_GTG", "./ezt-gtg", 0);
    snprintf(dir, sizeof dir, "check_convert-%d", getpid());
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    snprintf(in, sizeof in, "%s/in.fxt", dir);
    /* a name that a shell or a file format could choke on */
    snprintf(out, sizeof out, "%s/a b;touch c'\".paje", dir);
}

static void teardown(void)
{
    unlink(in);
    unlink(out);
    ck_assert_int_eq(rmdir(dir), 0); /* nothing was left behind */
}

static void define(struct ez_fxt_out *f, uint32_t id, uint32_t flags, const char *name)
{
    uint64_t arg[] = { id, flags, 0x401000 + id };
    ok(ez_fxt_out_define(f, EZ_DEF_PROBE, 1, 42, arg, 3, name, strlen(name)));
}

static struct ez_rec rec(uint64_t us, uint64_t tid, uint32_t id, bool exit)
{
    return (struct ez_rec){ us * 1000, tid, ((uint64_t)EZ_C_PROBE + 2 * id + exit) << 8 | 1 };
}

/* Two threads in runs that overlap in time; an exit without entry, an entry that a
 * longjmp left, one that is open at the end, and an entry-only probe. */
static void write_example(void)
{
    const uint32_t both = EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT;
    const struct ez_rec r[] = {
        rec(1000, 1, 0, 0), rec(2000, 1, 1, 0), rec(3000, 1, 0, 1), rec(1500, 2, 1, 1),
        rec(2500, 2, 0, 0), rec(2600, 2, 2, 0), rec(2700, 2, 1, 0), rec(2800, 2, 1, 1),
    };
    struct ez_fxt_out *f;
    ok(ez_fxt_out_open(in, 42, &f));
    define(f, 0, both, "outer \"quoted\"\nline");
    define(f, 1, both, "inner(int, char)");
    define(f, 2, EZ_ROW_REC_ENTRY, "point");
    ok(ez_fxt_out_append(f, r, EZ_ARRAY_LEN(r)));
    ok(ez_fxt_out_close(f));
}

static unsigned dumped(const char *pattern)
{
    char cmd[400];
    unsigned n = 0;
    snprintf(cmd, sizeof cmd, "pj_dump '%s/x.paje' | grep -c '%s'", dir, pattern);
    FILE *p = popen(cmd, "r");
    ck_assert_int_eq(fscanf(p, "%u", &n), 1);
    pclose(p);
    return n;
}

START_TEST(paje)
{
    uint64_t events = 0;
    char plain[128];
    write_example();
    ok(ez_convert_paje(in, out, &events));
    ck_assert_uint_eq(events, 8);
    ck_assert_int_eq(access(out, R_OK), 0);
    if (system("command -v pj_dump >/dev/null"))
        return;
    snprintf(plain, sizeof plain, "%s/x.paje", dir);
    ck_assert_int_eq(rename(out, plain), 0);
    ck_assert_uint_eq(dumped("^State"), 4);
    ck_assert_uint_eq(dumped("^Event.*point"), 1);
    ck_assert_uint_eq(dumped("^Container.*Thread"), 2);
    ck_assert_uint_eq(dumped("^State.*0.000000, 0.002000, 0.002000, .*outer _quoted"), 1);
    unlink(plain);
}
END_TEST

static void fails(const char *from, const char *to)
{
    uint64_t events = 77;
    ez_err *e = ez_convert_paje(from, to, &events);
    ck_assert_ptr_nonnull(e);
    ck_assert_uint_eq(events, 77);
    ez_err_free(e);
}

START_TEST(what_cannot_be_done_says_so)
{
    fails("/no/such/trace", out);
    write_example();
    fails(in, "/no/such/folder/x");
    setenv("EZT_GTG", "/no/such/program", 1);
    fails(in, out);
    setenv("EZT_GTG", "/bin/false", 1); /* hangs up at once */
    fails(in, out);
    ck_assert_int_ne(access(out, F_OK), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("convert");
    TCase *c = tcase_create("convert");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, paje);
    tcase_add_test(c, what_cannot_be_done_says_so);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
