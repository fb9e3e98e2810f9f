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

/* Values that the shell holds during an evaluation get addresses that no process uses. So the
 * compiled code reads them in the same way as memory. */
#define EVAL_HELD 0x9e3b700000000000u
/* Each held value has 4 GiB of addresses. The value begins in the middle of these addresses,
 * because a pointer may also point before the value. */
#define EVAL_HELD_AT 0x80000000u
/* limit for eval.steps: hostile debug information may ask for 2^64 steps */
#define EVAL_STEPS 1000
#define EVAL_LARGEST (1u << 20) /* maximum size of a value in bytes */
struct eval_held {
    uint8_t *byte, *lost; /* as in struct ez_value; owned */
    size_t n;
    bool lval; /* the value is a copy of memory at `addr` */
    /* a C array, not a vector: it gets memory in the target when its address is needed */
    bool is_array;
    /* for an array whose elements are not contiguous in memory: number of entries in dim[] */
    unsigned strides;
    struct {
        uint64_t size; /* bytes of an element of this dimension in the copy */
        int64_t stride;
    } dim[EZ_DWARF_DIMENSIONS]; /* the outermost dimension is first */
    /* the value is the target of a synthetic pointer: a variable that is not in memory */
    bool pointed;
    uint64_t addr;
    /* for `pointed`: the variable's key; all pointers to the variable get one address by it */
    uint64_t key;
};

struct eval_other { /* a module other than the one in which the target is stopped */
    const struct ez_object *obj;
    struct ez_scope *s;
    bool is_program;
};

struct eval { /* one evaluation */
    struct ez_history *v;
    struct ez_target *t;
    struct ez_scope scope;      /* scope of the expression (names.c) */
    struct ez_scope *inner;     /* scope of the function in which the target is stopped, or NULL */
    struct ez_module_info here; /* module of that function; obj NULL if unknown */
    struct ez_scope_stap stap;  /* what scope.stap points to */
    const struct ez_regs *regs; /* NULL if the target is not stopped */
    /* the target is stopped at a probe: regs are those of the call, not the thread's own */
    bool at_stop;
    /* look: address with which tables are searched: pc or, in a caller's frame, pc - 1, which is in
     * the call instruction */
    uint64_t pc, look;
    bool at_entry;
    const struct ez_expr *whole; /* the whole expression, of which a part is being evaluated */
    bool still;                  /* calls no function of the program */
    bool loose;                  /* functions with unknown result return a long */
    /* finds only the type of the expression: calls and assigns nothing */
    bool types;
    bool checks;    /* only looks up names at `look`; there are no values */
    uint64_t which; /* enum dwarf_which: the local variables that are meant */
    /* number of inlined functions active inside the frame in which names are searched */
    unsigned inside;
    /* true if names are searched in the frame of an inlined function */
    bool inlined;
    enum { EVAL_CFA_NEW, EVAL_CFA_KNOWN, EVAL_CFA_NONE } cfa_state;
    uint64_t cfa;
    struct ez_maps *maps; /* mappings of the process; NULL until read (step.c) */
    uint8_t *extended;    /* floating-point and vector registers; NULL until read */
    size_t nextended;
    EZ_VEC(struct eval_held) held;
    EZ_VEC(struct eval_other) other; /* created when needed */
    unsigned steps;                  /* steps to callers and through synthetic pointers so far */
    /* number of callers from which a value is being computed, one inside the other (passed.c) */
    unsigned callers;
    bool others_made, any; /* any: `other` has a module */
};

/* held.c */
/* Reads memory of the target, or a value that the shell holds (EVAL_HELD). */
ez_err *eval_read(void *ev, uint64_t from, void *to, size_t n) EZ_WUR;
void held_end(struct eval *ev); /* frees all held values */
/* Allocates n bytes of the target's memory for good, and copies `bytes` there unless it is NULL. */
ez_err *held_there(struct ez_target *t, const void *bytes, size_t n, uint64_t *at) EZ_WUR;
/* Holds a copy of the value until the evaluation ends. *out says where the copy is. */
void eval_hold(struct eval *ev, const struct ez_value *value, struct ez_named *out);
/* held.c: sets *out to the address of an object. Copies an object that exists only in the shell,
 * such as a function's result, into memory of the target. */
