/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_pick.c - chooses the probes that `info probes` lists (probe_pick.h). After `probe -r .`
 * most of thousands of probes were never called. If these are more than the screen has lines, they
 * are omitted, and a line says how many.
 * Tests: tests/procs/manners.sh */
#include "cmds/probe/probe_pick.h"

#include <regex.h>
#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { SCREEN = 24 }; /* lines of a screen, if output is not to a terminal */

static uint64_t probe_pick_calls(const struct ez_probe_info *p)
{
    return (p->spec->kind & EZ_PROBE_BOTH) == EZ_PROBE_EXIT ? p->exits : p->entries;
}

const char *probe_state(enum ez_probe_state state)
{
    static const char *const text[] = {
        [EZ_PROBE_PENDING] = "pending",   [EZ_PROBE_ARMED] = "armed",
        [EZ_PROBE_DISABLED] = "disabled", [EZ_PROBE_REFUSED] = "refused",
        [EZ_PROBE_LOST] = "lost",
    };
    return text[state];
}

static const char *probe_shown_name(const struct ez_probe_info *p)
{
    return *p->function ? p->function : p->spec->location;
}

static int probe_by_number(const void *pa, const void *pb)
{
    const struct ez_probe_info *a = pa, *b = pb;
    return a->number - b->number;
}

static int probe_by_calls(const void *pa, const void *pb)
{
    uint64_t a = probe_pick_calls(pa), b = probe_pick_calls(pb);
    return a != b ? (a < b ? 1 : -1) : probe_by_number(pa, pb);
}

static int probe_pick_by_name(const void *pa, const void *pb)
{
    int c = strcmp(probe_shown_name(pa), probe_shown_name(pb));
    return c ? c : probe_by_number(pa, pb);
}

static int probe_by_addr(const void *pa, const void *pb)
{
    uint64_t a = ((const struct ez_probe_info *)pa)->addr;
    uint64_t b = ((const struct ez_probe_info *)pb)->addr;
    return a != b ? (a < b ? -1 : 1) : probe_by_number(pa, pb);
}

struct collect {
    struct probe_pick *pick;
    const regex_t *re; /* pattern of the function names; NULL = all */
};

static void probe_pick_collect(const struct ez_probe_info *p, void *arg)
{
    struct collect *c = arg;
    if (!c->re || !regexec(c->re, probe_shown_name(p), 0, NULL, 0))
        EZ_PUSH(&c->pick->probe, *p);
}

/* Returns true if the probe was hit, under this shell or an earlier one, or has a reason (of a
 * refusal, for example) to show. */
static bool probe_is_reported(const struct ez_probe_info *p)
{
    return probe_pick_calls(p) || p->earlier_entries || p->earlier_exits || *p->reason;
}

/* Omits probes that were never called, if these are more than the screen has lines. */
static void probe_drop_zeros(struct ez_sess *s, struct probe_pick *pick)
{
    unsigned height = out_height(s);
    size_t zeros = 0, k = 0;
    for (size_t i = 0; i < pick->probe.n; i++)
        zeros += !probe_is_reported(&pick->probe.at[i]);
    if (zeros <= (height ? height : SCREEN))
        return;
    for (size_t i = 0; i < pick->probe.n; i++)
        if (probe_is_reported(&pick->probe.at[i]))
            pick->probe.at[k++] = pick->probe.at[i];
    pick->zeros = zeros;
    pick->probe.n = k;
}

ez_err *probe_pick(struct ez_sess *s, const char *regex, struct probe_pick *out)
{
    static int (*const orders[])(const void *,
                                 const void *) = { [PICK_BY_NUMBER] = probe_by_number,
                                                   [PICK_BY_CALLS] = probe_by_calls,
                                                   [PICK_BY_NAME] = probe_pick_by_name,
                                                   [PICK_BY_ADDR] = probe_by_addr };
    struct collect c = { .pick = out };
    regex_t re;
    uint64_t top = opt_number(s, "-top", 0);
    uint64_t order = opt_number(s, "-sort", top ? PICK_BY_CALLS : PICK_BY_NUMBER);
    *out = (struct probe_pick){ .zeros = 0 };
    if (regex)
        EZ_TRY(ez_str_regcomp(&re, regex, 0));
    c.re = regex ? &re : NULL;
    ez_probes(s->target, probe_pick_collect, &c);
    if (regex)
        regfree(&re);
    if (!opt_given(s, "-all") && !out_json_requested(s))
        probe_drop_zeros(s, out);
    if (out->probe.n)
        qsort(out->probe.at, out->probe.n, sizeof *out->probe.at, orders[order]);
    if (top && out->probe.n > top) {
        out->rest = out->probe.n - top;
        out->probe.n = top;
    }
    return NULL;
}

void probe_pick_end(struct ez_sess *s, struct probe_pick *pick)
{
    bool quiet = out_json_requested(s) || !ez_probe_count(s->target);
    if (pick->rest && !quiet)
        out_line(s, "%zu more probe%s.", pick->rest, ez_plural(pick->rest));
    if (pick->zeros && !quiet)
        out_line(s, "Left out: %zu probe%s without calls. \"info probes -all\" lists all probes.",
                 pick->zeros, ez_plural(pick->zeros));
    if (!pick->probe.n && !pick->zeros && !quiet)
        out_line(s, "No probes matched.");
    EZ_VEC_FREE(&pick->probe);
}
