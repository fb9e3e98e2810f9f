/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c - chooses the clock of events, and finds the clock function in the target's vDSO
 * (clock.h).
 *
 * The vDSO's image is read from the target's memory and may contain anything, so every offset in it
 * is checked against the image's end.
 * Tests: tests/unit/record/check_clock.c, tests/fault/check_clock.sh */
#include "engine/record/clock.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "engine/base/fault.h"
#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"

#define VDSO_MAX 0x10000u /* bytes; current kernels have 0x2000 */

/* ---- which clock --------------------------------------------------------------------- */

static bool clock_has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)); p += n)
        if ((p == list || p[-1] == ' ') && (!p[n] || p[n] == ' ' || p[n] == '\n'))
            return true;
    return false;
}

bool ez_tick_usable(bool invariant, const char *available)
{
    return invariant && (!available || clock_has_word(available, ez_arch_host()->clock.source));
}

bool ez_clock_stays_out(const char *current)
{
    const char *const *name = ez_arch_host()->clock.vdso_sources;
    while (current && *name && !clock_has_word(current, *name))
        name++;
    return current && *name;
}

/* Reads up to size - 1 bytes of a file as a string. Returns false if the file cannot be read or is
 * empty. */
static bool clock_read_text(const char *path, char *buf, size_t size)
{
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);
    buf[n > 0 ? n : 0] = 0;
    return n > 0;
}

bool ez_clock_stays_out_now(void)
{
    char current[256];
    return !ez_fault_is("clock", "enters") &&
           clock_read_text(EZ_CLOCKSOURCE "/current_clocksource", current, sizeof current) &&
           ez_clock_stays_out(current);
}

static bool clock_tick_usable_here(const struct ez_target *t)
{
    char available[256];
    bool said =
        clock_read_text(EZ_CLOCKSOURCE "/available_clocksource", available, sizeof available);
    return ez_tick_usable(t->inf.arch->clock.invariant() && !ez_fault_is("clock", "variant"),
                          said ? available : NULL);
}

/* ---- the vDSO ------------------------------------------------------------------------- */

/* Returns the bytes img[off..off + n), or NULL if they are not wholly inside the image. */
static const void *clock_part(const uint8_t *img, size_t size, uint64_t off, uint64_t n)
{
    return off <= size && n <= size - off ? img + off : NULL;
}

struct dynamic {
    uint64_t symtab, strtab, hash;
};

/* Finds the tables to which the dynamic section points. *link: the address for which the image's
 * first byte is linked; values in *d are offsets in the image, 0 if missing. Returns false if the
 * image is not a 64-bit ELF file with a symbol table and a string table. */
static bool clock_find_dynamic(const uint8_t *img, size_t n, struct dynamic *d, uint64_t *link)
{
    Elf64_Ehdr eh;
    Elf64_Phdr ph;
    Elf64_Dyn dyn;
    uint64_t at = 0, left = 0;
    bool load = false;
    if (n < sizeof eh)
        return false;
    memcpy(&eh, img, sizeof eh);
    if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < eh.e_phnum; i++) {
        const void *p = clock_part(img, n, eh.e_phoff + i * sizeof ph, sizeof ph);
        if (!p)
            return false;
        memcpy(&ph, p, sizeof ph);
        if (ph.p_type == PT_LOAD && !load) {
            load = true;
            *link = ph.p_vaddr - ph.p_offset;
        } else if (ph.p_type == PT_DYNAMIC) {
            at = ph.p_offset;
            left = ph.p_filesz / sizeof dyn;
        }
    }
    *d = (struct dynamic){ 0 };
    for (; load && left; left--, at += sizeof dyn) {
        const void *p = clock_part(img, n, at, sizeof dyn);
        if (!p)
            return false;
        memcpy(&dyn, p, sizeof dyn);
        if (dyn.d_tag == DT_SYMTAB)
            d->symtab = dyn.d_un.d_ptr - *link;
        else if (dyn.d_tag == DT_STRTAB)
            d->strtab = dyn.d_un.d_ptr - *link;
        else if (dyn.d_tag == DT_HASH)
            d->hash = dyn.d_un.d_ptr - *link;
        else if (dyn.d_tag == DT_NULL)
            break;
    }
    return d->symtab && d->strtab;
}

/* Returns the number of symbols, which DT_HASH contains. Without DT_HASH, assumes that the symbol
 * table ends where the string table begins. */
static uint64_t clock_symbol_count(const uint8_t *img, size_t n, const struct dynamic *d)
{
    const void *p = d->hash ? clock_part(img, n, d->hash, 8) : NULL;
    uint32_t nchain;
    if (p) {
        memcpy(&nchain, (const uint8_t *)p + 4, sizeof nchain);
        return nchain;
    }
    return d->strtab > d->symtab ? (d->strtab - d->symtab) / sizeof(Elf64_Sym) : 0;
}

uint64_t ez_vdso_function(const uint8_t *img, size_t n, uint64_t base, const char *name)
{
    struct dynamic d;
    uint64_t link = 0, len = strlen(name) + 1;
    if (!clock_find_dynamic(img, n, &d, &link))
        return 0;
    for (uint64_t i = 0, count = clock_symbol_count(img, n, &d); i < count; i++) {
        Elf64_Sym sym;
        const void *p = clock_part(img, n, d.symtab + i * sizeof sym, sizeof sym);
        if (!p)
            return 0;
        memcpy(&sym, p, sizeof sym);
        const char *s = clock_part(img, n, d.strtab + sym.st_name, len);
        if (s && !memcmp(s, name, len) && sym.st_shndx != SHN_UNDEF &&
            clock_part(img, n, sym.st_value - link, 1))
            return base + sym.st_value - link;
    }
    return 0;
}

