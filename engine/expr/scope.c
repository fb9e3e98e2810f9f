/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.c - creates the scope of a function (scope.h).
 * Tests: tests/unit/dwarf/check_dwarf.c, tests/procs/types.sh */
#include "engine/expr/scope.h"

#include <string.h>

#include "arch/arch.h"
#include "engine/expr/abi.h"
#include "engine/dwarf/dwarf.h"
#include "engine/expr/expr.h"
#include "engine/expr/proto.h"
#include "engine/sym/sym.h"

struct scope { /* what ez_scope.arg points to */
    struct ez_scope s;
    struct ez_object *obj;
    uint64_t bias;
    struct ez_dwarf *dwarf; /* debug information of the object; NULL if the object has none */
    struct ez_dwarf_function in;
    struct ez_proto proto;
    EZ_VEC(struct ez_param_at) param;
    EZ_VEC(char *) text;
};

/* ---- parameters ------------------------------------------------------------------------------ */

/* Converts a place from the debug information, at the function's first instruction. */
static struct ez_where scope_where(const struct dwarf_where *w, uint64_t bias)
{
    const struct ez_arch *arch = ez_arch_host();
    const struct ez_convention *by = arch->abi.convention;
    struct ez_where out = ez_where_gone();
    out.nregs = (unsigned)w->nregs;
    for (unsigned i = 0; i < out.nregs; i++) {
        out.reg[i].vector =
            by && w->reg[i] >= by->vector0 && w->reg[i] - by->vector0 < by->nvectors;
        out.reg[i].number = (unsigned)(w->reg[i] - (out.reg[i].vector ? by->vector0 : 0));
        if (!by || (!out.reg[i].vector && out.reg[i].number >= by->nnames))
            return ez_where_gone();
    }
    switch (w->at) {
    case DWARF_AT_REGS:
        out.kind = EZ_AT_REGS;
        break;
    case DWARF_AT_POINTED:
        out.kind = out.reg[0].vector ? EZ_AT_NONE : EZ_AT_POINTED;
        out.offset = (int64_t)w->value;
        break;
    case DWARF_AT_STACK:
        out.offset = (int64_t)w->value + arch->abi.entry_cfa_offset;
        if (out.offset >= arch->abi.entry_cfa_offset) /* nothing is below the return address yet */
            out.kind = EZ_AT_STACK;
        break;
    case DWARF_AT_CONST:
    case DWARF_AT_LOADED:
        out.kind = EZ_AT_CONST;
        out.addr = w->value + (w->at == DWARF_AT_LOADED ? bias : 0);
        out.high = w->high;
        break;
    default:
        break;
    }
    return out;
}

bool ez_scope_is_clone(const struct ez_sym *sym)
{
    static const char *const marks[] = { ".isra.", ".constprop.", ".part." };
    for (size_t i = 0; sym && i < EZ_ARRAY_LEN(marks); i++)
        if (strstr(sym->name, marks[i]))
            return true;
    return false;
}

/* Returns whether the debug information names a register that differs from the convention's. If the
 * debug information names memory, it does not contradict: at -O0 that is the stack slot, which the
 * prologue has not written yet. If it names several registers, it does not contradict either: gcc
 * describes them as they are after the prologue. */
static bool scope_contradicts(const struct ez_where *abi, const struct ez_where *described)
{
    if ((described->kind != EZ_AT_REGS && described->kind != EZ_AT_POINTED) ||
        described->nregs != 1)
        return false;
    return abi->kind != described->kind || abi->reg[0].vector != described->reg[0].vector ||
           abi->reg[0].number != described->reg[0].number;
}

/* Returns whether the parameter is passed by address. In Fortran all parameters are, except those
 * with the attribute `value`. In C++, objects of some classes are passed by address, which gcc's
 * debug information shows only by the place. */
static bool scope_by_address(const struct scope *s, const struct ez_dwarf_param *p)
{
    enum ez_type_kind kind = ez_type_strip(p->type)->kind;
    if (s->in.flags & DWARF_FN_FORTRAN)
        return p->where.by_address || kind == EZ_TY_ARRAY;
    return p->where.by_address && (kind == EZ_TY_STRUCT || kind == EZ_TY_UNION);
}

static const char *scope_param_name(struct scope *s, const char *name, size_t i)
{
    if (name)
        return name;
    char *text = ez_sprintf("$arg%zu", i);
    EZ_PUSH(&s->text, text);
    return text;
}

/* Marks places as unknown for which Rust defines no convention: that of the result, if its type is
 * such, and those of the first parameter of such a type and of all parameters behind it. Rust
 * passes scalars as C does, and &str and &[T] as two scalars; it guarantees nothing else. */
