/* SPDX-License-Identifier: MIT */
/* mpi_probes.h - messages between processes, for mpi.tpl. mpi_call.h explains what a call is,
 * mpi_events.h has the events, and mpi_abi.h explains why every argument is a word.
 *
 * The event of a message is recorded when its call begins, so that sends and receives have the
 * order in which MPI got them. The end of a receive is recorded when the call ends that completed
 * it. */
#ifndef MPI_PROBES_H
#define MPI_PROBES_H

#include <ezt_probe.h>

#include "mpi_call.h"
#include "mpi_others.h"

#define MPI_INT(a) ((int64_t)(int)(a))
#define MPI_COUNT(a) ((int64_t)(a)) /* MPI_Count, in functions whose names end in _c */

/* ---- sends ------------------------------------------------------------------------------------------ */

/* Returns nonzero if a call failed with result r. A receive whose message is too long counts as
 * successful. */
static inline int mpi_failed(int r)
{
    int class = r;
    return r && (!mpi_ready() || mpi_lib.error_class(r, &class) || class != mpi_lib.truncated);
}
static inline int mpi_sent(int r)
{
    if (mpi_failed(r))
        ezt_event0(MPI_EV_UNSENT);
    return r;
}

/* Replaces MPI_f, a send with n arguments, which begin with: buf, count, type, dest, tag, comm. */
#define MPI_SENDS(f, number, n, wide)                                                              \
    EZT_WORDS(number, "comm:hex dest:int tag:int bytes:uint")                                      \
    MPI_BEGIN(f, number, n)                                                                        \
    const struct mpi_comm *c = mpi_in(a6);                                                         \
    ezt_event4(number, mpi_comm_id(c), (uint64_t)mpi_peer(c, (int)a4), (uint64_t)mpi_tag(a5),      \
               mpi_size(wide(a2), a3));                                                            \
    return mpi_sent(orig_##f(MPI_A##n));                                                           \
    MPI_END

MPI_SENDS(Send, 100, 6, MPI_INT)
MPI_SENDS(Bsend, 101, 6, MPI_INT)
MPI_SENDS(Ssend, 102, 6, MPI_INT)
MPI_SENDS(Rsend, 103, 6, MPI_INT)
MPI_SENDS(Send_c, 110, 6, MPI_COUNT)
MPI_SENDS(Bsend_c, 111, 6, MPI_COUNT)
MPI_SENDS(Ssend_c, 112, 6, MPI_COUNT)
MPI_SENDS(Rsend_c, 113, 6, MPI_COUNT)

/* ---- receives ------------------------------------------------------------------------------------- */

struct mpi_recv {
    const struct mpi_comm *in;
    int64_t source, tag;
    char *status; /* status of the receive; NULL = unknown, so source and tag are as requested */
    char own[MPI_STATUS_MOST];
};

/* Begins a receive. Returns the status argument to pass to the original. */
static inline mpi_word mpi_recv_begin(struct mpi_recv *r, const struct mpi_comm *c, int source,
                                      mpi_word tag, mpi_word status)
{
    r->in = c;
    r->source = mpi_peer(c, source);
    r->tag = mpi_tag(tag);
    r->status = NULL;
    if (r->source == MPI_NONE || (r->source != MPI_ANY && r->tag != MPI_ANY))
        return status;
    r->status = status == mpi_lib.ignore ? r->own : (char *)status;
    return (mpi_word)r->status;
}

/* Finds a message's source by a status. */
static inline void mpi_recv_found(struct mpi_recv *r)
{
    if (!r->status)
        return;
    r->source = mpi_peer(r->in, mpi_status_int(r->status, mpi_lib.source_at));
    r->tag = mpi_status_int(r->status, mpi_lib.tag_at);
}

static inline void mpi_recv_end(struct mpi_call *call, struct mpi_recv *r, int failed)
{
    if (r->source == MPI_NONE)
        return;
    if (!failed)
        mpi_recv_found(r);
    call->received = 1;
    call->source = failed ? MPI_NONE : r->source;
    call->tag = r->tag;
}

#define MPI_RECVS(f, number)                                                                       \
    EZT_WORDS(number, "comm:hex source:int tag:int")                                               \
    MPI_BEGIN(f, number, 7)                                                                        \
    struct mpi_recv recv;                                                                          \
    mpi_word status = mpi_recv_begin(&recv, mpi_in(a6), (int)a4, a5, a7);                          \
    ezt_event3(number, mpi_comm_id(recv.in), (uint64_t)recv.source, (uint64_t)recv.tag);           \
    int r = orig_##f(MPI_A6, status);                                                              \
    mpi_recv_end(&call, &recv, mpi_failed(r));                                                     \
    return r;                                                                                      \
    MPI_END

MPI_RECVS(Recv, 140)
MPI_RECVS(Recv_c, 141)

static inline struct mpi_req mpi_req_of(uint8_t kind, const struct mpi_comm *c, int peer,
                                        mpi_word tag)
{
    struct mpi_req r = { .kind = kind,
                         .in = c,
                         .comm = mpi_comm_id(c),
                         .peer = mpi_peer(c, peer),
                         .tag = mpi_tag(tag) };
    return r;
}

static inline void mpi_req_posted(struct mpi_req *r, mpi_word request, int failed)
{
    r->active = 1;
    if (r->peer == MPI_NONE && !r->sent)
        return;
    if (!failed)
        mpi_req_new(mpi_handle_at(request, 0), r);
    else if (r->kind == MPI_REQ_RECV)
        ezt_event3(MPI_EV_COMPLETE, r->id, (uint64_t)MPI_NONE, 0);
}

/* Returns a number for the message that a request sends; 0 if its receiver is MPI_PROC_NULL. */
static inline uint64_t mpi_sent_number(const struct mpi_req *r)
{
    return r->peer == MPI_NONE ? 0 : mpi_next_number();
}

#define MPI_IRECVS(f, number)                                                                      \
    EZT_WORDS(number, "comm:hex source:int tag:int id:uint")                                       \
    MPI_BEGIN(f, number, 7)                                                                        \
    struct mpi_req q = mpi_req_of(MPI_REQ_RECV, mpi_in(a6), (int)a4, a5);                          \
    q.id = mpi_next_number();                                                                      \
    ezt_event4(number, q.comm, (uint64_t)q.peer, (uint64_t)q.tag, q.id);                           \
    int r = orig_##f(MPI_A7);                                                                      \
    mpi_req_posted(&q, a7, r);                                                                     \
    return r;                                                                                      \
    MPI_END

MPI_IRECVS(Irecv, 150)
MPI_IRECVS(Irecv_c, 151)

/* Replaces MPI_f, a non-blocking send with the arguments of a send and a request. */
#define MPI_ISENDS(f, number, wide)                                                                \
    EZT_WORDS(number, "comm:hex dest:int tag:int bytes:uint id:uint")                              \
    MPI_BEGIN(f, number, 7)                                                                        \
    struct mpi_req q = mpi_req_of(MPI_REQ_SEND, mpi_in(a6), (int)a4, a5);                          \
    q.sent = mpi_sent_number(&q);                                                                  \
    const uint64_t word[] = { q.comm, (uint64_t)q.peer, (uint64_t)q.tag, mpi_size(wide(a2), a3),   \
                              q.sent };                                                            \
    ezt_event(number, 5, word);                                                                    \
    int r = mpi_sent(orig_##f(MPI_A7));                                                            \
    mpi_req_posted(&q, a7, r);                                                                     \
    return r;                                                                                      \
    MPI_END

MPI_ISENDS(Isend, 120, MPI_INT)
MPI_ISENDS(Ibsend, 121, MPI_INT)
MPI_ISENDS(Issend, 122, MPI_INT)
MPI_ISENDS(Irsend, 123, MPI_INT)
MPI_ISENDS(Isend_c, 130, MPI_COUNT)
MPI_ISENDS(Ibsend_c, 131, MPI_COUNT)
MPI_ISENDS(Issend_c, 132, MPI_COUNT)
MPI_ISENDS(Irsend_c, 133, MPI_COUNT)

/* ---- calls that send and receive ------------------------------------------------------------- */

/* Fills in the words of the event that are about the send. */
static inline void mpi_both(uint64_t *word, const struct mpi_comm *c, int dest, mpi_word tag,
                            uint64_t bytes)
{
    word[0] = mpi_comm_id(c);
    word[1] = (uint64_t)mpi_peer(c, dest);
    word[2] = (uint64_t)mpi_tag(tag);
    word[3] = bytes;
}

#define MPI_SENDRECVS(f, number, n, before, to, stag, from, rtag, in_, wide)                       \
    EZT_WORDS(number, "comm:hex dest:int tag:int bytes:uint source:int recvtag:int")               \
    MPI_BEGIN(f, number, n)                                                                        \
    struct mpi_recv recv;                                                                          \
    uint64_t word[6];                                                                              \
    mpi_word status = mpi_recv_begin(&recv, mpi_in(in_), (int)(from), rtag, a##n);                 \
    mpi_both(word, recv.in, (int)(to), stag, mpi_size(wide(a2), a3));                              \
    word[4] = (uint64_t)recv.source;                                                               \
    word[5] = (uint64_t)recv.tag;                                                                  \
    ezt_event(number, 6, word);                                                                    \
    int r = mpi_sent(orig_##f(before, status));                                                    \
    mpi_recv_end(&call, &recv, mpi_failed(r));                                                     \
    return r;                                                                                      \
    MPI_END

MPI_SENDRECVS(Sendrecv, 160, 12, MPI_A11, a4, a5, a9, a10, a11, MPI_INT)
MPI_SENDRECVS(Sendrecv_replace, 161, 9, MPI_A8, a4, a5, a6, a7, a8, MPI_INT)
MPI_SENDRECVS(Sendrecv_c, 162, 12, MPI_A11, a4, a5, a9, a10, a11, MPI_COUNT)
MPI_SENDRECVS(Sendrecv_replace_c, 163, 9, MPI_A8, a4, a5, a6, a7, a8, MPI_COUNT)

#define MPI_ISENDRECVS(f, number, n, to, stag, from, rtag, in_, wide)                              \
    EZT_WORDS(number, "comm:hex dest:int tag:int bytes:uint source:int recvtag:int "               \
                      "id:uint sent:uint")                                                         \
    MPI_BEGIN(f, number, n)                                                                        \
    struct mpi_req q = mpi_req_of(MPI_REQ_RECV, mpi_in(in_), (int)(from), rtag);                   \
    uint64_t word[8];                                                                              \
    mpi_both(word, q.in, (int)(to), stag, mpi_size(wide(a2), a3));                                 \
    word[4] = (uint64_t)q.peer;                                                                    \
    word[5] = (uint64_t)q.tag;                                                                     \
    word[6] = q.id = mpi_next_number();                                                            \
    word[7] = q.sent = (int64_t)word[1] == MPI_NONE ? 0 : mpi_next_number();                       \
    ezt_event(number, 8, word);                                                                    \
    int r = mpi_sent(orig_##f(MPI_A##n));                                                          \
    mpi_req_posted(&q, a##n, r);                                                                   \
    return r;                                                                                      \
    MPI_END

MPI_ISENDRECVS(Isendrecv, 170, 12, a4, a5, a9, a10, a11, MPI_INT)
MPI_ISENDRECVS(Isendrecv_replace, 171, 9, a4, a5, a6, a7, a8, MPI_INT)
MPI_ISENDRECVS(Isendrecv_c, 172, 12, a4, a5, a9, a10, a11, MPI_COUNT)
MPI_ISENDRECVS(Isendrecv_replace_c, 173, 9, a4, a5, a6, a7, a8, MPI_COUNT)

/* ---- matched probes (Mprobe): the message is received when it is found, complete later ------- */

static inline uint64_t mpi_message_key(mpi_word message)
{
    uint64_t m = mpi_handle_at(message, 0);
    return m == mpi_lib.message_null || m == mpi_lib.message_no_proc ? 0 : m | MPI_MESSAGE;
}

static inline void mpi_found(const struct mpi_recv *from, mpi_word message)
{
    struct mpi_req q = { .kind = MPI_REQ_RECV, .in = from->in, .comm = mpi_comm_id(from->in) };
    struct mpi_recv found = *from;
    uint64_t key = mpi_ready() ? mpi_message_key(message) : 0;
    mpi_recv_found(&found);
    if (!key || found.source == MPI_NONE)
        return;
    q.peer = found.source;
    q.tag = found.tag;
    q.id = mpi_next_number();
    q.active = 1;
    ezt_event4(MPI_EV_POST, q.comm, (uint64_t)q.peer, (uint64_t)q.tag, q.id);
    mpi_req_new(key, &q);
}

EZT_WORDS(180, "comm:hex source:int tag:int")
MPI_BEGIN(Mprobe, 180, 5)
struct mpi_recv recv;
mpi_word status = mpi_recv_begin(&recv, mpi_in(a3), (int)a1, a2, a5);
ezt_event3(180, mpi_comm_id(recv.in), (uint64_t)recv.source, (uint64_t)recv.tag);
int r = orig_Mprobe(MPI_A4, status);
if (!r)
    mpi_found(&recv, a4);
return r;
MPI_END

EZT_WORDS(181, "comm:hex source:int tag:int")
MPI_BEGIN(Improbe, 181, 6)
struct mpi_recv recv;
mpi_word status = mpi_recv_begin(&recv, mpi_in(a3), (int)a1, a2, a6);
ezt_event3(181, mpi_comm_id(recv.in), (uint64_t)recv.source, (uint64_t)recv.tag);
int r = orig_Improbe(MPI_A5, status);
if (!r && *(int *)a4)
    mpi_found(&recv, a5);
return r;
MPI_END

#define MPI_MRECVS(f, number)                                                                      \
    MPI_BEGIN(f, number, 5)                                                                        \
    uint64_t key = mpi_ready() ? mpi_message_key(a4) : 0;                                          \
    struct mpi_req *q = key ? mpi_req_remove(key) : NULL;                                          \
    ezt_event0(number);                                                                            \
    int r = orig_##f(MPI_A5);                                                                      \
    if (q) {                                                                                       \
        ezt_event3(MPI_EV_COMPLETE, q->id, (uint64_t)q->peer, (uint64_t)q->tag);                   \
        mpi_req_free(q);                                                                           \
    }                                                                                              \
    return r;                                                                                      \
    MPI_END

MPI_MRECVS(Mrecv, 182)
MPI_MRECVS(Mrecv_c, 183)

#define MPI_IMRECVS(f, number)                                                                     \
    MPI_BEGIN(f, number, 5)                                                                        \
    uint64_t key = mpi_ready() ? mpi_message_key(a4) : 0;                                          \
    struct mpi_req *q = key ? mpi_req_remove(key) : NULL;                                          \
    ezt_event0(number);                                                                            \
    int r = orig_##f(MPI_A5);                                                                      \
    if (q) {                                                                                       \
        mpi_req_posted(q, a5, r);                                                                  \
        mpi_req_free(q);                                                                           \
    }                                                                                              \
    return r;                                                                                      \
    MPI_END

MPI_IMRECVS(Imrecv, 184)
MPI_IMRECVS(Imrecv_c, 185)

/* ---- persistent requests ------------------------------------------------------------------------------ */

#define MPI_INITS_OF(f, number, n, request_kind, to, tag_, in_, channel, size, request)            \
    EZT_WORDS(number, "comm:hex peer:int tag:int bytes:uint")                                      \
    MPI_BEGIN(f, number, n)                                                                        \
    struct mpi_req q = mpi_req_of(request_kind, mpi_in(in_), (int)(to), tag_);                     \
    q.persistent = 1;                                                                              \
    q.comm = channel;                                                                              \
    q.bytes = size;                                                                                \
    ezt_event4(number, q.comm, (uint64_t)q.peer, (uint64_t)q.tag, q.bytes);                        \
    int r = orig_##f(MPI_A##n);                                                                    \
    if (!r && q.peer != MPI_NONE)                                                                  \
        mpi_req_new(mpi_handle_at(request, 0), &q);                                                \
    return r;                                                                                      \
    MPI_END
#define MPI_INITS(f, number, kind, wide)                                                           \
    MPI_INITS_OF(f, number, 7, kind, a4, a5, a6, q.comm, mpi_size(wide(a2), a3), a7)
/* Partitioned sends match only partitioned receives, so they count as on a separate
 * communicator. */
#define MPI_PARTED(f, number, kind)                                                                \
    MPI_INITS_OF(f, number, 9, kind, a5, a6, a7, mpi_mix(12, q.comm),                              \
                 mpi_size(MPI_INT(a2) * MPI_COUNT(a3), a4), a9)

MPI_PARTED(Psend_init, 186, MPI_REQ_SEND)
MPI_PARTED(Precv_init, 187, MPI_REQ_RECV)
MPI_INITS(Send_init, 190, MPI_REQ_SEND, MPI_INT)
MPI_INITS(Bsend_init, 191, MPI_REQ_SEND, MPI_INT)
MPI_INITS(Ssend_init, 192, MPI_REQ_SEND, MPI_INT)
MPI_INITS(Rsend_init, 193, MPI_REQ_SEND, MPI_INT)
MPI_INITS(Recv_init, 194, MPI_REQ_RECV, MPI_INT)
MPI_INITS(Send_init_c, 195, MPI_REQ_SEND, MPI_COUNT)
MPI_INITS(Bsend_init_c, 196, MPI_REQ_SEND, MPI_COUNT)
MPI_INITS(Ssend_init_c, 197, MPI_REQ_SEND, MPI_COUNT)
MPI_INITS(Rsend_init_c, 198, MPI_REQ_SEND, MPI_COUNT)
MPI_INITS(Recv_init_c, 199, MPI_REQ_RECV, MPI_COUNT)

static inline void mpi_req_start(uint64_t key)
{
    struct mpi_req *r = mpi_req_remove(key);
    if (!r)
        return;
    if (r->kind == MPI_REQ_SEND) {
        r->sent = mpi_next_number();
        const uint64_t word[] = { r->comm, (uint64_t)r->peer, (uint64_t)r->tag, r->bytes, r->sent };
        ezt_event(MPI_EV_SEND, 5, word);
    }
    if (r->kind == MPI_REQ_RECV) {
        r->id = mpi_next_number();
        ezt_event4(MPI_EV_POST, r->comm, (uint64_t)r->peer, (uint64_t)r->tag, r->id);
    }
    r->active = 1;
    mpi_req_put(r);
}

MPI_BEGIN(Start, 200, 1)
ezt_event0(200);
if (mpi_ready())
    mpi_req_start(mpi_handle_at(a1, 0));
return orig_Start(a1);
MPI_END

EZT_WORDS(201, "requests:int")
MPI_BEGIN(Startall, 201, 2)
ezt_event1(201, (uint64_t)(int)a1);
for (int i = 0; mpi_ready() && i < (int)a1; i++)
    mpi_req_start(mpi_handle_at(a2, (size_t)i));
return orig_Startall(a1, a2);
MPI_END

MPI_STATE(Pready, 212, 2)
MPI_STATE(Pready_range, 213, 3)
MPI_STATE(Pready_list, 214, 3)
MPI_STATE(Parrived, 215, 3)

MPI_BEGIN(Request_free, 202, 1)
struct mpi_req *q = mpi_ready() ? mpi_req_remove(mpi_handle_at(a1, 0)) : NULL;
ezt_event0(202);
if (q) {
    mpi_req_given_away(q, mpi_handle_at(a1, 0));
    mpi_req_free(q);
}
return orig_Request_free(a1);
MPI_END

MPI_BEGIN(Cancel, 203, 1)
struct mpi_req *q = mpi_ready() ? mpi_req_remove(mpi_handle_at(a1, 0)) : NULL;
ezt_event0(203);
if (q) {
    q->cancelled = 1;
    mpi_req_put(q);
}
return orig_Cancel(a1);
MPI_END

/* ---- wait, test ---------------------------------------------------------------------------------------- */

/* Replaces MPI_f, which waits for or tests n requests. many: there is an array of statuses; each: a
 * status for each request. some: code that, if the call succeeded, finds out which requests are
 * complete. */
#define MPI_WAITS(f, number, args, n, requests, statuses, before, many, each, some)                \
    EZT_WORDS(number, "requests:int")                                                              \
    MPI_BEGIN(f, number, args)                                                                     \
    struct mpi_wait w;                                                                             \
    size_t count = (int)(n) > 0 && mpi_ready() ? (size_t)(int)(n) : 0;                             \
    ezt_event1(number, (uint64_t)(int)(n));                                                        \
    mpi_wait_begin(&w, requests, count);                                                           \
    mpi_word status = mpi_wait_statuses(&w, statuses, (many) ? count : 1);                         \
    int all = 0, r = orig_##f(before, status);                                                     \
    if (!r && w.first) {                                                                           \
        some;                                                                                      \
    }                                                                                              \
    mpi_wait_end(&w, requests, each, all, r);                                                      \
    return r;                                                                                      \
    MPI_END

static inline void mpi_wait_some(struct mpi_wait *w, mpi_word count, mpi_word indices)
{
    int n = *(const int *)count;
    const int *index = (const int *)indices;
    for (int i = 0; i < n; i++) /* n is MPI_UNDEFINED, which is negative, if no request is active */
        mpi_wait_one(w, (size_t)index[i], (size_t)i);
}

#define MPI_WAIT_ANY(index)                                                                        \
    if (*(const int *)(index) >= 0)                                                                \
    mpi_wait_one(&w, (size_t) * (const int *)(index), 0)

MPI_WAITS(Wait, 204, 2, 1, a1, a2, a1, 0, 1, all = 1)
MPI_WAITS(Waitall, 205, 3, a1, a2, a3, MPI_A2, 1, 1, all = 1)
MPI_WAITS(Waitany, 206, 4, a1, a2, a4, MPI_A3, 0, 0, MPI_WAIT_ANY(a3))
MPI_WAITS(Waitsome, 207, 5, a1, a2, a5, MPI_A4, 1, 0, mpi_wait_some(&w, a3, a4))
MPI_WAITS(Test, 208, 3, 1, a1, a3, MPI_A2, 0, 1, all = *(int *)a2)
MPI_WAITS(Testall, 209, 4, a1, a2, a4, MPI_A3, 1, 1, all = *(int *)a3)
MPI_WAITS(Testany, 210, 5, a1, a2, a5, MPI_A4, 0, 0, if (*(int *)a4) MPI_WAIT_ANY(a3))
MPI_WAITS(Testsome, 211, 5, a1, a2, a5, MPI_A4, 1, 0, mpi_wait_some(&w, a3, a4))

/* ---- communicators ---------------------------------------------------------------------------------------- */

/* Replaces MPI_f, which makes a communicator. `of`: the number of its parent, mixed with what else
 * all its members have in common, such as a tag. */
#define MPI_MAKES_OF(f, number, n, of, made)                                                       \
    EZT_WORDS(number, "comm:hex")                                                                  \
    MPI_BEGIN(f, number, n)                                                                        \
    uint64_t comm = mpi_comm_id(mpi_in(a1));                                                       \
    ezt_event1(number, comm);                                                                      \
    int r = orig_##f(MPI_A##n);                                                                    \
    if (!r && mpi_ready())                                                                         \
        mpi_comm_learn(mpi_handle_at(made, 0), of, 0, 0);                                          \
    return r;                                                                                      \
    MPI_END

#define MPI_MAKES(f, number, n, made) MPI_MAKES_OF(f, number, n, comm, made)
MPI_MAKES(Comm_create, 220, 3, a3)
MPI_MAKES_OF(Comm_create_group, 221, 4, mpi_mix(comm, (uint64_t)mpi_tag(a3)), a4)
MPI_MAKES(Comm_dup, 222, 2, a2)
MPI_MAKES(Comm_dup_with_info, 223, 3, a3)
MPI_MAKES(Comm_split, 224, 4, a4)
MPI_MAKES(Comm_split_type, 225, 5, a5)
MPI_MAKES_OF(Intercomm_create, 226, 6, mpi_mix(0, (uint64_t)mpi_tag(a5)), a6)
MPI_MAKES(Intercomm_merge, 227, 3, a3)
MPI_MAKES(Cart_create, 228, 6, a6)
MPI_MAKES(Cart_sub, 229, 3, a3)
MPI_MAKES(Graph_create, 230, 6, a6)
MPI_MAKES(Dist_graph_create, 231, 9, a9)
MPI_MAKES(Dist_graph_create_adjacent, 232, 10, a10)

/* Replaces a non-blocking duplication. The members are those of the parent. The new communicator is
 * counted when the call begins, because calls complete in any order. */
#define MPI_IDUPS(f, number, n, made_at, request)                                                  \
    EZT_WORDS(number, "comm:hex")                                                                  \
    MPI_BEGIN(f, number, n)                                                                        \
    const struct mpi_comm *c = mpi_in(a1);                                                         \
    struct mpi_req q = { .kind = MPI_REQ_DUP, .comm = mpi_comm_id(c), .made = made_at };           \
    ezt_event1(number, q.comm);                                                                    \
    q.list = c ? c->list : 0;                                                                      \
    q.id = c ? mpi_comm_count(mpi_mix(q.list, q.comm)) : 0;                                        \
    int r = orig_##f(MPI_A##n);                                                                    \
    if (!r && c)                                                                                   \
        mpi_req_new(mpi_handle_at(request, 0), &q);                                                \
    return r;                                                                                      \
    MPI_END

MPI_IDUPS(Comm_idup, 233, 3, a2, a3)
MPI_IDUPS(Comm_idup_with_info, 234, 4, a3, a4)

/* Replaces MPI_f, which frees a communicator: forgets it before it is freed, because another one
 * may get its handle at once. */
#define MPI_FREES(f, number)                                                                       \
    MPI_BEGIN(f, number, 1)                                                                        \
    ezt_event0(number);                                                                            \
    if (mpi_ready())                                                                               \
        mpi_comm_forget(mpi_handle_at(a1, 0));                                                     \
    return orig_##f(a1);                                                                           \
    MPI_END

MPI_FREES(Comm_free, 235)
MPI_FREES(Comm_disconnect, 236)

/* ---- begin and end ------------------------------------------------------------------------------------------- */

MPI_BEGIN(Init, 250, 2)
ezt_event0(250);
int r = orig_Init(a1, a2);
mpi_start();
return r;
MPI_END

MPI_BEGIN(Init_thread, 251, 4)
ezt_event0(251);
int r = orig_Init_thread(MPI_A4);
mpi_start();
return r;
MPI_END

MPI_BEGIN(Finalize, 252, 0)
ezt_event0(252);
mpi_lock(&mpi_state_lock);
if (mpi_state != MPI_UNKNOWN)
    __atomic_store_n(&mpi_state, MPI_OVER, __ATOMIC_RELEASE);
mpi_unlock(&mpi_state_lock);
return orig_Finalize();
MPI_END

#endif
