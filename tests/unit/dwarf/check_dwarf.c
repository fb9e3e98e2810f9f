/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_dwarf.c - what the debug information of tests/targets/p_types says: parameters and where they
 * are, types, names; prototypes that are typed in; and that damaged debug information harms nobody. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/jail.h"
#include "engine/dwarf/dwarf.h"
#include "engine/expr/expr.h"
#include "engine/expr/proto.h"
#include "engine/expr/scope.h"
#include "engine/sym/sym.h"
#include "engine/sym/sym_priv.h"
#include "tests/unit/suite.h"

#define PROGRAM "tests/targets/p_types"

static struct ez_object *obj;
static struct ez_scope *scope;

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static void take_first(const struct ez_sym *s, void *arg)
{
    const struct ez_sym **first = arg;
    *first = *first ? *first : s;
}

static void scope_at(struct ez_object *o, const char *function)
{
    const struct ez_sym *sym = NULL;
    ez_object_find_name(o, function, take_first, &sym);
    ck_assert_msg(sym != NULL, "%s", function);
    ok(ez_scope_of(o, 0, sym, sym->vaddr, NULL, &scope));
}

static void dwarf_setup(void)
{
    ok(ez_object_open(PROGRAM, NULL, &obj));
}

static void dwarf_teardown(void)
{
    ez_object_close(obj);
}

/* "reg 5, vec 0, stack 8, [reg 5]" */
static char *place(const struct ez_where *w)
{
    char *s = ez_strdup("");
    if (w->kind == EZ_AT_STACK || w->kind == EZ_AT_X87 || w->kind == EZ_AT_NONE) {
        free(s);
        return w->kind == EZ_AT_STACK ? ez_sprintf("stack %d", (int)w->offset)
                                      : ez_strdup(w->kind == EZ_AT_X87 ? "x87" : "none");
    }
    for (unsigned i = 0; i < w->nregs; i++) {
        EZ_FREE char *was = s;
        s = ez_sprintf("%s%s%s%u%s", was, i ? "," : "", w->reg[i].vector ? "v" : "r",
                       w->reg[i].number, w->reg[i].high ? "h" : "");
    }
    EZ_FREE char *was = s;
    if (w->kind != EZ_AT_POINTED && w->kind != EZ_AT_RETURNED)
        return ez_strdup(was);
    return ez_sprintf(w->kind == EZ_AT_POINTED ? "[%s]" : "returned %s", was);
}

/* Of each function: its parameters as "TYPE NAME@PLACE", and " -> TYPE@PLACE". */
static const char *const functions[][2] = {
#ifdef __x86_64__
    { "ints", "signed char a@r5; unsigned char b@r4; short c@r1; unsigned short d@r2; int e@r8; "
              "unsigned int f@r9; long g@stack 8; word h@stack 16; -> int@r0" },
    { "reals", "float f@v0; double d@v1; long double l@stack 8; int n@r5; -> double@v0" },
    { "long_double", "long double l@stack 8; -> long double@x87" },
    { "by_regs", "struct two t@r5,r4; struct mixed m@v0,r1; int n@r2; -> struct two@r0,r1" },
    { "mixed_result", "int i@r5; -> struct mixed@v0,r0" },
    { "three", "struct floats f@v0,v1; -> struct floats@v0,v1" },
    { "by_memory", "int n@r4; struct big b@stack 8; int last@r1; -> struct big@returned r0" },
    { "bitfields", "struct bits_in b@r5,r4; -> int@r0" },
    { "enums", "enum colour c@r5; enum bits b@r4; -> enum colour@r0" },
    { "complex_d", "complex double c@v0,v1; complex float f@v2; -> complex double@v0,v1" },
    { "complex_f", "complex float f@v0; -> complex float@v0" },
    { "wide", "__int128 a@r5,r4; __int128 unsigned b@r1,r2; -> __int128@r0,r1" },
    { "nodes", "struct node *p@r5; const struct node * const *pp@r4; callback fn@r1; -> int@r0" },
    { "unions", "union number u@r5; -> union number@r0" },
    { "variadic", "const char *format@r5; ... -> int@r0" },
    { "nothing", "-> void@none" },
    { "many", "int a@r5; int b@r4; int c@r1; int d@r2; int e@r8; int f@r9; struct two g@stack 8; "
              "int h@stack 24; double i@v0; char j@stack 32; -> int@r0" },
    { "packed", "struct packed p@stack 8; int n@r5; -> int@r0" },
    { "quads",
      "struct packed p@stack 8; struct quad q@stack 24; int n@r5; __int128 w@r4,r1; -> int@r0" },
#else
    { "nothing", "-> void@none" },
#endif
};

