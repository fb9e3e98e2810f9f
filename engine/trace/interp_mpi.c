/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_mpi.c - the interpreter of module mpi, which turns messages into links between threads
 * (interp.h).
 *
 * interp_default.c makes a state of each MPI call. This file handles the module's events about
 * messages; modules/builtin/mpi_events.h defines their words. A link starts in the sending thread,
 * inside the state of the call that sends. The link ends in the receiving thread, inside the state
 * of the call that completes the receive.
 *
 * Processes are distinguished by job and rank in MPI_COMM_WORLD. match.h finds the receive of each
 * message.
 *
 * TIME LOST: a thread gets two variables, in seconds, each a sum over the thread's calls.
 *   "Late sender" for calls that completed a receive: from the start of the call until the start of
 *       the send. If a call received several messages, the send that started last counts.
 *   "Late receiver" for blocking sends: from the start of the call until the receive was posted, if
 *       the receive was posted before the end of the call. A send that MPI buffers does not wait.
 *
 * Tests: tests/unit/trace/check_mpi.c */
#include <string.h>

#include "engine/trace/interp.h"
#include "engine/trace/match.h"
#include "modules/builtin/mpi_events.h"

/* numbers of these MPI functions in the module's events */
enum { MPI_INIT = 250, MPI_INIT_THREAD };
enum { MPI_ID = 0x53, ANY = -1, NOBODY = -2 };
static const uint64_t mpi_code = EZ_C_MODULE + ((uint64_t)MPI_ID << 16);

struct open_recv {
    uint64_t comm, channel, order, posted_ns;
    /* the receive accepts any source or any tag: the channel is unknown until a message arrives */
    bool any;
};

struct call { /* the current or the last MPI call of a thread */
    /* number: number of the call, unique in the trace; what: number of the MPI function; lost_ns:
     * time lost by late senders so far */
    uint64_t number, what, begin_ns, lost_ns;
    /* key and channel of the message that the call sent last, and number of the request that sends
     * it; 0 = none */
    uint64_t send, channel, request;
    /* time when the receive of the blocking send was posted; 0 if not posted yet */
    uint64_t late_ns;
    /* open: the call has not returned yet; blocks: the call is a blocking send */
    bool open, blocks;
};

struct place { /* a process */
    uint64_t job;
    int64_t rank; /* -1 if unknown */
    bool used;    /* the process sent or received a message */
    /* from_init: the process was traced since MPI_Init; late: the module was loaded after
     * MPI_Init */
    bool from_init, late;
};

struct mpi {
    struct ez_inputs *all;
    struct ez_model *m;
    struct ez_match *match;
    uint32_t message, late_sender, late_receiver; /* names */
    uint64_t sends, orders, calls;
    uint64_t now;
    EZ_VEC(struct place) place; /* index: input */
    struct ez_hash by_rank;     /* job and rank -> input */
    EZ_VEC(struct call) call;   /* index: the thread's container */
    struct ez_hash by_key;      /* key of an open receive -> index in `recv` */
    EZ_VEC(struct open_recv) recv;
    EZ_VEC(size_t) spare;
};

static uint64_t interp_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t mpi_rank_key(uint64_t job, int64_t rank)
{
    return interp_mix(interp_mix(1, job), (uint64_t)rank);
}

/* Returns the id of a channel (match.h): a 64-bit hash. Two channels of a trace practically never
 * have the same id. */
static uint64_t mpi_channel(const struct place *from, uint64_t comm, int64_t source, int64_t dest,
                            int64_t tag)
{
    uint64_t h = interp_mix(interp_mix(2, from->job), comm);
    return interp_mix(interp_mix(interp_mix(h, (uint64_t)source), (uint64_t)dest), (uint64_t)tag);
}

/* ---- begin and end ------------------------------------------------------------------------- */

static void mpi_learn_rank(struct mpi *s, uint32_t input, int64_t rank)
{
    struct place *p = &s->place.at[input];
    size_t was;
    uint64_t key = mpi_rank_key(p->job, rank);
    if (p->rank >= 0 && ez_hash_get(&s->by_rank, mpi_rank_key(p->job, p->rank), &was) &&
        was == input)
        ez_hash_remove(&s->by_rank, mpi_rank_key(p->job, p->rank), &was);
    p->rank = rank;
    ez_hash_remove(&s->by_rank, key, &was);
    ez_hash_put(&s->by_rank, key, input);
}

