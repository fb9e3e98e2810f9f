/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt.h - the engine's public API for debugging sessions. The other headers of the engine that
 * commands may include, as those of the readers of traces, are listed in tests/check_layers.sh.
 *
 * One `struct ez_target` is one debugging session: a program, at most one live process, the probes
 * and the trace. Probes and the program outlive processes. A probe added before `run` is pending,
 * and is planted again at every run.
 *
 * Errors are values (engine/base/err.h). Events of the target arrive through one queue,
 * ez_next_event(). No function here prints. One thread makes all calls. */
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

/* Ways in which control may reach an address. */
enum ez_lead {
    EZ_LEAD_BRANCH,  /* a direct branch leads to the address */
    EZ_LEAD_ADDRESS, /* an instruction forms the address (of a label) */
    EZ_LEAD_POINTER, /* a word of data holds the address */
    EZ_NLEADS
};

/* ---- session ------------------------------------------------------------- */

ez_err *ez_target_create(struct ez_target **out) EZ_WUR;
/* Removes every probe, detaches from an attached process or kills a launched one, frees the
 * target. */
void ez_target_destroy(struct ez_target *t);

enum ez_state {
    EZ_NONE,       /* no process */
    EZ_STOPPED,    /* all threads are traced and stopped */
    EZ_RUNNING,    /* foreground: the process runs, seized */
    EZ_BACKGROUND, /* the process runs, not traced */
    EZ_CORE,       /* there is no process: its memory and registers are read from a core file */
};
enum ez_state ez_target_state(const struct ez_target *t);
/* Returns true if there is a process. */
bool ez_target_live(const struct ez_target *t);
/* Returns true if memory and registers of threads can be read: EZ_STOPPED or EZ_CORE. */
bool ez_target_readable(const struct ez_target *t);
/* Returns 0 if there is no process. */
pid_t ez_target_pid(const struct ez_target *t);
/* Returns false for a launched process. */
bool ez_target_attached(const struct ez_target *t);
const char *ez_target_program(const struct ez_target *t);      /* Returns the path, or NULL. */
struct ez_object *ez_target_object(const struct ez_target *t); /* Returns the program's object. */

/* Makes the file `name` the program and loads its symbols. NULL forgets the program. A name
 * without a slash that is not in the current directory is searched on PATH. Error: "PATH: No such
 * file or directory." */
ez_err *ez_target_file(struct ez_target *t, const char *name) EZ_WUR;

struct ez_run {
    const char *args; /* as typed; /bin/sh expands them and redirects */
    const char *cwd;  /* working directory; NULL = the shell's */
    const char *tty;  /* terminal for the standard streams; NULL = the shell's */
    char *const *env; /* nenv changes: "NAME=VALUE" sets, "NAME" removes */
    size_t nenv;
    bool stop_at_main; /* `start` */
    bool own_pgrp; /* standard input is a terminal: the program gets a process group of its own */
    bool disable_aslr; /* `set disable-randomization on` */
};
/* Starts the program, waits until it has loaded its libraries, and plants pending probes. Then the
 * program runs (state RUNNING) or stops at main. */
ez_err *ez_run(struct ez_target *t, const struct ez_run *how) EZ_WUR;
/* Attaches; the state becomes STOPPED. EZ_ATTACH_FORCE attaches even if another shell has probes in
 * the process, and removes those probes. A process that an offer (EZ_EV_FORKED) holds is freed from
 * the hold and stays stopped at the same instruction. With EZ_ATTACH_HELD, no note (EZ_EV_NOTE)
 * says so. */
enum { EZ_ATTACH_FORCE = 1, EZ_ATTACH_HELD = 2 };
ez_err *ez_attach(struct ez_target *t, pid_t pid, unsigned how) EZ_WUR;
/* The engine calls this function several times a second during long work (reading symbols, planning
 * probes). `what` names the work in a few words; "" = nothing to show yet, NULL = the work is over.
 * total 0 = not known. If the function returns false, the work ends with EZ_E_QUIT and plants
 * nothing. */
