/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type.h - the types of C, C++, Fortran and Rust, and places of values, independent of file
 * formats.
 *
 * A type is made and owned by its source: dwarf.c, the table of C's base types, or a prototype that
 * the user typed. Other code only reads types. The members of a struct, an enum's names and a
 * function's parameters are loaded on demand (ez_type_load).
 *
 * dwarf.c guarantees the following, even for a damaged file: the chain of `to` ends after at most
 * EZ_TYPE_DEEPEST types; each member lies within its struct; no struct contains itself by value;
 * scalars have sizes that C's scalars have. The number of types that a type contains has no limit
 * (structs in structs, functions as parameters), so code that walks them needs a limit of its own.
 *
 * Tests: tests/unit/expr/check_expr.c */
#ifndef EZ_TYPE_H
#define EZ_TYPE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

enum ez_type_kind {
    EZ_TY_VOID,
    EZ_TY_INT, /* any integer, signed or not */
    EZ_TY_BOOL,
    EZ_TY_CHAR, /* an integer that is shown with its character */
    EZ_TY_FLOAT,
    EZ_TY_COMPLEX, /* two floats of half the size */
    EZ_TY_ENUM,
    EZ_TY_POINTER,
    EZ_TY_REFERENCE, /* in C++, and Fortran's arguments; `name` is "&&" for an rvalue reference */
    EZ_TY_ARRAY,
    EZ_TY_STRUCT, /* a struct or class */
    EZ_TY_UNION,
    EZ_TY_FUNC,
    EZ_TY_NAMED,  /* a typedef of `to` */
    EZ_TY_MEMBER, /* a pointer to a member of `of`, which is data of type `to` or a function */
    EZ_TY_CONST,  /* the type `to` with const or volatile; `name` has these words */
    EZ_TY_UNKNOWN,
};

struct ez_type;
/* maximum length of a chain of `to`, as in pointers to arrays of typedefs */
#define EZ_TYPE_DEEPEST 128

enum { EZ_PUBLIC = 1, EZ_PROTECTED, EZ_PRIVATE }; /* values as in DWARF */
struct ez_field {                                 /* a member of a struct or union */
    /* NULL for an anonymous struct or union, whose members are found as if they were members of the
     * outer struct */
    const char *name;
    const struct ez_type *type;
    uint64_t offset; /* bytes */
    /* bit: the field's lowest bit, counted from bit 0 of the byte at `offset`; bits: width, 0 = no
     * bit-field */
    unsigned bit, bits;
    bool base;
    uint8_t access; /* EZ_PUBLIC, EZ_PROTECTED, EZ_PRIVATE; 0 if unknown */
    /* for a virtual base: position of its offset, in bytes from the address in the vtable pointer;
     * else 0 */
    int32_t vbase;
};
/* Parts of a C++ class that are no data members of the object, in the order of the source. */
struct ez_class_static {
    const char *name;
    const struct ez_type *type;
    uint8_t access;
    size_t before; /* number of members declared before it */
};
struct ez_class_method {
    const char *name, *linkage; /* linkage: name in symbol tables, or NULL */
    const struct ez_type *type; /* the first parameter is `this` */
    uint8_t access;
    bool is_virtual, is_static, is_artificial, is_deleted;
    /* number of leading parameters that the source does not have: `this` and others */
    size_t hidden;
    /* the function's index in the table of virtual functions plus 1; 0 if unknown */
    uint64_t vtable;
};
struct ez_class_alias { /* a typedef */
    const char *name;
    const struct ez_type *type;
    uint8_t access;
};
struct ez_type_class {
    bool is_class; /* declared with "class" */
    const struct ez_class_static *fixed;
    const struct ez_class_method *method;
    const struct ez_class_alias *alias;
    size_t nfixed, nmethods, naliases;
};
/* The value of a Rust enum's discriminant with which the enum holds a certain member. ELSE: each
 * value that no other member has. */
struct ez_type_variant {
    enum { EZ_VARIANT_ELSE, EZ_VARIANT_VALUE, EZ_VARIANT_STRANGE } by; /* STRANGE: not supported */
    int64_t value; /* value of the discriminant */
};
struct ez_enumerator {
    const char *name; /* with its scope in C++: "ns::red" */
    int64_t value;
};
struct ez_param {
    const char *name; /* NULL if it has none */
    const struct ez_type *type;
};

