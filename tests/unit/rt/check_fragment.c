/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_fragment.c - the runtime's side of fragments, in this process: activations are suspended and go on, calls
 * are left by jumps, fragments are nested, abandoned, and find no room; registers and errno stay. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt_arch.h"

#include "engine/rt/rt_code.h"
#include "ezt_suspend.h"

#undef EZ_PAGE
#include "arch/arch.h"
#include "tests/unit/suite.h"

struct rt_state rt_state;
char ez_return_trampolines[1], ez_exit[1];
uint64_t ez_mono(struct ez_ctl *b)
{
    (void)b;
    return 0;
}
static uint64_t kept[EZ_SAVED_WORDS];
uint64_t *rt_saved(struct shadow_frame *e, uint32_t i)
{
    (void)e;
    return i < EZ_SAVED_WORDS ? &kept[i] : NULL;
}

static struct ez_hdr hdr;
static struct ez_buffer buffer;
static struct ez_counter counter[8];
static struct ez_ctl ctl;
static char trail[256];

static void says(const char *text)
{
    strncat(trail, text, sizeof trail - strlen(trail) - 1);
}
static void said(const char *text)
{
    ck_assert_str_eq(trail, text);
    *trail = 0;
}

static int *errno_at(void)
{
    return &errno;
}

static void setup(void)
{
    rt_state = (struct rt_state){ .hdr = &hdr };
    hdr = (struct ez_hdr){ .magic = 1 };
    buffer = (struct ez_buffer){ .tid = 1 };
    memset(counter, 0, sizeof counter);
    memset(kept, 0, sizeof kept);
    ctl = (struct ez_ctl){ .buffer = &buffer, .cnt = (uint64_t)counter };
    *trail = 0;
}

static void teardown(void)
{
    if (ctl.fragments)
        munmap((void *)ctl.fragments, EZ_FRAGMENT_STACK);
}

/* A call whose return address stands at `stack`, and whose activation is saved word i. */
static void enter(struct ezt_fragment *f, const uint64_t *stack, const uint64_t *reg, uint32_t i)
{
    struct rt_run r = { .b = &ctl, .reg = reg, .loc = stack, .saved = (void *)1 };
    const struct ez_clause c = { .fragment = (uint64_t)f, .activation = i };
    rt_fragment_enter(&r, &c);
}
static void leave(struct ezt_fragment *f, const uint64_t *reg, uint32_t i)
{
    struct rt_run r = { .b = &ctl, .reg = reg, .saved = (void *)1 };
    const struct ez_clause c = { .fragment = (uint64_t)f, .activation = i };
    rt_fragment_exit(&r, &c);
}

/* ---- activations ------------------------------------------------------------------------------------ */

static void numbers(struct ezt_activation *ez)
{
    char name[8] = "0";
    name[0] = (char)('0' + ez->reg[0]);
    says(">");
    says(name);
    uint64_t how;
    while ((how = ez_suspend(&ez)) == EZT_ABORT) {
        says("!");
        says(name);
    }
    says(how == EZT_LEFT ? "^" : "<");
    says(name);
}
static struct ezt_fragment counting = {
    .run = numbers, .errno_at = errno_at, .flags = EZT_SUSPENDS, .lo = 100, .hi = 200
};

START_TEST(calls_inside_calls)
{
    uint64_t stack[8] = { 0 }, one[17] = { 1 }, two[17] = { 2 }, three[17] = { 3 };
    const bool whole = _i;
    counting.flags = EZT_SUSPENDS | (whole ? EZT_WHOLE : 0);
    enter(&counting, stack + 6, one, 0);
    enter(&counting, stack + 4, two, 1);
    leave(&counting, two, 1);
    enter(&counting, stack + 4, two, 1);
    enter(&counting, stack + 2, three, 2);
    said(">1>2<2>2>3");
    leave(&counting, three, 2);
    leave(&counting, two, 1);
    leave(&counting, one, 0);
    said("<3<2<1");
    ck_assert_uint_eq(ctl.activation, 0);
    ck_assert_uint_eq(ctl.fragment, 0);
    ck_assert_uint_eq(buffer.fragment, 0);
    ck_assert_uint_eq(buffer.fragment_runs, 8);
    ck_assert_uint_eq(ctl.fragment_top, ctl.fragments + EZ_FRAGMENT_STACK - FRAGMENT_VECTORS);
    leave(&counting, one, 0); /* its activation is gone */
    said("");
}
END_TEST

