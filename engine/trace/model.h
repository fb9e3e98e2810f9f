/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the content of a trace, independent of file formats.
 *
 * CONTAINERS are a tree: the program, its processes, their threads. If processes have ranks or
 * there are several hosts, hosts are a level between the program and the processes, and all hosts
 * and processes are emitted at the beginning, in the order of ranks. Each container has one stack
 * of STATES (a call is a state) and may have point EVENTS and VARIABLES. LINKS lead from one
 * container to another. Interpreters (interp.h) report the events of a trace by calls of the
 * functions below. The model emits items, so that each output format (engine/format/conv.h) and
 * each other reader gets a consistent sequence:
 *   - times never decrease; time 0 is that of the first event of the trace;
 *   - a container and a name are introduced before their first use;
 *   - every PUSH gets a POP, the innermost state first; at the end all states are popped;
 *   - every link that starts has an end.
 * If events are missing, the model adds or omits items; struct ez_model_count counts these cases.
 *
 * PAUSES are states, too: "[waiting for the trace]", "[slept]", "[preempted]", and "[events lost]"
 * if events of the thread are missing. A thread has at most one pause, which is its innermost
 * state. If a thread has several reasons to pause, the first of these is shown: events lost,
 * waiting for the trace, not running. Time spent waiting for the trace belongs to no call: spent_ns
 * and self_ns of the calls around the pause do not contain this time. Time in which a thread slept
 * or was preempted belongs to its calls, as if the innermost call had called the pause: spent_ns
 * contains this time, self_ns does not.
 *
 * Tests: tests/unit/trace/check_model.c */
#ifndef EZ_MODEL_H
#define EZ_MODEL_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/record/items.h"
#include "engine/record/job.h"
#include "engine/base/vec.h"
#include "engine/record/words.h"

#define EZ_NONE_IDX UINT32_MAX
#define EZ_SIGNAL_GROUP "signal" /* group of the names of signals, which are events */

enum ez_level { EZ_L_PROGRAM, EZ_L_HOST, EZ_L_PROCESS, EZ_L_THREAD };
enum ez_name_kind { EZ_N_STATE, EZ_N_EVENT, EZ_N_VAR, EZ_N_LINK };

enum ez_item_kind {
    EZ_I_CONTAINER, /* `container` is used from now on; its parent was emitted before */
    EZ_I_NAME,      /* `name` is used from now on */
    EZ_I_PUSH,      /* container enters state `name` */
    EZ_I_POP,       /* container leaves state `name`; the fields under "POP" are valid */
    EZ_I_EVENT,     /* point event; arg, narg */
    EZ_I_VAR,       /* `value` is the new value of variable `name` */
    EZ_I_LINK_START,
    EZ_I_LINK_END, /* key, peer */
    EZ_I_CONTAINER_END,
    EZ_I_SAMPLE,  /* current values of the counters of the container's thread: arg, narg, words */
    EZ_I_REQUEST, /* something happened to a request of MPI: request, did */
};

enum ez_end { /* how a state was left */
              EZ_END_RETURN,
              EZ_END_UNWOUND, /* the call ended by an exception or a longjmp */
              /* the exit is missing: the state ends because an outer state, the thread's events (a
               * gap) or the trace ends */
              EZ_END_UNKNOWN,
};

enum ez_request {                       /* what happened to a request of MPI */
                  EZ_REQUEST_POSTED,    /* it waits for a message */
                  EZ_REQUEST_SENT,      /* its message was sent */
                  EZ_REQUEST_CANCELLED, /* it neither sends nor receives a message */
                  EZ_REQUEST_DONE       /* its collective operation is complete */
};

struct ez_item {
    enum ez_item_kind kind;
    uint32_t container; /* index in ez_model.container */
    uint32_t name;      /* index in ez_model.name */
    uint32_t depth;     /* PUSH, POP: number of states around this state; 0 = outermost */
    bool recursive;     /* PUSH, POP: a state around this state has the same name */
    uint32_t subject;   /* PUSH, POP, EVENT, VAR: subject; EZ_NONE_IDX if the item has none */
    uint64_t ns;        /* ns since the first event of the trace */
    /* PUSH, POP, EVENT: the values that a probe collected, or NULL; valid during the call */
    const struct ez_event_data *data;
    union {
        struct { /* POP */
            uint64_t start_ns;
            /* duration of the state without pauses that belong to no call (EZ_P_APART,
             * EZ_P_OURS) */
            uint64_t spent_ns;
            uint64_t self_ns;  /* spent_ns without the time of the states inside this state */
            uint64_t about_ns; /* time for which the state's subject was in use (ez_model_pop) */
            enum ez_end end;
            bool late; /* the subject became known only at the end, so the PUSH had no subject */
            bool cut;  /* the start or the end is missing, or is outside the window */
        };
        struct { /* PUSH, EVENT, SAMPLE, LINK_* */
            /* arguments of the record, valid during the call; for a link that is a message: number
             * of bytes, tag, communicator. NULL if there are none, or if the record is unknown */
            const uint64_t *arg;
            unsigned narg;
            unsigned first; /* index in `words` of arg[0] */
            /* names and types of the arguments, valid during the call; NULL if unknown */
            const struct ez_words *words;
            /* LINK_*: LINK_START and LINK_END have the same key. peer is the container at the other
             * end of the link, or EZ_NONE_IDX if it is not known yet. request: number,
             * in its process, of the request that sends or receives the message; 0 = none */
            uint32_t peer;
            enum ez_request did; /* REQUEST */
            uint64_t key, request;
        };
        struct { /* VAR */
            double value;
            double delta;    /* change of the value */
            bool set;        /* the value was set, not changed by delta */
            uint32_t thread; /* thread that changed the variable; EZ_NONE_IDX if unknown */
        };
    };
};

