/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - the user's probes: numbers, states, reasons of refusals. A probe is planted when the
 * user creates it, or when its library is loaded later. engine/patch/site.h declares the patches of
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

struct ez_act { /* action of a probe at a hit, besides recording (`do ACTION`) */
    enum ez_act_kind kind;
    int number; /* number of the probe to enable or disable */
};

struct ez_probe {
    int number;
    /* a number that a probe and its copies share; for probes of a rule: -serial of the rule */
    int family;
    struct ez_probe_spec spec; /* freed with the probe */
    struct ez_act act;
    enum ez_probe_state state;
    bool user_disabled;
    bool again;   /* the probe was planted in this process, until its library was unloaded */
    bool held;    /* belongs to the open transaction, and is planted at commit */
    bool unready; /* the replacing function is in a user's module that is not ready yet */
    /* the probe is a copy of another probe, in another loaded copy of the library (dlmopen) */
    bool copy;
    bool missed; /* the probe was not planted in the last process, which has ended */
    bool ifunc;  /* an IFUNC: the probe is on the function that its resolver returned */
    char *reason;
    int clause;     /* index of the probe's clause in the site; -1: none */
    int gate;       /* number of the probe's bit in ez_hdr.gates; -1: no gate (act.c) */
    bool gate_shut; /* state of the gate when the probe is planted; actions change only the bit */
    /* site and clause when the probe was last planted; act_site -1: no action */
    int act_site, act_clause;
    /* recording is paused since the probe was planted, until its action "trace start" */
    bool paused;
    int table;                 /* index of the aggregate's table in this process; -1: none */
    struct ez_addup_sum added; /* the aggregate's results in earlier processes */
    enum ez_item_type key_type;
    double ns_per_tick; /* length of a tick in ns, in the process whose table was added last */
    /* identifies the filter's clause; changes with the filter; 0: no filter (filter.c) */
    uint64_t serial;
    /* tick from which -after and -for count; 0: not planted in this process yet */
    uint64_t planted;
    bool spent; /* the probe was disabled because passcount, -for or -max was reached */
    struct ez_probe_budget {  /* state of the probe for "set budget" (budget.c) */
        bool throttled;       /* the probe only counts */
        bool desired, known;  /* desired: the next value of `throttled`; known: `seen` is valid */
        unsigned calm, times; /* as in struct ez_budget_row */
        uint64_t seen;        /* number of hits at the end of the last round */
    } budget;
    /* The function of a resolved probe; these fields are kept when the process ends: */
    char *object_path;
    /* the file in which vaddr is valid; may be replaced by another file with the same build-id */
    struct ez_object *obj;
    uint64_t vaddr;
    char *function, *library;
    char *file; /* source file and line, set by ez_probe_line(); NULL: not set */
    unsigned line;
    /* parameters that the item $args does not collect, or NULL (struct ez_clause_code) */
    char *missing;
    char *help; /* hint how to avoid the refusal, or NULL */
    int why;    /* enum ez_refuse, for a refusal */
    /* length of the part of `reason` before an address, as in ez_err; 0: all of it */
    size_t what;
    int site; /* index of the site; -1: none in this process */
    /* a recording probe with a lower number has, or had, the same site */
    bool twin;
    struct ez_clause_counts base; /* counts of the clause at the last ez_probe_collect() */
    uint64_t entries, exits;      /* entries and exits up to the last ez_probe_collect() */
    /* hits that the condition or filter rejected; faulted: those of them that read unmapped
     * memory */
    uint64_t filtered, faulted;
    struct ez_fragment_counts ran; /* counts of a fragment */
    /* Counts of a fragment's places (call sites): for each place, the number of runs of the code
     * before it and of the code behind it. They are followed by the values of the same counters at
     * the last ez_probe_collect(). NULL: no places. */
    uint64_t *place;
    /* calls that the condition accepted, but the drain's filter discarded */
    uint64_t left_out;
    /* those of `entries` and `exits` that earlier shells counted */
    uint64_t earlier_entries, earlier_exits;
    /* addr: address of the function in this process, 0: not loaded; bias: load bias of its
     * module */
    uint64_t addr, bias;
};

