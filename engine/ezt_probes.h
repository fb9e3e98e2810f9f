/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt_probes.h - probes, aggregates and tracepoints: a part of ezt.h, which includes it. */
#ifndef EZ_EZT_PROBES_H
#define EZ_EZT_PROBES_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ring/addup.h"

struct ez_target;

enum ez_probe_kind {
    EZ_PROBE_ENTRY = 1,
    EZ_PROBE_EXIT = 2,
    EZ_PROBE_BOTH = 3,
    EZ_PROBE_TRAP = 4,    /* or'ed to one of them: use a breakpoint where no jump is possible */
    EZ_PROBE_REPLACE = 8, /* alone: another function is called instead (ez_replace_add) */
};
enum ez_probe_state {
    EZ_PROBE_PENDING, /* there is no process, or the library is not loaded   */
    EZ_PROBE_ARMED,
    EZ_PROBE_DISABLED, /* bytes are the file's, stub kept                     */
    EZ_PROBE_REFUSED,  /* `reason` says why                                   */
    EZ_PROBE_LOST,     /* the target changed the bytes                        */
};

struct ez_probe_info {
    int number;
    enum ez_probe_kind kind;
    enum ez_probe_state state;
    bool record;                             /* false = only count                                */
    bool throttled;                          /* it records, but only counts now (the budget)      */
    uint64_t addr;                           /* of the function; 0 = pending                      */
    uint64_t entries, exits;                 /* counted since this shell has the probe           */
    uint64_t earlier_entries, earlier_exits; /* counted by earlier shells        */
    const char *location;                    /* as the user wrote it                              */
    const char *function;                    /* pretty name, "" while pending                     */
    const char *library;                     /* base name, "" while pending                       */
    const char *reason;                      /* REFUSED, LOST, or why pending; "" otherwise       */
    const char *how; /* how its patch leads to the stub: "jump", "island", ...; "" = no patch */
    const char *with, *orig; /* of a replacement: as the user wrote them; NULL = none   */
    bool optional;           /* a module's: the function need not be there               */
    bool copy;         /* stands in another copy of the library than an earlier one of `location` */
    bool missed;       /* the last process ended, and it had never been planted in it */
    uint64_t original; /* of a planted one: where the original goes on             */
    uint64_t filtered; /* hits that its condition let not pass: none of `entries`  */
    uint64_t faulted;  /* those of them whose condition could not be read          */
    uint64_t left_out; /* of `entries`: calls that left no event in the trace      */
    const char *cond, *collect, *leave; /* struct ez_probe_asks, "" = nothing             */
    const char *missing;                /* arguments that $args does not collect, "" = none  */
    const char *action, *print;
    bool tracepoint;
    enum ez_adds adds; /* of an aggregate; 0 = it is none                              */
    const char *value, *key;
    bool shut; /* ARMED, but another probe's action has it disabled                   */
    const struct ez_probe_filter *filter;
};

/* Which hits a probe counts and records, besides its condition; zeros and NULL = any. */
struct ez_probe_filter {
    uint32_t thread;           /* of the thread with this id                          */
    const char *thread_name;   /* of threads that are called so at that moment        */
    const char *caller;        /* called from a function whose name the regex matches: of the
                                * files that are loaded when the probe is planted     */
    uint64_t after_ns, for_ns; /* from so long after it was planted, for so long      */
    uint64_t ignore;           /* not the first so many of those that pass all of the above and
                                * the condition                                       */
    uint64_t passcount;        /* then so many, then the probe is disabled            */
    /* These decide what is written of the hits that the target recorded; struct ez_drain_filter: */
    unsigned maxdepth;
    uint64_t min_ns, max_bytes; /* the probe is disabled when the bytes are spent     */
};

