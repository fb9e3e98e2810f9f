/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_steps.c - steps, system calls that our stops interrupt, stops by job control, and how
 * many threads stop and go on. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"

#define TF 0x100

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

/* The thread, whose registers were `was`, comes to a system call with these five arguments. */
static void comes_to_call(struct ez_thread *th, const struct user_regs_struct *was, long nr,
                          const uint64_t arg[5])
{
    struct user_regs_struct u = *was;
    u.rip = (uintptr_t)live_call;
    u.rax = (unsigned long)nr;
    u.orig_rax = ~0ul;
    u.rdi = arg[0];
    u.rsi = arg[1];
    u.rdx = arg[2];
    u.r10 = arg[3];
    u.r8 = arg[4];
    set_regs(th, &u);
}

/* It goes on where it was, without a mask. */
static void goes_on(struct ez_thread *th, const struct user_regs_struct *was)
{
    must(pt_setsigmask(th->tid, 0, "test"));
    set_regs(th, was);
    must(ez_thread_settle(t, th));
    must(ez_continue(t, true, -1));
    ends_well();
}

/* A thread's signal mask is as before, unless the step itself changed it. */
START_TEST(a_step_where_sigtrap_is_held_back)
{
    static uint64_t set;
    const uint64_t held = BIT(SIGTRAP) | BIT(SIGUSR2);
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    struct user_regs_struct was = regs_of(th);
    must(pt_setsigmask(th->tid, held, "test"));
    step(th, true);
    ck_assert_uint_eq(mask_of(th), held);
    const uint64_t given[] = { BIT(SIGUSR1), held, 0 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(given); i++) {
        must(pt_setsigmask(th->tid, held, "test"));
        must(ez_mem_write(t, (uintptr_t)&set, &given[i], sizeof set, "test"));
        comes_to_call(th, &was, SYS_rt_sigprocmask,
                      (uint64_t[5]){ SIG_SETMASK, (uintptr_t)&set, 0, 8, 0 });
        step(th, true);
        ck_assert_uint_eq(regs_of(th).rip, (uintptr_t)live_call + 2);
        ck_assert_uint_eq(regs_of(th).rax, 0);
        ck_assert_uint_eq(mask_of(th), given[i]);
    }
    goes_on(th, &was);
}
END_TEST

/* A call that begins to hold SIGTRAP back, for good or while it sleeps: what it asks for holds, and
 * the program's handler stays. */
START_TEST(a_step_that_holds_sigtrap_back)
{
    static const struct timespec none = { 0, 0 };
    static const uint64_t set = BIT(SIGTRAP) | BIT(SIGUSR2);
    static const struct {
        long nr;
        uint64_t arg[5], before, after;
    } call[] = {
        { SYS_rt_sigprocmask, { SIG_BLOCK, (uintptr_t)&set, 0, 8, 8 }, 0, set },
        { SYS_rt_sigprocmask, { SIG_SETMASK, (uintptr_t)&set, 0, 8, 8 }, BIT(SIGUSR1), set },
        { SYS_rt_sigprocmask, { SIG_BLOCK, (uintptr_t)&set, 0, 8, 8 }, set, set },
        { SYS_rt_sigprocmask, { SIG_UNBLOCK, (uintptr_t)&set, 0, 8, 8 }, set, 0 },
        { SYS_ppoll, { 0, 0, (uintptr_t)&none, (uintptr_t)&set, 8 }, 0, 0 },
    };
    begin(with_all_handlers, 1);
    attach();
    struct ez_thread *th = only();
    struct user_regs_struct was = regs_of(th);
    const unsigned long caught = status_of(child, "SigCgt: %lx");
    ck_assert(caught & BIT(SIGTRAP));
    for (size_t i = 0; i < EZ_ARRAY_LEN(call); i++) {
        must(pt_setsigmask(th->tid, call[i].before, "test"));
        comes_to_call(th, &was, call[i].nr, call[i].arg);
        step(th, true);
        ck_assert_uint_eq(regs_of(th).rip, (uintptr_t)live_call + 2);
        ck_assert_uint_eq(regs_of(th).rax, 0);
        ck_assert_uint_eq(mask_of(th), call[i].after);
        ck_assert_uint_eq(status_of(child, "SigCgt: %lx"), caught);
        step(th, true); /* a step behind it */
        ck_assert_uint_eq(regs_of(th).rip, (uintptr_t)live_call + 3);
        ck_assert_uint_eq(mask_of(th), call[i].after);
        ck_assert_uint_eq(status_of(child, "SigCgt: %lx"), caught);
    }
    goes_on(th, &was);
}
END_TEST

