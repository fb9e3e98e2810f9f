/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.h - values of expressions in the stopped target, as gdb's print shows them.
 *
 * Expressions are those of probes (engine/expr/expr.h), compiled to the same code, which runs in
 * the shell (engine/expr/machine.h). In addition, there are $registers, convenience variables ($v),
 * the value history ($, $$, $N), strings, EXPR@N, assignments, and locals of the function where the
 * target is stopped. Types live as long as the target's objects, so values may be kept over many
 * runs.
 *
 * Tests: tests/unit/engine/check_eval.c, tests/procs/print.sh */
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
    enum ez_lval lval;  /* whether it can be assigned to, or have its address taken */
    uint64_t addr;      /* address, for EZ_L_MEMORY */
    unsigned bit, bits; /* position in a bit-field; bits 0 = no bit-field */
    const struct ez_reg_desc *reg;
    const struct ez_type *by; /* reference through which it was named, or NULL */
    bool is_fortran;          /* value of a Fortran expression, shown in Fortran's notation */
    bool gone;                /* optimized out */
    uint8_t *byte;            /* n bytes, owned; for a bit-field, its value */
    size_t n;
    uint8_t *lost; /* mask of n bytes with ones for bits that are optimized out; owned, or NULL */
};
void ez_value_clear(struct ez_value *v);

/* Convenience variables and value history, one for a session. */
struct ez_history;
struct ez_history *ez_history_new(struct ez_target *t);
void ez_history_free(struct ez_history *v);
/* Makes $_json() run commands with `answer`, which returns the command's output for programs. The
 * caller frees it. */
typedef ez_err *ez_answer_fn(void *arg, const char *command, char **json);
void ez_history_answer(struct ez_history *v, ez_answer_fn *answer, void *arg);

/* Evaluates an expression. A running process has no registers. Without a process, memory is that of
 * the program's file. Returns EZ_E_ARG, EZ_E_NOTFOUND (`No symbol "x" in current context.`) or
 * EZ_E_SYS (`Cannot access memory at address 0x8`). *end is what follows a comma; with end NULL,
 * nothing may follow. */
ez_err *ez_eval(struct ez_history *v, const char *text, const char **end,
                struct ez_value *out) EZ_WUR;
/* Evaluates as above. STILL: calls no function of the program, because the target is being moved.
 * LOOSE: an unknown function returns a long; otherwise a cast must give its type. */
enum ez_eval_how { EZ_EVAL_STILL, EZ_EVAL_LOOSE };
ez_err *ez_eval_so(struct ez_history *v, enum ez_eval_how how, const char *text,
                   struct ez_value *out) EZ_WUR;
/* Checks that the text is an expression whose names exist at the instruction `at`; 0 = in the
 * selected frame. Reads nothing. Returns the same errors. */
ez_err *ez_eval_check(struct ez_history *v, uint64_t at, const char *text) EZ_WUR;
/* Returns the type of an expression, or the type that `text` names, without reading or assigning
 * anything. whole: with members. The caller frees it. */
ez_err *ez_eval_type(struct ez_history *v, const char *text, bool whole, char **out) EZ_WUR;
/* Expands macros of the program in the text. *out is the result, which the caller frees, or NULL if
 * there are none. */
ez_err *ez_eval_expand(struct ez_history *v, const char *text, char **out) EZ_WUR;
/* The macro that applies there. ez_eval_macro returns false if the name is no macro. */
struct ez_macro {
    const char *text; /* "NAME body" or "NAME(a,b) body"; valid as long as the object */
    struct {
        const char *file; /* NULL if unknown */
        unsigned line;
        /* its place, the place that includes that file, and so on; empty for the compiler's own
     * macros */
    } at[16];
    unsigned n;
};
bool ez_eval_macro(struct ez_history *v, const char *name, struct ez_macro *out);
/* Returns the value as an address: that of an array or function, else the number. */
ez_err *ez_value_address(const struct ez_value *value, uint64_t *out) EZ_WUR;
/* Does the same, but copies an array that is not in the target, such as a string, into new memory
 * there. */
ez_err *ez_value_place(struct ez_history *v, const struct ez_value *value, uint64_t *out) EZ_WUR;
/* Returns a number. *is_real is true for a float, whose value is *real. */
ez_err *ez_value_number(const struct ez_value *value, uint64_t *out, bool *is_real,
                        double *real) EZ_WUR;
/* Returns the text in a char array, or at a pointer, up to its NUL. The caller frees it. */
ez_err *ez_value_string(struct ez_history *v, const struct ez_value *value, char **out) EZ_WUR;

/* Appends the value to the history and owns it from then on. Returns its number. */
unsigned ez_history_record(struct ez_history *v, struct ez_value *value);
/* Sets $NAME ("_exitcode") to a number, or makes it void. */
void ez_history_set(struct ez_history *v, const char *name, const uint64_t *number);

/* Returns the text at an address in quotes, as `x/s` shows it, with characters of 1, 2 or 4 bytes.
 * *n is its size in bytes with the NUL. The caller frees the text. Returns EZ_E_SYS if nothing can
 * be read there. */
