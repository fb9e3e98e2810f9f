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
    EZ_PROBE_REPLACE = 8, /* alone: another function is called instead (ez_probe_add)    */
};
enum ez_probe_state {
    EZ_PROBE_PENDING, /* there is no process, or the library is not loaded   */
    EZ_PROBE_ARMED,
    EZ_PROBE_DISABLED, /* bytes are the file's, trampoline kept                     */
    EZ_PROBE_REFUSED,  /* `reason` says why                                   */
    EZ_PROBE_LOST,     /* the target changed the bytes                        */
};

/* Which hits a probe counts and records, besides its condition: an option of `probe` each. X(MEMBER, OPTION,
 * KIND, JUDGE, VALUE, MEANING): KIND as in shell/opt.h; JUDGE is HIT where the target decides, at each hit, and
 * EVENT where the shell decides which recorded hits are written; VALUE and MEANING are for help. A member that is 0
 * or NULL asks for nothing. An option is added here, and used in engine/probe/filter.c. */
#define EZ_PROBE_FILTERS(X)                                                                        \
    X(maxdepth, "-maxdepth", NUMBER, EVENT, "N",                                                   \
      "record no call that is nested deeper than N recorded calls")                                \
    X(min_ns, "-min-time", TIME, EVENT, "T", "record no call that is shorter than T")              \
    X(thread, "-thread", TEXT, HIT, "TID|NAME",                                                    \
      "only calls of this thread, or of threads with this name")                                   \
    X(caller, "-caller", TEXT, HIT, "REGEX",                                                       \
      "only calls directly from matching functions, in objects that are loaded\n"                  \
      "when the probe is planted")                                                                 \
    X(after_ns, "-after", TIME, HIT, "T", "only calls from T after the probe was planted")         \
    X(for_ns, "-for", TIME, HIT, "T",                                                              \
      "only calls in the time T after that; then the probe is disabled")                           \
    X(max_bytes, "-max", SIZE, EVENT, "BYTES",                                                     \
      "only BYTES of trace (K, M, G); then the probe is disabled")
#define EZ_FILTER_NUMBER uint64_t
#define EZ_FILTER_TIME uint64_t /* ns */
#define EZ_FILTER_SIZE uint64_t /* bytes */
#define EZ_FILTER_TEXT const char *

struct ez_probe_filter {
#define EZ_FILTER_MEMBER(member, option, kind, judge, value, meaning) EZ_FILTER_##kind member;
    EZ_PROBE_FILTERS(EZ_FILTER_MEMBER)
#undef EZ_FILTER_MEMBER
    uint64_t ignore;    /* not the first so many of those that meet the condition and the above */
    uint64_t passcount; /* then so many, then the probe is disabled                          */
};

/* The members of a filter that are options, for code that handles all of them; ends with a NULL name. */
enum ez_filter_kind { EZ_KIND_NUMBER, EZ_KIND_TIME, EZ_KIND_SIZE, EZ_KIND_TEXT };
enum ez_filter_judge { EZ_JUDGE_HIT, EZ_JUDGE_EVENT };
extern const struct ez_filter_option {
    const char *name;
    enum ez_filter_kind kind;
    enum ez_filter_judge judge;
    size_t offset; /* in struct ez_probe_filter                                        */
} ez_filter_options[];
const char *ez_filter_text(const struct ez_probe_filter *f, const struct ez_filter_option *o);
uint64_t ez_filter_number(const struct ez_probe_filter *f, const struct ez_filter_option *o);

