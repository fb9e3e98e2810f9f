/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - what is made of a probe's words (`if EXPR`, `collect ITEM, ...`) for one function:
 * code for the runtime's machine (engine/data_abi.h), and what its events' words mean.
 *
 *   collect.c   items: words of an event            gen.c      code of expressions
 *   compile.c   clauses                             verify.c   is code what the runtime expects?
 *   guard.c     what a hit must be besides: its thread, its caller, its time, its turn
 *
 * WHEN. `collect` items are taken at the entry, `return` items and all that use $ret at the exit.
 * There, a parameter is what it was at the entry: the entry saves the words that the exit needs; memory
 * behind a pointer is read at the exit. */
#ifndef EZ_CLAUSE_H
#define EZ_CLAUSE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "arch/arch.h"
#include "engine/data/expr.h"
#include "engine/data/type.h"
#include "engine/ezt.h"
#include "engine/ring/items.h"
#include "engine/data_abi.h"

struct gen_wide;
/* What names mean in one function. All of it belongs to who made it. */
struct ez_object;
struct ez_scope {
    const char *function; /* for messages                                              */
    const char *why_not;  /* why parameters and result are not known; NULL = they are   */
    const struct ez_param_at {
        const char *name; /* never NULL: "$arg0" if it has none                        */
        struct ez_named at;
    } * param;
    size_t nparams;
    bool is_variadic;
    const char *name_in_source; /* "ns::f", or NULL                                          */
    bool is_static;             /* not known outside of its file                           */
    bool is_virtual;            /* C++: which function is called is told by the object      */
    uint64_t vtable; /* then its place in the table of virtual functions plus 1; 0 = not told */
    bool is_cxx;     /* C++: comparisons are bool                                 */
    bool is_fortran, is_rust;
    enum ez_abi_int128 int128; /* of the convention                                      */
    struct ez_named result;    /* its type is void if there is none                        */
    /* A variable that is no parameter. EZ_E_NOTFOUND: `No symbol "x" in current context.` */
    ez_err *(*name)(void *arg, const char *scope, const char *name, struct ez_named *out);
    /* A type by its name, stars and all. EZ_E_NOTFOUND: `No struct type named s.` */
    ez_err *(*type)(void *arg, const struct ez_type_name *name, const struct ez_type **out);
    enum ez_means (*means)(void *arg, const char *name);
    /* In the shell alone (engine/eval): a variable of the function, which hides members of `this` and
     * what `name` finds; false = there is none. And what only the shell knows: $variables, strings,
     * x@n; false = it does not know it, *e = why not, if it should. NULL = not there. */
    bool (*local)(void *arg, const char *name, struct ez_named *out);
    bool (*held)(void *arg, const struct ez_expr *x, struct ez_named *out, ez_err **e);
    /* In the shell alone: computes with numbers of more than 8 bytes (engine/data/gen.h). NULL = not there. */
    ez_err *(*wide)(void *arg, const struct gen_wide *w, struct ez_named *out);
    /* In the shell alone, of a piece: the number that it computes; and its address, also of what the shell holds. */
    ez_err *(*number)(void *arg, const struct gen_wide *w, uint64_t *out);
    ez_err *(*address)(void *arg, const struct gen_wide *w, uint64_t *out);
    /* In the shell alone, of C++: the whole object of which a part with virtual functions stands at *at, and its class;
     * *class NULL = it is not known. */
    ez_err *(*whole)(void *arg, uint64_t *at, const struct ez_type **class);
    /* In the shell alone, of Fortran: a section of the array io, or two texts compared; an array of known bounds in place of
     * one in memory whose bounds are computed; and bytes that it holds. */
    ez_err *(*fortran)(void *arg, const struct ez_expr *x, struct ez_named *io);
    void (*shape)(void *arg, struct ez_named *of);
    void (*hold)(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                 struct ez_named *out);
    void *arg;
    /* In the shell alone: the address of a thread-local variable, so many bytes behind the begin of its module's
     * block. NULL: it cannot be read. */
    ez_err *(*tls)(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                   uint64_t *addr);
    void *tls_arg;
};

/* The words of an expression in that function. */
static inline struct ez_language ez_scope_language(const struct ez_scope *s)
{
    return (struct ez_language){ s->means, s->arg, s->is_cxx, s->is_fortran, s->is_rust };
}

