/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_fde.c - function starts from .eh_frame: of files made here in every encoding,
 * of this program without its symbols, and of damaged ones. */
#include "tests/unit/many.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/sym/sym.h"
#include "tests/unit/suite.h"

#define SELF "/proc/self/exe"
/* libbfd keeps file names for ever; seen with --enable-sanitizers only. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libbfd";
}

enum { TEXT = 0x1000, NTEXT = 0x200, FRAME = 0x2000, NFRAME = 0x800, HDR = 0x3000, ALL = 0x4000 };

static uint8_t file[ALL];
static size_t used; /* of the frames */
static char path[64];

/* ---- a file, piece by piece ------------------------------------------------------------- */

static void put(uint64_t v, size_t n)
{
    ck_assert_uint_le(used + n, NFRAME);
    memcpy(file + FRAME + used, &v, n);
    used += n;
}

/* A piece: its length is filled in at the end. `wide` = in 64 bits. */
static size_t open_piece(bool wide)
{
    if (wide)
        put(0xffffffff, 4);
    size_t at = used;
    put(0, wide ? 8 : 4);
    return at;
}

static void close_piece(size_t at, bool wide)
{
    uint64_t n = used - at - (wide ? 8 : 4);
    memcpy(file + FRAME + at, &n, wide ? 8 : 4);
}

struct form {
    const char *letters; /* the augmentation */
    uint8_t encoding;    /* of addresses     */
    uint8_t nbytes;
    bool wide;
    uint8_t version;
};

/* The caller's frame at %rsp + cfa. Returns where the CIE stands. */
static size_t put_cie(const struct form *f, uint8_t cfa)
{
    size_t start = used, at = open_piece(f->wide);
    put(0, 4);
    put(f->version, 1);
    for (const char *p = f->letters; *p; p++)
        put((uint8_t)*p, 1);
    put(0, 1);
    if (f->version == 4)
        put(0x0008, 2);
    put(1, 1);
    put(0x78, 1); /* -8 */
    put(16, 1);
    if (*f->letters == 'z') {
        uint64_t n = 0;
        for (const char *p = f->letters + 1; *p; p++)
            n += *p == 'R' || *p == 'L' ? 1 : *p == 'P' ? 5 : 0;
        put(n, 1);
        for (const char *p = f->letters + 1; *p; p++) {
            if (*p == 'R')
                put(f->encoding, 1);
            else if (*p == 'L')
                put(0x1b, 1);
            else if (*p == 'P')
                put(0x12345678ull << 8 | 0x1b, 5);
        }
    }
    put(0x0c | 7 << 8 | (uint64_t)cfa << 16, 3); /* DW_CFA_def_cfa %rsp, cfa */
    put(0x90 | 1 << 8, 2);                       /* the return address at cfa-8 */
    close_piece(at, f->wide);
    return start;
}

static uint32_t lands; /* for the next of "zPLR": where its landing pads are, 0 = it has none */

static void put_fde(const struct form *f, size_t cie, uint64_t va, uint64_t size, const char *rules,
                    size_t nrules)
{
    size_t at = open_piece(f->wide);
    put(used - cie, 4);
    put(va - (f->encoding & 0x10 ? FRAME + used : 0), f->nbytes);
    put(size, f->nbytes);
    if (strchr(f->letters, 'L'))
        put(4 | (uint64_t)lands << 8, 5);
    else if (*f->letters == 'z')
        put(0, 1);
    for (size_t i = 0; i < nrules; i++)
        put((uint8_t)rules[i], 1);
    close_piece(at, f->wide);
}

static const char names[] = "\0.text\0.eh_frame\0.shstrtab\0.plt";

