/* SPDX-License-Identifier: MIT */
/* rt.h - the runtime: freestanding code that runs inside the target.
 *
 * WHAT THE RUNTIME IS. A position-independent image without relocations (the "blob"), which the
 * shell maps by injected mmap at any address and fills through /proc/PID/mem. It works in dynamic,
 * PIE, static, static-PIE and musl programs, needs no libc, and never depends on a living shell.
 *
 * LAYOUT, from the blob's base:
 *   0             text, read-only data, .eh_frame                               R-X
 *   EZ_RT_STATE   struct rt_state; then a zeroed page that replaces the
 *                 thread control block before libc has one, and the
 *                 table of breakpoints                                          RW-
 *   EZ_RT_RETURN_TRAMPOLINES  32 MiB of return trampolines: one 2 MiB file
 *                 mapped 16 times                                               R-X
 *   + EZ_DIST     32 MiB of shadow frames                                       RW-
 * A thunk pool (R-X) is mapped near each neighbourhood of functions whose exits use call-through.
 * The pool is a page with the code to which the thunks jump and its unwind table, then room for the
 * return thunks. The data words of a return thunk are EZ_RETURN_THUNK_DIST bytes after it.
 *
 * HOW A PROBE WORKS. The function begins with `jmp trampoline`. A trampoline is a copy of one of
 * the templates in rt_entry.S followed by its data (struct ez_trampoline_data) and by the relocated
 * prologue. Fast paths are in assembler. Anything rare (first hit of a thread, end of a chunk or of
 * a sub-buffer, tail calls, no buffer) calls the C functions below through a thunk that keeps every
 * register.
 *
 * RETURN TRAMPOLINES. To see the exit of a function, the trampoline moves its return address into a
 * *shadow frame*, and enters the body through the *return trampoline* that is paired with the
 * frame: a `call *frame.target`, which pushes its continuation in the place of the return address.
 * When the body returns to the continuation, the continuation jumps to ez_exit. The word just
 * popped identifies the return trampoline, which identifies the shadow frame. Every call
 * instruction has its ret, so the processor's return predictor stays right. Stack arguments do not
 * move. One unwind row describes all return trampolines.
 *     shadow frame i = return trampoline i + EZ_DIST. A chunk has a header and 127 shadow frames.
 *
 * CALL-THROUGH. Some bodies provably (engine/code/frame.h) read and write nothing on the stack from
 * their return address up, and are only left by a return. A call of such a body needs no shadow
 * frame: the trampoline leaves the return address where it is, and enters the body through the id's
 * *return thunk*, `call *target; jmp *exit`, which all calls of all threads share. The trampoline
 * also steps over one word, so that the body's stack alignment stays. The continuation identifies
 * the return thunk, and the return thunk identifies the counter: struct ez_return_thunk is as long
 * as struct ez_counter. A frame that a longjmp or a throw skips leaves nothing behind. A tail call
 * from a function with a return trampoline into a function with call-through returns through the
 * return thunk, then through the return trampoline.
 *
 * INVARIANTS
 * R1 `ctl.top` and `ctl.head` are the only words by which memory is allocated. Each changes by one
 * unlocked cmpxchg,
 *     so a signal handler may run, nest, throw or longjmp between any two instructions.
 * R2  A shadow frame is live while loc == 0 (being filled) or the word at *loc is its continuation
 *     or its real return address. Only a dead frame is reclaimed. Stack pointers are never compared
 *     (coroutines).
 * R3  An exit finds its shadow frame by the return trampoline, so calls may end on any thread and
 *     in any order. A frame that is not on top becomes a hole (loc = EZ_HOLE), which is trimmed
 *     later.
 * R4  A control block serves only the thread whose tid it was validated for. A forked child finds
 *     zeros (MADV_WIPEONFORK) and runs unprobed.
 * R5  No path spins. No path enters the kernel when `no_syscalls` is set, and no fast path ever
 *     does.
 *
 * THE CLOCK. The trampolines read the time stamp counter. If the counter is not reliable, the shell
 * puts a jump to ez_tick_thunk over the reading instructions (struct ez_alt) before the first
 * trampoline exists. The thunk reads CLOCK_MONOTONIC through the target's vDSO (rt_clock.c). The
 * vDSO enters the kernel on machines whose clock it cannot read. If no_syscalls forbids that,
 * `hdr->now_ns` is the time.
 *
 * THE STACK. A hit uses at most 512 bytes of the target's stack on every path
 * (tests/fault/check_budget.sh), or 1,024 bytes in a function with clauses. The control block has
 * the further memory for reclaiming shadow frames and reading the clock.
 *
 * Source: PROPER'12 section 4 (base trampoline, relocated code); return trampolines have no source.
 * Tests: tests/unit/rt/check_rt.c, tests/fault/check_state.sh, tests/fault/check_budget.sh */
