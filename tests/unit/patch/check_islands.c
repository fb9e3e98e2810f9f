/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_islands.c - where punned jumps lead (engine/patch/island.c), in a process that is made up
 * (fake.h): islands fill all that their jumps reach, none lies on another, on two pages or on what
 * the process has mapped, and pages that others took are given up. */
#include <sys/mman.h>

#include "tests/unit/fake.h"
#include "tests/unit/suite.h"
#include "engine/inferior/inject.h"
#include "engine/patch/island.h"

static struct ez_map world[4]; /* what the process has mapped */
static size_t nworld;
static unsigned looks;
static struct {
    unsigned n;
    struct ez_mmap last;
    enum ez_code fails; /* the next one, 0 = it does not */
} maps;

ez_err *__wrap_ez_maps_read(pid_t pid, struct ez_maps *m);
ez_err *__wrap_ez_maps_read(pid_t pid, struct ez_maps *m)
{
    (void)pid;
    looks++;
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < nworld; i++)
        EZ_PUSH(&m->map, world[i]);
    return NULL;
}

void __wrap_ez_maps_free(struct ez_maps *m);
void __wrap_ez_maps_free(struct ez_maps *m)
{
    EZ_VEC_FREE(&m->map);
}

ez_err *__wrap_ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                              const char *why);
ez_err *__wrap_ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                              const char *why)
{
    (void)t;
    maps.n++;
    maps.last = *m;
    *out = m->at;
    if (!maps.fails)
        return NULL;
    ez_err *e = ez_err_new(maps.fails, 0, "cannot %s", why);
    maps.fails = 0;
    return e;
}

static void setup(void)
{
    fake_begin();
    fake_zeros();
    nworld = 0;
    looks = 0;
    memset(&maps, 0, sizeof maps);
}

static void teardown(void)
{
    ez_islands_clear(&fake);
    ck_assert_ptr_null(fake.patcher.island_maps);
}

static void mapped(uint64_t lo, uint64_t hi)
{
    world[nworld++] = (struct ez_map){ .lo = lo, .hi = hi, .name = "" };
}

/* A jump of n bytes whose last ones make it lead to [to, to + 256 ** (n - 1)), or nearly so. */
static struct ez_patch_region window(uint64_t site, uint8_t n, uint64_t to)
{
    struct ez_patch_region w = { .site = site, .jump = n };
    uint32_t d = (uint32_t)(to - (site + 5));
    w.bytes[0] = 0x90;
    memcpy(w.bytes + 1, &d, 4);
    memset(w.bytes + 5, 0x7f, sizeof w.bytes - 5); /* with a prefix it leads elsewhere */
    return w;
}

#define FAR_JUMP ((uint64_t)ez_arch_host()->jump.far_len)

static bool in_world(uint64_t lo, uint64_t hi)
{
    for (size_t i = 0; i < nworld; i++)
        if (lo < world[i].hi && hi > world[i].lo)
            return true;
    return false;
}

/* Where the next one of such islands lies, behind those before `from`; 0 = nowhere. */
static uint64_t next_island(uint64_t from, uint64_t hi)
{
    for (uint64_t at = from; at <= hi; at++)
        if (at / EZ_PAGE == (at + FAR_JUMP - 1) / EZ_PAGE && !in_world(at, at + FAR_JUMP))
            return at;
    return 0;
}

START_TEST(islands_fill_what_is_reached)
{
    const uint64_t site = 0x7f0000001000;
    for (int round = 0; round < 200; round++) {
        setup();
        uint64_t to = site + 0x100000 + roll(0x2000), lo, hi, from;
        mapped(site - site % EZ_PAGE, site + EZ_PAGE);
        if (roll(2)) {
            uint64_t at = to - to % EZ_PAGE + roll(3) * EZ_PAGE - EZ_PAGE;
            mapped(at, at + EZ_PAGE);
        }
        struct ez_patch_region w = window(site, 2, to);
        ez_arch_host()->jump.pun_range(w.bytes, 2, 0, site, &lo, &hi);
        ck_assert_uint_eq(hi - lo, 255);
        for (from = lo;;) {
            uint64_t want = next_island(from, hi), pages = fake.patcher.island_page.n;
            struct ez_patch_region other = w;
            ez_err *e = ez_island_pun(&fake, &other, false); /* takes nothing */
            SURE(fake.patcher.island_page.n == pages);
            if (!want) { /* then it begins with a prefix, which leads to 0x7f... */
                SURE(e || other.prefix == 1);
                ez_err_free(e);
                break;
            }
            SURE(!e && other.island == want && other.prefix == 0);
            SURE(!ez_island_pun(&fake, &w, true) && w.island == want && w.prefix == 0);
            SURE(ez_island_ours(&fake, want) && !ez_island_mapped(&fake, want));
            from = want + FAR_JUMP;
        }
        SURE(looks == 1);
        teardown();
    }
}
END_TEST