/* What a hit must be besides meeting the condition; all zeros = anything. */
struct ez_guards {
    uint32_t thread;      /* of the thread with this id; 0 = of any                      */
    const char *name;     /* of threads that are called so now; NULL = of any            */
    const uint64_t *at;   /* called from these ranges: begin, end, begin, ...; sorted, disjoint */
    size_t nat;           /* numbers in `at`                                             */
    bool callers;         /* `at` counts, even if it is empty                            */
    uint64_t from, until; /* ticks: not before, and before; until 0 = for ever          */
    int gate;             /* 1 + the bit of ez_hdr.gates that must be set; 0 = none       */
    uint64_t skip, most; /* of all that meet the rest: not the first `skip`; then `most`, 0 = all */
};

/* What the user asked for, and what of it is the process's. */
struct ez_request {
    const struct ez_probe_spec *spec;
    unsigned max_string;
    unsigned table; /* of an aggregate (EZ_OP_ADDUP)                                  */
    struct ez_guards guards;
    int tracepoint;       /* its number, whose hits are frames; 0 = it is none             */
    enum ez_act_kind act; /* besides recording: at the entry, if the probe sees it and the condition
                           * is known there, else at the exit                           */
    unsigned act_gate;
    uint64_t fragment; /* address of a struct ezt_fragment in the process; 0 = none       */
    unsigned places;   /* of the fragment                                                */
    unsigned place;    /* hits run fragments of their callers: EZT_BEFORE, EZT_BEHIND        */
    uint64_t serial;   /* asks with other serials are never the same clause: they count apart */
};
#define EZ_GUARD_RANGES 256 /* of callers, at most */

struct ez_clause_code {
    EZ_VEC(struct ez_code_op) op;
    struct ez_code_at cond, entry, leave, out; /* see struct ez_clause             */
    unsigned words, out_words;                 /* of the events, at most           */
    unsigned saved;                            /* words of a call kept for its exit */
    char *print;                               /* of the ask; "" = none                */
    char *items, *out_items;                   /* items.h; "" = no words            */
    char *missing; /* arguments that $args does not collect: "a, b (no room)"; NULL = none */
    bool adds;     /* an aggregate                         */
    enum ez_addup_of adds_of;           /* its values                           */
    enum ez_item_type key;              /* how its keys are shown              */
    int tracepoint;                     /* of the ask                          */
    uint8_t act, act_at_exit, act_gate; /* see struct ez_clause              */
    bool nth;                           /* it needs a shared counter         */
    uint64_t fragment;                  /* of the ask: the last saved word is its activation */
    unsigned places, place;             /* of the ask                                        */
    uint64_t serial;
};
/* EZ_E_ARG, EZ_E_NOTFOUND, EZ_E_LIMIT. */
ez_err *ez_clause_compile(const struct ez_request *request, const struct ez_scope *scope,
                          struct ez_clause_code **out) EZ_WUR;
void ez_clause_free(struct ez_clause_code *c);
bool ez_clause_same(const struct ez_clause_code *a, const struct ez_clause_code *b);

/* at_entry.c. "n=5, s=\"abc\"": the arguments of the function at whose first instruction a thread stands, as
 * far as they are known; "" = nothing is. The caller frees. */
struct ez_entry_state {
    uint64_t reg[16], frame; /* by DWARF's numbers; where the return address stands          */
    const uint8_t *extended; /* floating point and vector registers, as the kernel gives them  */
    size_t nextended;
    bool (*read)(void *arg, uint64_t from, void *to, size_t n);
    void *arg;
};
char *ez_entry_args(const struct ez_scope *scope, unsigned max_string,
                    const struct ez_entry_state *at);

/* straight.c. Does the condition only compare up to `most` registers? Are the entry's words only
 * registers? Then out[0..*n) is what a trampoline does itself. */
bool ez_clause_tests(const struct ez_clause_code *c, struct ez_reg_test *out, size_t most,
                     size_t *n);
/* Is it a count by a register, in that table? */
bool ez_clause_counts_by(const struct ez_clause_code *c, struct ez_reg_part *key, uint32_t *table);
/* Is it a histogram of how long calls take, without a key, in that table? */
bool ez_clause_times(const struct ez_clause_code *c, uint32_t *table);
bool ez_clause_words(const struct ez_clause_code *c, struct ez_reg_part *out, size_t most,
                     size_t *n);

/* Is it code that ends, stays in its stack, and emits no more words than it says? EZ_E_ARG. */
ez_err *ez_clause_verify(const struct ez_clause_code *c) EZ_WUR;

#endif
