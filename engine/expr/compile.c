/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.c - compiles a request to a clause (clause.h).
 *
 * The exit's code is generated first, because only then it is known which words the entry must
 * save. The entry's code saves these words before it emits the words of its event.
 * Tests: tests/unit/rt/check_code.c, tests/procs/addup.sh */
#include <string.h>

#include "arch/arch.h"
#include "engine/expr/collect.h"

void ez_clause_free(struct ez_clause_code *c)
{
    if (!c)
        return;
    EZ_VEC_FREE(&c->op);
    free(c->items);
    free(c->out_items);
    free(c->print);
    free(c->missing);
    free(c);
}

bool ez_clause_same(const struct ez_clause_code *a, const struct ez_clause_code *b)
{
    return a->serial == b->serial && a->fragment == b->fragment && a->place == b->place &&
           a->tracepoint == b->tracepoint && a->act == b->act && a->act_at_exit == b->act_at_exit &&
           a->act_gate == b->act_gate && a->op.n == b->op.n &&
           !memcmp(a->op.at, b->op.at, a->op.n * sizeof *a->op.at) &&
           !memcmp(&a->cond, &b->cond, sizeof a->cond) &&
           !memcmp(&a->entry, &b->entry, sizeof a->entry) &&
           !memcmp(&a->leave, &b->leave, sizeof a->leave) &&
           !memcmp(&a->out, &b->out, sizeof a->out) && !strcmp(a->items, b->items) &&
           !strcmp(a->print, b->print) && !strcmp(a->out_items, b->out_items);
}

static struct ez_code_at compile_piece(const struct gen *g, size_t from)
{
    return (struct ez_code_at){ (uint16_t)from, (uint16_t)(g->code->op.n - from) };
}

static ez_err *compile_truth(struct gen *g, const struct ez_expr *x)
{
    struct gen_operand o;
    EZ_TRY(gen_expr(g, x, &o));
    EZ_TRY(gen_load(g, &o));
    gen_truth(g, &o);
    return NULL;
}

/* Generates the guards, the condition and the number of the hit (guard.c). Each is evaluated only
 * if the previous one holds. `x` is NULL if the condition is evaluated at the exit, or if there is
 * no condition. turn: the number of the hit is tested, too. */
static ez_err *compile_condition(struct gen *g, const struct ez_expr *x, const struct ez_guards *by,
                                 bool turn, struct ez_code_at *at)
{
    size_t from = g->code->op.n, begun;
    bool uses = guard_has_request(by);
    turn &= by->skip || by->most;
    if (!uses && !x && !turn)
        return NULL;
    if (uses)
        guard_hit(g, by);
    else if (!x)
        gen_op(g, EZ_OP_IMM, 0, 0, 1);
    begun = uses && x ? guard_and(g) : 0;
    if (x)
        EZ_TRY(compile_truth(g, x));
    if (uses && x)
        guard_and_end(g, begun);
    if (turn)
        guard_turn(g, by);
    *at = compile_piece(g, from);
    return NULL;
}

/* Returns whether the user gave this text. */
static bool compile_any(const char *text)
{
    return text && *text;
}

static bool compile_sees(const struct ez_request *request, enum ez_probe_kind side)
{
    return request->spec->kind & side;
}

/* Returns whether a condition uses $ret, so that it must be evaluated at the exit instead of the
 * entry. */
static bool compile_uses_result(const struct ez_expr *x)
{
    return ez_expr_has_var(x, "$ret") || ez_expr_has_var(x, "$fret");
}

static ez_err *compile_leave(struct gen *g, const struct ez_request *request,
                             const struct ez_expr *cond)
{
    if (!cond || !compile_uses_result(cond))
        return NULL;
    if (compile_sees(request, EZ_PROBE_ENTRY))
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "$ret is known only at the function's exit"),
                           "\"probe exit FUNC if ...\" evaluates the condition at the exit");
    const struct ez_guards turn = { .skip = request->guards.skip, .most = request->guards.most };
    return compile_condition(g, cond, &turn, true, &g->code->leave);
}

/* ---- aggregates ------------------------------------------------------------------------------ */

static ez_err *compile_value(struct gen *g, const char *text, struct gen_operand *o)
{
    struct ez_expr *x = NULL;
    const struct ez_language words = ez_scope_language(g->scope);
    EZ_TRY(ez_expr_parse(text, &words, &x));
    ez_err *e = gen_expr(g, x, o);
    ez_expr_free(x);
    return e ? e : gen_load(g, o);
}

