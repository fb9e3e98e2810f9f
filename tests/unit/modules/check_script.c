/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_script.c - what is said of wrong scripts, and where. */
#include <string.h>

#include "modules/compiler/script.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#define HEAD "BEGIN_MODULE\nNAME m\nID 20\n"
#define FRAME(text) HEAD text "END_MODULE\n"

static const struct wrong {
    const char *script, *said; /* "LINE:COL: message", a line each */
} wrong[] = {
    { "", "1:1: BEGIN_MODULE was expected, not the end of the script\n"
          "1:1: END_MODULE was expected\n" },
    { "NAME m\n", "1:1: BEGIN_MODULE was expected, not NAME\n"
                  "2:1: END_MODULE was expected\n" },
    { "BEGIN_MODULE\n", "2:1: END_MODULE was expected\n" },
    { "BEGIN_MODULE\nID 20\nvoid f(void)\nEND_MODULE\n", "1:1: the module has no NAME\n" },
    { "BEGIN_MODULE\nNAME m\nvoid f(void)\nEND_MODULE\n",
      "2:1: warning: no ID is given: it will be e8, made from the NAME\n" },
    { "BEGIN_MODULE\nNAME m\nID 20\nvoid f(void)\nEND_MODULE\nint g(void)\n",
      "6:1: nothing may follow END_MODULE\n" },
    { "BEGIN_MODULE\nNAME m\nID 20\nvoid f(void)\n", "5:1: END_MODULE was expected\n" },
    { "BEGIN_MODULE\nNAME 9m\nID 20\nvoid f(void)\nEND_MODULE\n",
      "2:6: a NAME begins with a letter or '_'\n" },
    { "BEGIN_MODULE\nNAME ../m\nID 20\nvoid f(void)\nEND_MODULE\n",
      "2:6: a NAME is made of letters, digits, '_' and '-'\n" },
    { "BEGIN_MODULE\nNAME -m\nID 20\nvoid f(void)\nEND_MODULE\n",
      "2:6: a NAME begins with a letter or '_'\n" },
    { "BEGIN_MODULE\nNAME $(touch x)\nID 20\nvoid f(void)\nEND_MODULE\n",
      "2:13: NAME takes one word\n" },
    { "BEGIN_MODULE\nNAME\nID 20\nvoid f(void)\nEND_MODULE\n",
      "2:5: NAME needs a word on its line\n" },
    { "BEGIN_MODULE\nNAME a b\nID 20\nvoid f(void)\nEND_MODULE\n", "2:7: NAME takes one word\n" },
    { "BEGIN_MODULE\nNAME m\nID 0f\nvoid f(void)\nEND_MODULE\n",
      "3:1: ID is a hexadecimal number from 10 to ff\n" },
    { "BEGIN_MODULE\nNAME m\nID 100\nvoid f(void)\nEND_MODULE\n",
      "3:1: ID is a hexadecimal number from 10 to ff\n" },
    { "BEGIN_MODULE\nNAME m\nID xyz\nvoid f(void)\nEND_MODULE\n",
      "3:1: ID is a hexadecimal number from 10 to ff\n" },
    { FRAME(""), "1:1: the module has no functions\n" },
    { FRAME("NAME n\nvoid f(void)\n"), "4:1: a second NAME\n" },
    { FRAME("BEGIN_MODULE\nvoid f(void)\n"),
      "4:1: a second BEGIN_MODULE: a script is one module\n" },
    { FRAME("LANGUAGE COBOL\nvoid f(void)\n"), "4:1: LANGUAGE is C or FORTRAN\n" },
    { FRAME("void f(void)\nLANGUAGE FORTRAN\n"),
      "5:1: LANGUAGE must stand before the first function\n" },
    { FRAME("TYPE PROGRAM\nvoid f(void)\n"), "4:1: TYPE is LIBRARY or APPLICATION\n" },
    { FRAME("DESC\nvoid f(void)\n"), "4:5: DESC needs a text on its line\n" },
    { FRAME("DESC \"a\" b\nvoid f(void)\n"), "4:10: DESC takes one text\n" },
    { FRAME("DESC \"open\nvoid f(void)\n"), "4:6: the quote is not closed on its line\n" },
    { FRAME("DESC \"a\tb\"\nvoid f(void)\n"),
      "4:8: a text has no tabs or other control characters\n" },
    { FRAME("DESC \"a\\nb\"\nvoid f(void)\n"),
      "4:8: in a text, a backslash stands before a quote or a backslash alone\n" },
    { FRAME("f()\n"),
      "4:1: the type of the result is missing: write \"void f\" if there is none\n" },
    { FRAME("int f()\n"), "4:5: warning: f() says nothing of parameters: if there are any they are "
                          "lost; write (void) if there are none\n" },
    { FRAME("int f(int a\nBEGIN\nEND\n"), "4:5: the '(' of f is not closed\n" },
    { FRAME("int f(int a,)\n"), "4:13: the type of a parameter was expected, not )\n" },
    { FRAME("int f(int a int b)\n"), "4:13: ',' or ')' was expected, not int\n" },
    { FRAME("int f(int a, int a)\n"), "4:18: a second parameter a\n" },
    { FRAME("int f(int RESULT)\n"),
      "4:11: the name RESULT is taken: call the parameter otherwise\n" },
    { FRAME("int f(int ezt_x)\n"),
      "4:11: the name ezt_x is taken: call the parameter otherwise\n" },
    { FRAME("int f(int orig_f)\n"),
      "4:11: the name orig_f is taken: call the parameter otherwise\n" },
    { FRAME("int x\nvoid f(void)\n"), "4:5: x is no function: '(' was expected behind it\n" },
    { FRAME("int (*fp)(int)\nvoid f(void)\n"),
      "4:7: fp is no function: '(' was expected behind it\n" },
    { FRAME("int f(struct {int a;} x)\n"),
      "4:14: define types in BEGIN_INCLUDE, and name them here\n" },
    { FRAME("int f(int a, ..., int b)\n"), "4:17: ')' was expected, not ,\n" },
    { FRAME("int f(...)\n"), "4:7: a parameter must stand before \"...\"\n" },
    { FRAME("TYPE APPLICATION\nint f(int a, ...)\n"),
      "5:14: a function of the APPLICATION with \"...\" cannot be replaced: what is behind it can "
      "be passed on only to a vf of a LIBRARY\n" },
    { FRAME("int open(const char *path, int flags, ...)\n"),
      "4:39: no function vopen takes what \"...\" stands for: write int open(const char *path, int "
      "flags, mode_t mode)\n" },
    { FRAME("LANGUAGE FORTRAN\nSUBROUTINE f(INTEGER n, ...)\n"), "5:25: FORTRAN has no \"...\"\n" },
    { FRAME("LANGUAGE FORTRAN\nSUBROUTINE f(CHARACTER c, INTEGER c_len)\n"),
      "5:35: the name c_len is taken: call the parameter otherwise\n" },
    { FRAME("LANGUAGE FORTRAN\nADD()\nadd()\n"), "6:1: a second function add\n" },
    { FRAME("__attribute__((ms_abi)) int f(int a)\n"),
      "4:16: a function of another calling convention cannot be replaced\n" },
    { FRAME("int f(void)\nint f(void)\n"), "5:5: a second function f\n" },
    { FRAME("int f(int $a)\n"), "4:11: the character $ has no meaning here\n" },
    { FRAME("int f(int a) { return a; }\n"),
      "4:14: the prototype of a function was expected, not {\n" },
    { FRAME("int f(int a[3)\n"), "4:14: this ')' does not fit the brackets before\n" },
    { FRAME("int f(int /* a)\n"), "4:11: the comment is not closed\n"
                                  "6:1: END_MODULE was expected\n" },
    { FRAME("BEGIN\nEVENT(\"x\")\nEND\nvoid f(void)\n"),
      "4:1: BEGIN without the prototype of a function before it\n" },
    { FRAME("void f(void)\nEND\n"), "5:1: END without BEGIN\n" },
    { FRAME("EVENT(\"x\")\nvoid f(void)\n"), "4:1: EVENT outside BEGIN and END\n" },
    { FRAME("END_INCLUDE\nvoid f(void)\n"), "4:1: END_INCLUDE without BEGIN_INCLUDE\n" },
    { FRAME("void f(void)\nBEGIN\n"), "5:1: this BEGIN has no END\n" },
    { FRAME("void f(void)\nBEGIN\nEND_IF\nEND\n"), "6:1: END_IF without IF\n" },
    { FRAME("void f(void)\nBEGIN\nELSE\nEND\n"), "6:1: ELSE without IF\n" },
    { FRAME("int f(int a)\nBEGIN\nIF (a)\nEND\n"), "6:1: this IF has no END_IF\n" },
    { FRAME("int f(int a)\nBEGIN\nIF (a)\nELSE\nELSE\nEND_IF\nEND\n"), "8:1: a second ELSE\n" },
    { FRAME("int f(int a)\nBEGIN\nIF (a)\nCALL_FUNC\nEND_IF\nEND\n"),
      "7:1: CALL_FUNC inside IF: the function is always called, once\n" },
    { FRAME("int f(int a)\nBEGIN\nIF (a)\nCOUNTERS\nEND_IF\nEND\n"),
      "7:1: COUNTERS inside IF: counters are measured for the whole call\n" },
    { FRAME("int f(int a)\nBEGIN\nCALL_FUNC\nPAPI\nEND\n"),
      "7:1: COUNTERS behind CALL_FUNC: the call is over\n" },
    { FRAME("int f(int a)\nBEGIN\nCOUNTERS(1)\nEND\n"), "6:10: ')' was expected, not 1\n" },
    { FRAME("int f(int a)\nBEGIN\nCOUNTERS(\"PAPI_TOT_INS\", 1)\nEND\n"),
      "6:24: ')' was expected, not ,\n" },
    { FRAME("int f(int a)\nBEGIN\nPAPI(\"\")\nEND\n"), "6:6: the text is empty\n" },
    { FRAME("int f(int a)\nBEGIN\nCALL_FUNC\nCALL_FUNC\nEND\n"),
      "7:1: a second CALL_FUNC: the function is called once\n" },
    { FRAME("int f(int a)\nBEGIN\nCALL_FUNC\nRECORD_STATE(\"x\")\nEND\n"),
      "7:1: RECORD_STATE behind CALL_FUNC: the call is over\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT\nEND\n"), "7:1: '(' was expected, not END\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT()\nEND\n"), "6:7: a text in quotes was expected, not )\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT(a)\nEND\n"),
      "6:7: a text in quotes was expected, not a\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT(\"\")\nEND\n"), "6:7: the text is empty\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT(\"open)\nEND\n"),
      "6:7: the quote is not closed on its line\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT(\"x\", a)\nEND\n"), "6:10: ')' was expected, not ,\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\")\nEND\n"),
      "6:12: ',' and a value was expected, not )\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", )\nEND\n"),
      "6:14: a value was expected, not )\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", a, a)\nEND\n"),
      "6:15: one value was expected: put brackets around what has a comma\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", a = 3)\nEND\n"),
      "6:16: a value must not change anything: '=' (for equality: '==')\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", a++)\nEND\n"),
      "6:15: a value must not change anything: '++'\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", a; system(0))\nEND\n"),
      "6:15: ';' has no place in a value\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", ({ a; }))\nEND\n"),
      "6:15: '{' has no place in a value\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", (a]\nEND\n"),
      "6:16: this ']' does not fit the brackets before\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", (a\nEND\n"),
      "6:12: the value that begins here has no ')' at its end\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", `id`)\nEND\n"),
      "6:14: the character ` has no meaning here\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", 'a)\nEND\n"),
      "6:14: the quote is not closed on its line\n" },
    { FRAME("int f(int a)\nBEGIN\nSET_VAR(\"x\", RESULT)\nCALL_FUNC\nEND\n"),
      "6:14: RESULT is known behind CALL_FUNC only\n" },
    { FRAME("void f(int a)\nBEGIN\nCALL_FUNC\nSET_VAR(\"x\", RESULT)\nEND\n"),
      "7:14: f has no RESULT\n" },
    { FRAME("int f(int a)\nBEGIN\nevent(\"x\")\nEND\n"),
      "6:1: unknown command event: write EVENT\n" },
    { FRAME("int f(int a)\nBEGIN\nPRINT(\"x\")\nEND\n"), "6:1: unknown command PRINT\n" },
    { FRAME("int f(int a)\nBEGIN\nPOP_STATE(\"x\")\nEND\n"),
      "6:11: ')' was expected, not \"x\"\n" },
    { FRAME("int f(int a)\nBEGIN\n\"x\"\nEND\n"), "6:1: a command was expected, not \"x\"\n" },
    { FRAME("BEGIN_INCLUDE\n#include <x.h>\n"), "4:1: there is no line END_INCLUDE\n"
                                                "7:1: END_MODULE was expected\n" },
    { FRAME("BEGIN_CFLAGS -g\n-O1\nEND_CFLAGS\nvoid f(void)\n"),
      "4:14: the block begins on the next line\n" },
    { FRAME("BEGIN_CFLAGS\n-o x\nEND_CFLAGS\nvoid f(void)\n"),
      "5:1: a script cannot choose the compiler's input and output\n" },
    { FRAME("BEGIN_LDFLAGS\n'-la\nEND_LDFLAGS\nvoid f(void)\n"), "5:1: the quote is not closed\n" },
    { FRAME("int f(int a)\nBEGIN\nEVENT(a)\nEVENT(\"x\nIF (RESULT)\nEND\nint g(int b\nvoid "
            "h(void)\nBEGIN\nPRINT\nEND\n"),
      "6:7: a text in quotes was expected, not a\n"
      "7:7: the quote is not closed on its line\n"
      "8:1: this IF has no END_IF\n"
      "8:5: RESULT is known behind CALL_FUNC only\n"
      "11:1: ',' or ')' was expected, not void\n"
      "13:1: unknown command PRINT\n" },
};

