/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longjmps.c - a thousand longjmps out of depth 20 (fault 21). */
#include "target.h"

#include <setjmp.h>

static jmp_buf back;
static unsigned long entered, returned, steady;

NI void leave(void)
{
    OPAQUE;
    longjmp(back, 1);
}

NI int down(int depth)
{
    entered++;
    if (!depth)
        leave();
    int r = depth ? down(depth - 1) : 0;
    OPAQUE;
    returned++;
    return r + 1;
}

NI int level(int x)
{
    OPAQUE;
    return x + 1;
}

NI int once(void)
{
    if (setjmp(back))
        return level(1);
    return down(20);
}

/* The place that a jump out of another function leads to uses an argument on the stack. */
static void *place[5];
NI void jumper(long x)
{
    OPAQUE;
    if (x)
        __builtin_longjmp(place, 1);
}

NI long receiver(long a, long b, long c, long d, long e, long f, long seventh);
NI long receiver(long a, long b, long c, long d, long e, long f, long seventh)
{
    if (__builtin_setjmp(place))
        return seventh;
    jumper(a + b + c + d + e + f);
    return 1;
}

int main(void)
{
    int sum = 0;
    long received = 0;
    bounded();
    for (int i = 0; i < 100; i++)
        received += receiver(i & 1, 0, 0, 0, 0, 0, 1000 + i);
    printf("%ld\n", received);
    for (int i = 0; i < 1000; i++) {
        sum += once();
        steady++;
    }
    printf("%d %lu %lu %lu\n", sum, entered, returned, steady);
    claim("count", "down", entered);
    claim("exits", "down", 0);
    claim("count", "once", steady);
    claim("exits", "once", steady);
    claim("count", "receiver", 100);
    claim("exits", "receiver", 100);
    claim("count", "level", steady);
    claim("exits", "level", steady);
    return 21;
}
