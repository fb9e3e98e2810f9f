/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_priv.h - shared by the files of the parser (expr*.c). */
#ifndef EZ_EXPR_PRIV_H
#define EZ_EXPR_PRIV_H

#include "engine/expr/expr.h"

struct parse { /* state of the parser */
    const char *text, *at;
    struct ez_language by;
    bool item; /* the expression ends at a comma */
    unsigned depth;
    unsigned operators; /* number of operators so far; each makes the tree deeper */
};

/* expr_tree.c */
struct ez_expr *expr_new(enum ez_expr_kind kind);
struct ez_expr *expr_with(enum ez_expr_kind kind, int op, struct ez_expr *a, struct ez_expr *b);
/* expr_words.c */
void expr_skip(struct parse *p);
ez_err *expr_wrong(struct parse *p) EZ_WUR; /* returns a syntax error with the parser's position */
/* Skips blanks, and consumes `word` if it is next. If `word` begins with a letter, it is not
 * consumed if a letter, a digit or "_" follows. Returns whether it was consumed. */
bool expr_accept(struct parse *p, const char *word);
bool expr_is_word(int c);
/* Returns whether the word is one of C's type words ("unsigned"). */
bool expr_is_base(const char *word, size_t n);
char *expr_cut(const char *from, const char *to);
/* Returns the length in bytes of the next name, with its "::" and template arguments; 0 if there is
 * none. */
size_t expr_name_len(struct parse *p);
/* Returns the length of the next name without template arguments; 0 if no name follows. */
size_t expr_word_len(const char *s);
/* Parses a type's name. Sets *out to NULL and consumes nothing if there is none. */
ez_err *expr_type(struct parse *p, struct ez_type_name **out) EZ_WUR;
bool expr_is_quoted(const struct parse *p);
ez_err *expr_quoted(struct parse *p, struct ez_expr **out) EZ_WUR; /* 'a', L'a', "text", 'a name' */
ez_err *expr_number(struct parse *p, struct ez_expr **out) EZ_WUR;
/* expr.c */
/* Parses the second operand of an infix operator by the function `operand`, which gets `level`. *x,
 * the first operand, becomes the whole expression. */
ez_err *expr_infix(struct parse *p, int op,
                   ez_err *(*operand)(struct parse *p, int level, struct ez_expr **out), int level,
                   struct ez_expr **x) EZ_WUR;
/* counts one more operator; returns EZ_E_ARG if there are too many */
ez_err *expr_operator(struct parse *p) EZ_WUR;
ez_err *expr_assign(struct parse *p, struct ez_expr **out) EZ_WUR;
ez_err *expr_unary(struct parse *p, struct ez_expr **out) EZ_WUR;
/* expr_fortran.c */
/* Parses a Fortran expression. */
ez_err *expr_fortran(struct parse *p, struct ez_expr **out) EZ_WUR;
ez_err *expr_fortran_arguments(struct parse *p, struct ez_expr *call) EZ_WUR; /* after "(" */
/* Returns the complex number (re, im) for two expressions in parentheses; for a single one, the
 * expression itself. */
struct ez_expr *expr_fortran_parenthesis(struct ez_expr *x);
/* expr_fortran_words.c */
/* Skips blanks, and consumes `word` if it is next, in upper or lower case, whatever character
 * follows. Returns whether `word` was consumed. */
bool expr_fortran_accept(struct parse *p, const char *word);
/* Parses a number, a logical constant or a string. Leaves *out unchanged if there is none. */
ez_err *expr_fortran_literal(struct parse *p, struct ez_expr **out) EZ_WUR;
/* Returns a name as the program's symbols have it: in lower case, unless only the typed spelling
 * exists. */
char *expr_fortran_name(struct parse *p, const char *from, size_t n);
/* Parses a Fortran type. Returns it with its kind: "integer*4" for "integer", "logical*4" for
 * "logical(kind=4)"; the name of a derived type. Returns NULL and consumes nothing if there is no
 * type. */
char *expr_fortran_type(struct parse *p);
/* expr_rust.c */
ez_err *expr_rust_number(struct parse *p, struct ez_expr **out) EZ_WUR;
/* Consumes "*const ", "*mut ", "&" and "&mut " before a type's name. Returns their number. */
unsigned expr_rust_stars(struct parse *p);
/* Parses any number of "as TYPE" after *x. */
ez_err *expr_rust_as(struct parse *p, struct ez_expr **x) EZ_WUR;

#endif