static void scope_forget_rust(struct scope *s)
{
    static const struct ez_where none = { .kind = EZ_AT_NONE,
                                          .why =
                                              "how Rust passes values of this type is not known" };
    bool known = true;
    if (!ez_abi_of_rust(s->in.result))
        s->s.result.where = none;
    for (size_t i = 0; i < s->param.n; i++) {
        known = known && ez_abi_of_rust(s->param.at[i].at.type);
        if (!known)
            s->param.at[i].at.where = none;
    }
}

/* Finds the places of parameters. clone: the optimiser made the function, which therefore follows
 * no calling convention. local: the function is private to its file, so clang may have removed
 * parameters without renaming it. */
static void scope_params(struct scope *s, bool clone, bool local)
{
    struct ez_abi_call call = { .int128 = s->in.flags & DWARF_FN_SPLITS  ? EZ_INT128_SPLITS
                                          : s->in.flags & DWARF_FN_FILLS ? EZ_INT128_FILLS
                                                                         : EZ_INT128_STACK };
    s->s.int128 = call.int128;
    EZ_VEC(struct ez_where) described = { 0 };
    struct ez_where result;
    ez_abi_result(&call, s->in.result, &result);
    s->s.result = (struct ez_named){ s->in.result, result };
    for (size_t i = 0; i < s->in.param.n; i++) {
        const struct ez_dwarf_param *p = &s->in.param.at[i];
        struct ez_param_at at = { scope_param_name(s, p->name, i), { .type = p->type } };
        EZ_PUSH(&described, scope_where(&p->where, s->bias));
        ez_abi_argument(&call, p->type, scope_by_address(s, p), &at.at.where);
        clone |= scope_contradicts(&at.at.where, &described.at[i]);
        EZ_PUSH(&s->param, at);
    }
    if (s->in.flags & DWARF_FN_RUST)
        scope_forget_rust(s);
    for (size_t i = 0; i < described.n; i++)
        if (clone || described.at[i].kind == EZ_AT_CONST ||
            (local && s->in.param.at[i].where.at == DWARF_AT_NONE))
            s->param.at[i].at.where = described.at[i];
    EZ_VEC_FREE(&described);
    s->s.param = s->param.at;
    s->s.nparams = s->param.n;
    s->s.is_variadic = s->in.flags & DWARF_FN_VARIADIC;
}

/* Parses a prototype, and finds the places of its parameters by the calling convention. */
static ez_err *scope_parse_prototype(struct scope *s, const char *text)
{
    struct ez_abi_call call = { 0 };
    struct ez_where result;
    EZ_TRY(ez_proto_parse(text, s->s.type, s, &s->proto));
    ez_abi_result(&call, s->proto.result, &result);
    s->s.result = (struct ez_named){ s->proto.result, result };
    for (size_t i = 0; i < s->proto.param.n; i++) {
        const struct ez_param *p = &s->proto.param.at[i];
        struct ez_param_at at = { scope_param_name(s, p->name, i), { .type = p->type } };
        ez_abi_argument(&call, p->type, false, &at.at.where);
        EZ_PUSH(&s->param, at);
    }
    s->s.why_not = NULL;
    s->s.param = s->param.at;
    s->s.nparams = s->param.n;
    s->s.is_variadic = s->proto.variadic;
    return NULL;
}

/* Returns the prototype that the table of known.c has for the function, or NULL. The function may
 * have several symbols, like read and __libc_read. */
static const char *scope_known_name(const struct ez_object *obj, const struct ez_sym *sym)
{
    size_t n;
    const struct ez_sym *all = ez_object_syms(obj, &n);
    const char *known = ez_known_prototype(sym->name);
    for (size_t i = 0; i < n && !known && all[i].kind != EZ_SYM_DATA && all[i].vaddr <= sym->vaddr;
         i++)
        if (all[i].vaddr == sym->vaddr)
            known = ez_known_prototype(all[i].name);
    return known;
}

/* Returns the prototype of a libc function, which is preferred to debug information because it
 * names flags. */
