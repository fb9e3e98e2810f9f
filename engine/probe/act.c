/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act.c - actions of probes: what a probe does at a hit besides recording it (`do ACTION`;
 * engine/rt/rt_act.c).
 *
 * A probe that actions enable or disable has a *gate*: a bit in shared memory that its condition
 * reads. The probe has the gate until it is deleted, and stays planted while the gate is shut, so
 * that an action takes effect at once.
 *
 * At a `do stop` the thread waits inside the runtime. The shell shows the program's state instead
 * of the runtime's: the registers at the function's first instruction or, for an action at the
 * exit, after the return. The target can write the memory from which this state is read, so the
 * shell only displays it.
 *
 * Tests: tests/procs/triggers.sh */
#include "engine/target.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/expr/scope.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/probe/act.h"

/* ---- parsing -------------------------------------------------------------------------------- */

ez_err *ez_act_parse(const char *text, struct ez_act *out)
{
    static const struct {
        const char *word;
        enum ez_act_kind kind;
    } plain[] = { { "trace start", EZ_ACT_TRACE_START },
                  { "trace stop", EZ_ACT_TRACE_STOP },
                  { "snapshot", EZ_ACT_SNAPSHOT },
                  { "stop", EZ_ACT_STOP } };
    EZ_FREE char *words = ez_strdup(text ? text : "");
    char *to = words, *end;
    /* Leaves one blank between words, and no blank at the end. */
    for (const char *p = words; *p; p++)
        if (*p != ' ' || (p[1] && p[1] != ' '))
            *to++ = *p;
    *to = 0;
    *out = (struct ez_act){ .kind = EZ_ACT_NONE };
    for (size_t i = 0; i < EZ_ARRAY_LEN(plain); i++)
        if (!strcmp(words, plain[i].word))
            out->kind = plain[i].kind;
    bool on = !strncmp(words, "enable ", 7), off = !strncmp(words, "disable ", 8);
    if (on || off) {
        long n = strtol(words + (on ? 7 : 8), &end, 10);
        if (n < 1 || n > INT_MAX || *end)
            return ez_err_new(EZ_E_ARG, 0, "Bad probe number '%s'", words + (on ? 7 : 8));
        *out = (struct ez_act){ on ? EZ_ACT_ENABLE : EZ_ACT_DISABLE, (int)n };
    }
    if (text && *text && !out->kind)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "\"%s\" is not an action", text),
            "The actions are trace start, trace stop, snapshot, stop, enable N and disable N");
    return NULL;
}

/* ---- gates ---------------------------------------------------------------------------------- */

static void act_gate_write(struct ez_target *t, const struct ez_probe *p)
{
    if (!t->rt.up || p->gate < 0)
        return;
    uint64_t bit = 1ull << p->gate;
    if (p->gate_shut)
        __atomic_fetch_and(&t->rt.hdr->gates, ~bit, __ATOMIC_SEQ_CST);
    else
        __atomic_fetch_or(&t->rt.hdr->gates, bit, __ATOMIC_SEQ_CST);
}

bool ez_gate_is_shut(const struct ez_target *t, const struct ez_probe *p)
{
    if (p->gate < 0)
        return false;
    return t->rt.up ? !(t->rt.hdr->gates >> p->gate & 1) : p->gate_shut;
}

void ez_gate_set(struct ez_target *t, struct ez_probe *p, bool open)
{
    p->gate_shut = !open;
    act_gate_write(t, p);
}

/* ---- planting ------------------------------------------------------------------------------- */

void ez_act_planted(struct ez_target *t, struct ez_probe *p)
{
    act_gate_write(t, p);
    p->act_site = p->act.kind ? p->site : -1;
    p->act_clause = p->clause;
    if (p->act.kind == EZ_ACT_STOP)
        t->rt.hdr->stops_on = 1;
    if (p->act.kind == EZ_ACT_TRACE_START && !p->paused) {
        p->paused = true;
        ez_drain_pause(t->tracing.drain, true);
    }
}

/* ---- stops ---------------------------------------------------------------------------------- */

static struct ez_probe *act_of(const struct ez_target *t, uint32_t id)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        /* a spent probe counts, because this hit may have reached its passcount */
        bool live = p->state == EZ_PROBE_ARMED || p->spent;
        if (live && p->act_site >= 0 &&
            t->patcher.site.at[p->act_site].clause.at[p->act_clause].id == id)
            return p;
    }
    return NULL;
}

