/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_kept.c - the list that `detach -keep` leaves: what was written is read, and what
 * somebody else wrote is refused, or harmless. And which rows of a journal, and which sites, belong
 * to a function that it names. adopt_probes.c itself is in this program. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/process/adopt_probes.c"
#include "tests/unit/many.h"
#include "tests/unit/suite.h"
#include "engine/probe/probe_list.h"

static struct ez_target *t;

static void add(enum ez_probe_kind kind, bool record, const char *location, const char *function)
{
    const struct ez_probe_spec spec = { .kind = kind,
                                        .record = record,
                                        .location = location,
                                        .with = kind & EZ_PROBE_REPLACE ? "libx:g" : NULL,
                                        .orig = kind & EZ_PROBE_REPLACE ? "old_g" : NULL };
    struct ez_probe *p = ez_probe_new(t, &spec);
    if (function) {
        p->object_path = ez_strdup("/usr/lib/libx.so");
        p->function = ez_strdup(function);
        p->library = ez_strdup("libx.so");
    }
    p->entries = 7 + (uint64_t)p->number;
}

static int make(uint64_t ino)
{
    struct ez_instant since = { 5, 6, 7 };
    int fd = -1;
    ck_assert_ptr_null(kept_write(t, ino, &since, &fd));
    return fd;
}

static void setup(void)
{
    ck_assert_ptr_null(ez_target_create(&t));
    add(EZ_PROBE_BOTH, true, "beat", "beat");
    add(EZ_PROBE_EXIT, false, "f@libx", "f(int)");
    add((enum ez_probe_kind)(EZ_PROBE_ENTRY | EZ_PROBE_TRAP), false, "nowhere", NULL);
    add(EZ_PROBE_REPLACE, false, "g", "g");
    ez_probe_reason(t->probes.probe.at[2], "not loaded");
    ez_probe_copy_of(t, t->probes.probe.at[1], -3); /* of the rule below */
    struct ez_rule r = {
        .matched = true,
        .serial = 3,
        .spec = { .kind = EZ_PROBE_BOTH, .matching = true, .location = ez_strdup("*:^mpi_") }
    };
    EZ_PUSH(&t->probes.rule, r);
}

static void teardown(void)
{
    ez_target_destroy(t);
}

START_TEST(what_was_written_is_read)
{
    struct kept k;
    EZ_CLOSE int fd = make(42);
    ck_assert_ptr_null(kept_read(fd, &k));
    ck_assert_uint_eq(k.head.seg_ino, 42);
    ck_assert_uint_eq(k.head.since.mono_ns, 6);
    ck_assert_uint_eq(k.head.nprobes, 4);
    ck_assert_uint_eq(k.head.nrules, 1);
    ck_assert_uint_eq(k.head.next_number, 5);
    for (uint32_t i = 0; i < 4; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        EZ_FREE char *location = kept_string(&k, k.probe[i].location);
        EZ_FREE char *function = kept_string(&k, k.probe[i].function);
        ck_assert_int_eq(k.probe[i].number, p->number);
        ck_assert_int_eq(k.probe[i].kind, p->spec.kind);
        ck_assert_int_eq(k.probe[i].record, p->spec.record);
        ck_assert_uint_eq(k.probe[i].entries, p->entries);
        ck_assert_int_eq(k.probe[i].family, p->family);
        ck_assert_uint_eq(k.probe[i].copy, p->copy);
        ck_assert_str_eq(location, p->spec.location);
        ck_assert_int_eq(!function, !p->function);
        if (function)
            ck_assert_str_eq(function, p->function);
    }
    EZ_FREE char *reason = kept_string(&k, k.probe[2].reason);
    EZ_FREE char *spec = kept_string(&k, k.rule[0].spec);
    EZ_FREE char *with = kept_string(&k, k.probe[3].with);
    EZ_FREE char *orig = kept_string(&k, k.probe[3].orig);
    ck_assert_str_eq(with, "libx:g");
    ck_assert_str_eq(orig, "old_g");
    ck_assert_uint_eq(k.probe[0].with, 0);
    ck_assert_str_eq(reason, "not loaded");
    ck_assert_str_eq(spec, "*:^mpi_");
    ck_assert_uint_eq(k.rule[0].serial, 3);
    kept_free(&k);
}
END_TEST

