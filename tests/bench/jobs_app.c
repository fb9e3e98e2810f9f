/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs_app.c - the program of jobs_bench.py: ten functions, called ten times a second until it is killed. */
#include <unistd.h>

#define FUNCTION(f)                                                                                \
    __attribute__((noinline)) int f(int n)                                                         \
    {                                                                                              \
        int s = 0;                                                                                 \
        for (int i = 0; i < n; i++) {                                                              \
            s += i * n;                                                                            \
            __asm__ volatile("");                                                                  \
        }                                                                                          \
        return s;                                                                                  \
    }
FUNCTION(f0)
FUNCTION(f1)
FUNCTION(f2)
FUNCTION(f3)
FUNCTION(f9)

int main(void)
{
    for (int i = 0;; i++) {
        f0(i % 100), f1(i % 100), f2(i % 100), f3(i % 100), f9(i % 100);
        usleep(100000);
    }
}
