/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_restore.c - what an earlier shell's journal says, judged row by row, in a process that is
 * made up (fake.h): which patches are whole, stand, and lead where they should; and the order in
 * which all are given back. adopt_rows.c itself is in this program. */
#include "engine/process/adopt_rows.c"

#include "tests/unit/fake.h"
#include "tests/unit/suite.h"

static uint8_t file[0x1000];
static struct ez_way way;
static bool moved;
static uint64_t to_of[4][2]; /* program counters, and where each went */

ez_err *__wrap_ez_pc_fixup(struct ez_target *t, const struct ez_way *w);
ez_err *__wrap_ez_pc_fixup(struct ez_target *t, const struct ez_way *w)
{
    (void)t;
    way = *w;
    moved = true;
    for (size_t i = 0; i < EZ_ARRAY_LEN(to_of); i++) {
        to_of[i][1] = w->to(w->arg, to_of[i][0]);
        ck_assert_int_eq(w->concerns(w->arg, to_of[i][0]), to_of[i][1] != 0);
    }
    return NULL;
}

/* A library whose live bytes are the file's. */
static void setup(void)
{
    fake_begin();
    fake_zeros();
    fake_lib(0, RAM, RAM + sizeof file, RAM);
    for (size_t i = 0; i < sizeof file; i++)
        file[i] = (uint8_t)(i * 13 + 1);
    lib[0].file = file;
    lib[0].file_size = sizeof file;
    memcpy(ram, file, sizeof file);
    moved = false;
    memset(to_of, 0, sizeof to_of);
}

static void teardown(void)
{
    EZ_VEC_FREE(&fake.inf.module);
}

static void live(uint64_t at, const void *bytes, size_t n)
{
    memcpy(ram + (at - RAM), bytes, n);
}

static bool all_is_the_files(void)
{
    return !memcmp(ram, file, sizeof file);
}

START_TEST(whole_patches)
{
    static const uint8_t lengths[][6] = {
        [0] = { 2, 5 },
        [EZ_JUMP] = { 5 },
        [EZ_PADDING] = { 5 },
        [EZ_ISLAND] = { 2 },
        [EZ_PUN] = { 1, 2, 3, 4, 5 },
        [EZ_TRAP] = { 1 },
        [EZ_TRAP + 1] = { 5 },
    };
    for (uint8_t s = 0; s <= EZ_TRAP + 1; s++)
        for (uint8_t n = 0; n <= 16; n++) {
            struct ez_row r = { .strategy = s, .len = n };
            ck_assert_msg(row_whole(&fake, &r) == (n && memchr(lengths[s], n, 5)), "%u %u", s, n);
        }
}
END_TEST

/* The n bytes at `at`: do some of them, and no others, replace the file's? */
static bool replaced(uint64_t at, const uint8_t *ours, size_t n)
{
    bool some = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t off = at + i - RAM;
        if (off >= sizeof file || (ram[off] != ours[i] && ram[off] != file[off]))
            return false;
        some |= ram[off] != file[off];
    }
    return some;
}

START_TEST(patches_that_stand)
{
    const size_t jump = (size_t)fake.inf.arch->jump.len;
    unsigned seen[8] = { 0 };
    for (int round = 0; round < 40000; round++) {
        const uint64_t ends[] = { RAM, RAM + 40, RAM + sizeof file - roll(8), RAM - 2 };
        struct ez_row r = { .strategy =
                                (uint8_t)(roll(2) ? EZ_ISLAND + roll(2) : roll(EZ_TRAP + 1)),
                            .len = (uint8_t)(roll(2)   ? 2
                                             : roll(2) ? 1 + roll(6)
                                                       : roll(20)),
                            .planted = roll(6) != 0,
                            .addr = ends[roll(2) ? 1 : roll(4)],
                            .island = roll(4) ? ends[roll(4)] + 18 : 0,
                            .trampoline = 0x123456 };
        uint8_t far_jump[16];
        memcpy(ram, file, sizeof file);
        for (size_t i = 0; i < 16; i++)
            r.after[i] = (uint8_t)(file[i] ^ (roll(3) ? 0x80 : 0));
        memcpy(r.island_after, "\xe9\x01\x02\x03\x04\x05", 6);
        fake.inf.arch->jump.write_far(r.trampoline, far_jump);
        if (roll(2) && r.addr >= RAM && r.addr + 16 < RAM + sizeof file)
            live(r.addr, r.after, EZ_MIN(r.len, 16));
        if (roll(2) && r.island >= RAM && r.island + 16 < RAM + sizeof file) {
            bool pun = r.strategy == EZ_PUN || !roll(3);
            live(r.island, pun ? far_jump : r.island_after, pun ? 14 : 5);
        }
        if (!roll(3))
            ram[roll(64)] ^= 1; /* somebody else's */
        bool pun = r.strategy == EZ_PUN && r.island >= RAM && r.island + 14 <= RAM + sizeof ram &&
                   !memcmp(ram + (r.island - RAM), far_jump, 14);
        unsigned want = pun ? ROW_MAPPED : 0;
        if (r.planted && r.len <= 16 && row_whole(&fake, &r) && replaced(r.addr, r.after, r.len))
            want |= ROW_SITE;
        if (r.planted && r.strategy == EZ_ISLAND && replaced(r.island, r.island_after, jump))
            want |= ROW_ISLAND;
        SURE(row_stands(&fake, &r) == want);
        seen[want]++;
    }
    ck_assert(seen[0] > 1000 && seen[ROW_SITE] > 1000 && seen[ROW_ISLAND] > 100);
    ck_assert(seen[ROW_SITE | ROW_ISLAND] > 100 && seen[ROW_MAPPED] > 100);
    ck_assert(seen[ROW_MAPPED | ROW_SITE] > 100);
}
END_TEST