struct ez_filter_callers { /* address ranges of the functions that -caller matches (filter.c) */
    char *regex;
    struct ez_filter_ranges {
        uint64_t *at; /* for each range two elements: its start and its end (exclusive) */
        size_t n, cap;
    } range;
};

struct ez_rule { /* a "probe -r", which also applies to modules that are loaded later */
    bool matched;
    bool held; /* belongs to the open transaction */
    unsigned serial;
    struct ez_probe_spec spec; /* spec of each probe that the rule creates; owned */
};

/* counts for "info coverage" that cannot be computed from the list of probes (coverage.c) */
struct ez_cover {
    EZ_VEC(struct ez_refusal {
        char *reason;
        uint64_t n;
    })
    refused;
    uint64_t removed;
    bool ended; /* the process to which these numbers belong has ended */
    /* numbers of planted, pending, disabled and lost probes at the process's end */
    struct ez_coverage last;
};

struct ez_held { /* the thread that waits in the runtime at a `do stop` (act.c) */
    pid_t tid;   /* 0: none */
    bool shown;  /* regs is valid: the program's registers */
    struct ez_regs regs;
};

struct ez_probes {
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_rule) rule;
    int families; /* number that was last allocated for a family or for the serial of a rule */
    int next_number;
    bool copied;             /* a probe is or was a copy (ez_probe.copy) */
    struct ez_hash standing; /* numbers of the probes that have an address, by family, function and
                              * bias (resolve.c) */
    uint64_t serials;        /* ez_probe.serial that was last allocated */
    struct ez_filter_callers callers; /* shared by probes that are planted together */
    bool holding;                     /* a transaction is open */
    bool exits; /* a probe follows exits, so unwinders need hooks for eztsh's frames */
    /* the thread that reported the last change of the loader's list has left the hook */
    bool loader_left;
    unsigned ntables; /* number of tables of aggregates in this process */
    bool reads;       /* a probe has a condition or data, whose code may read memory */
    /* a probe records exits or runs code at exits, so longjmp and similar functions need hooks
     * (jumps.c) */
    bool calls;
    /* a probe runs code when the program ends, so exit, abort and similar functions need hooks
     * (jumps.c) */
    bool aborts;
    unsigned ngates;
    uint32_t snapshots; /* value of ez_hdr.snapshots that was last handled (act.c) */
    struct ez_held held;
    /* the counters of USDT probes that this shell has incremented (semaphore.c) */
    EZ_VEC(struct ez_raised {
        uint64_t addr;
        int row; /* index in the journal */
    })
    semaphore;
    EZ_VEC(uint64_t) break_semaphore; /* addresses of those that breakpoints need */
    struct ez_hand_state {            /* the probe that is planted with "set by-hand on" (hand.c) */
        int number;                   /* 0: none */
        enum ez_hand_step next;
        uint64_t room;
    } hand;
    /* time, and processor time of the process, at the end of the last round; at_ms 0: no round
     * yet */
    struct ez_budget {
        double at_ms, cpu_ns;
    } budget;
    struct ez_tracing_run {        /* data of tpoint.c */
        bool ever, running, ended; /* ended: the process ended while tracing ran */
        int stopped_by;
    } tracepoints;
    /* Ctrl-C interrupted the planting of pending probes, so "continue" plants them before the
     * target resumes */
    bool plant_later;
    bool first_solib;     /* the loader has reached its first consistent state (solib.c) */
    uint32_t loader_done; /* value of ez_hdr.loader_seq that was last answered */
    struct ez_cover cover;
};

/* Interface of fits.c: */
/* Returns EZ_E_REFUSED if the compiler changed, or may have changed, the function's parameters from
 * those of its source. */
ez_err *ez_replace_fits(const struct ez_site *s) EZ_WUR;

/* Interface of aggregate.c: */
/* Adds the results in the process's table of aggregate p to p->added. Call it when the process has
 * ended, before the rings are unmapped. */
void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p);

/* Interface of tpoint.c: */
/* Stops the tracepoints, because tracepoint `number` has reached its passcount. */
void ez_tstop_by(struct ez_target *t, int number);

