/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c - register states at which code and its relocated copy are started, and the comparison
 * of the states in which both end (engine/check/check.h).
 *
 * No two states have the same general registers, flags and vector registers. The values are
 * pointers into writable memory, zeros, negative, small and large numbers. If the code compares a
 * register with a number that is in no state, its branch is always, or never, taken. So x64_steer()
 * can change the flags at the branch.
 * Tests: tests/unit/check/check_check.c */
#include <stdio.h>
#include <string.h>
#include <sys/user.h>

#include "arch/x86_64/user.h"
#include "arch/x86_64/x64.h"

enum { CF = 1, PF = 4, AF = 16, ZF = 64, SF = 128, OF = 2048, FIXED = 0x202 };
enum { STEPPING = 0x10100 }; /* TF and RF, which single-stepping sets */
/* The extended state in XSAVE's layout (SDM volume 1, section 13.4). */
enum {
    /* the addresses of the last x87 instruction, which is different in the copy, and of its
     * operand */
    X_FIP = 8,
    X_FIP_END = 24,
    X_MXCSR = 24,
    X_XMM = 160,
    X_XMM_END = 416,
    X_FEATURES = 464, /* where the kernel stores XCR0 */
    X_BV = 512,       /* XSTATE_BV: the components that are not in their initial state */
    X_BV_END = 528,
    X_YMM = 576, /* upper halves of the ymm registers */
    X_YMM_END = 832,
};

static uint64_t states_value(unsigned kind, unsigned i, uint64_t data)
{
    switch (kind) {
    case 0: /* pointers */
        return data + 16 * i;
    case 1:
        return 0;
    case 2: /* negative as int and as long */
        return ~(uint64_t)i;
    case 3: /* small, but not zero */
        return i + 1;
    case 4: /* pointers and zeros */
        return i & 1 ? data - 16 * i : 0;
    case 5: /* large as int, and positive as long */
        return 0x7fffff00ull << 16 | i;
    case 6: /* zeros and ones */
        return i & 1;
    default: /* zeros and pointers */
        return i & 1 ? 0 : data + 8 * i;
    }
}

static const unsigned flags[] = { 0,  ZF | PF, CF,           SF,
                                  OF, SF | OF, CF | AF | PF, CF | PF | AF | ZF | SF | OF };

void x64_steer(struct ez_regs *r, unsigned state)
{
    struct user_regs_struct *u = (struct user_regs_struct *)r;
    u->eflags =
        (u->eflags & ~(uint64_t)(CF | PF | AF | ZF | SF | OF)) | flags[state % EZ_ARRAY_LEN(flags)];
}

void x64_seed(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp)
{
    struct user_regs_struct *u = (struct user_regs_struct *)r;
    unsigned long long *const reg[] = { &u->rdi, &u->rsi, &u->rdx, &u->rcx, &u->r8,
                                        &u->r9,  &u->rax, &u->rbx, &u->rbp, &u->r10,
                                        &u->r11, &u->r12, &u->r13, &u->r14, &u->r15 };
    unsigned kind = state % 8;
    for (unsigned i = 0; i < EZ_ARRAY_LEN(reg); i++)
        *reg[i] = states_value(kind, i, data);
    u->rsp = sp;
    u->orig_rax = (uint64_t)-1;
    /* The states 8 to 15, and 16 to 23, repeat the values with other flags. */
    u->eflags = FIXED | flags[(kind + 3 * (state / 8)) % EZ_ARRAY_LEN(flags)];
}

static void states_pattern(uint8_t *p, size_t n, unsigned state)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(i * 37 + state * 11 + 1);
}

void x64_seed_extended(uint8_t *block, size_t n, unsigned state)
{
    uint64_t features, present;
    if (n < X_BV_END)
        return;
    memcpy(&features, block + X_FEATURES, 8);
    memcpy(&present, block + X_BV, 8);
    states_pattern(block + X_XMM, X_XMM_END - X_XMM, state);
    present |= 2;
    if (n >= X_YMM_END && features & 4) {
        states_pattern(block + X_YMM, X_YMM_END - X_YMM, state + 1);
        present |= 4;
    }
    memcpy(block + X_BV, &present, 8);
}

void x64_set_vector(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16])
{
    uint64_t present;
    if (n < X_BV_END || X_XMM + 16ul * (number + 1) > X_XMM_END)
        return;
    memcpy(extended + X_XMM + 16ul * number, value, 16);
    memcpy(&present, extended + X_BV, 8);
    present |= 2; /* SSE: without this bit, the kernel sets the xmm registers to 0 */
    memcpy(extended + X_BV, &present, 8);
}

const char *x64_differs(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                        uint64_t *vb)
{
    for (size_t i = 0; i < x64_nregs; i++) {
        const struct ez_reg_desc *d = &x64_regs[i];
        size_t w = d->offset / 8;
        uint64_t mask = strcmp(d->name, "eflags") ? ~0ull : ~(uint64_t)STEPPING;
        if (!strcmp(d->name, "rip") || !strcmp(d->name, "orig_rax") ||
            !((a->word[w] ^ b->word[w]) & mask))
            continue;
        *va = a->word[w];
        *vb = b->word[w];
        return d->name;
    }
    return NULL;
}

const char *x64_extended_differs(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                 size_t size)
{
    for (size_t i = 0; i < n; i++) {
        if ((i >= X_FIP && i < X_FIP_END) || (i >= X_BV && i < X_BV_END) || a[i] == b[i])
            continue;
        if (i >= X_XMM && i < X_XMM_END)
            snprintf(buf, size, "xmm%zu", (i - X_XMM) / 16);
        else if (i >= X_YMM && i < X_YMM_END)
            snprintf(buf, size, "ymm%zu", (i - X_YMM) / 16);
        else
            snprintf(buf, size, "%s", i / 4 == X_MXCSR / 4 ? "mxcsr" : "the extended state");
        return buf;
    }
    return NULL;
}
