/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.h - the kernel's perf events of all threads of a process, and the rings they write to.
 *
 * One event for each thread and processor, for only those can be inherited by new threads and mapped. The
 * kernel gives one ring per processor, which all events there share, and no ring to an event that follows
 * its thread over all processors. */
#ifndef EZ_PERF_H
#define EZ_PERF_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_perf_ring {                  /* of one processor */
    struct perf_event_mmap_page *head; /* the ring is mapped behind it               */
    uint64_t size;                     /* bytes of the ring                          */
    int fd;                            /* the event that owns the ring               */
};

struct ez_perf {
    EZ_VEC(struct ez_perf_ring) ring;
    EZ_VEC(int) fd; /* events that write to another event's ring               */
};

/* Follows all threads of the process. `event` opens the event of a thread on a processor: its descriptor, or
 * -1 and errno. A ring has `most` pages, a power of two, or fewer where less may be locked, but `least`.
 * Returns 0, or an errno (ESRCH: no thread is there) and nothing is open. */
struct ez_perf_want {
    pid_t pid;
    size_t most, least;
    int (*event)(void *arg, pid_t tid, int cpu);
    void *arg;
};
int ez_perf_open(struct ez_perf *p, const struct ez_perf_want *w);
void ez_perf_close(struct ez_perf *p); /* also of zeros */

/* Copies the record at `from`, as much of it as finds room; *out begins with its header, which says its size.
 * It may wrap around the ring's end. False = its size is not possible. */
bool ez_perf_copy(const struct ez_perf_ring *r, uint64_t from, uint64_t to, void *out, size_t room);

#endif
