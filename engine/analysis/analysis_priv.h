/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis_priv.h - data and functions that the files of this folder share. */
#ifndef EZ_ANALYSIS_PRIV_H
#define EZ_ANALYSIS_PRIV_H

#include "engine/analysis/analysis.h"
#include "engine/base/hash.h"
#include "engine/trace/roles.h"

enum {
    AN_SHARES = 8,       /* most causes of one wait */
    AN_LOG_MOST = 16384, /* most segments in the log of a thread */
    AN_JUMPS = 64,       /* most earlier routes of a thread */
    AN_PAUSES = 64,      /* most pauses that are known of an operation */
    AN_GROUPS = 16,      /* most groups in which the last meetings of a thread are looked for */
};
#define AN_MANY EZ_NONE_IDX /* cell of causes that are not known one by one */

/* ---- classes of states (an_class.c) ---------------------------------------------------------- */

enum an_op {          /* what a state is */
             OP_CALL, /* a function: part of call paths */
             OP_PREEMPTED,
             OP_SLEPT,
             OP_OURS,
             OP_LOST,
             OP_IGNORED, /* a state that does not matter */
             OP_HELD,
             OP_REGION,
             OP_WORKING,
             OP_TASK,
             /* operations: states in which a thread may wait */
             OP_BLOCKED, /* for a lock: wait kind in an_class.wait */
             OP_CONDITION,
             OP_THREAD_BARRIER,
             OP_SEMAPHORE,
             OP_JOIN,
             OP_OMP_BARRIER,
             OP_OMP_TASKS,
             OP_OMP_OTHER,
             OP_MPI,       /* without a peer, or point to point */
             OP_MPI_SENDS, /* a blocking send, or MPI_Sendrecv */
             OP_MPI_INIT,
             OP_MPI_FINALIZE,
             /* collective operations */
             OP_NXN,
             OP_FROM_ROOT,
             OP_TO_ROOT,
             OP_OTHER_COLLECTIVE, /* counted, but without waits */
};
struct an_class {
    bool known;
    enum ez_paradigm paradigm;
    enum an_op op;
    enum ez_wait_kind wait;
    bool starts_only; /* a nonblocking collective operation */
    bool synchronous; /* a send that ends only when the receive is posted */
    /* index of these words in the arguments, -1 = none; comm: of a communicator or a window */
    int comm, bytes, root, id;
};
struct an_class an_class_of(const struct ez_name *n);

/* ---- routes: call paths on the way to the present (an_route.c) --------------------------------- */

/* The time of each cell on the path that led to a point in time. A route is shared until one of its
 * users changes it. */
struct an_route;
struct an_route *an_route_new(void);
struct an_route *an_route_ref(struct an_route *r);
void an_route_unref(struct an_route *r);
/* Adds ns to a cell. *r is replaced by a copy if it is shared. */
void an_route_add(struct an_route **r, uint32_t cell, int64_t ns);
int64_t an_route_get(const struct an_route *r, uint32_t cell);

/* ---- threads ------------------------------------------------------------------------------------- */

struct an_share { /* part of a wait that a cell is charged with; all parts add up to 1 */
    uint32_t cell;
    double part;
};

struct an_wait { /* a wait, from the start of its segment */
    uint64_t until;
    struct an_share share[AN_SHARES];
    unsigned n;
};

struct an_segment { /* a span of a thread in one activity */
    uint64_t from, to;
    uint32_t path, cell;
    uint8_t time;  /* enum ez_time_kind; of the time after the wait */
    bool closed;   /* it does not grow */
    uint32_t wait; /* index in an_thread.wait, EZ_NONE_IDX = none */
};

struct an_frame {
    enum an_op op;
    bool counts; /* the state is the open operation, or changed the activity */
    /* the activity around the state */
    uint32_t path;
    uint8_t time;
};

