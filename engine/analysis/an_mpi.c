/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_mpi.c - waits in MPI: messages and collective operations (analysis_priv.h).
 *
 * e(x) is the time at which call x begins. A receive waits until e(send); a send that MPI does not
 * buffer waits until the receive is posted; a member of a collective operation waits until the
 * last member comes, or the root. What is known of a message before the sending call has ended is
 * judged at the end of this call, else at once.
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include <string.h>

#include "engine/analysis/analysis_priv.h"

/* In both MPIs, sends of smaller messages do not wait for a receiver, but for synchronous sends. */
enum { BUFFERED = 4096 };

void an_consider(struct an_thread *t, enum ez_wait_kind kind, uint64_t until, uint32_t cause)
{
    struct an_candidate *b = &t->op.best;
    if (!t->op.open || until <= t->op.begin_ns || cause == t->self || until <= b->until)
        return;
    *b = (struct an_candidate){ kind, until, cause };
}

static int64_t mpi_world_rank(const struct analysis *a, const struct an_thread *t)
{
    const struct ez_container *c = ez_model_process(a->m, t->row.container);
    return c && c->rank != EZ_NO_RANK ? (int64_t)c->rank : -1;
}

/* ---- collective operations -------------------------------------------------------------------------- */

/* Finds the words of a collective operation by their names. */
static void mpi_words(struct an_class *c, const struct ez_item *it)
{
    c->comm = c->bytes = c->root = c->id = -1;
    for (unsigned i = 0; it->words && i < it->narg && it->first + i < it->words->n; i++) {
        const char *name = it->words->word[it->first + i].name;
        if (!strcmp(name, "comm") || !strcmp(name, "window"))
            c->comm = (int)i;
        else if (!strcmp(name, "bytes"))
            c->bytes = (int)i;
        else if (!strcmp(name, "root"))
            c->root = (int)i;
        else if (!strcmp(name, "id"))
            c->id = (int)i;
    }
}

static void mpi_count(struct analysis *a, const struct an_thread *t, uint64_t ns, uint64_t wait_ns)
{
    const struct ez_collective_row fresh = { .name = t->op.name };
    size_t i = ez_hash_put(&a->collectives, t->op.name, a->collective.n);
    if (i == a->collective.n)
        EZ_PUSH(&a->collective, fresh);
    struct ez_collective_row *r = &a->collective.at[i];
    r->calls++;
    r->bytes += t->op.bytes;
    r->ns += ns;
    r->wait_ns += wait_ns;
}

/* Each process numbers its messages and collective operations with requests. */
static uint64_t mpi_request_key(const struct an_thread *t, uint64_t request)
{
    return ez_hash_pair(t->row.process, request);
}

/* Stores a nonblocking operation until it is complete. */
static void mpi_started(struct analysis *a, const struct an_thread *t, uint64_t number)
{
    size_t i = a->spare_started.n ? a->spare_started.at[--a->spare_started.n] : a->started.n;
    if (i == a->started.n)
        EZ_PUSH(&a->started, t->op);
    a->started.at[i] = t->op;
    ez_hash_set(&a->by_number, mpi_request_key(t, number), i);
}

static void mpi_enters(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    struct an_operation *op = &t->op;
    mpi_words(&op->class, it);
    if (op->class.comm < 0 || !it->arg[op->class.comm]) { /* 0: an unknown one */
        op->op = OP_MPI;
        return;
    }
    uint64_t key = ez_hash_pair(an_job(a, t), it->arg[op->class.comm]);
    op->bytes = op->class.bytes < 0 ? 0 : it->arg[op->class.bytes];
    op->group = an_group_of(a, key);
    int64_t root = op->class.root < 0 ? -1 : (int64_t)it->arg[op->class.root];
    if (op->op != OP_NXN && root < 0)
        op->part = AN_NO_PART;
    else if (op->op != OP_NXN && root == mpi_world_rank(a, t))
        op->part = AN_ROOT;
    op->nth = an_enter(a, (uint32_t)op->group, t->self, true, op->part);
    if (op->part == AN_NO_PART)
        op->op = OP_OTHER_COLLECTIVE;
    if (op->class.starts_only && op->class.id >= 0)
        mpi_started(a, t, it->arg[op->class.id]);
}

