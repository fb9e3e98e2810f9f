/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_elf.c - what a file says of itself, a word changed at a time: versions of symbols, the
 * build-id, the dynamic section, names. Whatever would lie behind its table is not read. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/sym/sym_priv.h"
#include "tests/unit/sym/check_elf.h"

enum { TEXT = 1, DYNSYM, STRTAB, VERSYM, VERDEF, NOTE, DYNAMIC, SECTIONS };
enum { CODE = 0x1000 };
static const char names[] = "\0one\0two\0three\0V_1\0V_2\0libtold.so.1\0/lib/ld";
enum { ONE = 1, TWO = 5, THREE = 9, V_1 = 15, V_2 = 19, SONAME = 23, INTERP = 36 };

struct told {
    Elf64_Ehdr eh;
    Elf64_Phdr ph[2];
    Elf64_Shdr sh[SECTIONS];
    uint8_t text[64];
    Elf64_Sym sym[4];
    uint16_t index[4];
    struct {
        Elf64_Verdef def;
        Elf64_Verdaux aux;
    } ver[3];
    Elf64_Nhdr note;
    char gnu[4];
    uint8_t id[20];
    Elf64_Dyn dyn[4];
    char names[sizeof names];
};

static struct told told;

static void lay(int i, uint32_t type, uint32_t link, const void *at, size_t size)
{
    told.sh[i] = (Elf64_Shdr){ .sh_type = type,
                               .sh_link = link,
                               .sh_offset = (uint64_t)((const char *)at - (const char *)&told),
                               .sh_size = size };
}

static Elf64_Sym symbol(uint32_t name, uint64_t value)
{
    return (Elf64_Sym){ .st_name = name,
                        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                        .st_shndx = TEXT,
                        .st_value = value,
                        .st_size = 8 };
}

/* one@@V_1, two@V_2, three without a version. */
static void tell(void)
{
    told = (struct told){
        .eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                .e_type = ET_DYN,
                .e_machine = EM_X86_64,
                .e_phoff = offsetof(struct told, ph),
                .e_phentsize = sizeof *told.ph,
                .e_phnum = 2,
                .e_shoff = offsetof(struct told, sh),
                .e_shentsize = sizeof *told.sh,
                .e_shnum = SECTIONS },
        .ph = { { .p_type = PT_LOAD, .p_filesz = sizeof told, .p_memsz = sizeof told },
                { .p_type = PT_INTERP,
                  .p_offset = offsetof(struct told, names) + INTERP,
                  .p_filesz = sizeof names - INTERP } },
        .sym = { { 0 }, symbol(ONE, CODE), symbol(TWO, CODE + 8), symbol(THREE, CODE + 16) },
        .index = { 0, 2, 3 | 0x8000, 1 },
        .note = { 4, sizeof told.id, NT_GNU_BUILD_ID },
        .gnu = "GNU",
        .dyn = { { DT_SONAME, { SONAME } }, { DT_NULL, { 0 } }, { DT_SONAME, { ONE } } },
    };
    memcpy(told.names, names, sizeof names);
    for (uint8_t i = 0; i < sizeof told.id; i++)
        told.id[i] = (uint8_t)(0xa0 + i);
    const uint32_t name[] = { SONAME, V_1, V_2 };
    for (uint16_t i = 0; i < 3; i++) {
        told.ver[i].def = (Elf64_Verdef){ .vd_flags = i ? 0 : VER_FLG_BASE,
                                          .vd_ndx = (uint16_t)(i + 1),
                                          .vd_aux = sizeof told.ver[i].def,
                                          .vd_next = i < 2 ? sizeof told.ver[i] : 0 };
        told.ver[i].aux.vda_name = name[i];
    }
    lay(TEXT, SHT_PROGBITS, 0, told.text, sizeof told.text);
    told.sh[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    told.sh[TEXT].sh_addr = CODE;
    lay(DYNSYM, SHT_DYNSYM, STRTAB, told.sym, sizeof told.sym);
    lay(STRTAB, SHT_STRTAB, 0, told.names, sizeof names);
    lay(VERSYM, SHT_GNU_versym, DYNSYM, told.index, sizeof told.index);
    lay(VERDEF, SHT_GNU_verdef, STRTAB, told.ver, sizeof told.ver);
    lay(NOTE, SHT_NOTE, 0, &told.note, sizeof told.note + 4 + sizeof told.id);
    lay(DYNAMIC, SHT_DYNAMIC, STRTAB, told.dyn, sizeof told.dyn);
}

