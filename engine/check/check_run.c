/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_run.c - executes an original prologue and its copy in step (check.h).
 * Tests: tests/unit/check/check_check.c, tests/procs/check.sh */
#include "engine/check/check_priv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

#define STEPS_MOST 64 /* maximum number of steps; a prologue may contain a loop */
#define ISLAND_MOST 8 /* maximum number of instructions in the copy for one original instruction */
#define TLS_NEAR 256  /* bytes that are compared on each side of the thread pointer */

/* ---- the two processes ------------------------------------------------------------------- */

static ez_err *check_map_room(struct ez_checker *c)
{
    for (int i = 0; i < 2; i++)
        EZ_TRY(ez_inject_mmap(&c->side[i].t,
                              &(struct ez_mmap){ .at = c->room,
                                                 .size = CHECK_ROOM,
                                                 .prot = PROT_READ | PROT_WRITE,
                                                 .flags = MAP_PRIVATE | MAP_ANONYMOUS |
                                                          (i ? MAP_FIXED_NOREPLACE : 0) },
                              &c->room, "map a stack in the copy"));
    return NULL;
}

ez_err *check_pair_open(struct ez_checker *c)
{
    struct ez_thread *th = ez_inject_thread(c->t);
    struct ez_regs *live;
    if (!th)
        return ez_err_new(EZ_E_GONE, 0,
                          "The process has no live thread that could fork a copy of the process");
    c->maker = th->tid;
    c->room = 0;
    c->open[0] = true;
    EZ_TRY(ez_scratch_open(c->t, th, &c->side[0]));
    c->open[1] = true;
    EZ_TRY(ez_scratch_open(&c->side[0].t, c->side[0].th, &c->side[1]));
    EZ_TRY(check_map_room(c));
    EZ_TRY(pt_rseq_area(c->side[0].th->tid, &c->rseq, &c->rseq_size,
                        "find the rseq area, which the kernel writes"));
    EZ_TRY(ez_thread_regs(c->side[0].th, &live));
    c->regs = *live;
    c->extended_len = sizeof c->extended;
    return pt_getregset(c->side[0].th->tid, c->t->inf.arch->regs.extended_regset, c->extended,
                        &c->extended_len, "read the vector registers");
}

ez_err *check_pair_close(struct ez_checker *c)
{
    ez_err *e = NULL, *e0 = NULL;
    if (c->side[0].th)
        c->side[0].th->sig = 0;
    if (c->open[1])
        e = ez_scratch_close(&c->side[0].t, c->side[0].th, &c->side[1]);
    if (c->open[0])
        e0 = ez_scratch_close(c->t, ez_thread_find(c->t, c->maker), &c->side[0]);
    c->open[0] = c->open[1] = false;
    return ez_err_first(e, e0);
}

/* ---- one step ------------------------------------------------------------------------------- */

struct point { /* state of a process after a step */
    struct ez_regs regs;
    int sig; /* signal if the instruction faulted; 0 = none */
    uint64_t fault;
};

struct run {
    struct ez_checker *c;
    const struct check_code *k;
    unsigned state;
    size_t insn; /* index of the instruction that is being executed */
    struct ez_checked *out;
    struct point at[2];
};

static void EZ_PRINTF(2, 3) check_differ(struct run *r, const char *fmt, ...)
{
    char what[160];
    struct ez_disassembled in = { .len = 0 };
    va_list ap;
    uint64_t at = r->k->va + r->k->reloc.from[r->insn];
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    ez_err_drop(ez_disassemble(r->c->t, ez_addr_of(at), true, &in));
    r->out->how = EZ_CHECK_DIFFERS;
    snprintf(r->out->text, sizeof r->out->text, "at +%" PRIu64 " (%.95s): %s, state %u",
             at - r->out->func, in.text, what, r->state);
}

static ez_err *check_run_place(struct run *r, int i, const uint8_t *room)
{
    struct ez_checker *c = r->c;
    const struct ez_arch *a = c->t->inf.arch;
    struct ez_scratch *s = &c->side[i];
    uint8_t extended[CHECK_EXTENDED];
    struct ez_regs *now = &r->at[i].regs;
    *now = c->regs;
    a->trial.seed(now, r->state, c->room + CHECK_DATA, c->room + CHECK_SP);
    a->regs.set_pc(now, i ? r->k->to : r->k->va);
    s->th->sig = 0;
    EZ_TRY(ez_thread_set_regs(s->th, now));
    memcpy(extended, c->extended, c->extended_len);
    a->trial.seed_extended(extended, c->extended_len, r->state);
    EZ_TRY(pt_setregset(s->th->tid, a->regs.extended_regset, extended, c->extended_len,
                        "set up a starting state"));
    for (size_t g = 0; g < r->k->nglobal; g++) {
        static const uint64_t other[] = { 0, ~0ull, 1 };
        const struct check_global *x = &r->k->global[g];
        unsigned turn = r->state / 2 % 4;
        if (x->writable)
            EZ_TRY(ez_mem_write(&s->t, x->at, turn ? (const void *)&other[turn - 1] : x->was, 8,
                                "set up a starting state"));
    }
    return ez_mem_write(&s->t, c->room, room, CHECK_ROOM, "set up a starting state");
}

