/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_called.c - functions that are called in a thread of the target: arguments and results,
 * what ends them early, signals and other threads meanwhile, and that nothing of it stays; and
 * memory that is read and written, through the kernel's door and word by word. */
#include "config.h"
#include "engine/inferior/scratch.h"
#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

static unsigned pokes;
ez_err *__real_pt_poke(pid_t tid, uint64_t addr, uint64_t word, const char *why);
ez_err *__wrap_pt_poke(pid_t tid, uint64_t addr, uint64_t word, const char *why);
ez_err *__wrap_pt_poke(pid_t tid, uint64_t addr, uint64_t word, const char *why)
{
    pokes++;
    return __real_pt_poke(tid, addr, word, why);
}

/* ---- what is called -------------------------------------------------------------------------- */

static uint64_t six(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    __asm__ volatile("pcmpeqd %%xmm0,%%xmm0; movdqa %%xmm0,%%xmm7; fldpi" ::: "xmm0", "xmm7");
    s->word[6] = (long)((uintptr_t)__builtin_frame_address(0) % 16); /* aligned, as the ABI says */
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

static uint64_t raises(uint64_t sig)
{
    s->word[5]++;
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), (int)sig);
    return sig + (uint64_t)s->times[sig] * 1000;
}

static uint64_t waits_for_others(void)
{
    for (unsigned long from = s->beat[1]; s->beat[1] == from;)
        continue;
    return 42;
}

static uint64_t ends_it(void)
{
    _exit(7);
}

void by_invalid(void), by_division(void), by_breakpoint(void);
__asm__(".text; .globl by_invalid, by_division, by_breakpoint\n"
        "by_invalid: ud2\n"
        "by_division: xor %ecx,%ecx; xor %edx,%edx; .globl at_division\n at_division: div %ecx\n"
        "by_breakpoint: int3; nop\n");
extern char at_division[];

static uint64_t by_access(void)
{
    return *(volatile uint64_t *)s->word[0];
}

static int64_t call(void *fn, size_t n, bool others)
{
    const uint64_t arg[6] = { 1, 2, 3, 4, 5, 6 };
    uint64_t r = 0;
    must(ez_inject_call(t, only(), &(struct ez_call){ (uintptr_t)fn, arg, n, others, 0 }, &r,
                        "test"));
    return (int64_t)r;
}

static size_t mappings(void)
{
    struct ez_maps maps;
    must(ez_maps_read(child, &maps));
    size_t n = maps.map.n;
    ez_maps_free(&maps);
    return n;
}

