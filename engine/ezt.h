/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt.h - the engine's public API: all that commands may call.
 *
 * One `struct ez_target` is one debugging session: a program, at most one live
 * process, its probes and its trace. Probes and the program outlive processes: a
 * probe added before `run` is pending, and is planted again at every run.
 *
 * Errors are values (engine/base/err.h). Events of the target arrive through one queue,
 * ez_next_event(). No function here prints. All are called from one thread. */
#ifndef EZ_EZT_H
#define EZ_EZT_H

#include <poll.h>
#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ezt_probes.h"
#include "engine/ezt_specs.h"
#include "engine/sym/sym.h"

struct ez_target;

/* How control may reach an address. */
enum ez_lead {
    EZ_LEAD_BRANCH,  /* by a direct branch                                         */
    EZ_LEAD_ADDRESS, /* an instruction forms the address (of a label)              */
    EZ_LEAD_POINTER, /* a word of data holds the address                           */
    EZ_NLEADS
};

/* ---- session ------------------------------------------------------------- */

ez_err *ez_target_create(struct ez_target **out) EZ_WUR;
/* Removes every probe, detaches (attached) or kills (launched), frees all. */
void ez_target_destroy(struct ez_target *t);

enum ez_state {
    EZ_NONE,       /* no process                                              */
    EZ_STOPPED,    /* all threads are traced and stopped                      */
    EZ_RUNNING,    /* foreground: the process runs, seized                    */
    EZ_BACKGROUND, /* the process runs, not traced                            */
};
enum ez_state ez_target_state(const struct ez_target *t);
pid_t ez_target_pid(const struct ez_target *t);                /* 0 = none               */
bool ez_target_attached(const struct ez_target *t);            /* attached, not launched */
const char *ez_target_program(const struct ez_target *t);      /* path or NULL      */
struct ez_object *ez_target_object(const struct ez_target *t); /* the program  */

/* Make the file `name` the program and load its symbols (NULL = forget the program). A name without
 * a slash that is not in the current directory is looked for on PATH. Error: "PATH: No such file or
 * directory." */
ez_err *ez_target_file(struct ez_target *t, const char *name) EZ_WUR;

struct ez_run {
    const char *args; /* as typed; the shell /bin/sh expands them and redirects */
    const char *cwd;  /* NULL = ours                                          */
    const char *tty;  /* its standard streams; NULL = ours                     */
    char *const *env; /* nenv changes: "NAME=VALUE", or "NAME": it has none     */
    size_t nenv;
    bool stop_at_main; /* `start`                                              */
    bool own_pgrp;     /* standard input is a terminal: own process group      */
    bool disable_aslr; /* `set disable-randomization on`                       */
};
/* Start the program, let it load its libraries, plant pending probes, then let it run (state
 * RUNNING) or stop at main. */
ez_err *ez_run(struct ez_target *t, const struct ez_run *how) EZ_WUR;
/* The state becomes STOPPED. FORCE: attach even if another shell has probes there, and remove
 * them. A process that is held by an offer (EZ_EV_FORKED) is so no more, and stands where it was; HELD: that is known,
 * and no note says so. */
enum { EZ_ATTACH_FORCE = 1, EZ_ATTACH_HELD = 2 };
ez_err *ez_attach(struct ez_target *t, pid_t pid, unsigned how) EZ_WUR;
/* Long work (reading symbols, planning probes) calls this function several times a second: `what`
 * names the work in a few words ("" = nothing to show yet), total 0 = not known; what NULL = the
 * work is over. Returns false to give up: the work ends with EZ_E_QUIT, and plants nothing. */
typedef bool ez_busy_fn(void *arg, const char *what, uint64_t done, uint64_t total);
void ez_busy_notify(struct ez_target *t, ez_busy_fn *fn, void *arg);
/* Remove probes, restore the text byte by byte, let go of the process. Works in any live state. */
ez_err *ez_detach(struct ez_target *t) EZ_WUR;
/* Let go of the process, but leave the probes at work: a later ez_attach adopts them with their
 * numbers and counts. *kept = how many. After an error all is as before. */
