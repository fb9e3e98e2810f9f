/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_core.c - any bytes as a core file.
 *
 * It is refused with a reason, or read as far as it reaches: mappings are sorted and do not overlap,
 * a read returns no more bytes than were asked for, threads have ids. */
#include <elf.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <unistd.h>

#include "arch/arch.h"
#include "engine/inferior/corefile.h"
#include "engine/inferior/maps.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 20000;
const size_t fuzz_max = 8192;

struct seed {
    uint8_t *buf;
    size_t n;
};

static void seed_note(struct seed *s, const char *owner, uint32_t type, const void *desc, size_t n)
{
    Elf64_Nhdr h = { (Elf64_Word)strlen(owner) + 1, (Elf64_Word)n, type };
    memcpy(s->buf + s->n, &h, sizeof h);
    memcpy(s->buf + s->n + sizeof h, owner, h.n_namesz);
    memcpy(s->buf + s->n + sizeof h + 8, desc, n);
    s->n += sizeof h + 8 + EZ_ROUND_UP(n, 4);
}

static void seed_notes(struct seed *s)
{
    struct elf_prstatus one = { .pr_pid = 4242, .pr_cursig = 11 }, two = { .pr_pid = 4243 };
    struct elf_prpsinfo who = { .pr_pid = 4242, .pr_fname = "prog", .pr_psargs = "./prog -n 1 " };
    siginfo_t si = { .si_signo = 11 };
    uint64_t auxv[] = { AT_SYSINFO_EHDR, 0x30000, AT_PHDR, 0x10040, AT_NULL, 0 };
    uint8_t vector[832] = { 1, 2, 3 };
    struct {
        uint64_t n, page, row[3][3];
        char names[64];
    } file = { 3,
               EZ_PAGE,
               { { 0x10000, 0x11000, 0 }, { 0x11000, 0x13000, 1 }, { 0x40000, 0x41000, 0 } },
               "/bin/sh\0/bin/sh\0/lib/none.so (deleted)" };
    seed_note(s, "CORE", NT_PRSTATUS, &one, sizeof one);
    seed_note(s, "CORE", NT_PRPSINFO, &who, sizeof who);
    seed_note(s, "CORE", NT_SIGINFO, &si, sizeof si);
    seed_note(s, "CORE", NT_AUXV, auxv, sizeof auxv);
    seed_note(s, "CORE", NT_FILE, &file, sizeof file);
    seed_note(s, "LINUX", (uint32_t)ez_arch_host()->regs.extended_regset, vector, sizeof vector);
    seed_note(s, "CORE", NT_PRSTATUS, &two, sizeof two);
    seed_note(s, "CORE", NT_FPREGSET, vector, 512);
}

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    struct seed s = { buf, 1024 };
    Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                      .e_type = ET_CORE,
                      .e_machine = (Elf64_Half)ez_arch_host()->elf.machine,
                      .e_version = EV_CURRENT,
                      .e_phoff = sizeof eh,
                      .e_phentsize = sizeof(Elf64_Phdr),
                      .e_phnum = 5 };
    if (n > 1)
        return 0;
    memset(buf, 0, max);
    seed_notes(&s);
    Elf64_Phdr p[] = {
        { .p_type = PT_NOTE, .p_offset = 1024, .p_filesz = s.n - 1024 },
        { PT_LOAD, PF_R, 0, 0x10000, 0, n ? 1024 : 0, 0x1000, 1 },
        { PT_LOAD, PF_R | PF_X, 0, 0x11000, 0, 0, 0x2000, 1 },
        { PT_LOAD, PF_R | PF_X, 512, 0x30000, 0, 256, 0x1000, 1 },
        { PT_LOAD, PF_R | PF_W, 1024, 0x20000, 0, 2048, 0x8000, 1 },
    };
    memcpy(buf, &eh, sizeof eh);
    memcpy(buf + sizeof eh, p, sizeof p);
    return s.n;
}

static void core_ask(struct ez_corefile *c)
{
    struct ez_maps maps;
    uint64_t last = 0;
    size_t n;
    const struct ez_core_thread *th = ez_corefile_threads(c, &n);
    MUST(n, "no thread");
    for (size_t i = 0; i < n; i++) {
        MUST(th[i].tid > 0 && ez_corefile_thread(c, th[i].tid) == &th[i], "thread %zu", i);
        volatile uint8_t end = th[i].nextended ? th[i].extended[th[i].nextended - 1] : 0;
        (void)end;
    }
    ez_corefile_maps(c, &maps);
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *m = &maps.map.at[i];
        uint8_t bytes[300];
        MUST(m->lo >= last && m->hi > m->lo, "mapping %zu", i);
        last = m->hi;
        MUST(ez_corefile_read(c, m->hi - 100, bytes, sizeof bytes) <= sizeof bytes, "read");
        MUST(ez_corefile_read(c, m->lo, bytes, sizeof bytes) <= sizeof bytes, "read");
    }
    ez_maps_free(&maps);
    MUST(ez_corefile_pid(c) > 0, "no process");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct ez_corefile *c = NULL;
    EZ_CLOSE int fd = memfd_create("core", MFD_CLOEXEC);
    EZ_FREE char *path = ez_sprintf("/proc/self/fd/%d", fd);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        return 0;
    ez_err *e = ez_corefile_open(path, ez_arch_host(), &c);
    MUST(!e == !!c && (!e || *e->msg), "neither a core file nor a reason");
    if (c)
        core_ask(c);
    ez_corefile_close(c);
    ez_err_free(e);
    return 0;
}
