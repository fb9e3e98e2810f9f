/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_series.c - values over time are read back as variables of one process, each value where it was written; of a writer that was killed,
 * too; and a name that is taken is not written over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/strutil.h"
#include "engine/jobs/series.h"
#include "engine/trace/replay.h"
#include "engine/trace/vars.h"
#include "tests/unit/suite.h"

static char dir[] = "/tmp/check-series-XXXXXX";
static char *path;

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
    path = ez_sprintf("%s/a.fxt", dir);
}

static void end(void)
{
    EZ_FREE char *second = ez_sprintf("%s/a.2.fxt", dir);
    unlink(path);
    unlink(second);
    ck_assert_int_eq(rmdir(dir), 0); /* no other file */
    free(path);
}

/* "WHERE VARIABLE sets least..greatest last; " of each. */
static void reads(const char *file, const char *want)
{
    char got[1024] = "", *name = ez_strdup(file);
    struct ez_replay *r;
    ok(ez_replay_open(&name, 1, NULL, &r));
    struct ez_vars *v = ez_vars_create(ez_replay_model(r), NULL);
    ok(ez_replay_run(r, ez_vars_item, v, NULL));
    ez_vars_table(v);
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_var_row *w = &v->row[i];
        size_t n = strlen(got), process = strcspn(w->where, "0123456789");
        snprintf(got + n, sizeof got - n, "%.*s%s %s %d %g..%g %g; ", (int)process, w->where,
                 w->module, w->variable, (int)w->sets, w->min, w->max, w->last);
    }
    ck_assert_str_eq(got, want);
    ez_vars_free(v);
    ez_replay_close(r);
    free(name);
}

START_TEST(values)
{
    struct ez_series *s, *other;
    begin();
    ok(ez_series_begin(path, "aggregates of a", &s));
    ok(ez_series_set(s, "sum of n", 3));
    ok(ez_series_set(s, "mean, ns", -0.25));
    ok(ez_series_set(s, "sum of n", 1e15));
    ok(ez_series_set(s, "sum of n", 7));
    reads(path, "aggregates of a aggregates mean, ns 1 -0.25..-0.25 -0.25; "
                "aggregates of a aggregates sum of n 3 3..1e+15 7; "); /* it is valid at any time */
    ok(ez_series_begin(path, "b", &other));
    ok(ez_series_set(other, "x", 1));
    ck_assert_str_ne(ez_series_path(other), path);
    EZ_FREE char *second = ez_strdup(ez_series_path(other));
    ez_series_end(other);
    ez_series_end(s);
    ez_series_end(NULL);
    reads(second, "b aggregates x 1 1..1 1; ");
    reads(path, "aggregates of a aggregates mean, ns 1 -0.25..-0.25 -0.25; "
                "aggregates of a aggregates sum of n 3 3..1e+15 7; ");
    end();
}
END_TEST

START_TEST(a_killed_writer)
{
    begin();
    pid_t pid = fork();
    if (!pid) {
        struct ez_series *s;
        if (ez_err_drop(ez_series_begin(path, "k", &s)) && ez_err_drop(ez_series_set(s, "x", 5)))
            _exit(9);
        _exit(1);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(WEXITSTATUS(status), 9);
    reads(path, "k aggregates x 1 5..5 5; ");
    end();
}
END_TEST

START_TEST(no_folder)
{
    struct ez_series *s;
    ez_err *e = ez_series_begin("/tmp/check-series-none/a.fxt", "a", &s);
    ck_assert_ptr_nonnull(e);
    ck_assert_ptr_null(s);
    ez_err_free(e);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("series");
    TCase *t = tcase_create("series");
    tcase_add_test(t, values);
    tcase_add_test(t, a_killed_writer);
    tcase_add_test(t, no_folder);
    suite_add_tcase(s, t);
    return run_suite(s);
}
