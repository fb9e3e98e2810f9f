/* SPDX-License-Identifier: MIT */
/* ring_abi.h - the one header both sides share: the shell, and the runtime that
 * lives in the target. The assembler reads it too (constants only).
 *
 * SHARED SEGMENT (a sealed memfd, mapped read-write by both):
 *
 *   ez_hdr | ranges | probe table (ids_max x ez_row) | buffers | counters | rings
 *
 * A *buffer* belongs to one thread of the target: a shared line of words, an array
 * of counters ({entries, exits} per id) and one ring. Buffer 0 is common: threads
 * that own no buffer count there with locked instructions and record nothing.
 * Pages of a buffer exist (are fallocated) once its index is below `buffers_ready`;
 * the runtime takes no buffer beyond, so touching a buffer never raises SIGBUS.
 *
 * RING: a ring is `nsub` sub-buffers of 32 KiB (`nsub` is a power of two; buffers that only
 * crowds of threads need have fewer, see ez_buffer_subs). A sub-buffer is one header word, then
 * 1365 records of 24 bytes, which end exactly where the sub-buffer ends. Positions
 * are byte counts that only grow; position p stands at ring[p mod ring size]. The
 * writer's position is `ctl.head`; `buffer.space` counts the sub-buffers given back, so the
 * writer may enter sub-buffer number q while q - space < nsub. A free sub-buffer
 * is all zeros. The writer sets the header word to its thread's id, which holds for all
 * records up to an EZ_R_OWNER record, which names another thread. The drain thread zeroes
 * records and header, then adds 1 to `space`. A record is committed when its `code`, written
 * last, is not 0.
 *
 * PRIVATE CONTROL (struct ez_ctl): anonymous memory of the target with
 * MADV_WIPEONFORK, one per buffer, so a forked child sees zeros and stays unprobed.
 *
 * SLOTS AND ENTRIES: see engine/rt/rt.h ("paired return slots").
 *
 * Both sides are the same machine: native byte order, 8-byte words. */
#ifndef EZ_RING_ABI_H
#define EZ_RING_ABI_H

#define EZ_ABI_MAGIC 0x31687374657a65 /* "ezetsh1" */
#define EZ_ABI_VERSION 11
#define EZ_SEG_NAME "eztsh-rings" /* "/memfd:eztsh-rings" in /proc/PID/maps */

#define EZ_SUB_BYTES 32768                              /* a sub-buffer      */
#define EZ_REC_BYTES 24                                 /* a raw64 record    */
#define EZ_SUB_RECS ((EZ_SUB_BYTES - 8) / EZ_REC_BYTES) /* 1365              */

/* FxT codes. The code word of a record with n arguments is FUT_CODE(c, n) = c << 8 | (n + 1). */
#define EZ_C_PROBE 0x1000000 /* + 2 * id (+ 1 for the exit); no argument        */
#define EZ_C_DEF 0x200000    /* definitions: see engine/ring/fxt_out.h               */
#define EZ_C_THREAD 0x300000 /* + EZ_T_*: an event of the thread itself         */
#define EZ_C_VALUE 0x400000  /* + number of a variable: a value of a job (engine/jobs/series.h) */
#define EZ_C_MODULE                                                                                \
    0x2000000       /* + module's ID << 16 + number of its event; its words are arguments */
#define EZ_T_WAIT 0 /* the thread begins to wait for room in its ring   */
#define EZ_T_WAIT_END 1
#define EZ_T_GAP                                                                                   \
    2                     /* 1 argument: how many events were lost from here on; the gap
                        * closes all open calls of the thread                    */
