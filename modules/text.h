/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - the text of a script or a specification, places in it, and messages about them.
 *
 * A place is an offset in bytes. A message belongs to a place. Messages are kept (at most
 * EZ_SRC_ERRORS errors, and as many warnings), so that one run reports several errors, and are
 * written in the order of the places: "FILE:LINE:COL: message", the line, and a caret below the
 * place. Nothing here prints.
 * Tests: tests/unit/modules/check_script.c */
#ifndef EZ_SRC_H
#define EZ_SRC_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

#define EZ_SRC_MOST (1u << 20) /* maximum size of a file, in bytes */
#define EZ_SRC_ERRORS 20       /* maximum number of errors that are reported */

struct ez_piece { /* a part of the text: n bytes from `at` */
    size_t at, n;
};

struct ez_src_note {
    size_t at;
    bool warning;
    char *text;
};

struct ez_src {
    char *name; /* name of the file, as the user gave it */
    char *text; /* n bytes, then a zero */
    size_t n;
    EZ_VEC(struct ez_src_note) notes;
    unsigned errors, warnings;
};

/* Copies `text`. Skips a byte order mark at its beginning. */
void ez_src_init(struct ez_src *t, const char *name, const char *text, size_t n);
void ez_src_deinit(struct ez_src *t);
/* Loads a file of at most 1 MiB. If it returns an error (EZ_E_NOTFOUND, EZ_E_ARG, EZ_E_LIMIT,
 * EZ_E_SYS), *t is unchanged. */
ez_err *ez_src_load(struct ez_src *t, const char *path) EZ_WUR;

void ez_src_error(struct ez_src *t, size_t at, const char *fmt, ...) EZ_PRINTF(3, 4);
void ez_src_warn(struct ez_src *t, size_t at, const char *fmt, ...) EZ_PRINTF(3, 4);
/* Find the line and column of the byte at offset `at`; both count from 1, the column in bytes. */
void ez_src_place(const struct ez_src *t, size_t at, unsigned *line, unsigned *col);
unsigned ez_src_line(const struct ez_src *t, size_t at);
/* Returns the offset of the line feed that ends the line of byte `at`. */
size_t ez_src_line_end(const struct ez_src *t, size_t at);
/* Returns all messages. The caller frees the text. */
char *ez_src_said(const struct ez_src *t);

char *ez_piece_copy(const struct ez_src *t, struct ez_piece p); /* The caller frees the copy. */
bool ez_piece_is(const struct ez_src *t, struct ez_piece p, const char *word);

#endif
