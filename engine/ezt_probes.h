/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt_probes.h - probes, aggregates and tracepoints: a part of ezt.h, which includes it. */
#ifndef EZ_EZT_PROBES_H
#define EZ_EZT_PROBES_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/record/addup.h"

struct ez_target;

enum ez_probe_kind {
    EZ_PROBE_ENTRY = 1,
    EZ_PROBE_EXIT = 2,
    EZ_PROBE_BOTH = 3,
    EZ_PROBE_TRAP = 4, /* or'ed to ENTRY, EXIT or BOTH: plants a breakpoint where no jump is
                           * possible */
    /* never or'ed to another kind: calls go to another function (ez_probe_add) */
    EZ_PROBE_REPLACE = 8,
};
enum ez_probe_state {
    EZ_PROBE_PENDING, /* the process does not exist, or the library is not loaded */
    EZ_PROBE_ARMED,
    EZ_PROBE_DISABLED, /* the file's bytes are restored, the trampoline is kept */
    EZ_PROBE_REFUSED,  /* ez_probe_info.reason says why */
    EZ_PROBE_LOST,     /* the target changed the bytes */
};

/* Filters restrict the hits that a probe counts and records, as the probe's condition does. Each
 * filter is an option of `probe`. X(MEMBER, OPTION, KIND, JUDGE, VALUE, MEANING): KIND as in
 * shell/opt.h. With JUDGE HIT the target decides at each hit; with EVENT the shell decides which
 * recorded hits to write. VALUE and MEANING are for help. A member that is 0 or NULL does not
 * filter. To add an option, add it here and use it in engine/probe/filter.c. */
#define EZ_PROBE_FILTERS(X)                                                                        \
    X(maxdepth, "-maxdepth", NUMBER, EVENT, "N",                                                   \
      "record no call that is nested deeper than N recorded calls")                                \
    X(min_ns, "-min-time", TIME, EVENT, "T", "record no call that is shorter than T")              \
    X(thread, "-thread", TEXT, HIT, "TID|NAME",                                                    \
      "only calls of this thread, or of threads with this name")                                   \
    X(caller, "-caller", TEXT, HIT, "REGEX",                                                       \
      "only calls whose direct caller matches, in objects that are loaded\n"                       \
      "when the probe is planted")                                                                 \
    X(after_ns, "-after", TIME, HIT, "T",                                                          \
      "only calls that begin T or more after the probe was planted")                               \
    X(for_ns, "-for", TIME, HIT, "T",                                                              \
      "only calls within T after the probe was planted, or after the time of\n"                    \
      "-after; then the probe is disabled")                                                        \
    X(max_bytes, "-max", SIZE, EVENT, "BYTES",                                                     \
      "record at most BYTES of trace (K, M, G); then the probe is disabled")
#define EZ_FILTER_NUMBER uint64_t
#define EZ_FILTER_TIME uint64_t /* ns */
#define EZ_FILTER_SIZE uint64_t /* bytes */
#define EZ_FILTER_TEXT const char *

struct ez_probe_filter {
#define EZ_FILTER_MEMBER(member, option, kind, judge, value, meaning) EZ_FILTER_##kind member;
    EZ_PROBE_FILTERS(EZ_FILTER_MEMBER)
#undef EZ_FILTER_MEMBER
    uint64_t ignore;    /* number of hits to skip first, of those that pass the condition and the
                         * filters above */
    uint64_t passcount; /* number of hits to count or record after the skipped hits; then the probe
                         * is disabled; 0 = no limit */
};

/* The members of struct ez_probe_filter that are options, for code that handles all of them. An
 * entry with a NULL name ends the list. */