/* The first page that is ours is used up before another one is taken; a range outside of user space is
 * none. */
START_TEST(where_no_island_can_be)
{
    struct ez_patch_region w =
        window(0x7ffffffee000, 1, 0x7fffffffe000); /* the last page stays free */
    uint64_t lo, hi;
    ez_arch_host()->jump.pun_range(w.bytes, 1, 0, w.site, &lo, &hi);
    ck_assert(lo == hi && lo == 0x7fffffffe000);
    ck_assert_ptr_null(ez_island_pun(&fake, &w, true));
    ck_assert_uint_eq(w.island, 0x7fffffffe000);
    cannot(ez_island_pun(&fake, &w, true),
           "no free memory at an address that a punned jump can reach");
    w = window(0x7ffffffee000, 1, 0x7fffffffeff3); /* the island would lie on two pages */
    cannot(ez_island_pun(&fake, &w, true),
           "no free memory at an address that a punned jump can reach");
    w = window(0x7ffffffee000, 1, 0x7fffffffeff2);
    ck_assert_ptr_null(ez_island_pun(&fake, &w, true));
    w = window(0x7ffffffee000, 1, 0x800000000000);
    cannot(ez_island_pun(&fake, &w, true),
           "no free memory at an address that a punned jump can reach");
    ck_assert_uint_eq(fake.patcher.island_page.n, 1);
}
END_TEST

/* Both functions' jumps are one string of bytes: the second and following ones of f's are g's. */
START_TEST(pairs)
{
    for (int round = 0; round < 200; round++) {
        setup();
        uint64_t site = 0x7f0000001000 + roll(64);
        struct ez_patch_region f = { .site = site, .jump = 1, .prefix = 3 };
        struct ez_patch_region g = { .site = site + 1, .jump = 5, .prefix = 3 };
        uint8_t both[16], jump[16];
        mapped(site - site % EZ_PAGE - (uint64_t)roll(3) * EZ_PAGE * 8192, site + 3 * EZ_PAGE);
        bool keep = roll(2);
        SURE(!ez_island_pair(&fake, &f, &g, keep));
        SURE(f.strategy == EZ_PUN && g.strategy == EZ_PUN && !f.prefix && !g.prefix);
        SURE(!ez_arch_host()->jump.write(f.site, f.island, both));
        SURE(!ez_arch_host()->jump.write(g.site, g.island, jump));
        SURE(!memcmp(both + 1, jump, 4));
        const uint64_t at[] = { f.island, g.island };
        for (int i = 0; i < 2; i++) {
            SURE(!in_world(at[i], at[i] + FAR_JUMP));
            SURE(at[i] / EZ_PAGE == (at[i] + FAR_JUMP - 1) / EZ_PAGE);
            SURE(ez_island_ours(&fake, at[i]) == keep);
        }
        SURE(f.island + FAR_JUMP <= g.island || g.island + FAR_JUMP <= f.island);
        struct ez_patch_region f2 = f, g2 = g;
        SURE(!ez_island_pair(&fake, &f2, &g2, false));
        SURE((f2.island == f.island) == !keep);
        teardown();
    }
    for (int odd = 0; odd < 3; odd++) {
        struct ez_patch_region f = { .site = 0x7f0000001000, .jump = odd == 0 ? 2 : 1 };
        struct ez_patch_region g = { .site = f.site + (odd == 1 ? 2 : 1),
                                     .jump = odd == 2 ? 4 : 5 };
        cannot(ez_island_pair(&fake, &f, &g, true),
               "no free memory at addresses that two punned jumps can reach");
        ck_assert(!f.strategy && !g.strategy);
    }
}
END_TEST