#ifndef EZ_RT_H
#define EZ_RT_H

#include "engine/ring_abi.h"

#define EZ_RT_STATE 0x10000 /* offset of rt_state in the blob */
#define EZ_RT_TRAPS 0x14000 /* offset of struct rt_trap[EZ_NTRAP] */
#define EZ_RT_TCB 0x17000   /* offset of the page that replaces a thread control block */
#define EZ_RT_RETURN_TRAMPOLINES 0x18000
#define EZ_RT_SIZE (EZ_RT_RETURN_TRAMPOLINES + 2 * EZ_DIST) /* bytes of the whole mapping */
/* Bytes of the file of return trampolines, which is mapped repeatedly. */
#define EZ_RT_RETURN_TRAMPOLINE_FILE 0x200000

#define EZ_HOLE 1
/* Indexes of words in a chunk's head, and in a shadow frame. LOC: address of the return address of
 * the frame's call. */
#define EZ_CHUNK_PREV 0
#define EZ_CHUNK_OWNER 2
#define EZ_ENTRY_LOC 2

/* Kinds of templates. In kinds 0 to 3, bit 0 = records the entry, bit 1 = follows the exit. */
#define EZ_TMPL_REC 1
#define EZ_TMPL_EXIT 2
#define EZ_TMPL_HOOK 4        /* the template only calls a function of the runtime, for a hook */
#define EZ_TMPL_THROUGH 5     /* follows the exit by call-through, and only counts */
#define EZ_TMPL_THROUGH_REC 6 /* as EZ_TMPL_THROUGH; the template also records the entry */
#define EZ_TMPL_DATA 7        /* has clauses: calls ez_data; follows no exit */
/* has clauses: calls ez_data, which reserves a shadow frame if the exit is followed */
#define EZ_TMPL_DATA_EXIT 8
#define EZ_TMPL_DATA_FAST 9   /* records registers without C code; follows no exit */
#define EZ_TMPL_DATA_COUNT 10 /* counts by a register without C code; follows no exit */
#define EZ_TMPL_DATA_TIMED 11 /* adds up how long calls take, without C code */
/* Bits in the low half of the code word of an exit's record. The lowest byte of the code word is
 * 1. */
#define EZ_DATA_EXIT 2  /* rt_data.c handles the exit, because of clauses */
#define EZ_DATA_TIMED 4 /* ez_exit adds up the duration of the call without C code */
/* Offsets in struct ez_addup_row, and EZ_ADDUP_NOBODY's value, for the assembler. */
#define EZ_ADDUP_KEY0 0x5ca1ab1e0ddba11
#define EZ_AR_N 8
#define EZ_AR_SUM 16
#define EZ_AR_LEAST 24
#define EZ_AR_MOST 32
#define EZ_AR_BUCKET 64
#define EZ_NTMPL 12

/* Sizes of the holes in templates with clauses, in bytes: room for code that the shell writes. */
#define EZ_HOLE_COND 96
#define EZ_HOLE_WORDS 144
#define EZ_HOLE_COUNT 112
#define EZ_FAST_WORDS 6 /* maximum words of an event without C code */

/* ez_trampoline_data.flags */
#define EZ_TRAMPOLINE_REC 1    /* the entry is recorded */
#define EZ_TRAMPOLINE_PAIRED 2 /* a return trampoline follows the exit */
/* the function has a hook and a probe: the hook counts the probe's hits */
#define EZ_TRAMPOLINE_COUNT 4
#define EZ_TRAMPOLINE_FOLLOW 8 /* with clauses: every exit is followed, whichever clauses passed */

