/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inferior.h - the process: its threads, memory and modules, and code that eztsh runs in it. This
 * header has the room's data, and the functions of files with few functions; other files have
 * headers of their names (README.md). For the engine's files only. */
#ifndef EZ_INFERIOR_H
#define EZ_INFERIOR_H

#include <pthread.h>
#include <signal.h>

#include "arch/arch.h"
#include "engine/code/analyze.h"
#include "engine/ezt.h"
#include "engine/base/now.h"
#include "engine/inferior/halt_trap.h"
#include "engine/inferior/proc.h"
#include "engine/inferior/sharers.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"

struct ez_site;
struct ez_target;

struct ez_thread {
    pid_t tid;
    bool stopped;        /* in a ptrace stop, so eztsh may command it */
    bool stop_requested; /* PTRACE_INTERRUPT was sent, and its stop has not been reported yet */
    bool group_stop;     /* stopped by job control, and must stay stopped */
    bool stepped;        /* the thread ran since the stop with `sig` */
    bool reported;       /* `sig` was reported to the user */
    bool deaf;           /* the thread blocks SIGTRAP, and the user was told so */
    unsigned halt;       /* index + 1 of the halt that the thread hit; 0: none */
    uint64_t halted;     /* address of the halt at which the user saw the thread stop; 0: none */
    int sig;             /* signal to deliver when the thread goes on; 0: none */
    bool has_info;
    siginfo_t info; /* of `sig` */
    bool regs_known;
    struct ez_regs regs;
};

struct ez_maps { /* one reading of /proc/PID/maps */
    EZ_VEC(struct ez_map) map;
    uint64_t brk; /* end of the heap, or where the heap will begin; 0: unknown */
    char *text;
};

struct ez_cs { /* a restartable sequence (rseq): [start, end), and its abort handler */
    uint64_t start, end, abort;
};

struct ez_module {
    struct ez_object *obj; /* borrowed from the cache; NULL: unreadable */
    /* path of the file; for the program, the name by which it was run, which may be a link */
    char *path;
    char *mapped; /* name in /proc/PID/maps */
    uint64_t bias, lo, hi;
    bool is_program, seen, fresh, unwind_hooked, jumps_hooked, ends_hooked;
    /* the library is loaded several times, and its probes were made after those of the other
     * copies */
    bool copied;
    bool profiled, profile_hooked; /* for profiled.c; valid after `image` was read */
    struct ez_text *text;          /* text prepared for analysis, on demand */
    uint8_t *image;                /* live bytes of the executable segment */
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
    bool reported; /* the user was told that the file changed */
};

struct ez_late_report {
    pid_t tid;
    int status; /* the report, as from wait() */
};

struct ez_range {
    uint64_t lo, hi;
};

struct ez_guard { /* guard.c */
    uint64_t at;  /* address of the handler's page; 0: steps are unguarded */
    pid_t tid;
    bool stands;
};

enum ez_halt_kind { EZ_HALT_CODE, EZ_HALT_WRITE, EZ_HALT_READ };
struct ez_halt { /* halt.c */
    uint64_t addr;
    enum ez_halt_kind kind;
    unsigned len; /* for watched data: 1, 2, 4 or 8 bytes; addr is a multiple of it */
    /* the halt is opened last, and left out if the processor has no free breakpoint */
    bool spare;
};

struct ez_ifunc_slot { /* a slot that holds, or will hold, the resolver's result (ifunc.c) */
    uint64_t resolver, at;
};

enum ez_birth {
    EZ_BORN_FORK,
    EZ_BORN_VFORK,
    EZ_BORN_CLONE
}; /* CLONE: without a signal at its end */

