/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf.h - types, functions and names from a file's debug information, one by one as they are asked
 * for; they live as long as the object.
 *
 * libdw reads them in a process of its own (dwarf_priv.h): a damaged file ends that process, and is
 * not asked about again. */
#ifndef EZ_DWARF_H
#define EZ_DWARF_H

#include "engine/base/jail.h"
#include "engine/base/vec.h"
#include "engine/data/dwarf_priv.h"
#include "engine/data/expr.h"
#include "engine/data/type.h"

struct ez_object;
struct ez_dwarf;

/* The object's debug information; NULL: there is none, *why says so. */
struct ez_dwarf *ez_dwarf_of(struct ez_object *o, const char **why);
/* The type of that key; 0 = void. Never NULL. */
const struct ez_type *ez_dwarf_type(struct ez_dwarf *d, uint64_t key);

struct ez_dwarf_param {
    const char *name; /* NULL = none                                                  */
    const struct ez_type *type;
    struct dwarf_where where;
};
struct ez_dwarf_function {
    uint64_t unit, key;
    unsigned flags; /* DWARF_FN_*                                                    */
    const char *name;
    const struct ez_type *result; /* void = none                                     */
    EZ_VEC(struct ez_dwarf_param) param;
};
/* The function whose code begins at vaddr. false = the debug information has none. out->param: to be freed. */
bool ez_dwarf_function(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_function *out);

struct
    ez_dwarf_body { /* where a function is in its source file, as far as that is told             */
    const char *file;  /* as the compiler was given it; NULL = in a header, or not known */
    const char *name;  /* "ns::f"; NULL = it has none */
    unsigned language; /* DWARF_FN_CXX, DWARF_FN_FORTRAN */
    uint64_t end;      /* of its code                                                    */
    unsigned begin_line, begin_col, end_line, end_col; /* from 1; 0 = not known           */
    const char *result; /* the name that a function of Fortran gives its result; NULL = its own */
};
bool ez_dwarf_body(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_body *out);
/* dwarf_ahead.c: these functions will be asked about (ez_dwarf_body, ez_dwarf_function). One question instead of
 * thousands; what was not asked for is forgotten with the next call, of n = 0 at last. */
void ez_dwarf_ahead(struct ez_dwarf *d, const uint64_t *vaddr, size_t n);

struct ez_dwarf_inlined {       /* a function of a source file that was inlined (dwarf_frame.c)   */
    const struct ez_type *type; /* its parameters and its result                              */
    const char *name, *file;    /* "ns::f"; as the compiler was given it                       */
    unsigned language, line;    /* DWARF_FN_*                                                  */
    uint64_t begin;             /* of the code that it has besides; 0 = none                   */
    uint64_t copies;            /* so many,                                                    */
    const char *into;           /* in these functions; NULL = in none                          */
};
/* Calls fn for each that is told. */
void ez_dwarf_inlined(struct ez_dwarf *d, void (*fn)(const struct ez_dwarf_inlined *, void *),
                      void *arg);

struct ez_dwarf_symbol {
    const char *linkage; /* its name in symbol tables                                 */
    const struct ez_type *type;
    struct dwarf_where where;
};
/* A variable, an enumerator, a function. `name` may be "FILE\tNAME". near: of unit and function alone. */
bool ez_dwarf_symbol(struct ez_dwarf *d, const struct ez_dwarf_function *in, const char *name,
                     bool near, struct ez_dwarf_symbol *out);
/* Whether a name means a type there, or something else. */
enum ez_means ez_dwarf_means(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                             const char *name, bool near);
/* The type called `name` ("struct s", "ns::c"); NULL = none. */
const struct ez_type *ez_dwarf_named(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                                     const char *name, bool near);
/* An operation of DWARF's, with its numbers. Of DW_OP_implicit_pointer, a is the offset of
 * the variable's entry in .debug_info, and b that in the variable. Of DW_OP_entry_value, a is the register whose value at the entry is asked,
 * and b is not 0. Of one that names a type (DW_OP_convert, _regval_type,
 * _deref_type), b is 2 * size + is_signed, or EZ_DWARF_GENERIC; EZ_DWARF_FLOAT + size: a
 * floating-point number of 4 or 8 bytes; 0 = something else. */