ez_err *ez_detach_keep(struct ez_target *t, unsigned *kept) EZ_WUR;
ez_err *ez_kill(struct ez_target *t) EZ_WUR;
/* Resume. `sig` >= 0 replaces the pending signal (0 = none); -1 = deliver it. */
ez_err *ez_continue(struct ez_target *t, bool background, int sig) EZ_WUR;
/* Stop all threads (from RUNNING or BACKGROUND). Queues no event. */
ez_err *ez_interrupt(struct ez_target *t) EZ_WUR;
/* Execute n instructions of the current thread. A signal or exit ends the stepping early
 * and is queued as an event. */
ez_err *ez_stepi(struct ez_target *t, uint64_t n) EZ_WUR;
/* The current thread stops when it comes to `at`, once, as at main; 0 = it does not any more. By the processor,
 * without a change of the text. EZ_E_STATE: there are no such breakpoints here. */
ez_err *ez_stop_once(struct ez_target *t, ez_addr at) EZ_WUR;

/* ---- events --------------------------------------------------------------- */

enum ez_event_kind {
    EZ_EV_STOPPED,    /* signal, tid, addr; sig 0 = a temporary breakpoint (main), or, if number is
                       * not 0, the action `stop` of that probe: addr = its function, text = the
                       * arguments, status 1 = at its exit                      */
    EZ_EV_EXITED,     /* status; also from BACKGROUND                         */
    EZ_EV_SIGNALED,   /* sig that killed the process                          */
    EZ_EV_GONE,       /* process ended; its status is its parent's (attached) */
    EZ_EV_PASSED,     /* a signal was passed on without stopping (print only) */
    EZ_EV_THREAD_NEW, /* tid                                                  */
    EZ_EV_THREAD_END, /* tid                                                  */
    EZ_EV_EXEC,       /* tid: the process; text: the new program              */
    EZ_EV_LIB_LOADED, /* text: path                                           */
    EZ_EV_LIB_UNLOADED,
    EZ_EV_PROBE, /* number: a pending probe was resolved; text says where;
                       * status 1: the probe was refused, text says why        */
    EZ_EV_TRACE, /* text: the automatic trace was opened at this path    */
    EZ_EV_LINE,  /* text: what a probe prints, a line at least                */
    EZ_EV_NOTE,  /* text: one line for the user; accounting: of a program that ended with an exec */
    EZ_EV_FORKED,     /* tid: the child process, which is held for another shell; number: its
                       * parent; status 1: it lived in the parent's memory, and has exec'ed */
    EZ_EV_TRACE_LOST, /* text: why (disk full, drain thread ended)            */
};

struct ez_event {
    enum ez_event_kind kind;
    int sig, status, tid, number; /* status of EZ_EV_STOPPED: 1 = after an exec */
    uint64_t addr;
    char *text;                       /* free with ez_event_clear */
    struct ez_accounting *accounting; /* the same; NULL = none    */
};
void ez_event_clear(struct ez_event *ev);

/* Descriptors to poll for POLLIN; returns how many (<= max, 4 are enough). When
 * one is readable call ez_next_event until it answers false. */
size_t ez_poll_fds(struct ez_target *t, struct pollfd *fds, size_t max);
/* Handles all reports of the kernel (without blocking) and takes the next event. false = there
 * is none now. */
bool ez_next_event(struct ez_target *t, struct ez_event *ev);
/* Are there events that were not taken yet? Then no descriptor need be readable. */
bool ez_events_left(const struct ez_target *t);

/* ---- looking --------------------------------------------------------------- */

struct ez_thread_info {
    unsigned number; /* 1 for the first that is told of */
    pid_t tid;
    bool current;
    char comm[17];
    uint64_t pc; /* 0 while running */
};
/* Calls fn for each thread. Works in any live state. */
ez_err *ez_threads(struct ez_target *t, void (*fn)(const struct ez_thread_info *, void *),
                   void *arg) EZ_WUR;
