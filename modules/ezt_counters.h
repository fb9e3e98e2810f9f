/* SPDX-License-Identifier: MIT */
/* ezt_counters.h - what the calling thread has used so far: the command COUNTERS of scripts.
 *
 * Counters of the hardware by libpapi, if it is there and counts any of the events that the
 * environment variable EZT_COUNTERS or else the script names; if not, what the kernel says by
 * getrusage and the thread's own clock. Which it is, is decided once in a process, by the constructor below, on
 * an event set that counts: so the words of samples have names from the first one on
 * (EZT_WORDS_FROM), and the shell says what is not counted (EZT_SAYS). libpapi is looked for at run time
 * (EZT_PAPI: another file), so a module does not need it.
 *
 * Each thread has an event set of its own, from its first sample to its end. A thread for which that fails
 * has no samples, and one event that says why. A forked child begins anew: its parent's sets are dead.
 * libpapi calls malloc, read, locks: who calls ezt_counters() is guarded by ezt_enter() (scripts'
 * functions are). A signal handler in the midst of a sample takes none. Events are not multiplexed:
 * what the processor has no counter for is not counted.
 *
 * The kernel's counters take 0.7 us a sample. No descriptor is opened in the program for them, and no
 * permission is needed. Whether the thread has changed its processor is seen from one sample to the
 * next: two changes between them count as one, or as none.
 *
 * One file of a module includes this. Test: tests/procs/papi.sh */
#ifndef EZT_COUNTERS_H
#define EZT_COUNTERS_H

#include <dlfcn.h>
#include <errno.h>
#include <ezt_probe.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#ifndef RUSAGE_THREAD /* without _GNU_SOURCE */
#define RUSAGE_THREAD 1
extern int sched_getcpu(void);
#endif

#ifndef EZT_COUNTERS_EVENTS
#define EZT_COUNTERS_EVENTS "PAPI_TOT_INS PAPI_TOT_CYC PAPI_L2_TCM"
#endif
#define EZT_COUNTERS_MOST 16
#define EZT_COUNTERS_NAME 128

/* The event that a thread whose counters fail has once. */
EZT_EVENT(0xffff, "event", "thread", "no counters")
EZT_WORDS(0xffff, "why:text")

/* "name:uint name:uint ..." of a sample: EZT_WORDS_FROM(number, ezt_counters_words). */
char ezt_counters_words[1024] EZT_ORIG =
    "task-clock:uint page-faults:uint context-switches:uint migrations:uint";
char ezt_counters_said[1024] EZT_ORIG;
EZT_SAYS(ezt_counters_said)

/* Of papi.h, what is used here: it need not be there when a module is compiled. */
static union {
    void *symbol[11];
    struct {
        int (*library_init)(int version);
        int (*thread_init)(unsigned long (*id)(void));
        char *(*strerror)(int error);
        int (*create_eventset)(int *set);
        int (*add_named_event)(int set, const char *name);
        int (*start)(int set);
        int (*read)(int set, long long *value);
        int (*stop)(int set, long long *value);
        int (*cleanup_eventset)(int set);
        int (*destroy_eventset)(int *set);
        int (*unregister_thread)(void);
    } call;
} ezt_papi;

static struct {
    unsigned n; /* events; 0 = there are counters of the kernel alone */
    char name[EZT_COUNTERS_MOST][EZT_COUNTERS_NAME];
    int version;      /* of libpapi                                     */
    unsigned process; /* 1, in a child 2, in its child 3                */
    int forked;       /* libpapi must begin anew                        */
    char lock;        /* no thread is half in an event set when another one forks */
    pthread_key_t end;
} ezt_counted;

static __thread struct {
    int set;          /* -1 = it has none, and gets none   */
    unsigned process; /* in which `set` was made; 0 = none */
    int busy;
    uint32_t cpu, moves; /* cpu 0 = none was seen yet */
} ezt_counters_me __attribute__((tls_model("initial-exec")));

/* ---- libpapi ----------------------------------------------------------------------------- */

static void ezt_counters_lock(void)
{
    while (__atomic_test_and_set(&ezt_counted.lock, __ATOMIC_ACQUIRE))
        sched_yield();
}
static void ezt_counters_unlock(void)
{
    __atomic_clear(&ezt_counted.lock, __ATOMIC_RELEASE);
}

__attribute__((format(printf, 1, 2))) static void ezt_counters_say(const char *fmt, ...)
{
    size_t n = strlen(ezt_counters_said);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(ezt_counters_said + n, sizeof ezt_counters_said - n, fmt, ap);
    va_end(ap);
}

