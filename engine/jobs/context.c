/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.c - parses and evaluates the expressions of probe contexts, and stores named contexts
 * (context.h). */
#include "engine/jobs/context.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

/* The state of the parser; p: the next character to parse. */
struct ctx {
    const struct ez_contexts *named;
    const struct ez_roster *roster;
    const char *p;
    unsigned depth; /* nesting of parentheses and `not` */
    /* set to which the numbers are added that no member has as rank; or NULL */
    struct ez_ranks *missing;
};

static ez_err *ctx_or(struct ctx *c, struct ez_ranks *out);

static const char *ctx_skip(struct ctx *c)
{
    c->p += strspn(c->p, " \t");
    return c->p;
}

static size_t ctx_word_len(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || (n && strchr("-.", p[n]) && p[n]))
        n++;
    return n;
}

static bool ctx_accept(struct ctx *c, const char *word)
{
    size_t n = ctx_word_len(ctx_skip(c));
    if (n != strlen(word) || strncmp(c->p, word, n))
        return false;
    c->p += n;
    return true;
}

static ez_err *ctx_syntax(struct ctx *c, const char *expected)
{
    ctx_skip(c);
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s is expected %s%s%s", expected,
                                  *c->p ? "instead of \"" : "at the end", c->p, *c->p ? "\"" : ""),
                       "\"help context\" shows what EXPR may be");
}

/* ---- selectors of members -------------------------------------------------------------------- */

static void ctx_note_missing(struct ez_ranks *missing, const struct ez_ranks *these,
                             const struct ez_ranks *all)
{
    struct ez_ranks none = { 0 };
    ez_ranks_copy(&none, these);
    ez_ranks_remove(&none, all);
    ez_ranks_unite(missing, &none);
    ez_ranks_free(&none);
}

static ez_err *ctx_numbers(struct ctx *c, struct ez_ranks *out)
{
    size_t n = strspn(ctx_skip(c), "0123456789,-/");
    struct ez_ranks all;
    if (!n)
        return ctx_syntax(c, "A list of ranks");
    EZ_FREE char *text = ez_strndup(c->p, n);
    EZ_TRY(ez_ranks_parse(text, out));
    c->p += n;
    ez_roster_all(c->roster, &all);
    if (c->missing)
        ctx_note_missing(c->missing, out, &all);
    ez_ranks_intersect(out, &all);
    ez_ranks_free(&all);
    return NULL;
}

static ez_err *ctx_hosts(struct ctx *c, struct ez_ranks *out)
{
    size_t n = strcspn(ctx_skip(c), " \t)");
    if (!n)
        return ctx_syntax(c, "A pattern of hosts");
    EZ_FREE char *list = ez_strndup(c->p, n);
    c->p += n;
    for (char *rest = list, *glob; (glob = strsep(&rest, ","));)
        for (size_t i = 0; i < c->roster->member.n; i++) {
            const struct ez_member *m = &c->roster->member.at[i];
            if (!fnmatch(glob, m->host, 0))
                ez_ranks_add(out, m->rank, m->rank);
        }
    return NULL;
}

static uint64_t ctx_mix(uint64_t seed, uint64_t rank)
{
    uint64_t z = seed * 0x2545f4914f6cdd1dull + (rank + 1) * 0x9e3779b97f4a7c15ull; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

struct ctx_draw {
    uint64_t value;
    uint32_t rank;
};

static int ctx_by_value(const void *a, const void *b)
{
    const struct ctx_draw *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->rank > y->rank) - (x->rank < y->rank);
}

static void ctx_draw_some(const struct ez_ranks *of, double percent, uint64_t seed,
                          struct ez_ranks *out)
{
    EZ_VEC(struct ctx_draw) draw = { 0 };
    for (EZ_EACH_RANK(rank, of))
        EZ_PUSH(&draw, ((struct ctx_draw){ ctx_mix(seed, rank), (uint32_t)rank }));
    size_t most = (size_t)((double)draw.n * percent / 100 + 0.5);
    if (percent > 0 && !most)
        most = 1;
    if (draw.n)
        qsort(draw.at, draw.n, sizeof *draw.at, ctx_by_value);
    for (size_t i = 0; i < EZ_MIN(most, draw.n); i++)
        ez_ranks_add(out, draw.at[i].rank, draw.at[i].rank);
    EZ_VEC_FREE(&draw);
}

static ez_err *ctx_not(struct ctx *c, struct ez_ranks *out);