#define EZ_DWARF_GENERIC 1
#define EZ_DWARF_FLOAT (1u << 16)
struct ez_dwarf_op {
    uint64_t atom, a, b;
};
struct ez_dwarf_ops {
    EZ_VEC(struct ez_dwarf_op) op;
};
struct ez_dwarf_local { /* a variable at one instruction of its function                          */
    const struct ez_type *type;
    bool is_const;
    uint64_t value, high;     /* if it is: 16 bytes                                   */
    struct ez_dwarf_ops at;   /* where it is: at no place, if there are none                     */
    struct ez_dwarf_ops base; /* the frame's base                                            */
};
/* The variable called `name` in the innermost block around vaddr that has one: of the function in which so
 * many inlined ones are open. which: enum dwarf_which. false = there is none. To be freed by
 * ez_dwarf_local_free(), in any case. */
bool ez_dwarf_local(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, uint64_t which,
                    const char *name, struct ez_dwarf_local *out);
/* The same of the variable whose entry has that offset in .debug_info. */
bool ez_dwarf_variable(struct ez_dwarf *d, uint64_t vaddr, uint64_t offset,
                       struct ez_dwarf_local *out);
/* The static link of the function at vaddr. out->value: where the function begins; out->high: where the function around it
 * begins, 0 = there is none; out->at: computes the frame base of the function around it; out->base: computes its own frame
 * base. The caller frees *out, also after false. */
bool ez_dwarf_link(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, struct ez_dwarf_local *out);
void ez_dwarf_local_free(struct ez_dwarf_local *l);
/* ---- calls ---- */
struct ez_dwarf_site {          /* a call, and a value that it passes in a register            */
    uint64_t callee;            /* where its function begins; 0 = by `name`, or else at `target` */
    const char *name;           /* in symbol tables; NULL = none                            */
    struct ez_dwarf_ops target; /* an address; no operations: not told                       */
    struct ez_dwarf_ops value;  /* in the caller's frame                                    */
    struct ez_dwarf_ops base;   /* of that frame                                            */
};
/* The call that returns to vaddr, with what it passes in the register of that number of DWARF's. false = it is not
 * told. To be freed, in any case. */
bool ez_dwarf_site(struct ez_dwarf *d, uint64_t vaddr, uint64_t reg, struct ez_dwarf_site *out);
void ez_dwarf_site_free(struct ez_dwarf_site *s);
/* The first instruction of the function at vaddr. tails: its own tail calls may lead to it again, with other arguments
 * than its caller's. */
bool ez_dwarf_entry(struct ez_dwarf *d, uint64_t vaddr, uint64_t *begin, bool *tails);
/* ---- arrays whose size the running program knows ---- */
struct ez_dwarf_dimension {
    struct ez_dwarf_ops lower, upper, count, stride; /* values; no operations: not told        */
};
#define EZ_DWARF_DIMENSIONS 8
struct ez_dwarf_shape {
    struct ez_dwarf_ops data;   /* where the elements are; none: where the array is              */
    struct ez_dwarf_ops exists; /* 0 = there are no elements; none: there are                    */
    struct ez_dwarf_ops length; /* of a text                                                    */
    struct ez_dwarf_ops
        rank; /* if the program knows it; all are as dim[0], whose operations begin with their number */
    bool fortran; /* the first dimension is the one that lies side by side         */
    EZ_VEC(struct ez_dwarf_dimension) dim;
};
/* That of a type with is_dynamic, at an instruction. To be freed, in any case. */
bool ez_dwarf_shape(const struct ez_type *t, uint64_t vaddr, struct ez_dwarf_shape *out);
void ez_dwarf_shape_free(struct ez_dwarf_shape *s);
/* ---- frames (dwarf_frame.c) ---- */
struct ez_dwarf_call { /* a function that is open at an instruction                    */
    uint64_t key;      /* of its entry: each inlined one has one                        */
    const char *name;  /* with parameters if it is C++; NULL = not told                 */
    bool begins;       /* the instruction is its first one                              */
    const char *file;  /* where an inlined one is called; NULL = not told                */
    unsigned line;
};
struct ez_dwarf_calls { /* from the innermost on: inlined ones, and the one with the code        */
    EZ_VEC(struct ez_dwarf_call) call;
};
/* Those at vaddr; none if the debug information has no function there. They live as long as the object. */
const struct ez_dwarf_calls *ez_dwarf_calls(struct ez_dwarf *d, uint64_t vaddr);
struct ez_dwarf_table { /* the unwind table of a file                                      */
    struct ez_foreign *file;
    struct ez_jailed known;
    struct ez_dwarf_memo *memo; /* answers; to be freed with the file                        */
};
void ez_dwarf_memo_free(struct ez_dwarf_memo *memo);
#define EZ_DWARF_COLUMNS 34
struct ez_dwarf_row { /* the caller's frame at an instruction                            */
    bool signal;      /* the kernel made the frame, for a signal                        */
    uint64_t ra;      /* the column of the return address                                */
    struct ez_dwarf_ops cfa;
    uint64_t kept[EZ_DWARF_COLUMNS]; /* enum dwarf_kept                                  */
    struct ez_dwarf_ops at[EZ_DWARF_COLUMNS];
};
/* The row for vaddr, which may be behind a call, with registers 0 to n - 1. false = there is none. To be freed by
 * ez_dwarf_row_free(), in any case. */
