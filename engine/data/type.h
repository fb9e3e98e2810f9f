/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type.h - the types of C, C++ and Fortran, and where values are; free of any file format.
 *
 * Types are made by whoever knows them (dwarf.c, the C base types of basetype.c, prototypes that were
 * typed in) and belong to it; all others only read them. The members of a struct, an enum's names
 * and a function's parameters are loaded when somebody asks (ez_type_load).
 *
 * What a maker must keep, whatever a file says (dwarf.c): the chain of `to` ends within EZ_TYPE_DEEPEST; each member
 * lies in its struct; no struct holds itself by value; scalars have sizes that C's have. Structs in structs, and
 * functions that take functions, may still be as many as a file likes: who walks them has a bound of his own.
 *
 * Tests: tests/unit/engine/check_expr.c */
#ifndef EZ_TYPE_H
#define EZ_TYPE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

enum ez_type_kind {
    EZ_TY_VOID,
    EZ_TY_INT, /* any integer, signed or not                                       */
    EZ_TY_BOOL,
    EZ_TY_CHAR, /* an integer that is shown as a character, too                    */
    EZ_TY_FLOAT,
    EZ_TY_COMPLEX, /* two floats of half the size                                  */
    EZ_TY_ENUM,
    EZ_TY_POINTER,
    EZ_TY_REFERENCE, /* of C++, and of Fortran's arguments; `name` "&&": to what is moved from */
    EZ_TY_ARRAY,
    EZ_TY_STRUCT, /* and class                                                     */
    EZ_TY_UNION,
    EZ_TY_FUNC,
    EZ_TY_NAMED,  /* a typedef of `to`                                              */
    EZ_TY_MEMBER, /* a pointer to a member of `of`, to data of type `to` or a function          */
    EZ_TY_CONST,  /* `to`, const or volatile or both: `name` is the words           */
    EZ_TY_UNKNOWN,
};

struct ez_type;
#define EZ_TYPE_DEEPEST 128 /* pointers to arrays of typedefs of ... */

enum { EZ_PUBLIC = 1, EZ_PROTECTED, EZ_PRIVATE }; /* as DWARF has them                       */
struct ez_field {     /* of a struct or union                                             */
    const char *name; /* NULL = anonymous: its own fields are found through it       */
    const struct ez_type *type;
    uint64_t offset;    /* bytes                                                     */
    unsigned bit, bits; /* of a bit-field: first bit, counted from offset; bits 0 = none */
    bool base;          /* a base class                                              */
    uint8_t access;     /* EZ_PUBLIC, EZ_PROTECTED, EZ_PRIVATE; 0 = not told                */
    int32_t
        vbase; /* of a virtual one: its offset stands there in the table of virtual functions; else 0 */
};
/* What a class of C++ has besides its members, in the order of the source. */
struct ez_class_static {
    const char *name;
    const struct ez_type *type;
    uint8_t access;
    size_t before; /* so many members are before it                                        */
};
struct ez_class_method {
    const char *name, *linkage; /* linkage: for symbol tables, or NULL                       */
    const struct ez_type *type; /* its first parameter is `this`                             */
    uint8_t access;
    bool is_virtual, is_static, is_artificial, is_deleted;
    size_t hidden;   /* so many parameters at the begin are not written: `this` and others     */
    uint64_t vtable; /* its place in the table of virtual functions, plus 1; 0 = not told     */
};
struct ez_class_alias { /* a typedef                                                       */
    const char *name;
    const struct ez_type *type;
    uint8_t access;
};
struct ez_type_class {
    bool is_class; /* written "class"                                                      */
    const struct ez_class_static *fixed;
    const struct ez_class_method *method;
    const struct ez_class_alias *alias;
    size_t nfixed, nmethods, naliases;
};
/* What of an enum of Rust says that it holds one of its members. */
struct ez_type_variant {
    enum { EZ_VARIANT_ELSE, EZ_VARIANT_VALUE, EZ_VARIANT_STRANGE } by; /* STRANGE: not known here */
    int64_t value; /* the discriminant is then                                            */
};
struct ez_enumerator {
    const char *name; /* in C++ with the scope around it                              */
    int64_t value;
};
struct ez_param {
    const char *name; /* NULL = none                                                  */
    const struct ez_type *type;
};