static char *arguments(void)
{
    char *all = ez_strdup("");
    for (size_t i = 0; i < scope->nparams; i++) {
        EZ_FREE char *was = all, *at = place(&scope->param[i].at.where),
                     *type = ez_type_declare(scope->param[i].at.type, scope->param[i].name);
        all = ez_sprintf("%s%s@%s; ", was, type, at);
    }
    EZ_FREE char *params = all, *type = ez_type_text(scope->result.type),
                 *at = place(&scope->result.where);
    return ez_sprintf("%s%s-> %s@%s", params, scope->is_variadic ? "... " : "", type, at);
}

START_TEST(parameters_are_where_the_convention_puts_them)
{
    scope_at(obj, functions[_i][0]);
    ck_assert_msg(!scope->why_not, "%s", scope->why_not);
    EZ_FREE char *whole = arguments();
    ck_assert_str_eq(whole, functions[_i][1]);
    ez_scope_free(scope);
}
END_TEST

/* Of all symbols, up to 1000 at once. */
static void ask_ahead(struct ez_object *o)
{
    uint64_t vaddr[1000];
    size_t n, many = 0;
    const char *why;
    struct ez_dwarf *d = ez_dwarf_of(o, &why);
    const struct ez_sym *sym = ez_object_syms(o, &n);
    for (size_t i = 0; i < n && many < EZ_ARRAY_LEN(vaddr) && sym[i].kind != EZ_SYM_DATA; i++)
        vaddr[many++] = sym[i].vaddr;
    if (d)
        ez_dwarf_ahead(d, vaddr, many);
}

START_TEST(answers_that_are_there_already_are_the_same)
{
    struct ez_dwarf_body one, two;
    const char *why;
    struct ez_object *other;
    ok(ez_object_open(PROGRAM, NULL, &other));
    ask_ahead(other);
    for (size_t i = 0; i < EZ_ARRAY_LEN(functions); i++) {
        const struct ez_sym *sym = NULL;
        scope_at(other, functions[i][0]);
        EZ_FREE char *whole = arguments();
        ck_assert_str_eq(whole, functions[i][1]);
        ez_scope_free(scope);
        ez_object_find_name(obj, functions[i][0], take_first, &sym);
        ck_assert(ez_dwarf_body(ez_dwarf_of(obj, &why), sym->vaddr, &one));
        for (int twice = 0; twice < 2; twice++) { /* the second time it is asked for */
            ck_assert(ez_dwarf_body(ez_dwarf_of(other, &why), sym->vaddr, &two));
            ck_assert_str_eq(one.file, two.file);
            ck_assert_str_eq(one.name, two.name);
            ck_assert(one.end == two.end && one.begin_line == two.begin_line &&
                      one.end_line == two.end_line);
        }
    }
    ez_object_close(other);
}
END_TEST

static char *members(const struct ez_type *t)
{
    char *all = ez_strdup("");
    t = ez_type_load(ez_type_strip(t));
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        EZ_FREE char *was = all, *type = ez_type_declare(f->type, f->name ? f->name : "");
        EZ_FREE char *bits = f->bits ? ez_sprintf(".%u:%u", f->bit, f->bits) : ez_strdup("");
        all = ez_sprintf("%s%s@%u%s; ", was, type, (unsigned)f->offset, bits);
    }
    for (size_t i = 0; i < t->nenumerators; i++) {
        EZ_FREE char *was = all;
        all = ez_sprintf("%s%s=%d; ", was, t->enumerator[i].name, (int)t->enumerator[i].value);
    }
    return all;
}

