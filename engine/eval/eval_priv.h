/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval_priv.h - shared by the files of engine/eval:
 *
 *   eval.c    evaluates trees                           lookup.c  meaning of names
 *   run.c     runs code, makes values                   assign.c  where EXPR = EXPR puts a value
 *   names.c   values of the shell, calls                held.c    memory, and held values
 *   shape.c   arrays of Fortran, VLAs                   history.c history, convenience variables
 *   registers.c registers                               frame.c   the frame
 *   place.c   places of locals, by DWARF                passed.c  values that a caller passed
 *   host.c    variables of surrounding functions        called.c  functions of the program
 *   show.c, show_as.c, show_text.c, show_wide.c, show_rust.c, show_fortran.c, show_class.c: text
 *   fortran.c, fortran_num.c, section.c: Fortran        functions.c $_streq and similar
 *   value.c   values alone                              expand.c  macros
 *   tls.c     thread-local variables                    wide.c    numbers of more than 8 bytes
 *   several.c vectors, complex numbers                  frames.c  all frames of a thread
 *   step.c    a frame's caller                          own_code.c  eztsh's own code */
#ifndef EZ_EVAL_PRIV_H
#define EZ_EVAL_PRIV_H

#include "arch/regs.h"
#include "engine/base/vec.h"
#include "engine/expr/clause.h"
#include "engine/dwarf/dwarf.h"
#include "engine/expr/expr.h"
#include "engine/eval/eval.h"
#include "engine/ezt.h"

struct eval_var {
    char *name; /* without the dollar */
    struct ez_value value;
};
struct ez_history {
    struct ez_target *t;
    /* ez_eval(), for static members, which are shown with their classes. eval.c sets it, because
     * show.c must not call eval.c directly. */
    ez_err *(*eval)(struct ez_history *v, const char *text, const char **end, struct ez_value *out);
    EZ_VEC(struct ez_value) history; /* $1 is the first */
    EZ_VEC(struct eval_var) var;
    struct { /* unwind tables of eztsh's own code (own_code.c) */
        struct ez_dwarf_table table;
        int fd;
        bool failed;
    } ours[2];
    ez_answer_fn *answer; /* for $_json(); NULL without a session */
    void *answer_arg;
    EZ_VEC(void *) kept; /* types of variables of unknown type, and their names */
};

/* Values that the shell holds during an evaluation have addresses that no process has, so that code
 * reads them like memory. */
#define EVAL_HELD 0x9e3b700000000000u
#define EVAL_HELD_AT                                                                               \
    0x80000000u /* where each has its begin, in 4 GiB of addresses: pointers may lead before it, too */
#define EVAL_STEPS 1000         /* of struct eval: hostile debug information may need 2^64 */
#define EVAL_LARGEST (1u << 20) /* largest value in bytes */
struct eval_held {
    uint8_t *byte, *lost; /* as in struct ez_value; owned */
    size_t n;
    bool lval; /* a copy of memory at `addr` */
    /* a C array, not a vector: it gets memory in the target when its address is needed */
    bool is_array;
    /* for an array whose elements are not contiguous in memory: number of entries in dim[] */
    unsigned strides;
    struct {
        uint64_t size; /* size of an element of this dimension in the copy */
        int64_t stride;
    } dim[EZ_DWARF_DIMENSIONS]; /* outermost first */
    bool pointed;               /* the target of a synthetic pointer, which is in no memory */
    uint64_t addr;
    uint64_t key; /* for `pointed`: key of the variable, so that all pointers to it are equal */
};

struct eval_other { /* a module other than the one where the target is stopped */
    const struct ez_object *obj;
    struct ez_scope *s;
    bool is_program;
};

