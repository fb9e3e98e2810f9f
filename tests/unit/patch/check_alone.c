/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_alone.c - decisions that one file of engine/inferior makes by what memory and files say,
 * each compared with a second, plainer way to find the answer, for many processes that are made up
 * (fake.h): which function an IFUNC stands for, where a thread's id is, the temporary breakpoint,
 * an image without an earlier shell's patches; and numbers and events that it keeps. */
#include <fcntl.h>
#include <unistd.h>

#include "engine/inferior/image.c"
#include "engine/probe/why.h"

#include "tests/unit/fake.h"
#include "tests/unit/suite.h"
#include "engine/inferior/image.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/temp_bp.h"
#include "engine/probe/coverage.h"

/* ---- IFUNCs ----------------------------------------------------------------------------------- */

#define LIB 0x10000ull /* bytes of each library's code */
static unsigned asked;

struct ez_thread *__wrap_ez_inject_thread(struct ez_target *t);
struct ez_thread *__wrap_ez_inject_thread(struct ez_target *t)
{
    static char some[1];
    (void)t;
    return (struct ez_thread *)(void *)some;
}

/* A resolver that is called chooses the function 0xf00 bytes behind it. */
ez_err *__wrap_ez_inject_call(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                              uint64_t *result, const char *why);
ez_err *__wrap_ez_inject_call(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                              uint64_t *result, const char *why)
{
    (void)t, (void)th, (void)why;
    asked++;
    *result = call->func + 0xf00;
    return NULL;
}

static const char *const names[] = { "a", "b", "c" };

/* Does the name stand for the resolver at vaddr and for no other one of library l? */
static bool names_it(const struct fake_lib *l, const char *name, uint64_t vaddr)
{
    bool it = false, others = false;
    for (size_t i = 0; i < l->nsyms; i++)
        if (l->sym[i].kind == EZ_SYM_IFUNC && !strcmp(l->sym[i].name, name)) {
            it |= l->sym[i].vaddr == vaddr;
            others |= l->sym[i].vaddr != vaddr;
        }
    return it && !others;
}

/* Does the slot belong to the resolver `s` of library l? */
static bool slot_of(const struct fake_lib *from, const struct fake_reloc *r,
                    const struct fake_lib *l, const struct ez_sym *s)
{
    if (r->kind == EZ_RELOC_IRELATIVE)
        return r->got && r->addend + from->mod.bias == s->vaddr + l->mod.bias;
    return r->got && !r->addend && names_it(l, r->name, s->vaddr);
}

static bool counts(const struct fake_lib *l, const struct ez_sym *s, uint64_t v)
{
    return v >= l->mod.lo && v < l->mod.hi && v != s->vaddr + l->mod.bias &&
           !(v - l->mod.bias >= l->plt_lo && v - l->mod.bias < l->plt_hi);
}

/* What all slots agree on; 0 = nothing. */
static uint64_t agreed(const struct fake_lib *l, const struct ez_sym *s)
{
    uint64_t found = 0, v;
    for (const struct fake_lib *from = lib; from < lib + 2; from++)
        for (size_t i = 0; i < from->nrelocs; i++) {
            memcpy(&v, ram + (from->reloc[i].at + from->mod.bias - RAM), sizeof v);
            if (!slot_of(from, &from->reloc[i], l, s) || !counts(l, s, v))
                continue;
            if (found && found != v)
                return 0;
            found = v;
        }
    return found;
}

