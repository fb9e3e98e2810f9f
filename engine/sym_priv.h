/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_priv.h - what the files of engine/sym*.c share.
 *
 *   sym_elf.c   headers, sections and symbol tables, read from the mapped file
 *   sym.c       one sorted table of all names; look-up by address
 *   sym_name.c  look-up by name, demangling
 *   sym_fde.c   functions without a name, from .eh_frame
 *   sym_bfd.c   libbfd: PLT names, the debug file's whereabouts
 *   sym_line.c  libbfd: source lines */
#ifndef EZ_SYM_PRIV_H
#define EZ_SYM_PRIV_H

#include <elf.h>
#include <stdio.h>

#include "engine/sym.h"
#include "engine/vec.h"

/* One mapped ELF file. Headers are copies: the file's may be misaligned. */
struct elf_file {
    const uint8_t *map; /* NULL = none                                         */
    size_t size;
    bool is64;
    uint16_t type, machine;
    uint64_t entry;
    Elf64_Shdr *sh;
    Elf64_Phdr *ph;
    size_t nsh, nph;
    const char *names; /* of sections                                          */
    size_t names_size;
};

struct code_section {
    const char *name;
    uint64_t start, end; /* vaddr                                              */
    uint64_t offset;     /* in the file                                        */
};

/* Code that exceptions may land in: see ez_object_lands(). */
struct landing {
    uint64_t start, end;
};

struct line_entry {
    uint64_t vaddr;
    const char *file;
    unsigned line;
};

struct name_index; /* sym_name.c */

#define SYM_LABEL 0xff /* an untyped symbol in code; gone once the table is ready */

struct ez_object {
    char *path, *display, *build_id;
    const char *soname, *interp;
    bool is_exec;
    bool guarded;        /* ez_sym_guarded() of its unnamed functions                  */
    const char *no_exit; /* ez_object_no_exit(), if no_exit_known                       */
    bool no_exit_known;
    uint64_t dynamic, vaddr_min, vaddr_max;
    struct elf_file elf, debug;
    EZ_VEC(struct code_section) code;
    EZ_VEC(struct ez_sym) syms; /* code by address, then data by address       */
    size_t ncode;
    size_t asked;           /* the symbol looked up by address last, first of its aliases */
    EZ_VEC(char *) strings; /* names that are not in a mapped file             */
    char **pretty;          /* by symbol, filled on demand                     */
    struct name_index *names;
    struct bfd *bfd; /* NULL when libbfd will not have it                      */
    EZ_VEC(struct line_entry) lines;
    bool lines_ready;
    EZ_VEC(struct landing) landing; /* by address, if landing_known                */
    bool landing_known;
};

/* sym_elf.c */
ez_err *elf_open(const char *path, struct elf_file *f) EZ_WUR;
void elf_close(struct elf_file *f);
const Elf64_Shdr *elf_section(const struct elf_file *f, uint32_t type);
/* The string at `off` of a string table section; "" when damaged. */
const char *elf_string(const struct elf_file *f, const Elf64_Shdr *strtab, uint64_t off);
/* Contents of a section, NULL and 0 when it has none in the file. */
const uint8_t *elf_data(const struct elf_file *f, const Elf64_Shdr *sh, size_t *size);
/* The bytes of the file that are mapped from va on, to the end of their segment. */
const uint8_t *elf_at(const struct elf_file *e, uint64_t va, size_t *size);
const Elf64_Shdr *elf_link(const struct elf_file *f, const Elf64_Shdr *sh);
/* Build-id as hex, or NULL. Caller frees. */
char *elf_build_id(const struct elf_file *f);
/* Facts of the dynamic section and program headers, into `o`. */
void elf_describe(struct ez_object *o);
/* Append the symbols of one table (SHT_SYMTAB or SHT_DYNSYM). */
void elf_read_symbols(struct ez_object *o, const struct elf_file *f, uint32_t type);

/* sym.c */
const struct code_section *sym_section(const struct ez_object *o, uint64_t vaddr);
char *sym_keep(struct ez_object *o, char *s); /* takes the string */

/* sym_fde.c */
/* Append what .eh_frame knows and no symbol covers; o->syms is sorted. false = nothing. */
bool symfde_read(struct ez_object *o);

/* sym_main.c */
/* Where main is, as the program's start-up code says; 0 = it does not. */
uint64_t sym_main(const struct ez_object *o);

/* sym_bfd.c */
void symbfd_open(struct ez_object *o);
void symbfd_close(struct ez_object *o);
/* Around calls that may check a format: libbfd must not write to the terminal. */
FILE *symbfd_hush(void);
void symbfd_unhush(FILE *loud);
/* Path of the separate debug file by .gnu_debuglink, or NULL. Caller frees. */
char *symbfd_debuglink(struct ez_object *o);
void symbfd_read_plt(struct ez_object *o);

/* sym_name.c */
void symname_free(struct ez_object *o);

#endif