static char *said_of(const char *text, size_t n)
{
    struct ez_src t;
    struct ez_script s;
    ez_src_init(&t, "x.tpl", text, n);
    ez_script_read(&s, &t);
    char *said = ez_src_said(&t);
    ez_script_deinit(&s);
    ez_src_deinit(&t);
    return said;
}

START_TEST(each_wrong_script_has_its_message)
{
    const struct wrong *w = &wrong[_i];
    EZ_FREE char *said = said_of(w->script, strlen(w->script)),
                 *found = said_without(said, "x.tpl:");
    ck_assert_msg(!strcmp(found, w->said), "of\n%s\nwas said\n%s\nnot\n%s", w->script, found,
                  w->said);
}
END_TEST

START_TEST(the_caret_stands_below_the_place)
{
    static const char script[] =
        FRAME("void f(int a)\nBEGIN\n\tSET_VAR(\"\xc3\xa9\", b c = 1)\nEND\n");
    EZ_FREE char *said = said_of(script, strlen(script));
    ck_assert_str_eq(said,
                     "x.tpl:6:20: a value must not change anything: '=' (for equality: '==')\n"
                     "    \tSET_VAR(\"\xc3\xa9\", b c = 1)\n"
                     "    \t                 ^\n");
}
END_TEST

START_TEST(of_many_errors_twenty_are_told)
{
    char script[4000] = HEAD;
    for (int i = 0; i < 30; i++)
        strcat(script, "void f(int a b)\n");
    strcat(script, "END_MODULE\n");
    EZ_FREE char *said = said_of(script, strlen(script)), *found = said_without(said, "x.tpl:");
    size_t n = 0;
    for (const char *p = found; *p; p++)
        n += *p == '\n';
    ck_assert_uint_eq(n, 20 + 1); /* and how many more */
    ck_assert_ptr_nonnull(strstr(said, "x.tpl: 10 more errors\n"));
}
END_TEST