struct an_jump { /* the route changed at `until`; `old` is the route without the jump, up to `at` */
    uint64_t until, at;
    struct an_route *old;
};

struct an_candidate { /* a wait that is judged at the end of the operation */
    enum ez_wait_kind kind;
    uint64_t until;
    uint32_t cause; /* thread */
};

/* the part of a thread in a collective operation; AN_NO_PART: of those beside the root in its group
 * of an intercommunicator */
enum an_part { AN_MEMBER, AN_ROOT, AN_NO_PART };
struct an_operation { /* the open operation of a thread */
    bool open;
    enum an_op op;
    struct an_class class;
    uint32_t name, subject;
    uint64_t begin_ns, number;
    struct an_candidate best, progress;
    size_t link;         /* index of the message that the operation sends, SIZE_MAX = none */
    uint64_t group, nth; /* collective operation: its group and its number there */
    enum an_part part;
    uint64_t bytes, reduce_wait_ns;
};

struct an_count {  /* of a process in a communicator */
    uint64_t next; /* number of its next operation */
    bool sure;     /* it took part in an operation with the others since the first event */
};
struct an_member {    /* of a thread in a group */
    uint64_t left[2]; /* time of leaving the last two operations in which all members meet */
    uint64_t left_nth[2];
};

struct an_thread {
    struct ez_thread_row row;
    uint32_t self;  /* index in analysis.thread */
    bool ended;     /* by its process's MPI_Finalize */
    bool finalizes; /* the thread called MPI_Finalize */
    enum an_op off_op;
    uint64_t off_ns;
    uint64_t first_ns, last_ns; /* of the time that is accounted for */
    uint64_t ideal_ns;
    /* the activity: path and kind of the time since last_ns; cell: of the path, EZ_NONE_IDX if not
     * looked up yet */
    uint32_t path, cell;
    uint8_t time;
    EZ_VEC(struct an_frame) stack;
    struct an_operation op;
    EZ_VEC(struct an_operation) suspended; /* operations in which the thread runs a task */
    EZ_VEC(size_t) sent;                   /* messages whose sends the operation completed */
    /* numbers of the segments of an OpenMP barrier that are judged at its end */
    EZ_VEC(uint64_t) part;
    struct an_span { /* the latest pauses inside the operation, a ring */
        uint64_t from, to;
    } paused[AN_PAUSES];
    unsigned pauses;
    EZ_VEC(struct an_segment) log;
    size_t log_first;  /* index in `log` of the first segment that is still there */
    uint64_t log_base; /* number of segments that were removed before log.at[0] */
    EZ_VEC(struct an_wait) wait;
    EZ_VEC(uint32_t) spare_wait;
    struct an_route *route;
    struct an_jump jump[AN_JUMPS];
    unsigned jumps, next_jump;
    uint32_t group[AN_GROUPS]; /* groups that the thread used last, the latest first */
    unsigned groups;
    uint32_t team; /* OpenMP: index of the process's team, EZ_NONE_IDX = none */
    /* worked: the thread has a part of the open region; idle: the thread waits for a region */
    bool worked, idle;
    bool recent; /* the thread had a part in the team's last region */
};

struct an_cell { /* a call path of a thread */
    uint32_t path, thread;
    uint64_t own_ns;
    double short_ns, long_ns;
};

struct an_link { /* a message */
    uint64_t start_ns, op_begin_ns, op_number, end_ns;
    uint64_t posted_ns, ideal_ns;
    uint64_t progress_ns; /* entry of the call that completed the receive, if posted before; or 0 */
    uint64_t segment;     /* number of the segment of the call that sent, or completed the send */
    uint32_t from, to, receiver; /* threads; to: EZ_NONE_IDX = unknown */
    uint64_t request;
    uint64_t order; /* number of the message in the queue of `to` */
    bool used, blocking, ended, received;
    bool buffered; /* small: the send does not wait for its receive */
};

struct an_meeting { /* times of the last two of n meetings of two threads */
    uint64_t ns[2];
    size_t n;
};

