/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_print.c - variables of all kinds, and a stop inside a function (tests/procs/print.sh). */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#define STOP(...) __asm__ volatile("int3" : : __VA_ARGS__ : "memory")
#else
#define STOP(...) __asm__ volatile("brk #0" : : __VA_ARGS__ : "memory")
#endif

enum colour { RED, GREEN = 5, BLUE };
enum flags { A = 1, B = 2, C = 4 };
enum large { MOST = 127, MORE = 128, MANY = 200, LOTS = 40000 };
struct pt {
    int x, y;
};
struct node {
    int id;
    char name[8];
    struct node *next;
    double w;
    unsigned lo : 3, hi : 5;
    signed int low : 4;
    struct pt at;
    enum colour c;
    bool ok;
};
struct node second = { 2, "two", 0, 2.5, 1, 9, -3, { 7, -8 }, BLUE, true };
struct node first = { 1, "one", &second, 1.5, 3, 31, 7, { 3, 4 }, GREEN, false };
struct node *list = &first;
int counter = 42, arr[12] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2 };
int mat[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, many[300];
short m128[128] = { 1 }, m129[129] = { 1 }, m256[256] = { 1 }, m40k[40000] = { 1 },
      mm[2][200] = { { 1 } };
struct {
    int x[200], y;
} wide = { .y = 5 };
char same[300], same2[300], same3[300], same4[300];
struct nowhere *unknown;
enum large larger = MANY, lots = LOTS;
unsigned char uc = 200;
char ch = 'a', text[] = "hello \"w\"\n", buf[64] = "hi", longer[400];
signed char sc = -3;
char *ptext = text, *nul;
const char *cptext = "const";
float fl = 0.1f;
double db = 1.0 / 3, zero;
long double ld = 1.0L / 3;
long long big = -1234567890123LL;
unsigned long ul = ~0ul;
enum flags fg = A | C, fz = 0, fu = 9;
enum colour bad = 77;
bool yes = true;
void *vp = &counter;
int (*fp)(int, struct node *, double);
_Complex double cd = 1.0 + 2.0i;
union {
    int i;
    float f;
} un = { .f = 1.0f };
__int128 i128 = -5;
short sh = -2;
static int hidden = 17;
typedef struct pt point_t;
point_t pts[3] = { { 1, 2 }, { 3, 4 }, { 3, 4 } };
struct {
    struct pt in[2];
    struct {
        int deep;
    } anon;
} nested = { { { 1, 2 }, { 3, 4 } }, { 5 } };

__attribute__((noinline)) int work(int n, struct node *p, double d)
{
    volatile int local = n * 2;
    static int calls = 3;
    char lt[4] = "abc";
    struct pt lp = { n, 5 };
    int kept = n + 100;
    {
        int inner = local + 1;
        calls += inner;
        STOP("r"(&lp), "r"(lt), "r"(kept), "r"(inner));
        calls += kept;
    }
    return local + p->id + (int)d + calls + lp.x;
}

int main(int argc, char **argv)
{
    (void)argv;
    fp = work;
    for (unsigned i = 0; i < sizeof longer - 1; i++)
        longer[i] = (char)('a' + i % 26);
    memset(same, 'x', 250);
    memset(same2, 'x', 300);
    memset(same3, 'x', 299);
    memset(same4, 'y', 204);
    same4[0] = 'z';
    same4[150] = 'z';
    printf("%d\n", fp(5 + argc, list, 2.5) + hidden);
    return 0;
}