#define EZ_T_GAP_END 3    /* all is recorded again; which calls are open is not known */
#define EZ_T_SWITCH_OUT 4 /* 1 argument: 1 = preempted, 0 = the thread went to sleep */
#define EZ_T_SWITCH_IN 5
#define EZ_NT 6
#define EZ_EXIT_UNWOUND 1 /* the argument of an exit that is no return            */
/* Codes that occur in rings only, never in the file: */
#define EZ_R_LEFT 0x300040  /* the call at that frame, and all below on its stack, are gone */
#define EZ_R_OWNER 0x300041 /* records from here on are of the thread with that id     */
#define EZ_R_NAME 0x300042  /* + 0, + 1: each half of the thread's name, 8 bytes        */
#define EZ_R_MORE 0x300044  /* one more word of the module's event before it           */
#define EZ_R_PAD 0x300045   /* nothing: the next event did not fit into the sub-buffer */
#define EZ_R_PAIR 0x300046  /* two more words of the probe's event before it: tick and tid */
#define EZ_R_STACK 0x300047 /* + 0, + 1: begin, end of the new stack that the thread goes to  */
#define EZ_NR 9             /* codes from EZ_R_LEFT on                                  */
#define EZ_EVENT_WORDS 32   /* of a module's event, at most                             */
#define EZ_CODE_BIT 32      /* the one bit of a probe's code word above bit 31 */

/* The clock that stamps records. */
#define EZ_CLOCK_RAW_TSC 0
#define EZ_CLOCK_MONO_NS 1

#define EZ_PAUSES 256 /* that the drain thread may not know yet (ez_hdr.pause_at) */

/* Buffer states (ez_buffer.state). */
#define EZ_BUFFER_FREE 0
#define EZ_BUFFER_USED 1

/* Slots: 8192 chunks of 4 KiB hold slots, then as many chunks hold their entries. */
#define EZ_CHUNK 4096
#define EZ_RETURN_TRAMPOLINE 32
#define EZ_NCHUNK 8192
#define EZ_DIST 0x2000000 /* EZ_NCHUNK * EZ_CHUNK: entry(i) = slot(i) + EZ_DIST */

/* Return thunks: there is one per id. Each lies EZ_RETURN_THUNK_DIST bytes before its data words,
 * and is as long as a counter. */
#define EZ_RETURN_THUNK 16
#define EZ_RETURN_THUNK_DIST 0x1000000 /* 1,048,576 return thunks, then the words of each         */
#define EZ_POOL_THUNKS 4096 /* offset of the first; before it: the code that leaves the pool */
#define EZ_POOL_SIZE (EZ_POOL_THUNKS + 2 * EZ_RETURN_THUNK_DIST)
#define EZ_NPOOLS 8

/* Offsets that the assembler needs; engine/rt/rt.c asserts them. */
#define EZ_CTL_TOP 0
#define EZ_CTL_HEAD 8
#define EZ_CTL_CNT 16
#define EZ_CTL_RETURN_TRAMPOLINES 32
#define EZ_CTL_RING 40
#define EZ_CTL_MASK 48
#define EZ_CTL_ADDUPS 96
#define EZ_E_RA 0
#define EZ_E_TARGET 8
#define EZ_E_LOC 16
#define EZ_E_CNT 24
#define EZ_E_CODE_LO 28
#define EZ_H_EXIT 24 /* in a chunk's header (entry 0): address of ez_exit */

/* Words of glibc's thread control block that it reserves and never touches. */
#define EZ_TCB_CTL 0x80 /* pointer to the thread's ez_ctl                      */
#define EZ_TCB_KEY 0x88 /* u32: tid ^ cookie of the runtime it is valid for    */

#ifndef __ASSEMBLER__
#include <stdint.h>

/* A probe's event as it stands in a FxT file (USER_RAW64, no argument); only `tid` differs. */
struct ez_rec {
    uint64_t tick; /* by the segment's clock (ez_hdr.clock)                    */
    uint64_t tid;  /* in a ring not the tid but the frame: the address of the return address
                    * (of a call-through: of the pad below it); in EZ_T_GAP the argument */
    uint64_t code; /* written last: 0 = reserved, not yet committed            */
};
#define EZ_TICK_SOON 1 /* a tick that is about to be read */

