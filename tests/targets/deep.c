/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deep.c - sleeps four functions deep; one of them takes arguments on the stack. Creates the file
 * that its argument names when it has got there. */
#include "target.h"

#include <fcntl.h>

NI long leaf(long x)
{
    OPAQUE;
    pause();
    return x;
}

NI long inner(long x, long a, long b, long c, long d, long e, long f, long g)
{
    return leaf(x + a + b + c + d + e + f) + g;
}

NI long outer(long x)
{
    return inner(x, 1, 2, 3, 4, 5, 6, 7) + 1;
}

int main(int argc, char **argv)
{
    bounded();
    if (argc > 1)
        close(open(argv[1], O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    return (int)outer(argc);
}
