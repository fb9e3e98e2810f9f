/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_out.c - nothing from outside reaches the terminal as a control. */
#include <stdlib.h>
#include <string.h>

#include "engine/base.h"
#include "shell/out.h"
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

TCase *out_case(void)
{
    TCase *t = tcase_create("out");
    tcase_add_loop_test(t, escaped, 0, EZ_ARRAY_LEN(cases));
    return t;
}
