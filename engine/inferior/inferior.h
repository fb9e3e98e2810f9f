/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inferior.h - the process: its threads, memory and modules, and code that eztsh makes it run.
 * For the engine's files only.
 *
 *   thread.c   threads, what a report means          stop.c     stop and resume the world
 *   reports.c  which target a report is for          proc.c     what /proc says of tasks
 *   step.c     steps and short runs                  mem.c      read and write memory
 *   maps.c     mappings and gaps between them        modules.c  the objects that are mapped
 *   objects.c  which file is mapped, its symbols     gone.c     libraries that may come again
 *   inject.c   system calls, call.c: functions       restorer.c   the blocks in which they run
 *   halt.c     breakpoints of the processor            doze.c     sleep without a shell
 *   rseq.c     restartable sequences                 image.c    the text of a module
 *   queue.c    events                                busy.c     long work: progress, giving up
 *   begin.c    what it keeps of a process, from begin to end */
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
    bool stopped;    /* in a ptrace stop: we may command it                   */
    bool asked;      /* PTRACE_INTERRUPT sent, its stop not seen yet          */
    bool group_stop; /* stopped by job control: must stay stopped             */
    bool stepped;    /* it ran since the stop that brought `sig`              */
    bool told;       /* `sig` was reported to the user                         */
    bool deaf;       /* it blocks SIGTRAP, and that was told                   */
    unsigned halt;   /* it hit that halt, by its index + 1; 0 = none             */
    uint64_t halted; /* where it stopped at a halt that the user heard of; 0 = nowhere */
    int sig;         /* signal to deliver when the thread goes on, 0 = none   */
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
    bool told; /* the user was told that the file changed                          */
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
    uint64_t (*own_trap)(const struct ez_target *t, uint64_t pc); /* its stub; 0 = not ours   */
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
    struct { /* busy.c */
        ez_busy_fn *fn;
        void *arg;
        pthread_t owner;
        unsigned depth; /* of scopes                                                      */
        bool told, quit;
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
    EZ_VEC(pid_t) stray;                     /* could not be let go: each is at its next stop */
    EZ_VEC(struct ez_module *) module, gone; /* gone: unloaded, and may come again (gone.c)   */
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

/* begin.c: what the inferior keeps of a process, from its begin to its end */
ez_err *ez_inferior_create(struct ez_target *t, const struct ez_inferior_ops *ops) EZ_WUR;
void ez_inferior_free(struct ez_target *t);
/* Process `pid` is the target's from now on. `child`: eztsh started it. `attached`: it is to be let
 * go when the target ends. The process counts as in the background until
 * ez_inferior_stands() or ez_world_stop(). */
void ez_inferior_begin(struct ez_target *t, pid_t pid, bool attached, bool child);
/* The new process's only thread is traced and stopped. */
void ez_inferior_stands(struct ez_target *t);
/* All threads were let go: the process runs untraced. */
void ez_inferior_background(struct ez_target *t);
/* The process has exec'ed, and its only thread is stopped. */
void ez_inferior_execed(struct ez_target *t);
void ez_inferior_end(struct ez_target *t); /* nothing of the process stays */
/* The file that `run` executes (NULL = none), and its symbols. */
void ez_inferior_program(struct ez_target *t, const char *path, struct ez_object *obj);

/* queue.c */
void ez_post(struct ez_target *t, struct ez_event ev);
void ez_post_note(struct ez_target *t, const char *fmt, ...) EZ_PRINTF(2, 3);
bool ez_queue_take(struct ez_target *t, struct ez_event *ev); /* false = there is none */
void ez_queue_drop(struct ez_target *t);                      /* all that nobody took  */

/* busy.c */
void ez_busy_begin(struct ez_target *t);
ez_err *ez_busy_end(struct ez_target *t, ez_err *e) EZ_WUR; /* returns e */
bool ez_busy_took_int(struct ez_target *t); /* has the pending SIGINT ended our work? once */
ez_err *ez_busy_step(struct ez_target *t, const char *what, uint64_t done, uint64_t total) EZ_WUR;

/* thread.c: EZ_E_STATE if there is no process, or if it runs */
ez_err *ez_need_process(struct ez_target *t) EZ_WUR;
ez_err *ez_need_strategy(void) EZ_WUR; /* image.c: can anything be planted? */
ez_err *ez_need_stopped(struct ez_target *t) EZ_WUR;

/* thread.c, stop.c, step.c (and stop.h) */
struct ez_thread *ez_thread_find(struct ez_target *t, pid_t tid);
struct ez_thread *ez_thread_current(struct ez_target *t);
void ez_thread_select(struct ez_target *t, pid_t tid); /* it becomes the current one */
/* The task whose /proc files show the memory and all else that threads share: the main thread,
 * or another one if the main thread has ended (pthread_exit in main) and shows nothing. */
pid_t ez_live_tid(struct ez_target *t);
/* Stops every thread, and scans again until no new one appears. *was = the state to pass to
 * ez_world_resume. EZ_E_GONE: the process ended meanwhile. */
ez_err *ez_world_stop(struct ez_target *t, enum ez_state *was) EZ_WUR;
ez_err *ez_world_resume(struct ez_target *t, enum ez_state was) EZ_WUR;
/* Let every thread go on under ptrace. */
ez_err *ez_threads_cont(struct ez_target *t) EZ_WUR;
void ez_thread_stray(struct ez_target *t, pid_t tid); /* to be let go at its next stop */
ez_err *ez_threads_detach(struct ez_target *t) EZ_WUR;
ez_err *ez_thread_regs(struct ez_thread *th, struct ez_regs **regs) EZ_WUR;
ez_err *ez_thread_set_regs(struct ez_thread *th, const struct ez_regs *regs) EZ_WUR;
/* Step thread `th` once, while the others stay stopped. *trapped false = a signal came first; it
 * is kept in th->sig. */
ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped,
                       const char *why) EZ_WUR;