/* The row of one id, that is of one variant: a (site, mode) pair. A site whose mode changes gets
 * a new id, so that each id's counters mean one thing. Rows are never reused. The shell writes a
 * row before the id goes live. The rows are the journal from which a later shell repairs the
 * target, so the fields up to `after` have the same layout in every version, and those up to
 * `strategy` from version 2 on. */
struct ez_row {
    uint64_t addr;      /* address of the patch; 0 = unused row                */
    uint8_t len;        /* bytes patched                                       */
    uint8_t planted;    /* 1 = `after` is (being) written, 0 = `before` is restored */
    uint16_t flags;     /* EZ_ROW_*                                            */
    uint32_t name_off;  /* reserved for adopting shells; 0 = none              */
    uint8_t before[16]; /* the file's bytes                                    */
    uint8_t after[16];  /* the patch                                           */
    uint64_t trampoline;
    uint64_t func;   /* address of the function the site belongs to         */
    uint64_t island; /* address of the island: the long jump to which the patch leads when it
                    * cannot reach the trampoline; 0 = none. An island in padding is undone after
                    * the patch; one in memory that eztsh mapped (a pun's) stays. */
    uint8_t island_before[8], island_after[8]; /* in padding                           */
    uint32_t relocated;                        /* the relocated prologue: bytes from `trampoline` */
    uint8_t strategy;                          /* enum ez_strategy                          */
    uint8_t pad1[3];
    uint32_t first; /* id of the site's first row: the counts of all its rows are added up */
    uint32_t back;  /* the jump back from the relocated code: bytes from `trampoline`; 0 = none */
    uint64_t with;  /* EZ_ROW_REPLACE: the function that is called instead      */
    uint64_t orig;  /* where its pointer to the relocated code is; 0 = it has none */
};
#define EZ_ROW_ENTRY 1 /* entries are counted                                 */
#define EZ_ROW_EXIT 2  /* exits are counted                                   */
#define EZ_ROW_REC_ENTRY 4
#define EZ_ROW_REC_EXIT 8
#define EZ_ROW_MODULE                                                                              \
    1024 /* no patch: counts a module's events (`with`: its ezt_rt), and as exits
                             * the calls that were left out by its guard */
#define EZ_ROW_TIMED                                                                               \
    32768 /* with EZ_ROW_DATA: the trampoline and ez_exit add up how long calls take */
#define EZ_ROW_FAST 16384  /* with EZ_ROW_DATA: the trampoline records registers itself   */
#define EZ_ROW_COUNT 8192  /* with EZ_ROW_FAST, which follows no exit: it counts by a register */
#define EZ_ROW_FOLLOW 8192 /* exits are followed for clauses, not counted        */
#define EZ_ROW_CLAUSE 4096 /* no patch: counts what a clause's condition let pass, or filtered */
#define EZ_ROW_DATA 2048   /* the trampoline has clauses (data_abi.h)                      */
#define EZ_ROW_KEEP 512    /* and registers are kept over these calls (rt_keep.S) */
#define EZ_ROW_REPLACE 256 /* calls go to `with`                                  */
#define EZ_ROW_JUMP 128 /* the function leaves stacks: also a hook; other flags say what counts */
#define EZ_ROW_PASS 64  /* a host: counts nothing, has room for another site's island  */

#define EZ_ROW_THROUGH 32  /* the exit is hooked by call-through                */
#define EZ_ROW_INTERNAL 16 /* a hook of eztsh's own: no counters               */

struct ez_counter {
    volatile uint64_t entry, exit;
};

