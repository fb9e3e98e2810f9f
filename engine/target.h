/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - the inside of `struct ez_target`, for the engine's files only.
 *
 * Ownership is a tree: target > { threads, modules, objects, runtime, sites, probes }.
 * A *module* is an object mapped in the live process; an *object* is a file's
 * symbols and outlives processes. Who does what:
 *   target.c  create, destroy, queue, settings      life.c    run, attach, detach, kill
 *   thread.c  threads, what a report means          stop.c    stop and resume the world
 *   step.c    steps and short runs                  pump.c    reports while it runs
 *   syswatch.c libraries seen by system calls       exec.c    what a fresh image needs
 *   maps.c    mappings, modules, gaps               mem.c     read and write memory
 *   objects.c which file is mapped, its symbols    gone.c    libraries that may come again
 *   inject.c  system calls and calls in the target  rt_load.c the runtime's blob, rings
 *   alloc.c   room for stubs, hop.c, cell.c         site.c    sites; variant.c: their stubs
 *   frame.c   may its exit go by call-through?      cell.c    the cells it goes through
 *   patch.c   bytes of live code, pcs.c             probe.c   numbers, life-cycle
 *   image.c   the text of a module                   rseq.c    restartable sequences
 *   bulk.c    many functions at once                solib.c   libraries that come and go
 *   trace.c   the FxT stream                        locate.c  LOCATION -> addresses
 *   keep.c    probes that stay behind               adopt.c   and are taken over (keep.h)
 *   follow.c  the child of a fork                  sharers.c other processes in its memory
 *   resolve.c where probes stand, in new files too
 *   measure.c prologues: by libopcodes              measure_step.c  and by stepping
 *   scratch.c a copy in which code is tried          check*.c  prologues against copies */
#ifndef EZ_TARGET_H
#define EZ_TARGET_H

#include <pthread.h>
#include <signal.h>

#include "arch/arch.h"
#include "engine/analyze.h"
#include "engine/drain.h"
#include "engine/ezt.h"
#include "engine/names.h"
#include "engine/now.h"
#include "engine/why.h"
#include "engine/rt/rt.h"
#include "engine/sharers.h"
#include "engine/text.h"
#include "engine/vec.h"

struct ez_thread {
    pid_t tid;
    bool stopped;    /* ours to command                                       */
    bool asked;      /* PTRACE_INTERRUPT sent, its stop not seen yet          */
    bool group_stop; /* stopped by a job-control signal: leave it so          */
    bool stepped;    /* moved since its last stop was reported                */
    bool told;       /* the user knows of `sig`                                */
    int sig;         /* signal to deliver when it goes on, 0 = none           */
    bool has_info;
    siginfo_t info; /* of `sig`                                              */
    bool regs_known;
    struct ez_regs regs;
};

struct ez_maps { /* one reading of /proc/PID/maps */
    EZ_VEC(struct ez_map) map;
    uint64_t brk; /* where the heap ends, or will begin; 0 = unknown             */
    char *text;
};

struct ez_cs { /* a restartable sequence: [start, end), and where it is aborted to */
    uint64_t start, end, abort;
};

struct ez_module {
    struct ez_object *obj; /* borrowed from the cache; NULL = unreadable       */
    char *path;            /* of the program the name it was run by, which may be a link */
    char *mapped;          /* as the kernel says it                                */
    uint64_t bias, lo, hi;
    bool is_program, seen, fresh, unwind_hooked, jumps_hooked;
    struct ez_text *text; /* prepared for analysis, made on demand            */
    uint8_t *image;       /* live bytes of its executable segment             */
    struct ez_func *funcs;
    size_t nfuncs;
    EZ_VEC(struct ez_pointer) pointer; /* into the image                         */
    EZ_VEC(struct ez_cs) cs;
    EZ_VEC(unsigned) rule; /* serials of the rules that were applied to it  */
    uint64_t image_va;
    size_t image_len;
};

