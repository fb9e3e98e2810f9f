/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime.h - what we map into the process: the blob, its control blocks, the rings,
 * room for trampolines (rt_load.c, alloc.c, island.c, return_thunk.c). */
#ifndef EZ_RUNTIME_H
#define EZ_RUNTIME_H

#include "engine/patch/rt_refer.h"
#include "engine/ring/drain.h"
#include "engine/rt/rt.h"
#include "engine/base/vec.h"

struct ez_target;

struct ez_area { /* room for trampolines, R-X in the target, mirrored here */
    uint64_t base;
    size_t size, used;
    uint8_t *mirror;
    size_t flushed; /* bytes of the mirror that are in the target             */
};

/* A page that we map where punned jumps happen to lead (island.c). */
struct ez_island_page {
    uint64_t base;
    bool mapped;
    uint8_t used[EZ_PAGE / 8]; /* a bit per byte                              */
};

struct ez_pool { /* return thunks near some functions (return_thunk.c)                           */
    uint64_t base;
    EZ_VEC(struct ez_return_thunk) thunk; /* by id                                         */
    size_t written, coded;                /* thunks whose words, whose code is in the target */
};

struct ez_runtime { /* what we mapped into the live process */
    bool up;
    uint64_t far;        /* where mappings away from the libraries are asked for */
    uint64_t far_room;   /* bytes that are free there                            */
    uint64_t blob, ctls; /* addresses in the target                       */
    size_t ctls_size;
    uint64_t seg;       /* the shared segment in the target               */
    struct ez_hdr *hdr; /* the shared segment in the shell                */
    uint64_t seg_size;  /* kept here, for the target can change what hdr says */
    int memfd;
    int there;      /* the target's descriptor of the memfd being made, -1 = none */
    uint8_t *image; /* the adapted blob                               */
    size_t image_size;
    const struct ez_blob_hdr *bh; /* in image                                  */
    struct ez_row *rows;
    uint32_t nids;
    EZ_VEC(struct ez_area) area;
    struct ez_pool pool[EZ_NPOOLS];
    unsigned npools;
    bool traps_on; /* the SIGTRAP handler is in place                      */
    EZ_VEC(struct rt_trap) trap;
    bool watching; /* the loader's rendezvous is hooked                       */
    bool adopted;  /* an earlier shell mapped it (rt_adopt.c)                */
    bool trimmed;  /* ez_rt_trim() was here: the rings are read for the last time */
    bool fitted;   /* the runtime is fitted to the target's libc     */
    uint32_t cookie;
};

/* rt_load.c */
ez_err *ez_rt_up(struct ez_target *t) EZ_WUR; /* world stopped; idempotent     */
void ez_rt_settings(struct ez_target *t);
void ez_rt_none(struct ez_target *t); /* nothing is mapped yet            */
void ez_rt_down(struct ez_target *t); /* the process is gone (or exec)  */
/* The probes stay without us: rings and all else, for another shell. `open`: events go on being
 * recorded. */
void ez_rt_leave(struct ez_target *t, bool open);

/* open_calls.c: are there calls that were seen to begin but not to return? They are open, or longjmp left them. */
bool ez_calls_open(struct ez_target *t);

/* rt_trim.c */
/* No probe is planted, the world stands, and the shell lets go of the process.
 * ez_rt_clear: unmaps everything if nothing in the process leads there (*left NONE), else nothing. Of a runtime that
 * was taken over not every trampoline is known, and as long as its handler of SIGTRAP is in place, the kernel refers to it:
 * then *left is LASTING.
 * ez_rt_trim: gives back what nothing can lead to. */
ez_err *ez_rt_clear(struct ez_target *t, enum ez_refer *left) EZ_WUR;
ez_err *ez_rt_trim(struct ez_target *t) EZ_WUR;

/* rt_fit.c */
/* Bring the runtime up and make it ready for users' trampolines: libc must be loaded, if the program
 * has one. */
ez_err *ez_rt_fit(struct ez_target *t) EZ_WUR;
bool ez_rt_libc_known(struct ez_target *t); /* is it known where a thread's id is? */
/* rt_adopt.c; *f is believed only where the caller has checked it. */
struct ez_rt_found { /* what an earlier shell mapped: addresses in the target, and copies */
    uint64_t blob, seg;
    const struct rt_state *state;
    const struct ez_hdr *hdr;
};
void ez_rt_found(struct ez_target *t, const struct ez_rt_found *f);
/* Is the live blob the one that we would have mapped? It must be fitted to this libc. If the
 * state's offset of thread ids, `theirs`, is 0, it may also be unfitted (before libc was there,
 * when only hooks of ours stand) or fitted to no known libc (by a shell that attached so early). A
 * shell that died while it fitted the runtime has written the fitted image but not the offset, and
 * had no trampoline yet that depends on the fitting. */
bool ez_rt_image_is_ours(struct ez_target *t, uint32_t theirs);
/* Map the rings of *memfd, which is ours then, and -1. h: a checked copy of their header. */
ez_err *ez_rt_adopt_segment(struct ez_target *t, const struct ez_hdr *h, int *memfd) EZ_WUR;
void ez_rt_adopted(struct ez_target *t);  /* all of it was checked: the runtime is up */
void ez_rt_restorer(struct ez_target *t); /* there is an image: its restorer may be used */

/* What these share: ez_rt_image() copies the blob to the shell, ez_rt_adapt() fits the copy to a
 * libc, ez_rt_tid_offset() finds where a thread's id is (0 = unknown), ez_rt_write_state() sets up
 * the state in the target, ez_rt_layout() computes offsets and size from nlanes, ids_max and nsub in
 * h, ez_rt_ctls_size() gives the bytes of control blocks. */
void ez_rt_image(struct ez_runtime *rt);
void ez_rt_adapt(struct ez_target *t, uint32_t tid_off, uint32_t cookie);
uint32_t ez_rt_tid_offset(struct ez_target *t);
ez_err *ez_rt_write_state(struct ez_target *t, uint32_t tid_off) EZ_WUR;
uint64_t ez_rt_layout(struct ez_hdr *h);
uint64_t ez_rt_ctls_size(uint32_t nbuffers);
/* Address of 512 zero bytes in the target, for what an injected system call reads or writes. The
 * caller must leave zeros there. */
uint64_t ez_rt_scratch(const struct ez_target *t);

#endif
