/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval_priv.h - what the files of engine/eval share.
 *
 *   eval.c    an expression becomes code, runs, and leaves a value     lookup.c  what names mean
 *   names.c   what the shell holds, calls
 *   held.c    memory, and what is held                                 shape.c   arrays of Fortran, VLAs
 *   assign.c  EXPR = EXPR                                              frame.c   registers, frame
 *   history.c history, convenience variables                           place.c   where DWARF has locals
 *   passed.c  what a caller passed                                     host.c    variables of functions around it
 *   show.c, show_as.c, show_text.c, show_wide.c, show_rust.c, show_fortran.c, show_class.c: values as text
 *   called.c  functions of the program
 *   fortran.c, fortran_num.c, section.c: what Fortran has
 *   functions.c $_streq and its kin                              value.c   values by themselves
 *   expand.c  macros                   tls.c     thread-local variables
 *   wide.c    numbers of more than 8 bytes                       several.c of several numbers
 *   frames.c  all frames of a thread   step.c   a frame's caller       own_code.c    our own code */
#ifndef EZ_EVAL_PRIV_H
#define EZ_EVAL_PRIV_H

#include "arch/arch.h"
#include "engine/base/vec.h"
#include "engine/data/clause.h"
#include "engine/data/dwarf.h"
#include "engine/data/expr.h"
#include "engine/eval/eval.h"
#include "engine/ezt.h"

struct eval_var {
    char *name; /* without the dollar                                             */
    struct ez_value value;
};
struct ez_history {
    struct ez_target *t;
    /* ez_eval(), for static members, which are shown with their classes: eval.c puts it there, for show_class.c is below. */
    ez_err *(*eval)(struct ez_history *v, const char *text, const char **end, struct ez_value *out);
    EZ_VEC(struct ez_value) history; /* $1 is the first                              */
    EZ_VEC(struct eval_var) var;
    struct { /* unwind tables of our own code (own_code.c)                               */
        struct ez_dwarf_table table;
        int fd;
        bool failed;
    } ours[2];
    ez_answer_fn *answer; /* for $_json(); NULL = there is no session              */
    void *answer_arg;
    EZ_VEC(void *) kept; /* types of variables of unknown type, and their names   */
};

/* What the shell holds while an expression is evaluated stands at addresses that no process has, so
 * that code finds it like memory. */
#define EVAL_HELD 0x9e3b700000000000u
#define EVAL_HELD_AT                                                                               \
    0x80000000u /* where each has its begin, in 4 GiB of addresses: pointers may lead before it, too */
#define EVAL_STEPS 1000         /* of struct eval: hostile debug information may ask for 2^64 */
#define EVAL_LARGEST (1u << 20) /* bytes of a value                                          */
struct eval_held {
    uint8_t *byte, *lost; /* as in struct ez_value; owned                               */
    size_t n;
    bool lval;     /* it is a copy of what is in memory at `addr`                    */
    bool is_array; /* of C, no vector: it gets memory of its own when its address is needed */
    unsigned
        strides; /* of an array whose elements do not lie side by side there: so many of dim[] */
    struct {
        uint64_t size; /* of an element of this dimension, in the copy                        */
        int64_t stride;
    } dim[EZ_DWARF_DIMENSIONS]; /* the outermost one first */
    bool pointed; /* a pointer of the program leads to it, and it is in no memory      */
    uint64_t addr;
    uint64_t key; /* pointed: of the variable, so that all pointers to it are equal    */
};

struct eval_other { /* a module in which the target does not stand                         */
    const struct ez_object *obj;
    struct ez_scope *s;
    bool is_program;
};

