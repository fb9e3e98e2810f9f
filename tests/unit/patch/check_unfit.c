/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_unfit.c - processes and places that bear no probe, which are no machine's everyday:
 * shadow stacks, another processor's code, text that others changed or took away, memory that is
 * taken meanwhile. Nothing is changed, and all goes on. */
#include "engine/patch/site.h"
#include "engine/record/switches.h"
#include "tests/unit/child.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"
#include "engine/inferior/image.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/probe/carry.h"
#include "engine/probe/probe_list.h"

static struct {
    bool shadow;  /* the processor checks returns                           */
    bool foreign; /* programs are another processor's                       */
    bool taken;   /* where puns lead the target has mapped something        */
} odd;

bool __real_ez_proc_status(pid_t pid, pid_t tid, struct ez_proc_status *out);
bool __wrap_ez_proc_status(pid_t pid, pid_t tid, struct ez_proc_status *out);
bool __wrap_ez_proc_status(pid_t pid, pid_t tid, struct ez_proc_status *out)
{
    bool there = __real_ez_proc_status(pid, tid, out);
    if (odd.shadow)
        snprintf(out->features, sizeof out->features, "shstk wrss ");
    return there;
}

int __real_ez_object_machine(const struct ez_object *o);
int __wrap_ez_object_machine(const struct ez_object *o);
int __wrap_ez_object_machine(const struct ez_object *o)
{
    return odd.foreign ? 0 : __real_ez_object_machine(o);
}

bool __real_ez_island_mapped(const struct ez_target *x, uint64_t island);
bool __wrap_ez_island_mapped(const struct ez_target *x, uint64_t island);
bool __wrap_ez_island_mapped(const struct ez_target *x, uint64_t island)
{
    return !odd.taken && __real_ez_island_mapped(x, island);
}

static struct {
    unsigned steps;
    uint64_t done[8], total[8];
} judged; /* what was told of "Judging functions" */

ez_err *__real_ez_progress_step(struct ez_target *x, const char *what, uint64_t done,
                                uint64_t total);
ez_err *__wrap_ez_progress_step(struct ez_target *x, const char *what, uint64_t done,
                                uint64_t total);
ez_err *__wrap_ez_progress_step(struct ez_target *x, const char *what, uint64_t done,
                                uint64_t total)
{
    if (!strcmp(what, "Judging functions") && judged.steps < EZ_ARRAY_LEN(judged.done)) {
        judged.done[judged.steps] = done;
        judged.total[judged.steps++] = total;
    }
    return __real_ez_progress_step(x, what, done, total);
}

__attribute__((noinline, noclone)) long unfit(long n);
long unfit(long n)
{
    __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
    return n + 1;
}

#define UNFIT(name)                                                                                \
    __attribute__((noinline, noclone)) long name(long n);                                          \
    long name(long n)                                                                              \
    {                                                                                              \
        __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");                                \
        return n - 1;                                                                              \
    }
UNFIT(unfit_a)
UNFIT(unfit_b)
UNFIT(unfit_c)

__attribute__((noinline, noclone)) void wide(void);
void wide(void)
{
    __asm__ volatile(".fill 64, 1, 0x90");
}

static void calls_it(void)
{
    for (s->ready++; !s->go;)
        s->beat[0] = (unsigned long)unfit((long)s->beat[0]);
}

/* Becomes another program, which ends with its input. */
static void execs(void)
{
    int end[2];
    calls_it();
    if (!pipe(end) && dup2(end[0], 0) == 0)
        execlp("cat", "cat", (char *)NULL);
    _exit(1);
}

static void setup(void)
{
    memset(&odd, 0, sizeof odd);
    nheard = 0;
}

static void teardown(void)
{
    if (t)
        close_target();
    kill(child, SIGKILL);
}

/* No probe on it: the error, whose words are given. */
static void refuses(const char *where, const char *want)
{
    int first, n;
    ez_err *e =
        ez_probe_add(t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = where }, &first, &n);
    ck_assert_msg(e != NULL, "planted, not: %s", want);
    ck_assert_str_eq(why_not(e), want);
    ck_assert_uint_eq(ez_probe_count(t), 0);
}

static bool text_is(const uint8_t want[16])
{
    uint8_t now[16];
    must(ez_mem_read(t, (uintptr_t)unfit, now, sizeof now));
    return !memcmp(now, want, sizeof now);
}

/* And then it is planted, hit, and taken away. */
static void now_it_fits(void)
{
    plant("unfit", EZ_PROBE_ENTRY, false);
    must(ez_continue(t, false, -1));
    works(1);
    must(ez_interrupt(t));
    must(ez_probe_delete(t, &(struct ez_numbers){ 1, 99 }, 1));
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}