/* Offsets in struct ez_trampoline_data, for the assembler. */
#define EZ_SD_BODY 0
#define EZ_SD_INFO 8
#define EZ_SD_CODE 16
#define EZ_SD_FLAGS 20
#define EZ_SD_SLOW 24
#define EZ_SD_ROOM 32
#define EZ_SD_TICK 40
#define EZ_SD_RETURN_THUNK 48
#define EZ_SD_BYTES 56

/* For calls of a replacement that keep registers (rt_keep.S): offsets in struct ez_keep, bits of
 * its `results`, and offsets in struct rt_state. */
#define EZ_KEEP_WITH 0
#define EZ_KEEP_ENTER 8
#define EZ_KEEP_RESULTS 16
#define EZ_KEEP_BYTES 24
#define EZ_KEEP_AX 1
#define EZ_KEEP_DX 2
#define EZ_KEEP_X0 4
#define EZ_KEEP_X1 8
#define EZ_KEEP_ARGS 256 /* limit of the bytes of stack arguments that are copied */
#define EZ_ST_XS_MASK 232
#define EZ_ST_XS_INUSE 236
#define EZ_ST_XS_SIZE 240
#define EZ_ST_KEEPING 244

#ifndef __ASSEMBLER__

/* The data behind a trampoline. Two trampolines of one template differ only in this data. */
struct ez_trampoline_data {
    uint64_t body; /* address of the relocated prologue, which runs the function */
    uint32_t cnt;  /* offset of the id's counter: id * sizeof(struct ez_counter) */
    /* Low half of the code word of an exit's record; 0 = only counts. In a hook on a function that
     * jumps: EZ_JUMP_*. */
    uint32_t exit;
    /* Low half of the code word of an entry's record. EZ_TMPL_DATA_TIMED: offset of the histogram's
     * row from the buffer's aggregates. */
    uint32_t code;
    uint32_t flags;
    /* Addresses of the thunks; a hook uses only `slow`. With clauses, `room` is the address of the
     * struct ez_program. */
    uint64_t slow, room, tick;
    /* Call-through: the return thunk. EZ_TMPL_DATA_TIMED: the offset of the clause's counter. */
    uint64_t thunk;
};

/* Data of the code that calls a replacement and keeps registers. */
struct ez_keep {
    uint64_t with;    /* the replacement */
    uint64_t enter;   /* address of ez_keep in the blob */
    uint64_t results; /* EZ_KEEP_*: result registers that the original sets */
};

/* Where the hook on a function that jumps (rt_left.c) finds the stack pointer to which the jump
 * leads. */
#define EZ_JUMP_MANGLED 1 /* in the first argument: glibc's jmp_buf */
#define EZ_JUMP_PLAIN 2   /* in the first argument: musl's jmp_buf */
#define EZ_JUMP_CONTEXT 3 /* in the first argument: a ucontext_t */
#define EZ_JUMP_SWAP 4    /* in the second argument: a ucontext_t */
#define EZ_JUMP_END 5     /* no jump: the function ends the thread, and all calls of the thread */
#define EZ_JUMP_ABORT 6   /* no jump: the function ends the program */
#define EZ_NJUMPS 7

struct ez_pool_words {
    uint64_t cont;             /* continuation of return thunk 0 */
    uint64_t slow, room, tick; /* thunks */
    uint64_t left;             /* personality of return thunks */
};

/* The two words that a return thunk jumps through. */
struct ez_return_thunk {
    uint64_t target; /* address of the relocated prologue */
    uint64_t exit;   /* ez_through or ez_through_rec */
};

/* Returns nonzero if a trampoline with clauses and these flags (EZ_ROW_*) follows exits. */
static inline int ez_row_follows(int flags)
{
    return !(flags & EZ_ROW_FAST) && flags & (EZ_ROW_EXIT | EZ_ROW_FOLLOW);
}