/* the words that are the content of a message's link */
static const struct ez_words mpi_content = {
    .word = { { "bytes", EZ_W_UINT }, { "tag", EZ_W_INT }, { "communicator", EZ_W_UINT } },
    .n = 3,
    .subject = -1,
    .by_name = -1
};

static void mpi_pair(void *arg, const struct ez_sent *sent, const struct ez_posted *r);

static void *mpi_create(struct ez_inputs *all)
{
    struct mpi *s = ez_alloc(sizeof *s);
    s->all = all;
    s->m = ez_inputs_model(all);
    s->message = s->late_sender = s->late_receiver = EZ_NONE_IDX;
    s->match = ez_match_create(mpi_pair, s);
    for (uint32_t i = 0; i < ez_inputs_count(all); i++) {
        const struct ez_fxt_defs *d = ez_inputs_defs(all, i);
        struct place p = { .job = d->job ? ez_hash_key(EZ_HASH_SEED, d->job) : 0, .rank = -1 };
        EZ_PUSH(&s->place, p);
        if (d->job && d->rank != EZ_NO_RANK)
            mpi_learn_rank(s, i, d->rank);
    }
    return s;
}

/* Counts, among the processes that have messages, those that were not traced since MPI_Init, and
 * those whose job and rank are also those of another process. */
static void mpi_count_doubtful(struct mpi *s)
{
    for (size_t i = 0; i < s->place.n; i++) {
        const struct place *p = &s->place.at[i];
        bool twin = false;
        for (size_t k = 0; p->used && k < i && !twin; k++) {
            const struct place *o = &s->place.at[k];
            twin = o->used && o->job == p->job && o->rank == p->rank;
        }
        s->m->count.twin_processes += twin;
        s->m->count.late_processes += p->used && (p->late || !p->from_init);
    }
}