struct ez_buffer { /* 256 bytes, shared */
    /* written by the runtime */
    volatile uint32_t state; /* EZ_BUFFER_*; taken by cmpxchg, freed by the shell */
    volatile uint32_t tid;
    volatile uint64_t fs;       /* thread pointer of the owner                  */
    volatile uint64_t untraced; /* events with no trace open                    */
    volatile uint64_t dropped;  /* events that found no room                    */
    volatile uint64_t unhooked; /* calls whose exit could not be hooked         */
    volatile uint64_t waits;    /* times the owner slept for room               */
    volatile uint32_t waiting;  /* 1 while the owner sleeps                     */
    volatile uint32_t pad0;
    volatile uint64_t begin;  /* owner's first position: holes before it are never filled */
    volatile uint64_t waited; /* ticks that owners slept for room                */
    /* the fragment that runs (rt_fragment.c): its struct ezt_fragment, 0 = none; its frame; how many
     * ran, this one included */
    volatile uint64_t fragment, fragment_frame, fragment_runs;
    uint64_t pad1[3];
    /* written by the shell */
    volatile uint32_t space; /* sub-buffers given back, ever (mod 2^32); futex */
    /* index of the next record to read: read & 0xffff if read >> 16 is space & 0xffff, else 0 */
    volatile uint32_t read;
    volatile uint64_t recorded;  /* records written to the trace file            */
    volatile uint64_t discarded; /* records consumed with no trace open         */
    volatile uint64_t torn;      /* records reserved, never committed            */
    volatile uint64_t unwound;   /* exits written that are no return             */
    volatile uint64_t owner;     /* tid of the next record                       */
    volatile uint64_t filtered;  /* records that the shell did not write, or not yet */
    uint64_t pad3[10];
};

/* Number of sub-buffers of a buffer's ring, at most nsub. High buffers have fewer: a thousand
 * threads do not run at once, and each of their rings costs memory. */
static inline uint32_t ez_buffer_subs(uint32_t buffer, uint32_t nsub)
{
    uint32_t n = buffer < 64 ? nsub : buffer < 512 ? nsub / 8 : 2;
    return n < 2 ? 2 : n;
}

struct ez_hdr { /* one page */
    uint64_t magic;
    uint32_t abi, generation;
    uint32_t target_pid, shell_pid;
    uint32_t nbuffers, ids_max, nsub;
    uint32_t clock; /* EZ_CLOCK_*: what stamps records                          */
    uint64_t off_rows, off_buffers, off_counters, off_rings, size; /* bytes      */
    /* the shell's orders: plain words, which the runtime reads in slow paths only */
    volatile uint32_t buffers_ready; /* buffers whose pages exist                  */
    volatile uint32_t ids_used;      /* rows in use                              */
    volatile uint32_t trace_open;    /* 1 = recording sites record               */
    volatile uint32_t overflow_wait; /* 1 = a full ring waits, 0 = drops       */
    volatile uint32_t no_syscalls;   /* a seccomp filter is on: never enter the kernel */
    volatile uint32_t clock_enters;  /* reading CLOCK_MONOTONIC may enter the kernel     */
    volatile uint64_t progress;      /* +1 per round of the drain thread         */
    /* the drain thread sleeps on `wake` while `asleep` is 1 */
    volatile uint32_t wake, asleep;
    /* the loader's rendezvous */
    volatile uint32_t loader_seq;  /* +1 by the runtime at each consistent state */
    volatile uint32_t loader_ack;  /* the shell's answer; futex                  */
    volatile uint32_t loader_wait; /* 1 = wait for the answer                    */
    /* size of a row: with it a shell of another build can remove the probes */
    uint32_t row_bytes;
    volatile uint64_t common_dropped; /* events of threads without a buffer        */
    volatile uint64_t now_ns;         /* CLOCK_MONOTONIC, once per round of the drain thread */
    uint64_t off_ranges;              /* struct ez_ranges (data_abi.h), one page      */
    volatile uint32_t loader_busy;    /* 1 = the loader adds or removes libraries     */
    volatile uint32_t addups_ready;   /* aggregates whose tables exist                */
    uint64_t off_addups;              /* tables of aggregates (data_abi.h)            */
    uint32_t naddups;                 /* tables in a buffer                              */
    volatile uint32_t loader_inside; /* the loader_seq of the thread in the hook; 0 = it has left */
    uint64_t pad3[3];
    /* A robust futex that the drain thread holds as long as it lives (drain.c): the kernel
     * sets FUTEX_OWNER_DIED in `word` when the shell dies. The room is a pthread_mutex_t's. */
    union {
        volatile uint32_t word;
        uint64_t room[8];
    } owner;
    /* Actions of clauses (data_abi.h, rt_act.c). A bit for each probe that they switch: 1 = on. */
    volatile uint64_t gates;
    /* How often recording was paused or went on, ever: odd = it is paused; how many of these the drain
     * thread knows; when: by number % EZ_PAUSES, 0 = not known yet. */
    volatile uint32_t pauses, pauses_known;
    volatile uint64_t pause_at[EZ_PAUSES];
    volatile uint32_t requests;  /* +1 with each request to the shell                  */
    volatile uint32_t snapshots; /* asked for, ever                                    */
    volatile uint32_t stops_on;  /* 1 = a shell is there that answers a thread that holds */
    volatile uint32_t snapshot_id;
    struct { /* the thread that holds until the shell lets it go on; the shell trusts none of it */
        volatile uint32_t tid;  /* 0 = none; futex                                         */
        volatile uint32_t full; /* = tid when the rest is there                            */
        volatile uint32_t id, at_exit;
        volatile uint64_t loc; /* where the return address stands, or stood              */
        volatile uint64_t
            reg; /* address of the general registers, by DWARF's numbers; 0 = unknown */
        volatile uint64_t caller;
    } hold;
};

