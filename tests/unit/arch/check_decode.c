/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_decode.c - decoding, lengths, text and the branch scan.
 *
 * Besides the table, whole texts are swept: this program's and every library it
 * has loaded. There the table decoder, libopcodes and the scan must agree. */
#include "tests/unit/many.h"

#include <check.h>
#include <link.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/x86_64/x64.h"
#include "tests/unit/suite.h"

#define VA 0x401000ull
#define BYTES(...) .n = sizeof((uint8_t[]){ __VA_ARGS__ }), .code = { __VA_ARGS__ }

static const struct insn_case {
    const char *name;
    size_t n;
    uint8_t code[16];
    enum ez_code want;
    uint8_t flow, riprel, width;
    bool nop, landing;
    uint64_t target;
} insns[] = {
    { "push %rbp", BYTES(0x55), .flow = EZ_FLOW_PLAIN },
    { "endbr64", BYTES(0xf3, 0x0f, 0x1e, 0xfa), .landing = true },
    { "call", BYTES(0xe8, 0x0b, 0, 0, 0), .flow = EZ_FLOW_CALL, .width = 4, .target = VA + 16 },
    { "jmp short", BYTES(0xeb, 0xfe), .flow = EZ_FLOW_JMP, .width = 1, .target = VA },
    { "je short", BYTES(0x74, 0x10), .flow = EZ_FLOW_JCC, .width = 1, .target = VA + 18 },
    { "je near", BYTES(0x0f, 0x84, 0, 1, 0, 0), .flow = EZ_FLOW_JCC, .width = 4,
      .target = VA + 262 },
    { "jrcxz", BYTES(0xe3, 0x02), .flow = EZ_FLOW_LOOP, .width = 1, .target = VA + 4 },
    { "loop", BYTES(0xe2, 0xfe), .flow = EZ_FLOW_LOOP, .width = 1, .target = VA },
    { "call *%rax", BYTES(0xff, 0xd0), .flow = EZ_FLOW_ICALL },
    { "call *x(%rip)", BYTES(0xff, 0x15, 0, 0, 0, 0), .flow = EZ_FLOW_ICALL, .riprel = 2,
      .target = VA + 6 },
    { "notrack jmp *%rax", BYTES(0x3e, 0xff, 0xe0), .flow = EZ_FLOW_IJMP },
    { "ret", BYTES(0xc3), .flow = EZ_FLOW_RET },
    { "bnd ret", BYTES(0xf2, 0xc3), .flow = EZ_FLOW_RET },
    { "syscall", BYTES(0x0f, 0x05), .flow = EZ_FLOW_SYSCALL },
    { "ud2", BYTES(0x0f, 0x0b), .flow = EZ_FLOW_TRAP },
    { "int3", BYTES(0xcc), .flow = EZ_FLOW_TRAP, .nop = true },
    { "xbegin", BYTES(0xc7, 0xf8, 4, 0, 0, 0), .flow = EZ_FLOW_XBEGIN, .width = 4,
      .target = VA + 10 },
    { "mov x(%rip),%rax", BYTES(0x48, 0x8b, 0x05, 1, 0, 0, 0), .riprel = 3, .target = VA + 8 },
    { "cmpl $7,x(%rip)", BYTES(0x83, 0x3d, 0, 0, 0, 0, 7), .riprel = 2, .target = VA + 7 },
    { "movl $1,x(%rip)", BYTES(0xc7, 0x05, 0, 0, 0, 0, 1, 0, 0, 0), .riprel = 2,
      .target = VA + 10 },
    { "vmovaps x(%rip),%ymm0", BYTES(0xc5, 0xfc, 0x28, 0x05, 0, 0, 0, 0), .riprel = 4,
      .target = VA + 8 },
    { "vpshufd $1,x(%rip),%xmm0", BYTES(0xc5, 0xf9, 0x70, 0x05, 0, 0, 0, 0, 1), .riprel = 4,
      .target = VA + 9 },
    { "vmovdqu64 x(%rip),%zmm0", BYTES(0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x05, 0, 0, 0, 0), .riprel = 6,
      .target = VA + 10 },
    { "movbe x(%rip),%eax", BYTES(0x0f, 0x38, 0xf0, 0x05, 0, 0, 0, 0), .riprel = 4,
      .target = VA + 8 },
    { "lock incq (%rax)", BYTES(0xf0, 0x48, 0xff, 0x00) },
    { "rep stos", BYTES(0xf3, 0x48, 0xab) },
    { "nop", BYTES(0x90), .nop = true },
    { "xchg %ax,%ax", BYTES(0x66, 0x90), .nop = true },
    { "nopl 0(%rax)", BYTES(0x0f, 0x1f, 0x40, 0), .nop = true },
    { "data16 cs nopw", BYTES(0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0), .nop = true },
    { "pause is no padding", BYTES(0xf3, 0x90) },
    { "xchg %r8,%rax", BYTES(0x49, 0x90) },
    { "TLS call", BYTES(0x66, 0x66, 0x48, 0xe8, 0, 0, 0, 0), .flow = EZ_FLOW_CALL, .width = 4,
      .target = VA + 8 },
    { "XOP, map 10", BYTES(0x8f, 0xea, 0x78, 0x10, 0xc0, 1, 2, 3, 4) },
    { "address of 4 bytes", BYTES(0x67, 0xa1, 1, 2, 3, 4) },
    { "address of 8 bytes", BYTES(0xa1, 1, 2, 3, 4, 5, 6, 7, 8) },
    { "invalid", BYTES(0x06), .want = EZ_E_DECODE },
    { "cut off", BYTES(0xe8, 0x00), .want = EZ_E_DECODE },
    { "66 call: AMD and Intel differ", BYTES(0x66, 0xe8, 0, 0, 0, 0), .want = EZ_E_MISMATCH },
};

