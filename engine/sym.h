/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym.h - what an ELF file says about itself: symbols, lines, sections.
 *
 * An `ez_object` is one file, read once with libbfd; addresses in it are the
 * file's own virtual addresses ("vaddr"). The target maps it at vaddr + bias;
 * who maps what where is engine/solib.h's business.
 *
 * Symbols come from .symtab, .dynsym, the separate debug file (build-id, then
 * .gnu_debuglink, under /usr/lib/debug) and, for PLT slots, libbfd's synthetic
 * table; where there is no .symtab, also from .eh_frame, as fde_ADDRESS. One address
 * may have several names (aliases): all are kept, sorted by address, the preferred name
 * (global, no leading '_', longest size) first.
 * libbfd is not thread-safe: main thread only. */
#ifndef EZ_SYM_H
#define EZ_SYM_H

#include "engine/base.h"
#include "engine/err.h"

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
    bool local;          /* not exported to other files (static, hidden)        */
    bool unnamed;        /* found by .eh_frame: the name is ours               */
    const struct ez_object *obj;
};

/* Open `path` and read its symbols. `display` is the name shown to users (the
 * path in the target's file system); NULL = path. Errors: EZ_E_NOTFOUND
 * ("PATH: No such file or directory."), EZ_E_FORMAT (not in executable format). */
ez_err *ez_object_open(const char *path, const char *display, struct ez_object **out) EZ_WUR;
void ez_object_close(struct ez_object *o);

const char *ez_object_path(const struct ez_object *o);   /* display name           */
const char *ez_object_base(const struct ez_object *o);   /* "libm.so.6"            */
const char *ez_object_soname(const struct ez_object *o); /* DT_SONAME or NULL     */
bool ez_object_is_pie(const struct ez_object *o);        /* ET_DYN                 */
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

/* All symbols, sorted by vaddr (data last). */
const struct ez_sym *ez_object_syms(const struct ez_object *o, size_t *n);
/* The preferred name of the code symbol that contains vaddr; NULL = none.
 * A symbol of size 0 extends to the next one. */
const struct ez_sym *ez_object_find_addr(const struct ez_object *o, uint64_t vaddr);
/* The data symbol that contains vaddr; NULL = none. */
const struct ez_sym *ez_object_find_data(const struct ez_object *o, uint64_t vaddr);
/* Call `fn` for each symbol named exactly NAME: raw name, demangled name with
 * parameters, demangled name without them; exact matches only. Returns how many. */
size_t ez_object_find_name(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg);
/* The end (vaddr) of the function at `s`: its size, or where the next code symbol
 * or section end stands, whichever comes first. */
uint64_t ez_sym_end(const struct ez_sym *s);
/* Where the next *other* code symbol after s starts, or the section's end: bytes
 * from ez_sym_end() to here are padding. */
uint64_t ez_sym_next(const struct ez_sym *s);
/* An unnamed function that may be one whose exit must not be followed: those are known
 * by name, and its file has some. */
bool ez_sym_guarded(const struct ez_sym *s);
/* Why no function of this file may bear an exit probe, NULL = nothing known: it holds a
 * runtime that walks stacks by return addresses (ez_walker_sign()). */
const char *ez_object_no_exit(struct ez_object *o);
/* May an exception that passes through [start, end) land in code of its function, there
 * or in a cold half? So says .eh_frame, which is read for the first who asks. */
bool ez_object_lands(struct ez_object *o, uint64_t start, uint64_t end);
/* Demangled name, computed once and kept; the raw name when it is not mangled. */
const char *ez_sym_pretty(const struct ez_sym *s);

/* Source position of vaddr (DWARF through libbfd, the debug file included).
 * false = unknown. Strings live as long as the object. */
bool ez_object_line(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line);
/* The vaddr of the function that starts at FILE:LINE (file matched by its last
 * path components; gdb's rule: the first function whose body's first line is
 * >= line). EZ_E_NOTFOUND. */
ez_err *ez_object_find_line(struct ez_object *o, const char *file, unsigned line,
                            uint64_t *vaddr) EZ_WUR;

/* Executable bytes of the file: section contents around vaddr. Copies up to n
 * bytes, returns how many were available (0 = vaddr is not in a code section). */
size_t ez_object_read_text(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n);
/* Bounds of the executable section that contains vaddr; false = none. */
bool ez_object_section(const struct ez_object *o, uint64_t vaddr, const char **name,
                       uint64_t *start, uint64_t *end);

#endif
