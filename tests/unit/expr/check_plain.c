/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_plain.c - conditions over supplied numbers and texts (engine/expr/plain.h). */
#include "engine/expr/plain.h"
#include "tests/unit/suite.h"

#include <check.h>
#include <string.h>

static ez_err *supply(void *arg, const struct ez_expr *x, struct ez_plain *out)
{
    EZ_FREE char *name = ez_plain_spelling(x);
    *out = (struct ez_plain){ 0 };
    if (!strcmp(name, "n"))
        *out = ez_plain_int(5);
    else if (!strcmp(name, "big"))
        *out = ez_plain_int((__int128)UINT64_MAX);
    else if (!strcmp(name, "minus"))
        *out = ez_plain_int(-1);
    else if (!strcmp(name, "half"))
        *out = ez_plain_real(.5);
    else if (!strcmp(name, "s"))
        *out = ez_plain_text("MPI_Send");
    else if (!strcmp(name, "p->x[3]") || !strcmp(name, "*p.y"))
        *out = ez_plain_int(7);
    else if (!strcmp(name, "thread"))
        *out = (struct ez_plain){ .kind = EZ_PL_INT, .i = 42, .text = "worker" };
    else if (!strcmp(name, "title") || !strcmp(name, "long_title"))
        *out = (struct ez_plain){ .kind = EZ_PL_INT,
                                  .i = 42,
                                  .text = *name == 't' ? "worker 42" : "rank 1: worker 42",
                                  .title = true };
    else if (!strcmp(name, "null"))
        *out = (struct ez_plain){ .kind = EZ_PL_INT, .null = true };
    else if (!strcmp(name, "wrong"))
        return ez_err_new(EZ_E_ARG, 0, "no %s here", name);
    return NULL;
}

static ez_err *condition(const char *text, enum ez_plain_mode mode, bool *holds)
{
    struct ez_expr *x;
    EZ_TRY(ez_expr_parse(text, NULL, &x));
    ez_err *e = ez_plain_holds(x, mode, supply, NULL, holds);
    ez_expr_free(x);
    return e;
}

static void is(const char *text, bool expected)
{
    bool holds = !expected;
    ez_err *e = condition(text, EZ_PLAIN_STRICT, &holds);
    ck_assert_msg(!e && holds == expected, "%s: %s", text, e ? e->msg : "the other value");
}

static void fails(const char *text, enum ez_plain_mode mode, const char *message)
{
    bool holds;
    ez_err *e = condition(text, mode, &holds);
    ck_assert_msg(e && strstr(e->msg, message), "%s: %s", text, e ? e->msg : "no error");
    ez_err_free(e);
}

START_TEST(numbers)
{
    is("n == 5", true);
    is("n > 5 || n < 5", false);
    is("n >= 5 && n <= 5 && n != 6", true);
    is("n + 2 * 3 == 11 && n - 7 == -2", true);
    is("n / 2 == 2 && n % 2 == 1 && -n / 2 == -2", true);
    is("n << 2 == 20 && n >> 1 == 2", true);
    is("(n & 4) == 4 && (n | 2) == 7 && (n ^ 1) == 4", true);
    is("!n", false);
    is("~n == -6 && +n == 5", true);
    is("n ? half > 1 : 1", false);
    is("half * 4 == 2 && n / 2.0 == 2.5 && -half < 0", true);
    is("half + 1 > 1.4 && half - 1 <= -.5 && half >= .5 && half != 0", true);
    is("'A' == 65", true);
    is("n / minus == -5 && n % minus == 0", true);
    /* numbers compare by their values, signed or not */
    is("minus < big && big > minus && big == 18446744073709551615", true);
    is("p->x[3] == 7 && *p.y == 7", true);
}
END_TEST

START_TEST(texts)
{
    is("s == \"MPI_Send\"", true);
    is("s == \"MPI_*\" && \"*Send\" == s", true);
    is("s != \"MPI_Recv\"", true);
    is("s == \"MPI_\"", false);
    is("thread == 42 && thread == \"work*\" && thread != \"x\"", true);
}
END_TEST