struct eval { /* one evaluation                                                      */
    struct ez_history *v;
    struct ez_target *t;
    struct ez_scope scope;      /* of the expression (names.c)                       */
    struct ez_scope *inner;     /* of the function where the target stands; NULL      */
    struct ez_module_info here; /* its module; obj NULL = not known                   */
    const struct ez_regs *regs; /* NULL = the target is not stopped                   */
    bool at_stop;      /* of a probe: the registers are those of the call, not the thread's own */
    uint64_t pc, look; /* look: an instruction of the function, for tables            */
    bool at_entry;
    const struct ez_expr *whole; /* what is evaluated                                  */
    bool still;                  /* nothing is called                                           */
    bool loose;      /* what nothing is known of returns a long                                 */
    bool types;      /* only the type is asked for: nothing is called or assigned         */
    bool checks;     /* names are looked up at `look`, and there are no values                */
    uint64_t which;  /* enum dwarf_which, of local variables                                  */
    unsigned inside; /* inlined functions that are open in the one that names mean               */
    bool inlined;    /* which is inlined itself                                           */
    enum { EVAL_CFA_NEW, EVAL_CFA_KNOWN, EVAL_CFA_NONE } cfa_state;
    uint64_t cfa;
    struct ez_maps *maps; /* of the process; NULL = not read yet (step.c)                  */
    uint8_t *extended;    /* floating point and vector registers; NULL = not read yet      */
    size_t nextended;
    EZ_VEC(struct eval_held) held;
    EZ_VEC(struct eval_other) other; /* made when they are asked                                */
    unsigned steps;   /* to callers and through synthetic pointers, so far                     */
    unsigned callers; /* through so many of them is a value looked for (passed.c)             */
    bool others_made, any; /* any: there is a module                                  */
};

/* held.c */
/* Memory of the target, or what is held. */
ez_err *eval_read(void *ev, uint64_t from, void *to, size_t n) EZ_WUR;
void held_end(struct eval *ev); /* frees what is held */
/* Puts bytes into new memory of the target, which stays; bytes NULL: only makes it. */
ez_err *held_there(struct ez_target *t, const void *bytes, size_t n, uint64_t *at) EZ_WUR;
/* Where it stands for the length of the evaluation: bytes are copied. */
void eval_hold(struct eval *ev, const struct ez_value *value, struct ez_named *out);
/* held.c: where an object is. One that is nowhere in the program, as a result, is put into memory there. */
ez_err *held_object(struct eval *ev, const struct ez_value *object, uint64_t *out) EZ_WUR;
/* What is held at an address, and how far behind its begin; NULL = nothing. */
const struct eval_held *held_at(const struct eval *ev, uint64_t at, uint64_t *offset);
/* The same of what a pointer of the program leads to: its address as long as the evaluation lasts. */
uint64_t held_pointed(struct eval *ev, const struct ez_value *value, uint64_t key);
/* That of a variable which is held already; false = it is not. */
bool held_known(const struct eval *ev, uint64_t key, uint64_t *out);
/* Does such a pointer lead there? It stays as it is in values: it is shown, and never written to the target. */
bool held_is_pointed(uint64_t at);
ez_err *held_check(const struct ez_value *value) EZ_WUR;
/* What was held at an address is a copy of elements that lie so in memory, from `from` on. */
void held_scatter(struct eval *ev, uint64_t at, uint64_t from, const struct ez_type *t,
                  const int64_t *stride);
/* Are so many bytes there a copy of what is in memory side by side? */
bool held_is_copy(const struct eval_held *h, size_t n);
/* An address of what is held becomes one of the target's: if it is a copy of something there, or an array, which is put
 * there then. */
ez_err *held_real(struct eval *ev, uint64_t *at) EZ_WUR;
/* The same of a number: a synthetic pointer has none. */
ez_err *held_number(struct eval *ev, uint64_t *word) EZ_WUR;
/* machine.h: sums, differences and comparisons of addresses within one held value are right as they are. */
ez_err *held_numbers(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b) EZ_WUR;

/* eval.c */
/* The variable of that name, which may be none that can be written. */
ez_err *eval_variable(struct eval *ev, const char *name, struct ez_value *out) EZ_WUR;
ez_err *eval_tree(struct eval *ev, const struct ez_expr *x, struct ez_value *out) EZ_WUR;
/* A reference becomes what it leads to. */
ez_err *eval_referred(struct eval *ev, struct ez_value *v) EZ_WUR;
struct gen_wide;
/* For struct ez_scope; arg is the evaluation: numbers of more than 8 bytes, and one number. */
ez_err *eval_wide(void *arg, const struct gen_wide *w, struct ez_named *out) EZ_WUR;
ez_err *eval_number(void *arg, const struct gen_wide *w, uint64_t *out) EZ_WUR;
ez_err *eval_address(void *arg, const struct gen_wide *w, uint64_t *out) EZ_WUR;
/* wide.c: the result of the operation; of COND, the operand that was chosen. */
ez_err *wide_apply(const struct gen_wide *w, const struct ez_value *operand,
                   struct ez_value *out) EZ_WUR;
/* several.c: the same of vectors and complex numbers. */
ez_err *several_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out) EZ_WUR;
/* The value as one of that type, as C++ does it when it is assigned or passed: a pointer to an object leads to its base. */
ez_err *eval_convert(struct eval *ev, const struct ez_value *from, const struct ez_type *type,
                     struct ez_value *out) EZ_WUR;
