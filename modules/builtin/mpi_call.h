/* SPDX-License-Identifier: MIT */
/* mpi_call.h - one call of MPI: when a call is recorded, and how a replacement is written. For
 * mpi_probes.h.
 *
 * Only the outermost call counts: MPICH calls public functions internally, in MPI-IO for example,
 * and Fortran's functions call those of C. A call is inside another call if both are on the same
 * stack. A longjmp out of a call leaves the call's word in the thread, but the address in that word
 * is below the stack pointer then, so it has no effect.
 *
 * Functions are replaced by their PMPI names. In both libraries a function has both names, so a
 * tool in the program that defines MPI_Send itself is not replaced. */
#ifndef MPI_CALL_H
#define MPI_CALL_H

#include "mpi_request.h"

enum { MPI_UNSEEN, MPI_BEFORE, MPI_READY, MPI_OVER, MPI_UNKNOWN };
static int mpi_state, mpi_state_lock;
static int mpi_rank;         /* of this process in MPI_COMM_WORLD, if mpi_ready() */
static uint64_t mpi_loading; /* ezt_rt.loading when the module last recorded its rank */
static __thread const void *mpi_outer __attribute__((tls_model("initial-exec")));

static inline int mpi_ready(void)
{
    return __atomic_load_n(&mpi_state, __ATOMIC_ACQUIRE) == MPI_READY;
}

/* Asks MPI for this process's rank if it is between Init and Finalize: at other times MPI would
 * abort the job. */
static inline void mpi_request_rank(void)
{
    int is = 0, over = 0, rank = 0;
    if (mpi_lib.initialized(&is) || !is || mpi_lib.finalized(&over) || over ||
        mpi_lib.comm_rank(mpi_lib.world, &rank) ||
        mpi_lib.comm_size(mpi_lib.world, &mpi_world.peers))
        return;
    ezt_event2(MPI_EV_RANK, (uint64_t)rank, (uint64_t)mpi_world.peers);
    mpi_rank = rank;
    __atomic_store_n(&mpi_state, MPI_READY, __ATOMIC_RELEASE);
}

__attribute__((noinline, cold)) static void mpi_start(void)
{
    mpi_lock(&mpi_state_lock);
    if (mpi_loading != ezt_rt.loading) { /* the first call, or eztsh has come again */
        __atomic_store_n(&mpi_loading, ezt_rt.loading, __ATOMIC_RELAXED);
        mpi_req_forget();
        if (mpi_state == MPI_READY)
            ezt_event2(MPI_EV_RANK, (uint64_t)mpi_rank, (uint64_t)mpi_world.peers);
    }
    if (mpi_state == MPI_UNSEEN)
        mpi_state = mpi_find_library(&mpi_lib) ? MPI_BEFORE : MPI_UNKNOWN;
    if (mpi_state == MPI_BEFORE)
        mpi_request_rank();
    mpi_unlock(&mpi_state_lock);
}

/* ---- one call ------------------------------------------------------------------------------------ */

struct mpi_call {
    const void *was;
    int open, received;
    int64_t source, tag;
};

/* Ends a call, also if an exception leaves the call. */
static inline void mpi_leave(struct mpi_call *c)
{
    if (!c->open)
        return;
    if (c->received)
        ezt_event2(MPI_EV_RECEIVED, (uint64_t)c->source, (uint64_t)c->tag);
    else
        ezt_event0(MPI_EV_POP);
    mpi_outer = c->was;
}

/* Begins a call. Returns 0 if it is inside another call, and must not be recorded. */
static inline int mpi_enter(struct mpi_call *c, const void *frame)
{
    c->open = !(mpi_outer > frame);
    if (!c->open)
        return 0;
    c->received = 0;
    c->was = mpi_outer;
    mpi_outer = frame;
    if (__atomic_load_n(&mpi_state, __ATOMIC_ACQUIRE) < MPI_READY ||
        __atomic_load_n(&mpi_loading, __ATOMIC_RELAXED) != ezt_rt.loading)
        mpi_start();
    return 1;
}

static inline const struct mpi_comm *mpi_in(mpi_word comm)
{
    return mpi_ready() ? mpi_comm_of(comm) : NULL;
}

/* Converts the root in a collective call to the rank in MPI_COMM_WORLD. In the root's group of an
 * intercommunicator the root itself passes MPI_ROOT, and the others, which take no part, pass
 * MPI_PROC_NULL: for them this is MPI_NONE. */
static inline int64_t mpi_root(const struct mpi_comm *c, int root)
{
    return c && root == mpi_lib.root ? mpi_rank : mpi_peer(c, root);
}

static inline uint64_t mpi_size(int64_t count, mpi_word type)
{
    return mpi_ready() ? mpi_bytes(count, type) : 0;
}

/* ---- replacements --------------------------------------------------------------------------------- */

