/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.c - compiles items (collect.h).
 *
 *   ITEM = $args | $ret | $regs | $stack | EXPR
 *   $ret and EXPR may end in :FORMAT: x, d, u, c, f, s (or str), a (or code), hex(BYTES)
 *
 * Without a format, the type decides, as when gdb prints the value: a struct is collected member by
 * member, a char pointer as the string that it points to, any other pointer as an address.
 * Tests: tests/unit/rt/check_code.c, tests/procs/data.sh */
#include "engine/expr/collect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "engine/record/items.h"

#define MOST_MEMBERS 24 /* maximum number of members or elements collected of a struct or array */
#define MOST_NAMES 900  /* maximum length of an enum's names in the trace, in bytes */
#define DEEPEST 32      /* maximum depth of structs and arrays */
/* maximum number of values visited for an item, including those without data */
#define MOST_SEEN 4096
#define STACK_BYTES 64 /* size of $stack */

static void collect_line(struct collect *c, const char *name, bool first, enum ez_item_type type,
                         const char *names)
{
    EZ_FREE char *was = c->text;
    c->text = ez_sprintf("%s%s%s\t%s%s%s\n", was, first ? "" : "+", name, ez_item_type_name(type),
                         *names ? " " : "", names);
    unsigned fixed = ez_item_words(type);
    c->words += fixed;
}

ez_err *collect_room(const struct collect *c)
{
    return c->words <= EZ_DATA_WORDS && c->items <= EZ_DATA_ITEMS
               ? NULL
               : ez_err_hint(
                     ez_err_new(EZ_E_LIMIT, 0,
                                "The items do not fit into an event, which has room for %d items "
                                "and %d words of 8 bytes",
                                EZ_DATA_ITEMS, EZ_DATA_WORDS),
                     "Collect fewer items, or lower \"set max-string\"");
}

/* ---- one value ------------------------------------------------------------------------------- */

static char *collect_enum(const struct ez_type *t, bool *is_flags)
{
    char *s = ez_strdup("");
    uint64_t seen = 0;
    *is_flags = true;
    ez_type_load(t);
    for (size_t i = 0; i < t->nenumerators && strlen(s) < MOST_NAMES; i++) {
        EZ_FREE char *was = s;
        uint64_t v = (uint64_t)t->enumerator[i].value;
        const char *scope = strrchr(t->enumerator[i].name, ':');
        const char *name = scope ? scope + 1 : t->enumerator[i].name;
        s = ez_sprintf("%s%s%s=%lld", was, i ? "," : "", name, (long long)v);
        *is_flags &= !(v & (v - 1)) && !(seen & v) && (v || t->nenumerators > 1);
        seen |= v;
    }
    /* The text is too long, so numbers are shown instead of names. */
    if (strlen(s) >= MOST_NAMES) {
        free(s);
        s = ez_strdup("");
    }
    *is_flags &= t->nenumerators > 2 && seen > 3;
    return s;
}

ez_err *collect_text(struct collect *c, const char *name, bool first, bool text, unsigned most)
{
    c->words += 1 + (most + 7) / 8;
    collect_line(c, name, first, text ? EZ_IT_TEXT : EZ_IT_BYTES, "");
    EZ_TRY(collect_room(c));
    gen_op(c->gen, text ? EZ_OP_TEXT : EZ_OP_BYTES, 0, 0, most);
    return NULL;
}

/* Collects the value, of this type, that is on top of the machine's stack. */
void collect_word(struct collect *c, const char *name, bool first, enum ez_item_type type,
                  const char *names)
{
    collect_line(c, name, first, type, names);
    gen_op(c->gen, EZ_OP_EMIT, 0, 0, 0);
}

