/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf2_check.c - `otf2_check ARCHIVE.otf2` reads an archive with libotf2 and checks what the manual of
 * OTF2 demands of it; prints each fault, and at the end the calls of each region and other sums. Status
 * 1 if there are faults, 77 without libotf2.
 *
 * Definitions: each is defined once, and before it is referred to; members of groups exist and are in a
 * group once; a parallel paradigm of a region is defined. Records: times of a location do not decrease
 * and are within the trace; a Leave leaves the innermost region; attributes are defined with their type;
 * each message is received, by the location to which it was sent, with its bytes; a request that sends or
 * receives a message begins once and ends at most once, in one process, and that of a receive ends; collective calls begin
 * and end in MPI's regions, and all members of a communicator make the same ones; a lock is released by
 * whom it was acquired, and acquired in the order of the numbers; a team begins and ends in its members;
 * a handle of a file is used in one process and only while it is active, and an operation ends once. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_OTF2
#include <otf2/otf2.h>

#include "engine/base/hash.h"
#include "engine/base/vec.h"

enum kind {
    STRING,
    NODE,
    GROUP_OF,
    LOCATION,
    REGION,
    METRIC,
    CLASS,
    GROUP,
    COMM,
    ATTRIBUTE,
    IO_FILE,
    IO_HANDLE,
    KINDS
};
static const char *const kind_name[] = { "string", "node",      "location group", "location",
                                         "region", "metric",    "class",          "group",
                                         "comm",   "attribute", "file",           "handle" };

struct group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    EZ_VEC(uint64_t) member;
};
struct region {
    char *name;
    OTF2_Paradigm paradigm;
    OTF2_RegionRole role;
    uint64_t calls;
};
struct lock {
    uint32_t id, order;
};
struct acquired {
    uint64_t n, last_ns; /* how often; when with the highest number */
    uint32_t highest;
};
struct place { /* a location */
    uint64_t group, said, events, last, forks;
    EZ_VEC(uint32_t) stack; /* regions */
    EZ_VEC(uint32_t) team;
    EZ_VEC(struct lock) lock;
    bool collective;
};

static EZ_VEC(char *) strings; /* index: number; NULL = not defined */
static EZ_VEC(struct group) groups;
static EZ_VEC(struct region) regions;
static EZ_VEC(struct place) places;
struct handle {
    bool active;
    uint64_t group; /* of the first record; UINT64_MAX before */
};

static EZ_VEC(struct handle) handles;
static struct ez_hash operations; /* handle, number -> mode */
static uint64_t moved[2], opens, closes, operated;
static EZ_VEC(uint32_t) comms;           /* number -> its group */
static EZ_VEC(uint8_t) attributes;       /* number -> its type */
static EZ_VEC(struct acquired) acquired; /* index: lock */
static struct ez_hash defined[KINDS], messages, calls_of, threads, requests;
enum { SENDING = 1, POSTED, GATHERING }; /* values of `requests` */
enum { NO_LOCATION = 1 << 30 };
static uint64_t creations, begins, ends;
static bool paradigms[256];
static uint64_t first, length, clocks, faults, sends, receives, bytes, collectives, roots, locks,
    forks, teams, isends, irecvs, completes, cancelled, started, done;

static void fault(bool is, const char *what, uint64_t a, uint64_t b)
{
    if (is && faults++ < 20)
        printf("fault: %s: %llu, %llu\n", what, (unsigned long long)a, (unsigned long long)b);
}

static void define(enum kind k, uint64_t number)
{
    size_t n = defined[k].n;
    ez_hash_put(&defined[k], number, 0);
    fault(defined[k].n == n, kind_name[k], number, 0);
}

static bool is_defined(enum kind k, uint64_t number)
{
    size_t found;
    return ez_hash_get(&defined[k], number, &found);
}

static void refer(enum kind k, uint64_t number, const char *from)
{
    fault(!is_defined(k, number), from, number, k);
}

