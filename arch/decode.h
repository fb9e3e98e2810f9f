/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.h - decodes and prints single instructions, and finds properties of them. */
#ifndef EZ_ARCH_DECODE_H
#define EZ_ARCH_DECODE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

/* Effect of an instruction on the flow of control. */
enum ez_flow {
    EZ_FLOW_PLAIN,
    EZ_FLOW_CALL, /* direct call to `target` */
    EZ_FLOW_JMP,  /* direct jump to `target` */
    EZ_FLOW_JCC,  /* conditional jump to `target` */
    /* loop, loope, loopne or jrcxz to `target`; they only have 8-bit displacements */
    EZ_FLOW_LOOP,
    EZ_FLOW_ICALL, /* indirect call */
    EZ_FLOW_IJMP,  /* indirect jump */
    EZ_FLOW_RET,
    EZ_FLOW_TRAP, /* e.g. int3, ud2, hlt */
    EZ_FLOW_SYSCALL,
    EZ_FLOW_XBEGIN, /* `target` is the abort handler */
};
/* Returns true for a direct jump to `target`, conditional or not. */
static inline bool ez_flow_jumps(uint8_t flow)
{
    return flow == EZ_FLOW_JMP || flow == EZ_FLOW_JCC || flow == EZ_FLOW_LOOP;
}
/* Returns true if the instruction never falls through to the next one. */
static inline bool ez_flow_ends(uint8_t flow)
{
    return flow == EZ_FLOW_JMP || flow == EZ_FLOW_IJMP || flow == EZ_FLOW_RET ||
           flow == EZ_FLOW_TRAP;
}

struct ez_insn {
    uint8_t len;    /* length in bytes */
    uint8_t flow;   /* enum ez_flow */
    uint8_t riprel; /* offset of the 32-bit displacement of a pc-relative operand; 0 = none */
    uint8_t width;  /* direct branch: bytes of its displacement (1 or 4); else 0 */
    bool is_nop;    /* padding: a nop of any length, or int3 */
    /* a landing instruction of indirect calls (endbr64), which must remain the function's first
     * instruction */
    bool is_landing;
    /* target of a direct branch, or address that the pc-relative operand refers to */
    uint64_t target;
};

#define EZ_MAX_INSN 15

struct ez_print { /* an instruction to print */
    const uint8_t *code;
    size_t n; /* bytes available at `code`, at least one instruction */
    uint64_t va;
    bool intel; /* Intel syntax instead of AT&T's */
    /* returns "name+0x12" for an address; NULL if it has no name */
    const char *(*sym)(uint64_t addr, void *arg);
    void *arg;
};

struct ez_arch_decode {
    unsigned align;  /* alignment of instructions in bytes */
    int landing_len; /* bytes of the landing instruction of indirect calls */
    /* Decodes one instruction, whose address is va, from code[0..n). EZ_E_DECODE: no valid
     * instruction. EZ_E_MISMATCH: libopcodes and the processor's table of instructions disagree. */
    ez_err *(*insn)(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out);
    /* Returns an instruction's length. Faster than insn(), but returns 0 if the instruction is
     * invalid, or unknown to this function; insn() can decode the unknown ones. Any other length
     * equals the length from insn() (tests/unit/arch/check_decode.c). Thread-safe. */
    size_t (*length)(const uint8_t *code, size_t n);
    /* Returns the length of the padding nop that begins at code[0]; 0 if none begins there.
     * Thread-safe. */
    size_t (*nop)(const uint8_t *code, size_t n);
    /* Prints an instruction as text ("mov %rsp,%rbp") to buf. Sets *len to the instruction's length
     * in bytes. */
    ez_err *(*print)(const struct ez_print *what, char *buf, size_t bufsize, size_t *len);
    /* Returns the set (EZ_KEEP_* of the runtime) of the result registers that the instruction may
     * change. Some of them may in fact remain unchanged. NULL: functions cannot be replaced on this
     * processor. */
    unsigned (*results)(const uint8_t *code, size_t n, uint64_t va);
    /* Returns true if code[0..n), a whole function at va, calls nothing, and uses only general
     * registers. Returns false also if that is not certain. */
    bool (*is_plain)(const uint8_t *code, size_t n, uint64_t va);
    /* Properties of the instruction of n bytes at `code`. grows_stack() returns true if it lowers
     * the stack pointer by a computed number (alloca). reads_preserved() returns true if it copies
     * a callee-saved register to the result register. NULL: not available. */
    bool (*grows_stack)(const uint8_t *code, size_t n);
    bool (*reads_preserved)(const uint8_t *code, size_t n);
    /* Returns true if code[0..n), the start of a function, sets up a frame pointer with its first
     * instructions (after a landing instruction, if any). */
    bool (*begins_frame)(const uint8_t *code, size_t n);
};

#endif
