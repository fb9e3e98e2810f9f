/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srcline.h - source lines: the line of an address, and the addresses of a line (struct ez_line in ezt.h). */
#ifndef EZ_SRCLINE_H
#define EZ_SRCLINE_H

#include "engine/base/err.h"
#include "engine/ezt.h"

struct ez_object;

/* Source position of vaddr; false = unknown. Strings live as long as the object. */
bool ez_srcline_at(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line);
/* Is `wanted`, the last components of a path or all of them, the source file `path`? */
bool ez_source_is(const char *path, const char *wanted);
/* Calls fn for each function that has code of FILE:LINE; if the line has no code, of the next
 * line with code in the same function. EZ_E_NOTFOUND: no such file; EZ_E_ARG: the line is in
 * no function. */
ez_err *ez_srcline_find(struct ez_object *o, const char *file, unsigned line,
                        void (*fn)(const struct ez_line *, void *), void *arg) EZ_WUR;

#endif
