/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen.h - makes the runtime's code of expressions; shared by gen.c, collect.c, compile.c. */
#ifndef EZ_GEN_H
#define EZ_GEN_H

#include <float.h>
#include <string.h>

#include "engine/data/clause.h"
#include "engine/data/expr.h"

/* A value whose code is made, or not made yet. */
enum gen_kind {
    GEN_VALUE,   /* on the machine's stack: a word (a double's bits if it is a float)    */
    GEN_ADDRESS, /* its address is on the stack                                         */
    GEN_PLACE,   /* not on the stack yet: `offset` bytes in what is at `where`           */
};
struct gen_operand {
    enum gen_kind kind;
    const struct ez_type *type;
    struct ez_where where;
    uint64_t offset;
    unsigned bit, bits; /* of a bit-field; bits 0 = none                            */
};

struct gen {
    struct ez_clause_code *code;
    const struct ez_scope *scope;
    bool at_exit;
    bool types;              /* only the type is wanted; the code does not run                    */
    unsigned again;          /* operands that were made more than one time (gen_fortran.c)    */
    unsigned depth, deepest; /* words on the machine's stack                         */
    const struct ez_expr *referred; /* the last operator of a class that gave a reference, */
    const struct ez_type *by;       /* and that reference                                  */
    /* at the exit: what the entry has to save */
    EZ_VEC(struct gen_saved {
        struct ez_where where;
        unsigned word; /* of that place: 0 = its first 8 bytes                      */
    })
    saved;
};

/* ---- types ---- */
static inline bool gen_is_float(const struct ez_type *t)
{
    return ez_type_strip(t)->kind == EZ_TY_FLOAT;
}

/* In a format that neither the machine nor C's own types have: a half, IEEE's of 16 bytes beside x87's. */
static inline bool gen_is_strange_float(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return t->kind == EZ_TY_FLOAT && (t->size == 2 || (sizeof(long double) == 16 &&
                                                       LDBL_MANT_DIG == 64 && ez_type_is_quad(t)));
}

static inline bool gen_is_signed(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return t->is_signed && t->kind != EZ_TY_POINTER;
}

static inline bool gen_is_pointer(const struct ez_type *t)
{
    enum ez_type_kind k = ez_type_strip(t)->kind;
    return k == EZ_TY_POINTER || (k == EZ_TY_ARRAY && !ez_type_strip(t)->is_vector);
}