struct an_instance { /* of a collective operation, or of a barrier */
    uint64_t last_ns, root_ns;
    uint32_t last, root;                    /* threads; EZ_NONE_IDX = none yet */
    uint64_t first_other_ns, last_other_ns; /* members other than the root */
    uint32_t last_other;
    uint64_t entered, left;
    uint32_t name; /* of the call, if it is one of MPI */
    uint64_t ideal_ns, root_ideal_ns;
};
struct an_group { /* members of a communicator, or the threads of a process that use a barrier */
    uint64_t key;
    bool used;     /* since its place was last considered for a new group */
    uint64_t base; /* number of the first instance in `at` */
    EZ_VEC(struct an_instance) at;
    uint64_t passed, passed_ns; /* all have entered the operations before this number */
    struct ez_hash process;     /* process -> index in `count` */
    EZ_VEC(struct an_count) count;
    struct ez_hash member; /* thread -> index in `members` */
    EZ_VEC(struct an_member) members;
};

struct an_held { /* a lock that a thread holds, or held until `to` */
    uint32_t thread;
    uint64_t from, to;
};
struct an_lock {                 /* a lock, a condition, a semaphore, the ends of threads */
    EZ_VEC(struct an_held) hold; /* open holds */
    uint32_t last;               /* thread that released, signalled, posted or ended last */
    uint64_t last_ns;
    EZ_VEC(struct an_held) held; /* the newest holds that have ended */
};

struct an_team {              /* the OpenMP threads of a process */
    uint32_t process, master; /* master: thread of the open region */
    unsigned depth;           /* number of open regions of the master */
    uint32_t path;            /* of the region in the master */
    EZ_VEC(uint32_t) thread;
    uint32_t late; /* thread whose part of the region ended last */
    uint64_t late_ns;
};

struct an_child { /* the child of a node that was looked up last; child 0 = none */
    uint64_t what;
    uint32_t child;
};
struct an_charge { /* a wait that a cell is charged with */
    uint32_t cell;
    struct ez_victim v;
};
struct an_excess { /* time in a path of the late thread, and of the thread that waits */
    uint64_t late, mine;
    bool mpi; /* the time is in MPI calls */
};
struct an_in { /* a wait of the late thread, and its time in the span that is looked at */
    uint32_t wait;
    uint64_t ns;
};
struct an_queued {  /* a message of a queue */
    uint64_t order; /* number of the message in its queue */
    size_t link;    /* SIZE_MAX = removed */
};
struct an_pending {           /* a wait for a sender while earlier messages had come */
    uint64_t until, ended_ns; /* time of the send; end of the call that waited */
    struct ez_wait_row row;
};
struct an_queue { /* messages, the oldest first */
    EZ_VEC(struct an_queued) at;
    size_t first;    /* index in `at` of the first message that was not removed */
    uint64_t orders; /* number of messages so far */
    size_t messages; /* number of messages that were not removed */
    /* waits that are "wrong order" if one of the earlier messages is received, sorted by `until` */
    EZ_VEC(struct an_pending) pending;
};

