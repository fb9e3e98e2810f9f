/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym.h - what an ELF file says about itself: symbols, sections.
 *
 * An `ez_object` is one file, read once; addresses in it are the
 * file's own virtual addresses ("vaddr"). The target maps it at vaddr + bias;
 * engine/inferior/modules.c knows where the target maps it.
 *
 * Symbols come from .symtab, .dynsym, the separate debug file (build-id, then
 * .gnu_debuglink, under /usr/lib/debug) and, for PLT slots, libbfd's synthetic
 * table; where there is no .symtab, also from .eh_frame, as fde_ADDRESS. One address
 * may have several names (aliases): all are kept, sorted by address, the preferred name
 * (global, no leading '_', default version, longest size) first.
 * Main thread only. */
#ifndef EZ_SYM_H
#define EZ_SYM_H

#include <regex.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

enum ez_sym_kind {
    EZ_SYM_FUNC,  /* a function                                               */
    EZ_SYM_IFUNC, /* its address is the resolver's                            */
    EZ_SYM_COLD,  /* a .cold/.part fragment that is jumped to, not called     */
    EZ_SYM_PLT,   /* name@plt                                                 */
    EZ_SYM_DATA,
};

struct ez_object;

struct ez_sym {
    const char *name;    /* as in the file, mangled; without @VERSION            */
    const char *version; /* "GLIBC_2.2.5" or NULL                                */
    uint64_t vaddr;      /* address in the file                                  */
    uint64_t size;       /* bytes; 0 = the file does not say                     */
    uint8_t kind;        /* enum ez_sym_kind                                     */
    bool old;            /* not the default version: programs linked today get another        */
    bool local;          /* not exported to other files (static, hidden)        */
    bool unnamed;        /* found by .eh_frame: the name is made up            */
    const struct ez_object *obj;
};

/* Open `path` and read its symbols. `display` is the name shown to users (the
 * path in the target's file system); NULL = path. Errors: EZ_E_NOTFOUND
 * ("PATH: No such file or directory."), EZ_E_FORMAT (not in executable format). */
ez_err *ez_object_open(const char *path, const char *display, struct ez_object **out) EZ_WUR;
/* Like ez_object_open, for an open file. The object owns the file from then on; after an error
 * it is closed. */
struct ez_foreign;
ez_err *ez_object_load(struct ez_foreign *file, const char *path, const char *display,
                       struct ez_object **out) EZ_WUR;
void ez_object_close(struct ez_object *o);
const struct ez_foreign_id *ez_object_file(const struct ez_object *o);
/* Is `file` the file that was read, not written to since? stat and the build-id tell. */
bool ez_object_is_of(const struct ez_object *o, struct ez_foreign *file);
/* Was the file written to since it was read? What was read stays as it was. */
bool ez_object_changed(const struct ez_object *o);

const char *ez_object_path(const struct ez_object *o);   /* display name           */
const char *ez_object_base(const struct ez_object *o);   /* "libm.so.6"            */
const char *ez_object_soname(const struct ez_object *o); /* DT_SONAME or NULL     */
bool ez_object_is_exec(
    const struct ez_object *o); /* a program (ET_EXEC, or ET_DYN with PT_INTERP or DF_1_PIE) */
const char *ez_object_interp(const struct ez_object *o); /* PT_INTERP or NULL     */
uint64_t ez_object_entry(const struct ez_object *o);     /* e_entry, vaddr         */
uint64_t ez_object_dynamic(const struct ez_object *o);   /* vaddr of PT_DYNAMIC, 0 = none */
uint64_t ez_object_vaddr_min(const struct ez_object *o); /* page of the first PT_LOAD */
uint64_t ez_object_vaddr_max(const struct ez_object *o); /* end of the last PT_LOAD   */
bool ez_object_is_64(const struct ez_object *o);
int ez_object_machine(const struct ez_object *o); /* EM_*                   */
/* Build-id as lower-case hex, or NULL. */
const char *ez_object_build_id(const struct ez_object *o);

/* The file that has the debug information (a section .debug_info): the object's own, or the debug
 * file; NULL = none. *separate: it is the debug file. */
struct ez_foreign *ez_object_debug(struct ez_object *o, bool *separate);
/* The object's own file. */
struct ez_foreign *ez_object_own(const struct ez_object *o);
/* Other files with parts of its debug information (sym_beside.c). */
enum ez_beside {
    EZ_BESIDE_DWO,  /* the file `name` of what was compiled in `folder`                 */
    EZ_BESIDE_PACK, /* the package of such files                                       */
    EZ_BESIDE_ALT   /* the file `name` that dwz made; folder: its build-id              */
};
/* The k-th path where the file may be, from 0; to be freed. NULL = there are no more. */
char *ez_object_beside(const struct ez_object *o, enum ez_beside what, const char *folder,
                       const char *name, size_t k);