/* Returns how long the network alone lets the thread wait: the latest of the clocks that the
 * operation depends on. */
static uint64_t mpi_ideal(const struct an_operation *op, const struct an_instance *i)
{
    switch (op->op) {
    case OP_NXN:
        return i->ideal_ns;
    case OP_FROM_ROOT:
        return op->part == AN_ROOT ? 0 : i->root_ideal_ns;
    case OP_TO_ROOT:
        return op->part == AN_ROOT ? i->ideal_ns : 0;
    default:
        return 0;
    }
}

/* The waits of the root of a reduction: until the first member comes, and until the last one. */
static void mpi_reduced(struct analysis *a, struct an_thread *t, const struct an_instance *i)
{
    uint64_t first = EZ_MIN(i->first_other_ns, a->now);
    if (i->last_other == EZ_NONE_IDX || i->last_other_ns <= t->op.begin_ns)
        return;
    if (first > t->op.begin_ns) {
        uint64_t segment = an_account_apart(a, t, first), before = t->row.time[EZ_TIME_WAIT];
        an_wait(a, t, segment, EZ_WAIT_EARLY_REDUCE, first, i->last_other, AN_EXCESS, t->op.name);
        t->op.reduce_wait_ns = t->row.time[EZ_TIME_WAIT] - before;
    }
    t->op.best = (struct an_candidate){ EZ_WAIT_LATE_REDUCE, i->last_other_ns, i->last_other };
}

/* Considers the wait for the last member, or for the root, of an operation that the thread leaves. */
static void mpi_meets(struct an_thread *t, const struct an_operation *op,
                      const struct an_instance *i)
{
    t->ideal_ns = EZ_MAX(t->ideal_ns, mpi_ideal(op, i));
    if (op->op == OP_NXN)
        an_consider(t, op->class.wait, i->last_ns, i->last);
    else if (op->op == OP_FROM_ROOT && op->part != AN_ROOT && i->root != EZ_NONE_IDX)
        an_consider(t, op->class.wait, i->root_ns, i->root);
}

/* Before the operation's time is accounted for: finds its wait. */
static void mpi_leaves(struct analysis *a, struct an_thread *t)
{
    struct an_operation *op = &t->op;
    const struct an_instance *i = an_instance(a, (uint32_t)op->group, op->nth);
    if (!i || op->class.starts_only)
        return;
    mpi_meets(t, op, i);
    if (op->op == OP_TO_ROOT && op->part == AN_ROOT)
        mpi_reduced(a, t, i);
}

/* The open operation of a thread has completed the nonblocking operation `number`. */
static void mpi_done(struct analysis *a, struct an_thread *t, uint64_t number)
{
    size_t k;
    if (!ez_hash_remove(&a->by_number, mpi_request_key(t, number), &k))
        return;
    const struct an_operation op = a->started.at[k];
    const struct an_instance *i = an_instance(a, (uint32_t)op.group, op.nth);
    EZ_PUSH(&a->spare_started, k);
    if (i)
        mpi_meets(t, &op, i);
    if (i && op.op == OP_TO_ROOT && op.part == AN_ROOT && i->last_other != EZ_NONE_IDX)
        an_consider(t, EZ_WAIT_LATE_REDUCE, i->last_other_ns, i->last_other);
    an_leave(a, (uint32_t)op.group, op.nth, t->self, op.op == OP_NXN);
}

/* ---- messages --------------------------------------------------------------------------------------- */

static void mpi_link_free(struct analysis *a, size_t i)
{
    struct an_link *l = &a->link.at[i];
    size_t was;
    if (l->request)
        ez_hash_remove(&a->by_request, mpi_request_key(an_at(a, l->from), l->request), &was);
    l->used = false;
    EZ_PUSH(&a->spare_link, i);
}

/* Returns true if a send in [begin, end] waited until `entry`, when its receiver, which had posted
 * the receive in time, entered MPI again: then the transfer took less than half of the send. */
static bool mpi_progressed(uint64_t begin, uint64_t entry, uint64_t end)
{
    return entry > begin && entry < end && 2 * (end - entry) < end - begin;
}