static ez_err *collect_scalar(struct collect *c, const char *name, bool first,
                              struct gen_operand *o)
{
    bool is_flags = false;
    EZ_TRY(gen_load(c->gen, o)); /* may replace an array by a pointer */
    const struct ez_type *t = ez_type_strip(o->type), *to = ez_type_strip(t->to);
    EZ_FREE char *names = t->kind == EZ_TY_ENUM ? collect_enum(t, &is_flags) : ez_strdup("");
    switch (t->kind) {
    case EZ_TY_POINTER:
        if (to->kind == EZ_TY_CHAR && to->size == 1)
            return collect_text(c, name, first, true, c->max_string);
        collect_word(c, name, first, to->kind == EZ_TY_FUNC ? EZ_IT_CODE : EZ_IT_PTR, "");
        break;
    case EZ_TY_REFERENCE:
        collect_word(c, name, first, EZ_IT_PTR, "");
        break;
    case EZ_TY_FLOAT:
        collect_word(c, name, first, t->size == 4 ? EZ_IT_FLOAT : EZ_IT_DOUBLE, "");
        break;
    case EZ_TY_ENUM:
        collect_word(c, name, first, is_flags ? EZ_IT_FLAGS : EZ_IT_ENUM, names);
        break;
    case EZ_TY_BOOL:
        collect_word(c, name, first, EZ_IT_BOOL, "");
        break;
    case EZ_TY_CHAR:
        collect_word(c, name, first, EZ_IT_CHAR, "");
        break;
    default:
        collect_word(c, name, first, t->is_signed ? EZ_IT_INT : EZ_IT_UINT, "");
    }
    return collect_room(c);
}

/* Collects the 8-byte word i of a value of 16 bytes, in registers or in memory. */
static ez_err *collect_half(struct collect *c, const struct gen_operand *o, unsigned i)
{
    struct gen_operand half = *o;
    if (gen_has_no_address(o) || (o->kind == GEN_PLACE && o->where.kind == EZ_AT_STACK))
        EZ_TRY(gen_word(c->gen, &o->where, (unsigned)(o->offset / 8) + i));
    else {
        gen_part(c->gen, &half, 8 * i, ez_type_int(8, false));
        EZ_TRY(gen_load(c->gen, &half));
    }
    gen_op(c->gen, EZ_OP_EMIT, 0, 0, 0);
    return NULL;
}

/* Collects a value of two words: long double, __int128. If the operand is an address on the
 * machine's stack, the address is duplicated for the second word. */
static ez_err *collect_pair(struct collect *c, const char *name, bool first, struct gen_operand *o,
                            enum ez_item_type type)
{
    collect_line(c, name, first, type, "");
    EZ_TRY(collect_room(c));
    if (o->kind == GEN_ADDRESS)
        gen_op(c->gen, EZ_OP_DUP, 0, 0, 0);
    EZ_TRY(collect_half(c, o, 0));
    return collect_half(c, o, 1);
}

/* Collects the real and the imaginary part: as doubles, or as two lines of type long double. */
static ez_err *collect_complex(struct collect *c, const char *name, bool first,
                               struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type);
    const struct ez_type *part = ez_type_part(t);
    bool on_stack = o->kind == GEN_ADDRESS;
    if (gen_is_strange_float(part))
        return gen_no(c->gen, "Collecting a value of type", o->type);
    if (part->size <= 8)
        collect_line(c, name, first, EZ_IT_COMPLEX, "");
    if (on_stack)
        gen_op(c->gen, EZ_OP_DUP, 0, 0, 0);
    for (unsigned i = 0; i < 2; i++) {
        struct gen_operand half = *o;
        EZ_FREE char *of = ez_sprintf("%s.%s", name, i ? "im" : "re");
        gen_part(c->gen, &half, i * part->size, part);
        if (part->size > 8) {
            EZ_TRY(collect_pair(c, of, first && !i, &half, EZ_IT_LDOUBLE));
            continue;
        }
        EZ_TRY(gen_load(c->gen, &half));
        gen_op(c->gen, EZ_OP_EMIT, 0, 0, 0);
    }
    return collect_room(c);
}

/* Adds an argument that is not collected to the list c->missing. With name NULL, completes the
 * list. */
