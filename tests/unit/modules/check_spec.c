/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_spec.c - specifications: what is said of wrong ones, what applies where, and the text of fragments. */
#include <string.h>

#include "modules/instrument/spec/declare.h"
#include "modules/instrument/spec/spec.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

static const struct wrong {
    const char *text, *said; /* "LINE:COL: message", a line each */
} wrong[] = {
    { "enter code=\"f();\"",
      "1:1: enter is not a clause: the clauses are entry, exit, decl, abort, init, loop, throw, "
      "catch, and rules with file and line\n" },
    { "entry", "1:1: the clause has no code\n" },
    { "entry exit code=\"\"", "1:7: a clause has one point: exit is a second\n" },
    { "loop loop entry code=\"\"", "1:6: a clause has one point: loop is a second\n" },
    { "loop code=\"f();\"", "1:1: loop needs entry or exit: loop entry code=\"...\"\n" },
    { "decl loop code=\"f();\"", "1:6: loop needs entry or exit: loop entry code=\"...\"\n" },
    { "loop entry call=\"f\" code=\"\"", "1:12: loop and call are two points\n" },
    { "call=\"f\" code=\"\"", "1:1: call needs entry or exit: entry call=\"NAME\" code=\"...\"\n" },
    { "abort call=\"f\" code=\"\"",
      "1:7: call needs entry or exit: entry call=\"NAME\" code=\"...\"\n" },
    { "code=\"f();\"", "1:1: a clause needs a point, such as entry, or both file and line\n" },
    { "file=\"a.c\" code=\"f();\"",
      "1:1: a clause needs a point, such as entry, or both file and line\n" },
    { "init line=1 code=\"f();\"",
      "1:6: line belongs to rules with file, and to decl, entry, exit and abort\n" },
    { "init routine=\"main\" code=\"f();\"",
      "1:6: init takes no routine: it is the main program's\n" },
    { "line=1 routine=\"f\" code=\"\"", "1:8: a rule with file and line takes no routine\n" },
    { "line=0 code=\"\"", "1:6: the number of a line, from 1, was expected\n" },
    { "line=\"1\" code=\"\"", "1:6: the number of a line, from 1, was expected\n" },
    { "line=1234567890 code=\"\"", "1:6: the number of a line, from 1, was expected\n" },
    { "entry code", "1:11: '=' was expected behind code\n" },
    { "entry code!=\"\"", "1:11: code takes '=' alone\n" },
    { "entry code=f();", "1:12: a text in double quotes was expected\n" },
    { "entry code=\"f();", "1:12: the quote is not closed on its line\n" },
    { "entry code=\"f();\\\"\nexit code=\"\"", "1:12: the quote is not closed on its line\n" },
    { "entry code=\"\" code=\"\"", "1:15: a second code\n" },
    { "entry code=\"a\\d\"", "1:14: C has no escape \\d: write \\\\ for a backslash\n" },
    { "entry code=\"a\\0b\"", "1:14: a zero byte ends every text: it cannot be in one\n" },
    { "entry code=\"a\\036b\"",
      "1:14: the bytes 036 and 037 cannot be in a text: in a literal of C write \\\\036\n" },
    { "entry routine=\"\" code=\"\"", "1:16: the text is empty: nothing has that name\n" },
    { "entry lang=\"c,java\" code=\"\"", "1:13: a list of c, c++ and fortran was expected\n" },
    { "entry lang=\"\" code=\"\"", "1:13: a list of c, c++ and fortran was expected\n" },
    { "entry lang=\"c,\" code=\"\"", "1:13: a list of c, c++ and fortran was expected\n" },
    { "entry lang=\"c c++\" code=\"\"", "1:13: a list of c, c++ and fortran was expected\n" },
    { "entry ; code=\"\"", "1:7: a word was expected, such as entry or code\n" },
    { "line=1 code=\"@ROUTINE@\"", "1:14: @ROUTINE@ may not stand in a rule with file and line\n" },
    { "entry code=\"f(@ARGC@, \\\"@ARGV@\\\")\"",
      "1:15: @ARGC@ may not stand in entry\n1:25: @ARGV@ may not stand in entry\n" },
    { "init code=\"@RTTI@\"", "1:12: @RTTI@ may not stand in init\n" },
    { "entry code=\"@CALLEE@\"", "1:13: @CALLEE@ may not stand in entry\n" },
    { "init lang=\"fortran\" code=\"@ARGC@\"", "1:27: @ARGC@ is for c,c++ alone\n" },
    { "entry lang=\"c\" code=\"@RTTI@\"", "1:22: @RTTI@ is for c++ alone\n" },
    { "entry code=\"@NAME@ @ a@b.c @x@\"",
      "1:13: warning: there is no keyword @NAME@: this text is inserted unchanged\n" },
    { "entry code=\"if (1) {\"",
      "1:13: '{' in the code is not closed: the braces of a clause are balanced\n" },
    { "decl code=\"} \\\"{\\\"\"",
      "1:12: '}' in the code closes nothing: the braces of a clause are balanced\n" },
    { "entry code=\"if (1) { f(\\\"{\\\"); } /* { */ // {\"\nexit code=\"#if 1\\n{\\n#endif\"",
      "" },
    { "file=\"*\" line=1 code=\"{\"\nentry lang=\"fortran\" code=\"{\"", "" },
    /* an error ends its clause alone; a line that a backslash joins belongs to it */
    { "entry x\nexit\ndecl code=\"@ARGC@\"",
      "1:7: x is not a clause: the clauses are entry, exit, decl, abort, init, loop, throw, catch, "
      "and "
      "rules with file "
      "and line\n2:1: the clause has no code\n3:12: @ARGC@ may not stand in decl\n" },
    { "entry x \\\n code=\"f();\"\nexit",
      "1:7: x is not a clause: the clauses are entry, exit, decl, "
      "abort, init, loop, throw, catch, and rules with file "
      "and line\n3:1: the clause has no code\n" },
    { "BEGIN_EXCLUDE_LIST\nf\n", "1:1: this list has no END_EXCLUDE_LIST\n" },
    { "END_EXCLUDE_LIST\n", "1:1: END_EXCLUDE_LIST without BEGIN_EXCLUDE_LIST\n" },
    { "BEGIN_EXCLUDE_LIST\nf\nEND_INCLUDE_LIST\n",
      "3:1: END_EXCLUDE_LIST was expected before\n3:1: END_INCLUDE_LIST without "
      "BEGIN_INCLUDE_LIST\n" },
    { "BEGIN_EXCLUDE_LIST\nBEGIN_FILE_INCLUDE_LIST\n*.c\nEND_FILE_INCLUDE_LIST\n",
      "2:1: END_EXCLUDE_LIST was expected before\n" },
    { "BEGIN_EXCLUDE_LIST\n\"f\nEND_EXCLUDE_LIST\n", "2:1: the quote is not closed on its line\n" },
    { "BEGIN_EXCLUDE_LIST\n\"\"\nEND_EXCLUDE_LIST\n", "2:2: the name is empty\n" },
    { "loop entry line=2 code=\"\"\n",
      "1:12: line belongs to rules with file, and to decl, entry, exit and abort\n" },
    { "loops call=\"f\"\n", "1:7: loop and call are two points\n" },
    { "BEGIN_SOME_LIST\n",
      "1:1: BEGIN_SOME_LIST is not a clause: the clauses are entry, exit, decl, abort, init, loop, "
      "throw, catch, and rules with file and line\n" },
};