enum ez_filter_kind { EZ_KIND_NUMBER, EZ_KIND_TIME, EZ_KIND_SIZE, EZ_KIND_TEXT };
enum ez_filter_judge { EZ_JUDGE_HIT, EZ_JUDGE_EVENT };
extern const struct ez_filter_option {
    const char *name;
    enum ez_filter_kind kind;
    enum ez_filter_judge judge;
    size_t offset; /* offset in struct ez_probe_filter, in bytes */
} ez_filter_options[];
const char *ez_filter_text(const struct ez_probe_filter *f, const struct ez_filter_option *o);
uint64_t ez_filter_number(const struct ez_probe_filter *f, const struct ez_filter_option *o);

/* The user's request, as typed. NULL or "" means that the user gave nothing. ez_probe_spec_copy()
 * makes NULL of "". */
struct ez_probe_spec {
    enum ez_probe_kind kind;
    bool record;           /* false = only counts */
    bool matching;         /* the location is [LIB:]REGEX: one probe at each matching function */
    bool no_startup;       /* with matching: leaves out functions of the compiler's startup files */
    bool tracepoint;       /* hits are counted and recorded only between ez_tstart and ez_tstop;
                            * each hit is a frame (ez_frame) */
    const char *location;  /* never NULL */
    const char *prototype; /* prototype of the function, if the user gave one */
    /* Of a replacement. with: LOCATION of the function that is called instead. orig: name of the
     * variable that gets the original's address. twins, of a module's replacement: "VARIABLE
     * NAME...": VARIABLE gets the address of the first function NAME that exists. */
    const char *with, *orig, *twins;
    const char *cond;    /* condition; hits at which it is 0 are ignored */
    const char *collect; /* items of the entry's record; items that use $ret are in the exit's
                          * record */
    const char *leave;   /* items of the exit's record */
    /* Action at each hit that passes: "trace start", "trace stop", "snapshot", "stop", "enable N",
     * "disable N". With a passcount, the action runs only at the hit that reaches the passcount. */
    const char *action;
    const char *print;       /* "FORMAT",EXPR,...: each entry prints text (EZ_EV_LINE) */
    enum ez_adds adds;       /* an aggregate: hits are added up, not recorded */
    const char *value, *key; /* expressions of an aggregate */
    struct ez_probe_filter filter;
    struct ez_fragment_request { /* code that hits run (ezt_specs.h); spec 0 = none */
        int spec;
        bool aborts;      /* has code for the end of the program */
        unsigned routine; /* index of the routine in the specification */
        unsigned places;  /* number of places inside the routine */
        unsigned callee;  /* 0 = hits are calls of the routine; EZT_BEFORE or EZT_BEHIND = hits are
                           * calls that the routine makes, with code before or behind them;
                           * EZT_THERE = hits are executions of an instruction of the routine. If
                           * not 0, `at` is the address of the whole table of fragments. */
        uint64_t at;      /* address of the struct ezt_fragment in the process; 0 = not loaded */
    } fragment;
};
/* Copies the texts; free *out with ez_probe_spec_free(). */
void ez_probe_spec_copy(struct ez_probe_spec *out, const struct ez_probe_spec *from);
void ez_probe_spec_free(struct ez_probe_spec *s);
bool ez_probe_spec_same(const struct ez_probe_spec *a, const struct ez_probe_spec *b);

struct ez_probe_info {
    int number;
    const struct ez_probe_spec *spec; /* valid until the probes change */
    unsigned rule; /* the rule that made the probe (ez_rules); 0 = made by the user or a module */
    enum ez_probe_state state;
    bool throttled;                          /* the budget has reduced a recording probe to
                                              * counting */
    uint64_t addr;                           /* address of the function; 0 = pending */
    uint64_t entries, exits;                 /* hits counted since this shell has the probe */
    uint64_t earlier_entries, earlier_exits; /* hits counted under earlier shells */
    const char *function;                    /* demangled name, "" while pending */
    const char *library;                     /* base name, "" while pending */
    const char *reason; /* reason of the state REFUSED, LOST or PENDING; "" = none */
    const char
        *how;      /* way from the patch to the trampoline: "jump", "island", ...; "" = no patch */
    bool optional; /* of a module's probe: it is no error if the function does not exist */
    bool copy;     /* the probe is in another copy of a library in which an earlier probe of the
                    * same location is */
    bool missed;   /* the probe was never planted in the last process, which has ended */
    uint64_t original;   /* of a planted replacement: address at which the original is called */
    uint64_t filtered;   /* number of hits that the condition filtered; not part of `entries` */
    uint64_t faulted;    /* part of `filtered`: memory that the condition needs was unreadable */
    uint64_t left_out;   /* part of `entries`: calls without an event in the trace */
    const char *missing; /* arguments that $args does not collect; "" = none */
    bool shut;           /* ARMED, but disabled by another probe's action */
    bool twin;           /* records what an earlier probe of the list records, because both are on
                          * one function (two names of one IFUNC) */
};