struct eval { /* one evaluation */
    struct ez_history *v;
    struct ez_target *t;
    struct ez_scope scope;      /* scope of the expression (names.c) */
    struct ez_scope *inner;     /* scope of the function where the target is stopped, or NULL */
    struct ez_module_info here; /* its module; obj NULL if unknown */
    const struct ez_regs *regs; /* NULL if the target is not stopped */
    bool at_stop;      /* at a probe: the registers are those of the call, not the thread's own */
    uint64_t pc, look; /* look: an instruction of the function, for tables */
    bool at_entry;
    const struct ez_expr *whole; /* the whole expression */
    bool still;                  /* calls no function */
    bool loose;                  /* unknown functions return a long */
    bool types;                  /* only the type is wanted: calls and assigns nothing */
    bool checks;                 /* only looks up names at `look`; there are no values */
    uint64_t which;              /* enum dwarf_which for local variables */
    unsigned inside;             /* number of inlined frames inside the one that names refer to */
    bool inlined;                /* that one is inlined itself */
    enum { EVAL_CFA_NEW, EVAL_CFA_KNOWN, EVAL_CFA_NONE } cfa_state;
    uint64_t cfa;
    struct ez_maps *maps; /* mappings of the process; NULL until read (step.c) */
    uint8_t *extended;    /* floating-point and vector registers; NULL until read */
    size_t nextended;
    EZ_VEC(struct eval_held) held;
    EZ_VEC(struct eval_other) other; /* created when needed */
    unsigned steps;                  /* steps to callers and through synthetic pointers so far */
    unsigned callers; /* number of callers through which a value is being searched (passed.c) */
    bool others_made, any; /* any: there is a module */
};

/* held.c */
/* Reads memory of the target, or a held value. */
ez_err *eval_read(void *ev, uint64_t from, void *to, size_t n) EZ_WUR;
void held_end(struct eval *ev); /* frees the held values */
/* Copies bytes into new memory of the target, which stays allocated. With bytes NULL, only
 * allocates. */
ez_err *held_there(struct ez_target *t, const void *bytes, size_t n, uint64_t *at) EZ_WUR;
/* Holds a copy of the value for the length of the evaluation. *out is its place. */
void eval_hold(struct eval *ev, const struct ez_value *value, struct ez_named *out);
/* held.c: finds the address of an object. Copies one that is not in the target, such as a result,
 * into memory there. */
ez_err *held_object(struct eval *ev, const struct ez_value *object, uint64_t *out) EZ_WUR;
/* Returns the held value at an address and the offset in it, or NULL. */
const struct eval_held *held_at(const struct eval *ev, uint64_t at, uint64_t *offset);
/* Holds the target of a synthetic pointer. Returns its address, valid during the evaluation. */
uint64_t held_pointed(struct eval *ev, const struct ez_value *value, uint64_t key);
/* Finds the address of a variable that is already held so. Returns false if it is not held. */
bool held_known(const struct eval *ev, uint64_t key, uint64_t *out);
/* Returns whether a synthetic pointer points there. Its value never changes: it can be shown, and
 * is never written to the target. */
bool held_is_pointed(uint64_t at);
ez_err *held_check(const struct ez_value *value) EZ_WUR;
/* Marks the held value at an address as a copy of scattered elements in memory, from `from` on. */
void held_scatter(struct eval *ev, uint64_t at, uint64_t from, const struct ez_type *t,
                  const int64_t *stride);
/* Returns whether n bytes there are a copy of contiguous memory. */
bool held_is_copy(const struct eval_held *h, size_t n);
/* Replaces the address of a held value by one of the target, if the value is a copy of memory
 * there, or an array, which is then copied there. */
ez_err *held_real(struct eval *ev, uint64_t *at) EZ_WUR;
/* Does the same for a number. A synthetic pointer has none. */
ez_err *held_number(struct eval *ev, uint64_t *word) EZ_WUR;
/* machine.h: keeps addresses in sums, differences and comparisons within one held value, which are
 * correct as they are. */
ez_err *held_numbers(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b) EZ_WUR;

/* eval.c */
/* Finds the variable of that name, which need not be valid syntax in an expression. */
ez_err *eval_variable(struct eval *ev, const char *name, struct ez_value *out) EZ_WUR;
ez_err *eval_tree(struct eval *ev, const struct ez_expr *x, struct ez_value *out) EZ_WUR;
struct gen;
struct gen_operand;
struct gen_wide;
/* A member of struct ez_scope, whose arg is the evaluation: numbers of more than 8 bytes. */
ez_err *eval_wide(void *arg, const struct gen_wide *w, struct ez_named *out) EZ_WUR;

