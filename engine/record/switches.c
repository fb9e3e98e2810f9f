/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.c - reads thread switches from the kernel (switches.h).
 *
 * For each thread, a perf event per processor is opened that counts nothing (perf.h): its purpose
 * is only the records that the kernel adds (switches, names, ends of threads). The events exclude
 * the kernel, so they need no privilege with perf_event_paranoid 2.
 *
 * The records of one processor are in the order of time. This file sorts the records of all
 * processors.
 *
 * The kernel counts, per event, the records that found no room. It also writes a PERF_RECORD_LOST
 * before the next record that finds room, but such a record may never come. So PERF_RECORD_LOST is
 * used only if the count cannot be read (before Linux 6.0).
 * Tests: tests/unit/record/check_switches.c, tests/procs/switches.sh */
#include "engine/record/switches.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/err.h"
#include "engine/base/fault.h"
#include "engine/base/vec.h"
#include "engine/inferior/perf.h"

/* maximum number of pages of a ring, a power of two; a ring is smaller if the limit of locked
 * memory requires it */
#define MOST_PAGES 32
#define LEAST_PAGES 4
#define FORMAT_LOST (1u << 4) /* PERF_FORMAT_LOST, which older headers do not define */

struct ez_switches {
    pid_t pid;
    bool old; /* the kernel does not know inherit_thread or FORMAT_LOST */
    struct ez_perf perf;
    EZ_VEC(struct ez_switch) got;
    uint64_t lost;
    bool pressed, full; /* pressed: at the last read, a ring was half full; full: a ring was full */
};

/* ---- open --------------------------------------------------------------------------- */

