/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_context.c - sets of ranks against a plain bitmap, and contexts: every construct of the grammar, and every error. */
#include <string.h>

#include "engine/jobs/context.h"
#include "tests/unit/suite.h"

/* ---- ranks ------------------------------------------------------------------------------------------ */

enum { BITS = 96 };

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x;
}

static void same(const struct ez_ranks *r, const bool *want)
{
    uint64_t n = 0, listed = 0;
    for (uint32_t i = 0; i < BITS; i++) {
        ck_assert_int_eq(ez_ranks_has(r, i), want[i]);
        n += want[i];
    }
    ck_assert_uint_eq(ez_ranks_count(r), n);
    for (EZ_EACH_RANK(rank, r)) {
        ck_assert(want[rank]);
        listed++;
    }
    ck_assert_uint_eq(listed, n);
    for (size_t i = 1; i < r->span.n; i++) /* as few spans as can be */
        ck_assert_uint_gt(r->span.at[i].from, r->span.at[i - 1].to + 1);
    struct ez_ranks again = { 0 };
    EZ_FREE char *text = ez_ranks_text(r);
    if (*text)
        ck_assert_ptr_null(ez_ranks_parse(text, &again));
    ck_assert(ez_ranks_equal(r, &again));
    ez_ranks_free(&again);
}

static void scatter(struct ez_ranks *r, bool *bits, uint64_t *x)
{
    memset(bits, 0, BITS);
    *r = (struct ez_ranks){ 0 };
    for (uint64_t n = next(x) % 12; n--;) {
        uint32_t from = (uint32_t)(next(x) % BITS), more = (uint32_t)(next(x) % 9);
        uint32_t to = EZ_MIN(from + more, BITS - 1u);
        ez_ranks_add(r, from, to);
        for (uint32_t i = from; i <= to; i++)
            bits[i] = true;
    }
}

START_TEST(sets)
{
    uint64_t x = 88172645463325252ull;
    bool a[BITS], b[BITS], want[BITS];
    for (int round = 0; round < 2000; round++) {
        struct ez_ranks r, with, out;
        scatter(&r, a, &x);
        scatter(&with, b, &x);
        same(&r, a);
        for (int op = 0; op < 3; op++) {
            ez_ranks_copy(&out, &r);
            (op == 0   ? ez_ranks_unite
             : op == 1 ? ez_ranks_intersect
                       : ez_ranks_remove)(&out, &with);
            for (int i = 0; i < BITS; i++)
                want[i] = op == 0 ? a[i] || b[i] : op == 1 ? a[i] && b[i] : a[i] && !b[i];
            same(&out, want);
            ez_ranks_free(&out);
        }
        ez_ranks_free(&r);
        ez_ranks_free(&with);
    }
}
END_TEST

static void list(const char *text, const char *want)
{
    struct ez_ranks r = { 0 };
    ez_err *e = ez_ranks_parse(text, &r);
    if (want) {
        ck_assert_msg(!e, "%s: %s", text, e ? e->msg : "");
        EZ_FREE char *got = ez_ranks_text(&r);
        ck_assert_str_eq(got, want);
    } else {
        ck_assert_msg(e != NULL, "%s is taken", text);
        ck_assert_int_eq(e->code, EZ_E_ARG);
        ck_assert_ptr_nonnull(strstr(e->msg, text));
        ez_err_free(e);
    }
    ez_ranks_free(&r);
}

START_TEST(lists)
{
    list("7", "7");
    list("0-3,7,16-64/16", "0-3,7,16,32,48,64");
    list("5,4,3", "3-5");
    list("10-12,1,11-20", "1,10-20");
    list("1-6/3", "1,4");
    list("4294967294", "4294967294");
    static const char *const wrong[] = {
        "",    ",",          "1,",          "1,,2",           "3-1", "1-", "-1", "1-2/0", "x",
        "1 2", "4294967295", "99999999999", "1-4000000000/2", "1/"
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(wrong); i++)
        list(wrong[i], NULL);
}
END_TEST

/* ---- contexts ------------------------------------------------------------------------------------------ */

