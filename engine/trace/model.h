/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the content of a trace, independent of file formats.
 *
 * CONTAINERS are a tree: the program, its processes, their threads. If processes have ranks or
 * there are several hosts, hosts are a level between the program and the processes, and all hosts
 * and processes are emitted at the beginning, by rank. Each container has one stack of STATES (a
 * call is a state) and may carry point EVENTS and VARIABLES. LINKS lead from one container to
 * another. Interpreters (interp.h) report what happened. The model tracks it and emits items, so
 * that each output format (engine/format/conv.h) and each reader gets a consistent sequence:
 *   - times never decrease; 0 is the first event of the trace;
 *   - a container and a name are introduced before their first use;
 *   - every push gets its pop, the innermost first; at the end all states are closed;
 *   - links come in pairs.
 * struct ez_model_count counts the repairs that this needed.
 *
 * PAUSES are states, too: "[waiting for the trace]", "[slept]", "[preempted]", and "[events lost]"
 * if events of the thread are missing. A thread has at most one pause, on top of its stack. If
 * several apply, the order is: lost, waiting, not running. Time spent waiting for the trace belongs
 * to no call: neither spent_ns nor self_ns of the calls around it contain it. Time in which a
 * thread did not run belongs to its calls by the clock, as if the innermost call had called the
 * pause: spent_ns contains it, self_ns does not.
 *
 * Tests: tests/unit/engine/check_model.c */
#ifndef EZ_MODEL_H
#define EZ_MODEL_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/record/items.h"
#include "engine/record/job.h"
#include "engine/base/vec.h"
#include "engine/record/words.h"

#define EZ_NONE_IDX UINT32_MAX

enum ez_level { EZ_L_PROGRAM, EZ_L_HOST, EZ_L_PROCESS, EZ_L_THREAD };
enum ez_name_kind { EZ_N_STATE, EZ_N_EVENT, EZ_N_VAR, EZ_N_LINK };

enum ez_item_kind {
    EZ_I_CONTAINER, /* `container` exists from now on; its parent was emitted before */
    EZ_I_NAME,      /* `name` is used from now on */
    EZ_I_PUSH,      /* container enters state `name` */
    EZ_I_POP,       /* container leaves it: start_ns, spent_ns, self_ns, end, cut */
    EZ_I_EVENT,     /* point event; arg, narg */
    EZ_I_VAR,       /* `value` is the new value of variable `name` */
    EZ_I_LINK_START,
    EZ_I_LINK_END, /* key, peer */
    EZ_I_CONTAINER_END,
    EZ_I_SAMPLE, /* counters of the container's thread until now: arg, narg, words */
};

enum ez_end { /* how a state was left */
              EZ_END_RETURN,
              EZ_END_UNWOUND, /* an exception or a jump left it */
              EZ_END_UNKNOWN, /* the exit is missing; the state ended with the state around it */
};

struct ez_item {
    enum ez_item_kind kind;
    uint32_t container; /* index in ez_model.container */
    uint32_t name;      /* index in ez_model.name */
    uint32_t depth;     /* PUSH, POP: number of states around it; 0 = outermost */
    bool recursive;     /* PUSH, POP: a state around it has the same name */
    uint32_t subject;   /* PUSH, POP, EVENT, VAR: EZ_NONE_IDX if there is none */
    uint64_t ns;        /* since the first event of the trace */
    /* PUSH, POP, EVENT: what a probe collected, or NULL; valid during the call */
    const struct ez_event_data *data;
    union {
        struct { /* POP */
            uint64_t start_ns;
            uint64_t spent_ns; /* from start_ns on, without pauses that belong to no call */
            uint64_t self_ns;  /* spent_ns without the states inside it */
            uint64_t about_ns; /* the same as spent_ns, for its subject (ez_model_pop) */
            enum ez_end end;
            bool late; /* the subject was unknown before the end, so the PUSH has none */
            bool cut;  /* measured in part: the rest is lost or outside the window */
        };
        struct { /* EVENT, SAMPLE, LINK_*: content of the record, valid during the call. A link that
                  * is a message has its bytes, tag and communicator. */
            const uint64_t *arg;
            unsigned narg;
            const struct ez_words *words; /* SAMPLE */
            /* LINK_*: both ends have the same key. peer is the container at the other end, or
             * EZ_NONE_IDX while it is unknown. */
            uint32_t peer;
            uint64_t key;
        };
        struct { /* VAR */
            double value;
            double delta;    /* change of the value */
            bool set;        /* the value was set, not changed by delta */
            uint32_t thread; /* thread that changed it; EZ_NONE_IDX if unknown */
        };
    };
};

