/* SPDX-License-Identifier: MIT */
/* ring_abi.h - layout of the memory that the shell shares with the runtime in the target ("both
 * sides"). Clauses and aggregates are in data_abi.h. The assembler reads the constants too.
 *
 * SHARED SEGMENT (a sealed memfd, mapped read-write by both sides):
 *   ez_hdr | ranges | semaphores | probe table (ids_max x ez_row) | buffers | counters | rings
 *
 * A *buffer* belongs to one thread of the target: a struct ez_buffer, an array of counters
 * ({entries, exits} per id) and one ring. Buffer 0 is common: threads without a buffer count there
 * with locked instructions and record nothing. The pages of a buffer exist (are fallocated) once
 * its index is below `buffers_ready`. The runtime claims no buffer beyond that, so access to a
 * buffer never raises SIGBUS.
 *
 * RING: a ring is `nsub` sub-buffers of 32 KiB. `nsub` is a power of two; high-numbered buffers
 * have fewer sub-buffers (ez_buffer_subs). A sub-buffer is one header word and then 1365 records of
 * 24 bytes, which fill it exactly. Positions are byte counts that only grow; position p is at
 * ring[p mod ring size]. `ctl.head` is the writer's position. `buffer.space` counts the sub-buffers
 * that the drain thread has emptied, so the writer may enter sub-buffer number q while q - space <
 * nsub. A free sub-buffer is all zeros. The writer sets the header word to its thread's id. That id
 * holds for all records up to an EZ_R_OWNER record, which names another thread. The drain thread
 * zeroes records and header, then adds 1 to `space`. A record is committed once its `code`, written
 * last, is not 0.
 *
 * PRIVATE CONTROL (struct ez_ctl): anonymous memory of the target with MADV_WIPEONFORK, one per
 * buffer. A forked child sees zeros and records nothing.
 *
 * RETURN TRAMPOLINES AND SHADOW FRAMES: see engine/rt/rt.h.
 *
 * Both sides run on the same machine: native byte order, 8-byte words. */
#ifndef EZ_RING_ABI_H
#define EZ_RING_ABI_H

#define EZ_ABI_MAGIC 0x31687374657a65 /* "ezetsh1" */
#define EZ_ABI_VERSION 13
#define EZ_SEG_NAME "eztsh-rings" /* "/memfd:eztsh-rings" in /proc/PID/maps */

#define EZ_SUB_BYTES 32768                              /* size of a sub-buffer */
#define EZ_REC_BYTES 24                                 /* size of a raw64 record */
#define EZ_SUB_RECS ((EZ_SUB_BYTES - 8) / EZ_REC_BYTES) /* records of a sub-buffer: 1365 */

/* FxT codes. The code word of a record with n arguments is FUT_CODE(c, n) = c << 8 | (n + 1). */
/* + 2 * id (+ 1 for the exit); arguments only if a clause collects words */
#define EZ_C_PROBE 0x1000000
#define EZ_C_DEF 0x200000    /* definitions: see engine/record/fxt_out.h */
#define EZ_C_THREAD 0x300000 /* + EZ_T_*: an event of the thread itself */
/* + number of a variable: a new value of the variable, in a job's trace (engine/jobs/series.h) */
#define EZ_C_VALUE 0x400000
#define EZ_C_MODULE                                                                                \
    0x2000000       /* + module's ID << 16 + number of its event; the event's words are arguments */
#define EZ_T_WAIT 0 /* the thread begins to wait for room in its ring */
#define EZ_T_WAIT_END 1
#define EZ_T_GAP                                                                                   \
    2                     /* 1 argument: number of events lost between this event and EZ_T_GAP_END;
                           * the gap closes all open calls of the thread */
