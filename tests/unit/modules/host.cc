/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.cc - functions of check_module that throw and catch. */
#include "tests/unit/modules/host.h"

static int alive;

struct counted {
    counted()
    {
        alive++;
    }
    ~counted()
    {
        alive--;
    }
};

void host_throws(int how)
{
    if (how % 10)
        throw how;
}

int host_catch(void (*f)(int), int how)
{
    try {
        counted local;
        f(how);
        return 0;
    } catch (int thrown) {
        return alive ? -1 : thrown;
    }
}