/* Receives an item. An error ends the reading, which returns the error. */
typedef ez_err *ez_item_fn(void *arg, const struct ez_item *it);

/* The subject of a state, an event or a variable: a lock, a file, a region of code. */
struct ez_subject {
    char *kind;       /* "lock" */
    char *text;       /* "0x4010", "/etc/passwd" */
    uint32_t process; /* container in which the text is valid; 0 = all */
};

struct ez_call_frame {
    uint32_t name;
    uint32_t subject;
    uint64_t about_ns; /* begin of its time for the subject; mostly start_ns */
    bool cut;          /* its beginning is missing */
    bool late;         /* the subject was unknown at its beginning */
    uint64_t start_ns;
    uint64_t child_ns;  /* time of the calls inside it */
    uint64_t paused_ns; /* paused_ns of the container at the begin of the call */
};

struct ez_container {
    enum ez_level level;
    uint32_t parent;   /* EZ_NONE_IDX for the program */
    char *name;        /* unique in its level: "app 4242", "rank 3: worker 4243" */
    uint64_t pid, tid; /* 0 if not applicable */
    uint32_t rank;     /* rank of a process; EZ_NO_RANK if none */
    char *host, *job;  /* of a process; NULL if unknown */
    bool emitted;
    uint64_t paused_ns;                 /* time in pauses until now */
    struct ez_pause *pause;             /* NULL if it never had a pause */
    EZ_VEC(struct ez_call_frame) stack; /* innermost last */
};

enum ez_pause_kind {
    EZ_P_NONE,   /* a call */
    EZ_P_APART,  /* a pause */
    EZ_P_WITHIN, /* a pause that is part of the calls around it, by the clock */
    EZ_P_OURS,   /* a pause that eztsh causes: not in totals, nor in the time that shares refer
                  * to */
};

struct ez_name {
    enum ez_name_kind kind;
    char *text;  /* "compute" */
    char *group; /* its library or module; "" if none */
    uint64_t addr;
    bool emitted;
    enum ez_pause_kind pause;
};

struct ez_model_count {
    uint64_t items;                   /* pushes, pops, events, values and link ends emitted */
    uint64_t unwound;                 /* states left by an exception or a jump */
    uint64_t open_entries;            /* entries without an exit */
    uint64_t lone_exits;              /* exits without an entry */
    uint64_t unpaired_links;          /* links with one end only */
    uint64_t unsure_links;            /* messages that may belong to another receive */
    uint64_t late_processes;          /* processes that were not traced since MPI_Init */
    uint64_t twin_processes;          /* processes that send as a rank of another process */
    uint64_t lost, gaps, gap_threads; /* events lost, and the gaps and threads concerned */
    uint64_t gap_ns, gap_calls;       /* duration of the gaps, and calls that they cut */
};

struct ez_model {
    EZ_VEC(struct ez_container) container; /* 0 is the program */
    EZ_VEC(struct ez_name) name;
    EZ_VEC(struct ez_subject) subject;
    /* name of the collected item that gives the subject of probes' calls and points, at the
     * entry or the exit; owned, or NULL */
    char *about_item;
    uint32_t roster; /* number of containers, from the first, that are emitted with the program */
    struct ez_model_count count;
    EZ_VEC(char *) line;            /* lines of interpreters for `stats`, set at the end */
    uint64_t now;                   /* ns of the current event */
    bool as_it_comes;               /* time may go back between containers, in a live trace */
    uint64_t from_ns, to_ns;        /* window that is emitted; it cuts open states */
    bool before, over;              /* the window has not begun; it is over */
    uint64_t start_real_ns;         /* CLOCK_REALTIME of time 0; 0 if unknown */
    const struct ez_adds_all *adds; /* aggregates (adds.h), or NULL */
    const struct ez_trace_sum *sum; /* of the files (replay.h), or NULL */
    bool (*go_on)(void *arg);       /* called during long work; false cancels; may be NULL */
    void *go_on_arg;
    ez_item_fn *fn;
    void *fn_arg;
    ez_err *err; /* first error of the receiver; owned */
    struct ez_model_priv *priv;
};

void ez_model_init(struct ez_model *m, const char *program, ez_item_fn *fn, void *arg);
void ez_model_deinit(struct ez_model *m);

/* ---- for interpreters: define ------------------------------------------------------- */
/* Define containers, names and subjects. Copy their texts. A container whose name exists gets a
 * suffix "#2". */
