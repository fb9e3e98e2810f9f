/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_comm.c - the communicators of an OTF2 archive (conv_otf2.c).
 *
 * An OTF2 archive has one group of all locations that communicate. Each communicator has a further
 * group, whose elements are indices in the first group. A message identifies its peer by the
 * position in the communicator's group. The first group begins with a location for each rank, in
 * the order of ranks. All other locations follow if there are links that are no MPI messages.
 *
 *   MPI messages     communicator MPI_COMM_WORLD: the position is the rank
 *   collective calls their communicators. The members of a communicator are the processes that made
 *                    such calls in it, in the order of ranks in MPI_COMM_WORLD
 *   other links      a communicator for each name of links: the position is the location's number
 *   teams of OpenMP  a second group of locations, and a communicator for each team; its first
 *                    thread is the first member
 *   pthread          a third group of locations, and a communicator for each process; the members
 *                    are the threads that created threads or were created
 *
 * Tests: tests/procs/ranks.sh, tests/procs/mpi.sh, tests/unit/format/check_formats.c */
#include "config.h"

#ifdef HAVE_OTF2
#include <string.h>

#include "engine/format/conv_otf2.h"

/* Returns true if processes have ranks. In a trace without ranks, MPI messages are handled like
 * other links. */
bool otf2_has_ranks(const struct otf2 *s)
{
    if (s->process.n)
        return true;
    for (size_t i = 0; i < s->m->container.n; i++)
        if (s->m->container.at[i].rank != EZ_NO_RANK)
            return true;
    return false;
}

bool otf2_is_mpi(const struct otf2 *s, uint32_t name)
{
    return !strcmp(s->m->name.at[name].group, "mpi") && otf2_has_ranks(s);
}

struct comm_process {
    uint64_t place;
    uint32_t container, rank;
};

/* Compares by rank; processes without a rank come last. */
static int comm_by_rank(const void *a, const void *b)
{
    const struct comm_process *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Fills s->process and s->rank. If processes have ranks, the model has defined all of them at the
 * beginning. */
static void comm_find_ranks(struct otf2 *s)
{
    const struct ez_model *m = s->m;
    EZ_VEC(struct comm_process) all = { 0 };
    for (uint32_t i = 0; i < m->container.n; i++)
        if (m->container.at[i].level == EZ_L_PROCESS)
            EZ_PUSH(&all,
                    ((struct comm_process){ ez_model_place(m, i), i, m->container.at[i].rank }));
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, comm_by_rank);
    for (size_t i = 0; i < all.n; i++) {
        uint32_t c = all.at[i].container;
        while (s->rank.n <= c)
            EZ_PUSH(&s->rank, EZ_NONE_IDX);
        s->rank.at[c] = (uint32_t)i;
        EZ_PUSH(&s->process, c);
    }
    EZ_VEC_FREE(&all);
}

uint32_t otf2_process_of(const struct otf2 *s, uint32_t container)
{
    const struct ez_container *c = &s->m->container.at[container];
    return c->level == EZ_L_THREAD && c->parent < s->m->container.n ? c->parent : container;
}

uint32_t otf2_comm(struct otf2 *s, OTF2_Paradigm paradigm, uint64_t number)
{
    if (paradigm == OTF2_PARADIGM_MPI && !s->process.n)
        comm_find_ranks(s);
    for (uint64_t h = ez_hash_pair(number, paradigm);; h++) {
        size_t i = ez_hash_put(&s->comms_by, h, s->comm.n);
        if (i == s->comm.n)
            EZ_PUSH(&s->comm,
                    ((struct otf2_comm){
                        .paradigm = paradigm, .number = number, .ref = s->refs[EZ_N_LINK]++ }));
        if (s->comm.at[i].paradigm == paradigm && s->comm.at[i].number == number)
            return (uint32_t)i;
    }
}

static uint64_t comm_member(uint64_t comm, uint64_t member)
{
    return comm << 32 | member;
}

void otf2_comm_add(struct otf2 *s, uint32_t comm, uint32_t member)
{
    ez_hash_put(&s->members, comm_member(comm, member), 0);
}

uint32_t otf2_link_comm(struct otf2 *s, uint32_t name, uint32_t container, uint32_t *peer)
{
    uint32_t process = otf2_process_of(s, container);
    *peer = otf2_location(s, container);
    if (!otf2_is_mpi(s, name))
        return otf2_ref(s, name);
    uint32_t world = otf2_comm(s, OTF2_PARADIGM_MPI, OTF2_WORLD);
    while (s->rank.n <= process)
        EZ_PUSH(&s->rank, EZ_NONE_IDX);
    /* a process without a rank, defined after comm_find_ranks() */
    if (s->rank.at[process] == EZ_NONE_IDX) {
        s->rank.at[process] = (uint32_t)s->process.n;
        EZ_PUSH(&s->process, process);
    }
    *peer = s->rank.at[process];
    return s->comm.at[world].ref;
}

