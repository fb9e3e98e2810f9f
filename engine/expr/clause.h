/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - compiles a probe's clauses (`if EXPR`, `collect ITEM, ...`) for one function: code for
 * the runtime's machine (engine/data_abi.h), and the layout of events.
 *
 *   collect.c   items: the words of an event        gen.c      code of expressions
 *   compile.c   clauses                             verify.c   checks code for the runtime
 *   guard.c     thread, caller, time and turn of a hit
 *
 * WHEN. `collect` items are read at the entry, `return` items and all that use $ret at the exit. At
 * the exit, a parameter has its value from the entry: the entry saves the words that the exit
 * needs. Memory behind a pointer is read at the exit. */
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
/* The meaning of names in one function. All of it belongs to its creator. */
struct ez_object;
struct ez_scope {
    const char *function; /* name for messages */
    const char *why_not;  /* reason why parameters and result are unknown; NULL if known */
    const struct ez_param_at {
        const char *name; /* never NULL: "$arg0" for a parameter without a name */
        struct ez_named at;
    } * param;
    size_t nparams;
    bool is_variadic;
    const char *name_in_source; /* "ns::f", or NULL */
    bool is_static;             /* not visible outside of its file */
    bool is_virtual;            /* C++: the object determines the function that is called */
    /* for a virtual function, its index in the table of virtual functions plus 1; 0 if unknown */
    uint64_t vtable;
    bool is_cxx; /* C++: comparisons are bool */
    bool is_fortran, is_rust;
    enum ez_abi_int128 int128; /* as the calling convention has it */
    struct ez_named result;    /* type void if there is no result */
    /* Finds a variable that is no parameter. Returns EZ_E_NOTFOUND: `No symbol "x" in current
     * context.` */
    ez_err *(*name)(void *arg, const char *scope, const char *name, struct ez_named *out);
    /* Finds a type by its name, with its stars. Returns EZ_E_NOTFOUND: `No struct type named s.` */
    ez_err *(*type)(void *arg, const struct ez_type_name *name, const struct ez_type **out);
    enum ez_means (*means)(void *arg, const char *name);
    /* In the shell only (engine/eval), else NULL. local finds a variable of the function, which
     * hides members of `this` and results of `name`; returns false if there is none. held finds
     * what only the shell has: $variables, strings, x@n; returns false if x is none of these, with
     * an error in *e if it should be. */
    bool (*local)(void *arg, const char *name, struct ez_named *out);
    bool (*held)(void *arg, const struct ez_expr *x, struct ez_named *out, ez_err **e);
    /* In the shell only, else NULL: computes numbers of more than 8 bytes (engine/expr/gen.h). */
    ez_err *(*wide)(void *arg, const struct gen_wide *w, struct ez_named *out);
    /* In the shell only: the number that a piece computes, and its address, also of a value that
     * the shell holds. */
    ez_err *(*number)(void *arg, const struct gen_wide *w, uint64_t *out);
    ez_err *(*address)(void *arg, const struct gen_wide *w, uint64_t *out);
    /* In the shell only, for C++: finds the complete object of which *at is a part with virtual
     * functions, and its class. *class is NULL if unknown. */
    ez_err *(*whole)(void *arg, uint64_t *at, const struct ez_type **class);
    /* In the shell only, for Fortran: fortran makes a section of the array io, or compares two
     * texts. shape replaces an array in memory whose bounds are computed by one with known bounds.
     * hold keeps bytes in the shell. */
    ez_err *(*fortran)(void *arg, const struct ez_expr *x, struct ez_named *io);
    void (*shape)(void *arg, struct ez_named *of);
    void (*hold)(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                 struct ez_named *out);
    void *arg;
    /* In the shell only: the address of a thread-local variable, `offset` bytes after the begin of
     * its module's block. NULL if it cannot be read. */
    ez_err *(*tls)(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                   uint64_t *addr);
    void *tls_arg;
};

/* Returns how expressions in the function are parsed. */
static inline struct ez_language ez_scope_language(const struct ez_scope *s)
{
    return (struct ez_language){ s->means, s->arg, s->is_cxx, s->is_fortran, s->is_rust };
}