/* Returns the template for a row with these flags (EZ_ROW_*). */
static inline int ez_template_of(int flags)
{
    if (flags & (EZ_ROW_INTERNAL | EZ_ROW_JUMP))
        return EZ_TMPL_HOOK;
    if (flags & EZ_ROW_TIMED)
        return EZ_TMPL_DATA_TIMED;
    if (flags & EZ_ROW_FAST)
        return flags & EZ_ROW_COUNT ? EZ_TMPL_DATA_COUNT : EZ_TMPL_DATA_FAST;
    if (flags & EZ_ROW_DATA)
        return ez_row_follows(flags) ? EZ_TMPL_DATA_EXIT : EZ_TMPL_DATA;
    if (flags & EZ_ROW_THROUGH)
        return flags & EZ_ROW_REC_ENTRY ? EZ_TMPL_THROUGH_REC : EZ_TMPL_THROUGH;
    return (flags & EZ_ROW_REC_ENTRY ? EZ_TMPL_REC : 0) | (flags & EZ_ROW_EXIT ? EZ_TMPL_EXIT : 0);
}

/* The first bytes of the blob. Offsets are from its base. */
struct ez_blob_hdr {
    uint64_t size; /* bytes of text and data to write */
    uint64_t tmpl[EZ_NTMPL], tmpl_end[EZ_NTMPL];
    uint64_t tmpl_data[EZ_NTMPL]; /* offset of struct ez_trampoline_data in each template */
    uint64_t tmpl_cnt[EZ_NTMPL];  /* offset of the u32 that holds the counter's offset */
    /* For EZ_TMPL_DATA to EZ_TMPL_DATA_TIMED. cond: the hole for a condition; cond_not, cond_pass:
     * where the code in the hole jumps if the condition is false or true; filtered: the u32 for the
     * offset of the counter of filtered hits. */
    uint64_t cond[5], cond_not[5], cond_pass[5], filtered[5];
    /* For EZ_TMPL_DATA_FAST, three u32 that the shell fills in. fast_fit: EZ_SUB_BYTES - bytes of
     * an event; fast_accept: bytes of an event; fast_passed: offset of the clause's counter.
     * fast_words: the hole for words. */
    uint64_t fast_fit, fast_accept, fast_passed, fast_words;
    /* For EZ_TMPL_DATA_COUNT: the hole for the count, and where the code in the hole jumps if C
     * code must make a row. */
    uint64_t count, count_more;
    uint64_t timed_passed; /* for EZ_TMPL_DATA_TIMED: the u32 for the offset of the
                                          * clause's counter */
    uint64_t exit;         /* ez_exit */
    /* pool, pool_end: begin and end of the page that the shell copies for each pool; pool_words:
     * its struct ez_pool_words */
    uint64_t pool, pool_end, pool_words;
    /* In the thunk pool. through: code that counts an exit; through_rec: code that also records it;
     * thunk: the bytes of a return thunk, which are the same for all thunks. */
    uint64_t through, through_rec, thunk;
    uint64_t through_slow;                        /* thunk of ez_through_slow */
    uint64_t slow, room, loader, unwind, profile; /* thunks of the C functions with these names */
    uint64_t tick;
    uint64_t trap, trap_return; /* the SIGTRAP handler, and the code by which it returns */
    uint64_t left_return_thunk;
    uint64_t jump;                                     /* thunk of ez_jump */
    uint64_t data;                                     /* thunk of ez_data */
    uint64_t keep, keep_in, keep_in_end, keep_in_data; /* rt_keep.S */
    uint64_t event, enter, again;                      /* functions that modules call */
    uint64_t dl_here, dl_apart;                        /* rt_dl.c */
    uint64_t fragment_back;                            /* address to which fragments return */
    uint64_t eh_frame;
    uint64_t fs_tid, fs_tid_end; /* list of the u32 offsets of `mov %fs:TID,%eax` */
    uint64_t fs_key, fs_key_end; /* list of the u32 offsets of `cmp %eax,%fs:KEY` */
    uint64_t cookie, cookie_end; /* list of the u32 offsets of `xor $COOKIE,%eax` */
    uint64_t mono, mono_end;     /* list of the struct ez_alt that replace the counter by
                                  * CLOCK_MONOTONIC */
    uint64_t text_end;
};

/* The shell writes `code` over `len` bytes of the blob at `at`. */
struct ez_alt {
    uint32_t at; /* offset from the blob's base */
    uint8_t len, code[19];
};

/* Arguments of ez_dl_here and ez_dl_apart, and their result. The first four members are addresses
 * of functions in the process. */