struct ez_file_entry {
    struct ez_object *obj;
    bool told, told_lines; /* that the file has changed; that its lines are lost     */
};

struct ez_range {
    uint64_t lo, hi;
};

struct ez_guard { /* guard.c */
    uint64_t at;  /* 0 = steps are unguarded */
    pid_t tid;
    bool stands;
};

struct ez_ifunc_slot { /* a word that holds what the resolver chose, or will (ifunc.c) */
    uint64_t resolver, at;
};

struct ez_area { /* room for stubs, R-X in the target, mirrored here */
    uint64_t base;
    size_t size, used;
    uint8_t *mirror;
    size_t flushed; /* bytes of the mirror that are in the target             */
};

/* Pages that we map where punned jumps happen to lead: hop.c. */
struct ez_hop_page {
    uint64_t base;
    bool mapped;
    uint8_t used[EZ_PAGE / 8]; /* a bit per byte                              */
};

struct ez_kit { /* cells near some functions (cell.c)                           */
    uint64_t base;
    EZ_VEC(struct ez_cell) cell; /* by id                                         */
    size_t written, coded;       /* that are in the target; whose code is         */
};

/* Of another window on the same bytes: never planted again, but what goes on counting there
 * (a frame that returns through its stub) is the site's. */
#define EZ_GHOST 0x8000

struct ez_variant { /* one id: a site in one mode */
    uint32_t id;
    uint16_t flags; /* EZ_ROW_*, EZ_GHOST                                     */
    uint64_t stub, replay;
    uint64_t back, lands; /* the replay's jump back, and where that leads; 0 = none   */
};

struct ez_moved { /* where the instructions of a window went, in bytes from its replay */
    uint16_t len, n;
    uint8_t from[EZ_MAX_PROLOGUE];
    uint16_t to[EZ_MAX_PROLOGUE];
};

struct ez_site {
    uint64_t addr, func;    /* the patch; the function's first byte               */
    struct ez_module *mod;  /* NULL once unloaded                               */
    struct ez_module *gone; /* what it was of then, while that may come again   */
    const struct ez_sym *sym;
    const struct ez_sym
        *called; /* that, or the alias that its first probe asked for; NULL = that */
    struct ez_window win;
    struct ez_moved reloc; /* of the variant that was prepared last            */
    int reloc_of;          /* its index, -1 = none yet                         */
    EZ_VEC(struct ez_variant) variant;
    int current;      /* index of the planted variant, -1 = original bytes      */
    unsigned want[4]; /* enabled probes that ask for: entry, exit, and each recorded */
    bool lost, exact; /* bytes changed under us; not a function's first byte    */
    bool hook;        /* of our own: carries no probe                           */
    uint8_t jump;     /* EZ_JUMP_*: hooked, and carries probes besides          */
    bool hosted;      /* a hop stands in its window                             */
    int host;         /* index of the site that win.host had when this was judged */
    unsigned guests;  /* wanted sites whose hop lies in this one's window       */

    bool framed;             /* these two are known:                                   */
    const char *no_exit;     /* why its exit must not be followed, NULL = it may be    */
    const char *not_through; /* why its exit cannot go by call-through, NULL = it can  */
    uint8_t after[16];
};

struct ez_probe {
    int number;
    enum ez_probe_kind kind;
    enum ez_probe_state state;
    bool record, user_disabled;
    bool again; /* was planted in this process, and its library went: not news if it comes */
    bool held;  /* of an open transaction: not planted before it is committed  */
    bool ifunc; /* its symbol is a resolver: what that chooses is probed       */
    char *location, *reason;
    /* Identity once resolved, stays over runs: */
    char *object_path;
    struct ez_object *obj; /* vaddr is right in this file, or one of the same build */
    uint64_t vaddr;
    char *function, *library;
    char *file;
    unsigned line;
    bool exit_only;                          /* refused, for its exit alone              */
    int site;                                /* index, -1 = none in this process         */
    uint64_t base_entry, base_exit;          /* the site's counts when it was enabled   */
    uint64_t entries, exits;                 /* collected before                         */
    uint64_t earlier_entries, earlier_exits; /* of these: by shells before this one */
    uint64_t addr;
};

