/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_stap.c - the notes of USDT probes, of a file that is made here: a word changed at a time. */
#include "tests/unit/many.h"

#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/sym/sym.h"
#include "tests/unit/suite.h"

enum { TEXT = 1, NOTES, BASE, NAMES, SECTIONS };
enum { CODE = 0x1000, DATA = 0x3000, BASED = 0x2000, ROOM = 1024 };
static const char names[] = "\0.text\0.note.stapsdt\0.stapsdt.base\0.shstrtab";

static struct file {
    Elf64_Ehdr eh;
    Elf64_Phdr ph[2];
    Elf64_Shdr sh[SECTIONS];
    uint8_t text[256], notes[ROOM];
    char names[sizeof names];
} file;
static size_t used;

static void put(const void *from, size_t n)
{
    ck_assert(used + n <= ROOM);
    memcpy(file.notes + used, from, n);
    used += n;
}

/* Adds a note whose texts are `n` bytes at `texts`. */
static void note(uint64_t at, uint64_t base, uint64_t semaphore, const char *texts, size_t n)
{
    const Elf64_Nhdr h = { 8, (Elf64_Word)(24 + n), 3 };
    const uint64_t words[] = { at, base, semaphore };
    put(&h, sizeof h);
    put("stapsdt", 8);
    put(words, sizeof words);
    put(texts, n);
    while (used % 4)
        put("", 1);
}
#define NOTE(at, semaphore, texts) note(at, BASED, semaphore, texts, sizeof texts)

static void section(int i, uint32_t type, uint64_t flags, uint64_t addr, const void *at, size_t n)
{
    static const uint32_t name[] = { [TEXT] = 1, [NOTES] = 7, [BASE] = 21, [NAMES] = 35 };
    file.sh[i] = (Elf64_Shdr){ .sh_name = name[i],
                               .sh_type = type,
                               .sh_flags = flags,
                               .sh_addr = addr,
                               .sh_offset = (uint64_t)((const char *)at - (const char *)&file),
                               .sh_size = n };
}

static void begin(void)
{
    used = 0;
    file = (struct file){
        .eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                .e_type = ET_DYN,
                .e_machine = EM_X86_64,
                .e_phoff = offsetof(struct file, ph),
                .e_phentsize = sizeof *file.ph,
                .e_phnum = 2,
                .e_shoff = offsetof(struct file, sh),
                .e_shentsize = sizeof *file.sh,
                .e_shnum = SECTIONS,
                .e_shstrndx = NAMES },
        .ph = { { .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = sizeof file, .p_memsz = 0x2000 },
                { .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = DATA, .p_memsz = 64 } },
    };
    memcpy(file.names, names, sizeof names);
}

/* Reads the file, of whose notes section the first n bytes exist, as `bytes` (a copy of `file`). */
static struct ez_object *opened(const void *bytes)
{
    char path[] = "/tmp/check_stap.XXXXXX";
    struct ez_object *o;
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, bytes, sizeof file) == (ssize_t)sizeof file);
    close(fd);
    ez_err *e = ez_object_open(path, NULL, &o);
    unlink(path);
    ck_assert(!e || e->code == EZ_E_FORMAT);
    return ez_err_drop(e) ? o : NULL;
}

static struct ez_object *end(void)
{
    section(TEXT, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE, file.text, sizeof file.text);
    section(NOTES, SHT_NOTE, 0, 0, file.notes, used);
    section(BASE, SHT_PROGBITS, SHF_ALLOC, BASED + 0x10, file.notes, 1);
    section(NAMES, SHT_STRTAB, 0, 0, file.names, sizeof names);
    struct ez_object *o = opened(&file);
    ck_assert(o);
    return o;
}

START_TEST(notes)
{
    size_t n;
    begin();
    NOTE(CODE + 8, DATA, "p\0b\0-4@%eax 8@(%rbx) 1@$1");
    NOTE(CODE, 0, "p\0a\0:");
    NOTE(CODE + 4, DATA + 46, "p\0b\0");
    NOTE(CODE + 300, 0, "p\0outside\0");
    NOTE(CODE, CODE, "p\0sem\0");
    NOTE(CODE, DATA + 47, "p\0sem_end\0");
    NOTE(CODE, 0, "\0none\0");
    NOTE(CODE, 0, "p\0\0");
    NOTE(CODE, 0, "p\0a b\0");
    NOTE(CODE, 0, "p\0esc\33\0");
    NOTE(CODE, 0, "p:q\0x\0");
    NOTE(CODE, 0, "p\0x\0\1");
    note(CODE, BASED, 0, "p\0open", 6);
    struct ez_object *o = end();
    const struct ez_stap *s = ez_object_staps(o, &n);
    static const struct {
        const char *name, *arguments;
        uint64_t at, semaphore;
        bool damaged;
    } want[] = {
        { "a", "", CODE + 0x10, 0, false },
        { "b", "", CODE + 0x14, DATA + 62, false },
        { "b", "-4@%eax 8@(%rbx) 1@$1", CODE + 0x18, DATA + 0x10, false },
        { "outside", "", CODE + 316, 0, true },
        { "sem", "", CODE + 0x10, CODE + 0x10, true },
        { "sem_end", "", CODE + 0x10, DATA + 63, true },
    };
    ck_assert_uint_eq(n, EZ_ARRAY_LEN(want));
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(s[i].provider, "p");
        ck_assert_str_eq(s[i].name, want[i].name);
        ck_assert_str_eq(s[i].arguments, want[i].arguments);
        ck_assert_uint_eq(s[i].vaddr, want[i].at);
        ck_assert_uint_eq(s[i].semaphore, want[i].semaphore);
        ck_assert_msg(s[i].is_damaged == want[i].damaged, "%s", want[i].name);
    }
    ck_assert_ptr_eq(ez_object_stap_at(o, CODE + 0x18), &s[2]);
    ck_assert_ptr_null(ez_object_stap_at(o, CODE + 0x19));
    ez_object_close(o);
}
END_TEST

