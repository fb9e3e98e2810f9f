/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf.h - what a file's debug information says of types, functions, names, frames and lines. The
 * shell requests it on demand, and frees it when the object is closed.
 *
 * libdw reads the file in a process of its own, the reader (dwarf_priv.h). A damaged file can crash
 * only the reader. After a crash the shell does not read that file's debug information again. */
#ifndef EZ_DWARF_H
#define EZ_DWARF_H

#include "engine/base/jail.h"
#include "engine/base/vec.h"
#include "engine/dwarf/dwarf_priv.h"
#include "engine/dwarf/type.h"

struct ez_object;
struct ez_dwarf;

/* Returns the object's debug information, or NULL with the reason in *why. */
struct ez_dwarf *ez_dwarf_of(struct ez_object *o, const char **why);
/* Returns the type whose key (dwarf_priv.h) is `key`; key 0 is void. Returns a type of kind
 * EZ_TY_UNKNOWN, never NULL, if the entry cannot be read. */
const struct ez_type *ez_dwarf_type(struct ez_dwarf *d, uint64_t key);

struct ez_dwarf_param {
    const char *name; /* NULL if the parameter has no name */
    const struct ez_type *type;
    struct dwarf_where where;
};
struct ez_dwarf_function {
    uint64_t unit, key;
    unsigned flags; /* DWARF_FN_* */
    const char *name;
    const struct ez_type *result; /* type of the result; void if there is none */
    EZ_VEC(struct ez_dwarf_param) param;
};
/* Finds the function whose code begins at vaddr. Returns false if the debug information has none.
 * The caller frees out->param. */
bool ez_dwarf_function(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_function *out);

struct ez_dwarf_body { /* where a function is in its source file */
    /* source file as given to the compiler; NULL if the function is in a header or unknown */
    const char *file;
    const char *name;  /* "ns::f", or NULL */
    unsigned language; /* DWARF_FN_CXX, DWARF_FN_FORTRAN */
    /* first address behind the function's code */
    uint64_t end;
    unsigned begin_line, begin_col, end_line, end_col; /* from 1; 0 if unknown */
    /* name of a Fortran function's result variable; NULL if it is the function's name */
    const char *result;
};
bool ez_dwarf_body(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_body *out);
/* dwarf_request.c: requests in one message what ez_dwarf_body() and ez_dwarf_function() need for
 * the n functions that begin at vaddr[], because thousands of single requests take long. Each
 * answer is kept until it is used, or until the next call of ez_dwarf_ahead(); a call with n < 3
 * only frees the answers. */
void ez_dwarf_ahead(struct ez_dwarf *d, const uint64_t *vaddr, size_t n);

struct ez_dwarf_inlined {       /* a function of a source file that was inlined (dwarf_inlined.c) */
    const struct ez_type *type; /* type of the function */
    const char *name, *file;    /* file: source file as given to the compiler */
    unsigned language, line;    /* language: DWARF_FN_*; line of the declaration */
    /* first address of the function's own code; 0 = there is only inlined code */
    uint64_t begin;
    uint64_t copies;
    const char *into; /* names of functions into which it is inlined; NULL if there are none */
};
/* Calls fn for each inlined function of the debug information. */
void ez_dwarf_inlined(struct ez_dwarf *d, void (*fn)(const struct ez_dwarf_inlined *, void *),
                      void *arg);

struct ez_dwarf_symbol {
    const char *linkage; /* name in symbol tables (mangled) */
    const struct ez_type *type;
    struct dwarf_where where;
};
/* Finds the variable, enumerator or function that `name` ("NAME" or "FILE\tNAME") means in the
 * function `in` (NULL: in any unit). near: only the unit of `in` is searched. Returns false if
 * there is none. */
bool ez_dwarf_symbol(struct ez_dwarf *d, const struct ez_dwarf_function *in, const char *name,
                     bool near, struct ez_dwarf_symbol *out);
/* Returns whether `name` means a type, a value or nothing in the function `in`. */
enum ez_means ez_dwarf_means(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                             const char *name, bool near);
/* Returns the type called `name` ("struct s", "ns::c"), or NULL. */
const struct ez_type *ez_dwarf_named(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                                     const char *name, bool near);
/* A DWARF operation with its operands. For DW_OP_implicit_pointer, a is the offset of the
 * variable's entry in .debug_info, and b the offset in the variable. For DW_OP_entry_value, a is
 * the register whose entry value is wanted, and b is 0 if the operand is no register. For
 * operations with a type (DW_OP_convert, _regval_type, _deref_type), b is 2 * size + is_signed, or
 * EZ_DWARF_GENERIC, or EZ_DWARF_FLOAT + size for a floating-point number of 4 or 8 bytes; 0 =
 * another type. */