struct ez_rule { /* a `probe -r` that also looks at what is loaded later */
    enum ez_probe_kind kind;
    bool record, matched;
    bool held; /* of an open transaction                                       */
    unsigned serial;
    char *spec;
};

struct ez_runtime { /* what we mapped into the live process */
    bool up;
    uint64_t far;        /* where these were asked for                        */
    uint64_t blob, ctls; /* addresses in the target                       */
    uint64_t anchor;     /* anchor.c; 0 = not there yet                   */
    size_t ctls_size;
    uint64_t seg;       /* the shared segment there                       */
    struct ez_hdr *hdr; /* and here                                       */
    uint64_t seg_size;  /* of both: the target can change what hdr says   */
    int memfd;
    int there;      /* the target's descriptor of what is being made, -1 = none */
    uint8_t *image; /* the adapted blob                               */
    size_t image_size;
    const struct ez_blob_hdr *bh; /* in image                                  */
    struct ez_drain *drain;
    bool exits;           /* some probe follows exits: unwinders need to know our frames   */
    bool calls;           /* some probe records them: who leaves calls is hooked           */
    uint32_t loader_done; /* the last rendezvous that was answered             */
    struct ez_row *rows;
    uint32_t nids;
    EZ_VEC(struct ez_area) area;
    struct ez_kit kit[EZ_NKITS];
    unsigned nkits;
    bool watching; /* the loader's rendezvous is hooked              */
    bool loss_told, switches_told, auto_done;
    bool traps_on; /* the SIGTRAP handler is in place                      */
    EZ_VEC(struct rt_trap) trap;
    bool keep, keep_open; /* going away, the probes stay; they go on recording        */
    bool fitted;          /* to the target's libc                           */
    bool mono;            /* stamped by CLOCK_MONOTONIC (clock.h)           */
    uint64_t vdso_clock;
    int64_t clock_add;
    uint32_t cookie;
};

#define EZ_STUB_ALIGN 64
#define EZ_STUB_MOST 448  /* bytes of a stub with its replay, nearly always */
#define EZ_STUB_ROOM 1024 /* what is looked for before its length is known */

struct ez_cover { /* coverage.c */
    EZ_VEC(struct ez_refusal {
        char *reason;
        uint64_t n;
    })
    refused;
    uint64_t removed;
    bool ended;              /* all this is of a process that ended                    */
    struct ez_coverage last; /* its other numbers                                  */
};

struct ez_target;

/* What those above the inferior do when something happens to it (process.c). */
struct ez_inferior_ops {
    void (*ended)(struct ez_target *t, enum ez_event_kind kind, int value);
    ez_err *(*execed)(struct ez_target *t, pid_t tid); /* thread tid, the others are gone     */
    ez_err *(*replaced)(struct ez_target *t);          /* it exec'ed unseen                  */
    ez_err *(*lost)(struct ez_target *t);              /* the same, a setuid program: an error */
    void (*resuming)(struct ez_target *t);             /* it is about to go on               */
    uint64_t (*own_trap)(const struct ez_target *t, uint64_t pc); /* where to; 0 = not ours   */
    ez_err *(*fork_seen)(struct ez_target *t, pid_t child, bool vfork);
    ez_err *(*child_report)(struct ez_target *t, pid_t pid, int status); /* of no thread of it */
    void (*child_drop)(struct ez_target *t);
    /* A module's text: gone, and kept in mind; there again; not kept in mind any more. */
    void (*unloaded)(struct ez_target *t, struct ez_module *m);
    void (*loaded_again)(struct ez_target *t, struct ez_module *m);
    void (*dropped)(struct ez_target *t, const struct ez_module *m);
};
extern const struct ez_inferior_ops ez_session_ops;

