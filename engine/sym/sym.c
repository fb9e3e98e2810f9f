/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym.c - one table of all symbols of a file: see sym.h.
 *
 * Invariant: o->syms has the code symbols by address, then the data symbols by address. At one
 * address, the preferred name is first. Names point into parts of the files or into o->strings.
 *
 * Tests: tests/unit/sym/check_sym.c */
#include "engine/sym/sym_priv.h"

#include <stdio.h>
#include <string.h>

#include "engine/sym/names.h"

/* ---- building the table ---- */

static void sym_add_section(struct ez_object *o, const char *name, uint64_t start, uint64_t size,
                            uint64_t offset)
{
    struct code_section c = { name, start, start + size, offset };
    const uint64_t all = ez_foreign_id(o->elf.file)->size;
    if (size && c.end > start && offset <= all && size <= all - offset)
        EZ_PUSH(&o->code, c);
}

/* Reads the executable sections, or the executable segments of a file without section headers. */
static void sym_read_sections(struct ez_object *o)
{
    const struct elf_file *f = &o->elf;
    for (size_t i = 0; i < f->nsh; i++) {
        const Elf64_Shdr *s = &f->sh[i];
        if (s->sh_type == SHT_PROGBITS && s->sh_flags & SHF_EXECINSTR && s->sh_flags & SHF_ALLOC)
            sym_add_section(o, elf_section_name(f, s), s->sh_addr, s->sh_size, s->sh_offset);
    }
    for (size_t i = 0; i < f->nph && !o->code.n; i++)
        if (f->ph[i].p_type == PT_LOAD && f->ph[i].p_flags & PF_X)
            sym_add_section(o, "", f->ph[i].p_vaddr, f->ph[i].p_filesz, f->ph[i].p_offset);
}

/* Returns the rank of a name. A smaller rank is preferred. */
static unsigned sym_rank(const struct ez_sym *s)
{
    return (s->kind == SYM_LABEL ? 8 : 0) + (s->local ? 4 : 0) + (s->name[0] == '_' ? 2 : 0) +
           (s->old ? 1 : 0);
}

static int sym_by_place(const void *pa, const void *pb)
{
    const struct ez_sym *a = pa, *b = pb;
    bool da = a->kind == EZ_SYM_DATA, db = b->kind == EZ_SYM_DATA;
    if (da != db)
        return da - db;
    if (a->vaddr != b->vaddr)
        return a->vaddr < b->vaddr ? -1 : 1;
    unsigned ra = sym_rank(a), rb = sym_rank(b);
    if (ra != rb)
        return ra < rb ? -1 : 1;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    int c = strcmp(a->name, b->name);
    return c ? c : !a->version - !b->version;
}

/* Returns whether s is a label inside a function. Elsewhere, a label starts a function. group:
 * start of the last function before s; covered: end of the functions before s. */
static bool sym_label_is_noise(const struct ez_sym *s, uint64_t group, uint64_t covered)
{
    return s->kind == SYM_LABEL && s->vaddr < covered && s->vaddr != group;
}

static bool sym_same_name(const struct ez_sym *a, const struct ez_sym *b)
{
    return !strcmp(a->name, b->name) &&
           (!a->version || !b->version || !strcmp(a->version, b->version));
}

static void sym_drop_repeats(struct ez_object *o)
{
    /* group: start of the last function; covered: end of all functions so far */
    uint64_t group = 0, covered = 0;
    size_t n = 0;
    for (size_t i = 0; i < o->syms.n; i++) {
        struct ez_sym *s = &o->syms.at[i], *last = n ? &o->syms.at[n - 1] : NULL;
        if (last && last->vaddr == s->vaddr && sym_same_name(last, s) &&
            (last->kind == EZ_SYM_DATA) == (s->kind == EZ_SYM_DATA))
            continue;
        if (sym_label_is_noise(s, group, covered))
            continue;
        if (s->kind == SYM_LABEL)
            s->kind = EZ_SYM_FUNC;
        if (s->kind != EZ_SYM_DATA) {
            group = s->vaddr;
            covered = EZ_MAX(covered, s->vaddr + s->size);
        }
        o->syms.at[n++] = *s;
    }
    o->syms.n = n;
}

struct sym_key {
    uint64_t key; /* sort key as in sym_by_place: data or not, then the address */
    size_t i;
};

/* Runs one pass of a radix sort, by the bits from `shift` on. */
static void sym_sort_pass(const struct sym_key *from, struct sym_key *to, size_t n, unsigned shift)
{
    size_t at[257] = { 0 };
    for (size_t i = 0; i < n; i++)
        at[(from[i].key >> shift & 255) + 1]++;
    for (size_t b = 1; b < 256; b++)
        at[b] += at[b - 1];
    for (size_t i = 0; i < n; i++)
        to[at[from[i].key >> shift & 255]++] = from[i];
}

