/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operand.c - parses operands in the assembler's syntax, as the notes of USDT probes have them:
 * $5, %r12d, -16(%rbp), 8(%rax,%rbx,4), 40+symbol(%rip).
 * Tests: tests/unit/arch/check_operand.c, tests/fuzz/fuzz_stap.c */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/x86_64/x64.h"

struct operand_parse {
    const char *at, *end;
    struct ez_operand *out;
};

/* The names of the parts of the first eight registers, by DWARF number. */
static const struct {
    const char *name[5];
} operand_old[] = {
    { { "rax", "eax", "ax", "al", "ah" } }, { { "rdx", "edx", "dx", "dl", "dh" } },
    { { "rcx", "ecx", "cx", "cl", "ch" } }, { { "rbx", "ebx", "bx", "bl", "bh" } },
    { { "rsi", "esi", "si", "sil", "" } },  { { "rdi", "edi", "di", "dil", "" } },
    { { "rbp", "ebp", "bp", "bpl", "" } },  { { "rsp", "esp", "sp", "spl", "" } },
};

static bool operand_is(const char *name, const char *word, size_t n)
{
    return n && strlen(word) == n && !memcmp(name, word, n);
}

/* Parses the digits of a register's number, at most 15. Returns -1 for other texts. */
static int operand_digits(const char *s, size_t n)
{
    int v = 0;
    if (!n || n > 2 || (n == 2 && *s == '0'))
        return -1;
    for (size_t i = 0; i < n; i++)
        v = isdigit((unsigned char)s[i]) && v >= 0 ? 10 * v + (s[i] - '0') : -1;
    return v < 16 ? v : -1;
}

/* Parses r8 to r15 and their parts: r8d, r8w, r8b. */
static bool operand_new_register(const char *s, size_t n, struct ez_operand *out)
{
    static const char parts[] = "dwb";
    const char *part = n > 1 && !isdigit((unsigned char)s[n - 1]) ? strchr(parts, s[n - 1]) : NULL;
    const int number = n > 1 && *s == 'r' ? operand_digits(s + 1, n - 1 - (part != NULL)) : -1;
    if (number < 8)
        return false;
    out->reg = (unsigned)number;
    out->bits = part ? 32u >> (part - parts) : 64;
    return true;
}

static bool operand_old_register(const char *s, size_t n, struct ez_operand *out)
{
    static const uint8_t bits[] = { 64, 32, 16, 8, 8 };
    for (unsigned r = 0; r < EZ_ARRAY_LEN(operand_old); r++)
        for (unsigned k = 0; k < EZ_ARRAY_LEN(bits); k++)
            if (operand_is(s, operand_old[r].name[k], n)) {
                out->reg = r;
                out->bits = bits[k];
                out->bit = k == 4 ? 8 : 0;
                return true;
            }
    return false;
}

/* Parses %NAME: a general register or a vector register. */
static bool operand_register(struct operand_parse *p, struct ez_operand *out)
{
    if (p->at == p->end || *p->at != '%')
        return false;
    const char *s = ++p->at;
    while (p->at < p->end && isalnum((unsigned char)*p->at))
        p->at++;
    const size_t n = (size_t)(p->at - s);
    const int vector = n > 3 && !memcmp(s, "xmm", 3) ? operand_digits(s + 3, n - 3) : -1;
    out->kind = vector < 0 ? EZ_OPERAND_REGISTER : EZ_OPERAND_VECTOR;
    if (vector >= 0)
        out->reg = (unsigned)vector;
    return vector >= 0 || operand_old_register(s, n, out) || operand_new_register(s, n, out);
}

static bool operand_accept(struct operand_parse *p, char c)
{
    while (p->at < p->end && *p->at == ' ')
        p->at++;
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* Returns the base or index of an address, a whole register, by its DWARF number; -1: no such
 * register. */
static int operand_pointer(struct operand_parse *p)
{
    struct ez_operand r = { .bits = 0 };
    bool is = operand_register(p, &r) && r.kind == EZ_OPERAND_REGISTER && r.bits == 64;
    return is ? (int)r.reg : -1;
}

static bool operand_of_symbol(int c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/* Parses a number, or a symbol's name, which may occur once. */
static bool operand_term(struct operand_parse *p, bool minus)
{
    const char *s = p->at;
    while (p->at < p->end && operand_of_symbol((unsigned char)*p->at))
        p->at++;
    const size_t n = (size_t)(p->at - s);
    char digits[32], *end;
    if (n && !isdigit((unsigned char)*s)) {
        bool first = !p->out->symbol && !minus;
        p->out->symbol = s;
        p->out->symbol_len = n;
        return first;
    }
    if (!n || n >= sizeof digits)
        return false;
    memcpy(digits, s, n);
    digits[n] = '\0';
    errno = 0;
    const uint64_t v = strtoull(digits, &end, 0);
    p->out->number += minus ? -v : v;
    return !*end && !errno;
}

/* Parses "40+symbol-8". Accepts no term at all if `may_lack`. */
static bool operand_sum(struct operand_parse *p, bool may_lack)
{
    bool minus = operand_accept(p, '-');
    if (may_lack && !minus && (p->at == p->end || *p->at == '('))
        return true;
    if (!minus)
        operand_accept(p, '+');
    for (;;) {
        if (!operand_term(p, minus))
            return false;
        minus = operand_accept(p, '-');
        if (!minus && !operand_accept(p, '+'))
            return true;
    }
}

/* Parses "(BASE,INDEX,SCALE)". A symbol relative to the pc is the symbol's own address. */
static bool operand_indexed(struct operand_parse *p)
{
    static const char rip[] = "%rip)";
    struct ez_operand *out = p->out;
    if ((size_t)(p->end - p->at) == sizeof rip - 1 && !memcmp(p->at, rip, sizeof rip - 1)) {
        p->at = p->end;
        return out->symbol;
    }
    if (p->at < p->end && *p->at != ',' && (out->base = operand_pointer(p)) < 0)
        return false;
    if (operand_accept(p, ',')) {
        operand_accept(p, ' ');
        if ((out->index = operand_pointer(p)) < 0)
            return false;
        if (operand_accept(p, ',')) {
            static const char scales[] = { '1', '2', '4', '8' };
            const char *scale = p->at < p->end ? memchr(scales, *p->at, sizeof scales) : NULL;
            if (!scale)
                return false;
            out->shift = (unsigned)(scale - scales);
            p->at++;
        }
    }
    return operand_accept(p, ')');
}

bool x64_operand(const char *text, size_t n, struct ez_operand *out)
{
    struct operand_parse p = { text, text + n, out };
    *out = (struct ez_operand){ .base = -1, .index = -1 };
    if (operand_accept(&p, '$')) {
        out->kind = EZ_OPERAND_CONSTANT;
        return operand_sum(&p, false) && p.at == p.end;
    }
    if (p.at < p.end && *p.at == '%')
        return operand_register(&p, out) && p.at == p.end;
    out->kind = EZ_OPERAND_MEMORY;
    if (!operand_sum(&p, true))
        return false;
    if (operand_accept(&p, '('))
        return operand_indexed(&p) && p.at == p.end;
    return out->symbol && p.at == p.end;
}
