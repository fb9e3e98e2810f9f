/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_room.c - what engine/patch keeps of a process, for processes that are made up (fake.h): room
 * for trampolines, the code of return thunks, what an earlier shell left of both, sites and hosts. */
#include <sys/mman.h>
#include <sys/syscall.h>

#include "engine/patch/site.c"

#include "tests/unit/fake.h"
#include "tests/unit/suite.h"
#include "engine/inferior/inject.h"
#include "engine/patch/alloc.h"
#include "engine/patch/return_thunk.h"

/* ---- the process answers ----------------------------------------------------------------------- */

static struct {
    uint64_t gap; /* what there is; 0 = nothing */
    uint64_t lo, hi, size;
    int64_t reach;
    struct ez_mmap map;
    uint64_t advised, length, advice;
    unsigned gaps, maps, madvises;
} asked;

ez_err *__wrap_ez_maps_read(pid_t pid, struct ez_maps *m);
ez_err *__wrap_ez_maps_read(pid_t pid, struct ez_maps *m)
{
    (void)pid;
    memset(m, 0, sizeof *m);
    return NULL;
}

uint64_t __wrap_ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                            int64_t reach);
uint64_t __wrap_ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                            int64_t reach)
{
    (void)m;
    asked.lo = lo;
    asked.hi = hi;
    asked.size = size;
    asked.reach = reach;
    asked.gaps++;
    return asked.gap;
}

ez_err *__wrap_ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                              const char *why);
ez_err *__wrap_ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                              const char *why)
{
    (void)t, (void)why;
    asked.map = *m;
    asked.maps++;
    *out = m->at;
    return NULL;
}

ez_err *__wrap_ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr,
                                 const uint64_t arg[6], int64_t *result, const char *why);
ez_err *__wrap_ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr,
                                 const uint64_t arg[6], int64_t *result, const char *why)
{
    (void)t, (void)th, (void)why;
    ck_assert_int_eq(nr, SYS_madvise);
    asked.advised = arg[0];
    asked.length = arg[1];
    asked.advice = arg[2];
    asked.madvises++;
    *result = 0;
    return NULL;
}

struct ez_thread *__wrap_ez_inject_thread(struct ez_target *t);
struct ez_thread *__wrap_ez_inject_thread(struct ez_target *t)
{
    (void)t;
    return NULL;
}

static void no_room(ez_err *e, uint64_t addr)
{
    char want[80];
    snprintf(want, sizeof want, "no free memory within reach of a jump at 0x%lx",
             (unsigned long)addr);
    cannot(e, want);
}

static void forget_areas(void)
{
    for (size_t i = 0; i < fake.rt.area.n; i++)
        if (fake.rt.area.at[i].mirror)
            munmap(fake.rt.area.at[i].mirror, fake.rt.area.at[i].size);
    EZ_VEC_FREE(&fake.rt.area);
}

/* ---- room for trampolines ---------------------------------------------------------------------------- */

static void area_is(size_t i, uint64_t lo, uint64_t hi)
{
    const struct ez_area *a = &fake.rt.area.at[i];
    ck_assert_uint_eq(a->base, lo);
    ck_assert_uint_eq(a->base + a->size, hi);
    ck_assert_uint_eq(a->used, hi - lo);
    ck_assert_uint_eq(a->flushed, hi - lo);
}

