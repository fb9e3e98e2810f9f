/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the statements of a Fortran file, in fixed or free form.
 *
 * A statement consists of its letters without blanks, comments and continuations, in lower case,
 * with literals blanked out. Each statement has its place in the file.
 * Tests: tests/source/snippets.sh, tests/fuzz/fuzz_fortran.c */
#ifndef EZ_SCAN_H
#define EZ_SCAN_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_fstmt {
    size_t a, b;               /* range in bytes, from the label or the first letter */
    size_t label, label_n;     /* bytes of the label; label_n = 0: none */
    unsigned long label_value; /* 0: none */
    bool behind;               /* a ';' is before it on its line */
    char *t;                   /* n letters */
    size_t n;
    EZ_VEC(size_t) at;     /* offset in the file of each letter */
    EZ_VEC(size_t) in_raw; /* index in `raw` of each letter */
    EZ_VEC(char) raw;      /* as written, without comments and continuations */
};

typedef EZ_VEC(struct ez_fstmt) ez_fstmts;

void ez_fscan(const char *text, size_t size, bool fixed, ez_fstmts *out);
void ez_fscan_free(ez_fstmts *v);

/* ---- of a statement's letters ---------------------------------------------------------------------- */

bool ez_fstarts(const char *t, const char *prefix);
/* Returns the index of the ')' for the '(' at t[i], or SIZE_MAX. */
size_t ez_fclose(const char *t, size_t i);
/* Returns true for an assignment, also of a pointer. */
bool ez_fassigns(const char *t);
/* Returns the length of the name at t. */
size_t ez_fname(const char *t);

#endif
