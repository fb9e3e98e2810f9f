/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_read.h - shared by the files of the reader of debug information (dwarf_priv.h). The reader
 * is a process of its own, so its code cannot harm the shell: an endless loop ends when the
 * reader's time is over, and a wild pointer ends only the reader. */
#ifndef EZ_DWARF_READ_H
#define EZ_DWARF_READ_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "engine/base/hash.h"
#include "engine/dwarf/dwarf_priv.h"

struct dwarf_entry { /* a definition of a unit: a function, variable, type or enumerator */
    /* must be first, as in struct dwarf_space, because dwarfindex_placed() searches by it */
    Dwarf_Die die;
    const char *name;   /* NULL if it has none */
    const char *within; /* the scope that contains it: "ns::cls::" or "" */
    const char *plain;  /* the scope without anonymous and inline namespaces */
    int tag;
    void *around;   /* for an enumerator: address of its enum's entry */
    uint64_t begin; /* first instruction of a function; 0 = no code */
};
struct dwarf_space { /* a namespace, class or enum class: the scope of names in it */
    Dwarf_Die die;
    const char *full, *plain; /* `within` and `plain` of the entries in it */
};
struct dwarf_import { /* a using-declaration, using-directive or alias */
    const char *in;   /* `full` of the space that contains it */
    /* the name that the directive makes visible; NULL: all names of the namespace */
    const char *name;
    Dwarf_Die die;
};
struct dwarf_file;
struct dwarf_unit {
    Dwarf_Die die; /* the unit's entry; the skeleton's until the .dwo file is open */
    struct dwarf_file *file;
    /* addr NULL: this is no skeleton unit, the entries are in the file itself */
    Dwarf_Die skeleton;
    bool opened;                       /* the .dwo file was searched, and perhaps found */
    EZ_VEC(struct dwarf_unit *) types; /* type units in the .dwo file */
    bool indexed, looked_inside;
    EZ_VEC(struct dwarf_entry) entry; /* in the order of the file */
    /* nested functions, filled on demand (dwarfindex_inner_functions) */
    EZ_VEC(struct dwarf_entry) inner;
    EZ_VEC(struct dwarf_space) space; /* in the order of the file */
    EZ_VEC(struct dwarf_import) import;
    EZ_VEC(char *) within; /* strings to which the fields above point */
};
struct dwarf_range {
    uint64_t lo, hi;
    size_t unit;
};
struct dwarf_file {
    Elf *elf;
    Dwarf *dw; /* debug information of the file; NULL if the file has none */
    bool known, listed;
    bool has_parts;                 /* the file has partial units */
    Dwarf *alt;                     /* the file made by dwz, or NULL */
    EZ_VEC(struct dwarf_unit) unit; /* units of the file and of `alt` */
    struct ez_hash by_unit;         /* units by the address of their first entry */
    struct ez_hash by_dwarf;        /* units by the Dwarf handle of their .dwo file */
    /* package of .dwo files; NULL if there is no package; valid if package_read */
    struct dwarf_pack *pack;
    bool package_read;
    EZ_VEC(struct dwarf_range) range; /* address ranges of units, sorted by lo */
    EZ_VEC(Dwarf_Die) others;         /* entries for which dwarfread_make_key() made keys */
    struct ez_hash by_other;
    bool notes;            /* keys are being added to `sent` */
    EZ_VEC(uint64_t) sent; /* keys of types in the answers, for DWARF_MANY */
};
struct dwarf_answer {
    EZ_VEC(uint8_t) byte;
};

/* dwarf_read.c */
uint64_t dwarfread_key(struct dwarf_file *f, const Dwarf_Die *die);
bool dwarfread_die(struct dwarf_file *f, uint64_t key, Dwarf_Die *out);
/* If the entry only stands for a type in a type unit (DW_AT_signature), replaces it by that type's
 * entry. */
void dwarfread_whole(Dwarf_Die *die);
/* Finds the entry's type. Returns false for void. */
bool dwarfread_type_of(Dwarf_Die *die, Dwarf_Die *out);
uint64_t dwarfread_number(Dwarf_Die *die, unsigned attribute, uint64_t otherwise);
/* Returns the file whose number is the attribute's value, or NULL. (dwarf_decl_file() of libdw
 * 0.188 ends the process if entries are in a .dwo file.) */
const char *dwarfread_file(Dwarf_Die *die, unsigned attribute);
/* Reads a constant that may be negative. Returns false if it is no constant. */
bool dwarfread_signed(Dwarf_Attribute *a, int64_t *out);

/* dwarf_split.c */
/* Fills f->unit, on the first call. */
void dwarfsplit_units(struct dwarf_file *f);
/* Opens the unit's .dwo file, if it has one, and sets u->die to the unit's entry in that file.
 * Callers must call this function before they use u->die. */