static const char *scope_known(const struct ez_object *obj, const struct ez_sym *sym)
{
    static const char *const libs[] = { "libc.so.", "libpthread.so.", "librt.so.", "libdl.so.",
                                        "libc.musl-" };
    const char *soname = ez_object_soname(obj);
    for (size_t i = 0; soname && sym && i < EZ_ARRAY_LEN(libs); i++)
        if (!strncmp(soname, libs[i], strlen(libs[i])))
            return scope_known_name(obj, sym);
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

static ez_err *scope_no_symbol(const char *name)
{
    return ez_err_gdb(EZ_E_NOTFOUND, "No symbol \"%s\" in current context.", name);
}

struct linked {
    const char *name;
    uint64_t vaddr;
    bool found;
};

/* Finds, by the file's symbols, the address of a variable that another unit or language defines, or
 * of a function that is also inlined. */
static bool scope_linked(const struct ez_object *o, const char *name, bool function,
                         uint64_t *vaddr)
{
    size_t n;
    const struct ez_sym *sym = ez_object_syms(o, &n);
    for (size_t i = n; i-- > 0 && (function || sym[i].kind == EZ_SYM_DATA);)
        if (function != (sym[i].kind == EZ_SYM_DATA) && sym[i].kind != EZ_SYM_PLT &&
            !strcmp(sym[i].name, name)) {
            *vaddr = sym[i].vaddr;
            return true;
        }
    return false;
}

/* Returns whether a variable is defined but has no place. Returns false for a function, which may
 * still be found by its symbol. */
static bool scope_is_gone(const struct ez_dwarf_symbol *sym)
{
    return sym->where.at == DWARF_AT_NONE && sym->where.value &&
           ez_type_strip(sym->type)->kind != EZ_TY_FUNC;
}

static ez_err *scope_place(struct scope *s, const char *name, const struct ez_dwarf_symbol *sym,
                           struct ez_where *out)
{
    uint64_t vaddr = sym->where.value;
    *out = (struct ez_where){ .kind = EZ_AT_MEMORY };
    switch (sym->where.at) {
    case DWARF_AT_CONST:
    case DWARF_AT_LOADED:
        out->kind = EZ_AT_CONST;
        out->addr = vaddr + (sym->where.at == DWARF_AT_LOADED ? s->bias : 0);
        out->high = sym->where.high;
        return NULL;
    case DWARF_AT_TLS:
        return s->s.tls ? s->s.tls(s->s.tls_arg, s->obj, name, vaddr, &out->addr)
                        : ez_err_new(EZ_E_ARG, 0,
                                     "\"%s\" is thread-local, and cannot be read in a probe", name);
    case DWARF_AT_NONE: /* This unit only declares the name. */
        if (sym->linkage && scope_linked(s->obj, sym->linkage,
                                         ez_type_strip(sym->type)->kind == EZ_TY_FUNC, &vaddr))
            break;
        if (scope_is_gone(sym)) {
            *out = ez_where_gone();
            return NULL;
        }
        return ez_err_new(EZ_E_NOTFOUND, 0, "\"%s\" is defined outside of %s, or optimized out",
                          name, ez_object_base(s->obj));
    case DWARF_AT_ADDRESS:
        break;
    default:
        return ez_err_new(EZ_E_ARG, 0, "The location of \"%s\" is not known", name);
    }
    out->addr = vaddr + s->bias;
    return NULL;
}

static ez_err *scope_name(void *arg, const char *scope, const char *name, struct ez_named *out)
{
    struct scope *s = arg;
    struct ez_dwarf_symbol sym;
    uint64_t vaddr;
    bool file = scope && strchr(scope, '.');
    EZ_FREE char *full =
        scope ? ez_sprintf("%s%s%s", scope, file ? "\t" : "::", name) : ez_strdup(name);
    if (!s->dwarf || !ez_dwarf_symbol(s->dwarf, &s->in, full, false, &sym)) {
        if (scope_linked(s->obj, name, false, &vaddr))
            return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "'%s' has unknown type", name),
                               "The address is known: use *(int *)0x%llx",
                               (unsigned long long)(vaddr + s->bias));
        return scope_no_symbol(name);
    }
    out->type = sym.type;
    return scope_place(s, name, &sym, &out->where);
}

bool ez_scope_near(struct ez_scope *scope, const char *name, struct ez_named *out)
{
    struct scope *s = (struct scope *)scope;
    struct ez_dwarf_symbol sym;
    if (!s->dwarf || !ez_dwarf_symbol(s->dwarf, &s->in, name, true, &sym) ||
        (sym.where.at == DWARF_AT_NONE && !scope_is_gone(&sym)))
        return false;
    out->type = sym.type;
    return ez_err_drop(scope_place(s, name, &sym, &out->where));
}

bool ez_scope_near_type(struct ez_scope *scope, const char *name)
{
    struct scope *s = (struct scope *)scope;
    return s->dwarf && ez_dwarf_named(s->dwarf, &s->in, name, true);
}

const struct ez_type *ez_scope_base(const struct ez_scope *s, const char *name)
{
    const struct ez_type *fortran = s->is_fortran ? ez_fortran_base(name) : NULL;
    return fortran ? fortran : s->is_rust ? ez_rust_base(name) : ez_type_base(name);
}