/* Called for each item. If the function returns an error, the replay ends and returns this
 * error. */
typedef ez_err *ez_item_fn(void *arg, const struct ez_item *it);

/* The subject of a state, an event or a variable: a lock, a file, a region of code. */
struct ez_subject {
    char *kind; /* "lock" */
    char *text; /* "0x4010", "/etc/passwd" */
    /* container of the process in which the text is valid; 0 = valid in all processes */
    uint32_t process;
};

enum { EZ_FRAME_ARGS = 3 }; /* most arguments that a state keeps */
struct ez_call_frame {
    uint32_t name;
    uint32_t subject;
    /* time in ns from which on the subject is in use; differs from start_ns if ez_model_pop()
     * exchanged subjects */
    uint64_t about_ns;
    bool cut;  /* the start of the state is before the window */
    bool late; /* the subject became known only at the end of the state */
    uint64_t start_ns;
    uint64_t child_ns;  /* time of the states inside this state */
    uint64_t paused_ns; /* paused_ns of the container when this state began */
    /* the arguments of the state's record; only of states that begin before the window */
    uint64_t arg[EZ_FRAME_ARGS];
    unsigned narg;
    const struct ez_words *words;
};

struct ez_active { /* the time in which a container had states and events */
    bool any;      /* first_ns and last_ns are valid */
    uint64_t first_ns, last_ns;
    uint64_t ours_ns; /* time in pauses that eztsh caused (EZ_P_OURS) */
};

struct ez_container {
    enum ez_level level;
    uint32_t parent;   /* EZ_NONE_IDX for the program */
    char *name;        /* unique in its level: "app 4242", "rank 3: worker 4243" */
    uint64_t pid, tid; /* 0 if not applicable */
    uint32_t input;    /* of a thread: index of its file; EZ_NONE_IDX if not applicable */
    uint32_t rank;     /* rank of a process; EZ_NO_RANK if none */
    uint32_t ranks;    /* number of ranks in the job of a process; 0 if unknown */
    char *host, *job;  /* host and job of a process; NULL if unknown */
    bool emitted;
    uint64_t paused_ns;     /* time so far in pauses that belong to no call */
    struct ez_pause *pause; /* state of the container's pauses; NULL if it never had a pause */
    EZ_VEC(struct ez_call_frame) stack; /* open states, the innermost last */
    /* with a filter: indexes in `stack` of the frames that the filter shows */
    EZ_VEC(uint32_t) shown;
    bool hidden; /* a filter hides the whole container */
    /* the container has had a state or an event so far, in the window or before the window */
    bool used;
    struct ez_active active; /* first and last activity in the window, independent of a filter */
};

enum ez_pause_kind {
    EZ_P_NONE,   /* a call, not a pause */
    EZ_P_APART,  /* a pause outside of calls ("[events lost]") */
    EZ_P_WITHIN, /* a pause whose time is part of the calls around it ("[slept]") */
    EZ_P_OURS,   /* a pause that eztsh causes: its time is part of no call, and not part of
                  * ez_model_run_ns() */
};

struct ez_name {
    enum ez_name_kind kind;
    char *text;  /* "compute" */
    char *group; /* library or module of the function; "" if none */
    uint64_t addr;
    bool emitted;
    enum ez_pause_kind pause;
    char *file;               /* source file of the function; NULL if unknown */
    unsigned line, last_line; /* of the function in `file`; last_line: 0 = unknown */
};

struct ez_collected { /* an item that probes collect */
    char *name;       /* owned */
    bool is_exit;     /* collected at the exit, not at the entry */
};

