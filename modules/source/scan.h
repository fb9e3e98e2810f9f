/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the statements of a Fortran file, in fixed or free form.
 *
 * A statement is its letters without blanks, comments and continuations, in lower case, what is in
 * literals blanked out; each knows where it stands in the file.
 * Tests: tests/source/snippets.sh, tests/fuzz/fuzz_fortran.c */
#ifndef EZ_SCAN_H
#define EZ_SCAN_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_fstmt {
    size_t a, b;               /* its bytes, from the label or the first letter               */
    size_t label, label_n;     /* the label's bytes; label_n = 0: it has none                 */
    unsigned long label_value; /* 0 = it has none                                            */
    bool behind;               /* a ';' before it on its line                                 */
    char *t;                   /* n letters                                                   */
    size_t n;
    EZ_VEC(size_t) at;     /* of each: its byte                                           */
    EZ_VEC(size_t) in_raw; /* of each: its index in `raw`                                 */
    EZ_VEC(char) raw;      /* as it was written, without comments and continuations       */
};

typedef EZ_VEC(struct ez_fstmt) ez_fstmts;

void ez_fscan(const char *text, size_t size, bool fixed, ez_fstmts *out);
void ez_fscan_free(ez_fstmts *v);

/* ---- of a statement's letters ---------------------------------------------------------------------- */

bool ez_fstarts(const char *t, const char *prefix);
/* The index of the ')' that belongs to the '(' at t[i]; SIZE_MAX: none. */
size_t ez_fclose(const char *t, size_t i);
/* Is it an assignment, or one of a pointer? */
bool ez_fassigns(const char *t);
/* Letters of a name at t. */
size_t ez_fname(const char *t);

#endif