struct rt_dl {
    uint64_t dlopen, dlerror, pthread_create, pthread_detach;
    uint64_t dlsym; /* finds the function `loaded` of the file, which is then called; 0 = none */
    /* the new thread's stack, and pthread_attr_init, _setstack and _destroy; stack 0 = a stack of
     * the C library */
    uint64_t stack, stack_size, attr_init, attr_setstack, attr_destroy;
    uint64_t attr[16];                      /* a pthread_attr_t */
    uint64_t init, inits, argc, argv, envp; /* functions and arguments that ez_dl_here calls first
                                             * (engine/plugin/deliver.c) */
    volatile uint64_t handle;               /* result of dlopen; 0 = failed, and `error` is
                                             * dlerror's text */
    volatile uint32_t done, pad;
    char error[1024], path[2048], loaded[64];
};

/* A breakpoint of the shell, and its trampoline. The shell writes the trampoline first. */
#define EZ_NTRAP 768
struct rt_trap {
    volatile uint64_t addr, trampoline;
};

struct rt_sigaction { /* the kernel's layout */
    uint64_t handler, flags, restorer, mask;
};
#define RT_SA_RESTORER 0x04000000
/* SA_SIGINFO, SA_ONSTACK, SA_RESTORER and SA_NODEFER: flags of the SIGTRAP handler, chosen to
 * disturb the program least. */
#define RT_SA_TRAP (4 | 0x08000000 | RT_SA_RESTORER | 0x40000000)

#define EZ_UNWINDERS 8 /* limit of libraries in a process that unwind stacks */

/* State of the runtime, which the shell writes before the first trampoline can run. */
struct rt_state {
    struct ez_hdr *hdr;
    uint8_t *ctls;            /* address of struct rt_proc (one page); struct ez_ctl[nbuffers] is
                               * behind that page */
    uint32_t tid_off;         /* offset of the tid in the thread control block; 0: use gettid */
    uint32_t tcb_free;        /* 1 = the words EZ_TCB_CTL and EZ_TCB_KEY of the thread control block
                               * are free (glibc) */
    uint64_t r_debug;         /* the loader's struct r_debug; 0: unknown */
    volatile uint64_t chunks; /* number of chunks in use so far */
    uint64_t max_chunks;
    volatile uint32_t buffer_hint; /* start of the search for a free buffer */
    volatile uint32_t no_buffer;   /* 1 + buffers_ready at the time when a wait for more buffers
                                    * failed; 0 = none failed */
    /* Part of a thread's key, tid ^ cookie. Trampolines of an earlier shell's runtime have another
     * cookie, so they never use control blocks of this runtime. */
    uint32_t cookie;
    uint64_t eh_frame;
    uint64_t pool[EZ_NPOOLS]; /* address of each thunk pool; the pool's unwind table is at the same
                               * address */
    volatile uint64_t npools;
    uint64_t mono;       /* 1 = records have CLOCK_MONOTONIC in ns; 0 = ticks of the time stamp
                          * counter */
    uint64_t vdso_clock; /* the target's __vdso_clock_gettime; 0: none */
    /* SIGTRAP actions: the runtime's, and the program's own */
    struct rt_sigaction trap_act, trap_old;
    int64_t clock_add; /* ns between the target's CLOCK_MONOTONIC and the shell's (time namespaces);
                        * add it to the target's */
    /* xs_mask: what xsave must save besides the low halves of vector registers, 0 = nothing;
     * xs_inuse: xgetbv reports what is in use; xs_size: bytes of the area. */
    uint32_t xs_mask, xs_inuse, xs_size;
    volatile uint32_t keeping; /* number of calls that will return to ez_keep (rt_keep.S) */
    struct rt_unwinder {
        uint64_t get_cfa, lo, hi; /* get_cfa: address of its _Unwind_GetCFA; lo, hi: range of its
                                   * code, hi 0 = unloaded */
    } unwinder[EZ_UNWINDERS];
};

/* The page before the control blocks. The kernel clears it in a forked child. */
struct rt_proc {
    volatile uint64_t alive; /* 1; a forked child reads 0 */
    volatile uint64_t pid;   /* result of getpid(); 0: not known yet */
    uint64_t pad[6];
    struct {
        volatile uint64_t tid;
        struct ez_ctl *volatile ctl;
    } cache[251]; /* control blocks (struct ez_ctl) by tid, if the thread control block has no free
                   * words */
};
#endif
#endif
