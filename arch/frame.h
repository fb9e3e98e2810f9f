/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.h - what instructions do to a function's stack frame (engine/code/frame.c). */
#ifndef EZ_ARCH_FRAME_H
#define EZ_ARCH_FRAME_H

#include "engine/base/base.h"

/* Where registers point within a function's frame: offsets in bytes from the stack pointer at the
 * function's first instruction. The return address is at offset 0. */
#define EZ_FRAME_REGS 16
#define EZ_FR_OTHER INT32_MAX      /* the register does not point into this frame */
#define EZ_FR_SOME (INT32_MAX - 1) /* the register points to an unknown place in the frame */
struct ez_frame {
    int32_t reg[EZ_FRAME_REGS];
    uint8_t sp;   /* index of the stack pointer in reg[] */
    bool bound;   /* the stack pointer is reg[sp] or lower, because the code aligned it */
    bool dynamic; /* the stack pointer is lower by an unknown number (alloca); `bound` is set too */
    /* Set by the caller. step() then only checks whether the function uses its return address for
     * more than returning, and continues where anything else is unknown. An unknown stack pointer
     * is then EZ_FR_OTHER. */
    bool lenient;
    /* lenient: the stack pointer was copied while it pointed to the return address */
    bool copied;
    bool mixed;       /* lenient: the copy was used in a computation */
    const char *uses; /* how the function uses its return address, EZ_FR_*; NULL = not at all */
};
#define EZ_FR_LOOKS "it looks at its return address"
#define EZ_FR_POPS "it pops its return address"
#define EZ_FR_HANDS "it hands on where its return address is"
struct ez_frame_step {
    uint8_t len, flow; /* enum ez_flow */
    uint64_t target;   /* target of a direct branch or call */
};

struct ez_arch_frame {
    unsigned pointer; /* index of the frame pointer in ez_frame.reg[] */
    /* begin() sets the frame at a function's first instruction. step() applies one more instruction
     * to the frame. It returns NULL, or says why the frame is unknown or what the instruction does
     * with the return address or the stack above it. Several threads may call these two at once. */
    void (*begin)(struct ez_frame *f);
    const char *(*step)(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                        struct ez_frame_step *out);
    /* Returns true if the code contains a return that also pops arguments (ret $n). */
    bool (*pops_arguments)(const uint8_t *code, size_t n);
};

#endif