struct ez_model_count {
    uint64_t items;          /* number of emitted PUSH, POP, EVENT, VAR and LINK_* items */
    uint64_t unwound;        /* states left by an exception or longjmp */
    uint64_t open_entries;   /* entries without an exit */
    uint64_t edge_calls;     /* shown calls that begin before or end after the window */
    uint64_t lone_exits;     /* exits without an entry */
    uint64_t unpaired_links; /* links of which only the start or only the end is in the trace */
    uint64_t unsure_links;   /* messages that may belong to another receive */
    uint64_t late_processes; /* processes that were not traced since MPI_Init */
    uint64_t twin_processes; /* processes with the same job and rank as another process */
    uint64_t lost, gaps, gap_threads; /* numbers of lost events, gaps, and threads with a gap */
    uint64_t gap_ns, gap_calls;       /* duration of the gaps; number of calls that gaps ended */
};

struct ez_model {
    EZ_VEC(struct ez_container) container; /* 0 is the program */
    EZ_VEC(struct ez_name) name;
    EZ_VEC(struct ez_subject) subject;
    /* name of a collected item (at the entry or the exit) whose value becomes the subject of the
     * probe's calls and points; owned, or NULL */
    char *about_item;
    /* each item that probes of the trace collect, in the order of the definitions; empty unless
     * ez_replay_collected() listed them */
    EZ_VEC(struct ez_collected) collected;
    uint32_t roster; /* the first `roster` containers are emitted together with the program */
    struct ez_model_count count;
    EZ_VEC(char *) line; /* lines that interpreters add to the output of `stats`, set at the end */
    uint64_t now;        /* ns of the current event */
    uint32_t renamed;    /* number of calls of ez_model_rename() */
    bool filtered;       /* readers get only the frames in ez_container.shown (filter.h) */
    bool as_it_comes;    /* a live trace: the times of different containers are not in order */
    /* the window (time span): only items in [from_ns, to_ns] are emitted */
    uint64_t from_ns, to_ns;
    bool before, over;      /* before: the window has not begun; over: the window has ended */
    uint64_t start_real_ns; /* CLOCK_REALTIME of time 0; 0 if unknown */
    const struct ez_adds_all *adds; /* aggregates (adds.h), or NULL */
    const struct ez_trace_sum *sum; /* sums over the files (replay.h), or NULL */
    bool (*go_on)(void *arg); /* called during long work; returns false to cancel; may be NULL */
    void *go_on_arg;
    ez_item_fn *fn;
    void *fn_arg;
    ez_err *err; /* first error that fn returned; owned */
    struct ez_model_priv *priv;
};

void ez_model_init(struct ez_model *m, const char *program, ez_item_fn *fn, void *arg);
void ez_model_deinit(struct ez_model *m);

/* ---- for readers ------------------------------------------------------------------------ */
/* Returns the number of open states of a container that are shown to readers. */
static inline uint32_t ez_model_depth(const struct ez_model *m, uint32_t container)
{
    const struct ez_container *c = &m->container.at[container];
    return (uint32_t)(m->filtered ? c->shown.n : c->stack.n);
}
/* Returns the open state at this depth (0 = outermost), depth < ez_model_depth(). */
static inline const struct ez_call_frame *ez_model_frame(const struct ez_model *m,
                                                         uint32_t container, uint32_t depth)
{
    const struct ez_container *c = &m->container.at[container];
    return &c->stack.at[m->filtered ? c->shown.at[depth] : depth];
}

/* Returns the time to which shares refer: the sum over the containers that are shown of the time
 * from their first to their last state or event, without the waits for the trace (EZ_P_OURS).
 * *threads is the number of these containers; it may be NULL. */
uint64_t ez_model_run_ns(const struct ez_model *m, uint64_t *threads);

/* ---- for interpreters: define ------------------------------------------------------- */
/* Defines a container and returns its index. Copies the name; if another container has this name,
 * appends "#2" or a higher number. */
uint32_t ez_model_container(struct ez_model *m, enum ez_level level, uint32_t parent,
                            const char *name, uint64_t pid, uint64_t tid);
/* Changes the name of a thread's container: a trace that grows may contain the name only later. */
void ez_model_rename(struct ez_model *m, uint32_t container, const char *name);
/* Makes the model emit all containers that are defined so far at the beginning, also containers
 * without events. */
void ez_model_roster(struct ez_model *m);
/* Returns a sort key: processes are in the order of their ranks, or else of their definition, and
 * each process is before its threads. The low 32 bits are 0 unless the container is a thread. */
uint64_t ez_model_place(const struct ez_model *m, uint32_t container);
/* Returns the container itself if it is a process, the process of a thread, or NULL for a container
 * above processes. */
const struct ez_container *ez_model_process(const struct ez_model *m, uint32_t container);
/* Returns the index of a name, and defines the name if it is new; copies the texts. The index is
 * the same if kind, text and group are equal. */
uint32_t ez_model_name(struct ez_model *m, enum ez_name_kind kind, const char *text,
                       const char *group, uint64_t addr);