static void mpi_destroy(void *self)
{
    struct mpi *s = self;
    mpi_count_doubtful(s);
    s->m->count.unpaired_links += ez_match_unpaired(s->match);
    s->m->count.unsure_links += ez_match_unsure(s->match);
    ez_match_destroy(s->match);
    EZ_VEC_FREE(&s->place);
    EZ_VEC_FREE(&s->call);
    EZ_VEC_FREE(&s->recv);
    EZ_VEC_FREE(&s->spare);
    ez_hash_free(&s->by_rank);
    ez_hash_free(&s->by_key);
    free(s);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static struct call *mpi_call(struct mpi *s, uint32_t thread)
{
    const struct call none = { .number = 0 };
    while (s->call.n <= thread)
        EZ_PUSH(&s->call, none);
    return &s->call.at[thread];
}

static void mpi_lose(struct mpi *s, uint32_t thread, uint32_t *name, const char *text, uint64_t ns)
{
    if (!ns)
        return;
    if (*name == EZ_NONE_IDX)
        *name = ez_model_name(s->m, EZ_N_VAR, text, "mpi", 0);
    ez_model_var_add(s->m, thread, *name, (double)ns / 1e9, EZ_ABOUT_NOTHING);
}

static void mpi_late_sender(struct mpi *s, uint32_t thread, uint64_t ns)
{
    mpi_lose(s, thread, &s->late_sender, "Late sender", ns);
}
static void mpi_late_receiver(struct mpi *s, uint32_t thread, uint64_t ns)
{
    mpi_lose(s, thread, &s->late_receiver, "Late receiver", ns);
}

static void mpi_call_begins(struct mpi *s, uint32_t thread, uint64_t what)
{
    struct call c = { .number = ++s->calls, .what = what, .begin_ns = s->now, .open = true };
    *mpi_call(s, thread) = c;
}

static void mpi_call_ends(struct mpi *s, uint32_t thread)
{
    struct call *c = mpi_call(s, thread);
    if (!c->open)
        return;
    c->open = false;
    mpi_late_sender(s, thread, c->lost_ns);
    if (c->late_ns)
        mpi_late_receiver(s, thread, c->late_ns - c->begin_ns);
    else if (c->blocks)
        ez_match_sent(s->match, c->channel, c->send, s->now);
}

/* Adds the time for which a receive waited, from the start of the call that completes the receive
 * until the start of the send. While that call is open, the time is only stored, and
 * mpi_call_ends() adds it. If the call has returned, its time was added already, so only the
 * increase is added. */
static void mpi_wait_lost(struct mpi *s, const struct ez_sent *sent, const struct ez_posted *r)
{
    uint64_t until = EZ_MIN(sent->begin_ns, r->done_ns), lost;
    struct call *c = mpi_call(s, r->thread);
    if (until <= r->call_ns)
        return;
    lost = until - r->call_ns;
    if (c->number != r->call) {
        mpi_late_sender(s, r->thread, lost);
    } else if (lost > c->lost_ns) {
        if (!c->open)
            mpi_late_sender(s, r->thread, lost - c->lost_ns);
        c->lost_ns = lost;
    }
}

static void mpi_send_lost(struct mpi *s, const struct ez_sent *sent, const struct ez_posted *r)
{
    struct call *c = mpi_call(s, sent->thread);
    if (!sent->blocking || r->posted_ns <= sent->begin_ns)
        return;
    if (c->open && c->send == sent->key)
        c->late_ns = r->posted_ns; /* mpi_call_ends() adds the time */
    else if (r->posted_ns < sent->end_ns)
        mpi_late_receiver(s, sent->thread, r->posted_ns - sent->begin_ns);
}

static uint32_t mpi_message(struct mpi *s)
{
    if (s->message == EZ_NONE_IDX)
        s->message = ez_model_name(s->m, EZ_N_LINK, "message", "mpi", 0);
    return s->message;
}

/* Returns one end of a message's link. peer: container at the other end. request: number of the
 * request that sends or receives the message, 0 = none. */
static struct ez_link mpi_link(struct mpi *s, const struct ez_sent *sent, uint32_t peer,
                               uint64_t request)
{
    return (struct ez_link){ .name = mpi_message(s),
                             .peer = peer,
                             .key = sent->key,
                             .request = request,
                             .arg = sent->word,
                             .narg = EZ_ARRAY_LEN(sent->word),
                             .words = &mpi_content };
}

static void mpi_pair(void *arg, const struct ez_sent *sent, const struct ez_posted *r)
{
    struct mpi *s = arg;
    const struct ez_link l = mpi_link(s, sent, sent->thread, r->request);
    mpi_wait_lost(s, sent, r);
    mpi_send_lost(s, sent, r);
    ez_model_link_end(s->m, r->thread, &l);
}

/* ---- messages ------------------------------------------------------------------------------- */

struct at { /* input, container of the thread, and process of an event */
    uint32_t input, thread;
    struct place *place;
};

/* Returns the container of the main thread of the process with this rank, or EZ_NONE_IDX. */
static uint32_t mpi_thread_of_rank(struct mpi *s, uint64_t job, int64_t rank)
{
    size_t input;
    if (!ez_hash_get(&s->by_rank, mpi_rank_key(job, rank), &input))
        return EZ_NONE_IDX;
    return ez_inputs_thread(s->all, (uint32_t)input, ez_inputs_defs(s->all, (uint32_t)input)->pid);
}

/* Handles the start of a send. word: communicator, destination, tag, number of bytes. request:
 * number of the request that sends, 0 = none. */
static void mpi_send(struct mpi *s, const struct at *at, const uint64_t *word, bool blocking,
                     uint64_t request)
{
    int64_t dest = (int64_t)word[1];
    if (dest < 0 || at->place->rank < 0)
        return;
    at->place->used = true;
    struct ez_sent sent = { .key = ++s->sends,
                            .begin_ns = s->now,
                            .thread = at->thread,
                            .blocking = blocking,
                            .word = { word[3], word[2], word[0] } };
    const struct ez_link l =
        mpi_link(s, &sent, mpi_thread_of_rank(s, at->place->job, dest), request);
    uint64_t channel = mpi_channel(at->place, word[0], at->place->rank, dest, (int64_t)word[2]);
    struct call *c = mpi_call(s, at->thread);
    c->send = sent.key;
    c->channel = channel;
    c->request = request;
    c->blocks = blocking;
    ez_model_link_start(s->m, at->thread, &l);
    ez_match_send(s->match, channel, &sent);
}

/* Removes the message of a call that failed, so that no receive is matched with it. The message's
 * link gets no end. */
static void mpi_unsend(struct mpi *s, uint32_t thread)
{
    struct call *c = mpi_call(s, thread);
    if (c->send)
        ez_match_unsend(s->match, c->channel, c->send);
    if (c->request)
        ez_model_request(s->m, thread, mpi_message(s), c->request, EZ_REQUEST_CANCELLED);
    c->blocks = false;
}

/* Returns the key of a nonblocking receive. The module identifies such a receive by a number within
 * its process. Keys of other inputs, and keys of blocking receives (mpi_key_of_thread()), are
 * different. */
static uint64_t mpi_key_of_id(const struct at *at, uint64_t id)
{
    return (uint64_t)at->input << 40 | id << 1;
}
static uint64_t mpi_key_of_thread(const struct at *at)
{
    return (uint64_t)at->thread << 1 | 1;
}

/* Returns the number of the request of a receive with that key; 0 if the receive has none. */
static uint64_t mpi_request_of(const struct at *at, uint64_t key)
{
    return key & 1 ? 0 : (key - mpi_key_of_id(at, 0)) >> 1;
}

static void mpi_request(struct mpi *s, const struct at *at, uint64_t number, enum ez_request did)
{
    if (number)
        ez_model_request(s->m, at->thread, mpi_message(s), number, did);
}

/* Removes an open receive, and stores it in *r. Returns false if there is no receive with this
 * key. */
static bool mpi_remove_recv(struct mpi *s, uint64_t key, struct open_recv *r)
{
    size_t i;
    if (!ez_hash_remove(&s->by_key, key, &i))
        return false;
    *r = s->recv.at[i];
    EZ_PUSH(&s->spare, i);
    return true;
}

/* Handles the posting of a receive. word: communicator, source, tag. */
static void mpi_post(struct mpi *s, const struct at *at, const uint64_t *word, uint64_t key)
{
    int64_t source = (int64_t)word[1], tag = (int64_t)word[2];
    struct open_recv r = { .comm = word[0],
                           .order = ++s->orders,
                           .posted_ns = s->now,
                           .any = source == ANY || tag == ANY };
    struct open_recv old;
    if (source == NOBODY || at->place->rank < 0)
        return;
    at->place->used = true;
    mpi_request(s, at, mpi_request_of(at, key), EZ_REQUEST_POSTED);
    if (mpi_remove_recv(s, key, &old) && old.any) /* the completion of `old` is missing */
        ez_match_any(s->match, false);
    r.channel = mpi_channel(at->place, r.comm, source, at->place->rank, tag);
    size_t i = s->spare.n ? s->spare.at[--s->spare.n] : s->recv.n;
    if (i == s->recv.n)
        EZ_PUSH(&s->recv, r);
    s->recv.at[i] = r;
    ez_hash_put(&s->by_key, key, i);
    struct ez_posted p = { .order = r.order, .posted_ns = r.posted_ns };
    if (r.any)
        ez_match_any(s->match, true);
    else
        ez_match_post(s->match, r.channel, &p);
}

static void mpi_complete(struct mpi *s, const struct at *at, uint64_t key, const uint64_t *word)
{
    int64_t source = (int64_t)word[0], tag = (int64_t)word[1];
    const struct call *c = mpi_call(s, at->thread);
    struct open_recv r;
    if (!mpi_remove_recv(s, key, &r))
        return;
    struct ez_posted p = { .order = r.order,
                           .request = mpi_request_of(at, key),
                           .posted_ns = r.posted_ns,
                           .call = c->number,
                           .call_ns = c->open ? c->begin_ns : s->now,
                           .done_ns = s->now,
                           .thread = at->thread };
    if (source < 0)
        mpi_request(s, at, p.request, EZ_REQUEST_CANCELLED);
    if (r.any && source >= 0)
        r.channel = mpi_channel(at->place, r.comm, source, at->place->rank, tag);
    if (source >= 0)
        ez_match_done(s->match, r.channel, &p);
    else if (!r.any)
        ez_match_cancel(s->match, r.channel, r.order);
    if (r.any)
        ez_match_any(s->match, false);
}

/* ---- events ---------------------------------------------------------------------------------- */

static struct at mpi_at(struct mpi *s, const struct ez_merged *ev)
{
    s->now = ev->ns;
    return (struct at){ ev->input, ez_inputs_thread(s->all, ev->input, ev->tid),
                        &s->place.at[ev->input] };
}

/* At the end of a call: completes the call's blocking receive, and ends the call, before the
 * default interpreter ends the state of the call. */
static void mpi_before(void *self, const struct ez_merged *ev)
{
    struct mpi *s = self;
    uint64_t n = ev->code - mpi_code;
    if (n != MPI_EV_POP && n != MPI_EV_RECEIVED)
        return;
    struct at at = mpi_at(s, ev);
    if (n == MPI_EV_RECEIVED && ev->narg >= 2)
        mpi_complete(s, &at, mpi_key_of_thread(&at), ev->arg);
    mpi_call_ends(s, at.thread);
}

/* Handles the event with the rank of a process. The module reports the rank in MPI_Init or, if the
 * module was loaded later, as soon as MPI can be asked, possibly more than once. */
static void mpi_rank(struct mpi *s, const struct at *at, int64_t rank)
{
    const struct call *c = mpi_call(s, at->thread);
    bool init = c->open && (c->what == MPI_INIT || c->what == MPI_INIT_THREAD);
    mpi_learn_rank(s, (uint32_t)(at->place - s->place.at), rank);
    at->place->late |= !init;
    at->place->from_init |= init;
}

/* Handles the start of a call. n: number of the MPI function; its range says whether the function
 * sends or receives (mpi_events.h). */
static void mpi_begin(struct mpi *s, const struct at *at, uint64_t n, const struct ez_merged *ev)
{
    const uint64_t *word = ev->arg;
    uint64_t here = mpi_key_of_thread(at);
    mpi_call_begins(s, at->thread, n);
    if (n < MPI_EV_RECVS && ev->narg >= 4)
        mpi_send(s, at, word, n < MPI_EV_ISENDS, ev->narg >= 5 ? word[4] : 0);
    else if (n >= MPI_EV_RECVS && n < MPI_EV_IRECVS && ev->narg >= 3)
        mpi_post(s, at, word, here);
    else if (n >= MPI_EV_IRECVS && n < MPI_EV_SENDRECVS && ev->narg >= 4)
        mpi_post(s, at, word, mpi_key_of_id(at, word[3]));
    else if (n >= MPI_EV_SENDRECVS && n < MPI_EV_OTHERS && ev->narg >= 6) {
        const uint64_t recv[] = { word[0], word[4], word[5] };
        bool blocking = n < MPI_EV_ISENDRECVS;
        mpi_send(s, at, word, false, ev->narg >= 8 ? word[7] : 0);
        if (blocking || ev->narg >= 7)
            mpi_post(s, at, recv, blocking ? here : mpi_key_of_id(at, word[6]));
    }
}

static bool mpi_event(void *self, const struct ez_merged *ev)
{
    struct mpi *s = self;
    uint64_t n = ev->code - mpi_code;
    struct at at = mpi_at(s, ev);
    if (n == MPI_EV_RANK && ev->narg)
        mpi_rank(s, &at, (int64_t)ev->arg[0]);
    else if (n == MPI_EV_SEND && ev->narg >= 4)
        mpi_send(s, &at, ev->arg, false, ev->narg >= 5 ? ev->arg[4] : 0);
    else if (n == MPI_EV_UNSENT)
        mpi_unsend(s, at.thread);
    else if (n == MPI_EV_POST && ev->narg >= 4)
        mpi_post(s, &at, ev->arg, mpi_key_of_id(&at, ev->arg[3]));
    else if (n >= MPI_EV_SENDS)
        mpi_begin(s, &at, n, ev);
    for (unsigned i = 0; n == MPI_EV_COMPLETE && i + 3 <= ev->narg; i += 3)
        mpi_complete(s, &at, mpi_key_of_id(&at, ev->arg[i]), ev->arg + i + 1);
    for (unsigned i = 0; n == MPI_EV_SENT && i < ev->narg; i++)
        mpi_request(s, &at, ev->arg[i], EZ_REQUEST_SENT);
    if (n == MPI_EV_DONE && ev->narg)
        mpi_request(s, &at, ev->arg[0], EZ_REQUEST_DONE);
    return n >= MPI_EV_POP && n <= MPI_EV_DONE;
}

const struct ez_interp ez_interp_mpi = { .name = "mpi",
                                         .first = EZ_C_MODULE + ((uint64_t)MPI_ID << 16),
                                         .last = EZ_C_MODULE + ((uint64_t)MPI_ID << 16) + 0xffff,
                                         .create = mpi_create,
                                         .before = mpi_before,
                                         .event = mpi_event,
                                         .destroy = mpi_destroy };