/* What a probe asks of hits besides counting them, as typed; NULL or "" = nothing. */
struct ez_probe_asks {
    const char *cond;    /* an expression: only hits where it is not 0 count        */
    const char *collect; /* items, which the entry's record carries, or the exit's, if they
                            * use $ret                                               */
    const char *leave;   /* items for the exit's record                            */
    /* What is done with each hit that passes, besides: "trace start", "trace stop", "snapshot", "stop",
     * "enable N", "disable N"; with a passcount, only with the last one. */
    const char *action;
    bool tracepoint;   /* hits count and are recorded only between ez_tstart and ez_tstop; each is a
                            * frame (ez_frame)                                           */
    const char *print; /* "FORMAT",EXPR,...: each entry is a line of text (EZ_EV_LINE)   */
    const char *prototype;   /* of the function, if the user wrote one                 */
    enum ez_adds adds;       /* an aggregate: no record, but what is added up of hits    */
    const char *value, *key; /* of an aggregate: expressions                            */
    struct ez_probe_filter filter;
    struct ez_fragment_ask { /* the code that hits run (ezt_specs.h); spec 0 = none        */
        int spec;
        bool aborts;      /* it has code for the end of the program                          */
        unsigned routine; /* of the specification, by index                             */
        unsigned places;  /* numbers of places inside the routine                            */
        unsigned
            callee;  /* its hits are calls in such places, EZT_BEFORE or EZT_BEHIND, or the place
                           * itself, EZT_THERE: `at` is the table; 0 = they are calls of the routine */
        uint64_t at; /* its struct ezt_fragment in the process; 0 = it is not there (yet) */
    } fragment;
    bool of_many; /* functions: one without a result has no $ret to collect; else an error */
};

/* What each aggregate found so far; and have it written to the trace now, if one is open. */
void ez_aggregates(struct ez_target *t, void (*fn)(const struct ez_aggregate *, void *), void *arg);
void ez_aggregates_write(struct ez_target *t);

/* The source line of a probe's function, from its file's debug information: a library's may take
 * long to read. false = not known. The text is valid as long as the probe is there. */
bool ez_probe_line(struct ez_target *t, int number, const char **file, unsigned *line);

/* Add a probe at each function that LOCATION names (usually one); asks NULL = nothing. New probes get
 * consecutive numbers; *first and *n say which (n may be 0 with an error). A
 * location that is in no loaded module yet makes one PENDING probe. A refusal is an
 * error and leaves no probe and no changed byte. */
ez_err *ez_probe_add(struct ez_target *t, enum ez_probe_kind kind, bool record,
                     const char *location, const struct ez_probe_asks *asks, int *first,
                     int *n) EZ_WUR;
/* Change what the probe of that number asks of hits; its counts go on. ez_probe_condition: `cond` "" =
 * none. ez_probe_turns: ignore the next `ignore` hits; disable it after `passcount` more (0 = never).
 * NULL = as it is. EZ_E_NOTFOUND, EZ_E_ARG. */
ez_err *ez_probe_condition(struct ez_target *t, int number, const char *cond) EZ_WUR;
ez_err *ez_probe_turns(struct ez_target *t, int number, const uint64_t *ignore,
                       const uint64_t *passcount) EZ_WUR;
/* The items that a tracepoint collects, "" = none. EZ_E_ARG: they are as they were. */
ez_err *ez_probe_collect_items(struct ez_target *t, int number, const char *items) EZ_WUR;

/* Tracepoints, as gdb has them: probes that record between tstart and tstop. What they recorded since the last
 * tstart is kept in memory, EZ_FRAMES_MIB at most, beyond the process's end. */
#define EZ_FRAMES_MIB 64
ez_err *ez_tstart(struct ez_target *t) EZ_WUR; /* EZ_E_STATE: there is no tracepoint        */
ez_err *ez_tstop(struct ez_target *t) EZ_WUR;  /* EZ_E_STATE                              */
struct ez_tstatus {
    bool ever, running;
    bool ended; /* the process in which it ran has ended: the next one goes on with it          */
    int stopped_by; /* the tracepoint whose passcount was reached; 0 = none              */
    size_t frames;
    uint64_t bytes, lost; /* lost: frames that found no room                              */
};
void ez_tstatus(struct ez_target *t, struct ez_tstatus *out);
/* Write the tracepoints as commands, behind the text `first`. */
ez_err *ez_tracepoints_save(struct ez_target *t, const char *path, const char *first) EZ_WUR;
struct ez_frame_info {
    int number;    /* of the tracepoint                                               */
    uint64_t addr; /* of its function; in the file, if the process is gone                   */
    uint64_t ns, tid;
    const char *function, *file; /* file NULL = not known                             */
    unsigned line;
};
/* Frame i; false = there is none. Calls fn for each value that was collected. fn NULL: for a look at
 * many, `function` and `file` stay NULL. */