static int switches_open_one(struct ez_switches *s, pid_t tid, int cpu)
{
    struct perf_event_attr a = { .size = sizeof a,
                                 .type = PERF_TYPE_SOFTWARE,
                                 .config = PERF_COUNT_SW_DUMMY,
                                 .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                                 .inherit = 1,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1,
                                 .comm = 1,
                                 .task = 1,
                                 .sample_id_all = 1,
                                 .context_switch = 1,
                                 .use_clockid = 1,
                                 .clockid = CLOCK_MONOTONIC };
#ifdef HAVE_STRUCT_PERF_EVENT_ATTR_INHERIT_THREAD
    a.inherit_thread = !s->old;
#endif
    a.read_format = s->old ? 0 : FORMAT_LOST;
    int e = ez_fault("perf", NULL);
    if (e) {
        errno = e;
        return -1;
    }
    return (int)syscall(SYS_perf_event_open, &a, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens the event of a thread on a processor. Linux before 5.13 has no inherit_thread, and before
 * 6.0 no FORMAT_LOST: then opens the event without both. Without inherit_thread, records of forked
 * children are left out by their pid. */
static int switches_open_event(void *arg, pid_t tid, int cpu)
{
    struct ez_switches *s = arg;
    int fd = switches_open_one(s, tid, cpu);
    if (fd >= 0 || errno != EINVAL || s->old)
        return fd;
    s->old = true;
    return switches_open_one(s, tid, cpu);
}

int ez_switches_open(pid_t pid, struct ez_switches **out)
{
    struct ez_switches *s = ez_alloc(sizeof *s);
    s->pid = pid;
    int e = ez_perf_open(
        &s->perf, &(struct ez_perf_want){ pid, MOST_PAGES, LEAST_PAGES, switches_open_event, s });
    if (e)
        ez_switches_close(s);
    else
        *out = s;
    return e;
}

void ez_switches_close(struct ez_switches *s)
{
    if (!s)
        return;
    ez_perf_close(&s->perf);
    EZ_VEC_FREE(&s->got);
    free(s);
}

/* ---- read --------------------------------------------------------------------------- */

struct who { /* the last bytes of each record, as selected by sample_type */
    uint32_t pid, tid;
    uint64_t ns;
};

union record {
    struct perf_event_header h;
    struct {
        struct perf_event_header h;
        uint64_t id, lost;
    } lost;
    struct {
        struct perf_event_header h;
        uint32_t pid, tid;
        char name[16 + sizeof(struct who)]; /* padded to a multiple of 8 */
    } comm;
    struct {
        struct perf_event_header h;
        uint32_t pid, ppid, tid, ptid;
    } task;
    char byte[256];
};

static bool switches_understand(struct ez_switches *s, const union record *r, struct ez_switch *w)
{
    struct who who = { 0 };
    if (r->h.size > sizeof *r || r->h.size < sizeof r->h + sizeof who)
        return false;
    memcpy(&who, r->byte + r->h.size - sizeof who, sizeof who);
    *w = (struct ez_switch){ .ns = who.ns, .tid = who.tid };
    uint32_t pid = who.pid;
    switch (r->h.type) {
    case PERF_RECORD_SWITCH:
        if (!(r->h.misc & PERF_RECORD_MISC_SWITCH_OUT))
            w->kind = EZ_SWITCH_IN;
        else if (r->h.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
            w->kind = EZ_SWITCH_PREEMPTED;
        else
            w->kind = EZ_SWITCH_SLEPT;
        break;
    case PERF_RECORD_COMM:
        w->kind = EZ_SWITCH_NAME;
        /* the thread that has the name, not the thread that set the name */
        w->tid = r->comm.tid;
        pid = r->comm.pid;
        memcpy(w->name, r->comm.name, strnlen(r->comm.name, sizeof w->name - 1));
        break;
    case PERF_RECORD_EXIT:
        w->kind = EZ_SWITCH_ENDED;
        w->tid = r->task.tid;
        pid = r->task.pid;
        break;
    case PERF_RECORD_LOST:
        s->lost += s->old ? r->lost.lost : 0;
        return false;
    default:
        return false;
    }
    return pid == (uint32_t)s->pid;
}

static void switches_read_cpu(struct ez_switches *s, const struct ez_perf_ring *c)
{
    union record r;
    struct ez_switch w;
    uint64_t to = __atomic_load_n(&c->head->data_head, __ATOMIC_ACQUIRE), at = c->head->data_tail;
    s->pressed |= to - at >= c->size / 2;
    for (; at < to && ez_perf_copy(c, at, to, &r, sizeof r); at += r.h.size)
        if (switches_understand(s, &r, &w))
            EZ_PUSH(&s->got, w);
    uint64_t head = __atomic_load_n(&c->head->data_head, __ATOMIC_ACQUIRE);
    /* the ring is full if it has no room for another record */
    s->full |= c->size - (head - c->head->data_tail) < sizeof r;
    __atomic_store_n(&c->head->data_tail, to, __ATOMIC_RELEASE);
}

static uint64_t switches_lost_of(int fd)
{
    uint64_t value_lost[2];
    return read(fd, value_lost, sizeof value_lost) == sizeof value_lost ? value_lost[1] : 0;
}

static uint64_t switches_lost_of_all(const struct ez_switches *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->perf.ring.n; i++)
        sum += switches_lost_of(s->perf.ring.at[i].fd);
    for (size_t i = 0; i < s->perf.fd.n; i++)
        sum += switches_lost_of(s->perf.fd.at[i]);
    return sum;
}

static int switches_older(const void *pa, const void *pb)
{
    const struct ez_switch *a = pa, *b = pb;
    return a->ns != b->ns ? (a->ns < b->ns ? -1 : 1) : 0;
}

size_t ez_switches_read(struct ez_switches *s, const struct ez_switch **out)
{
    s->got.n = 0;
    s->pressed = s->full = false;
    for (size_t i = 0; i < s->perf.ring.n; i++)
        switches_read_cpu(s, &s->perf.ring.at[i]);
    if (s->full && !s->old)
        s->lost = switches_lost_of_all(s);
    if (s->got.n && s->perf.ring.n > 1)
        qsort(s->got.at, s->got.n, sizeof *s->got.at, switches_older);
    *out = s->got.at;
    return s->got.n;
}

bool ez_switches_pressed(const struct ez_switches *s)
{
    return s->pressed;
}

uint64_t ez_switches_lost(const struct ez_switches *s)
{
    return s->lost;
}