struct ez_target {
    const struct ez_arch *arch;
    const struct ez_inferior_ops *ops;
    struct ez_settings set;
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
    bool int_heard;   /* a SIGINT that waits for it has ended what we did: not for the program */
    bool plant_later; /* what is pending here was given up: once more before it goes on */
    char *program;
    struct ez_object *prog_obj;

    enum ez_state state;
    pid_t pid, current;
    bool attached, child, seized;
    int pidfd, memfd; /* memfd: /proc/PID/mem                                  */
    bool pokes;       /* which does not write text: word by word (mem.c)       */
    int sigfd, eventfd;
    EZ_VEC(struct ez_thread *) thread;
    EZ_VEC(pid_t) stray;     /* let go while they could not be: at their next stop     */
    struct {                 /* follow.c */
        pid_t child;         /* to be followed, 0 = none                               */
        bool shares, stands; /* lives in the parent's memory; is stopped, and ready    */
        EZ_VEC(pid_t) early; /* stopped children whose fork was not reported yet       */
    } fork;
    EZ_VEC(struct ez_module *) module, gone; /* gone: unloaded, and may come again (gone.c) */
    EZ_VEC(struct ez_file_entry) object;     /* files read so far                  */
    struct {
        bool known; /* of the modules as they are now                       */
        EZ_VEC(struct ez_ifunc_slot) slot;
    } ifunc;
    uint64_t temp_bp; /* address of a temporary breakpoint, 0 = none           */
    uint8_t temp_bp_byte[4];
    int temp_bp_fd; /* the processor's; -1 = an instruction stands there          */
    struct ez_guard temp_bp_guard;
    uint64_t syscall_at; /* a system call instruction in the target            */
    struct {             /* no seccomp filter is on this thread, while pt_resumes() stays `when` */
        pid_t tid;
        unsigned long when;
    } free_of_filters;
    EZ_VEC(struct ez_range) mine; /* what `mmap` mapped for the user */
    bool want_main;               /* `start`: stop at main once the libraries are there     */
    bool first_solib;             /* the first consistent state was seen                    */

    struct ez_runtime rt;
    EZ_VEC(struct ez_site) site;
    EZ_VEC(struct ez_hop_page) hop_page;
    EZ_VEC(struct ez_cs) cs;  /* that threads had registered when looked at       */
    struct ez_maps *hop_maps; /* where pages were free when last looked; NULL = look */
    uint32_t *site_hash;      /* func -> index + 1, open addressing                 */
    size_t site_hash_size;
    const struct ez_row *old_rows; /* while probes are adopted, else NULL                */
    uint32_t nold_rows;
    bool exact_sites;     /* some are not at a function's first byte: they may overlap others */
    unsigned strategies;  /* of all sites: EZ_BY()                                          */
    uint8_t punned[1024]; /* sites there may rely on the bytes behind them: a bit per hash */
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_rule) rule;
    unsigned rules_made;
    int next_number;

    bool holding; /* a transaction is open                                     */
    struct ez_cover cover;
    EZ_VEC(struct ez_window_info) window; /* each thread when text was changed last    */

    bool trace_wanted; /* `trace FILE` given before there was a process        */
    char *trace_path;
    struct ez_drain_stat last_stat; /* of the process that ended               */
    bool have_last_stat;
    EZ_VEC(struct ez_live_event) last_events; /* the newest of the process that ended       */
    uint64_t last_events_end;                 /* the number after them                      */

    EZ_VEC(struct ez_event) queue;
    size_t queue_head;
};

/* program.c */
ez_err *ez_program_reread(struct ez_target *t) EZ_WUR; /* if it is not what it was */
/* queue.c */
void ez_post(struct ez_target *t, struct ez_event ev);
void ez_post_note(struct ez_target *t, const char *fmt, ...) EZ_PRINTF(2, 3);
bool ez_queue_take(struct ez_target *t, struct ez_event *ev);
/* thread.c */
ez_err *ez_need_process(struct ez_target *t) EZ_WUR;
ez_err *ez_need_stopped(struct ez_target *t) EZ_WUR;

