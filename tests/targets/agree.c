/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agree.c - values of each kind that C has, for tests/procs/agree.py, which asks eztsh and gdb for them at each line
 * that is marked STOP. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define NOINLINE __attribute__((noinline))

enum color { RED, GREEN = 5, BLUE = -2 };
enum flag { READ = 1, WRITE = 2, RUN = 4 };
typedef unsigned long word_t;
typedef int row_t[3];
typedef int (*op_t)(int, int);

struct point {
    int x, y;
};
struct bits {
    unsigned a : 3, b : 7;
    int c : 5;
    uint64_t d : 40;
    bool on : 1;
};
union any {
    int i;
    float f;
    char c[4];
};
struct node {
    struct node *next;
    enum color color;
    union any any;
    struct {
        short inner;
        struct point p[2];
    };
    const char *name;
    op_t op;
    char text[8];
    double weight;
};
struct small {
    float x, y, z;
};
struct large {
    long v[5];
};

static int add(int a, int b)
{
    return a + b;
}

int table[4] = { 11, 22, 33, 44 };
static double matrix[2][3] = { { 1, 2.5, -3 }, { 1e100, 1e-30, 0.1 } };
struct bits bits = { 5, 100, -3, 0x123456789a, true };
struct node tail = {
    NULL, GREEN, { 65 }, { 7, { { 1, 2 }, { 3, 4 } } }, "tail", add, "seven77", 2.5
};
static struct node head = { &tail, BLUE, { -1 },    { -7, { { 5, 6 }, { 7, 8 } } },
                            NULL,  NULL, "a\n\t\"", -0.0 };
const char *const names[] = { "zero", "one", NULL };
volatile int sink;
__thread int per_thread = 77;
word_t words[3] = { 1, ~0ul, 1ul << 63 };
row_t rows[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
signed char tiny = -100;
unsigned char byte = 200;
unsigned short half = 65000;
long double wide = 1.25L;
float single = 3.14159274f;
double _Complex z = 1.5 + 2.5 * I;
wchar_t wide_text[] = L"wide";
_Bool yes = 1;
enum flag mode = READ | RUN, odd = 8;

NOINLINE static void keep(const void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

NOINLINE int integers(int i, unsigned u, long l, unsigned long ul, short s, char c, signed char sc,
                      unsigned char uc, long long ll, bool b)
{
    int sum = i + (int)u + s + c + sc + uc;
    int64_t big = l * 3 + ll;
    static int calls = 3;
    calls++;
    sink = sum; /* STOP */
    keep(&big);
    return sum + (int)big + (int)ul + b + calls;
}

NOINLINE double floats(float f, double d, long double ld, float g, double nan)
{
    double half_way = f / 2 + g;
    float third = (float)d / 3;
    keep(&half_way);
    sink = (int)half_way; /* STOP */
    keep(&third);
    return half_way + third + (double)ld + nan;
}

NOINLINE int structs(struct point p, struct small s, struct large big, struct node *n, union any u)
{
    struct point local = { p.y, p.x };
    struct point *pp = &local;
    int n_x = n->p[1].x;
    keep(pp);
    sink = local.x; /* STOP */
    for (int i = 0; i < 2; i++) {
        int local = i * 10;
        const char *name = names[i];
        keep(&local);
        sink = local + name[0]; /* STOP */
    }
    return p.x + (int)s.y + (int)big.v[3] + n_x + u.i;
}

NOINLINE int pointers(int *p, int **pp, const char *text, void *any, op_t op, row_t *row, int v[],
                      struct node **link)
{
    char buffer[16];
    strcpy(buffer, text);
    int (*local_op)(int, int) = op;
    int(*grid)[3] = row;
    sink = *p + buffer[0]; /* STOP */
    keep(buffer);
    return *p + **pp + local_op(1, 2) + grid[1][2] + v[1] + (*link)->color + (any != NULL);
}

static NOINLINE struct small clone(struct small p)
{
    struct small r = { 16777216.0f, -0.1f, 1.5f };
    r.x += p.z;
    keep(&r);
    sink += 1; /* STOP */
    return r;
}

static NOINLINE int constant(int *p, int k, const char *s, enum color c)
{
    sink = *p + k; /* STOP */
    return *p + k + s[0] + (int)c;
}

static inline int inlined(int a, struct point *p)
{
    int twice = a * 2;
    sink = twice + p->x; /* STOP */
    return twice;
}

NOINLINE int recursive(int depth, int sum)
{
    int here = depth * depth;
    keep(&here);
    if (depth == 0) {
        sink = sum; /* STOP */
        return sum;
    }
    return recursive(depth - 1, sum + here) + 1;
}

int main(void)
{
    int x = 42, *px = &x, v[3] = { 7, 8, 9 };
    struct node *first = &head;
    struct point at = { 3, 4 };
    sink = integers(-1, 4000000000u, -5000000000, 1ul << 63, -3, 'x', -100, 200, 1ll << 40, true);
    floats(1.5f, 2.718281828459045, 1.25L, -1e-30f, __builtin_nan(""));
    sink = structs((struct point){ 1, -2 }, (struct small){ 1.5f, 1e-30f, 16777216.0f },
                   (struct large){ { 1, -2, 3, -4, 5 } }, &head, (union any){ .f = 1.5f });
    sink = pointers(px, &px, "text", &table[2], add, rows, v, &first);
    for (int i = 0; i < 2; i++) {
        sink = (int)clone((struct small){ 1.5f, 1e-30f, 16777216.0f }).x;
        sink = constant(&table[2], i, "name", BLUE);
        sink = inlined(i, &at);
    }
    keep(matrix);
    sink = recursive(3, 0);
    return sink == -1;
}
