/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_layout.c - how large the shared memory is, and where its parts lie: the journal of
 * semaphores, rows, buffers, counters and rings one behind the other, without overlap and no larger
 * than need be; and how it shrinks to a limit. The table of breakpoints, with who handles them;
 * windows near restartable sequences. rt_load.c itself is in this program. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "engine/patch/rt_load.c"

#include "tests/unit/fake.h"
#include "tests/unit/suite.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/rseq.h"
#include "engine/patch/trap.h"

START_TEST(parts_of_the_segment)
{
    for (int round = 0; round < 20000; round++) {
        struct ez_hdr h = { .nbuffers = 1 + roll(5000),
                            .ids_max = 1 + roll(1 << 20),
                            .nsub = 2,
                            .naddups = roll(EZ_ADDUPS + 1) };
        h.nsub <<= roll(9);
        const uint64_t rows =
            EZ_ROUND_UP(2 * EZ_PAGE + EZ_SEMAPHORES * sizeof(struct ez_semaphore), EZ_PAGE);
        uint64_t rows_end = rows + h.ids_max * sizeof(struct ez_row);
        uint64_t buffers_end = rows_end + h.nbuffers * sizeof(struct ez_buffer);
        SURE(ez_rt_layout(&h) == h.size);
        SURE(h.off_ranges == EZ_PAGE && h.off_semaphores == 2 * EZ_PAGE);
        SURE(h.off_rows == rows);
        SURE(h.off_buffers == rows_end);
        SURE(h.off_counters >= buffers_end && h.off_counters < buffers_end + EZ_PAGE);
        SURE(h.off_counters % EZ_PAGE == 0);
        uint64_t counters_end =
            h.off_counters + (uint64_t)h.nbuffers * h.ids_max * sizeof(struct ez_counter);
        SURE(h.off_rings >= counters_end && h.off_rings < counters_end + EZ_SUB_BYTES);
        SURE(h.off_rings % EZ_SUB_BYTES == 0);
        SURE(h.off_addups == h.off_rings + (uint64_t)h.nbuffers * h.nsub * EZ_SUB_BYTES);
        SURE(h.size == h.off_addups + (uint64_t)h.nbuffers * h.naddups * EZ_ADDUP_BYTES);
    }
    for (uint32_t n = 1; n < 3000; n++) {
        uint64_t size = ez_rt_ctls_size(n), least = 4096 + n * sizeof(struct ez_ctl);
        SURE(size >= least && size < least + EZ_PAGE && size % EZ_PAGE == 0);
    }
}
END_TEST

/* What is halved next, in its order. */
static bool halved(struct ez_hdr *h)
{
    if (h->nbuffers > NBUFFERS_USUAL)
        h->nbuffers /= 2;
    else if (h->naddups)
        h->naddups /= 2;
    else if (h->ids_max > IDS_LEAST)
        h->ids_max /= 2;
    else if (h->nbuffers > NBUFFERS_LEAST)
        h->nbuffers /= 2;
    else if (h->nsub > 2)
        h->nsub /= 2;
    else
        return false;
    return true;
}

/* Each step of the way down, from the most to the least: a limit of exactly its size gives it, one byte
 * less gives the next. */
START_TEST(it_shrinks_to_a_limit)
{
    uint32_t generation = 0;
    for (uint32_t nsub = 2; nsub <= 512; nsub *= 16) {
        struct ez_hdr want = {
            .nbuffers = NBUFFERS, .ids_max = IDS_MAX, .nsub = nsub, .naddups = EZ_ADDUPS
        };
        bool more = true;
        fake_begin();
        fake.inf.pid = 4711;
        fake.rt.far_room = EZ_FAR_SIZE;
        for (unsigned steps = 0; more; steps++) {
            uint64_t size = ez_rt_layout(&want);
            struct ez_hdr next = want;
            more = halved(&next);
            for (uint64_t most = size; most + 1 >= size; most--) {
                struct ez_hdr h = { 0 };
                const struct ez_hdr *is = most == size ? &want : &next;
                ez_rt_layout(&next);
                rt_header_init(&fake, &h, nsub, most);
                if (size > EZ_FAR_SIZE - 4 * FAR_STEP)
                    continue; /* that is more than there is room for */
                ck_assert_uint_eq(h.nbuffers, is->nbuffers);
                ck_assert_uint_eq(h.ids_max, is->ids_max);
                ck_assert_uint_eq(h.nsub, is->nsub);
                ck_assert_uint_eq(h.naddups, is->naddups);
                ck_assert_uint_eq(h.size, is->size);
                ck_assert_uint_gt(h.generation, generation);
                generation = h.generation;
            }
            want = next;
        }
        ck_assert_uint_eq(want.nbuffers, NBUFFERS_LEAST);
        ck_assert_uint_eq(want.ids_max, IDS_LEAST);
        ck_assert_uint_eq(want.nsub, 2);
        struct ez_hdr all = { 0 };
        rt_header_init(&fake, &all, nsub, UINT64_MAX);
        ck_assert_uint_le(all.size, EZ_FAR_SIZE - 4 * FAR_STEP);
    }
}
END_TEST

