/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.h - everything that depends on the processor, behind one struct.
 *
 * A new architecture takes a folder arch/<cpu>/ that fills `struct ez_arch`, one line in
 * arch/host.c and, where it can carry probes, its runtime's assembler (rt_entry.S, rt_arch.h).
 * doc/HOWTO_ARCH.md says which parts may come later. Nothing else in the tree names a
 * register or an opcode (tests/check_layers.sh). */
#ifndef EZ_ARCH_H
#define EZ_ARCH_H

#include <string.h>

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
    uint8_t len;    /* bytes                                                  */
    uint8_t flow;   /* enum ez_flow                                           */
    uint8_t riprel; /* offset of a pc-relative disp32 operand, 0 = none       */
    uint8_t width;  /* a direct branch: bytes of its displacement (1 or 4), else 0 */
    bool is_nop;    /* padding: nop of any length, int3                       */
    /* a landing mark of indirect calls: must stay the first instruction */
    bool is_landing;
    uint64_t target; /* a direct branch's target, or the pc-relative operand's address */
};

#define EZ_MAX_INSN 15
#define EZ_MAX_PROLOGUE 16   /* instructions a window may hold                   */
#define EZ_MAX_RELOCATED 256 /* bytes of a relocated prologue                    */

/* A relocated prologue, and where each original instruction went in it. */
struct ez_reloc {
    uint8_t code[EZ_MAX_RELOCATED];
    size_t len;                    /* bytes of `code`                       */
    size_t n;                      /* instructions                          */
    uint8_t from[EZ_MAX_PROLOGUE]; /* offset in the original                */
    uint16_t to[EZ_MAX_PROLOGUE];  /* offset in `code`                      */
    bool ends;                     /* control never falls out of the window */
};

/* The general registers of one thread as the kernel hands them out (NT_PRSTATUS). Only the
 * architecture knows which word is which register. */
struct ez_regs {
    uint64_t word[34];
};

#define EZ_RESTORER_BYTES 512
#define EZ_RESTORER_ALIGN 64
#define EZ_RESTORER_SPARE 416 /* bytes that the block of a system call does not use */
#define EZ_RESTORER_SPARE_BYTES 24

/* What a thread does in a restorer block before it goes back. COPY: the block copies the
 * process by the system call, and the copy ends at once. CALL: the block calls `func`; the
 * registers that the kernel gave for extended_regset stand behind the block. */
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
    uint16_t offset, size;                            /* bytes inside struct ez_regs             */
    enum { EZ_REG_INT, EZ_REG_CODE, EZ_REG_DATA } as; /* what an expression takes it for */
    const char *flags; /* its bits' names: "CF=1,PF=4"; NULL = it has none            */
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

/* Where registers point in a function's frame: in bytes from the stack pointer at the
 * function's entry, where the return address stands. */
#define EZ_FRAME_REGS 16
#define EZ_FR_OTHER INT32_MAX      /* the register does not point into this frame */
#define EZ_FR_SOME (INT32_MAX - 1) /* it points into the frame, at an unknown place */
struct ez_frame {
    int32_t reg[EZ_FRAME_REGS];
    uint8_t sp;   /* the index of the stack pointer in reg[]                     */
    bool bound;   /* the stack pointer is at reg[sp] or lower (realigned)        */
    bool dynamic; /* it is lower by an unknown number (alloca); `bound` is set, too */
    /* Set by the caller: frame_step only asks whether the function uses its return address for more
     * than to return to it, and goes on where all else is not known. Such a stack pointer is
     * EZ_FR_OTHER. */
    bool lenient;
    bool copied;      /* lenient: the stack pointer was copied while it led to the return address */
    bool mixed;       /* ... and computed with                                        */
    const char *uses; /* how it uses its return address: EZ_FR_*; NULL = it does not  */
};
#define EZ_FR_LOOKS "it looks at its return address"
#define EZ_FR_POPS "it pops its return address"
#define EZ_FR_HANDS "it hands on where its return address is"
struct ez_frame_step {
    uint8_t len, flow; /* enum ez_flow                                           */
    uint64_t target;   /* of a direct branch or call                             */
};

