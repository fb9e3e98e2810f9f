/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_syscalls.c - names of system calls, from the kernel's header. */
#include <check.h>
#include <sys/syscall.h>

#include "engine/ezt.h"
#include "tests/unit/suite.h"

START_TEST(names_have_numbers)
{
    ck_assert_int_eq(ez_syscall_number("read"), SYS_read);
    ck_assert_int_eq(ez_syscall_number("mmap"), SYS_mmap);
    ck_assert_int_eq(ez_syscall_number("exit_group"), SYS_exit_group);
    ck_assert_int_eq(ez_syscall_number("MMap"), SYS_mmap);
    ck_assert_int_eq(ez_syscall_number("SYS_mmap"), -1);
    ck_assert_int_eq(ez_syscall_number(""), -1);
}
END_TEST

START_TEST(numbers_have_names)
{
    int known = 0;
    ck_assert_str_eq(ez_syscall_name(SYS_clone), "clone");
    ck_assert_ptr_null(ez_syscall_name(-1));
    ck_assert_ptr_null(ez_syscall_name(1 << 30));
    for (long nr = 0; nr < 2048; nr++) {
        const char *name = ez_syscall_name(nr);
        if (name)
            ck_assert_int_eq(ez_syscall_number(name), nr);
        known += name != NULL;
    }
    ck_assert_int_ge(known, 300);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("syscalls");
    TCase *tc = tcase_create("table");
    tcase_add_test(tc, names_have_numbers);
    tcase_add_test(tc, numbers_have_names);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
