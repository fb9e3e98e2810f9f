/* SPDX-License-Identifier: MIT */
/* p_left.cc - calls that are left in every way but by returning.
 *   p_left CASE...   runs these; "all" = all but
 *   p_left sysexit   a thread that ends by the system call alone, long before the others
 *   p_left hot       two threads that call as fast as they can, and say "hot TID CALLS"
 *   p_left stop      longjmps until there is a file of that name
 *   p_left go CASE...  says its process ID in a file `here`, and waits for a file `go` first
 * For each call, standard error says in nanoseconds of CLOCK_MONOTONIC between which moments it
 * began and ended, and whether it returned:
 *   call TID FUNCTION BEGAN-AFTER BEGAN-BEFORE ENDED-AFTER ENDED-BEFORE unwound|returned|either
 * Standard output says "right" at the end. */
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "keep.h"

#define STAY asm volatile("")
#define F extern "C" KEEP

/* ---- what happened ------------------------------------------------------------------- */

struct claim {
    const char *function;
    int64_t after, before, end_after, end_before;
    int tid, stack;
    bool open, unwound, either;
};
#define MOST (1 << 20)
static struct claim *claims; /* a forked child has its own copy */
static int nclaims;
static thread_local int last = -1;  /* a call that returned, and whose end has no upper bound yet */
static thread_local int64_t called; /* before the next call                          */
static thread_local int on;         /* the stack the thread is on                    */
static thread_local int self;

static int64_t now()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t ns = t.tv_sec * 1000000000ll + t.tv_nsec;
    if (last >= 0)
        claims[last].end_before = ns;
    last = -1;
    return ns;
}

static int begin(const char *f)
{
    int k = __atomic_fetch_add(&nclaims, 1, __ATOMIC_RELAXED);
    if (k >= MOST)
        abort();
    if (!self)
        self = (int)syscall(SYS_gettid);
    claims[k] = { f, called, now(), 0, 0, self, on, true, false, false };
    return k;
}

static void returns(int k)
{
    claims[k].end_after = now();
    claims[k].open = false;
    last = k;
}

/* All calls from k on, of this thread on this stack, were left between these two moments. */
static void left(int k, int64_t after, int64_t before, int tid = 0)
{
    for (int i = nclaims - 1; i >= k; i--) {
        struct claim *c = &claims[i];
        if (!c->open || c->tid != (tid ? tid : self) || c->stack != on)
            continue;
        c->end_after = c->either ? c->end_after : after;
        c->end_before = before;
        c->open = false;
        c->unwound = true;
    }
}

#define CALL (called = now())
#define BEGIN int me = begin(__func__)

static void spin(int us)
{
    int64_t end = now() + us * 1000;
    while (now() < end)
        STAY;
}

/* ---- functions ------------------------------------------------------------------------ */

static int64_t thrown; /* when the last exception was thrown */
static volatile int always = 1;

F int leaf(int x)
{
    BEGIN;
    spin(5);
    returns(me);
    return x + 1;
}

static void leaf_below() /* a leaf, deeper than what was left before */
{
    volatile char *room = (volatile char *)alloca(8192);
    room[0] = 1;
    CALL;
    leaf(room[0]);
}

F int thrower(int n)
{
    BEGIN;
    if (!n) {
        spin(5);
        thrown = now();
        throw 1;
    }
    CALL;
    int r = thrower(n - 1);
    STAY;
    returns(me);
    return r + 1;
}

struct cleanup { /* its destructor takes time in the middle of an exception */
    int me;
    ~cleanup()
    {
        left(me + 1, thrown, now());
        spin(200);
        thrown = now();
    }
};

F int cleaner(int n)
{
    BEGIN;
    cleanup c = { me };
    CALL;
    int r = thrower(n);
    STAY;
    returns(me);
    return r;
}

F int rethrower(int n)
{
    BEGIN;
    try {
        CALL;
        thrower(n);
    } catch (int) {
        left(me + 1, thrown, now());
        spin(50);
        thrown = now();
        throw;
    }
    STAY;
    returns(me);
    return n;
}

