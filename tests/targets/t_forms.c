/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_forms.c - values of all kinds, nested blocks, threads and macros, for tests/procs/forms.sh. */
#include <stdio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <complex.h>
#define LIMIT 42
#define FLAG_A 0x1
#define FLAG_B (1u << 3)
#define NAME "hello"
#define ADD(a, b) ((a) + (b))
#define TWICE(x) ADD(x, x)
#define ITEM(o) (o.a)
#define ALIAS gint
#define STR(x) #x
#define CAT(a, b) a##b
#define VAR(fmt, ...) ADD(__VA_ARGS__)
enum color { RED, GREEN = 5, BLUE };
enum flags { F1 = 1, F2 = 2, F4 = 4 };
struct inner {
    char c;
    short s;
};
struct outer {
    int a;
    double d;
    struct inner in;
    char name[8];
    int *p;
    bool b;
    enum color col;
    unsigned bf : 3;
    int sbf : 5;
    float f;
};
union u {
    int i;
    float f;
    char c[4];
};
char gch = 'A';
signed char gsch = -5;
unsigned char guch = 200;
short gsh = -300;
unsigned short gush = 65000;
int gint = -12345;
unsigned guint = 3000000000u;
long glong = -1234567890123l;
unsigned long gul = 0xfedcba9876543210ul;
__int128 gi128 = -5;
unsigned __int128 gu128 = ((unsigned __int128)0x1122334455667788ull << 64) | 0x99aabbccddeeff00ull;
float gfl = 3.25f;
double gdb = -2.5e10;
long double gld = 1.5L;
double gnan, ginf, gsmall = 1e-310;
float gfbig = 3e38f;
bool gbool = true;
_Bool gb0 = 0;
enum color gcol = GREEN;
enum color gbad = 9;
enum flags gflags = F1 | F4;
int garr[6] = { 1, -2, 3, -4, 5, 6 };
double gdarr[3] = { 1.5, 2.5, -3.5 };
float gfarr[4] = { 1, 2.5, -1e10, 0.1f };
char gtext[16] = "hi there";
char *gstr = "a string";
unsigned char gbytes[4] = { 0xff, 0, 1, 0x41 };
short gsarr[5] = { 1, 2, -3, 4, 5 };
bool gbarr[3] = { 1, 0, 1 };
struct outer gs = { 7, 1.25, { 'x', -9 }, "abc", garr + 2, true, BLUE, 5, -3, 2.5f };
union u gu = { .f = 1.0f };
int *gip = garr;
void *gvp = garr;
int (*gfp)(int, char **);
struct outer *gsp = &gs;
char **gpp = &gstr;
int *gnull;
int g2d[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
double complex gcx = 1.0 + 2.0 * I;
wchar_t gwc = L'w';
wchar_t gws[4] = L"wid";
const char *const gcs = "const";
struct inner gia[2] = { { 'a', 1 }, { 'b', 2 } };
enum color gca[3] = { RED, GREEN, BLUE };
void *gpa[2] = { garr, gtext };
uint8_t gu8 = 65;
int8_t gi8 = 'b';
uint8_t gu8a[5] = "abcd";
__thread int prog_tls = 11;
__thread struct inner prog_tls_s = { 'q', 3 };
static __thread int prog_priv = 4;
extern __thread int lib_tls;
int lib_step(int);
static pthread_barrier_t bar;
static void *worker(void *arg)
{
    long n = (long)arg;
    prog_tls += (int)n;
    prog_priv += (int)n;
    lib_step((int)n);
    pthread_barrier_wait(&bar);
    pthread_barrier_wait(&bar);
    return NULL;
}
int shadow(int n)
{
    int x = n;
    {
        int x = n * 2;
        long y = 3;
        {
            int x = n * 3;
            char z = 'z';
            gint += 0;
            printf("%d %ld %c\n", x, y, z); /* STOP1 */
        }
        gint += x;
    }
    return x;
}
int hide(int n)
{
    int r = n;
    {
        int n = 77; /* hides the parameter */
        r += shadow(4) + n;
    }
    return r;
}
__attribute__((noinline)) int deep(int n)
{
    int sq = n * n;
    return n ? deep(n - 1) + sq : hide(6);
}
static pthread_t t[2];
int main(int argc, char **argv)
{
    gfp = main;
    gnan = 0.0 / (double)(argc - 1);
    ginf = 1.0 / (double)(argc - 1);
    pthread_barrier_init(&bar, NULL, 3);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    pthread_barrier_wait(&bar);
    lib_step(100);
    int r = deep(3);
    pthread_barrier_wait(&bar);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return r > 100000;
}
