/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.c - proves that a trampoline may itself call a function (frame.h), by abstract
 * interpretation of all paths through the function.
 *
 * For each reachable instruction, the walk knows where the stack pointer is, and which registers
 * point into the frame (arch->frame.step). Where paths meet, a register whose values differ becomes
 * EZ_FR_SOME, and the following instructions are interpreted again; the stack pointer must be the
 * same. Values only become less known, so the walk ends. Any doubt is a "no" with its reason: then
 * the exit uses a return trampoline.
 *
 * The walk starts at the function's entry only. Code that no path reaches is a "no", because it is
 * entered in another way. Landing pads in the function's cold part, which is elsewhere, are found
 * by the exception tables (ez_object_lands).
 *
 * The walk does not follow pointers into the frame that the function passes to others. A callee
 * could reach the return address by such a pointer only beyond the end of the object that it points
 * to, which C forbids.
 * Errors: none; reasons are constant strings.
 * Tests: tests/unit/code/check_frame.c */
#include "engine/code/frame.h"

#include <string.h>

#include "arch/arch.h"

#define INSNS_MOST 1200 /* maximum number of instructions in EZ_FRAME_MOST bytes */
#define STEPS_MOST 8000

struct place {
    struct ez_frame f; /* frame before the instruction, as far as known */
    uint16_t at;
    uint8_t len; /* length of the instruction, once it was interpreted */
    bool queued;
};

struct walk {
    const struct ez_arch *arch;
    const uint8_t *code;
    size_t n;
    uint64_t va, site;
    size_t nplaces, nqueue;
    const char *uses; /* how the function uses its return address; NULL: not found */
    /* index: offset of a byte; 1 + index into place[], 0: no instruction begins at the byte */
    uint16_t index[EZ_FRAME_MOST];
    uint16_t queue[INSNS_MOST];
    struct place place[INSNS_MOST];
};

enum { SAME, CHANGED, FIRST };

/* Merges f into *have: flags that are set on one of the paths are set from here on. If the stack
 * depths differ, the stack pointer becomes unknown. */
static void frame_join_leniently(struct ez_frame *have, const struct ez_frame *f, int *what)
{
    struct ez_frame was = *have;
    if (have->reg[f->sp] != f->reg[f->sp])
        have->reg[f->sp] = EZ_FR_OTHER;
    have->bound |= f->bound;
    have->dynamic |= f->dynamic;
    have->copied |= f->copied;
    have->mixed |= f->mixed;
    if (was.reg[f->sp] != have->reg[f->sp] || was.bound != have->bound ||
        was.dynamic != have->dynamic || was.copied != have->copied || was.mixed != have->mixed)
        *what = CHANGED;
}

/* Merges f into *have, which is known before an instruction. *what: SAME or CHANGED. Returns NULL,
 * or why the proof fails. */
static const char *frame_join(struct ez_frame *have, const struct ez_frame *f, int *what)
{
    *what = SAME;
    if (have->lenient)
        frame_join_leniently(have, f, what);
    else if (have->bound != f->bound || have->dynamic != f->dynamic ||
             have->reg[f->sp] != f->reg[f->sp])
        return "paths with different stack depths meet";
    for (unsigned r = 0; r < EZ_FRAME_REGS; r++) {
        if (have->reg[r] == f->reg[r] || have->reg[r] == EZ_FR_SOME || r == f->sp)
            continue;
        have->reg[r] = EZ_FR_SOME;
        *what = CHANGED;
    }
    return NULL;
}

/* Adds a path that reaches the instruction at offset `at` with frame f. *p: the place of that
 * instruction. Returns NULL, or why the proof fails. */
static const char *frame_arrive(struct walk *w, size_t at, const struct ez_frame *f,
                                struct place **p, int *what)
{
    if (w->index[at]) {
        *p = &w->place[w->index[at] - 1];
        return frame_join(&(*p)->f, f, what);
    }
    if (w->nplaces == INSNS_MOST)
        return "it has too many instructions";
    *p = &w->place[w->nplaces++];
    **p = (struct place){ .f = *f, .at = (uint16_t)at };
    w->index[at] = (uint16_t)w->nplaces;
    *what = FIRST;
    return NULL;
}

static const char *frame_branch(struct walk *w, uint64_t target, const struct ez_frame *f)
{
    struct place *p;
    int what;
    uint64_t off = target - w->va;
    if (off >= w->n)
        return f->lenient ? NULL : "it jumps to another function";
    if (target <= w->site && !f->lenient)
        return "it jumps back to its entry";
    const char *why = frame_arrive(w, (size_t)off, f, &p, &what);
    if (!why && what != SAME && !p->queued) {
        p->queued = true;
        w->queue[w->nqueue++] = (uint16_t)(p - w->place);
    }
    return why;
}

static bool frame_ends(uint8_t flow)
{
    return flow == EZ_FLOW_JMP || flow == EZ_FLOW_RET || flow == EZ_FLOW_TRAP;
}

/* Interprets the instruction at offset `at`: changes *f from the frame before the instruction to
 * the frame after it. Queues the target of a branch. Returns NULL, or why the proof fails. */
