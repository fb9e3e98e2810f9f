/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_priv.h - the protocol between the shell and its reader of debug information, and what the
 * reader's files share.
 *
 *   dwarf_request.c sends requests, and parses answers              in the shell
 *   dwarf.c        types, functions and places                      in the shell
 *   dwarf_serve.c  the main loop: opens files, answers questions   in the reader
 *   dwarf_read.c   entries and their keys                          in the reader
 *   dwarf_index.c  functions, names and types of a unit            in the reader
 *   dwarf_names.c  the meaning of a name in a function             in the reader
 *   dwarf_written.c names with template arguments                  in the reader
 *   dwarf_shape.c  bounds that are known only at run time          in the reader
 *   dwarf_emit.c   functions and variables as bytes                in the reader
 *   dwarf_type.c   types and their parts as bytes                  in the reader
 *   dwarf_class.c  parts of a class other than members             in the reader
 *   dwarf_blocks.c the blocks around an instruction                in the reader
 *   dwarf_local.c  variables of functions, at any instruction      in the reader
 *   dwarf_frame.c  questions about frames, lines and unwind tables in the shell
 *   dwarf_row.c    rows of unwind tables                           in the reader
 *   dwarf_line.c   rows of line tables                             in the reader
 *   dwarf_source.c the code of a source line                       in the reader
 *   dwarf_macro.c  definitions of macros                           in the reader
 *   dwarf_files.c  finds and opens other files for the reader      in the shell
 *   dwarf_want.c   requests other files from the shell             in the reader
 *   dwarf_split.c  units, whose entries may be in other files      in the reader
 *   dwarf_alt.c    files and partial units made by dwz             in the reader
 *   dwarf_dwo.c    a .dwo file in memory                           in the reader
 *   dwarf_pack.c   packages of .dwo files                          in the reader
 *   dwarf_inlined.c inlined functions and their callers            in the reader
 *
 * The reader calls libdw in a process of its own (engine/base/jail.h), because libdw trusts what it
 * reads. An answer consists of its length (8 bytes) and that many bytes: numbers of 8 bytes, and
 * strings that end with 0. A *key* identifies a debugging entry: its offset in .debug_info, shifted
 * left by 2; or a number of a .dwo file's unit and the offset in that file; or a number that only
 * the same reader process understands. */
#ifndef EZ_DWARF_PRIV_H
#define EZ_DWARF_PRIV_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

enum dwarf_question {
    DWARF_FUNC,  /* the function that begins at word[0] */
    DWARF_TYPE,  /* the type whose key is word[0] */
    DWARF_PARTS, /* members, enumerators or parameters of the type whose key is word[0] */
    DWARF_CLASS, /* parts of a class other than members (enum dwarf_about) */
    /* bounds of the array type with key word[0] at address word[1], if they are computed at run
     * time */
    DWARF_SHAPE,
    /* the meaning of the name `text` in unit word[0], function word[1]; word[2] nonzero: other
     * units are not searched */
    DWARF_NAME,
    DWARF_NAMED, /* the type named `text`, with the words of DWARF_NAME */
    /* whether the name `text` means a type, with the words of DWARF_NAME; no answer if the name has
     * no meaning */
    DWARF_MEANS,
    DWARF_CALLS, /* the functions active at word[0] */
    /* the variable `text` at word[0], in the frame inside which word[1] inlined functions are
     * active; word[2]: enum dwarf_which */
    DWARF_LOCAL,
    DWARF_VARIABLE, /* the variable whose entry is at word[1], at address word[0] */
    /* names of parameters (word[1] nonzero: of other variables) at word[0], in the frame inside
     * which word[2] inlined functions are active */
    DWARF_NAMES,
    /* the rules to restore the caller's frame at word[0], for registers 0 to word[1]; word[2]
     * nonzero: word[0] is a return address */
    DWARF_ROW,
    /* the call that returns to word[0], and the value that it passes in register word[1] */
    DWARF_SITE,
    DWARF_ENTRY,    /* the start of the function at word[0], and whether its tail calls may lead
                     * back to it */
    DWARF_LINE,     /* the row of the line table for word[0] */
    DWARF_PROLOGUE, /* the end of the prologue of the function from word[0] to word[1] */
    DWARF_SOURCE,   /* the code of the first line of file `text`, from line word[0] on, that has
                   * code */
    DWARF_BEGIN,    /* the line of the file `text` on which the function at word[0] begins */
    DWARF_BODY,     /* file and lines of the function that begins at word[0] */
    /* the functions into which the function that begins at word[0] is inlined, in its unit */
    DWARF_INTO,
    DWARF_WITHIN,    /* the functions into which functions of the name `text` are inlined */
    DWARF_INSTANCES, /* the inlined instances of functions of the name `text` */
    DWARF_UNIT,      /* how the code at word[0] was compiled */
    DWARF_MACRO,     /* the macro `text` at word[0]; word[1] nonzero: after all lines of the unit */
    DWARF_INLINED,   /* the inlined functions of unit word[0] */
    DWARF_MANY,      /* DWARF_BODY and DWARF_FUNC of the functions that begin at the words, and
                 * DWARF_TYPE of the types in these answers. Each answer has the question, its word,
                 * its length and its bytes */
};
/* Which variable is meant, if several have the same name. */
enum dwarf_which {
    DWARF_WHICH_SEEN,          /* the variable that an expression means */
    DWARF_WHICH_PARAMETER,     /* the function's parameter, which a variable may hide */
    DWARF_WHICH_VARIABLE,      /* the innermost variable that is no parameter; + 1: the next
                                * variable outwards, and so on */
    DWARF_WHICH_LINK = 1 << 30 /* not a variable: the frame base of the surrounding function */
};
/* Precedes each part of a type; DWARF_PART_END follows the last one. */
enum dwarf_part {
    DWARF_PART_END,
    DWARF_PART,       /* a member, an enumerator, a parameter */
    DWARF_PART_DISCR, /* the member that selects the variant */
    /* enum dwarf_variant and the value of the selector, then the variant's member */
    DWARF_PART_VARIANT,
};
enum dwarf_variant { DWARF_VARIANT_ELSE, DWARF_VARIANT_VALUE, DWARF_VARIANT_STRANGE };
/* Precedes each part of a class other than a member. A name, the key of its type and its access
 * follow. Then, for DWARF_ABOUT_FIXED, the number of members declared before it; for
 * DWARF_ABOUT_METHOD, DWARF_METHOD_*, the number of hidden parameters, the index in the table of
 * virtual functions plus 1, and the linkage name. */
