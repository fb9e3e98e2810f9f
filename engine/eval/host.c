/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.c - variables of the functions around an internal procedure of Fortran, or a nested function
 * of C (eval_priv.h).
 *
 * The caller of a nested function passes the static link, from which the frame base of the
 * surrounding function, the host, is computed. The host's frame is further out in the stack. It is
 * recognized by its function and that base, because a recursive function has several frames. If
 * gcc's code leaves the base 0, the innermost frame of the host's function is used, as in gdb. The
 * places of the host's variables are computed with the registers and the pc of its frame.
 *
 * Tests: tests/procs/fortran.sh */
#include <stdlib.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"

#define FRAMES_MOST 1000 /* maximum number of frames between a nested function and its host */

static struct ez_dwarf *host_dwarf(const struct eval *ev)
{
    const char *why;
    return ev->regs && ev->here.obj ? ez_dwarf_of(ev->here.obj, &why) : NULL;
}

/* Returns how many inlined functions are active inside the function that is not inlined. */
static unsigned host_inside(const struct eval *ev, struct ez_dwarf *d)
{
    const struct ez_dwarf_calls *c = ez_dwarf_calls(d, ev->look - ev->here.bias);
    return c && c->call.n ? (unsigned)c->call.n - 1 : 0;
}

/* Reads the static link and the frame base of the function. The caller frees *out, even if the
 * result is false. */
static bool host_link(struct eval *ev, struct ez_dwarf_local *out)
{
    struct ez_dwarf *d = host_dwarf(ev);
    *out = (struct ez_dwarf_local){ .is_const = false };
    return d && ez_dwarf_link(d, ev->look - ev->here.bias, host_inside(ev, d), out);
}

/* Returns whether `frame` is one of the function that begins at `begin`, and has the frame base
 * `base` (0 = any). Sets frame->inside to the number of inlined functions active inside that
 * function. */
static bool host_is(struct eval *ev, struct ez_stack_frame *frame, uint64_t begin, uint64_t base)
{
    struct eval up = { .v = ev->v, .t = ev->t, .regs = frame->regs, .pc = frame->pc };
    struct ez_dwarf_local l;
    uint64_t own, off;
    up.look = frame->pc - !frame->exact;
    ez_symbolize(ev->t, ez_addr_of(up.look), &off, &up.here);
    bool is = host_link(&up, &l) && l.value + up.here.bias == begin &&
              (!base || (place_cfa(&up, &l.base, &own) && own == base));
    frame->inside = is ? host_inside(&up, host_dwarf(&up)) : 0;
    ez_dwarf_local_free(&l);
    held_end(&up);
    free(up.extended);
    step_end(&up);
    return is;
}

/* Finds, among the callers, the frame for which host_is() is true. The caller frees frame->regs on
 * success. */
static bool host_frame(struct eval *ev, uint64_t begin, uint64_t base, struct ez_stack_frame *frame)
{
    struct eval at = { .v = ev->v, .t = ev->t, .regs = ev->regs, .pc = ev->pc, .look = ev->look };
    struct ez_regs *regs = NULL;
    for (unsigned i = 0; i < FRAMES_MOST && step_caller(&at, frame); i++) {
        free(regs);
        regs = frame->regs;
        at.regs = regs;
        at.pc = frame->pc;
        at.look = frame->pc - !frame->exact;
        if (host_is(ev, frame, begin, base))
            return true;
    }
    free(regs);
    return false;
}

bool host_find(struct eval *ev, struct ez_stack_frame *frame)
{
    struct ez_dwarf_local l;
    uint64_t base = 0;
    if (ev->inlined || ev->scope.is_cxx || ev->scope.is_rust)
        return false;
    bool nests = host_link(ev, &l) && l.high;
    uint64_t begin = l.high + ev->here.bias;
    if (nests && l.at.op.n && !place_number(ev, &l.base, &l.at, &base))
        base = 0;
    ez_dwarf_local_free(&l);
    return nests &&
           (host_frame(ev, begin, base, frame) || (base && host_frame(ev, begin, 0, frame)));
}