/* gen.c */
ez_err *gen_no(const char *what, const struct ez_type *t) EZ_WUR; /* "... is not possible" */
void gen_op(struct gen *g, enum ez_opcode op, unsigned a, unsigned b, int64_t imm);
void gen_const(struct gen *g, uint64_t v);
/* Put the operand's value on the stack: a scalar of 8 bytes at most. */
ez_err *gen_load(struct gen *g, struct gen_operand *o) EZ_WUR;
/* Put its address on the stack. EZ_E_ARG: it is in a register. */
ez_err *gen_address(struct gen *g, struct gen_operand *o) EZ_WUR;
/* Put word number i (8 bytes) of what is in registers or constant on the stack. */
ez_err *gen_word(struct gen *g, const struct ez_where *w, unsigned i) EZ_WUR;
/* Is it in registers, a constant, or nowhere: does it have no address? */
bool gen_has_no_address(const struct gen_operand *o);
/* Add a number to the word on the stack. */
void gen_add(struct gen *g, int64_t n);
/* A part of o: a member or element `offset` bytes behind its begin. */
void gen_part(struct gen *g, struct gen_operand *o, uint64_t offset, const struct ez_type *type);
/* gen_ops.c */
/* Make code for x. */
ez_err *gen_expr(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
struct gen_operand gen_value(const struct ez_type *t); /* a word on the stack        */
/* Convert the value on the stack to a truth: 0 or not 0. */
void gen_truth(struct gen *g, const struct gen_operand *o);
ez_err *gen_truth_of(struct gen *g, const struct ez_expr *x) EZ_WUR; /* leaves it on the stack */
/* An operand of arithmetic; a wide one is not loaded. */
ez_err *gen_operand_of(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
/* The element of an array at an index whose code is made already, from `middle` on. */
ez_err *gen_indexed(struct gen *g, const struct gen_operand *of, size_t middle,
                    struct gen_operand *out) EZ_WUR;
/* In the shell: runs the code from `begin` on, whose operand o is; it stays there. by: g->scope->number or ->address. */
ez_err *gen_run(struct gen *g, ez_err *(*by)(void *arg, const struct gen_wide *w, uint64_t *out),
                size_t begin, const struct gen_operand *o, uint64_t *out) EZ_WUR;
/* gen_fortran.c */
const struct ez_type *gen_fortran_logical(void);
/* In which Fortran computes numbers of a type: as gdb does, in 8 bytes. */
const struct ez_type *gen_fortran_common(const struct ez_type *t);
/* Operators that C does not have, or that mean something else there; *is false: it is as in C. */
ez_err *gen_fortran_binary(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                           bool *is) EZ_WUR;
/* a(i, j) and intrinsic functions; *is false: it is a call of the program's. */
ez_err *gen_fortran_call(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                         bool *is) EZ_WUR;
bool gen_fortran_is_intrinsic(const char *name);
/* An array whose bounds the running program knows becomes one of known bounds. begin: of its code. */
ez_err *gen_fortran_shape(struct gen *g, size_t begin, struct gen_operand *o) EZ_WUR;
/* gen_cast.c */
void gen_cut(struct gen *g,
             const struct ez_type *t); /* the word on the stack to an integer type     */
/* How EZ_OP_OF_INT makes a floating-point number of that type. */
uint8_t gen_of_int(const struct ez_type *from, const struct ez_type *to);
/* A float is a double on the machine's stack: what is computed (from NULL) or converted is rounded to one. */
void gen_round(struct gen *g, const struct ez_type *from, const struct ez_type *to);
ez_err *gen_cast(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
/* gen_const.c */
const struct ez_type *gen_wide_char(const char *name); /* "wchar_t" and its kin; NULL = none */
ez_err *gen_literal(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
ez_err *gen_sizeof(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
ez_err *gen_size(const struct ez_type *t, uint64_t *out) EZ_WUR;
/* Several numbers in one: a vector, a complex one. */
static inline bool gen_is_several(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return t->kind == EZ_TY_COMPLEX || (t->kind == EZ_TY_ARRAY && t->is_vector);
}
/* Of two numbers, what the shell computes besides operators of C: modulo(a, b). */
#define GEN_OP_MODULO EZ_OP2('m', 'o')
/* gen_wide.c: numbers of more than 8 bytes, which the machine's words cannot hold. The shell computes them
 * (ez_scope.wide); in the target this is not possible. */
struct gen_piece { /* an operand and its code, from one operation to before another          */
    size_t from, to;
    struct gen_operand o;
};
struct gen_wide {
    enum ez_expr_kind
        kind; /* CAST, UNARY, BINARY, COND; CALL: of the function that the operator is */
    int op;
    const struct ez_type *in, *type; /* what operands are converted to; the result's         */
    unsigned n;
    struct gen_piece of[3];
    const struct ez_code_op *code; /* of the pieces                                          */
};
bool gen_is_wide(const struct ez_type *t);
/* The result takes the place of the code of the operands. */
ez_err *gen_wide(struct gen *g, struct gen_wide *w, struct gen_operand *out) EZ_WUR;
/* gen_class.c: dynamic_cast of o, whose code begins at `begin`; in the shell, which can ask the object. */
ez_err *gen_dynamic_cast(struct gen *g, size_t begin, const struct ez_type *t,
                         struct gen_operand *o) EZ_WUR;
/* gen_class.c: an object of a class of C++, in the shell: its operators are functions of the program. */
bool gen_is_object(const struct gen *g, const struct ez_type *t);
/* The result of the operator x of the first n pieces, of which one is an object. */
ez_err *gen_operator(struct gen *g, const struct ez_expr *x, int op, struct gen_wide *w,
                     struct gen_operand *out) EZ_WUR;
/* The same of one operand, *o, whose code begins at `begin`. */
ez_err *gen_operator_of(struct gen *g, const struct ez_expr *x, int op, size_t begin,
                        struct gen_operand *o) EZ_WUR;
/* o, whose code begins at `begin`, becomes one of that type. */
ez_err *gen_wide_cast(struct gen *g, size_t begin, struct gen_operand *o,
                      const struct ez_type *to) EZ_WUR;
/* guard.c: code that leaves a truth on the stack. */
bool guard_has_request(const struct ez_guards *g);         /* of thread, caller or time?     */
void guard_hit(struct gen *g, const struct ez_guards *by); /* whether these are as they must be */
/* The truth on the stack, and if it holds, that of the code between the two calls. */
size_t guard_and(struct gen *g);
void guard_and_end(struct gen *g, size_t begun);
void guard_turn(struct gen *g,
                const struct ez_guards *by); /* the truth on the stack, and the turn */
/* gen_name.c */
ez_err *gen_name(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
bool gen_no_result(const struct gen *g); /* is it known that the function returns nothing? */
ez_err *gen_variable(struct gen *g, const char *name, struct gen_operand *out) EZ_WUR;
/* What the shell holds, if it does: $variables, strings, x@n. */
ez_err *gen_held(struct gen *g, const struct ez_expr *x, struct gen_operand *out, bool *is) EZ_WUR;
ez_err *gen_member(struct gen *g, const struct ez_expr *x, struct gen_operand *o) EZ_WUR;
/* What the pointer o points to; what o refers to, if it is a reference. */
ez_err *gen_pointed(struct gen *g, struct gen_operand *o) EZ_WUR;
ez_err *gen_referred(struct gen *g, struct gen_operand *o) EZ_WUR;
/* gen_class.c */
struct gen_path { /* from an object to a part of it                                          */
    unsigned n;
    struct {
        bool is_virtual; /* `by`: where in the table of virtual functions the offset stands      */
        int64_t by;
    } step[16];
};
struct gen_path gen_path_of(const struct ez_field *f);
bool gen_path_is_virtual(const struct gen_path *p);
/* The member called `name`, in base classes and anonymous members, too; NULL = there is none. */
const struct ez_field *gen_field(const struct ez_type *t, const char *name, struct gen_path *path);
/* o becomes a part of itself, of that type. */
ez_err *gen_walk(struct gen *g, struct gen_operand *o, const struct gen_path *p,
                 const struct ez_type *type) EZ_WUR;
/* How many classes `base` is above the class, on the shortest way: 0 = it is the class itself, -1 = it is no base of it. */
int gen_base_depth(const struct ez_type *class, const struct ez_type *base);
/* The address on the stack, of an object of the class to which `from` leads, becomes that of its part, or of the whole
 * of which it is a part, of the class to which `to` leads. *related = it is one. EZ_E_ARG: it cannot be told which. */
/* Of two pointers to objects, that to a derived class becomes one to the base, if the other one is that. `end`: of the
 * first one's code; *grown = so many operations were put there. */
ez_err *gen_to_base(struct gen *g, const struct ez_type **a, size_t end, const struct ez_type **b,
                    size_t *grown) EZ_WUR;
ez_err *gen_class_pointer(struct gen *g, const struct ez_type *from, const struct ez_type *to,
                          bool *related) EZ_WUR;

#endif