/* Keeps a line for the user, which was allocated. ez_object_noted() takes the oldest one, to be freed; NULL = none. */
void ez_object_note(char *text);
char *ez_object_noted(void);
/* A pointer for engine/data/dwarf.c to keep with the object; drop is called with it when the object
 * is closed, unless it is NULL. */
void **ez_object_slot(struct ez_object *o, void (*drop)(void *));

/* All symbols, sorted by vaddr (data last). */
const struct ez_sym *ez_object_syms(const struct ez_object *o, size_t *n);
/* The preferred name of the code symbol that contains vaddr; NULL = none.
 * A symbol of size 0 extends to the next one. */
const struct ez_sym *ez_object_find_addr(const struct ez_object *o, uint64_t vaddr);
/* The data symbol that contains vaddr; NULL = none. */
const struct ez_sym *ez_object_find_data(const struct ez_object *o, uint64_t vaddr);
/* Is there a main program of Fortran? It is called MAIN__. */
bool ez_object_main_is_fortran(struct ez_object *o);
/* Call `fn` for each symbol named exactly NAME: raw name, demangled name with
 * parameters, demangled name without them; exact matches only. Returns how many. */
size_t ez_object_find_name(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg);
/* Like ez_object_find_name, for symbols that NAME names only in part, as in gdb: `f` finds
 * ns::f<int>(char). */
size_t ez_object_find_part(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg);
/* Is it a function whose name matches, raw or as people read it? */
bool ez_sym_matches(const struct ez_sym *s, const regex_t *re);
/* The end (vaddr) of the function at `s`: its size, or where the next code symbol
 * or section end stands, whichever comes first. */
uint64_t ez_sym_end(const struct ez_sym *s);
/* Where the next *other* code symbol after s starts, or the section's end: bytes
 * from ez_sym_end() to here are padding. */
uint64_t ez_sym_next(const struct ez_sym *s);
/* May this unnamed function be one whose exit must not be followed? Such functions are known
 * by name, and its file has some. */
bool ez_sym_guarded(const struct ez_sym *s);
/* Why no function of this file may bear an exit probe, NULL = nothing known: it holds a
 * runtime that walks stacks by return addresses (ez_walker_sign()). */
const char *ez_object_no_exit(struct ez_object *o);
/* May an exception that passes through [start, end) land in code of that function, there or in
 * a cold half? .eh_frame says so; the first call reads it. */
bool ez_object_lands(struct ez_object *o, uint64_t start, uint64_t end);
/* Demangled name, computed once and kept; the raw name when it is not mangled. */
const char *ez_sym_pretty(const struct ez_sym *s);
/* The demangled name with parameters, without the result; to be freed. NULL = it is not mangled. */
char *ez_name_pretty(const char *name);
/* The same without parameters. */
char *ez_name_bare(const char *name);
/* What stands behind the last "::" outside of brackets: "c<d::e>" in "a::b::c<d::e>"; else all of it. */
const char *ez_name_last(const char *name);

/* Executable bytes of the file: section contents around vaddr. Copies up to n
 * bytes, returns how many were available (0 = vaddr is not in a code section). */
size_t ez_object_read_text(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n);
/* The same for any section that is loaded, as it is before relocation; zeros of .bss, too. */
size_t ez_object_read(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n);
/* What the loader puts at vaddr `at`: the relocation's kind (enum ez_reloc_kind) and addend,
 * and its symbol's name ("" = none) and vaddr in this file (0 = the symbol is another file's).
 * ez_object_relocs calls fn for relocations of the given kinds (a bit each), in the order of
 * the file. */
struct ez_dynreloc {
    uint64_t at, addend;
    uint32_t kind, index;
    const struct elf_file *file; /* only ez_dynreloc_*() use these two  */
    const void *symtab;
};
const char *ez_dynreloc_name(const struct ez_dynreloc *r);
uint64_t ez_dynreloc_value(const struct ez_dynreloc *r);
bool ez_dynreloc_in_got(const struct ez_dynreloc *r); /* its word is in a global offset table */
void ez_object_relocs(const struct ez_object *o, unsigned kinds,
                      void (*fn)(const struct ez_dynreloc *, void *), void *arg);
/* Bounds of the executable section that contains vaddr; false = none. */
bool ez_object_section(const struct ez_object *o, uint64_t vaddr, const char **name,
                       uint64_t *start, uint64_t *end);

/* The name of the section that is loaded there, code or not; "" = none. */
const char *ez_object_section_name(const struct ez_object *o, uint64_t vaddr);
/* Bounds of the section of that name, code or not; false = none. */
bool ez_object_named(const struct ez_object *o, const char *name, uint64_t *start, uint64_t *end);
/* Calls fn for each word of data, at `at`, that holds an address strictly inside (lo, hi) once
 * the file is loaded. The words are a superset: in a program linked to one address any word
 * may be such an address. */
typedef void ez_object_pointer(uint64_t at, uint64_t to, void *arg);
void ez_object_pointers(const struct ez_object *o, uint64_t lo, uint64_t hi, ez_object_pointer *fn,
                        void *arg);

#endif