/* Returns the index of a subject, and defines the subject if it is new; copies the texts. The index
 * is the same if kind, text and process are equal. */
uint32_t ez_model_subject(struct ez_model *m, const char *kind, const char *text, uint32_t process);

/* ---- for interpreters: what happens, at m->now ---------------------------------------- */
struct ez_about {
    uint32_t subject;                 /* EZ_NONE_IDX if none */
    uint32_t thread;                  /* thread that causes the item; EZ_NONE_IDX if unknown */
    const struct ez_event_data *data; /* values that a probe collected, or NULL */
    const struct ez_words *words;     /* EVENT, PUSH: names of the arguments, or NULL */
};
#define EZ_ABOUT_NOTHING ((struct ez_about){ EZ_NONE_IDX, EZ_NONE_IDX, NULL, NULL })
/* Sets the time of the following calls, in ns since the first event. A smaller time than before is
 * ignored, unless as_it_comes. */
void ez_model_at(struct ez_model *m, uint64_t ns);
/* Limits the emitted items to the window [from, to], in ns. Call before the first item. */
void ez_model_window(struct ez_model *m, uint64_t from, uint64_t to);
void ez_model_push(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
/* Enters a state whose record has arguments (about.words). */
void ez_model_push_record(struct ez_model *m, uint32_t container, uint32_t name,
                          const uint64_t *arg, unsigned narg, struct ez_about about);
/* Leaves the innermost state. If there is no state, counts a lone exit and emits nothing. If
 * `about` has a subject and another state has this subject, that state and the innermost state
 * first exchange their subjects: two locks may be released in any order, but states must stay
 * nested. about_ns of the POP is the time for which the subject was in use. */
void ez_model_pop(struct ez_model *m, uint32_t container, struct ez_about about);
/* Leaves the innermost state with this name, and all states inside it, whose exits are missing. If
 * there is no such state, counts a lone exit and emits nothing. Sets the subject of the named state
 * if that state had none. */
void ez_model_pop_name(struct ez_model *m, uint32_t container, uint32_t name, enum ez_end how,
                       struct ez_about about);
/* Leaves the innermost state, if there is one, and enters state `name`. */
void ez_model_set(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
void ez_model_event(struct ez_model *m, uint32_t container, uint32_t name, const uint64_t *arg,
                    unsigned narg, struct ez_about about);
/* Emits a SAMPLE: the current values of counters, which are integers and never decrease. words:
 * names of the counters. */
void ez_model_sample(struct ez_model *m, uint32_t container, const struct ez_words *words,
                     const uint64_t *arg, unsigned narg);
void ez_model_var_set(struct ez_model *m, uint32_t container, uint32_t name, double value,
                      struct ez_about about);
void ez_model_var_add(struct ez_model *m, uint32_t container, uint32_t name, double delta,
                      struct ez_about about);
struct ez_link {
    uint32_t name;
    uint32_t peer; /* container at the other end; EZ_NONE_IDX if unknown */
    uint64_t key;
    uint64_t request;    /* of MPI, that sends or receives the message; 0 = none */
    const uint64_t *arg; /* content of the record, or NULL */
    unsigned narg;
    unsigned first; /* index in `words` of arg[0] */
    const struct ez_words *words;
};
/* Start and end a link. An end without a start is not emitted. If a link gets no end, an end
 * without arguments is emitted in the container where the link started, at the end of the trace or
 * when another link with the same key starts. */
void ez_model_link_start(struct ez_model *m, uint32_t container, const struct ez_link *l);
void ez_model_link_end(struct ez_model *m, uint32_t container, const struct ez_link *l);
/* Emits what happened to a request. name: that of the links of messages. */
void ez_model_request(struct ez_model *m, uint32_t container, uint32_t name, uint64_t request,
                      enum ez_request did);
/* ---- pauses of a thread (model_pause.c) ---- */
enum ez_off { EZ_OFF_NOT, EZ_OFF_SLEPT, EZ_OFF_PREEMPTED };
void ez_model_wait(struct ez_model *m, uint32_t container, bool begins);
/* Marks the thread as not running, or, with EZ_OFF_NOT, as running again. If a call of the thread
 * begins or ends more than 20 us later, the thread also counts as running again. (Within 20 us, the
 * order of the two events may be an effect of inexact clocks.) */
void ez_model_off(struct ez_model *m, uint32_t container, enum ez_off how);
/* Starts a gap: `lost` events of the thread are missing. Ends all open states of the thread. */
void ez_model_gap(struct ez_model *m, uint32_t container, uint64_t lost);
void ez_model_gap_end(struct ez_model *m, uint32_t container);
/* Closes all open states and links at m->now. */
void ez_model_end(struct ez_model *m);

#endif