#define EZ_DWARF_GENERIC 1
#define EZ_DWARF_FLOAT (1u << 16)
struct ez_dwarf_op {
    uint64_t atom, a, b;
};
struct ez_dwarf_ops {
    EZ_VEC(struct ez_dwarf_op) op;
};
struct ez_dwarf_local { /* a variable, as it is at one instruction */
    const struct ez_type *type;
    bool is_const;
    uint64_t value, high; /* value of a constant of up to 16 bytes */
    /* operations that compute the variable's place; none if the variable has no place */
    struct ez_dwarf_ops at;
    struct ez_dwarf_ops base; /* operations that compute the frame base */
};
/* Finds the variable called `name` in the innermost block around vaddr that has such a variable.
 * Searches only the blocks of one frame at vaddr: inside = 0 is the innermost frame, 1 the frame
 * into which that frame's function is inlined, and so on. which: enum dwarf_which. Returns false if
 * no block has such a variable. Call ez_dwarf_local_free() in any case. */
bool ez_dwarf_local(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, uint64_t which,
                    const char *name, struct ez_dwarf_local *out);
/* Finds the variable whose entry (DIE) is at `offset` in .debug_info, and its place at vaddr.
 * Returns false if there is none. Call ez_dwarf_local_free() in any case. */
bool ez_dwarf_variable(struct ez_dwarf *d, uint64_t vaddr, uint64_t offset,
                       struct ez_dwarf_local *out);
/* Finds the static link of the nested function at vaddr. out->value is the function's begin, and
 * out->high the start of the surrounding function, 0 if there is none. out->at computes the frame
 * base of the surrounding function, and out->base that of the function itself. Call
 * ez_dwarf_local_free() in any case. */
bool ez_dwarf_link(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, struct ez_dwarf_local *out);
void ez_dwarf_local_free(struct ez_dwarf_local *l);
/* ---- calls ---- */
struct ez_dwarf_site { /* a call, and a value that the call passes in a register */
    /* begin of the called function; 0 = known only by `name`, or by `target` */
    uint64_t callee;
    const char *name;           /* the called function's name in symbol tables, or NULL */
    struct ez_dwarf_ops target; /* computes the called function's address; empty if unknown */
    struct ez_dwarf_ops value;  /* computes the value in the caller's frame */
    struct ez_dwarf_ops base;   /* computes the frame base of the caller */
};
/* Finds the call that returns to vaddr and the value that it passes in DWARF register `reg`.
 * Returns false if the call or the value is unknown. Call ez_dwarf_site_free() in any case. */
bool ez_dwarf_site(struct ez_dwarf *d, uint64_t vaddr, uint64_t reg, struct ez_dwarf_site *out);
void ez_dwarf_site_free(struct ez_dwarf_site *s);
/* Sets *begin to the first address of the function that contains vaddr. *tails is true if tail
 * calls may lead from the function back to it, so that its arguments may not be those that its
 * caller passed. */
bool ez_dwarf_entry(struct ez_dwarf *d, uint64_t vaddr, uint64_t *begin, bool *tails);
/* ---- arrays whose size is known only at run time ---- */
struct ez_dwarf_dimension {
    struct ez_dwarf_ops lower, upper, count, stride; /* compute values; empty if unknown */
};
#define EZ_DWARF_DIMENSIONS 8
struct ez_dwarf_shape {
    /* computes the address of the elements; empty: the array's address */
    struct ez_dwarf_ops data;
    /* computes 0 if the array has no elements (not allocated); empty: the array has elements */
    struct ez_dwarf_ops exists;
    struct ez_dwarf_ops length; /* computes the length of a string */
    /* for a rank known at run time: dim[0] stands for all dimensions; its operations begin with the
     * dimension's number on the stack. Empty if the rank is constant. */
    struct ez_dwarf_ops rank;
    bool fortran; /* the array is Fortran's: the first dimension is contiguous */
    EZ_VEC(struct ez_dwarf_dimension) dim;
};
/* Finds the shape that the array type t, whose is_dynamic is set, has at the instruction at vaddr.
 * Returns false if unknown. Call ez_dwarf_shape_free() in any case. */
bool ez_dwarf_shape(const struct ez_type *t, uint64_t vaddr, struct ez_dwarf_shape *out);
void ez_dwarf_shape_free(struct ez_dwarf_shape *s);
/* ---- frames (dwarf_frame.c) ---- */
struct ez_dwarf_call { /* a function active at an instruction, perhaps inlined */
    uint64_t key;      /* key of the function's entry; each inlined copy has its own */
    const char *name;  /* with parameters for C++; NULL if unknown */
    bool begins;       /* vaddr is the function's first instruction */
    const char *file;  /* file of the call of an inlined function; NULL if unknown */
    unsigned line;
};
/* the innermost first: inlined functions, then the function that contains the code */
struct ez_dwarf_calls {
    EZ_VEC(struct ez_dwarf_call) call;
};
/* Returns the functions active at vaddr; an empty list if the debug information has no function at
 * vaddr. The list lives as long as the object. */