START_TEST(insn)
{
    const struct insn_case *c = &insns[_i];
    struct ez_insn in;
    ez_err *e = ez_arch_host()->decode.insn(c->code, c->n, VA, &in);
    enum ez_code code = e ? e->code : EZ_OK;
    ez_err_free(e);
    ck_assert_msg(code == c->want, "%s: %s", c->name, ez_code_name(code));
    if (code)
        return;
    ck_assert_msg(in.len == c->n && ez_arch_host()->decode.length(c->code, c->n) == c->n,
                  "%s: length %u", c->name, in.len);
    ck_assert_msg(in.flow == c->flow, "%s: flow %u", c->name, in.flow);
    ck_assert_msg(in.riprel == c->riprel && in.width == c->width, "%s: riprel %u width %u", c->name,
                  in.riprel, in.width);
    ck_assert_msg(in.target == c->target, "%s: target %lx", c->name, (unsigned long)in.target);
    ck_assert_msg(in.is_nop == c->nop && in.is_landing == c->landing, "%s: nop %d landing %d",
                  c->name, in.is_nop, in.is_landing);
}
END_TEST

/* Every opcode of every map, with prefixes that change lengths: where the table gives an answer,
 * libopcodes gives the same. */
static void one_length(const uint8_t *head, size_t n, unsigned *seen)
{
    static const uint8_t modrm[] = { 0xc0, 0x05, 0x44, 0x84, 0x38 };
    for (size_t k = 0; k < EZ_ARRAY_LEN(modrm); k++) {
        uint8_t code[32] = { 0 };
        char buf[128];
        size_t len = 0;
        memcpy(code, head, n);
        code[n] = modrm[k];
        size_t fast = ez_arch_host()->decode.length(code, 16);
        ez_err *e = ez_arch_host()->decode.print(
            &(struct ez_print){ code, 16, VA, false, NULL, NULL }, buf, sizeof buf, &len);
        bool good = ez_err_drop(e) && !strstr(buf, "(bad") && !strstr(buf, ".byte");
        ck_assert_msg(!fast || !good || fast == len, "%02x %02x %02x %02x %02x: %zu, not %zu: %s",
                      code[0], code[1], code[2], code[3], code[4], fast, len, buf);
        *seen += fast && good;
    }
}

START_TEST(every_opcode)
{
    static const uint8_t prefix[][2] = { { 0 },    { 0x66 }, { 0x67 },
                                         { 0xf2 }, { 0x48 }, { 0x67, 0x48 } };
    static const uint8_t vector[][3] = { /* the escape, then what the map's number is put into */
                                         { 0xc4, 0xe0, 0x78 },
                                         { 0x8f, 0xe0, 0x78 }
    };
    unsigned seen = 0;
    for (unsigned op = 0; op < 256; op++) {
        for (size_t p = 0; p < EZ_ARRAY_LEN(prefix); p++) {
            const uint8_t *x = prefix[p];
            size_t n = x[1] ? 2 : x[0] ? 1 : 0;
            for (unsigned map = 0; map < 4; map++) {
                uint8_t head[8];
                size_t at = n;
                memcpy(head, x, n);
                if (map)
                    head[at++] = 0x0f;
                if (map > 1)
                    head[at++] = map == 2 ? 0x38 : 0x3a;
                head[at++] = (uint8_t)op;
                one_length(head, at, &seen);
            }
        }
        for (uint8_t map = 1; map < 11; map++) {
            const uint8_t *v = vector[map > 7];
            one_length((uint8_t[]){ v[0], v[1] | map, v[2], (uint8_t)op }, 4, &seen);
            one_length((uint8_t[]){ 0x62, 0xf0 | (map & 7), 0x7d, 0x48, (uint8_t)op }, 5, &seen);
        }
    }
    ck_assert_uint_gt(seen, 15000);
}
END_TEST