/* Without the name of the file, and without its lines. The caller frees it. */
static char *messages(const struct ez_src *t)
{
    EZ_FREE char *said = ez_src_said(t);
    return said_without(said, "x.spec:");
}

static void read_in(struct ez_spec *s, struct ez_src *t, const char *text)
{
    *s = (struct ez_spec){ 0 };
    ez_src_init(t, "x.spec", text, strlen(text));
    ez_spec_read(s, t);
}

static void read_good(struct ez_spec *s, struct ez_src *t, const char *text)
{
    read_in(s, t, text);
    EZ_FREE char *said = ez_src_said(t);
    ck_assert_msg(!t->errors, "of\n%s\nwas said\n%s", text, said);
}

static void forget(struct ez_spec *s, struct ez_src *t)
{
    ez_spec_deinit(s);
    ez_src_deinit(t);
}

START_TEST(each_wrong_specification_has_its_message)
{
    struct ez_spec s;
    struct ez_src t;
    read_in(&s, &t, wrong[_i].text);
    EZ_FREE char *found = messages(&t);
    ck_assert_msg(!strcmp(found, wrong[_i].said), "of\n%s\nwas said\n%s\nnot\n%s", wrong[_i].text,
                  found, wrong[_i].said);
    forget(&s, &t);
}
END_TEST

