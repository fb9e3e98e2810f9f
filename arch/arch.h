/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.h - everything that depends on the processor, behind one struct.
 *
 * A new architecture needs a folder arch/<cpu>/ that fills `struct ez_arch`, one line in
 * arch/host.c and, if it can carry probes, its runtime's assembler (rt_entry.S, rt_arch.h).
 * doc/HOWTO_ARCH.md says which parts may come later. Nothing else in the tree names a register or
 * an opcode (tests/check_layers.sh). */
#ifndef EZ_ARCH_H
#define EZ_ARCH_H

#include <string.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

/* Effect of an instruction on the flow of control. */
enum ez_flow {
    EZ_FLOW_PLAIN,
    EZ_FLOW_CALL,  /* direct call: `target` */
    EZ_FLOW_JMP,   /* direct jump: `target` */
    EZ_FLOW_JCC,   /* conditional: `target` */
    EZ_FLOW_LOOP,  /* loop, loope, loopne, jrcxz: `target`, 8-bit reach */
    EZ_FLOW_ICALL, /* indirect call */
    EZ_FLOW_IJMP,  /* indirect jump */
    EZ_FLOW_RET,
    EZ_FLOW_TRAP, /* int3, ud2, hlt */
    EZ_FLOW_SYSCALL,
    EZ_FLOW_XBEGIN, /* `target` is the abort handler */
};

struct ez_insn {
    uint8_t len;    /* bytes */
    uint8_t flow;   /* enum ez_flow */
    uint8_t riprel; /* offset of a pc-relative disp32 operand; 0: none */
    uint8_t width;  /* direct branch: bytes of its displacement (1 or 4); otherwise 0 */
    bool is_nop;    /* padding: nop of any length, int3 */
    /* landing instruction of indirect calls: must stay the first instruction */
    bool is_landing;
    uint64_t target; /* target of a direct branch, or address of the pc-relative operand */
};

#define EZ_MAX_INSN 15
#define EZ_MAX_PROLOGUE 16   /* limit of instructions in a patch region */
#define EZ_MAX_RELOCATED 256 /* bytes of a relocated prologue */

/* A relocated prologue, and the new place of each original instruction. */
struct ez_reloc {
    uint8_t code[EZ_MAX_RELOCATED];
    size_t len;                    /* bytes of `code` */
    size_t n;                      /* instructions */
    uint8_t from[EZ_MAX_PROLOGUE]; /* offset in the original */
    uint16_t to[EZ_MAX_PROLOGUE];  /* offset in `code` */
    bool ends;                     /* control never falls out of the patch region */
};

/* The general registers of one thread in the kernel's layout (NT_PRSTATUS). Only the architecture
 * knows which word is which register. */
struct ez_regs {
    uint64_t word[34];
};

#define EZ_RESTORER_BYTES 512
#define EZ_RESTORER_ALIGN 64
#define EZ_RESTORER_SPARE 416 /* offset of bytes that the block of a system call does not use */
#define EZ_RESTORER_SPARE_BYTES 24

/* What a thread does in a restorer block before it returns. COPY: the system call copies the
 * process, and the copy ends at once. CALL: the block calls `func`; the registers that the kernel
 * returned for extended_regset follow the block. */
enum ez_restored { EZ_RESTORED_SYSCALL, EZ_RESTORED_COPY, EZ_RESTORED_CALL };
struct ez_restorer {
    enum ez_restored what;
    const struct ez_regs *back;
    uint64_t mask, func, at; /* at: address of the block, unless it is a CALL */
};

#define EZ_GUARD_BYTES 128
#define EZ_GUARD_ACTION 64

struct ez_reg_desc {
    const char *name;
    uint16_t offset, size;                            /* in bytes, inside struct ez_regs */
    enum { EZ_REG_INT, EZ_REG_CODE, EZ_REG_DATA } as; /* its type in expressions */
    const char *flags; /* names of its bits: "CF=1,PF=4"; NULL: none */
};