START_TEST(it_cannot_be_changed_later)
{
    EZ_CLOSE int fd = make(1);
    ck_assert_int_lt(pwrite(fd, "x", 1, 0), 0);
    ck_assert_int_lt(ftruncate(fd, 0), 0);
}
END_TEST

/* Reads every field that a reader would use. Returns a sum, so that no read is optimised away. */
static size_t use(const struct kept *k)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < k->head.nprobes; i++) {
        const struct kept_probe *p = &k->probe[i];
        const uint32_t text[] = { p->location, p->reason, p->object_path, p->function,
                                  p->library,  p->file,   p->with,        p->orig };
        ck_assert_int_eq(p->kind == EZ_PROBE_REPLACE, p->with != 0);
        ck_assert(p->with || p->kind & EZ_PROBE_BOTH);
        ck_assert(p->with || p->kind <= (EZ_PROBE_BOTH | EZ_PROBE_TRAP));
        ck_assert_int_le(p->state, EZ_PROBE_LOST);
        ck_assert_int_gt(p->number, 0);
        for (size_t s = 0; s < EZ_ARRAY_LEN(text); s++)
            sum += text[s] ? strlen(k->text + text[s]) : 0;
    }
    for (uint32_t i = 0; i < k->head.nrules; i++)
        sum += strlen(k->text + k->rule[i].spec);
    return sum;
}

START_TEST(a_damaged_one_is_refused_or_harmless)
{
    static const uint8_t odd[] = { 0, 1, 2, 4, 5, 0x7f, 0x80, 0xff };
    struct stat st;
    EZ_CLOSE int fd = make(9), other = memfd_create("other", MFD_CLOEXEC);
    unsigned refused = 0, taken = 0;
    ck_assert_int_eq(fstat(fd, &st), 0);
    size_t n = (size_t)st.st_size;
    EZ_FREE uint8_t *good = ez_alloc(n), *bad = ez_alloc(n);
    ck_assert_int_eq(pread(fd, good, n, 0), (ssize_t)n);
    for (size_t at = 0; at < n; at++) {
        for (size_t v = 0; v < EZ_ARRAY_LEN(odd); v++) {
            struct kept k;
            memcpy(bad, good, n);
            bad[at] = odd[v];
            ck_assert_int_eq(ftruncate(other, (off_t)n), 0);
            ck_assert_int_eq(pwrite(other, bad, n, 0), (ssize_t)n);
            ez_err *e = kept_read(other, &k);
            refused += e != NULL;
            taken += !e && use(&k);
            ez_err_free(e);
            kept_free(&k);
        }
    }
    ck_assert_uint_gt(refused, 100);
    ck_assert_uint_gt(taken, 100);
}
END_TEST

START_TEST(a_short_or_strange_one_is_refused)
{
    struct kept k;
    struct stat st;
    EZ_CLOSE int fd = make(9), other = memfd_create("other", MFD_CLOEXEC);
    ck_assert_int_eq(fstat(fd, &st), 0);
    size_t n = (size_t)st.st_size;
    EZ_FREE uint8_t *good = ez_alloc(n + 8);
    ck_assert_int_eq(pread(fd, good, n, 0), (ssize_t)n);
    for (size_t len = 0; len < n + 8; len++) {
        if (len == n)
            continue;
        ck_assert_int_eq(ftruncate(other, 0), 0);
        ck_assert_int_eq(pwrite(other, good, len, 0), (ssize_t)len);
        ck_assert(!ez_err_drop(kept_read(other, &k)));
    }
    ck_assert_int_eq(ftruncate(other, 1ll << 40), 0);
    ck_assert(!ez_err_drop(kept_read(other, &k)));
    ez_err *e = kept_read(-1, &k);
    ck_assert(e && e->code == EZ_E_FORMAT);
    ck_assert_str_eq(e->msg, "The list of the probes is damaged");
    ez_err_free(e);
}
END_TEST

