/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disassemble.c - `disassemble [/ro] [SYM]`: the instructions of a function.
 *
 * Shows the live bytes, a probe's jump included; /o shows what the probe replaced,
 * /r the bytes. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

struct how {
    bool raw, original;
};

static ez_err *parse_modifiers(const char **text, struct how *how)
{
    const char *p = *text;
    while (*p == '/') {
        for (p++; *p && *p != ' ' && *p != '\t'; p++) {
            if (*p != 'r' && *p != 'o')
                return ez_err_new(EZ_E_ARG, 0, "Invalid disassembly modifier.");
            *(*p == 'r' ? &how->raw : &how->original) = true;
        }
        p = parse_skip(p);
    }
    *text = p;
    return NULL;
}

static const char *hex(struct ez_sess *s, const uint8_t *bytes, size_t n)
{
    char text[64] = "";
    for (size_t i = 0; i < n && i < 16; i++)
        sprintf(text + 3 * i, "%02x ", bytes[i]);
    return sess_format(s, "%s\t", text);
}

ez_err *cmd_disassemble(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    struct how how = { 0 };
    ez_addr at, pc = { 0 };
    uint64_t off;
    struct ez_module_info m;
    EZ_TRY(parse_modifiers(&text, &how));
    bool have_pc = ez_err_drop(ez_pc(s->target, &pc));
    if (!*text && !have_pc)
        return ez_err_new(EZ_E_STATE, 0, "No frame selected.");
    at = pc;
    if (*text)
        EZ_TRY(parse_addr(s, text, &at));
    const struct ez_sym *sym = ez_symbolize(s->target, at, &off, &m);
    if (!sym)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No function contains specified address.");
    uint64_t start = at.v - off, end = ez_sym_end(sym) + m.bias;
    out_line(s, "Dump of assembler code for function %s:", ez_sym_pretty(sym));
    for (uint64_t a = start; a < end && !s->quit_pager;) {
        char insn[160];
        uint8_t bytes[16];
        size_t len = 0;
        EZ_TRY(
            ez_disassemble(s->target, ez_addr_of(a), how.original, insn, sizeof insn, bytes, &len));
        out_line(s, "%s%s <+%llu>:\t%s%s", have_pc && pc.v == a ? "=> " : "   ", out_addr16(s, a),
                 (unsigned long long)(a - start), how.raw ? hex(s, bytes, len) : "", insn);
        a += len;
    }
    out_line(s, "End of assembler dump.");
    return NULL;
}