static void collect_miss(struct collect *c, const char *name, const char *why)
{
    EZ_FREE char *was = c->missing;
    bool same = why && c->why == why;
    if (!was && !name)
        return;
    c->missing =
        same ? ez_sprintf("%s, %s", was, name)
             : ez_sprintf("%s%s%s%s%s%s", was ? was : "", c->why ? " (" : "", c->why ? c->why : "",
                          c->why ? ")" : "", was && name ? ", " : "", name ? name : "");
    c->why = why;
}

struct members { /* state while the parts of a struct or an array are collected */
    struct collect *c;
    const char *name;
    bool first;
    unsigned n;
};

static ez_err *collect_part(struct members *m, const char *name, const struct gen_operand *whole,
                            const struct ez_field *f, bool last)
{
    struct gen_operand o = *whole;
    if (++m->n > MOST_MEMBERS && m->c->lenient) { /* Skips the other members. */
        if (m->n == MOST_MEMBERS + 1 && o.kind == GEN_ADDRESS)
            gen_op(m->c->gen, EZ_OP_DROP, 0, 0, 0);
        if (m->n == MOST_MEMBERS + 1)
            collect_miss(m->c, m->name, "members behind the first 24");
        return NULL;
    }
    if (m->n > MOST_MEMBERS)
        return ez_err_hint(
            ez_err_new(EZ_E_LIMIT, 0, "%s has more than %d members", m->name, MOST_MEMBERS),
            "Name the members that you want");
    if (o.kind == GEN_ADDRESS && !last)
        gen_op(m->c->gen, EZ_OP_DUP, 0, 0, 0);
    const struct gen_path path = gen_path_of(f);
    EZ_TRY(gen_walk(m->c->gen, &o, &path, f->type));
    o.bit = f->bit;
    o.bits = f->bits;
    EZ_TRY(collect_value(m->c, name, m->first, &o));
    m->first = false;
    return NULL;
}

static ez_err *collect_struct(struct collect *c, const char *name, bool first,
                              const struct gen_operand *o)
{
    const struct ez_type *t = ez_type_load(ez_type_strip(o->type));
    struct members m = { c, name, first, 0 };
    if (t->variant && c->lenient) {
        if (o->kind == GEN_ADDRESS)
            gen_op(c->gen, EZ_OP_DROP, 0, 0, 0);
        collect_miss(c, name, "an enum of Rust");
        return NULL;
    }
    if (t->variant)
        return ez_err_hint(
            ez_err_new(EZ_E_LIMIT, 0, "%s is a Rust enum: its payload cannot be collected", name),
            "\"print\" shows it at a breakpoint");
    if (!t->nfields && o->kind == GEN_ADDRESS)
        gen_op(c->gen, EZ_OP_DROP, 0, 0, 0);
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        EZ_FREE char *full =
            f->name && !f->base ? ez_sprintf("%s.%s", name, f->name) : ez_strdup(name);
        EZ_TRY(collect_part(&m, full, o, f, i + 1 == t->nfields));
    }
    return NULL;
}

/* Handles a Fortran array or string whose bounds or length are computed at run time: returns an
 * error or, for $args, adds it to the missing arguments. */
static ez_err *collect_unbounded(struct collect *c, const char *name, const struct gen_operand *o)
{
    if (!c->lenient)
        return ez_err_hint(
            ez_err_new(EZ_E_LIMIT, 0,
                       "The bounds of %s are known only while the program is stopped", name),
            "\"print\" shows it at a breakpoint");
    if (o->kind == GEN_ADDRESS)
        gen_op(c->gen, EZ_OP_DROP, 0, 0, 0);
    collect_miss(c, name, "bounds that the running program knows");
    return NULL;
}

/* Collects an array: of char in memory, as a string; another of unknown length, as its address; any
 * other element by element. */
