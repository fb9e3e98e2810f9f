/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_frame.c - which functions may be called through. The names say what is right:
 * yes_*, no_* (hand-written ones in frame_cases.S); then what the compiler makes. */
#include <alloca.h>
#include <check.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "engine/code/frame.h"
#include "engine/sym/sym.h"
#include "tests/unit/suite.h"

#define NI                                                                                         \
    __attribute__((noinline, noclone, used, optimize("O2"), no_sanitize("address", "undefined")))
struct big {
    long v[6];
};
void outside(void *p);
NI void outside(void *p)
{
    __asm__ volatile("" ::"r"(p) : "memory");
}
NI long yes_c_six(long a, long b, long c, long d, long e, long f);
NI long yes_c_six(long a, long b, long c, long d, long e, long f)
{
    return a + b * c - d * e + f;
}
NI long yes_c_buffer(long a);
NI long yes_c_buffer(long a)
{
    struct big x = { { a, 1, 2, 3, 4, 5 } };
    outside(&x);
    return x.v[3] + x.v[0];
}
NI int yes_c_alloca(size_t n);
NI int yes_c_alloca(size_t n)
{
    outside(alloca(n));
    return 3;
}
NI long no_c_seven(long a, long b, long c, long d, long e, long f, long g);
NI long no_c_seven(long a, long b, long c, long d, long e, long f, long g)
{
    return a + b * c - d * e + f + g;
}
NI long no_c_by_value(struct big x);
NI long no_c_by_value(struct big x)
{
    return x.v[2];
}
NI long no_c_by_value_indexed(struct big x, long i);
NI long no_c_by_value_indexed(struct big x, long i)
{
    return x.v[i - 3];
}
NI struct big no_c_by_value_copied(struct big x);
NI struct big no_c_by_value_copied(struct big x)
{
    return x;
}
NI long no_c_variadic(int n, ...);
NI long no_c_variadic(int n, ...)
{
    long s = 0;
    va_list a;
    va_start(a, n);
    while (n--)
        s += va_arg(a, long);
    va_end(a);
    return s;
}
NI void *no_c_return_address(void);
NI void *no_c_return_address(void)
{
    return __builtin_return_address(0);
}
NI void no_c_tail(void *p);
NI void no_c_tail(void *p)
{
    outside((char *)p + 1);
}
NI long no_c_long_double(long double x);
NI long no_c_long_double(long double x)
{
    return (long)(x * 3);
}
NI void no_c_realigned(long a, long b, long c, long d, long e, long f, long g);
NI void no_c_realigned(long a, long b, long c, long d, long e, long f, long g)
{
    long x[8] __attribute__((aligned(64))) = { a, b, c, d, e, f, g };
    outside(x);
}
/* Nested: reaches the parent's arguments through its static chain, which is its own. */
NI long yes_c_parent(long a, long b);
NI long yes_c_parent(long a, long b)
{
    __attribute__((noinline, noclone)) long nested(long x)
    {
        __asm__ volatile("" : "+r"(x));
        return x + a + b;
    }
    return nested(b) + 1;
}
NI int no_c_switch(int x);
NI int no_c_switch(int x)
{
    switch (x) {
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        outside((void *)(n * 77));                                                                 \
        return n * n;
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9)
    }
    return 0;
}

static const struct {
    const char *name, *why;
} reason[] = {
    { "no_argument", "it takes arguments on the stack" },
    { "no_return_address", "it looks at its return address" },
    { "no_address_above", "it takes the address of memory above its frame" },
    { "no_indexed", "it accesses its frame through a computed address" },
    { "no_tail", "it jumps to another function" },
    { "no_itself", "it jumps back to its entry" },
    { "no_indirect", "it has an indirect jump" },
    { "no_depth", "paths with different stack depths meet" },
    { "no_way", "it has code that no path reaches" },
    { "no_end", "its end is reached without a jump or return" },
    { "no_syscall", "it enters the kernel itself" },
    { "no_code", "an instruction that cannot be decoded" },
};

static const char *judge(struct ez_object *o, const struct ez_sym *s)
{
    uint8_t code[4096];
    size_t n = EZ_MIN(sizeof code, (size_t)(ez_sym_end(s) - s->vaddr));
    n = ez_object_read_text(o, s->vaddr, code, n);
    return ez_frame_why_not(ez_arch_host(), code, n, s->vaddr, s->vaddr);
}

START_TEST(by_name)
{
    struct ez_object *o;
    size_t n, yes = 0, no = 0;
    ck_assert_ptr_null(ez_object_open("/proc/self/exe", NULL, &o));
    const struct ez_sym *s = ez_object_syms(o, &n);
    for (size_t i = 0; i < n; i++) {
        bool y = !strncmp(s[i].name, "yes_", 4);
#ifdef __SANITIZE_ADDRESS__ /* the compiler makes something else of nested functions */
        if (!strcmp(s[i].name, "yes_c_parent")) {
            yes++;
            continue;
        }
#endif
        if (!y && strncmp(s[i].name, "no_", 3))
            continue;
        const char *why = judge(o, &s[i]);
        ck_assert_msg(!why == y, "%s: %s", s[i].name, why ? why : "proved");
        yes += y;
        no += !y;
        for (size_t k = 0; k < EZ_ARRAY_LEN(reason); k++)
            if (!strcmp(s[i].name, reason[k].name))
                ck_assert_str_eq(why, reason[k].why);
    }
    ck_assert_uint_ge(yes, 20);
    ck_assert_uint_ge(no, 46);
    ez_object_close(o);
}
END_TEST

