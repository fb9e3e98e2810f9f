/* SPDX-License-Identifier: MIT */
/* m_count.c - a module that counts tick() of p_module. */
#include "ezt_probe.h"

EZT_MODULE("m_count", 0x21, "counts ticks")
EZT_EVENT(1, "push", "thread", "Counting")
EZT_EVENT(2, "pop", "thread", "")
EZT_EVENT(3, "event", "thread", "counted")
EZT_REPLACE("tick", my_tick, orig_tick)

EZT_ORIG unsigned long (*orig_tick)(unsigned long);
EZT_EXPORT unsigned long my_tick(unsigned long n);
EZT_EXPORT unsigned long my_tick(unsigned long n)
{
    ezt_event0(1);
    unsigned long r = orig_tick(n);
    ezt_event0(2);
    ezt_event2(3, n, r);
    return r;
}
