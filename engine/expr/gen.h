/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen.h - generates code for expressions, which the runtime's machine runs; shared by gen*.c,
 * collect.c, compile.c and others. */
#ifndef EZ_GEN_H
#define EZ_GEN_H

#include <float.h>
#include <string.h>

#include "engine/expr/clause.h"
#include "engine/expr/expr.h"

/* How far the code of an operand has been generated. */
enum gen_kind {
    GEN_VALUE,   /* a word on the machine's stack (for a float, a double's bits) */
    GEN_ADDRESS, /* the value's address is on the machine's stack */
    /* no code is generated: the value is `offset` bytes after the start of the place `where` */
    GEN_PLACE,
};
struct gen_operand {
    enum gen_kind kind;
    const struct ez_type *type;
    struct ez_where where;
    uint64_t offset;
    unsigned bit, bits; /* position of a bit-field; bits 0 = no bit-field */
};

struct gen {
    struct ez_clause_code *code;
    const struct ez_scope *scope;
    bool at_exit;
    bool types; /* only the type is wanted; the code will not run */
    /* number of operands whose code was generated more than once (gen_fortran.c) */
    unsigned again;
    unsigned depth, deepest;        /* words on the machine's stack: now, and maximum */
    const struct ez_expr *referred; /* last call of a class operator that returned a reference */
    const struct ez_type *by;       /* type of that reference */
    /* words that the entry must save for the code of the exit */
    EZ_VEC(struct gen_saved {
        struct ez_where where;
        unsigned word; /* word number in that place: 0 = its first 8 bytes */
    })
    saved;
};

/* Returns an operand whose value is a word on the machine's stack. */
static inline struct gen_operand gen_value(const struct ez_type *t)
{
    return (struct gen_operand){ .kind = GEN_VALUE, .type = t };
}

static inline struct gen_operand gen_of_named(const struct ez_named *n)
{
    return (struct gen_operand){ .kind = GEN_PLACE, .type = n->type, .where = n->where };
}

/* ---- types ---- */
static inline bool gen_is_float(const struct ez_type *t)
{
    return ez_type_strip(t)->kind == EZ_TY_FLOAT;
}

/* Returns whether neither the machine nor a C type supports the floating-point format: 16 bits, or
 * IEEE's 128 bits on x86-64. */
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
/* Returns the error "WHAT TYPE is not possible in a probe"; in the shell, without "in a probe". */
ez_err *gen_no(const struct gen *g, const char *what, const struct ez_type *t) EZ_WUR;
void gen_op(struct gen *g, enum ez_opcode op, unsigned a, unsigned b, int64_t imm);
void gen_const(struct gen *g, uint64_t v);
/* Puts the operand's value on the stack: a scalar of at most 8 bytes or, for an array or function,
 * its address. */
ez_err *gen_load(struct gen *g, struct gen_operand *o) EZ_WUR;
/* Puts the operand's address on the stack. Returns EZ_E_ARG if the operand has no address. */
ez_err *gen_address(struct gen *g, struct gen_operand *o) EZ_WUR;
/* Puts word i (8 bytes) of a value on the stack that is in registers, an argument on the call
 * stack, or a constant. */
ez_err *gen_word(struct gen *g, const struct ez_where *w, unsigned i) EZ_WUR;
/* Returns whether the operand has no address: it is computed, in registers, a constant, or
 * nowhere. */
bool gen_has_no_address(const struct gen_operand *o);
/* Adds a number to the word on the stack. */
void gen_add(struct gen *g, int64_t n);
/* Replaces `o` by a part of it: a member or an element that begins `offset` bytes after the start
 * of `o`. */
void gen_part(struct gen *g, struct gen_operand *o, uint64_t offset, const struct ez_type *type);
/* Each replaces `o` by what it points to: gen_pointed() for a pointer (in the shell also for an
 * integer, as if it pointed to a long), gen_referred() for a reference (other types stay). */
ez_err *gen_pointed(struct gen *g, struct gen_operand *o) EZ_WUR;
ez_err *gen_referred(struct gen *g, struct gen_operand *o) EZ_WUR;
/* In the shell only: runs the code from `begin` on, which computes operand `o`, and does not remove
 * the code. Sets *out to the number or address that the code computes. by: g->scope->number or
 * ->address. */
ez_err *gen_run(struct gen *g, ez_err *(*by)(void *arg, const struct gen_wide *w, uint64_t *out),
                size_t begin, const struct gen_operand *o, uint64_t *out) EZ_WUR;
/* In the shell only: finds the place of the operand whose code begins at `begin`, and removes that
 * code. */
ez_err *gen_place_of(struct gen *g, size_t begin, struct gen_operand *o,
                     struct ez_named *out) EZ_WUR;
/* In the shell, replaces an array whose bounds are computed at run time by an array with constant
 * bounds. The operand's code begins at `begin`. */
