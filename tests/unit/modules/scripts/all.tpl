# Every command, and prototypes of all kinds: run by check_module.c.
BEGIN_MODULE
NAME all
DESC "all \"there\" is: */ ??/ %n $(true) \\ é"
LANGUAGE C
ID 0x7f
BEGIN_CFLAGS
-DSCALE=2
END_CFLAGS
BEGIN_INCLUDE
#include <stddef.h>
#include <stdio.h>
struct point { long x, y, z; double w; };
int helper(int);
END_INCLUDE
BEGIN_LDFLAGS
-Wl,--build-id
END_LDFLAGS

/* ten arguments: some are on the stack */
long ten(int a, long b, char c, double d, float e, int f, int g, short h, long i,
         double j)
BEGIN
    SET_VAR("sum", a + b + c + d + e + f + g + h + i + j)
    SET_STATE("ten")
    CALL_FUNC
    SUB_VAR("ten's result", RESULT * SCALE)
END

struct point mirror(struct point p, int)
BEGIN
    IF (p.x > p.y && arg2)
        PUSH_STATE("x before y")
        EVENT("x, (y) # no comment")
    ELSE
        IF (!arg2)
            EVENT("no")
        END_IF
        PUSH_STATE("else")
    END_IF
    CALL_FUNC
    POP_STATE()
    ADD_VAR("w", RESULT.w)
END

long double half(long double x)
BEGIN
    RECORD_STATE("halving")
    CALL_FUNC
    SET_VAR("half", RESULT) # a comment
END

extern int say(const char *format, ...) __attribute__((format(printf, 1, 2)));
BEGIN
    EVENT("say")
    CALL_FUNC
    SET_VAR("said", RESULT)
END

unsigned long factorial(unsigned n)

void throws(int how)
BEGIN
    PUSH_STATE("outer")
    IF (how > 1)
        RECORD_STATE("how > 1")
    END_IF
    CALL_FUNC
    EVENT("came back")
    POP_STATE
END

void start(void)
BEGIN
    PUSH_STATE("between start and stop")
END
void stop(void)
BEGIN
    CALL_FUNC
    POP_STATE()
END

int guarded(int n)
BEGIN
    RECORD_STATE("guarded")
    SET_VAR("helper before", helper(n))
    CALL_FUNC
    SET_VAR("helper behind", helper(RESULT))
END

void (*handler(int sig, void (*act)(int)))(int)
BEGIN
    CALL_FUNC
    IF (RESULT == act)
        EVENT("the same")
    END_IF
END

void opaque(struct nowhere_defined *a, int (*f)(union unknown *))

int *rows(int n, double matrix[n][3], const char *const *names)
BEGIN
    SET_VAR("corner", matrix[n - 1][2])
    SET_VAR("letter", names[0][0] == 'a' ? (int)sizeof (struct point) : -1)
END
END_MODULE