/* Functions whose exits must not be followed: no_exit_*, and those that read their return address. */
START_TEST(exits)
{
    static const char *const also[] = {
        "no_ret_n",           "no_pivot_popped", "no_argument_ipa",      "no_argument_sum",
        "no_argument_string", "no_own_address",  "no_own_address_pushed"
    };
    struct ez_object *o;
    size_t n, none = 0;
    ck_assert_ptr_null(ez_object_open("/proc/self/exe", NULL, &o));
    const struct ez_sym *s = ez_object_syms(o, &n);
    for (size_t i = 0; i < n; i++) {
        uint8_t code[4096];
        if (strncmp(s[i].name, "yes_", 4) && strncmp(s[i].name, "no_", 3))
            continue;
        size_t len = ez_object_read_text(o, s[i].vaddr, code, ez_sym_end(&s[i]) - s[i].vaddr);
        const char *why = ez_frame_why_not(ez_arch_host(), code, len, s[i].vaddr, s[i].vaddr);
        bool no = ez_frame_no_exit(ez_arch_host(), code, len, s[i].vaddr, why);
        bool want = !strncmp(s[i].name, "no_exit_", 8) || strstr(s[i].name, "return_address");
        for (size_t k = 0; k < EZ_ARRAY_LEN(also); k++)
            want |= !strcmp(s[i].name, also[k]);
        ck_assert_msg(no == want, "%s: %s", s[i].name, no ? "must not" : "may");
        none += no;
    }
    ck_assert_uint_ge(none, 38);
    ez_object_close(o);
}
END_TEST

START_TEST(limits)
{
    static uint8_t code[EZ_FRAME_MOST + 1];
    memset(code, 0x90, sizeof code);
    code[EZ_FRAME_MOST - 1] = code[EZ_FRAME_MOST] = 0xc3;
    ck_assert_str_eq(ez_frame_why_not(ez_arch_host(), code, sizeof code, 0x1000, 0x1000),
                     "it is larger than 4 KiB");
    ck_assert_str_eq(ez_frame_why_not(ez_arch_host(), code, sizeof code - 1, 0x1000, 0x1000),
                     "it has too many instructions");
    ck_assert_str_eq(ez_frame_why_not(ez_arch_host(), code, 0, 0x1000, 0x1000),
                     "its end is not known");
    /* the entry is where the jump stands: behind endbr64 */
    static const uint8_t back[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0xcf, 0x75, 0xfc, 0xc3 };
    ck_assert_str_eq(ez_frame_why_not(ez_arch_host(), back, sizeof back, 0x1000, 0x1004),
                     "it jumps back to its entry");
    ck_assert_ptr_null(ez_frame_why_not(ez_arch_host(), back, sizeof back, 0x1000, 0x1000));
}
END_TEST

/* Several threads judge all of this process's libc at once, and come to the same verdicts as one. */
struct share {
    struct ez_object *o;
    const char **why;
    bool disagrees;
};

static void *judge_all(void *arg)
{
    struct share *mine = arg;
    size_t n;
    const struct ez_sym *s = ez_object_syms(mine->o, &n);
    for (size_t i = 0; i < n; i++) {
        const char *why = s[i].kind == EZ_SYM_FUNC ? judge(mine->o, &s[i]) : NULL;
        mine->disagrees |= mine->why[i] && mine->why[i] != why;
        mine->why[i] = why;
    }
    return NULL;
}

START_TEST(threads_agree)
{
    enum { THREADS = 4 };
    Dl_info libc;
    struct ez_object *o;
    pthread_t thread[THREADS];
    struct share share[THREADS];
    size_t n, judged = 0;
    ck_assert(dladdr((void *)&qsort, &libc));
    ck_assert_ptr_null(ez_object_open(libc.dli_fname, NULL, &o));
    ez_object_syms(o, &n);
    struct share alone = { o, ez_alloc(n * sizeof *alone.why), false };
    judge_all(&alone);
    for (int i = 0; i < THREADS; i++) {
        share[i] = (struct share){ o, ez_alloc(n * sizeof *alone.why), false };
        memcpy(share[i].why, alone.why, n * sizeof *alone.why);
        ck_assert(!pthread_create(&thread[i], NULL, judge_all, &share[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        ck_assert(!share[i].disagrees);
        ck_assert(!memcmp(share[i].why, alone.why, n * sizeof *alone.why));
        free(share[i].why);
    }
    for (size_t i = 0; i < n; i++)
        judged += alone.why[i] != NULL;
    ck_assert_uint_ge(judged, 100);
    free(alone.why);
    ez_object_close(o);
}
END_TEST

int main(void)
{
    if (!proc_there("check_frame"))
        return 77;
    Suite *s = suite_create("frame");
    TCase *t = tcase_create("frame");
    tcase_add_test(t, by_name);
    tcase_add_test(t, exits);
    tcase_add_test(t, limits);
    tcase_add_test(t, threads_agree);
    suite_add_tcase(s, t);
    return run_suite(s);
}
