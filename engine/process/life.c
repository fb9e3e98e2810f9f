/* SPDX-License-Identifier: GPL-3.0-or-later */
/* life.c - the life of a process: run, attach, continue, interrupt, step, kill.
 *
 * Launch: the child waits on a pipe until the shell has seized it, then execs /bin/sh, which
 * expands the arguments, opens the redirections and execs the program. So there are two execs, and
 * the program never runs untraced. ASLR stays on by default. PTRACE_O_EXITKILL is never set,
 * because the target must outlive the shell.
 * Tests: tests/unit/process/check_life.c */
#include "engine/process/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/base/foreign.h"
#include "engine/inferior/catch.h"
#include "engine/inferior/guard.h"
#include "engine/process/keep.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"
#include "engine/probe/act.h"
#include "engine/probe/solib.h"

/* ---- launch ------------------------------------------------------------------------------ */

static void life_surround(const struct ez_run *how)
{
    int fd = how->tty ? open(how->tty, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (how->tty && fd < 0)
        _exit(126);
    for (int i = 0; i < 3 && fd >= 0; i++)
        dup2(fd, i);
    for (size_t i = 0; i < how->nenv; i++)
        if (strchr(how->env[i], '='))
            putenv(how->env[i]);
        else
            unsetenv(how->env[i]);
}

static void life_child_main(const struct ez_target *t, const struct ez_run *how, int go)
{
    sigset_t none;
    char c;
    EZ_FREE char *quoted = NULL;
    sigemptyset(&none);
    if (how->own_pgrp) { /* possible only before SIGTTOU is reset and unblocked below */
        setpgid(0, 0);
        tcsetpgrp(STDIN_FILENO, getpid());
    }
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP && signal(s, SIG_DFL) == SIG_IGN && s == SIGHUP)
            signal(s, SIG_IGN); /* keeps the effect of nohup */
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (how->disable_aslr)
        personality(ADDR_NO_RANDOMIZE);
    if (read(go, &c, 1) != 1)
        _exit(126);
    if (how->cwd && chdir(how->cwd) < 0)
        _exit(126); /* not earlier, because the seize needs a live child */
    life_surround(how);
    setenv("EZT_PROGRAM", t->inf.program, 1);
    quoted =
        ez_sprintf("p=$EZT_PROGRAM; unset EZT_PROGRAM; exec \"$p\" %s", how->args ? how->args : "");
    execl("/bin/sh", "sh", "-c", quoted, (char *)NULL);
    _exit(127);
}

