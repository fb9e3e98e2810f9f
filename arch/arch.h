/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.h - all data and functions that depend on the processor, in one struct.
 *
 * Each part of struct ez_arch is declared in a header. A new architecture needs a folder
 * arch/<cpu>/ that defines the parts, a branch in arch/host.c and, to support probes, the assembler
 * code of its runtime (rt_entry.S, rt_arch.h). doc/HOWTO_ARCH.md lists the parts that can be added
 * later. No file outside arch/ names a register or an opcode (tests/check_layers.sh). Threads
 * other than the main thread may call only decode.length, decode.nop and the functions in
 * frame.h. */
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
    int address_bits; /* width of user space addresses; programs cannot use the highest page */

    /* Parts that analyse object files, single instructions, and whole texts. */
    struct ez_arch_elf elf;
    struct ez_arch_decode decode;
    struct ez_arch_scan scan;
    struct ez_arch_frame frame;

    /* Parts that generate code: patches and relocated instructions. */
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

    const struct ez_arch_rt *rt; /* NULL: there is no runtime for this processor, so no probes */
};

/* Returns the architecture of this build. */
const struct ez_arch *ez_arch_host(void);

#endif
