/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c - stopping the world, letting it go on, and hearing what the kernel says.
 *
 * A thread that we command is `stopped`. A real signal that arrives while we are
 * stopping the world is kept in the thread (with its siginfo) and delivered exactly
 * once when it goes on. A thread stopped by job control (SIGSTOP) is left stopped
 * (PTRACE_LISTEN) whatever we did with it meanwhile.
 *
 * In the foreground every thread is seized, so that signals can be reported. In the
 * background nothing is: under ptrace any signal would stop the target until we
 * react.  Sources: ptrace(2), "Attaching and detaching", "Group-stop". */
#include "engine/target.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>

#include "engine/pt.h"

#define STOP_DEADLINE_MS 10000
#define REAP_MS 200 /* a dying thread is reported in microseconds */
#define SEIZE_OPTIONS (PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD)

static int64_t now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* ---- threads -------------------------------------------------------------------- */

struct ez_thread *ez_thread_find(struct ez_target *t, pid_t tid)
{
    for (size_t i = 0; i < t->thread.n; i++)
        if (t->thread.at[i]->tid == tid)
            return t->thread.at[i];
    return NULL;
}

struct ez_thread *ez_thread_current(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_find(t, t->current);
    return th ? th : t->thread.n ? t->thread.at[0] : NULL;
}

struct ez_thread *ez_thread_add(struct ez_target *t, pid_t tid)
{
    struct ez_thread *th = ez_thread_find(t, tid);
    if (th)
        return th;
    th = ez_alloc(sizeof *th);
    th->tid = tid;
    EZ_PUSH(&t->thread, th);
    return th;
}

static void thread_remove(struct ez_target *t, pid_t tid)
{
    for (size_t i = 0; i < t->thread.n; i++) {
        if (t->thread.at[i]->tid != tid)
            continue;
        free(t->thread.at[i]);
        t->thread.at[i] = t->thread.at[--t->thread.n];
        return;
    }
}

void ez_threads_clear(struct ez_target *t)
{
    for (size_t i = 0; i < t->thread.n; i++)
        free(t->thread.at[i]);
    t->thread.n = 0;
}

ez_err *ez_thread_regs(struct ez_thread *th, struct ez_regs **regs)
{
    if (!th->regs_known)
        EZ_TRY(pt_getregs(th->tid, &th->regs, "read registers"));
    th->regs_known = true;
    *regs = &th->regs;
    return NULL;
}

ez_err *ez_thread_set_regs(struct ez_thread *th, const struct ez_regs *regs)
{
    EZ_TRY(pt_setregs(th->tid, regs, "write registers"));
    th->regs = *regs;
    th->regs_known = true;
    return NULL;
}

/* ---- what a stop means -------------------------------------------------------------- */

enum meaning { QUIET, SIGNAL, GROUP, EXEC, ENDED };

void ez_process_ended(struct ez_target *t, enum ez_event_kind kind, int value)
{
    struct ez_event ev = { .kind = kind, .tid = t->pid };
    if (kind == EZ_EV_SIGNALED)
        ev.sig = value;
    else
        ev.status = value;
    ez_trace_process_ended(t);
    ez_probes_process_ended(t); /* takes the counts: before the rings go */
    ez_rt_down(t);
    ez_threads_clear(t);
    ez_modules_clear(t);
    if (t->memfd >= 0)
        close(t->memfd);
    if (t->pidfd >= 0)
        close(t->pidfd);
    t->memfd = t->pidfd = -1;
    t->state = EZ_NONE;
    t->seized = false;
    t->temp_bp = t->syscall_at = 0;
    t->mine.n = 0;
    ez_post(t, ev);
    t->pid = 0;
}

static bool pending_unblocked(struct ez_target *t, pid_t tid)
{
    char path[64], line[128];
    unsigned long own = 0, shared = 0, blocked = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", t->pid, tid);
    FILE *f = fopen(path, "re");
    if (!f)
        return true;
    while (fgets(line, sizeof line, f)) {
        sscanf(line, "SigPnd: %lx", &own);
        sscanf(line, "ShdPnd: %lx", &shared);
        sscanf(line, "SigBlk: %lx", &blocked);
    }
    fclose(f);
    return ((own | shared) & ~blocked) != 0;
}