START_TEST(shadow_stacks)
{
    uint8_t file[16];
    begin(calls_it, 1);
    attach();
    must(ez_mem_read(t, (uintptr_t)unfit, file, sizeof file));
    EZ_FREE char *want = ez_sprintf("process %d runs with shadow stacks", child);
    odd.shadow = true;
    refuses("unfit", want);
    ck_assert(text_is(file));
    odd.shadow = false;
    now_it_fits();
}
END_TEST

START_TEST(another_processor)
{
    char me[4096] = "";
    ck_assert_int_gt(readlink("/proc/self/exe", me, sizeof me - 1), 0);
    EZ_FREE char *want =
        ez_sprintf("%s is a 64-bit program for another processor; this eztsh supports only %s", me,
                   ez_arch_host()->name);
    begin(calls_it, 1);
    must(ez_target_create(&t));
    odd.foreign = true;
    ck_assert_str_eq(why_not(ez_attach(t, child, false)), want);
    odd.foreign = false;
    ck_assert_int_eq(ez_target_state(t), EZ_NONE);
    unsigned long was = s->beat[0];
    while (s->beat[0] < was + 1000) /* nobody holds it */
        usleep(100);
    close_target();
    attach();
    now_it_fits();
}
END_TEST

/* A short jump in the function's first bytes, which is not the file's: of who knows whom. */
START_TEST(a_jump_of_anothers)
{
    uint8_t file[16], jumps[16];
    begin(calls_it, 1);
    attach();
    must(ez_mem_read(t, (uintptr_t)unfit, file, sizeof file));
    memcpy(jumps, file, sizeof jumps);
    memcpy(jumps, (uint8_t[]){ 0xeb, 0 }, 2);
    must(ez_mem_write(t, (uintptr_t)unfit, jumps, sizeof jumps, "be somebody else"));
    refuses("unfit", "Cannot probe unfit: another tool's jump is at this address");
    ck_assert(text_is(jumps));
    must(ez_mem_write(t, (uintptr_t)unfit, file, sizeof file, "be somebody else"));
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* The library's code is there, but nobody may run it now. */
START_TEST(no_code)
{
    begin(calls_it, 1);
    attach();
    uint64_t page = (uintptr_t)unfit & ~(EZ_PAGE - 1);
    struct ez_module *m = ez_module_at(t, page);
    ck_assert_ptr_nonnull(m);
    EZ_FREE char *want = ez_sprintf("%s has no executable mapping", m->path);
    uint64_t lo = m->lo, hi = m->hi;
    m->lo = m->hi = 0; /* where no mapping is */
    const char *said_so = why_not(ez_module_text(t, m));
    ck_assert_str_eq(said_so, want);
    m->lo = lo;
    m->hi = hi;
    struct ez_module no_elf = { .path = (char *)"/code.bin", .lo = lo, .hi = hi };
    ck_assert_str_eq(why_not(ez_module_text(t, &no_elf)),
                     "the symbols of /code.bin cannot be read");
    now_it_fits();
}
END_TEST

/* ---- puns ------------------------------------------------------------------------------------- */

static void begin_puns(void)
{
    launch("p_reach", "/nowhere/stop /nowhere/go 1");
    child = ez_target_pid(t);
    outlived_by_none(child);
    ez_settings(t)->strategy = EZ_USE_PUN;
}

START_TEST(memory_that_is_taken_meanwhile)
{
    begin_puns();
    odd.taken = true;
    refuses("tight_4",
            "Cannot probe tight_4: a punned jump would lead to memory that the program uses");
    odd.taken = false;
    plant("tight_4", EZ_PROBE_ENTRY, false);
}
END_TEST

/* Of many, those that need a pun of their own come last. */
START_TEST(not_yet_alone)
{
    int site;
    begin_puns();
    uint64_t at = ez_symbol_addr(t, ez_module_program(t), "tight_4");
    EZ_FREE char *want =
        ez_sprintf("a pun at 0x%lx needs bytes of the next function, which must not change",
                   (unsigned long)at);
    ck_assert_str_eq(why_not(ez_site_get(t, at, false, EZ_BY(EZ_PUN) | EZ_BY_NOT_ALONE, &site)),
                     want);
    plant("tight_4", EZ_PROBE_ENTRY, false);
}
END_TEST

/* ---- of many ---------------------------------------------------------------------------------- */

/* A plan counts its own functions, from the first one on, beside probes that are there. Nothing of
 * it stays. */
START_TEST(a_plan_tells_how_far_it_is)
{
    struct ez_bulk b;
    begin(calls_it, 1);
    attach();
    plant("unfit", EZ_PROBE_ENTRY, false);
    memset(&judged, 0, sizeof judged);
    must(ez_probe_plan_matching(t, EZ_PROBE_ENTRY, "^unfit_[abc]$", &b));
    ck_assert_uint_eq(b.planted, 3);
    ck_assert_uint_eq(b.refused, 0);
    ck_assert_uint_eq(judged.steps, 3);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(judged.done[i], i);
        ck_assert_uint_eq(judged.total[i], 3);
    }
    ck_assert_uint_eq(ez_probe_count(t), 1);
    ck_assert_int_eq(ez_probe_number(t), 2);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- taking all away ---------------------------------------------------------------------------- */

static void calls_it_100_times(void)
{
    for (s->ready++; !s->word[1];)
        ;
    for (int i = 0; i < 100; i++)
        s->word[0] = unfit(s->word[0]);
    work(0);
}

START_TEST(counts_stay_when_all_is_taken_away)
{
    uint8_t file[16];
    begin(calls_it_100_times, 1);
    attach();
    must(ez_mem_read(t, (uintptr_t)unfit, file, sizeof file));
    plant("unfit", EZ_PROBE_BOTH, false);
    must(ez_continue(t, false, -1));
    s->word[1] = 1;
    UNTIL(s->word[0] == 100);
    must(ez_interrupt(t));
    ck_assert_uint_eq(t->probes.probe.at[0]->entries, 0); /* nobody asked yet */
    must(ez_probes_unplant_all(t));
    ck_assert(text_is(file));
    ck_assert_uint_eq(t->probes.probe.at[0]->entries, 100);
    ck_assert_uint_eq(t->probes.probe.at[0]->exits, 100);
    ez_probe_collect(t, t->probes.probe.at[0]); /* each is counted once */
    ck_assert_uint_eq(t->probes.probe.at[0]->entries, 100);
    ck_assert_uint_eq(t->probes.probe.at[0]->exits, 100);
    must(ez_detach(t));
    ck_assert_uint_eq(t->probes.probe.at[0]->entries, 100);
}
END_TEST

/* ---- bytes that differ from the file's ---------------------------------------------------------- */

static struct ez_textdiff run[16];
static unsigned nruns, nhooks, hook_bytes; /* hooks of eztsh's own, in the loader */

static void note_run(const struct ez_textdiff *x, void *arg)
{
    (void)arg;
    ck_assert_uint_lt(nruns, EZ_ARRAY_LEN(run));
    if (x->owner != EZ_DIFF_HOOK)
        run[nruns++] = *x;
    nhooks += x->owner == EZ_DIFF_HOOK;
    hook_bytes += x->owner == EZ_DIFF_HOOK ? x->len : 0;
}

/* Runs of these lengths, 0 ends them; all that differs is somebody's else, but `ours` bytes. */
static void differs(const struct ez_textdiff want[], uint64_t ours)
{
    struct ez_textdiff_sum sum;
    uint64_t bytes = 0;
    nruns = nhooks = hook_bytes = 0;
    must(ez_textdiff(t, note_run, NULL, &sum));
    for (unsigned i = 0; i < nruns; i++) {
        uint8_t live[16];
        ck_assert_uint_eq(run[i].addr, want[i].addr);
        ck_assert_uint_eq(run[i].len, want[i].len);
        ck_assert_int_eq(run[i].owner, want[i].owner);
        ck_assert_int_eq(run[i].probe, want[i].probe);
        must(ez_mem_read(t, run[i].addr, live, run[i].len));
        ck_assert(!memcmp(run[i].live, live, run[i].len));
        ck_assert(!memcmp(run[i].file, (const void *)(uintptr_t)run[i].addr, run[i].len));
        bytes += run[i].len;
    }
    ck_assert_uint_eq(want[nruns].len, 0);
    ck_assert_uint_eq(sum.runs, nruns + nhooks);
    ck_assert_uint_eq(sum.bytes, bytes + hook_bytes);
    ck_assert_uint_eq(sum.foreign, bytes - ours);
    ck_assert_uint_gt(sum.compared, bytes);
}

static void spoil(uint64_t at, size_t n)
{
    uint8_t buf[64];
    ck_assert_uint_le(n, sizeof buf);
    memcpy(buf, (const void *)(uintptr_t)at, n); /* ours are the file's */
    for (size_t i = 0; i < n; i++)
        buf[i] ^= 0x55;
    must(ez_mem_write(t, at, buf, n, "be somebody else"));
}

START_TEST(runs_of_changed_bytes)
{
    const uint64_t at = (uintptr_t)wide + 8;
    begin(calls_it, 1);
    attach();
    differs((struct ez_textdiff[]){ { 0 } }, 0);
    spoil(at, 40);
#define FOREIGN(from, n) { .addr = (from), .len = (n), .owner = EZ_DIFF_FOREIGN }
    differs(
        (struct ez_textdiff[]){ FOREIGN(at, 16), FOREIGN(at + 16, 16), FOREIGN(at + 32, 8), { 0 } },
        0);
    must(ez_mem_write(t, at + 22, (const void *)(uintptr_t)(at + 22), 1, "be the file's again"));
    differs((struct ez_textdiff[]){ FOREIGN(at, 16),
                                    FOREIGN(at + 16, 6),
                                    FOREIGN(at + 23, 16),
                                    FOREIGN(at + 39, 1),
                                    { 0 } },
            0);
    must(ez_mem_write(t, at, (const void *)(uintptr_t)at, 40, "be the file's again"));
    int number = plant("unfit", EZ_PROBE_ENTRY, false);
    const struct ez_site *site = &t->patcher.site.at[number];
    uint64_t jump = site->addr, n = site->win.jump;
    uint8_t live[16];
    must(ez_mem_read(t, jump, live, sizeof live));
    for (uint64_t i = 0; i < n; i++)
        if (live[i] == *(const uint8_t *)(uintptr_t)(jump + i))
            n = 0; /* a byte of the jump is the file's, too: there would be two runs */
    if (n) {
        spoil(jump + n, 3); /* no thread is there */
        differs(
            (struct ez_textdiff[]){
                { .addr = jump, .len = (unsigned)n, .owner = EZ_DIFF_PROBE, .probe = 1 },
                FOREIGN(jump + n, 3),
                { 0 } },
            n);
        must(ez_mem_write(t, jump + n, (const void *)(uintptr_t)(jump + n), 3, "be the file's"));
    }
    must(ez_probe_delete(t, &(struct ez_numbers){ 1, 99 }, 1));
    differs((struct ez_textdiff[]){ { 0 } }, 0);
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- the kernel's account ----------------------------------------------------------------------- */

START_TEST(files_of_a_trace_are_closed_with_it)
{
    char name[] = "/tmp/check_unfit-XXXXXX.fxt";
    int fd = mkstemps(name, 4);
    ck_assert_int_ge(fd, 0);
    close(fd);
    begin(calls_it, 1);
    attach();
    unlink(name);
    plant("unfit", EZ_PROBE_ENTRY, true);
    ez_settings(t)->trace_switches = EZ_SWITCHES_ON;
    size_t before = 0;
    ez_err *e = ez_trace_start(t, name); /* refused where the kernel does not tell */
    for (int i = 0; i < 2 && !e; i++) {
        ck_assert_uint_gt(files_open(), before);
        must(ez_trace_stop(t));
        ck_assert(!before || files_open() == before);
        before = files_open();
        unlink(name);
        if (!i)
            e = ez_trace_start(t, name);
    }
    ez_err_free(e);
    unlink(name);
    must(ez_probe_delete(t, &(struct ez_numbers){ 1, 99 }, 1));
    must(ez_continue(t, false, -1));
    works(1);
    ends_well();
}
END_TEST

/* ---- exec ------------------------------------------------------------------------------------- */

static bool is_cat(void)
{
    char path[64], name[16] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", child);
    FILE *f = fopen(path, "re");
    bool read = f && fgets(name, sizeof name, f);
    if (f)
        fclose(f);
    return read && !strcmp(name, "cat\n");
}

/* What is to be kept is gone with the program that it was planted in. (Probes that are not disabled
 * would wait for a library of the new program, and be kept so.) */
START_TEST(nothing_is_left_to_keep)
{
    unsigned kept;
    begin(execs, 1);
    attach();
    plant("unfit", EZ_PROBE_ENTRY, false);
    must(ez_probe_enable(t, &(struct ez_numbers){ 1, 99 }, 1, false));
    must(ez_continue(t, true, -1));
    s->go = 1;
    while (!is_cat())
        usleep(100);
    ck_assert_str_eq(why_not(ez_detach_keep(t, &kept)), "The program was replaced by exec");
    ck_assert_int_eq(ez_target_state(t), EZ_BACKGROUND);
    must(ez_detach(t));
    ck_assert(is_cat() && status_of(child, "TracerPid: %lx") == 0);
}
END_TEST

int main(void)
{
    if (!proc_there("check_unfit"))
        return 77;
    Suite *suite = suite_create("unfit");
    TCase *c = tcase_create("unfit");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, shadow_stacks);
    tcase_add_test(c, another_processor);
    tcase_add_test(c, a_jump_of_anothers);
    tcase_add_test(c, no_code);
    tcase_add_test(c, memory_that_is_taken_meanwhile);
    tcase_add_test(c, not_yet_alone);
    tcase_add_test(c, a_plan_tells_how_far_it_is);
    tcase_add_test(c, counts_stay_when_all_is_taken_away);
    tcase_add_test(c, runs_of_changed_bytes);
    tcase_add_test(c, files_of_a_trace_are_closed_with_it);
    tcase_add_test(c, nothing_is_left_to_keep);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
