/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - what a trace tells, free of any file format.
 *
 * CONTAINERS are a tree: the program, its processes, their threads. Where processes have
 * ranks, or hosts are several, the hosts stand between the program and the processes, and all
 * hosts and processes are told at the beginning, by rank. Each container has one stack of
 * STATES (a call is a state) and may carry point EVENTS and VARIABLES; LINKS lead from one
 * container to another. Interpreters (interp.h) say what happened. The model keeps account
 * and passes all on as items, so that each output format (engine/format/conv.h) and each
 * reader gets a consistent sequence:
 *   - times never decrease; 0 is the first event of the trace;
 *   - a container and a name are introduced before they are first used;
 *   - every push gets its pop, the innermost first; at the end all is closed;
 *   - links come in pairs.
 * struct ez_model_count counts what the model had to mend for that.
 *
 * PAUSES are states, too: "[waiting for the trace]", "[slept]", "[preempted]", and
 * "[events lost]" where nobody knows what a thread did. A thread has at most one pause, on top
 * of its stack; if several hold, the first of: lost, waiting, not running. The time of waiting
 * for the trace belongs to no call: the calls around it have it neither in took_ns nor in
 * self_ns. The time in which a thread did not run is part of its calls by the clock, as if the
 * innermost call had called the pause: it is in took_ns, and not in self_ns.
 *
 * Tests: tests/unit/engine/check_model.c */
#ifndef EZ_MODEL_H
#define EZ_MODEL_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ring/items.h"
#include "engine/ring/job.h"
#include "engine/base/vec.h"
#include "engine/ring/words.h"

#define EZ_NONE_IDX UINT32_MAX

enum ez_level { EZ_L_PROGRAM, EZ_L_HOST, EZ_L_PROCESS, EZ_L_THREAD };
enum ez_name_kind { EZ_N_STATE, EZ_N_EVENT, EZ_N_VAR, EZ_N_LINK };

enum ez_item_kind {
    EZ_I_CONTAINER, /* `container` exists from now on; its parent was told before  */
    EZ_I_NAME,      /* `name` is used from now on                                  */
    EZ_I_PUSH,      /* container enters state `name`                               */
    EZ_I_POP,       /* and leaves it: start_ns, took_ns, self_ns, end, cut         */
    EZ_I_EVENT,     /* a point in time; arg, narg                                  */
    EZ_I_VAR,       /* variable `name` of the container is `value` from now on     */
    EZ_I_LINK_START,
    EZ_I_LINK_END, /* key, peer                                                   */
    EZ_I_CONTAINER_END,
    EZ_I_SAMPLE, /* counters of the container's thread so far: arg, narg, words    */
};

enum ez_end { /* how a state was left */
              EZ_END_RETURN,
              EZ_END_UNWOUND, /* an exception or a jump left it                                  */
              EZ_END_UNKNOWN, /* its exit never came: it ended with the state around it          */
};

struct ez_item {
    enum ez_item_kind kind;
    uint32_t container; /* index in ez_model.container                            */
    uint32_t name;      /* index in ez_model.name                                 */
    uint32_t depth;     /* PUSH, POP: states around it; 0 = outermost             */
    bool recursive;     /* PUSH, POP: one of them has the same name               */
    uint32_t subject;   /* PUSH, POP, EVENT, VAR: what it is about; EZ_NONE_IDX = not said */
    uint64_t ns;        /* since the first event of the trace                     */
    const struct ez_event_data *data; /* PUSH, POP, EVENT: what a probe collected; NULL = nothing;
                                       * valid during the call                            */
    union {
        struct { /* POP */
            uint64_t start_ns;
            uint64_t spent_ns; /* from start_ns on, without the pauses that belong to no call */
            uint64_t self_ns;  /* and without the states inside it                 */
            uint64_t about_ns; /* the same as took_ns, for its subject (ez_model_pop)       */
            enum ez_end end;
            bool late; /* the subject was not known before the end: its PUSH has none     */
            bool cut;  /* only a part was measured: the rest is lost, or outside the window */
        };
        struct { /* EVENT, SAMPLE, LINK_*: what the record carried; valid during the call. A link
                  * that is a message has its bytes, tag and communicator         */
            const uint64_t *arg;
            unsigned narg;
            const struct ez_words *words; /* SAMPLE */
            /* LINK_*: the two ends have the same key; peer: the container at the other
             * end, EZ_NONE_IDX while it is not known                             */
            uint32_t peer;
            uint64_t key;
        };
        struct { /* VAR */
            double value;
            double delta;    /* what it grew by                                   */
            bool set;        /* it was set, not changed by delta                  */
            uint32_t thread; /* that did it; EZ_NONE_IDX = not known              */
        };
    };
};