#define DEFINES(name, ...) static OTF2_CallbackCode on_##name(void *arg, __VA_ARGS__)

/* ---- definitions ----------------------------------------------------------------------- */

DEFINES(clock, uint64_t resolution, uint64_t offset, uint64_t len, uint64_t real)
{
    fault(clocks || !resolution, "clock", resolution, clocks);
    clocks++;
    first = offset;
    length = len;
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(paradigm, OTF2_Paradigm p, OTF2_StringRef name, OTF2_ParadigmClass class)
{
    fault(paradigms[p], "paradigm twice", p, 0);
    paradigms[p] = true;
    refer(STRING, name, "paradigm");
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(string, OTF2_StringRef self, const char *text)
{
    define(STRING, self);
    while (strings.n <= self)
        EZ_PUSH(&strings, NULL);
    strings.at[self] = strdup(text);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(node, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class,
        OTF2_SystemTreeNodeRef parent)
{
    refer(STRING, name, "node");
    refer(STRING, class, "node");
    if (parent != OTF2_UNDEFINED_SYSTEM_TREE_NODE)
        refer(NODE, parent, "node");
    define(NODE, self);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(domain, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain)
{
    refer(NODE, node, "domain");
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(group_of, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
        OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef creator)
{
    refer(STRING, name, "location group");
    refer(NODE, parent, "location group");
    fault(type != OTF2_LOCATION_GROUP_TYPE_PROCESS, "type of a location group", self, type);
    define(GROUP_OF, self);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(location, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n,
        OTF2_LocationGroupRef group)
{
    refer(STRING, name, "location");
    refer(GROUP_OF, group, "location");
    fault(type != OTF2_LOCATION_TYPE_CPU_THREAD, "type of a location", self, type);
    define(LOCATION, self);
    while (places.n <= self)
        EZ_PUSH(&places, (struct place){ .said = 0 });
    places.at[self].said = n;
    places.at[self].group = group;
    return OTF2_CALLBACK_SUCCESS;
}

static bool is_parallel(OTF2_Paradigm p)
{
    return p == OTF2_PARADIGM_MPI || p == OTF2_PARADIGM_OPENMP || p == OTF2_PARADIGM_PTHREAD;
}

DEFINES(region, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
        OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
        OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
    refer(STRING, name, "region");
    refer(STRING, canonical, "region");
    refer(STRING, description, "region");
    refer(STRING, file, "region");
    fault(end && begin > end, "lines of a region", begin, end);
    fault(is_parallel(paradigm) && !paradigms[paradigm], "paradigm of a region", self, paradigm);
    define(REGION, self);
    while (regions.n <= self)
        EZ_PUSH(&regions, (struct region){ .name = NULL });
    bool event = description < strings.n && !strcmp(strings.at[description], "event");
    regions.at[self] =
        (struct region){ event || name >= strings.n ? NULL : strings.at[name], paradigm, role, 0 };
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(metric, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description,
        OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base,
        int64_t exponent, OTF2_StringRef unit)
{
    refer(STRING, name, "metric");
    refer(STRING, description, "metric");
    refer(STRING, unit, "metric");
    define(METRIC, self);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(class, OTF2_MetricRef self, uint8_t n, const OTF2_MetricMemberRef *member,
        OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
    for (unsigned i = 0; i < n; i++)
        refer(METRIC, member[i], "class");
    define(CLASS, self);
    return OTF2_CALLBACK_SUCCESS;
}

/* Returns the group of all locations of a paradigm that communicate, or NULL. */
static const struct group *all_of(OTF2_Paradigm p)
{
    for (size_t i = 0; i < groups.n; i++)
        if (groups.at[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS && groups.at[i].paradigm == p)
            return &groups.at[i];
    return NULL;
}

DEFINES(group, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
        OTF2_GroupFlag flags, uint32_t n, const uint64_t *member)
{
    const struct group *all = all_of(paradigm);
    struct group g = { .type = type, .paradigm = paradigm };
    struct ez_hash seen = { 0 };
    refer(STRING, name, "group");
    fault(type == OTF2_GROUP_TYPE_COMM_LOCATIONS && all, "a second group of locations", self, 0);
    fault(type == OTF2_GROUP_TYPE_COMM_GROUP && !all, "no group of locations", self, 0);
    fault(is_parallel(paradigm) && !paradigms[paradigm], "paradigm of a group", self, paradigm);
    for (uint32_t i = 0; i < n; i++) {
        fault(ez_hash_put(&seen, member[i], i) != i, "member twice", self, member[i]);
        if (type == OTF2_GROUP_TYPE_REGIONS)
            refer(REGION, member[i], "group");
        else if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
            refer(LOCATION, member[i], "group");
        else
            fault(!all || member[i] >= all->member.n, "member of a group", self, member[i]);
        EZ_PUSH(&g.member, member[i]);
    }
    ez_hash_free(&seen);
    fault(self != groups.n, "order of groups", self, groups.n);
    EZ_PUSH(&groups, g);
    define(GROUP, self);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
        OTF2_CommFlag flags)
{
    refer(STRING, name, "comm");
    refer(GROUP, group, "comm");
    fault(group >= groups.n || groups.at[group].type != OTF2_GROUP_TYPE_COMM_GROUP,
          "group of a comm", self, group);
    define(COMM, self);
    while (comms.n <= self)
        EZ_PUSH(&comms, 0);
    comms.at[self] = group;
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(attribute, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef text, OTF2_Type type)
{
    refer(STRING, name, "attribute");
    refer(STRING, text, "attribute");
    define(ATTRIBUTE, self);
    while (attributes.n <= self)
        EZ_PUSH(&attributes, 0);
    attributes.at[self] = type;
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(io_paradigm, OTF2_IoParadigmRef self, OTF2_StringRef id, OTF2_StringRef name,
        OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags, uint8_t n,
        const OTF2_IoParadigmProperty *property, const OTF2_Type *type,
        const OTF2_AttributeValue *value)
{
    refer(STRING, id, "paradigm of files");
    refer(STRING, name, "paradigm of files");
    fault(self || strcmp(strings.at[id], "POSIX"), "paradigm of files", self, id);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(io_file, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
    refer(STRING, name, "file");
    refer(NODE, scope, "file");
    define(IO_FILE, self);
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(io_handle, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
        OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef comm,
        OTF2_IoHandleRef parent)
{
    refer(STRING, name, "handle");
    if (file != OTF2_UNDEFINED_IO_FILE)
        refer(IO_FILE, file, "handle");
    define(IO_HANDLE, self);
    fault(self != handles.n, "order of handles", self, handles.n);
    EZ_PUSH(&handles, ((struct handle){ flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED, UINT64_MAX }));
    return OTF2_CALLBACK_SUCCESS;
}

DEFINES(io_existed, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoStatusFlag status)
{
    refer(IO_HANDLE, handle, "a handle that existed");
    fault(!handles.at[handle].active, "a handle that existed", handle, 0);
    return OTF2_CALLBACK_SUCCESS;
}

/* ---- communicators ------------------------------------------------------------------------ */

/* Returns the location at a position of a communicator, or UINT64_MAX. */
static uint64_t member_at(OTF2_CommRef comm, OTF2_Paradigm paradigm, uint64_t position)
{
    if (!is_defined(COMM, comm))
        return UINT64_MAX;
    const struct group *g = &groups.at[comms.at[comm]], *all = all_of(paradigm);
    if (g->paradigm != paradigm || !all || position >= g->member.n)
        return UINT64_MAX;
    return all->member.at[g->member.at[position]];
}

static uint64_t position_of(OTF2_CommRef comm, OTF2_Paradigm paradigm, uint64_t location)
{
    bool mpi = paradigm == OTF2_PARADIGM_MPI; /* a member is any thread of the process */
    for (uint64_t i = 0, l; (l = member_at(comm, paradigm, i)) != UINT64_MAX; i++)
        if (mpi ? places.at[l].group == places.at[location].group : l == location)
            return i;
    return UINT64_MAX;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* ---- records ------------------------------------------------------------------------------- */

#define HAPPENS(name, ...)                                                                         \
    static OTF2_CallbackCode on_##name(OTF2_LocationRef at, OTF2_TimeStamp time, void *arg,        \
                                       OTF2_AttributeList *list, ##__VA_ARGS__)

static struct place *record(OTF2_LocationRef at, OTF2_TimeStamp time, OTF2_AttributeList *list)
{
    refer(LOCATION, at, "record");
    struct place *p = &places.at[at];
    fault(time < p->last, "time goes back", at, time);
    fault(time < first || time > first + length, "time out of the trace", at, time);
    p->last = time;
    p->events++;
    for (uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(list); i++) {
        OTF2_AttributeRef a;
        OTF2_Type type;
        OTF2_AttributeValue v;
        OTF2_AttributeList_GetAttributeByIndex(list, i, &a, &type, &v);
        refer(ATTRIBUTE, a, "record");
        fault(a < attributes.n && attributes.at[a] != type, "type of an attribute", a, type);
        if (type == OTF2_TYPE_STRING)
            refer(STRING, v.stringRef, "attribute's value");
    }
    return p;
}

HAPPENS(enter, OTF2_RegionRef region)
{
    struct place *p = record(at, time, list);
    refer(REGION, region, "enter");
    EZ_PUSH(&p->stack, region);
    regions.at[region].calls++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(leave, OTF2_RegionRef region)
{
    struct place *p = record(at, time, list);
    fault(!p->stack.n || p->stack.at[p->stack.n - 1] != region, "leave", at, region);
    fault(p->collective && p->stack.n && regions.at[region].paradigm == OTF2_PARADIGM_MPI,
          "a collective call does not end", at, time);
    p->stack.n -= p->stack.n > 0;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(metric_value, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *type,
        const OTF2_MetricValue *value)
{
    record(at, time, list);
    refer(CLASS, metric, "metric");
    return OTF2_CALLBACK_SUCCESS;
}

/* Adds to the balance of messages of one kind: sends add, receives subtract. */
static void message(uint64_t from, uint64_t to, OTF2_CommRef comm, uint32_t tag, uint64_t n, int by)
{
    uint64_t key = mix(mix(mix(mix(mix(1, from), to), comm), tag), n);
    size_t was = 1ul << 32;
    ez_hash_remove(&messages, key, &was);
    ez_hash_put(&messages, key, was + (size_t)(ptrdiff_t)by);
}

HAPPENS(send, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t n)
{
    uint64_t to = member_at(comm, OTF2_PARADIGM_MPI, receiver);
    record(at, time, list);
    fault(to == UINT64_MAX, "receiver", receiver, comm);
    fault(position_of(comm, OTF2_PARADIGM_MPI, at) == UINT64_MAX, "sender is no member", at, comm);
    message(position_of(comm, OTF2_PARADIGM_MPI, at), receiver, comm, tag, n, 1);
    sends++;
    bytes += n;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(receive, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t n)
{
    uint64_t from = member_at(comm, OTF2_PARADIGM_MPI, sender);
    record(at, time, list);
    fault(from == UINT64_MAX, "sender", sender, comm);
    message(sender, position_of(comm, OTF2_PARADIGM_MPI, at), comm, tag, n, -1);
    receives++;
    return OTF2_CALLBACK_SUCCESS;
}

/* A request in a process: its number must be free before, and be free again after. */
static void request_begins(OTF2_LocationRef at, uint64_t number, size_t how)
{
    uint64_t key = ez_hash_pair(number, places.at[at].group);
    size_t was;
    fault(ez_hash_get(&requests, key, &was), "a request begins twice", at, number);
    ez_hash_put(&requests, key, how);
}

static void request_ends(OTF2_LocationRef at, uint64_t number, size_t how)
{
    size_t was = 0;
    bool known = ez_hash_remove(&requests, ez_hash_pair(number, places.at[at].group), &was);
    fault(!known || (how && was != how), "a request ends that did not begin so", at, number);
}

HAPPENS(isend, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t n, uint64_t request)
{
    request_begins(at, request, SENDING);
    isends++;
    return on_send(at, time, arg, list, receiver, comm, tag, n);
}

HAPPENS(isend_complete, uint64_t request)
{
    record(at, time, list);
    request_ends(at, request, SENDING);
    completes++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(irecv_request, uint64_t request)
{
    record(at, time, list);
    request_begins(at, request, POSTED);
    irecvs++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(irecv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t n, uint64_t request)
{
    request_ends(at, request, POSTED);
    return on_receive(at, time, arg, list, sender, comm, tag, n);
}

HAPPENS(request_cancelled, uint64_t request)
{
    record(at, time, list);
    request_ends(at, request, 0);
    cancelled++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(collective_begin)
{
    struct place *p = record(at, time, list);
    fault(p->collective, "collective calls nest", at, time);
    fault(!p->stack.n || regions.at[p->stack.at[p->stack.n - 1]].paradigm != OTF2_PARADIGM_MPI,
          "a collective call that is not MPI's", at, time);
    p->collective = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_RegionRole role_of(OTF2_CollectiveOp op)
{
    switch (op) {
    case OTF2_COLLECTIVE_OP_BARRIER:
        return OTF2_REGION_ROLE_BARRIER;
    case OTF2_COLLECTIVE_OP_BCAST:
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
    case OTF2_COLLECTIVE_OP_REDUCE:
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    case OTF2_COLLECTIVE_OP_SCAN:
    case OTF2_COLLECTIVE_OP_EXSCAN:
        return OTF2_REGION_ROLE_COLL_OTHER;
    default:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    }
}

HAPPENS(collective_end, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
        uint64_t received)
{
    struct place *p = record(at, time, list);
    uint64_t who = position_of(comm, OTF2_PARADIGM_MPI, at);
    size_t h = 0;
    fault(!p->collective, "a collective call did not begin", at, time);
    bool rooted = role_of(op) == OTF2_REGION_ROLE_COLL_ONE2ALL ||
                  role_of(op) == OTF2_REGION_ROLE_COLL_ALL2ONE;
    if (root != OTF2_UNDEFINED_UINT32) {
        roots++;
        fault(!rooted || member_at(comm, OTF2_PARADIGM_MPI, root) == UINT64_MAX, "root", at, root);
        fault(role_of(op) == OTF2_REGION_ROLE_COLL_ONE2ALL && (root == who ? received : sent),
              "bytes to or from the root", at, root);
    }
    fault(who == UINT64_MAX, "no member", at, comm);
    fault(!p->stack.n || role_of(op) != regions.at[p->stack.at[p->stack.n - 1]].role, "operation",
          at, op);
    p->collective = false;
    ez_hash_remove(&calls_of, (uint64_t)comm << 32 | who, &h);
    ez_hash_put(&calls_of, (uint64_t)comm << 32 | who, (size_t)(mix(mix(h, op), root) >> 1));
    collectives++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(collective_request, uint64_t request)
{
    struct place *p = record(at, time, list);
    fault(!p->stack.n || regions.at[p->stack.at[p->stack.n - 1]].paradigm != OTF2_PARADIGM_MPI,
          "a nonblocking call that is not MPI's", at, time);
    request_begins(at, request, GATHERING);
    started++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(collective_complete, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
        uint64_t received, uint64_t request)
{
    record(at, time, list);
    uint64_t who = position_of(comm, OTF2_PARADIGM_MPI, at);
    request_ends(at, request, GATHERING);
    fault(who == UINT64_MAX, "no member", at, comm);
    fault(root != OTF2_UNDEFINED_UINT32 && role_of(op) == OTF2_REGION_ROLE_COLL_ONE2ALL &&
              (root == who ? received : sent),
          "bytes to or from the root", at, root);
    done++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(acquire, OTF2_Paradigm paradigm, uint32_t id, uint32_t order)
{
    struct place *p = record(at, time, list);
    bool again = false;
    for (size_t i = 0; i < p->lock.n; i++)
        again |= p->lock.at[i].id == id && p->lock.at[i].order == order;
    while (acquired.n <= id)
        EZ_PUSH(&acquired, (struct acquired){ .n = 0 });
    struct acquired *a = &acquired.at[id];
    fault(!again && order <= a->highest && time > a->last_ns, "order of a lock", id, order);
    fault(!paradigms[paradigm], "paradigm of a lock", id, paradigm);
    a->n += !again;
    if (order > a->highest) {
        a->highest = order;
        a->last_ns = time;
    }
    EZ_PUSH(&p->lock, ((struct lock){ id, order }));
    locks++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(release, OTF2_Paradigm paradigm, uint32_t id, uint32_t order)
{
    struct place *p = record(at, time, list);
    size_t i = p->lock.n;
    while (i && (p->lock.at[i - 1].id != id || p->lock.at[i - 1].order != order))
        i--;
    fault(!i, "release", id, order);
    if (i)
        p->lock.at[i - 1] = p->lock.at[--p->lock.n];
    return OTF2_CALLBACK_SUCCESS;
}

/* Returns a handle, whose records must all be in one process. */
static struct handle *handle_of(OTF2_LocationRef at, OTF2_IoHandleRef handle, bool active)
{
    refer(IO_HANDLE, handle, "record of a file");
    struct handle *h = &handles.at[handle];
    fault(h->active != active, "active handle", handle, active);
    fault(h->group != UINT64_MAX && h->group != places.at[at].group, "process of a handle", handle,
          at);
    h->group = places.at[at].group;
    return h;
}

HAPPENS(io_create, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation,
        OTF2_IoStatusFlag status)
{
    record(at, time, list);
    handle_of(at, handle, false)->active = true;
    opens++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(io_destroy, OTF2_IoHandleRef handle)
{
    record(at, time, list);
    handle_of(at, handle, true)->active = false;
    closes++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(io_begin, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
        uint64_t requested, uint64_t number)
{
    record(at, time, list);
    handle_of(at, handle, true);
    uint64_t key = ez_hash_pair(number, handle);
    size_t was;
    fault(ez_hash_get(&operations, key, &was), "an operation begins twice", handle, number);
    ez_hash_put(&operations, key, mode == OTF2_IO_OPERATION_MODE_WRITE);
    operated++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(io_complete, OTF2_IoHandleRef handle, uint64_t n, uint64_t number)
{
    record(at, time, list);
    size_t mode = 0;
    fault(!ez_hash_remove(&operations, ez_hash_pair(number, handle), &mode),
          "an operation that did not begin", handle, number);
    moved[mode & 1] += n;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(fork, OTF2_Paradigm paradigm, uint32_t threads)
{
    record(at, time, list)->forks++;
    forks++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(join, OTF2_Paradigm paradigm)
{
    struct place *p = record(at, time, list);
    fault(!p->forks, "join", at, time);
    p->forks--;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(team_begin, OTF2_CommRef comm)
{
    struct place *p = record(at, time, list);
    fault(position_of(comm, OTF2_PARADIGM_OPENMP, at) == UINT64_MAX, "no member of a team", at,
          comm);
    EZ_PUSH(&p->team, comm);
    teams++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(team_end, OTF2_CommRef comm)
{
    struct place *p = record(at, time, list);
    fault(!p->team.n || p->team.at[p->team.n - 1] != comm, "end of a team", at, comm);
    p->team.n -= p->team.n > 0;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(create, OTF2_CommRef comm, uint64_t number)
{
    record(at, time, list);
    size_t was;
    fault(position_of(comm, OTF2_PARADIGM_PTHREAD, at) == UINT64_MAX, "no thread of it", at, comm);
    fault(ez_hash_get(&threads, (uint64_t)comm << 32 | number, &was), "created twice", at, number);
    ez_hash_put(&threads, (uint64_t)comm << 32 | number, NO_LOCATION);
    creations++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(begin, OTF2_CommRef comm, uint64_t number)
{
    record(at, time, list);
    size_t was = 0;
    fault(position_of(comm, OTF2_PARADIGM_PTHREAD, at) == UINT64_MAX, "no thread of it", at, comm);
    fault(!ez_hash_remove(&threads, (uint64_t)comm << 32 | number, &was) || was != NO_LOCATION,
          "begin", at, number);
    ez_hash_put(&threads, (uint64_t)comm << 32 | number, at);
    begins++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(end, OTF2_CommRef comm, uint64_t number)
{
    record(at, time, list);
    size_t was = 0;
    fault(!ez_hash_remove(&threads, (uint64_t)comm << 32 | number, &was) || was != at,
          "end of a thread", at, number);
    ends++;
    return OTF2_CALLBACK_SUCCESS;
}

HAPPENS(unknown)
{
    record(at, time, list);
    fault(true, "a record that eztsh does not write", at, time);
    return OTF2_CALLBACK_SUCCESS;
}

/* ---- read ------------------------------------------------------------------------------------- */

static void read_definitions(OTF2_Reader *r)
{
    OTF2_GlobalDefReader *in = OTF2_Reader_GetGlobalDefReader(r);
    OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t n;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(c, on_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, on_string);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, on_node);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(c, on_domain);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, on_group_of);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, on_region);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, on_metric);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, on_class);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(c, on_io_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(c, on_io_file);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(c, on_io_handle);
    OTF2_GlobalDefReaderCallbacks_SetIoPreCreatedHandleStateCallback(c, on_io_existed);
    OTF2_Reader_RegisterGlobalDefCallbacks(r, in, c, NULL);
    OTF2_GlobalDefReaderCallbacks_Delete(c);
    OTF2_ErrorCode e = OTF2_Reader_ReadAllGlobalDefinitions(r, in, &n);
    fault(e != OTF2_SUCCESS, "definitions", (uint64_t)e, n);
}

static void read_records(OTF2_Reader *r)
{
    OTF2_Reader_OpenEvtFiles(r);
    OTF2_Reader_OpenDefFiles(r);
    uint64_t n;
    for (uint64_t i = 0; i < places.n; i++) {
        OTF2_DefReader *d = OTF2_Reader_GetDefReader(r, i);
        OTF2_Reader_ReadAllLocalDefinitions(r, d, &n);
        OTF2_Reader_CloseDefReader(r, d);
        OTF2_Reader_GetEvtReader(r, i);
    }
    OTF2_Reader_CloseDefFiles(r);
    OTF2_GlobalEvtReader *in = OTF2_Reader_GetGlobalEvtReader(r);
    OTF2_GlobalEvtReaderCallbacks *c = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(c, on_enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(c, on_leave);
    OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(c, on_metric_value);
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(c, on_send);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(c, on_receive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(c, on_isend);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_isend_complete);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_irecv_request);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(c, on_irecv);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_request_cancelled);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, on_collective_begin);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective_end);
    OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_collective_request);
    OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c,
                                                                           on_collective_complete);
    OTF2_GlobalEvtReaderCallbacks_SetThreadAcquireLockCallback(c, on_acquire);
    OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback(c, on_release);
    OTF2_GlobalEvtReaderCallbacks_SetThreadForkCallback(c, on_fork);
    OTF2_GlobalEvtReaderCallbacks_SetThreadJoinCallback(c, on_join);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTeamBeginCallback(c, on_team_begin);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTeamEndCallback(c, on_team_end);
    OTF2_GlobalEvtReaderCallbacks_SetThreadCreateCallback(c, on_create);
    OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback(c, on_begin);
    OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback(c, on_end);
    OTF2_GlobalEvtReaderCallbacks_SetIoCreateHandleCallback(c, on_io_create);
    OTF2_GlobalEvtReaderCallbacks_SetIoDestroyHandleCallback(c, on_io_destroy);
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationBeginCallback(c, on_io_begin);
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationCompleteCallback(c, on_io_complete);
    OTF2_GlobalEvtReaderCallbacks_SetUnknownCallback(c, on_unknown);
    OTF2_Reader_RegisterGlobalEvtCallbacks(r, in, c, NULL);
    OTF2_GlobalEvtReaderCallbacks_Delete(c);
    OTF2_ErrorCode e = OTF2_Reader_ReadAllGlobalEvents(r, in, &n);
    fault(e != OTF2_SUCCESS, "records", (uint64_t)e, n);
    OTF2_Reader_CloseGlobalEvtReader(r, in);
    OTF2_Reader_CloseEvtFiles(r);
}

/* ---- at the end --------------------------------------------------------------------------------- */

static void check_end(void)
{
    fault(!clocks, "no clock", 0, 0);
    fault(sends != receives, "sends and receives", sends, receives);
    fault(operations.n, "operations that do not end", operations.n, 0);
    for (size_t i = 0; i < requests.cap; i++)
        fault(requests.slot[i].val == POSTED + 1, "a receive does not end", i, 0);
    for (size_t i = 0; i < messages.cap; i++)
        fault(messages.slot[i].val && messages.slot[i].val - 1 != 1ul << 32, "unpaired messages", i,
              messages.slot[i].val - 1);
    for (size_t i = 0; i < acquired.n; i++)
        fault(acquired.at[i].n != acquired.at[i].highest, "numbers of a lock", i, acquired.at[i].n);
    for (size_t i = 0; i < places.n; i++) {
        const struct place *p = &places.at[i];
        fault(p->stack.n || p->team.n || p->forks || p->collective, "open at the end", i,
              p->stack.n);
        fault(p->said != p->events, "number of events", p->said, p->events);
    }
    for (uint32_t c = 0; c < comms.n; c++) {
        size_t one = 0, other = 0;
        for (uint64_t k = 0; member_at(c, OTF2_PARADIGM_MPI, k) != UINT64_MAX; k++) {
            other = 0;
            ez_hash_get(&calls_of, (uint64_t)c << 32 | k, &other);
            fault(k && one != other, "members' collective calls differ", c, k);
            one = other;
        }
    }
}

int main(int argc, char **argv)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/traces.otf2", argc > 1 ? argv[1] : ".");
    OTF2_Reader *r = OTF2_Reader_Open(path);
    if (!r)
        return 1;
    OTF2_Reader_SetSerialCollectiveCallbacks(r);
    read_definitions(r);
    for (uint64_t i = 0; i < places.n; i++)
        OTF2_Reader_SelectLocation(r, i);
    read_records(r);
    check_end();
    for (size_t i = 0; i < regions.n; i++)
        if (regions.at[i].name)
            printf("calls %s %llu\n", regions.at[i].name, (unsigned long long)regions.at[i].calls);
    const struct {
        const char *name;
        uint64_t n;
    } sum[] = {
        { "sends", sends },         { "bytes", bytes },         { "collectives", collectives },
        { "roots", roots },         { "locks", locks },         { "forks", forks },
        { "teams", teams },         { "creations", creations }, { "begins", begins },
        { "ends", ends },           { "isends", isends },       { "completes", completes },
        { "started", started },     { "done", done },           { "irecvs", irecvs },
        { "cancelled", cancelled }, { "opens", opens },         { "handles", handles.n },
        { "closes", closes },       { "operations", operated }, { "read", moved[0] },
        { "written", moved[1] }
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(sum); i++)
        printf("%s %llu\n", sum[i].name, (unsigned long long)sum[i].n);
    OTF2_Reader_Close(r);
    printf("%llu faults\n", (unsigned long long)faults);
    return faults != 0;
}

#else

int main(void)
{
    return 77;
}

#endif