/* run.c */
/* Runs the code of an operand, and makes its value. */
ez_err *run_operand(struct eval *ev, struct gen *g, struct gen_operand *o,
                    struct ez_value *out) EZ_WUR;
/* Does the same for piece i. */
ez_err *run_piece(struct eval *ev, const struct gen_wide *w, unsigned i,
                  struct ez_value *out) EZ_WUR;
/* Replaces a reference by what it refers to. */
ez_err *eval_referred(struct eval *ev, struct ez_value *v) EZ_WUR;
/* Members of struct ez_scope, whose arg is the evaluation: one number, an address. */
ez_err *eval_number(void *arg, const struct gen_wide *w, uint64_t *out) EZ_WUR;
ez_err *eval_address(void *arg, const struct gen_wide *w, uint64_t *out) EZ_WUR;
/* Converts the value to that type, as C++ does for assignments and arguments: a pointer to an
 * object becomes one to its base. */
ez_err *eval_convert(struct eval *ev, const struct ez_value *from, const struct ez_type *type,
                     struct ez_value *out) EZ_WUR;
/* Converts the address of an object of that class to that of its base to which `to` points. */
ez_err *eval_class_address(struct eval *ev, const struct ez_type *class, const struct ez_type *to,
                           uint64_t *at) EZ_WUR;
/* wide.c: computes the result of the operation; for COND, the selected operand. */
ez_err *wide_apply(const struct gen_wide *w, const struct ez_value *operand,
                   struct ez_value *out) EZ_WUR;
/* several.c: does the same for vectors and complex numbers. */
ez_err *several_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out) EZ_WUR;

/* expand.c: expands macros in the text. *out is the result, which the caller frees, or NULL if
 * there are none. With `end`, expands only up to a comma, and sets *end to it if there is one. */
ez_err *expand_text(const struct eval *ev, const char *text, const char **end, char **out) EZ_WUR;
bool expand_macro(const struct eval *ev, const char *name, struct ez_macro *out);

/* value.c */
uint64_t value_word(const uint8_t *byte, size_t n); /* at most 8 bytes, zero-extended */
/* Reads characters of `size` bytes up to the NUL, which is not counted. Returns their number. *good
 * is true if the text ended or has `most` characters. */
size_t value_read(struct ez_target *t, uint64_t at, void *to, size_t most, size_t size, bool *good);
struct ez_value value_made(const struct ez_type *t, const void *bytes, size_t n);
/* Makes a value of bytes of which some are optimized out (struct ez_value). */
struct ez_value value_partly(const struct ez_type *t, const uint8_t *bytes, const uint8_t *lost,
                             size_t n);
/* Whether all, some or none of n bytes are available, and whether one of some bits is lost. lost:
 * as in struct ez_value. */
enum value_lost { VALUE_THERE, VALUE_PARTLY, VALUE_GONE };
enum value_lost value_lost(const uint8_t *lost, size_t n);
bool value_bits_lost(const uint8_t *lost, unsigned bit, unsigned bits);
ez_err *value_is_gone(void) EZ_WUR; /* "value has been optimized out" */
/* Returns the same error unless the value is complete. */
ez_err *value_whole(const struct ez_value *value) EZ_WUR;
/* Returns a copy of the mask of struct ez_value, or NULL. The caller frees it. */
uint8_t *value_copy_lost(const uint8_t *lost, size_t n);
/* Return a floating-point number of that type, and such a number as a value. */
long double value_real(const struct ez_type *type, const uint8_t *byte);
struct ez_value value_made_float(const struct ez_type *type, long double v);
/* Returns the number in the bits from `bit` on. */
uint64_t value_bits(const void *bytes, unsigned bit, unsigned bits, bool is_signed);
size_t value_bits_bytes(unsigned bit, unsigned bits); /* number of bytes with these bits */
/* Converts the value to that type. */
ez_err *value_convert(const struct ez_value *from, const struct ez_type *type,
                      struct ez_value *out) EZ_WUR;