/* Sections, or segments alone; the frames end with a zero. Text is at its file offset. */
static void write_file(bool sections)
{
    Elf64_Ehdr eh = { .e_type = ET_DYN,
                      .e_machine = EM_X86_64,
                      .e_version = EV_CURRENT,
                      .e_ehsize = sizeof eh,
                      .e_phoff = sizeof eh,
                      .e_phnum = 2,
                      .e_phentsize = sizeof(Elf64_Phdr) };
    Elf64_Phdr ph[2] = {
        { PT_LOAD, PF_R | PF_X, 0, 0, 0, ALL, ALL, 0x1000 },
        { PT_GNU_EH_FRAME, PF_R, HDR, HDR, HDR, 12, 12, 4 },
    };
    Elf64_Shdr sh[5] = {
        { .sh_type = SHT_NULL },
        { 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, TEXT, NTEXT, 0, 0, 16, 0 },
        { 7, SHT_PROGBITS, SHF_ALLOC, FRAME, FRAME, used, 0, 0, 8, 0 },
        { 17, SHT_STRTAB, 0, 0, HDR + 0x100, sizeof names, 0, 0, 1, 0 },
        { 27, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT + NTEXT, TEXT + NTEXT, 64, 0, 0, 16,
          0 },
    };
    memcpy(eh.e_ident, ELFMAG, SELFMAG);
    eh.e_ident[EI_CLASS] = ELFCLASS64;
    eh.e_ident[EI_DATA] = ELFDATA2LSB;
    eh.e_ident[EI_VERSION] = EV_CURRENT;
    if (sections) {
        eh.e_shoff = HDR + 0x200;
        eh.e_shnum = 5;
        eh.e_shentsize = sizeof *sh;
        eh.e_shstrndx = 3;
    }
    int32_t to = FRAME - (HDR + 4);
    memset(file + TEXT, 0x90, NTEXT + 64);
    memcpy(file, &eh, sizeof eh);
    memcpy(file + sizeof eh, ph, sizeof ph);
    memcpy(file + HDR, "\1\x1b\xff\xff", 4); /* pcrel sdata4, no table */
    memcpy(file + HDR + 4, &to, 4);
    memcpy(file + HDR + 0x100, names, sizeof names);
    memcpy(file + HDR + 0x200, sh, sizeof sh);
    FILE *out = fopen(path, "we");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(file, 1, sizeof file, out), sizeof file);
    ck_assert_int_eq(fclose(out), 0);
}

static struct ez_object *open_ok(const char *p)
{
    struct ez_object *o = NULL;
    ez_err *e = ez_object_open(p, NULL, &o);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    return o;
}

/* What stands at va: its kind, -1 = nothing. */
static int kind_at(const struct ez_object *o, uint64_t va)
{
    const struct ez_sym *s = ez_object_find_addr(o, va);
    char want[32];
    if (!s || s->vaddr != va)
        return -1;
    snprintf(want, sizeof want, "fde_%lx", (unsigned long)va);
    ck_assert_str_eq(s->name, want);
    ck_assert(s->local);
    return s->kind;
}