struct ez_type {
    enum ez_type_kind kind;
    bool is_signed;
    bool is_variadic; /* FUNC                                                        */
    bool has_protos;  /* FUNC: the parameters are known                              */
    bool
        is_char_text; /* STRUCT: std::string and its kin: shown by its characters; ARRAY: character(n) */
    bool by_address;     /* STRUCT: passed by the address of a copy                     */
    bool is_vector;      /* ARRAY: of a vector register                                 */
    bool is_declared;    /* STRUCT, UNION, ENUM: what is in it is not known here        */
    bool is_cxx;         /* named without "struct"                                      */
    bool is_rust;        /* written and shown as Rust does                              */
    bool is_allocatable; /* ARRAY: Fortran's attribute                               */
    bool is_scoped;      /* ENUM: an enum class; its names are written Class::name      */
    unsigned align;      /* bytes, if the source has alignas; else 0                    */
    uint64_t size;       /* bytes; 0 = not known, or none                               */
    const char *name;    /* "int", "struct s" is NAME "s"; NULL = anonymous             */
    const char *symbol;  /* UNKNOWN: the variable of which only the address is known    */
    const struct ez_type
        *to;         /* pointee, element, result (NULL = void), what is named, ENUM: its integer */
    uint64_t count;  /* ARRAY: elements; UINT64_MAX = not known                     */
    int64_t lower;   /* ARRAY: the index of its first element */
    bool is_dynamic; /* ARRAY: the running program knows its bounds (ez_dwarf_shape) */
    const char
        *absent; /* ARRAY: why it has no elements ("not allocated"); NULL = it may have some */
    /* loaded on demand */
    const struct ez_field *field;
    const struct ez_enumerator *enumerator;
    const struct ez_param *param;
    size_t nfields, nenumerators, nparams;
    const struct ez_type_variant
        *variant; /* STRUCT, an enum of Rust: of each field, of which it holds one; or NULL */
    const struct ez_type *of; /* MEMBER: the class                                      */
    const struct ez_field
        *discr; /* then the member that says which; NULL = there is one field     */
    /* of the maker */
    bool loaded, loading;
    void (*load)(struct ez_type *t);
    const struct ez_type_class *(*request_class)(struct ez_type *t);
    const struct ez_type_class
        *class;                  /* what it answered                                          */
    const struct ez_type *whole; /* of a declaration: its definition, once it is found          */
    void *maker;
    uint64_t key;
};

/* Loads what is loaded on demand. Returns t. */
const struct ez_type *ez_type_load(const struct ez_type *t);
/* NULL = nothing is told. It is loaded, too. */
const struct ez_type_class *ez_type_class(const struct ez_type *t);
/* Without names and const. */
const struct ez_type *ez_type_strip(const struct ez_type *t);
/* The base type called `name` ("unsigned long", words in any order), or NULL. They live for ever. */
const struct ez_type *ez_type_base(const char *name);
const struct ez_type *ez_type_int(unsigned bytes, bool is_signed);
/* IEEE's floats of 16 bytes, alone or as the parts of a complex number: the name tells, for x87's have that size. */
bool ez_type_is_quad(const struct ez_type *t);
/* What a complex number has two of. */
const struct ez_type *ez_type_part(const struct ez_type *complex);
const struct ez_type *ez_type_double(void);
/* A pointer to t; kept for ever, one for each t. */
const struct ez_type *ez_type_pointer_to(const struct ez_type *t);
const struct ez_type *ez_type_reference_to(const struct ez_type *t);
const struct ez_type *ez_type_member_of(const struct ez_type *class, const struct ez_type *to);
const struct ez_type *ez_type_function_of(const struct ez_type *result); /* of unknown parameters */
const struct ez_type *ez_type_array_of(const struct ez_type *t, uint64_t count);
/* ---- Rust (type_rust.c) ---- */
/* Is it a type of Rust, or made of one? */
bool ez_type_is_rust(const struct ez_type *t);
/* A tuple, "(i32, u8)"; a struct whose members have numbers; &str; &[T]. They are loaded. */
bool ez_rust_is_tuple(const struct ez_type *t);
bool ez_rust_is_numbered(const struct ez_type *t);
bool ez_rust_is_text(const struct ez_type *t);
bool ez_rust_is_slice(const struct ez_type *t);
bool ez_rust_is_char(const struct ez_type *t);
/* The member that an enum holds, by the number in its discriminant; NULL = it cannot be told. */
const struct ez_field *ez_rust_variant(const struct ez_type *t, uint64_t discr);
/* "i32", "usize", "unsigned long": Rust's types, then C's; NULL = none. They live for ever. */
const struct ez_type *ez_rust_base(const char *name);
/* As Rust writes it: "*mut u8", "[i32; 3]", "fn (i32) -> bool"; with a name: "x: i32". */
char *ez_rust_declare(const struct ez_type *t, const char *name);
/* With members, over several lines. */
char *ez_rust_whole(const struct ez_type *t);

