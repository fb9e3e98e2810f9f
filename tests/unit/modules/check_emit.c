/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_emit.c - the C of scripts, byte by byte: scripts/NAME.tpl becomes scripts/NAME.c.
 * With EZT_GOLDEN=1, the files are written anew, to be looked at. */
#include <string.h>

#include "engine/base/outfile.h"
#include "engine/base/strutil.h"
#include "modules/compiler/emit.h"
#include "tests/unit/suite.h"

static const char *const names[] = { "fig6", "fig7", "fig8", "slides", "all", "fortran" };

static char *path_of(const char *name, const char *suffix)
{
    const char *top = getenv("top_srcdir");
    return ez_sprintf("%s/tests/unit/modules/scripts/%s.%s", top ? top : ".", name, suffix);
}

static void write_golden(const char *path, const struct ez_emit *c)
{
    struct ez_outfile *f;
    ck_assert(ez_err_drop(ez_outfile_open(path, false, &f)));
    ez_outfile_write(f, c->out.at, c->out.n);
    ck_assert(ez_err_drop(ez_outfile_commit(f)));
    ez_outfile_destroy(f);
}

START_TEST(scripts_become_this_c)
{
    size_t n;
    EZ_FREE char *from = path_of(names[_i], "tpl"), *to = path_of(names[_i], "c");
    EZ_FREE char *text = ez_str_load(from, EZ_SRC_MOST, &n);
    ck_assert_msg(text, "%s is not there", from);
    struct ez_src t;
    struct ez_script s;
    struct ez_emit c;
    ez_src_init(&t, from, text, n);
    ez_script_read(&s, &t);
    ck_assert_uint_eq(t.errors, 0);
    ez_emit_module(&c, &s);
    if (getenv("EZT_GOLDEN"))
        write_golden(to, &c);
    EZ_FREE char *golden = ez_str_load(to, 4 * EZ_SRC_MOST, &n);
    ck_assert_msg(golden, "%s is not there", to);
    ck_assert_str_eq(c.out.at, golden);
    ez_emit_deinit(&c);
    ez_script_deinit(&s);
    ez_src_deinit(&t);
}
END_TEST

/* What no text of a script may do: end its literal, or begin a trigraph. */
START_TEST(texts_are_escaped)
{
    static const char script[] =
        "BEGIN_MODULE\nNAME m\nID 20\nDESC \"\\\"); system(\\\"id\\\"); /* ?\?/ \\\\ \xff\x80 *"
        "/ %n\"\n"
        "void f(void)\nEND_MODULE\n";
    struct ez_src t;
    struct ez_script s;
    struct ez_emit c;
    ez_src_init(&t,
                "*"
                "/ #error \n.tpl",
                script, sizeof script - 1);
    ez_script_read(&s, &t);
    ck_assert_uint_eq(t.errors, 0);
    ez_emit_module(&c, &s);
    ck_assert_ptr_nonnull(strstr(c.out.at,
                                 "EZT_MODULE(\"m\", 0x20, \"\\\"); system(\\\"id\\\"); /* "
                                 "?\\?/ \\\\ \\377\\200 *"
                                 "/ %n\")\n"));
    ck_assert_ptr_nonnull(strstr(c.out.at, "made by eztsh-modc from __error__.tpl,"));
    ez_emit_deinit(&c);
    ez_script_deinit(&s);
    ez_src_deinit(&t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("emit");
    TCase *c = tcase_create("emit");
    tcase_add_loop_test(c, scripts_become_this_c, 0, (int)EZ_ARRAY_LEN(names));
    tcase_add_test(c, texts_are_escaped);
    suite_add_tcase(s, c);
    return run_suite(s);
}