static struct ez_roster roster;
static struct ez_contexts named;

/* 16 ranks, four on each of node0, node1, node10 and gpu3. */
static void begin(void)
{
    static const char *const host[] = { "node0", "node1", "node10", "gpu3" };
    for (uint32_t i = 0; i < 16; i++) {
        struct ez_member *m = ez_roster_put(&roster, (i * 5) % 16); /* in any order */
        m->pid = 100 + (pid_t)m->rank;
        free(m->host);
        m->host = ez_strdup(host[m->rank / 4]);
    }
    ez_roster_count_local(&roster);
}

static void end(void)
{
    ez_roster_free(&roster);
    ez_contexts_free(&named);
}

static void means(const char *expr, const char *want)
{
    struct ez_ranks r;
    ez_err *e = ez_context_ranks(&named, &roster, expr, &r);
    ck_assert_msg(!e, "%s: %s", expr, e ? e->msg : "");
    EZ_FREE char *text = ez_ranks_text(&r);
    ck_assert_msg(!strcmp(text, want), "%s means %s, not %s", expr, text, want);
    ez_ranks_free(&r);
}

static void fails(const char *expr, const char *message)
{
    struct ez_ranks r;
    ez_err *e = ez_context_ranks(&named, &roster, expr, &r);
    ck_assert_msg(e != NULL, "%s is taken", expr);
    ck_assert_msg(strstr(e->msg, message), "%s: \"%s\" lacks \"%s\"", expr, e->msg, message);
    ck_assert_uint_eq(r.span.n, 0);
    ez_err_free(e);
}

START_TEST(expressions)
{
    means("all", "0-15");
    means("none", "");
    means("3", "3");
    means("ranks 0-2,30", "0-2");
    means("not 1-14", "0,15");
    means("0-7 and 4-11", "4-7");
    means("0 or 2 or 4", "0,2,4");
    means("0 or 1-9 and 8-12", "0,8-9"); /* `and` binds more tightly */
    means("(0 or 1-9) and 8-12", "8-9");
    means("not 0-7 and not 12-15", "8-11"); /* and `not` most of all */
    means("not (0-7 and 4-11)", "0-3,8-15");
    means("not not 3", "3");
    means("hosts node1", "4-7");
    means("hosts node1*,gpu?", "4-15");
    means("hosts nobody", "");
    means("hosts node* and not hosts node0", "4-11");
    means("where rank % 2 == 0", "0,2,4,6,8,10,12,14");
    means("where rank == 0 || rank == size - 1", "0,15");
    means("where local == 3", "3,7,11,15");
    means("where pid >= 110 && pid < 112", "10-11");
    means("where host == \"node1*\" && local > 1", "6-7,10-11");
    means("where host != \"node*\"", "12-15");
    means("where (rank & 3) == 3 or 0", "0,3,7,11,15");
    means("where rank ? rank > 12 : 1", "0,13-15");
    means("where !(rank >> 2) and not 1", "0,2-3");
    means("where -rank + 4 > ~-2", "0-2");
    means("where rank*rank<10", "0-3");
}
END_TEST

START_TEST(names)
{
    ck_assert_ptr_null(ez_context_define(&named, &roster, "even", "where rank % 2 == 0"));
    means("even and 0-5", "0,2,4");
    ck_assert_ptr_null(ez_context_define(&named, &roster, "few", "even and hosts gpu3"));
    means("few", "12,14");
    ck_assert_ptr_null(ez_context_define(&named, &roster, "even", "0"));
    means("even", "0");
    means("few", "12,14"); /* who is a member was found when it was defined */
    ez_err *e = ez_context_define(&named, &roster, "all", "0");
    ck_assert_str_eq(e->msg, "\"all\" is a reserved word");
    ez_err_free(e);
    e = ez_context_define(&named, &roster, "a b", "0");
    ck_assert_str_eq(e->msg, "\"a b\" is not a name: a name has letters, digits, - and _");
    ez_err_free(e);
    e = ez_context_define(&named, &roster, "4ever", "0");
    ck_assert_ptr_nonnull(e);
    ez_err_free(e);
    e = ez_context_define(&named, &roster, "few", "even and");
    ck_assert_ptr_nonnull(e);
    ez_err_free(e);
    means("few", "12,14"); /* as it was */
    ck_assert_ptr_null(ez_context_delete(&named, "even"));
    fails("even", "There is no context \"even\"");
    e = ez_context_delete(&named, "even");
    ck_assert_int_eq(e->code, EZ_E_NOTFOUND);
    ez_err_free(e);
}
END_TEST