/* After steps: bring the thread into a state in which it survives the death of the shell. */
ez_err *ez_thread_settle(struct ez_target *t, struct ez_thread *th) EZ_WUR;
/* Does the signal go to the program without a word to the user? (GDB's table; batch: all but
 * SIGINT.) */
bool ez_signal_passes(const struct ez_target *t, int sig);
/* Let only `th` run until it begins a system call in the range, for at most ms milliseconds in which the shell was
 * scheduled; `others` = let the other threads run too. EZ_E_REMOTE: a fault ended it. */
ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, struct ez_range from, int ms,
                         bool others, const char *why) EZ_WUR;
/* If the thread hit a breakpoint of ours and our stop came before the SIGTRAP: let the signal come
 * now, because the bytes under the thread are about to change. ez_traps_settle does so for all
 * threads that stand at such a breakpoint. */
ez_err *ez_thread_take_trap(struct ez_target *t, struct ez_thread *th) EZ_WUR;
ez_err *ez_traps_settle(struct ez_target *t) EZ_WUR;
struct ez_thread *ez_thread_add(struct ez_target *t, pid_t tid);
void ez_threads_clear(struct ez_target *t);

/* reports.c */
/* Makes the descriptors that wake t, and registers t until ez_reports_end(). */
ez_err *ez_reports_begin(struct ez_target *t) EZ_WUR;
void ez_reports_end(struct ez_target *t);
/* As pt_wait(), for t's reports alone; tid -1 = any of its threads and of its children. */
ez_err *ez_report(struct ez_target *t, pid_t tid, int flags, int *status, pid_t *got,
                  const char *why) EZ_WUR;
/* Sleep until the kernel reports or ms passed. */
void ez_wait_report(struct ez_target *t, int ms);

/* sharers.c */
ez_err *ez_sharers_none(struct ez_target *t) EZ_WUR; /* EZ_E_REFUSED: there is a sharer */
struct ez_sharers {
    EZ_VEC(pid_t) tid, lent; /* lent: those of them that the session traces, too */
};
/* Stops the threads of all sharers and adds them to t's threads until they are released. The
 * world must be stopped. */
ez_err *ez_sharers_stop(struct ez_target *t, struct ez_sharers *s) EZ_WUR;
void ez_sharers_release(struct ez_target *t, struct ez_sharers *s);

/* maps.c */
bool ez_map_is_ours(
    const struct ez_map *m); /* the runtime's memory that is shared with the shell */
