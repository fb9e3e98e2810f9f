/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_read.h - inside the reader of debug information (dwarf_priv.h). Nothing here can harm the
 * shell: a loop ends with the reader's time, a wild pointer with the reader. */
#ifndef EZ_DWARF_READ_H
#define EZ_DWARF_READ_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "engine/base/hash.h"
#include "engine/data/dwarf_priv.h"

struct dwarf_entry {    /* what a unit defines: a function, a variable, a type, an enumerator */
    Dwarf_Die die;      /* first, as in struct dwarf_space: both are looked for by its place    */
    const char *name;   /* NULL = none                                             */
    const char *within; /* "ns::cls::", or ""                                        */
    const char *plain;  /* the same without namespaces that are anonymous or inline  */
    int tag;
    void *around;   /* of an enumerator: the address of its type's entry              */
    uint64_t begin; /* a function's first instruction; 0 = no code                */
};
struct dwarf_space { /* a namespace, a class, an enum class: what names in it begin with       */
    Dwarf_Die die;
    const char *full, *plain; /* as `within` and `plain` of an entry in it                 */
};
struct dwarf_import { /* what a using-directive or using-declaration names                     */
    const char *in;   /* `full` of the space where it stands                               */
    const char *name; /* NULL = all of a namespace                                         */
    Dwarf_Die die;
};
struct dwarf_file;
struct dwarf_unit {
    Dwarf_Die die; /* of the skeleton, until the .dwo file was opened                    */
    struct dwarf_file *file;
    Dwarf_Die skeleton; /* addr NULL: it is none, the entries are in the file itself          */
    bool opened;        /* the .dwo file was looked for                                  */
    EZ_VEC(struct dwarf_unit *) types; /* units of types in the .dwo file                   */
    bool indexed, looked_inside;
    EZ_VEC(struct dwarf_entry) entry; /* in the order of the file                 */
    EZ_VEC(struct dwarf_entry) inner; /* functions inside functions, once one was asked for */
    EZ_VEC(struct dwarf_space) space; /* in the order of the file                 */
    EZ_VEC(struct dwarf_import) import;
    EZ_VEC(char *) within; /* the texts of all these                                    */
};
struct dwarf_range {
    uint64_t lo, hi;
    size_t unit;
};
struct dwarf_file {
    Elf *elf;
    Dwarf *dw; /* NULL = it has no debug information                                */
    bool known, listed;
    bool has_parts;                 /* it has partial units                               */
    Dwarf *alt;                     /* what dwz took out of it; NULL = nothing               */
    EZ_VEC(struct dwarf_unit) unit; /* of the file, and of `alt`                           */
    struct ez_hash by_unit;         /* by the address of its first entry                   */
    struct ez_hash by_dwarf;        /* units by the Dwarf of their .dwo file                 */
    struct dwarf_pack *pack;        /* NULL = none, if package_read                            */
    bool package_read;
    EZ_VEC(struct dwarf_range) range; /* code of units, by lo                          */
    EZ_VEC(Dwarf_Die) others;         /* entries that have no other key                      */
    struct ez_hash by_other;
    bool notes;            /* `sent` is written                                  */
    EZ_VEC(uint64_t) sent; /* keys that were made                                */
};
struct dwarf_answer {
    EZ_VEC(uint8_t) byte;
};

/* dwarf_read.c */
uint64_t dwarfread_key(struct dwarf_file *f, const Dwarf_Die *die);
bool dwarfread_die(struct dwarf_file *f, uint64_t key, Dwarf_Die *out);
/* What stands for a type of a unit of types (with or without a name, a declaration or not) becomes that type. */
void dwarfread_whole(Dwarf_Die *die);
/* The entry's type; false = void. */
bool dwarfread_type_of(Dwarf_Die *die, Dwarf_Die *out);
uint64_t dwarfread_number(Dwarf_Die *die, unsigned attribute, uint64_t otherwise);
/* The file whose number is the attribute's value; NULL = none is told. (dwarf_decl_file() of libdw 0.188 ends the process
 * where entries are in a .dwo file.) */
const char *dwarfread_file(Dwarf_Die *die, unsigned attribute);
/* A constant that may be negative; false = it is none. */
bool dwarfread_signed(Dwarf_Attribute *a, int64_t *out);

