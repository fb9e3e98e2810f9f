/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_check.c - `check` finds every way of moving code wrongly: the relocator is
 * replaced by one that errs, on functions of tests/targets/prologue. */
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/check/check.h"
#include "engine/target.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"

/* libbfd keeps file names for ever; seen with --enable-sanitizers only. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libbfd";
}

static struct ez_target *t;

static void must(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static void drain_events(void)
{
    struct ez_event ev;
    while (ez_next_event(t, &ev))
        ez_event_clear(&ev);
}

static void setup(void)
{
    char path[4096];
    const char *top = getenv("top_builddir");
    struct ez_run how = { .args = ">/dev/null 2>&1 </dev/null", .stop_at_main = true };
    snprintf(path, sizeof path, "%s/tests/targets/prologue", top ? top : ".");
    must(ez_target_create(&t));
    must(ez_target_file(t, path));
    must(ez_run(t, &how));
    for (int tries = 0; ez_target_state(t) == EZ_RUNNING && tries < 3000; tries++) {
        struct pollfd fd[4];
        poll(fd, ez_poll_fds(t, fd, 4), 10);
        drain_events();
    }
    ck_assert_int_eq(ez_target_state(t), EZ_STOPPED);
}

static void teardown(void)
{
    ez_target_destroy(t);
}

/* ---- relocators that err ------------------------------------------------------------------ */

static struct ez_arch wrong;
static void (*spoil)(struct ez_reloc *r);
static const uint8_t *prefix;
static size_t nprefix;

static ez_err *relocate(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                        struct ez_reloc *out)
{
    struct ez_reloc r;
    EZ_TRY(ez_arch_host()->codegen.relocate(code, n, va, to + nprefix, &r));
    memmove(r.code + nprefix, r.code, r.len);
    if (nprefix)
        memcpy(r.code, prefix, nprefix);
    r.len += nprefix;
    for (size_t i = 1; i < r.n; i++)
        r.to[i] = (uint16_t)(r.to[i] + nprefix);
    if (spoil)
        spoil(&r);
    *out = r;
    return NULL;
}

static void add32(uint8_t *p, int32_t n)
{
    int32_t v;
    memcpy(&v, p, 4);
    v += n;
    memcpy(p, &v, 4);
}

static void displacement(struct ez_reloc *r) /* mov x(%rip),%rax */
{
    add32(r->code + 3, 8);
}
static void store_displacement(struct ez_reloc *r) /* movq $n,x(%rip) */
{
    add32(r->code + 3, 8);
}
static void condition(struct ez_reloc *r) /* cmp; jcc */
{
    r->code[r->to[1] + 1] ^= 1;
}
static void branch_target(struct ez_reloc *r)
{
    add32(r->code + r->to[1] + 2, 1);
}
static void high_half(struct ez_reloc *r) /* push $low; movl $high,4(%rsp) */
{
    ck_assert(!memcmp(r->code + 5, "\xc7\x44\x24\x04", 4));
    memset(r->code + 9, 0, 4);
}
static void return_address(struct ez_reloc *r)
{
    add32(r->code + 1, 1);
}
static void call_target(struct ez_reloc *r)
{
    add32(r->code + 14, 1);
}
static void dropped(struct ez_reloc *r)
{
    memset(r->code, 0x90, r->n > 1 ? r->to[1] : r->len - 5);
}
static void jump_back(struct ez_reloc *r)
{
    add32(r->code + r->len - 4, 1);
}
static void jump_to_window(struct ez_reloc *r) /* to the last instruction of the original */
{
    add32(r->code + r->len - 4, r->from[r->n - 1] - 8);
}
static void loop_island(struct ez_reloc *r) /* loop +2; jmp +5; jmp L */
{
    r->code[0] ^= 1;
}

#define PREFIX(bytes) .prefix = (const uint8_t *)(bytes), .n = sizeof(bytes) - 1

