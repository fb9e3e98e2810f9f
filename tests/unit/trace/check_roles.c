/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_roles.c - the role of a function or a state, by its module or library. */
#include <check.h>

#include "engine/trace/roles.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text, *group;
    bool probed; /* a function, not a module's state */
    enum ez_role role;
} names[] = {
    { "compute", "app", true, EZ_ROLE_USER },
    { "MPI_Recv", "mpi", false, EZ_ROLE_MPI },
    { "MPI_Recv", "libmpi.so.40", true, EZ_ROLE_MPI },
    { "PMPI_Recv_c", "libmpich.so.12", true, EZ_ROLE_MPI },
    { "MPI_Recv", "app", true, EZ_ROLE_USER },
    { "mpi_helper", "libmpi.so.40", true, EZ_ROLE_USER },
    { "Parallel region", "openmp", false, EZ_ROLE_OPENMP },
    { "Waiting at a barrier", "openmp", false, EZ_ROLE_OPENMP },
    { "Critical Section", "openmp", false, EZ_ROLE_LOCKS },
    { "GOMP_parallel", "libgomp.so.1", true, EZ_ROLE_OPENMP },
    { "Blocked on a mutex", "pthread", false, EZ_ROLE_LOCKS },
    { "Waiting for a thread", "pthread", false, EZ_ROLE_LOCKS },
    { "Working", "pthread", false, EZ_ROLE_USER },
    { "Reading", "io", false, EZ_ROLE_IO },
    { "Allocating", "memory", false, EZ_ROLE_MEMORY },
    { "pread64", "libc.so.6", true, EZ_ROLE_IO },
    { "read", "libc.so.6", true, EZ_ROLE_IO },
    { "readdir", "libc.so.6", true, EZ_ROLE_USER },
    { "read", "app", true, EZ_ROLE_USER },
    { "malloc", "libc.so.6", true, EZ_ROLE_MEMORY },
    { "pthread_mutex_lock", "libc.so.6", true, EZ_ROLE_LOCKS },
};

START_TEST(test_roles)
{
    const struct ez_name n = { .kind = EZ_N_STATE,
                               .text = (char *)names[_i].text,
                               .group = (char *)names[_i].group,
                               .addr = names[_i].probed ? 0x1000 : 0 };
    ck_assert_str_eq(ez_role_name(ez_role_of(&n)), ez_role_name(names[_i].role));
}
END_TEST

START_TEST(test_pauses)
{
    const struct ez_name n = {
        .kind = EZ_N_STATE, .text = "[slept]", .group = "", .pause = EZ_P_WITHIN
    };
    ck_assert_int_eq(ez_paradigm_of(&n), EZ_PARADIGM_PAUSE);
    ck_assert_str_eq(ez_role_name(ez_role_of(&n)), "not running");
}
END_TEST

START_TEST(test_mpi_names)
{
    char *none = ez_mpi_function("MPIX_Send"), *send = ez_mpi_function("PMPI_Send_c");
    ck_assert_ptr_null(none);
    ck_assert_str_eq(send, "Send");
    free(send);
}
END_TEST

START_TEST(test_units)
{
    const struct ez_name late = { .kind = EZ_N_VAR, .text = "Late sender", .group = "mpi" };
    const struct ez_name own = { .kind = EZ_N_VAR, .text = "Late sender", .group = "app" };
    ck_assert_str_eq(ez_variable_unit(&late), "s");
    ck_assert_str_eq(ez_variable_unit(&own), "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("roles");
    TCase *c = tcase_create("roles");
    tcase_add_loop_test(c, test_roles, 0, EZ_ARRAY_LEN(names));
    tcase_add_test(c, test_pauses);
    tcase_add_test(c, test_mpi_names);
    tcase_add_test(c, test_units);
    suite_add_tcase(s, c);
    return run_suite(s);
}
