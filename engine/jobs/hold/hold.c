/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold.c - eztsh-hold -job TOKEN PROG [ARG...]: waits for SIGURG, and then executes PROG in the
 * same process.
 *
 * A launcher starts eztsh-hold in place of PROG. A daemon finds the process by its arguments,
 * attaches a driver to it, and sends SIGURG to it, so PROG is traced from its first instruction on.
 * (SIGCONT would cause one more stop of the tracee, a group-stop.) If no SIGURG comes within
 * EZTSH_HOLD seconds (default 60), PROG runs untraced. PROG's environment has EZTSH_JOB=TOKEN, by
 * which `job attach -token` finds the process.
 * Tests: tests/procs/jobs.sh */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif

/* Waits for SIGURG, which is in `set`. Returns 1 when it comes, and 0 if it does not come within
 * `seconds`. */
static int hold_wait(long seconds, const sigset_t *set)
{
    struct timespec now, end, left;
    clock_gettime(CLOCK_MONOTONIC, &end);
    for (end.tv_sec += seconds;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        left.tv_sec = end.tv_sec - now.tv_sec;
        left.tv_nsec = end.tv_nsec - now.tv_nsec;
        if (left.tv_nsec < 0) {
            left.tv_sec--;
            left.tv_nsec += 1000000000L;
        }
        if (left.tv_sec < 0)
            return 0;
        if (sigtimedwait(set, NULL, &left) == SIGURG)
            return 1;
    }
}

int main(int argc, char **argv)
{
    const char *most = getenv("EZTSH_HOLD");
    sigset_t set, old;
    if (argc < 4 || strcmp(argv[1], "-job")) {
        fprintf(stderr, "Usage: eztsh-hold -job TOKEN PROG [ARG...]\n");
        return 2;
    }
    unsetenv("EZTSH_HOLD");
    setenv("EZTSH_JOB", argv[2], 1);
    /* With kernel.yama.ptrace_scope 1, only an ancestor may attach, and a driver is no ancestor.
     * This call allows every process to attach that could attach without Yama. The permission is
     * not lost on exec, so drivers that are started later may attach, too. */
    prctl(PR_SET_PTRACER, -1ul, 0, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    sigprocmask(SIG_BLOCK, &set, &old);
    prctl(PR_SET_NAME,
          "eztsh-held"); /* tells crew.c that SIGURG is blocked, so that it cannot be lost */
    if (!hold_wait(most ? atol(most) : 60, &set))
        fprintf(stderr, "eztsh-hold: nobody traces %s: it runs alone.\n", argv[3]);
    sigprocmask(SIG_SETMASK, &old, NULL);
    execvp(argv[3], argv + 3);
    fprintf(stderr, "eztsh-hold: %s: %s.\n", argv[3], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