typedef bool ez_progress_fn(void *arg, const char *what, uint64_t done, uint64_t total);
void ez_progress_notify(struct ez_target *t, ez_progress_fn *fn, void *arg);
/* Removes the probes, restores the text byte by byte and releases the process. Works in any live
 * state. */
ez_err *ez_detach(struct ez_target *t) EZ_WUR;
/* Releases the process, but leaves its probes active: a later ez_attach adopts them with their
 * numbers and counts. *kept = number of probes that were left. An error changes nothing. */
ez_err *ez_detach_keep(struct ez_target *t, unsigned *kept) EZ_WUR;
ez_err *ez_kill(struct ez_target *t) EZ_WUR;
/* Resumes the process. `sig` >= 0 replaces the pending signal (0 = none); -1 delivers it. */
ez_err *ez_continue(struct ez_target *t, bool background, int sig) EZ_WUR;
/* Stops all threads (from RUNNING or BACKGROUND). Queues no event. */
ez_err *ez_interrupt(struct ez_target *t) EZ_WUR;
/* Executes n instructions of the current thread. A signal or exit ends the stepping early and is
 * queued as an event. */
ez_err *ez_stepi(struct ez_target *t, uint64_t n) EZ_WUR;
/* Stops the current thread once, when it reaches `at`, as at main. `at` 0 cancels the stop. Uses a
 * hardware breakpoint, which does not change the text. EZ_E_STATE: the machine has no hardware
 * breakpoints. */
ez_err *ez_stop_once(struct ez_target *t, ez_addr at) EZ_WUR;

/* ---- events --------------------------------------------------------------- */

enum ez_event_kind {
    EZ_EV_STOPPED,    /* sig, tid, addr (the pc). sig 0 and number 0: a temporary breakpoint (main),
                       * or the stop after an exec (status 1). sig 0 and number not 0: the action
                       * `stop` of the probe `number`; addr = its function, text = the arguments,
                       * status 1 = at the exit */
    EZ_EV_EXITED,     /* status; also from BACKGROUND */
    EZ_EV_SIGNALED,   /* sig: the signal that killed the process */
    EZ_EV_GONE,       /* the process (attached) ended; only its parent gets its status */
    EZ_EV_PASSED,     /* a signal was delivered without a stop (print only) */
    EZ_EV_THREAD_NEW, /* tid */
    EZ_EV_THREAD_END, /* tid */
    EZ_EV_EXEC,       /* tid: the process; text: the new program */
    EZ_EV_LIB_LOADED, /* text: path */
    EZ_EV_LIB_UNLOADED,
    EZ_EV_PROBE, /* number: a pending probe was resolved, text: where; status 1: the probe was
                  * refused, text: why */
    EZ_EV_TRACE, /* text: path of the trace that was opened automatically */
    EZ_EV_LINE,  /* text: output of a probe, one line or more */
    /* text: one line for the user; accounting: the accounting of a program that an exec replaced */
    EZ_EV_NOTE,
    EZ_EV_FORKED,     /* tid: the child process, which is held for another shell; number: its
                       * parent; status 1: the child shared the parent's memory until its exec */
    EZ_EV_TRACE_LOST, /* text: why (disk full, drain thread ended) */
};

struct ez_event {
    enum ez_event_kind kind;
    int sig, status, tid, number; /* meaning: see kind */
    uint64_t addr;
    char *text;                       /* free with ez_event_clear */
    struct ez_accounting *accounting; /* freed with ez_event_clear; NULL = none */
};
void ez_event_clear(struct ez_event *ev);

/* Fills in the descriptors to poll for POLLIN, at most max (4 are enough), and returns their
 * number. When one is readable, call ez_next_event until it returns false. */
size_t ez_poll_fds(struct ez_target *t, struct pollfd *fds, size_t max);
/* Handles all reports of the kernel without blocking, and removes the next event from the queue.
 * Returns false if there is no event. */
bool ez_next_event(struct ez_target *t, struct ez_event *ev);
/* Returns true if events are queued, or a child is to be followed that stopped while the program was
 * stopped. Neither makes a descriptor readable. */
bool ez_events_left(const struct ez_target *t);