static void throws()
{
    for (int i = 0; i < 200; i++) {
        int k = nclaims;
        try {
            CALL;
            if (i % 3 == 0)
                thrower(i % 5);
            else if (i % 3 == 1)
                cleaner(i % 5);
            else
                rethrower(i % 5);
        } catch (int) {
            left(k, thrown, now());
        }
        CALL;
        leaf(i);
        if (i % 2)
            leaf_below();
    }
}

/* ---- foreign --------------------------------------------------------------------------- */

static struct _Unwind_Exception foreign;

F int alien(int n)
{
    BEGIN;
    if (!n) {
        memset(&foreign, 0, sizeof foreign);
        memcpy(&foreign.exception_class, "EZTSTEST", 8);
        thrown = now();
        _Unwind_RaiseException(&foreign);
        abort();
    }
    CALL;
    int r = alien(n - 1);
    STAY;
    returns(me);
    return r;
}

static void foreigners()
{
    for (int i = 0; i < 50; i++) {
        int k = nclaims;
        try {
            CALL;
            alien(i % 4);
        } catch (...) {
            left(k, thrown, now());
        }
        CALL;
        leaf(i);
    }
}

/* ---- threads --------------------------------------------------------------------------- */

static volatile int ready, first_of_thread, its_tid;
static int by_syscall; /* the thread ends by the system call: no code of the program notices */

F int leaver(int n)
{
    BEGIN;
    if (!n) {
        thrown = now();
        if (by_syscall)
            syscall(SYS_exit, 0);
        pthread_exit(NULL);
    }
    CALL;
    int r = leaver(n - 1);
    STAY;
    returns(me);
    return r;
}

F void *outermost(void *how)
{
    BEGIN;
    first_of_thread = me;
    its_tid = self;
    CALL;
    if (how) {
        int r = leaver(3);
        STAY;
        returns(me + r * 0);
        return NULL;
    }
    leaf(1);
    ready = 1;
    while (always)
        usleep(1000);
    returns(me);
    return NULL;
}

static void threads_end(bool cancel)
{
    for (int i = 0; i < (by_syscall ? 1 : 20); i++) {
        pthread_t t;
        ready = 0;
        int64_t before = now(), begun;
        pthread_create(&t, NULL, outermost, cancel ? NULL : (void *)1);
        while (cancel && !ready)
            usleep(100);
        begun = now();
        if (cancel)
            pthread_cancel(t);
        pthread_join(t, NULL);
        while (by_syscall && !syscall(SYS_tgkill, getpid(), its_tid, 0))
            usleep(100);
        claims[first_of_thread].after = before;
        if (cancel) /* leaf() was the thread's last call, and ended before it was ready */
            claims[first_of_thread + 1].end_before = begun;
        left(first_of_thread, cancel ? begun : thrown, now(), its_tid);
        spin(300);
    }
}

/* ---- longjmp --------------------------------------------------------------------------- */

static jmp_buf back;
static sigjmp_buf sigback;

F int jumper(int n)
{
    BEGIN;
    if (!n) {
        spin(5);
        thrown = now();
        longjmp(back, 1);
    }
    CALL;
    int r = jumper(n - 1);
    STAY;
    returns(me);
    return r;
}

F int lander(int n) /* the calls that are left have their frames right below */
{
    BEGIN;
    volatile int k = nclaims;
    if (!setjmp(back)) {
        CALL;
        jumper(n);
    }
    left(k, thrown, now());
    STAY;
    returns(me);
    return n;
}

static void jumps()
{
    for (volatile int i = 0; i < 200; i++) {
        volatile int k = nclaims;
        if (!setjmp(back)) {
            CALL;
            jumper(i % 5);
        }
        left(k, thrown, now());
        if (i % 2)
            leaf_below();
        CALL;
        leaf(i);
        CALL;
        lander(i % 3);
    }
}

F void handler(int)
{
    BEGIN;
    CALL;
    leaf(me);
    thrown = now();
    siglongjmp(sigback, 1);
}

static size_t frame_bytes; /* of a raiser */