/* Returns the location that represents a process: the location of its main thread, or otherwise the
 * first location of the process. Returns EZ_NONE_IDX if the process has no location. */
static uint32_t comm_main_location(const struct otf2 *s, uint32_t process)
{
    const struct ez_model *m = s->m;
    uint32_t best = EZ_NONE_IDX;
    for (uint32_t i = 0; i < s->location.n; i++) {
        uint32_t at = s->location.at[i];
        if (otf2_process_of(s, at) != process)
            continue;
        if (m->container.at[at].tid && m->container.at[at].tid == m->container.at[process].pid)
            return i;
        if (best == EZ_NONE_IDX || ez_model_place(m, at) < ez_model_place(m, s->location.at[best]))
            best = i;
    }
    return best;
}

void otf2_comm_locations(struct otf2 *s)
{
    for (size_t i = 0; i < s->process.n; i++)
        if (comm_main_location(s, s->process.at[i]) == EZ_NONE_IDX)
            otf2_location(s, s->process.at[i]);
}

/* Computes the order of the first group. Sets member[i] to the location at position i, and index[l]
 * to the position of location l. If `others` is false, only locations that represent processes have
 * a position. Returns the number of positions. */
static size_t comm_order(const struct otf2 *s, bool others, uint64_t *member, uint64_t *index)
{
    size_t n = 0;
    memset(index, 0xff, s->location.n * sizeof *index);
    for (size_t i = 0; i < s->process.n; i++) {
        member[n] = comm_main_location(s, s->process.at[i]);
        index[member[n]] = n;
        n++;
    }
    for (size_t l = 0; l < s->location.n && others; l++)
        if (index[l] == UINT64_MAX) {
            member[n] = l;
            index[l] = n++;
        }
    return n;
}

/* ---- definitions ---------------------------------------------------------------------- */

struct comm_writer {
    struct otf2 *s;
    OTF2_GlobalDefWriter *g;
    uint32_t *group; /* number of the next group */
    uint32_t (*string)(void *arg, const char *text);
    void *arg;
    uint64_t *member; /* room for a group's members */
    uint64_t *index;  /* location -> position in MPI's group of locations */
    /* location -> position in OpenMP's group of locations, and in pthread's */
    uint64_t *openmp, *pthread;
};

static void comm_write_locations(struct comm_writer *c, OTF2_Paradigm paradigm, const char *name,
                                 size_t n, const uint64_t *member)
{
    otf2_ok(c->s, OTF2_GlobalDefWriter_WriteGroup(c->g, (*c->group)++, c->string(c->arg, name),
                                                  OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm,
                                                  OTF2_GROUP_FLAG_NONE, (uint32_t)n, member));
}