static void some_libraries(void)
{
    fake_begin();
    for (int i = 0; i < 2; i++) {
        uint64_t lo = RAM + (uint64_t)i * LIB, bias = lo - 0x1000;
        fake_lib(i, lo, lo + LIB, bias);
        lib[i].plt_lo = 0x1800;
        lib[i].plt_hi = 0x1900;
        for (uint32_t k = 0, n = roll(5); k < n; k++)
            fake_sym(i, names[roll(3)], roll(4) ? EZ_SYM_IFUNC : EZ_SYM_FUNC,
                     0x1000 + roll(4) * 16);
    }
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0, n = roll(5); k < n; k++) {
            const struct fake_lib *l = &lib[roll(2)];
            const uint64_t value[] = { l->mod.lo + 0x1000 + roll(2) * 16,
                                       l->mod.lo + 0x2000,
                                       l->mod.lo + 0x800 + roll(3) * 0x80,
                                       l->mod.lo + roll(4) * 16,
                                       l->mod.hi - roll(2),
                                       l->mod.lo - roll(2),
                                       0 };
            const struct ez_sym *s = l->nsyms ? &l->sym[roll((uint32_t)l->nsyms)] : NULL;
            bool irelative = roll(2) && s;
            lib[i].reloc[lib[i].nrelocs++] = (struct fake_reloc){
                .at = 0x1000 + 2 * LIB - (uint64_t)i * LIB + (uint64_t)i * 0x800 + k * 8,
                .kind = irelative ? EZ_RELOC_IRELATIVE : EZ_RELOC_SYMBOL,
                .addend = irelative ? s->vaddr + l->mod.bias - lib[i].mod.bias : !roll(6) * 8,
                .name = names[roll(3)],
                .got = roll(6) != 0,
            };
            poke64(lib[i].reloc[k].at + lib[i].mod.bias, value[roll(roll(2) ? 2 : 7)]);
        }
}

START_TEST(an_ifuncs_choice)
{
    unsigned found = 0, open = 0;
    for (int round = 0; round < 20000; round++) {
        some_libraries();
        for (struct fake_lib *l = lib; l < lib + 2; l++)
            for (size_t i = 0; i < l->nsyms; i++) {
                const struct ez_sym *s = &l->sym[i];
                uint64_t at = s->vaddr + l->mod.bias, want = agreed(l, s), got;
                if (s->kind != EZ_SYM_IFUNC)
                    continue;
                asked = 0;
                SURE(!ez_ifunc_target(&fake, at, &got));
                SURE(asked == !want);
                SURE(got == (want ? want : at + 0xf00));
                *(want ? &found : &open) += 1;
            }
        EZ_VEC_FREE(&fake.inf.module);
        EZ_VEC_FREE(&fake.inf.ifunc.slot);
    }
    ck_assert_uint_gt(found, 3000);
    ck_assert_uint_gt(open, 3000);
}
END_TEST

START_TEST(an_answer_that_is_no_code)
{
    uint64_t got;
    fake_begin();
    fake_lib(0, RAM, RAM + LIB, RAM);
    ez_err *e = ez_ifunc_target(&fake, RAM + LIB - 0xf01, &got);
    ck_assert_ptr_null(e);
    ck_assert_uint_eq(got, RAM + LIB - 1);
    e = ez_ifunc_target(&fake, RAM + LIB - 0xf00, &got);
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->msg,
                     "An IFUNC's resolver returned 0x110000, which is not the address of code");
    ez_err_free(e);
}
END_TEST

/* ---- where a thread's id is -------------------------------------------------------------------- */

START_TEST(where_a_threads_id_is)
{
    const struct {
        uint32_t bits, offset, want;
    } d[] = { { 32, 720, 720 }, { 32, 4095, 4095 }, { 32, 4096, 0 }, { 32, 1u << 31, 0 },
              { 64, 720, 0 },   { 31, 720, 0 },     { 33, 720, 0 },  { 32, 0, 0 } };
    const uint32_t of_static = ez_arch_host()->rt->static_tid;
    for (size_t i = 0; i < EZ_ARRAY_LEN(d); i++) {
        fake_begin();
        fake_lib(0, RAM, RAM + LIB, RAM);
        fake_lib(1, RAM + LIB, RAM + 2 * LIB, RAM + LIB);
        lib[0].mod.is_program = true;
        lib[0].interp = "/ld.so";
        ck_assert_uint_eq(ez_rt_tid_offset(&fake), 0);
        fake_sym(1, "_thread_db_pthread_tid", EZ_SYM_DATA, 0x100);
        poke64(RAM + LIB + 0x100, d[i].bits | 1ull << 32);
        poke64(RAM + LIB + 0x108, d[i].offset);
        ck_assert_uint_eq(ez_rt_tid_offset(&fake), d[i].want);
    }
    lib[1].nsyms = 0;
    fake_sym(1, "_thread_db_pthread_tid", EZ_SYM_DATA, sizeof ram - LIB - 8); /* half of it */
    ck_assert_uint_eq(ez_rt_tid_offset(&fake), 0);
    for (int i = 0; i < 3; i++) { /* a static program, by either of two names */
        const char *const by[] = { "main", "__libc_setup_tls", "__nptl_initial_report_events" };
        lib[0].nsyms = 0;
        lib[0].interp = NULL;
        fake_sym(0, by[i], EZ_SYM_FUNC, 0x100);
        ck_assert_uint_eq(ez_rt_tid_offset(&fake), i ? of_static : 0);
        lib[0].interp = "/ld.so";
        ck_assert_uint_eq(ez_rt_tid_offset(&fake), 0);
    }
}
END_TEST