/* The address of an object of that class as that of its base to which `to` leads. */
ez_err *eval_class_address(struct eval *ev, const struct ez_type *class, const struct ez_type *to,
                           uint64_t *at) EZ_WUR;

/* expand.c: the text without the macros that hold there, to be freed; NULL = it has none. end: only up to a comma, where
 * *end then is, if it has some. */
ez_err *expand_text(const struct eval *ev, const char *text, const char **end, char **out) EZ_WUR;

/* value.c */
uint64_t value_word(const uint8_t *byte, size_t n); /* 8 bytes at most, zeros above      */
/* The text there up to its NUL, which is left out, of characters of so many bytes; how many. good = it is that, or `most`
 * characters. */
size_t value_read(struct ez_target *t, uint64_t at, void *to, size_t most, size_t size, bool *good);
struct ez_value value_made(const struct ez_type *t, const void *bytes, size_t n);
/* The same of bytes of which some are optimized out (struct ez_value). */
struct ez_value value_partly(const struct ez_type *t, const uint8_t *bytes, const uint8_t *lost,
                             size_t n);
/* What of n bytes is optimized out, and whether one of so many bits of them is. lost: as in struct ez_value. */
enum value_lost { VALUE_THERE, VALUE_PARTLY, VALUE_GONE };
enum value_lost value_lost(const uint8_t *lost, size_t n);
bool value_bits_lost(const uint8_t *lost, unsigned bit, unsigned bits);
ez_err *value_is_gone(void) EZ_WUR; /* "value has been optimized out" */
/* The same error unless all of the value is there. */
ez_err *value_whole(const struct ez_value *value) EZ_WUR;
/* The mask of struct ez_value, or NULL; the caller frees it. */
uint8_t *value_copy_lost(const uint8_t *lost, size_t n);
/* A floating-point number of that type; and one as a value. */
long double value_real(const struct ez_type *type, const uint8_t *byte);
struct ez_value value_made_float(const struct ez_type *type, long double v);
/* The number in so many bits of some bytes, from bit `bit` on. */
uint64_t value_bits(const void *bytes, unsigned bit, unsigned bits, bool is_signed);
size_t value_bits_bytes(unsigned bit, unsigned bits); /* how many bytes hold these bits */
/* The value as one of that type. */
ez_err *value_convert(const struct ez_value *from, const struct ez_type *type,
                      struct ez_value *out) EZ_WUR;

/* fortran_num.c: powers, modulo, complex numbers of two real ones. */
bool fortran_computes(const struct gen_wide *w);
ez_err *fortran_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out) EZ_WUR;
/* fortran.c: a subscript. */
ez_err *fortran_subscript(struct eval *ev, const struct ez_expr *x, int64_t *out) EZ_WUR;
/* Members of struct ez_scope, arg is the evaluation. */
ez_err *fortran_value(void *arg, const struct ez_expr *x, struct ez_named *out) EZ_WUR;
void fortran_hold(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                  struct ez_named *out);
void fortran_shape(void *arg, struct ez_named *of);
/* What is assigned to `to`: a text of its length, cut or with blanks behind it. false = it is none. */
bool fortran_as(const struct ez_value *from, const struct ez_value *to, struct ez_value *out);
struct ez_value fortran_literal(struct eval *ev, const struct ez_expr *x); /* of a text */
/* section.c: a(2:4, :, 1) */
ez_err *section_of(struct eval *ev, const struct ez_expr *x, struct ez_named *out) EZ_WUR;

/* assign.c */
ez_err *eval_assign(struct eval *ev, const struct ez_expr *x, struct ez_value *out) EZ_WUR;

/* called.c: of the program's function f, which x calls with these n values: its result, and its type alone. like: the
 * function whose parameters and result it has; 0 = its own. */
ez_err *called_value(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                     uint64_t like, const struct ez_value *arg, size_t n,
                     struct ez_value *out) EZ_WUR;
ez_err *called_type(struct eval *ev, const struct ez_expr *x, const struct ez_value *f,
                    const struct ez_type **out) EZ_WUR;