START_TEST(ended_in_another_order)
{
    uint64_t stack[8] = { 0 }, one[17] = { 1 }, two[17] = { 2 };
    enter(&counting, stack + 6, one, 0);
    enter(&counting, stack + 4, two, 1);
    leave(&counting, one, 0); /* below it stands another */
    said(">1>2");
    ck_assert_uint_eq(counter[3].exit, 1);
    leave(&counting, two, 1);
    said("<2");
    ck_assert_uint_eq(ctl.activation, 0);
    struct ez_ctl other = ctl;
    enter(&counting, stack + 6, one, 0);
    ((struct ezt_activation *)kept[0])->thread = &other; /* it went on on another thread */
    leave(&counting, one, 0);
    said(">1");
    ck_assert_uint_eq(counter[3].exit, 2);
    enter(&counting, stack + 6, two, 1);
    ck_assert_ptr_eq(((struct ezt_activation *)kept[1])->before,
                     (void *)kept[0]); /* who trims it? */
    leave(&counting, two, 1);
    said(">2<2");
    ck_assert_uint_eq(ctl.activation, 0);
}
END_TEST

START_TEST(calls_that_are_left)
{
    uint64_t stack[16] = { 0 }, reg[17] = { 0 };
    for (uint32_t i = 0; i < 4; i++) {
        reg[0] = i;
        enter(&counting, stack + 12 - 2 * i, reg, i); /* at 12, 10, 8, 6 */
    }
    said(">0>1>2>3");
    rt_fragments_left(&ctl, (uint64_t)(stack + 2), (uint64_t)(stack + 9));
    said("^3^2");
    ck_assert_uint_eq(counter[2].exit, 2);
    ck_assert_uint_eq(counter[0].exit, 2);
    rt_fragments_left(&ctl, (uint64_t)(stack + 11), (uint64_t)(stack + 15)); /* of another stack */
    said("");
    rt_fragments_abort(&ctl, 100); /* a call before the routine */
    said("");
    rt_fragments_abort(&ctl, 200); /* its last instruction */
    said("!1");
    rt_fragments_abort(&ctl, 201);
    said("");
    ck_assert_uint_eq(counter[2].entry, 1);
    rt_fragments_left(&ctl, (uint64_t)stack, (uint64_t)(stack + 10));
    said("^1");
    leave(&counting, reg, 0);
    said("<0");
}
END_TEST

/* ---- one at a time ------------------------------------------------------------------------------------- */

static struct ezt_fragment outer, inner;
static void calls_inner(struct ezt_activation *ez)
{
    uint64_t stack[2] = { 0 };
    (void)ez;
    says("o");
    enter(&inner, stack, NULL, 1);
    enter(&outer, stack, NULL, 1);
    enter(&outer, stack, NULL, 1);
}
static void says_inner(struct ezt_activation *ez)
{
    (void)ez;
    says("i");
}

START_TEST(fragments_in_fragments)
{
    uint64_t stack[2] = { 0 };
    outer = (struct ezt_fragment){ .run = calls_inner };
    inner = (struct ezt_fragment){ .run = says_inner };
    enter(&outer, stack, NULL, 0);
    said("o");
    ck_assert_uint_eq(inner.count[EZT_NESTED], 1);
    ck_assert_uint_eq(counter[4].entry, 2); /* then it is off */
    ck_assert_uint_eq(counter[4].exit, 1);
    ck_assert_uint_eq(counter[3].entry, 3);
    ck_assert_uint_eq(outer.off, 1);
    ck_assert_uint_eq(hdr.requests, 1);
    enter(&outer, stack, NULL, 0);
    enter(&inner, stack, NULL, 0);
    said("i");
}
END_TEST

START_TEST(no_room)
{
    uint64_t stack[2] = { 0 }, reg[17] = { 1 };
    struct ezt_fragment *f = &counting;
    uint64_t before = f->count[EZT_NO_ROOM];
    hdr.no_syscalls = 1;
    enter(f, stack, reg, 0);
    ck_assert_uint_eq(f->count[EZT_NO_ROOM] - before, 1);
    leave(f, reg, 0);
    hdr.no_syscalls = 0;
    enter(f, stack, reg, EZ_SAVED_WORDS); /* no entry of the call: nobody would see the exit */
    ck_assert_uint_eq(f->count[EZT_NO_ROOM] - before, 2);
    said("");
    enter(f, stack, reg, 0);
    said(">1");
    uint64_t top = ctl.fragment_top;
    ctl.fragment_top = ctl.fragments + EZ_FRAGMENT_GUARD + FRAGMENT_ROOM + 64;
    enter(f, stack, reg, 1);
    ck_assert_uint_eq(f->count[EZT_NO_ROOM] - before, 3);
    ctl.fragment_top = top;
    leave(f, reg, 1);
    leave(f, reg, 0);
    said("<1");
    ck_assert_uint_eq(ctl.fragment, 0);
    ctl.fragment_top = 0; /* a new thread on this buffer */
    uint64_t was = ctl.fragments;
    enter(f, stack, reg, 0);
    leave(f, reg, 0);
    ck_assert_uint_eq(ctl.fragments, was);
    said(">1<1");
}
END_TEST