/* Waits until the child execs or ends. *status: the wait status of that event. */
static ez_err *life_await_exec(struct ez_target *t, int *status)
{
    pid_t got;
    for (;;) {
        EZ_TRY(ez_report(t, t->inf.pid, 0, status, &got, "wait for the program's exec"));
        if (WIFEXITED(*status) || WIFSIGNALED(*status))
            return NULL;
        if (*status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
            return NULL;
        int sig = *status >> 16 ? 0 : WSTOPSIG(*status);
        EZ_TRY(pt_cont(t->inf.pid, sig, "let the process run to its exec"));
    }
}

static ez_err *life_startup_died(struct ez_target *t, int status)
{
    ez_inferior_end(t);
    if (WIFEXITED(status))
        return ez_err_hint(ez_err_gdb(EZ_E_SYS, "During startup program exited with code %d.",
                                      WEXITSTATUS(status)),
                           "Is %s executable?", t->inf.program);
    return ez_err_new(EZ_E_SYS, 0, "During startup program terminated with signal %d",
                      WTERMSIG(status));
}

/* Runs the child to the program's exec. Forks are traced only after that exec, because /bin/sh may
 * fork processes to expand the arguments. */
static ez_err *life_to_program(struct ez_target *t, int go)
{
    int status;
    EZ_TRY(pt_seize(t->inf.pid, PTRACE_O_TRACEEXEC, "launch the program"));
    if (write(go, "x", 1) != 1)
        return ez_err_new(EZ_E_SYS, errno, "Cannot start the program");
    EZ_TRY(life_await_exec(t, &status)); /* the exec of /bin/sh */
    if (!WIFSTOPPED(status))
        return life_startup_died(t, status);
    EZ_TRY(pt_cont(t->inf.pid, 0, "let /bin/sh exec the program"));
    EZ_TRY(life_await_exec(t, &status));
    if (!WIFSTOPPED(status))
        return life_startup_died(t, status);
    return pt_setoptions(t->inf.pid, EZ_SEIZE_OPTIONS, "trace its threads and forks");
}

/* Kills a process whose launch failed half-way. Returns e. */
static ez_err *life_abandon(struct ez_target *t, ez_err *e)
{
    if (t->inf.state != EZ_NONE) {
        ez_err_drop(ez_kill(t));
        ez_queue_drop(t);
    }
    return e;
}

/* Waits until the loader has reached its first consistent state and the probes are planted, or
 * until the process stops or ends. */
static ez_err *life_await_first_solib(struct ez_target *t)
{
    while (!t->probes.first_solib && t->inf.state == EZ_RUNNING) {
        struct pollfd fds[4];
        bool some;
        size_t n = ez_poll_fds(t, fds, 4);
        poll(fds, n, 100);
        EZ_TRY(ez_wait_poll(t, &some));
    }
    return NULL;
}

/* Checks the program's working directory and terminal before the fork, because the child could not
 * say what failed. */
static ez_err *life_can_begin(const struct ez_run *how)
{
    int e = 0, fd = how->cwd ? open(how->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (how->cwd && (fd < 0 || faccessat(fd, ".", X_OK, 0) < 0))
        e = errno;
    if (fd >= 0)
        close(fd);
    if (e)
        return ez_err_hint(ez_err_new(EZ_E_SYS, 0, "%s: %s", how->cwd, strerror(e)),
                           "\"set cwd\" chose that folder for the program");
    fd = how->tty ? open(how->tty, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (how->tty && fd < 0)
        return ez_err_hint(ez_err_new(EZ_E_SYS, 0, "%s: %s", how->tty, strerror(errno)),
                           "\"tty\" chose that terminal for the program");
    if (fd >= 0)
        close(fd);
    return NULL;
}

ez_err *ez_run(struct ez_target *t, const struct ez_run *how)
{
    int go[2];
    if (ez_target_live(t))
        return ez_err_new(EZ_E_STATE, 0, "The program is already running");
    if (!t->inf.program)
        return ez_err_hint(ez_err_gdb(EZ_E_STATE, "No executable file specified."),
                           "Use the \"file\" command");
    if (access(t->inf.program, X_OK) < 0)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: %s", t->inf.program, strerror(errno));
    EZ_TRY(life_can_begin(how));
    EZ_TRY(ez_program_reread(t));
    if (pipe2(go, O_CLOEXEC) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot start the program");
    pid_t pid = fork();
    if (pid < 0) {
        ez_err *failed = ez_err_new(EZ_E_SYS, errno, "Cannot start the program");
        close(go[0]);
        close(go[1]);
        return failed;
    }
    if (!pid) {
        close(go[1]);
        life_child_main(t, how, go[0]);
    }
    ez_core_close(t);
    ez_process_new(t, pid, false, true);
    if (how->own_pgrp)
        setpgid(pid, pid);
    ez_err *e = life_to_program(t, go[1]);
    close(go[1]);
    /* go[0] is closed only now: if the child was killed, the write in life_to_program() must not
     * raise SIGPIPE. */
    close(go[0]);
    if (e)
        return life_abandon(t, e);
    ez_inferior_stands(t);
    ez_progress_begin(t);
    e = ez_exec_finish(t);
    if (!e)
        e = ez_image_fresh(t);
    if (!e)
        e = ez_image_launch(t, how->stop_at_main);
    e = ez_progress_end(t, e);
    if (!e && t->inf.state == EZ_STOPPED)
        e = ez_threads_cont(t);
    /* planting was interrupted: the process stays stopped at its first instruction */
    if (e && t->probes.plant_later)
        return e;
    if (e)
        return life_abandon(t, e);
    return life_await_first_solib(t);
}

/* ---- attach ---------------------------------------------------------------------------------- */

/* Adds a hint with the tracer's pid and, unless the tracer has ended, its name. */
static ez_err *life_explain_tracer(ez_err *e, pid_t pid, pid_t tracer)
{
    struct ez_proc_status s;
    bool named = ez_proc_status(tracer, 0, &s) && *s.comm;
    return ez_err_hint(e, "Process %d is already traced by process %d%s%s%s: detach that one first",
                       pid, (int)tracer, named ? " (" : "", named ? s.comm : "", named ? ")" : "");
}

/* Returns an error for EPERM. Its hint says which of the many causes applies, as far as that can be
 * found out. */
static ez_err *life_explain_eperm(pid_t pid, const struct ez_proc_status *s)
{
    int scope = ez_yama_scope();
    ez_err *e = ez_err_new(EZ_E_PERM, 0, "ptrace: Operation not permitted");
    if (s->tracer)
        return life_explain_tracer(e, pid, (pid_t)s->tracer);
    if (s->state == 'Z')
        return ez_err_hint(e, "Process %d has ended and waits for its parent (a zombie)", pid);
    if (s->parent == 2 || pid == 2)
        return ez_err_hint(e, "Process %d (%s) is a kernel thread: nobody can trace it", pid,
                           s->comm);
    if (scope == 3)
        return ez_err_hint(
            e, "The sysctl kernel.yama.ptrace_scope is 3: nobody may attach until the next boot");
    if (scope == 2 && geteuid() != 0)
        return ez_err_hint(
            e,
            "The sysctl kernel.yama.ptrace_scope is 2: only root may attach; run eztsh with sudo");
    if (s->uid != geteuid() && geteuid() != 0)
        return ez_err_hint(
            e, "Process %d belongs to uid %d, you are uid %d: run eztsh as that user or with sudo",
            pid, (int)s->uid, (int)geteuid());
    if (scope == 1 && geteuid() != 0)
        return ez_err_hint(e,
                           "The sysctl kernel.yama.ptrace_scope is 1: only an ancestor or root may "
                           "attach; launch the program with eztsh, or \"sudo sysctl "
                           "kernel.yama.ptrace_scope=0\"");
    return ez_err_hint(e, "The process changed its credentials, is not dumpable, or lives in "
                          "another user namespace: run eztsh as root of that namespace");
}

/* Wakes the process if it sleeps in a sleep block, held for another eztsh (offer.c). Posts a note,
 * unless `expected` is true (`attach -held`). */
static ez_err *life_wake(struct ez_target *t, bool expected)
{
    bool was = false, one;
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        if (!t->inf.thread.at[i]->stopped)
            continue;
        EZ_TRY(ez_sleep_block_end(t, t->inf.thread.at[i], &one));
        was |= one;
    }
    if (was && !expected)
        ez_post_note(t, "[Process %d was held for another eztsh]", t->inf.pid);
    return NULL;
}

/* Prepares the attached process, whose threads are all stopped. */
static ez_err *life_attached(struct ez_target *t, unsigned how)
{
    bool hooked;
    EZ_TRY(ez_image_fresh(t));
    EZ_TRY(life_wake(t, how & EZ_ATTACH_HELD));
    EZ_TRY(ez_image_known(t));
    EZ_TRY(ez_leftovers(t, how & EZ_ATTACH_FORCE));
    if (ez_solib_begins(t))
        return ez_image_early(t);
    ez_solib_consistent(t, true);
    if (ez_foreign_stopped())
        return ez_foreign_interrupted();
    if (ez_probes_any_pending(t))
        EZ_TRY(ez_probes_pending(t, true));
    return ez_probes_any_pending(t) ? ez_solib_watch(t, &hooked) : NULL;
}

ez_err *ez_attach(struct ez_target *t, pid_t pid, unsigned how)
{
    struct ez_proc_status s;
    enum ez_state was;
    if (ez_target_live(t))
        return ez_err_new(EZ_E_STATE, 0, "Already debugging process %d", t->inf.pid);
    if (pid == getpid())
        return ez_err_gdb(EZ_E_ARG, "I refuse to debug myself!");
    if (pid <= 0 || !ez_proc_status(pid, 0, &s))
        return ez_err_hint(ez_err_new(EZ_E_GONE, 0, "ptrace: No such process"),
                           "There is no process %d on this machine", pid);
    ez_core_close(t);
    ez_process_new(t, pid, true, false);
    ez_progress_begin(t);
    ez_err *e = ez_world_stop(t, &was);
    if (!e)
        e = life_attached(t, how);
    e = ez_progress_end(t, e);
    if (!e)
        ez_plugins_attached(t);
    if (!e)
        return NULL;
    if (t->inf.state != EZ_NONE) {
        if (t->inf.seized) {
            ez_err_drop(ez_clear_out(t, 0));
            ez_err_drop(ez_threads_detach(t));
        }
        ez_process_forget(t);
    }
    bool zombie = e->code == EZ_E_GONE && s.state == 'Z';
    if (e->code == EZ_E_PERM || zombie) {
        struct ez_proc_status held; /* the failed thread may have a tracer, not the main thread */
        if (e->tid && ez_proc_status(pid, e->tid, &held))
            s.tracer = held.tracer;
        ez_err_free(e);
        return life_explain_eperm(pid, &s);
    }
    return e;
}

/* ---- continue, stop, step -------------------------------------------------------------------- */

ez_err *ez_continue(struct ez_target *t, bool background, int sig)
{
    enum ez_state was;
    EZ_TRY(ez_need_process(t));
    if (t->inf.state == EZ_BACKGROUND && background)
        return NULL;
    /* needed if the process changes from background to foreground */
    EZ_TRY(ez_world_stop(t, &was));
    EZ_TRY(ez_need_stopped(t));
    ez_frame_enter(t, false);
    struct ez_thread *th = ez_thread_current(t);
    if (t->probes.plant_later)
        EZ_TRY(ez_solib_look(t));
    ez_rt_settings(t);
    if (sig >= 0) {
        ez_trace_signal_given(t, th->tid, th->sig, sig);
        th->sig = sig;
        th->has_info = false;
    }
    for (size_t i = 0; sig < 0 && i < t->inf.thread.n; i++) {
        struct ez_thread *o = t->inf.thread.at[i];
        /* a SIGTRAP that was not reported to the user belongs to the program */
        if (o->sig && !(ez_signal_how(t, o->sig) & EZ_SIG_PASS) &&
            (o->sig != SIGTRAP || o->reported)) {
            ez_trace_signal_given(t, o->tid, o->sig, 0);
            o->sig = 0;
        }
    }
    ez_trace_signals_go(t);
    ez_held_go(t);
    if (!background)
        return ez_threads_cont(t);
    EZ_TRY(ez_temp_bp_clear(t));
    ez_catch_none(t);
    EZ_TRY(ez_catch_leave_call(t, th));
    EZ_TRY(ez_halts_end(t));
    EZ_TRY(ez_threads_detach(t));
    ez_inferior_background(t);
    return NULL;
}

ez_err *ez_interrupt(struct ez_target *t)
{
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    for (size_t i = 0; i < t->inf.thread.n;
         i++) /* Ctrl-C sent SIGINT to the program, too; this SIGINT is dropped */
        if (t->inf.thread.at[i]->sig == SIGINT)
            t->inf.thread.at[i]->sig = 0;
    return NULL;
}

static ez_err *life_stepi(struct ez_target *t, struct ez_thread *th, uint64_t n)
{
    ez_err *quit = NULL;
    for (uint64_t i = 0; i < n && !quit; i++) {
        bool trapped;
        EZ_TRY(ez_thread_step(t, th, &trapped, "step one instruction"));
        quit = ez_progress_step(t, "Stepping", i, n);
        if (trapped)
            continue;
        struct ez_regs *r;
        EZ_TRY(ez_thread_regs(th, &r));
        struct ez_event ev = {
            .kind = EZ_EV_STOPPED, .sig = th->sig, .tid = th->tid, .addr = t->inf.arch->regs.pc(r)
        };
        th->reported = true;
        ez_post(t, ev);
        return NULL;
    }
    return ez_err_first(quit, ez_thread_settle(t, th));
}

ez_err *ez_stepi(struct ez_target *t, uint64_t n)
{
    struct ez_guard guard;
    EZ_TRY(ez_need_stopped(t));
    struct ez_thread *th = ez_thread_current(t);
    if (ez_held_regs(t, th->tid))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0,
                       "The thread waits at the stop of a probe, and cannot be stepped"),
            "\"continue\" resumes the thread");
    if (th->sig && !(ez_signal_how(t, th->sig) & EZ_SIG_PASS)) {
        ez_trace_signal_given(t, th->tid, th->sig, 0);
        th->sig = 0;
    }
    ez_guard_set(t, th, &guard);
    ez_progress_begin(t);
    ez_err *e = ez_progress_end(t, life_stepi(t, th, n));
    e = ez_err_first(e, ez_guard_lift(t, &guard));
    if (t->inf.state == EZ_NONE) /* the end of the process was posted as an event */
        return ez_err_drop(e), NULL;
    ez_frame_enter(t, t->inf.state == EZ_STOPPED);
    return e;
}

/* ---- kill ------------------------------------------------------------------------------------ */

/* Reaps all threads except the main thread, also threads that are not in t's list: the kernel
 * reports the main thread's end only after theirs. */
static void life_bury_threads(struct ez_target *t)
{
    char path[64];
    struct dirent *d;
    snprintf(path, sizeof path, "/proc/%d/task", t->inf.pid);
    DIR *dir = opendir(path);
    while (dir && (d = readdir(dir))) {
        pid_t tid = atoi(d->d_name), got;
        int status;
        if (tid > 0 && tid != t->inf.pid)
            ez_err_drop(ez_report(t, tid, WNOHANG, &status, &got, "detect the end of the process"));
    }
    if (dir)
        closedir(dir);
}

ez_err *ez_kill(struct ez_target *t)
{
    bool some;
    EZ_TRY(ez_need_process(t));
    kill(t->inf.pid, SIGKILL);
    for (int i = 0; i < 2000 && t->inf.state != EZ_NONE; i++) {
        int status;
        pid_t got;
        if (t->inf.attached && !t->inf.seized) {
            ez_err_drop(ez_wait_poll(t, &some));
        } else if (!ez_err_drop(ez_report(t, t->inf.pid, WNOHANG, &status, &got,
                                          "detect the end of the process"))) {
            break;
        } else if (got == t->inf.pid && (WIFEXITED(status) || WIFSIGNALED(status))) {
            break;
        }
        life_bury_threads(t);
        ez_wait_report(t, 5);
    }
    if (t->inf.state == EZ_NONE)
        return NULL;
    ez_drain_image_ended(t->tracing.drain);
    ez_process_forget(t);
    return NULL;
}
