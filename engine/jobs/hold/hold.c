/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold.c - eztsh-hold -job TOKEN PROG [ARG...]: begins a process of a job, which waits for SIGURG, and then becomes PROG. (Not SIGCONT, which
 * is notified to tracers as a change of job control, and would stop the process once more.)
 * Any launcher can start it; the daemon finds it by its arguments, attaches to it, and sends the signal: so PROG is traced from
 * its first instruction on. If nobody comes within EZTSH_HOLD seconds (60), it goes on alone. Nothing of it is left in
 * the program but EZTSH_JOB=TOKEN in the environment, by which `job attach -token` finds it. */
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

/* False = the time is over. */
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
    /* Where kernel.yama.ptrace_scope is 1 only a parent might attach, and the launcher is that: now those who might without Yama. The
     * program keeps it over its exec, for daemons that are started anew. */
    prctl(PR_SET_PTRACER, -1ul, 0, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    sigprocmask(SIG_BLOCK, &set, &old);
    prctl(
        PR_SET_NAME,
        "eztsh-held"); /* from here on the signal is not lost: engine/jobs/crew.c looks for that */
    if (!hold_wait(most ? atol(most) : 60, &set))
        fprintf(stderr, "eztsh-hold: nobody traces %s: it runs alone.\n", argv[3]);
    sigprocmask(SIG_SETMASK, &old, NULL);
    execvp(argv[3], argv + 3);
    fprintf(stderr, "eztsh-hold: %s: %s.\n", argv[3], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
