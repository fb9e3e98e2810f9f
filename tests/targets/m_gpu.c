/* SPDX-License-Identifier: MIT */
/* m_gpu.c - a module whose events mean nothing by themselves: each call of touch() "goes to a
 * device", and m_gpu-interp.c knows what that is. Event 9 nobody knows. */
#include "ezt_probe.h"

EZT_MODULE("m_gpu", 0x22, "work for a device")
EZT_EVENT(3, "event", "thread", "launched")
EZT_REPLACE("touch", my_touch, orig_touch)

EZT_ORIG long (*orig_touch)(char *, int);
EZT_EXPORT long my_touch(char *p, int pages);
EZT_EXPORT long my_touch(char *p, int pages)
{
    ezt_event2(1, (uint64_t)pages, 7);
    ezt_event0(3);
    long r = orig_touch(p, pages);
    ezt_event0(2);
    if (!pages)
        ezt_event0(9);
    return r;
}
