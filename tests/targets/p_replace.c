/* SPDX-License-Identifier: MIT */
/* p_replace.c - a library of replacements: for p_replaced, and for leaf and lap of p_keep. Each
 * counts its calls; the counts are written to standard error at the end. */
#include <stdarg.h>
#include <stdio.h>

#include "p_replaced.h"

#define COUNT(f) static _Atomic unsigned long n_##f;
#define FUNCTIONS(X)                                                                               \
    X(ten) X(big) X(mixed) X(long_) X(complex_) X(text) X(factorial) X(thrower) X(leaf) X(lap)
FUNCTIONS(COUNT)

long (*old_ten)(long, long, long, long, long, long, long, long, double, char);
long my_ten(long a, long b, long c, long d, long e, long f, long g, long h, double i, char j)
{
    n_ten++;
    return old_ten(a, b, c, d, e, f, g, h, i, j);
}
struct big (*old_big)(struct big, long);
struct big my_big(struct big s, long k)
{
    n_big++;
    struct big r = old_big(s, k);
    return r;
}
struct mixed (*old_mixed)(struct mixed, struct floats);
struct mixed my_mixed(struct mixed s, struct floats q)
{
    n_mixed++;
    return old_mixed(s, q);
}
long double (*old_long)(long double, int, long double);
long double my_long(long double x, int n, long double y)
{
    n_long_++;
    return old_long(x, n, y);
}
_Complex long double (*old_complex)(_Complex long double);
_Complex long double my_complex(_Complex long double z)
{
    n_complex_++;
    return old_complex(z);
}
int vtext(char *, const char *, va_list); /* of the program: text's twin */
__attribute__((weak)) int vtext(char *to, const char *format, va_list ap)
{
    return vsprintf(to, format, ap);
}
int my_text(char *to, const char *format, ...)
{
    va_list ap;
    n_text++;
    va_start(ap, format);
    int n = vtext(to, format, ap);
    va_end(ap);
    return n;
}
long (*old_factorial)(long);
long my_factorial(long n)
{
    n_factorial++;
    return old_factorial(n);
}
int (*old_thrower)(int);
int my_thrower(int n)
{
    n_thrower++;
    int r = old_thrower(n);
    return r;
}
unsigned long (*old_leaf)(unsigned long);
unsigned long my_leaf(unsigned long a)
{
    n_leaf++;
    return old_leaf(a);
}
unsigned long (*old_lap)(unsigned long);
unsigned long my_lap(unsigned long a)
{
    n_lap++;
    return old_lap(a);
}
char tiny; /* no room for an address */
unsigned long (*old_loop)(unsigned long);
unsigned long my_loop(unsigned long a) /* not what leaf returns */
{
    return a;
}

__attribute__((destructor)) static void at_end(void)
{
#define SAY(f) fprintf(stderr, "%s %lu\n", #f, (unsigned long)n_##f);
    FUNCTIONS(SAY)
}

/* Changes every register that a call may change; returns 42 and 43, or 44 and 45. */
__asm__(".text\n.globl spoil\n.type spoil,@function\nspoil:\nmov $42,%eax\nmov $43,%edx\n"
        ".irp r,rcx,rsi,rdi,r8,r9,r10,r11\nmov $-1,%\\r\n.endr\n"
        ".irp n,2,3,4,5,6,7,8,9,10,11,12,13,14,15\npcmpeqd %xmm\\n,%xmm\\n\n.endr\n"
        "movups fours(%rip),%xmm0\nmovups fives(%rip),%xmm1\nret\n.size spoil,.-spoil\n"
        ".section .rodata\nfours: .fill 16,1,44\nfives: .fill 16,1,45\n.text\n"
        ".globl spoil_wide\n.type spoil_wide,@function\nspoil_wide: call spoil\nvzeroupper\nret\n"
        ".size spoil_wide,.-spoil_wide\n");
