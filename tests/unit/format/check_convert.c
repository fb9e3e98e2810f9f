/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_convert.c - the way from files to an output, whatever the format: which format,
 * which name, and that nothing half-written stays. What formats write is tested in
 * check_formats.c and check_gtg.c. */
#include <sys/stat.h>

#include "engine/format/convert.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

static char dir[64], a[128], b[128];

static void setup(void)
{
    setenv("EZT_GTG", "./ezt-gtg", 0);
    snprintf(dir, sizeof dir, "check_convert-%d", getpid());
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    snprintf(a, sizeof a, "%s/app-41.fxt", dir);
    snprintf(b, sizeof b, "%s/app-42.fxt", dir);
    for (int i = 0; i < 2; i++) {
        struct ez_fxt_out *f = tf_open(i ? b : a, 41 + i);
        tf_process(f, 41 + (uint64_t)i, "app", "here");
        tf_probe(f, 0, TF_BOTH, "f", "app");
        tf_put(f, 100, 1, 0, false);
        tf_put(f, 200, 1, 0, true);
        tf_ok(ez_fxt_out_close(f));
    }
}

static void teardown(void)
{
    unlink(a);
    unlink(b);
    ck_assert_int_eq(rmdir(dir), 0); /* nothing was left behind */
}

/* Converts to the name expected, which is then removed. */
static void gives(size_t n, const char *format, bool gzip, const char *out, const char *expected)
{
    char *in[] = { a, b };
    char to[256], want[256];
    struct ez_converted done;
    snprintf(to, sizeof to, "%s/%s", dir, out ? out : "");
    snprintf(want, sizeof want, "%s/%s", dir, expected);
    struct ez_convert w = {
        .in = in, .n = n, .format = format, .out = out ? to : NULL, .gzip = gzip
    };
    tf_ok(ez_convert(&w, &done));
    ck_assert_str_eq(done.out, want);
    ck_assert_uint_eq(done.sum.events, 2 * n);
    ck_assert_int_eq(unlink(want), 0);
    free(done.out);
    free(done.sum.damage);
}

START_TEST(names)
{
    gives(1, "csv", false, NULL, "app-41.csv");
    gives(2, "csv", false, NULL, "app.csv");
    gives(1, "csv", true, NULL, "app-41.csv.gz");
    gives(2, "chrome", false, NULL, "app.json");
    gives(1, NULL, false, NULL, "app-41.trace");
    gives(1, NULL, false, "x.json", "x.json");
    gives(2, "speedscope", false, NULL, "app.speedscope.json");
    gives(1, NULL, false, "x.csv.gz", "x.csv.gz");
    gives(1, "csv", false, "x.json", "x.json");
    gives(1, "csv", false, "a b;touch c'\"", "a b;touch c'\"");
}
END_TEST

static void refuses(struct ez_convert w, enum ez_code code, const char *words)
{
    struct ez_converted done = { .out = NULL };
    ez_err *e = ez_convert(&w, &done);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(e->code == code && strstr(e->msg, words), "%s: %s", ez_code_name(e->code),
                  e->msg);
    ck_assert_ptr_null(done.out);
    ez_err_free(e);
}

static bool never(void *arg, uint64_t n, uint64_t total)
{
    (void)arg, (void)n, (void)total;
    return false;
}

START_TEST(what_cannot_be_done_says_so)
{
    static const char *const other[] = { "x", "x.png", "x.gz" };
    char *in[] = { a, b }, *none[] = { (char *)"/no/such/trace" };
    refuses((struct ez_convert){ .in = none, .n = 1 }, EZ_E_NOTFOUND, "/no/such/trace");
    refuses((struct ez_convert){ .in = in, .n = 1, .format = "doc" }, EZ_E_ARG, "is not a format");
    for (size_t i = 0; i < 3; i++) /* it would be Paje under another name */
        refuses((struct ez_convert){ .in = in, .n = 1, .out = other[i] }, EZ_E_ARG,
                "no format has this suffix");
    refuses(
        (struct ez_convert){
            .in = in, .n = 1, .format = "csv", .part = { .from_ns = 101, .to_ns = 200 } },
        EZ_E_ARG, "it ends at");
    refuses(
        (struct ez_convert){
            .in = in, .n = 1, .format = "csv", .part = { .from_ns = 20, .to_ns = 20 } },
        EZ_E_ARG, "period is empty");
    refuses((struct ez_convert){ .in = in, .n = 2, .out = b }, EZ_E_ARG, "an input");
    refuses((struct ez_convert){ .in = in, .n = 1, .format = "otf2", .gzip = true }, EZ_E_ARG,
            "-z");
    const char *name;
    for (size_t i = 0; (name = ez_convert_format(i)); i++) {
        struct ez_convert w = { .in = in, .n = 2, .format = name, .out = "/no/such/folder/x" };
        struct ez_converted done = { .out = NULL };
        ez_err *e = ez_convert(&w, &done);
        ck_assert_msg(e != NULL, "%s", name);
        ez_err_free(e);
        char out[128];
        snprintf(out, sizeof out, "%s/x", dir);
        w.out = out;
        w.progress.fn = never;
        e = ez_convert(&w, &done);
        ck_assert_msg(e != NULL, "%s", name);
        ez_err_free(e);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("convert");
    TCase *c = tcase_create("convert");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, names);
    tcase_add_test(c, what_cannot_be_done_says_so);
    suite_add_tcase(s, c);
    return run_suite(s);
}