ez_err *ez_maps_read(pid_t pid, struct ez_maps *m) EZ_WUR;
void ez_maps_free(struct ez_maps *m);
/* The first address from lo to hi (both included) at which `size` bytes lie in pages that no
 * mapping uses or will grow into; 0 = none. */
uint64_t ez_maps_free_at(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size);
/* A free address far from all mappings, for memory that need not be near code: memory near code
 * is scarce. It lies below the libraries or the stack, because sanitizers refuse mappings in the
 * middle. *behind: so many bytes from there on are free, EZ_FAR_SIZE at most. */
uint64_t ez_maps_far(const struct ez_maps *m, uint64_t *behind);
#define EZ_FAR_SIZE (1ull << 38) /* ThreadSanitizer leaves 500 GiB in all */
/* A free range of `size` bytes within reach of [lo, hi); 0 = none. */
uint64_t ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                     int64_t reach);

/* modules.c */
ez_err *ez_modules_refresh(struct ez_target *t) EZ_WUR; /* sets `fresh` on new ones */
void ez_modules_clear(struct ez_target *t);
struct ez_module_info ez_module_info_of(const struct ez_module *m);
struct ez_module *ez_module_at(struct ez_target *t, uint64_t addr);
struct ez_module *ez_module_program(const struct ez_target *t);
struct ez_module *ez_module_loader(struct ez_target *t);
uint64_t ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name);
/* The same of the first module that has one of that name; 0 = none has. */
uint64_t ez_symbol_in_any(struct ez_target *t, const char *name);
/* Is it a program that was compiled for gprof (gcc -pg)? */
bool ez_module_profiled(struct ez_target *t, const struct ez_module *m);
/* NULL if this eztsh can work on the program that runs in the process. */
ez_err *ez_image_known(struct ez_target *t) EZ_WUR;
/* True if the process exec'ed in the background since it was last looked at. */
bool ez_image_changed(struct ez_target *t);
/* The symbol that begins at addr; NULL = none (probe *ADDR inside a function). */
const struct ez_sym *ez_begins_at(struct ez_target *t, uint64_t addr);

/* gone.c */
void ez_module_free(struct ez_module *m);
void ez_module_gone(struct ez_target *t, struct ez_module *m);
/* Returns the module that was kept if m is the same library again (m is freed then), else m. */
struct ez_module *ez_module_again(struct ez_target *t, struct ez_module *m);
void ez_gone_clear(struct ez_target *t);

/* objects.c */
ez_err *ez_object_cached(struct ez_target *t, const char *path, const char *display,
                         struct ez_object **out) EZ_WUR;
/* The object of the file that `m` maps; `m` shows the file's first bytes. */
ez_err *ez_object_mapped(struct ez_target *t, const struct ez_map *m,
                         struct ez_object **out) EZ_WUR;
/* The name of the mapped file, also when that was deleted or replaced: what is known by name holds
 * for the file that takes its place, too. The caller frees. */
char *ez_mapped_name(const struct ez_map *m);
/* Sets m->path of the program to the name it was run by, if that still leads to the file. */
void ez_run_name(struct ez_target *t, struct ez_module *m);
const char *ez_program_name(const struct ez_target *t); /* of the process; NULL = unknown */
void ez_objects_changed(struct ez_target *t);           /* posts a note, once for each object */

/* mem.c */
ez_err *ez_mem_open(struct ez_target *t) EZ_WUR;
int ez_fetch_fd(struct ez_target *t,
                int there); /* the target's descriptor `there` as one of ours; -1, errno */
ez_err *ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n) EZ_WUR;
size_t ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n);
size_t ez_mem_read_raw(struct ez_target *t, uint64_t from, void *buf,
                       size_t n); /* with the traps of halts */
/* In the memory of another process, if `was` stands there: n bytes, 16 at most, of one page. */
void ez_mem_swap_of(pid_t pid, uint64_t at, const void *was, const void *is, size_t n);
/* Works on read-only and executable pages too. Bytes within one page are written at once: all or
 * none of them, whichever process is killed. */
ez_err *ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n,
                     const char *why) EZ_WUR;
ez_err *ez_mem_read_string(struct ez_target *t, uint64_t from, char *buf, size_t n) EZ_WUR;

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

/* restorer.c */
/* ez_restorer_is: the runtime has the restorer at `at`, 0 = it has none. ez_restorer_for: an address at
 * which this thread can use a restorer now, 0 = none. */
