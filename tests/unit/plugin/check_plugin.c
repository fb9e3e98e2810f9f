/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_plugin.c - what a module's file says of itself is read, or refused with the reason; no
 * byte of the file is trusted. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/plugin/plugin.h"
#include "engine/record/fxt_out.h"
#include "tests/unit/suite.h"

#define GOOD "abi=1\0name=disk\0id=0x20\0"
#define TEXT(s) s, sizeof s

static char path[64];

/* A file of a header, the section's texts, the sections' names, and three section headers. */
struct file {
    Elf64_Ehdr head;
    char text[512], names[64];
    Elf64_Shdr section[3];
};

static struct file make(const char *text, size_t n)
{
    struct file f = { .names = "\0.ezt.module\0.shstrtab" };
    memcpy(f.head.e_ident, ELFMAG, SELFMAG);
    f.head.e_ident[EI_CLASS] = ELFCLASS64;
    f.head.e_shoff = offsetof(struct file, section);
    f.head.e_shentsize = sizeof(Elf64_Shdr);
    f.head.e_shnum = 3;
    f.head.e_shstrndx = 2;
    memcpy(f.text, text, n);
    f.section[1] = (Elf64_Shdr){ .sh_name = 1,
                                 .sh_type = SHT_PROGBITS,
                                 .sh_offset = offsetof(struct file, text),
                                 .sh_size = n };
    f.section[2] = (Elf64_Shdr){ .sh_name = 13,
                                 .sh_type = SHT_STRTAB,
                                 .sh_offset = offsetof(struct file, names),
                                 .sh_size = sizeof f.names };
    return f;
}

static ez_err *read_file(const struct file *f, size_t n, struct ez_plugin **p)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(f, 1, n, out), n);
    fclose(out);
    *p = NULL;
    return ez_plugin_read(path, p);
}

START_TEST(what_it_says_is_read)
{
    static const char text[] =
        GOOD "desc=what it\"s %n\0\0\0later=x=y\0event=7\tvar-add\tprocess\tbytes\0"
             "event=65535\tpop\tthread\t\0words=7\tn:uint\0words-from=65535\ttext\0says="
             "line\0loaded=begin\0replace=libc.so.6:write\tmy\told\0replace=f\tg\t";
    struct ez_plugin *p;
    struct file f = make(text, sizeof text);
    ck_assert_ptr_null(read_file(&f, sizeof f, &p));
    ck_assert_str_eq(p->name, "disk");
    ck_assert_str_eq(p->desc, "what it\"s %n");
    ck_assert_uint_eq(p->id, 0x20);
    ck_assert_uint_eq(p->event.n, 2);
    ck_assert_uint_eq(p->event.at[0].number, 7);
    ck_assert_uint_eq(p->event.at[0].action, EZ_A_VAR_ADD);
    ck_assert_uint_eq(p->event.at[0].level, 1);
    ck_assert_str_eq(p->event.at[0].text, "bytes");
    ck_assert_uint_eq(p->event.at[1].number, 65535);
    ck_assert_uint_eq(p->event.at[1].level, 2);
    ck_assert_uint_eq(p->words.n, 2);
    ck_assert_str_eq(p->words.at[0].text, "n:uint");
    ck_assert_ptr_null(p->words.at[0].from);
    ck_assert_ptr_null(p->words.at[1].text);
    ck_assert_str_eq(p->words.at[1].from, "text");
    ck_assert_str_eq(p->says, "line");
    ck_assert_str_eq(p->loaded, "begin");
    ck_assert_uint_eq(p->replace.n, 2);
    ck_assert_str_eq(p->replace.at[0].location, "libc.so.6:write");
    ck_assert_str_eq(p->replace.at[0].with, "my");
    ck_assert_str_eq(p->replace.at[0].orig, "old");
    ck_assert_ptr_null(p->replace.at[1].orig);
    ez_plugin_free(p);
}
END_TEST