enum dwarf_about { DWARF_ABOUT_END, DWARF_ABOUT_FIXED, DWARF_ABOUT_METHOD, DWARF_ABOUT_ALIAS };
enum {
    DWARF_METHOD_VIRTUAL = 1,
    DWARF_METHOD_STATIC = 2,
    DWARF_METHOD_ARTIFICIAL = 4,
    DWARF_METHOD_DELETED = 8
};
#define DWARF_KEY_CHAR 1   /* key of the type char, for which there is no entry */
#define DWARF_NO_UNIT ~0ul /* search in all units */
#define DWARF_ANSWER (8u << 20)

/* The reader may send DWARF_WANTS and a struct dwarf_want in place of an answer's length, if it
 * needs another file, or has a message for the user about one (dwarf_want.c sends it, dwarf_files.c
 * receives it). */
#define DWARF_WANTS ~0ul
enum dwarf_want_what {
    DWARF_WANT_DWO,    /* the file `name` of a unit compiled in `folder` */
    DWARF_WANT_PACK,   /* the package of .dwo files */
    DWARF_WANT_ALT,    /* the file `name` made by dwz; folder is its build-id */
    DWARF_WANT_MEMORY, /* n bytes of memory, as a file in which the reader writes */
    DWARF_WANT_NOTE,   /* no file, but a message for the user about one */
};
enum dwarf_trouble {
    DWARF_TROUBLE_MISSING,
    DWARF_TROUBLE_OTHER, /* the file belongs to another build */
    DWARF_TROUBLE_DAMAGED,
    DWARF_TROUBLE_FORMAT,
};
struct dwarf_want {
    uint64_t what; /* enum dwarf_want_what */
    /* DWARF_WANT_NOTE: which kind of file the note is about (enum dwarf_want_what) */
    uint64_t of;
    /* number of the first path to try; DWARF_WANT_MEMORY: bytes; DWARF_WANT_NOTE: path number << 8
     * | trouble */
    uint64_t n;
    char folder[1024], name[1024];
};

/* Where a value is, by the debug information. */
enum dwarf_at {
    DWARF_AT_NONE,    /* the value has no place, or the place is unknown */
    DWARF_AT_REGS,    /* the value is in nregs registers; reg has DWARF numbers */
    DWARF_AT_POINTED, /* `value` bytes after the address in reg[0] */
    DWARF_AT_STACK,   /* `value` bytes after the canonical frame address */
    DWARF_AT_CONST,
    DWARF_AT_LOADED, /* the value is an address: `value` plus the load address of the file */
    DWARF_AT_ADDRESS,
    DWARF_AT_TLS,   /* thread-local */
    DWARF_AT_OTHER, /* needs a computation */
};
struct dwarf_where {
    uint64_t at, value, nregs, reg[2];
    uint64_t by_address; /* the place in memory contains the value's address, not the value */
    uint64_t high;       /* CONST: the bytes above the 8 bytes of `value` */
};

/* How to restore a caller's register. */
enum dwarf_kept {
    DWARF_KEPT,     /* unchanged */
    DWARF_KEPT_NOT, /* its value is lost */
    DWARF_KEPT_AT,  /* DWARF operations compute its place or its value */
};

enum {
    DWARF_FN_VARIADIC = 1,
    DWARF_FN_EXTERNAL = 2,
    DWARF_FN_FORTRAN = 4,
    DWARF_FN_CXX = 8,
    DWARF_FN_ASM = 16, /* a function in assembler: its parameters and its result are unknown */
    DWARF_FN_VIRTUAL = 32,
    /* how __int128 is passed: SPLITS means EZ_INT128_SPLITS, FILLS means EZ_INT128_FILLS */
    DWARF_FN_SPLITS = 64,
    DWARF_FN_RUST = 128,
    DWARF_FN_FILLS = 256,
    DWARF_FN_VTABLE =
        9 /* from this bit on: the index in the table of virtual functions plus 1; 0 if unknown */
};
enum {
    DWARF_TY_SIGNED = 1,
    DWARF_TY_VARIADIC = 2,
    DWARF_TY_PROTOS = 4,
    DWARF_TY_TEXT = 8,        /* std::string */
    DWARF_TY_BY_ADDRESS = 16, /* a class passed by the address of a copy */
    DWARF_TY_CXX = 32,        /* a C++ type, named without "struct" */
    DWARF_TY_SCOPED = 64,     /* an enum class */
    DWARF_TY_DYNAMIC = 128,   /* an array whose bounds are known only at run time */
    DWARF_TY_RUST = 256,
    DWARF_TY_ALLOCATABLE = 512
};

#endif
