/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_elf.c - reads ELF from copies of its parts (foreign.h).
 *
 * Why: libbfd hides symbol sizes and copies every symbol. The tables are simple, and 186,000
 * symbols take 10 ms this way.
 *
 * Invariant: each offset and size of the file is checked before its use. A damaged table reads as
 * empty; a file with a damaged header is refused (elf_open()).
 *
 * Source: gABI chapters 4 and 5; the Linux Standard Base, "Symbol Versioning".
 *
 * Tests: tests/unit/sym/check_elf.c, tests/unit/sym/check_sym.c ("damaged") */
#include "engine/sym/sym_priv.h"

#include <limits.h>
#include <string.h>

/* Copies `n` headers of `each` bytes at `off`. Returns NULL if n is 0, or if the file does not have
 * all of them. The caller frees the copy. */
static void *sym_copy_headers(const struct elf_file *f, uint64_t off, size_t n, size_t each)
{
    if (!n)
        return NULL;
    void *p = ez_alloc(n * each);
    if (ez_foreign_read(f->file, off, p, n * each) == n * each)
        return p;
    free(p);
    return NULL;
}

static bool sym_read_headers64(struct elf_file *f)
{
    Elf64_Ehdr eh;
    if (ez_foreign_read(f->file, 0, &eh, sizeof eh) < sizeof eh)
        return false;
    f->entry = eh.e_entry;
    if ((eh.e_shnum && eh.e_shentsize != sizeof *f->sh) ||
        (eh.e_phnum && eh.e_phentsize != sizeof *f->ph))
        return false;
    f->sh = sym_copy_headers(f, eh.e_shoff, eh.e_shnum, sizeof *f->sh);
    f->ph = sym_copy_headers(f, eh.e_phoff, eh.e_phnum, sizeof *f->ph);
    if ((eh.e_shnum && !f->sh) || (eh.e_phnum && !f->ph))
        return false;
    f->nsh = eh.e_shnum;
    f->nph = eh.e_phnum;
    if (eh.e_shstrndx < f->nsh)
        f->names = (const char *)elf_data(f, &f->sh[eh.e_shstrndx], &f->names_size);
    return true;
}

static bool sym_read_headers(struct elf_file *f)
{
    Elf32_Ehdr eh; /* the 64-bit header begins in the same way */
    const uint8_t *id = eh.e_ident;
    if (ez_foreign_read(f->file, 0, &eh, sizeof eh) < sizeof eh || memcmp(id, ELFMAG, SELFMAG) ||
        id[EI_DATA] != ELFDATA2LSB || id[EI_VERSION] != EV_CURRENT)
        return false;
    f->type = eh.e_type;
    f->machine = eh.e_machine;
    f->is64 = id[EI_CLASS] == ELFCLASS64;
    /* a 32-bit file is only recognised, not read */
    return f->is64 ? sym_read_headers64(f) : id[EI_CLASS] == ELFCLASS32;
}

bool elf_open(struct ez_foreign *file, struct elf_file *f)
{
    *f = (struct elf_file){ .file = file };
    return sym_read_headers(f) && f->type != ET_CORE;
}

void elf_close(struct elf_file *f)
{
    ez_foreign_close(f->file);
    free(f->sh);
    free(f->ph);
    memset(f, 0, sizeof *f);
}

const Elf64_Shdr *elf_section(const struct elf_file *f, uint32_t type)
{
    for (size_t i = 0; i < f->nsh; i++)
        if (f->sh[i].sh_type == type)
            return &f->sh[i];
    return NULL;
}

/* Returns the string at `off` if it ends inside its table, else "". */
static const char *sym_string_at(const char *table, size_t size, uint64_t off)
{
    return table && off < size && memchr(table + off, 0, size - off) ? table + off : "";
}

const char *elf_section_name(const struct elf_file *f, const Elf64_Shdr *sh)
{
    return sym_string_at(f->names, f->names_size, sh->sh_name);
}

const Elf64_Shdr *elf_named(const struct elf_file *f, const char *name)
{
    for (size_t i = 0; i < f->nsh; i++)
        if (!strcmp(elf_section_name(f, &f->sh[i]), name))
            return &f->sh[i];
    return NULL;
}

const uint8_t *elf_data(const struct elf_file *f, const Elf64_Shdr *sh, size_t *size)
{
    *size = 0;
    const uint8_t *p = sh && sh->sh_type != SHT_NOBITS
                           ? ez_foreign_part(f->file, sh->sh_offset, sh->sh_size)
                           : NULL;
    *size = p ? sh->sh_size : 0;
    return p;
}

const uint8_t *elf_at(const struct elf_file *e, uint64_t va, size_t most, size_t *size)
{
    for (size_t i = 0; i < e->nph; i++) {
        const Elf64_Phdr *p = &e->ph[i];
        uint64_t in = va - p->p_vaddr;
        if (p->p_type != PT_LOAD || in >= p->p_filesz)
            continue;
        *size = EZ_MIN(p->p_filesz - in, most);
        return ez_foreign_part(e->file, p->p_offset + in, *size);
    }
    return NULL;
}

