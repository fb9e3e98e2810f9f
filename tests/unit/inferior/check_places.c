/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_places.c - where there is room between mappings, libraries that may come again, how
 * far long work is, and which clock is taken: without another process. */
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <time.h>

#include "engine/base/foreign.h"
#include "engine/record/clock.h"
#include "tests/unit/process.h"
#include "tests/unit/suite.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/unloaded.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"

#define K 0x1000ull
#define M 0x100000ull
#define G 0x40000000ull

static struct ez_maps maps;

static void mapped(uint64_t lo, uint64_t hi, const char *name)
{
    EZ_PUSH(&maps.map, ((struct ez_map){ .lo = lo, .hi = hi, .name = name }));
    if (!strcmp(name, "[heap]"))
        maps.brk = hi;
}

static void program(bool heap)
{
    maps = (struct ez_maps){ .brk = 0 };
    mapped(4 * M, 5 * M, "/p");
    if (heap)
        mapped(5 * M, 5 * M + 16 * K, "[heap]");
    mapped(0x7f0000000000, 0x7f0000100000, "/l");
    mapped(0x7ffc00000000, 0x7ffc00021000, "[stack]");
}

START_TEST(free_pages)
{
    const uint64_t below = 0x7ffc00000000 - (128ull << 20), grown = 5 * M + 16 * K + G;
    const struct {
        bool heap;
        uint64_t lo, hi, size, want;
    } f[] = {
        { false, 3 * M, 6 * M, K, 3 * M },
        { false, 0, 6 * M, K, 0x10000 }, /* never the lowest pages */
        { false, 4 * M - K, 6 * M, K, 4 * M - K },
        { false, 4 * M - K, 6 * M, K + 1, 5 * M },
        { false, 4 * M + K, 5 * M, K, 5 * M },
        { false, 4 * M + K, 5 * M - 1, K, 0 },
        { false, below - K, below - K, K, below - K },
        { false, below - K, below - K, K + 1, 0 },
        { false, 0x7ffffffff000 - K, 0x7ffffffff000, K, 0x7ffffffff000 - K },
        { false, 0x7ffffffff000 - K, 0x7ffffffff000, K + 1, 0 },
        { true, 4 * M - K, 4 * M - K, K, 4 * M - K },
        { true, 5 * M + 16 * K, 6 * M, K, 0 }, /* the heap grows there */
        { true, grown - 1, grown - 1, 1, 0 },
        { true, grown, grown, 1, grown },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(f); i++) {
        program(f[i].heap);
        uint64_t got = ez_maps_free_at(&maps, f[i].lo, f[i].hi, f[i].size);
        ck_assert_msg(got == f[i].want, "%zu: 0x%lx, not 0x%lx", i, (unsigned long)got,
                      (unsigned long)f[i].want);
        ez_maps_free(&maps);
    }
}
END_TEST

START_TEST(gaps_in_reach)
{
    const struct {
        bool heap, filled; /* below the program there is nothing left */
        uint64_t size;
        int64_t reach;
        uint64_t want;
    } f[] = {
        { false, false, 64 * K, 0x7fff0000, 4 * M - 64 * K },
        { false, false, 64 * K, M + 64 * K + 1, 4 * M - 64 * K },
        { false, false, 64 * K, M + 64 * K, 0 },
        { false, true, 64 * K, 0x7fff0000, 5 * M },
        { false, true, 64 * K, M + 64 * K + 1, 5 * M },
        { false, true, 64 * K, M + 64 * K, 0 },
        { true, true, 64 * K, 0x7fff0000, 5 * M + 16 * K + G },
        { true, true, 64 * K, G, 0 },
        { false, false, 2 * M, 0x7fff0000, 2 * M }, /* huge pages */
        { false, true, 2 * M, 0x7fff0000, 6 * M },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(f); i++) {
        maps = (struct ez_maps){ .brk = 0 };
        if (f[i].filled)
            mapped(0x10000, 4 * M - K, "/below");
        struct ez_maps low = maps;
        program(f[i].heap);
        for (size_t k = 0; k < maps.map.n; k++)
            EZ_PUSH(&low.map, maps.map.at[k]);
        low.brk = maps.brk;
        uint64_t got = ez_maps_gap(&low, 4 * M, 5 * M, f[i].size, f[i].reach);
        ck_assert_msg(got == f[i].want, "%zu: 0x%lx, not 0x%lx", i, (unsigned long)got,
                      (unsigned long)f[i].want);
        ez_maps_free(&maps);
        ez_maps_free(&low);
    }
}
END_TEST

/* A place far from all others lies below the uppermost mappings that leave room, else in the middle
 * of the largest gap. */
