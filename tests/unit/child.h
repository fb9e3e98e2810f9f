/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - for Check programs that drive the engine on a child of their own, a fork: functions
 * and data have the same addresses in both, and `s` is memory of both. What the engine reports is
 * kept in `heard`. Included by one file of a program. */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <time.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "tests/unit/process.h"
#include "engine/inferior/thread.h"

#define CALLED 65 /* signals */
struct shared {
    _Atomic int ready; /* so many threads have begun                     */
    volatile int go;
    volatile unsigned long beat[8]; /* of threads that work                         */
    volatile int times[CALLED];     /* a signal's handler ran                       */
    volatile int code[CALLED], value[CALLED];
    volatile long result[16], error[16], word[16];
};
static struct shared *s;
static pid_t child;
static struct ez_event heard[256];
static size_t nheard;

static void on_any(int sig, siginfo_t *si, void *context)
{
    (void)context;
    s->code[sig] = si->si_code;
    s->value[sig] = si->si_value.sival_int;
    s->times[sig]++;
}

static inline void handle(int sig)
{
    struct sigaction sa = { .sa_sigaction = on_any, .sa_flags = SA_SIGINFO };
    sigfillset(&sa.sa_mask);
    sigaction(sig, &sa, NULL);
}

static inline void work(int i)
{
    for (s->ready++; !s->go;)
        s->beat[i]++;
}

/* Start a child that runs `body`, and wait until `ready` of its threads have begun. */
static void begin(void (*body)(void), int ready)
{
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(s, MAP_FAILED);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        signal(SIGALRM, SIG_DFL); /* Check's */
        body();
        _exit(0);
    }
    outlived_by_none(child);
    while (s->ready < ready)
        usleep(100);
}

static void attach(void)
{
    must(ez_target_create(&t));
    t->set.trace_auto = false;
    must(ez_attach(t, child, false));
    ck_assert_int_eq(ez_target_state(t), EZ_STOPPED);
}

/* Take the events that there are; wait at most `ms` milliseconds if there are none. */
static void hear(int ms)
{
    struct pollfd fd[4];
    struct ez_event ev;
    poll(fd, ez_poll_fds(t, fd, 4), ms);
    while (ez_next_event(t, &ev)) {
        ck_assert_uint_lt(nheard, EZ_ARRAY_LEN(heard));
        heard[nheard++] = ev; /* the process ends soon: texts are not freed */
    }
}

#define UNTIL(condition)                                                                           \
    do {                                                                                           \
        int tries_ = 0;                                                                            \
        while (!(condition)) {                                                                     \
            hear(5);                                                                               \
            ck_assert_msg(tries_++ < 6000, "%s: does not come", #condition);                       \
        }                                                                                          \
    } while (0)

/* The newest event of that kind; NULL = none. */
static inline const struct ez_event *last(enum ez_event_kind kind)
{
    for (size_t i = nheard; i-- > 0;)
        if (heard[i].kind == kind)
            return &heard[i];
    return NULL;
}

static inline bool noted(const char *text)
{
    for (size_t i = 0; i < nheard; i++)
        if (heard[i].text && !strcmp(heard[i].text, text))
            return true;
    return false;
}

/* A line of /proc/PID/task/TID/status: a number, in hexadecimal where the kernel writes so. */
static inline unsigned long status_line(pid_t pid, pid_t tid, const char *format)
{
    unsigned long v = 0;
    char path[64], line[256];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, tid);
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, format, &v) == 1;
    if (f)
        fclose(f);
    ck_assert_msg(found, "no line %s", format);
    return v;
}

static inline unsigned long status_of(pid_t tid, const char *format)
{
    return status_line(child, tid, format);
}

static inline bool pends(int sig)
{
    return (status_of(child, "SigPnd: %lx") | status_of(child, "ShdPnd: %lx")) >> (sig - 1) & 1;
}

static inline void send_value(int sig, int value)
{
    ck_assert_int_eq(sigqueue(child, sig, (union sigval){ .sival_int = value }), 0);
}

/* Assert that each of the child's first n threads goes on working. */
static inline void works(int n)
{
    for (int i = 0; i < n; i++) {
        unsigned long was = s->beat[i];
        UNTIL(s->beat[i] > was + 1000);
    }
}

/* Assert that the child ends by itself with status 0, as the engine or its parent sees it. */
static inline void ends_well(void)
{
    int status = -1;
    s->go = 1;
    if (t && t->inf.state != EZ_NONE && t->inf.seized) {
        UNTIL(t->inf.state == EZ_NONE);
        const struct ez_event *ev = last(EZ_EV_EXITED);
        ck_assert_ptr_nonnull(ev);
        ck_assert_int_eq(ev->status, 0);
    } else {
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    if (t)
        close_target();
}

static inline struct ez_thread *only(void)
{
    ck_assert_uint_eq(t->inf.thread.n, 1);
    return t->inf.thread.at[0];
}

static inline struct user_regs_struct regs_of(struct ez_thread *th)
{
    struct user_regs_struct u;
    struct ez_regs *r;
    th->regs_known = false;
    must(ez_thread_regs(th, &r));
    memcpy(&u, r, sizeof u);
    return u;
}

static inline void set_regs(struct ez_thread *th, const struct user_regs_struct *u)
{
    struct ez_regs r = { 0 };
    memcpy(&r, u, sizeof *u);
    must(ez_thread_set_regs(th, &r));
}

static inline void with_handlers(void)
{
    handle(SIGUSR1);
    handle(SIGUSR2);
    handle(SIGCONT);
    handle(SIGRTMIN + 1);
    work(0);
}

static inline void with_all_handlers(void)
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

static inline void step(struct ez_thread *th, bool wanted)
{
    bool trapped;
    must(ez_thread_step(t, th, &trapped, "test"));
    ck_assert_msg(trapped == wanted, "%s, with signal %d (%d)", trapped ? "trapped" : "no trap",
                  th->sig, th->info.si_code);
}

#endif