static ez_err *collect_array(struct collect *c, const char *name, bool first, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type), *to = ez_type_strip(t->to);
    struct members m = { c, name, first, 0 };
    bool text = to->kind == EZ_TY_CHAR && to->size == 1;
    if (t->is_dynamic && c->gen->scope->is_fortran)
        return collect_unbounded(c, name, o);
    if (t->count == UINT64_MAX || (text && !gen_has_no_address(o))) {
        EZ_TRY(gen_address(c->gen, o));
        if (text)
            return collect_text(c, name, first, true,
                                (unsigned)EZ_MIN(t->count, (uint64_t)c->max_string));
        o->kind = GEN_VALUE;
        collect_word(c, name, first, EZ_IT_PTR, "");
        return NULL;
    }
    if (!t->count && o->kind == GEN_ADDRESS)
        gen_op(c->gen, EZ_OP_DROP, 0, 0, 0);
    for (uint64_t i = 0; i < t->count; i++) {
        EZ_FREE char *full = ez_sprintf("%s[%lu]", name, (unsigned long)i);
        const struct ez_field element = { .type = t->to, .offset = i * to->size };
        EZ_TRY(collect_part(&m, full, o, &element, i + 1 == t->count));
    }
    return NULL;
}

/* Collects std::string and similar, whose first two words are a pointer to the characters and their
 * number. */
static ez_err *collect_text_struct(struct collect *c, const char *name, bool first,
                                   struct gen_operand *o)
{
    EZ_TRY(gen_address(c->gen, o));
    gen_op(c->gen, EZ_OP_LOAD, 8, 0, 0);
    return collect_text(c, name, first, true, c->max_string);
}

/* Collects a value, in the way that its type needs. */
static ez_err *collect_any(struct collect *c, const char *name, bool first, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type);
    EZ_TRY(collect_room(c));
    switch (t->kind) {
    case EZ_TY_STRUCT:
    case EZ_TY_UNION:
        if (t->is_char_text)
            return collect_text_struct(c, name, first, o);
        return collect_struct(c, name, first, o);
    case EZ_TY_ARRAY:
        return collect_array(c, name, first, o);
    case EZ_TY_COMPLEX:
        return collect_complex(c, name, first, o);
    case EZ_TY_FLOAT:
        if (gen_is_strange_float(t))
            return gen_no(c->gen, "Collecting a value of type", o->type);
        if (t->size > 8)
            return collect_pair(c, name, first, o, EZ_IT_LDOUBLE);
        break;
    case EZ_TY_INT:
        if (t->size > 8)
            return collect_pair(c, name, first, o, t->is_signed ? EZ_IT_INT128 : EZ_IT_UINT128);
        break;
    case EZ_TY_REFERENCE:
        if (ez_type_is_scalar(t->to) || ez_type_strip(t->to)->is_char_text) {
            EZ_TRY(gen_referred(c->gen, o));
            return collect_value(c, name, first, o);
        }
        break;
    case EZ_TY_VOID:
        return ez_err_new(EZ_E_ARG, 0, "%s has type void, so there is nothing to collect", name);
    default:
        break;
    }
    return collect_scalar(c, name, first, o);
}

/* Collects a value, with limits, because structs may contain structs, some of them empty, any
 * number of times. */
ez_err *collect_value(struct collect *c, const char *name, bool first, struct gen_operand *o)
{
    if (c->depth >= DEEPEST || c->seen >= MOST_SEEN)
        return ez_err_hint(
            ez_err_new(EZ_E_LIMIT, 0, "Cannot collect %.64s...: it has too many parts", name),
            "Name the members that you want");
    c->depth++;
    c->seen++;
    ez_err *e = collect_any(c, name, first, o);
    c->depth--;
    return e;
}

/* ---- items ----------------------------------------------------------------------------------- */

void collect_begin(struct collect *c)
{
    c->seen = 0;
    gen_op(c->gen, EZ_OP_ITEM, c->items++, 0, 0);
}

/* Collects one of the arguments of $args: of a large struct only the first members, and nothing if
 * the event has no room. An event has a flag "readable" for EZ_DATA_ITEMS items only, so all
 * arguments after these belong to the last item. */
