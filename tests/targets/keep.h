/* SPDX-License-Identifier: MIT */
/* keep.h - KEEP marks a function that the compiler must neither inline, clone nor change, at any
 * optimization level. */
#ifndef KEEP_H
#define KEEP_H
#if __has_attribute(noipa)
#define KEEP __attribute__((noipa))
#else
#define KEEP __attribute__((noinline))
#endif
#endif
