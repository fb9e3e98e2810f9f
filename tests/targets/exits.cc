// SPDX-License-Identifier: GPL-3.0-or-later
// exits.cc - calls that end in all the ways that real programs have.
//
//   exits         all but the stepping; prints one line a case, the same when probed
//   exits steps   a signal handler runs at every instruction of the stubs, slots, exits
//                 and of the runtime, one at a time, on the same and on another stack;
//                 to be run untraced (continue &). Natively there is nothing to step.
//   exits steps calls   the same, for simple calls only
//   exits steps all     the same, and the handler calls probed functions at each of them, not at some hundreds
//
// Counts of functions that always return are claimed; see target.h.
#include "target.h"

#include <alloca.h>
#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

extern "C" long stepped_call(long (*f)(long, long), long a, long b);
extern "C" long call_popper(long a, long b);
extern "C" long call_skipper(void);

static int failures;
static volatile bool always = true; // the compiler cannot know its value
static volatile long sink;

static void verdict(const char *name, bool good)
{
    printf("%s %s\n", good ? "good" : "BAD", name);
    fflush(stdout);
    failures += !good;
}

// ---- values ------------------------------------------------------------------------

struct Big {
    long v[12];
};
struct Mixed {
    double a;
    long b;
};
NI static double mixed_fp(double a, long double b) { OPAQUE; return a * 2 + (double)b; }
NI static long double x87(long double b) { OPAQUE; return b * 3; }
NI static Big big(int a, int b, int c, int d, int e, int f, int g, long h, double x)
{
    Big r;
    OPAQUE;
    for (int i = 0; i < 12; i++)
        r.v[i] = a + b + c + d + e + f + g + h * i + (long)x;
    return r;
}
NI static __int128 wide(long a) { OPAQUE; return ((__int128)a << 64) | 5; }
NI static Mixed mixed(long a) { OPAQUE; return { a * 1.5, a + 1 }; }
NI static long eat(Big b, Mixed m) { OPAQUE; return b.v[11] + m.b; }
NI static int variadic(int n, ...)
{
    va_list a;
    double s = 0;
    va_start(a, n);
    for (int i = 0; i < n; i++)
        s += va_arg(a, double);
    va_end(a);
    return (int)s;
}

static void values()
{
    bool good = true;
    for (int i = 0; i < 1000; i++) {
        Big b = big(1, 2, 3, 4, 5, 6, 7, 8, 9.5);
        __int128 q = wide(77);
        Mixed m = mixed(4);
        good = good && mixed_fp(1.5, 2) == 5 && x87(2) == 6 && b.v[11] == 28 + 88 + 9 && b.v[0] == 37 &&
               (long)(q >> 64) == 77 && (long)q == 5 && m.a == 6 && m.b == 5 &&
               variadic(3, 1., 2., 3.5) == 6 && eat(b, m) == 130;
    }
    verdict("values: structs, int128, long double, variadic", good);
    verdict("values: arguments taken off the stack, data behind the call",
            call_popper(3, 4) == 15 && call_skipper() == 1234);
}

// ---- recursion and tail calls -----------------------------------------------------------

static std::atomic<unsigned long> descents, evens, odds;

extern "C" NI long descend(long n)
{
    if (n == 0)
        return 0;
    long r = 1 + descend(n - 1);
    OPAQUE;
    return r;
}
NI static long down(long n)
{
    descents += (unsigned long)n + 1;
    return descend(n) + 0 * sink;
}
extern "C" NI long odd(long n);
extern "C" NI long even(long n)
{
    OPAQUE;
    return n == 0 ? 1 : odd(n - 1);
}
extern "C" NI long odd(long n)
{
    OPAQUE;
    return n == 0 ? 0 : even(n - 1);
}
NI static int tail2(int x) { sink = x; return x + 1; }
NI static int tail1(int x) { OPAQUE; return x > 5 ? tail2(x * 2) : 0; }
NI static int tail0(int x) { OPAQUE; return tail1(x + 1); }

static void depth()
{
    bool good = tail0(8) == 19 && even(3000000) == 1;
    evens += 1500001;
    odds += 1500000;
    verdict("3,000,000 mutual tail calls", good);
    good = down(60000) == 60000;
    for (int i = 0; i < 5; i++)
        good = good && down(60000) == 60000;
    verdict("recursion 60,000 deep", good);
}

// ---- exceptions, longjmp, backtrace -----------------------------------------------------------

