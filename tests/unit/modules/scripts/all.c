/* all.c - made by eztsh-modc from all.tpl, to be read, and edited if need be:
 *
 *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \
 *       $(eztsh-modc -cflags) all.c -o all.so
 *
 * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT says what an
 * event of that number means. orig_NAME goes on into the original function. */
#include <ezt_probe.h>

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#include <stddef.h>
#include <stdio.h>
struct point { long x, y, z; double w; };
int helper(int);

struct point;
struct nowhere_defined;
union unknown;

EZT_MODULE("all", 0x7f, "all \"there\" is: */ ?\?/ %n $(true) \\ é")

/* An exception or a cancellation left the original: the states that the call has pushed end. */
EZT_EVENT(0, "pop", "thread", "")
static inline void ezt_unwound(const unsigned *open)
{
    for (unsigned i = *open; i; i--)
        ezt_event0(0);
}

/* ---- ten, line 21 ---- */
EZT_EVENT(1, "var-set", "process", "sum")
EZT_EVENT(2, "set", "thread", "ten")
EZT_EVENT(3, "var-sub", "process", "ten's result")
EZT_REPLACE("ten", replace_ten, orig_ten)

EZT_ORIG long (*orig_ten)(int a, long b, char c, double d, float e, int f, int g, short h, long i, double j);

EZT_EXPORT long replace_ten(int a, long b, char c, double d, float e, int f, int g, short h, long i, double j)
{
    ezt_event1(1, ezt_double((double)(a + b + c + d + e + f + g + h + i + j)));
    ezt_event0(2);
    long RESULT = orig_ten(a, b, c, d, e, f, g, h, i, j);
    ezt_event1(3, ezt_double((double)(RESULT * SCALE)));
    return RESULT;
}

/* ---- mirror, line 30 ---- */
EZT_EVENT(4, "push", "thread", "x before y")
EZT_EVENT(5, "event", "thread", "x, (y) # no comment")
EZT_EVENT(6, "event", "thread", "no")
EZT_EVENT(7, "push", "thread", "else")
EZT_EVENT(8, "pop", "thread", "")
EZT_EVENT(9, "var-add", "process", "w")
EZT_REPLACE("mirror", replace_mirror, orig_mirror)

EZT_ORIG struct point (*orig_mirror)(struct point p, int arg2);

EZT_EXPORT struct point replace_mirror(struct point p, int arg2)
{
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 0;
    if (p.x > p.y && arg2) {
        ezt_event0(4);
        ezt_open++;
        ezt_event0(5);
    } else {
        if (!arg2) {
            ezt_event0(6);
        }
        ezt_event0(7);
        ezt_open++;
    }
    ezt_open = ezt_open > 1 ? 1 : ezt_open;
    struct point RESULT = orig_mirror(p, arg2);
    ezt_open = 0;
    ezt_event0(8);
    ezt_event1(9, ezt_double((double)(RESULT.w)));
    return RESULT;
}

/* ---- half, line 46 ---- */
EZT_EVENT(10, "push", "thread", "halving")
EZT_EVENT(11, "pop", "thread", "")
EZT_EVENT(12, "var-set", "process", "half")
EZT_REPLACE("half", replace_half, orig_half)

EZT_ORIG long double (*orig_half)(long double x);

EZT_EXPORT long double replace_half(long double x)
{
    ezt_event0(10);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    long double RESULT = orig_half(x);
    ezt_open = 0;
    ezt_event1(12, ezt_double((double)(RESULT)));
    ezt_event0(11);
    return RESULT;
}

/* ---- say, line 53 ---- */
EZT_EVENT(13, "event", "thread", "say")
EZT_EVENT(14, "var-set", "process", "said")
EZT_REPLACE_VARIADIC("say", replace_say, orig_say, "vsay say_valist")

EZT_ORIG int (*orig_say)(const char *format, va_list);

EZT_EXPORT int replace_say(const char *format, ...)
{
    va_list ezt_args;
    va_start(ezt_args, format);
    ezt_event0(13);
    int RESULT = orig_say(format, ezt_args);
    ezt_event1(14, ezt_double((double)(RESULT)));
    va_end(ezt_args);
    return RESULT;
}

/* ---- factorial, line 60 ---- */
EZT_EVENT(15, "push", "thread", "Doing function factorial")
EZT_EVENT(16, "pop", "thread", "")
EZT_REPLACE("factorial", replace_factorial, orig_factorial)

EZT_ORIG unsigned long (*orig_factorial)(unsigned n);