void dwarfsplit_ready(struct dwarf_unit *u);
/* Returns the unit of an entry, or NULL if unknown. */
struct dwarf_unit *dwarfsplit_unit_of(struct dwarf_file *f, Dwarf_Die *die);

/* dwarf_want.c */
/* Requests a file from the shell, searched from path number w->n on. Returns a descriptor, or -1.
 * Sets *place to the number of the path where the file was found. */
int dwarfwant_file(struct dwarf_want *w, uint64_t *place);
void dwarfwant_note(const struct dwarf_want *of, uint64_t place,
                    enum dwarf_trouble trouble); /* sends the user a message */

/* dwarf_alt.c */
/* Opens the file made by dwz to which the file refers, if any. */
void dwarfalt_open(struct dwarf_file *f);
/* Finds the languages of partial units. */
void dwarfalt_note_languages(struct dwarf_file *f);
/* Returns the DW_LANG_* of an entry's unit, or 0 if unknown. */
int dwarfalt_language(Dwarf_Die *die);

/* dwarf_pack.c */
/* Returns a descriptor of a .dwo file made from the part of the unit with that id in the file's
 * package, or -1. */
int dwarfpack_cut(struct dwarf_file *f, uint64_t id);
/* Sends the user a note that says why the package was not used. Returns false if there is no
 * package. */
bool dwarfpack_emit(struct dwarf_file *f);

/* dwarf_index.c */
/* Return the unit with code at vaddr, or NULL. dwarfindex_covering() does not open the unit's .dwo
 * file. */
struct dwarf_unit *dwarfindex_covering(struct dwarf_file *f, uint64_t vaddr);
struct dwarf_unit *dwarfindex_unit_at(struct dwarf_file *f, uint64_t vaddr);
void dwarfindex_unit(struct dwarf_unit *u);
void dwarfindex_forget(struct dwarf_unit *u);
void dwarfindex_inner_functions(struct dwarf_unit *u); /* fills `inner` */
struct dwarf_entry *dwarfindex_function_at(struct dwarf_unit *u, uint64_t vaddr);
/* Return the entry, or the space, of `die` in an indexed unit, or NULL. */
const struct dwarf_entry *dwarfindex_entry(const struct dwarf_unit *u, const Dwarf_Die *die);
const struct dwarf_space *dwarfindex_space(const struct dwarf_unit *u, const Dwarf_Die *die);
/* Returns the scope that contains the entry `die` of the unit: "ns::cls::", or "" if the entry is
 * not in the index. */
const char *dwarfindex_within(struct dwarf_unit *u, const Dwarf_Die *die);
bool dwarfindex_is_type(int tag);

/* dwarf_names.c */
enum dwarf_means { DWARF_MEANS_VALUE, DWARF_MEANS_TYPE, DWARF_MEANS_ANY };
/* Finds the entry that `name` means in a function. function: its key, or 0. unit: number of its
 * unit, or DWARF_NO_UNIT. near: other units are not searched. DWARF_MEANS_VALUE: anything but a
 * type. Returns false if the name has no meaning. */
bool dwarfnames_means(struct dwarf_file *f, size_t unit, uint64_t function, const char *name,
                      enum dwarf_means means, bool near, struct dwarf_entry *out);

/* dwarf_written.c: returns whether two names are equal, apart from the way in which template
 * arguments are written. */
bool dwarfwritten_same(const char *a, const char *b);
/* Returns a C++ name in which the names of integer types in template arguments are written as the
 * demangler writes them: "A<unsigned long>". The caller frees it. */
char *dwarfwritten(const char *name);

/* dwarf_emit.c */
void dwarf_answer_number(struct dwarf_answer *a, uint64_t n);
void dwarf_answer_text(struct dwarf_answer *a, const char *text);
void dwarf_answer_function(struct dwarf_file *f, struct dwarf_answer *a, size_t unit,
                           const struct dwarf_entry *e);
uint64_t dwarf_answer_language(Dwarf_Die *die); /* DWARF_FN_CXX, DWARF_FN_FORTRAN */
void dwarf_answer_symbol(struct dwarf_file *f, struct dwarf_answer *a, struct dwarf_entry *e);

/* Returns a function's index in the table of virtual functions plus 1, or 0 if unknown. */
uint64_t dwarf_answer_vtable(Dwarf_Die *function);
/* Returns whether an operation pushes a constant. */
bool dwarf_answer_is_constant(const Dwarf_Op *op, int64_t *out);

/* dwarf_type.c */
void dwarftype_emit(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);
void dwarftype_emit_parts(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);

