/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_step.c - measures the length of instructions by executing them.
 *
 * A copy of the process (scratch.h) steps each instruction of the prologue, because the
 * instructions have effects. The change of the program counter is the instruction's length, unless
 * the instruction jumped (measure_has_jumped()). The decoder then gives the length, and the next
 * instruction is stepped as if there had been no jump (PROPER'12, section 5.2).
 *
 * This file also has the functions for the rows of a prologue, which measure.c uses, too.
 *
 * Tests: tests/measure/check_measure.sh */
#include "engine/check/measure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/inferior/scratch.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

/* ---- the rows ------------------------------------------------------------------------------ */

ez_err *ez_prologue_decode(struct ez_target *t, const struct ez_prologue *p, uint64_t at,
                           struct ez_insn *out)
{
    size_t off = at - p->func;
    return t->inf.arch->decode.insn(p->code + off, p->n - off, at, out);
}

unsigned ez_prologue_sum(const struct ez_prologue *p, uint64_t next)
{
    return next > p->site ? (unsigned)(next - p->site) : 0;
}

struct ez_measured *ez_prologue_row(struct ez_target *t, const struct ez_prologue *p,
                                    struct ez_measure *m, size_t index, uint64_t at)
{
    struct ez_measured *row = &m->insn[index];
    struct ez_disassembled in = { .len = 0 };
    if (index < m->n)
        return row;
    if (index >= EZ_ARRAY_LEN(m->insn))
        return NULL;
    m->n = index + 1;
    row->addr = at;
    ez_err_drop(ez_disassemble(t, ez_addr_of(at), true, &in));
    snprintf(row->text, sizeof row->text, "%.*s", (int)sizeof row->text - 1, in.text);
    memcpy(row->bytes, in.bytes, sizeof row->bytes);
    return row;
}

/* ---- the copy ---------------------------------------------------------------------------- */

/* Restores the original code in the copy of the process: the copy also has eztsh's jumps. */
static ez_err *measure_restore_code(struct ez_scratch *s, const struct ez_prologue *p)
{
    uint8_t now[sizeof p->code];
    size_t n = ez_mem_read_some(&s->t, p->func, now, p->n);
    if (n == p->n && !memcmp(now, p->code, n))
        return NULL;
    return ez_mem_write(&s->t, p->func, p->code, p->n, "remove the jump from the copy");
}

/* Sets the registers of the copy's thread as a call of the function would. The arguments are
 * addresses of the thread's own stack, so that a prologue can read memory through them. */
static ez_err *measure_enter(struct ez_scratch *s, const struct ez_prologue *p)
{
    struct ez_regs *live, r;
    uint64_t arg[6];
    EZ_TRY(ez_thread_regs(s->th, &live));
    r = *live;
    for (size_t i = 0; i < 6; i++)
        arg[i] = s->t.inf.arch->regs.sp(&r);
    s->t.inf.arch->abi.prepare_call(&r, p->func, arg, 6);
    return ez_thread_set_regs(s->th, &r);
}

/* ---- stepping ---------------------------------------------------------------------------- */

static void EZ_PRINTF(2, 3) measure_ended(struct ez_measure *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->step_note, sizeof m->step_note, fmt, ap);
    va_end(ap);
}

/* Returns whether the instruction may be executed. If not, sets m->step_note. */
static bool measure_may_step(const struct ez_prologue *p, const struct ez_insn *in, uint64_t at,
                             struct ez_measure *m)
{
    if (in->flow == EZ_FLOW_SYSCALL)
        measure_ended(m, "stopped before the system call at +%" PRIu64, at - p->func);
    else if (in->flow == EZ_FLOW_TRAP)
        measure_ended(m, "stopped before the trap at +%" PRIu64, at - p->func);
    return !*m->step_note;
}

static void measure_explain_fault(const struct ez_scratch *s, uint64_t off, struct ez_measure *m)
{
    uint64_t addr = (uint64_t)s->th->info.si_addr;
    for (size_t i = 0; s->th->sig == SIGSEGV && s->th->has_info && i < s->maps.map.n; i++) {
        const struct ez_map *e = &s->maps.map.at[i];
        if (e->perm[3] != 's' || addr < e->lo || addr >= e->hi)
            continue;
        measure_ended(m, "stopped before a store to shared memory at +%" PRIu64 " (0x%" PRIx64 ")",
                      off, addr);
        return;
    }
    measure_ended(
        m, "stopped at +%" PRIu64 ": %s; the copy does not have the registers of a real call", off,
        strsignal(s->th->sig));
}

/* Returns whether the instruction jumped. moved: change of the program counter, bytes. A short jump
 * moves the program counter like a long instruction, so a branch instruction has jumped unless
 * `moved` is its length. */
static bool measure_has_jumped(const struct ez_insn *in, int64_t moved)
{
    return moved <= 0 || moved > EZ_MAX_INSN || (in->flow != EZ_FLOW_PLAIN && moved != in->len);
}

static ez_err *step_row(struct ez_scratch *s, const struct ez_insn *in, uint64_t at,
                        struct ez_measured *row, bool *trapped)
{
    struct ez_regs *now, before;
    EZ_TRY(ez_thread_regs(s->th, &now));
    before = *now;
    EZ_TRY(ez_scratch_step(s, trapped, "measure an instruction"));
    if (!*trapped)
        return NULL;
    EZ_TRY(ez_thread_regs(s->th, &now));
    int64_t moved = (int64_t)(s->t.inf.arch->regs.pc(now) - at);
    row->jumped = measure_has_jumped(in, moved);
    row->len_step = row->jumped ? in->len : (uint8_t)moved;
    if (!row->jumped)
        return NULL;
    s->t.inf.arch->regs.set_pc(&before, at + in->len);
    return ez_thread_set_regs(s->th, &before);
}

static ez_err *measure_walk(struct ez_target *t, struct ez_scratch *s, const struct ez_prologue *p,
                            struct ez_measure *m)
{
    uint64_t at = p->func;
    for (size_t i = 0; !ez_prologue_done(p, at); i++) {
        struct ez_insn in;
        bool trapped;
        struct ez_measured *row = ez_prologue_row(t, p, m, i, at);
        if (!row)
            return NULL;
        EZ_TRY(ez_prologue_decode(t, p, at, &in));
        if (!measure_may_step(p, &in, at, m))
            return NULL;
        EZ_TRY(step_row(s, &in, at, row, &trapped));
        if (!trapped) {
            measure_explain_fault(s, at - p->func, m);
            return NULL;
        }
        at += row->len_step;
        if (!row->len_opcodes)
            row->sum = (uint16_t)ez_prologue_sum(p, at);
        else if (row->len_opcodes != row->len_step)
            return NULL; /* the lengths differ, so the next rows do not fit the stepped addresses */
    }
    return NULL;
}

ez_err *ez_measure_step(struct ez_target *t, const struct ez_prologue *p, struct ez_measure *m)
{
    EZ_TRY(ez_need_stopped(t));
    EZ_TRY(ez_inject_allowed(t));
    struct ez_scratch s;
    struct ez_thread *th = ez_inject_thread(t);
    ez_err *e = ez_scratch_open(t, th, &s);
    if (!e)
        e = measure_restore_code(&s, p);
    if (!e)
        e = measure_enter(&s, p);
    if (!e)
        e = measure_walk(t, &s, p, m);
    ez_err *left = ez_scratch_close(t, th, &s);
    return ez_err_first(e, left);
}
