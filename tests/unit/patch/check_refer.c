/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_refer.c - what counts as a way to our code: a word in each kind of memory of a child, or in a register.
 * Nothing is mapped at the addresses that stand for our code. A test has its child write one of them to memory. */
#include <pthread.h>

#include "engine/patch/rt_refer.h"
#include "tests/unit/child.h"
#include "tests/unit/suite.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

#define CODE 0x510000000000ull /* two pieces of it, in different hulls */
#define SIZE 0x10000ull
#define OWN 0x530000000000ull

/* Constants, and one look in each process: what is written down here would be in the child, too. */
static __attribute__((noinline)) enum ez_refer looked(void)
{
    static const struct ez_range code[] = { { CODE, CODE + SIZE },
                                            { CODE + (4ull << 30), CODE + (4ull << 30) + SIZE } };
    static const struct ez_range own[] = { { OWN, OWN + SIZE } };
    static const struct ez_mapped ours = { code, own, EZ_ARRAY_LEN(code), EZ_ARRAY_LEN(own) };
    return ez_rt_referred(t, &ours);
}

static char *fresh(uint64_t at, size_t size, int flags)
{
    char *p = mmap((void *)at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* ---- kinds of memory ------------------------------------------------------------------------------- */

enum kind {
    NOTHING,
    DATA,
    HEAP,
    MAPPED,
    SHARED,
    OF_OTHERS,
    FILE_SAME,
    FILE_WRITTEN,
    ITS_OWN,
    BIG,
    WIDE,
    READ_ONLY,
    NO_ACCESS,
    KINDS
};
static bool leads(enum kind k)
{
    return k != NOTHING && k != OF_OTHERS && k != FILE_SAME && k != ITS_OWN && k != NO_ACCESS;
}
static enum kind kind;
static uint64_t put; /* the complement of the word, which is nowhere else */
static uint64_t in_data;

/* A private mapping of a file that has the word, one page; written to if `touch`. */
static __attribute__((noinline)) bool of_a_file(uint64_t word, bool touch)
{
    char name[] = "/tmp/check_refer.XXXXXX";
    int fd = mkstemp(name);
    bool ok = fd >= 0 && !unlink(name) && write(fd, &word, sizeof word) == sizeof word &&
              !ftruncate(fd, 4096);
    volatile char *p =
        ok ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (p == MAP_FAILED)
        return false;
    if (touch)
        p[4095] = p[8];
    return p[8] == 0;
}

static __attribute__((noinline)) bool prepared(void)
{
    uint64_t *p = &in_data, word = ~put;
    switch (kind) {
    case DATA:
        break;
    case HEAP:
        p = malloc(8);
        break;
    case MAPPED:
        p = (void *)(fresh(0, 1 << 20, MAP_PRIVATE | MAP_ANONYMOUS) + (1 << 19));
        break;
    case SHARED:
        p = (void *)fresh(0, 4096, MAP_SHARED | MAP_ANONYMOUS);
        break;
    case OF_OTHERS:
        word += SIZE;
        break;
    case FILE_SAME:
        return of_a_file(word, false);
    case FILE_WRITTEN:
        return of_a_file(word, true);
    case ITS_OWN:
        p = (void *)fresh(OWN, SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE);
        break;
    case BIG:
        p = (void *)fresh(0, 136u << 20, MAP_PRIVATE | MAP_ANONYMOUS);
        for (size_t i = 0; p && i < (136u << 20) / 8; i += 512)
            p[i] = 1;
        return p;
    case WIDE:
        return fresh(0, 17ull << 30, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
    case READ_ONLY:
    case NO_ACCESS:
        p = (void *)fresh(0, 4096, MAP_PRIVATE | MAP_ANONYMOUS);
        break;
    default:
        return true;
    }
    if (p)
        *(volatile uint64_t *)p = word;
    if (kind == READ_ONLY || kind == NO_ACCESS)
        return !mprotect(p, 4096, kind == READ_ONLY ? PROT_READ : PROT_NONE);
    return p;
}

static void idle(void)
{
    s->ready = 1;
    while (!s->go)
        usleep(1000);
}

static void body(void)
{
    s->result[0] = prepared();
    idle();
}

/* The child goes on where it was, whatever the test has made of its registers. */
static void let_go(void)
{
    t->inf.thread.at[0]->regs_known = false;
    s->go = 1;
    must(ez_detach(t));
    close_target();
}

START_TEST(memory)
{
    kind = (enum kind)(_i / 2);
    put = ~CODE - (_i % 2 ? (4ull << 30) + SIZE - 8 : 0);
    begin(body, 1);
    if (kind == WIDE && !s->result[0])
        return; /* the kernel does not give so much */
    ck_assert_int_eq(s->result[0], 1);
    attach();
    ck_assert_int_eq(looked(), leads(kind) ? EZ_REFER_LASTING : EZ_REFER_NONE);
    let_go();
}
END_TEST

/* ---- registers and stacks --------------------------------------------------------------------------- */

START_TEST(registers)
{
    begin(idle, 1);
    attach();
    struct ez_thread *th = t->inf.thread.at[0];
    struct ez_regs *r, real;
    must(ez_thread_regs(th, &r));
    real = *r;
    ck_assert_int_eq(looked(), EZ_REFER_NONE);
    t->inf.arch->regs.set_pc(r, CODE);
    ck_assert_int_eq(looked(), EZ_REFER_PASSING);
    t->inf.arch->regs.set_pc(r, CODE - 1);
    ck_assert_int_eq(looked(), EZ_REFER_NONE);
    t->inf.arch->regs.set_pc(r, CODE + SIZE);
    ck_assert_int_eq(looked(), EZ_REFER_NONE);
    for (size_t i = 0; i < 8; i++) {
        *r = real;
        r->word[i] = CODE + SIZE - 1;
        ck_assert_int_eq(looked(), EZ_REFER_PASSING);
    }
    let_go();
}
END_TEST

#define STACK (1u << 20)
static char
    *stack; /* below its middle is the word; a page without access is below it, or further below */
static int guarded;

static __attribute__((noinline)) void make_stack(void)
{
    char *all = fresh(0, STACK + 2 * 4096, MAP_PRIVATE | MAP_ANONYMOUS);
    stack = all + 2 * 4096;
    mprotect(all, 2 * 4096, PROT_NONE);
    if (!guarded)
        munmap(all + 4096, 4096);
    s->word[0] = (long)(uintptr_t)stack;
    *(volatile uint64_t *)(stack + STACK / 2 - 8) = ~put;
}

static void on_a_stack(void)
{
    make_stack();
    idle();
}

static void stand(uint64_t sp, uint64_t tp)
{
    struct ez_regs *r;
    must(ez_thread_regs(t->inf.thread.at[0], &r));
    for (size_t i = 0; i < EZ_ARRAY_LEN(r->word); i++)
        if (r->word[i] == t->inf.arch->regs.sp(r))
            r->word[i] = sp;
    ck_assert_uint_eq(t->inf.arch->regs.sp(r), sp);
    t->inf.arch->regs.set_thread_pointer(r, tp);
}

/* What is below the stack pointer has returned: on a stack that a libc made, and nowhere else. */
START_TEST(stacks)
{
    guarded = _i;
    put = ~(CODE + 8);
    begin(on_a_stack, 1);
    attach();
    const uint64_t lo = (uint64_t)s->word[0], hi = lo + STACK, word = lo + STACK / 2 - 8;
    stand(word + 8, hi - 64);
    ck_assert_int_eq(looked(), guarded ? EZ_REFER_NONE : EZ_REFER_PASSING);
    stand(word, hi - 64);
    ck_assert_int_eq(looked(), EZ_REFER_PASSING);
    stand(word + 8, hi + (1 << 24)); /* the thread's own stack is another one */
    ck_assert_int_eq(looked(), EZ_REFER_PASSING);
    stand(word + 16, word + 8);
    ck_assert_int_eq(looked(), EZ_REFER_PASSING);
    let_go();
}
END_TEST

static __attribute__((noinline)) void deep(int n)
{
    volatile uint64_t room[512];
    room[0] = room[511] = n ? 0 : ~put;
    if (n)
        deep(n - 1);
    room[1] = room[0];
}

static void returned(void)
{
    deep(8);
    idle();
}

START_TEST(the_first_stack)
{
    put = ~(CODE + 8);
    begin(returned, 1);
    attach();
    ck_assert_int_eq(looked(), EZ_REFER_NONE);
    struct ez_regs *r;
    must(ez_thread_regs(t->inf.thread.at[0], &r));
    stand(t->inf.arch->regs.sp(r) - 16 * 4096, t->inf.arch->regs.thread_pointer(r));
    ck_assert_int_eq(looked(), EZ_REFER_PASSING);
    let_go();
}
END_TEST

/* The C library keeps the stack of a thread that has ended. */
static bool ends;
static void *has_stack(void *arg)
{
    deep(0); /* near the control block: glibc discards the rest */
    if (!ends)
        for (volatile uint64_t word = ~put;;) {
            s->word[0] = word != 0;
            usleep(1000);
        }
    return arg;
}

static void in_a_thread(void)
{
    pthread_t th;
    s->result[0] = !pthread_create(&th, NULL, has_stack, NULL);
    while (!ends && !s->word[0])
        usleep(1000);
    if (ends)
        s->result[0] &= !pthread_join(th, NULL);
    idle();
}

START_TEST(stack_of_a_thread)
{
    ends = _i;
    put = ~(CODE + 8);
    begin(in_a_thread, 1);
    ck_assert_int_eq(s->result[0], 1);
    attach();
    ck_assert_int_eq(looked(), ends ? EZ_REFER_NONE : EZ_REFER_PASSING);
    let_go();
}
END_TEST

/* Another process in that memory may be anywhere. */
static void sharing(void)
{
    if (!vfork()) {
        idle();
        _exit(0);
    }
}

static void *sharing_thread(void *arg)
{
    sharing();
    return arg;
}

static void shares(void)
{
    pthread_t th;
    pthread_create(&th, NULL, sharing_thread, NULL);
    while (!s->go)
        usleep(1000);
    pthread_join(th, NULL);
}

START_TEST(sharers)
{
    begin(shares, 1);
    must(ez_target_create(&t));
    t->inf.pid = child;
    must(ez_mem_open(t));
    ck_assert_int_eq(looked(), EZ_REFER_LASTING);
    s->go = 1;
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    t->inf.pid = 0;
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refer");
    TCase *c = tcase_create("refer");
    if (!proc_there("check_refer"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_loop_test(c, memory, 0, 2 * KINDS);
    tcase_add_test(c, registers);
    tcase_add_loop_test(c, stacks, 0, 2);
    tcase_add_test(c, the_first_stack);
    tcase_add_loop_test(c, stack_of_a_thread, 0, 2);
    tcase_add_test(c, sharers);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