/* ---- the temporary breakpoint ------------------------------------------------------------------ */

static bool trapped(uint64_t at)
{
    return !memcmp(ram + (at - RAM), fake.inf.arch->trap.insn, fake.inf.arch->trap.len);
}

/* No process has this id, so that the trap instruction is the way. */
START_TEST(one_temporary_breakpoint_at_a_time)
{
    const uint64_t a = RAM + 64, b = RAM + 200;
    uint8_t were[sizeof ram];
    fake_begin();
    fake_zeros();
    for (size_t i = 0; i < sizeof ram; i++)
        ram[i] = (uint8_t)(i * 7 + 1);
    memcpy(were, ram, sizeof ram);
    fake.inf.pid = 1 << 30;
    ck_assert_ptr_null(ez_temp_bp_clear(&fake));
    ck_assert_uint_eq(writes, 0);
    ck_assert_ptr_null(ez_temp_bp_set(&fake, a));
    ck_assert(trapped(a) && fake.inf.temp_bp == a && fake.inf.temp_bp_fd < 0);
    ck_assert_uint_eq(ez_temp_bp_pc(&fake), a + fake.inf.arch->trap.pc_after);
    ck_assert_ptr_null(ez_temp_bp_set(&fake, b));
    ck_assert(!trapped(a) && trapped(b) && fake.inf.temp_bp == b);
    ck_assert_ptr_null(ez_temp_bp_set(&fake, b)); /* the byte is not the trap's */
    ck_assert_ptr_null(ez_temp_bp_clear(&fake));
    ck_assert_uint_eq(fake.inf.temp_bp, 0);
    ck_assert_int_eq(memcmp(ram, were, sizeof ram), 0);
    fail_write = writes + 1;
    cannot(ez_temp_bp_set(&fake, a), "cannot stop once at main");
    ck_assert_uint_eq(fake.inf.temp_bp, 0);
    cannot(ez_temp_bp_set(&fake, RAM + sizeof ram), "no memory");
    ck_assert_ptr_null(ez_temp_bp_set(&fake, a));
    fail_write = writes + 1;
    cannot(ez_temp_bp_set(&fake, b), "cannot remove the temporary breakpoint");
    ck_assert(!trapped(b));
}
END_TEST

START_TEST(a_breakpoint_of_the_processor)
{
    const uint64_t a = RAM + 64;
    uint8_t none[sizeof ram] = { 0 };
    for (int i = 0; i < 2; i++) {
        fake_begin();
        fake_zeros();
        int fd = fake.inf.temp_bp_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ez_temp_bp_forget(&fake); /* there is none: the number may be anybody's */
        ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
        fake.inf.temp_bp = a;
        ck_assert_uint_eq(ez_temp_bp_pc(&fake), a);
        if (i)
            ez_temp_bp_forget(&fake);
        else
            ck_assert_ptr_null(ez_temp_bp_clear(&fake));
        ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
        ck_assert_uint_eq(fake.inf.temp_bp, 0);
        ck_assert_int_eq(memcmp(ram, none, sizeof ram), 0);
    }
    fake.inf.temp_bp = a; /* a trap instruction */
    fake.inf.temp_bp_fd = -1;
    ez_temp_bp_forget(&fake);
    ck_assert_uint_eq(fake.inf.temp_bp, 0);
}
END_TEST

/* ---- images ------------------------------------------------------------------------------------ */

static void fill(uint8_t *buf, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf[i] = (uint8_t)roll(3);
}

/* Random patches, at both ends of the image too: where every byte is the patch's or the file's, the
 * file's come back, and nothing else changes. */
