/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inferior.h - the process: its threads, memory and modules, and code that eztsh runs in it. This
 * header has the room's data structures, and the functions of files that have no header of their
 * own (README.md). Only the engine includes it. */
#ifndef EZ_INFERIOR_H
#define EZ_INFERIOR_H

#include <pthread.h>
#include <signal.h>

#include "arch/arch.h"
#include "arch/syscalls.h"
#include "engine/code/analyze.h"
#include "engine/ezt.h"
#include "engine/base/now.h"
#include "engine/inferior/halt_trap.h"
#include "engine/inferior/proc.h"
#include "engine/inferior/sharers.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"

struct ez_corefile;
struct ez_site;
struct ez_target;

/* What a thread did that a catchpoint of the user waits for (catch.c). */
enum ez_caught_kind {
    EZ_CAUGHT_NOTHING,
    EZ_CAUGHT_CALL,   /* began system call `value` */
    EZ_CAUGHT_RETURN, /* returned from system call `value` */
    EZ_CAUGHT_FORK,   /* made process `value` by fork */
    EZ_CAUGHT_VFORK,
    EZ_CAUGHT_EXEC,
    EZ_CAUGHT_SIGNAL, /* received signal `value` */
};
struct ez_caught {
    enum ez_caught_kind kind;
    long value;
};

/* Whether the kernel's report stopped a thread inside a system call: at its start, or while it has
 * made a process and has not returned yet. */
enum ez_call_stop { EZ_CALL_NONE, EZ_CALL_BEGINS, EZ_CALL_FORKS };

struct ez_thread {
    pid_t tid;
    bool stopped; /* in a ptrace stop, so ptrace requests are possible */
    /* PTRACE_INTERRUPT was sent, and the kernel has not reported the stop yet */
    bool stop_requested;
    bool group_stop;         /* stopped by job control (SIGSTOP, SIGTSTP), and must stay stopped */
    bool stepped;            /* the thread has run since it stopped with `sig` */
    bool reported;           /* `sig` was reported to the user */
    bool deaf;               /* the thread blocks SIGTRAP, and the user was told so */
    unsigned halt;           /* index + 1 of the halt that the thread hit; 0: none */
    struct ez_caught caught; /* not yet reported to engine/move */
    enum ez_call_stop in_call;
    /* the thread will begin a system call once more, whose first start was reported */
    bool call_again;
    /* pc at which the thread does not hit a halt again when it resumes; 0: none */
    uint64_t halted;
    int sig; /* signal to deliver when the thread goes on; 0: none */
    bool has_info;
    siginfo_t info; /* siginfo of `sig` */
    bool regs_known;
    struct ez_regs regs;
};

struct ez_maps { /* the contents of /proc/PID/maps, read once */
    EZ_VEC(struct ez_map) map;
    uint64_t brk; /* address of the heap's end, or of its future start; 0: unknown */
    char *text;
};

struct ez_cs { /* a restartable sequence (rseq): [start, end), and its abort handler */
    uint64_t start, end, abort;
};

struct ez_module {
    struct ez_object *obj; /* owned by inf.object; NULL: the file cannot be read */
    /* path of the file; for the program, the name by which it was run, which may be a link */
    char *path;
    char *mapped; /* file name in /proc/PID/maps */
    uint64_t bias, lo, hi;
    bool is_program, seen, fresh, unwind_hooked, jumps_hooked, ends_hooked;
    /* the library is loaded several times, and this copy's probes were created after those of the
     * other copies */
    bool copied;
    /* see engine/probe/profiled.c; `profiled` is valid once `image` was read */
    bool profiled, profile_hooked;
    struct ez_text *text; /* the text prepared for analysis; NULL: not yet */
    uint8_t *image;       /* bytes of the executable mappings, read from the process */
    struct ez_func *funcs;
    size_t nfuncs;
    EZ_VEC(struct ez_pointer) pointer; /* pointers into the image */
    EZ_VEC(struct ez_cs) cs;
    EZ_VEC(unsigned) rule; /* serials of rules that were applied to the module */
    uint64_t image_va;
    size_t image_len;
};

struct ez_file_entry {
    struct ez_object *obj;
    bool reported; /* a note to the user said that the file changed */
};

struct ez_late_report {
    pid_t tid;
    int status; /* the wait status */
};

struct ez_range {
    uint64_t lo, hi;
};