/* NULL; what there is to say was said. */
static void *ezt_counters_library(void)
{
    static const char *const found[] = { "libpapi.so.7",   "libpapi.so.7.2", "libpapi.so.7.1",
                                         "libpapi.so.7.0", "libpapi.so.6",   "libpapi.so.6.0",
                                         "libpapi.so.5",   "libpapi.so.5.7", "libpapi.so" };
    const char *given = getenv("EZT_PAPI");
    unsigned n = given ? 1 : sizeof found / sizeof *found;
    for (unsigned i = 0; i < n; i++) {
        const char *name = given ? given : found[i];
        if (*name && dlopen(name, RTLD_NOW | RTLD_NOLOAD)) {
            ezt_counters_say("%s is in use already, and a thread has one set of counters", name);
            return NULL;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        const char *name = given ? given : found[i];
        void *library = *name ? dlopen(name, RTLD_NOW) : NULL;
        if (library)
            return library;
    }
    ezt_counters_say("no libpapi%s%s", given && *given ? ", EZT_PAPI is " : "", given ? given : "");
    return NULL;
}

static int ezt_counters_symbols(void *library)
{
    static const char *const name[] = { "library_init",
                                        "thread_init",
                                        "strerror",
                                        "create_eventset",
                                        "add_named_event",
                                        "start",
                                        "read",
                                        "stop",
                                        "cleanup_eventset",
                                        "destroy_eventset",
                                        "unregister_thread" };
    for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
        char full[40];
        snprintf(full, sizeof full, "PAPI_%s", name[i]);
        ezt_papi.symbol[i] = dlsym(library, full);
        if (!ezt_papi.symbol[i]) {
            ezt_counters_say("libpapi has no %s", full);
            return 0;
        }
    }
    return 1;
}

/* libpapi begins only with its own version, which it does not tell before. */
static int ezt_counters_version(void)
{
    int e = 0;
    for (int v = 5 << 8; v < 9 << 8; v += (v & 15) == 15 ? 256 - 15 : 1) {
        e = ezt_papi.call.library_init(v << 16);
        if (e > 0) {
            ezt_counted.version = e;
            return 1;
        }
    }
    ezt_counters_say("libpapi does not begin: %s", ezt_papi.call.strerror(e));
    return 0;
}

/* ---- event sets -------------------------------------------------------------------------- */

static unsigned long ezt_counters_thread(void)
{
    return (unsigned long)pthread_self();
}

static void ezt_counters_close(int set)
{
    long long value[EZT_COUNTERS_MOST];
    ezt_papi.call.stop(set, value);
    ezt_papi.call.cleanup_eventset(set);
    ezt_papi.call.destroy_eventset(&set);
}

/* An event set of this thread that counts: 0, or libpapi's error. The lock is held. */
static int ezt_counters_open(void)
{
    int set = -1, e = 0;
    ezt_counters_me.set = -1;
    ezt_counters_me.process = ezt_counted.process;
    if (ezt_counted.forked) {
        e = ezt_papi.call.library_init(ezt_counted.version);
        e = e < 0 ? e : ezt_papi.call.thread_init(ezt_counters_thread);
        ezt_counted.forked = e != 0;
    }
    if (!e)
        e = ezt_papi.call.create_eventset(&set);
    for (unsigned i = 0; !e && i < ezt_counted.n; i++)
        e = ezt_papi.call.add_named_event(set, ezt_counted.name[i]);
    if (!e)
        e = ezt_papi.call.start(set);
    if (e && set != -1)
        ezt_counters_close(set);
    if (e)
        return e;
    ezt_counters_me.set = set;
    pthread_setspecific(ezt_counted.end, &ezt_counted);
    return 0;
}

static void ezt_counters_end(void *unused)
{
    struct ezt_frame f;
    int guarded = ezt_rt.enter && ezt_enter(&f);
    (void)unused;
    ezt_counters_me.busy = 1; /* what else the thread does at its end is not counted */
    if (ezt_counters_me.set != -1 && ezt_counters_me.process == ezt_counted.process) {
        ezt_counters_lock();
        ezt_counters_close(ezt_counters_me.set);
        ezt_papi.call.unregister_thread();
        ezt_counters_unlock();
    }
    if (guarded)
        ezt_leave(&f);
}

static void ezt_counters_fork(void)
{
    if (!ezt_counters_me.busy) /* a handler in the midst of a sample has the lock, perhaps */
        ezt_counters_lock();
}
static void ezt_counters_parent(void)
{
    if (!ezt_counters_me.busy)
        ezt_counters_unlock();
}
static void ezt_counters_child(void)
{
    ezt_counters_parent();
    ezt_counted.process++;
    ezt_counted.forked = 1;
}

/* ---- what is counted --------------------------------------------------------------------- */

/* Events that can be counted together, by asking for each. */
static void ezt_counters_try(int set, const char *name, size_t n)
{
    char *to = ezt_counted.name[ezt_counted.n];
    for (unsigned i = 0; i < ezt_counted.n; i++)
        if (strlen(ezt_counted.name[i]) == n && !memcmp(ezt_counted.name[i], name, n))
            return;
    if (ezt_counted.n == EZT_COUNTERS_MOST || n >= EZT_COUNTERS_NAME) {
        ezt_counters_say("%snot %.*s (%s)", *ezt_counters_said ? ", " : "", (int)n, name,
                         n < EZT_COUNTERS_NAME ? "there are 16 already" : "the name is too long");
        return;
    }
    memcpy(to, name, n);
    to[n] = 0;
    int e = ezt_papi.call.add_named_event(set, to);
    if (e)
        ezt_counters_say("%snot %s (%s)", *ezt_counters_said ? ", " : "", to,
                         ezt_papi.call.strerror(e));
    else
        ezt_counted.n++;
}