static ez_err *collect_arg(struct collect *c, const char *name, struct gen_operand *o)
{
    const struct collect before = *c;
    size_t ops = c->gen->code->op.n;
    bool own = c->items < EZ_DATA_ITEMS;
    c->text = ez_strdup(before.text);
    c->missing = before.missing ? ez_strdup(before.missing) : NULL;
    c->lenient = true;
    if (own)
        collect_begin(c);
    ez_err *e = collect_value(c, name, own, o);
    if (!e || e->code != EZ_E_LIMIT) {
        free(before.text);
        free(before.missing);
        c->lenient = before.lenient;
        return e;
    }
    ez_err_free(e);
    free(c->text);
    free(c->missing);
    *c = before;
    c->gen->code->op.n = ops;
    collect_miss(c, name, "no room");
    return NULL;
}

/* Collects the arguments of a USDT probe. */
static ez_err *collect_stap_args(struct collect *c)
{
    for (unsigned i = 0; i < gen_stap_count(c->gen); i++) {
        struct gen_operand o;
        EZ_FREE char *name = ez_sprintf("$_probe_arg%u", i);
        collect_begin(c);
        EZ_TRY(gen_stap_argument(c->gen, i, &o));
        EZ_TRY(collect_value(c, name, true, &o));
    }
    return NULL;
}

static ez_err *collect_args(struct collect *c, bool if_known)
{
    const struct ez_scope *s = c->gen->scope;
    if (s->stap)
        return collect_stap_args(c);
    if (s->why_not && if_known) {
        collect_miss(c, "its arguments", s->why_not);
        collect_miss(c, NULL, NULL);
        return NULL;
    }
    if (s->why_not)
        return ez_err_hint(
            ez_err_new(EZ_E_NOTFOUND, 0, "The function's arguments are not known: %s", s->why_not),
            "$arg0, $arg1, ... are the arguments by position; or write the function's prototype: "
            "probe 'int f(int, char *)' collect $args");
    for (size_t i = 0; i < s->nparams; i++) {
        struct gen_operand o = { .kind = GEN_PLACE,
                                 .type = s->param[i].at.type,
                                 .where = s->param[i].at.where };
        if (o.where.kind != EZ_AT_NONE)
            EZ_TRY(collect_arg(c, s->param[i].name, &o));
        else if (ez_type_load(ez_type_strip(o.type))->size) /* skip empty classes */
            collect_miss(c, s->param[i].name, o.where.gone ? "optimized out" : "no place");
    }
    collect_miss(c, NULL, NULL);
    return NULL;
}

static ez_err *collect_registers(struct collect *c)
{
    const struct ez_convention *by = ez_arch_host()->abi.convention;
    collect_begin(c);
    for (unsigned i = 0; i < by->nnames; i++) {
        gen_op(c->gen, EZ_OP_REG, i, 64, 0);
        collect_word(c, by->name[i], !i, EZ_IT_HEX, "");
    }
    return collect_room(c);
}

static ez_err *collect_stack(struct collect *c)
{
    collect_begin(c);
    gen_op(c->gen, EZ_OP_FRAME, 0, 0, 0);
    return collect_text(c, "$stack", true, false, STACK_BYTES);
}

/* Returns the item's name in the trace: as typed, without blanks and line separators. A leading '+'
 * marks a line of the previous item (items.h). */
char *collect_name(const char *text, size_t len)
{
    char *s = ez_alloc(len + 3), *p = s + 1;
    for (size_t i = 0; i < len; i++)
        if (!isspace((unsigned char)text[i]))
            *p++ = text[i];
    if (s[1] == '+') {
        *s = '(';
        *p = ')';
        return s;
    }
    memmove(s, s + 1, (size_t)(p - s));
    return s;
}

static ez_err *collect_expression(struct collect *c, const struct collect_item *it)
{
    const struct ez_scope *s = c->gen->scope;
    EZ_FREE char *text = ez_strndup(it->text, it->len), *name = collect_name(it->text, it->len);
    struct ez_expr *x = NULL;
    struct gen_operand o;
    const struct ez_language words = ez_scope_language(s);
    EZ_TRY(ez_expr_parse(text, &words, &x));
    collect_begin(c);
    ez_err *e = gen_expr(c->gen, x, &o);
    ez_expr_free(x);
    EZ_TRY(e);
    return it->format ? collect_formatted(c, name, it, &o) : collect_value(c, name, true, &o);
}