START_TEST(areas_of_an_earlier_shell)
{
    const uint64_t page = EZ_PAGE, base = 0x1000000, near = 16 * page;
    const struct {
        uint64_t lo, hi, from, to; /* from 0: an area of its own */
    } a[] = {
        { base + 5, base + page, base, base + page },
        { base + 5, base + page + 1, base, base + 2 * page },
        { base - 1, base + 1, base - page, base + page },
        { base + page + near, base + page + near + 1, base, base + 2 * page + near },
        { base + 2 * page + near, base + 2 * page + near + 1, 0, 0 },
        { base - near - 1, base - near, base - near - page, base + page },
        { base - near - page - 1, base - near - page, 0, 0 },
        { base - page, base + 4 * page, base - page, base + 4 * page },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(a); i++) {
        fake_begin();
        ez_trampoline_adopt(&fake, base, base + 1);
        ez_trampoline_adopt(&fake, a[i].lo, a[i].hi);
        ck_assert_uint_eq(fake.rt.area.n, a[i].from ? 1 : 2);
        if (a[i].from)
            area_is(0, a[i].from, a[i].to);
        else
            area_is(0, base, base + page);
        if (!a[i].from)
            area_is(1, a[i].lo & ~(page - 1), EZ_ROUND_UP(a[i].hi, page));
        const struct ez_area *last = &fake.rt.area.at[fake.rt.area.n - 1];
        ck_assert(ez_trampoline_owns(&fake, last->base, last->base + 1));
        ck_assert(ez_trampoline_owns(&fake, last->base - 5, last->base + 1));
        ck_assert(ez_trampoline_owns(&fake, last->base + last->size - 1, ~0ull));
        ck_assert(!ez_trampoline_owns(&fake, last->base + last->size, last->base + last->size + 1));
        fake.rt.area.n = 1;
        ck_assert(!ez_trampoline_owns(&fake, fake.rt.area.at[0].base - 9, fake.rt.area.at[0].base));
        EZ_VEC_FREE(&fake.rt.area);
    }
}
END_TEST

START_TEST(trampolines_in_an_area)
{
    static uint8_t mirror[0x1000];
    const uint64_t margin = (uint64_t)ez_arch_host()->jump.reach - (1 << 20), base = RAM;
    uint64_t at;
    uint8_t *here;
    fake_begin();
    fake_zeros();
    EZ_PUSH(&fake.rt.area, ((struct ez_area){ .base = base, .size = 0x1000, .mirror = mirror }));
    for (unsigned n = 1, used = 0; n <= 129; n += 64, used += 64 * (n / 64)) {
        uint64_t before;
        ck_assert_ptr_null(ez_trampoline_place(&fake, base, n, &before));
        ck_assert_ptr_null(ez_trampoline_room(&fake, base, n, 0, &at, &here));
        ck_assert(at == before && at == base + used && here == mirror + used);
        ck_assert_uint_eq(fake.rt.area.at[0].used, used + EZ_ROUND_UP(n, EZ_TRAMPOLINE_ALIGN));
        memset(here, (int)n, EZ_MIN(n, 65u));
    }
    ez_trampoline_fits(&fake, at, 65); /* the last one is shorter than it seemed */
    ck_assert_uint_eq(fake.rt.area.at[0].used, at - base + 128);
    ck_assert_ptr_null(ez_trampoline_flush(&fake));
    ck_assert_int_eq(memcmp(ram, mirror, sizeof mirror), 0);
    ck_assert_uint_eq(writes, 1);
    ck_assert_ptr_null(ez_trampoline_flush(&fake)); /* nothing is new */
    ck_assert_uint_eq(writes, 1);
    size_t left = 0x1000 - fake.rt.area.at[0].used;
    ck_assert_ptr_null(ez_trampoline_reserve(&fake, base, left));
    ck_assert_ptr_null(ez_trampoline_room(&fake, base, left, 0, &at, &here));
    memset(here, 9, left);
    ck_assert_ptr_null(ez_trampoline_flush(&fake));
    ck_assert_int_eq(memcmp(ram, mirror, sizeof mirror), 0);
    fake.rt.area.at[0].used = 0; /* how far it is from a function, at most */
    ck_assert_ptr_null(ez_trampoline_place(&fake, base + margin - 1, 1, &at));
    ck_assert_uint_eq(at, base);
    fake.rt.area.at[0].base = 0x100000000;
    ck_assert_ptr_null(ez_trampoline_place(&fake, 0x100001000 - margin + 1, 1, &at));
    ck_assert_uint_eq(at, 0x100000000);
    memset(&asked, 0, sizeof asked);
    no_room(ez_trampoline_place(&fake, 0x100001000 - margin, 1, &at), 0x100001000 - margin);
    no_room(ez_trampoline_place(&fake, 0x100000000 + margin, 1, &at), 0x100000000 + margin);
    ck_assert_uint_eq(asked.gaps, 2);
    ck_assert_uint_eq(asked.maps, 0);
    asked.gap = 0x70000;
    ck_assert_ptr_null(ez_trampoline_place(&fake, 0x100000000 + margin, 1, &at));
    ck_assert_uint_eq(
        at, 0x70000 + EZ_TRAMPOLINE_ALIGN); /* no trampoline begins where a library may end */
    ck_assert_uint_eq(asked.maps, 0);
    EZ_VEC_FREE(&fake.rt.area);
}
END_TEST