/* ---- inspection ------------------------------------------------------------ */

struct ez_thread_info {
    unsigned number; /* 1 for the first thread */
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
    struct ez_object *obj; /* symbols; NULL if the file cannot be read */
    const char *path;      /* as the target sees it */
    uint64_t bias, lo, hi; /* runtime address = vaddr + bias; mapped range */
    bool is_program;
};
/* Calls fn for the program first, then for libraries in load order (also the loader and the vdso).
 * Before `run` calls fn for the program alone, with bias 0. */
ez_err *ez_modules(struct ez_target *t, void (*fn)(const struct ez_module_info *, void *),
                   void *arg) EZ_WUR;
/* Returns the code symbol that contains a runtime address, or NULL. Stores the symbol's module and
 * the offset in the symbol. */
const struct ez_sym *ez_symbolize(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                  struct ez_module_info *mod);
/* Like ez_symbolize(), but finds symbols of variables, too. */
const struct ez_sym *ez_symbolize_any(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                      struct ez_module_info *mod);
/* Calls fn for each runtime address of a LOCATION: func, lib:func, func@lib, file.c:func,
 * func@VERSION (without VERSION the default version), file.c:line, *ADDR, -probe-stap NAME. A line yields the address
 * of the function that contains the line; if that function is inlined, of the function into which
 * it is inlined. EZ_E_NOTFOUND: `Function "x" not defined.` */
typedef void ez_locate_fn(ez_addr addr, const struct ez_sym *s, const struct ez_module_info *m,
                          void *arg);
ez_err *ez_locate(struct ez_target *t, const char *location, ez_locate_fn *fn, void *arg) EZ_WUR;
/* The USDT probes of all modules, sorted by provider, name and address. `module` is valid until fn
 * returns. */
struct ez_stap;
struct ez_stap_info {
    const struct ez_stap *note; /* addresses are those of the file */
    struct ez_module_info module;
};
ez_err *ez_staps(struct ez_target *t, void (*fn)(const struct ez_stap_info *, void *),
                 void *arg) EZ_WUR;
/* The LOCATION of a USDT probe is EZ_STAP_WORD and [OBJECT:][PROVIDER:]NAME. ez_location_stap()
 * returns these names, or NULL for another location; it also accepts -stap, -pstap and -probe. */
#define EZ_STAP_WORD "-probe-stap "
const char *ez_location_stap(const char *location);
/* The LOCATION of the inlined instances of a function is EZ_INLINE_WORD and [LIB:]FUNCTION; with
 * EZ_INLINE_ALL_WORD also of those whose calls cannot be counted exactly.
 * ez_location_inlined() returns these names, or NULL for another location. */
#define EZ_INLINE_WORD "-inline "
#define EZ_INLINE_ALL_WORD "-inline-all "
const char *ez_location_inlined(const char *location);
bool ez_location_inlined_all(const char *location); /* true for EZ_INLINE_ALL_WORD */
enum ez_inlined_kind { /* whether the calls of an inlined instance can be counted, or why not */
                       EZ_INLINED_KEPT,
                       EZ_INLINED_NO_ENTRY,
                       EZ_INLINED_WAYS,
                       EZ_INLINED_LOOP,
                       EZ_INLINED_SMALL,
                       EZ_INLINED_UNKNOWN,
                       EZ_INLINED_COUNT
};
const char *ez_inlined_text(enum ez_inlined_kind kind); /* the reason, of instances not kept */
/* Calls fn (NULL: nothing) for the entry of each instance that is meant, and counts the instances of
 * each kind. EZ_E_NOTFOUND: there is none. */
ez_err *ez_inlined_search(struct ez_target *t, const char *location, ez_locate_fn *fn, void *arg,
                          unsigned n[EZ_INLINED_COUNT]) EZ_WUR;
/* Returns the colon between LIB or FILE and the rest of a location, or NULL. */
const char *ez_location_colon(const char *location);
/* Returns EZ_E_ARG if the location can never name anything ("100", ">"). */
ez_err *ez_location_check(const char *location) EZ_WUR;
/* Calls fn for each function into which a function called `name` was inlined. */
void ez_locate_inlined(struct ez_target *t, const char *name,
                       void (*fn)(const struct ez_sym *in, void *), void *arg);
