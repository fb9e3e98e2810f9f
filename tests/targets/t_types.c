/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_types.c - functions with all kinds of parameters and results in C, each called once or twice;
 * compiled by tests/procs/types.sh in many ways. */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noipa))
#endif

enum colour { RED, GREEN = 5, BLUE };
enum bits { B_ONE = 1, B_TWO = 2, B_FOUR = 4 };
struct two {
    int a;
    long b;
};
struct mixed {
    double d;
    int i;
};
struct floats {
    float x, y, z;
};
struct big {
    long a[3];
    double d;
};
struct bits_in {
    unsigned lo : 3, hi : 5;
    int rest : 20;
    long last;
};
struct node {
    int id;
    struct node *next;
    const char *name;
};
struct __attribute__((packed)) packed {
    char c;
    int i;
};
struct quad {
    long double l;
};
union number {
    int i;
    float f;
};
typedef int (*callback)(int);
typedef unsigned long word;

int counter = 7;
static double ratio = 2.5;
static struct node second = { 2, NULL, "second" }, first = { 1, &second, "first" };
volatile long sink;

KEPT int ints(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f, long g,
              word h)
{
    sink += a + b + c + d + e + f + g + h;
    return e - 1;
}
KEPT double reals(float f, double d, long double l, int n)
{
    sink += (long)(f + d + l) + n;
    return d * 2;
}
KEPT long double long_double(long double l)
{
    sink += (long)l;
    return l / 3;
}
KEPT float one_float(float f)
{
    sink += (long)f;
    return f / 4;
}
KEPT char *texts(const char *s, char *nothing, char *bad)
{
    sink += *s + (nothing != NULL) + (bad != NULL);
    return (char *)s + 1;
}
KEPT struct two by_regs(struct two t, struct mixed m, int n)
{
    t.a += n + (int)m.d + m.i;
    sink += t.b;
    return t;
}
KEPT struct mixed mixed_result(int i)
{
    struct mixed m = { i / 2.0, i };
    sink += i;
    return m;
}
KEPT struct floats three(struct floats f)
{
    f.x += f.z;
    sink += (long)f.y;
    return f;
}
KEPT struct big by_memory(int n, struct big b, int last)
{
    b.a[0] += n + last;
    sink += b.a[1];
    return b;
}
KEPT int bitfields(struct bits_in b)
{
    sink += b.last;
    return b.lo + b.hi;
}
KEPT enum colour enums(enum colour c, enum bits b)
{
    sink += c + b;
    return c == RED ? BLUE : RED;
}
KEPT bool flags(bool yes, bool no)
{
    sink += yes + no;
    return !no;
}
KEPT double complex complex_d(double complex c, float complex f)
{
    sink += (long)creal(c) + (long)crealf(f);
    return c * 2;
}
KEPT float complex complex_f(float complex f)
{
    sink += (long)crealf(f);
    return f + 1;
}
KEPT __int128 wide(__int128 a, unsigned __int128 b)
{
    sink += (long)a + (long)b;
    return a + 1;
}
KEPT int nodes(struct node *p, const struct node *const *pp, callback fn)
{
    sink += (*pp)->id;
    return fn(p->id);
}
KEPT union number unions(union number u)
{
    u.i++;
    sink += u.i;
    return u;
}
KEPT int variadic(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = va_arg(ap, int);
    va_end(ap);
    sink += *format;
    return n;
}
KEPT void nothing(void)
{
    static int calls = 40;
    sink += ++calls;
}
KEPT int many(int a, int b, int c, int d, int e, int f, struct two g, int h, double i, char j)
{
    sink += a + b + c + d + e + f + g.a + h + (int)i;
    return j;
}
KEPT int packed(struct packed p, int n)
{
    sink += p.i;
    return p.c + n;
}
KEPT int quads(struct packed p, struct quad q, int n, __int128 w)
{
    sink += p.i + (long)q.l + (long)w;
    return n;
}
static __attribute__((noinline)) int cloned(int n, int always, struct node *p)
{
    sink += n * always;
    return p->id + n;
}
KEPT int twice(int n)
{
    return 2 * n;
}

int main(void)
{
    struct two t = { 11, -22 };
    struct mixed m = { 1.5, 3 };
    struct big b = { { 1, 2, 3 }, 0.25 };
    struct bits_in bf = { 5, 31, -7, 99 };
    const struct node *pn = &second;
    union number u = { 41 };
    sink += ints(-1, 200, -300, 60000, -70000, 4000000000u, -5000000000, 6000000000);
    sink += (long)reals(1.5f, -2.25, 3.75L, 4);
    sink += (long)long_double(1.0L);
    sink += (long)one_float(3.0f);
    sink += *texts("a text", NULL, (char *)16);
    sink += by_regs(t, m, 5).a;
    sink += mixed_result(9).i;
    sink += (long)three((struct floats){ 1, 2, 3.5f }).x;
    sink += by_memory(1, b, 2).a[2];
    sink += bitfields(bf);
    sink += enums(GREEN, B_ONE | B_FOUR);
    sink += flags(true, false);
    sink += (long)creal(complex_d(1.5 - 2 * I, 0.5f + 4 * I));
    sink += (long)crealf(complex_f(2.5f - 1 * I));
    sink += (long)wide(-5, (unsigned __int128)1 << 100);
    sink += nodes(&first, &pn, twice);
    sink += unions(u).i;
    sink += variadic("%d", 17);
    nothing();
    sink += many(1, 2, 3, 4, 5, 6, t, 8, 9.5, 'j');
    sink += packed((struct packed){ 'p', 7 }, 1);
    sink += quads((struct packed){ 'q', 8 }, (struct quad){ 2.5L }, 3, 4);
    sink += cloned(3, 10, &first) + cloned(4, 10, &second);
    return (int)(sink + counter + (long)ratio) & 1;
}