static const struct {
    const char *text;
    size_t n;
    const char *why;
} wrong[] = {
    { TEXT(""), "does not state its name|is a module of version 0" },
    { TEXT("abi=2\0name=a\0id=0x20"), "is a module of version 2, but this eztsh needs version 1" },
    { TEXT("name=a\0id=0x20"), "is a module of version 0" },
    { TEXT("abi=1\0id=0x20"), "does not state its name and ID" },
    { TEXT("abi=1\0name=a"), "does not state its name and ID" },
    { TEXT("abi=1\0name=a\0id=0xf"),
      "the description of the module has the invalid entry \"id=0xf\"" },
    { TEXT("abi=1\0name=a\0id=0x100"),
      "the description of the module has the invalid entry \"id=0x100\"" },
    { TEXT("abi=1\0name=a\0id=32x"),
      "the description of the module has the invalid entry \"id=32x\"" },
    { TEXT("abi=1\0name=a\0id=-1"),
      "the description of the module has the invalid entry \"id=-1\"" },
    { TEXT("abi=1\0name=\0id=0x20"), "does not state its name and ID" },
    { TEXT("abi=1\0name=../a\0id=0x20"), "does not state its name and ID" },
    { TEXT("abi=1\0name=-a\0id=0x20"), "does not state its name and ID" },
    { TEXT("abi=1\0name=a b\0id=0x20"), "does not state its name and ID" },
    { TEXT(GOOD "nothing"), "the description of the module has the invalid entry \"nothing\"" },
    { TEXT(GOOD "event=1\tpush\tthread"),
      "the description of the module has the invalid entry \"event=1\tpush\tthread\"" },
    { TEXT(GOOD "event=1\tpush\tthread\ta\tb"),
      "the description of the module has the invalid entry \"event=" },
    { TEXT(GOOD "event=1\tpull\tthread\ta"),
      "the description of the module has the invalid entry \"event=" },
    { TEXT(GOOD "event=1\tpush\thost\ta"),
      "the description of the module has the invalid entry \"event=" },
    { TEXT(GOOD "event=65536\tpush\tthread\ta"),
      "the description of the module has the invalid entry \"event=" },
    { TEXT(GOOD "words=1\tn:uint\tx"),
      "the description of the module has the invalid entry \"words=" },
    { TEXT(GOOD "words-from=1"),
      "the description of the module has the invalid entry \"words-from=1\"" },
    { TEXT(GOOD "words-from=65536\ttext"),
      "the description of the module has the invalid entry \"words-from=" },
    { TEXT(GOOD "words-from=1\t"),
      "the description of the module has the invalid entry \"words-from=" },
    { TEXT(GOOD "replace=f\tg"),
      "the description of the module has the invalid entry \"replace=f\tg\"" },
    { TEXT(GOOD "replace=\tg\th"),
      "the description of the module has the invalid entry \"replace=" },
    { TEXT(GOOD "replace=f\t\th"),
      "the description of the module has the invalid entry \"replace=" },
};

START_TEST(what_is_wrong_is_refused)
{
    struct ez_plugin *p;
    struct file f = make(wrong[_i].text, wrong[_i].n);
    ez_err *e = read_file(&f, sizeof f, &p);
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_FORMAT);
    ck_assert_msg(strstr(wrong[_i].why, "|") || strstr(e->msg, wrong[_i].why), "%s: %s",
                  wrong[_i].why, e->msg);
    ez_err_free(e);
}
END_TEST

START_TEST(a_text_must_end)
{
    struct ez_plugin *p;
    struct file f = make(TEXT(GOOD));
    f.section[1].sh_size -= 2; /* without the zero behind the last text */
    ez_err *e = read_file(&f, sizeof f, &p);
    ck_assert(e && strstr(e->msg, "the description of the module is damaged"));
    ez_err_free(e);
    f.section[1].sh_size = 0;
    e = read_file(&f, sizeof f, &p);
    ck_assert(e && strstr(e->msg, "the description of the module is damaged"));
    ez_err_free(e);
}
END_TEST

/* Every byte of the headers takes odd values; the file ends anywhere. */
START_TEST(no_byte_is_trusted)
{
    static const uint8_t odd[] = { 0, 1, 2, 0x3f, 0x7f, 0x80, 0xff };
    struct ez_plugin *p;
    unsigned refused = 0, taken = 0;
    for (size_t at = 0; at < sizeof(struct file); at++) {
        if (at >= offsetof(struct file, text) + 64 && at < offsetof(struct file, names))
            continue;
        for (size_t v = 0; v < sizeof odd; v++) {
            struct file f = make(TEXT(GOOD));
            ((uint8_t *)&f)[at] = odd[v];
            ez_err *e = read_file(&f, sizeof f, &p);
            refused += e != NULL;
            taken += !e;
            ez_plugin_free(p);
            ez_err_free(e);
        }
    }
    ck_assert_uint_gt(refused, 200);
    ck_assert_uint_gt(taken, 200);
    for (size_t n = 0; n < sizeof(struct file); n++) {
        struct file f = make(TEXT(GOOD));
        ck_assert(!ez_err_drop(read_file(&f, n, &p)));
    }
}
END_TEST

START_TEST(a_file_that_is_none)
{
    struct ez_plugin *p;
    ez_err *e = ez_plugin_read("/nowhere/at.so", &p);
    ck_assert(e && e->code == EZ_E_NOTFOUND);
    ez_err_free(e);
    e = ez_plugin_read("/proc/self/exe", &p);
    ck_assert(e && e->code == EZ_E_ARG && strstr(e->msg, "is not a module") && e->hint);
    ez_err_free(e);
}
END_TEST

static void set_up(void)
{
    snprintf(path, sizeof path, "/tmp/ezt-check-plugin-%d", (int)getpid());
}

static void tear_down(void)
{
    unlink(path);
}

int main(void)
{
    Suite *s = suite_create("plugin");
    TCase *c = tcase_create("plugin");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, what_it_says_is_read);
    tcase_add_loop_test(c, what_is_wrong_is_refused, 0, EZ_ARRAY_LEN(wrong));
    tcase_add_test(c, a_text_must_end);
    tcase_add_test(c, no_byte_is_trusted);
    tcase_add_test(c, a_file_that_is_none);
    suite_add_tcase(s, c);
    return run_suite(s);
}
