/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_out.c - nothing from outside reaches the terminal as a control; times, as they are told
 * and typed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/base.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/width.h"
#include "tests/unit/shell/check_shell.h"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    { "plain", "main () at t.c:4", "main () at t.c:4" },
    { "tab stays", "a\tb", "a\tb" },
    { "escape", "\033[2J", "\\033[2J" },
    { "the text of one", "\\033[2J", "\\\\033[2J" },
    { "newline", "a\nb", "a\\012b" },
    { "carriage return", "a\rb", "a\\015b" },
    { "delete", "\177", "\\177" },
    { "bell", "\a", "\\007" },
    { "letters", "h\303\251 \346\227\245", "h\303\251 \346\227\245" },
    { "C1 control in UTF-8", "\302\233A", "\\302\\233A" },
    { "C1 control as a byte", "\233A", "\\233A" },
    { "bidi override", "\342\200\256x", "\\342\\200\\256x" },
    { "bidi isolate", "\342\201\246", "\\342\\201\\246" },
    { "zero width", "a\342\200\213b", "a\\342\\200\\213b" },
    { "overlong", "\300\233", "\\300\\233" },
    { "cut short", "\342\200", "\\342\\200" },
    { "surrogate", "\355\240\200", "\\355\\240\\200" },
    { "emoji", "\360\237\220\237", "\360\237\220\237" },
    { "tag character", "\363\240\200\201", "\\363\\240\\200\\201" },
};

START_TEST(escaped)
{
    char *got = out_escape(cases[_i].text);
    ck_assert_msg(!strcmp(got, cases[_i].want), "%s: <%s>", cases[_i].name, got);
    free(got);
}
END_TEST

static const struct {
    const char *text;
    size_t width, room;
    const char *want;
} widths[] = {
    { "", 0, 5, "" },
    { "compute", 7, 7, "compute" },
    { "compute", 7, 6, "co...e" },
    { "compute_all_of_it", 17, 9, "com..._it" },
    { "gr\303\266\303\237e", 5, 5, "gr\303\266\303\237e" },
    { "gro\314\210\303\237e", 5, 5, "gro\314\210\303\237e" }, /* the dots by themselves */
    { "o\314\210abcdefo\314\210", 8, 6, "o\314\210a...o\314\210" },
    { "\346\227\245\346\234\254\350\252\236", 6, 6, "\346\227\245\346\234\254\350\252\236" },
    { "\346\227\245\346\234\254\350\252\236\345\255\227", 8, 7, "\346\227\245...\345\255\227" },
};

START_TEST(shortened)
{
    EZ_FREE char *got = width_shorten(widths[_i].text, widths[_i].room);
    ck_assert_uint_eq(width_of(widths[_i].text), widths[_i].width);
    ck_assert_str_eq(got, widths[_i].want);
    ck_assert_uint_le(width_of(got), widths[_i].room);
}
END_TEST

static const struct {
    const char *text;
    size_t room, at;
    const char *want;
} parts[] = {
    { "create_a_first_kind_of_object", 24, 9, "create...first_...object" },
    { "create_a_first_kind_of_object", 24, 2, "create_a_fi..._of_object" },  /* at the start */
    { "create_a_first_kind_of_object", 24, 25, "create_a_fi..._of_object" }, /* at the end */
    { "create_a_first_kind_of_object", 24, 20, "create...of_...object" },
    { "create_a_first_kind_of_object", 14, 9, "create...bject" }, /* no room for it */
    { "create", 24, 3, "create" },
    { "gr\303\266\303\237e_gr\303\266\303\237e_und_mehr_davon", 18, 10,
      "gr\303\266\303\237...\303\266\303\237e_...avon" },
};

START_TEST(shortened_around)
{
    EZ_FREE char *got = width_shorten_at(parts[_i].text, parts[_i].room, parts[_i].at);
    ck_assert_str_eq(got, parts[_i].want);
    ck_assert_uint_le(width_of(got), parts[_i].room);
}
END_TEST

/* Prints a table of names with lines of at most that many columns; the caller frees the text. */
static char *printed(unsigned most, const char *const *name)
{
    static struct ez_sess sess;
    char *text = ez_alloc(4096);
    FILE *to = tmpfile();
    struct out_table t;
    int out = dup(1);
    fflush(stdout);
    ck_assert(to && dup2(fileno(to), 1) == 1);
    out_table_init(&t, &sess, "~Function", "~Library", ">Calls", NULL);
    t.most = most;
    t.leaves_out = true;
    for (; *name; name++)
        out_row(&t, *name, "libx.so", "12", NULL);
    out_table_print(&t);
    out_flush(&sess);
    fflush(stdout);
    ck_assert(dup2(out, 1) == 1 && !fseek(to, 0, SEEK_SET));
    text[fread(text, 1, 4095, to)] = 0;
    fclose(to);
    close(out);
    return text;
}

/* Different names stay different; the same name is shortened to the same text. A column that has
 * one value is omitted first. */