bool ez_dwarf_row(struct ez_dwarf_table *by, uint64_t vaddr, bool behind_call, unsigned n,
                  struct ez_dwarf_row *out);
void ez_dwarf_row_free(struct ez_dwarf_row *row);
/* The tables of an object: its own, and its debug file's. `file` may be NULL. */
void ez_dwarf_tables(struct ez_object *o, struct ez_dwarf_table *out[2]);
/* Calls fn for each parameter of the function in which so many inlined ones are open at vaddr, or for the
 * other variables of its blocks, from the innermost on. false = the debug information has no function there. */
bool ez_dwarf_names(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, bool others,
                    void (*fn)(const char *name, void *arg), void *arg);
struct ez_dwarf_line {     /* a row of a line table                                         */
    uint64_t lo, hi, file; /* file: a key of its name, without folders          */
    unsigned line;         /* 0 = of none                                            */
    struct {               /* the row as the compiler wrote it; debuggers join some         */
        uint64_t lo;
        unsigned line, col; /* col 0 = not known                                      */
        const char *name;   /* of the file                                           */
    } own;
    bool statement;   /* lo is where a debugger should stop                        */
    const char *name; /* of the file; it lives as long as the object                        */
};
/* The row to which the instruction at vaddr belongs. false = the line table has none. */
bool ez_dwarf_line(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_line *out);
/* Where the body of the function from func to end - 1 begins, if its compiler tells that; 0 = it does not. */
uint64_t ez_dwarf_prologue(struct ez_dwarf *d, uint64_t func, uint64_t end);
struct ez_dwarf_unit { /* how code was compiled; texts live as long as the object                */
    const char *name, *folder, *language, *producer; /* NULL = not told. language: as gdb has it  */
    unsigned version;                                /* of DWARF                                 */
    bool macros;
};
bool ez_dwarf_unit(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_unit *out);
/* Has the unit of vaddr definitions of macros? */
bool ez_dwarf_has_macros(struct ez_dwarf *d, uint64_t vaddr);
#define EZ_DWARF_INCLUDED 16
struct ez_dwarf_macro {
    const char *text; /* "NAME body", "NAME(a,b) body"; NULL = it is none                        */
    struct {
        const char *file; /* NULL = not told                                                 */
        unsigned line;
    } at[EZ_DWARF_INCLUDED]; /* where it is, from where that file is included, and so on       */
    unsigned n;
};
/* The definition that holds at vaddr, or behind all lines of its unit. false = it is no macro there. */
bool ez_dwarf_macro(struct ez_dwarf *d, uint64_t vaddr, bool whole, const char *name,
                    struct ez_dwarf_macro *out);
/* Calls fn for the functions of its unit into which the function that begins at vaddr is inlined, too. */
void ez_dwarf_inlined_into(struct ez_dwarf *d, uint64_t vaddr,
                           void (*fn)(const char *into, void *arg), void *arg);
/* Calls fn for the functions, by their first instruction, into which those of that name are inlined that have no code
 * of their own; in a large file, perhaps not for all. */
void ez_dwarf_inlined_named(struct ez_dwarf *d, const char *name,
                            void (*fn)(uint64_t into, void *arg), void *arg);

/* The reader (dwarf_serve.c). */
void ez_dwarf_serve(void);

#endif
