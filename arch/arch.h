/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.h - everything that depends on the processor, behind one struct.
 *
 * To add an architecture: a folder arch/<cpu>/ that fills `struct ez_arch`, one line in
 * arch/host.c and, where it can carry probes, its runtime's assembler (rt_entry.S, rt_arch.h):
 * doc/HOWTO_ARCH.md, which says what may be missing how long. Nothing else in the tree
 * names a register or an opcode (tests/check_layers.sh). */
#ifndef EZ_ARCH_H
#define EZ_ARCH_H

#include "engine/base/base.h"
#include "engine/base/err.h"

/* What an instruction does to the flow of control. */
enum ez_flow {
    EZ_FLOW_PLAIN,
    EZ_FLOW_CALL,  /* direct call: `target`                                   */
    EZ_FLOW_JMP,   /* direct jump: `target`                                   */
    EZ_FLOW_JCC,   /* conditional: `target`                                   */
    EZ_FLOW_LOOP,  /* loop, loope, loopne, jrcxz: `target`, 8-bit reach       */
    EZ_FLOW_ICALL, /* indirect call                                           */
    EZ_FLOW_IJMP,  /* indirect jump                                           */
    EZ_FLOW_RET,
    EZ_FLOW_TRAP, /* int3, ud2, hlt                                          */
    EZ_FLOW_SYSCALL,
    EZ_FLOW_XBEGIN, /* `target` is the abort handler                           */
};

struct ez_insn {
    uint8_t len;     /* bytes                                                  */
    uint8_t flow;    /* enum ez_flow                                           */
    uint8_t riprel;  /* offset of a pc-relative disp32 operand, 0 = none       */
    uint8_t width;   /* bytes of a direct branch's displacement (1 or 4), else 0 */
    bool is_nop;     /* padding: nop of any length, int3                       */
    bool is_landing; /* where indirect calls may land: must stay the first     */
    uint64_t target; /* of a direct branch, or of the pc-relative operand      */
};

#define EZ_MAX_INSN 15
#define EZ_MAX_PROLOGUE 16   /* instructions a window may hold                   */
#define EZ_MAX_RELOCATED 256 /* bytes of a relocated prologue                    */

/* Where each original instruction went. */
struct ez_reloc {
    uint8_t code[EZ_MAX_RELOCATED];
    size_t len;                    /* bytes of `code`                       */
    size_t n;                      /* instructions                          */
    uint8_t from[EZ_MAX_PROLOGUE]; /* offset in the original                */
    uint16_t to[EZ_MAX_PROLOGUE];  /* offset in `code`                      */
    bool ends;                     /* control never falls out of the window */
};

/* The general registers of one thread as the kernel hands them out (NT_PRSTATUS);
 * which word is what, only the architecture knows. */
struct ez_regs {
    uint64_t word[34];
};

#define EZ_RESTORER_BYTES 512
#define EZ_RESTORER_ALIGN 64

/* What a thread does in a block before it goes back. A COPY makes a copy of the process by the
 * system call, which ends at once; a CALL calls `func`, and what the kernel gave for
 * extended_regset stands behind the block. */
enum ez_restored { EZ_RESTORED_SYSCALL, EZ_RESTORED_COPY, EZ_RESTORED_CALL };
struct ez_restorer {
    enum ez_restored what;
    const struct ez_regs *back;
    uint64_t mask, func, at; /* `at`: where the block will stand, unless it is a CALL      */
};

#define EZ_GUARD_BYTES 128
#define EZ_GUARD_ACTION 64

struct ez_reg_desc {
    const char *name;
    uint16_t offset, size; /* bytes inside struct ez_regs             */
};

/* Where registers point, in bytes from the stack pointer at a function's entry, where
 * the return address stands. */
#define EZ_FRAME_REGS 16
#define EZ_FR_OTHER INT32_MAX      /* not into this frame                        */
#define EZ_FR_SOME (INT32_MAX - 1) /* into it, but who knows where               */
struct ez_frame {
    int32_t reg[EZ_FRAME_REGS];
    uint8_t sp;   /* which of them is the stack pointer                          */
    bool bound;   /* the stack pointer is that or lower (realigned)              */
    bool dynamic; /* lower by any number (alloca); `bound` too                   */
};
/* What it does with its return address when it does more than to return to it. */
#define EZ_FR_LOOKS "it looks at its return address"
#define EZ_FR_POPS "it pops its return address"
struct ez_frame_step {
    uint8_t len, flow; /* enum ez_flow                                           */
    uint64_t target;   /* of a direct branch or call                             */
};