START_TEST(patches_in_an_image)
{
    enum { SIZE = 48, VA = 0x1000 };
    unsigned taken = 0, left = 0;
    uint8_t file[VA + SIZE - 2], live[SIZE + 32], want[SIZE + 32];
    for (int round = 0; round < 20000; round++) {
        struct ez_row row[3] = { 0 };
        fake_begin();
        fake_lib(0, RAM + VA, RAM + VA + SIZE, RAM);
        struct ez_module *m = &lib[0].mod;
        fill(file, sizeof file);
        lib[0].file = file;
        lib[0].file_size = sizeof file; /* the last two bytes are not in the file */
        memcpy(live, file + VA, SIZE - 2);
        fill(live + SIZE - 2, 34);
        m->image = live;
        m->image_va = m->lo;
        m->image_len = SIZE;
        memcpy(want, live, sizeof live);
        uint32_t n = 2, which = roll(3), at = roll(SIZE + 4), len = roll(18);
        bool island = roll(2);
        if (island)
            len = (uint32_t)ez_arch_host()->jump.len;
        uint8_t *patch = island ? row[which].island_after : row[which].after;
        row[which].planted = roll(8) != 0;
        row[which].strategy = island && roll(4) ? EZ_ISLAND : EZ_JUMP;
        row[which].addr = island ? 0 : m->lo + at;
        row[which].island = m->lo + at;
        row[which].len = island ? 0 : (uint8_t)len;
        fill(patch, island ? 8 : 16);
        for (uint32_t i = 0; i < len && i < 16 && at + i < SIZE; i++)
            live[at + i] = roll(30) ? patch[i] : live[at + i];
        memcpy(want, live, sizeof live);
        bool fits = which < n && row[which].planted && len <= 16 && at + len <= SIZE - 2 &&
                    (!island || row[which].strategy == EZ_ISLAND),
             differs = false;
        for (uint32_t i = 0; i < len && fits; i++) {
            fits = live[at + i] == patch[i] || live[at + i] == file[VA + at + i];
            differs |= live[at + i] != file[VA + at + i];
        }
        if (fits)
            memcpy(want + at, file + VA + at, len);
        ez_image_old_rows(&fake, row, n);
        image_restore_in(&fake, m);
        SURE(memcmp(live, want, sizeof live) == 0);
        *(fits && differs ? &taken : &left) += 1;
        EZ_VEC_FREE(&fake.inf.module);
    }
    ck_assert_uint_gt(taken, 3000);
    ck_assert_uint_gt(left, 3000);
}
END_TEST

/* ---- what became of all probes ------------------------------------------------------------------ */

static struct {
    const char *text[8];
    uint64_t n[8];
    unsigned count;
} told;

static void tell_reason(const char *text, uint64_t n, void *arg)
{
    ck_assert_ptr_eq(arg, &told);
    ck_assert_uint_lt(told.count, EZ_ARRAY_LEN(told.text));
    told.text[told.count] = text;
    told.n[told.count++] = n;
}

static uint64_t planted_by(const struct ez_coverage *c, uint8_t strategy)
{
    for (unsigned i = 0; i < c->nplanted; i++)
        if (!strcmp(c->planted[i].strategy, ez_strategy(strategy)->text))
            return c->planted[i].n;
    return 0;
}

static void coverage_is(uint64_t requested, uint64_t pending, uint64_t refused, uint64_t removed)
{
    struct ez_coverage c;
    memset(&told, 0, sizeof told);
    ez_coverage(&fake, &c, tell_reason, &told);
    ck_assert_uint_eq(c.requested, requested);
    ck_assert_uint_eq(c.pending, pending);
    ck_assert_uint_eq(c.refused, refused);
    ck_assert_uint_eq(c.removed, removed);
    ck_assert_uint_eq(c.disabled, 1);
    ck_assert_uint_eq(c.lost, 1);
    ck_assert_uint_eq(c.nplanted, 2);
    ck_assert_uint_eq(planted_by(&c, EZ_JUMP), 2);
    ck_assert_uint_eq(planted_by(&c, EZ_PUN), 1);
}

