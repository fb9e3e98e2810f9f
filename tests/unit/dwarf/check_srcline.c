/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_srcline.c - source lines of this program. */
#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "engine/dwarf/srcline.h"
#include "engine/sym/sym.h"
#include "tests/unit/suite.h"

#define SELF "/proc/self/exe"
#define HERE "tests/unit/dwarf/check_srcline.c"

__attribute__((noinline, used)) static int a_static_function(int x)
{
    return x * 3;
}
enum { STATIC_FUNCTION_LINE = __LINE__ - 4 };

static struct ez_object *open_ok(void)
{
    struct ez_object *o = NULL;
    ez_err *e = ez_object_open(SELF, NULL, &o);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    return o;
}

static void note(const struct ez_sym *s, void *arg)
{
    *(struct ez_sym *)arg = *s;
}

static struct ez_sym the_function(struct ez_object *o)
{
    struct ez_sym s = { .name = NULL };
    ck_assert_uint_eq(ez_object_find_name(o, "a_static_function", note, &s), 1);
    return s;
}

static void note_line(const struct ez_line *l, void *arg)
{
    const struct ez_line **one = arg;
    static struct ez_line copy;
    ck_assert_ptr_null(*one);
    copy = *l;
    *one = &copy;
}

/* Of the only function that has it. */
static struct ez_line line_at(struct ez_object *o, const char *file, unsigned line)
{
    const struct ez_line *l = NULL;
    ck_assert_ptr_null(ez_srcline_find(o, file, line, note_line, &l));
    ck_assert_ptr_nonnull(l);
    return *l;
}

static bool no_line(struct ez_object *o, const char *file, unsigned line, enum ez_code why)
{
    const struct ez_line *l = NULL;
    ez_err *e = ez_srcline_find(o, file, line, note_line, &l);
    bool right = e && e->code == why && !l;
    ez_err_free(e);
    return right;
}

START_TEST(lines)
{
    struct ez_object *o = open_ok();
    struct ez_sym s = the_function(o);
    const char *file;
    unsigned line;
    ck_assert(ez_srcline_at(o, s.vaddr, &file, &line));
    /* optimised, the first instruction may already be the body's */
    ck_assert(line >= STATIC_FUNCTION_LINE && line <= STATIC_FUNCTION_LINE + 2);
    ck_assert(strstr(file, HERE));
    ck_assert(!ez_srcline_at(o, 1, &file, &line));
    /* by its first line, its brace and its body, by short and long file names */
    ck_assert(line_at(o, "check_srcline.c", STATIC_FUNCTION_LINE).in->vaddr == s.vaddr);
    struct ez_line brace = line_at(o, HERE, STATIC_FUNCTION_LINE + 1);
    ck_assert(brace.in->vaddr == s.vaddr && brace.line > STATIC_FUNCTION_LINE);
    struct ez_line body = line_at(o, HERE, STATIC_FUNCTION_LINE + 2);
    ck_assert(body.in->vaddr == s.vaddr && body.vaddr >= s.vaddr && body.end <= ez_sym_end(&s));
    ck_assert(!body.inlined && body.line == STATIC_FUNCTION_LINE + 2 && strstr(body.file, HERE));
    ck_assert(
        no_line(o, HERE, STATIC_FUNCTION_LINE - 1, EZ_E_ARG)); /* the one behind is not meant */
    ck_assert(no_line(o, HERE, 1000000, EZ_E_ARG));
    ck_assert(no_line(o, "eck_sym.c", 1, EZ_E_NOTFOUND));
    ck_assert(no_line(o, "other/unit/engine/check_srcline.c", 1, EZ_E_NOTFOUND));
    ez_object_close(o);
}
END_TEST

/* A process of its own reads lines, and may die of a bad file. */
START_TEST(lines_are_read_elsewhere)
{
    char name[64];
    const char *file;
    unsigned line;
    int reader = 0, status;
    unsigned long space = 0;
    struct dirent *d;
    unsigned descriptors = 0;
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* then it is our child */
    struct ez_object *o = open_ok(), *again = open_ok();
    uint64_t vaddr = the_function(o).vaddr;
    ck_assert(ez_srcline_at(o, vaddr, &file, &line));
    snprintf(name, sizeof name, "/proc/self/task/%d/children", getpid());
    FILE *f = fopen(name, "r");
    ck_assert(f && fscanf(f, "%d", &reader) == 1 && !fclose(f));

    snprintf(name, sizeof name, "/proc/%d/limits", reader);
    char limits[64];
    ck_assert((f = fopen(name, "r")));
    while (fgets(limits, sizeof limits, f))
        sscanf(limits, "Max address space %lu", &space);
    fclose(f);
    ck_assert_uint_gt(space, 0);
    snprintf(name, sizeof name, "/proc/%d/fd", reader);
    DIR *dir = opendir(name);
    while (dir && (d = readdir(dir)))
        descriptors += d->d_name[0] != '.';
    closedir(dir);
    ck_assert_uint_le(descriptors, 5); /* three, the socket, the file */

    ck_assert_int_eq(kill(reader, SIGKILL), 0);
    ck_assert_int_eq(waitpid(reader, &status, 0), reader);
    ck_assert_ptr_null(ez_object_noted());
    ck_assert(!ez_srcline_at(o, vaddr, &file, &line));
    EZ_FREE char *noted = ez_object_noted();
    ck_assert(noted && strstr(noted, "its debug information cannot be read"));
    ck_assert(ez_srcline_at(again, vaddr, &file, &line) && strstr(file, HERE));
    ez_object_close(o);
    ez_object_close(again);
}
END_TEST

int main(void)
{
    if (!proc_there("check_srcline"))
        return 77;
    Suite *s = suite_create("lines");
    TCase *t = tcase_create("lines");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, lines);
    tcase_add_test(t, lines_are_read_elsewhere);
    suite_add_tcase(s, t);
    return run_suite(s);
}
