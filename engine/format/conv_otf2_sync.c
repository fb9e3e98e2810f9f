/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_sync.c - records that the OTF2 sink (conv_otf2.c) writes in addition to Enter and Leave
 * for states of the modules mpi, openmp and pthread.
 *
 *   "Critical Section"  ThreadAcquireLock and ThreadReleaseLock. The lock's number is that of the
 *                       state's subject. If the section's end is missing, there is no release
 *   link "creation"     ThreadCreate, also if pthread_create() failed; in the new thread
 *                       ThreadBegin
 *   "thread ended"      an event: ThreadEnd
 *   "Parallel region"   ThreadFork and ThreadJoin. The number of requested threads is 0, because it
 *                       is not in the trace
 *   "Working"           ThreadTeamBegin and ThreadTeamEnd. A team has all threads that worked in
 *                       regions that its first thread encountered. If several threads encountered
 *                       the same region, a further thread that works in the region belongs to the
 *                       team of the thread that encountered the region last
 *   collective calls    MpiCollectiveBegin and MpiCollectiveEnd, or NonBlockingCollectiveRequest and
 *                       NonBlockingCollectiveComplete, in the communicator of the call, with the
 *                       bytes that the process sends, or receives from the root. The trace does not
 *                       have the other direction. In MPI_COMM_WORLD the record has the root. In
 *                       other communicators ranks are unknown, so the root is undefined, and an
 *                       attribute has the root's rank in MPI_COMM_WORLD
 *
 * Tests: tests/unit/format/check_otf2.c, tests/procs/otf2.sh */
#include "config.h"

#ifdef HAVE_OTF2
#include <string.h>

#include "engine/format/conv_otf2.h"
#include "engine/trace/locks.h"
#include "engine/trace/roles.h"

enum sync_class {
    SYNC_UNKNOWN, /* the name has not been classified yet */
    SYNC_NONE,
    SYNC_LOCK,
    SYNC_REGION,
    SYNC_WORK,
    SYNC_CREATION,
    SYNC_ENDED,
    SYNC_COLLECTIVE,                    /* plus the OTF2_CollectiveOp */
    SYNC_STARTED = SYNC_COLLECTIVE + 64 /* a nonblocking call, plus the OTF2_CollectiveOp */
};