EZT_EXPORT unsigned long replace_factorial(unsigned n)
{
    ezt_event0(15);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    unsigned long RESULT = orig_factorial(n);
    ezt_open = 0;
    ezt_event0(16);
    return RESULT;
}

/* ---- throws, line 62 ---- */
EZT_EVENT(17, "push", "thread", "outer")
EZT_EVENT(18, "push", "thread", "how > 1")
EZT_EVENT(19, "pop", "thread", "")
EZT_EVENT(20, "event", "thread", "came back")
EZT_EVENT(21, "pop", "thread", "")
EZT_REPLACE("throws", replace_throws, orig_throws)

EZT_ORIG void (*orig_throws)(int how);

EZT_EXPORT void replace_throws(int how)
{
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 0;
    int ezt_in_18 = 0;
    ezt_event0(17);
    ezt_open++;
    if (how > 1) {
        ezt_event0(18);
        ezt_in_18 = 1;
        ezt_open++;
    }
    orig_throws(how);
    ezt_open = 0;
    ezt_event0(20);
    ezt_event0(21);
    if (ezt_in_18)
        ezt_event0(19);
}

/* ---- start, line 73 ---- */
EZT_EVENT(22, "push", "thread", "between start and stop")
EZT_REPLACE("start", replace_start, orig_start)

EZT_ORIG void (*orig_start)(void);

EZT_EXPORT void replace_start(void)
{
    ezt_event0(22);
    orig_start();
}

/* ---- stop, line 77 ---- */
EZT_EVENT(23, "pop", "thread", "")
EZT_REPLACE("stop", replace_stop, orig_stop)

EZT_ORIG void (*orig_stop)(void);

EZT_EXPORT void replace_stop(void)
{
    orig_stop();
    ezt_event0(23);
}

/* ---- guarded, line 83 ---- */
EZT_EVENT(24, "push", "thread", "guarded")
EZT_EVENT(25, "pop", "thread", "")
EZT_EVENT(26, "var-set", "process", "helper before")
EZT_EVENT(27, "var-set", "process", "helper behind")
EZT_REPLACE("guarded", replace_guarded, orig_guarded)

EZT_ORIG int (*orig_guarded)(int n);

EZT_EXPORT int replace_guarded(int n)
{
    struct ezt_frame ezt_frame;
    if (!ezt_enter(&ezt_frame)) {
        return orig_guarded(n);
    }
    ezt_event0(24);
    ezt_event1(26, ezt_double((double)(helper(n))));
    ezt_out(&ezt_frame);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    int RESULT = orig_guarded(n);
    ezt_open = 0;
    ezt_in(&ezt_frame);
    ezt_event1(27, ezt_double((double)(helper(RESULT))));
    ezt_event0(25);
    ezt_leave(&ezt_frame);
    return RESULT;
}

/* ---- handler, line 91 ---- */
EZT_EVENT(28, "event", "thread", "the same")
EZT_REPLACE("handler", replace_handler, orig_handler)

EZT_ORIG void (*(*orig_handler)(int sig, void (*act)(int)))(int);

EZT_EXPORT void (*replace_handler(int sig, void (*act)(int)))(int)
{
    void (*RESULT)(int) = orig_handler(sig, act);
    if (RESULT == act) {
        ezt_event0(28);
    }
    return RESULT;
}

/* ---- opaque, line 99 ---- */
EZT_EVENT(29, "push", "thread", "Doing function opaque")
EZT_EVENT(30, "pop", "thread", "")
EZT_REPLACE("opaque", replace_opaque, orig_opaque)

EZT_ORIG void (*orig_opaque)(struct nowhere_defined *a, int (*f)(union unknown *));

EZT_EXPORT void replace_opaque(struct nowhere_defined *a, int (*f)(union unknown *))
{
    ezt_event0(29);
    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 1;
    orig_opaque(a, f);
    ezt_open = 0;
    ezt_event0(30);
}

/* ---- rows, line 101 ---- */
EZT_EVENT(31, "var-set", "process", "corner")
EZT_EVENT(32, "var-set", "process", "letter")
EZT_REPLACE("rows", replace_rows, orig_rows)

EZT_ORIG int *(*orig_rows)(int n, double matrix[n][3], const char *const *names);

EZT_EXPORT int *replace_rows(int n, double matrix[n][3], const char *const *names)
{
    ezt_event1(31, ezt_double((double)(matrix[n - 1][2])));
    ezt_event1(32, ezt_double((double)(names[0][0] == 'a' ? (int)sizeof (struct point) : -1)));
    return orig_rows(n, matrix, names);
}