/* The same in calls that a signal ends before their own mask is taken back. */
START_TEST(a_step_that_a_signal_ends)
{
    static const struct timespec long_time = { 100, 0 };
    static const uint64_t set = BIT(SIGTRAP);
    begin(with_all_handlers, 1);
    attach();
    struct ez_thread *th = only();
    struct user_regs_struct was = regs_of(th);
    const unsigned long caught = status_of(child, "SigCgt: %lx");
    for (int polls = 0; polls < 2; polls++) {
        const int times = s->times[SIGUSR1];
        must(pt_setsigmask(th->tid, BIT(SIGUSR1), "test"));
        send_value(SIGUSR1, 1);
        comes_to_call(th, &was, polls ? SYS_ppoll : SYS_rt_sigsuspend,
                      polls ? (uint64_t[5]){ 0, 0, (uintptr_t)&long_time, (uintptr_t)&set, 8 }
                            : (uint64_t[5]){ (uintptr_t)&set, 8, 0, 0, 0 });
        step(th, true);
        ck_assert_uint_eq(regs_of(th).rip, (uintptr_t)live_call + 2);
        ck_assert_uint_eq(status_of(child, "SigCgt: %lx"), caught);
        step(th, false); /* its handler comes next */
        ck_assert_int_eq(th->sig, SIGUSR1);
        set_regs(th, &was);
        must(pt_setsigmask(th->tid, 0, "test"));
        must(ez_continue(t, false, -1));
        UNTIL(s->times[SIGUSR1] == times + 1);
        must(ez_interrupt(t));
        th = only();
        was = regs_of(th);
    }
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* A SIGTRAP that another process sends is not taken for a step's. */
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
    UNTIL(t->inf.state == EZ_NONE);
    close_target();
}
END_TEST

/* ---- interrupted system calls ----------------------------------------------------------------- */

#define ASLEEP 3 /* seconds: so long the test may take to see who sleeps, and to stop it */

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
    s->result[0] = epoll_wait(fd, &ev, 1, 1000 * ASLEEP);
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

/* Our stops do not end a wait; only a signal does that comes and is not blocked. */
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
    struct timespec ts = { ASLEEP, 0 };
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

/* A sleep that the kernel continues by restart_syscall begins anew under a seccomp filter. */
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
    ck_assert_uint_eq(t->inf.thread.n, (size_t)n);
    unsigned long was[8];
    memcpy(was, (void *)s->beat, sizeof was);
    for (int i = 0; i < n; i++) {
        ck_assert(t->inf.thread.at[i]->stopped && !t->inf.thread.at[i]->stop_requested);
        ck_assert_int_eq(status_of(t->inf.thread.at[i]->tid, "TracerPid: %lu"), getpid());
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
        tid[i] = t->inf.thread.at[i]->tid;
    must(ez_world_stop(t, &was)); /* they do already */
    ck_assert_int_eq(was, EZ_STOPPED);
    must(ez_world_resume(t, was));
    all_rest(4);
    must(ez_continue(t, true, -1));
    ck_assert_int_eq(t->inf.state, EZ_BACKGROUND);
    ck_assert(!t->inf.seized);
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
    ck_assert_int_eq(t->inf.state, EZ_BACKGROUND);
    must(ez_continue(t, false, -1));
    ck_assert_int_eq(t->inf.state, EZ_RUNNING);
    ck_assert(t->inf.seized);
    works(4);
    must(ez_world_stop(t, &was));
    ck_assert_int_eq(was, EZ_RUNNING);
    all_rest(4);
    must(ez_world_resume(t, was));
    ck_assert_int_eq(t->inf.state, EZ_RUNNING);
    ends_well();
}
END_TEST

START_TEST(a_leader_that_has_ended)
{
    begin(leader_ends, 3);
    while (!ez_is_zombie(child, child))
        usleep(100);
    attach();
    ck_assert_uint_eq(t->inf.thread.n, 3);
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

/* Events tell of children, which belong to no target. */
START_TEST(children_are_told)
{
    begin(makes_children, 1);
    attach();
    must(ez_continue(t, false, -1));
    s->go = 1;
    UNTIL(t->inf.state == EZ_NONE);
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
    Suite *suite = suite_create("steps");
    TCase *c = tcase_create("steps");
    if (!proc_there("check_steps"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_test(c, a_step_is_not_seen);
    tcase_add_test(c, a_step_where_sigtrap_is_held_back);
    tcase_add_test(c, a_step_that_holds_sigtrap_back);
    tcase_add_test(c, a_step_that_a_signal_ends);
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