static ez_err *ctx_sample(struct ctx *c, struct ez_ranks *out)
{
    char *end;
    uint64_t seed = 0;
    struct ez_ranks of = { 0 };
    double percent = strtod(ctx_skip(c), &end);
    if (end == c->p || *end != '%' || !(percent >= 0 && percent <= 100))
        return ctx_syntax(c, "A share from 0% to 100%");
    c->p = end + 1;
    if (ctx_accept(c, "seed")) {
        errno = 0;
        seed = strtoull(ctx_skip(c), &end, 10);
        if (errno || !isdigit((unsigned char)*c->p))
            return ctx_syntax(c, "A number");
        c->p = end;
    }
    if (ctx_accept(c, "of")) {
        ez_err *e = ctx_not(c, &of);
        if (e) {
            ez_ranks_free(&of);
            return e;
        }
    } else {
        ez_roster_all(c->roster, &of);
    }
    ctx_draw_some(&of, percent, seed, out);
    ez_ranks_free(&of);
    return NULL;
}

/* Returns the length of the condition at p, in bytes. The condition ends before an unmatched `)`,
 * before the word `or` or `and` outside of parentheses, or at the end of the text. */
static size_t ctx_where_len(const char *p)
{
    int depth = 0;
    for (size_t i = 0;; i++) {
        if (p[i] == '"')
            i += 1 + strcspn(p + i + 1, "\"");
        if (!p[i] || (p[i] == ')' && !depth))
            return i;
        depth += (p[i] == '(') - (p[i] == ')');
        bool begins = !i || strchr(" \t)", p[i - 1]);
        size_t n = ctx_word_len(p + i);
        if (!depth && begins &&
            ((n == 2 && !strncmp(p + i, "or", 2)) || (n == 3 && !strncmp(p + i, "and", 3))))
            return i;
    }
}

static ez_err *ctx_where(struct ctx *c, struct ez_ranks *out)
{
    bool plugin = ctx_accept(c, "plugin");
    size_t n = plugin ? strcspn(ctx_skip(c), " \t)") : ctx_where_len(ctx_skip(c));
    EZ_FREE char *text = ez_strndup(c->p, n);
    if (!text[strspn(text, " \t")])
        return ctx_syntax(c, plugin ? "FILE:FUNC" : "A condition");
    EZ_TRY((plugin ? ez_membership_plugin : ez_where_ranks)(c->roster, text, out));
    c->p += n;
    return NULL;
}

static ez_err *ctx_name(struct ctx *c, struct ez_ranks *out)
{
    size_t n = ctx_word_len(ctx_skip(c));
    if (!n)
        return ctx_syntax(c, "A context");
    EZ_FREE char *name = ez_strndup(c->p, n);
    const struct ez_context *found = ez_context_find(c->named, name);
    if (!found)
        return ez_err_hint(
            ez_err_new(EZ_E_NOTFOUND, 0, "There is no context \"%s\"", name),
            "\"info contexts\" lists the contexts, \"help context\" shows how to define one");
    ez_ranks_unite(out, &found->ranks);
    c->p += n;
    return NULL;
}

/* ---- the grammar --------------------------------------------------------------------------- */

static ez_err *ctx_primary(struct ctx *c, struct ez_ranks *out)
{
    if (c->depth > 64)
        return ez_err_new(EZ_E_LIMIT, 0, "The expression is nested too deeply");
    if (*ctx_skip(c) == '(') {
        c->p++;
        c->depth++;
        EZ_TRY(ctx_or(c, out));
        c->depth--;
        if (*ctx_skip(c) != ')')
            return ctx_syntax(c, "\")\"");
        c->p++;
        return NULL;
    }
    if (ctx_accept(c, "none"))
        return NULL;
    if (ctx_accept(c, "all")) {
        struct ez_ranks all;
        ez_roster_all(c->roster, &all);
        ez_ranks_unite(out, &all);
        ez_ranks_free(&all);
        return NULL;
    }
    if (ctx_accept(c, "hosts"))
        return ctx_hosts(c, out);
    if (ctx_accept(c, "sample"))
        return ctx_sample(c, out);
    if (ctx_accept(c, "where"))
        return ctx_where(c, out);
    if (ctx_accept(c, "ranks") || isdigit((unsigned char)*ctx_skip(c)))
        return ctx_numbers(c, out);
    return ctx_name(c, out);
}

static ez_err *ctx_not(struct ctx *c, struct ez_ranks *out)
{
    struct ez_ranks those = { 0 };
    if (!ctx_accept(c, "not"))
        return ctx_primary(c, out);
    if (++c->depth > 64)
        return ez_err_new(EZ_E_LIMIT, 0, "The expression is nested too deeply");
    ez_err *e = ctx_not(c, &those);
    c->depth--;
    if (!e) {
        struct ez_ranks all;
        ez_roster_all(c->roster, &all);
        ez_ranks_remove(&all, &those);
        ez_ranks_unite(out, &all);
        ez_ranks_free(&all);
    }
    ez_ranks_free(&those);
    return e;
}