/* What the loader puts into a word for a relocation: a bit each, 0 = anything else. */
enum ez_reloc_kind {
    EZ_RELOC_RELATIVE = 1,  /* the addend: an address in the file                  */
    EZ_RELOC_IRELATIVE = 2, /* the answer of the IFUNC resolver at the addend      */
    EZ_RELOC_SYMBOL = 4,    /* a symbol's address                                  */
};

struct ez_rt_places { /* lists of offsets in the runtime's image */
    const uint32_t *tid, *key, *cookie;
    size_t ntid, nkey, ncookie;
};

/* How the bytes at a site lead to the trampoline: engine/code/patch_region.c. */
enum ez_strategy {
    EZ_NO_STRATEGY,
    EZ_JUMP,    /* S1: over whole instructions of the function                     */
    EZ_PADDING, /* S2: a jump whose end is in the padding behind a short function  */
    EZ_ISLAND,  /* S3: a short jump to padding near by, and from there             */
    EZ_PUN,     /* S4: a jump whose last bytes are the next instructions           */
    EZ_TRAP,    /* S5: a breakpoint                                                */
    EZ_NSTRATEGY
};
#define EZ_BY(strategy) (1u << (strategy))

/* The parts of the processor that the runtime (engine/rt/rt.h) rests on.
 *
 * THE EXIT PROTOCOL is how the return of a probed function comes to the runtime. The protocol
 * of arch/x86_64 is made for a call that pushes its return address: a slot and a return thunk
 * are calls, and their pushed continuation stands where the return address stood. A processor
 * with a link register needs another protocol: its trampolines load the continuation into that
 * register, and its slots stand where the register points. Only `return_trampolines`, `continuation` and
 * the runtime's assembler know these bytes; entries, their order and how they are reclaimed
 * (engine/rt/rt.c) are the same for all processors. */
struct ez_arch_rt {
    const uint8_t *image, *image_end; /* the blob                                        */
    /* Fits the image to the target's libc: the instructions listed in at->tid then read the
     * thread id at tid_off of the thread control block (0 = the block must not be touched),
     * and the cookie goes into the instructions listed in at->cookie. */
    void (*adapt)(uint8_t *image, const struct ez_rt_places *at, uint32_t tid_off, uint32_t cookie);
    uint32_t static_tid; /* offset of the tid in a static glibc that does not tell it  */
    /* Writes a chunk (EZ_CHUNK bytes) of slots, all alike; bytes between the slots are traps.
     * `continuation`: how far behind the beginning of a slot or return thunk its call returns
     * to. */
    void (*return_trampolines)(uint8_t *chunk);
    unsigned continuation;
    /* In a signal frame, from the word with the saved pc: bytes down to the word that holds
     * the address of the code that ends a handler, and bytes up to the signal's number (int).
     * `sigreturn` tells whether the first sigreturn_len bytes of some code are such code. */
    unsigned sigframe_pc_offset, sigframe_signo_offset, sigreturn_len;
    bool (*sigreturn)(const uint8_t *code);
    /* What xsave has to save besides the low halves of vector registers (a mask, 0 = nothing),
     * whether the processor tells which of it is in use, and the bytes that takes. */
    void (*vector_state)(uint32_t *mask, uint32_t *inuse, uint32_t *size);
    /* Has a thread whose fragment runs come back to `back` instead (rt_fragment.c). */
    void (*end_fragment)(struct ez_regs *r, uint64_t back, uint64_t frame);
    /* A shadow stack of the processor would refuse slots. shadow_word is its name among the
     * processor's features in /proc/PID/status; shadow_help says how to start a program
     * without. NULL = the processor has none. */
    const char *shadow_word, *shadow_help;
};