static inline uint64_t ez_reg_get(const struct ez_regs *r, const struct ez_reg_desc *d)
{
    uint64_t v = 0;
    memcpy(&v, (const char *)r->word + d->offset, EZ_MIN(d->size, sizeof v));
    return v;
}
static inline void ez_reg_set(struct ez_regs *r, const struct ez_reg_desc *d, uint64_t v)
{
    memcpy((char *)r->word + d->offset, &v, EZ_MIN(d->size, sizeof v));
}

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
    /* Set by the caller: frame_step() only checks whether the function uses its return address
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

/* What the loader puts into a word for a relocation: one bit each, 0: anything else. */
enum ez_reloc_kind {
    EZ_RELOC_RELATIVE = 1,  /* the addend: an address in the file */
    EZ_RELOC_IRELATIVE = 2, /* the result of the IFUNC resolver at the addend */
    EZ_RELOC_SYMBOL = 4,    /* a symbol's address */
};

struct ez_rt_places { /* lists of offsets in the runtime's image */
    const uint32_t *tid, *key, *cookie;
    size_t ntid, nkey, ncookie;
};

/* How the bytes at a site lead to the trampoline: engine/code/patch_region.c. */
enum ez_strategy {
    EZ_NO_STRATEGY,
    EZ_JUMP,    /* S1: over whole instructions of the function */
    EZ_PADDING, /* S2: a jump that ends in the padding after a short function */
    EZ_ISLAND,  /* S3: a short jump to padding nearby, and a long one from there */
    EZ_PUN,     /* S4: a jump whose last bytes are the next instructions */
    EZ_TRAP,    /* S5: a breakpoint */
    EZ_NSTRATEGY
};
#define EZ_BY(strategy) (1u << (strategy))

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

struct ez_print { /* an instruction to print */
    const uint8_t *code;
    size_t n; /* bytes at code; the instruction may be shorter */
    uint64_t va;
    bool intel;                                   /* Intel syntax instead of AT&T's */
    const char *(*sym)(uint64_t addr, void *arg); /* returns "name+0x12", or NULL */
    void *arg;
};

/* A value that is passed to a function, as calling conventions see it: its scalars. */
enum ez_abi_class { EZ_ABI_INT, EZ_ABI_FLOAT, EZ_ABI_LDOUBLE, EZ_ABI_VECTOR };
struct ez_abi_scalar {
    uint64_t offset;
    unsigned bytes;
    enum ez_abi_class class; /* VECTOR: everything that fills a vector register */
};
struct ez_abi_value {
    uint64_t size;
    unsigned align;  /* in bytes */
    bool aggregate;  /* a struct, or a part of one */
    bool by_address; /* passed by the address of a copy, whatever its contents */
    const struct ez_abi_scalar *scalar;
    size_t n;
};
enum ez_abi_at {
    EZ_ABI_NOWHERE,  /* the value is empty */
    EZ_ABI_IN_REGS,  /* 8 bytes of it in each register */
    EZ_ABI_POINTED,  /* its address is in reg[0] */
    EZ_ABI_STACK,    /* `offset` bytes above the place of the return address */
    EZ_ABI_STACKED,  /* its address is at that place on the stack */
    EZ_ABI_X87,      /* the floating point stack */
    EZ_ABI_RETURNED, /* a result in memory: at the return, reg[0] has its address */
    EZ_ABI_WIDE,     /* in a register wider than 16 bytes */
};
struct ez_abi_place {
    enum ez_abi_at at;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector, high; /* high: upper 8 bytes */
        bool stack;        /* not in a register, but `offset` bytes above that place */
        unsigned number;
    } reg[2];
};
/* Treatment of an __int128 if too few registers are left. */
enum ez_abi_int128 {
    EZ_INT128_STACK,  /* on the stack; the next argument uses the register (psABI, gcc) */
    EZ_INT128_SPLITS, /* half in the last register: LLVM before 18 */
    EZ_INT128_FILLS,  /* on the stack, and so are all later integers: LLVM from 18 on */
};
struct ez_abi_call { /* what earlier arguments used; zero at first */
    unsigned ints, floats;
    int64_t stack;
    enum ez_abi_int128 int128; /* set by the caller */
};

