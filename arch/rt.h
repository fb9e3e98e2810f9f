/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt.h - what the runtime in the target needs from the processor's folder (the runtime:
 * engine/rt/rt.h). */
#ifndef EZ_ARCH_RT_H
#define EZ_ARCH_RT_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_rt_places { /* lists of offsets in the runtime's image of instructions that depend on the
                       * target */
    const uint32_t *tid, *key, *cookie;
    size_t ntid, nkey, ncookie;
};

/* The parts of the processor that the runtime (engine/rt/rt.h) depends on.
 *
 * THE EXIT PROTOCOL is how the return of a probed function reaches the runtime. The protocol of
 * arch/x86_64 is for calls that push their return address: a return trampoline and a return thunk
 * are call instructions, so their pushed continuation takes the place of the return address. A
 * processor with a link register needs another protocol: its trampolines load the address of a
 * return trampoline into that register. Only `return_trampolines`, `continuation` and the runtime's
 * assembler know the bytes of this code. Shadow frames, their order and how they are reclaimed
 * (engine/rt/rt.c) are the same for all processors. */
struct ez_arch_rt {
    const uint8_t *image, *image_end; /* the bytes of the runtime */
    /* Adapts the image to the target's libc. The instructions in the list at->tid then read the
     * thread id at tid_off of the thread control block (0: they must not read that block). The
     * instructions in the list at->cookie get the cookie as their constant. */
    void (*adapt)(uint8_t *image, const struct ez_rt_places *at, uint32_t tid_off, uint32_t cookie);
    /* offset of the tid in a static glibc, which does not describe the offset */
    uint32_t static_tid;
    /* Writes a chunk (EZ_CHUNK bytes) of identical return trampolines, with traps between them.
     * continuation: offset of the return address of the call in a return trampoline or return
     * thunk, from its start. */
    void (*return_trampolines)(uint8_t *chunk);
    unsigned continuation;
    /* A signal frame. sigframe_pc_offset: distance down from the word with the saved pc to the word
     * with the address of the code that calls sigreturn. sigframe_signo_offset: distance up from
     * the same word to the signal's number (int). sigreturn() returns true if the first
     * sigreturn_len bytes of `code` call sigreturn. */
    unsigned sigframe_pc_offset, sigframe_signo_offset, sigreturn_len;
    bool (*sigreturn)(const uint8_t *code);
    /* Finds what xsave must save besides the low halves of vector registers (*mask, 0 = nothing),
     * whether the processor can report which of these parts are in use (*inuse), and how many bytes
     * they need (*size). */
    void (*vector_state)(uint32_t *mask, uint32_t *inuse, uint32_t *size);
    /* Ends a fragment that runs on a thread: sets its registers as if the fragment had returned to
     * `back` (rt_fragment.c). */
    void (*end_fragment)(struct ez_regs *r, uint64_t back, uint64_t frame);
    /* The processor's shadow stack would refuse return trampolines. shadow_word: the word for this
     * feature in /proc/PID/status; shadow_help: how to start a program without it. NULL: this
     * processor has no shadow stack. */
    const char *shadow_word, *shadow_help;
};

#endif
