/* SPDX-License-Identifier: MIT */
/* calls_module.c - replacements for calls.c: one that only calls the original, one that records two
 * events around it, one that records an event of two words. */
#include "ezt_probe.h"

EZT_MODULE("calls_module", 0x31, "for make bench")
EZT_EVENT(1, "push", "thread", "called")
EZT_EVENT(2, "pop", "thread", "")
EZT_EVENT(3, "event", "thread", "words")
EZT_REPLACE("m_none", my_none, orig_none)
EZT_REPLACE("m_two", my_two, orig_two)
EZT_REPLACE("m_words", my_words, orig_words)

EZT_ORIG int (*orig_none)(int);
EZT_ORIG int (*orig_two)(int);
EZT_ORIG int (*orig_words)(int);

EZT_EXPORT int my_none(int x)
{
    return orig_none(x);
}
EZT_EXPORT int my_two(int x)
{
    ezt_event0(1);
    x = orig_two(x);
    ezt_event0(2);
    return x;
}
EZT_EXPORT int my_words(int x)
{
    ezt_event2(3, (uint64_t)x, 7);
    return orig_words(x);
}
