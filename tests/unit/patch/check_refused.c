/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_refused.c - what the engine refuses to do to a process, with the reason in words, and
 * what is as before when a step of it fails: bytes, probes, numbers, counts. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "engine/data_abi.h"
#include "engine/patch/site.h"
#include "tests/unit/deny.h"
#include "tests/unit/process.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/temp_bp.h"
#include "engine/patch/alloc.h"
#include "engine/patch/island.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/variant.h"

EZ_DENIED(ssize_t, pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), -1)
EZ_DENIED(ssize_t, pwrite, (int fd, const void *buf, size_t n, off_t at), (fd, buf, n, at), -1)
EZ_DENIED(pid_t, fork, (void), (), -1)
EZ_DENIED(int, pipe2, (int fd[2], int flags), (fd, flags), -1)
EZ_DENIED_IF(n == 1, ssize_t, write, (int fd, const void *buf, size_t n), (fd, buf, n), -1)
EZ_DENIED(int, eventfd, (unsigned n, int flags), (n, flags), -1)
EZ_DENIED(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), -1)

static pid_t pid;

static void begin(void)
{
    launch("p_reach", "/nowhere/stop /nowhere/go 1");
    pid = t->inf.pid;
    outlived_by_none(pid);
}

static void teardown(void)
{
    deny_nothing();
    close_target();
}

static void says(ez_err *e, enum ez_code code, const char *want)
{
    ck_assert_msg(e != NULL, "no error: %s", want);
    ck_assert_int_eq(e->code, code);
    ck_assert_str_eq(why_not(e), want);
}

static uint64_t address(const char *name)
{
    uint64_t at = ez_symbol_addr(t, ez_module_program(t), name);
    ck_assert_msg(at, "%s", name);
    return at;
}

/* ---- launching ------------------------------------------------------------------------------- */

START_TEST(not_started)
{
    static const char *const call[] = { "pipe2", "fork", "write" };
    struct ez_run how = { .stop_at_main = true };
    begin();
    must(ez_kill(t));
    deny(call[_i], 1, EAGAIN);
    says(ez_run(t, &how), EZ_E_SYS, "Cannot start the program: Resource temporarily unavailable");
    deny_nothing();
    ck_assert_int_eq(ez_target_state(t), EZ_NONE);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | __WALL), 0); /* the one of outlived_by_none() */
    must(ez_run(t, &how));
    outlived_by_none(t->inf.pid);
    must(ez_kill(t));
}
END_TEST

START_TEST(no_engine)
{
    static const char *const call[] = { "signalfd", "eventfd" };
    deny(call[_i], 1, EMFILE);
    says(ez_target_create(&t), EZ_E_SYS,
         "Cannot create the descriptors that report events of a process: Too many open files");
    t = NULL;
}
END_TEST

/* The head of such a program says what it is for, at bytes 18 and 19. */
START_TEST(another_processors_program)
{
    static const uint8_t aarch64 = 183;
    char path[64], cmd[200];
    snprintf(path, sizeof path, "check_refused-%d", getpid());
    const char *top = getenv("top_builddir");
    snprintf(cmd, sizeof cmd, "cp %s/tests/targets/p_app %s", top ? top : ".", path);
    ck_assert_int_eq(system(cmd), 0);
    EZ_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(pwrite(fd, &aarch64, 1, 18), 1);
    must(ez_target_create(&t));
    EZ_FREE char *want =
        ez_sprintf("%s is a program for another processor; this eztsh supports only x86_64", path);
    ez_err *e = ez_target_file(t, path);
    unlink(path);
    says(e, EZ_E_FORMAT, want);
}
END_TEST

/* ---- memory that is eztsh's ------------------------------------------------------------------ */

