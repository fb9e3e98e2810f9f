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

int main(void)
{
    int sum = 0;
    bounded();
    for (int i = 0; i < 1000; i++) {
        sum += once();
        steady++;
    }
    printf("%d %lu %lu %lu\n", sum, entered, returned, steady);
    claim("count", "down", entered);
    claim("exits", "down", 0);
    claim("count", "once", steady);
    claim("exits", "once", steady);
    claim("count", "level", steady);
    claim("exits", "level", steady);
    return 21;
}
