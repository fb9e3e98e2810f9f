/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - where the lines of a text begin, and their numbers in the original. A preprocessor
 * writes these numbers into lines of the form `# 12 "file"` (marks), which Fortran compilers accept
 * in any source.
 * Tests: tests/source/command.sh, tests/fuzz/fuzz_fortran.c */
#ifndef EZ_LINES_H
#define EZ_LINES_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_linemark {
    unsigned line;    /* number of the line that follows */
    const char *file; /* name with its quotes, n bytes; n 0 = the file of the mark before */
    size_t n;
};

struct ez_text_line {
    size_t at;
    unsigned number; /* number in the original; for a mark: number of the next line */
    bool mark, own;  /* mark: the line is a mark; own: it comes from the file itself, not from an
                      * included one */
};

typedef EZ_VEC(struct ez_text_line) ez_lines;

/* Parses a mark at the start of these bytes. Returns false if there is none. */
bool ez_linemark(const char *text, size_t size, struct ez_linemark *m);
void ez_lines_read(ez_lines *l, const char *text, size_t size, bool marks);
/* Finds the line and column of byte `at`; both count from 1. */
void ez_lines_place(const ez_lines *l, size_t at, unsigned *line, unsigned *col);
/* Returns the offset at which the line of byte `at` begins. */
size_t ez_lines_begin(const ez_lines *l, size_t at);
/* Returns the offset of line `number` of the original. If the preprocessor removed that line
 * (#include), returns the offset at which it was. Returns SIZE_MAX if the original has fewer
 * lines. */
size_t ez_lines_find(const ez_lines *l, unsigned number);

#endif
