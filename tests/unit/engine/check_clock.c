/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_clock.c - which clock is chosen, and where a vDSO has its functions. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "arch/arch.h"
#include "engine/ring/clock.h"
#include "engine/ring/drain_priv.h"
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
    if (!ez_tick_usable(ez_arch_host()->tick_invariant(), NULL))
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
    tcase_add_test(t, no_drift_between_calibrations);
    tcase_add_test(t, a_sample_is_one_instant);
    suite_add_tcase(s, t);
    return run_suite(s);
}
