/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_live.c - threads of a live process: what their stops mean, the signals that come
 * meanwhile, steps, job control, and how they go on. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "tests/unit/engine/child.h"
#include "tests/unit/suite.h"

#define TF 0x100

static struct ez_thread *only(void)
{
    ck_assert_uint_eq(t->thread.n, 1);
    return t->thread.at[0];
}

static struct user_regs_struct regs_of(struct ez_thread *th)
{
    struct user_regs_struct u;
    struct ez_regs *r;
    th->regs_known = false;
    must(ez_thread_regs(th, &r));
    memcpy(&u, r, sizeof u);
    return u;
}

static void set_regs(struct ez_thread *th, const struct user_regs_struct *u)
{
    struct ez_regs r = { 0 };
    memcpy(&r, u, sizeof *u);
    must(ez_thread_set_regs(th, &r));
}

/* ---- the table of threads ------------------------------------------------------------------ */

START_TEST(threads_are_kept)
{
    must(ez_target_create(&t));
    t->pid = 10;
    t->current = 12;
    ck_assert_int_eq(ez_live_tid(t), 10);
    ck_assert_ptr_null(ez_thread_current(t));
    struct ez_thread *a = ez_thread_add(t, 11), *b = ez_thread_add(t, 12);
    ck_assert_int_eq(ez_live_tid(t), 11); /* its leader has ended */
    ck_assert_ptr_eq(ez_thread_current(t), b);
    struct ez_thread *c = ez_thread_add(t, 10);
    ck_assert_ptr_eq(ez_thread_add(t, 11), a);
    ck_assert_uint_eq(t->thread.n, 3);
    ck_assert_int_eq(ez_live_tid(t), 10);
    ez_thread_remove(t, 13);
    ck_assert_uint_eq(t->thread.n, 3);
    ez_thread_remove(t, 12);
    ck_assert_uint_eq(t->thread.n, 2);
    ck_assert_ptr_null(ez_thread_find(t, 12));
    ck_assert_ptr_eq(ez_thread_find(t, 10), c);
    ck_assert_ptr_eq(ez_thread_find(t, 11), a);
    ck_assert_ptr_eq(ez_thread_current(t), t->thread.at[0]);
    ez_threads_clear(t);
    ck_assert_uint_eq(t->thread.n, 0);
    t->pid = 0;
    close_target();
}
END_TEST

static bool stops(int sig)
{
    return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

START_TEST(stops_and_sigcont)
{
    for (int a = 0; a < 65; a++)
        for (int b = 0; b < 65; b++)
            ck_assert_int_eq(ez_takes_back(a, b),
                             (a == SIGCONT && stops(b)) || (b == SIGCONT && stops(a)));
}
END_TEST

static void confuse(void)
{
    prctl(PR_SET_NAME, "a) Z (b) X");
    work(0);
}

START_TEST(zombies_are_told)
{
    begin(confuse, 1);
    ck_assert(!ez_is_zombie(child, child));
    ck_assert(ez_is_zombie(child, getpid())); /* no task of it */
    s->go = 1;
    siginfo_t si;
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &si, WEXITED | WNOWAIT), 0);
    ck_assert(ez_is_zombie(child, child));
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert(ez_is_zombie(child, child));
}
END_TEST

/* ---- signals -------------------------------------------------------------------------------- */

static void with_handlers(void)
{
    handle(SIGUSR1);
    handle(SIGUSR2);
    handle(SIGCONT);
    handle(SIGRTMIN + 1);
    work(0);
}

static void step(struct ez_thread *th, bool wanted)
{
    bool trapped;
    must(ez_thread_step(t, th, &trapped, "test"));
    ck_assert_msg(trapped == wanted, "%s, with signal %d (%d)", trapped ? "trapped" : "no trap",
                  th->sig, th->info.si_code);
}

/* One that comes while it is stepped is kept, with its details, over further steps; another one
 * takes its place, and both are delivered, once. */