void ez_restorer_is(struct ez_target *t, uint64_t at);
uint64_t ez_restorer_for(struct ez_target *t, struct ez_thread *th);
ez_err *ez_restorer_tidy(struct ez_target *t) EZ_WUR; /* wipes the block of a shell that died */
struct ez_syscall {
    long nr;
    const uint64_t *arg; /* six                                            */
    bool copies;         /* it copies the process: without us the copy must end */
};
ez_err *ez_restorer_inject(struct ez_target *t, struct ez_thread *th, uint64_t at,
                           const struct ez_syscall *call, int64_t *result, const char *why) EZ_WUR;

/* doze.c: let the stopped thread, the only one of its process, sleep for so many milliseconds in a block, and let go
 * of it; then it goes on where it was. After an error it is still ours. ez_doze_end: if the stopped thread
 * dozes so, it stands where it was; *was = it did. ez_may_doze: false = the process does not sleep so, for sure. */
ez_err *ez_doze(struct ez_target *t, struct ez_thread *th, unsigned ms) EZ_WUR;
bool ez_may_doze(pid_t pid);
ez_err *ez_doze_end(struct ez_target *t, struct ez_thread *th, bool *was) EZ_WUR;

/* inject.c */
ez_err *ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr, const uint64_t arg[6],
                          int64_t *result, const char *why) EZ_WUR;
/* The answer of a system call in the target as an error: "WHAT: ENOMEM (Cannot allocate memory), to
 * WHY" (why NULL = not said). EZ_E_REMOTE with the target's errno; NULL = the call succeeded. */
ez_err *ez_inject_error(int64_t result, const char *what, const char *why) EZ_WUR;
struct ez_mmap { /* the arguments of mmap(); a file is always mapped from offset 0         */
    uint64_t at, size;
    int prot, flags;
    int fd; /* a descriptor of the target; used without MAP_ANONYMOUS             */
};
ez_err *ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                       const char *why) EZ_WUR;
/* May we make system calls in the process? EZ_E_SECCOMP: a filter might kill it. */
ez_err *ez_inject_allowed(struct ez_target *t) EZ_WUR;
struct ez_thread *ez_inject_thread(struct ez_target *t);
struct ez_copy {      /* a copy of the process; each pid namespace has its own number */
    pid_t pid, inner; /* its pid for us; for the target                       */
    uint64_t mask;    /* signals that the copy should hold back                   */
};
/* Copy the process, with thread `th` alone. The copy is traced and runs nothing before
 * we let it; the target gets no signal when the copy ends. out->pid is set whenever there is a
 * copy, even after an error: the caller kills it, collects it, then calls ez_inject_reap. */
ez_err *ez_inject_copy(struct ez_target *t, struct ez_thread *th, struct ez_copy *out) EZ_WUR;
/* Free the target of the dead copy. */
ez_err *ez_inject_reap(struct ez_target *t, struct ez_thread *th, pid_t inner) EZ_WUR;

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
/* more: NULL = integers alone; else the processor's arch->call_stack is there. */
ez_err *ez_inject_call_more(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result, const char *why) EZ_WUR;

/* ifunc.c: the function that an IFUNC's resolver chose, or chooses when called. EZ_E_REMOTE: the
 * resolver cannot be called. */
ez_err *ez_ifunc_target(struct ez_target *t, uint64_t resolver, uint64_t *target) EZ_WUR;
/* The same without a question: 0 = the loader has not resolved it yet, or its users have different ones. */
uint64_t ez_ifunc_chosen(struct ez_target *t, uint64_t resolver);

/* hw_break.c: opens a breakpoint of the processor in thread tid, and returns its descriptor. EZ_HW_STOP_ALL:
 * in the threads that it makes, too. A stop's signal carries `mark`. -1: it cannot be had, errno says why;
 * ENODEV: such breakpoints never fire on this machine. */
enum ez_hw_break_how { EZ_HW_COUNT, EZ_HW_STOP, EZ_HW_STOP_ALL };
int ez_hw_break(pid_t tid, const struct ez_halt *h, enum ez_hw_break_how how, uint64_t mark);

