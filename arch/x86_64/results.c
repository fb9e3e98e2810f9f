/* SPDX-License-Identifier: GPL-3.0-or-later */
/* results.c - finds the result registers (rax, rdx, xmm0, xmm1) that an instruction may set.
 *
 * The caller keeps the registers that a replaced function does not set (rt_keep.S). So if a set
 * register is missing, a result is lost; if a register is in the set wrongly, a register changes
 * that callers rely on. An instruction counts as setting its last operand if that is a register,
 * unless the instruction only reads it. For instructions that set several operands, all operands
 * count. The table `implied` has the registers that an instruction sets without having them as
 * operands.
 * Source: SDM volume 2; psABI 3.2.3 (results).
 * Tests: tests/unit/arch/check_results.c */
#include <string.h>

#include "arch/x86_64/x64.h"
#include "engine/rt/rt.h"

static const struct named {
    const char *name;
    unsigned set;
} named[] = {
    { "rax", EZ_KEEP_AX },  { "eax", EZ_KEEP_AX },  { "ax", EZ_KEEP_AX },   { "al", EZ_KEEP_AX },
    { "ah", EZ_KEEP_AX },   { "rdx", EZ_KEEP_DX },  { "edx", EZ_KEEP_DX },  { "dx", EZ_KEEP_DX },
    { "dl", EZ_KEEP_DX },   { "dh", EZ_KEEP_DX },   { "xmm0", EZ_KEEP_X0 }, { "ymm0", EZ_KEEP_X0 },
    { "zmm0", EZ_KEEP_X0 }, { "xmm1", EZ_KEEP_X1 }, { "ymm1", EZ_KEEP_X1 }, { "zmm1", EZ_KEEP_X1 },
};

#define BOTH (EZ_KEEP_AX | EZ_KEEP_DX)
#define ALL (BOTH | EZ_KEEP_X0 | EZ_KEEP_X1)

/* Registers that instructions set without having them as operands, by the first letters of the
 * mnemonic. */
static const struct named implied[] = {
    { "mul ", BOTH },
    { "mulb", BOTH },
    { "mulw", BOTH },
    { "mull", BOTH },
    { "mulq", BOTH },
    { "div ", BOTH },
    { "divb", BOTH },
    { "divw", BOTH },
    { "divl", BOTH },
    { "divq", BOTH },
    { "idiv", BOTH },
    { "cqto", EZ_KEEP_DX },
    { "cltd", EZ_KEEP_DX },
    { "cwtd", EZ_KEEP_DX },
    { "cltq", EZ_KEEP_AX },
    { "cwtl", EZ_KEEP_AX },
    { "cbtw", EZ_KEEP_AX },
    { "cmpxchg", BOTH },
    { "rdtsc", BOTH },
    { "rdpmc", BOTH },
    { "xgetbv", BOTH },
    { "cpuid", BOTH },
    { "syscall", EZ_KEEP_AX },
    { "int", EZ_KEEP_AX },
    { "lods", EZ_KEEP_AX },
    { "lahf", EZ_KEEP_AX },
    { "xlat", EZ_KEEP_AX },
    { "in ", EZ_KEEP_AX },
    { "xbegin", EZ_KEEP_AX },
    { "pcmpestrm", EZ_KEEP_X0 },
    { "pcmpistrm", EZ_KEEP_X0 },
    { "vpcmpestrm", EZ_KEEP_X0 },
    { "vpcmpistrm", EZ_KEEP_X0 },
    { "vzero", EZ_KEEP_X0 | EZ_KEEP_X1 },
    { "fxrstor", ALL },
    { "xrstor", ALL },
    { "(bad)", ALL },
};

static const char *results_mnemonic(const char *text)
{
    static const char *const prefix[] = { "lock ", "rep ", "repz ", "repnz ", "bnd ", "notrack " };
    for (size_t i = 0; i < EZ_ARRAY_LEN(prefix); i++)
        if (!strncmp(text, prefix[i], strlen(prefix[i])))
            text += strlen(prefix[i]);
    return text;
}

static bool results_begins(const char *text, const char *const *with, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strncmp(text, with[i], strlen(with[i])))
            return true;
    return false;
}

static unsigned results_implied(const char *text)
{
    unsigned set = 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(implied); i++)
        if (!strncmp(text, implied[i].name, strlen(implied[i].name)))
            set |= implied[i].set;
    return !strncmp(text, "imul", 4) && !strchr(text, ',') ? set | BOTH : set;
}

static unsigned results_of_register(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
    for (size_t i = 0; i < EZ_ARRAY_LEN(named); i++)
        if (strlen(named[i].name) == n && !strncmp(name, named[i].name, n))
            return named[i].set;
    return 0;
}

static unsigned results_read(const uint8_t *code, size_t n, uint64_t va)
{
    static const char *const reads[] = { "cmp ",   "cmpb ", "cmpw ",  "cmpl ", "cmpq ",
                                         "test",   "push",  "ucomis", "comis", "vucomis",
                                         "vcomis", "ptest", "vptest" };
    static const char *const several[] = {
        "xchg", "xadd", "cmpxchg", "mulx", "vgather", "vpgather"
    };
    char text[160];
    size_t len;
    unsigned set, named_last = 0, depth = 0;
    const struct ez_print p = { .code = code, .n = n, .va = va };
    if (!ez_err_drop(x64_print(&p, text, sizeof text, &len)))
        return ALL;
    const char *insn = results_mnemonic(text);
    bool all = results_begins(insn, several, EZ_ARRAY_LEN(several));
    set = results_implied(insn);
    if (results_begins(insn, reads, EZ_ARRAY_LEN(reads)))
        return set;
    for (const char *c = insn; *c && *c != '#'; c++) {
        depth += *c == '(';
        depth -= *c == ')' && depth;
        if (*c == ',' && !depth && !all)
            named_last = 0;
        if (*c == '%' && !depth)
            named_last |= results_of_register(c + 1);
    }
    return set | named_last;
}

/* Results are cached, because to print an instruction takes a thousand times longer than to search
 * the cache. */
unsigned x64_results(const uint8_t *code, size_t n, uint64_t va)
{
    static struct cached {
        uint64_t lo, hi;
        uint8_t len, set; /* len 0 = free entry */
    } cached[1024];
    struct x64_parts p;
    if (!x64_split(code, n, &p))
        return results_read(code, n, va);
    const struct x64_form f = x64_form_of(code, &p);
    struct cached *t = &cached[f.hash >> 54];
    if (t->len != p.len || t->lo != f.lo || t->hi != f.hi)
        *t = (struct cached){ f.lo, f.hi, p.len, (uint8_t)results_read(code, n, va) };
    return t->set;
}
