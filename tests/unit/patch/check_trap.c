/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_trap.c - which processes a breakpoint would kill: those in which a thread blocks or
 * ignores SIGTRAP; not one that is making a thread, when the libc blocks all for a moment. */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/target.h"
#include "tests/unit/suite.h"
#include "engine/patch/trap.h"

#define BIT(sig) (1ul << ((sig)-1))
enum { LIBC_SIGNAL = 32 };

/* The kernel's own call: the libc keeps its signals out of masks. */
static void block(unsigned long mask)
{
    ck_assert_int_eq(syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask), 0);
}

/* Why no trap may be planted in this process; "" = one may. */
static const char *verdict(void)
{
    static char msg[256];
    struct ez_target x = { .inf.pid = getpid() };
    ez_err *e = ez_trap_allowed(&x);
    snprintf(msg, sizeof msg, "%s", e ? e->msg : "");
    ez_err_free(e);
    return msg;
}

static void refused(pid_t tid)
{
    char want[80];
    snprintf(want, sizeof want, "thread %d blocks or ignores SIGTRAP: a trap would kill it", tid);
    ck_assert_str_eq(verdict(), want);
}

static const struct {
    unsigned long mask;
    bool ignored, fine;
} row[] = {
    { 0, false, true },
    { BIT(SIGTRAP), false, false },
    { BIT(SIGTRAP) | BIT(SIGUSR1), false, false },
    { BIT(SIGUSR1) | BIT(LIBC_SIGNAL), false, true },
    { BIT(SIGTRAP) | BIT(LIBC_SIGNAL), false, true }, /* as the libc does */
    { ~0ul, false, true },
    { 0, true, false },
    { ~0ul, true, false },
};

START_TEST(one_thread)
{
    signal(SIGTRAP, row[_i].ignored ? SIG_IGN : SIG_DFL);
    block(row[_i].mask);
    if (row[_i].fine)
        ck_assert_str_eq(verdict(), "");
    else
        refused(getpid());
    block(0);
}
END_TEST

static pthread_barrier_t both;
static pid_t other;
static void *blocks(void *arg)
{
    other = gettid();
    block(BIT(SIGTRAP));
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return arg;
}

START_TEST(any_thread)
{
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, blocks, NULL), 0);
    pthread_barrier_wait(&both);
    refused(other);
    pthread_barrier_wait(&both);
    pthread_join(thread, NULL);
    ck_assert_str_eq(verdict(), "");
}
END_TEST

START_TEST(the_table_has_an_end)
{
    struct ez_target x = { .inf.arch = ez_arch_host() };
    for (uint64_t i = 0; i < EZ_NTRAP; i++) {
        struct rt_trap trap = { 0x1000 + 16 * i, 0x9000 + i };
        ck_assert(ez_err_drop(ez_trap_room(&x, trap.addr, 0)));
        ck_assert_int_eq(ez_trap_known(&x, trap.addr), false);
        EZ_PUSH(&x.rt.trap, trap);
    }
    char want[64];
    snprintf(want, sizeof want, "no more than %d traps in one process", EZ_NTRAP);
    ez_err *e = ez_trap_room(&x, 0x10, 0);
    ck_assert(e && e->code == EZ_E_REFUSED);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
    ck_assert(ez_err_drop(ez_trap_room(&x, 0x1000, 0))); /* entries are never taken back */
    x.rt.trap.n -= 2;
    ck_assert(ez_err_drop(ez_trap_room(&x, 0x10, 1)));
    ck_assert(!ez_err_drop(ez_trap_room(&x, 0x10, 2)));
    ck_assert_uint_eq(ez_trap_trampoline(&x, 0x1010 + x.inf.arch->trap.len), 0x9001);
    ck_assert_uint_eq(ez_trap_trampoline(&x, 0x1010), 0);
    EZ_VEC_FREE(&x.rt.trap);
}
END_TEST

int main(void)
{
    if (!proc_there("check_trap"))
        return 77;
    Suite *s = suite_create("trap");
    TCase *c = tcase_create("trap");
    tcase_add_loop_test(c, one_thread, 0, (int)EZ_ARRAY_LEN(row));
    tcase_add_test(c, any_thread);
    tcase_add_test(c, the_table_has_an_end);
    suite_add_tcase(s, c);
    return run_suite(s);
}