/* Each number at its bound, where it is taken, and one beyond, where it is not. */
#define PROBE(field) 0, offsetof(struct kept_probe, field), sizeof((struct kept_probe *)0)->field
#define REPLACED(field) 3, offsetof(struct kept_probe, field), sizeof((struct kept_probe *)0)->field
#define RULE(field) 1, offsetof(struct kept_rule, field), sizeof((struct kept_rule *)0)->field
#define HEAD(field) 2, offsetof(struct kept_head, field), sizeof((struct kept_head *)0)->field
#define TEXT UINT64_MAX /* stands for the first offset that is not a text's */

static const struct {
    const char *what;
    int in;
    size_t off, size;
    uint64_t last, beyond;
} bound[] = {
    { "location", PROBE(location), TEXT - 1, TEXT },
    { "no location", PROBE(location), 1, 0 },
    { "reason", PROBE(reason), TEXT - 1, TEXT },
    { "object_path", PROBE(object_path), TEXT - 1, TEXT },
    { "function", PROBE(function), TEXT - 1, TEXT },
    { "library", PROBE(library), TEXT - 1, TEXT },
    { "file", PROBE(file), TEXT - 1, TEXT },
    { "function without an object", PROBE(object_path), 1, 0 },
    { "object without a function", PROBE(function), 1, 0 },
    { "object without a library", PROBE(library), 1, 0 },
    { "number", PROBE(number), 1, 0 },
    { "number below zero", PROBE(number), 1, 0x80000000u },
    { "number of the next", PROBE(number), 1, 2 },
    { "record", PROBE(record), 1, 2 },
    { "user_disabled", PROBE(user_disabled), 1, 2 },
    { "copy", PROBE(copy), 1, 2 },
    { "family", PROBE(family), INT32_MAX, 0 },
    { "family of a rule", PROBE(family), (uint32_t)-INT32_MAX, 0x80000000u },
    { "state", PROBE(state), EZ_PROBE_LOST, EZ_PROBE_LOST + 1 },
    { "kind", PROBE(kind), EZ_PROBE_BOTH | EZ_PROBE_TRAP, (EZ_PROBE_BOTH | EZ_PROBE_TRAP) + 1 },
    { "kind that is none", PROBE(kind), EZ_PROBE_EXIT, 0 },
    { "kind of a trap alone", PROBE(kind), EZ_PROBE_EXIT | EZ_PROBE_TRAP, EZ_PROBE_TRAP },
    { "original of no replacement", PROBE(orig), 0, 1 },
    { "with", REPLACED(with), TEXT - 1, TEXT },
    { "original", REPLACED(orig), TEXT - 1, TEXT },
    { "a replacement's kind", REPLACED(kind), EZ_PROBE_REPLACE, EZ_PROBE_BOTH },
    { "a replacement with nothing", REPLACED(with), 1, 0 },
    { "spec", RULE(spec), TEXT - 1, TEXT },
    { "no spec", RULE(spec), 1, 0 },
    { "a rule's record", RULE(record), 1, 2 },
    { "a rule's matched", RULE(matched), 0, 2 },
    { "a rule's serial", RULE(serial), INT32_MAX, (uint64_t)INT32_MAX + 1 },
    { "no serial", RULE(serial), 1, 0 },
    { "a rule's kind", RULE(kind), EZ_PROBE_BOTH, 8 },
    { "next number", HEAD(next_number), INT32_MAX, (uint64_t)INT32_MAX + 1 },
    { "next number in use", HEAD(next_number), 5, 4 },
    { "version", HEAD(version), 3, 2 },
};

static bool taken(const uint8_t *list, size_t n)
{
    struct kept k;
    EZ_CLOSE int fd = memfd_create("forged", MFD_CLOEXEC);
    ck_assert_int_eq(pwrite(fd, list, n, 0), (ssize_t)n);
    bool is = ez_err_drop(kept_read(fd, &k));
    kept_free(&k);
    return is;
}

