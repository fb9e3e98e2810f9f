/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.c - lists the routines of a file, with C code for their parameters (routine.h).
 *
 * The C code for a parameter is an expression that reads its place at the function's first
 * instruction (scope.h). Only types that need no declaration are supported: numbers, pointers to
 * them, and pointers to structs by their tags; other pointers are `void *`. Parameters that are
 * structs or classes are left out.
 *
 * Tests: tests/procs/spec.sh */
#include "engine/expr/routine.h"

#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf.h"
#include "engine/expr/routine_fortran.h"
#include "engine/sym/sym.h"

/* ---- types ----------------------------------------------------------------------------------- */

static const char *routine_integer(const struct ez_type *t)
{
    static const char *const name[2][4] = {
        { "unsigned char", "unsigned short", "unsigned int", "unsigned long" },
        { "signed char", "short", "int", "long" },
    };
    for (unsigned i = 0; i < 4; i++)
        if (t->size == 1u << i)
            return name[t->is_signed][i];
    return NULL;
}

/* Returns a number's type by a name that C defines, or NULL if it is no number. */
static const char *routine_number(const struct ez_type *t, bool cxx)
{
    switch (t->kind) {
    case EZ_TY_INT:
    case EZ_TY_ENUM:
        return routine_integer(t);
    case EZ_TY_BOOL:
        return t->size != 1 ? routine_integer(t) : cxx ? "bool" : "_Bool";
    case EZ_TY_CHAR:
        return t->is_signed ? "char" : "unsigned char";
    case EZ_TY_FLOAT:
        return t->size == 4 ? "float" : t->size == 8 ? "double" : NULL;
    default:
        return NULL;
    }
}