/* fortran_num.c: computes powers, modulo, and complex numbers of two real ones. */
bool fortran_computes(const struct gen_wide *w);
ez_err *fortran_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out) EZ_WUR;
/* fortran.c: members of struct ez_scope, whose arg is the evaluation. */
ez_err *fortran_value(void *arg, const struct ez_expr *x, struct ez_named *out) EZ_WUR;
void fortran_hold(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                  struct ez_named *out);
void fortran_shape(void *arg, struct ez_named *of);
/* Converts what is assigned to the text `to`: cuts it or pads it with blanks. Returns false if `to`
 * is no text. */
bool fortran_as(const struct ez_value *from, const struct ez_value *to, struct ez_value *out);
struct ez_value fortran_literal(struct eval *ev, const struct ez_expr *x); /* value of a text */
/* section.c: evaluates a(2:4, :, 1). */
ez_err *section_of(struct eval *ev, const struct ez_expr *x, struct ez_named *out) EZ_WUR;

/* assign.c: puts the value to where `to` is. *out is what is there then. */
ez_err *assign_to(struct eval *ev, const struct ez_value *to, const struct ez_value *value,
                  struct ez_value *out) EZ_WUR;
/* Returns whether x is a convenience variable: its name begins with a letter or an underscore, and
 * is that of no register. */
bool assign_is_convenience(struct eval *ev, const struct ez_expr *x);
void assign_convenience(struct eval *ev, const char *name, const struct ez_value *value,
                        struct ez_value *out);

/* called.c: call the program's function f, which x calls with these n values (called_value), or
 * only find the type of the result (called_type). like: the function with the same parameters and
 * result; 0 = f itself. */
ez_err *called_value(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                     uint64_t like, const struct ez_value *arg, size_t n,
                     struct ez_value *out) EZ_WUR;
ez_err *called_type(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                    const struct ez_type **out) EZ_WUR;

/* overload.c: selects the function of a name that is called. */
struct overload_call {
    const char *name;        /* with class and namespaces, without parameters */
    const struct ez_expr *x; /* the call */
    const struct ez_value *arg;
    size_t n;
    uint64_t named; /* function that the name means there; it wins among equal ones; 0 = none */
    bool is_const;  /* the object is const */
    bool strict;    /* an operator: accepts only functions that take these values */
};
struct overload_chosen {
    uint64_t func;              /* 0 = no function has that name */
    bool of_object, is_virtual; /* of_object: its first argument is `this` */
    uint64_t vtable; /* of a virtual function: its index in the table plus 1; 0 if unknown */
};
/* Returns EZ_E_ARG if none of several functions accepts the arguments, or if several do. */
ez_err *overload_choose(struct eval *ev, const struct overload_call *call,
                        struct overload_chosen *out) EZ_WUR;

/* method.c: finds the function for a call on `object`; func 0 = that is no object of a class.
 * call: without the name. */
struct method_called {
    uint64_t func, like, object; /* like: the function with the parameters and the result */
    bool of_object;              /* `object` is the first argument */
};
ez_err *method_call(struct eval *ev, const struct overload_call *call,
                    const struct ez_value *object, struct method_called *out) EZ_WUR;

/* method.c: implements ez_scope.whole. */
ez_err *method_whole(void *arg, uint64_t *at, const struct ez_type **class) EZ_WUR;
/* method.c: calls the operator's function ("+=", "++") for n operands, of which one is an object.
 * "++" with two operands is the postfix operator; the second operand is then an int. */
ez_err *method_operator(struct eval *ev, const char *sign, const struct ez_value *v, unsigned n,
                        struct ez_value *out) EZ_WUR;
/* Returns whether the type is an object of a C++ class, or a reference to one. */
static inline bool eval_is_object(const struct ez_type *t)
{
    t = ez_type_strip(t);
    t = t->kind == EZ_TY_REFERENCE && t->to ? ez_type_strip(t->to) : t;
    return t->kind == EZ_TY_STRUCT && t->is_cxx;
}
/* Finds a function of that name in the namespaces of the arguments' classes; func 0 = none. */
ez_err *method_by_arguments(struct eval *ev, const struct overload_call *call, const char *base,
                            struct overload_chosen *out) EZ_WUR;