/* busy.c */
void ez_busy_begin(struct ez_target *t);
ez_err *ez_busy_end(struct ez_target *t, ez_err *e) EZ_WUR; /* answers e */
ez_err *ez_busy_step(struct ez_target *t, const char *what, uint64_t done, uint64_t total) EZ_WUR;

/* thread.c, stop.c, step.c, pump.c (and stop.h) */
struct ez_thread *ez_thread_find(struct ez_target *t, pid_t tid);
struct ez_thread *ez_thread_current(struct ez_target *t);
/* The task to ask in /proc for what all share, and for memory: the main thread, which has
 * none of it once it ended (pthread_exit in main), or another. */
pid_t ez_live_tid(struct ez_target *t);
/* Every thread stopped when it returns, rescanned until no new one appears. *was =
 * the state to give back to ez_world_resume. EZ_E_GONE: it ended meanwhile. */
ez_err *ez_world_stop(struct ez_target *t, enum ez_state *was) EZ_WUR;
ez_err *ez_world_resume(struct ez_target *t, enum ez_state was) EZ_WUR;
/* Let every thread go on under ptrace. */
ez_err *ez_threads_cont(struct ez_target *t) EZ_WUR;
ez_err *ez_threads_detach(struct ez_target *t) EZ_WUR;
ez_err *ez_thread_regs(struct ez_thread *th, struct ez_regs **regs) EZ_WUR;
ez_err *ez_thread_set_regs(struct ez_thread *th, const struct ez_regs *regs) EZ_WUR;
/* Step thread `th` once, others stay. *trapped false = something else came first
 * (a signal: kept in th->sig). */
ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped,
                       const char *why) EZ_WUR;
/* After steps: leave it so that it survives the death of the shell. */
ez_err *ez_thread_settle(struct ez_target *t, struct ez_thread *th) EZ_WUR;
/* Let only `th` run until it begins a system call in the range, for at most ms
 * milliseconds; `others` = let the other threads run too. EZ_E_REMOTE: a fault ended it. */
ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, struct ez_range from, int ms,
                         bool others, const char *why) EZ_WUR;
void ez_process_new(struct ez_target *t, pid_t pid, bool attached); /* counts begin at 0 */
/* It hit a breakpoint of ours, and our stop came before the signal. What it stands on is to
 * change: let the signal come now. For all of them, once the table is known. */
ez_err *ez_thread_hear_trap(struct ez_target *t, struct ez_thread *th) EZ_WUR;
ez_err *ez_traps_settle(struct ez_target *t) EZ_WUR;
void ez_process_forget(struct ez_target *t); /* nothing of the process stays     */
void ez_process_ended(struct ez_target *t, enum ez_event_kind kind, int value);
/* Take what the kernel has to report. *some = there was something. */
ez_err *ez_pump(struct ez_target *t, bool *some) EZ_WUR;
struct ez_thread *ez_thread_add(struct ez_target *t, pid_t tid);
void ez_threads_clear(struct ez_target *t);
/* Sleep until the kernel reports or ms passed. */
void ez_wait_report(struct ez_target *t, int ms);

/* sharers.c */
ez_err *ez_sharers_none(struct ez_target *t) EZ_WUR; /* EZ_E_REFUSED: there is one */
struct ez_sharers {
    EZ_VEC(pid_t) tid;
};
/* Theirs are threads of t, stopped, until they are released. World stopped. */
ez_err *ez_sharers_stop(struct ez_target *t, struct ez_sharers *s) EZ_WUR;
void ez_sharers_release(struct ez_target *t, struct ez_sharers *s);

