/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srcline.h - the source line of an address, and the addresses of a line (struct ez_line in
 * ezt.h). */
#ifndef EZ_SRCLINE_H
#define EZ_SRCLINE_H

#include "engine/base/err.h"
#include "engine/ezt.h"

struct ez_object;

/* Finds the source position of vaddr. Returns false if unknown. The file name lives as long as the
 * object. */
bool ez_srcline_at(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line);
/* Finds the source file of the function that begins at vaddr, and its first and last line; *end is 0
 * if the last line is unknown. Returns false if the file is unknown. */
bool ez_srcline_function(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line,
                         unsigned *end);
/* Calls fn for each function with code of FILE:LINE, or, if the line has none, with code of the
 * next line in the same function. Returns EZ_E_NOTFOUND if there is no such file, or EZ_E_ARG if
 * the line is in no function. */
ez_err *ez_srcline_find(struct ez_object *o, const char *file, unsigned line,
                        void (*fn)(const struct ez_line *, void *), void *arg) EZ_WUR;

#endif