/* Sets the starting state in both processes. All words of the room are pointers into the room's
 * data, because a prologue may follow a pointer that it reads. */
static ez_err *check_place_both(struct run *r)
{
    uint64_t room[CHECK_ROOM / 8];
    for (size_t i = 0; i < EZ_ARRAY_LEN(room); i++)
        room[i] = r->c->room + CHECK_DATA + i % 64 * 8;
    EZ_TRY(check_run_place(r, 0, (const uint8_t *)room));
    return check_run_place(r, 1, (const uint8_t *)room);
}

static ez_err *check_run_step(struct run *r, int i)
{
    struct ez_scratch *s = &r->c->side[i];
    struct ez_regs *live;
    bool trapped;
    EZ_TRY(ez_scratch_step(s, &trapped, "compare an instruction with its copy"));
    EZ_TRY(ez_thread_regs(s->th, &live));
    r->at[i].regs = *live;
    r->at[i].sig = trapped ? 0 : s->th->sig;
    r->at[i].fault = trapped || !s->th->has_info ? 0 : (uint64_t)s->th->info.si_addr;
    return NULL;
}

static uint64_t check_run_pc(const struct run *r, int i)
{
    return r->c->t->inf.arch->regs.pc(&r->at[i].regs);
}

/* Returns the index of the instruction whose copy contains offset `off` of the relocated code. */
static size_t check_copied_from(const struct check_code *k, uint64_t off)
{
    size_t i = 0;
    while (i + 1 < k->reloc.n && off >= k->reloc.to[i + 1])
        i++;
    return i;
}