static struct ez_object *opened(void)
{
    char path[] = "/tmp/check_elf.XXXXXX";
    struct ez_object *o = NULL;
    EZ_CLOSE int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, &told, sizeof told) == sizeof told);
    ez_err *e = ez_object_open(path, NULL, &o);
    unlink(path);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    return o;
}

static const char *or_none(const char *s)
{
    return s ? s : "";
}

/* The versions, in the order of the functions; "@" before one that is not the default. */
static void has_versions(const char *one, const char *two, const char *three)
{
    const char *const want[] = { one, two, three };
    struct ez_object *o = opened();
    ck_assert_uint_eq(o->syms.n, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct ez_sym *s = &o->syms.at[i];
        char got[32];
        ck_assert_uint_eq(s->vaddr, CODE + 8 * i);
        snprintf(got, sizeof got, "%s%s", s->old ? "@" : "", or_none(s->version));
        ck_assert_str_eq(got, want[i]);
    }
    ez_object_close(o);
}

START_TEST(versions)
{
    const size_t def = sizeof told.ver[0].def, each = sizeof told.ver[0];
    tell();
    has_versions("V_1", "@V_2", "");
    told.sh[VERDEF].sh_size = 3 * each - 1; /* half of the last name */
    has_versions("V_1", "@", "");
    told.sh[VERDEF].sh_size = 2 * each + def;
    has_versions("V_1", "@", "");
    told.sh[VERDEF].sh_size = 2 * each + def - 1;
    has_versions("V_1", "@", "");
    told.sh[VERDEF].sh_size = def - 1;
    has_versions("", "@", "");
    tell();
    told.ver[1].def.vd_aux = (uint32_t)(2 * each - 4); /* its name's number is the last word */
    told.ver[2].aux.vda_next = V_2;
    has_versions("", "@", "");
    tell();
    told.ver[1].def.vd_aux = (uint32_t)(2 * each + 1);
    has_versions("", "@", "");
    tell();
    told.ver[0].def.vd_next = 0;
    has_versions("", "@", "");
    tell();
    told.ver[0].def.vd_next = (uint32_t)(3 * each + 1);
    has_versions("", "@", "");
    tell();
    told.ver[1].def.vd_ndx |= 0x8000; /* the bit says nothing here */
    has_versions("V_1", "@V_2", "");
    told.sh[VERSYM].sh_size = 5; /* of two symbols and a half */
    has_versions("V_1", "", "");
    told.index[1] = 4; /* nobody defines it */
    has_versions("", "", "");
}
END_TEST

static void has_id(const char *want)
{
    struct ez_object *o = opened();
    ck_assert_str_eq(or_none(ez_object_build_id(o)), want);
    ez_object_close(o);
}

START_TEST(build_ids)
{
    const char *all = "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3";
    tell();
    has_id(all);
    told.sh[NOTE].sh_size--;
    has_id("");
    tell();
    told.note.n_descsz = 2;
    has_id("a0a1");
    told.note.n_descsz = 1;
    has_id("");
    told.note.n_descsz = ~0u;
    has_id("");
    tell();
    told.note.n_type = NT_GNU_ABI_TAG;
    has_id("");
    tell();
    told.note.n_namesz = 5;
    has_id("");
    tell();
    told.gnu[3] = 'x';
    has_id("");
    tell();
    told.sh[NOTE].sh_type = SHT_PROGBITS;
    has_id("");
}
END_TEST

static void has_names(const char *soname, const char *interp, bool exec)
{
    struct ez_object *o = opened();
    ck_assert_str_eq(or_none(o->soname), soname);
    ck_assert_str_eq(or_none(o->interp), interp);
    ck_assert_int_eq(o->is_exec, exec);
    ez_object_close(o);
}

START_TEST(what_it_is)
{
    tell();
    has_names("libtold.so.1", "/lib/ld", false); /* of two the one before the end */
    told.dyn[0].d_tag = DT_NULL;
    has_names("", "/lib/ld", true);
    told.ph[1].p_filesz--; /* without its end */
    has_names("", "", false);
    told.eh.e_type = ET_EXEC;
    has_names("", "", true);
    tell();
    told.ph[1].p_type = PT_NULL;
    told.dyn[1] = (Elf64_Dyn){ DT_FLAGS_1, { DF_1_NOW } };
    has_names("one", "", false);
    told.dyn[1].d_un.d_val |= DF_1_PIE;
    has_names("one", "", true);
    told.sh[DYNAMIC].sh_size = 3 * sizeof *told.dyn - 1;
    has_names("libtold.so.1", "", true);
    told.dyn[0].d_un.d_val = sizeof names; /* behind the names */
    has_names("", "", true);
    told.dyn[0].d_un.d_val = sizeof names - 1;
    has_names("", "", true);
    told.dyn[0].d_un.d_val = sizeof names - 2;
    has_names("d", "", true);
    tell();
    told.sh[DYNAMIC].sh_link = SECTIONS; /* a section that is not there */
    has_names("", "/lib/ld", false);     /* it has one, whatever it is */
}
END_TEST