static void act_release(struct ez_target *t)
{
    struct ez_hdr *h = t->rt.hdr;
    __atomic_store_n(&h->hold.full, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&h->hold.tid, 0, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &h->hold.tid, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void ez_held_go(struct ez_target *t)
{
    if (t->rt.up && t->probes.held.tid)
        act_release(t);
    t->probes.held.tid = 0;
}

void ez_held_no_more(struct ez_target *t)
{
    if (!t->rt.up)
        return;
    t->rt.hdr->stops_on = 0;
    act_release(t);
    t->probes.held.tid = 0;
}

static void act_set_reg(const struct ez_target *t, struct ez_regs *r, const char *name, uint64_t v)
{
    for (size_t i = 0; i < t->inf.arch->regs.n; i++)
        if (!strcmp(t->inf.arch->regs.desc[i].name, name))
            memcpy((char *)r->word + t->inf.arch->regs.desc[i].offset, &v,
                   EZ_MIN((size_t)t->inf.arch->regs.desc[i].size, sizeof v));
}

static bool act_read(void *arg, uint64_t from, void *to, size_t n)
{
    return ez_err_drop(ez_mem_read(arg, from, to, n));
}

/* Reads the thread's floating point and vector registers. They still have the program's values,
 * because the runtime does not use them. */
static void act_look_wide(struct ez_target *t, struct ez_thread *th, struct ez_entry_state *at,
                          uint8_t **extended)
{
    size_t n = EZ_EXTENDED_MOST;
    at->extended = *extended = ez_alloc(n);
    if (ez_err_drop(pt_getregset(th->tid, t->inf.arch->regs.extended_regset, *extended, &n,
                                 "read vector registers")))
        at->nextended = n;
}

/* Reads the program's registers in a thread that waits at a `do stop` into held->regs and *at. */
static void act_look(struct ez_target *t, struct ez_thread *th, const struct ez_probe *p,
                     struct ez_entry_state *at)
{
    const struct ez_convention *by = t->inf.arch->abi.convention;
    struct ez_held *held = &t->probes.held;
    struct ez_hdr *h = t->rt.hdr;
    struct ez_regs *r;
    uint64_t reg = h->hold.reg, caller = h->hold.caller, loc = h->hold.loc;
    bool at_exit = h->hold.at_exit;
    *at = (struct ez_entry_state){ .frame = loc, .read = act_read, .arg = t };
    held->shown = ez_err_drop(ez_thread_regs(th, &r));
    if (!held->shown || !by)
        return;
    held->regs = *r;
    if (reg && act_read(t, reg, at->reg, sizeof at->reg))
        for (unsigned i = 0; i < by->nnames && i < 16; i++)
            act_set_reg(t, &held->regs, by->name[i], at->reg[i]);
    at->reg[by->sp & 15] = at_exit ? loc + 8 : loc;
    act_set_reg(t, &held->regs, by->name[by->sp], at->reg[by->sp & 15]);
    t->inf.arch->regs.set_pc(&held->regs, at_exit ? caller : t->patcher.site.at[p->act_site].func);
}

static char *act_args(struct ez_target *t, const struct ez_probe *p,
                      const struct ez_entry_state *at)
{
    const struct ez_site *s = &t->patcher.site.at[p->act_site];
    struct ez_scope *scope = NULL;
    if (!s->mod || !s->mod->obj || t->rt.hdr->hold.at_exit)
        return ez_strdup("");
    uint64_t vaddr = s->func - s->mod->bias;
    if (!ez_err_drop(ez_scope_of(s->mod->obj, s->mod->bias, ez_object_find_addr(s->mod->obj, vaddr),
                                 vaddr, p->spec.prototype, &scope)))
        return ez_strdup("");
    char *text = ez_entry_args(scope, t->set.max_string, at);
    ez_scope_free(scope);
    return text;
}

static ez_err *act_stop(struct ez_target *t, struct ez_probe *p, pid_t tid)
{
    enum ez_state was;
    struct ez_entry_state at;
    EZ_FREE uint8_t *extended = NULL;
    EZ_TRY(ez_world_stop(t, &was));
    struct ez_thread *th = ez_thread_find(t, tid);
    if (!th || !t->rt.up) /* The process has ended. */
        return ez_world_resume(t, was);
    ez_thread_select(t, tid);
    t->probes.held.tid = tid;
    act_look(t, th, p, &at);
    act_look_wide(t, th, &at, &extended);
    struct ez_event ev = { .kind = EZ_EV_STOPPED, .tid = tid, .number = p->number };
    ev.status = t->rt.hdr->hold.at_exit != 0;
    ev.addr = t->patcher.site.at[p->act_site].func;
    ev.text = act_args(t, p, &at);
    ez_lines_seen(t, true);
    ez_post(t, ev);
    return NULL;
}

ez_err *ez_acts_seen(struct ez_target *t)
{
    if (!t->rt.up)
        return NULL;
    struct ez_hdr *h = t->rt.hdr;
    uint32_t n = h->snapshots, tid = __atomic_load_n(&h->hold.full, __ATOMIC_ACQUIRE);
    if (n != t->probes.snapshots) {
        const struct ez_probe *p = act_of(t, h->snapshot_id);
        EZ_FREE char *why = p ? ez_sprintf("probe %d", p->number) : ez_strdup("a probe");
        t->probes.snapshots = n;
        ez_trace_snapshot_for(t, why);
    }
    if (!tid || tid != h->hold.tid || t->probes.held.tid)
        return NULL;
    struct ez_probe *p = act_of(t, h->hold.id);
    if (p && p->act.kind == EZ_ACT_STOP)
        return act_stop(t, p, (pid_t)tid);
    act_release(t); /* the probe was removed */
    return NULL;
}

const struct ez_regs *ez_held_regs(const struct ez_target *t, pid_t tid)
{
    const struct ez_held *h = &t->probes.held;
    return tid && h->tid == tid && h->shown ? &h->regs : NULL;
}

void ez_acts_process_ended(struct ez_target *t)
{
    t->probes.snapshots = 0;
    t->probes.held.tid = 0;
    for (size_t i = 0; i < t->probes.probe.n; i++)
        t->probes.probe.at[i]->paused = false, t->probes.probe.at[i]->act_site = -1;
}
