/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.h - changes of a text at byte offsets, and the text with them.
 *
 * What is around a piece of text is put there as a pair, outer pairs before inner ones, so that a pair
 * that begins or ends where another does encloses it or is enclosed. What is put in may have several
 * lines: each belongs to the line of the place, which `#line` says, and behind them the original goes on
 * in its own line and column.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_EDIT_H
#define EZ_EDIT_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_edit {
    size_t at, gone; /* so many bytes are left out                                           */
    long order;      /* at one offset: ends of inner pairs, of outer ones, then beginnings   */
    char *text;
};

struct ez_edit_kept { /* bytes of the result that are the original's                        */
    size_t from, to;
};

struct ez_edits {
    EZ_VEC(struct ez_edit) v;
    EZ_VEC(struct ez_edit_kept) kept;
    long pairs;
    bool
        fortran; /* lines are told by `# 12 "file"`, as its compilers know them, and the text may have
                   * such lines of its own                                                   */
};

/* A place in the order for a pair that is around all that come later, and that pair. */
long ez_edit_reserve(struct ez_edits *e);
void ez_edit_reserved(struct ez_edits *e, long order, size_t a, char *before, size_t b,
                      char *after);
/* Puts `before` at a and `after` at b, a <= b. Both are taken; NULL = nothing. */
void ez_edit_around(struct ez_edits *e, size_t a, char *before, size_t b, char *after);
/* The same, where the bytes [a, a + n) and [b, b + m) are left out. */
void ez_edit_replace(struct ez_edits *e, size_t a, size_t n, char *before, size_t b, size_t m,
                     char *after);
/* Takes back the changes from v.at[from] on. */
void ez_edit_undo(struct ez_edits *e, size_t from);
/* The text with the changes, whose lines are those of `file`. The caller frees it; *n = its bytes. */
char *ez_edit_apply(struct ez_edits *e, const char *text, size_t size, const char *file, size_t *n);
/* The name as a text of C, for #line. The caller frees it. */
char *ez_edit_quote(const char *file);
/* Is the byte of what ez_edit_apply gave one that was put in? */
bool ez_edit_is_ours(const struct ez_edits *e, size_t at);
/* That byte, or else the one of the original behind which it was put in. */
size_t ez_edit_near(const struct ez_edits *e, size_t at);
void ez_edit_free(struct ez_edits *e);

#endif
