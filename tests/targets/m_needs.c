/* SPDX-License-Identifier: MIT */
/* m_needs.c - a module that no process can load. */
#include "ezt_probe.h"

EZT_MODULE("m_needs", 0x23, "nothing")
EZT_REPLACE("tick", my_tick, orig_tick)
extern int nobody_has_this;
EZT_ORIG unsigned long (*orig_tick)(unsigned long);
EZT_EXPORT unsigned long my_tick(unsigned long n);
EZT_EXPORT unsigned long my_tick(unsigned long n)
{
    return n + (unsigned long)nobody_has_this;
}