static const char *const types[][2] = {
    { "struct two", "int a@0; long b@8; " },
    { "struct node", "int id@0; struct node *next@8; const char *name@16; " },
    { "struct bits_in",
      "unsigned int lo@0.0:3; unsigned int hi@0.3:5; int rest@1.0:20; long last@8; " },
    { "struct big", "long a[3]@0; double d@24; " },
    { "union number", "int i@0; float f@0; " },
    { "enum colour", "RED=0; GREEN=5; BLUE=6; " },
    { "word", "" },
};

static const struct ez_type *type_of(const char *name)
{
    struct ez_type_name *n = NULL;
    const struct ez_type *t = NULL;
    const struct ez_language words = ez_scope_language(scope);
    ok(ez_type_name_parse(name, &words, &n));
    ok(scope->type(scope->arg, n, &t));
    ez_type_name_free(n);
    return t;
}

START_TEST(types_have_members)
{
    scope_at(obj, "main");
    const struct ez_type *t = type_of(types[_i][0]);
    EZ_FREE char *all = members(t), *text = ez_type_text(t);
    ck_assert_str_eq(all, types[_i][1]);
    ck_assert_str_eq(text, types[_i][0]);
    EZ_FREE char *pointer = ez_sprintf("%s **", types[_i][0]);
    const struct ez_type *to = type_of(pointer);
    ck_assert_int_eq(to->kind, EZ_TY_POINTER);
    ck_assert_ptr_eq(to->to->to, t);
    ez_scope_free(scope);
}
END_TEST

START_TEST(names_are_found)
{
    static const struct {
        const char *scope, *name, *type; /* NULL = there is none                        */
        enum ez_where_kind kind;
    } names[] = {
        { NULL, "counter", "int", EZ_AT_MEMORY },
        { NULL, "first", "struct node", EZ_AT_MEMORY },
        { "t_types.c", "first", "struct node", EZ_AT_MEMORY },
        { "other.c", "first", NULL, EZ_AT_NONE },
        { NULL, "GREEN", "enum colour", EZ_AT_CONST },
        { NULL, "twice", "int (int)", EZ_AT_MEMORY },
        { NULL, "calls", "int", EZ_AT_MEMORY },
        { NULL, "nothing::calls", "int", EZ_AT_MEMORY },
        { NULL, "nosuch", NULL, EZ_AT_NONE },
    };
    struct ez_named n;
    scope_at(obj, "nothing");
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++) {
        ez_err *e = scope->name(scope->arg, names[i].scope, names[i].name, &n);
        if (!names[i].type) {
            ck_assert_msg(e && e->code == EZ_E_NOTFOUND, "%s", names[i].name);
            ez_err_free(e);
            continue;
        }
        ok(e);
        EZ_FREE char *text = ez_type_text(n.type);
        ck_assert_str_eq(text, names[i].type);
        ck_assert_int_eq(n.where.kind, names[i].kind);
    }
    ck_assert_int_eq(scope->means(scope->arg, "word"), EZ_MEANS_TYPE);
    ck_assert_int_eq(scope->means(scope->arg, "counter"), EZ_MEANS_VALUE);
    ck_assert_int_eq(scope->means(scope->arg, "nosuch"), EZ_MEANS_NOTHING);
    ez_scope_free(scope);
}
END_TEST

/* A function of which nothing is said, and a file. */
START_TEST(what_is_not_known_is_told)
{
    ok(ez_scope_of(obj, 0, NULL, 16, NULL, &scope));
    ck_assert_str_eq(scope->why_not, "it has no debug information");
    ez_scope_free(scope);
}
END_TEST

