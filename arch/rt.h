/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt.h - the parts of the runtime (engine/rt/rt.h) that each processor's folder must supply. */
#ifndef EZ_ARCH_RT_H
#define EZ_ARCH_RT_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_rt_places { /* offsets in the runtime's image of the instructions that adapt() changes */
    const uint32_t *tid, *key, *cookie;
    size_t ntid, nkey, ncookie;
};

/* The parts that each processor's folder supplies for the runtime (engine/rt/rt.h).
 *
 * THE EXIT PROTOCOL is how the runtime is entered when a probed function returns. The protocol of
 * arch/x86_64 is for calls that push their return address: a return trampoline or return thunk is a
 * call instruction, which pushes its continuation in place of the return address. A processor with
 * a link register needs another protocol: its trampolines load the address of a return trampoline
 * into that register. Only `return_trampolines`, `continuation` and the runtime's assembler code
 * depend on the bytes of this code. Shadow frames, their order and their release (engine/rt/rt.c)
 * are the same for all processors. */
struct ez_arch_rt {
    const uint8_t *image, *image_end; /* the bytes of the runtime */
    /* Adapts the image to the target's libc. Changes the instructions at the offsets at->tid to
     * read the thread id at offset tid_off of the thread control block. If tid_off is 0, changes
     * the instructions at->tid and at->key so that they do not read that block. Stores the cookie
     * as the constant of the instructions at->cookie. */
    void (*adapt)(uint8_t *image, const struct ez_rt_places *at, uint32_t tid_off, uint32_t cookie);
    /* offset of the tid in the thread control block of a static glibc, which does not export that
     * offset */
    uint32_t static_tid;
    /* Writes a chunk (EZ_CHUNK bytes) of return trampolines, with traps between them. continuation:
     * offset from the start of a return trampoline or return thunk to the return address of its
     * call. */
    void (*return_trampolines)(uint8_t *chunk);
    unsigned continuation;
    /* The layout of a signal frame. sigframe_pc_offset: how many bytes below the saved pc the
     * address of the code that calls sigreturn is. sigframe_signo_offset: how many bytes above the
     * saved pc the signal's number (int) is. sigreturn() returns true if the first sigreturn_len
     * bytes of `code` call sigreturn. */
    unsigned sigframe_pc_offset, sigframe_signo_offset, sigreturn_len;
    bool (*sigreturn)(const uint8_t *code);
    /* Sets *mask to the components that xsave must save besides the low halves of the vector
     * registers (0 = none), *inuse to 1 if the processor can report which components are in use
     * (else 0), and *size to the bytes of an xsave area for them. */
    void (*vector_state)(uint32_t *mask, uint32_t *inuse, uint32_t *size);
    /* Ends a fragment that a thread executes: sets the thread's registers r as if the fragment with
     * the activation `frame` had returned to the address `back` (rt_fragment.c). */
    void (*end_fragment)(struct ez_regs *r, uint64_t back, uint64_t frame);
    /* Return trampolines fault on a processor's shadow stack. shadow_word: the name of this feature
     * in /proc/PID/status; shadow_help: how to start a program without it. NULL: this processor has
     * no shadow stack. */
    const char *shadow_word, *shadow_help;
};

#endif