static const char *name_of(uint64_t addr, void *arg)
{
    (void)arg;
    return addr == VA + 16 ? "foo+4" : NULL;
}

static const struct text_case {
    size_t n;
    uint8_t code[16];
    bool intel;
    const char *want;
} texts[] = {
    { BYTES(0xe8, 0x0b, 0, 0, 0), .want = "call   0x401010 <foo+4>" },
    { BYTES(0x48, 0x89, 0xe5), .want = "mov    %rsp,%rbp" },
    { BYTES(0x48, 0x89, 0xe5), .intel = true, .want = "mov    rbp,rsp" },
    { BYTES(0x48, 0x8b, 0x05, 1, 0, 0, 0), .want = "mov    0x1(%rip),%rax        # 0x401008" },
    { BYTES(0xc3), .want = "ret" },
    { BYTES(0x06), .want = "(bad)" },
};

START_TEST(text)
{
    const struct text_case *c = &texts[_i];
    char buf[128], tiny[4] = "xxx";
    size_t len = 0;
    ck_assert_ptr_null(ez_arch_host()->decode.print(
        &(struct ez_print){ c->code, c->n, VA, c->intel, name_of, NULL }, buf, sizeof buf, &len));
    ck_assert_str_eq(buf, c->want);
    ck_assert_uint_eq(len, c->n);
    ck_assert_ptr_null(ez_arch_host()->decode.print(
        &(struct ez_print){ c->code, c->n, VA, c->intel, name_of, NULL }, tiny, 3, NULL));
    ck_assert_uint_le(strlen(tiny), 2);
}
END_TEST

/* Printing writes nothing where there is no room, or no instruction. */
START_TEST(no_text)
{
    static const uint8_t call[] = { 0xe8, 0x0b, 0, 0, 0 };
    char buf[64] = "x";
    ez_err *e = ez_arch_host()->decode.print(
        &(struct ez_print){ call, sizeof call, VA, false, name_of, NULL }, buf, 0, NULL);
    ck_assert(e && e->code == EZ_E_ARG);
    ck_assert_str_eq(e->msg, "No room for the text of an instruction");
    ck_assert_str_eq(buf, "x");
    ez_err_free(e);
    e = ez_arch_host()->decode.print(&(struct ez_print){ call, 0, VA, false, name_of, NULL }, buf,
                                     sizeof buf, NULL);
    ck_assert(e && e->code == EZ_E_DECODE);
    ck_assert_str_eq(e->msg, "no whole instruction at 0x401000");
    ez_err_free(e);
}
END_TEST

/* One executable segment of this process, and what was seen in it. */
struct sweep {
    const uint8_t *text;
    size_t n, insns, unknown;
    uint64_t va;
    uint8_t *branch_at; /* by offset: a direct branch starts here, prefixes included */
    uint8_t *found;     /* by offset: the scan reported this source                  */
};

static void sweep_insns(struct sweep *s)
{
    struct ez_insn in;
    for (size_t at = 0; at < s->n; at += in.len) {
        size_t fast = ez_arch_host()->decode.length(s->text + at, s->n - at);
        ez_err *e = ez_arch_host()->decode.insn(s->text + at, s->n - at, s->va + at, &in);
        ck_assert_msg(!e || e->code == EZ_E_DECODE, "%s", e ? e->msg : "");
        if (!ez_err_drop(e)) { /* data between functions */
            in.len = 1;
            continue;
        }
        s->insns++;
        s->unknown += fast == 0;
        ck_assert_msg(!fast || fast == in.len, "at 0x%lx: %zu, libopcodes %u",
                      (unsigned long)(s->va + at), fast, in.len);
        if (in.width)
            memset(s->branch_at + at, 1, in.len - in.width);
    }
}

static bool in_text(uint64_t target, void *arg)
{
    struct sweep *s = arg;
    return target - s->va < s->n;
}

static void mark_found(uint64_t source, uint64_t target, void *arg)
{
    struct sweep *s = arg;
    (void)target;
    s->found[source - s->va] = 1;
}

