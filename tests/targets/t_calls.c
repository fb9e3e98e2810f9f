/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_calls.c - functions that are called from the shell, with arguments and results of all kinds.
 * Tests: tests/procs/calls.sh */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct two {
    long a, b;
};
struct reals {
    double x, y;
};
struct mix {
    double d;
    int i;
};
struct big {
    long a[5];
};
struct small {
    char c[3];
};
enum step { A, B, C };
#define KEEP __attribute__((noipa, used))

int calls;
int g = 5;
struct two a_two = { 3, 4 };
struct mix a_mix = { 1.5, 2 };
struct reals a_reals = { 0.5, 0.25 };
struct big a_big = { { 1, 2, 3, 4, 5 } };
struct small a_small = { "xy" };
char text[] = "global text";

KEEP int noargs(void)
{
    calls++;
    return 7;
}
KEEP void nothing(int x)
{
    calls += x;
}
KEEP double dsum(double a, double b, float c)
{
    return a + b + c;
}
KEEP float fhalf(float f)
{
    return f / 2;
}
KEEP long double lsum(long double a, int n)
{
    return a + n;
}
KEEP struct two make_two(long a, long b)
{
    return (struct two){ a, b };
}
KEEP struct reals make_reals(double x, double y)
{
    return (struct reals){ x, y };
}
KEEP struct mix make_mix(double d, int i)
{
    return (struct mix){ d, i };
}
KEEP struct big make_big(long a)
{
    return (struct big){ { a, a + 1, a + 2, a + 3, a + 4 } };
}
KEEP struct small make_small(char c)
{
    return (struct small){ { c, (char)(c + 1), 0 } };
}
KEEP long big_sum(struct big b, int more)
{
    return b.a[0] + b.a[1] + b.a[2] + b.a[3] + b.a[4] + more;
}
KEEP double mix_sum(struct mix m, struct reals d, struct two t, struct small s)
{
    return m.d + m.i + d.x + d.y + (double)(t.a + t.b) + s.c[0];
}
KEEP int many(int a, int b, int c, int d, int e, int f, int h, char i, double x, long long n)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * h + 8 * i + (int)x + (int)(10 * n);
}
KEEP double reals(double a, double b, double c, double d, double e, double f, double h, double i,
                  double j, double k)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * h + 8 * i + 9 * j + 10 * k;
}
KEEP unsigned char narrow(signed char c)
{
    return (unsigned char)c;
}
KEEP bool positive(int x)
{
    return x > 0;
}
KEEP char *copied(const char *s)
{
    return strdup(s);
}
KEEP int length(const char *s)
{
    return (int)strlen(s);
}
KEEP enum step next_step(enum step x)
{
    return (enum step)(x + 1);
}
KEEP long many_of(int n, ...)
{
    __builtin_va_list ap;
    long sum = 0;
    __builtin_va_start(ap, n);
    for (int i = 0; i < n; i++)
        sum += (long)__builtin_va_arg(ap, double);
    __builtin_va_end(ap);
    return sum;
}
KEEP int crash(const int *p)
{
    return *p;
}
KEEP int loop(volatile int *stop)
{
    while (!*stop)
        ;
    return *stop;
}

int (*pointer)(void) = noargs;
struct operations {
    int (*length)(const char *);
} operations = { length };

KEEP int inner(int n)
{
    int local = n * 2;
    g += local;
    return local + g;
}
KEEP double floats(double x)
{
    double y = x * 3;
    int n = inner((int)x);
    return x + y + n;
}

int main(void)
{
    double sum = floats(3) + floats(4.5);
    printf("%.2f %d\n", sum, calls);
    return 0;
}