/* Calls fn for the older versions of the functions that LOCATION names. Only programs that were
 * linked with an older library call them. */
ez_err *ez_locate_versions(struct ez_target *t, const char *location, ez_locate_fn *fn,
                           void *arg) EZ_WUR;

/* ez_location_is_line returns true for FILE:LINE. ez_locate_line calls fn for the code of the line
 * itself, once for each function that has code of the line, with addresses of the file.
 * EZ_E_NOTFOUND: no such file. EZ_E_ARG: no function has the line, or the location is no
 * FILE:LINE. */
bool ez_location_is_line(const char *location);
struct ez_line {
    uint64_t vaddr, end;     /* range of the first instructions of the line in that function */
    const struct ez_sym *in; /* function that contains these instructions; never its .cold part */
    /* inlined function to which these instructions belong, or NULL */
    const char *inlined;
    const char *file;
    unsigned line; /* requested line, or the next line that has code */
};
typedef void ez_line_fn(const struct ez_line *l, const struct ez_module_info *m, void *arg);
ez_err *ez_locate_line(struct ez_target *t, const char *location, ez_line_fn *fn, void *arg) EZ_WUR;

/* Passes the registers of the current thread to fn as name and value (8 bytes at most), in the
 * architecture's order. EZ_E_STATE: "The program has no registers now." */
ez_err *ez_registers(struct ez_target *t,
                     void (*fn)(const char *name, uint64_t value, size_t size, void *arg),
                     void *arg) EZ_WUR;
ez_err *ez_register(struct ez_target *t, const char *name, uint64_t *value) EZ_WUR;
/* Calls fn for each entry of the auxiliary vector, AT_NULL last. EZ_E_STATE: there is no vector. */
ez_err *ez_auxv_each(struct ez_target *t, void (*fn)(uint64_t type, uint64_t value, void *),
                     void *arg) EZ_WUR;
ez_err *ez_pc(struct ez_target *t, ez_addr *pc) EZ_WUR;

/* Read and write memory. Short reads are errors (EZ_E_SYS EIO, with the first bad address).
 * Without a process, ez_read reads the program's file. */
ez_err *ez_read(struct ez_target *t, ez_addr from, void *buf, size_t n) EZ_WUR;
/* Reads up to n bytes, and returns the number of bytes read. After a short read, the next byte may
 * be readable. */
size_t ez_read_some(struct ez_target *t, ez_addr from, void *buf, size_t n);
ez_err *ez_write(struct ez_target *t, ez_addr to, const void *buf, size_t n) EZ_WUR;

struct ez_map {
    uint64_t lo, hi, offset, inode;
    unsigned dev_major, dev_minor;
    char perm[5];
    const char *name; /* "" for anonymous memory; eztsh's maps have names like "[eztsh:
                       * trampolines]" */
};
ez_err *ez_mappings(struct ez_target *t, void (*fn)(const struct ez_map *, void *),
                    void *arg) EZ_WUR;

struct ez_disassembled {
    char text[160];
    uint8_t bytes[16]; /* from the instruction's start */
    size_t len;        /* length of the instruction */
};
/* Disassembles the instruction at `at`, with symbolic targets. Reads the live bytes; `original`
 * shows the bytes that eztsh's probes replaced. */
ez_err *ez_disassemble(struct ez_target *t, ez_addr at, bool original,
                       struct ez_disassembled *out) EZ_WUR;
/* Disassembles the n bytes `code` as if they were at `at`. */
ez_err *ez_disassemble_bytes(struct ez_target *t, ez_addr at, const void *code, size_t n,
                             struct ez_disassembled *out) EZ_WUR;

/* Reads the core file at `path`: until ez_core_close() or the start of a process, its threads,
 * registers and memory are the target's. Without a program, the mapped file becomes the program.
 * Drops a core file that was open. EZ_E_STATE: there is a process. EZ_E_FORMAT: the file is not a
 * core file, or of another processor. */
