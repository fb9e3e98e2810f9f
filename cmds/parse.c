/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c - parses addresses and locations (parse.h). Tests: tests/unit/shell/check_lex.c */
#include "cmds/parse.h"
#include "cmds/data/values.h"

#include <ctype.h>
#include <string.h>

#include "engine/move/move.h"
#include "shell/parse_word.h"
#include "shell/sess.h"

ez_err *parse_probe(struct ez_sess *s, const char *text, int *out)
{
    uint64_t n;
    if (*text == '$')
        EZ_TRY(values_address(s, text, &n));
    else
        EZ_TRY(parse_count(text, "a probe", &n));
    if (!n || n > INT32_MAX)
        return ez_err_new(EZ_E_ARG, 0, "Bad probe number '%s'", text);
    *out = (int)n;
    return NULL;
}

/* ---- symbols ------------------------------------------------------------------------ */

struct find {
    /* name: the requested name; first, other: two matching symbols with different names */
    const char *name, *first, *other;
    uint64_t addr, bias;
    bool found;
};

static void parse_keep_first(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                             void *arg)
{
    struct find *f = arg;
    const char *pretty = sym ? ez_sym_pretty(sym) : "";
    if (!f->found) {
        f->addr = addr.v;
        f->first = pretty;
    } else if (addr.v != f->addr && strcmp(pretty, f->first)) {
        f->other = pretty;
    }
    f->found = true;
}

static void parse_keep_symbol(const struct ez_sym *sym, void *arg)
{
    struct find *f = arg;
    if (!f->found)
        f->addr = sym->vaddr + f->bias;
    f->found = true;
}

static void parse_find_in_module(const struct ez_module_info *m, void *arg)
{
    struct find *f = arg;
    f->bias = m->bias;
    if (m->obj && !f->found)
        ez_object_find_name(m->obj, f->name, parse_keep_symbol, f);
}

/* Stores the address of the function that the engine selects for `name`. If there is none, stores
 * the address of any symbol with this name, also of a variable. */
static ez_err *parse_symbol(struct ez_sess *s, const char *name, uint64_t *out)
{
    struct find f = { .name = name };
    ez_err_drop(ez_locate(s->target, name, parse_keep_first, &f));
    if (!f.found)
        ez_err_drop(ez_modules(s->target, parse_find_in_module, &f));
    if (!f.found)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No symbol \"%s\" in current context", name);
    *out = f.addr;
    return f.other ? ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is ambiguous: %s, %s", name,
                                            f.first, f.other),
                                 "Write one of these names in quotes")
                   : NULL;
}

/* ---- $variables ---------------------------------------------------------------------- */

static ez_err *parse_variable(struct ez_sess *s, const char *name, uint64_t *out)
{
    const char *is_void = NULL;
    if (!strcmp(name, "_")) {
        is_void = values_last(s, out) ? NULL : "no command has set it yet";
    } else if (!strcmp(name, "_exitcode")) {
        *out = (uint64_t)s->program.status;
        is_void = s->program.status >= 0 ? NULL : "No program has ended yet";
    } else if (!strcmp(name, "_shell_exitcode")) {
        *out = (uint64_t)s->shell_exit;
        is_void = s->shell_exit >= 0 ? NULL : "No shell command has run yet";
    } else if (!strcmp(name, "pc")) {
        ez_addr pc;
        EZ_TRY(ez_pc(s->target, &pc));
        *out = pc.v;
    } else {
        return ez_register(s->target, name, out);
    }
    return is_void ? ez_err_hint(ez_err_new(EZ_E_ARG, 0, "$%s is void", name), "%s", is_void)
                   : NULL;
}

/* ---- sums ------------------------------------------------------------------------------- */

static ez_err *parse_term(struct ez_sess *s, const char **text, uint64_t *out)
{
    const char *p = parse_skip(*text);
    p += *p == '*' || *p == '&';
    if (isdigit((unsigned char)*p)) {
        if (!parse_number(p, out, text) || isalnum((unsigned char)**text))
            return ez_err_new(EZ_E_ARG, 0, "Invalid number \"%s\"", p);
        return NULL;
    }
    if (*p == '\'' && p[1]) {
        EZ_FREE char *c = ez_strndup(p + 1, strcspn(p + 1, "'"));
        *text = p + 1 + strlen(c) + (p[1 + strlen(c)] == '\'');
        return strlen(c) == 1 ? (*out = (unsigned char)*c, NULL) : parse_symbol(s, c, out);
    }
    size_t n = strcspn(p, "+- \t");
    if (!n)
        return ez_err_new(EZ_E_ARG, 0, "A syntax error in expression, near `%s'", p);
    EZ_FREE char *name = ez_strndup(p, n);
    *text = p + n;
    return *name == '$' ? parse_variable(s, name + 1, out) : parse_symbol(s, name, out);
}