/* called.c: calls f with the values, and with `this` unless it is NULL. */
ez_err *called_of(struct eval *ev, const struct ez_expr *x, const struct ez_value *f, uint64_t like,
                  const struct ez_value *this, const struct ez_value *arg, size_t n,
                  struct ez_value *out) EZ_WUR;

/* member.c: evaluates &CLASS::NAME. Returns false if the expression is something else. */
bool member_address(struct eval *ev, const struct ez_expr *x, struct ez_value *out, ez_err **e);
static inline bool member_is(const struct ez_expr *x)
{
    return x->kind == EZ_X_BINARY && (x->op == EZ_OP2('.', '*') || x->op == EZ_OP2('>', '*'));
}
/* Evaluates OBJECT.*P and POINTER->*P. *object is the `this` of a function. */
ez_err *member_apply(struct eval *ev, const struct ez_expr *x, struct ez_named *out,
                     uint64_t *object) EZ_WUR;

/* lookup.c: members of struct ez_scope, whose arg is the evaluation. */
ez_err *lookup_name(void *arg, const char *scope, const char *name, struct ez_named *out) EZ_WUR;
ez_err *lookup_type(void *arg, const struct ez_type_name *name, const struct ez_type **out) EZ_WUR;
enum ez_means lookup_means(void *arg, const char *word);

/* names.c */
void names_begin(struct eval *ev); /* in the selected frame */
/* Begins in the frame with `inside` inlined frames inside; regs NULL = in no frame. */
void names_begin_at(struct eval *ev, const struct ez_regs *regs, bool exact, unsigned inside);
void names_begin_code(struct eval *ev, uint64_t pc); /* at that address, without a thread */
/* Finds $NAME: of the history, a register, a convenience variable. Returns false if it is a
 * variable of probes. */
bool names_variable(struct eval *ev, const char *name, struct ez_value *out, ez_err **e);
ez_err *value_no_calls(void) EZ_WUR;
void names_end(struct eval *ev);

/* place.c: finds the place of a local variable, whose type is already set. Returns false for a
 * constant, or if it has no place here. */
struct ez_dwarf_local;
bool place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out);
/* Computes the number that operations give for an object at an address, in a frame with that base
 * (or NULL). */
bool place_computed(struct eval *ev, const struct ez_dwarf_ops *base, uint64_t object,
                    const struct ez_dwarf_ops *ops, uint64_t *out);
/* Computes the number that operations give in a frame with that base. Returns false if they fail or
 * there are none. */
bool place_number(struct eval *ev, const struct ez_dwarf_ops *base, const struct ez_dwarf_ops *ops,
                  uint64_t *out);
/* Computes the canonical frame address of a row. */
bool place_cfa(struct eval *ev, const struct ez_dwarf_ops *ops, uint64_t *out);
/* Computes a word: a value, or one in memory or a register. */
bool place_word(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out);
/* Computes an address in memory. Returns false if the place is elsewhere. */
bool place_memory(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out);

/* passed.c: finds a register's value at the call of the function, by the caller's debug
 * information. Returns false if unknown. */
bool passed_register(struct eval *ev, uint64_t dwarf, uint64_t *out);
/* Finds a parameter's value at the call. */
bool passed_value(struct eval *ev, const char *name, struct ez_value *out);

struct ez_stack_frame;
/* host.c: finds the frame of the function around the frame's function. Returns false if there is
 * none. The caller frees frame->regs. */
bool host_find(struct eval *ev, struct ez_stack_frame *frame);

/* tls.c: implements the tls of struct ez_scope, whose arg is the evaluation. */
ez_err *tls_address(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                    uint64_t *out) EZ_WUR;

/* shape.c: copies and holds elements that are not contiguous. stride: of each dimension, outermost
 * first, in bytes; out->type has the numbers of elements. Returns false if the elements cannot be
 * read. */