/* What the loader puts into a word: a bit each, 0 = anything else. */
enum ez_reloc_kind {
    EZ_RELOC_RELATIVE = 1,  /* the addend, an address of the file                  */
    EZ_RELOC_IRELATIVE = 2, /* what the IFUNC's resolver there answers             */
    EZ_RELOC_SYMBOL = 4,    /* a symbol's address                                  */
};

struct ez_rt_places { /* lists of offsets in the runtime's image */
    const uint32_t *tid, *key, *cookie;
    size_t ntid, nkey, ncookie;
};

/* How the bytes at a site lead to the stub: engine/code/window.c. */
enum ez_strategy {
    EZ_NO_STRATEGY,
    EZ_JUMP,    /* S1: over whole instructions of the function                     */
    EZ_PADDING, /* S2: the same, its end in the padding behind a short function    */
    EZ_ISLAND,  /* S3: a short jump to padding near by, and from there             */
    EZ_PUN,     /* S4: a jump whose last bytes are the next instructions           */
    EZ_TRAP,    /* S5: a breakpoint                                                */
    EZ_NSTRATEGY
};
#define EZ_BY(strategy) (1u << (strategy))

/* What of the processor the runtime (engine/rt/rt.h) rests on.
 *
 * THE EXIT PROTOCOL is how the return of a probed function comes to the runtime. That of
 * arch/x86_64 is written for a call that pushes its return address: a slot and a return thunk
 * are calls, whose pushed continuation stands where the return address stood. A processor that
 * has it in a link register has another one: its stubs load the continuation into that
 * register, and its slots are where it points. Which bytes these are, only `slots` and
 * `continuation` and the runtime's assembler know; entries, their order and who reclaims them
 * (engine/rt/rt.c) are the same for all. */
struct ez_arch_rt {
    const uint8_t *image, *image_end; /* the blob                                        */
    /* Fit it to the target's libc: the listed instructions read the thread id at tid_off of
     * the thread control block; 0 = it must not be touched. cookie_at: where the cookie goes. */
    void (*adapt)(uint8_t *image, const struct ez_rt_places *at, uint32_t tid_off, uint32_t cookie);
    uint32_t static_tid; /* where a static glibc has it that does not say so           */
    /* The bytes of a chunk (EZ_CHUNK) of slots, all alike; what is no slot is a trap. And how
     * far behind its beginning a return thunk is come back to. */
    void (*slots)(uint8_t *chunk);
    unsigned continuation;
    /* A signal frame: `sp`-ward distance in bytes from the saved pc to the word that holds
     * the address of the code that ends a handler; upward to the signal's number (int). Is it
     * that code, which begins with so many bytes? */
    unsigned sigframe_pc_offset, sigframe_signo_offset, sigreturn_len;
    bool (*sigreturn)(const uint8_t *code);
    /* Shadow stacks, which know no slots: their name among the processor's features in
     * /proc/PID/status, and how to start a program without. NULL = there are none. */
    const char *shadow_word, *shadow_help;
};

struct ez_arch {
    const char *name; /* "x86_64"                                            */
    int elf_machine;  /* EM_X86_64                                           */
    int address_bits; /* of user space; its last page stays free             */
    /* DWARF register and offset of the caller's frame at a function's first instruction. */
    unsigned entry_cfa_reg, entry_cfa_offset;
    unsigned insn_align; /* bytes: what instructions begin at a multiple of       */
    int landing_len;     /* of the instruction where indirect calls may land      */
    int jump_len;        /* bytes of the base trampoline's jump: 5              */
    int64_t jump_reach;  /* bytes either way                                    */
    int short_jump_len, short_jump_reach; /* of one that reaches some bytes      */
    int far_jump_len;                     /* of a jump that reaches everything, at most 16       */

