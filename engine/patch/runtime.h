/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime.h - what we map into the process: the blob, its control blocks, the rings,
 * room for stubs (rt_load.c, alloc.c, island.c, return_thunk.c). */
#ifndef EZ_RUNTIME_H
#define EZ_RUNTIME_H

#include "engine/ring/drain.h"
#include "engine/rt/rt.h"
#include "engine/base/vec.h"

struct ez_target;

struct ez_area { /* room for stubs, R-X in the target, mirrored here */
    uint64_t base;
    size_t size, used;
    uint8_t *mirror;
    size_t flushed; /* bytes of the mirror that are in the target             */
};

/* Pages that we map where punned jumps happen to lead: island.c. */
struct ez_island_page {
    uint64_t base;
    bool mapped;
    uint8_t used[EZ_PAGE / 8]; /* a bit per byte                              */
};

struct ez_pool { /* return thunks near some functions (return_thunk.c)                           */
    uint64_t base;
    EZ_VEC(struct ez_return_thunk) thunk; /* by id                                         */
    size_t written, coded;                /* that are in the target; whose code is         */
};

struct ez_runtime { /* what we mapped into the live process */
    bool up;
    uint64_t far;        /* where these were asked for                        */
    uint64_t blob, ctls; /* addresses in the target                       */
    uint64_t restorer;   /* restorer.c; 0 = not there yet                   */
    size_t ctls_size;
    uint64_t seg;       /* the shared segment there                       */
    struct ez_hdr *hdr; /* and here                                       */
    uint64_t seg_size;  /* of both: the target can change what hdr says   */
    int memfd;
    int there;      /* the target's descriptor of what is being made, -1 = none */
    uint8_t *image; /* the adapted blob                               */
    size_t image_size;
    const struct ez_blob_hdr *bh; /* in image                                  */
    struct ez_drain *drain;
    bool exits;           /* some probe follows exits: unwinders need to know our frames   */
    bool calls;           /* some probe records them: who leaves calls is hooked           */
    uint32_t loader_done; /* the last rendezvous that was answered             */
    struct ez_row *rows;
    uint32_t nids;
    EZ_VEC(struct ez_area) area;
    struct ez_pool pool[EZ_NPOOLS];
    unsigned npools;
    bool watching; /* the loader's rendezvous is hooked              */
    bool loss_told, switches_told, auto_done;
    bool traps_on; /* the SIGTRAP handler is in place                      */
    EZ_VEC(struct rt_trap) trap;
    bool keep, keep_open; /* going away, the probes stay; they go on recording        */
    bool fitted;          /* to the target's libc                           */
    bool mono;            /* stamped by CLOCK_MONOTONIC (clock.h)           */
    uint64_t vdso_clock;
    int64_t clock_add;
    uint32_t cookie;
};

/* rt_load.c */
ez_err *ez_rt_up(struct ez_target *t) EZ_WUR; /* world stopped; idempotent     */
/* The same, and ready for users' stubs: libc must be loaded, if there is one. */
ez_err *ez_rt_fit(struct ez_target *t) EZ_WUR;
bool ez_rt_libc_known(struct ez_target *t); /* the stubs' needs can be met      */
void ez_rt_settings(struct ez_target *t);
void ez_rt_down(struct ez_target *t); /* the process is gone (or exec)  */
/* What adopt.c shares: the blob's copy here, and fitted to a libc; where a thread's id
 * is (0 = unknown); offsets and size from the three numbers in h; bytes of control blocks. */
void ez_rt_image(struct ez_runtime *rt);
void ez_rt_adapt(struct ez_target *t, uint32_t tid_off, uint32_t cookie);
uint32_t ez_rt_tid_offset(struct ez_target *t);
uint64_t ez_rt_layout(struct ez_hdr *h);
uint64_t ez_rt_ctls_size(uint32_t nlanes);
/* 512 bytes there for what a system call reads or writes; zeros, left as they were. */
uint64_t ez_rt_scratch(const struct ez_target *t);

#endif
