/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.h - what instructions do to a function's stack frame (engine/code/frame.c). */
#ifndef EZ_ARCH_FRAME_H
#define EZ_ARCH_FRAME_H

#include "engine/base/base.h"

/* Where registers point in a function's frame: offsets in bytes from the stack pointer at the
 * function's entry, which points to the return address. */
#define EZ_FRAME_REGS 16
#define EZ_FR_OTHER INT32_MAX      /* the register does not point into this frame */
#define EZ_FR_SOME (INT32_MAX - 1) /* the register points to an unknown place in the frame */
struct ez_frame {
    int32_t reg[EZ_FRAME_REGS];
    uint8_t sp;   /* index of the stack pointer in reg[] */
    bool bound;   /* the stack pointer is at reg[sp] or lower (realigned) */
    bool dynamic; /* the stack pointer is lower by an unknown number (alloca); `bound` is set too */
    /* Set by the caller: step() only checks whether the function uses its return address
     * except for returning, and goes on where everything else is unknown. A stack pointer that is
     * unknown is EZ_FR_OTHER. */
    bool lenient;
    /* lenient: the stack pointer was copied while it pointed to the return address */
    bool copied;
    bool mixed;       /* lenient: the copy was used in a computation */
    const char *uses; /* use of the return address, EZ_FR_*; NULL: none */
};
#define EZ_FR_LOOKS "it looks at its return address"
#define EZ_FR_POPS "it pops its return address"
#define EZ_FR_HANDS "it hands on where its return address is"
struct ez_frame_step {
    uint8_t len, flow; /* enum ez_flow */
    uint64_t target;   /* of a direct branch or call */
};

struct ez_arch_frame {
    unsigned pointer; /* index of the frame pointer in ez_frame.reg[] */
    /* begin() sets a function's frame at its entry. step() computes the frame after one more
     * instruction. Returns NULL, or why the frame is unknown, or what the instruction does at or
     * above the return address. Several threads may call these two at once. */
    void (*begin)(struct ez_frame *f);
    const char *(*step)(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                        struct ez_frame_step *out);
    /* Returns true if the code contains a return that also removes arguments from the stack. */
    bool (*pops_arguments)(const uint8_t *code, size_t n);
};

#endif