/* Judges the wait of a send whose receive is known, and whose sending call has ended. */
static void mpi_sent_late(struct analysis *a, struct an_link *l)
{
    uint32_t call = EZ_NONE_IDX;
    struct an_thread *t = an_at(a, l->from);
    const struct an_segment *s = an_segment(t, l->segment);
    if (s)
        call = a->node.at[s->path].name;
    if (l->buffered)
        return;
    if (mpi_progressed(l->op_begin_ns, l->progress_ns, l->end_ns))
        an_wait(a, t, l->segment, EZ_WAIT_LATE_PROGRESS, l->progress_ns, l->receiver, AN_EXCESS,
                call);
    else if (l->posted_ns > l->op_begin_ns && l->posted_ns < l->end_ns)
        an_wait(a, t, l->segment, EZ_WAIT_LATE_RECEIVER, l->posted_ns, l->receiver, AN_EXCESS,
                call);
}

static void mpi_starts(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    size_t i = a->spare_link.n ? a->spare_link.at[--a->spare_link.n] : a->link.n;
    struct an_link l = { .start_ns = a->now,
                         .ideal_ns = t->ideal_ns,
                         .from = t->self,
                         .request = it->request,
                         .op_begin_ns = t->op.begin_ns,
                         .op_number = t->op.open ? t->op.number : 0,
                         .segment = UINT64_MAX,
                         .used = true };
    l.blocking = t->op.open && t->op.op == OP_MPI_SENDS && !it->request;
    l.buffered = (!it->narg || it->arg[0] < BUFFERED) && !(t->op.open && t->op.class.synchronous);
    if (i == a->link.n)
        EZ_PUSH(&a->link, l);
    a->link.at[i] = l;
    ez_hash_set(&a->by_key, it->key, i);
    if (l.request)
        ez_hash_set(&a->by_request, mpi_request_key(t, l.request), i);
    if (l.blocking)
        t->op.link = i;
    an_queue_add(a, it->peer, i);
}

/* Returns when the receive of a message was posted. */
static uint64_t mpi_posted(struct analysis *a, const struct an_thread *t, uint64_t request)
{
    size_t i;
    if (request && ez_hash_remove(&a->posts, mpi_request_key(t, request), &i)) {
        EZ_PUSH(&a->spare_post, i);
        return a->post.at[i];
    }
    return t->op.open ? t->op.begin_ns : a->now;
}

/* The receiver's side of a message. */
static void mpi_received(struct analysis *a, struct an_thread *t, struct an_link *l)
{
    t->ideal_ns = EZ_MAX(t->ideal_ns, l->ideal_ns);
    if (l->start_ns > a->now) {
        a->pub.backwards++;
        a->pub.backwards_ns = EZ_MAX(a->pub.backwards_ns, l->start_ns - a->now);
    }
    an_consider(t, EZ_WAIT_LATE_SENDER, EZ_MIN(l->start_ns, a->now), l->from);
}

/* The open operation of the sender may have waited for the receive. */
static void mpi_consider_receive(struct an_thread *from, const struct an_link *l)
{
    an_consider(from, EZ_WAIT_LATE_RECEIVER, l->posted_ns, l->receiver);
    if (l->progress_ns > from->op.progress.until)
        from->op.progress =
            (struct an_candidate){ EZ_WAIT_LATE_PROGRESS, l->progress_ns, l->receiver };
}

/* The sender's side of a message that is received. */
static void mpi_is_received(struct analysis *a, struct an_thread *t, struct an_link *l)
{
    struct an_thread *from = an_at(a, l->from);
    l->received = true;
    l->receiver = t->self;
    if (t->op.open && l->posted_ns < t->op.begin_ns)
        l->progress_ns = t->op.begin_ns;
    if (l->buffered || l->ended)
        return;
    if (l->blocking && from->op.open && from->op.number == l->op_number)
        mpi_consider_receive(from, l);
}