static const struct {
    const char *name, *func, *what; /* the text of the first difference */
    void (*spoil)(struct ez_reloc *r);
    const uint8_t *prefix;
    size_t n;
} mutant[] = {
    { "disp32", "mov_rip", "rax", displacement, NULL, 0 },
    { "disp32 of a store", "mov_imm_rip", "memory", store_displacement, NULL, 0 },
    { "condition", "je_first", "goes on", condition, NULL, 0 },
    { "condition of two flags", "jl_first", "goes on", condition, NULL, 0 },
    { "branch target", "je_first", "goes on", branch_target, NULL, 0 },
    { "high half of a return address", "call_first", "memory", high_half, NULL, 0 },
    { "return address", "call_first", "memory", return_address, NULL, 0 },
    { "call target", "call_first", "goes on", call_target, NULL, 0 },
    { "dropped instruction", "times3", "", dropped, NULL, 0 },
    { "jump back", "times3", "goes on", jump_back, NULL, 0 },
    { "jump into the window", "endbr_first", "", jump_to_window, NULL, 0 },
    { "another loop", "loope_first", "", loop_island, NULL, 0 },
    { "carry flag", "times3", "eflags", NULL, PREFIX("\xf8") },
    { "all flags", "times3", "eflags", NULL, PREFIX("\x48\x39\xe4") },
    { "direction flag", "times3", "eflags", NULL, PREFIX("\xfd") },
    { "scratch register", "times3", "r11", NULL, PREFIX("\x41\xbb\0\0\0\0") },
    { "upper half of a register", "times3", "r10", NULL, PREFIX("\x45\x89\xd2") },
    { "vector register", "times3", "xmm7", NULL, PREFIX("\x66\x0f\xef\xff") },
    { "x87 stack", "times3", "extended", NULL, PREFIX("\xd9\xe8") },
    { "red zone", "times3", "memory", NULL, PREFIX("\x50\x58") },
    { "thread-local memory", "times3", "thread-local", NULL,
      PREFIX("\x64\xff\x04\x25\xf0\xff\xff\xff\x90") },
    { "a fault", "times3", "signal", NULL, PREFIX("\x8b\x04\x25\0\0\0\0") },
};

static ez_addr where;
static void note(ez_addr addr, const struct ez_sym *s, const struct ez_module_info *m, void *arg)
{
    (void)s, (void)m, (void)arg;
    where = addr;
}

static struct ez_checked look(const char *func)
{
    struct ez_checker *c;
    struct ez_checked out;
    must(ez_locate(t, func, note, NULL));
    must(ez_check_open(t, &c));
    must(ez_check_func(c, where, &out));
    must(ez_check_close(c));
    return out;
}

START_TEST(mutants)
{
    struct ez_checked good = look(mutant[_i].func);
    ck_assert_msg(good.how == EZ_CHECK_EQUAL && good.states >= 8, "%s: %s", good.name, good.text);
    wrong = *ez_arch_host();
    wrong.codegen.relocate = relocate;
    spoil = mutant[_i].spoil;
    prefix = mutant[_i].prefix;
    nprefix = mutant[_i].n;
    t->inf.arch = &wrong;
    struct ez_checked bad = look(mutant[_i].func);
    t->inf.arch = ez_arch_host();
    ck_assert_msg(bad.how == EZ_CHECK_DIFFERS, "%s: not seen (%d, %u states)", mutant[_i].name,
                  bad.how, bad.states);
    ck_assert_msg(strstr(bad.text, mutant[_i].what) != NULL, "%s: %s", mutant[_i].name, bad.text);
    good = look(mutant[_i].func); /* and the next function is judged by itself */
    ck_assert_int_eq(good.how, EZ_CHECK_EQUAL);
}
END_TEST

/* Every function is checked, planted or not; the program ends as it would have. */
START_TEST(everything)
{
    EZ_FREE ez_addr *addr = NULL;
    struct ez_checker *c;
    struct ez_checked out;
    struct ez_bulk bulk;
    size_t n;
    unsigned equal[2] = { 0, 0 }, planted = 0, faulted = 0;
    must(ez_functions_matching(t, ".", &addr, &n));
    for (int round = 0; round < 2; round++) {
        must(ez_check_open(t, &c));
        for (size_t i = 0; i < n; i++) {
            must(ez_check_func(c, addr[i], &out));
            ck_assert_msg(out.how == EZ_CHECK_EQUAL || out.how == EZ_CHECK_REFUSED, "%s: %s",
                          out.name, out.text);
            equal[round] += out.how == EZ_CHECK_EQUAL;
            planted += out.planted;
            faulted += out.faulted;
        }
        must(ez_check_close(c));
        if (!round)
            must(ez_probe_add_matching(
                t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = "." }, &bulk));
    }
    ck_assert_uint_gt(equal[0], 60);
    ck_assert_uint_eq(equal[0], equal[1]);
    ck_assert_uint_ge(planted, bulk.planted - 1);
    ck_assert_uint_gt(faulted, 0);
    must(ez_continue(t, false, -1));
    int status = -1;
    for (int tries = 0; status < 0 && tries < 3000; tries++) {
        struct pollfd fd[4];
        struct ez_event ev;
        poll(fd, ez_poll_fds(t, fd, 4), 10);
        while (ez_next_event(t, &ev)) {
            if (ev.kind == EZ_EV_EXITED)
                status = ev.status;
            ez_event_clear(&ev);
        }
    }
    ck_assert_int_eq(status, 5);
}
END_TEST