/* Our own stop made some system calls answer EINTR (epoll_wait, timed receives, ...)
 * though no signal came: the target must never see that. */
static ez_err *mend_eintr(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *r;
    EZ_TRY(ez_thread_regs(th, &r));
    struct ez_regs mended = *r;
    if (t->arch->restart_eintr(&mended) && !pending_unblocked(t, th->tid))
        EZ_TRY(ez_thread_set_regs(th, &mended));
    return NULL;
}

static ez_err *note_stop(struct ez_target *t, struct ez_thread *th, int status, enum meaning *what)
{
    int sig = WSTOPSIG(status), event = status >> 16;
    unsigned long msg;
    th->stopped = true;
    th->regs_known = false;
    th->stepped = false;
    *what = QUIET;
    switch (event) {
    case PTRACE_EVENT_STOP:
        th->asked = false;
        th->group_stop = sig != SIGTRAP;
        if (th->group_stop)
            *what = GROUP;
        return mend_eintr(t, th);
    case PTRACE_EVENT_CLONE:
        EZ_TRY(pt_eventmsg(th->tid, &msg, "learn the new thread's id"));
        ez_thread_add(t, (pid_t)msg);
        return NULL;
    case PTRACE_EVENT_EXEC:
        *what = EXEC;
        return NULL;
    case 0:
        th->sig = sig;
        th->has_info = ez_err_drop(pt_getsiginfo(th->tid, &th->info, "keep the signal's details"));
        *what = SIGNAL;
        return NULL;
    default:
        return NULL;
    }
}

static ez_err *note(struct ez_target *t, pid_t tid, int status, enum meaning *what)
{
    *what = ENDED;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
        thread_remove(t, tid);
        if (tid == t->pid)
            ez_process_ended(t, WIFEXITED(status) ? EZ_EV_EXITED : EZ_EV_SIGNALED,
                             WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        return NULL;
    }
    return note_stop(t, ez_thread_add(t, tid), status, what);
}

/* A traced thread that ended stays a zombie until we take its report, and its process
 * does not end before. The leader's report is the process's: not taken here. */
static void reap_thread(struct ez_target *t, pid_t tid)
{
    int64_t deadline = now_ms() + REAP_MS;
    while (tid != t->pid && now_ms() < deadline) {
        int status;
        pid_t got = 0;
        if (!ez_err_drop(pt_wait(tid, WNOHANG, &status, &got, "hear of a thread's end")) ||
            (got && !WIFSTOPPED(status)))
            return;
        if (!got)
            ez_wait_report(t, 1);
    }
}

/* ---- stopping -------------------------------------------------------------------------- */

static bool is_zombie(pid_t pid, pid_t tid)
{
    char path[64], buf[256], *p;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    FILE *f = fopen(path, "re");
    if (!f)
        return true;
    size_t n = fread(buf, 1, sizeof buf - 1, f);
    fclose(f);
    buf[n] = 0;
    p = strrchr(buf, ')');
    return !p || p[2] == 'Z' || p[2] == 'X';
}

/* Seize every task that is not ours yet. *born = how many were new. */
static ez_err *seize_all(struct ez_target *t, int *born)
{
    char path[64];
    struct dirent *d;
    *born = 0;
    snprintf(path, sizeof path, "/proc/%d/task", t->pid);
    DIR *dir = opendir(path);
    if (!dir)
        return ez_err_new(EZ_E_GONE, 0, "process %d is gone", t->pid);
    ez_err *err = NULL;
    while (!err && (d = readdir(dir))) {
        pid_t tid = atoi(d->d_name);
        if (tid <= 0 || ez_thread_find(t, tid) || is_zombie(t->pid, tid))
            continue;
        err = pt_seize(tid, SEIZE_OPTIONS, "stop the world");
        /* EPERM: a new thread that the kernel attached for us already. */
        bool ours = !err || (err->code == EZ_E_PERM && t->thread.n);
        if (err && (err->code == EZ_E_GONE || ours)) {
            ez_err_free(err);
            err = NULL;
        }
        if (ours) {
            ez_thread_add(t, tid);
            ++*born;
        }
    }
    closedir(dir);
    return err;
}

