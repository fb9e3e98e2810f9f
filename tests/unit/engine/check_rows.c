/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_rows.c - line programs, written byte by byte: each opcode, each version's header, each
 * form of a name, and what of them is told. A part of check_sym. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "engine/sym/sym_rows.h"
#include "tests/unit/engine/check_rows.h"

/* ---- writing --------------------------------------------------------------------------- */

struct bytes {
    uint8_t at[1024];
    size_t n;
};

static void put(struct bytes *b, uint64_t v, size_t size)
{
    memset(b->at + b->n, 0, size);
    memcpy(b->at + b->n, &v, EZ_MIN(size, sizeof v));
    b->n += size;
}

static void put_text(struct bytes *b, const char *text)
{
    memcpy(b->at + b->n, text, strlen(text) + 1);
    b->n += strlen(text) + 1;
}

struct spec {
    unsigned version;
    bool wide; /* DWARF of 64 bits */
    unsigned min_inst, is_stmt, line_range, opcode_base;
};
#define PLAIN(v)                                                                                   \
    {                                                                                              \
        v, false, 1, 1, 12, 13                                                                     \
    }

/* a.c of no folder, b.c of "sub", /abs/c.c of it, d.c of "/dir" */
static void old_tables(struct bytes *b)
{
    put_text(b, "sub");
    put_text(b, "/dir");
    put(b, 0, 1);
    static const struct {
        const char *name;
        unsigned dir;
    } file[] = { { "a.c", 0 }, { "b.c", 1 }, { "/abs/c.c", 1 }, { "d.c", 2 }, { "e.c", 9 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(file); i++) {
        put_text(b, file[i].name);
        put(b, file[i].dir, 1);
        put(b, 0x0181, 2); /* time: two bytes of LEB128 */
        put(b, 7, 1);      /* size */
    }
    put(b, 0, 1);
}

static void put_unit(struct bytes *b, const struct spec *s, void (*tables)(struct bytes *),
                     const void *program, size_t n)
{
    static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
    struct bytes head = { .n = 0 }, unit = { .n = 0 };
    size_t word = s->wide ? 8 : 4;
    put(&head, s->min_inst, 1);
    if (s->version >= 4)
        put(&head, 1, 1);
    put(&head, s->is_stmt, 1);
    put(&head, (uint8_t)-3, 1);
    put(&head, s->line_range, 1);
    put(&head, s->opcode_base, 1);
    for (unsigned i = 0; i + 1 < s->opcode_base; i++)
        put(&head, i < sizeof lengths ? lengths[i] : 2, 1);
    tables(&head);
    put(&unit, s->version, 2);
    if (s->version >= 5)
        put(&unit, 0x0008, 2);
    put(&unit, head.n, word);
    memcpy(unit.at + unit.n, head.at, head.n);
    memcpy(unit.at + unit.n + head.n, program, n);
    unit.n += head.n + n;
    if (s->wide)
        put(b, 0xffffffff, 4);
    put(b, unit.n, word);
    memcpy(b->at + b->n, unit.at, unit.n);
    b->n += unit.n;
}

/* ---- reading --------------------------------------------------------------------------- */

struct told {
    char text[1024];
    bool paths;
};

static void tell(const struct row *r, void *arg)
{
    struct told *t = arg;
    size_t n = strlen(t->text);
    if (t->paths)
        snprintf(t->text + n, sizeof t->text - n, "%s,%s,%s ", r->path[0], r->path[1], r->path[2]);
    else
        snprintf(t->text + n, sizeof t->text - n, "%lx-%lx:%u%s ", (long)r->vaddr, (long)r->end,
                 r->line, strcmp(r->path[2], "a.c") ? r->path[2] : "");
}

static const char *rows_of(const struct bytes *b, bool paths)
{
    static struct told t;
    static const char str[] = "none\0of.c", line_str[] = "x\0/root\0line.c";
    t = (struct told){ .paths = paths };
    struct rows_in in = { .line = { b->at, b->n },
                          .str = { (const uint8_t *)str, sizeof str },
                          .line_str = { (const uint8_t *)line_str, sizeof line_str } };
    symrows_read(&in, tell, &t);
    return t.text;
}

/* ---- opcodes --------------------------------------------------------------------------- */

#define AT_1000 "\x00\x09\x02\x00\x10\0\0\0\0\0\0"
#define END "\x00\x01\x01"
#define COPY "\x01"
#define FORTH(n) "\x02" n /* addresses */
#define DOWN(n) "\x03" n  /* lines */
#define FILE_NO(n) "\x04" n
#define NEGATE "\x06"
#define P(text) text, sizeof(text) - 1

static const struct {
    const char *program;
    size_t n;
    const char *want;
    struct spec spec;
} program_cases[] = {
    { P(AT_1000 COPY FORTH("\x04") END), "1000-1004:1 ", PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x04") DOWN("\x02") COPY FORTH("\x01") END), "1000-1004:1 1004-1005:3 ",
      PLAIN(4) },
    /* LEB128 of two bytes, and below zero */
    { P(AT_1000 DOWN("\x8a\x01") COPY FORTH("\x81\x01") DOWN("\x7e") COPY FORTH("\x01") END),
      "1000-1081:139 1081-1082:137 ", PLAIN(4) },
    { P(AT_1000 DOWN("\x3f") COPY FORTH("\x01") DOWN("\x41") COPY FORTH("\x01") END),
      "1000-1001:64 1001-1002:1 ", PLAIN(4) },
    /* more bits than there are: those of 64 and above are nothing */
    { P(AT_1000 DOWN("\x84\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f") COPY FORTH("\x01") END),
      "1000-1001:5 ", PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x85\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f") END), "1000-1005:1 ",
      PLAIN(4) },
    /* special: line_base -3, line_range 12, opcode_base 13 */
    { P(AT_1000 "\x12\x1e" END), "1000-1001:3 1001-1001:5 ", PLAIN(4) },
    { P(AT_1000 DOWN("\x04") "\x0d\x18" END), "1000-1000:2 1000-1000:10 ", PLAIN(4) },
    { P(AT_1000 "\x11\xff" FORTH("\x02") END), "1000-1014:2 1014-1016:1 ", PLAIN(4) },
    /* const_add_pc, fixed_advance_pc, and a scale that the latter has not */
    { P(AT_1000 COPY "\x08" END), "1000-1014:1 ", PLAIN(4) },
    { P(AT_1000 COPY "\x09\x34\x12" END), "1000-2234:1 ", PLAIN(4) },
    { P(AT_1000 COPY "\x08" DOWN("\x01") COPY FORTH("\x02") DOWN("\x01") COPY "\x09\x03\x00" END),
      "1000-1050:1 1050-1058:2 1058-105b:3 ",
      { 4, false, 4, 1, 12, 13 } },
    { P(AT_1000 "\x1f" END), "1004-1004:4 ", { 4, false, 4, 1, 12, 13 } },
    /* what is passed over, with its operands */
    { P(AT_1000 "\x05\x81\x01\x07\x0a\x0b\x0c\x05" COPY FORTH("\x01") END), "1000-1001:1 ",
      PLAIN(4) },
    { P(AT_1000 "\x0d\x01\x01" COPY FORTH("\x01") END),
      "1000-1001:1 ",
      { 4, false, 1, 1, 12, 14 } },
    { P(AT_1000 "\x00\x02\x04\x07" COPY "\x00\x05\x80"
                "abcd" FORTH("\x01") END),
      "1000-1001:1 ", PLAIN(4) },
    /* an opcode base below the standard ones makes them special */
    { P(AT_1000 "\x0a" FORTH("\x01") END), "1000-1001:1 ", { 4, false, 1, 1, 12, 7 } },
    /* the same line again is one row; another file is not */
    { P(AT_1000 COPY FORTH("\x01") COPY FORTH("\x01") END), "1000-1002:1 ", PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x01") FILE_NO("\x02") COPY FORTH("\x01") END),
      "1000-1001:1 1001-1002:1b.c ", PLAIN(4) },
    /* a row that begins no statement is not told, and ends the row before */
    { P(AT_1000 COPY NEGATE FORTH("\x01") DOWN("\x01") COPY FORTH("\x01") END), "1000-1001:1 ",
      PLAIN(4) },
    { P(AT_1000 COPY NEGATE FORTH("\x01") COPY FORTH("\x01") END), "1000-1002:1 ", PLAIN(4) },
    { P(AT_1000 NEGATE COPY NEGATE FORTH("\x01") COPY FORTH("\x01") END), "1001-1002:1 ",
      PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x01") NEGATE COPY FORTH("\x01") END),
      "1001-1002:1 ",
      { 4, false, 1, 0, 12, 13 } },
    { P(AT_1000 COPY FORTH("\x01") COPY FORTH("\x01") END), "", { 4, false, 1, 0, 12, 13 } },
    /* lines and files that do not exist */
    { P(AT_1000 DOWN("\x7f") COPY FORTH("\x01") END), "", PLAIN(4) },
    { P(AT_1000 DOWN("\xfe\xff\xff\xff\x0f") COPY FORTH("\x01") END), "1000-1001:4294967295 ",
      PLAIN(4) },
    { P(AT_1000 DOWN("\xff\xff\xff\xff\x0f") COPY FORTH("\x01") END), "", PLAIN(4) },
    { P(AT_1000 FILE_NO("\x05") COPY FORTH("\x01") END), "1000-1001:1e.c ", PLAIN(4) },
    { P(AT_1000 FILE_NO("\x06") COPY FORTH("\x01") END), "", PLAIN(4) },
    /* a sequence ends, and the next begins as the first did; at 0 is what was left out */
    { P(AT_1000 FILE_NO("\x02") DOWN("\x05") NEGATE COPY FORTH("\x01")
            END AT_1000 COPY FORTH("\x02") END),
      "1000-1002:1 ", PLAIN(4) },
    { P("\x00\x09\x02\0\0\0\0\0\0\0\0" COPY FORTH("\x04") DOWN("\x01") COPY FORTH("\x04")
            END AT_1000 COPY FORTH("\x01") END),
      "1000-1001:1 ", PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x01") END "\x00\x09\x02\0\0\0\0\0\0\0\0" COPY FORTH("\x04") END),
      "1000-1001:1 ", PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x01") END COPY), "1000-1001:1 ", PLAIN(4) },
    /* an address of four bytes; one of nine is of eight; no end is no row */
    { P("\x00\x05\x02\x00\x20\0\0" COPY FORTH("\x01") END), "2000-2001:1 ", PLAIN(4) },
    { P("\x00\x0a\x02\x00\x20\0\0\0\0\0\0\x07" COPY FORTH("\x01") END), "2000-2001:1 ", PLAIN(4) },
    { P(AT_1000 COPY FORTH("\x01")), "", PLAIN(4) },
    { P(""), "", PLAIN(4) },
    { P("\x09"), "", PLAIN(4) },
};

START_TEST(programs)
{
    struct bytes b = { .n = 0 };
    put_unit(&b, &program_cases[_i].spec, old_tables, program_cases[_i].program,
             program_cases[_i].n);
    ck_assert_str_eq(rows_of(&b, false), program_cases[_i].want);
}
END_TEST

/* ---- headers --------------------------------------------------------------------------- */

/* MD5 and a block are passed over; text of all three forms, numbers of all sizes. */
static void new_tables(struct bytes *b)
{
    put(b, 1, 1), put(b, 1, 1), put(b, 0x1f, 1); /* folders: a path in .debug_line_str */
    put(b, 3, 1);
    put(b, 2, 4), put(b, 0, 4), put(b, 2, 4); /* /root, x, /root */
    put(b, 4, 1);                             /* files: path, folder, MD5, a block */
    put(b, 1, 1), put(b, 0x0e, 1), put(b, 2, 1), put(b, 0x05, 1);
    put(b, 5, 1), put(b, 0x1e, 1), put(b, 6, 1), put(b, 0x09, 1);
    put(b, 3, 1);
    for (uint64_t dir = 0; dir < 3; dir++) {
        put(b, 5, 4), put(b, dir, 2), put(b, ~0ull, 8), put(b, ~0ull, 8);
        put(b, 3, 1), put(b, 0x010101, 3);
    }
}

static const uint8_t first_files[] = AT_1000 COPY FORTH("\x01") DOWN("\x01") FILE_NO("\x02")
    COPY FORTH("\x01") DOWN("\x01") FILE_NO("\x03") COPY FORTH("\x01") DOWN("\x01") FILE_NO("\x04")
        COPY FORTH("\x01") DOWN("\x01") FILE_NO("\x05") COPY FORTH("\x01") DOWN("\x01")
            FILE_NO("\x00") COPY FORTH("\x01") END;

static const struct {
    struct spec spec;
    bool known;
} header_cases[] = {
    { PLAIN(1), false },
    { PLAIN(2), true },
    { PLAIN(3), true },
    { PLAIN(4), true },
    { { 4, true, 1, 1, 12, 13 }, true },
    { { 4, false, 1, 1, 0, 13 }, false },
    { { 4, false, 1, 1, 12, 0 }, false },
    { PLAIN(5), true },
    { { 5, true, 1, 1, 12, 13 }, true },
    { PLAIN(6), false },
};

/* A unit behind one of an unknown version is read all the same. */
START_TEST(headers)
{
    static const char old[] = ",,a.c ,sub,b.c ,,/abs/c.c ,/dir,d.c ,,e.c ,, ",
                      new[] = "/root,x,of.c ,/root,of.c ,/root,of.c ";
    const struct spec *s = &header_cases[_i].spec, plain = PLAIN(4);
    const uint8_t small[] = AT_1000 COPY FORTH("\x01") END;
    struct bytes b = { .n = 0 };
    char want[256];
    if (s->wide && s->version == 5)
        return; /* offsets of eight bytes: wide_forms */
    put_unit(&b, s, s->version < 5 ? old_tables : new_tables, first_files, sizeof first_files - 1);
    put_unit(&b, &plain, old_tables, small, sizeof small - 1);
    snprintf(want, sizeof want, "%s,,a.c ",
             !header_cases[_i].known ? ""
             : s->version < 5        ? old
                                     : new);
    ck_assert_str_eq(rows_of(&b, true), want);
}
END_TEST

static unsigned form;      /* of a folder's number */
static unsigned form_size; /* its bytes            */
static bool text_first;

static void form_tables(struct bytes *b)
{
    put(b, 1, 1), put(b, 1, 1), put(b, 0x08, 1);
    put(b, 2, 1);
    put_text(b, "/root"), put_text(b, "sub");
    put(b, 2, 1);
    put(b, text_first ? 1 : 2, 1), put(b, text_first ? 0x08 : form, 1);
    put(b, text_first ? 2 : 1, 1), put(b, text_first ? form : 0x08, 1);
    put(b, 2, 1);
    for (int i = 0; i < 2; i++) {
        if (text_first)
            put_text(b, "f.c");
        put(b, 1, form_size);
        if (!text_first)
            put_text(b, "f.c");
    }
}

static const struct {
    uint8_t form, size;
    const char *want;
} form_cases[] = {
    { 0x0b, 1, "/root,sub,f.c " },
    { 0x05, 2, "/root,sub,f.c " },
    { 0x06, 4, "/root,sub,f.c " },
    { 0x07, 8, "/root,sub,f.c " },
    { 0x0f, 1, "/root,sub,f.c " },
    { 0x1a, 1, "/root,sub,f.c " },
    { 0x25, 1, "/root,sub,f.c " },
    { 0x26, 2, "/root,sub,f.c " },
    { 0x27, 3, "/root,sub,f.c " },
    { 0x28, 4, "/root,sub,f.c " },
    { 0x1e, 16, ",/root,f.c " },
    { 0x09, 2, ",/root,f.c " },
    { 0x77, 4, "" }, /* an unknown form: nothing behind it can be read */
};

START_TEST(forms)
{
    const struct spec plain = PLAIN(5);
    const uint8_t small[] = AT_1000 COPY FORTH("\x01") END;
    form = form_cases[_i].form;
    form_size = form_cases[_i].size;
    for (int k = 0; k < 2; k++) {
        struct bytes b = { .n = 0 };
        text_first = k;
        put_unit(&b, &plain, form_tables, small, sizeof small - 1);
        ck_assert_msg(!strcmp(rows_of(&b, true), form_cases[_i].want) || form == 0x77,
                      "form %#x: %s", form, rows_of(&b, true));
        ck_assert_msg(form != 0x77 || !strstr(rows_of(&b, true), "sub"), "%s", rows_of(&b, true));
    }
}
END_TEST

static void wide_tables(struct bytes *b)
{
    put(b, 1, 1), put(b, 1, 1), put(b, 0x1f, 1);
    put(b, 1, 1), put(b, 0, 8);
    put(b, 1, 1), put(b, 1, 1), put(b, 0x0e, 1);
    put(b, 2, 1), put(b, 0, 8), put(b, 5, 8);
}

START_TEST(wide_forms)
{
    const struct spec s = { 5, true, 1, 1, 12, 13 };
    const uint8_t small[] = AT_1000 COPY FORTH("\x01") END;
    struct bytes b = { .n = 0 };
    put_unit(&b, &s, wide_tables, small, sizeof small - 1);
    ck_assert_str_eq(rows_of(&b, true), ",x,of.c ");
}
END_TEST

TCase *rows_case(void)
{
    TCase *t = tcase_create("rows");
    tcase_add_loop_test(t, programs, 0, EZ_ARRAY_LEN(program_cases));
    tcase_add_loop_test(t, headers, 0, EZ_ARRAY_LEN(header_cases));
    tcase_add_loop_test(t, forms, 0, EZ_ARRAY_LEN(form_cases));
    tcase_add_test(t, wide_forms);
    return t;
}