/* The receiver of items. An error ends the reading and is returned by it. */
typedef ez_err *ez_item_fn(void *arg, const struct ez_item *it);

/* What a state, an event or a variable is about: a lock, a file, a region of code. */
struct ez_subject {
    char *kind;       /* "lock"                                                  */
    char *text;       /* "0x4010", "/etc/passwd"                                 */
    uint32_t process; /* the container in which the text means something; 0 = in all */
};

struct ez_call_frame {
    uint32_t name;
    uint32_t subject;
    uint64_t about_ns;  /* when it began to be about that subject: start_ns, mostly  */
    bool cut;           /* its beginning is missing                                */
    bool late;          /* the subject was not known at its beginning              */
    uint64_t start_ns;  /*                                                         */
    uint64_t child_ns;  /* time of the calls that it made                          */
    uint64_t paused_ns; /* paused_ns of the container when the call began          */
};

struct ez_container {
    enum ez_level level;
    uint32_t parent;   /* EZ_NONE_IDX for the program                            */
    char *name;        /* unique in its level: "app 4242", "rank 3: worker 4243"  */
    uint64_t pid, tid; /* 0 where it has none                                     */
    uint32_t rank;     /* of a process: EZ_NO_RANK = it has none                  */
    char *host, *job;  /* of a process: NULL = not known                          */
    bool emitted;
    uint64_t paused_ns;                 /* so far                                      */
    struct ez_pause *pause;             /* NULL = never                                */
    EZ_VEC(struct ez_call_frame) stack; /* innermost last                              */
};

enum ez_pause_kind {
    EZ_P_NONE,   /* a call                                                            */
    EZ_P_APART,  /* a pause                                                           */
    EZ_P_WITHIN, /* a pause that is part of the calls around it, by the clock         */
    EZ_P_OURS,   /* a pause that eztsh causes: in no total, and in no whole of which shares are */
};

struct ez_name {
    enum ez_name_kind kind;
    char *text;  /* "compute"                                                     */
    char *group; /* library or module it belongs to; "" = none                    */
    uint64_t addr;
    bool emitted;
    enum ez_pause_kind pause;
};

struct ez_model_count {
    uint64_t items;                   /* pushes, pops, events, values, link ends told      */
    uint64_t unwound;                 /* states left by an exception or a jump             */
    uint64_t open_entries;            /* entries whose exit never came                     */
    uint64_t lone_exits;              /* exits whose entry was not seen                    */
    uint64_t unpaired_links;          /* one end only                                      */
    uint64_t unsure_links;            /* messages that may belong to another receive       */
    uint64_t late_processes;          /* not seen all the time since MPI_Init             */
    uint64_t twin_processes;          /* that send as a rank that another has, too         */
    uint64_t lost, gaps, gap_threads; /* events lost, in how many gaps and threads */
    uint64_t gap_ns, gap_calls;       /* how long these were; calls they cut      */
};

struct ez_model {
    EZ_VEC(struct ez_container) container; /* 0 is the program                    */
    EZ_VEC(struct ez_name) name;
    EZ_VEC(struct ez_subject) subject;
    char
        *about_item; /* calls and points of probes are about what they collected under this name, at
                       * the entry or at the exit: a subject of that kind; owned, NULL = about nothing */
    uint32_t roster; /* so many containers, the first ones, are told with the program */
    struct ez_model_count count;
    EZ_VEC(char *) line; /* what interpreters say for `stats`, at the end           */
    uint64_t now;        /* ns of the last item                                       */
    bool as_it_comes;    /* time may go back between containers: a live trace        */
    uint64_t from_ns,
        to_ns; /* the window that is told; it cuts open states                             */
    bool before, over;              /* the window has not begun yet; it is over          */
    uint64_t start_real_ns;         /* CLOCK_REALTIME of time 0; 0 = unknown              */
    const struct ez_adds_all *adds; /* aggregates (adds.h), or NULL                  */
    const struct ez_trace_sum *sum; /* of the files (replay.h), or NULL           */
    bool (*go_on)(void *arg);       /* asked during long work; false = stop; NULL = never stop */
    void *go_on_arg;
    ez_item_fn *fn;
    void *fn_arg;
    ez_err *err; /* the receiver's first; owned                                   */
    struct ez_model_priv *priv;
};

void ez_model_init(struct ez_model *m, const char *program, ez_item_fn *fn, void *arg);
void ez_model_deinit(struct ez_model *m);

