/* SPDX-License-Identifier: GPL-3.0-or-later */
/* called.c - calls functions of the program from an expression, FUNC(ARG, ...), as gdb does.
 *
 * The table of libc's functions or the debug information gives a function's parameters and result
 * (engine/expr/scope.h); for other functions, a cast around the call gives the type of the result.
 * The calling convention says where arguments and result are (engine/expr/abi.h).
 * engine/inferior/call.c makes the call itself.
 *
 * Strings, and objects that are passed by reference but exist only in the shell, are copied into
 * memory of the program. That memory stays allocated, because the function may keep the address.
 *
 * Tests: tests/procs/calls.sh */
#include <string.h>

#include "engine/expr/abi.h"
#include "engine/expr/proto.h"
#include "engine/expr/scope.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"

#define LARGEST (1u << 20) /* maximum size of a result in bytes */

struct called {
    struct eval *ev;
    /* func: the function to call; like: the function whose declaration gives parameters and result,
     * which differs from func only for virtual functions */
    uint64_t func, like;
    const struct ez_type *result; /* NULL = void */
    EZ_VEC(const struct ez_type *) param;
    bool known;         /* parameters and result are known */
    bool rust, fortran; /* language of the function */
    struct ez_abi_call abi;
    uint64_t in_memory; /* address of the memory for the result; 0 if the result is in registers */
    uint64_t reg[6];
    size_t nregs;
    EZ_VEC(uint8_t) stack;
    struct ez_call_more more;
};

/* ---- the function ---------------------------------------------------------------------------- */

/* Reads the function's parameters and result from libc's table or the debug information. Returns
 * false if they are unknown. */
static bool called_prepare(struct called *c)
{
    struct ez_module_info m = { 0 };
    struct ez_scope *s = NULL;
    uint64_t off = 0;
    const struct ez_sym *sym = ez_symbolize(c->ev->t, ez_addr_of(c->like), &off, &m);
    if (!sym || off || !m.obj || (sym->kind == EZ_SYM_IFUNC && !ez_known_prototype(sym->name)))
        return false; /* the debug information describes the resolver, not the function */
    if (!ez_err_drop(ez_scope_of(m.obj, m.bias, sym, sym->vaddr, NULL, &s)))
        return false;
    bool known = !s->why_not;
    c->rust = s->is_rust;
    c->fortran = s->is_fortran;
    for (size_t i = 0; known && i < s->nparams; i++) {
        const struct ez_named *p = &s->param[i].at;
        bool by_address = p->where.kind == EZ_AT_POINTED || p->where.kind == EZ_AT_STACKED;
        EZ_PUSH(&c->param, c->fortran && by_address ? ez_type_reference_to(p->type) : p->type);
    }
    c->abi.int128 = known ? s->int128 : EZ_INT128_STACK;
    if (known)
        c->result = s->result.type;
    ez_scope_free(s);
    return known;
}

/* Returns whether the type of a result is known and not void. It is unknown for functions in
 * assembler. */
static bool called_has_result(const struct ez_type *result)
{
    const struct ez_type *t = result ? ez_type_strip(result) : NULL;
    return t && t->kind != EZ_TY_VOID && t->kind != EZ_TY_UNKNOWN;
}

static void called_by_type(struct called *c, const struct ez_type *t)
{
    ez_type_load(t);
    c->known = true;
    c->result = t->to;
    for (size_t i = 0; i < t->nparams; i++)
        EZ_PUSH(&c->param, t->param[i].type);
}

/* Replaces an IFUNC by the function that its resolver returns. */
static ez_err *called_resolve(struct called *c)
{
    uint64_t off = 0;
    struct ez_module_info m = { 0 };
    const struct ez_sym *sym = ez_symbolize(c->ev->t, ez_addr_of(c->func), &off, &m);
    if (!sym || off || sym->kind != EZ_SYM_IFUNC)
        return NULL;
    EZ_TRY(ez_need_stopped(c->ev->t));
    return ez_ifunc_target(c->ev->t, c->func, &c->func);
}