/* Generates the key of an aggregate: a number, or the identity of a string (EZ_OP_NAME). */
static ez_err *compile_key(struct gen *g, const char *text)
{
    struct gen_operand o;
    size_t n = strlen(text);
    bool str = n > 4 && !strcmp(text + n - 4, ":str");
    EZ_FREE char *expr = ez_strndup(text, n - (str ? 4 : 0));
    g->code->key = EZ_IT_INT;
    if (!*text) {
        gen_op(g, EZ_OP_IMM, 0, 0, 0);
        return NULL;
    }
    EZ_TRY(compile_value(g, expr, &o));
    const struct ez_type *t = ez_type_strip(o.type), *to = ez_type_strip(t->to);
    if (str || (t->kind == EZ_TY_POINTER && to->kind == EZ_TY_CHAR)) {
        gen_op(g, EZ_OP_NAME, 0, 0, 0);
        g->code->key = EZ_IT_TEXT;
    } else if (t->kind == EZ_TY_FLOAT) {
        g->code->key = EZ_IT_DOUBLE;
    } else if (t->kind == EZ_TY_POINTER) {
        g->code->key = strcmp(text, "$caller") ? EZ_IT_PTR : EZ_IT_CODE;
    } else {
        g->code->key = t->is_signed ? EZ_IT_INT : EZ_IT_UINT;
    }
    return NULL;
}

/* Returns the kind of an aggregate's values. The values of a histogram are integers. */
static enum ez_addup_of compile_added(const struct gen_operand *o, bool hist)
{
    const struct ez_type *t = ez_type_strip(o->type);
    if (t->kind == EZ_TY_FLOAT)
        return hist ? EZ_OF_INT : EZ_OF_DOUBLE;
    return t->is_signed ? EZ_OF_INT : EZ_OF_UINT;
}

static ez_err *compile_add(struct gen *g, const struct ez_request *request)
{
    static const struct ez_where begin = { .kind = EZ_AT_TICK };
    const struct ez_probe_spec *spec = request->spec;
    bool hist = ez_adds_kind(spec->adds) == EZ_ADDUP_HIST;
    struct gen_operand o = { .type = ez_type_int(8, true) };
    EZ_TRY(compile_key(g, ez_text(spec->key)));
    if (ez_adds_ops[spec->adds].ticks) {
        gen_op(g, EZ_OP_TICK, 0, 0, 0);
        EZ_TRY(gen_word(g, &begin, 0));
        gen_op(g, EZ_OP_SUB, 0, 0, 0);
    } else if (compile_any(spec->value)) {
        EZ_TRY(compile_value(g, spec->value, &o));
    } else {
        gen_op(g, EZ_OP_IMM, 0, 0, 1);
    }
    g->code->adds_of = compile_added(&o, hist);
    if (hist && ez_type_strip(o.type)->kind == EZ_TY_FLOAT)
        gen_op(g, EZ_OP_TO_INT, 1, 0, 0);
    g->code->adds = true;
    gen_op(g, EZ_OP_ADDUP, hist, g->code->adds_of, request->table);
    return NULL;
}

/* Begins a list of items. The caller owns the `text` of the result. */
static struct collect compile_collect(struct gen *g, const struct ez_request *request)
{
    return (struct collect){ .gen = g,
                             .max_string = request->max_string,
                             .of_many = request->spec->matching,
                             .text = ez_strdup("") };
}

/* Moves the list of missing arguments to `code`, unless the other side of the call already has
 * one. */
static void compile_missing(struct ez_clause_code *code, struct collect *c)
{
    if (!code->missing)
        code->missing = c->missing;
    else
        free(c->missing);
}

static ez_err *compile_out(struct gen *g, const struct ez_request *request)
{
    struct collect c = compile_collect(g, request);
    size_t from = g->code->op.n;
    ez_err *e =
        collect_items(&c, request->spec->collect, true, compile_sees(request, EZ_PROBE_ENTRY));
    if (!e)
        e = collect_items(&c, request->spec->leave, true, false);
    g->code->out_items = c.text;
    g->code->out_words = c.words;
    compile_missing(g->code, &c);
    EZ_TRY(e);
    if (request->spec->adds && compile_sees(request, EZ_PROBE_EXIT))
        EZ_TRY(compile_add(g, request));
    if (!compile_sees(request, EZ_PROBE_EXIT) && g->code->op.n > from)
        return ez_err_new(EZ_E_ARG, 0,
                          "Cannot collect at the exit: the probe is only on the function's entry");
    g->code->out = compile_piece(g, from);
    return NULL;
}