/* ---- for interpreters: define ------------------------------------------------------- */
/* These functions copy their texts. A container whose name is taken gets "#2" behind it. */
uint32_t ez_model_container(struct ez_model *m, enum ez_level level, uint32_t parent,
                            const char *name, uint64_t pid, uint64_t tid);
/* All containers that are defined so far exist from the beginning, whatever happens in them. */
void ez_model_roster(struct ez_model *m);
/* A key that sorts containers as they were defined, each process (with ranks: by rank) before
 * its threads. The low half is 0 unless the container is a thread. */
uint64_t ez_model_place(const struct ez_model *m, uint32_t container);
/* The process that a container is, or belongs to; NULL = it is above processes. */
const struct ez_container *ez_model_process(const struct ez_model *m, uint32_t container);
/* The same kind, text and group give the same index. */
uint32_t ez_model_name(struct ez_model *m, enum ez_name_kind kind, const char *text,
                       const char *group, uint64_t addr);

/* The same kind, text and process give the same index. */
uint32_t ez_model_subject(struct ez_model *m, const char *kind, const char *text, uint32_t process);

/* ---- for interpreters: what happens, at m->now ---------------------------------------- */
struct ez_about {
    uint32_t subject; /* EZ_NONE_IDX = none                                        */
    uint32_t thread;  /* that does it; EZ_NONE_IDX = not known                     */
    const struct ez_event_data *data; /* what the event carries; NULL = nothing    */
};
#define EZ_ABOUT_NOTHING ((struct ez_about){ EZ_NONE_IDX, EZ_NONE_IDX, NULL })
void ez_model_at(struct ez_model *m, uint64_t ns); /* never backwards */
/* Tell what happens in [from, to] only; before the first item. */
void ez_model_window(struct ez_model *m, uint64_t from, uint64_t to);
void ez_model_push(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
/* Leaves the innermost state. Without a state this is a lone exit, which is not told. If it is
 * about a subject, it is that subject's innermost state that ends: two locks may be given back in
 * any order. Then the two states change subjects, so that states are nested still, and about_ns
 * says how long the subject's was. */
void ez_model_pop(struct ez_model *m, uint32_t container, struct ez_about about);
/* Leaves the innermost state `name` and all states inside it, whose exits will not come. If it was
 * about nothing until now, it is about that subject. */
void ez_model_pop_name(struct ez_model *m, uint32_t container, uint32_t name, enum ez_end how,
                       struct ez_about about);
/* Replace the innermost state. */
void ez_model_set(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
void ez_model_event(struct ez_model *m, uint32_t container, uint32_t name, const uint64_t *arg,
                    unsigned narg, struct ez_about about);
/* Counters so far, each an integer that never shrinks. */
void ez_model_sample(struct ez_model *m, uint32_t container, const struct ez_words *words,
                     const uint64_t *arg, unsigned narg);
void ez_model_var_set(struct ez_model *m, uint32_t container, uint32_t name, double value,
                      struct ez_about about);
void ez_model_var_add(struct ez_model *m, uint32_t container, uint32_t name, double delta,
                      struct ez_about about);
struct ez_link {
    uint32_t name;
    uint32_t peer; /* EZ_NONE_IDX = not known                                        */
    uint64_t key;
    const uint64_t *arg; /* what the record carried, or NULL                         */
    unsigned narg;
};
/* An end whose start was not seen is not told; a start whose end never comes ends in its own
 * container, without arguments, at the end of the trace. */
void ez_model_link_start(struct ez_model *m, uint32_t container, const struct ez_link *l);
void ez_model_link_end(struct ez_model *m, uint32_t container, const struct ez_link *l);
/* ---- pauses of a thread (model_pause.c) ---- */
enum ez_off { EZ_OFF_NOT, EZ_OFF_SLEPT, EZ_OFF_PREEMPTED };
void ez_model_wait(struct ez_model *m, uint32_t container, bool begins);
/* The thread does not run from now on (or runs again: EZ_OFF_NOT). Clocks are inexact: a call
 * that begins or ends soon after the thread stopped does not mean that it runs again. */
void ez_model_off(struct ez_model *m, uint32_t container, enum ez_off how);
/* `lost` events of the thread are missing from now on: all its open states end here. */
void ez_model_gap(struct ez_model *m, uint32_t container, uint64_t lost);
void ez_model_gap_end(struct ez_model *m, uint32_t container);
/* Close all that is open, at m->now. */
void ez_model_end(struct ez_model *m);

#endif