ez_err *ez_select_thread(struct ez_target *t, pid_t tid) EZ_WUR;

struct ez_module_info {
    struct ez_object *obj; /* symbols; NULL when the file cannot be read        */
    const char *path;      /* as the target sees it                             */
    uint64_t bias, lo, hi; /* runtime = vaddr + bias; mapped range              */
    bool is_program;
};
/* Calls fn for the program first, then for libraries in load order (the loader and vdso too).
 * Before `run`: for the program alone, with bias 0. */
ez_err *ez_modules(struct ez_target *t, void (*fn)(const struct ez_module_info *, void *),
                   void *arg) EZ_WUR;
/* The code symbol that contains a runtime address; its module, and the offset in the symbol. */
const struct ez_sym *ez_symbolize(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                  struct ez_module_info *mod);
/* The same for symbols of code and of variables. */
const struct ez_sym *ez_symbolize_any(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                      struct ez_module_info *mod);
/* The runtime addresses of a LOCATION: func, lib:func, func@lib, file.c:func, func@VERSION (without
 * VERSION the default version), file.c:line, *ADDR. The address of a line is that of the function
 * around it, or of the function into which that one is inlined. Calls fn for each match.
 * EZ_E_NOTFOUND: `Function "x" not defined.` */
typedef void ez_locate_fn(ez_addr addr, const struct ez_sym *s, const struct ez_module_info *m,
                          void *arg);
ez_err *ez_locate(struct ez_target *t, const char *location, ez_locate_fn *fn, void *arg) EZ_WUR;
/* EZ_E_ARG: the location could never name anything ("100", ">"). */
ez_err *ez_location_check(const char *location) EZ_WUR;
/* Calls fn for each function into which a function called `name` was inlined. */
void ez_locate_inlined(struct ez_target *t, const char *name,
                       void (*fn)(const struct ez_sym *in, void *), void *arg);
/* The older versions of the functions that LOCATION names, which only old programs call. */
ez_err *ez_locate_versions(struct ez_target *t, const char *location, ez_locate_fn *fn,
                           void *arg) EZ_WUR;

/* ez_locate_line: the code of FILE:LINE itself, by function; addresses are the file's.
 * EZ_E_NOTFOUND: no such file; EZ_E_ARG: the line is in no function, or the location is no
 * FILE:LINE. */
bool ez_location_is_line(const char *location);
struct ez_line {
    uint64_t vaddr, end;     /* the line's first instructions in that function         */
    const struct ez_sym *in; /* the function that holds them, not a .cold half of it  */
    /* the function to which they belong, if it is inlined there; or NULL */
    const char *inlined;
    const char *file;
    unsigned line; /* the wanted line, or the next one that has code          */
};
typedef void ez_line_fn(const struct ez_line *l, const struct ez_module_info *m, void *arg);
ez_err *ez_locate_line(struct ez_target *t, const char *location, ez_line_fn *fn, void *arg) EZ_WUR;

/* Registers of the current thread as name -> value (8 bytes at most), in the
 * architecture's order. EZ_E_STATE: "The program has no registers now." */
ez_err *ez_registers(struct ez_target *t,
                     void (*fn)(const char *name, uint64_t value, size_t size, void *arg),
                     void *arg) EZ_WUR;
ez_err *ez_register(struct ez_target *t, const char *name, uint64_t *value) EZ_WUR;
/* Calls fn for each entry of the auxiliary vector, AT_NULL the last. EZ_E_STATE: there is none. */
ez_err *ez_auxv_each(struct ez_target *t, void (*fn)(uint64_t type, uint64_t value, void *),
                     void *arg) EZ_WUR;
ez_err *ez_pc(struct ez_target *t, ez_addr *pc) EZ_WUR;

/* Memory. Short reads are errors (EZ_E_SYS EIO, with the first bad address).
 * Without a process, reads come from the program's file. */
