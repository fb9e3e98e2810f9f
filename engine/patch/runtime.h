/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime.h - the memory that eztsh maps into the process: the runtime's code and state (the blob),
 * control blocks, rings, trampolines (rt_load.c, alloc.c, island.c, return_thunk.c). */
#ifndef EZ_RUNTIME_H
#define EZ_RUNTIME_H

#include "engine/patch/rt_refer.h"
#include "engine/record/drain.h"
#include "engine/rt/rt.h"
#include "engine/base/vec.h"

struct ez_maps;
struct ez_target;

typedef EZ_VEC(struct ez_range) ez_ranges;

struct ez_area { /* memory for trampolines: R-X in the target, mirrored in the shell */
    uint64_t base;
    size_t size, used;
    uint8_t *mirror;
    size_t flushed; /* number of the mirror's bytes that were written to the target */
};

/* A page that eztsh maps at the destination of punned jumps (island.c). */
struct ez_island_page {
    uint64_t base;
    bool mapped;
    uint8_t used[EZ_PAGE / 8]; /* one bit for each byte of the page: it belongs to an island */
};

struct ez_pool { /* return thunks near some functions (return_thunk.c) */
    uint64_t base;
    EZ_VEC(struct ez_return_thunk) thunk; /* indexed by id */
    /* numbers of thunks whose data words (written) and whose code (coded) are in the target */
    size_t written, coded;
};

struct ez_runtime {      /* what eztsh has mapped into the live process */
    bool up;             /* the runtime is mapped and set up */
    uint64_t far;        /* address hint for mappings away from the libraries */
    uint64_t far_room;   /* number of free bytes from `far` on */
    uint64_t blob, ctls; /* addresses in the target */
    size_t ctls_size;
    uint64_t seg;       /* address of the shared segment in the target */
    struct ez_hdr *hdr; /* the shared segment in the shell */
    uint64_t seg_size;  /* kept here, because the target can change hdr->size */
    int memfd;
    int there;      /* the target's descriptor of the memfd that is being made; -1: none */
    uint8_t *image; /* the shell's copy of the runtime's code, adapted to the target's libc */
    size_t image_size;
    const struct ez_blob_hdr *bh; /* points into image */
    struct ez_row *rows;          /* the journal, in the shared segment, indexed by id */
    uint32_t nids;                /* number of ids in use */
    /* the journal of the counters of USDT probes, in the shared segment (engine/probe/semaphore.c);
     * NULL: nothing is mapped */
    struct ez_semaphore *semaphores;
    EZ_VEC(struct ez_area) area;
    struct ez_pool pool[EZ_NPOOLS];
    unsigned npools;
    bool traps_on; /* the runtime's SIGTRAP handler is set in the target */
    EZ_VEC(struct rt_trap) trap;
    ez_ranges stack; /* stacks that eztsh mapped for threads that load modules */
    bool watching;   /* eztsh's hook is on the function that the loader calls after each change */
    bool unknown;    /* an earlier shell mapped the runtime, and some of its memory is not known */
    bool trimmed;    /* ez_rt_trim() ran: the drain has read the rings for the last time */
    bool fitted;     /* the runtime is adapted to the target's libc */
    uint32_t cookie;
};

/* Interface of rt_load.c: */
/* Maps the runtime, unless it is mapped. The target must be stopped. */
ez_err *ez_rt_up(struct ez_target *t) EZ_WUR;
void ez_rt_settings(struct ez_target *t);
void ez_rt_none(struct ez_target *t); /* Resets t->rt: nothing is mapped. */
void ez_rt_down(struct ez_target *t); /* Call when the process is gone, or after an exec. */
/* Frees the shell's data about the runtime, and leaves the runtime, the rings and the probes in the
 * process for another shell. open: the target continues to record events. */
void ez_rt_leave(struct ez_target *t, bool open);

/* Interface of rt_stack.c: */
/* Sets *at to the lowest address of a stack of `size` bytes for a thread that loads a module. Maps
 * the stack, with a guard page below, or uses one whose thread has ended. */
ez_err *ez_rt_stack(struct ez_target *t, uint64_t size, uint64_t *at) EZ_WUR;
/* Returns true if a thread that runs on one of these n stacks has not ended. The target must be
 * stopped. */
bool ez_stacks_used(const struct ez_target *t, const struct ez_range *stack, size_t n);
/* Unmaps the stacks of threads that loaded modules, if all of these threads have ended. */
ez_err *ez_rt_stacks_free(struct ez_target *t) EZ_WUR;

/* Unmaps memory of eztsh. EZ_E_GONE: the target has ended. After any other error the memory stays
 * mapped. */
ez_err *ez_rt_unmap(struct ez_target *t, uint64_t at, uint64_t size) EZ_WUR;

/* Passes the restorer's address to engine/inferior: it is at the end of the mapping of the
 * runtime's code. Call it when t->rt.image and t->rt.blob are set. */
void ez_rt_restorer(struct ez_target *t);

/* Interface of open_calls.c: */
/* Returns true if followed calls have begun and not returned. They may still return, or a longjmp
 * may have left them. */
bool ez_calls_open(struct ez_target *t);
/* The part of ez_calls_open() for calls with a return trampoline of the runtime at address blob. */
bool ez_frames_live(struct ez_target *t, uint64_t blob);
/* Returns true if the exits of calls with these EZ_ROW_* flags are visible only in the counters. */
bool ez_row_goes_through(unsigned flags);

