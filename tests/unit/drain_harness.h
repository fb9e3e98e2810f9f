/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_harness.h - a shared segment, a drain thread on it, and the runtime's side
 * of the ABI played by the test itself. Included by one test program only. */
#ifndef DRAIN_HARNESS_H
#define DRAIN_HARNESS_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "arch/tick.h"
#include "engine/data_abi.h"
#include "engine/record/drain.h"
#include "engine/trace/fxt_in.h"
#include "tests/unit/tool.h"

#define NBUFFERS 24u
#define IDS_MAX 8192u
#define NSUB 8u
#define RING_BYTES (nsub * (uint64_t)EZ_SUB_BYTES)
#define CODE(id, exit) (((uint64_t)EZ_C_PROBE + 2 * (uint64_t)(id) + (exit)) << 8 | 1)
#define BOTH (EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)

static uint32_t nsub = NSUB; /* sub-buffers of a ring, before make_segment()      */
static struct ez_hdr *hdr;
static int memfd, event_fd;
static struct ez_drain *drain;
static uint64_t head[NBUFFERS]; /* of each buffer, as its writer knows it */
static uint64_t sp[NBUFFERS];   /* where the innermost call's frame is     */
static char path[64];

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static inline void refused(ez_err *e, enum ez_code code, int errnum)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(e->code == code && e->errnum == errnum, "%s", e->msg);
    ez_err_free(e);
}

static void make_segment(void)
{
    uint64_t rows = EZ_PAGE, buffers = EZ_ROUND_UP(rows + IDS_MAX * sizeof(struct ez_row), EZ_PAGE);
    uint64_t counters = EZ_ROUND_UP(buffers + NBUFFERS * sizeof(struct ez_buffer), EZ_PAGE);
    uint64_t rings = EZ_ROUND_UP(counters + NBUFFERS * IDS_MAX * 16ull, EZ_PAGE);
    uint64_t addups = rings + NBUFFERS * RING_BYTES;
    uint64_t size = addups + (uint64_t)NBUFFERS * EZ_ADDUPS * EZ_ADDUP_BYTES;
    memfd = memfd_create(EZ_SEG_NAME, MFD_CLOEXEC);
    ck_assert_int_eq(ftruncate(memfd, (off_t)size), 0);
    hdr = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
    ck_assert_ptr_ne(hdr, MAP_FAILED);
    hdr->magic = EZ_ABI_MAGIC;
    hdr->abi = EZ_ABI_VERSION;
    hdr->nbuffers = NBUFFERS;
    hdr->ids_max = IDS_MAX;
    hdr->nsub = nsub;
    hdr->off_rows = rows;
    hdr->off_buffers = buffers;
    hdr->off_counters = counters;
    hdr->off_rings = rings;
    hdr->off_addups = addups;
    hdr->naddups = EZ_ADDUPS;
    hdr->size = size;
    hdr->ids_used = 64;
    event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    memset(head, 0, sizeof head);
    for (unsigned l = 0; l < NBUFFERS; l++)
        sp[l] = (l + 1ull) << 32;
}

static void teardown_segment(void)
{
    close(memfd);
    close(event_fd);
    munmap(hdr, hdr->size);
}

static ez_err *create(int pid)
{
    struct ez_drain_cfg cfg = { .hdr = hdr, .memfd = memfd, .pid = pid, .event_fd = event_fd };
    return ez_drain_create(&cfg, &drain);
}

static void setup(void)
{
    make_segment();
    ok(create(getpid()));
    snprintf(path, sizeof path, "check_drain-%d.fxt", getpid());
}

static void teardown(void)
{
    ez_drain_destroy(drain);
    unlink(path);
    teardown_segment();
}

/* ---- the runtime's side ------------------------------------------------------- */

static struct ez_buffer *buffer_of(unsigned l)
{
    return (struct ez_buffer *)((char *)hdr + hdr->off_buffers) + l;
}

static struct ez_counter *counter_of(unsigned l, unsigned id)
{
    return (struct ez_counter *)((char *)hdr + hdr->off_counters) + l * (size_t)IDS_MAX + id;
}