/* Returns the type to which the expression x casts the result of `call`, or NULL. */
static const struct ez_type_name *called_cast(const struct ez_expr *x, const struct ez_expr *call)
{
    if (x->kind == EZ_X_CAST && x->at.at[0] == call)
        return x->type;
    for (size_t i = 0; i < x->at.n; i++) {
        const struct ez_type_name *t = called_cast(x->at.at[i], call);
        if (t)
            return t;
    }
    return NULL;
}

static ez_err *called_unknown(struct called *c, const struct ez_expr *x)
{
    const struct ez_type_name *cast = c->ev->whole ? called_cast(c->ev->whole, x) : NULL;
    const char *name = x->at.at[0]->kind == EZ_X_NAME ? x->at.at[0]->text : NULL;
    c->result = ez_type_int(8, true);
    if (cast)
        return c->ev->scope.type(c->ev, cast, &c->result);
    if (c->ev->loose)
        return NULL;
    if (name)
        return ez_err_hint(ez_err_gdb(EZ_E_ARG,
                                      "'%s' has unknown return type; cast the call to its "
                                      "declared return type",
                                      name),
                           "Write (int)%s(...)", name);
    return ez_err_hint(ez_err_gdb(EZ_E_ARG,
                                  "function has unknown return type; cast the call to its "
                                  "declared return type"),
                       "Write (int)FUNC(...)");
}

