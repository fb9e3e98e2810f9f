/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_regs.c - `info registers` and `info auxv`, as gdb shows them.
 * Tests: tests/procs/gdb_lines.sh, tests/procs/regs.sh */
#include <elf.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/data/values.h"
#include "engine/eval/eval.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- registers ------------------------------------------------------------------------- */

struct registers {
    struct ez_sess *s;
    struct out_table t;
    ez_err *err;
};

/* Returns the value without the type that `print` puts before it: "0x401136 <main>" of "(void
 * (*)()) 0x401136 <main>". */
static const char *regs_bare(struct ez_sess *s, char *text)
{
    const char *at = sess_keep(s, text), *number = *at == '(' ? strstr(at, ") 0x") : NULL;
    return number ? number + 2 : at;
}

/* Returns the ten bytes of an x87 register as text: "(raw 0x...)". */
static const char *regs_x87(struct ez_sess *s, const struct ez_value *v)
{
    const char *raw = "";
    for (size_t i = 10; v->n >= 10 && i-- > 0;)
        raw = sess_format(s, "%s%02x", raw, v->byte[i]);
    return sess_format(s, "(raw 0x%s)", raw);
}

/* Prints the register as a number and by meaning: decimal, an address, names of bits. */
static ez_err *regs_show(struct registers *r, const char *name)
{
    struct ez_sess *s = r->s;
    struct ez_history *values = values_of(s);
    struct ez_value v;
    uint64_t word = 0;
    EZ_TRY(ez_eval(values, sess_format(s, "$%s", name), NULL, &v));
    v.is_fortran = false; /* otherwise the value would be printed in Fortran's form */
    bool is_register = v.reg || v.lval == EZ_L_REGISTER;
    const char *raw = regs_bare(s, ez_value_text(values, &v, 'x'));
    const char *held = regs_bare(s, ez_value_text(values, &v, 0));
    ez_err_drop(ez_value_address(&v, &word));
    const char *x87 = v.n > 8 && *raw != '{' ? regs_x87(s, &v) : NULL;
    ez_value_clear(&v);
    if (!is_register)
        return ez_err_gdb(EZ_E_NOTFOUND, "Invalid register `%s'", name);
    if (x87) {
        raw = held;
        held = x87;
    }
    if (r->t.json)
        out_row(&r->t, name, raw, out_sym(s, word), NULL);
    else if (*raw == '{') /* a vector */
        out_line(s, "%-14s %s", name, raw);
    else
        out_line(s, "%-14s %-19s %s", name, raw, held);
    return NULL;
}

static void regs_each(const char *name, uint64_t value, size_t size, void *arg)
{
    struct registers *r = arg;
    /* orig_rax is a pseudo register of the kernel, which gdb does not list either. */
    if (!r->err && strncmp(name, "orig_", 5))
        r->err = regs_show(r, name);
}

static ez_err *cmd_info_registers(struct ez_sess *s, int argc, char **argv)
{
    struct registers r = { .s = s };
    out_table_init(&r.t, s, "", "", "", NULL);
    out_table_keys(&r.t, "registers", "name value where");
    ez_err *e = argc > 1 ? NULL : ez_registers(s->target, regs_each, &r);
    for (int i = 1; !e && !r.err && i < argc; i++)
        r.err = regs_show(&r, argv[i] + (*argv[i] == '$'));
    e = ez_err_first(e, r.err);
    if (!e && r.t.json)
        out_table_print(&r.t);
    else
        out_table_drop(&r.t);
    return e;
}

const struct ez_cmd command_info_registers = {
    .parent = "info",
    .name = "registers",
    .usage = "[NAME...]",
    .brief = "Show the registers of the selected frame.",
    .help = "Each register is printed as a number and by its type: decimal, address, names\n"
            "of flags. NAME is any register that print accepts, also a vector register or a\n"
            "part of a register (its lower half, for example).",
    .examples = "info registers\n"
                "info registers pc sp",
    .see_also = "thread, print, x",
    OPERANDS(DATA, 0, -1),
    .min_abbrev = 1,
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_registers,
};

/* ---- the auxiliary vector ---------------------------------------------------------------- */