#define EZ_T_GAP_END 3    /* from here on no event is lost; which calls are open is unknown */
#define EZ_T_SWITCH_OUT 4 /* 1 argument: 1 = preempted, 0 = the thread went to sleep */
#define EZ_T_SWITCH_IN 5
#define EZ_T_SIGNAL 6 /* 1 argument: number of the signal that the thread gets */
#define EZ_NT 7
#define EZ_EXIT_UNWOUND 1 /* argument of an exit that is not a return */
/* Codes that occur in rings only, never in the file: */
/* the call whose frame is in the record, and all calls below that frame on its stack, have ended */
#define EZ_R_LEFT 0x300040
/* the following records belong to the thread whose id is in the record */
#define EZ_R_OWNER 0x300041
#define EZ_R_NAME 0x300042 /* + 0, + 1: halves of the thread's name, 8 bytes each */
#define EZ_R_MORE 0x300044 /* one more word of the preceding module event */
#define EZ_R_PAD 0x300045  /* padding: the next event did not fit into the sub-buffer */
/* two more words of the preceding probe event, in the fields `tick` and `tid` */
#define EZ_R_PAIR 0x300046
/* + 0, + 1: begin and end of the new stack that the thread switches to */
#define EZ_R_STACK 0x300047
#define EZ_NR 9           /* number of codes from EZ_R_LEFT on */
#define EZ_EVENT_WORDS 32 /* maximum words of a module's event */
#define EZ_CODE_BIT 32 /* number of the only bit above bit 31 that is set in a probe's code word */

/* The clock that stamps records. */
#define EZ_CLOCK_RAW_TSC 0
#define EZ_CLOCK_MONO_NS 1

/* entries of ez_hdr.pause_at: maximum number of pauses and resumptions that the drain thread has
 * not read yet */
#define EZ_PAUSES 256
/* bit of ez_hdr.pause_at[i]: the other bits are the tick of a pause or resumption */
#define EZ_PAUSE_HAS_TICK (1ull << 63)

/* Buffer states (ez_buffer.state). */
#define EZ_BUFFER_FREE 0
#define EZ_BUFFER_USED 1

/* 8192 chunks of 4 KiB hold return trampolines. As many chunks behind them hold shadow frames. */
#define EZ_CHUNK 4096
#define EZ_RETURN_TRAMPOLINE 32
#define EZ_NCHUNK 8192
/* EZ_NCHUNK * EZ_CHUNK: distance from a return trampoline to its shadow frame */
#define EZ_DIST 0x2000000

/* Return thunks, one per id. The data words of a thunk are EZ_RETURN_THUNK_DIST bytes after it. A
 * thunk is as long as a struct ez_counter. */
#define EZ_RETURN_THUNK 16
/* room for 1,048,576 return thunks; their data words follow */
#define EZ_RETURN_THUNK_DIST 0x1000000
/* offset of the first thunk in a pool; the code to which the thunks jump is before it */
#define EZ_POOL_THUNKS 4096
#define EZ_POOL_SIZE (EZ_POOL_THUNKS + 2 * EZ_RETURN_THUNK_DIST)
#define EZ_NPOOLS 8

/* Offsets for the assembler; engine/rt/rt.c asserts them. */
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
#define EZ_H_EXIT 24 /* offset in a chunk's header of the address of ez_exit */

/* Offsets of words in the thread control block that glibc reserves and never uses. */
#define EZ_TCB_CTL 0x80 /* pointer to the thread's ez_ctl */
#define EZ_TCB_KEY 0x88 /* u32: tid ^ cookie of the runtime for which EZ_TCB_CTL is valid */

#ifndef __ASSEMBLER__
#include <stdint.h>

/* A probe's event, as in a FxT file (USER_RAW64, no argument). Only `tid` differs. */
struct ez_rec {
    uint64_t tick; /* time by the segment's clock (ez_hdr.clock) */
    /* in the file the thread's id; in a ring the event's argument, or else the frame: the address
     * of the return address (with call-through: of the word below the return address) */
    uint64_t tid;
    uint64_t code; /* code; written last: 0 = reserved, not committed yet */
};
#define EZ_TICK_SOON 1 /* tick of a reserved record whose writer has not read the clock yet */

/* The row of one id, that is, of one variant: a (site, mode) pair. A site whose mode changes gets
 * a new id, so that the counters of an id have one meaning. Rows are never reused. The shell
 * writes a row before the id goes live. The rows are the journal from which a later shell repairs
 * the target. So the fields up to `after` have the same layout in every version, and the fields up
 * to `strategy` from version 2 on. */
