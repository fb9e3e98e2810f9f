/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - probes as the user sees them, with numbers, states and reasons. They are planted one by
 * one, in bulk, or, while pending, when a library is loaded. site.h has what a probe changes in
 * code. */
#ifndef EZ_PROBE_H
#define EZ_PROBE_H

#include "engine/code/refusal.h"
#include "engine/expr/clause.h"
#include "engine/patch/site.h"
#include "engine/probe/hand.h"
#include "engine/probe/why.h"
#include "engine/record/addup.h"
#include "engine/record/items.h"
#include "engine/patch/clause.h"

struct ez_act { /* what a probe does with a hit besides recording it */
    enum ez_act_kind kind;
    int number; /* number of the probe to enable or disable */
};

struct ez_probe {
    int number;
    int family; /* the first copy's family, in all copies; rules have negative ones */
    struct ez_probe_spec spec; /* owned */
    struct ez_act act;
    enum ez_probe_state state;
    bool user_disabled;
    bool again;   /* was planted in this process before its library was unloaded */
    bool held;    /* belongs to the open transaction, and is planted at commit */
    bool unready; /* replacement by a module's function that cannot be called yet */
    bool copy;    /* copy of another probe, for another copy of its library */
    bool missed;  /* the last process ended, and the probe was never planted there */
    bool ifunc;   /* an IFUNC: the probe is on the function that its resolver returned */
    char *reason;
    int clause;                /* index of its clause in the site; -1: none */
    int gate;                  /* bit of ez_hdr.gates; -1: no other probe switches this one */
    bool gate_shut;            /* the user has shut the gate */
    int act_site, act_clause;  /* last site and clause, if it has an action; -1: none */
    bool paused;               /* it paused recording when it was planted (EZ_ACT_TRACE_START) */
    int table;                 /* table of an aggregate in this process; -1: none */
    struct ez_addup_sum added; /* results of earlier processes */
    enum ez_item_type key_type;
    double ns_per_tick;      /* of the process that had the tables */
    uint64_t serial;         /* number of its request, if it counts turns or has a limit; 0: none */
    uint64_t planted;        /* tick when it was first planted in this process; 0: not yet */
    bool spent;              /* its limit was reached, which disabled it */
    struct ez_probe_budget { /* budget.c */
        bool throttled;      /* it only counts */
        bool desired, known; /* desired throttle state; seen is valid */
        unsigned calm, times;
        uint64_t seen; /* hits counted until the last round */
    } budget;
    /* Identity of a resolved probe, which is kept over runs: */
    char *object_path;
    struct ez_object *obj; /* vaddr is valid in this file, or in another one of the same build */
    uint64_t vaddr;
    char *function, *library;
    char *file; /* file and line, once requested (ez_probe_line()) */
    unsigned line;
    /* $args that are not collected (struct ez_clause_code), or NULL */
    char *missing;
    char *help;                    /* remedy against the refusal, or NULL */
    int why;                       /* enum ez_refuse, for a refusal */
    size_t what;                   /* length of the reason without the place, as in ez_err */
    int site;                      /* index of the site; -1: none in this process */
    struct ez_clause_counts base;  /* counts of the clause when the probe was enabled */
    uint64_t entries, exits;       /* counts collected so far */
    uint64_t filtered, faulted;    /* hits that the condition rejected */
    struct ez_fragment_counts ran; /* counts of a fragment */
    /* Counts of a fragment's places, before and behind each; then the same counts when the probe
     * was enabled. NULL: no places. */
    uint64_t *place;
    uint64_t left_out;                       /* calls that passed, and left no event */
    uint64_t earlier_entries, earlier_exits; /* part counted under earlier shells */
    uint64_t addr, bias;                     /* bias: of the probe's module, while addr is not 0 */
};

struct ez_filter_callers { /* ranges of the functions that -caller matches */
    char *regex;
    struct ez_filter_ranges {
        uint64_t *at;
        size_t n, cap;
    } range;
};

struct ez_rule { /* a "probe -r" that also applies to later modules */
    bool matched;
    bool held; /* belongs to the open transaction */
    unsigned serial;
    struct ez_probe_spec spec; /* spec of each function's probe; owned */
};

struct ez_cover { /* coverage.c */
    EZ_VEC(struct ez_refusal {
        char *reason;
        uint64_t n;
    })
    refused;
    uint64_t removed;
    bool ended;              /* the numbers are those of a process that ended */
    struct ez_coverage last; /* other numbers of that process */
};

struct ez_held { /* the thread that is held at a stop (act.c) */
    pid_t tid;   /* 0: none */
    bool shown;  /* regs are the program's */
    struct ez_regs regs;
};