START_TEST(far_from_all)
{
    const struct {
        uint64_t gap, end, want, behind;
    } f[] = {
        { 0x7fe000000000, 0x7fe800000000, 0x7fe400000000, 0x400000000 },
        { 0x7f0000000000, 0x7f6000000000, 0x7f1000000000, EZ_FAR_SIZE },
        { 0x7f0000000000, 0x7f5ffffff000, 0x7f2fffe00000, 0x2ffffff800 },
    };
    uint64_t behind;
    program(false);
    ck_assert_uint_eq(ez_maps_far(&maps, &behind), 0x7fac00000000);
    ez_maps_free(&maps);
    for (size_t i = 0; i < EZ_ARRAY_LEN(f); i++) {
        maps = (struct ez_maps){ .brk = 0 };
        mapped(0x10000, f[i].gap, "/a");
        mapped(f[i].end, 0x7ffffffff000, "/b");
        ck_assert_uint_eq(ez_maps_far(&maps, &behind), f[i].want);
        ck_assert_uint_eq(behind, f[i].behind);
        ez_maps_free(&maps);
    }
    maps = (struct ez_maps){ .brk = 0 }; /* two of one size: the lower */
    mapped(0x10000, 0x7f0000000000, "/a");
    mapped(0x7f0800000000, 0x7f2000000000, "/b");
    mapped(0x7f2800000000, 0x7ffffffff000, "/c");
    ck_assert_uint_eq(ez_maps_far(&maps, &behind), 0x7f0400000000);
    ez_maps_free(&maps);
}
END_TEST

START_TEST(our_own_mappings)
{
    static int data;
    must(ez_maps_read(getpid(), &maps));
    ck_assert_uint_gt(maps.map.n, 5);
    bool code = false, there = false, heap = false;
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *m = &maps.map.at[i];
        ck_assert_uint_lt(m->lo, m->hi);
        bool is_code = m->lo <= (uintptr_t)must && (uintptr_t)must < m->hi;
        code |= is_code && !strcmp(m->perm, "r-xp") && m->inode && m->name[0] == '/';
        there |= m->lo <= (uintptr_t)&data && (uintptr_t)&data < m->hi && m->perm[1] == 'w';
        heap |= !strcmp(m->name, "[heap]") && maps.brk == m->hi;
    }
    ck_assert(code && there && heap);
    ez_maps_free(&maps);
    ez_err *e = ez_maps_read(99999999, &maps);
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_GONE);
    ez_err_free(e);
}
END_TEST

/* ---- libraries that may come again -------------------------------------------------------------- */

static struct ez_module *module(uintptr_t obj, uint64_t lo, const char *name)
{
    struct ez_module *m = ez_alloc(sizeof *m);
    m->obj = (struct ez_object *)obj; /* never looked at */
    m->lo = lo;
    m->mapped = ez_strdup(name);
    m->unwind_hooked = m->jumps_hooked = true;
    EZ_PUSH(&m->rule, 1);
    return m;
}

START_TEST(the_same_library_again)
{
    must(ez_target_create(&t));
    struct ez_module *was = module(1, K, "/a"), *other = module(2, 2 * K, "/b");
    EZ_PUSH(&t->patcher.site, ((struct ez_site){ .mod = was }));
    EZ_PUSH(&t->patcher.site, ((struct ez_site){ .mod = other }));
    ez_module_gone(t, was);
    ck_assert_uint_eq(t->inf.gone.n, 1);
    ck_assert_ptr_null(t->patcher.site.at[0].mod);
    ck_assert_ptr_eq(t->patcher.site.at[0].gone, was);
    ck_assert_ptr_eq(t->patcher.site.at[1].mod, other);
    ck_assert_ptr_null(t->patcher.site.at[1].gone);
    /* another file, another place, another name */
    struct ez_module *no[] = { module(3, K, "/a"), module(1, 3 * K, "/a"), module(1, K, "/c") };
    for (size_t i = 0; i < EZ_ARRAY_LEN(no); i++) {
        ck_assert_ptr_eq(ez_module_again(t, no[i]), no[i]);
        ez_module_free(no[i]);
    }
    ck_assert_ptr_eq(ez_module_again(t, module(1, K, "/a")), was);
    ck_assert_uint_eq(t->inf.gone.n, 0);
    ck_assert(was->fresh && !was->unwind_hooked && !was->jumps_hooked);
    ck_assert_uint_eq(was->rule.n, 0);
    t->patcher.site.at[0].mod = was;
    ez_module_gone(t, was);
    for (int i = 0; i < 15; i++)
        ez_module_gone(t, module(10, (uint64_t)i * M, "/x"));
    ck_assert_uint_eq(t->inf.gone.n, 16);
    ck_assert_ptr_eq(t->patcher.site.at[0].gone, was);
    ez_module_gone(t, module(11, K, "/y")); /* the oldest goes */
    ck_assert_uint_eq(t->inf.gone.n, 16);
    ck_assert_ptr_null(t->patcher.site.at[0].gone);
    ck_assert_uint_eq(t->inf.gone.at[0]->lo, 0);
    ck_assert_str_eq(t->inf.gone.at[15]->mapped, "/y");
    ez_module_gone(t, module(0, K, "/z")); /* of which nothing is known */
    ck_assert_uint_eq(t->inf.gone.n, 16);
    ck_assert_str_eq(t->inf.gone.at[15]->mapped, "/y");
    ez_unloaded_clear(t);
    ck_assert_uint_eq(t->inf.gone.n, 0);
    ez_module_free(other);
    t->patcher.site.n = 0;
    close_target();
}
END_TEST