struct ez_guard { /* data of guard.c */
    uint64_t at;  /* address of the handler's page; 0: steps are unguarded */
    pid_t tid;
    bool stands;
};

enum ez_halt_kind { EZ_HALT_CODE, EZ_HALT_WRITE, EZ_HALT_READ };
struct ez_halt { /* data of halt.c */
    uint64_t addr;
    enum ez_halt_kind kind;
    unsigned len; /* length of watched data: 1, 2, 4 or 8 bytes; addr is a multiple of len */
    /* the halt is opened last, and skipped if the processor has no free breakpoint */
    bool spare;
};

struct ez_ifunc_slot { /* a slot that holds, or will hold, the resolver's result (ifunc.c) */
    uint64_t resolver, at;
};

enum ez_birth {
    EZ_BORN_FORK,
    EZ_BORN_VFORK,
    EZ_BORN_CLONE
}; /* CLONE: the child sends no signal when it ends */

/* Callbacks into the rooms above, which engine/process/session.c sets. */
struct ez_inferior_ops {
    void (*ended)(struct ez_target *t, enum ez_event_kind kind, int value);
    /* thread tid exec'ed; the other threads are gone */
    ez_err *(*execed)(struct ez_target *t, pid_t tid);
    /* the process exec'ed while eztsh did not trace it */
    ez_err *(*replaced)(struct ez_target *t);
    /* like `replaced`, but the new program is setuid: returns an error */
    ez_err *(*lost)(struct ez_target *t);
    void (*resuming)(struct ez_target *t); /* the process is about to resume */
    /* returns true if eztsh's code in the target raised th's signal, and handles the signal */
    bool (*fault)(struct ez_target *t, struct ez_thread *th);
    /* returns true if eztsh has ever written a trap instruction for a probe */
    bool (*traps)(const struct ez_target *t);
    /* returns the trampoline's address if pc is after a probe's trap; 0: the trap is not eztsh's */
    uint64_t (*own_trap)(const struct ez_target *t, uint64_t pc);
    /* halt_copy() copies the instruction under the halt, and makes the handler in the target
     * continue in the copy after the halt's trap. halt_stands() records in the journal whether the
     * trap is written. */
    ez_err *(*halt_copy)(struct ez_target *t, struct ez_halt_trap *h);
    void (*halt_stands)(struct ez_target *t, const struct ez_halt_trap *h, bool stands);
    ez_err *(*fork_seen)(struct ez_target *t, pid_t child, enum ez_birth how);
    /* returns true if engine/process waits for a report of child pid */
    bool (*child_known)(const struct ez_target *t, pid_t pid);
    /* pid is not a thread of t */
    ez_err *(*child_report)(struct ez_target *t, pid_t pid, int status);
    void (*child_drop)(struct ez_target *t);
    /* child_lend() returns true if pid is a child that engine/process traces and that uses the
     * target's memory. From then on the child is treated as a thread of the target, until
     * child_back(). The child is stopped when child_back() is called, which resumes it with signal
     * sig. */
    bool (*child_lend)(struct ez_target *t, pid_t pid);
    ez_err *(*child_back)(struct ez_target *t, pid_t pid, int sig);
    /* returns true if eztsh is notified when the loader loads a library */
    bool (*loads_seen)(const struct ez_target *t);
    /* called when the libraries are relocated, before any constructor runs */
    void (*relocated)(struct ez_target *t);
    /* unloaded(): module m was unloaded, and is kept in t->inf.gone. loaded_again(): m was loaded
     * again. dropped(): m is removed from t->inf.gone. */
    void (*unloaded)(struct ez_target *t, struct ez_module *m);
    void (*loaded_again)(struct ez_target *t, struct ez_module *m);
    void (*dropped)(struct ez_target *t, const struct ez_module *m);
    /* stores the symbol names of code addresses in events, before the modules are forgotten */
    void (*name_code)(struct ez_target *t);
    /* stores the source lines of functions that were hit, before the modules are forgotten */
    void (*name_sources)(struct ez_target *t);
};