ez_err *held_object(struct eval *ev, const struct ez_value *object, uint64_t *out) EZ_WUR;
/* Returns the held value that contains the address `at`, and sets *offset to the offset in it; NULL
 * if `at` is not a held address. */
const struct eval_held *held_at(const struct eval *ev, uint64_t at, uint64_t *offset);
/* Holds the target of a synthetic pointer. Returns its address, valid during the evaluation. */
uint64_t held_pointed(struct eval *ev, const struct ez_value *value, uint64_t key);
/* Sets *out to the address that held_pointed() returned for `key`. Returns false if it was not
 * called for `key`. */
bool held_known(const struct eval *ev, uint64_t key, uint64_t *out);
/* Returns whether `at` is a held address. In the result of an expression, only the target of a
 * synthetic pointer has such an address. The address can be shown and is the same until the
 * evaluation ends. It is never written to the target. */
bool held_is_pointed(uint64_t at);
ez_err *held_check(const struct ez_value *value) EZ_WUR;
/* Marks the held value at an address as a copy of elements that are not contiguous in memory; the
 * first one is at `from`. */
void held_scatter(struct eval *ev, uint64_t at, uint64_t from, const struct ez_type *t,
                  const int64_t *stride);
/* Returns whether n bytes of the held value are a copy of contiguous memory. */
bool held_is_copy(const struct eval_held *h, size_t n);
/* Replaces the address of a held value by an address in the target: where the value was copied from
 * or, for an array that exists only in the shell, where it is copied to. Returns EZ_E_ARG for
 * another value that exists only in the shell. Leaves all other addresses unchanged. */
ez_err *held_real(struct eval *ev, uint64_t *at) EZ_WUR;
/* Replaces the address of a held value, as held_real() does, in a word that is used as a number.
 * Returns an error for a synthetic pointer, which has no number. */
ez_err *held_number(struct eval *ev, uint64_t *word) EZ_WUR;
/* machine.h: replaces the operands of an operation by held_real(), if they are addresses of held
 * values. Sums, differences and comparisons within one held value do not need that. */
ez_err *held_numbers(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b) EZ_WUR;

/* eval.c */
/* Reads the variable called `name`. The name may have characters that an expression does not
 * allow. */
ez_err *eval_variable(struct eval *ev, const char *name, struct ez_value *out) EZ_WUR;
ez_err *eval_tree(struct eval *ev, const struct ez_expr *x, struct ez_value *out) EZ_WUR;
struct gen;
struct gen_operand;
struct gen_wide;
/* Computes with numbers of more than 8 bytes, vectors, complex numbers and C++ operators on class
 * objects. A callback in struct ez_scope; `arg` is the struct eval. */
ez_err *eval_wide(void *arg, const struct gen_wide *w, struct ez_named *out) EZ_WUR;

/* run.c */
/* Runs the code of an operand, and makes its value. */
ez_err *run_operand(struct eval *ev, struct gen *g, struct gen_operand *o,
                    struct ez_value *out) EZ_WUR;
/* Runs the code of operand i of `w`, and makes its value. */
ez_err *run_piece(struct eval *ev, const struct gen_wide *w, unsigned i,
                  struct ez_value *out) EZ_WUR;
/* Replaces a reference by the object that it refers to. */
ez_err *eval_referred(struct eval *ev, struct ez_value *v) EZ_WUR;
/* Callbacks in struct ez_scope; `arg` is the struct eval. eval_number() returns a number,
 * eval_address() an address. */
ez_err *eval_number(void *arg, const struct gen_wide *w, uint64_t *out) EZ_WUR;
ez_err *eval_address(void *arg, const struct gen_wide *w, uint64_t *out) EZ_WUR;
/* Converts the value to `type`, as C++ does for assignments and arguments: a pointer to an object
 * becomes a pointer to its base. */
ez_err *eval_convert(struct eval *ev, const struct ez_value *from, const struct ez_type *type,
                     struct ez_value *out) EZ_WUR;
/* Converts the address of an object of `class` to the address of that base class of it to which
 * `to` is a pointer. Leaves *at unchanged if `to` is no pointer to a base class. */
