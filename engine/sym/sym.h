/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym.h - symbols and sections of an ELF file.
 *
 * An `ez_object` is one file, read once. Its addresses are the file's own virtual addresses
 * ("vaddr"). The target maps the file at vaddr + bias; engine/inferior/modules.c knows the bias.
 *
 * Symbols come from .dynsym, from .symtab or, if it is missing, from that of the separate debug
 * file (sym_debug.c), and, for PLT slots, from the relocations (sym_plt.c). Without any .symtab,
 * they also come from .eh_frame (sym_fde.c). An address may have several names (aliases). Among
 * them the preferred one (global, no leading '_', default version, longest size) is first.
 *
 * Main thread only, except the functions that the threads of engine/patch/prove.c call. */
#ifndef EZ_SYM_H
#define EZ_SYM_H

#include <regex.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

enum ez_sym_kind {
    EZ_SYM_FUNC,
    EZ_SYM_IFUNC, /* an IFUNC; the symbol's address is the address of the resolver */
    EZ_SYM_COLD,  /* the unlikely part of a function (f.cold), which jumps reach, not calls */
    EZ_SYM_PLT,   /* name@plt */
    EZ_SYM_DATA,
};

struct ez_object;

struct ez_sym {
    const char *name;    /* as in the file, mangled; without @VERSION */
    const char *version; /* "GLIBC_2.2.5" or NULL */
    uint64_t vaddr;      /* address in the file */
    uint64_t size;       /* bytes; 0 if the file does not say */
    uint8_t kind;        /* enum ez_sym_kind */
    bool old;   /* not the default version: the linker binds new programs to the default version */
    bool local; /* not exported to other files (static, hidden) */
    bool unnamed; /* found in .eh_frame, with a generated name */
    bool startup; /* the symbol's source file is a startup file: use ez_sym_is_startup() */
    const struct ez_object *obj;
};

/* Opens `path` and reads its symbols. `display` is the name shown to users (the path in the
 * target's file system); NULL means path. Returns an error of ez_foreign_open(), EZ_E_FORMAT (not
 * in executable format), EZ_E_LIMIT (the file cannot be read), or EZ_E_QUIT (the user
 * interrupted). */
ez_err *ez_object_open(const char *path, const char *display, struct ez_object **out) EZ_WUR;
/* Reads the symbols of an open file, as ez_object_open() does. The object owns the file from then
 * on; on failure the file is closed. */
struct ez_foreign;
ez_err *ez_object_load(struct ez_foreign *file, const char *path, const char *display,
                       struct ez_object **out) EZ_WUR;
void ez_object_close(struct ez_object *o);
const struct ez_foreign_id *ez_object_file(const struct ez_object *o);
/* Returns whether `file` is the file that was read, unchanged, by stat and build-id. */
bool ez_object_is_of(const struct ez_object *o, struct ez_foreign *file);
/* Returns whether the file was written to since it was read. The data that was read is
 * unchanged. */
bool ez_object_changed(const struct ez_object *o);

const char *ez_object_path(const struct ez_object *o);   /* name for display */
const char *ez_object_base(const struct ez_object *o);   /* "libm.so.6" */
const char *ez_object_soname(const struct ez_object *o); /* DT_SONAME or NULL */
bool ez_object_is_exec(
    const struct ez_object *o); /* a program (ET_EXEC, or ET_DYN with PT_INTERP or DF_1_PIE) */
const char *ez_object_interp(const struct ez_object *o); /* PT_INTERP or NULL */
uint64_t ez_object_entry(const struct ez_object *o);     /* e_entry, vaddr */
uint64_t ez_object_dynamic(const struct ez_object *o);   /* vaddr of PT_DYNAMIC, or 0 */
uint64_t ez_object_vaddr_min(const struct ez_object *o); /* page of the first PT_LOAD */
uint64_t ez_object_vaddr_max(const struct ez_object *o); /* end of the last PT_LOAD */
bool ez_object_is_64(const struct ez_object *o);
int ez_object_machine(const struct ez_object *o); /* EM_* */
/* Returns the build-id as lower-case hex, or NULL. */
const char *ez_object_build_id(const struct ez_object *o);

/* Returns the file with the debug information (section .debug_info): the object's own file or its
 * separate debug file, or NULL. *separate is false for the object's own file. */