/* How large a new area is, where it may lie, and that it is used at once. */
START_TEST(new_areas)
{
    const uint64_t k = 1024, huge = EZ_HUGE;
    const struct {
        uint64_t n, more, size;
    } a[] = {
        { 1, 0, 64 * k },
        { 64 * k - 64, 0, 64 * k },
        { 64 * k, 0, 68 * k },
        { 64 * k + 1, 0, 68 * k },
        { 1, 64 * k, 68 * k },
        { 68 * k, 0, 72 * k },
        { huge - 2 * EZ_PAGE, 0, huge - EZ_PAGE },
        { huge - 4095, 0, huge },
        { huge - 64, 0, huge },
        { huge, 0, 2 * huge },
        { 64, huge - 128, huge },
        { 65, huge - 128, 2 * huge },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(a); i++)
        for (int in = 0; in < 2; in++) {
            const uint64_t addr = 0x7f0000001234;
            uint64_t at;
            uint8_t *here;
            fake_begin();
            memset(&asked, 0, sizeof asked);
            if (in)
                fake_lib(0, 0x7f0000000000, 0x7f0000010000, 0);
            if (a[i].more)
                no_room(ez_trampoline_room(&fake, addr, a[i].n, a[i].more, &at, &here), addr);
            else
                no_room(ez_trampoline_reserve(&fake, addr, a[i].n), addr);
            ck_assert_uint_eq(asked.maps, 0);
            ck_assert_uint_eq(fake.rt.area.n, 0);
            asked.gap = 0x7effff000000;
            if (!a[i].more)
                ck_assert_ptr_null(ez_trampoline_reserve(&fake, addr, a[i].n));
            ck_assert_ptr_null(ez_trampoline_room(&fake, addr, a[i].n, a[i].more, &at, &here));
            ck_assert_uint_eq(asked.maps, 1);
            ck_assert_uint_eq(asked.lo, in ? 0x7f0000000000 : addr);
            ck_assert_uint_eq(asked.hi, in ? 0x7f0000010000 : addr + 1);
            ck_assert_uint_eq(asked.size, a[i].size);
            ck_assert_int_eq(asked.reach, ez_arch_host()->jump.reach - (1 << 20));
            ck_assert(asked.map.at == asked.gap && asked.map.size == a[i].size);
            ck_assert_int_eq(asked.map.prot, PROT_READ | PROT_EXEC);
            ck_assert_int_eq(asked.map.flags,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE);
            ck_assert_uint_eq(asked.madvises, a[i].size >= huge);
            ck_assert_uint_eq(asked.advised, a[i].size >= huge ? asked.gap : 0);
            ck_assert_uint_eq(asked.length, a[i].size >= huge ? a[i].size : 0);
            ck_assert_uint_eq(asked.advice, a[i].size >= huge ? MADV_HUGEPAGE : 0);
            ck_assert_uint_eq(fake.rt.area.n, 1);
            const struct ez_area *area = &fake.rt.area.at[0];
            ck_assert(at == asked.gap + EZ_TRAMPOLINE_ALIGN &&
                      here == area->mirror + EZ_TRAMPOLINE_ALIGN);
            ck_assert(area->base == asked.gap && area->size == a[i].size && !area->flushed);
            ck_assert_uint_eq(area->used,
                              EZ_TRAMPOLINE_ALIGN + EZ_ROUND_UP(a[i].n, EZ_TRAMPOLINE_ALIGN));
            area->mirror[area->size - 1] = 1; /* all of it is there */
            forget_areas();
            EZ_VEC_FREE(&fake.inf.module);
        }
}
END_TEST

