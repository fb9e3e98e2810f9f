/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime.c - the x86-64 functions for the runtime (arch/rt.h). The exit protocol uses that a call
 * pushes its return address (engine/rt/rt.h, "RETURN TRAMPOLINES").
 *
 * Tests: tests/unit/rt/check_rt.c, tests/fault/check_exits.sh, tests/fault/check_window.sh */
#include <string.h>

#include "arch/x86_64/user.h"
#include "engine/ring_abi.h"

extern const uint8_t ez_blob[], ez_blob_end[]; /* the bytes of the runtime, from
                                                * engine/rt/local.mk */

static void rt_adapt(uint8_t *image, const struct ez_rt_places *at, uint32_t tid_off,
                     uint32_t cookie)
{
    /* Instructions that replace those that read the thread control block: nopl 0(%rax,%rax,1)
     * instead of the read of the tid; and test %rsp,%rsp with a nop instead of the comparison,
     * which is never equal, because rsp is not 0. */
    static const uint8_t no_tid[8] = { 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 };
    static const uint8_t no_key[8] = { 0x48, 0x85, 0xe4, 0x0f, 0x1f, 0x44, 0x00, 0x00 };
    for (size_t i = 0; i < at->ntid; i++) {
        if (tid_off)
            memcpy(image + at->tid[i] + 4, &tid_off, 4);
        else
            memcpy(image + at->tid[i], no_tid, 8);
    }
    for (size_t i = 0; i < at->nkey && !tid_off; i++)
        memcpy(image + at->key[i], no_key, 8);
    for (size_t i = 0; i < at->ncookie; i++)
        memcpy(image + at->cookie[i], &cookie, 4);
}

static void rt_return_trampolines(uint8_t *chunk)
{
    memset(chunk, 0xcc, EZ_CHUNK);
    for (unsigned off = EZ_RETURN_TRAMPOLINE; off < EZ_CHUNK; off += EZ_RETURN_TRAMPOLINE) {
        int32_t target = EZ_DIST + EZ_E_TARGET - 6, out = (int32_t)(EZ_DIST + EZ_H_EXIT - off - 12);
        memcpy(chunk + off, "\xff\x15", 2); /* call *entry.target(%rip) */
        memcpy(chunk + off + 2, &target, 4);
        memcpy(chunk + off + 6, "\xff\x25", 2); /* jmp *chunk.exit(%rip) */
        memcpy(chunk + off + 8, &out, 4);
    }
}

/* Matches mov $15,%eax or mov $15,%rax; then syscall. */
#define SIGRETURN_LEN 9
static bool rt_sigreturn(const uint8_t *code)
{
    const uint8_t *nr = memchr(code, 15, 4);
    return nr && memmem(code, SIGRETURN_LEN, "\x0f\x05", 2);
}

const struct ez_arch_rt x64_rt = {
    .image = ez_blob,
    .image_end = ez_blob_end,
    .adapt = rt_adapt,
    .static_tid = 0x2d0, /* glibc since 2.3 */
    .return_trampolines = rt_return_trampolines,
    .continuation = X64_THUNK_CONT,
    .sigframe_pc_offset = 176, /* offset in struct rt_sigframe, from pretcode to uc_mcontext.rip */
    /* offset in struct rt_sigframe, from uc_mcontext.rip to info.si_signo */
    .sigframe_signo_offset = 136,
    .sigreturn_len = SIGRETURN_LEN,
    .sigreturn = rt_sigreturn,
    .vector_state = x64_vector_state,
    .end_fragment = x64_end_fragment,
    .shadow_word = "shstk",
    .shadow_help = "Start the program with GLIBC_TUNABLES=glibc.cpu.x86_shstk=off",
};