static void has_symbols(size_t n)
{
    struct ez_object *o = opened();
    ck_assert_uint_eq(o->syms.n, n);
    ez_object_close(o);
}

START_TEST(symbols)
{
    tell();
    told.sym[2].st_name = 0; /* no name */
    has_symbols(2);
    told.sym[2].st_name = sizeof names;
    has_symbols(2);
    told.sym[2].st_name = sizeof names - 2;
    has_symbols(3);
    told.sym[3].st_shndx = SHN_UNDEF;
    has_symbols(2);
    told.sym[3].st_shndx = SHN_ABS;
    has_symbols(2);
    tell();
    told.sym[1].st_value = CODE - 1;
    has_symbols(2);
    told.sym[3].st_value = CODE + sizeof told.text;
    has_symbols(1);
    tell();
    told.sh[DYNSYM].sh_size--;
    has_symbols(2);
    told.sh[STRTAB].sh_size--; /* its last string has no end */
    has_symbols(0);
}
END_TEST

/* Where it wants to lie: from the page of the first segment to the end of the last. */
START_TEST(segments)
{
    tell();
    told.ph[0].p_vaddr = 0x5123;
    told.ph[0].p_memsz = 0x1000;
    struct ez_object *o = opened();
    ck_assert_uint_eq(o->vaddr_min, 0x5000);
    ck_assert_uint_eq(o->vaddr_max, 0x6123);
    ck_assert_uint_eq(o->dynamic, 0);
    ez_object_close(o);
    told.ph[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = 0x4fff, .p_memsz = 1 };
    o = opened();
    ck_assert_uint_eq(o->vaddr_min, 0x4000);
    ck_assert_uint_eq(o->vaddr_max, 0x6123);
    ez_object_close(o);
    told.ph[0].p_type = PT_NULL;
    told.ph[1] = (Elf64_Phdr){ .p_type = PT_DYNAMIC, .p_vaddr = 0x7008 };
    o = opened();
    ck_assert_uint_eq(o->vaddr_min, 0);
    ck_assert_uint_eq(o->vaddr_max, 0);
    ck_assert_uint_eq(o->dynamic, 0x7008);
    ez_object_close(o);
}
END_TEST

/* What a name says: the unlikely half of a function; in .symtab, a version. */
START_TEST(spelled_names)
{
    static const struct {
        const char *is, *name, *version;
        bool old, cold;
    } spelled[] = {
        { "f.cold", "f.cold", "", false, true },       { "f.cold.3", "f.cold.3", "", false, true },
        { ".cold", ".cold", "", false, false },        { "f.colder", "f.colder", "", false, false },
        { "ab@@V_1", "ab", "V_1", false, false },      { "ab@V_1", "ab", "V_1", true, false },
        { "a.cold@V_1", "a.cold", "V_1", true, true }, { "@x", "@x", "", false, false },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(spelled); i++) {
        tell();
        told.sh[DYNSYM].sh_type = SHT_SYMTAB;
        told.sh[DYNSYM].sh_size = 2 * sizeof *told.sym;
        strcpy(told.names + ONE, spelled[i].is);
        struct ez_object *o = opened();
        ck_assert_uint_eq(o->syms.n, 1);
        const struct ez_sym *s = &o->syms.at[0];
        ck_assert_str_eq(s->name, spelled[i].name);
        ck_assert_str_eq(or_none(s->version), spelled[i].version);
        ck_assert_int_eq(s->old, spelled[i].old);
        ck_assert_int_eq(s->kind, spelled[i].cold ? EZ_SYM_COLD : EZ_SYM_FUNC);
        ez_object_close(o);
    }
}
END_TEST

TCase *elf_case(void)
{
    TCase *t = tcase_create("elf");
    tcase_add_test(t, versions);
    tcase_add_test(t, build_ids);
    tcase_add_test(t, what_it_is);
    tcase_add_test(t, symbols);
    tcase_add_test(t, segments);
    tcase_add_test(t, spelled_names);
    return t;
}