static void comm_write(struct comm_writer *c, OTF2_Paradigm paradigm, uint32_t ref,
                       const char *text, size_t n, const uint64_t *member)
{
    uint32_t name = c->string(c->arg, text);
    otf2_ok(c->s,
            OTF2_GlobalDefWriter_WriteGroup(c->g, *c->group, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                            paradigm, OTF2_GROUP_FLAG_NONE, (uint32_t)n, member));
    otf2_ok(c->s, OTF2_GlobalDefWriter_WriteComm(c->g, ref, name, (*c->group)++,
                                                 OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

static bool comm_has(const struct otf2 *s, size_t comm, uint64_t member)
{
    size_t found;
    return ez_hash_get(&s->members, comm_member(comm, member), &found);
}

/* Writes a communicator of MPI. */
static void comm_write_mpi(struct comm_writer *c, size_t comm)
{
    const struct otf2 *s = c->s;
    uint64_t number = s->comm.at[comm].number;
    size_t n = 0;
    for (size_t k = 0; k < s->process.n; k++)
        if (number == OTF2_WORLD || comm_has(s, comm, s->process.at[k]))
            c->member[n++] = k;
    EZ_FREE char *name = number == OTF2_WORLD
                             ? ez_strdup("MPI_COMM_WORLD")
                             : ez_sprintf("communicator 0x%llx", (unsigned long long)number);
    comm_write(c, OTF2_PARADIGM_MPI, s->comm.at[comm].ref, name, n, c->member);
}

/* Writes the communicator of an OpenMP thread's team, or of the threads of a process. */
static void comm_write_team(struct comm_writer *c, size_t comm)
{
    const struct otf2 *s = c->s;
    uint32_t container = (uint32_t)s->comm.at[comm].number;
    bool team = s->comm.at[comm].paradigm == OTF2_PARADIGM_OPENMP;
    const uint64_t *index = team ? c->openmp : c->pthread;
    uint32_t first = team ? s->place.at[container].location : EZ_NONE_IDX;
    size_t n = 0;
    if (team)
        c->member[n++] = index[first];
    for (uint32_t l = 0; l < s->location.n; l++)
        if (l != first && comm_has(s, comm, l))
            c->member[n++] = index[l];
    EZ_FREE char *name =
        ez_sprintf("%s of %s", team ? "team" : "threads", s->m->container.at[container].name);
    comm_write(c, s->comm.at[comm].paradigm, s->comm.at[comm].ref, name, n, c->member);
}

/* Writes the group of all locations that are in communicators of a paradigm of threads. Sets index:
 * location -> position in the group. */
static void comm_write_threads(struct comm_writer *c, OTF2_Paradigm paradigm, const char *name,
                               uint64_t *index)
{
    const struct otf2 *s = c->s;
    size_t n = 0;
    for (uint32_t l = 0; l < s->location.n; l++) {
        bool any = false;
        for (size_t i = 0; i < s->comm.n && !any; i++)
            any = s->comm.at[i].paradigm == paradigm && comm_has(s, i, l);
        index[l] = n;
        if (any)
            c->member[n++] = l;
    }
    comm_write_locations(c, paradigm, name, n, c->member);
}

/* Writes all communicators, in the order of their numbers. */
static void comm_write_all(struct comm_writer *c)
{
    struct otf2 *s = c->s;
    uint32_t refs = s->refs[EZ_N_LINK];
    EZ_FREE uint32_t *name = ez_alloc((refs + 1) * sizeof *name),
                     *comm = ez_alloc((refs + 1) * sizeof *comm);
    memset(comm, 0xff, refs * sizeof *comm);
    for (uint32_t i = 0; i < s->comm.n; i++)
        comm[s->comm.at[i].ref] = i;
    for (uint32_t i = 0; i < s->ref.n; i++)
        if (s->m->name.at[i].kind == EZ_N_LINK && s->ref.at[i] != EZ_NONE_IDX)
            name[s->ref.at[i]] = i;
    for (uint32_t ref = 0; ref < refs; ref++) {
        if (comm[ref] == EZ_NONE_IDX)
            comm_write(c, OTF2_PARADIGM_MPI, ref, s->m->name.at[name[ref]].text, s->location.n,
                       c->index);
        else if (s->comm.at[comm[ref]].paradigm == OTF2_PARADIGM_MPI)
            comm_write_mpi(c, comm[ref]);
        else
            comm_write_team(c, comm[ref]);
    }
}

bool otf2_has_comms(const struct otf2 *s, OTF2_Paradigm paradigm)
{
    uint32_t n = 0, others = 0;
    for (size_t i = 0; i < s->comm.n; i++) {
        n += s->comm.at[i].paradigm == paradigm;
        others += s->comm.at[i].paradigm != OTF2_PARADIGM_MPI;
    }
    /* links are MPI's, too */
    return paradigm == OTF2_PARADIGM_MPI ? s->refs[EZ_N_LINK] > others : n;
}

/* Returns true if there are links that are not MPI messages. */
static bool comm_has_links(const struct otf2 *s)
{
    for (size_t i = 0; i < s->ref.n; i++)
        if (s->m->name.at[i].kind == EZ_N_LINK && s->ref.at[i] != EZ_NONE_IDX)
            return true;
    return false;
}

void otf2_write_communicators(struct otf2 *s, OTF2_GlobalDefWriter *g, uint32_t *group,
                              uint32_t (*string)(void *arg, const char *text), void *arg)
{
    size_t n = s->location.n;
    EZ_FREE uint64_t *member = ez_alloc((n + 1) * sizeof *member),
                     *index = ez_alloc((n + 1) * sizeof *index),
                     *openmp = ez_alloc((n + 1) * sizeof *openmp),
                     *pthread = ez_alloc((n + 1) * sizeof *pthread);
    struct comm_writer c = { s, g, group, string, arg, member, index, openmp, pthread };
    if (otf2_has_comms(s, OTF2_PARADIGM_MPI)) {
        size_t members = comm_order(s, comm_has_links(s), member, index);
        comm_write_locations(&c, OTF2_PARADIGM_MPI, "locations by rank", members, member);
    }
    if (otf2_has_comms(s, OTF2_PARADIGM_OPENMP))
        comm_write_threads(&c, OTF2_PARADIGM_OPENMP, "OpenMP threads", openmp);
    if (otf2_has_comms(s, OTF2_PARADIGM_PTHREAD))
        comm_write_threads(&c, OTF2_PARADIGM_PTHREAD, "POSIX threads", pthread);
    comm_write_all(&c);
}

void otf2_comm_free(struct otf2 *s)
{
    EZ_VEC_FREE(&s->process);
    EZ_VEC_FREE(&s->rank);
    EZ_VEC_FREE(&s->comm);
    ez_hash_free(&s->comms_by);
    ez_hash_free(&s->members);
}

#endif