/* Sorts code before data, then by address. Most symbols share their address with no other one, so
 * that little is left to sort by name. Returns false, without sorting, if an address uses the bit
 * that marks data. */
static bool sym_sort_by_address(struct ez_object *o)
{
    const uint64_t data = 1ull << 63;
    const size_t n = o->syms.n;
    uint64_t some = 0, all = ~0ull;
    EZ_FREE struct sym_key *a = ez_alloc((n + 1) * sizeof *a), *b = ez_alloc((n + 1) * sizeof *b);
    for (size_t i = 0; i < n; i++) {
        const struct ez_sym *s = &o->syms.at[i];
        if (s->vaddr & data)
            return false;
        a[i] = (struct sym_key){ s->vaddr | (s->kind == EZ_SYM_DATA ? data : 0), i };
        some |= a[i].key;
        all &= a[i].key;
    }
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!((some ^ all) >> shift & 255)) /* This byte is the same in all keys. */
            continue;
        sym_sort_pass(a, b, n, shift);
        struct sym_key *sorted = b;
        b = a;
        a = sorted;
    }
    struct ez_sym *sorted = ez_alloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = o->syms.at[a[i].i];
    free(o->syms.at);
    o->syms.at = sorted;
    o->syms.cap = n + 1;
    return true;
}

static void sym_sort_symbols(struct ez_object *o)
{
    bool sorted = sym_sort_by_address(o);
    for (size_t i = 0, k; i < o->syms.n; i = k) {
        for (k = i + 1; k < o->syms.n && (!sorted || o->syms.at[k].vaddr == o->syms.at[i].vaddr);)
            k++;
        ez_sort(&o->syms.at[i], k - i, sizeof *o->syms.at, sym_by_place);
    }
    sym_drop_repeats(o);
    o->last_index = 0;
    for (o->ncode = 0; o->ncode < o->syms.n; o->ncode++)
        if (o->syms.at[o->ncode].kind == EZ_SYM_DATA)
            break;
}

static void sym_read_symbols(struct ez_object *o)
{
    elf_read_symbols(o, &o->elf, SHT_DYNSYM);
    if (elf_section(&o->elf, SHT_SYMTAB)) {
        elf_read_symbols(o, &o->elf, SHT_SYMTAB);
    } else {
        symdebug_open(o);
        if (o->debug.file)
            elf_read_symbols(o, &o->debug, SHT_SYMTAB);
    }
    symplt_read(o);
    sym_sort_symbols(o);
    if (!elf_section(&o->elf, SHT_SYMTAB) && !o->debug.file && symfde_read(o))
        sym_sort_symbols(o);
}

ez_err *ez_object_open(const char *path, const char *display, struct ez_object **out)
{
    struct ez_foreign *file;
    EZ_TRY(ez_foreign_open(path, display ? display : path, &file));
    return ez_object_load(file, path, display, out);
}

ez_err *ez_object_load(struct ez_foreign *file, const char *path, const char *display,
                       struct ez_object **out)
{
    struct ez_object *o = ez_alloc(sizeof *o);
    o->path = ez_strdup(path);
    o->display = ez_strdup(display ? display : path);
    bool known = elf_open(file, &o->elf);
    if (known && o->elf.is64) {
        o->build_id = elf_build_id(&o->elf);
        elf_describe(o);
        sym_read_sections(o);
        sym_read_symbols(o);
    }
    ez_err *e = ez_foreign_stopped() ? ez_foreign_interrupted() : ez_foreign_trouble(file);
    if (!e && !known)
        e = ez_err_new(EZ_E_FORMAT, 0, "%s: not in executable format", o->display);
    if (e) {
        ez_object_close(o);
        return e;
    }
    *out = o;
    return NULL;
}

const struct ez_foreign_id *ez_object_file(const struct ez_object *o)
{
    return ez_foreign_id(o->elf.file);
}

/* Compares the build-id, too, because a file can be rewritten with its old size and time (touch -r,
 * tar, cp -p). */
bool ez_object_is_of(const struct ez_object *o, struct ez_foreign *file)
{
    struct elf_file f;
    if (!ez_foreign_same(ez_foreign_id(o->elf.file), ez_foreign_id(file)))
        return false;
    EZ_FREE char *id = elf_open(file, &f) && f.is64 ? elf_build_id(&f) : NULL;
    f.file = NULL; /* The caller closes the file. */
    elf_close(&f);
    return !strcmp(id ? id : "", o->build_id ? o->build_id : "");
}

bool ez_object_changed(const struct ez_object *o)
{
    return ez_foreign_changed(o->elf.file);
}

void **ez_object_slot(struct ez_object *o, void (*drop)(void *))
{
    o->slot_drop = drop;
    return &o->slot;
}