/* What a user asks for: texts as typed, NULL or "" = nothing. In what ez_probe_spec_copy() made, NULL alone. */
struct ez_probe_spec {
    enum ez_probe_kind kind;
    bool record;           /* false = only count                                      */
    bool matching;         /* location is [LIB:]REGEX: a probe at each function that matches */
    bool tracepoint;       /* hits count and are recorded only between ez_tstart and ez_tstop; each
                            * is a frame (ez_frame)                                   */
    const char *location;  /* never NULL                                              */
    const char *prototype; /* of the function, if the user wrote one                  */
    /* Of a replacement: LOCATION of the other function; the name of a variable that gets the original's address,
     * or, of a module's, for the first of these functions that there is: "VARIABLE NAME...". */
    const char *with, *orig, *twins;
    const char *cond;    /* an expression: only hits where it is not 0 count          */
    const char *collect; /* items, which the entry's record carries, or the exit's, if they
                          * use $ret                                                  */
    const char *leave;   /* items for the exit's record                               */
    /* What is done with each hit that passes, besides: "trace start", "trace stop", "snapshot", "stop",
     * "enable N", "disable N"; with a passcount, only with the last one. */
    const char *action;
    const char *print;       /* "FORMAT",EXPR,...: each entry is a line of text (EZ_EV_LINE) */
    enum ez_adds adds;       /* an aggregate: no record, but what is added up of hits */
    const char *value, *key; /* of an aggregate: expressions                          */
    struct ez_probe_filter filter;
    struct ez_fragment_request { /* the code that hits run (ezt_specs.h); spec 0 = none   */
        int spec;
        bool aborts;      /* it has code for the end of the program                   */
        unsigned routine; /* of the specification, by index                           */
        unsigned places;  /* numbers of places inside the routine                     */
        unsigned
            callee;  /* its hits are calls in such places, EZT_BEFORE or EZT_BEHIND, or the place
                      * itself, EZT_THERE: `at` is the table; 0 = they are calls of the routine */
        uint64_t at; /* its struct ezt_fragment in the process; 0 = it is not there (yet) */
    } fragment;
};
/* *out gets texts of its own, to be freed by ez_probe_spec_free(). */
void ez_probe_spec_copy(struct ez_probe_spec *out, const struct ez_probe_spec *from);
void ez_probe_spec_free(struct ez_probe_spec *s);
bool ez_probe_spec_same(const struct ez_probe_spec *a, const struct ez_probe_spec *b);

struct ez_probe_info {
    int number;
    const struct ez_probe_spec *spec; /* valid until probes change                    */
    unsigned rule; /* the rule that made it (ez_rules); 0 = the user did, or a module's */
    enum ez_probe_state state;
    bool throttled;                          /* it records, but only counts now (the budget) */
    uint64_t addr;                           /* of the function; 0 = pending          */
    uint64_t entries, exits;                 /* counted since this shell has the probe */
    uint64_t earlier_entries, earlier_exits; /* counted by earlier shells             */
    const char *function;                    /* pretty name, "" while pending         */
    const char *library;                     /* base name, "" while pending           */
    const char *reason;                      /* REFUSED, LOST, or why pending; "" otherwise */
    const char
        *how;      /* how its patch leads to the trampoline: "jump", "island", ...; "" = no patch */
    bool optional; /* a module's: the function need not be there                    */
    bool copy;     /* stands in another copy of the library than an earlier one of its location */
    bool missed;   /* the last process ended, and it had never been planted in it   */
    uint64_t original;   /* of a planted replacement: where the original goes on      */
    uint64_t filtered;   /* hits that its condition let not pass: none of `entries`   */
    uint64_t faulted;    /* those of them whose condition could not be read           */
    uint64_t left_out;   /* of `entries`: calls that left no event in the trace       */
    const char *missing; /* arguments that $args does not collect, "" = none          */
    bool shut;           /* ARMED, but another probe's action has it disabled         */
};

/* What each aggregate found so far; and have it written to the trace now, if one is open. */
void ez_aggregates(struct ez_target *t, void (*fn)(const struct ez_aggregate *, void *), void *arg);
void ez_aggregates_write(struct ez_target *t);

/* The source line of a probe's function, from its file's debug information: a library's may take
 * long to read. false = not known. The text is valid as long as the probe is there. */
bool ez_probe_line(struct ez_target *t, int number, const char **file, unsigned *line);

/* Add a probe at each function that the location names (usually one). New probes get
 * consecutive numbers; *first and *n say which (n may be 0 with an error). A
 * location that is in no loaded module yet makes one PENDING probe. A refusal is an
 * error and leaves no probe and no changed byte.
 * EZ_PROBE_REPLACE: calls of the function go to that of `with`, a function of the target of the same
 * prototype. `orig`, a variable beside that function, gets the address of the original before the first call is
 * led away. Deleting the replacement lets threads inside finish. Both locations must name one function (EZ_E_ARG);
 * whatever is not loaded yet makes it PENDING. */
ez_err *ez_probe_add(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
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
#define EZ_BULK_EXITS "Note: \"probe entry\" may be possible for %u of the refused."
/* `probe -r [LIB:]REGEX`: extended regular expression over pretty and raw names.
 * LIB "" = the program, "*" = every loaded object, else the library's name. What `spec` asks
 * holds of each function by itself; one that lacks what it names is refused. EZ_E_ARG. */
ez_err *ez_probe_add_matching(struct ez_target *t, const struct ez_probe_spec *spec,
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
/* Calls fn for each rule (`probe -r`), which also plants probes in what is loaded later. */
struct ez_rule_info {
    unsigned number; /* as in ez_probe_info                                            */
    bool matched;    /* it has met a process                                          */
    const struct ez_probe_spec *spec;
};
void ez_rules(const struct ez_target *t, void (*fn)(const struct ez_rule_info *, void *),
              void *arg);

#endif