ez_err *gen_shape(struct gen *g, size_t begin, struct gen_operand *o) EZ_WUR;
/* gen_ops.c, gen_cast.c */
/* Generates code for the tree x. *out describes the operand that the code leaves. */
ez_err *gen_expr(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
/* Converts the value on the stack to a truth value, which is 0 or not 0. */
void gen_truth(struct gen *g, const struct gen_operand *o);
/* Generates code that leaves the truth value of x on the stack. */
ez_err *gen_truth_of(struct gen *g, const struct ez_expr *x) EZ_WUR;
/* Generates an operand of arithmetic. An operand of more than 8 bytes is not put on the stack. */
ez_err *gen_operand_of(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
/* Generates the element of the array `of` by an index that is on the stack. The index's code begins
 * at `middle`. */
ez_err *gen_indexed(struct gen *g, const struct gen_operand *of, size_t middle,
                    struct gen_operand *out) EZ_WUR;
/* gen_fortran.c */
const struct ez_type *gen_fortran_logical(void);
/* Returns the type in which Fortran computes numbers of type `t`: one of 8 bytes, as in gdb, or `t`
 * itself if it is larger or a pointer. */
const struct ez_type *gen_fortran_common(const struct ez_type *t);
/* Generates operators that C lacks or defines differently. Sets *is to false if the operator is as
 * C's, and generates nothing. */
ez_err *gen_fortran_binary(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                           bool *is) EZ_WUR;
/* Generates a(i, j) and intrinsic functions. Sets *is to false for a call of a function of the
 * program, and generates nothing. */
ez_err *gen_fortran_call(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                         bool *is) EZ_WUR;
bool gen_fortran_is_intrinsic(const char *name);
/* gen_cast.c */
void gen_cut(struct gen *g,
             const struct ez_type *t); /* truncates the word on the stack to an integer type */
/* Returns the operand of EZ_OP_OF_INT for a conversion of an integer of type `from` to the
 * floating-point type `to`. */
uint8_t gen_of_int(const struct ez_type *from, const struct ez_type *to);
/* Rounds the number on the stack to `to` if that is float, because a float on the stack is a
 * double. from: the type before a conversion; NULL for the result of an operation. */
void gen_round(struct gen *g, const struct ez_type *from, const struct ez_type *to);
/* Converts the operand *out, whose code begins at `begin`, to the type `t` of x, a cast or {type}
 * ADDRESS. */
ez_err *gen_cast(struct gen *g, const struct ez_expr *x, const struct ez_type *t, size_t begin,
                 struct gen_operand *out) EZ_WUR;
/* gen_const.c */
/* Returns the type called `name`: "wchar_t", "char16_t" or "char32_t"; NULL for other names. */
const struct ez_type *gen_wide_char(const char *name);
ez_err *gen_literal(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
/* Generates the size or, for EZ_OP_ALIGNOF, the alignment of a type. */
ez_err *gen_sizeof(struct gen *g, int op, const struct ez_type *t, struct gen_operand *out) EZ_WUR;
ez_err *gen_size(const struct ez_type *t, uint64_t *out) EZ_WUR;
/* Returns whether the type consists of several numbers: a vector or a complex number. */
static inline bool gen_is_several(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return t->kind == EZ_TY_COMPLEX || (t->kind == EZ_TY_ARRAY && t->is_vector);
}
/* modulo(a, b), which the shell computes in addition to C's operators. */
#define GEN_OP_MODULO EZ_OP2('m', 'o')
/* gen_wide.c: numbers of more than 8 bytes, which do not fit into the machine's words. The shell
 * computes with them (ez_scope.wide). In the target they are not supported. */
struct gen_piece { /* an operand and its code: operations [from, to) */
    size_t from, to;
    struct gen_operand o;
};
struct gen_wide {
    /* CAST, UNARY, BINARY, COND; CALL: a class's operator, which is a function */
    enum ez_expr_kind kind;
    int op;
    const struct ez_type *in, *type; /* type to which operands are converted; type of the result */
    unsigned n;
    struct gen_piece of[3];
    const struct ez_code_op *code; /* code to which the pieces refer */
};
bool gen_is_wide(const struct ez_type *t);
/* Has the shell compute the result, and replaces the code of the operands by it. */
ez_err *gen_wide(struct gen *g, struct gen_wide *w, struct gen_operand *out) EZ_WUR;
/* gen_class.c: generates dynamic_cast of o, whose code begins at `begin`. A cast that must read the
 * object is possible in the shell only. */
ez_err *gen_dynamic_cast(struct gen *g, size_t begin, const struct ez_type *t,
                         struct gen_operand *o) EZ_WUR;
/* gen_class.c: returns whether t is a C++ class. Always false in a probe, which cannot call
 * the functions that define operators of the class. */
bool gen_is_object(const struct gen *g, const struct ez_type *t);
/* Generates the class operator x for the pieces of `w`, one of which is an object. */
ez_err *gen_operator(struct gen *g, const struct ez_expr *x, int op, struct gen_wide *w,
                     struct gen_operand *out) EZ_WUR;
/* Generates the class operator x for one operand *o, an object whose code begins at `begin`. */
ez_err *gen_operator_of(struct gen *g, const struct ez_expr *x, int op, size_t begin,
                        struct gen_operand *o) EZ_WUR;
/* Generates the conversion of o, whose code begins at `begin`, to the type `to`. */
ez_err *gen_wide_cast(struct gen *g, size_t begin, struct gen_operand *o,
                      const struct ez_type *to) EZ_WUR;
/* guard.c: generates code that leaves a truth value on the stack. */
/* Returns whether `g` has a criterion on gate, thread, caller or time. */
bool guard_has_request(const struct ez_guards *g);
/* Generates the truth value whether the hit meets the criteria on gate, thread, caller and time. */
void guard_hit(struct gen *g, const struct ez_guards *by);
/* "&&": combine the truth value on the stack with the truth value of the code that is generated
 * between the two calls. That code runs only if the first value is true. */
size_t guard_and(struct gen *g);
void guard_and_end(struct gen *g, size_t begun);
/* Replaces the truth value on the stack: if it is true, counts the hit; the new value says whether
 * the hit's number is accepted (ez_guards.skip and .most). */
void guard_turn(struct gen *g, const struct ez_guards *by);
/* gen_name.c */
ez_err *gen_name(struct gen *g, const struct ez_expr *x, struct gen_operand *out) EZ_WUR;
/* gen_text.c: generates $_streq(S, "TEXT"), $_strlen(S) or $_memeq(P, "BYTES", N) in a probe. Sets
 * *is to false, and generates nothing, if x calls another function. */
ez_err *gen_text_call(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                      bool *is) EZ_WUR;
/* gen_stap.c: generates $_probe_argc or $_probe_argN. Sets *is to false, and generates nothing, if
 * `name` is neither. The other functions need a scope with a USDT probe: they return the number of
 * its arguments, and generate argument i, which must be below that number. */
ez_err *gen_stap(struct gen *g, const char *name, struct gen_operand *out, bool *is) EZ_WUR;
unsigned gen_stap_count(const struct gen *g);
ez_err *gen_stap_argument(struct gen *g, unsigned i, struct gen_operand *out) EZ_WUR;
bool gen_no_result(const struct gen *g); /* the function is known to return nothing */
ez_err *gen_variable(struct gen *g, const char *name, struct gen_operand *out) EZ_WUR;
/* Finds a value that only the shell can compute (`held` of struct ez_scope). Sets *is to false if x
 * is none. */
ez_err *gen_held(struct gen *g, const struct ez_expr *x, struct gen_operand *out, bool *is) EZ_WUR;
/* Replaces the object *o, whose code begins at `begin`, by its member that x names. */
ez_err *gen_member(struct gen *g, const struct ez_expr *x, size_t begin,
                   struct gen_operand *o) EZ_WUR;
/* gen_class.c */
struct gen_path { /* the steps from an object to a part of it */
    unsigned n;
    struct {
        /* the step's offset is in the table of virtual functions, at offset `by` */
        bool is_virtual;
        int64_t by;
    } step[16];
};
struct gen_path gen_path_of(const struct ez_field *f);
bool gen_path_is_virtual(const struct gen_path *p);
/* Finds the member called `name`, also in base classes and anonymous members. Returns NULL if there
 * is none (path->n is 0) or several (it is not). */
const struct ez_field *gen_field(const struct ez_type *t, const char *name, struct gen_path *path);
/* Replaces `o` by the part of it at the end of the path, which has type `type`. */
ez_err *gen_walk(struct gen *g, struct gen_operand *o, const struct gen_path *p,
                 const struct ez_type *type) EZ_WUR;
/* Returns how many levels `base` is above `class` in the shortest chain of bases: 0 = the class
 * itself, -1 = no base. */
int gen_base_depth(const struct ez_type *class, const struct ez_type *base);
/* If one of two pointers is to a derived class, and the other to its base, converts the first to a
 * pointer to the base. `end` is where the code of pointer `a` ends; if *grown is not 0, that many
 * operations were inserted there. */
ez_err *gen_to_base(struct gen *g, const struct ez_type **a, size_t end, const struct ez_type **b,
                    size_t *grown) EZ_WUR;
/* Converts a pointer on the stack, as C++ does between base and derived classes. from, to: the
 * types of the pointer before and after. *related is false if the classes are the same or
 * unrelated: then nothing is generated. Returns EZ_E_ARG if the result is ambiguous, or if it is in
 * a class derived from a virtual base. */
ez_err *gen_class_pointer(struct gen *g, const struct ez_type *from, const struct ez_type *to,
                          bool *related) EZ_WUR;

#endif