ez_err *ez_read(struct ez_target *t, ez_addr from, void *buf, size_t n) EZ_WUR;
/* How much of it could be read; less may be told than there is. */
size_t ez_read_some(struct ez_target *t, ez_addr from, void *buf, size_t n);
ez_err *ez_write(struct ez_target *t, ez_addr to, const void *buf, size_t n) EZ_WUR;

struct ez_map {
    uint64_t lo, hi, offset, inode;
    unsigned dev_major, dev_minor;
    char perm[5];
    const char *name; /* "" for anonymous; eztsh's are "[eztsh: trampolines]" and so on */
};
ez_err *ez_mappings(struct ez_target *t, void (*fn)(const struct ez_map *, void *),
                    void *arg) EZ_WUR;

struct ez_disassembled {
    char text[160];
    uint8_t bytes[16]; /* from the instruction's start on                             */
    size_t len;        /* of the instruction                                          */
};
/* The instruction at `at` as text, with symbolic targets. Reads the live bytes; `original` = show
 * the bytes that our probes replaced. */
ez_err *ez_disassemble(struct ez_target *t, ez_addr at, bool original,
                       struct ez_disassembled *out) EZ_WUR;
/* The same of bytes that are, or will be, at `at`. */
ez_err *ez_disassemble_bytes(struct ez_target *t, ez_addr at, const void *code, size_t n,
                             struct ez_disassembled *out) EZ_WUR;

/* Write a core file of the stopped process, as it would be without probes. `cfa`: the n frames of its threads, each by
 * where the stack pointer was before the call; those that return to a return thunk are made passable. EZ_E_SYS: there is no room, or no right to;
 * EZ_E_QUIT: the user gave it up. Then there is no file, or the one that was there. */
ez_err *ez_core(struct ez_target *t, const char *path, const uint64_t *cfa, size_t n) EZ_WUR;

/* ---- measure ---------------------------------------------------------------- */

struct ez_measured {
    uint64_t addr;
    uint8_t bytes[16], len_opcodes, len_step; /* lengths; 0 = not measured that way */
    uint16_t sum;                             /* running sum                     */
    char text[96];
    bool jumped; /* the step went beyond the threshold: length by the jump decoder */
};
struct ez_measure {
    struct ez_measured insn[16];
    size_t n;
    unsigned need, overwritten; /* bytes of the jump; bytes of whole instructions */
    char verdict[160];          /* one line: methods agree, or where they differ, or a refusal */
    char step_note[160];        /* why stepping ended early, or ""               */
};
enum ez_measure_how { EZ_MEASURE_OPCODES = 1, EZ_MEASURE_STEP = 2, EZ_MEASURE_BOTH = 3 };
ez_err *ez_measure(struct ez_target *t, ez_addr func, enum ez_measure_how how,
                   struct ez_measure *out) EZ_WUR;

/* ---- injection (stopped target) --------------------------------------------- */

/* *result: the raw return value; -errno if the call failed in the target. */
ez_err *ez_remote_syscall(struct ez_target *t, long nr, const uint64_t arg[6],
                          int64_t *result) EZ_WUR;
#define EZ_ANYWHERE UINT64_MAX
/* prot: PROT_* bits. `at`: an address, or EZ_ANYWHERE. EZ_E_REMOTE carries the
 * target's errno. */
ez_err *ez_remote_mmap(struct ez_target *t, uint64_t length, int prot, uint64_t at,
                       ez_addr *out) EZ_WUR;
/* Refuses ranges that eztsh itself mapped. */
ez_err *ez_remote_munmap(struct ez_target *t, ez_addr at, uint64_t length) EZ_WUR;
/* Call FUNC(arg…) (up to 6 integers) on the current thread, others running.
 * EZ_E_TIMEOUT after 5 s: the call is abandoned and the thread restored. */
ez_err *ez_remote_call(struct ez_target *t, ez_addr func, const uint64_t *arg, size_t nargs,
                       uint64_t *result) EZ_WUR;
/* A system call's number by its name for the target's architecture, -1 = unknown; and back. */
long ez_syscall_number(const char *name);
const char *ez_syscall_name(long nr);

/* ---- modules: functions that replace others, and record events ------------------- */