ez_err *eval_class_address(struct eval *ev, const struct ez_type *class, const struct ez_type *to,
                           uint64_t *at) EZ_WUR;
/* wide.c: computes the result of the operation; for COND, *out is the selected operand. */
ez_err *wide_apply(const struct gen_wide *w, const struct ez_value *operand,
                   struct ez_value *out) EZ_WUR;
/* several.c: computes the result of an operation on vectors or complex numbers. */
ez_err *several_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out) EZ_WUR;

/* expand.c: expands macros in the text. The caller frees *out, which is NULL if the text contains
 * no macro. If `end` is not NULL, expands only up to a comma, and sets *end to that comma. */
ez_err *expand_text(const struct eval *ev, const char *text, const char **end, char **out) EZ_WUR;
bool expand_macro(const struct eval *ev, const char *name, struct ez_macro *out);

/* value.c */
uint64_t value_word(const uint8_t *byte, size_t n); /* at most 8 bytes, zero-extended */
/* Reads at most `most` characters of `size` bytes each, up to the NUL. Returns their number without
 * the NUL. *good is false if memory could not be read before that. */
size_t value_read(struct ez_target *t, uint64_t at, void *to, size_t most, size_t size, bool *good);
struct ez_value value_made(const struct ez_type *t, const void *bytes, size_t n);
/* Makes a value of which some bytes are optimized out. lost: as in struct ez_value. */
struct ez_value value_partly(const struct ez_type *t, const uint8_t *bytes, const uint8_t *lost,
                             size_t n);
/* value_lost() returns whether all, some or none of n bytes are available; value_bits_lost()
 * whether any of these bits is optimized out. lost: as in struct ez_value. */
enum value_lost { VALUE_THERE, VALUE_PARTLY, VALUE_GONE };
enum value_lost value_lost(const uint8_t *lost, size_t n);
bool value_bits_lost(const uint8_t *lost, unsigned bit, unsigned bits);
ez_err *value_is_gone(void) EZ_WUR; /* always returns the error "value has been optimized out" */
/* Returns the error of value_is_gone() if any bit of the value is optimized out. */
ez_err *value_whole(const struct ez_value *value) EZ_WUR;
/* Returns a copy of a mask `lost` of struct ez_value, or NULL if it is NULL. The caller frees
 * it. */
uint8_t *value_copy_lost(const uint8_t *lost, size_t n);
/* Returns the floating-point number in `byte`; value_made_float() makes a value from such a
 * number. */
long double value_real(const struct ez_type *type, const uint8_t *byte);
struct ez_value value_made_float(const struct ez_type *type, long double v);
/* Returns the number in `bits` bits, the first of which is bit number `bit`. */
uint64_t value_bits(const void *bytes, unsigned bit, unsigned bits, bool is_signed);
size_t value_bits_bytes(unsigned bit, unsigned bits); /* number of bytes that contain these bits */
/* Converts the value to `type`. */
ez_err *value_convert(const struct ez_value *from, const struct ez_type *type,
                      struct ez_value *out) EZ_WUR;

/* fortran_num.c: computes powers, modulo, and the complex number of two real numbers. */
bool fortran_computes(const struct gen_wide *w);
ez_err *fortran_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out) EZ_WUR;
/* Callbacks in struct ez_scope; `arg` is the struct eval. */
ez_err *fortran_value(void *arg, const struct ez_expr *x, struct ez_named *out) EZ_WUR;
void fortran_hold(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                  struct ez_named *out);
void fortran_shape(void *arg, struct ez_named *of);
/* Converts a string that is assigned to the string `to`: truncates it or pads it with blanks.
 * Returns false if `to` is no string. */
bool fortran_as(const struct ez_value *from, const struct ez_value *to, struct ez_value *out);
/* Returns the value of a string literal. */
struct ez_value fortran_literal(struct eval *ev, const struct ez_expr *x);
/* section.c: evaluates a(2:4, :, 1). */
ez_err *section_of(struct eval *ev, const struct ez_expr *x, struct ez_named *out) EZ_WUR;