static ez_err *check_step_copy(struct run *r)
{
    const struct check_code *k = r->k;
    for (int n = 0; n < ISLAND_MOST; n++) {
        EZ_TRY(check_run_step(r, 1));
        uint64_t off = check_run_pc(r, 1) - k->to;
        if (r->at[1].sig || off >= k->reloc.len || check_copied_from(k, off) != r->insn ||
            off == k->reloc.to[r->insn])
            return NULL;
    }
    return NULL; /* check_same_point() will find the difference of the positions. */
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Maps the pc of the process that runs the copied code to the address of the same instruction in
 * the original code. Returns a pc outside the copy unchanged. */
static uint64_t check_as_original(const struct run *r)
{
    const struct check_code *k = r->k;
    uint64_t off = check_run_pc(r, 1) - k->to;
    if (off >= k->reloc.len)
        return check_run_pc(r, 1);
    size_t i = check_copied_from(k, off);
    return k->va + k->reloc.from[i] + (r->at[1].sig ? 0 : off - k->reloc.to[i]);
}

/* Returns whether the copy has branched back to the original prologue, which a jump replaces when
 * the probe is planted. */
static bool check_fell_back(const struct run *r)
{
    const struct check_code *k = r->k;
    uint8_t flow = k->insn[r->insn].flow;
    return check_run_pc(r, 1) - k->to >= k->reloc.len && check_run_pc(r, 1) - k->va < k->n &&
           flow != EZ_FLOW_CALL && flow != EZ_FLOW_ICALL;
}

static bool check_pushed_early(const struct run *r, uint64_t a, uint64_t b)
{
    const struct ez_arch *arch = r->c->t->inf.arch;
    return r->at[0].sig && r->k->insn[r->insn].flow == EZ_FLOW_ICALL &&
           a == arch->regs.sp(&r->at[0].regs) && b == arch->regs.sp(&r->at[1].regs) && a - b == 8;
}

static bool check_same_point(struct run *r)
{
    const struct point *a = &r->at[0], *b = &r->at[1];
    uint64_t va, vb;
    /* true if, in each process, the fault's address is the instruction itself, as for an illegal
     * instruction */
    bool itself = a->fault == check_run_pc(r, 0) && b->fault == check_run_pc(r, 1);
    if (a->sig != b->sig || (a->fault != b->fault && !itself)) {
        check_differ(
            r, "signal %d for 0x%" PRIx64 " in the original, %d for 0x%" PRIx64 " in the copy",
            a->sig, a->fault, b->sig, b->fault);
        return false;
    }
    const char *name = r->c->t->inf.arch->trial.differs(&a->regs, &b->regs, &va, &vb);
    if (name && !check_pushed_early(r, va, vb)) {
        check_differ(r, "%s is 0x%" PRIx64 ", in the copy 0x%" PRIx64, name, va, vb);
        return false;
    }
    if (check_as_original(r) != check_run_pc(r, 0) || check_fell_back(r)) {
        check_differ(r, "it goes on at 0x%" PRIx64 ", the copy at 0x%" PRIx64, check_run_pc(r, 0),
                     check_run_pc(r, 1));
        return false;
    }
    return true;
}

/* Compares n bytes of memory of both processes, without struct rseq, which the kernel writes.
 * Memory that is unreadable in one process must be unreadable in the other. Returns false at a
 * difference, which it reports. */
static bool check_same_memory(struct run *r, uint64_t at, size_t n, const char *what)
{
    uint8_t m[2][CHECK_ROOM];
    size_t got[2];
    for (int i = 0; i < 2; i++)
        got[i] = ez_mem_read_some(&r->c->side[i].t, at, m[i], n);
    for (size_t i = 0; i < EZ_MIN(got[0], got[1]); i++) {
        if (m[0][i] == m[1][i] || at + i - r->c->rseq < r->c->rseq_size)
            continue;
        size_t w = i & ~(size_t)7;
        uint64_t a = 0, b = 0;
        memcpy(&a, m[0] + w, EZ_MIN((size_t)8, got[0] - w));
        memcpy(&b, m[1] + w, EZ_MIN((size_t)8, got[1] - w));
        check_differ(r, "%s at 0x%" PRIx64 " is 0x%" PRIx64 ", of the copy 0x%" PRIx64, what,
                     at + w, a, b);
        return false;
    }
    if (got[0] == got[1])
        return true;
    check_differ(r, "%s at 0x%" PRIx64 " has %zu bytes that can be read, of the copy %zu", what, at,
                 got[0], got[1]);
    return false;
}

/* Compares the memory that the instructions may have written. If an indirect call faulted, memory
 * below the stack pointer is unused, and is not compared. */
static bool check_same_traces(struct run *r)
{
    const struct ez_arch *arch = r->c->t->inf.arch;
    uint64_t room = r->c->room, sp = arch->regs.sp(&r->at[0].regs), from = 0;
    uint64_t tp = arch->regs.thread_pointer(&r->at[0].regs);
    if (check_pushed_early(r, sp, arch->regs.sp(&r->at[1].regs)) && sp - room < CHECK_ROOM)
        from = sp - room;
    if (!check_same_memory(r, room + from, CHECK_ROOM - from, "memory") ||
        !check_same_memory(r, tp - TLS_NEAR, 2 * TLS_NEAR, "thread-local memory"))
        return false;
    for (size_t g = 0; g < r->k->nglobal; g++)
        if (!check_same_memory(r, r->k->global[g].at, 16, "memory"))
            return false;
    return true;
}

static ez_err *check_same_extended(struct run *r, bool *same)
{
    uint8_t x[2][CHECK_EXTENDED];
    size_t n[2] = { sizeof x[0], sizeof x[1] };
    char name[32];
    const struct ez_arch *arch = r->c->t->inf.arch;
    for (int i = 0; i < 2; i++)
        EZ_TRY(pt_getregset(r->c->side[i].th->tid, arch->regs.extended_regset, x[i], &n[i],
                            "compare the vector registers"));
    const char *what =
        arch->trial.extended_differs(x[0], x[1], EZ_MIN(n[0], n[1]), name, sizeof name);
    if (what)
        check_differ(r, "%s is another in the copy", what);
    *same = !what;
    return NULL;
}

/* Returns whether the process with the original is at an instruction of the prologue that may be
 * executed. Sets r->insn to its index. */
static bool check_goes_on(struct run *r)
{
    uint64_t off = check_run_pc(r, 0) - r->k->va;
    for (size_t i = 0; i < r->k->reloc.n; i++) {
        if (r->k->reloc.from[i] != off)
            continue;
        r->insn = i;
        return r->k->insn[i].flow != EZ_FLOW_TRAP && r->k->insn[i].flow != EZ_FLOW_SYSCALL;
    }
    return false;
}

/* In the last third of the starting states, sets the flags before a conditional branch, so that
 * each branch is taken in some states and not taken in others. */
static ez_err *check_run_steer(struct run *r)
{
    const struct ez_arch *a = r->c->t->inf.arch;
    if (r->state < a->trial.nstates * 2 / 3 || r->k->insn[r->insn].flow != EZ_FLOW_JCC)
        return NULL;
    for (int i = 0; i < 2; i++) {
        a->trial.steer(&r->at[i].regs, r->state + (unsigned)r->insn);
        EZ_TRY(ez_thread_set_regs(r->c->side[i].th, &r->at[i].regs));
    }
    return NULL;
}

ez_err *check_state(struct ez_checker *c, const struct check_code *k, unsigned state,
                    struct ez_checked *out)
{
    struct run r = { .c = c, .k = k, .state = state, .out = out };
    bool same = true;
    EZ_TRY(check_place_both(&r));
    for (int n = 0; same && n < STEPS_MOST && !r.at[0].sig && check_goes_on(&r); n++) {
        EZ_TRY(check_run_steer(&r));
        EZ_TRY(check_run_step(&r, 0));
        EZ_TRY(check_step_copy(&r));
        same = check_same_point(&r);
    }
    if (same)
        same = check_same_traces(&r);
    if (same)
        EZ_TRY(check_same_extended(&r, &same));
    out->states += same;
    out->faulted += same && r.at[0].sig;
    return NULL;
}