struct ez_plugin_info {
    const char *name, *desc, *path;
    unsigned id;
    bool loaded, there;  /* asked for in this session; in the live process                 */
    const char *problem; /* why the process does not have it, or why its file is none; NULL */
    unsigned functions, planted, pending, refused;
    uint64_t events; /* recorded or lost in this process                               */
};
/* Load the module NAME (search path, or with a slash a file) into the process, now or when there
 * is one, and replace its functions. Errors: EZ_E_NOTFOUND, EZ_E_FORMAT, EZ_E_STATE (loaded
 * already, or its ID), EZ_E_REFUSED and EZ_E_REMOTE (the process could not load it: the target is
 * as it was, and the module is not loaded). */
ez_err *ez_plugin_load(struct ez_target *t, const char *name) EZ_WUR;
/* Give the functions back. The file stays in the process, for threads that are in it. */
ez_err *ez_plugin_unload(struct ez_target *t, const char *name) EZ_WUR;
/* Those that are loaded; `fn` gets borrowed texts. */
void ez_plugins(struct ez_target *t, void (*fn)(const struct ez_plugin_info *, void *), void *arg);
/* Those whose files are in the search path, in its order; and all folders of it. */
void ez_plugins_available(struct ez_target *t, void (*fn)(const struct ez_plugin_info *, void *),
                          void *arg);
/* ---- trace -------------------------------------------------------------------- */

struct ez_accounting { /* of the current or the last process. A hit is an entry or an exit */
    uint64_t hits, recorded, filtered, untraced, dropped, overwritten;
    uint64_t under_way;        /* hits of a process that goes on: counted, not in the trace yet */
    uint64_t unhooked;         /* calls whose exit could not be followed (not events)   */
    uint64_t torn;             /* part of dropped                                       */
    uint64_t hurried;          /* calls recorded before their length was known (-min-time)       */
    uint64_t uncounted;        /* part of hits: recorded by threads killed before they counted */
    uint64_t unwound;          /* calls that ended without returning (not events of the target) */
    uint64_t waits, waited_ns; /* how often and how long threads waited for room in rings */
};
/* "N hits = N recorded + ..."; the caller frees. */
char *ez_accounting_text(const struct ez_accounting *l);
struct ez_trace_info {
    bool keeps;          /* the flight recorder is on: no file                     */
    uint64_t kept_bytes; /* of events in memory                                  */
    bool open;
    bool paused;      /* open, and nothing is recorded until a probe, or the user, says so */
    bool pending;     /* opens when there is a process that carries probes           */
    const char *path; /* of the open or the last trace, NULL = none yet         */
    uint64_t bytes, events;
    uint64_t plain;         /* bytes of the same trace, were it not compressed             */
    bool mono;              /* the process' events are stamped by CLOCK_MONOTONIC           */
    bool coarse;            /* seccomp: stamps are the shell's last reading of that clock    */
    int switches_errno;     /* why the trace lacks thread switches; 0 = it has them       */
    uint64_t switches_lost; /* switches that the kernel had no room for          */
    struct ez_accounting accounting; /* of this shell's time                             */
    struct ez_accounting earlier;    /* of the shells that had the process' probes before */
};
/* path NULL: the trace that is paused goes on. */
ez_err *ez_trace_start(struct ez_target *t, const char *path) EZ_WUR;
bool ez_trace_can_compress(void);                  /* eztsh was built with libzstd */
ez_err *ez_trace_stop(struct ez_target *t) EZ_WUR; /* EZ_E_STATE: no trace is open */
/* Flushes the rings first, so that the numbers are of this moment. */
void ez_trace_info(struct ez_target *t, struct ez_trace_info *out);

/* Write what the flight recorder (EZ_OVERFLOW_OVERWRITE) has kept, as a trace, and go on; the target is not
 * stopped. path NULL: PROG-PID.fxt, or another name if it is taken. The path in *out is the target's,
 * until the next snapshot or trace. EZ_E_STATE: nothing is kept. */
