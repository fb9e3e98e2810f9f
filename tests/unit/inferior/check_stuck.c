/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_stuck.c - threads that do not do what a stopped thread always does: they do not step, do
 * not come to the system call, do not stop, or end in between. Each is said, and who lives goes on
 * with its registers and its signal mask as they were. What takes a race to happen is made to
 * happen by the functions below, which stand before the engine's own. */
#include <sched.h>

#include "engine/inferior/guard.h"
#include "engine/inferior/scratch.h"
#include "engine/inferior/sharers.h"
#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/restorer.h"

static enum {
    NOTHING,
    NO_MAPPINGS,   /* nothing is mapped                                        */
    NO_STEP,       /* a step does not move the thread                          */
    NO_CALL,       /* the thread is stopped before it comes to the system call */
    ONLY_STOPS,    /* a stop of ours ends each step                            */
    DIES_ON_CONT,  /* the thread dies as soon as it goes on                    */
    DIES_ON_STOP,  /* the process is dead when it is to be stopped             */
    DIES_AT_BIRTH, /* the copy is killed before it was seen                    */
    FAST,          /* thirty seconds are one                                   */
} way;

#define STANDS_BEFORE(type, name, params)                                                          \
    type __real_##name params;                                                                     \
    type __wrap_##name params;                                                                     \
    type __wrap_##name params

STANDS_BEFORE(ez_err *, ez_maps_read, (pid_t pid, struct ez_maps *out))
{
    if (way != NO_MAPPINGS)
        return __real_ez_maps_read(pid, out);
    *out = (struct ez_maps){ 0 };
    return NULL;
}

STANDS_BEFORE(uint64_t, ez_restorer_for, (struct ez_target * x, struct ez_thread *th))
{
    return way == NO_STEP ? 0 : __real_ez_restorer_for(x, th);
}

STANDS_BEFORE(ez_err *, ez_thread_step,
              (struct ez_target * x, struct ez_thread *th, bool *trapped, const char *why))
{
    *trapped = true;
    return way == NO_STEP ? NULL : __real_ez_thread_step(x, th, trapped, why);
}

STANDS_BEFORE(ez_err *, pt_syscall, (pid_t tid, int sig, const char *why))
{
    return way == NO_CALL ? NULL : __real_pt_syscall(tid, sig, why);
}

STANDS_BEFORE(ez_err *, ez_thread_report,
              (struct ez_target * x, struct ez_thread *th, enum ez_meaning *what, const char *why))
{
    *what = QUIET;
    return way == NO_CALL ? NULL : __real_ez_thread_report(x, th, what, why);
}

STANDS_BEFORE(ez_err *, pt_interrupt, (pid_t tid, const char *why))
{
    if (way == DIES_ON_STOP) {
        kill(tid, SIGKILL);
        while (!ez_is_zombie(tid, tid))
            usleep(100);
    }
    return __real_pt_interrupt(tid, why);
}

STANDS_BEFORE(ez_err *, pt_cont, (pid_t tid, int sig, const char *why))
{
    if (way != DIES_ON_CONT)
        return __real_pt_cont(tid, sig, why);
    kill(tid, SIGKILL);
    return NULL;
}

STANDS_BEFORE(ez_err *, pt_step, (pid_t tid, int sig, const char *why))
{
    if (way != ONLY_STOPS)
        return __real_pt_step(tid, sig, why);
    must(pt_interrupt(tid, why));
    return pt_cont(tid, sig, why);
}

STANDS_BEFORE(ez_err *, ez_inject_copy,
              (struct ez_target * x, struct ez_thread *th, struct ez_copy *out))
{
    ez_err *e = __real_ez_inject_copy(x, th, out);
    if (way == DIES_AT_BIRTH)
        kill(out->pid, SIGKILL);
    return e;
}

STANDS_BEFORE(int64_t, ez_now_ms, (void))
{
    return __real_ez_now_ms() * (way == FAST ? 30 : 1);
}

/* Says the error in this way, and no other. */
static void says(ez_err *e, const char *format, int id)
{
    EZ_FREE char *want = ez_sprintf(format, id);
    way = NOTHING;
    ck_assert_str_eq(why_not(e), want);
}

static void setup(void)
{
    way = NOTHING;
    nheard = 0;
}

static void teardown(void)
{
    way = NOTHING;
    if (t)
        close_target();
    kill(child, SIGKILL);
}

/* ---- calls that are not made ------------------------------------------------------------------ */

static const struct {
    int way;
    const char *says;
} no_call[] = {
    { NO_MAPPINGS, "No system call instruction was found in the code of process %d" },
    { NO_STEP, "Thread %d did not execute eztsh's system call (to test)" },
    { NO_CALL, "Thread %d did not reach eztsh's system call (to test)" },
};

