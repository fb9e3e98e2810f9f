/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - single steps: their effects on a thread's registers, and the instructions that they
 * skip. */
#ifndef EZ_ARCH_STEP_H
#define EZ_ARCH_STEP_H

#include "arch/regs.h"
#include "engine/base/base.h"

#define EZ_GUARD_BYTES 128
#define EZ_GUARD_ACTION 64

struct ez_arch_step {
    /* Writes a SIGTRAP handler for the address `at` (engine/inferior/guard.c). The handler clears
     * the trap flag after a single step, ignores hardware breakpoints, and passes any other trap to
     * the handler `old`; if `old` is SIG_DFL or SIG_IGN, it ignores the trap. The struct sigaction
     * that installs the handler, in the kernel's layout, is at EZ_GUARD_ACTION. The first guard_len
     * bytes are always the same. NULL: not needed, because the kernel stops single-stepping when
     * the tracer dies. */
    void (*guard)(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);
    uint8_t guard_len;
    /* clear_trap_flag() clears the flag that a single step sets in the registers, and returns true
     * if the flag was set. pushes_flags() returns how many bytes of flags the instruction pushes,
     * 0 = none; trap_flag is that flag's bit in the pushed bytes. */
    bool (*clear_trap_flag)(struct ez_regs *r);
    unsigned (*pushes_flags)(const uint8_t *code, size_t n);
    uint64_t trap_flag;
    /* An instruction that hypervisors emulate. A hypervisor may lose the trap of a single step
     * over the instruction, so that the step also executes the next instruction. Length 0 = no
     * such instruction exists. */
    const char *emulated_insn;
    uint8_t emulated_len;
    /* the SIGTRAP of a step over a system call looks as if process 0 had sent the signal */
    bool by_nobody;
};

#endif
