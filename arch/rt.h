/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt.h - what the runtime in the target (engine/rt/rt.h) needs of the processor. */
#ifndef EZ_ARCH_RT_H
#define EZ_ARCH_RT_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_rt_places { /* lists of offsets in the runtime's image */
    const uint32_t *tid, *key, *cookie;
    size_t ntid, nkey, ncookie;
};

/* The parts of the processor that the runtime (engine/rt/rt.h) depends on.
 *
 * THE EXIT PROTOCOL is how the return of a probed function reaches the runtime. The protocol of
 * arch/x86_64 is for calls that push their return address: a return trampoline and a return thunk
 * are calls, and their pushed continuation is in the place of the return address. A processor with
 * a link register needs another protocol: its trampolines load the continuation into that register,
 * which then points to a return trampoline. Only `return_trampolines`, `continuation` and the
 * runtime's assembler know these bytes. Shadow frames, their order and how they are reclaimed
 * (engine/rt/rt.c) are the same for all processors. */
struct ez_arch_rt {
    const uint8_t *image, *image_end; /* the blob */
    /* Adapts the image to the target's libc. The instructions listed in at->tid then read the
     * thread id at tid_off of the thread control block (0: they must not touch the block), and the
     * cookie goes into the instructions listed in at->cookie. */
    void (*adapt)(uint8_t *image, const struct ez_rt_places *at, uint32_t tid_off, uint32_t cookie);
    uint32_t static_tid; /* offset of the tid in a static glibc, which does not describe it */
    /* Writes a chunk (EZ_CHUNK bytes) of identical return trampolines; bytes between them are
     * traps. continuation: offset, from the beginning of a return trampoline or return thunk, of
     * the address to which its call returns. */
    void (*return_trampolines)(uint8_t *chunk);
    unsigned continuation;
    /* In a signal frame, from the word with the saved pc: bytes down to the word with the address
     * of the code that ends a handler, and bytes up to the signal's number (int). sigreturn()
     * returns true if the first sigreturn_len bytes of some code are such code. */
    unsigned sigframe_pc_offset, sigframe_signo_offset, sigreturn_len;
    bool (*sigreturn)(const uint8_t *code);
    /* Finds what xsave must save besides the low halves of vector registers (a mask, 0: nothing),
     * whether the processor reports which of it is in use, and the bytes needed. */
    void (*vector_state)(uint32_t *mask, uint32_t *inuse, uint32_t *size);
    /* Makes a thread whose fragment runs return to `back` instead (rt_fragment.c). */
    void (*end_fragment)(struct ez_regs *r, uint64_t back, uint64_t frame);
    /* A shadow stack of the processor would refuse return trampolines. shadow_word is its name
     * among the processor's features in /proc/PID/status; shadow_help says how to start a program
     * without it. NULL: the processor has none. */
    const char *shadow_word, *shadow_help;
};

#endif
