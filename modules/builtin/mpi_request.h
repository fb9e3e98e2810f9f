/* SPDX-License-Identifier: MIT */
/* mpi_request.h - the sends and receives of requests and matched messages, and the requests that a
 * wait completes. For mpi_probes.h.
 *
 * The table has the requests of sends, receives and collective operations, persistent requests, and
 * requests that make a communicator. A call that may complete requests first removes them from the table, because
 * another thread may get the same handle as soon as a request is complete. After the call, the
 * module puts the requests that are not complete back. */
#ifndef MPI_REQUEST_H
#define MPI_REQUEST_H

#include <ezt_probe.h>

#include "mpi_comm.h"
#include "mpi_events.h"

enum mpi_req_kind { MPI_REQ_RECV, MPI_REQ_SEND, MPI_REQ_DUP, MPI_REQ_COLLECTIVE };

struct mpi_req {
    uint64_t key;
    /* next request in the same bucket, or among the requests that a call may complete */
    struct mpi_req *next;
    size_t index; /* index in the call's array */
    uint8_t kind, persistent, active, cancelled;
    uint64_t id;               /* number of the receive, or of the collective operation; for DUP:
                                * how many communicators of that kind were made before */
    uint64_t sent;             /* number of the message that the request sends; 0 = none */
    uint64_t comm;             /* DUP: number of the parent */
    const struct mpi_comm *in; /* the receive's communicator; NULL = unknown */
    int64_t peer, tag;
    uint64_t bytes;
    uint64_t list; /* for DUP: hash of the list of members */
    mpi_word made; /* for DUP: address where MPI stores the new handle */
};

struct mpi_req_bucket {
    int lock;
    struct mpi_req *first, *spare;
};
enum { MPI_REQ_BUCKETS = 4096 };
static struct mpi_req_bucket mpi_req_bucket[MPI_REQ_BUCKETS];
static uint64_t mpi_numbers; /* number of messages that requests sent or received */

#define MPI_MESSAGE ((uint64_t)1 << 63) /* bit in the key of a matched message */

static inline uint64_t mpi_next_number(void)
{
    return __atomic_add_fetch(&mpi_numbers, 1, __ATOMIC_RELAXED);
}

static inline struct mpi_req_bucket *mpi_req_bucket_of(uint64_t key)
{
    return &mpi_req_bucket[mpi_mix(11, key) % MPI_REQ_BUCKETS];
}

/* Removes a request from the table and returns it. Returns NULL if the table has no request with
 * this key. */
static inline struct mpi_req *mpi_req_remove(uint64_t key)
{
    struct mpi_req_bucket *b = mpi_req_bucket_of(key);
    /* a thread's own requests are visible to it without the lock */
    if (!__atomic_load_n(&b->first, __ATOMIC_RELAXED))
        return NULL;
    mpi_lock(&b->lock);
    struct mpi_req **at = &b->first, *r;
    while ((r = *at) && r->key != key)
        at = &r->next;
    if (r)
        *at = r->next;
    mpi_unlock(&b->lock);
    return r;
}

static inline void mpi_req_put(struct mpi_req *r)
{
    struct mpi_req_bucket *b = mpi_req_bucket_of(r->key);
    mpi_lock(&b->lock);
    r->next = b->first;
    __atomic_store_n(&b->first, r, __ATOMIC_RELAXED);
    mpi_unlock(&b->lock);
}

static inline void mpi_req_free(struct mpi_req *r)
{
    struct mpi_req_bucket *b = mpi_req_bucket_of(r->key);
    mpi_lock(&b->lock);
    r->next = b->spare;
    b->spare = r;
    mpi_unlock(&b->lock);
}

/* Returns whether a complete request sent its message. status: NULL = unknown. A request that the
 * program cancelled sent its message if it was too late. */
static inline int mpi_req_has_sent(const struct mpi_req *r, const char *status)
{
    int cancelled = 0;
    if (!r->sent || !r->active || !r->cancelled)
        return r->sent && r->active;
    return status && !mpi_lib.test_cancelled(status, &cancelled) && !cancelled;
}

static inline int mpi_req_is_collective(const struct mpi_req *r)
{
    return r->kind == MPI_REQ_COLLECTIVE && r->active;
}

/* Adds a new request. If a request has the same key, MPI has completed that one: for sends that are
 * complete at once, both libraries return one handle again and again. */