/* assign.c: assigns `value` to the place of `to`. *out is the value of that place afterwards. */
ez_err *assign_to(struct eval *ev, const struct ez_value *to, const struct ez_value *value,
                  struct ez_value *out) EZ_WUR;
/* Returns whether x is a convenience variable: the name after "$" begins with a letter or an
 * underscore, and no register has it. */
bool assign_is_convenience(struct eval *ev, const struct ez_expr *x);
void assign_convenience(struct eval *ev, const char *name, const struct ez_value *value,
                        struct ez_value *out);

/* called.c: call the program's function f, which the expression x calls with n arguments
 * (called_value), or only find the type of the result (called_type). like: address of a function
 * with the same parameters and result; 0 = f itself. */
ez_err *called_value(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                     uint64_t like, const struct ez_value *arg, size_t n,
                     struct ez_value *out) EZ_WUR;
ez_err *called_type(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                    const struct ez_type **out) EZ_WUR;

/* overload.c: selects the function that a call by name means. */
struct overload_call {
    const char *name;        /* name with class and namespaces, without parameters */
    const struct ez_expr *x; /* the call */
    const struct ez_value *arg;
    size_t n;
    /* function that the name alone means in this scope: it is preferred among equally good ones; 0
     * = none */
    uint64_t named;
    bool is_const; /* the object is const */
    bool strict;   /* an operator: only functions that accept these operands are considered */
};
struct overload_chosen {
    uint64_t func;              /* 0 = no function has that name */
    bool of_object, is_virtual; /* of_object: the first argument is `this` */
    /* for a virtual function: index in the table of virtual functions plus 1; 0 if unknown */
    uint64_t vtable;
};
/* Chooses the function that accepts the arguments best. If only one has the name, it is chosen
 * unchecked unless call->strict. out->func is 0 if none has the name. Returns EZ_E_ARG if none
 * accepts the arguments, or several are equally good. */
ez_err *overload_choose(struct eval *ev, const struct overload_call *call,
                        struct overload_chosen *out) EZ_WUR;

/* method.c: finds the function for a call of a member function of `object`. out->func is 0 if
 * `object` is no object of a class, or has a data member of that name. call->name is not set. */
struct method_called {
    /* like: the function whose parameters and result are used; object: the value of `this` */
    uint64_t func, like, object;
    bool of_object; /* `object` is passed as the first argument */
};
ez_err *method_call(struct eval *ev, const struct overload_call *call,
                    const struct ez_value *object, struct method_called *out) EZ_WUR;

/* method.c: finds the class that an object was created as. The callback `whole` of struct
 * ez_scope. */
ez_err *method_whole(void *arg, uint64_t *at, const struct ez_type **class) EZ_WUR;
/* method.c: calls the operator's function ("+=", "++") for n operands, at least one of which is an
 * object. "++" with two operands is the postfix operator; the second operand is then an int. */
ez_err *method_operator(struct eval *ev, const char *sign, const struct ez_value *v, unsigned n,
                        struct ez_value *out) EZ_WUR;
/* Returns whether the type is an object of a C++ class, or a reference to one. */
static inline bool eval_is_object(const struct ez_type *t)
{
    t = ez_type_strip(t);
    t = t->kind == EZ_TY_REFERENCE && t->to ? ez_type_strip(t->to) : t;
    return t->kind == EZ_TY_STRUCT && t->is_cxx;
}
/* Finds a function of that name in the namespaces of the arguments' classes; out->func is 0 if
 * there is none. */
ez_err *method_by_arguments(struct eval *ev, const struct overload_call *call, const char *base,
                            struct overload_chosen *out) EZ_WUR;

/* called.c: calls f with n arguments, before them `this` unless it is NULL. */
ez_err *called_of(struct eval *ev, const struct ez_expr *x, const struct ez_value *f, uint64_t like,
                  const struct ez_value *this, const struct ez_value *arg, size_t n,
                  struct ez_value *out) EZ_WUR;

/* member.c: evaluates &CLASS::NAME. Returns false if the expression is something else, or NAME is a
 * bit-field or a member of a virtual base. */
