/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - probes as the user sees them, with numbers, states and reasons; they are planted one
 * by one, in bulk, or pending until a library comes. site.h has what a probe changes in code. */
#ifndef EZ_PROBE_H
#define EZ_PROBE_H

#include "engine/code/refusal.h"
#include "engine/data/clause.h"
#include "engine/patch/site.h"
#include "engine/probe/hand.h"
#include "engine/probe/why.h"
#include "engine/ring/addup.h"
#include "engine/ring/items.h"
#include "engine/patch/clause.h"

struct ez_act { /* what a probe does with a hit besides recording it               */
    enum ez_act_kind kind;
    int number; /* of the probe that is enabled or disabled                         */
};

struct ez_probe {
    int number;
    int family; /* all copies have that of the first; rules have negative ones            */
    struct ez_probe_spec spec; /* owned                                                    */
    struct ez_act act;         /* its action                                               */
    enum ez_probe_state state;
    bool user_disabled;
    bool again;   /* was planted in this process before its library was unloaded */
    bool held;    /* belongs to the open transaction: planted at commit          */
    bool unready; /* a replacement by a module's function that cannot be called yet  */
    bool copy;    /* of another probe, for another copy of its library                    */
    bool missed;  /* the last process ended, and it had never been planted in it         */
    bool ifunc;   /* the symbol is a resolver: the function it chooses is probed */
    char *reason;
    int clause;                /* index in the site's, -1 = none                          */
    int gate;                  /* bit of ez_hdr.gates; -1 = no other probe switches it     */
    bool gate_shut;            /* as the user has it                                    */
    int act_site, act_clause;  /* its last, if it has an action; -1 = none              */
    bool paused;               /* it paused recording when it was planted (EZ_ACT_TRACE_START) */
    int table;                 /* of an aggregate, in this process; -1 = none             */
    struct ez_addup_sum added; /* what processes that ended found                     */
    enum ez_item_type key_type;
    double ns_per_tick; /* of the process that had the tables                        */
    uint64_t serial;    /* of what it asks, if it counts turns or has a limit; 0 = it has none */
    uint64_t planted;   /* tick at which it was first planted in this process; 0 = not yet */
    bool spent;         /* its limit was reached, so it was disabled               */
    struct ez_probe_budget { /* budget.c */
        bool throttled;      /* it only counts                                        */
        bool desired, known; /* so it shall be; `seen` is there                       */
        unsigned calm, times;
        uint64_t seen; /* hits at the end of the last round                     */
    } budget;
    /* Identity of a resolved probe, which stays over runs: */
    char *object_path;
    struct ez_object *obj; /* vaddr is right in this file, or one of the same build */
    uint64_t vaddr;
    char *function, *library;
    char *file; /* and line: once somebody asked (ez_probe_line()) */
    unsigned line;
    char *missing;                 /* of $args, not collected (struct ez_clause_code), or NULL */
    char *help;                    /* what would help against the refusal, or NULL */
    int why;                       /* of the refusal, enum ez_refuse               */
    size_t what;                   /* of its reason: as in ez_err                  */
    int site;                      /* index, -1 = none in this process         */
    struct ez_clause_counts base;  /* what was counted when it was enabled     */
    uint64_t entries, exits;       /* collected so far                         */
    uint64_t filtered, faulted;    /* hits that its condition let not pass     */
    struct ez_fragment_counts ran; /* of a fragment                            */
    uint64_t *place;               /* of its places: before, behind; NULL = it has none,
                                              * behind them what was counted when it was enabled */
    uint64_t left_out;             /* calls that passed, and left no event     */
    uint64_t earlier_entries, earlier_exits; /* the part counted under earlier shells */
    uint64_t addr, bias; /* bias: of the module in which it stands, while addr is not 0 */
};

struct ez_filter_callers { /* where the functions are that a -caller names                      */
    char *regex;
    struct ez_filter_ranges {
        uint64_t *at;
        size_t n, cap;
    } range;
};

struct ez_rule { /* a `probe -r` that also looks at what is loaded later */
    bool matched;
    bool held; /* belongs to the open transaction                              */
    unsigned serial;
    struct ez_probe_spec spec; /* of each function's probe, owned               */
};

struct ez_cover { /* coverage.c */
    EZ_VEC(struct ez_refusal {
        char *reason;
        uint64_t n;
    })
    refused;
    uint64_t removed;
    bool ended;              /* the numbers are those of a process that ended          */
    struct ez_coverage last; /* the other numbers of that process                  */
};

struct ez_held { /* the thread that stands at a stop (act.c)                          */
    pid_t tid;   /* 0 = none                                                          */
    bool shown;  /* regs: of the program                                             */
    struct ez_regs regs;
};

