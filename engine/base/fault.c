/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.c - injects failures as EZ_FAULT says (fault.h).
 * Tests: all that set EZ_FAULT, mainly tests/procs/sweep.sh. */
#include "engine/base/fault.h"

#include "config.h"

#ifdef EZ_FAULT_INJECTION

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/err.h"

struct plan { /* the parsed EZ_FAULT */
    char site[24], what[16];
    long nth;
    /* value that ez_fault() returns for the pass that fails; 0: EZ_FAULT is not set or wrong */
    int fails;
};

/* set by ez_fault_next(): number of ptrace calls up to the one that fails; 0 = no call fails */
static __thread unsigned long until;
static long seen;  /* number of passes of EZ_FAULT's site */
static long total; /* number of passes of all sites that have a family */

/* Reads the environment at each pass, because a test may change the environment between two
 * passes. */
static struct plan fault_read_plan(void)
{
    struct plan p = { 0 };
    const char *s = getenv("EZ_FAULT");
    if (s && sscanf(s, "%23[^:]:%ld:%15s", p.site, &p.nth, p.what) == 3)
        p.fails = !strcmp(p.what, "KILL")  ? EZ_FAULT_KILL
                  : !strcmp(p.what, "DIE") ? EZ_FAULT_DIE
                                           : ez_errno_by_name(p.what);
    return p;
}

static void fault_write_count(void)
{
    FILE *f = fopen(getenv("EZ_FAULT_COUNT"), "we");
    if (!f)
        return;
    fprintf(f, "%ld\n", fault_read_plan().fails ? seen : total);
    fclose(f);
}

int ez_fault(const char *site, const char *family)
{
    struct plan p = fault_read_plan();
    if (family && until && !--until)
        return EIO;
    if (family && !__atomic_fetch_add(&total, 1, __ATOMIC_RELAXED) && getenv("EZ_FAULT_COUNT"))
        atexit(fault_write_count);
    if (!p.fails || (strcmp(p.site, site) && (!family || strcmp(p.site, family))))
        return 0;
    return __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) == p.nth || !p.nth ? p.fails : 0;
}

bool ez_fault_next(unsigned long nth)
{
    until = nth;
    return true;
}

bool ez_fault_is(const char *site, const char *what)
{
    struct plan p = fault_read_plan();
    return !strcmp(p.site, site) && !strcmp(p.what, what);
}

#else

bool ez_fault_next(unsigned long nth)
{
    (void)nth;
    return false;
}

int ez_fault(const char *site, const char *family)
{
    (void)site;
    (void)family;
    return 0;
}

bool ez_fault_is(const char *site, const char *what)
{
    (void)site;
    (void)what;
    return false;
}

#endif