typedef void ez_frame_fn(const char *name, const char *value, void *arg);
bool ez_frame(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn, void *arg);
/* Replace the function that LOCATION names by the one that `with` names: a function of the target
 * of the same prototype. `orig` (NULL = none): a variable beside that function, which gets the
 * address of the original before the first call is led away. The replacement is numbered among the
 * probes; deleting it lets threads inside finish. Whatever is not loaded yet makes it PENDING. Both
 * locations must name one function (EZ_E_ARG); refusals as for probes. */
ez_err *ez_replace_add(struct ez_target *t, const char *location, const char *with,
                       const char *orig, int *number) EZ_WUR;
/* After ez_locate() failed with `e`: may a probe at the location be pending, for a library that may
 * be loaded later? */
bool ez_probe_may_wait(const struct ez_target *t, const char *location, const ez_err *e);

struct ez_bulk {
    unsigned matched, planted, pending, refused;
    struct {
        unsigned n;
        char reason[80];
    } reasons[48]; /* most frequent first, the rarest together at the end */
    unsigned nreasons;
    unsigned partial;            /* of the planted: not all arguments are collected */
    unsigned exit_only;          /* of the refused: only their exits were refused   */
    double total_ms, stopped_ms; /* whole operation; target stopped             */
};
#define EZ_BULK_PARTIAL "Note: %u of them do not collect all arguments: \"info probes\" says which."
#define EZ_BULK_EXITS "Note: \"probe entry\" may do for %u of the refused."
/* `probe -r [LIB:]REGEX`: extended regular expression over pretty and raw names.
 * LIB "" = the program, "*" = every loaded object, else the library's name. `asks` (NULL =
 * nothing) holds of each function by itself; one that lacks what it names is refused. EZ_E_ARG. */
ez_err *ez_probe_add_matching(struct ez_target *t, enum ez_probe_kind kind, bool record,
                              const char *spec, const struct ez_probe_asks *asks,
                              struct ez_bulk *out) EZ_WUR;
/* Transactions: from ez_begin on new probes are held back; ez_commit plants them all at once
 * (matched = all that were held), ez_rollback forgets them (*n = how many). EZ_E_STATE: no
 * transaction is open, or one is already. */
ez_err *ez_begin(struct ez_target *t) EZ_WUR;
ez_err *ez_commit(struct ez_target *t, struct ez_bulk *out) EZ_WUR;
ez_err *ez_rollback(struct ez_target *t, unsigned *n) EZ_WUR;
bool ez_transaction_open(const struct ez_target *t);
/* Says what ez_probe_add_matching would do: writes nothing to the target and adds no probe. IFUNCs
 * count as planted, because their resolvers are not called. EZ_E_STATE without a process. */
ez_err *ez_probe_plan_matching(struct ez_target *t, enum ez_probe_kind kind, const char *spec,
                               struct ez_bulk *out) EZ_WUR;
/* The functions that such a SPEC names in the loaded modules, each once. The caller frees *addr. */
ez_err *ez_functions_matching(struct ez_target *t, const char *spec, ez_addr **addr,
                              size_t *n) EZ_WUR;
/* Delete, enable or disable the probes in n ranges of numbers, in one stop; n 0 = all probes.
 * EZ_E_NOTFOUND "No probe number 99.": a range has no probe, and nothing was changed. */
struct ez_numbers {
    int lo, hi;
};
ez_err *ez_probe_delete(struct ez_target *t, const struct ez_numbers *which, size_t n) EZ_WUR;
ez_err *ez_probe_enable(struct ez_target *t, const struct ez_numbers *which, size_t n,
                        bool on) EZ_WUR;
size_t ez_probe_count(const struct ez_target *t);
int ez_probe_newest(const struct ez_target *t); /* the last number given; 0 = none yet */
/* How many probes, and rules for more, there are; and how many a shell finds again when this one was killed. */
void ez_probes_keepable(const struct ez_target *t, unsigned *n, unsigned *kept);
/* Takes all away; numbers begin at 1. */
ez_err *ez_probes_begin_anew(struct ez_target *t) EZ_WUR;
void ez_probes(struct ez_target *t, void (*fn)(const struct ez_probe_info *, void *), void *arg);
/* Calls fn for each rule (`probe -r`) that has not met a process yet: its SPEC, and the kind of
 * probes it will plant. */
void ez_rules_pending(const struct ez_target *t,
                      void (*fn)(const char *spec, enum ez_probe_kind kind, bool record, void *),
                      void *arg);

#endif