struct ez_inferior {
    const struct ez_arch *arch;
    const struct ez_inferior_ops *ops;
    struct ez_target *next_target; /* next target in the list of reports.c */
    /* reports for this target that waiting for another target received */
    EZ_VEC(struct ez_late_report) late;
    int sigfd, eventfd;
    struct { /* data of progress.c */
        ez_progress_fn *fn;
        void *arg;
        pthread_t owner;
        unsigned depth; /* number of nested scopes */
        bool reported, quit;
        const char *what;
        uint64_t done, total;
        double next; /* ez_now_exact() of the next report */
    } progress;
    /* a SIGINT that is pending for the program has interrupted eztsh's work, and must not reach the
     * program */
    bool int_heard;
    char *program; /* file that `run` executes, or NULL (objects.c) */
    struct ez_object *prog_obj;

    enum ez_state state;
    struct ez_corefile *core; /* not NULL in the state EZ_CORE only (corefile.h) */
    pid_t pid, current;
    bool attached, child, seized;
    int pidfd, memfd; /* memfd: /proc/PID/mem */
    /* a thread was seen whose system calls the program handles itself (Syscall User Dispatch) */
    bool dispatches;
    bool pokes; /* memfd cannot write text, so ptrace writes it word by word (mem.c) */
    EZ_VEC(struct ez_thread *) thread;
    EZ_VEC(pid_t) orphan; /* orphaned tracees: released at their next stops */
    /* gone: unloaded modules that may be loaded again (unloaded.c) */
    EZ_VEC(struct ez_module *) module, gone;
    EZ_VEC(struct ez_file_entry) object; /* files read so far */
    struct {
        bool known; /* `slot` is valid for the modules that are loaded now */
        EZ_VEC(struct ez_ifunc_slot) slot;
    } ifunc;
    EZ_VEC(struct ez_cs) cs;       /* rseq areas of threads when last read */
    const struct ez_row *old_rows; /* ez_image_old_rows(); NULL: none */
    uint32_t nold_rows;
    bool want_main;  /* `start`: stop at main, once the libraries are loaded */
    bool want_ready; /* after an exec: stop once the libraries are loaded (`set stop-at-exec`) */
    /* the process is stopped with its libraries loaded, before any constructor has run */
    bool at_ready;
    uint64_t temp_bp; /* address of a temporary breakpoint; 0: none */
    uint8_t temp_bp_byte[4];
    int temp_bp_fd; /* hardware breakpoint; -1: a trap instruction is written */
    struct ez_guard temp_bp_guard;
    struct { /* data of halt.c */
        EZ_VEC(struct ez_halt) want;
        EZ_VEC(int) fd;
        EZ_VEC(struct ez_halt_trap) trap; /* all traps that were ever written in this image */
        bool armed;
        struct ez_guard guard;
        pid_t tid; /* the thread that hit a halt since the halts were armed; 0: none */
        EZ_VEC(struct ez_jump_back) back; /* jumps back from copies of instructions (halt_trap.h) */
        ez_err *(*renew)(struct ez_target *t, void *arg); /* ez_halts_on_renew() */
        void *renew_arg;
    } halts;
    struct { /* data of catch.c */
        bool kind[EZ_CAUGHT_SIGNAL + 1];
        bool call[EZ_NSYSCALLS], all_calls;
        uint64_t signals; /* bit SIG - 1 */
    } catching;
    uint64_t restorer;   /* address of the restorer in the runtime; 0: none (restorer.c) */
    uint64_t syscall_at; /* address of a system call instruction in the target */
    struct {             /* thread `tid` had no seccomp filter when pt_resumes() returned `when` */
        pid_t tid;
        unsigned long when;
    } free_of_filters;
};

struct ez_queue { /* data of queue.c */
    EZ_VEC(struct ez_event) event;
    size_t head; /* index of the oldest event; earlier events were removed */
};

/* Interface of step.c: */
/* Single-steps thread `th` once, while the other threads stay stopped. *trapped is false if a
 * signal arrived before the step; th->sig then has the signal. */
ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped,
                       const char *why) EZ_WUR;
/* Call it after the last step of a thread: clears the trap flag, so that the thread survives the
 * death of the shell. Does nothing if the thread has a signal (th->sig). */
ez_err *ez_thread_settle(struct ez_target *t, struct ez_thread *th) EZ_WUR;
/* Lets `th` run until it begins a system call at an address in range `from`. ms is the time limit
 * in milliseconds, counting only time in which the shell was scheduled. others: the other threads
 * run, too. EZ_E_REMOTE: a fault stopped `th`. */
ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, struct ez_range from, int ms,
                         bool others, const char *why) EZ_WUR;

