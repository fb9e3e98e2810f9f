/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - the user's probes: numbers, states, reasons of refusals. A probe is planted when the
 * user makes it, or later, when its library is loaded. engine/patch/site.h has what a probe changes
 * in code. */
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

struct ez_act { /* action of a probe at a hit, besides recording (`do ACTION`) */
    enum ez_act_kind kind;
    int number; /* number of the probe to enable or disable */
};

struct ez_probe {
    int number;
    int family; /* one number for a probe and its copies; for probes of a rule: -serial of the
                 * rule */
    struct ez_probe_spec spec; /* owned */
    struct ez_act act;
    enum ez_probe_state state;
    bool user_disabled;
    bool again;   /* the probe was planted in this process before its library was unloaded */
    bool held;    /* belongs to the open transaction, and is planted at commit */
    bool unready; /* the replacing function of a user's module cannot be called yet */
    bool copy;    /* copy of another probe, in another loaded copy of the library (dlmopen) */
    bool missed;  /* the probe was never planted in the last process, which has ended */
    bool ifunc;   /* an IFUNC: the probe is on the function that its resolver returned */
    char *reason;
    int clause;     /* index of the probe's clause in the site; -1: none */
    int gate;       /* number of the probe's bit in ez_hdr.gates; -1: no gate (act.c) */
    bool gate_shut; /* initial state of the gate in the runtime; actions change the bit later */
    int act_site, act_clause;  /* site and clause at the last planting; act_site -1: no action */
    bool paused;               /* planting the probe paused recording, until its action "trace
                                * start" */
    int table;                 /* index of the aggregate's table in this process; -1: none */
    struct ez_addup_sum added; /* results of earlier processes */
    enum ez_item_type key_type;
    double ns_per_tick; /* length of a tick in ns in the process that had the table */
    uint64_t serial;    /* identifies the filter, new when the filter changes; 0: no filter
                              * (filter.c) */
    uint64_t planted;   /* begin of -after and -for, in ticks; 0: not planted yet in this process */
    bool spent;         /* passcount, -for or -max was reached, and disabled the probe */
    struct ez_probe_budget { /* state of the probe for "set budget" (budget.c) */
        bool throttled;      /* the probe only counts */
        bool desired, known; /* desired: value that `throttled` shall get; known: `seen` is valid */
        unsigned calm, times; /* as in struct ez_budget_row */
        uint64_t seen;        /* number of hits at the end of the last round */
    } budget;
    /* The function of a resolved probe. It is kept when the process ends: */
    char *object_path;
    struct ez_object *obj; /* the file in which vaddr is valid; later another file with the same
                            * build id */
    uint64_t vaddr;
    char *function, *library;
    char *file; /* source file and line, set by ez_probe_line(); NULL: not set */
    unsigned line;
    /* parameters that the item $args does not collect, or NULL (struct ez_clause_code) */
    char *missing;
    char *help;                    /* what the user can do against the refusal, or NULL */
    int why;                       /* enum ez_refuse, for a refusal */
    size_t what;                   /* length of the part of `reason` before the address, as in
                                    * ez_err; 0: all */
    int site;                      /* index of the site; -1: none in this process */
    bool twin;                     /* an earlier recording probe has, or had, the same site */
    struct ez_clause_counts base;  /* counts of the clause at the last ez_probe_collect() */
    uint64_t entries, exits;       /* entries and exits counted until then */
    uint64_t filtered, faulted;    /* hits that the condition or the filter rejected; faulted:
                                    * unreadable memory */
    struct ez_fragment_counts ran; /* counts of a fragment */
    /* Counts of a fragment's places: for each place, runs of the code before and of the code
     * behind the place. The same number of counts follows, as of the last ez_probe_collect().
     * NULL: no places. */
    uint64_t *place;
    uint64_t left_out;                       /* calls that passed the filter, but have no event in
                                              * the trace */
    uint64_t earlier_entries, earlier_exits; /* part of entries and exits that earlier shells
                                              * counted */
    uint64_t addr, bias;                     /* addr: the function in this process, 0: not loaded;
                                              * bias: load bias of its module */
};

struct ez_filter_callers { /* address ranges of the functions that -caller matches (filter.c) */
    char *regex;
    struct ez_filter_ranges {
        uint64_t *at; /* begin and end (exclusive) of each range, in turn */
        size_t n, cap;
    } range;
};

struct ez_rule { /* a "probe -r", which also applies to modules that are loaded later */
    bool matched;
    bool held; /* belongs to the open transaction */
    unsigned serial;
    struct ez_probe_spec spec; /* request of each probe that the rule makes; owned */
};

struct ez_cover { /* counts for "info coverage" that the list of probes does not have
                   * (coverage.c) */
    EZ_VEC(struct ez_refusal {
        char *reason;
        uint64_t n;
    })
    refused;
    uint64_t removed;
    bool ended;              /* the process to which these numbers belong has ended */
    struct ez_coverage last; /* numbers of planted, pending, disabled and lost probes at its end */
};

struct ez_held { /* the thread that waits in the runtime at a `do stop` (act.c) */
    pid_t tid;   /* 0: none */
    bool shown;  /* regs has the program's registers */
    struct ez_regs regs;
};