F int raiser(int n)
{
    volatile char *room = (volatile char *)alloca(frame_bytes + 1);
    BEGIN;
    room[0] = 0;
    if (n) {
        CALL;
        raiser(n - 1);
    } else {
        CALL;
        raise(SIGUSR1);
    }
    STAY;
    returns(me);
    return n;
}

static void signals(bool alternate)
{
    struct sigaction sa = {};
    stack_t ss = {}, old;
    frame_bytes = alternate ? 50000 : 0; /* the stack grows */
    sa.sa_handler = handler;
    sa.sa_flags = alternate ? SA_ONSTACK : 0;
    static char memory[1 << 16];
    ss.ss_sp = memory;
    ss.ss_size = sizeof memory;
    if (alternate)
        sigaltstack(&ss, &old);
    sigaction(SIGUSR1, &sa, NULL);
    for (volatile int i = 0; i < 100; i++) {
        volatile int k = nclaims;
        if (!sigsetjmp(sigback, 1)) {
            CALL;
            raiser(i % 4);
        }
        left(k, thrown, now());
        CALL;
        leaf(i);
    }
    signal(SIGUSR1, SIG_DFL);
    if (alternate) {
        ss.ss_flags = SS_DISABLE;
        sigaltstack(&ss, NULL);
    }
}

/* ---- coroutines ------------------------------------------------------------------------ */

#define COROUTINE 49152 /* bytes; two of them are not so large that malloc() maps them */
static ucontext_t main_context, context[2];
static int jump_between;
static jmp_buf main_jump, jump[2];

static int64_t yielded[2], switched[2]; /* the bounds of the moment at which each was suspended */

static void yield(int me)
{
    yielded[me] = now();
    if (jump_between) {
        if (!setjmp(jump[me])) {
            on = 0;
            longjmp(main_jump, 1);
        }
    } else {
        on = 0;
        swapcontext(&context[me], &main_context);
    }
    on = 1 + me;
}

F int yielder(int me_, int n)
{
    BEGIN;
    if (n) {
        CALL;
        yielder(me_, n - 1);
    } else {
        yield(me_);
        CALL;
        leaf(n);
    }
    STAY;
    returns(me);
    return n;
}

static void coroutine(int which)
{
    on = 1 + which;
    for (;;) {
        CALL;
        yielder(which, 3);
    }
}

/* While coroutines are suspended, calls are made on the main stack too, which is below and above
 * them in memory. */
static void coroutines(char *memory, bool by_jump)
{
    int k = nclaims;
    jump_between = by_jump;
    for (int i = 0; i < 2; i++) {
        getcontext(&context[i]);
        context[i].uc_stack.ss_sp = memory + i * COROUTINE;
        context[i].uc_stack.ss_size = COROUTINE;
        makecontext(&context[i], (void (*)())coroutine, 1, i);
    }
    for (volatile int i = 0; i < 200; i++) {
        int to = i % 2;
        if (!by_jump) {
            swapcontext(&main_context, &context[to]);
        } else if (!setjmp(main_jump)) {
            if (i < 2)
                setcontext(&context[to]);
            else
                longjmp(jump[to], 1);
        }
        switched[to] = now();
        CALL;
        leaf(i);
    }
    for (int i = 0; i < 2; i++) { /* they stay suspended: their calls end when they were */
        on = 1 + i;
        left(k, yielded[i], switched[i]);
    }
    on = 0;
}

