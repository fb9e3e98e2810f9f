/* SPDX-License-Identifier: MIT */
/* keep.h - KEEP: a function that stays one, under its own name and with its own
 * parameters, at any optimization level. */
#ifndef KEEP_H
#define KEEP_H
#if __has_attribute(noipa)
#define KEEP __attribute__((noipa))
#else
#define KEEP __attribute__((noinline))
#endif
#endif