static ez_err *ctx_and(struct ctx *c, struct ez_ranks *out)
{
    struct ez_ranks left = { 0 };
    ez_err *e = ctx_not(c, &left);
    while (!e && ctx_accept(c, "and")) {
        struct ez_ranks right = { 0 };
        e = ctx_not(c, &right);
        ez_ranks_intersect(&left, &right);
        ez_ranks_free(&right);
    }
    ez_ranks_unite(out, &left);
    ez_ranks_free(&left);
    return e;
}

static ez_err *ctx_or(struct ctx *c, struct ez_ranks *out)
{
    do {
        EZ_TRY(ctx_and(c, out));
    } while (ctx_accept(c, "or"));
    return NULL;
}

ez_err *ez_context_ranks(const struct ez_contexts *named, const struct ez_roster *r,
                         const char *expr, struct ez_ranks *out)
{
    struct ctx c = { .named = named, .roster = r, .p = expr };
    *out = (struct ez_ranks){ 0 };
    ez_err *e = ctx_or(&c, out);
    if (!e && *ctx_skip(&c))
        e = ctx_syntax(&c, "\"or\", \"and\" or the end");
    if (e)
        ez_ranks_free(out);
    return e;
}

void ez_context_missing(const struct ez_contexts *named, const struct ez_roster *r,
                        const char *expr, struct ez_ranks *out)
{
    *out = (struct ez_ranks){ 0 };
    struct ctx c = { .named = named, .roster = r, .p = expr, .missing = out };
    struct ez_ranks those = { 0 };
    ez_err_drop(ctx_or(&c, &those));
    ez_ranks_free(&those);
}

size_t ez_context_length(const struct ez_contexts *named, const struct ez_roster *r,
                         const char *text)
{
    struct ctx c = { .named = named, .roster = r, .p = text };
    struct ez_ranks out = { 0 };
    bool good = ez_err_drop(ctx_or(&c, &out));
    ez_ranks_free(&out);
    while (good && c.p > text && strchr(" \t", c.p[-1]))
        c.p--;
    return good ? (size_t)(c.p - text) : 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

struct ez_context *ez_context_find(const struct ez_contexts *c, const char *name)
{
    for (size_t i = 0; i < c->v.n; i++)
        if (!strcmp(c->v.at[i].name, name))
            return &c->v.at[i];
    return NULL;
}

static ez_err *ctx_check_name(const char *name)
{
    static const char *const ours[] = { "all",   "none",   "not",   "and",  "or", "ranks",
                                        "hosts", "sample", "where", "seed", "of", "plugin" };
    size_t n = ctx_word_len(name);
    if (!n || name[n] || isdigit((unsigned char)*name))
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a name: a name has letters, digits, - and _",
                          name);
    for (size_t i = 0; i < EZ_ARRAY_LEN(ours); i++)
        if (!strcmp(name, ours[i]))
            return ez_err_new(EZ_E_ARG, 0, "\"%s\" is a reserved word", name);
    return NULL;
}

ez_err *ez_context_define(struct ez_contexts *c, const struct ez_roster *r, const char *name,
                          const char *expr)
{
    struct ez_ranks ranks;
    EZ_TRY(ctx_check_name(name));
    EZ_TRY(ez_context_ranks(c, r, expr, &ranks));
    struct ez_context *x = ez_context_find(c, name);
    if (!x) {
        EZ_PUSH(&c->v, (struct ez_context){ .name = ez_strdup(name) });
        x = &c->v.at[c->v.n - 1];
    }
    ez_ranks_free(&x->ranks);
    free(x->text);
    x->ranks = ranks;
    x->text = ez_strdup(expr);
    return NULL;
}

static void ctx_clear(struct ez_context *x)
{
    ez_ranks_free(&x->ranks);
    free(x->name);
    free(x->text);
}

ez_err *ez_context_delete(struct ez_contexts *c, const char *name)
{
    struct ez_context *x = ez_context_find(c, name);
    if (!x)
        return ez_err_new(EZ_E_NOTFOUND, 0, "There is no context \"%s\"", name);
    ctx_clear(x);
    *x = c->v.at[--c->v.n];
    return NULL;
}

void ez_contexts_free(struct ez_contexts *c)
{
    for (size_t i = 0; i < c->v.n; i++)
        ctx_clear(&c->v.at[i]);
    EZ_VEC_FREE(&c->v);
}
