/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler.c - see sampler.h. One event for each thread and processor, for only those can be inherited and
 * mapped; the threads of a processor share its ring. */
#include "engine/check/sampler.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/base/hash.h"
#include "engine/base/vec.h"

#define PERIOD_NS 1000000
#define RING_PAGES 16

struct sampler_cpu {
    int fd;
    struct perf_event_mmap_page *head;
};
struct ez_sampler {
    EZ_VEC(struct sampler_cpu) cpu;
    EZ_VEC(int) fd;        /* of further threads                                   */
    struct ez_hash at;     /* address of a function -> count                        */
    EZ_VEC(uint64_t) hits; /* by function                                           */
    uint64_t all;
};

static int sampler_open(pid_t tid, int cpu)
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

static size_t sampler_bytes(void)
{
    return (RING_PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Follows a thread on processor `cpu`. 0, or an errno. */
static int sampler_follow(struct ez_sampler *s, pid_t tid, int cpu, size_t at)
{
    int fd = sampler_open(tid, cpu);
    if (fd < 0)
        return errno;
    if (at < s->cpu.n) {
        EZ_PUSH(&s->fd, fd);
        return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->cpu.at[at].fd) ? errno : 0;
    }
    struct sampler_cpu c = { fd, mmap(NULL, sampler_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                                      0) };
    if (c.head == MAP_FAILED) {
        int e = errno;
        close(fd);
        return e;
    }
    EZ_PUSH(&s->cpu, c);
    return 0;
}

static int sampler_follow_all(struct ez_sampler *s, pid_t tid)
{
    long n = sysconf(_SC_NPROCESSORS_CONF);
    size_t at = 0;
    int e = 0;
    for (int cpu = 0; cpu < n && (!e || e == ENODEV); cpu++, at += e != ENODEV)
        e = sampler_follow(s, tid, cpu, at); /* ENODEV: that processor is off */
    return e == ENODEV || e == ESRCH ? 0 : e;
}

ez_err *ez_sampler_begin(pid_t pid, struct ez_sampler **out)
{
    struct ez_sampler *s = ez_alloc(sizeof *s);
    EZ_FREE char *path = ez_sprintf("/proc/%d/task", pid);
    DIR *dir = opendir(path);
    int e = dir ? 0 : errno;
    for (struct dirent *d; dir && !e && (d = readdir(dir));)
        if (*d->d_name != '.')
            e = sampler_follow_all(s, atoi(d->d_name));
    if (dir)
        closedir(dir);
    *out = e ? NULL : s;
    if (!e)
        return NULL;
    ez_sampler_end(s);
    return ez_err_new(EZ_E_SYS, e, "program counters cannot be sampled: %s", strerror(e));
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

/* The kernel's ring: its head is the kernel's, its tail ours. */
static void sampler_read_cpu(struct ez_sampler *s, struct ez_target *t, struct sampler_cpu *c)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = RING_PAGES * page;
    const char *data = (const char *)c->head + page;
    uint64_t head = __atomic_load_n(&c->head->data_head, __ATOMIC_ACQUIRE);
    uint64_t at = c->head->data_tail;
    while (at < head) {
        struct perf_event_header h;
        uint64_t pc;
        memcpy(&h, data + at % size, sizeof h); /* 8 bytes, and so aligned: never across the end */
        memcpy(&pc, data + (at + sizeof h) % size, sizeof pc);
        if (h.type == PERF_RECORD_SAMPLE && h.size == sizeof h + sizeof pc)
            sampler_note(s, t, pc);
        if (h.size < sizeof h)
            at = head;
        at += h.size;
    }
    __atomic_store_n(&c->head->data_tail, EZ_MIN(at, head), __ATOMIC_RELEASE);
}

void ez_sampler_read(struct ez_sampler *s, struct ez_target *t)
{
    for (size_t i = 0; i < s->cpu.n; i++)
        sampler_read_cpu(s, t, &s->cpu.at[i]);
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
    for (size_t i = 0; i < s->cpu.n; i++) {
        munmap(s->cpu.at[i].head, sampler_bytes());
        close(s->cpu.at[i].fd);
    }
    for (size_t i = 0; i < s->fd.n; i++)
        close(s->fd.at[i]);
    EZ_VEC_FREE(&s->cpu);
    EZ_VEC_FREE(&s->fd);
    EZ_VEC_FREE(&s->hits);
    ez_hash_free(&s->at);
    free(s);
}
