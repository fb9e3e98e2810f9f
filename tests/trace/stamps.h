/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stamps.h - for programs of analyze.sh: what a program knows of its own waits.
 *
 * STAMP() calls a function, and notes the time (CLOCK_MONOTONIC) before and after the call with words that say what
 * the call is. stamps_write() writes the notes into a file, one line each: PHASE TID BEFORE AFTER WORDS. waits.py finds
 * from the lines of all processes who waited for whom. Notes stay in memory until then. */
#ifndef STAMPS_H
#define STAMPS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STAMPS_MOST = 2000, STAMP_LENGTH = 160 };
static char stamp_text[STAMPS_MOST][STAMP_LENGTH];
static unsigned stamps;
static const char *stamp_phase = "main";
static __thread int stamp_tid;

static long long stamp_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((format(printf, 3, 4), unused)) static void
stamp_note(long long before, long long after, const char *format, ...)
{
    unsigned i = __atomic_fetch_add(&stamps, 1, __ATOMIC_RELAXED);
    va_list ap;
    if (i >= STAMPS_MOST)
        abort();
    if (!stamp_tid)
        stamp_tid = (int)syscall(SYS_gettid);
    int n = snprintf(stamp_text[i], STAMP_LENGTH, "%s %d %lld %lld ", stamp_phase, stamp_tid,
                     before, after);
    va_start(ap, format);
    n += vsnprintf(stamp_text[i] + n, STAMP_LENGTH - (size_t)n, format, ap);
    va_end(ap);
    if (n >= STAMP_LENGTH)
        abort();
}

/* STAMP(CALL, FORMAT, ...): makes the call, and notes it. */
#define STAMP(call, ...)                                                                           \
    do {                                                                                           \
        long long stamp_before = stamp_now(), stamp_after;                                         \
        call;                                                                                      \
        stamp_after = stamp_now();                                                                 \
        stamp_note(stamp_before, stamp_after, __VA_ARGS__);                                        \
    } while (0)

/* Defines a function work_NAME(ms) that sleeps. The programs are compiled without optimization: nothing is inlined. */
#define WORK(name)                                                                                 \
    __attribute__((unused)) static void work_##name(int ms)                                        \
    {                                                                                              \
        struct timespec t = { 0, ms * 1000000L };                                                  \
        nanosleep(&t, NULL);                                                                       \
    }
#define DO(name, ms) STAMP(work_##name(ms), "work name=%s nominal=%d", #name, ms)

/* Touches the memory, so that no note waits for the kernel. */
static inline void stamps_begin(void)
{
    memset(stamp_text, 1, sizeof stamp_text);
    stamp_note(stamp_now(), stamp_now(), "none");
}

static inline void stamps_write(int rank)
{
    char name[32];
    snprintf(name, sizeof name, "stamps.%d", rank);
    FILE *f = fopen(name, "w");
    for (unsigned i = 0; f && i < stamps; i++)
        fprintf(f, "%s\n", stamp_text[i]);
    if (f)
        fclose(f);
}

#endif