const Elf64_Shdr *elf_link(const struct elf_file *f, const Elf64_Shdr *sh)
{
    return sh && sh->sh_link < f->nsh ? &f->sh[sh->sh_link] : NULL;
}

const char *elf_string(const struct elf_file *f, const Elf64_Shdr *strtab, uint64_t off)
{
    size_t size;
    const char *table = (const char *)elf_data(f, strtab, &size);
    return sym_string_at(table, size, off);
}

bool elf_next_note(const uint8_t **p, size_t *size, struct elf_note *out)
{
    Elf64_Nhdr n;
    if (*size < sizeof n)
        return false;
    memcpy(&n, *p, sizeof n);
    const uint64_t desc = sizeof n + EZ_ROUND_UP((uint64_t)n.n_namesz, 4),
                   end = desc + EZ_ROUND_UP((uint64_t)n.n_descsz, 4);
    if (desc + n.n_descsz > *size)
        return false;
    *out = (struct elf_note){ n.n_type, (const char *)*p + sizeof n, n.n_namesz, *p + desc,
                              n.n_descsz };
    *p += EZ_MIN(end, *size);
    *size -= EZ_MIN(end, *size);
    return true;
}

char *elf_build_id(const struct elf_file *f)
{
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < f->nsh; i++) {
        struct elf_note n;
        size_t size;
        const uint8_t *p = elf_data(f, &f->sh[i], &size);
        if (f->sh[i].sh_type != SHT_NOTE || !elf_next_note(&p, &size, &n) ||
            n.type != NT_GNU_BUILD_ID || n.owner_bytes != 4 || memcmp(n.owner, "GNU", 4) ||
            n.desc_bytes < 2)
            continue;
        char *s = ez_alloc(2 * n.desc_bytes + 1);
        for (size_t k = 0; k < n.desc_bytes; k++) {
            s[2 * k] = hex[n.desc[k] >> 4];
            s[2 * k + 1] = hex[n.desc[k] & 15];
        }
        return s;
    }
    return NULL;
}

static void sym_describe_dynamic(struct ez_object *o)
{
    const Elf64_Shdr *sh = elf_section(&o->elf, SHT_DYNAMIC);
    size_t size;
    const uint8_t *p = elf_data(&o->elf, sh, &size);
    for (Elf64_Dyn d; size >= sizeof d; p += sizeof d, size -= sizeof d) {
        memcpy(&d, p, sizeof d);
        if (d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_SONAME)
            o->soname = elf_string(&o->elf, elf_link(&o->elf, sh), d.d_un.d_val);
        if (d.d_tag == DT_FLAGS_1 && d.d_un.d_val & DF_1_PIE)
            o->is_exec = true;
    }
}

void elf_describe(struct ez_object *o)
{
    const struct elf_file *f = &o->elf;
    o->is_exec = f->type == ET_EXEC;
    o->vaddr_min = UINT64_MAX;
    for (size_t i = 0; i < f->nph; i++) {
        const Elf64_Phdr *p = &f->ph[i];
        if (p->p_type == PT_LOAD) {
            o->vaddr_min = EZ_MIN(o->vaddr_min, p->p_vaddr & ~(ez_page() - 1));
            o->vaddr_max = EZ_MAX(o->vaddr_max, p->p_vaddr + p->p_memsz);
        } else if (p->p_type == PT_DYNAMIC) {
            o->dynamic = p->p_vaddr;
        } else if (p->p_type == PT_INTERP && p->p_filesz <= PATH_MAX) {
            const uint8_t *name = ez_foreign_part(f->file, p->p_offset, p->p_filesz);
            if (name && memchr(name, 0, p->p_filesz))
                o->interp = (const char *)name;
        }
    }
    if (o->vaddr_min == UINT64_MAX)
        o->vaddr_min = 0;
    sym_describe_dynamic(o);
    /* libc.so.6 has an interpreter, too, for `./libc.so.6`, but is a library */
    if (o->interp && !o->soname)
        o->is_exec = true;
}

/* ---- symbols ---- */

/* names of the versions that this file defines, by index */
struct versions {
    EZ_VEC(const char *) names;
    const uint8_t *index; /* 16 bits per symbol */
    size_t nindex;
};

static void sym_read_versions(const struct elf_file *f, struct versions *v)
{
    size_t size, nbytes;
    v->index = elf_data(f, elf_section(f, SHT_GNU_versym), &nbytes);
    v->nindex = nbytes / 2;
    const Elf64_Shdr *sh = elf_section(f, SHT_GNU_verdef);
    const uint8_t *p = elf_data(f, sh, &size);
    for (Elf64_Verdef d; size >= sizeof d; p += d.vd_next, size -= d.vd_next) {
        Elf64_Verdaux aux;
        memcpy(&d, p, sizeof d);
        if (d.vd_aux > size || size - d.vd_aux < sizeof aux)
            break;
        memcpy(&aux, p + d.vd_aux, sizeof aux);
        while (v->names.n <= (d.vd_ndx & 0x7fffu))
            EZ_PUSH(&v->names, NULL);
        if (!(d.vd_flags & VER_FLG_BASE))
            v->names.at[d.vd_ndx & 0x7fff] = elf_string(f, elf_link(f, sh), aux.vda_name);
        if (!d.vd_next || d.vd_next > size)
            break;
    }
}