/* Generates code that saves the words that `exit` needs. */
static ez_err *compile_save(struct gen *g, const struct gen *exit)
{
    for (size_t i = 0; i < exit->saved.n; i++) {
        EZ_TRY(gen_word(g, &exit->saved.at[i].where, exit->saved.at[i].word));
        gen_op(g, EZ_OP_SAVE, (unsigned)i, 0, 0);
    }
    g->code->saved = (unsigned)exit->saved.n;
    return NULL;
}

static ez_err *compile_entry(struct gen *g, const struct gen *exit,
                             const struct ez_request *request)
{
    struct collect c = compile_collect(g, request);
    size_t from = g->code->op.n;
    ez_err *e = compile_save(g, exit);
    if (!e && compile_sees(request, EZ_PROBE_ENTRY))
        e = collect_items(&c, request->spec->collect, false, false);
    if (!e && compile_any(request->spec->print))
        e = collect_print(&c, request->spec->print);
    g->code->items = c.text;
    g->code->words = c.words;
    compile_missing(g->code, &c);
    EZ_TRY(e);
    if (request->spec->adds && !compile_sees(request, EZ_PROBE_EXIT))
        EZ_TRY(compile_add(g, request));
    g->code->entry = compile_piece(g, from);
    return NULL;
}

static ez_err *compile_parts(struct gen *at_entry, struct gen *at_exit,
                             const struct ez_request *request, const struct ez_expr *cond)
{
    EZ_TRY(compile_leave(at_exit, request, cond));
    EZ_TRY(compile_out(at_exit, request));
    EZ_TRY(compile_entry(at_entry, at_exit, request));
    bool late = cond && compile_uses_result(cond);
    at_entry->code->act = (uint8_t)request->act;
    at_entry->code->act_at_exit = late || !compile_sees(request, EZ_PROBE_ENTRY);
    at_entry->code->act_gate = (uint8_t)request->act_gate;
    at_entry->code->fragment = request->fragment;
    at_entry->code->places = request->places;
    at_entry->code->place = request->place;
    at_entry->code->saved += request->fragment && compile_sees(request, EZ_PROBE_EXIT);
    EZ_TRY(compile_condition(at_entry, late ? NULL : cond, &request->guards, !late,
                             &at_entry->code->cond));
    return ez_clause_verify(at_entry->code);
}

ez_err *ez_clause_compile(const struct ez_request *request, const struct ez_scope *scope,
                          struct ez_clause_code **out)
{
    if (!ez_arch_host()->abi.convention)
        return ez_err_new(EZ_E_REFUSED, 0,
                          "eztsh cannot compile conditions, collected values and aggregates for "
                          "this processor");
    if (scope->is_inside && request->guards.callers)
        return ez_err_new(EZ_E_ARG, 0,
                          "-caller is possible only at a function's first instruction");
    struct ez_clause_code *code = ez_alloc(sizeof *code);
    code->serial = request->serial;
    code->tracepoint = request->tracepoint;
    code->print = ez_strdup(ez_text(request->spec->print));
    struct gen at_entry = { .code = code, .scope = scope };
    struct gen at_exit = { .code = code, .scope = scope, .at_exit = true };
    struct ez_expr *cond = NULL;
    const struct ez_language words = ez_scope_language(scope);
    ez_err *e =
        compile_any(request->spec->cond) ? ez_expr_parse(request->spec->cond, &words, &cond) : NULL;
    if (!e)
        e = compile_parts(&at_entry, &at_exit, request, cond);
    ez_expr_free(cond);
    EZ_VEC_FREE(&at_exit.saved);
    EZ_VEC_FREE(&at_entry.saved);
    if (!code->items)
        code->items = ez_strdup("");
    if (!code->out_items)
        code->out_items = ez_strdup("");
    if (e)
        ez_clause_free(code);
    else
        *out = code;
    return e;
}