struct ez_foreign *ez_object_debug(struct ez_object *o, bool *separate);
/* Returns the object's own file. */
struct ez_foreign *ez_object_own(const struct ez_object *o);
/* Other files with parts of the debug information (sym_beside.c). */
enum ez_beside {
    EZ_BESIDE_DWO,  /* the file `name` of a unit compiled in `folder` */
    EZ_BESIDE_PACK, /* the package of .dwo files */
    EZ_BESIDE_ALT   /* the file `name` made by dwz; `folder` is its build-id */
};
/* Returns the k-th path, from 0, at which such a file may be, or NULL after the last. The caller
 * frees the path. */
char *ez_object_beside(const struct ez_object *o, enum ez_beside what, const char *folder,
                       const char *name, size_t k);
/* ez_object_note() stores an allocated line for the user. ez_object_noted() removes and returns the
 * oldest line, which the caller frees, or NULL if there is none. */
void ez_object_note(char *text);
char *ez_object_noted(void);
/* Returns the address of a pointer in the object that only engine/dwarf/dwarf.c uses. When the
 * object is closed, drop() is called with the pointer unless the pointer is NULL. */
void **ez_object_slot(struct ez_object *o, void (*drop)(void *));

/* Returns all symbols, sorted by vaddr, with data last. */
const struct ez_sym *ez_object_syms(const struct ez_object *o, size_t *n);
/* Returns the preferred code symbol that contains vaddr, or NULL. A symbol of size 0 extends to the
 * next symbol. */
const struct ez_sym *ez_object_find_addr(const struct ez_object *o, uint64_t vaddr);
/* Returns the data symbol that contains vaddr, or NULL. */
const struct ez_sym *ez_object_find_data(const struct ez_object *o, uint64_t vaddr);
/* Returns whether the file has a Fortran main program, which is named MAIN__. */
bool ez_object_main_is_fortran(struct ez_object *o);
/* Calls `fn` for each symbol that NAME matches exactly: as raw name, or as demangled name with or
 * without parameters. Returns the number of symbols. */
size_t ez_object_find_name(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg);
/* Calls `fn` for each symbol of whose name NAME is a part, but not the whole, as in gdb: `f` finds
 * ns::f<int>(char). Returns the number of symbols. */
size_t ez_object_find_part(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg);
/* Returns whether s is a function whose raw or demangled name matches. */
bool ez_sym_matches(const struct ez_sym *s, const regex_t *re);
/* Returns whether s is a function of the startup files that the compiler links into each program,
 * such as _start, _init and frame_dummy. */
bool ez_sym_is_startup(const struct ez_sym *s);
/* Returns the end (vaddr) of the function at `s`: by the symbol's size, if that is not 0, but at
 * most the start of the next code symbol or the end of the section. */
uint64_t ez_sym_end(const struct ez_sym *s);
/* Returns the lowest address above s at which a code symbol starts or the section ends; for data,
 * the end of s. */
uint64_t ez_sym_next(const struct ez_sym *s);
/* Returns whether s may be a function that must not have an exit probe (names.h), but cannot be
 * recognised because it has no name: the file has such functions, and s was found in .eh_frame. */
bool ez_sym_guarded(const struct ez_sym *s);
/* Returns why no function of this file may have an exit probe, or NULL: the file contains a runtime
 * that walks stacks by return addresses (ez_walker_sign()). */
const char *ez_object_no_exit(struct ez_object *o);
/* Returns whether the function at [start, end) has a table of landing pads. An exception can then
 * land in the function or in its cold part. Uses .eh_frame, which the first call reads. */
bool ez_object_lands(struct ez_object *o, uint64_t start, uint64_t end);
/* Returns the demangled name, or the raw name if that cannot be demangled. s->obj owns the name. */
const char *ez_sym_pretty(const struct ez_sym *s);
/* Returns the demangled name with parameters, without the result type, or NULL if the name cannot
 * be demangled. The caller frees it. */
char *ez_name_pretty(const char *name);
/* Returns the demangled name without parameters, or NULL as above. The caller frees it. */
char *ez_name_bare(const char *name);
/* Returns a demangled name without parameters, template arguments and tags: "ns::v::get" of
 * "ns::v<int>::get(int) const". The caller frees it. */
char *ez_name_short(const char *name);
/* Returns the part after the last "::" outside of brackets ("c<d::e>" of "a::b::c<d::e>"), or the
 * whole name if there is no "::". */