static ez_err *interrupt_all(struct ez_target *t)
{
    for (size_t i = 0; i < t->thread.n; i++) {
        struct ez_thread *th = t->thread.at[i];
        if (th->stopped || th->asked)
            continue;
        ez_err *e = pt_interrupt(th->tid, "stop the world");
        if (e && e->code != EZ_E_GONE)
            return e;
        ez_err_free(e); /* gone: its end will be reported */
        th->asked = true;
    }
    return NULL;
}

/* Threads that should stop and did not yet; a zombie leader never will. */
static struct ez_thread *still_running(struct ez_target *t)
{
    for (size_t i = 0; i < t->thread.n; i++)
        if (!t->thread.at[i]->stopped && !is_zombie(t->pid, t->thread.at[i]->tid))
            return t->thread.at[i];
    return NULL;
}

void ez_wait_report(struct ez_target *t, int ms)
{
    struct pollfd p = { t->sigfd, POLLIN, 0 };
    struct signalfd_siginfo si[16];
    if (poll(&p, 1, ms) > 0)
        while (read(t->sigfd, si, sizeof si) > 0)
            continue;
}

static ez_err *exec_seen(struct ez_target *t, pid_t tid);

/* A clone is reported from inside the system call, whose result the kernel has yet to
 * write over what we would put in its register: let it finish, then stop it. */
static ez_err *finish_clone(struct ez_thread *th)
{
    EZ_TRY(pt_interrupt(th->tid, "stop the world")); /* any report takes back an earlier one */
    th->asked = true;
    th->stopped = th->regs_known = false;
    return pt_cont(th->tid, 0, "let its clone finish");
}

static ez_err *collect(struct ez_target *t)
{
    int64_t deadline = now_ms() + STOP_DEADLINE_MS;
    struct ez_thread *th;
    while ((th = still_running(t))) {
        int status;
        pid_t tid;
        enum meaning what;
        EZ_TRY(pt_wait(-1, WNOHANG, &status, &tid, "stop the world"));
        if (!tid) {
            if (now_ms() > deadline)
                return ez_err_hint(
                    ez_err_new(EZ_E_TIMEOUT, 0,
                               "thread %d does not stop (10 s): it sleeps uninterruptibly",
                               th->tid),
                    "vfork's parent does until the child execs; try again");
            ez_wait_report(t, 5);
            continue;
        }
        EZ_TRY(note(t, tid, status, &what));
        if (what == EXEC)
            EZ_TRY(exec_seen(t, tid));
        if (t->state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "the process ended");
        if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_CLONE) {
            ez_err *e = finish_clone(ez_thread_find(t, tid));
            if (e && e->code != EZ_E_GONE)
                return e;
            ez_err_free(e); /* gone: its end will be reported */
        }
    }
    return NULL;
}

static ez_err *let_go_partial(struct ez_target *t, ez_err *e)
{
    if (t->state != EZ_NONE && e->code != EZ_E_GONE) {
        ez_err_drop(t->state == EZ_BACKGROUND ? ez_threads_detach(t) : ez_threads_cont(t));
    }
    return e;
}

/* Threads that ended while we stopped the others: nothing can be asked of them. */
static void forget_ended(struct ez_target *t)
{
    for (size_t i = t->thread.n; i-- > 0;) {
        pid_t tid = t->thread.at[i]->tid;
        if (t->thread.at[i]->stopped)
            continue;
        reap_thread(t, tid);
        thread_remove(t, tid);
    }
}