/* Interface of signals.c: */
/* Returns true if the signal is delivered without a stop of the target: by `handle` or, without
 * that, the signals of gdb's table and in batch mode all except SIGINT. */
bool ez_signal_passes(const struct ez_target *t, int sig);

/* Interface of sharers.c: */
/* Returns EZ_E_REFUSED if another process shares the target's memory (a sharer). */
ez_err *ez_sharers_none(struct ez_target *t) EZ_WUR;
struct ez_sharers {
    EZ_VEC(pid_t) tid, lent; /* lent: sharers that engine/process traces, too */
};
/* Stops the threads of all sharers, and adds these threads to t's until ez_sharers_release(). The
 * target must be stopped. */
ez_err *ez_sharers_stop(struct ez_target *t, struct ez_sharers *s) EZ_WUR;
void ez_sharers_release(struct ez_target *t, struct ez_sharers *s);

/* Returns true if the live bytes are a whole or partial patch: each byte equals `ours` or `file`,
 * and not all equal `file`. (A partial patch remained if an older eztsh died while it wrote a jump
 * across a page's end.) */
static inline bool ez_patched(const uint8_t *live, const uint8_t *ours, const uint8_t *file,
                              size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (live[i] != ours[i] && live[i] != file[i])
            return false;
        any |= live[i] != file[i];
    }
    return any;
}

/* Interface of sleep_block.c: */
/* ez_sleep_block() releases the stopped thread, which must be the only one of its process, into a
 * block of code that sleeps for ms milliseconds and then continues where the thread was stopped.
 * After an error the thread is still traced. ez_sleep_block_end() moves a stopped thread from that
 * block back to where it was before; *was is true if the thread was in the block.
 * ez_sleep_block_possible() returns false if the main thread of the process is in no such block. */
ez_err *ez_sleep_block(struct ez_target *t, struct ez_thread *th, unsigned ms) EZ_WUR;
bool ez_sleep_block_possible(pid_t pid);
ez_err *ez_sleep_block_end(struct ez_target *t, struct ez_thread *th, bool *was) EZ_WUR;

/* Interface of call.c: */
/* arguments of a call besides the integers, and all registers after the call */
struct ez_call_more {
    const uint8_t *stack; /* contents of the stack arguments */
    size_t nstack;
    uint8_t vector[8][16]; /* contents of the first vector registers */
    unsigned nvectors;
    /* out: the registers after the call; the caller frees `extended` */
    struct ez_regs left;
    uint8_t *extended;
    size_t nextended;
};
struct ez_call {
    uint64_t func;
    const uint64_t *arg;
    size_t n;    /* number of arguments: 6 at most */
    bool others; /* let the other threads run during the call */
    /* time limit in ms, counting only time in which the shell was scheduled; 0: 5,000 */
    int ms;
};
/* Calls the function on thread `th`. */
ez_err *ez_inject_call(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                       uint64_t *result, const char *why) EZ_WUR;
/* Like ez_inject_call(). more NULL: only integer arguments; otherwise arch->abi.call_stack must
 * exist. */
ez_err *ez_inject_call_more(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result, const char *why) EZ_WUR;

/* Interface of ifunc.c: */
/* Sets *target to the function that the IFUNC's resolver at address `resolver` chose, and calls the
 * resolver if the loader has not done so. EZ_E_REMOTE: the call failed, or did not return an
 * address of code. */
ez_err *ez_ifunc_target(struct ez_target *t, uint64_t resolver, uint64_t *target) EZ_WUR;
/* Like ez_ifunc_target(), but never calls the resolver. Returns 0 if the loader has not resolved
 * the IFUNC yet, or if its slots have different values. */
uint64_t ez_ifunc_chosen(struct ez_target *t, uint64_t resolver);

/* Interface of hw_break.c: */
/* Opens a hardware breakpoint in thread tid, and returns its descriptor. EZ_HW_STOP_ALL: also in
 * threads that this thread creates. The siginfo of the SIGTRAP contains `mark`. After an error
 * returns -1 and sets errno; ENODEV: hardware breakpoints never fire on this machine. */
enum ez_hw_break_how { EZ_HW_COUNT, EZ_HW_STOP, EZ_HW_STOP_ALL };
int ez_hw_break(pid_t tid, const struct ez_halt *h, enum ez_hw_break_how how, uint64_t mark);

#endif
