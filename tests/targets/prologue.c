/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prologue.c - calls every function of prologue.S with every argument of a range. */
#include "target.h"

#include <cpuid.h>
#include <string.h>

struct row {
    const char *name;
    long (*fn)(long);
    long fault, call;
};
extern const struct row rows[], rows_end[];
long tp_call(long (*f)(long), long x, long second);

/* The result without what differs from process to process. */
static long masked(const struct row *r, long got)
{
    if (!strcmp(r->name, "syscall_first"))
        return got == getpid();
    return got;
}

static int has_rtm(void)
{
    unsigned a, b = 0, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 11 & 1);
}

int main(int argc, char **argv)
{
    static char room[64];
    bounded();
    for (const struct row *r = rows; r < rows_end; r++) {
        unsigned long n = 0, sum = 0;
        if (argc > 1 && strcmp(argv[1], r->name))
            continue;
        for (long x = -4; (r->call || has_rtm()) && x < 40; x++, n++) {
            long arg =
                !strcmp(r->name, "rep_first") || !strcmp(r->name, "repe_cmps") ? (long)room : x;
            long got = masked(r, tp_call(r->fn, arg, arg == x ? 0 : 1));
            if (!strncmp(r->name, "tight_1", 7) || !strncmp(r->name, "tight_2", 7) ||
                !strncmp(r->name, "lock_", 5))
                got = 0; /* they return what rax held */
            sum = sum * 31 + (unsigned long)got;
        }
        printf("%s %lx\n", r->name, sum);
        claim("count", r->name, n);
        fprintf(stderr, "fault %ld %s\n", r->fault, r->name);
    }
    return 5;
}