/* overload.c: which function of that name is called. */
struct overload_call {
    const char *name;        /* with its class and namespaces, without parameters             */
    const struct ez_expr *x; /* the call                                                      */
    const struct ez_value *arg;
    size_t n;
    uint64_t
        named; /* the function that the name means there: it wins among equal ones; 0 = none   */
    bool is_const; /* the object is                                                          */
    bool strict;   /* an operator: no function that does not take these values is called      */
};
struct overload_chosen {
    uint64_t func; /* 0 = there is none of that name                                              */
    bool of_object,
        is_virtual; /* its first argument is `this`                                     */
    uint64_t
        vtable; /* of a virtual one: its place in the table, from 0 on, plus 1; 0 = not told     */
};
/* EZ_E_ARG: none of several takes the arguments, or several do. */
ez_err *overload_choose(struct eval *ev, const struct overload_call *call,
                        struct overload_chosen *out) EZ_WUR;

/* method.c: the call of a function of an object's class; func 0 = it is none. call: without its name. */
struct method_called {
    uint64_t func, like,
        object;     /* like: the function that says what it takes and returns            */
    bool of_object; /* `object` is the first argument                                           */
};
ez_err *method_call(struct eval *ev, const struct overload_call *call,
                    struct method_called *out) EZ_WUR;

/* method.c: see ez_scope.whole. */
ez_err *method_whole(void *arg, uint64_t *at, const struct ez_type **class) EZ_WUR;
/* method.c: calls the operator's function ("+=", "++") for n operands, of which one is an object. "++" with two operands is
 * the postfix operator; the second operand is then an int. */
ez_err *method_operator(struct eval *ev, const char *sign, const struct ez_value *v, unsigned n,
                        struct ez_value *out) EZ_WUR;
/* An object of a class, or a reference to one. */
static inline bool eval_is_object(const struct ez_type *t)
{
    t = ez_type_strip(t);
    t = t->kind == EZ_TY_REFERENCE && t->to ? ez_type_strip(t->to) : t;
    return t->kind == EZ_TY_STRUCT && t->is_cxx;
}
/* A function of that name in the namespaces of the arguments' classes; func 0: there is none. */
ez_err *method_by_arguments(struct eval *ev, const struct overload_call *call, const char *base,
                            struct overload_chosen *out) EZ_WUR;

/* called.c: calls f with `this`, if that is not NULL, and the values. */
ez_err *called_of(struct eval *ev, const struct ez_expr *x, const struct ez_value *f, uint64_t like,
                  const struct ez_value *this, const struct ez_value *arg, size_t n,
                  struct ez_value *out) EZ_WUR;

/* member.c: &CLASS::NAME; false = it is something else. */
bool member_address(struct eval *ev, const struct ez_expr *x, struct ez_value *out, ez_err **e);
static inline bool member_is(const struct ez_expr *x)
{
    return x->kind == EZ_X_BINARY && (x->op == EZ_OP2('.', '*') || x->op == EZ_OP2('>', '*'));
}
/* OBJECT.*P, POINTER->*P: what is there; *object: of a function's, its `this`. */
ez_err *member_apply(struct eval *ev, const struct ez_expr *x, struct ez_named *out,
                     uint64_t *object) EZ_WUR;

/* lookup.c: members of struct ez_scope, arg is the evaluation */
ez_err *lookup_name(void *arg, const char *scope, const char *name, struct ez_named *out) EZ_WUR;
ez_err *lookup_type(void *arg, const struct ez_type_name *name, const struct ez_type **out) EZ_WUR;
enum ez_means lookup_means(void *arg, const char *word);

/* names.c */
void names_begin(struct eval *ev); /* in the selected frame */
/* In a frame with so many inlined ones inside; NULL = in none. */
void names_begin_at(struct eval *ev, const struct ez_regs *regs, bool exact, unsigned inside);
void names_begin_code(struct eval *ev, uint64_t pc); /* there, though no thread is */
/* $NAME: of the history, a register, a convenience variable; false = probes know it. */
bool names_variable(struct eval *ev, const char *name, struct ez_value *out, ez_err **e);
ez_err *value_no_calls(void) EZ_WUR;
void names_end(struct eval *ev);

/* place.c: the place of a local variable; its type is known. */
struct ez_dwarf_local;
void place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out);
/* The number that operations compute of an object at an address, in a frame with that base (NULL = none). */
bool place_computed(struct eval *ev, const struct ez_dwarf_ops *base, uint64_t object,
                    const struct ez_dwarf_ops *ops, uint64_t *out);
/* The number that operations compute in a frame with that base: false = they cannot, or there are none. */
bool place_number(struct eval *ev, const struct ez_dwarf_ops *base, const struct ez_dwarf_ops *ops,
                  uint64_t *out);
