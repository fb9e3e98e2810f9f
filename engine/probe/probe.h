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
        bool wanted, known;  /* so it shall be; `seen` is there                       */
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

/* probe_list.c */
struct ez_probe *ez_probe_new(struct ez_target *t, const struct ez_probe_spec *spec); /* copies */
void ez_probe_free(struct ez_probe *p);
bool ez_probe_records(const struct ez_probe *p); /* it is to, and the budget lets it */
struct ez_probe *ez_probe_numbered(const struct ez_target *t, int number); /* or NULL */
/* p, and what *rule points to, are the target's from now on. */
void ez_probe_keep(struct ez_target *t, struct ez_probe *p);
void ez_rule_keep(struct ez_target *t, const struct ez_rule *rule);
void ez_rule_free(struct ez_rule *rule);                    /* what it points to */
int ez_probe_number(struct ez_target *t);                   /* the next free one */
void ez_probe_number_from(struct ez_target *t, int number); /* the next is not below */
void ez_probe_reason(struct ez_probe *p, const char *text); /* NULL = none        */
/* The number of the replacement on this site, 0 = none. */
int ez_replaced_by(const struct ez_target *t, int site);

/* resolve.c */
struct ez_place {
    uint64_t addr;
    const struct ez_sym *sym;
};
struct ez_places {
    struct ez_place *at;
    size_t n, cap;
};
ez_err *ez_places(struct ez_target *t, const char *location, struct ez_places *out) EZ_WUR;
void ez_probe_resolved(struct ez_target *t, struct ez_probe *p, const struct ez_sym *s,
                       const struct ez_module *m, uint64_t addr);
/* Resolve the probes that wait, and those whose file was built anew. `held`: of the waiting ones,
 * those of the open transaction, else the others. A probe whose function is gone is announced
 * and waits. */
void ez_probes_resolve(struct ez_target *t, bool held);
/* A library may be loaded several times (dlmopen): makes a probe in each new copy for each probe of the others. */
void ez_probes_copies(struct ez_target *t);
int ez_probe_family(struct ez_target *t); /* a new one */
/* p becomes a copy of those of a family. */
void ez_probe_copy_of(struct ez_target *t, struct ez_probe *p, int family);
/* Before ez_probe_find() for some probes. */
void ez_probes_find_begin(struct ez_target *t);
/* Is there an earlier probe of p's location for the same function in another copy of the file? Then p becomes its copy. */
void ez_probe_look_copy(struct ez_target *t, struct ez_probe *p);
/* Set p->addr, where the pending probe stands in this process; false = its file is not loaded. */
bool ez_probe_find(struct ez_target *t, struct ez_probe *p);
/* Where the function and the variable of a replacement are. EZ_E_NOTFOUND: not loaded (yet). */
ez_err *ez_replace_find(struct ez_target *t, const struct ez_probe *p, struct ez_with *out) EZ_WUR;
/* fits.c. Has the function the parameters that its source says? EZ_E_REFUSED: the compiler changed them. */
ez_err *ez_replace_fits(const struct ez_site *s) EZ_WUR;
/* Of a function with "...": its replacement at `with` is told which of p->twins there is. EZ_E_REFUSED: none. */
ez_err *ez_replace_twin(struct ez_target *t, const struct ez_probe *p, uint64_t with) EZ_WUR;
/* Is the symbol that begins at vaddr an IFUNC's resolver? */
bool ez_is_ifunc(struct ez_object *obj, uint64_t vaddr);

/* coverage.c */
/* What a reason says, without where: its first `what` characters, 0 = all; NULL = "?". */
void ez_cover_reason(const char *reason, size_t what, char *cut, size_t size);
void ez_cover_refused(struct ez_target *t, const char *reason, size_t what);
void ez_cover_removed(struct ez_target *t, uint64_t n);
void ez_cover_ended(struct ez_target *t); /* before the sites go */
void ez_cover_free(struct ez_target *t);