/* ---- giving back -------------------------------------------------------------------------------- */

enum { GUEST, HOST, PUN, SECOND, TRAP, AGAIN, HOOK, NROWS };
static struct ez_row row[NROWS];

static void stand(int i, uint8_t strategy, uint64_t at, uint8_t len, uint16_t flags)
{
    row[i] = (struct ez_row){ .strategy = strategy, .addr = at, .len = len, .flags = flags };
    row[i].planted = 1;
    row[i].trampoline = 0x900000 + (uint64_t)i * 64;
    memset(row[i].after, 0xf0 + i, len);
    live(at, row[i].after, len);
}

static void all_patches(void)
{
    uint8_t far_jump[16];
    const uint64_t island = RAM + 0x104;
    stand(HOST, EZ_JUMP, RAM + 0x100, 5, EZ_ROW_PASS);
    stand(GUEST, EZ_ISLAND, RAM + 0x80, 2, EZ_ROW_ENTRY);
    row[GUEST].island = island + 8;
    ck_assert_ptr_null(
        fake.inf.arch->jump.write(island + 8, RAM + 0x5000, row[GUEST].island_after));
    live(island + 8, row[GUEST].island_after, 5);
    stand(PUN, EZ_PUN, RAM + 0x200, 1, EZ_ROW_ENTRY | EZ_ROW_EXIT);
    row[PUN].island = RAM + 0x10000;
    fake.inf.arch->jump.write_far(row[PUN].trampoline, far_jump);
    live(row[PUN].island, far_jump, 14);
    stand(SECOND, EZ_JUMP, RAM + 0x40, 5, EZ_ROW_ENTRY);
    stand(TRAP, EZ_TRAP, RAM + 0x300, 1, EZ_ROW_ENTRY);
    stand(HOOK, EZ_JUMP, RAM + 0x20, 5, EZ_ROW_INTERNAL);
    row[AGAIN] = row[SECOND]; /* two rows of one site */
}

START_TEST(the_order)
{
    /* what is short, or leads to others, goes first; each by address */
    const uint64_t order[] = { RAM + 0x80, RAM + 0x200, RAM + 0x300, RAM + 0x10c,
                               RAM + 0x20, RAM + 0x40,  RAM + 0x100 };
    unsigned sites;
    all_patches();
    to_of[0][0] = RAM + 0x10c;
    to_of[1][0] = RAM + 0x10000;
    to_of[2][0] = RAM + 0x80;
    to_of[3][0] = RAM + 0x10d;
    ck_assert_ptr_null(rows_restore(&fake, row, NROWS, "test", &sites));
    ck_assert_uint_eq(sites, 4);
    ck_assert_uint_eq(writes, EZ_ARRAY_LEN(order));
    for (size_t i = 0; i < EZ_ARRAY_LEN(order); i++)
        ck_assert_uint_eq(wrote[i], order[i]);
    ck_assert(all_is_the_files() && moved);
    ck_assert_uint_eq(to_of[0][1], RAM + 0x5000);
    ck_assert_uint_eq(to_of[1][1], row[PUN].trampoline);
    ck_assert(!to_of[2][1] && !to_of[3][1]);
    ck_assert(way.lo == RAM + 0x10c && way.hi == RAM + 0x10000);
    moved = false;
    writes = 0;
    row[PUN].island = 0;
    ck_assert_ptr_null(rows_restore(&fake, row, NROWS, "test", &sites)); /* nothing stands */
    ck_assert(!sites && !writes && !moved);
}
END_TEST

START_TEST(a_write_that_fails)
{
    unsigned sites;
    all_patches();
    fail_write = 3;
    cannot(rows_restore(&fake, row, NROWS, "test", &sites), "cannot test");
    ck_assert_uint_eq(sites, 2);
    ck_assert_uint_eq(writes, 3);
}
END_TEST