bool member_address(struct eval *ev, const struct ez_expr *x, struct ez_value *out, ez_err **e);
static inline bool member_is(const struct ez_expr *x)
{
    return x->kind == EZ_X_BINARY && (x->op == EZ_OP2('.', '*') || x->op == EZ_OP2('>', '*'));
}
/* Evaluates OBJECT.*P and POINTER->*P. If P points to a function, *object is its `this`. */
ez_err *member_apply(struct eval *ev, const struct ez_expr *x, struct ez_named *out,
                     uint64_t *object) EZ_WUR;

/* lookup.c: callbacks in struct ez_scope; `arg` is the struct eval. */
ez_err *lookup_name(void *arg, const char *scope, const char *name, struct ez_named *out) EZ_WUR;
ez_err *lookup_type(void *arg, const struct ez_type_name *name, const struct ez_type **out) EZ_WUR;
enum ez_means lookup_means(void *arg, const char *word);

/* names.c, value.c */
void names_begin(struct eval *ev); /* From now on, names are searched in the selected frame. */
/* From now on, names are searched in the frame with these registers, inside which `inside` inlined
 * functions are active. exact: as in struct ez_stack_frame. regs NULL: in no frame. */
void names_begin_at(struct eval *ev, const struct ez_regs *regs, bool exact, unsigned inside);
/* From now on, names are searched at the address pc, without a thread. */
void names_begin_code(struct eval *ev, uint64_t pc);
/* Finds $NAME: in the history, a register, a convenience variable; an unknown one is void. Returns
 * false if $NAME is a variable of probes that has a value in this frame. */
bool names_variable(struct eval *ev, const char *name, struct ez_value *out, ez_err **e);
ez_err *value_no_calls(void) EZ_WUR;
void names_end(struct eval *ev);

/* place.c: finds where a local variable is, and sets out->where. Returns false if it is a constant,
 * or is nowhere at this instruction. */
struct ez_dwarf_local;
bool place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out);
/* Computes the number that DWARF operations give. object: the address for
 * DW_OP_push_object_address; base: operations for the frame base, or NULL. */
bool place_computed(struct eval *ev, const struct ez_dwarf_ops *base, uint64_t object,
                    const struct ez_dwarf_ops *ops, uint64_t *out);
/* Computes the number that DWARF operations give, if they need no object. */
bool place_number(struct eval *ev, const struct ez_dwarf_ops *base, const struct ez_dwarf_ops *ops,
                  uint64_t *out);
/* Computes the canonical frame address from the operations of a row in the unwind table. */
bool place_cfa(struct eval *ev, const struct ez_dwarf_ops *ops, uint64_t *out);
/* Computes a word, and reads it if the operations lead to memory or a register. */
bool place_word(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out);
/* Computes an address. Returns false if the operations do not lead to memory. */
bool place_memory(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out);

/* passed.c: finds a register's value at the entry of the frame's function, from the caller's debug
 * information. Returns false if unknown. */
bool passed_register(struct eval *ev, uint64_t dwarf, uint64_t *out);
/* Finds the value that a parameter had at the function's entry, in the same way. */
bool passed_value(struct eval *ev, const char *name, struct ez_value *out);

struct ez_stack_frame;
/* host.c: finds the frame of the function in which the current frame's function is nested. Returns
 * false if it is not nested, or no such frame is found; else the caller frees frame->regs. */
bool host_find(struct eval *ev, struct ez_stack_frame *frame);

/* tls.c: finds the address of a thread-local variable. The callback `tls` of struct ez_scope. */
ez_err *tls_address(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                    uint64_t *out) EZ_WUR;

/* shape.c: copies and holds elements that are not contiguous. stride: bytes between elements, for
 * each dimension, the outermost first. out->type gives the numbers of elements. Returns false if
 * the elements cannot be read. */
bool shape_hold(struct eval *ev, const int64_t *stride, uint64_t at, struct ez_named *out);
/* Returns a copy of `like` that lives as long as the history. */
struct ez_type *shape_keep(struct eval *ev, const struct ez_type *like);
/* Replaces an array type whose bounds are computed at run time by one with constant bounds, and its
 * place by the address of its elements. */
void shape_resolve(struct eval *ev, const struct ez_dwarf_ops *base, struct ez_named *of);