START_TEST(calls_that_are_not_made)
{
    const uint64_t arg[6] = { 0 };
    int64_t r = 4711;
    begin(with_handlers, 1);
    attach();
    struct user_regs_struct was = regs_of(only()), now;
    unsigned long mask = status_of(child, "SigBlk: %lx");
    way = no_call[_i].way;
    says(ez_inject_syscall(t, only(), SYS_getpid, arg, &r, "test"), no_call[_i].says, child);
    ck_assert_int_eq(r, 4711);
    now = regs_of(only());
    ck_assert_mem_eq(&now, &was, sizeof was);
    ck_assert_uint_eq(status_of(child, "SigBlk: %lx"), mask);
    must(ez_inject_syscall(t, only(), SYS_getpid, arg, &r, "test"));
    ck_assert_int_eq(r, child);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- steps ------------------------------------------------------------------------------------ */

START_TEST(a_step_that_does_not_come)
{
    bool trapped = true;
    begin(with_handlers, 1);
    attach();
    struct user_regs_struct was = regs_of(only()), now;
    way = ONLY_STOPS;
    ez_err *e = __real_ez_thread_step(t, only(), &trapped, "test");
    says(e, "Thread %d stops again and again without completing a single step (to test)", child);
    ck_assert(!trapped);
    now = regs_of(only());
    ck_assert_uint_eq(now.eflags & 0x100, was.eflags & 0x100);
    step(only(), true);
    must(ez_thread_settle(t, only()));
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

START_TEST(an_end_behind_a_step)
{
    begin(with_handlers, 1);
    attach();
    step(only(), true);
    way = DIES_ON_CONT;
    ez_err *e = ez_thread_settle(t, only());
    says(e, "Cannot end single-stepping: the process ended", 0);
    UNTIL(ez_target_state(t) == EZ_NONE);
}
END_TEST

/* The action for SIGTRAP is asked for by the stack, which a program may have lost. */
START_TEST(a_guard_without_a_stack)
{
    struct ez_guard g;
    begin(with_handlers, 1);
    attach();
    unsigned long caught = status_of(child, "SigCgt: %lx");
    struct user_regs_struct was = regs_of(only()), lost = was;
    lost.rsp = 4096;
    ez_guard_set(t, only(), &g);
    ck_assert_uint_ne(status_of(child, "SigCgt: %lx"), caught);
    set_regs(only(), &lost);
    says(ez_guard_lift(t, &g), "Cannot single-step safely: rt_sigaction in process %d returned -14",
         child);
    ck_assert_uint_eq(regs_of(only()).rsp, lost.rsp);
    set_regs(only(), &was);
    must(ez_guard_lift(t, &g));
    ck_assert_uint_eq(status_of(child, "SigCgt: %lx"), caught);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- copies ----------------------------------------------------------------------------------- */

START_TEST(a_copy_that_is_killed)
{
    struct ez_scratch s;
    begin(with_handlers, 1);
    attach();
    way = DIES_AT_BIRTH;
    ez_err *e = ez_scratch_open(t, only(), &s);
    says(e, "The copy of the process was killed", 0);
    must(ez_scratch_close(t, only(), &s));
    must(ez_scratch_open(t, only(), &s));
    must(ez_scratch_close(t, only(), &s));
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

START_TEST(a_copy_under_signals)
{
    struct ez_scratch s;
    bool trapped;
    begin(with_handlers, 1);
    attach();
    must(ez_scratch_open(t, only(), &s));
    for (int i = 0; i < 12; i++)
        ck_assert_int_eq(kill(s.id.pid, SIGRTMIN + 3 + i), 0);
    says(ez_scratch_step(&s, &trapped, "test"),
         "Cannot single-step the copy of the process: it gets too many signals", 0);
    must(ez_scratch_step(&s, &trapped, "test")); /* there are no more of them */
    ck_assert(trapped);
    must(ez_scratch_close(t, only(), &s));
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

static void with_a_child(void)
{
    pid_t pid = fork();
    while (!pid && !s->go)
        usleep(1000);
    if (!pid)
        _exit(0);
    s->word[0] = pid;
    work(0);
    waitpid(pid, NULL, 0);
}

/* Nobody but the target can reap its child; here, one that does not end. */
START_TEST(a_copy_that_stays)
{
    begin(with_a_child, 1);
    attach();
    EZ_FREE char *want = ez_sprintf("Process %d keeps the zombie child %d: wait4 returned 0", child,
                                    (int)s->word[0]);
    ck_assert_str_eq(why_not(ez_inject_reap(t, only(), (pid_t)s->word[0])), want);
    must(ez_inject_reap(t, only(), 1)); /* no child of its own: nothing to reap */
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- ends, and who does not stop -------------------------------------------------------------- */

START_TEST(written_to_the_dead)
{
    begin(with_handlers, 1);
    attach();
    kill(child, SIGKILL);
    while (!ez_is_zombie(child, child))
        usleep(100);
    says(ez_mem_write(t, (uintptr_t)&way, &way, sizeof way, "test"),
         "Process %d is gone (writing, to test)", child);
}
END_TEST

START_TEST(an_end_while_it_is_stopped)
{
    begin(with_handlers, 1);
    attach();
    must(ez_continue(t, false, -1));
    way = DIES_ON_STOP;
    says(ez_interrupt(t), "Process %d has no live thread", child);
    UNTIL(last(EZ_EV_SIGNALED) || last(EZ_EV_GONE));
    ck_assert_int_eq(ez_target_state(t), EZ_NONE);
}
END_TEST

/* The parent of a vfork sleeps until the child ends, and nothing but its death wakes it. */
static void vforks(void)
{
    s->ready++;
    if (!vfork()) {
        while (!s->go)
            continue;
        _exit(0);
    }
}

static bool sleeps_deeply(pid_t pid)
{
    char path[64], line[256], state = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *f = fopen(path, "re");
    while (f && !state && fgets(line, sizeof line, f))
        if (sscanf(line, "State: %c", &state) != 1)
            state = 0;
    if (f)
        fclose(f);
    return state == 'D';
}

START_TEST(who_does_not_stop)
{
    int status = -1;
    begin(vforks, 1);
    while (!sleeps_deeply(child))
        usleep(100);
    must(ez_target_create(&t));
    way = FAST;
    ez_err *e = ez_attach(t, child, false);
    ck_assert(e && e->code == EZ_E_TIMEOUT && strstr(e->hint, "The parent of a vfork"));
    says(e, "Thread %d does not stop within 10 s: it may sleep uninterruptibly", child);
    ck_assert_int_eq(ez_target_state(t), EZ_NONE);
    s->go = 1;
    UNTIL(waitpid(child, &status, WNOHANG) == child && WIFEXITED(status));
    ck_assert_int_eq(status, 0);
}
END_TEST

static char stack[1 << 16];
static int sharer(void *arg)
{
    (void)arg;
    s->word[0] = getpid();
    vforks();
    return 0;
}

static void with_a_sharer(void)
{
    pid_t pid = clone(sharer, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
    int status;
    work(0);
    waitpid(pid, &status, 0);
    _exit(status != 0);
}

START_TEST(a_sharer_that_does_not_stop)
{
    struct ez_sharers list = { 0 };
    begin(with_a_sharer, 2);
    while (!sleeps_deeply((pid_t)s->word[0]))
        usleep(100);
    attach();
    way = FAST;
    ez_err *e = ez_sharers_stop(t, &list);
    way = NOTHING;
    EZ_FREE char *want = ez_sprintf("Process %d shares the memory of process %d, and does not stop",
                                    (int)s->word[0], child);
    ck_assert_str_eq(why_not(e), want);
    ck_assert_uint_eq(list.tid.n, 0);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- resolvers -------------------------------------------------------------------------------- */

uint64_t answers(void);
uint64_t answers(void)
{
    return (uint64_t)s->word[1];
}

START_TEST(resolvers_that_answer_nonsense)
{
    static const long odd[] = { 0, 1, -1, 0x7fffffffff00 };
    uint64_t to;
    must(ez_target_create(&t));
    ez_err *e = ez_ifunc_target(t, (uintptr_t)answers, &to);
    says(e, "The process has no live thread that could call an IFUNC's resolver", 0);
    close_target();
    begin(with_handlers, 1);
    attach();
    for (size_t i = 0; i < EZ_ARRAY_LEN(odd); i++) {
        EZ_FREE char *want =
            ez_sprintf("An IFUNC's resolver returned 0x%lx, which is not the address of code",
                       (unsigned long)odd[i]);
        s->word[1] = odd[i];
        e = ez_ifunc_target(t, (uintptr_t)answers, &to);
        ck_assert(e && e->code == EZ_E_REMOTE);
        ck_assert_str_eq(why_not(e), want);
    }
    s->word[1] = (long)(uintptr_t)answers;
    must(ez_ifunc_target(t, (uintptr_t)answers, &to));
    ck_assert_uint_eq(to, (uintptr_t)answers);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

int main(void)
{
    if (!proc_there("check_stuck"))
        return 77;
    Suite *suite = suite_create("stuck");
    TCase *c = tcase_create("stuck");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, calls_that_are_not_made, 0, (int)EZ_ARRAY_LEN(no_call));
    tcase_add_test(c, a_step_that_does_not_come);
    tcase_add_test(c, an_end_behind_a_step);
    tcase_add_test(c, a_guard_without_a_stack);
    tcase_add_test(c, a_copy_that_is_killed);
    tcase_add_test(c, a_copy_under_signals);
    tcase_add_test(c, a_copy_that_stays);
    tcase_add_test(c, written_to_the_dead);
    tcase_add_test(c, an_end_while_it_is_stopped);
    tcase_add_test(c, who_does_not_stop);
    tcase_add_test(c, a_sharer_that_does_not_stop);
    tcase_add_test(c, resolvers_that_answer_nonsense);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