static struct ez_rec *rec_at(unsigned l, uint64_t pos)
{
    return (struct ez_rec *)((char *)hdr + hdr->off_rings + l * RING_BYTES + pos % RING_BYTES);
}

/* The lowest free buffer that is ready, or 0. */
static inline unsigned take_buffer(uint32_t tid)
{
    for (unsigned l = 1; l < hdr->buffers_ready; l++) {
        uint32_t free = EZ_BUFFER_FREE;
        if (!__atomic_compare_exchange_n(&buffer_of(l)->state, &free, EZ_BUFFER_USED, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            continue;
        buffer_of(l)->begin = head[l];
        buffer_of(l)->tid = tid;
        return l;
    }
    return 0;
}

static void sleep_for_room(unsigned l)
{
    struct ez_buffer *buffer = buffer_of(l);
    __atomic_store_n(&buffer->waiting, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        uint32_t space = __atomic_load_n(&buffer->space, __ATOMIC_SEQ_CST);
        if ((uint32_t)(head[l] / EZ_SUB_BYTES) - space < nsub)
            break;
        if (hdr->asleep) {
            __atomic_add_fetch(&hdr->wake, 1, __ATOMIC_SEQ_CST);
            syscall(SYS_futex, &hdr->wake, FUTEX_WAKE, 1, NULL, NULL, 0);
        }
        syscall(SYS_futex, &buffer->space, FUTEX_WAIT, space, NULL, NULL, 0);
    }
    buffer->waiting = 0;
}

/* Reserve a record; waits for room. */
static struct ez_rec *reserve(unsigned l)
{
    if (head[l] % EZ_SUB_BYTES == 0) {
        sleep_for_room(l);
        *(volatile uint64_t *)rec_at(l, head[l]) = buffer_of(l)->tid ? buffer_of(l)->tid : 1;
        head[l] += 8;
    }
    struct ez_rec *r = rec_at(l, head[l]);
    head[l] += EZ_REC_BYTES;
    return r;
}

static void commit(struct ez_rec *r, uint64_t frame, uint64_t code)
{
    r->tick = ez_tick();
    r->tid = frame;
    __atomic_store_n(&r->code, code, __ATOMIC_RELEASE);
}

static inline void hit(unsigned l, unsigned id, unsigned exit)
{
    struct ez_counter *c = counter_of(l, id);
    if (exit)
        c->exit++;
    else
        c->entry++;
    sp[l] -= exit ? 0 : 16;
    if (hdr->trace_open)
        commit(reserve(l), sp[l], CODE(id, exit));
    else
        buffer_of(l)->untraced++;
    sp[l] += exit ? 16 : 0;
}

static inline void define_all(void)
{
    for (uint32_t i = 0; i < hdr->ids_used; i++)
        ez_drain_define(drain, i, BOTH, 0x1000 + i, "function", "library.so");
}

static struct ez_drain_stat stat_now(void)
{
    struct ez_drain_stat s;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.entries + s.exits,
                      s.recorded + s.filtered + s.untraced + s.dropped + s.overwritten);
    return s;
}

/* Probe events that threads recorded, by our own reader; only a killed writer may leave a cut last one. */
static inline uint64_t count_events(const char *file, bool killed)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    uint64_t n = 0;
    ez_err *e;
    ok(ez_fxt_in_open(file, &in));
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got)
        n += ev.code >= EZ_C_PROBE && !ev.narg;
    ez_fxt_in_close(in);
    if (killed)
        ez_err_drop(e);
    else
        ok(e);
    return n;
}

static inline uint64_t printed_events(void)
{
    char cmd[160];
    unsigned long n = 0;
    if (!tool_there("fxt_print"))
        return UINT64_MAX;
    snprintf(cmd, sizeof cmd, "fxt_print -f %s | grep -c '(0).*unknown code 1'", path);
    FILE *p = popen(cmd, "r");
    ck_assert_int_eq(fscanf(p, "%lu", &n), 1);
    pclose(p);
    return n;
}

#endif
