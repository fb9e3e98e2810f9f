/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_out.c - nothing from outside reaches the terminal as a control. */
#include <stdlib.h>
#include <string.h>

#include "engine/base.h"
#include "shell/out.h"
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

TCase *out_case(void)
{
    TCase *t = tcase_create("out");
    tcase_add_loop_test(t, shortened, 0, EZ_ARRAY_LEN(widths));
    tcase_add_loop_test(t, escaped, 0, EZ_ARRAY_LEN(cases));
    return t;
}
