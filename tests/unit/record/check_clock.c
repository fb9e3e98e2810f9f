/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_clock.c - which clock is chosen, and where a vDSO has its functions. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "arch/arch.h"
#include "engine/record/clock.h"
#include "engine/record/drain_priv.h"
#include "tests/unit/suite.h"

START_TEST(the_counter_needs_the_processor_and_the_kernel)
{
    ck_assert(ez_tick_usable(true, "tsc kvm-clock \n"));
    ck_assert(ez_tick_usable(true, "hpet acpi_pm tsc\n"));
    ck_assert(ez_tick_usable(true, NULL));
    ck_assert(!ez_tick_usable(true, "hpet acpi_pm \n"));
    ck_assert(!ez_tick_usable(true, "hyperv_clocksource_tsc_page acpi_pm\n"));
    ck_assert(!ez_tick_usable(false, "tsc hpet\n"));
    ck_assert(!ez_tick_usable(false, NULL));
}
END_TEST

START_TEST(which_clocks_stay_out_of_the_kernel)
{
    ck_assert(ez_clock_stays_out("tsc\n"));
    ck_assert(ez_clock_stays_out("hyperv_clocksource_tsc_page\n"));
    ck_assert(!ez_clock_stays_out("hpet\n"));
    ck_assert(!ez_clock_stays_out("acpi_pm\n"));
    ck_assert(!ez_clock_stays_out("kvm-clock\n")); /* some machines enter the kernel for it */
    ck_assert(!ez_clock_stays_out(NULL));
}
END_TEST

static uint64_t lookup(const uint8_t *img, size_t n, uint64_t base)
{
    return ez_vdso_function(img, n, base, "__vdso_clock_gettime");
}

START_TEST(our_own_vdso_tells_the_time)
{
    uint64_t base = getauxval(AT_SYSINFO_EHDR);
    struct timespec a, b, c;
    if (!base)
        return; /* no vDSO on this machine */
    uint64_t fn = lookup((const uint8_t *)base, EZ_PAGE, base);
    ck_assert_uint_ne(fn, 0);
    clock_gettime(CLOCK_MONOTONIC, &a);
    ck_assert_int_eq(((int (*)(clockid_t, struct timespec *))fn)(CLOCK_MONOTONIC, &b), 0);
    clock_gettime(CLOCK_MONOTONIC, &c);
    ck_assert(a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec <= b.tv_nsec));
    ck_assert(b.tv_sec < c.tv_sec || (b.tv_sec == c.tv_sec && b.tv_nsec <= c.tv_nsec));
    ck_assert_uint_eq(ez_vdso_function((const uint8_t *)base, EZ_PAGE, base, "__vdso_nothing"), 0);
}
END_TEST

/* Whatever is in the image, the answer is an address inside the image, or none. */
START_TEST(a_damaged_vdso_does_no_harm)
{
    uint64_t base = getauxval(AT_SYSINFO_EHDR), found = 0;
    if (!base)
        return;
    for (size_t n = 0; n < EZ_PAGE; n += n < 1024 ? 1 : 7) {
        EZ_FREE uint8_t *cut = ez_alloc(n + 1); /* exact, for the sanitizer */
        memcpy(cut, (const void *)base, n);
        uint64_t fn = lookup(cut, n, base);
        ck_assert(!fn || fn - base < n);
        found += fn != 0;
    }
    ck_assert_uint_gt(found, 0);
    for (size_t i = 0; i < 1536; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            EZ_FREE uint8_t *img = ez_alloc(EZ_PAGE);
            memcpy(img, (const void *)base, EZ_PAGE);
            img[i] ^= (uint8_t)(1 << bit);
            uint64_t fn = lookup(img, EZ_PAGE, base);
            ck_assert(!fn || fn - base < EZ_PAGE);
        }
}
END_TEST

/* A vDSO as a linker might make it: linked at LINK with its first segment at offset FIRST of the file,
 * symbols before names, which end the image. */
enum {
    LINK = 0x7000,
    FIRST = 0x10,
    NSYM = 3,
    DYN = 0x200,
    SYM = 0x300,
    STR = SYM + 24 * (NSYM + 1)
};
enum what {
    SOUND,
    NO_HASH,
    HASH_FOR_ONE,
    HASH_OUTSIDE,
    NULL_FIRST,
    NO_STRTAB,
    LATER_LOAD,
    ODD_MAGIC,
    ODD_CLASS,
    CUT,
    UNDEFINED,
    VALUE_LAST,
    VALUE_OUTSIDE,
    VALUE_BELOW,
    NWHAT
};
static const char str[] = "\0f\0ff\0fff"; /* f, ff, fff, the last byte of the image ends it */

