/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs_app.c - the program of jobs_bench.py: a hundred functions, f00 to f99, called ten times a second until it is killed. */
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
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define ALL(X)                                                                                     \
    TEN(X, f0)                                                                                     \
    TEN(X, f1)                                                                                     \
    TEN(X, f2)                                                                                     \
    TEN(X, f3) TEN(X, f4) TEN(X, f5) TEN(X, f6) TEN(X, f7) TEN(X, f8) TEN(X, f9)
ALL(FUNCTION)

#define CALL(f) f(i % 100);

int main(void)
{
    for (int i = 0;; i++) {
        ALL(CALL)
        usleep(100000);
    }
}
