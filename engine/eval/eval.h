/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.h - values of expressions in the stopped target, as gdb's print shows them.
 *
 * Expressions are those of probes (engine/expr/expr.h), compiled to the same code, which runs in
 * the shell (engine/expr/machine.h). Only the shell evaluates $registers, convenience variables
 * ($v), the value history ($, $$, $N), strings, EXPR@N, assignments, and locals of the function in
 * which the target is stopped. A value may be kept over many runs of the program, because its type
 * lives as long as the ELF file that describes the type.
 *
 * Tests: tests/unit/eval/check_eval.c, tests/procs/print.sh */
#ifndef EZ_EVAL_H
#define EZ_EVAL_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_reg_desc;
struct ez_regs;
struct ez_target;
struct ez_type;

enum ez_lval { EZ_L_NONE, EZ_L_MEMORY, EZ_L_REGISTER };
struct ez_value {
    const struct ez_type *type;
    /* the value's place, which decides whether it can be assigned to and has an address */
    enum ez_lval lval;
    uint64_t addr;      /* address, for EZ_L_MEMORY */
    unsigned bit, bits; /* position and width of a bit-field; bits 0 = no bit-field */
    const struct ez_reg_desc *reg;
    /* type of the C++ reference by which the expression named the value, or NULL */
    const struct ez_type *by;
    bool is_fortran; /* value of a Fortran expression, shown in Fortran's notation */
    bool gone;       /* the value is optimized out */
    uint8_t *byte;   /* n bytes, owned; for a bit-field, the field's number in n bytes */
    size_t n;
    /* mask of n bytes, in which ones mark bits that are optimized out; owned; NULL if no bit is */
    uint8_t *lost;
};
void ez_value_clear(struct ez_value *v);

/* Convenience variables and value history, one for a session. */
struct ez_history;
struct ez_history *ez_history_new(struct ez_target *t);
/* Lets lower rooms walk the frames of the target's threads (ez_plugin_frames). Call it once. */
void ez_frames_serve(struct ez_target *t);
void ez_history_free(struct ez_history *v);
/* Makes $_json() run commands with `answer`, which returns the command's output as JSON. The caller
 * frees *json. */
typedef ez_err *ez_answer_fn(void *arg, const char *command, char **json);
void ez_history_answer(struct ez_history *v, ez_answer_fn *answer, void *arg);

/* Evaluates an expression. While the process runs, no register is available. Without a process,
 * memory is read from the program's file. Returns EZ_E_NOTFOUND for `No symbol "x" in current
 * context.`, EZ_E_SYS for `Cannot access memory at address 0x8`. *end is the position of the comma
 * that ends the expression, or of the text's end; if `end` is NULL, the expression must be all of
 * `text`. */
ez_err *ez_eval(struct ez_history *v, const char *text, const char **end,
                struct ez_value *out) EZ_WUR;
/* Evaluates an expression as ez_eval() does. STILL: calls no function of the program, because the
 * shell is stepping or continuing the target. LOOSE: the result of a function whose result type is
 * unknown counts as a long; without LOOSE, a cast must give its type. */
enum ez_eval_how { EZ_EVAL_STILL, EZ_EVAL_LOOSE };
ez_err *ez_eval_so(struct ez_history *v, enum ez_eval_how how, const char *text,
                   struct ez_value *out) EZ_WUR;
/* Checks that the text is an expression whose names exist at the instruction `at`, or in the
 * selected frame if `at` is 0. Reads no memory. Returns the errors of ez_eval(). */
ez_err *ez_eval_check(struct ez_history *v, uint64_t at, const char *text) EZ_WUR;
/* Sets *out to the type of an expression, or to the type that `text` names, without reading or
 * assigning anything. whole: with members. The caller frees *out. */
ez_err *ez_eval_type(struct ez_history *v, const char *text, bool whole, char **out) EZ_WUR;
/* Expands macros of the program in the text. The caller frees *out, which is NULL if the text
 * contains no macro. */
ez_err *ez_eval_expand(struct ez_history *v, const char *text, char **out) EZ_WUR;
/* The definition of a macro that applies in the selected frame. ez_eval_macro() returns false if
 * the name is no macro. */