/* step.c: finds a frame's caller from unwind tables. */
struct ez_stack_frame;
enum step { STEP_MADE, STEP_END, STEP_WRONG };
struct own_code;
/* Sets *out to the caller of frame `in`. ours: what own_code_at() found for `in`, or NULL. If the
 * result is STEP_WRONG, *why is the reason, which the caller frees. */
enum step step_out(struct eval *ev, struct ez_stack_frame *in, const struct own_code *ours,
                   struct ez_stack_frame *out, char **why);

/* Finds the caller of the frame in which names are searched, and skips frames of eztsh's own code.
 * Returns false if there is none; else the caller frees out->regs. */
bool step_caller(struct eval *ev, struct ez_stack_frame *out);
void step_end(struct eval *ev); /* frees what step_out() and step_cfa() allocated */
/* Returns whether backtraces end at the function that contains `at`: like gdb's, at main. */
bool step_is_last(struct eval *ev, uint64_t at);

/* Computes the canonical frame address of the frame in which names are searched. */
bool step_cfa(struct eval *ev, uint64_t *out);

/* own_code.c: finds eztsh's own code in the target by an instruction. Returns false if pc is in the
 * program's code. */
struct own_code {
    struct ez_dwarf_table *table; /* NULL = pc is a copy of the instruction at `copied` */
    uint64_t vaddr, copied;
    uint64_t func; /* for a trampoline: the probed instruction, before which the trampoline runs */
};
bool own_code_at(struct eval *ev, uint64_t pc, struct own_code *out);
void own_code_end(struct ez_history *v);

/* functions.c: calls $_NAME(...); name includes the dollar. */
ez_err *function_call(struct ez_history *v, const char *name, const struct ez_value *arg, size_t n,
                      struct ez_value *out) EZ_WUR;

/* json_member.c: evaluates $_json() with its two arguments. */
ez_err *json_member(struct ez_history *v, const struct ez_value *arg, struct ez_value *out) EZ_WUR;

/* Returns the description of the general register, or part of a register, called `name`; NULL if
 * there is none. */
const struct ez_reg_desc *register_named(const struct eval *ev, const char *name);
const struct ez_reg_desc *register_numbered(unsigned dwarf); /* NULL = not a general register */
/* Finds the value of $rsp and other registers, of parts of them ($eax), and of vector registers.
 * Returns false if there is no such register. */
bool register_value(struct eval *ev, const char *name, struct ez_value *out, ez_err **e);
/* returns EZ_E_STATE if no registers are available */
ez_err *register_need(struct eval *ev) EZ_WUR;
/* Returns 16 bytes at offset `at` of the floating-point and vector registers (ev->extended).
 * Returns EZ_E_STATE if the block is shorter. */
ez_err *register_extended(struct eval *ev, size_t at, const uint8_t **out) EZ_WUR;
/* Returns the low 16 bytes of a vector register. */
ez_err *register_vector(struct eval *ev, unsigned number, const uint8_t **out) EZ_WUR;
/* frame.c: executes the machine's operations that push a word of the frame. */
ez_err *frame_pushed(void *ev, const struct ez_code_op *op, uint64_t *out) EZ_WUR;
/* Returns the functions active at the instruction `at`, the innermost first; NULL if the module has
 * no debug information. */
const struct ez_dwarf_calls *frame_calls(struct ez_target *t, uint64_t at);
/* Returns how many of `calls` are inlined functions that begin at the instruction where the current
 * thread is stopped, and that the user has not entered yet. */
unsigned frame_before(struct ez_target *t, const struct ez_dwarf_calls *calls);

/* history.c */
void history_copy(const struct ez_value *from, struct ez_value *to);
/* Finds $, $$, $N and $$N. Returns false if the name is none of these. */
bool history_old(struct ez_history *v, const char *name, struct ez_value *out, ez_err **e);
/* Returns the value of the convenience variable; NULL if there is no such variable. */
struct ez_value *history_named(struct ez_history *v, const char *name);
/* Sets a variable, which owns the value from then on. */
void history_put(struct ez_history *v, const char *name, struct ez_value *value);

