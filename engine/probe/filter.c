/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.c - filters of a probe besides its condition (struct ez_probe_filter).
 *
 * The target evaluates the filters that depend only on the hit: thread, caller, time, `ignore`,
 * `passcount`. They are part of the condition's code, and exact: one counter counts the hits of all
 * threads, and times are compared with the clock of the records. The drain thread evaluates the
 * filters that depend on other records of the thread, or on sizes of records (drain_filter.c).
 *
 * A probe with filters has a serial, which is part of its clause. A new serial (ez_filter_renew())
 * means a new clause, whose counters begin at zero. "disable" and "enable" keep the serial and so
 * the clause, unless a limit was reached.
 * Tests: tests/procs/filters.sh */
#include "engine/target.h"
#include "engine/probe/filter.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

bool ez_filter_has_request(const struct ez_probe_filter *f)
{
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++)
        if (ez_filter_text(f, o) || ez_filter_number(f, o))
            return true;
    return f->ignore || f->passcount;
}

void ez_filter_renew(struct ez_target *t, struct ez_probe *p)
{
    p->spent = false;
    p->planted = 0;
    if (ez_filter_has_request(&p->spec.filter) || p->serial)
        p->serial = ++t->probes.serials;
}

/* Returns the thread id that is the operand of -thread, or 0 if the operand is a thread's name. */
static uint64_t filter_thread(const char *thread)
{
    bool id = thread && !thread[strspn(thread, "0123456789")];
    return id ? strtoull(thread, NULL, 10) : 0;
}

static ez_err *filter_check_thread(const char *thread)
{
    bool name = thread[strspn(thread, "0123456789")];
    uint64_t id = filter_thread(thread);
    if (name && strlen(thread) > 15)
        return ez_err_new(EZ_E_ARG, 0, "The name of a thread has at most 15 characters");
    if (!name && (!id || id > INT32_MAX))
        return ez_err_new(EZ_E_ARG, 0, "%s is not the id of a thread", thread);
    return NULL;
}

ez_err *ez_filter_check(const struct ez_probe_spec *s)
{
    const struct ez_probe_filter *f = &s->filter;
    bool both = (s->kind & EZ_PROBE_BOTH) == EZ_PROBE_BOTH, record = s->record;
    regex_t re;
    if (f->thread)
        EZ_TRY(filter_check_thread(f->thread));
    if (f->min_ns && !(both && record))
        return ez_err_new(
            EZ_E_ARG, 0,
            "-min-time needs a probe that records the entry and the exit of each call");
    if (f->maxdepth && !(s->kind & EZ_PROBE_ENTRY && record))
        return ez_err_new(EZ_E_ARG, 0,
                          "-maxdepth needs a probe that records the entry of each call");
    if (f->max_bytes && !record)
        return ez_err_new(EZ_E_ARG, 0, "-max needs a probe that records");
    if (f->caller) {
        EZ_TRY(ez_str_regcomp(&re, f->caller, REG_EXTENDED | REG_NOSUB));
        regfree(&re);
    }
    return NULL;
}

/* ---- callers -------------------------------------------------------------------------------- */

/* Returns the end of a function. If its size is known, the size decides, because other symbols may
 * be inside the function. */
static uint64_t filter_end(const struct ez_sym *s)
{
    return s->size ? s->vaddr + s->size : ez_sym_end(s);
}

struct filter_range {
    uint64_t lo, hi;
};