void ez_object_close(struct ez_object *o)
{
    if (!o)
        return;
    if (o->slot)
        o->slot_drop(o->slot);
    symname_free(o);
    elf_close(&o->elf);
    elf_close(&o->debug);
    for (size_t i = 0; i < o->strings.n; i++)
        free(o->strings.at[i]);
    EZ_VEC_FREE(&o->strings);
    EZ_VEC_FREE(&o->syms);
    EZ_VEC_FREE(&o->code);
    EZ_VEC_FREE(&o->landing);
    EZ_VEC_FREE(&o->stap);
    free(o->path);
    free(o->display);
    free(o->build_id);
    free(o);
}

/* ---- properties of the file ---- */

const char *ez_object_path(const struct ez_object *o)
{
    return o->display;
}
const char *ez_object_soname(const struct ez_object *o)
{
    return o->soname;
}
bool ez_object_is_exec(const struct ez_object *o)
{
    return o->is_exec;
}
const char *ez_object_interp(const struct ez_object *o)
{
    return o->interp;
}
uint64_t ez_object_entry(const struct ez_object *o)
{
    return o->elf.entry;
}
uint64_t ez_object_dynamic(const struct ez_object *o)
{
    return o->dynamic;
}
uint64_t ez_object_vaddr_min(const struct ez_object *o)
{
    return o->vaddr_min;
}
uint64_t ez_object_vaddr_max(const struct ez_object *o)
{
    return o->vaddr_max;
}
bool ez_object_is_64(const struct ez_object *o)
{
    return o->elf.is64;
}
int ez_object_machine(const struct ez_object *o)
{
    return o->elf.machine;
}
const char *ez_object_build_id(const struct ez_object *o)
{
    return o->build_id;
}

const char *ez_object_base(const struct ez_object *o)
{
    const char *slash = strrchr(o->display, '/');
    return slash ? slash + 1 : o->display;
}

const struct ez_sym *ez_object_syms(const struct ez_object *o, size_t *n)
{
    *n = o->syms.n;
    return o->syms.at;
}

bool ez_sym_guarded(const struct ez_sym *s)
{
    return s->unnamed && s->obj->guarded;
}

const char *ez_object_no_exit(struct ez_object *o)
{
    for (size_t i = 0; i < o->syms.n && !o->no_exit && !o->no_exit_known; i++)
        if (o->syms.at[i].kind != EZ_SYM_PLT)
            o->no_exit = ez_walker_sign(o->syms.at[i].name);
    o->no_exit_known = true;
    return o->no_exit;
}

/* Searches the symbols linearly: building the index of names for this one name would cost more. */
bool ez_object_main_is_fortran(struct ez_object *o)
{
    for (size_t i = 0; i < o->ncode && !o->fortran && !o->fortran_known; i++)
        o->fortran = !strcmp(o->syms.at[i].name, "MAIN__");
    o->fortran_known = true;
    return o->fortran;
}

const char *ez_object_section_name(const struct ez_object *o, uint64_t vaddr)
{
    for (size_t i = 0; i < o->elf.nsh; i++) {
        const Elf64_Shdr *sh = &o->elf.sh[i];
        bool loaded = sh->sh_flags & SHF_ALLOC && !(sh->sh_flags & SHF_TLS);
        if (loaded && vaddr - sh->sh_addr < sh->sh_size)
            return elf_section_name(&o->elf, sh);
    }
    return "";
}

size_t ez_object_read_text(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n)
{
    const struct code_section *c = sym_section(o, vaddr);
    if (!c)
        return 0;
    n = EZ_MIN(n, (size_t)(c->end - vaddr));
    return ez_foreign_read(o->elf.file, c->offset + (vaddr - c->start), buf, n);
}

size_t ez_object_read(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n)
{
    for (size_t i = 0; i < o->elf.nsh; i++) {
        const Elf64_Shdr *sh = &o->elf.sh[i];
        uint64_t in = vaddr - sh->sh_addr;
        bool tls = sh->sh_flags & SHF_TLS;
        if (!(sh->sh_flags & SHF_ALLOC) || tls || in >= sh->sh_size)
            continue;
        n = EZ_MIN((uint64_t)n, sh->sh_size - in);
        memset(buf, 0, n);
        return sh->sh_type == SHT_NOBITS ? n
                                         : ez_foreign_read(o->elf.file, sh->sh_offset + in, buf, n);
    }
    return 0;
}

bool ez_object_section(const struct ez_object *o, uint64_t vaddr, const char **name,
                       uint64_t *start, uint64_t *end)
{
    const struct code_section *c = sym_section(o, vaddr);
    if (!c)
        return false;
    if (name)
        *name = c->name;
    if (start)
        *start = c->start;
    if (end)
        *end = c->end;
    return true;
}
