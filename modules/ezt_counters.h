/* SPDX-License-Identifier: MIT */
/* ezt_counters.h - counters of the calling thread: the command COUNTERS of scripts.
 *
 * libpapi counts hardware events, if it is installed and can count at least one of the events that
 * are named in the environment variable EZT_COUNTERS or, without it, in the script. Otherwise the
 * counters are those of getrusage and of the thread's CPU clock. A constructor of the module
 * decides once in each process which counters to use, by starting an event set. So the words of
 * samples have their names before the first sample (EZT_WORDS_FROM), and the shell reports events
 * that are not counted (EZT_SAYS). libpapi is loaded at run time (EZT_PAPI names another file), so
 * a module does not depend on it.
 *
 * Each thread has its own event set, from its first sample to its end. If starting the set fails,
 * the thread has no samples, but one event with the reason. A forked child starts over, because its
 * parent's sets are invalid in it.
 *
 * libpapi calls malloc, calls read, and takes locks. So callers of ezt_counters() must be guarded
 * by ezt_enter(), as the functions of scripts are. A signal handler that interrupts a sample takes
 * no sample itself. Events are not multiplexed: if the processor has no free counter for an event,
 * the event is not counted.
 *
 * A sample of the kernel's counters takes 0.7 us, opens no descriptor in the program, and needs no
 * permission. A migration is detected by comparing the processor numbers of two samples: two
 * migrations between the samples count as one, or as none.
 *
 * One file of a module includes this.
 * Tests: tests/procs/papi.sh */
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

#ifndef RUSAGE_THREAD /* defined by the system only with _GNU_SOURCE */
#define RUSAGE_THREAD 1
extern int sched_getcpu(void);
#endif

#ifndef EZT_COUNTERS_EVENTS
#define EZT_COUNTERS_EVENTS "PAPI_TOT_INS PAPI_TOT_CYC PAPI_L2_TCM"
#endif
#define EZT_COUNTERS_MOST 16
#define EZT_COUNTERS_NAME 128

/* Recorded once, by a thread that cannot count. */
EZT_EVENT(0xffff, "event", "thread", "no counters")
EZT_WORDS(0xffff, "why:text")

/* The words of a sample, "name:uint name:uint ...", for EZT_WORDS_FROM(number,
 * ezt_counters_words). */
char ezt_counters_words[1024] EZT_ORIG =
    "task-clock:uint page-faults:uint context-switches:uint migrations:uint";
char ezt_counters_said[1024] EZT_ORIG;
EZT_SAYS(ezt_counters_said)

/* The functions of papi.h that are used here. papi.h itself need not be installed. */
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
    unsigned n; /* number of events; 0: only the kernel's counters */
    char name[EZT_COUNTERS_MOST][EZT_COUNTERS_NAME];
    int version; /* version of libpapi */
    /* generation of the process: 1; 2 in a forked child; 3 in a child of that child */
    unsigned process;
    int forked; /* the process was forked, so libpapi must be initialized again */
    char lock;  /* while a thread changes an event set, no other thread can fork */
    pthread_key_t end;
} ezt_counted;

static __thread struct {
    int set;          /* event set; -1 = none, and no further attempt */
    unsigned process; /* generation in which `set` was made; 0 = none */
    int busy;
    uint32_t cpu, moves; /* cpu: processor at the last sample, + 1, 0 = no sample yet; moves:
                          * migrations seen */
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

/* Loads libpapi. Returns NULL after noting the reason for EZT_SAYS. */
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

/* Finds the version that libpapi accepts: only its own, which is not known in advance. Returns 0 if
 * it accepts none. */
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

/* Starts an event set of this thread. Returns 0, or libpapi's error. The lock must be held, except
 * while the module is loaded. */
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
    int guarded = ezt_enter(&f);
    (void)unused;
    /* The flag stays set, so that no sample is taken while the thread ends. */
    ezt_counters_me.busy = 1;
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
    /* If a signal handler that interrupted a sample calls fork(), the sample may hold the lock, so
     * the lock is not taken here. */
    if (!ezt_counters_me.busy)
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

/* ---- choosing events --------------------------------------------------------------------- */

/* Adds an event to the set, if libpapi can count the event together with the events in the set. */
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

/* Writes the names of the words. Names of events may have colons, which names of words cannot:
 * "perf::CYCLES" becomes perf..CYCLES. */
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

/* Starts this thread's event set. Returns 1 if libpapi counts. (The thread may exist only to load
 * the module.) */
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

/* Takes a sample: records event number `event`, a "sample" event. The caller is guarded by
 * ezt_enter(). */
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
