/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - selects a function's prologue and the relocated copy to compare with it (check.h). */
#include "engine/check/check_priv.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"
#include "engine/probe/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

ez_err *ez_check_open(struct ez_target *t, struct ez_checker **out)
{
    EZ_TRY(ez_need_stopped(t));
    EZ_TRY(ez_inject_allowed(t));
    struct ez_checker *c = ez_alloc(sizeof *c);
    c->t = t;
    ez_err *e = check_pair_open(c);
    if (!e) {
        *out = c;
        return NULL;
    }
    ez_err_drop(ez_check_close(c));
    return e;
}

ez_err *ez_check_close(struct ez_checker *c)
{
    ez_err *e = check_pair_close(c);
    free(c);
    return e;
}

/* ---- the code --------------------------------------------------------------------------- */

/* Returns whether the memory is writable and private to the process. (The checker never writes to
 * shared memory, which belongs to other processes, too.) */
static bool check_is_private(const struct ez_checker *c, uint64_t at, size_t n)
{
    const struct ez_maps *m = &c->side[0].maps;
    for (size_t i = 0; i < m->map.n; i++)
        if (at >= m->map.at[i].lo && at + n <= m->map.at[i].hi)
            return m->map.at[i].perm[1] == 'w' && m->map.at[i].perm[3] == 'p';
    return false;
}

static void check_note_global(struct ez_checker *c, struct check_code *k, uint64_t at)
{
    struct check_global g = { .at = at };
    if (k->nglobal == EZ_ARRAY_LEN(k->global))
        return;
    g.writable = check_is_private(c, at, sizeof g.was) &&
                 ez_mem_read_some(&c->side[0].t, at, g.was, sizeof g.was) == sizeof g.was;
    k->global[k->nglobal++] = g;
}

static ez_err *check_copy_code(struct ez_checker *c, const struct ez_site *s, struct check_code *k)
{
    k->va = s->addr;
    k->n = s->win.len;
    memcpy(k->bytes, s->win.bytes, k->n);
    for (size_t i = 0; i < k->reloc.n; i++) {
        size_t off = k->reloc.from[i];
        EZ_TRY(c->t->inf.arch->decode.insn(k->bytes + off, k->n - off, k->va + off, &k->insn[i]));
        if (k->insn[i].riprel)
            check_note_global(c, k, k->insn[i].target);
    }
    return NULL;
}

static ez_err *check_write_code(struct ez_scratch *s, uint64_t at, const uint8_t *code, size_t n)
{
    uint64_t page = at & ~(ez_page() - 1), mapped;
    if (ez_err_drop(ez_mem_write(&s->t, at, code, n, "write a copy of the code")))
        return NULL;
    EZ_TRY(ez_inject_mmap(
        &s->t,
        &(struct ez_mmap){ .at = page,
                           .size = EZ_ROUND_UP(at + n, ez_page()) - page,
                           .prot = PROT_READ | PROT_EXEC,
                           .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE },
        &mapped, "map room for a copy of the code"));
    return ez_mem_write(&s->t, at, code, n, "write a copy of the code");
}

/* Writes the original and the copy to the memory of both processes, so that an instruction that
 * reads code reads the same bytes in both. */
static ez_err *check_put_code(struct ez_checker *c, const struct check_code *k)
{
    for (int i = 0; i < 2; i++) {
        EZ_TRY(ez_mem_write(&c->side[i].t, k->va, k->bytes, k->n, "remove the jump from the copy"));
        if (k->to != k->va)
            EZ_TRY(check_write_code(&c->side[i], k->to, k->reloc.code, k->reloc.len));
    }
    return NULL;
}

static ez_err *check_put_back(struct ez_checker *c, const struct check_code *k)
{
    for (size_t g = 0; g < k->nglobal; g++)
        for (int i = 0; i < 2 && k->global[g].writable; i++)
            EZ_TRY(ez_mem_write(&c->side[i].t, k->global[g].at, k->global[g].was, 8,
                                "end a comparison"));
    return NULL;
}

/* ---- the relocated copy ---------------------------------------------------------------------- */

/* Selects the copy of a planted probe. Its bytes must be those that planting the probe now would
 * make; otherwise sets out->how to EZ_CHECK_DIFFERS. */
static ez_err *check_planted_copy(struct ez_checker *c, const struct ez_site *s,
                                  struct check_code *k, struct ez_checked *out)
{
    uint8_t live[EZ_MAX_RELOCATED];
    out->planted = true;
    k->to = s->variant.at[s->current].relocated;
    EZ_TRY(c->t->inf.arch->codegen.relocate(s->win.bytes, s->win.len, s->addr, k->to, &k->reloc));
    EZ_TRY(ez_mem_read(c->t, k->to, live, k->reloc.len));
    for (size_t i = 0; i < k->reloc.len; i++) {
        if (live[i] == k->reloc.code[i])
            continue;
        out->how = EZ_CHECK_DIFFERS;
        snprintf(out->text, sizeof out->text,
                 "the copy at 0x%" PRIx64 " was changed: byte %zu is %02x, not %02x", k->to, i,
                 live[i], k->reloc.code[i]);
        break;
    }
    return NULL;
}