static const struct {
    const char *function;
    OTF2_CollectiveOp op;
} sync_ops[] = {
    { "Barrier", OTF2_COLLECTIVE_OP_BARRIER },
    { "Bcast", OTF2_COLLECTIVE_OP_BCAST },
    { "Gather", OTF2_COLLECTIVE_OP_GATHER },
    { "Gatherv", OTF2_COLLECTIVE_OP_GATHERV },
    { "Scatter", OTF2_COLLECTIVE_OP_SCATTER },
    { "Scatterv", OTF2_COLLECTIVE_OP_SCATTERV },
    { "Allgather", OTF2_COLLECTIVE_OP_ALLGATHER },
    { "Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV },
    { "Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL },
    { "Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV },
    { "Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW },
    { "Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE },
    { "Reduce", OTF2_COLLECTIVE_OP_REDUCE },
    { "Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER },
    { "Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK },
    { "Scan", OTF2_COLLECTIVE_OP_SCAN },
    { "Exscan", OTF2_COLLECTIVE_OP_EXSCAN },
};

/* ---- names -------------------------------------------------------------------------- */

/* Returns true if the function is the nonblocking variant of the operation: "Ibarrier", "Barrier". */
static bool sync_is_started(const char *function, const char *operation)
{
    return *function == 'I' && function[1] == *operation - 'A' + 'a' &&
           !strcmp(function + 2, operation + 1);
}

static uint8_t sync_of_mpi(const char *text)
{
    EZ_FREE char *function = ez_mpi_function(text);
    for (size_t i = 0; function && i < EZ_ARRAY_LEN(sync_ops); i++) {
        if (!strcmp(sync_ops[i].function, function))
            return (uint8_t)(SYNC_COLLECTIVE + sync_ops[i].op);
        if (sync_is_started(function, sync_ops[i].function))
            return (uint8_t)(SYNC_STARTED + sync_ops[i].op);
    }
    return SYNC_NONE;
}

static uint8_t sync_class_of(const struct ez_name *n)
{
    OTF2_Paradigm p = otf2_kind_of(n).paradigm;
    bool openmp = p == OTF2_PARADIGM_OPENMP;
    if (p == OTF2_PARADIGM_PTHREAD && n->kind == EZ_N_LINK && !strcmp(n->text, "creation"))
        return SYNC_CREATION;
    if (p == OTF2_PARADIGM_PTHREAD && n->kind == EZ_N_EVENT && !strcmp(n->text, "thread ended"))
        return SYNC_ENDED;
    if (n->kind != EZ_N_STATE || n->addr)
        return SYNC_NONE;
    if ((openmp || p == OTF2_PARADIGM_PTHREAD) && !strcmp(n->text, EZ_LOCK_HELD))
        return SYNC_LOCK;
    if (openmp && !strcmp(n->text, "Parallel region"))
        return SYNC_REGION;
    if (openmp && !strcmp(n->text, "Working"))
        return SYNC_WORK;
    return p == OTF2_PARADIGM_MPI ? sync_of_mpi(n->text) : SYNC_NONE;
}

static uint8_t sync_class(struct otf2 *s, uint32_t name)
{
    while (s->sync.n <= name)
        EZ_PUSH(&s->sync, SYNC_UNKNOWN);
    if (s->sync.at[name] == SYNC_UNKNOWN)
        s->sync.at[name] = sync_class_of(&s->m->name.at[name]);
    return s->sync.at[name];
}

/* Returns a key for a container's state (number: the depth), or for a lock that the container holds
 * (number: the subject). */
static uint64_t sync_key(uint32_t container, uint32_t number)
{
    return (uint64_t)container << 32 | number;
}

/* ---- locks --------------------------------------------------------------------------- */

/* An acquisition and its release have the same number. A thread that acquires a lock again while it
 * holds the lock continues the same acquisition. The low 32 bits of a value in s->held are the
 * number, and the high bits are how often the thread holds the lock. */
static void sync_acquire(struct otf2 *s, const struct ez_item *it)
{
    const uint64_t key = sync_key(it->container, it->subject), again = 1ull << 32;
    size_t held;
    if (!ez_lock_is(s->m, it->subject))
        return;
    while (s->acquired.n <= it->subject)
        EZ_PUSH(&s->acquired, 0);
    if (ez_hash_remove(&s->held, key, &held))
        held += again;
    else
        held = again | ++s->acquired.at[it->subject];
    ez_hash_put(&s->held, key, held);
    s->record =
        (struct otf2_record){ .kind = OTF2_R_LOCK, .number = (uint32_t)held, .id = it->subject };
}

static void sync_release(struct otf2 *s, const struct ez_item *it)
{
    const uint64_t key = sync_key(it->container, it->subject), again = 1ull << 32;
    size_t held;
    if (it->subject == EZ_NONE_IDX || !ez_hash_remove(&s->held, key, &held) ||
        it->end != EZ_END_RETURN)
        return;
    if (held >= 2 * again)
        ez_hash_put(&s->held, key, held - again);
    s->record =
        (struct otf2_record){ .kind = OTF2_R_LOCK, .number = (uint32_t)held, .id = it->subject };
}

/* ---- OpenMP --------------------------------------------------------------------------- */

static void sync_fork(struct otf2 *s, const struct ez_item *it)
{
    uint64_t region = sync_key(otf2_process_of(s, it->container), it->subject);
    ez_hash_set(&s->encountered, region, it->container);
    s->record.kind = OTF2_R_FORK;
}

/* Returns the container that encountered the region in which a thread begins to work: the thread
 * itself if its state "Working" is directly inside its own "Parallel region", and otherwise the
 * container that encountered the region last. Returns EZ_NONE_IDX if there is none. */
static uint32_t sync_first_of(struct otf2 *s, const struct ez_item *it)
{
    uint64_t region = sync_key(otf2_process_of(s, it->container), it->subject);
    size_t first;
    if (it->depth && it->depth < ez_model_depth(s->m, it->container)) {
        const struct ez_call_frame *f = ez_model_frame(s->m, it->container, it->depth - 1);
        if (f->subject == it->subject && sync_class(s, f->name) == SYNC_REGION)
            return it->container;
    }
    return ez_hash_get(&s->encountered, region, &first) ? (uint32_t)first : EZ_NONE_IDX;
}

static void sync_work(struct otf2 *s, const struct ez_item *it)
{
    uint64_t key = sync_key(it->container, it->depth);
    size_t comm;
    if (it->kind == EZ_I_PUSH) {
        uint32_t first = sync_first_of(s, it);
        ez_hash_remove(&s->working, key, &comm);
        if (first == EZ_NONE_IDX)
            return;
        comm = otf2_comm(s, OTF2_PARADIGM_OPENMP, first);
        otf2_comm_add(s, (uint32_t)comm, otf2_location(s, first));
        otf2_comm_add(s, (uint32_t)comm, otf2_location(s, it->container));
        ez_hash_put(&s->working, key, comm);
    } else if (!ez_hash_remove(&s->working, key, &comm)) {
        return;
    }
    s->record = (struct otf2_record){ .kind = OTF2_R_TEAM, .id = s->comm.at[comm].ref };
}

/* ---- MPI ------------------------------------------------------------------------------- */

/* Returns true if an item has the words of a collective call. These are the communicator's number,
 * the bytes and, if the call has a root, the root's rank in MPI_COMM_WORLD, which is negative if no
 * rank of the communicator is the root. */
static bool sync_has_words(const struct ez_item *it)
{
    const struct ez_words *w = it->words;
    return it->narg >= 2 && it->arg[0] && w && w->n >= 2 && !strcmp(w->word[0].name, "comm") &&
           !strcmp(w->word[1].name, "bytes");
}

static struct otf2_record sync_collective_begins(struct otf2 *s, const struct ez_item *it,
                                                 uint32_t op)
{
    const struct ez_words *w = it->words;
    uint32_t process = otf2_process_of(s, it->container);
    uint32_t comm = otf2_comm(s, OTF2_PARADIGM_MPI, it->arg[0]);
    struct otf2_record r = { .kind = OTF2_R_COLLECTIVE,
                             .number = op,
                             .id = s->comm.at[comm].ref,
                             .root = EZ_NO_RANK,
                             .sent = it->arg[1] };
    otf2_comm_add(s, comm, process);
    if (it->narg >= 3 && w->n >= 3 && !strcmp(w->word[2].name, "root") && (int64_t)it->arg[2] >= 0)
        r.root = (uint32_t)it->arg[2];
    bool from_root = op == OTF2_COLLECTIVE_OP_BCAST || op == OTF2_COLLECTIVE_OP_SCATTER ||
                     op == OTF2_COLLECTIVE_OP_SCATTERV;
    if (from_root && r.root != EZ_NO_RANK && r.root != s->m->container.at[process].rank) {
        r.received = r.sent;
        r.sent = 0;
    }
    return r;
}

static void sync_collective(struct otf2 *s, const struct ez_item *it, uint32_t op)
{
    otf2_location(s, it->container);
    struct otf2_record *open = &s->place.at[it->container].collective;
    if (it->kind == EZ_I_PUSH) {
        *open = (struct otf2_record){ .kind = OTF2_R_NONE };
        if (sync_has_words(it) && otf2_has_ranks(s))
            *open = sync_collective_begins(s, it, op);
    }
    s->record = *open;
}

/* A nonblocking call: its last word is the number of its request. s->started has the records of the
 * completions. */
static void sync_started(struct otf2 *s, const struct ez_item *it, uint32_t op)
{
    unsigned last = it->narg - 1;
    otf2_location(s, it->container);
    if (!sync_has_words(it) || !otf2_has_ranks(s) || it->words->n <= last ||
        strcmp(it->words->word[last].name, "id"))
        return;
    struct otf2_record r = sync_collective_begins(s, it, op);
    r.request = it->arg[last];
    r.kind = OTF2_R_DONE;
    uint64_t key = ez_hash_pair(r.request, otf2_process_of(s, it->container));
    ez_hash_set(&s->started_by, key, s->started.n);
    EZ_PUSH(&s->started, ((struct otf2_started){ key, r }));
    s->record = r;
    s->record.kind = OTF2_R_STARTED;
}

/* A nonblocking call is complete. */
static void sync_done(struct otf2 *s, const struct ez_item *it)
{
    size_t i;
    uint64_t key = ez_hash_pair(it->request, otf2_process_of(s, it->container));
    if (!ez_hash_remove(&s->started_by, key, &i))
        return;
    s->record = s->started.at[i].record;
    s->started.at[i] = s->started.at[--s->started.n];
    if (i < s->started.n) /* the last record has moved */
        ez_hash_set(&s->started_by, s->started.at[i].key, i);
}

/* ---- threads -------------------------------------------------------------------------------- */

/* Returns the index in s->comm of the communicator of a process's threads. Makes the container's
 * location a member of it. */
static uint32_t sync_threads(struct otf2 *s, uint32_t container)
{
    uint32_t comm = otf2_comm(s, OTF2_PARADIGM_PTHREAD, otf2_process_of(s, container));
    otf2_comm_add(s, comm, otf2_location(s, container));
    return comm;
}

static void sync_create(struct otf2 *s, const struct ez_item *it)
{
    uint32_t comm = sync_threads(s, it->container);
    size_t number = s->comm.at[comm].threads++;
    ez_hash_set(&s->created, ez_hash_pair(it->key, it->name), number);
    s->record = (struct otf2_record){ .kind = OTF2_R_CREATE,
                                      .number = (uint32_t)number,
                                      .id = s->comm.at[comm].ref };
}

/* Handles the end of a link "creation". The link ends in the creating thread if the creation
 * failed. */
static void sync_begin(struct otf2 *s, const struct ez_item *it)
{
    size_t number;
    if (!ez_hash_remove(&s->created, ez_hash_pair(it->key, it->name), &number) ||
        it->peer == it->container || it->peer == EZ_NONE_IDX)
        return;
    uint32_t comm = sync_threads(s, it->container);
    s->record = (struct otf2_record){ .kind = OTF2_R_BEGIN,
                                      .number = (uint32_t)number,
                                      .id = s->comm.at[comm].ref };
    s->place.at[it->container].began = s->record;
}

static void sync_ended(struct otf2 *s, const struct ez_item *it)
{
    otf2_location(s, it->container);
    struct otf2_record *began = &s->place.at[it->container].began;
    if (began->kind == OTF2_R_NONE)
        return;
    s->record = *began;
    s->record.kind = OTF2_R_END;
    began->kind = OTF2_R_NONE;
}

/* ---- records ----------------------------------------------------------------------------- */

static void sync_state(struct otf2 *s, const struct ez_item *it, uint8_t class)
{
    if (class >= SYNC_STARTED && it->kind == EZ_I_PUSH)
        sync_started(s, it, class - SYNC_STARTED);
    else if (class >= SYNC_COLLECTIVE && class < SYNC_STARTED)
        sync_collective(s, it, class - SYNC_COLLECTIVE);
    else if (class == SYNC_LOCK && it->kind == EZ_I_PUSH)
        sync_acquire(s, it);
    else if (class == SYNC_LOCK)
        sync_release(s, it);
    else if (class == SYNC_REGION && it->kind == EZ_I_PUSH)
        sync_fork(s, it);
    else if (class == SYNC_REGION)
        s->record.kind = OTF2_R_FORK;
    else if (class == SYNC_WORK)
        sync_work(s, it);
}

bool otf2_record_of(struct otf2 *s, const struct ez_item *it)
{
    s->record.kind = OTF2_R_NONE;
    if (it->name == EZ_NONE_IDX)
        return false;
    otf2_io_record(s, it);
    if (it->kind == EZ_I_VAR)
        return false;
    if (it->kind == EZ_I_REQUEST) {
        if (it->did == EZ_REQUEST_DONE)
            sync_done(s, it);
        return it->did == EZ_REQUEST_DONE;
    }
    uint8_t class = sync_class(s, it->name);
    if (it->kind == EZ_I_PUSH || it->kind == EZ_I_POP)
        sync_state(s, it, class);
    else if (class == SYNC_CREATION && it->kind == EZ_I_LINK_START)
        sync_create(s, it);
    else if (class == SYNC_CREATION)
        sync_begin(s, it);
    else if (class == SYNC_ENDED)
        sync_ended(s, it);
    return class == SYNC_CREATION;
}

static OTF2_Paradigm sync_paradigm(const struct otf2 *s, uint32_t name)
{
    return otf2_kind_of(&s->m->name.at[name]).paradigm;
}

/* Returns the position of a rank in MPI_COMM_WORLD, or OTF2_UNDEFINED_UINT32. */
static uint32_t sync_position(const struct otf2 *s, uint32_t rank)
{
    uint32_t i = rank; /* if all ranks were traced, the rank is the index */
    if (i >= s->process.n || s->m->container.at[s->process.at[i]].rank != rank)
        for (i = 0; i < s->process.n && s->m->container.at[s->process.at[i]].rank != rank;)
            i++;
    return rank != EZ_NO_RANK && i < s->process.n ? i : OTF2_UNDEFINED_UINT32;
}

void otf2_put_collective(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    const struct otf2_record *r = &s->record;
    bool world = s->comm.at[otf2_comm(s, OTF2_PARADIGM_MPI, OTF2_WORLD)].ref == r->id;
    OTF2_AttributeList *more = NULL;
    if (!world && r->root != EZ_NO_RANK) {
        uint32_t attribute = otf2_attribute(s, "root", OTF2_TYPE_UINT64);
        more = s->attributes;
        otf2_ok(s, OTF2_AttributeList_AddUint64(more, OTF2_ATTRIBUTE0 + attribute, r->root));
    }
    uint32_t root = world ? sync_position(s, r->root) : OTF2_UNDEFINED_UINT32;
    OTF2_CollectiveOp op = (OTF2_CollectiveOp)r->number;
    if (r->kind == OTF2_R_DONE)
        otf2_ok(s, OTF2_EvtWriter_NonBlockingCollectiveComplete(w, more, it->ns, op, r->id, root,
                                                                r->sent, r->received, r->request));
    else
        otf2_ok(s, OTF2_EvtWriter_MpiCollectiveEnd(w, more, it->ns, op, r->id, root, r->sent,
                                                   r->received));
}

void otf2_put_begin(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    const struct otf2_record *r = &s->record;
    if (r->kind == OTF2_R_LOCK)
        otf2_ok(s, OTF2_EvtWriter_ThreadAcquireLock(w, NULL, it->ns, sync_paradigm(s, it->name),
                                                    r->id, r->number));
    else if (r->kind == OTF2_R_FORK)
        otf2_ok(s, OTF2_EvtWriter_ThreadFork(w, NULL, it->ns, OTF2_PARADIGM_OPENMP, 0));
    else if (r->kind == OTF2_R_COLLECTIVE)
        otf2_ok(s, OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, it->ns));
    else if (r->kind == OTF2_R_STARTED)
        otf2_ok(s, OTF2_EvtWriter_NonBlockingCollectiveRequest(w, NULL, it->ns, r->request));
}

void otf2_put_end(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    const struct otf2_record *r = &s->record;
    if (r->kind == OTF2_R_LOCK)
        otf2_ok(s, OTF2_EvtWriter_ThreadReleaseLock(w, NULL, it->ns, sync_paradigm(s, it->name),
                                                    r->id, r->number));
    else if (r->kind == OTF2_R_FORK)
        otf2_ok(s, OTF2_EvtWriter_ThreadJoin(w, NULL, it->ns, OTF2_PARADIGM_OPENMP));
    else if (r->kind == OTF2_R_COLLECTIVE)
        otf2_put_collective(s, w, it);
}

void otf2_put_thread(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    const struct otf2_record *r = &s->record;
    if (r->kind == OTF2_R_CREATE)
        otf2_ok(s, OTF2_EvtWriter_ThreadCreate(w, NULL, it->ns, r->id, r->number));
    else if (r->kind == OTF2_R_BEGIN)
        otf2_ok(s, OTF2_EvtWriter_ThreadBegin(w, NULL, it->ns, r->id, r->number));
    else if (r->kind == OTF2_R_END)
        otf2_ok(s, OTF2_EvtWriter_ThreadEnd(w, NULL, it->ns, r->id, r->number));
}

void otf2_put_team(struct otf2 *s, OTF2_EvtWriter *w, const struct ez_item *it)
{
    if (s->record.kind != OTF2_R_TEAM)
        return;
    if (it->kind == EZ_I_PUSH)
        otf2_ok(s, OTF2_EvtWriter_ThreadTeamBegin(w, NULL, it->ns, s->record.id));
    else
        otf2_ok(s, OTF2_EvtWriter_ThreadTeamEnd(w, NULL, it->ns, s->record.id));
}

void otf2_sync_free(struct otf2 *s)
{
    EZ_VEC_FREE(&s->sync);
    EZ_VEC_FREE(&s->acquired);
    ez_hash_free(&s->held);
    ez_hash_free(&s->encountered);
    ez_hash_free(&s->working);
    ez_hash_free(&s->created);
    ez_hash_free(&s->started_by);
    EZ_VEC_FREE(&s->started);
}

#endif