/* A difference in any bit of a register is seen, except in the program counter and the trap flag. */
START_TEST(every_bit_counts)
{
    const struct ez_arch *arch = ez_arch_host();
    for (size_t i = 0; i < arch->regs.n; i++) {
        const struct ez_reg_desc *d = &arch->regs.desc[i];
        bool is_flags = !strcmp(d->name, "eflags"),
             steps = !strcmp(d->name, "rip") || !strcmp(d->name, "orig_rax");
        for (unsigned bit = 0; bit < 8u * d->size; bit++) {
            struct ez_regs a = { 0 }, b = { 0 };
            uint64_t va = 7, vb = 7;
            b.word[d->offset / 8] = 1ull << bit;
            const char *name = arch->trial.differs(&a, &b, &va, &vb);
            bool ignored = steps || (is_flags && (bit == 8 || bit == 16));
            ck_assert_msg(ignored || (name && !strcmp(name, d->name)), "bit %u of %s", bit,
                          d->name);
            ck_assert_msg(!steps || !name, "%s", d->name);
            ck_assert(!name || (va == 0 && vb == 1ull << bit));
        }
    }
}
END_TEST

/* Of the copy's thread-local memory half cannot be read, so often. */
static unsigned half;
size_t __real_ez_mem_read_some(struct ez_target *x, uint64_t from, void *buf, size_t n);
size_t __wrap_ez_mem_read_some(struct ez_target *x, uint64_t from, void *buf, size_t n);
size_t __wrap_ez_mem_read_some(struct ez_target *x, uint64_t from, void *buf, size_t n)
{
    static uint64_t before; /* the original's is read first */
    if (n != 512 || ez_module_at(t, from))
        return __real_ez_mem_read_some(x, from, buf, n);
    bool copy = from == before;
    before = copy ? 0 : from;
    size_t got = __real_ez_mem_read_some(x, from, buf, n);
    return copy && half && half-- ? got / 2 : got;
}

/* Memory that only one of the two can read is a difference, and is told; if the original differs
 * from itself in the same way, it is not the copy's fault. */
START_TEST(memory_of_one_side)
{
    struct ez_checked out = look("times3");
    ck_assert_int_eq(out.how, EZ_CHECK_EQUAL);
    for (unsigned times = 1; times <= 2; times++) {
        half = times;
        out = look("times3");
        ck_assert_uint_eq(half, 0);
        ck_assert_int_eq(out.how, times == 1 ? EZ_CHECK_DIFFERS : EZ_CHECK_UNSTEADY);
        const char *says = strstr(out.text, "thread-local memory at 0x");
        ck_assert_msg(says && strstr(says, " has 512 bytes that can be read, of the copy 256, "),
                      "%s", out.text);
    }
    out = look("times3");
    ck_assert_int_eq(out.how, EZ_CHECK_EQUAL);
}
END_TEST

/* A copy that somebody changed in the process is not the one that planting made. */
START_TEST(changed)
{
    int first, n;
    uint8_t byte;
    must(ez_probe_add(t, &(struct ez_probe_spec){ EZ_PROBE_ENTRY, .location = "mov_rip" }, &first,
                      &n));
    struct ez_checked out = look("mov_rip");
    ck_assert(out.how == EZ_CHECK_EQUAL && out.planted);
    const struct ez_site *s = &t->patcher.site.at[t->probes.probe.at[0]->site];
    uint64_t at = s->variant.at[s->current].relocated + 3;
    must(ez_mem_read(t, at, &byte, 1));
    byte++;
    must(ez_mem_write(t, at, &byte, 1, "spoil a stub"));
    out = look("mov_rip");
    ck_assert_int_eq(out.how, EZ_CHECK_DIFFERS);
}
END_TEST

int main(void)
{
    if (!proc_there("check_check"))
        return 77;
    Suite *s = suite_create("check");
    TCase *tc = tcase_create("copies"), *others = tcase_create("others");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, mutants, 0, (int)EZ_ARRAY_LEN(mutant));
    tcase_add_test(tc, everything);
    tcase_add_test(tc, memory_of_one_side);
    tcase_add_test(tc, changed);
    tcase_add_test(others, every_bit_counts);
    suite_add_tcase(s, others);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
