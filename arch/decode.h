/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.h - what single instructions are, do, and look like. */
#ifndef EZ_ARCH_DECODE_H
#define EZ_ARCH_DECODE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

/* Effect of an instruction on the flow of control. */
enum ez_flow {
    EZ_FLOW_PLAIN,
    EZ_FLOW_CALL,  /* direct call to `target` */
    EZ_FLOW_JMP,   /* direct jump to `target` */
    EZ_FLOW_JCC,   /* conditional jump to `target` */
    EZ_FLOW_LOOP,  /* loop, loope, loopne, jrcxz to `target`, at most an 8-bit distance away */
    EZ_FLOW_ICALL, /* indirect call */
    EZ_FLOW_IJMP,  /* indirect jump */
    EZ_FLOW_RET,
    EZ_FLOW_TRAP, /* int3, ud2, hlt */
    EZ_FLOW_SYSCALL,
    EZ_FLOW_XBEGIN, /* `target` is the abort handler */
};

struct ez_insn {
    uint8_t len;    /* length in bytes */
    uint8_t flow;   /* enum ez_flow */
    uint8_t riprel; /* offset of a pc-relative disp32 operand; 0: none */
    uint8_t width;  /* direct branch: bytes of its displacement (1 or 4); otherwise 0 */
    bool is_nop;    /* padding: nop of any length, int3 */
    /* a landing instruction of indirect calls (endbr64): must stay the function's first one */
    bool is_landing;
    uint64_t target; /* target of a direct branch, or address of the pc-relative operand */
};

#define EZ_MAX_INSN 15

struct ez_print { /* an instruction to print */
    const uint8_t *code;
    size_t n; /* bytes at code; the instruction may be shorter */
    uint64_t va;
    bool intel;                                   /* Intel syntax instead of AT&T's */
    const char *(*sym)(uint64_t addr, void *arg); /* returns "name+0x12" for an address, or NULL */
    void *arg;
};

struct ez_arch_decode {
    unsigned align;  /* alignment of instructions in bytes */
    int landing_len; /* length of the landing instruction of indirect calls */
    /* Decodes one instruction at `va` from code[0..n). EZ_E_DECODE: no instruction. libopcodes
     * decides; a second decoder that finds the operands must agree, or the error is
     * EZ_E_MISMATCH. */
    ez_err *(*insn)(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out);
    /* Returns an instruction's length, fast, or 0 if the instruction is invalid or unknown; then
     * call insn. A length that is not 0 is the one that insn finds
     * (tests/unit/arch/check_decode.c). Several threads may call this function at once. */
    size_t (*length)(const uint8_t *code, size_t n);
    /* Returns the length of the padding nop at code[0], or 0 if code[0] begins no padding nop.
     * Several threads may call this function at once. */
    size_t (*nop)(const uint8_t *code, size_t n);
    /* Prints the instruction as text ("mov %rsp,%rbp"). *len: its length in bytes. */
    ez_err *(*print)(const struct ez_print *what, char *buf, size_t bufsize, size_t *len);
    /* Returns the result registers that the instruction may set, as the runtime's bits
     * (EZ_KEEP_*). The result may have additional bits. NULL: functions cannot be replaced on this
     * processor. */
    unsigned (*results)(const uint8_t *code, size_t n, uint64_t va);
    /* Returns true if the code of a whole function calls nothing and uses only general registers.
     * May return false if unsure. */
    bool (*is_plain)(const uint8_t *code, size_t n, uint64_t va);
    /* grows_stack() returns true if the instruction of n bytes allocates stack of a computed size
     * (alloca). reads_preserved() returns true if it copies a function's result from a register
     * that calls preserve. NULL: unknown. */
    bool (*grows_stack)(const uint8_t *code, size_t n);
    bool (*reads_preserved)(const uint8_t *code, size_t n);
    /* Returns true if this code, the start of a function, sets up a frame pointer at once. */
    bool (*begins_frame)(const uint8_t *code, size_t n);
};

#endif
