/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_syscalls.c - names of system calls, from the kernel's header, and which calls begin again after our stop. */
#include <check.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "arch/arch.h"
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

#ifdef __x86_64__
static bool begins_again(long nr, long result)
{
    struct ez_regs regs = { 0 };
    struct user_regs_struct user = { .orig_rax = (unsigned long)nr, .rax = (unsigned long)result };
    memcpy(&regs, &user, sizeof user);
    return ez_arch_host()->syscall.restart_eintr(&regs);
}

/* close() has closed its file when it answers EINTR (close(2)). */
START_TEST(interrupted_calls_begin_again_but_close)
{
    ck_assert(begins_again(SYS_epoll_wait, -EINTR));
    ck_assert(begins_again(SYS_read, -EINTR));
    ck_assert(!begins_again(SYS_close, -EINTR));
    ck_assert(!begins_again(SYS_read, -EIO));
    ck_assert(!begins_again(-1, -EINTR));
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("syscalls");
    TCase *tc = tcase_create("table");
    tcase_add_test(tc, names_have_numbers);
    tcase_add_test(tc, numbers_have_names);
#ifdef __x86_64__
    tcase_add_test(tc, interrupted_calls_begin_again_but_close);
#endif
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
