/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.h - the kernel's perf events of all threads of a process, and their rings.
 *
 * There is one event for each thread on each processor, because the kernel allows a ring for an
 * event that new threads inherit only if the event is bound to a processor. All events of a
 * processor share one ring. */
#ifndef EZ_PERF_H
#define EZ_PERF_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_perf_ring {                  /* ring of one processor */
    struct perf_event_mmap_page *head; /* the page before the ring's data */
    uint64_t size;                     /* bytes of the ring */
    int fd;                            /* descriptor of the event that owns the ring */
};

struct ez_perf {
    EZ_VEC(struct ez_perf_ring) ring;
    EZ_VEC(int) fd; /* events that write to another event's ring */
};

struct ez_perf_want {
    pid_t pid;
    size_t most, least; /* pages of a ring: powers of two */
    /* opens the event of a thread on a processor; returns its descriptor, or -1 and errno */
    int (*event)(void *arg, pid_t tid, int cpu);
    void *arg;
};
/* Opens an event for each thread of the process on each processor. A ring has w->most pages, or
 * fewer, down to w->least, if less memory may be locked. Returns 0, or an errno (ESRCH: no thread
 * exists) and leaves nothing open. */
int ez_perf_open(struct ez_perf *p, const struct ez_perf_want *w);
void ez_perf_close(struct ez_perf *p); /* Accepts an all-zero *p. */

/* Copies the record at ring position `from` (not wrapped), at most `room` bytes of it, to out. The
 * ring has data up to position `to`. The record begins with a header that contains its size.
 * Returns false if this size is impossible. */
bool ez_perf_copy(const struct ez_perf_ring *r, uint64_t from, uint64_t to, void *out, size_t room);

#endif