static ez_err *called_which(struct called *c, const struct ez_expr *x, const struct ez_value *f)
{
    const struct ez_type *t = ez_type_strip(f->type);
    EZ_TRY(ez_value_address(f, &c->func));
    c->like = c->like ? c->like : c->func;
    if (t->kind == EZ_TY_POINTER)
        t = ez_type_strip(t->to);
    else if (t->kind == EZ_TY_INT)
        t = NULL;
    if (t && t->kind != EZ_TY_FUNC)
        return ez_err_gdb(EZ_E_ARG, "Invalid data type for function to be called.");
    c->known = called_prepare(c);
    /* A parameter's type in Fortran does not show how it is passed, but the type of a function
     * pointer does. */
    if (!c->known && c->ev->scope.is_fortran && t && t == ez_type_strip(f->type) && !t->symbol)
        return ez_err_new(EZ_E_NOTFOUND, 0,
                          "The function's parameters are not known: it has no symbol, or its debug "
                          "information was not read in time or is damaged");
    if (!c->known && t && !t->symbol && (t->has_protos || called_has_result(t->to)))
        called_by_type(c, t);
    return c->known ? NULL : called_unknown(c, x);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Sets *at to the address of the value in the program. Copies a value that is not in the program's
 * memory there. */
static ez_err *called_address(struct called *c, const struct ez_value *v, uint64_t *at)
{
    *at = v->addr;
    EZ_TRY(value_whole(v));
    return v->lval == EZ_L_MEMORY && !v->bits ? NULL : held_there(c->ev->t, v->byte, v->n, at);
}

/* Returns the type to which C promotes an argument without a prototype. If nothing is known of the
 * function, a float stays a float, as in gdb. */
static const struct ez_type *called_promoted(const struct called *c, const struct ez_type *type)
{
    const struct ez_type *t = ez_type_strip(type);
    if (t->kind == EZ_TY_FLOAT && t->size == 4 && c->known)
        return ez_type_double();
    if (ez_type_is_scalar(t) && t->kind != EZ_TY_FLOAT && t->size < 4)
        return ez_type_int(4, true);
    return type;
}

/* Returns whether an argument of type `own` cannot be passed for a parameter of the struct or
 * pointer type `t`, because the types differ in kind, size or name. */
static bool called_is_other(const struct ez_type *own, const struct ez_type *t)
{
    if (t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_POINTER)
        return false;
    bool named = !t->name || !own->name || !strcmp(t->name, own->name);
    return own->kind != t->kind || own->size != t->size || !named;
}

/* Returns whether a Fortran parameter of this type is passed as a descriptor (assumed-shape arrays,
 * allocatables, pointers). a(n) and character(*) are passed as the address of their first
 * element. */
static bool called_is_described(const struct ez_type *t)
{
    struct ez_dwarf_shape d;
    if (!t->is_dynamic)
        return false;
    bool has_shape = ez_dwarf_shape(t, 0, &d),
         described = !has_shape || d.data.op.n || d.exists.op.n;
    ez_dwarf_shape_free(&d);
    return described;
}

static ez_err *called_no_descriptor(const struct ez_type *parameter)
{
    EZ_FREE char *type = ez_fortran_text(parameter, false);
    return ez_err_new(
        EZ_E_LIMIT, 0,
        "Cannot call the procedure: eztsh cannot make the descriptor that a parameter "
        "of type %s needs",
        type);
}

/* Sets *at to the address to pass for a Fortran argument: that of the value itself, or of a copy
 * that has the parameter's type. */
static ez_err *called_by_reference(struct called *c, const struct ez_value *from,
                                   const struct ez_type *to, uint64_t *at)
{
    const struct ez_type *t = ez_type_strip(to);
    struct ez_value is;
    if (called_is_described(t))
        return called_no_descriptor(to);
    if (called_is_other(ez_type_strip(from->type), t)) {
        EZ_FREE char *own = ez_fortran_text(from->type, false);
        EZ_FREE char *as = ez_fortran_text(to, false);
        return ez_err_new(EZ_E_ARG, 0, "An argument of type %s cannot be passed as %s", own, as);
    }
    bool number = ez_type_is_scalar(t) || t->kind == EZ_TY_COMPLEX;
    if (ez_type_strip(from->type) == t || !number)
        return called_address(c, from, at);
    EZ_TRY(eval_convert(c->ev, from, to, &is));
    ez_err *e = called_address(c, &is, at);
    ez_value_clear(&is);
    return e;
}

/* Converts the value to the parameter's type. `type` is NULL if there is no prototype. */
static ez_err *called_convert(struct called *c, const struct ez_value *from,
                              const struct ez_type *type, struct ez_value *out)
{
    const struct ez_type *t = type ? ez_type_strip(type) : NULL;
    const struct ez_type *own = ez_type_strip(from->type);
    bool address = own->kind == EZ_TY_ARRAY && !own->is_vector;
    uint64_t at = from->addr;
    if (t && t->kind == EZ_TY_REFERENCE)
        address = true;
    if (own->kind == EZ_TY_VOID)
        return ez_err_new(EZ_E_ARG, 0, "An argument of the call has type void, and so no value");
    if (c->fortran && t && t->kind == EZ_TY_REFERENCE)
        EZ_TRY(called_by_reference(c, from, t->to, &at));
    else if (address)
        EZ_TRY(called_address(c, from, &at));
    if (address && !c->fortran && t && t->kind == EZ_TY_REFERENCE)
        EZ_TRY(eval_class_address(c->ev, from->type, t, &at));
    if (address || own->kind == EZ_TY_FUNC) {
        *out = value_made(t ? type : ez_type_pointer_to(ez_type_base("void")), &at, sizeof at);
        return NULL;
    }
    return eval_convert(c->ev, from, t ? type : called_promoted(c, from->type), out);
}

/* Stores 8 bytes of an argument in register i of the place w. */
static ez_err *called_register(struct called *c, const struct ez_where *w, unsigned i,
                               const uint8_t *word)
{
    const struct ez_convention *by = c->ev->t->inf.arch->abi.convention;
    unsigned n = w->reg[i].number;
    if (w->reg[i].vector && n < EZ_ARRAY_LEN(c->more.vector)) {
        memcpy(c->more.vector[n] + (w->reg[i].high ? 8 : 0), word, 8);
        c->more.nvectors = EZ_MAX(c->more.nvectors, n + 1);
        return NULL;
    }
    for (size_t k = 0; !w->reg[i].vector && k < EZ_MIN(by->narguments, 6u); k++)
        if (by->argument[k] == n) {
            memcpy(&c->reg[k], word, 8);
            c->nregs = EZ_MAX(c->nregs, k + 1);
            return NULL;
        }
    return ez_err_new(EZ_E_LIMIT, 0,
                      "Cannot call the function: an argument is passed in a register that eztsh "
                      "cannot set");
}

/* Passes an argument if the architecture's convention is unknown: integers and pointers go to the
 * argument registers in order. */
static ez_err *called_pass_word(struct called *c, const struct ez_type *t, const uint8_t *bytes)
{
    if (!ez_type_is_scalar(t) || t->kind == EZ_TY_FLOAT || t->size > 8 ||
        c->nregs == EZ_ARRAY_LEN(c->reg))
        return ez_err_new(EZ_E_LIMIT, 0,
                          "Cannot pass an argument of type %s: on %s, eztsh passes at most six "
                          "integers and pointers",
                          t->name ? t->name : "?", c->ev->t->inf.arch->name);
    memcpy(&c->reg[c->nregs++], bytes, 8);
    return NULL;
}

static ez_err *called_refuse(const struct ez_type *type, const char *why)
{
    EZ_FREE char *name = ez_type_text(type);
    return ez_err_new(EZ_E_LIMIT, 0, "Cannot pass an argument of type %s: %s", name, why);
}

/* Stores an argument, or 8 bytes of it, on the stack of the call. */
static ez_err *called_push(struct called *c, const struct ez_type *type, const struct ez_where *w,
                           const uint8_t *bytes, size_t n)
{
    uint64_t at = (uint64_t)w->offset - c->ev->t->inf.arch->abi.entry_cfa_offset;
    if (at > 65536 || n > 65536)
        return called_refuse(type, "the arguments of the call have more than 64 KiB");
    while (c->stack.n < at + n)
        EZ_PUSH(&c->stack, 0);
    memcpy(c->stack.at + at, bytes, n);
    return NULL;
}

static ez_err *called_pass(struct called *c, const struct ez_value *v)
{
    const struct ez_type *t = ez_type_strip(v->type);
    size_t room = EZ_ROUND_UP(EZ_MAX(v->n, (size_t)16), 8ul);
    struct ez_where w;
    EZ_FREE uint8_t *bytes = ez_alloc(room);
    EZ_TRY(value_whole(v));
    memcpy(bytes, v->byte, v->n);
    if (ez_type_is_scalar(t) && t->kind != EZ_TY_FLOAT && v->n < 8 && t->is_signed) {
        uint64_t wide = ez_cut(value_word(v->byte, v->n), 8 * (unsigned)v->n, true);
        memcpy(bytes, &wide, sizeof wide);
    }
    if (!c->ev->t->inf.arch->abi.convention)
        return called_pass_word(c, t, bytes);
    ez_abi_argument(&c->abi, v->type, false, &w);
    for (unsigned i = 0; w.kind == EZ_AT_REGS && i < EZ_MAX(1u, w.nregs); i++)
        EZ_TRY(w.reg[i].stack ? called_push(c, v->type, &w, bytes + 8ul * i, 8)
                              : called_register(c, &w, i, bytes + 8ul * i));
    if (w.kind == EZ_AT_REGS)
        return NULL;
    if (w.kind != EZ_AT_STACK)
        return called_refuse(v->type, "where such an argument is passed is not known");
    return called_push(c, v->type, &w, bytes, v->n ? EZ_MIN(EZ_ROUND_UP(v->n, 8ul), room) : 0);
}

static ez_err *called_argument(struct called *c, const struct ez_value *v, size_t i)
{
    struct ez_value as;
    EZ_TRY(held_check(v));
    EZ_TRY(called_convert(c, v, i < c->param.n ? c->param.at[i] : NULL, &as));
    ez_err *e = called_pass(c, &as);
    ez_value_clear(&as);
    return e;
}

/* ---- result ---------------------------------------------------------------------------------- */

/* Sets *w to the place of the result. Allocates memory for a result that is returned in memory; the
 * address of this memory is an additional argument. */
static ez_err *called_expect(struct called *c, struct ez_where *w)
{
    const struct ez_type *t = c->result ? ez_type_load(ez_type_strip(c->result)) : NULL;
    struct ez_value at;
    *w = (struct ez_where){ .kind = EZ_AT_NONE };
    if (!t || t->kind == EZ_TY_VOID)
        return NULL;
    struct ez_abi_call queried = c->abi;
    ez_abi_result(&queried, c->result, w);
    if (w->kind != EZ_AT_RETURNED && w->kind != EZ_AT_POINTED) {
        c->abi = queried;
        return NULL;
    }
    if (t->size > LARGEST)
        return ez_err_new(EZ_E_LIMIT, 0,
                          "The function is not called: its result has %llu bytes, and at most %u "
                          "can be shown",
                          (unsigned long long)t->size, LARGEST);
    EZ_TRY(held_there(c->ev->t, NULL, t->size, &c->in_memory));
    at = value_made(ez_type_pointer_to(c->result), &c->in_memory, sizeof c->in_memory);
    ez_err *e = called_pass(c, &at);
    ez_value_clear(&at);
    return e;
}

/* Reads bytes 8*i to 8*i+7 of the result from its register; from an x87 register, all 16 bytes.
 * Returns false if the register is not available. */
static bool called_part(const struct called *c, const struct ez_where *w, unsigned i, uint8_t *to)
{
    const struct ez_arch *a = c->ev->t->inf.arch;
    bool x87 = w->kind == EZ_AT_X87;
    size_t at = x87 ? a->regs.extended_stack + 16ul * i
                    : a->regs.extended_vector + 16ul * w->reg[i].number + (w->reg[i].high ? 8 : 0);
    const char *name = a->abi.convention->name[w->reg[i].number];
    if (x87 || w->reg[i].vector) {
        bool there = at + 16 <= c->more.nextended;
        if (there)
            memcpy(to, c->more.extended + at, x87 ? 16 : 8);
        return there;
    }
    for (size_t k = 0; k < a->regs.n; k++)
        if (!strcmp(a->regs.desc[k].name, name)) {
            uint64_t word = ez_reg_get(&c->more.left, &a->regs.desc[k]);
            memcpy(to, &word, sizeof word);
            return true;
        }
    return false;
}

static ez_err *called_from_memory(const struct called *c, size_t n, struct ez_value *out)
{
    EZ_FREE uint8_t *all = ez_alloc(n + 1);
    EZ_TRY(ez_read(c->ev->t, ez_addr_of(c->in_memory), all, n));
    *out = value_made(c->result, all, n);
    return ez_remote_munmap(c->ev->t, ez_addr_of(c->in_memory), EZ_MAX(n, (size_t)1));
}

static ez_err *called_result(struct called *c, const struct ez_where *w, uint64_t word,
                             struct ez_value *out)
{
    const struct ez_type *t = c->result ? ez_type_strip(c->result) : NULL;
    uint8_t bytes[32] = { 0 };
    if (!t || t->kind == EZ_TY_VOID) {
        *out = value_made(ez_type_base("void"), NULL, 0);
        return NULL;
    }
    if (c->in_memory)
        return called_from_memory(c, t->size, out);
    if (!c->ev->t->inf.arch->abi.call_stack) {
        *out = value_made(c->result, &word, EZ_MIN(t->size, (uint64_t)8));
        return NULL;
    }
    bool x87 = w->kind == EZ_AT_X87; /* a complex number is in two x87 registers */
    unsigned n = x87 ? (unsigned)(t->size / 16) : EZ_MAX(1u, w->nregs);
    bool there = (w->kind == EZ_AT_REGS && t->size <= 16) || (x87 && t->size <= sizeof bytes);
    for (unsigned i = 0; there && i < n; i++)
        there = called_part(c, w, i, bytes + (x87 ? 16ul : 8ul) * i);
    if (!there)
        return ez_err_new(EZ_E_ARG, 0,
                          "The function was called, but the value that it returned is not known");
    *out = value_made(c->result, bytes, t->size);
    return NULL;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Reads the thread's registers again after the call, and selects again the frame that was selected
 * before. */
static ez_err *called_look_again(struct eval *ev, unsigned frame, bool own, unsigned inside)
{
    struct ez_target *t = ev->t;
    struct ez_regs r = t->session.frame.regs;
    bool exact = t->session.frame.exact;
    if (frame)
        ez_frame_select_in(t, frame, own ? NULL : &r, exact, inside);
    ev->regs = NULL;
    return ez_frame_regs(t, &ev->regs, &exact);
}

static ez_err *called_go(struct called *c, const struct ez_where *w, struct ez_value *out)
{
    struct ez_target *t = c->ev->t;
    const struct ez_call call = { .func = c->func, .arg = c->reg, .n = c->nregs, .others = true };
    bool wide = t->inf.arch->abi.call_stack, own = ez_frame_own(t);
    unsigned frame = ez_frame_selected(t), inside = ez_frame_inside(t);
    uint64_t word = 0;
    c->more.stack = c->stack.at;
    c->more.nstack = c->stack.n;
    if (!wide && (c->more.nvectors || c->stack.n || c->in_memory ||
                  (w->kind == EZ_AT_REGS && (w->nregs > 1 || w->reg[0].vector))))
        return ez_err_new(EZ_E_LIMIT, 0,
                          "On this processor a call can pass at most six integers, and return one");
    ez_err *e = ez_remote_call_more(t, &call, wide ? &c->more : NULL, &word);
    ez_err *again =
        t->inf.state == EZ_STOPPED ? called_look_again(c->ev, frame, own, inside) : NULL;
    if (e && !again && (e->code == EZ_E_REMOTE || e->code == EZ_E_TIMEOUT))
        e = ez_err_hint(e,
                        "The call was abandoned, and the program is where it was before the call, "
                        "but what the call wrote to memory stays");
    EZ_TRY(ez_err_first(e, again));
    return called_result(c, w, word, out);
}

/* Returns an error if the function is one of Rust and has types for which Rust defines no calling
 * convention. */
static ez_err *called_may(const struct called *c)
{
    const struct ez_type *wrong = c->result && !ez_abi_of_rust(c->result) ? c->result : NULL;
    for (size_t i = 0; i < c->param.n && !wrong; i++)
        wrong = ez_abi_of_rust(c->param.at[i]) ? NULL : c->param.at[i];
    if (!c->rust || !wrong)
        return NULL;
    EZ_FREE char *name = ez_type_text(wrong);
    return ez_err_new(EZ_E_LIMIT, 0,
                      "The function is not called: Rust does not define how a %s is passed", name);
}

static ez_err *called_make(struct called *c, const struct ez_value *arg, size_t n,
                           struct ez_value *out)
{
    struct ez_where w;
    if (!ez_target_live(c->ev->t))
        return ez_err_gdb(EZ_E_STATE, "You can't do that without a process to debug.");
    EZ_TRY(ez_need_stopped(c->ev->t));
    if (n < c->param.n)
        return ez_err_gdb(EZ_E_ARG, "Too few arguments in function call.");
    EZ_TRY(called_may(c));
    EZ_TRY(called_resolve(c));
    EZ_TRY(called_expect(c, &w));
    for (size_t i = 0; i < n; i++)
        EZ_TRY(called_argument(c, &arg[i], i));
    return called_go(c, &w, out);
}

ez_err *called_type(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                    const struct ez_type **out)
{
    struct called c = { .ev = ev };
    ez_err *e = called_which(&c, x, f);
    *out = c.result ? c.result : ez_type_base("void");
    EZ_VEC_FREE(&c.param);
    return e;
}

ez_err *called_value(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                     uint64_t like, const struct ez_value *arg, size_t n, struct ez_value *out)
{
    struct called c = { .ev = ev, .like = like };
    ez_err *e = called_which(&c, x, f);
    if (!e)
        e = called_make(&c, arg, n, out);
    free(c.more.extended);
    EZ_VEC_FREE(&c.param);
    EZ_VEC_FREE(&c.stack);
    return e;
}

ez_err *called_of(struct eval *ev, const struct ez_expr *x, const struct ez_value *f, uint64_t like,
                  const struct ez_value *this, const struct ez_value *arg, size_t n,
                  struct ez_value *out)
{
    EZ_VEC(struct ez_value) all = { 0 };
    if (this)
        EZ_PUSH(&all, *this);
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&all, arg[i]);
    ez_err *e = called_value(ev, x, f, like, all.at, all.n, out);
    EZ_VEC_FREE(&all);
    return e;
}