/* ---- Fortran (type_fortran.c) ---- */
/* "integer*4", "real*8", "logical(kind=4)"; NULL = none. They live for ever. */
const struct ez_type *ez_fortran_base(const char *name);
/* Is it a text, of characters of one byte? */
bool ez_fortran_is_text(const struct ez_type *t);
/* As gdb writes it: "integer(kind=4) (2,3)", "PTR TO -> ( Type point )"; whole: with components, over several lines. */
char *ez_fortran_text(const struct ez_type *t, bool whole);
/* In bytes, by the ABI of x86-64, or as the source asks for (alignas). */
uint64_t ez_type_alignment(const struct ez_type *t);

/* As C writes it: "char *", "int (*)(int)", "struct s", "double [3]". The caller frees. */
char *ez_type_text(const struct ez_type *t);
/* The same with a name in it: "int (*f)(int)". */
char *ez_type_declare(const struct ez_type *t, const char *name);
/* The same as a declaration that compiles in any file: without names of typedefs (type_source.c). enums: enums of C are named
 * by their tags; else they are written as integers. NULL: C has no such declaration. The caller frees. */
char *ez_type_source(const struct ez_type *t, const char *name, bool cxx, bool enums);
/* "struct pair": that to which a pointer, or an array of such, leads at last, and its size. NULL = to nothing so, or the name
 * or the size is not known. The caller frees. */
char *ez_type_pointed(const struct ez_type *t, bool cxx, uint64_t *size);

static inline bool ez_type_is_scalar(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return (t->kind >= EZ_TY_INT && t->kind <= EZ_TY_FLOAT) || t->kind == EZ_TY_ENUM ||
           t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE ||
           (t->kind == EZ_TY_MEMBER && t->size == 8);
}

/* Where a value is, at a function's first instruction or as it returns. */
enum ez_where_kind {
    EZ_AT_NONE,     /* nowhere: `why` says why                                       */
    EZ_AT_REGS,     /* in up to two registers, 8 bytes of the value in each           */
    EZ_AT_STACK,    /* `offset` bytes above the return address's place                */
    EZ_AT_MEMORY,   /* at `addr`                                                     */
    EZ_AT_POINTED,  /* at the address that register reg[0] holds, plus `offset`      */
    EZ_AT_STACKED,  /* at the address that stands `offset` bytes above the return address's place */
    EZ_AT_CONST,    /* it is `addr`, and `high` above these 8 bytes                   */
    EZ_AT_X87,      /* in st(0), and st(1) if the value is complex                   */
    EZ_AT_TICK,     /* it is the time when the call began                            */
    EZ_AT_RETURNED, /* the address to which the caller wants the result; at the exit, in reg[0] */
};
struct ez_where {
    enum ez_where_kind kind;
    const char *why; /* NONE: why not                                                  */
    bool gone;       /* NONE: it is optimized out                                      */
    bool at_exit;    /* it holds at the exit: the result's                              */
    uint64_t addr, high;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector; /* a vector register, by its number; else a general one, by DWARF's */
        bool high;   /* its upper 8 bytes                                              */
        bool stack;  /* none: these bytes are on the stack, as those of EZ_AT_STACK      */
        unsigned number;
    } reg[2];
};

static inline struct ez_where ez_where_gone(void)
{
    return (
        struct ez_where){ .kind = EZ_AT_NONE, .why = "value has been optimized out", .gone = true };
}

/* The same registers, or the same bytes of the stack? Addresses and constants are not compared. */
bool ez_where_same(const struct ez_where *a, const struct ez_where *b);

struct ez_named { /* what a name in an expression stands for                        */
    const struct ez_type *type;
    struct ez_where where;
};

#endif
