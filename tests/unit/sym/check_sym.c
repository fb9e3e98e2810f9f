/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_sym.c - symbols and names of real files: this program, libc. */
#include <check.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "engine/sym/sym.h"
#include "engine/sym/sym_priv.h"
#include "tests/unit/sym/check_elf.h"
#include "tests/unit/suite.h"

#define SELF "/proc/self/exe"
#define HERE "tests/unit/sym/check_sym.c"

__attribute__((noinline, used)) static int a_static_function(int x)
{
    return x * 3;
}
enum { STATIC_FUNCTION_LINE = __LINE__ - 4 };

__attribute__((noinline, visibility("default"))) int plain_name(int x)
{
    return x + 7;
}
int _alias_name(int x) __attribute__((alias("plain_name"), visibility("default")));

static struct ez_object *open_ok(const char *path)
{
    struct ez_object *o = NULL;
    ez_err *e = ez_object_open(path, NULL, &o);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    return o;
}

/* The libc of this process. */
static const char *libc_path(void)
{
    Dl_info info;
    ck_assert(dladdr((void *)abort, &info));
    return info.dli_fname;
}

struct found {
    size_t n;
    struct ez_sym at[8];
};

static void note(const struct ez_sym *s, void *arg)
{
    struct found *f = arg;
    if (f->n < EZ_ARRAY_LEN(f->at))
        f->at[f->n++] = *s;
}

static struct found find(const struct ez_object *o, const char *name)
{
    struct found f = { 0 };
    size_t n = ez_object_find_name(o, name, note, &f);
    ck_assert_uint_eq(n, f.n);
    return f;
}

START_TEST(order)
{
    const char *paths[] = { SELF, libc_path() };
    for (size_t k = 0; k < 2; k++) {
        struct ez_object *o = open_ok(paths[k]);
        size_t n;
        const struct ez_sym *s = ez_object_syms(o, &n);
        ck_assert_uint_gt(n, 20);
        for (size_t i = 0; i < n; i++) {
            bool data = s[i].kind == EZ_SYM_DATA, last_data = i && s[i - 1].kind == EZ_SYM_DATA;
            ck_assert(s[i].kind <= EZ_SYM_DATA && s[i].name[0] && s[i].obj == o);
            ck_assert(!i || last_data < data ||
                      (last_data == data && s[i - 1].vaddr <= s[i].vaddr));
            ck_assert(s[i].vaddr <= ez_sym_end(&s[i]) && ez_sym_end(&s[i]) <= ez_sym_next(&s[i]));
            ck_assert(!strchr(s[i].name, '@') || s[i].kind == EZ_SYM_PLT);
            if (!data)
                ck_assert_uint_eq(ez_object_find_addr(o, s[i].vaddr)->vaddr, s[i].vaddr);
        }
        ez_object_close(o);
    }
}
END_TEST

START_TEST(named_sections)
{
    struct ez_object *o = open_ok(SELF);
    const uint64_t vaddr = find(o, "a_static_function").at[0].vaddr;
    const char *name;
    uint64_t lo = 1, hi = 1, start, end;
    ck_assert(ez_object_section(o, vaddr, &name, &lo, &hi));
    ck_assert_str_eq(name, ".text");
    ck_assert(ez_object_named(o, ".text", &start, &end) && start == lo && end == hi);
    ck_assert(start <= vaddr && vaddr < end);
    ck_assert(ez_object_named(o, ".data", &start, &end) && start < end);
    ck_assert(!ez_object_named(o, ".nothing", &start, &end) && !start && !end);
    ez_object_close(o);
}
END_TEST

START_TEST(own_functions)
{
    struct ez_object *o = open_ok(SELF);
    struct found f = find(o, "a_static_function");
    ck_assert(f.n == 1 && f.at[0].local && f.at[0].kind == EZ_SYM_FUNC && f.at[0].size);
    uint64_t bias = (uint64_t)a_static_function - f.at[0].vaddr;
    ck_assert_uint_eq(bias % EZ_PAGE, 0);

    struct found g = find(o, "plain_name"), a = find(o, "_alias_name");
    ck_assert(g.n == 1 && a.n == 1 && !g.at[0].local && g.at[0].vaddr == a.at[0].vaddr);
    ck_assert_str_eq(ez_object_find_addr(o, g.at[0].vaddr + 1)->name, "plain_name");

    uint8_t text[4];
    ck_assert_uint_eq(ez_object_read_text(o, g.at[0].vaddr, text, 4), 4);
    ck_assert(!memcmp(text, (const void *)plain_name, 4));
    ck_assert_uint_eq(find(o, "no_such_name").n, 0);
    ck_assert_uint_eq(find(o, "plain_nam").n, 0);
    ck_assert(ez_object_is_exec(o) && ez_object_is_64(o) && ez_object_interp(o));
    ck_assert_str_eq(ez_object_base(o), "exe");
    ez_object_close(o);
}
END_TEST

