/* SPDX-License-Identifier: GPL-3.0-or-later */
/* original.c - reads and disassembles code, with eztsh's patches or with the original bytes.
 * Tests: tests/e2e/memory.ezt */
#include "engine/target.h"
#include "engine/inferior/mem.h"

#include <stdio.h>
#include <string.h>

/* Reads code as it is in memory, with eztsh's patches, or from the program file if there is no
 * process. Returns the number of bytes. */
static size_t original_as_is(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n)
{
    if (t->inf.state != EZ_NONE)
        return ez_mem_read_some(t, at, buf, n);
    return t->inf.prog_obj ? ez_object_read_text(t->inf.prog_obj, at, buf, n) : 0;
}

/* Replaces the bytes of eztsh's patches and of the temporary breakpoint in buf by the original
 * bytes. va: address at which buf was read. */
static void original_show(struct ez_target *t, uint64_t va, uint8_t *buf, size_t n)
{
    for (size_t k = 0; t->inf.temp_bp && k < t->inf.arch->trap.len; k++)
        if (t->inf.temp_bp + k - va < n)
            buf[t->inf.temp_bp + k - va] = t->inf.temp_bp_byte[k];
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        bool near = s->addr + EZ_PAGE - va < n + 2 * EZ_PAGE;
        for (uint64_t at = va; s->current >= 0 && near && at < va + n; at++) {
            const uint8_t *was = ez_site_original(t, s, at);
            if (was)
                buf[at - va] = *was;
        }
    }
}

size_t ez_read_original(struct ez_target *t, uint64_t at, uint8_t *buf, size_t n)
{
    size_t got = original_as_is(t, at, buf, n);
    original_show(t, at, buf, got);
    return got;
}

struct naming {
    struct ez_target *t;
    char text[256];
};

static const char *original_name_address(uint64_t addr, void *arg)
{
    struct naming *n = arg;
    uint64_t off;
    const struct ez_sym *s = ez_symbolize_any(n->t, ez_addr_of(addr), &off, NULL);
    if (!s)
        return NULL;
    if (off)
        snprintf(n->text, sizeof n->text, "%.200s+%lu", ez_sym_pretty(s), (unsigned long)off);
    else
        snprintf(n->text, sizeof n->text, "%.200s", ez_sym_pretty(s));
    return n->text;
}

static ez_err *original_print(struct ez_target *t, uint64_t va, size_t n,
                              struct ez_disassembled *out)
{
    struct naming names = { .t = t };
    struct ez_print p = { .code = out->bytes,
                          .n = n,
                          .va = va,
                          .intel = t->set.disassembly_intel,
                          .sym = original_name_address,
                          .arg = &names };
    out->len = 0;
    out->text[0] = 0;
    return t->inf.arch->decode.print(&p, out->text, sizeof out->text, &out->len);
}

ez_err *ez_disassemble_bytes(struct ez_target *t, ez_addr at, const void *code, size_t n,
                             struct ez_disassembled *out)
{
    n = EZ_MIN(n, sizeof out->bytes);
    memset(out->bytes, 0, sizeof out->bytes);
    memcpy(out->bytes, code, n);
    return original_print(t, at.v, n, out);
}

ez_err *ez_disassemble(struct ez_target *t, ez_addr at, bool original, struct ez_disassembled *out)
{
    size_t n =
        (original ? ez_read_original : original_as_is)(t, at.v, out->bytes, sizeof out->bytes);
    if (!n)
        return ez_err_gdb(EZ_E_SYS, "Cannot access memory at address 0x%lx", (unsigned long)at.v);
    return original_print(t, at.v, n, out);
}
