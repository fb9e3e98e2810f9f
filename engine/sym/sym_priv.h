/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_priv.h - shared by these files:
 *
 *   sym_elf.c   headers, sections and symbol tables
 *   sym.c       one sorted table of all names
 *   sym_addr.c  look-up by address
 *   sym_name.c  look-up by name, demangling
 *   sym_part.c  partial names
 *   sym_fde.c   functions without a name, from .eh_frame
 *   sym_ptr.c   words of data with addresses of code
 *   sym_reloc.c relocations
 *   sym_plt.c   names of PLT slots
 *   sym_startup.c functions of the compiler's startup files
 *   sym_debug.c the separate debug file
 *   sym_beside.c other files with parts of the debug information
 *   sym_main.c  the address of main
 *   sym_stap.c  USDT probes
 *   sym_section.c the code section of an address */
#ifndef EZ_SYM_PRIV_H
#define EZ_SYM_PRIV_H

#include <elf.h>
#include <limits.h>

#include "engine/base/foreign.h"
#include "engine/sym/sym.h"
#include "engine/base/vec.h"

/* One ELF file. Its headers are copies, because those in the file may be misaligned. */
struct elf_file {
    struct ez_foreign *file; /* NULL if none */
    bool is64;
    uint16_t type, machine;
    uint64_t entry;
    Elf64_Shdr *sh;
    Elf64_Phdr *ph;
    size_t nsh, nph;
    const char *names; /* section names */
    size_t names_size;
};

struct code_section {
    const char *name;
    uint64_t start, end; /* vaddr */
    uint64_t offset;     /* offset in the file */
};

/* A function with a table of landing pads: see ez_object_lands(). */
struct landing {
    uint64_t start, end;
};

struct name_index; /* sym_name.c */

/* kind of an untyped symbol in code; later, each such symbol becomes a function or is removed */
#define SYM_LABEL 0xff

struct ez_object {
    char *path, *display, *build_id;
    const char *soname, *interp;
    bool is_exec;
    bool guarded;        /* result of ez_sym_guarded() for the object's unnamed functions */
    const char *no_exit; /* ez_object_no_exit(), if no_exit_known */
    bool no_exit_known;
    bool fortran, fortran_known; /* ez_object_main_is_fortran() */
    uint64_t dynamic, vaddr_min, vaddr_max;
    struct elf_file elf, debug;
    EZ_VEC(struct code_section) code;
    EZ_VEC(struct ez_sym) syms; /* code by address, then data by address */
    size_t ncode;
    size_t last_index;      /* index of the first symbol at the address that was looked up last */
    EZ_VEC(char *) strings; /* generated names */
    char **pretty;          /* demangled names by index of the symbol, filled on demand */
    struct name_index *names;
    void *slot; /* ez_object_slot() */
    void (*slot_drop)(void *);
    EZ_VEC(struct ez_stap) stap; /* valid if stap_known */
    bool stap_known;
    EZ_VEC(struct landing) landing; /* sorted by address; valid if landing_known */
    bool landing_known;
};

/* sym_elf.c */
/* Reads the headers. f owns the file from then on, also on failure. Returns false if the file is
 * not ELF of the shell's byte order, is a core dump, or is damaged. */
bool elf_open(struct ez_foreign *file, struct elf_file *f) EZ_WUR;
void elf_close(struct elf_file *f);
const Elf64_Shdr *elf_section(const struct elf_file *f, uint32_t type);
const Elf64_Shdr *elf_named(const struct elf_file *f, const char *name);
const char *elf_section_name(const struct elf_file *f, const Elf64_Shdr *sh); /* or "" */
/* Returns the string at `off` of a string table section, or "" if damaged. */
const char *elf_string(const struct elf_file *f, const Elf64_Shdr *strtab, uint64_t off);
/* Returns the contents of a section, or NULL and size 0 if the file has none. */
const uint8_t *elf_data(const struct elf_file *f, const Elf64_Shdr *sh, size_t *size);
/* Returns the bytes of the file that are mapped at va, and their number in *size: up to the end of
 * the segment, at most `most`. Returns NULL if there are none. */
const uint8_t *elf_at(const struct elf_file *e, uint64_t va, size_t most, size_t *size);
const Elf64_Shdr *elf_link(const struct elf_file *f, const Elf64_Shdr *sh);
/* A note of a section: its type, owner (with the NUL) and description. */
struct elf_note {
    uint32_t type;
    const char *owner;
    size_t owner_bytes;
    const uint8_t *desc;
    size_t desc_bytes;
};
/* Reads the note at *p, of whose section *size bytes are left, and moves both behind it. Returns
 * false if there is none, or if it does not fit into the section. */
bool elf_next_note(const uint8_t **p, size_t *size, struct elf_note *out);
/* Returns the build-id as hex, or NULL. The caller frees it. */
char *elf_build_id(const struct elf_file *f);
/* Fills `o` from the dynamic section and the program headers. */
void elf_describe(struct ez_object *o);
/* Appends the symbols of one table (SHT_SYMTAB or SHT_DYNSYM). */
void elf_read_symbols(struct ez_object *o, const struct elf_file *f, uint32_t type);

/* sym.c */
const struct code_section *sym_section(const struct ez_object *o, uint64_t vaddr);
char *sym_keep(struct ez_object *o, char *s); /* keeps and owns the string */

/* sym_fde.c */
/* Appends the functions of .eh_frame that no symbol contains. o->syms must be sorted. Returns
 * false if .eh_frame has no such function. */
bool symfde_read(struct ez_object *o);

/* sym_main.c */
/* Returns the address of main from the program's start-up code, or 0 if unknown. */
uint64_t sym_main(const struct ez_object *o);

/* sym_startup.c */
/* Returns whether `file`, a source file that .symtab names, is that of a startup file. */
bool sym_startup_source(const char *file);

/* sym_debug.c */
/* Opens the separate debug file as o->debug. */
void symdebug_open(struct ez_object *o);

/* sym_plt.c */
void symplt_read(struct ez_object *o); /* appends the slots as name@plt */
bool symplt_section(const struct code_section *s);

/* sym_part.c */
/* Returns a demangled name without its parameters. The caller frees it. */
char *sympart_bare(const char *name);
/* Returns the name without ABI tags, or NULL if it has no tags. The caller frees it. */
char *sympart_untagged(const char *name);
/* Returns the last component of a name, without template arguments: "f" of "a::f<int>". `bare` has
 * no parameters (sympart_bare()). The caller frees the result. */
char *sympart_last(const char *bare);
/* Returns whether `given` is a partial name of the function whose demangled name is `full`. `bare`
 * is `full` without result type and parameters. */
bool sympart_names(const char *given, const char *full, const char *bare);

/* sym_name.c */
void symname_free(struct ez_object *o);
/* Returns the demangled name if `raw` is mangled, else `raw`. The result is valid as long as the
 * object and `raw`. */
const char *symname_readable(struct ez_object *o, const char *raw);

#endif
