/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_priv.h - what the parser's files share; for them alone. */
#ifndef EZ_EXPR_PRIV_H
#define EZ_EXPR_PRIV_H

#include "engine/data/expr.h"

struct parse { /* where the parser is                                              */
    const char *text, *at;
    struct ez_language by;
    bool item; /* a comma ends it                                               */
    unsigned depth;
    unsigned operators; /* as many as there are: each makes the tree deeper          */
};

struct ez_expr *expr_new(enum ez_expr_kind kind);
/* expr_words.c */
void expr_skip(struct parse *p);
ez_err *expr_wrong(struct parse *p) EZ_WUR; /* a syntax error, here                  */
/* Takes `word` if it is next; a word of letters must end there. */
bool expr_accept(struct parse *p, const char *word);
bool expr_is_word(int c);
/* Is it a word of C's own types ("unsigned")? */
bool expr_is_base(const char *word, size_t n);
char *expr_cut(const char *from, const char *to);
/* Bytes of the name that is next, with its "::" and template arguments; 0 = there is none. */
size_t expr_name_len(struct parse *p);
size_t expr_word_len(const char *s); /* the same without template arguments */
/* A type's name; *out NULL = there is none here, and nothing was taken. */
ez_err *expr_type(struct parse *p, struct ez_type_name **out) EZ_WUR;
bool expr_is_quoted(const struct parse *p);
ez_err *expr_quoted(struct parse *p, struct ez_expr **out) EZ_WUR; /* 'a', L'a', "text", 'a name' */
ez_err *expr_number(struct parse *p, struct ez_expr **out) EZ_WUR;
/* expr.c */
/* Behind an infix operator: its second operand, which `operand` takes at a level. *x, the first one, becomes the whole. */
ez_err *expr_infix(struct parse *p, int op,
                   ez_err *(*operand)(struct parse *p, int level, struct ez_expr **out), int level,
                   struct ez_expr **x) EZ_WUR;
ez_err *expr_operator(struct parse *p) EZ_WUR; /* one more operator; EZ_E_ARG: too many       */
struct ez_expr *expr_with(enum ez_expr_kind kind, int op, struct ez_expr *a, struct ez_expr *b);
ez_err *expr_assign(struct parse *p, struct ez_expr **out) EZ_WUR;
ez_err *expr_unary(struct parse *p, struct ez_expr **out) EZ_WUR;
/* expr_fortran.c */
ez_err *expr_fortran(struct parse *p, struct ez_expr **out) EZ_WUR; /* operators between operands */
ez_err *expr_fortran_arguments(struct parse *p, struct ez_expr *call) EZ_WUR; /* behind "(" */
/* A number, a logical constant or a text; *out NULL = there is none here. */
ez_err *expr_fortran_literal(struct parse *p, struct ez_expr **out) EZ_WUR;
/* "(re, im)" of what stood in the parentheses. */
struct ez_expr *expr_fortran_parenthesis(struct ez_expr *x);
/* A name as the program has it: in small letters, unless only another one exists. */
char *expr_fortran_name(struct parse *p, const char *from, size_t n);
/* "integer", "real*8", "logical(kind=4)" as "logical*4"; NULL = there is no such type here, and nothing was taken. */
char *expr_fortran_type(struct parse *p);
/* expr_rust.c */
ez_err *expr_rust_number(struct parse *p, struct ez_expr **out) EZ_WUR;
/* "*const ", "*mut ", "&" before a type's name: how many; takes them. */
unsigned expr_rust_stars(struct parse *p);
/* Any number of "as TYPE" behind *x. */
ez_err *expr_rust_as(struct parse *p, struct ez_expr **x) EZ_WUR;

#endif