#define MPI_P0 void
#define MPI_P1 mpi_word a1
#define MPI_P2 MPI_P1, mpi_word a2
#define MPI_P3 MPI_P2, mpi_word a3
#define MPI_P4 MPI_P3, mpi_word a4
#define MPI_P5 MPI_P4, mpi_word a5
#define MPI_P6 MPI_P5, mpi_word a6
#define MPI_P7 MPI_P6, mpi_word a7
#define MPI_P8 MPI_P7, mpi_word a8
#define MPI_P9 MPI_P8, mpi_word a9
#define MPI_P10 MPI_P9, mpi_word a10
#define MPI_P11 MPI_P10, mpi_word a11
#define MPI_P12 MPI_P11, mpi_word a12
#define MPI_P13 MPI_P12, mpi_word a13
#define MPI_A0
#define MPI_A1 a1
#define MPI_A2 MPI_A1, a2
#define MPI_A3 MPI_A2, a3
#define MPI_A4 MPI_A3, a4
#define MPI_A5 MPI_A4, a5
#define MPI_A6 MPI_A5, a6
#define MPI_A7 MPI_A6, a7
#define MPI_A8 MPI_A7, a8
#define MPI_A9 MPI_A8, a9
#define MPI_A10 MPI_A9, a10
#define MPI_A11 MPI_A10, a11
#define MPI_A12 MPI_A11, a12
#define MPI_A13 MPI_A12, a13

/* Begins the replacement of MPI_f, which has n arguments. Until MPI_END, `call` is the struct
 * mpi_call. A call inside another one only calls the original. */
#define MPI_BEGIN(f, number, n)                                                                    \
    EZT_EVENT(number, "push", "thread", "MPI_" #f)                                                 \
    EZT_REPLACE("PMPI_" #f, replace_##f, orig_##f)                                                 \
    EZT_ORIG int (*orig_##f)(MPI_P##n);                                                            \
    EZT_EXPORT int replace_##f(MPI_P##n)                                                           \
    {                                                                                              \
        __attribute__((cleanup(mpi_leave))) struct mpi_call call = { .open = 0 };                  \
        if (!mpi_enter(&call, __builtin_frame_address(0)))                                         \
            return orig_##f(MPI_A##n);
#define MPI_END }

/* Replaces MPI_f: records only a state. */
#define MPI_STATE(f, number, n)                                                                    \
    MPI_BEGIN(f, number, n)                                                                        \
    ezt_event0(number);                                                                            \
    return orig_##f(MPI_A##n);                                                                     \
    MPI_END

/* Replaces the collective MPI_f: records a state, the communicator and this process's bytes. */
#define MPI_COLLECTIVE(f, number, n, comm, bytes)                                                  \
    EZT_WORDS(number, "comm:hex bytes:uint")                                                       \
    MPI_BEGIN(f, number, n)                                                                        \
    ezt_event2(number, mpi_comm_id(mpi_in(comm)), bytes);                                          \
    return orig_##f(MPI_A##n);                                                                     \
    MPI_END

/* Replaces a collective with a root: records also the root. */
#define MPI_ROOTED(f, number, n, comm, root, bytes)                                                \
    EZT_WORDS(number, "comm:hex bytes:uint root:int")                                              \
    MPI_BEGIN(f, number, n)                                                                        \
    const struct mpi_comm *in = mpi_in(comm);                                                      \
    ezt_event3(number, mpi_comm_id(in), bytes, (uint64_t)mpi_root(in, (int)(root)));               \
    return orig_##f(MPI_A##n);                                                                     \
    MPI_END

/* A non-blocking collective operation begins. Returns its request, without the handle. */
static inline struct mpi_req mpi_collective_begins(void)
{
    struct mpi_req r = { .kind = MPI_REQ_COLLECTIVE, .id = mpi_next_number(), .active = 1 };
    return r;
}
static inline int mpi_collective_begun(const struct mpi_req *r, mpi_word request, int failed)
{
    if (!failed && mpi_ready())
        mpi_req_new(mpi_handle_at(request, 0), r);
    return failed;
}

/* Replaces the non-blocking collective MPI_f, whose last argument is the request: records also the
 * number of the operation. */
#define MPI_ICOLLECTIVE(f, number, n, comm, bytes)                                                 \
    EZT_WORDS(number, "comm:hex bytes:uint id:uint")                                               \
    MPI_BEGIN(f, number, n)                                                                        \
    struct mpi_req q = mpi_collective_begins();                                                    \
    ezt_event3(number, mpi_comm_id(mpi_in(comm)), bytes, q.id);                                    \
    return mpi_collective_begun(&q, a##n, orig_##f(MPI_A##n));                                     \
    MPI_END

/* Replaces a non-blocking collective with a root: records also the root. */
#define MPI_IROOTED(f, number, n, comm, root, bytes)                                               \
    EZT_WORDS(number, "comm:hex bytes:uint root:int id:uint")                                      \
    MPI_BEGIN(f, number, n)                                                                        \
    const struct mpi_comm *in = mpi_in(comm);                                                      \
    struct mpi_req q = mpi_collective_begins();                                                    \
    ezt_event4(number, mpi_comm_id(in), bytes, (uint64_t)mpi_root(in, (int)(root)), q.id);         \
    return mpi_collective_begun(&q, a##n, orig_##f(MPI_A##n));                                     \
    MPI_END

EZT_EVENT(MPI_EV_POP, "pop", "thread", "")
EZT_EVENT(MPI_EV_RECEIVED, "pop", "thread", "")
EZT_WORDS(MPI_EV_RANK, "rank:int size:int")
EZT_WORDS(MPI_EV_COMPLETE, "id:uint source:int tag:int")
EZT_WORDS(MPI_EV_SEND, "comm:hex dest:int tag:int bytes:uint id:uint")
EZT_WORDS(MPI_EV_SENT, "id:uint")
EZT_WORDS(MPI_EV_DONE, "id:uint")
EZT_WORDS(MPI_EV_POST, "comm:hex source:int tag:int id:uint")
EZT_WORDS(MPI_EV_RECEIVED, "source:int tag:int")

#endif