/* Of a row: the canonical frame address. */
bool place_cfa(struct eval *ev, const struct ez_dwarf_ops *ops, uint64_t *out);
/* The word that is told: a value, or one in memory or a register. */
bool place_word(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out);
/* Where in memory it is; false = it is elsewhere. */
bool place_memory(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out);

/* passed.c: what a register had when the function was called, as its caller tells it. false = it is not told. */
bool passed_register(struct eval *ev, uint64_t dwarf, uint64_t *out);
/* What the parameter of the frame's function had then. */
bool passed_value(struct eval *ev, const char *name, struct ez_value *out);

struct ez_stack_frame;
/* host.c: the frame of the function around that of the frame; false = there is none. frame->regs is to be freed. */
bool host_find(struct eval *ev, struct ez_stack_frame *frame);

/* tls.c: struct ez_scope's tls, arg is the evaluation. */
ez_err *tls_address(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                    uint64_t *out) EZ_WUR;

/* shape.c: elements that do not lie side by side are copied and held. stride: of each dimension, outermost first, in
 * bytes; out->type says how many. false = they cannot be read. */
bool shape_hold(struct eval *ev, const int64_t *stride, uint64_t at, struct ez_named *out);
/* A type that lives as long as the history. */
struct ez_type *shape_keep(struct eval *ev, const struct ez_type *like);
/* An array whose bounds the running program knows becomes one of known bounds, at its elements. */
void shape_resolve(struct eval *ev, const struct ez_dwarf_ops *base, struct ez_named *of);

/* step.c: from a frame to its caller's, by unwind tables. */
struct ez_stack_frame;
enum step { STEP_MADE, STEP_END, STEP_WRONG };
struct ours;
/* in: its registers; ours: of our own code at its instruction, or NULL; out: the caller's. why: what is
 * wrong; to be freed, may stay NULL. */
enum step step_out(struct eval *ev, struct ez_stack_frame *in, const struct ours *ours,
                   struct ez_stack_frame *out, char **why);

/* From the frame of what is evaluated to its function's caller, past frames of our own code. out->regs is to be freed. */
bool step_caller(struct eval *ev, struct ez_stack_frame *out);
void step_end(struct eval *ev); /* frees what steps made */
/* Is the function there the last one that is shown? gdb goes no further than main. */
bool step_is_last(struct eval *ev, uint64_t at);

/* The canonical frame address by unwind tables, of what is evaluated. */
bool step_cfa(struct eval *ev, uint64_t *out);

/* own_code.c: code of eztsh's own in the target. false = pc is not in such code. */
struct ours {
    struct ez_dwarf_table *table; /* NULL = the instruction is a copy of the one at `copied`  */
    uint64_t vaddr, copied;
    uint64_t func; /* of a trampoline: the instruction before which it runs                     */
};
bool ours_at(struct eval *ev, uint64_t pc, struct ours *out);
void ours_end(struct ez_history *v);

/* functions.c: a call of $_NAME(...), with its dollar. */
ez_err *function_call(struct ez_history *v, const char *name, const struct ez_value *arg, size_t n,
                      struct ez_value *out) EZ_WUR;

/* json_member.c: $_json() of its two arguments. */
ez_err *json_member(struct ez_history *v, const struct ez_value *arg, struct ez_value *out) EZ_WUR;

/* frame.c */
const struct ez_reg_desc *frame_register(const struct eval *ev, const char *name);
const struct ez_reg_desc *frame_numbered(unsigned dwarf); /* NULL = no general register */
/* $rsp and its kin, parts, vector registers; false = there is no such register. */
bool frame_value(struct eval *ev, const char *name, struct ez_value *out, ez_err **e);
/* The 16 low bytes of a vector register. */
ez_err *frame_vector(struct eval *ev, unsigned number, const uint8_t **out) EZ_WUR;
/* For the machine. */
ez_err *frame_pushed(void *ev, const struct ez_code_op *op, uint64_t *out) EZ_WUR;
bool frame_cfa(struct eval *ev, uint64_t *out);
/* The functions that are open at an instruction; NULL = the debug information has none. */
const struct ez_dwarf_calls *frame_calls(struct ez_target *t, uint64_t at);
/* How many of them begin right where the current thread stands, and are not entered yet. */
unsigned frame_before(struct ez_target *t, const struct ez_dwarf_calls *calls);