/* The k smallest of splitmix64(seed, rank), by a second and plainer reckoning. */
static void sample(unsigned percent, uint64_t seed)
{
    uint64_t value[16];
    bool want[16] = { false };
    size_t k = (size_t)(16 * percent / 100.0 + 0.5);
    for (uint64_t i = 0; i < 16; i++) {
        uint64_t z = seed * 0x2545f4914f6cdd1dull + (i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        value[i] = z ^ (z >> 31);
    }
    if (percent && !k)
        k = 1;
    for (; k--;) {
        int least = -1;
        for (int i = 0; i < 16; i++)
            if (!want[i] && (least < 0 || value[i] < value[least]))
                least = i;
        want[least] = true;
    }
    struct ez_ranks r;
    EZ_FREE char *expr = ez_sprintf("sample %u%% seed %llu", percent, (unsigned long long)seed);
    ck_assert_ptr_null(ez_context_ranks(&named, &roster, expr, &r));
    for (uint32_t i = 0; i < 16; i++)
        ck_assert_int_eq(ez_ranks_has(&r, i), want[i]);
    ez_ranks_free(&r);
}

START_TEST(samples)
{
    for (uint64_t seed = 0; seed < 20; seed++)
        for (unsigned p = 0; p <= 100; p += 10)
            sample(p, seed);
    sample(1, 3);
    means("sample 0%", "");
    means("sample 100% of hosts gpu3", "12-15");
    means("sample 100% of (0 or 3)", "0,3");
    means("sample 100% of not 0-13", "14-15");
    fails("sample 10", "A share from 0% to 100% is expected");
    fails("sample 101%", "A share from 0% to 100% is expected");
    fails("sample nan%", "A share from 0% to 100% is expected");
    fails("sample 5% seed x", "A number is expected instead of \"x\"");
    fails("sample 5% of", "A context is expected at the end");
}
END_TEST

START_TEST(mistakes)
{
    fails("", "A context is expected at the end");
    fails("0 1", "\"or\", \"and\" or the end is expected instead of \"1\"");
    fails("(0", "\")\" is expected at the end");
    fails("0 or", "A context is expected at the end");
    fails("and 0", "There is no context \"and\"");
    fails("ranks x", "A list of ranks is expected instead of \"x\"");
    fails("ranks 3-1", "is not a list of ranks");
    fails("hosts", "A pattern of hosts is expected");
    fails("where", "A condition is expected");
    fails("where rank ==", "A syntax error in expression");
    fails("where color == 3", "A condition on ranks has no variable \"color\"");
    fails("where rank / 0", "Division by zero");
    fails("where rank % (size - 16)", "Division by zero");
    fails("where host", "\"host\" is a text, not a number");
    fails("where f(rank)", "A condition cannot contain an expression of this kind");
    fails("where plugin", "FILE:FUNC is expected");
    fails("where plugin nothing", "is not FILE:FUNC");
    fails("where plugin ./nothing.so:f", "nothing.so");
    EZ_FREE char *deep = ez_alloc(600);
    memset(deep, '(', 500);
    fails(deep, "nested too deeply");
    for (int i = 0; i < 125; i++)
        memcpy(deep + 4 * i, "not ", 4);
    fails(deep, "nested too deeply");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("context");
    TCase *t = tcase_create("context");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, sets);
    tcase_add_test(t, lists);
    tcase_add_test(t, expressions);
    tcase_add_test(t, names);
    tcase_add_test(t, samples);
    tcase_add_test(t, mistakes);
    suite_add_tcase(s, t);
    return run_suite(s);
}
