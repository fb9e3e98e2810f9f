/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.h - writes the C of a module, and remembers from which line of the script each part comes.
 *
 * The C is meant to be read, and to be edited by hand. Names of the script are valid identifiers,
 * and its texts are escaped. Comments contain only function names and numbers of the script. So no
 * byte of a script can end a text or a comment of the C.
 * Tests: tests/unit/modules/check_emit.c (compares with golden files),
 * tests/unit/modules/check_module.c (runs it) */
#ifndef EZ_TPL_EMIT_H
#define EZ_TPL_EMIT_H

#include "modules/compiler/script.h"

/* n characters of the C, from `line` and `col` on, come from byte `at` of the script */
struct ez_emit_from {
    unsigned line, col, n;
    size_t at;
};

struct ez_emit {
    const struct ez_script *s;
    EZ_VEC(char) out; /* the C; once complete, a zero byte that does not count follows */
    unsigned line, col;
    EZ_VEC(struct ez_emit_from) from;
};

/* Writes the C of a script. The script must have no errors. */
void ez_emit_module(struct ez_emit *e, const struct ez_script *s);
void ez_emit_deinit(struct ez_emit *e);
/* Returns the offset in the script from which the C at this line and column comes; if it comes from
 * no place, that of the function; SIZE_MAX if there is no function. */
size_t ez_emit_origin(const struct ez_emit *e, unsigned line, unsigned col);

/* ---- for the other emit_ files; defined in emit.c ------------------------------------------- */

void ez_emit_text(struct ez_emit *e, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Writes the text after `depth` indents. */
void ez_emit_line(struct ez_emit *e, unsigned depth, const char *fmt, ...) EZ_PRINTF(3, 4);
/* Writes a piece of the script on one line, without its comments. f: in FORTRAN, arguments of this
 * function are addresses, so their names are replaced by the values; NULL = not replaced. */
void ez_emit_piece(struct ez_emit *e, struct ez_piece p, const struct ez_tpl_function *f);
/* Writes a string literal with its quotes. */
void ez_emit_string(struct ez_emit *e, const char *text);
/* Notes that the text written from now on comes from this place of the script. */
void ez_emit_here(struct ez_emit *e, size_t at);

/* emit_fn.c: writes a function of the script. */
void ez_emit_function(struct ez_emit *e, const struct ez_tpl_function *f);
/* Returns true if an exception that leaves the original would leave states open. */
bool ez_emit_unwinds(const struct ez_tpl_function *f);

/* emit_decl.c: write declarations and calls. */
enum ez_emit_as { EZ_EMIT_REPLACEMENT, EZ_EMIT_ORIGINAL };
void ez_emit_declare(struct ez_emit *e, const struct ez_tpl_function *f, enum ez_emit_as as);
void ez_emit_call(struct ez_emit *e, const struct ez_tpl_function *f);
/* Writes "T RESULT = ", for the result of the original. */
void ez_emit_result(struct ez_emit *e, const struct ez_tpl_function *f);
/* Returns true if the parameter is an address in C, but the script means the value at that address
 * (FORTRAN). */
bool ez_emit_by_reference(const struct ez_script *s, const struct ez_tpl_param *p);

#endif