/* ---- taking over -------------------------------------------------------------------------------- */

START_TEST(patches_that_lead_to_their_trampolines)
{
    const struct ez_arch *a = fake.inf.arch;
    const uint64_t at = 0x400000, trampoline = 0x500000, island = 0x400040;
    for (uint8_t s = 0; s <= EZ_TRAP + 1; s++)
        for (uint8_t len = 0; len <= 6; len++)
            for (int spoilt = 0; spoilt < 4;
                 spoilt++) { /* nothing; the patch's end; island's ends */
                struct ez_row r = { .strategy = s,
                                    .len = len,
                                    .addr = at,
                                    .trampoline = trampoline,
                                    .island = island };
                ck_assert_ptr_null(s == EZ_ISLAND ? a->jump.write_short(at, island, r.after)
                                                  : a->jump.write(at, trampoline, r.after));
                ck_assert_ptr_null(a->jump.write(island, trampoline, r.island_after));
                if (s == EZ_TRAP)
                    memcpy(r.after, a->trap.insn, a->trap.len);
                r.after[len ? len - 1 : 0] ^= spoilt == 1;
                r.island_after[spoilt == 2 ? 4 : 0] ^= spoilt >= 2;
                bool want = (s == EZ_JUMP || s == EZ_PADDING) ? len == 5 && spoilt != 1
                            : s == EZ_ISLAND                  ? len == 2 && !spoilt
                            : s == EZ_PUN                     ? len >= 1 && len <= 5
                            : s == EZ_TRAP                    ? len == 1 && spoilt != 1
                                                              : false;
                ck_assert_msg(adopt_rows_leads(&fake, &r) == want, "%u %u %d", s, len, spoilt);
                bool plain = (s == EZ_JUMP || s == EZ_PADDING) && len == 5;
                ck_assert_int_eq(adopt_is_plain(&fake, &r), plain);
                r.flags = EZ_ROW_PASS;
                ck_assert(!adopt_is_plain(&fake, &r));
                r.island = 0;
                ck_assert(s != EZ_PUN || !adopt_rows_leads(&fake, &r));
            }
}
END_TEST

START_TEST(rows_with_islands_in_a_window)
{
    const uint64_t at = 0x400000, window = sizeof((struct ez_patch_region *)0)->bytes;
    const int64_t off[] = { -1, 0, 5, (int64_t)window - 1, (int64_t)window };
    for (size_t i = 0; i < EZ_ARRAY_LEN(off); i++)
        for (uint8_t s = 0; s <= EZ_TRAP; s++) {
            struct ez_row rows[3] = { { .addr = at } };
            struct adoption o = { .row = rows, .hdr.ids_used = 2 };
            rows[1].strategy = s;
            rows[1].island = at + (uint64_t)off[i];
            rows[2].strategy = EZ_ISLAND; /* not in use */
            rows[2].island = at + 4;
            bool want = s == EZ_ISLAND && i > 0 && i < 4;
            ck_assert_int_eq(adopt_may_evict(&o, &rows[0]), want);
        }
}
END_TEST

START_TEST(rows_whose_library_is_there)
{
    uint8_t now[16];
    struct ez_row r = { .addr = RAM + 0x100, .func = RAM + 0x100, .len = 5 };
    memcpy(r.before, file + 0x100, 16);
    live(r.addr, "\xe9\1\2\3\4", 5);
    ck_assert(adopt_rows_rooted(&fake, &r, now));
    ck_assert(!memcmp(now, "\xe9\1\2\3\4", 5));
    for (int odd = 0; odd < 7; odd++) {
        struct ez_row x = r;
        x.len = odd == 0 ? 17 : 5;
        x.before[4] ^= odd == 1;
        x.before[5] ^= odd == 6; /* behind it: that does not matter */
        x.addr = odd == 2 ? 0 : odd == 3 ? RAM + sizeof file : x.addr;
        x.func = odd == 4 ? RAM + sizeof file : x.func;
        if (odd == 5) {
            x.addr = RAM + sizeof file - 3;
            memcpy(x.before, file + sizeof file - 3, 3);
        }
        ck_assert_msg(adopt_rows_rooted(&fake, &x, now) == (odd == 6), "%d", odd);
    }
    lib[0].mod.obj = NULL;
    ck_assert(!adopt_rows_rooted(&fake, &r, now));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("restore");
    TCase *c = tcase_create("restore");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, whole_patches);
    tcase_add_test(c, patches_that_stand);
    tcase_add_test(c, the_order);
    tcase_add_test(c, a_write_that_fails);
    tcase_add_test(c, patches_that_lead_to_their_trampolines);
    tcase_add_test(c, rows_with_islands_in_a_window);
    tcase_add_test(c, rows_whose_library_is_there);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