START_TEST(the_runtime_is_not_unmapped)
{
    begin();
    plant("mov_rip", EZ_PROBE_BOTH, true);
    const struct ez_runtime *rt = &t->rt;
    const struct {
        uint64_t at, n;
    } part[] = { { rt->blob, EZ_RT_SIZE },
                 { rt->ctls, rt->ctls_size },
                 { rt->seg, rt->seg_size },
                 { rt->area.at[0].base, rt->area.at[0].size },
                 { rt->area.at[rt->area.n - 1].base, rt->area.at[rt->area.n - 1].size } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(part); i++) {
        const uint64_t at[][2] = { { part[i].at, 1 },
                                   { part[i].at, EZ_PAGE },
                                   { part[i].at - EZ_PAGE, EZ_PAGE + 1 },
                                   { part[i].at + part[i].n - 1, 1 },
                                   { part[i].at - EZ_PAGE, part[i].n + 2 * EZ_PAGE } };
        for (size_t k = 0; k < EZ_ARRAY_LEN(at); k++) {
            EZ_FREE char *want = ez_sprintf(
                "0x%lx belongs to the runtime of eztsh: a thread may be executing it", at[k][0]);
            says(ez_remote_munmap(t, ez_addr_of(at[k][0]), at[k][1]), EZ_E_ARG, want);
        }
    }
    for (size_t i = 0; i < rt->area.n; i++) { /* no byte more than it has */
        uint64_t lo = rt->area.at[i].base, hi = lo + rt->area.at[i].size;
        ck_assert(ez_trampoline_owns(t, lo, lo + 1) && ez_trampoline_owns(t, hi - 1, hi));
        ck_assert(ez_trampoline_owns(t, lo - 1, lo + 1) && ez_trampoline_owns(t, hi - 1, hi + 1));
        for (size_t k = 0; k < rt->area.n; k++)
            ck_assert(rt->area.at[k].base == hi || k == i || !ez_trampoline_owns(t, hi, hi));
    }
    ck_assert(!ez_trampoline_owns(t, address("mov_rip"), address("mov_rip") + 1));
    uint64_t lo = rt->area.at[0].base, hi = lo + rt->area.at[0].size;
    bool alone = rt->area.n == 1;
    ck_assert(!alone || (!ez_trampoline_owns(t, lo - 1, lo) && !ez_trampoline_owns(t, hi, hi + 1)));
}
END_TEST

/* ---- places ---------------------------------------------------------------------------------- */

START_TEST(no_place)
{
    struct ez_patch_region f = { .jump = 2 }, g = { .jump = 5 };
    struct ez_patch_region pun = { .site = 0x1000, .jump = 4 };
    begin();
    memset(pun.bytes, 0xff, sizeof pun.bytes); /* before the beginning of memory, all of them */
    says(ez_island_pun(t, &pun, false), EZ_E_REFUSED,
         "no free memory at an address that a punned jump can reach");
    f.site = address("tight_1");
    g.site = f.site + 1;
    says(ez_island_pair(t, &f, &g, false), EZ_E_REFUSED,
         "no free memory at addresses that two punned jumps can reach");
    f.jump = 1;
    must(ez_island_pair(t, &f, &g, false));
    plant("mov_rip", EZ_PROBE_BOTH, true);
    unsigned npools = t->rt.npools;
    ck_assert_uint_eq(npools, 1);
    must(ez_pool_reserve(t, address("cmp_rip_imm"))); /* near enough */
    ck_assert_uint_eq(t->rt.npools, 1);
    t->rt.npools = EZ_NPOOLS;
    for (unsigned i = 1; i < EZ_NPOOLS; i++)
        t->rt.pool[i].base = t->rt.pool[0].base;
    says(ez_pool_reserve(t, t->rt.pool[0].base + (1ull << 40)), EZ_E_LIMIT,
         "A process can have at most 8 pools of return thunks");
    t->rt.npools = npools;
    EZ_FREE char *want = ez_sprintf("A probe is already at 0x%lx", address("mov_rip"));
    says(ez_site_hook(t, address("mov_rip"), 0), EZ_E_STATE, want);
    int first, n;
    says(ez_probe_add(t,
                      &(struct ez_probe_spec){ EZ_PROBE_BOTH, .record = true, .location = "*zz" },
                      &first, &n),
         EZ_E_ARG, "Invalid address \"zz\"");
    says(ez_locate_line(t, "mov_rip", NULL, NULL), EZ_E_ARG,
         "\"mov_rip\" is not of the form FILE:LINE");
}
END_TEST