static const char *frame_step_over(struct walk *w, size_t at, struct ez_frame *f,
                                   struct ez_frame_step *s)
{
    const char *why = w->arch->frame.step(f, w->code + at, w->n - at, w->va + at, s);
    if (why) {
        w->uses = f->uses;
        return why;
    }
    if (f->lenient)
        return ez_flow_jumps(s->flow) ? frame_branch(w, s->target, f) : NULL;
    if (s->flow == EZ_FLOW_IJMP)
        return "it has an indirect jump";
    if (s->flow == EZ_FLOW_CALL && s->target - w->va - 1 < w->n - 1)
        return "it calls into itself";
    if (ez_flow_jumps(s->flow))
        why = frame_branch(w, s->target, f);
    /* A call at the very end calls a function that does not return. */
    if (!why && !frame_ends(s->flow) && at + s->len >= w->n && s->flow != EZ_FLOW_CALL)
        return "its end is reached without a jump or return";
    return why;
}

static const char *frame_walk(struct walk *w, unsigned *steps)
{
    while (w->nqueue) {
        struct place *p = &w->place[w->queue[--w->nqueue]];
        struct ez_frame f = p->f;
        struct ez_frame_step s;
        size_t at = p->at;
        int what;
        p->queued = false;
        do {
            const char *why =
                ++*steps > STEPS_MOST ? "it has too many paths" : frame_step_over(w, at, &f, &s);
            if (why && f.lenient && !f.uses && *steps <= STEPS_MOST)
                break; /* The instruction is unknown, so the search goes on with the other paths. */
            if (why)
                return why;
            p->len = s.len;
            at += s.len;
            if (frame_ends(s.flow) || s.flow == EZ_FLOW_IJMP || at >= w->n)
                break;
            why = frame_arrive(w, at, &f, &p, &what);
            if (why)
                return why;
            if (what == CHANGED) /* otherwise p->f equals f */
                f = p->f;
        } while (what != SAME);
    }
    return NULL;
}

/* Returns NULL if every instruction except padding was reached, else a reason. Code that no path
 * reaches is entered in another way: landing pads by an exception, labels by a jump of another
 * function. */
static const char *frame_left_over(const struct walk *w)
{
    for (size_t at = 0, len; at < w->n; at += len) {
        unsigned i = w->index[at];
        len = i ? w->place[i - 1].len : w->arch->decode.nop(w->code + at, w->n - at);
        if (!len)
            return "it has code that no path reaches";
    }
    return NULL;
}

static struct walk *frame_begin_walk(const struct ez_arch *arch, const uint8_t *code, size_t n,
                                     uint64_t va, uint64_t site)
{
    static __thread struct walk room; /* allocated once for thousands of functions */
    struct walk *w = &room;
    w->arch = arch, w->code = code, w->n = n, w->va = va, w->site = site;
    w->nplaces = w->nqueue = 0;
    w->uses = NULL;
    memset(w->index, 0, n * sizeof *w->index);
    return w;
}

const char *ez_frame_why_not(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             uint64_t site)
{
    struct ez_frame f;
    struct place *p;
    unsigned steps = 0;
    int what;
    if (!n)
        return "its end is not known";
    if (n > EZ_FRAME_MOST)
        return "it is larger than 4 KiB";
    struct walk *w = frame_begin_walk(arch, code, n, va, site);
    arch->frame.begin(&f);
    const char *why = frame_arrive(w, 0, &f, &p, &what);
    w->queue[w->nqueue++] = 0;
    why = why ? why : frame_walk(w, &steps);
    return why ? why : frame_left_over(w);
}

/* Walks code that no path reaches. f: what is known there (frame_of_body). */
static void frame_walk_rest(struct walk *w, struct ez_frame f, unsigned *steps)
{
    for (size_t at = 0, len; at < w->n; at += len) {
        struct place *p;
        int what;
        unsigned i = w->index[at];
        len = i ? w->place[i - 1].len : w->arch->decode.nop(w->code + at, w->n - at);
        if (len || frame_arrive(w, at, &f, &p, &what) || p->queued)
            len = EZ_MAX(len, (size_t)1);
        else if (p->queued = true, w->queue[w->nqueue++] = (uint16_t)(p - w->place),
                 frame_walk(w, steps))
            return;
    }
}

/* Returns what is assumed in code that no path reaches: only the frame pointer, as it is at the
 * first place where the stack is deepest. */
static struct ez_frame frame_of_body(const struct walk *w)
{
    const struct ez_frame *deepest = &w->place[0].f;
    struct ez_frame f;
    w->arch->frame.begin(&f);
    f.lenient = true;
    f.reg[f.sp] = EZ_FR_OTHER;
    for (size_t i = 0; i < w->nplaces; i++)
        if (w->place[i].f.reg[f.sp] < deepest->reg[f.sp])
            deepest = &w->place[i].f;
    if (w->arch->frame.pointer < EZ_FRAME_REGS)
        f.reg[w->arch->frame.pointer] = deepest->reg[w->arch->frame.pointer];
    return f;
}

/* Returns how the function uses its return address, on any path, or NULL if no use was found. */
static const char *frame_uses_return(struct walk *w)
{
    struct ez_frame f;
    struct place *p;
    unsigned steps = 0;
    int what;
    w->arch->frame.begin(&f);
    f.lenient = true;
    const char *why = frame_arrive(w, 0, &f, &p, &what);
    w->queue[w->nqueue++] = 0;
    why = why ? why : frame_walk(w, &steps);
    if (!why)
        frame_walk_rest(w, frame_of_body(w), &steps);
    return w->uses;
}

const char *ez_frame_no_exit(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             const char *why)
{
    if (!why) /* call-through is proved, so the return address is not used */
        return NULL;
    if (n && n <= EZ_FRAME_MOST) {
        why = frame_uses_return(frame_begin_walk(arch, code, n, va, va));
        if (why)
            return why;
    }
    return arch->frame.pops_arguments(code, n) ? "it removes its arguments from the stack" : NULL;
}
