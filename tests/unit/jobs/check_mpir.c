/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_mpir.c - a launcher's table of ranks: a child with the table of this program stands for the launcher. */
#include <check.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/jobs/mpir.h"
#include "engine/base/strutil.h"
#include "tests/unit/suite.h"

struct entry {
    const char *host, *program;
    int pid;
};
struct entry entries[2];
extern struct entry *MPIR_proctable;
extern int MPIR_proctable_size;
__attribute__((visibility("default"))) struct entry *MPIR_proctable = entries;
__attribute__((visibility("default"))) int MPIR_proctable_size;

/* Reads the table of a child that has the present one. Returns the error; the caller frees it and *m. */
static ez_err *read_of_child(struct ez_mpir *m, pid_t *child)
{
    *child = fork();
    ck_assert_int_ge(*child, 0);
    while (!*child)
        pause();
    ez_err *e = ez_mpir_read(*child, m);
    kill(*child, SIGKILL);
    ck_assert_int_eq(waitpid(*child, NULL, 0), *child);
    return e;
}

static void refused(const char *says, const char *hint)
{
    struct ez_mpir m;
    pid_t child;
    ez_err *e = read_of_child(&m, &child);
    EZ_FREE char *want = ez_sprintf(says, (int)child);
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_NOTFOUND);
    ck_assert_str_eq(e->msg, want);
    ck_assert_str_eq(e->hint, hint);
    ez_err_free(e);
}

START_TEST(whole)
{
    struct ez_mpir m;
    pid_t child;
    MPIR_proctable_size = 2;
    entries[0] = (struct entry){ "here", "app", 41 };
    entries[1] = (struct entry){ "there", "app", 42 };
    ck_assert_ptr_null(read_of_child(&m, &child));
    ck_assert_uint_eq(m.rank.n, 2);
    ck_assert_int_eq(m.rank.at[1].pid, 42);
    ck_assert_str_eq(m.rank.at[1].host, "there");
    ez_mpir_free(&m);
}
END_TEST

START_TEST(not_filled)
{
    MPIR_proctable_size = 0;
    refused("The MPIR_proctable of process %d is empty",
            "Open MPI fills the table when all ranks have called MPI_Init");
    MPIR_proctable_size = 2;
    entries[0] = (struct entry){ "here", "app", 41 };
    entries[1] = (struct entry){ NULL, NULL, 0 };
    refused("The MPIR_proctable of process %d is not complete yet", "Not all ranks have started");
}
END_TEST

START_TEST(no_process)
{
    struct ez_mpir m;
    pid_t child = fork();
    if (!child)
        _exit(0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    EZ_FREE char *want =
        ez_sprintf("Cannot open process %d: No such file or directory", (int)child);
    ez_err *e = ez_mpir_read(child, &m);
    ck_assert(e && e->code == EZ_E_GONE);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mpir");
    TCase *t = tcase_create("mpir");
    tcase_add_test(t, whole);
    tcase_add_test(t, not_filled);
    tcase_add_test(t, no_process);
    suite_add_tcase(s, t);
    return run_suite(s);
}
