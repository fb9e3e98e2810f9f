/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.c - the frame of the function where the thread is stopped: the words that compiled code
 * reads from the frame, and the inlined functions active in it.
 * Tests: tests/procs/print.sh */
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"
#include "engine/expr/machine.h"
#include "engine/inferior/inferior.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"

/* ---- operations of the machine --------------------------------------------------------------- */

/* Sets *out to the address at which the frame's return address is stored. */
static ez_err *frame_loc(struct eval *ev, uint64_t *out)
{
    EZ_TRY(register_need(ev));
    if (!step_cfa(ev, out))
        return ez_err_new(
            EZ_E_NOTFOUND, 0,
            "The beginning of the frame at 0x%llx is not known: there is no unwind information",
            (unsigned long long)ev->pc);
    *out -= ev->t->inf.arch->abi.entry_cfa_offset;
    return NULL;
}

static ez_err *frame_half(struct eval *ev, size_t at, unsigned high, uint64_t *out)
{
    const uint8_t *bytes = NULL;
    EZ_TRY(register_extended(ev, at, &bytes));
    memcpy(out, bytes + 8ul * (high & 1), sizeof *out);
    return NULL;
}

ez_err *frame_pushed(void *arg, const struct ez_code_op *op, uint64_t *out)
{
    struct eval *ev = arg;
    const struct ez_arch *a = ev->t->inf.arch;
    const struct ez_reg_desc *d = NULL;
    *out = 0;
    EZ_TRY(register_need(ev));
    switch (op->op) {
    case EZ_OP_REG:
        d = register_numbered(op->a);
        *out = ez_cut(d ? ez_reg_get(ev->regs, d) : 0, op->b, op->imm & 1);
        return NULL;
    case EZ_OP_VEC:
        return frame_half(ev, a->regs.extended_vector + 16ul * op->a, op->b, out);
    case EZ_OP_X87:
        return frame_half(ev, a->regs.extended_stack + 16ul * op->a, op->b, out);
    case EZ_OP_FRAME:
        return frame_loc(ev, out);
    case EZ_OP_ARG:
    case EZ_OP_CALLER:
        EZ_TRY(frame_loc(ev, out));
        return eval_read(ev, *out + (op->op == EZ_OP_ARG ? (uint64_t)(int64_t)op->imm : 0), out, 8);
    case EZ_OP_THREAD:
        *out = (uint64_t)ez_thread_current(ev->t)->tid;
        return NULL;
    default:
        return ez_machine_only_in_hit();
    }
}

/* ---- inlined functions ---------------------------------------------------------------------- */

const struct ez_dwarf_calls *frame_calls(struct ez_target *t, uint64_t at)
{
    struct ez_module_info m = { 0 };
    uint64_t off;
    const char *why;
    ez_symbolize(t, ez_addr_of(at), &off, &m);
    struct ez_dwarf *d = m.obj ? ez_dwarf_of(m.obj, &why) : NULL;
    return d ? ez_dwarf_calls(d, at - m.bias) : NULL;
}

unsigned frame_before(struct ez_target *t, const struct ez_dwarf_calls *calls)
{
    unsigned n = 0;
    if (!calls || ez_frame_entered(t))
        return 0;
    while (n + 1 < calls->call.n && calls->call.at[n].begins)
        n++;
    return n;
}