static void setup(void)
{
    memset(file, 0, sizeof file);
    used = 0;
    snprintf(path, sizeof path, "/tmp/check_fde.XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void teardown(void)
{
    unlink(path);
}

/* ---- what is found ------------------------------------------------------------------------ */

static const struct form forms[] = {
    { "zR", 0x1b, 4, false, 1 },   /* what gcc and clang write: pcrel sdata4 */
    { "zPLR", 0x1b, 4, false, 1 }, /* with a personality: C++                */
    { "zR", 0x03, 4, false, 1 },   /* absolute udata4: static programs       */
    { "zR", 0x1c, 8, false, 1 },   /* pcrel sdata8: the large code model     */
    { "zR", 0x10, 8, false, 1 },   /* pcrel absptr                           */
    { "zR", 0x04, 8, false, 3 },   /* absolute, version 3                    */
    { "zR", 0x1b, 4, false, 4 },   /* version 4                              */
    { "zRB", 0x02, 2, false, 1 },  /* udata2                                 */
    { "zR", 0x1a, 2, false, 1 },   /* pcrel sdata2                           */
    { "", 0x00, 8, false, 1 },     /* no augmentation: pointers              */
    { "zR", 0x1b, 4, true, 1 },    /* lengths of 64 bits                     */
};

/* Rules that say nothing of the frame: what follows them is understood. */
static const struct {
    size_t n;
    char rule[32];
} steps[] = {
    { 1, "\x00" },          { 1, "\x0a" },          { 1, "\x0b" },         { 1, "\x2d" },
    { 2, "\x83\x1c" },      { 1, "\xc3" },          { 2, "\x06\x1c" },     { 2, "\x07\x1c" },
    { 2, "\x08\x1c" },      { 2, "\x2e\x1c" },      { 3, "\x05\x1c\x1c" }, { 3, "\x09\x1c\x1c" },
    { 3, "\x11\x1c\x1c" },  { 3, "\x14\x1c\x1c" },  { 3, "\x15\x1c\x1c" }, { 3, "\x2f\x1c\x1c" },
    { 31, "\x10\x1c\x1c" }, { 31, "\x16\x1c\x1c" },
};

static void put_all(const struct form *f)
{
    size_t cie = put_cie(f, 8), plt = put_cie(f, 16), odd;
    struct form signal = *f;
    lands = 0x100e; /* its bytes are no rules, though they look like one */
    put_fde(f, cie, TEXT, 0x20, "\x41\x0e\x10", 3); /* push: one byte later */
    put_fde(f, cie, TEXT + 0x20, 0x10, "", 0);
    put_fde(f, cie, TEXT + 0x30, 0x10, "\x0e\x10", 2);         /* begins with something pushed */
    put_fde(f, cie, TEXT + 0x40, 0x10, "\x0d\x06", 2);         /* the frame is %rbp's */
    put_fde(f, cie, TEXT + 0x50, 0x10, "\x0f\x02\x77\x08", 4); /* an expression */
    put_fde(f, cie, TEXT + 0x60, 0x10, "\x13\x7f", 2);         /* offset_sf -1 * -8 = 8 */
    put_fde(f, plt, TEXT + 0x70, 0x10, "", 0);
    put_fde(f, cie, TEXT + 0x80, 0x10, "\x1c\x00", 2); /* a rule nobody knows */
    put_fde(f, cie, TEXT + 0x90, 0, "", 0);            /* empty */
    put_fde(f, cie, TEXT - 0x10, 0x10, "", 0);         /* in no code */
    put_fde(f, cie, TEXT + NTEXT + 0x80, 0x10, "", 0);
    put_fde(f, cie, TEXT + 0xa0, 0x4000, "", 0); /* longer than its section */
    if (*f->letters) {
        signal.letters = "zRS";
        odd = put_cie(&signal, 8);
        put_fde(&signal, odd, TEXT + 0xb0, 0x10, "", 0); /* a signal trampoline */
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(steps); i++) {
        char rules[40];
        memcpy(rules, steps[i].rule, steps[i].n);
        memcpy(rules + steps[i].n, "\x0e\x10\x0e\x08", 4);
        put_fde(f, cie, TEXT + 0x100 + 8 * i, 8, rules, steps[i].n + 4);
    }
    put_fde(f, cie, TEXT + NTEXT + 0x10, 0x10, "", 0); /* .plt, where there are sections */
    put_fde(f, cie, TEXT + 0x1f0, 0x10, "", 0);
    lands = 0;
    put(0, 4);
}

START_TEST(encodings)
{
    put_all(&forms[_i / 2]);
    write_file(_i % 2);
    struct ez_object *o = open_ok(path);
    static const struct {
        uint64_t off;
        int kind;
    } want[] = {
        { 0, EZ_SYM_FUNC },    { 0x20, EZ_SYM_FUNC }, { 0x30, EZ_SYM_COLD },  { 0x40, EZ_SYM_COLD },
        { 0x50, EZ_SYM_COLD }, { 0x60, EZ_SYM_FUNC }, { 0x70, EZ_SYM_COLD },  { 0x80, EZ_SYM_COLD },
        { 0x90, -1 },          { 0xb0, -1 },          { 0x1f0, EZ_SYM_FUNC },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++)
        ck_assert_msg(kind_at(o, TEXT + want[i].off) == want[i].kind, "form %d, +0x%lx: %d", _i,
                      (unsigned long)want[i].off, kind_at(o, TEXT + want[i].off));
    for (size_t i = 0; i < EZ_ARRAY_LEN(steps); i++)
        ck_assert_msg(kind_at(o, TEXT + 0x100 + 8 * i) == EZ_SYM_FUNC, "form %d, rule 0x%02x", _i,
                      (uint8_t)*steps[i].rule);
    if (_i % 2) /* the section is known to be a PLT, and where the text ends */
        ck_assert(kind_at(o, TEXT + NTEXT + 0x10) == -1 && kind_at(o, TEXT + 0xa0) == -1);
    ck_assert_uint_eq(ez_sym_end(ez_object_find_addr(o, TEXT)), TEXT + 0x20);
    ez_object_close(o);
}
END_TEST

START_TEST(landing)
{
    const struct form *cxx = &forms[1], *c = &forms[0];
    size_t cie = put_cie(cxx, 8);
    lands = 0x1234;
    put_fde(cxx, cie, TEXT + 0x60, 0x10, "", 0);
    put_fde(cxx, cie, TEXT, 0x20, "", 0);
    lands = 0;
    put_fde(cxx, cie, TEXT + 0x20, 0x10, "", 0);
    put_fde(c, put_cie(c, 8), TEXT + 0x30, 0x30, "", 0);
    put(0, 4);
    write_file(_i);
    struct ez_object *o = open_ok(path);
    ck_assert(ez_object_lands(o, TEXT, TEXT + 0x20) &&
              ez_object_lands(o, TEXT + 0x1f, TEXT + 0x20));
    ck_assert(!ez_object_lands(o, TEXT + 0x20, TEXT + 0x60) &&
              ez_object_lands(o, TEXT, TEXT + 0x80));
    ck_assert(ez_object_lands(o, TEXT + 0x60, TEXT + 0x70) &&
              !ez_object_lands(o, TEXT + 0x70, ALL));
    ez_object_close(o);
}
END_TEST

/* ---- this program without its symbols -------------------------------------------------------- */

/* A copy whose .symtab is no symbol table any more. */
static void without_symtab(void)
{
    struct stat st;
    EZ_CLOSE int in = open(SELF, O_RDONLY | O_CLOEXEC);
    ck_assert(in >= 0 && !fstat(in, &st));
    size_t n = (size_t)st.st_size;
    uint8_t *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE, in, 0);
    ck_assert(p != MAP_FAILED);
    const Elf64_Ehdr *eh = (const void *)p;
    Elf64_Shdr *sh = (void *)(p + eh->e_shoff);
    for (int i = 0; i < eh->e_shnum; i++) {
        if (sh[i].sh_type == SHT_NOTE) /* no debug file is found */
            sh[i].sh_type = SHT_NULL;
        if (sh[i].sh_type == SHT_SYMTAB)
            sh[i].sh_type = SHT_NULL;
    }
    FILE *out = fopen(path, "we");
    ck_assert(out && fwrite(p, 1, n, out) == n && !fclose(out));
    munmap(p, n);
}

START_TEST(own)
{
    size_t n, all = 0, found = 0, nfde;
    without_symtab();
    struct ez_object *full = open_ok(SELF), *bare = open_ok(path);
    const struct ez_sym *s = ez_object_syms(full, &n), *f = ez_object_syms(bare, &nfde);
    for (size_t i = 0; i < n; i++) {
        if (s[i].kind != EZ_SYM_FUNC || (i && s[i - 1].vaddr == s[i].vaddr))
            continue;
        const struct ez_sym *b = ez_object_find_addr(bare, s[i].vaddr);
        all++;
        found += b && b->vaddr == s[i].vaddr && b->kind == EZ_SYM_FUNC;
    }
    printf("%zu of %zu functions of this program found\n", found, all);
    ck_assert_uint_gt(all, 200);
    ck_assert_uint_ge(found + 12, all); /* the C start-up files have some without an entry */
    for (size_t i = 0; i < nfde; i++) { /* and nothing was made up */
        const struct ez_sym *k = ez_object_find_addr(full, f[i].vaddr);
        if (f[i].kind == EZ_SYM_FUNC)
            ck_assert_msg(k && k->vaddr == f[i].vaddr, "%s", f[i].name);
    }
    ez_object_close(full);
    ez_object_close(bare);
}
END_TEST

/* ---- damage -------------------------------------------------------------------------------------- */

static uint64_t seed = 88172645463325252ull;
static uint64_t next_random(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed;
}

START_TEST(damaged)
{
    for (int round = 0; round < 3000; round++) {
        size_t n;
        memset(file, 0, sizeof file);
        used = 0;
        put_all(&forms[next_random() % EZ_ARRAY_LEN(forms)]);
        for (uint64_t k = next_random() % 6; k < 7; k++) {
            static const uint8_t evil[] = { 0, 0xff, 0x80, 0x7f, 1, 4 };
            uint64_t r = next_random();
            file[FRAME + r % used] = r >> 60 ? evil[r / used % sizeof evil] : (uint8_t)(r >> 40);
        }
        write_file(round % 2);
        struct ez_object *o = open_ok(path);
        const struct ez_sym *s = ez_object_syms(o, &n);
        for (size_t i = 0; i < n; i++) {
            uint64_t lo, hi;
            ck_assert(ez_object_section(o, s[i].vaddr, NULL, &lo, &hi));
            ck_assert(s[i].size && s[i].size <= hi - s[i].vaddr && ez_sym_end(&s[i]) <= hi);
        }
        ez_object_lands(o, TEXT, TEXT + 0x20);
        ez_object_close(o);
    }
}
END_TEST

int main(void)
{
    if (!proc_there("check_fde"))
        return 77;
    Suite *s = suite_create("fde");
    TCase *t = tcase_create("frames");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, encodings, 0, 2 * (int)EZ_ARRAY_LEN(forms));
    tcase_add_loop_test(t, landing, 0, 2);
    tcase_add_test(t, own);
    tcase_add_test(t, damaged);
    suite_add_tcase(s, t);
    return run_suite(s);
}
