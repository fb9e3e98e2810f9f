/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.h - the effects of instructions on a function's stack frame (engine/code/frame.c). */
#ifndef EZ_ARCH_FRAME_H
#define EZ_ARCH_FRAME_H

#include "engine/base/base.h"

/* To which addresses in a function's frame the registers point. The numbers in reg[] are offsets in
 * bytes from the stack pointer at the function's first instruction. On x86-64, the return address
 * is at offset 0. */
#define EZ_FRAME_REGS 16
#define EZ_FR_OTHER INT32_MAX      /* reg[]: the register does not point into this frame */
#define EZ_FR_SOME (INT32_MAX - 1) /* reg[]: it points to an unknown address in this frame */
struct ez_frame {
    int32_t reg[EZ_FRAME_REGS];
    uint8_t sp; /* index of the stack pointer in reg[] */
    bool bound; /* the stack pointer is at most reg[sp], because the code aligned it */
    /* the stack pointer is lower than reg[sp] by an unknown number (alloca); `bound` is set too */
    bool dynamic;
    /* The caller sets `lenient`. If set, step() only checks whether the function uses its return
     * address except by returning, and reports nothing else that is unknown; an unknown stack
     * pointer is EZ_FR_OTHER in reg[]. */
    bool lenient;
    /* only if lenient: the stack pointer was copied when it pointed to the return address */
    bool copied;
    bool mixed; /* only if lenient: the copied address was used in a computation */
    /* how the function uses its return address, one of the texts below; NULL = only by returning */
    const char *uses;
};
#define EZ_FR_LOOKS "it looks at its return address"
#define EZ_FR_POPS "it pops its return address"
#define EZ_FR_HANDS "it hands on where its return address is"
struct ez_frame_step {
    uint8_t len, flow; /* enum ez_flow */
    uint64_t target;   /* target of a direct branch or call */
};

struct ez_arch_frame {
    unsigned pointer; /* index of the frame pointer in reg[] of struct ez_frame */
    /* begin() sets *f to the frame at a function's first instruction. step() applies the
     * instruction at code[0], whose address is va, to *f. step() returns NULL; or a text why the
     * frame is unknown, or how the instruction uses the return address or the stack above it. Both
     * are thread-safe. */
    void (*begin)(struct ez_frame *f);
    const char *(*step)(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                        struct ez_frame_step *out);
    /* Returns true if code[0..n) contains a return that also pops arguments (ret $n).
     * Thread-safe. */
    bool (*pops_arguments)(const uint8_t *code, size_t n);
};

#endif