const char *ez_name_last(const char *name);

/* Copies up to n bytes of the file's code at vaddr. Returns the number of bytes; 0 if vaddr is not
 * in a code section. */
size_t ez_object_read_text(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n);
/* Copies up to n bytes at vaddr of any loaded section, code or data. Returns the number of bytes.
 * The bytes are those of the file, without relocations; zeros for .bss. */
size_t ez_object_read(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n);
/* A relocation: what the loader writes at vaddr `at`. It has a kind (enum ez_reloc_kind), an
 * addend, a symbol name ("" if none) and the symbol's vaddr in this file (0 for a symbol of another
 * file). ez_object_relocs calls fn for relocations of the given kinds (a bit each), in the order of
 * the file. */
struct ez_dynreloc {
    uint64_t at, addend;
    uint32_t kind, index;        /* enum ez_reloc_kind; number of the symbol */
    const struct elf_file *file; /* used only by ez_dynreloc_*() */
    const void *symtab;
};
const char *ez_dynreloc_name(const struct ez_dynreloc *r);
uint64_t ez_dynreloc_value(const struct ez_dynreloc *r);
/* Returns whether the word at r->at is in a global offset table. */
bool ez_dynreloc_in_got(const struct ez_dynreloc *r);
void ez_object_relocs(const struct ez_object *o, unsigned kinds,
                      void (*fn)(const struct ez_dynreloc *, void *), void *arg);
/* Calls fn with the name of each symbol of other files that the file refers to by its global offset
 * table: the functions that it calls, and variables. A name may come twice. */
void ez_object_imports(const struct ez_object *o, void (*fn)(const char *name, void *arg),
                       void *arg);
/* Finds the executable section that contains vaddr. Returns false if there is none. */
bool ez_object_section(const struct ez_object *o, uint64_t vaddr, const char **name,
                       uint64_t *start, uint64_t *end);

/* Returns the name of the loaded section at vaddr, code or data, or "". */
const char *ez_object_section_name(const struct ez_object *o, uint64_t vaddr);
/* Finds the section `name`, code or data. Returns false if there is none. */
bool ez_object_named(const struct ez_object *o, const char *name, uint64_t *start, uint64_t *end);
/* A USDT probe: a place that a macro of systemtap's sys/sdt.h marks in the code. */
struct ez_stap {
    const char *provider, *name;
    const char *arguments; /* the operands of the arguments: "-4@%eax 8@-16(%rbp)" */
    uint64_t vaddr;        /* address of the place in the file */
    uint64_t semaphore;    /* address in the file of its counter, of 2 bytes; 0 = none */
    bool
        is_damaged; /* the place is not in code, or the counter not in writable data, of the file */
};
#define EZ_STAP_SEMAPHORE_BYTES 2
#define EZ_STAP_ARGUMENTS 12 /* maximum number of arguments of a probe */
/* Returns the USDT probes of the file, sorted by provider, name and address. The first call reads
 * them. A probe may have several places, each of which is an element. */
const struct ez_stap *ez_object_staps(struct ez_object *o, size_t *n);
/* Compares the providers, then the names, as strcmp() does. */
int ez_stap_compare(const struct ez_stap *a, const struct ez_stap *b);
/* Returns the first of the USDT probes at vaddr, or NULL. */
const struct ez_stap *ez_object_stap_at(struct ez_object *o, uint64_t vaddr);
/* An argument: its operand, in the syntax of the processor's assembler, and its type. */
struct ez_stap_argument {
    const char *operand; /* len bytes */
    size_t len;
    unsigned bytes; /* 1, 2, 4 or 8; 0 = the argument is damaged */
    bool is_signed, is_float;
};
/* Returns the number of arguments. If argument i is one of them, sets *out to it. */
unsigned ez_stap_argument(const struct ez_stap *s, unsigned i, struct ez_stap_argument *out);
/* Calls fn for each data word, at `at`, that contains an address strictly inside (lo, hi) once the
 * file is loaded. The words are a superset: in a program linked to a fixed address, any word may be
 * such an address. */
typedef void ez_object_pointer(uint64_t at, uint64_t to, void *arg);
void ez_object_pointers(const struct ez_object *o, uint64_t lo, uint64_t hi, ez_object_pointer *fn,
                        void *arg);

#endif