START_TEST(what_became_of_all)
{
    static const struct {
        enum ez_probe_state state;
        int site;
    } all[] = { { EZ_PROBE_ARMED, 0 },    { EZ_PROBE_ARMED, 1 },    { EZ_PROBE_ARMED, 0 },
                { EZ_PROBE_PENDING, -1 }, { EZ_PROBE_PENDING, -1 }, { EZ_PROBE_PENDING, -1 },
                { EZ_PROBE_DISABLED, 0 }, { EZ_PROBE_LOST, 1 },     { EZ_PROBE_REFUSED, -1 } };
    struct ez_probe probe[EZ_ARRAY_LEN(all)] = { { .number = 0 } };
    struct ez_site site[2] = { { .current = 0 }, { .current = 0 } };
    site[0].win.strategy = EZ_JUMP;
    site[1].win.strategy = EZ_PUN;
    fake_begin();
    fake.inf.state = EZ_STOPPED;
    EZ_PUSH(&fake.patcher.site, site[0]);
    EZ_PUSH(&fake.patcher.site, site[1]);
    for (size_t i = 0; i < EZ_ARRAY_LEN(all); i++) {
        probe[i].state = all[i].state;
        probe[i].site = all[i].site;
        EZ_PUSH(&fake.probes.probe, &probe[i]);
    }
    coverage_is(8, 3, 0, 0);
    ck_assert_uint_eq(told.count, 0);
    ez_cover_refused(&fake, "b is odd at 0x12", 8);
    ez_cover_refused(&fake, "c", 0);
    ez_cover_refused(&fake, "b is odd at 0x34", 8);
    ez_cover_refused(&fake, "a", 0);
    ez_cover_refused(&fake, NULL, 0);
    ez_cover_removed(&fake, 2);
    ez_cover_removed(&fake, 3);
    for (int ended = 0; ended < 2; ended++) { /* the numbers stay when the process has ended */
        coverage_is(18, 3, 5, 5);
        const char *const order[] = { "b is odd", "?", "a", "c" };
        ck_assert_uint_eq(told.count, EZ_ARRAY_LEN(order));
        for (size_t i = 0; i < EZ_ARRAY_LEN(order); i++) {
            ck_assert_str_eq(told.text[i], order[i]);
            ck_assert_uint_eq(told.n[i], i ? 1 : 2);
        }
        ez_cover_ended(&fake);
        fake.inf.state = EZ_NONE;
        fake.probes.probe.at[0]->state = EZ_PROBE_PENDING; /* they wait for another process */
        ez_cover_removed(&fake, 7);
    }
    fake.probes.probe.at[0]->state = EZ_PROBE_ARMED;
    fake.inf.state = EZ_RUNNING; /* there it is: its numbers begin */
    coverage_is(8, 3, 0, 0);
    ez_cover_refused(&fake, "d", 0);
    coverage_is(9, 3, 1, 0);
    ez_cover_free(&fake);
    EZ_VEC_FREE(&fake.probes.probe);
    EZ_VEC_FREE(&fake.patcher.site);
}
END_TEST

/* ---- the queue --------------------------------------------------------------------------------- */

START_TEST(events_come_in_order)
{
    struct ez_event ev;
    int put = 0, taken = 0;
    fake_begin();
    ck_assert(!ez_queue_pop(&fake, &ev));
    for (int round = 0; round < 2000; round++)
        if (roll(2)) {
            ez_post_note(&fake, "%d", put++);
        } else if (ez_queue_pop(&fake, &ev)) {
            SURE(ev.kind == EZ_EV_NOTE && atoi(ev.text) == taken);
            taken++;
            ez_event_clear(&ev);
            SURE(!ev.text);
        } else {
            SURE(taken == put && !fake.queue.event.n); /* the room is used again */
        }
    ez_post_note(&fake, "last");
    ez_queue_drop(&fake);
    ck_assert(!ez_queue_pop(&fake, &ev));
    ck_assert_uint_gt(taken, 500);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alone");
    TCase *c = tcase_create("alone");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, an_ifuncs_choice);
    tcase_add_test(c, an_answer_that_is_no_code);
    tcase_add_test(c, where_a_threads_id_is);
    tcase_add_test(c, one_temporary_breakpoint_at_a_time);
    tcase_add_test(c, a_breakpoint_of_the_processor);
    tcase_add_test(c, patches_in_an_image);
    tcase_add_test(c, what_became_of_all);
    tcase_add_test(c, events_come_in_order);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