struct ez_type {
    enum ez_type_kind kind;
    bool is_signed;
    bool is_variadic;    /* FUNC */
    bool has_protos;     /* FUNC: the parameters are known */
    bool is_char_text;   /* STRUCT: std::string and similar, shown as text; ARRAY: character(n) */
    bool by_address;     /* STRUCT: passed by the address of a copy */
    bool is_vector;      /* ARRAY: a vector register */
    bool is_declared;    /* STRUCT, UNION, ENUM: only declared in the debug information */
    bool is_cxx;         /* a C++ type, named without "struct" */
    bool is_rust;        /* written and shown in Rust's syntax */
    bool is_allocatable; /* ARRAY: Fortran's attribute */
    bool is_scoped;      /* ENUM: an enum class; its names are written Class::name */
    unsigned align;      /* bytes, if the source has alignas, else 0 */
    uint64_t size;       /* bytes; 0 if unknown or none */
    const char *name;    /* "int"; "s" for struct s; NULL = anonymous */
    const char *symbol;  /* UNKNOWN: name of the variable, of which only the address is known */
    /* pointee, element, result (NULL = void), target of a typedef; ENUM: its integer type */
    const struct ez_type *to;
    uint64_t count;     /* ARRAY: number of elements; UINT64_MAX if unknown */
    int64_t lower;      /* ARRAY: index of the first element */
    bool is_dynamic;    /* ARRAY: bounds known only at run time (ez_dwarf_shape) */
    const char *absent; /* ARRAY: reason why the array has no elements ("not allocated"), or NULL */
    /* parts of the type, which ez_type_load() loads */
    const struct ez_field *field;
    const struct ez_enumerator *enumerator;
    const struct ez_param *param;
    size_t nfields, nenumerators, nparams;
    /* Rust enum (STRUCT): for each field, how it is selected; or NULL */
    const struct ez_type_variant *variant;
    const struct ez_type *of; /* MEMBER: the class */
    /* field that holds the discriminant; NULL if the enum has only one variant */
    const struct ez_field *discr;
    /* used only by the code that makes the type */
    bool loaded, loading;
    void (*load)(struct ez_type *t);
    const struct ez_type_class *(*request_class)(struct ez_type *t);
    const struct ez_type_class *class; /* what ez_type_class() returned */
    const struct ez_type *whole;       /* for a declared type: its definition, once it is found */
    void *maker;
    uint64_t key;
};

/* Loads the parts of the type (fields, enumerators, parameters), if that was not done yet. Returns
 * t. */
const struct ez_type *ez_type_load(const struct ez_type *t);
/* Loads and returns the parts of a C++ class that are no data members. Returns NULL if t is no C++
 * class. */
const struct ez_type_class *ez_type_class(const struct ez_type *t);
/* Returns t without its outermost typedefs, const and volatile. */
const struct ez_type *ez_type_strip(const struct ez_type *t);
/* Returns the base type called `name` ("unsigned long", words in any order), or NULL. Base types
 * live for ever. */
const struct ez_type *ez_type_base(const char *name);
const struct ez_type *ez_type_int(unsigned bytes, bool is_signed);
/* Returns whether the type is an IEEE floating-point number of 16 bytes, or a complex number of two
 * such numbers. The name of the type decides, because x87 numbers have the same size. */
bool ez_type_is_quad(const struct ez_type *t);
/* Returns the type of a complex number's parts. */
const struct ez_type *ez_type_part(const struct ez_type *complex);
const struct ez_type *ez_type_double(void);
/* Returns the type of pointers to t. The pointer type of a t is made once and never freed. */
const struct ez_type *ez_type_pointer_to(const struct ez_type *t);
const struct ez_type *ez_type_reference_to(const struct ez_type *t);
const struct ez_type *ez_type_member_of(const struct ez_type *class, const struct ez_type *to);
/* Returns a function type with unknown parameters. */
const struct ez_type *ez_type_function_of(const struct ez_type *result);
const struct ez_type *ez_type_array_of(const struct ez_type *t, uint64_t count);
/* ---- Rust (type_rust.c) ---- */
/* Returns whether the type is a Rust type, or derived from one. */
bool ez_type_is_rust(const struct ez_type *t);
/* Return whether the type is, in this order: a tuple, "(i32, u8)"; a struct with numbered members;
 * &str; &[T]; char. These functions load the type. */
bool ez_rust_is_tuple(const struct ez_type *t);
bool ez_rust_is_numbered(const struct ez_type *t);
bool ez_rust_is_text(const struct ez_type *t);
bool ez_rust_is_slice(const struct ez_type *t);
bool ez_rust_is_char(const struct ez_type *t);
/* Returns the member that a Rust enum holds if its discriminant has the value discr, or NULL if
 * unknown. */
const struct ez_field *ez_rust_variant(const struct ez_type *t, uint64_t discr);
/* Returns a type by name, "i32", "usize", "unsigned long": Rust's types first, then C's; NULL if
 * unknown. The types are never freed. */