struct Guard {
    int &n;
    NI explicit Guard(int &n) : n(n) { OPAQUE; }
    NI ~Guard() { n++; OPAQUE; }
};
NI static int thrower(int d, int &n)
{
    Guard g(n);
    OPAQUE;
    if (d == 0)
        throw std::runtime_error("deep");
    return thrower(d - 1, n) + 1;
}
NI static int catcher(int d, int &n)
{
    try {
        return thrower(d, n);
    } catch (std::exception &) {
        return -1;
    }
}
NI static int rethrower(int d, int &n)
{
    try {
        return thrower(d, n);
    } catch (...) {
        n += 100;
        throw;
    }
}
NI static int outer(int d, int &n)
{
    try {
        return rethrower(d, n);
    } catch (std::runtime_error &e) {
        return strcmp(e.what(), "deep") ? -3 : -2;
    }
}
static thread_local jmp_buf jump;
NI static void jumper(int d)
{
    if (d)
        jumper(d - 1);
    else if (always)
        longjmp(jump, 7);
    sink = sink + 1;
}
NI static int jumped(int d)
{
    int r = setjmp(jump);
    if (r)
        return r;
    jumper(d);
    return 0;
}
NI static int trace(int d, void **p, int n)
{
    int r = d ? trace(d - 1, p, n) : backtrace(p, n);
    OPAQUE;
    return r;
}

static void unwinding()
{
    int n = 0;
    bool good = catcher(20, n) == -1 && n == 21;
    verdict("throw through 20 frames", good);
    n = 0;
    verdict("catch, rethrow, catch", outer(20, n) == -2 && n == 121);
    good = true;
    for (int i = 0; i < 1500; i++) {
        n = 0;
        good = good && outer(10, n) == -2 && n == 111 && jumped(5) == 7;
    }
    verdict("1,500 throws and longjmps", good);
    for (int i = 0; i < 200000; i++)
        good = good && jumped(5) == 7;
    verdict("200,000 longjmps: entries are reclaimed", good);
    n = 0;
    verdict("throw through 30,000 frames", catcher(30000, n) == -1 && n == 30001);
    void *p[64];
    int frames = trace(10, p, 64), mine = 0;
    for (int i = 0; i < frames; i++)
        mine += (uintptr_t)p[i] - (uintptr_t)&trace < 512;
    verdict("backtrace() through 11 frames", mine >= 11 && frames >= 12);
}

// ---- threads -------------------------------------------------------------------------------------

static std::atomic<int> cleaned;
struct Cleaner {
    NI ~Cleaner() { cleaned++; OPAQUE; }
};
static std::atomic<int> waiting;
NI static void nap() { waiting = 1; usleep(1000); }
NI static void cancelled(int d)
{
    Cleaner c;
    if (d)
        cancelled(d - 1);
    while (always)
        nap();
}
NI static void handler_of_cancel(void *) { cleaned += 100; }
NI static void *cancel_body(void *)
{
    pthread_cleanup_push(handler_of_cancel, nullptr);
    cancelled(6);
    pthread_cleanup_pop(0);
    return nullptr;
}
NI static void leave(int d)
{
    Cleaner c;
    if (d)
        leave(d - 1);
    else if (always)
        pthread_exit((void *)5);
    sink = sink + 1;
}
NI static void *exit_body(void *) { leave(6); return nullptr; }
NI static void *down_body(void *n) { return (void *)down((long)n); }

static void threads()
{
    std::atomic<int> bad(0);
    std::vector<std::thread> t;
    for (int k = 0; k < 8; k++)
        t.emplace_back([&] {
            for (int i = 0; i < 300; i++) {
                int n = 0;
                bad += outer(8, n) != -2 || n != 109 || jumped(3) != 7;
            }
            bad += down(5000) != 5000;
        });
    for (auto &x : t)
        x.join();
    verdict("8 threads throw and jump", bad == 0);
    for (long i = 0; i < 3000; i++) {
        pthread_t p;
        void *r;
        pthread_create(&p, nullptr, down_body, (void *)(i % 300));
        pthread_join(p, &r);
        bad += (long)r != i % 300;
    }
    verdict("3,000 threads on reused stacks", bad == 0);
    pthread_attr_t attr;
    pthread_t p[8];
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 20);
    for (auto &x : p)
        pthread_create(&x, &attr, down_body, (void *)60000);
    for (auto &x : p) {
        void *r;
        pthread_join(x, &r);
        bad += (long)r != 60000;
    }
    verdict("8 threads, each 60,000 deep", bad == 0);
    void *r;
    cleaned = waiting = 0;
    pthread_create(p, nullptr, cancel_body, nullptr);
    while (!waiting)
        usleep(100);
    pthread_cancel(p[0]);
    pthread_join(p[0], &r);
    verdict("pthread_cancel runs the destructors", r == PTHREAD_CANCELED && cleaned == 107);
    cleaned = 0;
    pthread_create(p, nullptr, exit_body, nullptr);
    pthread_join(p[0], &r);
    verdict("pthread_exit runs the destructors", (long)r == 5 && cleaned == 7);
}