/* ---- prototypes ---------------------------------------------------------------------------------- */

static const struct {
    const char *text, *params; /* NULL: it is none that can be used                     */
} prototypes[] = {
    { "int f(int, char *)", "int $arg0@r5; char *$arg1@r4; -> int@r0" },
    { "void f(void)", "-> void@none" },
    { "double f()", "-> double@v0" },
    { "static const char *f(size_t n, double d, float e);",
      "unsigned long n@r5; double d@v0; float e@v1; -> char *@r0" },
    { "int f(struct two t, word w)", "struct two t@r5,r4; word w@r1; -> int@r0" },
    { "struct big f(int n)", "int n@r4; -> struct big@returned r0" },
    { "void *f(struct nobody *p, void (*call)(int, char *), int a[3])",
      "void *p@r5; void (*call)()@r4; int *a@r1; -> void *@r0" },
    { "long f(const char *format, ...)", "char *format@r5; ... -> long@r0" },
    { "int f(enum colour c, open_flags g)", "enum colour c@r5; enum open_flags g@r4; -> int@r0" },
    { "int f(struct nobody p)", NULL },
    { "int f(int", NULL },
    { "int f(int) x", NULL },
    { "int f(nosuch n)", NULL },
    { "int f(int,)", NULL },
};

START_TEST(prototypes_are_read)
{
    const struct ez_sym *sym = NULL;
    ez_object_find_name(obj, "main", take_first, &sym);
    ez_err *e = ez_scope_of(obj, 0, sym, sym->vaddr, prototypes[_i].text, &scope);
    if (!prototypes[_i].params) {
        ck_assert_ptr_nonnull(e);
        ez_err_free(e);
        return;
    }
    ok(e);
    EZ_FREE char *all = arguments();
    ck_assert_str_eq(all, prototypes[_i].params);
    ez_scope_free(scope);
}
END_TEST

START_TEST(prototypes_are_told_from_locations)
{
    static const struct {
        const char *text, *name; /* NULL: a location                                    */
    } texts[] = {
        { "int f(int, char *)", "f" },
        { "char *f(void)", "f" },
        { "unsigned long long ff ()", "ff" },
        { "f", NULL },
        { "ns::f(int)", NULL },
        { "f(int)", NULL },
        { "int ns::twice<int>(int)", NULL },
        { "file.c:12", NULL },
        { "*0x1234", NULL },
        { "*(main + 4)", NULL },
        { "libc.so.6:int f(int)", "f" },
        { "(anonymous namespace)::f(int)", NULL },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(texts); i++) {
        char *name = NULL;
        ck_assert_msg(ez_proto_is(texts[i].text) == !!texts[i].name, "%s", texts[i].text);
        if (!texts[i].name)
            continue;
        ok(ez_proto_name(texts[i].text, &name));
        ck_assert_str_eq(name, texts[i].name);
        free(name);
    }
    char *name = NULL;
    ez_err *e = ez_proto_name("f(int)", &name); /* of "int *lib:f(int)" */
    ck_assert_str_eq(e->msg,
                     "\"f(int)\" is not a prototype: no result type precedes the function's name");
    ez_err_free(e);
}
END_TEST

/* libc's: each prototype of the table is one; flags have names. */
START_TEST(libcs_functions_are_known)
{
    static const char *const names[] = {
        "open", "read", "mmap", "pthread_create", "qsort", "strtod"
    };
    struct ez_proto p;
    for (size_t i = 0; i < ez_known_count(); i++)
        ok(ez_proto_parse(ez_known_at(i), NULL, NULL, &p)), ez_proto_free(&p);
    ck_assert_uint_ge(ez_known_count(), 150);
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++) {
        ck_assert_ptr_nonnull(ez_known_prototype(names[i]));
        ok(ez_proto_parse(ez_known_prototype(names[i]), NULL, NULL, &p));
        ck_assert_str_eq(p.name, names[i]);
        ez_proto_free(&p);
    }
    ck_assert_ptr_null(ez_known_prototype("nosuch"));
    ck_assert_ptr_null(ez_known_prototype(""));
    ck_assert_int_eq(ez_known_type("open_flags")->kind, EZ_TY_ENUM);
}
END_TEST