static size_t vdso(uint8_t img[1024], enum what w, uint64_t value)
{
    const size_t n = STR + sizeof str;
    const uint64_t delta = LINK - FIRST;
    Elf64_Ehdr eh = { .e_phoff = 0x40, .e_phnum = w == LATER_LOAD ? 3 : 2 };
    Elf64_Phdr ph[3] = {
        { .p_type = PT_LOAD, .p_offset = FIRST, .p_vaddr = LINK },
        { .p_type = PT_DYNAMIC, .p_offset = DYN, .p_filesz = 4 * sizeof(Elf64_Dyn) },
        { .p_type = PT_LOAD, .p_offset = 0, .p_vaddr = 0x1234 },
    };
    uint32_t hash[2] = { 1, w == HASH_FOR_ONE ? 2 : NSYM + 1 };
    Elf64_Dyn dyn[4] = {
        { .d_tag = w == NO_HASH ? DT_SONAME : DT_HASH,
          .d_un.d_ptr = (w == HASH_OUTSIDE ? n - 7 : 0x1e0) + delta },
        { .d_tag = DT_SYMTAB, .d_un.d_ptr = SYM + delta },
        { .d_tag = w == NO_STRTAB ? DT_SONAME : DT_STRTAB, .d_un.d_ptr = STR + delta },
        { .d_tag = DT_NULL },
    };
    if (w == NULL_FIRST)
        dyn[1] = (Elf64_Dyn){ .d_tag = DT_NULL };
    memset(img, 0, 1024);
    memcpy(eh.e_ident, ELFMAG, SELFMAG);
    eh.e_ident[EI_CLASS] = w == ODD_CLASS ? ELFCLASS32 : ELFCLASS64;
    eh.e_ident[EI_MAG3] += w == ODD_MAGIC;
    memcpy(img, &eh, sizeof eh);
    memcpy(img + eh.e_phoff, ph, sizeof ph);
    memcpy(img + 0x1e0, hash, sizeof hash);
    memcpy(img + DYN, dyn, sizeof dyn);
    for (unsigned i = 1; i <= NSYM; i++) {
        Elf64_Sym s = { .st_name = i == 1   ? 1
                                   : i == 2 ? 3
                                            : 6,
                        .st_value = value + i - 1 + delta,
                        .st_shndx = w == UNDEFINED ? SHN_UNDEF : 1 };
        memcpy(img + SYM + i * sizeof s, &s, sizeof s);
    }
    memcpy(img + STR, str, sizeof str);
    return w == CUT ? n - 1 : n;
}

START_TEST(a_vdso_that_is_linked_elsewhere)
{
    const uint64_t base = 0x7fff00000000;
    const char *const name[NSYM] = { "f", "ff", "fff" };
    for (enum what w = 0; w < NWHAT; w++) {
        uint8_t img[1024];
        const size_t size = STR + sizeof str;
        const uint64_t value = w == VALUE_LAST      ? size - NSYM
                               : w == VALUE_OUTSIDE ? size - NSYM + 1
                               : w == VALUE_BELOW   ? (uint64_t)-2
                                                    : 0x100;
        const size_t n = vdso(img, w, value);
        for (unsigned i = 0; i < NSYM; i++) {
            uint64_t at = value + i;
            bool there = w == SOUND || w == NO_HASH || w == LATER_LOAD || w == VALUE_LAST ||
                         (w == HASH_FOR_ONE && i < 1) || w == HASH_OUTSIDE || (w == CUT && i < 2) ||
                         (w == VALUE_OUTSIDE && i < 2) || (w == VALUE_BELOW && i == 2);
            ck_assert_msg(ez_vdso_function(img, n, base, name[i]) == (there ? base + at : 0),
                          "%d: %s: 0x%lx", w, name[i],
                          (unsigned long)ez_vdso_function(img, n, base, name[i]));
        }
        ck_assert_uint_eq(ez_vdso_function(img, n, base, "ffff"), 0);
        ck_assert_uint_eq(ez_vdso_function(img, n, base, "g"), 0);
    }
}
END_TEST

/* Between two calibrations, a second apart as in a trace, the straight line is nowhere
 * 100 ns off the kernel's clock. A sample that an interrupt spread over more is taken
 * again; a second in which the processor was taken away, too. */
static struct drain_sample tight(void)
{
    struct drain_sample s = drain_sample(false);
    for (int i = 0; i < 50 && s.width > 400; i++)
        s = drain_sample(false);
    return s;
}

static double worst_of_a_second(void)
{
    enum { N = 9 };
    struct drain_sample s[N];
    double worst = 0;
    for (int i = 0; i < N; i++) {
        if (i)
            nanosleep(&(struct timespec){ .tv_nsec = 1000000000 / (N - 1) }, NULL);
        s[i] = tight();
    }
    double rate = (double)(s[N - 1].mono_ns - s[0].mono_ns) / (double)(s[N - 1].tick - s[0].tick);
    for (int i = 1; i < N - 1; i++) {
        double off = (double)(s[i].tick - s[0].tick) * rate - (double)(s[i].mono_ns - s[0].mono_ns);
        worst = EZ_MAX(worst, off < 0 ? -off : off);
    }
    return worst;
}

START_TEST(no_drift_between_calibrations)
{
    double best = 1e9;
    if (!ez_tick_usable(ez_arch_host()->clock.invariant(), NULL))
        return; /* such a counter is not used */
    for (int i = 0; i < 5 && best >= 100; i++) {
        double worst = worst_of_a_second();
        best = EZ_MIN(best, worst);
    }
    printf("drift between calibrations: %.0f ns at most\n", best);
    ck_assert_msg(best < 100, "%.0f ns between calibrations", best);
}
END_TEST

START_TEST(a_sample_is_one_instant)
{
    struct drain_sample m = drain_sample(true);
    ck_assert_uint_eq(m.tick, m.mono_ns); /* that clock is its own tick */
    for (int i = 0;; i++) {
        struct drain_sample a = tight(), b = tight();
        int64_t off = (int64_t)((b.real_ns - b.mono_ns) - (a.real_ns - a.mono_ns));
        if (off > -200 && off < 200)
            break;
        ck_assert_msg(i < 20, "real and monotonic time are %ld ns apart", (long)off);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("clock");
    TCase *t = tcase_create("clock");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_counter_needs_the_processor_and_the_kernel);
    tcase_add_test(t, which_clocks_stay_out_of_the_kernel);
    tcase_add_test(t, our_own_vdso_tells_the_time);
    tcase_add_test(t, a_damaged_vdso_does_no_harm);
    tcase_add_test(t, a_vdso_that_is_linked_elsewhere);
    tcase_add_test(t, no_drift_between_calibrations);
    tcase_add_test(t, a_sample_is_one_instant);
    suite_add_tcase(s, t);
    return run_suite(s);
}