enum ez_means ez_scope_means(struct ez_scope *scope, const char *word, bool near)
{
    struct scope *s = (struct scope *)scope;
    if (ez_scope_base(&s->s, word))
        return EZ_MEANS_TYPE;
    for (size_t i = 0; i < s->s.nparams; i++)
        if (!strcmp(s->s.param[i].name, word))
            return EZ_MEANS_VALUE;
    return s->dwarf ? ez_dwarf_means(s->dwarf, &s->in, word, near) : EZ_MEANS_NOTHING;
}

static enum ez_means scope_means(void *arg, const char *name)
{
    return ez_scope_means(arg, name, false);
}

ez_err *ez_scope_no_type(const char *name)
{
    static const char *const tags[] = { "struct", "union", "enum", "class" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(tags); i++) {
        size_t n = strlen(tags[i]);
        if (!strncmp(name, tags[i], n) && name[n] == ' ')
            return ez_err_gdb(EZ_E_NOTFOUND, "No %s type named %s.", i == 3 ? "struct" : tags[i],
                              name + n + 1);
    }
    return ez_err_gdb(EZ_E_NOTFOUND, "No type named %s.", name);
}

const struct ez_type *ez_scope_derived(const struct ez_type *t, const struct ez_type_name *name)
{
    for (unsigned i = 0; i < name->stars; i++)
        t = ez_type_pointer_to(t);
    if (name->is_reference)
        t = ez_type_reference_to(t);
    if (name->is_function)
        t = ez_type_function_of(t);
    for (size_t i = name->dim.n; i-- > 0;)
        t = ez_type_array_of(t, name->dim.at[i]);
    for (unsigned i = 0; i < name->outer; i++)
        t = ez_type_pointer_to(t);
    return t;
}

static ez_err *scope_type(void *arg, const struct ez_type_name *name, const struct ez_type **out)
{
    struct scope *s = arg;
    const struct ez_type *t = ez_scope_base(&s->s, name->base);
    if (!t && s->dwarf)
        t = ez_dwarf_named(s->dwarf, &s->in, name->base, false);
    if (!t)
        return ez_scope_no_type(name->base);
    *out = ez_scope_derived(t, name);
    return NULL;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

ez_err *ez_scope_of(struct ez_object *obj, uint64_t bias, const struct ez_sym *sym, uint64_t vaddr,
                    const char *prototype, struct ez_scope **out)
{
    struct scope *s = ez_alloc(sizeof *s);
    const char *why, *known = scope_known(obj, sym);
    ez_err *e = NULL;
    s->obj = obj;
    s->bias = bias;
    s->dwarf = ez_dwarf_of(obj, &why);
    s->s = (struct ez_scope){ .function = sym ? ez_sym_pretty(sym) : "it",
                              .why_not = why,
                              .name = scope_name,
                              .type = scope_type,
                              .means = scope_means,
                              .arg = s };
    s->in.unit = DWARF_NO_UNIT;
    bool described = s->dwarf && ez_dwarf_function(s->dwarf, vaddr, &s->in);
    if (prototype || known) {
        e = scope_parse_prototype(s, prototype ? prototype : known);
    } else if (described && s->in.flags & DWARF_FN_ASM) {
        s->s.why_not = "it is written in assembler";
    } else if (described) {
        s->s.why_not = NULL;
        s->s.name_in_source = s->in.name;
        s->s.is_static = !(s->in.flags & DWARF_FN_EXTERNAL);
        s->s.is_cxx = s->in.flags & DWARF_FN_CXX;
        s->s.is_fortran = s->in.flags & DWARF_FN_FORTRAN;
        s->s.is_rust = s->in.flags & DWARF_FN_RUST;
        s->s.is_virtual = s->in.flags & DWARF_FN_VIRTUAL;
        s->s.vtable = s->in.flags >> DWARF_FN_VTABLE;
        scope_params(s, ez_scope_is_clone(sym), sym && sym->local);
    } else if (s->dwarf && !vaddr) { /* Without a function, only names of the file are known. */
        s->s.why_not = NULL;
    } else if (s->dwarf) {
        s->s.why_not = "it has no debug information";
    }
    *out = &s->s;
    if (e)
        ez_scope_free(&s->s);
    return e;
}

void ez_scope_enter(struct ez_scope *scope, uint64_t key)
{
    ((struct scope *)scope)->in.key = key;
}

void ez_scope_free(struct ez_scope *scope)
{
    struct scope *s = (struct scope *)scope;
    if (!s)
        return;
    for (size_t i = 0; i < s->text.n; i++)
        free(s->text.at[i]);
    EZ_VEC_FREE(&s->text);
    EZ_VEC_FREE(&s->param);
    EZ_VEC_FREE(&s->in.param);
    ez_proto_free(&s->proto);
    free(s);
}