struct ez_macro {
    const char *text; /* "NAME body" or "NAME(a,b) body"; valid as long as the ELF file's symbols */
    struct {
        const char *file; /* NULL if unknown */
        unsigned line;
        /* where the macro is defined, where that file is included, and so on; empty for macros of
         * the compiler */
    } at[16];
    unsigned n;
};
bool ez_eval_macro(struct ez_history *v, const char *name, struct ez_macro *out);
/* Sets *out to the value as an address: the address of an array or a function, else the number
 * itself. */
ez_err *ez_value_address(const struct ez_value *value, uint64_t *out) EZ_WUR;
/* Sets *out to the value as an address, as ez_value_address() does, but copies an array that exists
 * only in the shell, such as a string, into new memory of the target. */
ez_err *ez_value_place(struct ez_history *v, const struct ez_value *value, uint64_t *out) EZ_WUR;
/* Sets *out to the value as a number. Of a floating-point number *out gets the integer part (1 <<
 * 63 if that is out of range), *is_real is true, and *real is the number. */
ez_err *ez_value_number(const struct ez_value *value, uint64_t *out, bool *is_real,
                        double *real) EZ_WUR;
/* Sets *out to the string in a char array, or at a pointer, up to its NUL. The caller frees it. */
ez_err *ez_value_string(struct ez_history *v, const struct ez_value *value, char **out) EZ_WUR;

/* Appends the value to the history and owns it from then on. Returns its number. */
unsigned ez_history_record(struct ez_history *v, struct ez_value *value);
/* Sets the convenience variable $NAME (name: "_exitcode") to a number, or to void if `number` is
 * NULL. */
void ez_history_set(struct ez_history *v, const char *name, const uint64_t *number);

/* Sets *out to the string at an address, in quotes as `x/s` shows it, with characters of 1, 2 or 4
 * bytes: at most `set print elements` characters. *n is the size in bytes of what is shown, with
 * the NUL. The caller frees *out. Returns EZ_E_SYS if nothing can be read at the address. */
ez_err *ez_text_at(struct ez_history *v, uint64_t at, unsigned size, size_t *n, char **out) EZ_WUR;
/* Reads `size` bytes at an address as a number, or as a float if `format` is f (unit.c). *text is
 * what the command x prints. The caller frees *text and clears *out. */
ez_err *ez_unit_at(struct ez_history *v, uint64_t at, char format, unsigned size,
                   struct ez_value *out, char **text) EZ_WUR;
/* Makes $_ a pointer to the unit and $__ its value. If `bytes` is true, $_ is a pointer to bytes,
 * and $__ is void. */
void ez_history_examined(struct ez_history *v, const struct ez_value *unit, bool bytes);
/* ---- frames ---- */
/* An inlined function has a frame of its own, with the pc and the registers of the function that
 * contains its code. The next frame outwards that is not inlined is the frame of the containing
 * function. */
struct ez_stack_frame {
    uint64_t pc;  /* in the program's code, even if the thread is inside a trampoline */
    uint64_t cfa; /* the caller's stack pointer; 0 if unknown */
    /* the thread continues at pc; false: a call returns to pc, so the calling instruction is before
     * pc */
    bool exact;
    bool signal;  /* signal frame made by the kernel */
    bool ours;    /* the code is eztsh's own; only set inside engine/eval */
    bool guessed; /* no unwind table has the frame; only set inside engine/eval */
    bool here;    /* regs are the current registers of the thread */
    /* number of frames outwards to the frame that contains the code; 0 = not inlined */
    unsigned within;
    unsigned inside; /* number of inlined functions active inside this frame */
    /* identifies the frame's function; differs between inlined copies of a function; 0 if
     * unknown */
    uint64_t key;
    const char *name; /* name of the frame's function in debug information, or NULL */
    /* for a frame around an inlined frame: where it calls that inlined function; NULL = the frame's
     * position is that of pc */
    const char *file;
    unsigned line;
    struct ez_regs *regs; /* owned */
};
struct ez_stack {
    EZ_VEC(struct ez_stack_frame) frame;
    bool more;   /* more frames follow */
    char *wrong; /* why the outermost of the frames has no caller; NULL if no error is the reason */
};
/* Returns the frames of the current thread, at most `most`. The outermost frame is that of main or
 * of a thread's first function. Returns EZ_E_STATE: `No stack.` */