struct analysis {
    struct ez_analysis pub; /* must be first */
    const struct ez_model *m;
    uint64_t now;
    EZ_VEC(struct an_class) class; /* index: name */
    EZ_VEC(uint32_t) by_container; /* container -> thread, EZ_NONE_IDX = none */
    EZ_VEC(struct an_thread) thread;
    EZ_VEC(struct ez_path_node) node;
    EZ_VEC(struct an_child) last_child; /* index: node */
    struct ez_hash nodes;               /* parent, name or subject -> node */
    EZ_VEC(struct an_cell) cell;
    struct ez_hash cells; /* path, thread -> cell */
    EZ_VEC(struct ez_wait_row) wait;
    struct ez_hash waits;
    EZ_VEC(struct an_charge) charge;
    struct ez_hash charges; /* cell, thread, call -> charge */
    EZ_VEC(struct ez_collective_row) collective;
    struct ez_hash collectives;
    /* scratch of cause_shares(): time by path of both threads */
    EZ_VEC(struct an_excess) excess; /* index: path */
    EZ_VEC(uint32_t) touched;        /* paths with a time in `excess` */
    EZ_VEC(struct an_in) inner;
    struct ez_hash meetings; /* two threads -> meeting */
    EZ_VEC(struct an_meeting) meeting;
    EZ_VEC(struct an_group) group;
    struct ez_hash groups;
    size_t oldest; /* index of the group that is considered next when a new one needs its place */
    EZ_VEC(struct an_link) link;
    EZ_VEC(size_t) spare_link;
    struct ez_hash by_key, by_request; /* of a message, of a send's request */
    struct ez_hash posts;              /* of a receive's request -> index in `post` */
    EZ_VEC(uint64_t) post;             /* times at which receives were posted */
    EZ_VEC(size_t) spare_post;
    EZ_VEC(struct an_operation) started; /* nonblocking collective operations */
    EZ_VEC(size_t) spare_started;
    struct ez_hash by_number;      /* of such an operation -> index in `started` */
    EZ_VEC(struct an_queue) queue; /* index: container; messages to it */
    EZ_VEC(struct an_lock) lock;
    struct ez_hash locks; /* process, subject -> lock */
    EZ_VEC(struct an_team) team;
    struct ez_hash teams;
    uint32_t preempted; /* name of the pause in which a thread is preempted */
    uint64_t operations;
    struct ez_hash finalized;  /* processes that have called MPI_Finalize */
    struct ez_victim *victims; /* of the rows of causes */
    bool any;                  /* there was an item */
    bool initialized;          /* a process has returned from MPI_Init */
};

static inline struct an_thread *an_at(struct analysis *a, uint32_t thread)
{
    return &a->thread.at[thread];
}
/* Returns a hash of the name of the job that the thread's process belongs to. */
uint64_t an_job(const struct analysis *a, const struct an_thread *t);

/* ---- time (an_log.c) ----------------------------------------------------------------------------- */

/* Sets the path of the thread's activity. */
static inline void an_set_path(struct an_thread *t, uint32_t path)
{
    t->cell = path == t->path ? t->cell : EZ_NONE_IDX;
    t->path = path;
}
uint32_t an_node(struct analysis *a, uint32_t parent, uint32_t name, uint32_t subject);
uint32_t an_cell(struct analysis *a, uint32_t path, uint32_t thread);
/* Accounts for the time of the thread from last_ns to `to`, as its present activity. */
void an_account(struct analysis *a, struct an_thread *t, uint64_t to);
/* Accounts for the time from last_ns to `to` as one segment of its own. Returns its number. */
uint64_t an_account_apart(struct analysis *a, struct an_thread *t, uint64_t to);
/* Returns the segment with this number, or NULL if the log no longer has it. */
struct an_segment *an_segment(struct an_thread *t, uint64_t number);
/* Forgets all sums and logs: the analysis begins now. */
void an_begin(struct analysis *a);

/* ---- causes (an_cause.c) --------------------------------------------------------------------------- */

/* how the causes of a wait are found: AN_EXCESS: by what the late thread did more than the waiting
 * one since both met; AN_MEANWHILE: by what the late thread did during the wait */
enum an_rule { AN_EXCESS, AN_MEANWHILE };
/* Makes the start of a segment, up to `until`, a wait. */
void an_wait(struct analysis *a, struct an_thread *t, uint64_t segment, enum ez_wait_kind kind,
             uint64_t until, uint32_t cause, enum an_rule rule, uint32_t call);

/* Adds waits to the sums of their kind, path and thread. */
void an_add_row(struct analysis *a, const struct ez_wait_row *w);

