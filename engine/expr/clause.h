/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - compiles a probe's clauses (`if EXPR`, `collect ITEM, ...`) for one function: code for
 * the runtime's machine (engine/data_abi.h), and the layout of events.
 *
 *   collect.c   items, of which an event consists        gen.c      code of expressions
 *   compile.c   clauses                             verify.c   checks code for the runtime
 *   guard.c     criteria on thread, caller, time, and number of a hit
 *
 * `collect` items are read at the function's entry; `return` items, all items that use $ret, and
 * all items of a probe on the exit only, at its exit. A parameter that is used at the exit has the
 * value that it had at the entry, because the entry's code saves the words that the exit's code
 * needs. Memory to which it points is read at the exit. */
#ifndef EZ_CLAUSE_H
#define EZ_CLAUSE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "arch/abi.h"
#include "arch/codegen.h"
#include "engine/expr/expr.h"
#include "engine/dwarf/type.h"
#include "engine/ezt.h"
#include "engine/record/items.h"
#include "engine/data_abi.h"

struct gen_wide;
struct ez_object;
struct ez_stap;
/* The USDT probe at whose place an expression is evaluated. */
struct ez_scope_stap {
    const struct ez_stap *note;
    const struct ez_object *obj; /* the note's file */
    uint64_t bias;               /* an address in the process minus the same address in the file */
};
/* The meaning of names in one function. Whoever creates a scope owns everything in it. */
struct ez_scope {
    const char *function;             /* name for messages */
    const struct ez_scope_stap *stap; /* NULL = there is no USDT probe; whoever sets it owns it */
    /* of a probe: its place is not the function's first instruction, so the return address and the
     * arguments are not known */
    bool is_inside;
    const char *why_not; /* reason why parameters and result are unknown; NULL if known */
    const struct ez_param_at {
        /* name of the parameter, never NULL: "$arg0" if the source gives no name */
        const char *name;
        struct ez_named at;
    } * param;
    size_t nparams;
    bool is_variadic;
    const char *name_in_source; /* "ns::f", or NULL */
    bool is_static;             /* not visible outside of its file */
    bool is_virtual;            /* C++: a call by an object selects the function at run time */
    /* for a virtual function, its index in the table of virtual functions plus 1; 0 if unknown */
    uint64_t vtable;
    bool is_cxx; /* C++: comparisons are bool */
    bool is_fortran, is_rust;
    enum ez_abi_int128 int128; /* how the calling convention passes __int128 */
    struct ez_named result;    /* type void if there is no result */
    /* Callback: finds a variable that is no parameter. Returns EZ_E_NOTFOUND: `No symbol "x" in
     * current context.` */
    ez_err *(*name)(void *arg, const char *scope, const char *name, struct ez_named *out);
    /* Callback: finds a type by its name, and applies the stars to it. Returns EZ_E_NOTFOUND: `No
     * struct type named s.` */
    ez_err *(*type)(void *arg, const struct ez_type_name *name, const struct ez_type **out);
    enum ez_means (*means)(void *arg, const char *name);
    /* Callbacks of the shell (engine/eval), NULL in probes. local: finds a variable of the
     * function, which hides members of `this` and results of `name`; returns false if there is
     * none. held: finds a value that only the shell can compute, such as $variables, strings, x@n,
     * calls and assignments; returns false if x is none of these; sets *e if x is one of these, but
     * cannot be evaluated. */
    bool (*local)(void *arg, const char *name, struct ez_named *out);
    bool (*held)(void *arg, const struct ez_expr *x, struct ez_named *out, ez_err **e);
    /* Callback of the shell, NULL in probes: computes what the machine cannot (struct gen_wide in
     * engine/expr/gen.h). */
    ez_err *(*wide)(void *arg, const struct gen_wide *w, struct ez_named *out);
    /* Callbacks of the shell: run the code of an operand, and return the number, or the address,
     * that it computes. *out may also be the number or the address of a held value (see `held`). */
    ez_err *(*number)(void *arg, const struct gen_wide *w, uint64_t *out);
    ez_err *(*address)(void *arg, const struct gen_wide *w, uint64_t *out);
    /* Callback of the shell, for C++: finds the complete object that contains, at *at, a part with
     * virtual functions. Sets *at to the address of the complete object and *class to its class, or
     * *class to NULL if unknown. */
    ez_err *(*whole)(void *arg, uint64_t *at, const struct ez_type **class);
    /* Callbacks of the shell, for Fortran. fortran: makes a section of the array `io`, or compares
     * two strings. shape: replaces an array whose bounds are computed at run time by one with
     * constant bounds. hold: stores a copy of n bytes in the shell, and sets *out to it as a value
     * of type t. */
    ez_err *(*fortran)(void *arg, const struct ez_expr *x, struct ez_named *io);
    void (*shape)(void *arg, struct ez_named *of);
    void (*hold)(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                 struct ez_named *out);
    void *arg;
    /* Callback of the shell: finds the address of a thread-local variable, which is `offset` bytes
     * after the start of its module's TLS block. NULL: such variables cannot be read. */
    ez_err *(*tls)(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                   uint64_t *addr);
    void *tls_arg;
};

