/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_job.c - what launchers say of a rank, and what anybody else may. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/record/job.h"
#include "engine/base/strutil.h"
#include "tests/unit/suite.h"

#define ENV(text) text, sizeof text

static void is(const char *env, size_t n, uint32_t rank, uint32_t size, const char *id,
               const char *tag)
{
    struct ez_job j;
    ez_job_parse(env, n, &j);
    ck_assert_uint_eq(j.rank, rank);
    ck_assert_uint_eq(j.size, size);
    ck_assert_str_eq(j.id, id);
    strcpy(j.host, "n 1/a");
    char *got = ez_job_tag(&j);
    ck_assert_str_eq(got, tag);
    free(got);
}

START_TEST(launchers)
{
    is(ENV("A=b\0OMPI_COMM_WORLD_RANK=3\0OMPI_COMM_WORLD_SIZE=16\0PMIX_NAMESPACE=prte@1"), 3, 16,
       "prte@1", "-jobprte_1-rank3-n_1_a");
    is(ENV("OMPI_MCA_ess_base_jobid=12\0OMPI_COMM_WORLD_RANK=0"), 0, 0, "12", "-job12-rank0-n_1_a");
    is(ENV("PMIX_RANK=7"), 7, 0, "", "-rank7-n_1_a");
    is(ENV("PMI_RANK=1\0PMI_SIZE=2\0PMI_JOBID=x"), 1, 2, "x", "-jobx-rank1-n_1_a");
    is(ENV("SLURM_PROCID=5\0SLURM_NTASKS=8\0SLURM_JOB_ID=4711\0SLURM_STEP_ID=2"), 5, 8, "4711.2",
       "-job4711.2-rank5-n_1_a");
}
END_TEST

/* mpirun in a job of Slurm's: each rank has the variables of the script, too. */
START_TEST(the_nearest_launcher)
{
    is(ENV("SLURM_PROCID=0\0SLURM_JOB_ID=4711\0OMPI_COMM_WORLD_RANK=3\0PMIX_NAMESPACE=9"), 3, 0,
       "9", "-job9-rank3-n_1_a");
    is(ENV("SLURM_PROCID=0\0SLURM_JOB_ID=4711\0PMI_RANK=3"), 3, 0, "4711", "-job4711-rank3-n_1_a");
}
END_TEST

START_TEST(no_rank)
{
    const uint32_t none = EZ_NO_RANK;
    is(NULL, 0, none, 0, "", "");
    is(ENV("SLURM_JOB_ID=1\0XPMI_RANK=3\0PMI_RANKS=3"), none, 0, "", "");
    is(ENV("PMI_RANK="), none, 0, "", "");
    is(ENV("PMI_RANK=-1"), none, 0, "", "");
    is(ENV("PMI_RANK=4294967295"), none, 0, "", "");
    is(ENV("PMI_RANK=4294967299"), none, 0, "", "");
    is(ENV("PMI_RANK=99999999999999999999"), none, 0, "", "");
    is(ENV("PMI_RANK=3 "), none, 0, "", "");
    is("PMI_RANK=3", 10, none, 0, "", ""); /* its end is missing */
    is(ENV("PMI_RANK=4294967294\0PMI_SIZE=many"), 4294967294u, 0, "", "-rank4294967294-n_1_a");
}
END_TEST

START_TEST(a_job_with_a_long_name)
{
    char env[400], want[64];
    size_t n = (size_t)sprintf(env, "PMIX_RANK=1%cPMIX_NAMESPACE=", 0);
    memset(env + n, 'j', 200);
    env[n + 200] = 0;
    memset(want, 'j', 63);
    want[63] = 0;
    struct ez_job j;
    ez_job_parse(env, n + 201, &j);
    ck_assert_str_eq(j.id, want);
}
END_TEST

/* A file is read whole, or as far as asked for; a zero is behind it. */
START_TEST(a_file_as_text)
{
    static char in[200001];
    static const size_t most[] = {
        0, 1, 65535, 65536, 65537, 131073, 200000, 200001, SIZE_MAX / 4
    };
    char path[] = "job-XXXXXX";
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (char)(i * 7 >> 3);
    EZ_CLOSE int fd = mkstemp(path);
    ck_assert_int_eq(write(fd, in, sizeof in), sizeof in);
    for (size_t i = 0; i < EZ_ARRAY_LEN(most); i++) {
        size_t n = 77;
        EZ_FREE char *got = ez_str_load(path, most[i], &n);
        ck_assert_uint_eq(n, EZ_MIN(most[i], sizeof in));
        ck_assert_mem_eq(got, in, n);
        ck_assert_int_eq(got[n], 0);
    }
    unlink(path);
    size_t n = 77;
    ck_assert_ptr_null(ez_str_load(path, 100, &n));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* The environment that a process was started with; this machine's name. */
START_TEST(of_a_process)
{
    char host[80];
    struct ez_job j;
    int up[2];
    ck_assert_int_eq(pipe(up), 0);
    pid_t pid = fork();
    if (!pid) {
        char *const argv[] = { (char *)"cat", NULL };
        char *const env[] = { (char *)"FILL=1", (char *)"PMI_RANK=12", NULL };
        dup2(up[0], 0);
        close(up[1]);
        execve("/bin/cat", argv, env);
        _exit(1);
    }
    close(up[0]);
    do /* until it is that program */
        ez_job_of(pid, &j);
    while (j.rank == EZ_NO_RANK && !waitpid(pid, NULL, WNOHANG));
    close(up[1]);
    waitpid(pid, NULL, 0);
    ck_assert_uint_eq(j.rank, 12);
    ck_assert_int_eq(gethostname(host, sizeof host), 0);
    ck_assert_str_eq(j.host, host);
    ez_job_of(pid, &j); /* it is gone */
    ck_assert_uint_eq(j.rank, EZ_NO_RANK);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("job");
    TCase *t = tcase_create("job");
    tcase_add_test(t, launchers);
    tcase_add_test(t, the_nearest_launcher);
    tcase_add_test(t, no_rank);
    tcase_add_test(t, a_job_with_a_long_name);
    tcase_add_test(t, a_file_as_text);
    tcase_add_test(t, of_a_process);
    suite_add_tcase(s, t);
    return run_suite(s);
}
