/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpir.c - reads the list of ranks from the memory of an MPI launcher (mpir.h). */
#include "engine/jobs/mpir.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#define RANKS_MOST (1u << 20)
#define SYMBOLS_MOST (1u << 20)

struct mpir_found {
    pid_t pid;
    uint64_t table, size, job; /* addresses of MPIR_proctable, MPIR_proctable_size and
                                * totalview_jobid; 0 = not found yet */
};

static bool mpir_read(pid_t pid, uint64_t at, void *buf, size_t n)
{
    struct iovec local = { buf, n }, remote = { (void *)(uintptr_t)at, n };
    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)n;
}

/* Reads a string at address `at`, cut to size - 1 bytes. Reads byte by byte, because the string may
 * be at the end of a mapping. */
static void mpir_text(pid_t pid, uint64_t at, char *buf, size_t size)
{
    size_t n = 0;
    while (n + 1 < size && mpir_read(pid, at + n, buf + n, 1) && buf[n])
        n++;
    buf[n] = 0;
}

/* From the dynamic section: addresses of the symbol table and of the string table (names), and the
 * string table's size in bytes. */
struct mpir_dynamic {
    uint64_t symbols, names, names_size;
};

static bool mpir_dynamic(pid_t pid, uint64_t at, uint64_t bias, struct mpir_dynamic *out)
{
    Elf64_Dyn d;
    *out = (struct mpir_dynamic){ 0 };
    for (int i = 0; i < 512 && mpir_read(pid, at + (uint64_t)i * sizeof d, &d, sizeof d) && d.d_tag;
         i++) {
        /* glibc's loader relocates these addresses in memory. An address below the bias was not
         * relocated. */
        uint64_t value = d.d_un.d_ptr < bias ? d.d_un.d_ptr + bias : d.d_un.d_ptr;
        if (d.d_tag == DT_SYMTAB)
            out->symbols = value;
        else if (d.d_tag == DT_STRTAB)
            out->names = value;
        else if (d.d_tag == DT_STRSZ)
            out->names_size = d.d_un.d_val;
    }
    return out->symbols && out->names > out->symbols && out->names_size < 1u << 28;
}

/* Searches the symbol table for the three variables. The dynamic section does not have the number
 * of symbols, so all bytes up to the string table are read as symbols. Other data between the two
 * tables is very unlikely to refer to one of the three names. */
static void mpir_symbols(struct mpir_found *f, const struct mpir_dynamic *d, uint64_t bias)
{
    size_t n = EZ_MIN((d->names - d->symbols) / sizeof(Elf64_Sym), SYMBOLS_MOST);
    EZ_FREE Elf64_Sym *sym = ez_alloc((n + 1) * sizeof *sym);
    EZ_FREE char *names = ez_alloc(d->names_size + 1);
    if (!mpir_read(f->pid, d->symbols, sym, n * sizeof *sym) ||
        !mpir_read(f->pid, d->names, names, d->names_size))
        return;
    for (size_t i = 0; i < n; i++) {
        if (!sym[i].st_shndx || sym[i].st_name >= d->names_size)
            continue;
        const char *name = names + sym[i].st_name;
        if (!strcmp(name, "MPIR_proctable"))
            f->table = sym[i].st_value + bias;
        else if (!strcmp(name, "MPIR_proctable_size"))
            f->size = sym[i].st_value + bias;
        else if (!strcmp(name, "totalview_jobid"))
            f->job = sym[i].st_value + bias;
    }
}

/* Searches the dynamic symbols of an ELF file whose header is mapped at address `at`. */
static void mpir_object(struct mpir_found *f, uint64_t at)
{
    Elf64_Ehdr e;
    Elf64_Phdr p;
    uint64_t first = UINT64_MAX, dynamic = 0;
    if (!mpir_read(f->pid, at, &e, sizeof e) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
        e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phnum > 64 || e.e_phentsize != sizeof p)
        return;
    for (int i = 0; i < e.e_phnum; i++) {
        if (!mpir_read(f->pid, at + e.e_phoff + (uint64_t)i * sizeof p, &p, sizeof p))
            return;
        if (p.p_type == PT_LOAD && first == UINT64_MAX)
            first = p.p_vaddr & ~0xfffull;
        if (p.p_type == PT_DYNAMIC)
            dynamic = p.p_vaddr;
    }
    struct mpir_dynamic d;
    uint64_t bias = e.e_type == ET_DYN ? at - first : 0;
    if (dynamic && mpir_dynamic(f->pid, dynamic + bias, bias, &d))
        mpir_symbols(f, &d, bias);
}

static ez_err *mpir_find(struct mpir_found *f)
{
    char path[64], line[4400];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)f->pid);
    FILE *maps = fopen(path, "re");
    if (!maps)
        return ez_err_new(EZ_E_GONE, errno, "Cannot open process %d", (int)f->pid);
    while (fgets(line, sizeof line, maps) && !(f->table && f->size)) {
        unsigned long long lo, offset;
        if (sscanf(line, "%llx-%*x %*s %llx", &lo, &offset) == 2 && !offset && strchr(line, '/'))
            mpir_object(f, lo);
    }
    fclose(maps);
    if (f->table && f->size)
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_NOTFOUND, 0,
                   "Process %d has no MPIR_proctable, the list of the ranks of a launcher",
                   (int)f->pid),
        "Only mpirun (Open MPI) and srun have this table; the ranks of other launchers are found "
        "on this host only");
}

ez_err *ez_mpir_read(pid_t launcher, struct ez_mpir *out)
{
    struct mpir_found f = { .pid = launcher };
    struct {
        uint64_t host, program;
        int32_t pid, padding;
    } entry;
    uint64_t table = 0, job = 0;
    uint32_t n = 0;
    *out = (struct ez_mpir){ .rank = { 0 } };
    EZ_TRY(mpir_find(&f));
    if (!mpir_read(launcher, f.table, &table, sizeof table) ||
        !mpir_read(launcher, f.size, &n, sizeof n) || !table || !n || n > RANKS_MOST)
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "The MPIR_proctable of process %d is empty",
                                      (int)launcher),
                           "Open MPI fills the table when all ranks have called MPI_Init");
    if (f.job && mpir_read(launcher, f.job, &job, sizeof job) && job)
        mpir_text(launcher, job, out->job, sizeof out->job);
    bool whole = true;
    for (uint32_t i = 0; i < n && whole; i++) {
        struct ez_mpir_rank r = { .pid = 0 };
        whole = mpir_read(launcher, table + i * sizeof entry, &entry, sizeof entry) &&
                entry.pid > 0 && entry.host;
        r.pid = entry.pid;
        mpir_text(launcher, whole ? entry.host : 0, r.host, sizeof r.host);
        EZ_PUSH(&out->rank, r);
    }
    if (whole)
        return NULL;
    ez_mpir_free(out);
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0,
                                  "The MPIR_proctable of process %d is not complete yet",
                                  (int)launcher),
                       "Not all ranks have started");
}

void ez_mpir_free(struct ez_mpir *m)
{
    EZ_VEC_FREE(&m->rank);
}
