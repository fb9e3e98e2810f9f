/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_clock.c - which clock is chosen, and where a vDSO has its functions. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "engine/clock.h"
#include "engine/drain_priv.h"

START_TEST(the_counter_needs_the_processor_and_the_kernel)
{
    ck_assert(ez_tsc_usable(true, "tsc kvm-clock \n"));
    ck_assert(ez_tsc_usable(true, "hpet acpi_pm tsc\n"));
    ck_assert(ez_tsc_usable(true, NULL));
    ck_assert(!ez_tsc_usable(true, "hpet acpi_pm \n"));
    ck_assert(!ez_tsc_usable(true, "hyperv_clocksource_tsc_page acpi_pm\n"));
    ck_assert(!ez_tsc_usable(false, "tsc hpet\n"));
    ck_assert(!ez_tsc_usable(false, NULL));
}
END_TEST

START_TEST(which_clocks_stay_out_of_the_kernel)
{
    ck_assert(ez_clock_stays_out("tsc\n"));
    ck_assert(ez_clock_stays_out("hyperv_clocksource_tsc_page\n"));
    ck_assert(!ez_clock_stays_out("hpet\n"));
    ck_assert(!ez_clock_stays_out("acpi_pm\n"));
    ck_assert(!ez_clock_stays_out("kvm-clock\n")); /* on some machines it does */
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
        return; /* none on this machine */
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

/* Whatever is in the image: an address inside it, or none. */
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

int main(void)
{
    Suite *s = suite_create("clock");
    TCase *t = tcase_create("clock");
    SRunner *r = srunner_create(s);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_counter_needs_the_processor_and_the_kernel);
    tcase_add_test(t, which_clocks_stay_out_of_the_kernel);
    tcase_add_test(t, our_own_vdso_tells_the_time);
    tcase_add_test(t, a_damaged_vdso_does_no_harm);
    suite_add_tcase(s, t);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
