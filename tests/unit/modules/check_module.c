/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_module.c - modules that the compiler made, run: what they record, what the originals get,
 * and what their callers get.
 *
 * This program takes the place of the shell and of the runtime: it fills ezt_rt with functions of
 * its own, and the pointers to the originals. */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "modules/compile.h"
#include "tests/unit/modules/host.h"
#include "tests/unit/suite.h"

struct ezt_frame {
    struct ezt_frame *outer;
    void *thread;
};
struct ezt_rt { /* as in modules/ezt_probe.h, whose own ezt_rt is each module's */
    uint32_t abi, counter;
    uint64_t code;
    void (*event)(struct ezt_rt *rt, uint64_t event, uint64_t n, const uint64_t *word);
    int (*enter)(struct ezt_rt *rt, struct ezt_frame *f);
    void (*again)(struct ezt_rt *rt, struct ezt_frame *f);
    uint64_t room[3];
};

#define EXPORT __attribute__((visibility("default")))

/* ---- the runtime ------------------------------------------------------------------------- */

static char seen[4096]; /* " 3 4=1.5": events, and the values of those that have one */
static struct ezt_frame *guard;
static unsigned nested;

static void record(struct ezt_rt *rt, uint64_t event, uint64_t n, const uint64_t *word)
{
    double value;
    size_t at = strlen(seen);
    if (n == 1) {
        memcpy(&value, word, sizeof value);
        snprintf(seen + at, sizeof seen - at, " %d=%g", (int)event, value);
    } else {
        snprintf(seen + at, sizeof seen - at, " %d", (int)event);
    }
}

static int enter(struct ezt_rt *rt, struct ezt_frame *f)
{
    if (guard) {
        nested++;
        return 0;
    }
    f->outer = guard;
    f->thread = &guard;
    guard = f;
    return 1;
}

static void again(struct ezt_rt *rt, struct ezt_frame *f)
{
    guard = f;
}

static void *module;
static char dir[] = "/tmp/check-module-XXXXXX";

/* This program is not beside eztsh, from whose folder the headers' is found. */
char *__wrap_ez_header_folder(void);
char *__wrap_ez_header_folder(void)
{
    const char *built = getenv("top_builddir");
    return ez_sprintf("%s/modules/include", built ? built : ".");
}

