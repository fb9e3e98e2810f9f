/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.h - expressions as gdb reads them: C's, with @, $variables, {type} ADDRESS and file::name.
 *
 * One parser serves `print`, `collect`, conditions and aggregates. The tree knows no types: names
 * and types are words, which are looked up when it is evaluated (eval.c) or compiled (compile.c).
 *
 * Errors name the place: `A syntax error in expression, near "...".`, as gdb says.
 * Tests: tests/unit/engine/check_expr.c */
#ifndef EZ_EXPR_H
#define EZ_EXPR_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

enum ez_expr_kind {
    EZ_X_INT,    /* number, suffix                                                  */
    EZ_X_CHAR,   /* number; type: its own, if it is not char                        */
    EZ_X_FLOAT,  /* real                                                            */
    EZ_X_STRING, /* text; type: of its characters, if it is not char                */
    EZ_X_NAME,   /* text: "a", "ns::a"; file or function before "::" in `scope`       */
    EZ_X_VAR,    /* text: "$rax", "$1", "$"                                          */
    EZ_X_UNARY,  /* op: - + ! ~ * &  p: ++x; EZ_OP_REAL, EZ_OP_IMAG                    */
    EZ_X_BINARY, /* op: one character, or EZ_OP2(); ',': the second one's value      */
    EZ_X_COND,   /* at[0] ? at[1] : at[2]                                            */
    EZ_X_CAST,   /* (type) at[0]; op: EZ_CAST_*                                      */
    EZ_X_SIZEOF, /* of at[0], or of type                                             */
    EZ_X_MEMBER, /* at[0] . text                                                     */
    EZ_X_ARROW,  /* at[0] -> text                                                    */
    EZ_X_INDEX,  /* at[0] [ at[1] ]                                                  */
    EZ_X_CALL,   /* at[0] ( at[1], ... ); of Fortran also an element, a section          */
    EZ_X_RANGE,  /* of a section, FIRST:LAST:STRIDE; number: which of them at[] has, EZ_RANGE_* */
    EZ_X_ASSIGN, /* at[0] = at[1]; op: 0, or of +=; after: what was there is the value, as of x++ */
    EZ_X_REPEAT, /* at[0] @ at[1]                                                    */
    EZ_X_MEMORY, /* {type} at[0]                                                     */
};

/* Casts: C's; reinterpret_cast, which moves no pointer to a base or derived class; dynamic_cast, which asks the object. */
enum { EZ_CAST_C, EZ_CAST_BITS, EZ_CAST_DYNAMIC };

/* What of a range is written. */
enum { EZ_RANGE_FIRST = 1, EZ_RANGE_LAST = 2, EZ_RANGE_STRIDE = 4 };

/* Operators of two characters. */
#define EZ_OP2(a, b) ((a) << 8 | (b))
/* Fortran's: a**b, and of truths .eqv., .neqv. (.xor.). */
#define EZ_OP_POWER EZ_OP2('*', '*')
#define EZ_OP_ALIGNOF EZ_OP2('a', 'l')
#define EZ_OP_INDEX EZ_OP2('[', ']')
#define EZ_OP_ARROW EZ_OP2('-', '>')
#define EZ_OP_EQV EZ_OP2('e', 'q')
#define EZ_OP_NEQV EZ_OP2('n', 'e')
/* Of complex numbers: __real__ x, __imag__ x; and one of two real ones, as 2i is. */
#define EZ_OP_REAL EZ_OP2('r', 'e')
#define EZ_OP_IMAG EZ_OP2('i', 'm')
#define EZ_OP_COMPLEX EZ_OP2('c', 'x')

struct ez_type_name { /* as in a cast: "struct s *[3]", "char (*)[5]", "int (*)(int)"  */
    char *base;       /* "struct s", "unsigned long", "size_t"                        */
    unsigned stars;
    bool is_reference;    /* behind the stars                                          */
    bool is_function;     /* of what stands before; its parameters are not kept         */
    EZ_VEC(uint64_t) dim; /* outermost first                                          */
    unsigned outer;       /* stars in parentheses: pointers to all this                */
};

struct ez_expr {
    enum ez_expr_kind kind;
    int op;
    char *text, *scope;
    uint64_t number;
    double real;
    bool is_unsigned, is_long; /* INT: its suffix                                      */
    bool is_decimal;           /* INT: not octal, hexadecimal or binary                */
    bool is_float;             /* FLOAT: with the suffix f                             */
    bool after;                /* ASSIGN                                               */
    bool counts;               /* ASSIGN: it was ++ or --                                         */
    struct ez_type_name *type;
    EZ_VEC(struct ez_expr *) at;
};

/* What the words of an expression mean where it is written. A parenthesis around a type's name is a cast, and what
 * stands between "<" and ">" behind a name is a part of it if there is something of that name. */
enum ez_means { EZ_MEANS_NOTHING, EZ_MEANS_VALUE, EZ_MEANS_TYPE };
struct ez_language {
    enum ez_means (*means)(void *arg, const char *name); /* NULL: C's types alone     */
    void *arg;
    bool is_cxx;
    bool is_fortran; /* expr_fortran.c                                                    */
    bool is_rust;    /* `x.0`, `x as T`, 5u8, 1_000                                      */
};

/* Parses all of `text`. EZ_E_ARG. */
ez_err *ez_expr_parse(const char *text, const struct ez_language *by, struct ez_expr **out) EZ_WUR;
/* Parses one expression and stops at the first comma outside of parentheses; *end = what follows. */
ez_err *ez_expr_parse_item(const char *text, const struct ez_language *by, struct ez_expr **out,
                           const char **end) EZ_WUR;
/* A type's name alone ("struct s *"). */
ez_err *ez_type_name_parse(const char *text, const struct ez_language *by,
                           struct ez_type_name **out) EZ_WUR;
void ez_expr_free(struct ez_expr *x);
void ez_type_name_free(struct ez_type_name *t);
/* Does the tree use this variable ("$ret")? */
bool ez_expr_has_var(const struct ez_expr *x, const char *variable);

#endif
