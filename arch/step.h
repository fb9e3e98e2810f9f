/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.h - single steps: their effects on a thread's registers, and instructions that cannot be
 * stepped reliably. */
#ifndef EZ_ARCH_STEP_H
#define EZ_ARCH_STEP_H

#include "arch/regs.h"
#include "engine/base/base.h"

#define EZ_GUARD_BYTES 128
#define EZ_GUARD_ACTION 64

struct ez_arch_step {
    /* Writes the code of a SIGTRAP handler, to run at address `at` (engine/inferior/guard.c). On
     * the trap of a single step or of a hardware breakpoint, the handler clears the trap flag and
     * returns. For any other trap, it jumps to the handler `old`, or returns if `old` is SIG_DFL or
     * SIG_IGN. The struct sigaction (in the kernel's layout) that installs the handler is at offset
     * EZ_GUARD_ACTION. The first guard_len bytes do not depend on the arguments. NULL: not needed,
     * because the kernel ends single-stepping when the tracer dies. */
    void (*guard)(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);
    uint8_t guard_len;
    /* clear_trap_flag() clears the flag in r that a single step sets, and returns true if it was
     * set. pushes_flags() returns how many bytes of flags the instruction at code[0] pushes, 0 =
     * none; trap_flag is the trap flag's bit in these bytes. */
    bool (*clear_trap_flag)(struct ez_regs *r);
    unsigned (*pushes_flags)(const uint8_t *code, size_t n);
    uint64_t trap_flag;
    /* The bytes of an instruction that hypervisors emulate. Some hypervisors lose the trap of a
     * single step over it, so that the step also executes the next instruction. emulated_len 0 =
     * there is no such instruction. */
    const char *emulated_insn;
    uint8_t emulated_len;
    /* the SIGTRAP of a step over a system call has si_code SI_USER and si_pid 0 */
    bool by_nobody;
};

#endif