/* The startup files' functions, of which not all systems have all. */
START_TEST(startup)
{
    static const char *const name[] = { "_start",
                                        "_init",
                                        "_fini",
                                        "frame_dummy",
                                        "call_weak_fn",
                                        "register_tm_clones",
                                        "__do_global_dtors_aux" };
    static const char *const own[] = { "main", "a_static_function", "plain_name", "mkstemp@plt" };
    struct ez_object *o = open_ok(SELF);
    size_t found = 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(name); i++) {
        struct found f = find(o, name[i]);
        found += f.n;
        for (size_t k = 0; k < f.n; k++)
            ck_assert_msg(ez_sym_is_startup(&f.at[k]), "%s", name[i]);
    }
    ck_assert_uint_ge(found, 2);
    for (size_t i = 0; i < EZ_ARRAY_LEN(own); i++) {
        struct found f = find(o, own[i]);
        ck_assert_uint_eq(f.n, 1);
        ck_assert_msg(!ez_sym_is_startup(&f.at[0]), "%s", own[i]);
    }
    ez_object_close(o);
}
END_TEST

START_TEST(plt)
{
    struct ez_object *o = open_ok(SELF);
    struct found f = find(o, "mkstemp@plt"); /* no sanitizer has one of its own */
    ck_assert_uint_eq(f.n, 1);
    struct ez_sym *s = &f.at[0];
    const char *section;
    ck_assert(s->kind == EZ_SYM_PLT && ez_object_section(o, s->vaddr, &section, NULL, NULL));
    ck_assert(!strncmp(section, ".plt", 4));
    ez_object_close(o);
}
END_TEST

static void count_import(const char *name, void *arg)
{
    unsigned *n = arg; /* of mkstemp, of a function of the file's own, of all */
    n[0] += !strcmp(name, "mkstemp");
    n[1] += !strcmp(name, "plain_name");
    n[2]++;
}

START_TEST(imports)
{
    struct ez_object *o = open_ok(SELF);
    unsigned n[3] = { 0 };
    ez_object_imports(o, count_import, n);
    ck_assert_uint_eq(n[0], 1);
    ck_assert_uint_eq(n[1], 0);
    ck_assert_uint_gt(n[2], 1);
    ez_object_close(o);
}
END_TEST