/* ---- return thunks ----------------------------------------------------------------------------- */

static struct ez_blob_hdr blob = { .thunk = 16,
                                   .through = 0x140,
                                   .through_rec = 0x180,
                                   .pool = 0x100,
                                   .pool_end = 0x200,
                                   .pool_words = 0x1c0 };
static uint8_t image[0x400];

static void begin_thunks(void)
{
    fake_begin();
    fake_zeros();
    for (size_t i = 0; i < sizeof image; i++)
        image[i] = (uint8_t)(i + 1);
    fake.rt.bh = &blob;
    fake.rt.image = image;
    fake.rt.npools = 1;
}

/* The thunks' code, as whole pages, and words are in memory, and nothing else is. */
static void flushed_well(const struct ez_pool *p)
{
    const uint8_t *code = ram + EZ_POOL_THUNKS;
    size_t coded = EZ_ROUND_UP(p->thunk.n, EZ_PAGE / EZ_RETURN_THUNK);
    SURE(p->coded == coded);
    SURE(p->written == p->thunk.n);
    for (size_t i = 0; i < coded; i++, code += EZ_RETURN_THUNK)
        SURE(memcmp(code, image + 16, EZ_RETURN_THUNK) == 0);
    while (code < ram + sizeof ram)
        SURE(*code++ == 0);
    if (p->thunk.n)
        SURE(memcmp(far_ram, p->thunk.at, p->thunk.n * EZ_RETURN_THUNK) == 0);
    for (size_t i = p->thunk.n * EZ_RETURN_THUNK; i < sizeof far_ram; i++)
        SURE(far_ram[i] == 0);
}

START_TEST(return_thunks)
{
    begin_thunks();
    struct ez_pool *p = &fake.rt.pool[0];
    p->base = RAM;
    uint32_t most = 0;
    for (int round = 0; round < 80; round++) {
        for (uint32_t k = 0, n = roll(4); k < n; k++) {
            uint32_t id = roll(4) ? most + roll(3) : roll(most + 1) + roll(2) * 200;
            bool rec = roll(2);
            uint64_t to = 0x5000 + roll(1000), at = ez_return_thunk_set(&fake, p, id, to, rec);
            most = EZ_MAX(most, id + 1);
            ck_assert_uint_eq(at, RAM + EZ_POOL_THUNKS + id * EZ_RETURN_THUNK);
            ck_assert_uint_eq(p->thunk.n, most);
            ck_assert_uint_eq(p->thunk.at[id].target, to);
            ck_assert_uint_eq(p->thunk.at[id].exit, RAM + (rec ? 0x80 : 0x40));
        }
        bool nothing = p->written == p->thunk.n;
        unsigned before = writes;
        ck_assert_ptr_null(ez_return_thunks_flush(&fake));
        ck_assert(!nothing || writes == before);
        flushed_well(p);
    }
    ck_assert_uint_gt(most, 2 * EZ_PAGE / EZ_RETURN_THUNK);
}
END_TEST

