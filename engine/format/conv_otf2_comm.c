/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_comm.c - the communicators of an OTF2 archive (conv_otf2.c).
 *
 * An OTF2 archive has one group of all locations that communicate. Each communicator has a further
 * group, whose elements are indices in the first group. A message identifies its peer by the
 * position in the communicator's group. The first group begins with a location for each rank, in
 * the order of ranks. All other locations follow, for links that are no MPI messages.
 *
 *   MPI messages   communicator MPI_COMM_WORLD: the position is the rank
 *   other links    a communicator for each name of links: the position is the location's number
 *
 * Tests: tests/procs/ranks.sh, tests/procs/mpi.sh, tests/unit/format/check_formats.c */
#include "config.h"

#ifdef HAVE_OTF2
#include <string.h>

#include "engine/format/conv_otf2.h"

/* Returns whether processes have ranks. In a trace without ranks, MPI messages are handled like
 * other links. */
static bool comm_has_ranks(const struct otf2 *s)
{
    for (size_t i = 0; i < s->m->container.n; i++)
        if (s->m->container.at[i].rank != EZ_NO_RANK)
            return true;
    return false;
}

/* Returns whether links with that name are in MPI_COMM_WORLD. */
static bool otf2_is_mpi(const struct otf2 *s, uint32_t name)
{
    return !strcmp(s->m->name.at[name].group, "mpi") && (s->process.n || comm_has_ranks(s));
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

static uint32_t comm_process_of(const struct otf2 *s, uint32_t container)
{
    const struct ez_container *c = &s->m->container.at[container];
    return c->level == EZ_L_THREAD && c->parent < s->m->container.n ? c->parent : container;
}

uint32_t otf2_peer(struct otf2 *s, uint32_t name, uint32_t container)
{
    uint32_t location = otf2_location(s, container), process = comm_process_of(s, container);
    if (!otf2_is_mpi(s, name))
        return location;
    if (!s->process.n)
        comm_find_ranks(s);
    while (s->rank.n <= process)
        EZ_PUSH(&s->rank, EZ_NONE_IDX);
    if (s->rank.at[process] == EZ_NONE_IDX) { /* a process without a rank, defined later */
        s->rank.at[process] = (uint32_t)s->process.n;
        EZ_PUSH(&s->process, process);
    }
    return s->rank.at[process];
}

/* Returns the location that stands for a process: that of its main thread, or else the first
 * location of the process; EZ_NONE_IDX if there is none. */
static uint32_t comm_main_location(const struct otf2 *s, uint32_t process)
{
    const struct ez_model *m = s->m;
    uint32_t best = EZ_NONE_IDX;
    for (uint32_t i = 0; i < s->location.n; i++) {
        uint32_t at = s->location.at[i];
        if (comm_process_of(s, at) != process)
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
 * to the position of location l. */
static void comm_order(const struct otf2 *s, uint64_t *member, uint64_t *index)
{
    size_t n = 0;
    memset(index, 0xff, s->location.n * sizeof *index);
    for (size_t i = 0; i < s->process.n; i++) {
        member[n] = comm_main_location(s, s->process.at[i]);
        index[member[n]] = n;
        n++;
    }
    for (size_t l = 0; l < s->location.n; l++)
        if (index[l] == UINT64_MAX) {
            member[n] = l;
            index[l] = n++;
        }
}

void otf2_write_communicators(struct otf2 *s, OTF2_GlobalDefWriter *g, uint32_t *group,
                              uint32_t (*string)(void *arg, const char *text), void *arg)
{
    size_t n = s->location.n;
    if (!s->refs[EZ_N_LINK])
        return;
    EZ_FREE uint64_t *member = ez_alloc((n + 1) * sizeof *member),
                     *index = ez_alloc((n + 1) * sizeof *index);
    comm_order(s, member, index);
    otf2_ok(s, OTF2_GlobalDefWriter_WriteGroup(g, (*group)++, string(arg, "locations by rank"),
                                               OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                               OTF2_GROUP_FLAG_NONE, (uint32_t)n, member));
    for (uint32_t i = 0; i < s->ref.n; i++) {
        if (s->m->name.at[i].kind != EZ_N_LINK || s->ref.at[i] == EZ_NONE_IDX)
            continue;
        bool mpi = otf2_is_mpi(s, i);
        for (size_t k = 0; k < s->process.n && mpi; k++)
            member[k] = k; /* reuses `member`, because the first group is already written */
        uint32_t name = string(arg, mpi ? "MPI_COMM_WORLD" : s->m->name.at[i].text);
        otf2_ok(s, OTF2_GlobalDefWriter_WriteGroup(g, *group, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                                   OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                   (uint32_t)(mpi ? s->process.n : n),
                                                   mpi ? member : index));
        otf2_ok(s, OTF2_GlobalDefWriter_WriteComm(g, s->ref.at[i], name, (*group)++,
                                                  OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
}

#endif