static int ezt_counters_choose(void)
{
    const char *list = getenv("EZT_COUNTERS");
    int set = -1, e = ezt_papi.call.thread_init(ezt_counters_thread);
    e = e ? e : ezt_papi.call.create_eventset(&set);
    if (e) {
        ezt_counters_say("libpapi makes no event set: %s", ezt_papi.call.strerror(e));
        return 0;
    }
    list = list && *list ? list : EZT_COUNTERS_EVENTS;
    for (size_t n; *(list += strspn(list, ", ")); list += n) {
        n = strcspn(list, ", ");
        ezt_counters_try(set, list, n);
    }
    ezt_papi.call.cleanup_eventset(set);
    ezt_papi.call.destroy_eventset(&set);
    return ezt_counted.n > 0;
}

/* Names of words have no colons, as events of processors have: "perf::CYCLES" is perf..CYCLES. */
static void ezt_counters_describe(void)
{
    size_t n = 0;
    for (unsigned i = 0; i < ezt_counted.n; i++) {
        char word[32];
        snprintf(word, sizeof word, "%s", ezt_counted.name[i]);
        for (char *p = word; *p; p++)
            if (!(*p >= 'a' && *p <= 'z') && !(*p >= 'A' && *p <= 'Z') &&
                !(*p >= '0' && *p <= '9') && *p != '_' && *p != '-')
                *p = '.';
        n += (size_t)snprintf(ezt_counters_words + n, sizeof ezt_counters_words - n, "%s%s:uint",
                              i ? " " : "", word);
    }
}

/* Does this thread's event set begin? The thread may be one that exists for the loading alone. */
static int ezt_counters_begin(void)
{
    ezt_counted.process = 1;
    if (pthread_key_create(&ezt_counted.end, ezt_counters_end)) {
        ezt_counters_say("the program has no thread-specific key left");
        return 0;
    }
    int e = ezt_counters_open();
    if (!e)
        e = pthread_atfork(ezt_counters_fork, ezt_counters_parent, ezt_counters_child);
    else
        ezt_counters_say("libpapi counts nothing: %s", ezt_papi.call.strerror(e));
    return !e;
}

__attribute__((constructor)) static void ezt_counters_prepare(void)
{
    int was = errno;
    void *library = ezt_counters_library();
    if (library && ezt_counters_symbols(library) && ezt_counters_version() &&
        ezt_counters_choose() && ezt_counters_begin()) {
        ezt_counters_describe();
    } else {
        ezt_counted.n = 0;
        ezt_counters_say("; the kernel's counters are sampled instead");
    }
    errno = was;
}

/* ---- a sample ---------------------------------------------------------------------------- */

static void ezt_counters_hardware(uint32_t event)
{
    long long now[EZT_COUNTERS_MOST] = { 0 };
    uint64_t word[EZT_COUNTERS_MOST];
    int e = 0;
    if (ezt_counters_me.process != ezt_counted.process) {
        ezt_counters_lock();
        e = ezt_counters_open();
        ezt_counters_unlock();
    } else if (ezt_counters_me.set == -1) {
        return;
    }
    if (!e)
        e = ezt_papi.call.read(ezt_counters_me.set, now);
    if (e) {
        ezt_counters_me.set = -1;
        ezt_event_text(0xffff, ezt_papi.call.strerror(e));
        return;
    }
    for (unsigned i = 0; i < ezt_counted.n; i++)
        word[i] = (uint64_t)now[i];
    ezt_event(event, ezt_counted.n, word);
}

static void ezt_counters_kernel(uint32_t event)
{
    uint32_t cpu = (uint32_t)sched_getcpu() + 1;
    struct rusage used;
    struct timespec ran;
    getrusage((__typeof__(RUSAGE_SELF))RUSAGE_THREAD, &used);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
    if (ezt_counters_me.cpu && ezt_counters_me.cpu != cpu)
        ezt_counters_me.moves++;
    ezt_counters_me.cpu = cpu;
    ezt_event4(event, (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec,
               (uint64_t)(used.ru_minflt + used.ru_majflt),
               (uint64_t)(used.ru_nvcsw + used.ru_nivcsw), ezt_counters_me.moves);
}

/* `event`: a "sample". The guard (ezt_enter) is on. */
static inline void ezt_counters(uint32_t event)
{
    int was = errno;
    if (ezt_counters_me.busy)
        return;
    ezt_counters_me.busy = 1;
    if (ezt_counted.n)
        ezt_counters_hardware(event);
    else
        ezt_counters_kernel(event);
    ezt_counters_me.busy = 0;
    errno = was;
}

#endif