static ez_err *check_new_copy(struct ez_checker *c, const struct ez_site *s, struct check_code *k)
{
    EZ_TRY(ez_trampoline_place(c->t, s->addr, EZ_TRAMPOLINE_MOST, &k->to));
    return c->t->inf.arch->codegen.relocate(s->win.bytes, s->win.len, s->addr, k->to, &k->reloc);
}

/* Returns code whose copy is the original itself, to compare two runs of the original. */
static struct check_code check_identity(const struct check_code *k)
{
    struct check_code same = *k;
    same.to = k->va;
    same.reloc.len = k->n;
    for (size_t i = 0; i < k->reloc.n; i++)
        same.reloc.to[i] = k->reloc.from[i];
    return same;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static bool check_branches(const struct check_code *k)
{
    for (size_t i = 0; i < k->reloc.n; i++)
        if (k->insn[i].flow == EZ_FLOW_JCC || k->insn[i].flow == EZ_FLOW_LOOP)
            return true;
    return false;
}

/* Finds out whether the copy is the cause of a difference: compares the original with itself in two
 * new processes, because the old ones are no longer equal. If this also finds a difference, sets
 * out->how to EZ_CHECK_UNSTEADY. */
static ez_err *check_doubt(struct ez_checker *c, const struct check_code *k, unsigned state,
                           struct ez_checked *out)
{
    struct check_code same = check_identity(k);
    struct ez_checked again = *out;
    again.how = EZ_CHECK_EQUAL;
    EZ_TRY(check_pair_close(c));
    EZ_TRY(check_pair_open(c));
    EZ_TRY(check_put_code(c, &same));
    EZ_TRY(check_state(c, &same, state, &again));
    if (again.how != EZ_CHECK_DIFFERS)
        return NULL;
    EZ_TRY(check_pair_close(c));
    EZ_TRY(check_pair_open(c));
    out->how = EZ_CHECK_UNSTEADY;
    memcpy(out->text, again.text, sizeof out->text);
    return NULL;
}

static ez_err *check_compare(struct ez_checker *c, const struct ez_site *s, struct check_code *k,
                             struct ez_checked *out)
{
    unsigned most = c->t->inf.arch->trial.nstates, state;
    EZ_TRY(check_copy_code(c, s, k));
    EZ_TRY(check_put_code(c, k));
    out->insns = (unsigned)k->reloc.n;
    if (!check_branches(k))
        most /= 3;
    for (state = 0; state < most && out->how == EZ_CHECK_EQUAL; state++)
        EZ_TRY(check_state(c, k, state, out));
    return out->how == EZ_CHECK_EQUAL ? check_put_back(c, k) : check_doubt(c, k, state - 1, out);
}

static ez_err *check_refused(struct ez_checked *out, ez_err *e)
{
    if (e->code != EZ_E_REFUSED && e->code != EZ_E_UNRELOC && e->code != EZ_E_RANGE)
        return e;
    out->how = EZ_CHECK_REFUSED;
    snprintf(out->text, sizeof out->text, "%s", e->msg);
    ez_err_free(e);
    return NULL;
}

static void check_describe(struct ez_target *t, uint64_t func, struct ez_checked *out)
{
    struct ez_module_info m = { 0 };
    uint64_t off = 0;
    const struct ez_sym *s = ez_symbolize(t, ez_addr_of(func), &off, &m);
    out->func = func;
    if (s && off)
        snprintf(out->name, sizeof out->name, "%s+%" PRIu64, ez_sym_pretty(s), off);
    else
        snprintf(out->name, sizeof out->name, "%s", s ? ez_sym_pretty(s) : "?");
    snprintf(out->library, sizeof out->library, "%s", m.path ? ez_base_name(m.path) : "?");
}

ez_err *ez_check_func(struct ez_checker *c, ez_addr func, struct ez_checked *out)
{
    struct check_code k = { .n = 0 };
    int site;
    uint64_t addr = func.v;
    memset(out, 0, sizeof *out);
    check_describe(c->t, addr, out);
    ez_err *e = ez_verdict(c->t, EZ_PROBE_ENTRY, &addr, &site);
    if (e)
        return check_refused(out, e);
    if (addr != func.v) /* func is an IFUNC, whose resolver returned the function at addr */
        check_describe(c->t, addr, out);
    const struct ez_site *s = &c->t->patcher.site.at[site];
    e = s->current >= 0 ? check_planted_copy(c, s, &k, out) : check_new_copy(c, s, &k);
    if (e)
        return check_refused(out, e);
    return out->how == EZ_CHECK_EQUAL ? check_compare(c, s, &k, out) : NULL;
}