/* The hole that the segment lies in is a limit like any other. */
START_TEST(it_shrinks_to_its_hole)
{
    fake_begin();
    fake.inf.pid = 4711;
    uint64_t before = UINT64_MAX;
    for (fake.rt.far_room = EZ_FAR_SIZE; fake.rt.far_room > 16 * FAR_STEP; fake.rt.far_room /= 2) {
        struct ez_hdr h = { 0 };
        rt_header_init(&fake, &h, 32, UINT64_MAX);
        ck_assert_uint_le(h.size, fake.rt.far_room - 4 * FAR_STEP);
        ck_assert_uint_lt(h.size, before);
        before = h.size;
    }
}
END_TEST

START_TEST(what_the_header_says)
{
    for (int how = 0; how < 4; how++) {
        struct ez_hdr h = { 0 };
        fake_begin();
        fake.inf.pid = 4711;
        fake.tracing.mono = how & 1;
        fake.set.overflow = how & 2 ? EZ_OVERFLOW_WAIT : EZ_OVERFLOW_DROP;
        rt_header_init(&fake, &h, 8, 1 << 30);
        ck_assert(h.magic == EZ_ABI_MAGIC && h.abi == EZ_ABI_VERSION);
        ck_assert_uint_eq(h.row_bytes, sizeof(struct ez_row));
        ck_assert_uint_eq(h.target_pid, 4711);
        ck_assert_uint_eq(h.shell_pid, (uint32_t)getpid());
        ck_assert_uint_eq(h.clock, how & 1 ? EZ_CLOCK_MONO_NS : EZ_CLOCK_RAW_TSC);
        ck_assert_int_eq(h.overflow_wait != 0, (how & 2) != 0);
    }
}
END_TEST

START_TEST(rings_are_as_large_as_asked_for)
{
    const unsigned sub = EZ_SUB_BYTES / 1024;
    fake_begin();
    for (unsigned kib = 1; kib <= 2000 * sub; kib += kib < 64 * sub ? 1 : sub - 1) {
        fake.set.ring_kib = kib;
        uint32_t n = rt_ring_subs(&fake);
        SURE(n >= 2 && n <= 512 && !(n & (n - 1)));
        SURE(n == 2 || n * sub <= kib);
        SURE(n == 512 || n * 2 * sub > kib);
    }
}
END_TEST