/* Every register, the vector ones too, and what is mapped. */
START_TEST(calls_leave_nothing)
{
    static uint8_t before[16384], after[16384];
    size_t nbefore = sizeof before, nafter = sizeof after;
    begin(with_handlers, 1);
    attach();
    struct user_regs_struct was = regs_of(only()), now;
    must(pt_getregset(child, t->inf.arch->regs.extended_regset, before, &nbefore, "test"));
    size_t maps = mappings();
    ck_assert_int_eq(call(six, 6, _i), 654321);
    ck_assert_int_eq(s->word[6], 0);
    call(six, 0, _i);
    must(pt_getregset(child, t->inf.arch->regs.extended_regset, after, &nafter, "test"));
    now = regs_of(only());
    ck_assert_mem_eq(&now, &was, sizeof now);
    ck_assert_uint_eq(nafter, nbefore);
    ck_assert_mem_eq(after, before, nbefore);
    ck_assert_uint_eq(mappings(), maps);
    ck_assert_int_eq(t->inf.state, EZ_STOPPED);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* The fault that ends a call is told, and the thread gets its state back. */
START_TEST(calls_that_fault)
{
    const struct {
        void *fn;
        int sig;
        uint64_t at;
    } f[] = { { by_access, SIGSEGV, 0 },
              { by_access, SIGBUS, 0 },
              { by_invalid, SIGILL, (uintptr_t)by_invalid },
              { by_division, SIGFPE, (uintptr_t)at_division },
              { by_breakpoint, SIGTRAP, (uintptr_t)by_breakpoint + 1 } };
    uint64_t r = 4711;
    begin(with_all_handlers, 1);
    attach();
    FILE *empty = tmpfile(); /* mapped, but the file has no page */
    ck_assert_ptr_nonnull(empty);
    for (size_t i = 0; i < EZ_ARRAY_LEN(f); i++) {
        struct user_regs_struct was = regs_of(only()), now;
        char want[64];
        if (f[i].sig == SIGBUS) {
            char path[64];
            int64_t fd;
            snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), fileno(empty));
            uint64_t at = 0, arg[6] = { (uint64_t)-100, (uintptr_t)s->result, 0 };
            memcpy((void *)s->result, path, sizeof path);
            must(ez_inject_syscall(t, only(), SYS_openat, arg, &fd, "test"));
            ck_assert_int_ge(fd, 0);
            must(ez_inject_mmap(
                t,
                &(struct ez_mmap){
                    .size = EZ_PAGE, .prot = PROT_READ, .flags = MAP_SHARED, .fd = (int)fd },
                &at, "test"));
            s->word[0] = (long)at;
        }
        ez_err *e = ez_inject_call(
            t, only(), &(struct ez_call){ (uintptr_t)f[i].fn, NULL, 0, _i, 0 }, &r, "test");
        ck_assert_ptr_nonnull(e);
        ck_assert_int_eq(e->code, EZ_E_REMOTE);
        const char *text = why_not(e);
        snprintf(want, sizeof want, "The injected call received signal %d at 0x%lx (to test)",
                 f[i].sig, (unsigned long)f[i].at);
        if (f[i].at)
            ck_assert_str_eq(text, want);
        else
            ck_assert_msg(!strncmp(text, want, 12), "%s", text);
        now = regs_of(only());
        ck_assert_mem_eq(&now, &was, sizeof now);
        ck_assert_int_eq(only()->sig, 0);
        ck_assert_int_eq(s->times[f[i].sig], 0);
    }
    ck_assert_uint_eq(r, 4711);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

/* If all threads run during the call, a signal runs its handler in the function; if the thread runs
 * alone, the signal waits until all threads go on. */
START_TEST(signals_in_calls)
{
    const bool others = _i;
    uint64_t r, sig = SIGUSR1;
    begin(with_handlers, 1);
    attach();
    must(ez_inject_call(t, only(), &(struct ez_call){ (uintptr_t)raises, &sig, 1, others, 0 }, &r,
                        "test"));
    ck_assert_int_eq(s->word[5], 1);
    ck_assert_uint_eq(r, others ? SIGUSR1 + 1000 : SIGUSR1);
    ck_assert_int_eq(pends(SIGUSR1), !others);
    must(ez_continue(t, true, -1));
    while (!s->times[SIGUSR1])
        usleep(100);
    ck_assert_int_eq(s->times[SIGUSR1], 1);
    must(ez_interrupt(t));
    send_value(SIGUSR2, 9); /* the signal at which the thread stands is not the function's */
    step(only(), false);
    ck_assert_int_eq(call(six, 6, others), 654321);
    ck_assert_int_eq(only()->sig, SIGUSR2);
    ck_assert_int_eq(only()->info.si_value.sival_int, 9);
    ck_assert_int_eq(s->times[SIGUSR2], 0);
    must(ez_continue(t, true, -1));
    while (!s->times[SIGUSR2])
        usleep(100);
    ck_assert_int_eq(s->value[SIGUSR2], 9);
    ends_well();
}
END_TEST

static void *second(void *arg)
{
    work(1);
    return arg;
}

static void two_threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    work(0);
    pthread_join(thread, NULL);
}