struct ez_row {
    uint64_t addr;      /* address of the patch; 0 = unused row */
    uint8_t len;        /* number of patched bytes */
    uint8_t planted;    /* 1 = `after` is written or being written, 0 = `before` is restored */
    uint16_t flags;     /* EZ_ROW_* */
    uint32_t name_off;  /* reserved for adopting shells; 0 = none */
    uint8_t before[16]; /* bytes at addr without the patch */
    uint8_t after[16];  /* the patch */
    uint64_t trampoline;
    uint64_t func;   /* address of the function the site belongs to */
    uint64_t island; /* address of the island, a long jump for a patch that cannot reach the
                      * trampoline; 0 = none. Removal restores an island in padding after the
                      * patch. An island in memory that eztsh mapped (a pun's) stays. */
    uint8_t island_before[8], island_after[8]; /* bytes of an island in padding */
    uint32_t relocated;                        /* offset of the relocated prologue from
                                                * `trampoline`, in bytes */
    uint8_t strategy;                          /* enum ez_strategy */
    uint8_t pad1[3];
    uint32_t first; /* id of the site's first row: a site's count is the sum of its rows */
    uint32_t back;  /* offset of the jump back from the relocated code, in bytes from `trampoline`;
                     * 0 = none */
    uint64_t with;  /* with EZ_ROW_REPLACE: the function that is called instead */
    uint64_t orig;  /* address of the replacement's pointer to the relocated code; 0 = none */
};
#define EZ_ROW_ENTRY 1 /* entries are counted */
#define EZ_ROW_EXIT 2  /* exits are counted */
#define EZ_ROW_REC_ENTRY 4
#define EZ_ROW_REC_EXIT 8
#define EZ_ROW_MODULE                                                                              \
    1024 /* no patch: entries are a module's events, exits the calls that the module's guard
          * excluded; `with`: address of the module's ezt_rt */
#define EZ_ROW_TIMED                                                                               \
    32768 /* with EZ_ROW_DATA: the trampoline and ez_exit add up the durations of calls */
#define EZ_ROW_FAST 16384 /* with EZ_ROW_DATA: the trampoline records registers itself */
/* with EZ_ROW_FAST, without following exits: the trampoline counts by the value of a register */
#define EZ_ROW_COUNT 8192
#define EZ_ROW_FOLLOW 8192 /* exits are followed for clauses, but not counted */
/* no patch: counts the hits that a clause's condition passed or filtered */
#define EZ_ROW_CLAUSE 4096
#define EZ_ROW_DATA 2048 /* the trampoline has clauses (data_abi.h) */
/* with EZ_ROW_REPLACE: calls keep the registers that callers may rely on (rt_keep.S) */
#define EZ_ROW_KEEP 512
#define EZ_ROW_REPLACE 256 /* calls go to `with` */
/* a function that leaves frames (longjmp and others), on which eztsh also has a hook; the other
 * flags are those of the probes on the function */
#define EZ_ROW_JUMP 128
/* an evicted neighbour: counts nothing, its patch region has room for another site's island */
#define EZ_ROW_PASS 64

#define EZ_ROW_THROUGH 32  /* the exit is hooked by call-through */
#define EZ_ROW_INTERNAL 16 /* a hook of eztsh itself, which has no counters */

/* The journal of the counters of USDT probes: what the shell has done to the counter at addr. Since
 * version 13. */
struct ez_semaphore {
    uint64_t addr;
    uint16_t before; /* value before the change that is being made */
    uint8_t state;   /* EZ_SEMAPHORE_*; 0 = unused row */
    uint8_t pad[5];
};
#define EZ_SEMAPHORES 1024 /* number of rows */
#define EZ_SEMAPHORE_RAISING 1
#define EZ_SEMAPHORE_RAISED 2
#define EZ_SEMAPHORE_LOWERING 3
#define EZ_SEMAPHORES_SINCE 13 /* first version of the ABI that has this journal */

struct ez_counter {
    volatile uint64_t entry, exit;
};

