/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - the beginnings of a text's lines, and their line numbers in the original. A
 * preprocessor gives these in lines of its own, `# 12 "file"`, which Fortran compilers accept in
 * any source.
 * Tests: tests/source/command.sh, tests/fuzz/fuzz_fortran.c */
#ifndef EZ_LINES_H
#define EZ_LINES_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_linemark {
    unsigned line;    /* number of the next line */
    const char *file; /* n bytes, with the quotes; n = 0: the same file as before */
    size_t n;
};

struct ez_text_line {
    size_t at;
    unsigned number; /* number in the original; for a mark: number of the next line */
    bool mark, own;  /* own: the line is of the file itself, not of an included one */
};

typedef EZ_VEC(struct ez_text_line) ez_lines;

/* Returns true if a mark is at the beginning of these bytes. */
bool ez_linemark(const char *text, size_t size, struct ez_linemark *m);
void ez_lines_read(ez_lines *l, const char *text, size_t size, bool marks);
/* Finds a byte's line and column, from 1. */
void ez_lines_place(const ez_lines *l, size_t at, unsigned *line, unsigned *col);
/* Returns the beginning of the byte's line. */
size_t ez_lines_begin(const ez_lines *l, size_t at);
/* Returns the beginning of line `number` of the original; for a line that the preprocessor removed
 * (#include), its place. SIZE_MAX: the file has fewer lines. */
size_t ez_lines_find(const ez_lines *l, unsigned number);

#endif