/* dwarf_split.c */
/* Makes the list of units, once. */
void dwarfsplit_units(struct dwarf_file *f);
/* Before u->die is used, or anything in it: it becomes that of the .dwo file, if the unit has one. */
void dwarfsplit_ready(struct dwarf_unit *u);
/* The unit of an entry; NULL = not known. */
struct dwarf_unit *dwarfsplit_unit_of(struct dwarf_file *f, Dwarf_Die *die);
/* Asks the shell for a file; -1 = there is none from w->n on. *place: where it was found. */
int dwarfsplit_want(struct dwarf_want *w, uint64_t *place);
void dwarfsplit_note(const struct dwarf_want *of, uint64_t place, enum dwarf_trouble trouble);

/* dwarf_alt.c */
/* Opens what dwz took out of the file. */
void dwarfalt_open(struct dwarf_file *f);
/* Finds the languages of partial units. */
void dwarfalt_note_languages(struct dwarf_file *f);
/* The language of an entry's unit, as DW_LANG_*; 0 = not told. */
int dwarfalt_language(Dwarf_Die *die);

/* dwarf_pack.c */
/* The part of the file's package that has the unit of that id, as a .dwo file. -1 = there is none. */
int dwarfpack_cut(struct dwarf_file *f, uint64_t id);
/* Tells that the package did not help; false = there is none. */
bool dwarfpack_emit(struct dwarf_file *f);

/* dwarf_index.c */
/* The unit that has code at vaddr; NULL = none. dwarfindex_covering() opens no other file for it. */
struct dwarf_unit *dwarfindex_covering(struct dwarf_file *f, uint64_t vaddr);
struct dwarf_unit *dwarfindex_unit_at(struct dwarf_file *f, uint64_t vaddr);
void dwarfindex_unit(struct dwarf_unit *u);
void dwarfindex_forget(struct dwarf_unit *u);
void dwarfindex_inner_functions(struct dwarf_unit *u); /* `inner` has all of them then         */
struct dwarf_entry *dwarfindex_function_at(struct dwarf_unit *u, uint64_t vaddr);
/* The entry, the space of that place in the unit, which is indexed; NULL = it is none. */
const struct dwarf_entry *dwarfindex_entry(const struct dwarf_unit *u, const Dwarf_Die *die);
const struct dwarf_space *dwarfindex_space(const struct dwarf_unit *u, const Dwarf_Die *die);
/* "ns::cls::" of a type in the unit. */
const char *dwarfindex_within(struct dwarf_unit *u, const Dwarf_Die *die);
bool dwarfindex_is_type(int tag);

/* dwarf_names.c */
enum dwarf_means { DWARF_MEANS_VALUE, DWARF_MEANS_TYPE, DWARF_MEANS_ANY };
/* What the name means in the function (its key, or 0) of the unit (or DWARF_NO_UNIT). near: nothing of other units.
 * DWARF_MEANS_VALUE: anything but a type. */
bool dwarfnames_means(struct dwarf_file *f, size_t unit, uint64_t function, const char *name,
                      enum dwarf_means means, bool near, struct dwarf_entry *out);

/* dwarf_written.c: the same name, however blanks and words of template arguments are written? */
bool dwarfwritten_same(const char *a, const char *b);
/* A name of C++ with C's words in its template arguments as C++ writes them: "A<unsigned long>". The caller frees. */
char *dwarfwritten(const char *name);

/* dwarf_emit.c */
void dwarftell_number(struct dwarf_answer *a, uint64_t n);
void dwarftell_text(struct dwarf_answer *a, const char *text);
void dwarftell_function(struct dwarf_file *f, struct dwarf_answer *a, size_t unit,
                        const struct dwarf_entry *e);
uint64_t dwarftell_language(Dwarf_Die *die); /* DWARF_FN_CXX, DWARF_FN_FORTRAN            */
void dwarftell_symbol(struct dwarf_file *f, struct dwarf_answer *a, struct dwarf_entry *e);

/* A function's place in the table of virtual functions, plus 1; 0 = it is not told. */
uint64_t dwarftell_vtable(Dwarf_Die *function);
/* A constant that an operation pushes. */
bool dwarftell_is_constant(const Dwarf_Op *op, int64_t *out);

/* dwarf_type.c */
void dwarftype_emit(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);
void dwarftype_emit_parts(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);

/* Is it a member, a name, a parameter of what has that tag? A declaration becomes the type that it names. */
bool dwarftype_is_part(Dwarf_Die *die, int of);

