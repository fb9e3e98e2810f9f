/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - measures the length of a function's first instructions.
 *
 * Why: the jump to a trampoline overwrites whole instructions. To move them, eztsh must know their
 * lengths. There are two independent ways to find the lengths: libopcodes, and executing the
 * instructions one by one (measure_step.c).
 *
 * Input: the function's bytes without eztsh's jumps.
 *
 * Output: struct ez_measure; lengths and sums in bytes.
 *
 * Errors: stepping needs a copy of the process. If the process cannot be copied, this is an error
 * only if nothing but stepping was requested.
 *
 * Invariant: nothing in the target changes.
 *
 * Source: PROPER'12, section 5.2.
 *
 * Tests: tests/measure/check_measure.sh */
#include "engine/check/measure.h"
#include "engine/base/strutil.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the prologue --------------------------------------------------------------------- */

static ez_err *measure_prologue_init(struct ez_target *t, uint64_t func, struct ez_prologue *p)
{
    struct ez_module_info mod;
    struct ez_insn first;
    const struct ez_sym *s = ez_symbolize(t, ez_addr_of(func), NULL, &mod);
    *p =
        (struct ez_prologue){ .func = func, .site = func, .need = (unsigned)t->inf.arch->jump.len };
    p->end = s ? ez_sym_end(s) + mod.bias : UINT64_MAX;
    if (p->end <= func)
        p->end = UINT64_MAX;
    p->n = ez_read_original(t, func, p->code, sizeof p->code);
    if (!p->n)
        return ez_err_gdb(EZ_E_SYS, "Cannot access memory at address 0x%" PRIx64, func);
    EZ_TRY(ez_prologue_decode(t, p, func, &first));
    if (first.is_landing)
        p->site += first.len;
    return NULL;
}

/* ---- by libopcodes ---------------------------------------------------------------------- */

static ez_err *measure_by_opcodes(struct ez_target *t, const struct ez_prologue *p,
                                  struct ez_measure *m)
{
    struct ez_insn in;
    uint64_t at = p->func;
    for (size_t i = 0; !ez_prologue_done(p, at); i++, at += in.len) {
        struct ez_measured *row = ez_prologue_row(t, p, m, i, at);
        if (!row)
            return NULL;
        EZ_TRY(ez_prologue_decode(t, p, at, &in));
        row->len_opcodes = in.len;
        row->sum = (uint16_t)ez_prologue_sum(p, at + in.len);
    }
    return NULL;
}

/* ---- the verdict ------------------------------------------------------------------------ */

/* How much one of the two ways has measured: n instructions from the function's first byte on. */
struct tally {
    size_t n;
    unsigned bytes;
    bool whole; /* the instructions cover the jump, or the function ends before */
};

static struct tally measure_tally(const struct ez_prologue *p, const struct ez_measure *m,
                                  bool step)
{
    struct tally y = { 0 };
    for (; y.n < m->n; y.n++) {
        unsigned len = step ? m->insn[y.n].len_step : m->insn[y.n].len_opcodes;
        if (!len)
            break;
        y.bytes += len;
    }
    y.whole = ez_prologue_done(p, p->func + y.bytes);
    return y;
}

/* Sets *w to the function's patch region. Returns an error if no probe with a jump can be on the
 * function. Plants no probe. */
static ez_err *measure_judge(struct ez_target *t, uint64_t func, struct ez_patch_region *w)
{
    struct ez_module *mod = ez_module_at(t, func);
    const struct ez_sym *s;
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        if (t->patcher.site.at[i].mod && t->patcher.site.at[i].func == func &&
            t->patcher.site.at[i].win.jump == t->inf.arch->jump.len) {
            *w = t->patcher.site.at[i].win;
            return NULL;
        }
    }
    if (!mod)
        return ez_err_new(EZ_E_REFUSED, 0, "its address is in no program or library");
    EZ_TRY(ez_module_text(t, mod));
    s = ez_object_find_addr(mod->obj, func - mod->bias);
    if (!s || s->vaddr + mod->bias != func)
        return ez_analyze_at(mod->text, func, ez_strategies_with(EZ_JUMP), w);
    const char *denied = ez_probe_denied(s->name);
    if (denied)
        return ez_err_new(EZ_E_REFUSED, 0, "%s", denied);
    return ez_analyze(mod->text, func, ez_strategies_with(EZ_JUMP), w);
}