ez_err *ez_world_stop(struct ez_target *t, enum ez_state *was)
{
    int born;
    ez_err *e;
    *was = t->state;
    EZ_TRY(ez_need_process(t));
    if (t->state == EZ_STOPPED)
        return NULL;
    do {
        e = seize_all(t, &born);
        if (!e)
            e = interrupt_all(t);
        if (!e)
            e = collect(t);
        if (e)
            return let_go_partial(t, e);
    } while (born);
    forget_ended(t);
    if (!t->thread.n)
        return ez_err_new(EZ_E_GONE, 0, "process %d has no live thread", t->pid);
    t->state = EZ_STOPPED;
    t->seized = true;
    if (!ez_thread_find(t, t->current))
        t->current = t->pid;
    return NULL;
}

/* ---- going on ---------------------------------------------------------------------------- */

static ez_err *put_back_siginfo(struct ez_thread *th)
{
    if (th->sig && th->has_info && th->stepped)
        ez_err_drop(pt_setsiginfo(th->tid, &th->info, "deliver the kept signal as it was"));
    return NULL;
}

/* Back into the group stop that job control ordered. */
static ez_err *cont_group_stopped(struct ez_target *t, struct ez_thread *th)
{
    int status;
    pid_t got;
    enum meaning what;
    ez_err *e = pt_listen(th->tid, "leave it stopped by job control");
    if (!e || e->code == EZ_E_GONE)
        return e;
    ez_err_free(e); /* it was stepped: fetch the group stop once more */
    EZ_TRY(pt_interrupt(th->tid, "find the group stop again"));
    EZ_TRY(pt_cont(th->tid, 0, "find the group stop again"));
    EZ_TRY(pt_wait(th->tid, 0, &status, &got, "find the group stop again"));
    EZ_TRY(note(t, got, status, &what));
    if (what == GROUP)
        return pt_listen(th->tid, "leave it stopped by job control");
    return what == ENDED ? NULL : pt_cont(th->tid, 0, "go on: job control released it");
}

ez_err *ez_threads_cont(struct ez_target *t)
{
    ez_err *first = NULL;
    for (size_t i = 0; i < t->thread.n; i++) {
        struct ez_thread *th = t->thread.at[i];
        ez_err *e;
        if (!th->stopped)
            continue;
        if (th->group_stop) {
            e = cont_group_stopped(t, th);
        } else {
            put_back_siginfo(th);
            e = pt_cont(th->tid, th->sig, "go on");
        }
        th->stopped = th->stepped = th->has_info = th->regs_known = false;
        th->sig = 0;
        if (e && e->code != EZ_E_GONE && !first)
            first = e;
        else
            ez_err_free(e);
    }
    t->state = EZ_RUNNING;
    return first;
}

ez_err *ez_threads_detach(struct ez_target *t)
{
    for (size_t i = 0; i < t->thread.n; i++) {
        struct ez_thread *th = t->thread.at[i];
        put_back_siginfo(th);
        if (!ez_err_drop(pt_detach(th->tid, th->sig, "let go")))
            reap_thread(t, th->tid);
    }
    ez_threads_clear(t);
    t->seized = false;
    return NULL;
}

ez_err *ez_world_resume(struct ez_target *t, enum ez_state was)
{
    if (t->state != EZ_STOPPED || was == EZ_STOPPED)
        return NULL;
    if (was == EZ_BACKGROUND) {
        EZ_TRY(ez_threads_detach(t));
        t->state = EZ_BACKGROUND;
        return NULL;
    }
    return ez_threads_cont(t);
}