START_TEST(signals_are_kept_over_steps)
{
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    send_value(SIGUSR1, 7);
    must(ez_stepi(t, 3));
    hear(0);
    const struct ez_event *ev = last(EZ_EV_STOPPED);
    ck_assert_ptr_nonnull(ev);
    ck_assert_int_eq(ev->sig, SIGUSR1);
    ck_assert_int_eq(ev->tid, child);
    ck_assert_uint_eq(ev->addr, regs_of(th).rip);
    ck_assert(th->told && th->has_info && th->stopped);
    ck_assert_int_eq(th->info.si_value.sival_int, 7);
    step(th, true);
    ck_assert_int_eq(th->sig, SIGUSR1);
    ck_assert(th->has_info);
    ck_assert_int_eq(th->info.si_value.sival_int, 7);
    send_value(SIGUSR2, 8);
    step(th, false);
    ck_assert_int_eq(th->sig, SIGUSR2);
    ck_assert(pends(SIGUSR1) && !pends(SIGUSR2));
    step(th, false); /* as often as there are any */
    ck_assert_int_eq(th->sig, SIGUSR1);
    step(th, false);
    ck_assert_int_eq(th->sig, SIGUSR2);
    ck_assert_int_eq(s->times[SIGUSR1] + s->times[SIGUSR2], 0);
    t->set.pass_signals = true;
    must(ez_continue(t, false, -1));
    UNTIL(s->times[SIGUSR1] && s->times[SIGUSR2]);
    works(1);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ck_assert_int_eq(s->times[SIGUSR2], 1);
    ends_well();
}
END_TEST

/* With the details that it was sent with, although others were stopped at since. */
START_TEST(a_kept_signal_is_as_it_was)
{
    begin(with_handlers, 1);
    attach();
    send_value(SIGUSR1, 4711);
    must(ez_stepi(t, 1));
    step(only(), true);
    must(ez_thread_settle(t, only())); /* leaves it its signal, and where it is */
    ck_assert_int_eq(only()->sig, SIGUSR1);
    must(ez_continue(t, true, -1));
    while (!s->times[SIGUSR1])
        usleep(100);
    ck_assert_int_eq(s->value[SIGUSR1], 4711);
    ck_assert_int_eq(s->code[SIGUSR1], SI_QUEUE);
    ends_well();
}
END_TEST

/* The same again is one, as for the kernel; of those that queue each is one. */
START_TEST(the_same_signal_again)
{
    const int queued = SIGRTMIN + 1;
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    send_value(SIGUSR1, 1);
    step(th, false);
    send_value(SIGUSR1, 2);
    step(th, false);
    ck_assert_int_eq(th->info.si_value.sival_int, 2);
    ck_assert(!pends(SIGUSR1));
    must(ez_continue(t, true, -1));
    while (!s->times[SIGUSR1])
        usleep(100);
    must(ez_interrupt(t));
    th = only();
    ck_assert_int_eq(th->sig, 0);
    send_value(queued, 1);
    step(th, false);
    send_value(queued, 2);
    step(th, false);
    ck_assert_int_eq(th->sig, queued);
    ck_assert(pends(queued));
    must(ez_continue(t, true, -1));
    while (s->times[queued] < 2)
        usleep(100);
    works(1);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ck_assert_int_eq(s->times[queued], 2);
    ends_well();
}
END_TEST

START_TEST(sigcont_takes_a_kept_stop_back)
{
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    send_value(SIGTSTP, 1);
    step(th, false);
    ck_assert_int_eq(th->sig, SIGTSTP);
    send_value(SIGCONT, 1);
    step(th, false);
    ck_assert_int_eq(th->sig, SIGCONT);
    ck_assert(!pends(SIGTSTP));
    send_value(SIGTSTP, 1);
    step(th, false);
    ck_assert_int_eq(th->sig, SIGTSTP);
    ck_assert(!pends(SIGCONT));
    step(th, true);
    send_value(SIGCONT, 1); /* waits, when it goes on */
    t->set.pass_signals = true;
    must(ez_continue(t, false, -1));
    UNTIL(s->times[SIGCONT]);
    works(1);
    ck_assert_int_eq(s->times[SIGCONT], 1);
    ends_well();
}
END_TEST