/* The function before has one byte, and could have a jump only together with this one, whose jump
 * stands already: that jump is not changed. */
START_TEST(a_neighbour_that_is_planted_stays)
{
    uint8_t was[16], is[16];
    int first, n;
    begin();
    plant("next_1", EZ_PROBE_BOTH, true);
    must(ez_mem_read(t, address("next_1"), was, sizeof was));
    t->set.strategy = EZ_USE_PUN;
    ez_err *e = ez_probe_add(
        t, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .record = true, .location = "tight_1" }, &first,
        &n);
    ck_assert(e && e->code == EZ_E_REFUSED);
    ez_err_free(e);
    must(ez_mem_read(t, address("next_1"), is, sizeof is));
    ck_assert(!memcmp(was, is, sizeof was));
    must(ez_probe_delete(t, &(struct ez_numbers){ 1, 1 }, 1));
    plant("tight_1", EZ_PROBE_BOTH, true);
}
END_TEST

/* A function that only a trap can serve needs `-trap` each time, even if a trap stands there already. */
START_TEST(a_trap_must_be_asked_for)
{
    int first, n;
    begin();
    ez_settings(t)->strategy = EZ_USE_TRAP;
    must(ez_probe_add(
        t,
        &(struct ez_probe_spec){ .kind = (enum ez_probe_kind)(EZ_PROBE_ENTRY | EZ_PROBE_TRAP),
                                 .location = "tight_4" },
        &first, &n));
    ez_settings(t)->strategy = EZ_USE_ANY;
    says(ez_probe_add(t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = "tight_4" }, &first,
                      &n),
         EZ_E_REFUSED,
         "Cannot probe tight_4: the patch at this address is a trap: use \"probe -trap\"");
    ck_assert_uint_eq(ez_probe_count(t), 1);
}
END_TEST

/* Reading memory shows the program's byte under the breakpoint of `start`, wherever reading begins. */
START_TEST(a_breakpoint_is_not_shown)
{
    uint8_t file[24], live[24];
    begin();
    uint64_t at = address("mov_rip");
    must(ez_mem_read(t, at - 4, file, sizeof file));
    must(ez_temp_bp_set(t, at));
    for (uint64_t from = at - 4; from < at + 4; from++)
        for (size_t n = 1; n <= 8; n++) {
            memset(live, 0xee, sizeof live);
            ck_assert_uint_eq(ez_read_original(t, from, live, n), n);
            ck_assert_msg(!memcmp(live, file + (from - (at - 4)), n), "%ld, %zu bytes",
                          (long)(from - at), n);
            ck_assert_uint_eq(live[n], 0xee);
        }
    must(ez_temp_bp_clear(t));
}
END_TEST

/* ---- what fails is as if it had not begun ---------------------------------------------------- */

/* How many sites have probes, without the one that stands all the time. */
static unsigned wanted(void)
{
    unsigned n = 0;
    for (size_t i = 0; i < t->patcher.site.n; i++)
        n += ez_site_wanted(&t->patcher.site.at[i]) &&
             t->patcher.site.at[i].func != address("needs_island");
    return n;
}

static bool stands(const char *name, const uint8_t file[8])
{
    uint8_t live[8];
    must(ez_mem_read(t, address(name), live, sizeof live));
    return memcmp(live, file, sizeof live) != 0;
}

/* With a probe that stands already, the Nth write to the target is denied, and the one behind
 * it, with which it is tried again; N = 0: the runtime's files, of which nothing is there yet. */
static void deny_write(int nth, uint8_t file[8])
{
    begin();
    must(ez_mem_read(t, address("mov_rip"), file, 8));
    if (nth)
        plant("needs_island", EZ_PROBE_ENTRY, false);
    deny(nth ? "pwrite" : "pwritev", nth ? nth : 1, EIO);
    denied.times = 2;
}

