/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler.c - counts samples of program counters by function (sampler.h). */
#include "engine/check/sampler.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/inferior/perf.h"

#define PERIOD_NS 1000000
#define RING_PAGES 16

struct ez_sampler {
    struct ez_perf perf;
    struct ez_hash at;     /* address of a function -> index in `hits` */
    EZ_VEC(uint64_t) hits; /* number of samples in each function */
    uint64_t all;
};

static int sampler_open(void *arg, pid_t tid, int cpu)
{
    struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
                                 .size = sizeof a,
                                 .config = PERF_COUNT_SW_CPU_CLOCK,
                                 .sample_period = PERIOD_NS,
                                 .sample_type = PERF_SAMPLE_IP,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1,
                                 .inherit = 1 };
    return (int)syscall(SYS_perf_event_open, &a, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

struct ez_sampler *ez_sampler_begin(pid_t pid)
{
    struct ez_sampler *s = ez_alloc(sizeof *s);
    if (!ez_perf_open(&s->perf,
                      &(struct ez_perf_want){ pid, RING_PAGES, RING_PAGES, sampler_open, NULL }))
        return s;
    ez_sampler_end(s);
    return NULL;
}

static void sampler_note(struct ez_sampler *s, struct ez_target *t, uint64_t pc)
{
    uint64_t in = 0;
    const struct ez_sym *sym = ez_symbolize(t, ez_addr_of(pc), &in, NULL);
    s->all++;
    if (!sym)
        return;
    size_t i = ez_hash_put(&s->at, pc - in, s->hits.n);
    if (i == s->hits.n)
        EZ_PUSH(&s->hits, (uint64_t)0);
    s->hits.at[i]++;
}

/* Reads the samples in one of the kernel's rings. The kernel moves the head of the ring, and this
 * function moves the tail. */
static void sampler_read_cpu(struct ez_sampler *s, struct ez_target *t, struct ez_perf_ring *c)
{
    struct {
        struct perf_event_header h;
        uint64_t pc;
    } r;
    uint64_t head = __atomic_load_n(&c->head->data_head, __ATOMIC_ACQUIRE);
    for (uint64_t at = c->head->data_tail; at < head && ez_perf_copy(c, at, head, &r, sizeof r);
         at += r.h.size)
        if (r.h.type == PERF_RECORD_SAMPLE && r.h.size == sizeof r)
            sampler_note(s, t, r.pc);
    __atomic_store_n(&c->head->data_tail, head, __ATOMIC_RELEASE);
}

void ez_sampler_read(struct ez_sampler *s, struct ez_target *t)
{
    for (size_t i = 0; i < s->perf.ring.n; i++)
        sampler_read_cpu(s, t, &s->perf.ring.at[i]);
}

double ez_sampler_share(const struct ez_sampler *s, uint64_t addr)
{
    size_t i;
    if (!s->all)
        return -1;
    return ez_hash_get(&s->at, addr, &i) ? (double)s->hits.at[i] / (double)s->all : 0;
}

void ez_sampler_end(struct ez_sampler *s)
{
    if (!s)
        return;
    ez_perf_close(&s->perf);
    EZ_VEC_FREE(&s->hits);
    ez_hash_free(&s->at);
    free(s);
}
