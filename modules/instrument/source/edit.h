/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.h - changes of a text at byte offsets, and the changed text.
 *
 * Text around a piece is inserted as a pair, outer pairs before inner ones, so that pairs with a
 * common beginning or end are nested. Inserted text may have several lines. All of them belong to
 * the line of the place, which `#line` says, and the original continues after them in its own line
 * and column.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_EDIT_H
#define EZ_EDIT_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_edit {
    size_t at, gone; /* gone: number of bytes removed */
    long order;      /* at one offset: ends of inner pairs, ends of outer ones, then beginnings */
    char *text;
};

struct ez_edit_kept { /* bytes of the result that are the original's */
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

/* ez_edit_reserve() returns a place in the order for a pair around all later ones.
 * ez_edit_reserved() inserts that pair. */
long ez_edit_reserve(struct ez_edits *e);
void ez_edit_reserved(struct ez_edits *e, long order, size_t a, char *before, size_t b,
                      char *after);
/* Inserts `before` at a and `after` at b, a <= b. Takes both texts over; NULL: nothing. */
void ez_edit_around(struct ez_edits *e, size_t a, char *before, size_t b, char *after);
/* Does the same, and removes the bytes [a, a + n) and [b, b + m). */
void ez_edit_replace(struct ez_edits *e, size_t a, size_t n, char *before, size_t b, size_t m,
                     char *after);
/* Undoes the changes from v.at[from] on. */
void ez_edit_undo(struct ez_edits *e, size_t from);
/* Returns the text with the changes; `file` names its lines. The caller frees it. *n: its
 * length. */
char *ez_edit_apply(struct ez_edits *e, const char *text, size_t size, const char *file, size_t *n);
/* Returns the name as a C string, for #line. The caller frees it. */
char *ez_edit_quote(const char *file);
/* Returns true if the byte of ez_edit_apply()'s result was inserted. */
bool ez_edit_is_ours(const struct ez_edits *e, size_t at);
/* Returns that byte's offset in the original, or that of the byte after which it was inserted. */
size_t ez_edit_near(const struct ez_edits *e, size_t at);
void ez_edit_free(struct ez_edits *e);

#endif
