/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errn.c - errno and the floating-point environment across probed calls (fault 33). */
#include "target.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>

static unsigned long calls[8];

NI double thirds(double a, double b)
{
    OPAQUE;
    return a / b;
}

static NI long run(int me)
{
    static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    volatile double one = 1, three = 3;
    long wrong = 0;
    for (int i = 0; i < 20000; i++) {
        int mode = modes[i & 3], raised = i & 4 ? FE_DIVBYZERO : FE_OVERFLOW;
        fesetround(mode);
        double want = one / three;
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(raised);
        int before = fetestexcept(FE_ALL_EXCEPT) | FE_INEXACT;
        errno = i + 1;
        double got = thirds(one, three);
        calls[me]++;
        wrong += errno != i + 1 || got != want || fegetround() != mode ||
                 fetestexcept(FE_ALL_EXCEPT) != before;
    }
    fesetround(FE_TONEAREST);
    return wrong;
}

static void *thread(void *arg)
{
    return (void *)run((int)(long)arg);
}

int main(void)
{
    pthread_t t[4];
    long wrong = 0;
    unsigned long n = 0;
    bounded();
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 4; i++) {
        void *r;
        pthread_join(t[i], &r);
        wrong += (long)r;
        n += calls[i];
    }
    printf("wrong %ld of %lu\n", wrong, n);
    claim("count", "thirds", n);
    claim("exits", "thirds", n);
    return 33;
}