static void show_is(const char *text, const char *expected)
{
    struct ez_spec s;
    struct ez_src t;
    read_good(&s, &t, text);
    EZ_FREE char *shown = ez_spec_show(&s);
    ck_assert_str_eq(shown, expected);
    forget(&s, &t);
}

START_TEST(the_canonical_form_leaves_defaults_out_and_is_stable)
{
    static const char once[] =
        "BEGIN_EXCLUDE_LIST\nvoid f(int)\n\"#x\"\nEND_EXCLUDE_LIST\n"
        "BEGIN_FILE_INCLUDE_LIST\n*.c\nEND_FILE_INCLUDE_LIST\n"
        "file=\"*\" line=1 code=\"#include <stdio.h>\"\n"
        "entry code=\"printf(\\\"a\\tb\\n\\\");\"\n"
        "exit file=\"a?.c\" routine!=\"main\" lang=\"c,c++\" code=\"\\001'?\"\n"
        "loop entry routine~=\"^m\" code=\"x\"\n"
        "exit call!~=\"^f$\" code=\"y\"\n"
        "throw code=\"t\"\n";
    show_is("# a comment\n"
            "  file=\"*\"\tline=1 code=\"#include <stdio.h>\"   # and one more\r\n"
            "code=\"printf(\\\"a\\tb\\n\\\");\" entry lang=\"all\"\n"
            "exit file=\"a?.c\" lang=\" C++ , c\" \\\n  code=\"\\x01\\'\\?\" routine!=\"main\"\n\n"
            "entry routine ~= \"^m\" loop code=\"x\"\n"
            "BEGIN_INSTRUMENT_SECTION\nexit call!~=\"^f$\" code=\"y\"\nEND_INSTRUMENT_SECTION\n"
            "BEGIN_EXCLUDE_LIST\n# no name\n  void f(int)  \n\"#x\"\n\nEND_EXCLUDE_LIST\n"
            "throw code=\"\\\nt\"\n"
            "BEGIN_FILE_INCLUDE_LIST\n*.c\nEND_FILE_INCLUDE_LIST",
            once);
    show_is(once, once);
    static const char tau[] = "loops file=\"a.c\" routine=\"#\"\nloops routine~=\"^f\" lang=\"c\"\n"
                              "entry file=\"a.c\" line=7 code=\"x\"\n";
    show_is("BEGIN_INSTRUMENT_SECTION\nloops file = \"a.c\" routine=\"#\"\nloops lang=\"c\" "
            "routine~=\"^f\"\nio file=\"a.c\" routine=\"#\"\nstatic timer name=\"t\" line=1 to "
            "line=3\nentry file=\"a.c\" line = 7 code=\"x\"\nEND_INSTRUMENT_SECTION\n",
            tau);
    show_is(tau, tau);
    show_is("", "");
    show_is("\xef\xbb\xbf#\n\\\n", "");
}
END_TEST

/* ---- what applies where -------------------------------------------------------------------------------- */

#define INT_F "int ns::C::f(int, char*) const"

