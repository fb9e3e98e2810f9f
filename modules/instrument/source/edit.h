/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.h - edits of a text at byte offsets, and the edited text.
 *
 * Text around a piece is inserted as a pair. Outer pairs are inserted before inner ones, so that
 * pairs with a common begin or end are nested. Inserted text may have several lines. `#line`
 * directives give all of them the line of the place, and the original continues after them in its
 * own line and column.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_EDIT_H
#define EZ_EDIT_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_edit {
    size_t at, gone; /* at: offset of the edit; gone: number of bytes that it removes */
    long order;      /* order of edits at one offset: ends of inner pairs, ends of outer pairs, then
                      * begins */
    char *text;
};

struct ez_edit_kept { /* a part of the result that comes from the original */
    size_t from, to;
};

struct ez_edits {
    EZ_VEC(struct ez_edit) v;
    EZ_VEC(struct ez_edit_kept) kept;
    long pairs;
    bool
        /* Lines are given by `# 12 "file"`, which Fortran compilers understand, and the text may
         * contain such lines itself. */
        fortran;
};

/* These two functions insert a pair of texts around all pairs that are added later, although its
 * texts are known only after them. ez_edit_reserve() returns the pair's place in the order.
 * ez_edit_reserved() inserts the pair. */
long ez_edit_reserve(struct ez_edits *e);
void ez_edit_reserved(struct ez_edits *e, long order, size_t a, char *before, size_t b,
                      char *after);
/* Inserts `before` at offset a and `after` at offset b, a <= b. Owns both texts; NULL = inserts
 * nothing. */
void ez_edit_around(struct ez_edits *e, size_t a, char *before, size_t b, char *after);
/* Like ez_edit_around(), but also removes the bytes [a, a + n) and [b, b + m). */
void ez_edit_replace(struct ez_edits *e, size_t a, size_t n, char *before, size_t b, size_t m,
                     char *after);
/* Drops the edits with indexes from `from` on. */
void ez_edit_undo(struct ez_edits *e, size_t from);
/* Returns the text with all edits applied; `file` is its name in #line. *n: its length. The caller
 * frees it. */
char *ez_edit_apply(struct ez_edits *e, const char *text, size_t size, const char *file, size_t *n);
/* Returns the file name as a C string with quotes, for #line. The caller frees it. */
char *ez_edit_quote(const char *file);
/* Returns true if byte `at` of the edited text was inserted. */
bool ez_edit_is_ours(const struct ez_edits *e, size_t at);
/* Returns the offset in the original of byte `at` of the edited text; if it was inserted, of the
 * byte before the insertion. */
size_t ez_edit_near(const struct ez_edits *e, size_t at);
void ez_edit_free(struct ez_edits *e);

#endif