// ---- processes, signals, coroutines ----------------------------------------------------------------

NI static int forked(int d) // the child returns through frames that were probed before
{
    if (d) {
        int r = forked(d - 1);
        OPAQUE;
        return r;
    }
    pid_t p = fork();
    if (p) {
        int st;
        waitpid(p, &st, 0);
        return WIFEXITED(st) ? WEXITSTATUS(st) : -1;
    }
    int n = 0;
    return catcher(10, n) == -1 && n == 11 && descend(300) == 300 ? -42 : -1;
}

NI static int h3(int x) { sink = sink + 1; return x + 3; }
NI static int h2(int x) { int r = h3(x) * 2; OPAQUE; return r; }
NI static int h1(int x) { int r = h2(x) + 1; OPAQUE; return r; }
static sigjmp_buf out_of_handler;
static volatile int handled;
static void on_usr1(int)
{
    int n = 0;
    handled = handled + (h1(4) == 15 && catcher(5, n) == -1 && n == 6 && descend(300) == 300);
}
static void on_usr2(int)
{
    h1(1);
    siglongjmp(out_of_handler, 3);
}
NI static void raiser(int s) { raise(s); sink = sink + 1; }
NI static int jump_out()
{
    if (int r = sigsetjmp(out_of_handler, 1))
        return r;
    raiser(SIGUSR2);
    return 0;
}

static void processes_and_signals()
{
    int r = forked(20);
    if (r == -42) { // the child, which has returned from the probed frames
        Guard g(r);
        _exit(42);
    }
    verdict("fork with 20 frames below", r == 42);
    stack_t ss = {};
    ss.ss_size = 1 << 18;
    ss.ss_sp = malloc(ss.ss_size);
    sigaltstack(&ss, nullptr);
    struct sigaction sa = {};
    sa.sa_handler = on_usr1;
    sa.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &sa, nullptr);
    for (int i = 0; i < 200; i++)
        raiser(SIGUSR1);
    verdict("handlers throw on an alternate stack", handled == 200);
    sa.sa_handler = on_usr2;
    sigaction(SIGUSR2, &sa, nullptr);
    int bad = 0;
    for (int i = 0; i < 5000; i++)
        bad += jump_out() != 3;
    verdict("siglongjmp out of alternate stack handlers", bad == 0);
}

static ucontext_t main_co, co[3];
static long co_sum[3];
static int co_run = 1;
NI static void yield(int i) { sink = sink + 1; swapcontext(&co[i], &main_co); sink = sink + 1; }
NI static long co_work(int i, long d)
{
    if (d == 0) {
        yield(i);
        return 1;
    }
    long r = co_work(i, d - 1) + 1;
    if (d % 7 == 0)
        yield(i);
    return r;
}
static void co_body(int i)
{
    while (co_run) {
        int n = 0;
        co_sum[i] += co_work(i, 20 + i * 13);
        if (i == 1 && catcher(4, n) != -1)
            co_sum[i] = -1000000;
        yield(i);
    }
    for (;;)
        yield(i);
}
NI static void resume(int i) { swapcontext(&main_co, &co[i]); sink = sink + 1; }
NI static void resume_at(int i, int d)
{
    if (d)
        resume_at(i, d - 1);
    else
        resume(i);
    sink = sink + 1;
}
static ucontext_t migrant, home;
static volatile long migrated;
NI static void go_home() { swapcontext(&migrant, &home); sink = sink + 1; }
NI static long travel(int d)
{
    if (!d) {
        go_home();
        return 1;
    }
    long r = travel(d - 1) + 1;
    OPAQUE;
    return r;
}
static void migrant_body()
{
    migrated = travel(30);
    migrated = migrated + travel(200);
    for (;;)
        swapcontext(&migrant, &home);
}

static void make_coroutine(ucontext_t *c, void (*body)(), int arg, void *stack)
{
    getcontext(c);
    c->uc_stack.ss_size = 1 << 18;
    c->uc_stack.ss_sp = stack;
    c->uc_link = &main_co;
    makecontext(c, body, 1, arg);
}