    /* Decode one instruction at `va` from code[0..n). EZ_E_DECODE. libopcodes
     * decides; our operand locator is checked against it, a mismatch is an
     * EZ_E_MISMATCH. */
    ez_err *(*decode)(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out);
    /* Length only, fast, 0 = invalid or unknown (then ask decode). Equal to
     * decode's on everything it answers (tests/unit/arch/check_decode.c). */
    size_t (*length)(const uint8_t *code, size_t n);
    /* The length of a nop of padding there, 0 = it is none. Like `length`, frame_begin and
     * frame_step (and nothing else here) it may be called by several threads at once. */
    size_t (*nop)(const uint8_t *code, size_t n);
    /* A function's frame at its entry; and behind one more instruction: NULL, or why it
     * cannot be told, or what it does at or above the return address. */
    void (*frame_begin)(struct ez_frame *f);
    const char *(*frame_step)(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                              struct ez_frame_step *out);
    /* Has it a return that takes arguments off the stack, too? */
    bool (*pops_arguments)(const uint8_t *code, size_t n);
    /* The instruction as text ("mov    %rsp,%rbp"), libopcodes' AT&T or Intel
     * syntax. `sym` turns an address into "name+0x12" (may return NULL). */
    ez_err *(*print)(const uint8_t *code, size_t n, uint64_t va, bool intel,
                     const char *(*sym)(uint64_t addr, void *arg), void *arg, char *buf,
                     size_t bufsize, size_t *len);
    /* Move the instructions in code[0..n) (whole ones, at `va`) to run at `to`.
     * Direct calls push the original return address. A branch back to `va` itself
     * goes to `to`; branches inside the window are refused. Appends a jump to
     * va + n unless the last instruction never falls through.
     * EZ_E_UNRELOC (message names the instruction), EZ_E_RANGE. */
    ez_err *(*relocate)(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                        struct ez_reloc *out);
    /* Bytes of a jump from `from` to `to` into buf[jump_len]. EZ_E_RANGE. */
    ez_err *(*jump)(uint64_t from, uint64_t to, uint8_t *buf);
    ez_err *(*short_jump)(uint64_t from, uint64_t to, uint8_t *buf);
    void (*far_jump)(uint64_t to, uint8_t *buf);
    /* Where could jumps at `from` lead that begin with k < n bytes that mean nothing, and
     * whose bytes from n on are those of code[]? To *lo and everything up to *hi. */
    void (*pun_range)(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                      uint64_t *hi);
    /* Their first n bytes (n <= 4) into buf, to lead to `to`. */
    void (*pun_jump)(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf);
    /* Could code[0..n) hold an indirect jump? A superset, fast. */
    bool (*may_jump_indirectly)(const uint8_t *code, size_t n);
    /* Call hit for each address that instructions of code[0..n) at va may name as data,
     * where a table may begin, until it says true. A superset: any byte may begin one. */
    bool (*scan_data)(const uint8_t *code, size_t n, uint64_t va,
                      bool (*hit)(uint64_t data, void *arg), void *arg);
    /* From code[0] straight on to the first call or jump: the constant that is its first
     * argument then, 0 = none, or not one that can be told; *to = where it leads, 0 = the
     * same. */
    uint64_t (*first_argument)(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
    /* Does a slot of a PLT begin there? *word: the one that it jumps through. They lie
     * plt_align bytes apart, or a multiple of it. */
    bool (*plt_slot)(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
    unsigned plt_align;
    /* Of a relocation's type: enum ez_reloc_kind. */
    unsigned (*reloc_kind)(uint32_t type);
    /* Could a direct branch in text[0..n) (at va) land strictly inside
     * (lo, hi)? A superset: every byte offset is taken as a branch. Calls
     * hit(source, arg) for each candidate. */
    void (*scan_branches)(const uint8_t *text, size_t n, uint64_t va,
                          bool (*wanted)(uint64_t target, void *arg),
                          void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* The same for addresses that instructions form without going there: `source` is the
     * opcode, or the first byte of an absolute one. Those in text[0..n) are all that is
     * found of absolute ones. */
    void (*scan_addresses)(const uint8_t *text, size_t n, uint64_t va,
                           bool (*wanted)(uint64_t target, void *arg),
                           void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);

    /* What struct ez_regs holds, in the order that gdb prints. */
    const struct ez_reg_desc *regs;
    size_t nregs;
    size_t regs_size;    /* bytes of the block that are used                       */
    int extended_regset; /* NT_* of the floating point and vector registers     */

    uint64_t (*pc)(const struct ez_regs *r);
    void (*set_pc)(struct ez_regs *r, uint64_t pc);
    uint64_t (*sp)(const struct ez_regs *r);
    uint64_t (*thread_pointer)(const struct ez_regs *r);
    void (*set_thread_pointer)(struct ez_regs *r, uint64_t tp);
    /* Make `r` execute the system call instruction at `pc` next. */
    void (*prepare_syscall)(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
    /* Make `r` go on at `func` as if that had been called with up to 6 integers. */
    void (*prepare_call)(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
    /* Starting states in which code is compared with its copy (engine/check/check.h), each with
     * other values and flags; the first third has all values. `data`: memory that may be
     * written, 4 KiB either way; `sp`: the stack as at a function's entry. Registers that
     * say where the thread is in memory (segments, thread pointer) stay. */
    unsigned nstates;
    void (*seed)(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp);
    /* At a conditional branch: other flags, so that eight states lead both ways. */
    void (*steer)(struct ez_regs *r, unsigned state);
    void (*seed_extended)(uint8_t *block, size_t n, unsigned state);
    /* A register that differs, the program counter apart; NULL = none. */
    const char *(*differs)(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                           uint64_t *vb);
    const char *(*extended_differs)(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                    size_t size);
    /* A block of code and data that runs anywhere (EZ_RESTORER_ALIGN): it does what `a` says,
     * then a->mask is what signals it holds back, all of a->back is loaded, and the thread is
     * where it was (engine/inferior/restorer.c). Uses nothing above the stack pointer, nor what signals
     * spare below it. Of the function that was called the result is where `restored_result`
     * looks as the block's last system call begins. */
    void (*restorer)(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
    uint64_t (*restored_result)(const struct ez_regs *r);
    /* Is it the block of a system call, or of a copy? NULL: the block is for calls alone. */
    bool (*restorer_left)(const uint8_t block[EZ_RESTORER_BYTES]);
    int64_t restorer_reach; /* from the block to where the thread was; 0 = from anywhere */
    /* A handler of SIGTRAP, to stand at `at`, that ends single-stepping, ignores breakpoints of
     * the processor, and leads any other trap to the handler `old` (one that is none: ignores it). The action to install it,
     * as the kernel wants it, at EZ_GUARD_ACTION (engine/inferior/guard.c). NULL: the kernel
     * forgets a step when we die. The first step_guard_len
     * bytes are always the same. */
    void (*step_guard)(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);
    uint8_t step_guard_len;
    /* The flag that a single step sets: take it back, true = it was there. And the bytes that
     * this instruction pushes of the flags, in which it is the bit `trap_flag`; 0 = none. */
    bool (*clear_trap_flag)(struct ez_regs *r);
    unsigned (*pushes_flags)(const uint8_t *code, size_t n);
    uint64_t trap_flag;
    int64_t (*result)(const struct ez_regs *r); /* of a system call or a function */
    /* Caught by our own stop inside a system call that answers EINTR although
     * nobody interrupts it: arrange that it starts again. false = not so. */
    bool (*restart_eintr)(struct ez_regs *r);
    /* Interrupted in one that the kernel will continue by another one: arrange that it begins
     * anew. false = not so. */
    bool (*restart_anew)(struct ez_regs *r);
    long (*syscall_nr)(const struct ez_regs *r); /* inside one, else -1          */
    const char *syscall_insn; /* its bytes                                       */
    uint8_t syscall_len;
    const uint8_t *trap; /* a breakpoint instruction                        */
    uint8_t trap_len;
    uint8_t trap_pc;     /* the pc stands this far behind its beginning after the hit */
    int trap_code;       /* siginfo.si_code of one that was hit                 */
    uint8_t break_len;   /* bytes of code that a breakpoint of the processor's watches (perf); 0 =
                        * none of those: who was stopped by one cannot be stepped on      */
    bool step_by_nobody; /* a step over a system call is told as a signal of process 0's  */
    /* The counter that ez_tick() reads runs at one rate on all processors, asleep or
     * not, or so they say. */
    bool (*tick_invariant)(void);
    const char *tick_insn; /* the instruction that reads it: "rdtsc"              */
    /* The kernel's names: of the clock source that is this counter; of those that the vDSO
     * reads without entering the kernel (NULL ends them); of the vDSO's clock_gettime. */
    const char *tick_source, *const *vdso_sources, *vdso_clock;

    /* How probes may be planted, EZ_BY() of each: 0 = they cannot be, on this processor. */
    unsigned strategies;
    const struct ez_arch_rt *rt; /* NULL without strategies                              */
};

/* The architecture of this build. */
const struct ez_arch *ez_arch_host(void);

#endif