static void mpi_link_ends(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    size_t i;
    if (!ez_hash_remove(&a->by_key, it->key, &i))
        return;
    struct an_link *l = &a->link.at[i];
    if (!it->narg) { /* the model ends links that have no end in the trace */
        a->pub.unpaired++;
        an_queue_remove(a, i);
        mpi_link_free(a, i);
        return;
    }
    l->posted_ns = mpi_posted(a, t, it->request);
    an_queue_received(a, i);
    an_queue_remove(a, i);
    mpi_received(a, t, l);
    mpi_is_received(a, t, l);
    if (l->ended)
        mpi_sent_late(a, l);
    if (l->ended || (!l->blocking && !l->request))
        mpi_link_free(a, i);
}

void an_mpi_link(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    (it->kind == EZ_I_LINK_START ? mpi_starts : mpi_link_ends)(a, t, it);
}

void an_mpi_request(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    uint64_t key = mpi_request_key(t, it->request);
    size_t i;
    if (it->did == EZ_REQUEST_DONE) {
        mpi_done(a, t, it->request);
    } else if (it->did == EZ_REQUEST_POSTED) {
        i = a->spare_post.n ? a->spare_post.at[--a->spare_post.n] : a->post.n;
        if (i == a->post.n)
            EZ_PUSH(&a->post, a->now);
        a->post.at[i] = a->now;
        ez_hash_set(&a->posts, key, i);
    } else if (it->did == EZ_REQUEST_CANCELLED && ez_hash_remove(&a->posts, key, &i)) {
        EZ_PUSH(&a->spare_post, i);
    } else if (it->did == EZ_REQUEST_SENT && ez_hash_get(&a->by_request, key, &i)) {
        struct an_link *l = &a->link.at[i];
        l->op_begin_ns = t->op.open ? t->op.begin_ns : a->now;
        if (l->received && !l->buffered && t->op.open)
            mpi_consider_receive(t, l);
        l->ended = !t->op.open;
        l->end_ns = a->now;
        if (l->received)
            mpi_link_free(a, i);
        else if (t->op.open)
            EZ_PUSH(&t->sent, i); /* the end of the message's receive comes later */
    }
}

/* ---- calls -------------------------------------------------------------------------------------------- */

void an_mpi_begins(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    t->row.mpi = true;
    if (t->op.op >= OP_NXN)
        mpi_enters(a, t, it);
}

/* Stores the end of the call in the messages that it sent. */
static void mpi_sends_end(struct analysis *a, struct an_thread *t, size_t i, uint64_t segment)
{
    struct an_link *l = &a->link.at[i];
    if (!l->used || l->from != t->self)
        return;
    l->ended = true;
    l->end_ns = a->now;
    l->segment = segment;
    if (l->received)
        mpi_link_free(a, i);
}

void an_mpi_leaves(struct analysis *a, struct an_thread *t)
{
    struct an_operation *op = &t->op;
    if (op->op >= OP_NXN)
        mpi_leaves(a, t);
    if (op->progress.until > op->best.until &&
        mpi_progressed(op->begin_ns, op->progress.until, a->now))
        op->best = op->progress;
    if (op->best.kind == EZ_WAIT_LATE_SENDER &&
        an_queue_has_earlier(a, t->row.container, op->best.until))
        op->best.kind = EZ_WAIT_WRONG_ORDER;
}

void an_mpi_ends(struct analysis *a, struct an_thread *t, uint64_t segment)
{
    struct an_operation *op = &t->op;
    const struct an_candidate *b = &op->best;
    uint64_t before = t->row.time[EZ_TIME_WAIT];
    if (b->kind)
        an_wait(a, t, segment, b->kind, b->until, b->cause, AN_EXCESS, op->name);
    if (op->op >= OP_NXN) {
        mpi_count(a, t, a->now - op->begin_ns,
                  op->reduce_wait_ns + t->row.time[EZ_TIME_WAIT] - before);
        if (!op->class.starts_only)
            an_leave(a, (uint32_t)op->group, op->nth, t->self, op->op == OP_NXN);
    }
    if (op->link != SIZE_MAX)
        mpi_sends_end(a, t, op->link, segment);
    for (size_t i = 0; i < t->sent.n; i++)
        mpi_sends_end(a, t, t->sent.at[i], segment);
    t->sent.n = 0;
}