struct ez_core_folders {   /* where files of the process are looked for, as in gdb; "" = none */
    const char *sysroot;   /* is put before the name of each file */
    const char *libraries; /* folders for files that are not found, separated by colons */
};
ez_err *ez_core_open(struct ez_target *t, const char *path,
                     const struct ez_core_folders *in) EZ_WUR;
void ez_core_close(struct ez_target *t);
bool ez_core_is(const char *path); /* Returns true if the file's header is that of a core file. */
/* What the open core file says of the process; `command` is "" if it is not known. */
struct ez_core_info {
    const char *path, *command;
    int sig; /* signal that ended the process; 0: none */
    int pid;
};
void ez_core_info(const struct ez_target *t, struct ez_core_info *out);

/* Writes a core file of the stopped process, as it would be without probes. `cfa`: the n frames of
 * its threads, each given by the value of the stack pointer before the call. Frames that return to
 * a return thunk are changed so that debuggers can unwind them. EZ_E_SYS: no space, or no
 * permission. EZ_E_QUIT: the user cancelled. After an error an existing file at `path` is
 * unchanged. */
ez_err *ez_core(struct ez_target *t, const char *path, const uint64_t *cfa, size_t n) EZ_WUR;

/* ---- measure ---------------------------------------------------------------- */

struct ez_measured {
    uint64_t addr;
    uint8_t bytes[16], len_opcodes, len_step; /* lengths by each method; 0 = not measured */
    uint16_t sum;                             /* sum of the lengths up to this instruction */
    char text[96];
    bool jumped; /* the step jumped: len_step is the length from the decoder */
};
struct ez_measure {
    struct ez_measured insn[16];
    size_t n;
    /* length of the jump; length of the whole instructions that the jump overwrites */
    unsigned need, overwritten;
    char verdict[160];   /* one line: agreement of the methods, their difference, or a
                                 * refusal */
    char step_note[160]; /* reason why stepping ended early, or "" */
};
enum ez_measure_how { EZ_MEASURE_OPCODES = 1, EZ_MEASURE_STEP = 2, EZ_MEASURE_BOTH = 3 };
ez_err *ez_measure(struct ez_target *t, ez_addr func, enum ez_measure_how how,
                   struct ez_measure *out) EZ_WUR;

/* ---- injection (stopped target) --------------------------------------------- */

/* Runs a system call in the target. *result: the raw return value, -errno if the call failed. */
ez_err *ez_remote_syscall(struct ez_target *t, long nr, const uint64_t arg[6],
                          int64_t *result) EZ_WUR;
#define EZ_ANYWHERE UINT64_MAX
/* Maps memory in the target. prot: PROT_* bits. `at`: an address, or EZ_ANYWHERE. EZ_E_REMOTE
 * carries the target's errno. */
ez_err *ez_remote_mmap(struct ez_target *t, uint64_t length, int prot, uint64_t at,
                       ez_addr *out) EZ_WUR;
/* Refuses ranges that eztsh itself mapped. */
ez_err *ez_remote_munmap(struct ez_target *t, ez_addr at, uint64_t length) EZ_WUR;
/* Calls FUNC(arg…) (up to 6 integers) on the current thread while the other threads run.
 * EZ_E_TIMEOUT after 5 s: the call is abandoned and the thread restored. */
ez_err *ez_remote_call(struct ez_target *t, ez_addr func, const uint64_t *arg, size_t nargs,
                       uint64_t *result) EZ_WUR;
/* Return the number of a system call of the target's architecture (-1 if the name is unknown), or
 * the name of a system call (NULL if the number is unknown). */
long ez_syscall_number(const char *name);
const char *ez_syscall_name(long nr);

/* ---- modules: functions that replace others, and record events ------------------- */