ez_err *ez_text_at(struct ez_history *v, uint64_t at, unsigned size, size_t *n, char **out) EZ_WUR;
/* Returns the bytes at an address as a number, or for the letter f as a float (unit.c), and their
 * text as x shows it. The caller frees both. */
ez_err *ez_unit_at(struct ez_history *v, uint64_t at, char format, unsigned size,
                   struct ez_value *out, char **text) EZ_WUR;
/* Makes $_ point to that unit, and $__ its value. With `bytes`, $_ points to bytes there, and $__
 * is void. */
void ez_history_examined(struct ez_history *v, const struct ez_value *unit, bool bytes);
/* ---- frames ---- */
/* An inlined function has a frame, too, with the pc and registers of the function that has the
 * code. That function's frame is the next one that is not inlined. */
struct ez_stack_frame {
    uint64_t pc;      /* in the program's code, even inside a trampoline */
    uint64_t cfa;     /* the caller's stack pointer; 0 if unknown */
    bool exact;       /* pc is where the frame continues; else pc follows a call */
    bool signal;      /* signal frame made by the kernel */
    bool ours;        /* used inside the engine: the code is eztsh's own */
    bool here;        /* its registers are the thread's present ones */
    unsigned within;  /* distance outwards to the frame with the code; 0 = not inlined */
    unsigned inside;  /* number of inlined functions active inside it */
    uint64_t key;     /* of its function, distinguishes inlined copies; 0 if unknown */
    const char *name; /* name of its function in debug information, or NULL */
    const char *file; /* call of an inlined function; NULL = its position is pc */
    unsigned line;
    struct ez_regs *regs; /* owned */
};
struct ez_stack {
    EZ_VEC(struct ez_stack_frame) frame;
    bool more;   /* more frames follow */
    char *wrong; /* why the last frame has no caller; NULL if that is normal */
};
/* Returns the frames of the current thread, at most `most`. The last one is main or a thread's
 * first function. Returns EZ_E_STATE: `No stack.` */
ez_err *ez_stack_frames(struct ez_history *v, size_t most, struct ez_stack *out) EZ_WUR;
/* Finds frame n and those around it, up to the caller of its function with the code. *caller is
 * that caller's number, or all.frame.n if there is none; n may be that, too. */
ez_err *ez_stack_around(struct ez_history *v, unsigned n, struct ez_stack *all,
                        size_t *caller) EZ_WUR;
void ez_stack_clear(struct ez_stack *f);
/* The position of an instruction relative to the function `key` of a frame: in the function itself,
 * at the begin of a function inlined into it, inside one, or elsewhere. */
enum ez_inside { EZ_INSIDE_NOT, EZ_INSIDE_ITSELF, EZ_INSIDE_BEFORE, EZ_INSIDE_INLINED };
enum ez_inside ez_stack_inside(struct ez_history *v, uint64_t pc, uint64_t key);
/* Returns the selected frame's number, 0 also if none was selected since the target ran. */
unsigned ez_frame_number(struct ez_history *v);
/* Makes expressions and registers refer to that frame; NULL = the thread's. */
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
/* Calls fn for each of these variables. Locals come from the innermost block outwards: a hidden
 * variable follows the one that hides it. Returns false if the debug information does not describe
 * the function. */
bool ez_frame_variables(struct ez_history *v, const struct ez_stack_frame *f,
                        enum ez_frame_request request,
                        void (*fn)(const struct ez_frame_variable *, void *arg), void *arg);
const char *ez_pc_name(void); /* "rip" */
/* Returns the register that contains the value, or NULL. */
const char *ez_value_register(const struct ez_value *value);
/* Calls fn for each register of the caller that the frame has saved in memory. */
void ez_frame_saved(struct ez_history *v, const struct ez_stack_frame *f,
                    void (*fn)(const char *name, uint64_t at, void *arg), void *arg);
/* Returns whether the instruction is eztsh's own. *at is the address of the instruction that it is
 * a copy of, or 0. */
bool ez_eval_own_code(struct ez_history *v, uint64_t pc, uint64_t *at);
/* Returns the value that the function beginning at func returned to the current thread's position.
 * Returns false if unknown or void. */
bool ez_value_returned(struct ez_history *v, uint64_t func, struct ez_value *out);
/* Returns whether the value can be shown as an argument of a frame: it is no struct, union or
 * array. */
bool ez_value_is_scalar(const struct ez_value *value);
bool ez_value_is_void(const struct ez_value *value);
/* Returns whether both have the same bytes. Returns false if some bytes are optimized out. */
bool ez_value_same(const struct ez_value *a, const struct ez_value *b);

/* Returns the value as print shows it. format: one of x d u o t a c f s z, 0 = by its type. The
 * caller frees it. */
char *ez_value_text(struct ez_history *v, const struct ez_value *value, char format);
/* Does the same without the type before addresses. */
char *ez_value_text_bare(struct ez_history *v, const struct ez_value *value);
/* Does the same. Returns EZ_E_ARG if the type does not support the format. sized: numbers have all
 * digits, as x shows them. */
ez_err *ez_value_format(struct ez_history *v, const struct ez_value *value, char format, bool sized,
                        char **out) EZ_WUR;

#endif