struct ez_probes {
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_rule) rule;
    int families; /* last number that was given as a family or as the serial of a rule */
    int next_number;
    bool copied;             /* some probe is or was a copy (ez_probe.copy) */
    struct ez_hash standing; /* numbers of the probes that have an address, by family, function and
                              * bias (resolve.c) */
    uint64_t serials;        /* last ez_probe.serial that was given out */
    struct ez_filter_callers callers; /* shared by probes that are planted together */
    bool holding;                     /* a transaction is open */
    bool exits; /* some probe follows exits: unwinders need hooks for eztsh's frames */
    /* The thread that reported the last change of the loader's list has left the hook. */
    bool loader_left;
    unsigned ntables; /* number of tables of aggregates in this process */
    bool reads;       /* some probe has a condition or data: its code may read memory */
    bool calls;       /* some probe records exits or runs code at exits: longjmp and such need hooks
                  * (jumps.c) */
    bool aborts;      /* some probe runs code when the program ends: exit, abort and such need hooks
                  * (jumps.c) */
    unsigned ngates;
    uint32_t snapshots; /* last value of ez_hdr.snapshots that was handled (act.c) */
    struct ez_held held;
    struct ez_hand_state { /* the probe that is planted with "set by-hand on" (hand.c) */
        int number;        /* 0: none */
        enum ez_hand_step next;
        uint64_t room;
    } hand;
    struct ez_budget { /* time, and processor time of the process, at the end of the last round;
                        * at_ms 0: no round yet */
        double at_ms, cpu_ns;
    } budget;
    struct ez_tracing_run {        /* tpoint.c */
        bool ever, running, ended; /* ended: the process ended while tracing ran */
        int stopped_by;
    } tracepoints;
    bool plant_later;     /* Ctrl-C interrupted the planting of pending probes: "continue" plants
                           * them first */
    bool first_solib;     /* the loader's first consistent state was seen (solib.c) */
    uint32_t loader_done; /* last value of ez_hdr.loader_seq that was answered */
    struct ez_cover cover;
};

/* fits.c */
/* Returns EZ_E_REFUSED if the compiler changed the function's parameters from those of its
 * source. */
ez_err *ez_replace_fits(const struct ez_site *s) EZ_WUR;

/* aggregate.c */
/* Adds the process's table of the aggregate p to p->added. Call when the process is about to
 * end. */
void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p);

/* tpoint.c */
/* Stops the tracepoints, because tracepoint `number` has reached its passcount. */
void ez_tstop_by(struct ez_target *t, int number);

/* change.c */
/* Disables the probes whose passcount, -for or -max is reached, and posts a note for each. */
ez_err *ez_filters_spent(struct ez_target *t) EZ_WUR;

/* budget.c */
/* Throttles probes while recording costs more than "set budget" allows. */
ez_err *ez_budget_look(struct ez_target *t) EZ_WUR;    /* Runs at most once a round. */
ez_err *ez_budget_release(struct ez_target *t) EZ_WUR; /* Lets throttled probes record again. */

/* probe.c */
/* Resolves and plants the pending probes, and the new probes of rules in modules that were loaded
 * since. announce: as in ez_bulk_pending(). */
ez_err *ez_probes_pending(struct ez_target *t, bool announce) EZ_WUR;
/* Sets the counts of all probes to 0. */
void ez_probes_process_begins(struct ez_target *t);
/* Call after the runtime of an earlier shell was adopted. Open calls may still add to that shell's
 * aggregates, so their tables are not used again. Ignores the stops and snapshots that its probes
 * requested. */
void ez_probes_adopted(struct ez_target *t);
/* Makes the planted probes pending, with their last counts. Call before the rings are unmapped. */
void ez_probes_process_ended(struct ez_target *t);
ez_err *ez_probes_unplant_all(struct ez_target *t) EZ_WUR; /* The target must be stopped. */
/* Makes the probes in unloaded libraries pending. */
void ez_probes_unloaded(struct ez_target *t);
void ez_rules_unmatched(struct ez_target *t); /* Reports the rules that never matched a function. */
/* Works as ez_probe_add(), for a spec that is checked already: the probe that its action enables or
 * disables exists. */
ez_err *ez_probe_make(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
                      int *n) EZ_WUR;
/* Disables or enables these probes, and changes the target's text accordingly. */
ez_err *ez_probe_switch(struct ez_target *t, struct ez_probe **p, size_t n, bool on) EZ_WUR;

/* probe_list.c */
/* Returns true if an enabled probe outside the open transaction is pending, or if there is a
 * rule. */
bool ez_probes_any_pending(struct ez_target *t);

/* solib.c */
/* Watches for libraries, if a probe or rule waits for them and no transaction is open. */
ez_err *ez_probes_watch(struct ez_target *t) EZ_WUR;

/* announce.c */
/* Posts an event for each of these probes, which were pending: planted or refused. Planted probes
 * are reported only if `armed`. */
void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed);

/* program.c */
/* Reads the program file again if it has changed. */
ez_err *ez_program_reread(struct ez_target *t) EZ_WUR;

/* profiled.c */
/* In a program that is compiled for gprof, hooks the function that notes callers (mcount). */
ez_err *ez_profiled_hooks(struct ez_target *t) EZ_WUR;

/* ranges.c */
/* If a probe reads memory, gives the runtime the list of memory that it may read directly. The
 * target must be stopped. */
ez_err *ez_ranges_register(struct ez_target *t) EZ_WUR;

/* jumps.c */
/* Hooks longjmp, swapcontext and such in each libc, and the functions that end the program. The
 * target must be stopped. */
ez_err *ez_jump_hooks(struct ez_target *t) EZ_WUR;

#endif
