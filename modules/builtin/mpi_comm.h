/* SPDX-License-Identifier: MIT */
/* mpi_comm.h - communicators and windows: a number that is the same in all members, and the members
 * of communicators as ranks of MPI_COMM_WORLD. For mpi_probes.h.
 *
 * THE NUMBER. Members cannot agree on a number by messages, and handles differ between processes.
 * But all members know the list of members, and how many communicators with that list were made
 * from the same parent before. (Creating a communicator is collective, and all members make the
 * collective calls of one parent in the same order. With two parents and several threads the order
 * may differ.) So the number is a hash of the list, of the parent's number, and of that count.
 * MPI_COMM_WORLD is 1. For an intercommunicator, both sides hash the group with the smaller first
 * rank first.
 *
 * LOOK-UPS need no lock: a node stays in its list for ever. When its communicator is freed, the
 * node is used for the next communicator with the same handle. A thread that reads a node uses a
 * communicator that exists; only the thread that makes or frees a communicator writes to its
 * node. */
#ifndef MPI_COMM_H
#define MPI_COMM_H

#include "mpi_abi.h"

struct mpi_comm {
    uint64_t id;
    uint64_t list; /* hash of the list of members */
    int peers;     /* number of processes that a send or receive can name by rank */
    int room;      /* allocated elements of `world` */
    int *world;    /* rank in MPI_COMM_WORLD of each peer; NULL = the ranks are the same */
};

enum { MPI_COMM_FREE, MPI_COMM_MAKING, MPI_COMM_LIVE };
struct mpi_comm_node {
    uint64_t handle;
    int state;
    struct mpi_comm comm;
    struct mpi_comm_node *next;
};

/* number of communicators with this list of members that were made from one parent */
struct mpi_made {
    uint64_t list, n;
    struct mpi_made *next;
};

enum { MPI_COMM_BUCKETS = 1024 };
static struct mpi_comm mpi_world = { 1, 1, 0, 0, NULL };
static struct mpi_comm_node *mpi_comm_first[MPI_COMM_BUCKETS];
static struct mpi_made *mpi_made_first[MPI_COMM_BUCKETS];
static int mpi_comm_lock;

static inline uint64_t mpi_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static inline unsigned mpi_comm_bucket(uint64_t handle)
{
    return mpi_mix(7, handle) % MPI_COMM_BUCKETS;
}

static inline struct mpi_comm_node *mpi_comm_find(uint64_t handle)
{
    struct mpi_comm_node *n =
        __atomic_load_n(&mpi_comm_first[mpi_comm_bucket(handle)], __ATOMIC_ACQUIRE);
    while (n &&
           !(__atomic_load_n(&n->state, __ATOMIC_ACQUIRE) == MPI_COMM_LIVE && n->handle == handle))
        n = n->next;
    return n;
}

/* Counts a communicator with this list. Returns the number of such communicators so far, this one
 * included. */
static inline uint64_t mpi_comm_count(uint64_t list)
{
    struct mpi_made **first = &mpi_made_first[list % MPI_COMM_BUCKETS], *m;
    mpi_lock(&mpi_comm_lock);
    for (m = *first; m && m->list != list;)
        m = m->next;
    if (!m && (m = (struct mpi_made *)mpi_room(sizeof *m))) {
        m->list = list;
        m->next = *first;
        *first = m;
    }
    uint64_t n = m ? ++m->n : 1;
    mpi_unlock(&mpi_comm_lock);
    return n;
}

/* ---- members -------------------------------------------------------------------------------------- */

struct mpi_members {
    int n;
    int *world;
    size_t mapped;
};

static inline void mpi_members_free(struct mpi_members *m)
{
    if (m->mapped)
        munmap(m->world, m->mapped);
    m->mapped = 0;
}

/* Stores the members of a group as ranks of MPI_COMM_WORLD, and frees the group. Returns 0 on
 * failure. */
static inline int mpi_members_of(struct mpi_members *m, uint64_t group)
{
    uint64_t all = 0;
    m->n = 0;
    m->mapped = 0;
    if (mpi_lib.group_size(group, &m->n) || m->n < 0)
        return 0;
    size_t bytes = (size_t)(m->n + 1) * 2 * sizeof(int);
    m->world = (int *)mpi_pages(bytes);
    if (!m->world)
        return 0;
    m->mapped = bytes;
    int *rank = m->world + m->n + 1;
    for (int i = 0; i < m->n; i++)
        rank[i] = i;
    int ok = !mpi_lib.comm_group(mpi_lib.world, &all) &&
             !mpi_lib.group_translate_ranks(group, m->n, rank, all, m->world);
    for (int i = 0; i < m->n; i++)
        if (m->world[i] < 0) /* a process of another MPI_COMM_WORLD (MPI_Comm_spawn) */
            m->world[i] = MPI_NONE;
    mpi_lib.group_free(&all);
    mpi_lib.group_free(&group);
    return ok;
}

static inline uint64_t mpi_members_hash(uint64_t h, const struct mpi_members *m)
{
    h = mpi_mix(h, (uint64_t)m->n);
    for (int i = 0; i < m->n; i++)
        h = mpi_mix(h, (uint64_t)m->world[i]);
    return h;
}

static inline uint64_t mpi_members_hash_two(const struct mpi_members *a,
                                            const struct mpi_members *b)
{
    int first = a->n && b->n && a->world[0] > b->world[0];
    uint64_t h = mpi_members_hash(2, first ? b : a);
    return mpi_members_hash(h, first ? a : b);
}