ez_err *ez_stack_frames(struct ez_history *v, size_t most, struct ez_stack *out) EZ_WUR;
/* Stores the frames from 0 up to the caller of the function that contains the code of frame n. Sets
 * *caller to the number of that caller, or to all->frame.n if there is no caller or no frame n. */
ez_err *ez_stack_around(struct ez_history *v, unsigned n, struct ez_stack *all,
                        size_t *caller) EZ_WUR;
void ez_stack_clear(struct ez_stack *f);
/* Where the instruction at pc is, relative to the function with the key `key`: NOT in it, in the
 * function ITSELF, BEFORE (at the first instruction of) a function inlined into it, or further
 * inside such an INLINED function. */
enum ez_inside { EZ_INSIDE_NOT, EZ_INSIDE_ITSELF, EZ_INSIDE_BEFORE, EZ_INSIDE_INLINED };
enum ez_inside ez_stack_inside(struct ez_history *v, uint64_t pc, uint64_t key);
/* Returns the selected frame's number, 0 also if none was selected since the target ran. */
unsigned ez_frame_number(struct ez_history *v);
/* Makes expressions and registers refer to frame f, whose number is `number`; f NULL = to the
 * thread's innermost frame. */
void ez_frame_choose(struct ez_history *v, unsigned number, const struct ez_stack_frame *f);
struct ez_frame_variable {
    const char *name;
    const struct ez_value *value;
    const ez_err *wrong;          /* reason why there is no value */
    const struct ez_value *entry; /* a parameter's value at the call; NULL if unknown */
};
/* Parameters; parameters with their values at the call, which takes longer; other variables of the
 * blocks. */
enum ez_frame_request { EZ_FRAME_PARAMETERS, EZ_FRAME_ARGUMENTS, EZ_FRAME_LOCALS };
/* Calls fn for each variable of the requested kind. Locals come from the innermost block outwards,
 * so a hidden variable follows the one that hides it. Returns false if the debug information does
 * not describe the function. */
bool ez_frame_variables(struct ez_history *v, const struct ez_stack_frame *f,
                        enum ez_frame_request request,
                        void (*fn)(const struct ez_frame_variable *, void *arg), void *arg);
const char *ez_pc_name(void); /* "rip" */
/* Returns the name of the register that contains the value, or NULL. */
const char *ez_value_register(const struct ez_value *value);
/* Calls fn for each register of the caller that the frame has saved in memory. */
void ez_frame_saved(struct ez_history *v, const struct ez_stack_frame *f,
                    void (*fn)(const char *name, uint64_t at, void *arg), void *arg);
/* Returns whether the instruction at pc is eztsh's own. If it is a copy of an instruction of the
 * program, sets *at to the address of that instruction, else to 0. */
bool ez_eval_own_code(struct ez_history *v, uint64_t pc, uint64_t *at);
/* Finds the value that the function beginning at func returned to the current thread's position.
 * Returns false if unknown or void. */
bool ez_value_returned(struct ez_history *v, uint64_t func, struct ez_value *out);
/* Returns whether the value can be shown as an argument of a frame: it is no struct, union or
 * array, and no reference to one. */
bool ez_value_is_scalar(const struct ez_value *value);
bool ez_value_is_void(const struct ez_value *value);
/* Returns whether both have the same bytes. Returns false if some bytes are optimized out. */
bool ez_value_same(const struct ez_value *a, const struct ez_value *b);

/* Returns the value as print shows it. format: one of x d u o t a c f s z, 0 = by its type. The
 * caller frees it. */
char *ez_value_text(struct ez_history *v, const struct ez_value *value, char format);
/* Returns the value as ez_value_text() does, but without the type that precedes an address. */
char *ez_value_text_bare(struct ez_history *v, const struct ez_value *value);
/* Sets *out to the text of ez_value_text(), but returns EZ_E_ARG if the type does not support the
 * format. sized: numbers have leading zeros up to the size of the type, as in the output of the
 * command x. */
ez_err *ez_value_format(struct ez_history *v, const struct ez_value *value, char format, bool sized,
                        char **out) EZ_WUR;

#endif