/* transact.c */
ez_err *ez_hand_none(const struct ez_target *t) EZ_WUR; /* EZ_E_STATE: one is planted by hand */
ez_err *ez_hand_leave(struct ez_target *t) EZ_WUR; /* undo its steps; the transaction stays open */
void ez_hand_ended(struct ez_target *t);           /* the process did                            */
void ez_hold(struct ez_target *t, size_t from);    /* probes from that index on */

/* verdict.c */
/* May a probe of this kind stand at *addr? An IFUNC's *addr becomes the address of the function
 * that its resolver chose. The reason against the probe is an error, mostly EZ_E_REFUSED; *site is
 * set once the bytes are judged, else -1. Writes nothing to the target. */
ez_err *ez_verdict(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr, int *site) EZ_WUR;
/* May an entry probe stand at addr by this strategy alone? */
ez_err *ez_verdict_by(struct ez_target *t, uint64_t addr, enum ez_strategy strategy) EZ_WUR;
/* The parts of ez_verdict(), which planting calls one by one. ez_verdict_ifunc() replaces an
 * IFUNC's address by that of the function its resolver chose; ez_verdict_site() judges all but
 * the exits (`more`: EZ_BY flags to add); ez_verdict_exit() judges the exits. */
ez_err *ez_verdict_ifunc(struct ez_target *t, uint64_t *addr) EZ_WUR;
ez_err *ez_verdict_site(struct ez_target *t, enum ez_probe_kind kind, unsigned more, uint64_t addr,
                        int *site) EZ_WUR;
ez_err *ez_verdict_exit(struct ez_target *t, struct ez_site *s, enum ez_probe_kind kind) EZ_WUR;

/* clause.c: probes with conditions and data */
bool ez_spec_asks(const struct ez_probe_spec *s); /* anything of hits besides counting them */
bool ez_probe_asks(const struct ez_probe *p);
/* Would what the new, resolved probe asks compile? */
ez_err *ez_probe_check_asks(struct ez_target *t, struct ez_probe *p) EZ_WUR;
/* Compile what the probe asks, and have its site carry it; flags: EZ_ROW_*. EZ_E_REFUSED with the
 * reason. */
ez_err *ez_probe_join_clause(struct ez_target *t, struct ez_probe *p, int site, int flags) EZ_WUR;
void ez_probe_counts(struct ez_target *t, const struct ez_probe *p, struct ez_clause_counts *out);
void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p); /* the process is about to go */

/* act.c: what a probe does besides recording. EZ_E_ARG; text NULL = nothing. */
ez_err *ez_act_parse(const char *text, struct ez_act *out) EZ_WUR;
void ez_act_ask(const struct ez_target *t, const struct ez_probe *p, struct ez_ask *ask);
void ez_act_planted(struct ez_target *t, struct ez_probe *p); /* p joins its site; stopped */
bool ez_gate_is_shut(const struct ez_target *t, const struct ez_probe *p);
void ez_gate_set(struct ez_target *t, struct ez_probe *p, bool open);
/* The target asks for something: a thread holds (the world is stopped, EZ_EV_STOPPED), a snapshot. */
ez_err *ez_acts_seen(struct ez_target *t) EZ_WUR;
void ez_held_go(struct ez_target *t);      /* the thread at whose stop the world stands goes on */
void ez_held_no_more(struct ez_target *t); /* no thread holds from here on */
/* The registers of the program in that thread, NULL = it is another one's. */
const struct ez_regs *ez_held_regs(const struct ez_target *t, pid_t tid);
void ez_acts_process_ended(struct ez_target *t);

/* tpoint.c: a tracepoint's passcount is reached */
void ez_tstop_by(struct ez_target *t, int number);