static void coroutines()
{
    for (int i = 0; i < 3; i++) // the last one's stack is inside this one
        make_coroutine(&co[i], (void (*)())co_body, i, i == 2 ? alloca(1 << 18) : malloc(1 << 18));
    for (long k = 0; k < 6000; k++) {
        int n = 0;
        resume_at((k * 7 + k / 3) % 3, k % 9);
        if (k % 5 == 0)
            catcher(3, n);
        if (k % 11 == 0)
            jumped(4);
    }
    co_run = 0;
    for (int k = 0; k < 300; k++)
        resume_at(k % 3, 2);
    printf("%ld %ld %ld\n", co_sum[0], co_sum[1], co_sum[2]);
    verdict("3 coroutines and throws", co_sum[0] > 0 && co_sum[0] % 21 == 0 && co_sum[1] > 0 &&
                                           co_sum[1] % 34 == 0 && co_sum[2] > 0 && co_sum[2] % 47 == 0);
    make_coroutine(&migrant, migrant_body, 0, malloc(1 << 18));
    swapcontext(&home, &migrant);
    std::thread([] { swapcontext(&home, &migrant); }).join();
    std::thread([] {
        down(50);
        swapcontext(&home, &migrant);
        down(50);
    }).join();
    verdict("a coroutine goes on in other threads", migrated == 31 + 201);
}

// ---- a timer -------------------------------------------------------------------------------------------

static volatile int ticks, tick_bad;
extern "C" NI long fib(long n)
{
    if (n < 2)
        return n;
    long a = fib(n - 1);
    OPAQUE;
    long b = fib(n - 2);
    OPAQUE;
    return a + b;
}
static void action()
{
    int n = 0;
    if (h1(4) != 15 || catcher(3, n) != -1 || n != 4 || jumped(4) != 7 || tail0(8) != 19)
        tick_bad = tick_bad + 1;
}
static void on_alarm(int)
{
    ticks = ticks + 1;
    action();
}
static unsigned long fibs;

static void storm()
{
    struct sigaction sa = {};
    struct sigevent ev = {};
    timer_t timer;
    itimerspec every = { { 0, 150000 }, { 0, 150000 } }, off = {};
    sa.sa_handler = on_alarm;
    sa.sa_flags = SA_RESTART;
    sigaction(SIGRTMIN, &sa, nullptr);
    ev.sigev_notify = SIGEV_SIGNAL;
    ev.sigev_signo = SIGRTMIN;
    timer_create(CLOCK_MONOTONIC, &ev, &timer);
    timer_settime(timer, 0, &every, nullptr);
    int bad = 0;
    while (ticks < 1000) {
        bad += fib(14) != 377;
        fibs += 1219;
    }
    timer_settime(timer, 0, &off, nullptr);
    verdict("1,000 timer signals at random instructions", !bad && !tick_bad);
}

// ---- a signal at every instruction -----------------------------------------------------------------------

// The ranges of eztsh's code: executable mappings without a file (or of the slots' memfd), but for
// the vDSO.
static uintptr_t ours[64][2];
static int nours;
static void find_ours()
{
    char line[512];
    FILE *f = fopen("/proc/self/maps", "re");
    while (f && nours < 64 && fgets(line, sizeof line, f)) {
        unsigned long lo, hi, inode;
        char perm[5], dev[16], name[400] = "";
        if (sscanf(line, "%lx-%lx %4s %*s %15s %lu %399s", &lo, &hi, perm, dev, &inode, name) < 5 ||
            perm[2] != 'x' || !strcmp(name, "[vdso]") || !strcmp(name, "[vsyscall]"))
            continue;
        if (name[0] == '/' && strncmp(name, "/memfd:", 7))
            continue;
        ours[nours][0] = lo;
        ours[nours++][1] = hi;
    }
    if (f)
        fclose(f);
}
static volatile long step, act_at, acts;
// Not probed: its records, one at each instruction, would fill the ring.
extern "C" NI void on_trap(int, siginfo_t *, void *context)
{
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    for (int i = 0; i < nours; i++) {
        if (pc - ours[i][0] >= ours[i][1] - ours[i][0])
            continue;
        if (step == act_at) {
            acts = acts + 1;
            action();
        }
        step = step + 1;
        return;
    }
}

extern "C" NI long leaf(long a, long b) { sink = sink + 1; return a * 3 + b; }
extern "C" NI long chain(long a, long b) { OPAQUE; return leaf(a + 1, b); }
extern "C" NI long pair(long a, long b)
{
    long r = leaf(a, b);
    OPAQUE;
    return r + leaf(a, b);
}
extern "C" NI long throws(long a, long b)
{
    int n = 0;
    return catcher((int)a, n) == -1 && n == a + 1 ? b : -99;
}
static unsigned long leaf_calls;