/* Calling convention: arguments and results of functions. Registers have DWARF numbers. */
struct ez_convention {
    /* Finds the result's place. Call this before place_argument(): the result may use a
     * register. */
    void (*place_result)(struct ez_abi_call *c, const struct ez_abi_value *v,
                         struct ez_abi_place *out);
    /* Finds the place of the next argument, at the function's first instruction. */
    void (*place_argument)(struct ez_abi_call *c, const struct ez_abi_value *v,
                           struct ez_abi_place *out);
    const char *vector; /* name of vector registers, without the number */
    /* DWARF number of the first vector register; number of vector registers */
    unsigned vector0, nvectors;
    const char *const *name; /* names of the general registers, by number */
    /* number of names; number of the stack pointer; of the frame pointer */
    unsigned nnames, sp, fp;
    /* registers of integers and pointers; floats are in vector registers 0, 1, ... */
    const uint8_t *argument;
    unsigned narguments, nfloats;
    uint8_t result[2]; /* registers of integers; floats are in vector registers 0 and 1 */
};

/* What straight code in a trampoline can use of an argument: the low bits of a general register
 * (DWARF number), extended to 64. */
struct ez_reg_part {
    uint8_t reg, bits;
    bool is_signed;
};
struct ez_reg_test { /* part `how` value */
    struct ez_reg_part part;
    enum { EZ_TEST_EQ, EZ_TEST_NE, EZ_TEST_LT, EZ_TEST_LE, EZ_TEST_GT, EZ_TEST_GE } how;
    bool is_signed; /* signedness of the comparison */
    int32_t value;  /* sign-extended */
};

struct ez_arch {
    const char *name; /* "x86_64"                                            */
    int elf_machine;  /* EM_X86_64 */
    int address_bits; /* width of user space addresses; the last page stays free */
    /* The CFA at a function's first instruction: DWARF register and offset. */
    unsigned entry_cfa_reg, entry_cfa_offset;
    const struct ez_convention *convention; /* NULL: probes cannot collect data */
    unsigned insn_align;                    /* alignment of instructions in bytes */
    int landing_len;                      /* length of the landing instruction of indirect calls */
    int jump_len;                         /* length of the jump that a patch plants: 5 */
    int64_t jump_reach;                   /* distance that the jump reaches in either direction */
    int short_jump_len, short_jump_reach; /* of a jump with a short displacement */
    int far_jump_len;                     /* of a jump that reaches everything; at most 16 */