/* A mapping that the kernel cannot merge with another. */
static char *guarded(size_t n)
{
    char *at = (char *)mmap(NULL, n + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(at + 4096, n, PROT_READ | PROT_WRITE);
    return at + 4096;
}

/* ---- tail calls, and what no hook sees --------------------------------------------------- */

F int tail_b(int n)
{
    BEGIN;
    CALL;
    thrower(n);
    STAY;
    returns(me);
    return n;
}

F int tail_a(int n)
{
    int me = begin(__func__);
    CALL;
    claims[me].either = true; /* its exit is the jump, or that of what it jumps to */
    claims[me].end_after = now();
    return tail_b(n);
}

static void tails()
{
    for (int i = 0; i < 50; i++) {
        int k = nclaims;
        try {
            CALL;
            tail_a(i % 3);
        } catch (int) {
            left(k, thrown, now());
        }
        CALL;
        leaf(i);
    }
}

static void *place[5];

F int builtin_jumper(int n)
{
    BEGIN;
    if (!n) {
        thrown = now();
        __builtin_longjmp(place, 1);
    }
    CALL;
    int r = builtin_jumper(n - 1);
    STAY;
    returns(me);
    return r;
}

KEEP static void one_builtin(int i)
{
    if (!__builtin_setjmp(place)) {
        CALL;
        builtin_jumper(i % 5);
    }
}

static void builtins()
{
    for (volatile int i = 0; i < 50; i++) {
        volatile int k = nclaims;
        one_builtin(i);
        CALL;
        leaf(i);
        /* the call tells it */
        for (int c = k; c < nclaims - 1; c++)
            left(c, thrown, claims[nclaims - 1].before);
    }
}

F int once(int n)
{
    BEGIN;
    thrown = now();
    if (n >= 0)
        throw n;
    returns(me);
    return n;
}

static void many()
{
    for (int i = 0; i < 100000; i++) {
        int k = nclaims;
        try {
            CALL;
            once(i);
        } catch (int) {
            left(k, thrown, now());
        }
    }
}

F int hot(int n)
{
    STAY;
    return n + 1;
}

static void *hotter(void *)
{
    int n = 0;
    while (n < 300000)
        n = hot(n);
    fprintf(stderr, "hot %ld %d\n", syscall(SYS_gettid), n);
    return NULL;
}

static void busy()
{
    pthread_t t;
    pthread_create(&t, NULL, hotter, NULL);
    hotter(NULL);
    pthread_join(t, NULL);
}

/* A forked child is not probed, but runs into the hooks where it jumps, throws and ends. */
static void forked()
{
    int status;
    pid_t pid = fork();
    if (!pid) {
        jumps(), throws(), signals(true);
        exit(0);
    }
    if (waitpid(pid, &status, 0) != pid || status)
        puts("WRONG in the child");
    jumps();
}

static void wait_to_go()
{
    FILE *f = fopen("here.new", "w");
    fprintf(f, "%d\n", getpid());
    fclose(f);
    rename("here.new", "here");
    while (access("go", F_OK))
        usleep(1000);
}

static bool wants(int argc, char **argv, const char *what)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], what) ||
            (!strcmp(argv[i], "all") && strcmp(what, "stop") && strcmp(what, "go") &&
             strcmp(what, "hot") && strcmp(what, "sysexit")))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    claims = (struct claim *)mmap(NULL, MOST * sizeof *claims, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#define CASE(name) if (wants(argc, argv, name))
    CASE("go") wait_to_go();
    CASE("throw") throws();
    CASE("foreign") foreigners();
    CASE("exit") threads_end(false);
    CASE("cancel") threads_end(true);
    CASE("longjmp") jumps();
    CASE("siglongjmp") signals(false);
    CASE("altstack") signals(true);
    CASE("mapped") for (int j = 0; j < 2; j++) coroutines(guarded(2 * COROUTINE), j);
    CASE("heap") for (int j = 0; j < 2; j++) coroutines((char *)malloc(2 * COROUTINE), j);
    CASE("tail") tails();
    CASE("builtin") builtins();
    CASE("many") many();
    CASE("fork") forked();
    CASE("sysexit") by_syscall = 1, threads_end(false), usleep(300000);
    CASE("hot") busy();
    CASE("stop") while (access("stop", F_OK)) jumps(), nclaims = 0;
    now();
    for (int i = 0; i < nclaims; i++)
        fprintf(stderr, "call %d %s %lld %lld %lld %lld %s\n", claims[i].tid, claims[i].function,
                (long long)claims[i].after, (long long)claims[i].before,
                (long long)claims[i].end_after, (long long)claims[i].end_before,
                claims[i].either    ? "either"
                : claims[i].unwound ? "unwound"
                                    : "returned");
    puts("right");
    return 0;
}