/* temp_bp.c */
ez_err *ez_temp_bp_set(struct ez_target *t, uint64_t addr) EZ_WUR;
ez_err *ez_temp_bp_clear(struct ez_target *t) EZ_WUR;
ez_err *
ez_temp_bp_unguard(struct ez_target *t) EZ_WUR; /* removes the guard of a cleared one; stopped */
void ez_temp_bp_forget(struct ez_target *t);    /* the process is gone, or its image */
void ez_temp_bp_again(struct ez_target *t); /* the process goes on: hits not told of come again */
uint64_t ez_temp_bp_pc(const struct ez_target *t); /* pc of a thread that hit it        */
ez_err *ez_stop_at_main(struct ez_target *t) EZ_WUR;
/* Stop there once the libraries are loaded. */
void ez_stop_at_main_later(struct ez_target *t, bool stop);
/* `set stop-at-exec`: stop once the new program is ready to run. */
void ez_stop_ready_later(struct ez_target *t, bool stop);
/* The world stands, and it is: says so. */
ez_err *ez_stop_ready(struct ez_target *t) EZ_WUR;

/* halt.c; world stopped. ez_halts_arm opens all that are wanted; threads that a halt stopped pass
 * it. EZ_E_LIMIT: the processor has not as many; EZ_E_PERM. ez_halts_end also takes the guard down,
 * which ez_halts_arm sets. ez_halts_forget: the process is gone, or its image. */
void ez_halts_want(struct ez_target *t, const struct ez_halt *h);
void ez_halts_none(struct ez_target *t);
void ez_halts_close(struct ez_target *t); /* not armed any more */
ez_err *ez_halts_arm(struct ez_target *t) EZ_WUR;
void ez_halts_guard(struct ez_target *t);
/* Takes that guard down; true = it stood. */
ez_err *ez_halts_unguard(struct ez_target *t, bool *stood) EZ_WUR;
ez_err *ez_halts_end(struct ez_target *t) EZ_WUR;
void ez_halts_forget(struct ez_target *t);
/* All have stopped because thread tid hit one: they are not armed any more. ez_halts_take: that thread,
 * once; 0 = there is none. */
void ez_halts_stopped(struct ez_target *t, pid_t tid);
/* What is called when the program, which runs for the user, was stopped unasked and is about to go on: code may
 * have moved, and libraries come. */
void ez_halts_on_renew(struct ez_target *t, ez_err *(*renew)(struct ez_target *t, void *arg),
                       void *arg);
pid_t ez_halts_take(struct ez_target *t);
/* Count hits of thread tid, which do not stop it: for single steps, whose traps hide those of halts. ez_halt_counted:
 * was there one? That ends it; *fd -1 = it does not count. */
ez_err *ez_halt_count(pid_t tid, const struct ez_halt *h, int *fd) EZ_WUR;
bool ez_halt_counted(int *fd);

/* image.c */
/* The patches of these rows (n of them; NULL = none) are in the text that is read, and are
 * taken out of its copy. */
void ez_image_old_rows(struct ez_target *t, const struct ez_row *row, uint32_t n);
ez_err *ez_module_text(struct ez_target *t, struct ez_module *m) EZ_WUR;
/* Forgets the jump tables that were read, so that they are read anew. */
void ez_texts_refresh(struct ez_target *t);
/* In a prepared module: EZ_E_REFUSED if func is in the middle of another function's instruction. */
ez_err *ez_module_not_cut(const struct ez_module *m, uint64_t func) EZ_WUR;

/* rseq.c */
void ez_rseq_module(struct ez_target *t, struct ez_module *m); /* reads sequences in its file */
void ez_rseq_look(struct ez_target *t); /* reads sequences that stopped threads registered */
/* Would a change of [lo, hi), in the module m, NULL = in none, change a restartable sequence? */
bool ez_rseq_has(const struct ez_target *t, const struct ez_module *m, uint64_t lo, uint64_t hi);
/* EZ_E_REFUSED if the site's window would change a restartable sequence. */
ez_err *ez_rseq_spared(const struct ez_target *t, const struct ez_site *s) EZ_WUR;
/* Makes the thread leave its restartable sequence, as an abort does, so that it can be sent
 * elsewhere and back. */
ez_err *ez_rseq_leave(struct ez_target *t, struct ez_thread *th) EZ_WUR;

#endif