START_TEST(others_meanwhile)
{
    uint64_t r = 0;
    begin(two_threads, 2);
    attach();
    ck_assert_uint_eq(t->inf.thread.n, 2);
    struct ez_thread *th = ez_thread_find(t, child);
    must(ez_inject_call(t, th, &(struct ez_call){ (uintptr_t)waits_for_others, NULL, 0, true, 0 },
                        &r, "test"));
    ck_assert_uint_eq(r, 42);
    ck_assert_int_eq(t->inf.state, EZ_STOPPED);
    ck_assert(t->inf.thread.at[0]->stopped && t->inf.thread.at[1]->stopped);
    unsigned long was = s->beat[1];
    th = ez_thread_find(t, child);
    ez_err *e = ez_inject_call(
        t, th, &(struct ez_call){ (uintptr_t)waits_for_others, NULL, 0, false, 0 }, &r, "test");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_TIMEOUT);
    ck_assert_str_eq(why_not(e), "The injected call did not return within 5000 ms (to test)");
    ck_assert_uint_eq(s->beat[1], was);
    must(ez_continue(t, false, -1));
    works(2);
    ends_well();
}
END_TEST

START_TEST(a_call_that_ends_it)
{
    uint64_t r;
    begin(with_handlers, 1);
    attach();
    ez_err *e = ez_inject_call(t, only(), &(struct ez_call){ (uintptr_t)ends_it, NULL, 0, _i, 0 },
                               &r, "test");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_GONE);
    ck_assert_str_eq(why_not(e), "Cannot test: the process ended");
    ck_assert_int_eq(t->inf.state, EZ_NONE);
    hear(0);
    ck_assert_int_eq(last(EZ_EV_EXITED)->status, 7);
    close_target();
}
END_TEST

