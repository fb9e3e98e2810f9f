/* SPDX-License-Identifier: MIT */
/* p_replaced.cc - calls functions of every kind of prototype, and prints what they return.
 *   p_replaced [N]   N times (1); functions throw and are caught, too */
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "p_replaced.h"

#define KEPT __attribute__((noinline, used))
static volatile long sink;

KEPT static long ten(long a, long b, long c, long d, long e, long f, long g, long h, double i,
                     char j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * (long)i + 10 * j + sink;
}

extern "C" {
KEPT struct big of_big(struct big s, long k)
{
    for (int i = 0; i < 5; i++)
        s.a[i] += k + sink;
    return s;
}
KEPT struct mixed of_mixed(struct mixed s, struct floats q)
{
    s.x += q.a;
    s.y += (long)q.b + sink;
    return s;
}
KEPT long double of_long(long double x, int n, long double y)
{
    return x * n + y + sink;
}
KEPT _Complex long double of_complex(_Complex long double z)
{
    return z * z + (long double)sink;
}
KEPT int vtext(char *to, const char *format, va_list ap)
{
    return vsprintf(to, format, ap) + (int)sink;
}
KEPT int text(char *to, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vtext(to, format, ap);
    va_end(ap);
    return n;
}
KEPT long factorial(long n)
{
    long (*volatile self)(long) = factorial;
    return n < 2 ? 1 + sink : n * self(n - 1);
}
KEPT int thrower(int n)
{
    if (n % 2)
        throw std::runtime_error("odd");
    return n + (int)sink;
}
}

static int caught;
static struct guard {
    ~guard() { printf("caught %d\n", caught); }
} guard;

int main(int argc, char **argv)
{
    struct big b = { { 1, 2, 3, 4, 5 } };
    struct mixed m = { 1.5, 2 };
    struct floats q = { 3.5f, 4.5f };
    char to[99];
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++) {
        struct big B = of_big(b, 7 + i);
        struct mixed M = of_mixed(m, q);
        int n = text(to, "%d %s %.2f %Lf %c%d%d%d", 5, "str", 2.5, (long double)7.25, 'x', 1, 2, 3);
        _Complex long double z = of_complex(__extension__(2.0L + 3.0Li));
        printf("%ld | %ld %ld %ld | %g %ld | %Lf | %Lf %Lf | %d %s | %ld\n",
               ten(1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10), B.a[0], B.a[4], B.a[2], M.x, M.y,
               of_long(2.5L, 3, 1.25L), __real__ z, __imag__ z, n, to, factorial(10));
        try {
            printf("thrower %d\n", thrower(i));
        } catch (std::exception &e) {
            caught++;
            puts(e.what());
        }
    }
}