struct ez_snapshot_info {
    const char *path;
    uint64_t bytes;
    struct ez_accounting accounting;
};
ez_err *ez_snapshot(struct ez_target *t, const char *path, struct ez_snapshot_info *out) EZ_WUR;

/* One of the newest events. `ns` counts from the trace's begin; `duration_ns` is set on exits whose
 * entry was seen: `timed`. ez_live_events passes the oldest of the n first. */
struct ez_live_event {
    uint64_t ns, tid, duration_ns;
    bool exit, unwound; /* unwound: the exit is no return                           */
    bool module, point; /* a module's; neither an entry nor an exit                 */
    bool timed;         /* a call of 0 ns is known, too                             */
    uint32_t rank;      /* of the process; EZ_NO_RANK = none (job.h)                */
    int id;
    const char *function;
    const char
        *data; /* what a probe collected, "n=5 s=\"abc\""; NULL = nothing, or not known any more */
};
size_t ez_live_events(struct ez_target *t, size_t n, uint64_t *cursor,
                      void (*fn)(const struct ez_live_event *, void *), void *arg);

/* ---- settings (`set` / `show`) ------------------------------------------------- */

enum { EZ_DRY_OFF, EZ_DRY_ON, EZ_DRY_JSON };
/* The strategy by which a site may lead to its trampoline: the best that works, or only this one. */
enum { EZ_USE_ANY, EZ_USE_JUMP, EZ_USE_ISLAND, EZ_USE_PUN, EZ_USE_TRAP };

enum { EZ_EXIT_AUTO, EZ_EXIT_RETURN_TRAMPOLINES, EZ_EXIT_THROUGH };
/* OVERWRITE: no trace is written; the newest events are kept in memory for snapshots, nobody waits */
enum { EZ_OVERFLOW_DROP, EZ_OVERFLOW_WAIT, EZ_OVERFLOW_OVERWRITE };
/* OFFER: with the parent, and each child is held for another shell */
enum { EZ_FOLLOW_PARENT, EZ_FOLLOW_CHILD, EZ_FOLLOW_OFFER, EZ_FOLLOW_ALL };
/* EZ_FOLLOW_ALL is the shell's: the engine follows the parent. */
/* When a snapshot is written by itself: never, when the process ends, and when it gets a signal, too */
enum {
    EZ_SNAPSHOT_NEVER,
    EZ_SNAPSHOT_EXIT,
    EZ_SNAPSHOT_USR1,
    EZ_SNAPSHOT_USR2,
    EZ_SNAPSHOT_HUP,
    EZ_SNAPSHOT_QUIT
};
enum { EZ_CLOCK_AUTO, EZ_CLOCK_TSC, EZ_CLOCK_MONOTONIC };

/* A setting, as `set` and `show` have it. To add one: an entry of a list, and its field in struct
 * ez_settings, or of the shell's, in struct ez_ui. */
enum ez_setting_kind {
    EZ_SET_FLAG,   /* a bool; word[0] is false                                      */
    EZ_SET_WORD,   /* an unsigned: the word's index                                 */
    EZ_SET_BUDGET, /* an unsigned: percent; "off" is 0                              */
    EZ_SET_NUMBER, /* an unsigned; "unlimited" is 0                                 */
    EZ_SET_TEXT,   /* the rest of the line as it stands                             */
};
struct ez_setting {
    const char *name; /* "trace-auto", or "history save": a member of a family      */
    enum ez_setting_kind kind;
    size_t offset; /* of the field                                                  */
    const char *word[7];
    unsigned initial;               /* the value of a new session                     */
    const char *text;               /* that of a text                                 */
    unsigned least, most, multiple; /* of a number; 0 = any                         */
    const char *unit;               /* of these bounds                                */
    const char *what;               /* the object of "Set ..." and "Show ..." in help           */
    const char *sentence;           /* `show`: one %s, the value                                */
    const char *example;
    const char *meaning; /* what the words mean, lines for `help set`; NULL = the words are clear */
};
enum { EZ_SETTINGS_MOST = 64 };                      /* of one list */
extern const struct ez_setting ez_engine_settings[]; /* engine/session/settings.c    */
extern const size_t ez_nengine_settings;
void ez_setting_begin(const struct ez_setting *v, void *variable); /* its first value */