START_TEST(calls_for_users)
{
    const uint64_t arg[7] = { 1 };
    uint64_t r;
    begin(with_handlers, 1);
    attach();
    must(ez_remote_call(t, ez_addr_of((uintptr_t)six), arg, 6, &r));
    ck_assert_uint_eq(r, 1);
    ck_assert_str_eq(why_not(ez_remote_call(t, ez_addr_of((uintptr_t)six), arg, 7, &r)),
                     "At most 6 arguments can be passed in registers");
    must(ez_continue(t, true, -1));
    ck_assert_int_eq(ez_remote_call(t, ez_addr_of((uintptr_t)six), arg, 6, &r)->code, EZ_E_STATE);
    ends_well();
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------- */

static uint8_t page[3 * EZ_PAGE] __attribute__((aligned(4096)));

static void fill(void)
{
    for (size_t i = 0; i < sizeof page; i++)
        page[i] = (uint8_t)(i * 7 + i / 256);
}

/* Writes of all lengths over the end of a page. Where /proc/PID/mem does not write, as few words are
 * written as possible: bytes that lie within one word are changed at once. */
START_TEST(writes)
{
    uint8_t ours[48], there[96];
    if (_i)
        setenv("EZ_FAULT", "write:0:EACCES", 1);
    fill();
    begin(with_handlers, 1);
    attach();
    for (size_t at = EZ_PAGE - 20; at < EZ_PAGE + 4; at++)
        for (size_t n = 0; n <= 24; n++) {
            memset(ours, 0xee, sizeof ours);
            pokes = 0;
            must(ez_mem_write(t, (uintptr_t)page + at, ours, n, "test"));
            if (!_i)
                ck_assert_uint_eq(pokes, 0);
            else if (n && n <= 8 && (at % EZ_PAGE) + n <= EZ_PAGE)
                ck_assert_uint_eq(pokes, 1);
            must(ez_mem_read(t, (uintptr_t)page + at - 16, there, 16 + n + 16));
            ck_assert_mem_eq(there, page + at - 16, 16);
            ck_assert(!n || !memcmp(there + 16, ours, n));
            ck_assert_mem_eq(there + 16 + n, page + at + n, 16);
            must(ez_mem_write(t, (uintptr_t)page + at, page + at, n, "test"));
            pokes = 0;
            must(ez_mem_write(t, (uintptr_t)page + at, page + at, n, "test"));
            ck_assert_uint_eq(pokes, 0); /* nothing to change */
        }
    ck_assert_int_eq(t->inf.pokes, _i);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

START_TEST(what_cannot_be_read)
{
    char buf[64];
    uint8_t *hole =
        mmap(NULL, 2 * EZ_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy((char *)hole, "begin");
    memset(hole + EZ_PAGE - 6, 'x', 6);
    begin(with_handlers, 1);
    attach();
    const uint64_t at = (uintptr_t)hole, end = at + EZ_PAGE;
    must(ez_remote_munmap(t, ez_addr_of(end), EZ_PAGE));
    ck_assert_uint_eq(ez_mem_read_some(t, end - 6, buf, 10), 6);
    ck_assert_uint_eq(ez_mem_read_some(t, end, buf, 10), 0);
    must(ez_mem_read(t, end - 6, buf, 6));
    ez_err *e = ez_mem_read(t, end - 6, buf, 7);
    ck_assert_ptr_nonnull(e);
    ck_assert_uint_eq(e->addr, end);
    ck_assert_int_eq(e->errnum, EIO);
    char want[80];
    snprintf(want, sizeof want, "Cannot access memory at address 0x%lx", (unsigned long)end);
    ck_assert_str_eq(why_not(e), want);
    must(ez_mem_read_string(t, at, buf, sizeof buf));
    ck_assert_str_eq(buf, "begin");
    must(ez_mem_read_string(t, at, buf, 4));
    ck_assert_str_eq(buf, "beg");
    must(ez_mem_read_string(t, end - 6, buf, sizeof buf)); /* a string without its final zero */
    ck_assert_str_eq(buf, "xxxxxx");
    ck_assert_str_eq(why_not(ez_mem_read_string(t, end, buf, sizeof buf)), want);
    snprintf(want, sizeof want, "Cannot write 4 bytes at 0x%lx (to test): Input/output error",
             (unsigned long)end);
    ck_assert_str_eq(why_not(ez_mem_write(t, end, "abcd", 4, "test")), want);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST

#ifdef EZ_FAULT_INJECTION
/* The copy is a target of its own: its end is an event of the copy alone. */
START_TEST(copies_die)
{
    struct ez_scratch scratch;
    bool trapped;
    begin(with_handlers, 1);
    attach();
    struct ez_thread *th = only();
    must(ez_scratch_open(t, th, &scratch));
    must(ez_scratch_step(&scratch, &trapped, "test"));
    ck_assert(trapped);
    setenv("EZ_FAULT", "wait:1:KILL", 1);
    ez_err *e = ez_scratch_step(&scratch, &trapped, "test");
    unsetenv("EZ_FAULT");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_GONE);
    ez_err_free(e);
    must(ez_scratch_close(t, th, &scratch));
    ck_assert_int_eq(t->inf.state, EZ_STOPPED);
    must(ez_continue(t, true, -1));
    ends_well();
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("called");
    TCase *c = tcase_create("called");
    if (!proc_there("check_called"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_loop_test(c, calls_leave_nothing, 0, 2);
    tcase_add_loop_test(c, calls_that_fault, 0, 2);
    tcase_add_loop_test(c, signals_in_calls, 0, 2);
    tcase_add_test(c, others_meanwhile);
    tcase_add_loop_test(c, a_call_that_ends_it, 0, 2);
    tcase_add_test(c, calls_for_users);
#ifdef EZ_FAULT_INJECTION
    tcase_add_test(c, copies_die);
    tcase_add_loop_test(c, writes, 0, 2);
#else
    tcase_add_loop_test(c, writes, 0, 1);
#endif
    tcase_add_test(c, what_cannot_be_read);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