START_TEST(numbers_have_bounds)
{
    struct kept_head h;
    struct stat st;
    EZ_CLOSE int fd = make(9);
    ck_assert_int_eq(fstat(fd, &st), 0);
    size_t n = (size_t)st.st_size;
    EZ_FREE uint8_t *list = ez_alloc(n);
    ck_assert_int_eq(pread(fd, list, n, 0), (ssize_t)n);
    memcpy(&h, list, sizeof h);
    size_t probes = sizeof h, rules = probes + h.nprobes * sizeof(struct kept_probe);
    uint8_t *at =
        list +
        (const size_t[]){ probes, rules, 0, rules - sizeof(struct kept_probe) }[bound[_i].in] +
        bound[_i].off;
    for (int beyond = 0; beyond < 2; beyond++) {
        uint64_t v = beyond ? bound[_i].beyond : bound[_i].last;
        v = v >= TEXT - 1 ? h.text_size - (TEXT - v) : v;
        memcpy(at, &v, bound[_i].size);
        ck_assert_msg(taken(list, n) != beyond, "%s %lu", bound[_i].what, (unsigned long)v);
    }
}
END_TEST

/* ---- rows and sites of a function -------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    return (int)*(const uint32_t *)a - (int)*(const uint32_t *)b;
}

/* The rows of the library that was there last have the highest `first`. */
static size_t rows_wanted(const struct adoption *o, uint64_t func, uint32_t id[])
{
    size_t n = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < o->hdr.ids_used; i++)
        if (func && o->row[i].func == func && !(o->row[i].flags & EZ_ROW_INTERNAL))
            first = EZ_MAX(first, o->row[i].first);
    for (uint32_t i = 0; i < o->hdr.ids_used; i++)
        if (func && o->row[i].func == func && !(o->row[i].flags & EZ_ROW_INTERNAL) &&
            o->row[i].first == first)
            id[n++] = i;
    return n;
}

/* Functions 1 to 5 have sites, in any order, whose variants are rows of theirs, or others. */
static void some_sites(const struct adoption *o)
{
    uint64_t func[5] = { 1, 2, 3, 4, 5 };
    for (uint32_t n = 5; n; n--) {
        uint32_t k = roll(n), id[16];
        struct ez_site site = { .func = func[k], .addr = func[k], .current = -1 };
        size_t rows = rows_wanted(o, func[k], id);
        func[k] = func[n - 1];
        if (!roll(4))
            continue;
        for (size_t i = 0; i < rows; i++)
            EZ_PUSH(&site.variant, ((struct ez_variant){ .id = id[i] }));
        if (roll(2) && rows)
            site.variant.n -= roll(2);
        if (site.variant.n && !roll(3))
            site.variant.at[0].id = roll(o->hdr.ids_used);
        EZ_PUSH(&t->patcher.site, site);
    }
}

START_TEST(rows_of_a_function)
{
    unsigned found = 0, others = 0;
    for (int round = 0; round < 3000; round++) {
        struct ez_row row[16] = { 0 };
        struct adoption o = { .row = row };
        struct index x = { 0 };
        o.hdr.ids_used = roll(12);
        for (uint32_t i = 0; i < o.hdr.ids_used; i++) {
            row[i].func = roll(6);
            row[i].first = roll(3);
            row[i].flags = roll(5) ? 0 : EZ_ROW_INTERNAL;
        }
        some_sites(&o);
        adopt_index_make(&x, t, &o);
        for (uint64_t func = 0; func <= 6; func++) {
            uint32_t want[16];
            size_t n = rows_wanted(&o, func, want);
            struct ids ids = { 0 };
            adopt_rows_of(&o, &x, func, &ids);
            if (ids.v.n)
                qsort(ids.v.at, ids.v.n, sizeof *ids.v.at, by_id);
            if (ids.v.n != n || (n && memcmp(ids.v.at, want, n * sizeof *want)))
                ck_abort_msg("round %d: other rows of %lu", round, (unsigned long)func);
            int site = -1;
            for (size_t i = 0; func && i < t->patcher.site.n; i++) {
                const struct ez_site *s = &t->patcher.site.at[i];
                if (s->func == func && s->variant.n == n &&
                    (!n || row[s->variant.at[0].id].first == row[want[0]].first))
                    site = (int)i;
            }
            if (adopt_site_of(t, &o, &x, func, &ids) != site)
                ck_abort_msg("round %d: another site of %lu", round, (unsigned long)func);
            *(site >= 0 && n ? &found : &others) += 1;
            EZ_VEC_FREE(&ids.v);
        }
        free(x.site);
        free(x.row);
        for (size_t i = 0; i < t->patcher.site.n; i++)
            EZ_VEC_FREE(&t->patcher.site.at[i].variant);
        t->patcher.site.n = 0;
    }
    ck_assert_uint_gt(found, 1000);
    ck_assert_uint_gt(others, 1000);
}
END_TEST