/* A stop that it is stopped at is the kernel's to take back; and any other signal stays. */
START_TEST(only_stops_are_settled)
{
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    send_value(SIGUSR1, 1);
    step(th, false);
    send_value(SIGCONT, 1);
    ez_stops_settle(t);
    ck_assert_int_eq(th->sig, SIGUSR1);
    th->sig = SIGTTIN;
    th->stepped = false;
    ez_stops_settle(t);
    ck_assert_int_eq(th->sig, SIGTTIN);
    th->stepped = true;
    ez_stops_settle(t);
    ck_assert_int_eq(th->sig, 0);
    th->sig = SIGTTOU;
    step(th, false); /* SIGCONT is no more pending */
    th->sig = SIGTTOU;
    ez_stops_settle(t);
    ck_assert_int_eq(th->sig, SIGTTOU);
    th->sig = 0;
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

static void with_all_handlers(void)
{
    for (int sig = 1; sig < CALLED; sig++) { /* libc does not let us have 32 and 33 */
        struct {
            void (*fn)(int, siginfo_t *, void *);
            unsigned long flags;
            void (*restorer)(void);
            unsigned long mask;
        } sa = { on_any, 0, 0, ~0ul };
        struct sigaction now;
        handle(sig);
        if (sigaction(SIGUSR1, NULL, &now) || (sig != 32 && sig != 33))
            continue;
        struct {
            void *fn;
            unsigned long flags;
            void *restorer;
            unsigned long mask;
        } own;
        syscall(SYS_rt_sigaction, SIGHUP, NULL, &own, 8);
        sa.flags = own.flags;
        sa.restorer = (void (*)(void))own.restorer;
        syscall(SYS_rt_sigaction, sig, &sa, NULL, 8);
    }
    work(0);
}

static bool silent(int sig)
{
    static const int is[] = {
        SIGALRM, SIGURG, SIGIO, SIGVTALRM, SIGPROF, SIGCHLD, SIGWINCH, 32, 33
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(is); i++)
        if (is[i] == sig)
            return true;
    return false;
}

/* gdb's table. What stops it is delivered when it goes on, but what is meant for a debugger. */
START_TEST(which_signals_stop_it)
{
    begin(with_all_handlers, 1);
    attach();
    must(ez_continue(t, false, -1));
    for (int sig = 1; sig < CALLED; sig++) {
        if (sig == SIGKILL || sig == SIGSTOP)
            continue;
        nheard = 0;
        ck_assert_int_eq(syscall(SYS_tgkill, child, child, sig), 0);
        UNTIL(s->times[sig] || t->state == EZ_STOPPED);
        ck_assert_msg(silent(sig) == (t->state != EZ_STOPPED), "signal %d", sig);
        if (silent(sig)) {
            ck_assert_ptr_null(last(EZ_EV_STOPPED));
            continue;
        }
        const struct ez_event *ev = last(EZ_EV_STOPPED);
        ck_assert_ptr_nonnull(ev);
        ck_assert_int_eq(ev->sig, sig);
        ck_assert_int_eq(ev->tid, child);
        ck_assert_uint_eq(ev->addr, regs_of(only()).rip);
        ck_assert(only()->told);
        must(ez_continue(t, false, -1));
        works(1);
        ck_assert_msg(s->times[sig] == (sig != SIGINT && sig != SIGTRAP), "signal %d", sig);
    }
    ends_well();
}
END_TEST

/* With `set pass-signals on` none but SIGINT stops it; one that has ended what we did none. */
START_TEST(passed_signals)
{
    begin(with_all_handlers, 1);
    attach();
    t->set.pass_signals = true;
    must(ez_continue(t, false, -1));
    kill(child, SIGUSR1);
    UNTIL(s->times[SIGUSR1]);
    ck_assert_int_eq(t->state, EZ_RUNNING);
    t->int_heard = true;
    kill(child, SIGINT);
    UNTIL(!t->int_heard);
    works(1);
    ck_assert_int_eq(t->state, EZ_RUNNING);
    ck_assert_ptr_null(last(EZ_EV_STOPPED));
    kill(child, SIGINT);
    UNTIL(t->state == EZ_STOPPED);
    ck_assert_int_eq(last(EZ_EV_STOPPED)->sig, SIGINT);
    must(ez_continue(t, false, SIGUSR2)); /* another one instead */
    UNTIL(s->times[SIGUSR2]);
    kill(child, SIGINT);
    UNTIL(t->state == EZ_STOPPED);
    must(ez_continue(t, false, SIGINT)); /* or that, on purpose */
    UNTIL(s->times[SIGINT]);
    ck_assert_int_eq(s->times[SIGINT], 1);
    t->set.pass_signals = false;
    kill(child, SIGUSR1);
    UNTIL(t->state == EZ_STOPPED);
    must(ez_continue(t, false, 0)); /* none */
    works(1);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ends_well();
}
END_TEST

/* Ctrl-C went to both of us: what we stop it for already is not delivered on top. */
START_TEST(an_interrupt_is_ours)
{
    begin(with_all_handlers, 1);
    attach();
    must(ez_continue(t, true, -1));
    must(ez_interrupt(t));
    only()->sig = SIGINT;
    must(ez_interrupt(t));
    ck_assert_int_eq(only()->sig, 0);
    only()->sig = SIGUSR1;
    must(ez_interrupt(t));
    ck_assert_int_eq(only()->sig, SIGUSR1);
    only()->sig = 0;
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* ---- steps ---------------------------------------------------------------------------------- */

void live_code(void), live_call(void);
__asm__(".text; .globl live_code, live_call\n"
        "live_code: pushfq; popfq; pushfw; popfw; nop; nop; nop; nop\n"
        "live_call: syscall; nop; nop");

static uint64_t word_at(uint64_t at)
{
    uint64_t v = 0;
    must(ez_mem_read(t, at, &v, sizeof v));
    return v;
}

/* Runs live_code by steps: what it pushes of its flags has the trap flag only if `own`. */
static void push_by_steps(struct ez_thread *th, struct user_regs_struct u, uint64_t own)
{
    const unsigned long sp = u.rsp;
    u.rip = (uintptr_t)live_code;
    u.eflags = (u.eflags & ~(unsigned long)TF) | own;
    set_regs(th, &u);
    step(th, true);
    struct user_regs_struct now = regs_of(th);
    ck_assert_uint_eq(now.rsp, sp - 8);
    ck_assert_uint_eq(now.rip, u.rip + 1);
    ck_assert_uint_eq(word_at(now.rsp) & TF, own);
    ck_assert_uint_eq((word_at(now.rsp) ^ now.eflags) & 0xcd5, 0); /* the others as they are */
    ck_assert_uint_eq(now.eflags & TF, own);
    step(th, true);
    ck_assert_uint_eq(regs_of(th).eflags & TF, own);
    ck_assert_uint_eq(regs_of(th).rsp, sp);
    uint64_t above = word_at(sp);
    step(th, true);
    ck_assert_uint_eq(regs_of(th).rsp, sp - 2);
    ck_assert_uint_eq(word_at(sp - 2) & TF, own);
    ck_assert_uint_eq(word_at(sp), above);
    step(th, true);
    step(th, true);
    ck_assert_uint_eq(regs_of(th).eflags & TF, own);
}

START_TEST(a_step_is_not_seen)
{
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    struct user_regs_struct was = regs_of(th), u = was;
    u.rsp = (u.rsp - 512) & ~15ull;
    push_by_steps(th, u, 0);
    push_by_steps(th, u, TF);
    set_regs(th, &was);
    must(ez_thread_settle(t, th));
    struct user_regs_struct now = regs_of(th);
    ck_assert_mem_eq(&now, &was, sizeof now);
    ck_assert(!th->stepped);
    must(ez_continue(t, true, -1));
    works(0);
    ends_well();
}
END_TEST

#define BIT(sig) (1ull << ((sig)-1))

static uint64_t mask_of(struct ez_thread *th)
{
    uint64_t mask;
    must(pt_getsigmask(th->tid, &mask, "test"));
    return mask;
}

/* What a thread holds back is as before, unless the step itself has changed it. */
START_TEST(a_step_where_sigtrap_is_held_back)
{
    static uint64_t set;
    const uint64_t held = BIT(SIGTRAP) | BIT(SIGUSR2);
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    struct user_regs_struct was = regs_of(th), u = was;
    must(pt_setsigmask(th->tid, held, "test"));
    step(th, true);
    ck_assert_uint_eq(mask_of(th), held);
    const uint64_t given[] = { BIT(SIGUSR1), held, 0 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(given); i++) {
        must(pt_setsigmask(th->tid, held, "test"));
        must(ez_mem_write(t, (uintptr_t)&set, &given[i], sizeof set, "test"));
        u.rip = (uintptr_t)live_call;
        u.rax = SYS_rt_sigprocmask;
        u.orig_rax = ~0ul;
        u.rdi = SIG_SETMASK;
        u.rsi = (uintptr_t)&set;
        u.rdx = 0;
        u.r10 = 8;
        set_regs(th, &u);
        step(th, true);
        ck_assert_uint_eq(regs_of(th).rip, (uintptr_t)live_call + 2);
        ck_assert_uint_eq(regs_of(th).rax, 0);
        ck_assert_uint_eq(mask_of(th), given[i]);
    }
    must(pt_setsigmask(th->tid, 0, "test"));
    set_regs(th, &was);
    must(ez_thread_settle(t, th));
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* SIGTRAP that somebody sends is no step's. */
START_TEST(a_trap_that_is_sent)
{
    begin(with_all_handlers, 1);
    attach();
    struct ez_thread *th = only();
    send_value(SIGTRAP, 3);
    step(th, false);
    ck_assert_int_eq(th->sig, SIGTRAP);
    ck_assert_int_eq(th->info.si_value.sival_int, 3);
    must(ez_continue(t, true, -1));
    while (!s->times[SIGTRAP])
        usleep(100);
    ends_well();
}
END_TEST

/* Guarded for the time of the steps, and nothing of that stays. */
static size_t mappings(void)
{
    struct ez_maps maps;
    must(ez_maps_read(child, &maps));
    size_t n = maps.map.n;
    ez_maps_free(&maps);
    return n;
}

START_TEST(steps_leave_nothing)
{
    begin(with_all_handlers, 1);
    attach();
    size_t before = mappings();
    only()->sig = SIGINT; /* meant for the debugger */
    must(ez_stepi(t, 100));
    ck_assert_int_eq(only()->sig, 0);
    ck_assert_uint_eq(mappings(), before);
    ck_assert_uint_eq(regs_of(only()).eflags & TF, 0);
    must(ez_continue(t, true, -1));
    works(0);
    kill(child, SIGTRAP); /* its own handler */
    while (!s->times[SIGTRAP])
        usleep(100);
    ck_assert_int_eq(s->times[SIGTRAP], 1);
    ends_well();
}
END_TEST

START_TEST(it_dies_under_a_step)
{
    bool trapped;
    begin(with_handlers, 1);
    attach();
    kill(child, SIGKILL);
    ez_err *e = ez_thread_step(t, only(), &trapped, "test");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_GONE);
    ez_err_free(e);
    UNTIL(t->state == EZ_NONE);
    close_target();
}
END_TEST

/* ---- interrupted system calls ----------------------------------------------------------------- */

static void wait_for_events(void)
{
    struct epoll_event ev;
    sigset_t set;
    int fd = epoll_create1(0);
    handle(SIGUSR1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    s->ready++;
    s->result[0] = epoll_wait(fd, &ev, 1, 600);
    s->error[0] = errno;
    s->result[1] = 1;
}

static void asleep_in(long nr)
{
    char path[64], text[64] = "";
    long in = -1;
    snprintf(path, sizeof path, "/proc/%d/syscall", child);
    for (int i = 0; in != nr && i < 6000; i++) {
        FILE *f = fopen(path, "re");
        ck_assert_ptr_nonnull(f);
        if (fgets(text, sizeof text, f))
            sscanf(text, "%ld", &in);
        fclose(f);
        usleep(1000);
    }
    ck_assert_int_eq(in, nr);
}

/* Our stops are no signals: only one that comes, and is not held back, ends the wait. */
START_TEST(a_wait_goes_on)
{
    begin(wait_for_events, 1);
    asleep_in(SYS_epoll_wait);
    attach();
    for (int i = 0; i < 3; i++) {
        if (i)
            kill(child, SIGUSR2); /* held back */
        must(ez_continue(t, true, -1));
        asleep_in(SYS_epoll_wait);
        must(ez_interrupt(t));
    }
    if (_i)
        kill(child, SIGUSR1);
    must(ez_continue(t, true, -1));
    while (!s->result[1])
        usleep(100);
    ck_assert_int_eq(s->result[0], _i ? -1 : 0);
    ck_assert(!_i || s->error[0] == EINTR);
    ck_assert_int_eq(s->times[SIGUSR1], _i);
    ends_well();
}
END_TEST

/* A signal that waits while it is stopped: the kernel's answer stays. */
START_TEST(a_wait_that_a_signal_ends)
{
    begin(wait_for_events, 1);
    asleep_in(SYS_epoll_wait);
    kill(child, SIGSTOP); /* in which it does not take the other */
    int status;
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    kill(child, SIGUSR1);
    attach();
    ck_assert_int_eq((long)regs_of(only()).rax, -EINTR);
    ck_assert(only()->group_stop);
    must(ez_continue(t, true, -1));
    kill(child, SIGCONT);
    while (!s->result[1])
        usleep(100);
    ck_assert_int_eq(s->result[0], -1);
    ck_assert_int_eq(s->error[0], EINTR);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ends_well();
}
END_TEST

static void sleep_filtered(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_restart_syscall, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = { EZ_ARRAY_LEN(code), code };
    struct timespec ts = { 0, 300000000 };
    if (s->word[0] && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
                       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)))
        _exit(9);
    s->ready++;
    s->result[0] = syscall(SYS_nanosleep, &ts, &ts);
    s->result[1] = 1;
}

static void sleep_unfiltered(void)
{
    sleep_filtered();
}

static void sleep_under_a_filter(void)
{
    s->word[0] = 1;
    sleep_filtered();
}

/* What the kernel continues by a call of its own begins anew where a filter may mind that. */
START_TEST(a_sleep_goes_on)
{
    begin(_i ? sleep_under_a_filter : sleep_unfiltered, 1);
    asleep_in(SYS_nanosleep);
    attach();
    ck_assert_int_eq((long)regs_of(only()).rax, _i ? -514 : -516);
    must(ez_continue(t, true, -1));
    while (!s->result[1])
        usleep(100);
    ck_assert_int_eq(s->result[0], 0);
    ends_well();
}
END_TEST

/* ---- job control ------------------------------------------------------------------------------ */

static bool rests(void)
{
    must(ez_interrupt(t));
    bool group = only()->group_stop;
    unsigned long was = s->beat[0];
    ck_assert_int_eq(only()->sig, 0);
    must(ez_continue(t, false, -1));
    for (int i = 0; i < 5; i++)
        hear(5);
    return group && s->beat[0] == was;
}

START_TEST(who_is_stopped_stays_so)
{
    begin(with_handlers, 1);
    kill(child, SIGSTOP);
    int status;
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    attach();
    ck_assert(only()->group_stop);
    must(ez_continue(t, false, -1));
    ck_assert(rests());
    must(ez_interrupt(t)); /* stepped meanwhile */
    step(only(), true);
    must(ez_continue(t, false, -1));
    ck_assert(rests());
    must(ez_interrupt(t));
    must(ez_stepi(t, 2));
    must(ez_continue(t, true, -1));
    unsigned long was = s->beat[0];
    usleep(5000);
    ck_assert_uint_eq(s->beat[0], was);
    must(ez_interrupt(t));
    ck_assert(only()->group_stop);
    t->set.pass_signals = true;
    must(ez_continue(t, false, -1));
    kill(child, SIGCONT);
    works(1);
    ck_assert_int_eq(s->times[SIGCONT], 1);
    must(ez_interrupt(t));
    ck_assert(!only()->group_stop);
    must(ez_continue(t, false, -1));
    ends_well();
}
END_TEST

/* Released while it is stopped for us: stepped, it cannot be led back, and goes on. */
START_TEST(who_is_released_meanwhile_goes_on)
{
    begin(with_handlers, 1);
    kill(child, SIGSTOP);
    int status;
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    attach();
    t->set.pass_signals = true;
    step(only(), true);
    only()->group_stop = true;
    kill(child, SIGCONT);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- many threads ------------------------------------------------------------------------------- */

static void *thread_works(void *arg)
{
    work((int)(intptr_t)arg);
    if (arg == (void *)3)
        _exit(0);
    return NULL;
}

static void leader_ends(void)
{
    pthread_t thread;
    for (intptr_t i = 1; i < 4; i++)
        pthread_create(&thread, NULL, thread_works, (void *)i);
    pthread_exit(NULL);
}

static void leader_works(void)
{
    pthread_t thread;
    for (intptr_t i = 1; i < 4; i++)
        pthread_create(&thread, NULL, thread_works, (void *)i);
    work(0);
    pause();
}

static void all_rest(int n)
{
    ck_assert_uint_eq(t->thread.n, (size_t)n);
    unsigned long was[8];
    memcpy(was, (void *)s->beat, sizeof was);
    for (int i = 0; i < n; i++) {
        ck_assert(t->thread.at[i]->stopped && !t->thread.at[i]->asked);
        ck_assert_int_eq(status_of(t->thread.at[i]->tid, "TracerPid: %lu"), getpid());
    }
    usleep(2000);
    ck_assert_mem_eq(was, (void *)s->beat, sizeof was);
}

START_TEST(all_threads_stop_and_go_on)
{
    enum ez_state was;
    pid_t tid[4];
    begin(leader_works, 4);
    attach();
    all_rest(4);
    for (int i = 0; i < 4; i++)
        tid[i] = t->thread.at[i]->tid;
    must(ez_world_stop(t, &was)); /* they do already */
    ck_assert_int_eq(was, EZ_STOPPED);
    must(ez_world_resume(t, was));
    all_rest(4);
    must(ez_continue(t, true, -1));
    ck_assert_int_eq(t->state, EZ_BACKGROUND);
    ck_assert(!t->seized);
    for (int i = 0; i < 4; i++) {
        unsigned long n = s->beat[i];
        while (s->beat[i] == n)
            usleep(100);
        ck_assert_int_eq(status_of(tid[i], "TracerPid: %lu"), 0);
    }
    must(ez_world_stop(t, &was));
    ck_assert_int_eq(was, EZ_BACKGROUND);
    all_rest(4);
    must(ez_world_resume(t, was));
    ck_assert_int_eq(t->state, EZ_BACKGROUND);
    must(ez_continue(t, false, -1));
    ck_assert_int_eq(t->state, EZ_RUNNING);
    ck_assert(t->seized);
    works(4);
    must(ez_world_stop(t, &was));
    ck_assert_int_eq(was, EZ_RUNNING);
    all_rest(4);
    must(ez_world_resume(t, was));
    ck_assert_int_eq(t->state, EZ_RUNNING);
    ends_well();
}
END_TEST

START_TEST(a_leader_that_has_ended)
{
    begin(leader_ends, 3);
    while (!ez_is_zombie(child, child))
        usleep(100);
    attach();
    ck_assert_uint_eq(t->thread.n, 3);
    ck_assert_ptr_null(ez_thread_find(t, child));
    ck_assert_int_ne(ez_live_tid(t), child);
    ck_assert_ptr_nonnull(ez_thread_find(t, ez_live_tid(t)));
    ck_assert_ptr_eq(ez_thread_current(t), ez_thread_find(t, ez_live_tid(t)));
    must(ez_continue(t, false, -1));
    for (int i = 1; i < 4; i++) {
        unsigned long n = s->beat[i];
        UNTIL(s->beat[i] > n);
    }
    ends_well();
}
END_TEST

/* ---- children ----------------------------------------------------------------------------------- */

static int leaf(void *arg)
{
    (void)arg;
    _exit(0);
}

static void makes_children(void)
{
    static char stack[65536] __attribute__((aligned(16)));
    s->ready++;
    while (!s->go)
        usleep(100);
    for (int i = 0; i < 3; i++) {
        pid_t pid = i == 0   ? fork()
                    : i == 1 ? vfork()
                             : clone(leaf, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
        int status = -1;
        if (!pid)
            _exit(0);
        s->word[i] = pid;
        s->result[i] = waitpid(pid, &status, 0) == pid && !status;
    }
}

/* They are told, and are nobody's. */
START_TEST(children_are_told)
{
    begin(makes_children, 1);
    attach();
    must(ez_continue(t, false, -1));
    s->go = 1;
    UNTIL(t->state == EZ_NONE);
    static const char *const how[] = { "fork", "vfork", "fork" };
    for (int i = 0; i < 3; i++) {
        char *text = ez_sprintf("[Detaching after %s from child process %ld]", how[i], s->word[i]);
        ck_assert_msg(noted(text), "%s", text);
        ck_assert_int_eq(s->result[i], 1);
        free(text);
    }
    ck_assert_int_eq(last(EZ_EV_EXITED)->status, 0);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live");
    TCase *c = tcase_create("threads");
    if (!proc_there("check_live"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_test(c, threads_are_kept);
    tcase_add_test(c, stops_and_sigcont);
    tcase_add_test(c, zombies_are_told);
    tcase_add_test(c, signals_are_kept_over_steps);
    tcase_add_test(c, a_kept_signal_is_as_it_was);
    tcase_add_test(c, the_same_signal_again);
    tcase_add_test(c, sigcont_takes_a_kept_stop_back);
    tcase_add_test(c, only_stops_are_settled);
    tcase_add_test(c, which_signals_stop_it);
    tcase_add_test(c, passed_signals);
    tcase_add_test(c, an_interrupt_is_ours);
    tcase_add_test(c, a_step_is_not_seen);
    tcase_add_test(c, a_step_where_sigtrap_is_held_back);
    tcase_add_test(c, a_trap_that_is_sent);
    tcase_add_test(c, steps_leave_nothing);
    tcase_add_test(c, it_dies_under_a_step);
    tcase_add_loop_test(c, a_wait_goes_on, 0, 2);
    tcase_add_test(c, a_wait_that_a_signal_ends);
    tcase_add_loop_test(c, a_sleep_goes_on, 0, 2);
    tcase_add_test(c, who_is_stopped_stays_so);
    tcase_add_test(c, who_is_released_meanwhile_goes_on);
    tcase_add_test(c, all_threads_stop_and_go_on);
    tcase_add_test(c, a_leader_that_has_ended);
    tcase_add_test(c, children_are_told);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