ez_err *parse_value(struct ez_sess *s, const char *text, uint64_t *out)
{
    uint64_t sum = 0, v;
    const char *p = parse_skip(text);
    char op = '+';
    if (*p == '-') {
        op = '-';
        p++;
    }
    for (;;) {
        EZ_TRY(parse_term(s, &p, &v));
        sum = op == '+' ? sum + v : sum - v;
        p = parse_skip(p);
        op = *p++;
        if (!op)
            break;
        if (op != '+' && op != '-')
            return ez_err_new(EZ_E_ARG, 0, "A syntax error in expression, near `%s'", p - 1);
    }
    *out = sum;
    return NULL;
}

ez_err *parse_addr(struct ez_sess *s, const char *text, ez_addr *out)
{
    return parse_value(s, text, &out->v);
}

static void parse_note_place(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                             void *arg)
{
    struct parse_places *p = arg;
    (void)sym, (void)m;
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i].v == addr.v)
            return;
    EZ_PUSH(p, addr);
}

struct inlined {
    struct ez_sess *s;
    unsigned most; /* maximum number of names to show */
    const char *text;
    unsigned n;
};

static void parse_note_into(const char *name, void *arg)
{
    struct inlined *q = arg;
    if (q->n++ < q->most)
        q->text = sess_format(q->s, "%s%s%s", q->text, *q->text ? ", " : "", name);
    else if (q->n == q->most + 1)
        q->text = sess_format(q->s, "%s, ...", q->text);
}

static void parse_note_inlined(const struct ez_sym *in, void *arg)
{
    parse_note_into(ez_sym_pretty(in), arg);
}

const char *parse_code_inlined(struct ez_sess *s, uint64_t func)
{
    struct inlined q = { .s = s, .most = 4, .text = "" };
    ez_code_inlined(s->target, func, parse_note_into, &q);
    return q.text;
}

const char *parse_inlined(struct ez_sess *s, const char *name)
{
    struct inlined q = { .s = s, .most = 8, .text = "" };
    ez_locate_inlined(s->target, name, parse_note_inlined, &q);
    return q.text;
}

ez_err *parse_hint_inlined(struct ez_sess *s, const char *location, ez_err *e)
{
    const char *in = e && e->code == EZ_E_NOTFOUND ? parse_inlined(s, location) : "";
    return *in ? ez_err_hint(e, "The function is inlined everywhere: into %s", in) : e;
}

ez_err *parse_places(struct ez_sess *s, const char *location, struct parse_places *out)
{
    ez_addr at;
    if (*location == '*') { /* *EXPR: any expression, such as *main+4 */
        EZ_TRY(parse_addr(s, location + 1, &at));
        location = sess_format(s, "*0x%llx", (unsigned long long)at.v);
    }
    return parse_hint_inlined(s, location, ez_locate(s->target, location, parse_note_place, out));
}

const char *parse_bare_name(struct ez_sess *s, const char *pretty)
{
    char *name = sess_keep(s, ez_strdup(pretty));
    size_t n = strlen(name), depth = 0, from = 0;
    char *end = strrchr(name, ')');
    if (end && (end[1] == ':' || (n >= 10 && !strcmp(name + n - 10, "operator()"))))
        return name; /* the parentheses belong to "(anonymous namespace)", not to parameters */
    /* The last parentheses are inside of a template's argument, as in "call<main()::<lambda(int)>
     * >". */
    if (end && strchr(end, '>') && !strstr(name, "operator"))
        return name;
    for (char *p = end; p && p >= name; p--) {
        depth += *p == ')';
        depth -= *p == '(';
        if (!depth) {
            if (p > name)
                *p = '\0';
            break;
        }
    }
    n = strlen(name);
    if (!end || n == (size_t)(end - name) + 1 || strstr(name, "operator"))
        return name;
    for (size_t i = 0; i < n; i++) {
        depth += name[i] == '<' || name[i] == '(';
        depth -= (name[i] == '>' || name[i] == ')') && depth;
        if (name[i] == ' ' && !depth)
            from = i + 1;
    }
    return name + from;
}
