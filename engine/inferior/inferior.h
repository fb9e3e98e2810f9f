/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inferior.h - the process: its threads, memory and modules, and code that eztsh makes it run. What the room keeps
 * of it, and the functions of files that have few; the others' stand in headers of their names (README.md).
 * For the engine's files only. */
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
    bool stopped;        /* in a ptrace stop: we may command it                   */
    bool stop_requested; /* PTRACE_INTERRUPT sent, its stop not seen yet          */
    bool group_stop;     /* stopped by job control: must stay stopped             */
    bool stepped;        /* it ran since the stop that brought `sig`              */
    bool reported;       /* `sig` was reported to the user                         */
    bool deaf;           /* it blocks SIGTRAP, and that was told                   */
    unsigned halt;       /* it hit that halt, by its index + 1; 0 = none             */
    uint64_t halted;     /* where it stopped at a halt that the user heard of; 0 = nowhere */
    int sig;             /* signal to deliver when the thread goes on, 0 = none   */
    bool has_info;
    siginfo_t info; /* of `sig`                                              */
    bool regs_known;
    struct ez_regs regs;
};

struct ez_maps { /* one reading of /proc/PID/maps */
    EZ_VEC(struct ez_map) map;
    uint64_t brk; /* end of the heap, or where it will begin; 0 = unknown        */
    char *text;
};

struct ez_cs { /* a restartable sequence (rseq): [start, end), and its abort handler */
    uint64_t start, end, abort;
};

struct ez_module {
    struct ez_object *obj; /* borrowed from the cache; NULL = unreadable       */
    char *path;            /* for the program: the name it was run by, maybe a link      */
    char *mapped;          /* the name in /proc/PID/maps                           */
    uint64_t bias, lo, hi;
    bool is_program, seen, fresh, unwind_hooked, jumps_hooked, ends_hooked;
    bool copied; /* its probes were made after those of the library's other copies    */
    bool profiled, profile_hooked; /* profiled.c; known from when `image` is             */
    struct ez_text *text;          /* the text prepared for analysis, made on demand   */
    uint8_t *image;                /* live bytes of the executable segment             */
    struct ez_func *funcs;
    size_t nfuncs;
    EZ_VEC(struct ez_pointer) pointer; /* pointers into the image                */
    EZ_VEC(struct ez_cs) cs;
    EZ_VEC(unsigned) rule; /* serials of rules that were applied to the module */
    uint64_t image_va;
    size_t image_len;
};

struct ez_file_entry {
    struct ez_object *obj;
    bool reported; /* the user was told that the file changed                          */
};

struct ez_late_report {
    pid_t tid;
    int status; /* as of wait()                                                 */
};

struct ez_range {
    uint64_t lo, hi;
};

struct ez_guard { /* guard.c */
    uint64_t at;  /* address of the handler's page; 0 = steps are unguarded */
    pid_t tid;
    bool stands;
};

enum ez_halt_kind { EZ_HALT_CODE, EZ_HALT_WRITE, EZ_HALT_READ };
struct ez_halt { /* halt.c */
    uint64_t addr;
    enum ez_halt_kind kind;
    unsigned len; /* of data: 1, 2, 4 or 8, and addr a multiple of it */
    bool spare;   /* armed last; left out if the places are taken         */
};

struct ez_ifunc_slot { /* a word that holds, or will hold, the resolver's choice (ifunc.c) */
    uint64_t resolver, at;
};

enum ez_birth {
    EZ_BORN_FORK,
    EZ_BORN_VFORK,
    EZ_BORN_CLONE
}; /* CLONE: without a signal at its end */

/* Callbacks to the layers above the inferior, for what happens to the process
 * (engine/session/process.c). */