/* Half of what is left under the limit; all there is without one. */
START_TEST(room_under_a_limit)
{
    pid_t child = fork();
    if (!child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    char path[64];
    unsigned long pages = 0;
    struct rlimit limit = { .rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY };
    snprintf(path, sizeof path, "/proc/%d/statm", child);
    FILE *f = fopen(path, "re");
    ck_assert(f && fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    ck_assert_uint_eq(rt_address_room(child), UINT64_MAX);
    const struct {
        uint64_t limit, room;
    } c[] = { { pages * ez_page() + (1ull << 40), 1ull << 39 },
              { pages * ez_page() + 2, 1 },
              { pages * ez_page(), 0 },
              { pages * ez_page() - 1, 0 },
              { 0, 0 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(c); i++) {
        limit.rlim_cur = c[i].limit;
        ck_assert_int_eq(prlimit(child, RLIMIT_AS, &limit, NULL), 0);
        ck_assert_uint_eq(rt_address_room(child), c[i].room);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    ck_assert_uint_eq(rt_address_room(1 << 30), UINT64_MAX); /* no process */
}
END_TEST

/* ---- breakpoints ------------------------------------------------------------------------------- */

static struct rt_sigaction handler; /* of SIGTRAP, in the process */
static bool forbidden;              /* system calls there */
static struct ez_blob_hdr blob = { .trap = 0x111, .trap_return = 0x222 };

struct ez_thread *__wrap_ez_inject_thread(struct ez_target *t);
struct ez_thread *__wrap_ez_inject_thread(struct ez_target *t)
{
    (void)t;
    return NULL;
}

ez_err *__wrap_ez_inject_allowed(struct ez_target *t);
ez_err *__wrap_ez_inject_allowed(struct ez_target *t)
{
    (void)t;
    return forbidden ? ez_err_new(EZ_E_SECCOMP, 0, "forbidden") : NULL;
}

ez_err *__wrap_ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr,
                                 const uint64_t arg[6], int64_t *result, const char *why);
ez_err *__wrap_ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr,
                                 const uint64_t arg[6], int64_t *result, const char *why)
{
    (void)t, (void)th, (void)why;
    struct rt_sigaction was = handler;
    ck_assert(nr == SYS_rt_sigaction && arg[0] == SIGTRAP && arg[3] == 8);
    if (arg[1])
        memcpy(&handler, ram + (arg[1] - RAM), sizeof handler);
    if (arg[2])
        memcpy(ram + (arg[2] - RAM), &was, sizeof was);
    *result = 0;
    return NULL;
}

static void begin_traps(void)
{
    fake_begin();
    fake_zeros();
    fake.inf.pid = getpid(); /* none of its threads awaits a SIGTRAP */
    fake.rt.blob = RAM;
    fake.rt.bh = &blob;
    handler = (struct rt_sigaction){ .handler = 0xabc, .flags = 7, .mask = 9 };
    forbidden = false;
}

static bool ours(void)
{
    return handler.handler == RAM + blob.trap && handler.flags == RT_SA_TRAP &&
           handler.restorer == RAM + blob.trap_return;
}

static bool scratch_is_wiped(void)
{
    static const uint8_t none[512];
    return !memcmp(ram + (ez_rt_scratch(&fake) - RAM), none, sizeof none);
}

/* As many breakpoints as the table has room for; each leads to its trampoline, here and there. */
START_TEST(a_table_of_breakpoints)
{
    const uint8_t behind = ez_arch_host()->trap.pc_after;
    begin_traps();
    ck_assert(!ez_traps_any(&fake) && !ez_trap_trampoline(&fake, 0x5000 + behind));
    for (uint64_t i = 0; i < EZ_NTRAP; i++) {
        uint64_t at = 0x5000 + i * 16;
        SURE(!ez_trap_known(&fake, at));
        SURE(ez_err_drop(ez_trap_room(&fake, at, EZ_NTRAP - i - 1)));
        SURE(!ez_err_drop(ez_trap_room(&fake, at, EZ_NTRAP - i)));
        SURE(ez_err_drop(ez_trap_point(&fake, at, 0x900000 + i)));
        SURE(ez_trap_known(&fake, at) && ours());
        SURE(ez_err_drop(ez_trap_room(&fake, at, EZ_NTRAP)));
    }
    cannot(ez_trap_point(&fake, 0x4000, 1), "no more than 768 traps in one process");
    cannot(ez_trap_room(&fake, 0x4000, 0), "no more than 768 traps in one process");
    ck_assert_ptr_null(ez_trap_point(&fake, 0x5010, 0x77)); /* it leads elsewhere now */
    ck_assert_uint_eq(fake.rt.trap.n, EZ_NTRAP);
    const struct rt_trap *there = (void *)(ram + EZ_RT_TRAPS);
    for (uint64_t i = 0; i < EZ_NTRAP; i++) {
        uint64_t trampoline = i == 1 ? 0x77 : 0x900000 + i;
        SURE(there[i].addr == 0x5000 + i * 16 && there[i].trampoline == trampoline);
        SURE(ez_trap_trampoline(&fake, 0x5000 + i * 16 + behind) == trampoline);
        SURE(!ez_trap_trampoline(&fake, 0x5000 + i * 16 + behind + 1));
    }
    EZ_VEC_FREE(&fake.rt.trap);
    ck_assert_ptr_null(ez_traps_adopt(&fake)); /* another shell reads the same */
    ck_assert_uint_eq(fake.rt.trap.n, EZ_NTRAP);
    ck_assert_uint_eq(ez_trap_trampoline(&fake, 0x5010 + behind), 0x77);
    EZ_VEC_FREE(&fake.rt.trap);
    memset(ram + EZ_RT_TRAPS + 3 * sizeof *there, 0, sizeof *there);
    ck_assert_ptr_null(ez_traps_adopt(&fake)); /* up to the first that is free */
    ck_assert_uint_eq(fake.rt.trap.n, 3);
    ck_assert(ez_traps_any(&fake));
    EZ_VEC_FREE(&fake.rt.trap);
}
END_TEST

/* The program's own handler comes back, unless it has another one by then; and ours is installed
 * once, whoever did that. */
START_TEST(who_handles_breakpoints)
{
    begin_traps();
    ck_assert_ptr_null(ez_traps_end(&fake));
    ck_assert_uint_eq(handler.handler, 0xabc);
    ck_assert_ptr_null(ez_trap_point(&fake, 0x5000, 1));
    ck_assert(ours() && fake.rt.traps_on);
    struct rt_sigaction old;
    memcpy(&old, ram + EZ_RT_STATE + offsetof(struct rt_state, trap_old), sizeof old);
    ck_assert(old.handler == 0xabc && old.flags == 7 && old.mask == 9);
    forbidden = true;
    ck_assert_ptr_null(ez_traps_end(&fake));
    ck_assert(ours() && fake.rt.traps_on);
    forbidden = false;
    ck_assert_ptr_null(ez_traps_end(&fake));
    ck_assert(handler.handler == 0xabc && handler.flags == 7 && !fake.rt.traps_on);
    ck_assert(scratch_is_wiped());
    ck_assert_ptr_null(ez_trap_point(&fake, 0x6000, 2)); /* and again */
    ck_assert(ours() && fake.rt.traps_on && scratch_is_wiped());
    fake.rt.traps_on = false; /* another shell, which finds ours in place */
    ck_assert_ptr_null(ez_trap_point(&fake, 0x7000, 3));
    ck_assert(ours() && fake.rt.traps_on);
    memcpy(&old, ram + EZ_RT_STATE + offsetof(struct rt_state, trap_old), sizeof old);
    ck_assert_uint_eq(old.handler, 0xabc);
    handler.handler = 0xdef; /* the program's newest */
    ck_assert_ptr_null(ez_traps_end(&fake));
    ck_assert(handler.handler == 0xdef && !fake.rt.traps_on);
    EZ_VEC_FREE(&fake.rt.trap);
}
END_TEST

/* ---- restartable sequences ---------------------------------------------------------------------- */

/* A window of all lengths at all distances from a sequence and from its abort handler, whose last four
 * bytes of signature come first: it must not change their bytes, nor end where the sequence begins. */
START_TEST(windows_near_sequences)
{
    const struct ez_cs cs = { 0x5000, 0x5010, 0x5040 };
    for (int of_thread = 0; of_thread < 2; of_thread++)
        for (uint64_t at = 0x4ff0; at < 0x5050; at++)
            for (uint8_t n = 1; n < 12; n++)
                for (int by = 0; by < 3; by++) { /* whole instructions, padding, or the jump */
                    struct ez_site s = { .mod = &lib[0].mod };
                    fake_begin();
                    s.win.site = at;
                    s.win.len = by == 0 ? n : by == 1 ? 1 : n - 1;
                    s.win.padding = by == 1 ? n - 1 : 0;
                    s.win.jump = by == 2 ? n : 1;
                    if (of_thread)
                        EZ_PUSH(&fake.inf.cs, cs);
                    else
                        EZ_PUSH(&lib[0].mod.cs, cs);
                    bool want = (at < cs.end && at + n >= cs.start) ||
                                (at < cs.abort && at + n > cs.abort - 4);
                    ez_err *e = ez_rseq_spared(&fake, &s);
                    SURE((e != NULL) == want);
                    SURE(!e || !strcmp(e->msg, "a restartable sequence is among its first bytes"));
                    ez_err_free(e);
                    EZ_VEC_FREE(&fake.inf.cs);
                    EZ_VEC_FREE(&lib[0].mod.cs);
                }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout");
    TCase *c = tcase_create("layout");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, parts_of_the_segment);
    tcase_add_test(c, it_shrinks_to_a_limit);
    tcase_add_test(c, it_shrinks_to_its_hole);
    tcase_add_test(c, what_the_header_says);
    tcase_add_test(c, rings_are_as_large_as_asked_for);
    tcase_add_test(c, room_under_a_limit);
    tcase_add_test(c, a_table_of_breakpoints);
    tcase_add_test(c, who_handles_breakpoints);
    tcase_add_test(c, windows_near_sequences);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
