/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.h - the values of expressions in the stopped target, as gdb's print has them.
 *
 * Expressions are those of probes (engine/data/expr.h), compiled to the same code, which runs in the
 * shell (engine/data/machine.h). Besides, there are $registers, convenience variables ($v), the value history ($,
 * $$, $N), strings, EXPR@N, and assignments; locals of the function where the target stands.
 *
 * Types live as long as the target's objects, so values may be kept over many runs.
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
    enum ez_lval lval;  /* what can be assigned to it, or taken its address              */
    uint64_t addr;      /* MEMORY                                                   */
    unsigned bit, bits; /* of a bit-field; bits 0 = it is none                         */
    const struct ez_reg_desc *reg;
    const struct ez_type *by; /* the reference by which it was named, or NULL             */
    bool is_fortran;          /* of an expression of Fortran: it is shown so                   */
    bool gone;                /* optimized out                                              */
    uint8_t *byte;            /* n of them, owned; of a bit-field its value                    */
    size_t n;
    uint8_t
        *lost; /* which bits of them are optimized out: n bytes of ones there; NULL = none; owned */
};
void ez_value_clear(struct ez_value *v);

/* Convenience variables and the history: one for a session. */
struct ez_history;
struct ez_history *ez_history_new(struct ez_target *t);
void ez_history_free(struct ez_history *v);
/* Has $_json() run commands by `answer`, which returns what a command prints for programs, to be freed. */
typedef ez_err *ez_answer_fn(void *arg, const char *command, char **json);
void ez_history_answer(struct ez_history *v, ez_answer_fn *answer, void *arg);

/* The value of an expression; a process that runs has no registers, and without one memory is that
 * of the program's file. EZ_E_ARG, EZ_E_NOTFOUND: `No symbol "x" in current context.`; EZ_E_SYS:
 * `Cannot access memory at address 0x8`. *end: what follows behind a comma; NULL = nothing may. */
ez_err *ez_eval(struct ez_history *v, const char *text, const char **end,
                struct ez_value *out) EZ_WUR;
/* The same. STILL: no function of the program is called, as it is being moved on. LOOSE: a function of which nothing is
 * known returns a long, where else a cast must say what. */
enum ez_eval_how { EZ_EVAL_STILL, EZ_EVAL_LOOSE };
ez_err *ez_eval_so(struct ez_history *v, enum ez_eval_how how, const char *text,
                   struct ez_value *out) EZ_WUR;
/* Is it an expression, and are there its names where the instruction `at` is? 0 = in the selected frame.
 * Nothing is read. The same errors. */
ez_err *ez_eval_check(struct ez_history *v, uint64_t at, const char *text) EZ_WUR;
/* Its type, or the type that `text` names; nothing is read or assigned. whole: with members. To be
 * freed. */
ez_err *ez_eval_type(struct ez_history *v, const char *text, bool whole, char **out) EZ_WUR;
/* The text as macros of the program make it, to be freed; NULL = it has none of them. */
ez_err *ez_eval_expand(struct ez_history *v, const char *text, char **out) EZ_WUR;
/* The macro that holds there. false = it is none. */
struct ez_macro {
    const char *text; /* "NAME body", "NAME(a,b) body"; it lives as long as the object          */
    struct {
        const char *file; /* NULL = not told                                                 */
        unsigned line;
    } at[16]; /* where it is, from where that file is included, and so on; none: the compiler's  */
    unsigned n;
};
bool ez_eval_macro(struct ez_history *v, const char *name, struct ez_macro *out);
/* The value as an address: that of an array or function, else the number. */
ez_err *ez_value_address(const struct ez_value *value, uint64_t *out) EZ_WUR;
/* The same, and an array that is nowhere in the program, as a text, is put into new memory there. */
ez_err *ez_value_place(struct ez_history *v, const struct ez_value *value, uint64_t *out) EZ_WUR;
/* A number. *is_real: it is a float, *real then is it. */
ez_err *ez_value_number(const struct ez_value *value, uint64_t *out, bool *is_real,
                        double *real) EZ_WUR;
/* The text of a char array, or to which a pointer leads, up to its NUL. To be freed. */
ez_err *ez_value_string(struct ez_history *v, const struct ez_value *value, char **out) EZ_WUR;

/* The next number of the history; takes the value. */
unsigned ez_history_record(struct ez_history *v, struct ez_value *value);
/* Set $NAME to a number ("_exitcode"), or make it void. */
void ez_history_set(struct ez_history *v, const char *name, const uint64_t *number);

/* The text at an address in quotes, as `x/s` shows it, of characters of 1, 2 or 4 bytes, and how many bytes it takes
 * with its NUL. To be freed. EZ_E_SYS: nothing can be read there. */
ez_err *ez_text_at(struct ez_history *v, uint64_t at, unsigned size, size_t *n, char **out) EZ_WUR;
/* So many bytes at an address as a number, or as a float for the letter f (unit.c), and their text as x shows it; both to
 * be freed. */
ez_err *ez_unit_at(struct ez_history *v, uint64_t at, char format, unsigned size,
                   struct ez_value *out, char **text) EZ_WUR;