/* Returns whether the entry is reported as a part of its parent, whose tag is `of`: an enumerator,
 * a parameter, a member that is not static, or a base class whose offset is known. */
bool dwarftype_is_part(Dwarf_Die *die, int of);

/* dwarf_class.c */
/* Returns the access (DW_ACCESS_*) of a part of a class or struct with tag `of`; the language's
 * default if the entry has no access. */
uint64_t dwarfclass_access(Dwarf_Die *die, int of);
/* Return the key of the class to which a pointer to member belongs, and the pointer's size in
 * bytes. */
uint64_t dwarfclass_containing(struct dwarf_file *f, Dwarf_Die *die);
uint64_t dwarfclass_pointer_size(Dwarf_Die *die);
void dwarfclass_emit(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);

/* dwarf_blocks.c */
struct dwarf_blocks {      /* the blocks that contain an instruction */
    EZ_VEC(Dwarf_Die) die; /* from the outermost, the function, inwards */
    /* the blocks of one frame are [from, to); the one at `from` is a function or an inlined
     * function */
    size_t from, to;
};
/* Finds the blocks around pc, and those of the innermost frame. The caller frees out->die in any
 * case. */
bool dwarfblocks_around(struct dwarf_file *f, uint64_t pc, struct dwarf_blocks *out);
/* Finds the blocks around pc, and those of frame number `inside`, counted outwards from 0, the
 * innermost frame. Returns false if there is no such frame. */
bool dwarfblocks_frame(struct dwarf_file *f, uint64_t pc, uint64_t inside,
                       struct dwarf_blocks *out);
void dwarfblocks_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
/* Emits a function's name in symbol tables, which the shell demangles, or its source name with its
 * scope if it has no such name. */
void dwarfblocks_emit_name(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die);
void dwarfblocks_emit_within(struct dwarf_file *f, struct dwarf_answer *a, const char *name);
void dwarfblocks_emit_instances(struct dwarf_file *f, struct dwarf_answer *a, const char *name);

/* dwarf_local.c. inside: as for dwarfblocks_frame(). */
/* Emits a variable. word: pc, inside, enum dwarf_which. */
void dwarflocal_emit(struct dwarf_file *f, struct dwarf_answer *a, const uint64_t *word,
                     const char *name);
void dwarflocal_emit_variable(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc,
                              uint64_t offset);
/* Emits the names of the parameters or (others) of the other variables of a frame at pc, the
 * innermost block first. */
void dwarflocal_emit_names(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, bool others,
                           uint64_t inside);
/* Emits DWARF operations. of: the attribute that contains them, or NULL. */
void dwarflocal_emit_ops(struct dwarf_answer *a, Dwarf_Attribute *of, const Dwarf_Op *op, size_t n);

/* dwarf_macro.c: emits the definition of the macro `name` that applies at pc or, with `whole`, at
 * the end of pc's unit. */
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

/* dwarf_line.c, dwarf_blocks.c */
void dwarfline_emit_body(struct dwarf_file *f, struct dwarf_answer *a, uint64_t vaddr);
void dwarfline_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
void dwarfline_emit_prologue(struct dwarf_file *f, struct dwarf_answer *a, uint64_t func,
                             uint64_t end);
void dwarfblocks_emit_inlined(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
void dwarfline_emit_unit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);
/* Emits a file's name from the unit's line table; puts the compilation folder before a relative
 * name. */
void dwarfline_emit_file(struct dwarf_answer *a, Dwarf_Die *unit, const char *name);

/* Returns the file's name as an absolute path, which the caller frees. */
char *dwarfline_full_name(Dwarf_Die *unit, const char *name);
/* Returns whether row b has the line of row a, which must not end a sequence. */
bool dwarfline_same(Dwarf_Line *a, Dwarf_Line *b);

/* dwarf_source.c */
void dwarfsource_emit(struct dwarf_file *f, struct dwarf_answer *a, const char *file,
                      uint64_t line);
/* Emits the line of the file on which the function at vaddr begins, which is the line of its
 * declaration or of its first instruction. */
void dwarfsource_emit_begin(struct dwarf_file *f, struct dwarf_answer *a, const char *file,
                            uint64_t vaddr);

/* dwarf_site.c */
void dwarfsite_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t ret, uint64_t reg);
void dwarfsite_emit_entry(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc);

/* dwarf_where.c */
/* Returns a register's number, or -1 if the operation is no register. */
int64_t dwarfwhere_register(const Dwarf_Op *op);
/* Returns where the value of an entry is at pc. function: the entry that has the frame base, or
 * NULL. */
struct dwarf_where dwarfwhere(Dwarf_Die *die, Dwarf_Die *function, uint64_t pc);

#endif