/* Interface of rt_trim.c: */
/* Call these when no probe is planted, the target is stopped, and the shell detaches. ez_rt_clear()
 * unmaps all memory of eztsh if the process does not refer to eztsh's code (*left is
 * EZ_REFER_NONE); otherwise it unmaps nothing. *left is EZ_REFER_LASTING if some memory of an
 * adopted runtime is not known, while the runtime's SIGTRAP handler is
 * set, because the kernel has its address, and if other code has changed a planted patch.
 * ez_rt_trim() unmaps the parts that no thread can use, unless a hook is still planted. */
ez_err *ez_rt_clear(struct ez_target *t, enum ez_refer *left) EZ_WUR;
ez_err *ez_rt_trim(struct ez_target *t) EZ_WUR;
/* Returns the number of bytes, whole pages, of the pool's code of return thunks, or of their data
 * words, that are in use. */
size_t ez_pool_used(const struct ez_pool *p, bool code);

/* Interface of rt_sweep.c: */
/* Writes to the shared segment which memory of the runtime stays mapped, unless that is unknown. Call
 * it last, at the detach. */
void ez_rt_describe(struct ez_target *t);
/* Unmaps the runtime whose shared segment is the file `inode`, mapped at `seg`, if a shell described
 * it and the process does not refer to it any more. hdr, row: copies of the segment's header and of
 * its rows in use. *fails: number of described runtimes that stayed mapped at this attach; the
 * function does nothing if it is EZ_SWEEP_FAILS, because each search takes up to 0.2 s in which the
 * target is stopped. The target must be stopped. EZ_E_GONE. */
#define EZ_SWEEP_FAILS 8
ez_err *ez_rt_sweep(struct ez_target *t, const struct ez_maps *maps, uint64_t seg, uint64_t inode,
                    const struct ez_hdr *hdr, const struct ez_row *row, unsigned *fails) EZ_WUR;
/* Adds the memory that the earlier shell described to that of the adopted runtime. Returns false if
 * there is no valid description. The parameters are those of ez_rt_adopted(). */
bool ez_rt_adopt_extent(struct ez_target *t, const struct ez_maps *maps, uint64_t inode,
                        const struct ez_hdr *h);

/* Interface of rt_fit.c: */
/* Maps the runtime, and adapts it to the target's libc, as trampolines of probes need. libc must be
 * loaded, unless the program has none. */
ez_err *ez_rt_fit(struct ez_target *t) EZ_WUR;
/* Returns true if ez_rt_fit() has adapted the runtime, or if the offset of a thread's id in libc's
 * thread control block is known. */
bool ez_rt_libc_known(struct ez_target *t);
/* rt_adopt.c; the caller has validated *f. */
/* the runtime of an earlier shell: addresses in the target, and copies of its data */
struct ez_rt_found {
    uint64_t blob, seg;
    const struct rt_state *state;
    const struct ez_hdr *hdr;
};
/* Sets t->rt to the addresses and sizes in *f. */
void ez_rt_found(struct ez_target *t, const struct ez_rt_found *f);
/* Returns true if the blob in the target equals the one that this shell would have mapped, adapted
 * to this libc. theirs: the offset of thread ids in the earlier runtime's state. If it is 0, the
 * blob may also be unadapted (libc was not loaded yet, and only eztsh's hooks are planted) or
 * adapted to an unknown libc, or adapted to this libc by a shell that died before it wrote the
 * offset; then no trampoline depends on the adaptation yet. */
bool ez_rt_image_is_ours(struct ez_target *t, uint32_t theirs);
/* Maps the shared segment of *memfd into the shell. On success takes ownership of the descriptor
 * and sets *memfd to -1. h: a checked copy of the segment's header. */
ez_err *ez_rt_adopt_segment(struct ez_target *t, const struct ez_hdr *h, int *memfd) EZ_WUR;
/* Marks the adopted runtime as up; call it after all checks. maps, inode, h: the mappings of the
 * target, the inode of the segment, and a checked copy of its header. */
void ez_rt_adopted(struct ez_target *t, const struct ez_maps *maps, uint64_t inode,
                   const struct ez_hdr *h);

/* Finds the runtime in an open core file, and the sites; posts a note if there are any
 * (core_runtime.c). */
ez_err *ez_core_runtime(struct ez_target *t) EZ_WUR;
/* Finds the patches in the text of the core file, for a runtime that was found, and makes their
 * sites. *functions: number of functions that have probes (core_patches.c). */
ez_err *ez_core_patches(struct ez_target *t, unsigned *functions) EZ_WUR;
/* Shared functions. ez_rt_image() sets rt->image to an unadapted copy of the blob. ez_rt_adapt()
 * adapts this copy to a libc. ez_rt_tid_offset() returns the offset of a thread's id in the thread
 * control block (0: unknown). ez_rt_write_state() writes the runtime's state in the target.
 * ez_rt_layout() sets the offsets and the size in h, computed from h's nbuffers, ids_max, nsub and
 * naddups, and returns the size. ez_rt_ctls_size() returns the size in bytes of the control
 * blocks. */
void ez_rt_image(struct ez_runtime *rt);
void ez_rt_adapt(struct ez_target *t, uint32_t tid_off, uint32_t cookie);
uint32_t ez_rt_tid_offset(struct ez_target *t);
/* Returns the offset of the node of glibc's list of threads in the thread control block; 0:
 * unknown. */
uint32_t ez_rt_list_offset(struct ez_target *t);
ez_err *ez_rt_write_state(struct ez_target *t, uint32_t tid_off) EZ_WUR;
uint64_t ez_rt_layout(struct ez_hdr *h);
uint64_t ez_rt_ctls_size(uint32_t nbuffers);
/* Returns the address of 512 zero bytes in the target, for the arguments and results of an
 * injected system call. The caller must zero the bytes after use. */
uint64_t ez_rt_scratch(const struct ez_target *t);

#endif