/* ez_aggregates calls fn with the current result of each aggregate. ez_aggregates_write writes the
 * results to the trace, if a trace is open. */
void ez_aggregates(struct ez_target *t, void (*fn)(const struct ez_aggregate *, void *), void *arg);
void ez_aggregates_write(struct ez_target *t);

/* Finds the source line of a probe's function, from the debug information of its file. Reading the
 * debug information of a library takes up to seconds. Returns false if the line is not known. The
 * text lives as long as the probe. */
bool ez_probe_line(struct ez_target *t, int number, const char **file, unsigned *line);

/* Adds a probe at each function that the location names (usually one). New probes get consecutive
 * numbers, *n of them from *first on (*n may be 0 with an error). A location that is in no loaded
 * module yet makes one PENDING probe. A refusal is an error and leaves no probe and no changed
 * byte.
 *
 * EZ_PROBE_REPLACE: calls of the function go to the function `with`, which is in the target and has
 * the same prototype. `orig`, a variable beside `with`, gets the address of the original before the
 * first call is diverted. Deleting the replacement lets threads inside finish. Each of the two
 * locations must name exactly one function (EZ_E_ARG). The probe is PENDING while either function
 * is not loaded. */
ez_err *ez_probe_add(struct ez_target *t, const struct ez_probe_spec *spec, int *first,
                     int *n) EZ_WUR;
/* Change a probe's filters; its counts continue. ez_probe_condition: `cond` "" removes the
 * condition. ez_probe_turns: skips the next `ignore` hits; disables the probe after `passcount`
 * more hits (0 = never). NULL leaves a value unchanged. EZ_E_NOTFOUND: no such probe. EZ_E_ARG: the
 * probe cannot have the filter. */
ez_err *ez_probe_condition(struct ez_target *t, int number, const char *cond) EZ_WUR;
ez_err *ez_probe_turns(struct ez_target *t, int number, const uint64_t *ignore,
                       const uint64_t *passcount) EZ_WUR;
/* Sets the items that a tracepoint collects; "" = none. After an error (EZ_E_ARG), the items are
 * unchanged. */
ez_err *ez_probe_collect_items(struct ez_target *t, int number, const char *items) EZ_WUR;

/* Tracepoints, as in gdb: probes that record between tstart and tstop. Frames recorded since the
 * last tstart stay in memory, at most EZ_FRAMES_MIB, also after the process's end. */
#define EZ_FRAMES_MIB 64
/* Starts recording. EZ_E_STATE: there is no tracepoint. */
ez_err *ez_tstart(struct ez_target *t) EZ_WUR;
ez_err *ez_tstop(struct ez_target *t) EZ_WUR; /* Stops recording. EZ_E_STATE: not started. */
struct ez_tstatus {
    bool ever, running;
    /* the process in which recording was on has ended; recording continues in the next process */
    bool ended;
    int stopped_by; /* tracepoint whose passcount was reached; 0 = none */
    size_t frames;
    uint64_t bytes, lost; /* lost: number of frames that found no room */
};
void ez_tstatus(struct ez_target *t, struct ez_tstatus *out);
struct ez_frame_info {
    int number; /* number of the tracepoint */
    /* address of the tracepoint's function; the address in the file, if the process is gone */
    uint64_t addr;
    uint64_t ns, tid;
    const char *function, *file; /* file NULL = not known */
    unsigned line;
};
/* Stores trace frame i in *out, and calls fn for each value that it collected. Returns false if
 * there is no such frame. With fn NULL, for scans of many frames, `function` and `file` stay
 * NULL. */