#define WRITES 20 /* to the target: as many as planting takes, and some */
#define SOME 4    /* of them that nothing can do without */
static unsigned *failures(void)
{
    static unsigned *n; /* of all tests, each of which is a process */
    if (!n)
        n = mmap(NULL, EZ_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return n;
}

START_TEST(a_commit_that_fails)
{
    struct ez_bulk done;
    int first, n;
    unsigned forgotten;
    uint8_t file[8];
    deny_write(_i, file);
    const char *later = denied.call;
    deny_nothing();
    must(ez_begin(t));
    must(ez_probe_add(
        t, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .record = true, .location = "mov_rip" }, &first,
        &n));
    must(ez_probe_add(t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = "cmp_rip_imm" },
                      &first, &n));
    denied.call = later;
    denied.seen = 0;
    ez_err *e = ez_commit(t, &done);
    deny_nothing();
    if (e) {
        ez_err_free(e);
        failures()[0]++;
        ck_assert(ez_transaction_open(t) && t->probes.probe.n == 2 + !!_i);
        for (size_t i = t->probes.probe.n - 2; i < t->probes.probe.n; i++) {
            ck_assert_int_eq(t->probes.probe.at[i]->state, EZ_PROBE_PENDING);
            ck_assert_int_eq(t->probes.probe.at[i]->site, -1);
        }
        ck_assert_msg(wanted() == 0 && !stands("mov_rip", file), "write %d", _i);
        if (_i % 2) { /* either will do */
            must(ez_rollback(t, &forgotten));
            ck_assert_uint_eq(forgotten, 2);
            return;
        }
        must(ez_commit(t, &done));
    }
    ck_assert_uint_eq(done.planted, 2);
    ck_assert(!ez_transaction_open(t) && wanted() == 2 && stands("mov_rip", file));
}
END_TEST

START_TEST(a_regex_that_fails)
{
    struct ez_bulk done;
    uint8_t file[8];
    deny_write(_i, file);
    ez_err *e = ez_probe_add_matching(
        t, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .record = true, .location = "^mov_" }, &done);
    deny_nothing();
    if (e) {
        ez_err_free(e);
        failures()[1]++;
        ck_assert_uint_eq(t->probes.probe.n, !!_i);
        ck_assert_int_eq(t->probes.next_number, 1 + !!_i);
        ck_assert_msg(wanted() == 0 && !stands("mov_rip", file), "write %d", _i);
        must(ez_probe_add_matching(
            t, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .record = true, .location = "^mov_" },
            &done));
    }
    ck_assert(done.planted > 1 && wanted() == done.planted && stands("mov_rip", file));
}
END_TEST

START_TEST(some_of_them_failed)
{
    ck_assert_uint_gt(failures()[0], SOME);
    ck_assert_uint_gt(failures()[1], SOME);
}
END_TEST

/* Each state of a probe is counted once: asked for = planted + refused + what is neither. */
START_TEST(coverage_counts_each_state)
{
    static const char *const name[] = { "mov_rip", "cmp_rip_imm", "next_1", "needs_island" };
    struct ez_coverage c;
    begin();
    for (size_t i = 0; i < EZ_ARRAY_LEN(name); i++)
        plant(name[i], EZ_PROBE_ENTRY, false);
    enum ez_probe_state was = t->probes.probe.at[1]->state;
    t->probes.probe.at[1]->state = EZ_PROBE_LOST;
    t->probes.probe.at[2]->state = EZ_PROBE_PENDING;
    t->probes.probe.at[3]->state = EZ_PROBE_DISABLED;
    ez_coverage(t, &c, NULL, NULL);
    ck_assert_uint_eq(c.lost, 1);
    ck_assert_uint_eq(c.pending, 1);
    ck_assert_uint_eq(c.disabled, 1);
    ck_assert_uint_eq(c.nplanted, 1);
    ck_assert_uint_eq(c.planted[0].n, 1);
    ck_assert_uint_eq(c.refused + c.removed, 0);
    ck_assert_uint_eq(c.requested, 4);
    for (size_t i = 1; i < 4; i++)
        t->probes.probe.at[i]->state = was;
}
END_TEST

