/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain.c - starts, runs and ends the drain thread, and queues orders for it (drain.h).
 *
 * THE OWNER FUTEX. hdr->owner's first word is a robust futex with the drain thread's tid. The
 * kernel sets FUTEX_OWNER_DIED in the futex when that thread ends in any way. The kernel finds the
 * futex through the list registered by set_robust_list(). A pthread mutex would keep that list's
 * links inside the shared segment, where a hostile target could aim them into the shell's memory.
 * So the drain thread registers its own list: one node in private memory, and the futex word at a
 * fixed distance from it.
 *
 * SLEEP. The drain thread reads `wake`, sets asleep = 1, checks for an order and for requests of
 * the target, then does FUTEX_WAIT on `wake` with the value that it read. A waker changes `wake`
 * before it wakes the thread, so no wake-up is lost. The sleep is 1 ms after work and doubles to 50
 * ms when idle.
 *
 * Tests: tests/unit/record/check_drain.c */
#include "engine/record/drain.h"

#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/now.h"
#include "engine/data_abi.h"
#include "engine/record/drain_priv.h"
#include "engine/inferior/proc.h"
#include "engine/inferior/sharers.h"

#define SLEEP_MIN_NS 1000000u
#define SECCOMP_LOOK_NS 50000000u
#define SHARER_LOOK_NS 1000000000u
#define SLEEP_MAX_NS 50000000u
/* maximum number of readings of the accounting, a millisecond apart, while threads are inside a
 * hit */
#define CLOSE_LOOKS 200

struct robust { /* the kernel's struct robust_list_head with its only node */
    struct robust_list_head head;
    struct robust_list node;
};

/* ---- the thread ----------------------------------------------------------------- */

