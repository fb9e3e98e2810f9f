/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt_copy.c - copies the instructions that traps of halts replace (engine/inferior/halt_trap.c).
 * A thread that hit such a trap continues in the copy. Also writes the traps' rows of the journal,
 * by which a later shell restores the bytes.
 *
 * A copy is made like a probe's relocated code, from one instruction, with a jump back after it.
 * The copy is unmapped only at a detach (rt_trim.c), because a thread may be in it. Its row has
 * strategy EZ_TRAP and flag EZ_ROW_INTERNAL, which means a trap of a halt, not of a probe.
 * Errors: EZ_E_REFUSED, EZ_E_DECODE, EZ_E_UNRELOC, EZ_E_RANGE if no trap is possible at the
 * address; the errors of mapping the runtime and of writing.
 * Tests: tests/procs/traps.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/rseq.h"
#include "engine/patch/alloc.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/trap.h"
#include "engine/patch/ids.h"

#include <string.h>

static ez_err *halt_copy_allowed(struct ez_target *t, const struct ez_halt_trap *h,
                                 const struct ez_insn *in)
{
    if (in->flow == EZ_FLOW_TRAP)
        return ez_err_new(EZ_E_REFUSED, 0, "a trap instruction is already at this address");
    ez_rseq_look(t);
    if (ez_rseq_has(t, ez_module_at(t, h->addr), h->addr, h->addr + in->len))
        return ez_err_new(EZ_E_REFUSED, 0, "a restartable sequence is at this address");
    if (in->flow != EZ_FLOW_CALL && in->target == h->addr)
        return ez_err_new(EZ_E_REFUSED, 0, "the instruction jumps to itself");
    EZ_TRY(ez_sharers_none(t));
    return ez_trap_allowed(t);
}

static ez_err *halt_copy_write(struct ez_target *t, struct ez_halt_trap *h,
                               const struct ez_insn *in)
{
    struct ez_reloc r;
    uint8_t *mirror;
    uint64_t at;
    struct ez_insn last;
    EZ_TRY(ez_trampoline_room(t, h->addr, EZ_MAX_RELOCATED, 0, &at, &mirror));
    ez_err *e = t->inf.arch->codegen.relocate(h->insn, in->len, h->addr, at, &r);
    ez_trampoline_fits(t, at, e ? 0 : r.len);
    EZ_TRY(e);
    memcpy(mirror, r.code, r.len);
    EZ_TRY(ez_code_flush(t));
    size_t jump = (size_t)t->inf.arch->jump.len;
    uint64_t leave = at + r.len - jump;
    if (r.len > jump &&
        ez_err_drop(t->inf.arch->decode.insn(r.code + r.len - jump, jump, leave, &last)) &&
        last.flow == EZ_FLOW_JMP && last.target == h->addr + in->len)
        ez_halt_jumps_back(t, leave, last.target);
    h->copy = at;
    return NULL;
}

static ez_err *halt_copy_row(struct ez_target *t, struct ez_halt_trap *h)
{
    struct ez_row row = { .addr = h->addr,
                          .len = (uint8_t)t->inf.arch->trap.len,
                          .flags = EZ_ROW_INTERNAL,
                          .trampoline = h->copy,
                          .func = h->addr,
                          .strategy = EZ_TRAP };
    memcpy(row.before, h->insn, row.len);
    memcpy(row.after, t->inf.arch->trap.insn, row.len);
    return ez_id_claim(t, &row, &h->row);
}

ez_err *ez_halt_copy(struct ez_target *t, struct ez_halt_trap *h)
{
    uint8_t code[EZ_MAX_INSN] = { 0 };
    struct ez_insn in;
    size_t n = ez_mem_read_some(t, h->addr, code, sizeof code);
    EZ_TRY(t->inf.arch->decode.insn(code, n, h->addr, &in));
    EZ_TRY(ez_rt_up(t));
    if (h->copy && h->len == in.len && !memcmp(h->insn, code, in.len))
        return ez_trap_point(t, h->addr, h->copy);
    EZ_TRY(halt_copy_allowed(t, h, &in));
    memcpy(h->insn, code, sizeof code);
    h->len = in.len;
    h->copy = 0;
    EZ_TRY(halt_copy_write(t, h, &in));
    ez_err *e = ez_trap_point(t, h->addr, h->copy);
    if (!e)
        e = halt_copy_row(t, h);
    if (e)
        h->copy = 0;
    return e;
}

void ez_halt_stands(struct ez_target *t, const struct ez_halt_trap *h, bool stands)
{
    if (t->rt.up)
        t->rt.rows[h->row].planted = stands;
}