uint32_t ez_model_container(struct ez_model *m, enum ez_level level, uint32_t parent,
                            const char *name, uint64_t pid, uint64_t tid);
/* Makes all containers defined until now exist from the beginning, even without events. */
void ez_model_roster(struct ez_model *m);
/* Returns a key that sorts containers in the order of definition, each process (with ranks: by
 * rank) before its threads. The low half is 0 unless the container is a thread. */
uint64_t ez_model_place(const struct ez_model *m, uint32_t container);
/* Returns the process that a container is or belongs to, or NULL for containers above processes. */
const struct ez_container *ez_model_process(const struct ez_model *m, uint32_t container);
/* Returns the index of a name. Equal kind, text and group give the same index. */
uint32_t ez_model_name(struct ez_model *m, enum ez_name_kind kind, const char *text,
                       const char *group, uint64_t addr);

/* Returns the index of a subject. Equal kind, text and process give the same index. */
uint32_t ez_model_subject(struct ez_model *m, const char *kind, const char *text, uint32_t process);

/* ---- for interpreters: what happens, at m->now ---------------------------------------- */
struct ez_about {
    uint32_t subject;                 /* EZ_NONE_IDX if none */
    uint32_t thread;                  /* thread that acts; EZ_NONE_IDX if unknown */
    const struct ez_event_data *data; /* what the event carries, or NULL */
};
#define EZ_ABOUT_NOTHING ((struct ez_about){ EZ_NONE_IDX, EZ_NONE_IDX, NULL })
void ez_model_at(struct ez_model *m, uint64_t ns); /* never decreases */
/* Limits the items to [from, to]. Call before the first item. */
void ez_model_window(struct ez_model *m, uint64_t from, uint64_t to);
void ez_model_push(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
/* Leaves the innermost state. Without a state, this is a lone exit and is not emitted. With a
 * subject, that subject's innermost state ends, because two locks may be released in any order. The
 * two states then exchange subjects, so that states stay nested; about_ns is the subject's own
 * time. */
void ez_model_pop(struct ez_model *m, uint32_t container, struct ez_about about);
/* Leaves the innermost state `name` and all states inside it, whose exits are missing. Sets the
 * subject of that state if it had none. */
void ez_model_pop_name(struct ez_model *m, uint32_t container, uint32_t name, enum ez_end how,
                       struct ez_about about);
/* Replaces the innermost state. */
void ez_model_set(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
void ez_model_event(struct ez_model *m, uint32_t container, uint32_t name, const uint64_t *arg,
                    unsigned narg, struct ez_about about);
/* Emits the present values of counters, which are integers and never decrease. */
void ez_model_sample(struct ez_model *m, uint32_t container, const struct ez_words *words,
                     const uint64_t *arg, unsigned narg);
void ez_model_var_set(struct ez_model *m, uint32_t container, uint32_t name, double value,
                      struct ez_about about);
void ez_model_var_add(struct ez_model *m, uint32_t container, uint32_t name, double delta,
                      struct ez_about about);
struct ez_link {
    uint32_t name;
    uint32_t peer; /* EZ_NONE_IDX if unknown */
    uint64_t key;
    const uint64_t *arg; /* content of the record, or NULL */
    unsigned narg;
};
/* Report the ends of a link. An end without a start is not emitted. A start without an end gets an
 * end in its own container at the end of the trace, without arguments. */
void ez_model_link_start(struct ez_model *m, uint32_t container, const struct ez_link *l);
void ez_model_link_end(struct ez_model *m, uint32_t container, const struct ez_link *l);
/* ---- pauses of a thread (model_pause.c) ---- */
enum ez_off { EZ_OFF_NOT, EZ_OFF_SLEPT, EZ_OFF_PREEMPTED };
void ez_model_wait(struct ez_model *m, uint32_t container, bool begins);
/* Marks the thread as not running (or, with EZ_OFF_NOT, as running again). Clocks are inexact, so a
 * call that begins or ends soon after the stop does not mean that the thread runs. */
void ez_model_off(struct ez_model *m, uint32_t container, enum ez_off how);
/* Starts a gap: `lost` events of the thread are missing. Ends all its open states. */
void ez_model_gap(struct ez_model *m, uint32_t container, uint64_t lost);
void ez_model_gap_end(struct ez_model *m, uint32_t container);
/* Closes all open states and links at m->now. */
void ez_model_end(struct ez_model *m);

#endif