struct ez_probes {
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_rule) rule;
    int families; /* number of families, of rules and of probes without a rule */
    int next_number;
    bool copied;             /* a probe with `copy` was made */
    struct ez_hash standing; /* places of the probes with an address, while places are looked for */
    uint64_t serials;        /* number of serials given out */
    struct ez_filter_callers callers; /* for the probes that are being planted */
    bool holding;                     /* a transaction is open */
    bool exits; /* some probe follows exits: unwinders need hooks for eztsh's frames */
    /* The thread that reported the last change of the loader's list has left the hook. */
    bool loader_left;
    unsigned ntables; /* tables of aggregates in this process */
    bool reads;       /* some probe has a condition or data: its code may read memory */
    bool calls;  /* some probe records exits, or runs code there: functions that leave calls need
                * hooks */
    bool aborts; /* some probe runs code when the program ends: functions that end it need hooks */
    unsigned ngates;
    uint32_t snapshots; /* snapshots that probes requested, and that were made */
    struct ez_held held;
    struct ez_hand_state { /* hand.c: the probe that is planted by hand */
        int number;        /* 0: none */
        enum ez_hand_step next;
        uint64_t room;
    } hand;
    struct ez_budget { /* end of the last round; at_ms 0: none yet */
        double at_ms, cpu_ns;
    } budget;
    struct ez_tracing_run {        /* tpoint.c */
        bool ever, running, ended; /* ended: the process in which it ran has ended */
        int stopped_by;
    } tracepoints;
    bool plant_later;     /* planting pending probes was interrupted: try again before resuming */
    bool first_solib;     /* the loader's first consistent state was seen (solib.c) */
    uint32_t loader_done; /* number of the last answered rendezvous */
    struct ez_cover cover;
};

/* fits.c */
/* Returns EZ_E_REFUSED if the compiler changed the function's parameters from those of its
 * source. */
ez_err *ez_replace_fits(const struct ez_site *s) EZ_WUR;

/* aggregate.c */
/* Call when the process is about to end. */
void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p);

/* tpoint.c */
/* Stops tracing, because a tracepoint's passcount is reached. */
void ez_tstop_by(struct ez_target *t, int number);

/* change.c */
/* Disables the probes whose limit is reached, and reports it. */
ez_err *ez_filters_spent(struct ez_target *t) EZ_WUR;

/* budget.c */
/* Throttles probes while recording costs more than "set budget" allows. */
ez_err *ez_budget_look(struct ez_target *t) EZ_WUR;    /* Runs at most once a round. */
ez_err *ez_budget_release(struct ez_target *t) EZ_WUR; /* Makes all probes record again. */

/* probe.c */
/* Resolves and plants the pending probes, and those that rules make for files loaded since. */
ez_err *ez_probes_pending(struct ez_target *t, bool announce) EZ_WUR;
void ez_probes_process_begins(struct ez_target *t);
/* Call if the process has a runtime of an earlier shell, whose open calls may still add to that
 * shell's aggregates. Drops the requests of the earlier shell's probes. */
void ez_probes_adopted(struct ez_target *t);
void ez_probes_process_ended(struct ez_target *t);
ez_err *ez_probes_unplant_all(struct ez_target *t) EZ_WUR; /* The target must be stopped. */
/* Makes probes in an unloaded library wait for its return. */
void ez_probes_unloaded(struct ez_target *t);
void ez_rules_unmatched(struct ez_target *t); /* Reports the rules that matched nothing. */
/* Works as ez_probe_add(), for a spec that was checked: what its action switches exists. */
ez_err *ez_probe_make(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
                      int *n) EZ_WUR;
/* Disables or enables these probes, and changes the target's text accordingly. */
ez_err *ez_probe_switch(struct ez_target *t, struct ez_probe **p, size_t n, bool on) EZ_WUR;

/* probe_list.c */
bool ez_probes_any_pending(struct ez_target *t);

/* solib.c */
/* Watches for libraries, if a probe or rule waits for them and no transaction is open. */
ez_err *ez_probes_watch(struct ez_target *t) EZ_WUR;

/* announce.c */
/* Reports the fate of probes that waited; of armed ones only if `armed`. */
void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed);

/* program.c */
/* Reads the program file again if it has changed. */
ez_err *ez_program_reread(struct ez_target *t) EZ_WUR;

/* profiled.c */
/* Hooks gprof's mcount, which notes callers. */
ez_err *ez_profiled_hooks(struct ez_target *t) EZ_WUR;

/* ranges.c */
/* Tells the runtime what it may read itself, if a probe reads memory. The target must be
 * stopped. */
ez_err *ez_ranges_register(struct ez_target *t) EZ_WUR;

/* jumps.c */
/* Hooks the functions that leave calls or switch stacks, in each libc. The target must be
 * stopped. */
ez_err *ez_jump_hooks(struct ez_target *t) EZ_WUR;

#endif