/* Requirements on a hit in addition to the condition; all zeros means none. */
struct ez_guards {
    uint32_t thread;      /* thread ID; 0 = any */
    const char *name;     /* present name of the thread; NULL = any */
    const uint64_t *at;   /* ranges of callers: begin, end, begin, ...; sorted, disjoint */
    size_t nat;           /* numbers in `at` */
    bool callers;         /* `at` applies, even if it is empty */
    uint64_t from, until; /* ticks: from inclusive, until exclusive; until 0 = no end */
    int gate;             /* 1 + the bit of ez_hdr.gates that must be set; 0 = none */
    /* of the hits that meet all else: skip the first `skip`, then accept `most` (0 = all) */
    uint64_t skip, most;
};

/* The user's request, and the parts of it that depend on the process. */
struct ez_request {
    const struct ez_probe_spec *spec;
    unsigned max_string;
    unsigned table; /* table of an aggregate (EZ_OP_ADDUP) */
    struct ez_guards guards;
    int tracepoint; /* number of the tracepoint whose hits are frames; 0 = none */
    /* action besides recording: at the entry, if the probe is there and the condition is known
     * there, else at the exit */
    enum ez_act_kind act;
    unsigned act_gate;
    uint64_t fragment; /* address of a struct ezt_fragment in the process; 0 = none */
    unsigned places;
    unsigned place; /* where hits run fragments of their callers: EZT_BEFORE, EZT_BEHIND */
    /* requests with different serials never share a clause, so they are counted separately */
    uint64_t serial;
};
#define EZ_GUARD_RANGES 256 /* maximum number of caller ranges */

struct ez_clause_code {
    EZ_VEC(struct ez_code_op) op;
    struct ez_code_at cond, entry, leave, out; /* see struct ez_clause */
    unsigned words, out_words;                 /* maximum number of words of the events */
    unsigned saved;                            /* words of a call that are kept for its exit */
    char *print;                               /* from the request; "" = none */
    char *items, *out_items;                   /* layout as in items.h; "" = no words */
    char *missing; /* arguments that $args does not collect: "a, b (no room)"; NULL = none */
    bool adds;     /* whether the clause is an aggregate */
    enum ez_addup_of adds_of;           /* kind of its values */
    enum ez_item_type key;              /* type for display of its keys */
    int tracepoint;                     /* from the request */
    uint8_t act, act_at_exit, act_gate; /* see struct ez_clause */
    bool nth;                           /* needs a shared counter */
    /* from the request; the last saved word is its activation */
    uint64_t fragment;
    unsigned places, place; /* from the request */
    uint64_t serial;
};
/* Compiles a request. Returns EZ_E_ARG, EZ_E_NOTFOUND or EZ_E_LIMIT. */
ez_err *ez_clause_compile(const struct ez_request *request, const struct ez_scope *scope,
                          struct ez_clause_code **out) EZ_WUR;
void ez_clause_free(struct ez_clause_code *c);
bool ez_clause_same(const struct ez_clause_code *a, const struct ez_clause_code *b);

/* at_entry.c: returns the known arguments of a function, as "n=5, s=\"abc\"", for a thread at the
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

/* straight.c: return whether the condition only compares up to `most` registers (ez_clause_tests),
 * or whether the entry's words are only registers (ez_clause_words). If so, out[0..*n) is what the
 * trampoline does itself. */
bool ez_clause_tests(const struct ez_clause_code *c, struct ez_reg_test *out, size_t most,
                     size_t *n);
/* Returns whether the clause counts by a register, in that table. */
bool ez_clause_counts_by(const struct ez_clause_code *c, struct ez_reg_part *key, uint32_t *table);
/* Returns whether the clause is a histogram of call durations without a key, in that table. */
bool ez_clause_times(const struct ez_clause_code *c, uint32_t *table);
bool ez_clause_words(const struct ez_clause_code *c, struct ez_reg_part *out, size_t most,
                     size_t *n);

/* Checks that the code ends, stays within its stack, and emits no more words than declared. Returns
 * EZ_E_ARG. */
ez_err *ez_clause_verify(const struct ez_clause_code *c) EZ_WUR;

#endif