struct ez_settings {
    bool trace_auto;     /* open PROG-PID.fxt at the first recording probe       */
    bool trace_compress; /* of traces to come                                    */
    unsigned budget; /* percent of the processor time for recording; 0 = any: ez_budget_changed() */
    double budget_hit_ns; /* what recording a hit takes; 0 = not measured          */
    unsigned overflow;    /* EZ_OVERFLOW_*: what a full ring means; of processes to come, or between
                           * WAIT and DROP at once                                 */
    unsigned snapshot_on; /* EZ_SNAPSHOT_* */
    unsigned snapshot_mib; /* of events that are kept of each thread (EZ_OVERFLOW_OVERWRITE) */
    bool solib_syscalls;   /* `set solib-watch syscalls`: watch open+mmap (teaching) */
    unsigned ring_kib;     /* per thread, a multiple of 32, 64..16384              */
    bool disassembly_intel;
    unsigned fragment_timeout; /* seconds that a fragment may run; 0 = for ever          */
    unsigned max_string;       /* bytes of a text that an event keeps, 1..400           */
    unsigned print_elements;   /* of an array or a text that are shown; 0 = all        */
    bool print_pretty;         /* each member of a struct has a line                     */
    /* `maint`: */
    char corrupt
        [256]; /* the function whose relocated code is spoiled in trampolines to come; "" = none */
    unsigned refused;  /* strategies that are not used: a bit each, by its number (why.h) */
    unsigned dry_run;  /* EZ_DRY_*: `probe` says what it would do */
    unsigned strategy; /* EZ_USE_*, of new probes                             */

    unsigned exit_mode;          /* EZ_EXIT_*, of probes to come */
    unsigned trace_clock;        /* EZ_CLOCK_*, of processes to come */
    unsigned trace_switches;     /* EZ_SWITCHES_* (switches.h), of traces to come */
    unsigned follow_mode;        /* EZ_FOLLOW_*: whom a fork in the foreground goes on with */
    unsigned offer_timeout;      /* seconds that an offered child is held                 */
    bool stop_at_exec;           /* in the foreground, once the new program's libraries are there */
    bool detach_on_fork;         /* the shell's: false means EZ_FOLLOW_ALL */
    bool pass_signals;           /* batch: signals go to the program without a stop     */
#define EZ_NSIG 65               /* signals are 1..64                                   */
    uint8_t signal_how[EZ_NSIG]; /* EZ_SIG_*, 0 = nobody has chosen (signals.c)         */
};
/* Reads now what the first probe of a process needs of the libraries that carry hooks, so that it stands sooner.
 * EZ_E_STATE: no process. */
ez_err *ez_read_ahead(struct ez_target *t) EZ_WUR;

/* Faults made on purpose (`maint`). ez_maint_spoil: the relocated code of the probe's trampolines in the stopped process
 * loses its instructions. ez_maint_fail_ptrace: the nth call of ptrace from now fails with EIO; EZ_E_STATE in usual
 * builds. */
ez_err *ez_maint_spoil(struct ez_target *t, int number) EZ_WUR;
ez_err *ez_maint_fail_ptrace(unsigned long nth) EZ_WUR;

/* The setting `budget` has changed: probes may record again. */
ez_err *ez_budget_changed(struct ez_target *t) EZ_WUR;
double ez_process_cpu_ns(int pid); /* processor time of a process that lives; 0 = it does not */
struct ez_settings *ez_settings(struct ez_target *t); /* borrowed; callers may change it */

/* What becomes of a signal that comes in the foreground: bits. In the background all reach the program. */
enum { EZ_SIG_STOP = 1, EZ_SIG_PRINT = 2, EZ_SIG_PASS = 4, EZ_SIG_CHOSEN = 128 };
unsigned ez_signal_how(const struct ez_target *t, int sig);

#endif