/* filter.c: what a probe asks besides a condition, and how that changes */
bool ez_filter_asks(const struct ez_probe_filter *f);
void ez_filter_renew(struct ez_target *t, struct ez_probe *p); /* its limits begin anew */
/* EZ_E_ARG: its filter cannot be asked of such a probe. */
ez_err *ez_filter_check(const struct ez_probe_spec *s) EZ_WUR;
/* For the runtime and for the drain; what *out points to stays until other probes are planted. World
 * stopped, the runtime is up. */
ez_err *ez_filter_guards(struct ez_target *t, struct ez_probe *p, struct ez_guards *out) EZ_WUR;
void ez_filter_callers_forget(struct ez_target *t);
void ez_filter_drain(const struct ez_probe *p, const struct ez_guards *g,
                     struct ez_drain_filter *out);
/* change.c: disable the probes whose limit is reached, and tell. */
ez_err *ez_filters_spent(struct ez_target *t) EZ_WUR;

/* budget.c: probes that only count for as long as recording takes more than `set budget` allows */
ez_err *ez_budget_look(struct ez_target *t) EZ_WUR;    /* at most once a round */
ez_err *ez_budget_release(struct ez_target *t) EZ_WUR; /* all record again     */

/* arm.c */
void ez_probe_collect(struct ez_target *t, struct ez_probe *p); /* take the counts  */
/* What was counted of the places of its fragment, when it was enabled, and (`all`) ever. */
void ez_probe_forget_places(struct ez_probe *p, bool all);
void ez_probe_leave(struct ez_target *t, struct ez_probe *p); /* want nothing     */
/* Make the sites of these probes carry what their probes want now. World stopped. */
ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Plant all these probes (resolved, with a site each). A probe that is refused gets
 * state REFUSED and its reason. In three steps, of which only the first and the last need
 * the world stopped, so that a target may run while thousands of stubs are made: */