/* The runtime reads only listed memory directly. Without the list each read is a system call. */
START_TEST(stable_memory_is_listed)
{
    const struct ez_probe_spec spec = { EZ_PROBE_ENTRY, .location = "mov_rip", .cond = "$rsp" };
    const struct ez_module *program;
    bool listed = false;
    int first, n;
    begin();
    program = ez_module_program(t);
    must(ez_probe_add(t, &spec, &first, &n));
    const struct ez_ranges *of = (const struct ez_ranges *)((const char *)t->rt.hdr + EZ_PAGE);
    for (uint32_t i = 0; i < of->n; i++)
        listed |= of->range[i].lo <= program->lo && of->range[i].hi > program->lo;
    ck_assert(listed);
    ck_assert_uint_eq(of->seq % 2, 0);
}
END_TEST

/* ---- less memory ----------------------------------------------------------------------------- */

/* Under a limit of the address space there is room for fewer threads, then for fewer probes,
 * again for fewer threads, and at last for smaller rings: never in another order. */
START_TEST(limits_of_memory)
{
    uint32_t least = UINT32_MAX;
    for (int bits = 40; bits >= 27; bits--) {
        struct rlimit lim = { 1ull << bits, RLIM_INFINITY };
        begin();
        t->set.ring_kib = _i ? 16384 : 1024;
        ck_assert_int_eq(prlimit(pid, RLIMIT_AS, &lim, NULL), 0);
        plant("mov_rip", EZ_PROBE_ENTRY, false);
        const struct ez_hdr *h = t->rt.hdr;
        const uint32_t nsub = _i ? 512 : 32;
        ck_assert_uint_le(h->size, lim.rlim_cur / 2);
        ck_assert(h->nbuffers >= 16 && h->ids_max >= 4096 && h->nsub >= 2);
        ck_assert_msg(h->ids_max == 1048576 || h->nbuffers <= 512, "%d", bits);
        ck_assert_msg(h->nbuffers >= 512 || h->ids_max == 4096, "%d", bits);
        ck_assert_msg(h->nsub == nsub || h->nbuffers == 16, "%d: %u lanes, %u parts", bits,
                      h->nbuffers, h->nsub);
        ck_assert_msg(_i || bits < 40 || (h->nbuffers == 8192 && h->ids_max == 1048576), "%d",
                      bits);
        least = EZ_MIN(least, h->nsub * h->nbuffers);
        must(ez_kill(t));
        close_target();
    }
    ck_assert_uint_le(least, 32 * 16);
}
END_TEST

int main(void)
{
    if (!proc_there("check_refused"))
        return 77;
    Suite *s = suite_create("refused");
    TCase *c = tcase_create("refused");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, NULL, teardown);
    tcase_add_loop_test(c, not_started, 0, 3);
    tcase_add_loop_test(c, no_engine, 0, 2);
    tcase_add_test(c, another_processors_program);
    tcase_add_test(c, the_runtime_is_not_unmapped);
    tcase_add_test(c, no_place);
    tcase_add_test(c, a_neighbour_that_is_planted_stays);
    tcase_add_test(c, a_trap_must_be_asked_for);
    tcase_add_test(c, a_breakpoint_is_not_shown);
    failures();
    tcase_add_loop_test(c, a_commit_that_fails, 0, WRITES);
    tcase_add_loop_test(c, a_regex_that_fails, 0, WRITES);
    tcase_add_test(c, some_of_them_failed);
    tcase_add_test(c, coverage_counts_each_state);
    tcase_add_test(c, stable_memory_is_listed);
    tcase_add_loop_test(c, limits_of_memory, 0, 2);
    suite_add_tcase(s, c);
    return run_suite(s);
}
