/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_priv.h - what the shell and its reader of debug information say to each other, and what the
 * reader's files share.
 *
 *   dwarf.c        asks, and makes types and places of answers     in the shell
 *   dwarf_serve.c  files, questions                                in the reader
 *   dwarf_read.c   entries and their keys                          in the reader
 *   dwarf_index.c  functions, names and types of a unit            in the reader
 *   dwarf_names.c  what a name means in a function                 in the reader
 *   dwarf_written.c names with template arguments               in the reader
 *   dwarf_shape.c  bounds that only the running program knows     in the reader
 *   dwarf_emit.c   a function, a variable become bytes             in the reader
 *   dwarf_type.c   a type and its parts become bytes               in the reader
 *   dwarf_class.c  what a class has besides members                in the reader
 *   dwarf_blocks.c the blocks around an instruction                in the reader
 *   dwarf_local.c  variables of functions, at any instruction      in the reader
 *   dwarf_about.c  asks for what a class has                       in the shell
 *   dwarf_ahead.c  asks of many functions at once                  in the shell
 *   dwarf_frame.c  asks for those, and for rows of unwind tables   in the shell
 *   dwarf_row.c    rows of unwind tables                           in the reader
 *   dwarf_line.c   rows of line tables                             in the reader
 *   dwarf_source.c the code of a source line                       in the reader
 *   dwarf_macro.c  definitions of macros                           in the reader
 *   dwarf_files.c  finds and opens other files for the reader      in the shell
 *   dwarf_split.c  units, whose entries may be in other files      in the reader
 *   dwarf_alt.c    what dwz took out of units                      in the reader
 *   dwarf_dwo.c    a .dwo file in memory                           in the reader
 *   dwarf_pack.c   packages of .dwo files                          in the reader
 *   dwarf_inlined.c what was inlined into what                     in the reader
 *
 * The reader is libdw's caller in a process of its own (engine/base/jail.h), because libdw trusts what
 * it reads. An answer is a length (8 bytes) and so many bytes: numbers of 8 bytes, texts that end
 * with 0. A debugging entry goes by a *key*: its offset in .debug_info, shifted by 2; the unit of a .dwo file and
 * the offset in that; or something that only this reader understands. */
#ifndef EZ_DWARF_PRIV_H
#define EZ_DWARF_PRIV_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

enum dwarf_question {
    DWARF_FUNC,  /* the function that begins at word[0]                             */
    DWARF_TYPE,  /* the type word[0]                                                */
    DWARF_PARTS, /* its members, names or parameters                                */
    DWARF_CLASS, /* what a class has besides its members (enum dwarf_about)                */
    DWARF_SHAPE, /* its bounds, at word[1], if the running program knows them         */
    DWARF_NAME, /* what the name `text` means in unit word[0], function word[1]; word[2]: no others */
    DWARF_NAMED, /* the type of the name `text` there                               */
    DWARF_MEANS, /* is what the name means there a type? No answer: it means nothing     */
    DWARF_CALLS, /* the functions that are open at word[0]                           */
    DWARF_LOCAL, /* the variable `text` at word[0], of the one with word[1] inlined ones inside. word[2]: enum
                  * dwarf_which */
    DWARF_VARIABLE, /* the variable whose entry is at word[1], at word[0]                  */
    DWARF_NAMES,    /* parameters (word[1]: other variables) at word[0], with word[2] inside */
    DWARF_ROW,      /* the caller's frame, at word[0]: of registers 0 to word[1].
                * word[2]: it is behind a call */
    DWARF_SITE,     /* the call that returns to word[0]: what it passes in register word[1]  */
    DWARF_ENTRY,    /* of the function at word[0]: where it begins, do tail calls lead back  */
    DWARF_LINE,     /* the row of the line table for word[0]                           */
    DWARF_PROLOGUE, /* the end of the prologue of the function from word[0] to word[1] */
    DWARF_SOURCE, /* the code of the first line from word[0] on that has some, of the file `text` */
    DWARF_BEGIN,  /* the line of the file `text` on which the function at word[0] begins */
    DWARF_BODY,   /* file and lines of the function that begins at word[0]           */
    DWARF_INTO,   /* into which functions of its unit the one that begins at word[0] is inlined */
    DWARF_WITHIN, /* into which functions those of the name `text` are inlined        */
    DWARF_UNIT,   /* how the code at word[0] was compiled                            */
    DWARF_MACRO,  /* what the macro `text` is at word[0]; word[1]: behind all of the unit's lines */
    DWARF_INLINED, /* the functions of unit word[0] that were inlined               */
    DWARF_MANY, /* DWARF_BODY and DWARF_FUNC of those that begin at the words, and DWARF_TYPE of the types
                 * in these answers: of each answer what was asked, its word, its length, the bytes */
};
/* Which one of several variables that have one name. */
enum dwarf_which {
    DWARF_WHICH_SEEN,      /* the one that an expression means                             */
    DWARF_WHICH_PARAMETER, /* the function's parameter, which a variable may hide            */
    DWARF_WHICH_VARIABLE,  /* of the others the innermost one; one more: the next one outwards */
    DWARF_WHICH_LINK =
        1 << 30 /* no variable, but the base of the frame of the function around it   */
};
/* What stands before each part of a type; 0 behind the last one. */
enum dwarf_part {
    DWARF_PART_END,
    DWARF_PART,         /* a member, a name, a parameter                                */
    DWARF_PART_DISCR,   /* the member that says which variant there is                    */
    DWARF_PART_VARIANT, /* how it says so (enum dwarf_variant), its value; a member         */
};
enum dwarf_variant { DWARF_VARIANT_ELSE, DWARF_VARIANT_VALUE, DWARF_VARIANT_STRANGE };
/* Each says what it is; then a name, the key of its type, its access. Then DWARF_ABOUT_FIXED: how many members were
 * before it; DWARF_ABOUT_METHOD: DWARF_METHOD_*, hidden parameters, its place in the table of virtual functions plus 1,
 * its linkage name. */