bool shape_hold(struct eval *ev, const int64_t *stride, uint64_t at, struct ez_named *out);
/* Returns a copy of a type that lives as long as the history. */
struct ez_type *shape_keep(struct eval *ev, const struct ez_type *like);
/* Replaces an array with bounds from the running program by one with known bounds, at its
 * elements. */
void shape_resolve(struct eval *ev, const struct ez_dwarf_ops *base, struct ez_named *of);

/* step.c: steps from a frame to its caller, by unwind tables. */
struct ez_stack_frame;
enum step { STEP_MADE, STEP_END, STEP_WRONG };
struct own_code;
/* in: the frame and its registers; ours: eztsh's own code at its instruction, or NULL; out: the
 * caller. *why is the error text, which the caller frees, or unchanged. */
enum step step_out(struct eval *ev, struct ez_stack_frame *in, const struct own_code *ours,
                   struct ez_stack_frame *out, char **why);

/* Steps from the frame of the evaluation to its function's caller, past frames of eztsh's own code.
 * The caller frees out->regs. */
bool step_caller(struct eval *ev, struct ez_stack_frame *out);
void step_end(struct eval *ev); /* frees what steps allocated */
/* Returns whether the function there is the last one shown: like gdb, not beyond main. */
bool step_is_last(struct eval *ev, uint64_t at);

/* Finds the canonical frame address of the evaluation. */
bool step_cfa(struct eval *ev, uint64_t *out);

/* own_code.c: finds eztsh's own code in the target. Returns false if pc is not in such code. */
struct own_code {
    struct ez_dwarf_table *table; /* NULL = the instruction is a copy of the one at `copied` */
    uint64_t vaddr, copied;
    uint64_t func; /* for a trampoline: the instruction before which it runs */
};
bool own_code_at(struct eval *ev, uint64_t pc, struct own_code *out);
void own_code_end(struct ez_history *v);

/* functions.c: calls $_NAME(...); name includes the dollar. */
ez_err *function_call(struct ez_history *v, const char *name, const struct ez_value *arg, size_t n,
                      struct ez_value *out) EZ_WUR;

/* json_member.c: evaluates $_json() with its two arguments. */
ez_err *json_member(struct ez_history *v, const struct ez_value *arg, struct ez_value *out) EZ_WUR;

/* registers.c */
const struct ez_reg_desc *register_named(const struct eval *ev, const char *name);
const struct ez_reg_desc *register_numbered(unsigned dwarf); /* NULL = no general register */
/* Finds $rsp and other registers, their parts, and vector registers. Returns false if there is no
 * such register. */
bool register_value(struct eval *ev, const char *name, struct ez_value *out, ez_err **e);
ez_err *register_need(struct eval *ev) EZ_WUR; /* returns EZ_E_STATE if there are none */
/* Finds 16 bytes of the block of extended registers. Returns EZ_E_STATE beyond its end. */
ez_err *register_extended(struct eval *ev, size_t at, const uint8_t **out) EZ_WUR;
/* Returns the 16 low bytes of a vector register. */
ez_err *register_vector(struct eval *ev, unsigned number, const uint8_t **out) EZ_WUR;
/* frame.c: implements the machine's `word`. */
ez_err *frame_pushed(void *ev, const struct ez_code_op *op, uint64_t *out) EZ_WUR;
/* Returns the functions active at an instruction, or NULL if the debug information has none. */
const struct ez_dwarf_calls *frame_calls(struct ez_target *t, uint64_t at);
/* Returns how many of them begin exactly where the current thread is stopped, and are not entered
 * yet. */
unsigned frame_before(struct ez_target *t, const struct ez_dwarf_calls *calls);

/* history.c*/
void history_copy(const struct ez_value *from, struct ez_value *to);
/* Finds $, $$, $N and $$N. Returns false if the name is none of these. */
bool history_old(struct ez_history *v, const char *name, struct ez_value *out, ez_err **e);
struct ez_value *history_named(struct ez_history *v, const char *name); /* NULL if it is void */
/* owns the value from then on */
void history_put(struct ez_history *v, const char *name, struct ez_value *value);