struct ez_inferior_ops {
    void (*ended)(struct ez_target *t, enum ez_event_kind kind, int value);
    ez_err *(*execed)(struct ez_target *t, pid_t tid); /* thread tid did; the others are gone */
    ez_err *(*replaced)(struct ez_target *t);          /* the process exec'ed unseen         */
    ez_err *(*lost)(struct ez_target *t);              /* the same, a setuid program: an error */
    void (*resuming)(struct ez_target *t);             /* the process is about to go on      */
    bool (*fault)(struct ez_target *t,
                  struct ez_thread *th);      /* is its signal code's of ours? Then it
                                                               * is taken care of         */
    bool (*traps)(const struct ez_target *t); /* was a breakpoint of ours ever planted?        */
    uint64_t (*own_trap)(const struct ez_target *t,
                         uint64_t pc); /* its trampoline; 0 = not ours   */
    /* Have the handler in the target lead from that halt's trap to a copy of the instruction; note in
     * the journal whether the trap stands. */
    ez_err *(*halt_copy)(struct ez_target *t, struct ez_halt_trap *h);
    void (*halt_stands)(struct ez_target *t, const struct ez_halt_trap *h, bool stands);
    ez_err *(*fork_seen)(struct ez_target *t, pid_t child, enum ez_birth how);
    bool (*child_known)(const struct ez_target *t, pid_t pid); /* a child that is awaited   */
    ez_err *(*child_report)(struct ez_target *t, pid_t pid, int status); /* pid: no thread of t */
    void (*child_drop)(struct ez_target *t);
    /* Is pid a child that is awaited and lives in the target's memory? Until child_back it is a thread as others,
     * and no child; then it is stopped, and goes on with that signal. */
    bool (*child_lend)(struct ez_target *t, pid_t pid);
    ez_err *(*child_back)(struct ez_target *t, pid_t pid, int sig);
    bool (*loads_seen)(const struct ez_target *t); /* are the loader's doings heard of?       */
    void (*relocated)(struct ez_target *t); /* the libraries are; no constructor has run      */
    /* A module was unloaded, and is kept in t->inf.gone; was loaded again; leaves t->inf.gone. */
    void (*unloaded)(struct ez_target *t, struct ez_module *m);
    void (*loaded_again)(struct ez_target *t, struct ez_module *m);
    void (*dropped)(struct ez_target *t, const struct ez_module *m);
    void (*name_code)(
        struct ez_target *t); /* the addresses in code that events carry; modules are known */
};

struct ez_inferior {
    const struct ez_arch *arch;
    const struct ez_inferior_ops *ops;
    struct ez_target *next_target;      /* reports.c */
    EZ_VEC(struct ez_late_report) late; /* of this target, met while another waited */
    int sigfd, eventfd;
    struct { /* progress.c */
        ez_busy_fn *fn;
        void *arg;
        pthread_t owner;
        unsigned depth; /* of scopes                                                      */
        bool reported, quit;
        const char *what;
        uint64_t done, total;
        double next; /* when to tell again, ez_now_exact()                             */
    } busy;
    bool int_heard; /* a SIGINT pending for the program has ended our work: drop that signal */
    char *program;  /* path of the file that `run` executes, or NULL (objects.c)             */
    struct ez_object *prog_obj;

    enum ez_state state;
    pid_t pid, current;
    bool attached, child, seized;
    int pidfd, memfd; /* memfd: /proc/PID/mem                                  */
    bool dispatches;  /* a thread was seen whose system calls are dispatched to the program */
    bool pokes;       /* memfd cannot write text: write word by word (mem.c)   */
    EZ_VEC(struct ez_thread *) thread;
    EZ_VEC(pid_t) orphan;                    /* could not be let go: each is at its next stop */
    EZ_VEC(struct ez_module *) module, gone; /* gone: unloaded, and may come again (unloaded.c)   */
    EZ_VEC(struct ez_file_entry) object;     /* files read so far                             */
    struct {
        bool known; /* `slot` fits the modules that are loaded now          */
        EZ_VEC(struct ez_ifunc_slot) slot;
    } ifunc;
    EZ_VEC(struct ez_cs) cs;       /* rseq areas that threads had when last read       */
    const struct ez_row *old_rows; /* of a journal whose patches are in the text, else NULL */
    uint32_t nold_rows;
    bool want_main;   /* `start`: stop at main once the libraries are there     */
    bool want_ready;  /* after an exec: stop once they are there (`set stop-at-exec`) */
    bool at_ready;    /* it stands there: no constructor has run yet                */
    uint64_t temp_bp; /* address of a temporary breakpoint, 0 = none           */
    uint8_t temp_bp_byte[4];
    int temp_bp_fd; /* of the hardware breakpoint; -1 = a trap instruction is written */
    struct ez_guard temp_bp_guard;
    struct { /* halt.c */
        EZ_VEC(struct ez_halt) want;
        EZ_VEC(int) fd;
        EZ_VEC(struct ez_halt_trap) trap; /* all that stood in this image            */
        bool armed;
        struct ez_guard guard;
        pid_t tid; /* the thread that hit one, 0 = none has since they were armed   */
        EZ_VEC(struct ez_jump_back) back; /* of copies of instructions (halt_trap.h)       */
        ez_err *(*renew)(struct ez_target *t, void *arg); /* ez_halts_on_renew() */
        void *renew_arg;
    } halts;
    uint64_t restorer;   /* where the runtime has its restorer, 0 = nowhere (restorer.c) */
    uint64_t syscall_at; /* a system call instruction in the target            */
    struct {             /* `tid` has no seccomp filter as long as pt_resumes() is still `when` */
        pid_t tid;
        unsigned long when;
    } free_of_filters;
};