struct ez_plugin_info {
    const char *name, *desc, *path;
    unsigned id;
    /* loaded: the user loaded the module in this session; there: the live process has the module */
    bool loaded, there;
    const char *problem; /* reason why the process does not have the module, or why the file is not
                          * a module; NULL = none */
    unsigned functions, planted, pending, refused;
    uint64_t events; /* number of events of this process, recorded or lost */
};
/* Loads the module NAME (from the search path; with a slash, a file) into the process, now or once
 * there is one, and replaces its functions. Errors: EZ_E_NOTFOUND, EZ_E_FORMAT, EZ_E_STATE (the
 * module or its ID is loaded already), EZ_E_REFUSED and EZ_E_REMOTE (the process could not load
 * the file: the target is unchanged, and the module is not loaded). */
ez_err *ez_plugin_load(struct ez_target *t, const char *name) EZ_WUR;
/* Restores the functions. The file stays in the process, for threads that still execute it. */
ez_err *ez_plugin_unload(struct ez_target *t, const char *name) EZ_WUR;
/* Calls fn for the loaded modules. Texts are borrowed. */
void ez_plugins(struct ez_target *t, void (*fn)(const struct ez_plugin_info *, void *), void *arg);
/* Calls fn for each module file in the folders of the search path, in the order of the path. A
 * module that is in two folders is listed twice. */
void ez_plugins_available(struct ez_target *t, void (*fn)(const struct ez_plugin_info *, void *),
                          void *arg);
/* ---- trace -------------------------------------------------------------------- */

struct ez_accounting { /* accounting of the current or the last process. A hit is an entry or an
                        * exit */
    uint64_t hits, recorded, filtered, untraced, dropped, overwritten;
    uint64_t under_way; /* hits of a live process that are counted, but not yet in the trace */
    uint64_t unhooked;  /* calls whose exit could not be followed (not events) */
    uint64_t torn;      /* part of `dropped` */
    uint64_t hurried;   /* calls recorded before their duration was known (-min-time) */
    uint64_t uncounted; /* part of `hits`: recorded by threads that were killed before they
                                * counted */
    uint64_t unwound; /* number of calls that ended without returning (not events of the target) */
    uint64_t waits, waited_ns; /* number and total duration of waits of threads for room in rings */
};
/* Returns "N hits = N recorded + ..."; the caller frees. */
char *ez_accounting_text(const struct ez_accounting *l);
struct ez_trace_info {
    bool keeps;          /* the flight recorder is on: no file */
    uint64_t kept_bytes; /* bytes of events in memory */
    bool open;
    /* the trace is open, but recording pauses until a probe or the user resumes recording */
    bool paused;
    bool pending;     /* opens once a process carries probes */
    const char *path; /* path of the open or the last trace; NULL = none yet */
    uint64_t bytes, events;
    uint64_t plain; /* bytes of the trace without compression */
    bool mono;      /* CLOCK_MONOTONIC stamps the events of the process */
    bool coarse;    /* seccomp: an event's stamp is the shell's last reading of CLOCK_MONOTONIC */
    int switches_errno;     /* reason why the trace lacks thread switches; 0 = it has them */
    uint64_t switches_lost; /* switches lost because the kernel's buffer was full */
    struct ez_accounting accounting; /* accounting since this shell controls the process */
    struct ez_accounting earlier;    /* accounting of the shells that had the process' probes
                                      * before */
};
/* Starts a trace. path NULL resumes the paused trace. */
ez_err *ez_trace_start(struct ez_target *t, const char *path) EZ_WUR;
/* Returns true if eztsh was built with libzstd. */
bool ez_trace_can_compress(void);
ez_err *ez_trace_stop(struct ez_target *t) EZ_WUR; /* Returns EZ_E_STATE if no trace is open. */
/* Flushes the rings first, so that the numbers are current. */
void ez_trace_info(struct ez_target *t, struct ez_trace_info *out);

/* Writes the events that the flight recorder (EZ_OVERFLOW_OVERWRITE) keeps to a trace, and
 * continues to keep events. The target is not stopped. path NULL: PROG-PID.fxt, or another name if
 * that file exists. The path in *out belongs to the target and is valid until the next snapshot or
 * trace. EZ_E_STATE: no events. */
struct ez_snapshot_info {
    const char *path;
    uint64_t bytes;
    struct ez_accounting accounting;
};
ez_err *ez_snapshot(struct ez_target *t, const char *path, struct ez_snapshot_info *out) EZ_WUR;

