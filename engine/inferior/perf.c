/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.c - opens perf events for all threads of a process, and maps their rings (perf.h).
 * Tests: tests/unit/record/check_switches.c, tests/procs/switches.sh, tests/procs/score.sh */
#include "engine/inferior/perf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Maps the largest ring that the kernel allows; returns 0 or an errno. All processes of a user
 * share the limit of locked memory, so the size is found by trying. */
static int perf_map(struct ez_perf_ring *r, const struct ez_perf_want *w)
{
    for (size_t pages = w->most; pages >= w->least; pages /= 2) {
        void *p = mmap(NULL, (pages + 1) * ez_page(), PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
        if (p != MAP_FAILED) {
            r->head = p;
            r->size = pages * ez_page();
            return 0;
        }
    }
    return errno;
}

/* Opens thread tid's event on processor cpu; returns 0 or an errno. Each processor has one ring,
 * number `at`, which belongs to the first event that was opened on the processor. */
static int perf_follow_on(struct ez_perf *p, const struct ez_perf_want *w, pid_t tid, size_t at,
                          int cpu)
{
    int fd = w->event(w->arg, tid, cpu);
    if (fd < 0)
        return errno;
    if (at < p->ring.n) {
        EZ_PUSH(&p->fd, fd);
        return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, p->ring.at[at].fd) ? errno : 0;
    }
    struct ez_perf_ring r = { .fd = fd };
    EZ_PUSH(&p->ring, r);
    return perf_map(&p->ring.at[at], w);
}

static int perf_follow(struct ez_perf *p, const struct ez_perf_want *w, pid_t tid)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    size_t at = 0;
    for (int cpu = 0; cpu < cpus; cpu++) {
        int e = perf_follow_on(p, w, tid, at, cpu);
        if (e == ENODEV) /* the processor is offline */
            continue;
        if (e)
            return e;
        at++;
    }
    return at ? 0 : ENODEV;
}

int ez_perf_open(struct ez_perf *p, const struct ez_perf_want *w)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", w->pid);
    DIR *dir = opendir(path);
    int e = dir ? 0 : ESRCH;
    for (struct dirent *d; dir && !e && (d = readdir(dir));)
        if (*d->d_name != '.') {
            e = perf_follow(p, w, atoi(d->d_name));
            e = e == ESRCH ? 0 : e; /* the thread ended */
        }
    if (dir)
        closedir(dir);
    if (!e && !p->ring.n)
        e = ESRCH;
    if (e)
        ez_perf_close(p);
    return e;
}

void ez_perf_close(struct ez_perf *p)
{
    for (size_t i = 0; i < p->fd.n; i++)
        close(p->fd.at[i]);
    for (size_t i = 0; i < p->ring.n; i++) {
        if (p->ring.at[i].head)
            munmap(p->ring.at[i].head, p->ring.at[i].size + ez_page());
        close(p->ring.at[i].fd);
    }
    EZ_VEC_FREE(&p->fd);
    EZ_VEC_FREE(&p->ring);
}

bool ez_perf_copy(const struct ez_perf_ring *r, uint64_t from, uint64_t to, void *out, size_t room)
{
    const char *ring = (const char *)r->head + ez_page();
    struct perf_event_header h;
    char *byte = out;
    for (uint64_t i = 0; i < sizeof h; i++)
        byte[i] = ring[(from + i) & (r->size - 1)];
    memcpy(&h, byte, sizeof h);
    if (h.size < sizeof h || h.size > to - from)
        return false;
    for (uint64_t i = sizeof h; i < h.size && i < room; i++)
        byte[i] = ring[(from + i) & (r->size - 1)];
    return true;
}