struct ez_probes {
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_rule) rule;
    int families; /* so many were given: to rules and to probes of no rule          */
    int next_number;
    bool copied; /* a probe with `copy` was made                                          */
    struct ez_hash standing; /* where those with an address stand, while places are looked for */
    uint64_t serials;        /* given to what probes ask */
    struct ez_filter_callers callers; /* of the probes that are being planted                 */
    bool holding; /* a transaction is open                                                 */
    bool exits;   /* some probe follows exits: unwinders need to know our frames           */
    /* The thread that told of the last change of the loader's list has left the hook. */
    bool loader_left;
    unsigned ntables; /* of aggregates, that this process has                                  */
    bool reads;       /* some probe has a condition or data: its code may read memory         */
    bool
        calls; /* some probe records exits, or runs code there: functions that leave calls are hooked */
    bool
        aborts; /* some probe runs code when the program ends: functions that end it are hooked     */
    unsigned ngates;
    uint32_t snapshots; /* that probes asked for, and were made                               */
    struct ez_held held;
    struct ez_hand_state { /* hand.c: the probe that is planted by hand                    */
        int number;        /* 0 = none                                                     */
        enum ez_hand_step next;
        uint64_t room;
    } hand;
    struct ez_budget { /* the end of the last round; at_ms 0 = there is none yet     */
        double at_ms, cpu_ns;
    } budget;
    struct ez_tracing_run {        /* tpoint.c */
        bool ever, running, ended; /* ended: the process in which it ran has          */
        int stopped_by;
    } tracepoints;
    bool plant_later;     /* planting pending probes was given up: try again before resuming  */
    bool first_solib;     /* the first consistent state was seen (solib.c)                     */
    uint32_t loader_done; /* the last rendezvous that was answered                         */
    struct ez_cover cover;
};

/* fits.c */
/* Has the function the parameters that its source says? EZ_E_REFUSED: the compiler changed them. */
ez_err *ez_replace_fits(const struct ez_site *s) EZ_WUR;

/* aggregate.c */
void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p); /* the process is about to go */

/* tpoint.c */
/* A tracepoint's passcount is reached */
void ez_tstop_by(struct ez_target *t, int number);

/* change.c */
/* Disable the probes whose limit is reached, and tell. */
ez_err *ez_filters_spent(struct ez_target *t) EZ_WUR;

/* budget.c */
/* Probes that only count for as long as recording takes more than `set budget` allows */
ez_err *ez_budget_look(struct ez_target *t) EZ_WUR;    /* at most once a round */
ez_err *ez_budget_release(struct ez_target *t) EZ_WUR; /* all record again     */

/* probe.c */
/* Resolve and plant the pending probes, and those that rules make for files loaded since. */
ez_err *ez_probes_pending(struct ez_target *t, bool announce) EZ_WUR;
void ez_probes_process_begins(struct ez_target *t);
/* The process has a runtime of an earlier shell, whose open calls may still add to that shell's aggregates.
 * Nobody answers what the earlier shell's probes asked for. */
void ez_probes_adopted(struct ez_target *t);
void ez_probes_process_ended(struct ez_target *t);
ez_err *ez_probes_unplant_all(struct ez_target *t) EZ_WUR; /* world stopped       */
bool ez_probes_any_pending(struct ez_target *t);
/* Watch for libraries, if a probe or rule waits for them and no transaction is open. */
ez_err *ez_probes_watch(struct ez_target *t) EZ_WUR;
/* Probes in a library that was unloaded wait for its return. */
void ez_probes_unloaded(struct ez_target *t);
void ez_rules_unmatched(struct ez_target *t); /* name the rules that matched nothing */
/* As ez_probe_add(), of a spec that was checked: what its action switches can be switched. */
ez_err *ez_probe_make(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
                      int *n) EZ_WUR;
/* Disable these probes, or enable them again, and change the target's text accordingly. */
ez_err *ez_probe_switch(struct ez_target *t, struct ez_probe **p, size_t n, bool on) EZ_WUR;

/* announce.c */
/* Tell what became of probes that waited; of the armed ones, only if `armed`. */
void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed);

/* program.c */
ez_err *ez_program_reread(struct ez_target *t) EZ_WUR; /* if the file has changed */

/* profiled.c */
/* The same for gprof's mcount, which notes callers. */
ez_err *ez_profiled_hooks(struct ez_target *t) EZ_WUR;

/* ranges.c */
/* Tell the runtime what it may read itself, if a probe reads memory. World stopped. */
ez_err *ez_ranges_register(struct ez_target *t) EZ_WUR;

/* jumps.c */
/* Hook the functions that leave calls or switch stacks, in each libc. World stopped. */
ez_err *ez_jump_hooks(struct ez_target *t) EZ_WUR;

#endif