/* maps.c */
ez_err *ez_maps_read(pid_t pid, struct ez_maps *m) EZ_WUR;
void ez_maps_free(struct ez_maps *m);
ez_err *ez_modules_refresh(struct ez_target *t) EZ_WUR; /* sets `fresh` on new ones */
/* modules.c */
void ez_modules_clear(struct ez_target *t);
struct ez_module_info ez_module_info_of(const struct ez_module *m);

/* gone.c */
void ez_module_free(struct ez_module *m);
void ez_module_gone(struct ez_target *t, struct ez_module *m);
/* That one if it was there before (m is freed then), else m. */
struct ez_module *ez_module_again(struct ez_target *t, struct ez_module *m);
void ez_gone_clear(struct ez_target *t);
struct ez_module *ez_module_at(struct ez_target *t, uint64_t addr);
/* The first address from lo to hi from which `size` bytes lie in pages that nobody uses
 * or will grow into; 0 = none. */
uint64_t ez_maps_free_at(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size);
/* Where nothing is near: for what needs to be near nothing, memory close to code is scarce.
 * Below the libraries or the stack, for sanitizers refuse mappings in the middle. */
uint64_t ez_maps_far(const struct ez_maps *m);
#define EZ_FAR_SIZE (1ull << 38) /* room there; ThreadSanitizer leaves 500 GiB in all */
/* A free range of `size` bytes within reach of [lo, hi); 0 = none. */
uint64_t ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                     int64_t reach);
uint64_t ez_auxv(pid_t pid, uint64_t type); /* AT_*; 0 = not there               */

/* objects.c */
ez_err *ez_object_cached(struct ez_target *t, const char *path, const char *display,
                         struct ez_object **out) EZ_WUR;
/* The file that `m`, which shows its first bytes, is of. */
ez_err *ez_object_mapped(struct ez_target *t, const struct ez_map *m,
                         struct ez_object **out) EZ_WUR;
/* The name of its file, also when that was deleted or replaced: what is known by name holds for the
 * one that comes in its place, too. The caller frees. */
char *ez_mapped_name(const struct ez_map *m);
/* m->path of the program: as it was run, if that still leads to the file. */
void ez_run_name(struct ez_target *t, struct ez_module *m);
const char *ez_program_name(const struct ez_target *t); /* of the process; NULL = unknown */
void ez_objects_changed(struct ez_target *t);           /* says so, once for each */

/* mem.c */
ez_err *ez_mem_open(struct ez_target *t) EZ_WUR;
int ez_fetch_fd(struct ez_target *t, int there); /* its descriptor as one of ours; -1, errno */
ez_err *ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n) EZ_WUR;
size_t ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n);
/* Works on read-only and executable pages too. What lies within a page is written at once, in
 * whole or not at all, whoever is killed. */
ez_err *ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n,
                     const char *why) EZ_WUR;
ez_err *ez_mem_read_string(struct ez_target *t, uint64_t from, char *buf, size_t n) EZ_WUR;

/* Each byte ours or the file's: a patch, or what is left of one by a shell that died as it
 * wrote over a page's end (no more since jumps lie on one). */
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

/* original.c */
size_t ez_read_code(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n); /* as it is */
/* Code as it is without our jumps and breakpoints; without a process, the program
 * file's. Returns how many bytes there are. */
size_t ez_read_original(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n);

/* anchor.c */
/* Where it is once the blob is mapped; where this thread can use one now, 0 = nowhere. */
uint64_t ez_anchor_at(const struct ez_runtime *rt);
uint64_t ez_anchor_for(struct ez_target *t, const struct ez_thread *th);
ez_err *ez_anchor_tidy(struct ez_target *t) EZ_WUR; /* what a shell that died left    */
struct ez_syscall {
    long nr;
    const uint64_t *arg; /* six                                            */
    bool copies;         /* the process: the child is not ours to leave alone */
};
ez_err *ez_anchor_inject(struct ez_target *t, struct ez_thread *th, uint64_t at,
                         const struct ez_syscall *call, int64_t *result, const char *why) EZ_WUR;