static inline void mpi_req_new(uint64_t key, const struct mpi_req *what)
{
    struct mpi_req_bucket *b = mpi_req_bucket_of(key);
    struct mpi_req *r = mpi_req_remove(key);
    if (r && r->sent && r->active) /* even if cancelled: it was too late for that */
        ezt_event1(MPI_EV_SENT, r->sent);
    if (r && mpi_req_is_collective(r))
        ezt_event1(MPI_EV_DONE, r->id);
    if (!r) {
        mpi_lock(&b->lock);
        if ((r = b->spare))
            b->spare = r->next;
        mpi_unlock(&b->lock);
    }
    if (!r && !(r = (struct mpi_req *)mpi_room(sizeof *r)))
        return;
    *r = *what;
    r->key = key;
    mpi_req_put(r);
}

/* Forgets the requests of an earlier connection to eztsh: some of them were completed since, and
 * other requests may have their handles. Persistent requests stay, but not as started. */
static inline void mpi_req_forget(void)
{
    for (unsigned i = 0; i < MPI_REQ_BUCKETS; i++) {
        struct mpi_req_bucket *b = &mpi_req_bucket[i];
        mpi_lock(&b->lock);
        for (struct mpi_req **at = &b->first, *r; (r = *at);) {
            r->active = 0;
            if (r->persistent) {
                at = &r->next;
                continue;
            }
            *at = r->next;
            r->next = b->spare;
            b->spare = r;
        }
        mpi_unlock(&b->lock);
    }
}

/* ---- a call that completes requests ------------------------------------------------------------ */

enum { MPI_OWN_STATUSES = 16, MPI_STATUS_MOST = 24, MPI_PACK = 10 };

struct mpi_wait {
    struct mpi_req *first, **last, *at; /* the call's requests that are in the table, in the call's
                                         * order */
    char *status;                       /* the first MPI_Status */
    size_t mapped;
    uint64_t pack[3 * MPI_PACK]; /* completed receives, to record together: id, source, tag of
                                  * each */
    uint64_t sent[3 * MPI_PACK]; /* numbers of messages that were sent, to record together */
    uint32_t packed, nsent;
    char own[MPI_OWN_STATUSES * MPI_STATUS_MOST];
};

static inline void mpi_wait_begin(struct mpi_wait *w, mpi_word requests, size_t n)
{
    w->first = NULL;
    w->last = &w->first;
    w->mapped = 0;
    w->packed = w->nsent = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = mpi_handle_at(requests, i);
        struct mpi_req *r = key == mpi_lib.request_null ? NULL : mpi_req_remove(key);
        if (!r)
            continue;
        r->index = i;
        r->next = NULL;
        *w->last = r;
        w->last = &r->next;
    }
    w->at = w->first;
}

static inline int mpi_req_needs_status(const struct mpi_req *r)
{
    return r->cancelled || (r->kind == MPI_REQ_RECV && (r->peer == MPI_ANY || r->tag == MPI_ANY));
}

/* Returns the array to which the call writes n statuses: the program's; or the module's, if the
 * program passes none and the source of a message must be known. */
static inline mpi_word mpi_wait_statuses(struct mpi_wait *w, mpi_word theirs, size_t n)
{
    struct mpi_req *r = w->first;
    w->status = (char *)theirs;
    if (theirs != mpi_lib.ignore)
        return theirs;
    while (r && !mpi_req_needs_status(r))
        r = r->next;
    w->status = NULL;
    if (!r)
        return theirs;
    w->status = w->own;
    if (n > MPI_OWN_STATUSES) {
        w->status = (char *)mpi_pages(n * mpi_lib.status);
        w->mapped = w->status ? n * mpi_lib.status : 0;
    }
    return w->status ? (mpi_word)w->status : theirs;
}

static inline void mpi_wait_record(struct mpi_wait *w)
{
    if (w->packed)
        ezt_event(MPI_EV_COMPLETE, w->packed, w->pack);
    if (w->nsent)
        ezt_event(MPI_EV_SENT, w->nsent, w->sent);
    w->packed = w->nsent = 0;
}

/* Finds source and tag of the message that a complete receive got. MPI_NONE: the receive got no
 * message, or the source is unknown. */