typedef void ez_frame_fn(const char *name, const char *value, void *arg);
bool ez_frame(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn, void *arg);
/* Returns true if, after ez_locate() failed with `e`, a probe at the location may be pending for a
 * library that is loaded later. */
bool ez_probe_may_wait(const struct ez_target *t, const char *location, const ez_err *e);

struct ez_bulk {
    unsigned matched, planted, pending, refused;
    struct {
        unsigned n;
        char reason[80];
    } reasons[48]; /* most frequent first; the last entry merges the rarest reasons */
    unsigned nreasons;
    unsigned partial;            /* part of `planted`: not all arguments are collected */
    unsigned exit_only;          /* part of `refused`: only the exits were refused */
    double total_ms, stopped_ms; /* duration of the whole operation; duration of the target's stop
 */
};
#define EZ_BULK_PARTIAL "Note: %u of them do not collect all arguments: \"info probes\" says which."
#define EZ_BULK_EXITS "Note: \"probe entry\" may be possible for %u of the refused."
/* Adds the probes of the command `probe -r [LIB:]REGEX`, an extended regular expression over pretty
 * and raw names. LIB "" = the program, "*" = every loaded object, else the library's name. `spec`
 * applies to each function separately. A function that lacks a name in `spec` is refused.
 * EZ_E_ARG. */
ez_err *ez_probe_add_matching(struct ez_target *t, const struct ez_probe_spec *spec,
                              struct ez_bulk *out) EZ_WUR;
/* Transactions: after ez_begin, new probes are held back. ez_commit plants them together (matched
 * = number of held probes), ez_rollback discards them (*n = their number). EZ_E_STATE: no
 * transaction is open, or ez_begin was called twice. */
ez_err *ez_begin(struct ez_target *t) EZ_WUR;
ez_err *ez_commit(struct ez_target *t, struct ez_bulk *out) EZ_WUR;
ez_err *ez_rollback(struct ez_target *t, unsigned *n) EZ_WUR;
bool ez_transaction_open(const struct ez_target *t);
/* Computes the result that ez_probe_add_matching would have. Writes nothing to the target and adds
 * no probe. IFUNCs count as planted, because their resolvers are not called. EZ_E_STATE without a
 * process. */
ez_err *ez_probe_plan_matching(struct ez_target *t, enum ez_probe_kind kind, const char *spec,
                               struct ez_bulk *out) EZ_WUR;
/* Lists the functions that SPEC names in the loaded modules, each once. The caller frees *addr. */
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
/* Returns the number of the newest probe; 0 if no probe was made yet. */
int ez_probe_newest(const struct ez_target *t);
/* Counts probes. *n: number of probes, and of rules that add probes. *kept: number of probes that
 * a later shell finds if this shell is killed. */
void ez_probes_keepable(const struct ez_target *t, unsigned *n, unsigned *kept);
/* Deletes all probes. The next probe gets number 1. */
ez_err *ez_probes_begin_anew(struct ez_target *t) EZ_WUR;
void ez_probes(struct ez_target *t, void (*fn)(const struct ez_probe_info *, void *), void *arg);
/* Calls fn for each rule (`probe -r`). A rule also plants probes in libraries that are loaded
 * later. */
struct ez_rule_info {
    unsigned number; /* as in ez_probe_info */
    bool matched;    /* the rule has been applied to a process */
    const struct ez_probe_spec *spec;
};
void ez_rules(const struct ez_target *t, void (*fn)(const struct ez_rule_info *, void *),
              void *arg);
/* Deletes a rule with its probes. Does nothing if the rule was deleted already. */
ez_err *ez_rule_delete(struct ez_target *t, unsigned number) EZ_WUR;

#endif