const struct ez_type *ez_rust_base(const char *name);
/* Returns the type as Rust writes it, "*mut u8", "[i32; 3]", "fn (i32) -> bool". With a name,
 * returns "x: i32". The caller frees it. */
char *ez_rust_declare(const struct ez_type *t, const char *name);
/* Returns the type with its members, over several lines. The caller frees it. */
char *ez_rust_whole(const struct ez_type *t);

/* ---- Fortran (type_fortran.c) ---- */
/* Returns the Fortran type called `name` ("integer*4", "real*8", "logical(kind=4)"), or NULL if
 * unknown. The types are never freed. */
const struct ez_type *ez_fortran_base(const char *name);
/* Returns whether the type is a string of one-byte characters. */
bool ez_fortran_is_text(const struct ez_type *t);
/* Returns the type as gdb writes it, "integer(kind=4) (2,3)", "PTR TO -> ( Type point )"; whole:
 * with components, over several lines. The caller frees it. */
char *ez_fortran_text(const struct ez_type *t, bool whole);
/* Returns the alignment in bytes, by the ABI of x86-64 or by alignas. */
uint64_t ez_type_alignment(const struct ez_type *t);

/* Returns the type as C writes it: "char *", "int (*)(int)", "struct s", "double [3]". The caller
 * frees it. */
char *ez_type_text(const struct ez_type *t);
/* Returns a declaration with a name: "int (*f)(int)". The caller frees it. */
char *ez_type_declare(const struct ez_type *t, const char *name);
/* Returns a declaration that compiles in any file, without typedef names (type_source.c). enums:
 * writes an enum of C as "enum TAG"; without `enums`, as its integer type. Returns NULL if C has no
 * such declaration. The caller frees it. */
char *ez_type_source(const struct ez_type *t, const char *name, bool cxx, bool enums);
/* Follows pointers, references and arrays from t to a struct or union. Returns its name, "struct
 * pair", and sets *size to its size in bytes. Returns NULL if t has no pointer or reference, if the
 * last type is no struct or union, or if the name or the size is unknown. The caller frees the
 * name. */
char *ez_type_pointed(const struct ez_type *t, bool cxx, uint64_t *size);

static inline bool ez_type_is_scalar(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return (t->kind >= EZ_TY_INT && t->kind <= EZ_TY_FLOAT) || t->kind == EZ_TY_ENUM ||
           t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE ||
           (t->kind == EZ_TY_MEMBER && t->size == 8);
}

/* What a name means at a place of the program. */
enum ez_means { EZ_MEANS_NOTHING, EZ_MEANS_VALUE, EZ_MEANS_TYPE };

/* Where a value is, at a function's first instruction or at its return. */
enum ez_where_kind {
    EZ_AT_NONE,    /* the value has no place; `why` has the reason */
    EZ_AT_REGS,    /* in up to two registers, 8 bytes of the value in each */
    EZ_AT_STACK,   /* on the stack, `offset` bytes above the return address */
    EZ_AT_MEMORY,  /* at `addr` */
    EZ_AT_POINTED, /* at the address in register reg[0], plus `offset` */
    /* in memory, whose address is on the stack, `offset` bytes above the return address */
    EZ_AT_STACKED,
    EZ_AT_CONST, /* the constant `addr`; `high` has bytes 8 to 15 */
    EZ_AT_X87,   /* in st(0); a complex number also in st(1) */
    EZ_AT_TICK,  /* the time stamp counter when the call began */
    /* in memory, where the caller wants the result: at the exit, the address is in reg[0] */
    EZ_AT_RETURNED,
};
struct ez_where {
    enum ez_where_kind kind;
    const char *why; /* EZ_AT_NONE: the reason */
    bool gone;       /* EZ_AT_NONE: the value is optimized out */
    bool at_exit;    /* the place is valid at the function's exit, not at its entry */
    uint64_t addr, high;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector; /* `number` is a vector register's, else a general register's DWARF number */
        bool high;   /* the upper 8 bytes of the vector register */
        bool stack;  /* no register: these bytes are on the stack, as for EZ_AT_STACK */
        unsigned number;
    } reg[2];
};

static inline struct ez_where ez_where_gone(void)
{
    return (
        struct ez_where){ .kind = EZ_AT_NONE, .why = "value has been optimized out", .gone = true };
}

/* Returns whether both places are the same registers or stack bytes. Does not compare `addr` and
 * `high`. */
bool ez_where_same(const struct ez_where *a, const struct ez_where *b);

struct ez_named { /* the meaning of a name in an expression */
    const struct ez_type *type;
    struct ez_where where;
};

#endif
