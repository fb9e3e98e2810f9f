/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - where the lines of a text begin, and which lines of the original they are: a preprocessor says so in
 * lines of its own, `# 12 "file"`, which compilers of Fortran know in any source.
 * Tests: tests/source/command.sh, tests/fuzz/fuzz_fortran.c */
#ifndef EZ_LINES_H
#define EZ_LINES_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_linemark {
    unsigned line;    /* that the next one is                                                */
    const char *file; /* n bytes, with the quotes; n = 0: the file is the one before         */
    size_t n;
};

struct ez_text_line {
    size_t at;
    unsigned number; /* its number in the original; of a mark: that of the next                */
    bool mark, own;  /* own: it is of the file itself, not of one that was included           */
};

typedef EZ_VEC(struct ez_text_line) ez_lines;

/* Is there a mark at the beginning of these bytes? */
bool ez_linemark(const char *text, size_t size, struct ez_linemark *m);
void ez_lines_read(ez_lines *l, const char *text, size_t size, bool marks);
/* Of a byte, from 1. */
void ez_lines_place(const ez_lines *l, size_t at, unsigned *line, unsigned *col);
/* Where its line begins. */
size_t ez_lines_begin(const ez_lines *l, size_t at);
/* Where line `number` of the original begins; of one that the preprocessor took (#include), where it was. SIZE_MAX: the
 * file has not so many. */
size_t ez_lines_find(const ez_lines *l, unsigned number);

#endif