/* Callbacks to the layers above, about the process (engine/process/session.c). */
struct ez_inferior_ops {
    void (*ended)(struct ez_target *t, enum ez_event_kind kind, int value);
    ez_err *(*execed)(struct ez_target *t, pid_t tid); /* thread tid exec'ed; the others are gone */
    ez_err *(*replaced)(struct ez_target *t);          /* the process exec'ed unseen */
    /* like `replaced`, for a setuid program, which is an error */
    ez_err *(*lost)(struct ez_target *t);
    void (*resuming)(struct ez_target *t); /* the process is about to go on */
    bool (*fault)(struct ez_target *t,
                  /* Returns true, and handles the signal, if it was raised by eztsh's code. */
                  struct ez_thread *th);
    /* returns true if a breakpoint of eztsh was ever planted */
    bool (*traps)(const struct ez_target *t);
    uint64_t (*own_trap)(const struct ez_target *t,
                         /* returns the address of the trampoline for a probe's trap at pc; 0: the
                          * trap is not eztsh's */
                         uint64_t pc);
    /* halt_copy() makes a copy of the instruction, and makes the handler in the target continue
     * there after the halt's trap. halt_stands() records in the journal whether the trap is
     * written. */
    ez_err *(*halt_copy)(struct ez_target *t, struct ez_halt_trap *h);
    void (*halt_stands)(struct ez_target *t, const struct ez_halt_trap *h, bool stands);
    ez_err *(*fork_seen)(struct ez_target *t, pid_t child, enum ez_birth how);
    /* returns true if engine/process waits for a report of that child */
    bool (*child_known)(const struct ez_target *t, pid_t pid);
    ez_err *(*child_report)(struct ez_target *t, pid_t pid, int status); /* pid: no thread of t */
    void (*child_drop)(struct ez_target *t);
    /* child_lend() returns true if pid is a child that the session waits for and that uses the
     * target's memory. Until child_back(), it is treated as a thread of the target. child_back()
     * gets it stopped, and resumes it with that signal. */
    bool (*child_lend)(struct ez_target *t, pid_t pid);
    ez_err *(*child_back)(struct ez_target *t, pid_t pid, int sig);
    /* returns true if the loader tells eztsh when it loads a library */
    bool (*loads_seen)(const struct ez_target *t);
    /* called when the libraries are relocated, before any constructor runs */
    void (*relocated)(struct ez_target *t);
    /* A module was unloaded, and is kept in t->inf.gone; was loaded again; leaves t->inf.gone. */
    void (*unloaded)(struct ez_target *t, struct ez_module *m);
    void (*loaded_again)(struct ez_target *t, struct ez_module *m);
    void (*dropped)(struct ez_target *t, const struct ez_module *m);
    void (*name_code)(
        struct ez_target *t); /* names the code addresses in events, while the modules are known */
};

struct ez_inferior {
    const struct ez_arch *arch;
    const struct ez_inferior_ops *ops;
    struct ez_target *next_target; /* reports.c */
    /* reports for this target that waiting for another target received */
    EZ_VEC(struct ez_late_report) late;
    int sigfd, eventfd;
    struct { /* progress.c */
        ez_progress_fn *fn;
        void *arg;
        pthread_t owner;
        unsigned depth; /* number of nested scopes */
        bool reported, quit;
        const char *what;
        uint64_t done, total;
        double next; /* ez_now_exact() of the next report */
    } progress;
    /* a SIGINT pending for the program has interrupted eztsh's work, and must be dropped */
    bool int_heard;
    char *program; /* file that `run` executes, or NULL (objects.c) */
    struct ez_object *prog_obj;

    enum ez_state state;
    pid_t pid, current;
    bool attached, child, seized;
    int pidfd, memfd; /* memfd: /proc/PID/mem */
    /* a thread was seen whose system calls the program handles itself (Syscall User Dispatch) */
    bool dispatches;
    bool pokes; /* memfd cannot write text: write word by word (mem.c) */
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
    const struct ez_row *old_rows; /* rows of a journal whose patches are in the text, or NULL */
    uint32_t nold_rows;
    bool want_main;   /* `start`: stop at main once the libraries are loaded */
    bool want_ready;  /* after an exec: stop once the libraries are loaded (`set stop-at-exec`) */
    bool at_ready;    /* the process is stopped at that moment: no constructor has run yet */
    uint64_t temp_bp; /* address of a temporary breakpoint; 0: none */
    uint8_t temp_bp_byte[4];
    int temp_bp_fd; /* hardware breakpoint; -1: a trap instruction is written */
    struct ez_guard temp_bp_guard;
    struct { /* halt.c */
        EZ_VEC(struct ez_halt) want;
        EZ_VEC(int) fd;
        EZ_VEC(struct ez_halt_trap) trap; /* all traps that were ever written in this image */
        bool armed;
        struct ez_guard guard;
        pid_t tid; /* a thread that hit a halt after the halts were armed; 0: none */
        EZ_VEC(struct ez_jump_back) back; /* jumps of copies of instructions (halt_trap.h) */
        ez_err *(*renew)(struct ez_target *t, void *arg); /* ez_halts_on_renew() */
        void *renew_arg;
    } halts;
    uint64_t restorer;   /* address of the restorer in the runtime; 0: none (restorer.c) */
    uint64_t syscall_at; /* address of a system call instruction in the target */
    struct {             /* thread `tid` had no seccomp filter when pt_resumes() was `when` */
        pid_t tid;
        unsigned long when;
    } free_of_filters;
};