/* Each branch whose target lies in the text was reported at one of its bytes. */
static void sweep_scan(struct sweep *s)
{
    struct ez_insn in;
    ez_arch_host()->scan.branches(s->text, s->n, s->va, in_text, mark_found, s);
    for (size_t at = 0; at < s->n; at++) {
        if (!s->branch_at[at])
            continue;
        if (!ez_err_drop(ez_arch_host()->decode.insn(s->text + at, s->n - at, s->va + at, &in)))
            ck_abort_msg("a branch that decoded before");
        bool seen = memchr(s->found + at, 1, in.len) || !in_text(in.target, s);
        ck_assert_msg(seen, "the scan missed the branch at 0x%lx", (unsigned long)(s->va + at));
        at += in.len - 1u;
    }
}

static int sweep_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct sweep *total = arg;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || p->p_memsz < 8192)
            continue;
        struct sweep s = { .n = p->p_memsz, .va = info->dlpi_addr + p->p_vaddr };
        s.text = (const uint8_t *)s.va;
        s.branch_at = ez_alloc(s.n);
        s.found = ez_alloc(s.n);
        sweep_insns(&s);
        sweep_scan(&s);
        total->insns += s.insns;
        total->unknown += s.unknown;
        free(s.branch_at);
        free(s.found);
    }
    return 0;
}

START_TEST(sweep)
{
    struct sweep total = { 0 };
    dl_iterate_phdr(sweep_object, &total);
    ck_assert_uint_gt(total.insns, 100000);
    ck_assert_uint_lt(total.unknown, total.insns / 500);
}
END_TEST

/* No byte string may lead a decoder out of its buffer (run under ASan). */
START_TEST(random_bytes)
{
    uint64_t seed = 88172645463325252ull;
    for (int i = 0; i < 200000; i++) {
        size_t n = i % 15 + 1;
        uint8_t *b = ez_alloc(n);
        for (size_t k = 0; k < n; k++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            b[k] = (uint8_t)(seed >> 32);
        }
        struct ez_insn in;
        size_t fast = ez_arch_host()->decode.length(b, n);
        ck_assert_uint_le(fast, n);
        if (ez_err_drop(ez_arch_host()->decode.insn(b, n, VA, &in)) && fast)
            ck_assert_uint_eq(fast, in.len);
        free(b);
    }
}
END_TEST

/* ---- two decoders ----------------------------------------------------------------------------- */

static enum { AS_IT_IS, LONGER, NOT_RELATIVE, RELATIVE } other;
size_t __real_x64_split(const uint8_t *code, size_t n, struct x64_parts *p);
size_t __wrap_x64_split(const uint8_t *code, size_t n, struct x64_parts *p);
size_t __wrap_x64_split(const uint8_t *code, size_t n, struct x64_parts *p)
{
    size_t len = __real_x64_split(code, n, p);
    if (other == LONGER)
        p->len = (uint8_t)++len;
    if (other == NOT_RELATIVE || other == RELATIVE)
        p->disp32 = other == RELATIVE ? (uint8_t)(p->modrm + 1) : 0;
    return len;
}

/* Where the table and libopcodes do not say the same, nothing is said. */
START_TEST(decoders_that_disagree)
{
    static const struct {
        int how;
        uint8_t code[8];
    } odd[] = {
        { LONGER, { 0x48, 0x8d, 0x7f, 0x37, 0x90, 0x90, 0x90, 0x90 } },
        { NOT_RELATIVE, { 0x4c, 0x8b, 0x2d, 1, 2, 3, 4, 0x90 } },
        { RELATIVE, { 0x4c, 0x8b, 0xb6, 1, 2, 3, 4, 0x90 } },
    };
    struct ez_insn in;
    other = odd[_i].how;
    ez_err *e = ez_arch_host()->decode.insn(odd[_i].code, sizeof odd[_i].code, VA, &in);
    other = AS_IT_IS;
    ck_assert(e && e->code == EZ_E_MISMATCH);
    ck_assert_str_eq(e->msg, "Two decoders disagree about the instruction at 0x401000");
    ez_err_free(e);
    ck_assert_ptr_null(ez_arch_host()->decode.insn(odd[_i].code, sizeof odd[_i].code, VA, &in));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("decode");
    TCase *t = tcase_create("x86_64");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, insn, 0, (int)EZ_ARRAY_LEN(insns));
    tcase_add_loop_test(t, text, 0, (int)EZ_ARRAY_LEN(texts));
    tcase_add_test(t, no_text);
    tcase_add_loop_test(t, decoders_that_disagree, 0, 3);
    tcase_add_test(t, every_opcode);
    tcase_add_test(t, sweep);
    tcase_add_test(t, random_bytes);
    suite_add_tcase(s, t);
    return run_suite(s);
}