struct ez_buffer { /* 256 bytes, shared */
    /* written by the runtime */
    volatile uint32_t state; /* EZ_BUFFER_*; claimed by cmpxchg, freed by the shell */
    volatile uint32_t tid;
    volatile uint64_t fs;       /* thread pointer of the owner */
    volatile uint64_t untraced; /* number of events while no trace was open */
    volatile uint64_t dropped;  /* number of events that found no room */
    volatile uint64_t unhooked; /* number of calls whose exit could not be followed */
    volatile uint64_t waits;    /* number of times that owners slept for room */
    volatile uint32_t waiting;  /* 1 while the owner sleeps */
    volatile uint32_t pad0;
    /* ring position at which the owner began; holes before it are never filled */
    volatile uint64_t begin;
    volatile uint64_t waited; /* ticks that owners slept for room */
    /* The running fragment (rt_fragment.c): address of its struct ezt_fragment, 0 = none; address
     * of its activation; number of times that a fragment began or continued, this time included. */
    volatile uint64_t fragment, fragment_frame, fragment_runs;
    uint64_t pad1[3];
    /* written by the shell */
    volatile uint32_t space; /* number of sub-buffers emptied so far (mod 2^32); futex */
    /* index in its sub-buffer of the next record to read: read & 0xffff if read >> 16 equals space
     * & 0xffff, else 0. N times EZ_SUB_RECS: N sub-buffers were read, and are not returned yet. */
    volatile uint32_t read;
    volatile uint64_t recorded;  /* records written to the trace file */
    volatile uint64_t discarded; /* records read while no trace was open */
    volatile uint64_t torn;      /* records reserved, never committed */
    volatile uint64_t unwound;   /* number of written exits that are not returns */
    volatile uint64_t owner;     /* tid of the next record */
    /* number of records that the shell left out of the trace, or has not written yet */
    volatile uint64_t filtered;
    uint64_t pad3[10];
};

/* Returns the number of sub-buffers of a buffer's ring, at most nsub. Higher buffers have fewer: a
 * thousand threads do not run at once, and each of their rings costs memory. */
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
    uint32_t clock; /* EZ_CLOCK_*: clock of the records */
    uint64_t off_rows, off_buffers, off_counters, off_rings, size; /* bytes */
    /* The shell's orders: plain words, which the runtime reads in slow paths only. */
    volatile uint32_t buffers_ready; /* buffers whose pages exist */
    volatile uint32_t ids_used;      /* rows in use */
    volatile uint32_t trace_open;    /* 1 = recording sites record */
    volatile uint32_t overflow_wait; /* 1 = a thread waits while its ring is full, 0 = it drops the
                                      * event */
    volatile uint32_t no_syscalls;   /* 1 = a seccomp filter is active: the runtime never enters
                                      * the kernel */
    volatile uint32_t clock_enters;  /* 1 = reading CLOCK_MONOTONIC may enter the kernel */
    volatile uint64_t progress;      /* +1 per round of the drain thread */
    /* The drain thread sleeps on `wake` while `asleep` is 1. */
    volatile uint32_t wake, asleep;
    /* The rendezvous with the loader. */
    volatile uint32_t loader_seq; /* +1 by the runtime at each change that the loader notifies */
    volatile uint32_t loader_ack; /* the value of loader_seq that the shell has handled; futex */
    /* set by the shell: 1 = the thread that changes the list waits for loader_ack */
    volatile uint32_t loader_wait;
    /* Size of a row. A shell of another build needs it to remove the probes. */
    uint32_t row_bytes;
    volatile uint64_t common_dropped; /* events of threads without a buffer */
    volatile uint64_t now_ns;         /* CLOCK_MONOTONIC, read once per round of the drain thread */
    uint64_t off_ranges;              /* struct ez_ranges (data_abi.h), one page */
    volatile uint32_t loader_busy;    /* 1 = the loader is adding or removing libraries */
    volatile uint32_t addups_ready;   /* number of aggregates whose tables exist */
    uint64_t off_addups;              /* tables of aggregates (data_abi.h) */
    uint32_t naddups;                 /* number of tables of each buffer */
    volatile uint32_t loader_inside;  /* value of loader_seq for which a thread is in the loader's
                                       * hook; 0 = no thread is in the hook */
    /* Address of the threads' guards, one word for each buffer, in a module (modules/ezt_probe.h);
     * 0 = they are in the control blocks. */
    volatile uint64_t guards;
    /* Offset of the description of the memory that a detached shell left (rt_sweep.c); 0 = none. */
    uint64_t off_left;
    uint64_t off_semaphores; /* EZ_SEMAPHORES x struct ez_semaphore */
    /* A robust futex that the drain thread holds while it lives (drain.c). The kernel sets
     * FUTEX_OWNER_DIED in `word` when the shell dies. The union has the size of a pthread_mutex_t.
 */
    union {
        volatile uint32_t word;
        uint64_t room[8];
    } owner;
    /* Actions of clauses (data_abi.h, rt_act.c). One bit for each probe that actions switch: 1 =
     * on. */
    volatile uint64_t gates;
    /* pauses: number of pauses and resumptions of recording, odd = paused. pauses_known: number of
     * these that the drain thread knows. pause_at: index: number % EZ_PAUSES; with
     * EZ_PAUSE_HAS_TICK the tick of that pause, without it a tick that is not after the pause. */
    volatile uint32_t pauses, pauses_known;
    volatile uint64_t pause_at[EZ_PAUSES];
    volatile uint32_t requests;  /* +1 with each request to the shell */
    volatile uint32_t snapshots; /* snapshots requested so far */
    volatile uint32_t stops_on;  /* 1 = a shell is attached that answers a held thread */
    volatile uint32_t snapshot_id;
    struct { /* The thread that is held until the shell releases it. The shell validates every
              * field. */
        volatile uint32_t tid;  /* 0 = none; futex */
        volatile uint32_t full; /* equal to tid after all other fields are written */
        volatile uint32_t id, at_exit;
        volatile uint64_t loc; /* address of the return address, also after the return */
        volatile uint64_t
            reg; /* address of the general registers, by DWARF's numbers; 0 = unknown */
        volatile uint64_t caller;
    } hold;
};