static void sym_set_version(const struct versions *v, size_t symbol, struct ez_sym *s)
{
    uint16_t ndx;
    if (symbol >= v->nindex)
        return;
    memcpy(&ndx, v->index + 2 * symbol, 2);
    s->old = ndx & 0x8000;
    ndx &= 0x7fff;
    s->version = ndx < v->names.n ? v->names.at[ndx] : NULL;
}

/* Returns the enum ez_sym_kind of a symbol, SYM_LABEL for an untyped global symbol in code, which
 * comes from hand-written assembly, or -1 to skip the symbol. */
static int sym_elf_kind_of(const struct ez_object *o, const Elf64_Sym *s)
{
    unsigned type = ELF64_ST_TYPE(s->st_info), bind = ELF64_ST_BIND(s->st_info);
    bool code = sym_section(o, s->st_value);
    if (s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE)
        return -1;
    switch (type) {
    case STT_FUNC:
        return code ? EZ_SYM_FUNC : -1;
    case STT_GNU_IFUNC:
        return code ? EZ_SYM_IFUNC : -1;
    case STT_OBJECT:
        return EZ_SYM_DATA;
    case STT_NOTYPE:
        return bind == STB_LOCAL ? -1 : code ? SYM_LABEL : EZ_SYM_DATA;
    default:
        return -1;
    }
}

/* Returns whether the name is that of a function's unlikely part: "f.cold" or "f.cold.3". */
static bool sym_is_cold(const char *name)
{
    const char *p = strstr(name, ".cold");
    return p && p > name && (p[5] == '\0' || p[5] == '.');
}

/* Splits the version from a name of .symtab: memcpy@@GLIBC_2.14. */
static void sym_split_version(struct ez_object *o, struct ez_sym *s)
{
    const char *at = strchr(s->name + 1, '@');
    if (!at)
        return;
    char *name = sym_keep(o, ez_strdup(s->name));
    name[at - s->name] = '\0';
    s->version = name + (at - s->name) + (at[1] == '@' ? 2 : 1);
    s->old = at[1] != '@';
    s->name = name;
}

/* Updates *is, which says whether the following local symbols belong to a startup file: a symbol
 * with the name of a source file sets it, and a global symbol clears it, because all local symbols
 * precede the global ones. */
static void sym_note_source(const Elf64_Sym *s, const char *strings, size_t strsize, bool *is)
{
    if (ELF64_ST_BIND(s->st_info) != STB_LOCAL)
        *is = false;
    else if (ELF64_ST_TYPE(s->st_info) == STT_FILE)
        *is = s->st_name < strsize && sym_startup_source(strings + s->st_name);
}

enum { ASK = 1 << 16 }; /* number of symbols that are read between two checks for a cancellation */

void elf_read_symbols(struct ez_object *o, const struct elf_file *f, uint32_t type)
{
    size_t size, strsize;
    const Elf64_Shdr *sh = elf_section(f, type);
    const uint8_t *p = elf_data(f, sh, &size);
    const char *strings = (const char *)elf_data(f, elf_link(f, sh), &strsize);
    struct versions v = { 0 };
    bool startup = false;
    /* check that every string ends inside the table */
    if (!p || !strings || !strsize || strings[strsize - 1])
        return;
    if (type == SHT_DYNSYM)
        sym_read_versions(f, &v);
    EZ_RESERVE(&o->syms, size / sizeof(Elf64_Sym));
    for (size_t i = 1; i < size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym es;
        if (i % ASK == 0 && ez_foreign_stopped())
            break; /* the user interrupted, which the caller reports */
        memcpy(&es, p + i * sizeof es, sizeof es);
        sym_note_source(&es, strings, strsize, &startup);
        int kind = sym_elf_kind_of(o, &es);
        if (kind < 0 || es.st_name >= strsize || !strings[es.st_name])
            continue;
        struct ez_sym s = { .name = strings + es.st_name,
                            .vaddr = es.st_value,
                            .size = es.st_size,
                            .kind = (uint8_t)kind,
                            .startup = startup,
                            .obj = o };
        s.local = ELF64_ST_BIND(es.st_info) == STB_LOCAL ||
                  ELF64_ST_VISIBILITY(es.st_other) == STV_HIDDEN ||
                  ELF64_ST_VISIBILITY(es.st_other) == STV_INTERNAL;
        sym_set_version(&v, i, &s);
        if (type == SHT_SYMTAB)
            sym_split_version(o, &s);
        if (kind == EZ_SYM_FUNC && sym_is_cold(s.name))
            s.kind = EZ_SYM_COLD;
        EZ_PUSH(&o->syms, s);
    }
    EZ_VEC_FREE(&v.names);
}
