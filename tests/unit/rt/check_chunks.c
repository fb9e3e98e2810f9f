/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_chunks.c - a signal handler whose probe needs an entry comes at each instruction of
 * freeing a chunk and taking another (engine/rt/rt_chunk.c), one after the other: the chain
 * ends, and no chunk is in it and in the free list. */
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "engine/rt/rt_priv.h"
#include "tests/unit/suite.h"

struct rt_state rt_state;
char ez_return_trampolines[2 * EZ_DIST] __attribute__((aligned(EZ_CHUNK)));
char ez_exit[1];

static struct ez_hdr hdr;
static struct ez_ctl ctl;
static uint64_t live_word, dead_word = 1;
static volatile long step, when; /* a handler comes at step `when` */
static volatile int came;

/* As ez_slow and ez_release_slow (rt.c) while something is interrupted. */
static void call_a_probed_function(void)
{
    uint64_t t;
    for (;;) {
        t = ctl.top;
        if (t & (EZ_CHUNK - 1)) {
            if (rt_cas(&ctl.top, t, t + EZ_RETURN_TRAMPOLINE))
                break;
        } else if (!rt_grow(&ctl, t, 0)) {
            return;
        }
    }
    struct shadow_frame *e = (struct shadow_frame *)t;
    e->loc = 0;
    if (!rt_cas(&ctl.top, (uint64_t)(e + 1), t))
        e->loc = EZ_HOLE;
}

static void on_step(int sig, siginfo_t *si, void *context)
{
    (void)sig, (void)si, (void)context;
    if (++step != when)
        return;
    came = 1;
    call_a_probed_function();
}

/* The page of the chunk above is written when the one below leaves the chain: from there on,
 * instruction by instruction. (Looking for the dead before takes thousands.) */
static void on_write(int sig, siginfo_t *si, void *context)
{
    (void)sig;
    ucontext_t *u = context;
    mprotect((void *)((uint64_t)si->si_addr & -(uint64_t)EZ_CHUNK), EZ_CHUNK,
             PROT_READ | PROT_WRITE);
    u->uc_mcontext.gregs[REG_EFL] |= 0x100; /* TF */
}

static struct chunk *on_top(struct chunk *below)
{
    struct chunk *c = rt_chunk_new(&ctl);
    ck_assert_ptr_nonnull(c);
    memset((void *)rt_first_frame(c), 0, EZ_CHUNK - EZ_RETURN_TRAMPOLINE);
    c->prev = below;
    if (below)
        below->next = c;
    return c;
}

/* A chunk of dead entries under one that is full, and two free ones: it is time to reclaim. */
static uint64_t prepare(void)
{
    memset(&ctl, 0, sizeof ctl);
    rt_state.hdr = &hdr;
    rt_state.chunks = 0;
    rt_state.max_chunks = 16;
    struct chunk *spare[2] = { on_top(NULL), on_top(NULL) }, *low = on_top(NULL),
                 *high = on_top(low);
    spare[0]->next = spare[1];
    ctl.freel = (uint64_t)spare[0];
    for (struct shadow_frame *e = rt_first_frame(low); (uint64_t)e < rt_end_of(low); e++)
        e->loc = EZ_HOLE;
    rt_first_frame(low)->loc = (uint64_t)&dead_word;
    for (struct shadow_frame *e = rt_first_frame(high); (uint64_t)e < rt_end_of(high); e++)
        e->loc = EZ_HOLE;
    struct shadow_frame *last = (struct shadow_frame *)rt_end_of(high) - 1;
    last->loc = (uint64_t)&live_word;
    live_word = rt_return_trampoline_of(last);
    ctl.nchunk = ctl.gc_at = 2;
    ctl.top = rt_end_of(high);
    return ctl.top;
}

static void stepped_grow(uint64_t t)
{
    step = came = 0;
    mprotect((void *)(t - EZ_CHUNK), EZ_CHUNK, PROT_READ);
    rt_grow(&ctl, t, 0);
    __asm__ volatile(
        "lea -128(%%rsp),%%rsp; pushf; andl $~0x100,(%%rsp); popf; lea 128(%%rsp),%%rsp" ::
            : "memory", "cc");
}

/* Marks the chunks of a chain. false: one is met twice. */
static bool walk(struct chunk *c, bool by_prev, char *seen)
{
    for (; c; c = by_prev ? c->prev : c->next) {
        size_t i = (size_t)((char *)c - ez_return_trampolines - EZ_DIST) / EZ_CHUNK;
        ck_assert_uint_lt(i, rt_state.max_chunks);
        if (seen[i]++)
            return false;
    }
    return true;
}

START_TEST(a_handler_comes_at_each_instruction)
{
    struct sigaction sa = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
    sigaction(SIGTRAP, &sa, NULL);
    sa.sa_sigaction = on_write;
    sigaction(SIGSEGV, &sa, NULL);
    when = 0;
    do {
        char seen[16] = { 0 };
        uint64_t t = prepare();
        when++;
        stepped_grow(t);
        ck_assert_msg(walk(chunk_below(ctl.top), true, seen), "step %ld: the chain never ends",
                      when);
        ck_assert_msg(walk((struct chunk *)ctl.freel, false, seen),
                      "step %ld: a chunk is free and in use", when);
        ck_assert_uint_eq(ctl.busy, 0);
    } while (came);
    ck_assert_int_gt(when, 100);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("chunks");
    TCase *c = tcase_create("chunks");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, a_handler_comes_at_each_instruction);
    suite_add_tcase(s, c);
    return run_suite(s);
}