/* Interface of change.c: */
/* Disables the probes that have reached their passcount, -for or -max, and posts a note for
 * each. */
ez_err *ez_filters_spent(struct ez_target *t) EZ_WUR;

/* Interface of budget.c: */
/* Measures the cost of recording, and throttles probes, or lets them record again, by "set budget".
 * Does nothing without a budget, while the target does not run, or if the last round ended less
 * than ROUND_LEAST_MS ago. */
ez_err *ez_budget_look(struct ez_target *t) EZ_WUR;
ez_err *ez_budget_release(struct ez_target *t) EZ_WUR; /* Lets all throttled probes record again. */

/* Interface of probe.c: */
/* Resolves and plants the pending probes, and new probes of rules in modules that were loaded since
 * the rules were last applied. announce: as in ez_bulk_pending(). */
ez_err *ez_probes_pending(struct ez_target *t, bool announce) EZ_WUR;
/* Clears the counts and the aggregates of all probes, and probes.plant_later. */
void ez_probes_process_begins(struct ez_target *t);
/* Call it after the runtime of an earlier shell was adopted. Makes this shell allocate new tables
 * for aggregates, because open calls may still add to the earlier shell's. Ignores stops and
 * snapshots that the earlier shell's probes requested. Exempts the present modules from
 * ez_probes_copies(). */
void ez_probes_adopted(struct ez_target *t);
/* Makes planted, lost and spent probes pending, and reads the counts a last time. Call it before
 * the rings are unmapped. */
void ez_probes_process_ended(struct ez_target *t);
ez_err *ez_probes_unplant_all(struct ez_target *t) EZ_WUR; /* The target must be stopped. */
/* Makes the probes in unloaded libraries pending. */
void ez_probes_unloaded(struct ez_target *t);
void ez_rules_unmatched(struct ez_target *t); /* Reports the rules that never matched a function. */
/* Like ez_probe_add(), for a spec that was checked, and whose action names a probe with a gate. */
ez_err *ez_probe_make(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
                      int *n) EZ_WUR;
/* Enables (`on` true) or disables the n probes, and changes the target's text accordingly. */
ez_err *ez_probe_switch(struct ez_target *t, struct ez_probe **p, size_t n, bool on) EZ_WUR;

/* Interface of probe_list.c: */
/* Returns true if an enabled probe outside the open transaction is pending, or if there is a
 * rule. */
bool ez_probes_any_pending(struct ez_target *t);

/* Interface of solib.c: */
/* Hooks the loader's rendezvous, if a probe or rule waits for a library and no transaction is
 * open. */
ez_err *ez_probes_watch(struct ez_target *t) EZ_WUR;

/* Interface of announce.c: */
/* Reports the n probes, which were pending, and were planted or refused now: one event for each
 * probe, but one note for each library that was loaded again, and at most two for all refused
 * probes of specifications. Planted probes are reported only if `armed` is true, those of
 * specifications never. */
void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed);

/* Interface of program.c: */
/* If the program file has changed, reads it again, and resolves its probes again. */
ez_err *ez_program_reread(struct ez_target *t) EZ_WUR;

/* Interface of profiled.c: */
/* If there are exit probes, and the program is compiled for gprof, hooks the function that mcount
 * calls, which records callers. */
ez_err *ez_profiled_hooks(struct ez_target *t) EZ_WUR;

/* Interface of ranges.c: */
/* If a probe has a clause (ez_probe_has_request()), hooks the loader, and writes the list of memory
 * that the runtime may read without a system call to shared memory. The target must be stopped. */
ez_err *ez_ranges_register(struct ez_target *t) EZ_WUR;

/* Interface of sources.c: */
/* Defines in the trace the source line of each function that was hit, for at most some seconds. */
void ez_name_sources(struct ez_target *t);

/* Interface of jumps.c: */
/* If probes need it, hooks longjmp, swapcontext and similar functions in each libc, and the
 * functions that end the program. The target must be stopped. */
ez_err *ez_jump_hooks(struct ez_target *t) EZ_WUR;

#endif