static void drain_own(struct ez_drain *d, struct robust *r)
{
    r->node.next = &r->head.list;
    r->head.list.next = &r->node;
    r->head.futex_offset = (char *)&d->hdr->owner.word - (char *)&r->node;
    r->head.list_op_pending = NULL;
    syscall(SYS_set_robust_list, &r->head, sizeof r->head);
    __atomic_store_n(&d->hdr->owner.word, (uint32_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
}

/* Releases the owner futex: to the runtime, the value 0 also means that no drain thread lives. */
static void drain_disown(struct ez_drain *d, struct robust *r)
{
    r->head.list.next = &r->head.list;
    __atomic_store_n(&d->hdr->owner.word, 0, __ATOMIC_SEQ_CST);
}

/* Checks for a seccomp filter, which may kill the target for the runtime's futex calls. If there is
 * a filter, the runtime must not enter the kernel from now on, so events that find a full ring are
 * dropped and counted. */
static void drain_watch_seccomp(struct ez_drain *d, uint64_t now)
{
    struct ez_proc_status s;
    if (d->hdr->no_syscalls || now - d->rounds.seccomp_ns < SECCOMP_LOOK_NS)
        return;
    d->rounds.seccomp_ns = now;
    if (ez_proc_status(d->cfg.pid, 0, &s) && s.seccomp)
        d->hdr->no_syscalls = 1;
}

/* Checks for another process that uses the target's memory. Such a process writes to the same rings
 * and damages them, so a wait for room may never end: if there is one, the runtime must not wait
 * any more. The process must be found twice, because a process that was found once may be about to
 * exec. */
static void drain_watch_sharers(struct ez_drain *d, uint64_t now)
{
    if (d->hdr->no_syscalls || now - d->rounds.sharer_ns < SHARER_LOOK_NS)
        return;
    pid_t other = ez_sharer(d->cfg.pid, 0);
    d->hdr->no_syscalls |= other && other == d->rounds.sharer;
    d->rounds.sharer_ns = now;
    d->rounds.sharer = other;
}

/* Forwards requests of the target to the main thread. If a thread ended while it requested a stop,
 * frees the request, so that another thread can request one. */
static void drain_requests(struct ez_drain *d)
{
    struct ez_hdr *h = d->hdr;
    uint32_t requests = __atomic_load_n(&h->requests, __ATOMIC_ACQUIRE), tid = h->hold.tid;
    if (requests != d->rounds.requests) {
        d->rounds.requests = requests;
        drain_notify(d);
    }
    if (tid && drain_thread_gone(d, tid) &&
        __atomic_compare_exchange_n(&h->hold.tid, &tid, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &h->hold.tid, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool drain_round(struct ez_drain *d, bool final)
{
    uint64_t now = drain_now(), tick = drain_tick(d);
    drain_clock_round(d, now);
    uint32_t seq = d->hdr->loader_seq;
    if (seq != d->rounds.loader_seq) {
        d->rounds.loader_seq = seq;
        drain_notify(d);
    }
    drain_trace_begin_round(d, now);
    bool ended = final && !d->life.hold && drain_target_ended(d);
    drain_switches_read(d);
    drain_signals_move(d, final);
    bool moved = !d->life.hold && drain_buffers(d, final);
    drain_filter_round(d, tick);
    drain_pauses_learn(d);
    drain_requests(d);
    if (drain_lines_round(d, now, tick))
        drain_notify(d);
    /* Signals come before switches, because writing switches forgets the threads that ended. */
    drain_signals_emit(d);
    drain_switches_emit(d);
    if (ended) /* by now the switches were read, which say when each thread ended */
        drain_all_over(d);
    if (!d->life.hold)
        drain_tend_buffers(d, now);
    bool due = __atomic_load_n(&d->rounds.enabled, __ATOMIC_RELAXED) ||
               __atomic_load_n(&d->rounds.watched, __ATOMIC_RELAXED);
    if (due && now >= d->rounds.next) {
        d->rounds.next = now + EZ_ROUND_NS;
        drain_notify(d);
    }
    drain_watch_seccomp(d, now);
    drain_watch_sharers(d, now);
    drain_trace_epoch(d);
    d->rounds.tick = tick;
    drain_progress(d);
    return moved;
}

/* Reads the accounting at the end of a trace. A running thread may be inside a hit, which is
 * counted and not yet recorded (or, with recording off, not yet counted as untraced). So this
 * function repeats the reading until no thread is inside a hit, but at most CLOSE_LOOKS times and
 * for EZ_DRAIN_WAIT_MS; never if no file is open, the drain is parked, or the target has ended. *s
 * is the last reading. */
static void drain_close_accounting(struct ez_drain *d, struct ez_drain_stat *s)
{
    int64_t end = ez_now_ms() + EZ_DRAIN_WAIT_MS;
    for (unsigned looks = 0;; looks++) {
        for (uint32_t i = 1; i < d->buffers.ready; i++)
            drain_emit_lost(d, i);
        drain_filter_finish(d);
        drain_accounting(d, s);
        if (ez_drain_balanced(s) || looks == CLOSE_LOOKS || ez_now_ms() > end || d->life.parked ||
            !d->file.out || drain_target_ended(d))
            return;
        usleep(1000);
        drain_round(d, false);
    }
}

ez_err *drain_close(struct ez_drain *d)
{
    struct ez_drain_stat s;
    drain_close_accounting(d, &s);
    return d->file.out ? drain_trace_finish(d, &s)
                       : ez_err_new(EZ_E_SYS, d->file.lost_errno,
                                    "The end of the trace could not be written");
}

static bool drain_run_order(struct ez_drain *d)
{
    ez_err *(*order)(struct ez_drain *, void *) = __atomic_load_n(&d->mail.order, __ATOMIC_SEQ_CST);
    if (!order)
        return false;
    ez_err *e = order(d, d->mail.arg);
    pthread_mutex_lock(&d->mail.lock);
    d->mail.err = e;
    __atomic_store_n(&d->mail.order, NULL, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&d->mail.done);
    pthread_mutex_unlock(&d->mail.lock);
    return true;
}

static void drain_sleep(struct ez_drain *d, uint64_t ns)
{
    struct ez_hdr *h = d->hdr;
    struct timespec t = { .tv_nsec = (long)ns };
    uint32_t seen = __atomic_load_n(&h->wake, __ATOMIC_SEQ_CST);
    __atomic_store_n(&h->asleep, 1, __ATOMIC_SEQ_CST);
    bool requested = __atomic_load_n(&h->requests, __ATOMIC_SEQ_CST) != d->rounds.requests;
    if (!requested && !__atomic_load_n(&d->mail.order, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &h->wake, FUTEX_WAIT, seen, &t, NULL, 0);
    __atomic_store_n(&h->asleep, 0, __ATOMIC_SEQ_CST);
}

static void *drain_main(void *arg)
{
    struct ez_drain *d = arg;
    struct robust robust;
    uint64_t nap = SLEEP_MIN_NS;
    drain_own(d, &robust);
    while (!d->life.quit) {
        bool busy = drain_run_order(d);
        busy |= drain_round(d, false);
        nap = busy ? SLEEP_MIN_NS : EZ_MIN(nap * 2, SLEEP_MAX_NS);
        if (!d->life.quit && !d->buffers.pressed && !d->switches.pressed)
            drain_sleep(d, nap);
    }
    drain_disown(d, &robust);
    return NULL;
}

void ez_drain_watch(struct ez_drain *d)
{
    __atomic_store_n(&d->rounds.watched, true, __ATOMIC_RELAXED);
}

void ez_drain_want_rounds(struct ez_drain *d, bool on)
{
    __atomic_store_n(&d->rounds.enabled, on, __ATOMIC_RELAXED);
}

/* ---- orders ----------------------------------------------------------------------- */

/* Queues `order` for the drain thread. */
static void drain_give(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg)
{
    pthread_mutex_lock(&d->mail.lock);
    d->mail.arg = arg;
    __atomic_store_n(&d->mail.order, order, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&d->hdr->wake, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &d->hdr->wake, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_mutex_unlock(&d->mail.lock);
}

/* Waits for the queued order, if any, and returns its result. */
static ez_err *drain_await(struct ez_drain *d)
{
    pthread_mutex_lock(&d->mail.lock);
    while (__atomic_load_n(&d->mail.order, __ATOMIC_SEQ_CST))
        pthread_cond_wait(&d->mail.done, &d->mail.lock);
    ez_err *e = d->mail.err;
    d->mail.err = NULL;
    pthread_mutex_unlock(&d->mail.lock);
    return e;
}

/* Waits for the order before it, if any, and queues an order for which ez_drain_finish() will
 * wait. */
void drain_begin(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg)
{
    ez_err *e = drain_await(d); /* the result of the previous order */
    if (e) {
        ez_err_free(d->mail.begun);
        d->mail.begun = e;
    }
    drain_give(d, order, arg);
}

ez_err *drain_request(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg)
{
    drain_begin(d, order, arg);
    return drain_await(d);
}

static ez_err *drain_order_start(struct ez_drain *d, void *arg)
{
    int e = drain_buffers_start(d);
    if (e)
        return ez_err_new(EZ_E_SYS, e, "Cannot allocate shared memory for the event buffers");
    /* read the stacks now, because a short program may end before its first event is read */
    drain_read_maps(d);
    return NULL;
}

/* Prepares the target for a time without a shell. During that time, nobody empties rings, makes
 * buffers, or answers the loader's notifications. Records that come after this stay in the
 * rings. */
static ez_err *drain_order_leave(struct ez_drain *d, void *arg)
{
    struct ez_hdr *h = d->hdr;
    uint32_t want = EZ_MIN(d->buffers.most, d->buffers.ready + DRAIN_KEEP_BUFFERS);
    d->life.quit = true;
    if (!d->life.hold)
        drain_round(d, false);
    ez_err *e = d->file.out ? drain_close(d) : NULL;
    /* a thread that finds no buffer counts its hits in the common buffer */
    drain_grow(d, want, d->buffers.reserved);
    h->trace_open = *(bool *)arg;
    h->overflow_wait = h->loader_wait = 0;
    return e;
}

static ez_err *drain_order_quit(struct ez_drain *d, void *arg)
{
    d->life.quit = true;
    d->life.hold = false;
    __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
    drain_round(d, true);
    return d->file.out ? drain_close(d) : NULL;
}

/* ---- create, destroy -------------------------------------------------------------- */

/* Returns true if the process is in another pid namespace than the shell: the shell's tgkill()
 * cannot use the tids that such a process writes. */
static bool drain_foreign_tids(int pid)
{
    struct ez_proc_status s;
    return ez_proc_status(pid, 0, &s) && s.nested;
}

static void drain_make(struct ez_drain *d, const struct ez_drain_cfg *cfg)
{
    d->cfg = *cfg;
    d->cfg.layout = NULL;
    d->cfg.program = ez_strdup(cfg->program ? cfg->program : "");
    ez_job_of(cfg->pid, &d->job);
    d->hdr = cfg->hdr;
    d->foreign_tids = drain_foreign_tids(cfg->pid);
    d->life.hold = cfg->layout != NULL;
    d->rounds.loader_seq = (cfg->layout ? cfg->layout : cfg->hdr)->loader_seq;
    pthread_mutex_init(&d->mail.lock, NULL);
    pthread_cond_init(&d->mail.done, NULL);
    if (cfg->layout)
        drain_pauses_begin(d);
    ez_drain_want_switches(d, EZ_SWITCHES_OFF);
    drain_filter_begin(d);
    drain_lines_begin(d);
    drain_signals_begin(d);
    drain_trace_begin(d);
    drain_defs_begin(d);
    drain_recent_begin(d);
    drain_clock_begin(d);
    d->rounds.tick = d->clock.zero.tick;
}

static void drain_unmake(struct ez_drain *d)
{
    drain_code_free(d);
    drain_calls_free(d);
    drain_switches_close(d);
    drain_signals_free(d);
    drain_filter_free(d);
    drain_memory_free(d);
    drain_lines_free(d);
    drain_trace_free(d);
    drain_defs_free(d);
    drain_recent_free(d);
    drain_pauses_free(d);
    drain_buffers_free(d);
    ez_err_free(d->mail.begun);
    pthread_cond_destroy(&d->mail.done);
    pthread_mutex_destroy(&d->mail.lock);
    free((char *)d->cfg.program);
    free(d);
}

static int drain_start_thread(struct ez_drain *d)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int e = pthread_create(&d->life.thread, NULL, drain_main, d);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return e;
}

ez_err *ez_drain_begin(const struct ez_drain_cfg *cfg, struct ez_drain **out)
{
    struct ez_drain *d = ez_alloc(sizeof *d);
    if (!drain_buffers_begin(d, cfg)) {
        free(d);
        return ez_err_new(EZ_E_FORMAT, 0,
                          "The shared memory of the process is damaged: its header does not fit "
                          "its size");
    }
    drain_make(d, cfg);
    int errnum = drain_start_thread(d);
    if (errnum) {
        drain_unmake(d);
        return ez_err_new(EZ_E_SYS, errnum, "Cannot start the thread that writes the trace");
    }
    drain_give(d, drain_order_start, NULL);
    *out = d;
    return NULL;
}

ez_err *ez_drain_finish(struct ez_drain *d)
{
    ez_err *e = drain_await(d), *before = d->mail.begun;
    d->mail.begun = NULL;
    if (!e)
        return before;
    ez_err_free(before);
    return e;
}

ez_err *ez_drain_create(const struct ez_drain_cfg *cfg, struct ez_drain **out)
{
    struct ez_drain *d;
    EZ_TRY(ez_drain_begin(cfg, &d));
    ez_err *e = ez_drain_finish(d);
    if (e)
        ez_drain_destroy(d);
    else
        *out = d;
    return e;
}

static void drain_end(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg)
{
    ez_err_drop(drain_request(d, order, arg));
    pthread_join(d->life.thread, NULL);
    drain_unmake(d);
}

void ez_drain_destroy(struct ez_drain *d)
{
    if (d)
        drain_end(d, drain_order_quit, NULL);
}

void ez_drain_leave(struct ez_drain *d, bool trace_open)
{
    drain_end(d, drain_order_leave, &trace_open);
}