/* ---- single steps and short runs ------------------------------------------------------------ */

ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped, const char *why)
{
    int kept = th->sig, status;
    siginfo_t info = th->info;
    bool had = th->has_info;
    pid_t got;
    enum meaning what;
    *trapped = false;
    for (int tries = 0; tries < 64; tries++) {
        EZ_TRY(pt_step(th->tid, 0, why));
        th->stopped = false;
        EZ_TRY(pt_wait(th->tid, 0, &status, &got, why));
        EZ_TRY(note(t, got, status, &what));
        if (what == ENDED || t->state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "the process ended (%s)", why);
        th->stepped = true;
        if (what == SIGNAL && th->sig == SIGTRAP) {
            th->sig = kept;
            th->info = info;
            th->has_info = had;
            *trapped = true;
            return NULL;
        }
        if (what == SIGNAL) { /* a real one: keep it and step again without it */
            if (kept)         /* no room for two: hand the older one back to the kernel */
                kill(t->pid, kept);
            kept = th->sig;
            info = th->info;
            had = th->has_info;
            return NULL;
        }
    }
    return ez_err_new(EZ_E_TIMEOUT, 0, "thread %d does not step (%s)", th->tid, why);
}

ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, uint64_t at, int ms,
                         bool others, const char *why)
{
    int64_t deadline = now_ms() + ms;
    pid_t tid = th->tid;
    for (size_t i = 0; others && i < t->thread.n; i++) {
        struct ez_thread *o = t->thread.at[i];
        if (o == th || o->group_stop || o->sig)
            continue;
        EZ_TRY(pt_cont(o->tid, 0, "let it give up locks meanwhile"));
        o->stopped = false;
    }
    EZ_TRY(pt_cont(tid, 0, why));
    th->stopped = false;
    for (;;) {
        int status;
        pid_t got;
        enum meaning what;
        struct ez_regs *r;
        EZ_TRY(pt_wait(-1, WNOHANG, &status, &got, why));
        if (!got) {
            if (now_ms() > deadline)
                return ez_err_new(EZ_E_TIMEOUT, 0, "no answer within %d ms (%s)", ms, why);
            ez_wait_report(t, 5);
            continue;
        }
        EZ_TRY(note(t, got, status, &what));
        if (t->state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "the process ended (%s)", why);
        struct ez_thread *who = ez_thread_find(t, got);
        if (!who || what == ENDED)
            continue;
        if (got != tid) { /* others: only new threads and signals; keep what is a signal */
            if (what == QUIET) {
                EZ_TRY(pt_cont(got, 0, "let it give up locks meanwhile"));
                who->stopped = false;
            }
            continue;
        }
        EZ_TRY(ez_thread_regs(who, &r));
        if (what == SIGNAL && t->arch->pc(r) == at) {
            who->sig = 0;
            who->stepped = true;
            return NULL;
        }
        if (what == SIGNAL && (who->sig == SIGSEGV || who->sig == SIGBUS || who->sig == SIGILL ||
                               who->sig == SIGFPE || who->sig == SIGTRAP))
            return ez_err_new(EZ_E_REMOTE, 0, "signal %d at 0x%lx (%s)", who->sig,
                              (unsigned long)t->arch->pc(r), why);
        int sig = who->sig;
        who->sig = 0;
        EZ_TRY(pt_cont(tid, sig, why));
        who->stopped = false;
    }
}

/* ---- reports while the target runs ------------------------------------------------------------- */

static bool passes_silently(int sig)
{
    switch (sig) {
    case SIGALRM:
    case SIGURG:
    case SIGIO:
    case SIGVTALRM:
    case SIGPROF:
    case SIGCHLD:
    case SIGWINCH:
    case 32: /* libc's own: cancellation, setuid in all threads */
    case 33:
        return true;
    }
    return false;
}

static ez_err *stop_for_user(struct ez_target *t, struct ez_thread *th)
{
    enum ez_state was;
    struct ez_event ev = { .kind = EZ_EV_STOPPED, .sig = th->sig, .tid = th->tid };
    pid_t tid = th->tid;
    EZ_TRY(ez_world_stop(t, &was));
    th = ez_thread_find(t, tid);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "thread %d is gone", tid);
    t->current = tid;
    struct ez_regs *r;
    EZ_TRY(ez_thread_regs(th, &r));
    ev.addr = t->arch->pc(r);
    ez_post(t, ev);
    return NULL;
}

