/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlocal_exit.c - notices calls that end without a return: by an exception that is caught further
 * out, or by longjmp.
 *
 * While a move runs until a call returns, there are halts on _Unwind_SetIP of the unwinder, and on
 * longjmp and __longjmp_chk. The address to which they will jump, from their arguments, becomes a
 * destination of the move; the thread must not be in a deeper frame there. These halts are spare:
 * breakpoints have priority if the processor has too few.
 *
 * Tests: tests/procs/leaves.sh */
#include <string.h>

#include "engine/inferior/inferior.h"
#include "engine/move/move_priv.h"
#include "engine/inferior/modules.h"

static const struct {
    const char *name;
    enum move_way way;
} ways[] = {
    { "_Unwind_SetIP", MOVE_THROW },
    { "longjmp", MOVE_JUMP },
    { "__longjmp_chk", MOVE_JUMP },
};

static void nonlocal_find(struct ez_move *m)
{
    const struct ez_target *t = m->t;
    if (m->nonlocal_of == move_image(m))
        return;
    m->nonlocal_of = move_image(m);
    m->way.n = 0;
    /* in the order of ways[], because only a few halts are available */
    for (size_t k = 0; k < EZ_ARRAY_LEN(ways); k++)
        for (size_t i = 0; i < t->inf.module.n; i++) {
            const struct ez_module *l = t->inf.module.at[i];
            uint64_t at = l->obj ? ez_symbol_addr(m->t, l, ways[k].name) : 0;
            if (at)
                EZ_PUSH(&m->way, ((struct move_exit){ at, ways[k].way }));
        }
}

void nonlocal_want(struct ez_move *m)
{
    if (!m->to.n || !m->bound)
        return;
    nonlocal_find(m);
    for (size_t i = 0; i < m->way.n; i++)
        move_want(m,
                  (struct ez_halt){ .addr = m->way.at[i].at, .kind = EZ_HALT_CODE, .spare = true });
}

static uint64_t nonlocal_argument(struct ez_move *m, const struct ez_regs *r, unsigned i)
{
    const struct ez_arch *a = m->t->inf.arch;
    const struct ez_convention *by = a->abi.convention;
    for (size_t k = 0; by && k < a->regs.n; k++)
        if (!strcmp(a->regs.desc[k].name, by->name[by->argument[i]]))
            return ez_reg_get(r, &a->regs.desc[k]);
    return 0;
}

/* Returns the destination in a jmp_buf, which glibc mangles; 0 if it cannot be read. */
static uint64_t nonlocal_jump(struct ez_move *m, const struct ez_regs *r)
{
    const struct ez_arch *a = m->t->inf.arch;
    uint64_t word, guard;
    if (!a->abi.unmangle || !move_word(m, nonlocal_argument(m, r, 0) + a->abi.jmp_buf_pc, &word))
        return 0;
    if (move_function(m->t, word, NULL)) /* another libc may store the address unmangled */
        return word;
    return move_word(m, a->regs.thread_pointer(r) + a->abi.pointer_guard, &guard)
               ? a->abi.unmangle(word, guard)
               : 0;
}

bool nonlocal_reached(struct ez_move *m, uint64_t raw, const struct ez_regs *r)
{
    enum move_way way = MOVE_RETURNS;
    size_t kept = 0;
    for (size_t i = 0; m->bound && i < m->way.n; i++)
        if (m->way.at[i].at == raw)
            way = m->way.at[i].way;
    if (way == MOVE_RETURNS)
        return false;
    uint64_t to = way == MOVE_THROW ? nonlocal_argument(m, r, 1) : nonlocal_jump(m, r);
    /* remove destinations of earlier calls of such functions */
    for (size_t i = 0; i < m->to.n; i++)
        if (m->to.at[i].way == MOVE_RETURNS)
            m->to.at[kept++] = m->to.at[i];
    m->to.n = kept;
    if (to)
        move_to(m, to, m->bound, true);
    for (; kept < m->to.n; kept++)
        m->to.at[kept].way = way;
    return true;
}