/* show_text.c */
struct show {
    struct ez_history *v;
    const struct ez_value *of; /* the value being shown; NULL if a string is shown alone */
    char format;
    bool sized;    /* for the command x: hexadecimal and binary numbers have all digits */
    ez_err *wrong; /* the value does not support the format, or NULL */
    unsigned most; /* maximum number of elements of an array, or characters of a string */
    unsigned left; /* array elements that may still be shown */
    unsigned depth;
    bool pretty;
    bool fortran;           /* writes values in Fortran's notation */
    bool bare;              /* leaves out the type before an address */
    EZ_VEC(uint64_t) fixed; /* addresses of static members being shown */
    EZ_VEC(uint64_t) vbase; /* addresses of virtual bases already shown: each is shown once */
    EZ_VEC(char) text;
};
/* stands for "unlimited": elements of an array, characters of a string */
#define SHOW_UNLIMITED (1u << 20)
#define SHOW_REPEATS 10 /* minimum number of equal elements that are shown as one with a count */
struct show show_begin(struct ez_history *v, char format);
void show_add(struct show *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Records that the value does not support the format. */
void show_wrong(struct show *s, const char *why);
/* Shows one character, or one UTF-8 sequence, of the `left` bytes at `c`. Returns the number of
 * bytes. */
size_t show_character(struct show *s, const uint8_t *c, size_t left, char quote);
/* Shows a value in the notation of trace values (engine/record/items.h). */
void show_item(struct show *s, enum ez_item_type type, const uint64_t *word, unsigned n);
/* Shows characters in quotes (single quotes for Fortran), and a long run of one character as '\000'
 * <repeats 20 times>. more: the string continues. */
void show_string(struct show *s, const uint8_t *c, size_t n, bool more);
/* show_wide.c: after the number of a wchar_t or similar, shows the character: " L'x'". */
void show_wide(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* Returns the prefix of strings whose characters have this type. *size is the size of a character
 * in bytes, 0 for other types. */
char show_wide_prefix(const struct ez_type *t, size_t *size);
/* Returns whether the type has the name of a wide character itself, not by a typedef. */
bool show_wide_is_named(const struct ez_type *t);
/* Show n characters of `size` bytes. show_wide_chars() leaves out the zeros at the end of an
 * array. */
void show_wide_string(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size,
                      bool more);
void show_wide_chars(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size);
/* Shows the string at an address, or why it cannot be read. prefix: as from show_wide_prefix(). */
void show_pointed(struct show *s, uint64_t at, char prefix, size_t size);
/* Shows an address: "0x401136 <main+4>". */
void show_address(struct show *s, uint64_t at);

/* show.c: returns whether n bytes at a and b, parts of the value, are equal, and the same bits of
 * both are optimized out. */
bool show_same(const struct show *s, const uint8_t *a, const uint8_t *b, size_t n);
/* Shows the string in a char array of n bytes. */
void show_chars(struct show *s, const uint8_t *c, size_t n);
/* Shows a part of a value. n: bytes of the value from `byte` on. */
void show_any(struct show *s, const struct ez_type *type, const uint8_t *byte, uint64_t n);
/* With `set print pretty`, begins the line of a member (in: 1) or of the closing brace (in: 0). */
void show_line(struct show *s, unsigned in);
/* show_class.c */
void show_member_pointer(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* show_rust.c */
void show_rust_struct(struct show *s, const struct ez_type *t, const uint8_t *byte);
bool show_rust_char(struct show *s, const struct ez_type *t, const uint8_t *byte);
void show_rust_bytes(struct show *s, const struct ez_type *t, uint64_t at);

/* show_fortran.c */
/* n: bytes of the value from `byte` on. */
void show_fortran_array(struct show *s, const struct ez_type *t, const uint8_t *byte, uint64_t n);
void show_fortran_struct(struct show *s, const struct ez_type *t, const uint8_t *byte);
void show_fortran_text_at(struct show *s, const struct ez_type *pointer, uint64_t at);

/* show_as.c */
void show_float(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* Shows a scalar in the user's format. Returns false if the format leaves the notation to the
 * type. */
bool show_as(struct show *s, const struct ez_type *t, const uint8_t *byte);

#endif