START_TEST(libc)
{
    struct ez_object *o = open_ok(libc_path());
    struct found f = find(o, "memcpy"), m = find(o, "malloc");
    bool ifunc = false;
    for (size_t i = 0; i < f.n; i++)
        ifunc |= f.at[i].kind == EZ_SYM_IFUNC && f.at[i].version;
    ck_assert(ifunc);
    ck_assert(m.n == 1 && m.at[0].version && !strncmp(m.at[0].version, "GLIBC_", 6));
    ck_assert_str_eq(ez_object_find_addr(o, m.at[0].vaddr + 2)->name, "malloc");
    ck_assert(!ez_object_is_exec(o));
    ck_assert_str_eq(ez_object_soname(o), "libc.so.6");
    char debug[128];
    const char *id = ez_object_build_id(o);
    snprintf(debug, sizeof debug, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
    if (!access(debug, R_OK)) { /* with it we know local functions */
        ck_assert_uint_ge(find(o, "_int_malloc").n, 1);
        ck_assert(find(o, "_int_malloc").at[0].local);
    }
    ez_object_close(o);
}
END_TEST

static const struct {
    const char *path;
    enum ez_code want;
} not_elf[] = {
    { "/nonexistent/file", EZ_E_NOTFOUND },
    { "/", EZ_E_FORMAT },
    { "/dev/null", EZ_E_FORMAT },
    { "/etc/passwd", EZ_E_FORMAT },
};

START_TEST(refused)
{
    struct ez_object *o = NULL;
    ez_err *e = ez_object_open(not_elf[_i].path, NULL, &o);
    ck_assert(e && !o);
    ck_assert_msg(e->code == not_elf[_i].want, "%s: %s", not_elf[_i].path, e->msg);
    ez_err_free(e);
}
END_TEST

static uint64_t seed = 88172645463325252ull;
static uint64_t next_random(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed;
}

static void ignore(uint64_t at, uint64_t to, void *arg)
{
    (void)at, (void)to, (void)arg;
}

/* Whatever a file contains, reading it ends, and does no harm. */
static void use_everything(struct ez_object *o)
{
    size_t n;
    const struct ez_sym *s = ez_object_syms(o, &n);
    for (size_t i = 0; i < n; i++) {
        ck_assert(ez_sym_end(&s[i]) >= s[i].vaddr || s[i].kind == EZ_SYM_DATA);
        ck_assert_ptr_nonnull(ez_sym_pretty(&s[i]));
    }
    find(o, "main");
    ez_object_pointers(o, 0, UINT64_MAX, ignore, NULL);
    ez_object_close(o);
}

START_TEST(damaged)
{
    char path[] = "/tmp/check_sym.XXXXXX";
    static uint8_t image[1 << 20];
    EZ_CLOSE int in = open("/bin/true", O_RDONLY | O_CLOEXEC);
    EZ_CLOSE int fd = mkstemp(path);
    ssize_t n = read(in, image, sizeof image);
    ck_assert(n > 4096 && fd >= 0);
    for (int round = 0; round < 400; round++) {
        struct ez_object *o;
        size_t size = round % 4 ? (size_t)n : next_random() % (size_t)n;
        ck_assert(!ftruncate(fd, 0) && pwrite(fd, image, size, 0) == (ssize_t)size);
        for (int k = 0; k < 24; k++) { /* mostly in the headers at either end */
            uint64_t r = next_random(), where = r % 3 == 0   ? r / 7 % 1024
                                                : r % 3 == 1 ? (uint64_t)n - 1 - r / 7 % 2048
                                                             : r / 7 % (uint64_t)n;
            uint8_t byte = (uint8_t)(r >> 56);
            if (where < size)
                ck_assert(pwrite(fd, &byte, 1, (off_t)where) == 1);
        }
        ez_err *e = ez_object_open(path, NULL, &o);
        if (e)
            ck_assert_int_eq(e->code, EZ_E_FORMAT);
        else
            use_everything(o);
        ez_err_free(e);
    }
    unlink(path);
}
END_TEST

static const struct {
    const char *given, *full, *bare, *last; /* last: the part by which it is found */
    bool named;
} part_cases[] = {
    { "f", "ns::f(int)", "ns::f", "f", true },
    { "ns::f", "a::ns::f(int)", "a::ns::f", "f", true },
    { "s::f", "ns::f(int)", "ns::f", "f", false },
    { "f(int)", "ns::f(int)", "ns::f", "f", true },
    { "f(char)", "ns::f(int)", "ns::f", "f", false },
    { "f( char const * )", "ns::f(char const*)", "ns::f", "f", true },
    { "f", "int ns::f<int>(int)", "ns::f<int>", "f", true },
    { "f<int>", "int ns::f<int>(int)", "ns::f<int>", "f", true },
    { "f<char>", "int ns::f<int>(int)", "ns::f<int>", "f", false },
    { "A::f", "A<x::y>::f(int)", "A<x::y>::f", "f", true },
    { "y>::f", "A<x::y>::f(int)", "A<x::y>::f", "f", false },
    { "operator<<", "ns::operator<<(int)", "ns::operator<<", "operator<<", true },
    { "operator()", "A::operator()(int) const", "A::operator()", "operator()", true },
    { "operator()(int) const", "A::operator()(int) const", "A::operator()", "operator()", true },
    { "operator->", "A<b>::operator->()", "A<b>::operator->", "operator->", true },
    { "A::operator->", "A<b>::operator->()", "A<b>::operator->", "operator->", true },
    { "operator<< <char>", "x& operator<< <char>(x&)", "operator<< <char>", "operator<<", true },
    { "operator<<", "x& operator<< <char>(x&)", "operator<< <char>", "operator<<", false },
    { "anon", "ns::(anonymous namespace)::anon()", "ns::(anonymous namespace)::anon", "anon",
      true },
    { "~A", "ns::A::~A()", "ns::A::~A", "~A", true },
    { "tag", "ns::tag[abi:cxx11](int)", "ns::tag[abi:cxx11]", "tag", true },
    { "ns::tag(int)", "ns::tag[abi:cxx11](int)", "ns::tag[abi:cxx11]", "tag", true },
    { "tag[abi:cxx11]", "ns::tag[abi:cxx11](int)", "ns::tag[abi:cxx11]", "tag", true },
    { "tag[abi:v2]", "ns::tag[abi:cxx11](int)", "ns::tag[abi:cxx11]", "tag", false },
    { "tag(char)", "ns::tag[abi:cxx11](int)", "ns::tag[abi:cxx11]", "tag", false },
    { "same", "same.constprop.0.isra.0", "same.constprop.0.isra.0", "same", true },
    { "same", "same.part.0", "same.part.0", "same.part.0", false },
    { "f", "ns::f(int) [clone .constprop.0]", "ns::f", "f", true },
    { "f(int)", "ns::f(int) [clone .constprop.0]", "ns::f", "f", true },
    { "", "ns::f(int)", "ns::f", "f", false },
    { "<(((", "ns::f(int)", "ns::f", "f", false },
};

START_TEST(parts)
{
    EZ_FREE char *last = sympart_last(part_cases[_i].bare);
    ck_assert_str_eq(last, part_cases[_i].last);
    ck_assert_msg(sympart_names(part_cases[_i].given, part_cases[_i].full, part_cases[_i].bare) ==
                      part_cases[_i].named,
                  "%s, %s", part_cases[_i].given, part_cases[_i].full);
}
END_TEST

static const char *const short_cases[][2] = {
    { "main", "main" },
    { "ns::v<int, (A)1>::get[abi:cxx11](int) const", "ns::v::get" },
    { "(anonymous namespace)::f(int)::{lambda(int)#1}::operator()(int) const",
      "(anonymous namespace)::f::{lambda(int)#1}::operator()" },
    { "operator<< <char>(std::ostream&, char)", "operator<<" },
    { "v<int>::operator->() const &", "v::operator->" },
    { "v<void (*)(int)>::v(v<void (*)(int)>&&)", "v::v" },
    { "v<int>::~v()", "v::~v" },
    { "f(int) [clone .part.0]", "f" },
    { "f.part.0", "f.part.0" },
    { "<a::T<b> as c::D>::drop", "<a::T<b> as c::D>::drop" },
    { "f<(g)", "f" },
    { "", "" },
};

START_TEST(short_names)
{
    EZ_FREE char *name = ez_name_short(short_cases[_i][0]);
    ck_assert_str_eq(name, short_cases[_i][1]);
}
END_TEST

/* Looking up parts of names, for any names in the file and any text that is typed. */
START_TEST(parts_of_anything)
{
    static const char signs[] = "aF:<>()[]{} .~*&operatorclone,ns::f<int>(char)";
    for (int round = 0; round < 20000; round++) {
        char text[3][24];
        for (int k = 0; k < 3; k++) {
            size_t n = next_random() % (sizeof text[k] - 1);
            for (size_t i = 0; i < n; i++)
                text[k][i] = signs[next_random() % (sizeof signs - 1)];
            text[k][n] = 0;
        }
        EZ_FREE char *bare = sympart_bare(text[0]);
        EZ_FREE char *last = sympart_last(text[1]);
        EZ_FREE char *brief = ez_name_short(text[2]);
        ck_assert(strlen(bare) <= strlen(text[0]) && strlen(last) <= strlen(text[1]) &&
                  strlen(brief) <= strlen(text[2]));
        sympart_names(text[0], text[1], text[2]);
    }
}
END_TEST

/* A file that is all data, mapped at its own offsets. */
struct pointed {
    Elf64_Ehdr eh;
    Elf64_Phdr ph;
    Elf64_Shdr sh[5];
    Elf64_Rela rela[6];
    uint64_t relr[3], data[72];
    Elf64_Sym sym[3];
};
#define CODE 0x100000ull

static void lay_section(struct pointed *f, int i, uint32_t type, const void *at, size_t size)
{
    uint64_t off = (uint64_t)((const char *)at - (const char *)f);
    f->sh[i] = (Elf64_Shdr){ .sh_type = type,
                             .sh_flags = SHF_ALLOC,
                             .sh_addr = off,
                             .sh_offset = off,
                             .sh_size = size,
                             .sh_link = 4 };
}

static struct pointed pointed(uint16_t type)
{
    struct pointed f = {
        .eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                .e_type = type,
                .e_machine = EM_X86_64,
                .e_version = EV_CURRENT,
                .e_phoff = offsetof(struct pointed, ph),
                .e_phentsize = sizeof f.ph,
                .e_phnum = 1,
                .e_shoff = offsetof(struct pointed, sh),
                .e_shentsize = sizeof *f.sh,
                .e_shnum = 5,
                .e_ehsize = sizeof f.eh },
        .ph = { .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = sizeof f, .p_memsz = sizeof f },
        .sym = { { 0 }, { .st_shndx = 3, .st_value = CODE }, { .st_value = CODE + 8 } },
        .rela = { { 0x11, ELF64_R_INFO(0, R_X86_64_RELATIVE), CODE + 1 },
                  { 0x12, ELF64_R_INFO(0, R_X86_64_IRELATIVE), CODE + 2 },
                  { 0x13, ELF64_R_INFO(1, R_X86_64_64), 3 },
                  { 0x14, ELF64_R_INFO(2, R_X86_64_64), 3 }, /* another file's symbol */
                  { 0x15, ELF64_R_INFO(9, R_X86_64_64), 3 }, /* none */
                  { 0x16, ELF64_R_INFO(0, R_X86_64_RELATIVE), CODE + 0x1000 } }, /* too far */
        .relr = { offsetof(struct pointed, data), 1ull << 63 | 1ull << 1 | 1, 1 << 1 | 1 },
    };
    for (unsigned i = 0; i < EZ_ARRAY_LEN(f.data); i++)
        f.data[i] = CODE + 0x100 + i;
    lay_section(&f, 1, SHT_RELA, f.rela, sizeof f.rela);
    lay_section(&f, 2, SHT_RELR, f.relr, sizeof f.relr);
    lay_section(&f, 3, SHT_PROGBITS, f.data, sizeof f.data);
    lay_section(&f, 4, SHT_DYNSYM, f.sym, sizeof f.sym);
    return f;
}