START_TEST(names_stay_distinct)
{
    static const char *const some[] = { "create_an_instance_first_kind_of_object",
                                        "create_an_instance_third_kind_of_object",
                                        "create_an_instance_first_kind_of_object", "x", NULL };
    static const char *const many[] = { "aaaaaaaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaaaaaa",
                                        "aaaaaaaaaaaaaaaaaaaaaaaa2aaaaaaaaaaaaaaaaaaaaaaa",
                                        "aaaaaaaaaaaaaaaaaaaaaaaa3aaaaaaaaaaaaaaaaaaaaaaa", NULL };
    EZ_FREE char *wide = printed(100, some), *narrow = printed(31, some);
    EZ_FREE char *numbers = printed(21, many);
    ck_assert_str_eq(wide, "Function                                 Library  Calls\n"
                           "create_an_instance_first_kind_of_object  libx.so     12\n"
                           "create_an_instance_third_kind_of_object  libx.so     12\n"
                           "create_an_instance_first_kind_of_object  libx.so     12\n"
                           "x                                        libx.so     12\n");
    ck_assert_str_eq(narrow, "Function                  Calls\n"
                             "create...first_...object     12\n"
                             "create...third_...object     12\n"
                             "create...first_...object     12\n"
                             "x                            12\n");
    ck_assert_str_eq(numbers, "Function        Calls\n"
                              "aaaaa...aaaa#1     12\n"
                              "aaaaa...aaaa#2     12\n"
                              "aaaaa...aaaa#3     12\n");
}
END_TEST

static const struct {
    uint64_t ns;
    const char *want;
} times[] = {
    { 0, "0 ns" },
    { 999, "999 ns" },
    { 1000, "1.00 us" },
    { 999990, "999.99 us" },
    { 1000000, "1.00 ms" },
    { 12345678, "12.35 ms" },
    { 999990000, "999.99 ms" },
    { 1000000000, "1.000 s" },
    { 61234567890, "61.235 s" },
};

START_TEST(time_that_is_left)
{
    static const struct {
        uint64_t done, total, ms;
        const char *text;
    } t[] = {
        { 10, 100, 1000, ", 9 s left" }, /* a tenth took a second                   */
        { 50, 100, 500, ", 1 s left" },  /* half a second is no whole one           */
        { 1, 1000, 1000, ", 17 min left" },
        { 10, 100, 100, "" }, /* too early to tell                       */
        { 0, 100, 5000, "" }, /* nothing was done                        */
        { 100, 100, 5000, "" },
        { 100, 0, 5000, "" }, /* nobody knows how much there is           */
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(t); i++)
        ck_assert_str_eq(out_left(t[i].done, t[i].total, t[i].ms * 1000000).text, t[i].text);
}
END_TEST

START_TEST(time_as_text)
{
    struct ez_sess s = { .target = NULL };
    ck_assert_str_eq(out_time(&s, times[_i].ns), times[_i].want);
    sess_forget(&s, 0);
    EZ_VEC_FREE(&s.kept);
}
END_TEST

static const struct {
    const char *text;
    uint64_t ns;
} typed[] = {
    { "1.5s", 1500000000 },
    { "2", 2000000000 },
    { "300ms", 300000000 },
    { "20us", 20000 },
    { "7ns", 7 },
    { "0.4ns", 0 },
    { "0.5ns", 1 },
    { "0.999999999s", 999999999 },
    { "1.0006us", 1001 },
    { "1.0004us", 1000 },
    { "99999999999999999999s", UINT64_MAX },
};

START_TEST(time_as_typed)
{
    uint64_t ns = 77;
    ez_err *e = parse_time(typed[_i].text, &ns);
    ck_assert_msg(!e && ns == typed[_i].ns, "%s: %lu %s", typed[_i].text, (unsigned long)ns,
                  e ? e->msg : "");
    ck_assert(!ez_err_drop(parse_time("1.5 parsecs", &ns)));
    ck_assert(!ez_err_drop(parse_time("", &ns)));
}
END_TEST

START_TEST(a_file_that_is_not_there)
{
    struct ez_sess s = { 0 };
    ez_err *e = out_file(&s, "/nowhere/at/all");
    ck_assert(e && e->errnum == ENOENT);
    ez_err_free(e);
}
END_TEST

TCase *out_case(void)
{
    TCase *t = tcase_create("out");
    tcase_add_loop_test(t, shortened, 0, EZ_ARRAY_LEN(widths));
    tcase_add_loop_test(t, shortened_around, 0, EZ_ARRAY_LEN(parts));
    tcase_add_test(t, names_stay_distinct);
    tcase_add_loop_test(t, escaped, 0, EZ_ARRAY_LEN(cases));
    tcase_add_loop_test(t, time_as_text, 0, EZ_ARRAY_LEN(times));
    tcase_add_test(t, a_file_that_is_not_there);
    tcase_add_test(t, time_that_is_left);
    tcase_add_loop_test(t, time_as_typed, 0, EZ_ARRAY_LEN(typed));
    return t;
}