struct ez_queue { /* queue.c */
    EZ_VEC(struct ez_event) event;
    size_t head; /* events before it were taken                             */
};

/* step.c */
/* Step thread `th` once, while the others stay stopped. *trapped false = a signal came first; it
 * is kept in th->sig. */
ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped,
                       const char *why) EZ_WUR;
/* After steps: bring the thread into a state in which it survives the death of the shell. */
ez_err *ez_thread_settle(struct ez_target *t, struct ez_thread *th) EZ_WUR;
/* Let only `th` run until it begins a system call in the range, for at most ms milliseconds in which the shell was
 * scheduled; `others` = let the other threads run too. EZ_E_REMOTE: a fault ended it. */
ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, struct ez_range from, int ms,
                         bool others, const char *why) EZ_WUR;

/* signals.c */
/* Does the signal go to the program without a word to the user? (GDB's table; batch: all but
 * SIGINT.) */
bool ez_signal_passes(const struct ez_target *t, int sig);

/* sharers.c */
ez_err *ez_sharers_none(struct ez_target *t) EZ_WUR; /* EZ_E_REFUSED: there is a sharer */
struct ez_sharers {
    EZ_VEC(pid_t) tid, lent; /* lent: those of them that the session traces, too */
};
/* Stops the threads of all sharers and adds them to t's threads until they are released. The
 * world must be stopped. */
ez_err *ez_sharers_stop(struct ez_target *t, struct ez_sharers *s) EZ_WUR;
void ez_sharers_release(struct ez_target *t, struct ez_sharers *s);

/* True if each live byte is ours or the file's, and not all are the file's: a patch, or the rest of
 * one from a shell that died while it wrote across a page's end (jumps now lie within one page). */
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
/* Let the stopped thread, the only one of its process, sleep for so many milliseconds in a block, and let go
 * of it; then it goes on where it was. After an error it is still ours. ez_doze_end: if the stopped thread
 * dozes so, it stands where it was; *was = it did. ez_may_doze: false = the process does not sleep so, for sure. */
ez_err *ez_doze(struct ez_target *t, struct ez_thread *th, unsigned ms) EZ_WUR;
bool ez_may_doze(pid_t pid);
ez_err *ez_doze_end(struct ez_target *t, struct ez_thread *th, bool *was) EZ_WUR;

/* call.c */
struct ez_call_more {     /* what a call passes besides integers, and what it leaves            */
    const uint8_t *stack; /* arguments on the stack                                      */
    size_t nstack;
    uint8_t vector[8][16]; /* in the first vector registers                              */
    unsigned nvectors;
    struct ez_regs left; /* out: the registers with results; owned: the extended ones     */
    uint8_t *extended;
    size_t nextended;
};
struct ez_call {
    uint64_t func;
    const uint64_t *arg;
    size_t n;    /* of arg: 6 at most                                           */
    bool others; /* the other threads run meanwhile                             */
    int ms; /* the call's limit, 0 = 5,000; time in which the shell was not scheduled does not count */
};
/* Make the call on thread `th`. */
ez_err *ez_inject_call(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                       uint64_t *result, const char *why) EZ_WUR;
/* More: NULL = integers alone; else the processor's arch->call_stack is there. */
ez_err *ez_inject_call_more(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result, const char *why) EZ_WUR;

/* ifunc.c */
/* The function that an IFUNC's resolver chose, or chooses when called. EZ_E_REMOTE: the
 * resolver cannot be called. */
ez_err *ez_ifunc_target(struct ez_target *t, uint64_t resolver, uint64_t *target) EZ_WUR;
/* The same without a question: 0 = the loader has not resolved it yet, or its users have different ones. */
uint64_t ez_ifunc_chosen(struct ez_target *t, uint64_t resolver);

/* hw_break.c */
/* Opens a breakpoint of the processor in thread tid, and returns its descriptor. EZ_HW_STOP_ALL:
 * in the threads that it makes, too. A stop's signal carries `mark`. -1: it cannot be had, errno says why;
 * ENODEV: such breakpoints never fire on this machine. */
enum ez_hw_break_how { EZ_HW_COUNT, EZ_HW_STOP, EZ_HW_STOP_ALL };
int ez_hw_break(pid_t tid, const struct ez_halt *h, enum ez_hw_break_how how, uint64_t mark);

#endif
