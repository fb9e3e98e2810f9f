/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaks.h - tests that memory and descriptors are given back; malloc counts the memory. */
#ifndef TESTS_LEAKS_H
#define TESTS_LEAKS_H

#include <check.h>
#include <dirent.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/base.h"

/* The bytes that malloc gave out, by glibc's count. 0 with another libc, and under a sanitizer, which
 * finds leaks itself. */
static inline size_t memory_taken(void)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
#else
    return 0;
#endif
}

static inline size_t files_open_of(int pid) /* 0 = our own, with the one that lists them */
{
    size_t n = 0;
    char path[32] = "/proc/self/fd";
    if (pid)
        snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *d = opendir(path);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static inline size_t files_open(void)
{
    return files_open_of(0);
}

/* A leak of even a small block in `once` shows in every round. The first rounds do not count, for
 * they fill malloc's caches. */
static inline void gives_back(void (*once)(void *), void *arg, size_t times)
{
    const size_t least = 24 * times;
    size_t before, more = least;
    once(arg);
    size_t files = files_open();
    for (int round = 0; round < 20 && more >= least; round++) {
        before = memory_taken();
        for (size_t i = 0; i < times; i++)
            once(arg);
        size_t now = memory_taken();
        more = now > before ? now - before : 0;
    }
    ck_assert_msg(more < least, "%zu bytes in %zu times", more, times);
    ck_assert_uint_eq(files_open(), files);
}

#endif