/* A buffer's control block: private memory of the target, wiped on fork. 1 KiB; two thirds of it
 * (`gc`, `vec`) are scratch, which spares the thread's stack. */
struct ez_ctl {
    volatile uint64_t top;       /* address of the next free entry; 0 = wiped        */
    volatile uint64_t head;      /* position of the next record; a multiple of 32 KiB
                             * = the next sub-buffer must be entered first      */
    uint64_t cnt;                /* this buffer's counters                             */
    uint64_t tid;                /* of the buffer's owner                              */
    uint64_t return_trampolines; /* address of the slot area                         */
    uint64_t ring;               /* address of sub-buffer 0                          */
    uint64_t mask;               /* ring bytes - 1                                   */
    struct ez_buffer *buffer;
    volatile uint64_t nchunk, gc_at; /* chunks in the chain; reclaim at that number      */
    volatile uint64_t freel;         /* free chunks                                      */
    uint64_t busy;                   /* a routine, maybe interrupted, holds chunk pointers */
    uint64_t addups;                 /* address of this buffer's tables of aggregates; 0 = wiped */
    uint64_t stuck;                  /* drain progress at which waiting was given up, +1 */
    volatile uint64_t lost, lost_tick; /* events lost and not reported yet; tick of the first */
    uint64_t gc[48];                   /* scratch for reclaiming entries, while `busy`       */
    uint64_t vec[34];            /* vector registers saved around the clock; 16 bytes aligned */
    volatile uint64_t vec_busy;  /* `vec` is in use: a signal handler saves on its stack */
    volatile uint64_t wait_from; /* tick; 0 = no wait, or it is reported               */
    uint64_t unnamed;            /* the thread's name is not reported yet          */
    volatile uint64_t guard;     /* frame of the replacement whose own code runs; 0 = none */
    uint64_t range;              /* index of the range that rt_read() used last      */
    uint64_t gcs;
    /* rt_fragment.c: the fragment that runs, 0 = none; the stack of fragments, 0 = there is none yet; where the
     * next begins; the newest activation */
    volatile uint64_t fragment;
    uint64_t fragments, fragment_top, activation;
    uint64_t pad2[20];
};
#endif
#endif