START_TEST(bytes_that_are_no_text_are_shown_as_text)
{
    static const char script[] = "BEGIN_MODULE\nNAME m\x1b[31m\xff\nEND_MODULE\n";
    static const char zero[] = "BEGIN_MODULE\nNAME m\0\nEND_MODULE\n";
    EZ_FREE char *said = said_of(script, sizeof script - 1),
                 *other = said_of(zero, sizeof zero - 1);
    ck_assert_ptr_null(strchr(said, '\x1b'));
    ck_assert_ptr_nonnull(strstr(said, "\\033[31m\\377"));
    ck_assert_ptr_nonnull(strstr(other, "2:7: a zero byte: the file is no text"));
}
END_TEST

START_TEST(files_of_other_systems_are_read)
{
    static const char script[] =
        "\xef\xbb\xbf"
        "BEGIN_MODULE\r\nNAME m\r\nDESC bare words\r\nID ff\r\nTYPE LIBRARY\r\n"
        "BEGIN_CFLAGS\r\n-g '-DA=b c'\r\nEND_CFLAGS\r\nint f(int a)\r\nBEGIN\r\nEND\r\nEND_MODULE";
    struct ez_src t;
    struct ez_script s;
    ez_src_init(&t, "x.tpl", script, sizeof script - 1);
    ez_script_read(&s, &t);
    ck_assert_uint_eq(t.errors + t.warnings, 0);
    ck_assert_str_eq(s.name, "m");
    ck_assert_str_eq(s.desc, "bare words");
    ck_assert_uint_eq(s.id, 0xff);
    ck_assert_uint_eq(s.cflags.n, 2);
    ck_assert_str_eq(s.cflags.at[1], "-DA=b c");
    ck_assert_uint_eq(s.functions.n, 1);
    ck_assert_str_eq(s.functions.at[0].cmds.at[0].text, "Doing function f");
    ez_script_deinit(&s);
    ez_src_deinit(&t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("script");
    TCase *c = tcase_create("script");
    tcase_add_loop_test(c, each_wrong_script_has_its_message, 0, (int)EZ_ARRAY_LEN(wrong));
    tcase_add_test(c, the_caret_stands_below_the_place);
    tcase_add_test(c, of_many_errors_twenty_are_told);
    tcase_add_test(c, bytes_that_are_no_text_are_shown_as_text);
    tcase_add_test(c, files_of_other_systems_are_read);
    suite_add_tcase(s, c);
    return run_suite(s);
}