/* Any one reason is enough for a site to stay. */
START_TEST(whom_a_site_serves)
{
    const struct ez_site none = { .current = -1 };
    struct ez_site s[] = { none, none, none, none, none, none, none, none };
    s[0].hook = 1;
    s[1].jump = 1;
    s[2].guests = 1;
    s[3].current = 0;
    for (int i = 0; i < 4; i++)
        s[4 + i].want[i] = 1;
    ck_assert(!ez_site_serves(&none));
    for (size_t i = 0; i < EZ_ARRAY_LEN(s); i++)
        ck_assert_msg(ez_site_serves(&s[i]), "%zu", i);
}
END_TEST

/* ---- long work ---------------------------------------------------------------------------------- */

static struct told {
    unsigned n;
    const char *what;
    uint64_t done, total;
    bool go_on;
} told;

static bool tell(void *arg, const char *what, uint64_t done, uint64_t total)
{
    ck_assert_ptr_eq(arg, &told);
    told.n++;
    told.what = what;
    told.done = done;
    told.total = total;
    return told.go_on;
}

START_TEST(how_far_it_is)
{
    must(ez_target_create(&t));
    told.go_on = true;
    ez_progress_notify(t, tell, &told);
    must(ez_progress_step(t, "work", 0, 100)); /* outside of any scope */
    ck_assert_uint_eq(told.n, 0);
    ez_progress_begin(t);
    must(ez_progress_step(t, "work", 0, 100));
    ck_assert_uint_eq(told.n, 1);
    ck_assert_str_eq(told.what, "");            /* it may be over soon */
    must(ez_progress_step(t, "work", 64, 100)); /* not that often */
    ck_assert_uint_eq(told.n, 1);
    t->inf.progress.next = 1;
    must(ez_progress_step(t, "work", 65, 100)); /* nor at each step */
    ck_assert_uint_eq(told.n, 1);
    ez_progress_begin(t);
    must(ez_progress_step(t, "more", 128, 100));
    ck_assert_uint_eq(told.n, 2);
    ck_assert_str_eq(told.what, "more");
    ck_assert_uint_eq(told.done, 128);
    ck_assert_uint_eq(told.total, 100);
    must(ez_progress_end(t, NULL)); /* an inner one */
    ck_assert_uint_eq(told.n, 2);
    t->inf.progress.next = 1;
    told.go_on = false;
    ez_err *e = ez_progress_step(t, "work", 0, 1);
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_QUIT);
    ck_assert_str_eq(why_not(e), "Quit");
    ck_assert_uint_eq(told.n, 3);
    ck_assert_str_eq(why_not(ez_progress_step(t, "work", 3, 4)), "Quit"); /* to its end */
    ck_assert(ez_foreign_stopped());
    ck_assert_uint_eq(told.n, 3);
    e = ez_err_new(EZ_E_QUIT, 0, "x");
    ck_assert_ptr_eq(ez_progress_end(t, e), e);
    ez_err_free(e);
    ck_assert_uint_eq(told.n, 4);
    ck_assert_ptr_null(told.what);
    ck_assert(!ez_foreign_stopped());
    told.go_on = true;
    ez_progress_begin(t); /* anew; nothing was shown, so nothing is taken away */
    must(ez_progress_step(t, "work", 0, 0));
    must(ez_progress_end(t, NULL));
    ck_assert_uint_eq(told.n, 5);
    ck_assert_str_eq(told.what, "");
    close_target();
}
END_TEST

