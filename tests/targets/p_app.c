/* SPDX-License-Identifier: MIT */
/* p_app.c - a small program of known shape: one local function, one exported, one of a
 * shared library. p_app [ROUNDS [MODE...]]. Modes, done before the work:
 *   exit=N      status at the end            raise=N   die of signal N at the end
 *   fsize       RLIMIT_FSIZE 0, SIGXFSZ fatal mdwe      PR_SET_MDWE
 *   comm=NAME   the thread's name             again=N   exec itself N times, then end
 *   other=PROG  exec PROG after the work */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "p_lib.h"
#include "keep.h"

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

volatile unsigned long spins;

KEEP static unsigned area(unsigned w, unsigned h)
{
    spins += w ^ h;
    return w * h + 1;
}

KEEP unsigned twice(unsigned v)
{
    spins += v;
    return 2 * area(v, 3);
}

int answer(int a, int b)
{
    spins++;
    return 40 * a + b;
}

static const char *value(const char *arg, const char *key)
{
    size_t n = strlen(key);
    return strncmp(arg, key, n) ? NULL : arg + n;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 10, sum = 0;
    int status = 0, killer = 0, again = 0;
    const char *v, *other = NULL;
    for (int i = 2; i < argc; i++) {
        if ((v = value(argv[i], "exit=")))
            status = atoi(v);
        else if ((v = value(argv[i], "raise=")))
            killer = atoi(v);
        else if ((v = value(argv[i], "comm=")))
            prctl(PR_SET_NAME, v);
        else if ((v = value(argv[i], "again=")))
            again = atoi(v);
        else if ((v = value(argv[i], "other=")))
            other = v;
        else if (!strcmp(argv[i], "fsize"))
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 });
        else if (!strcmp(argv[i], "mdwe") && prctl(PR_SET_MDWE, 1, 0, 0, 0) < 0)
            return 77;
    }
    for (unsigned i = 0; i < rounds; i++)
        sum = sum * 31 + twice(i) + lib_mix(i, sum) + (unsigned)answer(1, (int)i);
    printf("%u rounds: %u\n", rounds, sum);
    fflush(stdout);
    if (again) {
        char n[32];
        snprintf(n, sizeof n, "again=%d", again - 1);
        execl("/proc/self/exe", argv[0], argv[1], n, (char *)NULL);
    }
    if (other)
        execl(other, other, (char *)NULL);
    if (killer)
        raise(killer);
    return status;
}