/* If the thread has done nothing yet, its route so far is that of the thread that created it. */
void an_created(struct analysis *a, struct an_thread *t, uint32_t by);

/* ---- groups (an_group.c) ----------------------------------------------------------------------------- */

uint32_t an_group_of(struct analysis *a, uint64_t key);
void an_group_free(struct an_group *g);
struct an_member *an_member(struct analysis *a, uint32_t group, uint32_t thread);
/* A thread enters an operation of the group. numbered: it is the next operation of this member.
 * Returns the number of the operation. */
uint64_t an_enter(struct analysis *a, uint32_t group, uint32_t thread, bool numbered,
                  enum an_part part);
/* Events of the thread are lost: perhaps also operations of its process. */
void an_group_lost(struct analysis *a, const struct an_thread *t);
/* Returns an operation, or NULL if it was removed. */
struct an_instance *an_instance(struct analysis *a, uint32_t group, uint64_t nth);
/* A thread leaves the operation. all_meet: no member leaves before all members have entered. */
void an_leave(struct analysis *a, uint32_t group, uint64_t nth, uint32_t thread, bool all_meet);

/* ---- MPI (an_mpi.c), threads (an_threads.c) ------------------------------------------------------- */

void an_mpi_begins(struct analysis *a, struct an_thread *t, const struct ez_item *it);
/* Call before the time of an operation that ends is accounted for. */
void an_mpi_leaves(struct analysis *a, struct an_thread *t);
/* segment: number of the operation's segment */
void an_mpi_ends(struct analysis *a, struct an_thread *t, uint64_t segment);
void an_mpi_link(struct analysis *a, struct an_thread *t, const struct ez_item *it);
void an_mpi_request(struct analysis *a, struct an_thread *t, const struct ez_item *it);
/* Makes a wait the reason of the open operation, if it lasts longer than the one known so far. */
void an_consider(struct an_thread *t, enum ez_wait_kind kind, uint64_t until, uint32_t cause);

/* ---- messages on the way to a container (an_queue.c) ---- */
void an_queue_add(struct analysis *a, uint32_t container, size_t link);
void an_queue_remove(struct analysis *a, size_t link);
/* Returns true if a message to the container was sent before ns and is not received yet. */
bool an_queue_has_earlier(const struct analysis *a, uint32_t container, uint64_t ns);
/* Adds a wait, which has ended now, for a message that was sent at `until`, while
 * an_queue_has_earlier(). It is counted as a wait for a late sender, or as wrong order if one of the
 * earlier messages is received by a receive that is posted later. */
void an_queue_pend(struct analysis *a, uint32_t container, uint64_t until,
                   const struct ez_wait_row *row);
/* Call when a message is received, before an_queue_remove(). */
void an_queue_received(struct analysis *a, size_t link);
/* Counts the waits that wait for a decision as waits for late senders. */
void an_queue_settle(struct analysis *a);

void an_threads_begins(struct analysis *a, struct an_thread *t, const struct ez_item *it);
void an_threads_leaves(struct analysis *a, struct an_thread *t);
void an_threads_ends(struct analysis *a, struct an_thread *t, uint64_t segment);
/* An event of the pthread module. */
void an_threads_event(struct analysis *a, struct an_thread *t, const struct ez_item *it);
void an_held(struct analysis *a, struct an_thread *t, const struct ez_item *it, bool begins);
/* A link of pthread ends: from the creation of a thread to its start. */
void an_thread_starts(struct analysis *a, struct an_thread *t, const struct ez_item *it);
void an_region(struct analysis *a, struct an_thread *t, bool begins);
/* Call before the time of a thread that begins to work in a region is accounted for. */
void an_idle_ends(struct analysis *a, struct an_thread *t);
void an_working(struct analysis *a, struct an_thread *t, bool begins);
void an_task(struct analysis *a, struct an_thread *t, bool begins);

void an_result_free(struct analysis *a); /* an_result.c */

#endif
