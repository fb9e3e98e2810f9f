/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_live.c - threads of a live process, and the signals that come while it is
 * stopped or stepped, or runs. */
#include <sched.h>
#include <sys/prctl.h>

#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"

/* ---- the table of threads ------------------------------------------------------------------ */

START_TEST(threads_are_kept)
{
    must(ez_target_create(&t));
    t->inf.pid = 10;
    t->inf.current = 12;
    ck_assert_int_eq(ez_live_tid(t), 10);
    ck_assert_ptr_null(ez_thread_current(t));
    struct ez_thread *a = ez_thread_add(t, 11), *b = ez_thread_add(t, 12);
    ck_assert_int_eq(ez_live_tid(t), 11); /* its leader has ended */
    ck_assert_ptr_eq(ez_thread_current(t), b);
    struct ez_thread *c = ez_thread_add(t, 10);
    ck_assert_ptr_eq(ez_thread_add(t, 11), a);
    ck_assert_uint_eq(t->inf.thread.n, 3);
    ck_assert_int_eq(ez_live_tid(t), 10);
    ez_thread_remove(t, 13);
    ck_assert_uint_eq(t->inf.thread.n, 3);
    ez_thread_remove(t, 12);
    ck_assert_uint_eq(t->inf.thread.n, 2);
    ck_assert_ptr_null(ez_thread_find(t, 12));
    ck_assert_ptr_eq(ez_thread_find(t, 10), c);
    ck_assert_ptr_eq(ez_thread_find(t, 11), a);
    ck_assert_ptr_eq(ez_thread_current(t), t->inf.thread.at[0]);
    ez_threads_clear(t);
    ck_assert_uint_eq(t->inf.thread.n, 0);
    t->inf.pid = 0;
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
            ck_assert_int_eq(ez_signal_cancels(a, b),
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

/* ---- another process in the same memory ------------------------------------------------------- */

__attribute__((noinline, noclone)) long shared_text(long n);
long shared_text(long n)
{
    __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
    return n + 1;
}

static int shares(void *arg)
{
    (void)arg;
    work(1);
    return 0;
}

static void makes_a_sharer(void)
{
    static char stack[1 << 16];
    for (s->ready++; !s->word[0]; s->beat[0]++)
        shared_text(0);
    int pid = clone(shares, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL), status = 0;
    s->word[1] = pid;
    work(0);
    _exit(waitpid(pid, &status, 0) != pid || status);
}

/* It stands still while text is changed, and only then. */
START_TEST(who_shares_the_memory_goes_on)
{
    struct ez_sharers others = { .tid = { 0 } };
    uint8_t file[16], now[16];
    begin(makes_a_sharer, 1);
    attach();
    must(ez_mem_read(t, (uintptr_t)shared_text, file, sizeof file));
    plant("shared_text", EZ_PROBE_ENTRY, false);
    must(ez_continue(t, false, -1));
    s->word[0] = 1;
    UNTIL(s->ready == 3 && s->word[1]);
    pid_t other = (pid_t)s->word[1];
    outlived_by_none(other);
    works(2);
    must(ez_interrupt(t));
    must(ez_sharers_stop(t, &others));
    ck_assert_uint_eq(others.tid.n, 1);
    ck_assert_int_eq(others.tid.at[0], other);
    ck_assert_uint_eq(t->inf.thread.n, 2);
    ez_sharers_release(t, &others);
    ck_assert_uint_eq(t->inf.thread.n, 1);
    ck_assert_uint_eq(status_line(other, other, "TracerPid: %lu"), 0);
    must(ez_probe_delete(t, &(struct ez_numbers){ 1, 99 }, 1));
    must(ez_mem_read(t, (uintptr_t)shared_text, now, sizeof now));
    ck_assert_int_eq(memcmp(now, file, sizeof now), 0);
    ck_assert_uint_eq(status_line(other, other, "TracerPid: %lu"), 0);
    must(ez_continue(t, false, -1));
    works(2);
    ends_well();
}
END_TEST

/* ---- orphaned tracees: threads that run when they should be let go ------------------------------------- */

static void *orphans_work(void *arg)
{
    work((int)(intptr_t)arg);
    return NULL;
}

static void three_work(void)
{
    pthread_t thread[2];
    handle(SIGUSR1);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, orphans_work, (void *)(i + 1));
    work(0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static bool traced(pid_t tid)
{
    return status_of(tid, "TracerPid: %lu") == (unsigned long)getpid();
}

/* Each is let go at its own next stop, with its signal; the others stay ours, and can be stopped. */
START_TEST(orphans_are_let_go)
{
    enum ez_state was;
    pid_t tid[3];
    begin(three_work, 3);
    attach();
    ck_assert_uint_eq(t->inf.thread.n, 3);
    for (int i = 0; i < 3; i++)
        tid[i] = t->inf.thread.at[i]->tid;
    must(ez_continue(t, false, -1));
    must(ez_threads_detach(t)); /* which the kernel does not do to who runs */
    t->inf.state = EZ_BACKGROUND;
    ck_assert_uint_eq(t->inf.orphan.n, 3);
    for (int i = 0; i < 3; i++)
        ck_assert(traced(tid[i]));
    ck_assert_int_eq(syscall(SYS_tgkill, child, tid[_i], SIGUSR1), 0);
    UNTIL(s->times[SIGUSR1]);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(traced(tid[i]), i != _i);
    ck_assert_uint_eq(t->inf.orphan.n, 2);
    works(3);
    must(ez_world_stop(t, &was));
    ck_assert_int_eq(was, EZ_BACKGROUND);
    ck_assert_uint_eq(t->inf.thread.n, 3);
    ck_assert_uint_eq(t->inf.orphan.n, 0);
    must(ez_world_resume(t, was));
    for (int i = 0; i < 3; i++)
        ck_assert(!traced(tid[i]));
    works(3);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ends_well();
}
END_TEST

/* ---- signals -------------------------------------------------------------------------------- */

/* A signal that comes while a thread is stepped is kept, with its details, over further steps. When
 * another signal comes, both are delivered, once each. */
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
    ck_assert(th->reported && th->has_info && th->stopped);
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

/* A kept signal has the details that it was sent with, although the thread stopped at others since. */
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

/* The same standard signal twice is one, as in the kernel; realtime signals queue. */
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

/* A thread was stepped at a stop of job control, and the kernel took the stop back since (SIGCONT is
 * pending): the stop is dropped. Any other signal stays. */
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

/* Which signals stop the program is gdb's table. Such a signal is delivered when the program goes on,
 * except those meant for a debugger. */
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
        UNTIL(s->times[sig] || t->inf.state == EZ_STOPPED);
        ck_assert_msg(silent(sig) == (t->inf.state != EZ_STOPPED), "signal %d", sig);
        if (silent(sig)) {
            ck_assert_ptr_null(last(EZ_EV_STOPPED));
            continue;
        }
        const struct ez_event *ev = last(EZ_EV_STOPPED);
        ck_assert_ptr_nonnull(ev);
        ck_assert_int_eq(ev->sig, sig);
        ck_assert_int_eq(ev->tid, child);
        ck_assert_uint_eq(ev->addr, regs_of(only()).rip);
        ck_assert(only()->reported);
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
    ck_assert_int_eq(t->inf.state, EZ_RUNNING);
    t->inf.int_heard = true;
    kill(child, SIGINT);
    UNTIL(!t->inf.int_heard);
    works(1);
    ck_assert_int_eq(t->inf.state, EZ_RUNNING);
    ck_assert_ptr_null(last(EZ_EV_STOPPED));
    kill(child, SIGINT);
    UNTIL(t->inf.state == EZ_STOPPED);
    ck_assert_int_eq(last(EZ_EV_STOPPED)->sig, SIGINT);
    must(ez_continue(t, false, SIGUSR2)); /* deliver another signal instead */
    UNTIL(s->times[SIGUSR2]);
    kill(child, SIGINT);
    UNTIL(t->inf.state == EZ_STOPPED);
    must(ez_continue(t, false, SIGINT)); /* or that, on purpose */
    UNTIL(s->times[SIGINT]);
    ck_assert_int_eq(s->times[SIGINT], 1);
    t->set.pass_signals = false;
    kill(child, SIGUSR1);
    UNTIL(t->inf.state == EZ_STOPPED);
    must(ez_continue(t, false, 0)); /* none */
    works(1);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    ends_well();
}
END_TEST

/* Ctrl-C went to the shell and to the program: the program is stopped already, so its SIGINT is not
 * delivered too. */
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

START_TEST(errors_name_thread_and_request)
{
    char buf[64];
    size_t n = sizeof buf;
    begin(with_all_handlers, 1);
    attach();
    ez_err *e = pt_getregset(child, 0x7777, buf, &n, "read registers");
    EZ_FREE char *want = ez_sprintf("The ptrace request getregset of thread %d failed "
                                    "(to read registers): Invalid argument",
                                    child);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
    must(ez_mem_alive(t));
    kill(child, SIGKILL);
    while (!ez_is_zombie(child, child))
        ;
    e = ez_mem_alive(t);
    EZ_FREE char *gone = ez_sprintf("The memory of process %d is gone", child);
    ck_assert_str_eq(e->msg, gone);
    ez_err_free(e);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live");
    TCase *c = tcase_create("live");
    if (!proc_there("check_live"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_test(c, threads_are_kept);
    tcase_add_test(c, stops_and_sigcont);
    tcase_add_test(c, zombies_are_told);
    tcase_add_test(c, who_shares_the_memory_goes_on);
    tcase_add_loop_test(c, orphans_are_let_go, 0, 3);
    tcase_add_test(c, signals_are_kept_over_steps);
    tcase_add_test(c, a_kept_signal_is_as_it_was);
    tcase_add_test(c, the_same_signal_again);
    tcase_add_test(c, sigcont_takes_a_kept_stop_back);
    tcase_add_test(c, only_stops_are_settled);
    tcase_add_test(c, which_signals_stop_it);
    tcase_add_test(c, passed_signals);
    tcase_add_test(c, an_interrupt_is_ours);
    tcase_add_test(c, errors_name_thread_and_request);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