/* history.c*/
void history_copy(const struct ez_value *from, struct ez_value *to);
/* $, $$, $N, $$N; false = the name is none of these. */
bool history_old(struct ez_history *v, const char *name, struct ez_value *out, ez_err **e);
struct ez_value *history_named(struct ez_history *v, const char *name); /* NULL = it is void */
void history_put(struct ez_history *v, const char *name, struct ez_value *value); /* takes it */

/* show_text.c */
struct show {
    struct ez_history *v;
    const struct ez_value *of; /* what is shown; NULL = another text                    */
    char format;
    bool sized;    /* a unit of memory: hexadecimal and binary numbers have all their digits */
    ez_err *wrong; /* the value has no such form; NULL = it has                               */
    unsigned most; /* elements of an array, characters of a text                        */
    unsigned left; /* elements of arrays that may still be shown                     */
    unsigned depth;
    bool pretty;
    bool fortran; /* in the notation of Fortran                                          */
    bool bare;    /* without the type before an address                                      */
    EZ_VEC(uint64_t) fixed; /* addresses of static members that are shown */
    EZ_VEC(uint64_t) vbase; /* addresses of virtual bases that are shown: each is one time      */
    EZ_VEC(char) text;
};
#define SHOW_UNLIMITED                                                                             \
    (1u << 20)          /* elements of an array, characters of a text: as many as are "unlimited" */
#define SHOW_REPEATS 10 /* as many equal elements are told as one                      */
struct show show_begin(struct ez_history *v, char format);
void show_add(struct show *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* The value cannot be shown by that letter. */
void show_wrong(struct show *s, const char *why);
/* One character, or the UTF-8 of one: returns how many bytes. */
size_t show_character(struct show *s, const uint8_t *c, size_t left, char quote);
/* As values of traces are shown (engine/ring/items.h). */
void show_item(struct show *s, enum ez_item_type type, const uint64_t *word, unsigned n);
/* Characters in quotes, Fortran's in single ones, runs of one as '\000' <repeats 20 times>. more: it goes on. */
void show_string(struct show *s, const uint8_t *c, size_t n, bool more);
/* show_wide.c: behind the number of a wchar_t and its kin, the character: " L'x'". */
void show_wide(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* What stands before texts of such a type, and the bytes of a character; 0 = it is another type. */
char show_wide_prefix(const struct ez_type *t, size_t *size);
/* Is it such a type by its own name? */
bool show_wide_is_named(const struct ez_type *t);
/* n characters of so many bytes; of an array: but zeros at its end. */
void show_wide_string(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size,
                      bool more);
void show_wide_chars(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size);
/* The text at an address, or why it cannot be read. prefix: as of show_wide_prefix(). */
void show_pointed(struct show *s, uint64_t at, char prefix, size_t size);
void show_float(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* "0x401136 <main+4>" */
void show_address(struct show *s, uint64_t at);

/* show.c: have two parts of the value the same bytes, and of the same ones none? */
bool show_same(const struct show *s, const uint8_t *a, const uint8_t *b, size_t n);
/* The text in an array of n bytes. */
void show_chars(struct show *s, const uint8_t *c, size_t n);
/* A part of a value, of which n bytes are there. */
void show_any(struct show *s, const struct ez_type *type, const uint8_t *byte, uint64_t n);
/* With `set print pretty` each member begins a line, and so does the end. in: 1 = inside of the struct. */
void show_line(struct show *s, unsigned in);
/* show_class.c */
void show_member_pointer(struct show *s, const struct ez_type *t, const uint8_t *byte);
/* Static members that stand behind so many others; last: and all behind those. between: is called before each. */
void show_statics(struct show *s, const struct ez_type *t, size_t before, bool last,
                  void (*between)(struct show *s, void *arg), void *arg);
/* show_rust.c */
void show_rust_struct(struct show *s, const struct ez_type *t, const uint8_t *byte);
bool show_rust_char(struct show *s, const struct ez_type *t, const uint8_t *byte);
void show_rust_bytes(struct show *s, const struct ez_type *t, uint64_t at);

/* show_fortran.c */
/* n: bytes that are there from its begin on.*/
void show_fortran_array(struct show *s, const struct ez_type *t, const uint8_t *byte, uint64_t n);
void show_fortran_struct(struct show *s, const struct ez_type *t, const uint8_t *byte);
void show_fortran_text_at(struct show *s, const struct ez_type *pointer, uint64_t at);

/* show_as.c: a scalar by a format's letter; false = the type decides. */
bool show_as(struct show *s, const struct ez_type *t, const uint8_t *byte);

#endif