static uint64_t next_random(void)
{
    static uint64_t x = 88172645463325252;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}

static void use_type(const struct ez_type *t, unsigned depth)
{
    if (!t || depth > 4)
        return;
    EZ_FREE char *text = ez_type_text(t);
    ck_assert_ptr_nonnull(text);
    ez_type_load(t);
    use_type(t->to, depth + 1);
    for (size_t i = 0; i < t->nfields && i < 8; i++)
        use_type(t->field[i].type, depth + 1);
    for (size_t i = 0; i < t->nparams && i < 8; i++)
        use_type(t->param[i].type, depth + 1);
}

static void use_everything(struct ez_object *o)
{
    static const char *const names[] = { "by_regs", "nodes", "many", "main" };
    struct ez_named n;
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++) {
        scope_at(o, names[i]);
        for (size_t k = 0; k < scope->nparams; k++)
            use_type(scope->param[k].at.type, 0);
        use_type(scope->result.type, 0);
        if (!ez_err_drop(scope->name(scope->arg, NULL, "first", &n)))
            continue;
        use_type(n.type, 0);
        ez_scope_free(scope);
    }
}

/* Changes bytes of sections of debug information. */
static void damage(int fd, const char *path)
{
    static const char *const sections[] = { ".debug_info", ".debug_abbrev", ".debug_loclists",
                                            ".debug_rnglists", ".debug_str" };
    struct ez_foreign *file = NULL;
    struct elf_file f;
    ok(ez_foreign_open(path, path, &file));
    ck_assert(elf_open(file, &f));
    for (unsigned k = 0; k < 12; k++) {
        const Elf64_Shdr *sh = elf_named(&f, sections[next_random() % 3 ? k % 2 : k % 5]);
        uint64_t r = next_random();
        uint8_t byte = (uint8_t)(r >> 56);
        if (sh && sh->sh_size)
            ck_assert_int_eq(pwrite(fd, &byte, 1, (off_t)(sh->sh_offset + r % sh->sh_size)), 1);
    }
    elf_close(&f);
}

START_TEST(damaged)
{
    char path[] = "/tmp/check_dwarf.XXXXXX";
    static uint8_t image[4 << 20];
    EZ_CLOSE int in = open(PROGRAM, O_RDONLY | O_CLOEXEC);
    EZ_CLOSE int fd = mkstemp(path);
    ssize_t n = read(in, image, sizeof image);
    ck_assert(n > 4096 && n < (ssize_t)sizeof image && fd >= 0);
    for (int round = 0; round < 100; round++) {
        struct ez_object *o;
        ck_assert(pwrite(fd, image, (size_t)n, 0) == n);
        damage(fd, path);
        ok(ez_object_open(path, NULL, &o));
        if (round % 2)
            ask_ahead(o);
        use_everything(o);
        ez_object_close(o);
    }
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dwarf");
    TCase *c = tcase_create("dwarf");
    tcase_add_checked_fixture(c, dwarf_setup, dwarf_teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, parameters_are_where_the_convention_puts_them, 0,
                        EZ_ARRAY_LEN(functions));
    tcase_add_test(c, answers_that_are_there_already_are_the_same);
    tcase_add_loop_test(c, types_have_members, 0, EZ_ARRAY_LEN(types));
    tcase_add_test(c, names_are_found);
    tcase_add_test(c, what_is_not_known_is_told);
    tcase_add_loop_test(c, prototypes_are_read, 0, EZ_ARRAY_LEN(prototypes));
    tcase_add_test(c, prototypes_are_told_from_locations);
    tcase_add_test(c, libcs_functions_are_known);
    tcase_add_test(c, damaged);
    suite_add_tcase(s, c);
    return run_suite(s);
}