/* A buffer's control block: private memory of the target, wiped on fork. 1 KiB; two thirds of it
 * (`gc`, `vec`) are scratch, which saves stack of the thread. */
struct ez_ctl {
    volatile uint64_t top;       /* address of the next free entry; 0 = wiped */
    volatile uint64_t head;      /* position of the next record; a multiple of 32 KiB means that
                                  * the next sub-buffer must be entered first */
    uint64_t cnt;                /* address of this buffer's counters */
    uint64_t tid;                /* tid of the buffer's owner */
    uint64_t return_trampolines; /* address of the slot area */
    uint64_t ring;               /* address of sub-buffer 0 */
    uint64_t mask;               /* ring bytes - 1 */
    struct ez_buffer *buffer;
    volatile uint64_t nchunk, gc_at; /* number of chunks in the chain; number at which dead shadow
                                      * frames are reclaimed */
    volatile uint64_t freel;         /* free chunks */
    uint64_t busy;                   /* not 0 = a function uses pointers to chunks; a signal handler
                                      * may have interrupted the function */
    uint64_t addups;                 /* address of this buffer's tables of aggregates; 0 = wiped */
    /* 1 + the value of ez_hdr.progress at which the thread stopped waiting for room */
    uint64_t stuck;
    volatile uint64_t lost, lost_tick; /* events lost and not reported yet; tick of the first */
    uint64_t gc[48];             /* scratch memory for reclaiming shadow frames, while `busy` */
    uint64_t vec[34];            /* vector registers saved around the clock; 16 bytes aligned */
    volatile uint64_t vec_busy;  /* 1 = `vec` is in use: a signal handler saves on its stack
                                  * instead */
    volatile uint64_t wait_from; /* tick at which the current wait began; 0 = no wait, or reported
 */
    uint64_t unnamed;            /* 1 = the runtime has not reported the thread's name yet */
    /* address of the ezt_frame of the replacement whose own code runs; 0 = none */
    volatile uint64_t guard;
    uint64_t range; /* index of the range that rt_read() used last */
    uint64_t gcs;
    /* rt_fragment.c: the running fragment, 0 = none; the stack of fragments, 0 = none yet; the
     * position of the next fragment on that stack; the newest activation. */
    volatile uint64_t fragment;
    uint64_t fragments, fragment_top, activation;
    uint64_t pad2[20];
};
/* A stack of fragments: its size, and the size of the guard page at its low end, in bytes. */
#define EZ_FRAGMENT_STACK (16ul << 20)
#define EZ_FRAGMENT_GUARD 4096ul
#endif
#endif
