/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_pick.c - see probe_pick.h. After `probe -r .` most of thousands of probes were never called:
 * those are left out when there are more of them than a screen has lines, and it is said.
 * Tests: tests/procs/manners.sh */
#include "cmds/probe_pick.h"

#include <regex.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { SCREEN = 24 }; /* lines, where there is no terminal */

struct options {
    int (*order)(const void *, const void *); /* NULL = by number */
    uint64_t top;                             /* 0 = all */
    bool all, wide;
    const char *pattern;
};

static uint64_t calls(const struct ez_probe_info *p)
{
    return (p->kind & EZ_PROBE_BOTH) == EZ_PROBE_EXIT ? p->exits : p->entries;
}

static const char *shown_name(const struct ez_probe_info *p)
{
    return *p->function ? p->function : p->location;
}

static int by_number(const void *pa, const void *pb)
{
    const struct ez_probe_info *a = pa, *b = pb;
    return a->number - b->number;
}

static int by_calls(const void *pa, const void *pb)
{
    uint64_t a = calls(pa), b = calls(pb);
    return a != b ? (a < b ? 1 : -1) : by_number(pa, pb);
}

static int by_name(const void *pa, const void *pb)
{
    int c = strcmp(shown_name(pa), shown_name(pb));
    return c ? c : by_number(pa, pb);
}

static int by_addr(const void *pa, const void *pb)
{
    uint64_t a = ((const struct ez_probe_info *)pa)->addr;
    uint64_t b = ((const struct ez_probe_info *)pb)->addr;
    return a != b ? (a < b ? -1 : 1) : by_number(pa, pb);
}

static ez_err *parse_order(const char *word, struct options *o)
{
    static const struct {
        const char *word;
        int (*order)(const void *, const void *);
    } orders[] = {
        { "calls", by_calls }, { "hits", by_calls }, { "name", by_name }, { "addr", by_addr }
    };
    for (size_t i = 0; word && i < EZ_ARRAY_LEN(orders); i++)
        if (!strcmp(word, orders[i].word)) {
            o->order = orders[i].order;
            return NULL;
        }
    return ez_err_new(EZ_E_ARG, 0, "-sort takes calls, name or addr.");
}

static ez_err *parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-all"))
            o->all = true;
        else if (!strcmp(argv[i], "-wide"))
            o->wide = true;
        else if (!strcmp(argv[i], "-sort"))
            EZ_TRY(parse_order(argv[++i], o));
        else if (!strcmp(argv[i], "-top") && argv[i + 1])
            EZ_TRY(parse_count(argv[++i], "a count of probes", &o->top));
        else if (*argv[i] == '-' || o->pattern)
            return ez_err_new(EZ_E_ARG, 0,
                              "Usage: info probes [-sort calls|name|addr] [-top N] "
                              "[-all] [-wide] [REGEX]");
        else
            o->pattern = argv[i];
    }
    if (o->top && !o->order)
        o->order = by_calls;
    return NULL;
}

struct collect {
    struct probe_pick *pick;
    const regex_t *re; /* NULL = all */
};

static void collect(const struct ez_probe_info *p, void *arg)
{
    struct collect *c = arg;
    if (!c->re || !regexec(c->re, shown_name(p), 0, NULL, 0))
        EZ_PUSH(&c->pick->probe, *p);
}

/* Those that have something to tell stay: calls, or a reason. */
static void drop_zeros(struct ez_sess *s, struct probe_pick *pick)
{
    unsigned height = out_height(s);
    size_t zeros = 0, k = 0;
    for (size_t i = 0; i < pick->probe.n; i++)
        zeros += !calls(&pick->probe.at[i]) && !*pick->probe.at[i].reason;
    if (zeros <= (height ? height : SCREEN))
        return;
    for (size_t i = 0; i < pick->probe.n; i++)
        if (calls(&pick->probe.at[i]) || *pick->probe.at[i].reason)
            pick->probe.at[k++] = pick->probe.at[i];
    pick->zeros = zeros;
    pick->probe.n = k;
}

ez_err *probe_pick(struct ez_sess *s, int argc, char **argv, struct probe_pick *out)
{
    struct options o = { 0 };
    struct collect c = { .pick = out };
    regex_t re;
    *out = (struct probe_pick){ .zeros = 0 };
    EZ_TRY(parse(argc, argv, &o));
    if (o.pattern)
        EZ_TRY(ez_str_regcomp(&re, o.pattern, 0));
    c.re = o.pattern ? &re : NULL;
    ez_probes(s->target, collect, &c);
    if (o.pattern)
        regfree(&re);
    out->wide = o.wide;
    if (!o.all)
        drop_zeros(s, out);
    if (o.order && out->probe.n)
        qsort(out->probe.at, out->probe.n, sizeof *out->probe.at, o.order);
    if (o.top && out->probe.n > o.top) {
        out->rest = out->probe.n - o.top;
        out->probe.n = o.top;
    }
    return NULL;
}

void probe_pick_end(struct ez_sess *s, struct probe_pick *pick)
{
    if (pick->rest)
        out_line(s, "%zu more probe%s.", pick->rest, pick->rest == 1 ? "" : "s");
    if (pick->zeros)
        out_line(s,
                 "%zu probes that were never called are left out; \"info probes -all\" lists them.",
                 pick->zeros);
    if (!pick->probe.n && !pick->zeros)
        out_line(s, "No probes matched.");
    EZ_VEC_FREE(&pick->probe);
}