/* Another shell takes over what was flushed; one byte that it would not have written is noticed. */
START_TEST(return_thunks_of_an_earlier_shell)
{
    const uint64_t base = RAM;
    const uint32_t per_page = EZ_PAGE / EZ_RETURN_THUNK;
    for (uint32_t n = per_page - 1; n <= per_page + 1; n++) {
        begin_thunks();
        struct ez_pool *p = &fake.rt.pool[0];
        p->base = base;
        for (uint32_t id = 0; id < n; id++)
            ez_return_thunk_set(&fake, p, id, id + 1, false);
        ck_assert_ptr_null(ez_return_thunks_flush(&fake));
        uint8_t first[EZ_POOL_THUNKS] = { 0 };
        struct ez_pool_words words = { .cont = base + EZ_POOL_THUNKS +
                                               ez_arch_host()->rt->continuation };
        memcpy(first, image + blob.pool, blob.pool_end - blob.pool);
        memcpy(first + (blob.pool_words - blob.pool), &words, sizeof words);
        memcpy(ram, first, sizeof first);
        size_t coded = p->coded;
        for (int i = 0; i < 8; i++) { /* spoiled: nothing; the first page's ends; code; behind it */
            const uint64_t page = EZ_PAGE, end = page + coded * EZ_RETURN_THUNK;
            const uint64_t at[] = { end, 0, page - 1, page, page + 17, end - 1, end, end + page };
            ram[at[i]] ^= i ? 1 : 0;
            EZ_VEC_FREE(&p->thunk);
            *p = (struct ez_pool){ 0 };
            fake.rt.npools = 0;
            ez_err *e = ez_pools_adopt(&fake, &base, 1, n);
            if (i == 0 || i >= 6) { /* the page behind is not looked at */
                ck_assert_ptr_null(e);
                ck_assert_uint_eq(fake.rt.npools, 1);
                ck_assert(p->coded == coded && p->written == n && p->thunk.n == n);
                ck_assert_uint_eq(p->thunk.at[n - 1].target, n);
            } else {
                cannot(e, "The return thunks at 0x100000 are not those that this eztsh generates");
            }
            ram[at[i]] ^= i ? 1 : 0;
        }
        memset(ram + EZ_POOL_THUNKS, 0,
               coded * EZ_RETURN_THUNK); /* it died before that was written */
        EZ_VEC_FREE(&p->thunk);
        *p = (struct ez_pool){ 0 };
        fake.rt.npools = 0;
        ck_assert_ptr_null(ez_pools_adopt(&fake, &base, 1, n));
        ck_assert_uint_eq(p->coded, 0);
        EZ_VEC_FREE(&p->thunk);
        EZ_VEC_FREE(&fake.rt.area);
    }
}
END_TEST

/* Each function that no pool reaches gets one, as long as there is room for another. */
START_TEST(new_pools)
{
    const uint64_t state = RAM + EZ_RT_STATE;
    begin_thunks();
    memset(&asked, 0, sizeof asked);
    fake.rt.npools = 0;
    fake.rt.blob = RAM;
    blob.through_slow = 0x11;
    blob.room = 0x22;
    blob.tick = 0x33;
    blob.left_return_thunk = 0x44;
    no_room(ez_pool_reserve(&fake, 1ull << 40), 1ull << 40);
    for (unsigned i = 0; i < EZ_NPOOLS; i++) {
        const uint64_t base = asked.gap = RAM + 0x14000 + i * EZ_PAGE, addr = (i + 1ull) << 40;
        uint8_t page[EZ_POOL_THUNKS] = { 0 };
        struct ez_pool_words words = {
            .cont = base + EZ_POOL_THUNKS + ez_arch_host()->rt->continuation,
            .slow = RAM + 0x11,
            .room = RAM + 0x22,
            .tick = RAM + 0x33,
            .left = RAM + 0x44,
        };
        memcpy(page, image + blob.pool, blob.pool_end - blob.pool);
        memcpy(page + (blob.pool_words - blob.pool), &words, sizeof words);
        ck_assert_ptr_null(ez_pool_reserve(&fake, addr));
        ck_assert_uint_eq(asked.maps, i + 1);
        ck_assert(asked.map.at == base && asked.map.size == EZ_POOL_SIZE);
        ck_assert(!memcmp(ram + (base - RAM), page, sizeof page));
        struct rt_state *st = (void *)(ram + (state - RAM));
        ck_assert_uint_eq(st->npools, i + 1);
        for (unsigned k = 0; k <= i; k++)
            ck_assert_uint_eq(st->pool[k], RAM + 0x14000 + k * EZ_PAGE);
        ck_assert_uint_eq(fake.rt.npools, i + 1);
        ck_assert_uint_eq(fake.rt.pool[i].base, base);
        area_is(i, base, base + EZ_POOL_SIZE);
    }
    cannot(ez_pool_reserve(&fake, 1ull << 44),
           "A process can have at most 8 pools of return thunks");
    ck_assert_ptr_null(ez_pool_reserve(&fake, RAM)); /* this one is reached */
    ck_assert_uint_eq(asked.maps, EZ_NPOOLS);
    memset(&blob.through_slow, 0, 8);
    blob.room = blob.tick = blob.left_return_thunk = 0;
    fake.rt.npools = 0;
    asked.gap = RAM + 0x14000;
    fail_write = writes + 1;
    cannot(ez_pool_reserve(&fake, 1ull << 40), "cannot write the code after return thunks");
    ck_assert_uint_eq(fake.rt.npools, 0);
    EZ_VEC_FREE(&fake.rt.area);
}
END_TEST