static int filter_by_lo(const void *a, const void *b)
{
    const struct filter_range *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Sorts the n ranges, joins those that overlap or touch, and appends the result to *out. */
static void filter_join(struct filter_range *r, size_t n, struct ez_filter_ranges *out)
{
    if (n)
        qsort(r, n, sizeof *r, filter_by_lo);
    for (size_t i = 0; i < n; i++) {
        if (out->n && r[i].lo <= out->at[out->n - 1]) {
            out->at[out->n - 1] = EZ_MAX(out->at[out->n - 1], r[i].hi);
            continue;
        }
        EZ_PUSH(out, r[i].lo);
        EZ_PUSH(out, r[i].hi);
    }
}

static ez_err *filter_callers_fit(const char *regex, size_t places)
{
    if (!places)
        return ez_err_new(EZ_E_REFUSED, 0, "no loaded function matches -caller %s", regex);
    return places <= EZ_GUARD_RANGES
               ? NULL
               : ez_err_hint(ez_err_new(EZ_E_LIMIT, 0,
                                        "-caller %s matches functions in %zu separate address "
                                        "ranges; at most %d are possible",
                                        regex, places, EZ_GUARD_RANGES),
                             "Use a narrower REGEX");
}

void ez_filter_callers_forget(struct ez_target *t)
{
    free(t->probes.callers.regex);
    EZ_VEC_FREE(&t->probes.callers.range);
    t->probes.callers = (struct ez_filter_callers){ 0 };
}

/* Sets probes.callers to the ranges of the functions that -caller matches, once for all probes that
 * are planted together (often thousands). */
static ez_err *filter_callers(struct ez_target *t, const char *regex)
{
    struct ez_filter_ranges *out = &t->probes.callers.range;
    if (t->probes.callers.regex && !strcmp(t->probes.callers.regex, regex))
        return filter_callers_fit(regex, out->n / 2);
    ez_filter_callers_forget(t);
    t->probes.callers.regex = ez_strdup(regex);

    EZ_VEC(struct filter_range) v = { 0 };
    regex_t re;
    EZ_TRY(ez_str_regcomp(&re, regex, REG_EXTENDED | REG_NOSUB));
    for (size_t k = 0; k < t->inf.module.n; k++) {
        const struct ez_module *m = t->inf.module.at[k];
        size_t n = 0;
        const struct ez_sym *s = m->obj ? ez_object_syms(m->obj, &n) : NULL;
        for (size_t i = 0; i < n; i++)
            if (ez_sym_matches(&s[i], &re))
                EZ_PUSH(&v, ((struct filter_range){ s[i].vaddr + m->bias,
                                                    filter_end(&s[i]) + m->bias }));
    }
    regfree(&re);
    filter_join(v.at, v.n, out);
    EZ_VEC_FREE(&v);
    return filter_callers_fit(regex, out->n / 2);
}

/* ---- for the runtime and the drain ----------------------------------------------------------- */

ez_err *ez_filter_guards(struct ez_target *t, struct ez_probe *p, struct ez_guards *out)
{
    const struct ez_probe_filter *f = &p->spec.filter;
    uint32_t thread = (uint32_t)filter_thread(f->thread);
    *out = (struct ez_guards){ .thread = thread,
                               .name = thread ? NULL : f->thread,
                               .callers = f->caller != NULL,
                               .gate = p->gate + 1,
                               .skip = f->ignore,
                               .most = f->passcount };
    /* the action runs only at the hit that reaches the passcount */
    if (p->act.kind && f->passcount) {
        out->skip += f->passcount - 1;
        out->most = 1;
    }
    if (f->caller)
        EZ_TRY(filter_callers(t, f->caller));
    out->at = f->caller ? t->probes.callers.range.at : NULL;
    out->nat = f->caller ? t->probes.callers.range.n : 0;
    if (!f->after_ns && !f->for_ns)
        return NULL;
    uint64_t now;
    double rate;
    ez_drain_time(t->tracing.drain, &now, &rate);
    if (!p->planted)
        p->planted = now;
    out->from = p->planted + (uint64_t)((double)f->after_ns * rate);
    if (f->for_ns)
        out->until = out->from + (uint64_t)((double)f->for_ns * rate);
    return NULL;
}

void ez_filter_drain(const struct ez_probe *p, const struct ez_guards *g,
                     struct ez_drain_filter *out)
{
    const struct ez_probe_filter *f = &p->spec.filter;
    *out = (struct ez_drain_filter){
        .min_ns = f->min_ns,
        .depth = (unsigned)EZ_MIN(f->maxdepth, 1u << 29),
        .bytes = f->max_bytes,
        .until = g->until,
        .turns = f->passcount ? f->ignore + f->passcount : 0,
        .follows = (p->spec.kind & EZ_PROBE_BOTH) == EZ_PROBE_BOTH && p->spec.record,
    };
}