struct ez_print { /* an instruction, to be printed */
    const uint8_t *code;
    size_t n; /* bytes at code; the instruction may be shorter           */
    uint64_t va;
    bool intel; /* Intel's syntax instead of AT&T's                         */
    const char *(*sym)(uint64_t addr, void *arg); /* turns an address into "name+0x12", or NULL */
    void *arg;
};

/* A value that is passed to a function, as calling conventions see it: its scalars. */
enum ez_abi_class { EZ_ABI_INT, EZ_ABI_FLOAT, EZ_ABI_LDOUBLE, EZ_ABI_VECTOR };
struct ez_abi_scalar {
    uint64_t offset;
    unsigned bytes;
    enum ez_abi_class class; /* VECTOR: all that fills a vector register                  */
};
struct ez_abi_value {
    uint64_t size;
    unsigned align;  /* bytes                                                     */
    bool aggregate;  /* a struct, or a part of one                                   */
    bool by_address; /* passed by the address of a copy, whatever is in it            */
    const struct ez_abi_scalar *scalar;
    size_t n;
};
enum ez_abi_at {
    EZ_ABI_NOWHERE,  /* it is empty                                                     */
    EZ_ABI_IN_REGS,  /* 8 bytes of it in each                                           */
    EZ_ABI_POINTED,  /* reg[0] has its address                                          */
    EZ_ABI_STACK,    /* `offset` bytes above the place of the return address            */
    EZ_ABI_STACKED,  /* its address is there                                            */
    EZ_ABI_X87,      /* the floating point stack                                        */
    EZ_ABI_RETURNED, /* a result in memory: at the return, reg[0] has its address        */
    EZ_ABI_WIDE,     /* in a register that is wider than 16 bytes                        */
};
struct ez_abi_place {
    enum ez_abi_at at;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector, high; /* high: its upper 8 bytes                               */
        bool stack;        /* not in a register, but `offset` bytes above that place  */
        unsigned number;
    } reg[2];
};
/* An __int128 for which too few registers are left. */
enum ez_abi_int128 {
    EZ_INT128_STACK,  /* on the stack; the next argument takes the register (psABI, gcc)        */
    EZ_INT128_SPLITS, /* half in the last register: LLVM before 18                          */
    EZ_INT128_FILLS,  /* on the stack, and so are all integers behind it: LLVM from 18 on   */
};
struct ez_abi_call { /* what earlier arguments took; zero at first                      */
    unsigned ints, floats;
    int64_t stack;
    enum ez_abi_int128 int128; /* from the caller                                       */
};

/* How functions get arguments and give results: registers by DWARF's numbers. */
struct ez_convention {
    /* The result's place; ask before the arguments': it may take a register. */
    void (*place_result)(struct ez_abi_call *c, const struct ez_abi_value *v,
                         struct ez_abi_place *out);
    /* The place of the next argument, at the function's first instruction. */
    void (*place_argument)(struct ez_abi_call *c, const struct ez_abi_value *v,
                           struct ez_abi_place *out);
    const char *vector;         /* their name, without the number                         */
    unsigned vector0, nvectors; /* DWARF's number of the first vector register, and how many */
    const char *const *name;    /* of the general registers, by number                  */
    unsigned nnames, sp, fp;    /* how many; the stack pointer's and the frame pointer's number */
    const uint8_t *argument; /* integers and pointers; floats are in vector registers 0, 1, ... */
    unsigned narguments, nfloats;
    uint8_t result[2]; /* of integers; floats in vector registers 0 and 1               */
};

/* What straight code in a trampoline can do with an argument: bits of a general register (DWARF's number),
 * extended to 64. */
struct ez_reg_part {
    uint8_t reg, bits;
    bool is_signed;
};
struct ez_reg_test { /* part `how` value                                            */
    struct ez_reg_part part;
    enum { EZ_TEST_EQ, EZ_TEST_NE, EZ_TEST_LT, EZ_TEST_LE, EZ_TEST_GT, EZ_TEST_GE } how;
    bool is_signed; /* of the comparison                                            */
    int32_t value;  /* extended                                                     */
};