struct ez_queue { /* queue.c */
    EZ_VEC(struct ez_event) event;
    size_t head; /* index of the oldest event; earlier events were removed */
};

/* step.c */
/* Steps thread `th` once, while the others stay stopped. *trapped is false if a signal came first,
 * which is then kept in th->sig. */
ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped,
                       const char *why) EZ_WUR;
/* Must be called after steps: brings the thread into a state in which it survives the death of the
 * shell. */
ez_err *ez_thread_settle(struct ez_target *t, struct ez_thread *th) EZ_WUR;
/* Lets only `th` run until it begins a system call in the range, for at most ms milliseconds of
 * time in which the shell was scheduled. others: lets the other threads run too. EZ_E_REMOTE: a
 * fault ended it. */
ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, struct ez_range from, int ms,
                         bool others, const char *why) EZ_WUR;

/* signals.c */
/* Returns true if the signal goes to the program without a report to the user. (GDB's table; batch:
 * all except SIGINT.) */
bool ez_signal_passes(const struct ez_target *t, int sig);

/* sharers.c */
/* Returns EZ_E_REFUSED if there is a sharer. */
ez_err *ez_sharers_none(struct ez_target *t) EZ_WUR;
struct ez_sharers {
    EZ_VEC(pid_t) tid, lent; /* lent: those that engine/process traces, too */
};
/* Stops the threads of all sharers, and adds them to t's threads until they are released. The
 * target must be stopped. */
ez_err *ez_sharers_stop(struct ez_target *t, struct ez_sharers *s) EZ_WUR;
void ez_sharers_release(struct ez_target *t, struct ez_sharers *s);

/* Returns true if the live bytes are a patch, or a part of one: each byte is eztsh's or the file's,
 * and not all are the file's. (A part remained if an older eztsh died while it wrote a jump across
 * a page's end.) */
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

/* sleep_block.c */
/* ez_sleep_block() makes the stopped thread, which must be the only one of its process, sleep for
 * ms milliseconds in a block, and releases it; then it goes on where it was. After an error it is
 * still traced. ez_sleep_block_end() moves a stopped thread that sleeps in this way back to where
 * it was; *was is true if it slept so. ez_sleep_block_possible() returns false if no thread of the
 * process can sleep so. */
ez_err *ez_sleep_block(struct ez_target *t, struct ez_thread *th, unsigned ms) EZ_WUR;
bool ez_sleep_block_possible(pid_t pid);
ez_err *ez_sleep_block_end(struct ez_target *t, struct ez_thread *th, bool *was) EZ_WUR;

/* call.c */
struct ez_call_more {     /* arguments of a call besides integers, and the results */
    const uint8_t *stack; /* arguments on the stack */
    size_t nstack;
    uint8_t vector[8][16]; /* contents of the first vector registers */
    unsigned nvectors;
    /* result: the registers after the call; the caller frees the extended ones */
    struct ez_regs left;
    uint8_t *extended;
    size_t nextended;
};
struct ez_call {
    uint64_t func;
    const uint64_t *arg;
    size_t n;    /* size of arg: 6 at most */
    bool others; /* let the other threads run meanwhile */
    int ms;      /* time limit in ms of time in which the shell was scheduled; 0: 5,000 */
};
/* Calls the function on thread `th`. */
ez_err *ez_inject_call(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                       uint64_t *result, const char *why) EZ_WUR;
/* Like ez_inject_call(). more NULL: only integer arguments; otherwise arch->abi.call_stack must
 * exist. */
ez_err *ez_inject_call_more(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result, const char *why) EZ_WUR;

/* ifunc.c */
/* Finds the function that an IFUNC's resolver chose, or calls the resolver. EZ_E_REMOTE: the
 * resolver cannot be called. */
ez_err *ez_ifunc_target(struct ez_target *t, uint64_t resolver, uint64_t *target) EZ_WUR;
/* Returns the function without calling the resolver, or 0 if the loader has not resolved it yet, or
 * if its slots have different values. */
uint64_t ez_ifunc_chosen(struct ez_target *t, uint64_t resolver);

/* hw_break.c */
/* Opens a hardware breakpoint in thread tid, and returns its descriptor. EZ_HW_STOP_ALL: also in
 * threads that this thread creates. The siginfo of the SIGTRAP contains `mark`. Returns -1 if that
 * is impossible, with errno; ENODEV: such breakpoints never fire on this machine. */
enum ez_hw_break_how { EZ_HW_COUNT, EZ_HW_STOP, EZ_HW_STOP_ALL };
int ez_hw_break(pid_t tid, const struct ez_halt *h, enum ez_hw_break_how how, uint64_t mark);

#endif