/* Removes the '?' at the end of an item, and the blanks around it. Returns false if there is none. */
static bool collect_cut_known(const char *text, size_t *len)
{
    size_t n = *len;
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    if (!n || text[n - 1] != '?')
        return false;
    *len = n - 1;
    return true;
}

static bool collect_has_result(const struct collect *c)
{
    return !gen_no_result(c->gen) && (!c->gen->scope->why_not || c->gen->scope->result.type);
}

static ez_err *collect_item(struct collect *c, const char *from, size_t len)
{
    const bool if_known = collect_cut_known(from, &len);
    struct collect_item it = { .text = from, .len = len };
    EZ_TRY(collect_parse_format(&it));
    EZ_FREE char *name = collect_name(it.text, it.len);
    if (!*name)
        return ez_err_new(EZ_E_ARG, 0, "An item is missing near \"%.*s\"", (int)len, from);
    bool several = !strcmp(name, "$args") || !strcmp(name, "$regs") || !strcmp(name, "$stack");
    if (several && it.format)
        return ez_err_new(EZ_E_ARG, 0, "%s cannot have a format: it is several values", name);
    if (if_known && strcmp(name, "$args") != 0 && strcmp(name, "$ret") != 0)
        return ez_err_new(EZ_E_ARG, 0, "Only $args? and $ret? are left out where they are unknown");
    if (!strcmp(name, "$args"))
        return collect_args(c, if_known);
    if (!strcmp(name, "$regs"))
        return collect_registers(c);
    if (!strcmp(name, "$stack"))
        return collect_stack(c);
    if (!strcmp(name, "$ret") &&
        (if_known ? !collect_has_result(c) : c->of_many && gen_no_result(c->gen)))
        return NULL;
    return collect_expression(c, &it);
}

/* Returns the number of bytes up to the next comma outside of parentheses and quotes. */
size_t collect_length(const char *text)
{
    int depth = 0;
    size_t i = 0;
    for (char quote = 0; text[i] && (quote || depth > 0 || text[i] != ','); i++) {
        char ch = text[i];
        if (quote) {
            i += ch == '\\' && text[i + 1];
            quote = ch == quote ? 0 : quote;
        } else if (ch == '\'' || ch == '"') {
            quote = ch;
        } else {
            depth += ch == '(' || ch == '[' || ch == '{';
            depth -= ch == ')' || ch == ']' || ch == '}';
        }
    }
    return i;
}

/* Returns whether the item uses $ret, so that it can only be collected at the exit. */
static bool collect_uses_result(const struct collect *c, const char *text, size_t len)
{
    const struct ez_scope *s = c->gen->scope;
    collect_cut_known(text, &len);
    EZ_FREE char *item = ez_strndup(text, len);
    struct ez_expr *x = NULL;
    const char *end;
    const struct ez_language words = ez_scope_language(s);
    if (!ez_err_drop(ez_expr_parse_item(item, &words, &x, &end)))
        return false; /* the error is reported when the item is collected */
    bool uses = ez_expr_has_var(x, "$ret") || ez_expr_has_var(x, "$fret");
    ez_expr_free(x);
    return uses;
}

ez_err *collect_items(struct collect *c, const char *text, bool with_result, bool only_result)
{
    for (const char *p = text ? text : ""; *p;) {
        size_t len = collect_length(p);
        bool result = collect_uses_result(c, p, len);
        if (result ? with_result : !only_result) {
            ez_err *e = collect_item(c, p, len);
            if (e)
                return e;
        }
        p += len;
        p += *p == ',';
        if (p[-1] == ',' && !p[strspn(p, " \t")])
            return ez_err_new(EZ_E_ARG, 0, "An item is missing after the last comma");
    }
    return NULL;
}