/* inject.c */
/* What scanf makes of the first line that fits in /proc/PID/task/TID/status. */
bool ez_status_read(pid_t pid, pid_t tid, const char *format, void *value);
ez_err *ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr, const uint64_t arg[6],
                          int64_t *result, const char *why) EZ_WUR;
ez_err *ez_inject_mmap(struct ez_target *t, uint64_t at, uint64_t size, int prot, int flags, int fd,
                       uint64_t offset, uint64_t *out, const char *why) EZ_WUR;
/* May we make system calls in it? EZ_E_SECCOMP. */
ez_err *ez_inject_allowed(struct ez_target *t) EZ_WUR;
struct ez_thread *ez_inject_thread(struct ez_target *t);
struct ez_copy {      /* a process; it has other numbers in another pid namespace  */
    pid_t pid, inner; /* for us; for the target                               */
    uint64_t mask;    /* signals that it should hold back                         */
};
/* Copy the process, with thread `th` alone. The copy is traced and runs nothing before
 * we let it; the target gets no signal when it ends. out->pid is set when there is a
 * copy, even with an error: kill it, collect it, then reap. */
ez_err *ez_inject_copy(struct ez_target *t, struct ez_thread *th, struct ez_copy *out) EZ_WUR;
/* Free the target of the dead copy. */
ez_err *ez_inject_reap(struct ez_target *t, struct ez_thread *th, pid_t inner) EZ_WUR;

/* call.c */
/* Call func(arg...) on thread `th`, others running or not, for 5 s at most. */
ez_err *ez_inject_call(struct ez_target *t, struct ez_thread *th, uint64_t func,
                       const uint64_t *arg, size_t n, uint64_t *result, bool others,
                       const char *why) EZ_WUR;

/* ifunc.c: what the resolver of an IFUNC chose, or chooses. EZ_E_REMOTE: it cannot be asked. */
ez_err *ez_ifunc_target(struct ez_target *t, uint64_t resolver, uint64_t *target) EZ_WUR;

/* rt_load.c */
ez_err *ez_rt_up(struct ez_target *t) EZ_WUR; /* world stopped; idempotent     */
/* The same, and ready for users' stubs: libc must be loaded, if there is one. */
ez_err *ez_rt_fit(struct ez_target *t) EZ_WUR;
bool ez_rt_libc_known(struct ez_target *t); /* the stubs' needs can be met      */
void ez_rt_settings(struct ez_target *t);
void ez_rt_down(struct ez_target *t); /* the process is gone (or exec)  */
/* What adopt.c shares: the blob's copy here, and fitted to a libc; where a thread's id
 * is (0 = unknown); offsets and size from the three numbers in h; bytes of control blocks. */
void ez_rt_image(struct ez_runtime *rt);
void ez_rt_adapt(struct ez_target *t, uint32_t tid_off, uint32_t cookie);
uint32_t ez_rt_tid_offset(struct ez_target *t);
uint64_t ez_rt_layout(struct ez_hdr *h);
uint64_t ez_rt_ctls_size(uint32_t nlanes);
/* 512 bytes there for what a system call reads or writes; zeros, left as they were. */
uint64_t ez_rt_scratch(const struct ez_target *t);

/* solib.c */
ez_err *ez_solib_watch(struct ez_target *t, bool *hooked) EZ_WUR; /* plant the rendezvous */
ez_err *ez_solib_hook(struct ez_target *t, bool *hooked) EZ_WUR;  /* the same, world stopped */
ez_err *ez_solib_event(struct ez_target *t) EZ_WUR;               /* loader_seq moved          */
/* See what was loaded, and plant what is pending there. World stopped. EZ_E_QUIT: nothing was
 * planted, t->plant_later is set. */
