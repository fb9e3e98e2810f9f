/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.h - expressions in gdb's syntax: C's, with @, $variables, {type} ADDRESS and file::name.
 *
 * One parser serves `print`, `collect`, conditions and aggregates. The tree has no types. Names of
 * variables and types are strings in it, which are looked up when the tree is evaluated
 * (engine/eval) or compiled (gen_name.c). Errors give the position as gdb does: `A syntax error in
 * expression, near "...".`
 *
 * Tests: tests/unit/expr/check_expr.c */
#ifndef EZ_EXPR_H
#define EZ_EXPR_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "engine/dwarf/type.h"

enum ez_expr_kind {
    EZ_X_INT,    /* number, suffix */
    EZ_X_CHAR,   /* number; type: the character's type, if it is not char */
    EZ_X_FLOAT,  /* number in `real` */
    EZ_X_STRING, /* text; type: the type of its characters, if it is not char */
    EZ_X_NAME,   /* text: "a", "ns::a"; `scope`: a file or function before "::" */
    EZ_X_VAR,    /* text: "$rax", "$1", "$" */
    EZ_X_UNARY,  /* op: - + ! ~ * & EZ_OP_REAL EZ_OP_IMAG */
    EZ_X_BINARY, /* op: one character, or EZ_OP2(); ',': the value of the second */
    EZ_X_COND,   /* at[0] ? at[1] : at[2] */
    EZ_X_CAST,   /* (type) at[0]; op: EZ_CAST_* */
    EZ_X_SIZEOF, /* size of at[0], or of the type */
    EZ_X_MEMBER, /* at[0] . text */
    EZ_X_ARROW,  /* at[0] -> text */
    EZ_X_INDEX,  /* at[0] [ at[1] ] */
    EZ_X_CALL,   /* at[0] ( at[1], ... ); in Fortran also an element or a section */
    /* FIRST:LAST:STRIDE in a section; number: a mask of EZ_RANGE_* for the parts in at[] */
    EZ_X_RANGE,
    /* at[0] = at[1]; op: 0, or the operator in "+=". after: the value is the old value, as for
     * x++ */
    EZ_X_ASSIGN,
    EZ_X_REPEAT, /* at[0] @ at[1] */
    EZ_X_MEMORY, /* {type} at[0] */
};

/* Kinds of casts: C's; reinterpret_cast, which never adjusts a pointer to a base or derived class;
 * dynamic_cast, which checks the object. */
enum { EZ_CAST_C, EZ_CAST_BITS, EZ_CAST_DYNAMIC };

/* Which parts of a range are given. */
enum { EZ_RANGE_FIRST = 1, EZ_RANGE_LAST = 2, EZ_RANGE_STRIDE = 4 };

/* Operators of two characters. */
#define EZ_OP2(a, b) ((a) << 8 | (b))
/* Fortran's a**b, and .eqv., .neqv. (.xor.) of logical values. */
#define EZ_OP_POWER EZ_OP2('*', '*')
#define EZ_OP_ALIGNOF EZ_OP2('a', 'l')
#define EZ_OP_INDEX EZ_OP2('[', ']')
#define EZ_OP_ARROW EZ_OP2('-', '>')
#define EZ_OP_EQV EZ_OP2('e', 'q')
#define EZ_OP_NEQV EZ_OP2('n', 'e')
/* Operators of complex numbers: __real__ x, __imag__ x, and the operator that makes a complex
 * number of two real numbers, for literals such as 2i. */
#define EZ_OP_REAL EZ_OP2('r', 'e')
#define EZ_OP_IMAG EZ_OP2('i', 'm')
#define EZ_OP_COMPLEX EZ_OP2('c', 'x')

struct ez_type_name { /* a type in a cast: "struct s *[3]", "char (*)[5]", "int (*)(int)" */
    char *base;       /* "struct s", "unsigned long", "size_t" */
    unsigned stars;
    bool is_reference; /* a reference, after the stars */
    /* a function that returns the preceding type; its parameters are dropped */
    bool is_function;
    EZ_VEC(uint64_t) dim; /* dimensions of an array, outermost first */
    /* stars in parentheses, as in "char (*)[5]": pointers to the array or function */
    unsigned outer;
};

struct ez_expr {
    enum ez_expr_kind kind;
    int op;
    char *text, *scope;
    uint64_t number;
    double real;
    bool is_unsigned, is_long; /* INT: its suffix */
    bool is_decimal;           /* INT: not octal, hexadecimal or binary */
    bool is_float;             /* FLOAT: with the suffix f */
    bool after;                /* ASSIGN */
    bool counts;               /* ASSIGN: written as ++ or -- */
    struct ez_type_name *type;
    EZ_VEC(struct ez_expr *) at;
};

/* The language of an expression, and a callback that says what a name means: the parser must know
 * types, because "(NAME) x" is a cast if NAME is a type, and "NAME<...>" is a name if something has
 * that name. */
struct ez_language {
    enum ez_means (*means)(void *arg, const char *name); /* NULL: only C's types are known */
    void *arg;
    bool is_cxx;
    bool is_fortran; /* expr_fortran.c */
    bool is_rust;    /* `x.0`, `x as T`, 5u8, 1_000 */
};

/* Parses all of `text`. Returns EZ_E_ARG. */
ez_err *ez_expr_parse(const char *text, const struct ez_language *by, struct ez_expr **out) EZ_WUR;
/* Parses one expression up to the first comma or colon outside of parentheses. *end is the position
 * of that character, or of the end of the text. */
ez_err *ez_expr_parse_item(const char *text, const struct ez_language *by, struct ez_expr **out,
                           const char **end) EZ_WUR;
/* Parses only the name of a type ("struct s *"). */
ez_err *ez_type_name_parse(const char *text, const struct ez_language *by,
                           struct ez_type_name **out) EZ_WUR;
void ez_expr_free(struct ez_expr *x);
void ez_type_name_free(struct ez_type_name *t);
/* Returns whether the tree uses this variable ("$ret"). */
bool ez_expr_has_var(const struct ez_expr *x, const char *variable);

#endif