static bool step_once(long (*fn)(long, long), long want, int leaves, long k)
{
    act_at = k;
    step = 0;
    leaf_calls += leaves;
    return stepped_call(fn, 5, 2) == want;
}

// `samples`: at how many instructions the handler runs; 0 = at all.
static void step_through(const char *name, long (*fn)(long, long), long want, int leaves,
                         long samples = 0)
{
    tick_bad = 0;
    bool good = step_once(fn, want, leaves, -1);
    long n = step;
    for (long k = 0; k < n; k += samples ? n / samples + 1 : 1)
        good = step_once(fn, want, leaves, k) && good;
    act_at = -1;
    verdict(name, good && !tick_bad);
    fprintf(stderr, "stepped %ld of %s\n", n, name);
}

// More instructions run than usual where an entry is the last of a chunk, or the first of the next.
static long usual, boundaries, at_ends; // at_ends: instructions there at which the handler acts
NI static bool at_depth(long d)
{
    bool good = true;
    if (d) {
        good = at_depth(d - 1);
        OPAQUE;
        return good;
    }
    good = step_once(pair, 34, 2, -1);
    if (!usual)
        usual = step;
    if (step == usual)
        return good;
    boundaries++; // reclaiming takes ten thousands of instructions: not at each of them
    for (long k = 0, n = step; k < n; k += 1 + n / at_ends)
        good = step_once(pair, 34, 2, k) && good;
    act_at = -1;
    return good;
}

static void step_first(bool alternate)
{
    bool good = true;
    for (long k = 0; k < 500; k += 1 + k / 20)
        std::thread([&] {
            stack_t ss = {};
            ss.ss_size = 1 << 18;
            ss.ss_sp = malloc(ss.ss_size);
            if (alternate)
                sigaltstack(&ss, nullptr);
            act_at = k;
            step = 0;
            good = stepped_call(leaf, 5, 2) == 17 && good;
            leaf_calls++;
            act_at = -1;
        }).join();
    verdict("step the first calls of threads", good && !tick_bad);
}

// `what`: "calls", the part that takes a second; "all", which takes minutes; "".
static void stepping(const char *what)
{
    bool calls_only = !strcmp(what, "calls"), all = !strcmp(what, "all");
    at_ends = all ? 500 : 40;
    struct sigaction sa = {};
    stack_t ss = {};
    find_ours();
    ss.ss_size = 1 << 18;
    ss.ss_sp = malloc(ss.ss_size);
    sigaltstack(&ss, nullptr);
    sa.sa_sigaction = on_trap;
    for (int alternate = 0; alternate < 2; alternate++) {
        sa.sa_flags = SA_SIGINFO | SA_NODEFER | (alternate ? SA_ONSTACK : 0);
        sigaction(SIGTRAP, &sa, nullptr);
        printf("on %s stack\n", alternate ? "an alternate" : "the same");
        leaf(1, 1);
        leaf_calls++;
        step_through("step a call", leaf, 17, 1);
        step_through("step a tail call", chain, 20, 1, calls_only ? 100 : all ? 0 : 300);
        if (calls_only)
            continue;
        step_through("step two calls", pair, 34, 2, all ? 0 : 250);
        bool good = true;
        for (long d = 0; d < 300; d++)
            good = at_depth(d) && good;
        verdict("step at the ends of chunks", good && !tick_bad);
        step_through("step a throw through 6 frames", throws, 2, 0, 2);
        step_first(alternate);
    }
    fprintf(stderr, "boundaries %ld\nhandlers run %ld\n", boundaries, (long)acts);
    claim("count", "leaf", leaf_calls);
    claim("exits", "leaf", leaf_calls);
}

int main(int argc, char **argv)
{
    bounded();
    if (argc > 1 && !strcmp(argv[1], "steps")) {
        stepping(argc > 2 ? argv[2] : "");
        return failures;
    }
    values();
    depth();
    unwinding();
    threads();
    processes_and_signals();
    coroutines();
    storm();
    descents += 200 * 301; // in the handlers
    claim("count", "descend", descents);
    claim("exits", "descend", descents);
    claim("count", "even", evens);
    claim("exits", "even", evens);
    claim("count", "odd", odds);
    claim("exits", "odd", odds);
    claim("count", "fib", fibs);
    claim("exits", "fib", fibs);
    return failures;
}