static const struct tag {
    uint64_t type;
    const char *name, *meaning;
    enum { AUX_HEX, AUX_DEC, AUX_TEXT } as;
} regs_tags[] = {
    { AT_NULL, "AT_NULL", "End of vector", AUX_HEX },
    { AT_IGNORE, "AT_IGNORE", "Entry should be ignored", AUX_HEX },
    { AT_EXECFD, "AT_EXECFD", "File descriptor of program", AUX_DEC },
    { AT_PHDR, "AT_PHDR", "Program headers for program", AUX_HEX },
    { AT_PHENT, "AT_PHENT", "Size of program header entry", AUX_DEC },
    { AT_PHNUM, "AT_PHNUM", "Number of program headers", AUX_DEC },
    { AT_PAGESZ, "AT_PAGESZ", "System page size", AUX_DEC },
    { AT_BASE, "AT_BASE", "Base address of interpreter", AUX_HEX },
    { AT_FLAGS, "AT_FLAGS", "Flags", AUX_HEX },
    { AT_ENTRY, "AT_ENTRY", "Entry point of program", AUX_HEX },
    { AT_NOTELF, "AT_NOTELF", "Program is not ELF", AUX_DEC },
    { AT_UID, "AT_UID", "Real user ID", AUX_DEC },
    { AT_EUID, "AT_EUID", "Effective user ID", AUX_DEC },
    { AT_GID, "AT_GID", "Real group ID", AUX_DEC },
    { AT_EGID, "AT_EGID", "Effective group ID", AUX_DEC },
    { AT_CLKTCK, "AT_CLKTCK", "Frequency of times()", AUX_DEC },
    { AT_PLATFORM, "AT_PLATFORM", "String identifying platform", AUX_TEXT },
    { AT_HWCAP, "AT_HWCAP", "Machine-dependent CPU capability hints", AUX_HEX },
    { AT_FPUCW, "AT_FPUCW", "Used FPU control word", AUX_HEX },
    { AT_SECURE, "AT_SECURE", "Boolean, was exec setuid-like?", AUX_DEC },
    { AT_BASE_PLATFORM, "AT_BASE_PLATFORM", "String identifying base platform", AUX_TEXT },
    { AT_RANDOM, "AT_RANDOM", "Address of 16 random bytes", AUX_HEX },
    { AT_HWCAP2, "AT_HWCAP2", "Extension of AT_HWCAP", AUX_HEX },
    { AT_EXECFN, "AT_EXECFN", "File name of executable", AUX_TEXT },
    { AT_SYSINFO, "AT_SYSINFO", "Special system info/entry points", AUX_HEX },
    { AT_SYSINFO_EHDR, "AT_SYSINFO_EHDR", "System-supplied DSO's ELF header", AUX_HEX },
    { 27, "AT_RSEQ_FEATURE_SIZE", "rseq supported feature size", AUX_DEC },
    { 28, "AT_RSEQ_ALIGN", "rseq allocation alignment", AUX_DEC },
    { 51, "AT_MINSIGSTKSZ", "Minimum stack size for signal delivery", AUX_HEX },
};

static const char *regs_aux_value(struct ez_sess *s, const struct tag *tag, uint64_t value)
{
    char *text;
    size_t n;
    if (tag->as == AUX_DEC)
        return sess_format(s, "%llu", (unsigned long long)value);
    if (tag->as == AUX_HEX || !ez_err_drop(ez_text_at(values_of(s), value, 1, &n, &text)))
        return out_addr(s, value);
    return sess_format(s, "%s %s", out_addr(s, value), sess_keep(s, text));
}

static void regs_aux(uint64_t type, uint64_t value, void *arg)
{
    static const struct tag unknown = { 0, "???", "", AUX_HEX };
    struct out_table *t = arg;
    struct ez_sess *s = t->sess;
    const struct tag *tag = &unknown;
    for (size_t i = 0; i < EZ_ARRAY_LEN(regs_tags); i++)
        if (regs_tags[i].type == type)
            tag = &regs_tags[i];
    const char *number = sess_format(s, "%llu", (unsigned long long)type);
    const char *text = regs_aux_value(s, tag, value);
    if (t->json)
        out_row(t, number, tag == &unknown ? "" : tag->name, tag->meaning, text, NULL);
    else
        out_line(s, "%-4s %-20s %-30s %s", number, tag->name, tag->meaning, text);
}

static ez_err *cmd_info_auxv(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    out_table_init(&t, s, "", "", "", "", NULL);
    out_table_keys(&t, "auxv", "tag# name meaning value");
    ez_err *e = ez_auxv_each(s->target, regs_aux, &t);
    if (!e && t.json)
        out_table_print(&t);
    else
        out_table_drop(&t);
    return e;
}

const struct ez_cmd command_info_auxv = {
    .parent = "info",
    .name = "auxv",
    .usage = "",
    .brief = "Show the auxiliary vector of the program.",
    .help = "The kernel gives the program this vector at its start. The columns are tag,\n"
            "name, meaning and value (getauxval(3)).",
    .examples = "info auxv",
    .see_also = "info proc, info sharedlibrary",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_auxv,
};
