/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the statements of a Fortran file, in fixed or free form.
 *
 * The letters of a statement are its text in lower case, without blanks, comments and
 * continuations, and with the contents of literals masked. The offset of each letter in the file is
 * kept.
 * Tests: tests/source/snippets.sh, tests/fuzz/fuzz_fortran.c */
#ifndef EZ_SCAN_H
#define EZ_SCAN_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_fstmt {
    size_t a, b;               /* offsets in the file: from the label or the first letter to the
                                * end */
    size_t label, label_n;     /* offset and length of the label; label_n 0 = no label */
    unsigned long label_value; /* the label as a number; 0 = none */
    bool behind;               /* the statement follows another statement and a ';' on the line */
    char *t;                   /* n letters of the text */
    size_t n;
    EZ_VEC(size_t) at;     /* offset in the file of each letter */
    EZ_VEC(size_t) in_raw; /* index in `raw` of each letter */
    EZ_VEC(char) raw;      /* the statement as written, but without comments and continuations */
};

typedef EZ_VEC(struct ez_fstmt) ez_fstmts;

void ez_fscan(const char *text, size_t size, bool fixed, ez_fstmts *out);
void ez_fscan_free(ez_fstmts *v);

/* ---- functions about the letters of a statement ---------------------------------------------- */

bool ez_fstarts(const char *t, const char *prefix);
/* Returns the index of the ')' for the '(' at t[i], or SIZE_MAX. */
size_t ez_fclose(const char *t, size_t i);
/* Returns true for an assignment, also of a pointer. */
bool ez_fassigns(const char *t);
/* Returns the length of the name at t. */
size_t ez_fname(const char *t);

#endif