START_TEST(pools_in_reach)
{
    const uint64_t margin = (uint64_t)ez_arch_host()->jump.reach - 2 * EZ_POOL_SIZE;
    fake_begin();
    fake.rt.npools = 2;
    fake.rt.pool[0].base = 1ull << 40;
    fake.rt.pool[1].base = (1ull << 40) + margin;
    const struct {
        uint64_t addr;
        int pool;
    } a[] = { { 1ull << 40, 0 },
              { (1ull << 40) - margin + 1, 0 },
              { (1ull << 40) - margin, -1 },
              { (1ull << 40) + margin - 1, 0 },
              { (1ull << 40) + margin, 1 },
              { (1ull << 40) + 2 * margin - 1, 1 },
              { (1ull << 40) + 2 * margin, -1 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(a); i++)
        ck_assert_ptr_eq(ez_pool_near(&fake, a[i].addr),
                         a[i].pool < 0 ? NULL : &fake.rt.pool[a[i].pool]);
}
END_TEST

/* ---- sites ------------------------------------------------------------------------------------- */

/* A site that is known and serves somebody is a host as it is, or none; one that does not serve is
 * judged anew, here: it has no symbol. */
START_TEST(known_hosts)
{
    const uint64_t func = RAM + 0x1000;
    const struct {
        bool loaded, serves;
        uint8_t strategy, len;
        bool can;
        int out;
    } s[] = { { true, true, EZ_JUMP, 10, true, 0 },    { true, true, EZ_JUMP, 11, true, 0 },
              { true, true, EZ_JUMP, 9, false, 0 },    { true, true, EZ_PADDING, 10, false, 0 },
              { true, true, EZ_ISLAND, 10, false, 0 }, { true, false, EZ_JUMP, 10, false, -7 },
              { false, true, EZ_JUMP, 10, false, -7 }, { false, false, EZ_JUMP, 10, false, -7 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(s); i++)
        for (int by = 0; by < 8; by++) {
            int out = -7;
            fake_begin();
            fake_lib(0, RAM, RAM + 0x2000, RAM);
            struct ez_site guest = { .func = func + 64, .mod = &lib[0].mod, .current = -1 };
            struct ez_site known = { .func = func, .addr = func + 4, .current = -1 };
            known.mod = s[i].loaded ? &lib[0].mod : NULL;
            known.win.strategy = s[i].strategy;
            known.win.len = s[i].len;
            ck_assert(!ez_site_serves(&known));
            if (s[i].serves) {
                known.hook = by == 0;
                known.jump = by == 1;
                known.guests = by == 2;
                known.current = by == 3 ? 0 : -1;
                if (by >= 4)
                    known.want[by - 4] = 1;
                ck_assert(ez_site_serves(&known));
            }
            site_append(&fake, &known);
            ck_assert_int_eq(ez_site_find(&fake, func), 0);
            ck_assert_int_eq(site_evict_at(&fake, &guest, func, func + 14, true, &out), s[i].can);
            ck_assert_int_eq(out, s[i].out);
            out = -7; /* one that is not known has no symbol either */
            ck_assert(!site_evict_at(&fake, &guest, func + 16, func + 20, true, &out));
            ck_assert_int_eq(out, -7);
            ck_assert_uint_eq(fake.patcher.site.n, 1);
            ez_sites_clear(&fake);
            ez_sites_free(&fake);
            EZ_VEC_FREE(&fake.inf.module);
        }
}
END_TEST

/* Each site is found again however many there are, and nothing else is; none is lost when another
 * takes its place. */
START_TEST(many_sites)
{
    enum { MANY = 3000 };
    uint64_t func[MANY];
    fake_begin();
    fake_lib(0, RAM, RAM + 0x1000000, RAM);
    SURE(ez_site_find(&fake, RAM) == -1);
    for (int i = 0; i < MANY; i++) {
        struct ez_site s = { .func = RAM + (uint64_t)i * 16, .mod = &lib[0].mod, .current = -1 };
        func[i] = s.func;
        SURE(site_add_instead(&fake, -1, &s) == i);
        ck_assert_uint_gt(fake.patcher.site_hash_size, 2 * fake.patcher.site.n);
        if (i % 97 == 0)
            for (int k = 0; k <= i; k++)
                SURE(ez_site_find(&fake, func[k]) == k);
        SURE(ez_site_find(&fake, s.func + 1) == -1);
    }
    struct ez_site again = { .func = func[5], .mod = &lib[0].mod, .current = -1 };
    EZ_PUSH(&fake.patcher.site.at[5].variant, ((struct ez_variant){ .id = 7, .flags = 1 }));
    SURE(site_add_instead(&fake, 5, &again) == MANY);
    SURE(ez_site_find(&fake, func[5]) == MANY);
    const struct ez_site *now = &fake.patcher.site.at[MANY];
    SURE(now->variant.n == 1 && now->variant.at[0].flags == (EZ_RETIRED | 1));
    SURE(fake.patcher.site.at[5].variant.n == 0);
    struct ez_site other = { .func = func[5], .mod = &lib[1].mod, .current = -1 };
    SURE(site_add_instead(&fake, MANY, &other) == MANY + 1); /* another library */
    SURE(fake.patcher.site.at[MANY + 1].variant.n == 0);
    SURE(fake.patcher.site.at[MANY].variant.n == 1);
    SURE(ez_site_find(&fake, func[4]) == 4);
    SURE(ez_site_find(&fake, func[6]) == 6);
    ez_sites_clear(&fake);
    SURE(ez_site_find(&fake, func[0]) == -1);
    ez_sites_free(&fake);
}
END_TEST

START_TEST(near_a_pun)
{
    const uint64_t at = 0x12345600;
    fake_begin();
    struct ez_site s = { .func = at, .current = -1 };
    s.win.strategy = EZ_JUMP;
    site_append(&fake, &s);
    ck_assert(!ez_site_near_punned(&fake, at));
    s.func = at + 1;
    s.win.strategy = EZ_PUN;
    site_append(&fake, &s);
    for (uint64_t d = 0; d <= EZ_SITE_NEAR; d++)
        ck_assert(ez_site_near_punned(&fake, at + 1 - d) && ez_site_near_punned(&fake, at + 1 + d));
    ck_assert(!ez_site_near_punned(&fake, at + 64) && !ez_site_near_punned(&fake, at - 64));
    ck_assert_uint_eq(fake.patcher.strategies, EZ_BY(EZ_JUMP) | EZ_BY(EZ_PUN));
    ez_sites_clear(&fake);
    ck_assert(!ez_site_near_punned(&fake, at + 1));
    ez_sites_free(&fake);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("room");
    TCase *c = tcase_create("room");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, areas_of_an_earlier_shell);
    tcase_add_test(c, trampolines_in_an_area);
    tcase_add_test(c, new_areas);
    tcase_add_test(c, return_thunks);
    tcase_add_test(c, return_thunks_of_an_earlier_shell);
    tcase_add_test(c, new_pools);
    tcase_add_test(c, pools_in_reach);
    tcase_add_test(c, known_hosts);
    tcase_add_test(c, many_sites);
    tcase_add_test(c, near_a_pun);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