static inline void mpi_req_source(const struct mpi_req *r, const char *status, int64_t *source,
                                  int64_t *tag)
{
    int cancelled = 0;
    *source = r->peer;
    *tag = r->tag;
    if (!mpi_req_needs_status(r))
        return;
    if (!status || (r->cancelled && (mpi_lib.test_cancelled(status, &cancelled) || cancelled))) {
        *source = MPI_NONE;
        return;
    }
    *tag = mpi_status_int(status, mpi_lib.tag_at);
    *source = r->in && r->in->id == r->comm
                  ? mpi_peer(r->in, mpi_status_int(status, mpi_lib.source_at))
                  : MPI_NONE;
}

/* Handles a request that the program frees (MPI_Request_free). The source of a receive is known if
 * the receive is complete, or accepts only one source. */
static inline void mpi_req_given_away(const struct mpi_req *r, mpi_word request)
{
    char status[MPI_STATUS_MOST];
    int over = 0;
    int64_t source, tag;
    if (!r->active || (r->kind != MPI_REQ_RECV && !r->sent && !mpi_req_is_collective(r)))
        return;
    mpi_lib.request_get_status(request, &over, status);
    if (over && mpi_req_is_collective(r))
        ezt_event1(MPI_EV_DONE, r->id);
    if (over && mpi_req_has_sent(r, status))
        ezt_event1(MPI_EV_SENT, r->sent);
    if (r->kind != MPI_REQ_RECV)
        return;
    mpi_req_source(r, over ? status : NULL, &source, &tag);
    ezt_event3(MPI_EV_COMPLETE, r->id, (uint64_t)source, (uint64_t)tag);
}

static inline void mpi_req_complete(struct mpi_wait *w, struct mpi_req *r, const char *status)
{
    int64_t source, tag;
    if (r->kind == MPI_REQ_RECV && r->active) {
        mpi_req_source(r, status, &source, &tag);
        w->pack[w->packed++] = r->id;
        w->pack[w->packed++] = (uint64_t)source;
        w->pack[w->packed++] = (uint64_t)tag;
    }
    if (mpi_req_has_sent(r, status))
        w->sent[w->nsent++] = r->sent;
    if (w->packed == 3 * MPI_PACK || w->nsent == 3 * MPI_PACK)
        mpi_wait_record(w);
    if (mpi_req_is_collective(r))
        ezt_event1(MPI_EV_DONE, r->id);
    if (r->kind == MPI_REQ_DUP)
        mpi_comm_learn(mpi_handle_at(r->made, 0), r->comm, r->list, r->id);
    r->active = r->cancelled = 0;
    if (r->persistent)
        mpi_req_put(r);
    else
        mpi_req_free(r);
}

static inline const char *mpi_wait_status(const struct mpi_wait *w, size_t i)
{
    return w->status ? w->status + i * mpi_lib.status : NULL;
}

/* Handles request `index`, which is complete; its status is number i. Indices usually come in
 * ascending order, so the search is short. */
static inline void mpi_wait_one(struct mpi_wait *w, size_t index, size_t i)
{
    struct mpi_req **at = &w->first, *r;
    while ((r = *at) && r->index != index)
        at = &r->next;
    if (!r)
        return;
    *at = r->next;
    mpi_req_complete(w, r, mpi_wait_status(w, i));
}

/* Handles a request after a call failed: MPI may have completed and freed the request, or kept
 * it. */
static inline void mpi_wait_failed(struct mpi_wait *w, struct mpi_req *r, uint64_t request,
                                   const char *status)
{
    char own[MPI_STATUS_MOST];
    int over = 0;
    if (request == mpi_lib.request_null)
        mpi_req_complete(w, r, status);
    else if (!mpi_lib.request_get_status(request, &over, own) && over)
        mpi_req_complete(w, r, own);
    else
        mpi_req_put(r);
}

/* Ends the call. all: every request is complete. failed: the call failed, so the complete requests
 * are unknown. each: status i belongs to request i. */
static inline void mpi_wait_end(struct mpi_wait *w, mpi_word requests, int each, int all,
                                int failed)
{
    for (struct mpi_req *r = w->first, *next; r; r = next) {
        const char *status = each ? mpi_wait_status(w, r->index) : NULL;
        next = r->next;
        if (all)
            mpi_req_complete(w, r, status);
        else if (failed)
            mpi_wait_failed(w, r, mpi_handle_at(requests, r->index), status);
        else
            mpi_req_put(r);
    }
    mpi_wait_record(w);
    if (w->mapped)
        munmap(w->status, w->mapped);
}

#endif