/* One of the newest events. `ns` counts from the begin of the trace. `duration_ns` is set (`timed`)
 * on exits whose entry is among the newest events, too. ez_live_events calls fn for at most n of
 * the newest events after *cursor, the oldest first, advances *cursor, and returns the number of
 * these events. */
struct ez_live_event {
    uint64_t ns, tid, duration_ns;
    bool exit, unwound; /* unwound: the exit is not a return */
    bool module, point; /* module: an event of a module. point: neither an entry nor an exit */
    bool timed;         /* duration_ns is known, and may be 0 */
    uint32_t rank;      /* rank of the process; EZ_NO_RANK = none (job.h) */
    int id;
    const char *function;
    const char
        *data; /* items that a probe collected, "n=5 s=\"abc\""; NULL = none, or no longer known */
};
size_t ez_live_events(struct ez_target *t, size_t n, uint64_t *cursor,
                      void (*fn)(const struct ez_live_event *, void *), void *arg);

/* ---- settings (`set` / `show`) ------------------------------------------------- */

enum { EZ_DRY_OFF, EZ_DRY_ON, EZ_DRY_JSON };
enum { EZ_EXIT_AUTO, EZ_EXIT_RETURN_TRAMPOLINES, EZ_EXIT_THROUGH };
/* OVERWRITE writes no trace: the newest events stay in memory for snapshots, and no thread
 * waits. */
enum { EZ_OVERFLOW_DROP, EZ_OVERFLOW_WAIT, EZ_OVERFLOW_OVERWRITE };
/* OFFER follows the parent and holds each child for another shell. */
enum { EZ_FOLLOW_PARENT, EZ_FOLLOW_CHILD, EZ_FOLLOW_OFFER, EZ_FOLLOW_ALL };
/* The shell handles EZ_FOLLOW_ALL; the engine then follows the parent. */
/* When snapshots are made automatically. EXIT: at the end of the process. USR1 to QUIT: at that
 * signal, too. */
enum {
    EZ_SNAPSHOT_NEVER,
    EZ_SNAPSHOT_EXIT,
    EZ_SNAPSHOT_USR1,
    EZ_SNAPSHOT_USR2,
    EZ_SNAPSHOT_HUP,
    EZ_SNAPSHOT_QUIT
};
enum { EZ_CLOCK_AUTO, EZ_CLOCK_TSC, EZ_CLOCK_MONOTONIC };

/* A setting of `set` and `show`. To add a setting, add an entry to a list, and its field to struct
 * ez_settings, or to struct ez_ui for a setting of the shell. */
enum ez_setting_kind {
    EZ_SET_FLAG,   /* a bool; word[0] is false */
    EZ_SET_WORD,   /* an unsigned: index of the word */
    EZ_SET_BUDGET, /* an unsigned, percent; "off" is 0 */
    EZ_SET_NUMBER, /* an unsigned; "unlimited" is 0 */
    EZ_SET_TEXT,   /* the rest of the line, verbatim */
};
struct ez_setting {
    const char *name; /* "trace-auto"; "history save" is a member of a family */
    enum ez_setting_kind kind;
    size_t offset; /* offset of the field, in bytes */
    const char *word[7];
    unsigned initial;               /* value in a new session */
    const char *text;               /* initial value of an EZ_SET_TEXT */
    unsigned least, most, multiple; /* bounds of a number; 0 = none */
    const char *unit;               /* unit of least and most */
    const char *what;               /* object of "Set ..." and "Show ..." in help */
    const char *sentence;           /* output of `show`, with one %s for the value */
    const char *example;
    const char *meaning; /* meanings of the words, as lines for `help set`; NULL = the words need no
                          * explanation */
};
enum { EZ_SETTINGS_MOST = 64 };                      /* maximum settings of a list */
extern const struct ez_setting ez_engine_settings[]; /* engine/process/settings.c */
extern const size_t ez_nengine_settings;
/* Sets the variable to its initial value. */
void ez_setting_begin(const struct ez_setting *v, void *variable);

