/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.h - the figures that `info cost` measures, and a function that passes them to another
 * process: from the probed program to the eztsh that probes it, and from there to the user's eztsh
 * (engine/check/cost.c). */
#ifndef EZ_COST_FIGURES_H
#define EZ_COST_FIGURES_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum ez_cost_of {
    EZ_COST_BARE,             /* a call without a probe */
    EZ_COST_COUNT_ENTRY,      /* the entry is counted */
    EZ_COST_COUNT_BOTH,       /* entry and exit are counted, by call-through */
    EZ_COST_COUNT_TRAMPOLINE, /* entry and exit are counted, by a return trampoline */
    EZ_COST_RECORD_ENTRY,     /* the entry is counted and written to the buffer, with a time
                               * stamp */
    EZ_COST_RECORD_BOTH,
    EZ_COST_RECORD_TRAMPOLINE,
    EZ_COST_STAMP, /* cost of one reading of the time stamp counter and of a call without a probe */
    EZ_COST_BOUND, /* two readings, two records of 16 bytes and a call: recording entry and exit
                    * cannot cost less */
    EZ_COST_N
};

struct ez_cost {
    double ns[EZ_COST_N]; /* nanoseconds of a call, the median */
    bool mono;            /* records have time stamps of CLOCK_MONOTONIC */
};

struct cost_figures {
    char magic[8];
    struct ez_cost cost;
    char why_not[200]; /* reason why the figures are missing; "" if the figures are valid */
};

/* Writes *f to fd (put), or reads *f from fd. Returns false if the other process has ended, or if
 * the data that was read are no figures. */
static inline bool cost_pass(int fd, bool put, struct cost_figures *f)
{
    static const char magic[8] = "ezcost1";
    char *p = (char *)f, *end = p + sizeof *f;
    if (put)
        memcpy(f->magic, magic, sizeof magic);
    while (p < end) {
        ssize_t n = put ? write(fd, p, (size_t)(end - p)) : read(fd, p, (size_t)(end - p));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
    }
    f->why_not[sizeof f->why_not - 1] = 0;
    return !memcmp(f->magic, magic, sizeof magic);
}

#endif