/* A value that is not known makes a comparison neither true nor false. */
START_TEST(unknown)
{
    is("nothing == 1", false);
    is("nothing != 1", false);
    is("!(nothing == 1)", false);
    is("nothing + 1 > 0 || -nothing", false);
    is("nothing == 1 || n == 5", true);
    is("nothing == \"a\"", false);
    is("nothing ? 1 : n", false);
    is("!(nothing ? 1 : 0)", false);
    is("!(nothing == 1 && n == 5) || !(n == 5 && nothing)", false);
    is("!(nothing == 1 || n == 4) || !(n == 4 || nothing)", false);
    is("!(nothing == 1 && n == 4) && !(n == 4 && nothing)", true);
    is("(nothing == 1 || n == 5) && (n == 5 || nothing)", true);
}
END_TEST

START_TEST(titles)
{
    is("title == \"worker\" && \"wo*r\" == title && title == \"worker 42\" && title == 42", true);
    is("title == \"work\" || title == \"orker\" || title == \"worker 4\"", false);
    is("title != \"worker\" || long_title != \"worker\"", false);
    is("long_title == \"worker\" && long_title == \"rank 1: worker\"", true);
    is("long_title == \"rank 1:\" || long_title == \"1: worker 4\"", false);
    is("thread == \"worke\"", false);
}
END_TEST

START_TEST(null_texts)
{
    is("null == 0 && !(null != 0) && !null", true);
    is("null == \"*\" || \"\" == null || null == s || s == null", false);
    is("null != \"*\" && \"\" != null && null != s && s != null", true);
    is("s == 0 || 0 == s || s == null", false);
    is("s != 0 && 0 != s", true);
    fails("s > 0", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("s == 1", EZ_PLAIN_STRICT, "\"s\" is a text");
}
END_TEST

/* Where one call of many has a zero, the condition does not hold for that call. */
START_TEST(divisions)
{
    bool holds = true;
    ck_assert_ptr_null(condition("10 / (n - 5) > 3", EZ_PLAIN_LENIENT, &holds));
    ck_assert(!holds);
    ck_assert_ptr_null(condition("!(10 % (n - 5))", EZ_PLAIN_LENIENT, &holds));
    ck_assert(!holds);
    ck_assert_ptr_null(condition("10 / (n - 5) > 3 || n == 5", EZ_PLAIN_LENIENT, &holds));
    ck_assert(holds);
}
END_TEST

START_TEST(mistakes)
{
    fails("n == s", EZ_PLAIN_STRICT, "\"s\" is a text, not a number");
    fails("s + n", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("n + \"abc\"", EZ_PLAIN_STRICT, "\"abc\" is a text");
    fails("s < \"b\"", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("s", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("!s", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("s && 1", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("1 && s", EZ_PLAIN_STRICT, "\"s\" is a text");
    fails("n / 0", EZ_PLAIN_STRICT, "Division by zero");
    fails("n % (n - 5)", EZ_PLAIN_STRICT, "Division by zero");
    fails("half % 2", EZ_PLAIN_STRICT, "A condition cannot use this operator");
    fails("~half", EZ_PLAIN_STRICT, "A condition cannot use this operator");
    fails("&n", EZ_PLAIN_STRICT, "A condition cannot use this operator");
    fails("n = 1", EZ_PLAIN_STRICT, "A condition cannot contain an expression of this kind");
    fails("f(n)", EZ_PLAIN_STRICT, "A condition cannot contain an expression of this kind");
    fails("sizeof n", EZ_PLAIN_STRICT, "A condition cannot contain an expression of this kind");
    fails("wrong", EZ_PLAIN_STRICT, "no wrong here");
    /* operands that are skipped count only with `all` */
    is("0 && wrong", false);
    is("1 || wrong", true);
    is("n ? 1 : wrong", true);
    fails("0 && wrong", EZ_PLAIN_CHECK, "no wrong here");
    fails("1 || wrong", EZ_PLAIN_CHECK, "no wrong here");
    fails("n ? 1 : wrong", EZ_PLAIN_CHECK, "no wrong here");
    fails("0 ? wrong : 1", EZ_PLAIN_CHECK, "no wrong here");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("plain");
    TCase *t = tcase_create("plain");
    tcase_add_test(t, numbers);
    tcase_add_test(t, texts);
    tcase_add_test(t, unknown);
    tcase_add_test(t, null_texts);
    tcase_add_test(t, titles);
    tcase_add_test(t, divisions);
    tcase_add_test(t, mistakes);
    suite_add_tcase(s, t);
    return run_suite(s);
}