const struct ez_dwarf_calls *ez_dwarf_calls(struct ez_dwarf *d, uint64_t vaddr);
struct ez_dwarf_table { /* the unwind table of a file, .eh_frame or .debug_frame */
    struct ez_foreign *file;
    struct ez_jailed known;
    struct ez_dwarf_memo *memo; /* answers kept by dwarf_memo.c; freed with the object */
};
void ez_dwarf_memo_free(struct ez_dwarf_memo *memo);
#define EZ_DWARF_COLUMNS 34
struct ez_dwarf_row { /* rules to restore the caller's frame at an instruction */
    bool signal;      /* a signal frame made by the kernel */
    uint64_t ra;      /* column of the return address */
    struct ez_dwarf_ops cfa;
    uint64_t kept[EZ_DWARF_COLUMNS]; /* enum dwarf_kept for each register */
    struct ez_dwarf_ops at[EZ_DWARF_COLUMNS];
};
/* Finds the row for the instruction at vaddr or, with behind_call, for the call instruction that
 * ends at vaddr; with the rules of registers 0 to n - 1. Returns false if the table has no such
 * row. Call ez_dwarf_row_free() in any case. */
bool ez_dwarf_row(struct ez_dwarf_table *by, uint64_t vaddr, bool behind_call, unsigned n,
                  struct ez_dwarf_row *out);
void ez_dwarf_row_free(struct ez_dwarf_row *row);
/* Sets out[0] to the unwind table of the object's own file, and out[1] to that of its separate
 * debug file. `file` is NULL in a table that does not exist. */
void ez_dwarf_tables(struct ez_object *o, struct ez_dwarf_table *out[2]);
/* Calls fn for each parameter of one frame at vaddr (`inside` as for ez_dwarf_local); or, with
 * `others`, for each variable of the frame's blocks that is no parameter, the innermost block
 * first. Returns false if the debug information has no function at vaddr. */
bool ez_dwarf_names(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, bool others,
                    void (*fn)(const char *name, void *arg), void *arg);
struct ez_dwarf_line {     /* a row of a line table */
    uint64_t lo, hi, file; /* file: a number that stands for the file's name without folders */
    unsigned line;         /* 0 if the code has no line */
    /* the row as the compiler wrote it; the fields outside of `own` are as in gdb, which joins
     * rows */
    struct {
        uint64_t lo;
        unsigned line, col; /* col 0 if unknown */
        const char *name;
    } own;
    bool statement;   /* lo is a recommended place for a breakpoint */
    const char *name; /* file name, valid as long as the object */
};
/* Finds the row of the instruction at vaddr. Returns false if the line table has none. */
bool ez_dwarf_line(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_line *out);
/* Returns the address at which the prologue of the function from func to end - 1 ends, or 0 if the
 * line table does not show it. */
uint64_t ez_dwarf_prologue(struct ez_dwarf *d, uint64_t func, uint64_t end);
struct ez_dwarf_unit { /* how code was compiled; texts live as long as the object */
    const char *name, *folder, *language, *producer; /* NULL if unknown. language: gdb's name */
    unsigned version;                                /* DWARF version */
    bool macros;
};
bool ez_dwarf_unit(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_unit *out);
/* Returns whether the unit of vaddr has macro definitions. */
bool ez_dwarf_has_macros(struct ez_dwarf *d, uint64_t vaddr);
#define EZ_DWARF_INCLUDED 16
struct ez_dwarf_macro {
    const char *text; /* "NAME body" or "NAME(a,b) body"; NULL if the name is no macro */
    struct {
        const char *file; /* NULL if unknown */
        unsigned line;
        /* at[0]: file and line of the definition; at[1]: of the #include of that file; and so on */
    } at[EZ_DWARF_INCLUDED];
    unsigned n;
};
/* Finds the definition of the macro `name` that applies at vaddr or, with `whole`, at the end of
 * the unit of vaddr. Returns false if there is none. */
bool ez_dwarf_macro(struct ez_dwarf *d, uint64_t vaddr, bool whole, const char *name,
                    struct ez_dwarf_macro *out);
/* Calls fn with the name of each function into which the function that begins at vaddr is inlined.
 * Only the unit of vaddr is searched. */
void ez_dwarf_inlined_into(struct ez_dwarf *d, uint64_t vaddr,
                           void (*fn)(const char *into, void *arg), void *arg);
/* Calls fn with the first address of each function into which a function `name` is inlined, if
 * `name` has no code of its own. The search ends after 1.5 s of processor time, so functions of a
 * large file may be missing. */
void ez_dwarf_inlined_named(struct ez_dwarf *d, const char *name,
                            void (*fn)(uint64_t into, void *arg), void *arg);
/* An inlined instance of a function: its code in another function. */
#define EZ_DWARF_PIECES 32
struct ez_dwarf_piece {
    uint64_t lo, hi;
};
struct ez_dwarf_instance {
    uint64_t entry; /* 0 = the debug information does not state it */
    unsigned npieces, ninto;
    struct ez_dwarf_piece piece[EZ_DWARF_PIECES]; /* the instance's address ranges */
    struct ez_dwarf_piece
        into[EZ_DWARF_PIECES]; /* those of the function that contains the instance */
};
/* Calls fn for each instance of the inlined functions called `name`. The search ends after 1.5 s of
 * processor time. */
void ez_dwarf_instances(struct ez_dwarf *d, const char *name,
                        void (*fn)(const struct ez_dwarf_instance *, void *arg), void *arg);

/* Runs the reader process (dwarf_serve.c); returns when the shell closes the connection. */
void ez_dwarf_serve(void);

#endif
