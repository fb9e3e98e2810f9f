/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.h - everything that depends on the processor, behind one struct.
 *
 * Each part of struct ez_arch has a header of its own. A new architecture needs a folder
 * arch/<cpu>/ that fills the parts, one line in arch/host.c and, if it can carry probes, its
 * runtime's assembler (rt_entry.S, rt_arch.h). doc/HOWTO_ARCH.md says which parts may come later.
 * Nothing else in the tree names a register or an opcode (tests/check_layers.sh). Several threads
 * may call decode.length, decode.nop, frame.begin and frame.step at once, but no other function. */
#ifndef EZ_ARCH_H
#define EZ_ARCH_H

#include "arch/abi.h"
#include "arch/clock.h"
#include "arch/codegen.h"
#include "arch/decode.h"
#include "arch/elf.h"
#include "arch/frame.h"
#include "arch/jump.h"
#include "arch/regs.h"
#include "arch/restorer.h"
#include "arch/rt.h"
#include "arch/scan.h"
#include "arch/step.h"
#include "arch/syscalls.h"
#include "arch/trap.h"
#include "arch/trial.h"

struct ez_arch {
    const char *name; /* "x86_64" */
    int address_bits; /* width of user space addresses; the highest page is never used */

    /* Parts that read: object files, instructions, whole texts. */
    struct ez_arch_elf elf;
    struct ez_arch_decode decode;
    struct ez_arch_scan scan;
    struct ez_arch_frame frame;

    /* Parts that write code: patches, relocated instructions, the runtime. */
    struct ez_arch_jump jump;
    struct ez_arch_codegen codegen;

    /* Parts for stopped threads: registers, calls, single steps, breakpoints. */
    struct ez_arch_regs regs;
    struct ez_arch_abi abi;
    struct ez_arch_syscall syscall;
    struct ez_arch_trap trap;
    struct ez_arch_step step;
    struct ez_arch_restorer restorer;
    struct ez_arch_trial trial;
    struct ez_arch_clock clock;

    const struct ez_arch_rt *rt; /* NULL: no probes on this processor, because it has no runtime */
};

/* Returns the architecture of this build. */
const struct ez_arch *ez_arch_host(void);

#endif