/* ---- known communicators --------------------------------------------------------------------------- */

static inline struct mpi_comm_node *mpi_comm_node_for(uint64_t handle)
{
    struct mpi_comm_node **first = &mpi_comm_first[mpi_comm_bucket(handle)], *n;
    mpi_lock(&mpi_comm_lock);
    for (n = *first; n && !(n->handle == handle || n->state == MPI_COMM_FREE);)
        n = n->next;
    if (n) {
        __atomic_store_n(&n->state, MPI_COMM_MAKING, __ATOMIC_RELEASE);
        n->handle = handle;
    } else if ((n = (struct mpi_comm_node *)mpi_room(sizeof *n))) {
        n->handle = handle;
        n->state = MPI_COMM_MAKING;
        n->next = *first;
        __atomic_store_n(first, n, __ATOMIC_RELEASE);
    }
    mpi_unlock(&mpi_comm_lock);
    return n;
}

/* Stores copies of the members as peers of c. Returns 0 if there is no memory. */
static inline int mpi_comm_peers(struct mpi_comm *c, const struct mpi_members *m)
{
    c->peers = m->n;
    if (m->n > c->room) {
        int room = 16;
        while (room < m->n)
            room *= 2;
        c->world = (int *)mpi_room((size_t)room * sizeof(int));
        c->room = c->world ? room : 0;
    }
    if (m->n && !c->world)
        return 0;
    if (m->n)
        memcpy(c->world, m->world, (size_t)m->n * sizeof(int));
    return 1;
}

/* Adds a communicator that was just made, or that the module uses for the first time (of = 0). of:
 * number of the parent, the same in all members. list != 0: list and nth were determined before,
 * when the call that makes the communicator began. */
static inline const struct mpi_comm *mpi_comm_learn(uint64_t handle, uint64_t of, uint64_t list,
                                                    uint64_t nth)
{
    struct mpi_members own = { 0, NULL, 0 }, far = { 0, NULL, 0 };
    uint64_t group = 0, other = 0;
    int inter = 0;
    if (!handle || handle == mpi_lib.comm_null || mpi_lib.comm_test_inter(handle, &inter) ||
        mpi_lib.comm_group(handle, &group))
        return NULL;
    struct mpi_comm_node *n = mpi_comm_node_for(handle);
    int ok = mpi_members_of(&own, group) && n;
    if (inter && ok)
        ok = !mpi_lib.comm_remote_group(handle, &other) && mpi_members_of(&far, other);
    if (ok && !list) {
        list = inter ? mpi_members_hash_two(&own, &far) : mpi_members_hash(1, &own);
        nth = mpi_comm_count(mpi_mix(list, of));
    }
    if (ok && mpi_comm_peers(&n->comm, inter ? &far : &own)) {
        n->comm.list = list;
        /* The number is never 0 nor the number of MPI_COMM_WORLD. */
        n->comm.id = mpi_mix(mpi_mix(list, of), nth) | 2;
        __atomic_store_n(&n->state, MPI_COMM_LIVE, __ATOMIC_RELEASE);
    } else {
        ok = 0;
        if (n)
            __atomic_store_n(&n->state, MPI_COMM_FREE, __ATOMIC_RELEASE);
    }
    mpi_members_free(&own);
    mpi_members_free(&far);
    return ok ? &n->comm : NULL;
}

static inline void mpi_comm_forget(uint64_t handle)
{
    struct mpi_comm_node *n = mpi_comm_find(handle);
    if (n)
        __atomic_store_n(&n->state, MPI_COMM_FREE, __ATOMIC_RELEASE);
}

/* Returns the node's data for a handle. Returns NULL if the handle is no communicator, or if there
 * is no memory. */
static inline const struct mpi_comm *mpi_comm_of(mpi_word comm)
{
    uint64_t handle = mpi_handle(comm);
    if (handle == mpi_lib.world)
        return &mpi_world;
    struct mpi_comm_node *n = mpi_comm_find(handle);
    return n ? &n->comm : mpi_comm_learn(handle, 0, 0, 0);
}

static inline uint64_t mpi_comm_id(const struct mpi_comm *c)
{
    return c ? c->id : 0;
}

/* ---- windows ---------------------------------------------------------------------------------------- */

/* Stores the number of a window that was just made on communicator c: a hash of the communicator's
 * number, and of how many windows were made on it before. */
static inline void mpi_win_learn(uint64_t handle, const struct mpi_comm *c)
{
    struct mpi_comm_node *n = c && handle ? mpi_comm_node_for(handle) : NULL;
    if (!n)
        return;
    uint64_t of = mpi_mix(3, c->id);
    n->comm.id = mpi_mix(of, mpi_comm_count(of)) | 2;
    __atomic_store_n(&n->state, MPI_COMM_LIVE, __ATOMIC_RELEASE);
}

/* Returns the window's number, or 0 if the window was made before the module was loaded. */
static inline uint64_t mpi_win_id(uint64_t handle)
{
    const struct mpi_comm_node *n = mpi_comm_find(handle);
    return n ? n->comm.id : 0;
}

/* Converts the rank in a send or receive to the rank in MPI_COMM_WORLD, any source to MPI_ANY, and
 * no process or an unknown one to MPI_NONE. */
static inline int64_t mpi_peer(const struct mpi_comm *c, int rank)
{
    if (c && rank == mpi_lib.any_source)
        return MPI_ANY;
    if (!c || rank == mpi_lib.proc_null || rank < 0 || rank >= c->peers)
        return MPI_NONE;
    return c->world ? c->world[rank] : rank;
}

#endif