enum dwarf_about { DWARF_ABOUT_END, DWARF_ABOUT_FIXED, DWARF_ABOUT_METHOD, DWARF_ABOUT_ALIAS };
enum {
    DWARF_METHOD_VIRTUAL = 1,
    DWARF_METHOD_STATIC = 2,
    DWARF_METHOD_ARTIFICIAL = 4,
    DWARF_METHOD_DELETED = 8
};
#define DWARF_KEY_CHAR 1   /* no entry: a char                                       */
#define DWARF_NO_UNIT ~0ul /* the name is looked for in all units                       */
#define DWARF_ANSWER (8u << 20)

/* In place of an answer's length the reader may say DWARF_WANTS and then a struct dwarf_want: it needs another file
 * (dwarf_files.c in the shell; dwarf_split.c, dwarf_pack.c in the reader), or has something to tell of one. */
#define DWARF_WANTS ~0ul
enum dwarf_want_what {
    DWARF_WANT_DWO,    /* the file `name` of a unit that was compiled in `folder`          */
    DWARF_WANT_PACK,   /* the package of such files                                       */
    DWARF_WANT_ALT,    /* the file `name` that dwz made; folder: its build-id              */
    DWARF_WANT_MEMORY, /* n bytes of memory, as a file                                    */
    DWARF_WANT_NOTE,   /* nothing: the user should know of the file                        */
};
enum dwarf_trouble {
    DWARF_TROUBLE_MISSING,
    DWARF_TROUBLE_OTHER, /* it is of another build                                      */
    DWARF_TROUBLE_DAMAGED,
    DWARF_TROUBLE_FORMAT,
};
struct dwarf_want {
    uint64_t what; /* enum dwarf_want_what                                             */
    uint64_t of;   /* DWARF_WANT_NOTE: what kind of file it is                           */
    uint64_t n;    /* the first place to be tried; DWARF_WANT_NOTE: place << 8 | trouble    */
    char folder[1024], name[1024];
};

/* Where a value is, as the debug information has it. */
enum dwarf_at {
    DWARF_AT_NONE,    /* nowhere, or not told                                          */
    DWARF_AT_REGS,    /* in nregs registers, by DWARF's numbers                         */
    DWARF_AT_POINTED, /* `value` bytes behind where reg[0] points                       */
    DWARF_AT_STACK,   /* `value` bytes behind the canonical frame address              */
    DWARF_AT_CONST,
    DWARF_AT_LOADED, /* it is `value`, an address of the file: its load address is added      */
    DWARF_AT_ADDRESS,
    DWARF_AT_TLS,   /* of each thread                                                */
    DWARF_AT_OTHER, /* by a computation                                              */
};
struct dwarf_where {
    uint64_t at, value, nregs, reg[2];
    uint64_t by_address; /* a place in memory holds its address                            */
    uint64_t high;       /* CONST: what is above the 8 bytes of `value`                    */
};

/* What became of a caller's register. */
enum dwarf_kept {
    DWARF_KEPT,     /* nothing                                                       */
    DWARF_KEPT_NOT, /* its value is gone                                             */
    DWARF_KEPT_AT,  /* its place, or its value, is computed                            */
};

enum {
    DWARF_FN_VARIADIC = 1,
    DWARF_FN_EXTERNAL = 2,
    DWARF_FN_FORTRAN = 4,
    DWARF_FN_CXX = 8,
    DWARF_FN_ASM = 16, /* what it takes and returns is not told                         */
    DWARF_FN_VIRTUAL = 32,
    DWARF_FN_SPLITS = 64, /* enum ez_abi_int128                                           */
    DWARF_FN_RUST = 128,
    DWARF_FN_FILLS = 256,
    DWARF_FN_VTABLE =
        9 /* from this bit on: its place in the table of virtual functions plus 1; 0 = not told */
};
enum {
    DWARF_TY_SIGNED = 1,
    DWARF_TY_VARIADIC = 2,
    DWARF_TY_PROTOS = 4,
    DWARF_TY_TEXT = 8,        /* std::string                                              */
    DWARF_TY_BY_ADDRESS = 16, /* a class that is passed by the address of a copy           */
    DWARF_TY_CXX = 32,        /* its name needs no "struct" before it */
    DWARF_TY_SCOPED = 64,     /* an enum class                                            */
    DWARF_TY_DYNAMIC = 128,   /* an array whose bounds the running program knows          */
    DWARF_TY_RUST = 256,
    DWARF_TY_ALLOCATABLE = 512
};

#endif