    /* Decodes one instruction at `va` from code[0..n). EZ_E_DECODE. libopcodes decides; the
     * project's own operand locator is compared with libopcodes, and a difference is
     * EZ_E_MISMATCH. */
    ez_err *(*decode)(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out);
    /* Returns an instruction's length, fast, or 0 if it is invalid or unknown (then call decode).
     * Equals decode's length if it is not 0 (tests/unit/arch/check_decode.c). */
    size_t (*length)(const uint8_t *code, size_t n);
    /* Returns the length of the padding nop at code[0], or 0 if there is none. Several threads may
     * call `nop`, `length`, frame_begin and frame_step at once, and nothing else here. */
    size_t (*nop)(const uint8_t *code, size_t n);
    /* frame_begin() sets a function's frame at its entry. frame_step() computes the frame after one
     * more instruction. Returns NULL, or why the frame is unknown, or what the instruction does at
     * or above the return address. */
    void (*frame_begin)(struct ez_frame *f);
    unsigned frame_pointer; /* index of the frame pointer in ez_frame.reg[] */
    const char *(*frame_step)(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                              struct ez_frame_step *out);
    /* Returns true if the code contains a return that also removes arguments from the stack. */
    bool (*pops_arguments)(const uint8_t *code, size_t n);
    /* Returns the result registers that the instruction may set, as the runtime's bits (EZ_KEEP_*),
     * or more. NULL: functions cannot be replaced on this processor. */
    unsigned (*results)(const uint8_t *code, size_t n, uint64_t va);
    /* Returns true if the code of a whole function calls nothing, and uses only general registers.
     * False is always right. */
    bool (*is_plain)(const uint8_t *code, size_t n, uint64_t va);
    /* grows_stack() returns true if the instruction of n bytes makes room of a computed size on the
     * stack. reads_preserved() returns true if it takes a function's result from a register that
     * calls preserve. NULL: unknown. */
    bool (*grows_stack)(const uint8_t *code, size_t n);
    bool (*reads_preserved)(const uint8_t *code, size_t n);
    /* Prints the instruction as text ("mov %rsp,%rbp"). *len: its length in bytes. */
    ez_err *(*print)(const struct ez_print *what, char *buf, size_t bufsize, size_t *len);
    /* Moves the instructions in code[0..n) (whole ones, at `va`) to run at `to`. Direct calls push
     * the original return address. A branch back to `va` itself goes to `to`; branches inside the
     * patch region are refused. Appends a jump to va + n unless the last instruction never falls
     * through. EZ_E_UNRELOC (the message names the instruction), EZ_E_RANGE. */
    ez_err *(*relocate)(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                        struct ez_reloc *out);
    /* Write straight code for the holes of trampolines with clauses (rt.h) into to[0..room). Return
     * its length, or 0 if it does not fit. straight_tests: goes on at to + fail if one of n tests
     * is false, otherwise at to + pass. straight_words: stores the words two by two after the
     * record at the address in the accumulator. NULL: not available. */
    size_t (*straight_tests)(const struct ez_reg_test *test, size_t n, int32_t fail, int32_t pass,
                             uint8_t *to, size_t room);
    size_t (*straight_words)(const struct ez_reg_part *word, size_t n, uint8_t *to, size_t room);
    /* Writes code that counts by the value of a register (rt_addup.c). table: offset of a table
     * from the buffer's first; counter: offset of the clause's counter. The code goes on at to +
     * more if the key has no row yet. */
    size_t (*straight_count)(const struct ez_reg_part *key, uint32_t table, uint32_t counter,
                             int32_t more, uint8_t *to, size_t room);
    /* Write a jump from `from` to `to` into buf[jump_len]. EZ_E_RANGE. */
    ez_err *(*jump)(uint64_t from, uint64_t to, uint8_t *buf);
    ez_err *(*short_jump)(uint64_t from, uint64_t to, uint8_t *buf);
    void (*far_jump)(uint64_t to, uint8_t *buf);
    /* Finds the range [*lo, *hi] of addresses to which a punned jump at `from` can lead: its first
     * k < n bytes are free prefixes, and its bytes from n on are those of code[]. */
    void (*pun_range)(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                      uint64_t *hi);
    /* Writes the first n bytes (n <= 4) of a punned jump that leads to `to` into buf. */
    void (*pun_jump)(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf);
    /* Returns true if code[0..n) may contain an indirect jump. Fast; true may be wrong. */
    bool (*may_jump_indirectly)(const uint8_t *code, size_t n);
    /* Calls hit for each address that instructions of code[0..n) at va may name as data, where a
     * jump table may begin, until hit returns true. Any byte counts as the beginning of an
     * instruction, so there are more addresses than real ones. */
    bool (*scan_data)(const uint8_t *code, size_t n, uint64_t va,
                      bool (*hit)(uint64_t data, void *arg), void *arg);
    /* Follows code[0..n) straight to the first call or jump. Returns the constant that is the
     * first argument there, or 0 if it is unknown. *to: the destination of the call or jump; 0:
     * unknown. */
    uint64_t (*first_argument)(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
    /* Returns true if a PLT slot begins at code[0]. *word: the word through which the slot jumps.
     * The distance of PLT slots is a multiple of plt_align bytes. */
    bool (*plt_slot)(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
    unsigned plt_align;
    /* Returns the kinds (enum ez_reloc_kind) of a relocation's type. */
    unsigned (*reloc_kind)(uint32_t type);
    /* Calls hit for each direct branch in text[0..n) (at va) whose target is wanted, in ascending
     * order of opcodes. Every byte offset counts as a branch, so there are more hits than real
     * branches. */
    void (*scan_branches)(const uint8_t *text, size_t n, uint64_t va,
                          bool (*wants)(uint64_t target, void *arg),
                          void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Does the same only for branches that may lead further than near_reach bytes in either
     * direction: these are few. */
    void (*scan_far)(const uint8_t *text, size_t n, uint64_t va,
                     bool (*wants)(uint64_t target, void *arg),
                     void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    unsigned near_reach; /* from the beginning, and from the end, of a branch to its target */
    /* Does the same for addresses that instructions form without going there. source: the opcode,
     * or the first byte of an absolute address. Absolute addresses are found only in text[0..n). */
    void (*scan_addresses)(const uint8_t *text, size_t n, uint64_t va,
                           bool (*wants)(uint64_t target, void *arg),
                           void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);

    /* The fields of struct ez_regs, in the order in which gdb prints them. */
    const struct ez_reg_desc *regs;
    size_t nregs;
    size_t regs_size;          /* used bytes of the block */
    int extended_regset;       /* NT_* of the floating point and vector registers */
#define EZ_EXTENDED_MOST 16384 /* limit of their block's bytes */
    /* In that block: offsets of the first vector register, 16 bytes each, and of the top of the
     * floating point stack, 16 bytes each; 0: none. */
    uint16_t extended_vector, extended_stack;
    const struct ez_reg_desc *extended; /* its control registers; offsets are those in the block */
    size_t nextended;
    const struct ez_reg_desc *parts; /* names for parts of registers, which `regs` lacks */
    size_t nparts;

    uint64_t (*pc)(const struct ez_regs *r);
    void (*set_pc)(struct ez_regs *r, uint64_t pc);
    uint64_t (*sp)(const struct ez_regs *r);
    uint64_t (*thread_pointer)(const struct ez_regs *r);
    void (*set_thread_pointer)(struct ez_regs *r, uint64_t tp);
    /* Thread-local storage: offset from the thread pointer to the word that leads to the dynamic
     * thread vector; true if the static blocks of each thread are below the thread pointer. */
    unsigned tls_vector;
    bool tls_below;
    /* Emulates code[0..n), where `r` goes on, if it reads the processor's counter: the program may
     * have made it fault. Returns false if it is other code. NULL: not available. */
    bool (*read_counter)(struct ez_regs *r, const uint8_t *code, size_t n);
    /* Makes `r` go on as if its system call had failed with errnum > 0. */
    void (*fail_syscall)(struct ez_regs *r, int errnum);
    /* Makes `r` execute the system call instruction at `pc` next. */
    void (*prepare_syscall)(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
    /* Makes `r` go on at `func` as if it had been called with up to 6 integers. */
    void (*prepare_call)(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
    /* Call it after prepare_call, for a call from a restorer: makes room for so many bytes of stack
     * arguments, and sets the number of vector registers in use. Returns where the bytes go. NULL:
     * only integers can be passed. */
    uint64_t (*call_stack)(struct ez_regs *r, size_t bytes, unsigned vectors);
    /* Sets a vector register in the block of extended registers. */
    void (*set_vector)(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16]);
    /* Sets starting states in which the check runs code and its copy (engine/check/check.h). Each
     * state has other values and flags; the first third of the states has all kinds of values.
     * data: writable memory, 4 KiB in either direction; sp: the stack as at a function's entry.
     * Registers that determine the thread's memory (segments, thread pointer) stay. */
    unsigned nstates;
    void (*seed)(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp);
    /* Sets other flags before a conditional branch, so that eight states lead both ways. */
    void (*steer)(struct ez_regs *r, unsigned state);
    void (*seed_extended)(uint8_t *block, size_t n, unsigned state);
    /* Returns the name of a register that differs (except the program counter), or NULL. */
    const char *(*differs)(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                           uint64_t *vb);
    const char *(*extended_differs)(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                    size_t size);
    /* Writes a restorer: a block of code and data that runs at any address aligned to
     * EZ_RESTORER_ALIGN (engine/inferior/restorer.c). In the block, the thread does what `a` says.
     * Then the block sets the signal mask a->mask, loads all registers of a->back, and the thread
     * is where it was. The block uses nothing above the stack pointer, and not the bytes below it
     * that signals spare. When the block's last system call begins, restored_result() returns the
     * result of the called function. */
    void (*restorer)(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
    uint64_t (*restored_result)(const struct ez_regs *r);
    /* Restores the general registers with results to what the function left in them. NULL: as
     * call_stack. */
    void (*restored_left)(struct ez_regs *r);
    /* Returns true if `block` is a restorer of a system call or of a copy, which a dead shell left.
     * NULL: restorers only serve calls of functions. */
    bool (*restorer_left)(const uint8_t block[EZ_RESTORER_BYTES]);
    /* Computes what the block of a system call, made for a func that is the pc of `back`, would
     * give its thread: sets *r, the thread's registers, and the signal mask. */
    void (*restorer_home)(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r,
                          uint64_t *mask);
    int64_t restorer_reach; /* from the block to where the thread was; 0: from anywhere */
    /* Writes a SIGTRAP handler for the address `at` (engine/inferior/guard.c). The handler ends
     * single-stepping, ignores hardware breakpoints, and passes any other trap to the handler `old`
     * (if `old` is no handler's address, it ignores the trap). The action that installs the
     * handler, in the kernel's layout, is at EZ_GUARD_ACTION. The first step_guard_len bytes are
     * always the same. NULL: the kernel forgets a step when the tracer dies. */
    void (*step_guard)(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);
    uint8_t step_guard_len;
    /* clear_trap_flag() clears the flag that a single step sets, and returns true if it was set.
     * pushes_flags() returns how many bytes of the flags the instruction pushes, or 0; trap_flag is
     * the flag's bit in them. */
    bool (*clear_trap_flag)(struct ez_regs *r);
    unsigned (*pushes_flags)(const uint8_t *code, size_t n);
    uint64_t trap_flag;
    /* Returns the result of a system call or a function. */
    int64_t (*result)(const struct ez_regs *r);
    /* Restarts a system call in which the engine stopped the thread, and which would return EINTR
     * although no signal came. Returns false if the thread is not in such a call. */
    bool (*restart_eintr)(struct ez_regs *r);
    /* Makes an interrupted system call begin again that the kernel would continue by another one
     * (restart_syscall). Returns false if the thread is not in such a call. */
    bool (*restart_anew)(struct ez_regs *r);
    /* Returns the call that the thread is in, or -1. */
    long (*syscall_nr)(const struct ez_regs *r);
    /* Returns the call that the system call instruction at the pc would make. */
    long (*next_syscall)(const struct ez_regs *r);
    const char *syscall_insn; /* bytes of the system call instruction */
    uint8_t syscall_len;
    /* An instruction that hypervisors execute for the guest. They may lose the trap of its step:
     * then one step also executes the next instruction. Length 0: there is none. */
    const char *emulated_insn;
    uint8_t emulated_len;
    const uint8_t *trap; /* a breakpoint instruction */
    uint8_t trap_len;
    uint8_t trap_pc; /* distance of the pc from the breakpoint after the hit */
    int trap_code;   /* siginfo.si_code of a hit breakpoint */
    /* Bytes of code that a hardware breakpoint (perf) watches. 0: a thread that such a breakpoint
     * stopped cannot be stepped, so none are used. */
    uint8_t break_len;
    /* Sets whether such a breakpoint at the pc lets the thread pass when it goes on. */
    void (*pass_break)(struct ez_regs *r, bool pass);
    /* glibc's jmp_buf: offset of the pc, which is mangled by the word at guard_at from the thread
     * pointer. NULL: unknown. */
    uint64_t (*unmangle)(uint64_t word, uint64_t guard);
    uint16_t jmp_pc, guard_at;
    /* Returns true if a function that begins with this code sets up a frame pointer at once. */
    bool (*begins_frame)(const uint8_t *code, size_t n);
    /* In a SIGSYS handler: sets the result of the system call that the kernel did not make. */
    void (*trapped_result)(void *ucontext, int64_t result);
    bool step_by_nobody; /* the signal of a step over a system call has sender 0 */
    /* Returns true if the processor says that the counter of ez_tick() runs at one rate on all
     * processors, asleep or not. */
    bool (*tick_invariant)(void);
    const char *tick_insn; /* instruction that reads the counter: "rdtsc" */
    /* The kernel's names: tick_source, the clock source of this counter; vdso_sources, the clock
     * sources that the vDSO reads without entering the kernel (ends with NULL); vdso_clock, the
     * vDSO's clock_gettime. */
    const char *tick_source, *const *vdso_sources, *vdso_clock;

    /* Strategies for planting probes, EZ_BY() of each; 0: no probes on this processor. */
    unsigned strategies;
    const struct ez_arch_rt *rt; /* NULL without strategies */
};

/* Returns the architecture of this build. */
const struct ez_arch *ez_arch_host(void);

#endif