/* A signal handler, or the fragment itself, jumps to a frame of the program: the fragment does not come back. */
static void jumps_away(struct ezt_activation *ez)
{
    says("j");
    rt_fragments_left(&ctl, (uint64_t)__builtin_frame_address(0), ez->back + 64);
    says(ctl.fragment ? "running" : "left");
    ctl.fragment = (uint64_t)ez->of; /* it goes on all the same: this test has not jumped */
}
START_TEST(a_fragment_that_jumps_away)
{
    uint64_t stack[2] = { 0 };
    struct ezt_fragment f = { .run = jumps_away };
    enter(&f, stack, NULL, 0);
    said("jleft");
}
END_TEST

/* ---- what stays -------------------------------------------------------------------------------------------- */

static volatile double shown;
static void computes(struct ezt_activation *ez)
{
    shown = ez_vector_double(ez, 0, 0) + sqrt((double)ez->reg[1]);
    errno = 5;
    __asm__ volatile(
        "fld1; fld1; faddp; fstp %%st(0); pxor %%xmm5,%%xmm5; pxor %%xmm0,%%xmm0; std" ::
            : "xmm5", "xmm0");
    ez_suspend(&ez);
    errno = 6;
    shown = ez_vector_double(ez, 0, 0);
    __asm__ volatile("pcmpeqd %%xmm5,%%xmm5" ::: "xmm5");
}

START_TEST(registers_and_errno)
{
    uint64_t stack[2] = { 0 }, reg[17] = { 0, 16 };
    struct ezt_fragment f = { .run = computes,
                              .errno_at = errno_at,
                              .flags = EZT_WHOLE | EZT_SUSPENDS };
    double a = 1.5, b = 2.25, left;
    long double st;
    unsigned mode = 0x5f80, mode_now;
    uint32_t mask, inuse, size;
    if (_i) {
        ez_arch_host()->rt->vector_state(&mask, &inuse, &size);
        rt_state.xs_mask = mask;
        rt_state.xs_inuse = inuse;
        rt_state.xs_size = size;
    }
    errno = 42;
    const struct ez_clause c = { .fragment = (uint64_t)&f };
    struct rt_run r = { .b = &ctl, .reg = reg, .loc = stack, .saved = (void *)1 };
    __asm__ volatile("ldmxcsr %5\n\t"
                     "fldpi\n\t"
                     "movsd %3,%%xmm0\n\tmovsd %4,%%xmm5\n\t"
                     "mov %6,%%rdi\n\tmov %7,%%rsi\n\tcall *%8\n\t"
                     "movsd %%xmm5,%0\n\tfstpt %1\n\tstmxcsr %2"
                     : "=m"(left), "=m"(st), "=m"(mode_now)
                     : "m"(a), "m"(b), "m"(mode), "r"(&r), "r"(&c), "r"(rt_fragment_enter)
                     : "rdi", "rsi", "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
                       "xmm5", "memory", "cc");
    mode = 0x1f80;
    __asm__ volatile("ldmxcsr %0" ::"m"(mode));
    ck_assert_double_eq(shown, 1.5 + 4);
    ck_assert_double_eq(left, 2.25);
    ck_assert(st > 3.14L && st < 3.15L);
    ck_assert_uint_eq(mode_now & 0xffc0, 0x5f80 & 0xffc0);
    ck_assert_int_eq(errno, 42);
    errno = 43;
    __asm__ volatile("movsd %1,%%xmm0\n\tmovsd %2,%%xmm5\n\tmov %3,%%rdi\n\tmov %4,%%rsi\n\tcall "
                     "*%5\n\tmovsd %%xmm5,%0"
                     : "=m"(left)
                     : "m"(b), "m"(a), "r"(&r), "r"(&c), "r"(rt_fragment_exit)
                     : "rdi", "rsi", "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
                       "xmm5", "memory", "cc");
    ck_assert_double_eq(shown, 2.25);
    ck_assert_double_eq(left, 1.5);
    ck_assert_int_eq(errno, 43);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fragment");
    TCase *c = tcase_create("fragment");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, calls_inside_calls, 0, 2);
    tcase_add_test(c, ended_in_another_order);
    tcase_add_test(c, calls_that_are_left);
    tcase_add_test(c, fragments_in_fragments);
    tcase_add_test(c, no_room);
    tcase_add_test(c, a_fragment_that_jumps_away);
    tcase_add_loop_test(c, registers_and_errno, 0, 2);
    suite_add_tcase(s, c);
    return run_suite(s);
}
