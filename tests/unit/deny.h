/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deny.h - the system denies something: a program that is linked with -Wl,--wrap=CALL for each
 * CALL that it names by EZ_DENIED has deny("CALL", N, ERRNO) make the Nth of them fail from now
 * on, once; 0 = each. Included by one file of a program. */
#ifndef TESTS_DENY_H
#define TESTS_DENY_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static struct {
    const char *call;
    int nth, errnum, seen, times; /* times: how many calls fail, from the Nth on    */
} denied;

static inline void deny(const char *call, int nth, int errnum)
{
    denied.call = call;
    denied.nth = nth;
    denied.errnum = errnum;
    denied.seen = 0;
    denied.times = 1;
}

static inline void deny_nothing(void)
{
    denied.call = NULL;
}

static inline bool is_denied(const char *call)
{
    if (!denied.call || strcmp(denied.call, call))
        return false;
    denied.seen++;
    if (denied.nth && (denied.seen < denied.nth || denied.seen >= denied.nth + denied.times))
        return false;
    errno = denied.errnum;
    return true;
}

/* Only such calls of which `which` is true. */
#define EZ_DENIED(type, call, params, args, failed)                                                \
    EZ_DENIED_IF(true, type, call, params, args, failed)
#define EZ_DENIED_IF(which, type, call, params, args, failed)                                      \
    type __real_##call params;                                                                     \
    type __wrap_##call params;                                                                     \
    type __wrap_##call params                                                                      \
    {                                                                                              \
        return (which) && is_denied(#call) ? (failed) : __real_##call args;                        \
    }

#endif