ez_err *ez_arm_ready(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
ez_err *ez_arm_plan(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_write(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
/* The parts of ez_arm_ready() and ez_arm_plan(): the runtime and hooks, then room near the code; stubs in the shell,
 * then in the target. And of ez_arm_write(): moving threads of one probe's site; `look`: only seeing where they
 * stand. World stopped. */
ez_err *ez_arm_runtime(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_reserve(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_make(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_threads(struct ez_target *t, struct ez_probe *p, bool look) EZ_WUR;
/* Do all three steps with the stops that they need; add the length of the stops to *stopped_ms. */
ez_err *ez_arm_live(struct ez_target *t, struct ez_probe **p, size_t n, double *stopped_ms) EZ_WUR;
/* Do all three steps. World stopped. */
ez_err *ez_probes_arm(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Note what this planted probe needs besides: hooks in unwinders, on functions that leave calls. */
void ez_arm_needs(struct ez_target *t, const struct ez_probe *p);
int ez_probe_flags(enum ez_probe_kind kind, bool record);
/* Resolve and plant the pending probes, and those that rules make for files loaded since. */
ez_err *ez_probes_pending(struct ez_target *t, bool announce) EZ_WUR;
void ez_probes_process_begins(struct ez_target *t);
/* The process has a runtime of an earlier shell, whose open calls may still add to that shell's aggregates.
 * Nobody answers what the earlier shell's probes asked for. */
void ez_probes_adopted(struct ez_target *t);
void ez_probes_process_ended(struct ez_target *t);
void ez_probes_forget(struct ez_target *t); /* probes and rules; numbers begin at 1 */
void ez_probes_free(struct ez_target *t);
ez_err *ez_probes_unplant_all(struct ez_target *t) EZ_WUR; /* world stopped       */
bool ez_probes_any_pending(struct ez_target *t);
/* Watch for libraries, if a probe or rule waits for them and no transaction is open. */
ez_err *ez_probes_watch(struct ez_target *t) EZ_WUR;
/* announce.c: tell what became of probes that waited; of the armed ones, only if `armed`. */
void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed);
/* Probes in a library that was unloaded wait for its return. */
void ez_probes_unloaded(struct ez_target *t);
void ez_rules_unmatched(struct ez_target *t); /* name the rules that matched nothing */

/* bulk.c */
/* Plant these probes, and those that rules make for modules they were not applied to yet: all of
 * them or, after an error, none. Announces what became of them, as ez_probes_announce() does.
 * World stopped. */
ez_err *ez_bulk_pending(struct ez_target *t, struct ez_probe **p, size_t n, bool announce) EZ_WUR;
void ez_bulk_reason(struct ez_bulk *b, const char *reason, size_t what); /* as ez_cover_reason() */
void ez_bulk_sort(struct ez_bulk *b); /* once all reasons are counted */
void ez_bulk_announce(struct ez_target *t, const struct ez_bulk *b);

/* program.c */
ez_err *ez_program_reread(struct ez_target *t) EZ_WUR; /* if the file has changed */
/* probe.c */
/* As ez_probe_add(), of a spec that was checked: what its action switches can be switched. */
ez_err *ez_probe_make(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
                      int *n) EZ_WUR;
/* Disable these probes, or enable them again, and change the target's text accordingly. */
ez_err *ez_probe_switch(struct ez_target *t, struct ez_probe **p, size_t n, bool on) EZ_WUR;

/* solib.c */
ez_err *ez_solib_watch(struct ez_target *t, bool *hooked) EZ_WUR; /* plant the rendezvous */
ez_err *ez_solib_hook(struct ez_target *t, bool *hooked) EZ_WUR;  /* the same, world stopped */
uint64_t
ez_solib_debug(struct ez_target *t); /* address of the loader's struct r_debug, 0 = unknown */
/* `seen`: the loader has been in a consistent state; false: a fresh image, it has yet to be. */
void ez_solib_consistent(struct ez_target *t, bool seen);
/* Has the first consistent state yet to come? Then probes wait for it. ez_solib_begins: the world is stopped, and
 * the loader has not come there. */
bool ez_solib_awaited(const struct ez_target *t);
bool ez_solib_begins(struct ez_target *t);
/* Shall the loader wait for our answer at the rendezvous? Returns what held before. */
bool ez_solib_wait(struct ez_target *t, bool wait);
/* Rendezvous up to number `seq` count as answered. Returns seq. */
uint32_t ez_solib_caught_up(struct ez_target *t, uint32_t seq);
ez_err *ez_solib_event(struct ez_target *t) EZ_WUR; /* loader_seq has changed    */
/* Look at what was loaded, and plant the pending probes there. World stopped. EZ_E_QUIT: nothing
 * was planted, probes.plant_later is set. */
ez_err *ez_solib_look(struct ez_target *t) EZ_WUR;
/* Set probes.plant_later if e is EZ_E_QUIT, else clear it; returns e. */
ez_err *ez_later(struct ez_target *t, ez_err *e) EZ_WUR;
/* Hook the table look-up of every unwinder that is loaded. World stopped. */
ez_err *ez_unwind_hooks(struct ez_target *t) EZ_WUR;
/* profiled.c: the same for gprof's mcount, which notes callers. */
ez_err *ez_profiled_hooks(struct ez_target *t) EZ_WUR;
/* Is `func` the function of an unwinder that eztsh hooks? */
bool ez_unwind_is_hook(struct ez_target *t, uint64_t func);
/* Is s the site of an unwinder's hook that open calls need after the shell is gone? */
bool ez_unwind_stays(struct ez_target *t, const struct ez_site *s);
void ez_unwind_left(struct ez_target *t); /* tells of those */

/* ranges.c: tell the runtime what it may read itself, if a probe reads memory. World stopped. */
ez_err *ez_ranges_tell(struct ez_target *t) EZ_WUR;

/* jumps.c: hook the functions that leave calls or switch stacks, in each libc. World stopped. */
ez_err *ez_jump_hooks(struct ez_target *t) EZ_WUR;

#endif