/* A child that changes its own state in all ways, for the fields of /proc. */
static void in_all_ways(void)
{
    sigset_t mask;
    prctl(PR_SET_NAME, "a) Z b");
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigaddset(&mask, SIGUSR2);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signal(SIGHUP, SIG_IGN);
    signal(SIGWINCH, exit);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGUSR1); /* for the thread; the next for the process */
    kill(getpid(), SIGUSR2);
    if (mlock((void *)((uintptr_t)&maps & ~(uintptr_t)4095), 4096))
        _exit(1);
    raise(SIGSTOP);
}

START_TEST(what_proc_says_of_a_task)
{
    struct ez_proc_status s, none = { .state = 0 };
    int status;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (!pid) {
        in_all_ways();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSTOPPED(status));
    for (int thread = 0; thread < 2; thread++) {
        ck_assert(ez_proc_status(pid, thread ? pid : 0, &s));
        ck_assert_str_eq(s.comm, "a) Z b");
        ck_assert_int_eq(s.state, 't');
        ck_assert_uint_eq(s.process, (uint64_t)pid);
        ck_assert_uint_eq(s.parent, (uint64_t)getpid());
        ck_assert_uint_eq(s.tracer, (uint64_t)getpid());
        ck_assert_uint_eq(s.uid, getuid());
        ck_assert_uint_eq(s.locked_kb, 4);
        ck_assert_uint_eq(s.pending, 1ull << (SIGUSR1 - 1));
        ck_assert_uint_eq(s.shared_pending, 1ull << (SIGUSR2 - 1));
        ck_assert_uint_eq(s.blocked, 1ull << (SIGUSR1 - 1) | 1ull << (SIGUSR2 - 1));
        ck_assert_uint_eq(s.ignored & (1ull << (SIGHUP - 1) | 1ull << (SIGWINCH - 1)),
                          1ull << (SIGHUP - 1));
        ck_assert_uint_eq(s.caught & (1ull << (SIGHUP - 1) | 1ull << (SIGWINCH - 1)),
                          1ull << (SIGWINCH - 1));
        ck_assert(!s.nested);
    }
    ck_assert(!ez_is_zombie(pid, pid)); /* whatever its name says */
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
    ck_assert(ez_is_zombie(pid, pid));
    ck_assert(ez_proc_status(pid, 0, &s));
    ck_assert_int_eq(s.state, 'Z');
    waitpid(pid, &status, 0);
    ck_assert(ez_is_zombie(pid, pid)); /* gone */
    ck_assert(!ez_proc_status(pid, pid, &s));
    ck_assert_mem_eq(&s, &none, sizeof s);
}
END_TEST

/* The clock that is asked for, or the best there is; and an earlier shell's. */
START_TEST(which_clock_is_taken)
{
    static const unsigned by[] = { EZ_CLOCK_TSC, EZ_CLOCK_MONOTONIC, EZ_CLOCK_AUTO };
    const bool vdso = getauxval(AT_SYSINFO_EHDR) != 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(by); i++) {
        must(ez_target_create(&t));
        ez_clock_adopt(t, true, 0x1234, -5);
        ck_assert(t->tracing.mono && t->tracing.vdso_clock == 0x1234 && t->tracing.clock_add == -5);
        ez_clock_adopt(t, false, 0, 7);
        ck_assert(!t->tracing.mono && !t->tracing.vdso_clock && t->tracing.clock_add == 7);
        t->inf.pid = getpid();
        t->set.trace_clock = by[i];
        must(ez_mem_open(t));
        ez_clock_choose(t);
        if (by[i] != EZ_CLOCK_AUTO)
            ck_assert_int_eq(t->tracing.mono, by[i] == EZ_CLOCK_MONOTONIC);
        ck_assert(!t->tracing.clock_add); /* our own time */
        struct timespec now;
        int (*tell)(clockid_t, struct timespec *) =
            (int (*)(clockid_t, struct timespec *))(uintptr_t)t->tracing.vdso_clock;
        ck_assert_int_eq(tell != NULL, t->tracing.mono && vdso);
        ck_assert(!tell || !tell(CLOCK_MONOTONIC, &now));
        t->inf.pid = 0;
        close_target();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("places");
    TCase *c = tcase_create("places");
    tcase_add_test(c, free_pages);
    tcase_add_test(c, gaps_in_reach);
    tcase_add_test(c, far_from_all);
    if (proc_there("check_places: our_own_mappings"))
        tcase_add_test(c, our_own_mappings);
    if (proc_there("check_places: what_proc_says_of_a_task"))
        tcase_add_test(c, what_proc_says_of_a_task);
    tcase_add_test(c, the_same_library_again);
    tcase_add_test(c, whom_a_site_serves);
    tcase_add_test(c, how_far_it_is);
    tcase_add_test(c, which_clock_is_taken);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