static const struct select {
    const char *attrs; /* of an entry */
    const char *name, *signature, *file;
    enum ez_spec_lang lang;
    bool applies;
} selects[] = {
    { "", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine=\"#\" file=\"*\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine=\"main\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine=\"main\"", "main2", "int main2()", "a.c", EZ_SPEC_C, false },
    { "routine=\"int main()\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine=\"int  main( )\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine=\"intmain()\"", "main", "int main()", "a.c", EZ_SPEC_C, false },
    { "routine=\"main()\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine=\"ns::C::f\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, true },
    { "routine=\"C::f\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, false },
    { "routine=\"#C::f\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, true },
    { "routine=\"#::f(int, char *) const\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, true },
    { "routine=\"#::f(int, char *)\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, false },
    { "routine=\"int #\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, true },
    { "routine=\"n#C#f\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, true },
    { "routine=\"n*f\"", "ns::C::f", INT_F, "a.cc", EZ_SPEC_CXX, false },
    { "routine=\"#a#b#\"", "xaxxbx", "void xaxxbx()", "a.c", EZ_SPEC_C, true },
    { "routine=\"#a#b#\"", "xbxxax", "double xbxxax()", "a.c", EZ_SPEC_C, false },
    { "routine~=\"^ma\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine~=\"^int ma\"", "main", "int main()", "a.c", EZ_SPEC_C, true },
    { "routine~=\"^ain\"", "main", "int main()", "a.c", EZ_SPEC_C, false },
    { "routine!~=\"^main$\"", "main", "int main()", "a.c", EZ_SPEC_C, false },
    { "routine!~=\"^main$\"", "main_loop", "int main_loop()", "a.c", EZ_SPEC_C, true },
    { "routine!=\"main\"", "main", "int main()", "a.c", EZ_SPEC_C, false },
    { "routine!=\"main\"", "f", "int f()", "a.c", EZ_SPEC_C, true },
    { "routine=\"SOLVE\"", "m::solve", "m::solve", "a.f90", EZ_SPEC_FORTRAN, false },
    { "routine=\"M::SOLVE\"", "m::solve", "m::solve", "a.f90", EZ_SPEC_FORTRAN, true },
    { "routine~=\"^m::s\"", "M::Solve", "M::Solve", "a.f90", EZ_SPEC_FORTRAN, true },
    { "routine=\"MAIN\"", "main", "int main()", "a.c", EZ_SPEC_C, false },
    { "lang=\"c\"", "f", "int f()", "a.cc", EZ_SPEC_CXX, false },
    { "lang=\"c,fortran\"", "f", "f", "a.f", EZ_SPEC_FORTRAN, true },
    { "file=\"a.c\"", "f", "int f()", "/src/b/a.c", EZ_SPEC_C, true },
    { "file=\"b/a.c\"", "f", "int f()", "/src/b/a.c", EZ_SPEC_C, true },
    { "file=\"b/a.c\"", "f", "int f()", "/src/bb/a.c", EZ_SPEC_C, false },
    { "file=\"/src/*\"", "f", "int f()", "/src/b/a.c", EZ_SPEC_C, true },
    { "file=\"?.c\"", "f", "int f()", "ab.c", EZ_SPEC_C, false },
    { "file=\"*.c\"", "f", "int f()", "b.cc", EZ_SPEC_C, false },
    { "file!=\"*.c\"", "f", "int f()", "b.cc", EZ_SPEC_C, true },
    { "file~=\"/b/\"", "f", "int f()", "/src/b/a.c", EZ_SPEC_C, true },
};

START_TEST(a_clause_applies_where_its_attributes_say)
{
    const struct select *k = &selects[_i];
    struct ez_spec s;
    struct ez_src t;
    struct ez_spec_routine r = {
        .name = k->name, .signature = k->signature, .file = k->file, .lang = k->lang
    };
    struct ez_spec_site site = { .routine = &r, .file = k->file, .lang = k->lang };
    EZ_FREE char *text = ez_alloc(strlen(k->attrs) + 40);
    sprintf(text, "entry %s code=\"x\"", k->attrs);
    read_good(&s, &t, text);
    ck_assert_msg((ez_spec_next(&s, 0, EZ_SPEC_ENTRY, &site) == 0) == k->applies, "%s: %s",
                  k->attrs, k->signature);
    ck_assert_uint_eq(ez_spec_next(&s, 0, EZ_SPEC_EXIT, &site), SIZE_MAX);
    forget(&s, &t);
}
END_TEST

static bool wants(const char *lists, const char *name, const char *signature, const char *file)
{
    struct ez_spec s;
    struct ez_src t;
    struct ez_spec_routine r = {
        .name = name, .signature = signature, .file = file, .lang = EZ_SPEC_C
    };
    struct ez_spec_site site = { .routine = &r, .file = file, .lang = EZ_SPEC_C };
    EZ_FREE char *text = ez_alloc(strlen(lists) + 80);
    sprintf(text, "%s\nentry code=\"x\"\ninit code=\"i\"\nline=1 code=\"h\"\n", lists);
    read_good(&s, &t, text);
    bool wanted = ez_spec_wants(&s, &r);
    ck_assert_int_eq(ez_spec_next(&s, 0, EZ_SPEC_ENTRY, &site) != SIZE_MAX, wanted);
    /* what no routine has looks at the lists of files alone */
    ck_assert_int_eq(ez_spec_next(&s, 0, EZ_SPEC_INIT, &site) != SIZE_MAX,
                     ez_spec_wants_file(&s, file));
    site.routine = NULL;
    ck_assert_int_eq(ez_spec_next(&s, 0, EZ_SPEC_FILE, &site) != SIZE_MAX,
                     ez_spec_wants_file(&s, file));
    forget(&s, &t);
    return wanted;
}

START_TEST(lists_win)
{
    static const char exclude[] = "BEGIN_EXCLUDE_LIST\nvoid quicksort(int *, int, int)\nsort_#\n"
                                  "\"#_helper\"\n# main\nEND_EXCLUDE_LIST";
    static const char both[] = "BEGIN_INCLUDE_LIST\nint main#\nf\nEND_INCLUDE_LIST\n"
                               "BEGIN_EXCLUDE_LIST\nf\nEND_EXCLUDE_LIST";
    static const char files[] = "BEGIN_FILE_INCLUDE_LIST\n*.c\nEND_FILE_INCLUDE_LIST\n"
                                "BEGIN_FILE_EXCLUDE_LIST\nfoo?.c\nEND_FILE_EXCLUDE_LIST";
    ck_assert(!wants(exclude, "quicksort", "void quicksort(int*, int, int)", "a.c"));
    ck_assert(!wants(exclude, "sort_5elements", "void sort_5elements(int*)", "a.c"));
    ck_assert(!wants(exclude, "a_helper", "int a_helper()", "a.c"));
    ck_assert(wants(exclude, "main", "int main()", "a.c"));
    ck_assert(wants(both, "main", "int main(int, char**)", "a.c"));
    ck_assert(!wants(both, "f", "int f()", "a.c"));
    ck_assert(!wants(both, "g", "int g()", "a.c"));
    ck_assert(wants(files, "f", "int f()", "src/a.c"));
    ck_assert(!wants(files, "f", "int f()", "src/foo1.c"));
    ck_assert(!wants(files, "f", "int f()", "src/a.cc"));
}
END_TEST

START_TEST(a_list_needs_no_clause_behind_it_to_be_asked)
{
    struct ez_spec s;
    struct ez_src t;
    read_good(
        &s, &t,
        "entry call=\"MPI_#\" code=\"<@CALLEE@>\"\nloop exit code=\"l@LINE@\"\nthrow code=\"t\"");
    struct ez_spec_routine r = {
        .name = "f", .signature = "void f()", .file = "a.c", .lang = EZ_SPEC_C
    };
    struct ez_spec_site site = { &r, "a.c", EZ_SPEC_C, 7, 3, "MPI_Send" };
    EZ_FREE char *call = ez_spec_fragment(&s, EZ_SPEC_CALL_ENTRY, &site);
    ck_assert_str_eq(call, "<MPI_Send>");
    site.callee = "PMPI_Send";
    ck_assert_ptr_null(ez_spec_fragment(&s, EZ_SPEC_CALL_ENTRY, &site));
    ck_assert_ptr_null(ez_spec_fragment(&s, EZ_SPEC_CALL_EXIT, &site));
    site.callee = NULL;
    EZ_FREE char *loop = ez_spec_fragment(&s, EZ_SPEC_LOOP_EXIT, &site);
    ck_assert_str_eq(loop, "l7");
    ck_assert_ptr_null(ez_spec_fragment(&s, EZ_SPEC_LOOP_ENTRY, &site));
    ck_assert_ptr_null(ez_spec_fragment(&s, EZ_SPEC_CATCH, &site));
    forget(&s, &t);
}
END_TEST

/* ---- the text of fragments --------------------------------------------------------------------------------- */

static const struct expanded {
    const char *clause;
    enum ez_spec_point point;
    enum ez_spec_lang lang;
    const char *rtti, *code;
} expands[] = {
    { "entry code=\"f(\\\"@ROUTINE@\\\", \\\"@FILE@\\\", @LINE@, @COL@);\"", EZ_SPEC_ENTRY,
      EZ_SPEC_C, NULL, "f(\"int g(\\\"q\\\", 'c')\", \"dir/a b.c\", 12, 5);" },
    { "exit code=\"@BEGIN_LINE@:@BEGIN_COL@-@END_LINE@:@END_COL@\"", EZ_SPEC_EXIT, EZ_SPEC_C, NULL,
      "10:2-20:1" },
    { "entry code=\"@ROUTINE@\"", EZ_SPEC_ENTRY, EZ_SPEC_C, NULL, "int g(\"q\", 'c')" },
    { "entry code=\"'\\\\''; @ROUTINE@\"", EZ_SPEC_ENTRY, EZ_SPEC_C, NULL,
      "'\\''; int g(\"q\", 'c')" },
    { "entry code=\"\\\"\\\\\\\"@ROUTINE@\\\"\"", EZ_SPEC_ENTRY, EZ_SPEC_C, NULL,
      "\"\\\"int g(\\\"q\\\", 'c')\"" },
    { "entry code=\"call f('@ROUTINE@')\"", EZ_SPEC_ENTRY, EZ_SPEC_FORTRAN, NULL,
      "call f('int g(\"q\", ''c'')')" },
    { "entry code=\"call f(\\\"@ROUTINE@\\\")\"", EZ_SPEC_ENTRY, EZ_SPEC_FORTRAN, NULL,
      "call f(\"int g(\"\"q\"\", 'c')\")" },
    { "entry code=\"! it's\\ncall f('@LINE@')\"", EZ_SPEC_ENTRY, EZ_SPEC_FORTRAN, NULL,
      "! it's\ncall f('12')" },
    { "entry code=\"n(@RTTI@)\"", EZ_SPEC_ENTRY, EZ_SPEC_CXX, "typeid(*this).name()",
      "n(typeid(*this).name())" },
    { "entry code=\"n(@RTTI@)\"", EZ_SPEC_ENTRY, EZ_SPEC_CXX, NULL,
      "n(\"int g(\\\"q\\\", 'c')\")" },
    { "entry code=\"n(\\\"@RTTI@\\\")\"", EZ_SPEC_ENTRY, EZ_SPEC_CXX, "typeid(*this).name()",
      "n(\"int g(\\\"q\\\", 'c')\")" },
    { "entry code=\"n(@RTTI@)\"", EZ_SPEC_ENTRY, EZ_SPEC_C, NULL, "n(\"int g(\\\"q\\\", 'c')\")" },
    { "init code=\"i(@ARGC@, @ARGV@)\"", EZ_SPEC_INIT, EZ_SPEC_C, NULL, "i(argc, argv)" },
    { "entry code=\"@NO@ @@ @LINE@@LINE@ @line@\"", EZ_SPEC_ENTRY, EZ_SPEC_C, NULL,
      "@NO@ @@ 1212 @line@" },
    { "entry code=\"a\"\nexit code=\"x\"\nentry code=\"b\\nc\"\nentry lang=\"fortran\" "
      "code=\"y\"\nentry code=\"d\"",
      EZ_SPEC_ENTRY, EZ_SPEC_C, NULL, "a\nb\nc\nd" },
};

START_TEST(keywords_become_what_is_known_of_the_place)
{
    const struct expanded *k = &expands[_i];
    struct ez_spec s;
    struct ez_src t;
    struct ez_spec_routine r = {
        "g", "int g(\"q\", 'c')", "dir/a b.c", k->lang, 10, 2, 20, 1, k->rtti, "argc", "argv"
    };
    struct ez_spec_site site = { &r, "dir/a b.c", k->lang, 12, 5, NULL };
    read_good(&s, &t, k->clause);
    EZ_FREE char *code = ez_spec_fragment(&s, k->point, &site);
    ck_assert_str_eq(code, k->code);
    ck_assert_uint_eq(t.errors, 0);
    forget(&s, &t);
}
END_TEST

START_TEST(a_keyword_without_meaning_in_a_language_is_an_error_there)
{
    struct ez_spec s;
    struct ez_src t;
    struct ez_spec_routine r = {
        .name = "p", .signature = "p", .file = "a.f90", .lang = EZ_SPEC_FORTRAN
    };
    struct ez_spec_site site = { &r, "a.f90", EZ_SPEC_FORTRAN, 1, 1, NULL };
    read_good(&s, &t, "\ninit code=\"f(@ARGC@)\"");
    free(ez_spec_fragment(&s, EZ_SPEC_INIT, &site));
    EZ_FREE char *said = messages(&t);
    ck_assert_str_eq(said, "2:1: @ARGC@ has no meaning in a.f90: restrict the clause by lang\n");
    forget(&s, &t);
}
END_TEST

START_TEST(the_papers_clauses_are_read)
{
    struct ez_spec s;
    struct ez_src t;
    read_good(&s, &t,
              "entry file=\"*\" routine=\"#\" code=\"printf(\\\"Entering\\\\n\\\");\"\n"
              "exit file=\"*\" routine=\"#\" code=\"printf(\\\"Leaving\\\\n\\\");\"\n"
              "decl file=\"*\" routine=\"#\" code=\"static int count = 0;\"\n"
              "file=\"*\" line=1 code=\"#include <stdio.h>\"\n"
              "abort file=\"*\" routine=\"#\" code=\"printf(\\\"Abort\\\\n\\\");\"\n"
              "init file=\"*\" code=\"init_api();\"\n"
              "entry code=\"EPIK_User_start(\\\"@ROUTINE@\\\", \\\"@FILE@\\\", @BEGIN_LINE@);\"\n");
    ck_assert_uint_eq(s.clauses.n, 7);
    ck_assert_str_eq(s.clauses.at[0].code, "printf(\"Entering\\n\");");
    ck_assert_uint_eq(s.clauses.at[3].line, 1);
    forget(&s, &t);
}
END_TEST

static const struct declares {
    const char *code, *becomes, *last;
} declares[] = {
    { "static int level, *where[3];", "<s:level: int:level><s:where: int:*where[3]>", NULL },
    { "int level;\nextern int (*way)(int);", "int level;\n<e:way: int:(*way)(int)>", "\nway" },
    { "static int level = 1;\nstatic int f(int n) { return n; }",
      "static int level = 1;\nstatic int f(int n) { return n; }", NULL },
    { "namespace a::b { extern int x; namespace {\nextern int y(long) noexcept; } }\nextern T z;",
      "namespace a::b { <e:a::b::x: int:x> namespace {\n<e:a::b::(anonymous namespace)::y: "
      "int:y(long) "
      "noexcept> } }\n<e:z: T:z>",
      "x\ny\nz" },
    { "extern \"C\" { extern int x; }\nextern \"C\" int y;",
      "extern \"C\" { <e:x: int:x> }\n<e:y: \"C\" int:y>", "x\ny" },
    { "static T *;\n#define static extern\n/* extern int x; */ struct s { int a; };",
      "static T *;\n#define static extern\n/* extern int x; */ struct s { int a; };", NULL },
};

static bool declares_shown(const struct ez_declaration *d, char **text, char **last, void *arg)
{
    (void)arg;
    ck_assert(!strncmp(d->before + d->at, d->name, strlen(d->name)));
    EZ_FREE char *specifiers = ez_strdup(d->specifiers);
    for (size_t n = strlen(specifiers); n && specifiers[n - 1] == ' ';)
        specifiers[--n] = 0;
    *text = ez_sprintf("<%c:%s%s:%s:%s>", d->is_static ? 's' : 'e', d->within, d->name, specifiers,
                       d->before);
    *last = d->is_static ? NULL : ez_strdup(d->name);
    return true;
}

START_TEST(declarations_are_asked_about)
{
    const struct declares *d = &declares[_i];
    char *last;
    char *text = ez_spec_declarations(d->code, declares_shown, NULL, &last);
    ck_assert_str_eq(text, d->becomes);
    ck_assert_str_eq(last ? last : "-", d->last ? d->last : "-");
    free(text);
    free(last);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spec");
    TCase *tc = tcase_create("spec");
    tcase_add_loop_test(tc, each_wrong_specification_has_its_message, 0, (int)EZ_ARRAY_LEN(wrong));
    tcase_add_test(tc, the_canonical_form_leaves_defaults_out_and_is_stable);
    tcase_add_loop_test(tc, a_clause_applies_where_its_attributes_say, 0,
                        (int)EZ_ARRAY_LEN(selects));
    tcase_add_test(tc, lists_win);
    tcase_add_test(tc, a_list_needs_no_clause_behind_it_to_be_asked);
    tcase_add_loop_test(tc, keywords_become_what_is_known_of_the_place, 0,
                        (int)EZ_ARRAY_LEN(expands));
    tcase_add_test(tc, a_keyword_without_meaning_in_a_language_is_an_error_there);
    tcase_add_test(tc, the_papers_clauses_are_read);
    tcase_add_loop_test(tc, declarations_are_asked_about, 0, (int)EZ_ARRAY_LEN(declares));
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