/* ---- of this process --------------------------------------------------------------------- */

static uint64_t clock_find(struct ez_target *t)
{
    uint64_t base = ez_auxv(ez_live_tid(t), AT_SYSINFO_EHDR), fn = 0;
    struct ez_maps maps;
    if (!base || ez_fault_is("clock", "novdso") || !ez_err_drop(ez_maps_read(t->inf.pid, &maps)))
        return 0;
    for (size_t i = 0; i < maps.map.n && !fn; i++) {
        const struct ez_map *m = &maps.map.at[i];
        if (m->lo != base || !strchr(m->perm, 'x'))
            continue;
        size_t n = (size_t)EZ_MIN(m->hi - m->lo, VDSO_MAX);
        EZ_FREE uint8_t *img = ez_alloc(n);
        fn = ez_vdso_function(img, ez_mem_read_some(t, base, img, n), base,
                              t->inf.arch->clock.vdso_function);
    }
    ez_maps_free(&maps);
    return fn;
}

static bool clock_time_namespace(pid_t pid, char *id, size_t size, int64_t *offset)
{
    char path[64], text[256];
    long s = 0, ns = 0;
    snprintf(path, sizeof path, "/proc/%d/ns/time", pid);
    ssize_t n = readlink(path, id, size - 1);
    id[n > 0 ? n : 0] = 0;
    snprintf(path, sizeof path, "/proc/%d/timens_offsets", pid);
    *offset = n > 0 && clock_read_text(path, text, sizeof text) &&
                      sscanf(text, "monotonic %ld %ld", &s, &ns) == 2
                  ? s * 1000000000l + ns
                  : 0;
    return n > 0;
}

/* Returns the ns to add to CLOCK_MONOTONIC of the target to get CLOCK_MONOTONIC of the shell. The
 * two clocks differ if the target is in another time namespace (a container). Returns 0 if a
 * namespace is unknown. */
static int64_t clock_to_our_time(pid_t pid)
{
    char ours[64], theirs[64];
    int64_t our_offset, their_offset;
    if (!clock_time_namespace(getpid(), ours, sizeof ours, &our_offset) ||
        !clock_time_namespace(pid, theirs, sizeof theirs, &their_offset) || !strcmp(ours, theirs))
        return 0;
    return our_offset - their_offset;
}

void ez_clock_adopt(struct ez_target *t, bool mono, uint64_t vdso_clock, int64_t add)
{
    t->tracing.mono = mono;
    t->tracing.vdso_clock = vdso_clock;
    t->tracing.clock_add = add;
    t->tracing.clock_unreported = false;
}

/* Returns true if reading the counter faults in this thread (PR_SET_TSC), false if it does not, or
 * if the check fails. Injects prctl(PR_GET_TSC) into the thread; prctl() writes its result below
 * the used part of the thread's stack. */
static bool clock_thread_forbids(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *r;
    int64_t result = -1;
    uint32_t is = 0;
    if (!ez_err_drop(ez_thread_regs(th, &r)))
        return false;
    uint64_t at = (t->inf.arch->regs.sp(r) - 1024) & ~15ull;
    return ez_err_drop(ez_inject_syscall(t, th, SYS_prctl, (uint64_t[6]){ PR_GET_TSC, at }, &result,
                                         "check whether it may read the counter")) &&
           !result && ez_mem_read_some(t, at, &is, sizeof is) == sizeof is && is == PR_TSC_SIGSEGV;
}

#define CLOCK_THREADS                                                                              \
    64 /* maximum number of threads to check: threads inherit the setting, so they rarely differ */
static bool clock_forbidden(struct ez_target *t)
{
    bool is = false;
    for (size_t i = 0;
         t->inf.arch->clock.emulate && i < EZ_MIN(t->inf.thread.n, (size_t)CLOCK_THREADS) && !is;
         i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        is = th->stopped && !th->group_stop && !th->sig && clock_thread_forbids(t, th);
    }
    return is;
}

void ez_clock_choose(struct ez_target *t)
{
    bool forbidden = clock_forbidden(t);
    bool counter =
        !forbidden && (t->set.trace_clock == EZ_CLOCK_TSC ||
                       (t->set.trace_clock == EZ_CLOCK_AUTO && clock_tick_usable_here(t)));
    t->tracing.mono = !counter;
    t->tracing.vdso_clock = 0;
    t->tracing.clock_add = 0;
    t->tracing.clock_unreported = false;
    if (counter)
        return;
    /* The vDSO's function also reads the counter, so it would fault, too. */
    t->tracing.vdso_clock = forbidden ? 0 : clock_find(t);
    t->tracing.clock_add = clock_to_our_time(t->inf.pid);
    if (forbidden)
        ez_post_note(t, "The program forbids to read the time stamp counter (PR_SET_TSC): each "
                        "recorded event costs a "
                        "system call; \"probe -count\" needs no clock.");
    else if (!t->tracing.vdso_clock)
        ez_post_note(t, "The process has no vDSO: each recorded event costs a system call.");
    else
        t->tracing.clock_unreported = t->set.trace_clock == EZ_CLOCK_AUTO;
}

void ez_clock_emit(struct ez_target *t)
{
    if (t->tracing.clock_unreported)
        ez_post_note(t, "The time stamp counter is not reliable on this machine: events are "
                        "stamped with CLOCK_MONOTONIC.");
    t->tracing.clock_unreported = false;
}
