/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weak.c - makes those undefined symbols of a compiled object weak that the program defines
 * (fragment.h).
 *
 * A program exports few of its symbols. The target's loader would refuse an object that needs the
 * others. If a symbol is weak, the loader accepts its absence, and the engine sets the address
 * (engine/plugin/import.c).
 * Tests: tests/procs/spec.sh */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/base/strutil.h"
#include "modules/instrument/fragment/fragment.h"

struct weak {
    uint8_t *at;
    size_t n;
};

/* Returns the address of n rows of `size` bytes at an offset in the file; NULL if the file is too
 * short. */
static void *weak_part(const struct weak *w, uint64_t offset, uint64_t n, size_t size)
{
    return offset <= w->n && n <= (w->n - offset) / size ? w->at + offset : NULL;
}

/* Returns true if the program defines the symbol. In C, a name in the text is the symbol. In C++ it
 * is not, so the symbol is added to f->mangled. */
static bool weak_is_own(struct ez_fragments *f, const char *name)
{
    size_t unused;
    const bool of_text = ez_hash_get(&f->own, ez_hash_key(EZ_HASH_SEED, name), &unused),
               mangled =
                   !of_text && !strncmp(name, "_Z", 2) && f->is_own && f->is_own(name, f->arg);
    if (mangled) {
        char *copy = ez_strdup(name);
        EZ_PUSH(&f->mangled, copy);
    }
    return of_text || mangled;
}

static void weak_symbols(const struct weak *w, const Elf64_Shdr *of, const Elf64_Shdr *texts,
                         struct ez_fragments *f)
{
    const uint64_t n = of->sh_size / sizeof(Elf64_Sym);
    Elf64_Sym *s = weak_part(w, of->sh_offset, n, sizeof *s);
    const char *text = weak_part(w, texts->sh_offset, texts->sh_size, 1);
    if (!s || !text || !texts->sh_size || text[texts->sh_size - 1])
        return;
    for (uint64_t i = 1; i < n; i++)
        if (s[i].st_shndx == SHN_UNDEF && s[i].st_name < texts->sh_size &&
            ELF64_ST_BIND(s[i].st_info) == STB_GLOBAL && weak_is_own(f, text + s[i].st_name))
            s[i].st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(s[i].st_info));
}

static void weak_object(const struct weak *w, struct ez_fragments *f)
{
    const Elf64_Ehdr *e = weak_part(w, 0, 1, sizeof *e);
    const Elf64_Shdr *s = e ? weak_part(w, e->e_shoff, e->e_shnum, sizeof *s) : NULL;
    for (unsigned i = 0; s && i < e->e_shnum; i++)
        if (s[i].sh_type == SHT_DYNSYM && s[i].sh_link < e->e_shnum)
            weak_symbols(w, &s[i], &s[s[i].sh_link], f);
}

void ez_fragment_weaken(struct ez_fragments *f, const char *object)
{
    struct stat st;
    int fd = open(object, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    void *at = fstat(fd, &st)
                   ? MAP_FAILED
                   : mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) {
        const struct weak w = { .at = at, .n = (size_t)st.st_size };
        weak_object(&w, f);
        munmap(at, w.n);
    }
    close(fd);
}
