/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.h - what `info cost` measures, and how it passes from the process that knows it to the
 * one that asks: from the program that is probed to the eztsh that probes it, and from that to
 * the eztsh that the user asked (engine/check/cost.c). */
#ifndef EZ_COST_FIGURES_H
#define EZ_COST_FIGURES_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum ez_cost_of {
    EZ_COST_BARE,         /* a call without a probe                                  */
    EZ_COST_COUNT_ENTRY,  /* the entry is counted                                    */
    EZ_COST_COUNT_BOTH,   /* entry and exit are, by call-through                     */
    EZ_COST_COUNT_SLOTS,  /* the same by a paired return slot                        */
    EZ_COST_RECORD_ENTRY, /* and written to the ring, with a stamp                  */
    EZ_COST_RECORD_BOTH,
    EZ_COST_RECORD_SLOTS,
    EZ_COST_STAMP, /* one reading of the time stamp counter and a bare call          */
    EZ_COST_BOUND, /* two readings and two records of 16 bytes: the physical bound   */
    EZ_COST_N
};

struct ez_cost {
    double ns[EZ_COST_N]; /* median, of a call                                       */
    bool mono;            /* records were stamped by CLOCK_MONOTONIC                  */
};

struct cost_figures {
    char magic[8];
    struct ez_cost cost;
    char why_not[200]; /* there are none; "" = there are                             */
};

/* Write all of it, or read all of it. false: the other side has gone, or says something else. */
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