static const struct {
    const char *text;
    unsigned n, i; /* argument i of n */
    const char *operand;
    unsigned bytes;
    bool is_signed, is_float;
} arguments[] = {
    { "", 0, 0, NULL, 0, false, false },
    { "  ", 0, 0, NULL, 0, false, false },
    { "-4@%eax", 1, 0, "%eax", 4, true, false },
    { "8@%rax  1@$5", 2, 1, "$5", 1, false, false },
    { "8f@%xmm1 4f@(%rax)", 2, 0, "%xmm1", 8, false, true },
    { "8f@%xmm1 4f@(%rax)", 2, 1, "(%rax)", 4, false, true },
    { "8@(%rax, %rbx, 4) 2@%ax", 2, 0, "(%rax, %rbx, 4)", 8, false, false },
    { "%rax", 1, 0, "%rax", 8, false, false },
    { "3@%rax", 1, 0, "3@%rax", 0, false, false },
    { "16@%xmm0", 1, 0, "16@%xmm0", 0, false, false },
    { "-8f@%xmm0", 1, 0, "-8f@%xmm0", 0, false, false },
    { "1f@%xmm0", 1, 0, "1f@%xmm0", 0, false, false },
    { "@%rax", 1, 0, "@%rax", 0, false, false },
    { "8@", 1, 0, "8@", 0, false, false },
    { "1@a 1@b 1@c 1@d 1@e 1@f 1@g 1@h 1@i 1@j 1@k 1@l 1@m", 12, 11, "l", 1, false, false },
};

START_TEST(argument)
{
    struct ez_stap s = { .arguments = arguments[_i].text };
    struct ez_stap_argument a = { .operand = "" };
    ck_assert_uint_eq(ez_stap_argument(&s, arguments[_i].i, &a), arguments[_i].n);
    if (!arguments[_i].operand)
        return;
    EZ_FREE char *operand = ez_strndup(a.operand, a.len);
    ck_assert_str_eq(operand, arguments[_i].operand);
    ck_assert_uint_eq(a.bytes, arguments[_i].bytes);
    if (a.bytes)
        ck_assert(a.is_signed == arguments[_i].is_signed && a.is_float == arguments[_i].is_float);
}
END_TEST

/* Any bytes in headers and notes: what is read of them is texts that end, and no more than the
 * section has room for. */
START_TEST(damaged)
{
    uint64_t x = 12345;
    begin();
    NOTE(CODE + 8, DATA, "p\0b\0-4@%eax 8@(%rbx) 1@$1");
    NOTE(CODE, 0, "provider\0name\0");
    NOTE(CODE + 4, DATA + 46, "p\0b\0");
    ez_object_close(end());
    for (int round = 0; round < 3000; round++) {
        static struct file copy;
        copy = file;
        for (int k = 0; k < 6; k++) {
            x = x * 6364136223846793005ull + 1442695040888963407ull;
            size_t from = x >> 60 < 12 ? offsetof(struct file, notes) : 0;
            size_t room = from ? used : offsetof(struct file, text);
            ((uint8_t *)&copy)[from + (x >> 20) % room] = (uint8_t)(x >> 50);
        }
        struct ez_object *o = opened(&copy);
        size_t n = 0;
        const struct ez_stap *s = o ? ez_object_staps(o, &n) : NULL;
        for (size_t i = 0; i < n; i++) {
            struct ez_stap_argument a;
            unsigned args = ez_stap_argument(&s[i], 0, &a);
            ck_assert(*s[i].provider && *s[i].name && args <= EZ_STAP_ARGUMENTS);
            for (const char *p = s[i].name; *p; p++)
                ck_assert(*p > ' ' && *p < 0x7f);
        }
        ck_assert_uint_le(n, ROOM / 44);
        ez_object_close(o);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("stap");
    TCase *t = tcase_create("stap");
    tcase_add_test(t, notes);
    tcase_add_loop_test(t, argument, 0, (int)EZ_ARRAY_LEN(arguments));
    tcase_add_test(t, damaged);
    suite_add_tcase(s, t);
    return run_suite(s);
}