/* What is guessed of a site by its flags, where no list is. Every trampoline counts entries. */
START_TEST(probes_that_a_journal_tells)
{
    enum { E = EZ_PROBE_ENTRY, X = EZ_PROBE_EXIT, B = EZ_PROBE_BOTH, T = EZ_PROBE_TRAP };
    const int in = EZ_ROW_ENTRY, out = EZ_ROW_EXIT, rin = EZ_ROW_REC_ENTRY, rout = EZ_ROW_REC_EXIT;
    const struct {
        int flags, kind, record, kind2; /* 0: there is no such probe */
    } g[] = {
        { 0, 0, 0, 0 },
        { out, 0, 0, 0 },
        { in, E, 0, 0 },
        { in | out, B, 0, 0 },
        { in | rin, E, 1, 0 },
        { in | out | rin, E, 1, X },
        { in | out | rout, X, 1, 0 },
        { in | out | rin | rout, B, 1, 0 },
        { in | EZ_ROW_THROUGH, E, 0, 0 },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(g); i++)
        for (int how = 0; how < 8; how++) { /* planted now; a trap; one of ours */
            bool now = how & 1, trap = how & 2 && !now, hook = how & 4;
            struct adoption o = { 0 };
            struct ez_site s = { .func = 0x1234, .current = now ? 1 : -1, .hook = hook };
            size_t before = t->probes.probe.n, after = before;
            uint32_t carried = (uint32_t)g[i].flags | (trap ? CARRIED_TRAP : 0);
            EZ_PUSH(&s.variant, ((struct ez_variant){ .flags = EZ_RETIRED }));
            EZ_PUSH(&s.variant, ((struct ez_variant){ .flags = (uint16_t)g[i].flags }));
            EZ_PUSH(&t->patcher.site, s);
            EZ_PUSH(&o.carried, now ? CARRIED_TRAP | (uint32_t)in : carried);
            adopt_guess(t, &o, 0);
            const int kinds[] = { g[i].kind, g[i].kind2 };
            for (int k = 0; k < 2 && kinds[k] && !hook; k++, after++) {
                ck_assert_uint_gt(t->probes.probe.n, after);
                const struct ez_probe *p = t->probes.probe.at[after];
                ck_assert_int_eq(p->spec.kind, kinds[k] | (trap ? T : 0));
                ck_assert_int_eq(p->spec.record, !k && g[i].record);
                ck_assert_str_eq(p->spec.location, "*0x1234");
                ck_assert_int_eq(p->state, EZ_PROBE_ARMED);
            }
            ck_assert_uint_eq(t->probes.probe.n, after);
            for (size_t k = before; k < after; k++) {
                t->probes.probe.at[k]->site = -1;
                t->probes.probe.at[k]->state = EZ_PROBE_PENDING;
            }
            EZ_VEC_FREE(&t->patcher.site.at[0].variant);
            t->patcher.site.n = 0;
            EZ_VEC_FREE(&o.carried);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kept");
    TCase *c = tcase_create("kept");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, what_was_written_is_read);
    tcase_add_test(c, it_cannot_be_changed_later);
    tcase_add_test(c, a_damaged_one_is_refused_or_harmless);
    tcase_add_test(c, a_short_or_strange_one_is_refused);
    tcase_add_test(c, rows_of_a_function);
    tcase_add_test(c, probes_that_a_journal_tells);
    tcase_add_loop_test(c, numbers_have_bounds, 0, (int)EZ_ARRAY_LEN(bound));
    suite_add_tcase(s, c);
    return run_suite(s);
}