struct ez_settings {
    bool trace_auto;       /* opens PROG-PID.fxt at the first recording probe */
    bool trace_compress;   /* compresses later traces */
    unsigned budget;       /* percent of the processor time for recording; 0 = no limit. After a
                            * change call ez_budget_changed(). */
    double budget_hit_ns;  /* cost of recording a hit, in ns; 0 = not measured */
    unsigned overflow;     /* EZ_OVERFLOW_*: effect of a full ring. A change between WAIT and DROP
                           * takes effect at once, other changes apply to later processes. */
    unsigned snapshot_on;  /* EZ_SNAPSHOT_* */
    unsigned snapshot_mib; /* MiB of events that are kept for each thread (EZ_OVERFLOW_OVERWRITE) */
    bool solib_syscalls;   /* `set solib-watch syscalls`: watches open and mmap (teaching) */
    unsigned ring_kib;     /* KiB of a thread's ring, a multiple of 32, 64..16384 */
    bool disassembly_intel;
    unsigned fragment_timeout; /* maximum runtime of a fragment, in seconds; 0 = no limit */
    unsigned max_string;       /* maximum bytes of a text in an event, 1..400 */
    unsigned print_elements;   /* maximum elements of an array or a text in output; 0 = all */
    bool print_pretty;         /* prints each member of a struct on its own line */
    /* Settings of `maint`. A few other settings follow. */
    char
        corrupt[256]; /* function whose relocated code is spoiled in later trampolines; "" = none */
    unsigned refused; /* strategies that are not used: one bit each (code/strategy.h) */
    unsigned dry_run; /* EZ_DRY_*: `probe` only prints its plan */
    unsigned strategy; /* EZ_USE_*, of new probes */

    unsigned exit_mode;          /* EZ_EXIT_*, of later probes */
    unsigned trace_clock;        /* EZ_CLOCK_*, of later processes */
    unsigned trace_switches;     /* EZ_SWITCHES_* (switches.h), of later traces */
    unsigned follow_mode;        /* EZ_FOLLOW_*: process that is followed after a fork in the
                                  * foreground */
    unsigned offer_timeout;      /* seconds for which an offered child is held */
    bool stop_at_exec;           /* stops in the foreground after an exec, once the new program's
                                  * libraries are loaded */
    bool detach_on_fork;         /* used by the shell only: false means EZ_FOLLOW_ALL */
    bool pass_signals;           /* batch mode: signals reach the program without a stop */
#define EZ_NSIG 65               /* signals are 1..64 */
    uint8_t signal_how[EZ_NSIG]; /* EZ_SIG_*; 0 = the user chose nothing (signals.c) */
};
/* Reads in advance the symbols of the libraries in which eztsh plants hooks, so that the first
 * probe of a process is planted sooner. EZ_E_STATE: no process. */
ez_err *ez_read_ahead(struct ez_target *t) EZ_WUR;

/* Deliberate faults (`maint`). ez_maint_spoil spoils the relocated code in the trampolines of a
 * probe of the stopped process. ez_maint_fail_ptrace makes the nth call of ptrace from now fail
 * with EIO; EZ_E_STATE in a build without fault injection. */
ez_err *ez_maint_spoil(struct ez_target *t, int number) EZ_WUR;
ez_err *ez_maint_fail_ptrace(unsigned long nth) EZ_WUR;

/* Handles a change of the setting `budget`. If there is no limit any more, throttled probes record
 * again. */
ez_err *ez_budget_changed(struct ez_target *t) EZ_WUR;
/* Returns the processor time of a live process, in ns; 0 if the process is gone. */
double ez_process_cpu_ns(int pid);
/* Returns the settings, borrowed. The caller is allowed to change them. */
struct ez_settings *ez_settings(struct ez_target *t);

/* Bits that say how a signal is handled in the foreground. In the background all signals reach the
 * program. */
enum { EZ_SIG_STOP = 1, EZ_SIG_PRINT = 2, EZ_SIG_PASS = 4, EZ_SIG_CHOSEN = 128 };
unsigned ez_signal_how(const struct ez_target *t, int sig);

#endif