static unsigned seen_to[0x400];
static uint64_t seen_at[0x400];

static void see(uint64_t at, uint64_t to, void *arg)
{
    ck_assert(!arg && to > CODE && to < CODE + 0x400);
    seen_to[to - CODE]++;
    seen_at[to - CODE] = at;
}

/* Pointers come from relocations of each kind; in a file without relocations each word counts. */
START_TEST(pointers)
{
    char path[] = "/tmp/check_sym.XXXXXX";
    uint16_t type = _i ? ET_EXEC : ET_DYN;
    struct pointed f = pointed(type);
    uint64_t data = offsetof(struct pointed, data);
    EZ_CLOSE int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, &f, sizeof f) == sizeof f);
    struct ez_object *o = open_ok(path);
    unlink(path);
    memset(seen_to, 0, sizeof seen_to);
    ez_object_pointers(o, CODE, CODE + 0x400, see, NULL);
    ez_object_close(o);
    for (uint64_t i = 1; i < 4; i++)
        ck_assert(seen_to[i] == 1 && seen_at[i] == 0x10 + i);
    ck_assert(!seen_to[8 + 3]);
    for (uint64_t i = 0; i < EZ_ARRAY_LEN(f.data); i++) {
        unsigned want = (i <= 1 || i == 63 || i == 64) + (type == ET_EXEC);
        ck_assert_msg(seen_to[0x100 + i] == want, "word %u: %u", (unsigned)i, seen_to[0x100 + i]);
        ck_assert(!want || seen_at[0x100 + i] == data + 8 * i);
    }
}
END_TEST

int main(void)
{
    if (!proc_there("check_sym"))
        return 77;
    Suite *s = suite_create("sym");
    TCase *t = tcase_create("files");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, order);
    tcase_add_test(t, own_functions);
    tcase_add_test(t, named_sections);
    tcase_add_test(t, startup);
    tcase_add_test(t, plt);
    tcase_add_test(t, imports);
    tcase_add_test(t, libc);
    tcase_add_loop_test(t, refused, 0, (int)EZ_ARRAY_LEN(not_elf));
    tcase_add_test(t, damaged);
    tcase_add_loop_test(t, parts, 0, (int)EZ_ARRAY_LEN(part_cases));
    tcase_add_loop_test(t, short_names, 0, (int)EZ_ARRAY_LEN(short_cases));
    tcase_add_test(t, parts_of_anything);
    tcase_add_loop_test(t, pointers, 0, 2);
    suite_add_tcase(s, t);
    suite_add_tcase(s, elf_case());
    return run_suite(s);
}
