/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_expr.c - expressions: how they are read, and what is wrong with them; types as C writes them. */
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "engine/ezt.h"
#include "engine/expr/clause.h"
#include "engine/expr/expr.h"
#include "engine/dwarf/type.h"

#include "tests/unit/suite.h"

static void must(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

/* The tree as text, with all parentheses. */
static char *show(const struct ez_expr *x)
{
    char *part[3] = { NULL }, *s = NULL;
    for (size_t i = 0; i < x->at.n && i < 3; i++)
        part[i] = show(x->at.at[i]);
    char op[3] = { (char)(x->op > 255 ? x->op >> 8 : x->op), (char)(x->op > 255 ? x->op : 0), 0 };
    switch (x->kind) {
    case EZ_X_INT:
        s = ez_sprintf("%llu%s%s", (unsigned long long)x->number, x->is_unsigned ? "u" : "",
                       x->is_long ? "l" : "");
        break;
    case EZ_X_CHAR:
        s = ez_sprintf("c%lld", (long long)x->number);
        break;
    case EZ_X_FLOAT:
        s = ez_sprintf("%g%s", x->real, x->is_float ? "f" : "");
        break;
    case EZ_X_STRING:
        s = ez_sprintf("\"%s\"", x->text);
        break;
    case EZ_X_NAME:
    case EZ_X_VAR:
        s = ez_sprintf("%s%s%s", x->scope ? x->scope : "", x->scope ? "::" : "", x->text);
        break;
    case EZ_X_UNARY:
        s = ez_sprintf("(%s%s)", op, part[0]);
        break;
    case EZ_X_BINARY:
        s = ez_sprintf("(%s%s%s)", part[0], op, part[1]);
        break;
    case EZ_X_COND:
        s = ez_sprintf("(%s?%s:%s)", part[0], part[1], part[2]);
        break;
    case EZ_X_CAST:
    case EZ_X_MEMORY:
        s = ez_sprintf("%c%s%.*s%c%s", x->kind == EZ_X_CAST ? '<' : '{', x->type->base,
                       (int)x->type->stars, "*****", x->kind == EZ_X_CAST ? '>' : '}', part[0]);
        break;
    case EZ_X_SIZEOF:
        s = ez_sprintf("sizeof(%s)", x->type ? x->type->base : part[0]);
        break;
    case EZ_X_MEMBER:
    case EZ_X_ARROW:
        s = ez_sprintf("%s%s%s", part[0], x->kind == EZ_X_ARROW ? "->" : ".", x->text);
        break;
    case EZ_X_INDEX:
        s = ez_sprintf("%s[%s]", part[0], part[1]);
        break;
    case EZ_X_CALL:
        s = ez_sprintf("%s(%s%s%s)", part[0], part[1] ? part[1] : "", part[2] ? "," : "",
                       part[2] ? part[2] : "");
        break;
    case EZ_X_RANGE: /* which parts there are, and these */
        s = ez_sprintf("%llu<%s:%s:%s>", (unsigned long long)x->number, part[0] ? part[0] : "",
                       part[1] ? part[1] : "", part[2] ? part[2] : "");
        break;
    case EZ_X_ASSIGN:
        s = ez_sprintf("(%s%s=%s)", part[0], op, part[1]);
        break;
    case EZ_X_REPEAT:
        s = ez_sprintf("(%s@%s)", part[0], part[1]);
        break;
    }
    for (size_t i = 0; i < 3; i++)
        free(part[i]);
    return s;
}

static enum ez_means means(void *arg, const char *name)
{
    static const char *const types[] = { "size_t", "ns::t", "box<int, a<b> >", "pair<char,ns::t>" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(types); i++)
        if (!strcmp(name, types[i]))
            return EZ_MEANS_TYPE;
    return strcmp(name, "most<int>") ? EZ_MEANS_NOTHING : EZ_MEANS_VALUE;
}
static const struct ez_language words = { .means = means, .is_cxx = true };

START_TEST(expressions_are_trees)
{
    static const char *const told[][2] = {
        { "1+2*3", "(1+(2*3))" },
        { "1-2-3", "((1-2)-3)" },
        { "a<b==c", "((a<b)==c)" },
        { "a<<2+1", "(a<<(2+1))" },
        { "a&b==c|d^e", "((a&(b==c))|(d^e))" },
        { "a||b&&c", "(a||(b&&c))" },
        { "!a&&~b", "((!a)&&(~b))" },
        { "*p->next.id[3]", "(*p->next.id[3])" },
        { "&a.b", "(&a.b)" },
        { "-1", "(-1)" },
        { "- -1", "(-(-1))" },
        { "**p", "(*(*p))" },
        { "(char)x+1", "(<char>x+1)" },
        { "(unsigned long *)x", "<unsigned long*>x" },
        { "(struct s *)p->q", "<struct s*>p->q" },
        { "(size_t)x", "<size_t>x" },
        { "(n)+1", "(n+1)" },
        { "(ns::t)x", "<ns::t>x" },
        { "a,b+1", "(a,(b+1))" },
        { "static_cast<size_t>(a,b)", "<size_t>(a,b)" },
        { "size_t(x)+1", "(<size_t>x+1)" },
        { "(box<int, a<b> >)x", "<box<int, a<b> >>x" },
        { "a<b>(c)", "((a<b)>c)" },
        { "{int}0x10", "{int}16" },
        { "sizeof(struct s)", "sizeof(struct s)" },
        { "sizeof x+1", "(sizeof(x)+1)" },
        { "sizeof(x)", "sizeof(x)" },
        { "a?b:c?d:e", "(a?b:(c?d:e))" },
        { "x=y+=1", "(x=(y+=1))" },
        { "++x", "(x+=1)" },
        { "--p->n", "(p->n-=1)" },
        { "a[i++]--+2", "((a[(i+=1)]-=1)+2)" },
        { "- --x", "(-(x-=1))" },
        { "x<=1", "(x<=1)" },
        { "x>=1!=2", "((x>=1)!=2)" },
        { "a@3", "(a@3)" },
        { "a[1]@n+1", "(a[1]@(n+1))" },
        { "f(1,g(2))", "f(1,g(2))" },
        { "f()", "f()" },
        { "$rax + $1 + $", "(($rax+$1)+$)" },
        { "$$2", "$$2" },
        { "'a'", "c97" },
        { "'\\n'", "c10" },
        { "'\\x41'", "c65" },
        { "'\\101'", "c65" },
        { "\"a\\tb\"", "\"a\tb\"" },
        { "'f.c'::v", "f.c::v" },
        { "ns::f", "ns::f" },
        { "0x10 + 010 + 0b11", "((16+8)+3)" },
        { "10ul", "10ul" },
        { "1.5", "1.5" },
        { "1e3", "1000" },
        { "2.f", "2f" },
        { ".5", "0.5" },
        { "  a  .  b ", "a.b" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(told); i++) {
        struct ez_expr *x = NULL;
        must(ez_expr_parse(told[i][0], &words, &x));
        EZ_FREE char *s = show(x);
        ck_assert_str_eq(s, told[i][1]);
        ez_expr_free(x);
    }
}
END_TEST

START_TEST(fortran_has_its_own_operators)
{
    static const struct ez_language by = { .means = means, .is_fortran = true };
    static const char *const told[][2] = {
        { "a + B * 2", "(a+(b*2))" },
        { "-2**2", "(-(2**2))" },
        { "2**3**2", "(2**(3**2))" },
        { "2**-1*3", "((2**(-1))*3)" },
        { "a * -b - c", "((a*(-b))-c)" },
        { "- a - b", "((-a)-b)" },
        { ".not. a == b .and. c", "((!(a==b))&&c)" },
        { "a .or. b .and. c .eqv. d", "((a||(b&&c))eqd)" },
        { "a .NEQV. .not. b", "(ane(!b))" },
        { "1.eq.2", "(1==2)" },
        { "1.e2 + 1.5d-1 + .5", "((100+0.15)+0.5)" },
        { "12_8 /= 3", "(12!=3)" },
        { ".true.", "1" },
        { "'it''s'", "\"it's\"" },
        { "p%x%Y", "p.x.y" },
        { "q(3)%x", "q(3).x" },
        { "a(:,2)", "a(0<::>,2)" },
        { "a(1:10:2)", "a(7<1:10:2>)" },
        { "a(::-1)", "a(4<(-1)::>)" },
        { "a(2:)", "a(1<2::>)" },
        { "a(:n+1)", "a(2<(n+1)::>)" },
        { "(real*8) i/2", "(<real*8>i/2)" },
        { "(double precision)x", "<real*8>x" },
        { "(integer(kind=2)) x", "<integer*2>x" },
        { "sizeof(logical)", "sizeof(logical*4)" },
        { "real(x)", "real(x)" },
        { "m::n = 2", "(m::n=2)" },
        { "x@3", "(x@3)" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(told); i++) {
        struct ez_expr *x = NULL;
        ck_assert_msg(ez_err_drop(ez_expr_parse(told[i][0], &by, &x)), "%s", told[i][0]);
        EZ_FREE char *tree = show(x);
        ck_assert_str_eq(tree, told[i][1]);
        ez_expr_free(x);
    }
    static const char *const wrong[] = { "a .and.", "a(1:2:3:4)", "1_", "1.5q", "'a",
                                         ".maybe.", "a(,1)",      "(a", "a(1" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(wrong); i++) {
        struct ez_expr *x = NULL;
        ck_assert_msg(!ez_err_drop(ez_expr_parse(wrong[i], &by, &x)), "%s", wrong[i]);
    }
}
END_TEST

START_TEST(wrong_expressions_say_where)
{
    static const char *const told[][2] = {
        { "", "A syntax error in expression, near `'." },
        { "1 +", "A syntax error in expression, near `'." },
        { "1 + )", "A syntax error in expression, near `)'." },
        { "(1", "A syntax error in expression, near `'." },
        { "a b", "A syntax error in expression, near `b'." },
        { "a[1", "A syntax error in expression, near `'." },
        { "f(1", "A syntax error in expression, near `'." },
        { "a.", "A syntax error in expression, near `'." },
        { "a->1", "A syntax error in expression, near `1'." },
        { "(char)", "A syntax error in expression, near `'." },
        { "{int 5", "A syntax error in expression, near `5'." },
        { "a?b", "A syntax error in expression, near `'." },
        { "++", "A syntax error in expression, near `'." },
        { "a++b", "A syntax error in expression, near `b'." },
        { "a,", "A syntax error in expression, near `'." },
        { "static_cast<size_t>x", "A syntax error in expression, near `x'." },
        { "static_cast<x>(1)", "A syntax error in expression, near `x>(1)'." },
        { "\"abc", "Unterminated string in expression." },
        { "'ab", "Unmatched single quote." },
        { "12abc", "Invalid number \"12abc\"." },
        { "1.5x", "Invalid number \"1.5x\"." },
        { "'f.c'::", "A syntax error in expression, near `'." },
        { "=", "A syntax error in expression, near `='." },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(told); i++) {
        struct ez_expr *x = NULL;
        ez_err *e = ez_expr_parse(told[i][0], &words, &x);
        ck_assert_msg(e, "%s", told[i][0]);
        ck_assert_str_eq(e->msg, told[i][1]);
        ez_err_free(e);
    }
}
END_TEST

START_TEST(deep_expressions_end)
{
    char *deep = ez_alloc(4001);
    struct ez_expr *x = NULL;
    static const char *const fill = "(-*!";
    for (const char *c = fill; *c; c++) {
        memset(deep, *c, 2000);
        deep[2000] = 0;
        ck_assert(!ez_err_drop(ez_expr_parse(deep, NULL, &x)));
    }
    free(deep);
}
END_TEST

START_TEST(items_end_at_commas)
{
    struct ez_expr *x = NULL;
    const char *end;
    must(ez_expr_parse_item("f(a,b), c", NULL, &x, &end));
    ck_assert_str_eq(end, ", c");
    ez_expr_free(x);
    must(ez_expr_parse_item("a:x", NULL, &x, &end));
    ck_assert_str_eq(end, ":x");
    ez_expr_free(x);
}
END_TEST

START_TEST(base_types_in_any_order)
{
    static const char *const told[][2] = {
        { "int", "int" },
        { "long unsigned int", "unsigned long" },
        { "unsigned", "unsigned int" },
        { "short int", "short" },
        { "long long unsigned int", "unsigned long long" },
        { "signed char", "signed char" },
        { "char", "char" },
        { "double long", "long double" },
        { "const char", "char" },
        { "_Bool", "bool" },
        { "_Complex float", "complex float" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(told); i++) {
        const struct ez_type *t = ez_type_base(told[i][0]);
        ck_assert_ptr_nonnull(t);
        ck_assert_str_eq(t->name, told[i][1]);
    }
    ck_assert_ptr_null(ez_type_base("size_t"));
    ck_assert_ptr_null(ez_type_base(""));
    ck_assert_ptr_null(ez_type_base("const"));
}
END_TEST

static void declares(const struct ez_type *t, const char *name, const char *text)
{
    EZ_FREE char *s = ez_type_declare(t, name);
    ck_assert_str_eq(s, text);
}

START_TEST(types_as_c_writes_them)
{
    const struct ez_type *i = ez_type_base("int"), *c = ez_type_base("char");
    struct ez_param two[] = { { "n", i }, { NULL, ez_type_pointer_to(c) } };
    struct ez_type f = {
        .kind = EZ_TY_FUNC, .to = i, .param = two, .nparams = 2, .has_protos = true
    };
    struct ez_type none = { .kind = EZ_TY_FUNC, .to = NULL, .has_protos = true };
    struct ez_type s = { .kind = EZ_TY_STRUCT, .name = "s" }, anon = { .kind = EZ_TY_UNION };
    struct ez_type cc = { .kind = EZ_TY_CONST, .name = "const", .to = c };
    struct ez_type cp = { .kind = EZ_TY_CONST, .name = "const", .to = ez_type_pointer_to(c) };
    declares(i, "", "int");
    declares(i, "x", "int x");
    declares(ez_type_pointer_to(c), "s", "char *s");
    declares(ez_type_pointer_to(ez_type_pointer_to(c)), "", "char **");
    declares(ez_type_array_of(i, 3), "a", "int a[3]");
    declares(ez_type_array_of(ez_type_array_of(i, 3), 2), "a", "int a[2][3]");
    declares(ez_type_pointer_to(ez_type_array_of(i, 3)), "a", "int (*a)[3]");
    declares(ez_type_array_of(ez_type_pointer_to(i), 3), "a", "int *a[3]");
    declares(&f, "f", "int f(int, char *)");
    declares(&f, "", "int (int, char *)");
    declares(ez_type_pointer_to(&f), "p", "int (*p)(int, char *)");
    declares(&none, "g", "void g(void)");
    declares(ez_type_pointer_to(&s), "", "struct s *");
    declares(&anon, "u", "union {...} u");
    declares(ez_type_pointer_to(&cc), "s", "const char *s");
    declares(&cp, "s", "char * const s");
    declares(ez_type_pointer_to(NULL), "p", "void *p");
}
END_TEST

/* ---- other processors ------------------------------------------------------------------------ */

static const struct ez_arch *other;
const struct ez_arch *__real_ez_arch_host(void);
const struct ez_arch *__wrap_ez_arch_host(void);
const struct ez_arch *__wrap_ez_arch_host(void)
{
    return other ? other : __real_ez_arch_host();
}

START_TEST(a_processor_whose_calls_are_not_known)
{
    struct ez_arch a = *ez_arch_host();
    const struct ez_probe_spec spec = { .kind = EZ_PROBE_ENTRY, .cond = "1" };
    struct ez_clause_code *code = NULL;
    a.abi.convention = NULL;
    other = &a;
    ez_err *e = ez_clause_compile(&(struct ez_request){ .spec = &spec }, NULL, &code);
    other = NULL;
    ck_assert_ptr_nonnull(e);
    ck_assert_ptr_null(code);
    ck_assert_int_eq(e->code, EZ_E_REFUSED);
    ck_assert_str_eq(
        e->msg,
        "eztsh cannot compile conditions, collected values and aggregates for this processor");
    ez_err_free(e);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("expr");
    TCase *c = tcase_create("expr");
    tcase_add_test(c, expressions_are_trees);
    tcase_add_test(c, fortran_has_its_own_operators);
    tcase_add_test(c, wrong_expressions_say_where);
    tcase_add_test(c, deep_expressions_end);
    tcase_add_test(c, items_end_at_commas);
    tcase_add_test(c, base_types_in_any_order);
    tcase_add_test(c, types_as_c_writes_them);
    tcase_add_test(c, a_processor_whose_calls_are_not_known);
    suite_add_tcase(s, c);
    return run_suite(s);
}