/* show_text.c */
struct show {
    struct ez_history *v;
    const struct ez_value *of; /* the value being shown; NULL for another text */
    char format;
    bool sized;    /* for a unit of memory: hexadecimal and binary numbers have all digits */
    ez_err *wrong; /* the value does not support the format, or NULL */
    unsigned most; /* limit for elements of an array, characters of a text */
    unsigned left; /* array elements that may still be shown */
    unsigned depth;
    bool pretty;
    bool fortran;           /* in Fortran's notation */
    bool bare;              /* without the type before an address */
    EZ_VEC(uint64_t) fixed; /* addresses of static members being shown */
    EZ_VEC(uint64_t) vbase; /* addresses of virtual bases already shown: each is shown once */
    EZ_VEC(char) text;
};
#define SHOW_UNLIMITED                                                                             \
    (1u << 20)          /* elements of an array, characters of a text: as many as are "unlimited" */
#define SHOW_REPEATS 10 /* number of equal elements from which they are shown as one */
struct show show_begin(struct ez_history *v, char format);
void show_add(struct show *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Notes that the value does not support the format. */
void show_wrong(struct show *s, const char *why);
/* Shows one character, or that of a UTF-8 sequence. Returns the number of bytes. */
size_t show_character(struct show *s, const uint8_t *c, size_t left, char quote);
/* Shows a value in the notation of trace values (engine/record/items.h). */
void show_item(struct show *s, enum ez_item_type type, const uint64_t *word, unsigned n);
/* Shows characters in quotes (single ones for Fortran), runs of one as '\000' <repeats 20 times>.
 * more: the text continues. */
void show_string(struct show *s, const uint8_t *c, size_t n, bool more);
/* show_wide.c: shows the character after the number of a wchar_t or similar: " L'x'". */
void show_wide(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* Returns the prefix of texts of such a type, and the size of a character in bytes; 0 for other
 * types. */
char show_wide_prefix(const struct ez_type *t, size_t *size);
/* Returns whether the type itself has such a name. */
bool show_wide_is_named(const struct ez_type *t);
/* Show n characters of `size` bytes; show_wide_chars omits zeros at an array's end. */
void show_wide_string(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size,
                      bool more);
void show_wide_chars(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size);
/* Shows the text at an address, or why it cannot be read. prefix: as from show_wide_prefix(). */
void show_pointed(struct show *s, uint64_t at, char prefix, size_t size);
/* Shows an address: "0x401136 <main+4>". */
void show_address(struct show *s, uint64_t at);

/* show.c: returns whether two parts of the value have the same bytes, and the same ones optimized
 * out. */
bool show_same(const struct show *s, const uint8_t *a, const uint8_t *b, size_t n);
/* Shows the text in an array of n bytes. */
void show_chars(struct show *s, const uint8_t *c, size_t n);
/* Shows a part of a value, of which n bytes are available. */
void show_any(struct show *s, const struct ez_type *type, const uint8_t *byte, uint64_t n);
/* Begins a line, with `set print pretty`, for each member and the closing brace. in: 1 = inside the
 * struct. */
void show_line(struct show *s, unsigned in);
/* show_class.c */
void show_member_pointer(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* show_rust.c */
void show_rust_struct(struct show *s, const struct ez_type *t, const uint8_t *byte);
bool show_rust_char(struct show *s, const struct ez_type *t, const uint8_t *byte);
void show_rust_bytes(struct show *s, const struct ez_type *t, uint64_t at);

/* show_fortran.c */
/* n: bytes available from its begin on. */
void show_fortran_array(struct show *s, const struct ez_type *t, const uint8_t *byte, uint64_t n);
void show_fortran_struct(struct show *s, const struct ez_type *t, const uint8_t *byte);
void show_fortran_text_at(struct show *s, const struct ez_type *pointer, uint64_t at);

/* show_as.c */
void show_float(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* Shows a scalar in the format's notation. Returns false if the type decides. */
bool show_as(struct show *s, const struct ez_type *t, const uint8_t *byte);

#endif
