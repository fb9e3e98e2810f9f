/* SPDX-License-Identifier: MIT */
/* m_guard.c - a module whose replacement calls what it replaces. */
#include <dlfcn.h>
#include <stddef.h>

#include "ezt_probe.h"

EZT_MODULE("m_guard", 0x22, "calls itself")
EZT_EVENT(1, "push", "thread", "Counting")
EZT_EVENT(2, "pop", "thread", "")
EZT_REPLACE("tick", my_tick, orig_tick)

EZT_ORIG unsigned long (*orig_tick)(unsigned long);
EZT_EXPORT unsigned long my_tick(unsigned long n);
EZT_EXPORT unsigned long my_tick(unsigned long n)
{
    static unsigned long (*volatile itself)(unsigned long);
    struct ezt_frame f;
    if (!ezt_enter(&f))
        return orig_tick(n);
    if (!itself) /* the program exports it */
        itself = (unsigned long (*)(unsigned long))dlsym(NULL, "tick");
    ezt_event0(1);
    ezt_out(&f);
    unsigned long r = orig_tick(n);
    ezt_in(&f);
    if (itself(n) != r)
        r = 0;
    ezt_event0(2);
    ezt_leave(&f);
    return r;
}