/* A temporary breakpoint of ours? Then the original byte is back and the pc on it. */
static ez_err *temp_breakpoint(struct ez_target *t, struct ez_thread *th, bool *hit)
{
    struct ez_regs *r;
    *hit = false;
    if (!t->temp_bp || th->sig != SIGTRAP)
        return NULL;
    EZ_TRY(ez_thread_regs(th, &r));
    if (t->arch->pc(r) != t->temp_bp + t->arch->trap_len)
        return NULL;
    struct ez_regs back = *r;
    t->arch->set_pc(&back, t->temp_bp);
    EZ_TRY(ez_temp_bp_clear(t));
    EZ_TRY(ez_thread_set_regs(th, &back));
    th->sig = 0;
    th->has_info = false;
    *hit = true;
    return NULL;
}

static ez_err *go_on(struct ez_thread *th)
{
    int sig = th->sig;
    th->stopped = th->regs_known = false;
    th->sig = 0;
    return pt_cont(th->tid, sig, "go on");
}

static ez_err *react(struct ez_target *t, struct ez_thread *th, enum meaning what)
{
    bool hit;
    switch (what) {
    case SIGNAL:
        EZ_TRY(temp_breakpoint(t, th, &hit));
        if (hit)
            return stop_for_user(t, th);
        if (passes_silently(th->sig) || (t->set.pass_signals && th->sig != SIGINT))
            return go_on(th);
        return stop_for_user(t, th);
    case GROUP:
        EZ_TRY(cont_group_stopped(t, th));
        th->stopped = false;
        return NULL;
    default:
        return go_on(th);
    }
}

static ez_err *exec_seen(struct ez_target *t, pid_t tid)
{
    for (size_t i = t->thread.n; i-- > 0;)
        if (t->thread.at[i]->tid != tid)
            thread_remove(t, t->thread.at[i]->tid);
    return ez_image_execed(t);
}

/* In the background: only its end can be heard of. */
static ez_err *pump_background(struct ez_target *t, bool *some)
{
    int status;
    pid_t got = 0;
    if (t->child) {
        EZ_TRY(pt_wait(t->pid, WNOHANG, &status, &got, "hear of its end"));
        if (got && (WIFEXITED(status) || WIFSIGNALED(status))) {
            *some = true;
            ez_process_ended(t, WIFEXITED(status) ? EZ_EV_EXITED : EZ_EV_SIGNALED,
                             WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        }
        return NULL;
    }
    struct pollfd p = { t->pidfd, POLLIN, 0 };
    if (t->pidfd >= 0 && poll(&p, 1, 0) > 0) {
        *some = true;
        ez_err_drop(pt_wait(t->pid, WNOHANG, &status, &got, "its leader died traced"));
        ez_process_ended(t, EZ_EV_GONE, 0);
    }
    return NULL;
}

static ez_err *pump_seized(struct ez_target *t, bool *some)
{
    int status;
    pid_t tid;
    enum meaning what;
    ez_err *e = pt_wait(-1, WNOHANG, &status, &tid, "hear what happened");
    if (e && e->code == EZ_E_GONE) { /* nobody left to wait for */
        ez_err_free(e);
        ez_process_ended(t, EZ_EV_GONE, 0);
        return NULL;
    }
    EZ_TRY(e);
    if (!tid)
        return NULL;
    *some = true;
    EZ_TRY(note(t, tid, status, &what));
    if (what == ENDED || t->state == EZ_NONE)
        return NULL;
    if (what == EXEC)
        return exec_seen(t, tid);
    struct ez_thread *th = ez_thread_find(t, tid);
    return th && t->state == EZ_RUNNING ? react(t, th, what) : NULL;
}

ez_err *ez_pump(struct ez_target *t, bool *some)
{
    uint64_t n;
    *some = false;
    ez_wait_report(t, 0);
    if (t->state == EZ_NONE)
        return NULL;
    if (read(t->eventfd, &n, sizeof n) == sizeof n) {
        *some = true;
        EZ_TRY(ez_solib_event(t));
        if (t->state == EZ_NONE)
            return NULL;
    }
    return t->state == EZ_BACKGROUND ? pump_background(t, some) : pump_seized(t, some);
}
