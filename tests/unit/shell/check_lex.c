/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_lex.c - lines are split into words, and words read as numbers. */
#include <string.h>

#include "shell/parse_word.h"
#include "shell/lex.h"
#include "tests/unit/shell/check_shell.h"

static const struct {
    const char *line, *want; /* words joined with '|'; NULL: an error */
} words[] = {
    { "", "" },
    { "  \t ", "" },
    { "a b  c", "a|b|c" },
    { "a # b", "a" },
    { "a#b", "a#b" },
    { "# all", "" },
    { "'a b' c", "a b|c" },
    { "\"a b\"c", "a bc" },
    { "''", "" },
    { "x '' y", "x||y" },
    { "foo\\.c", "foo\\.c" },
    { "'it\\'", "it\\" },
    { "\"q\\\"q\\\\\"", "q\"q\\" },
    { "'#' a", "#|a" },
    { "'open", NULL },
    { "\"open\\\"", NULL },
};

START_TEST(line_into_words)
{
    char got[128] = "", **w = NULL;
    int n = 0;
    ez_err *e = lex_words(words[_i].line, &w, &n);
    if (!words[_i].want) {
        ck_assert_msg(e && e->code == EZ_E_ARG, "<%s>: no error", words[_i].line);
        ez_err_free(e);
        return;
    }
    ck_assert_ptr_null(e);
    for (int i = 0; i < n; i++) {
        strcat(got, i ? "|" : "");
        strcat(got, w[i]);
    }
    ck_assert_ptr_null(w[n]);
    ck_assert_msg(!strcmp(got, words[_i].want), "<%s>: <%s>, want <%s>", words[_i].line, got,
                  words[_i].want);
    lex_free(w);
}
END_TEST

static const struct {
    const char *text;
    size_t want;
} names[] = { { "x/4x", 1 }, { "!ls", 1 }, { "continue&", 8 },     { "set-x a", 5 },
              { "", 0 },     { "&", 0 },   { "info functions", 4 } };

/* Room for each word once took as much as all behind it: 40 GB for this line. */
START_TEST(many_words)
{
    enum { N = 200000 };
    char *line = ez_alloc(2 * N + 1), **w = NULL;
    int n = 0;
    for (size_t i = 0; i < N; i++)
        memcpy(line + 2 * i, "a ", 2);
    ck_assert_ptr_null(lex_words(line, &w, &n));
    ck_assert_int_eq(n, N);
    lex_free(w);
    free(line);
}
END_TEST

START_TEST(length_of_name)
{
    ck_assert_msg(lex_name(names[_i].text) == names[_i].want, "<%s>", names[_i].text);
}
END_TEST

static const struct {
    const char *word, *want;
} quoted[] = { { "plain-1.0", "plain-1.0" },
               { "", "''" },
               { "a b", "'a b'" },
               { "it's", "'it'\\''s'" },
               { "$HOME", "'$HOME'" } };

START_TEST(word_for_sh)
{
    char *got = lex_sh_quote(quoted[_i].word);
    ck_assert_str_eq(got, quoted[_i].want);
    free(got);
}
END_TEST

static const struct {
    const char *text;
    uint64_t want;
    bool ok;
} sizes[] = {
    { "4096", 4096, true },
    { "0x1000", 4096, true },
    { "4K", 4096, true },
    { "2m", 2u << 20, true },
    { "1G", 1u << 30, true },
    { "", 0, false },
    { "K", 0, false },
    { "4KB", 0, false },
    { "-1", 0, false },
    { "99999999999999999999", 0, false },
    { "20000000000G", 0, false },
};

START_TEST(size_with_unit)
{
    uint64_t got = 0;
    bool ok = ez_err_drop(parse_size(sizes[_i].text, &got));
    ck_assert_msg(ok == sizes[_i].ok && (!ok || got == sizes[_i].want), "<%s>: %d %llu",
                  sizes[_i].text, ok, (unsigned long long)got);
}
END_TEST

static const struct {
    const char *text;
    uint64_t want;
    bool ok;
} times[] = {
    { "1.5s", 1500000000, true },
    { "300ms", 300000000, true },
    { "20 us", 20000, true },
    { "7ns", 7, true },
    { "3", 3000000000, true },
    { "7095516155", 7095516155000000000, true },
    { "7200.123456789", 7200123456789, true },
    { "0.0000000019s", 1, true }, /* the ninth digit is the last */
    { "99999999999999999999", UINT64_MAX, true },
    { "18446744073.709551615", UINT64_MAX, true },
    { "18446744073.709551616", UINT64_MAX, true },
    { "18446744073709551616ns", UINT64_MAX, true },
    { "184467440737095516150ns", UINT64_MAX, true },
    { "", 0, false },
    { "s", 0, false },
    { "-1s", 0, false },
    { "1e3", 0, false },
    { "5 minutes", 0, false },
    { "nan", 0, false },
};

START_TEST(time_with_unit)
{
    uint64_t got = 0;
    bool ok = ez_err_drop(parse_time(times[_i].text, &got));
    ck_assert_msg(ok == times[_i].ok && (!ok || got == times[_i].want), "<%s>: %d %llu",
                  times[_i].text, ok, (unsigned long long)got);
}
END_TEST

/* Words as another program's shell may pass them: lex_words() returns them unchanged. */
static const char *const passed[] = {
    "plain.fxt", "",       " ",    "a b", "#no comment", "it's", "\"",    "\\",           "\\\"",
    "$HOME;`x`", "a\nb\n", "-top", "--",  "C:\\x\\",     "'\"'", "*?[a]", "\xc3\xa9\x01",
};

START_TEST(words_survive)
{
    EZ_FREE char *one = lex_quote(passed[_i]), *line = ez_sprintf("%s x %s", one, one);
    char **got;
    int n;
    ck_assert(ez_err_drop(lex_words(line, &got, &n)));
    ck_assert_int_eq(n, 3);
    ck_assert_str_eq(got[0], passed[_i]);
    ck_assert_str_eq(got[1], "x");
    ck_assert_str_eq(got[2], passed[_i]);
    lex_free(got);
}
END_TEST

TCase *lex_case(void)
{
    TCase *t = tcase_create("lex");
    tcase_add_loop_test(t, line_into_words, 0, EZ_ARRAY_LEN(words));
    tcase_add_test(t, many_words);
    tcase_add_loop_test(t, length_of_name, 0, EZ_ARRAY_LEN(names));
    tcase_add_loop_test(t, word_for_sh, 0, EZ_ARRAY_LEN(quoted));
    tcase_add_loop_test(t, words_survive, 0, EZ_ARRAY_LEN(passed));
    tcase_add_loop_test(t, size_with_unit, 0, EZ_ARRAY_LEN(sizes));
    tcase_add_loop_test(t, time_with_unit, 0, EZ_ARRAY_LEN(times));
    return t;
}
