/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.h - writes the C of a module, and remembers which line of the script each part is from.
 *
 * What is written is meant to be read, and to be edited by hand from there on. Names of the script
 * are identifiers, its texts are escaped; comments hold nothing of the script but function names
 * and numbers. So no byte of a script ends a text or a comment of the C.
 * Tests: tests/unit/modules/check_emit.c (compares with golden files), check_module.c (runs it) */
#ifndef EZ_TPL_EMIT_H
#define EZ_TPL_EMIT_H

#include "modules/plugin/script.h"

struct ez_emit_from { /* n characters of the C are from this place of the script */
    unsigned line, col, n;
    size_t at;
};

struct ez_emit {
    const struct ez_script *s;
    EZ_VEC(char) out; /* ends with a zero that is not counted once it is complete */
    unsigned line, col;
    EZ_VEC(struct ez_emit_from) from;
};

/* The C of a script without errors. */
void ez_emit_module(struct ez_emit *e, const struct ez_script *s);
void ez_emit_deinit(struct ez_emit *e);
/* The place of the script that this place of the C is from, or the function's that it belongs to.
 * SIZE_MAX: it is from none. */
size_t ez_emit_origin(const struct ez_emit *e, unsigned line, unsigned col);

/* ---- for the parts: emit.c has them --------------------------------------------------------- */

void ez_emit_text(struct ez_emit *e, const char *fmt, ...) EZ_PRINTF(2, 3);
/* The same, behind `depth` indents. */
void ez_emit_line(struct ez_emit *e, unsigned depth, const char *fmt, ...) EZ_PRINTF(3, 4);
/* A piece of the script without its comments, on one line. `f`: FORTRAN's arguments, which are
 * addresses, become values; NULL: nothing becomes other. */
void ez_emit_piece(struct ez_emit *e, struct ez_piece p, const struct ez_tpl_function *f);
void ez_emit_string(struct ez_emit *e, const char *text); /* as a literal, with its quotes */
void ez_emit_here(struct ez_emit *e, size_t at);          /* what follows is from this place */

/* A function of the script: emit_fn.c */
void ez_emit_function(struct ez_emit *e, const struct ez_tpl_function *f);
/* Would an exception that leaves the original leave states behind? */
bool ez_emit_unwinds(const struct ez_tpl_function *f);

/* Declarations and calls: emit_decl.c */
enum ez_emit_as { EZ_EMIT_REPLACEMENT, EZ_EMIT_ORIGINAL };
void ez_emit_declare(struct ez_emit *e, const struct ez_tpl_function *f, enum ez_emit_as as);
void ez_emit_call(struct ez_emit *e, const struct ez_tpl_function *f);
/* "T RESULT = " */
void ez_emit_result(struct ez_emit *e, const struct ez_tpl_function *f);
/* Is the parameter an address in C, but a value in the script? */
bool ez_emit_by_reference(const struct ez_script *s, const struct ez_tpl_param *p);

#endif