static void EZ_PRINTF(2, 3) measure_add(struct ez_measure *m, const char *fmt, ...)
{
    size_t used = strlen(m->verdict);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->verdict + used, sizeof m->verdict - used, fmt, ap);
    va_end(ap);
}

static void measure_add_tally(struct ez_measure *m, const struct tally *y)
{
    measure_add(m, "%zu instruction%s, %u byte%s", y->n, ez_plural(y->n), y->bytes,
                ez_plural(y->bytes));
}

static bool measure_say_difference(const struct ez_prologue *p, struct ez_measure *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct ez_measured *r = &m->insn[i];
        if (!r->len_opcodes || !r->len_step || r->len_opcodes == r->len_step)
            continue;
        measure_add(m, "they differ at +%" PRIu64 ": libopcodes says %u bytes, stepping %u",
                    r->addr - p->func, r->len_opcodes, r->len_step);
        return true;
    }
    return false;
}

static void measure_say_lengths(const struct ez_prologue *p, struct ez_measure *m)
{
    struct tally op = measure_tally(p, m, false), step = measure_tally(p, m, true);
    if (op.n && step.n >= op.n) {
        measure_add(m, "libopcodes and stepping agree: ");
        measure_add_tally(m, &op);
    } else if (op.n) {
        measure_add(m, "libopcodes: ");
        measure_add_tally(m, &op);
        if (step.n)
            measure_add(m, ", stepping agrees on the first %zu", step.n);
    } else {
        measure_add(m, "stepping: ");
        measure_add_tally(m, &step);
        if (!step.whole)
            measure_add(m, ", then it ended");
    }
}

static ez_err *measure_describe_region(struct ez_target *t, const struct ez_prologue *p,
                                       struct ez_measure *m)
{
    unsigned sum = m->n ? m->insn[m->n - 1].sum : 0;
    struct ez_patch_region w;
    ez_err *e = NULL;
    if (t->inf.state != EZ_NONE) {
        e = measure_judge(t, p->func, &w);
        if (!e)
            sum = (unsigned)w.len + w.padding;
    }
    if (e && e->code == EZ_E_GONE)
        return e;
    if (e) {
        measure_add(m, "; no probe can stand there: %s", e->msg);
        ez_err_free(e);
        return NULL;
    }
    if (sum < p->need) {
        measure_add(m, "; too short for the %u-byte jump unless padding follows", p->need);
        return NULL;
    }
    m->overwritten = sum;
    measure_add(m, "; the %u-byte jump overwrites %u%s", p->need, sum,
                p->site > p->func ? " behind the landing instruction" : "");
    return NULL;
}

/* ---- both -------------------------------------------------------------------------------- */

/* Measures by stepping. If stepping is impossible, and libopcodes was also requested, stores the
 * reason in m->step_note instead of returning an error. */
static ez_err *measure_by_stepping(struct ez_target *t, const struct ez_prologue *p,
                                   enum ez_measure_how how, struct ez_measure *m)
{
    ez_err *e = ez_measure_step(t, p, m);
    if (!e)
        return NULL;
    if (t->inf.state == EZ_NONE && e->code == EZ_E_GONE)
        return e;
    if (!(how & EZ_MEASURE_OPCODES))
        return ez_err_hint(e, "\"measure -opcodes\" needs no copy of the process");
    snprintf(m->step_note, sizeof m->step_note, "%s", e->msg);
    ez_err_free(e);
    return NULL;
}

ez_err *ez_measure(struct ez_target *t, ez_addr func, enum ez_measure_how how,
                   struct ez_measure *out)
{
    struct ez_prologue p;
    memset(out, 0, sizeof *out);
    EZ_TRY(measure_prologue_init(t, func.v, &p));
    out->need = p.need;
    if (how & EZ_MEASURE_OPCODES)
        EZ_TRY(measure_by_opcodes(t, &p, out));
    if (how & EZ_MEASURE_STEP)
        EZ_TRY(measure_by_stepping(t, &p, how, out));
    if (measure_say_difference(&p, out))
        return NULL;
    measure_say_lengths(&p, out);
    return measure_describe_region(t, &p, out);
}