struct ez_arch {
    const char *name; /* "x86_64"                                            */
    int elf_machine;  /* EM_X86_64                                           */
    int address_bits; /* of user space; its last page stays free             */
    /* The CFA at a function's first instruction: DWARF register and offset. */
    unsigned entry_cfa_reg, entry_cfa_offset;
    const struct ez_convention *convention; /* NULL = probes cannot collect data        */
    unsigned insn_align; /* instructions begin at multiples of so many bytes      */
    int landing_len;     /* bytes of the landing mark of indirect calls           */
    int jump_len;        /* bytes of the jump that a patch plants: 5            */
    int64_t jump_reach;  /* bytes that the jump reaches either way              */
    int short_jump_len, short_jump_reach; /* of a jump with a short displacement */
    int far_jump_len;                     /* of a jump that reaches everything, at most 16       */

    /* Decodes one instruction at `va` from code[0..n). EZ_E_DECODE. libopcodes decides; this
     * project's operand locator is checked against libopcodes, and a mismatch is an
     * EZ_E_MISMATCH. */
    ez_err *(*decode)(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out);
    /* An instruction's length, fast; 0 = invalid or unknown (then ask decode). It equals
     * decode's length wherever it is not 0 (tests/unit/arch/check_decode.c). */
    size_t (*length)(const uint8_t *code, size_t n);
    /* The length of the padding nop at code[0], 0 = there is none. Several threads may call
     * `nop`, `length`, frame_begin and frame_step at once, and nothing else here. */
    size_t (*nop)(const uint8_t *code, size_t n);
    /* frame_begin: a function's frame at its entry. frame_step: the frame behind one more
     * instruction. It returns NULL, or why the frame cannot be told, or what the instruction
     * does at or above the return address. */
    void (*frame_begin)(struct ez_frame *f);
    unsigned frame_pointer; /* its index in ez_frame.reg[]                      */
    const char *(*frame_step)(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                              struct ez_frame_step *out);
    /* Does the code hold a return that also takes arguments off the stack? */
    bool (*pops_arguments)(const uint8_t *code, size_t n);
    /* The result registers that the instruction may set, as bits that the runtime knows
     * (EZ_KEEP_*); a superset. NULL = functions cannot be replaced on this processor. */
    unsigned (*results)(const uint8_t *code, size_t n, uint64_t va);
    /* Does the code of a whole function call nothing, and use general registers only? No is always right. */
    bool (*is_plain)(const uint8_t *code, size_t n, uint64_t va);
    /* Does the instruction of n bytes make room on the stack by a size that is computed? Does it take a function's result
     * from a register that calls preserve? NULL = nobody knows. */
    bool (*grows_stack)(const uint8_t *code, size_t n);
    bool (*reads_preserved)(const uint8_t *code, size_t n);
    /* The instruction as text ("mov    %rsp,%rbp"); it has *len bytes. */
    ez_err *(*print)(const struct ez_print *what, char *buf, size_t bufsize, size_t *len);
    /* Move the instructions in code[0..n) (whole ones, at `va`) to run at `to`.
     * Direct calls push the original return address. A branch back to `va` itself
     * goes to `to`; branches inside the window are refused. Appends a jump to
     * va + n unless the last instruction never falls through.
     * EZ_E_UNRELOC (message names the instruction), EZ_E_RANGE. */
    ez_err *(*relocate)(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                        struct ez_reloc *out);
    /* Straight code for the holes of trampolines with clauses (rt.h), into to[0..room); its length, 0 = it
     * does not fit. Tests: goes on at to + fail if one of n does not hold, else at to + pass. Words:
     * stores them two by two behind the record at the address in the accumulator. NULL = none. */
    size_t (*straight_tests)(const struct ez_reg_test *test, size_t n, int32_t fail, int32_t pass,
                             uint8_t *to, size_t room);
    size_t (*straight_words)(const struct ez_reg_part *word, size_t n, uint8_t *to, size_t room);
    /* A count by the value of a register (rt_addup.c): table and counter are offsets, of a table from
     * the buffer's first, and of the clause's counter. Goes on at to + more if the key has no row yet. */
    size_t (*straight_count)(const struct ez_reg_part *key, uint32_t table, uint32_t counter,
                             int32_t more, uint8_t *to, size_t room);
    /* Bytes of a jump from `from` to `to` into buf[jump_len]. EZ_E_RANGE. */
    ez_err *(*jump)(uint64_t from, uint64_t to, uint8_t *buf);
    ez_err *(*short_jump)(uint64_t from, uint64_t to, uint8_t *buf);
    void (*far_jump)(uint64_t to, uint8_t *buf);
    /* The range of addresses to which a punned jump at `from` can lead: its first k < n bytes
     * are free prefixes, and its bytes from n on are those of code[]. *lo and *hi belong to
     * the range. */
    void (*pun_range)(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                      uint64_t *hi);
    /* Writes the first n bytes (n <= 4) of a punned jump that leads to `to` into buf. */
    void (*pun_jump)(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf);
    /* Could code[0..n) hold an indirect jump? Fast; it may say yes where there is none. */
    bool (*may_jump_indirectly)(const uint8_t *code, size_t n);
    /* Calls hit for each address that instructions of code[0..n) at va may name as data, where
     * a jump table may begin, until hit says true. The addresses are a superset: any byte is
     * taken as the beginning of an instruction. */
    bool (*scan_data)(const uint8_t *code, size_t n, uint64_t va,
                      bool (*hit)(uint64_t data, void *arg), void *arg);
    /* Follows code[0..n) straight on to the first call or jump, and returns the constant that
     * is the first argument there; 0 = none, or none that can be told. *to = where the call or
     * jump leads, 0 = that cannot be told. */
    uint64_t (*first_argument)(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
    /* Does a PLT slot begin at code[0]? *word: the word through which the slot jumps. PLT
     * slots lie plt_align bytes apart, or a multiple of it. */
    bool (*plt_slot)(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
    unsigned plt_align;
    /* The kinds (enum ez_reloc_kind) of a relocation's type. */
    unsigned (*reloc_kind)(uint32_t type);
    /* Calls hit for each direct branch that text[0..n) (at va) may hold and whose target is
     * wanted, in ascending order of their opcodes. A superset: every byte offset is taken as a
     * branch. */
    void (*scan_branches)(const uint8_t *text, size_t n, uint64_t va,
                          bool (*wants)(uint64_t target, void *arg),
                          void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    /* Like scan_branches, for those alone that may lead further than near_reach bytes, either
     * way: they are few. */
    void (*scan_far)(const uint8_t *text, size_t n, uint64_t va,
                     bool (*wants)(uint64_t target, void *arg),
                     void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);
    unsigned near_reach; /* from the beginning, and from the end, of a branch to its target  */
    /* Like scan_branches, for addresses that instructions form without going there. `source`
     * is the opcode, or the first byte of an absolute address; absolute addresses are found
     * only in text[0..n). */
    void (*scan_addresses)(const uint8_t *text, size_t n, uint64_t va,
                           bool (*wants)(uint64_t target, void *arg),
                           void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg);

    /* What struct ez_regs holds, in the order that gdb prints. */
    const struct ez_reg_desc *regs;
    size_t nregs;
    size_t regs_size;          /* bytes of the block that are used                       */
    int extended_regset;       /* NT_* of the floating point and vector registers     */
#define EZ_EXTENDED_MOST 16384 /* bytes of their block */
    /* In that block: the first vector register, 16 bytes each, and the top of the floating point
     * stack, 16 bytes each; 0 = there is none. */
    uint16_t extended_vector, extended_stack;
    const struct ez_reg_desc
        *extended; /* its control registers: offsets are those in the block     */
    size_t nextended;
    const struct ez_reg_desc *parts; /* names for parts of registers, which `regs` has not */
    size_t nparts;

    uint64_t (*pc)(const struct ez_regs *r);
    void (*set_pc)(struct ez_regs *r, uint64_t pc);
    uint64_t (*sp)(const struct ez_regs *r);
    uint64_t (*thread_pointer)(const struct ez_regs *r);
    void (*set_thread_pointer)(struct ez_regs *r, uint64_t tp);
    /* Thread-local storage: how far behind the thread pointer is the word that leads to the dynamic thread vector, and
     * whether the blocks that each thread has from its begin on lie below the thread pointer. */
    unsigned tls_vector;
    bool tls_below;
    /* If code[0..n), where `r` goes on, reads the processor's counter: do what it would, and go behind it. The program may
     * have made it fault. NULL: it cannot. */
    bool (*read_counter)(struct ez_regs *r, const uint8_t *code, size_t n);
    /* Make `r` go on as if its system call had failed so; errnum > 0. */
    void (*fail_syscall)(struct ez_regs *r, int errnum);
    /* Make `r` execute the system call instruction at `pc` next. */
    void (*prepare_syscall)(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
    /* Make `r` go on at `func` as if that had been called with up to 6 integers. */
    void (*prepare_call)(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
    /* After that, for a call from a restorer: makes room for so many bytes of arguments on the stack, and says how
     * many vector registers have some. Where the bytes go. NULL = only integers can be passed. */
    uint64_t (*call_stack)(struct ez_regs *r, size_t bytes, unsigned vectors);
    /* Gives a vector register of the block of extended registers a value. */
    void (*set_vector)(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16]);
    /* Starting states in which the check runs code and its copy (engine/check/check.h). Each
     * state has other values and flags; the first third of the states has all kinds of values.
     * `data`: memory that may be written, 4 KiB either way; `sp`: the stack as at a function's
     * entry. Registers that say where the thread is in memory (segments, thread pointer) stay. */
    unsigned nstates;
    void (*seed)(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp);
    /* Sets other flags before a conditional branch, so that eight states lead both ways. */
    void (*steer)(struct ez_regs *r, unsigned state);
    void (*seed_extended)(uint8_t *block, size_t n, unsigned state);
    /* The name of a register that differs (the program counter apart); NULL = none. */
    const char *(*differs)(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                           uint64_t *vb);
    const char *(*extended_differs)(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                    size_t size);
    /* Writes a restorer: a block of code and data that runs at any address aligned to
     * EZ_RESTORER_ALIGN (engine/inferior/restorer.c). The thread does in the block what `a`
     * says; then its signal mask is a->mask, all registers of a->back are loaded, and the
     * thread is where it was. The block uses nothing above the stack pointer, and not the
     * bytes below it that signals spare. When the block's last system call begins,
     * restored_result reads the result of the called function. */
    void (*restorer)(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
    uint64_t (*restored_result)(const struct ez_regs *r);
    /* Has the general registers with results say there what the function left in them. NULL = as call_stack. */
    void (*restored_left)(struct ez_regs *r);
    /* Is `block` a restorer of a system call or of a copy, which a dead shell left behind?
     * NULL: restorers serve calls of functions alone. */
    bool (*restorer_left)(const uint8_t block[EZ_RESTORER_BYTES]);
    /* What the block of a system call, made for a func that is the pc of `back`, would give its thread, in whose
     * registers *r it is put; and the signal mask. */
    void (*restorer_home)(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r,
                          uint64_t *mask);
    int64_t restorer_reach; /* from the block to where the thread was; 0 = from anywhere */
    /* Writes a handler of SIGTRAP that stands at `at` (engine/inferior/guard.c). It ends
     * single-stepping, ignores breakpoints of the processor, and leads any other trap to the
     * handler `old` (if `old` is no address of a handler, it ignores the trap). The action
     * that installs the handler, as the kernel wants it, is at EZ_GUARD_ACTION. The first
     * step_guard_len bytes are always the same. NULL: the kernel forgets a step when the
     * tracer dies. */
    void (*step_guard)(uint8_t code[EZ_GUARD_BYTES], uint64_t at, uint64_t old);
    uint8_t step_guard_len;
    /* clear_trap_flag takes back the flag that a single step sets; true = it was set.
     * pushes_flags: how many bytes of the flags the instruction pushes, in which trap_flag is
     * that flag; 0 = none. */
    bool (*clear_trap_flag)(struct ez_regs *r);
    unsigned (*pushes_flags)(const uint8_t *code, size_t n);
    uint64_t trap_flag;
    int64_t (*result)(const struct ez_regs *r); /* the result of a system call or a function */
    /* The thread was stopped by the engine inside a system call that then answers EINTR
     * although no signal came: makes the call start again. false = the thread is not in such a
     * call. */
    bool (*restart_eintr)(struct ez_regs *r);
    /* The thread was interrupted in a system call that the kernel would continue by another
     * one (restart_syscall): makes the call begin anew. false = the thread is not in such a
     * call. */
    bool (*restart_anew)(struct ez_regs *r);
    long (*syscall_nr)(const struct ez_regs *r); /* of the call it is in, else -1 */
    /* of the call that the system call instruction at its pc would make */
    long (*next_syscall)(const struct ez_regs *r);
    const char *syscall_insn; /* the system call instruction's bytes             */
    uint8_t syscall_len;
    /* An instruction that hypervisors execute for the guest. They may lose the trap of its step:
     * then one step executes the next instruction, too. Length 0 = there is none. */
    const char *emulated_insn;
    uint8_t emulated_len;
    const uint8_t *trap; /* a breakpoint instruction                        */
    uint8_t trap_len;
    uint8_t trap_pc; /* after the hit, the pc is so far behind the breakpoint     */
    int trap_code;   /* siginfo.si_code of a breakpoint that was hit        */
    /* Bytes of code that a breakpoint of the processor (perf) watches; 0 = a thread that such
     * a breakpoint stopped cannot be stepped on, so none are used. */
    uint8_t break_len;
    /* Such a breakpoint at the pc does not stop the thread when it goes on; or does again. */
    void (*pass_break)(struct ez_regs *r, bool pass);
    /* glibc's jmp_buf: where it has the pc, mangled by the word at guard_at from the thread pointer. NULL = not
     * known. */
    uint64_t (*unmangle)(uint64_t word, uint64_t guard);
    uint16_t jmp_pc, guard_at;
    /* Does a function that begins with this code set up a frame pointer at once? */
    bool (*begins_frame)(const uint8_t *code, size_t n);
    /* In a handler of SIGSYS: the system call that the kernel did not make returns that. */
    void (*trapped_result)(void *ucontext, int64_t result);
    bool step_by_nobody; /* the signal of a step over a system call has sender 0          */
    /* Does the processor say that the counter read by ez_tick() runs at one rate on all
     * processors, asleep or not? */
    bool (*tick_invariant)(void);
    const char *tick_insn; /* the instruction that reads the counter: "rdtsc"     */
    /* The kernel's names: tick_source, the clock source that is this counter; vdso_sources,
     * the clock sources that the vDSO reads without entering the kernel (NULL ends them);
     * vdso_clock, the vDSO's clock_gettime. */
    const char *tick_source, *const *vdso_sources, *vdso_clock;

    /* The strategies by which probes may be planted, EZ_BY() of each; 0 = no probes on this
     * processor. */
    unsigned strategies;
    const struct ez_arch_rt *rt; /* NULL without strategies                              */
};

/* The architecture of this build. */
const struct ez_arch *ez_arch_host(void);

#endif
