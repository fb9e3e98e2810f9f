/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - what single steps leave in a thread, and what they miss. */
#ifndef EZ_ARCH_STEP_H
#define EZ_ARCH_STEP_H

#include "arch/regs.h"
#include "engine/base/base.h"

#define EZ_GUARD_BYTES 128
#define EZ_GUARD_ACTION 64

struct ez_arch_step {
    /* Writes a SIGTRAP handler for the address `at` (engine/inferior/guard.c). The handler ends
     * single-stepping, ignores hardware breakpoints, and passes any other trap to the handler `old`
     * (if `old` is no handler's address, it ignores the trap). The action that installs the
     * handler, in the kernel's layout, is at EZ_GUARD_ACTION. The first guard_len bytes are always
     * the same. NULL: the kernel forgets a step when the tracer dies. */
    void (*guard)(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);
    uint8_t guard_len;
    /* clear_trap_flag() clears the flag that a single step sets, and returns true if it was set.
     * pushes_flags() returns how many bytes of the flags the instruction pushes, or 0; trap_flag is
     * the flag's bit in them. */
    bool (*clear_trap_flag)(struct ez_regs *r);
    unsigned (*pushes_flags)(const uint8_t *code, size_t n);
    uint64_t trap_flag;
    /* An instruction that hypervisors execute for the guest. They may lose the trap of its step:
     * then one step also executes the next instruction. Length 0: there is none. */
    const char *emulated_insn;
    uint8_t emulated_len;
    bool by_nobody; /* the signal of a step over a system call has sender 0 */
};

#endif
