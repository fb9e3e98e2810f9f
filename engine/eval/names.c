/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - evaluates what debug information does not define: values of the shell, calls, and ?:,
 * && and || with side effects (lookup.c finds the program's names).
 * Tests: tests/procs/calls.sh, tests/unit/eval/check_eval.c */
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf.h"
#include "engine/expr/gen.h"
#include "engine/expr/scope.h"
#include "engine/eval/eval_priv.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"
#include "engine/probe/act.h"

/* ---- values of the shell --------------------------------------------------------------------- */

/* Handles variables of probes ($caller, $arg0, $_probe_arg0 and similar). Returns whether `name` is such a
 * variable; sets *e if the variable has no value in this frame. */
static bool names_of_probes(struct eval *ev, const char *name, ez_err **e)
{
    static const char *const known[] = { "caller", "thread", "_thread", "cfa" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++)
        if (!strcmp(known[i], name) && ev->regs)
            return true;
    if (!strncmp(name, "_probe_arg", strlen("_probe_arg"))) {
        if (!ev->regs && !ev->checks)
            *e = ez_err_gdb(EZ_E_ARG, "No frame selected");
        else if (!ev->scope.stap)
            *e = ez_err_gdb(EZ_E_ARG, "No probe at PC 0x%016llx", (unsigned long long)ev->pc);
        return true;
    }
    const char *digits = name + (*name == 'f');
    bool argument = !strncmp(digits, "arg", 3) && digits[3] &&
                    strspn(digits + 3, "0123456789") == strlen(digits + 3);
    if (argument && !ev->at_entry)
        *e = ez_err_new(EZ_E_ARG, 0, "$%s is known only at a function's first instruction", name);
    return argument;
}

bool names_variable(struct eval *ev, const char *name, struct ez_value *out, ez_err **e)
{
    if (history_old(ev->v, name, out, e))
        return true;
    if (register_value(ev, name, out, e))
        return true;
    const struct ez_value *own = history_named(ev->v, name);
    if (own)
        history_copy(own, out);
    else if (names_of_probes(ev, name, e))
        return *e != NULL;
    else
        *out = value_made(ez_type_base("void"), NULL, 0);
    return true;
}

/* Evaluates EXPR@N: an array of N values in memory, of which EXPR is the first. */
static ez_err *names_repeat(struct eval *ev, const struct ez_expr *x, struct ez_named *out)
{
    struct ez_value first, count = { .type = NULL };
    uint64_t n = 0;
    bool real = false;
    double d;
    EZ_TRY(eval_tree(ev, x->at.at[0], &first));
    const struct ez_type *t = first.type;
    bool place = first.lval == EZ_L_MEMORY && !first.bits;
    uint64_t at = first.addr;
    ez_value_clear(&first);
    EZ_TRY(eval_tree(ev, x->at.at[1], &count));
    ez_err *e = ez_value_number(&count, &n, &real, &d);
    ez_value_clear(&count);
    EZ_TRY(e);
    if (real)
        return ez_err_gdb(EZ_E_ARG, "Non-integral right operand for \"@\" operator.");
    if (!place)
        return ez_err_gdb(EZ_E_ARG, "Only values in memory can be extended with '@'.");
    if ((int64_t)n < 1 || n > 1u << 20)
        return ez_err_gdb(EZ_E_ARG, "Invalid number %lld of repetitions.", (long long)n);
    *out = (struct ez_named){ ez_type_array_of(t, n), { .kind = EZ_AT_MEMORY, .addr = at } };
    return NULL;
}

/* Returns whether the expression calls a function of the shell, $_NAME(...). */
static bool names_is_own(const struct ez_expr *call)
{
    const struct ez_expr *f = call->at.at[0];
    return f->kind == EZ_X_VAR && !strncmp(f->text, "$_", 2);
}

/* Calls the member function that the call names, as in x.f(1) and p->f(1). Sets *is to false, and
 * calls nothing, if f is no member function. */
static ez_err *names_call_method(struct eval *ev, const struct overload_call *call, bool *is,
                                 struct ez_value *out)
{
    struct method_called m;
    struct ez_value object;
    EZ_TRY(eval_tree(ev, call->x->at.at[0]->at.at[0], &object));
    ez_err *e = method_call(ev, call, &object, &m);
    ez_value_clear(&object);
    EZ_TRY(e);
    *is = m.func;
    if (!m.func)
        return NULL;
    struct ez_value func = value_made(ez_type_int(8, false), &m.func, sizeof m.func),
                    this = value_made(ez_type_int(8, false), &m.object, sizeof m.object);
    e = called_of(ev, call->x, &func, m.like, m.of_object ? &this : NULL, call->arg, call->n, out);
    ez_value_clear(&func);
    ez_value_clear(&this);
    return e;
}

/* Calls a virtual function of the frame's class: f(...) means this->f(...). */
static ez_err *names_call_virtual(struct eval *ev, const struct overload_call *call,
                                  struct ez_value *out)
{
    struct ez_expr own = { .kind = EZ_X_NAME, .text = (char[]){ "this" } };
    struct ez_expr arrow = { .kind = EZ_X_ARROW, .text = call->x->at.at[0]->text };
    struct ez_expr whole = { .kind = EZ_X_CALL };
    struct overload_call as = *call;
    bool is = false;
    EZ_PUSH(&arrow.at, &own);
    EZ_PUSH(&whole.at, &arrow);
    for (size_t i = 1; i < call->x->at.n; i++)
        EZ_PUSH(&whole.at, call->x->at.at[i]);
    as.x = &whole;
    ez_err *e = names_call_method(ev, &as, &is, out);
    EZ_VEC_FREE(&arrow.at);
    EZ_VEC_FREE(&whole.at);
    return e || is ? e : value_no_calls();
}

/* Calls the best of the C++ functions with the name of the function at f. If it is a member
 * function, passes the frame's `this`. */
static ez_err *names_call_named(struct eval *ev, const struct overload_call *call,
                                struct ez_value *f, struct ez_value *out)
{
    uint64_t at = f->addr, off = 0;
    struct ez_module_info m;
    struct overload_call named = *call;
    struct overload_chosen chosen = { 0 };
    struct ez_value this = { .type = NULL };
    const struct ez_sym *sym = ez_symbolize(ev->t, ez_addr_of(at), &off, &m);
    EZ_FREE char *bare = sym && !off ? ez_name_bare(sym->name) : NULL;
    named.name = bare;
    named.named = at;
    if (bare)
        EZ_TRY(overload_choose(ev, &named, &chosen));
    if (chosen.func)
        f->addr = chosen.func;
    if (chosen.of_object) {
        const struct ez_expr own = { .kind = EZ_X_NAME, .text = (char[]){ "this" } };
        ez_err_drop(eval_tree(ev, &own, &this));
    }
    if (this.type && chosen.is_virtual && !strchr(call->x->at.at[0]->text, ':')) {
        ez_value_clear(&this);
        return names_call_virtual(ev, call, out);
    }
    ez_err *e = called_of(ev, call->x, f, 0, this.type ? &this : NULL, call->arg, call->n, out);
    ez_value_clear(&this);
    return e;
}

/* Evaluates (OBJECT.*P)(...). */
static ez_err *names_call_pointed(struct eval *ev, const struct overload_call *call,
                                  struct ez_value *out)
{
    struct ez_named f;
    uint64_t object;
    EZ_TRY(member_apply(ev, call->x->at.at[0], &f, &object));
    if (ez_type_strip(f.type)->kind != EZ_TY_FUNC)
        return ez_err_gdb(EZ_E_ARG, "Invalid data type for function to be called.");
    struct ez_value func = value_made(ez_type_int(8, false), &f.where.addr, sizeof f.where.addr),
                    this = value_made(ez_type_int(8, false), &object, sizeof object);
    ez_err *e = called_of(ev, call->x, &func, 0, &this, call->arg, call->n, out);
    ez_value_clear(&func);
    ez_value_clear(&this);
    return e;
}

/* Calls the C++ function f(...) of a namespace around the classes of the arguments. `unknown` is
 * the error to return if there is no such function; it is freed otherwise. */
static ez_err *names_call_by_arguments(struct eval *ev, const struct overload_call *call,
                                       const char *name, ez_err *unknown, bool *is,
                                       struct ez_value *out)
{
    struct overload_chosen found;
    ez_err *e = method_by_arguments(ev, call, name, &found);
    *is = !e && found.func;
    if (!e && !found.func)
        return NULL;
    ez_err_free(unknown);
    EZ_TRY(e);
    struct ez_value func = value_made(ez_type_int(8, false), &found.func, sizeof found.func);
    e = called_value(ev, call->x, &func, 0, call->arg, call->n, out);
    ez_value_clear(&func);
    return e;
}

static ez_err *names_call_value(struct eval *ev, const struct overload_call *call,
                                struct ez_value *out)
{
    const struct ez_expr *f = call->x->at.at[0];
    struct ez_value func = { .type = NULL };
    bool done = false;
    if (names_is_own(call->x))
        return function_call(ev->v, f->text, call->arg, call->n, out);
    if (member_is(f))
        return names_call_pointed(ev, call, out);
    if (f->kind == EZ_X_MEMBER || f->kind == EZ_X_ARROW)
        EZ_TRY(names_call_method(ev, call, &done, out));
    if (done)
        return NULL;
    ez_err *unknown = eval_tree(ev, f, &func);
    if (unknown && unknown->code == EZ_E_NOTFOUND && f->kind == EZ_X_NAME && ev->scope.is_cxx)
        EZ_TRY(names_call_by_arguments(ev, call, f->text, unknown, &done, out));
    if (unknown || done)
        return done ? NULL : unknown;
    bool named = f->kind == EZ_X_NAME && ez_type_strip(func.type)->kind == EZ_TY_FUNC;
    ez_err *e = named ? names_call_named(ev, call, &func, out)
                      : called_value(ev, call->x, &func, 0, call->arg, call->n, out);
    ez_value_clear(&func);
    return e;
}

static ez_err *names_call(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    EZ_VEC(struct ez_value) arg = { 0 };
    ez_err *e = !names_is_own(x) && ev->still ? value_no_calls() : NULL;
    for (size_t i = 1; i < x->at.n && !e; i++) {
        struct ez_value v;
        if (!(e = eval_tree(ev, x->at.at[i], &v)))
            EZ_PUSH(&arg, v);
    }
    if (!e)
        e = names_call_value(ev, &(struct overload_call){ .x = x, .arg = arg.at, .n = arg.n }, out);
    for (size_t i = 0; i < arg.n; i++)
        ez_value_clear(&arg.at[i]);
    EZ_VEC_FREE(&arg);
    return e;
}

/* Returns whether the expression assigns, or calls a function that may. */
static bool names_act(const struct ez_expr *x)
{
    if (x->kind == EZ_X_ASSIGN || (x->kind == EZ_X_CALL && !names_is_own(x)))
        return true;
    for (size_t i = 0; i < x->at.n; i++)
        if (names_act(x->at.at[i]))
            return true;
    return false;
}

static ez_err *names_truth(struct eval *ev, const struct ez_expr *x, bool *out)
{
    struct ez_value v, truth = { .type = NULL };
    EZ_TRY(eval_tree(ev, x, &v));
    ez_err *e = value_convert(&v, ez_type_base("bool"), &truth);
    *out = !e && truth.byte[0];
    ez_value_clear(&truth);
    ez_value_clear(&v);
    return e;
}

/* Evaluates ?:, && and || with side effects: evaluates only the operands that C would. */
static ez_err *names_choose(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    bool is;
    EZ_TRY(names_truth(ev, x->at.at[0], &is));
    if (x->kind == EZ_X_COND)
        return eval_tree(ev, x->at.at[is ? 1 : 2], out);
    if (is == (x->op == EZ_OP2('&', '&')))
        EZ_TRY(names_truth(ev, x->at.at[1], &is));
    *out = ev->scope.is_cxx || ev->scope.is_rust
               ? value_made(ez_type_base("bool"), &is, 1)
               : value_made(ev->scope.is_fortran ? gen_fortran_logical() : ez_type_base("int"),
                            &(int){ is }, sizeof(int));
    return NULL;
}

static bool names_chooses(const struct ez_expr *x)
{
    bool both = x->kind == EZ_X_BINARY && (x->op == EZ_OP2('&', '&') || x->op == EZ_OP2('|', '|'));
    return (both || x->kind == EZ_X_COND) && names_act(x);
}

/* Finds the type of a call without executing the call. For an assignment, sets *e to an error.
 * Returns false for other expressions. */
static bool names_type_of(struct eval *ev, const struct ez_expr *x, struct ez_named *out,
                          ez_err **e)
{
    if (x->kind == EZ_X_ASSIGN) {
        *e = ez_err_new(EZ_E_ARG, 0,
                        "This command needs only the type of the expression, and executes no "
                        "assignment");
        return true;
    }
    if (x->kind != EZ_X_CALL || names_is_own(x))
        return false;
    struct ez_value f;
    *e = eval_tree(ev, x->at.at[0], &f);
    if (*e)
        return true;
    *e = called_type(ev, x, &f, &out->type);
    ez_value_clear(&f);
    out->where = (struct ez_where){ .kind = EZ_AT_CONST };
    return true;
}

/* Returns the value of a string literal; for wide characters, decodes its UTF-8. */
static struct ez_value names_text(const struct ez_expr *x)
{
    const struct ez_type *of = x->type ? gen_wide_char(x->type->base) : NULL;
    EZ_VEC(uint8_t) byte = { 0 };
    size_t units = 0;
    if (!of)
        return value_made(ez_type_array_of(ez_type_base("char"), x->number + 1), x->text,
                          x->number + 1);
    for (size_t i = 0, n = 1; i <= x->number; i += EZ_MAX(n, (size_t)1)) {
        uint32_t cp = (uint8_t)x->text[i];
        n = cp >= 0x80 ? ez_utf8_decode((const unsigned char *)x->text + i, &cp) : 1;
        bool pair = of->size == 2 && cp >= 0x10000;
        uint32_t unit[2] = { pair ? 0xd7c0 + (cp >> 10) : cp, 0xdc00 + (cp & 0x3ff) };
        units += 1u + pair;
        for (unsigned k = 0; k <= pair; k++)
            for (unsigned b = 0; b < of->size; b++)
                EZ_PUSH(&byte, (uint8_t)(unit[k] >> 8 * b));
    }
    struct ez_value v = value_made(ez_type_array_of(of, units), byte.at, byte.n);
    EZ_VEC_FREE(&byte);
    return v;
}

static bool names_held(void *arg, const struct ez_expr *x, struct ez_named *out, ez_err **e)
{
    struct eval *ev = arg;
    struct ez_value value = { .type = NULL };
    uint64_t object;
    if (member_is(x)) {
        *e = member_apply(ev, x, out, &object);
        return true;
    }
    if (ev->types && names_type_of(ev, x, out, e))
        return true;
    switch (x->kind) {
    case EZ_X_VAR:
        if (!names_variable(ev, x->text + 1, &value, e))
            return false;
        if (*e)
            return true;
        break;
    case EZ_X_STRING:
        value = ev->scope.is_fortran ? fortran_literal(ev, x) : names_text(x);
        break;
    case EZ_X_REPEAT:
        *e = names_repeat(ev, x, out);
        return true;
    case EZ_X_CALL:
        if ((*e = names_call(ev, x, &value)))
            return true;
        break;
    case EZ_X_ASSIGN:
        if ((*e = eval_tree(ev, x, &value)))
            return true;
        break;
    case EZ_X_UNARY:
        if (!member_address(ev, x, &value, e))
            return false;
        if (*e)
            return true;
        break;
    case EZ_X_SIZEOF:
        if (!x->at.n || !names_act(x->at.at[0]) || ev->scope.is_fortran)
            return false;
        *e = ez_err_new(EZ_E_ARG, 0, "Calls and assignments are not possible inside sizeof");
        return true;
    default:
        if (ev->types || !names_chooses(x))
            return false;
        if ((*e = names_choose(ev, x, &value)))
            return true;
    }
    eval_hold(ev, &value, out);
    ez_value_clear(&value);
    return true;
}

/* ---- begin, end ------------------------------------------------------------------------------ */

void names_begin(struct eval *ev)
{
    const struct ez_regs *own;
    bool exact = true;
    unsigned inside = ez_frame_inside(ev->t);
    bool has = ez_err_drop(ez_frame_regs(ev->t, &own, &exact));
    if (has && !ez_frame_selected(ev->t))
        inside = frame_before(ev->t, frame_calls(ev->t, ev->t->inf.arch->regs.pc(own)));
    names_begin_at(ev, has ? own : NULL, exact, inside);
    ev->at_stop = has && ez_frame_own(ev->t) && ez_held_regs(ev->t, ez_thread_current(ev->t)->tid);
}

static bool names_local(void *arg, const char *name, struct ez_named *out);

/* Finds a variable of the functions in which the frame's function is nested, and reads it in their
 * frames. Holds a value that is not in memory. */
static bool names_of_host(struct eval *ev, const char *name, struct ez_named *out)
{
    struct eval up = { .v = ev->v, .t = ev->t, .steps = ev->steps + 1 };
    struct ez_stack_frame frame;
    struct ez_value value = { .type = NULL };
    uint64_t offset;
    if (!ev->regs || up.steps >= EVAL_STEPS || !host_find(ev, &frame))
        return false;
    names_begin_at(&up, frame.regs, frame.exact, frame.inside);
    bool found = names_local(&up, name, out);
    bool here = found && out->where.kind == EZ_AT_MEMORY && !held_at(&up, out->where.addr, &offset);
    if (found && !here && out->where.kind != EZ_AT_NONE) {
        if (ez_err_drop(eval_variable(&up, name, &value)))
            eval_hold(ev, &value, out);
        else
            out->where = (struct ez_where){ .kind = EZ_AT_NONE,
                                            .why = "it cannot be read at this instruction" };
        ez_value_clear(&value);
    }
    names_end(&up);
    free(frame.regs);
    return found;
}

static bool names_local(void *arg, const char *name, struct ez_named *out)
{
    struct eval *ev = arg;
    const char *why;
    bool somewhere = ev->regs || ev->checks;
    struct ez_dwarf *d = somewhere && ev->here.obj ? ez_dwarf_of(ev->here.obj, &why) : NULL;
    struct ez_dwarf_local l;
    bool found = false;
    /* a breakpoint at this instruction may be for an inlined function or for one around it: only
     * the stop shows which, so the names of all of them are accepted */
    size_t n = d && ev->checks ? ez_dwarf_calls(d, ev->look - ev->here.bias)->call.n : 0;
    for (unsigned i = ev->inside; d && !found && i < EZ_MAX(n, ev->inside + 1ul); i++) {
        found = ez_dwarf_local(d, ev->look - ev->here.bias, i, ev->which, name, &l);
        if (found && place_of(ev, &l, out))
            shape_resolve(ev, &l.base, out);
        ez_dwarf_local_free(&l);
    }
    return found || names_of_host(ev, name, out);
}

static void names_see_program(const struct ez_module_info *m, void *arg)
{
    if (m->is_program && m->obj)
        *(bool *)arg |= ez_object_main_is_fortran(m->obj);
}

/* Returns whether the main program is in Fortran, whose syntax then applies without a frame. */
static bool names_main_is_fortran(struct eval *ev)
{
    bool is = false;
    ez_err_drop(ez_modules(ev->t, names_see_program, &is));
    return is;
}

/* Sets up the scope: of the instruction ev->look if `somewhere`, else without a function. */
static void names_begin_in(struct eval *ev, bool somewhere, bool exact)
{
    uint64_t off = 0;
    const struct ez_sym *sym = NULL;
    const struct ez_dwarf_calls *calls = somewhere ? frame_calls(ev->t, ev->look) : NULL;
    ev->inlined = calls && ev->inside + 1 < calls->call.n;
    if (somewhere)
        sym = ez_symbolize(ev->t, ez_addr_of(ev->look), &off, &ev->here);
    ev->at_entry = sym && !off && exact && sym->kind != EZ_SYM_COLD;
    ev->scope = (struct ez_scope){ .function = sym ? ez_sym_pretty(sym) : "the program" };
    if (ev->here.obj && !ez_err_drop(ez_scope_of(ev->here.obj, ev->here.bias, sym,
                                                 sym ? sym->vaddr : 0, NULL, &ev->inner)))
        ev->inner = NULL;
    if (ev->inner) {
        ev->inner->tls = tls_address;
        ev->inner->tls_arg = ev;
    }
    if (ev->inner && calls && ev->inside < calls->call.n)
        ez_scope_enter(ev->inner, calls->call.at[ev->inside].key);
    if (ev->inner && ev->at_entry && !ev->inlined) {
        ev->scope.param = ev->inner->param;
        ev->scope.nparams = ev->inner->nparams;
    }
    ev->scope.is_cxx = ev->inner && ev->inner->is_cxx;
    ev->scope.is_fortran =
        ev->inner ? ev->inner->is_fortran : !somewhere && names_main_is_fortran(ev);
    ev->scope.is_rust = ev->inner && ev->inner->is_rust;
    if (somewhere && exact && ev->here.obj) {
        ev->stap =
            (struct ez_scope_stap){ ez_object_stap_at(ev->here.obj, ev->look - ev->here.bias),
                                    ev->here.obj, ev->here.bias };
        ev->scope.stap = ev->stap.note ? &ev->stap : NULL;
    }
    ev->scope.result.type = ez_type_base("void");
    ev->scope.name = lookup_name;
    ev->scope.type = lookup_type;
    ev->scope.means = lookup_means;
    ev->scope.local = names_local;
    ev->scope.held = names_held;
    ev->scope.wide = eval_wide;
    ev->scope.number = eval_number;
    ev->scope.address = eval_address;
    ev->scope.whole = method_whole;
    ev->scope.fortran = fortran_value;
    ev->scope.shape = fortran_shape;
    ev->scope.hold = fortran_hold;
    ev->scope.arg = ev;
}

void names_begin_at(struct eval *ev, const struct ez_regs *regs, bool exact, unsigned inside)
{
    ev->regs = regs;
    ev->inside = inside;
    if (regs) {
        ev->pc = ev->t->inf.arch->regs.pc(regs);
        ev->look = ev->pc - !exact;
        struct own_code o;
        if (own_code_at(ev, ev->look, &o) &&
            o.copied) /* In a trampoline, names are searched at the probed instruction. */
            ev->look = o.copied;
    }
    names_begin_in(ev, regs != NULL, exact);
}

void names_begin_code(struct eval *ev, uint64_t pc)
{
    ev->pc = ev->look = pc;
    ev->checks = true;
    names_begin_in(ev, true, true);
}

void names_end(struct eval *ev)
{
    held_end(ev);
    for (size_t i = 0; i < ev->other.n; i++)
        ez_scope_free(ev->other.at[i].s);
    if (ev->inner)
        ez_scope_free(ev->inner);
    EZ_VEC_FREE(&ev->other);
    free(ev->extended);
    step_end(ev);
}