ez_err *ez_solib_look(struct ez_target *t) EZ_WUR;
ez_err *ez_later(struct ez_target *t, ez_err *e) EZ_WUR; /* sets it after EZ_E_QUIT; answers e */
/* Hook the table look-up of every unwinder that is loaded. World stopped. */
ez_err *ez_unwind_hooks(struct ez_target *t) EZ_WUR;
/* Is it one of these, and do calls that are open need it when we are gone? */
bool ez_unwind_stays(struct ez_target *t, const struct ez_site *s);

/* jumps.c: hook what leaves stacks or goes to others, in each libc. World stopped. */
ez_err *ez_jump_hooks(struct ez_target *t) EZ_WUR;

/* syswatch.c */
ez_err *ez_syswatch_stop(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* exec.c */
void ez_tell_ledger(struct ez_target *t); /* of the process or image that ended */
/* It exec'ed while running: the old image's probes become pending. Stopped. */
ez_err *ez_image_execed(struct ez_target *t) EZ_WUR;
/* The same, noticed late: it exec'ed in the background, at some time. */
bool ez_image_changed(struct ez_target *t);
ez_err *ez_image_replaced(struct ez_target *t) EZ_WUR;
ez_err *ez_image_lost(struct ez_target *t) EZ_WUR; /* to a setuid program: always an error */
/* The process has just exec'ed (or was attached): mem, modules, maps. Stopped. */
ez_err *ez_image_fresh(struct ez_target *t) EZ_WUR;
ez_err *ez_image_known(struct ez_target *t) EZ_WUR;
ez_err *ez_image_launch(struct ez_target *t, bool stop_at_main) EZ_WUR;
ez_err *ez_temp_bp_set(struct ez_target *t, uint64_t addr) EZ_WUR;
ez_err *ez_temp_bp_clear(struct ez_target *t) EZ_WUR;
ez_err *ez_temp_bp_unguard(struct ez_target *t) EZ_WUR; /* what is left of a cleared one, stopped */
void ez_temp_bp_forget(struct ez_target *t);            /* the process is gone, or its image */
uint64_t ez_temp_bp_pc(const struct ez_target *t);      /* where a thread stands that hit it */
ez_err *ez_stop_at_main(struct ez_target *t) EZ_WUR;
ez_err *ez_exec_finish(struct ez_target *t) EZ_WUR;
uint64_t ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name);
struct ez_module *ez_module_program(const struct ez_target *t);
struct ez_module *ez_module_loader(struct ez_target *t);

/* keep.c */
/* `detach -keep`, all but the end: the shell is out, the probes go on. *kept = how many. After an
 * error nothing has changed. Then, once the process is forgotten: */
ez_err *ez_keep_begin(struct ez_target *t, unsigned *kept) EZ_WUR;
void ez_keep_end(struct ez_target *t);

/* repair.c */
/* At attach: take over, or take away, what an earlier shell left; `force`: away, even if it
 * lives. World stopped. */
ez_err *ez_leftovers(struct ez_target *t, bool force) EZ_WUR;

/* adopt.c */
/* Take over what an earlier shell left in the segment mapped there (keep.h). An error says
 * why it cannot be had; nothing has changed then. */
struct ez_kept_map {
    uint64_t lo, hi, ino;
};
ez_err *ez_adopt(struct ez_target *t, const struct ez_kept_map *seg) EZ_WUR;
/* Close the descriptors that `detach -keep` left there. World stopped. */
void ez_kept_close(struct ez_target *t, uint64_t seg_ino);

/* trace.c */
bool ez_trace_auto_begin(struct ez_target *t);       /* first recording probe goes live */
void ez_trace_auto_end(struct ez_target *t);         /* wait until it is open */
ez_err *ez_trace_opened(struct ez_target *t) EZ_WUR; /* runtime came up: open what was wanted */
void ez_trace_process_ended(struct ez_target *t);
void ez_trace_report_loss(struct ez_target *t);

#include "engine/probe.h"
#include "engine/site.h"

#endif