/* $_ leads to that unit, and $__ is its value; `bytes`: to bytes there, and $__ is void. */
void ez_history_examined(struct ez_history *v, const struct ez_value *unit, bool bytes);
/* ---- frames ---- */
/* Of a function that is inlined there is a frame, too, with the pc and the registers of the function that has the
 * code: whose frame is the next that is not inlined. */
struct ez_stack_frame {
    uint64_t pc;      /* in the program's code, also where a trampoline runs                    */
    uint64_t cfa;     /* the caller's stack pointer; 0 = not known                        */
    bool exact;       /* pc is where the frame goes on; else it is behind a call          */
    bool signal;      /* the kernel made it, to call a signal's handler                   */
    bool ours;        /* inside: of code of eztsh's own                                 */
    bool here;        /* its registers are those that the thread has now                 */
    unsigned within;  /* so many frames further out is that one; 0 = it is not inlined     */
    unsigned inside;  /* so many inlined functions are open in it                      */
    uint64_t key;     /* of its function, by which two inlined ones differ; 0 = not told   */
    const char *name; /* of its function by debug information, or NULL                  */
    const char *file; /* where it calls an inlined function; NULL: it stands at its pc     */
    unsigned line;
    struct ez_regs *regs; /* owned                                                       */
};
struct ez_stack {
    EZ_VEC(struct ez_stack_frame) frame;
    bool more;   /* there are more                                                     */
    char *wrong; /* why the last frame has no caller; NULL = as it should be               */
};
/* The frames of the current thread, `most` at most, main or a thread's first function the last.
 * EZ_E_STATE: `No stack.` */
ez_err *ez_stack_frames(struct ez_history *v, size_t most, struct ez_stack *out) EZ_WUR;
/* Frame n and those around it, as far as that of the caller of its function with the code; *caller = its number,
 * which is all.frame.n if there is none, as n then is, too. */
ez_err *ez_stack_around(struct ez_history *v, unsigned n, struct ez_stack *all,
                        size_t *caller) EZ_WUR;
void ez_stack_clear(struct ez_stack *f);
/* Where the instruction is, for a frame of the function `key`: in that function, at the beginning of one that is
 * inlined into it, or in one; or elsewhere. */
enum ez_inside { EZ_INSIDE_NOT, EZ_INSIDE_ITSELF, EZ_INSIDE_BEFORE, EZ_INSIDE_INLINED };
enum ez_inside ez_stack_inside(struct ez_history *v, uint64_t pc, uint64_t key);
/* The selected frame's number; 0 also when none was selected since anything ran. */
unsigned ez_frame_number(struct ez_history *v);
/* Expressions and registers are that frame's from now on; NULL = those of the thread. */
void ez_frame_choose(struct ez_history *v, unsigned number, const struct ez_stack_frame *f);
struct ez_frame_variable {
    const char *name;
    const struct ez_value *value;
    const ez_err *wrong;          /* why there is no value                                    */
    const struct ez_value *entry; /* of a parameter: what the caller passed; NULL = not told  */
};
/* Parameters, or those with their values at the call, which cost more; or the other variables of the blocks. */
enum ez_frame_request { EZ_FRAME_PARAMETERS, EZ_FRAME_ARGUMENTS, EZ_FRAME_LOCALS };
/* Calls fn for each of these variables. Locals come from the innermost block outwards: a variable that is hidden comes
 * after the one that hides it. Returns false if the debug information does not describe the function. */
bool ez_frame_variables(struct ez_history *v, const struct ez_stack_frame *f,
                        enum ez_frame_request request,
                        void (*fn)(const struct ez_frame_variable *, void *arg), void *arg);
const char *ez_pc_name(void); /* "rip" */
/* The register that the value is in; NULL = it is in none. */
const char *ez_value_register(const struct ez_value *value);
/* Calls fn for each register of the caller that the frame has saved in memory. */
void ez_frame_saved(struct ez_history *v, const struct ez_stack_frame *f,
                    void (*fn)(const char *name, uint64_t at, void *arg), void *arg);
/* Is the instruction eztsh's own? *at = where the one stands that it is a copy of; 0 = it is none. */
bool ez_eval_ours(struct ez_history *v, uint64_t pc, uint64_t *at);
/* What the function that begins at func returned, to where the current thread stands now. false = not
 * known, or nothing. */
bool ez_value_returned(struct ez_history *v, uint64_t func, struct ez_value *out);
/* Can the value be shown as an argument of a frame: is it no struct, union or array? */
bool ez_value_is_scalar(const struct ez_value *value);
bool ez_value_is_void(const struct ez_value *value);
/* Have both the same bytes? false also where some are optimized out. */
bool ez_value_same(const struct ez_value *a, const struct ez_value *b);

/* As print shows it. format: one of x d u o t a c f s z, 0 = by its type. To be freed. */
char *ez_value_text(struct ez_history *v, const struct ez_value *value, char format);
/* The same without the type that stands before addresses. */
char *ez_value_text_bare(struct ez_history *v, const struct ez_value *value);
/* The same. EZ_E_ARG: a value of its type has no such form. sized: numbers have all digits that x shows. */
ez_err *ez_value_format(struct ez_history *v, const struct ez_value *value, char format, bool sized,
                        char **out) EZ_WUR;

#endif