/* Returns the type's text, or NULL if C needs a declaration for it. The caller frees it. */
static char *routine_type(const struct ez_type *t, bool cxx)
{
    t = ez_type_strip(t);
    const char *number = routine_number(t, cxx);
    if (number)
        return ez_strdup(number);
    if (t->kind != EZ_TY_POINTER)
        return NULL;
    const struct ez_type *to = ez_type_strip(t->to);
    const char *tag = to->kind == EZ_TY_STRUCT ? "struct" : "union";
    if ((to->kind == EZ_TY_STRUCT || to->kind == EZ_TY_UNION) && to->name && !cxx)
        return ez_sprintf("%s %s *", tag, to->name);
    EZ_FREE char *inner = routine_type(to, cxx);
    return ez_sprintf("%s *", inner ? inner : "void");
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool routine_is_float(const char *type)
{
    return !strcmp(type, "float") || !strcmp(type, "double");
}

/* Returns the expression for the register of w, or NULL if the type needs another class of
 * registers. For a bool, the ABI defines only the low byte. The caller frees it. */
static char *routine_register(const struct ez_where *w, const char *type)
{
    const unsigned n = w->reg[0].number;
    if (w->reg[0].vector != routine_is_float(type))
        return NULL;
    if (w->reg[0].vector)
        return ez_sprintf("ez_vector_%s(ez, %u, %d)", type, n, w->reg[0].high);
    return ez_sprintf("(%s)%sez->reg[%u]", type,
                      !strcmp(type, "bool") || !strcmp(type, "_Bool") ? "(unsigned char)" : "", n);
}

/* Returns the expression for the value, or NULL if C code cannot read it. The caller frees it. */
static char *routine_value(const struct ez_where *w, const char *type)
{
    switch (w->kind) {
    case EZ_AT_REGS:
        return w->nregs == 1 ? routine_register(w, type) : NULL;
    case EZ_AT_STACK:
        return ez_sprintf("*(%s *)((char *)ez->stack + %lld)", type, (long long)w->offset);
    case EZ_AT_POINTED:
        return w->reg[0].vector ? NULL
                                : ez_sprintf("*(%s *)(ez->reg[%u] + %lld)", type, w->reg[0].number,
                                             (long long)w->offset);
    case EZ_AT_STACKED:
        return ez_sprintf("*(%s *)*(void **)((char *)ez->stack + %lld)", type,
                          (long long)w->offset);
    case EZ_AT_CONST:
        return routine_is_float(type) ? ez_sprintf("ez_bits_%s(%lldLL)", type, (long long)w->addr)
                                      : ez_sprintf("(%s)%lldLL", type, (long long)w->addr);
    default:
        return NULL;
    }
}

static void routine_param(struct ez_routine *r, const struct ez_param_at *p, bool cxx)
{
    const struct ez_type *t = ez_type_strip(p->at.type);
    bool refers = t->kind == EZ_TY_REFERENCE;
    EZ_FREE char *type = routine_type(refers ? t->to : t, cxx);
    EZ_FREE char *as = type && refers ? ez_sprintf("%s *", type) : NULL;
    EZ_FREE char *value = type ? routine_value(&p->at.where, as ? as : type) : NULL;
    if (!value || *p->name == '$' || !strcmp(p->name, "this"))
        return;
    struct ez_routine_param one = { .name = p->name };
    one.tag = cxx ? NULL : ez_type_pointed(t, false, &one.size);
    one.declaration = ez_sprintf("%s %s%s = %s%s", type, refers && cxx ? "&" : "", p->name,
                                 refers ? "*" : "", value);
    EZ_PUSH(&r->param, one);
}

/* ---- results --------------------------------------------------------------------------------- */

static char *routine_result(const struct ez_named *at, bool cxx)
{
    const struct ez_type *t = ez_type_strip(at->type);
    if (t->kind == EZ_TY_VOID)
        return NULL;
    EZ_FREE char *type = routine_type(t, cxx),
                 *value = type ? routine_value(&at->where, type) : NULL;
    return value ? ez_sprintf("(ez->reg ? %s : (%s)0)", value, type) : ez_strdup("");
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the end of a template argument: the comma or ">" that follows it. */
static char *routine_argument_end(char *p)
{
    for (int depth = 0; *p; p++) {
        depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
        if (depth < 0 || (!depth && *p == ','))
            break;
    }
    return p;
}

/* Removes default template arguments, as in "std::vector<int, std::allocator<int> >", and blanks
 * before ">", and writes std::string by that name. */
static void routine_shorten(char *text)
{
    static const char *const defaults[] = { ", std::allocator<",      ", std::char_traits<",
                                            ", std::default_delete<", ", std::less<",
                                            ", std::hash<",           ", std::equal_to<" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(defaults); i++)
        for (char *at = text; (at = strstr(at, defaults[i]));) {
            char *end = routine_argument_end(at + 2);
            memmove(at, end, strlen(end) + 1);
        }
    for (char *at = text; (at = strstr(at, " >"));)
        memmove(at, at + 1, strlen(at));
    static const char string[] = "std::__cxx11::basic_string<char>", as[] = "std::string";
    for (char *at = text; (at = strstr(at, string));) {
        memcpy(at, as, strlen(as));
        memmove(at + strlen(as), at + strlen(string), strlen(at + strlen(string)) + 1);
    }
}

/* Returns a type as eztsh-instrument writes it: shortened, without a blank after a star, va_list by
 * that name. The caller frees it. */
static char *routine_text(const struct ez_type *t)
{
    char *text = ez_type_text(t), *to = text;
    if (strstr(text, "__va_list_tag *"))
        strcpy(text, "va_list");
    routine_shorten(text);
    for (const char *p = text; *p; p++)
        if (*p != ' ' || p == text || !strchr("*&", p[-1]))
            *to++ = *p;
    *to = 0;
    return text;
}

/* Types of parameters and result, as the source declares them. */
struct routine_types {
    const struct ez_param *param;
    size_t n;
    bool is_variadic;
    const struct ez_type *result;
};

/* Returns the parameters as text, without those that the compiler adds to a class member. */
static char *routine_types(const struct routine_types *t)
{
    char *all = ez_strdup("");
    for (size_t i = 0; i < t->n; i++) {
        const char *name = t->param[i].name;
        if (name &&
            (!strcmp(name, "this") || !strcmp(name, "__in_chrg") || !strcmp(name, "__vtt_parm")))
            continue;
        EZ_FREE char *was = all, *one = routine_text(t->param[i].type);
        all = ez_sprintf("%s%s%s", was, *was ? ", " : "", one);
    }
    EZ_FREE char *was = all;
    return ez_sprintf("%s%s", was, !t->is_variadic ? "" : *was ? ", ..." : "...");
}

/* Returns whether a qualified name is a constructor's: its last part is the name of the class, as
 * in "ns::Box<int>::Box". Template arguments are ignored. */
static bool routine_constructs(const char *name)
{
    const char *own = ez_name_last(name);
    EZ_FREE char *around = own - name > 2 ? ez_strndup(name, (size_t)(own - name - 2)) : NULL;
    const char *class = around ? ez_name_last(around) : "";
    const size_t n = strcspn(own, "<");
    return n && strcspn(class, "<") == n && !strncmp(own, class, n);
}

/* Returns whether the function has no result type: constructors, destructors and conversions. */
static bool routine_is_made(const char *name)
{
    const char *last = strrchr(name, ':'), *to = strstr(name, "operator ");
    return name[last ? last + 1 - name : 0] == '~' || routine_constructs(name) ||
           (to && strncmp(to + 9, "new", 3) && strncmp(to + 9, "delete", 6));
}

/* Returns the signature from the types of the debug information, or from the demangled name if they
 * are unknown; for a lambda or a Fortran routine, only its name. The caller frees it. */
static char *routine_signature(const struct routine_types *t, const struct ez_routine *r,
                               const char *pretty)
{
    if (r->lang == EZ_ROUTINE_FORTRAN || strstr(pretty, "{lambda("))
        return ez_strdup(r->name);
    EZ_FREE char *types = routine_types(t), *result = routine_text(t->result);
    const size_t n = strlen(r->name);
    if (strstr(types, "{...}") || strstr(result, "{...}"))
        return strncmp(pretty, r->name, n) || strstr(result, "{...}")
                   ? ez_strdup(pretty)
                   : ez_sprintf("%s %s", result, pretty);
    const char last = result[strlen(result) - 1];
    const struct ez_type *this =
        t->n && t->param[0].name && !strcmp(t->param[0].name, "this") ? t->param[0].type : NULL;
    while (this && this->kind == EZ_TY_CONST)
        this = this->to;
    const char *is_const = this && this->to && this->to->kind == EZ_TY_CONST ? " const" : "";
    bool made = r->lang == EZ_ROUTINE_CXX && routine_is_made(r->name);
    return ez_sprintf("%s%s%s(%s)%s", made ? "" : result,
                      made || last == '*' || last == '&' ? "" : " ", r->name, types, is_const);
}

/* ---- routines -------------------------------------------------------------------------------- */

static void routine_free(struct ez_routine *r)
{
    for (size_t i = 0; i < r->param.n; i++) {
        free(r->param.at[i].declaration);
        free(r->param.at[i].fortran);
        free(r->param.at[i].shape);
        free(r->param.at[i].bounds);
        free(r->param.at[i].tag);
    }
    EZ_VEC_FREE(&r->param);
    free(r->name);
    free(r->signature);
    free(r->inlined);
    free(r->result);
}

/* Returns whether the symbol is a deleting destructor, which only calls the destructor in the
 * source. */
static bool routine_deletes(const char *symbol)
{
    const size_t n = strlen(symbol);
    return n > 4 && !strcmp(symbol + n - 4, "D0Ev");
}

static enum ez_routine_lang routine_lang(unsigned language)
{
    return language & DWARF_FN_CXX       ? EZ_ROUTINE_CXX
           : language & DWARF_FN_FORTRAN ? EZ_ROUTINE_FORTRAN
                                         : EZ_ROUTINE_C;
}

static char *routine_signature_of(const struct ez_scope *s, const struct ez_routine *r,
                                  const char *pretty)
{
    EZ_VEC(struct ez_param) param = { 0 };
    for (size_t i = 0; i < s->nparams; i++)
        EZ_PUSH(&param, ((struct ez_param){ s->param[i].name, s->param[i].at.type }));
    const struct routine_types t = { param.at, param.n, s->is_variadic, s->result.type };
    char *signature = routine_signature(&t, r, pretty);
    EZ_VEC_FREE(&param);
    return signature;
}

struct routine_walk {
    struct ez_object *obj;
    struct ez_dwarf *d;
    bool (*fn)(const struct ez_routine *, void *);
    void *arg;
    bool go_on;
    struct ez_hash by_begin; /* index in `inlined` by the start of the function */
    EZ_VEC(char *) inlined;
};

static bool routine_accept(struct routine_walk *w, const struct ez_sym *sym)
{
    struct ez_dwarf_body body;
    struct ez_scope *s = NULL;
    bool go_on = true;
    size_t i;
    if (!ez_dwarf_body(w->d, sym->vaddr, &body) || !body.file || !body.name)
        return true;
    const bool cxx = body.language & DWARF_FN_CXX, fortran = body.language & DWARF_FN_FORTRAN;
    const bool unnamed = fortran && !strcmp(body.name, "MAIN__");
    if ((fortran && !strcmp(sym->name, "main")) /* gfortran generates main, which calls MAIN__ */
        || (cxx && routine_deletes(sym->name)) ||
        !ez_err_drop(ez_scope_of(w->obj, 0, sym, sym->vaddr, NULL, &s)))
        return true;
    struct ez_routine r = { .vaddr = sym->vaddr,
                            .end = body.end,
                            .symbol = sym->name,
                            .name = ez_strdup(unnamed ? "main" : body.name),
                            .file = body.file,
                            .lang = routine_lang(body.language),
                            .begin_line = body.begin_line,
                            .begin_col = body.begin_col,
                            .end_line = body.end_line,
                            .end_col = body.end_col,
                            .known = true };
    r.signature = routine_signature_of(s, &r, ez_sym_pretty(sym));
    r.result = routine_result(&s->result, cxx);
    if (ez_hash_get(&w->by_begin, sym->vaddr, &i))
        r.inlined = ez_strdup(w->inlined.at[i]);
    if (fortran)
        ez_routine_params_fortran(&r, s, body.result);
    for (i = 0; i < s->nparams && !fortran; i++)
        routine_param(&r, &s->param[i], cxx);
    go_on = w->fn(&r, w->arg);
    routine_free(&r);
    ez_scope_free(s);
    return go_on;
}

/* Returns whether the function belongs to the start-up code that the C library adds to every
 * program. */
static bool routine_is_startup(const char *name)
{
    static const char *const names[] = {
        "_start",
        "_init",
        "_fini",
        "deregister_tm_clones",
        "frame_dummy",
        "__libc_csu_init",
        "__libc_csu_fini",
        "register_tm_clones",
        "_dl_relocate_static_pie",
        "__do_global_dtors_aux",
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* Reports a function of a file without debug information. Only its symbol is known. */
static bool routine_of_symbol(struct ez_object *obj, const struct ez_sym *sym,
                              bool (*fn)(const struct ez_routine *, void *), void *arg)
{
    if (routine_is_startup(sym->name) || sym->unnamed || sym->kind != EZ_SYM_FUNC)
        return true;
    const char *pretty = ez_sym_pretty(sym);
    struct ez_routine r = { .vaddr = sym->vaddr,
                            .end = ez_sym_end(sym),
                            .symbol = sym->name,
                            .name = ez_strndup(pretty, strcspn(pretty, "(")),
                            .signature = ez_strdup(pretty),
                            .file = ez_object_base(obj),
                            .lang = pretty == sym->name || !strcmp(pretty, sym->name)
                                        ? EZ_ROUTINE_C
                                        : EZ_ROUTINE_CXX,
                            .result = ez_strdup("") };
    bool go_on = fn(&r, arg);
    routine_free(&r);
    return go_on;
}

/* Reports a function that was inlined everywhere. For a function that also has code of its own,
 * keeps the text for the report of that code. */
static void routine_inlined(const struct ez_dwarf_inlined *f, void *arg)
{
    struct routine_walk *w = arg;
    EZ_FREE char *where =
        f->into ? ez_sprintf("into %s: %lu cop%s", f->into, f->copies, f->copies == 1 ? "y" : "ies")
                : ez_strdup("");
    if (f->begin && *where) {
        ez_hash_put(&w->by_begin, f->begin, w->inlined.n);
        EZ_PUSH(&w->inlined, ez_strdup(where));
    }
    if (f->begin || !w->go_on)
        return;
    struct ez_routine r = { .symbol = f->name,
                            .name = ez_strdup(f->name),
                            .file = f->file,
                            .lang = routine_lang(f->language),
                            .begin_line = f->line,
                            .known = true,
                            .inlined = ez_strdup(where) };
    ez_type_load(f->type);
    const struct routine_types t = { f->type->param, f->type->nparams, f->type->is_variadic,
                                     f->type->to };
    r.signature = routine_signature(&t, &r, f->name);
    w->go_on = w->fn(&r, w->arg);
    routine_free(&r);
}

/* Calls ez_dwarf_ahead() for the next functions, from symbol i on, so that requests about them are
 * fast. Returns the index of the first symbol behind them. */
static size_t routine_ahead(struct ez_dwarf *d, const struct ez_sym *sym, size_t n, size_t i)
{
    uint64_t vaddr[64];
    size_t many = 0;
    for (; i < n && many < EZ_ARRAY_LEN(vaddr) && sym[i].kind != EZ_SYM_DATA; i++)
        if (!many || vaddr[many - 1] != sym[i].vaddr)
            vaddr[many++] = sym[i].vaddr;
    ez_dwarf_ahead(d, vaddr, many);
    return i;
}

void ez_routines_of(struct ez_object *obj, bool (*fn)(const struct ez_routine *, void *), void *arg)
{
    const char *why;
    size_t n;
    uint64_t last = UINT64_MAX;
    struct routine_walk w = { .obj = obj, .fn = fn, .arg = arg, .go_on = true };
    w.d = ez_dwarf_of(obj, &why);
    const struct ez_sym *sym = ez_object_syms(obj, &n);
    if (w.d)
        ez_dwarf_inlined(w.d, routine_inlined, &w);
    size_t ahead = 0;
    for (size_t i = 0; i < n && w.go_on && sym[i].kind != EZ_SYM_DATA; i++) {
        if (sym[i].vaddr == last)
            continue;
        const struct ez_sym *best = ez_object_find_addr(obj, sym[i].vaddr);
        const struct ez_sym *s = best && best->vaddr == sym[i].vaddr ? best : &sym[i];
        last = sym[i].vaddr;
        if (w.d && i >= ahead)
            ahead = routine_ahead(w.d, sym, n, i);
        w.go_on = w.d ? routine_accept(&w, s) : routine_of_symbol(obj, s, fn, arg);
    }
    if (w.d)
        ez_dwarf_ahead(w.d, NULL, 0);
    for (size_t i = 0; i < w.inlined.n; i++)
        free(w.inlined.at[i]);
    EZ_VEC_FREE(&w.inlined);
    ez_hash_free(&w.by_begin);
}