/* Returns how expressions in the function are parsed. */
static inline struct ez_language ez_scope_language(const struct ez_scope *s)
{
    return (struct ez_language){ s->means, s->arg, s->is_cxx, s->is_fortran, s->is_rust };
}

/* Criteria of a hit in addition to the condition; all zeros means none. */
struct ez_guards {
    uint32_t thread;    /* thread ID; 0 = any */
    const char *name;   /* current name of the thread; NULL = any */
    const uint64_t *at; /* ranges of callers: begin, end, begin, ...; sorted, disjoint */
    size_t nat;         /* numbers in `at` */
    bool callers;       /* `at` is a criterion, even if `at` is empty */
    /* time stamp counter: from inclusive, until exclusive; until 0 = no end */
    uint64_t from, until;
    int gate; /* 1 + the bit of ez_hdr.gates that must be set; 0 = none */
    /* Of the hits that meet all other criteria, the first `skip` are skipped, then `most` are
     * accepted (0 = all). */
    uint64_t skip, most;
};

/* What the user requests from a probe, and what depends on the process. */
struct ez_request {
    const struct ez_probe_spec *spec;
    unsigned max_string;
    unsigned table; /* table of an aggregate (EZ_OP_ADDUP) */
    struct ez_guards guards;
    int tracepoint; /* number of the tracepoint to which the probe belongs; 0 = none */
    /* `do ACTION`. It is done at the entry, if the probe has an entry and the condition can be
     * evaluated there; otherwise at the exit. */
    enum ez_act_kind act;
    unsigned act_gate;
    uint64_t fragment; /* address of a struct ezt_fragment in the process; 0 = none */
    unsigned places;
    /* where fragments of the callers run at this probe's hits: EZT_BEFORE, EZT_BEHIND */
    unsigned place;
    /* requests with different serials never share a clause, so they are counted separately */
    uint64_t serial;
};
#define EZ_GUARD_RANGES 256 /* maximum number of caller ranges */

struct ez_clause_code {
    EZ_VEC(struct ez_code_op) op;
    struct ez_code_at cond, entry, leave, out; /* see struct ez_clause */
    unsigned words, out_words;                 /* maximum number of words of the events */
    unsigned saved;                            /* words that the entry saves for the exit */
    /* text of dprintf, copied from the request; "" = none */
    char *print;
    char *items, *out_items; /* layout as in items.h; "" = no words */
    char *missing; /* arguments that $args does not collect: "a, b (no room)"; NULL = none */
    bool adds;     /* the clause is an aggregate */
    enum ez_addup_of adds_of;           /* kind of the aggregated values */
    enum ez_item_type key;              /* type as which readers show the keys */
    int tracepoint;                     /* copied from the request */
    uint8_t act, act_at_exit, act_gate; /* see struct ez_clause */
    /* the clause counts its hits in a counter that all threads share */
    bool nth;
    /* copied from the request; if nonzero and the probe has an exit, the last saved word is the
     * fragment's activation */
    uint64_t fragment;
    unsigned places, place; /* copied from the request */
    uint64_t serial;
};
/* Compiles a request for a function. The caller frees *out with ez_clause_free(). Returns
 * EZ_E_REFUSED on a processor without probes' conditions and data. */
ez_err *ez_clause_compile(const struct ez_request *request, const struct ez_scope *scope,
                          struct ez_clause_code **out) EZ_WUR;
void ez_clause_free(struct ez_clause_code *c);
bool ez_clause_same(const struct ez_clause_code *a, const struct ez_clause_code *b);

/* at_entry.c: returns the arguments of a function as text("n=5, s=\"abc\""), for a thread at the
 * function's first instruction; "" if none is known. The caller frees the text. */
struct ez_entry_state {
    uint64_t reg[16], frame; /* registers by DWARF numbers; address of the return address */
    const uint8_t *extended; /* floating-point and vector registers in the kernel's layout */
    size_t nextended;
    bool (*read)(void *arg, uint64_t from, void *to, size_t n);
    void *arg;
};
char *ez_entry_args(const struct ez_scope *scope, unsigned max_string,
                    const struct ez_entry_state *at);

/* straight.c: whether a trampoline can do a part of a clause itself. ez_clause_tests() returns
 * whether there is no condition or it only compares up to `most` registers with constants,
 * ez_clause_words() whether the entry only emits up to `most` registers. If so, out[0..*n)
 * describes them. */
bool ez_clause_tests(const struct ez_clause_code *c, struct ez_reg_test *out, size_t most,
                     size_t *n);
/* Returns whether the clause only counts hits by the value of a register. If so, sets *key to the
 * register and *table to the number of the aggregate's table. */
bool ez_clause_counts_by(const struct ez_clause_code *c, struct ez_reg_part *key, uint32_t *table);
/* Returns whether the clause is a histogram of call durations without a key. If so, sets *table to
 * the number of the aggregate's table. */
bool ez_clause_times(const struct ez_clause_code *c, uint32_t *table);
bool ez_clause_words(const struct ez_clause_code *c, struct ez_reg_part *out, size_t most,
                     size_t *n);

/* Checks that the clause's code ends, stays within its stack, and emits no more words than
 * declared. Returns EZ_E_LIMIT. */
ez_err *ez_clause_verify(const struct ez_clause_code *c) EZ_WUR;

#endif