static void load(const char *name)
{
    const char *top = getenv("top_srcdir");
    EZ_FREE char *script =
        ez_sprintf("%s/tests/unit/modules/scripts/%s.tpl", top ? top : ".", name);
    struct ez_compile_options o = { .script = script, .dir = dir };
    struct ez_compiled out;
    ez_err *e = ez_module_compile(&o, &out);
    ck_assert_msg(!e, "%s\n%s", e ? e->msg : "", out.said);
    module = dlopen(out.object, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(module, "%s", dlerror());
    unlink(out.object);
    ez_compiled_free(&out);
    struct ezt_rt *rt = dlsym(module, "ezt_rt");
    ck_assert_ptr_nonnull(rt);
    *rt = (struct ezt_rt){ .abi = 1, .event = record, .enter = enter, .again = again };
}

/* The replacement of a function, which from now on leads to `original`. */
static void *replaced(const char *name, void *original)
{
    EZ_FREE char *orig = ez_sprintf("orig_%s", name), *with = ez_sprintf("replace_%s", name);
    void **pointer = dlsym(module, orig), *f = dlsym(module, with);
    ck_assert_msg(pointer && f, "%s is not in the module", name);
    *pointer = original;
    seen[0] = 0;
    return f;
}

#define REPLACED(name, original) ((__typeof__(&original))replaced(name, (void *)original))

/* ---- prototypes --------------------------------------------------------------------------- */

static char got[256]; /* what the original was called with */

static long ten(int a, long b, char c, double d, float e, int f, int g, short h, long i, double j)
{
    snprintf(got, sizeof got, "%d %ld %d %g %g %d %d %d %ld %g", a, b, c, d, e, f, g, h, i, j);
    return 21;
}

START_TEST(ten_arguments)
{
    long result = REPLACED("ten", ten)(1, 2, 3, 4.5, 5.25f, 6, 7, 8, 9, 10.5);
    ck_assert_int_eq(result, 21);
    ck_assert_str_eq(got, "1 2 3 4.5 5.25 6 7 8 9 10.5");
    ck_assert_str_eq(seen, " 1=56.25 2 3=42");
}
END_TEST

struct point {
    long x, y, z;
    double w;
};

static struct point mirror(struct point p, int how)
{
    snprintf(got, sizeof got, "%ld %ld %ld %g %d", p.x, p.y, p.z, p.w, how);
    return (struct point){ p.z, p.y, p.x, p.w * 2 };
}

START_TEST(structs_and_conditions)
{
    __typeof__(&mirror) f = REPLACED("mirror", mirror);
    struct point p = f((struct point){ 3, 2, 1, 0.5 }, 1);
    ck_assert(p.x == 1 && p.y == 2 && p.z == 3 && p.w == 1);
    ck_assert_str_eq(got, "3 2 1 0.5 1");
    ck_assert_str_eq(seen, " 4 5 8 9=1");
    seen[0] = 0;
    f((struct point){ 1, 2, 3, 4 }, 1);
    ck_assert_str_eq(seen, " 7 8 9=8");
    seen[0] = 0;
    f((struct point){ 3, 2, 1, 4 }, 0);
    ck_assert_str_eq(seen, " 6 7 8 9=8");
}
END_TEST

static long double half(long double x)
{
    return x / 2;
}

START_TEST(long_double)
{
    ck_assert(REPLACED("half", half)(3.000000000000000002L) == 3.000000000000000002L / 2);
    ck_assert_str_eq(seen, " 10 12=1.5 11");
}
END_TEST

static int vsay(const char *format, va_list args)
{
    return vsnprintf(got, sizeof got, format, args);
}

START_TEST(variadic_by_the_twin)
{
    int (*say)(const char *, ...) = replaced("say", (void *)vsay);
    int n = say("%d %s %g %ld %d %d %d %g", 1, "two", 3.5, 4l, 5, 6, 7, 8.5);
    ck_assert_str_eq(got, "1 two 3.5 4 5 6 7 8.5");
    ck_assert_int_eq(n, 21);
    ck_assert_str_eq(seen, " 13 14=21");
}
END_TEST

static unsigned long (*again_factorial)(unsigned n);

static unsigned long factorial(unsigned n)
{
    return n ? n * again_factorial(n - 1) : 1;
}

START_TEST(recursion)
{
    again_factorial = REPLACED("factorial", factorial);
    ck_assert_uint_eq(again_factorial(3), 6);
    ck_assert_str_eq(seen, " 15 15 15 15 16 16 16 16");
}
END_TEST

static void act(int sig)
{
}

static void (*handler(int sig, void (*f)(int)))(int)
{
    return sig ? f : NULL;
}

START_TEST(pointers_to_functions)
{
    __typeof__(&handler) f = REPLACED("handler", handler);
    ck_assert(f(1, act) == act && !strcmp(seen, " 28"));
    ck_assert(f(0, act) == NULL && !strcmp(seen, " 28"));
}
END_TEST

static int *rows(int n, double matrix[][3], const char *const *names)
{
    return &((int *)matrix)[n];
}

START_TEST(arrays)
{
    double m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    const char *const names[] = { "abc" };
    ck_assert_ptr_eq(REPLACED("rows", rows)(2, m, names), (int *)m + 2);
    ck_assert_str_eq(seen, " 31=6 32=32");
}
END_TEST

/* ---- leaving the original -------------------------------------------------------------------- */

START_TEST(an_exception_ends_states)
{
    __typeof__(&host_throws) f = REPLACED("throws", host_throws);
    ck_assert_int_eq(host_catch(f, 0), 0);
    ck_assert_str_eq(seen, " 17 20 21");
    seen[0] = 0;
    ck_assert_int_eq(host_catch(f, 10), 0);
    ck_assert_str_eq(seen, " 17 18 20 21 19");
    seen[0] = 0;
    ck_assert_int_eq(host_catch(f, 1), 1);
    ck_assert_str_eq(seen, " 17 0");
    seen[0] = 0;
    ck_assert_int_eq(host_catch(f, 2), 2);
    ck_assert_str_eq(seen, " 17 18 0 0");
}
END_TEST

static void forever(int how)
{
    for (;;)
        sleep(1);
}

static void *calls_forever(void *f)
{
    ((void (*)(int))f)(2);
    return NULL;
}

START_TEST(a_cancellation_ends_states)
{
    pthread_t thread;
    void *how;
    ck_assert(!pthread_create(&thread, NULL, calls_forever, REPLACED("throws", forever)));
    for (int i = 0; i < 10000 && !__atomic_load_n(&seen[5], __ATOMIC_ACQUIRE); i++)
        usleep(1000);
    ck_assert(!pthread_cancel(thread) && !pthread_join(thread, &how));
    ck_assert_ptr_eq(how, PTHREAD_CANCELED);
    ck_assert_str_eq(seen, " 17 18 0 0");
}
END_TEST

static void nothing(void)
{
}

START_TEST(a_state_from_one_function_to_another)
{
    REPLACED("start", nothing)();
    ck_assert_str_eq(seen, " 22");
    REPLACED("stop", nothing)();
    ck_assert_str_eq(seen, " 23");
}
END_TEST

static jmp_buf back;

static void jumps(int how)
{
    longjmp(back, how);
}

START_TEST(a_jump_leaves_states)
{
    __typeof__(&host_throws) f = REPLACED("throws", jumps);
    if (!setjmp(back))
        f(1);
    ck_assert_str_eq(seen, " 17");
}
END_TEST

/* ---- nesting ----------------------------------------------------------------------------------- */

static int (*again_guarded)(int n);
static unsigned on, off; /* calls of the original with the guard, and without */

static int guarded(int n)
{
    *(guard ? &on : &off) += 1;
    return n + 1;
}

EXPORT int helper(int n);
int helper(int n)
{
    return again_guarded(n * 10);
}

START_TEST(what_a_value_calls_is_not_recorded)
{
    again_guarded = REPLACED("guarded", guarded);
    ck_assert_int_eq(again_guarded(1), 2);
    ck_assert_str_eq(seen, " 24 26=11 27=21 25");
    ck_assert_uint_eq(nested, 2);
    ck_assert_uint_eq(on, 2);
    ck_assert_uint_eq(off, 1);
    ck_assert_ptr_null(guard);
}
END_TEST

/* ---- FORTRAN -------------------------------------------------------------------------------------- */

static void store(int *n, double *values, char *name, char *unit, size_t name_len, size_t unit_len)
{
    if (n)
        *n += (int)(name_len + unit_len);
}

static double mean(int *n, double *values)
{
    return values[*n - 1];
}

static void label(char *result, size_t len, int n)
{
    snprintf(result, len, "%d", n);
}

START_TEST(fortran_arguments_are_values)
{
    int n = 3;
    double values[] = { 1, 2.5, 4 };
    char text[8];
    REPLACED("store_", store)(&n, values, "velocity", "m/s", 8, 3);
    ck_assert_int_eq(n, 14);
    ck_assert_str_eq(seen, " 1=3 2=2.5 3=14 4=803");
    seen[0] = 0;
    REPLACED("store_", store)(NULL, values, "x", "", 1, 0); /* an OPTIONAL that is absent */
    ck_assert_str_eq(seen, " 4=100");
    n = 2;
    ck_assert(REPLACED("mean_", mean)(&n, values) == 2.5);
    ck_assert_str_eq(seen, " 5=2.5");
    REPLACED("label_", label)(text, sizeof text, 7);
    ck_assert_str_eq(text, "7");
    ck_assert_str_eq(seen, " 6=7 7=55");
}
END_TEST

/* ---- the paper's -------------------------------------------------------------------------------- */

static int foo(int a, int b)
{
    return a * b;
}

START_TEST(figure_6_runs)
{
    load("fig6");
    ck_assert_int_eq(REPLACED("foo", foo)(6, 7), 42);
    ck_assert_str_eq(seen, " 1 2");
    REPLACED("bar", act)(1);
    ck_assert_str_eq(seen, " 3");
}
END_TEST

START_TEST(figure_8_runs)
{
    static const char *const names[] = { "adi_",     "copy_faces_", "txinvr_", "x_solve_",
                                         "y_solve_", "z_solve_",    "add_" };
    load("fig8");
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++) {
        EZ_FREE char *want = i ? ez_sprintf(" %zu %zu", 2 * i, 2 * i + 1) : ez_strdup(" 1");
        REPLACED(names[i], nothing)();
        ck_assert_str_eq(seen, want);
    }
}
END_TEST

