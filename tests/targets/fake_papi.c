/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_papi.c - a libpapi whose counters are known: those of a thread are multiples of the work that
 * p_papi says it has done. It is as strict as the real one: its version, a set of each thread, nothing
 * from before a fork; and it calls malloc, locks and read, as the real one does.
 *
 * FAKE_PAPI_NONE: no event can be counted. FAKE_PAPI_LATE: PAPI_start fails in all threads but the first.
 * FAKE_PAPI_LOG: at the end, how many sets were made and not destroyed, and what was called wrongly. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERSION (7 << 24 | 3 << 16)
#define OK 0
#define EINVAL_ (-1)
#define EISRUN (-10)
#define ENOTRUN (-9)
#define ENOEVST (-11)
#define ENOEVNT (-7)
#define ECNFLCT (-8)
#define ENOINIT (-16)
#define SETS 4096

static struct set {
    int n, event[16], running;
    unsigned long owner;
    long begin; /* the thread's work at PAPI_start */
} sets[SETS];
static int made, alive, wrong, process;
static unsigned long (*id)(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long (*work)(void);

static void as_the_real_one(void)
{
    char byte;
    int fd = open("/dev/zero", O_RDONLY);
    char *volatile p = malloc(100);
    if (read(fd, &byte, 1) != 1)
        abort();
    free(p);
    close(fd);
}

static void leave(void)
{
    const char *path = getenv("FAKE_PAPI_LOG");
    int fd = path && process == getpid() ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0644) : -1;
    if (fd < 0)
        return;
    char line[100];
    int n = snprintf(line, sizeof line, "made %d left %d wrong %d\n", made, alive, wrong);
    if (write(fd, line, (size_t)n) != n)
        abort();
    close(fd);
}

int PAPI_library_init(int version)
{
    if (version != VERSION)
        return EINVAL_;
    if (process != getpid()) {
        if (!process)
            atexit(leave);
        process = getpid();
        memset(sets, 0, sizeof sets);
        made = alive = 0;
        id = NULL;
    }
    work = (long (*)(void))dlsym(RTLD_DEFAULT, "p_work_done");
    return VERSION;
}

int PAPI_thread_init(unsigned long (*fn)(void))
{
    id = fn;
    return process == getpid() ? OK : ENOINIT;
}

char *PAPI_strerror(int e)
{
    static char *text[] = { "fine",
                            "Invalid argument",
                            "",
                            "",
                            "",
                            "",
                            "",
                            "Event does not exist",
                            "Event exists, but cannot be counted",
                            "not running",
                            "EventSet is currently counting",
                            "No such EventSet",
                            "",
                            "",
                            "",
                            "",
                            "not initialized" };
    return e <= 0 && e >= -16 ? text[-e] : "?";
}

static struct set *set_of(int set, int *e)
{
    *e = process != getpid() || !id                   ? ENOINIT
         : set < 0 || set >= SETS || !sets[set].owner ? ENOEVST
         : sets[set].owner != id()                    ? ENOEVST
                                                      : OK;
    if (*e)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    return *e ? NULL : &sets[set];
}

int PAPI_create_eventset(int *set)
{
    if (process != getpid() || !id || *set != -1) {
        wrong++;
        return ENOINIT;
    }
    as_the_real_one();
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SETS && *set < 0; i++)
        if (!sets[i].owner) {
            sets[i] = (struct set){ .owner = id() };
            *set = i;
            made++;
            alive++;
        }
    pthread_mutex_unlock(&lock);
    return OK;
}

/* Event i counts 10^(3i) for each unit of work; four are known, and three fit. */
int PAPI_add_named_event(int set, const char *name)
{
    static const char *const known[] = { "PAPI_TOT_CYC", "PAPI_TOT_INS", "perf::CACHE-MISSES:u",
                                         "PAPI_BR_INS" };
    int e;
    struct set *s = set_of(set, &e);
    as_the_real_one();
    for (int i = 0; s && i < 4; i++)
        if (!strcmp(known[i], name) && !getenv("FAKE_PAPI_NONE")) {
            if (s->n == 3)
                return ECNFLCT;
            s->event[s->n++] = i;
            return OK;
        }
    return e ? e : ENOEVNT;
}

int PAPI_start(int set)
{
    int e;
    struct set *s = set_of(set, &e);
    for (int i = 0; s && i < SETS; i++)
        if (sets[i].owner == s->owner && sets[i].running)
            return EISRUN;
    if (s && getenv("FAKE_PAPI_LATE") && gettid() != getpid())
        return ECNFLCT;
    if (!s)
        return e;
    s->running = 1;
    s->begin = work ? work() : 0;
    return OK;
}

int PAPI_read(int set, long long *value)
{
    int e;
    struct set *s = set_of(set, &e);
    as_the_real_one();
    for (int i = 0; s && i < s->n; i++) {
        value[i] = (work ? work() : 0) - s->begin;
        for (int k = 0; k < 3 * s->event[i]; k++)
            value[i] *= 10;
    }
    return s && !s->running ? ENOTRUN : e;
}

int PAPI_stop(int set, long long *value)
{
    int e = PAPI_read(set, value);
    if (!e)
        sets[set].running = 0;
    return e;
}

int PAPI_cleanup_eventset(int set)
{
    int e;
    struct set *s = set_of(set, &e);
    if (s && s->running)
        return EISRUN;
    if (s)
        s->n = 0;
    return e;
}

int PAPI_destroy_eventset(int *set)
{
    int e;
    struct set *s = set_of(*set, &e);
    if (!s || s->n || s->running)
        return e ? e : EINVAL_;
    pthread_mutex_lock(&lock);
    s->owner = 0;
    alive--;
    pthread_mutex_unlock(&lock);
    *set = -1;
    return OK;
}

int PAPI_unregister_thread(void)
{
    return process == getpid() ? OK : ENOINIT;
}