/* dwarf_class.c */
/* DW_ACCESS_* of what stands in something with that tag, the one that is not written too. */
uint64_t dwarfclass_access(Dwarf_Die *die, int of);
/* Of a pointer to a member: the key of the class, and bytes. */
uint64_t dwarfclass_containing(struct dwarf_file *f, Dwarf_Die *die);
uint64_t dwarfclass_pointer_size(Dwarf_Die *die);
void dwarfclass_emit(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);

/* dwarf_blocks.c */
struct dwarf_blocks {      /* around an instruction                                          */
    EZ_VEC(Dwarf_Die) die; /* from the function inwards                                */
    size_t from, to;       /* those of one frame: at `from` a function, or an inlined one   */
};
/* Those of the innermost frame. Free die, in any case. */
bool dwarfblocks_around(struct dwarf_file *f, uint64_t pc, struct dwarf_blocks *out);
/* Those of the frame with so many inlined ones inside. */
bool dwarfblocks_frame(struct dwarf_file *f, uint64_t pc, uint64_t inside,
                       struct dwarf_blocks *out);
void dwarfblocks_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
/* A function's name in symbol tables, which the shell can read; else the one in the source, with what it is in. */
void dwarfblocks_emit_name(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);
void dwarfblocks_emit_within(struct dwarf_file *f, struct dwarf_answer *a, const char *name);

/* dwarf_local.c. inside: of the frame with so many inlined ones inside. */
/* word: pc, the inlined functions inside, enum dwarf_which. */
void dwarflocal_emit(struct dwarf_file *f, struct dwarf_answer *a, const uint64_t *word,
                     const char *name);
void dwarflocal_emit_variable(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc,
                              uint64_t offset);
/* Parameters, or else the variables of the blocks around pc, from the innermost on. */
void dwarflocal_emit_names(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, bool others,
                           uint64_t inside);
/* Operations of DWARF's; of: their attribute, or NULL. */
void dwarflocal_emit_ops(struct dwarf_answer *a, Dwarf_Attribute *of, const Dwarf_Op *op, size_t n);

/* dwarf_macro.c: what the macro is at pc; whole: behind all lines of pc's unit. */
void dwarfmacro_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, bool whole,
                     const char *name);

/* dwarf_shape.c */
bool dwarfshape_is_dynamic(Dwarf_Die *die);
void dwarfshape_emit_type(struct dwarf_answer *a, Dwarf_Die *die, uint64_t pc);

/* dwarf_inlined.c */
void dwarfinlined_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t unit);

/* dwarf_row.c */
void dwarfrow_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, uint64_t most,
                   bool behind_call);

/* dwarf_line.c */
void dwarfline_emit_body(struct dwarf_file *f, struct dwarf_answer *a, uint64_t vaddr);
void dwarfline_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
void dwarfline_emit_prologue(struct dwarf_file *f, struct dwarf_answer *a, uint64_t func,
                             uint64_t end);
void dwarfblocks_emit_inlined(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
void dwarfline_emit_unit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
/* The name of a file as the unit's line table has it, with the folder of the compiler's run if that is needed. */
void dwarfline_emit_file(struct dwarf_answer *a, Dwarf_Die *unit, const char *name);

/* The same as a path; the caller frees it. */
char *dwarfline_full_name(Dwarf_Die *unit, const char *name);
/* Has row b the line of row a, which ends no code? */
bool dwarfline_same(Dwarf_Line *a, Dwarf_Line *b);

/* dwarf_source.c */
void dwarfsource_emit(struct dwarf_file *f, struct dwarf_answer *a, const char *file,
                      uint64_t line);
/* The line of the file on which the function at vaddr begins, by its declaration or its first instruction. */
void dwarfsource_emit_begin(struct dwarf_file *f, struct dwarf_answer *a, const char *file,
                            uint64_t vaddr);

/* dwarf_site.c */
void dwarfsite_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t ret, uint64_t reg);
void dwarfsite_emit_entry(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);

/* dwarf_where.c */
/* A register's number; -1 = it is no register. */
int64_t dwarfwhere_register(const Dwarf_Op *op);
/* Where the value of the entry is at pc. The function, or NULL, has the frame's base. */
struct dwarf_where dwarfwhere(Dwarf_Die *die, Dwarf_Die *function, uint64_t pc);

#endif