static void load_all(void)
{
    load("all");
}

static void load_fortran(void)
{
    load("fortran");
}

static TCase *a_case(Suite *s, const char *name, void (*before)(void))
{
    TCase *c = tcase_create(name);
    if (before)
        tcase_add_checked_fixture(c, before, NULL);
    tcase_set_timeout(c, 30);
    suite_add_tcase(s, c);
    return c;
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    Suite *s = suite_create("module");
    TCase *c = a_case(s, "c", load_all);
    tcase_add_test(c, ten_arguments);
    tcase_add_test(c, structs_and_conditions);
    tcase_add_test(c, long_double);
    tcase_add_test(c, variadic_by_the_twin);
    tcase_add_test(c, recursion);
    tcase_add_test(c, pointers_to_functions);
    tcase_add_test(c, arrays);
    tcase_add_test(c, an_exception_ends_states);
    tcase_add_test(c, a_cancellation_ends_states);
    tcase_add_test(c, a_state_from_one_function_to_another);
    tcase_add_test(c, a_jump_leaves_states);
    tcase_add_test(c, what_a_value_calls_is_not_recorded);
    tcase_add_test(a_case(s, "fortran", load_fortran), fortran_arguments_are_values);
    c = a_case(s, "paper", NULL);
    tcase_add_test(c, figure_6_runs);
    tcase_add_test(c, figure_8_runs);
    int failed = run_suite(s);
    failed |= rmdir(dir) != 0; /* nothing was left in it */
    return failed;
}