static uint64_t island_in(uint64_t page)
{
    struct ez_patch_region w = window(page + 0x10000, 1, page + 0x20);
    ck_assert_ptr_null(ez_island_pun(&fake, &w, true));
    return w.island;
}

static bool all_traps(uint64_t page)
{
    for (uint64_t i = 0; i < EZ_PAGE; i++)
        if (ram[page - RAM + i] != ez_arch_host()->trap.insn[0])
            return false;
    return true;
}

START_TEST(pages_are_mapped_once)
{
    const uint64_t a = island_in(RAM), b = island_in(RAM + EZ_PAGE),
                   c = island_in(RAM + 2 * EZ_PAGE);
    ck_assert(!ez_island_mapped(&fake, a));
    maps.fails = EZ_E_SYS;
    cannot(ez_islands_map(&fake), "cannot map a page for punned jumps");
    ck_assert(ez_island_ours(&fake, a) && !ez_island_mapped(&fake, a));
    maps.n = 0;
    maps.fails = EZ_E_REMOTE; /* somebody else is in the first one by now */
    ck_assert_ptr_null(ez_islands_map(&fake));
    ck_assert_uint_eq(maps.n, 3);
    ck_assert(maps.last.at == RAM + 2 * EZ_PAGE && maps.last.size == EZ_PAGE);
    ck_assert_int_eq(maps.last.prot, PROT_READ | PROT_EXEC);
    ck_assert_int_eq(maps.last.flags, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE);
    ck_assert(!ez_island_ours(&fake, a) && !ez_island_mapped(&fake, a));
    ck_assert(ez_island_mapped(&fake, b) && ez_island_mapped(&fake, c));
    ck_assert(ram[0] == 0 && all_traps(RAM + EZ_PAGE) && all_traps(RAM + 2 * EZ_PAGE));
    ck_assert_uint_eq(ram[3 * EZ_PAGE], 0);
    ck_assert_ptr_null(ez_islands_map(&fake));
    ck_assert_uint_eq(maps.n, 3);
    ck_assert_uint_eq(looks, 1);
}
END_TEST

START_TEST(pages_that_others_took)
{
    ck_assert_ptr_null(ez_islands_refresh(&fake));
    ck_assert_uint_eq(looks, 0); /* there was nothing to look at */
    const uint64_t a = island_in(RAM);
    ck_assert_ptr_null(ez_islands_map(&fake));
    const uint64_t b = island_in(RAM + EZ_PAGE), c = island_in(RAM + 2 * EZ_PAGE);
    mapped(RAM, RAM + 2 * EZ_PAGE); /* the first one is ours by now */
    ck_assert_ptr_null(ez_islands_refresh(&fake));
    ck_assert(ez_island_mapped(&fake, a));
    ck_assert(!ez_island_ours(&fake, b));
    ck_assert(ez_island_ours(&fake, c) && !ez_island_mapped(&fake, c));
}
END_TEST

START_TEST(islands_of_an_earlier_shell)
{
    const uint64_t last = RAM + EZ_PAGE - FAR_JUMP;
    ez_island_adopt(&fake, last);
    ck_assert_uint_eq(fake.patcher.island_page.n, 1);
    ck_assert(ez_island_mapped(&fake, last) && ez_island_ours(&fake, last));
    ck_assert(!ez_island_mapped(&fake, last + 1) && !ez_island_ours(&fake, last + 1));
    ck_assert(!ez_island_ours(&fake, RAM - 1));
    ez_island_adopt(&fake, last + 1); /* they made it on two pages */
    ck_assert_uint_eq(fake.patcher.island_page.n, 2);
    ck_assert(ez_island_mapped(&fake, last + 1));
    ez_island_adopt(&fake, RAM + 5);
    ck_assert_uint_eq(fake.patcher.island_page.n, 2);
    ck_assert_uint_eq(island_in(RAM), RAM + 0x20); /* what they had there is free */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("islands");
    TCase *c = tcase_create("islands");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, islands_fill_what_is_reached);
    tcase_add_test(c, where_no_island_can_be);
    tcase_add_test(c, pairs);
    tcase_add_test(c, pages_are_mapped_once);
    tcase_add_test(c, pages_that_others_took);
    tcase_add_test(c, islands_of_an_earlier_shell);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
